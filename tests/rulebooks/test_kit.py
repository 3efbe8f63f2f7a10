"""The kit with which games are tested: it finds what is wrong with a game, a case, a secret, odds or a book."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from cli.play import game_check
from ledger.errors import Unreadable
from ledger.facts import EntryId
from ledger.odds import count_odds
from projections.state import State
from rulebooks import load_game
from rulebooks.testing import suite, table
from rulebooks.testing.book_checks import BOOK_CHECKS, check_every_option_is_read_by_the_code
from rulebooks.testing.cases import load_cases, play_steps
from rulebooks.testing.check import wrong_in
from rulebooks.testing.game_files import GameFiles
from rulebooks.testing.odds_oracle import compare, count_throws
from rulebooks.testing.sentence_checks import SENTENCE_CHECKS
from rulebooks.testing.suite import CaseTests
from rulebooks.testing.table import LineTable, load_line_cases
from tests.cli.commands import run
from tests.cli.conftest import one_error
from tests.packages import add_package, forget_games
from tests.rulebooks.step_values import StepValues, computed_rules
from tests.rulebooks.test_installed import add_coin
from tests.rulebooks.test_write_a_game import FILES

EXAMPLE = Path(__file__).parents[1] / "example_game"
CASES = EXAMPLE / "lamplight" / "cases.toml"
Content = dict[str, Any]


@pytest.fixture
def example(packages: Path, monkeypatch: pytest.MonkeyPatch) -> Content:
    """Install the example, and return its cases, which a test may change."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    add_package(packages, "lamplight-game", {"lamplight": "lamplight.game:GAME"})
    forget_games()
    return deepcopy(load_cases(CASES))


def case_tests(content: Content) -> CaseTests:
    return CaseTests(GameFiles("lamplight"), content, (), ())


def test_suite_adds_tests_of_book_and_cases(example: Content) -> None:
    namespace: dict[str, Any] = {}
    suite(namespace, "lamplight", cases=CASES)
    own = {name for name in namespace if name.startswith("test_")}
    assert {"test_case", "test_odds_are_those_of_every_throw", "test_rules_named_in_code_exist"} <= own
    assert "TestEvenings" in namespace
    for name in own - {"test_case", "test_odds_are_those_of_every_throw", "test_players_view_hides_what_is_secret"}:
        namespace[name]()


WRONG_STEPS: dict[str, tuple[int, dict[str, Any], str]] = {
    "another result": (0, {"result": "found"}, "result 'nothing'"),
    "another total": (0, {"total": 5}, "total 4"),
    "another value": (0, {"now": {"ana.oil": 2}}, "ana.oil is 3"),
    "no such value": (0, {"now": {"ana.wit": 2}}, "there is no value ana.wit"),
    "a word that is not known": (0, {"outcome": "found"}, "not known: ['outcome']"),
    "a condition that does not begin": (0, {"began": ["gone Ana"]}, "began []"),
    "a condition that does not end": (0, {"ended": ["gone Ana"]}, "ended []"),
    "other totals": (0, {"totals": [5]}, "totals [4]"),
    "another turn": (0, {"turn": "Ana"}, "it is the turn of ''"),
    "another refusal": (2, {"refused": "FULL"}, "LL-E-OIL"),
    "no refusal": (0, {"refused": "OIL"}, ""),
}


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize("case", WRONG_STEPS)
def test_case_that_is_wrong_names_its_step(example: Content, case: str) -> None:
    place, changes, message = WRONG_STEPS[case]
    example["cases"][0]["steps"][place] |= changes
    if case == "no refusal":
        with pytest.raises(pytest.fail.Exception):
            case_tests(example).check_case(example["cases"][0])
        return
    with pytest.raises(AssertionError) as raised:
        case_tests(example).check_case(example["cases"][0])
    assert str(raised.value).startswith(f"step {place + 1}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(("secret", "message"), [("driven", "the players read"), ("moon", "is not in the ledger")])
def test_secret_that_is_none_is_found(example: Content, secret: str, message: str) -> None:
    example["cases"][1]["secret"] = [secret]
    with pytest.raises(AssertionError, match=message):
        case_tests(example).check_view(example["cases"][1])


def test_cases_that_leave_something_out_are_named(example: Content) -> None:
    example["cases"].pop()
    del example["cases"][0]["steps"][3:5]
    with pytest.raises(AssertionError, match="no case shows LL-FACE-1, LL-E-TARGET, least_find=4, face"):
        case_tests(example).check_coverage()


def test_reading_that_no_case_chooses_is_named(example: Content) -> None:
    steps = example["cases"][0]["steps"]
    steps[:] = [step for step in steps if "option" not in step["line"] and "crypt" not in step["line"]]
    with pytest.raises(AssertionError, match=r"no case shows least_find=4$"):
        case_tests(example).check_coverage()


def test_canonical_line_that_is_read_as_another_is_found(example: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "format_declaration", lambda said: "ana rest")
    with pytest.raises(AssertionError, match="written as 'ana rest', it is read as another"):
        case_tests(example).check_case(example["cases"][0])


def test_odds_that_are_wrong_are_found(example: Content) -> None:
    seat = LineTable(load_game("lamplight"), example)
    said = seat.parse("ana search o1")
    counted = count_throws(seat, said)
    assert counted is not None
    assert counted.throws == 36
    odds = count_odds(seat.book, seat.ledger.state, said, EntryId(1, 1))
    compare(counted, odds)
    for wrong in ({"chances": odds.chances[1:]}, {"expected": ()}):
        with pytest.raises(AssertionError):
            compare(counted, msgspec.structs.replace(odds, **wrong))


WRONG_BOOKS: dict[str, tuple[str, Callable[[str], str], str]] = {
    "a rule that is not there": ("game.py", lambda text: text.replace("CO-FLIP-1", "CO-FLIP-2"), "rules_named_in_code"),
    "a code without a sentence": ("game.py", lambda text: text.replace('"POOR"', '"RICH"'), "every_code_is_raised"),
    "a field that is not given": ("game.py", lambda text: text.replace(", name=who)", ")"), "every_code_is_raised"),
    "an option of another name": ("game.py", lambda text: text.replace("heads_pay", "tails_pay"), "every_option"),
    "no example": ("game.py", lambda text: text.replace('`ana flip "for luck"`', "it"), "an_example_line"),
    "a revision without a mend": (
        "game.py",
        lambda text: text.replace('version = "1"', 'version = "1"\n    revision = 2'),
        "revision_is_that_of_the_last_mend",
    ),
    "no hint": ("rulebook.toml", lambda text: re.sub("hint = .*", 'hint = ""', text), "options_and_errors"),
    "a verb for one alone": ("words.toml", lambda text: text.replace("<flip>", "flips"), "verbs_agree_with_several"),
    "a field of no result": ("words.toml", lambda text: text.replace("{who}", "{whom}"), "fields_of_results"),
}  # fmt: skip


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("case", WRONG_BOOKS)
def test_book_that_is_wrong_fails_its_check(packages: Path, case: str) -> None:
    file, change, name = WRONG_BOOKS[case]
    add_coin(packages)
    changed = change(FILES[file])
    assert changed != FILES[file]
    (packages / "coin" / file).write_text(changed, encoding="utf-8")
    forget_games("coin", "coin.game")
    files = GameFiles("coin")
    failed = []
    for check in (*BOOK_CHECKS, *SENTENCE_CHECKS):
        try:
            check(files)
        except AssertionError:
            failed.append(check.__name__)
    assert any(name in each for each in failed), failed


@pytest.mark.slow
def test_game_check_counts_what_is_right(packages: Path) -> None:
    add_coin(packages)
    done = run("game", "check", "coin")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        "coin 1, revision 1: 25 of 25 tests pass, with 1 worked case.",
    )


@pytest.mark.slow
def test_game_check_says_what_is_wrong(packages: Path) -> None:
    add_coin(packages)
    (packages / "coin" / "cases.toml").write_text(FILES["cases.toml"].replace('"tails"', '"edge"'), encoding="utf-8")
    done = run("game", "check", "coin")
    assert done.exit_code == 1
    assert "case[CO-C-1]: step 1:" in done.stdout
    assert "result 'tails'" in done.stdout


def test_game_check_without_its_libraries_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_check, "find_spec", lambda name: None if name == "hypothesis" else sys)
    error = one_error(run("game", "check", "mars"), 2)
    assert 'a check of a game needs hypothesis. Install them: pip install "campaign-ledger[test]"' in error


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff = [", "invalid start byte"),
        (b"cases = 3", "Expected `array`, got `int`"),
        (b"", "missing required field `cases`"),
        (b"cases = []", "length >= 1"),
        (b'cases = [{ id = "a", title = "b", steps = [{}] }]', "missing required field `line`"),
    ],
)
def test_cases_of_another_form_are_unreadable(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "cases.toml").write_bytes(content)
    with pytest.raises(Unreadable, match=message):
        load_line_cases(tmp_path / "cases.toml")


@pytest.mark.slow
def test_game_check_with_cases_that_are_none_says_so(tmp_path: Path) -> None:
    (tmp_path / "cases.toml").write_bytes(b"\xff = [")
    done = run("game", "check", "monolith", "--cases", str(tmp_path / "cases.toml"))
    assert done.exit_code == 1
    assert "the tests" in done.stdout
    assert "Traceback" not in done.output


def test_option_that_the_code_does_not_read_is_named(example: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    files = GameFiles("lamplight")
    monkeypatch.setattr(files, "calls", lambda reader: ())
    with pytest.raises(AssertionError, match="in the book alone, or in the code alone: least_find"):
        check_every_option_is_read_by_the_code(files)


def test_failed_check_without_a_message_shows_what_it_asserts() -> None:
    crash = SimpleNamespace(reprcrash=SimpleNamespace(message="AssertionError() [single exception in FlakyFailure]"))
    report = SimpleNamespace(
        longrepr=crash, longreprtext=">   test()\n\n>       assert seen == before\nE  AssertionError"
    )
    assert wrong_in(cast(pytest.TestReport, report)) == "assert seen == before"


VALUES = StepValues(
    {"kind": lambda entry: entry["kind"]},
    {"points": lambda state, who: state.points(who, "hp")},
    {"round": lambda _: 2},
)


@pytest.mark.parametrize(
    ("expect", "wrong"),
    [
        ({"kind": "hit", "points": {"Ash": 0}, "round": 2, "told": "x"}, ""),
        ({"kind": "miss"}, "kind is 'hit'"),
        ({"points": {"Ash": 1}}, "points is {'Ash': 0}"),
        ({"round": 3}, "round is 2"),
        ({"rounds": 2}, "not known: rounds"),
    ],
)
def test_step_that_shows_something_else_is_named(expect: Content, wrong: str) -> None:
    def play(step: Any) -> None:
        VALUES.compare(step, {"kind": "hit"}, State(), {"told"})

    if not wrong:
        play_steps([{}, expect], play)
        return
    with pytest.raises(AssertionError) as failed:
        play_steps([{}, expect], play)
    assert str(failed.value) == f"step 2: {expect}\n{wrong}"


def test_rule_of_a_case_that_is_in_no_book_is_an_error() -> None:
    """A gap need not be a rule of the book."""
    texts = load_game("monolith").texts()
    assert computed_rules(texts, ["ML-GAP-1", "ML-CRIT-2"]) == {"ML-CRIT-2"}
    with pytest.raises(KeyError):
        computed_rules(texts, ["ML-CRIT-200"])
