"""Lines that refusals and the prompt propose, in fights of all games at random: each is taken when it is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import normalize_line
from cli.play.whole_line import with_whole_line
from cli.questions.line_scope import line_scope
from cli.questions.possible import why_not_said
from ledger.errors import LedgerError, Refused, Unreadable
from tests.budget import BUDGET
from tests.cli.fights import FIGHTS, FacesLedger, begin, say

MEANT: Final = re.compile(r"Did you mean: (.*) \?")
EXAMPLES: Final = re.compile(r"(?:For example|The nearest|There (?:is|are)|Round [0-9]+, [^:]*|It is the [^:]*): [^.]*")
PROPOSED: Final = re.compile(r"(?:: |\b(?:say|pass) )([^:?]+?)(?: \?|\.?$|; |\. )")
TRIES: Final = 30


def parsed_by(line: str, ledger: FacesLedger) -> list[ParsedLine]:
    """Return how the grammar reads a line now; nothing for one that it does not read."""
    try:
        return parse_each(normalize_line(line), line_scope(ledger.state, ledger.game))
    except LedgerError:
        return []


def shown_next(ledger: FacesLedger) -> str:
    """Return the line that the prompt and `now:` show where nobody may act; empty where somebody may."""
    state, guide = ledger.state.state, ledger.game.guide
    return "" if state.encounter is None or state.windows or any(guide.next_up(state)) else guide.next_line(state)


def acts(line: str, ledger: FacesLedger) -> set[tuple[str, str]]:
    """Return who does what in a line."""
    return {(each.declaration.by, type(each.declaration).__name__) for each in parsed_by(line, ledger)}


def proposals(hint: str, ledger: FacesLedger) -> Iterator[str]:
    """Yield the lines in a hint that are no examples, and no free task, as which anything can be read."""
    for line in PROPOSED.findall(EXAMPLES.sub("", hint)):
        if any(not type(each.declaration).free for each in parsed_by(line, ledger)):
            yield line


def misspelt(line: str, chance: Random) -> str:
    """Return a line with two letters of one of its words exchanged, or without one of its words."""
    words = line.split()
    index = chance.randrange(len(words))
    word = words[index]
    if len(word) > 3 and word.isalpha():
        words[index] = f"{word[0]}{word[2]}{word[1]}{word[3:]}"
    elif chance.random() < 0.3:
        words.pop(index)
    return " ".join(words)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", sorted(FIGHTS))
@pytest.mark.parametrize("seed", BUDGET.seeds(2, 40))
def test_every_line_that_a_refusal_proposes_is_taken(game: str, seed: int) -> None:
    ledger, chance, fight = begin(game, f"proposals {seed}"), Random(seed), FIGHTS[game]
    for line in fight.opening[: chance.randrange(len(fight.opening) + 1)]:
        say(ledger, line)
    for right in chance.choices([*fight.single, *fight.several], k=TRIES):
        line = misspelt(right, chance) if chance.random() < 0.4 else right
        error = say(ledger, line)
        if next_line := shown_next(ledger):
            assert not why_not_said(next_line, ledger.state, ledger.game, line_scope(ledger.state, ledger.game))
        if not isinstance(error, Refused | Unreadable):
            continue
        scope = line_scope(ledger.state, ledger.game)
        hint = with_whole_line(error, line, ledger, ledger.game, scope).hint
        for proposed in proposals(hint, ledger):
            assert not why_not_said(proposed, ledger.state, ledger.game, scope), (line, proposed)
        for meant in MEANT.findall(hint):
            assert acts(meant, ledger) == acts(right, ledger), (line, meant, right)


@pytest.mark.parametrize(
    ("game", "line", "proposed"),
    [
        ("momentum", "! over", '! over "they yield"'),
        ("mars", "! leave bram", '! leave bram "over the wall"'),
        ("semiautomagic", "! leave brute 2", '! leave brute 2 "over the wall"'),
        ("monolith", "v save reflex", 'v save reflex "leaping the gap"'),
    ],
)
def test_line_without_its_reason_is_proposed_with_one(game: str, line: str, proposed: str) -> None:
    ledger = begin(game)
    for opening in FIGHTS[game].opening:
        say(ledger, opening)
    refused = say(ledger, line)
    assert isinstance(refused, Refused)
    assert refused.hint.endswith(f"For example: {proposed}")
    assert not isinstance(say(ledger, proposed), LedgerError)
