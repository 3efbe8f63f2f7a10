"""Printing: facts to standard output, remarks to standard error, never a control character."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import zip_longest
from typing import Final

import msgspec

from cli.errors import OutputError, ReaderStoppedError
from ledger.errors import LedgerError
from ledger.names import escape

COLOUR: Final = r"(\x1b\[(?:0|1|2|3[0-7]|40|9[0-7])m)"  # the codes that `paint` writes

LINES: ContextVar[Callable[[str], None] | None] = ContextVar("lines", default=None)
"""Takes the printed lines instead of standard output: the pager."""

PLAIN: ContextVar[bool] = ContextVar("plain_texts", default=False)
"""Whether texts are made for something else than this terminal: no colours, no signs."""

COLOUR_CHOICE: ContextVar[bool | None] = ContextVar("colour_choice", default=None)
"""What `--color` says: whether to print in colour; None: at a terminal."""

COLOURS: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
NARROWEST: Final = 8  # cells of a column of a table that has to fit a terminal
NOT_PRINTABLE_ASCII: Final = r"[^ -~]"
COLUMN_GAP: Final = r"(?<=[^ ])  +"  # between two columns
WORD: Final = r" *[^ ]+"
COLUMN: Final = r"column ([0-9]+)"  # where an error of a line is


def has_colour() -> bool:
    """Return whether to print in colour: as `--color` says, else at a terminal (NO_COLOR and TERM=dumb refuse it)."""
    if PLAIN.get():
        return False
    if (chosen := COLOUR_CHOICE.get()) is not None:
        return chosen
    return to_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_glyphs() -> bool:
    """Return whether to print signs beside words: at a terminal whose locale has them."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "")
    known = locale.upper().replace("-", "").endswith("UTF8")
    return known and not PLAIN.get() and to_terminal() and os.environ.get("TERM") != "dumb"


@contextmanager
def plain_texts() -> Iterator[None]:
    """Make texts without colours and signs, also at a terminal: for a page."""
    token = PLAIN.set(True)
    try:
        yield
    finally:
        PLAIN.reset(token)


def to_terminal() -> bool:
    """Return whether standard output is a terminal, whose width lines should keep."""
    return sys.stdout.isatty()


def at_terminal() -> bool:
    """Return whether somebody sits at a terminal, who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and to_terminal()


def paint(text: str, *, fg: str | None = None, bg: str | None = None, bold: bool = False, dim: bool = False) -> str:
    """Return `text` in colour at a terminal, plain when piped."""
    codes = [*([_colour_code(fg)] if fg else []), *([_colour_code(bg) + 10] if bg else [])]
    codes += [*([1] if bold else []), *([2] if dim else [])]
    return "".join(f"\x1b[{code}m" for code in codes) + f"{text}\x1b[0m" if codes and has_colour() else text


def _colour_code(name: str) -> int:
    """Return the code of a terminal for text in a colour: `red`, `bright_red`."""
    return COLOURS.index(name.removeprefix("bright_")) + (90 if name.startswith("bright_") else 30)


@contextmanager
def output_errors() -> Iterator[None]:
    """Turn an error of standard output into OutputError, once: later output is discarded."""
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise (ReaderStoppedError if isinstance(error, BrokenPipeError) else OutputError)(error) from error


def harmless(text: str) -> str:
    """Return text with every character escaped that a terminal could act on, except line feeds and our own colours.

    Everything that is printed goes through here, so that a forgotten `escape` lets no escape sequence out.
    """
    parts = re.split(COLOUR, text) if has_colour() else [text]
    return "".join(part if index % 2 else "\n".join(map(escape, part.split("\n"))) for index, part in enumerate(parts))


def write_plainly(line: str) -> None:
    """Write one line without control characters to standard output."""
    with output_errors():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def print_line(text: str) -> None:
    """Print one line; at a terminal one that is wider is broken between words."""
    print_wrapped([text])


def print_verbatim(lines: Iterable[str]) -> None:
    """Print lines as they come, however wide: they are meant for a file."""
    write = LINES.get() or write_plainly
    for line in lines:
        write(harmless(line))


def print_wrapped(lines: Iterable[str]) -> None:
    """Print lines as they come; at a terminal those that are wider than it are broken between words."""
    for line in lines:
        print_verbatim(wrap_line(line, terminal_width()) if to_terminal() else [line])


def wrap_line(line: str, width: int, deeper: int = 2) -> list[str]:
    """Return a line in lines of at most this many cells, broken at spaces only: a hash stays whole.

    The lines after the first are indented to the last column of the line if that begins in its first half, else so many
    cells deeper than the line.
    """
    if cell_width(line) <= width:
        return [line]
    columns = [cell_width(line[: gap.end()]) for gap in re.finditer(COLUMN_GAP, line)]
    start = len(line) - len(line.lstrip(" "))
    indent = max([column for column in columns if column <= width // 2], default=start + deeper)
    lines, text = list[str](), ""
    for word in re.findall(WORD, line):
        if text.strip() and cell_width(text) + cell_width(word) > width:
            lines.append(text)
            text = " " * indent + word.lstrip(" ")
        else:
            text += word
    return [*lines, text]


def remark(text: str) -> None:
    """Print one line about the program itself to standard error; at a terminal it is broken between words."""
    lines = wrap_line(escape(text), terminal_width()) if sys.stderr.isatty() else [escape(text)]
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def column_mark(line: str, error: LedgerError) -> list[str]:
    """Return the line of an error with a mark under the column that it is about; nothing if that is not known."""
    match = re.match(COLUMN, error.where)
    column = int(match[1]) if match else error.column
    if column is None:
        return []
    before = escape(line[: column - 1])
    return [escape(line), " " * cell_width(before) + "^"]


def print_question(text: str) -> None:
    """Print a question to standard error; its answer is typed behind it."""
    print(f"{escape(text)} ", end="", file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """Print one value as a line of JSON in exact bytes; at a terminal with invisible characters escaped."""
    print_json_parts([value if isinstance(value, bytes) else msgspec.json.encode(value, order="deterministic")])


def print_json_parts(parts: Iterable[bytes]) -> None:
    """Print the parts of a line of JSON, as `print_json`, one after the other."""
    with output_errors():
        sys.stdout.flush()
        for part in parts:
            sys.stdout.buffer.write(visible(part) if to_terminal() else part)
        sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()


def visible(body: bytes) -> bytes:
    """Return the same JSON with escapes for every character that a terminal could act on."""
    text = body.decode("utf-8", "replace")
    return re.sub(
        NOT_PRINTABLE_ASCII, lambda match: match[0] if escape(match[0]) == match[0] else json_escape(match[0]), text
    ).encode()


def json_escape(letter: str) -> str:
    """Return a character as a JSON escape."""
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))


def align_columns(rows: list[list[str]]) -> list[str]:
    """Return rows as columns, two spaces apart; the last one is not padded."""
    if not rows:
        return []
    widths = [max(cell_width(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        "  ".join([pad_cell(cell, width) for cell, width in zip(row, widths, strict=False)] + [row[-1]]).rstrip()
        for row in rows
    ]


def fit_columns(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return rows as columns of a table of this width, two spaces apart; the words of a long cell go on below it."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    cells = [[wrap_line(cell, most, 0) for cell, most in zip(row, widths, strict=True)] for row in rows]
    return [
        "  ".join(pad_cell(part, most) for part, most in zip(parts, widths, strict=True)).rstrip()
        for row in cells
        for parts in zip_longest(*row, fillvalue="")
    ]


def cell_width(text: str) -> int:
    """Return the cells of a terminal that a text takes: two for a wide letter, none for a colour or an accent."""
    plain = re.sub(COLOUR, "", text)
    if plain.isascii():
        return len(plain)
    from wcwidth import wcswidth  # imported here to start faster: most texts are plain

    width = wcswidth(plain)
    return width if width >= 0 else len(plain)


def pad_cell(text: str, width: int) -> str:
    """Return a text filled up with spaces to a width in cells."""
    return text + " " * (width - cell_width(text))


def terminal_width() -> int:
    """Return the columns of the terminal, COLUMNS, or 80."""
    from shutil import get_terminal_size  # imported here to start faster: pipes have no width

    return max(40, get_terminal_size().columns)


def wrap_text(text: str, indent: str = "", more: str | None = None) -> list[str]:
    """Return a text in lines of the terminal's width, indented; `more`: the indent of the lines after the first."""
    import textwrap  # imported here to start faster: few commands wrap texts

    return textwrap.wrap(
        text, terminal_width(), initial_indent=indent, subsequent_indent=indent if more is None else more
    )
