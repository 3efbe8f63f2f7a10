"""The state that every ledger has: its campaign, the current session, and the inputs of the session's dice.

Opening a session is entry `N.0`, which publishes the commitment to its seed, and may list the players. They may add
words to the key until the first die is drawn from the seed, after the game master. Closing reveals the seed. Entries
after the close continue the numbers (`N.43`); entries before the first session are `0.1`, `0.2`, ... Neither can draw
dice from a seed.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.facts import CampaignCreated, Fact, Rolled, SessionClosed, SessionOpened, WordsAdded

SESSION_FACTS: Final = frozenset({CampaignCreated, SessionOpened, WordsAdded, Rolled, SessionClosed})


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """The campaign and its current or last session. `drawn`: a die has been drawn from the seed."""

    ledger: str = ""
    name: str = ""
    game: str = ""
    number: int = 0
    title: str = ""
    rulebook: str = ""
    revision: int = 1
    commitment: str = ""
    fixed: bool = False
    open: bool = False
    players: tuple[str, ...] = ()
    shared_dice: bool | msgspec.UnsetType = msgspec.UNSET
    words: tuple[tuple[str, str], ...] = ()
    drawn: bool = False

    def after(self, fact: Fact) -> SessionState:
        """Return the state after `fact`."""
        match fact:
            case Rolled():  # first: of all these facts it is by far the most frequent
                is_first = fact.source == "seed" and not self.drawn
                return msgspec.structs.replace(self, drawn=True) if is_first else self
            case CampaignCreated():
                return SessionState(
                    ledger=fact.ledger,
                    name=fact.name,
                    game=fact.game,
                    rulebook=fact.rulebook,
                    revision=fact.revision,
                )
            case SessionOpened():
                return SessionState(
                    ledger=self.ledger,
                    name=self.name,
                    game=self.game,
                    number=fact.number,
                    title=fact.title,
                    rulebook=fact.rulebook,
                    revision=fact.revision,
                    commitment=fact.commitment,
                    fixed=fact.fixed,
                    players=fact.players,
                    shared_dice=fact.shared_dice,
                    open=True,
                )
            case WordsAdded():
                return msgspec.structs.replace(self, words=(*self.words, (fact.who, fact.words)))
            case SessionClosed():
                return msgspec.structs.replace(self, open=False)
        return self
