"""The state as text: the party, one being, the encounter, a token."""

from __future__ import annotations

from collections.abc import Sequence

from cli.output import align_columns, paint, safe
from cli.queries.state_at import ENCOUNTER, Subject
from cli.render.encounters import phase_and_turn, turn_order, until
from cli.render.phrases import passing, readable
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from projections.state import Being, Condition, Encounter, State, Window


def subject_lines(position: LedgerState[State], subject: Subject | None, pool_order: Sequence[str]) -> list[str]:
    """Return everything about one subject, or the party; pools in the order in which the book names them."""
    if subject is None:
        return party(position, pool_order)
    if isinstance(subject, Being):
        return sheet(position.state, subject, pool_order)
    return encounter(position.state, pool_order) if subject == ENCOUNTER else holders(position.state, subject)


def party(position: LedgerState[State], pool_order: Sequence[str]) -> list[str]:
    """Return a line for each being, then the game master's tokens, what is open, and the session."""
    state = position.state
    rows = [
        [
            paint(safe(being.name), bold=True),
            pools(state, being, pool_order),
            tokens(state, being.name),
            condition_names(state, being),
        ]
        for being in state.beings_in_order()
    ]
    lines = align_columns(rows)
    if gm_tokens := tokens(state, GM):
        lines.append(gm_tokens)
    if state.encounter:
        lines += [encounter_title(state.encounter), f"order: {turn_order(state.encounter.order)}"]
    lines += windows(state)
    shared_counts = [
        f"{readable(name)} {count.now}" for (who, name), count in sorted(state.counts.items()) if not who and count.now
    ]
    lines += [", ".join(shared_counts)] if shared_counts else []
    lines += [f"option {safe(name)}: {safe(str(value))}" for name, value in sorted(state.options.items())]
    if state.seconds:
        lines.append(passing(state.clock["seconds"], past=True))
    return [*lines, session(position)]


def session(position: LedgerState[State]) -> str:
    """Return the number of the session, and whether it is open."""
    current = position.session
    if not current.number:
        return "no session yet"
    return f"session {current.number} {'is open' if current.open else 'is closed'}, entry {position.last}"


def windows(state: State) -> list[str]:
    """Return a line for each open window: whose it is, since when, and who else has to answer."""
    lines = []
    for name, window in sorted(state.windows.items()):
        label = window.kind if name.startswith(f"{window.kind} ") else name
        lines.append(f"{safe(label)}: {safe(window.who)} (since {window.opened}{_awaited(window)})")
    return lines


def _awaited(window: Window) -> str:
    """Return those who have to answer, if they are others."""
    return "" if window.who in window.awaits else f", waits for {', '.join(map(safe, window.awaits))}"


def encounter_title(encounter: Encounter) -> str:
    """Return the point of the turn cycle: `fight (combat), round 2, action phase: captain's turn`."""
    scale = "" if encounter.kind in ("", encounter.scale) else f" ({safe(encounter.scale)})"
    name = safe(encounter.kind or encounter.scale) + scale
    parts = [
        name,
        f"round {encounter.round}" if encounter.round else "",
        phase_and_turn(encounter.phase, encounter.turn),
    ]
    waiting = f" (before {', '.join(map(safe, reversed(encounter.waiting)))})" if encounter.waiting else ""
    return ", ".join(part for part in parts if part) + waiting


def encounter(state: State, pool_order: Sequence[str]) -> list[str]:
    """Return the point of the turn cycle, then everybody in turn order: score, actions left, condition."""
    current = state.encounter
    if current is None:
        return ["no encounter is running"]
    in_order = {who for slot in current.order for who in slot.who}
    rows = [
        _encounter_row(state, current, slot.slot, "" if slot.score is None else f"{slot.score}", who, pool_order)
        for slot in current.order
        for who in (slot.who or ("",))
    ]
    others = [who for who in current.members if who not in in_order]
    rows += [_encounter_row(state, current, who, "-", who, pool_order) for who in others]
    return [paint(encounter_title(current), bold=True), *align_columns(rows), *windows(state)]


def _encounter_row(
    state: State, current: Encounter, slot: str, score: str, who: str, pool_order: Sequence[str]
) -> list[str]:
    """Return one row of the turn order."""
    being = state.being(who)
    mark = "turn" if who and current.turn in (slot, who) else "done" if slot in current.done else ""
    name = safe(who) if slot == who else f"{safe(slot)}: {safe(who) or 'nobody'}"
    if being is None:
        return [name, score, mark, "", ""]
    condition = (pools(state, being, pool_order, full=False), condition_names(state, being))
    return [name, score, mark, actions_left(state, being.name), ", ".join(part for part in condition if part)]


def actions_left(state: State, who: str) -> str:
    """Return the actions that a being has left this turn or round."""
    allowances = [(action, number) for (whose, action), number in sorted(state.allowances.items()) if whose == who]
    left = [
        readable(action) if number == 1 else f"{readable(action)} {number}" for action, number in allowances if number
    ]
    return ", ".join(left) if left or not allowances else "nothing left"


def holders(state: State, token: str) -> list[str]:
    """Return the holders of a token, with number and cap."""
    return [
        ("" if who == GM else f"{safe(who)} ") + f"{safe(token)} {held.count}" + _maximum(held.most)
        for (who, name), held in sorted(state.tokens.items())
        if name == token
    ]


def pools(state: State, being: Being, pool_order: Sequence[str], *, full: bool = True) -> str:
    """Return the pools of a being, as `might 9/12`; `full`: also the full ones."""
    own = sorted(
        ((name, pool) for (who, name), pool in state.pools.items() if who == being.name),
        key=lambda pair: (pool_order.index(pair[0]) if pair[0] in pool_order else len(pool_order), pair[0]),
    )
    return ", ".join(
        f"{safe(name)} {pool.points}{_maximum(pool.most)}" for name, pool in own if full or pool.points != pool.most
    )


def _maximum(most: int | None) -> str:
    """Return the maximum behind a number: `/12`."""
    return "" if most is None else f"/{most}"


def tokens(state: State, who: str) -> str:
    """Return all tokens of one holder."""
    own = sorted((token, held) for (holder, token), held in state.tokens.items() if holder == who)
    return ", ".join(f"{safe(token)} {held.count}" for token, held in own)


def condition_names(state: State, being: Being) -> str:
    """Return the wounds and conditions of a being."""
    wounds = [
        f"{safe(wound.kind)} wound {wound.value}" + ("" if wound.in_force else " (not in force yet)")
        for _, wound in state.wounds_of(being.name)
    ]
    conditions = [readable(condition.name) for _, condition in state.conditions_of(being.name) if not condition.data]
    return ", ".join(wounds + conditions)


def sheet(state: State, being: Being, pool_order: Sequence[str]) -> list[str]:
    """Return everything about one being: pools, tokens, wounds, conditions, actions left, counts, sheet."""
    lines = [paint(safe(being.name), bold=True) + f" ({safe(being.kind)}, {safe(being.side) or 'no side'})"]
    lines += [line for line in (pools(state, being, pool_order), tokens(state, being.name)) if line]
    lines += [
        f'wound "{safe(name)}": {safe(wound.kind)} {wound.value}' + ("" if wound.in_force else ", not in force yet")
        for name, wound in state.wounds_of(being.name)
    ]
    conditions = [condition for _, condition in state.conditions_of(being.name) if not condition.data]
    lines += [condition_line(condition, state.seconds) for condition in conditions]
    left = actions_left(state, being.name)
    lines += [f"left: {left}"] if left else []
    counts = [(name, count) for (who, name), count in sorted(state.counts.items()) if who == being.name]
    rows = [[readable(name), f"{count.now}" + (f" of {count.of}" if count.of else "")] for name, count in counts]
    return lines + align_columns(
        rows + [[safe(name), safe(str(value))] for name, value in state.sheet_of(being.name).items()]
    )


def condition_line(condition: Condition, clock: int) -> str:
    """Return a condition: degree, subject, beginning and end."""
    has_degree = condition.degree != 1 or condition.of
    degree = f" {condition.degree}" + (f" of {condition.of}" if condition.of else "") if has_degree else ""
    about = f" ({safe(condition.about)})" if condition.about else ""
    ends = " or ".join(until(end, clock) for end in condition.ends)
    return f"{readable(condition.name)}{degree}{about} since {condition.since}" + (f", {ends}" if ends else "")
