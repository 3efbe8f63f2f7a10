"""`diff`: two sessions, takes, moments or ledgers, held against each other to the letter."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import campaign
from ledger.records import Head
from ledger.sqlite_store import open_store
from tests.cli.bad_files import broken_ledgers, odd_paths
from tests.cli.conftest import CLOCK, Folder, copied, is_printable, one_error
from tests.ledger.strategies import Forger, changing


def differing(folder: Folder, *words: str) -> list[str]:
    """Return the printed differences of two operands."""
    done = folder.invoke("diff", *words)
    assert done.exit_code == 1, done.output
    return done.stdout.splitlines()


def told(folder: Folder, *words: str) -> dict[str, Any]:
    """The same for machines."""
    done = folder.invoke("diff", *words, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == (0 if found["same"] else 1)
    return found


def moved(found: dict[str, Any]) -> dict[str, tuple[object, object]]:
    return {value["value"]: (value["left"], value["right"]) for value in found["values"]}


def unequal(found: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    """The takes that differ, by name."""
    return [(named(entry["left"]), named(entry["right"])) for entry in found["entries"]]


def named(side: dict[str, Any] | None) -> str | None:
    return None if side is None else f"{side['entry']}@{side['take']}"


def turned(one: dict[str, Any]) -> dict[str, Any]:
    """The same with its sides changed."""
    return one | {"left": one["right"], "right": one["left"]}


def mirrored(found: dict[str, Any]) -> dict[str, Any]:
    """The answer with its sides changed, down to the facts."""
    entries = [turned(entry) | {"facts": [turned(part) for part in entry["facts"]]} for entry in found["entries"]]
    return turned(found) | {"entries": entries, "values": [turned(value) for value in found["values"]]}


def kindless(found: dict[str, Any]) -> dict[str, Any]:
    """The answer without the kinds of facts: of two kinds at one place, that of the first side is named."""
    for entry in found["entries"]:
        entry["facts"] = [part | {"kind": ""} for part in entry["facts"]]
    return found


def head_of(folder: Folder) -> Head:
    store = open_store(folder.ledger, write=False)
    head = store.head()
    store.close()
    return head


@pytest.fixture
def retaken(played: Folder) -> Folder:
    """Session 2 is open; its first entry was said with other faces before."""
    played.run("open", "--seed", "two")
    for line in ("k sneak v5 e1 /3.4", "undo", "k sneak v5 e1 /9.4"):
        played.run("do", line)
    return played


# Takes


def test_diff_of_takes_names_facts_lines_and_values(retaken):
    found = differing(retaken, "2.1@1", "2.1@3")
    assert found[:7] == [
        "1 entry differs; 2 values differ",
        "- 2.1@1 (taken back by 2.2 (undo))",
        "+ 2.1@3 (it counts)",
        "",
        "2.1 differs",
        "- 2.1@1 k sneak v5 e1 /3.4 (at the keyboard)",
        "-       difficulty 5, trained in sneak -1, Effort 1 -1 = 3; cost 3 (Effort 1 from speed); target number 9",
    ]
    assert "+       Dawn 9, Dusk 4 [table dice] = 13 against 9: success, dawn" in found
    assert found[-5:] == [
        "",
        "values",
        "                -  +",
        "  doom          3  1",
        "  Kess destiny  0  1",
    ]


def test_diff_prints_no_internal_names(demo):
    found = "\n".join(differing(demo, "1.31@1", "1.31") + differing(demo, "2.5", "2.60"))
    assert not [name for name in ("fact", "data", "{", "kess.", "encounter.") if name in found]
    assert len(told(demo, "1.31@1", "1.31")["entries"][0]["facts"]) == 9


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("words", [["2.1@1", "2.1"], ["2.1@1"], ["2.1@1", "2.1@3"]])
def test_diff_of_take_and_entry_uses_the_counting_take(retaken, words):
    found = told(retaken, *words)
    assert (found["kind"], unequal(found)) == ("take", [("2.1@1", "2.1@3")])
    assert (found["left"]["position"], found["right"]["position"]) == (15, 18)


def test_diff_of_amended_and_inserted_entries(folder):
    folder.run("do", "k climb v4 /7.6")
    folder.run("amend", "1.1", "v5", "--retcon", "--because", "miscounted")
    folder.run("amend", "--insert", "1.1", "# The lamp room", "--retcon", "--because", "forgotten")
    found = differing(folder, "1.1@1")
    assert found[1:5] == [
        "- 1.1@1 (amended by 1.2 (retcon, miscounted))",
        "+ 1.1@2 (it counts)",
        "",
        "1.1 differs",
    ]
    assert unequal(told(folder, "1.1", "1.1+1")) == [(None, "1.1+1@1")]
    assert folder.run("diff", "1.1+1@1").splitlines()[-1] == "they are the same"


def test_diff_of_takes_of_two_entries(demo):
    (found,) = told(demo, "1.5@1", "1.8")["entries"]
    assert (found["left"]["line"], found["right"]["line"]) == ("k sneak v5 e1", "k sneak e1")
    assert "1.5 and 1.8 differ" in differing(demo, "1.5@1", "1.8@1")


def test_diff_of_take_with_itself_is_empty(demo):
    assert demo.run("diff", "1.5@1", "1.5@1").splitlines()[-1] == "they are the same"
    assert demo.run("diff", "1.5@1").splitlines()[1] == "+ 1.5@1 (it counts)"


# Moments


@pytest.mark.parametrize(
    "words", [["1.4", "1.6"], ["--at", "1.4", "--at", "1.6"], ["--at", "1.4", "--at", "1.6", "--as-of", "161"]]
)
def test_diff_of_moments_shows_values_and_entries_in_brief(demo, words):
    found = differing(demo, *words)
    assert found[0] == f"2 only in {found[2][2:]}; 2 values differ"
    assert found[3:] == [
        "",
        "values",
        "              -   +",
        "  doom        0   1",
        "  Kess speed  14  11",
        "",
        "entries",
        "  + 1.5   k sneak v5 e1",
        '  + 1.6   ! doom 1 "a loose slate slides into the gutter" because="the clerk looks up from his books"',
    ]


def test_diff_of_positions_is_what_the_ledger_said_there(demo):
    words = ["@37", "@40"]
    found = told(demo, *words)
    assert (found["left"]["entry"], found["right"]["entry"]) == ("1.31", "1.32")
    assert unequal(found) == [("1.31@1", "1.31@3"), (None, "1.32@1")]
    assert told(demo, "--as-of", "37", "--as-of", "40") == found
    shown = differing(demo, *words)
    assert shown[1:3] == ["- 1.31 as the ledger said at position 37", "+ 1.32 as the ledger said at position 40"]
    assert shown[-3:] == [
        "  - 1.31@1 k hide v4 /5.5",
        '  + 1.31@3 t bluff v5 e1 +1"the watch wants to be indoors"',
        "  + 1.32  undo",
    ]


def test_diff_of_one_entry_as_of_two_positions(demo):
    found = told(demo, "--at", "1.31", "--as-of", "37", "--as-of", "40")
    assert (found["left"]["entry"], found["right"]["entry"]) == ("1.31", "1.31")
    assert unequal(found) == [("1.31@1", "1.31@3")]
    assert moved(found) == {"kess.destiny": (0, 1), "tamsin.destiny": (1, 0), "tamsin.intellect": (13, 12)}


def test_diff_of_one_moment_is_with_now(demo):
    assert moved(told(demo, "3.38")) == {}
    assert unequal(told(demo, "3.38")) == [(None, "3.39@1")]
    assert demo.run("diff", "3.39").splitlines() == ["- 3.39", "+ 3.39", "they are the same"]


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("words", [["1.4", "2.7"], ["2.7", "1.4"], ["@20", "@45"], ["1.31", "@37"], ["0.0", "3.39"]])
def test_diff_of_moments_has_the_values_of_show(demo, words):
    def shown(word: str) -> dict[str, object]:
        option = ["--as-of", word[1:]] if word.startswith("@") else ["--at", word]
        return json.loads(demo.run("show", "--json", *option))["values"]

    one, other = map(shown, words)
    names = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    assert moved(told(demo, *words)) == {name: (one.get(name), other.get(name)) for name in names}


# Sessions


def test_diff_of_sessions_aligns_entry_numbers(demo):
    found = told(demo, "1", "3")
    assert (found["kind"], found["left"]["entry"], found["right"]["entry"]) == ("session", "1.45", "3.39")
    assert unequal(found)[:2] == [("1.0@1", "3.0@1"), ("1.1@1", "3.1@1")]
    assert unequal(found)[-6:] == [(f"1.{number}@1", None) for number in range(40, 46)]
    assert moved(found)["doom"] == (3, 17)
    shown = differing(demo, "1", "3")
    place = shown.index("1.3 and 3.3 differ")
    assert shown[place : place + 4] == [
        "1.3 and 3.3 differ",
        "- 1.3   # The Counting House, second bell past midnight",
        "+ 3.3   k rest one_action order=speed",
        "+       recovery: d6 1, level +3 = 4: rested",
    ]
    assert shown[shown.index("1.43 only in session 1") + 1] == "- 1.43  Dovel joins (npc)"
    assert shown[0] == "40 entries differ; 6 only in session 1; 24 values differ"


def test_diff_of_repeated_session_differs_at_its_opening(closed):
    for _ in range(2):
        closed.run("open", "--seed", "twice")
        closed.run("do", "# The lamp room")
        closed.run("close")
    found = told(closed, "1", "2")
    assert unequal(found) == [("1.0@1", "2.0@1")]
    assert found["entries"][0]["facts"][0]["field"] in ("said.number", "said.commitment")
    assert found["values"] == []


@pytest.mark.parametrize("one", ["0", "1", "3"])
def test_diff_of_session_with_itself_is_empty(demo, one):
    assert told(demo, one, one)["same"]


# Ledgers


def test_diff_of_ledger_and_copy_is_empty(played, tmp_path):
    copy = copied(played, tmp_path / "copy")
    for path in (copy.path, copy.ledger):
        assert played.run("diff", str(path)).splitlines()[-1] == "they are the same"
    head = head_of(played)
    assert played.run("diff", str(copy.path)).splitlines()[2] == f"the chains agree up to position {head}"
    assert told(played, str(copy.path))["agree"] == {"position": head.position, "hash": head.hash}


def test_diff_of_continued_copy_shows_the_new_entries(played, tmp_path):
    copy = copied(played, tmp_path / "copy")
    head = head_of(played)
    copy.run("open", "More", "--seed", "x")
    copy.run("do", "k climb v4 /7.6")
    found = differing(played, str(copy.path))
    assert found[:8] == [
        f"2 only in {copy.path} (Salt Ward); 1 value differs",
        "- this ledger (Salt Ward)",
        f"+ {copy.path} (Salt Ward)",
        f"the chains agree up to position {head}",
        "- has nothing more",
        f"+ continues to position {head.position + 2}",
        "",
        f"2.0 only in {copy.path} (Salt Ward)",
    ]
    assert unequal(told(played, str(copy.path))) == [(None, "2.0@1"), (None, "2.1@1")]
    assert unequal(told(copy, str(played.path))) == [("2.0@1", None), ("2.1@1", None)]


def test_diff_of_two_continuations_shows_where_they_differ(folder, tmp_path):
    folder.run("do", "# One")
    copy = copied(folder, tmp_path / "copy")
    folder.run("do", "k climb v4 /7.6")
    copy.run("do", "k climb v5 /7.6")
    copy.run("do", "close")
    found = told(folder, str(copy.path))
    assert found["agree"]["position"] == found["left"]["position"] - 1 == found["right"]["position"] - 2
    assert unequal(found) == [("1.2@1", "1.2@1"), (None, "1.3@1")]
    assert found["entries"][0]["facts"][0]["field"] == "said.difficulty"
    shown = differing(folder, str(copy.path))
    assert "1.2 differs" in shown
    assert "-       Dawn 7, Dusk 6 [table dice] = 13 against 12: success, dawn" in shown
    assert "+       Dawn 7, Dusk 6 [table dice] = 13 against 15: failure, dawn" in shown


def test_diff_prints_equal_results_once(played, tmp_path):
    copy = copied(played, tmp_path / "copy")
    Forger(copy.ledger).rewrite(changing("1.1", fact=(2, {"rules": ("DB-NEW",)})), chained=True)
    found = differing(played, str(copy.path))
    assert found[7] == "1.1 differs in what no line says: fact 3 (rolled), rules"
    assert found[8] == "  1.1   k sneak v5 e1"
    assert found[0] == "1 entry differs"
    assert not [line for line in found[7:] if line.startswith(("- ", "+ "))]


def test_diff_leaves_out_undone_entries(folder, tmp_path):
    folder.run("do", "# One")
    copy = copied(folder, tmp_path / "copy")
    copy.run("undo")
    assert unequal(told(folder, str(copy.path))) == [("1.1@1", None), (None, "1.2@1")]
    position = head_of(folder).position
    assert unequal(told(copy, f"@{position}", f"@{position + 2}")) == [("1.1@1", None), (None, "1.2@1")]


def test_diff_of_two_ledgers_names_their_ids(played, tmp_path):
    other = Folder(tmp_path / "other")
    CliRunner().invoke(campaign, ["--clock", CLOCK, "new", "Tide", str(other.path), "--id", "f" * 32])
    found = differing(played, str(other.path))
    assert found[3] == f"two ledgers: their ids are {'0' * 31}1 and {'f' * 32}"
    assert found[5] == "0.0 differs"
    assert told(played, str(other.path))["agree"]["position"] == 0


def test_diff_sees_another_clock_without_other_facts(played, tmp_path):
    copy = Folder(tmp_path / "again")
    shutil.copytree(played.path, copy.path)
    Forger(copy.ledger).rewrite(changing("1.3", at="another day"), chained=True)
    found = differing(played, str(copy.path))
    assert found[0] == "all facts are the same; their metadata (time, request, takes) differs"


def test_diff_of_two_paths_needs_no_campaign(played, tmp_path):
    copy, nowhere = copied(played, tmp_path / "copy"), Folder(tmp_path / "nowhere")
    nowhere.path.mkdir()
    done = CliRunner().invoke(campaign, ["diff", str(copy.path), str(played.ledger)])
    assert done.exit_code == 0, done.output
    assert "no ledger here or above" in one_error(nowhere.invoke("diff", str(copy.path)), 3)


def test_diff_of_damaged_ledger_names_its_path(played, tmp_path):
    other = Folder(tmp_path / "broken")
    other.path.mkdir()
    for kind, content in broken_ledgers(played.bytes):
        other.ledger.write_bytes(content)
        done = played.invoke("diff", str(other.path))
        if kind == "a write-ahead log" and done.exit_code == 0:
            continue  # SQLite reads it all the same
        assert "broken" in one_error(done, 3), kind
        assert is_printable(done.output)
        assert (done.stdout, other.bytes) == ("", content), kind
        assert [path.name for path in other.path.iterdir()] == ["ledger.db"], kind


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["UPDATE records SET hash = replace(hash, 'a', 'b')"], "its hash does not match its bytes"),
        (["UPDATE records SET public = replace(public, 'sneak', 'snake')"], "its hash does not match its bytes"),
        (["DELETE FROM records WHERE position > 1 AND position < 4"], "position 2: its hash does not match"),
        (["DELETE FROM records"], "the ledger has no first record"),
        (["UPDATE records SET number = 99 WHERE position = 6"], "the columns of the record differ"),
    ],
)
def test_diff_of_changed_records_is_damage(played, tmp_path, statements, said):
    copy = copied(played, tmp_path / "copy")
    Forger(copy.ledger).change(*statements, "DELETE FROM snapshots")
    error = one_error(played.invoke("diff", str(copy.path)), 3)
    assert said in error
    assert str(copy.ledger) in error


def test_diff_of_unbalanced_facts_is_damage(played, tmp_path):
    copy = copied(played, tmp_path / "copy")
    forger = Forger(copy.ledger)
    forger.rewrite(changing("1.1", fact=(1, {"now": 3})), chained=True)
    forger.sql("DELETE FROM snapshots")
    for words in (["1", "0"], ["1.1@1"], ["1.1", "1.2"], ["@9"], [str(played.path)]):
        assert "says now 3, the sum is 11" in one_error(copy.invoke("diff", *words), 3)


@pytest.mark.slow
def test_diff_refuses_other_files_at_once(played, tmp_path):
    for path in odd_paths(tmp_path):
        done = played.run_process("diff", str(path), timeout=20, cwd=tmp_path)
        one_error(done, 3)
        assert is_printable(done.stderr), path


# All of them


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    "words",
    [["1", "2"], ["2", "3"], ["1.31@1", "1.31@3"], ["1.5@1", "2.5"], ["1.4", "2.7"], ["@30", "@60"], ["1.31", "@37"]],
)
def test_diff_with_swapped_operands_is_the_mirror_image(demo, words):
    found = told(demo, *words)
    assert found["entries"]
    assert kindless(mirrored(told(demo, *reversed(words)))) == kindless(found)


@pytest.mark.slow
def test_diff_json_is_as_the_readme_says(retaken):
    found = told(retaken, "2.1@1")
    assert set(found) == {"kind", "same", "left", "right", "agree", "entries", "values"}
    assert found["left"] == {
        "name": "2.1@1 (taken back by 2.2 (undo))",
        "ledger": "0" * 31 + "1",
        "entry": "2.1",
        "position": 15,
    }
    (entry,) = found["entries"]
    assert set(entry) == {"left", "right", "facts"}
    assert set(entry["left"]) == {"entry", "take", "position", "by", "line", "results"}
    assert set(entry["facts"][0]) == {"fact", "kind", "field", "left", "right"}
    assert set(found["values"][0]) == {"value", "left", "right"}


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "diff takes two arguments: sessions, takes, moments or ledgers. Sessions are written 1, takes 1.4@1"),
        (["1", "2", "3"], "diff takes two arguments"),
        (["1"], "a session is compared with another session"),
        (["1", "4"], "there is no session 4. The last one is 3."),
        (["1", "9" * 30], "is not a whole number"),
        (["1", "1.4"], "a session and a moment cannot be compared"),
        (["1", "1.4@1"], "a session and a take cannot"),
        (["@17", "1.4@1"], "a moment and a take cannot"),
        (["1.4", "."], "a moment and a ledger cannot"),
        (["1.4", "9.9"], "there is no entry 9.9. The entry before it is 3.39."),
        (["1.99"], "there is no entry 1.99"),
        (["1.4@9"], "there is no take 1.4@9. There is: 1.4@1."),
        (["1.31@2"], "There is: 1.31@1, 1.31@3."),
        (["9.9@1"], "there is no entry 9.9"),
        (["@0"], "positions begin with 1"),
        (["@999"], "the ledger ends at position 172"),
        (["@"], "is not a whole number"),
        (["1.4@"], "is not a whole number"),
        (["1.4@1@2"], "is not a whole number"),
        (["1.4.2"], "'1.4.2' is not an entry id"),
        (["1@2"], "'1' is not an entry id"),
        (["1.9999999"], "is not an entry id"),
        ([""], "an argument is empty"),
        (["1.4", "--at", "1.5"], "diff takes two arguments"),
        (["--at", "1.4", "--at", "1.5", "--at", "1.6"], "diff takes two arguments"),
        (["--as-of", "0"], "--as-of"),
        (["--at", "kess"], "'kess' is not an entry id"),
    ],
)
def test_diff_of_wrong_operands_is_one_line_of_error(demo, words, said):
    assert said in one_error(demo.invoke("diff", *words), 2)


def test_diff_of_undone_entry_has_no_counting_take(folder):
    folder.run("do", "o climb v3 /7.6")
    folder.run("undo")
    assert "1.1 is taken back, no take counts. Name one: 1.1@1." in one_error(folder.invoke("diff", "1.1@1", "1.1"), 2)


@pytest.mark.slow
def test_diff_writes_nothing(demo, tmp_path):
    copy = copied(demo, tmp_path)
    before = {path: path.read_bytes() for folder in (demo, copy) for path in folder.path.rglob("*") if path.is_file()}
    for words in (["1", "2"], ["1.31@1"], ["1.4", "1.9"], ["@9", "@10"], [str(copy.path)]):
        demo.invoke("diff", *words)
    after = {path: path.read_bytes() for folder in (demo, copy) for path in folder.path.rglob("*") if path.is_file()}
    assert after == before


def test_diff_takes_the_begin_of_a_round(fight_folder):
    begun = "1.4"
    assert fight_folder.invoke("diff", "--at", "round 1").stdout == fight_folder.invoke("diff", begun).stdout
    assert fight_folder.invoke("diff", "round 1").stdout == fight_folder.invoke("diff", begun).stdout
    assert "no encounter has come to round 9" in one_error(fight_folder.invoke("diff", "--at", "round 9"), 2)
