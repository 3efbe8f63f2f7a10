"""Where a ledger stands: the fold of the takes that count, now or at any entry or position of the past.

State is the fold in order of entries. Numbers of lines that were taken back at the end of a session (entries behind
which only such ones and corrections stand) are used again, lowest first: the next declaration is a take of that
entry, and the same line said again meets the same dice. Who says something else in between takes that number with
it; the log of all takes shows both. What an amendment leaves out keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final, Generic

import msgspec

from ledger.builtin import GROUND, SEATED, Sitting, closing, compared, decide_ground
from ledger.dice import Dice
from ledger.errors import Damaged
from ledger.facts import Amended, EntryId, Fact, entry_id
from ledger.game import Claims, Declaration, Game, Ruling, S, Tally, Value
from ledger.records import ENCODER, Record, counting
from ledger.store import Checkpoint, Store

NOTHING: Final = EntryId(0, -1)
LEAVE_OUT: Final = ("drop", "revoke")  # outcomes of `Amended` with which an entry keeps its number
Mark = tuple[int, Sitting, int]


class Frame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a checkpoint: the ground's state and the tally's."""

    sitting: Sitting
    state: msgspec.Raw


class Standing(Generic[S]):
    """Where a ledger stands at some entry: the tally's state, the sitting, and which number comes next."""

    def __init__(self, tally: Tally[S], state: S, sitting: Sitting, last: EntryId) -> None:
        self.tally, self.state, self.sitting, self.last = tally, state, sitting, last
        self.spare: dict[int, int] = {}  # numbers taken back at the end, and how many takes each has
        self.position = 0
        self.facts = 0  # folded since the checkpoint

    def fold(self, record: Record) -> None:
        """Take in the take that counts of the next entry."""
        entry = record.id
        if entry.session != self.last.session or (record.facts and not record.of(Amended)):
            self.spare.clear()
        self.last = max(self.last, entry)
        if not record.facts and not record.insert:
            self.spare[record.number] = record.take
        for fact in record.facts:
            self.step(entry, fact)
            if isinstance(fact, Amended) and fact.outcome in LEAVE_OUT:
                self._kept(entry_id(fact.entry.partition("@")[0]))
        self.tally.settle(self.state)

    def _kept(self, named: EntryId) -> None:
        """The number of an entry that a correction leaves out stays its own: the entry may come back."""
        if named.session == self.last.session and not named.insert:
            self.spare.pop(named.number, None)

    def step(self, entry: EntryId, fact: Fact) -> None:
        """Fold one fact into both states."""
        self.tally.step(self.state, entry, fact)
        if type(fact) in SEATED:
            self.sitting = self.sitting.after(fact)
        self.facts += 1

    def mark(self) -> Mark:
        """A place to roll back to."""
        return self.tally.mark(self.state), self.sitting, self.facts

    def roll_back(self, mark: Mark) -> None:
        """As if nothing had been folded since `mark`."""
        place, self.sitting, self.facts = mark
        self.tally.roll_back(self.state, place)

    def values(self) -> dict[str, Value]:
        """Every value that may be asked for by name."""
        return dict(self.tally.values(self.state))

    def checkpoint(self, entry: EntryId, position: int) -> Checkpoint:
        """This standing, packed."""
        frame = Frame(sitting=self.sitting, state=msgspec.Raw(self.tally.pack(self.state)))
        return Checkpoint(position=position, entry=entry, body=ENCODER.encode(frame))


def beginning(tally: Tally[S]) -> Standing[S]:
    """Where a ledger stands before its first entry."""
    return Standing(tally, tally.empty(), Sitting(), NOTHING)


def standing(store: Store, tally: Tally[S], *, at: EntryId | None = None, as_of: int | None = None) -> Standing[S]:
    """Where the ledger stands: now, `at` the end of an entry, or `as_of` what it said at a position.

    From the nearest checkpoint, and the takes that count behind it.
    """
    position = store.head().position if as_of is None else as_of  # first: what comes later is not half seen
    found = _unpacked(store.checkpoint(upto=at, as_of=position), tally)
    found.position = position
    for record in counting(store.takes(after=found.last, upto=at, as_of=position)):
        found.fold(record)
    return found


def foreseen(store: Store, tally: Tally[S], takes: Sequence[Record]) -> Standing[S]:
    """Where the ledger will stand once these takes are written at the positions that they say."""
    oldest, position = min(take.id for take in takes), takes[0].position - 1
    before = oldest.before
    found = _unpacked(store.checkpoint(upto=before, as_of=position), tally)
    found.position = takes[-1].position
    written = store.takes(after=found.last, as_of=position)
    for record in counting(merge(written, sorted(takes, key=_in_order), key=_in_order)):
        found.fold(record)
    return found


def _in_order(take: Record) -> tuple[EntryId, int]:
    """Takes stand in order of entries, then of writing."""
    return take.id, take.position


def _unpacked(kept: Checkpoint | None, tally: Tally[S]) -> Standing[S]:
    """Where a ledger stood at a checkpoint, or before its first entry."""
    if kept is None:
        return beginning(tally)
    try:
        frame = msgspec.json.decode(kept.body, type=Frame)
        return Standing(tally, tally.unpack(bytes(frame.state)), frame.sitting, kept.entry)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(
            "a checkpoint cannot be read",
            where=f"entry {kept.entry}",
            mend="Make them again: campaign rebuild.",
        ) from error


def decided(
    game: Game[S], place: Standing[S], said: Declaration, dice: Dice, entry: EntryId, claims: Claims = ()
) -> list[Fact]:
    """The facts that follow from `said`, folded into `place` one by one. On any error `place` is as it was.

    `claims` about the outcome are compared at the end, and change nothing.
    """
    mark = place.mark()
    facts: list[Fact] = []
    try:
        for fact in following(game, place, said, dice):
            place.step(entry, fact)
            facts.append(fact)
        for claim in compared(claims, facts, place.values) if claims else ():
            place.step(entry, claim)
            facts.append(claim)
    except BaseException:
        place.roll_back(mark)
        raise
    return facts


def following(game: Game[S], place: Standing[S], said: Declaration, dice: Dice) -> Iterator[Fact]:
    """Ground or game, whoever the declaration belongs to."""
    if isinstance(said, Ruling):
        yield from game.rule(said, place.state)
    elif isinstance(said, GROUND):
        if closing(said):
            yield from game.settle(place.state)
        yield from decide_ground(said, place.sitting, place.values)
    else:
        yield from game.decide(said, place.state, dice)
