"""Sheets by question, `sheet --ask` and `+ kess`; and one entry of a sheet in play, `set kess might 10`."""

from __future__ import annotations

import tomllib

import pytest

from cli.play.sheet_form import SheetForm, character_template, sheet_problem
from ledger.ledger_state import initial_state
from projections.projection import StateProjection
from rulebooks import GAMES, load_game
from tests.cli.conftest import Folder, copied


@pytest.mark.parametrize("game", GAMES)
def test_sheet_form_defaults_make_a_sheet_that_can_be_cast(game, tmp_path):
    book = load_game(game)
    said: list[str] = []
    problem = sheet_problem(book, initial_state(StateProjection()), tmp_path)
    answers = iter(["they/her/x", "ze/zzz", "xe/xem"])
    ask = lambda question: next(answers) if question.startswith("pronouns") else ""  # noqa: E731
    content = SheetForm(character_template(book), ask, said.append, problem).fill("Zed the Bold")
    assert content["name"] == "Zed the Bold"
    assert len(said) == 2, "two pronouns are refused"
    assert book.sheet(content, "zed.toml").pronouns == "xe/xem"


def test_sheet_form_asks_again_with_what_is_wrong(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    answers = ["Zed", "", "many", "13", "", "", "pick locks = trained speed", "", "", "club", "", "4", "", ""]
    result = folder.invoke("sheet", "--ask", input="\n".join(answers) + "\n")
    assert result.exit_code == 0
    assert '"many" does not fit' in result.stderr
    sheet = tomllib.loads((folder.path / "zed.toml").read_text())
    assert sheet["might"] == 13
    assert sheet["skills"] == {"pick locks": "trained speed"}
    assert sheet["weapons"]["club"]["damage"] == 4


def test_sheet_form_replaces_no_file(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    (folder.path / "zed.toml").write_text("mine")
    result = folder.invoke("sheet", "--ask", input="Zed\nZoe\n" + "\n" * 12)
    assert "zed.toml is there. Give another name" in result.stderr
    assert (folder.path / "zed.toml").read_text() == "mine"
    assert tomllib.loads((folder.path / "zoe.toml").read_text())["name"] == "Zoe"


@pytest.mark.slow
def test_newcomer_of_the_shell_joins_with_a_file(folder):
    result = folder.invoke("play", input="+ Wren\n\n\n11\n\n\n\n\nshow wren\n")
    assert "Wren joins (pc)" in result.stdout
    assert "speed 11/11" in result.stdout
    assert (folder.path / "wren.toml").exists()


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("name", ["gm", "all", "everyone", "con", "attack", "pass", "Kess", "doom", "she"])
def test_newcomer_with_a_word_for_a_name_leaves_no_file(folder, name):
    before = sorted(folder.path.iterdir())
    result = folder.invoke("play", input=f"+ {name}\n")
    assert "the sheet" in result.stderr
    assert sorted(folder.path.iterdir()) == before


def test_sheet_for_a_word_is_asked_again(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    result = folder.invoke("sheet", "--ask", input="everyone\nZoe\n" + "\n" * 12)
    assert "'everyone' is a word for several, so a line could mean either. Give the being another name" in result.stderr
    assert (folder.path / "zoe.toml").exists()


CHANGES = [
    ('set kess might 10 "level 3"', "might 9 of 10"),
    ('set kess skills.climb "trained might" "practice"', "skill climb trained"),
    ('set kess skills sneak "specialized speed" "practice"', "skill sneak trained>specialized"),
    ('set kess level 3 "level 3"', "level 2>3"),
    ('set kess weapons.mace.damage 4 "found"', "weapon mace damage 4"),
    ('set kess weapons mace damage 4 "found"', "weapon mace damage 4"),
    ('set kess weapons."old mace" { stat = "might", damage = 4 } "found"', "weapon old mace stat might"),
    ('set kess weapons.old mace { damage = 4 } "found"', "weapon old mace damage 4"),
    ('set kess pronouns she/her "as Ana says"', "pronouns she/her"),
]
REFUSED = [
    ('set kess mihgt 10 "x"', "'mihgt' is not in the sheet. Did you mean 'might'?"),
    ('set kess might many "x"', '"many" does not fit. It takes a whole number.'),
    ('set kess pronouns ze/zzz "x"', "'ze/zzz' are no pronouns. Write she/her, he/him"),
    ('set kess might 9 "x"', "the sheet of Kess says so already"),
    ('set kess might 10 ""', "Write it as in: set NAME level 3"),
    ("set kess might 10", "Write it as in: set NAME level 3"),
    ('set kess weapons.mace { weight = 4 } "x"', "'weight' is no key of it. Its keys: name, stat, damage"),
    ('set nobody might 10 "x"', "'nobody' is nobody in play"),
]


@pytest.mark.parametrize(("line", "change"), CHANGES)
def test_set_changes_one_entry_of_a_sheet(folder, line, change):
    assert change in folder.run("do", line)


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(("line", "told"), REFUSED)
def test_set_that_cannot_be_is_refused(folder, line, told):
    before = folder.run("log")
    assert told in folder.invoke("do", line).stderr
    assert folder.run("log") == before


@pytest.mark.parametrize("entry", ["weapons.mace 4", 'weapons."old mace" heavy'])
def test_set_proposes_a_table_that_is_taken(folder, entry):
    error = folder.invoke("do", f'set kess {entry} "found"').stderr
    assert "mace damage 2" in folder.run("do", error.rpartition("Type: ")[2].strip().removesuffix("."))


def test_set_keeps_the_other_parts_of_an_entry(folder):
    folder.run("do", 'set kess weapons.mace { stat = "might", damage = 4 } "found"')
    assert "damage 4>5" in folder.run("do", 'set kess weapons.mace.damage 5 "sharper"')
    assert "damage 5, stat might" in folder.run("show", "kess")


def test_set_takes_a_list(played_samples, tmp_path):
    ferry = copied(Folder(played_samples["lantern-ferry"]), tmp_path)
    ferry.run("do", 'set nan items.net { block = 1, durability = 3 } "found"')
    assert "has net in hand" in ferry.run("do", 'set nan held net "the gaff is thrown away"')
    assert "has gaff, net in hand" in ferry.run("do", 'set nan held ["gaff", "net"] "and taken up again"')


def test_set_changes_a_sheet_that_keeps_its_kind(played_samples, tmp_path):
    archway = copied(Folder(played_samples["broken-archway"]), tmp_path)
    assert "player Dana" in archway.run("do", 'set kael player "Dana" "she plays him"')
    assert '"many" does not fit' in archway.invoke("do", 'set kael rank many "x"').stderr


@pytest.mark.slow
def test_set_adds_to_what_was_set_before(folder):
    folder.run("do", 'set kess might 12 "level 3"')
    folder.run("do", 'set kess might 13 "level 4"')
    assert "might 9/13" in folder.run("show", "kess")


@pytest.mark.slow
def test_set_under_the_same_request_is_one_change(folder):
    first = folder.run("do", "--request", "r1", 'set kess might 12 "level 3"')
    folder.run("do", 'set kess might 13 "level 4"')
    assert folder.run("do", "--request", "r1", 'set kess might 12 "level 3"') == first
    assert "taken before" in folder.invoke("do", "--request", "r1", 'set kess might 11 "level 3"').stderr
