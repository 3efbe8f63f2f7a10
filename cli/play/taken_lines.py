"""Which lines of a session file the ledger has taken already.

Each line of a file is declared with a request key of the session, the file's name, the file's own mark, and the line's
text with its occurrence, so that no line is taken twice, also by two commands at once. The mark is a hash of the first
line that was taken: two files of one name are two files. A correction that was made because the file was edited has a
key too, with the hash of what the file says now.

- A file is the one that a mark stands for if one line at least is the same. A file without any is another file, and
  nothing of it is skipped.
- A line counts until a correction takes it back. Corrections that the file has not made itself (in another window) are
  known by their key: what they changed is a difference between the file and the ledger, and no edit of the file.
- Claims behind a line are not compared: they say what came of it.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from cli.notation.claims import without_claims
from cli.notation.tokens import normalize_line
from cli.play.declare import is_silent
from ledger.acts import written_before
from ledger.errors import Refused, Unreadable
from ledger.facts import Amended, EntryId, parse_entry_id
from ledger.records import EMPTY, Record, decode
from ledger.redecide import TakeHistory, corrected_entry
from ledger.store import Store

MARK_LENGTH: Final = 12  # hex digits of a hash
LINES_KEPT: Final = 10_000  # of a file that is saved again and again, with what is computed of each
CLAIMS_MARK: Final = "-"  # between the hash of a line with claims, and the hash without them
EDIT_MARK: Final = "~"  # begins the last part of the key of an edit
REMOVING: Final = ("undo", "drop", "revoke")  # outcomes that take an entry back


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file that says something: its number, its text, and the key with which it is declared."""

    number: int
    text: str
    key: str = ""

    @property
    def digest(self) -> str:
        """A hash of what it says, without claims."""
        return line_digest(self.text)


class TakenLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was taken of a file, with the entries of those who said it.

    `said`: hashes of what the file said, as its key has them: a declared line may have the whole name where the file
    has its beginning. `line`: what the ledger says now, or said before the line was taken back.
    `digest`: of what the file has said of it last. `takes`: those of its last entry, from the one that the file has
    declared on. `removed`: it was taken out of the file, and taken back for that. `corrected_by`: the correction, not
    made by the file, that has changed it or taken it back last; else empty.
    """

    entries: tuple[EntryId, ...]
    said: str
    line: str
    digest: str
    takes: tuple[Record, ...]
    removed: bool = False
    corrected_by: str = ""

    @property
    def id(self) -> EntryId:
        """The entry of the last who said it."""
        return self.entries[-1]

    @property
    def current(self) -> Record:
        """The take that counts."""
        return self.takes[-1]

    @property
    def first(self) -> EntryId:
        """The entry of the first who said it: its name in what is printed."""
        return self.entries[0]

    @property
    def position(self) -> int:
        """The position at which it was taken."""
        return self.takes[0].position

    @property
    def counts(self) -> bool:
        """Whether it has not been taken back."""
        return bool(self.current.facts)

    @property
    def is_correction(self) -> bool:
        """Whether it is a line such as `undo` or `~ 11 v4`."""
        return self.takes[0].has(Amended)


class TakenLines(msgspec.Struct, frozen=True):
    """The lines of one file that a session has taken, in their order in the file."""

    prefix: str
    mark: str
    lines: Sequence[TakenLine] = ()

    def common_lines(self, lines: Sequence[FileLine]) -> int:
        """Return how many lines are also in a file."""
        return (Counter(taken.digest for taken in self.lines) & Counter(line.digest for line in lines)).total()

    def keys(self, lines: Iterable[FileLine]) -> Iterator[FileLine]:
        """Yield new lines, each with the key with which it is declared."""
        counts = Counter(taken.said for taken in self.lines)
        for line in lines:
            said = _said_key(line.text)
            counts[said] += 1
            yield msgspec.structs.replace(line, key=f"{self.prefix}{self.mark}:{said}.{counts[said]}")

    def edit_key(self, text: str, position: int) -> str:
        """Return the key of a correction that an edit of the file makes at this position of the ledger."""
        return f"{self.prefix}{self.mark}:{EDIT_MARK}{line_digest(text)}.{position}"


class KeptTakes:
    """The takes of one session, each decoded once: later only what was appended since is read.

    They are kept while the record that was read last has its hash, which depends on all records before it.
    """

    def __init__(self) -> None:
        self._session = -1
        self._head = EMPTY
        self._takes: dict[int, Record] = {}  # by position

    def read(self, store: Store, session: int) -> list[Record]:
        """Return all takes of the entries from a session on, in order of id, then of writing."""
        head, start = store.head(), EntryId(session, -1)
        if not (session == self._session and self._append_since(store, start)):
            self._takes = {take.position: take for take in store.takes(after=start)}
        self._session, self._head = session, head
        return sorted(self._takes.values(), key=lambda take: (take.id, take.position))

    def _append_since(self, store: Store, start: EntryId) -> bool:
        """Read what was appended since the last record that was read; return False if the log has another there."""
        records = list(store.read(after=self._head.position - 1))
        if not records or records[0].hash != self._head.hash:
            return False
        self._takes |= {stored.position: take for stored in records[1:] if (take := decode(stored)).id > start}
        return True


def said_lines(lines: Sequence[str]) -> list[FileLine]:
    """Return the lines that say something, as they are recorded."""
    return [FileLine(number, _recorded(line)) for number, line in enumerate(lines, start=1) if not is_silent(line)]


@lru_cache(maxsize=LINES_KEPT)
def line_digest(text: str) -> str:
    """Return a hash of what a line says, without claims."""
    return _digest(without_claims(text))


def find_taken_lines(
    store: Store, session: int, file: Path, lines: Sequence[FileLine], mark: str = "", takes: KeptTakes | None = None
) -> TakenLines:
    """Return the lines that a session has taken of this file: of the one of its name with the most lines in common.

    `mark`: that of the file, if it is known. `takes`: those of the session that were read before.
    """
    prefix = request_prefix(session, file)
    known = _taken_by_mark(store, (takes or KeptTakes()).read(store, session), prefix)
    if mark and mark in known:
        return known[mark]
    best = max(known.values(), key=lambda taken: taken.common_lines(lines), default=None)
    if best is not None and best.common_lines(lines):
        return best
    return TakenLines(prefix, lines[0].digest if lines else "")


def request_prefix(session: int, file: Path) -> str:
    """Return how the request keys of all files of this name begin."""
    return f"{session}:{file.name}:"


def check_file_is_new(store: Store, file: Path, lines: Sequence[FileLine], session: int) -> None:
    """Raise Refused if the file's first line was taken in an earlier session, and none of its lines in this one."""
    if not lines or find_taken_lines(store, session, file, lines).lines:
        return
    first = lines[0]
    keys = {f"{first.digest}:{said}.1" for said in (first.digest, _digest(first.text), _said_key(first.text))}
    for number in range(session - 1, -1, -1):
        if any(store.find_request(f"{request_prefix(number, file)}{key}") for key in keys):
            raise Refused(
                "L-REQUEST",
                f"the file was played in session {number}",
                where=str(file),
                hint=f"Give session {session} a file of its own",
            )


def _taken_by_mark(store: Store, all_takes: Iterable[Record], prefix: str) -> dict[str, TakenLines]:
    """Return the taken lines of every file of one name, by the mark of the file."""
    history = TakeHistory(all_takes)
    takes = defaultdict[str, list[tuple[str, Record]]](list)
    for take in sorted(history.takes(), key=lambda take: take.position):
        if (request := take.request or "").startswith(prefix):
            mark, _, key = request.removeprefix(prefix).rpartition(":")
            takes[mark].append((key, take))
    return {mark: TakenLines(prefix, mark, _FileRecord(store, history, own).lines()) for mark, own in takes.items()}


class _FileRecord:
    """What a session has taken of one file, and the corrections that edits of the file have made."""

    def __init__(self, store: Store, history: TakeHistory, takes: Sequence[tuple[str, Record]]) -> None:
        """`takes`: those with a key of the file, in order of writing."""
        self.store, self.history, self.takes = store, history, takes
        self.corrections = {str(take.id) for _, take in takes}  # among them those of the file's own `undo` lines

    def lines(self) -> list[TakenLine]:
        """Return the lines in their order in the file."""
        lines = list[TakenLine]()
        for key, take in self.takes:
            if not key.startswith(EDIT_MARK):
                lines.append(self._line(take, key.rpartition(".")[0]))
                continue
            digest = key.removeprefix(EDIT_MARK).partition(".")[0]
            for fact in take.facts:
                if isinstance(fact, Amended):
                    self._edit(lines, parse_entry_id(corrected_entry(fact)), fact.outcome, digest)
        return lines

    def _edit(self, lines: list[TakenLine], id: EntryId, outcome: str, digest: str) -> None:
        """Change the lines as an edit of the file has done."""
        index = max((index for index, line in enumerate(lines) if id in line.entries), default=None)
        if outcome == "insert":
            first = self.history.entries[id][0]
            before = [index for index, line in enumerate(lines) if line.counts and line.id < id]
            lines.insert(max(before, default=-1) + 1, self._line(first, _said_key(first.line), digest))
        elif index is not None and outcome in REMOVING:
            lines[index] = msgspec.structs.replace(lines[index], removed=True)
        elif index is not None and outcome == "retcon":
            lines[index] = msgspec.structs.replace(lines[index], digest=digest)

    def _line(self, said: Record, hashes: str, digest: str = "") -> TakenLine:
        """Return the line that a take says; `hashes` are those of its key, `digest` is of what the file says since."""
        text, claims_left_out = hashes.partition(CLAIMS_MARK)[::2]
        if not digest:
            typed = text in (_digest(said.line), line_digest(said.line))
            digest = line_digest(said.line) if typed else claims_left_out or text
        takes = [take for take in self.history.entries[said.id] if take.position >= said.position]
        again = next((index for index, take in enumerate(takes) if index and take.cause is None), len(takes))
        takes = takes[:again]  # a number that was taken back may be used again
        act = [said]
        if said.line_start:
            act = [take for take in written_before(self.store, said) if take.line_start == said.line_start] + act
        cause = next((take.cause for take in reversed(takes) if self.history.is_input(take)), None)
        if not takes[-1].facts:
            cause = takes[-1].cause
        elsewhere = cause is not None and cause not in self.corrections
        return TakenLine(
            entries=tuple(take.id for take in act),
            said=hashes,
            line=next((take.line for take in reversed(takes) if take.facts), said.line),
            digest=digest,
            takes=tuple(takes),
            corrected_by=cause if elsewhere and cause else "",
        )


@lru_cache(maxsize=LINES_KEPT)
def _recorded(line: str) -> str:
    """Return a line as it is recorded; as it is if it cannot be, which its declaration says."""
    try:
        return normalize_line(line).strip()
    except Unreadable:
        return line


def _said_key(text: str) -> str:
    """Return the hashes of a line for its key: of the whole, and of what it says without its claims."""
    whole, without = _digest(text), line_digest(text)
    return whole if whole == without else f"{whole}{CLAIMS_MARK}{without}"


def _digest(text: str) -> str:
    """Return a hash of a line that is short enough for a request key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:MARK_LENGTH]
