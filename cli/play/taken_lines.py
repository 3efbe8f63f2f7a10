"""Which lines of a session file the ledger has taken already.

Each line of a file is declared with a request key of the session, the file's name, the file's own mark, and the line's
text with its occurrence, so that no line is taken twice, also by two commands at once. The mark is a hash of the first
line that was taken: two files of one name are two files.

- A file is the one that a mark stands for if one line at least is the same. A file without any is another file, and
  nothing of it is skipped.
- Its lines are aligned with those that were taken. What is behind the last of these is new. A line in the place of a
  taken one has been changed; a line between two taken ones comes too late. Neither is declared.
- A line whose entry was undone may be changed or left out: what stands there now is new.
- Comments and empty lines are not counted, and may be added anywhere. So may passes: one that let go nothing was not
  taken, and changed nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

import msgspec

from cli.notation.tokens import normalize_line
from cli.play.declare import is_silent
from ledger.errors import Refused, Unreadable
from ledger.facts import EntryId
from ledger.records import Record
from ledger.store import Store

MARK_LENGTH: Final = 12  # hex digits of a hash
OTHER_FILE: Final = "if this is another file, give it another name"


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file: its number, its text, and the key with which it is declared; or why it is not.

    `is_taken`: it was declared before. `is_late`: it stands between lines that were.
    """

    number: int
    text: str
    key: str = ""
    is_taken: bool = False
    is_late: bool = False
    problem: Refused | None = None


class TakenLines:
    """The lines of one file that a session has taken, in the order in which they were."""

    def __init__(self, prefix: str, mark: str, takes: Sequence[Record] = (), undone: Sequence[Record] = ()) -> None:
        """`undone` are those of the takes whose lines no longer count."""
        self.prefix, self.mark, self.takes, self.undone = prefix, mark, takes, undone

    def common_lines(self, texts: Sequence[str]) -> int:
        """Return how many lines are also in a file."""
        return (Counter(take.line for take in self.takes) & Counter(texts)).total()

    def align(self, lines: Sequence[FileLine]) -> Iterator[FileLine]:
        """Yield the lines of the file, each as taken, new, changed or late."""
        texts = [line.text for line in lines]
        takes = [take for take in self.takes if take not in self.undone or take.line in texts]
        counts = Counter(take.line for take in self.takes)
        for step, first, last, start, end in _steps([take.line for take in takes], texts):
            for index, line in enumerate(lines[start:end], start=first):
                if step == "equal":
                    yield msgspec.structs.replace(line, is_taken=True)
                elif index < last:
                    yield msgspec.structs.replace(line, problem=_changed(takes[index]))
                elif last < len(takes):
                    late = _late(takes[last - 1] if last else None)
                    yield msgspec.structs.replace(line, is_late=True, problem=late)
                else:
                    counts[line.text] += 1
                    key = f"{self.prefix}{self.mark}:{_digest(line.text)}.{counts[line.text]}"
                    yield msgspec.structs.replace(line, key=key)


def _steps(taken: list[str], texts: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the steps from the taken lines to those of the file, as difflib names them."""
    pairs = zip(taken, texts, strict=False)
    same = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(taken), len(texts)))
    yield "equal", 0, same, 0, same
    for step, first, last, start, end in SequenceMatcher(
        None, taken[same:], texts[same:], autojunk=False
    ).get_opcodes():
        yield step, first + same, last + same, start + same, end + same


def said_lines(lines: Sequence[str]) -> list[FileLine]:
    """Return the lines that say something, as they are recorded."""
    return [FileLine(number, _recorded(line)) for number, line in enumerate(lines, start=1) if not is_silent(line)]


def find_taken_lines(store: Store, session: int, file: Path, lines: Sequence[FileLine], mark: str = "") -> TakenLines:
    """Return the lines that a session has taken of this file: of the one of its name with the most lines in common.

    `mark`: that of the file, if it is known.
    """
    prefix, texts = request_prefix(session, file), [line.text for line in lines]
    known = _taken_by_mark(store, session, prefix)
    if mark and mark in known:
        return known[mark]
    best = max(known.values(), key=lambda taken: taken.common_lines(texts), default=None)
    if best is not None and best.common_lines(texts):
        return best
    return TakenLines(prefix, _digest(texts[0]) if texts else "")


def request_prefix(session: int, file: Path) -> str:
    """Return how the request keys of all files of this name begin."""
    return f"{session}:{file.name}:"


def check_file_is_new(store: Store, file: Path, lines: Sequence[FileLine], session: int) -> None:
    """Raise Refused if the file's first line was taken in an earlier session, and none of its lines in this one."""
    if not lines or find_taken_lines(store, session, file, lines).takes:
        return
    first = _digest(lines[0].text)
    for number in range(session - 1, -1, -1):
        if store.find_request(f"{request_prefix(number, file)}{first}:{first}.1"):
            raise Refused(
                "L-REQUEST",
                f"the file was played in session {number}",
                where=str(file),
                hint=f"Give session {session} a file of its own",
            )


def _taken_by_mark(store: Store, session: int, prefix: str) -> dict[str, TakenLines]:
    """Return the taken lines of every file of one name, by the mark of the file."""
    takes = defaultdict[str, list[Record]](list)
    said: dict[EntryId, Record] = {}  # the last take that somebody declared
    counts: dict[EntryId, bool] = {}
    for take in store.takes(after=EntryId(session, -1)):
        if take.cause is None:
            said[take.id] = take
        counts[take.id] = bool(take.facts)
        if (request := take.request or "").startswith(prefix):
            takes[request.removeprefix(prefix).rpartition(":")[0]].append(take)
    return {
        mark: TakenLines(
            prefix,
            mark,
            takes=sorted(own, key=lambda take: take.position),
            undone=[take for take in own if said[take.id] is not take or not counts[take.id]],
        )
        for mark, own in takes.items()
    }


def _changed(take: Record) -> Refused:
    """Return the refusal of a line in the place of another one."""
    return Refused(
        "L-REQUEST",
        f"this line was taken before as: {take.line}",
        hint=f"Put it back, and correct it with: campaign amend {take.id} CHANGE; {OTHER_FILE}",
    )


def _late(before: Record | None) -> Refused:
    """Return the refusal of a line between two that were taken; `before` is the first of them."""
    insert = f", or insert it with: campaign amend --insert {before.id} LINE" if before else ""
    hint = f"Put the new line at the end of the file{insert}; {OTHER_FILE}"
    return Refused("L-REQUEST", "later lines of the file were taken already", hint=hint)


def _recorded(line: str) -> str:
    """Return a line as it is recorded; as it is if it cannot be, which its declaration says."""
    try:
        return normalize_line(line).strip()
    except Unreadable:
        return line


def _digest(text: str) -> str:
    """Return a hash of a line that is short enough for a request key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:MARK_LENGTH]
