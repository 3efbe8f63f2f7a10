"""What a shelf comes to, as a person reads it: how many campaigns are how, then those to look at."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec

from cli.forecast.habits import AS_WE_PLAY
from cli.forecast.tally import difference_of_counts, share
from cli.output import align_columns, paint
from cli.phrases.luck import SOURCE_WORDS, decimal, sentence
from cli.phrases.parts import readable
from cli.questions.house_rule import Fate, HouseRule, Stop
from cli.render.forecast import bar, change_text, share_text
from cli.shelf.changes import ChangesTask, LedgerChange
from cli.shelf.forecast import FightOutlook, ForecastTask, MemberOutlook
from cli.shelf.job import ShelfTask
from cli.shelf.luck import DiceCount, LuckTask, by_source
from cli.shelf.replay import ReplayTask
from cli.shelf.results import DIFFERS, FINE, UNREADABLE, Outcome, ShelfRow
from cli.shelf.tasks import FoundEntry, SearchTask
from ledger.names import escape, plural
from projections.luck import LuckyDie, luck_of_counts

T = TypeVar("T")
LISTED_MOST: Final = 20  # campaigns, people or entries, without --all
FLIPS_MOST: Final = 5  # of a campaign, without --all
WELL: Final[dict[Outcome, tuple[str, str]]] = {FINE: ("is well", "are well"), DIFFERS: ("differs", "differ")}


def summary_lines(task: ShelfTask, rows: Sequence[ShelfRow], *, every: bool) -> Iterator[str]:
    """Return the page of a task; `every`: leave nothing out."""
    most = partial(limited, most=None if every else LISTED_MOST)
    match task:
        case ReplayTask() if task.supposes:
            yield from house_rule_lines(task, rows, every=every)
        case ForecastTask():
            yield from forecast_lines(task, rows, most, every=every)
        case LuckTask():
            yield from luck_lines(rows, most)
        case SearchTask():
            yield from match_lines(rows, most)
        case ChangesTask():
            yield from change_lines(rows, most)
        case _:
            yield from check_lines(rows, most)
    unread = [row for row in rows if row.outcome == UNREADABLE]
    if unread:
        yield ""
        yield paint(plural(len(unread), "campaign cannot be read:", "campaigns cannot be read:"), fg="red")
        yield from most([f"  {where(row)}: {escape(row.text)}" for row in unread])


Limit = Callable[[Sequence[str]], Iterable[str]]


def limited(lines: Sequence[str], most: int | None) -> Iterator[str]:
    """Yield lines, the first of them where there are many, and how many more there are."""
    yield from lines[:most]
    if most is not None and len(lines) > most:
        yield f"  ... and {len(lines) - most:,} more (--all)"


def where(row: ShelfRow) -> str:
    """Return the folder of a campaign, as it is printed."""
    return escape(row.campaign)


def read(rows: Iterable[ShelfRow], kind: type[T]) -> Iterator[tuple[ShelfRow, T]]:
    """Yield the campaigns that were read with what came of them; none of those that were not asked."""
    for row in rows:
        if row.outcome != UNREADABLE and bytes(row.content) != b"null":
            yield row, msgspec.json.decode(row.content, type=kind)


def forecast_lines(task: ForecastTask, rows: Sequence[ShelfRow], most: Limit, *, every: bool) -> Iterator[str]:
    """Return how often somebody of the players falls in the fights of all campaigns, and fell; then each campaign.

    `every`: also each fight, with what was foretold and what came of each member.
    """
    campaigns = [(row, fights) for row, fights in read(rows, list[FightOutlook]) if fights]
    fights = [fight for _, each in campaigns for fight in each]
    if not fights:
        yield "no fight was fought in these campaigns"
        return
    runs, both = sum(fight.runs for fight in fights), sum(fight.both for fight in fights)
    saved, lost = sum(fight.only_before for fight in fights), sum(fight.only_after for fight in fights)
    fell = share(sum(fight.fell for fight in fights), len(fights))
    number = (
        f"{plural(len(fights), 'fight fought', 'fights fought')} in {plural(len(campaigns), 'campaign', 'campaigns')}"
    )
    yield f"{number}; policy: {AS_WE_PLAY}; key {escape(task.key)}"
    yield f"somebody of the players fell: {share_text(fell)}"
    yield f"somebody of the players falls: {share_text(share(both + saved, runs))}"
    if task.options:
        moved = difference_of_counts(", ".join(task.options), runs, both, saved, lost)
        yield f"with {escape(moved.plan)}: {change_text(moved)}"
    yield ""
    lines = [f"  {where(row)}: {escape(row.text)}" for row, _ in campaigns]
    if not every:
        yield from most(lines)
        return
    for line, (_, fought) in zip(lines, campaigns, strict=True):
        yield line
        for fight in fought:
            yield f"    from {fight.at}"
            yield from align_columns([fate_row(each, fight.runs) for each in fight.members])


def fate_row(member: MemberOutlook, runs: int) -> list[str]:
    """Return how often somebody falls in the runs of a forecast, and whether they fell or left."""
    falls = share(member.falls, runs)
    return [
        f"      {escape(member.who)}",
        bar(falls),
        f"falls {share_text(falls)}",
        "fell" if member.fell else "left" if member.left else "did not",
    ]


def check_lines(rows: Sequence[ShelfRow], most: Limit) -> Iterator[str]:
    """Return how many campaigns are well, and those that differ with their first finding."""
    count = Counter(row.outcome for row in rows)
    words = [f"{count[outcome]:,} {words[count[outcome] != 1]}" for outcome, words in WELL.items() if count[outcome]]
    all_well = count[FINE] == len(rows)
    told = f": {', '.join(words)}" if words else ""
    yield paint(f"{plural(len(rows), 'campaign', 'campaigns')}{told}", fg="green" if all_well else None, bold=True)
    yield from most([f"  {where(row)}: {escape(row.text)}" for row in rows if row.outcome == DIFFERS])


def change_lines(rows: Sequence[ShelfRow], most: Limit) -> Iterator[str]:
    """Return the campaigns in which something was written."""
    changed = [row for row, change in read(rows, LedgerChange) if change.records or change.rewritten]
    yield paint(f"{len(changed):,} of {plural(len(rows), 'campaign', 'campaigns')} changed", bold=True)
    yield from most([f"  {where(row)}: {escape(row.text)}" for row in changed])


def match_lines(rows: Sequence[ShelfRow], most: Limit) -> Iterator[str]:
    """Return every entry that has the words, behind its campaign."""
    found = [(row, match) for row, matches in read(rows, list[FoundEntry]) for match in matches]
    if not found:
        yield "No entry contains these words."
        return
    lines = [
        [where(row), match.entry, escape(match.text.splitlines()[0] if match.text else "")] for row, match in found
    ]
    yield from most(align_columns(lines))
    campaigns = len({row.campaign for row, _ in found})
    yield paint(f"{plural(len(found), 'entry', 'entries')} in {plural(campaigns, 'campaign', 'campaigns')}", bold=True)


def luck_lines(rows: Sequence[ShelfRow], most: Limit) -> Iterator[str]:
    """Return the luck of all dice of each source, their faces, and the campaigns with the least and most of it."""
    together = defaultdict[str, Counter[LuckyDie]](Counter)
    shares = []
    for row, counts in read(rows, list[DiceCount]):
        for source, dice in by_source(counts).items():
            together[source].update(dice)
            luck = luck_of_counts(dice)
            shares.append((luck.worse + luck.same / 2, where(row), source, luck))
    if not together:
        yield "No die was thrown."
        return
    for source, dice in together.items():
        luck = luck_of_counts(dice)
        count = f"{plural(luck.dice, 'die', 'dice')}, {SOURCE_WORDS[source]}"
        yield paint(f"{count}: {sentence(luck)} (sum {luck.sum:,}, expected {decimal(luck.expected)})", bold=True)
        for sides in sorted({die.sides for die in dice}):
            faces = Counter[int]()
            for die, number in dice.items():
                faces[die.face] += number if die.sides == sides else 0
            yield f"  d{sides}: {', '.join(f'{face} {faces[face]:,}' for face in range(1, sides + 1))}"
    yield ""
    ordered = sorted(shares)
    rows_of = [[name, f"{luck.dice:,}", SOURCE_WORDS[source], sentence(luck)] for _, name, source, luck in ordered]
    yield from most(align_columns([["campaign, the unluckiest first", "dice", "source", "seen"], *rows_of]))


def house_rule_lines(task: ReplayTask, rows: Sequence[ShelfRow], *, every: bool) -> Iterator[str]:
    """Return what a house rule comes to: how many results, whose, who would have lived, and the entries to look at."""
    found = list(read(rows, HouseRule))
    options = [word for option in task.options for word in ("--option", option)]
    options += ["--revision", task.revision] if task.revision else []
    most = partial(limited, most=None if every else LISTED_MOST)
    flips = [flip for _, rule in found for flip in rule.flips]
    results, evenings = sum(rule.results for _, rule in found), sum(rule.evenings for _, rule in found)
    touched = sum(bool(rule.flips or rule.fates) for _, rule in found)
    supposed = escape(" ".join([*task.options, *([f"revision {task.revision}"] if task.revision else [])]))
    evening = plural(evenings, "evening", "evenings")
    yield paint(
        f"{supposed}: {len(flips):,} of {plural(results, 'result', 'results')} would be others,"
        f" in {touched:,} of {plural(len(found), 'campaign', 'campaigns')} ({evening})",
        bold=True,
    )
    if apart := len(rows) - len(found) - sum(row.outcome == UNREADABLE for row in rows):
        yield f"{plural(apart, 'campaign was', 'campaigns were')} not asked: their book has no such reading"
    people = Counter(flip.who for flip in flips).most_common()
    yield from most([f"  {escape(who)}: {number:,}" for who, number in people])
    yield from _fate_lines([(row, end) for row, rule in found for end in rule.fates], most)
    impossible = [(row, stop) for row, rule in found for stop in rule.impossible]
    yield from _stop_lines(impossible, "entry falls away:", "entries fall away:", most)
    needs = [(row, stop) for row, rule in found for stop in rule.needs]
    ends = "dice that were never thrown; what follows in the evening is not counted:"
    yield from _stop_lines(needs, f"entry needs {ends}", f"entries need {ends}", most)
    if differing := [f"  {where(row)} {entry}" for row, rule in found for entry in rule.rule_differences]:
        yield "The installed rules decide these otherwise already, so that the rest of their evening mixes both:"
        yield from most(differing)
    yield from _looked_at([(row, rule) for row, rule in found if rule.flips], options, every=every)


def _fate_lines(fates: Sequence[tuple[ShelfRow, Fate]], most: Limit) -> Iterator[str]:
    """Return who would have lived, and who would not."""
    for lives, title in ((True, "Would have lived"), (False, "Would not have lived")):
        of_players = [(row, end) for row, end in fates if end.lives is lives and end.is_player]
        others = sum(end.lives is lives and not end.is_player for _, end in fates)
        if of_players or others:
            beside = f"{plural(others, 'other being', 'other beings')}" if others else ""
            yield f"{title}: {plural(len(of_players), 'character', 'characters')}{' and ' + beside if beside else ''}"
            yield from most(
                [f"  {escape(end.who)} ({where(row)} {end.entry}, {readable(end.what)})" for row, end in of_players]
            )


def _stop_lines(stops: Sequence[tuple[ShelfRow, Stop]], one: str, many: str, most: Limit) -> Iterator[str]:
    """Return entries that would go otherwise, and why."""
    if stops:
        yield plural(len(stops), one, many)
        yield from most([f"  {where(row)} {stop.entry} {escape(stop.line)}: {escape(stop.why)}" for row, stop in stops])


def _looked_at(found: Sequence[tuple[ShelfRow, HouseRule]], options: Sequence[str], *, every: bool) -> Iterator[str]:
    """Return the entries to look at, by campaign, with the command that shows one in full."""
    if not found:
        return
    yield ""
    yield "Entries to look at, the campaigns with most of them first:"
    ordered = sorted(found, key=lambda each: -len(each[1].flips))
    for row, rule in ordered if every else ordered[:LISTED_MOST]:
        yield paint(where(row), bold=True)
        lines = [
            [
                f"  {flip.entry}",
                f"{escape(flip.who)}'s {readable(flip.what)}: {escape(flip.now)}, not {escape(flip.was)}",
                escape(flip.line),
            ]
            for flip in rule.flips
        ]
        yield from limited(align_columns(lines), None if every else FLIPS_MOST)
    if not every and len(ordered) > LISTED_MOST:
        yield f"... and {len(ordered) - LISTED_MOST:,} more campaigns (--all)"
    row, rule = ordered[0]
    session = rule.flips[0].entry.partition(".")[0]
    command = ["campaign", "-C", row.campaign, "replay", session, *options]
    yield f"In full: {escape(shlex.join(command))}"
