"""`why`, `who`, `rules` and `show`: what they answer about a fight and about the sample campaign, to the letter."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from ledger.facts import EntryId, Fact
from ledger.records import latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from projections.value_history import value_histories
from tests.cli.conftest import CLOCK, Folder, one_error

PARTY = {
    "1.toml": 'name = "Ash"\nlevel = 2\nmight = 12\nspeed = 10\nintellect = 9\neffort_limit = 2\n',
    "2.toml": 'name = "Bryn"\nlevel = 4\nmight = 9\nspeed = 14\nintellect = 17\neffort_limit = 3\n',
    "3.toml": 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 4\nhealth = 6\ndamage = 4\n',
    "4.toml": (
        'sheet = "npc"\nname = "Captain"\nkind = "elite"\ndifficulty = 6\nhealth = 10\ndamage = 5\nwound_limit = 2\n'
        "[armor]\nphysical = 1\n"
    ),
}
FIGHT = [
    '! encounter "the lamp room"',
    "a initiative /6.5",
    "b initiative +t e1 /4.7",
    "close",  # 1.4: round 1
    "a move",
    "b interrupt",
    "b charge thug",
    "thug pass",
    "captain pass",
    "a dodge captain /1.2",  # 1.10
    "close",
    "captain pass",
    "b attack thug speed d5 /4.6",
    "b pass",
    "a dodge thug /1.2",
    "close",
    "thug pass",
    "! damage ash 5",  # 1.18: Ash is down
]
AFTER = ["a wound /4.3", "close", "! end", "a rest ten_hours /3"]


@pytest.fixture(scope="session")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A fight that stands at a wound roll. Copy it to go on; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("fought") / "lamp-room")
    made = CliRunner().invoke(campaign, ["--clock", CLOCK, "new", "Lamps", str(folder.path), "--id", "0" * 32])
    assert made.exit_code == 0, made.output
    for name, sheet in PARTY.items():
        folder.file(f"cast/{name}", sheet)
    folder.fine("cast", str(folder.path / "cast"))
    folder.fine("open", "--seed", "fight")
    folder.fine("run", str(folder.file("fight.session", "".join(f"{line}\n" for line in FIGHT))))
    return folder


@pytest.fixture(scope="session")
def rested(fought: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The same after the wound, the end of the fight and a night. Do not write to it."""
    folder = Folder(Path(shutil.copytree(fought.path, tmp_path_factory.mktemp("rested") / "lamp-room")))
    folder.told = [folder.fine("do", line) for line in AFTER]
    return folder


def facts(folder: Folder) -> Iterator[tuple[EntryId, int, Fact]]:
    store = open_store(folder.ledger, write=False)
    for record in latest_takes(store.takes()):
        for number, fact in enumerate(record.facts, 1):
            yield record.id, number, fact
    store.close()


def body(told: str) -> list[str]:
    """The lines of a telling, without its head."""
    return [line.strip() for line in told.splitlines()[1:]]


# A fight as it is told


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        (
            "1.1",
            ["the lamp room begins (combat): players Ash, Bryn; gm Thug, Captain", "order: Captain 18, Thug 12"],
        ),
        (
            "1.4",
            [
                "Bryn's initiative is final (17)",
                "order: Captain 18, Bryn 17, Thug 12, Ash 11",
                "round 1, movement phase: Ash's turn",
            ],
        ),
        ("1.7", ["Bryn is charging (Thug)", "movement phase: Thug's turn"]),
        ("1.9", ["Captain passes move", "action phase: Captain's turn"]),
        ("1.11", ["Ash's defence: failure is final (3 against 18)", "Ash health 10>5 (attack, by Captain)"]),
        ("1.18", ["Ash is stunned and rising", "Ash health 1>0 (damage, 4 over)", "wound due for Ash"]),
    ],
)
def test_a_fight_is_told_short_and_readable(fought, entry, lines):
    told = fought.fine("log", "1").split(f"\n{entry.ljust(5)} ")[1].split("\n1.")[0]
    assert body(told) == lines


def test_a_wound_the_end_and_a_night_are_told(rested):
    wound, close, end, night = rested.told
    assert body(wound)[0].startswith("wound: Dawn 4, Dusk 3 [table dice] = 7, dawn")
    assert "Ash winded wound 1 (not in force yet), Ash health 0>1 (able to act again)" in body(close)
    assert body(close)[-1] == "round 2, movement phase: Ash's turn"
    assert 'wound "Ash w1" is winded 1, in force (the encounter ended)' in body(end)
    assert "the lamp room is over" in body(end)
    assert {"Ash rests (ten hours)", 'wound "Ash w1" has healed (a night\'s rest)'} < set(body(night))


# show


def test_show_shows_the_encounter_and_what_is_due(fought):
    assert fought.fine("show").splitlines() == [
        "Ash      might 12/12, speed 10/10, intellect 9/9, health 0/10   destiny 1  rising, stunned",
        "Bryn     might 9/9, speed 11/14, intellect 17/17, health 14/14  destiny 0",
        "Thug     health 1/6",
        "Captain  health 10/10",
        "doom 8",
        "the lamp room (combat), round 1, action phase: Ash's turn",
        "order: Captain 18, Bryn 17, Thug 12, Ash 11",
        "wound due: Ash (since 1.18)",
        "session 1 is open, entry 1.18",
    ]


def test_show_encounter_shows_everybody_with_what_is_left(fought):
    assert fought.fine("show", "encounter").splitlines() == [
        "the lamp room (combat), round 1, action phase: Ash's turn",
        "Captain  18  done  reaction",
        "Bryn     17  done  reaction                   speed 11/14",
        "Thug     12  done  reaction                   health 1/6",
        "Ash      11  turn  bonus, reaction, standard  health 0/10, rising, stunned",
        "wound due: Ash (since 1.18)",
    ]
    assert fought.fine("show", "enc", "--at", "1.10").splitlines()[1] == "Captain  18  turn  bonus, reaction"
    assert fought.fine("show", "encounter", "--at", "1.6").splitlines()[0] == (
        "the lamp room (combat), round 1, movement phase: Bryn's turn (before Thug)"
    )
    assert fought.fine("show", "encounter", "--at", "1.2").splitlines()[1:] == [
        "Captain  18",
        "Thug     12",
        "Ash      -",
        "Bryn     -",
        "open roll: Ash (since 1.2)",
    ]
    assert fought.fine("show", "encounter", "--as-of", "6") == "no encounter is running\n"


def test_show_of_somebody_has_wounds_by_name_conditions_with_ends_and_what_is_left(fought, rested):
    told = fought.fine("show", "ash").splitlines()
    assert "stunned since 1.18, until the end of Ash's turn of round 1" in told
    assert "left: bonus, reaction, standard" in told
    assert "charging (Thug) since 1.7, until the end of round 1" in fought.fine("show", "b", "--at", "1.7")
    assert 'wound "Ash w1": winded 1, not in force yet' in rested.fine("show", "ash", "--at", "1.20")
    assert 'wound "Ash w1": winded 1' in rested.fine("show", "ash", "--at", "1.21").splitlines()


@pytest.mark.parametrize(
    ("what", "line"), [("doom", "doom 8"), ("DOO", "doom 8"), ("destiny", "Ash destiny 1/2"), ("de", "Ash destiny 1/2")]
)
def test_show_of_a_token_by_its_name_or_the_beginning_of_it(fought, what, line):
    assert fought.fine("show", what).splitlines()[0] == line


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("doom", {"doom"}),
        ("destiny", {"ash.destiny", "bryn.destiny"}),
        ("encounter", {"encounter.round", "encounter.phase", "encounter.turn"}),
    ],
)
def test_show_prints_the_values_of_what_is_asked(fought, what, names):
    assert set(json.loads(fought.fine("show", what, "--json"))["values"]) == names


def test_show_of_what_is_nothing_names_all_that_there_is(fought):
    error = one_error(fought.say("show", "zed"), 2)
    assert error.endswith("In play: Ash, Bryn, Thug, Captain. Also: encounter, destiny, doom.")


# why


def test_why_prints_the_arithmetic_step_by_step_with_rules_and_dice(demo):
    told = demo.fine("why", "1.5")
    assert told.splitlines()[:22] == [
        "1.5 k sneak v5 e1",
        f"      by Kess at {CLOCK}, position 11",
        "",
        "1.5.4  destined effect of Kess: dusk",
        "  by DB-DEST-1, DB-ROLL-2, DB-DEST-9",
        "",
        "1.5.6  task of Kess: failure (4 against 9, 5 short), not final yet",
        "  difficulty                 5",
        "    trained in sneak     -1  4  DB-SKILL-1",
        "    Effort 1             -1  3  DB-EFFORT-1",
        "  cost                       0",
        "    Effort 1 from speed  +3  3  DB-EFFORT-2",
        "  target number              3",
        "    three for each step  *3  9  DB-DIFF-1",
        "  total                      1",
        "    Dusk die             +3  4  DB-ROLL-1",
        "  by DB-ROLL-1, DB-DIFF-1, DB-DEST-4, DB-MOD-1, DB-DIFF-2, DB-MOD-2",
        "",
        "dice",
        '  Dawn d12 1, Dusk d12 3: drawn from the session\'s seed as "task Kess"',
        "",
        "what happened",
    ]
    assert "  1.5.2  speed 14>11 (Effort 1)  DB-EFFORT-2, DB-EFFORT-3, DB-EFFORT-8, DB-COST-3" in told
    assert "  DB-SKILL-1   Trained eases by 1 step." in told


def test_why_says_where_a_result_stood_already_and_repeats_it_when_asked(demo):
    assert "1.8.2  task of Kess: failure (4 against 9, 5 short)\n  unchanged since: campaign why 1.5\n" in demo.fine(
        "why", "1.8"
    )
    whole = demo.fine("why", "1.8.2")
    assert "    trained in sneak     -1  4  DB-SKILL-1\n" in whole
    assert 'drawn from the session\'s seed in 1.5 as "task Kess"' not in whole  # thrown again since, in 1.8
    assert "drawn from the session's seed in 1.19" in demo.fine("why", "1.20")


def test_why_says_that_faces_were_typed_in(demo):
    assert "Dawn d12 6, Dusk d12 6: typed in from the table" in demo.fine("why", "1.16")


def test_why_shows_what_was_left_out(table):
    table.fine("do", 'k sneak v6 +a2"rope" +help=orrin')
    assert "(-1)" in table.fine("why", "1.1")
    assert "left out" in table.fine("why", "1.1")


def test_why_names_readings_that_the_table_chose_and_asks_the_question_where_it_bears(demo):
    chosen = "light_wound_cost per_use, by default per_level"
    assert chosen not in demo.fine("why", "1.14")
    assert chosen not in demo.fine("why", "1.15")  # this entry chose it; it holds for what comes after
    assert f"readings that the table chose\n  {chosen}\n" in demo.fine("why", "1.16")


def test_why_knows_earlier_takes_and_why_they_no_longer_count(demo):
    assert "other takes\n  1.31@1  k hide v4  (taken back by 1.32 (undo); campaign why 1.31@1)\n" in demo.fine(
        "why", "1.31"
    )
    told = demo.fine("why", "1.31@1").splitlines()
    assert told[0] == "1.31@1 k hide v4"
    assert told[2] == "      does not count: taken back by 1.32 (undo)"
    assert told[-1].endswith("(it counts; campaign why 1.31@3)")


def test_why_of_an_entry_that_was_taken_back_shows_its_last_take(table):
    table.fine("do", "o climb v3 /7.6")
    table.fine("undo")
    assert table.fine("why", "1.1").splitlines()[0] == "1.1@1 o climb v3 /7.6"


def test_why_of_one_fact_prints_that_fact_and_its_rules(demo):
    told = demo.fine("why", "1.5.2").splitlines()
    rules = ["DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3"]
    assert told[3:5] == ["what happened", f"  1.5.2  speed 14>11 (Effort 1)  {', '.join(rules)}"]
    assert [line.split()[0] for line in told[7:]] == rules
    assert "said by Kess" in demo.fine("why", "1.5.1")


def test_why_names_what_is_only_on_record_and_prints_it_when_asked(demo):
    assert "(and for the record: 1.8.3 window-closed, 1.8.4 condition-began)" in demo.fine("why", "1.8")
    assert "condition-began: id failed Kess 1.5, who Kess" in demo.fine("why", "1.8.4")


def test_why_explains_every_entry_and_every_fact_of_a_fight_and_of_the_sample(rested, demo):
    for folder in (rested, demo):
        for entry, number, _ in facts(folder):
            if number == 1:
                folder.fine("why", str(entry))
            assert json.loads(folder.fine("why", f"{entry}.{number}", "--json"))["facts"][0]["number"] == number


def test_why_prints_all_of_it_as_json(demo):
    told = json.loads(demo.fine("why", "1.31@1", "--json"))
    assert set(told) == {
        "entry", "take", "counts", "because", "position", "by", "at", "line", "facts", "dice", "same", "rules",
        "options", "rulings", "known", "followed", "takes",
    }  # fmt: skip
    assert (told["entry"], told["take"], told["counts"]) == ("1.31", 1, False)
    assert [take["take"] for take in told["takes"]] == [3]
    assert told["facts"][0]["fact"]["fact"] == "declared"
    assert told["dice"][0]["roll"]["source"] == "seed"
    assert {"id", "text"} == set(told["rules"][0])
    assert all(rule["text"] != "not in the installed book" for rule in told["rules"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("1.99", "there is no entry 1.99. The entry before it is 1."),
        ("9.1", "there is no entry 9.1"),
        ("1.5.99", "1.5 has no fact 99. It has facts 1 to 7."),
        ("1.5.0", "1.5 has no fact 0"),
        ("1.5@2", "there is no take 1.5@2. There is: 1.5@1."),
        ("1.31@2", "There is: 1.31@1, 1.31@3."),
        ("kess", "'kess' is no entry"),
        ("1.5@1.2@1", "is no entry"),
        ("1.5.2.3", "is no entry"),
    ],
)
def test_why_of_what_there_is_not_says_what_there_is(demo, asked, said):
    assert said in one_error(demo.say("why", asked), 2)


def test_a_take_may_be_named_before_or_behind_the_fact(demo):
    assert demo.fine("why", "1.31@1.2") == demo.fine("why", "1.31.2@1")


# who


def test_who_prints_every_change_with_its_cause(demo):
    assert demo.fine("who", "kess.speed", "--at", "1.40").splitlines() == [
        "kess.speed is 5",
        "0.1.5   14     opened    DB-GAP-3     Kess joins (pc)",
        "1.5.2   14>11  Effort 1  DB-EFFORT-2  k sneak v5 e1",
        "1.8.5   11>8   Effort 1  DB-EFFORT-2  k sneak e1",
        "1.28.2  8>5    Effort 1  DB-EFFORT-2  k leap e1",
    ]
    assert demo.fine("who", "kess.speed", "--at", "1.6").splitlines()[0] == "kess.speed is 11"
    assert len(demo.fine("who", "kess.speed", "--as-of", "11").splitlines()) == 3


@pytest.mark.parametrize(
    ("value", "name", "moves"),
    [
        ("ash.wounds", "ash.wounds", [(None, 1), (1, None)]),
        ("ash.stunned", "ash.stunned", [(None, 1), (1, None)]),
        ("ash.health", "ash.health", [(None, 10), (10, 5), (5, 1), (1, 0), (0, 1), (1, 6), (6, 10)]),
        ("encounter.round", "encounter.round", [(None, 0), (0, 1), (1, 2), (2, None)]),
        ("encounter.phase", "encounter.phase", None),
        ("ash.level", "ash.level", [(None, 2)]),
        ("captain.armor.physical", "captain.armor.physical", [(None, 1)]),
        ("a.day", "ash.day", [(None, 1)]),
        ("doom", "doom", None),
        ("doo", "doom", None),
        ("a.hp", "ash.health", None),
        ("ASH.HEALTH", "ash.health", None),
        ("a.mi", "ash.might", None),
        ("cap.ar.ph", "captain.armor.physical", None),
        ("e.r", "encounter.round", None),
        ("ash.might.most", "ash.might.most", [(None, 12)]),
        ("bryn.charging", "bryn.charging", [(None, 1), (1, None)]),
    ],
)
def test_who_knows_every_value_that_ever_was_by_its_name_or_its_beginnings(rested, value, name, moves):
    told = json.loads(rested.fine("who", value, "--json"))
    assert told["value"] == name
    assert moves is None or [(change["before"], change["after"]) for change in told["changes"]] == moves
    assert told["now"] == told["changes"][-1]["after"]


def test_who_prints_its_changes_as_json(demo):
    told = json.loads(demo.fine("who", "doom", "--json"))
    assert set(told) == {"value", "now", "entry", "changes"}
    assert told["changes"][1] == {
        "entry": "1.5",
        "fact": 5,
        "kind": "tokens-moved",
        "before": 0,
        "after": 2,
        "cause": "Dusk",
        "rules": ["DB-DEST-9"],
        "by": "Kess",
        "line": "k sneak v5 e1",
    }


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("kess.might.x", "kess.might"),
        ("nobody.might", "The nearest: "),
        ("kess", "kess.destiny"),
        ("k.", "may be kess."),
        ("", "is no value"),
    ],
)
def test_who_of_no_value_names_the_nearest(demo, value, said):
    assert said in one_error(demo.say("who", value), 2)


def test_a_beginning_that_several_values_share_names_them(fought):
    assert "may be captain.damage, captain.difficulty" in one_error(fought.say("who", "cap.d"), 2)
    assert fought.fine("who", "ash.m").startswith("ash.might is ")  # the book's own short name for it


def test_the_history_of_every_value_is_what_the_fold_shows_after_each_fact(rested, demo, played):
    """Against the whole table of values, worked out anew after every fact."""
    for folder in (rested, demo, played):
        books = StateProjection()
        state, last = books.empty(), dict[str, object]()
        moves: dict[str, list[tuple[str, int, object, object]]] = {}
        for entry, number, fact in facts(folder):
            books.step(state, entry, fact)
            books.commit(state)
            now = books.values(state)
            for name in {*last, *now}:
                if last.get(name) != now.get(name):
                    moves.setdefault(name, []).append((str(entry), number, last.get(name), now.get(name)))
            last = dict(now)
        found = value_histories(facts(folder))
        told = {name: [(str(c.entry), c.number, c.before, c.after) for c in past] for name, past in found.items()}
        assert told == dict(sorted(moves.items()))


# rules


def test_rules_prints_the_book_by_heading(demo):
    told = demo.fine("rules").splitlines()
    assert told[0] == "How you play"
    assert told[1].startswith("  DB-PLAY-1    A player says what the character does")
    assert "Effort" in told
    assert all(line.startswith("  DB-") for line in told if line.startswith(" "))


def test_rules_prints_one_rule_in_full_with_the_reading_in_force(demo):
    assert demo.fine("rules", "db-effort-7").splitlines() == [
        "DB-EFFORT-7  Effort",
        "  With a light wound in force every paid level costs 1 more: 4, 7, 10, 13, 16, 19. Free levels still cost "
        "nothing, and initial, ability and spell costs do not rise.",
        "  from              Wounds; Effort",
        "  kind              computed",
        "  open in the text  DB-GAP-12",
        "  option            light_wound_cost = per_use, by default per_level (What does a light wound add to the cost "
        "of Effort? per_level: 1 point for every paid level. per_use: 1 point in all whenever any level is paid.)",
    ]
    assert "refused with" in demo.fine("rules", "DB-PLAY-2")


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["Range"], {"DB-RANGE-1", "DB-RANGE-2", "DB-RANGE-3"}),  # a heading, not the other that begins with it
        (["taking", "20"], {"DB-T20-1", "DB-T20-2", "DB-T20-3"}),
        (["stunned", "defends"], {"DB-SPEC-2"}),
        (["DB-GAP-12"], {"DB-EFFORT-7"}),
        (["light_wound_cost"], {"DB-EFFORT-7"}),
        (["DB-E-DIFFICULTY"], {"DB-PLAY-2"}),
    ],
)
def test_rules_finds_a_heading_a_code_a_gap_an_option_or_words(demo, words, ids):
    told = json.loads(demo.fine("rules", "--json", *words))
    assert {rule["id"] for rule in told["rules"]} >= ids
    assert len(told["rules"]) <= 3 or words == ["taking", "20"]


def test_a_search_shows_the_sentence_that_speaks_of_it(demo):
    told = demo.fine("rules", "stunned", "turn").splitlines()
    assert "  DB-SPEC-2  Stunned: the character loses their turn (DB-ZERO-3) but defends as always." in told
    assert "The Effects of taking Damage" in told


def test_rules_prints_json_with_the_reading_in_force(demo):
    told = json.loads(demo.fine("rules", "DB-EFFORT-7", "--json"))
    assert set(told) == {"game", "version", "rules"}
    (rule,) = told["rules"]
    assert set(rule) == {"id", "heading", "cite", "text", "kind", "gap", "codes", "options"}
    assert (rule["options"][0]["value"], rule["options"][0]["default"]) == ("per_use", "per_level")


def test_the_book_is_read_without_a_ledger_when_the_game_is_named(tmp_path):
    nowhere = Folder(tmp_path)
    assert "light_wound_cost = per_level (" in nowhere.fine("rules", "--game", "dusk-bastards", "DB-EFFORT-7")
    assert "--game dusk-bastards" in one_error(nowhere.say("rules"), 3)
    assert "monopoly" in one_error(nowhere.say("rules", "--game", "monopoly"), 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["efort"], "no rule contains 'efort'. The nearest: Effort"),
        (["DB-EFORT-7"], "The nearest: DB-EFFORT-7"),
        (["xqzw"], "See all headings: campaign rules."),
    ],
)
def test_a_search_that_finds_nothing_names_the_nearest(demo, words, said):
    assert said in one_error(demo.say("rules", *words), 2)


# All of them


@pytest.mark.parametrize("command", [["why", "1.1"], ["who", "doom"], ["rules"], ["show", "encounter"]])
def test_where_there_is_no_ledger_the_answer_says_how_to_name_one(tmp_path, command):
    assert "no ledger here or above" in one_error(Folder(tmp_path).say(*command), 3)


def test_asking_writes_nothing(fought):
    before, files = fought.bytes, sorted(fought.path.rglob("*"))
    for command in (["why", "1.13"], ["who", "ash.health"], ["rules"], ["show", "encounter"], ["show", "doom"]):
        fought.fine(*command)
    assert (fought.bytes, sorted(fought.path.rglob("*"))) == (before, files)
