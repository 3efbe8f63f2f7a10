"""Everything recorded about one entry: facts, dice, rules, readings, rulings, other takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from cli.questions.consequences import Consequence, Tell, consequences, kind_words
from cli.questions.players_ledger import PlayersLedger
from cli.questions.rule_uses import cited_rules
from cli.questions.rules import Reading, chosen_readings, rule_heading, rule_text
from cli.questions.takes import find_take, why_void
from ledger.builtin import BUILTIN
from ledger.corrections.undo import last_line
from ledger.errors import InputError, Refused, stored_errors
from ledger.facts import (
    EntryId,
    Fact,
    Invalidated,
    Judged,
    Rolled,
    Sheet,
    Told,
    WindowChanged,
    WindowClosed,
    Withheld,
    parse_entry_id,
)
from ledger.game import decoder
from ledger.implied_passes import implying_entry, place_before
from ledger.ledger_state import load_state
from ledger.records import Door, Record, latest_takes, shown_records
from ledger.service import Ledger
from ledger.session_proof import Proofs, origin, stored_proofs
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.game import Game
from rulebooks.common.guide import Situation
from rulebooks.common.texts import Mend, Texts


class NumberedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact and its number in its entry, from 1."""

    number: int
    fact: Fact


class EntryRoll(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that a result of the entry rests on, the entry in which they were rolled, and what can be shown of them."""

    entry: str
    roll: Rolled
    origin: str = ""


class CitedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that the entry names, with its heading and text in the book."""

    id: str
    heading: str
    text: str


class RulesRevision(msgspec.Struct, frozen=True, kw_only=True):
    """The revision of the rules by which the entry was decided, and how the rules that it names were mended later."""

    number: int
    mended_later: tuple[Mend, ...]


class OtherTake(msgspec.Struct, frozen=True, kw_only=True):
    """Another take of the entry, and why it does not count (empty: it does)."""

    take: int
    position: int
    by: str
    holder: str
    door: Door
    line: str
    because: str


class ExplainedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling that was in force at the entry.

    `bears`: both name a rule, the ruling is about the entry, or the entry used what it sets.
    """

    entry: str
    text: str
    because: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    sets: Sheet
    bears: bool


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything recorded about one take of an entry. `same`: results repeated from an earlier entry, by number."""

    entry: str
    take: int
    counts: bool
    because: str
    position: int
    by: str
    holder: str
    door: Door
    at: str
    line: str
    revision: RulesRevision
    facts: tuple[NumberedFact, ...]
    dice: tuple[EntryRoll, ...]
    same: dict[str, str]
    rules: tuple[CitedRule, ...]
    options: tuple[Reading, ...]
    rulings: tuple[ExplainedRuling, ...]
    known: tuple[Situation, ...]
    implies: tuple[tuple[str, str], ...]  # passes of others, as entries and lines
    followed: tuple[Consequence, ...]
    takes: tuple[OtherTake, ...]


def explain(
    store: ReadableStore,
    book: Game,
    id: EntryId,
    number: int | None = None,
    take: int | None = None,
    *,
    tell: Tell = kind_words,
) -> tuple[Explanation, Record]:
    """Return the explanation of an entry, or of one fact of it, and its record as it is printed.

    `number` is that of a fact (None: all facts); without a `take` it is the one that counts. `tell` says what a
    later fact says, in the words of a book. Raises InputError for an entry or a fact that does not exist or may not be
    seen.
    """
    whole, takes = find_take(store, id, take)
    record, facts = _shown_record(whole), _shown_facts(whole, number)
    void = {other.position: why_void(store, other, takes) for other in takes if other.facts}
    counts, own_facts = not void[record.position], [numbered.fact for numbered in facts]
    earlier = list(_takes_before(store, record))
    texts, state = book.texts(), load_state(store, StateProjection(), at=id.before, as_of=record.position).state
    possible = tuple(_situations(book, store, whole))
    explanation = Explanation(
        entry=str(id),
        take=record.take,
        counts=counts,
        because=void[record.position],
        position=record.position,
        by=record.by,
        holder=record.holder,
        door=record.door,
        at=record.at,
        line=record.line,
        revision=_revision(texts, state, cited_rules(own_facts)),
        facts=facts,
        dice=tuple(_dice(own_facts, record, earlier, stored_proofs(store, id.session))),
        same=dict(_repeated(facts, earlier)),
        rules=tuple(_cited_rule(texts, rule) for rule in cited_rules(own_facts)),
        options=tuple(chosen_readings(texts, state.options)),
        rulings=tuple(_rulings(state, record, _names_used(record, possible))),
        known=(*_announced_dice(record, state), *_late_answer(record, shown_records(store.takes(after=id))), *possible),
        implies=tuple((str(each.id), each.line) for each in _implied_passes(store, record, counts=counts)),
        followed=tuple(consequences(own_facts, _takes_after(store, record, counts=counts), tell)),
        takes=tuple(_other_takes(takes, whole, void)),
    )
    return explanation, record


def _names_used(record: Record, possible: Iterable[Situation]) -> Sequence[str]:
    """Return the rules that a take names, and the situations that were known at it."""
    return (*cited_rules(record.facts), *(situation.name for situation in possible if situation.known))


def _shown_record(record: Record) -> Record:
    """Return a take as it is printed. Raises InputError if all of it is hidden."""
    shown = next(shown_records([record]), None)
    if shown is None:
        raise InputError(f"{record.id} is secret", hint="The game master may show it: ! reveal ENTRY")
    return shown


def _shown_facts(record: Record, number: int | None) -> tuple[NumberedFact, ...]:
    """Return the facts of a take that are not hidden, or the one with a number. Raises InputError if there is none."""
    id, last = record.id, len(record.facts)
    if number is not None and not 1 <= number <= last:
        raise InputError(f"{id} has no fact {number}", hint=f"It has facts 1 to {last}.")
    numbered = (NumberedFact(number=each, fact=fact) for each, fact in enumerate(record.facts, start=1))
    facts = tuple(each for each in numbered if number in (None, each.number) and not isinstance(each.fact, Withheld))
    if not facts:
        raise InputError(f"fact {number} of {id} is the game master's", hint=f"What is seen of it: campaign why {id}")
    return facts


def _takes_before(store: ReadableStore, record: Record) -> Iterator[Record]:
    """Return the entries of the session before a take, as they counted when it was written."""
    start = EntryId(record.session, -1)
    return shown_records(latest_takes(store.takes(after=start, upto=record.id.before, as_of=record.position)))


def _revision(texts: Texts, state: State, rules: Iterable[str]) -> RulesRevision:
    """Return the revision by which the session of a state is decided, and how some rules were mended since."""
    number, cited = state.revision, set(rules)
    later = (mend for mend in texts.mends if mend.since > number and cited.intersection(mend.rules))
    return RulesRevision(number=number, mended_later=tuple(later))


def _takes_after(store: ReadableStore, record: Record, *, counts: bool) -> Iterator[Record]:
    """Return the entries after a take, as they count now if it does, or as they counted when it was written."""
    return shown_records(latest_takes(store.takes(after=record.id, as_of=None if counts else record.position)))


def _cited_rule(texts: Texts, rule: str) -> CitedRule:
    """Return a rule with its heading and text."""
    return CitedRule(id=rule, heading=rule_heading(texts, rule), text=rule_text(texts, rule))


def _implied_passes(store: ReadableStore, record: Record, *, counts: bool) -> Iterator[Record]:
    """Return the passes that an entry implies, as they are printed."""
    return shown_records(counting_passes(store, record, counts=counts))


def _other_takes(takes: Iterable[Record], whole: Record, void: Mapping[int, str]) -> Iterator[OtherTake]:
    """Yield the other takes of an entry that have facts; `void`: why each does not count, by position."""
    for take in shown_records(other for other in takes if other is not whole):
        if take.facts:
            yield OtherTake(
                take=take.take,
                position=take.position,
                by=take.by,
                holder=take.holder,
                door=take.door,
                line=take.line,
                because=void[take.position],
            )


def last_entry(ledger: Ledger[State]) -> EntryId:
    """Return the last entry that counts and is neither a correction nor a text; the last of all if there is none."""
    with suppress(Refused):
        return last_line(ledger, but=lambda record: record.has(Told)).id
    return ledger.state.last


def repeated_entry(explanation: Explanation) -> str:
    """Return the entry whose results an entry only makes final; empty if it has a result of its own."""
    judged = [str(each.number) for each in explanation.facts if isinstance(each.fact, Judged)]
    sources = [explanation.same.get(number, "") for number in judged]
    return sources[-1] if sources and all(sources) else ""


def counting_passes(store: ReadableStore, record: Record, *, counts: bool) -> Iterator[Record]:
    """Yield the passes that an entry implies, as they count, or counted when its take was written."""
    as_of = None if counts else record.position
    for take in latest_takes(store.takes(after=place_before(record.id), upto=record.id.before, as_of=as_of)):
        if implying_entry(take) == str(record.id):
            yield take


def _dice(facts: Sequence[Fact], record: Record, earlier: Sequence[Record], proofs: Proofs) -> list[EntryRoll]:
    """Return the dice of the entry, then earlier ones that its results rest on."""
    by_purpose = {
        roll.purpose: EntryRoll(entry=str(source.id), roll=roll, origin=origin(proofs, record.session, roll.source))
        for source in (*earlier, record)
        for roll in source.facts
        if isinstance(roll, Rolled)
    }
    return dice_behind(facts, by_purpose)


def dice_behind(facts: Sequence[Fact], rolls: Mapping[str, EntryRoll]) -> list[EntryRoll]:
    """Return the dice of these facts, then earlier ones that their results rest on; `rolls`: all, by purpose."""
    wanted = [fact.purpose for fact in facts if isinstance(fact, Rolled)]
    wanted += [purpose for fact in facts if isinstance(fact, Judged) for purpose in fact.rolls]
    return [rolls[purpose] for purpose in dict.fromkeys(wanted) if purpose in rolls]


def _repeated(facts: Iterable[NumberedFact], earlier: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield the final results that repeat an earlier entry with the same arithmetic."""
    first = {_outcome(fact): str(entry.id) for entry in earlier for fact in entry.facts if isinstance(fact, Judged)}
    for numbered in facts:
        fact = numbered.fact
        if isinstance(fact, Judged) and fact.final and fact.window and _outcome(fact) in first:
            yield str(numbered.number), first[_outcome(fact)]


def _outcome(fact: Judged) -> tuple[object, ...]:
    """Return the fields that make two results the same."""
    return fact.what, fact.who, fact.against, fact.sums, fact.rolls, fact.total, fact.target, fact.result


def _rulings(state: State, record: Record, names: Iterable[str]) -> Iterator[ExplainedRuling]:
    """Yield the rulings in force. `names`: the rules and rulings that the entry names."""
    named = {*names, str(record.id)}
    for entry, ruling in sorted(state.rulings.items(), key=lambda pair: parse_entry_id(pair[0])):
        yield ExplainedRuling(
            entry=entry,
            text=ruling.text,
            because=ruling.because,
            cites=ruling.cites,
            scope=ruling.scope,
            agreed=ruling.agreed,
            sets=ruling.sets,
            bears=bool({entry, *ruling.cites, ruling.about} & named),
        )


def _situations(book: Game, store: ReadableStore, record: Record) -> Iterator[Situation]:
    """Yield the situations that were taken into account, and those that were possible and not claimed.

    The rules need the whole state: the players see them for a record in which nothing is hidden, if nothing is secret.
    """
    if isinstance(store, PlayersLedger):
        if store.has_secrets or store.is_redacted(record):
            return
        store = store.store
    if record.declared is not None and not record.has(Invalidated):
        state = load_state(store, StateProjection(), at=record.id.before, as_of=record.position).state
        with stored_errors(f"entry {record.id}"):
            yield from book.guide.unclaimed(decoder(book, BUILTIN).decode(record.declared.said), state)


def _announced_dice(record: Record, state: State) -> Iterator[Situation]:
    """Yield that the dice belong to the entry that announced the action."""
    window = announcements.find_window(state)
    changes = _window_changes(record)
    if window is not None and record.has(Rolled) and any(fact.window == announcements.ANNOUNCED for fact in changes):
        text = f"its dice are those of {window.opened}, which announced it"
        yield Situation(name="announced", text=text, known=True)


def _window_changes(record: Record) -> list[WindowChanged | WindowClosed]:
    """Return the changes of windows that were open before the entry."""
    return [fact for fact in record.facts if isinstance(fact, WindowChanged | WindowClosed)]


def _late_answer(record: Record, later: Iterable[Record]) -> Iterator[Situation]:
    """Yield that an answer was inserted before a roll whose dice were known already."""
    windows = {fact.window for fact in record.facts if isinstance(fact, WindowChanged) and record.take == 1}
    for take in later:
        rolled_before = take.session == record.session and take.position < record.position and take.has(Rolled)
        if rolled_before and any(fact.window in windows for fact in _window_changes(take)):
            text = f"it came after the dice of {take.id}: position {take.position}, this has position {record.position}"
            yield Situation(name="after the dice", text=text, known=True)
            return
