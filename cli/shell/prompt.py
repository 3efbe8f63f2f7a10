"""The prompt of the shell: round, phase, who may act with what they have left, and what the game master holds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from cli.output import safe, terminal_width
from cli.render.phrases import readable
from cli.render.state import encounter_title, now_line, tokens
from ledger.facts import GM
from projections.state import State
from rulebooks.common.game import Game

END: Final = " » "
SEPARATOR: Final = " · "


def prompt_text(state: State, book: Game, hidden: Collection[str] = ()) -> str:
    """Return `R2 action · Hound 3 (bonus, standard) · doom 34 » `, cut to the width of the terminal less 30.

    Who may act is cut before the rest. `hidden`: beings of whom it is not said what they have left.
    """
    encounter = state.encounter
    point = f"R{encounter.round} {safe(readable(encounter.phase))}".strip() if encounter else ""
    now, held = now_line(state, book, hidden).removeprefix("now: "), tokens(state, GM)
    most = max(30, terminal_width() - 30)
    room = most - len(SEPARATOR.join([*filter(None, (point, held)), ""]))
    parts = [point, _cut(now, max(1, room)), held]
    return _cut(SEPARATOR.join(part for part in parts if part), most) + END


def _cut(text: str, most: int) -> str:
    """Return a text of so many letters at most, with an ellipsis where it is cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def turn_text(state: State, book: Game, hidden: Collection[str] = ()) -> str:
    """Return whose turn it is in full, for `? turn`."""
    if state.encounter is None:
        return "no encounter is running: whoever speaks acts"
    return f"{encounter_title(state.encounter)}; {now_line(state, book, hidden)}".rstrip("; ")
