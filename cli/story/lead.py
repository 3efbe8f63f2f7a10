"""What the post of an evening begins with: the moment that turned it, and who fell by whom."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final, Protocol

import msgspec

from cli.phrases.parts import in_brackets
from cli.phrases.patterns import fill_but_verbs
from cli.story.clauses import Clause
from cli.story.fight_end import is_lost
from cli.story.passages import Part, Sentence, Storyteller, without_outcome
from cli.story.plain_words import plain_words, time_words
from cli.story.story_deed import StoryDeed
from ledger.facts import EncounterBegan, EncounterEnded, Ruled, TimePassed, Told
from ledger.names import capital, word_list
from projections.recap.episodes import Episode
from projections.recap.events import RULING
from projections.recap.falls import Fall
from projections.recap.night import NightRoll

BEFORE: Final = "Before that, "
THEN: Final = "Then "
AND: Final = ", and "
IN_THE_END: Final = ", and in the end "  # where others fell behind the one who is told first


END: Final = re.compile(r"(?:Then|With that) (?:the fight|it) was .*")
BARE: Final = ("The fight was over", "It was over")
PAIR: Final = 2  # a fall, and the death that came of it


class MadeStory(Protocol):
    """A story that is made: its episodes, its parts, their deeds, and its storyteller."""

    @property
    def episodes(self) -> list[Episode]:
        """The episodes."""

    @property
    def parts(self) -> Sequence[Part]:
        """The parts."""

    @property
    def deeds(self) -> list[StoryDeed]:
        """The deeds, each of its episode."""

    @property
    def teller(self) -> Storyteller:
        """The storyteller."""


class TurningMoment(msgspec.Struct, frozen=True, kw_only=True):
    """What turned a fight, who of the characters fell before it, and who died, with the falls of which they died.

    `lost`: those who won still stand. `went_on`: others fell later, before the fight was over.
    """

    turned: tuple[Fall, ...]
    deaths: tuple[Fall, ...] = ()
    before: tuple[Fall, ...] = ()
    fight: str = ""
    lost: bool = False
    went_on: bool = False


def lead_sentences(
    story: MadeStory,
    falls: Sequence[Fall],
    night: NightRoll | None,
    characters: Collection[str],
    fallen: Collection[str] = (),
) -> Iterator[Sentence]:
    """Yield the sentences of the lead: what turned the fight, who of the characters fell before, and the end.

    The death of a character comes before all. How the fight ended is said where it was lost, or where nobody fell. An
    evening without falls begins with the ruling that ended its last fight, or with its roll of the night and the last
    ruling behind all fights. `fallen` are the conditions of those who are down.
    """
    moment = moment_of(falls, characters, {*lost_fights(story.episodes, characters, fallen)})
    if moment is None and (ruling := ruled_end(story.episodes)):
        yield from with_end(sentences_at(story, [ruling[0]]), sentences_at(story, [ruling[1]]))
        return
    if moment is None:
        told = [*with_end(sentences_at(story, [night.entry] if night else []), night_end(story, night))]
        yield from told
        known = {entry for sentence in told for entry in sentence.entries}
        yield from (each for each in sentences_at(story, last_ruling(story.episodes)) if not known & {*each.entries})
        return
    end = end_of(story, moment.fight)
    yield from with_deaths(story, [entry for entry in entries_of(moment.deaths) if entry not in end], moment.deaths)
    if not moment.lost and any(fall.kind != "left" for fall in moment.turned):
        link = IN_THE_END if moment.went_on else AND
        yield from with_end(sentences_at(story, entries_of(moment.turned)), sentences_at(story, end), link)
        yield from after(BEFORE, sentences_at(story, entries_of(moment.before)))
    elif moment.before:  # of those who left, and came away, the falls are worth more
        yield from sentences_at(story, entries_of(moment.before))
        yield from map(in_short, sentences_at(story, end))
    else:
        turned = [each for each in entries_of(moment.turned) if each not in end]
        if any(fall.entry in end and fall.kind != "left" for fall in moment.turned):
            *others, last = sentences_at(story, [*turned, *end], whole=True)
            yield from (*others, with_fall(last))
            return
        yield from sentences_at(story, turned)
        yield from map(in_short, sentences_at(story, end, whole=True))


def with_deaths(story: MadeStory, entries: Sequence[str], deaths: Sequence[Fall]) -> Iterator[Sentence]:
    """Yield what these entries came to; deaths stand in the sentence of the falls that they came of."""
    last: Sentence | None = None
    fell = {fall.who for fall in deaths if fall.kind == "fell"}
    for sentence in sentences_at(story, entries):
        dead = [fall.who for fall in deaths if fall.kind == "died" and fall.entry in sentence.entries]
        dead = [who for who in dead if who in fell]
        how = how_they_died(story, sentence)
        if last is not None and dead and {*dead} <= {*last.mentions}:
            killers = killers_of(dead, deaths, sentence) if not how else ()
            end = f"{those_who(dead, last, story)} died{how}"
            if killers:
                by = word_list([story.teller.called(who) for who in killers])
                end = f"{by} killed {those_who(dead, last, story, form='object')}"
            both = f"{last.text}, and {end}"
            last = msgspec.structs.replace(last, text=both, alone=both, entries=last.entries + sentence.entries)
            continue
        yield from [last] if last else []
        told = {fall.who for fall in deaths if fall.kind == "fell" and fall.entry in sentence.entries}
        is_by_somebody = any(fall.by for fall in deaths if fall.kind == "died" and fall.entry in sentence.entries)
        if not told.issuperset(dead) and (how or not is_by_somebody):
            text = f"{word_list([capital(story.teller.called(who)) for who in dead])} died{how}"
            sentence = msgspec.structs.replace(sentence, text=text, alone=text, mentions=tuple(dead))
        last = sentence
    yield from [last] if last else []


def killers_of(dead: Collection[str], deaths: Sequence[Fall], sentence: Sentence) -> tuple[str, ...]:
    """Return who killed those who had fallen to others; nobody where it was the same, or is not known."""
    died = {fall.by for fall in deaths if fall.kind == "died" and fall.who in dead and fall.entry in sentence.entries}
    fell = {fall.by for fall in deaths if fall.kind == "fell" and fall.who in dead}
    return next(iter(died)) if len(died) == 1 and died.isdisjoint(fell) else ()


def those_who(dead: Sequence[str], fell: Sentence, story: MadeStory, *, form: str = "subject") -> str:
    """Return what those are called who died of falls that a sentence tells: `she`, or `both`; `her` as an object."""
    if len(dead) == 1 and len(fell.mentions) <= PAIR and story.teller.pronoun(dead[0]) not in ("", "they"):
        return story.teller.pronoun(dead[0], form=form)
    if len(dead) == PAIR and len(fell.mentions) <= PAIR + 1:
        return plain_words().pair
    return word_list([story.teller.called(who) for who in dead])


def how_they_died(story: MadeStory, sentence: Sentence) -> str:
    """Return how much later somebody died, and what people said of it, where time passed: ` two hours later`."""
    episodes = (each for each in story.episodes if not {*each.entries}.isdisjoint(sentence.entries))
    passed = (fact for each in episodes for fact in each.facts if isinstance(fact, TimePassed))
    return next((f" {time_words(fact.seconds)} later" + in_brackets(said_so(fact)) for fact in passed), "")


def said_so(fact: TimePassed) -> str:
    """Return why time passed, as people said it; empty for no reason."""
    return f'"{fact.because}"' if fact.because else ""


def in_short(sentence: Sentence) -> Sentence:
    """Return the end of a fight with the first thing that is said of those who were in it."""
    whole = (sentence.alone or sentence.text).partition("; ")[0]
    text = (END.search(whole) or [whole])[0].removeprefix(THEN)
    return msgspec.structs.replace(sentence, text=capital(text), alone="")


def with_fall(sentence: Sentence) -> Sentence:
    """Return the end of a fight behind the fall that ended it, with the first thing said of those who were in it."""
    return msgspec.structs.replace(sentence, text=sentence.text.partition("; ")[0], alone="")


def with_end(told: Sequence[Sentence], end: Sequence[Sentence], link: str = AND) -> Iterator[Sentence]:
    """Yield sentences, the last with how the fight of which it tells came out; one that says no more is left out."""
    known = {entry for sentence in told for entry in sentence.entries}
    for index, sentence in enumerate(told):
        ends = [in_short(each) for each in end if not known & {*each.entries}] if index + 1 == len(told) else []
        says = [each for each in ends if each.text not in BARE]
        for each in says:
            both = f"{sentence.alone or sentence.text}{link}{each.text[:1].lower()}{each.text[1:]}"
            sentence = msgspec.structs.replace(sentence, text=both, alone=both, entries=sentence.entries + each.entries)
        yield sentence


def failures_before(story: MadeStory, falls: Iterable[Fall], characters: Collection[str]) -> dict[str, str]:
    """Return what characters failed at who fell before they did anything else, by the entry of the fall."""
    failures, down = dict[str, str](), set[str]()
    for fall in falls:
        own = [deed for deed in deeds_before(story.deeds, fall.entry) if actor_of(deed) == fall.who]
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


def deeds_before(deeds: Iterable[StoryDeed], entry: str) -> Iterator[StoryDeed]:
    """Yield the deeds before the one of an entry."""
    yield from takewhile(lambda deed: entry not in deed.entries, deeds)


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


def night_end(story: MadeStory, night: NightRoll | None) -> tuple[Sentence, ...]:
    """Return the end of the encounter in which the roll of the night was; nothing for one outside of all."""
    inside = ""
    for episode in story.episodes:
        inside = next((fact.encounter for fact in episode.facts if isinstance(fact, EncounterBegan)), inside)
        if night and night.entry in episode.entries:
            return sentences_at(story, end_of(story, inside)) if inside else ()
        inside = "" if any(isinstance(fact, EncounterEnded) for fact in episode.facts) else inside
    return ()


def is_lost_evening(
    episodes: Sequence[Episode], falls: Sequence[Fall], characters: Collection[str], fallen: Collection[str]
) -> bool:
    """Return whether the characters lost the fight that the lead is about: also to one of those who still stand."""
    lost = {*lost_fights(episodes, characters, fallen)}
    moment = moment_of(falls, characters, lost)
    if moment is None or moment.fight in lost:
        return moment is not None
    beaten = moment.lost and any(fall.by for fall in moment.turned)
    beaten = beaten or any(fall.who in characters and fall.kind == "left" for fall in moment.turned)
    return beaten or (not moment.turned and any(fall.by for fall in moment.deaths))


def lost_fights(episodes: Iterable[Episode], characters: Collection[str], fallen: Collection[str]) -> Iterator[str]:
    """Yield the fights that the characters lost."""
    lost = (each for each in episodes if is_lost(each.facts, characters, fallen))
    yield from (fact.encounter for each in lost for fact in each.facts if isinstance(fact, EncounterEnded))


def moment_of(falls: Sequence[Fall], characters: Collection[str], lost: Collection[str] = ()) -> TurningMoment | None:
    """Return what turned the last fight in which somebody fell, or fled where nobody ever fell.

    It is the last fall of a foe, of one with a name before one of several; or the falls of the characters, where the
    fight is one of those they `lost`, or one who brought them down still stands. Of a lost fight in which none of them
    fell it is their flight, and so of any fight that cost the foes nobody.
    """
    graver = [fall for fall in falls if fall.kind != "left"] or list(falls)
    if not graver:
        return None
    fight = next((fall.fight for fall in reversed(graver) if fall.fight), graver[-1].fight)
    own = [fall for fall in falls if fall.fight == fight]
    dead = list(dict.fromkeys(fall.who for fall in falls if fall.kind == "died" and fall.who in characters))
    deaths = tuple(
        fall for who in dead for fall in [each for each in falls if each.who == who][-2:] if fall.kind != "left"
    )
    own = [fall for fall in own if not any(is_end_of(later, fall) for later in own[own.index(fall) + 1 :])]
    party = [fall for fall in own if fall.who in characters and fall.kind != "left" and fall.who not in dead]
    foes = [fall for fall in own if fall.who not in characters and fall.kind != "left"]
    fled = [fall for fall in own if fall.who not in characters and fall.kind == "left"]
    up = {who for fall in party for who in fall.by} - {fall.who for fall in (*foes, *fled)} - {*characters}
    away = [fall for fall in own if fall.who in characters and fall.kind == "left"]
    if fight in lost and not party:
        return TurningMoment(turned=tuple(away[-1:]), deaths=deaths, fight=fight, lost=True)
    if party and (fight in lost or up or not (foes or fled)):
        return TurningMoment(turned=tuple(party), deaths=deaths, fight=fight, lost=True)
    named = [fall for fall in foes if not fall.who[-1:].isdigit()]
    turned = (named or foes or fled)[-1:] or away
    before = [fall for fall in party if not turned or falls.index(fall) < falls.index(turned[0])]
    later = own[own.index(turned[-1]) + 1 :] if turned else []
    went_on = any(fall.kind != "left" and fall.entry != turned[-1].entry for fall in later)
    return TurningMoment(turned=tuple(turned), before=tuple(before), deaths=deaths, fight=fight, went_on=went_on)


def is_end_of(later: Fall, fall: Fall) -> bool:
    """Return whether somebody who fell is dead by a later fall."""
    return later.who == fall.who and later.kind == "died" and fall.kind == "fell"


def entries_of(falls: Iterable[Fall]) -> list[str]:
    """Return the entries of falls, each once."""
    return list(dict.fromkeys(fall.entry for fall in falls))


def sentences_at(story: MadeStory, entries: Collection[str], *, whole: bool = False) -> tuple[Sentence, ...]:
    """Return what these entries came to, those that belong together in one sentence.

    `whole`: with how everybody came out of a fight.
    """
    deeds = [deed for deed in story.deeds if not {*deed.entries}.isdisjoint(entries)]
    told = story.teller.sentences([*map(without_asides, deeds)], apart=True) if deeds else ()
    return tuple(told) if whole else tuple(without_outcome(each) for each in told)


def without_asides(deed: StoryDeed) -> StoryDeed:
    """Return a deed without what dice did besides its results, in the words of the game."""
    clauses = [msgspec.structs.replace(clause, aside="") for clause in deed.clauses]
    return msgspec.structs.replace(deed, clauses=clauses)


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


def after(words: str, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences, the first of which follows words that say when it was."""
    for index, sentence in enumerate(sentences):
        if index:
            yield sentence
            continue
        text = sentence.alone or sentence.text
        text = f"the {text[4:]}" if text.startswith("The ") else text
        yield msgspec.structs.replace(sentence, text=f"{words}{text}", alone="")


def end_of(story: MadeStory, fight: str) -> list[str]:
    """Return the entry in which a fight ended."""
    ended = (each for each in story.episodes if any(is_end(fact, fight) for fact in each.facts))
    return [each.entries[0] for each in ended][-1:]


def is_end(fact: object, fight: str) -> bool:
    """Return whether a fact is the end of a fight."""
    return isinstance(fact, EncounterEnded) and fact.encounter == fight
