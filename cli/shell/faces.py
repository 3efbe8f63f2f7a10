"""The faces of dice that are rolled at the table: asked for by name, and asked again if they cannot be right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from cli.output import remark

AskPerson = Callable[[str], str]


class AskedFaces:
    """Asks for the faces of each throw of one line, and remembers them: a line may be decided twice."""

    def __init__(self, beings: Sequence[str], ask: AskPerson) -> None:
        """`ask` returns the answer to a question. It raises KeyboardInterrupt if nobody answers."""
        self._beings, self._ask = beings, ask
        self._shown: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}

    def __call__(self, purpose: str, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Return the faces of the dice of a purpose."""
        if (purpose, sides) not in self._shown:
            self._shown[purpose, sides] = self._ask_until_right(purpose, sides)
        return self._shown[purpose, sides]

    def _ask_until_right(self, purpose: str, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Ask until there is a possible face for each die."""
        while True:
            words = re.findall(
                r"[^\s.,/]+", self._ask(f"{dice_names(sides)} for {throw_name(purpose, self._beings)}: ")
            )
            faces = [int(word) if re.fullmatch("[0-9]{1,7}", word, re.ASCII) else 0 for word in words]
            if len(faces) != len(sides):
                what = "one face" if len(sides) == 1 else f"{len(sides)} faces"
                remark(f"There {'is' if len(sides) == 1 else 'are'} {what} to type. Ctrl-C takes the line back.")
            elif wrong := [
                (word, most) for word, face, most in zip(words, faces, sides, strict=True) if not 1 <= face <= most
            ]:
                word, most = wrong[0]
                remark(f"a d{most} cannot show {word}. It shows 1 to {most}.")
            else:
                return tuple(faces)


def dice_names(sides: Sequence[int]) -> str:
    """Return the dice of a throw in their order: `2d12`, `d10, d4`."""
    counts = [(most, len(list(same))) for most, same in groupby(sides)]
    return ", ".join(f"{'' if count == 1 else count}d{most}" for most, count in counts)


def throw_name(purpose: str, beings: Sequence[str]) -> str:
    """Return the name of a throw: `Wallace's attack` for `attack Wallace`."""
    who = max((name for name in beings if purpose.endswith(f" {name}")), key=len, default="")
    return f"{who}'s {purpose.removesuffix(who).rstrip()}" if who else purpose
