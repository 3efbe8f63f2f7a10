"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Scalar, SheetChanged
from projections.state import Being, State
from rulebooks.common.conditions import has_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.value_table import ValueTable
from rulebooks.common.values import new_points, number, outside_domain
from rulebooks.monolith import guards, morale, scores, weapons, wounds
from rulebooks.monolith.texts import TEXTS, left_over, refusal

CONDITIONS: Final = (guards.CRITICAL, guards.TREATED, guards.STABLE, guards.UNCONSCIOUS, guards.DEAD, guards.FLED)


class Values(ValueTable):
    """ML-GAP-6: pools, conditions, and entries of the sheet."""

    domain = "a value of somebody in play (NAME.hp)"

    def conditions_of(self, being: Being) -> Collection[str]:
        """Of characters and foes, not of groups."""
        return CONDITIONS if being.kind in ("pc", "npc") else ()

    def value_now(self, being: Being, what: str, state: State) -> Scalar:
        """Return the value as it is; a text counts as 0."""
        now = super().value_now(being, what, state)
        return now if isinstance(now, int) else 0

    def change_value(self, name: str, change: int, because: str, state: State) -> Iterator[Fact]:
        """Change a value. ML-DIR-1: a loss of more hit points than are left goes on to Body, but for the Save."""
        being, what = self.find(name, state)
        who = being.name
        beyond = -change - state.points(who, scores.HP) if what == scores.HP and (who, scores.HP) in state.pools else 0
        if beyond <= 0:
            yield from super().change_value(name, change, because, state)
            return
        if state.points(who, scores.HP):
            yield from self.set_points(who, scores.HP, 0, because, state)
        yield from self.set_points(who, scores.BODY, max(0, state.points(who, scores.BODY) - beyond), because, state)

    def set_points(self, who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
        """Set hit points or Body within their bounds. ML-BODY-1: Body 0 is death."""
        yield new_points(who, pool, to, because, state, self.rule, "ML-GAP-31")
        if pool == scores.BODY and not to and not has_condition(who, guards.DEAD, state):
            yield from wounds.kill(who, state, "ML-BODY-1", "ML-GAP-31")

    def check_condition(self, who: str, name: str, to: int, state: State) -> None:
        """ML-BODY-1: Body 0 is death, and death ends all other conditions."""
        if name == guards.DEAD and not to and not state.points(who, scores.BODY):
            raise outside_domain(f"{who}'s {name}", "1 while Body is 0 (set Body first)", to)
        if name != guards.DEAD and to and has_condition(who, guards.DEAD, state):
            raise outside_domain(f"{who}'s {name}", "0 for the dead", to)

    def begin(self, who: str, name: str, state: State) -> Iterator[Fact]:
        """Begin a condition with what follows from it."""
        if name == guards.CRITICAL:
            yield from wounds.begin_critical(who, state)
        elif name == guards.TREATED:
            yield from wounds.treat(who, state, self.rule)
        elif name == guards.DEAD:
            yield from wounds.kill(who, state, self.rule)
        elif name == guards.FLED:
            yield morale.put_to_flight(who, state, self.rule)
        else:
            yield from super().begin(who, name, state)

    def end(self, who: str, name: str, because: str, state: State) -> Iterator[Fact]:
        """End a condition. ML-CRIT-4: for the critical who are treated no more the clock starts."""
        yield from super().end(who, name, because, state)
        if name == guards.TREATED and has_condition(who, guards.CRITICAL, state):
            yield wounds.start_clock(who, state, "ML-CRIT-4")

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """ML-GAP-4: set an entry of the sheet: armor, a score, a weapon."""
        who, was = being.name, state.sheet(being.name, entry)
        if entry.startswith(scores.WEAPON) and (isinstance(to, int) or weapons.parse_weapon(to, entry) is None):
            raise outside_domain(entry, "a die and its tags, as in d8 blast nonlethal", to)
        if isinstance(was, str) and isinstance(to, int):
            raise outside_domain(entry, "a text", to)
        if isinstance(was, int) and number(entry, to) < 0:
            raise outside_domain(f"{who}'s {entry}", "a whole number of 0 or more", to)
        if was != to:
            yield SheetChanged(rules=("ML-GAP-4",), who=who, key=entry, was=was, now=to, because=because)


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return refusal("RULING", what=what)


RULEBOOK: Final = Rulebook(
    texts=TEXTS, rules=("ML-GAP-6",), values=Values("ML-GAP-6"), no_text=no_text, left_over=left_over
)
