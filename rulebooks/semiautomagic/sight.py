"""Sight: light, concealment, invisibility; hiding and perceiving, locating; surprise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, Joined, Judged, Linked, Ruled
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import check_whole
from rulebooks.semiautomagic.checks import EntryDice, roll_sum
from rulebooks.semiautomagic.cover import TOTAL, effective_cover, perception_bonus
from rulebooks.semiautomagic.creatures import scale
from rulebooks.semiautomagic.declarations.scene import Conceal, SetLight
from rulebooks.semiautomagic.declarations.turns import Hide, Locate, Notice, Perceive, Surprise
from rulebooks.semiautomagic.guards import check_able, check_turn, entry, find_creature
from rulebooks.semiautomagic.squares import check_square, square_of
from rulebooks.semiautomagic.texts import check_reason, outside_domain, refusal

LIGHTS: Final = ("clear", "hazy", "darkness")
HAZY: Final = "hazy"
DARKNESS: Final = "darkness"
HERE: Final = "Here"
PLACE: Final = "place"
CONCEALED: Final = "concealed"
INVISIBLE: Final = "invisible"
DUSTED: Final = "dusted"
HIDDEN: Final = "hidden"
SEES: Final = "sees"
LOCATED: Final = "located"
FLAT_FOOTED: Final = "flat-footed"
AWARE: Final = "aware"
INVISIBLE_TARGET: Final = 4
CONCEALED_TARGET: Final = 1

Causes = list[tuple[str, str]]  # rule and cause


# What an observer sees


def place_of(who: str, state: State) -> str:
    """TT-LIT-1: the place of a creature, whose light counts."""
    return state.place(who) or HERE


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
    if light_of(place_of(who, state), state)[0] == DARKNESS and not entry(observer, "sees_in_dark", state):
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
    sees = dark and (entry(observer, "lowlight", state) or entry(observer, "sees_in_dark", state))
    if light == HAZY and not sees:
        causes.append(("TT-GAP-32" if dark else "TT-LIT-1", "night" if dark else "hazy light"))
    return causes


def add_sight(steps: SumSteps, who: str, observer: str, state: State) -> bool:
    """TT-INV-3: invisible is +4 Target, else TT-CON-1: concealed is +1. Returns whether it is invisible."""
    causes = invisibility(who, observer, state)
    if causes:
        steps.add(INVISIBLE_TARGET, "TT-INV-3", "invisible: " + ", ".join(cause for _, cause in causes))
        return True
    causes = concealment(who, observer, state)
    if causes:
        steps.add(CONCEALED_TARGET, "TT-CON-1", "concealment: " + ", ".join(cause for _, cause in causes))
    return False


def sight_rules(who: str, observer: str, state: State) -> tuple[str, ...]:
    """Return the rules by which a creature is hard to see for an observer."""
    invisible = invisibility(who, observer, state)
    causes = invisible or concealment(who, observer, state)
    first = ("TT-INV-3",) if invisible else ("TT-CON-1",) if causes else ()
    return tuple(dict.fromkeys((*first, *(rule for rule, _ in causes))))


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


# Hiding and perceiving


def can_hide(who: str, state: State) -> bool:
    """TT-CON-2: cover or concealment; TT-GAP-39: invisibility is enough, too. Who looks has no better eyes here."""
    unseen = [rule for rule, _ in unseen_causes(who, "", state) if rule != "TT-INV-1"]  # hiding is no reason to hide
    return effective_cover(who, state) is not None or bool(unseen or concealment(who, "", state))


def hide(said: Hide, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-CON-2: a stealth check; TT-GAP-34: its total and the bonus of the cover are the DC to see the hider."""
    find_creature(said.by, state)
    check_turn(said.by, state)
    if not can_hide(said.by, state):
        raise refusal("NO-HIDING", name=said.by)
    bonus, rules = perception_bonus(said.by, state)
    purpose, cited = f"stealth {said.by}", ("TT-CON-2", "TT-GAP-34")
    if said.total is None:
        steps = yield from roll_sum(said.by, purpose, "perception DC", state, EntryDice(dice), *cited)
        steps.add(entry(said.by, "stealth", state), "TT-CON-2", "stealth")
        steps.add(-scale(said.by, state), "TT-OUT-7", "scale")
    else:
        check_whole("total", said.total, -100, 100, outside_domain)
        steps = SumSteps("perception DC", said.total)
    steps.add(bonus, rules[0] if rules else "TT-GAP-34", "hiding behind the cover")
    yield Judged(
        rules=(*cited, *rules),
        what="hide",
        who=said.by,
        sums=(steps.sum(),),
        total=steps.total,
        result="hidden",
        rolls=(purpose,) if said.total is None else (),
        final=True,
        seen=seen_of(said.by, state),
    )
    for observer in state.ties_to(said.by, SEES):
        yield Linked(rules=cited, one=observer, tie=SEES, other=said.by, on=False)
    yield new_condition(said.by, HIDDEN, *cited, *rules, degree=steps.total)


def seen_of(who: str, state: State) -> str:
    """Return who sees the numbers of a being."""
    being = state.being(who)
    return being.seen if being else "table"


def perceive(said: Perceive, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-INV-1: who reaches the DC sees the hider; to all others it is invisible. TT-GAP-10: who sees, knows."""
    find_creature(said.by, state)
    find_creature(said.target, state, "target")
    check_able(said.by, state)
    purpose, rules = f"perception {said.by}", ("TT-INV-1", "TT-GAP-34")
    if said.total is None:
        steps = yield from roll_sum(said.by, purpose, "perception", state, EntryDice(dice), *rules)
        steps.add(entry(said.by, "perception", state), "TT-INV-1", "perception")
    else:
        check_whole("total", said.total, -100, 100, outside_domain)
        steps = SumSteps("perception", said.total)
    hidden = find_condition(said.target, HIDDEN, state)
    reached = hidden is None or steps.total >= hidden.degree
    others = [rule for rule, _ in invisibility(said.target, said.by, state) if rule != "TT-INV-1"]
    seen = reached and not others
    yield Judged(
        rules=rules,
        what="perceive",
        who=said.by,
        against=said.target,
        sums=(steps.sum(),),
        total=steps.total,
        target=hidden.degree if hidden else None,
        result="seen" if seen else "unseen",
        margin=steps.total - hidden.degree if hidden else None,
        rolls=(purpose,) if said.total is None else (),
        final=True,
        seen=seen_of(said.target, state),
    )
    if reached and hidden is not None:
        yield from set_tie(said.by, SEES, said.target, state, "TT-INV-1")
    elif not reached:
        yield from end_tie(said.by, SEES, said.target, state, "TT-INV-1")
    if seen:
        yield from become_aware(said.by, said.target, state)


def set_tie(who: str, tie: str, other: str, state: State, *rules: str) -> Iterator[Fact]:
    """Begin a tie between two creatures, unless it is there."""
    if other not in state.ties_from(who, tie):
        yield Linked(rules=rules, one=who, tie=tie, other=other)


def end_tie(who: str, tie: str, other: str, state: State, *rules: str) -> Iterator[Fact]:
    """End a tie between two creatures, if there is one."""
    if other in state.ties_from(who, tie):
        yield Linked(rules=rules, one=who, tie=tie, other=other, on=False)


def locate(said: Locate, state: State) -> Iterator[Fact]:
    """TT-INV-2: the square of an invisible creature is found: guessed, told, or heard. TT-GAP-38: until it moves."""
    find_creature(said.by, state)
    find_creature(said.target, state, "target")
    check_able(said.by, state)
    square = check_square("square", said.square)
    if said.lost:
        yield from end_tie(said.by, LOCATED, said.target, state, "TT-GAP-38")
        return
    right = square is None or square_of(said.target, state) in (None, square)
    yield Judged(
        rules=("TT-INV-2",),
        what="locate",
        who=said.by,
        against=said.target,
        result="located" if right else "wrong square",
        final=True,
    )
    yield Ruled(rules=("TT-INV-2",), name="locate", text=said.how, because=said.reason or said.how, about=said.target)
    if right:
        yield from set_tie(said.by, LOCATED, said.target, state, "TT-INV-2", "TT-GAP-38")


# Surprise


def surprise(said: Surprise, state: State) -> Iterator[Fact]:
    """TT-SUR-1, TT-SUR-2: who did not know of its foe is flat-footed, against this foe alone."""
    find_creature(said.by, state)
    find_creature(said.target, state, "target")
    check_able(said.by, state)
    if said.by in state.ties_from(said.target, AWARE):
        raise refusal("AWARE", name=said.target, other=said.by)
    yield from set_tie(said.target, FLAT_FOOTED, said.by, state, "TT-SUR-1", "TT-SUR-2")


def notice(said: Notice, state: State) -> Iterator[Fact]:
    """TT-GAP-10: who knows of a creature is no longer flat-footed against it."""
    find_creature(said.by, state)
    find_creature(said.target, state, "target")
    if said.lost:
        yield from end_tie(said.by, AWARE, said.target, state, "TT-GAP-10")
    else:
        yield from become_aware(said.by, said.target, state)


def become_aware(who: str, other: str, state: State) -> Iterator[Fact]:
    """TT-GAP-10: a creature knows of another, and is no longer flat-footed against it."""
    yield from set_tie(who, AWARE, other, state, "TT-GAP-10")
    yield from end_tie(who, FLAT_FOOTED, other, state, "TT-GAP-10")
