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
    declared,
    faces,
    flip,
    found_wrong,
    founded,
    new_table,
    played,
    taken_back,
)


def points(table, who="Ana"):
    return table.state.state.points.get(who)


def results(record):
    return [fact.result for fact in record.facts if isinstance(fact, Judged)]


def packed(place):
    """All that a standing knows, so that two can be compared."""
    return place.projection.pack(place.state), place.session, place.last, place.reusable_numbers, place.position


def from_zero(store):
    """Where the ledger stands when no snapshot is trusted."""
    place = initial_state(Coins())
    for record in latest_takes(store.takes()):
        place.fold(record)
    place.position = store.head().position
    return place


# Playing


def test_an_entry_holds_what_was_said_and_all_that_follows(table):
    record = flip(table)
    assert [type(fact) for fact in record.facts] == [Declared, PointsSpent, Rolled, Judged]
    assert declared(record) == Declared(
        by="Ana", said=msgspec.Raw(b'{"say":"flip","by":"Ana","again":false}'), line="ana flip", faces=None
    )
    assert (str(record.id), record.take, record.position, record.by, record.at) == ("1.1", 1, 4, "Ana", AT)
    assert points(table) == 19


def test_the_first_entries_are_the_founding_and_what_comes_before_the_first_session():
    table = new_table()
    assert str(table.create("Coins", at=AT).id) == "0.0"
    assert len(table.state.session.ledger) == 32
    assert str(table.declare(Purse(by="Ana", points=3), at=AT).id) == "0.1"
    assert str(table.open_session("one", at=AT).id) == "1.0"
    assert str(flip(table).id) == "1.1"


def test_each_fact_of_an_entry_is_decided_on_the_state_after_the_one_before(table):
    record = flip(table, again=True)
    assert [fact.now for fact in record.facts if isinstance(fact, PointsSpent)] == [19, 18]


def test_the_dice_are_those_of_seed_words_and_entry():
    """Known faces of the fixed seed `a coin`: the first five flips of the session."""
    table = founded()
    assert [faces(flip(table))["flip"] for _ in range(5)] == FIRST_FIVE
    other = founded()
    other.declare(AddWords(by="Ana", words="brass kettle"), at=AT)  # 1.1
    after = [faces(flip(other))["flip"] for _ in range(15)]
    assert after[:4] != FIRST_FIVE[1:]
    assert after[4:] != [faces(flip(table))["flip"] for _ in range(11)]


FIRST_FIVE = [(2,), (1,), (1,), (2,), (2,)]


def test_what_is_seen_by_whom_is_kept(table):
    assert table.declare(Purse(by="Bo", points=1), at=AT, seen="gm").seen == "gm"


def test_the_record_is_in_the_store_as_it_was_handed_back(store):
    table = founded(store)
    record = flip(table)
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
    return lambda table: table.declare(said, at=AT, **more)


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
    pytest.param(lambda table: table.open_session("two", at=AT), Refused, "L-OPEN", id="a session in a session"),
    pytest.param(say(CloseSession(by="gm", seed="00" * 32)), Refused, "L-SEED", id="another seed"),
    pytest.param(say(CloseSession(by="gm", seed="no hex")), Refused, "L-SEED", id="a seed that is none"),
]


@pytest.mark.parametrize(("act", "error", "says"), REFUSALS)
def test_a_refusal_leaves_no_trace(tmp_path, act, error, says):
    path = tmp_path / "ledger.db"
    store = sqlite.create_store(path)
    table = founded(store, points=2, seeds=SeedFiles(tmp_path))
    flip(table)
    before, file, folder = packed(table.state), path.read_bytes(), sorted(os.listdir(tmp_path))
    with pytest.raises(error) as caught:
        act(table)
    assert says in str(caught.value)
    assert (path.read_bytes(), sorted(os.listdir(tmp_path))) == (file, folder)
    assert packed(table.state) == before == packed(load_state(store, Coins()))
    assert str(flip(table).id) == "1.2"  # no number is used up
    store.close()


@pytest.mark.parametrize(
    ("game", "error"), [(Cheat(), OutOfBalance), (Broken(), ZeroDivisionError), (Stringly(), Unreadable)]
)
def test_a_game_that_errs_leaves_no_trace(game, error):
    table = founded()
    wrong = new_table(table.store, game=game, seeds=table.seeds)
    before, log = packed(wrong.state), bytes_of(table.store)
    with pytest.raises(error):
        flip(wrong)
    assert (packed(wrong.state), bytes_of(table.store)) == (before, log)
    assert packed(load_state(table.store, Coins())) == before


def test_deciding_leaves_a_standing_as_it_was_when_it_is_refused(table):
    """What-ifs and replays decide without a table round them."""
    table.declare(Purse(by="Ana", points=1), at=AT)
    place = load_state(table.store, Coins())
    before = packed(place), place.facts_since_snapshot
    with pytest.raises(Refused):
        decide_and_fold(Coin(), place, Flip(by="Ana", again=True), TypedDice([1, 2]), parse_entry_id("1.2"))
    assert (packed(place), place.facts_since_snapshot) == before


def test_a_refused_line_uses_no_dice_up():
    first, second = founded(), founded()
    with pytest.raises(Refused):
        flip(first, "Bo")
    assert faces(flip(first, again=True)) == faces(flip(second, again=True))


def test_when_the_store_fails_the_table_is_as_it_was(table, monkeypatch):
    before = packed(table.state)
    monkeypatch.setattr(table.store, "append", raising(LedgerError("the disk is full")))
    with pytest.raises(LedgerError, match="full"):
        flip(table)
    assert packed(table.state) == before
    monkeypatch.undo()
    assert str(flip(table).id) == "1.1"


def raising(error):
    def append(*_, **__):
        raise error

    return append


@pytest.mark.parametrize("ground", [CreateCampaign, AddWords, CloseSession, Correct, Claim, Tell])
def test_games_never_meet_what_every_game_has(table, ground):
    assert ground not in table.game.declarations


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
    one = founded(Meanwhile(), points=5)
    return one, new_table(one.store, seeds=one.seeds)


def test_whoever_is_overtaken_decides_again_on_what_is_there_now(two):
    one, other = two
    one.store.before("append", lambda: flip(other))
    record = flip(one)
    assert str(record.id) == "1.2"
    assert record.facts[1].now == 3
    assert faces(record)["flip"] == FIRST_FIVE[1]
    assert packed(one.state) == packed(from_zero(one.store))


def test_whoever_is_overtaken_may_be_refused_now(two):
    one, other = two
    one.store.before("append", lambda: other.declare(Purse(by="Ana", points=0), at=AT))
    with pytest.raises(Refused, match="COIN-POOR"):
        flip(one)
    assert one.store.head().position == 4
    assert packed(one.state) == packed(from_zero(one.store))


def test_an_undo_that_is_overtaken_takes_nothing_back(two):
    one, other = two
    flip(one)
    one.store.before("append", lambda: flip(other))
    with pytest.raises(Overtaken):
        undo(one, by="gm", at=AT)
    assert points(new_table(one.store)) == 3


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


def test_a_correction_that_comes_while_the_ledger_is_being_read_is_not_missed():
    """Between the reading of a snapshot and of the head somebody takes back what the snapshot holds."""
    one = founded(Meanwhile(), points=5)
    flip(one)
    one.store.replace_snapshots([one.state.to_snapshot(parse_entry_id("1.1"), 4)])
    other = new_table(one.store, seeds=one.seeds)
    assert points(other) == 4
    late = new_table(one.store, seeds=one.seeds)
    one.store.before("head", lambda: undo(other, by="gm", at=AT))
    assert packed(late.state) == packed(from_zero(one.store))


# Undo


def test_an_undo_takes_the_last_line_back(table):
    undone = flip(table)
    amendment = undo(table, by="gm", at=AT, line="undo")
    assert taken_back(table, amendment) == undone
    assert amendment.facts[1] == Amended(entry="1.1@1", outcome="undo", because="")
    void = list(table.store.takes())[4]
    assert (str(void.id), void.take, void.facts, void.cause, void.request) == ("1.1", 2, (), "1.2", None)
    assert points(table) == 20


def test_an_undo_is_one_append_or_none(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")
    table = founded(store)
    flip(table)
    store._db.execute(
        "CREATE TRIGGER second BEFORE INSERT ON records WHEN NEW.take = 2 BEGIN SELECT RAISE(ABORT,'no'); END"
    )
    before = bytes_of(store)
    with pytest.raises(LedgerError):
        undo(table, by="gm", at=AT)
    assert bytes_of(store) == before
    assert points(table) == 19
    store.close()


def test_what_is_said_after_an_undo_meets_the_same_faces(table):
    first = flip(table, again=True)
    undo(table, by="gm", at=AT)
    second = flip(table, again=True)
    assert (second.id, second.take, faces(second)) == (first.id, 3, faces(first))
    assert second.facts[1:] == first.facts[1:]


def test_another_declaration_after_an_undo_meets_the_same_face_where_it_asks_the_same(table):
    first = flip(table, again=True)
    undo(table, by="gm", at=AT)
    assert faces(flip(table))["flip"] == faces(first)["flip"]


def test_after_several_undos_numbers_are_used_again_lowest_first(table):
    thrown = [flip(table) for _ in range(4)]
    undone = [str(taken_back(table, undo(table, by="gm", at=AT)).id) for _ in range(3)]
    again = [flip(table) for _ in range(4)]
    assert undone == ["1.4", "1.3", "1.2"]
    assert [(str(record.id), record.take) for record in again] == [("1.2", 3), ("1.3", 3), ("1.4", 3), ("1.8", 1)]
    assert [faces(record) for record in again[:3]] == [faces(record) for record in thrown[1:]]
    assert points(table) == 20 - 5
    assert packed(table.state) == packed(from_zero(table.store))


def test_a_new_line_may_be_taken_back_again_and_again(table):
    met = set()
    for take in range(1, 10, 2):
        record = flip(table)
        assert (str(record.id), record.take) == ("1.1", take)
        met.add(str(faces(record)))
        undo(table, by="gm", at=AT)
    assert len(met) == 1
    assert points(table) == 20


def test_numbers_are_used_again_by_a_table_that_reads_the_ledger_anew(table):
    flip(table)
    flip(table)
    undo(table, by="gm", at=AT)
    anew = new_table(table.store, seeds=table.seeds)
    assert (str(flip(anew).id), str(flip(anew).id)) == ("1.2", "1.4")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda table: None,  # the opening stays
        lambda table: (flip(table), undo(table, by="gm", at=AT)),  # what is taken back is not taken back twice
        lambda table: (flip(table), table.close_session(at=AT)),  # the closing stays, and all before it
        lambda table: (flip(table), table.close_session(at=AT), table.open_session("two", at=AT)),
    ],
)
def test_openings_and_closings_are_not_taken_back(table, prepare):
    prepare(table)
    before = bytes_of(table.store)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(table, by="gm", at=AT)
    assert bytes_of(table.store) == before


def test_the_founding_is_not_taken_back():
    table = new_table()
    table.create("Coins", at=AT)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(table, by="gm", at=AT)


def test_a_line_between_sessions_may_be_taken_back(table):
    table.close_session(at=AT)
    table.declare(Purse(by="Ana", points=3), at=AT)
    undo(table, by="gm", at=AT)
    assert points(table) == 20


def test_words_may_not_be_added_once_a_face_was_seen_and_taken_back(table):
    """Else somebody throws, takes back, adds words, and throws better."""
    flip(table)
    undo(table, by="gm", at=AT)
    with pytest.raises(Refused, match="L-WORDS"):
        table.declare(AddWords(by="Ana", words="fishing"), at=AT)


def test_words_may_not_be_taken_back_once_a_face_was_seen(table):
    table.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    flip(table)
    undo(table, by="gm", at=AT)
    with pytest.raises(Refused, match="L-"):
        undo(table, by="gm", at=AT)


def test_words_may_be_taken_back_before_a_face_was_seen(table):
    table.declare(AddWords(by="Ana", words="brass ketle"), at=AT)
    undo(table, by="gm", at=AT)
    table.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    assert table.state.session.words == (("Ana", "brass kettle"),)


# Sessions and words


def test_a_session_is_opened_with_a_commitment_and_closed_with_the_seed(table):
    sitting = table.state.session
    assert sitting.commitment == commitment(LEDGER, 1, SEED)
    assert (sitting.number, sitting.title, sitting.rulebook, sitting.fixed, sitting.open) == (
        1,
        "one",
        "coin 1",
        True,
        True,
    )
    closed = table.close_session(at=AT)
    assert closed.facts[1:] == (SessionClosed(seed=SEED.hex()),)
    assert not table.state.session.open


def test_a_secret_seed_is_a_new_one_each_time():
    one, other = founded(opened=False), founded(opened=False)
    opened = [table.open_session("one", at=AT).facts[1] for table in (one, other)]
    assert [fact.fixed for fact in opened] == [False, False]
    assert opened[0].commitment != opened[1].commitment


def test_sessions_count_on_and_their_words_and_dice_are_their_own(table):
    table.declare(AddWords(by="Ana", words="x"), at=AT)
    flip(table)
    table.close_session(at=AT)
    assert str(table.open_session("two", at=AT, seed=SEED).id) == "2.0"
    sitting = table.state.session
    assert (sitting.words, sitting.drawn, sitting.commitment) == ((), False, commitment(LEDGER, 2, SEED))
    table.declare(AddWords(by="Ana", words="y"), at=AT)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (AddWords(by="Ana", words=""), "L-WORDS"),
        (AddWords(by="Bo", words="again"), "L-WORDS"),  # Bo has added words already
    ],
)
def test_words_are_refused_when_they_are_none_or_the_second(table, said, code):
    table.declare(AddWords(by="Bo", words="first"), at=AT)
    with pytest.raises(Refused, match=code):
        table.declare(said, at=AT)


def test_the_ground_refuses_words_once_dice_were_drawn():
    with pytest.raises(Refused, match="L-WORDS"):
        list(decide_builtin(AddWords(by="Ana", words="x"), SessionState(open=True, drawn=True), dict))


def test_typed_faces_do_not_end_the_time_for_words(table):
    flip(table, faces=(1,))
    table.declare(AddWords(by="Ana", words="still in time"), at=AT)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (say(Flip(by="Ana")), "L-CLOSED"),
        (say(AddWords(by="Ana", words="x")), "L-CLOSED"),
        (lambda table: table.close_session(at=AT), "L-CLOSED"),
    ],
)
@pytest.mark.parametrize("opened_before", [False, True])
def test_between_sessions_there_are_no_seeded_dice_no_words_and_nothing_to_close(act, code, opened_before):
    table = founded(opened=opened_before)
    if opened_before:
        table.close_session(at=AT)
    with pytest.raises(Refused, match=code):
        act(table)


def test_between_sessions_faces_may_be_typed_and_numbers_go_on(table):
    table.close_session(at=AT)
    assert str(flip(table, faces=(2,)).id) == "1.2"
    assert str(table.declare(Purse(by="Bo", points=1), at=AT).id) == "1.3"


def test_a_closing_brings_what_the_game_left_open_to_its_end():
    class Tidy(Coin):
        def before_close(self, state):
            yield PointsSpent(who="Ana", pool="points", points=1, now=state.points["Ana"] - 1, because="the bill")

    table = founded(game=Tidy())
    closed = table.close_session(at=AT)
    assert [type(fact) for fact in closed.facts] == [Declared, PointsSpent, SessionClosed]
    assert points(table) == 19


def test_a_ledger_is_founded_once(table):
    before = bytes_of(table.store)
    with pytest.raises(Refused, match="L-"):
        table.create("Again", at=AT)
    assert bytes_of(table.store) == before


# The seed lies beside the ledger


@pytest.fixture
def at_home(tmp_path):
    """A ledger file with an open session whose seed is secret, and its seed file."""
    store = sqlite.create_store(tmp_path / "ledger.db")
    table = founded(store, opened=False, seeds=SeedFiles(tmp_path))
    table.open_session("one", at=AT)
    (file,) = tmp_path.glob("seed-*.secret")
    yield table, file, tmp_path / "ledger.db"
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


def test_the_seed_file_is_written_at_the_opening_and_removed_at_the_closing(at_home):
    table, file, path = at_home
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    table.close_session(at=AT)
    assert sorted(os.listdir(path.parent)) == ["ledger.db"]


def test_the_seed_is_nowhere_in_the_ledger_file_before_the_closing(at_home):
    table, file, path = at_home
    seed = bytes.fromhex(file.read_text())
    table.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    for _ in range(3):
        flip(table, again=True)
    undo(table, by="gm", at=AT)
    table.store.replace_snapshots(build_snapshots(table.store, Coins()))
    forms = {seed, seed.hex().encode(), seed.hex().upper().encode(), seed[:8], seed.hex()[:16].encode()}
    assert [form for form in forms if form in path.read_bytes()] == []
    table.close_session(at=AT)
    assert seed.hex().encode() in path.read_bytes()


def test_the_seed_is_in_no_repr_no_traceback_and_no_log(at_home, caplog, capsys):
    table, file, _ = at_home
    seed = file.read_text().strip()
    told = []
    with caplog.at_level(logging.DEBUG):
        record = flip(table)
        for said in (Flip(by="Bo"), Flip(by="Ana")):
            try:
                table.declare(said, at=AT, faces=(9,))
            except LedgerError as error:
                told += [traceback.format_exc(), repr(error), str(error), repr(vars(error))]
    things = [table, table.seeds, table.state, table.state.session, table.store, record, table.game]
    told += [repr(thing) for thing in things] + [repr(vars(table)), repr(vars(table.seeds)), caplog.text]
    told += capsys.readouterr()
    assert len(told) > 10
    assert [text for text in told if seed in text or repr(bytes.fromhex(seed))[2:-1] in text] == []


@pytest.mark.parametrize("act", [flip, lambda table: table.close_session(at=AT)])
def test_without_the_seed_nothing_is_drawn_or_closed_until_it_is_put_back(at_home, act):
    table, file, path = at_home
    kept = file.read_bytes()
    file.unlink()
    before = path.read_bytes()
    with pytest.raises(Refused, match="L-SEED") as caught:
        act(table)
    assert "seed file" in str(caught.value)
    assert path.read_bytes() == before
    assert str(flip(table, faces=(2,)).id) == "1.1"  # faces may be typed all the same
    table.declare(Purse(by="Bo", points=1), at=AT)
    file.write_bytes(kept)
    act(table)


@pytest.mark.parametrize("content", [b"", b"zz" * 32, b"00" * 31, b"00" * 33, b"\xff" * 64, b"\x00" * 64])
@pytest.mark.parametrize("act", [flip, lambda table: table.close_session(at=AT)])
def test_a_seed_file_that_holds_no_seed_is_named(at_home, content, act):
    table, file, path = at_home
    file.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(Unreadable, match=file.name):
        act(table)
    assert path.read_bytes() == before


@pytest.mark.parametrize("act", [pytest.param(flip), lambda table: table.close_session(at=AT)])
def test_the_seed_of_something_else_is_refused(at_home, act):
    table, file, path = at_home
    file.write_text(fixed_seed("another").hex())
    before = path.read_bytes()
    with pytest.raises(Refused, match="L-SEED"):
        act(table)
    assert path.read_bytes() == before


def test_a_session_that_cannot_keep_its_seed_is_not_opened(tmp_path):
    table = founded(opened=False, seeds=SeedFiles(tmp_path / "missing"))
    before = bytes_of(table.store)
    with pytest.raises(LedgerError, match="cannot be saved"):
        table.open_session("one", at=AT)
    assert bytes_of(table.store) == before


def test_an_opening_that_was_written_keeps_its_seed_although_it_was_interrupted(monkeypatch):
    """Ctrl-C right after the commit: the session is open, so its seed must not be thrown away."""
    table = founded(opened=False)
    append = table.store.append

    def interrupted(*arguments, **more):
        append(*arguments, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(table.store, "append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        table.open_session("one", at=AT)
    monkeypatch.undo()
    again = new_table(table.store, seeds=table.seeds)
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


def test_a_request_said_twice_counts_once(table):
    first = flip(table, request="k1")
    assert flip(table, request="k1") == first
    assert flip(new_table(table.store), request="k1") == first
    assert points(table) == 19


def test_a_request_key_with_another_line_is_refused(table):
    flip(table, request="k1")
    with pytest.raises(Refused, match=r"L-REQUEST.*ana flip"):
        flip(table, again=True, request="k1")
    assert points(table) == 19


def test_a_request_key_with_something_else_said_is_refused_where_there_is_no_line(table):
    table.declare(Purse(by="Ana", points=3), at=AT, request="k1")
    with pytest.raises(Refused, match="L-REQUEST"):
        table.declare(Purse(by="Ana", points=4), at=AT, request="k1")


def test_a_request_that_was_refused_may_be_said_again(table):
    with pytest.raises(Refused):
        flip(table, "Bo", request="k1")
    table.declare(Purse(by="Bo", points=1), at=AT)
    assert flip(table, "Bo", request="k1").request == "k1"


def test_a_request_that_was_taken_back_is_not_said_again(table):
    first = flip(table, request="k1")
    undo(table, by="gm", at=AT)
    assert flip(table, request="k1") == first
    assert points(table) == 20


def test_an_undo_with_a_request_is_done_once(table):
    flip(table)
    second = flip(table)
    done = undo(table, by="gm", at=AT, request="u1")
    assert taken_back(table, done) == second
    assert undo(table, by="gm", at=AT, request="u1") == done
    assert points(table) == 19


# Typed faces


def test_typed_faces_are_kept_and_marked(table):
    record = flip(table, again=True, faces=(2, 1))
    assert results(record) == ["heads", "tails"]
    assert declared(record).faces == (2, 1)
    assert [fact.source for fact in record.facts if isinstance(fact, Rolled)] == ["table", "table"]
    assert not table.state.session.drawn


def test_only_faces_that_were_asked_for_are_kept(table):
    assert declared(flip(table, faces=(2, 1, 1))).faces == (2,)
    assert declared(table.declare(Purse(by="Bo", points=1), at=AT, faces=(6,))).faces is None


def test_a_line_with_typed_faces_takes_none_from_the_seed(table):
    with pytest.raises(BadFaces) as caught:
        flip(table, again=True, faces=(2,))
    assert caught.value.purpose == "flip again"


# Claims and telling


def test_a_claim_is_compared_and_sets_nothing(table):
    values = (("Ana.points", 20), ("Ana.points", 7), ("Bo.points", 1), ("Ana.points", "many"))
    record = table.declare(Claim(by="Ana", values=values), at=AT)
    assert record.facts[1:] == (
        Claimed(value="Ana.points", claimed=20, actual=20),
        Claimed(value="Ana.points", claimed=7, actual=20),
        Claimed(value="Bo.points", claimed=1, actual=None),
        Claimed(value="Ana.points", claimed="many", actual=20),
    )
    assert points(table) == 20


def test_what_is_told_is_kept(table):
    record = table.declare(Tell(by="gm", kind="scene", who="", text="A cellar.", seen="gm"), at=AT)
    assert (record.facts[1].text, record.facts[1].seen) == ("A cellar.", "gm")


# Snapshots, and standing at an entry or as of a position


def test_each_opening_writes_a_snapshot(store):
    played(store)
    assert [str(kept.entry) for kept in store.snapshots()] == ["1.0", "2.0"]


def test_after_many_facts_there_is_a_snapshot_and_it_and_the_tail_are_the_fold_from_zero(store):
    table = founded(store, points=1000)
    count = FACTS_BETWEEN_SNAPSHOTS // 3 * 2 + 20
    for _ in range(count):
        flip(table)
    kept = list(store.snapshots())
    assert len(kept) == 3  # at the opening, and every 500 facts
    place = load_state(store, Coins())
    assert 0 < place.facts_since_snapshot < FACTS_BETWEEN_SNAPSHOTS
    assert packed(place) == packed(table.state) == packed(from_zero(store))
    assert place.state.points == {"Ana": 1000 - count}
    assert [found for found in found_wrong(store) if "snapshot" in found] == []


@pytest.mark.parametrize("at", ["0.1", "1.0", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0", "2.1", "2.2"])
def test_standing_at_an_entry_is_the_fold_up_to_it(store, at):
    played(store)
    expected = initial_state(Coins())
    for record in latest_takes(store.takes(upto=parse_entry_id(at))):
        expected.fold(record)
    place = load_state(store, Coins(), at=parse_entry_id(at))
    assert packed(place)[:4] == packed(expected)[:4]


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
    place = load_state(store, Coins(), as_of=as_of)
    assert (place.state.points.get("Ana"), place.position) == (left, as_of)


def test_standing_at_an_entry_as_of_a_position_joins_both(store):
    played(store)
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=6).state.points == {"Ana": 17}
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=8).state.points == {"Ana": 19}
    assert load_state(store, Coins(), at=parse_entry_id("1.2"), as_of=99).state.points == {"Ana": 19}


def test_snapshots_made_anew_are_used_for_now_and_not_for_the_past(store):
    table = played(store)
    before = [load_state(store, Coins(), as_of=n).state.points for n in range(15)]
    store.replace_snapshots(build_snapshots(store, Coins()))
    assert [str(kept.entry) for kept in store.snapshots()] == ["0.0", "1.0", "2.0"]
    assert [load_state(store, Coins(), as_of=n).state.points for n in range(15)] == before
    assert packed(load_state(store, Coins())) == packed(table.state)


def test_snapshots_made_anew_do_not_forget_the_numbers_to_be_used_again(table, monkeypatch):
    monkeypatch.setattr(snapshots, "FACTS_BETWEEN_SNAPSHOTS", 1)
    first = flip(table)
    undo(table, by="gm", at=AT)
    table.store.replace_snapshots(build_snapshots(table.store, Coins()))
    again = flip(new_table(table.store, seeds=table.seeds))
    assert (again.id, again.take, faces(again)) == (first.id, 3, faces(first))


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"nonsense", b'{"session":{},"state":[1,2]}', b'{"sitting":{"number":"x"},"state":{}}']
)
def test_a_snapshot_that_cannot_be_read_says_how_to_make_them_again(table, body):
    kept = table.state.to_snapshot(parse_entry_id("1.0"), 3)
    table.store.replace_snapshots([msgspec.structs.replace(kept, body=body)])
    with pytest.raises(Damaged, match=r"entry 1\.0.*campaign rebuild"):
        load_state(table.store, Coins())
    table.store.replace_snapshots(build_snapshots(table.store, Coins()))
    assert packed(load_state(table.store, Coins())) == packed(table.state)


def test_a_standing_knows_its_values(table):
    table.declare(Purse(by="Bo", points=3), at=AT)
    assert table.state.values() == {"Ana.points": 20, "Bo.points": 3}


def test_before_the_first_entry_there_is_nothing():
    place = load_state(MemoryStore(), Coins())
    assert (place.state.points, place.session.ledger, place.position, place.reusable_numbers) == ({}, "", 0, {})
    assert place.last < EntryId(0, 0)


def test_an_opening_is_recorded_as_what_it_is(table):
    opening = next(iter(table.store.takes(after=parse_entry_id("0.1"))))
    assert [type(fact) for fact in opening.facts] == [Declared, SessionOpened]
    assert opening.facts[1].commitment == commitment(LEDGER, 1, SEED)


def test_a_session_whose_seed_is_lost_for_good_can_be_closed_and_says_so():
    """Its faces stay unproved, and the next session opens."""
    table = founded()
    flip(table)
    table.seeds.delete(table.state.session.commitment)
    with pytest.raises(Refused, match="L-SEED"):
        table.close_session(at=AT)
    record = table.close_session(at=AT, lost=True)
    assert [fact.seed for fact in record.facts if isinstance(fact, SessionClosed)] == [""]
    report, findings = verify(table.store, Coin(), Coins())
    assert (findings, report.sealed, report.drawn) == ([], 1, 0)
    table.open_session("two", at=AT)


def test_a_seed_that_is_there_is_revealed_even_when_it_is_said_to_be_lost():
    table = founded()
    record = table.close_session(at=AT, lost=True)
    assert all(fact.seed for fact in record.facts if isinstance(fact, SessionClosed))
