"""Odds as text: one line, or in full a row for each result and a column for each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.output import align_columns, cell_width, paint
from cli.phrases.results import result
from cli.phrases.value_names import ValueNames
from cli.questions.odds import LevelOdds
from ledger.names import escape
from ledger.odds import Chance
from rulebooks.common.texts import Wording

ResultLabel = tuple[str, str, str, str]  # speaker, judgement, target, result
Judgement = tuple[str, str, str]  # speaker, judgement, target
NONE: Final = "none"  # where a judgement is not one of every throw
NO_DICE: Final = "no result depends on dice, and no value changes"
SUCCESS: Final = "green"  # the colour of the results that the one who rolls wants


def short_odds(
    levels: Sequence[LevelOdds], speaker: str, wording: Wording, width: int | None = None, vital: str = ""
) -> list[str]:
    """Return the chance of success at each level in one line; else a line for each level with all its results.

    Of several targets each has lines of its own. Where nothing is left to chance, it is the values that change. If many
    throws have no judgement, the spread of the vital value comes first: what is lost is what is asked.
    `width`: the cells of a line; a longer one goes on in the next behind a whole chance.
    """
    judgements = _main_judgements(levels, speaker, wording)
    names = ValueNames((), wording)
    if not judgements:
        changes = [_changes(level, names) for level in levels]
        return changes if any(level.odds.expected for level in levels) else [NO_DICE]
    lines = []
    is_decided = all(100 * _undecided(level, each) < level.odds.of for level in levels for each in judgements)
    if not is_decided:
        for name, spread in _vital_spread(levels, vital, names):
            lines += _fill(name, spread, width)
    for who, what, against in judgements:
        name = f"{escape(against or who)}: " if len(judgements) > 1 else ""
        name = name if is_decided else f"{escape(who)} {escape(what)}: "
        for level, shares in _shares(levels, (who, what, against), wording):
            lines += _fill(name + level, shares, width)
    return [*lines, *_later_lines(levels, {what for _, what, _ in judgements}, wording, width)]


def _later_lines(
    levels: Sequence[LevelOdds], told: Collection[str], wording: Wording, width: int | None
) -> Iterator[str]:
    """Yield, for each judgement that the roll leads to in this book, the chances of its results among all throws."""
    for what in wording.leads_to:
        for level in levels if what not in told else ():
            ways = Counter[str]()
            for chance in level.odds.chances:
                ways[chance.result] += chance.ways if chance.what == what else 0
            counted = [(result(word, wording), count) for word, count in ways.most_common() if count]
            if counted:
                name = f"{escape(level.level)} {escape(what)}: ".lstrip()
                yield from _fill(name, _joined_shares(counted, level.odds.of), width)


def _fill(name: str, shares: Sequence[str], width: int | None) -> list[str]:
    """Return a name and the chances behind it, in lines of this width: those after the first begin below the chances.

    Without a name, or with one so long that it leaves room for too few, they are indented by two cells.
    """
    lines = [name + shares[0]] if shares else [name]
    indent = " " * (cell_width(name) if width and 0 < cell_width(name) <= width // 2 else 2)
    for share in shares[1:]:
        if width is not None and cell_width(lines[-1]) + 2 + cell_width(share) > width:
            lines.append(indent + share)
        else:
            lines[-1] += "  " + share
    return lines


def _shares(levels: Sequence[LevelOdds], judgement: Judgement, wording: Wording) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the chance of success at each level together, or each level and the chances of all its results."""
    if len(levels) > 1 and _has_success(levels, judgement, wording):
        yield "", [f"{escape(level.level)} {_success_share(level, judgement, wording)}" for level in levels]
        return
    for level in levels:
        yield f"{escape(level.level)}: " if level.level else "", list(_result_shares(level, judgement, wording))


def _vital_spread(levels: Sequence[LevelOdds], vital: str, names: ValueNames) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of the vital value of each being that may lose some, and the chance of each number after."""
    for level in levels:
        for number in level.odds.expected:
            if number.value.rpartition(".")[2] == vital:
                name = f"{escape(level.level)}: " if level.level else ""
                counted = ((str(value), ways) for value, ways in number.spread)
                yield f"{name}{names.name(number.value)} ends at ", _joined_shares(counted, number.of)


def _joined_shares(counted: Iterable[tuple[str, int]], of: int) -> list[str]:
    """Return each result with its chance, those under 1 % together at the end."""
    told, rare = list[str](), list[str]()
    for text, ways in counted:
        if 100 * ways < of:
            rare.append(text)
        else:
            told.append(f"{text} {percent(ways, of)} %")
    few = "less than 1 % each" if len(rare) > 1 else "less than 1 %"
    return [*told, *([f"{few}: {', '.join(rare)}"] if rare else [])]


def _success_share(level: LevelOdds, judgement: Judgement, wording: Wording) -> str:
    """Return the chance of the results that the one who rolls wants, and of what was not followed."""
    ways = _ways(level, judgement).items()
    wanted = sum(count for word, count in ways if wording.colours.get(word) == SUCCESS)
    return "  ".join([f"{percent(wanted, level.odds.of)} %", *_rest(level)])


def _result_shares(level: LevelOdds, judgement: Judgement, wording: Wording) -> Iterator[str]:
    """Yield each result with its chance, the likeliest first, that there is none, and what was not followed."""
    ways = _ways(level, judgement)
    ordered = sorted(ways.items(), key=lambda item: -item[1])
    none = _undecided(level, judgement)
    counted = [*((result(word, wording), count) for word, count in ordered), *([(NONE, none)] if none > 0 else [])]
    yield from _joined_shares(counted, level.odds.of)
    yield from _rest(level)


def _rest(level: LevelOdds) -> list[str]:
    """Return the chance of the branches that were not followed, if there are any."""
    rest = level.odds.unexplored
    return [f"(not followed {percent(rest, level.odds.of)} %)"] if rest else []


def _changes(level: LevelOdds, names: ValueNames) -> str:
    """Return the values that change, with their averages: `on average Kess speed 5 > 9.50`."""
    means = ", ".join(f"{names.name(number.value)} {_mean(level, number.value)}" for number in level.odds.expected)
    return f"{escape(level.level)} on average {means or '-'}".lstrip()


def _is_certain(levels: Sequence[LevelOdds], judgement: Judgement) -> bool:
    """Return whether a judgement has one result only."""
    return all(count == level.odds.of for level in levels for count in _ways(level, judgement).values())


def _main_judgements(levels: Sequence[LevelOdds], speaker: str, wording: Wording) -> list[Judgement]:
    """Return what the line is about, for each target: of the judgements that depend on dice the first one.

    Those that every throw decides come before others, and those of the speaker before those of anybody else.
    """
    chances = (chance for level in levels for chance in level.odds.chances if chance.what not in wording.effects)
    found = [
        each
        for each in dict.fromkeys(outcome(chance)[:3] for chance in chances)
        if _has_success(levels, each, wording) or not _is_certain(levels, each)
    ]
    decided = [each for each in found if all(_undecided(level, each) == 0 for level in levels)]
    own = ([each for each in group if each[0] == speaker] for group in (decided, found))
    candidates = next((group for group in (*own, decided, found) if group), [])
    candidates = [each for each in candidates if _has_success(levels, each, wording)] or candidates
    return [each for each in candidates if each[1] == candidates[0][1]]


def _undecided(level: LevelOdds, judgement: Judgement) -> int:
    """Return in how many ways that were followed there is no result of this judgement."""
    return level.odds.of - level.odds.unexplored - sum(_ways(level, judgement).values())


def _has_success(levels: Sequence[LevelOdds], judgement: Judgement, wording: Wording) -> bool:
    """Return whether the book has a result of success for a judgement."""
    return any(wording.colours.get(word) == SUCCESS for level in levels for word in _ways(level, judgement))


def _ways(level: LevelOdds, judgement: Judgement) -> dict[str, int]:
    """Return the ways of each result of a judgement."""
    return {chance.result: chance.ways for chance in level.odds.chances if outcome(chance)[:3] == judgement}


def odds_lines(levels: Sequence[LevelOdds], wording: Wording) -> Iterator[str]:
    """Return the chances of each result, then the expected values."""
    yield paint(escape(levels[0].line), bold=True)
    titles = ["", *(level.level for level in levels)]
    first_ways: dict[ResultLabel, int] = {}
    for chance in (chance for level in levels for chance in level.odds.chances):
        first_ways.setdefault(outcome(chance), chance.ways)
    outcomes = sorted(first_ways, key=lambda key: (*key[:3], -first_ways[key], key[3]))
    rows = [[escape(outcome_name(each, outcomes)), *(_chance(level, each) for level in levels)] for each in outcomes]
    if rows:
        yield from align_columns([titles, *rows])
    spoken = ValueNames((), wording)
    names = sorted({number.value for level in levels for number in level.odds.expected})
    if not rows and not names:
        yield NO_DICE
    if names:
        yield ""
        means = [[spoken.name(name), *(_mean(level, name) for level in levels)] for name in names]
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
    """Return a chance with its percentage."""
    return f"{ways} of {of} ({percent(ways, of)}%)"


def percent(ways: int, of: int) -> str:
    """Return a chance in percent, rounded; `<1` and `>99` for what is rarer or nearly certain."""
    if 0 < 100 * ways < of:
        return "<1"
    return ">99" if 99 * of < 100 * ways < 100 * of else str((200 * ways + of) // (2 * of))


def _mean(level: LevelOdds, name: str) -> str:
    """Return a value before and its mean after: `14 > 11.75`, rounded to hundredths."""
    for number in level.odds.expected:
        if number.value == name:
            sign = "-" if number.total < 0 else ""
            hundredths = (200 * abs(number.total) + number.of) // (2 * number.of)
            return f"{number.before} > {sign}{hundredths // 100}.{hundredths % 100:02}"
    return "-"
