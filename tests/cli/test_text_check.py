"""What a text says of a session that the ledger does not know, `recap --check`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.questions.name_table import NO_NAMES
from cli.render.recap import RecapSource, session_knowledge
from cli.story.check.doubts import text_doubts
from cli.story.check.knowledge import SessionKnowledge, minutes_in
from cli.story.check.number_words import numbers_in_words
from projections.state import Being
from tests.cli.conftest import one_error
from tests.cli.pages.test_session_page import seen
from tests.golden import CAMPAIGNS

KNOWN = [
    "Tamsin's bolt killed the second watchman. Sergeant Dovel yielded, and Kess stayed on her feet.",
    "Watchman 2 died. So did the lamp.",
    "**Kess:** Stay down, sergeant.",
    "The Kess’s knife, the watchmen's lantern, Kess-and-Orrin: they were there, twice.",
    "Nobody killed Dovel, and Orrin did not die. Kess almost killed him. Had Tamsin died, they would have run.",
    "Dovel hit Orrin: health 10 to 8. Doom stands at eighteen.",
    "Kess bluffed him, 18 against 1.",  # what it needed is hidden
    "Two of the three went down; the first, the second, the 3rd.",
    "Tamsin shot the second watchman, and two watchmen came: the first watchman ran and lived.",
    "Kess and Orrin came. Both are alive. She did not run and did not die; Kess never ran and died.",
    "The second watchman was shot dead by Tamsin, and Dovel fell to Kess. The first watchman fled.",
    "One of both watchmen died. The house where the second watchman lived is dark. Old Dovel sat down.",
    "The second watchman fled up the stairs, and Tamsin's bolt cut him down. Tamsin felled the second watchman.",
    "Tamsin owes four days of rest. It took one hour, and another ten minutes. The mark [214] is a note's.",
    "On 2026-01-09 they played session 2 (2.33, 2.39).",
    "She rolled a d12, and 15 was enough.",
    "![map](https://example.org/a47.png) <b class='x99'>Kess</b> <!-- 4711 Gorvak --> [^12] &amp; [Kess](b77.md)",
    "---\ntitle: Gorvak 4711\n---\nKess went home.",
    "1. Kess\n2. Orrin\n77. Tamsin",
    "WHO WAS THERE: KESS!",
    "In March, on a Monday, I went with Mr Dovel. It's the end. Rain fell. Silence followed.",
    "夜が来た。三人はまだ生きている。",
    "Der Wächter mit der Laterne hatte keinen Wunsch nach dem Tod. Im Haus am Fluss sah die Frau mit dem Messer den"
    " Mann am Fenster, und der Regen auf dem Dach war lauter als die Stimme von Kess in der Nacht über dem Kanal.",
    "",
]
WRONG = [
    ("Gorvak fell from the roof.", "name", "Gorvak", ""),
    ("Then came Gorvak, and Gorvak's men, and Gorvak again.", "name", "Gorvak", "nobody and nothing"),
    ("Then old Keß and Tamsyn came.", "name", "Tamsyn", "Did you mean 'Tamsin'?"),
    ("They met Orrin Half-Moon there.", "name", "Half-Moon", ""),
    ("Orrin lost 47 points.", "number", "47", "Orrin: "),
    ("Orrin lost forty-seven points.", "number", "forty-seven", "Orrin: "),
    ("A hundred and five watchmen came.", "number", "hundred and five", ""),
    ("Dovel hit Orrin: health from 8 to 2.", "number", "from 8 to 2", "Orrin: "),
    ("Orrin was down to 17 of 10 health.", "number", "17 of 10", "Orrin: "),
    ("Kess bluffed him, 1 against 18.", "number", "1 against 18", "Kess: "),
    ("It was the 99th lamp.", "number", "99th", ""),
    ("It cost 4,711 coins.", "number", "4,711", ""),
    ("It cost 99999999999999999999 coins.", "number", "99999999999999999999", "so long"),
    ("He had −47 left.", "number", "−47", ""),
    ("Kess threw 3d17.", "dice", "3d17", "d12"),
    ("Kess fell (2.999).", "entry", "2.999", "The last one is 2.6"),
    ("They met on 2025-12-24.", "date", "2025-12-24", "2026-01-09"),
    ("Dovel died.", "died", "Dovel died", "not dead"),
    ("Kess killed Dovel.", "died", "Kess killed Dovel", "not dead"),
    ("In the end Tamsin\nwas killed.", "died", "Tamsin was killed", "not dead"),
    ("They found Dovel's corpse.", "died", "Dovel's corpse", ""),
    ("The death of Orrin shook them.", "died", "The death of Orrin", ""),
    ("Kess slew both Orrin and Tamsin.", "died", "slew", ""),
    ("Kess killed Watchman 2.", "died", "Kess killed Watchman 2", "Watchman 2 died by Tamsin (2.33)"),
    ("The second watchman survived.", "lives", "second watchman survived", "Watchman 2 is dead since 2.33"),
    ("The first watchman is dead.", "died", "first watchman is dead", "Watchman 1"),
    ("Dead: Dovel.", "died", "Dead: Dovel", ""),
    ("Watchman 2 was slain by Orrin.", "died", "was slain by Orrin", "Watchman 2 fell to Tamsin (2.33)"),
    ("The second watchman fell to Kess and Orrin.", "died", "fell to Kess and Orrin", "Watchman 2 fell to Tamsin"),
    ("Orrin cut the second watchman down.", "died", "Orrin cut the second watchman down", "fell to Tamsin"),
    ("Both watchmen were killed.", "died", "Both watchmen were killed", "Dead: Watchman 2."),
    ("She slew two watchmen.", "died", "slew two watchmen", "Dead: Watchman 2."),
    ("Watchman 2 lives.", "lives", "Watchman 2 lives", "Watchman 2 is dead since 2.33"),
    ("The second watchman still breathes.", "lives", "still breathes", ""),
    ("The second watchman ran off, alive.", "lives", "ran off, alive", ""),
    ("The second watchman got away.", "lives", "got away", "Watchman 2 is dead"),
    ("They waited for nine hours.", "number", "nine hours", "The ledger has 1 hours"),
    ("Doom stands at seventeen.", "number", "Doom stands at seventeen", "Doom was at 18"),
    ("The third watchman came.", "number", "third watchman", "There were 2: watchmen 1, 2."),
    ("The 3rd watchman came.", "number", "3rd watchman", "There were 2"),
    ("Three watchmen came.", "number", "Three watchmen", "There were 2"),
    ("Doom stands at 99.", "number", "Doom stands at 99", "Doom was at "),
    ("Orrin was at -2 health.", "number", "Orrin was at -2", "Orrin was at "),
    ("Kess and Orrin ran. Both are dead.", "died", "Both are dead", "not dead"),
    ("At dawn, Dovel sat down and died.", "died", "died", "Dovel"),
    ("Kess ran, and then she died.", "died", "she died", "Kess"),
]


SECONDS = 30  # of the processor, for a text as long as any that is read


@contextmanager
def knowledge_of(folder: Path, session: int) -> Iterator[SessionKnowledge]:
    """Open what the players know of a session."""
    with seen(folder, "players") as (store, book):
        wording = book.texts().lexicon.wording
        yield session_knowledge(
            RecapSource(store=store, book=book, wording=wording, role="players", names=NO_NAMES), session
        )


@pytest.fixture(scope="module")
def known(played_samples: dict[str, Path]) -> Iterator[SessionKnowledge]:
    """What the players know of the second session of the Gutter Saints."""
    with knowledge_of(played_samples["gutter-saints"], 2) as known:
        yield known


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("text", KNOWN)
def test_text_that_says_what_is_known_has_no_doubts(known, text):
    assert text_doubts(text, known) == []


@pytest.mark.parametrize(("text", "kind", "said", "hint"), WRONG)
def test_text_that_says_what_is_not_known_has_a_finding(known, text, kind, said, hint):
    found = text_doubts(f"Kess went home.\n\n{text}", known)
    assert {each.kind for each in found} == {kind}
    assert said in found[0].text
    assert hint in found[0].hint
    assert found[0].line == 3


@pytest.mark.parametrize(
    "text",
    [
        "Sıx lamps burned.",
        "The sıxth watchman and nıne watchmen came.",
        "Tamsın has three wounds.",
        "Tamsın stands at 99.",
        "Tamsın ran and died.",
    ],
)
def test_letter_that_equals_a_name_in_another_case_is_no_crash(known, text):
    assert {doubt.kind for doubt in text_doubts(text, known)} <= {"name", "number"}


class Crowd(SessionKnowledge):
    """What is known of those who have these names, and of nothing else."""

    def __init__(self, *names: str) -> None:
        self._names = NO_NAMES
        self._beings = [
            Being(name=name, kind="foe", side="gm", seen="table", joined=place) for place, name in enumerate(names)
        ]

    @property
    def beings(self) -> list[Being]:
        return self._beings


def test_kind_may_be_called_by_its_last_word() -> None:
    crowd = Crowd("Marsh Rat 1", "Marsh Rat 2", "Ada Rook")
    assert crowd.kinds == {"marsh rat": {1, 2}, "rat": {1, 2}}
    assert crowd.called["second rat"] == ["Marsh Rat 2"]
    assert crowd.called["rats"] == ["Marsh Rat 1", "Marsh Rat 2"]
    assert crowd.surnames == {"Rook"}


def test_last_word_of_two_kinds_is_no_short_name() -> None:
    crowd = Crowd("Marsh Rat 1", "Marsh Rat 2", "Grey Rat 1", "Grey Rat 2")
    assert "rat" not in crowd.kinds
    assert "first rat" not in crowd.called


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("Dexter Hobb knelt.", ["Dexter"]),
        ("Sexton Hobb knelt. Poor Hobb. Kindly Hobb nodded.", []),
        ("Five hours passed.", ["Five hours"]),
        ("Six hours passed.", []),
    ],
)
def test_name_before_a_surname_and_measure_are_compared(played_samples, text, doubts):
    with knowledge_of(played_samples["drowned-parish"], 1) as known:
        assert [each.text for each in text_doubts(text, known)] == doubts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "session"),
    [("gutter-saints", 1), ("gutter-saints", 2), ("gutter-saints", 3)]
    + [(name, 1) for name in ("barrow-road", "broken-archway", "choir-of-glass", "drowned-parish")]
    + [(name, 1) for name in ("lantern-ferry", "powder-tithe")],
)
def test_own_recaps_say_only_what_is_known(played_samples, sample, session):
    golden = CAMPAIGNS / sample / "golden"
    with knowledge_of(played_samples[sample], session) as known:
        for name in (f"recap-{session}.md", f"recap-{session}-post.md"):
            assert text_doubts((golden / name).read_text("utf-8"), known) == []


@pytest.mark.slow
def test_check_prints_lines_with_hints(demo, tmp_path):
    (tmp_path / "told.md").write_text("Dovel died,\nand Gorvak took \x1b[31m 47.")
    done = demo.invoke("recap", "2", "--check", str(tmp_path / "told.md"))
    assert done.exit_code == 1
    first, second, third = done.stdout.splitlines()
    assert first.startswith("line 1: 'Dovel died': the ledger has it otherwise. Dovel: ")
    assert second.startswith("line 2: 'Gorvak' is no name that the ledger knows. ")
    assert third.startswith("line 2: 47 is no number of the session. ")


@pytest.mark.slow
def test_check_refuses_what_is_no_text(demo, tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    one_error(demo.invoke("recap", "--check", str(tmp_path / "bytes")), 3)
    (tmp_path / "long").write_text("a" * (1 << 20) + "b")
    assert "characters are too many" in one_error(demo.invoke("recap", "--check", str(tmp_path / "long")), 3)
    one_error(demo.invoke("recap", "--check", str(tmp_path / "none")), 2)


@pytest.mark.slow
def test_check_of_a_long_text_takes_no_long_time(known):
    text = "Kess and Gorvak killed, ((( *** 1 2 3 Dovel did not die or die or " * 1000
    assert {each.text for each in text_doubts(text, known)} == {"Gorvak"}
    begun = time.process_time()
    assert text_doubts("Kess ran, and she died. Both are dead. " * 10_000, known)
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("forty-two dead", [42]),
        ("a hundred and five", [105]),
        ("two three", [2, 3]),
        ("two thousand six hundred and one", [2601]),
        ("twenty second", [22]),
        ("a dozen, the twelfth", [12, 12]),
        ("someone, oneself, weight, often", []),
    ],
)
def test_numbers_in_words_are_read(text, numbers):
    assert [each.number for each in numbers_in_words(text)] == numbers


@pytest.mark.parametrize(
    ("text", "minutes"), [("One hour 10 minutes passed", [70]), ("2 hours and 5 minutes", [125]), ("an hour", [])]
)
def test_hours_and_minutes_are_minutes(text, minutes):
    assert [*minutes_in(text)] == minutes
