"""Attack modifiers of the situation, from Cover to Moving Targets, and targets that cannot be attacked at all.

All of them are seen from the attacker's side: steps above 0 hinder the attack, below 0 they ease it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from projections.state import State
from rulebooks.dusk_bastards.combat.situations import LIGHT_WORDS, Shot, known_situations, situations_in_force
from rulebooks.dusk_bastards.combat.this_round import interception_hindrance, round_modifiers
from rulebooks.dusk_bastards.declarations.combat import Intercept, Strike
from rulebooks.dusk_bastards.declarations.parts import BANDS, Denied
from rulebooks.dusk_bastards.declarations.tasks import Search
from rulebooks.dusk_bastards.guards import check_being
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier, leave_out_denied
from rulebooks.dusk_bastards.tasks.effects import mirror, own_modifiers
from rulebooks.dusk_bastards.texts import option, refusal, value_refusal
from rulebooks.dusk_bastards.world.surroundings import distance_between

UNSEEN: Final = 2  # DB-VIS-4: steps against what cannot be seen
SEEN_TO: Final = {"dim": BANDS.index("short"), "very_dim": BANDS.index("immediate"), "dark": -1}
LIGHT_RULES: Final = {"dim": "DB-LIGHT-2", "very_dim": "DB-LIGHT-3", "dark": "DB-LIGHT-4"}


def check_attackable(shot: Shot, state: State) -> None:
    """DB-VIS-3, DB-COVER-2, DB-RANGE-1, DB-WATER-3, DB-RANGE-2, in this order: targets beyond attack."""
    if is_unfound(shot, state) and not shot.has("located"):
        raise refusal("HIDDEN")
    if shot.has("full_cover") and not shot.has("through"):
        raise refusal("COVER")
    if not shot.ranged and shot.distance is not None and shot.distance > BANDS.index("immediate"):
        raise refusal("REACH")
    if shot.ranged and shot.is_submerged and not shot.works_underwater:
        raise refusal("UNDERWATER")
    if shot.ranged and shot.distance is not None and shot.distance > effective_range(shot, shot.max_range):
        raise refusal("MAXRANGE")


def attack_modifiers(said: Strike, shot: Shot, state: State) -> tuple[RollModifier, ...]:
    """DB-MOD-4: the situation, what attacker and target have done this round, and the target's conditions.

    DB-MOVE-3: the ease of a charge is for an attack; an interception neither has it nor uses it up.
    """
    situation = shot_modifiers(shot, said.denied, state)
    defence = mirror(own_modifiers(shot.target, "defence", state))
    this_round = round_modifiers(said.by, shot.target, state, charge=not isinstance(said, Intercept))
    return (*situation, *this_round, *defence)


def shot_modifiers(shot: Shot, denied: Sequence[Denied], state: State) -> tuple[RollModifier, ...]:
    """DB-MOD-4: every chapter's steps, and those of what is known and denied, which do not count."""
    left_out = [
        modifier
        for word in (denial.name.partition("=")[0] for denial in denied)
        if word in shot.known
        for modifier in _chapter_modifiers(msgspec.structs.replace(shot, situations={word: shot.known[word]}), state)
        if modifier.name == word and modifier.steps
    ]
    return (*_chapter_modifiers(shot, state), *(leave_out_denied(denied, left_out) if left_out else ()))


def _chapter_modifiers(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-MOD-4: the steps of each chapter; where no situation applies, the range alone may have any."""
    for chapter in CHAPTERS if shot.situations else (beyond_range,):
        yield from chapter(shot, state)


# Cover, Position, Surprise


def cover(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-COVER-1: behind cover, one step. DB-COVER-2: wholly behind it too, where the attack goes through."""
    if shot.has("full_cover"):
        yield RollModifier("full_cover", "DB-COVER-2", 1, shot.reason("full_cover"))
    elif shot.has("cover"):
        yield RollModifier("cover", "DB-COVER-1", 1, shot.reason("cover"))


def position(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-POS-1: a prone target is easier to hit in melee, harder from afar. DB-POS-2: higher ground eases."""
    if shot.has("prone"):
        yield RollModifier("prone", "DB-POS-1", 1 if shot.ranged else -1, shot.reason("prone"))
    if shot.has("high"):
        yield RollModifier("high", "DB-POS-2", -1, shot.reason("high"))


def surprise(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-SURP-1: no idea of the attack, two steps. DB-SURP-2: on guard but unsure, one."""
    if shot.has("unsure"):
        yield RollModifier("unsure", "DB-SURP-2", -1, shot.reason("unsure"))
    elif shot.has("surprise"):
        yield RollModifier("surprise", "DB-SURP-1", -2, shot.reason("surprise"))


# Range


def beyond_range(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-RANGE-3: point blank eases. DB-RANGE-2: beyond the weapon's range, one step for each further band."""
    if not shot.ranged or shot.distance is None:
        return
    if shot.distance == BANDS.index("immediate"):
        yield RollModifier("point_blank", "DB-RANGE-3", -1, "point blank")
        return
    reach = None if shot.range is None else effective_range(shot, shot.range)
    if reach is not None and shot.distance > reach:
        reason = f"{BANDS[shot.distance]} distance, beyond the weapon's {BANDS[reach]} range"
        yield RollModifier("range", "DB-RANGE-2", shot.distance - reach, reason)


def effective_range(shot: Shot, reach: int) -> int:
    """DB-WATER-3: underwater a weapon's range is one band shorter; immediate stays immediate."""
    return max(0, reach - 1) if shot.is_submerged else reach


# Illumination, Visibility


def sight(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-VIS-5: light, obscurity and invisibility all reduce the view of the target: only the worst one counts."""
    kinds = [list(illumination(shot, state)), list(obscurity(shot)), list(invisibility(shot))]
    worst = [max(kind, key=_steps) for kind in kinds if any(map(_steps, kind))]
    if option(state, "sight_penalties_stack") == "no":
        worst = [max(worst, key=_steps)] if worst else []
    for modifier in (modifier for kind in kinds for modifier in kind):
        counts = modifier in worst or not modifier.steps
        yield modifier if counts else modifier._replace(rule="DB-VIS-5", counted=False)


def _steps(modifier: RollModifier) -> int:
    return modifier.steps


def illumination(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-LIGHT-1: nearer than the range of the light, no effect; at it, one step; beyond it, unseen (DB-VIS-4)."""
    for word in LIGHT_WORDS:
        if not shot.has(word):
            continue
        yield RollModifier(word, LIGHT_RULES[word], 0, shot.reason(word))
        steps = dimness(word, shot.distance or 0, state)
        if steps == UNSEEN:
            yield RollModifier(word, "DB-VIS-4", UNSEEN, f"{shot.reason(word)} and cannot be seen")
        elif steps:
            yield RollModifier(word, "DB-LIGHT-1", steps, shot.reason(word))


def dimness(word: str, at: int, state: State) -> int:
    """DB-LIGHT-2 to 4: dim light reaches a short distance, very dim light an immediate one, darkness none."""
    reach = SEEN_TO[word]
    if at == reach:
        clear = word == "very_dim" and option(state, "very_dim_immediate") == "clear"
        return 0 if clear else 1
    return UNSEEN if at > reach else 0


def obscurity(shot: Shot) -> Iterator[RollModifier]:
    """DB-VIS-1: lightly obscured, one step from afar. DB-VIS-2: heavily, one in melee, and unseen from afar."""
    if shot.has("obscured"):
        yield RollModifier("obscured", "DB-VIS-1", int(shot.ranged), shot.reason("obscured"))
    if shot.has("heavily_obscured"):
        steps = UNSEEN if shot.ranged else 1
        yield RollModifier("heavily_obscured", "DB-VIS-2", steps, shot.reason("heavily_obscured"))


def invisibility(shot: Shot) -> Iterator[RollModifier]:
    """DB-VIS-4: an invisible target whose place is known, two steps. DB-VIS-3: hiding itself gives none."""
    if shot.has("invisible"):
        yield RollModifier("invisible", "DB-VIS-4", UNSEEN, shot.reason("invisible"))
    if shot.has("hidden"):
        yield RollModifier("hidden", "DB-VIS-3", 0, shot.reason("hidden"))


def is_unfound(shot: Shot, state: State) -> bool:
    """DB-VIS-3, DB-VIS-4: a target that is hidden or cannot be seen must be located before it is attacked."""
    dark = any(shot.has(word) and dimness(word, shot.distance or 0, state) == UNSEEN for word in LIGHT_WORDS)
    fog = shot.ranged and shot.has("heavily_obscured")
    return dark or fog or shot.has("hidden", "full_cover", "invisible")


# Water


def water(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-WATER-1: shallow water does nothing. DB-WATER-2: deep water, one step. DB-WATER-3: or underwater."""
    if shot.is_submerged:
        yield RollModifier("underwater", "DB-WATER-3", shot.underwater_steps(), shot.reason("underwater"))
    elif shot.has("deep") and not shot.aquatic and not shot.has("underwater"):
        yield RollModifier("deep", "DB-WATER-2", 1, shot.reason("deep"))
    elif shot.has("shallow"):
        yield RollModifier("shallow", "DB-WATER-1", 0, shot.reason("shallow"))


# Moving Targets


def movement(shot: Shot, state: State) -> Iterator[RollModifier]:
    """DB-MTGT-1, DB-MTGT-2: from afar one step for each distance moved, of the target and of the attacker.

    DB-MTGT-3: in the same direction neither counts, if it is ruled so and both have moved. DB-MTGT-4: in melee it
    does not matter.
    """
    cancelled = shot.has("same_direction") and shot.has("moved") and shot.has("moving")
    if shot.ranged and shot.has("same_direction") and not cancelled:
        yield RollModifier("same_direction", "DB-MTGT-3", 0, "not both have moved, so no direction is the same")
    for word, rule in (("moved", "DB-MTGT-1"), ("moving", "DB-MTGT-2")):
        if not shot.has(word):
            continue
        if not shot.ranged:
            yield RollModifier(word, "DB-MTGT-4", 0, shot.reason(word))
            continue
        steps = BANDS.index(shot.situations[word]) + moving_base(state)
        alone = ", and not both" if shot.has("same_direction") and not cancelled else ""
        modifier = RollModifier(word, rule, steps, shot.reason(word) + alone)
        yield modifier._replace(rule="DB-MTGT-3", counted=False) if cancelled else modifier


def moving_base(state: State) -> int:
    """DB-GAP-57: the steps of an immediate distance moved."""
    base = option(state, "moving_base")
    return base if isinstance(base, int) else 0


CHAPTERS: Final[tuple[Callable[[Shot, State], Iterator[RollModifier]], ...]] = (
    cover,
    position,
    surprise,
    beyond_range,
    sight,
    water,
    movement,
)


def task_modifiers(said: Search, state: State) -> tuple[RollModifier, ...]:
    """DB-LIGHT-1: a target at the range of the light is one step harder for any other task directed at it too.

    DB-REACT-5: whatever an intercepted enemy does to anyone other than the interceptor is hindered.

    The book is silent on such a task where the target cannot be seen at all: that is a ruling.
    """
    if not (said.toward or said.locates or said.at or said.feet is not None or said.situations):
        return ()
    wrong = [word for word in said.situations if word not in LIGHT_WORDS]
    if wrong:
        domain = f"one of {', '.join(LIGHT_WORDS)} on a task that is not an attack; write others as +1 or -1"
        raise value_refusal("situations", domain, wrong[0])
    for field in ("toward", "locates"):
        if who := getattr(said, field):
            check_being(who, state, field)
    if not (said.toward or said.at or said.feet is not None or said.situations):
        return ()
    situations = situations_in_force(said.situations, said.denied, known_situations(said.by, said.toward, state))
    darkest = [word for word in LIGHT_WORDS if word in situations][-1:]
    shot = Shot(
        attacker=said.by,
        target=said.toward,
        ranged=False,
        distance=distance_between(said, said.by, said.toward, state),
        situations=dict.fromkeys(darkest, ""),
    )
    shot.check_distance()
    light = (modifier for modifier in illumination(shot, state) if modifier.steps < UNSEEN)
    return (*light, *(interception_hindrance(said.by, said.toward, state) if said.toward else ()))
