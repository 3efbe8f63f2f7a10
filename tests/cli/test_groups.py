"""Words that name several beings, and lines that several say: all of them or none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cli.notation.groups import numbered_groups
from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from tests.cli.scopes import MADE_UP, SCOPE

BEINGS = ("Kess", "Orrin", "Thug 1", "Thug 2", "Harbor Fury 1", "Harbor Fury 2", "Lone Wolf")
GROUPS = {**numbered_groups(BEINGS, set(BEINGS) - {"Thug 1"}), "players": ("Kess", "Orrin"), "absent": ()}
TABLE: Scope = replace(SCOPE, beings=BEINGS, groups=lambda: GROUPS)
STRIKES: Scope = replace(MADE_UP, beings=BEINGS, groups=lambda: GROUPS)


def said(line: str, scope: Scope = TABLE) -> Declaration:
    parsed = parse_line(line, scope)
    assert parsed
    return parsed.declaration


@pytest.mark.parametrize(
    ("word", "members"),
    [
        ("thugs", ("Thug 2",)),
        ("furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("harbor-furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("wolves", None),
    ],
)
def test_plural_names_numbered_beings_who_are_here(word, members):
    assert GROUPS.get(word) == members


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("k strike players", ("Kess", "Orrin")),
        ("k strike furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("k strike o,thug1", ("Orrin", "Thug 1")),
        ("k strike o,furies", ("Orrin", "Harbor Fury 1", "Harbor Fury 2")),
        ("k strike targets=players,t2", ("Kess", "Orrin", "Thug 2")),
        ("k strike o allies=furies", ("Orrin",)),
    ],
)
def test_list_of_beings_takes_groups(line, targets):
    assert said(line, STRIKES).targets == targets


def test_group_in_a_named_list():
    assert said("k strike o allies=furies", STRIKES).allies == ("Harbor Fury 1", "Harbor Fury 2")


def test_group_of_nobody_is_refused():
    with pytest.raises(Unreadable, match="nobody of 'absent' is here"):
        said("k strike absent", STRIKES)


def test_being_of_this_name_comes_before_the_group():
    scope = replace(STRIKES, beings=(*BEINGS, "Players"))
    assert said("k strike players", scope).targets == ("Players",)
