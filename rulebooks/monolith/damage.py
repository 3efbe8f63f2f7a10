"""Damage: armor, pooled damage of a Round, hit points, Direct Damage, the Body Save."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.facts import Counted, Fact, Judged, Sum
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import point_loss
from rulebooks.monolith import checks, scores, turns, wounds
from rulebooks.monolith.texts import option

DEALT = "dealt"


class BestDie(msgspec.Struct, frozen=True, kw_only=True):
    """The highest die of a pool: its face, attacker and tag; the rolls and weapons of the pool, its rules and sums."""

    target: str
    by: str
    face: int
    nonlethal: bool
    rolls: tuple[str, ...]
    rules: tuple[str, ...]
    using: tuple[tuple[str, str], ...] = ()
    sums: tuple[Sum, ...] = ()


def deal_damage(blow: BestDie, state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-ATK-1: the die less the armor; ML-GANG-2: of that the part that is new in this Round; then its effects."""
    before, armor = damage_dealt(blow.target, state), scores.armor_of(blow.target, state)
    net = net_damage(blow.face, armor, before, state)
    penetrating = max(0, blow.face - armor)
    pooled = ("ML-GANG-1", "ML-GANG-2") if before and option(state, "gang_scope") == "round" else ()
    yield Judged(
        rules=("ML-ATK-1", "ML-ATK-2", *blow.rules, *pooled),
        what="damage",
        who=blow.by,
        against=blow.target,
        sums=(*blow.sums, net),
        total=net.total,
        result="hurt" if net.total else "stopped",
        rolls=blow.rolls,
        final=True,
        using=blow.using,
    )
    if turns.phase(state) and penetrating > before:
        more = penetrating - before
        yield Counted(rules=("ML-GANG-2",), who=blow.target, name=DEALT, change=more, now=penetrating, until="round")
    yield from lose_points(blow, net.total, state, throws)


def damage_dealt(who: str, state: State) -> int:
    """ML-GANG-2: the highest net result of this Round so far."""
    return state.count(who, DEALT)


def net_damage(face: int, armor: int, before: int, state: State) -> Sum:
    """ML-ATK-1, ML-ATK-2: never below 0. ML-GANG-2: less what this Round has dealt already, if it pools."""
    total = SumSteps("total", face)
    taken = [("ML-ATK-1", armor, "armor")]
    if option(state, "gang_scope") == "round":
        taken.append(("ML-GANG-2", before, "dealt before in this Round"))
    for rule, value, reason in taken:
        total.add(-value, rule, reason)
        total.bound("max", 0, "ML-ATK-2", "never below 0")
    return total.sum()


def lose_points(blow: BestDie, damage: int, state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-DIR-1, ML-DIR-2: hit points first; the rest beyond 0 is Direct Damage, exactly 0 is not."""
    who = blow.target
    lost = min(damage, state.points(who, scores.HP))
    direct = damage - lost
    if lost:
        rule = "ML-DIR-1" if direct else "ML-DIR-2" if lost == state.points(who, scores.HP) else "ML-ATK-2"
        yield point_loss(who, scores.HP, damage, "attack", state, "ML-ATK-1", rule, by=blow.by)
    if direct:
        yield from deal_direct_damage(blow, direct, state, throws)


def deal_direct_damage(blow: BestDie, direct: int, state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-DIR-1: Body loses it, and ML-BODY-1: at 0 that is death. ML-TAG-2: nonlethal damage leaves Body alone."""
    who, before = blow.target, state.points(blow.target, scores.BODY)
    if not blow.nonlethal:
        yield point_loss(who, scores.BODY, direct, "direct damage", state, "ML-DIR-1", "ML-BODY-1", by=blow.by)
        if direct >= before:
            yield from wounds.kill(who, state, "ML-BODY-1")
            return
    yield from roll_body_save(blow, before, state, throws)


def roll_body_save(blow: BestDie, before: int, state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-CRIT-1: a Body Save, against Body as it is after the loss; failed: Critical Damage (ML-TAG-3: knocked out)."""
    who = blow.target
    score = before if option(state, "body_save_score") == "before" else state.points(who, scores.BODY)
    rules = ("ML-CRIT-1", "ML-TAG-2") if blow.nonlethal else ("ML-CRIT-1",)
    passed = yield from checks.roll_save(who, "Body Save", score, f"Body Save {who}", state, throws, *rules)
    if not passed:
        yield from wounds.knock_out(who, state) if blow.nonlethal else wounds.begin_critical(who, state)
