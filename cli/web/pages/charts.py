"""Numbers over time as lines in SVG, one chart for each name with the lines of all who have it.

The lines are steps from entry to entry of a session, slopes from session to session. What stands behind them (rounds)
and on them (turning points) is placed in percent, so that a page without a script shows all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from cli.web.pages.content import Series
from cli.web.pages.hues import hue_class
from cli.web.pages.markup import Child, Html, element

HEIGHT: Final = 100  # of the drawing of the lines, which the page stretches
NARROWEST: Final = 0.025  # of the width: a stretch in which there is room for its name
TOP, BOTTOM = 16, 94  # of it: where the highest and the lowest number are; rounds are named above


class Band(msgspec.Struct, frozen=True):
    """A stretch of places with a name: a round. `group` is what it belongs to."""

    begin: int
    end: int
    name: str
    group: str = ""


class PlacedMark(msgspec.Struct, frozen=True):
    """A sign at a place, on the line of its owner if there is one: its class, and what it says."""

    place: int
    owner: str
    sign: str
    kind: str
    text: str


class ChartFrame(msgspec.Struct, frozen=True, kw_only=True):
    """What all charts of a page share: the names of the places, the owners' colours, and whether lines slope.

    `bands` and `marks` stand in the first chart.
    """

    places: Sequence[str]
    hues: dict[str, int]
    bands: Sequence[Band] = ()
    marks: Sequence[PlacedMark] = ()
    sloped: bool = False

    def across(self, place: float) -> str:
        """Return a place from the left, in percent."""
        return f"{100 * place / max(len(self.places) - 1, 1):.4g}%"


class ChartScale(msgspec.Struct, frozen=True):
    """The lowest and the highest number of a chart."""

    bottom: int
    top: int

    def height(self, number: int) -> int:
        """Return the place of a number from above, of `HEIGHT`."""
        return TOP + round((BOTTOM - TOP) * (self.top - number) / max(self.top - self.bottom, 1))


def charts(
    series: Iterable[Series], frame: ChartFrame, more: Callable[[Series], Html | None] = lambda _: None
) -> Iterator[Html]:
    """Yield the charts, one for each name, the first one large; nothing without any. `more`: what stands below a line.

    The series of one name follow one another.
    """
    figures = list[Html]()
    for name, own in groupby(series, key=lambda each: each.name):
        figures.append(chart(name, list(own), frame, is_first=not figures, more=more))
    if figures:
        yield element("div", {"class": "charts"}, figures)


def chart(
    name: str, lines: Sequence[Series], frame: ChartFrame, *, is_first: bool, more: Callable[[Series], Html | None]
) -> Html:
    """Return the lines of a number in a figure."""
    numbers = [number for each in lines for number in each.numbers if number is not None]
    scale = ChartScale(min(*numbers, 0), max(*numbers, *(each.most or 0 for each in lines), 0))
    size = len(frame.places) - 1
    drawing = element(
        "svg",
        {"viewBox": f"0 0 {max(size, 1)} {HEIGHT}", "preserveAspectRatio": "none", "width": "100%", "height": "100%"},
        element("path", {"class": "zero", "d": f"M0 {scale.height(0)}H{size}M0 {scale.height(scale.top)}H{size}"}),
        [line_path(each, scale, frame, nth) for each, nth in with_dashes(lines, frame)],
    )
    plot = element(
        "svg",
        {"class": "plot", "role": "img", "aria-label": "; ".join(line_words(each, frame.places) for each in lines)},
        [bands(frame) if is_first else None, drawing, axis(scale)],
        marks(lines, scale, frame) if is_first else None,
    )
    names = element("ul", {"class": "legend"}, [legend(each, frame, nth) for each, nth in with_dashes(lines, frame)])
    caption = element("figcaption", None, element("b", None, name), names)
    return element(
        "figure", {"class": "chart first" if is_first else "chart"}, caption, plot, [more(each) for each in lines]
    )


def with_dashes(lines: Sequence[Series], frame: ChartFrame) -> Iterator[tuple[Series, int]]:
    """Yield the lines, each with how many before it have the same colour."""
    seen = list[int]()
    for each in lines:
        hue = frame.hues.get(each.owner, 0)
        yield each, seen.count(hue)
        seen.append(hue)


def look(series: Series, frame: ChartFrame, nth: int) -> str:
    """Return the classes of a line's colour, and of its dashes where another line has the same colour."""
    return " ".join(part for part in (hue_class(series.owner, frame.hues), f"dash{min(nth, 3)}" if nth else "") if part)


def legend(series: Series, frame: ChartFrame, nth: int) -> Html:
    """Return whose line it is, with its number at the end, in which the script shows that of any place."""
    end = next(number for number in reversed(series.numbers) if number is not None)
    swatch = element(
        "svg", {"class": "swatch", "viewBox": "0 0 24 4", "width": 24, "height": 4, "aria-hidden": "true"},
        element("path", {"class": f"line {look(series, frame, nth)}", "d": "M0 2H24"}),
    )  # fmt: skip
    parts: list[Child] = [
        swatch,
        element("span", {"class": f"who {look(series, frame, nth)}"}, series.owner or "the table"),
        " ",
    ]
    parts += [
        element("output", {"class": "now"}, str(end)),
        element("span", {"class": "most"}, f"/{series.most}") if series.most else None,
    ]
    return element("li", {"data-value": series.value}, parts)


def line_path(series: Series, scale: ChartScale, frame: ChartFrame, nth: int) -> Iterator[Html]:
    """Yield the path of a line, and in red what of it is harm."""
    path = " ".join((slopes if frame.sloped else steps)(series.numbers, scale))
    yield element("path", {"class": f"line {look(series, frame, nth)}".strip(), "d": path})
    if worse := " ".join(harms(series, scale)):
        yield element("path", {"class": "harm", "d": worse})


def axis(scale: ChartScale) -> Iterator[Html]:
    """Yield the highest number and zero, at the edge."""
    for number in dict.fromkeys((scale.top, 0)):
        yield element(
            "text", {"class": "axis", "x": "100%", "y": f"{scale.height(number)}%", "dx": "-4", "dy": "-3"}, str(number)
        )


def bands(frame: ChartFrame) -> Iterator[Html]:
    """Yield the rounds, and the name of what they belong to over the first of them."""
    for index, band in enumerate(frame.bands):
        place = {"x": frame.across(band.begin), "width": frame.across(band.end - band.begin)}
        title = element("title", None, ", ".join(part for part in (band.group, band.name) if part))
        yield element("rect", {"class": f"band{index % 2}", "y": 0, "height": "100%", **place}, title)
        if band.end - band.begin >= NARROWEST * (len(frame.places) - 1):
            label = band.name.rpartition(" ")[2]
            yield element("text", {"class": "round", "x": frame.across((band.begin + band.end) / 2), "y": "11%"}, label)


def marks(lines: Sequence[Series], scale: ChartScale, frame: ChartFrame) -> Iterator[Html]:
    """Yield the signs of turning points: those of an owner on their line, all others at the foot of the chart."""
    own = {each.owner: each for each in lines}
    for mark in frame.marks:
        number = own[mark.owner].numbers[mark.place] if mark.owner in own else None
        y = HEIGHT if number is None else scale.height(number)
        place = {"x": frame.across(mark.place), "y": f"{y}%", "dy": "-2" if number is None else "-4"}
        yield element("text", {"class": f"sign {mark.kind}", **place}, mark.sign, element("title", None, mark.text))


def line_words(series: Series, places: Sequence[str]) -> str:
    """Return a line in words: where it begins and ends, and its lowest and highest number."""
    known = [(number, place) for number, place in zip(series.numbers, places, strict=True) if number is not None]
    (least, lowest), (most, highest) = min(known, key=number_of), max(known, key=number_of)
    name = f"{series.owner} {series.name}".strip()
    begin, end = known[0][0], known[-1][0]
    return f"{name}: {begin} at first, {end} at the end, lowest {least} ({lowest}), highest {most} ({highest})"


def number_of(pair: tuple[int, str]) -> int:
    """Return the number of a number at a place."""
    return pair[0]


def steps(numbers: Sequence[int | None], scale: ChartScale) -> Iterator[str]:
    """Yield the path of a line: it goes up or down where an entry changes the number, with gaps where there is none."""
    for x, number in enumerate(numbers):
        before, after = numbers[x - 1] if x else None, numbers[x + 1] if x + 1 < len(numbers) else None
        if number is None:
            continue
        if before is None:
            yield f"M{x} {scale.height(number)}"
        elif number != before:
            yield f"H{x}V{scale.height(number)}"
        elif after is None:
            yield f"H{x}"


def slopes(numbers: Sequence[int | None], scale: ChartScale) -> Iterator[str]:
    """Yield the path of a line from one number to the next, with gaps where there is none."""
    for x, number in enumerate(numbers):
        if number is not None:
            begins = not x or numbers[x - 1] is None
            yield f"{'M' if begins else 'L'}{x} {scale.height(number)}"


def harms(series: Series, scale: ChartScale) -> Iterator[str]:
    """Yield the path of each change for the worse."""
    for x, (before, after) in enumerate(zip(series.numbers, series.numbers[1:], strict=False), 1):
        if before is not None and after is not None and (after - before) * series.harm > 0:
            yield f"M{x} {scale.height(before)}V{scale.height(after)}"
