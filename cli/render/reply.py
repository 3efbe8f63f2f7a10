"""What the shell replies to a line: its first sum, then results and changes, in two lines and without turns."""

from __future__ import annotations

from collections.abc import Sequence

from cli.render.log import fact_lines
from cli.render.results import result_lines
from ledger.facts import Fact, Judged
from ledger.implied_passes import is_turn
from rulebooks.common.texts import Wording


def reply_lines(facts: Sequence[Fact], wording: Wording, by: str = "") -> list[str]:
    """Return what an entry did, in at most two lines; whose turn it is stands in the prompt."""
    told = [fact for fact in facts if not is_turn(fact)]
    sums = [lines[0] for _, lines in result_lines(told, wording) if len(lines) > 1 and lines[0]]
    rest = [line for line in fact_lines(told, wording, by) if line not in sums]
    return [*sums[:1], *(["; ".join(rest)] if rest else [])]


def closing_text(facts: Sequence[Fact], wording: Wording) -> str:
    """Return what the close of a roll does: what follows from its result, or else the result itself."""
    results = [fact for fact in facts if isinstance(fact, Judged) and fact.final and fact.window]
    effects = reply_lines([fact for fact in facts if fact not in results], wording)
    return "; ".join(effects or reply_lines(facts, wording))
