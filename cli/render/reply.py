"""What the shell replies to a line: its first sum, then results and changes, in two lines and without turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from cli.phrases.actions import actions
from cli.phrases.entries import fact_lines, is_loss
from cli.phrases.results import result_lines
from cli.phrases.verbs import conjugate
from ledger.facts import ActionSpent, Fact, Judged
from ledger.implied_passes import is_turn
from ledger.names import escape, word_list
from ledger.records import Record
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

USED: Final = "used"
PASS: Final = "pass"


def reply_lines(
    facts: Sequence[Fact], wording: Wording, by: str = "", passed: Sequence[str] = (), after: str = ""
) -> list[str]:
    """Return what an entry did, in at most two lines; whose turn it is stands in the prompt.

    What somebody loses comes first, else who passed, before the round that begins then. What the speaker lets go is
    left out. `after` stands behind all else.
    """
    told = [fact for fact in facts if not is_turn(fact)]
    sums = [lines[0] for _, lines in result_lines(told, wording) if len(lines) > 1 and lines[0]]
    lost = losses(facts, wording, by) or passed
    rest = [line for line in fact_lines(told, wording, by, lost) if line not in sums]
    rest += [after] if after else []
    return [*sums[:1], *(["; ".join(rest)] if rest else [])]


def is_pass(record: Record, book: Game) -> bool:
    """Return whether a line only lets the turn of its speaker go."""
    said = record.declared and msgspec.json.decode(record.declared.said).get("say")
    return any(kind.lets_go and PASS in kind.verbs and kind.__struct_config__.tag == said for kind in book.declarations)


def pass_texts(names: Sequence[str]) -> list[str]:
    """Return `Ise and Maren pass`; nothing for nobody."""
    who = word_list(list(map(escape, names)))
    return [f"{who} {conjugate(PASS, who)}"] if who else []


def next_text(names: Sequence[str]) -> str:
    """Return `Ise or Maren is next`; empty for nobody."""
    return f"{word_list(list(map(escape, names)), 'or')} is next" if names else ""


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
