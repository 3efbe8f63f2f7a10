"""`campaign cast`."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.cli.commands import heads, run
from tests.cli.conftest import Folder, copied, one_error
from tests.golden import CAMPAIGNS, samples

FOE = 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n'


def test_cast_reads_a_folder_in_order_of_names(closed):
    told = closed.run("log")
    assert re.findall(r"(\w+) joins \(pc\)", told) == ["Kess", "Orrin"]
    assert "might 9, speed 14, intellect 17, health 14, destiny 0" in told


def test_cast_of_foes_and_things(closed):
    foe = closed.file("dovel.toml", 'sheet = "npc"\nname = "Dovel"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    thing = closed.file("box.toml", 'sheet = "object"\nname = "Strongbox"\nstate = "whole"\n')
    assert heads(closed.run("cast", str(foe), str(thing))) == ["0.3", "0.4"]
    shown = closed.run("show")
    assert "Dovel" in shown
    assert "Strongbox" in shown


def test_cast_names_every_bad_sheet_and_adds_none(closed):
    before = closed.bytes
    good = closed.file("a.toml", 'name = "Ana"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n')
    bad = [closed.file("b.toml", "name = 3\n"), closed.file("c.toml", "name = \n")]
    done = closed.invoke("cast", str(good), *map(str, bad))
    assert done.exit_code == 3
    assert [re.search(r"\w+\.toml", line)[0] for line in done.stderr.splitlines()] == ["b.toml", "c.toml"]
    assert closed.bytes == before


def test_cast_of_an_unchanged_sheet_appends_nothing(closed):
    before = closed.bytes
    done = closed.invoke("cast", str(closed.path / "cast"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "kess.toml: already in play, and the sheet has not changed" in done.stderr
    assert closed.bytes == before


def test_cast_of_an_edited_sheet_needs_a_reason(closed):
    before, sheet = closed.bytes, closed.path / "cast" / "kess.toml"
    sheet.write_text(sheet.read_text().replace("level = 2", "level = 3"))
    asked = closed.invoke("cast", str(sheet))
    assert asked.exit_code == 2
    assert "level 2>3" in asked.stderr
    assert "--because" in asked.stderr
    assert closed.bytes == before
    changed = closed.run("cast", str(sheet), "--because", "the lamp room")
    assert "  change sheet: Kess\n" in changed
    assert "level 2>3 (the lamp room)" in changed
    assert closed.run("show", "kess", "--json").count('"kess.level":3') == 1


def test_cast_of_copies_numbers_them(closed):
    closed.file("brute.toml", 'sheet = "npc"\nname = "Brute"\nkind = "minion"\ndifficulty = 4\nhealth = 6\n')
    told = closed.run("cast", f"{closed.path / 'brute.toml'}*3")
    assert [f"Brute {number} joins" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "1 to 20" in one_error(closed.invoke("cast", f"{closed.path / 'brute.toml'}*21"), 3)


def test_cast_of_an_empty_folder_is_an_error(closed):
    closed.file("empty/readme.txt", "nothing")
    assert "no sheet in this folder" in one_error(closed.invoke("cast", str(closed.path / "empty")), 3)


SHEET = 'name = "{}"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n'


def test_cast_of_a_folder_with_a_refused_sheet_adds_none(closed):
    before = closed.bytes
    closed.file("more/a.toml", SHEET.format("Ana"))
    closed.file("more/b.toml", SHEET.format("Bo").replace("might = 9", "might = -9"))
    done = closed.invoke("cast", str(closed.path / "more"))
    assert "b.toml" in one_error(done, 1)
    assert (done.stdout, closed.bytes) == ("", before)


def test_cast_of_one_name_twice_adds_none(closed):
    before = closed.bytes
    one, other = closed.file("1.toml", SHEET.format("Ana")), closed.file("2.toml", SHEET.format("Ana") + "level = 2\n")
    assert closed.invoke("cast", str(one), str(other)).exit_code == 2
    assert closed.bytes == before


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Doom", "a token or count"),
        ("Might", "a value of a being"),
        ("Destiny", "a value of a being"),
        ("Effort-limit", "a value of a being"),
        ("S", "a short name of a value"),
        ("Close", "a verb"),
        ("Attack", "a verb"),
        ("Foes", "a word for several"),
        ("everyone", "a word for several"),
        ("They", "a pronoun"),
        ("undo", "a word of every campaign"),
        ("Clock", "a word of every campaign"),
    ],
)
def test_name_that_a_line_uses_is_refused(new_folder, tmp_path, name, meaning):
    folder = copied(new_folder, tmp_path)
    before = folder.bytes
    error = one_error(folder.invoke("cast", str(folder.file("x.toml", SHEET.format(name)))), 3)
    assert f"x.toml, name: '{name}' is {meaning}, so a line could mean either. Give the being another name" in error
    assert folder.bytes == before


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ('might = "9"', 'might: "9" does not fit. It takes a whole number'),
        ("might = 9.0", "might: 9.0 does not fit. It takes a whole number"),
        ("wit = 9", "'wit' is no key of it. Its keys: name, pronouns, level, might"),
        ("aquatic = 1", "aquatic: 1 does not fit. It takes true or false"),
        ("skills = 3", "skills: 3 does not fit. It takes a table"),
        ("pronouns = 3", "pronouns: 3 does not fit. It takes a text in quotes"),
        ('armor = {physical = "much"}', 'armor, physical: "much" does not fit. It takes a whole number'),
        ('now = {might = "x"}', 'now, might: "x" does not fit. It takes a whole number'),
        ('armor = [{kind = "tin"}]', 'armor, 1, kind: "tin" does not fit. It takes one of: ability, magic, physical'),
        ("rests = [1]", "rests, 1: 1 does not fit. It takes "),
    ],
)
def test_sheet_error_names_key_domain_and_value(closed, more, error):
    key = more.partition(" ")[0]
    lines = [line for line in SHEET.format("Ana").splitlines() if not line.startswith(f"{key} ")]
    told = one_error(closed.invoke("cast", str(closed.file("x.toml", "\n".join([*lines, more, ""])))), 3)
    assert error in told
    assert "`" not in told


def test_missing_key_of_a_sheet_is_named(closed):
    text = SHEET.format("Ana").replace("speed = 9\n", "")
    assert "x.toml: its 'speed' is missing" in one_error(closed.invoke("cast", str(closed.file("x.toml", text))), 3)


@pytest.mark.slow
def test_sheet_with_too_many_entries_is_refused(closed):
    skills = "".join(f's{number} = "trained speed"\n' for number in range(30_000))
    done = closed.invoke("cast", str(closed.file("x.toml", f"{SHEET.format('Ana')}[skills]\n{skills}")))
    assert "x.toml, skills: 30000 entries are too many. 200 are the most" in one_error(done, 3)


def test_cast_of_an_unedited_sheet_keeps_adjusted_values(closed):
    """The table adjusted the level and wrote down some coin: the file still says what it said."""
    closed.run("open")
    closed.run("do", '! kess.level +1 "the lamp room"')
    closed.run("do", 'k adjust coin 12 "the fence"')
    before = closed.bytes
    done = closed.invoke("cast", str(closed.path / "cast"))
    assert (done.exit_code, done.stdout, closed.bytes) == (0, "", before)


def test_cast_of_an_edited_sheet_changes_what_was_edited(closed):
    sheet = closed.path / "cast" / "kess.toml"
    closed.run("open")
    closed.run("do", '! kess.level +1 "the lamp room"')
    closed.run("do", 'k adjust coin 12 "the fence"')
    sheet.write_text(sheet.read_text().replace("effort_limit = 2", "effort_limit = 3"))
    told = closed.run("cast", str(sheet), "--because", "practice")
    assert "effort limit 2>3 (practice)" in told
    assert "coin" not in told
    assert "level" not in told
    sheet.write_text(sheet.read_text().replace("level = 2", "level = 4"))
    assert "level 3>4" in closed.run("cast", str(sheet), "--because", "practice")
    assert closed.invoke("cast", str(sheet)).stdout == ""


def test_cast_of_an_unedited_foe_says_that_it_is_in_play(closed):
    foe = closed.file("dovel.toml", 'sheet = "npc"\nname = "Dovel"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    closed.run("cast", str(foe))
    assert "already in play" in closed.invoke("cast", str(foe)).stderr
    foe.write_text(foe.read_text().replace("health = 6", "health = 7"))
    assert "a name that nobody else has" in one_error(closed.invoke("cast", str(foe)), 1)


def test_cast_of_a_sheet_in_play_as_copies_adds_nobody(closed):
    foe = closed.file("thug.toml", 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    closed.run("cast", f"{foe}*2")
    before = closed.bytes
    told = closed.invoke("cast", str(foe)).stderr
    assert told == f"{foe}: in play as Thug 1 and Thug 2; {foe}*1 adds one more\n"
    assert closed.bytes == before
    foe.write_text(foe.read_text().replace("health = 6", "health = 7"))
    assert "Thug joins" in closed.run("cast", str(foe))


@pytest.fixture
def thugs(closed):
    """A campaign with three thugs too many: one of them is in a fight that runs."""
    closed.file("thug.toml", 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    closed.run("cast", f"{closed.path / 'thug.toml'}*2", str(closed.path / "thug.toml"))
    return closed


def test_cast_is_undone_as_long_as_nothing_depends_on_it(thugs):
    undone = thugs.run("cast", "--undo", "Thug", "--undo", "thug2")
    assert "removes 0.5@1 (cast by mistake)" in undone
    assert "removes 0.4@1" in undone
    thugs.run("open", "--seed", "a")
    thugs.run("do", '! encounter "the yard" participants=kess,thug1')
    before = thugs.bytes
    refused = one_error(thugs.invoke("cast", "--undo", "thug1"), 1)
    assert refused.startswith("L-CAST: Thug 1 is part of what happened in 1.1. See what would change: campaign whatif")
    assert thugs.bytes == before
    assert "Thug 1" in thugs.run("show")
    assert "all is well" in thugs.run("verify")


def test_undone_cast_comes_back_with_undo(thugs):
    thugs.run("cast", "--undo", "Thug")
    assert "Thug  " not in thugs.run("show")
    thugs.run("undo")
    assert "Thug  " in thugs.run("show")


def test_undo_of_the_entry_of_a_cast_names_the_command(thugs):
    assert 'to remove 0.3 use: campaign cast --undo "Thug 1".' in one_error(thugs.invoke("undo", "0.3"), 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("cast",), "Name the sheets to cast, or with --undo"),
        (("cast", "x.toml", "--undo", "Thug"), "Name the sheets to cast, or with --undo"),
        (("cast", "--undo", "nobody"), "'nobody' is not in play"),
        (("cast", "--undo", "encounter"), "'encounter' is not a being"),
    ],
)
def test_undo_of_a_cast_of_nobody_is_refused(thugs, arguments, says):
    assert says in one_error(thugs.invoke(*arguments), 2)


def test_members_of_a_group_join_before_it(tmp_path):
    """In a folder the group's file comes first by name."""
    folder = str(tmp_path / "c")
    assert run("new", "C", folder, "--game", "monolith").exit_code == 0
    sheets = tmp_path / "foes"
    sheets.mkdir()
    group = 'sheet = "group"\nname = "Raiders"\nmembers = ["Rat"]\nleader = "Rat"\nresolve = 7\n'
    (sheets / "a.toml").write_text(group, encoding="utf-8")
    foe = run("sheet", "npc", "--game", "monolith").stdout
    (sheets / "b.toml").write_text(re.sub("(?m)^name = .*$", 'name = "Rat"', foe), encoding="utf-8")
    assert heads(run("-C", folder, "cast", str(sheets)).stdout) == ["0.1", "0.2"]
    (sheets / "a.toml").write_text(group.replace("Rat", "Cat").replace("Raiders", "Cats"), encoding="utf-8")
    assert "a.toml: members must be" in one_error(run("-C", folder, "cast", str(sheets)), 1)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_folders_of_every_sample_are_cast_as_they_stand(sample, tmp_path):
    source = CAMPAIGNS / sample
    game = tomllib.loads((source / "campaign.toml").read_text(encoding="utf-8"))["game"]
    folder = Folder(tmp_path / "folder")
    folder.path.mkdir()
    folder.run("new", "Folder", str(folder.path), "--game", game)
    folder.run("cast", str(source / "cast"), str(source / "foes"))
    again = folder.invoke("cast", str(source / "cast"), str(source / "foes"))
    assert (again.exit_code, again.stdout) == (0, "")


def test_sheet_says_how_many_are_cast_of_it(closed):
    closed.run("cast", str(closed.file("thug.toml", f"copies = 3\n{FOE}")))
    assert [name for name in ("Thug 1", "Thug 2", "Thug 3", "Thug 4") if name in closed.run("show")] == [
        "Thug 1", "Thug 2", "Thug 3",
    ]  # fmt: skip
    assert "in play as Thug 1, Thug 2 and Thug 3" in closed.invoke("cast", str(closed.path / "thug.toml")).stderr
    closed.run("cast", f"{closed.path / 'thug.toml'}*1")
    assert "Thug 4" in closed.run("show")


@pytest.mark.parametrize("copies", ["0", "21", '"many"', "2.5"])
def test_cast_refuses_a_wrong_number_of_copies(closed, copies):
    error = one_error(closed.invoke("cast", str(closed.file("thug.toml", f"copies = {copies}\n{FOE}"))), 3)
    assert error.endswith(f"copies is {copies.strip(chr(34))}. Write a number from 1 to 20.")


def test_copies_of_a_sheet_without_a_name_are_one_error(closed):
    empty = closed.file("empty.toml", "")
    error = one_error(closed.invoke("cast", f"{empty}*3"), 3)
    assert error.endswith('empty.toml, name: the sheet has no name. Write one: name = "...".')


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("pick locks = trained", 'A name of several words needs quotation marks: "pick locks" = trained.'),
        ("name = Kess", 'A word needs quotation marks: name = "Kess".'),
        ("name", "Save it as UTF-8 text with one entry a line, as in level = 2."),
    ],
)
def test_sheet_that_is_no_toml_says_what_to_write(folder, line, hint):
    assert one_error(folder.invoke("cast", str(folder.file("new.toml", line))), 3).endswith(hint)


def test_name_of_two_words_needs_no_quotation_marks(folder):
    sheet = 'name = "Wren"\nmight = 9\nspeed = 9\nintellect = 9\n[skills]\npick locks = "trained speed"  # doors\n'
    folder.run("cast", str(folder.file("wren.toml", sheet)))
    assert "skill         pick locks trained" in folder.run("show", "wren")
