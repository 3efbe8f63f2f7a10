"""What the table server answers, as it is sent: the description of the interface is made from these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class TypedLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said: a line, a key under which it counts once, and the position up to which its sender has seen the log.

    A line that was not answered is sent again with its key; another line needs a key of its own.
    """

    line: str
    key: str
    seen: int | None = None


class Taken(msgspec.Struct, frozen=True, kw_only=True, tag_field="status", tag="taken"):
    """A line that was taken.

    Attributes:
        entry: its entry, `1.5`; the last, if several said it.
        reply: what it did, in lines of text.
        heard: the line of the grammar as which it was heard, if it was said in other words.
        then: what is left of a sentence that says two acts: send it next.
        position: that of its entry in the log.
        head: the hash there.
    """

    entry: str
    reply: list[str]
    heard: str | None = None
    then: str | None = None
    position: int
    head: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A line that may have been meant. `then`: what is left to say behind it."""

    line: str
    label: str
    then: str | None = None


class TableThrow(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that are rolled at the table: what for, and how many sides each has."""

    purpose: str
    sides: tuple[int, ...]


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag_field="status", tag="asked"):
    """A line that may mean several things, or that lacks the faces of its dice. Nothing was written."""

    question: str
    choices: list[Choice] = []
    dice: list[TableThrow] = []


class Refusal(msgspec.Struct, frozen=True, kw_only=True, tag_field="status", tag="refused"):
    """A line or a question that was refused, with the code of the book.

    `since`: what came after the position that was seen, before a line.
    """

    code: str
    message: str
    hint: str | None = None
    since: list[str] = []


class Answered(msgspec.Struct, frozen=True, kw_only=True, tag_field="status", tag="answered"):
    """A question that was answered, in lines of text: `? why`, `? odds k sneak v5`, `whose turn is it?`."""

    question: str
    reply: list[str]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a command answers, and how it reads in the shell."""

    question: str
    command: Sequence[str]


class InWords(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is said in other words than the grammar's: it is heard aside, where nobody waits for it."""

    line: str


Answer = Taken | Asked | Refusal | Answered


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request is not answered."""

    code: str
    message: str
    hint: str | None = None


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """An entry as it was written: a take of it.

    Attributes:
        take: 1, or higher for a correction.
        line: what was said, or a name for what was not said in a line.
        by: who says it. `holder` and `door`: with whose link and by which door it came in.
        reply: what it did, in lines of text.
    """

    position: int
    entry: str
    take: int
    line: str
    by: str
    holder: str = ""
    door: str = ""
    at: str
    reply: list[str]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A record in the chain of hashes: what the chain runs over here, and the hash over the one before and this leaf.

    It is there for every position, also where the reader may see nothing of the record.
    """

    position: int
    leaf: str
    hash: str


class UsedLinks(msgspec.Struct, frozen=True, kw_only=True):
    """The links of shared dice of an entry, as a throw has them: empty for dice that rest on the seed alone.

    `purpose` is empty, and `throw` 0, where the reader may not know for what they were thrown.
    """

    position: int
    entry: str
    purpose: str
    throw: int
    links: tuple[str, ...]


class BegunChain(msgspec.Struct, frozen=True, kw_only=True):
    """A chain of links to which a player's page committed in an entry."""

    position: int
    entry: str
    session: int
    who: str
    chain: str


class LogPart(msgspec.Struct, frozen=True, kw_only=True):
    """The log after a position. `changed`: older entries that have other takes now. `more`: it goes on.

    `ledger`: the id of the ledger. `chains` and `links`: of shared dice, also of entries that are hidden.
    """

    ledger: str
    position: int
    head: str
    words: tuple[str, ...]
    lines: list[LogLine]
    chain: list[Link]
    chains: list[BegunChain] = []
    links: list[UsedLinks] = []
    changed: list[str] = []
    more: bool = False


class OpenWindow(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is open: a roll, an announced attack, a check that is due.

    Attributes:
        name: what it is called.
        kind: of which kind it is.
        who: whose it is.
        opened: the entry that opened it.
        awaits: who may still answer.
        mine: whether it waits for somebody for whom the reader speaks.
    """

    name: str
    kind: str
    who: str
    opened: str
    awaits: tuple[str, ...] = ()
    mine: bool = False


class TurnNow(msgspec.Struct, frozen=True, kw_only=True):
    """Whose turn it is, in words and by name. `mine`: whether it is somebody's for whom the reader speaks."""

    text: str
    who: list[str]
    round: int = 0
    phase: str = ""
    mine: bool = False


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """The evening."""

    number: int
    title: str
    open: bool
    players: tuple[str, ...] = ()
    dice: str = "thrown"  # or typed: the table rolls its own


class SharedChain(msgspec.Struct, frozen=True, kw_only=True):
    """A chain of a player: its last link that was given, or what it begins with, and how many are left."""

    who: str
    last: str
    left: int


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """The table as a reader may see it now.

    Attributes:
        role: what the link is for: gm, player or watcher.
        holder: whose it is.
        speaks_for: the beings for whom the holder speaks.
        head: the hash at the position.
        words: the four words of the head.
        close: what closing the open roll does, if it can be closed: say `close`.
        beings: everybody with pools, tokens, place and troubles, in the order in which they joined.
        tokens: those of the game master.
        encounter: the order of turns, with a row for each member.
        ledger: its id.
        chains: those of shared dice; null if the dice of the session are not shared.
        options: those that the table has set, each as `name: value`.
        left: the seconds after which the dice of what is announced are thrown; null where they wait for everybody.
    """

    role: str
    holder: str
    speaks_for: list[str]
    campaign: str
    game: str
    session: Session
    position: int
    head: str
    words: tuple[str, ...]
    turn: TurnNow | None
    windows: list[OpenWindow]
    close: str | None
    beings: list[dict[str, Any]]
    tokens: list[Any]
    encounter: dict[str, Any] | None
    ledger: str
    chains: list[SharedChain] | None
    options: tuple[str, ...]
    left: float | None = None


class LineOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of a line before it is said, in lines of text: at each level, and `own` of the line as it is."""

    line: str
    odds: list[str]
    own: list[str]
    remark: str | None = None


class Completions(msgspec.Struct, frozen=True, kw_only=True):
    """The words that may end a line."""

    words: list[str]


class ForecastRow(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of somebody in a fight: in which part of the runs they fall, from 0 to 1, and all of it in words."""

    who: str
    part: float
    text: str


class ForecastCard(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of the fight that is on, in lines of text.

    Attributes:
        heading: how often it was played, by whose habits, who was left standing, which bound ended runs.
        rows: what becomes of each member.
        rounds: how many rounds it takes.
        values: what is left of the values that change.
        moves: what moves most how often somebody of the players falls.
    """

    heading: list[str]
    rows: list[ForecastRow]
    rounds: str
    values: list[str]
    moves: list[str]
