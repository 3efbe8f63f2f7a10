"""Sessions, words for the dice, claims and telling."""

from __future__ import annotations

import pytest

from ledger.builtin import AddWords, Claim, Tell, decide_builtin
from ledger.dice import commitment
from ledger.errors import Refused
from ledger.facts import Claimed, Declared, PointsSpent, SessionClosed, SessionOpened, WordsAdded, parse_entry_id
from ledger.session import SessionState
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins, Flip, Purse
from tests.ledger.strategies import AT, LEDGER, SEED, bytes_of, create_ledger, flip, points, say


def test_session_opens_with_a_commitment_and_closes_with_the_seed(ledger):
    sitting = ledger.state.session
    assert sitting.commitment == commitment(LEDGER, 1, SEED)
    assert (sitting.number, sitting.title, sitting.rulebook, sitting.fixed, sitting.open) == (
        1,
        "one",
        "coin 1",
        True,
        True,
    )
    closed = ledger.close_session(at=AT)
    assert closed.facts[1:] == (SessionClosed(seed=SEED.hex()),)
    assert not ledger.state.session.open


def test_a_secret_seed_is_a_new_one_each_time():
    one, other = create_ledger(opened=False), create_ledger(opened=False)
    opened = [ledger.open_session("one", at=AT).facts[1] for ledger in (one, other)]
    assert [fact.fixed for fact in opened] == [False, False]
    assert opened[0].commitment != opened[1].commitment


def test_sessions_count_on_and_their_words_and_dice_are_their_own(ledger):
    ledger.declare(AddWords(by="Ana", words="x"), at=AT)
    flip(ledger)
    ledger.close_session(at=AT)
    assert str(ledger.open_session("two", at=AT, seed=SEED).id) == "2.0"
    sitting = ledger.state.session
    assert (sitting.words, sitting.drawn, sitting.commitment) == ((), False, commitment(LEDGER, 2, SEED))
    ledger.declare(AddWords(by="Ana", words="y"), at=AT)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (AddWords(by="Ana", words=""), "L-WORDS"),
        (AddWords(by="Bo", words="again"), "L-WORDS"),  # Bo has added words already
    ],
)
def test_words_are_refused_when_they_are_none_or_the_second(ledger, said, code):
    ledger.declare(AddWords(by="Bo", words="first"), at=AT)
    with pytest.raises(Refused, match=code):
        ledger.declare(said, at=AT)


@pytest.mark.parametrize(
    ("players", "spoken", "by", "what"),
    [
        ((), ("Ana",), "ana", "Ana has added words already"),
        ((), ("Ana",), "gm", "Ana added words already, and the game master's come first"),
        ((), ("gm", "Ana"), "gm", "gm has added words already"),
        (("Ana", "Bo"), (), "Cem", "Cem is not one of the players"),
        (("Ana", "Bo"), (), "Kess", "Kess is not one of the players"),
        (("Ana", "Bo"), ("bo",), "Bo", "bo has added words already"),
    ],
)
def test_words_are_refused_from_whom_they_cannot_come(players, spoken, by, what):
    session = SessionState(open=True, players=players, words=tuple((who, "said") for who in spoken))
    with pytest.raises(Refused, match=f"L-WORDS: {what}"):
        list(decide_builtin(AddWords(by=by, words="x"), session, dict))


@pytest.mark.parametrize(("players", "by"), [(("Ana", "Bo"), "ana"), (("Ana",), "gm"), ((), "zed")])
def test_words_are_taken_from_the_listed_and_the_game_master(players, by):
    session = SessionState(open=True, players=players)
    assert list(decide_builtin(AddWords(by=by, words="x"), session, dict)) == [WordsAdded(who=by, words="x")]


def test_words_are_refused_after_a_drawn_die():
    with pytest.raises(Refused, match="L-WORDS"):
        list(decide_builtin(AddWords(by="Ana", words="x"), SessionState(open=True, drawn=True), dict))


def test_typed_faces_do_not_end_the_time_for_words(ledger):
    flip(ledger, faces=(1,))
    ledger.declare(AddWords(by="Ana", words="still in time"), at=AT)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (say(Flip(by="Ana")), "L-CLOSED"),
        (say(AddWords(by="Ana", words="x")), "L-CLOSED"),
        (lambda ledger: ledger.close_session(at=AT), "L-CLOSED"),
    ],
)
@pytest.mark.parametrize("opened_before", [False, True])
def test_between_sessions_dice_words_and_close_are_refused(act, code, opened_before):
    ledger = create_ledger(opened=opened_before)
    if opened_before:
        ledger.close_session(at=AT)
    with pytest.raises(Refused, match=code):
        act(ledger)


def test_between_sessions_faces_may_be_typed_and_numbers_go_on(ledger):
    ledger.close_session(at=AT)
    assert str(flip(ledger, faces=(2,)).id) == "1.2"
    assert str(ledger.declare(Purse(by="Bo", points=1), at=AT).id) == "1.3"


def test_close_ends_what_the_game_left_open():
    class Tidy(Coin):
        def before_close(self, state):
            yield PointsSpent(who="Ana", pool="points", points=1, now=state.points["Ana"] - 1, because="the bill")

    ledger = create_ledger(game=Tidy())
    closed = ledger.close_session(at=AT)
    assert [type(fact) for fact in closed.facts] == [Declared, PointsSpent, SessionClosed]
    assert points(ledger) == 19


def test_campaign_is_created_once(ledger):
    before = bytes_of(ledger.store)
    with pytest.raises(Refused, match="L-"):
        ledger.create("Again", at=AT)
    assert bytes_of(ledger.store) == before


def test_a_claim_is_compared_and_sets_nothing(ledger):
    values = (("Ana.points", 20), ("Ana.points", 7), ("Bo.points", 1), ("Ana.points", "many"))
    record = ledger.declare(Claim(by="Ana", values=values), at=AT)
    assert record.facts[1:] == (
        Claimed(value="Ana.points", claimed=20, actual=20),
        Claimed(value="Ana.points", claimed=7, actual=20),
        Claimed(value="Bo.points", claimed=1, actual=None),
        Claimed(value="Ana.points", claimed="many", actual=20),
    )
    assert points(ledger) == 20


def test_told_text_is_recorded(ledger):
    record = ledger.declare(Tell(by="gm", kind="scene", who="", text="A cellar.", seen="gm"), at=AT)
    assert (record.facts[1].text, record.facts[1].seen) == ("A cellar.", "gm")


def test_opening_records_all_its_fields(ledger):
    opening = next(iter(ledger.store.takes(after=parse_entry_id("0.1"))))
    assert [type(fact) for fact in opening.facts] == [Declared, SessionOpened]
    assert opening.facts[1].commitment == commitment(LEDGER, 1, SEED)


def test_session_with_a_lost_seed_is_closed_without_it():
    """Its faces can never be checked, and the next session opens."""
    ledger = create_ledger()
    flip(ledger)
    ledger.seeds.delete(ledger.state.session.commitment)
    with pytest.raises(Refused, match="L-SEED"):
        ledger.close_session(at=AT)
    record = ledger.close_session(at=AT, lost=True)
    assert [fact.seed for fact in record.facts if isinstance(fact, SessionClosed)] == [""]
    report, findings = verify(ledger.store, Coin(), Coins())
    assert (findings, report.sealed, report.unproved, report.drawn) == ([], 0, 1, 0)
    ledger.open_session("two", at=AT)


def test_present_seed_is_revealed_although_called_lost():
    ledger = create_ledger()
    record = ledger.close_session(at=AT, lost=True)
    assert all(fact.seed for fact in record.facts if isinstance(fact, SessionClosed))
