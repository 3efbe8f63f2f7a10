"""Links for shared dice, which the pages of the players give: a page is asked by an event, and answers by a request.

The page of the player is asked whose being throws, then those of the others, one after the other: a page that is not
asked shows nothing. One that does not answer in time is asked last until something comes from it again.

A link that was given is used for its throw, also where the line is decided again. As long as no entry has it, the links
of other pages are taken first for other throws.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

import msgspec

from ledger.facts import VISIBLE
from ledger.links import ALONE, LinkAsked
from ledger.names import name_key

PAGE_SECONDS: Final = 1.0  # in which a page answers
ALL_SECONDS: Final = 2.5  # in which one of them does


class LinkWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is asked: the link that is given after the last one of its chain, and for what.

    `purpose` is empty, and `throw` 0, where the players may not know it.
    """

    id: str
    session: int
    last: str
    purpose: str
    throw: int


class GivenLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer of a page: the link, for what was asked by this id."""

    id: str
    link: str


class LinkTaken(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a link: it is `taken`, came `too late`, so that another page was asked, or is `wrong`."""

    status: str


class WaitingLink(msgspec.Struct, frozen=True):
    """A link that is awaited of a player's page."""

    who: str
    asked: LinkAsked
    link: Future[str]


class GivenFor(msgspec.Struct, frozen=True):
    """A link that a player's page gave, and for what."""

    asked: LinkAsked
    link: str

    def is_next(self, who: str, asked: LinkAsked) -> bool:
        """Return whether it is the next one of the player's chain as it is asked for now: no entry has it yet."""
        return asked.session == self.asked.session and asked.chains.get(who) == self.asked.chains[who]

    def is_for(self, who: str, asked: LinkAsked) -> bool:
        """Return whether it was given for the throw that is asked for now, and no entry has it yet."""
        is_same = (asked.purpose, asked.throw, asked.seen) == (self.asked.purpose, self.asked.throw, self.asked.seen)
        return is_same and self.is_next(who, asked)


class PageLinks:
    """Asks pages for links. It is asked in the thread that decides, and answered in that of the server."""

    def __init__(
        self,
        send: Callable[[str, LinkWanted], None],
        seconds: float = PAGE_SECONDS,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[Future[str], float], str] = Future.result,
    ) -> None:
        """Make what asks pages.

        Args:
            send: asks the pages of a player, in the thread of the server.
            seconds: how long a page is awaited.
            clock: returns the seconds of a clock that only goes forward.
            wait: returns what a future holds within so many seconds; it raises TimeoutError if that is nothing.
        """
        self._send, self._seconds = send, seconds
        self._clock, self._wait = clock, wait
        self._waiting: dict[str, WaitingLink] = {}
        self._given: dict[str, GivenFor] = {}  # the last link of each player
        self._turns: list[str] = []  # players, by when they were asked last
        self._slow = set[str]()
        self.player_of: Callable[[str], str] = lambda being: being

    def next_link(self, asked: LinkAsked) -> str:
        """Return the next link of one of the chains that are asked; empty if no page gives one in time."""
        return self.link_for(self.player_of(asked.by), asked)

    def link_for(self, player: str, asked: LinkAsked) -> str:
        """Return the next link for a throw of a player; empty if no page gives one in time."""
        roller, end = name_key(player), self._clock() + ALL_SECONDS
        given = dict(self._given)  # another thread may ask meanwhile
        if known := next((each.link for who, each in given.items() if each.is_for(who, asked)), ""):
            return known
        promised = {who for who, each in given.items() if each.is_next(who, asked)}

        def order(who: str) -> tuple[bool, bool, bool, int]:
            return who in self._slow, who in promised, name_key(who) != roller, self._turn(who)

        for who in sorted(asked.chains, key=order):
            seconds = min(self._seconds, end - self._clock())
            if seconds > 0 and (link := self._ask(who, asked, seconds)):
                return link
        return ALONE

    def _turn(self, who: str) -> int:
        """Return the place of a player among those who were asked: who was asked last comes last."""
        return self._turns.index(who) if who in self._turns else -1

    def _ask(self, who: str, asked: LinkAsked, seconds: float) -> str:
        """Return the link that the page of a player gives; empty if it gives none in time."""
        id, waiting = secrets.token_urlsafe(12), WaitingLink(who, asked, Future())
        is_open = asked.seen == VISIBLE
        wanted = LinkWanted(
            id=id,
            session=asked.session,
            last=asked.chains[who],
            purpose=asked.purpose if is_open else "",
            throw=asked.throw if is_open else 0,
        )
        self._turns = [*(other for other in self._turns if other != who), who]
        self._waiting[id] = waiting
        self._send(who, wanted)
        try:
            link = self._wait(waiting.link, seconds)
        except TimeoutError:
            self._slow.add(who)
            return ALONE
        finally:
            del self._waiting[id]
        if link:
            self._given[who] = GivenFor(asked, link)
        return link

    def pass_over(self, id: str) -> None:
        """Ask another page: nobody listens with the link of this player."""
        waiting = self._waiting.get(id)
        if waiting is not None and not waiting.link.done():
            waiting.link.set_result(ALONE)

    def give(self, who: str, given: GivenLink) -> LinkTaken:
        """Take the link that a player's page gives. One that is not the next of their chain is as good as none."""
        self.hear(who)
        waiting = self._waiting.get(given.id)
        if waiting is None or name_key(waiting.who) != name_key(who) or waiting.link.done():
            return LinkTaken(status="too late")
        is_next = waiting.asked.is_next(waiting.who, given.link)
        waiting.link.set_result(given.link if is_next else ALONE)
        return LinkTaken(status="taken" if is_next else "wrong")

    def hear(self, who: str) -> None:
        """Note that something came from a player's page: it is awaited again."""
        self._slow = {other for other in self._slow if name_key(other) != name_key(who)}
