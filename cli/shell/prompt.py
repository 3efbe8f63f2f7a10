"""The prompt of the shell: round, phase, who may act with what they have left, and what the game master holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cli.output import terminal_width
from cli.phrases.beings import tokens
from cli.phrases.parts import readable
from cli.phrases.turns import Brevity, encounter_title, first_name, now_line
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.names import escape
from projections.state import State
from rulebooks.common.game import Game

END: Final = " » "  # behind what the prompt says
SEPARATOR: Final = " · "
FORMS: Final = (  # each briefer than the one before, with the letters of the phase
    (Brevity(), None),
    (Brevity(letters=True), None),
    (Brevity(letters=True, first_names=True), None),
    (Brevity(letters=True, first_names=True), 2),
    (Brevity(letters=True, first_names=True, named=2), 2),
    (Brevity(letters=True, first_names=True, named=1), 2),
)


def prompt_text(state: State, book: Game, hidden: Collection[str] = (), following: Sequence[str] = ()) -> str:
    """Return `R2 action · Hound 3 (bonus, standard) · doom 34 » `, for the width of the terminal less 30.

    Where that is too long, what somebody has left is letters, then names are first names and phases two letters; others
    who may act are left out last. `hidden`: beings of whom it is not said what they have left. `following`: who may act
    behind the one in turn.
    """
    most, held = max(30, terminal_width() - 30), tokens(state, GM)
    for brevity, phase in FORMS:
        point = _point(state, phase)
        now = now_line(state, book, hidden, brevity).removeprefix("now: ")
        behind = " or ".join(first_name(who) if brevity.first_names else escape(who) for who in following)
        now += f", then {behind}" if now and behind else ""
        text = SEPARATOR.join(part for part in (point, now, held) if part)
        if len(text) <= most:
            return f"{text}{END}".lstrip()
    return SEPARATOR.join(part for part in (point, now, _cut(held, most // 3)) if part) + END


def _point(state: State, phase: int | None) -> str:
    """Return the round and the phase, which has so many letters at most."""
    if state.encounter is None:
        return ""
    return f"R{state.encounter.round} {escape(readable(state.encounter.phase))[:phase]}".strip()


def spent_turn(state: State, book: Game) -> Declaration | None:
    """Return the declaration that ends the turn of the one in turn, who has nothing left to act with; else None.

    It is none in a book whose turns end by themselves.
    """
    who = state.encounter.turn if state.encounter else ""
    kind = next((kind for kind in book.declarations if {"end", "pass"} <= set(kind.verbs)), None)
    if not who or kind is None or state.windows or not book.guide.turn_actions or state.being(who) is None:
        return None
    main, _ = book.guide.turn_actions[0]
    return None if book.guide.left(who, state).get(main) else kind(by=who)


def _cut(text: str, most: int) -> str:
    """Return a text of so many letters at most, with an ellipsis where it is cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def turn_text(state: State, book: Game, hidden: Collection[str] = ()) -> str:
    """Return whose turn it is in full, for `? turn`."""
    if state.encounter is None:
        return "no encounter is running: whoever speaks acts"
    return f"{encounter_title(state.encounter)}; {now_line(state, book, hidden)}".rstrip("; ")
