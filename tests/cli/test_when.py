"""`when`: the first entry after which a comparison held, and every stretch of it, about the sample campaign."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from ledger.records import latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.cli.conftest import Folder, one_error
from tests.ledger.strategies import Forger, changing


def asked(folder: Folder, *words: str) -> dict[str, object]:
    """The whole answer, whether it held or not."""
    done = folder.invoke("when", *words, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == (0 if told["held"] else 1)
    return told


def stretches(folder: Folder, *words: str) -> list[tuple[object, object]]:
    return [(found["since"], found["until"]) for found in asked(folder, *words)["stretches"]]


def test_when_shows_entry_values_changes_and_end(demo):
    assert demo.run("when", "k.speed < 6").splitlines() == [
        "1.28  k leap e1",
        "      Kess speed  5  1.28.2  8>5  Effort 1  DB-EFFORT-2",
        "      kess.speed < 6 held until 2.4: k rest ten_minutes order=speed /3",
        "      Kess speed  10  2.4.5  5>10  ten minutes rest  DB-REC-1",
    ]


def test_when_names_the_line_of_an_earlier_change(demo):
    assert demo.run("when", "encounter.phase = action and tamsin.health < 3").splitlines()[:3] == [
        '2.39  ! damage tamsin 12 "the lamp comes down in burning oil"',
        "      phase          action  2.32.6  movement>action  the action phase begins             DB-ENC-8  t move",
        "      Tamsin health  0       2.39.3  9>0              the lamp comes down in burning oil  DB-DMG-2",
    ]


def test_when_all_shows_every_stretch(demo):
    assert stretches(demo, "k.speed < 6", "--all") == [("1.28", "2.4"), ("2.44", "3.3")]
    assert stretches(demo, "k.speed < 6") == [("1.28", "2.4")]
    told = demo.run("when", "doom > 15", "--all").splitlines()
    assert told[0] == "2.36  o destiny reroll"
    assert told[-1] == "      doom > 15 still holds at 3.39"


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("more", "found"),
    [
        (["--session", "1"], [("1.28", None)]),
        (["--session", "2"], [("2.0", "2.4"), ("2.44", None)]),
        (["--session", "3"], [("3.0", "3.3")]),
        (["--session", "0"], []),
        (["--at", "2.4"], [("1.28", "2.4")]),
        (["--at", "2.3"], [("1.28", None)]),
        (["--at", "1.27"], []),
        (["--session", "2", "--at", "2.10"], [("2.0", "2.4")]),
        (["--as-of", "33"], []),
        (["--as-of", "34"], [("1.28", None)]),
    ],
)
def test_when_is_limited_to_session_entry_or_position(demo, more, found):
    assert stretches(demo, "k.speed < 6", "--all", *more) == found


def test_when_as_of_uses_the_takes_of_that_position(demo):
    assert stretches(demo, "kess.destiny < 1 and doom = 9", "--as-of", "37") == [("1.31", None)]
    assert stretches(demo, "kess.destiny < 1 and doom = 9") == []


def test_when_json_is_as_the_readme_says(demo):
    told = asked(demo, "k.speed < 6 and doom > 7")
    assert set(told) == {"asked", "entry", "held", "stretches"}
    assert (told["asked"], told["entry"], told["held"]) == ("kess.speed < 6 and doom > 7", "3.39", True)
    (found,) = told["stretches"]
    assert set(found) == {"since", "until", "by", "line", "values", "ended"}
    assert found["values"][0] == {
        "value": "kess.speed",
        "now": 5,
        "entry": "1.28",
        "fact": 2,
        "kind": "points-spent",
        "before": 8,
        "after": 5,
        "cause": "Effort 1",
        "rules": ["DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3"],
        "by": "Kess",
        "line": "k leap e1",
    }
    assert [(one["value"], one["now"], one["entry"]) for one in found["ended"]] == [("doom", 3, "1.36")]


def test_when_never_held_shows_the_values_and_exits_with_1(demo):
    done = demo.invoke("when", "kess.speed < 2 or encounter.phase = dance or kess.might > kess.level and doom > 99")
    assert (done.exit_code, done.stdout.splitlines()) == (
        1,
        [
            'kess.speed < 2 or encounter.phase = "dance" or kess.might > kess.level and doom > 99 never held',
            "      Kess speed  was 5 to 15, up to 3.39",
            "      phase       was action, movement, none, up to 3.39",
            "      Kess might  was 9, up to 3.39",
            "      Kess level  was 2 to 3, up to 3.39",
            "      doom        was 0 to 20, up to 3.39",
        ],
    )
    assert "was 5 to 10, up to 2.67" in demo.invoke("when", "kess.speed < 2", "--session", "2").stdout


def test_when_compares_missing_values_as_false(demo):
    assert stretches(demo, "kess.coin != 12") == []
    assert stretches(demo, "not kess.coin = 12") == [("0.0", "3.16")]
    assert stretches(demo, "tamsin.wounds != 4", "--all") == [("3.5", "3.30")]
    assert "was not there, up to 3.39" in demo.invoke("when", "tamsin.stunned = 1", "--session", "3").stdout


QUESTIONS: list[tuple[str, Callable[[Mapping[str, object]], bool]]] = [
    ("doom >= 10", lambda v: v.get("doom", 0) >= 10),
    ("kess.speed < orrin.speed", lambda v: "kess.speed" in v and v.get("kess.speed") < v.get("orrin.speed", -1)),
    ("encounter.phase = action", lambda v: v.get("encounter.phase") == "action"),
    ("encounter.phase != action", lambda v: v.get("encounter.phase", "action") != "action"),
    ('encounter.turn = "watchman 2"', lambda v: v.get("encounter.turn") == "Watchman 2"),
    ("not (doom < 5 or k.hp = 14)", lambda v: not (("doom" in v and v["doom"] < 5) or v.get("kess.health") == 14)),
    ("t.stunned = 1 and not o.destiny > 0", lambda v: v.get("tamsin.stunned") == 1 and v.get("orrin.destiny", 0) <= 0),
    ("tamsin.wounds > 1", lambda v: v.get("tamsin.wounds", 0) > 1),
    ("clock.seconds > 80000 or doom = 0", lambda v: v.get("clock.seconds", 0) > 80000 or v.get("doom") == 0),
    ("option.light_wound_cost = per-use", lambda v: v.get("option.light_wound_cost") == "per_use"),
]


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(("question", "model"), QUESTIONS, ids=[text for text, _ in QUESTIONS])
def test_when_equals_a_check_after_every_entry(demo, question, model):
    store = open_store(demo.ledger, write=False)
    books = StateProjection()
    state, was, turns = books.empty(), False, []
    for record in latest_takes(store.takes()):
        for fact in record.facts:
            books.step(state, record.id, fact)
        books.commit(state)
        if (now := model(books.values(state))) != was:
            turns.append(str(record.id))
            was = now
    store.close()
    found = [id for stretch in stretches(demo, question, "--all") for id in stretch if id is not None]
    assert found == turns
    assert turns


@pytest.mark.quick_rows(6)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["kess.might <"], "column 13: expected a value, a number or a word"),
        (["kess.mihgt < 3"], "'kess.mihgt' is not a value. The nearest: "),
        (["k. < 3"], "'k.' may be kess."),
        (["nothing < 3"], "'nothing' is not a value"),
        (["1 < 3"], "column 3: the comparison has no value"),
        (["encounter.phase < action"], "column 17: words have no order"),
        (["(" * 100_000], "100000 characters are too many"),
        (["(" * 500 + "doom > 1" + ")" * 500], "nested too deeply"),
        (["doom > 1\x1b[31m"], "invisible or control character"),
        (["doom > \ud800"], "invisible or control character"),
        (["doom > 99999999999999999999"], "is not a whole number"),
        (["doom > 1", "--session", "4"], "there is no entry of session 4. The last entry is 3.39."),
        (["doom > 1", "--session", "9" * 30], "is not in the range"),
        (["doom > 1", "--session", "2", "--at", "1.4"], "there is no entry of session 2. The last entry is 1.4."),
        (["doom > 1", "--session", "-1"], "--session"),
        (["doom > 1", "--at", "7.7"], "there is no entry 7.7"),
        (["doom > 1", "--as-of", "9999"], "the ledger ends at position"),
        ([], "Missing argument"),
    ],
)  # fmt: skip
def test_when_of_wrong_question_is_one_line_of_error(demo, words, said):
    assert said in one_error(demo.invoke("when", *words), 2)


def test_when_answers_a_long_question_at_once(demo):
    assert demo.invoke("when", " or ".join(["kess.might = 1"] * 110)).exit_code == 1


def test_when_of_unbalanced_facts_is_damage(played):
    Forger(played.ledger).rewrite(changing("1.1", fact=(1, {"now": 3})), chained=True)
    error = one_error(played.invoke("when", "kess.speed < 3"), 3)
    assert "ledger.db, entry 1.1: points-spent says now 3, the sum is 11" in error


def test_when_of_ledger_without_records_is_damage(closed):
    Forger(closed.ledger).rewrite(lambda records: [], chained=True)
    assert "has no first record" in one_error(closed.invoke("when", "doom > 1"), 3)


def test_when_without_ledger_says_how_to_name_one(tmp_path):
    assert "no ledger here or above" in one_error(Folder(tmp_path).invoke("when", "doom > 1"), 3)


def test_questions_write_nothing(demo):
    before, files = demo.bytes, sorted(demo.path.rglob("*"))
    demo.run("when", "doom > 1", "--all")
    assert (demo.bytes, sorted(demo.path.rglob("*"))) == (before, files)
