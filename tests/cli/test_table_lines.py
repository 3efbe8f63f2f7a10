"""Test what becomes of the lines of a table: whose they are, that they count once, and what is recorded of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.context import CampaignContext
from cli.questions.players_ledger import PlayersLedger
from cli.questions.roles import PLAYERS
from cli.shell.line_reader import LineReader
from cli.speech.heard import omission_note, unclear
from cli.table import line_writer
from cli.table.answers import Answer, Answered, Asked, Question, Refusal, Taken, TypedLine
from cli.table.line_writer import LineWriter
from cli.table.seats import GAME_MASTER, WATCHER, Seat
from ledger.ledger_state import load_state
from ledger.pending_rows import Collected
from projections.projection import StateProjection
from tests.cli.conftest import CAST, CLOCK, Folder, copied

ANA, BO = Seat("player", "Ana"), Seat("player", "Bo")  # of Kess and of Orrin
FIRST, SECOND = "first-key", "second-key"


@pytest.fixture
def table(night: Folder) -> Iterator[LineWriter]:
    writer = LineWriter(CampaignContext(night.path, CLOCK))
    yield writer
    writer.context.close()


def say(writer: LineWriter, seat: Seat, line: str, key: str, seen: int | None = None) -> Answer | Question:
    return writer.say(seat, TypedLine(line=line, key=key, seen=seen))


def refusal(answer: Answer | Question) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


@pytest.mark.slow
def test_line_of_a_player_is_recorded_with_holder_and_door(table: LineWriter) -> None:
    answer = say(table, ANA, "k sneak v4", FIRST)
    assert isinstance(answer, Taken)
    record = list(table.ledger.store.records())[answer.position - 1]
    assert (str(record.id), record.holder, record.door, record.by) == (answer.entry, "Ana", "page", "Kess")
    assert answer.head == table.ledger.store.head().hash
    assert answer.reply


@pytest.mark.slow
def test_own_being_need_not_be_named(table: LineWriter) -> None:
    answer = say(table, ANA, "sneak v4", FIRST)
    assert isinstance(answer, Taken)
    assert list(table.ledger.store.records())[-1].by == "Kess"


@pytest.mark.slow
def test_other_words_are_heard_as_in_the_shell(table: LineWriter) -> None:
    answer = say(table, ANA, "I try to sneak, difficulty four", FIRST)
    assert isinstance(answer, Taken)
    assert answer.heard == "Kess sneak v4"


ENCOUNTER = ('! encounter "the roof"', "kess initiative /1.1", "orrin initiative /1.1", "tamsin initiative /1.1")


@pytest.mark.slow
def test_first_person_is_the_players_in_the_turn_of_a_foe(table: LineWriter) -> None:
    for number, line in enumerate((*ENCOUNTER, "all pass")):
        assert isinstance(say(table, GAME_MASTER, line, f"encounter-{number}"), Taken)
    turn = say(table, ANA, "? turn", FIRST)
    assert isinstance(turn, Answered)
    assert "Dovel's turn" in turn.reply[0]
    for number, line in enumerate(
        ("I try to sneak, difficulty four", "I attack Dovel", "I climb the wall, difficulty 3")
    ):
        answer = say(table, ANA, line, f"foes-turn-{number}")
        assert isinstance(answer, Refusal)
        assert answer.message == "It is Dovel's place in the order now", (line, answer)  # so it was heard as Kess's
        assert str(answer.hint).endswith("or say ! Dovel pass. A line that begins with ! is the game master's"), answer
    refused = say(table, GAME_MASTER, "k sneak v4", SECOND)
    assert isinstance(refused, Refusal)
    assert str(refused.hint).endswith("or say ! Dovel pass"), refused


@pytest.mark.slow
def test_unclear_line_is_asked_about(table: LineWriter) -> None:
    head = table.ledger.store.head()
    answer = say(table, GAME_MASTER, "I try to sneak, difficulty four", FIRST)
    assert isinstance(answer, Asked)
    assert "Orrin sneak v4" in [choice.line for choice in answer.choices]
    assert table.ledger.store.head() == head


@pytest.mark.slow
def test_question_with_one_answer_is_worded_for_one(folder: Folder) -> None:
    for name, player in (("Ash", "Ana"), ("Bea", "Bo")):  # nobody has said whom `he` means
        sheet = CAST["kess.toml"].replace('name = "Kess"', f'name = "{name}"\nplayer = "{player}"')
        folder.run("cast", str(folder.file(f"{name}.toml", sheet)))
    writer = LineWriter(CampaignContext(folder.path, CLOCK))
    answer = say(writer, ANA, "he sneaks, difficulty 4", FIRST)
    writer.context.close()
    assert isinstance(answer, Asked)
    assert [choice.line for choice in answer.choices] == ["Ash sneak v4"]
    assert answer.question == "Did you mean this?"


@pytest.mark.slow
@pytest.mark.parametrize(("left", "answer"), [([], Taken), (["5"], Asked)])
def test_own_line_of_a_question_is_taken_if_it_says_all(
    table: LineWriter, monkeypatch: pytest.MonkeyPatch, left: list[str], answer: type
) -> None:
    lines = ["Orrin sneak v4", "Kess sneak v4"]
    monkeypatch.setattr(line_writer, "spoken_line", Mock(side_effect=unclear("x", lines, omission_note("x", left))))
    assert isinstance(say(table, ANA, "sneak, difficulty four, 5", FIRST), answer)


@pytest.mark.slow
def test_pronoun_is_the_players_own_being_or_not_theirs_to_say(table: LineWriter) -> None:
    assert refusal(say(table, ANA, "he sneaks, difficulty 4", FIRST)) == "L-SEAT"  # Orrin, by his sheet
    answer = say(table, ANA, "she sneaks, difficulty 4", SECOND)
    assert isinstance(answer, Taken)
    assert answer.heard == "Kess sneak v4"


@pytest.mark.slow
def test_dice_of_the_table_are_asked_for(table: LineWriter) -> None:
    assert isinstance(say(table, GAME_MASTER, '! option dice table "hers"', FIRST), Taken)
    head = table.ledger.store.head()
    answer = say(table, ANA, "k sneak v4", FIRST)
    assert isinstance(answer, Asked)
    assert [each.sides for each in answer.dice] == [(12, 12)]
    assert table.ledger.store.head() == head
    assert isinstance(say(table, ANA, "k sneak v4 /7.6", SECOND), Taken)


LINES_OF_OTHERS = (
    "o climb v4", "O CLIMB v4", "  Orrin climb v4", "\torrin climb v4", '"Orrin" climb v4', "players move",
    "kess, orrin move", "kess and orrin move", "Orrin climbs the wall at difficulty four", "all pass", "^ orrin pass",
    "! orrin climb v4", "!! k sneak v4", "! doom 2 'x'", "undo", "u", "redo", "undo 4.1", "~ v5", "~ 4.1 v5",
    "that climb was a five, not a four", 'set kess might 3 "x"', "+ somebody", "> it rains", "# a scene",
    '" o: I was here', 'bo words "x"', 'gm words "x"', 'adjust kess.might +1 "x"', 'kess adjust might +1 "x"',
    'k might +1 "x"', "option dice table", "kess option dice table", '! ruling "x" "y"',
    "k rest ten_hours others=orrin", "close",
)  # fmt: skip


@pytest.mark.slow
def test_lines_that_are_not_theirs_are_refused(table: LineWriter) -> None:
    say(table, GAME_MASTER, "o climb v4", FIRST)
    head = table.ledger.store.head()
    for number, line in enumerate(LINES_OF_OTHERS):
        answer = say(table, ANA, line, f"key-{number}")
        assert isinstance(answer, Refusal | Asked), line
        assert table.ledger.store.head() == head, line
        assert all(choice.line.startswith("Kess ") for choice in getattr(answer, "choices", ())), answer


OTHERS_IN_EACH_GAME = {
    "powder-tithe": ("Gil", ["^ maren dodge", "! orsk attack ise", "maren mount plum", "plum dismount", "m end"]),
    "lantern-ferry": (
        "Gus",
        [
            "^ ysolt block",
            "nan attack wick ^ysolt:parry",
            "nan attack wick defences=ysolt:parry",
            "initiative",
            "douse nan",
        ],
    ),
    "choir-of-glass": (
        "Fay",
        ['doro save reflex "x"', 'cant attack "sexton 1" +with"doro"', 'cant attack "sexton 1" allies=doro', "! done"],
    ),
    "gutter-saints": (
        "Ana",
        ['kess rest ten_minutes +with"orrin"', "kess rest ten_minutes others=orrin", "wound orrin"],
    ),
    "broken-archway": (
        "Dana",
        ["^ sira interpose", "kael attack archer ^sira:help", "kael attack archer reactions=sira:interpose", "s end"],
    ),
}


@pytest.mark.slow
def test_nobody_acts_in_the_line_of_another(played_samples: dict[str, Path], tmp_path: Path) -> None:
    for sample, (player, lines) in OTHERS_IN_EACH_GAME.items():
        folder = copied(Folder(played_samples[sample]), tmp_path)
        if sample == "broken-archway":
            folder.run("do", 'set kael player "Dana" "she plays him"')
        writer = LineWriter(CampaignContext(folder.path, CLOCK))
        for number, line in enumerate(lines):
            answer = say(writer, Seat("player", player), line, f"key-{number}")
            assert refusal(answer) == "L-SEAT", (sample, line, answer)
        writer.context.close()


@pytest.mark.parametrize("line", ["k sneak v5 => " + 9 * "hit, ", "Kess " + " ".join(map(str, range(45)))])
def test_line_that_would_take_long_is_not_heard(table: LineWriter, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.speech.interpretation.interpret", lambda *_: pytest.fail("heard"))
    assert refusal(say(table, ANA, line, FIRST)) == "L-LINE"


CLAIMS = {
    "= k hp 9": "Kess health 9: the ledger says 15",
    "= orrin hp 3": "Orrin health 3: the ledger says 10",
    "= doom 17": "doom 17",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", CLAIMS)
def test_player_reads_aloud_what_they_see(table: LineWriter, line: str) -> None:
    answer = say(table, ANA, line, FIRST)
    assert isinstance(answer, Taken)
    assert answer.reply[0].startswith(CLAIMS[line])


@pytest.mark.slow
def test_player_finds_out_no_hidden_number_by_a_claim(table: LineWriter) -> None:
    for number in range(9):
        answer = say(table, ANA, f"= dovel hp {number}", f"claim-of-{number}")
        assert isinstance(answer, Refusal)
        assert (answer.message, answer.hint) == ("column 9: 'hp' is not a value of Dovel", "There is: bloodied.")


def test_watcher_may_say_nothing(table: LineWriter) -> None:
    assert refusal(say(table, WATCHER, "k sneak v4", FIRST)) == "L-SEAT"
    assert refusal(say(table, WATCHER, "", SECOND)) == "L-SEAT"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["k sneak v4", "= k hp 9", '" k: I was never here', 'ana words "x"', "sneak v4"])
def test_line_sent_again_counts_once(table: LineWriter, night: Folder, line: str) -> None:
    if "words" in line:
        night.run("close")
        night.run("open", "Tides", "--players", "ana,bo")
    first = say(table, ANA, line, FIRST)
    head = table.ledger.store.head()
    assert say(table, ANA, line, FIRST) is first
    again = LineWriter(CampaignContext(night.path, CLOCK))  # the server was started again
    assert say(again, ANA, line, FIRST) == first
    assert again.ledger.store.head() == head
    assert refusal(say(again, ANA, f"{line}1", FIRST)) == "L-REQUEST"
    assert isinstance(say(again, BO, "o climb v4", FIRST), Taken)  # keys are of one link
    again.context.close()


@pytest.mark.slow
def test_correction_of_the_game_master_counts_once(table: LineWriter) -> None:
    say(table, ANA, "k sneak v4", FIRST)
    answers = [say(table, GAME_MASTER, "undo", SECOND) for _ in range(2)]
    assert answers[0] is answers[1]
    assert isinstance(answers[0], Taken)


def test_refused_line_sees_what_came_before_it(table: LineWriter, night: Folder) -> None:
    seen = table.ledger.store.head().position
    night.run("do", "# The door falls")
    answer = say(table, ANA, "undo", FIRST, seen)
    assert isinstance(answer, Refusal)
    assert answer.since == ["4.7 # The door falls"]


@pytest.mark.slow
def test_line_of_another_process_is_decided_before(table: LineWriter, night: Folder) -> None:
    say(table, ANA, "k sneak v4", FIRST)
    night.run("do", "close")
    answer = say(table, ANA, "close", SECOND)
    assert refusal(answer) == "L-IDLE"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("? why", ["why", "--short"]),
        ("? odds k sneak v5", ["odds", "k sneak v5"]),
        ("why did that fail", ["why", "--short"]),
        ("show kess", ["show", "kess"]),
        ("help attack", ["help", "attack"]),
    ],
)
def test_question_is_a_command(table: LineWriter, line: str, command: list[str]) -> None:
    answer = say(table, ANA, line, FIRST)
    assert isinstance(answer, Question)
    assert sorted(answer.command) == sorted(command)


def test_whose_turn_is_answered_at_once(table: LineWriter) -> None:
    answer = say(table, BO, "whose turn is it?", FIRST)
    assert isinstance(answer, Answered)
    assert answer.reply == ["no encounter is running: whoever speaks acts"]


OF_THE_SHELL = (
    "? log --as gm", "? show --as=gm", "? why 4.6 --as gm", "? recap --html /tmp/x", "? whatif v6", "? diff 1 2",
    "? verify", "? undo --list", "? search -h", "? completion bash", "? fmt x", "? sheet kess",
)  # fmt: skip


def test_question_with_an_option_is_refused(table: LineWriter) -> None:
    for number, line in enumerate(OF_THE_SHELL):
        assert refusal(say(table, ANA, line, f"key-{number}")) in ("L-SEAT", "L-LINE"), line


@pytest.mark.slow
def test_state_that_is_kept_is_the_state_made_afresh(table: LineWriter, night: Folder) -> None:
    reader = LineReader(table.ledger, table.book, PLAYERS)
    lines = ("k sneak v4 e1", "undo", "k sneak v4 e1", "close", "!! > the moth king wakes", "! reveal 4.9", "# a scene")
    for number, line in enumerate(lines):
        assert isinstance(say(table, GAME_MASTER, line, f"key-{number}"), Taken), line
        kept = reader.seen_state()
        fresh = load_state(PlayersLedger(table.ledger.store, table.book), StateProjection())
        assert (kept.pack(), kept.head, kept.last) == (fresh.pack(), fresh.head, fresh.last), line
        assert kept.reusable_numbers == fresh.reusable_numbers, line


@pytest.mark.slow
def test_reader_takes_in_what_another_process_appends(table: LineWriter, night: Folder) -> None:
    reading = CampaignContext(night.path, CLOCK)
    reader = LineReader(reading.ledger(write=False), table.book, PLAYERS)
    kept = [(reader.ledger.state, reader.seen_state())]
    for number, line in enumerate(("k sneak v4 e1", "close", "# a scene", "undo")):
        assert isinstance(say(table, GAME_MASTER, line, f"key-{number}"), Taken), line
        reader.refresh()
        kept.append((reader.ledger.state, reader.seen_state()))
        fresh = load_state(table.ledger.store, StateProjection())
        assert (reader.ledger.state.pack(), reader.ledger.state.head) == (fresh.pack(), fresh.head), line
    assert len({id(state) for states in kept[:4] for state in states}) == 2  # nothing was loaded again
    assert kept[4][0] is not kept[3][0]  # something older has changed
    reading.close()


@pytest.mark.slow
def test_lines_that_come_together_are_written_at_once(table: LineWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(say(table, BO, '" Orrin: wait', FIRST), Taken)
    written, write = list[int](), Collected.write

    def counted(self: Collected, *more: Any) -> None:
        written.append(len(self.records))
        write(self, *more)

    monkeypatch.setattr(Collected, "write", counted)
    lines = [(BO, TypedLine(line=f'" Orrin: wait {number}', key=f"key-{number:05d}")) for number in (1, 2, 3)]
    answers = table.say_each([*lines, (GAME_MASTER, TypedLine(line="# scene", key="key-scene"))])
    assert all(isinstance(answer, Taken) for answer in answers), answers
    assert written == [4]
    assert [record.line for record in table.ledger.store.records()][-1] == "# scene"
