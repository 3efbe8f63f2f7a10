"""Odds as text: a row for each result, a column for each level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cli.output import align_columns, paint, safe
from cli.queries.odds import LevelOdds
from ledger.odds import Chance

ResultLabel = tuple[str, str, str, str]  # speaker, judgement, target, result


def odds_lines(levels: Sequence[LevelOdds]) -> Iterator[str]:
    """Return the chances of each result, then the expected values."""
    yield paint(safe(levels[0].line), bold=True)
    titles = ["", *(level.level for level in levels)]
    first_ways: dict[ResultLabel, int] = {}
    for chance in (chance for level in levels for chance in level.odds.chances):
        first_ways.setdefault(outcome(chance), chance.ways)
    outcomes = sorted(first_ways, key=lambda key: (*key[:3], -first_ways[key], key[3]))
    rows = [[safe(outcome_name(each, outcomes)), *(_chance(level, each) for level in levels)] for each in outcomes]
    if rows:
        yield from align_columns([titles, *rows])
    names = sorted({number.value for level in levels for number in level.odds.expected})
    if not rows and not names:
        yield "no result depends on dice, and no value changes"
    if names:
        yield ""
        means = [[safe(name), *(_mean(level, name) for level in levels)] for name in names]
        yield from align_columns([["on average", *titles[1:]], *means])
    for level in levels:
        if level.odds.unexplored:
            of_level = f" of {level.level}" if level.level else ""
            rest = share(level.odds.unexplored, level.odds.of)
            yield f"not followed{of_level}: {rest}: each chance may be higher by at most this"


def outcome(chance: Chance) -> ResultLabel:
    """Return speaker, judgement, target and result."""
    return chance.who, chance.what, chance.against, chance.result


def outcome_name(each: ResultLabel, among: Iterable[ResultLabel]) -> str:
    """Return `Kess task success`; with the target where there are several: `Kess attack success (Dovel)`."""
    who, what, against, result = each
    several = len({other[2] for other in among if other[:2] == each[:2]}) > 1
    return f"{who} {what} {result}".strip() + (f" ({against})" if several and against else "")


def _chance(level: LevelOdds, wanted: ResultLabel) -> str:
    """Return the chance of an outcome: `89 of 144 (62%)`."""
    for chance in level.odds.chances:
        if outcome(chance) == wanted:
            return share(chance.ways, chance.of)
    return "-"


def share(ways: int, of: int) -> str:
    """Return a chance with its percentage, rounded, but never to 0 or 100 unless exact."""
    percent = max(1, min(99, (200 * ways + of) // (2 * of))) if ways < of else 100
    return f"{ways} of {of} ({percent}%)"


def _mean(level: LevelOdds, name: str) -> str:
    """Return a value before and its mean after: `14 > 11.75`, rounded to hundredths."""
    for number in level.odds.expected:
        if number.value == name:
            sign = "-" if number.total < 0 else ""
            hundredths = (200 * abs(number.total) + number.of) // (2 * number.of)
            return f"{number.before} > {sign}{hundredths // 100}.{hundredths % 100:02}"
    return "-"
