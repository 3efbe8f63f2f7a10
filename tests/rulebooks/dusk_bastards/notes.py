"""The notes of a player: pools, tokens and the open roll, computed from tables that are copied from the book."""

from __future__ import annotations

from dataclasses import dataclass, field

# From the book: the price of so many levels, whole and with a light wound; half of what was spent, rounded up.
PRICE = (0, 3, 5, 7, 9, 11, 13)
LIGHT_PRICE = (0, 4, 7, 10, 13, 16, 19)
REFUND = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10)
LEVEL = {"Ash": 2, "Bryn": 4, "Cole": 1}
LIMIT = {"Ash": 2, "Bryn": 3, "Cole": 1}
MOST = {
    "Ash": {"might": 12, "speed": 10, "intellect": 9},
    "Bryn": {"might": 9, "speed": 14, "intellect": 17},
    "Cole": {"might": 16, "speed": 16, "intellect": 8},
}


@dataclass
class Notes:
    """The notes of a player."""

    pools: dict[str, dict[str, int]]
    destiny: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LEVEL, 0))
    doom: int = 0
    light: set[str] = field(default_factory=set)
    open: str = ""  # whose roll is open
    stat: str = ""
    out: int = 0  # points of this roll that have not come back
    target: int = 0

    def close(self) -> None:
        if self.open:
            self.destiny[self.open] = min(self.destiny[self.open], LEVEL[self.open])
            self.open = ""

    def roll(self, who: str, dawn: int, dusk: int) -> str:
        """Apply the destined effect; return the result of the task."""
        if dawn > dusk:
            self.destiny[who] += 1
        elif dusk > dawn:
            self.doom += 2
        else:
            self.destiny[who] -= self.destiny[who] > 0
            self.doom -= self.doom > 0
            back = min(REFUND[self.out], MOST[who][self.stat] - self.pools[who][self.stat])
            self.pools[who][self.stat] += back
            self.out -= back
        return "success" if dawn + dusk >= self.target else "failure"
