"""A QR code as lines of text: two rows of modules in each line, the light ones drawn, as on a dark terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.output import paint

BORDER: Final = 2
HALVES: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # dark above, dark below


def qr_lines(link: str) -> Iterator[str]:
    """Yield the lines of the QR code of a link. Needs segno, of the extra `serve`."""
    import segno  # imported here: it is of an extra

    rows = [tuple(map(int, row)) for row in segno.make(link, error="l", micro=False).matrix_iter(border=BORDER)]
    rows += [(0,) * len(rows[0])] * (len(rows) % 2)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        text = "".join(HALVES[pair] for pair in zip(upper, lower, strict=True))
        yield paint(text, fg="bright_white", bg="black")
