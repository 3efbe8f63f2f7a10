"""The picture of a campaign: a line for each life through the years, with falls, deaths and wounds, and the tokens.

Everything is placed in percent from the left and in pixels from above, so that the picture is as wide as the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from cli.web.pages.campaign_content import CampaignContent, Life, Milestone, SessionRow, year_of
from cli.web.pages.content import Series
from cli.web.pages.hues import hue_class
from cli.web.pages.marks import TURN_SIGNS
from cli.web.pages.markup import Attributes, Child, Html, element
from ledger.facts import parse_entry_id
from ledger.names import plural, word_list

HEAD: Final = 34  # pixels above the first life, for the years
ROW: Final = 46  # of a life
LOW_ROW: Final = 30  # of one of many
TIDE: Final = 64  # of the tokens of the game master
MANY: Final = 12  # lives or sessions, of which less is written
FEW: Final = 4  # sessions whose titles have room
NARROWEST_NAME: Final = 5  # percent of a stretch whose name is written
WIDEST_BAR: Final = 1.5  # percent
THINNEST: Final = 5  # pixels of a life at first
GROWTH: Final = 1.5  # for each change of its sheet
THICKEST: Final = 14
WOUND: Final = "wound"
KINDS: Final = (*TURN_SIGNS, WOUND)  # of marks, the heaviest first


def campaign_picture(page: CampaignContent) -> Html | None:
    """Return the picture; nothing before the first session."""
    if not page.sessions:
        return None
    across = Across(page.sessions)
    row = ROW if len(page.lives) <= MANY else LOW_ROW
    foot = HEAD + row * len(page.lives)
    tides = [each for each in page.series if not each.owner]
    losses = foe_losses(page, across, foot)
    height = foot + (TIDE if losses else 0) + TIDE * len(tides)
    parts: list[Child] = [spans(page.sessions, across)]
    parts += [life_line(life, page, across, HEAD + row * index + row // 2) for index, life in enumerate(page.lives)]
    parts += [losses, [tide(each, height - TIDE * index) for index, each in enumerate(reversed(tides), 1)]]
    label = "; ".join(life_words(life, len(page.sessions)) for life in page.lives) or "Nobody has played yet"
    drawing = element("svg", {"class": "picture", "height": height, "role": "img", "aria-label": label}, parts)
    return element("figure", {"id": "picture"}, drawing, legend(page))


class Across:
    """Where sessions are from the left, in percent."""

    def __init__(self, rows: Sequence[SessionRow]) -> None:
        """Take the sessions in their order."""
        self._places = {row.number: place for place, row in enumerate(rows)}
        self._rows = {row.number: row for row in rows}
        self.count = len(rows)

    def begin(self, session: int) -> float:
        """Return where a session begins; one before the first is where the first begins."""
        return 100 * self._places.get(session, 0) / self.count

    def at(self, mark: Milestone) -> float:
        """Return where a mark is: in a campaign of few sessions at its entry, else in the middle of its session."""
        row = self._rows.get(mark.session)
        last = row.last if row and self.count <= FEW else 0
        share = (parse_entry_id(mark.entry).number - 0.5) / last if last else 0.5
        return self.begin(mark.session) + 100 * min(max(share, 0), 1) / self.count

    def order(self, mark: Milestone) -> tuple[float, int]:
        """Return the order of a mark among the others: by its place, the heaviest first."""
        return self.at(mark), KINDS.index(mark.kind)

    def group(self, mark: Milestone) -> str:
        """Return what has one sign: in a campaign of few sessions an entry, else a session."""
        return mark.entry if self.count <= FEW else str(mark.session)

    def end(self, session: int) -> float:
        """Return where a session ends."""
        return self.begin(session) + 100 / self.count


def percent(place: float) -> str:
    """Return a place for an attribute."""
    return f"{place:.4g}%"


def spans(rows: Sequence[SessionRow], across: Across) -> Iterator[Html]:
    """Yield the years behind everything, or the sessions of a campaign of few."""
    if len(rows) <= MANY:
        named = [([row], f"{row.number}", row.title or f"Session {row.number}") for row in rows]
    else:
        years = [(year, list(own)) for year, own in groupby(rows, key=year_of)]
        named = [(own, year, f"{year}: {plural(len(own), 'session', 'sessions')}") for year, own in years]
    for index, (own, name, title) in enumerate(named):
        begin, end = across.begin(own[0].number), across.end(own[-1].number)
        place: Attributes = {"x": percent(begin), "width": percent(end - begin), "y": 0, "height": "100%"}
        yield element("rect", {"class": f"band{index % 2}", **place}, element("title", None, title))
        if end - begin >= NARROWEST_NAME:
            more = element("tspan", {"class": "title"}, f" {title}") if len(rows) <= FEW else None
            yield element("text", {"class": "year", "x": percent((begin + end) / 2), "y": 18}, name, more)


def life_line(life: Life, page: CampaignContent, across: Across, y: int) -> Iterator[Html]:
    """Yield a life: a thin line from its first session to its end, thick where it was there, and what befell it."""
    hue = hue_class(life.who, page.hues) or ""
    begin = across.begin(min([*life.sessions, *(each.session for each in life.milestones)], default=0))
    end = across.end(last_session(life, page.sessions))
    yield line("away", hue, begin, end, y)
    yield from grown_line(life, across, hue, y)
    yield from wound_dots(life, across, y)
    for _, own in groupby(sorted(life.marks, key=across.order), key=across.group):
        marks = [mark for mark in own if mark.kind != WOUND]
        if marks:
            yield sign(marks, across.at(marks[0]), y)
    yield element("text", {"class": f"name {hue}".strip(), "x": percent(begin), "y": y - 9, "dx": 3}, life.who)


def grown_line(life: Life, across: Across, hue: str, y: int) -> Iterator[Html]:
    """Yield the thick line of a life where it was there: it is wider behind each change of its sheet."""
    changes = [mark for mark in life.milestones if mark.kind == "sheet"]
    for first, last in runs(life.sessions):
        later = [mark.session + 1 for mark in changes if first <= mark.session < last]
        begins = list(dict.fromkeys((first, *later)))
        for begin, end in zip(begins, [*(each - 1 for each in begins[1:]), last], strict=True):
            grown = [mark for mark in changes if mark.session < begin]
            width = min(THINNEST + GROWTH * len(grown), THICKEST)
            title = f"{grown[-1].entry}: {grown[-1].text}" if grown else ""
            yield line("there", hue, across.begin(begin), across.end(end), y, width, title)


def last_session(life: Life, rows: Sequence[SessionRow]) -> int:
    """Return the session with which a life ends: that of the death of who is gone, else the last one."""
    ends = [mark.session for mark in life.marks if mark.kind == "lost"] if life.gone else []
    return ends[-1] if ends else rows[-1].number


def line(kind: str, hue: str, begin: float, end: float, y: int, width: float | None = None, title: str = "") -> Html:
    """Return a stretch of a life; without a `width` as thin as any."""
    place: Attributes = {"x1": percent(begin), "x2": percent(end), "y1": y, "y2": y}
    look: Attributes = {"class": f"{kind} {hue}".strip(), **place, "stroke-width": f"{width:g}" if width else None}
    return element("line", look, element("title", None, title) if title else None)


def sign(marks: Sequence[Milestone], x: float, y: int) -> Html:
    """Return the sign of the heaviest of these, which says all of them."""
    title = element("title", None, "; ".join(f"{mark.entry}: {mark.text}" for mark in marks))
    place: Attributes = {"x": percent(x), "y": y + 5}
    return element("text", {"class": f"sign {marks[0].kind}", **place}, TURN_SIGNS[marks[0].kind][0], title)


def wound_dots(life: Life, across: Across, y: int) -> Iterator[Html]:
    """Yield a dot below the line for each session in which a life was wounded, larger for several wounds."""
    wounds = sorted((mark for mark in life.marks if mark.kind == WOUND), key=across.order)
    for _, each in groupby(wounds, key=across.group):
        own = list(each)
        texts = [f"{mark.entry}: {mark.text}" for mark in own]
        dot: Attributes = {
            "class": "wound",
            "cx": percent(across.at(own[0])),
            "cy": y + 11,
            "r": min(2 + len(texts), 5),
        }
        yield element("circle", dot, element("title", None, "; ".join(texts)))


def foe_losses(page: CampaignContent, across: Across, top: int) -> list[Html]:
    """Return the deaths of others: their names in a campaign of few sessions, else a bar for each session."""
    losses = [loss for row in page.sessions for loss in row.losses]
    if not losses:
        return []
    if across.count <= FEW and len(losses) <= MANY:
        return [*loss_names(losses, across, top), foot_name("others who died", top)]
    most = max(len(row.losses) for row in page.sessions)
    bars = list[Html]()
    width = min(100 / across.count, WIDEST_BAR)
    for row in page.sessions:
        if row.losses:
            height = round((TIDE - 26) * len(row.losses) / most)
            middle = across.begin(row.number) + 50 / across.count
            place: Attributes = {"x": percent(middle - width / 2), "width": percent(width)}
            title = f"{row.title or f'Session {row.number}'}: {word_list([loss.text for loss in row.losses])}"
            bar: Attributes = {"class": "losses", "y": top + TIDE - height - 4, "height": height, **place}
            bars.append(element("rect", bar, element("title", None, title)))
    return [*bars, foot_name(f"others who died, {most} in an evening at the most", top)]


def loss_names(losses: Sequence[Milestone], across: Across, top: int) -> Iterator[Html]:
    """Yield the sign and the name of each who died, in two rows, since one may follow soon."""
    for index, loss in enumerate(losses):
        x = across.at(loss)
        y = top + TIDE - 24 + 18 * (index % 2)
        is_right = x > 75  # where a name would end outside
        name: Attributes = {
            "class": "died right" if is_right else "died",
            "x": percent(x),
            "y": y,
            "dx": -8 if is_right else 8,
        }
        yield sign([loss], x, y - 5)
        yield element("text", name, loss.text)


def foot_name(text: str, top: int) -> Html:
    """Return what something at the foot of the picture is."""
    return element("text", {"class": "name", "x": 0, "y": top + 16, "dx": 3}, text)


def tide(series: Series, top: int) -> Html:
    """Return the tokens of the game master as an area at the foot, which rises and falls."""
    most = max(*(number for number in series.numbers if number is not None), 1)
    size = len(series.numbers) - 1
    heights = [TIDE - round((TIDE - 24) * (number or 0) / most) for number in series.numbers]
    points = " ".join(f"L{x} {height}" for x, height in enumerate(heights))
    area = element("path", {"class": "tide", "d": f"M0 {TIDE} {points} L{size} {TIDE}Z"})
    frame: Attributes = {"viewBox": f"0 0 {max(size, 1)} {TIDE}", "preserveAspectRatio": "none"}
    drawing = element("svg", {"x": 0, "y": top, "width": "100%", "height": TIDE, **frame}, area)
    return Html(drawing + foot_name(f"{series.name}, {most} at the most", top))


def legend(page: CampaignContent) -> Html:
    """Return what the signs of the picture mean, of those that are there."""
    kinds = {mark.kind for life in page.lives for mark in life.marks}
    known = [key(kind, *TURN_SIGNS[kind]) for kind in TURN_SIGNS if kind in kinds]
    wound = key("grave", "•", "a wound") if WOUND in kinds else None
    has_grown = any(mark.kind == "sheet" for life in page.lives for mark in life.milestones)
    there = key("there", "━", "there, wider with each change of the sheet" if has_grown else "there")
    return element("figcaption", {"class": "key"}, there, known, wound)


def key(kind: str, sign: str, word: str) -> Html:
    """Return what a sign means."""
    return element("span", None, element("b", {"class": f"turn {kind}"}, sign), f" {word}")


def life_words(life: Life, count: int) -> str:
    """Return a life in words: in which sessions it was, and what befell it."""
    played = ", ".join(f"{begin}" if begin == end else f"{begin} to {end}" for begin, end in runs(life.sessions))
    befell = [f"{mark.text} in session {mark.session}" for mark in life.marks if mark.kind in ("lost", "grave")]
    return ", ".join([f"{life.who}: sessions {played or 'none'} of {count}", *befell])


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of following numbers: the first and the last of each."""
    found = list[tuple[int, int]]()
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
