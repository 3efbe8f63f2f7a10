"""Words that name several beings, and lines that several say: all of them or none."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from cli.notation.groups import find_beings, numbered_groups
from cli.notation.line_parser import parse_each, parse_line
from cli.notation.scope import Scope
from cli.notation.tokens import LineToken
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.records import Record
from ledger.sqlite_store import open_store
from tests.cli.conftest import Folder, copied, one_error
from tests.cli.scopes import MADE_UP, SCOPE

pytestmark = pytest.mark.slow  # run with --long

BEINGS = ("Kess", "Orrin", "Thug 1", "Thug 2", "Harbor Fury 1", "Harbor Fury 2", "Lone Wolf")
GROUPS = {**numbered_groups(BEINGS, set(BEINGS) - {"Thug 1"}), "players": ("Kess", "Orrin"), "absent": ()}
TABLE: Scope = replace(SCOPE, beings=BEINGS, groups=lambda: GROUPS)
STRIKES: Scope = replace(MADE_UP, beings=BEINGS, groups=lambda: GROUPS)


def said(line: str, scope: Scope = TABLE) -> Declaration:
    parsed = parse_line(line, scope)
    assert parsed
    return parsed.declaration


@pytest.mark.parametrize(
    ("word", "members"),
    [
        ("thugs", ("Thug 2",)),
        ("furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("harbor-furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("wolves", None),
    ],
)
def test_plural_names_numbered_beings_who_are_here(word, members):
    assert GROUPS.get(word) == members


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("k strike players", ("Kess", "Orrin")),
        ("k strike furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("k strike harbor furies", ("Harbor Fury 1", "Harbor Fury 2")),
        ("k strike o,thug1", ("Orrin", "Thug 1")),
        ("k strike o, thug1", ("Orrin", "Thug 1")),
        ("k strike targets=o, furies", ("Orrin", "Harbor Fury 1", "Harbor Fury 2")),
        ("k strike o,furies", ("Orrin", "Harbor Fury 1", "Harbor Fury 2")),
        ("k strike targets=players,t2", ("Kess", "Orrin", "Thug 2")),
        ("k strike o allies=furies", ("Orrin",)),
    ],
)
def test_list_of_beings_takes_groups(line, targets):
    assert said(line, STRIKES).targets == targets


def test_group_in_a_named_list():
    assert said("k strike o allies=furies", STRIKES).allies == ("Harbor Fury 1", "Harbor Fury 2")


def test_group_of_nobody_is_refused():
    with pytest.raises(Unreadable, match="nobody of 'absent' is here"):
        said("k strike absent", STRIKES)


def test_being_of_this_name_comes_before_the_group():
    scope = replace(STRIKES, beings=(*BEINGS, "Players"))
    assert said("k strike players", scope).targets == ("Players",)


@pytest.mark.parametrize(
    ("line", "speakers"),
    [
        ("k,o move", ["Kess", "Orrin"]),
        ("k, o move", ["Kess", "Orrin"]),
        ("players move", ["Kess", "Orrin"]),
        ("! furies move", ["Harbor Fury 1", "Harbor Fury 2"]),
        ("thugs move", ["Thug 2"]),
        ("k,k move", ["Kess"]),
    ],
)
def test_line_of_several_is_said_by_each(line, speakers):
    parsed = parse_each(line, TABLE)
    assert [each.line for each in parsed] == [line] * len(speakers)
    rest = line.partition(" move")[1]
    assert [each.declaration for each in parsed] == [said(f'"{name}"{rest}') for name in speakers]


def test_value_of_each_is_adjusted():
    blasts = [each.declaration for each in parse_each('! players hp -4 "the blast"', TABLE)]
    assert blasts == [said('k hp -4 "the blast"'), said('o hp -4 "the blast"')]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("k,o sneak v5 /4.5", "typed faces cannot be for several"),
        ("k,zed move", "'zed' is nobody in play"),
        ("absent move", "nobody of 'absent' is here"),
    ],
)
def test_line_of_several_is_refused(line, what):
    with pytest.raises(Unreadable, match=what):
        parse_each(line, TABLE)


def test_question_about_a_line_of_several_is_refused():
    with pytest.raises(Unreadable, match="the line is for Kess, Orrin"):
        parse_line("k,o move", TABLE)


@pytest.fixture
def party(folder: Folder) -> Folder:
    """A campaign with an open session and Kess, Orrin and three thugs."""
    kind = 'sheet = "npc"\nkind = "minion"\ndifficulty = 3\nhealth = 6\ndamage = 4\n'
    for name in ("Thug 1", "Thug 2", "Thug 3"):
        folder.run("cast", str(folder.file(f"{name}.toml", f'name = "{name}"\n{kind}')))
    return folder


def line_starts(folder: Folder) -> list[tuple[str, str, str]]:
    """Return id, first entry of its line and speaker of each take of a line of several."""
    store = open_store(folder.ledger, write=False)
    try:
        return [(str(take.id), take.line_start, take.by) for take in store.takes() if take.line_start]
    finally:
        store.close()


def values(folder: Folder) -> list[str]:
    """Return what `show` says of everybody, without the entry."""
    return [line for line in folder.run("show").splitlines() if "entry 1." not in line]


def test_each_has_an_entry_with_the_line(party):
    printed = party.run("do", 'k,o hp -2 "the stairs"')
    assert '1.4   k,o hp -2 "the stairs" (Kess)\n' in printed
    assert '1.5   k,o hp -2 "the stairs" (Orrin)\n' in printed
    assert line_starts(party) == [("1.4", "1.4", "Kess"), ("1.5", "1.4", "Orrin")]
    party.run("verify")


def test_undo_takes_back_the_whole_line(party):
    before = values(party)
    party.run("do", 'players hp -2 "the stairs"')
    assert values(party) != before
    party.run("undo")
    assert values(party) == before
    party.run("verify")


def test_undo_of_the_undo_restores_the_whole_line(party):
    party.run("do", 'players hp -2 "the stairs"')
    after = values(party)
    party.run("undo")
    party.run("undo", "1.6")
    assert values(party) == after
    party.run("undo")
    party.run("verify")


def test_line_said_again_after_undo_has_the_same_dice(party):
    line = "k,o climb might v4"
    first = party.run("do", line)
    party.run("undo")
    assert party.run("do", line) == first
    party.run("verify")


def test_refusal_names_who_and_writes_nothing(party):
    before = party.bytes
    error = one_error(party.invoke("do", "players sneak v5 e2"), 1)
    assert "Orrin" in error
    assert party.bytes == before


@pytest.fixture
def prey(party: Folder) -> Folder:
    """A fight in its action phase, in which Kess's blow kills the thug that Orrin would strike too."""
    for line in (
        '! encounter "x" participants=kess,orrin,"thug 1"',
        "k initiative /12.12",
        "o initiative /11.11",
        "close",
        "! on",
        "! damage thug1 4",
    ):
        party.run("do", line)
    return party


LINE = 'k,o attack "thug 1" m d3'


def test_refusal_after_dice_keeps_those_who_rolled(prey):
    """The same request says it again."""
    hurt = prey.invoke("do", "--request", "key", LINE)
    assert (hurt.exit_code, [by for *_, by in line_starts(prey)]) == (1, ["Kess"]), hurt.output
    assert "(Kess, the line ends here)" in hurt.stdout
    assert "Orrin did not: " in hurt.stderr
    again = prey.invoke("do", "--request", "key", LINE)
    assert (again.exit_code, [by for *_, by in line_starts(prey)]) == (1, ["Kess"])
    assert "the line was taken up to Kess in entry " in again.stderr
    prey.run("verify")


def test_cut_line_is_shown_in_the_players_shell(prey):
    shown = prey.invoke("play", "--as", "players", input=f"{LINE}\n")
    assert [by for *_, by in line_starts(prey)] == ["Kess"], shown.output
    assert "Orrin did not: " in shown.stderr
    prey.run("undo")
    assert values(prey)
    prey.run("verify")


def test_file_goes_on_behind_a_line_that_was_cut_short(prey):
    file = prey.file("evening.session", f'> Fog.\n{LINE}\nk hp -1 "a drink"\n')
    result = prey.invoke("run", str(file))
    assert (result.exit_code, [by for *_, by in line_starts(prey)]) == (1, ["Kess"])
    assert "evening.session:2, Orrin did not: " in result.stderr
    assert "is the last of its line" not in result.stderr
    again = prey.invoke("run", str(file))
    assert again.exit_code == 1
    assert "is the last of its line: those behind Kess were refused." in again.stderr
    prey.file("evening.session", '> Fog.\nkess attack "thug 1" m d3\nk hp -1 "a drink"\n')
    prey.run("run", "--yes", str(file))
    assert [by for *_, by in line_starts(prey)] == ["Kess"]
    prey.run("verify")


def test_request_is_taken_once(party):
    for _ in range(2):
        party.run("do", "--request", "stairs", 'players hp -2 "the stairs"')
    assert len(line_starts(party)) == 2


def test_file_with_a_line_of_several_is_run_once(party):
    file = str(party.file("evening.session", 'players hp -2 "the stairs"\nk hp +1 "a drink"\n'))
    party.run("run", file)
    party.run("run", file)
    assert len(line_starts(party)) == 2
    party.run("verify")


def test_dead_are_in_no_group(party):
    party.run("do", 'thugs hp -2 "the blast"')
    party.run("do", '! damage "thug 1" 9')
    printed = party.run("do", 'thugs hp -1 "the blast"')
    assert "(Thug 2)" in printed
    assert "(Thug 3)" in printed
    assert "(Thug 1)" not in printed
    party.run("verify")


LINES = (
    "players sneak v4", "players climb might v3 e2", "a,b sneak v5 e1", "close", "players pass", "foes pass",
    "foes move", "players move", "b,a interrupt", "! on", 'all hp -1 "the blast"', 'foes hp -3 "a fire"',
    'players hp +1 "a drink"', 'thug,captain hp -1 "smoke"', "undo", "all pass", '~ because="a slip" hp -1 "less"',
    "captain dodge b", "a wound", "players rest ten_hours", "! end", "b pass", "undo", "close",
)  # fmt: skip


def takes(folder: Folder) -> list[Record]:
    """Return every take, in the order in which they were written."""
    store = open_store(folder.ledger, write=False)
    try:
        return sorted(store.takes(), key=lambda take: take.position)
    finally:
        store.close()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_all_or_none_in_a_random_evening(fight_folder, tmp_path, seed):
    """What is refused writes nothing, or cuts a line short; what is taken has one entry for each; lines agree."""
    folder, chance, several = copied(fight_folder, tmp_path), Random(seed), 0
    folder.run("do", "a wound /4.3")
    for _ in range(40):
        line, before, content = chance.choice(LINES), takes(folder), folder.bytes
        done = folder.invoke("do", line)
        assert not isinstance(done.exception, Exception), line
        own = [take for take in takes(folder)[len(before) :] if take.cause is None]
        if done.exit_code and not (own and own[-1].is_cut_short):
            assert folder.bytes == content, line
            continue
        if starts := {take.line_start for take in own} - {""}:
            several += len(own) > 1
            assert starts == {str(own[0].id)}
            assert len({take.by for take in own}) == len(own)
            assert {take.line for take in own} == {line}
    assert several
    folder.run("verify")


def test_all_act_in_the_order_of_their_slots(fight_folder, tmp_path):
    folder = copied(fight_folder, tmp_path)
    folder.run("do", "a wound /4.3")
    folder.run("do", "all pass")
    assert [by for *_, by in line_starts(folder)] == ["Ash", "Thug", "Bryn", "Captain"]
    folder.run("verify")


def test_implied_passes_are_printed_with_each_of_the_line(fight_folder, tmp_path):
    """The captain's pass, which Bryn's move implies, stands between the lines of the two."""
    folder = copied(fight_folder, tmp_path)
    for line in ("a wound /4.3", "! on", "b dodge captain /1.2"):
        folder.run("do", line)
    before = takes(folder)
    printed = folder.run("do", "b,thug pass")
    own = takes(folder)[len(before) :]
    assert own[-1].line == "b,thug pass"
    assert all(str(take.id) in printed for take in own)
    folder.run("verify")


@pytest.mark.parametrize(
    "correction",
    [
        ("do", "~ 4 change=-3 retcon"),
        ("amend", "--because", "no", "--retcon", "--drop", "1.4"),
        ("amend", "--because", "no", "--retcon", "1.5", "change=-1"),
    ],
)
def test_entry_of_one_is_corrected_by_itself(party, correction):
    party.run("do", 'players hp -2 "the stairs"')
    after = values(party)
    party.run(*correction)
    corrected = values(party)
    assert corrected != after
    party.run("verify")
    party.run("undo")
    assert values(party) == after
    party.run("undo")
    party.run("verify")
    assert "hp -2" not in party.run("log", "1")


def test_group_has_nobody_who_left_the_fight(party):
    party.run("do", '! encounter "the lamp room"')
    party.run("do", "! leave t1")
    printed = party.run("do", 'foes hp -1 "the blast"')
    assert "Thug 2" in printed
    assert "Thug 1" not in printed


def test_preview_names_who_said_each_entry_of_a_line(party):
    party.run("do", 'players hp -2 "the stairs"')
    printed = party.run("whatif", "--drop", "1.4")
    assert '1.4   removed: players hp -2 "the stairs" (Kess)\n' in printed
    printed = party.run("whatif", "--drop", "1.4", "1.5", "change=-1")
    assert "(Orrin)" not in printed  # a line of its own


def test_preview_names_a_sheet_that_comes_back(party):
    party.run("amend", "--drop", "0.2", "--because", "x", "--retcon")
    assert "0.2   restored: Orrin joins (pc)\n" in party.run("undo")


def test_stem_in_a_list_means_all_who_are_numbered():
    assert find_beings(LineToken("kess,thug", 1), TABLE) == ["Kess", "Thug 1", "Thug 2"]
