"""What stands behind the faces of a session: a revealed seed with the words of players, or less than that.

A seed that is lost proves no face. A fixed seed was known beforehand. Without words of a player the game master alone
chose the seed, and so the dice. A face that a correction drew after the seed was revealed could be known to its writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from ledger.errors import Unreadable
from ledger.extracts import Kinds
from ledger.facts import GM, Rolled, SessionClosed, SessionOpened, WordsAdded
from ledger.links import ALONE, dice_of
from ledger.records import Record
from ledger.store import ReadableStore
from ledger.throws import shared_throws, taken_back

Origin = Literal["seed", "unmixed", "fixed", "sealed", "unproved", "revealed", "table"]

PROOF_KINDS: Final[Kinds] = frozenset({SessionOpened, WordsAdded, SessionClosed})
WITH_FACES: Final[Kinds] = frozenset({*PROOF_KINDS, Rolled})


class SessionProof(msgspec.Struct, frozen=True, kw_only=True):
    """What proves the faces of one session, and how many it has.

    Args:
        session: its number.
        open: whether it goes on: its seed is still secret.
        lost: whether it was closed without its seed.
        fixed: whether the seed was given (`open --seed`).
        speakers: who added words, in this order.
        faces: the faces of its seed, as far as they were counted.
        later: those of them that were drawn after the seed was revealed.
        taken_back: the throws whose dice were seen and that do not count, as far as they were counted.
        shared: the throws that several entries which count have, since a correction has brought one back.
        linked: the faces that rest on links of players' pages too; None if the dice are not shared.
    """

    session: int
    open: bool = True
    lost: bool = False
    fixed: bool = False
    speakers: tuple[str, ...] = ()
    faces: int = 0
    later: int = 0
    taken_back: int = 0
    shared: int = 0
    linked: int | None = None

    def after(self, fact: object) -> SessionProof:
        """Return what is known after one more fact of the session."""
        match fact:
            case SessionOpened():
                return msgspec.structs.replace(self, fixed=fact.fixed, linked=0 if fact.shared_dice else None)
            case WordsAdded():
                return msgspec.structs.replace(self, speakers=(*self.speakers, fact.who))
            case SessionClosed():
                return msgspec.structs.replace(self, open=False, lost=not fact.seed)
            case Rolled() if fact.source == "seed":
                linked = None if self.linked is None else self.linked + sum(link != ALONE for _, link in dice_of(fact))
                return msgspec.structs.replace(self, faces=self.faces + len(fact.dice), linked=linked)
            case Rolled() if fact.source == "revealed":
                dice = len(fact.dice)
                return msgspec.structs.replace(self, faces=self.faces + dice, later=self.later + dice)
        return self

    @property
    def has_words(self) -> bool:
        """Whether a player added words."""
        return any(who != GM for who in self.speakers)

    @property
    def alone(self) -> int:
        """How many faces rest on the seed alone, although the dice are shared."""
        return 0 if self.linked is None else self.faces - self.later - self.linked

    @property
    def of_seed(self) -> Origin:
        """Where the faces of its seed come from, as far as it can be shown."""
        if self.lost:
            return "unproved"
        if self.fixed:
            return "fixed"
        if self.open:
            return "sealed"
        return "seed" if self.has_words or self.linked is not None else "unmixed"


Proofs = Mapping[int, SessionProof]


def session_proofs(facts: Iterable[tuple[int, object]]) -> dict[int, SessionProof]:
    """Return what proves the faces of each session; `facts` are those that count, each with its session."""
    proofs: dict[int, SessionProof] = {}
    for session, fact in facts:
        if session and type(fact) in WITH_FACES:
            proofs[session] = proofs.get(session, SessionProof(session=session)).after(fact)
    return proofs


def proofs_of(records: Iterable[Record]) -> dict[int, SessionProof]:
    """Return what proves the faces of the sessions of these records, which count."""
    return session_proofs((record.session, fact) for record in records for fact in record.facts)


def stored_proofs(store: ReadableStore, session: int | None = None, *, count: bool = False) -> dict[int, SessionProof]:
    """Return what proves the faces of each session of a ledger, or of one; `count`: with their numbers."""
    takes = list(store.extracts(WITH_FACES if count else PROOF_KINDS, session=session))
    proofs = session_proofs((take.session, fact) for take in takes if take.counts for fact in take.facts)
    thrown = dict[int, list[tuple[Sequence[Any], bool]]]()
    for take in takes if count else ():
        thrown.setdefault(take.session, []).append((take.facts, take.counts))
    for number, of_session in thrown.items():
        back, shared = taken_back(of_session), shared_throws(facts for facts, counts in of_session if counts)
        if back or shared:
            proof = proofs.get(number, SessionProof(session=number))
            proofs[number] = msgspec.structs.replace(proof, taken_back=back, shared=shared)
    return proofs


def origin(proofs: Proofs, session: int, source: str) -> str:
    """Return where the faces of a roll in a session come from; `source` is what the roll itself says."""
    return proofs.get(session, SessionProof(session=session)).of_seed if source == "seed" else source


def parse_commitment(text: str) -> str:
    """Return a commitment as `open` prints it. Raises Unreadable for anything but 64 hex digits."""
    if re.fullmatch("[0-9a-fA-F]{64}", text.strip(), re.ASCII) is None:
        raise Unreadable(f"'{text}' is not a commitment", hint="It is the 64 hex digits that open printed.")
    return text.strip().lower()


def session_of_commitment(store: ReadableStore, commitment: str) -> int | None:
    """Return the number of the session that opened with a commitment; None if there is none."""
    for take in store.extracts(frozenset((SessionOpened,))):
        for fact in take.facts:
            if take.counts and isinstance(fact, SessionOpened) and fact.commitment == commitment:
                return fact.number
    return None
