"""What the table decides by itself: readings of the text, rulings, and values set by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.declarations import Ruling, Setting
from ledger.facts import GM, Fact, OptionSet, Placed, PoolSet, Ruled, Scalar, SheetChanged, WindowClosed
from ledger.names import name_key
from projections.state import State
from rulebooks.common.rulings import ruled
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.momentum.declarations import Adjust, SetOption
from rulebooks.momentum.texts import TEXTS, check_ruling, option
from rulebooks.momentum.turns import advanced
from rulebooks.momentum.weapons import HELD, SCORE_MOST, SHIELD, pool_of
from rulebooks.momentum.wounds import FATE, HP, all_looked_at
from rulebooks.momentum.zones import placed, zone_named

OPTION: Final = "option."
MAXIMUM: Final = f"{HP}.most"


def set_option(said: SetOption, state: State) -> Iterator[Fact]:
    """MO-GAP-1 to 37: the table may choose another reading; it holds for later declarations only."""
    yield from chosen(said, state)
    yield from looked_over(state)


def chosen(said: SetOption, state: State) -> Iterator[Fact]:
    """One reading. Raises the refusal of one that the book does not offer."""
    found = TEXTS.options.get(said.name)
    if found is None:
        raise outside_domain("option", f"one of {', '.join(TEXTS.options)}", said.name)
    if not found.takes(said.value):
        raise outside_domain(said.name, f"one of {found.domain}" if found.values else found.domain, said.value)
    check_ruling(said.reason)
    yield OptionSet(
        rules=(found.gap, *found.rules),
        name=said.name,
        was=option(state, said.name),
        now=said.value,
        because=said.reason,
        agreed=said.agreed,
    )


def looked_over(state: State) -> Iterator[Fact]:
    """MO-CONV-5: derived conditions are looked at again; then the fight may be over, a turn, a phase."""
    yield from all_looked_at(state)
    yield from advanced(state)


def rule(said: Ruling, state: State) -> Iterator[Fact]:
    """MO-TAG-4, MO-HP-3: a decision with its reason; what it sets are facts of the same entry."""
    check_ruling(said.text, said.reason)
    yield ruled(said, state, TEXTS, "MO-TAG-4", "MO-HP-3")
    for change in said.changes:
        yield from applied(change, said, state, "MO-HP-3")
    yield from looked_over(state)


def applied(change: Setting, said: Ruling, state: State, *rules: str) -> Iterator[Fact]:
    """One reading or value set by a ruling, inside its domain."""
    if change.value.startswith(OPTION):
        name = change.value.removeprefix(OPTION)
        yield from chosen(SetOption(by=said.by, name=name, value=change.to, reason=said.text), state)
        return
    who, _, what = change.value.partition(".")
    being = state.being(who)
    if being is None or (being.name, HP) not in state.pools:
        raise outside_domain("value", "a value of somebody in play (kael.hp)", change.value)
    yield from value_set(being.name, what, change.to, said, state, *rules)


def value_set(who: str, what: str, to: Scalar, said: Ruling, state: State, *rules: str) -> Iterator[Fact]:
    """One value of somebody: hit points, a zone, or what stands on the sheet."""
    if what in (HP, MAXIMUM):
        yield hp_set(who, what, number(what, to), said.text, state, *rules)
    elif what == "place":
        yield placed(who, zone_named(str(to), state), *rules)
    else:
        now = sheet_value(who, what, to, state)
        was = state.sheet(who, what)
        if now != was:
            yield SheetChanged(rules=rules, who=who, key=what, was=was, now=now, because=said.text)
        if what == FATE and f"{FATE} {who}" in state.windows:
            yield WindowClosed(rules=("MO-HP-3",), window=f"{FATE} {who}", outcome="ruled")
        if what == HELD:
            yield from picked_up(who, str(to), state)


def number(what: str, to: Scalar) -> int:
    """A number. Raises the refusal of a text."""
    if isinstance(to, str):
        raise outside_domain(what, "a number", to)
    return to


def hp_set(who: str, what: str, to: int, why: str, state: State, *rules: str) -> PoolSet:
    """MO-HP-1: current or maximum, 0 to the maximum, which is 1 at least."""
    pool = state.pools[who, HP]
    most = pool.most or 1
    if what == HP:
        check_whole(f"{who}'s {HP}", to, 0, most)
    else:
        check_whole(f"{who}'s maximum", to, 1)
    now, most = (to, most) if what == HP else (min(pool.points, to), to)
    return PoolSet(
        rules=(*rules, "MO-HP-1"), who=who, pool=HP, was=pool.points, now=now, least=0, most=most, because=why
    )


def sheet_value(who: str, what: str, to: Scalar, state: State) -> Scalar | None:
    """MO-DFN-1, MO-REQ-1, MO-WPN-1: what may stand there. A shield that is `no`, or a text that is empty, is none."""
    standing = state.sheet(who, what)
    if what == "defense":
        check_whole(what, number(what, to), 1)
    elif what == SHIELD:
        if to not in ("yes", "no"):
            raise outside_domain(what, "yes or no", to)
        return None if to == "no" else to
    elif what.startswith("weapon.") and (what.endswith(".damage") or (what.endswith(".rushed") and to)):
        pool_of(str(to))
    elif what in (HELD, FATE) or what.startswith("weapon."):
        return str(to) or None
    elif isinstance(standing, int):
        check_whole(what, number(what, to), 1, SCORE_MOST)
    elif standing is None:
        known = ", ".join([HP, MAXIMUM, "place", SHIELD, FATE, *state.sheet_of(who)])
        raise outside_domain("value", known, what)
    return to


def picked_up(who: str, weapons: str, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon that is held again lies nowhere."""
    for weapon in weapons.split(", "):
        thing = f"{who}'s {weapon}"
        if state.place(thing):
            yield Placed(rules=("MO-TAG-2",), who=thing, place="")


def adjust(said: Adjust, state: State) -> Iterator[Fact]:
    """What the table settled without the program: one value by so much, with its reason, marked as such."""
    check_ruling(said.reason)
    name = said.value if said.by == GM or "." in said.value else f"{name_key(said.by)}.{said.value}"
    who, _, what = name.partition(".")
    being = state.being(who)
    if being is None or (being.name, HP) not in state.pools:
        raise outside_domain("value", "a value of somebody in play (kael.hp)", name)
    stands = state.points(being.name, HP) if what == HP else state.sheet(being.name, what)
    yield Ruled(rules=("MO-HP-3",), name="adjustment", text=said.reason, because="settled at the table", about=name)
    text = Ruling(by=said.by, text=said.reason, reason=said.reason)
    most = state.pools[being.name, HP].most or 0
    now = most if what == MAXIMUM else number(what, stands if stands is not None else "nothing")
    yield from value_set(being.name, what, now + said.change, text, state, "MO-HP-3")
    yield from looked_over(state)
