"""Declaring: facts, refusals without a trace, concurrent writers, requests, typed faces."""

from __future__ import annotations

import os

import msgspec
import pytest

from ledger import service
from ledger import sqlite_store as sqlite
from ledger.builtin import AddWords, Claim, CloseSession, Correct, CreateCampaign, Tell
from ledger.corrections.undo import undo
from ledger.dice import TypedDice
from ledger.errors import BadFaces, Damaged, LedgerError, OutOfBalance, Overtaken, Refused, Unreadable
from ledger.facts import Declared, Judged, PointsSpent, PoolSet, Rolled, parse_entry_id
from ledger.ledger_state import decide_and_fold, load_state
from ledger.memory_store import MemoryStore
from ledger.seeds import SeedFiles
from tests.ledger.coin import Coin, Coins, Flip, Purse
from tests.ledger.strategies import (
    AT,
    bytes_of,
    create_ledger,
    declared,
    faces,
    flip,
    folded_state,
    new_ledger,
    packed_state,
    points,
    results,
    say,
    undone_take,
)


def test_entry_holds_the_declaration_and_its_facts(ledger):
    record = flip(ledger)
    assert [type(fact) for fact in record.facts] == [Declared, PointsSpent, Rolled, Judged]
    assert declared(record) == Declared(
        by="Ana", said=msgspec.Raw(b'{"say":"flip","by":"Ana","again":false}'), line="ana flip", faces=None
    )
    assert (str(record.id), record.take, record.position, record.by, record.at) == ("1.1", 1, 4, "Ana", AT)
    assert points(ledger) == 19


def test_entries_before_the_first_session_are_numbered_from_0_0():
    ledger = new_ledger()
    assert str(ledger.create("Coins", at=AT).id) == "0.0"
    assert len(ledger.state.session.ledger) == 32
    assert str(ledger.declare(Purse(by="Ana", points=3), at=AT).id) == "0.1"
    assert str(ledger.open_session("one", at=AT).id) == "1.0"
    assert str(flip(ledger).id) == "1.1"


def test_each_fact_is_decided_on_the_state_after_the_one_before(ledger):
    record = flip(ledger, again=True)
    assert [fact.now for fact in record.facts if isinstance(fact, PointsSpent)] == [19, 18]


def test_the_dice_are_those_of_seed_words_and_entry():
    """Known faces of the fixed seed `a coin`: the first five flips of the session."""
    ledger = create_ledger()
    assert [faces(flip(ledger))["flip"] for _ in range(5)] == FIRST_FIVE
    other = create_ledger()
    other.declare(AddWords(by="Ana", words="brass kettle"), at=AT)  # 1.1
    after = [faces(flip(other))["flip"] for _ in range(15)]
    assert after[:4] != FIRST_FIVE[1:]
    assert after[4:] != [faces(flip(ledger))["flip"] for _ in range(11)]


FIRST_FIVE = [(2,), (1,), (1,), (2,), (2,)]


def test_visibility_is_recorded(ledger):
    assert ledger.declare(Purse(by="Bo", points=1), at=AT, seen="gm").seen == "gm"


def test_the_record_is_in_the_store_as_it_was_handed_back(store):
    ledger = create_ledger(store)
    record = flip(ledger)
    assert list(store.takes(after=parse_entry_id("1.0"))) == [record]


class Cheat(Coin):
    """A game whose facts do not add up."""

    def decide(self, said, state, dice):
        yield from super().decide(said, state, dice)
        yield PointsSpent(who="Ana", pool="points", points=1, now=77, because="a mistake")


class Broken(Coin):
    """A game with a bug."""

    def decide(self, said, state, dice):
        yield from super().decide(said, state, dice)
        raise ZeroDivisionError


class Stringly(Coin):
    def decide(self, said, state, dice):
        yield PoolSet(who="Ana", pool="points", was=0, now=7, least="0", most=None)


REFUSALS = [
    # (act on a ledger where Ana has one point and has flipped, error, text)
    pytest.param(say(Flip(by="Bo")), Refused, "COIN-POOR: Bo has no points", id="no purse"),
    pytest.param(say(Flip(by="Ana", again=True)), Refused, "COIN-POOR", id="the second of two flips"),
    pytest.param(say(Flip(by="Ana"), faces=()), BadFaces, "1 die is rolled, no face", id="a face missing"),
    pytest.param(say(Flip(by="Ana"), faces=(3,)), BadFaces, "d2 cannot show 3", id="a face too high"),
    pytest.param(say(Flip(by="Ana"), faces=(0,)), BadFaces, "d2 cannot show 0", id="a face too low"),
    pytest.param(say(Purse(by="Ana", points="7")), Unreadable, "is not valid", id="a text for a number"),
    pytest.param(say(Purse(by="Ana", points=1.5)), Unreadable, "is not valid", id="a float"),
    pytest.param(say(Purse(by=7, points=1)), Unreadable, "is not valid", id="a number for a name"),
    pytest.param(say(Purse(by="Ana", points=1), at_=None, line=7), TypeError, "", id="an unknown argument"),
    pytest.param(say(Purse(by="Ana", points=1), line=7), Unreadable, "cannot be stored", id="a line that is no text"),
    pytest.param(say(Purse(by="Ana", points=1), line="\ud800"), Unreadable, "cannot be stored", id="a surrogate"),
    pytest.param(say(Tell(by="gm", kind="rumour", who="", text="x")), Unreadable, "is not valid", id="a kind"),
    pytest.param(say(Tell(by="gm", kind="scene", who="", text="x" * 2**20)), Unreadable, "too long", id="too long"),
    pytest.param(say(AddWords(by="Ana", words="late")), Refused, "L-WORDS: dice have been drawn", id="late words"),
    pytest.param(lambda ledger: ledger.open_session("two", at=AT), Refused, "L-OPEN", id="a session in a session"),
    pytest.param(say(CloseSession(by="gm", seed="00" * 32)), Refused, "L-SEED", id="another seed"),
    pytest.param(say(CloseSession(by="gm", seed="no hex")), Refused, "L-SEED", id="a seed that is none"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("act", "error", "says"), REFUSALS)
def test_a_refusal_leaves_no_trace(tmp_path, act, error, says):
    path = tmp_path / "ledger.db"
    store = sqlite.create_store(path)
    ledger = create_ledger(store, points=2, seeds=SeedFiles(tmp_path))
    flip(ledger)
    before, file, folder = packed_state(ledger.state), path.read_bytes(), sorted(os.listdir(tmp_path))
    with pytest.raises(error) as caught:
        act(ledger)
    assert says in str(caught.value)
    assert (path.read_bytes(), sorted(os.listdir(tmp_path))) == (file, folder)
    assert packed_state(ledger.state) == before == packed_state(load_state(store, Coins()))
    assert str(flip(ledger).id) == "1.2"  # no number is used up
    store.close()


@pytest.mark.parametrize(("game", "error"), [(Cheat(), OutOfBalance), (Broken(), Damaged), (Stringly(), Unreadable)])
def test_a_game_that_errs_leaves_no_trace(game, error):
    ledger = create_ledger()
    findings_of = new_ledger(ledger.store, game=game, seeds=ledger.seeds)
    before, log = packed_state(findings_of.state), bytes_of(ledger.store)
    with pytest.raises(error):
        flip(findings_of)
    assert (packed_state(findings_of.state), bytes_of(ledger.store)) == (before, log)
    assert packed_state(load_state(ledger.store, Coins())) == before


def test_refused_decision_rolls_the_state_back(ledger):
    """What-ifs and replays decide without a Ledger."""
    ledger.declare(Purse(by="Ana", points=1), at=AT)
    ledger_state = load_state(ledger.store, Coins())
    before = packed_state(ledger_state), ledger_state.facts_since_snapshot
    with pytest.raises(Refused):
        decide_and_fold(Coin(), ledger_state, Flip(by="Ana", again=True), TypedDice([1, 2]), parse_entry_id("1.2"))
    assert (packed_state(ledger_state), ledger_state.facts_since_snapshot) == before


def test_a_refused_line_uses_no_dice_up():
    first, second = create_ledger(), create_ledger()
    with pytest.raises(Refused):
        flip(first, "Bo")
    assert faces(flip(first, again=True)) == faces(flip(second, again=True))


def test_failing_store_rolls_the_state_back(ledger, monkeypatch):
    before = packed_state(ledger.state)
    monkeypatch.setattr(ledger.store, "append", raising(LedgerError("the disk is full")))
    with pytest.raises(LedgerError, match="full"):
        flip(ledger)
    assert packed_state(ledger.state) == before
    monkeypatch.undo()
    assert str(flip(ledger).id) == "1.1"


def raising(error):
    def append(*_, **__):
        raise error

    return append


@pytest.mark.parametrize("ground", [CreateCampaign, AddWords, CloseSession, Correct, Claim, Tell])
def test_game_is_not_asked_about_builtin_declarations(ledger, ground):
    assert ground not in ledger.game.declarations


class Meanwhile(MemoryStore):
    """A store to which somebody else appends once, before the next call of `method`."""

    def __init__(self):
        super().__init__()
        self.method, self.act = "", lambda: None

    def before(self, method, act):
        self.method, self.act = method, act

    def _meanwhile(self, method):
        if method == self.method:
            self.method = ""
            self.act()

    def append(self, records, **more):
        self._meanwhile("append")
        return super().append(records, **more)

    def head(self):
        self._meanwhile("head")
        return super().head()


@pytest.fixture
def two():
    """Two ledgers on one store; the second acts in between."""
    one = create_ledger(Meanwhile(), points=5)
    return one, new_ledger(one.store, seeds=one.seeds)


def test_overtaken_writer_decides_again(two):
    one, other = two
    one.store.before("append", lambda: flip(other))
    record = flip(one)
    assert str(record.id) == "1.2"
    assert record.facts[1].now == 3
    assert faces(record)["flip"] == FIRST_FIVE[1]
    assert packed_state(one.state) == packed_state(folded_state(one.store))


def test_overtaken_writer_may_be_refused(two):
    one, other = two
    one.store.before("append", lambda: other.declare(Purse(by="Ana", points=0), at=AT))
    with pytest.raises(Refused, match="COIN-POOR"):
        flip(one)
    assert one.store.head().position == 4
    assert packed_state(one.state) == packed_state(folded_state(one.store))


def test_an_undo_that_is_overtaken_takes_nothing_back(two):
    one, other = two
    flip(one)
    one.store.before("append", lambda: flip(other))
    with pytest.raises(Overtaken):
        undo(one, by="gm", at=AT)
    assert points(new_ledger(one.store)) == 3


def test_two_openings_leave_one_session_and_one_seed(two):
    one, other = two
    one.close_session(at=AT)
    one.store.before("append", lambda: other.open_session("theirs", at=AT))
    with pytest.raises(Refused, match="L-OPEN"):
        one.open_session("ours", at=AT)
    assert one.state.session.title == "theirs"
    assert list(one.seeds.kept) == [one.state.session.commitment]
    flip(one)


def test_concurrent_equal_requests_count_once(two):
    one, other = two
    one.store.before("append", lambda: flip(other, request="k"))
    record = flip(one, request="k")
    assert record == one.store.find_request("k")
    assert points(one) == 4


def test_correction_during_load_is_not_missed():
    """Somebody undoes an entry between the reading of the snapshot and of the head."""
    one = create_ledger(Meanwhile(), points=5)
    flip(one)
    one.store.replace_snapshots([one.state.to_snapshot(parse_entry_id("1.1"), 4)], after=one.store.head())
    other = new_ledger(one.store, seeds=one.seeds)
    assert points(other) == 4
    late = new_ledger(one.store, seeds=one.seeds)
    one.store.before("head", lambda: undo(other, by="gm", at=AT))
    assert packed_state(late.state) == packed_state(folded_state(one.store))


def test_repeated_request_counts_once(ledger):
    first = flip(ledger, request="k1")
    assert flip(ledger, request="k1") == first
    assert flip(new_ledger(ledger.store), request="k1") == first
    assert points(ledger) == 19


def test_a_request_key_with_another_line_is_refused(ledger):
    flip(ledger, request="k1")
    with pytest.raises(Refused, match=r"L-REQUEST.*ana flip"):
        flip(ledger, again=True, request="k1")
    assert points(ledger) == 19


def test_request_without_line_is_refused_for_another_declaration(ledger):
    ledger.declare(Purse(by="Ana", points=3), at=AT, request="k1")
    with pytest.raises(Refused, match="L-REQUEST"):
        ledger.declare(Purse(by="Ana", points=4), at=AT, request="k1")


def test_refused_request_may_be_repeated(ledger):
    with pytest.raises(Refused):
        flip(ledger, "Bo", request="k1")
    ledger.declare(Purse(by="Bo", points=1), at=AT)
    assert flip(ledger, "Bo", request="k1").request == "k1"


def test_undone_request_is_not_repeated(ledger):
    first = flip(ledger, request="k1")
    undo(ledger, by="gm", at=AT)
    assert flip(ledger, request="k1") == first
    assert points(ledger) == 20


def test_an_undo_with_a_request_is_done_once(ledger):
    flip(ledger)
    second = flip(ledger)
    done = undo(ledger, by="gm", at=AT, request="u1")
    assert undone_take(ledger, done) == second
    assert undo(ledger, by="gm", at=AT, request="u1") == done
    assert points(ledger) == 19


def test_typed_faces_are_kept_and_marked(ledger):
    record = flip(ledger, again=True, faces=(2, 1))
    assert results(record) == ["heads", "tails"]
    assert declared(record).faces == (2, 1)
    assert [fact.source for fact in record.facts if isinstance(fact, Rolled)] == ["table", "table"]
    assert not ledger.state.session.drawn


def test_only_faces_that_were_asked_for_are_kept(ledger):
    assert declared(flip(ledger, faces=(2, 1, 1))).faces == (2,)
    assert declared(ledger.declare(Purse(by="Bo", points=1), at=AT, faces=(6,))).faces is None


def test_a_line_with_typed_faces_takes_none_from_the_seed(ledger):
    with pytest.raises(BadFaces) as caught:
        flip(ledger, again=True, faces=(2,))
    assert caught.value.purpose == "flip again"


def test_asked_faces_are_recorded_as_typed(ledger):
    asked = []

    def ask(purpose, sides):
        asked.append((purpose, sides))
        return (1,) * len(sides)

    (record,) = ledger.declare_each([Flip(by="Ana", again=True)], service.DeclaredLine(at=AT, ask=ask))
    assert declared(record).faces == (1,) * len(asked) == sum(faces(record).values(), ())
    assert {fact.source for fact in record.facts if isinstance(fact, Rolled)} == {"table"}
    with pytest.raises(BadFaces, match="cannot show 9"):
        ledger.declare_each([Flip(by="Ana")], service.DeclaredLine(at=AT, ask=lambda *_: (9,)))
    assert ledger.state.last == record.id
