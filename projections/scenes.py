"""The scene that is played: a session or a scene line begins one. A session has its own revision of the rules."""

from __future__ import annotations

from ledger.facts import CampaignCreated, EntryId, SessionOpened, Told
from projections.rulings import end_session_rulings
from projections.state import Folds, State


def create_campaign(state: State, entry: EntryId, fact: CampaignCreated) -> None:
    """Take the rules of the campaign for what is declared before the first session."""
    set_revision(state, fact.revision)


def open_session(state: State, entry: EntryId, fact: SessionOpened) -> None:
    """Begin the first scene of a session, by its rules, without the rulings of the session before."""
    set_revision(state, fact.revision)
    end_session_rulings(state)
    begin_scene(state, entry)


def set_revision(state: State, revision: int) -> None:
    """Set the revision of the rules."""
    if revision != state.revision:
        state.put("book", "revision", revision)


def tell(state: State, entry: EntryId, fact: Told) -> None:
    """Begin a scene with its title. Other narration changes no state."""
    if fact.kind == "scene":
        begin_scene(state, entry)


def begin_scene(state: State, entry: EntryId) -> None:
    """Name the scene after the entry that it begins with. No time has passed in it yet."""
    if "passed" in state.scene:
        state.put("scene", "passed", None)
    state.put("scene", "began", str(entry))


FOLDS: Folds = {CampaignCreated: create_campaign, SessionOpened: open_session, Told: tell}
