"""Sessions of shared dice, and pages that give links for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ledger.builtin import CommitChain
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.facts import ChainCommitted, Rolled, SessionOpened
from ledger.links import LinkAsked, link_before
from ledger.memory_store import MemoryStore
from ledger.records import Record, decode, with_format
from ledger.service import Ledger
from ledger.store import Store
from tests.ledger.coin import Purses
from tests.ledger.strategies import AT, LEDGER, SEED, create_ledger, flip

LINKS: Final = 20  # of a chain
FORGED_LINKS: Final[dict[str, tuple[int, tuple[int | str, ...], str, bool]]] = {
    "none": (5, (), "have no links, unlike the session", True),
    "too many": (5, (0, 0), "1 dice of flip have 2 links", True),
    "invented": (5, ("f" * 64,), "is not the next one of a chain", True),
    "used twice": (6, (0,), "is not the next one of a chain", True),
    "no hash": (6, ("odd",), "is not the next one of a chain", True),
    "one left out": (5, (1,), "is not the next one of a chain", False),
}  # position of a roll, its links (numbers: of the chain), what is wrong, whether it is found where takes are hidden

UNLIKE, NOT_NEXT, OTHER = "unlike the session", "is not the next one of a chain", "has another link than it can have"
FORGED_FIELDS: Final[dict[str, tuple[int, str, dict[str, Any], str]]] = {
    "shared dice": (3, "", {"shared_dice": msgspec.UNSET}, UNLIKE),
    "chain": (5, "", {"chain": "f" * 64}, NOT_NEXT),
    "owner": (5, "", {"who": "Cem"}, NOT_NEXT),
    "length": (5, "", {"length": 1}, NOT_NEXT),
    "link of a die that had another": (9, "flip", {"links": ("f" * 64,)}, OTHER),
    "no link of a die that had one": (9, "flip", {"links": ("",)}, OTHER),
    "link of somebody who gave none": (9, "flip again", {"links": ("f" * 64,)}, NOT_NEXT),
    "link of a typed die": (10, "flip", {"source": "table"}, UNLIKE),
    "link of a die after the reveal": (10, "flip", {"source": "revealed", "links": ("f" * 64,)}, OTHER),
    "purpose": (6, "flip", {"purpose": "flop"}, NOT_NEXT),  # the second take has new dice with a link that was used
}  # position and purpose of a fact, what is other in it, what is wrong then


class Page:
    """A player's page: it has a chain, and gives the link before the one that is asked for."""

    def __init__(
        self,
        who: str,
        ledger: str = LEDGER,
        session: int = 1,
        *,
        secret: str = "a",
        last_link: str = "",
        length: int = LINKS,
    ) -> None:
        """`last_link`: the one that is given last; by default it is made of `secret`."""
        self.who, self.asked = who, list[LinkAsked]()
        self.chain = [last_link or fixed_seed(f"{who} {secret}").hex()]
        for _ in range(length):
            self.chain.append(link_before(ledger, session, self.chain[-1], who))
        self.commits = CommitChain(by=who, chain=self.chain[-1], length=length)

    def next_link(self, asked: LinkAsked) -> str:
        self.asked.append(asked)
        return self.before(asked.chains.get(self.who, ""))

    def before(self, last: str) -> str:
        """Return the link that is given after this one; empty if it is none of the chain."""
        return self.chain[self.chain.index(last) - 1] if last in self.chain else ""


def shared_ledger(*pages: Page, store: Store | None = None) -> Ledger[Purses]:
    """Return a ledger with an open session of shared dice, to which these pages commit; the last one answers."""
    ledger = create_ledger(store, opened=False)
    ledger.open_session("one", at=AT, seed=SEED, shared_dice=True)
    for page in pages:
        ledger.declare(page.commits, at=AT)
        ledger.links = page
    return ledger


def played_shared(store: Store) -> None:
    """Play a session of shared dice: with links, without, and with one that a die keeps."""
    ledger = shared_ledger(Page("Ana"), Page("Bo"), store=store)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    flip(ledger, again=True)
    ledger.links = None
    flip(ledger)
    ledger.close_session(at=AT)


def forged_fields(name: str) -> list[Record]:
    """Return the takes of a played session of shared dice, with a forged field."""
    position, purpose, fields, _ = FORGED_FIELDS[name]
    store = MemoryStore()
    played_shared(store)
    takes = [decode(stored) for stored in store.read()]
    forged = takes[position - 1]
    facts = tuple(
        msgspec.structs.replace(fact, **fields) if has_fields(fact, purpose, fields) else fact for fact in forged.facts
    )
    assert facts != forged.facts
    takes[position - 1] = with_format(msgspec.structs.replace(forged, facts=facts))
    return takes


def has_fields(fact: Any, purpose: str, fields: Mapping[str, Any]) -> bool:
    """Return whether a fact has these fields and, if one is named, this purpose."""
    is_it = isinstance(fact, Rolled) if purpose else isinstance(fact, SessionOpened | ChainCommitted)
    return is_it and getattr(fact, "purpose", "") == purpose and all(hasattr(fact, name) for name in fields)


def forged_takes(name: str) -> list[Record]:
    """Return the takes of a ledger of shared dice up to the one whose links are forged, with these."""
    position, links, _, _ = FORGED_LINKS[name]
    ana = Page("Ana")
    ledger = shared_ledger(ana)
    if name == "no hash":  # a page that lies has committed to it
        ledger.declare(CommitChain(by="Ana", chain=link_before(LEDGER, 1, "odd", "Ana"), length=1), at=AT)
    flip(ledger)
    flip(ledger)
    *takes, forged = [decode(stored) for stored in ledger.store.read()][:position]
    wanted = tuple(ana.chain[-2 - link] if isinstance(link, int) else link for link in links) or msgspec.UNSET
    facts = tuple(
        msgspec.structs.replace(fact, links=wanted) if isinstance(fact, Rolled) else fact for fact in forged.facts
    )
    return [*takes, msgspec.structs.replace(forged, facts=facts, v=4 if links else 3)]
