"""What an attack does: armor, what is new in this Round, hit points, Direct Damage, the Body Save."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.facts import Counted, Fact, Judged, PointsLost, Step, Sum
from projections.state import State
from rulebooks.monolith.checks import Throws, has_failed, saved
from rulebooks.monolith.scores import BODY, HP, armor_of
from rulebooks.monolith.texts import option
from rulebooks.monolith.turns import phase
from rulebooks.monolith.wounds import critical, dead, knocked_out

DEALT = "dealt"


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """The die of a pool that counts: its face, whose it is, its tag, the throws of the pool, and what made it so."""

    target: str
    by: str
    face: int
    nonlethal: bool
    rolls: tuple[str, ...]
    rules: tuple[str, ...]
    sums: tuple[Sum, ...] = ()


def struck(blow: Blow, state: State, throws: Throws) -> Iterator[Fact]:
    """ML-ATK-1: the die less the armor; ML-GANG-2: of that what is new in this Round; then what it does."""
    found = net_damage(blow, state)
    before = dealt(blow.target, state)
    net = max(0, blow.face - armor_of(blow.target, state))
    pooled = ("ML-GANG-1", "ML-GANG-2") if before and option(state, "gang_scope") == "round" else ()
    yield Judged(
        rules=("ML-ATK-1", "ML-ATK-2", *blow.rules, *pooled),
        what="damage",
        who=blow.by,
        against=blow.target,
        sums=(*blow.sums, found),
        total=found.total,
        result="hurt" if found.total else "stopped",
        rolls=blow.rolls,
        final=True,
    )
    if phase(state) and net > before:
        yield Counted(rules=("ML-GANG-2",), who=blow.target, name=DEALT, change=net - before, now=net, until="round")
    yield from hurt(blow, found.total, state, throws)


def dealt(who: str, state: State) -> int:
    """ML-GANG-2: the highest net result of this Round so far."""
    return state.count(who, DEALT)


def net_damage(blow: Blow, state: State) -> Sum:
    """ML-ATK-1, ML-ATK-2: never below 0. ML-GANG-2: less what this Round has dealt already, if it pools."""
    now, steps = blow.face, list[Step]()
    taken = [("ML-ATK-1", armor_of(blow.target, state), "armor")]
    if option(state, "gang_scope") == "round":
        taken.append(("ML-GANG-2", dealt(blow.target, state), "dealt before in this Round"))
    for rule, value, reason in taken:
        if not value:
            continue
        now -= value
        steps.append(Step(op="-", value=value, rule=rule, reason=reason, now=now))
        if now < 0:
            now = 0
            steps.append(Step(op="max", value=0, rule="ML-ATK-2", reason="never below 0", now=0))
    return Sum(name="total", start=blow.face, steps=tuple(steps), total=now)


def hurt(blow: Blow, damage: int, state: State, throws: Throws) -> Iterator[Fact]:
    """ML-DIR-1, ML-DIR-2: hit points first; what passes 0 is Direct Damage, exactly 0 is not."""
    who = blow.target
    lost = min(damage, state.points(who, HP))
    direct = damage - lost
    if lost:
        yield PointsLost(
            rules=("ML-ATK-1", "ML-DIR-1" if direct else "ML-DIR-2" if lost == state.points(who, HP) else "ML-ATK-2"),
            who=who,
            pool=HP,
            points=lost,
            now=state.points(who, HP) - lost,
            because="attack",
            by=blow.by,
            over=direct,
        )
    if direct:
        yield from direct_damage(blow, direct, state, throws)


def direct_damage(blow: Blow, direct: int, state: State, throws: Throws) -> Iterator[Fact]:
    """ML-DIR-1: Body loses it, and ML-BODY-1: at 0 that is death. ML-TAG-2: nonlethal damage leaves Body alone."""
    who, before = blow.target, state.points(blow.target, BODY)
    if not blow.nonlethal:
        lost = min(direct, before)
        yield PointsLost(
            rules=("ML-DIR-1", "ML-BODY-1"),
            who=who,
            pool=BODY,
            points=lost,
            now=before - lost,
            because="direct damage",
            by=blow.by,
            over=direct - lost,
        )
        if lost == before:
            yield from dead(who, state, "ML-BODY-1")
            return
    yield from body_save(blow, before, state, throws)


def body_save(blow: Blow, before: int, state: State, throws: Throws) -> Iterator[Fact]:
    """ML-CRIT-1: a Body Save, against Body as it is after the loss; failed: Critical Damage (ML-TAG-3: knocked out)."""
    who, failed = blow.target, False
    score = before if option(state, "body_save_score") == "before" else state.points(who, BODY)
    rules = ("ML-CRIT-1", "ML-TAG-2") if blow.nonlethal else ("ML-CRIT-1",)
    for fact in saved(who, "Body Save", score, f"Body Save {who}", state, throws, *rules):
        failed = failed or has_failed(fact)
        yield fact
    if failed:
        yield from knocked_out(who, state) if blow.nonlethal else critical(who, state)
