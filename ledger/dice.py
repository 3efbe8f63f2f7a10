"""Dice are a keyed function, not a stream: every face that an entry may ever show follows from key and question.

All of it is SHA-256 or HMAC-SHA256 over lines of UTF-8 text joined by a line feed:

    commitment = SHA-256("campaign-ledger commit v1", ledger id, session, seed in hex)
    key        = HMAC(seed, "campaign-ledger key v1", ledger id, session, then one line for each player's words)
    digest     = HMAC(key, "campaign-ledger die v1", entry, purpose, ordinal, sides)

A line of words is `name: words`, in the order in which they were added. A digest is eight big-endian 32-bit
words; the first below 2^32 - (2^32 mod sides) counts, and the face is that word mod sides, plus one. When none
of the eight counts (sides near 2^32 only) the message gets one more last line, `again`, until one does.

A seed given as text (tests, samples) is SHA-256("campaign-ledger fixed seed v1", text), and marked for ever.

Four kinds of dice fulfil one protocol, and `decide` cannot tell them apart: drawn from the seed, typed in from
the table, recorded earlier, and enumerated (for odds). Faces that a correction draws when everybody knows the seed
already are marked: their source is `revealed`. A purpose names what is rolled and for whom (`task Kess`);
a die born of a die has its parent in the purpose (`attack extra of 2`), so that no die moves when another is
added, rerolled or left out. Asking twice gives the same faces. What one entry announces and a later one throws is keyed
by the entry that announced (`under`).
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import product
from typing import Final, Literal, Protocol

from ledger.errors import BadFaces, NeverDrawn

WORD_VALUES: Final = 2**32
MAX_SIDES: Final = 1_000_000
SEED_BYTES: Final = 32
Source = Literal["seed", "revealed", "table", "odds"]


def join_lines(*parts: str) -> bytes:
    """The parts as lines of UTF-8 text, joined by line feeds: the form of every message hashed here."""
    return "\n".join(parts).encode()


def fixed_seed(text: str) -> bytes:
    """The seed that a text stands for: for samples and tests, never for a table that wants secrets."""
    return hashlib.sha256(join_lines("campaign-ledger fixed seed v1", text)).digest()


def commitment(ledger: str, session: int, seed: bytes) -> str:
    """What is published when a session opens: 64 hex digits that fix the seed without showing it."""
    return hashlib.sha256(join_lines("campaign-ledger commit v1", ledger, str(session), seed.hex())).hexdigest()


def session_key(seed: bytes, ledger: str, session: int, words: Sequence[tuple[str, str]]) -> bytes:
    """The key of all dice of a session: the seed and every player's words, in the order they were added."""
    said = (f"{who}: {text}" for who, text in words)
    return hmac.digest(seed, join_lines("campaign-ledger key v1", ledger, str(session), *said), "sha256")


def face(key: bytes, entry: str, purpose: str, ordinal: int, sides: int) -> int:
    """One die: 1 to `sides`, without bias. Raises BadFaces for a die with no sides or with over a million."""
    if not 1 <= sides <= MAX_SIDES:
        raise BadFaces(f"no die has {sides} sides", purpose=purpose, sides=sides)
    fair = WORD_VALUES - WORD_VALUES % sides
    message = join_lines("campaign-ledger die v1", entry, purpose, str(ordinal), str(sides))
    while True:
        digest = hmac.digest(key, message, "sha256")
        for start in range(0, len(digest), 4):
            word = int.from_bytes(digest[start : start + 4], "big")
            if word < fair:
                return word % sides + 1
        message += b"\nagain"


class Dice(Protocol):
    """Every face that one entry may ever show, asked for by purpose."""

    @property
    def source(self) -> Source:
        """Where the faces thrown last came from: the `seed`, the seed once `revealed`, the `table`, or the `odds`."""

    def expect(self, *sides: int) -> None:
        """Say before anything is decided which dice would be thrown: typed faces that cannot be theirs are
        refused here (BadFaces); the other kinds of dice have nothing to check.
        """

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of the dice of `purpose`, one for each number of sides."""

    def for_entry(self, entry: str) -> Dice:
        """The dice that an earlier entry of the session announced: the same faces as if it had thrown them itself."""

    def check_all_used(self) -> None:
        """Say that nothing more is thrown: typed faces that are left over are refused here (BadFaces)."""


class SeededDice:
    """Faces drawn from the session's key. Keeps the key to itself: no repr, no comparison shows it."""

    __slots__ = ("__key", "entry", "source")

    def __init__(self, key: bytes, entry: str) -> None:
        self.__key = key
        self.entry = entry
        self.source: Source = "seed"

    def for_entry(self, entry: str) -> SeededDice:
        """The dice of another entry of the session."""
        return SeededDice(self.__key, entry)

    def __repr__(self) -> str:
        return f"SeededDice(entry={self.entry!r})"

    def expect(self, *sides: int) -> None:
        """Nothing to check: these dice show what they are asked for."""

    def check_all_used(self) -> None:
        """Nothing is left over: there is a face for every question."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of `purpose`, each keyed by entry, purpose, ordinal and sides alone."""
        return tuple(face(self.__key, self.entry, purpose, n, faces) for n, faces in enumerate(sides))


class TypedDice:
    """Faces read off the table, in the order in which the rules ask for them."""

    source: Source = "table"

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = tuple(faces)
        self._shown: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}
        self._used = 0

    @property
    def used_faces(self) -> tuple[int, ...]:
        """The faces that a throw has really asked for: only these are recorded."""
        return self.faces[: self._used]

    def expect(self, *sides: int) -> None:
        """Raises BadFaces unless exactly these dice can show exactly these faces."""
        if len(self.faces) != len(sides):
            raise BadFaces(
                f"{len(self.faces)} faces for {len(sides)} dice",
                purpose="typed faces",
                sides=sides[0] if sides else 0,
                hint="Type one face for each die, as in /7.6.",
            )
        for shown, faces in zip(self.faces, sides, strict=True):
            _check_face(shown, faces, "typed faces")

    def for_entry(self, entry: str) -> TypedDice:
        """The faces on the table, whoever announced them."""
        return self

    def check_all_used(self) -> None:
        """Raises BadFaces when faces are left that no die has shown."""
        if self._used < len(self.faces):
            raise BadFaces(
                f"{len(self.faces)} faces for {self._used} dice",
                purpose="typed faces",
                sides=0,
                hint="Type one face for each die, as in /7.6.",
            )

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The next typed faces, checked. Raises BadFaces when one cannot be or is missing."""
        asked = (purpose, sides)
        if asked not in self._shown:
            faces = self.faces[self._used : self._used + len(sides)]
            if len(faces) < len(sides):
                raise BadFaces(
                    f"{len(sides)} dice are thrown, {len(faces)} faces are left",
                    purpose=purpose,
                    sides=sides[len(faces)],
                    hint="Type the faces of every die of this line, as in /7.6.",
                )
            for shown, most in zip(faces, sides, strict=True):
                _check_face(shown, most, purpose)
            self._used += len(sides)
            self._shown[asked] = faces
        return self._shown[asked]


class RecordedDice:
    """Only faces that were once shown, by purpose. Anything else raises NeverDrawn: odds, never peeks."""

    def __init__(self, shown: Mapping[str, Sequence[tuple[int, int]]], source: Source) -> None:
        """`shown` holds (sides, face) pairs by purpose; `source` is where they came from at the time."""
        self._shown = shown
        self.source = source
        self._asked: dict[str, tuple[int, ...]] = {}

    @property
    def used_faces(self) -> tuple[int, ...]:
        """The faces that were asked for, in the order of asking."""
        return tuple(face for faces in self._asked.values() for face in faces)

    def expect(self, *sides: int) -> None:
        """Nothing to check: what is recorded was checked when it was thrown."""

    def for_entry(self, entry: str) -> RecordedDice:
        """What was recorded where it was thrown, whoever announced it."""
        return self

    def check_all_used(self) -> None:
        """What is not asked for any more stays recorded."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The recorded faces of `purpose`. Raises NeverDrawn if these dice were never thrown for it."""
        recorded = self._shown.get(purpose, ())[: len(sides)]
        if tuple(faces for faces, _ in recorded) != sides:
            raise NeverDrawn(purpose, sides)
        self._asked[purpose] = tuple(shown for _, shown in recorded)
        return self._asked[purpose]


class EnumeratedDice:
    """One branch of all that the dice could show: faces as far as it goes, and what it asks for behind them."""

    source: Source = "odds"

    def __init__(self, path: Sequence[tuple[int, int]] = ()) -> None:
        """`path`: the faces of this branch and the sides of their dice, in the order of asking."""
        self._path = path
        self._shown: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}
        self._depth = 0
        self.next_sides: tuple[int, ...] | None = None

    @property
    def one_in(self) -> int:
        """One in how many: the product of the sides of all dice of the path."""
        return math.prod(sides for _, sides in self._path)

    @property
    def has_thrown(self) -> bool:
        """Whether any die was asked for yet."""
        return self._depth > 0

    def expect(self, *sides: int) -> None:
        """Nothing to check: every face comes up in some branch."""

    def for_entry(self, entry: str) -> EnumeratedDice:
        """Every face comes up, whoever announced it."""
        return self

    def check_all_used(self) -> None:
        """Nothing is left over."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of this branch. Raises NeverDrawn where it ends: `further` is what it has asked for there."""
        asked = (purpose, sides)
        if asked not in self._shown:
            thrown = self._path[self._depth : self._depth + len(sides)]
            if not thrown and sides:
                self.next_sides = sides
                raise NeverDrawn(purpose, sides)
            self._depth += len(sides)
            self._shown[asked] = tuple(shown for shown, _ in thrown)
        return self._shown[asked]

    def branches(self) -> Iterator[EnumeratedDice]:
        """This branch with every combination of the faces that it has asked for."""
        further = self.next_sides or ()
        for faces in product(*(range(1, most + 1) for most in further)):
            yield EnumeratedDice((*self._path, *zip(faces, further, strict=True)))


def branches() -> Iterator[EnumeratedDice]:
    """Dice for every combination of faces that a decision can meet, the likelier branches first.

    Decide once with each, then read its `chances`: that branch comes up once in so many. One that asks for more dice
    than it has (`further`) is no whole branch yet: its branches come later. Dice that may roll again for ever have no
    last branch.
    """
    waiting: list[tuple[int, int, EnumeratedDice]] = [(1, 0, EnumeratedDice())]
    made = 0
    while waiting:
        _, _, dice = heappop(waiting)
        yield dice
        if dice.next_sides is not None:
            for branch in dice.branches():
                made += 1
                heappush(waiting, (branch.one_in, made, branch))


def _check_face(shown: int, sides: int, purpose: str) -> None:
    """Raises BadFaces unless a die with `sides` sides can show `shown`."""
    if not isinstance(shown, int) or isinstance(shown, bool) or not 1 <= shown <= sides:
        raise BadFaces(f"a d{sides} cannot show {shown}", purpose=purpose, sides=sides, hint=f"It shows 1 to {sides}.")
