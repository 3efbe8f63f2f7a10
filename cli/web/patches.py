"""The difference of two versions of a page's data, as operations that the page applies to the version it has.

An operation is a path (keys and indexes) and what to do there: nothing more is a removal, one more value takes the
place of what was there, and `start, removed, items` changes a stretch of a list or of a text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

Path = tuple[str | int, ...]
Operation = tuple[Any, ...]
SHORT: Final = 200  # letters of a text that is sent whole


def patch_operations(before: Any, after: Any, path: Path = ()) -> Iterator[Operation]:
    """Yield the operations that make `after` of `before`, two JSON values."""
    if before == after:
        return
    match before, after:
        case dict(), dict():
            for key in before.keys() - after.keys():
                yield ((*path, key),)
            for key, value in after.items():
                if key in before:
                    yield from patch_operations(before[key], value, (*path, key))
                else:
                    yield (*path, key), value
        case list(), list() if len(before) == len(after):
            for index, (one, other) in enumerate(zip(before, after, strict=True)):
                yield from patch_operations(one, other, (*path, index))
        case (list(), list()):
            yield path, *changed_stretch(before, after)
        case str(), str() if is_long(before) and is_long(after):
            yield path, *changed_stretch(before, after)
        case _:
            yield path, after


def is_long(text: str) -> bool:
    """Return whether only a stretch of a text is sent. Its letters must count as one in JavaScript too."""
    return len(text) > SHORT and max(text) <= "\uffff"


def changed_stretch(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int, Any]:
    """Return where two sequences begin to differ, how many are removed there, and what is there now."""
    shorter = min(len(before), len(after))
    start = longest(shorter, lambda size: before[:size] == after[:size])
    end = longest(shorter - start, lambda size: before[len(before) - size :] == after[len(after) - size :])
    return start, len(before) - start - end, after[start : len(after) - end]


def longest(most: int, is_same: Callable[[int], bool]) -> int:
    """Return the largest size up to `most` for which the predicate holds; it holds for all smaller ones."""
    return bisect_left(range(1, most + 1), True, key=lambda size: not is_same(size))
