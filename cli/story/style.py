"""The two forms of a recap: Markdown and plain text. What comes from the ledger is harmless in both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cli.output import align_columns, cell_width, fit_columns, terminal_width
from ledger.names import escape

MARKUP = re.compile(
    r"""[\\`*_{}\[\]|~\#$^%@]    # emphasis, code, links, tables, mathematics, comments, mentions
    | :(?=//)                     # an address by itself
    | (?<=[Ww]{3})\.              # and one without its scheme
    | =(?==)                      # a marked text""",
    re.VERBOSE | re.ASCII,
)
BLOCK = re.compile(r"([-+=:>]|[0-9]+(?=[.)]))", re.ASCII)  # a list, a quotation, a line below a heading
ENTITIES: Final = (("&", "&amp;"), ("<", "&lt;"))
RULES: Final = "=-"  # below headings, by level


class Style:
    """Plain text."""

    def text(self, value: object) -> str:
        """Return text from the ledger for the inside of a line."""
        return escape(str(value)).strip()

    def block(self, value: object) -> str:
        """Return text from the ledger for the beginning of a paragraph."""
        return self.text(value)

    def heading(self, level: int, title: str) -> Iterator[str]:
        """Yield a heading whose title is harmless already."""
        yield title
        yield RULES[min(level, len(RULES)) - 1] * max(3, cell_width(title))

    def strong(self, text: str) -> str:
        """Return harmless text that stands out."""
        return text

    def slanted(self, text: str) -> str:
        """Return harmless text that stands out a little."""
        return text

    def quotation(self, text: str) -> str:
        """Return a paragraph in somebody's own words."""
        return f"  {text}"

    def item(self, text: str) -> str:
        """Return an item of a list."""
        return f"- {text}"

    def note_mark(self, number: int) -> str:
        """Return the mark behind a text that has a note."""
        return f" [{number}]"

    def note(self, number: int, text: str) -> str:
        """Return a note in harmless text, with its mark."""
        return f"[{number}] {text}"

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield a table; nothing without rows."""
        listed = [list(row) for row in rows]
        if listed:
            yield from align_columns([list(titles), *listed])


class Markdown(Style):
    """Markdown: nothing from the ledger becomes markup, HTML or a link."""

    def text(self, value: object) -> str:
        """Return text from the ledger escaped for the inside of a Markdown line."""
        marked = MARKUP.sub(r"\\\g<0>", escape(str(value)).strip())
        for letter, entity in ENTITIES:
            marked = marked.replace(letter, entity)
        return marked

    def block(self, value: object) -> str:
        """Return text escaped for the beginning of a paragraph, where more characters are markup."""
        marked = self.text(value)
        begin = BLOCK.match(marked)
        if begin is None:
            return marked
        sign = begin[0]
        return f"{sign if sign.isdigit() else ''}\\{marked[len(sign) if sign.isdigit() else 0 :]}"

    def heading(self, level: int, title: str) -> Iterator[str]:
        """Yield a heading whose title is harmless already."""
        yield f"{'#' * level} {title}"

    def strong(self, text: str) -> str:
        """Return bold text."""
        return f"**{text}**"

    def slanted(self, text: str) -> str:
        """Return italic text."""
        return f"*{text}*"

    def quotation(self, text: str) -> str:
        """Return a block quotation."""
        return f"> {text}"

    def note_mark(self, number: int) -> str:
        """Return the mark of a footnote."""
        return f"[^{number}]"

    def note(self, number: int, text: str) -> str:
        """Return a footnote."""
        return f"[^{number}]: {text}"

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield a table; nothing without rows."""
        for index, row in enumerate(rows):
            if not index:
                yield f"| {' | '.join(titles)} |"
                yield f"|{' --- |' * len(titles)}"
            yield f"| {' | '.join(row)} |"


class ScreenMarkdown(Markdown):
    """Markdown to be read at a terminal: a table is columns that fit it."""

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield a table; nothing without rows."""
        listed = list(rows)
        yield from fit_columns([titles, *listed], terminal_width()) if listed else ()


STYLES: Final = {"markdown": Markdown(), "text": Style()}
