"""The open roll: two dice, their total against the target numbers, and the window in which tokens may be spent.

The window `open roll` carries the whole roll, for uses of tokens, rerolls and the close. There is one at most.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from typing import Final, Literal, TypeVar

import msgspec

from ledger.dice import Dice
from ledger.errors import BadFaces
from ledger.facts import Die, EntryId, Fact, Rolled, Step, Sum
from projections.state import State
from rulebooks.dusk_bastards.declarations.parts import Cost, Stat
from rulebooks.dusk_bastards.texts import refusal

OPEN_ROLL: Final = "open roll"
SIDES: Final = 12
TAKING_20: Final = 20
DestinedEffect = Literal["dawn", "dusk", "eclipse"]


class RollTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One target of a roll: its target number (0: it is hit without regard to the roll), and the effect of a hit."""

    against: str
    note: str
    base: int
    target: int
    sums: tuple[Sum, ...]


class Roll(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An open roll. `kind` says which function takes its consequences, `note` is data for that function."""

    kind: str = "task"
    against: str = ""
    note: str = ""
    who: str
    task: str
    stat: Stat
    base: int
    duration: int | None
    hidden: bool
    floor: int  # 20 when taking 20, else 0
    target: int | None  # None: there is nothing to reach
    bonus: int = 0  # on the total: initiative, wounds already carried
    dawn: int = 0
    dusk: int = 0
    purpose: str = ""
    destiny: int = 0  # gained by this task and not spent: only these change its target number
    doom: int = 0
    retries: str = ""  # the failed attempt that this one tries again
    locates: str = ""  # the being that a success locates
    rules: tuple[str, ...] = ()  # besides those of its kind: of its purpose, and of modifiers of 0 steps
    spent: tuple[Cost, ...] = ()
    back: tuple[Cost, ...] = ()  # points that Eclipses have refunded
    sums: tuple[Sum, ...] = ()
    others: tuple[RollTarget, ...] = ()  # further targets of an area, against which the same total counts
    skill: str | msgspec.UnsetType = msgspec.UNSET  # of the sheet, where the task has other words
    weapon: str | msgspec.UnsetType = msgspec.UNSET  # of the foe, against whom the roll defends
    fiat: str = ""  # the result that the game master ruled, instead of the dice

    @property
    def total(self) -> int:
        """DB-ROLL-1: the sum of both dice. DB-T20-1: 20 at least when taking 20."""
        return max(self.floor, self.dawn + self.dusk) + self.bonus

    @property
    def is_success(self) -> bool:
        """DB-ROLL-1: the target number or more; no face succeeds or fails by itself. DB-PLAY-7: unless it is ruled."""
        if self.fiat:
            return self.fiat == "success"
        return self.target is None or self.total >= self.target

    @property
    def is_certain(self) -> bool:
        """DB-AREA-1: a target whose final difficulty is 0 is hit without regard to the roll."""
        for sum_ in self.sums:
            if sum_.total == 0 and sum_.name == "difficulty":
                return not self.fiat
        return False

    def per_target(self) -> tuple[Roll, ...]:
        """DB-AREA-1: the one roll against each of its targets, in their order."""
        if not self.others:
            return (self,)
        others = (msgspec.structs.replace(self, **msgspec.structs.asdict(other), others=()) for other in self.others)
        return (msgspec.structs.replace(self, others=()), *others)

    @property
    def effect(self) -> DestinedEffect:
        """DB-DEST-1: Dawn die higher: Dawn. Dusk die higher: Dusk. Equal: Eclipse. From the faces as rolled."""
        if self.dawn == self.dusk:
            return "eclipse"
        return "dawn" if self.dawn > self.dusk else "dusk"

    def encode(self) -> str:
        """Return the roll as canonical JSON, for its window."""
        data = ENCODER.encode(self).decode()
        ENCODED.clear()
        ENCODED[data] = self
        return data


T = TypeVar("T", Roll, RollTarget)
ROLLS: Final = msgspec.json.Decoder(Roll)
ENCODER: Final = msgspec.json.Encoder(order="deterministic")
ENCODED: Final[dict[str, Roll]] = {}  # the last roll that was encoded: mostly it is the next that is asked for


def open_roll(state: State) -> Roll | None:
    """DB-DEST-4: the one roll whose window is open, if any."""
    window = state.windows.get(OPEN_ROLL)
    return (ENCODED.get(window.data) or _decode_roll(window.data)) if window else None


@lru_cache(maxsize=4)
def _decode_roll(data: str) -> Roll:
    """Return the roll in this JSON: each use of a token asks for it, and so does the close."""
    return ROLLS.decode(data)


def is_roll_open(state: State) -> bool:
    """DB-DEST-4: whether the window of a roll is open."""
    return OPEN_ROLL in state.windows


def check_dice(dice: Dice, rolls: int) -> None:
    """DB-ROLL-5: faces typed in are 1 to 12, Dawn and Dusk of every roll in this order."""
    try:
        dice.expect(*[SIDES] * (2 * rolls))
    except BadFaces as error:
        raise refusal("DIE", sides=SIDES) from error


def throw(roll: Roll, dice: Dice, purpose: str, state: State) -> Generator[Fact, None, Roll]:
    """DB-ROLL-1: one Dawn d12 and one Dusk d12, always in this order; return the roll with their faces."""
    dawn, dusk = dice.throw(purpose, SIDES, SIDES)
    if state.is_read:
        shown = (
            Die(ordinal=0, sides=SIDES, face=dawn, label="Dawn"),
            Die(ordinal=1, sides=SIDES, face=dusk, label="Dusk"),
        )
        rules = ("DB-ROLL-1", "DB-PLAY-5")
        yield Rolled(rules=rules, who=roll.who, purpose=purpose, source=dice.source, dice=shown)
    return msgspec.structs.replace(roll, dawn=dawn, dusk=dusk, purpose=purpose)


def shift_targets(roll: Roll, by: int, rule: str, reason: str) -> Roll:
    """DB-DEST-10, DB-AREA-3: every target number so much higher or lower; it stays so after a later reroll."""

    def shift(target: T, is_certain: bool) -> T:
        if is_certain:
            return target
        number = (target.target or 0) + by
        step = Step(op="+" if by > 0 else "-", value=abs(by), rule=rule, because=reason, now=number)
        sums = (_with_step(sum_, step) if sum_.name == "target number" else sum_ for sum_ in target.sums)
        return msgspec.structs.replace(target, target=number, sums=tuple(sums))

    first, *others = [each.is_certain for each in roll.per_target()]
    return msgspec.structs.replace(shift(roll, first), others=tuple(map(shift, roll.others, others)))


def _with_step(sum_: Sum, step: Step) -> Sum:
    """Return the sum with one step more."""
    return msgspec.structs.replace(sum_, steps=(*sum_.steps, step), total=step.now)


# The consequences of a final result: each kind of roll registers the function that yields them

Consequences = Callable[[Roll, State, bool, EntryId | None], Iterator[Fact]]

REGISTERED: Final[dict[str, Consequences]] = {}


def consequences_of(kind: str) -> Callable[[Consequences], Consequences]:
    """Register a function for the final results of this kind of roll (Roll.kind)."""

    def register(consequences: Consequences) -> Consequences:
        REGISTERED[kind] = consequences
        return consequences

    return register


def apply_consequences(roll: Roll, state: State, *, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-PLAY-8: the consequences of a final result; `opened` is the entry of its roll, None: this one."""
    return REGISTERED[roll.kind](roll, state, won, opened)
