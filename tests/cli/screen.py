"""The screen of a terminal: what a person sees after the output of a program, with all that has scrolled away.

It knows the sequences that a line editor writes: movement of the cursor, erasure, bold, dim and colours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from wcwidth import wcwidth

SEQUENCE = re.compile(r"\x1b\[([?>]?)([0-9;]*)([@-~])|\x1b[()][A-Z0-9]|\x1b[=>78]")
UNFINISHED = re.compile(r"\x1b(?:\[[?>]?[0-9;]*|[()])?\Z")


class Style(NamedTuple):
    """How a cell looks; `colour` is the number of a foreground colour, as in 32."""

    bold: bool = False
    dim: bool = False
    colour: int = 0


class Cell(NamedTuple):
    """A character, and how it looks. The second cell of a wide one is empty."""

    text: str
    style: Style = Style()


class Screen:
    """Rows of cells without end, and a cursor; `answer` writes to the program."""

    def __init__(self, width: int, height: int, answer: Callable[[bytes], object]) -> None:
        self.width, self.height, self.answer = width, height, answer
        self.rows: list[list[Cell]] = [[]]
        self.row = self.column = 0
        self.style = Style()
        self.prompts = 0  # how often an editor has begun to read a line
        self._rest = ""

    def feed(self, text: str) -> None:
        """Take output of the program."""
        text = self._rest + text
        cut = UNFINISHED.search(text)
        self._rest, text = (text[cut.start() :], text[: cut.start()]) if cut else ("", text)
        place = 0
        for found in SEQUENCE.finditer(text):
            self._print(text[place : found.start()])
            if found[3]:
                self._control(found[1], [int(part) for part in found[2].split(";") if part], found[3])
            place = found.end()
        self._print(text[place:])

    def lines(self) -> list[str]:
        """Return the rows as text, without spaces at their ends and without empty rows at the end of all."""
        texts = ["".join(cell.text for cell in row).rstrip() for row in self.rows]
        while texts and not texts[-1]:
            texts.pop()
        return texts

    def current_row(self) -> str:
        """Return the row of the cursor as text, without spaces at its end."""
        return "".join(cell.text for cell in self.rows[self.row]).rstrip()

    def _print(self, text: str) -> None:
        for letter in text:
            if letter == "\r":
                self.column = 0
            elif letter == "\n":
                self._move(1, 0)
            elif letter == "\b":
                self._move(0, -1)
            elif (wide := wcwidth(letter)) > 0:
                if self.column + wide > self.width:
                    self._move(1, 0)
                    self.column = 0
                self._put(Cell(letter, self.style))
                for _ in range(wide - 1):
                    self._put(Cell("", self.style))

    def _put(self, cell: Cell) -> None:
        row = self.rows[self.row]
        row.extend([Cell(" ")] * (self.column + 1 - len(row)))
        row[self.column] = cell
        self.column += 1

    def _move(self, down: int, right: int) -> None:
        self.row = max(0, self.row + down)
        self.column = max(0, self.column + right)
        self.rows.extend([] for _ in range(self.row + 1 - len(self.rows)))

    def _control(self, mark: str, numbers: list[int], letter: str) -> None:
        count = numbers[0] if numbers else 1
        if mark:
            self.prompts += (letter, numbers) == ("h", [2004])
        elif letter in "ABCD":
            self._move(*{"A": (-count, 0), "B": (count, 0), "C": (0, count), "D": (0, -count)}[letter])
        elif letter in "JK":
            del self.rows[self.row][self.column :]
            if letter == "J":
                del self.rows[self.row + 1 :]
        elif letter == "m":
            for number in numbers or [0]:
                self._restyle(number)
        elif (letter, numbers) == ("n", [6]):
            top = max(0, len(self.rows) - self.height)
            self.answer(f"\x1b[{self.row - top + 1};{self.column + 1}R".encode())

    def _restyle(self, number: int) -> None:
        if number == 0:
            self.style = Style()
        elif number == 1:
            self.style = self.style._replace(bold=True)
        elif number == 2:
            self.style = self.style._replace(dim=True)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            self.style = self.style._replace(colour=number)
