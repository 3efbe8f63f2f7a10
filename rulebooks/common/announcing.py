"""Announcing: a declaration that others may answer before its dice are thrown, each answer an entry of its own.

The window `announced` holds the declaration; an answer that is taken becomes part of it, as if it had stood on its
own line. The dice are those of the entry that announced (`thrown`), so that both ways show the same faces. No rule of
any book lives here.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final

import msgspec

from ledger.declarations import Declaration, syntax
from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import Fact, WindowChanged, WindowClosed, WindowOpened
from projections.state import State, Window

ANNOUNCED: Final = "announced"
ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class Announce(Declaration, frozen=True, kw_only=True, tag="announce"):
    """Announce something that others may answer: `! brute attack arlo ...`.

    `what` is the declaration as the ledger keeps it (JSON).
    """

    what: str


class Go(Declaration, frozen=True, kw_only=True, tag="go"):
    """Throw what was announced, or let stand what was thrown: `go`. With `wait` the dice lie open for what may follow:
    `go wait`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("go",)
    alone: ClassVar[bool] = True

    wait: Annotated[bool, syntax(word=True)] = False


class Standing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is announced: the declaration with the answers taken so far, and the book's own note on dice that lie."""

    what: msgspec.Raw
    note: str = ""


def announce(said: Declaration) -> Announce:
    """The announcement of a declaration."""
    return Announce(by=said.by, what=ENCODER.encode(said).decode())


def announced(said: Announce, *kinds: type[Declaration]) -> Declaration:
    """What is announced, of one of these kinds. Raises Refused for anything else."""
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    try:
        what: Declaration = msgspec.json.decode(said.what, type=union)
    except msgspec.MsgspecError as error:
        raise Refused("L-ANNOUNCE", "nobody answers this before the dice", hint="Say it without the ....") from error
    if what.by != said.by:
        raise Refused("L-ANNOUNCE", f"{said.by} announces what {what.by} does", hint=f"Let {what.by} announce it.")
    return what


def open_window(state: State) -> Window | None:
    """What is announced and not yet done with, if anything is."""
    return state.windows.get(ANNOUNCED)


def check_nothing_announced(state: State) -> None:
    """Raises Refused while something is announced: it is answered and thrown first."""
    window = open_window(state)
    if window is not None:
        raise Refused(
            "L-ANNOUNCED",
            f"what {window.who} announced is still open",
            hint="Answer it (^ sira interpose), or say: go.",
        )


def waiting(state: State) -> Window:
    """What is announced. Raises Refused when nothing is."""
    window = open_window(state)
    if window is None:
        raise Refused("L-ANNOUNCED", "nothing is announced", hint="End a line with ... to announce it.")
    return window


def opened(what: Declaration, awaits: tuple[str, ...], *rules: str, note: str = "") -> WindowOpened:
    """Something is announced, and these may answer it."""
    data = packed(what, note)
    return WindowOpened(rules=rules, window=ANNOUNCED, kind=ANNOUNCED, who=what.by, awaits=awaits, data=data)


def changed(what: Declaration, awaits: tuple[str, ...], *rules: str, note: str = "") -> WindowChanged:
    """An answer is taken, or dice lie: this is what is announced now."""
    return WindowChanged(rules=rules, window=ANNOUNCED, awaits=awaits, data=packed(what, note))


def closed(outcome: str, *rules: str) -> Fact:
    """It is done with, or comes to nothing."""
    return WindowClosed(rules=rules, window=ANNOUNCED, outcome=outcome)


def packed(what: Declaration, note: str = "") -> str:
    """What is announced, as its window keeps it."""
    return ENCODER.encode(Standing(what=msgspec.Raw(ENCODER.encode(what)), note=note)).decode()


def standing(window: Window) -> Standing:
    """What is announced, from its window."""
    return msgspec.json.decode(window.data, type=Standing)


def thrown(window: Window, dice: Dice) -> Dice:
    """The dice of what was announced: those of the entry that announced it."""
    return dice.for_entry(str(window.opened))
