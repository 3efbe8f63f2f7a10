"""The open roll: two dice, their total against the target number, and the window in which tokens may be spent.

The window `open roll` carries everything that a spend, a reroll or the close needs to know, as the book's own
note. There is one at a time at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from ledger.dice import Dice
from ledger.errors import BadFaces
from ledger.facts import Die, Fact, Judged, Rolled, Step, Sum
from projections.state import State
from rulebooks.dusk_bastards.declarations import Cost, Stat
from rulebooks.dusk_bastards.texts import refused

OPEN_ROLL: Final = "open roll"
SIDES: Final = 12
TAKING_20: Final = 20
BONUSES: Final = {
    "initiative": ("DB-ENC-2", "three for each step"),
    "wound": ("DB-WOUND-1", "wounds already carried"),
}
JUDGED_AS: Final = {"area": "attack"}
KIND_RULES: Final = {
    "area": ("DB-AREA-1", "DB-STD-1", "DB-ROLL-4"),
    "attack": ("DB-STD-1", "DB-ROLL-4"),
    "defence": ("DB-ROLL-3", "DB-ROLL-4"),
    "initiative": ("DB-ENC-2",),
    "intercept": ("DB-ROLL-4",),
    "move": ("DB-MOVE-2",),
    "wound": ("DB-WOUND-1",),
}
DestinedEffect = Literal["dawn", "dusk", "eclipse"]
EFFECTS: Final[dict[DestinedEffect, str]] = {"dawn": "DB-DEST-2", "dusk": "DB-DEST-9", "eclipse": "DB-DEST-12"}


class Aim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One target of a roll: its target number (0: it is hit without regard to the roll), and what a hit does."""

    against: str
    note: str
    base: int
    target: int
    sums: tuple[Sum, ...]


class Roll(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll as it stands while it is open. `kind` says which chapter takes its consequences, `note` is that one's."""

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
    locates: str = ""  # who is found by a success
    rules: tuple[str, ...] = ()  # besides those of its kind: of what it is for, of what was there and bore nothing
    spent: tuple[Cost, ...] = ()
    back: tuple[Cost, ...] = ()  # what Eclipses have refunded
    sums: tuple[Sum, ...] = ()
    others: tuple[Aim, ...] = ()  # further targets of an area, against which the same total counts
    fiat: str = ""  # the result that the game master ruled, whatever the dice say

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
        return not self.fiat and any(found.name == "difficulty" and not found.total for found in self.sums)

    def per_target(self) -> tuple[Roll, ...]:
        """DB-AREA-1: the one roll as it stands against each of its targets, in their order."""
        others = (
            msgspec.structs.replace(
                self, against=one.against, note=one.note, base=one.base, target=one.target, sums=one.sums, others=()
            )
            for one in self.others
        )
        return (msgspec.structs.replace(self, others=()), *others)

    @property
    def effect(self) -> DestinedEffect:
        """DB-DEST-1: Dawn die higher: Dawn. Dusk die higher: Dusk. Equal: Eclipse. From the faces as rolled."""
        if self.dawn == self.dusk:
            return "eclipse"
        return "dawn" if self.dawn > self.dusk else "dusk"

    def encode(self) -> str:
        """The note that the window carries."""
        return msgspec.json.encode(self, order="deterministic").decode()


def open_roll(state: State) -> Roll | None:
    """DB-DEST-4: the one roll whose window is open, if any."""
    window = state.windows.get(OPEN_ROLL)
    return msgspec.json.decode(window.data, type=Roll) if window else None


def check_dice(dice: Dice, rolls: int) -> None:
    """DB-ROLL-5: faces typed in are 1 to 12, Dawn and Dusk of every roll in this order."""
    try:
        dice.expect(*[SIDES] * (2 * rolls))
    except BadFaces as error:
        raise refused("DIE", sides=SIDES) from error


def throw(roll: Roll, dice: Dice, purpose: str) -> tuple[Roll, Rolled]:
    """DB-ROLL-1: one Dawn d12 and one Dusk d12, always in this order."""
    dawn, dusk = dice.throw(purpose, SIDES, SIDES)
    rolled = Rolled(
        rules=("DB-ROLL-1", "DB-PLAY-5"),
        who=roll.who,
        purpose=purpose,
        source=dice.source,
        dice=(
            Die(ordinal=0, sides=SIDES, face=dawn, why="Dawn"),
            Die(ordinal=1, sides=SIDES, face=dusk, why="Dusk"),
        ),
    )
    return msgspec.structs.replace(roll, dawn=dawn, dusk=dusk, purpose=purpose), rolled


def judge(roll: Roll, *, final: bool) -> Iterator[Fact]:
    """DB-AREA-1: one result for each target, in the order in which they were named."""
    for one in roll.per_target():
        yield judgement(one, final=final)


def outcome(roll: Roll) -> str:
    """DB-PLAY-5: what the total comes to."""
    if roll.target is None:
        return "rolled"
    return "routine" if roll.is_certain else "success" if roll.is_success else "failure"


def judgement(roll: Roll, *, final: bool) -> Judged:
    """DB-PLAY-5: success when the total reaches the target number; provisional until the window closes."""
    taking = ("DB-T20-1", "DB-T20-2") if roll.floor else ()
    beyond = ("DB-DIFF-4",) if (roll.target or 0) >= 2 * SIDES else ()
    last = ("DB-PLAY-8",) if final else ()
    return Judged(
        rules=(
            *("DB-ROLL-1", "DB-DIFF-1", "DB-DEST-4"),
            *(*modifier_rules(roll), *taking, *beyond, *KIND_RULES.get(roll.kind, ()), *roll.rules, *last),
        ),
        what=JUDGED_AS.get(roll.kind, roll.kind),
        who=roll.who,
        against=roll.against,
        sums=(*roll.sums, total_sum(roll)),
        total=roll.total,
        target=roll.target,
        result=outcome(roll),
        margin=None if roll.target is None else roll.total - roll.target,
        rolls=(roll.purpose,),
        window=OPEN_ROLL,
        final=final,
        seen="gm" if roll.hidden else "table",
    )


def modifier_rules(roll: Roll) -> tuple[str, ...]:
    """DB-MOD-1, DB-MOD-2: what modifies the difficulty, for this one roll. DB-WOUND-6: a kind of wound counts once."""
    steps = [step for found in roll.sums if found.name in ("difficulty", "steps") for step in found.steps]
    wounded = ("DB-WOUND-6",) if any(step.rule == "DB-WOUND-7" for step in steps) else ()
    return ("DB-MOD-1", "DB-DIFF-2", "DB-MOD-2", *wounded) if steps else ()


def total_sum(roll: Roll) -> Sum:
    """The arithmetic of the dice."""
    faces = roll.dawn + roll.dusk
    steps = [Step(op="+", value=roll.dusk, rule="DB-ROLL-1", reason="Dusk die", now=faces)]
    if roll.floor > faces:
        steps.append(Step(op="max", value=roll.floor, rule="DB-T20-1", reason="taking 20", now=roll.floor))
    if roll.bonus:
        rule, reason = BONUSES[roll.kind]
        steps.append(Step(op="+", value=roll.bonus, rule=rule, reason=reason, now=roll.total))
    return Sum(name="total", start=roll.dawn, steps=tuple(steps), total=roll.total)


def destined_effect(roll: Roll) -> Fact:
    """DB-ROLL-2: every roll of two dice has exactly one destined effect, whether it succeeds or fails."""
    no_task = ("DB-DEST-14",) if roll.target is None else ()
    return Judged(
        rules=("DB-DEST-1", "DB-ROLL-2", EFFECTS[roll.effect], *no_task),
        what="destined effect",
        who=roll.who,
        result=roll.effect,
        rolls=(roll.purpose,),
        final=True,
    )


def target_sum(difficulty: int, target: int) -> Sum:
    """DB-DIFF-1: the target number as the difficulty gives it."""
    step = Step(op="*", value=3, rule="DB-DIFF-1", reason="three for each step", now=target)
    return Sum(name="target number", start=difficulty, steps=(step,), total=target)


def shift_targets(roll: Roll, by: int, rule: str, reason: str) -> Roll:
    """DB-DEST-10, DB-AREA-3: every target number so much higher or lower; it stays so after a later reroll."""
    first, *others = (_shift_target(one, by, rule, reason) for one in roll.per_target())
    aims = (
        Aim(against=one.against, note=one.note, base=one.base, target=one.target or 0, sums=one.sums) for one in others
    )
    return msgspec.structs.replace(first, others=tuple(aims))


def _shift_target(roll: Roll, by: int, rule: str, reason: str) -> Roll:
    """The target number against one target; who is hit anyway has none."""
    if roll.is_certain:
        return roll
    target = (roll.target or 0) + by
    step = Step(op="+" if by > 0 else "-", value=abs(by), rule=rule, reason=reason, now=target)
    sums = tuple(
        Sum(name=found.name, start=found.start, steps=(*found.steps, step), total=target)
        if found.name == "target number"
        else found
        for found in roll.sums
    )
    return msgspec.structs.replace(roll, target=target, sums=sums)
