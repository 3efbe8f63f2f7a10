"""Long fights in few words: rounds in which nothing turned are a sentence each, and the lightest deeds are left out.

What turned a fight, people's own words, and its begin and end stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.story.clauses import BEGUN, CHANGE, FALL, GRAVE, HEALTH, HURT, TURN, WOUND
from cli.story.made_story import MadeStory
from cli.story.melee import FEW, alike_struck, is_melee, is_ours, sides_of
from cli.story.passages import Draft, Part, Passage, Sentence, Storyteller, apart, deeds_of, passages_of
from cli.story.plain_words import plain_words
from cli.story.story_deed import StoryDeed, is_heavy
from ledger.facts import EncounterBegan
from projections.recap.episodes import Episode
from projections.recap.falls import is_common

FIGHT_WORDS: Final = 115  # of a fight that needs no more for its falls
MOST_WORDS: Final = 119  # of one that needs them for what turned it, and what people's own words answer
FALL_WORDS: Final = 5
LISTED: Final = 3  # beings in blows that are told of both sides at once
LEVELS: Final = ((HURT, False), (WOUND, False), (WOUND, True))  # how grave a blow may be, and whether it runs on
replace = msgspec.structs.replace
Place = tuple[int, int]  # a part, and a deed in it
Halves = tuple[StoryDeed, StoryDeed]  # one that only leads to another, and that


class Fold:
    """Tells the fights of a session in few words.

    Args:
        teller: the storyteller.
        party: who is on the side of the characters.
        led: the entries that a lead tells, of which the story says no more than who fell.
        low: the values that characters lack at the end, with whose they are; a name that is empty stands for all.
    """

    def __init__(
        self, teller: Storyteller, party: Collection[str], led: Collection[str], low: Collection[tuple[str, str]] = ()
    ) -> None:
        self._teller, self._party, self._led, self._low = teller, party, led, low
        self._kept = set[str]()  # the entries of deeds that no fold has room for
        self._harms = set[str]()  # the entries of deeds that did what the end still says of somebody
        self._answered = set[str]()  # the entries of deeds that somebody's own words answer
        self._needed = set[str]()  # those of them that changed something, and what made somebody give up

    def fight(self, parts: list[Part]) -> list[Part]:
        """Return the parts of one fight in few words: no more is folded or left out than there has to be."""
        if self._count(parts) <= FIGHT_WORDS:
            return parts
        deeds = deeds_of(parts)
        lasting = lasting_harms(deeds, self._low)
        self._harms = entries_of(deed for deed in lasting if tells_harms(deed))
        halves = halves_of(deeds)
        kept = [deed for half, deed in halves if half.worth >= WOUND]
        kept += [deed for deed in lasting if not tells_harms(deed)]
        answered = [*answered_in(parts)]
        self._answered = entries_of(answered)
        named = [key for key in self._low if key[1] == HEALTH and not is_common(key[0])]
        needed = [*filter(has_changes, answered)]
        self._needed = entries_of([*needed, *lasting_harms(deeds, named)])
        self._kept = entries_of([*kept, *needed])
        light = self._shorten(parts, halves, CHANGE)
        ways = (light, *(self._fold(light, heaviest, runs_on=runs_on) for heaviest, runs_on in LEVELS))
        whole = (without_halves(way, halves) for way in ways)
        told = next((way for way in whole if self._count(way) <= FIGHT_WORDS), None)
        told = told or self._shorten(without_outcome(self._fold(light, WOUND, runs_on=True)), halves, GRAVE)
        return told if self._count(told) <= MOST_WORDS else self._shorten(told, halves, BEGUN)

    def _shorten(self, parts: list[Part], halves: Sequence[Halves], below: int) -> list[Part]:
        """Return parts without the deeds that are worth least, until there is room: only such `below` a worth."""
        told = parts
        while (over := self._count(told) - FIGHT_WORDS) > 0 and (least := self._least(told, over, below)):
            told = without_halves(with_deeds(told, without(deeds_by_part(told), least)), halves)
        return told

    def _count(self, parts: Iterable[Part]) -> int:
        """Return the words of the sentences of parts."""
        self._teller.begin_again()
        return sum(words_of_fights(passages_of(parts, self._teller), self._led).values())

    def _fold(self, parts: Sequence[Part], heaviest: int, *, runs_on: bool) -> list[Part]:
        """Return parts with the blows in a row that are no graver as one deed; `runs_on`: also of several rounds."""
        told, form = [*deeds_by_part(parts)], 0
        runs = (side for run in self._runs(parts, heaviest, runs_on=runs_on) for side in self._by_side(parts, run))
        for run in runs:
            deeds = [deed for part, place in run if (deed := told[part][place])]
            both = self._teller.melee(deeds, self._party, form)
            if self._length([both]) < self._length(deeds):
                form += 1
                for part, place in run:
                    told[part][place] = both if (part, place) == run[0] else None
        return with_deeds(parts, ([deed for deed in own if deed] for own in told))

    def _by_side(self, parts: Sequence[Part], run: Sequence[Place]) -> list[list[Place]]:
        """Return a run of blows; where a sentence would name more than a few, the blows of each side as their own.

        Where those of one side struck at different others, theirs are their own too.
        """
        deeds = {place: deed for place in run if (deed := [*deeds_by_part(parts)][place[0]][place[1]])}
        own = [place for place, deed in deeds.items() if is_ours(deed, self._party)]
        sides = [own, [place for place in run if place not in own]]
        names = {who for deed in deeds.values() for who in sides_of(deed, self._party)}
        is_many = max(len(names & {*self._party}), len(names - {*self._party})) > FEW
        whole = [[*run]] if is_many or len(names) <= LISTED else sides
        alike = (
            [side[place] for place in group]
            for side in whole
            for group in alike_struck([deeds[place] for place in side], self._party)
        )
        return [each for group in alike for each in several(group)]

    def _length(self, deeds: Sequence[StoryDeed]) -> int:
        """Return the words of deeds by themselves."""
        return sum(len(each.text.split()) for each in self._teller.sentences(deeds, apart=True))

    def _runs(self, parts: Sequence[Part], heaviest: int, *, runs_on: bool) -> Iterator[list[Place]]:
        """Yield the places of blows between which nothing turned, and nobody's own words stand.

        `runs_on`: also those of several rounds.
        """
        run = list[Place]()
        for index, part in enumerate(parts):
            if isinstance(part, Passage) or (part.kind == "round" and not runs_on):
                yield from several(run)
                run = []
            deeds = part.deeds if isinstance(part, Draft) else []
            for place, deed in enumerate(deeds):
                kept = self._kept if runs_on else self._kept | self._answered
                if is_melee(deed, self._party, heaviest) and kept.isdisjoint(deed.entries):
                    run.append((index, place))
                elif deed.weight >= TURN or deed.is_turn:
                    yield from several(run)
                    run = []
        yield from several(run)

    def _least(self, parts: Sequence[Part], over: int, below: int) -> set[int]:
        """Return the deeds, by identity, of the least worth with so many words; the gravest stay, and lasting harms.

        These go where nothing else is left but what somebody's own words answer.
        """
        harms = self._harms if below <= GRAVE else set[str]()
        deeds = [deed for deed in deeds_of(parts) if not is_heavy(deed) and harms.isdisjoint(deed.entries)]
        worths = {id(deed): self._worth(deed) for deed in deeds}
        deeds = [deed for deed in deeds if worths[id(deed)] < below and not (is_turn(deed) and below < GRAVE)]
        order = sorted(deeds, key=lambda deed: (worths[id(deed)], is_turn(deed), deed.worth, has_changes(deed)))
        lengths = {id(deed): self._length([deed]) for deed in order}
        least = dict[int, int]()
        while order and sum(least.values()) < over:
            deed = order.pop(0)
            least[id(deed)] = lengths[id(deed)]
        for key, length in [*reversed(least.items())][1:]:  # there may be room for some of them
            if sum(least.values()) - length >= over:
                del least[key]
        return {*least}

    def _worth(self, deed: StoryDeed) -> int:
        """Return how much a deed would be missed: most where it is needed, or people say that it turned the fight."""
        if not self._needed.isdisjoint(deed.entries):
            return FALL
        if not is_turn(deed) or deed.worth < WOUND:
            return deed.worth if self._answered.isdisjoint(deed.entries) else max(deed.worth, WOUND)
        return GRAVE if any(clause.blow for clause in deed.clauses) else FALL


def without(parts: Iterable[Sequence[StoryDeed | None]], least: Collection[int]) -> list[list[StoryDeed]]:
    """Return the deeds of parts without some, by identity; their arithmetic stays with the deed before or behind."""
    kept, notes = list[list[StoryDeed]](), tuple[str, ...]()
    for own in parts:
        kept.append([])
        for deed in filter(None, own):
            before = next((each for each in reversed(kept) if each), None)
            if id(deed) not in least:
                kept[-1].append(replace(deed, notes=notes + deed.notes))
                notes = ()
            elif before:
                before[-1] = replace(before[-1], notes=before[-1].notes + deed.notes)
            else:
                notes += deed.notes
    return kept


def several(run: list[Place]) -> list[list[Place]]:
    """Return a run of blows as the only one of a list; nothing for one that is no run."""
    return [run] if len(run) > 1 else []


def entries_of(deeds: Iterable[StoryDeed]) -> set[str]:
    """Return the entries of deeds."""
    return {entry for deed in deeds for entry in deed.entries}


def answered_in(parts: Sequence[Part]) -> Iterator[StoryDeed]:
    """Yield the deeds that somebody's own words answer: the last one before them that did something, or else the last.

    Nobody's but those of one who had a part in it.
    """
    for own, part in zip(deeds_by_part(parts), [*parts[1:], None], strict=True):
        if isinstance(part, Passage):
            by = part.by if part.kind == "quote" else ""
            deeds = [deed for deed in own if deed and not deed.is_half and (not by or by in deed.names)]
            yield from [deed for deed in deeds if deed.worth >= CHANGE][-1:] or deeds[-1:]


def is_turn(deed: StoryDeed) -> bool:
    """Return whether a deed turned the fight by itself."""
    return deed.is_turn and not deed.is_half


def lasting_harms(deeds: Iterable[StoryDeed], low: Collection[tuple[str, str]]) -> list[StoryDeed]:
    """Return the deeds of a fight that tell the last harm to a value that is still `low`.

    Who fell later needs none of them: the fall tells it. A scratch is not worth a word.
    """
    last, fallen = list[StoryDeed](), set[tuple[str, str]]()
    for deed in reversed([deed for deed in deeds if not is_scratch(deed)]):
        news = {key for key in deed.harms if key not in fallen and (key in low or (key[0], "") in low)}
        news = {key for key in news if (key[0], "") not in fallen}
        last += [deed] if news else []
        fallen |= {*deed.harms} | ({(who, "") for who, _ in deed.harms} if is_heavy(deed) else set())
    return last


def is_scratch(deed: StoryDeed) -> bool:
    """Return whether a deed did no more than scratch somebody."""
    hows = [effect.how for clause in deed.clauses for effect in clause.effects if not effect.bare]
    return bool(hows) and {*hows} <= {plain_words().harm[0]}


def tells_harms(deed: StoryDeed) -> bool:
    """Return whether a deed says of everybody whom it harmed how they are then; one without a blow says no more."""
    if not any(clause.blow for clause in deed.clauses):
        return True
    told = {each.whose for clause in deed.clauses for each in (*clause.caused, *clause.effects) if not each.bare}
    return {who for who, _ in deed.harms} <= told


def halves_of(deeds: Sequence[StoryDeed]) -> list[Halves]:
    """Return the deeds that only lead to another, each with the next deed of somebody who is in it."""
    halves = list[Halves]()
    for index, half in enumerate(deeds):
        behind = (each for each in deeds[index + 1 :] if not each.is_half and {*half.names} & {*each.names})
        if half.is_half and (deed := next(behind, None)):
            halves.append((half, deed))
    return halves


def without_halves(parts: Sequence[Part], halves: Iterable[Halves]) -> list[Part]:
    """Return parts without the deeds that led to one that is not there any more, or that is one with others."""
    told = {deed.entries: deed for deed in deeds_of(parts)}
    lone = {id(told[half.entries]) for half, deed in halves if half.entries in told and deed.entries not in told}
    return with_deeds(parts, without(deeds_by_part(parts), lone)) if lone else [*parts]


def has_changes(deed: StoryDeed) -> bool:
    """Return whether a deed says what it changed."""
    return any(clause.changes for clause in deed.clauses)


def without_outcome(parts: Iterable[Part]) -> list[Part]:
    """Return parts without how each came out of the fight, which the state at the end tells as well."""
    return [
        replace(part, deeds=[replace(deed, outcome="") for deed in part.deeds]) if isinstance(part, Draft) else part
        for part in parts
    ]


def deeds_by_part(parts: Iterable[Part]) -> Iterator[list[StoryDeed | None]]:
    """Yield the deeds of each part."""
    for part in parts:
        yield list[StoryDeed | None](part.deeds if isinstance(part, Draft) else ())


def with_deeds(parts: Sequence[Part], deeds: Iterable[Sequence[StoryDeed]]) -> list[Part]:
    """Return parts with other deeds; a quote behind one that is not there any more stands apart.

    It does not where whoever speaks had a part in the one that is there.
    """
    new, is_changed, last = list[Part](), False, list[StoryDeed]()
    for part, own in zip(parts, deeds, strict=True):
        if isinstance(part, Passage):
            new.append(apart(part) if is_changed and not any(each and part.by in each.names for each in last) else part)
        else:
            last, is_changed = [*own[-1:]], own[-1:] != part.deeds[-1:]
            new.append(replace(part, deeds=[*own]))
    return new


def words_of_fights(passages: Iterable[Passage], led: Collection[str]) -> dict[str, int]:
    """Return how many words the sentences of each fight have. Of one whose entries are all `led` few are left."""
    words = Counter[str]()
    for passage in passages:
        for sentence in passage.sentences:
            is_led = {*sentence.entries} <= {*led}
            words[passage.fight] += FALL_WORDS if is_led else len(sentence.text.split())
    return words


def party_in(done: Iterable[Episode], characters: Collection[str]) -> set[str]:
    """Return the characters, and all who were on their side in an encounter."""
    begun = (fact for each in done for fact in each.facts if isinstance(fact, EncounterBegan))
    sides = (members for fact in begun for _, members in fact.sides)
    return {*characters, *(who for side in sides if not {*characters}.isdisjoint(side) for who in side)}


def brief_passages(
    story: MadeStory,
    passages: list[Passage],
    lead: Iterable[Sentence],
    characters: Collection[str],
    low: Collection[tuple[str, str]],
) -> list[Passage]:
    """Return the passages of a session, its long fights in few words."""
    led = {entry for sentence in lead for entry in sentence.entries}
    long = [fight for fight, words in words_of_fights(passages, led).items() if fight and words > FIGHT_WORDS]
    if not long:
        return passages
    told, fold = [*story.parts], Fold(story.teller, party_in(story.episodes, characters), led, low)
    for fight in long:
        places = [index for index, part in enumerate(told) if part.fight == fight]
        for place, part in zip(places, fold.fight([told[place] for place in places]), strict=True):
            told[place] = part
    story.teller.begin_again()
    return passages_of(told, story.teller)
