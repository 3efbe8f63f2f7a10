"""Test `import rolls`: what a chat says becomes lines that a person has answered with, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli.play import foundry_chat
from cli.play.declare import declare_line
from cli.play.foundry_chat import plain_text, read_chat
from cli.play.foundry_dice import DICE_MOST, BadRoll, rolled_dice
from cli.shell import chat_asker
from ledger.acts import CutShort
from ledger.errors import Refused, Unreadable
from ledger.facts import Claimed, Rolled, Told
from tests.budget import BUDGET
from tests.cli.conftest import Folder, copied, is_printable, numbered_facts, one_error
from tests.cli.foundry import as_version_12, die, message, plus, roll

EXPLODED = {"result": 6, "active": True, "exploded": True}
AGAIN = {"result": 1, "active": False, "rerolled": True}
DROPPED = {"result": 4, "active": False, "discarded": True}
CHAT = [
    message(1, "Ysmay", "<p>Small <b>boots</b> in the clay.</p>"),
    message(2, "Ysmay", "14", roll(14, die(20, 13), *plus(1)), flavor="Track the boy"),
    message(
        3, "Corvane of the Hill", "18", roll(18, die(20, DROPPED, 15, modifiers=["kh"]), *plus(3)), flavor="Lintel"
    ),
    message(4, "Wight 1", "8", roll(8, die(20, 8)), flavor="Listen", blind=True),
    message(5, "Pim", "one moment, the door", style=1),
    message(6, "Corvane", "Corvane bows.", style=3),
]
LINES = [
    '" Ysmay: Small boots in the clay.',
    "Ysmay Track the boy 1d20+1 /13 => rolled 14",
    "Corvane Lintel 2d20kh+3 /4.15 => rolled 18",
    '!! "Wight 1" Listen 1d20 /8 => rolled 8',
    "> Corvane bows.",
]


@pytest.fixture
def barrow(played_samples: dict[str, Path], tmp_path: Path) -> Folder:
    """Return a copy of the sample of the open game, between its sessions."""
    return copied(Folder(played_samples["barrow-road"]), tmp_path)


def chat_file(folder: Folder, chat: Sequence[Any], form: str = "array") -> str:
    text = json.dumps(chat) if form == "array" else "\n".join(map(json.dumps, chat))
    return str(folder.file("chat.json", text))


def dry(folder: Folder, chat: Sequence[Any], form: str = "array") -> list[str]:
    return folder.run("import", "rolls", chat_file(folder, chat, form), "--dry-run").splitlines()


def said(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not line.startswith(";")]


@pytest.mark.parametrize("form", ["array", "lines"])
@pytest.mark.parametrize("version", [12, 13])
def test_each_form_of_a_chat_gives_the_same_lines(barrow: Folder, form: str, version: int) -> None:
    chat = CHAT if version == 13 else list(map(as_version_12, CHAT))
    before = barrow.bytes
    lines = dry(barrow, chat, form)
    assert said(lines) == LINES
    assert lines[0] == "; 1 of 6, 2026-04-10 19:01, Ysmay: Small boots in the clay."
    assert lines[2] == "; 2 of 6, 2026-04-10 19:02, Ysmay: Track the boy, 1d20+1 (13) = 14"
    assert lines[-1] == "; 1 message is neither a roll nor in character."
    assert barrow.bytes == before


def test_answers_write_quotes_faces_and_claims(barrow: Folder) -> None:
    first = max(id for id, _, _ in numbered_facts(barrow))
    done = barrow.invoke("import", "rolls", chat_file(barrow, CHAT), input="\n" * 5)
    assert done.exit_code == 0, done.output
    assert done.stderr.endswith("5 lines written. 1 message is neither a roll nor in character.\n")
    facts = [fact for id, _, fact in numbered_facts(barrow) if id > first]
    assert [fact.text for fact in facts if isinstance(fact, Told)] == ["Small boots in the clay.", "Corvane bows."]
    rolled = [fact for fact in facts if isinstance(fact, Rolled)]
    assert [[each.face for each in fact.dice] for fact in rolled] == [[13], [4, 15], [8]]
    assert {fact.source for fact in rolled} == {"table"}
    claims = [fact for fact in facts if isinstance(fact, Claimed)]
    assert [fact.claimed for fact in claims] == [14, 18, 8]
    assert all(fact.actual == fact.claimed for fact in claims)
    barrow.run("replay")


def test_hidden_messages_are_hidden_from_the_players(barrow: Folder) -> None:
    chat = [message(1, "Ysmay", "", roll(8, die(20, 8)), flavor="Xyzzy", whisper=["a" * 16])]
    barrow.invoke("import", "rolls", chat_file(barrow, chat), input="\n")
    assert "Xyzzy" in barrow.run("log")
    assert "Xyzzy" not in barrow.run("log", "--as", "players")
    assert "=> rolled 8" not in barrow.run("log", "--as", "players")


@pytest.mark.parametrize("answer", ["wight1 xyzzy d20", "!! wight1 xyzzy d20"])
def test_line_for_a_hidden_message_is_hidden_too(barrow: Folder, answer: str) -> None:
    chat = [message(1, "Gamemaster", "", roll(8, die(20, 8)), flavor="Listen", blind=True)]
    done = barrow.invoke("import", "rolls", chat_file(barrow, chat), input=f"{answer}\n")
    assert "No line is proposed: 'Gamemaster' is nobody in play" in done.stderr
    assert "  !! wight1 xyzzy d20 /8 => rolled 8" in done.stdout
    assert "xyzzy" not in barrow.run("log", "--as", "players")


def test_nothing_is_written_without_an_answer(barrow: Folder) -> None:
    before = barrow.bytes
    done = barrow.invoke("import", "rolls", chat_file(barrow, CHAT), input="")
    assert done.stderr.endswith(
        "Ended: the next call goes on here.\n0 lines written. 1 message is neither a roll nor in character.\n"
    )
    barrow.invoke("import", "rolls", chat_file(barrow, CHAT), input="-\n" * 5)
    assert barrow.bytes == before


def test_message_is_written_once(barrow: Folder) -> None:
    path = chat_file(barrow, [CHAT[1], CHAT[1], CHAT[0]])
    assert "1 line written, 1 left out" in barrow.invoke("import", "rolls", path, input="\n-\n").stderr
    again = barrow.invoke("import", "rolls", path, input="\n")
    assert again.stderr.endswith("1 line written, 1 written before.\n")
    assert dry(barrow, [CHAT[1], CHAT[0]]) == []


def test_message_whose_line_was_taken_back_is_asked_about_again(barrow: Folder) -> None:
    path = chat_file(barrow, CHAT[1:3])
    for _ in range(3):
        assert "1 line written, 1 left out." in barrow.invoke("import", "rolls", path, input="\n-\n").stderr
        assert said(dry(barrow, CHAT[1:3])) == LINES[2:3]
        barrow.run("undo")
        assert said(dry(barrow, CHAT[1:3])) == LINES[1:3]
    barrow.run("do", "corvane rest")  # has the number of the line that was taken back
    assert said(dry(barrow, CHAT[1:3])) == LINES[1:3]
    barrow.invoke("import", "rolls", path, input="\n-\n")
    barrow.run("undo")
    barrow.run("do", "redo")
    assert said(dry(barrow, CHAT[1:3])) == LINES[2:3]
    barrow.run("verify")


def test_message_whose_line_was_amended_is_not_asked_about_again(barrow: Folder) -> None:
    path = chat_file(barrow, CHAT[1:2])
    barrow.invoke("import", "rolls", path, input="\n")
    entry = next(line.split()[0] for line in reversed(barrow.run("log").splitlines()) if line[:1].isdigit())
    barrow.run("amend", entry, "Ysmay Track the boy 1d20+2 /13", "--because", "the wind")
    assert dry(barrow, CHAT[1:2]) == []
    barrow.run("amend", "--drop", entry, "--because", "it was a dream")
    assert said(dry(barrow, CHAT[1:2])) == LINES[1:2]


def test_each_roll_of_a_message_is_asked_about(barrow: Folder) -> None:
    chat = [message(1, "Ysmay", "", roll(13, die(20, 13)), roll(5, die(6, 5)), flavor="Hew")]
    assert said(dry(barrow, chat)) == ["Ysmay Hew 1d20 /13 => rolled 13", "Ysmay Hew 1d6 /5 => rolled 5"]
    assert "2 lines written." in barrow.invoke("import", "rolls", chat_file(barrow, chat), input="\n\n").stderr
    assert dry(barrow, chat) == []


def test_roll_without_a_name_is_proposed_by_its_dice(barrow: Folder) -> None:
    assert said(dry(barrow, [message(1, "Ysmay", "", roll(13, die(20, 13)))])) == ["Ysmay 1d20 /13 => rolled 13"]


def test_empty_answer_without_a_proposal_is_asked_about_again(barrow: Folder) -> None:
    chat = chat_file(barrow, [message(1, "Noor", "", roll(13, die(20, 13)))])
    done = barrow.invoke("import", "rolls", chat, input="\n-\n")
    assert done.stderr.endswith("Write a line, or - to leave it out.\n0 lines written, 1 left out.\n")


def test_line_that_was_kept_in_part_is_written(barrow: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_short(*given: Any, **more: Any) -> None:
        record = declare_line(*given, **more)
        assert record is not None
        raise CutShort.after(record, Refused("X-REST", "the others cannot"))

    monkeypatch.setattr(chat_asker, "declare_line", cut_short)
    done = barrow.invoke("import", "rolls", chat_file(barrow, CHAT[:1]), input="\n")
    assert '" Ysmay: Small boots in the clay.' in done.stdout
    assert done.stderr.endswith("X-REST: the others cannot.\n1 line written.\n")


def test_message_without_words_is_left_out(barrow: Folder) -> None:
    assert dry(barrow, [message(1, "Ysmay", "<img src=x>")]) == ["; 1 message is neither a roll nor in character."]


def test_no_roll_of_a_message_is_dropped(barrow: Folder) -> None:
    chat = [message(1, "Ysmay", "", *[roll(13, die(20, 13))] * 60)]
    assert len(said(dry(barrow, chat))) == 60


def test_answer_in_other_words_has_the_dice_of_the_message(barrow: Folder) -> None:
    chat = [message(1, "Noor", "", roll(16, die(20, 13), *plus(3)))]
    answers = "zed lifts\nysmay lift d20+d20\nysmay lift d20+str vs 12\n"
    done = barrow.invoke("import", "rolls", chat_file(barrow, chat), input=answers)
    assert "ysmay lift d20+str vs 12 /13 => success 16" in done.stdout
    assert "'zed' is nobody in play" in done.stderr
    assert "OG-E-DICE" in done.stderr
    assert "1 line written." in done.stderr


def test_answer_without_dice_stays_as_it_is(barrow: Folder) -> None:
    chat = [message(number, "Noor", "", roll(13, die(20, 13))) for number in (1, 2)]
    done = barrow.invoke("import", "rolls", chat_file(barrow, chat), input='ysmay coins -2 "rope"\n# The farm\n')
    assert "2 lines written." in done.stderr
    assert "/13" not in done.stdout


def test_total_that_differs_is_said(barrow: Folder) -> None:
    chat = [message(1, "Ysmay", "", roll(99, die(20, 13)), flavor="Hew")]
    assert dry(barrow, chat)[1:] == ["; it comes to another total than the chat", "Ysmay Hew 1d20 /13 => rolled 99"]
    done = barrow.invoke("import", "rolls", chat_file(barrow, chat), input="\n")
    assert "It comes to another total than the chat." in done.stderr
    (claim,) = (fact for _, _, fact in numbered_facts(barrow) if isinstance(fact, Claimed) and fact.claimed == 99)
    assert claim.actual == 13


def test_line_that_comes_to_the_total_is_proposed_first(barrow: Folder) -> None:
    for total, faces in ((11, "6.4.5"), (10, "6.5.4")):  # the 4 belongs to the 6, or the 5 does
        chat = [message(1, "Ysmay", "", roll(total, die(6, EXPLODED, 5, 4, number=2, modifiers=["x", "kh1"])))]
        assert said(dry(barrow, chat)) == [f"Ysmay 2d6!kh1 /{faces} => rolled {total}"]


@pytest.mark.slow
def test_other_game_asks_for_what_the_chat_does_not_say(saints: Folder) -> None:
    chat = [message(1, "Kess", "", roll(9, die(6, 4, 5)), flavor="Sneak Check")]
    assert said(dry(saints, chat)) == []
    done = saints.invoke("import", "rolls", chat_file(saints, chat), input="kess sneak v5\n")
    assert "No line is proposed: DB-E-DIFFICULTY" in done.stderr
    assert "kess sneak v5 /4.5 => failure 9" in done.stdout


@pytest.mark.slow
def test_dry_run_is_a_session_file(barrow: Folder) -> None:
    path = barrow.file("evening.session", "\n".join(dry(barrow, CHAT)) + "\n")
    barrow.run("open", "--seed", "again")
    barrow.run("run", str(path))
    assert "small boots in the clay" in barrow.run("search", "small boots").casefold()


@pytest.mark.parametrize(
    ("data", "formula", "faces", "total"),
    [
        (roll(14, die(20, 13), *plus(1)), "1d20+1", [(13,)], 14),
        (roll(15, die(6, EXPLODED, 2, 3, 4, number=3, modifiers=["x"])), "3d6!", [(6, 4, 2, 3), (6, 2, 3, 4)], 15),
        (
            roll(24, die(6, EXPLODED, EXPLODED, 3, EXPLODED, 1, 2, number=3, modifiers=["x6"])),
            "3d6!",
            [(6, 6, 2, 6, 1, 3), (6, 6, 3, 6, 2, 1)],
            24,
        ),
        (roll(5, die(6, AGAIN, 3, 2, number=2, modifiers=["r1"])), "2d6", [(2, 3)], 5),
        (roll(2, die(6, 5, 6, 1, modifiers=["cs>=5"])), "3d6>=5", [(5, 6, 1)], 2),
        (roll(0, die(3, 1, -1, 0, 0, kind="FateDie")), "4dF", [(3, 1, 2, 2)], 0),
        (roll(1, die(2, 1, kind="Coin")), "", [(2,)], 1),
        (roll(7.5, die(6, 5)), "1d6", [(5,)], None),
        (roll(10, die(20, 13), *plus(-3)), "", [(13,)], 10),
        (roll(14, die(20, 13), *plus(True)), "", [(13,)], 14),
        (roll(6, die(6, 5, modifiers=["min6"])), "", [(5,)], 6),
        (roll(9, {"class": "PoolTerm", "rolls": [roll(4, die(6, 4)), roll(5, die(8, 5))]}), "", [(4, 5)], 9),
        (roll(8, {"class": "ParentheticalTerm", "roll": roll(8, die(12, 8))}), "", [(8,)], 8),
    ],
)
def test_dice_of_a_roll(data: Any, formula: str, faces: list[tuple[int, ...]], total: int | None) -> None:
    for given_as in (data, json.dumps(data)):
        dice = rolled_dice(given_as)
        assert (dice.formula, list(dice.faces), dice.total) == (formula, faces, total)


def nested(depth: int) -> dict[str, Any]:
    inner = roll(4, die(6, 4))
    for _ in range(depth):
        inner = roll(4, {"class": "ParentheticalTerm", "roll": inner})
    return inner


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (roll(9, die(6, 9)), "a d6 shows 9"),
        (roll(0, die(6, 0)), "a d6 shows 0"),
        (roll(4, die(3, 2, kind="FateDie")), "a d3 shows 2"),
        (roll(10**18, die(6, 10**18)), "a d6 shows an absurd number"),
        (roll(3), "it has no dice"),
        (roll(3, die(6, "three")), "a die cannot be read"),
        (roll(3, die(6, {"active": True})), "a die cannot be read"),
        (roll(3, die("six", 3)), "a die has no number of sides"),
        (roll(3, die(6, 3, 3, number=1)), "1 dice have 2 faces"),
        (roll(3, die(6, *[3] * (DICE_MOST + 1))), "it has more than 100 dice"),
        (roll(3, die(6, *[AGAIN] * 100, *[3] * 50, number=50)), "it has more than 100 dice"),
        (roll(3, *[die(6, 3)] * 201), "it has more than 200 terms"),
        (roll(3, {"class": "PoolTerm", "rolls": [roll(0)] * 200 + [roll(3, die(6, 3))]}), "it has more than 200 terms"),
        (nested(20), "more than 8 rolls stand in each other"),
        ("[" * 100_000, "it cannot be read"),
        ("{}{}", "it cannot be read"),
        (17, "it cannot be read"),
        ({"terms": "many"}, "it cannot be read"),
    ],
)
def test_impossible_roll_is_refused(data: Any, told: str) -> None:
    with pytest.raises(BadRoll, match=told):
        rolled_dice(data)


def test_impossible_roll_is_left_out_of_the_questions(barrow: Folder) -> None:
    chat = [message(9, "Ysmay", "", roll(9, die(6, 9))), CHAT[0]]
    lines = dry(barrow, chat)
    assert lines[1].startswith("; it is left out: a d6 shows 9")
    assert said(lines) == LINES[:1]
    done = barrow.invoke("import", "rolls", chat_file(barrow, chat), input="\n")
    assert "It is left out: a d6 shows 9." in done.stderr
    assert "1 line written, 1 left out." in done.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('{"_id": 1, "rolls": "x"}', "Expected `array | null`, got `str`"),
        ("not JSON", "JSON is malformed"),
        ("[{}, 3]", "message 2: no chat messages of Foundry"),
        ('{"speaker": {"alias": 7}}', "`$.speaker.alias`"),
        (b"\xff\xfe\x00", "JSON is malformed"),
    ],
)
def test_other_file_is_an_error_with_its_place(barrow: Folder, content: str | bytes, told: str) -> None:
    error = one_error(barrow.invoke("import", "rolls", str(barrow.file("chat.json", content))), 3)
    assert told in error
    assert error.endswith("See campaign help foundry.")


def test_too_large_file_is_an_error(barrow: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foundry_chat, "BYTES_MOST", 1 << 20)
    path = barrow.file("chat.json", "[" + " " * (1 << 20) + "]")
    error = one_error(barrow.invoke("import", "rolls", str(path)), 2)
    assert error.endswith("has more than 1 MiB. Export fewer messages at a time.")


def test_empty_file_has_no_messages(barrow: Folder) -> None:
    for content in ("", "[]", "\n\n"):
        path = str(barrow.file("chat.json", content))
        assert barrow.invoke("import", "rolls", path).stderr == "0 lines written.\n"


def test_markup_of_a_message_is_text(barrow: Folder) -> None:
    hostile = '<img src=x onerror="alert(1)">hi\u202e\x1b[2J <script>x</script>&lt;b&gt; there'
    chat = [message(1, "Ysmay", hostile), message(2, "<b>Ysmay</b>", "", roll(8, die(20, 8)), flavor="/9 => won 3")]
    lines = dry(barrow, chat)
    assert said(lines) == ['" Ysmay: hi [2J <b> there', 'Ysmay "/9 => won 3" 1d20 /8 => rolled 8']
    assert is_printable("\n".join(lines))


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(30, 200))
@given(st.text(st.sampled_from("<>/!-&;#x1ab \n\x1b\u202e\"'=[]"), max_size=60))
@example("<!--")
@example("<![CDATA[")
@example("<![1")
def test_text_of_any_html_is_one_printable_line(html: str) -> None:
    text = plain_text(html)
    assert is_printable(text)
    assert text == text.strip()
    assert "\n" not in text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["terms", "results", "faces", "result", "number", "rolls", "roll"]), inner)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(50, 500))
@given(JSON)
def test_any_roll_is_read_or_refused(data: Any) -> None:
    try:
        dice = rolled_dice(data)
    except BadRoll:
        return
    assert all(face >= 1 for faces in dice.faces for face in faces)


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(30, 200))
@given(st.lists(st.dictionaries(st.sampled_from(["_id", "speaker", "rolls", "style", "timestamp", "whisper"]), JSON)))
def test_any_messages_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, chat: list[Any]) -> None:
    path = tmp_path_factory.mktemp("chat") / "chat.json"
    path.write_text(json.dumps(chat))
    try:
        log = read_chat(path)
    except Unreadable:
        return
    assert log.messages == len(chat)
