"""Values by name: resolve an abbreviation, and list every change of a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from cli.notation.known_beings import prefer_creatures
from cli.notation.known_words import list_hint
from cli.questions.histories import Histories, Past, load_past
from cli.questions.line_scope import things
from cli.questions.players_ledger import hidden_beings
from cli.questions.value_lookup import ValueNaming, find_value
from cli.questions.value_words import ValueWords
from ledger.errors import InputError
from ledger.facts import EntryId, Sum
from ledger.ledger_state import BEFORE_FIRST, LedgerState
from ledger.name_match import fold_name, match_name
from ledger.names import escape, name_key
from ledger.projection import Value
from ledger.store import ReadableStore
from projections.state import State
from projections.value_history import ValueChange
from projections.values import WOUNDS, values
from rulebooks.common.game import Game
from rulebooks.common.texts import Lexicon


@contextmanager
def refuse_hidden(store: ReadableStore, word: str) -> Iterator[None]:
    """Say of a value that is not found whether it belongs to somebody whose numbers are hidden here."""
    try:
        yield
    except InputError as error:
        hidden = match_name(word.partition(".")[0], hidden_beings(store)).words if "." in word else []
        if not hidden:
            raise
        raise hidden_error(hidden[0]) from error


def hidden_error(who: str) -> InputError:
    """Return the error for the numbers of a being that are hidden."""
    name = escape(who)
    return InputError(f"the numbers of {name} are the game master's", hint=f"How {name} is: campaign show --as players")


class ValueReport(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of one value; none of one that is 0 because nothing ever changed it. `listed` are the last ones."""

    name: str
    entry: EntryId
    changes: Sequence[ValueChange]
    listed: Sequence[ValueChange]
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
    most: int | None  # changes that are listed


def who_report(
    store: ReadableStore, position: LedgerState[State], word: str, lexicon: Lexicon, most: int | None = None
) -> ValueReport | BeingReport:
    """Return the changes of the value that `word` names, or of all values of the being that it names.

    The last `most` are listed, by default all. Raises InputError when it names none or several.
    """
    state = position.state
    word = word.removesuffix("?").rstrip()
    beings = [] if "." in word else [being.name for being in state.beings_in_order()]
    if (named := match_name(word, beings)).exact and len(named.words) == 1:  # no value of its own has this name
        return being_report(store, position, named.words[0], lexicon, most)
    try:
        return value_report(store, position, word, lexicon, most)
    except InputError:
        who = prefer_creatures(match_name(word, beings), things(state)).words
        if not who and (hurt := hurt_being(word, state)):
            report = value_report(store, position, f"{name_key(hurt)}.{lexicon.vital}", lexicon, most)
            return report if report.changes else being_report(store, position, hurt, lexicon, most)
        if not who and (stranger := stranger_in(word, state)):
            in_play = list_hint([escape(name) for name in beings])
            raise InputError(f"'{escape(stranger)}' is nobody in play", hint=in_play) from None
        if len(who) != 1:
            raise
        return being_report(store, position, who[0], lexicon, most)


def hurt_being(words: str, state: State) -> str:
    """Return the being that a question is about whose first word is a verb: Bram for `hit bram`; else nothing."""
    from difflib import get_close_matches  # imported here to start faster: most questions name a value

    verb, _, rest = words.partition(" ")
    who = prefer_creatures(match_name(rest, [being.name for being in state.beings_in_order()]), things(state)).words
    if len(who) != 1:
        return ""
    prefix = f"{name_key(who[0])}."
    own = [name.removeprefix(prefix) for name in values(state) if name.startswith(prefix)]
    return "" if get_close_matches(verb, own, cutoff=0.75) else who[0]  # a value that is misspelt


def stranger_in(words: str, state: State) -> str:
    """Return who is asked about without being in play: Bram for `hit bram`; empty if it may be a value misspelt."""
    from difflib import get_close_matches  # imported here to start faster: most questions name a value

    verb, _, rest = words.partition(" ")
    known = {part for name in values(state) for part in (name, *re.split("[.-]", name))}
    begins = any(part.startswith(fold_name(verb)) for part in known)
    return "" if begins or "." in words or get_close_matches(verb, known, cutoff=0.75) else rest.strip()


def being_report(
    store: ReadableStore, position: LedgerState[State], who: str, lexicon: Lexicon, most: int | None
) -> BeingReport:
    """Return the changes of all values of a being, the last `most` listed. Raises InputError if they are hidden.

    What has begun since the being joined is a change too, unless the book has no words for it.
    """
    if who in hidden_beings(store):
        raise hidden_error(who) from None
    past = load_past(store, position)
    own = {name: count for name, count in past.counts().items() if name.startswith(f"{name_key(who)}.")}
    histories = past.histories(list(own), most)
    joined = min((changes[0].entry for name in own if (changes := histories.changes[name])), default=BEFORE_FIRST)
    begun = {name for name in own if (changes := histories.changes[name]) and changes[0].entry != joined}
    unsaid = {f"{name_key(who)}.{name}" for name, text in lexicon.wording.conditions.items() if not text}
    changing = [name for name, count in own.items() if count > 1 or name in begun - unsaid]
    every = sorted((change.entry, change.number) for name in changing for change in histories.changes[name])
    first = every[-most] if most and most < len(every) else (BEFORE_FIRST, 0)
    changed = tuple(
        ValueReport(
            name=name,
            entry=position.last,
            changes=histories.changes[name],
            listed=[change for change in histories.changes[name] if (change.entry, change.number) >= first],
            histories=histories,
        )
        for name in changing
    )
    return BeingReport(name=who, entry=position.last, values=changed, unchanged=len(own) - len(changed), most=most)


def value_report(
    store: ReadableStore, position: LedgerState[State], word: str, lexicon: Lexicon, most: int | None
) -> ValueReport:
    """Return the changes of the value that `word` names, the last `most` listed.

    Raises InputError when there is none or several. A name may be said as it is printed: `Kess speed` is `kess.speed`.
    """
    past = load_past(store, position)
    counts = past.counts()
    naming = value_naming(position.state, lexicon)
    now = [name for name in position.values() if name in counts]
    with refuse_hidden(store, word):
        try:
            name = find_value(word, now, list(counts), naming, naming.words.phrase)
        except InputError as error:
            name = find_absent(store, position.state, past, word, naming)
            if not name:
                raise error
    histories = past.histories([name], most)
    changes = histories.changes.get(name, ())
    listed = changes[-(most or len(changes)) :]
    return ValueReport(name=name, entry=position.last, changes=changes, listed=listed, histories=histories)


def sums_in_force(names: Iterable[str], state: State, book: Game) -> list[Sum]:
    """Return what the book computes for values of sheets that are not in force as they are written."""
    now, beings = values(state), {name_key(being.name): being.name for being in state.beings_in_order()}
    return [
        total
        for name in names
        if (who := beings.get(name.partition(".")[0])) and name in now
        for total in book.guide.computed(who, state)
        if name == f"{name_key(who)}.{total.name}" and total.total != now[name]
    ]


def value_naming(state: State, lexicon: Lexicon) -> ValueNaming:
    """Return how the values of a state are named."""
    words = ValueWords((being.name for being in state.beings_in_order()), lexicon.wording)
    return ValueNaming(short=lexicon.short, words=words, things={name_key(thing) for thing in things(state)})


def find_absent(store: ReadableStore, state: State, past: Past, word: str, naming: ValueNaming) -> str:
    """Return the value of somebody that `word` names and that is 0 because nothing changed it; none without one.

    Such are wounds, and the conditions and counts that others have had.
    """
    counts, had = past.counts(), (name.partition(".")[2] for name in past.absent_names() if "." in name)
    known = dict.fromkeys([WOUNDS, *(own for own in had if not naming.words.is_silent(f".{own}"))])
    beings = [name_key(being.name) for being in state.beings_in_order() if being.name not in hidden_beings(store)]
    absent = [name for who in beings for own in known if (name := f"{who}.{own}") not in counts]
    try:
        return find_value(word, absent, absent, naming)
    except InputError:
        return ""
