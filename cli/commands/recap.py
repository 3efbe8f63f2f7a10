"""`recap`: one session as a page in Markdown, from facts alone. The same ledger gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import click
import msgspec

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.output import print_json, print_line
from cli.render.recap_markdown import markdown
from cli.render.summary import Results
from ledger.facts import EntryId
from ledger.position import load_state
from ledger.records import Record, counting
from ledger.store import Store
from projections.projection import StateProjection
from projections.recap.cast import Member, Status, cast
from projections.recap.entries import Entry
from projections.recap.events import (
    CorrectionEvent,
    OptionEvent,
    RulingEvent,
    WoundEvent,
    correction_events,
    option_events,
    ruling_events,
    wound_events,
)
from projections.recap.flows import Flow, flows
from projections.recap.scenes import Moment, scenes
from projections.recap.tallies import DiceTally, ResultTally, dice_tallies, result_tallies

TABLE = "table"
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|[T ])", re.ASCII)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline: what was said and what came of it, or something told (`fiction`, `quote`)."""

    entry: str
    by: str
    line: str
    told: str
    text: str
    results: tuple[str, ...]


class SceneLines(msgspec.Struct, frozen=True, kw_only=True):
    """A scene and its lines."""

    entry: str
    title: str
    lines: tuple[Line, ...]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A whole recap, as `--json` prints it."""

    campaign: str
    session: int
    title: str
    dates: tuple[str, ...]
    position: int
    open: bool
    cast: tuple[Member, ...]
    scenes: tuple[SceneLines, ...]
    wounds: tuple[WoundEvent, ...]
    resources: tuple[Flow, ...]
    options: tuple[OptionEvent, ...]
    rulings: tuple[RulingEvent, ...]
    corrections: tuple[CorrectionEvent, ...]
    dice: tuple[DiceTally, ...]
    outcomes: tuple[ResultTally, ...]


@click.command()
@click.argument("session", required=False, type=click.IntRange(min=0))
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--gm", "secrets", is_flag=True, help="With what only the game master sees.")
@click.option("--json", "plain", is_flag=True, help="The page's content as JSON.")
@pass_campaign
def recap_command(context: CampaignContext, session: int | None, as_of: int | None, secrets: bool, plain: bool) -> None:
    """Write a page about SESSION (the last one) in Markdown: cast, scenes, wounds, where every point went.

    Example: campaign recap 1 > session-1.md
    """
    store = context.store(write=False)
    end = store.head().position
    if as_of is not None and as_of > end:
        raise InputError(f"the ledger ends at position {end}", where="--as-of")
    order = list(context.book().texts().words.short.values())
    page = page_of(store, session, position=as_of or end, order=order, secrets=secrets)
    if plain:
        print_json(page)
        return
    for line in markdown(page):
        print_line(line)


def page_of(store: Store, session: int | None, *, position: int, order: Sequence[str], secrets: bool) -> Page:
    """The recap of a session, as the ledger stood at a position. Raises InputError for one that there is not."""
    last = load_state(store, StateProjection(), as_of=position).session.number
    number = last if session is None else session
    if number > last:
        raise InputError(f"there is no session {number}", hint=f"The last one is {last}.")
    start, end = EntryId(number, -1), EntryId(number + 1, -1)
    before = load_state(store, StateProjection(), at=start, as_of=position).state
    after = load_state(store, StateProjection(), at=end, as_of=position)
    records = [record for record in counting(store.takes(after=start, upto=end, as_of=position)) if record.facts]
    everything = [_said(record) for record in records]
    said = [_said(record) for record in records if secrets or record.seen == TABLE]
    members = cast(before, after.state, said, order)
    hidden = {being.name for being in after.state.in_order() if being.seen != TABLE and not secrets}
    there = {member.who for member in members} - hidden
    results = Results(hidden, secrets=secrets)
    return Page(
        campaign=after.session.name,
        session=number,
        title=after.session.title,
        dates=dates(records),
        position=position,
        open=after.session.open,
        cast=tuple(_guarded(member) if member.who in hidden else member for member in members),
        scenes=tuple(
            SceneLines(entry=scene.entry, title=scene.title, lines=tuple(_lines(scene.moments, results)))
            for scene in scenes(said)
        ),
        wounds=tuple(wound for wound in wound_events(said) if wound.who not in hidden),
        resources=tuple(flow for flow in flows(before, after.state, everything, order) if flow.who in there),
        options=tuple(option_events(said)),
        rulings=tuple(ruling_events(said)),
        corrections=tuple(correction_events(said)),
        dice=tuple(dice_tallies(said)),
        outcomes=tuple(result_tallies(said)),
    )


def _said(record: Record) -> Entry:
    """A record as the recap reads it."""
    return Entry(id=record.id, by=record.by, line=record.line, facts=record.facts)


def dates(records: Sequence[Record]) -> tuple[str, ...]:
    """The day of the first entry and the day of the last, once if they are one. A clock may say anything."""
    found = [DATE.match(record.at) for record in records]
    days = [day[0] if day else record.at for day, record in zip(found, records, strict=True)]
    return tuple(dict.fromkeys((days[0], days[-1]))) if days else ()


def _guarded(member: Member) -> Member:
    """Somebody whose numbers are the game master's: there, and no more."""
    nothing = Status(pools=(), tokens=(), wounds=(), conditions=())
    start = None if member.start is None else nothing
    return msgspec.structs.replace(member, start=start, end=nothing)


def _lines(moments: Iterable[Moment], results: Results) -> Iterator[Line]:
    """The timeline of a scene. An entry that says nothing and comes to nothing is left out."""
    for moment in moments:
        told = moment.told
        if told is not None:
            if results.secrets or told.seen == TABLE:
                yield Line(
                    entry=str(moment.entry), by=told.by, line=moment.line, told=told.kind, text=told.text, results=()
                )
            continue
        found = tuple(results.of(moment.facts, moment.by))
        if moment.line or found:
            yield Line(entry=str(moment.entry), by=moment.by, line=moment.line, told="", text="", results=found)
