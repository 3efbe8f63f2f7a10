"""Test `play`: the shell through a pipe and at a terminal, and what Tab offers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from cli.context import CampaignContext
from cli.main import campaign
from cli.notation.line_parser import parse_each
from cli.play import declare
from cli.questions.line_completion import complete_line
from cli.shell import speaker
from cli.shell.shell import Shell
from cli.speech.heard import unclear
from ledger.errors import LedgerError
from ledger.sqlite_store import SqliteStore
from tests.cli.conftest import CLOCK, PROGRAM, Folder, copied, environment
from tests.cli.evenings import prepare
from tests.cli.scopes import SCOPE
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.slow  # run with --long

BEINGS = ("Kess", "Orrin", "Sergeant Dovel", "Thug 1", "Thug 2")
TABLE = replace(SCOPE, beings=BEINGS)


def played(folder: Folder, *lines: str):
    """Return what the shell prints when these lines come through a pipe."""
    said = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(campaign, ["-C", str(folder.path), "--clock", CLOCK, "play"], input=said)


def test_prompt_names_who_acts_behind_a_spent_turn(tmp_path, monkeypatch):
    prepare("mars", tmp_path / "gate")
    gate = Folder(tmp_path / "gate")
    played(gate, '! encounter "gate"', "a init", "b init", "! init", "a attack g1", "attack g1", "attack g1")
    expected = "R1 · Asha (free action, reaction), then Guard 1 or Guard 2 » "
    assert prompt_at(gate, 120, monkeypatch) == expected


def test_reply_names_who_is_passed_over(tmp_path):
    prepare("mars", tmp_path / "gate")
    gate = Folder(tmp_path / "gate")
    done = played(gate, '! encounter "gate"', "a init", "b init", "! init", "! on")
    assert "Asha, Guard 1, Bram and Guard 2 do nothing this turn" in done.stdout


def test_throws_of_several_are_taken_with_one_answer(tmp_path):
    prepare("mars", tmp_path / "gate")
    gate = Folder(tmp_path / "gate")
    done = played(gate, '! encounter "gate"', "Nineteen for Asha, and Bram's only got... four.", "1")
    assert done.stdout.splitlines()[-2:] == ["1.2 initiative 19: Asha", "1.3 initiative 4: Bram"]


@pytest.mark.parametrize("answer", ["5", "v5", "five"])
def test_what_a_line_lacked_may_be_said_alone(folder, answer):
    done = played(folder, "Kess jumps the gap s", answer, "close")
    assert "jumps the gap" in done.output
    assert "difficulty 5" in done.output


def test_face_that_a_line_lacked_may_be_said_alone(tmp_path):
    prepare("monolith", tmp_path / "gate")
    gate = Folder(tmp_path / "gate")
    done = played(
        gate, '! encounter "gate"', "! round", "! on", '! vega hp -4 "x"', "! raider1 attack vega /6", "Fourteen"
    )
    assert "= ! raider1 attack vega /6.14" in done.stderr
    assert "Body Save: d20 14" in done.stdout


def test_what_a_line_lacked_is_asked_for_once(folder):
    done = played(folder, "Kess jumps the gap s", "? turn", "5")
    assert "difficulty 5" not in done.output


def test_second_act_is_heard_once_the_first_has_its_number(folder):
    done = played(folder, "Kess sneaks past the guard and then climbs the wall", "3", "5", "close")
    assert [line for line in done.stderr.splitlines() if line.startswith("=")] == [
        "= Kess sneaks past the guard v3",
        "= Kess climbs the wall v5",
    ]
    assert "difficulty 5" in done.stdout


def test_second_act_is_heard_behind_the_chosen_correction(folder):
    done = played(folder, "k sneak v5", "oops, that was v4, and then Kess climbs the wall", "1", "v3")
    assert "then: Kess climbs the wall" in done.stdout
    assert "= Kess climbs the wall v3" in done.stderr


@pytest.mark.parametrize(("answers", "is_heard"), [(["^ a parry sword", "go"], True), (["go withdraw"], False)])
def test_second_act_waits_for_the_answer_to_the_first(tmp_path, answers, is_heard):
    prepare("mars", tmp_path / "gate")
    gate = Folder(tmp_path / "gate")
    begin = ['! encounter "gate"', "a init", "b init", "! init", "a end", "! g1 begin"]
    done = played(gate, *begin, "guard 1 stabs at Asha, then ends his turn", "1", *answers)
    assert "Then: guard 1 ends his turn" in done.stderr
    assert ('= "Guard 1" end' in done.stderr) is is_heard, done.output


def test_reply_names_what_somebody_loses(fight):
    done = played(fight, "a wound /4.3", "close", "a move short /1.1", "close")
    assert done.stdout.splitlines()[-1].endswith("Ash loses the standard action")


@pytest.mark.parametrize(("line", "near"), [("k search", ""), ("k hide", ""), ("k snaek", "sneak")])
def test_only_a_misspelt_task_has_a_nearest_word(folder, line, near):
    assert ("The nearest" in played(folder, line).stderr or "Did you mean" in played(folder, line).stderr) is bool(near)
    assert near in played(folder, line).stderr


@pytest.fixture
def toll(tmp_path: Path) -> Folder:
    """A fight of Semiautomagic in which somebody is dying and has no wound."""
    prepare("semiautomagic", tmp_path / "toll")
    folder = Folder(tmp_path / "toll")
    folder.run("do", '! harm kit 30 "a beam"')
    return folder


def test_close_without_a_roll_to_close_is_nothing_to_do(toll):
    assert played(toll, "close").stderr.startswith("Nothing to do: No roll is open")


def test_question_who_hit_answers_where_no_wound_was_taken(toll):
    assert "a beam" in played(toll, "? who hit kit").stdout


@pytest.fixture
def fight(fight_folder: Folder, tmp_path: Path) -> Folder:
    """Round 1 of a fight: it is Ash's turn, with a wound due."""
    return copied(fight_folder, tmp_path / "fight")


def test_lines_are_declared_and_their_results_printed(folder):
    done = played(folder, "k sneak v5", "; a comment", "close")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1.1 difficulty 5, trained in sneak -1 = 4; target number 12")
    assert lines[-1].startswith("1.2 Kess's ")
    assert folder.run("log").count("\n1.") >= 2


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("k snaek v5", "k sneak v5"), 1),
        (("k sneak v5", "? why 9.9"), 1),
        (("~ 9.9 v4",), 1),
        (("k sneak v5 /7", "close"), 1),
        (("k sneak v5", "? why", "; a comment", "close"), 0),
        (("k sneak v5", "? diff 1.0 1.1", "quit"), 0),
    ],
)
def test_pipe_with_a_line_that_was_not_taken_ends_with_1(folder, lines, code):
    done = played(folder, *lines)
    assert done.exit_code == code, done.output


def test_pipe_into_a_ledger_that_cannot_be_written_ends_with_3(folder, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise LedgerError("SQLite says: database or disk is full", hint="Free some space on the disk.")

    monkeypatch.setattr(SqliteStore, "append", full)
    done = played(folder, "k snaek v5", "k sneak v5")
    assert (done.exit_code, "Free some space" in done.stderr) == (3, True)


@pytest.mark.parametrize(("role", "times"), [("gm", 1), ("players", 2)])
def test_line_is_parsed_once_for_the_game_master(folder, monkeypatch, role, times):
    parsed = list[str]()
    for module in (declare, speaker):
        monkeypatch.setattr(module, "parse_each", lambda line, scope: parsed.append(line) or parse_each(line, scope))
    with click.Context(click.Command("play")):
        shell = Shell(CampaignContext(folder.path, CLOCK), print, input, role)
        assert shell.answer("k sneak v5")
    assert parsed == ["k sneak v5"] * times


def test_sentence_of_a_player_is_taken_as_it_is_shown(folder, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_VIEW", "players")
    played(folder, "Kess rests for ten minutes")  # it notes something that players do not see
    done = played(folder, "Kess loses two health, a fall")
    assert ('= Kess health -2 "a fall"' in done.stderr, "health 14>12" in done.stdout) == (True, True), done.output


@pytest.mark.parametrize("sentence", ["no wait, make that two", "what if it was two", "undo that"])
def test_words_of_a_player_tell_of_no_secret_line(folder, monkeypatch, sentence):
    played(folder, "!! kess health -1 x")
    monkeypatch.setenv("CAMPAIGN_VIEW", "players")
    output = played(folder, sentence).output
    assert not any(told in output for told in ("change", "~", "whatif"))


def test_odds_are_shown_of_one_line_whose_dice_are_not_typed(folder):
    ran = list[str]()
    shell = Shell(CampaignContext(folder.path, CLOCK), ran.extend, input)
    for line in ("kess,orrin sneak v5", "k sneak v5 /7.6", "> It rains.", "k sneak v5"):
        question = unclear("it", [line])
        question.shows_odds = True
        shell.ask_which(question)
    assert ran == ["odds", "k sneak v5"]


def test_refused_line_of_the_grammar_corrects_no_other(folder):
    before = (
        '! encounter "x"',
        "kess initiative /9.9",
        "orrin initiative /8.8",
        "k attack dovel with knife /7.6",
        "close",
    )
    done = played(folder, *before, "k attack dovel with pistol at=extreme")
    assert "would change" not in done.output


@pytest.mark.parametrize("outcome", ["retcon", "stand", "compensate"])
def test_outcome_alone_settles_the_correction_before_it(folder, outcome):
    before = ('! corrections same_session ask "we look"', "k sneak v5 /7.6", "close", "k climb v4 /7.6", "close")
    done = played(folder, *before, "~ 2 v6", outcome)
    assert ("L-ASK" in done.stderr, "nobody in play" in done.stderr) == (True, False), done.output
    assert outcome in folder.run("log")


@pytest.mark.parametrize(("line", "left"), [("u", "1.1"), ("undo", "1.1"), ("u 3", "1.2")])
def test_u_takes_the_last_line_back(folder, line, left):
    played(folder, "k sneak v5 /7.6", "o climb v3 /7.6", *([] if line != "u 3" else ["~ v2"]), line)
    assert folder.run("log", "--oneline").splitlines()[-2].startswith(left)


def test_tilde_and_whatif_pass_over_a_close(folder):
    done = played(folder, "k sneak v5 /7.6", "close", "? whatif v9", "~ v6 retcon")
    assert "Kess" in done.stdout
    assert "was: Kess's success is final (13 against 12)" in done.stdout
    assert "amends 1.1" in done.stdout
    assert done.stderr == ""


def test_tilde_passes_over_a_claim(folder):
    done = played(folder, "k sneak v5 /7.6", "close", "= kess.might 9", "~ v6 retcon")
    assert "amends 1.1" in done.stdout


def test_tilde_after_a_line_of_several_asks_which(folder):
    done = played(folder, "k,o sneak v5", "~ v6", "~ 2 v6 retcon")
    assert "the last line was said for several: 1 (Kess), 2 (Orrin). Name the entry behind the ~." in done.stderr
    assert "amends 1.2" in done.stdout


def test_why_after_a_correction_explains_the_line(folder):
    done = played(folder, "k sneak v5 /7.6", "~ v6 retcon", "? why")
    assert '\n1.1 Kess "sneak" v6 /7.6 (amend' in done.stdout.split("amends 1.1")[1]


def test_open_quotation_mark_in_a_question_is_told(folder):
    done = played(folder, "k sneak v5 /7.6", '? whatif 1 +1"rain', "? odds")
    assert "a quotation mark is not closed" in done.stderr
    assert done.stderr.splitlines()[-1] == "the question names no line. Write it behind ? odds."


TABLE_DICE = '! option dice table "Bo has new ones"'


def test_dice_at_the_table_are_asked_for_by_name(folder):
    done = played(folder, TABLE_DICE, "k sneak v5", "13 1", "7", "0 x", "7.6", "close")
    assert done.stderr.splitlines() == [
        "a d12 cannot show 13. It shows 1 to 12.",
        "There are 2 faces to type. Ctrl-C takes the line back.",
        "a d12 cannot show 0. It shows 1 to 12.",
    ]
    assert "Dawn 7, Dusk 6 [table dice] = 13" in done.stdout
    assert "the replay agrees" in folder.run("replay")


def test_typed_faces_are_not_asked_for(folder):
    assert "Dawn 3, Dusk 4" in played(folder, TABLE_DICE, "k sneak v5 /3.4").stdout


def test_line_without_an_answer_is_not_declared(folder):
    done = played(folder, TABLE_DICE, "k sneak v5", "7")
    assert done.stderr.splitlines()[-1].startswith("interrupted")
    assert "sneak" not in folder.run("log")


def test_reply_says_what_closing_the_roll_will_do(folder):
    done = played(folder, "k sneak v5 /12.11")
    assert done.stdout.splitlines()[-1] == "  Enter closes: Kess's success is final (23 against 12)"


def test_being_in_turn_need_not_be_named(fight):
    """Ash is in turn: `move` is said of her, and recorded with her name."""
    done = played(fight, "a wound /4.3", "close", "move")
    assert done.stderr == ""
    assert "Ash move" in fight.run("log")


def test_move_closes_the_last_initiative_roll(open_folder, tmp_path):
    """Nobody is in turn while it is open: `move` is said of the one whose turn begins when it closes."""
    folder = copied(open_folder, tmp_path)
    done = played(folder, '! encounter "yard"', "k initiative", "o initiative", "move short")
    assert done.stderr == ""
    assert folder.run("log", "--oneline").count("move short") == 1


def test_points_are_spent_by_whose_roll_is_open(fight):
    """It is Captain's turn: the roll that is open is Bryn's."""
    done = played(fight, "a wound /4.3", "! on", "b dodge captain /12.2", "destiny reroll /3.5")
    assert done.stderr == ""
    assert "Bryn destiny reroll /3.5" in fight.run("log")


def test_implied_pass_is_printed_before_its_line(fight):
    done = played(fight, "a wound /4.3", "! on", "b dodge captain /1.2", "b attack thug speed d5 /4.6")
    assert done.stderr == ""
    place = done.stdout.splitlines().index("1.21+1 Captain pass")
    assert done.stdout.splitlines()[place + 3].startswith("1.22 difficulty 4")


def test_error_marks_its_column_and_stops_nothing(folder):
    done = played(folder, "k snaek thugg v5", "k sneak v5")
    assert done.exit_code == 1
    assert "\n1.1 difficulty 5" in f"\n{done.stdout}"
    done = played(folder, "kess sneak v5 +")
    assert done.stderr.splitlines()[:2] == ["  kess sneak v5 +", "                ^"]


def test_questions_and_corrections_run_as_commands(folder):
    done = played(
        folder, "k sneak v5", "? why", "? odds k climb v4", "? k climb v4", "? show kess", "undo", "? nonsense x"
    )
    assert "1.1 k sneak v5" in done.stdout
    assert done.stdout.count("e0 62 %  e1 81 %") == 2
    assert "Kess (pc" in done.stdout
    assert "takes back 1.1@1" in done.stdout
    assert "nobody in play" in done.stderr


@pytest.mark.parametrize("line", ["help attack", "? attack", "? help attack"])
def test_help_on_a_verb_is_printed_in_the_shell(folder, line):
    done = played(folder, line)
    assert done.stdout.startswith("attack\n  Attack a foe")
    assert done.stderr == ""


def prompt_at(folder: Folder, columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the prompt at a terminal of this width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    with click.Context(click.Command("play")):
        return Shell(CampaignContext(folder.path, CLOCK), print, input).prompt()


@pytest.mark.parametrize(
    ("columns", "prompt"),
    [
        (120, "R2 movement · Ash (bonus, move, reaction, standard) · doom 8 » "),
        (80, "R2 movement · Ash (b m r s) · doom 8 » "),
        (68, "R2 movement · Ash (b m r s) · doom 8 » "),
        (60, "R2 mo · Ash (b m r s) · doom 8 » "),
        (20, "R2 mo · Ash (b m r s) · doom 8 » "),
    ],
)
def test_prompt_never_cuts_what_is_left(fight, monkeypatch, columns, prompt):
    played(fight, "a wound /4.3", "close")
    assert prompt_at(fight, columns, monkeypatch) == prompt


def test_shell_sees_what_another_window_appended(folder, monkeypatch):
    answer = Shell.answer

    def with_another_window(table: Shell, text: str) -> bool:
        going_on = answer(table, text)
        if text == "k sneak v5":
            folder.run("do", "# meanwhile")
        return going_on

    monkeypatch.setattr(Shell, "answer", with_another_window)
    done = played(folder, "k sneak v5", "o climb v3")
    assert done.stdout.splitlines()[-4].startswith("1.3 ") or "\n1.3 " in done.stdout


def test_quit_ends_the_shell(folder):
    assert "1." not in played(folder, "quit", "k sneak v5").stdout


# At a terminal


@pytest.fixture
def shell(folder):
    with_colour = environment(TERM="xterm", NO_COLOR="1", CAMPAIGN_CLOCK=CLOCK)
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), "play"], with_colour)
    terminal.read_until("»")
    yield terminal
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_enter_on_an_empty_line_closes_the_roll(folder, shell):
    shell.enter("k sneak v5", "Enter closes: Kess's ")
    shell.enter("", "1.2 Kess's ")


def test_tab_completes_and_the_history_recalls(folder, shell):
    shell.type("k sn\t")
    shell.read_row("» k sneak")
    shell.enter(" v5 /7.6", "Enter closes")
    shell.read_until("»")
    shell.type("\x1b[A")
    shell.read_row("» k sneak v5 /7.6")
    shell.enter("", "1.2 ")


def test_control_c_drops_the_line_and_keeps_the_rest(folder, shell):
    shell.enter("k sneak v5", "Enter closes")
    shell.read_until("»")
    shell.type("k climb v4")
    shell.read_until("climb v4")
    shell.type("\x03")
    shell.enter("# still here", "1.2")
    assert "climb" not in folder.run("log")


def test_pasted_lines_are_declared_one_by_one(folder, shell):
    shell.type("\x1b[200~# one\n# two\x1b[201~")
    shell.read_row("# two")
    shell.enter("", "1.2")
    assert folder.run("log", "--oneline").splitlines()[-2:] == ["1.1   # one", "1.2   # two"]


def test_control_c_at_the_question_declares_nothing(folder, shell):
    shell.enter(TABLE_DICE, "»")
    shell.enter("k sneak v5", "2d12 for Kess's task:")
    shell.type("\x03")
    shell.read_until("»")
    shell.enter("# still here", "1.2")
    assert "sneak" not in folder.run("log")


def test_suspended_shell_goes_on_from_what_others_wrote(folder, shell):
    os.kill(shell.process, signal.SIGSTOP)
    folder.run("do", "k sneak v5 /7.6")
    os.kill(shell.process, signal.SIGCONT)
    shell.enter("", "1.2 Kess's ")


@pytest.mark.parametrize("plain", [False, True])
def test_closed_terminal_keeps_every_answered_line(folder, tmp_path, plain):
    terminal = started(folder, tmp_path, plain=plain)
    terminal.enter("k sneak v5", "Enter closes")
    terminal.type("k climb")
    terminal.hang_up()
    assert "1.1   Kess" in folder.run("log")
    assert folder.invoke("verify").exit_code == 0


def test_plain_input_without_the_line_editor(folder, tmp_path):
    terminal = started(folder, tmp_path, plain=True)
    terminal.enter(TABLE_DICE, "»")
    terminal.enter("k sneak v5", "2d12 for Kess's task:")
    terminal.enter("7 6", "Enter closes: Kess's ")
    terminal.read_until("»")
    terminal.enter("", "1.3 Kess's ")
    terminal.read_until("»")
    terminal.type("k climb")
    time.sleep(0.2)  # the prompt is there before the program waits for the keys
    terminal.type("\x03")
    terminal.read_until("»")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert "climb" not in folder.run("log")


def started(folder: Folder, tmp_path: Path, *, plain: bool) -> Terminal:
    """Return a terminal with the shell; `plain`: as if prompt_toolkit were not installed."""
    (tmp_path / "hidden").mkdir()
    if plain:
        (tmp_path / "hidden" / "prompt_toolkit.py").write_text("raise ImportError\n")
    surroundings = environment(TERM="xterm", NO_COLOR="1", PYTHONPATH=str(tmp_path / "hidden"))
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), "play"], surroundings)
    terminal.read_until("»")
    return terminal


def test_killed_shell_has_kept_every_answered_line(folder):
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), "play"], environment(TERM="xterm", NO_COLOR="1"))
    terminal.read_until("»")
    terminal.enter("k sneak v5", "Enter closes")
    terminal.type("k climb")
    terminal.kill()
    assert "1.1   k sneak v5" in folder.run("log", "--typed")
    assert folder.invoke("verify").exit_code == 0


# What Tab offers


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("", ["Orrin", "Kess"]),
        ("k", ["Kess"]),
        ("k ", ["attack", "sneak"]),
        ("k sn", ["sneak"]),
        ("kess attack s", ['"Sergeant Dovel"']),
        ("kess attack t", ['"Thug 1"', '"Thug 2"']),
        ("kess attack thug 1 m +c", ["+cover"]),
        ("! d", ["doom"]),
        ("! doom c", ["change-target"]),
        ("kess attack dov eff", ["effort="]),
    ],
)
def test_tab_offers_what_may_come_next(text, offered):
    words = complete_line(text, TABLE, ["Orrin"])
    assert set(offered) <= set(words)
    if text == "":
        assert words[0] == "Orrin"


@pytest.fixture
def in_fight(fight) -> Iterator[Callable[[str], list[str]]]:
    """Return what Tab offers in Bryn's turn of the action phase."""
    played(fight, "a wound /4.3", "! on", "captain pass")
    with click.Context(click.Command("play")):
        yield Shell(CampaignContext(fight.path, CLOCK), print, input).complete


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("bryn ", "cover"),
        ("! option dice ", "program"),
        ("! option dice t", "table"),
        ("? show br", "Bryn"),
        ("? who bryn.hea", "bryn.health"),
        ("? odds bry", "Bryn"),
        ("? wha", "whatif"),
        ("?wha", "? whatif"),
    ],
)
def test_tab_offers_first_what_is_legal_now(in_fight, text, first):
    assert in_fight(text)[0] == first


def test_tab_completes_for_the_being_in_turn(in_fight):
    offered = in_fight("")
    assert offered.index("cover") < offered.index("Bryn") < offered.index("move")
    assert set(in_fight("att")) == {"attack", "attempt"}


def test_tab_offers_nothing_for_nonsense():
    assert complete_line("xyzzy plugh q", TABLE) == []
