"""Announcements wait for answers: the mechanism alone, without a game."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from ledger.declarations import Declaration, syntax
from ledger.errors import Refused
from ledger.facts import EntryId, Fact
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce, announcement


class Shout(Declaration, frozen=True, kw_only=True, tag="shout"):
    """Shout at somebody."""

    at: Annotated[str, syntax()] = ""


class Wave(Declaration, frozen=True, kw_only=True, tag="wave"):
    """Wave to somebody."""


def state_of(*facts: Fact) -> State:
    projection = StateProjection()
    state = projection.empty()
    for number, fact in enumerate(facts, 1):
        projection.step(state, EntryId(1, number), fact)
    return state


def test_announcement_holds_the_declaration() -> None:
    said = announcement(Shout(by="Ana", at="Bo"))
    assert said.by == "Ana"
    assert announcements.announced_declaration(said, Shout, Wave) == Shout(by="Ana", at="Bo")


@pytest.mark.parametrize(
    "said",
    [
        announcement(Wave(by="Ana")),
        Announce(by="Ana", what="no declaration"),
        Announce(by="Ana", what='{"say":"shout","by":"Ana","louder":1}'),
        msgspec.structs.replace(announcement(Shout(by="Ana")), by="Bo"),
    ],
)
def test_announcement_of_another_kind_or_speaker_is_refused(said: Announce) -> None:
    with pytest.raises(Refused) as raised:
        announcements.announced_declaration(said, Shout)
    assert raised.value.code == "L-ANNOUNCE"
    assert raised.value.hint


def test_window_holds_the_announcement_until_the_throw() -> None:
    said = Shout(by="Ana", at="Bo")
    state = state_of(announcements.new_window(said, ("Bo",), "X-1"))
    window = announcements.get_window(state)
    assert (window.who, window.awaits, window.opened) == ("Ana", ("Bo",), EntryId(1, 1))
    with pytest.raises(Refused, match="L-ANNOUNCED: the announcement of Ana is still open"):
        announcements.check_nothing_announced(state)
    assert msgspec.json.decode(announcements.decode(window).what, type=Shout) == said


def test_answer_keeps_who_announced() -> None:
    said, answered = Shout(by="Ana", at="Bo"), Shout(by="Ana", at="Cem")
    state = state_of(announcements.new_window(said, ("Bo",)), announcements.window_change(answered, (), note="thrown"))
    window = announcements.get_window(state)
    assert (window.who, window.awaits, window.opened) == ("Ana", (), EntryId(1, 1))
    assert msgspec.json.decode(announcements.decode(window).what, type=Shout) == answered
    assert announcements.decode(window).note == "thrown"


def test_closed_announcement_waits_no_longer() -> None:
    state = state_of(announcements.new_window(Shout(by="Ana"), ()), announcements.window_end("thrown"))
    announcements.check_nothing_announced(state)
    with pytest.raises(Refused, match="L-ANNOUNCED: nothing is announced"):
        announcements.get_window(state)
