"""The table: playing, refusing without a trace, taking back, sessions and their seeds, requests, snapshots."""

from __future__ import annotations

import logging
import os
import stat
import traceback

import msgspec
import pytest

from ledger import snapshots
from ledger import sqlite_store as sqlite
from ledger.builtin import AddWords, Claim, CloseSession, Correct, CreateCampaign, Tell, decide_builtin
from ledger.corrections.undo import undo
from ledger.dice import TypedDice, commitment, fixed_seed
from ledger.errors import BadFaces, Damaged, LedgerError, OutOfBalance, Overtaken, Refused, Unreadable
from ledger.facts import (
    Amended,
    Claimed,
    Declared,
    EntryId,
    Judged,
    PointsSpent,
    PoolSet,
    Rolled,
    SessionClosed,
    SessionOpened,
    parse_entry_id,
)
from ledger.position import decide_and_fold, initial_state, load_state
from ledger.records import latest_takes
from ledger.seeds import MemorySeeds, SeedFiles
from ledger.session import SessionState
from ledger.snapshots import FACTS_BETWEEN_SNAPSHOTS, build_snapshots
from ledger.store import MemoryStore
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins, Flip, Purse
from tests.ledger.strategies import (
    AT,
    LEDGER,
    SEED,
    bytes_of,
    create_ledger,
    declared,
    faces,
    findings_of,
    flip,
    new_ledger,
    played,
    undone_take,
)


def points(ledger, who="Ana"):
    return ledger.state.state.points.get(who)


def results(record):
    return [fact.result for fact in record.facts if isinstance(fact, Judged)]


def packed_state(ledger_state):
    """All that a standing knows, so that two can be compared."""
    return (
        ledger_state.projection.pack(ledger_state.state),
        ledger_state.session,
        ledger_state.last,
        ledger_state.reusable_numbers,
        ledger_state.position,
    )


def folded_state(store):
    """Where the ledger stands when no snapshot is trusted."""
    ledger_state = initial_state(Coins())
    for record in latest_takes(store.takes()):
        ledger_state.fold(record)
    ledger_state.position = store.head().position
    return ledger_state


# Playing


def test_an_entry_holds_what_was_said_and_all_that_follows(ledger):
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


def test_what_is_seen_by_whom_is_kept(ledger):
    assert ledger.declare(Purse(by="Bo", points=1), at=AT, seen="gm").seen == "gm"


def test_the_record_is_in_the_store_as_it_was_handed_back(store):
    ledger = create_ledger(store)
    record = flip(ledger)
    assert list(store.takes(after=parse_entry_id("1.0"))) == [record]


# Refusals leave no trace


class Cheat(Coin):
    """A game with a rule that does not add up."""

    def decide(self, said, state, dice):
        yield from super().decide(said, state, dice)
        yield PointsSpent(who="Ana", pool="points", points=1, now=77, because="a mistake")


class Broken(Coin):
    """A game with a bug, and one that yields what is no fact of the right types."""

    def decide(self, said, state, dice):
        yield from super().decide(said, state, dice)
        raise ZeroDivisionError


class Stringly(Coin):
    def decide(self, said, state, dice):
        yield PoolSet(who="Ana", pool="points", was=0, now=7, least="0", most=None)


def say(said, **more):
    return lambda ledger: ledger.declare(said, at=AT, **more)


REFUSALS = [
    # (what is done to a table where Ana has one point and has thrown, error, what it says)
    pytest.param(say(Flip(by="Bo")), Refused, "COIN-POOR: Bo has no points", id="no purse"),
    pytest.param(say(Flip(by="Ana", again=True)), Refused, "COIN-POOR", id="the second of two flips"),
    pytest.param(say(Flip(by="Ana"), faces=()), BadFaces, "1 dice are thrown, 0 faces", id="a face missing"),
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


@pytest.mark.parametrize(
    ("game", "error"), [(Cheat(), OutOfBalance), (Broken(), ZeroDivisionError), (Stringly(), Unreadable)]
)
def test_a_game_that_errs_leaves_no_trace(game, error):
    ledger = create_ledger()
    findings_of = new_ledger(ledger.store, game=game, seeds=ledger.seeds)
    before, log = packed_state(findings_of.state), bytes_of(ledger.store)
    with pytest.raises(error):
        flip(findings_of)
    assert (packed_state(findings_of.state), bytes_of(ledger.store)) == (before, log)
    assert packed_state(load_state(ledger.store, Coins())) == before


def test_deciding_leaves_a_standing_as_it_was_when_it_is_refused(ledger):
    """What-ifs and replays decide without a table round them."""
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


def test_when_the_store_fails_the_table_is_as_it_was(ledger, monkeypatch):
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
def test_games_never_meet_what_every_game_has(ledger, ground):
    assert ground not in ledger.game.declarations


# Two writers


class Meanwhile(MemoryStore):
    """Somebody else is faster: acts once, just before the next call of `method`."""

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
    """Two tables at one store: what the second does comes in between."""
    one = create_ledger(Meanwhile(), points=5)
    return one, new_ledger(one.store, seeds=one.seeds)


def test_whoever_is_overtaken_decides_again_on_what_is_there_now(two):
    one, other = two
    one.store.before("append", lambda: flip(other))
    record = flip(one)
    assert str(record.id) == "1.2"
    assert record.facts[1].now == 3
    assert faces(record)["flip"] == FIRST_FIVE[1]
    assert packed_state(one.state) == packed_state(folded_state(one.store))


def test_whoever_is_overtaken_may_be_refused_now(two):
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


def test_of_two_who_open_a_session_one_does_and_one_seed_is_kept(two):
    one, other = two
    one.close_session(at=AT)
    one.store.before("append", lambda: other.open_session("theirs", at=AT))
    with pytest.raises(Refused, match="L-OPEN"):
        one.open_session("ours", at=AT)
    assert one.state.session.title == "theirs"
    assert list(one.seeds._seeds) == [one.state.session.commitment]
    flip(one)


def test_a_request_that_is_said_twice_at_once_counts_once(two):
    one, other = two
    one.store.before("append", lambda: flip(other, request="k"))
    record = flip(one, request="k")
    assert record == one.store.find_request("k")
    assert points(one) == 4


def test_correction_during_load_is_not_missed():
    """Between the reading of a snapshot and of the head somebody takes back what the snapshot holds."""
    one = create_ledger(Meanwhile(), points=5)
    flip(one)
    one.store.replace_snapshots([one.state.to_snapshot(parse_entry_id("1.1"), 4)])
    other = new_ledger(one.store, seeds=one.seeds)
    assert points(other) == 4
    late = new_ledger(one.store, seeds=one.seeds)
    one.store.before("head", lambda: undo(other, by="gm", at=AT))
    assert packed_state(late.state) == packed_state(folded_state(one.store))


# Undo


def test_an_undo_takes_the_last_line_back(ledger):
    undone = flip(ledger)
    amendment = undo(ledger, by="gm", at=AT, line="undo")
    assert undone_take(ledger, amendment) == undone
    assert amendment.facts[1] == Amended(entry="1.1@1", outcome="undo", because="")
    void = list(ledger.store.takes())[4]
    assert (str(void.id), void.take, void.facts, void.cause, void.request) == ("1.1", 2, (), "1.2", None)
    assert points(ledger) == 20


def test_an_undo_is_one_append_or_none(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")
    ledger = create_ledger(store)
    flip(ledger)
    store.connection.execute(
        "CREATE TRIGGER second BEFORE INSERT ON records WHEN NEW.take = 2 BEGIN SELECT RAISE(ABORT,'no'); END"
    )
    before = bytes_of(store)
    with pytest.raises(LedgerError):
        undo(ledger, by="gm", at=AT)
    assert bytes_of(store) == before
    assert points(ledger) == 19
    store.close()


def test_what_is_said_after_an_undo_meets_the_same_faces(ledger):
    first = flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    second = flip(ledger, again=True)
    assert (second.id, second.take, faces(second)) == (first.id, 3, faces(first))
    assert second.facts[1:] == first.facts[1:]


def test_after_undo_another_declaration_gets_the_same_face(ledger):
    first = flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    assert faces(flip(ledger))["flip"] == faces(first)["flip"]


def test_after_several_undos_numbers_are_used_again_lowest_first(ledger):
    thrown = [flip(ledger) for _ in range(4)]
    undone = [str(undone_take(ledger, undo(ledger, by="gm", at=AT)).id) for _ in range(3)]
    again = [flip(ledger) for _ in range(4)]
    assert undone == ["1.4", "1.3", "1.2"]
    assert [(str(record.id), record.take) for record in again] == [("1.2", 3), ("1.3", 3), ("1.4", 3), ("1.8", 1)]
    assert [faces(record) for record in again[:3]] == [faces(record) for record in thrown[1:]]
    assert points(ledger) == 20 - 5
    assert packed_state(ledger.state) == packed_state(folded_state(ledger.store))


def test_a_new_line_may_be_taken_back_again_and_again(ledger):
    met = set()
    for take in range(1, 10, 2):
        record = flip(ledger)
        assert (str(record.id), record.take) == ("1.1", take)
        met.add(str(faces(record)))
        undo(ledger, by="gm", at=AT)
    assert len(met) == 1
    assert points(ledger) == 20


def test_numbers_are_used_again_by_a_table_that_reads_the_ledger_anew(ledger):
    flip(ledger)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    anew = new_ledger(ledger.store, seeds=ledger.seeds)
    assert (str(flip(anew).id), str(flip(anew).id)) == ("1.2", "1.4")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda ledger: None,  # the opening stays
        lambda ledger: (flip(ledger), undo(ledger, by="gm", at=AT)),  # what is taken back is not taken back twice
        lambda ledger: (flip(ledger), ledger.close_session(at=AT)),  # the closing stays, and all before it
        lambda ledger: (flip(ledger), ledger.close_session(at=AT), ledger.open_session("two", at=AT)),
    ],
)
def test_openings_and_closings_are_not_taken_back(ledger, prepare):
    prepare(ledger)
    before = bytes_of(ledger.store)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(ledger, by="gm", at=AT)
    assert bytes_of(ledger.store) == before


def test_the_founding_is_not_taken_back():
    ledger = new_ledger()
    ledger.create("Coins", at=AT)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(ledger, by="gm", at=AT)


def test_a_line_between_sessions_may_be_taken_back(ledger):
    ledger.close_session(at=AT)
    ledger.declare(Purse(by="Ana", points=3), at=AT)
    undo(ledger, by="gm", at=AT)
    assert points(ledger) == 20


def test_words_may_not_be_added_once_a_face_was_seen_and_taken_back(ledger):
    """Else somebody throws, takes back, adds words, and throws better."""
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    with pytest.raises(Refused, match="L-WORDS"):
        ledger.declare(AddWords(by="Ana", words="fishing"), at=AT)


def test_words_may_not_be_taken_back_once_a_face_was_seen(ledger):
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    with pytest.raises(Refused, match="L-"):
        undo(ledger, by="gm", at=AT)


def test_words_may_be_taken_back_before_a_face_was_seen(ledger):
    ledger.declare(AddWords(by="Ana", words="brass ketle"), at=AT)
    undo(ledger, by="gm", at=AT)
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    assert ledger.state.session.words == (("Ana", "brass kettle"),)


# Sessions and words


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


def test_the_ground_refuses_words_once_dice_were_drawn():
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


def test_a_closing_brings_what_the_game_left_open_to_its_end():
    class Tidy(Coin):
        def before_close(self, state):
            yield PointsSpent(who="Ana", pool="points", points=1, now=state.points["Ana"] - 1, because="the bill")

    ledger = create_ledger(game=Tidy())
    closed = ledger.close_session(at=AT)
    assert [type(fact) for fact in closed.facts] == [Declared, PointsSpent, SessionClosed]
    assert points(ledger) == 19


def test_a_ledger_is_founded_once(ledger):
    before = bytes_of(ledger.store)
    with pytest.raises(Refused, match="L-"):
        ledger.create("Again", at=AT)
    assert bytes_of(ledger.store) == before


# The seed lies beside the ledger


@pytest.fixture
def at_home(tmp_path):
    """A ledger file with an open session whose seed is secret, and its seed file."""
    store = sqlite.create_store(tmp_path / "ledger.db")
    ledger = create_ledger(store, opened=False, seeds=SeedFiles(tmp_path))
    ledger.open_session("one", at=AT)
    (file,) = tmp_path.glob("seed-*.secret")
    yield ledger, file, tmp_path / "ledger.db"
    store.close()


def test_the_seed_file_can_be_read_by_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        SeedFiles(tmp_path).save("c" * 64, SEED)
    finally:
        os.umask(before)
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == SEED.hex() + "\n"


def test_seed_file_exists_while_the_session_is_open(at_home):
    ledger, file, path = at_home
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ledger.close_session(at=AT)
    assert sorted(os.listdir(path.parent)) == ["ledger.db"]


def test_the_seed_is_nowhere_in_the_ledger_file_before_the_closing(at_home):
    ledger, file, path = at_home
    seed = bytes.fromhex(file.read_text())
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    for _ in range(3):
        flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    ledger.store.replace_snapshots(build_snapshots(ledger.store, Coins()))
    forms = {seed, seed.hex().encode(), seed.hex().upper().encode(), seed[:8], seed.hex()[:16].encode()}
    assert [form for form in forms if form in path.read_bytes()] == []
    ledger.close_session(at=AT)
    assert seed.hex().encode() in path.read_bytes()


def test_the_seed_is_in_no_repr_no_traceback_and_no_log(at_home, caplog, capsys):
    ledger, file, _ = at_home
    seed = file.read_text().strip()
    told = []
    with caplog.at_level(logging.DEBUG):
        record = flip(ledger)
        for said in (Flip(by="Bo"), Flip(by="Ana")):
            try:
                ledger.declare(said, at=AT, faces=(9,))
            except LedgerError as error:
                told += [traceback.format_exc(), repr(error), str(error), repr(vars(error))]
    things = [ledger, ledger.seeds, ledger.state, ledger.state.session, ledger.store, record, ledger.game]
    told += [repr(thing) for thing in things] + [repr(vars(ledger)), repr(vars(ledger.seeds)), caplog.text]
    told += capsys.readouterr()
    assert len(told) > 10
    assert [text for text in told if seed in text or repr(bytes.fromhex(seed))[2:-1] in text] == []


@pytest.mark.parametrize("act", [flip, lambda ledger: ledger.close_session(at=AT)])
def test_missing_seed_blocks_dice_and_close_until_it_is_back(at_home, act):
    ledger, file, path = at_home
    kept = file.read_bytes()
    file.unlink()
    before = path.read_bytes()
    with pytest.raises(Refused, match="L-SEED") as caught:
        act(ledger)
    assert "seed file" in str(caught.value)
    assert path.read_bytes() == before
    assert str(flip(ledger, faces=(2,)).id) == "1.1"  # faces may be typed all the same
    ledger.declare(Purse(by="Bo", points=1), at=AT)
    file.write_bytes(kept)
    act(ledger)


@pytest.mark.parametrize("content", [b"", b"zz" * 32, b"00" * 31, b"00" * 33, b"\xff" * 64, b"\x00" * 64])
@pytest.mark.parametrize("act", [flip, lambda ledger: ledger.close_session(at=AT)])
def test_a_seed_file_that_holds_no_seed_is_named(at_home, content, act):
    ledger, file, path = at_home
    file.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(Unreadable, match=file.name):
        act(ledger)
    assert path.read_bytes() == before


@pytest.mark.parametrize("act", [pytest.param(flip), lambda ledger: ledger.close_session(at=AT)])
def test_the_seed_of_something_else_is_refused(at_home, act):
    ledger, file, path = at_home
    file.write_text(fixed_seed("another").hex())
    before = path.read_bytes()
    with pytest.raises(Refused, match="L-SEED"):
        act(ledger)
    assert path.read_bytes() == before


def test_a_session_that_cannot_keep_its_seed_is_not_opened(tmp_path):
    ledger = create_ledger(opened=False, seeds=SeedFiles(tmp_path / "missing"))
    before = bytes_of(ledger.store)
    with pytest.raises(LedgerError, match="cannot be saved"):
        ledger.open_session("one", at=AT)
    assert bytes_of(ledger.store) == before


def test_interrupted_but_written_opening_keeps_its_seed(monkeypatch):
    """Ctrl-C right after the commit: the session is open, so its seed must not be thrown away."""
    ledger = create_ledger(opened=False)
    append = ledger.store.append

    def interrupted(*arguments, **more):
        append(*arguments, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger.store, "append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ledger.open_session("one", at=AT)
    monkeypatch.undo()
    again = new_ledger(ledger.store, seeds=ledger.seeds)
    assert again.state.session.open
    flip(again)
    again.close_session(at=AT)


def test_seeds_are_kept_given_and_forgotten(tmp_path):
    for seeds in (MemorySeeds(), SeedFiles(tmp_path)):
        seeds.save("a" * 64, SEED)
        assert (seeds.get("a" * 64), seeds.get("b" * 64)) == (SEED, None)
        seeds.delete("a" * 64)
        seeds.delete("a" * 64)
        assert seeds.get("a" * 64) is None


# Requests


def test_a_request_said_twice_counts_once(ledger):
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


def test_a_request_that_was_refused_may_be_said_again(ledger):
    with pytest.raises(Refused):
        flip(ledger, "Bo", request="k1")
    ledger.declare(Purse(by="Bo", points=1), at=AT)
    assert flip(ledger, "Bo", request="k1").request == "k1"


def test_a_request_that_was_taken_back_is_not_said_again(ledger):
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


# Typed faces


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


# Claims and telling


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


def test_what_is_told_is_kept(ledger):
    record = ledger.declare(Tell(by="gm", kind="scene", who="", text="A cellar.", seen="gm"), at=AT)
    assert (record.facts[1].text, record.facts[1].seen) == ("A cellar.", "gm")


# Snapshots, and standing at an entry or as of a position


def test_each_opening_writes_a_snapshot(store):
    played(store)
    assert [str(kept.entry) for kept in store.snapshots()] == ["1.0", "2.0"]


def test_snapshot_after_many_facts_equals_the_fold_from_zero(store):
    ledger = create_ledger(store, points=1000)
    count = FACTS_BETWEEN_SNAPSHOTS // 3 * 2 + 20
    for _ in range(count):
        flip(ledger)
    kept = list(store.snapshots())
    assert len(kept) == 3  # at the opening, and every 500 facts
    ledger_state = load_state(store, Coins())
    assert 0 < ledger_state.facts_since_snapshot < FACTS_BETWEEN_SNAPSHOTS
    assert packed_state(ledger_state) == packed_state(ledger.state) == packed_state(folded_state(store))
    assert ledger_state.state.points == {"Ana": 1000 - count}
    assert [found for found in findings_of(store) if "snapshot" in found] == []


@pytest.mark.parametrize("at", ["0.1", "1.0", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0", "2.1", "2.2"])
def test_standing_at_an_entry_is_the_fold_up_to_it(store, at):
    played(store)
    expected = initial_state(Coins())
    for record in latest_takes(store.takes(upto=parse_entry_id(at))):
        expected.fold(record)
    ledger_state = load_state(store, Coins(), at=parse_entry_id(at))
    assert packed_state(ledger_state)[:4] == packed_state(expected)[:4]


@pytest.mark.parametrize(
    ("at", "left"),
    [
        ("0.0", None),
        ("0.1", 20),
        ("1.0", 20),
        ("1.2", 19),
        ("1.3", 17),  # the third take of it
        ("1.4", 17),
        ("1.5", 16),
        ("2.2", 15),
        ("9.9", 15),  # beyond the end: now
    ],
)
def test_standing_at_an_entry_has_the_points_of_that_moment(store, at, left):
    played(store)
    assert load_state(store, Coins(), at=parse_entry_id(at)).state.points.get("Ana") == left


@pytest.mark.parametrize(
    ("as_of", "left"),
    [
        (0, None),
        (1, None),
        (2, 20),
        (5, 19),  # 1.2
        (6, 17),  # 1.3, before it was undone
        (7, 17),  # the undo is written, its void take is not
        (8, 19),  # undone
        (9, 17),  # said again
        (99, 15),
    ],
)
def test_standing_as_of_a_position_is_what_the_ledger_said_then(store, as_of, left):
    played(store)
    ledger_state = load_state(store, Coins(), as_of=as_of)
    assert (ledger_state.state.points.get("Ana"), ledger_state.position) == (left, as_of)


def test_standing_at_an_entry_as_of_a_position_joins_both(store):
    played(store)
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=6).state.points == {"Ana": 17}
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=8).state.points == {"Ana": 19}
    assert load_state(store, Coins(), at=parse_entry_id("1.2"), as_of=99).state.points == {"Ana": 19}


def test_snapshots_made_anew_are_used_for_now_and_not_for_the_past(store):
    ledger = played(store)
    before = [load_state(store, Coins(), as_of=n).state.points for n in range(15)]
    store.replace_snapshots(build_snapshots(store, Coins()))
    assert [str(kept.entry) for kept in store.snapshots()] == ["0.0", "1.0", "2.0"]
    assert [load_state(store, Coins(), as_of=n).state.points for n in range(15)] == before
    assert packed_state(load_state(store, Coins())) == packed_state(ledger.state)


def test_rebuilt_snapshots_keep_reusable_numbers(ledger, monkeypatch):
    monkeypatch.setattr(snapshots, "FACTS_BETWEEN_SNAPSHOTS", 1)
    first = flip(ledger)
    undo(ledger, by="gm", at=AT)
    ledger.store.replace_snapshots(build_snapshots(ledger.store, Coins()))
    again = flip(new_ledger(ledger.store, seeds=ledger.seeds))
    assert (again.id, again.take, faces(again)) == (first.id, 3, faces(first))


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"nonsense", b'{"session":{},"state":[1,2]}', b'{"sitting":{"number":"x"},"state":{}}']
)
def test_a_snapshot_that_cannot_be_read_says_how_to_make_them_again(ledger, body):
    kept = ledger.state.to_snapshot(parse_entry_id("1.0"), 3)
    ledger.store.replace_snapshots([msgspec.structs.replace(kept, body=body)])
    with pytest.raises(Damaged, match=r"entry 1\.0.*campaign rebuild"):
        load_state(ledger.store, Coins())
    ledger.store.replace_snapshots(build_snapshots(ledger.store, Coins()))
    assert packed_state(load_state(ledger.store, Coins())) == packed_state(ledger.state)


def test_a_standing_knows_its_values(ledger):
    ledger.declare(Purse(by="Bo", points=3), at=AT)
    assert ledger.state.values() == {"Ana.points": 20, "Bo.points": 3}


def test_before_the_first_entry_there_is_nothing():
    ledger_state = load_state(MemoryStore(), Coins())
    assert (
        ledger_state.state.points,
        ledger_state.session.ledger,
        ledger_state.position,
        ledger_state.reusable_numbers,
    ) == ({}, "", 0, {})
    assert ledger_state.last < EntryId(0, 0)


def test_an_opening_is_recorded_as_what_it_is(ledger):
    opening = next(iter(ledger.store.takes(after=parse_entry_id("0.1"))))
    assert [type(fact) for fact in opening.facts] == [Declared, SessionOpened]
    assert opening.facts[1].commitment == commitment(LEDGER, 1, SEED)


def test_session_with_a_lost_seed_is_closed_without_it():
    """Its faces stay unproved, and the next session opens."""
    ledger = create_ledger()
    flip(ledger)
    ledger.seeds.delete(ledger.state.session.commitment)
    with pytest.raises(Refused, match="L-SEED"):
        ledger.close_session(at=AT)
    record = ledger.close_session(at=AT, lost=True)
    assert [fact.seed for fact in record.facts if isinstance(fact, SessionClosed)] == [""]
    report, findings = verify(ledger.store, Coin(), Coins())
    assert (findings, report.sealed, report.drawn) == ([], 1, 0)
    ledger.open_session("two", at=AT)


def test_present_seed_is_revealed_although_called_lost():
    ledger = create_ledger()
    record = ledger.close_session(at=AT, lost=True)
    assert all(fact.seed for fact in record.facts if isinstance(fact, SessionClosed))
