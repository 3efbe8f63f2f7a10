"""Heads in words, those that were kept, and commitments that were noted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.commands.play import prompt_with_head
from cli.context import CampaignContext
from cli.shell.shell import Shell
from ledger.errors import Unreadable
from ledger.head_words import head_words, parse_kept_head, spoken_head, word_list
from ledger.records import Head
from tests.cli.conftest import CLOCK, Folder, copied

HASH = "3f9c" + "0" * 60


@pytest.fixture(autouse=True)
def heads_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep heads in a folder of the test."""
    monkeypatch.setenv("CAMPAIGN_HEADS", str(tmp_path / "heads"))
    return tmp_path / "heads"


def words_of(folder: Folder) -> str:
    """Return the head of a ledger as it is read aloud."""
    return folder.run("head").partition("words ")[2].strip()


def test_four_letters_tell_each_word_of_the_list() -> None:
    assert len({word[:4] for word in word_list()}) == len(word_list()) == 2048
    assert list(word_list()) == sorted(word_list())


def test_words_are_the_first_44_bits_of_the_hash() -> None:
    places = [int("3f9c0000000"[:11], 16) >> 33, (0x3F9C0000000 >> 22) & 2047, 0, 0]
    assert head_words(HASH) == tuple(word_list()[place] for place in places)
    assert head_words(HASH[:11] + "f" * 53) == head_words(HASH)
    assert head_words(HASH[:10] + "1" + "0" * 53) != head_words(HASH)


@pytest.mark.parametrize("written", ["{}", "  {}  ", "17, {1}, {2}, {3}, {4}", "17 {1:.4} {2:.4} {3:.4} {4:.4}"])
def test_head_in_words_is_read_however_it_is_written(written: str) -> None:
    spoken = spoken_head(Head(17, HASH))
    assert parse_kept_head(written.format(spoken, *spoken.words)) == spoken
    assert parse_kept_head(str(spoken).upper()) == spoken


@pytest.mark.parametrize("text", ["", "17", "17 soul paper scene", "soul paper scene tank", "17 soul paper scene zzzz"])
def test_text_that_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_kept_head(text)


@pytest.mark.slow
def test_kept_heads_are_checked_by_verify_of_any_copy(played: Folder, tmp_path: Path) -> None:
    copy = copied(played, tmp_path / "copy")
    assert played.run("head", "--keep", words_of(played), "--by", "ana").startswith("It fits")
    played.run("do", "> Rain")
    copy.run("do", "> Snow")
    played.run("head", "--keep", words_of(played))
    assert "No kept head" not in played.invoke("verify").output
    differs = copy.invoke("verify")
    assert differs.exit_code == 1
    assert "its hash differs from the head that was kept" in differs.output
    assert copy.invoke("verify", "--quick").exit_code == 1
    assert re.search(r"\(ana\), kept 2026", played.run("head", "--kept"))


def test_head_that_does_not_fit_is_told_kept_and_forgotten(played: Folder, heads_here: Path) -> None:
    wrong = "3 abandon abandon abandon able"
    kept = played.invoke("head", "--keep", wrong)
    assert kept.exit_code == 1
    assert "It does not fit: the words at 3 are" in kept.output
    assert played.invoke("verify").exit_code == 1
    assert len(list(heads_here.iterdir())) == 1
    assert "no longer kept" in played.run("head", "--forget", wrong)
    assert played.invoke("verify").exit_code == 0


def test_head_beyond_the_end_is_kept_until_it_is_reached(played: Folder) -> None:
    assert "not known yet" in played.invoke("head", "--keep", f"999 {' '.join(head_words(HASH))}").output
    assert "a head was kept there, but the ledger ends at" in played.invoke("verify").output


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("content", [b"17 soul\n", b'{"head":"17 x","at":""}\n', b"\xff\n", b'{"head":1}\n'])
def test_broken_file_of_heads_is_refused_and_left(played: Folder, heads_here: Path, content: bytes) -> None:
    played.run("head", "--keep", words_of(played))
    (file,) = heads_here.iterdir()
    file.write_bytes(file.read_bytes() + content)
    before = file.read_bytes()
    for command in (["verify"], ["head"], ["head", "--keep", "17 soul paper scene tank"]):
        done = played.invoke(*command)
        assert (done.exit_code, "line 2: it is not a kept head" in done.output) == (3, True), done.output
    assert file.read_bytes() == before


def test_commitment_is_found_with_its_session_or_not(played: Folder) -> None:
    noted = played.run("log", "1").partition("commitment ")[2].split()[0]
    assert f"the commitment {noted} is that of session 1" in played.run("verify", "--commitment", noted.upper())
    other = played.invoke("verify", "--quick", "--commitment", "ab" * 32)
    assert (other.exit_code, "no session has the commitment" in other.output) == (1, True)
    assert played.invoke("verify", "--commitment", "abc").exit_code == 2


def test_log_has_the_head_in_words_at_each_scene(played: Folder) -> None:
    played.run("open", "Two")
    played.run("do", "# The lamp room")
    lines = played.run("log", "2").splitlines()
    assert lines[lines.index("2.1   # The lamp room") + 1] == f"      head {words_of(played)}"
    assert f"      head {words_of(played)}" in played.run("log", "2", "--as", "players").splitlines()


def test_opening_and_closing_print_the_head_in_words(played: Folder) -> None:
    for command in (["open", "Two"], ["close"]):
        assert f"words {words_of(played)}" not in (printed := played.invoke(*command).output)
        assert f"words {words_of(played)}" in printed.splitlines()


def test_prompt_shows_the_head_in_words_if_asked(played: Folder) -> None:
    context = CampaignContext(played.path, CLOCK)
    shell = Shell(context, lambda _: 0, input)
    assert prompt_with_head(shell) == f"({words_of(played)})\n{shell.prompt()}"
    context.close()
