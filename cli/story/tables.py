"""The tables of a recap: the cast, the flow of points and tokens, dice and results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.phrases.parts import readable
from cli.phrases.throws import throw_sentences
from cli.story.page import Page
from cli.story.parts import WELL, amount, name, wounds
from cli.story.style import Style
from ledger.facts import GM
from ledger.names import plural
from projections.recap.cast import Member, Status
from projections.recap.entries import Causes
from projections.recap.flows import Flow

SOURCES: Final = {
    "seed": "drawn from the seed",
    "unmixed": "drawn from the seed, to which no player added words",
    "sealed": "drawn from a seed that is sealed until the session closes",
    "fixed": "of a fixed seed, known beforehand",
    "unproved": "unproved: the seed of the session is lost",
    "revealed": "drawn by a correction, after the seed was revealed",
    "table": "on the table",
}
RESOURCES: Final = ("Who", "What", "Start", "Spent", "Lost", "Regained", "Set", "End")


def cast_table(members: Iterable[Member], style: Style) -> Iterator[str]:
    """Yield the cast with its state at the start and at the end."""
    yield from style.table(("Who", "Start", "End"), (cast_row(member, style) for member in members))


def cast_row(member: Member, style: Style) -> tuple[str, str, str]:
    """Return a row of the cast."""
    joined = f"joins in {style.text(member.joined)}" if member.joined else ""
    start = status_text(member.start, style) if member.start else joined
    kind = "" if member.kind in ("pc", GM) else f" ({style.text(member.kind)})"
    return name(member.who, style) + kind, start or WELL, status_text(member.end, style) or WELL


def status_text(status: Status, style: Style) -> str:
    """Return the pools, tokens, wounds and conditions of a being."""
    conditions = list(map(style.text, status.conditions))
    pools = [f"{style.text(level.name)} {amount(level)}" for level in status.pools]
    tokens = [f"{style.text(level.name)} {level.now}" for level in status.tokens]
    parts = (pools, tokens, wounds(status.wounds, style), conditions)
    return "; ".join(", ".join(part) for part in parts if part)


def resource_table(resources: Iterable[Flow], style: Style) -> Iterator[str]:
    """Yield the pools and tokens that changed: start - spent - lost + regained + set = end."""
    yield from style.table(RESOURCES, (flow_row(flow, style) for flow in resources if is_changed(flow)))


def is_changed(flow: Flow) -> bool:
    """Return whether anything was spent, lost, regained or set."""
    return any((flow.spent, flow.lost, flow.regained, flow.set))


def flow_row(flow: Flow, style: Style) -> tuple[str, ...]:
    """Return a row of the resources."""
    return (
        name(flow.who, style),
        style.text(flow.name),
        str(flow.start),
        causes(flow.spent, style),
        causes(flow.lost, style),
        causes(flow.regained, style),
        causes(flow.set, style, sign="+"),
        str(flow.end),
    )


def causes(amounts: Causes, style: Style, sign: str = "") -> str:
    """Return `5 (Effort 1: 3, initial cost: 2)`, `3 (Effort 1)`, or nothing without amounts."""
    if not amounts:
        return ""
    one = len(amounts) == 1
    parts = [
        style.text(readable(cause) or "sheet") + ("" if one else f": {points:{sign}}") for cause, points in amounts
    ]
    return f"{sum(points for _, points in amounts):{sign}} ({', '.join(parts)})"


def dice_lines(page: Page, style: Style) -> Iterator[str]:
    """Yield the number of dice by source, and the number of each result."""
    for thrown in page.dice:
        source = SOURCES.get(thrown.source) or style.text(thrown.source)
        yield f"{plural(thrown.dice, 'die', 'dice')} in {plural(thrown.rolls, 'roll', 'rolls')} {source}"
    yield from throw_sentences(page.taken_back)
    for outcome in page.outcomes:
        counts = ", ".join(f"{style.text(result)} {times}" for result, times in outcome.results)
        yield f"{style.text(outcome.what)}: {counts}"
