"""A session file beside the lines that were taken of it: which are the same, which are new, and what was edited.

What is behind the last taken line is new. A line in the place of a taken one of its kind (a text, an act, a
correction) is a change of it; a line between taken ones was inserted; a taken line without any was removed. Of a line
that was taken back nothing is left to change: what stands in its place is new, or inserted. Comments and empty lines
are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

import msgspec

from cli.notation.tokens import TELL_MARKS, is_quote
from cli.play.declare import is_correction
from cli.play.taken_lines import FileLine, TakenLine, TakenLines, line_digest

PAIRS_MOST: Final = 2500  # of old and new lines that are compared word by word
LEAST: Final = 0.01  # for being of one kind
ALIKE: Final = 0.5  # of two versions of a line


class FileEdit(msgspec.Struct, frozen=True):
    """A line that was changed, removed (no `line`) or inserted (nothing `taken`).

    `before` is the taken line that follows an inserted one in the file, `after` the one that precedes it.
    """

    line: FileLine | None
    taken: TakenLine | None = None
    before: TakenLine | None = None
    after: TakenLine | None = None

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it from other edits: the entry, and what the file says."""
        entry = self.taken or self.before
        return (
            "insert" if self.taken is None else "change",
            str(entry and entry.id),
            self.line.text if self.line else "",
        )

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

    `kept`: lines that an edit of the file had removed, and that count again.
    """

    same: Sequence[tuple[FileLine, TakenLine]]
    new: Sequence[FileLine]
    edits: Sequence[FileEdit]
    kept: Sequence[TakenLine] = ()

    @property
    def is_same_file(self) -> bool:
        """Whether at least half of the taken lines that count are in the file, a few words changed at most."""
        left = sum(taken.counts for _, taken in self.same) + sum(edit.is_alike for edit in self.edits)
        return left >= sum(edit.taken is not None and not edit.is_alike for edit in self.edits)


def is_text(line: str) -> bool:
    """Whether a line is a scene, fiction or a quote."""
    return line.lstrip()[:1] in TELL_MARKS or is_quote(line)


def align(taken: TakenLines, lines: Sequence[FileLine]) -> Alignment:
    """Return a file beside the lines that were taken of it."""
    digests = [line.digest for line in lines]
    known = {*digests}
    old = [each for each in taken.lines if each.counts or known & {each.digest}]
    said = [_said(each, known) for each in old]
    pairs = list(_pairs(old, said, lines, digests))
    same = [(line, each) for each, line in pairs if each and line and _said(each, known) == line.digest]
    edits, new = list[FileEdit](), list[FileLine]()
    kept = list[TakenLine]()
    last = max((index for index, (each, _) in enumerate(pairs) if each and each.counts), default=-1)
    for index, (each, line) in enumerate(pairs):
        if line is None:
            assert each is not None
            if each.counts:
                kept += [each] if each.removed else []
                edits += [] if each.removed else [FileEdit(None, each)]
        elif each is None:
            if index > last:
                new.append(line)
            else:
                edits.append(FileEdit(line, None, _next(pairs[index:]), _next(pairs[index::-1])))
        elif _said(each, known) != line.digest:
            edits.append(FileEdit(line, each))
    return Alignment(same, list(taken.keys(new)), edits, kept)


def _said(taken: TakenLine, known: set[str]) -> str:
    """Return the hash of what the file should say: what it said last, or what the ledger says if it says that."""
    now = line_digest(taken.line)
    return now if now in known and taken.digest not in known else taken.digest


def _next(pairs: Sequence[tuple[TakenLine | None, FileLine | None]]) -> TakenLine | None:
    """Return the first taken line that counts."""
    return next((each for each, _ in pairs if each is not None and each.counts), None)


def _pairs(
    old: Sequence[TakenLine], said: Sequence[str], lines: Sequence[FileLine], digests: Sequence[str]
) -> Iterator[tuple[TakenLine | None, FileLine | None]]:
    """Yield taken lines and those of the file side by side, in order; None where one has no counterpart."""
    same = next((i for i, (one, other) in enumerate(zip(said, digests, strict=False)) if one != other), None)
    start = min(len(said), len(digests)) if same is None else same
    yield from zip(old[:start], lines[:start], strict=True)
    matcher = SequenceMatcher(None, said[start:], digests[start:], autojunk=False)
    for step, first, end, left, right in matcher.get_opcodes():
        olds, news = old[start + first : start + end], lines[start + left : start + right]
        if step == "equal":
            yield from zip(olds, news, strict=True)
        else:
            yield from _pair_block([each for each in olds if each.counts], news)


def _pair_block(
    olds: Sequence[TakenLine], news: Sequence[FileLine]
) -> Iterator[tuple[TakenLine | None, FileLine | None]]:
    """Yield the taken lines and those that stand in their place: of one kind, as similar as can be, in order."""
    best = _best_pairs(olds, news) if len(olds) * len(news) <= PAIRS_MOST else []
    at_old = at_new = 0
    for one, other in [*best, (len(olds), len(news))]:
        yield from ((each, None) for each in olds[at_old:one])
        yield from ((None, line) for line in news[at_new:other])
        if one < len(olds):
            yield olds[one], news[other]
        at_old, at_new = one + 1, other + 1


def _best_pairs(olds: Sequence[TakenLine], news: Sequence[FileLine]) -> list[tuple[int, int]]:
    """Return the pairs with the highest sum of likenesses, in order of both."""
    sums = [[0.0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    for one in range(len(olds) - 1, -1, -1):
        for other in range(len(news) - 1, -1, -1):
            paired = sums[one + 1][other + 1] + _likeness(olds[one], news[other].text)
            sums[one][other] = max(sums[one + 1][other], sums[one][other + 1], paired)
    pairs, one, other = list[tuple[int, int]](), 0, 0
    while one < len(olds) and other < len(news):
        if sums[one][other] == sums[one + 1][other]:
            one += 1
        elif sums[one][other] == sums[one][other + 1]:
            other += 1
        else:
            pairs.append((one, other))
            one, other = one + 1, other + 1
    return pairs


def _likeness(old: TakenLine, new: str) -> float:
    """Return how alike two lines are: 0 if they are of two kinds, or if the old one was taken out of the file."""
    if old.removed or _kind(old.line) != _kind(new):
        return 0.0
    return LEAST + SequenceMatcher(None, old.line, new, autojunk=False).ratio()


def _kind(line: str) -> str:
    """Return the kind of a line."""
    return "text" if is_text(line) else "correction" if is_correction(line.strip()) else "act"
