"""The game of rulebooks/README.md, played through every command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.main import campaign
from rulebooks.installed import GROUP
from tests.cli.conftest import Folder
from tests.packages import add_package, forget_games

PAGE = Path(__file__).parents[2] / "rulebooks" / "README.md"
PAGE_TEXT = PAGE.read_text(encoding="utf-8")
PROJECT = "pyproject.toml"
FILES = dict(re.findall(r"^```\w+\n# (\S+\.(?:toml|py))\n(.*?)^```$", PAGE_TEXT, re.M | re.S))
NOT_PLAYED = {  # they serve, or read and write files
    "backup", "browse", "completion", "copy", "demo", "game", "import", "list", "mcp", "restore", "serve", "shelf",
    "tutorial",
    "upgrade", "watch",
}  # fmt: skip


class CoinFolder(Folder):
    """A campaign of the game on the page. Remembers which commands were used."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.used: set[str] = {"new", "cast", "open"}
        made = CliRunner().invoke(campaign, ["new", "Heads", str(path), "--game", "coin"])
        assert made.exit_code == 0, made.output
        self.run("cast", *(str(self.file(f"{name}.toml", f'name = "{name}"\n')) for name in ("Ana", "Bo")))
        self.run("open", "--seed", "coin")

    def prints(self, *command: str) -> str:
        self.used.add(command[0])
        return self.run(*command)


@pytest.fixture
def coin(tmp_path: Path, packages: Path) -> CoinFolder:
    for name in FILES.keys() - {PROJECT}:
        Folder(packages).file(f"coin/{name}", FILES[name])
    add_package(packages, "coin-game", tomllib.loads(FILES[PROJECT])["project"]["entry-points"][GROUP])
    forget_modules()
    return CoinFolder(tmp_path / "evening")


def mend_coin(folder: Path) -> None:
    """Mend the game as the page says."""
    pay, mend = re.search(r"```python\n +(pay = .*)\n", PAGE_TEXT), re.search(r"   (\[\[mends.*?)```", PAGE_TEXT, re.S)
    assert pay
    assert mend
    code = FILES["game.py"].replace('    version = "1"\n', '    version = "1"\n    revision = 2\n')
    code = code.replace('pay = int(TEXTS.option(state, "heads_pay"))', pay[1])
    Folder(folder).file("game.py", code)
    Folder(folder).file("rulebook.toml", FILES["rulebook.toml"] + "\n" + mend[1].replace("\n   ", "\n"))
    forget_modules()


def unmend_coin(folder: Path) -> None:
    """Install the older game again."""
    Folder(folder).file("game.py", FILES["game.py"])
    forget_modules()


def forget_modules() -> None:
    forget_games("coin", "coin.game")


def test_page_has_three_files_of_ninety_lines_at_most() -> None:
    assert FILES.keys() == {PROJECT, "rulebook.toml", "words.toml", "game.py", "cases.toml"}
    assert all(len(content.splitlines()) <= 90 for content in FILES.values())


@pytest.mark.slow
def test_heads_pays_two_points(coin: CoinFolder) -> None:
    assert "points 3>2 (flip), points 2>4 (heads)" in coin.run("do", "ana flip /2")
    assert "points 3>2 (once more)" in coin.run("do", 'bo flip "once more" /1')


@pytest.mark.slow
def test_option_changes_what_heads_pays(coin: CoinFolder) -> None:
    coin.run("do", '! option heads_pay 3 "a vote"')
    assert "points 2>5 (heads)" in coin.run("do", "ana flip /2")


@pytest.mark.slow
def test_flip_without_points_is_refused(coin: CoinFolder) -> None:
    coin.run("do", 'ana points -3 "a debt"')
    refused = coin.invoke("do", "ana flip")
    assert refused.exit_code == 1
    assert "CO-E-POOR: Ana has no point left for a flip" in refused.output


@pytest.mark.slow
def test_adjustment_outside_the_pool_is_refused(coin: CoinFolder) -> None:
    assert "L-VALUE: Ana's points must be a whole number of 0 or more" in coin.invoke("do", 'ana points -4 "a"').output
    assert "L-VALUE: value must be a pool of somebody" in coin.invoke("do", '! ruling "a" "b" ana.luck=1').output


@pytest.mark.slow
def test_mended_rule_holds_from_its_revision_on(coin: CoinFolder, packages: Path) -> None:
    coin.run("do", "ana flip /2")
    assert "decided by revision 1" in coin.run("why", "1.1")
    coin.run("close")
    mend_coin(packages / "coin")
    coin.run("open", "--seed", "mended")
    assert "(coin 1, revision 2, a fixed seed)" in coin.run("log", "2")
    assert "points 4>3 (flip), points 3>6 (heads)" in coin.run("do", "ana flip /2")
    old, new = coin.run("why", "1.1"), coin.run("why", "2.1")
    assert "mended since revision 2 (CO-FLIP-1): Heads pay one point more." in old
    assert "mended" not in new
    assert "the replay agrees" in coin.run("replay")
    assert "all is well" in coin.run("verify")
    otherwise = coin.invoke("replay", "1", "--revision", "latest")
    assert otherwise.exit_code == 1
    assert "points 2>5 (heads)" in otherwise.output, otherwise.output
    assert coin.invoke("replay", "2", "--revision", "latest").exit_code == 0
    refused = coin.invoke("replay", "--revision", "3")
    assert refused.exit_code == 2
    assert "coin has no revision '3' of its rules. There is: latest, or 1 to 2" in refused.output
    assert "points 2>4 (heads)" in coin.run("amend", "1.1", '"in luck"', "--retcon", "--because", "she said so")
    unmend_coin(packages / "coin")
    assert "Ana" in coin.run("show")
    for command in (("do", "ana flip"), ("replay",), ("verify",), ("close",)):
        refused = coin.invoke(*command)
        assert refused.exit_code == 1
        assert "session 2 was played with revision 2 of coin, and this program has revision 1" in refused.output


@pytest.mark.slow
def test_game_is_played_through_every_command(coin: CoinFolder) -> None:
    assert "heads" in coin.prints("do", "ana flip /2")
    assert "heads: the ledger says no" in coin.prints("do", "bo flip /1 => heads")
    coin.prints("run", str(coin.file("1.session", 'ana flip\n! ruling "it is fair" "weighed" bo.points=5\n')))
    assert "takes back 1.4@1" in coin.prints("undo")
    assert "Ana flip" in coin.prints("fmt", "ana flip")
    assert "heads 50 %" in coin.prints("odds", "ana flip")
    assert "now: flip tails" in coin.prints("whatif", "1.1", "/1")
    assert "now: flip tails" in coin.prints("amend", "1.1", "/1", "--because", "it fell off the table", "--retcon")
    assert "points" in coin.prints("show", "ana")
    assert "flip: d2 1" in coin.prints("log")
    assert "by CO-FLIP-1" in coin.prints("why", "1.1")
    assert "CO-FLIP-1" in coin.prints("who", "ana.points")
    assert "1.1" in coin.prints("when", "ana.points < 3")
    coin.used.add("diff")
    assert "Ana points" in coin.invoke("diff", "1.1", "1.3").output
    assert "heads_pay = 2" in coin.prints("rules", "CO-FLIP-1")
    assert "no ruling is in force" in coin.prints("rulings")
    assert "1.2" in coin.prints("search", "flip")
    assert "Flip the coin: ana flip" in coin.prints("help", "flip")
    assert "This game has no templates" in coin.prints("sheet")
    coin.used.add("play")
    assert "flip: d2" in CliRunner().invoke(campaign, ["-C", str(coin.path), "play"], input="bo flip\nundo\n").output
    coin.prints("rebuild")
    coin.prints("close")
    assert "| Ana |" in coin.prints("recap")
    assert "d2" in coin.prints("luck")
    assert "Ana flip" in coin.prints("export", "--notation")
    assert "the replay agrees" in coin.prints("replay")
    assert "all is well" in coin.prints("verify")
    assert "words" in coin.prints("head")
    coin.used |= {"forecast", "encounter"}
    assert "coin has no fights" in coin.invoke("forecast").output
    assert "coin has no fights" in coin.invoke("encounter", "build", "--foe", str(coin.path / "Ana.toml")).output
    assert set(campaign.list_commands(click.Context(campaign))) - coin.used == NOT_PLAYED
