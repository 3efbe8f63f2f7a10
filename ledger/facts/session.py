"""The campaign and its sessions, and the declaration at the head of every entry."""

import msgspec

from ledger.facts.base import BaseFact, Claims, Hides, Whole


class CampaignCreated(BaseFact, frozen=True, kw_only=True, tag="campaign-created", gc=False):
    """A campaign was created. `ledger` is its permanent id: 32 hex digits, part of every hash of dice.

    `revision` is that of the rules, which holds until a session is opened.
    """

    hides = Hides(open="ledger name game rulebook revision")

    ledger: str
    name: str
    game: str
    rulebook: str
    revision: Whole = 1


class Declared(BaseFact, frozen=True, kw_only=True, tag="declared", gc=False):
    """The first fact of every entry: the declaration, as JSON and as typed, and the faces typed in and used.

    `claims` are the outcome as the players expect it: pairs of a name and its value. `implied_by` is the entry whose
    declaration implies this one, a pass. `line_start` is the first entry of a line that several say. `cut_short`: the
    line ends here, because somebody who was to say it too was refused after dice had been thrown for others.
    """

    hides = Hides(open="by implied_by line_start cut_short", part="said line faces claims")

    by: str
    said: msgspec.Raw
    line: str
    faces: tuple[Whole, ...] | None
    claims: Claims = ()
    implied_by: str | msgspec.UnsetType = msgspec.UNSET
    line_start: str | msgspec.UnsetType = msgspec.UNSET
    cut_short: bool | msgspec.UnsetType = msgspec.UNSET


class SessionOpened(BaseFact, frozen=True, kw_only=True, tag="session-opened", gc=False):
    """A session was opened with a commitment to its seed. `fixed`: the seed was given, so it is not secret.

    `revision` is that of the rules: the session is decided by them, also when it is replayed or corrected later.
    `players` are those who may add words to the key, if they were listed. `shared_dice`: the dice rest on links of the
    players' pages too.
    """

    hides = Hides(open="number title rulebook revision commitment fixed players shared_dice")

    number: Whole
    title: str
    rulebook: str
    revision: Whole = 1
    commitment: str
    fixed: bool
    players: tuple[str, ...] = ()
    shared_dice: bool | msgspec.UnsetType = msgspec.UNSET


class WordsAdded(BaseFact, frozen=True, kw_only=True, tag="words-added", gc=False):
    """A player's words were added to the dice key, before the first die of the session."""

    hides = Hides(open="who words")

    who: str
    words: str


class ChainCommitted(BaseFact, frozen=True, kw_only=True, tag="chain-committed", gc=False):
    """A player's page committed to a chain of links for shared dice: `chain` is the hash of the first one."""

    hides = Hides(open="who chain length")

    who: str
    chain: str
    length: Whole


class SessionClosed(BaseFact, frozen=True, kw_only=True, tag="session-closed", gc=False):
    """A session was closed and its seed (64 hex digits) revealed."""

    hides = Hides(open="seed")

    seed: str
