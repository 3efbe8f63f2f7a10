"""Recaps over all sessions: the story of one character, and the campaign on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from cli.queries.recap_page import Storytellers, dates_of, member_of, party_of, session_story, threads_of
from cli.queries.recap_session import SessionSpan, load_session, position_and_session
from cli.queries.state_at import find_being_in_play
from cli.queries.story import OWN_WORDS, Passage
from cli.queries.view import View
from ledger.facts import Scalar, parse_entry_id
from projections.recap.events import RULING, RulingEvent
from projections.recap.party import PartyMember
from projections.recap.threads import Thread, opponents
from projections.state import State
from rulebooks.common.game import Game


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a longer story."""

    session: int
    title: str
    dates: tuple[str, ...]
    story: tuple[Passage, ...] = ()


class CharacterPage(msgspec.Struct, frozen=True, kw_only=True):
    """The story of one being, as `recap --character --json` prints it. `member` is where it stands now."""

    campaign: str
    who: str
    position: int
    member: PartyMember
    chapters: tuple[Chapter, ...]


class CampaignPage(msgspec.Struct, frozen=True, kw_only=True):
    """The campaign on one page, as `recap --campaign --json` prints it; `last` is what happened last time.

    `answers` are the options in words.
    """

    campaign: str
    position: int
    chapters: tuple[Chapter, ...]
    last: Chapter
    party: tuple[PartyMember, ...]
    threads: tuple[Thread, ...]
    rulings: tuple[RulingEvent, ...]
    options: tuple[tuple[str, Scalar], ...]
    answers: tuple[str, ...]


def character_page(
    view: View, name: str, *, as_of: int | None, book: Game, storytellers: Storytellers
) -> CharacterPage:
    """Return the story of the being that `name` is or begins. Raises InputError if there is none, or several."""
    spans = list(session_spans(view, as_of))
    last = spans[-1]
    state = view.state(last.after)
    who = find_being_in_play(state.state, name).name
    chapters = (_chapter(span, passages_of(session_story(span, storytellers)[1], who)) for span in spans)
    return CharacterPage(
        campaign=last.after.session.name,
        who=who,
        position=last.after.position,
        member=member_of(last, state.state, who, book),
        chapters=tuple(chapter for chapter in chapters if chapter.story),
    )


def campaign_page(view: View, *, as_of: int | None, book: Game, storytellers: Storytellers) -> CampaignPage:
    """Return the state of the campaign, and what happened in the last session in which anything did."""
    spans = list(session_spans(view, as_of))
    state = view.state(spans[-1].after).state
    played = [span for span in spans if span.number]
    stories = ((span, session_story(span, storytellers)[1]) for span in reversed(played or spans))
    last = next((_chapter(span, passages) for span, passages in stories if passages), _chapter(spans[-1], []))
    return CampaignPage(
        campaign=spans[-1].after.session.name,
        position=spans[-1].after.position,
        chapters=tuple(_chapter(span, []) for span in played),
        last=last,
        party=tuple(party_of(spans[-1], state, book)),
        threads=tuple(threads_of(state, {who for span in spans for who in opponents(span.entries)}, book)),
        rulings=tuple(rulings_in_force(state)),
        options=tuple(sorted(state.options.items())),
        answers=tuple(answers_of(state, book)),
    )


def session_spans(view: View, as_of: int | None) -> Iterator[SessionSpan]:
    """Yield every session, first what came before the first. Raises InputError for a position that does not exist."""
    position, last = position_and_session(view.store, as_of, None)
    for number in range(last + 1):
        yield load_session(view, number, position)


def _chapter(span: SessionSpan, passages: Iterable[Passage]) -> Chapter:
    """Return a session with these passages. Its title is that of its opening."""
    session = span.after.session
    title = session.title if span.number == session.number else ""
    return Chapter(session=span.number, title=title, dates=dates_of(span.records), story=tuple(passages))


def passages_of(passages: Iterable[Passage], who: str) -> Iterator[Passage]:
    """Yield what a being did, suffered and said, below the scenes in which it did."""
    scene: Passage | None = None
    for passage in passages:
        sentences = tuple(sentence for sentence in passage.sentences if who in sentence.names)
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
        yield f"{option.question} {option.meaning(value)}" if option else f"{name.replace('_', ' ')}: {value}"


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
