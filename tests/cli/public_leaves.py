"""What everybody sees of the records of a ledger, compared with what the players saw when each was written."""

from __future__ import annotations

from collections.abc import Iterator

from cli.questions.players_ledger import PlayersLedger
from ledger.acts import acts_of
from ledger.records import ENCODER
from ledger.store import Store
from rulebooks.common.game import Game
from tests.ledger.memory import MemoryStore


def public_pairs(store: Store, book: Game) -> Iterator[tuple[str, str]]:
    """Yield the public bytes of each record, and the record as the players saw it when it had just been written."""
    memory, stored = MemoryStore(), store.read()
    for act in acts_of(list(store.records())):
        memory.append(act, after=memory.head())
        players = PlayersLedger(memory, book)
        for record in act:
            yield next(stored).public.decode(), ENCODER.encode(players.seen(record)).decode()
