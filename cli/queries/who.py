"""Values by name: resolve an abbreviation, and list every change of a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec

from cli.errors import InputError
from cli.notation.resolve import match_name, prefer_creatures
from cli.output import safe
from cli.queries.line_scope import things
from cli.queries.value_lookup import ValueNaming, find_value
from cli.queries.value_words import ValueWords
from cli.queries.view import View
from ledger.facts import (
    GM,
    ConditionBegan,
    Counted,
    Declared,
    EntryId,
    Fact,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    TokensMoved,
    Wounded,
)
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from ledger.projection import Value
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.state import State
from projections.value_history import ValueChange, value_histories
from projections.values import WOUNDS
from rulebooks.common.texts import Lexicon

ABSENT_IS_ZERO: Final = (ConditionBegan, Counted, Wounded)  # begin values that are 0 where they do not exist
SECRET_SAID: Final = b'{"say":"secret"}'  # in place of a declaration that is not seen


class Histories(msgspec.Struct, frozen=True, kw_only=True):
    """The records up to an entry, and by the name of each value its changes, oldest first."""

    records: Mapping[EntryId, Record]
    changes: Mapping[str, Sequence[ValueChange]]
    facts: Mapping[tuple[EntryId, int], Fact] = {}  # of entries that are not seen as they are

    def fact(self, change: ValueChange) -> Fact:
        """Return the fact that changed the value."""
        seen = self.facts.get((change.entry, change.number))
        return seen or self.records[change.entry].facts[change.number - 1]


def load_histories(store: Store, upto: EntryId, as_of: int) -> Histories:
    """Fold all records up to an entry, as of a position."""
    return histories(latest_takes(store.takes(upto=upto, as_of=as_of)))


def histories(records: Iterable[Record]) -> Histories:
    """Fold these records."""
    by_id = {record.id: record for record in records}
    changes = value_histories(
        (id, number, fact) for id, record in by_id.items() for number, fact in enumerate(record.facts, 1)
    )
    return Histories(records=by_id, changes=changes)


def seen_histories(view: View, position: LedgerState[State], upto: EntryId) -> Histories:
    """Fold all records up to an entry, as of a position, and keep what is seen of them.

    Of a secret entry only those changes are seen that everybody knows of, of visible pools and tokens, without their
    reasons.
    """
    past = load_histories(view.store, upto, position.position)
    records, facts = dict[EntryId, Record](), dict[tuple[EntryId, int], Fact]()
    secret = set[EntryId]()
    for id, record in past.records.items():
        seen = view.record(record)
        if seen is None:
            secret.add(id)
            declared = Declared(by=GM, said=msgspec.Raw(SECRET_SAID), line="", faces=None)
            seen = msgspec.structs.replace(record, by=GM, facts=(declared,))
            numbered = list(enumerate(view.changes(record), start=1))
        elif seen == record:
            numbered = []
        else:
            numbered = view.facts(record)
        records[id] = seen
        facts.update({(id, number): fact for number, fact in numbered})

    def is_seen(change: ValueChange) -> bool:
        fact = facts.get((change.entry, change.number))
        if change.entry in secret:
            return fact is not None and is_open(fact)
        return fact is not None or records[change.entry] == past.records[change.entry]

    changes = {
        name: kept
        for name, all_of_it in past.changes.items()
        if not view.hides(name) and (kept := [each for each in all_of_it if is_seen(each)])
    }
    return Histories(records=records, changes=changes, facts=facts)


def is_open(fact: Fact) -> bool:
    """Return whether a fact changes a number that its owner knows, also where the reason is secret."""
    return isinstance(fact, PoolSet | PointsSpent | PointsLost | PointsRegained | TokensMoved)


@contextmanager
def refuse_hidden(view: View, word: str) -> Iterator[None]:
    """Say of a value that is not found whether it belongs to somebody whose numbers are hidden from this view."""
    try:
        yield
    except InputError as error:
        hidden = match_name(word.partition(".")[0], view.hidden).words if "." in word else []
        if not hidden:
            raise
        raise hidden_error(hidden[0]) from error


def hidden_error(who: str) -> InputError:
    """Return the error for the numbers of a being that are hidden."""
    name = safe(who)
    return InputError(f"the numbers of {name} are the game master's", hint=f"How {name} is: campaign show --as players")


class ValueReport(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of one value; none of one that is 0 because nothing ever changed it."""

    name: str
    entry: EntryId
    changes: Sequence[ValueChange]
    histories: Histories

    @property
    def now(self) -> Value | None:
        """What the value is at the end; None when it is gone."""
        return self.changes[-1].after if self.changes else 0


class BeingReport(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of the values of one being; `unchanged`: how many values never changed."""

    name: str
    entry: EntryId
    values: tuple[ValueReport, ...]
    unchanged: int


def who_report(view: View, position: LedgerState[State], word: str, lexicon: Lexicon) -> ValueReport | BeingReport:
    """Return the changes of the value that `word` names, or of all values of the being that it names.

    Raises InputError when it names none or several.
    """
    state = view.state(position).state
    beings = [] if "." in word else [being.name for being in state.beings_in_order()]
    if (named := match_name(word, beings)).exact and len(named.words) == 1:  # no value of its own has this name
        return being_report(view, position, named.words[0])
    try:
        return value_report(view, position, word, lexicon)
    except InputError:
        who = prefer_creatures(match_name(word, beings), things(state)).words
        if len(who) != 1:
            raise
        return being_report(view, position, who[0])


def being_report(view: View, position: LedgerState[State], who: str) -> BeingReport:
    """Return the changes of all values of a being. Raises InputError if they are hidden."""
    if who in view.hidden:
        raise hidden_error(who) from None
    past = seen_histories(view, position, position.last)
    own = {name: changes for name, changes in past.changes.items() if name.startswith(f"{name_key(who)}.")}
    changed = tuple(
        ValueReport(name=name, entry=position.last, changes=changes, histories=past)
        for name, changes in own.items()
        if len(changes) > 1
    )
    return BeingReport(name=who, entry=position.last, values=changed, unchanged=len(own) - len(changed))


def value_report(view: View, position: LedgerState[State], word: str, lexicon: Lexicon) -> ValueReport:
    """Return the changes of the value that `word` names. Raises InputError when there is none or several.

    A name may be said as it is printed: `Kess speed` is `kess.speed`.
    """
    past = seen_histories(view, position, position.last)
    naming = value_naming(position.state, lexicon)
    now = [name for name in position.values() if name in past.changes]
    with refuse_hidden(view, word):
        try:
            name = find_value(word, now, list(past.changes), naming, naming.words.phrase)
        except InputError as error:
            name = find_absent(view, position.state, past, word, naming)
            if not name:
                raise error
    return ValueReport(name=name, entry=position.last, changes=past.changes.get(name, ()), histories=past)


def value_naming(state: State, lexicon: Lexicon) -> ValueNaming:
    """Return how the values of a state are named."""
    words = ValueWords((being.name for being in state.beings_in_order()), lexicon.wording)
    return ValueNaming(short=lexicon.short, words=words, things={name_key(thing) for thing in things(state)})


def find_absent(view: View, state: State, past: Histories, word: str, naming: ValueNaming) -> str:
    """Return the value of somebody that `word` names and that is 0 because nothing changed it; none without one.

    Such are wounds, and the conditions and counts that others have had.
    """
    known = dict.fromkeys([WOUNDS, *(own for own in _absent_names(past) if not naming.words.is_silent(f".{own}"))])
    beings = [name_key(being.name) for being in state.beings_in_order() if being.name not in view.hidden]
    absent = [name for who in beings for own in known if (name := f"{who}.{own}") not in past.changes]
    try:
        return find_value(word, absent, absent, naming)
    except InputError:
        return ""


def _absent_names(past: Histories) -> Iterator[str]:
    """Yield the names, without their owners, of the values that are 0 for those who do not have them."""
    for name, changes in past.changes.items():
        fact = past.fact(changes[0])
        if "." in name and isinstance(fact, ABSENT_IS_ZERO) and not getattr(fact, "data", ""):
            yield name.partition(".")[2]
