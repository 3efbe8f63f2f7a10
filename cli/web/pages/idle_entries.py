"""Entries in which nothing happens but a turn going on: moves, passes, closes. The list folds runs of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.web.pages.content import PageEntry
from ledger import facts
from ledger.declarations import Declaration

BOOKKEEPING: Final = (
    facts.ActionSpent | facts.Allowed | facts.ConditionEnded | facts.Counted | facts.CountsCleared | facts.OrderSet
    | facts.Placed | facts.Reached | facts.WindowChanged | facts.WindowClosed | facts.Withheld
)  # fmt: skip
MOVES: Final = (facts.ActionSpent, facts.Counted, facts.Placed, facts.Withheld)  # of which one is in a move
MOTION: Final = "motion"
PASS: Final = "pass"
CLOSE: Final = "close"
WORDS: Final = {  # kinds of idle entries, for one and for more of them, in the order in which they are counted
    MOTION: ("{} move", "{} moves"),
    PASS: ("{} pass", "{} passes"),
    CLOSE: ("{} close", "{} closes"),
}
FEWEST: Final = 2  # entries that make a run


def idle_kind(caused: Sequence[facts.BaseFact], kind: str, said: type[Declaration] | None, *, has_text: bool) -> str:
    """Return what an entry is in which nothing happens; empty where something does.

    Args:
        caused: the facts that are its own, without the end of an earlier roll.
        kind: of the entry: `pass`, or `said`; no other is idle.
        said: the kind of its declaration.
        has_text: whether it says something in words of somebody's own.
    """
    opened = {fact.window for fact in caused if isinstance(fact, facts.WindowOpened)}
    own = [fact for fact in caused if not is_agreed(fact)]
    own = [fact for fact in own if not (isinstance(fact, facts.Judged) and is_end_of_roll(fact, opened))]
    if (
        kind not in (PASS, "said")
        or has_text
        or not all(isinstance(fact, BOOKKEEPING | facts.TimePassed) for fact in own)
    ):
        return ""
    if kind == PASS or (said is not None and said.lets_go and PASS in said.verbs):
        return PASS
    if said is not None and said.lets_go:
        return CLOSE
    if any(isinstance(fact, facts.TimePassed) for fact in own):
        return ""
    return MOTION if any(isinstance(fact, MOVES) for fact in own) else ""


def is_agreed(fact: facts.BaseFact) -> bool:
    """Return whether a fact is a value that the table stated, and that the ledger has too."""
    return isinstance(fact, facts.Claimed) and fact.claimed == fact.actual


def has_other_value(caused: Iterable[facts.BaseFact]) -> bool:
    """Return whether the table stated a value in these facts that the ledger does not have."""
    return any(isinstance(fact, facts.Claimed) and not is_agreed(fact) for fact in caused)


def is_end_of_roll(fact: facts.Judged, opened: Collection[str]) -> bool:
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
