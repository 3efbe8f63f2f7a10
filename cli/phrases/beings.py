"""One being as text: its values, conditions and place, in a row and in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from cli.output import align_columns, paint
from cli.phrases import durations, movements, patterns, ties, turns
from cli.phrases.conditions import as_fact, influence_texts, state_text
from cli.phrases.counts import count_phrase, count_phrases
from cli.phrases.overview import LevelCell, pool_rank
from cli.phrases.parts import readable, wound_name
from cli.questions.line_scope import THINGS
from ledger.facts import GM, Scalar
from ledger.names import escape, name_key, plural
from projections.state import Being, Condition, Count, State
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording


def levels(state: State, who: str, book: Game) -> Iterator[LevelCell]:
    """Yield the pools of somebody in the order of the book."""
    own = ((name, pool) for (owner, name), pool in state.pools.items() if owner == who)
    pool_order = book.texts().lexicon.pool_order
    for name, pool in sorted(own, key=lambda pair: pool_rank(pair[0], pool_order)):
        yield LevelCell(escape(name), escape(short_name(name, book)), pool.points, pool.most)


def holdings(state: State, who: str, book: Game) -> Iterator[LevelCell]:
    """Yield the tokens that somebody holds."""
    for (holder, name), held in sorted(state.tokens.items()):
        if holder == who:
            yield LevelCell(escape(name), escape(short_name(name, book)), held.count, held.most)


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
    if place is None or (place.place in wording.called and not place.square):
        return ""
    return movements.place_words(place, wording)


def rests_text(who: str, state: State, book: Game, *, only_fewer: bool = False) -> str:
    """Return the rests that somebody may still take today; `only_fewer`: if some are taken already."""
    rests = book.guide.rests_left(who, state)
    if only_fewer and all(rests.values()):
        return ""
    left = [readable(rest) for rest, is_left in rests.items() if is_left]
    return f"rests left: {', '.join(left) or 'none'}" if rests else ""


def short_name(name: str, book: Game) -> str:
    """Return the short name that the book has for a value, or its name."""
    return next((short for short, value in book.texts().lexicon.short.items() if value == name), name)


def holders(state: State, token: str) -> list[str]:
    """Return the holders of a token, with number and cap."""
    return [
        ("" if who == GM else f"{escape(who)} ") + f"{escape(token)} {held.count}" + _maximum(held.most)
        for (who, name), held in sorted(state.tokens.items())
        if name == token
    ]


def pools(state: State, being: Being, book: Game, *, full: bool = True) -> str:
    """Return the pools of a being, as `might 9/12`, in bold below the maximum; `full`: also the full ones.

    The value that keeps a being alive is always among them.
    """
    vital = book.texts().lexicon.vital
    return ", ".join(
        paint(f"{pool.name} {pool.now}{_maximum(pool.most)}", bold=pool.most is not None and pool.now < pool.most)
        for pool in levels(state, being.name, book)
        if full or pool.name == vital or pool.now != pool.most
    )


def _maximum(most: int | None) -> str:
    """Return the maximum behind a number: `/12`."""
    return "" if most is None else f"/{most}"


def tokens(state: State, who: str, *, is_sized: bool = False) -> str:
    """Return all tokens of one holder. `is_sized`: with the most that somebody may have."""
    own = sorted((token, held) for (holder, token), held in state.tokens.items() if holder == who)
    most = {token: _maximum(held.most) if is_sized else "" for token, held in own}
    return ", ".join(f"{escape(token)} {held.count}{most[token]}" for token, held in own)


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
    remarks = list(book.guide.remarks(being.name, state))
    unsaid = [text for text in conditions if not any(remark.startswith(f"{text}, ") for remark in remarks)]
    return ", ".join(wounds + unsaid + remarks)


def sheet(state: State, being: Being, book: Game) -> list[str]:
    """Return everything about one being: pools, tokens, wounds, conditions, actions left, counts, sheet."""
    wording = book.texts().lexicon.wording
    lines = [paint(escape(being.name), bold=True) + f" ({escape(being.kind)}, {escape(being.side) or 'no side'})"]
    held = tokens(state, being.name, is_sized=wording.sized)
    lines += [line for line in (pools(state, being, book), held) if line]
    lines += [
        f'wound "{escape(name)}": {f"{escape(wound.kind)} {wound.value}".lstrip()}'
        + ("" if wound.in_force else ", not in force yet")
        for name, wound in state.wounds_of(being.name)
    ]
    conditions = [condition for _, condition in state.conditions_of(being.name) if not condition.data]
    lines += [condition_line(condition, state.seconds, wording) for condition in conditions]
    lines += book.guide.remarks(being.name, state)
    lines += ties.tie_lines(state, being, wording, lambda thing: condition_names(state, thing, book))
    left = turns.actions_left(state, being.name, book)
    own = (
        place_text(state, being.name, wording),
        left if left in ("", turns.NOTHING_LEFT) else f"left: {left}",
        rests_text(being.name, state, book),
        *counts(state, being, book),
    )
    return [*lines, *(text for text in own if text), *align_columns(sheet_rows(state.sheet_of(being.name)))]


def sheet_rows(entries: Mapping[str, Scalar]) -> list[list[str]]:
    """Return the entries of a sheet in rows: those that share the first parts of their names in one."""
    rows: dict[str, list[str]] = {}
    for name, value in entries.items():
        *group, last = (part.replace("_", " ") for part in name.split("."))
        text = escape(str(value))
        rows.setdefault(escape(" ".join(group) or last), []).append(f"{escape(last)} {text}" if group else text)
    return [[name, ", ".join(texts)] for name, texts in rows.items()]


def counts(state: State, being: Being, book: Game) -> Iterator[str]:
    """Yield the counts of a being, and those of others that are about it, as a distance is."""
    about = f".{name_key(being.name)}"
    for (who, name), count in sorted(state.counts.items()):
        if who == being.name:
            yield count_text(name, count, book, state)
        elif who and name.endswith(about) and count_phrases(name, book.texts().lexicon.wording) is not None:
            yield count_text(f"{name.removesuffix(about)}.{who}", count, book, state)


def count_text(name: str, count: Count, book: Game, state: State) -> str:
    """Return a count in the words of the book, or its name and number."""
    _, _, of = name.partition(".")
    being = state.being(of)
    text = count_phrase(name, count.now, escape(being.name) if being else readable(of), book.texts().lexicon.wording)
    return f"{readable(name)} {count.now}" + (f" of {count.of}" if count.of else "") if text is None else text


def condition_line(condition: Condition, clock: int, wording: Wording) -> str:
    """Return a condition: what it is, what it changes, its beginning and its end."""
    ends = " or ".join(durations.until(end, clock, wording) for end in condition.ends)
    effects = "".join(f", {text}" for text in influence_texts(condition.effects, wording))
    text = state_text(as_fact(condition), wording)
    return f"{text}{effects} since {condition.since}{f', {ends}' if ends else ''}"


def row_text(condition: Condition, state: State, wording: Wording) -> str:
    """Return a condition in a row: without what it is about where that is no being and the book has no words for it."""
    fact = as_fact(condition)
    known = patterns.find_pattern(wording.conditions, condition.name, condition.degree) or state.being(condition.about)
    return state_text(fact if known else msgspec.structs.replace(fact, about=""), wording)
