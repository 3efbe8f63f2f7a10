"""The declarations that every game has, and the facts that they cause.

Rulings are decided by the game. To add a declaration: write its class, list it in `BUILTIN` (and in
`BUILTIN_WITH_VERBS` when a line begins with its verb), and decide it in `decide_builtin`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, ClassVar, Final, Literal

from msgspec import UNSET, UnsetType

from ledger import facts
from ledger.declarations import Declaration, GameMasterDeclaration, Ruling, syntax
from ledger.dice import commitment
from ledger.errors import Refused
from ledger.links import LINKS_MOST
from ledger.names import name_key, word_list
from ledger.projection import Value
from ledger.session import SessionState

SEED_PATTERN: Final = r"[0-9a-f]{64}"
POLICY_PREFIX: Final = "corrections."  # begins the name of an option that is a correction policy
CORRECTION_POLICIES: Final[Mapping[str, str]] = {
    "same_round": "retcon",
    "same_session": "ask",
    "earlier_session": "compensate",
}


class CreateCampaign(Declaration, frozen=True, kw_only=True, tag="create-campaign"):
    """Create a campaign: the first record of every ledger."""

    ledger: str
    name: str
    game: str
    rulebook: str
    revision: facts.Whole = 1


class OpenSession(Declaration, frozen=True, kw_only=True, tag="open-session"):
    """Begin a session, with the commitment to a seed that is kept outside the ledger."""

    number: int
    title: str
    rulebook: str
    revision: facts.Whole = 1
    commitment: str
    fixed: bool
    players: tuple[str, ...] = ()
    shared_dice: bool | UnsetType = UNSET


class AddWords(Declaration, frozen=True, kw_only=True, tag="words"):
    """Add a player's words to the key of the dice: `ana words "brass kettle"`."""

    verbs: ClassVar[tuple[str, ...]] = ("words",)
    by_anyone: ClassVar[bool] = True

    words: Annotated[str, syntax()]


class CommitChain(Declaration, frozen=True, kw_only=True, tag="commit-chain"):
    """Commit to a chain of links for shared dice, as a player's page does: `ana chain "3f9c..." 1000`."""

    verbs: ClassVar[tuple[str, ...]] = ("chain",)
    by_anyone: ClassVar[bool] = True

    chain: Annotated[str, syntax()]
    length: Annotated[facts.Whole, syntax(word=True)]


class CloseSession(Declaration, frozen=True, kw_only=True, tag="close-session"):
    """End a session and reveal its seed. Without the seed (`lost`) its faces can never be checked."""

    seed: str
    lost: bool = False


class Tell(Declaration, frozen=True, kw_only=True, tag="tell"):
    """Tell a scene, fiction, a quote or a deed, for the recap."""

    kind: Literal["scene", "fiction", "quote", "deed"]
    who: str
    text: str
    seen: str = "table"


class Claim(Declaration, frozen=True, kw_only=True, tag="claim"):
    """Read values of a sheet aloud. They are compared with the ledger and set nothing."""

    values: tuple[tuple[str, facts.Scalar], ...]


class Correct(Declaration, frozen=True, kw_only=True, tag="correct"):
    """Correct earlier entries: amend, insert, drop or undo them, or only note or compensate an error.

    `edits`: the take of each corrected entry (`1.4@1`; a new entry has no take) with its outcome, as in `Amended`.
    The corrected declarations are in the new takes.
    """

    edits: tuple[tuple[str, str], ...]
    because: str = ""
    agreed: tuple[str, ...] = ()


class Reveal(GameMasterDeclaration, frozen=True, kw_only=True, tag="reveal"):
    """Show the players from now on what was hidden in an entry, or the numbers of a being: `! reveal 1.4`."""

    verbs: ClassVar[tuple[str, ...]] = ("reveal",)

    entry: Annotated[str, syntax(entry=True)] = ""
    being: Annotated[str, syntax(being=True, word=True)] = ""


class SetCorrectionPolicy(GameMasterDeclaration, frozen=True, kw_only=True, tag="correction-policy"):
    """Choose how errors of an age are settled: `! corrections same_session stand "we never look back"`."""

    verbs: ClassVar[tuple[str, ...]] = ("corrections",)

    when: Annotated[Literal["same_round", "same_session", "earlier_session"], syntax(word=True)]
    outcome: Annotated[Literal["retcon", "stand", "compensate", "ask"], syntax(word=True)]
    reason: str
    agreed: tuple[str, ...] = ()


BUILTIN: Final[tuple[type[Declaration], ...]] = (
    CreateCampaign,
    OpenSession,
    AddWords,
    CommitChain,
    CloseSession,
    Tell,
    Claim,
    Ruling,
    Correct,
    SetCorrectionPolicy,
    Reveal,
)
BUILTIN_WITH_VERBS: Final[tuple[type[Declaration], ...]] = (AddWords, CommitChain, Ruling, SetCorrectionPolicy, Reveal)


@cache
def is_builtin(kind: type[Declaration]) -> bool:
    """Return whether declarations of a kind are decided alike in every game: mostly few kinds are asked for."""
    return issubclass(kind, BUILTIN)


def decide_builtin(
    said: Declaration, session: SessionState, values: Callable[[], Mapping[str, Value]]
) -> Iterator[facts.Fact]:
    """Yield the facts that a built-in declaration causes. Raises Refused with a code of the ledger (`L-...`)."""
    match said:
        case CreateCampaign():
            if session.ledger:
                raise Refused("L-CREATED", f"the campaign '{session.name}' is here", hint="Choose another folder.")
            yield facts.CampaignCreated(
                ledger=said.ledger, name=said.name, game=said.game, rulebook=said.rulebook, revision=said.revision
            )
        case OpenSession():
            yield _open_session(said, session)
        case AddWords():
            yield _add_words(said, session)
        case CommitChain():
            yield _commit_chain(said, session)
        case CloseSession():
            yield _close_session(said, session)
        case Tell():
            yield facts.Told(kind=said.kind, by=said.who, text=said.text, seen=said.seen)
        case Claim():
            actual = values()
            for value, claimed in said.values:
                yield facts.Claimed(value=value, claimed=claimed, actual=actual.get(value))
        case Correct():
            for entry, outcome in said.edits:
                yield facts.Amended(entry=entry, outcome=outcome, because=said.because, agreed=said.agreed)
        case Reveal():
            yield _reveal(said, session)
        case SetCorrectionPolicy():
            was = correction_policy(said.when, values())
            name = f"{POLICY_PREFIX}{said.when}"
            yield facts.OptionSet(name=name, was=was, now=said.outcome, because=said.reason, agreed=said.agreed)


def correction_policy(when: str, values: Mapping[str, Value]) -> str:
    """Return how an error of this age is settled: retcon, stand, compensate, or ask."""
    return str(values.get(f"option.{POLICY_PREFIX}{when}", CORRECTION_POLICIES[when]))


def words_too_late() -> Refused:
    """Return the refusal of words after a die was drawn: their speaker could compute what they change."""
    return Refused("L-WORDS", "dice have been drawn in this session", hint="Add words right after the opening.")


def _open_session(said: OpenSession, session: SessionState) -> facts.Fact:
    """Open the next session; only one is open at a time."""
    if session.open:
        raise Refused("L-OPEN", f"session {session.number} is still open", hint="Close it first: campaign close.")
    if said.number != session.number + 1:
        raise Refused(
            "L-OPEN", f"session {said.number} was opened by somebody else", hint="Look at the log and try again."
        )
    return facts.SessionOpened(
        number=said.number,
        title=said.title,
        rulebook=said.rulebook,
        revision=said.revision,
        commitment=said.commitment,
        fixed=said.fixed,
        players=said.players,
        shared_dice=said.shared_dice,
    )


def _add_words(said: AddWords, session: SessionState) -> facts.Fact:
    """Add words before any die is drawn, so that nobody can know what they change."""
    if not session.open:
        raise Refused("L-CLOSED", "no session is open", hint="Open one: campaign open.")
    if session.drawn:
        raise words_too_late()
    if not said.words:
        raise Refused("L-WORDS", "there are no words", hint='Add some: ana words "brass kettle".')
    _check_speaker(said.by, session)
    return facts.WordsAdded(who=said.by, words=said.words)


def _check_speaker(by: str, session: SessionState) -> None:
    """Refuse words of somebody who has spoken, who is not listed, or of the game master behind a player's."""
    spoken = {name_key(who): who for who, _ in session.words}
    if name_key(by) in spoken:
        hint = "Each player adds words once in a session."
        raise Refused("L-WORDS", f"{spoken[name_key(by)]} has added words already", hint=hint)
    if by == facts.GM:
        if spoken:
            what = f"{word_list([*spoken.values()])} added words already, and the game master's come first"
            raise Refused("L-WORDS", what, hint="Whoever speaks last decides the dice: leave that to a player.")
    else:
        _check_listed(by, session, "L-WORDS", "Words come")


def _check_listed(by: str, session: SessionState, code: str, what: str) -> None:
    """Refuse a person who is not listed, where players are."""
    if session.players and name_key(by) not in map(name_key, session.players):
        hint = f"{what} from {word_list(session.players)}: they were listed when the session opened."
        raise Refused(code, f"{by} is not one of the players", hint=hint)


def _commit_chain(said: CommitChain, session: SessionState) -> facts.Fact:
    """Commit to a chain of a player, also in the middle of a session: it takes the place of an earlier one."""
    if not session.open:
        raise Refused("L-CLOSED", "no session is open", hint="Open one: campaign open --shared-dice.")
    if session.shared_dice is not True:
        hint = "Open the next session with: campaign open --shared-dice."
        raise Refused("L-CHAIN", "the dice of this session are not shared", hint=hint)
    if said.by == facts.GM:
        raise Refused("L-CHAIN", "the game master has the seed", hint="A chain is the players' part of the dice.")
    _check_listed(said.by, session, "L-CHAIN", "Chains come")
    if not re.fullmatch(SEED_PATTERN, said.chain):
        raise Refused("L-CHAIN", "a chain begins with 64 hex digits", hint="A player's page makes one.")
    if not 1 <= said.length <= LINKS_MOST:
        what = f"a chain has 1 to {LINKS_MOST} links, not {said.length}"
        raise Refused("L-CHAIN", what, hint="A player's page makes one.")
    return facts.ChainCommitted(who=said.by, chain=said.chain, length=said.length)


def _reveal(said: Reveal, session: SessionState) -> facts.Fact:
    """Show an entry or a being to the players."""
    if bool(said.entry) == bool(said.being):
        raise Refused("L-REVEAL", "it says not what is revealed", hint="Name an entry (! reveal 1.4) or a being.")
    if said.entry and facts.parse_entry_id(said.entry).session > session.number:
        raise Refused("L-REVEAL", f"there is no entry {said.entry}", hint="Look for it in the log.")
    return facts.Revealed(entry=said.entry, who=said.being)


def _close_session(said: CloseSession, session: SessionState) -> facts.Fact:
    """Close the session with the seed that it committed to, or none if it is lost."""
    if not session.open:
        raise Refused("L-CLOSED", "no session is open", hint="There is nothing to close.")
    if said.lost:
        return facts.SessionClosed(seed="")
    if not re.fullmatch(SEED_PATTERN, said.seed) or (
        commitment(session.ledger, session.number, bytes.fromhex(said.seed)) != session.commitment
    ):
        raise Refused(
            "L-SEED",
            f"this is not the seed that session {session.number} committed to",
            hint="Put the right seed file back beside the ledger.",
        )
    return facts.SessionClosed(seed=said.seed)
