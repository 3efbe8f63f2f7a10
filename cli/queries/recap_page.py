"""The content of a recap: one session from facts alone. The same ledger gives the same page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from cli.errors import InputError
from cli.queries.view import View
from ledger.facts import EntryId, Fact
from ledger.implied_passes import implying_entry, is_turn
from ledger.ledger_state import load_state
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.projection import StateProjection
from projections.recap.cast import Member, cast
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

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|[T ])", re.ASCII)


class Summarizer(Protocol):
    """Summarizes entries in their order."""

    def summarize(self, facts: Sequence[Fact], by: str) -> list[str]:
        """Return the summary of these facts, said by `by`."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline: what was typed and its results, or a text (`told`: `fiction`, `quote`)."""

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


def recap_page(
    view: View, session: int | None, *, as_of: int | None, pool_order: Sequence[str], summaries: Summarizer
) -> Page:
    """Return the recap of a session (None: the last), as of a position, as a view shows it.

    Raises InputError for a session or a position that does not exist.
    """
    position, number = position_and_session(view.store, as_of, session)
    start, end = EntryId(number, -1), EntryId(number + 1, -1)
    before = load_state(view.store, StateProjection(), at=start, as_of=position)
    after = load_state(view.store, StateProjection(), at=end, as_of=position)
    records = [r for r in latest_takes(view.store.takes(after=start, upto=end, as_of=position)) if r.facts]
    visible = [_entry(record, record.facts) for record in view.records(records)]
    members = cast(view.state(before).state, view.state(after).state, visible, pool_order)
    shown = {member.who for member in members}.difference(view.hidden)
    changes = [_entry(record, view.changes(record)) for record in records]
    return Page(
        campaign=after.session.name,
        session=number,
        title=after.session.title,
        dates=_dates(records),
        position=position,
        open=after.session.open,
        cast=tuple(members),
        scenes=tuple(
            SceneLines(entry=scene.entry, title=scene.title, lines=tuple(_lines(scene.moments, summaries)))
            for scene in scenes(visible)
        ),
        wounds=tuple(wound_events(visible)),
        resources=tuple(flow for flow in flows(before.state, after.state, changes, pool_order) if flow.who in shown),
        options=tuple(option_events(visible)),
        rulings=tuple(ruling_events(visible)),
        corrections=tuple(correction_events(visible)),
        dice=tuple(dice_tallies(visible)),
        outcomes=tuple(result_tallies(visible)),
    )


def position_and_session(store: Store, as_of: int | None, session: int | None) -> tuple[int, int]:
    """Return the position and the session that are asked for, by default the last. Raises InputError."""
    head = store.head().position
    if as_of is not None and as_of > head:
        raise InputError(f"the ledger ends at position {head}", where="--as-of")
    position = as_of or head
    last = load_state(store, StateProjection(), as_of=position).session.number
    if session is not None and session > last:
        raise InputError(f"there is no session {session}", hint=f"The last one is {last}.")
    return position, last if session is None else session


def _entry(record: Record, facts: Sequence[Fact]) -> Entry:
    """Return a record with these facts as the recap reads it: of an implied pass only what came of it."""
    if implying_entry(record):
        return Entry(id=record.id, by=record.by, line="", facts=tuple(fact for fact in facts if not is_turn(fact)))
    return Entry(id=record.id, by=record.by, line=record.line, facts=tuple(facts))


def _dates(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the days of the first and the last entry, once if they are the same; a bad time as it is."""
    days = [match[0] if (match := DATE.match(record.at)) else record.at for record in records]
    return tuple(dict.fromkeys((days[0], days[-1]))) if days else ()


def _lines(moments: Iterable[Moment], summaries: Summarizer) -> Iterator[Line]:
    """Yield the timeline of a scene, without entries that say nothing and change nothing."""
    for moment in moments:
        told = moment.told
        if told is None:
            results = tuple(summaries.summarize(moment.facts, moment.by))
            if moment.line or results:
                yield Line(entry=str(moment.entry), by=moment.by, line=moment.line, told="", text="", results=results)
        else:
            yield Line(
                entry=str(moment.entry), by=told.by, line=moment.line, told=told.kind, text=told.text, results=()
            )
