"""Every declaration of every game: its canonical line parses to it again, and is neither a change nor a correction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.notation.edits import parse_change
from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from cli.play.declare import is_correction
from ledger.builtin import BUILTIN_WITH_VERBS
from rulebooks import GAMES, load_game
from tests.budget import BUDGET
from tests.cli.declarations import declarations
from tests.cli.scopes import SCOPE

pytestmark = pytest.mark.slow  # run with --long

KINDS = {game: [kind for kind in (*load_game(game).declarations, *BUILTIN_WITH_VERBS) if kind.verbs] for game in GAMES}
EACH = [pytest.param(game, kind, id=f"{game} {kind.__name__}") for game, kinds in KINDS.items() for kind in kinds]
EXAMPLES = BUDGET.examples(1, 25)  # for each of some two hundred kinds


def scope_of(game: str) -> Scope:
    """Return a scope that knows the declarations of a game, and no words."""
    return replace(SCOPE, declarations=(*load_game(game).declarations, *BUILTIN_WITH_VERBS), words=lambda *_: ())


@pytest.mark.parametrize(("game", "kind"), EACH)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_canonical_line_parses_to_its_declaration(game, kind, data):
    said = data.draw(declarations(kind))
    line = format_declaration(said)
    parsed = parse_line(line, scope_of(game))
    assert parsed is not None
    assert (parsed.declaration, parsed.faces, parsed.claims) == (said, None, ())
    assert not is_correction(line)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), EACH)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_whole_line_is_no_change_of_another(game, kind, data):
    said = data.draw(declarations(kind))
    old = data.draw(st.sampled_from([kind, *KINDS[game]]).flatmap(declarations))
    assert parse_change(format_declaration(said), old, (7, 6), scope_of(game)).declaration == said
