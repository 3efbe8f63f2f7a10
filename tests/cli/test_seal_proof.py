"""A secret that is shown later is proved by what was sealed, in the players' bundle from before."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.conftest import Folder


@pytest.fixture
def shown(folder: Folder, tmp_path: Path) -> tuple[Folder, Path, Path]:
    """A campaign with a secret, the players' bundle of it, and the proof of the secret."""
    folder.run("do", "!! > The lamplighter is the thief")
    bundle, proof = tmp_path / "players.jsonl", tmp_path / "thief.proof"
    folder.run("export", "--bundle", str(bundle), "--as", "players")
    proof.write_text(folder.run("export", "--proof", "1.1"))
    return folder, bundle, proof


@pytest.mark.slow
def test_secret_is_proved_by_the_players_bundle(shown: tuple[Folder, Path, Path]) -> None:
    folder, bundle, proof = shown
    assert "thief" not in bundle.read_text()
    told = folder.run("verify", str(bundle), "--proof", str(proof))
    assert told == "entry 1.1 was sealed at position 5: !! > The lamplighter is the thief\n"
    sealed = json.loads(proof.read_text())["sealed"]
    assert f'"sealed_hash":"{sha256(sealed.encode()).hexdigest()}"' in bundle.read_text()


@pytest.mark.parametrize(
    ("old", "new"), [("thief", "saint"), ('"position":5', '"position":4'), ('"position":5', '"position":99')]
)
def test_another_secret_is_not_proved(shown: tuple[Folder, Path, Path], old: str, new: str) -> None:
    folder, bundle, proof = shown
    text = proof.read_text()
    assert old in text
    proof.write_text(text.replace(old, new, 1))
    done = folder.invoke("verify", str(bundle), "--proof", str(proof))
    assert (done.exit_code, "something else was sealed at position" in done.output) == (1, True), done.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", ["", "{}", "[1]", '{"position":5,"sealed":7}', "\x00", '{"position":1e99,"sealed":""}']
)
def test_file_of_no_proof_is_refused(shown: tuple[Folder, Path, Path], content: str) -> None:
    folder, bundle, proof = shown
    proof.write_text(content)
    assert folder.invoke("verify", str(bundle), "--proof", str(proof)).exit_code in (1, 2, 3)
    assert folder.invoke("verify", str(bundle), "--proof", str(proof.parent)).exit_code == 2
    assert folder.invoke("verify", "--proof", str(proof)).exit_code == 2


@pytest.mark.slow
def test_proof_of_what_is_open_is_refused(shown: tuple[Folder, Path, Path]) -> None:
    folder, *_ = shown
    assert "nothing of entry 1.0 is sealed" in folder.invoke("export", "--proof", "1.0").output
    assert folder.invoke("export", "--proof", "1.1", "--as", "players").exit_code == 2
    assert folder.invoke("export", "--proof", "one").exit_code in (2, 3)


@pytest.mark.slow
def test_kept_head_is_checked_in_a_bundle_too(
    shown: tuple[Folder, Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAMPAIGN_HEADS", str(tmp_path / "heads"))
    folder, bundle, _ = shown
    folder.invoke("head", "--keep", "3 abandon abandon abandon able")
    assert "differs from the head that was kept" in folder.invoke("verify", str(bundle)).output
