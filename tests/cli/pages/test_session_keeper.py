"""Test that a kept page is the page that is made afresh, whatever is appended, corrected, hidden or revealed."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.questions.players_ledger import store_for
from cli.web.pages.session_draft import PageDraft, session_page
from cli.web.pages.session_keeper import STRIDE, SessionKeeper
from ledger.builtin import Reveal, Tell
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.errors import LedgerError
from ledger.facts import GM, Amended, EntryId
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.dusk_bastards.declarations.harm import Damage, Rest, SetCondition
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close
from rulebooks.testing.corrections import DROP, replacement
from tests.budget import BUDGET
from tests.ledger.edits import insertion
from tests.projections.test_recap import ATTEMPT, BEING, DESTINY, WHO, new_ledger
from tests.rulebooks.dusk_bastards.seat import AT, BOOK

ROLES = ["players", pytest.param("gm", marks=pytest.mark.slow)]  # the players' page has less, and more to keep
EXAMPLES = BUDGET.examples(2, 25)
PLACE = st.integers(0, 40)
MARK = st.builds(SetCondition, by=st.just(GM), target=BEING, name=st.sampled_from(["marked", "hunted"]))
HARM = st.builds(Damage, by=st.just(GM), target=BEING, amount=st.integers(1, 9))
TOLD = st.builds(
    Tell, by=WHO, kind=st.sampled_from(["scene", "fiction"]), who=st.just("Ash"), text=st.sampled_from(["Rain", "Ash"])
)
FOE = st.builds(
    CreateNpc,
    by=st.just(GM),
    name=st.sampled_from(["rat", "crow"]),
    kind=st.just("minion"),
    difficulty=st.just(2),
    health=st.just(4),
)
SAID = st.one_of(ATTEMPT, ATTEMPT, DESTINY, HARM, MARK, TOLD, st.just(Close(by=GM)), st.builds(Rest, by=WHO))
STEP: st.SearchStrategy[Any] = st.one_of(
    *[st.tuples(st.just("table"), SAID)] * 5,
    *[st.tuples(st.just("gm"), st.one_of(HARM, MARK, ATTEMPT, TOLD))] * 2,
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("undo correction"), PLACE),
    st.tuples(st.sampled_from(["drop", "retcon", "insert", "stand"]), PLACE),
    st.tuples(st.sampled_from(["table", "gm"]), FOE),
    st.tuples(st.just("reveal"), PLACE),
    st.tuples(st.just("reveal being"), st.none()),
    st.tuples(st.just("session"), st.none()),
)
SNEAK = Attempt(by="Ash", stat="speed", difficulty=4)
TALE = Tell(by=GM, kind="scene", who=GM, text="Otherwise")
RETOLD = replacement(TALE, outcome="retcon")
HURT = Damage(by=GM, target="thug", amount=1)


def counting(ledger: Ledger[State]) -> list[Record]:
    """Return the takes that count."""
    return [record for record in latest_takes(ledger.store.takes()) if record.facts]


def entry_at(ledger: Ledger[State], place: int, *, corrections: bool = False) -> EntryId:
    """Return an entry behind the opening, counted from the last."""
    ids = [record.id for record in counting(ledger) if record.has(Amended) or not corrections]
    return ids[-1 - place % len(ids)]


def take_step(ledger: Ledger[State], kind: str, what: Any) -> None:
    """Do one thing at the table. Raises LedgerError if it is refused."""
    match kind:
        case "table" | "gm":
            ledger.declare(what, at=AT, line="a line", seen=kind)
        case "undo":
            undo(ledger, by=GM, at=AT)
        case "undo correction" if any(record.has(Amended) for record in counting(ledger)):
            undo(ledger, entry_at(ledger, what, corrections=True), by=GM, at=AT)
        case "drop" | "retcon" | "insert" | "stand":
            id = entry_at(ledger, what)
            edits = insertion(ledger, str(id), TALE) if kind == "insert" else {id: RETOLD if kind == "retcon" else DROP}
            correction = plan_amendment(ledger, edits, by=GM, because="it rained")
            if kind == "stand":
                note_error(ledger, correction, "stand", at=AT, line="~")
            else:
                write_correction(ledger, correction, at=AT, line="~")
        case "reveal":
            ledger.declare(Reveal(by=GM, entry=str(entry_at(ledger, what))), at=AT)
        case "reveal being":
            ledger.declare(Reveal(by=GM, being="thug"), at=AT)
        case "session":
            number = ledger.state.session.number + 1
            ledger.close_session(at=AT)
            ledger.open_session(str(number), at=AT, seed=fixed_seed(str(number)))


def check(ledger: Ledger[State], keepers: dict[tuple[int | None, str], SessionKeeper]) -> None:
    """Compare every kept page with one that is made afresh, also as the browser has it."""
    for (session, role), keeper in keepers.items():
        view = store_for(ledger.store, BOOK, role)
        fresh = session_page(view, session, as_of=None, book=BOOK, role=role)
        kept = keeper.page(ledger.store, BOOK)
        different = [name for name in kept.__struct_fields__ if getattr(kept, name) != getattr(fresh, name)]
        assert not different, [(getattr(kept, name), getattr(fresh, name)) for name in different]


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(STEP, min_size=8, max_size=30), st.integers(1, 4))
def test_kept_page_is_a_fresh_one(steps: list[tuple[str, Any]], pause: int) -> None:
    ledger = new_ledger()
    keepers = {(session, role): SessionKeeper(session, role) for session in (None, 1) for role in ("players", "gm")}
    for number, (kind, what) in enumerate(steps):
        with suppress(LedgerError):
            take_step(ledger, kind, what)
        if number % pause == 0:
            check(ledger, keepers)
    check(ledger, keepers)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The entries that were added to a draft."""
    entries, add = list[str](), PageDraft.add

    def note(draft: PageDraft, takes: Any, position: int) -> None:
        entries.append(str(takes[-1].id))
        add(draft, takes, position)

    monkeypatch.setattr(PageDraft, "add", note)
    return entries


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_new_line_costs_its_own_entry(role: str, added: list[str]) -> None:
    ledger, keeper = new_ledger(), SessionKeeper(None, role)
    for _ in range(2 * STRIDE):
        ledger.declare(SNEAK, at=AT)
    keeper.page(ledger.store, BOOK)
    added.clear()
    for seen in ("table", "gm", "gm", "table"):
        ledger.declare(HURT, at=AT, seen=seen)
        last = str(ledger.state.last)
        keeper.page(ledger.store, BOOK)
        assert added == [last] or (seen == "gm" and added[-1] == last)
        added.clear()
    keeper.page(ledger.store, BOOK)
    assert added == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_correction_costs_the_entries_from_it_on(role: str, added: list[str]) -> None:
    ledger, keeper = new_ledger(), SessionKeeper(None, role)
    for _ in range(3 * STRIDE):
        ledger.declare(SNEAK, at=AT)
    keeper.page(ledger.store, BOOK)
    added.clear()
    undo(ledger, by=GM, at=AT)
    keeper.page(ledger.store, BOOK)
    assert len(added) <= STRIDE + 1
    check(ledger, {(None, role): keeper})


@pytest.mark.slow
def test_another_ledger_in_its_place_is_read_afresh() -> None:
    keepers = {(None, role): SessionKeeper(None, role) for role in ("players", "gm")}
    for lines in (4, 7, 2):
        ledger = new_ledger()
        for _ in range(lines):
            ledger.declare(HURT if lines == 7 else SNEAK, at=AT, line=f"{lines}")
        check(ledger, keepers)


def test_error_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, keeper = new_ledger(), SessionKeeper(None, "players")
    keeper.page(ledger.store, BOOK)
    ledger.declare(SNEAK, at=AT)
    with monkeypatch.context() as patch:
        patch.setattr(PageDraft, "page", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            keeper.page(ledger.store, BOOK)
    check(ledger, {(None, "players"): keeper})
