"""The report of a replay as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cli.output import paint
from cli.phrases.parts import ledger_value
from cli.phrases.value_names import ValueNames
from cli.render.proof import proof_lines
from ledger.diff import ReplayDifference
from ledger.names import escape, plural
from ledger.replay import ReplayReport
from ledger.session_proof import SessionProof
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording


def replay_lines(
    report: ReplayReport, proofs: Iterable[SessionProof], game: Game, wording: Wording, *, every: bool = False
) -> Iterator[str]:
    """Return the counts, what is not proved, the wrong claims, and the first difference; `every`: all differences."""
    installed = f"{game.name} {game.version}"
    for rulebook in report.rulebooks:
        if rulebook and rulebook != installed:
            yield f"played with {escape(rulebook)}; installed is {installed}"
    yield (
        f"{report.entries} entries, {report.facts} facts decided again; "
        f"{report.drawn} faces drawn again from revealed seeds, {report.typed} typed at the table"
    )
    yield from proof_lines(proofs)
    for claim in report.claims:
        actual = ledger_value(claim.actual)
        name = ValueNames((), wording).claim(claim.value)
        yield f"{escape(claim.entry)} claims {name} {escape(str(claim.claimed))}, the ledger says {actual}"
    if not report.differences:
        yield paint("the replay agrees", fg="green")
        return
    first = report.differences[0]
    number = plural(len(report.differences), "entry", "entries")
    yield paint(f"the replay differs in {number}, first in {escape(first.entry)}:", fg="red")
    for difference in report.differences if every else [first]:
        yield from _difference_lines(difference, game)


def _difference_lines(difference: ReplayDifference, game: Game) -> Iterator[str]:
    """Return a difference: the fact, the field, both values, and the rules."""
    yield f"  {escape(str(difference))}"
    rules = game.texts().rules
    yield from (f"    {id}: {rules[id].text}" for id in difference.rules if id in rules)
