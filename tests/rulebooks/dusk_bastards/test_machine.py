"""A table of Dusk Bastards played at random, with plain numbers on paper beside it.

The paper's tables are copied from the book by hand and call none of our rules. It follows attempts, rerolls, closes
and rulings in full; for everything else it is enough that the ledger stays whole.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.builtin import BUILTIN, Correct
from ledger.corrections.amend import named_takes, undo
from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Judged
from ledger.game import decoder
from ledger.position import load_state
from ledger.records import Record, decode
from ledger.replay import verify
from ledger.service import Ledger
from ledger.store import MemoryStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.dusk_bastards.declarations import (
    DECLARATIONS,
    STATS,
    Adjust,
    AdvanceTime,
    AreaAttack,
    Asset,
    Attack,
    Attempt,
    CastSpell,
    Change,
    ChangeSheet,
    Close,
    Cost,
    CreateCharacter,
    CreateNpc,
    CreateObject,
    Damage,
    Deed,
    Defence,
    Denied,
    Disease,
    Effect,
    EndEncounter,
    FinishLongSpell,
    ForbidRetry,
    Hazard,
    InflictWound,
    Initiative,
    Intercept,
    Modifier,
    Move,
    Pass,
    Poison,
    QuickDeed,
    Rest,
    Retry,
    SetCondition,
    SetDistance,
    SetLight,
    SetObscurity,
    SetOption,
    SpendDestiny,
    SpendDoom,
    Spot,
    StartEncounter,
    StartLongSpell,
    TakeCover,
    Use,
    UseAbility,
    WoundRoll,
)
from tests.rulebooks.dusk_bastards import test_fight_machine as fights
from tests.rulebooks.dusk_bastards.seat import AT, BOOK, Seat, check_bounds, faces, of_kind

# From the book: the price of so many levels, whole and with a light wound; half of what was spent, rounded up.
PRICE = (0, 3, 5, 7, 9, 11, 13)
LIGHT_PRICE = (0, 4, 7, 10, 13, 16, 19)
REFUND = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10)
LEVEL = {"Ash": 2, "Bryn": 4, "Cole": 1}
LIMIT = {"Ash": 2, "Bryn": 3, "Cole": 1}
MOST = {
    "Ash": {"might": 12, "speed": 10, "intellect": 9},
    "Bryn": {"might": 9, "speed": 14, "intellect": 17},
    "Cole": {"might": 16, "speed": 16, "intellect": 8},
}

WHO = st.sampled_from(["Ash", "Bryn", "Cole"])
ANYBODY = st.sampled_from(["Ash", "Bryn", "Cole"] * 4 + ["ash", "gm", "Nobody"])
STAT = st.sampled_from(["might", "speed", "intellect"])
TASK = st.sampled_from(["", "climb", "sneak", "persuade", "pick the lock"])
FACE = st.integers(1, 12)
DICE = st.one_of(st.none(), st.tuples(FACE, FACE), st.tuples(FACE, FACE))
ODD_DICE = st.one_of(DICE, DICE, DICE, st.lists(st.integers(0, 13), max_size=5).map(tuple))
SMALL = st.sampled_from([0, 1, 2] * 8 + [3, 7, -1])
STEPS = st.sampled_from([1, 2, 3] * 6 + [0])
ENTRY = st.builds("{}.{}".format, st.just(1), st.integers(1, 25))
COSTS = st.lists(st.builds(Cost, STAT, st.sampled_from([0, 1, 2, 3, 5] * 4 + [-1])), max_size=2).map(tuple)
USE = st.builds(
    Use, st.sampled_from(["reroll", "regain", "activate", "change-target"]), st.sampled_from(["might", "speed", "luck"])
)
USES = st.lists(USE, max_size=3).map(tuple)
DIFFICULTY = st.sampled_from([*range(13), *range(3, 9), None, -1, 13])
FREE: dict[str, st.SearchStrategy[Any]] = {
    "task": TASK,
    "trained": st.lists(TASK, max_size=2).map(tuple),
    "assets": st.lists(st.builds(Asset, STEPS), max_size=2).map(tuple),
    "helpers": st.lists(ANYBODY, max_size=1).map(tuple),
    "ease": st.lists(st.builds(Modifier, STEPS), max_size=2).map(tuple),
    "hinder": st.lists(st.builds(Modifier, STEPS), max_size=2).map(tuple),
    "effort": SMALL,
    "free_effort": SMALL,
    "effort_pool": st.sampled_from([None] * 9 + ["speed"]),
    "initial_cost": SMALL,
    "initial_stat": st.one_of(st.none(), STAT),
    "ability_cost": COSTS,
    "destiny_first": st.one_of(st.just(()), st.just(()), st.just(()), USES),
    "refund": st.one_of(st.just(()), st.just(()), st.just(()), COSTS),
    "take20": st.booleans(),
    "duration": st.one_of(st.none(), st.integers(0, 600)),
    "hidden": st.booleans(),
}


def attempts() -> st.SearchStrategy[Attempt]:
    """Attempts with any of the fields left at what they are by themselves; most of them legal."""
    said = {"by": ANYBODY, "stat": st.sampled_from([*STATS] * 4 + [None]), "difficulty": DIFFICULTY}
    return st.fixed_dictionaries(said, optional=FREE).map(lambda fields: Attempt(**fields))


def retries() -> st.SearchStrategy[Retry]:
    said = {"by": ANYBODY, "effort": st.sampled_from([1, 1, 1, 0])}
    more = {**FREE, "of": ENTRY, "difficulty": DIFFICULTY}
    del more["task"], more["effort"]
    return st.fixed_dictionaries(said, optional=more).map(lambda fields: Retry(**fields))


CHANGE = st.builds(
    Change,
    st.sampled_from(
        ["ash.might", "Ash.speed", "bryn.destiny", "doom", "cole.health", "ash.wound", "bryn.dazed", "ash.level", "x.y"]
    ),
    st.sampled_from([0, 1, 1, 2, 2, 4, 8, 99, -1]),
)
PLAYED = st.one_of(
    attempts(),
    attempts(),
    retries(),
    st.builds(ForbidRetry, by=st.just(GM), of=ENTRY, reason=st.just("no more")),
    st.builds(SpendDestiny, by=WHO, uses=USES, refund=st.one_of(st.just(()), COSTS)),
    st.builds(
        SpendDoom,
        by=st.just(GM),
        points=st.integers(0, 4),
        use=st.sampled_from(["change-target", "other"]),
        purpose=st.sampled_from(["", "rain"]),
    ),
)
ANYONE = st.sampled_from(["Ash", "Bryn", "Cole", "Thug", "Captain"])
FOUGHT = st.one_of(
    st.builds(StartEncounter, by=st.just(GM), scale=st.sampled_from(["combat", "exploration"])),
    st.builds(Initiative, by=WHO),
    st.builds(Move, by=ANYONE, distance=st.sampled_from(["immediate", "short"])),
    st.builds(Pass, by=ANYONE),
    st.builds(Attack, by=WHO, target=st.sampled_from(["Thug", "Captain"]), stat=STAT, damage=SMALL),
    st.builds(Defence, by=WHO, difficulty=DIFFICULTY, damage=st.sampled_from([0, 3, 20])),
    st.builds(Damage, by=st.just(GM), target=ANYONE, amount=st.sampled_from([1, 5, 20])),
    st.builds(WoundRoll, by=WHO),
    st.builds(WoundRoll, by=WHO),
    st.builds(Rest, by=WHO, kind=st.sampled_from(["one_action", "one_hour", "ten_hours"])),
    st.builds(AdvanceTime, by=st.just(GM), seconds=st.sampled_from([60, 86400])),
    st.builds(EndEncounter, by=st.just(GM)),
)
COST = st.lists(st.builds(Cost, STAT, st.sampled_from([0, 1, 2, 9])), max_size=1).map(tuple)
EFFECT = st.builds(
    Effect,
    st.sampled_from(["dazed", "stunned", "braced", "paralysed", ""]),
    rounds=st.sampled_from([None, 1, 2]),
    armor=st.sampled_from([0, 2]),
    effort=st.sampled_from([0, 1]),
    trained=st.sampled_from(["", "climb"]),
)
SPELL: dict[str, st.SearchStrategy[Any]] = {
    "target": st.sampled_from(["", "", "Thug", "Captain"]),
    "stat": st.one_of(st.none(), STAT),
    "difficulty": st.sampled_from([None, None, 0, 4, 13]),
    "effort": SMALL,
    "take20": st.booleans(),
}
AIL: dict[str, st.SearchStrategy[Any]] = {
    "by": st.just(GM),
    "target": ANYONE,
    "difficulty": st.sampled_from([0, 3, 6, 9]),
    "damage": st.sampled_from([0, 3, 20]),
    "lasting": st.booleans(),
    "wound": st.booleans(),
    "lose_action": st.booleans(),
    "on_fail": st.lists(EFFECT, max_size=1).map(tuple),
    "source": st.sampled_from(["", "fever"]),
}
ACTED = st.one_of(
    st.builds(TakeCover, by=ANYONE, cover_near=st.sampled_from(["no", "yes", "full"])),
    st.builds(Intercept, by=ANYONE, target=ANYONE, protect=st.sampled_from(["", "Ash", "Thug"]), stat=STAT),
    st.builds(
        CastSpell,
        by=ANYONE,
        task=st.sampled_from(["fog", "fog", ""]),
        time=st.sampled_from(["standard", "bonus", "reaction"]),
        cost=COST,
        **SPELL,
    ),
    st.builds(StartLongSpell, by=ANYONE, spell=st.just("ward"), cost=COST),
    st.builds(FinishLongSpell, by=ANYONE, task=st.sampled_from(["", "ward", "fog"]), **SPELL),
    st.builds(Deed, by=ANYONE, cost=COST),
    st.builds(QuickDeed, by=ANYONE, cost=COST),
    st.builds(
        UseAbility, by=ANYONE, text=st.just("Brace"), cost=COST, target=ANYONE, effect=st.one_of(st.none(), EFFECT)
    ),
    st.builds(
        Hazard,
        by=st.just(GM),
        target=ANYONE,
        row=st.sampled_from(["falling", "minor_fire", "shock", "huge_crush"]),
        rounds=st.sampled_from([1, 1, 2, 3, 0]),
        feet=st.sampled_from([None, None, 9, 25]),
        lose_action=st.booleans(),
    ),
    st.builds(Poison, **AIL),
    st.builds(Disease, **AIL),
    st.builds(Defence, by=WHO, cause=st.sampled_from(["poison", "disease"]), stat=st.one_of(st.none(), STAT)),
    st.builds(InflictWound, by=st.just(GM), target=ANYONE),
    st.builds(WoundRoll, by=WHO),
    st.builds(AdvanceTime, by=st.just(GM), seconds=st.sampled_from([600, 86400])),
    st.builds(
        Adjust,
        by=WHO,
        value=st.sampled_from(["might", "health", "coin", "luck.y"]),
        change=st.sampled_from([-1, 1, 3]),
        reason=st.sampled_from(["the stairs", ""]),
    ),
    st.builds(
        ChangeSheet,
        by=st.just(GM),
        name=st.sampled_from(["Dov", "Eve", "Thug"]),
        level=st.integers(1, 3),
        might=st.integers(1, 14),
        speed=st.just(10),
        intellect=st.just(9),
        because=st.just("a level"),
    ),
)
HELD = st.sampled_from(
    ["dazed", "prone", "cover", "full_cover", "hidden", "invisible", "located", "deep", "underwater", "rattled", "dead"]
)
BAND = st.sampled_from(["immediate", "short", "long", "extreme", "beyond"])
WORD = st.sampled_from(
    [
        "cover",
        "full_cover",
        "through",
        "high",
        "surprise",
        "unsure",
        "dim",
        "very_dim",
        "dark",
        "mist",
        "hidden",
        "invisible",
        "located",
        "located",
        "deep",
        "underwater",
        "moved=short",
        "moving=long",
        "same_direction",
        "luck",
    ]
)
SITUATIONS = st.lists(WORD, max_size=3).map(tuple)
SITUATED: dict[str, st.SearchStrategy[Any]] = {
    "situations": SITUATIONS,
    "denied": st.lists(st.builds(Denied, HELD, st.sampled_from(["", "so it is", "so it is"])), max_size=1).map(tuple),
    "at": st.none() | BAND,
    "mode": st.sampled_from(["melee", "ranged"]),
    "weapon": st.sampled_from([None, "stabbing", "slashing"]),
}
EFFECT = st.builds(
    Effect, HELD, st.sampled_from([None, 1, 2]), st.integers(-1, 1), st.integers(-1, 1), st.integers(-2, 2)
)
FOE = st.sampled_from(["Thug", "Captain"])
SURROUNDED = st.one_of(
    st.builds(
        SetCondition,
        by=st.just(GM),
        target=ANYONE,
        name=HELD,
        off=st.sampled_from([False, False, True]),
        rounds=st.sampled_from([None, None, 1, 2, 0]),
        lasts=st.sampled_from([None, None, 6, 60, 600]),
        until=st.sampled_from([None, None, "encounter", "ruled"]),
        tasks=st.sampled_from([0, 0, -1]),
        attacks=st.sampled_from([0, 0, 1]),
        defence=st.sampled_from([0, 0, -2]),
    ),
    st.builds(SetLight, by=st.just(GM), light=st.sampled_from(["bright", "dim", "very_dim", "dark"])),
    st.builds(SetObscurity, by=st.just(GM), obscurity=st.sampled_from(["none", "light", "heavy"])),
    st.builds(SetDistance, by=st.just(GM), between=st.tuples(ANYONE, ANYONE), at=BAND),
    st.fixed_dictionaries(
        {"by": WHO, "target": FOE, "stat": STAT}, optional={**SITUATED, "on_hit": st.tuples(EFFECT), "effort": SMALL}
    ).map(lambda fields: Attack(**fields)),
    st.fixed_dictionaries({"by": WHO, "source": FOE}, optional={**SITUATED, "area": st.booleans()}).map(
        lambda fields: Defence(**fields)
    ),
    st.builds(
        AreaAttack,
        by=WHO,
        targets=st.lists(st.builds(Spot, FOE, SITUATIONS), max_size=2).map(tuple),
        stat=STAT,
        damage=SMALL,
        effort=SMALL,
    ),
    st.builds(Attempt, by=WHO, stat=STAT, difficulty=st.integers(1, 4), locates=ANYONE, toward=ANYONE, at=BAND),
)
RULED = st.one_of(
    st.builds(
        SetOption,
        by=st.just("table"),
        name=st.sampled_from(["light_wound_cost", "points_change_target", "target_change_per_point", "luck"]),
        value=st.sampled_from(["per_use", "per_level", "on", "off", 1, 3, 13]),
        reason=st.just("vote"),
    ),
    st.builds(
        Ruling,
        by=st.just(GM),
        text=st.just("so be it"),
        reason=st.sampled_from(["", "the tide", "the tide"]),
        changes=st.lists(CHANGE, max_size=2).map(tuple),
    ),
    st.builds(
        CreateCharacter,
        by=st.just(GM),
        name=st.sampled_from(["Ash", "ASH", "Dov", "Eve"]),
        level=st.integers(0, 2),
        might=st.integers(0, 9),
        speed=st.integers(1, 9),
        intellect=st.integers(1, 9),
    ),
    st.builds(
        CreateNpc,
        by=st.just(GM),
        name=st.sampled_from(["Thug", "Captain", "ash"]),
        kind=st.sampled_from(["minion", "elite"]),
        difficulty=st.integers(0, 13),
        health=st.integers(0, 9),
        wound_limit=st.one_of(st.none(), st.integers(0, 3)),
    ),
    st.builds(CreateObject, by=st.just(GM), name=st.sampled_from(["Door", "door"])),
)


@dataclass
class Paper:
    """What a player would have written down."""

    pools: dict[str, dict[str, int]]
    destiny: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LEVEL, 0))
    doom: int = 0
    light: set[str] = field(default_factory=set)
    open: str = ""  # whose roll is open
    stat: str = ""
    out: int = 0  # points of this roll that have not come back
    target: int = 0

    def close(self) -> None:
        if self.open:
            self.destiny[self.open] = min(self.destiny[self.open], LEVEL[self.open])
            self.open = ""

    def rolled(self, who: str, dawn: int, dusk: int) -> str:
        """The destined effect, and whether the task succeeds."""
        if dawn > dusk:
            self.destiny[who] += 1
        elif dusk > dawn:
            self.doom += 2
        else:
            self.destiny[who] -= self.destiny[who] > 0
            self.doom -= self.doom > 0
            back = min(REFUND[self.out], MOST[who][self.stat] - self.pools[who][self.stat])
            self.pools[who][self.stat] += back
            self.out -= back
        return "success" if dawn + dusk >= self.target else "failure"


class Evenings(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.seat = Seat("Ash", "Bryn", "Cole")
        self.paper: Paper | None = Paper({who: dict(pools) for who, pools in MOST.items()})
        self.before: Paper | None = None
        self.evenings = 1
        self.steps = 0

    @initialize(destiny=st.integers(0, 2), doom=st.integers(0, 3), light=st.booleans())
    def begin(self, destiny: int, doom: int, light: bool) -> None:
        changes = [("doom", doom), ("ash.destiny", destiny), ("bryn.destiny", destiny), ("cole.destiny", destiny // 2)]
        if light:
            changes.append(("bryn.wound", 2))
        self._rule(tuple(Change(value, to) for value, to in changes))
        assert self.paper
        self.paper.doom = doom
        self.paper.destiny = {"Ash": destiny, "Bryn": destiny, "Cole": destiny // 2}
        self.paper.light = {"Bryn"} if light else set()

    @property
    def opened(self) -> bool:
        return self.seat.table.state.session.open

    def _rule(self, changes: tuple[Change, ...]) -> None:
        self.seat.say(Ruling(by=GM, text="so it begins", reason="the test", changes=changes))

    # What the paper follows

    @precondition(lambda self: self.paper and self.opened)
    @rule(
        who=WHO,
        stat=STAT,
        difficulty=st.integers(1, 8),
        effort=st.sampled_from([0, 0, 1, 1, 2, 3]),
        initial=st.sampled_from([0, 0, 1, 4]),
        hinder=st.integers(0, 1),
        dice=DICE,
    )
    def attempt(
        self,
        who: str,
        stat: str,
        difficulty: int,
        effort: int,
        initial: int,
        hinder: int,
        dice: tuple[int, int] | None,
    ) -> None:
        said = Attempt(
            by=who,
            stat=stat,
            difficulty=difficulty,
            effort=effort,
            initial_cost=initial,
            hinder=(Modifier(steps=1),) * hinder,
        )
        paper = self.paper
        assert paper
        pool = paper.pools[who][stat]
        price = (LIGHT_PRICE if who in paper.light else PRICE)[effort] + initial
        final = max(0, difficulty - effort + hinder)
        if effort > LIMIT[who]:
            assert self._refused(said, dice) == "DB-E-EFFORT-LIMIT"
        elif initial > pool:
            self._keep()
            paper.close()
            assert self._result(self._said(said, dice)) == "automatic failure"
        elif price > pool:
            assert self._refused(said, dice) == "DB-E-POINTS"
        else:
            self._keep()
            paper.close()
            paper.pools[who][stat] -= price
            record = self._said(said, dice)
            if final == 0:
                assert self._result(record) == "routine"
                return
            paper.open, paper.stat, paper.out, paper.target = who, stat, price, 3 * final
            (shown,) = faces(record).values()
            assert dice in (None, shown)
            assert self._result(record) == paper.rolled(who, *shown)

    @precondition(lambda self: self.paper and self.paper.open and self.opened)
    @rule(dice=DICE)
    def reroll(self, dice: tuple[int, int] | None) -> None:
        paper = self.paper
        assert paper
        said = SpendDestiny(by=paper.open, uses=(Use("reroll"),))
        if not paper.destiny[paper.open]:
            assert self._refused(said, dice) == "DB-E-DESTINY-NONE"
            return
        self._keep()
        paper.destiny[paper.open] -= 1
        record = self._said(said, dice)
        (shown,) = faces(record).values()
        assert self._result(record) == paper.rolled(paper.open, *shown)

    @precondition(lambda self: self.paper and self.opened)
    @rule(points=st.integers(1, 3))
    def doom(self, points: int) -> None:
        paper = self.paper
        assert paper
        said = SpendDoom(by=GM, points=points, purpose="rain")
        if points > paper.doom:
            assert self._refused(said, None) == "DB-E-DOOM-NONE"
            return
        self._keep()
        paper.doom -= points
        self._said(said, None)

    @precondition(lambda self: self.paper and (self.paper.open or self.steps % 6 == 0) and self.opened)
    @rule()
    def close(self) -> None:
        paper = self.paper
        assert paper
        if not paper.open:
            assert self._refused(Close(by=GM), None) == "DB-E-NO-ROLL"
            return
        self._keep()
        paper.close()
        self._said(Close(by=GM), None)

    # What may be said besides: the ledger stays whole, the paper is thrown away when something really happens

    @precondition(lambda self: self.opened)
    @rule(said=PLAYED, dice=ODD_DICE)
    def play(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._perhaps(said, dice)

    @precondition(lambda self: self.opened)
    @rule(said=RULED, dice=ODD_DICE)
    def decide(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._perhaps(said, dice)

    @precondition(lambda self: self.opened)
    @rule(said=ACTED, dice=ODD_DICE)
    def act(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._perhaps(said, dice)

    @precondition(lambda self: self.opened)
    @rule(said=FOUGHT, dice=ODD_DICE)
    def fight(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._perhaps(said, dice)

    @precondition(lambda self: self.opened)
    @rule(said=SURROUNDED, dice=ODD_DICE)
    def surround(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._perhaps(said, dice)
        for _ in BOOK.unclaimed(said, self.seat.state):
            pass

    @precondition(lambda self: self.opened and self.failures())
    @rule(said=retries(), dice=DICE, nth=st.integers(0, 20), forbid=st.integers(0, 5))
    def retry_or_forbid(self, said: Retry, dice: tuple[int, int] | None, nth: int, forbid: int) -> None:
        """What failed indeed."""
        failures = self.failures()
        who, entry = failures[nth % len(failures)]
        again = msgspec.structs.replace(said, by=who, of=entry)
        self._perhaps(again if forbid else ForbidRetry(by=GM, of=entry, reason="no more"), dice)

    def failures(self) -> list[tuple[str, str]]:
        """Whose attempts failed, and in which entries."""
        held = sorted(self.seat.state.conditions.items())
        return [(found.who, found.about or str(found.since)) for _, found in held if found.name == "failed"]

    @precondition(lambda self: self.opened and self.seat.state.windows)
    @rule(uses=USES, dice=st.lists(FACE, min_size=6, max_size=6), doom=st.integers(0, 4))
    def spend_on_the_open_roll(self, uses: tuple[Use, ...], dice: list[int], doom: int) -> None:
        window = next(iter(self.seat.state.windows.values()))
        rerolls = sum(use.use == "reroll" for use in uses)
        if uses:
            self._perhaps(SpendDestiny(by=window.who, uses=uses), tuple(dice[: 2 * rerolls]) or None)
        else:
            self._perhaps(SpendDoom(by=GM, points=doom, use="change-target"), None)

    def _perhaps(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        before = self.seat.trace()
        try:
            self.seat.table.declare(said, at=AT, faces=dice)
        except (Refused, BadFaces):
            assert self.seat.trace() == before
        else:
            self.paper = self.before = None

    @precondition(lambda self: self.opened)
    @rule()
    def undo(self) -> None:
        """The state is as it was, and what is said again meets the same faces."""
        table = self.seat.table
        with suppress(Refused):  # nothing was said yet in this session
            self._undone(table)

    def _undone(self, table: Ledger[State]) -> None:
        amendment = undo(table, by="gm", at=AT)
        undone = named_takes(table.store, amendment)[0]
        declared = undone.declared
        assert declared
        said = decoder(table.game, BUILTIN).decode(declared.said)
        assert not isinstance(said, Correct)
        again = table.declare(said, at=AT, faces=declared.faces)
        assert (again.id, again.facts) == (undone.id, undone.facts)

    @precondition(lambda self: self.before and self.opened)
    @rule()
    def undo_for_good(self) -> None:
        undo(self.seat.table, by="gm", at=AT)
        self.paper, self.before = self.before, None

    @precondition(lambda self: not self.opened or self.steps % 6 == 0)
    @rule()
    def evening(self) -> None:
        """Close the session, or open the next."""
        table = self.seat.table
        if table.state.session.open:
            if self.paper:
                self.paper.close()
            table.close_session(at=AT)
        else:
            self.evenings += 1
            table.open_session(f"evening {self.evenings}", at=AT, seed=fixed_seed(str(self.evenings)))
        self.before = None

    @precondition(lambda self: not self.opened and self.plain())
    @rule(who=WHO)
    def no_dice_between_the_evenings(self, who: str) -> None:
        before = self.seat.trace()
        with pytest.raises(Refused, match="L-CLOSED"):
            self.seat.table.declare(Attempt(by=who, stat="might", difficulty=5), at=AT)
        assert self.seat.trace() == before

    @precondition(lambda self: not self.paper and self.plain())
    @rule()
    def write_it_down_anew(self) -> None:
        state = self.seat.state
        self.paper = Paper({who: {stat: self.seat.points(who, stat) for stat in pools} for who, pools in MOST.items()})
        self.paper.destiny = {who: self.seat.destiny(who) for who in LEVEL}
        self.paper.doom = self.seat.doom
        self.paper.light = {who for (who, _), wound in state.wounds.items() if wound.kind == "light"}

    def plain(self) -> bool:
        """Nothing is in force that the paper knows nothing of."""
        state = self.seat.state
        kinds = {wound.kind for wound in state.wounds.values()}
        held = {found.name for found in state.conditions.values()} - {"failed"}
        return not (state.windows or state.options or state.encounters or kinds - {"winded", "light", "severe"} or held)

    # Helpers

    def _said(self, said: Declaration, dice: tuple[int, ...] | None) -> Record:
        return self.seat.table.declare(said, at=AT, faces=dice)

    def _refused(self, said: Declaration, dice: tuple[int, ...] | None) -> str:
        return self.seat.refused(said, *(dice or ())).code

    def _keep(self) -> None:
        """The paper as it was before this line."""
        paper = self.paper
        assert paper
        copied = {who: dict(pools) for who, pools in paper.pools.items()}
        self.before = Paper(**{**vars(paper), "pools": copied, "destiny": dict(paper.destiny), "light": paper.light})

    def _result(self, record: Record) -> str:
        return [fact.result for fact in of_kind(record, Judged) if fact.what == "task"][-1]

    # What always holds

    @invariant()
    def the_ledger_agrees_with_the_paper(self) -> None:
        if self.paper:
            for who, pools in self.paper.pools.items():
                assert pools == {stat: self.seat.points(who, stat) for stat in pools}
                assert self.paper.destiny[who] == self.seat.destiny(who)
            assert self.paper.doom == self.seat.doom
            assert bool(self.paper.open) == bool(self.seat.state.windows)

    @invariant()
    def read_tables_are_the_fold(self) -> None:
        self.seat.store.check_rows(self.seat.state)

    @invariant()
    def numbers_keep_their_bounds(self) -> None:
        check_bounds(self.seat.state)

    @invariant()
    def the_store_says_what_the_table_knows(self) -> None:
        """From the checkpoint, and from zero."""
        here = self.seat.table.state
        packed = here.projection.pack(here.state)
        there = load_state(self.seat.store, StateProjection())
        assert (there.projection.pack(there.state), there.session, there.last) == (packed, here.session, here.last)
        assert there.reusable_numbers == here.reusable_numbers
        self.steps += 1
        if self.steps % 5 == 0:
            bare = MemoryStore()
            bare.append([decode(stored) for stored in self.seat.store.read()], after=0)
            zero = load_state(bare, StateProjection())
            assert zero.projection.pack(zero.state) == packed

    @invariant()
    def replay_finds_no_difference(self) -> None:
        if self.steps % 5 == 0:
            self.seat.replayed()

    def teardown(self) -> None:
        self.seat.replayed()
        _, findings = verify(self.seat.store, BOOK, StateProjection())
        assert [str(found) for found in findings] == []


TestEvenings = Evenings.TestCase


def test_random_play_knows_every_declaration() -> None:
    """Here or in the fights on paper."""
    here = {kind.__name__ for kind in DECLARATIONS if kind in globals().values()}
    there = {kind.__name__ for kind in DECLARATIONS if kind in vars(fights).values()}
    assert here | there == {kind.__name__ for kind in DECLARATIONS}
