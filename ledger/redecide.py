"""Deciding an entry again: what it is decided from, and the dice that it meets.

Who said what, and the faces typed in, are its input; several takes of an entry may share it.

A take is an input take when somebody said it: it has no cause, it is the first of its entry, or the correction that
made it names the entry. The other takes follow from a correction of something else: what was said, and the faces
that lay on the table, are still those of the last input take, also when a `Lapsed` entry shows none of its dice, so
that a later correction can bring back all that an earlier one made impossible. A take that restores what was said
before a correction has the input of that time, with all the faces that lay there.

An entry whose last input take has no facts was taken back or left out: it has no input.

Dice: faces typed in are taken in their order, or, where only the state around an entry has changed, by purpose, so
that no face moves to another die. From a seed that is revealed every face follows; those that nobody drew before the
reveal are marked. While a session is open, only faces that some take of the entry has shown. Between sessions no die is
drawn from a seed, also not later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.dice import Dice, RecordedDice, SeededDice, Source, TypedDice, session_key
from ledger.errors import NeverDrawn, Refused
from ledger.facts import Amended, Claims, Declared, EntryId, Fact, Invalidated, Rolled, SessionClosed
from ledger.game import GameProtocol
from ledger.position import LedgerState, decide_and_fold
from ledger.projection import S
from ledger.records import Record

Shown = Mapping[str, Sequence[tuple[int, int]]]
Drawn = Mapping[tuple[str, int, int], int]  # faces by what they are keyed by: purpose, ordinal and sides
FROM_SEED: Final = ("seed", "revealed")


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """What was said at an entry, and the dice of the table that lay there: by purpose, or only typed in order."""

    said: msgspec.Raw
    by: str
    line: str
    faces: tuple[int, ...] | None = None
    faces_by_purpose: Shown | None = None
    claims: Claims = ()
    seen: str = "table"


class TakeHistory:
    """All takes of some entries, in order of history."""

    def __init__(self, takes: Iterable[Record], *, upto: EntryId | None = None) -> None:
        """`takes` come in order of id, then of writing; with an entry come all entries behind it.

        Of those behind `upto` only what they correct is kept in mind.
        """
        self.entries: dict[EntryId, list[Record]] = {found[0].id: found for found in group_by_entry(takes)}
        self._outcomes: dict[str, dict[str, str]] = {}
        for take in self.takes():
            if take.has(Amended):
                amended = (fact for fact in take.facts if isinstance(fact, Amended))
                self._outcomes[str(take.id)] = {corrected_entry(fact): fact.outcome for fact in amended}
        self._first_positions = {str(id): found[0].position for id, found in self.entries.items()}
        if upto is not None:
            self.entries = {id: found for id, found in self.entries.items() if id <= upto}

    def takes(self) -> Iterable[Record]:
        """Every take of every entry."""
        return (take for takes in self.entries.values() for take in takes)

    def is_input(self, take: Record) -> bool:
        """Whether somebody said this take: it does not only follow from a correction of something else."""
        return take.cause is None or take.take == 1 or str(take.id) in self._outcomes.get(take.cause, {})

    def input(self, id: EntryId, *, before: int | None = None) -> Input | None:
        """What is said at an entry now, or was `before` a position; None where it was taken back, or never said."""
        said = self.input_takes(id, before=before)[-1]
        return None if said is None or said.declared is None else input_of(said, said.declared)

    def input_takes(self, id: EntryId, *, before: int | None = None) -> list[Record | None]:
        """The last input take of an entry, and where it restores what was said before, back to where that was said."""
        found = [self.last_input_take(id, before=before)]
        while (said := found[-1]) is not None and (corrected := self._restored_before(said)) is not None:
            found.append(self.last_input_take(id, before=corrected))
        return found

    def _restored_before(self, take: Record) -> int | None:
        """The position of the correction before which a take restores what was said; None where it restores nothing."""
        outcomes = self._outcomes.get(take.cause or "", {})
        if take.take == 1 or outcomes.get(str(take.id)) != "restore":
            return None
        revoked = next(id for id, outcome in outcomes.items() if outcome == "revoke")
        return self._first_positions.get(revoked, 0)  # 0: it stands before all these, so it made the entry

    def last_input_take(self, id: EntryId, *, before: int | None = None) -> Record | None:
        """The last input take of an entry, now or `before` a position."""
        takes = self.entries.get(id, ())
        return next(
            (take for take in reversed(takes) if (before is None or take.position < before) and self.is_input(take)),
            None,
        )

    def takes_caused_by(self, correction: EntryId) -> list[Record]:
        """The takes that a correction caused, in order of history."""
        return [take for take in self.takes() if take.cause == str(correction)]


def group_by_entry(takes: Iterable[Record]) -> Iterator[list[Record]]:
    """The takes of each entry, in order of history, of takes that come in order of id."""
    return (list(found) for _, found in groupby(takes, key=lambda take: take.id))


def corrected_entry(fact: Amended) -> str:
    """The entry that a correction names, without its take."""
    return fact.entry.partition("@")[0]


def input_of(take: Record, declared: Declared) -> Input:
    """The input that a take shows."""
    typed = {
        fact.purpose: [(die.sides, die.face) for die in fact.dice]
        for fact in take.facts
        if isinstance(fact, Rolled) and fact.source == "table"
    }
    return Input(
        said=declared.said,
        by=declared.by,
        line=declared.line,
        faces=declared.faces,
        faces_by_purpose=typed if declared.faces is not None else None,
        claims=declared.claims,
        seen=take.seen,
    )


def shown_faces(takes: Iterable[Record]) -> Drawn:
    """Every face from the seed that these takes of an entry have ever shown."""
    found: dict[tuple[str, int, int], int] = {}
    for take in takes:
        for fact in take.facts:
            if isinstance(fact, Rolled) and fact.source in FROM_SEED:
                for die in fact.dice:
                    found.setdefault((fact.purpose, die.ordinal, die.sides), die.face)
    return found


class ShownDice:
    """Only faces that some take of the entry has shown. Anything else raises NeverDrawn: odds, never peeks."""

    source: Source = "seed"

    def __init__(self, shown: Drawn) -> None:
        self._shown = shown

    def expect(self, *sides: int) -> None:
        """Nothing to check: what was shown was checked when it was thrown."""

    def for_entry(self, entry: str) -> ShownDice:
        """What was shown where it was thrown, whoever announced it."""
        return self

    def check_all_used(self) -> None:
        """What is not asked for any more stays shown."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of these dice. Raises NeverDrawn if one of them was never thrown for `purpose`."""
        dice = [(purpose, ordinal, most) for ordinal, most in enumerate(sides)]
        if not all(die in self._shown for die in dice):
            raise NeverDrawn(purpose, sides)
        return tuple(self._shown[die] for die in dice)


class RevealedDice(SeededDice):
    """Faces from a seed that everybody knows: a throw with a die that nobody drew before that is marked."""

    __slots__ = ("__key", "_shown")

    def __init__(self, key: bytes, entry: str, shown: Drawn) -> None:
        """`shown`: the dice that were thrown while the seed was a secret."""
        super().__init__(key, entry)
        self.__key, self._shown = key, shown

    def for_entry(self, entry: str) -> RevealedDice:
        """The dice of another entry of the session; what was drawn is known where it was thrown."""
        return RevealedDice(self.__key, entry, self._shown)

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of `purpose`, from the seed or the seed once revealed."""
        faces = super().throw(purpose, *sides)
        known = all((purpose, ordinal, most) in self._shown for ordinal, most in enumerate(sides))
        self.source = "seed" if known else "revealed"
        return faces


class RevealedSeed(msgspec.Struct, frozen=True):
    """A session's seed, and the position at which everybody could know it."""

    seed: bytes
    position: int


def revealed_seeds(takes: Iterable[Record]) -> dict[int, RevealedSeed]:
    """The seeds that sessions have shown at their close, by session."""
    found: dict[int, RevealedSeed] = {}
    for take in takes:
        for fact in take.facts:
            if isinstance(fact, SessionClosed) and (seed := _parse_seed(fact.seed)):
                known = found.get(take.session)
                if known is None or take.position < known.position:
                    found[take.session] = RevealedSeed(seed, take.position)
    return found


def dice_for_entry(
    state: LedgerState[Any], id: EntryId, takes: Iterable[Record], seeds: Mapping[int, RevealedSeed]
) -> Dice:
    """The dice that an entry meets without faces typed in, where `place` stands."""
    found, sitting = seeds.get(id.session), state.session
    if found is None or not sitting.open:
        return ShownDice(shown_faces(takes))
    key = session_key(found.seed, sitting.ledger, sitting.number, sitting.words)
    return RevealedDice(key, str(id), shown_faces(take for take in takes if take.position < found.position))


def typed_faces_used(dice: Dice) -> tuple[int, ...] | None:
    """The faces of the table that were asked for, as an entry records them."""
    return (dice.used_faces or None) if isinstance(dice, TypedDice | RecordedDice) and dice.source == "table" else None


def redecide(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Dice, id: EntryId, claims: Claims = ()
) -> list[Fact]:
    """The facts that follow, folded; where the rules refuse it, only that it has lapsed."""
    try:
        return decide_and_fold(game, state, said, dice, id, claims)
    except Refused as error:
        fact = invalidation(error)
        state.step(id, fact)
        return [fact]


def invalidation(error: Refused) -> Invalidated:
    """The refusal as a fact."""
    return Invalidated(rules=error.rules, code=error.code, what=error.what)


def _parse_seed(text: str) -> bytes | None:
    """The seed that a closing reveals, or None when it is none: then the closing itself is refused."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
