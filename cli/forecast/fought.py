"""The fights of a ledger that were really fought: the state in which each began, who fell in it, and who left it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cli.forecast.begin import check_fight
from cli.forecast.fight import GONE, OUT, Fight
from ledger.errors import InputError
from ledger.facts import EntryId
from ledger.ledger_state import LedgerState, initial_state, unpack_state
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD


class FoughtFight(msgspec.Struct, frozen=True, kw_only=True):
    """A fight of a ledger: the entry that began it, the packed state after it, its members, who fell, and who left."""

    at: EntryId
    packed: bytes
    members: tuple[str, ...]
    fell: frozenset[str]
    left: frozenset[str]  # fled, or were led away

    def open_state(self) -> LedgerState[State]:
        """Return the state in which it began."""
        return unpack_state(self.packed, StateProjection(), self.at)


def fought_fights(store: ReadableStore, game: Game) -> Iterator[FoughtFight]:
    """Yield the fights of a ledger that are over, in their order; none in which nobody could fight."""
    state = initial_state(StateProjection())
    begun: tuple[EntryId, bytes, Fight] | None = None
    fell, left = set[str](), set[str]()
    for take in latest_takes(store.takes()):
        was_on = state.state.encounter
        state.fold(take)
        is_on = state.state.encounter
        if begun is not None:
            at, packed, fight = begun
            ends = {who: fight.how_out(who) for who in fight.members}
            fallen, gone = {who for who in ends if ends[who] in (OUT, DEAD)}, {who for who in ends if ends[who] == GONE}
            fell, left = (fallen, gone) if is_on is not None else (fell | fallen, left | gone)
        if is_on is None and begun is not None:
            yield FoughtFight(
                at=at, packed=packed, members=fight.members, fell=frozenset(fell), left=frozenset(left - fell)
            )
            begun = None
        elif is_on is not None and was_on is None and can_be_fought(state.state, game):
            begun, fell, left = (take.id, state.pack(), Fight(game, state, {})), set(), set()


def can_be_fought(state: State, game: Game) -> bool:
    """Return whether two sides of the encounter that is on have somebody who can fight."""
    try:
        check_fight(state, game)
    except InputError:
        return False
    return True
