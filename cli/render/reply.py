"""What the shell replies to a line: its first sum, then results and changes, in two lines and without turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.phrases.entries import fact_lines, is_loss
from cli.phrases.facts import actions
from cli.phrases.results import result_lines
from ledger.facts import ActionSpent, Fact, Judged
from ledger.implied_passes import is_turn
from rulebooks.common.texts import Wording

USED: Final = "used"


def reply_lines(facts: Sequence[Fact], wording: Wording, by: str = "", passed: Sequence[str] = ()) -> list[str]:
    """Return what an entry did, in at most two lines; whose turn it is stands in the prompt.

    What somebody loses comes first, else who was `passed`, before the round that begins then. What the speaker lets
    go is left out.
    """
    told = [fact for fact in facts if not is_turn(fact)]
    sums = [lines[0] for _, lines in result_lines(told, wording) if len(lines) > 1 and lines[0]]
    lost = losses(facts, wording, by) or passed
    rest = [line for line in fact_lines(told, wording, by, lost) if line not in sums]
    return [*sums[:1], *(["; ".join(rest)] if rest else [])]


def losses(facts: Sequence[Fact], wording: Wording, by: str) -> list[str]:
    """Return what somebody loses, and what others than the speaker let go."""
    gone = [
        fact
        for fact in facts
        if not isinstance(fact, ActionSpent) or (fact.outcome != USED and (is_loss(fact) or fact.who != by))
    ]
    return actions(gone, by, wording)


def closing_text(facts: Sequence[Fact], wording: Wording) -> str:
    """Return what the close of a roll does: what follows from its result, or else the result itself."""
    results = [fact for fact in facts if isinstance(fact, Judged) and fact.final and fact.window]
    effects = reply_lines([fact for fact in facts if fact not in results], wording)
    return "; ".join(effects or reply_lines(facts, wording))
