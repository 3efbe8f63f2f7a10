"""What every game has, decided here: founding, sessions, words, telling, claims, corrections.

A session is an evening. Opening it is entry `N.0` and fixes its seed by a commitment; players' words may be
added until the first seeded face; closing it reveals the seed. Entries after the close number on (`N.43`), those
before the first session are `0.1`, `0.2`, ...; neither can draw dice from a seed.

`Sitting` is the ground's own fold: which ledger, which session, open or not, its words, whether dice were drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Final, Literal

import msgspec

from ledger.declarations import Declaration, Ruling, syntax
from ledger.dice import commitment
from ledger.errors import Refused
from ledger.facts import (
    ActionSpent,
    Amended,
    CampaignCreated,
    Claimed,
    Claims,
    ConditionBegan,
    EncounterEnded,
    Fact,
    Judged,
    OptionSet,
    Rolled,
    Scalar,
    SessionClosed,
    SessionOpened,
    Told,
    WordsAdded,
)
from ledger.names import name_key
from ledger.projection import Value

SEED_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)


class CreateCampaign(Declaration, frozen=True, kw_only=True, tag="create-campaign"):
    """A campaign begins: the first record of every ledger."""

    ledger: str
    name: str
    game: str
    rulebook: str


class OpenSession(Declaration, frozen=True, kw_only=True, tag="open-session"):
    """An evening begins, with the commitment to a seed that lies outside the ledger."""

    number: int
    title: str
    rulebook: str
    commitment: str
    fixed: bool


class AddWords(Declaration, frozen=True, kw_only=True, tag="words"):
    """A player adds words to the key of the dice: `ana words "brass kettle"`."""

    verbs: ClassVar[tuple[str, ...]] = ("words",)
    by_anyone: ClassVar[bool] = True

    words: Annotated[str, syntax()]


class CloseSession(Declaration, frozen=True, kw_only=True, tag="close-session"):
    """The evening ends and its seed is revealed, unless it is lost: then its faces stay unproved for ever."""

    seed: str
    lost: bool = False


class Tell(Declaration, frozen=True, kw_only=True, tag="tell"):
    """A scene, fiction, a quote or a deed, for the recap."""

    kind: Literal["scene", "fiction", "quote", "deed"]
    who: str
    text: str
    seen: str = "table"


class Claim(Declaration, frozen=True, kw_only=True, tag="claim"):
    """The table reads values of a sheet aloud; they are compared and set nothing."""

    values: tuple[tuple[str, Scalar], ...]


class Correct(Declaration, frozen=True, kw_only=True, tag="correct"):
    """What was said earlier is taken back, amended, put in or left out; or only noted, or made good.

    `edits` names the take of each entry that is corrected (`1.4@1`; a new entry without a take) and its outcome, as
    in `Amended`. What was said instead stands in the new takes.
    """

    edits: tuple[tuple[str, str], ...]
    because: str = ""
    agreed: tuple[str, ...] = ()


class SetCorrectionPolicy(Declaration, frozen=True, kw_only=True, tag="correction-policy"):
    """How the table settles an error, by how old it is: `! corrections same_session stand "we never look back"`."""

    verbs: ClassVar[tuple[str, ...]] = ("corrections",)
    aside: ClassVar[bool] = True

    when: Annotated[Literal["same_round", "same_session", "earlier_session"], syntax(word=True)]
    outcome: Annotated[Literal["retcon", "stand", "compensate", "ask"], syntax(word=True)]
    reason: str
    agreed: tuple[str, ...] = ()


BUILTIN: tuple[type[Declaration], ...] = (
    CreateCampaign,
    OpenSession,
    AddWords,
    CloseSession,
    Tell,
    Claim,
    Ruling,
    Correct,
    SetCorrectionPolicy,
)
BUILTIN_WITH_VERBS: Final[tuple[type[Declaration], ...]] = (
    AddWords,
    Ruling,
    SetCorrectionPolicy,
)  # those that a line says with a verb
CORRECTION_POLICIES: Final[Mapping[str, str]] = {
    "same_round": "retcon",
    "same_session": "ask",
    "earlier_session": "compensate",
}


OUTCOME_PREFIX: Final = "outcome."  # a claim about a result, not about a value
TARGET, LEFT, OVER = "target", "left", "over"  # what is claimed of a number to reach, of actions, of an encounter
YES: Final = "yes"  # what is claimed of a result without a number
POLICY_PREFIX: Final = "corrections."  # the name of such an option begins so
SESSION_FACTS: Final = frozenset(
    {CampaignCreated, SessionOpened, WordsAdded, Rolled, SessionClosed}
)  # the facts that move it


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """The ground's own state: the ledger's id, the session at hand, and what its dice are made of."""

    ledger: str = ""
    name: str = ""
    game: str = ""
    number: int = 0
    title: str = ""
    rulebook: str = ""
    commitment: str = ""
    fixed: bool = False
    open: bool = False
    words: tuple[tuple[str, str], ...] = ()
    drawn: bool = False

    def after(self, fact: Fact) -> SessionState:
        """The sitting once `fact` has happened."""
        match fact:
            case CampaignCreated():
                return SessionState(ledger=fact.ledger, name=fact.name, game=fact.game, rulebook=fact.rulebook)
            case SessionOpened():
                return SessionState(
                    ledger=self.ledger,
                    name=self.name,
                    game=self.game,
                    number=fact.number,
                    title=fact.title,
                    rulebook=fact.rulebook,
                    commitment=fact.commitment,
                    fixed=fact.fixed,
                    open=True,
                )
            case WordsAdded():
                return msgspec.structs.replace(self, words=(*self.words, (fact.who, fact.words)))
            case Rolled() if fact.source == "seed" and not self.drawn:
                return msgspec.structs.replace(self, drawn=True)
            case SessionClosed():
                return msgspec.structs.replace(self, open=False)
        return self


def decide_builtin(
    said: Declaration, session: SessionState, values: Callable[[], Mapping[str, Value]]
) -> Iterator[Fact]:
    """What follows from a declaration that every game has. Raises Refused with a code of the ground (`L-...`)."""
    match said:
        case CreateCampaign():
            if session.ledger:
                raise Refused("L-FOUNDED", f"this is '{session.name}' already", hint="Found another in its own folder.")
            yield CampaignCreated(ledger=said.ledger, name=said.name, game=said.game, rulebook=said.rulebook)
        case OpenSession():
            yield from _open_session(said, session)
        case AddWords():
            yield from _add_words(said, session)
        case CloseSession():
            yield from _close_session(said, session)
        case Tell():
            yield Told(kind=said.kind, by=said.who, text=said.text, seen=said.seen)
        case Claim():
            actual = values()
            for value, claimed in said.values:
                yield Claimed(value=value, claimed=claimed, actual=actual.get(value))
        case Correct():
            for entry, outcome in said.edits:
                yield Amended(entry=entry, outcome=outcome, because=said.because, agreed=said.agreed)
        case SetCorrectionPolicy():
            was = correction_policy(said.when, values())
            yield OptionSet(
                name=f"{POLICY_PREFIX}{said.when}", was=was, now=said.outcome, because=said.reason, agreed=said.agreed
            )


def correction_policy(when: str, values: Mapping[str, Value]) -> str:
    """How the table settles an error of this age: retcon, stand, compensate, or ask each time."""
    return str(values.get(f"option.{POLICY_PREFIX}{when}", CORRECTION_POLICIES[when]))


def compare_claims(claims: Claims, facts: Sequence[Fact], values: Callable[[], Mapping[str, Value]]) -> Iterator[Fact]:
    """What is claimed of an outcome beside what it is: values by their names, and results as `outcome.hit`.

    A result that is claimed with a number is compared with the total that was judged so, else with `yes` and `no`.
    """
    actual = values()
    for name, claimed in claims:
        if name.startswith(OUTCOME_PREFIX):
            found: Scalar | None = _actual_outcome(name.removeprefix(OUTCOME_PREFIX), claimed, facts)
        else:
            found = actual.get(name)
        yield Claimed(value=name, claimed=claimed, actual=found)


def _actual_outcome(word: str, claimed: Scalar, facts: Sequence[Fact]) -> Scalar | None:
    """What came of this word: of several numbers the one that is as claimed, else the first."""
    came, numbers = False, list[int]()
    for fact in facts:
        found = list(_matches(word, fact))
        came = came or bool(found)
        numbers += [number for number in found if number is not None]
    if isinstance(claimed, str):
        return YES if came else "no"
    return claimed if claimed in numbers else next(iter(numbers), None)


def _matches(word: str, fact: Fact) -> Iterator[int | None]:
    """What a fact says of a word, with its number if it has one: a result by its words, what was judged, a sum of it,
    its target; a condition that began; actions left; that the encounter is over.
    """
    match fact:
        case Judged():
            if word == name_key(fact.what) or word in name_key(fact.result).split("-"):
                yield fact.total
                yield fact.margin
            yield from (found.total for found in fact.sums if name_key(found.name) == word)
            if word == TARGET and fact.target is not None:
                yield fact.target
        case ConditionBegan() if name_key(fact.name) == word:
            yield fact.degree
        case ActionSpent() if word == LEFT:
            yield fact.left
        case EncounterEnded() if word == OVER:
            yield None


def _open_session(said: OpenSession, sitting: SessionState) -> Iterator[Fact]:
    """One evening at a time."""
    if sitting.open:
        raise Refused("L-OPEN", f"session {sitting.number} is still open", hint="Close it first: campaign close.")
    if said.number != sitting.number + 1:
        raise Refused(
            "L-OPEN", f"session {said.number} was opened by somebody else", hint="Look at the log, try again."
        )
    yield SessionOpened(
        number=said.number,
        title=said.title,
        rulebook=said.rulebook,
        commitment=said.commitment,
        fixed=said.fixed,
    )


def _add_words(said: AddWords, sitting: SessionState) -> Iterator[Fact]:
    """Words count only while nobody has seen a die: whoever adds them cannot know what they do."""
    if not sitting.open:
        raise Refused("L-CLOSED", "no session is open", hint="Open one: campaign open.")
    if sitting.drawn:
        raise Refused("L-WORDS", "dice have been drawn in this session", hint="Add words right after the opening.")
    if not said.words:
        raise Refused("L-WORDS", "there are no words", hint='Say some: ana words "brass kettle".')
    if said.by in {who for who, _ in sitting.words}:
        raise Refused("L-WORDS", f"{said.by} has added words already", hint="Once for each player and session.")
    yield WordsAdded(who=said.by, words=said.words)


def _close_session(said: CloseSession, sitting: SessionState) -> Iterator[Fact]:
    """The seed that is revealed must be the one that was committed to."""
    if not sitting.open:
        raise Refused("L-CLOSED", "no session is open", hint="There is nothing to close.")
    if said.lost:
        yield SessionClosed(seed="")
        return
    if not SEED_PATTERN.fullmatch(said.seed) or (
        commitment(sitting.ledger, sitting.number, bytes.fromhex(said.seed)) != sitting.commitment
    ):
        raise Refused(
            "L-SEED",
            f"this is not the seed that session {sitting.number} committed to",
            hint="Put the right seed file back beside the ledger.",
        )
    yield SessionClosed(seed=said.seed)


def is_closing(said: Declaration) -> bool:
    """Whether the game has to bring things to their end before this is decided."""
    return isinstance(said, CloseSession)
