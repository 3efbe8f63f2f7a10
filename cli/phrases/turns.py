"""Turns as text: who may act now, what they have left, and what is open."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from cli.notation.known_beings import LESSER_WORDS
from cli.phrases.encounters import phase_and_turn
from cli.phrases.parts import in_brackets, readable
from cli.phrases.results import roll_lines
from cli.questions.window_dice import WindowDice
from ledger.facts import Slot
from ledger.names import escape, word_list
from projections.state import Encounter, State, Window
from rulebooks.common.conditions import has_condition
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD

NOTHING_LEFT: Final = "nothing left"
NAMED_MOST: Final = 6  # of those who may act now


def windows(state: State, dice: WindowDice) -> list[str]:
    """Return lines for each open window: whose it is, since when, who else has to answer, and its dice."""
    lines = []
    for name, window in sorted(state.windows.items()):
        lines.append(f"{_window_label(name, window)}: {escape(window.who)} (since {window.opened}{_awaited(window)})")
        lines += [f"  {line}" for line in roll_lines(dice[name])]
    return lines


def unfinished_lines(state: State) -> list[str]:
    """Return what is not finished, in lines: the encounter, and each open window without its dice."""
    running = [f"{encounter_title(state.encounter)} is not over"] if state.encounter else []
    return running + [
        f"{_window_label(name, window)}: {escape(window.who)} (since {window.opened}{_awaited(window)})"
        for name, window in sorted(state.windows.items())
    ]


def _window_label(name: str, window: Window) -> str:
    """Return what an open window is called: its kind, or its name where that says more."""
    return escape(window.kind if name.startswith(f"{window.kind} ") else name)


def _awaited(window: Window) -> str:
    """Return those who have to answer, if they are others."""
    return (
        ""
        if not window.awaits or window.who in window.awaits
        else f", waits for {', '.join(map(escape, window.awaits))}"
    )


def encounter_title(encounter: Encounter) -> str:
    """Return the point of the turn cycle: `fight (combat), round 2, action phase: captain's turn`."""
    called = encounter.id or encounter.kind or encounter.scale
    kinds = [each for each in (encounter.kind, encounter.scale) if each and each != called]
    name = escape(called) + in_brackets(*map(escape, kinds[:1]))
    parts = [
        name,
        f"round {encounter.round}" if encounter.round else "",
        phase_and_turn(encounter.phase, encounter.turn),
    ]
    waiting = f" (before {', '.join(map(escape, reversed(encounter.waiting)))})" if encounter.waiting else ""
    return ", ".join(part for part in parts if part) + waiting


def living_slots(state: State, current: Encounter) -> list[Slot]:
    """Return the order of turns without slots in which everybody is dead."""
    return [
        slot for slot in current.order if not (slot.who and all(has_condition(who, DEAD, state) for who in slot.who))
    ]


def actions_left(state: State, who: str, book: Game) -> str:
    """Return the actions that a being has left this turn or round; nothing for one that cannot act at all."""
    allowances = book.guide.left(who, state)
    left = [
        readable(action) if number == 1 else f"{readable(action)} {number}"
        for action, number in allowances.items()
        if number
    ]
    return ", ".join(left) if left or not allowances else NOTHING_LEFT


class Brevity(NamedTuple):
    """How briefly `now_line` names who may act: actions as letters, first names alone, so many beings at most."""

    letters: bool = False
    first_names: bool = False
    named: int = NAMED_MOST


def now_line(state: State, book: Game, hidden: Collection[str] = (), brevity: Brevity | None = None) -> str:
    """Return `now: Hound 3 (bonus, standard)`: who may act in the encounter, what they have left, and what is open.

    `hidden`: beings whose actions are not counted out.
    """
    if state.encounter is None:
        return ""
    form, due = brevity or Brevity(), list(book.guide.next_up(state))
    named = [_due_being(who, state, book, hidden, form) for who in due[: form.named]]
    if len(due) > form.named:
        named.append(f"{len(due) - form.named} more")
    waiting = dict[str, list[str]]()
    for name, window in sorted(state.windows.items()):
        label = escape(window.kind) if window.who in name else _window_label(name, window)
        waiting.setdefault(label, []).append(first_name(window.who) if form.first_names else escape(window.who))
    open_windows = [f"{label}: {', '.join(whose)}" for label, whose in waiting.items()]
    who = word_list(named, "or")
    if not who and not open_windows:
        who = book.guide.next_line(state)
    parts = [part for part in (who, *open_windows) if part]
    return f"now: {'; '.join(parts)}" if parts else ""


def _due_being(who: str, state: State, book: Game, hidden: Collection[str], form: Brevity) -> str:
    """Return a being that may act, with what it has left in brackets."""
    name = first_name(who) if form.first_names else escape(who)
    if who in hidden:
        return name
    left = action_letters(who, state, book) if form.letters else actions_left(state, who, book)
    return name + in_brackets(left, *book.guide.remarks(who, state))


def action_letters(who: str, state: State, book: Game) -> str:
    """Return what a being has left in letters: `b m r s`, with the number where it is more than one: `ap3 f r`."""
    left = {action: number for action, number in book.guide.left(who, state).items() if number}
    known = [action for action, _ in book.guide.turn_actions]
    names = {action: readable(action) for action in [*left, *known]}
    return " ".join(
        _letters(names[action], [name for other, name in names.items() if other != action])
        + (str(number) if number > 1 else "")
        for action, number in left.items()
    ) or (NOTHING_LEFT if book.guide.left(who, state) else "")


def _letters(name: str, others: Collection[str]) -> str:
    """Return the fewest letters that begin a name and none of the others."""
    starts = (name[:end] for end in range(1, len(name)))
    return escape(next((start for start in starts if not any(other.startswith(start) for other in others)), name))


def first_name(who: str) -> str:
    """Return the first word of a name that is no article; the name of one with a number is kept."""
    words = who.split()
    own = [word for word in words if word.casefold() not in LESSER_WORDS] or words
    return escape(who if words[-1].isdecimal() else own[0])
