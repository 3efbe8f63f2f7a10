"""Readied actions: stored with a trigger in the own turn, and performed as the reaction of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from ledger.dice import Dice
from ledger.facts import ConditionBegan, Ends, Fact, Judged
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.values import shared_fields
from rulebooks.mars import guards
from rulebooks.mars.combat import attack
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.declarations.tasks import Check
from rulebooks.mars.declarations.turns import Ready, TriggerReadied
from rulebooks.mars.maneuvers import performance, requirements, slots, table
from rulebooks.mars.maneuvers.use import BOTH
from rulebooks.mars.tasks import checks, skills, stat_values
from rulebooks.mars.texts import check_whole, option, refusal
from rulebooks.mars.turns import actions, cover, durations, hands, movement

Performance = Callable[[EntryDice], Iterator[Fact]]

READY_SPEED: Final = 2


@decides(Ready)
def ready(said: Ready, state: State) -> Iterator[Fact]:
    """GR-RDY-1: at speed 2 an action of speed 0 to 2 is stored with its trigger; its costs come later (GR-GAP-26)."""
    guards.check_able(said.by, state)
    guards.check_own_turn(said.by, state)
    if said.target:
        guards.check_alive(said.target, state)
    speed = READIED.get(said.action, OTHER).speed_of(said, state)
    if not 0 <= speed <= READY_SPEED:
        raise refusal("READY-SPEED", what=f"An action of speed {speed}")
    if not said.trigger.strip():
        raise refusal("REASON", what="A readied action", field="trigger").of_field("trigger")
    if find_condition(said.by, guards.READIED, state) is not None:
        raise refusal("READIED", name=said.by, line=speaker(said.by, state))
    yield from actions.pay_action(said.by, READY_SPEED, "ready", state, "GR-RDY-1")
    lasting = option(state, "ready_lasts") == "encounter"
    ends = (Ends(at="encounter"),) if lasting else durations.until_own_turn(said.by)
    note = msgspec.json.encode(said, order="deterministic").decode()
    what = " ".join(part for part in (said.maneuver or said.skill or said.action, said.target) if part)
    yield ConditionBegan(
        rules=("GR-RDY-1", "GR-GAP-26"),
        id=f"{guards.READIED} {said.by}",
        who=said.by,
        name=guards.READIED,
        about=f"{what}: {said.trigger}",
        ends=ends,
        note=note,
    )


def said_speed(said: Ready, state: State) -> int:
    """GR-RDY-1: the speed of anything else that is to be readied, as it is said."""
    speed = 1 if said.speed is None else said.speed
    check_whole("speed", speed, 0)
    return speed


def skill_speed(said: Ready, state: State) -> int:
    """GR-RDY-1, GR-SKL-1: the speed that is said for the use of a skill, which has to be known."""
    stat_values.value_of(said.by, said.skill, state)
    return said_speed(said, state)


def way_speed(said: Ready, state: State) -> int:
    """GR-RDY-1, GR-MOV-1: the speed of a move."""
    check_whole("metres", said.metres, 1)
    return movement.move_speed(said.by, said.metres, 0, state)


def maneuver_speed(said: Ready, state: State) -> int:
    """GR-RDY-1, GR-MAN-7: the speed of a maneuver, with what improvising it and doing both of its parts add."""
    row = table.find_row(said.by, said.maneuver)
    if row.speed is None:
        raise refusal("READY-SPEED", what=f"{row.name}, a reaction,")
    requirements.check_known(Maneuver(by=said.by, name=row.name, improvise=said.improvise), row, state)
    improvised = said.improvise == "speed" and not slots.has_learned(said.by, row.name, state)
    return row.speed + improvised + (said.boost and row.boost == BOTH)


def stored_action(who: str, state: State) -> Ready:
    """Return the action that somebody has readied. Raises the refusal of nothing readied."""
    condition = find_condition(who, guards.READIED, state)
    if condition is None:
        raise refusal("NOT-READIED", name=who, line=speaker(who, state))
    return msgspec.json.decode(condition.note, type=Ready)


def prepare_trigger(said: TriggerReadied, state: State) -> Performance:
    """GR-RDY-2: return what performs the readied action. Refuses what is not possible now, and in the own turn."""
    who = said.by
    guards.check_able(who, state)
    guards.check_may_react(who, state)
    stored = stored_action(who, state)
    guards.check_not_stunned(who, state)
    perform = READIED.get(stored.action, OTHER).prepare(stored, said, state)
    guards.check_reaction_left(who, state)
    return perform


@decides(TriggerReadied)
def trigger_readied(said: TriggerReadied, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-RDY-2: when the trigger happens, the action is performed at once, as the reaction of the round.

    GR-GAP-26: it takes no action points; other costs are paid now.
    """
    perform = prepare_trigger(said, state)
    yield from guards.use_reaction(said.by, state, "GR-RDY-2")
    yield condition_end(f"{guards.READIED} {said.by}", state, "performed", "GR-RDY-2")
    yield from perform(checks.entry_dice(dice))


def attack_of(stored: Ready, said: TriggerReadied) -> Attack:
    """GR-RDY-2: the attack that was readied, completed by what is said now."""
    return Attack(**shared_fields(said, Attack) | aimed(stored, said))


def maneuver_of(stored: Ready, said: TriggerReadied) -> Maneuver:
    """GR-RDY-2: the maneuver that was readied, completed by what is said now."""
    own = {"name": stored.maneuver, "improvise": stored.improvise, "boost": stored.boost}
    return Maneuver(**shared_fields(said, Maneuver) | own | aimed(stored, said))


def check_of(stored: Ready, said: TriggerReadied) -> Check:
    """GR-RDY-2: the check of a skill whose use was readied."""
    own = {"name": stored.skill, "at": said.target or stored.target}
    return Check(**shared_fields(said, Check) | own)


def aimed(stored: Ready, said: TriggerReadied) -> dict[str, Any]:
    """GR-RDY-2: the target and the weapon, as said now or when it was readied."""
    return {"target": said.target or stored.target, "weapon": said.weapon or stored.weapon}


def prepare_attack(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-RDY-3: prepare the attack that was readied."""
    strike = attack.prepare_readied(attack_of(stored, said), state)
    return lambda throws: attack.resolve(strike, state, throws)


def prepare_use(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-RDY-2: prepare the maneuver that was readied."""
    use = performance.prepare(maneuver_of(stored, said), state, readied=True)
    return lambda throws: performance.perform_use(use, state, throws)


def prepare_move(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-MOV-1: prepare the move that was readied."""
    movement.check_distance(said.by, stored.metres, 0, state)
    return lambda throws: movement.go(said.by, stored.metres, 0, state)


def prepare_brandish(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-BRA-1: prepare to take in hand what was named."""
    items = hands.find_items(said.by, stored.items, state)
    return lambda throws: hands.take_in_hand(said.by, items, "readied", state)


def prepare_fall(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-DRP-1: prepare to drop prone."""
    actions.check_upright(said.by, state)
    return lambda throws: actions.fall_prone(said.by, state, "GR-DRP-1")


def prepare_rise(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-RIS-1: prepare to rise."""
    actions.check_prone(said.by, state)
    return lambda throws: actions.get_up(said.by, state)


def prepare_cover(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-COV-1: prepare to seek cover behind what was named."""
    cover.check_object(said.by, stored.object, state)
    return lambda throws: cover.take_cover(said.by, stored.object, state)


def prepare_skill(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-SKL-1: prepare the check of the skill that was readied."""
    check = check_of(stored, said)
    skills.check_target(check, state)
    return lambda throws: skills.roll_against(check, state, throws, "GR-SKL-1")


def prepare_other(stored: Ready, said: TriggerReadied, state: State) -> Performance:
    """GR-RDY-2: prepare what has no rule of its own, which the table plays out."""
    done = Judged(rules=("GR-RDY-2",), what="readied action", who=said.by, result=stored.trigger, final=True)
    return lambda throws: iter((done,))


class ReadiedAction(msgspec.Struct, frozen=True):
    """An action that can be readied: its speed, if it is always the same or else how it is found, and how it begins."""

    speed: int | Callable[[Ready, State], int]
    prepare: Callable[[Ready, TriggerReadied, State], Performance]

    def speed_of(self, said: Ready, state: State) -> int:
        """GR-RDY-1: return the speed of an action that is to be readied. Refuses one that is not known."""
        return self.speed if isinstance(self.speed, int) else self.speed(said, state)


READIED: Final = {
    "attack": ReadiedAction(1, prepare_attack),
    "maneuver": ReadiedAction(maneuver_speed, prepare_use),
    "move": ReadiedAction(way_speed, prepare_move),
    "brandish": ReadiedAction(0, prepare_brandish),
    "drop-prone": ReadiedAction(0, prepare_fall),
    "rise": ReadiedAction(1, prepare_rise),
    "seek-cover": ReadiedAction(1, prepare_cover),
    "use-skill": ReadiedAction(skill_speed, prepare_skill),
}
OTHER: Final = ReadiedAction(said_speed, prepare_other)
