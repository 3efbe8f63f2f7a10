"""A recap in Markdown. Text from the ledger is escaped: nothing in it becomes markup, HTML or a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from cli.output import safe
from cli.queries.recap_page import Line, Page, SceneLines
from cli.render.log import CORRECTIONS
from cli.render.phrases import plural, readable
from ledger.facts import GM
from projections.recap.cast import Level, Member, Status
from projections.recap.entries import Causes
from projections.recap.events import WoundEvent
from projections.recap.flows import Flow

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


def text(value: object) -> str:
    """Return text from the ledger escaped for the inside of a Markdown line."""
    marked = MARKUP.sub(r"\\\g<0>", safe(str(value)).strip())
    for letter, entity in ENTITIES:
        marked = marked.replace(letter, entity)
    return marked


def block(value: str) -> str:
    """Return text escaped for the beginning of a paragraph, where more characters are markup."""
    marked = text(value)
    begin = BLOCK.match(marked)
    if begin is None:
        return marked
    sign = begin[0]
    return f"{sign if sign.isdigit() else ''}\\{marked[len(sign) if sign.isdigit() else 0 :]}"


def markdown(page: Page) -> Iterator[str]:
    """Return the page line by line."""
    title = f"Session {page.session}" if page.session else "Before the first session"
    yield f"# {title}" + (f": {text(page.title)}" if page.title else "")
    yield ""
    yield ", ".join([text(page.campaign), *([" to ".join(map(text, page.dates))] if page.dates else [])]) + (
        ". The session is still open." if page.open else ""
    )
    yield from section("Cast", table(("Who", "Start", "End"), map(cast_row, page.cast)))
    yield from section("What happened", timeline(page.scenes))
    yield from section("Wounds", map(wound_line, page.wounds))
    yield from section("Resources", table(RESOURCES, map(flow_row, filter(is_changed, page.resources))))
    yield from section("Options and rulings", decisions(page))
    yield from section("Corrections", corrections(page))
    yield from section("Dice", dice(page))


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Return a section of the page; nothing for one without lines."""
    for index, line in enumerate(lines):
        if not index:
            yield from ("", f"## {title}", "")
        yield line


def table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Return a Markdown table; nothing without rows."""
    for index, row in enumerate(rows):
        if not index:
            yield f"| {' | '.join(titles)} |"
            yield f"|{' --- |' * len(titles)}"
        yield f"| {' | '.join(row)} |"


# The cast


def name(who: str) -> str:
    """Return the name of a being."""
    return "Game master" if who == GM else text(who)


def cast_row(member: Member) -> tuple[str, ...]:
    """Return a row of the cast."""
    start = condition(member.start) if member.start else f"joins in {member.joined}" if member.joined else ""
    kind = "" if member.kind in ("pc", GM) else f" ({text(member.kind)})"
    return name(member.who) + kind, start, condition(member.end)


def condition(status: Status) -> str:
    """Return the pools, tokens, wounds and conditions of a being."""
    wounds = [
        f"{text(wound.kind)} wound {wound.value}" + ("" if wound.in_force else " (not in force yet)")
        for wound in status.wounds
    ]
    conditions = [text(name) + (f" {degree}" if degree != 1 else "") for name, degree in status.conditions]
    pools = [text(level.name) + " " + amount(level) for level in status.pools]
    tokens = [f"{text(level.name)} {level.now}" for level in status.tokens]
    return "; ".join(", ".join(part) for part in (pools, tokens, wounds, conditions) if part)


def amount(level: Level) -> str:
    """Return `9/12`, or `9` without a maximum."""
    return f"{level.now}" if level.most is None else f"{level.now}/{level.most}"


# Timeline


def timeline(scenes: Iterable[SceneLines]) -> Iterator[str]:
    """Return scenes with their lines; a blank line wherever the kind of paragraph changes."""
    for index, scene in enumerate(scenes):
        if scene.entry:
            yield from ([""] if index else [])
            yield f"### {text(scene.title)}"
        before = "heading" if scene.entry else ""
        for line in scene.lines:
            kind = line.told or "said"
            if before and (before != "said" or kind != "said"):
                yield ""
            before = kind
            yield LINES.get(kind, gesture)(line)


def entry_line(line: Line) -> str:
    """Return `- **1.5** Kess: k sneak v5 e1 → success (11 against 9)`."""
    speaker = f" {name(line.by)}: {text(line.line)}" if line.line else ""
    results = text("; ".join(line.results))
    arrow = " →" if speaker and results else ""
    return f"- **{line.entry}**{speaker}{arrow}{' ' if results else ''}{results}"


def fiction(line: Line) -> str:
    """Return fiction as a block quotation."""
    return f"> {block(line.text)}"


def quote(line: Line) -> str:
    """Return what a character said as a block quotation with the name."""
    return f"> **{name(line.by)}:** {text(line.text)}"


def gesture(line: Line) -> str:
    """Return any other text, a visible deed, as a block quotation with the name."""
    return f"> *{name(line.by)}:* {text(line.text)}"


LINES: Final[dict[str, Callable[[Line], str]]] = {"said": entry_line, "fiction": fiction, "quote": quote}


def wound_line(wound: WoundEvent) -> str:
    """Return a wound that was taken, changed or healed."""
    what = f"{text(wound.kind)} wound"
    force = "in force" if wound.in_force else "not in force yet"
    if wound.new:
        now = f"takes a {what} of {wound.value}, {force}"
    elif wound.value:
        now = f"now has a {what} of {wound.value}, {force}"
    else:
        now = f"{what} is healed"
    how = f" ({text(readable(wound.how))})" if wound.how else ""
    return f"- **{wound.entry}** {name(wound.who)}: {now}{how}"


# Resources

RESOURCES: Final = ("Who", "What", "Start", "Spent", "Lost", "Regained", "Set", "End")


def is_changed(flow: Flow) -> bool:
    """Return whether anything was spent, lost, regained or set."""
    return any((flow.spent, flow.lost, flow.regained, flow.set))


def flow_row(flow: Flow) -> tuple[str, ...]:
    """Return a row of the resources: start - spent - lost + regained + set = end."""
    return (
        name(flow.who),
        text(flow.name),
        str(flow.start),
        causes(flow.spent),
        causes(flow.lost),
        causes(flow.regained),
        causes(flow.set, sign="+"),
        str(flow.end),
    )


def causes(amounts: Causes, sign: str = "") -> str:
    """Return `5 (Effort 1: 3, initial cost: 2)`, `3 (Effort 1)`, or nothing without amounts."""
    if not amounts:
        return ""
    one = len(amounts) == 1
    parts = [text(readable(cause) or "sheet") + ("" if one else f": {points:{sign}}") for cause, points in amounts]
    return f"{sum(points for _, points in amounts):{sign}} ({', '.join(parts)})"


# Decisions, corrections, dice


def decisions(page: Page) -> Iterator[str]:
    """Return the options, then the rulings."""
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
    """Return the names of those who agreed."""
    return f"agreed by {', '.join(text(one) for one in who)}" if who else ""


def bracketed(parts: Iterable[str]) -> str:
    """Return the reasons that are not empty in brackets."""
    reasons = "; ".join(part for part in parts if part)
    return f" ({reasons})" if reasons else ""


def corrections(page: Page) -> Iterator[str]:
    """Return the entries that correct others."""
    for correction in page.corrections:
        what = CORRECTIONS.get(correction.outcome, text(correction.outcome))
        yield f"- **{correction.entry}** {what} {text(correction.of)}{bracketed((text(correction.because),))}"


def dice(page: Page) -> Iterator[str]:
    """Return the number of dice by source, and the number of each result."""
    for thrown in page.dice:
        source = SOURCES.get(thrown.source) or text(thrown.source)
        yield f"- {plural(thrown.dice, 'die', 'dice')} in {plural(thrown.rolls, 'roll', 'rolls')} {source}"
    for outcome in page.outcomes:
        yield f"- {text(outcome.what)}: {', '.join(f'{text(result)} {times}' for result, times in outcome.results)}"
