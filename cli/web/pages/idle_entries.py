"""Entries in which nothing happens but a turn going on: moves, passes, closes. The list folds runs of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.web.pages.content import PageEntry
from ledger.declarations import Declaration
from ledger.facts import (
    ActionSpent,
    Allowed,
    BaseFact,
    Claimed,
    ConditionEnded,
    Counted,
    CountsCleared,
    Judged,
    OrderSet,
    Placed,
    Reached,
    TimePassed,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    Withheld,
)

BOOKKEEPING: Final = (
    ActionSpent | Allowed | ConditionEnded | Counted | CountsCleared | OrderSet | Placed | Reached
    | WindowChanged | WindowClosed | Withheld
)  # fmt: skip
MOVES: Final = (ActionSpent, Counted, Placed, Withheld)  # of which one is in a move
MOTION: Final = "motion"
PASS: Final = "pass"
CLOSE: Final = "close"
WORDS: Final = {  # kinds of idle entries, for one and for more of them, in the order in which they are counted
    MOTION: ("{} move", "{} moves"),
    PASS: ("{} pass", "{} passes"),
    CLOSE: ("{} close", "{} closes"),
}
FEWEST: Final = 2  # entries that make a run


def idle_kind(facts: Sequence[BaseFact], kind: str, said: type[Declaration] | None, *, has_text: bool) -> str:
    """Return what an entry is in which nothing happens; empty where something does.

    Args:
        facts: those that are its own, without the end of an earlier roll.
        kind: of the entry: `pass`, or `said`; no other is idle.
        said: the kind of its declaration.
        has_text: whether it says something in words of somebody's own.
    """
    opened = {fact.window for fact in facts if isinstance(fact, WindowOpened)}
    own = [fact for fact in facts if not is_agreed(fact)]
    own = [fact for fact in own if not (isinstance(fact, Judged) and is_end_of_roll(fact, opened))]
    if kind not in (PASS, "said") or has_text or not all(isinstance(fact, BOOKKEEPING | TimePassed) for fact in own):
        return ""
    if kind == PASS or (said is not None and said.lets_go and PASS in said.verbs):
        return PASS
    if said is not None and said.lets_go:
        return CLOSE
    if any(isinstance(fact, TimePassed) for fact in own):
        return ""
    return MOTION if any(isinstance(fact, MOVES) for fact in own) else ""


def is_agreed(fact: BaseFact) -> bool:
    """Return whether a fact is a value that the table stated, and that the ledger has too."""
    return isinstance(fact, Claimed) and fact.claimed == fact.actual


def has_other_value(facts: Iterable[BaseFact]) -> bool:
    """Return whether the table stated a value in these facts that the ledger does not have."""
    return any(isinstance(fact, Claimed) and not is_agreed(fact) for fact in facts)


def is_end_of_roll(fact: Judged, opened: Collection[str]) -> bool:
    """Return whether a result is the end of a roll that an earlier entry opened; `opened`: those of its own entry."""
    return bool(fact.window) and fact.final and fact.window not in opened


def runs(entries: Iterable[PageEntry]) -> Iterator[list[PageEntry]]:
    """Yield entries in order, those of each run together; one in which something happens is by itself."""
    run = list[PageEntry]()
    for entry in entries:
        if entry.idle:
            run.append(entry)
            continue
        yield from split_run(run)
        run = []
        yield [entry]
    yield from split_run(run)


def split_run(run: list[PageEntry]) -> Iterator[list[PageEntry]]:
    """Yield a run as it is, or its entries one by one where they are too few."""
    yield from [run] if len(run) >= FEWEST else ([entry] for entry in run)


def run_text(run: Iterable[PageEntry]) -> str:
    """Return what is in a run: `3 moves, 1 pass`."""
    counts = Counter(entry.idle for entry in run)
    return ", ".join(words[counts[kind] > 1].format(counts[kind]) for kind, words in WORDS.items() if counts[kind])
