"""Unconsciousness, dying and death: how they begin and end, and loss of health that is no damage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, CountsCleared, Ends, Fact, Judged, PointsLost
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.mars.guards import DEAD, DYING, ENDURANCE, HEALTH, PRONE, UNCONSCIOUS, members
from rulebooks.mars.harm.concentration import lose_concentration
from rulebooks.mars.harm.interruption import interrupt
from rulebooks.mars.texts import is_on, option
from rulebooks.mars.turns.actions import fall_prone

SUCCESSES: Final = "dying successes"
FAILURES: Final = "dying failures"
COUNTED: Final = {"hit": (SUCCESSES, 1), "critical": (SUCCESSES, 2), "fail": (FAILURES, 1)}
MOST: Final = 3
FALLEN: Final = "at 0 health"  # during this encounter


def fall(who: str, state: State, *, nonlethal: bool = False) -> Iterator[Fact]:
    """GR-DMG-4 to 6: with endurance 0, health 0 is unconsciousness, and health below 0 dying (GR-GAP-28)."""
    if state.points(who, HEALTH) > 0 or has_condition(who, DEAD, state):
        return
    yield from note_fall(who, state)
    if state.points(who, ENDURANCE):
        return
    health, most = state.points(who, HEALTH), state.pools[who, HEALTH].most or 0
    if health == 0:
        yield from knock_out(who, state, "GR-DMG-5")
    elif nonlethal and health > -most:
        yield from knock_out(who, state, "GR-DMG-6")
    else:
        yield from begin_dying(who, state, "GR-DMG-6" if nonlethal else "GR-DMG-4")


def note_fall(who: str, state: State) -> Iterator[Fact]:
    """GR-OUT-15: note who is at 0 health or less during an encounter."""
    if is_on(state, "injuries") and state.encounter is not None and not state.count(who, FALLEN):
        yield Counted(rules=("GR-OUT-15",), who=who, name=FALLEN, change=1, now=1, of=1, until="encounter")


def begin_dying(who: str, state: State, rule: str) -> Iterator[Fact]:
    """GR-DYI-1: dying, and so unconscious. GR-GAP-29: damage to the dying changes no counter."""
    yield from knock_out(who, state, rule, "GR-DYI-1")
    if not has_condition(who, DYING, state):
        yield new_condition(who, DYING, rule, "GR-DYI-1")


def knock_out(who: str, state: State, *rules: str, ends: tuple[Ends, ...] = (), about: str = "") -> Iterator[Fact]:
    """GR-UNC-2: unconscious and prone. GR-CON-2, GR-GAP-63: concentration and actions in progress are lost."""
    condition = find_condition(who, UNCONSCIOUS, state)
    if condition is None or (condition.ends and not ends):  # what was for a while lasts from now on
        yield new_condition(who, UNCONSCIOUS, *rules, "GR-UNC-1", "GR-UNC-2", about=about, ends=ends)
    yield from fall_prone(who, state, "GR-UNC-2")
    yield from lose_concentration(who, state, "unconscious", "GR-CON-2")
    yield from interrupt(who, "unconscious", state, "GR-UNC-1")


def end_dying(who: str, state: State, because: str, *rules: str) -> Iterator[Fact]:
    """End dying and its counters; who was dying stays unconscious."""
    yield condition_end(f"{DYING} {who}", state, because, *rules)
    yield CountsCleared(rules=rules, until=DYING, who=who)


def count_check(who: str, outcome: str, state: State) -> Iterator[Fact]:
    """GR-DYI-3: count the outcome of a dying check. GR-DYI-4: three successes stabilise, three failures kill."""
    if outcome not in COUNTED:
        return
    name, by = COUNTED[outcome]
    now = min(MOST, state.count(who, name) + by)
    change = now - state.count(who, name)
    yield Counted(rules=("GR-DYI-3",), who=who, name=name, change=change, now=now, of=MOST, until=DYING)
    if now == MOST and name == SUCCESSES:
        yield from end_dying(who, state, "stabilised", "GR-DYI-4")
    elif now == MOST:
        yield from kill(who, state, "GR-DYI-4")


def kill(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-DYI-4: dead; whatever else held ends, but that the body lies there."""
    yield CountsCleared(rules=rules, until=DYING, who=who)
    yield from lose_concentration(who, state, DEAD, *rules)
    yield from interrupt(who, DEAD, state, *rules)
    for id, condition in state.conditions_of(who):
        if condition.name != PRONE and not condition.data:
            yield condition_end(id, state, DEAD, *rules)
    yield new_condition(who, DEAD, *rules)


def bleed_out(state: State) -> Iterator[Fact]:
    """GR-DYI-5: at the end of a round everybody who is dying in this encounter loses 1 health."""
    for who in members(state.encounter, state) if state.encounter else ():
        if has_condition(who, DYING, state):
            yield health_loss(who, 1, "dying", state, "GR-DYI-5")


def health_loss(who: str, points: int, because: str, state: State, *rules: str, by: str = "") -> PointsLost:
    """Return the loss of health, which has no least."""
    now = state.points(who, HEALTH) - points
    return PointsLost(rules=rules, who=who, pool=HEALTH, points=points, now=now, because=because, by=by)


def lose_health(who: str, points: int, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-GAP-30: lose health that is no damage: it passes endurance, and at 0 or less it is pointed out.

    Under the other reading it brings down as damage does.
    """
    yield health_loss(who, points, because, state, *rules)
    if state.points(who, HEALTH) > 0:
        return
    if option(state, "health_loss_conditions") == "on":
        yield from fall(who, state)
    else:
        yield notice(who, f"{who}'s health is at or below 0", *rules, "GR-GAP-30")


def notice(who: str, text: str, *rules: str) -> Judged:
    """Return a notice about somebody, which the table has to settle."""
    return Judged(rules=rules, what="notice", who=who, result=text, final=True)


def end_dying_of_healed(who: str, state: State) -> Iterator[Fact]:
    """GR-GAP-58: dying ends when health is 0 or more; who was dying stays unconscious until woken."""
    if has_condition(who, DYING, state) and state.points(who, HEALTH) >= 0:
        yield from end_dying(who, state, "healed", "GR-GAP-58")
