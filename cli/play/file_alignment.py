"""A session file beside the lines that were taken of it: which are the same, which are new, and what was edited.

What is behind the last taken line is new. A line in the place of a taken one of its kind (a text, an act, a
correction) is a change of it; a line between taken ones was inserted; a taken line without any was removed. Of a line
that was taken back nothing is left to change: what stands in its place is new, or inserted. Comments and empty lines
are not counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

import msgspec

from cli.notation.tokens import is_text
from cli.play.declare import is_correction
from cli.play.taken_lines import FileLine, TakenLine, TakenLines, line_digest

CELLS_MOST: Final = 250_000  # of taken lines and lines of the file that are compared with each other
PAIRS_MOST: Final = 2500  # of those that are compared word by word
LEAST: Final = 0.01  # for being of one kind
EQUAL: Final = 10_000.0  # lines of one kind are worth an equal one
ALIKE: Final = 0.5  # of two versions of a line

Row = tuple[TakenLine | None, FileLine | None]  # side by side; None where one has no counterpart


class FileEdit(msgspec.Struct, frozen=True):
    """A line that was changed, removed (no `line`) or inserted (nothing `taken`).

    `before` is the taken line that follows an inserted one in the file, `after` the one that precedes it, and `nth`
    tells it from others that say the same there.
    """

    line: FileLine | None
    taken: TakenLine | None = None
    before: TakenLine | None = None
    after: TakenLine | None = None
    nth: int = 0

    @property
    def name(self) -> tuple[str, str, str, int]:
        """What tells it from other edits: the entry, and what the file says."""
        entry, kind = self.taken or self.before, "insert" if self.taken is None else "change"
        return kind, str(entry and entry.id), self.line.text if self.line else "", self.nth

    @property
    def is_alike(self) -> bool:
        """Whether it changes a few words of a line."""
        return self.line is not None and self.taken is not None and _likeness(self.taken, self.line.text) > ALIKE

    @property
    def is_text(self) -> bool:
        """Whether it changes or inserts a scene, fiction or a quote: no rule depends on it."""
        texts = [*([self.line.text] if self.line else []), *([self.taken.line] if self.taken else [])]
        return self.line is not None and all(map(is_text, texts))


class Alignment(msgspec.Struct, frozen=True):
    """The lines of a file that are as they were taken, those that are new, and the edits, in the file's order.

    `kept`: lines that an edit of the file had removed, and that count again. `gone`: lines that were taken back, and
    are not in the file either.
    """

    same: Sequence[tuple[FileLine, TakenLine]]
    new: Sequence[FileLine]
    edits: Sequence[FileEdit]
    kept: Sequence[TakenLine] = ()
    gone: Sequence[TakenLine] = ()

    @property
    def is_same_file(self) -> bool:
        """Whether at least half of the taken lines that count are in the file, a few words changed at most."""
        left = sum(taken.counts for _, taken in self.same) + sum(edit.is_alike for edit in self.edits)
        return left >= sum(edit.taken is not None and not edit.is_alike for edit in self.edits)


def align(taken: TakenLines, lines: Sequence[FileLine], gone: Collection[int] = ()) -> Alignment:
    """Return a file beside the lines that were taken of it.

    `gone`: positions of lines that were taken back, and have been missing in the file since.
    """
    known = {line.digest for line in lines}
    old = [each for each in taken.lines if each.counts]
    said = [_expected_digest(each, known) for each in old]
    pairs = _equal_pairs(old, said, lines)
    matched = {other for _, other in pairs}
    equal = {lines[other].number for other in matched}
    undone, dead = _undone_lines(taken, [line for index, line in enumerate(lines) if index not in matched], gone)
    new, edits, kept = list[FileLine](), list[FileEdit](), list[TakenLine]()
    rows = list(_rows(old, lines, pairs, {line.number for line, _ in undone}))
    last = max((index for index, (each, _) in enumerate(rows) if each), default=-1)
    for index, (each, line) in enumerate(rows):
        if line is None:
            assert each is not None
            kept += [each] if each.removed else []
            edits += [] if each.removed else [FileEdit(None, each)]
        elif each is None and index > last:
            new.append(line)
        elif each is None:
            insert = FileEdit(line, None, _next(rows[index:]), _next(rows[index::-1]))
            nth = sum(insert.name[:3] == edit.name[:3] for edit in edits)
            edits.append(msgspec.structs.replace(insert, nth=nth))
        elif line.number not in equal and _expected_digest(each, known) != line.digest:
            edits.append(FileEdit(line, each))
    same = sorted([*((lines[column], old[row]) for row, column in pairs), *undone], key=lambda pair: pair[0].number)
    return Alignment(same, list(taken.keys(new)), edits, kept, dead)


def _expected_digest(taken: TakenLine, known: Collection[str]) -> str:
    """Return the hash of what the file should say: what it said last, or what the ledger says if it says that."""
    now = line_digest(taken.line)
    return now if now in known and taken.digest not in known else taken.digest


def _next(rows: Sequence[Row]) -> TakenLine | None:
    """Return the first taken line."""
    return next((each for each, _ in rows if each is not None), None)


def _undone_lines(
    taken: TakenLines, lines: Sequence[FileLine], gone: Collection[int]
) -> tuple[list[tuple[FileLine, TakenLine]], list[TakenLine]]:
    """Return which of these lines were taken and taken back, and the lines taken back that are not in the file."""
    left = [each for each in taken.lines if not each.counts and not each.removed and each.position not in gone]
    undone = list[tuple[FileLine, TakenLine]]()
    for line in lines:
        if each := next((each for each in left if each.digest == line.digest), None):
            left.remove(each)
            undone.append((line, each))
    return undone, left


def _rows(
    old: Sequence[TakenLine], lines: Sequence[FileLine], pairs: Sequence[tuple[int, int]], undone: Collection[int]
) -> Iterator[Row]:
    """Yield taken lines and those of the file side by side, in order; those with the numbers `undone` are left out."""
    at_old = at_new = 0
    for end_old, end_new in [*pairs, (len(old), len(lines))]:
        if at_old < end_old or at_new < end_new:
            yield from _pair_block(
                old[at_old:end_old], [line for line in lines[at_new:end_new] if line.number not in undone]
            )
        if end_old < len(old):
            yield old[end_old], lines[end_new]
        at_old, at_new = end_old + 1, end_new + 1


def _equal_pairs(old: Sequence[TakenLine], said: Sequence[str], lines: Sequence[FileLine]) -> list[tuple[int, int]]:
    """Return which taken lines the file has, in order of both: as many as possible.

    Of several ways the one counts that leaves most of the others a line of their kind, and of these the earliest: so a
    line that waits for an answer keeps its place when lines behind it are taken.
    """
    digests = [line.digest for line in lines]
    known, alive = {*digests}, {*said}
    start, head = 0, list[tuple[int, int]]()
    for expected, actual in zip(said, digests, strict=False):
        if expected == actual:
            head.append((start, start))
        elif expected in known or actual in alive or _kind(old[start].line) != _kind(lines[start].text):
            break  # else a changed line, and neither stands anywhere else
        start += 1
    left, right = said[start:], digests[start:]
    if len(left) * len(right) > CELLS_MOST:
        blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
        pairs = [(block.a + step, block.b + step) for block in blocks for step in range(block.size)]
    else:
        kinds = [_kind(line.text) for line in lines[start:]]
        worths = [
            [EQUAL if text == other else float(kind == its) for other, its in zip(right, kinds, strict=True)]
            for text, kind in zip(left, (_kind(each.line) for each in old[start:]), strict=True)
        ]
        pairs = [pair for pair in _best_pairs(worths) if left[pair[0]] == right[pair[1]]]
    return [*head, *((start + row, start + column) for row, column in pairs)]


def _pair_block(olds: Sequence[TakenLine], news: Sequence[FileLine]) -> Iterator[Row]:
    """Yield the taken lines and those that stand in their place: of one kind, as similar as can be, in order."""
    best = list[tuple[int, int]]()
    if len(olds) * len(news) <= PAIRS_MOST:
        best = _best_pairs([[_likeness(each, line.text) for line in news] for each in olds])
    at_old = at_new = 0
    for end_old, end_new in [*best, (len(olds), len(news))]:
        yield from ((each, None) for each in olds[at_old:end_old])
        yield from ((None, line) for line in news[at_new:end_new])
        if end_old < len(olds):
            yield olds[end_old], news[end_new]
        at_old, at_new = end_old + 1, end_new + 1


def _best_pairs(worths: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return the pairs with the highest sum of worths of an old and a new one, in order, and the earliest of equals."""
    news = len(worths[0]) if worths else 0
    sums = [[0.0] * (news + 1)]
    for own_worths in reversed(worths):
        below, best, own = sums[-1], 0.0, [0.0]
        for column in range(news - 1, -1, -1):
            best = max(best, below[column], below[column + 1] + own_worths[column])
            own.append(best)
        sums.append(own[::-1])
    sums.reverse()
    pairs, row, column = list[tuple[int, int]](), 0, 0
    while row < len(worths) and column < news:
        worth = worths[row][column]
        if worth and sums[row][column] == sums[row + 1][column + 1] + worth:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif sums[row][column] == sums[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _likeness(old: TakenLine, new: str) -> float:
    """Return how alike two lines are: 0 if they are of two kinds, or if the old one was taken out of the file."""
    if old.removed or _kind(old.line) != _kind(new):
        return 0.0
    return LEAST + SequenceMatcher(None, old.line, new, autojunk=False).ratio()


def _kind(line: str) -> str:
    """Return the kind of a line."""
    return "text" if is_text(line) else "correction" if is_correction(line.strip()) else "act"
