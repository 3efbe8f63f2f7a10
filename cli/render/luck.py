"""The luck of dice as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from cli.output import align_columns, paint
from cli.phrases.luck import SOURCE_WORDS, decimal, sentence
from cli.questions.luck import LuckGroup, LuckReport
from ledger.names import escape, plural
from projections.luck import Luck, figures

FEW_DICE: Final = 30
BAR_WIDTH: Final = 40
REST: Final = "by die, situation and face: ? luck all"


def luck_json(report: LuckReport) -> dict[str, object]:
    """Return a report for JSON: shares in millionths, expectations doubled, so that all numbers are whole."""
    groups = {"players": report.players, "dice": report.dice, "situations": report.situations}
    return {
        "source": report.source,
        "all": _group_json(report.all),
        **{name: [{"name": each.name, **_group_json(each)} for each in own] for name, own in groups.items()},
        "stakes": dict(report.stakes),
        "low": list(report.low),
        "faces": {f"d{sides}": list(counts) for sides, counts in report.faces.items()},
    }


def _group_json(group: LuckGroup) -> dict[str, object]:
    return {"unweighted": _luck_json(group.plain), "weighted": _luck_json(group.weighted)}


def _luck_json(luck: Luck) -> dict[str, object]:
    shares = {name: figures(getattr(luck, name))[0] for name in ("worse", "same", "better")}
    return {"dice": luck.dice, "sum": luck.sum, "expected_twice": int(luck.expected * 2), **shares, "exact": luck.exact}


def short_lines(report: LuckReport) -> Iterator[str]:
    """Yield the sentence of a report, and those of its players, the luckiest first."""
    yield _headline(report)
    for group in sorted(report.players, key=lambda group: (group.plain.better - group.plain.worse, group.name)):
        dice = plural(group.plain.dice, "die", "dice")
        yield f"  {escape(group.name)}, {dice}: {sentence(group.plain)}"


def _headline(report: LuckReport) -> str:
    """Return the sentence about all dice of a report."""
    count = report.all.plain.dice
    dice = f"{plural(count, 'die', 'dice')}, {SOURCE_WORDS[report.source]}"
    few = " (few dice: this says little)" if count < FEW_DICE else ""
    return paint(f"{dice}: {sentence(report.all.plain)}{few}", bold=True)


def luck_lines(report: LuckReport) -> Iterator[str]:
    """Return a report: the sentence, the groups, what was at stake, and the faces."""
    yield _headline(report)
    yield f"weighted by what was at stake: {sentence(report.all.weighted)}"
    for title, groups in (("player", report.players), ("die", report.dice), ("situation", report.situations)):
        yield ""
        yield from align_columns([[title, "dice", "sum", "expected", "seen", "at stake"], *map(_row, groups)])
        if title == "player" and report.grouped:
            who = 'with few dice, and no player = "NAME" in their sheets'
            yield f"{report.grouped} characters: {who}; one by one: luck --json"
    at_stake = [f"{escape(name)} {points}" for name, points in report.stakes.items() if points > 1]
    if at_stake:
        yield f"points at stake in a roll: {', '.join(at_stake)}; in others 1"
    if not report.all.plain.exact:
        yield "so many dice: their shares are those of a normal distribution, not counted"
    if report.low:
        yield f"low faces are good in: {', '.join(map(escape, report.low))}; their sums count from the other end"
    for sides, counts in report.faces.items():
        if sum(counts) >= sides:
            yield ""
            yield from histogram(sides, counts)


def _row(group: LuckGroup) -> list[str]:
    plain = group.plain
    numbers = [str(plain.dice), str(plain.sum), decimal(plain.expected)]
    return [escape(group.name), *numbers, sentence(plain), sentence(group.weighted)]


def histogram(sides: int, counts: Sequence[int]) -> Iterator[str]:
    """Yield a bar for each face, the longest at most 40 wide, with the expected count."""
    total, most = sum(counts), max(counts)
    expected = Fraction(total, sides)
    tenths = round(expected * 10)
    yield f"d{sides}: {total} thrown, {tenths // 10}.{tenths % 10} of each face expected"
    scale = Fraction(1) if most <= BAR_WIDTH else Fraction(BAR_WIDTH, most)
    rows = [[f"{face:3}", "#" * round(count * scale), str(count)] for face, count in enumerate(counts, start=1)]
    yield from (f"{face}  {bar.ljust(BAR_WIDTH if most > BAR_WIDTH else most)}  {count}" for face, bar, count in rows)
