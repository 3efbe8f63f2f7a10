"""Answers in one line to what a question asks for: `Bo: 4 of 10 health.`, `2 of 3 are up.`"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.phrases import beings
from cli.phrases.parts import readable
from cli.phrases.results import sum_text
from cli.phrases.state_rows import being_row
from cli.phrases.turns import NOTHING_LEFT, actions_left
from cli.speech.english import ENGLISH
from cli.speech.inquiry import Inquiry
from ledger.names import escape
from projections.state import Being, State
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

ANSWERED_MOST: Final = 6  # beings in one answer
UP, HURT, DOWN = "up", "hurt", "down"


class ShortAnswer(NamedTuple):
    """The lines that answer a question; `is_whole`: they have what was asked for, so that nothing more is shown."""

    lines: Sequence[str] = ()
    is_whole: bool = True


def short_answer(asked: Inquiry, state: State, book: Game) -> ShortAnswer:
    """Return what answers a question about values, or about how somebody is; no lines if it is about nobody."""
    known = [being for name in asked.who if (being := state.being(name))]
    if asked.of_several:
        return ShortAnswer(_count_lines(asked, known, state, book) if known else ())
    values = {being.name: ", ".join(_values(asked, being, state, book)) for being in known}
    if asked.is_of_holders:
        holders = [f"{escape(being.name)}: {values[being.name]}." for being in known if values[being.name]]
        return ShortAnswer(holders or ["Nobody."])
    shown = known[:ANSWERED_MOST]
    is_of_state = not asked.words.isdisjoint(ENGLISH.fallen | ENGLISH.hurt)
    if is_of_state or not all(values[being.name] for being in shown):
        rows = [f"{escape(being.name)}: {_summary(asked, being, state, book)}." for being in shown]
        return ShortAnswer(rows, is_whole=len(shown) > 1)
    return ShortAnswer([f"{escape(being.name)}: {values[being.name]}." for being in shown])


def _summary(asked: Inquiry, being: Being, state: State, book: Game) -> str:
    """Return how a being is, its values, where it is, and what it has left."""
    row = being_row(state, being, book)
    held = ", ".join(f"{each.name} {each.now}" for each in row.tokens)
    parts = [part for part in (beings.pools(state, being, book), held, row.circumstances) if part]
    is_of_state = not asked.words.isdisjoint(ENGLISH.fallen | ENGLISH.hurt)
    return ", ".join([*([_health_word(being, state, book)] if is_of_state or not parts else []), *parts])


def _values(asked: Inquiry, being: Being, state: State, book: Game) -> Iterator[str]:
    """Yield each value that is asked for, in words: `4 of 10 health`, `armor 2`, `action 1 left`."""
    allowed = book.guide.left(being.name, state)
    actions = {form for action in allowed for word in readable(action).split() for form in base_forms(word)}
    if allowed and not asked.words.isdisjoint(actions | ENGLISH.acting):
        left = actions_left(state, being.name, book)
        yield left if left == NOTHING_LEFT else f"{left} left"
    cells = (*beings.levels(state, being.name, book), *beings.holdings(state, being.name, book))
    levels = {each.name: each for each in cells}
    sums = {each.name.casefold(): each for each in book.guide.computed(being.name, state)}
    for value in asked.values:
        if level := levels.get(value):
            of = "" if level.most is None else f"of {level.most} "
            yield f"{level.now} {of}{level.name}"
        elif total := sums.get(value):
            yield sum_text(total)
        else:
            for name, own in state.sheet_of(being.name).items():
                if value in (parts := name.split(".")):
                    yield f"{readable(' '.join(parts[parts.index(value) :]))} {escape(str(own))}"


def _count_lines(asked: Inquiry, known: Sequence[Being], state: State, book: Game) -> list[str]:
    """Return how many of several are as it is asked, with their names: `2 of 4 are up: Thug 1 (hp 2/4), Thug 3`."""
    how = {being.name: _health_word(being, state, book) for being in known}
    wanted = DOWN if asked.words & ENGLISH.fallen else HURT if asked.words & ENGLISH.hurt else UP
    alike = {UP: (UP, HURT), HURT: (HURT, DOWN), DOWN: (DOWN,)}[wanted]
    meant = [being for being in known if how[being.name] in alike]
    others = [being for being in known if how[being.name] not in alike]
    first = f"{len(meant)} of {len(known)} {'is' if len(meant) == 1 else 'are'} {wanted}"
    lines = [f"{first}: {_name_list(meant, state, book)}." if meant else f"{first}."]
    return [*lines, *([f"Not {wanted}: {_name_list(others, state, book)}."] if others else [])]


def _name_list(known: Sequence[Being], state: State, book: Game) -> str:
    """Return the names of several beings, each with what it lacks and how it is."""
    rows = []
    for being in known:
        parts = (beings.pools(state, being, book, full=False), beings.condition_names(state, being, book))
        row = ", ".join(part for part in parts if part)
        rows.append(escape(being.name) + (f" ({row})" if row else ""))
    return ", ".join(rows)


def _health_word(being: Being, state: State, book: Game) -> str:
    """Return whether a being is up, hurt, or down: gone, or with nothing of the value that keeps it alive."""
    vital = next(
        (each for each in beings.levels(state, being.name, book) if each.name == book.texts().lexicon.vital), None
    )
    is_down = any(each.name in ENGLISH.fallen for _, each in state.conditions_of(being.name))
    if is_down or beings.is_gone(state, being, book) or (vital is not None and vital.most and vital.now <= 0):
        return DOWN
    is_below = vital is not None and vital.most is not None and vital.now < vital.most
    return HURT if is_below or [*state.wounds_of(being.name)] else UP
