"""The Markdown of a vault: links between its notes, names of its files, front matter, tables.

Links lead to files of the vault by their path (`[[Characters/Kess|Kess]]`), as Obsidian resolves them. All text of the
ledger is escaped: nothing in it becomes markup, HTML, a link, a tag or a line of the front matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from unicodedata import normalize

import msgspec

from cli.play.files import DEVICES
from ledger.names import escape
from ledger.table_file import Cells

MARK: Final = "generated: campaign export"  # a note with this line may be written again
SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()#+\-!|~=$%^@:])")
CHARACTERS, FOES, THINGS = "Characters", "Foes", "Things"
THING_KINDS: Final = ("object", "item", "place")
FORBIDDEN: Final = re.compile(r"[^\w '&(),\-]+")  # in names of files, and in links
LINKED: Final = re.compile(r"\[\[([^\[\]|\\]+)")  # the path in a link


def is_own_note(first: bytes) -> bool:
    """Return whether a file begins with front matter that has the mark of our notes, whatever else was added to it."""
    opening, *lines = first.decode("utf-8", "replace").splitlines() or [""]
    return opening == "---" and "---" in lines and MARK in lines[: lines.index("---")]


def is_own_base(first: bytes) -> bool:
    """Return whether a file begins as the table of notes that an export writes."""
    return first.startswith(f"# {MARK}\n".encode())


class Links:
    """The files of the vault by name: what `[[...]]` may lead to."""

    def __init__(self, beings: Iterable[Cells]) -> None:
        self.paths: dict[str, str] = {}  # by the name of a being
        taken: set[str] = set()
        for being in beings:
            folder, name = folder_of(being["kind"]), file_name(being["name"])
            path, number = f"{folder}/{name}", 1
            while one_name(path) in taken:
                number += 1
                path = f"{folder}/{name} {number}"
            taken.add(one_name(path))
            self.paths[being["name"]] = path

        plain = (
            name for name in self.paths if text(name) == name and not FORBIDDEN.search(name) and not name.islower()
        )
        names = {f"the {name[4:]}" if name.startswith("The ") else name: name for name in plain}  # in a sentence
        self.spelled = names | {name: name for name in names.values()}
        spelled = sorted(self.spelled, key=len, reverse=True)
        self.named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spelled))})(?!\w)") if spelled else None

    def in_line(self, line: str) -> str:
        """Return a line of Markdown with a link at the first place of each name; headings have none.

        Names that hold a special character or are a common word are left as they are.
        """
        if self.named is None or line.startswith("#"):
            return line
        linked: set[str] = set()

        def linked_name(match: re.Match[str]) -> str:
            name = self.spelled[match[0]]
            if name in linked:
                return match[0]
            linked.add(name)
            whole = link(self.paths[name], match[0])
            return cell_link(whole) if line.startswith("|") else whole

        return self.named.sub(linked_name, line)

    def being(self, name: str | None) -> str:
        """Return a link to a being; its name alone if it has no note."""
        path = self.paths.get(name or "")
        return link(path, name or "") if path else text(name)


def folder_of(kind: str) -> str:
    """Return the folder for the notes of beings of a kind."""
    return CHARACTERS if kind == "pc" else THINGS if kind in THING_KINDS else FOES


def file_name(name: str) -> str:
    """Return a name as the name of a file on every system, in the normal form in which most of them write it."""
    plain = normalize("NFC", FORBIDDEN.sub(" ", escape(name)).strip()) or "nameless"
    return f"{plain}_" if DEVICES.fullmatch(plain) else plain


def one_name(path: str) -> str:
    """Return what is equal for paths that are one on some system: letter case and normal forms make no difference."""
    return normalize("NFKC", normalize("NFKC", path).casefold())


def link(path: str, shown: str) -> str:
    """Return a link to a note. Its text cannot end it."""
    return f"[[{path}|{FORBIDDEN.sub(' ', escape(shown)).strip() or path}]]"


def cell_link(link: str) -> str:
    """Return a link for a cell of a table, where a bar would end the cell."""
    return link.replace("|", "\\|")


def session_link(session: int) -> str:
    """Return a link to the note of a session."""
    return link(f"Sessions/Session {session}", f"Session {session}")


def text(value: object) -> str:
    """Return text of the ledger escaped for a line of Markdown."""
    plain = escape(str("" if value is None else value).replace("\n", " / "))
    entities = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"^(\d+)\.", r"\1\\.", SPECIAL.sub(r"\\\1", entities))


def front_matter(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield YAML front matter: each value as JSON, which is YAML in which nothing has another meaning."""
    yield "---"
    yield MARK
    for name, value in fields.items():
        if value not in (None, "", []):
            yield f"{name}: {escape(msgspec.json.encode(value).decode())}"
    yield "---"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table; nothing if it has no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield from (f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles), *lines, "")


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines under a heading; nothing if there are none."""
    if body := [*lines]:
        yield from (f"## {title}", "", *body)
        if body[-1]:
            yield ""
