"""Test where the tokens of the links are kept, and which are not used again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.web.tokens import TOKEN_FILE, load_tokens


def test_tokens_are_those_of_the_last_time(tmp_path: Path) -> None:
    tokens = load_tokens(tmp_path)
    assert tokens.keys() == {"players", "gm"}
    assert len(set(tokens.values())) == 2
    assert load_tokens(tmp_path) == tokens


def test_token_file_is_the_owners_alone(tmp_path: Path) -> None:
    load_tokens(tmp_path)
    assert (tmp_path / TOKEN_FILE).stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == [TOKEN_FILE]


def test_new_tokens_take_the_place_of_the_old(tmp_path: Path) -> None:
    old = load_tokens(tmp_path)
    new = load_tokens(tmp_path, new=None)
    assert not {*old.values()} & {*new.values()}
    assert load_tokens(tmp_path) == new


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[]", b'{"players": "x"}', b'{"players": "", "gm": ""}', b"{" * 2000]
)
def test_spoiled_file_is_written_again(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / TOKEN_FILE
    path.touch(mode=0o600)
    path.write_bytes(content)
    tokens = load_tokens(tmp_path)
    assert all(len(token) == 22 for token in tokens.values())
    assert load_tokens(tmp_path) == tokens


def test_same_token_for_both_is_not_taken(tmp_path: Path) -> None:
    token = load_tokens(tmp_path)["players"]
    (tmp_path / TOKEN_FILE).write_text(json.dumps({"players": token, "gm": token}), encoding="utf-8")
    assert token not in load_tokens(tmp_path).values()


def test_tokens_that_others_could_read_are_not_used(tmp_path: Path) -> None:
    old = load_tokens(tmp_path)
    (tmp_path / TOKEN_FILE).chmod(0o644)
    new = load_tokens(tmp_path)
    assert not {*old.values()} & {*new.values()}
    assert (tmp_path / TOKEN_FILE).stat().st_mode & 0o777 == 0o600


def test_folder_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / TOKEN_FILE).mkdir()
    assert load_tokens(tmp_path) != load_tokens(tmp_path)
    assert "serve.secret cannot be written" in capsys.readouterr().err
