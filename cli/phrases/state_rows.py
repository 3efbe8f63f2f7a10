"""The state as rows for a table or a page: each being, the encounter, what is open."""

from __future__ import annotations

import msgspec

from cli.phrases import beings
from cli.phrases.encounters import turn_order
from cli.phrases.overview import BeingRow, EncounterRow, EncounterTable, Overview
from cli.phrases.parts import passing
from cli.phrases.turns import NOTHING_LEFT, action_letters, actions_left, encounter_title, living_slots, windows
from cli.questions.window_dice import WindowDice
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from ledger.names import escape, name_key
from projections.state import Being, Encounter, State
from rulebooks.common.game import Game


def overview(position: LedgerState[State], book: Game, dice: WindowDice, *, letters: bool = False) -> Overview:
    """Return what the party, the encounter and the table have, in the words of the book.

    `letters`: the actions that are left as letters, for a narrow terminal.
    """
    state = position.state
    shared = [
        beings.count_text(name, count, book, state) for (who, name), count in sorted(state.counts.items()) if not who
    ]
    return Overview(
        beings=tuple(being_row(state, being, book, letters=letters) for being in state.beings_in_order()),
        tokens=tuple(beings.holdings(state, GM, book)),
        encounter=None if state.encounter is None else encounter_table(state, state.encounter, book),
        windows=tuple(windows(state, dice)),
        counts=", ".join(text for text in shared if text),
        options=tuple(f"{escape(name)}: {escape(str(value))}" for name, value in sorted(state.options.items())),
        passed=passing(state.clock["seconds"], past=True) if state.seconds else "",
    )


def being_row(state: State, being: Being, book: Game, *, letters: bool = False) -> BeingRow:
    """Return what is to be said of a being in one row."""
    left = actions_left(state, being.name, book) if state.encounter else ""
    if letters and left not in ("", NOTHING_LEFT):
        left = action_letters(being.name, state, book)
    return BeingRow(
        who=escape(being.name),
        key=name_key(being.name),
        joined=being.joined,
        kind=being.kind,
        gone=beings.is_gone(state, being, book),
        unused=beings.is_unused(state, being, book),
        pools=tuple(beings.levels(state, being.name, book)),
        tokens=tuple(beings.holdings(state, being.name, book)),
        place=beings.place_text(state, being.name, book.texts().lexicon.wording),
        troubles=beings.condition_names(state, being, book),
        left=left if left != NOTHING_LEFT else "",
        rests="" if state.encounter else beings.rests_text(being.name, state, book, only_fewer=True),
    )


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
    other_slot = "" if slot == who else escape(slot)
    name = f"{other_slot}: {escape(who) or 'nobody'}" if other_slot else escape(who)
    if being is None:
        return EncounterRow(name=name, who=escape(who), slot=other_slot, score=score, turn=mark)
    place = beings.place_text(state, who, book.texts().lexicon.wording)
    parts = (place, beings.pools(state, being, book, full=False), beings.condition_names(state, being, book))
    return EncounterRow(
        name=name,
        who=escape(who),
        slot=other_slot,
        gone=beings.is_gone(state, being, book),
        score=score,
        turn=mark,
        left=actions_left(state, being.name, book),
        circumstances=", ".join(part for part in parts if part),
    )
