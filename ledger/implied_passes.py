"""Implied passes: what others let go when somebody's declaration can only mean that.

They are entries of their own before the declaration, written with it. `Declared.implied_by` names its entry, which is
also the cause of the first take. They have no input: the ledger decides them again with their declaration, so that undo
takes them back with it, and an amendment computes them anew.

The passes of entry `3.42` are inserts after `3.41` (`3.41+1`), behind those that somebody inserted there; those of an
inserted entry stand directly before it, where there is room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.dice import Dice, RecordedDice
from ledger.errors import LedgerError, NeverDrawn, Refused
from ledger.facts import GM, ActionSpent, Allowed, Claims, Declared, EntryId, Fact, Reached
from ledger.game import GameProtocol
from ledger.ledger_state import LedgerState, decide_and_fold
from ledger.projection import S
from ledger.records import ENCODER, Record, Sender
from ledger.store import Store

MOST: Final = 100  # passes of one declaration
NO_DICE: Final = RecordedDice({}, "seed")


class ImpliedPass(msgspec.Struct, frozen=True):
    """A pass: the id of its entry, and its facts, `Declared` first."""

    id: EntryId
    declared: Declared
    facts: tuple[Fact, ...]


def implying_entry(take: Record) -> str:
    """Return the entry that implies this pass; empty for any other take."""
    declared = take.declared
    return (declared and declared.implied_by) or ""


def is_turn(fact: Fact) -> bool:
    """Return whether a fact says no more than whose turn it is and what they have left."""
    return isinstance(fact, ActionSpent | Allowed) or (isinstance(fact, Reached) and fact.point != "round")


def implied_entries(takes: Iterable[Record]) -> set[EntryId]:
    """Return the entries that are implied passes in one of these takes."""
    return {take.id for take in takes if implying_entry(take)}


def start_of(id: EntryId, entries: Iterable[EntryId]) -> EntryId:
    """Return the first of the entries between which the passes of `id` are, or the entry itself."""
    return min((other for other in entries if place_before(id) < other <= id), default=id)


def place_before(id: EntryId) -> EntryId:
    """Return the entry after which the passes of `id` are inserted."""
    return EntryId(id.session, id.number if id.insert else id.number - 1)


def free_inserts(id: EntryId, last: int) -> Iterator[EntryId]:
    """Yield the ids for passes of `id`: the inserts after the insert `last`, before `id`."""
    at = place_before(id)
    for insert in range(last + 1, id.insert if id.insert else last + 1 + MOST):
        yield EntryId(at.session, at.number, insert)


def free_ids(store: Store, id: EntryId) -> Iterator[EntryId]:
    """Yield the ids for passes of the next entry: first those of passes that were taken back with it."""
    stored = list(between(store, id))
    implied = implied_entries(stored)
    yield from free_inserts(id, max((take.insert for take in stored if take.id not in implied), default=0))


def pass_records(
    store: Store, passes: Sequence[ImpliedPass], id: EntryId, *, after: int, at: str, sender: Sender
) -> list[Record]:
    """Return the records of the passes that the entry `id` implies, to be written at the position `after`."""
    takes = Counter(take.id for take in between(store, id)) if passes else Counter[EntryId]()
    return [
        Record(
            position=position,
            session=implied.id.session,
            number=implied.id.number,
            insert=implied.id.insert,
            take=takes[implied.id] + 1,
            cause=str(id),
            request=None,
            by=implied.declared.by,
            holder=sender.holder,
            door=sender.door,
            at=at,
            seen="table",
            facts=implied.facts,
        )
        for position, implied in enumerate(passes, start=after + 1)
    ]


def between(store: Store, id: EntryId) -> Iterator[Record]:
    """Yield the takes of the entries inserted between an entry and the one before it."""
    return store.takes(after=place_before(id), upto=id.before)


def next_pass(game: GameProtocol[S], state: LedgerState[S], said: Declaration, refused: Refused) -> Declaration | None:
    """Return the next pass that a refused declaration implies; None if it did not only come too early."""
    return None if refused.first is None else next(iter(game.skips(said, state.state)), None)


def pass_line(passing: Declaration) -> str:
    """Return the line of a pass that nobody has typed."""
    return f"{'!' if passing.by == GM else passing.by} {(*passing.verbs, '')[0]}"


def fold_pass(
    game: GameProtocol[S], state: LedgerState[S], passing: Declaration, id: EntryId, by: EntryId
) -> ImpliedPass:
    """Decide and fold one pass that `by` implies. Raises Refused."""
    facts = decide_and_fold(game, state, passing, NO_DICE, id)
    said = msgspec.Raw(ENCODER.encode(passing))
    declared = Declared(by=passing.by, said=said, line=pass_line(passing), faces=None, implied_by=str(by))
    return ImpliedPass(id, declared, (declared, *facts))


def decide_with_passes(
    game: GameProtocol[S],
    state: LedgerState[S],
    said: Declaration,
    dice: Callable[[], Dice],
    id: EntryId,
    claims: Claims,
    ids: Iterable[EntryId],
) -> tuple[list[ImpliedPass], Dice, list[Fact]]:
    """Return the implied passes, the dice that were used, and the facts of a declaration, all folded.

    `ids` are the entries that the passes may take. On any error `state` is rolled back.
    """
    mark, passes, free = state.mark(), list[ImpliedPass](), iter(ids)
    try:
        while True:
            try:
                thrown = dice()
                return passes, thrown, decide_and_fold(game, state, said, thrown, id, claims)
            except Refused as error:
                passing = next_pass(game, state, said, error)
                if passing is None or (place := next(free, None)) is None:
                    raise
            passes.append(fold_pass(game, state, passing, place, id))
    except BaseException:
        state.roll_back(mark)
        raise


def refusal_before_dice(game: GameProtocol[S], state: LedgerState[S], said: Declaration, id: EntryId) -> Refused | None:
    """Return why a declaration is refused before any die, unless it only came too early or would let go nothing."""
    try:
        with state.trial():
            decide_with_passes(game, state, said, lambda: NO_DICE, id, (), free_inserts(id, 0))
    except Refused as error:
        return None if error.first is not None or error.is_idle else error
    except LedgerError:  # it needs a die, or its own decision will raise it
        pass
    return None


def fold_passes(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Callable[[], Dice], id: EntryId
) -> None:
    """Fold the passes that a declaration implies, as far as it implies any. `dice` end at their first throw."""
    for place in free_inserts(id, 0):
        mark = state.mark()
        try:
            decide_and_fold(game, state, said, dice(), id)
        except NeverDrawn:
            return
        except Refused as error:
            passing = next_pass(game, state, said, error)
            if passing is None:
                return
            fold_pass(game, state, passing, place, id)
        else:
            state.roll_back(mark)
            return
