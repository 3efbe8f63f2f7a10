"""Windows: open rolls, announced attacks and checks that wait for an answer."""

from typing import Final

from ledger.facts.base import BaseFact, Hides

AUTO: Final = "auto"  # the outcome of a window that the next declaration closed


class WindowOpened(BaseFact, frozen=True, kw_only=True, tag="window-opened", gc=False):
    """A window opened: an open roll, an announced attack or a check waits for the beings in `awaits`."""

    hides = Hides(open="window kind who awaits", always="data")

    window: str
    kind: str
    who: str
    awaits: tuple[str, ...]
    data: str = ""


class WindowChanged(BaseFact, frozen=True, kw_only=True, tag="window-changed", gc=False):
    """The roll or attack that waits changed: rerolled, shifted, refunded or redirected."""

    hides = Hides(open="window awaits", always="data")

    window: str
    awaits: tuple[str, ...]
    data: str = ""


class WindowClosed(BaseFact, frozen=True, kw_only=True, tag="window-closed", gc=False):
    """A window closed, and what its result caused has come before.

    `outcome`: done, void, `AUTO`, or a word of the game.
    """

    hides = Hides(open="window outcome")

    window: str
    outcome: str
