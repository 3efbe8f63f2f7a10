"""Medicine and other help: treatment in a long rest, repairs, healing by other means, waking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import point_gain
from rulebooks.mars.declarations.harm import Restore, Treat, Wake
from rulebooks.mars.guards import DYING, HEALTH, UNCONSCIOUS, check_able, check_alive
from rulebooks.mars.harm import rest, wounds
from rulebooks.mars.tasks import checks, roll_steps, stat_values
from rulebooks.mars.texts import check_reason, check_whole, refusal

MEDICINE: Final = "medicine"
DIFFICULTY: Final = 10
BELOW_ZERO: Final = 15


@decides(Treat)
def treat(said: Treat, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-RES-5: medicine against 10, or 15 with health below 0; a success gives 2 health in this rest instead of 1."""
    check_able(said.by, state)
    check_alive(said.patient, state)
    if not has_condition(said.patient, rest.LONG_REST, state):
        raise refusal("NOT-RESTING", name=said.patient, line=speaker(said.patient, state))
    stat_values.value_of(said.by, MEDICINE, state)
    if rest.has_been_treated(said.patient, state):
        raise refusal("TREATED", name=said.patient)
    difficulty = BELOW_ZERO if state.points(said.patient, HEALTH) < 0 else DIFFICULTY
    throws = checks.entry_dice(dice)
    edges, against = roll_steps.blind_edges(said.by, said.patient, state), said.patient
    made = yield from checks.check_roll(
        said.by, MEDICINE, "treat", state, throws, "GR-RES-5", said=said, against=against, edges=edges
    )
    yield checks.judge("treat", made, difficulty, state, "GR-RES-5", against=said.patient)
    helped = checks.outcome(made.total, difficulty, state) in ("hit", "critical")
    throws.dice.settle(helped)
    yield rest.treated(said.patient, helped, state)


@decides(Restore)
def restore_points(said: Restore, state: State) -> Iterator[Fact]:
    """GR-GAP-58: points that come back by means outside the chapter, no further than the maximum."""
    check_alive(said.who, state)
    check_whole("amount", said.amount, 1)
    check_reason(said.reason, "Healing")
    room = (state.pools[said.who, said.resource].most or 0) - state.points(said.who, said.resource)
    gained = min(said.amount, room)
    over = said.amount - gained
    yield point_gain(said.who, said.resource, gained, said.reason, state, "GR-GAP-58", "GR-RES-2", over=over)
    yield from wounds.end_dying_of_healed(said.who, state)


@decides(Wake)
def wake(said: Wake, state: State) -> Iterator[Fact]:
    """GR-UNC-3, GR-GAP-39: noise or somebody's hand wakes the unconscious, who are still prone; not the dying."""
    check_alive(said.who, state)
    if has_condition(said.who, DYING, state):
        raise refusal("DYING", name=said.who)
    if not has_condition(said.who, UNCONSCIOUS, state):
        raise refusal("NOT-UNCONSCIOUS", name=said.who)
    check_reason(said.reason, "Waking")
    yield Ruled(rules=("GR-UNC-3", "GR-GAP-39"), name="wake", text=f"{said.who} wakes", because=said.reason)
    yield condition_end(f"{UNCONSCIOUS} {said.who}", state, said.reason, "GR-UNC-3")
