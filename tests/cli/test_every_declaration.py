"""Every declaration of every game: its canonical line parses to it again, and is neither a change nor a correction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.notation.edits import parse_change
from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.play.declare import is_correction
from ledger.builtin import BUILTIN_WITH_VERBS
from rulebooks import GAMES, load_game
from tests.cli.declarations import declarations
from tests.cli.scopes import SCOPE

KINDS = [
    pytest.param(game, kind, id=f"{game} {kind.__name__}")
    for game in GAMES
    for kind in (*load_game(game).declarations, *BUILTIN_WITH_VERBS)
    if kind.verbs
]


EXAMPLES = max(2, settings.default.max_examples // 3)  # for each of some two hundred kinds


@pytest.mark.parametrize(("game", "kind"), KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_canonical_line_parses_to_its_declaration(game, kind, data):
    said = data.draw(declarations(kind))
    scope = replace(SCOPE, declarations=(*load_game(game).declarations, *BUILTIN_WITH_VERBS), words=lambda *_: ())
    line = format_declaration(said)
    parsed = parse_line(line, scope)
    assert parsed is not None
    assert parsed.declaration == said
    assert parsed.faces is None
    assert not is_correction(line)
    assert parse_change(line, said, None, scope).declaration == said
