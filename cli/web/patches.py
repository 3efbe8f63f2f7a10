"""The difference of two versions of a page's data, as operations that the page applies to the version it has.

An operation is a path (keys and indexes) and what to do there: nothing more is a removal, one more value takes the
place of what was there, and `start, removed, items` changes a stretch of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Path = tuple[str | int, ...]
Operation = tuple[Any, ...]


def patch_operations(before: Any, after: Any, path: Path = ()) -> Iterator[Operation]:
    """Yield the operations that make `after` of `before`, two JSON values."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() - after.keys():
            yield ((*path, key),)
        for key, value in after.items():
            if key in before:
                yield from patch_operations(before[key], value, (*path, key))
            else:
                yield (*path, key), value
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_operations(before, after, path)
    else:
        yield path, after


def _list_operations(before: Sequence[Any], after: Sequence[Any], path: Path) -> Iterator[Operation]:
    """Yield the operations for two lists: of their items if they are as long, else of the stretch that differs."""
    if len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from patch_operations(one, other, (*path, index))
        return
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    most = shorter - start
    end = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    yield path, start, len(before) - start - end, after[start : len(after) - end]
