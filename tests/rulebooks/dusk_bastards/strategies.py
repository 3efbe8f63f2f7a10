"""Random declarations of Dusk Bastards, most of them legal."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ledger.declarations import Ruling
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import PassOn
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations import combat, harm, turns
from rulebooks.dusk_bastards.declarations.parts import STATS, Asset, Change, Cost, Denied, Effect, Modifier, Spot, Use
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet, CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, ForbidRetry, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.world import AdvanceTime, SetDistance, SetLight, SetObscurity

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
    """Attempts, each field given or left at its default."""
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
COST = st.lists(st.builds(Cost, STAT, st.sampled_from([0, 1, 2, 9])), max_size=1).map(tuple)
OTHERS = st.lists(WHO, max_size=2).map(tuple)
FOUGHT = st.one_of(
    st.builds(turns.StartEncounter, by=st.just(GM), scale=st.sampled_from(["combat", "exploration"])),
    st.builds(turns.Initiative, by=WHO),
    st.builds(turns.Move, by=ANYONE, distance=st.sampled_from(["immediate", "short"])),
    st.builds(turns.Pass, by=ANYONE),
    st.just(PassOn(by=GM)),
    st.builds(combat.Attack, by=WHO, target=st.sampled_from(["Thug", "Captain"]), stat=STAT, damage=SMALL),
    st.builds(combat.Defence, by=WHO, difficulty=DIFFICULTY, damage=st.sampled_from([0, 3, 20])),
    st.builds(harm.Damage, by=st.just(GM), target=ANYONE, amount=st.sampled_from([1, 5, 20])),
    st.builds(harm.WoundRoll, by=WHO),
    st.builds(harm.WoundRoll, by=WHO),
    st.builds(harm.Rest, by=WHO, kind=st.sampled_from(["one_action", "one_hour", "ten_hours"])),
    st.builds(harm.Rest, by=WHO, kind=st.sampled_from(["ten_minutes", "ten_hours"]), others=OTHERS),
    st.builds(harm.Share, by=WHO, split=COST, order=st.sampled_from([(), ("speed",)]), lose=st.booleans()),
    st.builds(AdvanceTime, by=st.just(GM), seconds=st.sampled_from([60, 86400])),
    st.builds(turns.EndEncounter, by=st.just(GM)),
)
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
    st.builds(combat.TakeCover, by=ANYONE, cover_near=st.sampled_from(["no", "yes", "full"])),
    st.builds(combat.Intercept, by=ANYONE, target=ANYONE, protect=st.sampled_from(["", "Ash", "Thug"]), stat=STAT),
    st.builds(
        combat.CastSpell,
        by=ANYONE,
        task=st.sampled_from(["fog", "fog", ""]),
        time=st.sampled_from(["standard", "bonus", "reaction"]),
        cost=COST,
        **SPELL,
    ),
    st.builds(combat.StartLongSpell, by=ANYONE, spell=st.just("ward"), cost=COST),
    st.builds(combat.FinishLongSpell, by=ANYONE, task=st.sampled_from(["", "ward", "fog"]), **SPELL),
    st.builds(turns.Deed, by=ANYONE, cost=COST),
    st.builds(turns.QuickDeed, by=ANYONE, cost=COST),
    st.builds(
        turns.UseAbility,
        by=ANYONE,
        text=st.just("Brace"),
        cost=COST,
        target=ANYONE,
        effect=st.one_of(st.none(), EFFECT),
    ),
    st.builds(
        harm.Hazard,
        by=st.just(GM),
        target=ANYONE,
        row=st.sampled_from(["falling", "minor_fire", "shock", "huge_crush"]),
        rounds=st.sampled_from([1, 1, 2, 3, 0]),
        feet=st.sampled_from([None, None, 9, 25]),
        lose_action=st.booleans(),
    ),
    st.builds(harm.Poison, **AIL),
    st.builds(harm.Disease, **AIL),
    st.builds(combat.Defence, by=WHO, cause=st.sampled_from(["poison", "disease"]), stat=st.one_of(st.none(), STAT)),
    st.builds(harm.InflictWound, by=st.just(GM), target=ANYONE),
    st.builds(harm.WoundRoll, by=WHO),
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
HELD_EFFECT = st.builds(
    Effect, HELD, st.sampled_from([None, 1, 2]), st.integers(-1, 1), st.integers(-1, 1), st.integers(-2, 2)
)
FOE = st.sampled_from(["Thug", "Captain"])
SURROUNDED = st.one_of(
    st.builds(
        harm.SetCondition,
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
        {"by": WHO, "target": FOE, "stat": STAT},
        optional={**SITUATED, "on_hit": st.tuples(HELD_EFFECT), "effort": SMALL},
    ).map(lambda fields: combat.Attack(**fields)),
    st.fixed_dictionaries({"by": WHO, "source": FOE}, optional={**SITUATED, "area": st.booleans()}).map(
        lambda fields: combat.Defence(**fields)
    ),
    st.builds(
        combat.AreaAttack,
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
        name=st.sampled_from(
            [
                "light_wound_cost",
                "points_change_target",
                "target_change_per_point",
                "halves_round",
                "wound_penalties_stack",
                "healing_category",
                "luck",
            ]
        ),
        value=st.sampled_from(
            [
                "per_use",
                "per_level",
                "on",
                "off",
                1,
                3,
                13,
                "up",
                "down",
                "yes",
                "no",
                "reached",
                "kept",
                "rounded_down",
            ]
        ),
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
