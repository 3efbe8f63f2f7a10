"""Games of other packages: found by their entry point, and a package that is wrong harms no other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import campaign
from ledger.errors import LedgerError
from rulebooks import GAMES, UnknownGame, game_names, load_game
from rulebooks.installed import installed_games
from tests.cli.commands import run
from tests.cli.conftest import Folder, one_error
from tests.packages import add_package, forget_games
from tests.rulebooks.test_write_a_game import FILES


def add_coin(folder: Path, package: str = "coin-game", *, code: str | None = None, **entry: str) -> None:
    """Install the game of the page as a package, or with other code."""
    for name, content in {**FILES, **({} if code is None else {"game.py": code})}.items():
        Folder(folder).file(f"coin/{name}", content)
    add_package(folder, package, entry or {"coin": "coin.game:GAME"})
    forget_games("coin", "coin.game")


def said(*arguments: str) -> str:
    """Return what a command prints, which ends well."""
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done.output


def in_folder(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(campaign, ["-C", str(path), *arguments])


def test_installed_game_is_found_and_played(packages, tmp_path):
    add_coin(packages)
    assert game_names() == [*GAMES, "coin"]
    assert load_game("coin").name == "coin"
    assert "Coin: a game of heads or tails (1, revision 1, of coin-game 1.0)" in " ".join(said("game", "list").split())
    path = tmp_path / "evening"
    said("new", "Heads", str(path), "--game", "coin")
    (tmp_path / "ana.toml").write_text('name = "Ana"\n')
    assert in_folder(path, "cast", str(tmp_path / "ana.toml")).exit_code == 0
    assert in_folder(path, "open", "--seed", "coin").exit_code == 0
    assert "points 3>2 (flip), points 2>4 (heads)" in in_folder(path, "do", "ana flip /2").output
    assert "the replay agrees" in in_folder(path, "replay").output


def test_game_of_another_package_is_an_option_everywhere(packages):
    add_coin(packages)
    assert "CO-FLIP-1" in said("rules", "--game", "coin")
    assert "Flip the coin" in said("help", "flip", "--game", "coin")
    assert "This game has no templates" in said("sheet", "--game", "coin")
    assert "Coin has no tutorial" in one_error(run("tutorial", "--game", "coin"), 3)
    assert "coin" in said("new", "--game")


def test_missing_game_of_a_ledger_says_what_to_install(packages, tmp_path):
    add_coin(packages, code=FILES["game.py"].replace('version = "1"', 'version = "2"\n    revision = 3'))
    path = tmp_path / "evening"
    said("new", "Heads", str(path), "--game", "coin")
    in_folder(path, "open", "--seed", "coin")
    for file in packages.rglob("entry_points.txt"):
        file.unlink()
    forget_games("coin", "coin.game")
    for command in (["replay"], ["show"], ["do", "ana flip"], ["verify"]):
        done = in_folder(path, *command)
        assert done.exit_code in (1, 3)
        assert "its game is coin 2, revision 3, and no package that is installed here has it" in done.output
        assert "Install the package of coin 2 beside this program" in done.output
        assert "Traceback" not in done.output


def test_missing_game_of_a_bundle_is_an_error_with_its_name(packages, tmp_path, monkeypatch):
    add_coin(packages)
    path, bundle = tmp_path / "evening", tmp_path / "evening.jsonl"
    said("new", "Heads", str(path), "--game", "coin")
    in_folder(path, "export", "--bundle", str(bundle))
    for file in packages.rglob("entry_points.txt"):
        file.unlink()
    forget_games("coin", "coin.game")
    monkeypatch.setattr("cli.processes.Processes", None)  # none is started
    commands = (["import", str(bundle), str(tmp_path / "new")], ["verify", str(bundle), "--jobs", "2"])
    for command in (*commands, ["-C", str(bundle), "show"]):
        error = one_error(run(*command), 3)
        assert error.startswith(f"{bundle}: its game is coin 1, revision 1, and no package"), error
        assert error.endswith("campaign game list.")
    assert not (tmp_path / "new").exists()


GAME = FILES["game.py"]
WRONG = {
    "an import that fails": ("import no_such_module\n", "cannot be imported: ModuleNotFoundError"),
    "code that does not parse": ("def (:\n", "cannot be imported: SyntaxError"),
    "an error of its own": ('raise RuntimeError("\\x1b[31m" + "boom " * 200)\n', "cannot be imported: RuntimeError"),
    "an end of the program": ("raise SystemExit(0)\n", "cannot be imported: SystemExit"),
    "no such object": ("", "cannot be imported: AttributeError"),
    "a module": ("import re as GAME\n", "is of the class module, and must be an object of a Game"),
    "a class": (GAME.replace("Coin()", "Coin"), "is the class Coin, and must be an object of a Game"),
    "another name": (GAME.replace('name = "coin"', 'name = "flip"'), "has the name 'flip', and its entry point says"),
    "no name": (GAME.replace('name = "coin"', ""), "has the name None"),
    "no version": (GAME.replace('version = "1"', ""), "has no version"),
    "a version of two words": (GAME.replace('version = "1"', 'version = "1 beta"'), "has no version"),
    "no revision": (GAME.replace('version = "1"', 'version = "1"\n    revision = None'), "has no revision"),
    "revision 0": (GAME.replace('version = "1"', 'version = "1"\n    revision = 0'), "has no revision"),
    "no rulebook": (GAME.replace("rulebook = Rulebook(texts=TEXTS)", ""), "has no rulebook"),
}  # fmt: skip


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("case", WRONG)
def test_package_that_is_wrong_is_a_sentence(packages, tmp_path, case):
    code, sentence = WRONG[case]
    add_coin(packages, code=code)
    for arguments in (["new", "Heads", str(tmp_path / "evening"), "--game", "coin"], ["rules", "--game", "coin"]):
        error = one_error(run(*arguments), 2)
        assert "the game 'coin' of the package coin-game 1.0 cannot be used: coin.game:GAME" in error
        assert sentence in error
        assert "pip uninstall coin-game" in error
        assert len(error) < 600
    with pytest.raises(LedgerError) as raised:
        load_game("coin")
    assert str(raised.value).isprintable()
    assert not (tmp_path / "evening").exists()
    listed = run("game", "list")
    assert listed.exit_code == 3
    assert sentence in listed.stderr
    assert "Traceback" not in listed.output
    assert [line.split()[0] for line in listed.stdout.splitlines() if line[0] != " "] == list(GAMES)
    assert said("help", "--game", "monolith", "attack")


def test_book_that_is_missing_is_named(packages):
    add_coin(packages)
    (packages / "coin" / "rulebook.toml").unlink()
    listed = run("game", "list")
    assert listed.exit_code == 3
    assert "rulebook.toml: it cannot be read: No such file or directory. Install the game again" in listed.stderr


def test_book_of_another_version_is_named(packages):
    add_coin(packages, code=GAME.replace('version = "1"', 'version = "2"'))
    assert "its rulebook.toml is of coin 1, not coin 2" in run("game", "list").stderr


def test_game_of_ours_is_played_in_any_case(packages):
    add_coin(packages, mars="coin.game:GAME")
    assert type(load_game("mars")).__module__ == "rulebooks.mars.game"
    listed = run("game", "list")
    assert listed.exit_code == 3
    assert "campaign-ledger has a game of this name itself" in listed.stderr
    assert "coin-game 1.0" in listed.stderr


def test_package_that_is_there_twice_has_its_game_once(packages, tmp_path, monkeypatch):
    """The first on the path is the one that is imported."""
    add_coin(packages)
    add_package(tmp_path / "behind", "coin-game", {"coin": "coin.game:GAME"}, "0.9")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "behind")])
    forget_games("coin", "coin.game")
    assert [game.version for game in installed_games() if game.name == "coin"] == ["1.0"]
    assert load_game("coin").name == "coin"


def test_two_packages_of_one_game_are_named(packages):
    add_coin(packages)
    add_coin(packages, "other-coins")
    error = one_error(run("rules", "--game", "coin"), 2)
    assert "several packages have a game 'coin': coin-game 1.0 and other-coins 1.0" in error
    assert "pip uninstall other-coins" in error


@pytest.mark.parametrize("name", ["Coin", "a coin", "\x1b[31mcoin", "coin_game", "c" * 41, "-coin"])
def test_name_of_another_form_is_refused(packages, name):
    add_package(packages, "coin-game", f"{name} = coin.game:GAME\n")
    listed = run("game", "list")
    assert listed.exit_code == 3
    assert "a name has small letters, digits and hyphens" in listed.stderr
    assert "\x1b" not in listed.output
    assert game_names() == list(GAMES)


@pytest.mark.parametrize("lines", ["coin\n", "coin = \n", "= coin\n", "coin = a b : c\n", "[[[\n"])
def test_broken_list_of_games_harms_no_other(packages, lines):
    add_coin(packages)
    add_package(packages, "broken", lines)
    forget_games()
    assert load_game("mars").name == "mars"
    assert run("game", "list").exit_code in (0, 3)
    assert "Traceback" not in run("game", "list").output
    if "coin" not in lines:
        assert load_game("coin").name == "coin"


def test_package_without_metadata_harms_no_other(packages):
    add_coin(packages)
    add_package(packages, "broken", {"other": "other.game:GAME"})
    (packages / "broken-1.0.dist-info" / "METADATA").unlink()
    (packages / "garbage-1.0.dist-info").mkdir()
    (packages / "garbage-1.0.dist-info" / "entry_points.txt").write_bytes(b"\xff\xfe\x00")
    forget_games()
    assert load_game("coin").name == "coin"
    assert run("game", "list").exit_code == 3


def test_unknown_game_names_all(packages):
    add_coin(packages)
    with pytest.raises(UnknownGame, match=r"mars.*semiautomagic, coin"):
        load_game("chess")
