"""Checks as sentences: each has a verb, of its purpose or of what somebody did about a thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.phrases.verbs import gerund
from cli.story.lead_text import both_falls
from cli.story.plain_words import plural_noun
from cli.story.task_words import move_words, texts_of
from tests.cli.passages import sentence
from tests.cli.test_recap_story import played
from tests.golden import CAMPAIGNS


@pytest.mark.parametrize(
    ("said", "field", "told"),
    [
        ("not listen to the singing", "task_to", "keep from listening to the singing"),
        ("don't look down", "task_to", "keep from looking down"),
        ("remember whose ring that is", "task_to", "remember whose ring that was"),
        ("not forget it", "task_to", "keep from forgetting it"),
        ("tell whether he lies", "task_to", "tell whether he lied"),
        ("tell who lies", "task_to", "tell who lied"),
        ("tell what lies beyond", "task_to", "tell what lay beyond"),
        ("guess what it wants", "task_to", "guess what it wanted"),
        ("work out how the lock works", "task_to", "work out how the lock worked"),
        ("tell what keeps them awake", "task_to", "tell what kept them awake"),
        ("tell what we saw", "task_said", "tell what we saw"),
        ("find out what happened", "task_to", "find out what happened"),
        ("not dither at the door", "task_to", "keep from dithering at the door"),
        ("sees what the roots want", "task_to", "see what the roots wanted"),
        ("sees what the river wants", "task_to", "see what the river wanted"),
        ("see what the roots wanted", "task_to", "see what the roots wanted"),
        ("what the reeve wants with them", "task_to", "make out what the reeve wanted with them"),
        ("tell what they were guarding", "task_to", "tell what they were guarding"),
    ],
)
def test_task_with_a_question_or_a_denial_follows_to(said: str, field: str, told: str) -> None:
    assert texts_of({"task": said}, past=True)[field] == told


def test_denied_thing_is_no_task() -> None:
    assert "task_to" not in texts_of({"task": "not the door"}, past=True)


def test_word_behind_not_that_is_no_verb_begins_no_task() -> None:
    assert all("task_to" not in texts_of({"task": text}, past=True) for text in ("not again", "not so fast, the door"))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("claw", ("claw", "\x02claw\x03", "")),
        ("wail", ("wail at", "\x02wail\x03 at", "")),
        ("lay to rest", ("lay", "\x02lay\x03", "to rest")),
        ("firebolt", ("", "", "")),
        ("brave the water", ("", "", "")),
    ],
)
def test_move_of_a_table_is_aimed_at_somebody(move: str, words: tuple[str, str, str]) -> None:
    said = move_words(move)
    assert tuple(said.get(name, "") for name in ("aimed_to", "aimed_did", "aimed_rest")) == words
    assert said["which_word"] == (move if " " not in move else "")


def test_price_of_a_roll_that_half_failed_is_told() -> None:
    path = CAMPAIGNS / "drowned-parish" / "golden" / "recap-1.md"
    story = path.read_text(encoding="utf-8")
    assert "Zenobie braved the water only in part and lost a point of spirit." in story
    assert "Aurel tried in vain to lay Sexton Hobb to rest and lost two points of spirit" in story


def test_kinds_with_one_form_stay_as_they_are() -> None:
    assert [plural_noun(noun) for noun in ("drowned", "Undead", "shed")] == ["drowned", "Undead", "sheds"]


def test_told_question_is_no_deed_of_its_own() -> None:
    """`Sira told whether he lied` would say that she said it aloud."""
    assert "task_did" not in texts_of({"task": "tell whether he lies"}, past=True)
    assert "task_did" in texts_of({"task": "guess what it wants"}, past=True)


@pytest.mark.parametrize(
    ("verb", "form"),
    [("lie", "lying"), ("hide", "hiding"), ("run", "running"), ("see", "seeing"), ("panic", "panicking")],
)
def test_gerunds_follow_their_rules(verb: str, form: str) -> None:
    assert gerund(verb) == form


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "line", "told"),
    [
        ("momentum", 'o check agi "the wet stones" /12.12', "Osric coped with the wet stones."),
        ("momentum", 'o check agi "the wet stones" /1.2', "Osric was no match for the wet stones."),
        ("momentum", 'o check agi "wet stones" /12.12', "Osric brought it off: wet stones."),
        ("mars", 'b check perception v10 "the third man" /1.1', "Bram was no match for the third man."),
        ("monolith", 'v save body "the bulkhead" /1', "Vega had the strength for the bulkhead."),
        (
            "monolith",
            'v save resolve "not listen to the singing" /20',
            "Vega could not keep from listening to the singing.",
        ),
        ("dusk-bastards", "w lie v6 /2.1", "Wren could not tell a convincing lie."),
        ("dusk-bastards", 'w "the ninth door" i v1 /9.8', "Wren coped with the ninth door."),
    ],
)
def test_check_is_told_with_a_verb(tmp_path: Path, game: str, line: str, told: str) -> None:
    assert told in played(game, tmp_path, line).run("recap")


@pytest.mark.slow
def test_failure_behind_a_success_is_joined_by_but(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, "w read v1 /9.8", "w bluff v6 /1.2", "close").run("recap")
    assert "Wren read the signs, but could not carry off the bluff." in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faces", "told"),
    [
        (("/9.8", "/1.2"), "Wren made the leap, but Holt could not."),
        (("/1.2", "/9.8"), "Wren could not make the leap, but Holt did."),
        (("/9.8", "/9.7"), "Wren and Holt made the leap."),
    ],
)
def test_same_task_of_two_is_named_once(tmp_path: Path, faces: tuple[str, str], told: str) -> None:
    lines = (f"w leap v3 {faces[0]}", f"h leap v3 {faces[1]}", "close")
    assert told in played("dusk-bastards", tmp_path, *lines).run("recap")


@pytest.mark.slow
def test_tasks_of_two_that_differ_are_both_named(tmp_path: Path) -> None:
    page = played("monolith", tmp_path, 'v save body "haul the hatch" /2', 'o save body "the cold" /20').run("recap")
    assert "Vega hauled the hatch.[^1]\n\nOkoro did not have the strength for the cold.[^2]" in page


@pytest.mark.slow
def test_doom_takes_a_hand_in_a_sentence(tmp_path: Path) -> None:
    lines = ("w climb v3 /2.9", "close", '! doom 1 "the rope frays" because="it is old"')
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert "It was old, and Doom took a hand: the rope frayed." in page


@pytest.mark.slow
def test_lead_leaves_out_the_words_of_the_game(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, "w climb v3 /9.8", "close", "w lift v3 /9.9", "close")
    lead = folder.run("recap", "--post").split("\n\n")[1]
    assert "Eclipse" in folder.run("recap")
    assert "Eclipse" not in lead


def test_second_fall_of_the_same_is_told_once() -> None:
    one, other = sentence("Nan fell to Brannoc"), sentence("Nan fell")
    assert both_falls(one, other) == "Nan fell to Brannoc"
    assert both_falls(one, sentence("Nan died")) == "Nan fell to Brannoc and died"
