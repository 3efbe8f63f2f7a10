"""What everybody sees of the records of a ledger, compared with what the players saw when each was written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from cli.questions.players_ledger import PlayersLedger
from ledger.acts import acts_of
from ledger.facts import WITHHELD, BaseFact, ConditionBegan, Withheld
from ledger.memory_store import MemoryStore
from ledger.records import PUBLIC_DECODER, Record
from ledger.redaction.fact_redaction import default_values
from ledger.store import Store
from rulebooks.common.game import Game


def shown_too_much(store: Store, book: Game) -> Iterator[str]:
    """Yield where a public leaf has more than the players saw of the record when it had just been written."""
    memory, stored = MemoryStore(), store.read()
    for act in acts_of(list(store.records())):
        memory.append(act, after=memory.head())
        players = PlayersLedger(memory, book)
        for record in act:
            public = PUBLIC_DECODER.decode(next(stored).public)
            yield from map(f"{record.id}@{record.take}: {{}}".format, _more(public, players.seen(record)))


def _more(public: Record, shown: Record) -> Iterator[str]:
    """Yield what a public leaf says that a record as the players see it does not."""
    for field in ("by", "holder", "door", "cause", "request"):
        if getattr(public, field) not in (getattr(shown, field), None, "", "gm"):
            yield f"its {field}"
    for number, (fact, seen) in enumerate(zip_longest(public.facts, shown.facts, fillvalue=WITHHELD), start=1):
        if not isinstance(fact, Withheld) and not _is_note(fact):
            yield from (f"{field} of fact {number}: {fact} for {seen}" for field in _more_fields(fact, seen))


def _is_note(fact: BaseFact) -> bool:
    """Whether a fact is a note of the game to itself, which holds nothing hidden while nobody is."""
    return isinstance(fact, ConditionBegan) and bool(fact.data)


def _more_fields(fact: BaseFact, seen: BaseFact) -> Iterator[str]:
    """Yield the fields in which a fact has more than another."""
    blank = default_values(type(fact))
    for field in fact.__struct_fields__:
        value = getattr(fact, field)
        is_blank = field in blank and value == blank[field]
        is_note = field in type(fact).hides.always
        if not (
            is_blank or is_note or value in ((), None) or (type(fact) is type(seen) and value == getattr(seen, field))
        ):
            yield field
