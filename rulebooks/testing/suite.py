"""The tests of a game in a few lines: `suite(globals(), "coin", cases=Path(__file__).parent / "cases.toml")`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledger.replay import Replay
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from rulebooks.common.adjustments import Adjust
from rulebooks.common.options import SetOption
from rulebooks.testing.book_checks import BOOK_CHECKS
from rulebooks.testing.cases import play_once, trials
from rulebooks.testing.game_files import GameFiles
from rulebooks.testing.line_machine import line_machine
from rulebooks.testing.odds_oracle import check_odds
from rulebooks.testing.sentence_checks import SENTENCE_CHECKS
from rulebooks.testing.table import LineTable, PlayedCase, check_players_view, load_line_cases

OF_EVERY_GAME = (SetOption, Adjust)


def suite(
    namespace: dict[str, Any],
    game: str,
    *,
    cases: Path | None = None,
    kept: Path | None = None,
    gaps: int | None = None,
    silent: Collection[str] = (),
    elsewhere: Collection[str] = (),
) -> None:
    """Put the tests of a game into the namespace of a test module.

    `cases` is a file of worked cases in lines (see table.py); without it only the book, its sentences and its code are
    tested. `kept` is a folder of ledgers (`*.db`) that released versions of the game have written: each is replayed.
    `gaps` is the number of gaps of the text, where they are listed elsewhere. `silent` is what the log leaves out (see
    log_sentences.py). `elsewhere` are codes, rules, readings (`heads_pay=3`) and verbs that other tests show.
    """
    files = GameFiles(game, gaps)
    for check in (*BOOK_CHECKS, *SENTENCE_CHECKS):
        add_test(namespace, check.__name__, check, files)
    if kept is not None:
        add_cases(namespace, "kept_ledger_replays", check_kept(files), sorted(kept.glob("*.db")))
    if cases is not None:
        CaseTests(files, load_line_cases(cases), silent, elsewhere).add_to(namespace)


def add_test(namespace: dict[str, Any], name: str, check: Callable[..., None], *given: Any) -> None:
    """Add a test that calls a check."""

    def test() -> None:
        check(*given)

    test.__doc__ = check.__doc__
    namespace[f"test_{name.removeprefix('check_')}"] = test


def add_cases(namespace: dict[str, Any], name: str, check: Callable[[Any], None], cases: Iterable[Any]) -> None:
    """Add a test that calls a check for each case."""

    @pytest.mark.parametrize("case", list(cases))
    def test(case: Any) -> None:
        check(case)

    test.__doc__ = check.__doc__
    namespace[f"test_{name}"] = test


def check_kept(files: GameFiles) -> Callable[[Path], None]:
    """Return the check that a kept ledger is decided again as it was."""

    def check(path: Path) -> None:
        """Check that the game decides a ledger of an earlier version as it was: it ages by new revisions alone."""
        store = open_store(path, write=False, models=None)
        try:
            report = Replay(store, files.game, StateProjection()).run()
            assert [str(difference) for difference in report.differences] == []
        finally:
            store.close()

    return check


class CaseTests:
    """The tests of worked cases: each alone, and all together against the book."""

    def __init__(
        self, files: GameFiles, content: Mapping[str, Any], silent: Collection[str], elsewhere: Collection[str]
    ) -> None:
        self.files, self.content, self.silent, self.elsewhere = files, content, silent, elsewhere
        self.played = play_once(self._play)

    def _play(self, case: Mapping[str, Any]) -> PlayedCase:
        """Return a case that was played at a table of its own."""
        return PlayedCase(self.sit_down(), case)

    def sit_down(self) -> LineTable:
        """Return a new table with the sheets of the cases."""
        return LineTable(self.files.game, self.content, self.silent)

    def check_case(self, case: Mapping[str, Any]) -> None:
        """Play a case: facts, refusals, the log, the canonical line, the replay."""
        self.played(case)

    def check_view(self, case: Mapping[str, Any]) -> None:
        """Check what the players see of a case."""
        check_players_view(self.played(case))

    def check_odds(self, case: Mapping[str, Any]) -> None:
        """Check the odds of each line of a case against every throw."""
        check_odds(self.sit_down(), case)

    def check_ids(self) -> None:
        """Check that no two cases, or trials of one, have the same id."""
        ids = [(case["id"], case.get("trial", "")) for case in self.content["cases"]]
        assert len(set(ids)) == len(ids)

    def check_coverage(self) -> None:
        """Check that the cases show every rule, refusal, reading and verb of the book."""
        missing = not_shown(self.files, map(self.played, self.content["cases"]), self.elsewhere)
        assert missing == [], f"no case shows {', '.join(missing)}"

    def add_to(self, namespace: dict[str, Any]) -> None:
        """Add the tests to a module."""
        every = trials(self.content)
        add_cases(namespace, "case", self.check_case, every)
        add_cases(namespace, "players_view_hides_what_is_secret", self.check_view, every)
        add_cases(namespace, "odds_are_those_of_every_throw", self.check_odds, every)
        add_test(namespace, "ids_of_cases_differ", self.check_ids)
        add_test(namespace, "cases_show_the_whole_book", self.check_coverage)
        namespace["TestEvenings"] = line_machine(self.sit_down, self.content).TestCase


def not_shown(files: GameFiles, cases: Iterable[PlayedCase], elsewhere: Collection[str]) -> list[str]:
    """Return what no case shows: computed rules, codes, readings of options that are not the default, and verbs."""
    every = list(cases)
    rules = set[str]().union(*(case.rules for case in every))
    codes = set[str]().union(*(case.codes for case in every))
    kinds = set[Any]().union(*(case.kinds for case in every))
    options = {f"{name}={value}" for case in every for name, value in case.options}
    content = files.texts.content
    wanted = [rule.id for rule in content.rules if rule.kind == "computed" and rule.id not in rules]
    wanted += [error.code for error in content.errors if error.code not in codes]
    for option in content.options:
        values = option.values or (option.least, option.most)
        readings = [f"{option.name}={value}" for value in values if value != option.default]
        wanted += [reading for reading in readings if reading not in options]
    verbs = [kind for kind in files.game.declarations if kind.verbs and kind not in OF_EVERY_GAME]
    wanted += [kind.verbs[0] for kind in verbs if kind not in kinds]
    return [each for each in wanted if each not in elsewhere]
