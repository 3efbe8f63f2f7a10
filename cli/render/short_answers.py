"""Answers in one line to what a question asks for: `Bo: 4 of 10 health.`, `2 of 3 are up.`"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from cli.phrases import beings, ties
from cli.phrases.parts import readable
from cli.phrases.results import sum_text
from cli.phrases.state_rows import being_row
from cli.phrases.turns import NOTHING_LEFT, actions_left
from cli.speech.english import ENGLISH
from cli.speech.inquiry import Inquiry
from cli.speech.words import split_words
from ledger.facts import GM, Scalar, Slot
from ledger.names import escape
from projections.state import Being, State
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

ANSWERED_MOST: Final = 6  # beings in one answer
UP, HURT, DOWN = "up", "hurt", "down"
AMOUNT: Final = frozenset(("many", "much"))


class ShortAnswer(NamedTuple):
    """The lines that answer a question; `is_whole`: they have what was asked for, so that nothing more is shown."""

    lines: Sequence[str] = ()
    is_whole: bool = True


def short_answer(asked: Inquiry, state: State, book: Game) -> ShortAnswer:
    """Return what answers a question about values, or about how somebody is; no lines if it is about nobody."""
    known = [being for name in asked.who if (being := state.being(name))]
    if asked.of_several:
        return ShortAnswer(_count_lines(asked, known, state, book) if known else ())
    if not known and (held := [each for each in beings.holdings(state, GM, book) if each.name in asked.values]):
        return ShortAnswer([f"{each.name} {each.now}." for each in held])
    values = {being.name: ", ".join(_values(asked, being, state, book)) for being in known}
    if asked.is_of_holders:
        holders = [f"{escape(being.name)}: {values[being.name]}." for being in known if values[being.name]]
        return ShortAnswer(holders or ["Nobody."])
    shown = known[:ANSWERED_MOST]
    is_of_health = not asked.words.isdisjoint(ENGLISH.fallen | ENGLISH.hurt)
    details = {being.name: _with_details(values[being.name], asked, being, state, book) for being in shown}
    is_of_state = is_of_health or (asked.is_of_state and not all(values[being.name] for being in shown))
    if not is_of_state and all(details.values()):
        return ShortAnswer([f"{escape(being.name)}: {details[being.name]}." for being in shown])
    rows = [f"{escape(being.name)}: {_summary(asked, being, state, book, is_of_health)}." for being in shown]
    is_of_health &= AMOUNT.isdisjoint(asked.words)  # `how many wounds can she take`
    return ShortAnswer(rows, is_whole=is_of_health or asked.is_of_state or len(shown) > 1)


def _summary(asked: Inquiry, being: Being, state: State, book: Game, is_of_health: bool) -> str:
    """Return how a being is, its values, where it is, what it has left, and what else was asked for."""
    row = being_row(state, being, book)
    held = ", ".join(f"{each.name} {each.now}" for each in row.tokens)
    parts = [part for part in (beings.pools(state, being, book), held, row.circumstances) if part]
    health = [_health_word(being, state, book)] if is_of_health or not parts else []
    has = {form for part in parts for word in part.replace(",", " ").split() for form in base_forms(word)}
    wording = book.texts().lexicon.wording.conditions
    known = {name for name, text in wording.items() if f"<be> {name}" in text}
    lacked = sorted(asked.topics & known - has) if asked.is_of_state else []
    others = _details(asked, being, state, book) if asked.topics.isdisjoint(has) else []
    if asked.is_of_ties:
        others += ties.tie_lines(state, being, book.texts().lexicon.wording, partial(_trouble, state, book))
    return ", ".join([*health, *(f"not {name}" for name in lacked), *parts, *others])


def _trouble(state: State, book: Game, thing: Being) -> str:
    return beings.condition_names(state, thing, book)


def _with_details(values: str, asked: Inquiry, being: Being, state: State, book: Game) -> str:
    """Return values with the lines about what is asked for besides; a value in question alone is answered by itself."""
    actions = _forms(" ".join(readable(action) for who, action in state.allowances if who == being.name))
    rest = asked.topics & actions - _forms(values) if values else asked.topics
    lines = _details(msgspec.structs.replace(asked, topics=rest), being, state, book) if rest else []
    return ", ".join([*([values] if values else []), *lines])


def _details(asked: Inquiry, being: Being, state: State, book: Game) -> list[str]:
    """Return the lines about a being with a word of what is asked: of its sheet, its turns, and what is computed."""
    pools = beings.pools(state, being, book)
    sheet = [" ".join(line.split()) for line in beings.sheet(state, being, book)[1:] if line != pools]
    spent = [f"{readable(name)} {left}" for (who, name), left in state.allowances.items() if who == being.name]
    scores = [f"{word} {slot.score}" for slot in _slots(being, state) for word in ENGLISH.turn_scores]
    sums = map(sum_text, book.guide.computed(being.name, state))
    lines = dict.fromkeys((*sheet, *spent, *scores, *sums))
    return [line for line in lines if not asked.topics.isdisjoint(_forms(line))]


def _slots(being: Being, state: State) -> Sequence[Slot]:
    """Return the places of a being in the turn order that have a score."""
    order = state.encounter.order if state.encounter else ()
    return [slot for slot in order if being.name in slot.who and slot.score is not None]


def _forms(line: str) -> set[str]:
    """Return the base forms of the words of a line."""
    return {form for word in split_words(line) for form in base_forms(word.text)}


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
    dice = book.guide.rolled(being.name, state)
    for value in asked.values:
        if level := levels.get(value):
            of = "" if level.most is None else f"of {level.most} "
            yield f"{level.now} {of}{level.name}"
        elif total := sums.get(value):
            yield sum_text(total)
        elif rolled := dice.get(value):
            yield f"{value} {rolled}"
        else:
            yield from _sheet_values(value, asked, state.sheet_of(being.name))


def _sheet_values(value: str, asked: Inquiry, sheet: Mapping[str, Scalar]) -> Iterator[str]:
    """Yield the entries of a sheet for a value: those of what else is asked for, if it has it, `damage` of the bow."""
    entries = [(name.split("."), own) for name, own in sheet.items() if value in name.split(".")]
    others = {part for parts, _ in entries for part in parts} & (asked.topics | {*asked.values}) - {value}
    meant = [each for each in entries if others.intersection(each[0])] or entries
    for parts, own in meant:
        start = parts.index(value) - (len(meant) > 1 and parts.index(value) > 0)
        yield f"{readable(' '.join(parts[start:]))} {escape(str(own))}"


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
