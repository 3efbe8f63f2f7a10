"""What is announced waits for its answers: the mechanism alone, without a book."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from ledger.declarations import Declaration, syntax
from ledger.dice import SeededDice
from ledger.errors import Refused
from ledger.facts import EntryId, Fact
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common import announcing
from rulebooks.common.announcing import Announce, announce


class Shout(Declaration, frozen=True, kw_only=True, tag="shout"):
    """Shout at somebody."""

    at: Annotated[str, syntax()] = ""


class Wave(Declaration, frozen=True, kw_only=True, tag="wave"):
    """Wave to somebody."""


def state_of(*facts: tuple[str, Fact]) -> State:
    books = StateProjection()
    state = books.empty()
    for number, (_, fact) in enumerate(facts, 1):
        books.step(state, EntryId(1, number), fact)
    return state


def test_what_is_announced_is_the_declaration_itself() -> None:
    said = announce(Shout(by="Ana", at="Bo"))
    assert said.by == "Ana"
    assert announcing.announced(said, Shout, Wave) == Shout(by="Ana", at="Bo")


@pytest.mark.parametrize(
    "said",
    [
        announce(Wave(by="Ana")),
        Announce(by="Ana", what="no declaration"),
        Announce(by="Ana", what='{"say":"shout","by":"Ana","louder":1}'),
        msgspec.structs.replace(announce(Shout(by="Ana")), by="Bo"),
    ],
)
def test_nobody_announces_what_is_not_answered_or_not_theirs(said: Announce) -> None:
    with pytest.raises(Refused) as raised:
        announcing.announced(said, Shout)
    assert raised.value.code == "L-ANNOUNCE"
    assert raised.value.hint


def test_a_window_holds_what_is_announced_until_it_is_thrown() -> None:
    said = Shout(by="Ana", at="Bo")
    state = state_of(("open", announcing.opened(said, ("Bo",), "X-1")))
    window = announcing.waiting(state)
    assert (window.who, window.awaits, window.opened) == ("Ana", ("Bo",), EntryId(1, 1))
    with pytest.raises(Refused, match="L-ANNOUNCED: what Ana announced is still open"):
        announcing.check_nothing_announced(state)
    assert msgspec.json.decode(announcing.standing(window).what, type=Shout) == said


def test_an_answer_changes_what_is_announced_and_not_who_announced_it() -> None:
    said, answered = Shout(by="Ana", at="Bo"), Shout(by="Ana", at="Cem")
    state = state_of(
        ("open", announcing.opened(said, ("Bo",))), ("answer", announcing.changed(answered, (), note="dice lie"))
    )
    window = announcing.waiting(state)
    assert (window.who, window.awaits, window.opened) == ("Ana", (), EntryId(1, 1))
    assert msgspec.json.decode(announcing.standing(window).what, type=Shout) == answered
    assert announcing.standing(window).note == "dice lie"


def test_what_is_done_with_waits_no_longer() -> None:
    state = state_of(("open", announcing.opened(Shout(by="Ana"), ())), ("close", announcing.closed("thrown")))
    announcing.check_nothing_announced(state)
    with pytest.raises(Refused, match="L-ANNOUNCED: nothing is announced"):
        announcing.waiting(state)


def test_its_dice_are_those_of_the_entry_that_announced_it() -> None:
    window = announcing.waiting(state_of(("open", announcing.opened(Shout(by="Ana"), ()))))
    dice = announcing.thrown(window, SeededDice(b"key", "1.7"))
    assert dice.throw("shout Ana", 12, 12) == SeededDice(b"key", "1.1").throw("shout Ana", 12, 12)
