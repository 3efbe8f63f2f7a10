"""Shared dice: a die is keyed with the seed, which the game master has, and with a link that a player's page has.

A page makes a chain of links from a secret of its own, and commits to it while the session is open:

    the link before = SHA-256("campaign-ledger link v1", ledger id, session, link, who)

Links are given from the end of the chain on: the first one hashes to what the page committed to, each later one to the
link before it. So nobody can choose a link, and nobody knows a face before both the seed and the link are there.

The new dice of a take have one link, the next one of any chain. A die keeps its link: whenever the same die of the same
throw is drawn in its session again, it has the same face. Dice for which no page gives a link rest on the seed alone,
and their link is empty. So do those that a correction draws after the seed was revealed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

import msgspec

from ledger.dice import FROM_SEED, DieKey, LinkOf, join_lines
from ledger.facts import BaseFact, ChainCommitted, Rolled, SessionOpened
from ledger.records import BY_POSITION, Record
from ledger.session import SessionState
from ledger.store import ReadableStore

ALONE: Final = ""  # the link of a die that rests on the seed alone
LINKS_MOST: Final = 10_000  # of one chain
OF_LINKS: Final[frozenset[type[BaseFact]]] = frozenset({SessionOpened, ChainCommitted, Rolled})


def link_before(ledger: str, session: int, link: str, who: str) -> str:
    """Return the link that is given before this one of a chain; for the first one what its owner commits to."""
    return hashlib.sha256(join_lines("campaign-ledger link v1", ledger, str(session), link, who)).hexdigest()


def is_link(text: str) -> bool:
    """Return whether a text can be a link: 64 hex digits."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


class LinkAsked(msgspec.Struct, frozen=True):
    """A link that is asked for, for the new dice of an entry.

    Attributes:
        ledger: its id.
        session: the number of the session.
        by: who declares the entry.
        purpose: what the first of the dice are thrown for.
        throw: the number of the throw.
        seen: the audience of the entry: if it is not the table, the purpose is not for players.
        chains: who has a chain, with the last link of it that was given, or what they committed to.
    """

    ledger: str
    session: int
    by: str
    purpose: str
    throw: int
    seen: str
    chains: Mapping[str, str]

    def is_next(self, who: str, link: str) -> bool:
        """Return whether a link is the next one of somebody's chain."""
        return is_link(link) and link_before(self.ledger, self.session, link, who) == self.chains.get(who)


class LinkSource(Protocol):
    """Who gives links: the pages of the players."""

    def next_link(self, asked: LinkAsked) -> str:
        """Return the next link of one of the chains that are asked; empty if nobody gives one in time."""


class Chain(msgspec.Struct):
    """A chain: its last link that was given, or what it begins with, and how many are left."""

    last: str
    left: int


class SharedDice:
    """The chains and the links of the dice of one session, as far as its takes were added in order of writing."""

    def __init__(self, ledger: str, session: int, *, gaps: bool = False) -> None:
        """`gaps`: some takes are hidden from the reader, with links in them."""
        self.ledger, self.session, self.gaps = ledger, session, gaps
        self.chains: dict[str, Chain] = {}  # by whose they are
        self.links: dict[DieKey, str] = {}  # of all dice that were drawn
        self.is_shared = False
        self._used = set[str]()

    def add(self, facts: Iterable[object]) -> list[str]:
        """Take in the facts of a take. Return what is wrong with its links."""
        new, problems = dict[DieKey, str](), list[str]()
        for fact in facts:
            if type(fact) not in OF_LINKS:
                continue
            if type(fact) is Rolled:
                if self.is_shared or self.links or fact.links is not msgspec.UNSET:
                    problems += self._roll_problems(fact)
                    new |= self._new_dice(fact)
            elif type(fact) is SessionOpened:
                self.is_shared = fact.shared_dice is True
            elif type(fact) is ChainCommitted:
                self.chains[fact.who] = Chain(fact.chain, fact.length)
        if not new:
            return problems
        if len({*new.values()}) > 1:
            problems.append("its new dice have several links")
        for link in dict.fromkeys(new.values()):
            if link != ALONE and not self._move_on(link):
                problems.append(f"the link {link} is not the next one of a chain")
        self.links |= new
        return problems

    def continues(self, link: str) -> bool:
        """Return whether a link is the next one of a chain."""
        return is_link(link) and link not in self._used and self._owner(link) is not None

    def _owner(self, link: str) -> tuple[str, int] | None:
        """Return of whose chain a link is, and how many links it moves on; None if it is of none."""
        for who, chain in self.chains.items():
            earlier = link
            for steps in range(1, (chain.left if self.gaps else min(chain.left, 1)) + 1):
                earlier = link_before(self.ledger, self.session, earlier, who)
                if earlier == chain.last:
                    return who, steps
        return None

    def _move_on(self, link: str) -> bool:
        """Move the chain of a new link on to it; return whether it is the next one of one."""
        owner = self._owner(link) if is_link(link) and link not in self._used else None
        if owner is None:
            return False
        who, steps = owner
        self.chains[who] = Chain(link, self.chains[who].left - steps)
        self._used.add(link)
        return True

    def _roll_problems(self, roll: Rolled) -> Iterator[str]:
        """Check that a roll has as many links as it should, and that dice drawn before keep theirs."""
        is_drawn, links = roll.source in FROM_SEED, roll.links
        if (links is not msgspec.UNSET) != (is_drawn and self.is_shared):
            yield f"the dice of {roll.purpose} have {'links' if links else 'no links'}, unlike the session"
        elif links and len(links) not in (1, len(roll.dice)):
            yield f"{len(roll.dice)} dice of {roll.purpose} have {len(links)} links"
        for die, link in dice_of(roll) if is_drawn else ():
            known = self.links.get(die)
            if link != (known or ALONE) and (known is not None or roll.source == "revealed"):
                yield f"a die of {roll.purpose} has another link than it can have"

    def _new_dice(self, roll: Rolled) -> Iterator[tuple[DieKey, str]]:
        """Yield the dice of a roll that were not drawn before, with their links."""
        if self.is_shared and roll.source in FROM_SEED:
            yield from ((die, link) for die, link in dice_of(roll) if die not in self.links)


def dice_of(roll: Rolled) -> Iterator[tuple[DieKey, str]]:
    """Yield each die of a roll with its link."""
    for place, die in enumerate(roll.dice):
        yield (roll.purpose, roll.throw, die.ordinal, die.sides), roll.link_of(place)


def links_of(facts: Iterable[Any]) -> dict[DieKey, str]:
    """Return the links of all shared dice among these facts."""
    rolls = (fact for fact in facts if type(fact) is Rolled and fact.links is not msgspec.UNSET)
    return {die: link for roll in rolls for die, link in dice_of(roll)}


def recorded_links(roll: Rolled, throw: int, links: Mapping[DieKey, str] | None) -> tuple[str, ...] | msgspec.UnsetType:
    """Return the links of a roll as they are recorded: one if all of its dice have the same."""
    if links is None:
        return msgspec.UNSET
    each = tuple([links.get((roll.purpose, throw, die.ordinal, die.sides), ALONE) for die in roll.dice])
    return each[:1] if len({*each}) == 1 else each


def link_problems(takes: Iterable[Record], ledger: str, *, gaps: bool = False) -> Iterator[tuple[Record, str]]:
    """Yield each take of a session that has wrong links, with what is wrong. `takes` come in any order."""
    shared: SharedDice | None = None
    for take in sorted(takes, key=BY_POSITION):
        if take.has_any(OF_LINKS):
            shared = shared or SharedDice(ledger, take.session, gaps=gaps)
            yield from ((take, what) for what in shared.add(take.facts))


class LineLinks:
    """The links for the dice of one line: of those that its session has drawn before, and of new ones."""

    def __init__(self, store: ReadableStore, session: SessionState, source: LinkSource | None) -> None:
        """`source` gives new links; without one all new dice rest on the seed alone."""
        self._store, self._session, self._source = store, session, source
        self._shared: SharedDice | None = None  # read when the first die is thrown
        self._new: str | None = None  # the link of the new dice of the entry that is decided

    def link_of(self, by: str, seen: str) -> LinkOf | None:
        """Return what gives the links of an entry, which somebody declares; None if the dice are not shared."""
        if self._session.shared_dice is not True:
            return None

        def link(die: DieKey) -> str:
            shared = self._read()
            if die in shared.links:
                return shared.links[die]
            if self._new is None:
                self._new = self._ask(shared, by, seen, die)
            return self._new

        return link

    def add(self, facts: Iterable[object]) -> None:
        """Take in the facts of an entry of the line: its new link is used."""
        if self._shared is not None:
            self._shared.add(facts)
            self._new = None

    def _read(self) -> SharedDice:
        """Return the chains and links of the session."""
        if self._shared is None:
            self._shared = stored_links(self._store, self._session)
        return self._shared

    def _ask(self, shared: SharedDice, by: str, seen: str, die: DieKey) -> str:
        """Return the next link of a chain; empty if nobody gives one that is right."""
        chains = {who: chain.last for who, chain in shared.chains.items() if chain.left > 0}
        if self._source is None or not chains:
            return ALONE
        purpose, throw, *_ = die
        asked = LinkAsked(self._session.ledger, self._session.number, by, purpose, throw, seen, chains)
        link = self._source.next_link(asked)
        return link if shared.continues(link) else ALONE


def stored_links(store: ReadableStore, session: SessionState) -> SharedDice:
    """Return the chains and links of a session of a ledger."""
    shared = SharedDice(session.ledger, session.number)
    for take in store.extracts(OF_LINKS, session=session.number):
        shared.add(take.facts)
    return shared
