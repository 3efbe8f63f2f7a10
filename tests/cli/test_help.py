"""Test `help`, `sheet` and `completion`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.main import COMMANDS, GROUPS
from cli.questions.help import find_verbs, help_pages, kinds_with_verbs
from rulebooks import GAMES, load_game
from tests.cli.commands import run
from tests.cli.conftest import one_error
from tests.cli.test_completion import offered

ROOT = Path(__file__).parents[2]
TOPIC = re.compile(r"campaign help ([\w-]+)")


def test_help_lists_pages_and_the_verbs_of_the_game(night):
    listed = night.run("help")
    assert all(f"  {topic} " in listed for topic in help_pages())
    assert "Verbs of Dusk Bastards" in listed
    assert " attack, " in listed


def test_every_game_has_a_page_and_sheets_for_players_and_others():
    assert set(GAMES) <= set(help_pages())
    for game in GAMES:
        assert len(load_game(game).texts().sheet_templates) >= 2


@pytest.mark.quick_rows(14)
@pytest.mark.parametrize("topic", [*help_pages(), *COMMANDS])
def test_help_explains_every_page_and_command(topic):
    done = run("help", topic)
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) > 3


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", GAMES)
def test_help_explains_every_verb(game):
    for kind in kinds_with_verbs(load_game(game)):
        for verb in kind.verbs:
            done = run("help", verb, "--game", game)
            assert done.exit_code == 0
            assert verb in done.stdout.splitlines()[0] or verb in help_pages()


def test_help_of_a_verb_shows_each_field_as_it_is_written():
    shown = run("help", "attack", "--game", "monolith").stdout
    assert shown.startswith("attack\n")
    assert "target" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("topic", "near"), [("disptues", "disputes"), ("shwo", "show"), ("atack", "attack"), ("sneek", "sneak")]
)
def test_unknown_topic_names_the_nearest(night, topic, near):
    assert near in one_error(night.invoke("help", topic), 2)


def test_help_on_a_task_explains_the_line_that_takes_it(night):
    shown = night.run("help", "hide")
    assert shown.startswith("hide\n  Said in place of a verb, usually of speed.\n")
    assert "attempt" in shown


def test_unknown_command_names_the_nearest():
    assert "there is no command 'shwo'. Did you mean show" in run("shwo").stderr
    assert run("shwo").exit_code == 2


def test_commands_are_listed_in_groups():
    shown = run("--help").stdout
    places = [shown.index(f"\n{group}:\n") for group in GROUPS]
    assert places == sorted(places)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", GAMES)
def test_printed_sheets_can_be_cast(game, tmp_path):
    """Every template joins as it is printed: characters and foes first, then what names them."""
    folder = str(tmp_path / "c")
    assert run("new", "C", folder, "--game", game).exit_code == 0
    kinds = load_game(game).texts().sheet_templates
    for kind in sorted(kinds, key=lambda kind: kind == "group"):
        sheet = tmp_path / f"{kind}.toml"
        sheet.write_text(run("-C", folder, "sheet", kind).stdout, encoding="utf-8")
        many = f"{sheet}*2" if kind in ("npc", "foe") else str(sheet)
        done = run("-C", folder, "cast", many)
        assert done.exit_code == 0, done.output


def test_sheet_lists_kinds_and_refuses_others(night):
    assert "pc" in night.run("sheet")
    assert "There is: npc, object, pc." in one_error(night.invoke("sheet", "dragon"), 2)


@pytest.mark.slow
def test_tab_offers_nothing_where_there_is_no_ledger(closed):
    (closed.path / "ledger.db").write_bytes(b"no ledger")
    assert offered(closed, "bash", "campaign", "show", "k") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_printed(shell):
    assert "_CAMPAIGN_COMPLETE" in run("completion", shell).stdout


def test_tables_are_shown_as_terms_with_their_meaning():
    shown = run("help", "play").stdout
    assert "\nquit, Ctrl-D\n    end the shell; the session stays open\n" in shown
    assert "line\n" not in shown
    assert "---" not in shown


@pytest.mark.slow
def test_topics_that_the_pages_name_exist():
    """A topic of a game's page may be a verb of that game."""
    pages = [(ROOT / "README.md", "dusk-bastards")]
    pages += [(page, topic if topic in GAMES else "dusk-bastards") for topic, page in help_pages().items()]
    for page, game in pages:
        for topic in set(TOPIC.findall(page.read_text(encoding="utf-8"))) - {"GAME"}:
            assert run("help", topic, "--game", game).exit_code == 0, (page, topic)


def test_help_of_a_verb_shows_the_action_before_the_answer():
    first, *_, last = find_verbs("maneuver", load_game("mars"), {})
    assert (first.examples[0][:4], last.examples[0][:1]) == ("asha", "^")
