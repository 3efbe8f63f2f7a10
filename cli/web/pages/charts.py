"""A number over time as a line, in SVG: steps from entry to entry of a session, slopes from session to session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from cli.web.pages.content import Series
from cli.web.pages.markup import Html, element

HEIGHT: Final = 100  # of the drawing, whose width is the number of entries; the page stretches it
MARGIN: Final = 6  # above the highest and below the lowest number


def charts(
    series: Iterable[Series],
    places: Sequence[str],
    more: Callable[[Series], Html | None] = lambda _: None,
    *,
    sloped: bool = False,
) -> Iterator[Html]:
    """Yield the lines of numbers by owner; nothing without any. `more`: what stands below each."""
    owners = [
        element(
            "div",
            {"class": "owner"},
            element("h3", None, owner or "The table"),
            [chart(one, places, more(one), sloped=sloped) for one in own],
        )
        for owner, own in groupby(series, key=lambda each: each.owner)
    ]
    if owners:
        yield element("div", {"class": "charts"}, owners)


def chart(series: Series, places: Sequence[str], more: Html | None = None, *, sloped: bool = False) -> Html:
    """Return the line of a series in a figure; `places` are the opening and the entries, or the ends of sessions."""
    known = [(number, place) for number, place in zip(series.numbers, places, strict=True) if number is not None]
    (least, lowest), (most, highest) = min(known, key=first), max(known, key=first)
    name = f"{series.owner} {series.name}".strip()
    begin, end = known[0][0], known[-1][0]
    label = f"{name}: {begin} at first, {end} at the end, lowest {least} ({lowest}), highest {most} ({highest})"
    bottom, top = min(least, 0), max(series.most or most, most, 0)
    path = " ".join((slopes if sloped else steps)(series.numbers, bottom, top))
    drawing = element(
        "svg",
        {
            "viewBox": f"0 0 {max(len(series.numbers) - 1, 1)} {HEIGHT}",
            "preserveAspectRatio": "none",
            "role": "img",
            "aria-label": label,
        },
        zero(series, bottom, top) if bottom else element("path", {"class": "below", "d": area(series.numbers, path)}),
        element("path", {"class": "line", "d": path}),
    )
    caption = element(
        "figcaption",
        None,
        element("span", {"class": "name"}, series.name),
        " ",
        element("output", {"class": "now"}, str(end)),
        element("span", {"class": "most"}, f"/{series.most}") if series.most else None,
    )
    return element("figure", {"class": "chart", "data-value": series.value}, caption, drawing, more)


def zero(series: Series, least: int, most: int) -> Html:
    """Return the line of zero, for numbers on both sides of it."""
    return element("path", {"class": "zero", "d": f"M0 {height(0, least, most)}H{len(series.numbers) - 1}"})


def first(pair: tuple[int, str]) -> int:
    """Return the number of a number at an entry."""
    return pair[0]


def steps(numbers: Sequence[int | None], least: int, most: int) -> Iterator[str]:
    """Yield the path of a line: it goes up or down where an entry changes the number, with gaps where there is none."""
    for x, number in enumerate(numbers):
        before, after = numbers[x - 1] if x else None, numbers[x + 1] if x + 1 < len(numbers) else None
        if number is None:
            continue
        if before is None:
            yield f"M{x} {height(number, least, most)}"
        elif number != before:
            yield f"H{x}V{height(number, least, most)}"
        elif after is None:
            yield f"H{x}"


def slopes(numbers: Sequence[int | None], least: int, most: int) -> Iterator[str]:
    """Yield the path of a line from one number to the next, with gaps where there is none."""
    for x, number in enumerate(numbers):
        if number is not None:
            begins = not x or numbers[x - 1] is None
            yield f"{'M' if begins else 'L'}{x} {height(number, least, most)}"


def area(numbers: Sequence[int | None], path: str) -> str:
    """Return the path of the area below the path of a line; empty if the line has gaps."""
    return "" if None in numbers else f"M0 {HEIGHT}" + path.replace("M0 ", "V", 1) + f"V{HEIGHT}Z"


def height(number: int, least: int, most: int) -> int:
    """Return the place of a number from above."""
    span = max(most - least, 1)
    return MARGIN + round((HEIGHT - 2 * MARGIN) * (most - number) / span)
