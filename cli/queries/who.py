"""Values by name: resolve an abbreviation, and list every change of a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec

from cli.errors import InputError
from cli.notation.resolve import fold_word, list_hint, match_name, match_word, nearest_words, prefer_creatures
from cli.output import safe
from cli.queries.line_scope import things
from cli.queries.view import View
from ledger.facts import (
    GM,
    Declared,
    EntryId,
    Fact,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    TokensMoved,
)
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.state import State
from projections.value_history import ValueChange, value_histories

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
    """All changes of one value."""

    name: str
    entry: EntryId
    changes: Sequence[ValueChange]
    histories: Histories


class BeingReport(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of the values of one being; `unchanged`: how many values never changed."""

    name: str
    entry: EntryId
    values: tuple[ValueReport, ...]
    unchanged: int


def who_report(
    view: View, position: LedgerState[State], word: str, short: Mapping[str, str]
) -> ValueReport | BeingReport:
    """Return the changes of the value that `word` names, or of all values of the being that it names.

    Raises InputError when it names none or several.
    """
    try:
        return value_report(view, position, word, short)
    except InputError:
        if "." in word:
            raise
        state = view.state(position).state
        who = prefer_creatures(match_name(word, [being.name for being in state.beings_in_order()]), things(state)).words
        if len(who) != 1:
            raise
        if who[0] in view.hidden:
            raise hidden_error(who[0]) from None
        return being_report(view, position, who[0])


def being_report(view: View, position: LedgerState[State], who: str) -> BeingReport:
    """Return the changes of all values of a being."""
    past = seen_histories(view, position, position.last)
    own = {name: changes for name, changes in past.changes.items() if name.startswith(f"{name_key(who)}.")}
    changed = tuple(
        ValueReport(name=name, entry=position.last, changes=changes, histories=past)
        for name, changes in own.items()
        if len(changes) > 1
    )
    return BeingReport(name=who, entry=position.last, values=changed, unchanged=len(own) - len(changed))


def value_report(view: View, position: LedgerState[State], word: str, short: Mapping[str, str]) -> ValueReport:
    """Return the changes of the value that `word` names. Raises InputError when there is none or several.

    A name may be said as it is printed: `Kess speed` is `kess.speed`.
    """
    past = seen_histories(view, position, position.last)
    owned = {name_key(thing) for thing in things(position.state)}
    now = [name for name in position.values() if name in past.changes]
    with refuse_hidden(view, word):
        spoken = [text for text in spoken_forms(word) if text in past.changes]
        name = spoken[0] if spoken else find_value(word, now, list(past.changes), short, owned)
    return ValueReport(name=name, entry=position.last, changes=past.changes[name], histories=past)


def spoken_forms(word: str) -> Iterator[str]:
    """Yield the names of values that words may say: `thug-1.armor.physical` for `Thug 1 armor physical`."""
    words = [name_key(part) for part in word.split()]
    for end in range(1, len(words)):
        yield f"{'-'.join(words[:end])}.{'.'.join(words[end:])}"


def find_value(
    word: str, now: Sequence[str], ever: Sequence[str], short: Mapping[str, str], owned: Collection[str] = ()
) -> str:
    """Return the value that `word` is or begins, part by part. `now`: the values that exist, preferred to `ever`.

    Those of creatures are preferred to those of things (`owned`, as values name them).

    Raises InputError with all matches, or the nearest names.
    """
    if word in ever:
        return word
    for known in (now, ever):
        matches = _matches(word, [name for name in known if name in ever], short, owned) if word else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise InputError(
                f"'{safe(word)}' may be {', '.join(map(safe, matches[:12]))}",
                hint="Write more of it.",
            )
    near = [name for name in now if fold_word(name).startswith(fold_word(word))] or nearest_words(word, ever)
    hint = f"The nearest: {', '.join(map(safe, near[:12]))}." if near else list_hint(list(ever))
    raise InputError(f"'{safe(word)}' is not a value", hint=hint)


def _matches(word: str, known: Sequence[str], short: Mapping[str, str], owned: Collection[str]) -> list[str]:
    """Return the names whose parts begin with the parts of the word: `k.mi` and `k.hp` (short) for `kess.health`."""
    if (whole := match_word(word, known)).exact:
        return whole.words
    parts = fold_word(word).split(".")
    if len(parts) > 1:
        every = match_name(parts[0], [name.split(".")[0] for name in known if "." in name])
        owners = prefer_creatures(every, owned).words
        known = [name for name in known if name.split(".")[0] in owners]
        parts[0] = ""
    short_names = {fold_word(letters): fold_word(name) for letters, name in short.items()}
    if (last := short_names.get(parts[-1])) and len(parts) > 1:
        exact = [
            name for name in known if _begins([*parts[:-1], last], name) and fold_word(name).split(".")[-1] == last
        ]
        if exact:
            return exact
    matches = [name for name in known if _begins(parts, name)]
    return [name for name in matches if fold_word(name).split(".")[1:] == parts[1:]] or matches


def _begins(parts: Sequence[str], name: str) -> bool:
    """Return whether each part of a name begins with the given part."""
    own = fold_word(name).split(".")
    return len(own) == len(parts) and all(mine.startswith(part) for part, mine in zip(parts, own, strict=True))
