"""The state as text: the party, the encounter, or one subject."""

from __future__ import annotations

import msgspec

from cli.output import align_columns, at_terminal, paint, safe, terminal_width
from cli.queries.state_at import ENCOUNTER, Subject
from cli.queries.window_dice import WindowDice
from cli.render.beings import (
    condition_names,
    count_text,
    holders,
    holdings,
    is_gone,
    is_unused,
    levels,
    place_text,
    pools,
    rests_text,
    sheet,
)
from cli.render.encounters import turn_order
from cli.render.overview import BeingRow, EncounterRow, EncounterTable, Overview, overview_lines
from cli.render.phrases import passing
from cli.render.turns import NOTHING_LEFT, action_letters, actions_left, encounter_title, living_slots, windows
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from projections.state import Being, Encounter, State
from rulebooks.common.game import Game


def subject_lines(
    position: LedgerState[State], subject: Subject | None, book: Game, dice: WindowDice, *, every: bool = False
) -> list[str]:
    """Return everything about one subject, or the party, in the order and the words of the book.

    `every`: the party with those who are gone.
    """
    if subject is None:
        return party(position, book, dice, every=every)
    if isinstance(subject, Being):
        return sheet(position.state, subject, book)
    return encounter(position.state, book, dice) if subject == ENCOUNTER else holders(position.state, subject)


def party(position: LedgerState[State], book: Game, dice: WindowDice, *, every: bool = False) -> list[str]:
    """Return a row for each being, then the game master's tokens, what is open, and the session.

    Things of which nothing is to be said are left out, and without `every` those who are gone and things of no use.
    """
    rows = list(overview_lines(overview(position, book, dice), book, every=every))
    if at_terminal() and any(visible_width(row) > terminal_width() for row in rows):
        rows = list(overview_lines(overview(position, book, dice, letters=True), book, every=every))
    return [*rows, session(position)]


def visible_width(row: str) -> int:
    """Return the columns of a row without its colours."""
    from click import unstyle  # imported here to start faster: a declaration shows no party

    return len(unstyle(row))


def overview(position: LedgerState[State], book: Game, dice: WindowDice, *, letters: bool = False) -> Overview:
    """Return what the party, the encounter and the table have, in the words of the book.

    `letters`: the actions that are left as letters, for a narrow terminal.
    """
    state = position.state
    shared = [count_text(name, count, book, state) for (who, name), count in sorted(state.counts.items()) if not who]
    return Overview(
        beings=tuple(being_row(state, being, book, letters=letters) for being in state.beings_in_order()),
        tokens=tuple(holdings(state, GM, book)),
        encounter=None if state.encounter is None else encounter_table(state, state.encounter, book),
        windows=tuple(windows(state, dice)),
        counts=", ".join(text for text in shared if text),
        options=tuple(f"{safe(name)}: {safe(str(value))}" for name, value in sorted(state.options.items())),
        passed=passing(state.clock["seconds"], past=True) if state.seconds else "",
    )


def being_row(state: State, being: Being, book: Game, *, letters: bool = False) -> BeingRow:
    """Return what is to be said of a being in one row."""
    left = actions_left(state, being.name, book) if state.encounter else ""
    if letters and left not in ("", NOTHING_LEFT):
        left = action_letters(being.name, state, book)
    return BeingRow(
        who=safe(being.name),
        key=name_key(being.name),
        joined=being.joined,
        kind=being.kind,
        gone=is_gone(state, being, book),
        unused=is_unused(state, being, book),
        pools=tuple(levels(state, being.name, book)),
        tokens=tuple(holdings(state, being.name, book)),
        place=place_text(state, being.name, book.texts().lexicon.wording),
        troubles=condition_names(state, being, book),
        left=left if left != NOTHING_LEFT else "",
        rests="" if state.encounter else rests_text(being.name, state, book, only_fewer=True),
    )


def session(position: LedgerState[State]) -> str:
    """Return the number of the session, and whether it is open."""
    current = position.session
    if not current.number:
        return "no session yet"
    return f"session {current.number} {'is open' if current.open else 'is closed'}, entry {position.last}"


def encounter(state: State, book: Game, dice: WindowDice) -> list[str]:
    """Return the point of the turn cycle, then everybody in turn order: score, actions left, place, condition."""
    if state.encounter is None:
        return ["no encounter is running"]
    table = encounter_table(state, state.encounter, book)
    rows = [[row.name, row.score, row.turn, row.left, row.circumstances] for row in table.rows]
    return [paint(table.title, bold=True), *align_columns(rows), *windows(state, dice)]


def encounter_table(state: State, current: Encounter, book: Game) -> EncounterTable:
    """Return the point of the turn cycle with a row for each member, those without a place in the order last."""
    in_order = {who for slot in current.order for who in slot.who}
    rows = [
        _encounter_row(state, current, slot.slot, "" if slot.score is None else f"{slot.score}", who, book)
        for slot in current.order
        for who in slot.who
    ]
    due = tuple(book.guide.next_up(state))
    for who in current.members:
        if who not in in_order:
            row = _encounter_row(state, current, who, "-", who, book)
            is_out = current.round and who not in due
            rows.append(msgspec.structs.replace(row, turn="left", left="") if is_out else row)
    return EncounterTable(
        title=encounter_title(current), order=turn_order(living_slots(state, current)), rows=tuple(rows)
    )


def _encounter_row(state: State, current: Encounter, slot: str, score: str, who: str, book: Game) -> EncounterRow:
    """Return one row of the turn order."""
    being = state.being(who)
    mark = "turn" if who and current.turn in (slot, who) else "done" if slot in current.done else ""
    other_slot = "" if slot == who else safe(slot)
    name = f"{other_slot}: {safe(who) or 'nobody'}" if other_slot else safe(who)
    if being is None:
        return EncounterRow(name=name, who=safe(who), slot=other_slot, score=score, turn=mark)
    place = place_text(state, who, book.texts().lexicon.wording)
    parts = (place, pools(state, being, book, full=False), condition_names(state, being, book))
    return EncounterRow(
        name=name,
        who=safe(who),
        slot=other_slot,
        gone=is_gone(state, being, book),
        score=score,
        turn=mark,
        left=actions_left(state, being.name, book),
        circumstances=", ".join(part for part in parts if part),
    )
