"""The content of a recap: one session from facts alone. The same ledger gives the same page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import msgspec

from cli.story.book_words import fall_words, night_words
from cli.story.brief import brief_passages
from cli.story.fight_end import bystanders
from cli.story.last_news import rulings_as_called, values_at_stake, with_last_news
from cli.story.last_words import last_words, with_last_words
from cli.story.lead import deed_at, failures_before, lead_sentences, moment_ways, to_the_core, with_causes
from cli.story.passages import Part, Passage, Sentence, Storyteller, deeds_of, parts_of, passages_of
from cli.story.plain_words import plain_words
from cli.story.span import SessionHeading, SessionSpan, entry_of, heading_of, load_session, position_and_session
from cli.story.status import characters_in, party_of, status_words, things_in, threads_of
from cli.story.story_deed import StoryDeed
from cli.story.surrender import who_gave_up
from ledger.facts import (
    GM,
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
    parse_entry_id,
)
from ledger.names import name_key
from ledger.records import Record, latest_takes, shown_records
from ledger.session_proof import origin, proofs_of
from ledger.store import ReadableStore
from projections.recap import events
from projections.recap.cast import Member, cast
from projections.recap.entries import Entry
from projections.recap.episodes import Episode, episodes, leave_out_superseded_orders, without_closing
from projections.recap.falls import Fall, falls
from projections.recap.flows import Flow, flows
from projections.recap.night import NightRoll, roll_of_the_night, roll_that_lost
from projections.recap.outcomes import decisive_fall, outcomes, without_away
from projections.recap.party import PartyMember
from projections.recap.scenes import Moment, scenes
from projections.recap.tallies import DiceTally, ResultTally, dice_tallies, result_tallies
from projections.recap.threads import Thread, fights_left, opponents
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon

WINDOWS = (WindowOpened, WindowChanged, WindowClosed)
BOOKKEEPING = (ActionSpent, Allowed, Counted, CountsCleared, Linked, OrderSet, Placed, Reached, *WINDOWS)

PARTY_MOST = 12  # characters; of more only those who did something lately are told


class Summarizer(Protocol):
    """Summarizes entries in their order."""

    def summarize(self, facts: Sequence[Fact], by: str) -> list[str]:
        """Return the summary of these facts, said by `by`."""


Storytellers = Callable[[State, State], Storyteller]  # of the state before what is told, and at its end


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the timeline: what was typed and its results, or a text (`fiction`, `quote`)."""

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


class Page(SessionHeading, frozen=True, kw_only=True):
    """A whole recap, as `--json` prints it.

    `pool_words` are those for pools that the book calls otherwise, and `harm_words` those for how hurt somebody is.
    `unlisted` characters did nothing, and are in no list of a large party. `called` is what a story calls somebody, by
    name, where it is another word: `the first guard`. `moment` are shorter ways to say the first sentence of the lead,
    and `failures` what characters had failed at right before they fell, by the entry of the fall.
    """

    cast: tuple[Member, ...]
    story: tuple[Passage, ...]
    party: tuple[PartyMember, ...]
    unlisted: int
    lost: tuple[events.LossEvent, ...]
    falls: tuple[Fall, ...]
    lead: tuple[Sentence, ...]
    moment: tuple[Sentence, ...]
    failures: Mapping[str, str]
    vital: str
    pool_words: Mapping[str, str]
    harm_words: tuple[str, ...] = ()
    called: Mapping[str, str]
    threads: tuple[Thread, ...]
    night: NightRoll | None
    night_sentence: Sentence | None
    scenes: tuple[SceneLines, ...]
    wounds: tuple[events.WoundEvent, ...]
    resources: tuple[Flow, ...]
    options: tuple[events.OptionEvent, ...]
    rulings: tuple[events.RulingEvent, ...]
    corrections: tuple[events.CorrectionEvent, ...]
    claims: tuple[events.ClaimEvent, ...]
    dice: tuple[DiceTally, ...]
    taken_back: int
    outcomes: tuple[ResultTally, ...]


def recap_page(
    store: ReadableStore,
    *,
    session: int | None,
    as_of: int | None,
    book: Game,
    storytellers: Storytellers,
    summaries: Summarizer,
) -> Page:
    """Return the recap of a session (None: the last), as of a position.

    Raises InputError for a session or a position that does not exist.
    """
    position, number = position_and_session(store, as_of, session)
    span = load_session(store, number, position)
    return page_of_span(store, span, position=position, book=book, storytellers=storytellers, summaries=summaries)


def page_of_span(
    store: ReadableStore,
    span: SessionSpan,
    *,
    position: int,
    book: Game,
    storytellers: Storytellers,
    summaries: Summarizer | None,
    told: Story | None = None,
) -> Page:
    """Return the recap of a session as of a position; `told`: its story, where it is known already.

    Without `summaries` it has no timeline of the scenes: the replay page shows every line itself.
    """
    before, after = span.before.state, span.after.state
    entries, lexicon = span.entries, book.texts().lexicon
    narration = book.texts().narration
    members = cast(before, after, entries, status_words(book), most=PARTY_MOST)
    listed = {member.who for member in members}
    told = told or session_story(span, storytellers)
    done, passages, party = told.episodes, told.passages, party_of(span, after, book)
    fallen = [*with_causes(told, falls(done, fall_words(narration), before, after))]
    fights = fights_left(entries, narration.fallen)
    about = threads_of(after, opponents(entries), book)
    rulings = events.ruling_events(entries, narration.decisions)
    corrections = [*events.correction_events(entries, decided_by(store, entries, position))]
    may_be = entries_told(passages) - entries_amended(done, corrections)
    called = called_in(told.teller, after)
    last = with_last_news(about, fights, passages, rulings, [being.name for being in after.beings.values()], called)
    others = [each.who for each in about if each.who]
    given, said = who_gave_up(done, others), last_words(done, others, called)
    news = [with_last_words(msgspec.structs.replace(each, gave_up=each.who in given), said) for each in last]
    ends = [without_away(each, given) for each in outcomes(done, characters_in(after), fall_words(narration))]
    turned = decisive_fall(fallen, ends, characters_in(after), {*given, *said})
    if turned:
        gave_up = turned.decisive is not None and turned.decisive.kind == "left" and turned.decisive.who in given
        end = [each for each in done if turned.outcome and turned.outcome.entry in each.entries]
        in_words = bool(last_words(end, others, called))
        turned = msgspec.structs.replace(turned, gave_up=gave_up, in_words=in_words)
    known = (done, characters_in(after), may_be, night_words(book))
    night = roll_that_lost(*known) if turned and turned.beaten else roll_of_the_night(*known, things_in(after))
    page = Page(
        **heading_of(span, position),
        cast=tuple(members),
        story=(),
        party=tuple(member for member in party if member.who in {*listed, GM}),
        unlisted=len({*characters_in(after)} - listed),
        lost=tuple(events.loss_events(done, narration.lost, after)),
        falls=tuple(fall for fall in fallen if fall.kind != "left" or fall.who not in given),
        lead=(),
        moment=(),
        failures=failures_before(told, fallen, characters_in(after)),
        vital=lexicon.vital,
        pool_words=narration.pools,
        harm_words=narration.harm.get(lexicon.vital, ()),
        called=called,
        threads=tuple(without_bystanders(news, bystanders(done, narration))),
        night=night,
        night_sentence=next(iter(deed_at(told, night.entry)), None) if night else None,
        scenes=tuple(scene_lines(entries, summaries, book)) if summaries else (),
        wounds=tuple(events.wound_events(done)),
        resources=tuple(_flows(store, span, book)),
        options=tuple(option_meanings(events.option_events(entries), book)),
        rulings=tuple(rulings_as_called(rulings, called)),
        corrections=tuple(retold(corrections, store, span, told, storytellers)),
        claims=tuple(with_last_changes(events.claim_events(entries), told)),
        dice=tuple(dice_tallies(entries, partial(origin, proofs_of(span.records), span.number))),
        taken_back=span.taken_back,
        outcomes=tuple(result_tallies(entries, told_results(lexicon, narration))),
    )
    core = told._replace(deeds=[*map(to_the_core, told.deeds)])
    lead = lead_sentences((told, core), page, turned, ends, night)
    return msgspec.structs.replace(
        page,
        story=tuple(brief_passages(told, passages, lead, characters_in(after), values_at_stake(party, news))),
        lead=tuple(lead),
        moment=tuple(moment_ways((core,), turned, ends, night)),
    )


class Story(NamedTuple):
    """The episodes of a session, the passages that they make, their deeds, their storyteller, and their parts."""

    episodes: list[Episode]
    passages: list[Passage]
    deeds: list[StoryDeed]
    teller: Storyteller
    parts: Sequence[Part] = ()

    def sentence(self, entry: str) -> Sentence | None:
        """Return what one entry came to, as a sentence by itself; None where the story tells nothing of it."""
        deed = next((deed for deed in self.deeds if deed.entries[0] == entry), None)
        return self.teller.sentences([deed], apart=True)[0] if deed else None


def session_story(span: SessionSpan, storytellers: Storytellers) -> Story:
    """Return the story of a session."""
    done = episodes(span.entries)
    leave_out_superseded_orders(done)
    teller = storytellers(span.before.state, span.after.state)
    parts = parts_of(done, teller)
    return Story(done, passages_of(parts, teller), deeds_of(parts), teller, parts)


def called_in(teller: Storyteller, state: State) -> dict[str, str]:
    """Return what a story calls those in play, where it is not their name."""
    return {
        who: called for who in [being.name for being in state.beings.values()] if (called := teller.called(who)) != who
    }


def without_bystanders(known: Iterable[Thread], onlookers: Collection[str]) -> Iterator[Thread]:
    """Yield threads without those of whom nothing is known but that they were there, in no fight."""
    well = plain_words().health[0]
    yield from (each for each in known if each.who not in onlookers or each.last or {*each.names} - {well})


def option_meanings(options: Iterable[events.OptionEvent], book: Game) -> Iterator[events.OptionEvent]:
    """Yield options with their question, and what it was answered before and is answered now."""
    known = book.texts().options
    for event in options:
        option = known.get(event.name)
        if option is not None:
            was = option.default if event.was is None else event.was
            said = {"question": option.question, "meaning": option.meaning(event.now), "meant": option.meaning(was)}
            event = msgspec.structs.replace(event, **said)
        yield event


def retold(
    corrections: Iterable[events.CorrectionEvent],
    store: ReadableStore,
    span: SessionSpan,
    told: Story,
    storytellers: Storytellers,
) -> Iterator[events.CorrectionEvent]:
    """Yield corrections with what their entries said before, and what the story tells of them now."""

    def sentence_of(records: Iterable[Record]) -> str:
        """Return what records say by themselves, as they are seen."""
        teller = storytellers(span.before.state, span.after.state)
        teller.listen(told.episodes)
        done = episodes(entry_of(record, without_closing(record.facts[1:])) for record in shown_records(records))
        deeds = [deed for deed in map(teller.deed, done) if deed is not None]
        for clause in (clause for deed in deeds for clause in deed.clauses):
            clause.vain = ""  # what came of it may be in an entry behind it
        return "; ".join(with_notes(teller.sentences([deed], apart=True)[0]) for deed in deeds)

    for event in corrections:
        sentence = told.sentence(event.of)
        was, now = "", with_notes(sentence) if sentence else ""
        if event.take and not event.is_slip:
            id = parse_entry_id(event.of)
            takes = list(store.takes(after=id.before, upto=id, as_of=span.after.position))
            was = sentence_of(take for take in takes if f"{event.of}@{take.take}" == event.take)
            if id.session != span.number:
                now = sentence_of(take for take in takes[-1:] if take.facts)
        yield msgspec.structs.replace(event, was=was if was != now else "", now=now)


def with_last_changes(claims: Iterable[events.ClaimEvent], told: Story) -> Iterator[events.ClaimEvent]:
    """Yield claims with the sentence that tells what changed their value last before them."""
    for claim in claims:
        before = [deed for deed in told.deeds if parse_entry_id(deed.entries[0]) < parse_entry_id(claim.entry)]
        changes = [deed for deed in before if claim.value in {f"{name_key(who)}.{what}" for who, what in deed.changes}]
        sentence = told.sentence(changes[-1].entries[0]) if changes else None
        yield msgspec.structs.replace(claim, last=with_notes(sentence) if sentence else "")


def entries_amended(done: Iterable[Episode], corrections: Iterable[events.CorrectionEvent]) -> set[str]:
    """Return the entries of all episodes of which one was corrected: nobody cheered at a roll that was read anew."""
    amended = {event.of for event in corrections}
    return {entry for each in done if not amended.isdisjoint(each.entries) for entry in each.entries}


def entries_told(passages: Iterable[Passage]) -> set[str]:
    """Return the entries that a story tells."""
    return {entry for passage in passages for sentence in passage.sentences for entry in sentence.entries}


def with_notes(sentence: Sentence) -> str:
    """Return a sentence with its arithmetic, for those who argue about it."""
    return f"{sentence.alone} ({'; '.join(sentence.notes)})"


def told_results(lexicon: Lexicon, narration: Narration) -> set[str]:
    """Return the judgements whose results have sentences of their own in the book, or stand behind a roll."""
    told = (
        key
        for key, sentence in narration.results.items()
        if sentence and not sentence.startswith("...") and not key.endswith((" self", " alone"))
    )
    keys = [key.split(" ") for key in told]
    return {" ".join(words[:end]) for words in keys for end in range(1, len(words) + 1)} | {*lexicon.wording.effects}


def decided_by(store: ReadableStore, entries: Iterable[Entry], position: int) -> dict[str, list[str]]:
    """Return the entries whose take that counts was decided by each correction of the session, without voided ones."""
    decided: dict[str, list[str]] = defaultdict(list)
    causes = {str(entry.id): entry.id for entry in entries if any(isinstance(fact, Amended) for fact in entry.facts)}
    firsts = (next(store.takes(after=id.before, upto=id, as_of=position)) for id in causes.values())
    since = min((take.position for take in firsts), default=position)
    retaken = (id for id, last in store.last_takes(as_of=position).items() if last > since) if causes else ()
    for id in sorted(retaken):
        record = next(latest_takes(store.takes(after=id.before, upto=id, as_of=position)))
        if record.cause in causes:
            decided[str(record.cause)].append(str(id))
    return decided


def _flows(store: ReadableStore, span: SessionSpan, book: Game) -> Iterator[Flow]:
    """Yield the flows of those whose numbers are seen."""
    lexicon = book.texts().lexicon
    changes = [entry_of(record, record.facts) for record in span.records]
    yield from flows(span.before.state, span.after.state, changes, lexicon.pool_order, book.texts().narration.losses)


# The log


def scene_lines(entries: Sequence[Entry], summaries: Summarizer, book: Game) -> Iterator[SceneLines]:
    """Yield the scenes with every line that came to something."""
    own_words = {say for say, sentence in book.texts().narration.lines.items() if sentence}
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
