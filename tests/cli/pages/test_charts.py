"""Test charts: their lines and colours, rounds behind them, turning points on them, and what is harm."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from cli.web.pages.charts import Band, ChartFrame, PlacedMark, chart, charts
from cli.web.pages.content import Series
from cli.web.pages.entry_content import hidden_entry
from cli.web.pages.hues import HUES
from cli.web.pages.page import round_bands
from cli.web.pages.session_draft import session_page
from ledger.records import Record
from tests.cli.pages.test_page import HOSTILE, Parsed
from tests.cli.pages.test_session_page import seen

RECORD = Record(
    position=1,
    session=1,
    number=1,
    insert=0,
    take=1,
    cause=None,
    request=None,
    by="gm",
    at="",
    seen="gm",
    facts=(),
)
FRAME = ChartFrame(places=["a", "b", "c", "d"], hues={"Ana": 1, "Kess": 1, "Orrin": 2})


def series(*numbers: int | None, owner: str = "Kess", harm: int = -1) -> Series:
    return Series(owner=owner, name="health", value="", numbers=numbers, most=None, harm=harm)


def drawn(*lines: Series, frame: ChartFrame = FRAME) -> str:
    return chart("health", lines, frame, is_first=True, more=lambda _: None)


@pytest.mark.parametrize(
    ("harm", "paths"), [(-1, ["M1 16V94", "M3 42V68"]), (1, ["M2 94V42"]), (0, [])], ids=["less", "more", "neither"]
)
def test_change_for_the_worse_is_red(harm: int, paths: list[str]) -> None:
    text = drawn(series(3, 0, 2, 1, harm=harm))
    assert re.findall('class="harm" d="([^"]*)"', text) == ([" ".join(paths)] if paths else [])


def test_line_goes_below_zero_and_has_gaps() -> None:
    text = drawn(series(0, None, -4, 2))
    assert 'd="M0 42 M2 94 H3V16"' in text
    assert '<text class="axis" x="100%" y="42%" dx="-4" dy="-3">0</text>' in text


def test_slope_that_begins_at_the_end_has_a_width() -> None:
    """From the end of the session before to that of the last one."""
    frame = msgspec.structs.replace(FRAME, sloped=True)
    assert 'd="M0 94 M2 94 L3 16"' in drawn(series(0, None, 0, 4), frame=frame)


def test_lines_of_one_colour_have_other_dashes() -> None:
    text = drawn(series(1, 2, 3, 4), series(1, 1, 1, 2, owner="Ana"), series(2, 2, 2, 3, owner="Orrin"))
    assert re.findall('class="who ([^"]*)"', text) == ["hue1", "hue1 dash1", "hue2"]


def test_sign_stands_on_the_line_of_its_owner() -> None:
    marks = [PlacedMark(1, "Kess", "▼", "grave", HOSTILE), PlacedMark(3, "Rat", "†", "lost", "Rat dies")]
    text = drawn(series(4, 0, 0, 4), frame=msgspec.structs.replace(FRAME, marks=marks))
    assert '<text class="sign grave" x="33.33%" y="94%"' in text
    assert '<text class="sign lost" x="100%" y="100%"' in text
    assert HOSTILE in Parsed(text).text


def test_rounds_stand_in_the_first_chart_alone() -> None:
    frame = msgspec.structs.replace(FRAME, bands=[Band(1, 2, "Round 1", "the lane"), Band(2, 3, "Round 2", "the lane")])
    text = "".join(charts([series(1, 2, 3, 4), msgspec.structs.replace(series(1, 2, 3, 4), name="speed")], frame))
    assert text.count("the lane, Round 1") == 1
    assert 'class="band0" y="0" height="100%" x="33.33%" width="33.33%"' in text


def test_narrow_round_has_no_name() -> None:
    places = [str(place) for place in range(101)]
    frame = ChartFrame(places=places, hues={}, bands=[Band(0, 98, "Round 1"), Band(98, 100, "Round 2")])
    text = drawn(series(*range(101)), frame=frame)
    assert re.findall('class="round"[^>]*>([^<]*)', text) == ["1"]


@pytest.mark.parametrize(
    ("begins", "bands"),
    [
        ("", []),
        ("-12", [(2, 3, "Round 1", "")]),
        ("-1-2-", [(2, 4, "Round 1", ""), (4, 5, "Round 2", "")]),
        ("1-x-1-y", [(1, 3, "Round 1", "x"), (5, 7, "Round 1", "y")]),
        ("1-x1-", [(1, 3, "Round 1", "x"), (4, 5, "Round 1", "")]),
    ],
)
def test_rounds_are_stretches_of_entries(begins: str, bands: list[tuple[int, int, str, str]]) -> None:
    """A digit is the round that begins behind an entry, a letter the encounter that ends with it."""
    titles = [f"Round {sign}" if sign.isdigit() else "" if sign == "-" else f"After {sign}" for sign in begins]
    entry = hidden_entry(RECORD)
    entries = [msgspec.structs.replace(entry, begins=title) for title in titles]
    assert [msgspec.structs.astuple(band) for band in round_bands(entries)] == bands


@pytest.mark.slow
def test_players_and_their_characters_have_one_colour(played_samples: dict[str, Path]) -> None:
    with seen(played_samples["gutter-saints"], "players") as (store, book):
        page = session_page(store, 2, as_of=None, book=book, role="players")
    assert page.hues == {"Ana": 1, "Kess": 1, "Bo": 2, "Orrin": 2, "Cem": 3, "Tamsin": 3}
    assert [each.name for each in page.series][:3] == 3 * ["health"]  # first what tells how everybody is
    assert page.series[-1].name == "doom"
    assert max(page.hues.values()) <= HUES
