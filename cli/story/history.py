"""Recaps over all sessions: the story of one character, and the campaign on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from cli.questions.state_at import find_being_in_play
from cli.story import page, status
from cli.story.life import LifeCourse, StateWalk, find_life, moment_passages
from cli.story.passages import OWN_WORDS, Passage, kept_sentences
from cli.story.span import SessionSpan, dates_of, load_session, position_and_session
from ledger.extracts import Kinds
from ledger.facts import Declared, EncounterBegan, Joined, OrderSet, Scalar, SessionOpened, parse_entry_id
from ledger.store import ReadableStore
from projections.recap.events import RULING, LossEvent, RulingEvent, loss_events
from projections.recap.party import PartyMember
from projections.recap.threads import Thread, opponents_in, people_in
from projections.state import State
from rulebooks.common.game import Game

LONG: Final = 12  # sessions of a life of which not everything is told
RECENT: Final = 10  # sessions after which nobody asks any more who did something, or may still be about


PRESENCE: Final[Kinds] = frozenset((Declared, Joined, EncounterBegan, OrderSet))


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a longer story. The last one has those who are `lost` since then, and may be `open`."""

    session: int
    title: str
    dates: tuple[str, ...]
    story: tuple[Passage, ...] = ()
    lost: tuple[LossEvent, ...] = ()
    open: bool = False


class CharacterPage(msgspec.Struct, frozen=True, kw_only=True):
    """The story of one being, as `recap --character --json` prints it. `member` is where it stands now.

    `sessions`: in how many it is named; `whole`: whether all that it did in them is listed, not only the gravest.
    """

    campaign: str
    who: str
    position: int
    member: PartyMember
    chapters: tuple[Chapter, ...]
    sessions: int
    whole: bool


class CampaignPage(msgspec.Struct, frozen=True, kw_only=True):
    """The campaign on one page, as `recap --campaign --json` prints it; `last` is what happened last time.

    In a large party only those who did something in the last sessions are listed; the others are the number `unlisted`.
    At large in `threads` are those who were in an encounter of the last sessions. `answers` are the options in words.
    """

    campaign: str
    position: int
    chapters: tuple[Chapter, ...]
    last: Chapter
    party: tuple[PartyMember, ...]
    unlisted: int
    threads: tuple[Thread, ...]
    rulings: tuple[RulingEvent, ...]
    options: tuple[tuple[str, Scalar], ...]
    answers: tuple[str, ...]


def character_page(
    store: ReadableStore,
    name: str,
    *,
    as_of: int | None,
    book: Game,
    storytellers: page.Storytellers,
    session: int | None = None,
) -> CharacterPage:
    """Return the story of the being that `name` is or begins, in all sessions or one.

    Of a long life only the gravest moments are listed. Raises InputError if there is no such being, or several.
    """
    position, number = position_and_session(store, as_of, None)
    if session is not None:
        position_and_session(store, as_of, session)
    last = load_session(store, number, position)
    state = last.after
    who = find_being_in_play(state.state, name).name
    life = find_life(store, who, position, book.texts().narration.grave or book.texts().lexicon.wording.gone)
    is_long = session is None and len(life.sessions) > LONG
    if is_long:
        chapters = _moments(store, life, who, last, storytellers)
    else:
        numbers = life.sessions if session is None else (session,)
        spans = (load_session(store, each, position) for each in numbers)
        chapters = (_chapter(span, passages_of(page.session_story(span, storytellers)[1], who)) for span in spans)
    return CharacterPage(
        campaign=last.after.session.name,
        who=who,
        position=last.after.position,
        member=status.member_of(last, state.state, who, book),
        chapters=tuple(chapter for chapter in chapters if chapter.story),
        sessions=len(life.sessions),
        whole=not is_long,
    )


def _moments(
    store: ReadableStore, life: LifeCourse, who: str, last: SessionSpan, storytellers: page.Storytellers
) -> Iterator[Chapter]:
    """Yield the sessions of the gravest moments of a life, with these alone."""
    walk = StateWalk(store, last.after.position)
    for session, entries in groupby(life.gravest, key=lambda entry: entry.session):
        story = list[Passage]()
        for entry in entries:
            if not any(str(entry) in sentence.entries for passage in story for sentence in passage.sentences):
                passages = moment_passages(store, entry, last.after, walk, storytellers)
                story += [passage for passage in passages_of(passages, who) if passage not in story]
        yield msgspec.structs.replace(chapter_head(store, session, last.after.position), story=tuple(story))


def campaign_page(
    store: ReadableStore, *, as_of: int | None, book: Game, storytellers: page.Storytellers
) -> CampaignPage:
    """Return the state of the campaign, and what happened in the last session in which anything did."""
    position, number = position_and_session(store, as_of, None)
    last = load_session(store, number, position)
    state = last.after.state
    recent = list(presence(store, number - RECENT, position))
    unlisted = {*status.characters_in(state)} - people_in(recent)
    if len(status.characters_in(state)) <= page.PARTY_MOST:
        unlisted = set()
    return CampaignPage(
        campaign=last.after.session.name,
        position=last.after.position,
        chapters=tuple(chapter_heads(store, number, position)),
        last=last_told(store, last, position, storytellers, book),
        party=tuple(member for member in status.party_of(last, state, book) if member.who not in unlisted),
        unlisted=len(unlisted),
        threads=tuple(status.threads_of(state, opponents_in(recent), book)),
        rulings=tuple(rulings_in_force(state)),
        options=tuple(sorted(state.options.items())),
        answers=tuple(answers_of(state, book)),
    )


def presence(store: ReadableStore, since: int, as_of: int) -> Iterator[object]:
    """Yield the facts that say who spoke, joined or was in an encounter since a session; there may be others."""
    for number in sorted(number for number in store.session_sizes() if number >= since):
        for take in store.extracts(PRESENCE, session=number, as_of=as_of):
            if take.counts:
                yield from take.facts


def last_told(
    store: ReadableStore, last: SessionSpan, position: int, storytellers: page.Storytellers, book: Game
) -> Chapter:
    """Return the last session in which anything happened, with its story and those who are lost since then.

    The session that is open is this time, not last time, unless there is no other.
    """
    latest = last.number - 1 if last.after.session.open else last.number
    for number in (*range(latest, 0, -1), last.number):
        span = last if number == last.number else load_session(store, number, position)
        done, passages, *_ = page.session_story(span, storytellers)
        if passages:
            lost = loss_events(done, book.texts().narration.lost, span.after.state)
            is_open = span is last and last.after.session.open
            return msgspec.structs.replace(_chapter(span, passages), lost=tuple(lost), open=is_open)
    return _chapter(last, [])


def chapter_heads(store: ReadableStore, last: int, position: int) -> Iterator[Chapter]:
    """Yield the sessions with their titles and dates, without their stories."""
    for number in range(1, last + 1):
        yield chapter_head(store, number, position)


def chapter_head(store: ReadableStore, number: int, position: int) -> Chapter:
    """Return a session with its title and dates, without its story."""
    ends = store.ends(number, as_of=position)
    titles = [fact.title for record in ends[:1] for fact in record.facts if isinstance(fact, SessionOpened)]
    return Chapter(session=number, title=titles[0] if titles else "", dates=dates_of(ends))


def _chapter(span: SessionSpan, passages: Iterable[Passage]) -> Chapter:
    """Return a session with these passages. Its title is that of its opening."""
    session = span.after.session
    title = session.title if span.number == session.number else ""
    return Chapter(session=span.number, title=title, dates=dates_of(span.records), story=tuple(passages))


def passages_of(passages: Iterable[Passage], who: str) -> Iterator[Passage]:
    """Yield what a being did, suffered and said, below the scenes in which it did."""
    scene: Passage | None = None
    for passage in passages:
        sentences = kept_sentences(passage.sentences, [who in each.names for each in passage.sentences])
        if passage.kind == "scene":
            scene = passage
        elif sentences or (passage.kind in OWN_WORDS and passage.by == who):
            yield from [scene] if scene else []
            scene = None
            yield msgspec.structs.replace(passage, sentences=sentences)


def answers_of(state: State, book: Game) -> Iterator[str]:
    """Yield the questions of the book that the table has settled, with the answers in force."""
    for name, value in sorted(state.options.items()):
        option = book.texts().options.get(name)
        yield f"{option.question} Now: {option.meaning(value)}" if option else f"{name.replace('_', ' ')}: {value}"


def rulings_in_force(state: State) -> Iterator[RulingEvent]:
    """Yield the rulings that hold on, in order."""
    for entry, ruling in sorted(state.rulings.items(), key=lambda item: parse_entry_id(item[0])):
        yield RulingEvent(
            entry=entry,
            name=RULING,
            text=ruling.text,
            because=ruling.because,
            about=ruling.about,
            cites=ruling.cites,
            scope=ruling.scope,
            agreed=ruling.agreed,
        )
