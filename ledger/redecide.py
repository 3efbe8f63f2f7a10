"""Decide an entry again: its input, and its dice.

The input of an entry is its declaration and its typed faces. A take is an input take if somebody declared it: it has
no cause, it is the first of its entry, or the correction that caused it names the entry. All other takes share the
input of the last input take, even if the entry is `Invalidated` and shows no dice, so that a later correction can
bring it back. A take that restores an entry has its input from before the correction. An entry whose last input take
has no facts was undone or dropped: it has no input. Nor has an implied pass: it is decided again with its cause.

Typed faces are used in their order, or by purpose where only the state around an entry has changed, so that no face
moves to another die. A revealed seed gives every face; faces not drawn before the reveal are marked. In an open session
only faces that a take of the entry has shown are used. Entries between sessions never have seeded dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.dice import (
    FROM_SEED,
    Dice,
    DieKey,
    LinkOf,
    RecordedDice,
    SeededDice,
    Source,
    TypedDice,
    UncheckedDice,
    session_key,
)
from ledger.errors import NeverDrawn, Refused
from ledger.facts import Amended, Claims, Declared, EntryId, Fact, Invalidated, Rolled, SessionClosed
from ledger.game import GameProtocol
from ledger.implied_passes import implied_entries
from ledger.ledger_state import LedgerState, decide_and_fold
from ledger.links import ALONE, links_of
from ledger.projection import S
from ledger.records import Record, is_same_entry
from ledger.throws import own_throws

FacesByPurpose = Mapping[str, Sequence[tuple[int, int]]]  # purpose -> (sides, face) pairs
FaceByDie = Mapping[tuple[str, int, int], int]  # (purpose, ordinal, sides) -> face
HAVE_USED: Final = (TypedDice, RecordedDice)  # dice that know which faces were thrown
NextThrow = Callable[[str], int]  # the number of the next throw of a purpose


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """The declaration of an entry and its typed faces: in order, and by purpose if they have been thrown."""

    declaration_json: msgspec.Raw
    by: str
    line: str
    faces: tuple[int, ...] | None = None
    faces_by_purpose: FacesByPurpose | None = None
    claims: Claims = ()
    seen: str = "table"
    line_start: str | msgspec.UnsetType = msgspec.UNSET
    cut_short: bool | msgspec.UnsetType = msgspec.UNSET


class TakeHistory:
    """All takes of some entries, in order of entries."""

    def __init__(self, takes: Iterable[Record], *, upto: EntryId | None = None) -> None:
        """`takes` must be in order of id, then of position, without gaps up to the end of the ledger.

        Of entries after `upto` only the corrections are used.
        """
        self.entries: dict[EntryId, list[Record]] = {group[0].id: group for group in group_by_entry(takes)}
        self._outcomes: dict[str, dict[str, str]] = {}
        for take in self.takes():
            if take.has(Amended):
                amended = (fact for fact in take.facts if isinstance(fact, Amended))
                self._outcomes[str(take.id)] = {corrected_entry(fact): fact.outcome for fact in amended}
        self.implied = implied_entries(self.takes())  # passes: decided again with the declaration that implies them
        self._first_positions = {str(id): group[0].position for id, group in self.entries.items()}
        if upto is not None:
            self.entries = {id: group for id, group in self.entries.items() if id <= upto}

    def takes(self) -> Iterable[Record]:
        """Return every take of every entry."""
        return (take for takes in self.entries.values() for take in takes)

    def is_input(self, take: Record) -> bool:
        """Return whether somebody declared this take: it is not only the result of correcting another entry."""
        if take.id in self.implied:
            return False
        return take.cause is None or take.take == 1 or str(take.id) in self._outcomes.get(take.cause, {})

    def outcome(self, take: Record) -> str | None:
        """Return the outcome with which the cause of a take names its entry, or None."""
        return self._outcomes.get(take.cause or "", {}).get(str(take.id))

    def input(self, id: EntryId, *, before: int | None = None) -> Input | None:
        """Return the input of an entry, now or `before` a position; None if it was undone or dropped."""
        said = self.input_takes(id, before=before)[-1]
        return None if said is None or said.declared is None else input_of(said, said.declared)

    def input_takes(self, id: EntryId, *, before: int | None = None) -> list[Record | None]:
        """Return the last input take of an entry, followed by the take that it restores, if any, and so on."""
        inputs = [self.last_input_take(id, before=before)]
        while (take := inputs[-1]) is not None and (position := self._restored_before(take)) is not None:
            inputs.append(self.last_input_take(id, before=position))
        return inputs

    def _restored_before(self, take: Record) -> int | None:
        """Return the position of the correction that a take revokes; None if it restores nothing."""
        outcomes = self._outcomes.get(take.cause or "", {})
        if take.take == 1 or outcomes.get(str(take.id)) != "restore":
            return None
        revoked = next(id for id, outcome in outcomes.items() if outcome == "revoke")
        return self._first_positions.get(revoked, 0)  # 0: the correction came before these takes and made the entry

    def last_input_take(self, id: EntryId, *, before: int | None = None) -> Record | None:
        """Return the last input take of an entry, now or `before` a position."""
        takes = self.entries.get(id, ())
        return next(
            (take for take in reversed(takes) if (before is None or take.position < before) and self.is_input(take)),
            None,
        )

    def refused(self, *, before: int) -> set[EntryId]:
        """Return the entries that were refused `before` a position, because of a correction."""
        last = {take.id: take for take in self.takes() if take.position < before}
        return {id for id, take in last.items() if take.has(Invalidated)}


def group_by_entry(takes: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield the takes of each entry; `takes` must be in order of id."""
    group: list[Record] = []
    for take in takes:
        if group and not is_same_entry(group[-1], take):
            yield group
            group = []
        group.append(take)
    if group:
        yield group


def corrected_entry(fact: Amended) -> str:
    """Return the entry that a correction names, without its take."""
    return fact.entry.partition("@")[0]


def input_of(take: Record, declared: Declared) -> Input:
    """Return the input of a take."""
    typed = {
        fact.purpose: [(die.sides, die.face) for die in fact.dice]
        for fact in take.facts
        if isinstance(fact, Rolled) and fact.source == "table"
    }
    return Input(
        declaration_json=declared.said,
        by=declared.by,
        line=declared.line,
        faces=declared.faces,
        faces_by_purpose=typed if declared.faces is not None else None,
        claims=declared.claims,
        seen=take.seen,
        line_start=declared.line_start,
        cut_short=declared.cut_short,
    )


def shown_faces(takes: Iterable[Record], throws: Mapping[str, int]) -> FaceByDie:
    """Return every face from the seed that these takes of an entry have shown in these throws."""
    if not throws:
        return {}
    return {
        (fact.purpose, die.ordinal, die.sides): die.face
        for take in takes
        for fact in take.facts
        if type(fact) is Rolled and fact.source in FROM_SEED and throws.get(fact.purpose) == fact.throw
        for die in fact.dice
    }


class KnownFacesDice(UncheckedDice):
    """Dice with only the faces that takes of the entry have shown; any other throw raises NeverDrawn."""

    source: Source = "seed"

    def __init__(self, shown: FaceByDie, throws: Mapping[str, int], links: Mapping[DieKey, str] | None = None) -> None:
        """`throws` are the numbers of the throws that have shown these faces, `links` those of shared dice."""
        self._shown, self._throws, self._links = shown, throws, links

    @property
    def throws(self) -> Mapping[str, int]:
        """The number of each throw of which faces are known."""
        return self._throws

    @property
    def links(self) -> Mapping[DieKey, str] | None:
        """The link of each known die; None where they are not shared."""
        return self._links

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the shown faces. Raises NeverDrawn if one of the dice was never thrown for `purpose`."""
        dice = [(purpose, ordinal, most) for ordinal, most in enumerate(sides)]
        if not all(die in self._shown for die in dice):
            raise NeverDrawn(purpose, sides)
        return tuple(self._shown[die] for die in dice)


class RevealedDice(SeededDice):
    """Dice of a revealed seed; a throw with a die that was not drawn before the reveal is marked."""

    __slots__ = ("_shown",)

    def __init__(self, key: bytes, next_throw: NextThrow, shown: FaceByDie, link_of: LinkOf | None = None) -> None:
        """`shown` are the faces that takes of the entry, written before the reveal, have shown in the same throws."""
        super().__init__(key, next_throw, link_of)
        self._shown = shown

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces, and set `source` to `revealed` if one of them was not drawn before the reveal."""
        self.source = "seed"
        for ordinal, most in enumerate(sides):
            if (purpose, ordinal, most) not in self._shown:
                self.source = "revealed"
        return super().throw(purpose, *sides)


class RevealedSeed(msgspec.Struct, frozen=True):
    """The seed of a closed session, and the position that revealed it."""

    seed: bytes
    position: int

    def key(self, ledger: str, session: int, words: tuple[tuple[str, str], ...]) -> bytes:
        """Return the key of the session's dice once these words were added: the same for most of its entries."""
        return _session_key(self.seed, ledger, session, words)


_session_key = lru_cache(maxsize=4)(session_key)


def revealed_seeds(takes: Iterable[Record]) -> dict[int, RevealedSeed]:
    """Return the seeds that sessions revealed at their close, by session."""
    seeds: dict[int, RevealedSeed] = {}
    for take in takes:
        for fact in take.facts:
            if type(fact) is SessionClosed and (seed := _parse_seed(fact.seed)):
                known = seeds.get(take.session)
                if known is None or take.position < known.position:
                    seeds[take.session] = RevealedSeed(seed, take.position)
    return seeds


def dice_for_entry(
    state: LedgerState[Any],
    takes: Sequence[Record],
    seeds: Mapping[int, RevealedSeed],
    said: msgspec.Raw,
    next_throw: NextThrow | None = None,
    known_link: LinkOf | None = None,
) -> Dice:
    """Return the dice of an entry without typed faces: recorded faces, or those of the session's revealed seed.

    Args:
        state: the state before the entry.
        takes: all takes of it, of which every throw has its number.
        seeds: the seeds that were revealed, by session.
        said: the declaration.
        next_throw: returns the number of a throw that no take has had; by default the next one in this state.
        known_link: returns the link of a die that no take has had; by default it has none.
    """
    session, throws = state.session, own_throws(takes, said)
    links = links_of(fact for take in takes for fact in take.facts) if session.shared_dice is True else None
    revealed = seeds.get(session.number) if session.open else None
    if revealed is None:
        return KnownFacesDice(shown_faces(takes, throws), throws, links)
    before = [take for take in takes if take.position < revealed.position]
    key = revealed.key(session.ledger, session.number, session.words)
    unknown = next_throw or state.next_throw
    shown = shown_faces(before, throws)
    return RevealedDice(
        key, lambda purpose: throws.get(purpose) or unknown(purpose), shown, _link_of(links, known_link)
    )


def _link_of(links: Mapping[DieKey, str] | None, known_link: LinkOf | None) -> LinkOf | None:
    """Return what gives the link of a die: its own, or the known one; None where dice are not shared."""

    def link(die: DieKey) -> str:
        assert links is not None
        return links[die] if die in links else known_link(die) if known_link else ALONE

    return None if links is None else link


def typed_faces_used(dice: Dice) -> tuple[int, ...] | None:
    """Return the typed faces that were thrown, as an entry records them; None if there are none."""
    return (dice.used_faces or None) if isinstance(dice, HAVE_USED) and dice.source == "table" else None


def redecide(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Dice, id: EntryId, claims: Claims = ()
) -> list[Fact]:
    """Return the facts of a declaration, folded; if the rules refuse it, the fact that it is invalidated."""
    try:
        return decide_and_fold(game, state, said, dice, id, claims)
    except Refused as error:
        fact = invalidation(error)
        state.step(id, fact)
        return [fact]


def invalidation(error: Refused) -> Invalidated:
    """Return the refusal as a fact."""
    return Invalidated(rules=error.rules, code=error.code, what=error.what)


def _parse_seed(text: str) -> bytes | None:
    """Return the seed in hex digits, or None: then its session closed without one."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
