"""Wounds, dying and death; checks of the dying; healing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Counted, Fact, Judged, Ruled, WoundChanged, Wounded
from projections.state import State
from rulebooks.common.beings import find_being
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic import checks, creatures, guards, items
from rulebooks.semiautomagic.declarations.scene import Heal
from rulebooks.semiautomagic.declarations.turns import DyingCheck, Stabilise
from rulebooks.semiautomagic.texts import check_reason, option, outside_domain, refusal, unknown

KIND: Final = ""  # the book knows one kind of wounds
FIRST_DC: Final = 4
STABLE_FACE: Final = 10
STABILISE: Final = "stabilise"


def wound(who: str, by: str, state: State, *rules: str, at: str = "") -> Wounded:
    """TT-OUT-6: a wound, which lowers Toughness by 1."""
    numbers = [int(id.rsplit(" ", 1)[1]) for id, _ in state.wounds_of(who)]
    name, encounter = f"{creatures.WOUND} {max(numbers, default=0) + 1}", state.encounter.id if state.encounter else ""
    return Wounded(
        rules=rules, who=who, wound=name, kind=KIND, value=1, in_force=True, at=at, encounter=encounter, by=by
    )


def begin_dying(who: str, by: str, state: State, *rules: str) -> Iterator[Fact]:
    """TT-OUT-6: dying and unconscious, with an endurance check against DC 4 each round."""
    if option(state, "dying_adds_wound") == "on":
        yield wound(who, by, state, "TT-GAP-33", *rules)
    yield new_condition(who, guards.DYING, *rules, "TT-OUT-6", degree=FIRST_DC)
    yield new_condition(who, guards.UNCONSCIOUS, "TT-OUT-6")
    yield from die_if_hopeless(who, state)


def die_if_hopeless(who: str, state: State) -> Iterator[Fact]:
    """TT-OUT-6: dead when no face of the endurance check can succeed any more."""
    dying = find_condition(who, guards.DYING, state)
    best = checks.check_sides(state) + sheet_number(who, "endurance", state) - items.wounds(who, state)
    if dying is not None and best < dying.degree:
        yield from kill(who, state, "TT-OUT-6")


def settle_dying(state: State) -> Iterator[Fact]:
    """TT-OUT-6: whoever a changed reading or number leaves without hope is dead at once."""
    for id in sorted(state.conditions):
        condition = state.conditions.get(id)
        if condition is not None and condition.name == guards.DYING:
            yield from die_if_hopeless(condition.who, state)


def kill(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """TT-OUT-6: dead; neither dying nor unconscious any more, and no check is due."""
    for name in (guards.DYING, guards.UNCONSCIOUS):
        if has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, "dead", *rules)
    yield from checks.void_checks(who, state)
    yield new_condition(who, guards.DEAD, *rules)


# Checks of the dying


def check_dying(who: str, count: str, state: State) -> None:
    """TT-OUT-6: refuse a check of who is not dying, or has made it in this round."""
    guards.find_creature(who, state)
    guards.check_alive(who, state)
    if not has_condition(who, guards.DYING, state):
        raise refusal("NOT-DUE", case=guards.DYING, name=who)
    if state.count(who, count):
        raise refusal("NOT-DUE", case="round", name=who)


def count_check(who: str, count: str, state: State) -> Iterator[Fact]:
    """TT-OUT-6: once each round, while rounds are counted."""
    if state.encounter is not None:
        yield Counted(rules=("TT-OUT-6",), who=who, name=count, change=1, now=1, of=1, until="round")


@decides(DyingCheck)
def dying_check(said: DyingCheck, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-6: an endurance check, less 1 for each wound; a failure raises the DC by 1."""
    check_dying(said.by, guards.DYING_CHECK, state)
    dc = state.conditions[f"{guards.DYING} {said.by}"].degree
    purpose, rules = f"endurance {said.by}", ("TT-OUT-6", "TT-GAP-33")
    steps = yield from checks.roll_sum(said.by, purpose, "endurance", state, EntryDice(dice, refusal), *rules)
    steps.add(sheet_number(said.by, "endurance", state), "TT-OUT-6", "Endurance")
    steps.add(-items.wounds(said.by, state), "TT-OUT-6", "wounds")
    passed = steps.total >= dc
    yield Judged(
        rules=rules,
        what=guards.DYING_CHECK,
        who=said.by,
        sums=(steps.sum(),),
        total=steps.total,
        target=dc,
        result="passed" if passed else "failed",
        margin=steps.total - dc,
        rolls=(purpose,),
        final=True,
    )
    yield from count_check(said.by, guards.DYING_CHECK, state)
    if not passed:
        yield new_condition(said.by, guards.DYING, "TT-OUT-6", degree=dc + 1)
        yield from die_if_hopeless(said.by, state)


@decides(Stabilise)
def stabilise(said: Stabilise, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-6: a 10 on a d10, once each round, or a medicine check that the game master accepts; still unconscious."""
    if said.medicine:
        guards.find_creature(said.by, state)
        guards.check_alive(said.by, state)
        if not has_condition(said.by, guards.DYING, state):
            raise refusal("NOT-DUE", case=guards.DYING, name=said.by)
        check_reason(said.reason, "medicine")
        yield Ruled(rules=("TT-OUT-6",), name="medicine", text=f"{said.by} is stable", because=said.reason)
        yield condition_end(f"{guards.DYING} {said.by}", state, said.reason, "TT-OUT-6")
        return
    check_dying(said.by, STABILISE, state)
    purpose = f"stabilise {said.by}"
    face, rolled = checks.throw_dice(said.by, purpose, EntryDice(dice, refusal), STABLE_FACE, rules=("TT-OUT-6",))
    yield rolled
    stable = face == STABLE_FACE
    yield Judged(
        rules=("TT-OUT-6",),
        what=STABILISE,
        who=said.by,
        total=face,
        target=STABLE_FACE,
        result="stable" if stable else "still dying",
        rolls=(purpose,),
        final=True,
    )
    yield from count_check(said.by, STABILISE, state)
    if stable:
        yield condition_end(f"{guards.DYING} {said.by}", state, "stable", "TT-OUT-6")


# Healing


@decides(Heal)
def heal(said: Heal, state: State) -> Iterator[Fact]:
    """TT-GAP-14, TT-GAP-26: the game master records what is healed, mended or cleared."""
    kinds = (*guards.CREATURES, items.ITEM, "object")
    find_being("who", said.who, state, kinds, "a creature, an item or a cover in play", unknown)
    guards.check_alive(said.who, state)
    check_reason(said.reason, "healing")
    if said.wounds and not items.wounds(said.who, state):
        refused = outside_domain("wounds", f"left out, as {said.who} has none", said.wounds)
        raise refused.with_hint("Name what else ails them, or leave the line out.")
    check_whole("wounds", said.wounds, 0, items.wounds(said.who, state), outside_domain)
    if said.jam and not has_condition(said.who, items.JAMMED, state):
        raise outside_domain("jam", "said of a jammed weapon", said.who)
    places = [place for place in said.injuries if not is_hurt_at(said.who, place, state)]
    if places:
        raise outside_domain("injuries", "locations that are hurt", places[0])
    if not (said.wounds or said.injuries or said.jam):
        raise outside_domain("wounds", "a number of wounds, or say injuries=leg or jam", said.wounds)
    yield Ruled(rules=("TT-GAP-14",), name="heal", text=said.who, because=said.reason)
    for place in said.injuries:
        yield from heal_at(said.who, place, said.reason, state)
    left = items.wounds(said.who, state)
    for id, _ in state.wounds_of(said.who)[: min(said.wounds, left)]:
        yield from heal_wound(said.who, id, said.reason, state)
    if said.jam:
        yield condition_end(f"{items.JAMMED} {said.who}", state, said.reason, "TT-GAP-26")


def is_at(hurt: str, place: str) -> bool:
    """Return whether `leg 1` is at `leg`, or at `leg 1`."""
    return hurt == place or hurt.rpartition(" ")[0] == place


def is_hurt_at(who: str, place: str, state: State) -> bool:
    """Return whether a creature has a wound or an injury at a location."""
    hurts = [wound.at for _, wound in state.wounds_of(who)]
    hurts += [condition.about for _, condition in state.conditions_of(who) if condition.name in creatures.INJURIES]
    return any(is_at(hurt, place) for hurt in hurts if hurt)


def heal_at(who: str, place: str, because: str, state: State) -> Iterator[Fact]:
    """TT-GAP-14: all wounds and injuries of a location end."""
    for id, hurt in state.wounds_of(who):
        if is_at(hurt.at, place):
            yield from heal_wound(who, id, because, state)
    for id, condition in state.conditions_of(who):
        if condition.name in creatures.INJURIES and is_at(condition.about, place):
            yield condition_end(id, state, because, "TT-GAP-14")
    yield from get_up(who, because, state)


def get_up(who: str, because: str, state: State) -> Iterator[Fact]:
    """TT-CAL-4, TT-GAP-41: who has a leg of use again need not crawl."""
    if has_condition(who, items.CRAWLING, state) and not items.is_crawling(who, state):
        yield condition_end(f"{items.CRAWLING} {who}", state, because, "TT-GAP-14", "TT-GAP-41")


def heal_wound(who: str, id: str, because: str, state: State) -> Iterator[Fact]:
    """TT-GAP-14: a wound heals, and with it what it did to a limb."""
    yield WoundChanged(rules=("TT-GAP-14",), who=who, wound=id, kind=KIND, value=0, in_force=False, because=because)
    for condition_id, _ in state.conditions_of(who):
        if condition_id.endswith(f" of {id}"):
            yield condition_end(condition_id, state, because, "TT-GAP-14")
    yield from get_up(who, because, state)
