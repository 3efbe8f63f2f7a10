"""The charts of a session: the party's numbers from entry to entry, with rounds behind and turning points on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli.web.pages.charts import Band, ChartFrame, PlacedMark, charts
from cli.web.pages.content import PageEntry, SessionPage
from cli.web.pages.entry_content import AFTER, ROUND
from cli.web.pages.marks import TURN_SIGNS
from cli.web.pages.markup import Html, element


def session_charts(page: SessionPage) -> Iterator[Html]:
    """Yield the charts of a session's numbers."""
    frame = ChartFrame(
        places=["the opening", *(entry.id for entry in page.entries)],
        hues=page.hues,
        bands=round_bands(page.entries),
        marks=list(turning_marks(page.entries)),
    )
    drawn = list(charts(page.series, frame))
    if drawn:
        yield element("p", {"class": "pointed script", "aria-hidden": "true"})
    yield from drawn


def round_bands(entries: Sequence[PageEntry]) -> list[Band]:
    """Return the rounds as stretches of places: each begins behind its entry, and ends where the next thing begins."""
    begun = [(place, entry.begins) for place, entry in enumerate(entries, 1) if entry.begins]
    ends = [(len(entries), ""), *reversed(begun)]
    found, group = list[Band](), ""
    for (end, after), (begin, name) in zip(ends, reversed(begun), strict=False):
        if after.startswith(AFTER) or not after:
            group = after.removeprefix(AFTER)
        if name.startswith(ROUND) and end > begin:
            found.append(Band(begin, end, name, group))
    return found[::-1]


def turning_marks(entries: Sequence[PageEntry]) -> Iterator[PlacedMark]:
    """Yield the sign of the heaviest turning point of each being in each entry, where the numbers have changed."""
    places = {entry.id: place for place, entry in enumerate(entries, 1)}
    for entry in entries:
        place = places[entry.outcome.entry if entry.outcome else entry.id]
        for who in dict.fromkeys(turn.who for turn in entry.turns):
            own = [turn for turn in entry.turns if turn.who == who]
            sign, _ = TURN_SIGNS[own[0].kind]
            text = f"{entry.id}: {'; '.join(turn.text for turn in own)}"
            yield PlacedMark(place=place, owner=who, sign=sign, kind=own[0].kind, text=text)
