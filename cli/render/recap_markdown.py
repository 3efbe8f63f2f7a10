"""A recap in Markdown. What comes out of a ledger stays text: nothing in it is markup, HTML or a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cli.output import safe
from cli.render.log import AMENDED
from cli.render.phrases import counted, words
from ledger.facts import GM
from projections.recap.cast import Level, Member, Status
from projections.recap.entries import Causes
from projections.recap.events import WoundEvent
from projections.recap.flows import Flow

if TYPE_CHECKING:
    from cli.commands.recap import Line, Page, SceneLines

MARKUP = re.compile(
    r"""[\\`*_{}\[\]|~\#$^%@]    # emphasis, code, links, tables, mathematics, comments, mentions
    | :(?=//)                     # an address by itself
    | (?<=[Ww]{3})\.              # and one without its scheme
    | =(?==)                      # a marked text""",
    re.VERBOSE | re.ASCII,
)
BLOCK = re.compile(r"([-+=:>]|[0-9]+(?=[.)]))", re.ASCII)  # a list, a quotation, a line below a heading
ENTITIES: Final = (("&", "&amp;"), ("<", "&lt;"))
SOURCES: Final = {"seed": "drawn from the seed", "table": "on the table"}


def text(found: object) -> str:
    """Text out of a ledger as Markdown that shows just that, inside a line."""
    marked = MARKUP.sub(r"\\\g<0>", safe(str(found)).strip())
    for letter, entity in ENTITIES:
        marked = marked.replace(letter, entity)
    return marked


def block(found: str) -> str:
    """The same at the beginning of a paragraph, where more letters mean something."""
    marked = text(found)
    begin = BLOCK.match(marked)
    if begin is None:
        return marked
    sign = begin[0]
    return f"{sign if sign.isdigit() else ''}\\{marked[len(sign) if sign.isdigit() else 0 :]}"


def markdown(page: Page) -> Iterator[str]:
    """The page, line by line."""
    title = f"Session {page.session}" if page.session else "Before the first session"
    yield f"# {title}" + (f": {text(page.title)}" if page.title else "")
    yield ""
    yield ", ".join([text(page.campaign), *([" to ".join(map(text, page.dates))] if page.dates else [])]) + (
        ". The session is still open." if page.open else ""
    )
    yield from section("Cast", table(("Who", "Start", "End"), map(member, page.cast)))
    yield from section("What happened", timeline(page.scenes))
    yield from section("Wounds", map(wound, page.wounds))
    yield from section("Resources", table(RESOURCES, map(flow, filter(moved, page.resources))))
    yield from section("Options and rulings", decisions(page))
    yield from section("Corrections", corrections(page))
    yield from section("Dice", dice(page))


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A part of the page; nothing where there is nothing in it."""
    for place, line in enumerate(lines):
        if not place:
            yield from ("", f"## {title}", "")
        yield line


def table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows below their titles."""
    for place, row in enumerate(rows):
        if not place:
            yield f"| {' | '.join(titles)} |"
            yield f"|{' --- |' * len(titles)}"
        yield f"| {' | '.join(row)} |"


# The cast


def name(who: str) -> str:
    """Somebody's name."""
    return "Game master" if who == GM else text(who)


def member(found: Member) -> tuple[str, ...]:
    """A row of the cast."""
    start = standing(found.start) if found.start else f"joins in {found.joined}" if found.joined else ""
    end = standing(found.end)
    kind = "" if found.kind in ("pc", GM) else f" ({text(found.kind)})"
    return name(found.who) + kind, start, end


def standing(status: Status) -> str:
    """How somebody stands: pools, tokens, wounds, conditions."""
    wounds = [
        f"{text(wound.kind)} wound {wound.value}" + ("" if wound.in_force else " (not in force yet)")
        for wound in status.wounds
    ]
    conditions = [text(name) + (f" {degree}" if degree != 1 else "") for name, degree in status.conditions]
    pools = [text(level.name) + " " + amount(level) for level in status.pools]
    tokens = [f"{text(level.name)} {level.now}" for level in status.tokens]
    return "; ".join(", ".join(part) for part in (pools, tokens, wounds, conditions) if part)


def amount(level: Level) -> str:
    """`9/12`, or `9` where there is no most."""
    return f"{level.now}" if level.most is None else f"{level.now}/{level.most}"


# What happened


def timeline(scenes: Iterable[SceneLines]) -> Iterator[str]:
    """Scenes with their lines; a blank line wherever the kind of paragraph changes."""
    for place, scene in enumerate(scenes):
        if scene.entry:
            yield from ([""] if place else [])
            yield f"### {text(scene.title)}"
        before = "heading" if scene.entry else ""
        for line in scene.lines:
            kind = line.told or "said"
            if before and (before != "said" or kind != "said"):
                yield ""
            before = kind
            yield TELL.get(kind, told)(line)


def said(line: Line) -> str:
    """`- **1.5** Kess: k sneak v5 e1 → success (11 against 9)`."""
    speaker = f" {name(line.by)}: {text(line.line)}" if line.line else ""
    results = text("; ".join(line.results))
    arrow = " →" if speaker and results else ""
    return f"- **{line.entry}**{speaker}{arrow}{' ' if results else ''}{results}"


def told(line: Line) -> str:
    """Fiction, set apart."""
    return f"> {block(line.text)}"


def quoted(line: Line) -> str:
    """What somebody said, set apart, with the name."""
    return f"> **{name(line.by)}:** {text(line.text)}"


def telegraphed(line: Line) -> str:
    """What somebody is seen to be about to do, set apart, with the name."""
    return f"> *{name(line.by)}:* {text(line.text)}"


TELL: Final[dict[str, Callable[[Line], str]]] = {
    "said": said,
    "fiction": told,
    "quote": quoted,
    "telegraph": telegraphed,
}


def wound(found: WoundEvent) -> str:
    """A wound that was taken, changed or healed."""
    what = f"{text(found.kind)} wound"
    force = "in force" if found.in_force else "not in force yet"
    if found.new:
        now = f"takes a {what} of {found.value}, {force}"
    elif found.value:
        now = f"now has a {what} of {found.value}, {force}"
    else:
        now = f"{what} is healed"
    how = f" ({text(words(found.how))})" if found.how else ""
    return f"- **{found.entry}** {name(found.who)}: {now}{how}"


# Where the points went

RESOURCES: Final = ("Who", "What", "Start", "Spent", "Lost", "Regained", "Set", "End")


def moved(found: Flow) -> bool:
    """Whether anything came or went; what did not stands in the cast."""
    return any((found.spent, found.lost, found.regained, found.set))


def flow(found: Flow) -> tuple[str, ...]:
    """A row of the resource ledger: start - spent - lost + regained + set = end."""
    return (
        name(found.who),
        text(found.name),
        str(found.start),
        causes(found.spent),
        causes(found.lost),
        causes(found.regained),
        causes(found.set, sign="+"),
        str(found.end),
    )


def causes(found: Causes, sign: str = "") -> str:
    """`5 (Effort 1: 3, initial cost: 2)`, `3 (Effort 1)`; nothing where nothing moved."""
    if not found:
        return ""
    one = len(found) == 1
    parts = [text(words(cause) or "sheet") + ("" if one else f": {points:{sign}}") for cause, points in found]
    return f"{sum(points for _, points in found):{sign}} ({', '.join(parts)})"


# What was decided, corrected and thrown


def decisions(page: Page) -> Iterator[str]:
    """Options, then rulings."""
    for choice in page.options:
        was = "" if choice.was is None else f"{text(choice.was)} to "
        why = (text(choice.because), agreed(choice.agreed))
        yield f"- **{choice.entry}** {text(choice.name)}: {was}{text(choice.now)}{bracketed(why)}"
    for ruling in page.rulings:
        cites = ", ".join(text(rule) for rule in ruling.cites)
        scope = "" if ruling.scope in ("", "once") else f"for the {text(ruling.scope)}"
        reasons = (text(ruling.because), scope, cites, agreed(ruling.agreed))
        yield f"- **{ruling.entry}** {text(ruling.name)}: {text(ruling.text)}{bracketed(reasons)}"


def agreed(who: tuple[str, ...]) -> str:
    """Who agreed."""
    return f"agreed by {', '.join(text(one) for one in who)}" if who else ""


def bracketed(parts: Iterable[str]) -> str:
    """Reasons behind what was decided."""
    found = "; ".join(part for part in parts if part)
    return f" ({found})" if found else ""


def corrections(page: Page) -> Iterator[str]:
    """Entries that take others back or change them."""
    for found in page.corrections:
        what = AMENDED.get(found.outcome, text(found.outcome))
        yield f"- **{found.entry}** {what} {text(found.of)}{bracketed((text(found.because),))}"


def dice(page: Page) -> Iterator[str]:
    """How many dice came from where, and how often what ended how."""
    for found in page.dice:
        source = SOURCES.get(found.source) or text(found.source)
        yield f"- {counted(found.dice, 'die', 'dice')} in {counted(found.rolls, 'roll', 'rolls')} {source}"
    for outcome in page.outcomes:
        yield f"- {text(outcome.what)}: {', '.join(f'{text(result)} {times}' for result, times in outcome.results)}"
