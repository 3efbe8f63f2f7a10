"""What the log must say of every entry of every test: what begins, changes and ends, and when it will end."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from cli.phrases.conditions import begin_template, end_template
from cli.phrases.durations import ANCHORS, until
from cli.phrases.entries import fact_lines
from cli.phrases.patterns import find_pattern, in_tense
from cli.phrases.windows import CLOSED, OPEN, open_text
from ledger.facts import ConditionBegan, ConditionEnded, Counted, Fact, Judged, Placed, WindowClosed, WindowOpened
from ledger.records import Record
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

RAW: Final = re.compile(r"\{|\}|\[|\]|_|  |\(\)| ,|None")


def check_told(record: Record, book: Game, silent: Collection[str]) -> None:
    """Check that the log has a sentence for every condition and window of an entry, and for when each will end.

    `silent` are those without one, because another sentence says it or nobody has to know: conditions by name
    (`initiative`), ends of conditions by name and reason (`prone crouching`), windows by the first word of their name
    and their outcome (`order done`).
    """
    wording, narration = book.texts().lexicon.wording, book.texts().narration
    check_movements(record, wording)
    for fact in record.facts:
        check_result(fact, wording, narration)
        check_condition(fact, wording, silent)
        check_window(fact, wording, silent)


def check_result(fact: Fact, wording: Wording, narration: Narration) -> None:
    """Check that a story has a sentence for a result of dice, or that the book says that it tells none.

    What has a sentence for one of its results has one for all, also for those without dice.
    """
    if not isinstance(fact, Judged) or fact.what in wording.effects:
        return
    if fact.rolls or any(name.startswith(f"{fact.what} ") for name in narration.results):
        pattern = find_pattern(narration.results, fact.what, fact.result)
        assert pattern is not None, f'words.toml has no "{fact.what} {fact.result}" in [narration.results]'


def check_movements(record: Record, wording: Wording) -> None:
    """Check that the log says who moves, not whom a mount carries, and who is somewhere else now."""
    moved = [
        each for each in record.facts if isinstance(each, Counted) and each.change > 0 and each.name in wording.moves
    ]
    movements: list[Counted | Placed] = [*moved[:1], *(each for each in record.facts if isinstance(each, Placed))]
    if not movements:
        return
    lines = "\n".join(fact_lines(record.facts, wording, record.by))
    for fact in movements:
        assert re.search(rf"{re.escape(fact.who)}.* (moves|is|are) ", lines), fact


def check_condition(fact: Fact, wording: Wording, silent: Collection[str]) -> None:
    """Check the sentence of a condition that begins or ends."""
    if isinstance(fact, ConditionBegan):
        text = in_tense(begin_template(fact, wording))
        assert text or fact.name in silent, fact
        for end in fact.ends:
            assert end.at in {*wording.anchors, *ANCHORS}, end
            check_plain(until(end, 0, wording))
    elif isinstance(fact, ConditionEnded):
        text = in_tense(end_template(fact, wording))
        assert text or {fact.name, f"{fact.name} {fact.because}"} & {*silent}, fact
    else:
        return
    check_plain(text.replace(fact.who, "Ash"))
    assert not text or wording.called.get(fact.who, fact.who) in text, text


def check_window(fact: Fact, wording: Wording, silent: Collection[str]) -> None:
    """Check the sentence of a window that opens or ends."""
    if isinstance(fact, WindowOpened):
        assert fact.kind in {*wording.windows, *OPEN}, fact
        check_plain(open_text(fact.kind, fact.who, fact.awaits, wording))
    elif isinstance(fact, WindowClosed):
        name = f"{fact.window.partition(' ')[0]} {fact.outcome}"
        assert name in {*wording.closed, *CLOSED, *silent}, fact


def check_plain(text: str) -> None:
    """Check that nothing of a pattern is left in a sentence, and nothing is missing."""
    assert not RAW.search(text), text
