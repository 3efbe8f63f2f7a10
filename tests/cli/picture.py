"""A picture of a terminal's rows in SVG: monospaced text, with the bold, dim and coloured cells as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

from tests.cli.screen import Cell, Style

COLUMN, ROW, MARGIN = 8, 18, 12  # pixels
COLOURS = {31: "#f47067", 32: "#57ab5a", 33: "#c69026", 34: "#539bf5", 35: "#b083f0", 36: "#39c5cf"}


def svg(rows: Sequence[Sequence[Cell]], width: int) -> str:
    """Return a picture of rows of so many columns."""
    size = f"{width * COLUMN + 2 * MARGIN} {len(rows) * ROW + 2 * MARGIN}"
    texts = [text for number, row in enumerate(rows, 1) for text in _texts(row, MARGIN + number * ROW - 5)]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-size="13"'
            ' font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace">',
            "<style>text { white-space: pre }</style>",
            '<rect width="100%" height="100%" rx="6" fill="#22272e"/>',
            *texts,
            "</svg>",
            "",
        )
    )


def _texts(row: Sequence[Cell], height: int) -> Iterator[str]:
    """Yield a text for each run of cells that look the same."""
    for style, run in groupby(enumerate(row), key=lambda place: place[1].style):
        cells = list(run)
        text = "".join(cell.text for _, cell in cells)
        if text.strip():
            start, width = MARGIN + cells[0][0] * COLUMN, len(cells) * COLUMN
            yield f'<text x="{start}" y="{height}" textLength="{width}"{_look(style)}>{escape(text)}</text>'


def _look(style: Style) -> str:
    """Return the attributes of a style."""
    bold = ' font-weight="bold"' if style.bold else ""
    return f' fill="{COLOURS.get(style.colour, "#768390" if style.dim else "#adbac7")}"{bold}'
