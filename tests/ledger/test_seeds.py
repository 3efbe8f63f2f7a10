"""The seed file of an open session, and that it stays secret."""

from __future__ import annotations

import logging
import os
import stat
import traceback
from io import StringIO

import pytest

from ledger import sqlite_store as sqlite
from ledger.builtin import AddWords
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Refused
from ledger.facts import SessionClosed
from ledger.memory_store import MemorySeeds
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.snapshots import build_snapshots
from tests.ledger.coin import Coins, Flip, Purse
from tests.ledger.strategies import AT, SEED, bytes_of, create_ledger, flip, new_ledger


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


@pytest.mark.slow
def test_seed_file_exists_while_the_session_is_open(at_home):
    ledger, file, path = at_home
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ledger.close_session(at=AT)
    assert sorted(os.listdir(path.parent)) == ["ledger.db"]


@pytest.mark.slow
def test_seed_that_a_killed_close_has_left_goes_at_the_next_opening(at_home):
    ledger, file, _ = at_home
    seed = file.read_text()
    ledger.close_session(at=AT)
    file.write_text(seed)
    ledger.open_session("two", at=AT)
    (other,) = file.parent.glob("seed-*")
    assert other != file


@pytest.mark.slow
def test_seed_of_a_session_that_was_closed_as_lost_stays(at_home):
    """Somebody may have found it: it alone can prove the faces."""
    ledger, file, _ = at_home
    seed = file.read_text()
    file.unlink()
    ledger.close_session(at=AT, lost=True)
    file.write_text(seed)
    ledger.open_session("two", at=AT)
    assert file.read_text() == seed


@pytest.mark.slow
def test_the_seed_is_nowhere_in_the_ledger_file_before_the_closing(at_home):
    ledger, file, path = at_home
    seed = bytes.fromhex(file.read_text())
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    for _ in range(3):
        flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    ledger.store.replace_snapshots(build_snapshots(ledger.store, Coins()), after=ledger.store.head())
    forms = {seed, seed.hex().encode(), seed.hex().upper().encode(), seed[:8], seed.hex()[:16].encode()}
    assert [form for form in forms if form in path.read_bytes()] == []
    ledger.close_session(at=AT)
    assert seed.hex().encode() in path.read_bytes()


@pytest.fixture
def debug_log():
    """Everything that is logged, as text."""
    text = StringIO()
    handler, root = logging.StreamHandler(text), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.mark.slow
def test_the_seed_is_in_no_repr_no_traceback_and_no_log(at_home, debug_log, capsys):
    ledger, file, _ = at_home
    seed = file.read_text().strip()
    told = []
    record = flip(ledger)
    for said in (Flip(by="Bo"), Flip(by="Ana")):
        try:
            ledger.declare(said, at=AT, faces=(9,))
        except LedgerError as error:
            told += [traceback.format_exc(), repr(error), str(error), repr(vars(error))]
    things = [ledger, ledger.seeds, ledger.state, ledger.state.session, ledger.store, record, ledger.game]
    told += [repr(thing) for thing in things] + [repr(vars(ledger)), repr(vars(ledger.seeds)), debug_log.getvalue()]
    told += capsys.readouterr()
    assert len(told) > 10
    assert [text for text in told if seed in text or repr(bytes.fromhex(seed))[2:-1] in text] == []


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"zz" * 32, b"00" * 31, b"00" * 33, b"\xff" * 64, b"\x00" * 64])
@pytest.mark.parametrize("act", [flip, lambda ledger: ledger.close_session(at=AT)])
def test_a_seed_file_that_holds_no_seed_is_named(at_home, content, act):
    ledger, file, path = at_home
    file.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(Refused, match=rf"L-SEED.*{file.name}"):
        act(ledger)
    assert path.read_bytes() == before


def no_seed_at_all(file):
    pass


def folder_for_a_seed(file):
    file.mkdir()


def fifo_for_a_seed(file):
    os.mkfifo(file)


def device_for_a_seed(file):
    file.symlink_to("/dev/zero")


def loop_for_a_seed(file):
    file.symlink_to(file.name)


def empty_seed(file):
    file.touch()


BAD_SEEDS = [no_seed_at_all, folder_for_a_seed, fifo_for_a_seed, device_for_a_seed, loop_for_a_seed, empty_seed]


@pytest.mark.slow
@pytest.mark.parametrize("spoil", BAD_SEEDS)
def test_bad_seed_file_stops_drawn_dice_only(at_home, spoil):
    ledger, file, _ = at_home
    file.unlink()
    spoil(file)
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    flip(ledger, faces=(2,))
    for act in (flip, lambda ledger: ledger.close_session(at=AT)):
        with pytest.raises(Refused, match="L-SEED"):
            act(ledger)
    closing = ledger.close_session(at=AT, lost=True)
    assert [fact.seed for fact in closing.facts if isinstance(fact, SessionClosed)] == [""]
    assert not ledger.state.session.open


@pytest.mark.slow
def test_seed_file_is_read_for_drawn_dice_only(at_home, monkeypatch):
    ledger, _, _ = at_home
    monkeypatch.setattr(ledger.seeds, "get", lambda commitment: pytest.fail("the seed was read"))
    ledger.declare(Purse(by="Bo", points=1), at=AT)
    flip(ledger, faces=(2,))


@pytest.mark.slow
@pytest.mark.parametrize("lost", [True, False])
def test_overtaken_close_leaves_the_next_session_open(at_home, monkeypatch, lost):
    ledger, file, _ = at_home
    kept = file.read_bytes()
    if lost:
        file.unlink()
    overtaken, declare = new_ledger(ledger.store, seeds=ledger.seeds), Ledger.declare

    def overtake(self, said, **more):
        monkeypatch.undo()
        file.write_bytes(kept)
        ledger.close_session(at=AT)
        ledger.open_session("two", at=AT)
        return declare(self, said, **more)

    monkeypatch.setattr(Ledger, "declare", overtake)
    with pytest.raises(Refused, match=r"L-CLOSED.*session 1 was closed by somebody else"):
        overtaken.close_session(at=AT, lost=lost)
    ledger.refresh()
    assert (ledger.state.session.number, ledger.state.session.open) == (2, True)
    flip(ledger)


@pytest.mark.parametrize("error", [LedgerError("the disk is full"), Refused("L-OPEN", "no"), KeyboardInterrupt()])
def test_failed_opening_leaves_no_seed_file(tmp_path, monkeypatch, error):
    ledger = create_ledger(opened=False, seeds=SeedFiles(tmp_path))

    def fail(*arguments, **more):
        raise error

    monkeypatch.setattr(ledger.store, "append", fail)
    with pytest.raises(type(error)):
        ledger.open_session("one", at=AT)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["open", "replace", "fsync"])
def test_seed_that_cannot_be_saved_leaves_no_file(tmp_path, monkeypatch, call):
    def fail(*arguments, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(LedgerError, match="No space left"):
        SeedFiles(tmp_path).save("c" * 64, SEED)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
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
    """Ctrl-C right after the commit: the session is open, so its seed must be kept."""
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
