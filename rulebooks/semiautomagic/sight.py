"""Sight: light, concealment and invisibility, as an observer sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.facts import Fact, Joined, Ruled
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic.cover import TOTAL, effective_cover
from rulebooks.semiautomagic.declarations.scene import Conceal, SetLight
from rulebooks.semiautomagic.guards import find_creature
from rulebooks.semiautomagic.squares import HERE, place_of
from rulebooks.semiautomagic.texts import check_reason, outside_domain

LIGHTS: Final = ("clear", "hazy", "darkness")
HAZY: Final = "hazy"
DARKNESS: Final = "darkness"
PLACE: Final = "place"
CONCEALED: Final = "concealed"
INVISIBLE: Final = "invisible"
DUSTED: Final = "dusted"
HIDDEN: Final = "hidden"
SEES: Final = "sees"
INVISIBLE_TARGET: Final = 4
CONCEALED_TARGET: Final = 1

Causes = list[tuple[str, str]]  # rule and cause


# What an observer sees


def light_of(place: str, state: State) -> tuple[str, bool]:
    """TT-LIT-1, TT-GAP-32: the light of a place, and whether it is the dark of night; without its own, that of Here."""
    for where in (place, HERE):
        for light in LIGHTS:
            condition = find_condition(where, light, state)
            if condition is not None:
                return light, condition.about == "dark"
    return LIGHTS[0], False


def invisibility(who: str, observer: str, state: State) -> Causes:
    """TT-INV-1, TT-GAP-11: why an observer cannot see a creature; however many causes, it is one invisibility."""
    causes = unseen_causes(who, observer, state)
    cover, own = effective_cover(who, state, observer), effective_cover(observer, state, who)
    if cover is not None and cover.effective == TOTAL:
        causes.append(("TT-COV-4", "total cover"))
    if own is not None and own.effective == TOTAL:
        causes.append(("TT-GAP-37", f"the total cover of {observer}"))
    return causes


def unseen_causes(who: str, observer: str, state: State) -> Causes:
    """TT-INV-1, TT-LIT-1: invisible by itself, in total darkness, or hiding from this observer."""
    causes: Causes = []
    if has_condition(who, INVISIBLE, state) and not has_condition(who, DUSTED, state):
        causes.append(("TT-INV-3", "invisible"))
    if light_of(place_of(who, state), state)[0] == DARKNESS and not sheet_number(observer, "sees_in_dark", state):
        causes.append(("TT-LIT-1", "total darkness"))
    if has_condition(who, HIDDEN, state) and who not in state.ties_from(observer, SEES):
        causes.append(("TT-INV-1", "hidden"))
    return causes


def concealment(who: str, observer: str, state: State) -> Causes:
    """TT-CON-1, TT-GAP-11: why a creature is hard to see; however many causes, it is one concealment."""
    causes: Causes = []
    if has_condition(who, CONCEALED, state):
        causes.append(("TT-CON-1", "concealed"))
    if has_condition(who, INVISIBLE, state) and has_condition(who, DUSTED, state):
        causes.append(("TT-CON-1", "dusted"))
    light, dark = light_of(place_of(who, state), state)
    sees = dark and (sheet_number(observer, "lowlight", state) or sheet_number(observer, "sees_in_dark", state))
    if light == HAZY and not sees:
        causes.append(("TT-GAP-32" if dark else "TT-LIT-1", "night" if dark else "hazy light"))
    return causes


class Sight(NamedTuple):
    """Why an observer does not see a creature, or sees it badly."""

    is_invisible: bool
    causes: Causes

    def add_to(self, steps: SumSteps) -> None:
        """TT-INV-3: invisible is +4 Target, else TT-CON-1: concealed is +1."""
        words = ", ".join(cause for _, cause in self.causes)
        if self.is_invisible:
            steps.add(INVISIBLE_TARGET, "TT-INV-3", f"invisible: {words}")
        elif self.causes:
            steps.add(CONCEALED_TARGET, "TT-CON-1", f"concealment: {words}")

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the rules by which a creature is hard to see."""
        first = ("TT-INV-3",) if self.is_invisible else ("TT-CON-1",) if self.causes else ()
        return tuple(dict.fromkeys((*first, *(rule for rule, _ in self.causes))))


def sight_of(who: str, observer: str, state: State) -> Sight:
    """TT-INV-3: how an observer sees a creature; who is invisible is not concealed too."""
    causes = invisibility(who, observer, state)
    return Sight(True, causes) if causes else Sight(False, concealment(who, observer, state))


@decides(SetLight)
def set_light(said: SetLight, state: State) -> Iterator[Fact]:
    """TT-LIT-1: clear, hazy or total darkness; TT-GAP-32: hazy may be the dark of night."""
    if said.light not in LIGHTS:
        raise outside_domain("light", f"one of {', '.join(LIGHTS)}", said.light)
    if said.dark and said.light != HAZY:
        raise outside_domain("dark", "said of hazy light", said.light)
    place = said.place or HERE
    being = state.being(place)
    if being is not None and being.kind != PLACE:
        raise outside_domain("place", "the name of a place", place)
    if being is None:
        yield Joined(rules=("TT-LIT-1",), who=place, kind=PLACE, side="gm", sheet=(), seen="table")
    place = place if being is None else being.name
    for light in LIGHTS:
        if has_condition(place, light, state):
            yield condition_end(f"{light} {place}", state, "another light", "TT-LIT-1")
    rules = ("TT-LIT-1", *(("TT-GAP-32",) if said.dark else ()))
    yield new_condition(place, said.light, *rules, about="dark" if said.dark else "")


@decides(Conceal)
def conceal(said: Conceal, state: State) -> Iterator[Fact]:
    """TT-CON-1, TT-INV-1: the game master rules that somebody is hard to see, invisible, or neither."""
    find_creature(said.who, state, "who")
    check_reason(said.reason, "concealment")
    names = {"on": CONCEALED, "invisible": INVISIBLE, "dusted": DUSTED}
    rule = "TT-INV-3" if said.how == "invisible" else "TT-CON-1"
    yield Ruled(rules=(rule,), name="conceal", text=f"{said.who}: {said.how}", because=said.reason)
    if said.how != "off":
        yield new_condition(said.who, names[said.how], rule)
        return
    for name in names.values():
        if has_condition(said.who, name, state):
            yield condition_end(f"{name} {said.who}", state, said.reason, rule)


def seen_of(who: str, state: State) -> str:
    """Return who sees the numbers of a being."""
    being = state.being(who)
    return being.seen if being else "table"
