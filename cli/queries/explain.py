"""All that is recorded of one entry: its facts, the dice they stand on, the rules they name, readings, other takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from cli.commands.rules import Reading, reading, says
from cli.errors import InputError
from ledger.builtin import BUILTIN
from ledger.facts import (
    Amended,
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    EntryId,
    Fact,
    Invalidated,
    Judged,
    Rolled,
    Scalar,
    Sheet,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    WoundChanged,
    Wounded,
    parse_entry_id,
)
from ledger.game import Situation, decoder
from ledger.position import load_state
from ledger.records import Record, counting
from ledger.store import Store
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common import announcing
from rulebooks.common.game import Game
from rulebooks.common.texts import Texts


class Numbered(msgspec.Struct, frozen=True, kw_only=True):
    """A fact and its place in its entry, from 1."""

    number: int
    fact: Fact


class Lying(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that a result of the entry stands on, and the entry in which they were thrown."""

    entry: str
    roll: Rolled


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that something of the entry names, and what the book says there."""

    id: str
    text: str


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """Another take of the entry, and why it does not count (empty: it does)."""

    take: int
    position: int
    by: str
    line: str
    because: str


class Law(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling that was law where the entry stands.

    It `bears` on it when both name a rule, when it is about the entry, or when the entry went by what it sets.
    """

    entry: str
    text: str
    because: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    sets: Sheet
    bears: bool


class After(msgspec.Struct, frozen=True, kw_only=True):
    """A later entry that goes on with something that this one began, and with what."""

    entry: str
    line: str
    what: str


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """All that is recorded of one take of an entry."""

    entry: str
    take: int
    counts: bool
    because: str
    position: int
    by: str
    at: str
    line: str
    facts: tuple[Numbered, ...]
    dice: tuple[Lying, ...]
    same: dict[str, str]  # results that stood already in an earlier entry
    rules: tuple[Cited, ...]
    options: tuple[Reading, ...]
    rulings: tuple[Law, ...]
    known: tuple[Situation, ...]
    followed: tuple[After, ...]
    takes: tuple[Take, ...]


def explained(store: Store, book: Game, id: EntryId, number: int | None, take: int | None) -> tuple[Why, Record]:
    """The answer, and the record that it is about. Raises InputError for what there is not."""
    record, takes = take_meant(store, id, take)
    said = [found for found in takes if found.facts]
    if number is not None and not 1 <= number <= len(record.facts):
        raise InputError(f"{id} has no fact {number}", hint=f"It has facts 1 to {len(record.facts)}.")
    gone = {found.position: fate(store, found, takes) for found in said}
    counts = not gone[record.position]
    places = range(1, len(record.facts) + 1) if number is None else (number,)
    facts = tuple(Numbered(number=place, fact=record.facts[place - 1]) for place in places)
    earlier = list(counting(store.takes(after=EntryId(id.session, -1), upto=id.before, as_of=record.position)))
    texts, place = book.texts(), load_state(store, StateProjection(), at=id.before, as_of=record.position)
    known = tuple(situations(book, place.state, record))
    names = (*cited(record.facts), *(found.name for found in known if found.known))
    answer = Why(
        entry=str(id),
        take=record.take,
        counts=counts,
        because=gone[record.position],
        position=record.position,
        by=record.by,
        at=record.at,
        line=record.line,
        facts=facts,
        dice=tuple(lying(facts, record, earlier)),
        same=dict(repeated(facts, earlier)),
        rules=tuple(Cited(id=rule, text=says(texts, rule)) for rule in cited(found.fact for found in facts)),
        options=tuple(readings(texts, place.state.options)),
        rulings=tuple(laws(place.state, record, names)),
        known=(*announced_dice(record, place.state), *after_the_dice(record, store.takes(after=id)), *known),
        followed=tuple(following(facts, counting(store.takes(after=id, as_of=None if counts else record.position)))),
        takes=tuple(
            Take(take=o.take, position=o.position, by=o.by, line=o.line, because=gone[o.position])
            for o in said
            if o is not record
        ),
    )
    return answer, record


def take_meant(store: Store, id: EntryId, take: int | None) -> tuple[Record, list[Record]]:
    """A take of an entry (None: the last in which something was said), and all its takes. Raises InputError."""
    takes = list(store.takes(after=id.before, upto=id))
    said = [record for record in takes if record.facts]
    if not said:
        last = load_state(store, StateProjection(), at=id).last
        raise InputError(f"there is no entry {id}", hint=f"Before it stands {last}.")
    record = said[-1] if take is None else next((found for found in said if found.take == take), None)
    if record is None:
        there_are = ", ".join(f"{id}@{found.take}" for found in said)
        raise InputError(f"there is no take {id}@{take}", hint=f"There is: {there_are}.")
    return record, takes


def fate(store: Store, record: Record, takes: Sequence[Record]) -> str:
    """Why a take does not count: which entry corrected it, and how; empty when it counts."""
    after = next((take for take in takes if take.position > record.position), None)
    if after is None:
        return ""
    if after.cause is None:
        return f"said anew as take {after.take}"
    cause = parse_entry_id(after.cause)
    for found in store.takes(after=cause.before, upto=cause):
        for fact in found.facts:
            if isinstance(fact, Amended) and fact.entry == f"{record.id}@{record.take}":
                why = f", {fact.because}" if fact.because else ""
                undone = "undone" if fact.outcome == "restore" else "amended"
                return f"{undone if after.facts else 'taken back'} by {cause} ({fact.outcome}{why})"
    return f"changed by {cause}"


def lying(facts: Iterable[Numbered], record: Record, earlier: Sequence[Record]) -> Iterator[Lying]:
    """The dice of the entry, then those thrown before that its results stand on."""
    own = {fact.purpose: Lying(entry=str(record.id), roll=fact) for fact in rolls(record)}
    known = {fact.purpose: Lying(entry=str(found.id), roll=fact) for found in earlier for fact in rolls(found)} | own
    wanted = [numbered.fact.purpose for numbered in facts if isinstance(numbered.fact, Rolled)]
    wanted += [name for numbered in facts if isinstance(numbered.fact, Judged) for name in numbered.fact.rolls]
    yield from (known[purpose] for purpose in dict.fromkeys(wanted) if purpose in known)


def rolls(record: Record) -> list[Rolled]:
    """All throws of an entry."""
    return [fact for fact in record.facts if isinstance(fact, Rolled)]


def repeated(facts: Iterable[Numbered], earlier: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Results that say again, as final, what stands in an earlier entry with the same arithmetic."""
    stood = {outcome(fact): str(found.id) for found in earlier for fact in found.facts if isinstance(fact, Judged)}
    for numbered in facts:
        fact = numbered.fact
        if isinstance(fact, Judged) and fact.final and fact.window and outcome(fact) in stood:
            yield str(numbered.number), stood[outcome(fact)]


def outcome(fact: Judged) -> tuple[object, ...]:
    """What makes two results the same."""
    return fact.what, fact.who, fact.against, fact.sums, fact.rolls, fact.total, fact.target, fact.result


def cited(facts: Iterable[BaseFact]) -> Iterator[str]:
    """The rules that these facts and the steps of their sums name, each once, in the order of use."""
    found: dict[str, None] = {}
    for fact in facts:
        steps = [step.rule for total in fact.sums for step in total.steps] if isinstance(fact, Judged) else []
        found |= dict.fromkeys(rule for rule in (*steps, *fact.rules) if rule)
    yield from found


def laws(state: State, record: Record, names: Iterable[str]) -> Iterator[Law]:
    """The rulings that were law, and which of them bear on the entry, which names rules and rulings."""
    named = {*names, str(record.id)}
    for entry, law in sorted(state.rulings.items(), key=lambda pair: parse_entry_id(pair[0])):
        yield Law(
            entry=entry,
            text=law.text,
            because=law.because,
            cites=law.cites,
            scope=law.scope,
            agreed=law.agreed,
            sets=law.sets,
            bears=bool({entry, *law.cites, law.about} & named),
        )


def situations(book: Game, state: State, record: Record) -> Iterator[Situation]:
    """What was known to bear on the entry, and what would have been possible and was not said."""
    if record.declared is not None and not record.of(Invalidated):
        yield from book.unclaimed(decoder(book, BUILTIN).decode(record.declared.said), state)


def announced_dice(record: Record, state: State) -> Iterator[Situation]:
    """Dice thrown for what an earlier entry announced are keyed by that entry."""
    window = announcing.open_window(state)
    if window is not None and rolls(record) and any(fact.window == announcing.ANNOUNCED for fact in going(record)):
        text = f"its dice are those of {window.opened}, which announced it"
        yield Situation(name="announced", text=text, known=True)


def going(record: Record) -> list[WindowChanged | WindowClosed]:
    """What an entry makes of windows that were open before it."""
    return [fact for fact in record.facts if isinstance(fact, WindowChanged | WindowClosed)]


def after_the_dice(record: Record, later: Iterable[Record]) -> Iterator[Situation]:
    """An answer that stands before a throw, but was first written after its dice lay there."""
    windows = {fact.window for fact in record.facts if isinstance(fact, WindowChanged) and record.take == 1}
    for take in later:
        thrown = take.session == record.session and take.position < record.position and rolls(take)
        if thrown and any(
            isinstance(fact, WindowChanged | WindowClosed) and fact.window in windows for fact in take.facts
        ):
            text = f"it came after the dice of {take.id}: position {take.position}, this stands at {record.position}"
            yield Situation(name="after the dice", text=text, known=True)
            return


def following(facts: Iterable[Numbered], later: Iterable[Record]) -> Iterator[After]:
    """The later entries that go on with what these facts began: an open roll, a condition, a wound."""
    begun = {name: text for numbered in facts for name, text in beginnings(numbered.fact)}
    for other in later:
        found: dict[str, str] = {}
        for name, text in ((name, text) for fact in other.facts for name, text in goings_on(fact)):
            found.setdefault(name, text)
        for text in (text for name, text in found.items() if name in begun):
            yield After(entry=str(other.id), line=other.line, what=text)
        for name in {name for fact in other.facts for name, _ in (*endings(fact), *beginnings(fact))}:
            begun.pop(name, None)


def beginnings(fact: BaseFact) -> Iterator[tuple[str, str]]:
    """What begins with a fact, under a name of its own."""
    match fact:
        case WindowOpened():
            yield f"window {fact.window}", fact.kind
        case ConditionBegan():
            yield f"condition {fact.id}", fact.name
        case Wounded():
            yield f"wound {fact.who} {fact.wound}", fact.kind


def goings_on(fact: BaseFact) -> Iterator[tuple[str, str]]:
    """What a fact goes on with, and what becomes of it."""
    match fact:
        case WindowChanged():
            yield f"window {fact.window}", f"the {fact.window} changes"
        case Judged() if fact.window and fact.final:
            yield f"window {fact.window}", f"final: {fact.what} {fact.result}"
        case ConditionEnded():
            yield f"condition {fact.id}", f"{fact.who} is no longer {fact.name} ({fact.because})"
        case WoundChanged():
            yield f"wound {fact.who} {fact.wound}", f"{fact.who}'s wound is {fact.kind} {fact.value}"
        case WindowClosed():
            yield f"window {fact.window}", f"{fact.window}: {fact.outcome}"


def endings(fact: BaseFact) -> Iterator[tuple[str, str]]:
    """What ends with a fact."""
    match fact:
        case WindowClosed():
            yield f"window {fact.window}", "closed"
        case ConditionEnded():
            yield f"condition {fact.id}", "ended"
        case WoundChanged() if not fact.value:
            yield f"wound {fact.who} {fact.wound}", "healed"


def readings(texts: Texts, chosen: Mapping[str, Scalar]) -> Iterator[Reading]:
    """The readings in force that are not the book's own by default."""
    for option in texts.content.options:
        if chosen.get(option.name, option.default) != option.default:
            yield reading(option, chosen)
