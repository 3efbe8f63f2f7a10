"""What the table decides by itself: readings of the text, rulings, and values set by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.declarations import Ruling, Setting
from ledger.facts import GM, ConditionBegan, Fact, OptionSet, PoolSet, Ruled, Scalar, SheetChanged
from ledger.names import name_key
from projections.state import State
from rulebooks.common.rulings import ruled
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.monolith.declarations import Adjust, SetOption
from rulebooks.monolith.guards import CRITICAL, DEAD, FLED, STABLE, TREATED, UNCONSCIOUS, holds
from rulebooks.monolith.morale import fled
from rulebooks.monolith.scores import BODY, WEAPON
from rulebooks.monolith.texts import TEXTS, option, refused
from rulebooks.monolith.weapons import weapon
from rulebooks.monolith.wounds import critical, dead, ended

OPTION: Final = "option."
CONDITIONS: Final = (CRITICAL, TREATED, STABLE, UNCONSCIOUS, DEAD, FLED)


def set_option(said: SetOption, state: State) -> Iterator[Fact]:
    """The table chooses a reading; it holds for what is declared after it."""
    found = TEXTS.options.get(said.name)
    if found is None:
        raise outside_domain("option", f"one of {', '.join(TEXTS.options)}", said.name)
    if not found.takes(said.value):
        raise outside_domain(said.name, f"one of {found.domain}", said.value)
    if not said.reason:
        raise refused("RULING", what="a reading")
    yield OptionSet(
        rules=(found.gap, *found.rules),
        name=said.name,
        was=option(state, said.name),
        now=said.value,
        because=said.reason,
        agreed=said.agreed,
    )


def rule(said: Ruling, state: State) -> Iterator[Fact]:
    """ML-GAP-6, ML-GAP-31: a decision with its reason; what follows from it are facts of the same entry."""
    if not said.text or not said.reason:
        raise refused("RULING", what="a ruling")
    yield ruled(said, state, TEXTS, "ML-GAP-6")
    for change in said.changes:
        yield from applied(change, said, state)


def applied(change: Setting, said: Ruling, state: State) -> Iterator[Fact]:
    """One reading or value set by a ruling, inside its domain."""
    if change.value.startswith(OPTION):
        name = change.value.removeprefix(OPTION)
        yield from set_option(
            SetOption(by=said.by, name=name, value=change.to, reason=said.text, agreed=said.agreed), state
        )
    else:
        yield from value_set(change.value, change.to, said.text, state)


def value_set(name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """One value of somebody set by a ruling: a pool, a condition, or an entry of the sheet."""
    part, _, what = name.partition(".")
    being = state.being(part)
    if being is None or not what:
        raise outside_domain("value", "a value of somebody in play (vega.hp)", name)
    who = being.name
    if what in CONDITIONS and being.kind in ("pc", "npc"):
        yield from condition_set(who, what, number(name, to), because, state)
    elif (who, what) in state.pools:
        yield from pool_set(who, what, number(name, to), because, state)
    else:
        yield from sheet_set(who, what, to, because, state)


def number(name: str, to: Scalar) -> int:
    """The number that a value is set to."""
    if isinstance(to, str):
        raise outside_domain(name, "a number", to)
    return to


def pool_set(who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-6: hit points and Body by ruling, within their bounds. ML-BODY-1: Body 0 is death."""
    found = state.pools[who, pool]
    check_whole(f"{who}'s {pool}", to, 0, found.most)
    yield PoolSet(
        rules=("ML-GAP-6", "ML-GAP-31"),
        who=who,
        pool=pool,
        was=found.points,
        now=to,
        least=0,
        most=found.most,
        because=because,
    )
    if pool == BODY and not to and not holds(who, DEAD, state):
        yield from dead(who, state, "ML-BODY-1", "ML-GAP-31")


def condition_set(who: str, name: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-6: a condition that holds (1) or holds no longer (0); nothing changed, nothing happens.

    ML-BODY-1: nobody lives with Body 0, and nothing but death holds for the dead.
    """
    check_whole(f"{who}'s {name}", to, 0, 1)
    if name == DEAD and not to and not state.points(who, BODY):
        raise outside_domain(f"{who}'s {name}", "1 while Body is 0 (set Body first)", to)
    if name != DEAD and to and holds(who, DEAD, state):
        raise outside_domain(f"{who}'s {name}", "0 for the dead", to)
    if not to:
        yield from ended(who, (name,), state, "ruling", "ML-GAP-6")
    elif holds(who, name, state):
        return
    elif name == CRITICAL:
        yield from critical(who, state)
    elif name == DEAD:
        yield from dead(who, state, "ML-GAP-6")
    elif name == FLED:
        yield fled(who, state, "ML-GAP-6")
    else:
        yield ConditionBegan(rules=("ML-GAP-6",), id=f"{name} {who}", who=who, name=name)


def sheet_set(who: str, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-4: an entry of the sheet: armor, a score, a weapon."""
    was = state.sheet(who, entry)
    if entry.startswith(WEAPON) and (isinstance(to, int) or weapon(to, entry) is None):
        raise outside_domain(entry, "a die and its tags, as in d8 blast nonlethal", to)
    if isinstance(was, str) and isinstance(to, int):
        raise outside_domain(entry, "a text", to)
    if isinstance(was, int) and number(entry, to) < 0:
        raise outside_domain(f"{who}'s {entry}", "a whole number of 0 or more", to)
    if was != to:
        yield SheetChanged(rules=("ML-GAP-4",), who=who, key=entry, was=was, now=to, because=because)


def adjust(said: Adjust, state: State) -> Iterator[Fact]:
    """ML-GAP-6: what the table settled without the program: one value by so much, with its reason."""
    if not said.reason:
        raise refused("RULING", what="an adjustment")
    name = said.value if said.by == GM or "." in said.value else f"{name_key(said.by)}.{said.value}"
    yield Ruled(rules=("ML-GAP-6",), name="adjustment", text=said.reason, because="settled at the table", about=name)
    yield from value_set(name, standing(name, state) + said.change, said.reason, state)


def standing(name: str, state: State) -> int:
    """What a value stands at that an adjustment moves."""
    part, _, what = name.partition(".")
    being = state.being(part)
    who = being.name if being else part
    if what in CONDITIONS:
        return int(holds(who, what, state))
    written = state.sheet(who, what)
    return state.points(who, what) or (written if isinstance(written, int) else 0)
