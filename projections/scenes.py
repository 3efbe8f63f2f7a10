"""The scene that is played: a session or a scene line begins one."""

from __future__ import annotations

from ledger.facts import EntryId, SessionOpened, Told
from projections.rulings import end_session_rulings
from projections.state import Folds, State


def open_session(state: State, entry: EntryId, fact: SessionOpened) -> None:
    """Begin the first scene of a session, without the rulings of the session before."""
    end_session_rulings(state)
    begin_scene(state, entry)


def tell(state: State, entry: EntryId, fact: Told) -> None:
    """Begin a scene with its title. Other narration changes no state."""
    if fact.kind == "scene":
        begin_scene(state, entry)


def begin_scene(state: State, entry: EntryId) -> None:
    """Name the scene after the entry that it begins with. No time has passed in it yet."""
    if "passed" in state.scene:
        state.put("scene", "passed", None)
    state.put("scene", "began", str(entry))


FOLDS: Folds = {SessionOpened: open_session, Told: tell}
