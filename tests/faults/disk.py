"""A disk on which a power cut loses what was not synced: rebuilt from the system calls that strace recorded.

A file keeps what was written before its last sync. Of later writes any part may be kept, in any order, sector by
sector. A name that is created, renamed or removed is kept when its folder is synced; before that any part of these
changes may be kept too. Real file systems keep more: most of them keep changes of names in their order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
CHANGES = "trace=openat,creat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,mkdir,rmdir,link,fallocate"
DATA = "1000000"  # bytes of a write that strace prints
STRING = r'"((?:[^"\\]|\\.)*)"'
OPENED = re.compile(rf"openat\(AT_FDCWD<[^>]*>, {STRING}, ([\w|]+)(?:, \d+)?\) += (\d+)<")
WRITTEN = re.compile(rf"(write|pwrite64)\((\d+)<([^>]*)>, {STRING}, \d+(?:, (\d+))?\) += (\d+)")
SIZED = re.compile(r"ftruncate\(\d+<([^>]*)>, (\d+)\) += 0")
SYNCED = re.compile(r"(?:fsync|fdatasync)\(\d+<([^>]*)>\) += 0")
RENAMED = re.compile(rf"rename\({STRING}, {STRING}\) += 0")
REMOVED = re.compile(rf"unlink\({STRING}\) += 0")
MADE = re.compile(rf"mkdir\({STRING}, \d+\) += 0")


@dataclass
class Inode:
    """A file or a folder: what is synced of a file, and the writes since: (offset, bytes), or (size, None)."""

    synced: bytes = b""
    unsynced: list[tuple[int, bytes | None]] = field(default_factory=list)
    is_folder: bool = False

    def content(self, changes: Sequence[tuple[int, bytes | None]]) -> bytes:
        """Return the content after these changes; what was never written is zero."""
        content = bytearray(self.synced)
        for offset, data in changes:
            end = offset if data is None else offset + len(data)
            content += bytes(max(0, end - len(content)))
            if data is None:
                del content[offset:]
            else:
                content[offset:end] = data
        return bytes(content)


class PowerCut:
    """What a power cut keeps of the changes that are not synced: nothing, everything, or a random part."""

    def __init__(self, chance: random.Random, share: float) -> None:
        self.chance, self.share = chance, share

    def keeps(self) -> bool:
        """Return whether the next change is kept."""
        return self.chance.random() < self.share

    def kept_writes(self, inode: Inode) -> Iterator[tuple[int, bytes | None]]:
        """Yield the sectors that are kept of the writes to a file."""
        for offset, data in inode.unsynced:
            if data is None:
                if self.keeps():
                    yield offset, None
                continue
            first = offset - offset % SECTOR
            for start in range(first, offset + len(data), SECTOR):
                if self.keeps():
                    begin = max(start, offset)
                    yield begin, data[begin - offset : start + SECTOR - offset]


class RecordedDisk:
    """The files below a folder, as recorded calls change them."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.names: dict[str, Inode] = {}  # as the programs see them
        self.synced_names: dict[str, Inode] = {}
        self.unsynced_names: list[tuple[str, dict[str, Inode | None]]] = []  # a folder, and what its names become
        self._offsets: dict[int, int] = {}

    def change(self, call: str) -> bool:
        """Carry out a recorded call, and return whether it changed or synced something below the folder."""
        for pattern, act in (
            (WRITTEN, self._write),
            (OPENED, self._open),
            (SYNCED, self._sync),
            (SIZED, self._resize),
            (RENAMED, self._rename),
            (REMOVED, self._remove),
            (MADE, self._make_folder),
        ):
            if match := pattern.match(call):
                return act(*match.groups())
        assert self.root not in call or re.search(r"\) += -1 ", call), (
            f"a call that the disk does not know: {call[:200]}"
        )
        return False

    def files(self, cut: PowerCut) -> dict[str, bytes | None]:
        """Return the paths and contents after a power cut; None for a folder."""
        names: dict[str, Inode | None] = dict(self.synced_names)
        for _, changes in self.unsynced_names:
            if cut.keeps():
                names |= changes
        found: dict[str, bytes | None] = {}
        for path, inode in sorted(names.items()):
            parent = str(Path(path).parent)
            if inode is not None and (parent == self.root or parent in found):
                found[path] = None if inode.is_folder else inode.content(list(cut.kept_writes(inode)))
        return found

    def _rename_all(self, path: str, changes: dict[str, Inode | None]) -> bool:
        for name, inode in changes.items():
            if inode is None:
                self.names.pop(name, None)
            else:
                self.names[name] = inode
        self.unsynced_names.append((str(Path(path).parent), changes))
        return True

    def _open(self, path: str, flags: str, number: str) -> bool:
        if not path.startswith(self.root + "/"):
            return False
        self._offsets[int(number)] = 0
        if "O_CREAT" in flags and path not in self.names:
            return self._rename_all(path, {path: Inode()})
        if "O_APPEND" in flags:
            inode = self.names[path]
            self._offsets[int(number)] = len(inode.content(inode.unsynced))
        if "O_TRUNC" in flags:
            self.names[path].unsynced.append((0, None))
            return True
        return False

    def _write(self, call: str, number: str, path: str, text: str, offset: str | None, count: str) -> bool:
        if path not in self.names:
            return False
        data = text.encode("ascii").decode("unicode_escape").encode("latin-1")
        assert len(data) == int(count), "strace cut the data of a write"
        begin = int(offset) if offset is not None else self._offsets[int(number)]
        if call == "write":
            self._offsets[int(number)] = begin + len(data)
        self.names[path].unsynced.append((begin, data))
        return True

    def _resize(self, path: str, size: str) -> bool:
        if path in self.names:
            self.names[path].unsynced.append((int(size), None))
        return path in self.names

    def _sync(self, path: str) -> bool:
        if path == self.root or (path in self.names and self.names[path].is_folder):
            for folder, changes in self.unsynced_names:
                if folder == path:
                    for name, inode in changes.items():
                        if inode is None:
                            self.synced_names.pop(name, None)
                        else:
                            self.synced_names[name] = inode
            self.unsynced_names = [each for each in self.unsynced_names if each[0] != path]
        elif inode := self.names.get(path):
            inode.synced, inode.unsynced = inode.content(inode.unsynced), []
        else:
            return False
        return True

    def _rename(self, old: str, new: str) -> bool:
        return old in self.names and self._rename_all(new, {old: None, new: self.names[old]})

    def _remove(self, path: str) -> bool:
        return path in self.names and self._rename_all(path, {path: None})

    def _make_folder(self, path: str) -> bool:
        return path.startswith(self.root + "/") and self._rename_all(path, {path: Inode(is_folder=True)})
