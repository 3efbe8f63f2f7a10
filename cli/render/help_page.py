"""Help pages in Markdown as lines for a terminal: headings in bold, tables as terms with their text below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cli.output import paint, wrap_text
from cli.questions.help import CODE, FENCE, VerbHelp

INDENT: Final = "    "
FORM_MOST: Final = 26  # a longer form of a field has a line of its own
RULE: Final = re.compile(r"[| -]+")  # the line below the head of a table


def page_lines(markdown: str) -> Iterator[str]:
    """Yield a page: paragraphs and tables wrapped to the terminal, transcripts as they are."""
    verbatim, paragraph = False, list[str]()
    lines = [*markdown.splitlines(), ""]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        fence = line.startswith(FENCE)
        plain = verbatim or fence or not line or line.startswith(("#", "| ", CODE))
        if plain and paragraph:
            yield from wrap_text(" ".join(paragraph).replace("`", ""))
            paragraph = []
        verbatim = verbatim != fence
        if fence:
            continue
        if not plain:
            paragraph.append(line)
        elif verbatim:
            yield INDENT + line
        elif line.startswith("#"):
            yield paint(line.lstrip("# "), bold=True)
        elif line.startswith("| "):
            yield from () if RULE.fullmatch(line) or RULE.fullmatch(after) else _table_row(line)
        else:
            yield line


def _table_row(line: str) -> Iterator[str]:
    """Yield a row of a table: its first cell, and the others below it."""
    first, *rest = (cell.strip().replace("`", "") for cell in line.strip("| ").split(" | "))
    yield from wrap_text(first, "", INDENT)
    yield from wrap_text("  ".join(rest), INDENT)


def verb_lines(verb: VerbHelp) -> Iterator[str]:
    """Yield the help of one verb: what it means, then its fields."""
    yield paint(", ".join(verb.verbs), bold=True)
    yield from wrap_text(verb.text.replace("`", ""), "  ")
    for form, text in verb.fields:
        if len(form) > FORM_MOST:
            yield "  " + form
            form = ""
        yield from wrap_text(text, "  " + form.ljust(FORM_MOST + 2), " " * (FORM_MOST + 4))
