"""What the table decides by itself: readings of the text, rulings, and values set by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.declarations import Ruling, Setting
from ledger.facts import (
    GM,
    ConditionBegan,
    ConditionEnded,
    Fact,
    OptionSet,
    PoolSet,
    Ruled,
    SheetChanged,
    TokensMoved,
    WindowChanged,
    Wounded,
)
from ledger.names import name_key
from projections.state import State
from rulebooks.common.rulings import ruled
from rulebooks.dusk_bastards.case_law import split_changes
from rulebooks.dusk_bastards.declarations import Adjust, SetOption
from rulebooks.dusk_bastards.guards import encounter_of, has_condition
from rulebooks.dusk_bastards.harm.health import set_maximum_health
from rulebooks.dusk_bastards.harm.stun import STUNNED, stun
from rulebooks.dusk_bastards.harm.wounds import category
from rulebooks.dusk_bastards.tasks.destiny import DESTINY, DOOM, destiny_change, doom_change, level
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, judge, open_roll
from rulebooks.dusk_bastards.texts import TEXTS, option, refused, value_refused, whole

OPTION: Final = "option."
RESULTS: Final = ("success", "failure")
CONDITIONS: Final = (
    "dazed",
    "stunned",
    "prone",
    "paralysed",
    "poisoned",
    "diseased",
    "blind",
    "deaf",
    "cover",
    "full_cover",
    "hidden",
    "invisible",
    "incapacitated",
)


def set_option(said: SetOption, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: the table may change a reading by agreement; it holds for later declarations only."""
    found = TEXTS.options.get(said.name)
    if found is None:
        raise value_refused("option", f"one of {', '.join(TEXTS.options)}", said.name)
    if not found.takes(said.value):
        raise value_refused(said.name, f"one of {found.domain}" if found.values else found.domain, said.value)
    if not said.reason:
        raise value_refused("reason", "a few words in quotes", "nothing")
    yield OptionSet(
        rules=("DB-PLAY-7", found.gap),
        name=said.name,
        was=option(state, said.name),
        now=said.value,
        because=said.reason,
        agreed=said.agreed,
    )


def rule(said: Ruling, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: a decision with its reason; what follows from it are facts of the same entry."""
    for field in ("text", "reason"):
        if not getattr(said, field):
            raise value_refused(field, "a few words in quotes", "nothing")
    now, sets = split_changes(said.changes)
    yield ruled(said, state, TEXTS, "DB-PLAY-7", sets=sets)
    if said.result:
        yield from result_set(said.result, state)
    for change in now:
        yield from applied(change, said, state)


def result_set(result: str, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: the open roll comes out as it is ruled, whatever its dice say."""
    roll = open_roll(state)
    if roll is None:
        raise refused("NO-ROLL")
    if roll.target is None or result not in RESULTS:
        raise value_refused("result", f"{' or '.join(RESULTS)}, of a roll that has something to reach", result)
    roll = msgspec.structs.replace(roll, fiat=result, rules=("DB-PLAY-7", *roll.rules))
    window = state.windows[OPEN_ROLL]
    yield WindowChanged(rules=("DB-PLAY-7",), window=OPEN_ROLL, awaits=window.awaits, data=roll.encode())
    yield from judge(roll, final=False)


def applied(change: Setting, said: Ruling, state: State) -> Iterator[Fact]:
    """One reading or value set by a ruling, inside its domain."""
    if change.value.startswith(OPTION):
        name = change.value.removeprefix(OPTION)
        yield from set_option(
            SetOption(by=said.by, name=name, value=change.to, reason=said.text, agreed=said.agreed), state
        )
    elif isinstance(change.to, str):
        raise value_refused(change.value, "a number", change.to)
    else:
        yield from value_set(change.value, change.to, said, state)


def value_set(name: str, to: int, said: Ruling, state: State) -> Iterator[Fact]:
    """One value set by a ruling."""
    if name == DOOM:
        whole(DOOM, to, 0)
        yield doom_change(state, to - state.tokens_held(GM, DOOM), "ruling", "DB-PLAY-7")
        return
    who, _, what = name.partition(".")
    being = state.being(who)
    if being is None:
        raise value_refused("value", "doom, or a value of somebody in play (kess.might)", name)
    if (being.name, what) in state.pools:
        yield pool_set(being.name, what, to, said, state)
    elif (being.name, what) in state.tokens:
        yield token_set(being.name, to, state)
    elif what == "wound":
        yield wound_given(being.name, to, said, state)
        yield from set_maximum_health(state, being.name)
    elif what in CONDITIONS:
        yield from condition_set(being.name, what, to, state)
    else:
        known = [pool for name, pool in sorted(state.pools) if name == being.name]
        raise value_refused("value", ", ".join([*known, DESTINY, "wound", *CONDITIONS]), name)


def adjust(said: Adjust, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: what the table settled without the program: one value by so much, with its reason, marked as such."""
    if not said.reason:
        raise value_refused("reason", "a few words in quotes", "nothing")
    name = said.value if said.by == GM or "." in said.value else f"{name_key(said.by)}.{said.value}"
    who, _, what = name.partition(".")
    being = state.being(who)
    yield Ruled(rules=("DB-PLAY-7",), name="adjustment", text=said.reason, because="settled at the table", about=name)
    text = Ruling(by=said.by, text=said.reason, reason=said.reason)
    if being is not None and what not in ("wound", *CONDITIONS) and not moves(being.name, what, state):
        yield sheet_number(being.name, what, said, state)
        return
    yield from value_set(name, now(name, state) + said.change, text, state)


def moves(who: str, what: str, state: State) -> bool:
    """Whether this is a pool or a token of somebody."""
    return (who, what) in state.pools or (who, what) in state.tokens


def now(name: str, state: State) -> int:
    """What a value stands at that an adjustment moves; a new wound starts from nothing."""
    who, _, what = name.partition(".")
    being = state.being(who)
    if being is None:
        return state.tokens_held(GM, name)
    if what in CONDITIONS:
        return int(has_condition(being.name, what, state))
    return state.points(being.name, what) or state.tokens_held(being.name, what)


def sheet_number(who: str, what: str, said: Adjust, state: State) -> Fact:
    """A number that only the sheet keeps, coin for one."""
    was = state.sheet(who, what)
    if isinstance(was, str):
        raise value_refused(what, "a number on the sheet", was)
    whole(f"{who}'s {what}", (was or 0) + said.change, 0)
    return SheetChanged(
        rules=("DB-PLAY-7",), who=who, key=what, was=was, now=(was or 0) + said.change, because=said.reason
    )


def pool_set(who: str, pool: str, to: int, said: Ruling, state: State) -> Fact:
    """A pool to a number inside its bounds."""
    found = state.pools[who, pool]
    whole(f"{who}'s {pool}", to, found.least or 0, found.most)
    return PoolSet(
        rules=("DB-PLAY-7",),
        who=who,
        pool=pool,
        was=found.points,
        now=to,
        least=found.least,
        most=found.most,
        because=said.text,
    )


def token_set(who: str, to: int, state: State) -> TokensMoved:
    """DB-DEST-3: Destiny to a number no higher than the level."""
    whole(f"{who}'s {DESTINY}", to, 0, level(state, who))
    return destiny_change(state, who, to - state.tokens_held(who, DESTINY), "ruling", "DB-PLAY-7")


def wound_given(who: str, value: int, said: Ruling, state: State) -> Wounded:
    """DB-WOUND-2: a wound of that value, in force at once but for one of a running encounter (DB-WOUND-4)."""
    whole("wound", value, 1, 8)
    running = encounter_of(who, state)
    taken = 1 + max((wound.taken for _, wound in state.wounds_of(who)), default=0)
    return Wounded(
        rules=("DB-PLAY-7", "DB-WOUND-2", "DB-WOUND-4"),
        who=who,
        wound=f"{who} w{taken}",
        kind=category(value, "", state),
        value=value,
        in_force=running is None,
        encounter=running.id if running else "",
    )


def condition_set(who: str, name: str, to: int, state: State) -> Iterator[Fact]:
    """A condition that holds (1) or holds no longer (0); nothing changed, nothing happens."""
    whole(f"{who}'s {name}", to, 0, 1)
    id = f"{name} {who}"
    if to and id not in state.conditions:
        yield (
            stun(who, state, "DB-PLAY-7")
            if name == STUNNED
            else ConditionBegan(rules=("DB-PLAY-7",), id=id, who=who, name=name)
        )
    if not to and id in state.conditions:
        yield ConditionEnded(rules=("DB-PLAY-7",), id=id, who=who, name=name, because="ruling")
