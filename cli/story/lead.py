"""What the post of an evening begins with: how it came out, with what turned it, and who fell by whom.

Each sentence is the fullest of several ways to say it that has room.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product, takewhile
from typing import Final

import msgspec

from cli.phrases.patterns import fill_but_verbs
from cli.story.clauses import ENDS, Clause
from cli.story.lead_ends import AND, BUT, end_alone, end_parts, end_ways, went_on
from cli.story.lead_falls import VERBS, FallenPage, fallen_to, fallen_ways, in_kinds, said_cause
from cli.story.lead_parts import SEMICOLON, text_of
from cli.story.made_story import MadeStory
from cli.story.passages import Sentence, as_alone
from cli.story.remarks import said_beside
from cli.story.story_deed import StoryDeed
from cli.story.tense import in_past
from ledger.facts import EncounterBegan, EncounterEnded, Ruled, Told
from ledger.names import capital, word_list
from projections.recap.episodes import Episode
from projections.recap.events import RULING
from projections.recap.falls import Fall
from projections.recap.night import NightRoll
from projections.recap.outcomes import DecisiveFall, Outcome

IN_THE_END: Final = ", and in the end "  # where others fell behind the one who is told first
NO_FIGHT: Final = "it "
COLON: Final = ": "
WORDS_MOST: Final = 25  # of a sentence
LETTERS_MOST: Final = 160
AND_MOST: Final = 2
GAVE_UP: Final = "gave up"
BARE: Final = {  # by what befell somebody: with who did it, and without
    "died": ("{by} killed {who}", "{who} died"),
    "fell": ("{by} brought {who} down", "{who} fell"),
    "left": ("{who} got away", "{who} got away"),
    GAVE_UP: ("{who} gave up", "{who} gave up"),
}


def lead_sentences(
    stories: Sequence[MadeStory],
    page: FallenPage,
    turned: DecisiveFall | None,
    known: Sequence[Outcome],
    night: NightRoll | None,
) -> list[Sentence]:
    """Return the lead, at most two sentences: what turned the evening with how it came out, and who fell.

    An evening without falls has the ruling that ended its last fight, or its roll of the night, and the last ruling
    behind all fights. `stories` is the story in the ways to tell it, the fullest first.
    """
    if turned is None:
        return [*bloodless_lead(stories, known, night)]
    first = fitting(first_ways(stories, turned))
    told = turned.decisive if first else None
    fell = [each for each in turned.fell if told is None or each.lasting or each.who != told.who]
    return [*first, *(fitting(fallen_sentences(page, fell, told)) if fell else [])]


def moment_ways(
    stories: Sequence[MadeStory], turned: DecisiveFall | None, known: Sequence[Outcome], night: NightRoll | None
) -> Iterator[Sentence]:
    """Yield the ways to say what turned the evening, the last of them without how it came out."""
    if turned is None:
        yield from [*bloodless_lead(stories, known, night)][:1]
        return
    yield from first_ways(stories, turned)
    yield from first_ways(stories, msgspec.structs.replace(turned, outcome=None))


def first_ways(stories: Sequence[MadeStory], turned: DecisiveFall) -> Iterator[Sentence]:
    """Yield the ways to say what turned the evening, and how it came out."""
    story, fall, outcome = stories[-1], turned.decisive, turned.outcome
    is_flight = fall is None or (fall.kind == "left" and (turned.beaten or is_one_of_several_gone(fall, outcome)))
    if fall is None or (is_flight and outcome is not None):
        yield from end_alone(story, outcome)
        return
    is_ours = fall.who in story.teller.characters
    then = IN_THE_END if turned.went_on or went_on(story, fall, outcome) else AND
    link = BUT if is_ours and outcome and outcome.result == "won" else then
    gone = () if outcome is None else outcome.away if is_ours else outcome.named_away
    away = [who for who in gone if who != fall.who]
    ways = end_ways(story, outcome, link, [] if turned.in_words else away, then if is_ours else BUT)
    for end, deed in product(ways, decisive_deeds(stories, turned, fall)):
        end = end.replace(f"{link}the fight", f"{link}the last fight") if turned.is_last else end
        yield with_end(story, deed, end, outcome)


def is_one_of_several_gone(fall: Fall, outcome: Outcome | None) -> bool:
    """Return whether others with names of their own got away besides one of the others who did."""
    return outcome is not None and bool({*outcome.named_away} - {fall.who})


def decisive_deeds(stories: Sequence[MadeStory], turned: DecisiveFall, fall: Fall) -> list[Sentence]:
    """Return the ways to say how somebody fell, or that they gave up; in few words first where nobody did it."""
    called, gave_up = stories[-1].teller.called, turned.gave_up
    by = word_list([called(each) for each in fall.by])
    who = word_list(in_kinds([called(each) for each in (fall.who, *turned.beside)]))
    texts = [capital(BARE[GAVE_UP if gave_up else fall.kind][not by].format(by=by, who=who))]
    if fall.because and not by:
        is_fall = fall.kind in VERBS and not gave_up
        texts = [f"{capital(who)}{fallen_to(fall)}" if is_fall else f"{texts[0]}: {said_cause(fall)}", *texts]
    mentions = (fall.who, *turned.beside, *fall.by)
    bare = [Sentence(entries=(fall.entry,), text=text, weight=0, mentions=mentions) for text in texts]
    told = [each for story in stories for each in deed_at(story, fall.entry)[:1]]
    thrown = any(clause.blow for deed in stories[-1].deeds if fall.entry in deed.entries for clause in deed.clauses)
    return [*told, *bare] if fall.by or thrown or fall.kind == "left" else [*bare, *told]


def deed_at(story: MadeStory, entry: str) -> list[Sentence]:
    """Return what an entry came to but for the end of a fight, in one sentence; nothing where that is all."""
    deeds = [without_end(deed) for deed in story.deeds if entry in deed.entries]
    told = story.teller.sentences([deed for deed in deeds if deed.clauses], apart=True)
    said = [each if each.text.endswith(each.alone[1:]) else as_alone(each) for each in told[:1]]
    facts = [fact for episode in story.episodes if entry in episode.entries for fact in episode.facts]
    reason = next((fact.because for fact in facts if isinstance(fact, Ruled)), "")
    return [in_marks(each, reason) if each.is_ruling else each for each in said]


def in_marks(ruling: Sentence, reason: str) -> Sentence:
    """Return a ruling in the past, or else in quotation marks; and its reason."""
    done, stop = in_past(ruling.text), "" if reason or ruling.text.endswith(ENDS) else "."
    said = f": {said_beside(reason)}" if reason else ""
    text = f"{capital(done)}{said}" if done else f'"{ruling.text}{stop}"{said}'
    return msgspec.structs.replace(ruling, text=text, alone=text)


def without_end(deed: StoryDeed) -> StoryDeed:
    """Return a deed without the end of a fight, and what dice and rulings did to its roll, in the words of the game."""
    own = [each for each in deed.clauses if not each.apart]
    is_rolled = any(each.blow for each in own)
    clauses = [msgspec.structs.replace(each, aside="") for each in own if not (is_rolled and each.is_ruling)]
    return msgspec.structs.replace(deed, clauses=clauses, outcome="")


def with_end(story: MadeStory, deed: Sentence, end: str, outcome: Outcome | None) -> Sentence:
    """Return what somebody did, and how the fight came out; it has the entry of the end if it has all of it."""
    has_all = outcome is None or end_parts(story, outcome)[1] in end
    said = re.sub(r'\."$', '"', deed.text) if end and deed.is_ruling else deed.text
    text = f"{said}{behind_colon(end) if COLON in said else end}"
    entries = (
        (outcome.entry,) if end and has_all and outcome and outcome.entry and outcome.entry not in deed.entries else ()
    )
    return msgspec.structs.replace(deed, text=text, alone=text, entries=deed.entries + entries)


def behind_colon(end: str) -> str:
    """Return the end of a fight as it stands behind a deed with what people said of it: behind a semicolon."""
    return f"{SEMICOLON}{end.removeprefix(AND).removeprefix(', ')}" if end else ""


def fallen_sentences(page: FallenPage, fell: Sequence[Fall], told: Fall | None) -> Iterator[Sentence]:
    """Yield the ways to say who of the characters fell, and how they were left; `told` is the fall that is known."""
    entries = tuple(dict.fromkeys(fall.entry for fall in fell))
    mentions = tuple(dict.fromkeys(who for fall in fell for who in (fall.who, *fall.by)))
    for parts in fallen_ways(page, fell, told):
        text = text_of(parts)
        yield Sentence(entries=entries, text=text, alone=text, weight=0, mentions=mentions)


def fitting(ways: Iterable[Sentence]) -> list[Sentence]:
    """Return the first of the ways to say a sentence that has room; where none has, the shortest; nothing for none."""
    told = list[Sentence]()
    for way in ways:
        if is_short(way.text):
            return [way]
        told.append(way)
    return [min(told, key=lambda way: len(way.text))] if told else []


def is_short(text: str) -> bool:
    """Return whether a sentence is read at a glance."""
    return len(text.split()) <= WORDS_MOST and text.count(" and ") <= AND_MOST and len(text) <= LETTERS_MOST


def bloodless_lead(
    stories: Sequence[MadeStory], known: Sequence[Outcome], night: NightRoll | None
) -> Iterator[Sentence]:
    """Yield the lead of an evening in which nobody fell or fled."""
    story, ended = stories[0], [each for each in known if each.entry]
    if ruling := ruled_end(story.episodes):
        outcome = next((each for each in ended if each.entry == ruling[1]), None)
        yield from fitting(deeds_with_end(stories, ruling[0], outcome))
        return
    outcome = night_outcome(story, night, ended)
    first = fitting(deeds_with_end(stories, night.entry, outcome)) if night else []
    fights = [each for each in ended if not end_parts(story, each)[0].startswith(NO_FIGHT)]
    first = first or fitting(way for each in fights[-1:] for way in end_alone(story, each))
    yield from first
    known_entries = {entry for sentence in first for entry in sentence.entries}
    for entry in last_ruling(story.episodes):
        ruled = fitting(each for told in stories for each in deed_at(told, entry)) if entry not in known_entries else []
        yield from (each for each in ruled if is_short(each.text) or not first)


def deeds_with_end(stories: Sequence[MadeStory], entry: str, outcome: Outcome | None) -> Iterator[Sentence]:
    """Yield the ways to say what an entry came to, and how the encounter of which it is came out."""
    deeds = [each for told in stories for each in deed_at(told, entry)[:1]]
    for end, deed in product(end_ways(stories[-1], outcome, AND), deeds):
        yield with_end(stories[-1], deed, end, outcome)


def failures_before(story: MadeStory, falls: Iterable[Fall], characters: Collection[str]) -> dict[str, str]:
    """Return what characters failed at who fell before they did anything else, by the entry of the fall."""
    failures, down = dict[str, str](), set[str]()
    for fall in falls:
        own = [deed for deed in deeds_before(story, fall) if actor_of(deed) == fall.who]
        if fall.who in {*characters} - down and own and own[-1].clauses[0].is_poor:
            failures[fall.entry] = story.teller.sentences([to_the_core(own[-1])], apart=True)[0].alone
        down.add(fall.who)
    return failures


def with_causes(story: MadeStory, falls: Iterable[Fall]) -> Iterator[Fall]:
    """Yield falls; where nobody did it and no loss has a cause, with what people said of it."""
    for fall in falls:
        if fall.kind != "left" and not (fall.by or fall.because):
            clauses = (each for deed in story.deeds if fall.entry in deed.entries for each in deed.clauses)
            words = next((word for clause in clauses for word in clause.words), "")
            fall = msgspec.structs.replace(fall, because=words.strip('"'))
        yield fall


def deeds_before(story: MadeStory, fall: Fall) -> Iterator[StoryDeed]:
    """Yield the deeds before the one of a fall, of the fight in which it was."""
    begun = [each.entries[0] for each in story.episodes if any(is_begin(fact, fall.fight) for fact in each.facts)]
    entries = [entry for each in story.episodes for entry in each.entries]
    in_fight = {*entries[entries.index(begun[-1]) :]} if begun else {*entries}
    before = takewhile(lambda deed: fall.entry not in deed.entries, story.deeds)
    yield from (deed for deed in before if deed.entries[0] in in_fight)


def is_begin(fact: object, fight: str) -> bool:
    """Return whether a fact is the begin of a fight."""
    return isinstance(fact, EncounterBegan) and fact.encounter == fight


def actor_of(deed: StoryDeed) -> str:
    """Return who threw dice in a deed; empty where nobody did."""
    blow = deed.clauses[0].blow if deed.clauses else None
    return blow.who if blow else ""


def ruled_end(episodes: Sequence[Episode]) -> tuple[str, str] | None:
    """Return the entries of a ruling and of the end of the last fight, where it stood right before that."""
    found: tuple[str, str] | None = None
    ruling = ""
    for episode in episodes:
        if any(isinstance(fact, EncounterEnded) for fact in episode.facts):
            found = (ruling, episode.entries[0]) if ruling else None
        if any(isinstance(fact, Ruled) and fact.name == RULING and fact.text for fact in episode.facts):
            ruling = episode.entries[0]
        elif not all(isinstance(fact, Told) for fact in episode.facts):
            ruling = ""
    return found


def last_ruling(episodes: Iterable[Episode]) -> list[str]:
    """Return the entry of the last ruling in people's own words that stands behind all fights; nothing for none."""
    ruling = list[str]()
    for episode in episodes:
        if any(isinstance(fact, EncounterBegan) for fact in episode.facts):
            ruling = []
        elif any(isinstance(fact, Ruled) and fact.name == RULING and fact.text for fact in episode.facts):
            ruling = [episode.entries[0]]
    return ruling


def night_outcome(story: MadeStory, night: NightRoll | None, known: Iterable[Outcome]) -> Outcome | None:
    """Return how the encounter came out in which the roll of the night was; None for one outside of all."""
    inside = ""
    for episode in story.episodes:
        inside = next((fact.encounter for fact in episode.facts if isinstance(fact, EncounterBegan)), inside)
        if night and night.entry in episode.entries:
            return next((each for each in known if each.fight == inside), None)
        inside = "" if any(isinstance(fact, EncounterEnded) for fact in episode.facts) else inside
    return None


def to_the_core(deed: StoryDeed) -> StoryDeed:
    """Return a deed without its weapons, its costs, what people said of it, and how close it was."""
    return msgspec.structs.replace(deed, clauses=[*map(core_of, deed.clauses)])


def core_of(clause: Clause) -> Clause:
    """Return a clause with nothing but what somebody did with dice, and what came of it; any other as it is."""
    blow, text = clause.blow, clause.text
    if blow is None:
        return clause
    if text == fill_but_verbs(blow.pattern, blow.fields):
        text = fill_but_verbs(blow.pattern, {**blow.fields, "weapon": ""})
    return msgspec.structs.replace(clause, text=text, words=[], costs=[], aside="", close="")
