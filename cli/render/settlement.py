"""The records of a correction, in lines and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from cli.output import paint, remark
from cli.phrases.entries import INDENT, record_lines
from cli.phrases.parts import in_brackets
from cli.phrases.scene_phrases import CORRECTIONS
from cli.play.settlement import AGES, Settlement
from cli.questions.undo_list import CorrectionItem
from cli.render.whatif import whatif_json
from ledger.names import escape, plural
from ledger.records import encode
from rulebooks.common.texts import Wording

WAIT: Final = 1.0  # seconds
RETCON_SHARE: Final = 1.3  # it decides the entries again, as the preview did, and writes the tables from there on


def settlement_lines(settlement: Settlement, wording: Wording) -> Iterator[str]:
    """Yield the records that were written, or remark that there are none."""
    if not settlement.records:
        age = AGES[settlement.age]
        remark(f"Nothing is written. The error is {age}: add --retcon, --stand or --compensate.")
        return
    own, *others = settlement.records
    yield from record_lines(own, wording)
    if settlement.outcome == "compensate":
        for record in others:
            yield from record_lines(record, wording)
        if settlement.left:
            yield f"{INDENT}no adjustment can set: {', '.join(settlement.left)}"
        if not settlement.correction.what_if.value_changes:
            yield f"{INDENT}nothing to adjust: all values end the same"
    elif others:
        yield f"{INDENT}new takes: {', '.join(f'{take.id}@{take.take}' for take in others)}"


def announce_retcon(entries: int, seconds: float) -> None:
    """Remark how long a retcon will take that was previewed in so many seconds, if anybody will have to wait."""
    if seconds >= WAIT:
        about, number = math.ceil(seconds * RETCON_SHARE), plural(entries, "entry is", "entries are")
        remark(f"A retcon takes about {about} s: {number} decided again.")


def settlement_json(settlement: Settlement) -> dict[str, Any]:
    """Return the preview and the records that were written."""
    return {
        **whatif_json(settlement.correction.what_if),
        "age": settlement.age,
        "outcome": settlement.outcome,
        "left": settlement.left,
        "written": [msgspec.Raw(encode(record)) for record in settlement.records],
    }


def correction_item_lines(items: Iterable[CorrectionItem]) -> Iterator[str]:
    """Yield each correction: when and by whom, what it did to which lines, and how it is undone."""
    for item in items:
        who = f"{escape(item.at)} by {escape(item.by)}{in_brackets(escape(item.because))}"
        yield f"{paint(item.entry.ljust(5), bold=True)} {who}"
        for outcome, take in zip(item.outcomes, item.takes, strict=True):
            yield f"{INDENT}{CORRECTIONS.get(outcome, escape(outcome))} {escape(take)}"
        yield from (f"{INDENT}it was: {escape(line)}" for line in item.lines)
        yield f"{INDENT}restore it: {item.restore}" if item.restore else f"{INDENT}{escape(item.refusal)}"
