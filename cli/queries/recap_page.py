"""The content of a recap: one session from facts alone. The same ledger gives the same page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from cli.queries.recap_session import SessionSpan, entry_of, load_session, position_and_session
from cli.queries.story import Passage, Storyteller, story
from cli.queries.view import View
from ledger.facts import (
    ActionSpent,
    Allowed,
    Amended,
    Counted,
    CountsCleared,
    Fact,
    Linked,
    OrderSet,
    Placed,
    Reached,
    WindowChanged,
    WindowClosed,
    WindowOpened,
)
from ledger.records import Record
from projections.recap.cast import Member, cast
from projections.recap.entries import Entry
from projections.recap.episodes import Episode, episodes
from projections.recap.events import (
    ClaimEvent,
    CorrectionEvent,
    OptionEvent,
    RulingEvent,
    WoundEvent,
    claim_events,
    correction_events,
    option_events,
    ruling_events,
    wound_events,
)
from projections.recap.flows import Flow, flows
from projections.recap.night import NightRoll, roll_of_the_night
from projections.recap.party import PartyMember, party, party_member
from projections.recap.scenes import Moment, scenes
from projections.recap.tallies import DiceTally, ResultTally, dice_tallies, result_tallies
from projections.recap.threads import Thread, opponents, threads
from projections.state import State
from rulebooks.common.game import Game

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|[T ])", re.ASCII)
WINDOWS = (WindowOpened, WindowChanged, WindowClosed)
BOOKKEEPING = (ActionSpent, Allowed, Counted, CountsCleared, Linked, OrderSet, Placed, Reached, *WINDOWS)


class Summarizer(Protocol):
    """Summarizes entries in their order."""

    def summarize(self, facts: Sequence[Fact], by: str) -> list[str]:
        """Return the summary of these facts, said by `by`."""


Storytellers = Callable[[State, Collection[str]], Storyteller]  # of the state before, and the players' characters


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
    story: tuple[Passage, ...]
    party: tuple[PartyMember, ...]
    threads: tuple[Thread, ...]
    night: NightRoll | None
    scenes: tuple[SceneLines, ...]
    wounds: tuple[WoundEvent, ...]
    resources: tuple[Flow, ...]
    options: tuple[OptionEvent, ...]
    rulings: tuple[RulingEvent, ...]
    corrections: tuple[CorrectionEvent, ...]
    claims: tuple[ClaimEvent, ...]
    dice: tuple[DiceTally, ...]
    outcomes: tuple[ResultTally, ...]


def recap_page(
    view: View,
    *,
    session: int | None,
    as_of: int | None,
    book: Game,
    storytellers: Storytellers,
    summaries: Summarizer,
) -> Page:
    """Return the recap of a session (None: the last), as of a position, as a view shows it.

    Raises InputError for a session or a position that does not exist.
    """
    position, number = position_and_session(view.store, as_of, session)
    span = load_session(view, number, position)
    before, after = view.state(span.before).state, view.state(span.after).state
    entries, lexicon = span.entries, book.texts().lexicon
    members = cast(before, after, entries, lexicon.pool_order, lexicon.narration.wound_names)
    done, passages = session_story(span, storytellers)
    return Page(
        campaign=span.after.session.name,
        session=number,
        title=span.after.session.title,
        dates=dates_of(span.records),
        position=position,
        open=span.after.session.open,
        cast=tuple(members),
        story=tuple(passages),
        party=tuple(party_of(span, after, book)),
        threads=tuple(threads_of(after, opponents(entries), book)),
        night=roll_of_the_night(done, characters_in(after), weights_of(passages)),
        scenes=tuple(scene_lines(entries, summaries, book)),
        wounds=tuple(wound_events(done)),
        resources=tuple(_flows(view, span, members, book)),
        options=tuple(option_events(entries)),
        rulings=tuple(ruling_events(entries)),
        corrections=tuple(correction_events(entries, decided_by(view, entries, position))),
        claims=tuple(claim_events(entries)),
        dice=tuple(dice_tallies(entries)),
        outcomes=tuple(result_tallies(entries)),
    )


def session_story(span: SessionSpan, storytellers: Storytellers) -> tuple[list[Episode], list[Passage]]:
    """Return the episodes of a session, and the story that they make.

    Who tells it knows the whole state before, to see what is new, and prints nothing of it.
    """
    done = episodes(span.entries)
    return done, story(done, storytellers(span.before.state, characters_in(span.after.state)))


def characters_in(state: State) -> list[str]:
    """Return the players' characters."""
    return [being.name for being in state.beings_in_order() if being.kind == "pc"]


def party_of(span: SessionSpan, seen: State, book: Game) -> list[PartyMember]:
    """Return where everybody stands at the end of a session."""
    lexicon = book.texts().lexicon
    return party(
        seen,
        lambda who: book.days_of_rest(who, span.after.state),
        lexicon.pool_order,
        lexicon.narration.silent_conditions,
        lexicon.narration.wound_names,
    )


def member_of(span: SessionSpan, seen: State, who: str, book: Game) -> PartyMember:
    """Return where anybody stands at the end of a session; days of rest are told of the party alone."""
    known = next((member for member in party_of(span, seen, book) if member.who == who), None)
    if known:
        return known
    lexicon = book.texts().lexicon
    narration = lexicon.narration
    return party_member(seen, who, 0, lexicon.pool_order, narration.silent_conditions, narration.wound_names)


def threads_of(seen: State, named: Collection[str], book: Game) -> list[Thread]:
    """Return what is open in a state."""
    narration = book.texts().lexicon.narration
    return threads(seen, named, narration.lost, narration.silent_conditions)


def weights_of(passages: Iterable[Passage]) -> dict[str, int]:
    """Return how much each episode that is told matters, by its first entry."""
    return {sentence.entries[0]: sentence.weight for passage in passages for sentence in passage.sentences}


def dates_of(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the days of the first and the last entry, once if they are the same; a bad time as it is."""
    days = [match[0] if (match := DATE.match(record.at)) else record.at for record in records]
    return tuple(dict.fromkeys((days[0], days[-1]))) if days else ()


def decided_by(view: View, entries: Iterable[Entry], position: int) -> dict[str, list[str]]:
    """Return the entries whose take that counts was decided by each correction of the session, without voided ones."""
    decided: dict[str, list[str]] = defaultdict(list)
    if any(isinstance(fact, Amended) for entry in entries for fact in entry.facts):
        for record in view.latest(as_of=position):
            if record.take > 1 and record.cause:
                decided[record.cause].append(str(record.id))
    return decided


def _flows(view: View, span: SessionSpan, members: Sequence[Member], book: Game) -> Iterator[Flow]:
    """Yield the flows of the members whose numbers are seen."""
    lexicon = book.texts().lexicon
    shown = {member.who for member in members}.difference(view.hidden)
    changes = [entry_of(record, view.changes(record)) for record in span.records]
    states = span.before.state, span.after.state
    every = flows(*states, changes, lexicon.pool_order, lexicon.narration.losses)
    yield from (flow for flow in every if flow.who in shown)


# The log


def scene_lines(entries: Sequence[Entry], summaries: Summarizer, book: Game) -> Iterator[SceneLines]:
    """Yield the scenes with every line that came to something."""
    own_words = {say for say, sentence in book.texts().lexicon.narration.lines.items() if sentence}
    for scene in scenes(episodes(entries, one_for_each=True)):
        lines = tuple(_lines(scene.moments, summaries, own_words))
        yield SceneLines(entry=scene.entry, title=scene.title, lines=lines)


def _lines(moments: Iterable[Moment], summaries: Summarizer, own_words: Collection[str]) -> Iterator[Line]:
    """Yield the timeline of a scene, without lines that only moved or ended a turn; a round begins without its line.

    `own_words` are the kinds of lines that say something themselves.
    """
    for moment in moments:
        told = moment.told
        if told is not None:
            yield Line(entry=moment.entry, by=told.by, line=moment.line, told=told.kind, text=told.text, results=())
            continue
        points = [fact for fact in moment.facts if isinstance(fact, Reached)]
        results = summaries.summarize([fact for fact in moment.facts if not isinstance(fact, Reached)], moment.by)
        rounds = [f"round {fact.round}" for fact in points if fact.point == "round"]
        is_idle = moment.say not in own_words and all(isinstance(fact, BOOKKEEPING) for fact in moment.facts)
        line = "" if is_idle else moment.line
        if line or results or rounds:
            yield Line(entry=moment.entry, by=moment.by, line=line, told="", text="", results=(*results, *rounds))
