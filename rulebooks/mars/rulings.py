"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ledger.facts import Fact, PoolSet, Scalar, SheetChanged
from projections.state import Being, State
from rulebooks.common.conditions import has_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.value_table import ValueTable
from rulebooks.common.values import number
from rulebooks.mars import guards
from rulebooks.mars.combat.weapons import HELD
from rulebooks.mars.harm.wounds import begin_dying, end_dying, end_dying_of_healed, fall, kill, knock_out
from rulebooks.mars.maneuvers.slots import ENTRY
from rulebooks.mars.tasks import roll_values, stat_values
from rulebooks.mars.texts import TEXTS, check_whole, left_over, no_text, value_refusal
from rulebooks.mars.turns import challenges, hands

RULE: Final = "GR-GAP-54"
PLAIN: Final = (guards.PRONE, guards.BLIND, guards.ENCUMBERED, guards.OVERENCUMBERED, guards.SURPRISED, guards.DEFEATED)
CONDITIONS: Final = (*PLAIN, guards.UNCONSCIOUS, guards.DYING, guards.DEAD)
GRADES: Final = (challenges.SIMPLE, "elite")
TEAM: Final = "team"
BEGINNINGS: Final[Mapping[str, Callable[[str, State, str], Iterator[Fact]]]] = {
    guards.DEAD: kill,
    guards.DYING: begin_dying,
    guards.UNCONSCIOUS: knock_out,
}


class Values(ValueTable):
    """GR-GAP-54: pools, conditions, and entries of the sheet."""

    field = "the value"
    domain = "a value of somebody in play (NAME.health)"
    owned = guards.HEALTH
    conditions = CONDITIONS

    def set_points(self, who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
        """Set a pool within its bounds. GR-GAP-58, GR-DMG-4: what follows from it follows."""
        if pool == guards.HEALTH:
            yield new_health(who, to, because, state)
        else:
            yield from super().set_points(who, pool, to, because, state)
        yield from end_dying_of_healed(who, state)
        yield from fall(who, state)

    def begin(self, who: str, name: str, state: State) -> Iterator[Fact]:
        """Begin a condition with what follows from it, but of the dead none."""
        if has_condition(who, guards.DEAD, state):
            raise value_refusal(f"{who}'s {name}", "0 for the dead", 1)
        return BEGINNINGS[name](who, state, self.rule) if name in BEGINNINGS else super().begin(who, name, state)

    def end(self, who: str, name: str, because: str, state: State) -> Iterator[Fact]:
        """End a condition; that of the dying with their count."""
        dying = name == guards.DYING
        return end_dying(who, state, "ruling", self.rule) if dying else super().end(who, name, because, state)

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """GR-GAP-54, GR-CHAL-3: set an entry of the sheet: a number, a roll value, a team, a grade, what is in hand."""
        who, was = being.name, state.sheet(being.name, entry)
        if entry == challenges.GRADE:
            if to not in GRADES:
                raise value_refusal(f"{who}'s grade", " or ".join(GRADES), to)
        elif entry == HELD:
            to = ", ".join(hands.find_items(who, tuple(name for name in str(to).split(", ") if name), state))
        elif entry != TEAM and was is None and not entry.startswith(stat_values.SKILL):
            known = ", ".join([*CONDITIONS, challenges.GRADE, TEAM, *state.sheet_of(who)])
            raise value_refusal("the value", known, entry)
        elif isinstance(was, int):
            check_whole(f"{who}'s {entry}", number(entry, to, value_refusal), 0)
        elif isinstance(was, str) and not entry.startswith(ENTRY) and was.startswith("r") and was[1:2].isdigit():
            roll_values.parse_roll_value(str(to).partition(" ")[0], state, entry)
        rules = ("GR-CHAL-3", RULE) if entry == challenges.GRADE else (RULE,)
        now = to if to != "" else None
        if was != now:
            yield SheetChanged(rules=rules, who=who, key=entry, was=was, now=now, because=because)


def new_health(who: str, to: int, because: str, state: State) -> PoolSet:
    """GR-DMG-3: health, which may be below 0."""
    old = state.pools[who, guards.HEALTH]
    if old.most is not None and to > old.most:
        raise value_refusal(f"{who}'s health", f"{old.most} or less", to)
    return PoolSet(
        rules=(RULE,), who=who, pool=guards.HEALTH, was=old.points, now=to, least=None, most=old.most, because=because
    )


RULEBOOK: Final = Rulebook(
    texts=TEXTS, rules=(RULE,), values=Values(RULE, value_refusal), no_text=no_text, left_over=left_over
)
