"""Announcements: declarations that others may answer before the dice, each answer an entry of its own.

The window `announced` holds the declaration; an answer becomes part of it, as if both had been said on one line. The
dice are those of the entry that announced, so that both ways show the same faces. Used in MARS, Momentum and others.
"""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Final

import msgspec

from ledger.declarations import Declaration, syntax
from ledger.errors import Refused
from ledger.facts import GM, Fact, WindowChanged, WindowClosed, WindowOpened
from ledger.game import NextTurn
from projections.state import State, Window

ANNOUNCED: Final = "announced"
ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class Announce(Declaration, frozen=True, kw_only=True, tag="announce"):
    """Announce something that others may answer: `! brute attack arlo ...`.

    `what` is the declaration as the ledger keeps it (JSON).
    """

    what: str


class Go(Declaration, frozen=True, kw_only=True, tag="go"):
    """Throw the dice of what was announced, or accept those thrown: `go`. `go withdraw` takes back what was announced,
    before its dice. `wait` behind it throws and waits for answers to the dice, in a game that has them.
    """

    verbs: ClassVar[tuple[str, ...]] = ("go",)
    alone: ClassVar[bool] = True

    wait: Annotated[bool, syntax(word=True)] = False
    withdraw: Annotated[bool, syntax(word=True)] = False


class Announcement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The announced declaration with its answers so far, and the book's note on its dice."""

    what: msgspec.Raw
    note: str = ""


def announcement(said: Declaration) -> Announce:
    """Return the announcement of a declaration."""
    return Announce(by=said.by, what=ENCODER.encode(said).decode())


def announced_declaration(said: Announce, *kinds: type[Declaration]) -> Declaration:
    """Return the declaration in an announcement. Raises Refused unless it is of one of these kinds."""
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    try:
        what: Declaration = msgspec.json.decode(said.what, type=union)
    except msgspec.MsgspecError as error:
        raise Refused("L-ANNOUNCE", "no one can answer this before the dice", hint="Leave the ... out.") from error
    if what.by != said.by:
        raise Refused("L-ANNOUNCE", f"{said.by} cannot announce this", hint=f"Let {what.by} announce it.")
    return what


def said_or_announced(said: Declaration, *kinds: type[Declaration]) -> Declaration:
    """Return what is announced; any other declaration as it is."""
    return announced_declaration(said, *kinds) if isinstance(said, Announce) else said


def find_window(state: State) -> Window | None:
    """Return the window of the announcement that is open, if there is one."""
    return state.windows.get(ANNOUNCED)


def check_nothing_announced(state: State) -> None:
    """Raise Refused while an announcement is open."""
    window = find_window(state)
    if window is not None:
        raise Refused(
            "L-ANNOUNCED",
            f"the announcement of {window.who} is still open",
            hint="Answer it (a line that starts with ^), throw its dice (go), or take it back (go withdraw).",
        )


def next_throw(state: State) -> Iterator[NextTurn]:
    """Return the throw of the dice of what is announced, if anything is."""
    if (window := find_window(state)) is not None:
        yield NextTurn(Go(by=GM), (window.who,))


def get_window(state: State) -> Window:
    """Return the window of the open announcement. Raises Refused when there is none."""
    window = find_window(state)
    if window is None:
        raise Refused("L-ANNOUNCED", "nothing is announced", hint="End a line with ... to announce it.")
    return window


def new_window(what: Declaration, awaits: tuple[str, ...], *rules: str, note: str = "") -> WindowOpened:
    """Return the opening of an announcement that those in `awaits` may answer."""
    data = encode(what, note)
    return WindowOpened(rules=rules, window=ANNOUNCED, kind=ANNOUNCED, who=what.by, awaits=awaits, data=data)


def window_change(what: Declaration, awaits: tuple[str, ...], *rules: str, note: str = "") -> WindowChanged:
    """Return the change of an announcement after an answer or a throw."""
    return WindowChanged(rules=rules, window=ANNOUNCED, awaits=awaits, data=encode(what, note))


def window_end(outcome: str, *rules: str) -> Fact:
    """Return the end of an announcement."""
    return WindowClosed(rules=rules, window=ANNOUNCED, outcome=outcome)


def void(state: State, *rules: str) -> Iterator[Fact]:
    """Yield the end of an announcement that is open when a session closes: it does not happen."""
    if find_window(state) is not None:
        yield window_end("void", *rules)


def encode(what: Declaration, note: str = "") -> str:
    """Return an announcement as its window keeps it."""
    return ENCODER.encode(Announcement(what=msgspec.Raw(ENCODER.encode(what)), note=note)).decode()


def decode(window: Window) -> Announcement:
    """Return the announcement in a window."""
    return msgspec.json.decode(window.data, type=Announcement)
