"""Tasks in people's own words: the verbs of all their clauses in the past, what was in vain, and stakes that came."""

import pytest

from cli.phrases.patterns import fill_but_verbs
from cli.story.reasons import is_manner
from cli.story.remarks import with_remarks
from cli.story.task_words import texts_of

PATTERN = '{task_vain}|{task_did}|to "{task_said}"|{task}'


@pytest.mark.parametrize(
    ("task", "done"),
    [
        ("packs the bite with flour, there is nothing else", "<pack> the bite with flour, there was nothing else"),
        ("jump the gap before the lock cycles", "<jump> the gap before the lock cycled"),
        ("lift the gate bar while nobody looks", "<lift> the gate bar while nobody looked"),
        ("slip under the parapet, unseen", "<slip> under the parapet, unseen"),
        ("open the door, quietly", "<open> the door, quietly"),
        ("in by the hopper door", "<get> in by the hopper door"),
        ("in the dark", "in the dark"),
        ("leap for the window", "<leap> for the window in vain"),
        ("leap over the wall", "<leap> over the wall"),
        ("hold on, he sees us", '<hold> on ("he sees us")'),
        ("pack it, then run", 'to "pack it, then run"'),
    ],
)
def test_task_is_put_in_words(task: str, done: str) -> None:
    text = fill_but_verbs(PATTERN, texts_of({"task": task}, past=True))
    assert text.replace("\x02", "<").replace("\x03", ">") == done


@pytest.mark.parametrize(
    ("stake", "came"),
    [
        ("or crack a visor", "<crack> a visor"),
        ("or the pod thaws her too fast", "the pod thawed her too fast"),
        ("or they stay another hour", "they stayed another hour"),
        ("a cracked visor otherwise", "<pay> with a cracked visor"),
        ("the guards are on them otherwise", "the guards were on them"),
        ("or the guards are on them", "the guards were on them"),
        ("or we go home", ""),
        ("or 2 hp", ""),
        ("the visor", ""),
    ],
)
def test_stake_is_told_as_it_came(stake: str, came: str) -> None:
    text = texts_of({"because": stake}, past=True).get("because_came", "")
    assert text.replace("\x02", "<").replace("\x03", ">") == came


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("the cable parts", "too slow: the cable parted"),
        ("the ladder down to the reactor", "too slow for the ladder down to the reactor"),
        ("the goat path above the toll house", "too slow for the goat path above the toll house"),
        ("the plates shift underfoot", "too slow: the plates shifted underfoot"),
        ("something in the wall gives", "too slow: something in the wall gave"),
        ("the narrow ladder steps", 'too slow: "the narrow ladder steps"'),
    ],
)
def test_clause_is_no_thing(task: str, told: str) -> None:
    pattern = 'too slow for {task_thing}|{task_ing} too slowly|too slow ("{task}")'
    assert with_remarks(fill_but_verbs(pattern, texts_of({"task": task}, past=True))) == told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many fires?", "<make> out how many fires there were"),
        ("How much of it?", "<make> out how much of it there was"),
        ("how many of us?", '<make> out "how many of us?"'),
    ],
)
def test_question_of_a_number_has_a_verb(asked: str, told: str) -> None:
    text = fill_but_verbs("{reason_did}", texts_of({"reason": asked}, past=True))
    assert text.replace("\x02", "<").replace("\x03", ">") == told


@pytest.mark.parametrize(
    ("reason", "is_one"),
    [
        ("smelling salts", False),
        ("something in his shoulder goes", False),
        ("cursing the rain", True),
        ("limping", True),
    ],
)
def test_manner_is_what_somebody_did(reason: str, is_one: bool) -> None:
    assert is_manner(reason) is is_one
