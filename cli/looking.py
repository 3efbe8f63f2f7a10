"""`show` and `log`: the state at any entry, and how it came to be."""

from __future__ import annotations

import time

import click

from cli.main import Misspoken, typed
from cli.output import aligned, as_json, paint, safe, say
from cli.place import Place, pass_place
from cli.telling import duration, tell
from ledger.errors import LedgerError
from ledger.facts import GM, entry_id
from ledger.names import key
from ledger.records import Record, counting, encode
from ledger.store import Store, follow
from ledger.table import Standing, standing
from projections.state import Being, State
from projections.tally import Books


@click.command()
@click.argument("who", required=False)
@click.option("--at", help="At the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="Every value by name, as JSON.")
@pass_place
def show_command(place: Place, who: str | None, at: str | None, as_of: int | None, plain: bool) -> None:
    """The party and the open roll, or everything about WHO.

    Examples: campaign show   campaign show kess --at 1.4
    """
    found = looked(place.store(write=False), at, as_of)
    if plain:
        as_json(values_of(found, who))
        return
    order = list(place.book().texts().words.short.values())
    for line in sheet(found, who, order) if who else party(found, order):
        say(line)


def looked(store: Store, at: str | None, as_of: int | None) -> Standing[State]:
    """Where the ledger stands, or stood. Raises Misspoken for an entry or a position that there is not."""
    with typed():
        entry = None if at is None else entry_id(at)
    end = store.head().position
    if as_of is not None and as_of > end:
        raise Misspoken(LedgerError(f"the ledger ends at position {end}", where="--as-of"))
    found = standing(store, Books(), at=entry, as_of=as_of)
    if entry not in (None, found.last):
        raise Misspoken(LedgerError(f"there is no entry {entry}", where="--at", mend=f"Before it stands {found.last}."))
    return found


def values_of(found: Standing[State], who: str | None) -> dict[str, object]:
    """The values of all, or of one, with the place they were read at."""
    mine = f"{key(being(found.state, who).name)}." if who else ""
    values = {name: value for name, value in found.values().items() if name.startswith(mine)}
    return {"entry": str(found.last), "position": found.position, "values": values}


def party(found: Standing[State], order: list[str]) -> list[str]:
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
    lines += [
        f"{safe(name)}: {safe(window.who)} (since {window.opened})" for name, window in sorted(state.windows.items())
    ]
    lines += [f"option {safe(name)}: {safe(str(value))}" for name, value in sorted(state.options.items())]
    if state.clock.get("seconds"):
        lines.append(f"{duration(state.clock['seconds'])} have passed")
    lines.append(session(found))
    return lines


def session(found: Standing[State]) -> str:
    """Which session, and whether it is open."""
    sitting = found.sitting
    if not sitting.number:
        return "no session yet"
    return f"session {sitting.number} {'is open' if sitting.open else 'is closed'}, entry {found.last}"


def pools(state: State, being: Being, order: list[str]) -> str:
    """All pools of a being, as `might 9/12`, in the order in which its book names them."""
    mine = sorted(
        ((pool, found) for (who, pool), found in state.pools.items() if who == being.name),
        key=lambda pair: (order.index(pair[0]) if pair[0] in order else len(order), pair[0]),
    )
    return ", ".join(
        f"{safe(pool)} {found.points}" + ("" if found.most is None else f"/{found.most}") for pool, found in mine
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
    conditions = [safe(found.name) for _, found in state.conditions_of(being.name) if not found.data]
    return ", ".join(wounds + conditions)


def being(state: State, who: str) -> Being:
    """The being that `who` names or begins. Raises Misspoken naming those in play."""
    exact = state.being(who)
    fitting = [found for found in state.in_order() if key(found.name).startswith(key(who))]
    if exact is not None or len(fitting) == 1:
        return exact or fitting[0]
    everybody = ", ".join(safe(found.name) for found in state.in_order()) or "nobody"
    raise Misspoken(LedgerError(f"'{safe(who)}' is not one in play", mend=f"In play: {everybody}."))


def sheet(found: Standing[State], who: str, order: list[str]) -> list[str]:
    """Everything about one being."""
    state = found.state
    one = being(state, who)
    lines = [paint(safe(one.name), bold=True) + f" ({safe(one.kind)}, {safe(one.side) or 'no side'})"]
    lines += [line for line in (pools(state, one, order), tokens(state, one.name), holding(state, one)) if line]
    lines += aligned([[safe(entry), safe(str(value))] for entry, value in state.sheet_of(one.name).items()])
    return lines


@click.command()
@click.argument("session", required=False, type=click.IntRange(min=0))
@click.option("--takes", is_flag=True, help="All takes in order of writing, also those that no longer count.")
@click.option("--follow", "-f", "following", is_flag=True, help="Go on as entries are appended.")
@click.option("--json", "plain", is_flag=True, help="Records as they are stored, one a line.")
@pass_place
def log_command(place: Place, session: int | None, takes: bool, following: bool, plain: bool) -> None:
    """What was said and what came of it, of all sessions or of one.

    Examples: campaign log 1   campaign log --takes   campaign log -f
    """
    store = place.store(write=False)
    if takes or following:
        records = follow(store, after=0, wake=waited if following else lambda: False)
    else:
        records = counting(store.takes())
    last = 0
    for record in records:
        last = max(last, record.session)
        if session is None or record.session == session:
            logged(record, plain=plain, takes=takes)
    if session is not None and session > last:
        raise Misspoken(LedgerError(f"there is no session {session}", mend=f"The last one is {last}."))


def waited() -> bool:
    """Wait a little for somebody to append."""
    time.sleep(0.2)
    return True


def logged(record: Record, *, plain: bool, takes: bool) -> None:
    """One record of the log; void entries are left out unless all takes are asked for."""
    if plain:
        as_json(encode(record))
    elif record.facts or takes:
        for line in tell(record, takes=takes):
            say(line)
