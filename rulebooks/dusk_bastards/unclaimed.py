"""Situations that a line did not name: those that modified its roll, and what its character could have used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.declarations import Declaration
from ledger.errors import Refused
from projections.state import State
from rulebooks.common.guide import Situation
from rulebooks.common.rulings import ruling_words
from rulebooks.dusk_bastards import case_law, guards
from rulebooks.dusk_bastards.combat.areas import strike_at
from rulebooks.dusk_bastards.combat.defence import defence_modifiers
from rulebooks.dusk_bastards.combat.modifiers import attack_modifiers, task_modifiers
from rulebooks.dusk_bastards.combat.situations import is_attack, shot_at, shot_of, word_and_value
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence, Intercept, Spell, Strike
from rulebooks.dusk_bastards.declarations.parts import Stat
from rulebooks.dusk_bastards.declarations.tasks import Directed, Retry, Search, Task
from rulebooks.dusk_bastards.declarations.turns import Initiative, Move
from rulebooks.dusk_bastards.tasks import costs, destiny, effects, retries, stats
from rulebooks.dusk_bastards.tasks.difficulty import ASSET_STEPS_MOST, RollModifier, assets

FROM_AFAR: Final = ("range", "point_blank")
KINDS: Final[dict[type[Task], str]] = {AreaAttack: "area", Attack: "attack", Defence: "defence", Intercept: "intercept"}


def rulings(said: Declaration, tasks: Sequence[str], state: State) -> Iterator[Situation]:
    """DB-PLAY-7: rulings in force that changed the declaration: their entry and what they set."""
    for entry, name, to in case_law.applicable_laws(said, tasks, state):
        yield Situation(name=entry, text=f"{ruling_words(entry, state)}: {name}={to}", known=True, rules=("DB-PLAY-7",))


def known_situations(said: Task, state: State) -> Iterator[Situation]:
    """DB-MOD-4: modifiers that come from the state and not from the line, each once."""
    claimed = claimed_names(said)
    seen = set()
    for name, rule, _, reason, counted in roll_modifiers(said, state):
        if counted and name not in claimed and (name, reason) not in seen:
            seen.add((name, reason))
            yield Situation(name=name, text=reason, known=True, rules=(rule,))


def claimed_names(said: Task) -> set[str]:
    """Return the names of the situations that the line says or denies."""
    names = {denied.name.partition("=")[0] for denied in said.denied}
    if isinstance(said, Directed):
        names |= {word_and_value(word)[0] for word in said.situations}
        names |= set(FROM_AFAR) if said.at is not None or said.feet is not None else set()
    if isinstance(said, AreaAttack):
        names |= {word_and_value(word)[0] for spot in said.targets for word in spot.situations}
    return names


def roll_modifiers(said: Task, state: State) -> Iterator[RollModifier]:
    """Return all modifiers of the roll from its situation and from its character."""
    if isinstance(said, AreaAttack):
        for spot in said.targets:
            strike = strike_at(said, spot)
            yield from attack_modifiers(strike, shot_of(strike, spot.target, state), state)
    elif isinstance(said, Attack | Intercept | Spell) and said.target:
        yield from attack_modifiers(said, shot_of(said, said.target, state), state)
    elif isinstance(said, Defence):
        yield from defence_modifiers(said, shot_at(said, state), state)
    elif isinstance(said, Search):
        yield from task_modifiers(said, state)
    yield from effects.own_modifiers(
        said.by, KINDS.get(type(said), "attack" if isinstance(said, Strike) else "task"), state
    )


def possible_situations(said: Task, state: State) -> Iterator[Situation]:
    """Yield the points, reactions and help that the character could have used and did not; none where nothing rolls."""
    if isinstance(said, Move) and said.distance == "immediate":
        return
    stat = roll_stat(said, state)
    if stat is not None:
        yield from more_effort(said, stat, state)
        yield from other_skills(said, stat, state)
    yield from destiny_held(said, state)
    yield from helpers_near(said, state)
    if isinstance(said, Defence):
        yield from cover_to_take(said, state)


def roll_stat(said: Task, state: State) -> Stat | None:
    """DB-STAT-1: the stat of the roll; None where nothing is rolled."""
    if isinstance(said, Move | Initiative):
        return "speed"
    if isinstance(said, Defence):
        return said.stat or ("might" if said.cause else "speed")
    if isinstance(said, Retry):
        return retries.retry_stat(said, retries.failure_to_retry(said, state))
    try:
        return stats.stat_of(said, state)
    except Refused:
        return None


def more_effort(said: Task, stat: Stat, state: State) -> Iterator[Situation]:
    """DB-EFFORT-4: more levels of Effort, as far as the limit and the pool go."""
    left = state.points(said.by, stat) - costs.points_by_pool(costs.fixed_items(said, stat))[stat]
    most = min(costs.effort_limit(said.by, state), costs.EFFORT_STEPS_MOST - said.free_effort)
    levels = max((n for n in range(most + 1) if costs.effort_price(said.by, n, state) <= left), default=0)
    if levels > said.effort:
        text = f"Effort up to {levels}, for {costs.effort_price(said.by, levels, state)} {stat}"
        yield Situation(name="effort", text=text, known=False, rules=("DB-EFFORT-1", "DB-EFFORT-4"))


def destiny_held(said: Task, state: State) -> Iterator[Situation]:
    """DB-DEST-5: Destiny to reroll, or to regain a point."""
    held = state.tokens_held(said.by, destiny.DESTINY) - len(said.destiny_first)
    if held > 0:
        text = f"{held} Destiny held, to reroll or to regain a point"
        yield Situation(name=destiny.DESTINY, text=text, known=False, rules=("DB-DEST-5", "DB-DEST-6", "DB-DEST-7"))


def other_skills(said: Task, stat: Stat, state: State) -> Iterator[Situation]:
    """DB-SKILL-1: a skill of this stat on the sheet, where the line names no task or leaves its skill out."""
    used = {modifier.reason for modifier in stats.skills(said, state)}
    for entry, level in state.sheet_of(said.by).items():
        kind, _, task = entry.partition(".")
        fits = task == stats.skill_of(said) if said.task else state.sheet(said.by, f"stat.{task}") == stat
        if kind == "skill" and fits and not any(reason.endswith(task) for reason in used):
            yield Situation(name="skill", text=f"{level} in {task}", known=False, rules=("DB-SKILL-1",))


def helpers_near(said: Task, state: State) -> Iterator[Situation]:
    """DB-MOD-5: another character who might have helped, while the cap of assets allows one (DB-ASSET-2)."""
    if -sum(modifier.steps for modifier in assets(said)) >= ASSET_STEPS_MOST:
        return
    for being in state.beings_in_order():
        there = being.kind == "pc" and not guards.is_out(being.name, state)
        if there and being.name not in (said.by, *said.helpers):
            yield Situation(name="help", text=f"{being.name} might have helped", known=False, rules=("DB-MOD-5",))


def cover_to_take(said: Defence, state: State) -> Iterator[Situation]:
    """DB-REACT-1: Take Cover, with the reaction of this round."""
    if is_attack(said, state) and state.actions_left(said.by, "reaction") and not guards.is_out(said.by, state):
        yield Situation(name="take_cover", text="Take Cover, as a reaction", known=False, rules=("DB-REACT-1",))
