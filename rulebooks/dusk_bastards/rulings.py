"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from ledger.declarations import Ruling
from ledger.errors import Refused
from ledger.facts import GM, Fact, Judged, Scalar, SheetChanged, TokensMoved, WindowChanged, Wounded
from ledger.names import name_key
from projections.state import Being, State
from projections.values import values
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.rulings import apply_settings, ruling_fact
from rulebooks.common.value_table import ValueTable
from rulebooks.common.values import number
from rulebooks.dusk_bastards import case_law, guards
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.harm import durations, wounds
from rulebooks.dusk_bastards.harm.conditions import CONDITIONS, impose
from rulebooks.dusk_bastards.tasks import destiny, judgement
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, open_roll
from rulebooks.dusk_bastards.texts import TEXTS, check_whole, left_over, refusal, value_refusal

RESULTS: Final = ("success", "failure")
WOUND: Final = "wound"  # a new one, of this value


def rule(said: Ruling, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: a ruling with its reason; what it sets are facts of the same entry."""
    changes, law = case_law.split_changes(said.changes)
    yield ruling_fact(said, state, RULEBOOK, sets=law)
    if said.result:
        yield from set_result(said.result, state)
    yield from apply_settings(changes, said, state, RULEBOOK)


def set_result(result: str, state: State) -> Iterator[Fact]:
    """DB-PLAY-7: the result of the open roll is as ruled, whatever its dice show."""
    roll = open_roll(state)
    if roll is None:
        raise refusal("NO-ROLL")
    if roll.target is None or result not in RESULTS:
        raise value_refusal("result", f"{' or '.join(RESULTS)}, of a roll that has something to reach", result)
    roll = msgspec.structs.replace(roll, fiat=result, rules=("DB-PLAY-7", *roll.rules))
    window = state.windows[OPEN_ROLL]
    yield WindowChanged(rules=("DB-PLAY-7",), window=OPEN_ROLL, awaits=window.awaits, data=roll.encode())
    yield from judgement.judge(roll, state, final=False)


class Values(ValueTable):
    """DB-PLAY-7: Doom, pools, tokens, wounds, conditions; only by adjustment other numbers of a sheet."""

    domain = "doom, or a value of somebody in play (NAME.might)"
    conditions = CONDITIONS

    def set_value(self, name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set one value. Doom is nobody's."""
        to = number(name, to, value_refusal)
        if name == destiny.DOOM:
            check_whole(destiny.DOOM, to, 0)
            yield destiny.doom_change(to - state.tokens_held(GM, destiny.DOOM), "ruling", state, self.rule)
        else:
            yield from super().set_value(name, to, because, state)

    def change_value(self, name: str, change: int, because: str, state: State) -> Iterator[Fact]:
        """Change one value; a new wound starts from nothing."""
        if name == destiny.DOOM:
            yield from self.set_value(name, state.tokens_held(GM, destiny.DOOM) + change, because, state)
            return
        being, what = self.find(name, state)
        kept = {(being.name, what)} & (state.pools.keys() | state.tokens.keys())
        if kept or what == WOUND or what in CONDITIONS:
            yield from super().change_value(name, change, because, state)
        else:
            yield new_sheet_number(being.name, what, change, because, state)

    def value_now(self, being: Being, what: str, state: State) -> Scalar | None:
        """Return the value as it is, also of tokens."""
        if (being.name, what) in state.tokens or what == WOUND:
            return state.tokens_held(being.name, what)
        return super().value_now(being, what, state)

    def begin(self, who: str, name: str, state: State) -> Iterator[Fact]:
        """DB-GAP-67: the prone stand up with a move; others hold until they are ruled over."""
        until: Literal["ruled"] | None = None if name in durations.UNTIL_MOVED else "ruled"
        yield from impose(who, Effect(name, until=until), state, self.rule)

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set tokens, or add a wound of this value."""
        who, to = being.name, number(entry, to, value_refusal)
        if (who, entry) in state.tokens:
            yield new_destiny(who, to, state)
        elif entry == WOUND:
            yield new_wound(who, to, state)
            yield from wounds.bear_wounds(who, state)
        else:
            raise unknown_value(who, entry, state)


def unknown_value(who: str, what: str, state: State) -> Refused:
    """DB-PLAY-7: return the refusal of a value of somebody that nobody sets, with those that may be set."""
    known = [pool for owner, pool in sorted(state.pools) if owner == who]
    return value_refusal("value", ", ".join([*known, destiny.DESTINY, WOUND, *CONDITIONS]), f"{name_key(who)}.{what}")


def new_sheet_number(who: str, what: str, change: int, because: str, state: State) -> SheetChanged:
    """Return a number that only the sheet keeps, such as coin, changed by so much."""
    was = state.sheet(who, what)
    if was is None and f"{name_key(who)}.{what}" in values(
        state
    ):  # the state keeps it elsewhere: a maximum, a distance
        raise unknown_value(who, what, state)
    if isinstance(was, str):
        raise value_refusal(what, "a number on the sheet", was)
    now = (was or 0) + change
    check_whole(f"{who}'s {what}", now, 0)
    return SheetChanged(rules=("DB-PLAY-7",), who=who, key=what, was=was, now=now, because=because)


def new_destiny(who: str, to: int, state: State) -> TokensMoved:
    """DB-DEST-3: Destiny set to a number no higher than the level."""
    check_whole(f"{who}'s {destiny.DESTINY}", to, 0, destiny.destiny_limit(who, state))
    return destiny.destiny_change(who, to - state.tokens_held(who, destiny.DESTINY), "ruling", state, "DB-PLAY-7")


def new_wound(who: str, value: int, state: State) -> Wounded:
    """DB-WOUND-2: a new wound; in a running encounter it is in force after it (DB-WOUND-4)."""
    check_whole("wound", value, 1, 8)
    running = guards.encounter_of(who, state)
    taken = 1 + max((wound.taken for _, wound in state.wounds_of(who)), default=0)
    return Wounded(
        rules=("DB-PLAY-7", "DB-WOUND-2", "DB-WOUND-4"),
        who=who,
        wound=f"{who} w{taken}",
        kind=wounds.category(value, "", state),
        value=value,
        in_force=running is None,
        encounter=running.id if running else "",
    )


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return value_refusal(field, "a few words in quotes", None)


def is_without_roll(fact: Fact) -> bool:
    """DB-ROLL-5: whether a roll turns out not to be made: its faces are neither recorded nor refused."""
    return isinstance(fact, Judged) and not fact.rolls and fact.result in ("routine", "automatic failure")


RULEBOOK: Final = Rulebook(
    texts=TEXTS,
    rules=("DB-PLAY-7",),
    values=Values("DB-PLAY-7", value_refusal),
    option_rules=lambda option: ("DB-PLAY-7", option.gap),
    no_text=no_text,
    left_over=left_over,
    drops_faces=is_without_roll,
)
