"""A forecast as text: who stands at the end, who falls and how often, rounds, what is left, what matters most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from cli.forecast.question import PlanComparison
from cli.forecast.tally import Difference, Forecast, Frequency, Outlook, Spread
from cli.output import align_columns, paint
from cli.phrases.value_names import ValueNames
from ledger.names import escape, plural
from rulebooks.common.texts import Wording

CELLS: Final = 20  # of a bar
FULL, EMPTY = "█", "·"
FALLS: Final = "red"
VALUES: Final = "left at the end of what changes (half of the runs; eight of ten are between):"
MOVES: Final = "What moves most how often somebody of the players falls, over the same runs:"


class ForecastParts(NamedTuple):
    """A forecast in texts but for what becomes of each member: heading, rounds, what is left of values, what matters.

    Each value, and each plan that moves the chances, is a name and a text.
    """

    heading: list[str]
    rounds: str
    values: list[tuple[str, str]]
    moves: list[tuple[str, str]]


def forecast_parts(forecast: Forecast, wording: Wording) -> ForecastParts:
    """Return what comes of a fight, in texts."""
    names = ValueNames((), wording, [each.who for each in forecast.outlooks])
    changed = [each for each in forecast.values if {each.low, each.middle, each.high} != {each.now}]
    return ForecastParts(
        heading=list(_heading(forecast)),
        rounds=f"rounds: {spread_text(forecast.rounds)}",
        values=[(names.name(each.name), f"{each.now} > {spread_text(each)}") for each in changed],
        moves=[(escape(each.plan), change_text(each)) for each in forecast.differences],
    )


def forecast_lines(forecast: Forecast, wording: Wording) -> list[str]:
    """Return what comes of a fight, as lines of a terminal."""
    parts = forecast_parts(forecast, wording)
    lines = [*parts.heading, *align_columns([_row(each) for each in forecast.outlooks]), parts.rounds]
    for title, rows in ((VALUES, parts.values), (MOVES, parts.moves)):
        if rows:
            lines += [title, *align_columns([[f"  {name}", text] for name, text in rows])]
    return lines


def comparison_lines(comparison: PlanComparison) -> list[str]:
    """Return two plans beside each other, played with the same dice."""
    first, second = comparison.first, comparison.second
    rows = [["", escape(first.plan) or "as it stands", escape(second.plan)]]
    for one, other in zip(first.outlooks, second.outlooks, strict=True):
        rows.append([f"  {escape(one.who)} falls", share_text(one.falls), share_text(other.falls)])
    for (side, wins), (_, other_wins) in zip(first.wins, second.wins, strict=True):
        rows.append([f"  {escape(side)} left standing", share_text(wins), share_text(other_wins)])
    rows.append(["  rounds", spread_text(first.rounds), spread_text(second.rounds)])
    lines = [*_heading(first), *align_columns(rows)]
    lines.append(f"Somebody of the players falls: {change_text(comparison.moved)}.")
    if comparison.is_idle:
        lines.append(f"No strike could be made with {escape(second.plan)}: all were made without.")
    return lines


def _heading(forecast: Forecast) -> Iterator[str]:
    """Yield from where it was played, how often, and by whose habits."""
    stopped = ", stopped before all were played" if forecast.stopped else ""
    runs = plural(forecast.runs, "run", "runs")
    until = f", each until {escape(forecast.until)} is out of it" if forecast.until else ""
    yield f"{runs} from {forecast.at or 'the sheets'}{until}{stopped}; key {escape(forecast.key)}"
    yield f"policy: {escape(forecast.policy)}"
    if forecast.is_idle:
        yield "no strike could be made as --play says: all were made without"
    told = [f"{escape(side)} {share_text(each)}" for side, each in forecast.wins]
    yield f"left standing: {', '.join(told)}"
    if forecast.broken_off.times:
        yield f"broken off, as this table has ended fights: {share_text(forecast.broken_off)}"
    if forecast.unended.times:
        yield f"no end within {plural(forecast.bound, 'round', 'rounds')}: {share_text(forecast.unended)}"


def _row(outlook: Outlook) -> list[str]:
    """Return the row of one member: a bar, and what becomes of them."""
    return [f"  {escape(outlook.who)}", bar(outlook.falls), outlook_text(outlook)]


def outlook_text(outlook: Outlook) -> str:
    """Return how often somebody falls, dies and leaves, and in which round."""
    is_death = outlook.dies.times == outlook.falls.times > 0
    parts = [f"{'dies' if is_death else 'falls'} {share_text(outlook.falls)}"]
    if outlook.dies.times and not is_death:
        parts.append(f"dies {share_text(outlook.dies)}")
    if outlook.leaves.times:
        parts.append(f"leaves {share_text(outlook.leaves)}")
    if outlook.rounds is not None:
        parts.append(f"in round {spread_text(outlook.rounds)}")
    return ", ".join(parts)


def bar(share: Frequency) -> str:
    """Return a bar of a share."""
    cells = round(CELLS * share.times / share.of) if share.of else 0
    return paint(FULL * cells, fg=FALLS) + EMPTY * (CELLS - cells)


def share_text(share: Frequency) -> str:
    """Return a share as how often it came, and the interval of its chance: `31 of 1,000 (2.2 to 4.4 %)`."""
    return f"{share.times:,} of {share.of:,} ({_percent(share.low)} to {_percent(share.high)} %)"


def _percent(part: float) -> str:
    """Return a part of one in per cent, with a decimal where it is small or nearly whole."""
    return f"{100 * part:.1f}" if 0 < part < 0.1 or 0.9 < part < 0.9995 else f"{100 * part:.0f}"


def spread_text(spread: Spread) -> str:
    """Return a spread: `4 (3 to 7)`."""
    same = spread.low == spread.high
    return str(spread.middle) if same else f"{spread.middle} ({spread.low} to {spread.high})"


def change_text(difference: Difference) -> str:
    """Return how far a plan moves a chance: `62 % instead of 31 % (26 to 36 points more)`."""
    before, after = (
        round(100 * each.times / each.of) if each.of else 0 for each in (difference.before, difference.after)
    )
    low, high = sorted((abs(difference.low), abs(difference.high)))
    if not difference.is_told():
        return f"{after} % instead of {before} % in {difference.after.of:,} runs, which may be chance"
    way = "more" if difference.low > 0 else "fewer"
    points = f"{100 * low:.0f} to {100 * high:.0f} points {way}"
    return f"{after} % instead of {before} % ({points}, {difference.after.of:,} runs)"
