"""Dice as a keyed function, not a stream: each face is computed from the key, the purpose, the throw and the die.

The hashes are SHA-256 or HMAC-SHA256 over lines of UTF-8 text joined by a line feed:

    commitment = SHA-256("campaign-ledger commit v2", ledger id, session, seed in hex)
    key        = HMAC(seed, "campaign-ledger key v2", ledger id, session, then two lines for each player's words)
    digest     = HMAC(key, "campaign-ledger die v2", purpose, throw, ordinal, sides)

Where dice are shared, one more line of a die is the link that a player's page has given for it (`ledger/links.py`).

The lines of a player are the name and the words, each behind its length in bytes: `3 ana`, `12 brass kettle`. They come
in the order in which they were added. A digest is eight big-endian 32-bit words; the first below
2^32 - (2^32 mod sides) counts, and the face is that word mod sides, plus one. When none of the eight counts (sides near
2^32 only) the message gets one more last line, `again`, until one does.

A seed given as text (tests, samples) is SHA-256("campaign-ledger fixed seed v1", text); its session is marked `fixed`.

A purpose names the roll and the roller (`task Kess`), and the throw is its number in the session, from 1
(`ledger/throws.py`). So no other line moves a die, and a line that was undone meets the same dice when it is said
again. A die that another die causes has its parent in the purpose (`attack extra of 2`), so that no die changes when
another is added, rerolled or removed. Within one entry the same purpose always gives the same faces.

Several classes implement one protocol, so that `decide` cannot tell them apart: dice from a seed, typed in,
recorded, or enumerated for odds (`ledger/enumeration.py`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, Protocol, TypeVar

from ledger.errors import BadFaces, NeverDrawn, Refused
from ledger.names import plural

WORD_VALUES: Final = 2**32
MAX_SIDES: Final = 1_000_000
SEED_BYTES: Final = 32
BLOCK_BYTES: Final = hashlib.sha256().block_size
Source = Literal["seed", "revealed", "table", "odds"]
FROM_SEED: Final = ("seed", "revealed")
T = TypeVar("T")
Ask = Callable[[str, tuple[int, ...]], tuple[int, ...]]  # the faces of a purpose and its sides
DieKey = tuple[str, int, int, int]  # the purpose, the throw, the ordinal and the sides of a die
LinkOf = Callable[[DieKey], str]  # the link that a shared die is keyed with; empty if it rests on the seed alone
LEAVE_OUT: Final = "Leave out the faces that no die of this line needs."  # hint for typed faces that are left over


def join_lines(*parts: str) -> bytes:
    """Return the parts as lines of UTF-8 text: the form of every message hashed here."""
    return "\n".join(parts).encode()


def fixed_seed(text: str) -> bytes:
    """Return the seed of a text, for samples and tests: anybody can compute it."""
    return hashlib.sha256(join_lines("campaign-ledger fixed seed v1", text)).digest()


def commitment(ledger: str, session: int, seed: bytes) -> str:
    """Return the 64 hex digits that a session publishes at its opening to fix its seed without showing it."""
    return hashlib.sha256(join_lines("campaign-ledger commit v2", ledger, str(session), seed.hex())).hexdigest()


def session_key(seed: bytes, ledger: str, session: int, words: Sequence[tuple[str, str]]) -> bytes:
    """Return the key of all dice of a session, from its seed and the players' words in the order of adding."""
    spoken = (f"{len(part.encode())} {part}" for pair in words for part in pair)
    return hmac.digest(seed, join_lines("campaign-ledger key v2", ledger, str(session), *spoken), "sha256")


def face(key: bytes, purpose: str, throw: int, ordinal: int, sides: int, link: str = "") -> int:
    """Return the face of one die, 1 to `sides`, without bias; `link` is that of a shared die.

    Raises BadFaces unless sides are 1 to a million.
    """
    if not 1 <= sides <= MAX_SIDES:
        raise BadFaces(f"no die has {sides} sides", purpose=purpose, sides=sides)
    fair = WORD_VALUES - WORD_VALUES % sides
    message = f"campaign-ledger die v2\n{purpose}\n{throw}\n{ordinal}\n{sides}".encode()
    message += b"\n%b" % link.encode() if link else b""
    while True:
        digest = keyed_digest(key, message)
        for start in range(0, len(digest), 4):
            word = int.from_bytes(digest[start : start + 4], "big")
            if word < fair:
                return word % sides + 1
        message += b"\nagain"


def keyed_digest(key: bytes, message: bytes) -> bytes:
    """Return HMAC-SHA256 of a message.

    All dice of a session have one key, which `hmac.digest` takes up anew for each: it is taken up once here, in
    two plain hashes: an object of `hmac` takes longer to copy.
    """
    begun = _begun_hashes(key)
    inner, outer = begun[0].copy(), begun[1].copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=4)
def _begun_hashes(key: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Return the inner and the outer SHA-256 of HMAC (RFC 2104) as they are behind the key, before any message."""
    block = (hashlib.sha256(key).digest() if len(key) > BLOCK_BYTES else key).ljust(BLOCK_BYTES, b"\0")
    inner, outer = [bytes([byte ^ pad for byte in block]) for pad in (0x36, 0x5C)]
    return hashlib.sha256(inner), hashlib.sha256(outer)


class Dice(Protocol):
    """The dice of one entry."""

    @property
    def is_single(self) -> bool:
        """Whether they show one face each, so that nothing is counted where they are grouped."""

    @property
    def source(self) -> Source:
        """The source of the last faces: the `seed`, the seed after it was `revealed`, the `table`, or `odds`."""

    @property
    def throws(self) -> Mapping[str, int]:
        """The number of the throw of each purpose that was drawn from a seed."""

    @property
    def links(self) -> Mapping[DieKey, str] | None:
        """The link of each shared die that was thrown, empty for one of the seed alone; None where none is shared."""

    def expect(self, *sides: int) -> None:
        """Check typed faces against the dice that will be thrown, before anything is decided. Raises BadFaces."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of the dice of `purpose`, one for each number of sides."""

    def group(
        self,
        roll: Callable[[Dice], T],
        key: Callable[[T], Hashable],
        like: Hashable = None,
        merge: Callable[[Any], Hashable] | None = None,
    ) -> T:
        """Return the result of `roll`, which depends on dice alone. Only its `key` matters to what is decided next.

        Odds count the keys instead of the faces: 21 totals of a d12 and a d10, not 120 throws. They count groups that
        are `like` each other once: those with the same dice, the same keys and the same chances. Where even less
        matters than the key, `merge` returns it: the grade of a total.
        """

    def settle(self, *values: Hashable) -> None:
        """Say that of everything thrown so far only these values matter to what is decided next.

        Facts that were yielded already need not be named. Odds go on once for all throws that agree in these.
        """

    def check_all_used(self) -> None:
        """Check that no typed face is left over after the last throw. Raises BadFaces."""


class SingleDice:
    """Dice of one decision: they show one face each, whether a throw is grouped or not."""

    __slots__ = ()
    is_single: bool = True

    @property
    def throws(self) -> Mapping[str, int]:
        """No numbers: these dice are not drawn from a seed."""
        return {}

    @property
    def links(self) -> Mapping[DieKey, str] | None:
        """No links: these dice are not shared."""
        return None

    def group(
        self,
        roll: Callable[[Dice], T],
        key: Callable[[T], Hashable],
        like: Hashable = None,
        merge: Callable[[Any], Hashable] | None = None,
    ) -> T:
        """Return the result of `roll` with these dice."""
        return roll(self)  # type: ignore[arg-type]  # each subclass is Dice

    def settle(self, *values: Hashable) -> None:
        """Do nothing: there is one decision to go on with."""


class UncheckedDice(SingleDice):
    """Dice without typed faces, so that none is checked or left over."""

    __slots__ = ()

    def expect(self, *sides: int) -> None:
        """Do nothing."""

    def check_all_used(self) -> None:
        """Do nothing."""


class SeededDice(UncheckedDice):
    """Dice drawn from the session's key, which no repr or comparison shows."""

    __slots__ = ("_key", "_link_of", "_links", "_next_throw", "_throws", "source")

    def __init__(
        self, key: bytes, next_throw: Callable[[str], int] = lambda purpose: 1, link_of: LinkOf | None = None
    ) -> None:
        """`next_throw` returns the number of a throw of a purpose, which it keeps in these dice.

        `link_of` returns the link of a die, if the dice are shared.
        """
        self._key, self._next_throw, self._link_of = key, next_throw, link_of
        self._throws: dict[str, int] = {}
        self._links: dict[DieKey, str] = {}
        self.source: Source = "seed"

    def __repr__(self) -> str:
        return f"SeededDice(throws={self._throws!r})"

    @property
    def throws(self) -> Mapping[str, int]:
        """The number of the throw of each purpose that was thrown."""
        return self._throws

    @property
    def links(self) -> Mapping[DieKey, str] | None:
        """The link of each die that was thrown; None where they are not shared."""
        return None if self._link_of is None else self._links

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces, each computed from purpose, number of the throw, ordinal, sides and link."""
        throw = self._throws.get(purpose)
        if throw is None:
            throw = self._throws[purpose] = self._next_throw(purpose)
        key = self._key
        if self._link_of is None:
            return tuple([face(key, purpose, throw, ordinal, most) for ordinal, most in enumerate(sides)])
        dice: list[DieKey] = [(purpose, throw, ordinal, most) for ordinal, most in enumerate(sides)]
        self._links |= {die: self._link_of(die) for die in dice}
        return tuple([face(key, *die, self._links[die]) for die in dice])


class SecretDice(UncheckedDice):
    """Dice of the open session. Its key is read when the first die is thrown: most lines need none."""

    source: Source = "seed"

    def __init__(
        self, read_key: Callable[[], bytes], next_throw: Callable[[str], int], link_of: LinkOf | None = None
    ) -> None:
        """`read_key` raises Refused when there is no key; `next_throw` and `link_of` are those of SeededDice."""
        self._read_key, self._next_throw, self._link_of = read_key, next_throw, link_of
        self._seeded: SeededDice | None = None

    @property
    def throws(self) -> Mapping[str, int]:
        """The number of the throw of each purpose that was thrown."""
        return self._seeded.throws if self._seeded else {}

    @property
    def links(self) -> Mapping[DieKey, str] | None:
        """The link of each die that was thrown; None where they are not shared."""
        return self._seeded.links if self._seeded else None

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of the seed. Raises Refused when there is no key."""
        if self._seeded is None:
            self._seeded = SeededDice(self._read_key(), self._next_throw, self._link_of)
        return self._seeded.throw(purpose, *sides)


class TypedDice(SingleDice):
    """Faces typed in, in the order in which the rules throw the dice."""

    source: Source = "table"

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = tuple(faces)
        self._shown: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}
        self._used = 0

    @property
    def used_faces(self) -> tuple[int, ...]:
        """The faces that were thrown: only these are recorded."""
        return self.faces[: self._used]

    def expect(self, *sides: int) -> None:
        """Raise BadFaces unless there is one possible face for each die."""
        if len(self.faces) != len(sides):
            raise BadFaces(
                _faces_for_dice(len(self.faces), len(sides)),
                purpose="typed faces",
                sides=sides[0] if sides else 0,
                hint="Type one face for each die, as in /7.6.",
            )
        for shown, faces in zip(self.faces, sides, strict=True):
            _check_face(shown, faces, "typed faces")

    def check_all_used(self) -> None:
        """Raise BadFaces if a face is left over."""
        if self._used < len(self.faces):
            raise BadFaces(
                _faces_for_dice(len(self.faces), self._used),
                purpose="typed faces",
                sides=0,
                hint="Type one face for each die, as in /7.6.",
            )

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the next typed faces. Raises BadFaces if one is impossible or missing."""
        asked = (purpose, sides)
        if asked not in self._shown:
            faces = self.faces[self._used : self._used + len(sides)]
            if len(faces) < len(sides):
                left = plural(len(faces), "face is", "faces are") if faces else "no face is"
                raise BadFaces(
                    f"{plural(len(sides), 'die is', 'dice are')} rolled, {left} left",
                    purpose=purpose,
                    sides=sides[len(faces)],
                    hint="Type the faces of every die of this line, as in /7.6.",
                )
            for shown, most in zip(faces, sides, strict=True):
                _check_face(shown, most, purpose)
            self._used += len(sides)
            self._shown[asked] = faces
        return self._shown[asked]


class AskedDice(TypedDice):
    """Faces that somebody is asked for when the rules throw the dice, and recorded as typed ones."""

    def __init__(self, ask: Ask) -> None:
        """`ask` returns the faces of the dice of a purpose, the same each time it is asked for them."""
        super().__init__(())
        self._ask = ask

    def expect(self, *sides: int) -> None:
        """Do nothing: the faces are asked for when they are thrown."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces. Raises BadFaces if one is impossible or missing."""
        if (purpose, sides) not in self._shown:
            self.faces += self._ask(purpose, sides)
        return super().throw(purpose, *sides)


class RecordedDice(UncheckedDice):
    """Recorded faces by purpose; any other throw raises NeverDrawn."""

    def __init__(self, shown: Mapping[str, Sequence[tuple[int, int]]], source: Source) -> None:
        """`shown` holds (sides, face) pairs by purpose; `source` is their source."""
        self._shown = shown
        self.source = source
        self._asked: dict[str, tuple[int, ...]] = {}

    @property
    def used_faces(self) -> tuple[int, ...]:
        """The faces that were thrown, in the order of throwing."""
        return tuple(face for faces in self._asked.values() for face in faces)

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the recorded faces. Raises NeverDrawn if these dice were never thrown for `purpose`."""
        recorded = self._shown.get(purpose, ())[: len(sides)]
        if tuple(faces for faces, _ in recorded) != sides:
            raise NeverDrawn(purpose, sides)
        self._asked[purpose] = tuple(shown for _, shown in recorded)
        return self._asked[purpose]


def faces_left_over(wrong: str) -> Refused:
    """Return the refusal of typed faces that no die of a line needs."""
    return Refused("L-FACES", wrong, hint=LEAVE_OUT)


def _faces_for_dice(faces: int, dice: int) -> str:
    """Return how many faces there are for how many dice."""
    return f"{plural(faces, 'face', 'faces')} for {plural(dice, 'die', 'dice') if dice else 'no dice'}"


def _check_face(shown: int, sides: int, purpose: str) -> None:
    """Raise BadFaces unless a die with `sides` sides can show `shown`."""
    if not isinstance(shown, int) or isinstance(shown, bool) or not 1 <= shown <= sides:
        raise BadFaces(f"a d{sides} cannot show {shown}", purpose=purpose, sides=sides, hint=f"It shows 1 to {sides}.")
