"""Smaller PNG files: the pictures of pages have few colours, and 256 of them need a third of the bytes."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
MOST: Final = 256
Colour = tuple[int, int, int]


def with_palette(image: bytes) -> bytes:
    """Return a PNG of true colours as one of 256: those that are used most, for each other one the nearest of them."""
    width, height, depth, kind = struct.unpack(">IIBB", image[16:26])
    assert (depth, kind) in ((8, 2), (8, 6)), "a picture of true colours"
    size = 3 if kind == 2 else 4
    rows = list(
        rows_of(zlib.decompress(b"".join(body for name, body in chunks(image) if name == b"IDAT")), width, size)
    )
    pixels = [[(row[x], row[x + 1], row[x + 2]) for x in range(0, len(row), size)] for row in rows]
    palette = [colour for colour, _ in Counter(pixel for row in pixels for pixel in row).most_common(MOST)]
    numbers = {colour: number for number, colour in enumerate(palette)}
    for row in pixels:
        for pixel in row:
            if pixel not in numbers:
                numbers[pixel] = nearest(pixel, palette)
    body = b"".join(b"\x00" + bytes(numbers[pixel] for pixel in row) for row in pixels)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(map(bytes, palette))),
        (b"IDAT", zlib.compress(body, 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(chunk(name, content) for name, content in parts)


def nearest(pixel: Colour, palette: list[Colour]) -> int:
    """Return the number of the colour that differs least."""
    red, green, blue = pixel
    return min(
        range(len(palette)),
        key=lambda number: (
            (palette[number][0] - red) ** 2 + (palette[number][1] - green) ** 2 + (palette[number][2] - blue) ** 2
        ),
    )


def chunks(image: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a file: the name and the content of each."""
    place = len(SIGNATURE)
    while place < len(image):
        (length,) = struct.unpack(">I", image[place : place + 4])
        yield image[place + 4 : place + 8], image[place + 8 : place + 8 + length]
        place += length + 12


def chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk with its length and its checksum."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def rows_of(body: bytes, width: int, size: int) -> Iterator[bytes]:
    """Yield the rows of pixels of so many bytes, without the filters of the format."""
    length = width * size
    before = bytearray(length)
    for place in range(0, len(body), length + 1):
        row = bytearray(body[place + 1 : place + 1 + length])
        unfilter(body[place], row, before, size)
        yield bytes(row)
        before = row


def unfilter(kind: int, row: bytearray, above: bytearray, size: int) -> None:
    """Add to each byte of a row what its filter took away."""
    for x in range(len(row) if kind else 0):
        left, up = row[x - size] if x >= size else 0, above[x]
        corner = above[x - size] if x >= size else 0
        row[x] = (row[x] + (left, up, (left + up) // 2, paeth(left, up, corner))[kind - 1]) & 255


def paeth(left: int, up: int, corner: int) -> int:
    """Return the neighbour that is nearest to left + up - corner."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))
