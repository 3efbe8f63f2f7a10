"""The state as text: the party, one being, the encounter, a token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from cli.notation.resolve import LESSER_WORDS
from cli.output import align_columns, at_terminal, paint, safe, terminal_width
from cli.phrases.conditions import as_fact, influence_texts, state_text
from cli.phrases.durations import until
from cli.phrases.patterns import find_pattern
from cli.queries.line_scope import THINGS
from cli.queries.state_at import ENCOUNTER, Subject
from cli.queries.window_dice import WindowDice
from cli.render.encounters import phase_and_turn, turn_order
from cli.render.overview import BeingRow, EncounterRow, EncounterTable, LevelCell, Overview, overview_lines, pool_rank
from cli.render.phrases import in_brackets, passing, plural, readable, wound_name
from cli.render.results import roll_lines
from cli.render.ties import tie_lines
from ledger.facts import GM, Scalar, Slot
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from projections.state import Being, Condition, Count, Encounter, State, Window
from rulebooks.common.conditions import has_condition
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD
from rulebooks.common.texts import Wording

NOTHING_LEFT: Final = "nothing left"
NAMED_MOST: Final = 6  # of those who may act now


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


def levels(state: State, who: str, book: Game) -> Iterator[LevelCell]:
    """Yield the pools of somebody in the order of the book."""
    own = ((name, pool) for (owner, name), pool in state.pools.items() if owner == who)
    pool_order = book.texts().lexicon.pool_order
    for name, pool in sorted(own, key=lambda pair: pool_rank(pair[0], pool_order)):
        yield LevelCell(safe(name), safe(short_name(name, book)), pool.points, pool.most)


def holdings(state: State, who: str, book: Game) -> Iterator[LevelCell]:
    """Yield the tokens that somebody holds."""
    for (holder, name), held in sorted(state.tokens.items()):
        if holder == who:
            yield LevelCell(safe(name), safe(short_name(name, book)), held.count, held.most)


def is_gone(state: State, being: Being, book: Game) -> bool:
    """Return whether a being has one of the conditions with which the book leaves it out of the party."""
    gone = book.texts().lexicon.wording.gone
    return any(condition.name in gone for _, condition in state.conditions_of(being.name))


def is_unused(state: State, being: Being, book: Game) -> bool:
    """Return whether it is a thing with a condition that makes it of no use now: a zone of a fight that is over."""
    unused = book.texts().lexicon.wording.unused
    return being.kind in THINGS and any(condition.name in unused for _, condition in state.conditions_of(being.name))


def place_text(state: State, who: str, wording: Wording) -> str:
    """Return `in archway`, or `in yard (5,5)` with a square; empty for one who is nowhere.

    A place that the book itself has brought into play goes without saying: `at 5,5`.
    """
    place = state.places.get(who)
    square = "{},{}".format(*place.square) if place and place.square else ""
    if place is None or place.place in wording.called:
        return f"at {square}" if square else ""
    return f"in {safe(place.place)}{in_brackets(square)}"


def rests_text(who: str, state: State, book: Game, *, only_fewer: bool = False) -> str:
    """Return the rests that somebody may still take today; `only_fewer`: if some are taken already."""
    rests = book.rests_left(who, state)
    if only_fewer and all(rests.values()):
        return ""
    left = [readable(rest) for rest, is_left in rests.items() if is_left]
    return f"rests left: {', '.join(left) or 'none'}" if rests else ""


def short_name(name: str, book: Game) -> str:
    """Return the short name that the book has for a value, or its name."""
    return next((short for short, value in book.texts().lexicon.short.items() if value == name), name)


def session(position: LedgerState[State]) -> str:
    """Return the number of the session, and whether it is open."""
    current = position.session
    if not current.number:
        return "no session yet"
    return f"session {current.number} {'is open' if current.open else 'is closed'}, entry {position.last}"


def windows(state: State, dice: WindowDice) -> list[str]:
    """Return lines for each open window: whose it is, since when, who else has to answer, and its dice."""
    lines = []
    for name, window in sorted(state.windows.items()):
        lines.append(f"{_window_label(name, window)}: {safe(window.who)} (since {window.opened}{_awaited(window)})")
        lines += [f"  {line}" for line in roll_lines(dice[name])]
    return lines


def unfinished_lines(state: State) -> list[str]:
    """Return what is not finished, in lines: the encounter, and each open window without its dice."""
    running = [f"{encounter_title(state.encounter)} is not over"] if state.encounter else []
    return running + [
        f"{_window_label(name, window)}: {safe(window.who)} (since {window.opened}{_awaited(window)})"
        for name, window in sorted(state.windows.items())
    ]


def _window_label(name: str, window: Window) -> str:
    """Return what an open window is called: its kind, or its name where that says more."""
    return safe(window.kind if name.startswith(f"{window.kind} ") else name)


def _awaited(window: Window) -> str:
    """Return those who have to answer, if they are others."""
    return (
        "" if not window.awaits or window.who in window.awaits else f", waits for {', '.join(map(safe, window.awaits))}"
    )


def encounter_title(encounter: Encounter) -> str:
    """Return the point of the turn cycle: `fight (combat), round 2, action phase: captain's turn`."""
    called = encounter.id or encounter.kind or encounter.scale
    kinds = [each for each in (encounter.kind, encounter.scale) if each and each != called]
    name = safe(called) + in_brackets(*map(safe, kinds[:1]))
    parts = [
        name,
        f"round {encounter.round}" if encounter.round else "",
        phase_and_turn(encounter.phase, encounter.turn),
    ]
    waiting = f" (before {', '.join(map(safe, reversed(encounter.waiting)))})" if encounter.waiting else ""
    return ", ".join(part for part in parts if part) + waiting


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
    due = tuple(book.next_up(state))
    for who in current.members:
        if who not in in_order:
            row = _encounter_row(state, current, who, "-", who, book)
            is_out = current.round and who not in due
            rows.append(msgspec.structs.replace(row, turn="left", left="") if is_out else row)
    return EncounterTable(
        title=encounter_title(current), order=turn_order(living_slots(state, current)), rows=tuple(rows)
    )


def living_slots(state: State, current: Encounter) -> list[Slot]:
    """Return the order of turns without the slots of which everybody is dead."""
    return [
        slot for slot in current.order if not (slot.who and all(has_condition(who, DEAD, state) for who in slot.who))
    ]


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


def actions_left(state: State, who: str, book: Game) -> str:
    """Return the actions that a being has left this turn or round; nothing for one that cannot act at all."""
    allowances = book.left(who, state)
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

    `hidden`: beings of whom it is not said what they have left.
    """
    if state.encounter is None:
        return ""
    form, due = brevity or Brevity(), list(book.next_up(state))
    named = [_due_being(who, state, book, hidden, form) for who in due[: form.named]]
    if len(due) > form.named:
        named.append(f"{len(due) - form.named} more")
    waiting = dict[str, list[str]]()
    for name, window in sorted(state.windows.items()):
        label = safe(window.kind) if window.who in name else _window_label(name, window)
        waiting.setdefault(label, []).append(first_name(window.who) if form.first_names else safe(window.who))
    open_windows = [f"{label}: {', '.join(whose)}" for label, whose in waiting.items()]
    who = " or ".join(named) if len(named) < 3 else f"{', '.join(named[:-1])} or {named[-1]}"
    if not who and not open_windows:
        who = book.next_line(state)
    parts = [part for part in (who, *open_windows) if part]
    return f"now: {'; '.join(parts)}" if parts else ""


def _due_being(who: str, state: State, book: Game, hidden: Collection[str], form: Brevity) -> str:
    """Return a being that may act, with what it has left in brackets."""
    name = first_name(who) if form.first_names else safe(who)
    if who in hidden:
        return name
    left = action_letters(who, state, book) if form.letters else actions_left(state, who, book)
    return name + in_brackets(left, *book.remarks(who, state))


def action_letters(who: str, state: State, book: Game) -> str:
    """Return what a being has left in letters: `b m r s`, with the number where it is more than one: `ap3 f r`."""
    left = {action: number for action, number in book.left(who, state).items() if number}
    known = [action for action, _ in book.turn_actions]
    names = {action: readable(action) for action in [*left, *known]}
    return " ".join(
        _letters(names[action], [name for other, name in names.items() if other != action])
        + (str(number) if number > 1 else "")
        for action, number in left.items()
    ) or (NOTHING_LEFT if book.left(who, state) else "")


def _letters(name: str, others: Collection[str]) -> str:
    """Return the fewest letters that begin a name and none of the others."""
    starts = (name[:end] for end in range(1, len(name)))
    return safe(next((start for start in starts if not any(other.startswith(start) for other in others)), name))


def first_name(who: str) -> str:
    """Return the first word of a name that is no article; the name of one with a number is kept."""
    words = who.split()
    own = [word for word in words if word.casefold() not in LESSER_WORDS] or words
    return safe(who if words[-1].isdecimal() else own[0])


def holders(state: State, token: str) -> list[str]:
    """Return the holders of a token, with number and cap."""
    return [
        ("" if who == GM else f"{safe(who)} ") + f"{safe(token)} {held.count}" + _maximum(held.most)
        for (who, name), held in sorted(state.tokens.items())
        if name == token
    ]


def pools(state: State, being: Being, book: Game, *, full: bool = True) -> str:
    """Return the pools of a being, as `might 9/12`, in bold below the maximum; `full`: also the full ones.

    The value that keeps a being alive is always among them.
    """
    vital, pool_order = book.texts().lexicon.vital, book.texts().lexicon.pool_order
    own = sorted(
        ((name, pool) for (who, name), pool in state.pools.items() if who == being.name),
        key=lambda pair: pool_rank(pair[0], pool_order),
    )
    return ", ".join(
        paint(
            f"{safe(name)} {pool.points}{_maximum(pool.most)}", bold=pool.most is not None and pool.points < pool.most
        )
        for name, pool in own
        if full or name == vital or pool.points != pool.most
    )


def _maximum(most: int | None) -> str:
    """Return the maximum behind a number: `/12`."""
    return "" if most is None else f"/{most}"


def tokens(state: State, who: str) -> str:
    """Return all tokens of one holder."""
    own = sorted((token, held) for (holder, token), held in state.tokens.items() if holder == who)
    return ", ".join(f"{safe(token)} {held.count}" for token, held in own)


def condition_names(state: State, being: Being, book: Game) -> str:
    """Return the wounds and conditions of a being; the same wound several times is counted."""
    taken = [wound for _, wound in state.wounds_of(being.name)]
    counted = Counter(
        f"{wound_name(wound.kind)} {wound.value}" + ("" if wound.in_force else " (not in force yet)")
        for wound in taken
        if wound.kind
    )
    wounds = [text + (f" ({number} times)" if number > 1 else "") for text, number in counted.items()]
    if number := sum(wound.value for wound in taken if not wound.kind):
        wounds.append(plural(number, "wound", "wounds"))
    conditions = [
        row_text(condition, state, book.texts().lexicon.wording)
        for _, condition in state.conditions_of(being.name)
        if not condition.data
    ]
    remarks = list(book.remarks(being.name, state))
    unsaid = [text for text in conditions if not any(remark.startswith(f"{text}, ") for remark in remarks)]
    return ", ".join(wounds + unsaid + remarks)


def sheet(state: State, being: Being, book: Game) -> list[str]:
    """Return everything about one being: pools, tokens, wounds, conditions, actions left, counts, sheet."""
    wording = book.texts().lexicon.wording
    lines = [paint(safe(being.name), bold=True) + f" ({safe(being.kind)}, {safe(being.side) or 'no side'})"]
    lines += [line for line in (pools(state, being, book), tokens(state, being.name)) if line]
    lines += [
        f'wound "{safe(name)}": {f"{safe(wound.kind)} {wound.value}".lstrip()}'
        + ("" if wound.in_force else ", not in force yet")
        for name, wound in state.wounds_of(being.name)
    ]
    conditions = [condition for _, condition in state.conditions_of(being.name) if not condition.data]
    lines += [condition_line(condition, state.seconds, wording) for condition in conditions]
    lines += book.remarks(being.name, state)
    lines += tie_lines(state, being, wording, lambda thing: condition_names(state, thing, book))
    left = actions_left(state, being.name, book)
    own = (
        place_text(state, being.name, wording),
        left if left in ("", NOTHING_LEFT) else f"left: {left}",
        rests_text(being.name, state, book),
        *counts(state, being, book),
    )
    return [*lines, *(text for text in own if text), *align_columns(sheet_rows(state.sheet_of(being.name)))]


def sheet_rows(entries: Mapping[str, Scalar]) -> list[list[str]]:
    """Return the entries of a sheet in rows: those that share the first parts of their names in one."""
    rows: dict[str, list[str]] = {}
    for name, value in entries.items():
        *group, last = (part.replace("_", " ") for part in name.split("."))
        text = safe(str(value))
        rows.setdefault(safe(" ".join(group) or last), []).append(f"{safe(last)} {text}" if group else text)
    return [[name, ", ".join(texts)] for name, texts in rows.items()]


def counts(state: State, being: Being, book: Game) -> Iterator[str]:
    """Yield the counts of a being, and those of others that are about it, as a distance is."""
    about = f".{name_key(being.name)}"
    for (who, name), count in sorted(state.counts.items()):
        if who == being.name:
            yield count_text(name, count, book, state)
        elif who and name.endswith(about) and _phrases(name, book) is not None:
            yield count_text(f"{name.removesuffix(about)}.{who}", count, book, state)


def count_text(name: str, count: Count, book: Game, state: State) -> str:
    """Return a count in the words of the book, or its name and number."""
    phrases = _phrases(name, book)
    if phrases is None:
        return f"{readable(name)} {count.now}" + (f" of {count.of}" if count.of else "")
    _, _, of = name.partition(".")
    being = state.being(of)
    text = phrases[min(count.now, len(phrases)) - 1] if phrases else ""
    return text.format(now=count.now, of=safe(being.name) if being else readable(of))


def _phrases(name: str, book: Game) -> tuple[str, ...] | None:
    """Return the phrases of the book for a count: for its whole name, or else for its first words."""
    known = book.texts().lexicon.wording.counts
    names = [key for key in known if name == key or name.startswith((f"{key}.", f"{key} "))]
    return known[max(names, key=len)] if names else None


def condition_line(condition: Condition, clock: int, wording: Wording) -> str:
    """Return a condition: what it is, what it changes, its beginning and its end."""
    ends = " or ".join(until(end, clock, wording) for end in condition.ends)
    effects = "".join(f", {text}" for text in influence_texts(condition.effects, wording))
    text = state_text(as_fact(condition), wording)
    return f"{text}{effects} since {condition.since}{f', {ends}' if ends else ''}"


def row_text(condition: Condition, state: State, wording: Wording) -> str:
    """Return a condition in a row: without what it is about where that is no being and the book has no words for it."""
    fact = as_fact(condition)
    known = find_pattern(wording.conditions, condition.name, condition.degree) or state.being(condition.about)
    return state_text(fact if known else msgspec.structs.replace(fact, about=""), wording)
