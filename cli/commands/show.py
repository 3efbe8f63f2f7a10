"""`show` and `log`: the state at any entry, and how it came to be."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError, input_errors
from cli.output import aligned, paint, print_json, print_line, safe
from cli.render.phrases import order as turns
from cli.render.phrases import passing, stance, until, words
from ledger.facts import GM, parse_entry_id
from ledger.names import name_key
from ledger.position import LedgerState, load_state
from ledger.store import Store
from projections.projection import StateProjection
from projections.state import Being, Condition, Encounter, State, Window

ENCOUNTER = "encounter"


@click.command()
@click.argument("what", required=False)
@click.option("--at", help="At the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="Every value by name, as JSON.")
@pass_campaign
def show_command(context: CampaignContext, what: str | None, at: str | None, as_of: int | None, plain: bool) -> None:
    """The party and what is open; or all about WHAT: somebody, `encounter`, or a token by its name.

    Examples: campaign show   campaign show kess --at 1.4   campaign show encounter   campaign show doom
    """
    found = looked(context.store(write=False), at, as_of)
    subject = meant(found.state, what) if what else None
    if plain:
        print_json(values_of(found, subject))
        return
    order = list(context.book().texts().words.short.values())
    for line in about(found, subject, order):
        print_line(line)


def about(found: LedgerState[State], subject: Being | str | None, order: list[str]) -> list[str]:
    """All that is known of somebody, of the encounter, or of a token; or of the party."""
    if subject is None:
        return party(found, order)
    if isinstance(subject, Being):
        return sheet(found.state, subject, order)
    return encounter(found.state, order) if subject == ENCOUNTER else held(found.state, subject)


def meant(state: State, what: str) -> Being | str:
    """The being that `what` names or begins, or the encounter, or a token. Raises InputError naming those in play."""
    exact = state.being(what)
    others = [ENCOUNTER, *sorted({token for _, token in state.tokens})]
    beings: list[Being | str] = [being for being in state.in_order() if name_key(being.name).startswith(name_key(what))]
    fitting = beings or [other for other in others if other.startswith(name_key(what))]
    if exact is not None or name_key(what) in others:
        return exact or name_key(what)
    if len(fitting) == 1:
        return fitting[0]
    everybody = ", ".join(safe(found.name) for found in state.in_order()) or "nobody"
    hint = f"In play: {everybody}. Also: {', '.join(map(safe, others))}."
    raise InputError(f"'{safe(what)}' is not one in play", hint=hint)


def looked(store: Store, at: str | None, as_of: int | None) -> LedgerState[State]:
    """Where the ledger stands, or stood. Raises InputError for an entry or a position that there is not."""
    with input_errors():
        entry = None if at is None else parse_entry_id(at)
    end = store.head().position
    if as_of is not None and as_of > end:
        raise InputError(f"the ledger ends at position {end}")
    found = load_state(store, StateProjection(), at=entry, as_of=as_of)
    if entry not in (None, found.last):
        raise InputError(f"there is no entry {entry}", hint=f"Before it stands {found.last}.")
    return found


def values_of(found: LedgerState[State], subject: Being | str | None) -> dict[str, object]:
    """The values of all, or of one, with the place they were read at."""
    values = {name: value for name, value in found.values().items() if concerns(name, subject)}
    return {"entry": str(found.last), "position": found.position, "values": values}


def concerns(name: str, subject: Being | str | None) -> bool:
    """Whether a value of this name is one of theirs."""
    if isinstance(subject, Being):
        return name.startswith(f"{name_key(subject.name)}.")
    if subject == ENCOUNTER:
        return name.startswith(f"{ENCOUNTER}.")
    return subject is None or name == subject or name.endswith(f".{subject}")


def party(found: LedgerState[State], order: list[str]) -> list[str]:
    """A line for each being, then the game master's tokens, what is open, and the session."""
    state = found.state
    rows = [
        [
            paint(safe(being.name), bold=True),
            pools(state, being, order),
            tokens(state, being.name),
            holding(state, being),
        ]
        for being in state.in_order()
    ]
    lines = aligned(rows)
    doom = tokens(state, GM)
    lines += [doom] if doom else []
    if state.encounter:
        lines += [stands(state.encounter), f"order: {turns(state.encounter.order)}"]
    lines += [waiting(name, window) for name, window in sorted(state.windows.items())]
    scene = [
        f"{words(name)} {count.now}" for (who, name), count in sorted(state.counts.items()) if not who and count.now
    ]
    lines += [", ".join(scene)] if scene else []
    lines += [f"option {safe(name)}: {safe(str(value))}" for name, value in sorted(state.options.items())]
    if state.clock.get("seconds"):
        lines.append(passing(state.clock["seconds"], past=True))
    lines.append(session(found))
    return lines


def stands(found: Encounter) -> str:
    """Where the cycle of an encounter stands: `fight (combat), round 2, action phase: captain's turn`."""
    name = safe(found.kind or found.scale) + (f" ({safe(found.scale)})" if found.kind not in ("", found.scale) else "")
    parts = [name, f"round {found.round}" if found.round else "", stance(found.phase, found.turn)]
    waits = f" (before {', '.join(map(safe, reversed(found.waiting)))})" if found.waiting else ""
    return ", ".join(part for part in parts if part) + waits


def waiting(name: str, window: Window) -> str:
    """Something that waits, for whom, and whose answer it needs if that is somebody else."""
    label = window.kind if name.startswith(f"{window.kind} ") else name
    waits = "" if window.who in window.awaits else f", waits for {', '.join(map(safe, window.awaits))}"
    return f"{safe(label)}: {safe(window.who)} (since {window.opened}{waits})"


def encounter(state: State, order: list[str]) -> list[str]:
    """The encounter: where its cycle stands, and everybody in it in order: score, what is left, how they are."""
    found = state.encounter
    if found is None:
        return ["no encounter is running"]
    seated = [who for slot in found.order for who in slot.who]
    rows = [
        row(found, state, slot.slot, "" if slot.score is None else f"{slot.score}", who, order)
        for slot in found.order
        for who in (slot.who or ("",))
    ]
    rows += [row(found, state, who, "-", who, order) for who in found.members if who not in seated]
    due = [waiting(name, window) for name, window in sorted(state.windows.items())]
    return [paint(stands(found), bold=True), *aligned(rows), *due]


def row(found: Encounter, state: State, place: str, score: str, who: str, order: list[str]) -> list[str]:
    """Somebody in the order of an encounter."""
    being = state.being(who)
    mark = "turn" if who and found.turn in (place, who) else "done" if place in found.done else ""
    name = safe(who) if place == who else f"{safe(place)}: {safe(who) or 'nobody'}"
    if being is None:
        return [name, score, mark, "", ""]
    hurt = ", ".join(part for part in (pools(state, being, order, full=False), holding(state, being)) if part)
    return [name, score, mark, left(state, being.name), hurt]


def left(state: State, who: str) -> str:
    """What may still be done this turn or round."""
    mine = [(action, number) for (whose, action), number in sorted(state.allowances.items()) if whose == who]
    able = [words(action) if number == 1 else f"{words(action)} {number}" for action, number in mine if number]
    return ", ".join(able) if able or not mine else "nothing left"


def held(state: State, token: str) -> list[str]:
    """Who holds how many of a token, and how many they may hold."""
    mine = [(who, found) for (who, name), found in sorted(state.tokens.items()) if name == token]
    return [
        ("" if who == GM else f"{safe(who)} ")
        + f"{safe(token)} {found.count}"
        + ("" if found.most is None else f"/{found.most}")
        for who, found in mine
    ]


def session(found: LedgerState[State]) -> str:
    """Which session, and whether it is open."""
    sitting = found.session
    if not sitting.number:
        return "no session yet"
    return f"session {sitting.number} {'is open' if sitting.open else 'is closed'}, entry {found.last}"


def pools(state: State, being: Being, order: list[str], *, full: bool = True) -> str:
    """Pools of a being, as `might 9/12`, in the order in which its book names them; also those that are `full`."""
    mine = sorted(
        ((pool, found) for (who, pool), found in state.pools.items() if who == being.name),
        key=lambda pair: (order.index(pair[0]) if pair[0] in order else len(order), pair[0]),
    )
    return ", ".join(
        f"{safe(pool)} {found.points}" + ("" if found.most is None else f"/{found.most}")
        for pool, found in mine
        if full or found.points != found.most
    )


def tokens(state: State, who: str) -> str:
    """All tokens of one holder."""
    mine = sorted((token, found) for (holder, token), found in state.tokens.items() if holder == who)
    return ", ".join(f"{safe(token)} {found.count}" for token, found in mine)


def holding(state: State, being: Being) -> str:
    """Wounds and conditions of a being."""
    wounds = [
        f"{safe(wound.kind)} wound {wound.value}" + ("" if wound.in_force else " (not in force yet)")
        for _, wound in state.wounds_of(being.name)
    ]
    conditions = [words(found.name) for _, found in state.conditions_of(being.name) if not found.data]
    return ", ".join(wounds + conditions)


def sheet(state: State, one: Being, order: list[str]) -> list[str]:
    """Everything about one being: pools, tokens, wounds by name, conditions with their ends, counts, the sheet."""
    lines = [paint(safe(one.name), bold=True) + f" ({safe(one.kind)}, {safe(one.side) or 'no side'})"]
    lines += [line for line in (pools(state, one, order), tokens(state, one.name)) if line]
    lines += [
        f'wound "{safe(name)}": {safe(wound.kind)} {wound.value}' + ("" if wound.in_force else ", not in force yet")
        for name, wound in state.wounds_of(one.name)
    ]
    lines += [lasting(found, state) for _, found in state.conditions_of(one.name) if not found.data]
    able = left(state, one.name)
    lines += [f"left: {able}"] if able else []
    counts = [(name, count) for (who, name), count in sorted(state.counts.items()) if who == one.name]
    rows = [[words(name), f"{count.now}" + (f" of {count.of}" if count.of else "")] for name, count in counts]
    return lines + aligned(rows + [[safe(name), safe(str(value))] for name, value in state.sheet_of(one.name).items()])


def lasting(found: Condition, state: State) -> str:
    """A condition, whom it is about, since when and until when."""
    degree = f" {found.degree}" + (f" of {found.of}" if found.of else "") if found.degree != 1 or found.of else ""
    about = f" ({safe(found.about)})" if found.about else ""
    ends = " or ".join(until(end, state.clock.get("seconds", 0)) for end in found.ends)
    return f"{words(found.name)}{degree}{about} since {found.since}" + (f", {ends}" if ends else "")
