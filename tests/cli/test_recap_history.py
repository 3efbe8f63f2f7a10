"""`recap --character` and `recap --campaign`: over all sessions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.story import history as recap_history
from cli.story.history import RECENT, Chapter
from cli.story.history_text import LISTED, MANY, session_lines
from cli.story.parts import thread_lines
from cli.story.style import STYLES
from projections.recap.threads import Thread
from tests.cli.conftest import Folder, copied, one_error
from tests.golden import samples


@pytest.fixture(scope="module")
def two_sessions(open_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a campaign with two sessions. Copy it; do not write to it."""
    folder = copied(open_folder, tmp_path_factory.mktemp("two"))
    evenings = {
        "": ["# The roof", "k sneak v5 e1 /6.5", "o climb v4 /6.6", '" k: Hush.', '" o: Louder.'],
        "Two": [
            "# The cellar",
            "o climb v9 /2.3",
            '! ruling "no lamps" "tinder is wet" campaign',
            "k rest one_action /3",
        ],
    }
    for title, lines in evenings.items():
        if title:
            folder.run("close")
            folder.run("open", title)
        for line in lines:
            folder.run("do", line)
    return folder


@pytest.fixture
def two(two_sessions: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the campaign with two sessions."""
    return copied(two_sessions, tmp_path)


@pytest.mark.slow
def test_character_is_told_over_all_sessions(two: Folder) -> None:
    page = two.run("recap", "--character", "kes")
    assert 'character: "Kess"\n' in page.partition("\n---\n")[0]
    body = page.partition("\n---\n\n")[2]
    assert body == (
        "# Kess\n\nSalt Ward\n\n"
        "## Session 1: Rooftops\n\n### The roof\n\n"
        "Kess moved without a sound.\n\n"
        "> **Kess:** Hush.\n\n"
        "## Session 2: Two\n\n### The cellar\n\nKess rested for one action.\n\n"
        "## Now\n\n- **Kess**: might 9/9, speed 14/14, intellect 17/17, health 14/14, destiny 1\n"
    )


@pytest.mark.slow
def test_foe_is_told_with_how_it_stands_and_no_number(demo: Folder) -> None:
    """The players read the condition that a foe shows, the game master its health."""
    players = demo.run("recap", "--character", "dovel")
    assert players.endswith("\n## Now\n\n- **Dovel**: badly hurt\n")
    master = demo.run("recap", "--character", "dovel", "--as", "gm")
    assert master.endswith("\n## Now\n\n- **Dovel**: health 1/8; winded wound 1\n")


def test_character_who_is_not_in_play_is_named(two: Folder) -> None:
    assert "'nobody' is not in play" in one_error(two.invoke("recap", "--character", "nobody"), 2)


@pytest.mark.slow
def test_campaign_is_one_page_with_last_time(two: Folder) -> None:
    open_page = two.run("recap", "--campaign").partition("\n---\n\n")[2]
    assert open_page.startswith("# Salt Ward\n\n## Last time (Session 1: Rooftops)")  # the second is this time
    two.run("close")
    page = two.run("recap", "--campaign").partition("\n---\n\n")[2]
    assert page.startswith(
        "# Salt Ward\n\n## Last time (Session 2: Two)\n\n**The cellar.** Orrin could not make the climb"
    )
    assert "## Decided\n\n- No lamps (tinder is wet; for the campaign) (2.3)\n" in page
    assert page.endswith("## Sessions\n\n- Session 1: Rooftops (2026-01-09)\n- Session 2: Two (2026-01-09)\n")
    assert "Kess moved without a sound" not in page


@pytest.fixture
def large_party(two: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A third session in which Kess does nothing, where two characters are many and one session is long ago."""
    monkeypatch.setattr("cli.story.page.PARTY_MOST", 1)
    monkeypatch.setattr("cli.story.history.RECENT", 0)
    two.run("close")
    two.run("open", "Three")
    two.run("do", "o climb v9 /2.3")
    two.run("close")
    return two


@pytest.mark.slow
@pytest.mark.parametrize("pages", [["--campaign"], []], ids=["campaign", "session"])
def test_large_party_is_told_by_who_did_something(large_party: Folder, pages: list[str]) -> None:
    page = json.loads(large_party.run("recap", *pages, "--json"))
    assert [member["who"] for member in page["party"]] == ["Orrin", "gm"]
    assert page["unlisted"] == 1
    text = large_party.run("recap", *pages)
    assert "- 1 character did nothing in " in text
    assert text.partition("\n---\n")[2].count("Kess") == 0


@pytest.mark.slow
def test_characters_of_a_large_party_are_told_by_name(large_party: Folder) -> None:
    assert "**Kess**: might 9/9" in large_party.run("recap", "--character", "kess")


@pytest.mark.slow
def test_last_time_is_the_last_session_with_a_story(two: Folder) -> None:
    two.run("close")
    two.run("open", "Three")
    assert "## Last time (Session 2: Two)" in two.run("recap", "--campaign")


def test_pages_over_all_sessions_as_json_and_text(two: Folder) -> None:
    page = json.loads(two.run("recap", "--campaign", "--json"))
    assert [chapter["session"] for chapter in page["chapters"]] == [1, 2]
    assert [member["who"] for member in page["party"]] == ["Kess", "Orrin", "gm"]
    story = json.loads(two.run("recap", "--character", "orrin", "--format", "json"))
    assert story["member"]["who"] == "Orrin"
    assert "**" not in two.run("recap", "--character", "orrin", "--format", "text")


def test_session_and_character_are_not_told_together(two: Folder) -> None:
    for arguments in (["1", "--campaign"], ["--post", "--character", "kess"], ["--campaign", "--character", "kess"]):
        assert "tell all sessions" in two.invoke("recap", *arguments).output


def test_days_of_rest_are_owed_for_wounds(folder: Folder) -> None:
    for line in ('! damage kess 14 "a slate"', "k wound /6.5", "close"):
        folder.run("do", line)
    assert "stunned, light wound 2, 2 days of rest owed; " in folder.run("recap", "--campaign")
    assert "Kess stunned;" in folder.run("recap", "--post")  # who lies there owes no rest yet


def test_campaign_page_tells_options_in_words(two: Folder) -> None:
    two.run("do", '! option light_wound_cost per_use "quicker"')
    page = two.run("recap", "--campaign")
    assert (
        "- What does a light wound add to the cost of Effort? Now: 1 point in all whenever any level is paid\n" in page
    )


def test_many_sessions_are_told_by_years_but_the_last() -> None:
    dates = [f"{2016 + number // 30}-02-03" for number in range(100)]
    chapters = [Chapter(session=number, title="", dates=(date,)) for number, date in enumerate(dates, 1)]
    *years, last = session_lines(chapters, STYLES["text"])
    assert years[:4] == ["Sessions 1 to 30 (2016)", "Sessions 31 to 60 (2017)", "Sessions 61 to 88 (2018)", years[3]]
    assert years[3] == "Session 89 (2018-02-03)"
    assert (len(years), last) == (3 + LISTED - 1, "Session 100 (2019-02-03)")
    assert len([*session_lines(chapters[:MANY], STYLES["text"])]) == MANY


@pytest.mark.slow
def test_who_was_met_long_ago_is_no_longer_about(demo: Folder, tmp_path: Path) -> None:
    folder = copied(demo, tmp_path)
    assert "Still about: Dovel" in folder.run("recap", "--campaign")
    for number in range(RECENT + 1):
        folder.invoke("close")
        folder.run("open", f"Evening {number}")
    assert "Still about: Dovel" not in folder.run("recap", "--campaign")


def told(page: str) -> list[tuple[str, str]]:
    """Return the sentences of a page with their entries."""
    chapters = json.loads(page)["chapters"]
    passages = [passage for chapter in chapters for passage in chapter["story"]]
    return [(" ".join(each["entries"]), each["text"]) for passage in passages for each in passage["sentences"]]


def entries_in(page: str) -> set[str]:
    """Return the entries that a page tells."""
    return {entry for entries, _ in told(page) for entry in entries.split()}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["players", "gm"])
@pytest.mark.parametrize("sample", samples())
def test_long_life_is_its_gravest_moments(
    sample: str, role: str, played_samples: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(played_samples[sample])
    for who in [line["who"] for line in json.loads(folder.run("recap", "--json"))["party"] if line["who"] != "gm"]:
        whole = folder.run("recap", "--character", who, "--as", role, "--json")
        monkeypatch.setattr(recap_history, "LONG", 0)
        brief = folder.run("recap", "--character", who, "--as", role, "--json")
        monkeypatch.undo()
        assert json.loads(whole)["whole"] is True
        assert json.loads(brief)["whole"] is False
        assert entries_in(brief) <= entries_in(whole)
        wounds = [
            entry
            for entry, text in told(whole)
            if re.search(rf"{who} (took a \w+ wound|was dead|died|went down)", text)
        ]
        assert all(entries_in(brief) & {*entries.split()} for entries in wounds)


@pytest.mark.slow
def test_gravest_moments_say_where_the_rest_is(demo: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recap_history, "LONG", 0)
    page = demo.run("recap", "--character", "kess")
    assert "The gravest moments of 4 sessions. All of one: campaign recap 3 --character Kess\n" in page
    assert "## Session 1" in demo.run("recap", "1", "--character", "kess")
    assert "there is no session 9" in one_error(demo.invoke("recap", "9", "--character", "kess"), 2)


def test_of_many_open_windows_the_last_are_named() -> None:
    def lines(number: int) -> list[str]:
        fates = [Thread(kind="window", what="fate", who=f"Ash {each}", names=("gm",)) for each in range(1, number + 1)]
        other = Thread(kind="window", what="attack", who="Kess", names=("Bryn", "Ash"))
        return [*thread_lines([*fates, other], STYLES["text"])]

    attack = "The attack of Kess waits for Bryn and Ash"
    assert lines(2) == ["The fate of Ash 1 and Ash 2 is for the game master to say", attack]
    assert lines(4)[0] == "The fate of Ash 1, Ash 2, Ash 3 and Ash 4 is for the game master to say"
    assert lines(9) == ["The fate of Ash 9, Ash 8, Ash 7 and 6 more is for the game master to say", attack]


def test_window_that_waits_for_its_own_names_them_once() -> None:
    window = Thread(kind="window", what="wound due", who="Kess", names=("Kess",))
    assert [*thread_lines([window], STYLES["text"])] == ["The wound due waits for Kess"]
