"""A session as a story: its passages in order, with a sentence for each episode that is worth one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, Protocol

import msgspec

from cli.story.likeness import is_cost, is_state_after
from cli.story.neighbours import with_blow_for
from cli.story.plain_words import says_more
from cli.story.reasons import is_in_words
from cli.story.story_deed import StoryDeed
from cli.story.tense import in_past, marked_in_past
from ledger.facts import EncounterBegan, EncounterEnded, Judged, PointsLost, PoolSet, Reached, Ruled, Told, Wounded
from ledger.names import capital
from projections.recap.episodes import Episode
from projections.recap.events import RULING

OWN_WORDS: Final = ("scene", "fiction", "quote")  # texts that stand as they are
IN_MARKS: Final = re.compile(r'["“]([^"“”]+)["”]')


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, the entries that it tells, and the beings in it; a short recap misses a heavy one most.

    `text` is as it stands in its paragraph, with pronouns for those who are named before, and `alone` as it is
    understood by itself. `notes` is the arithmetic, an entry each. `mentions` are those whom the text means.
    `changes` are the values, wounds and conditions that changed, each with whose it is; `harms` those that grew worse.
    `outcome` is the part of the text that says who still stands after a fight and who is out of it. `is_ruling`: the
    text is a ruling in the table's own words.
    """

    entries: tuple[str, ...]
    text: str
    weight: int
    alone: str = ""
    names: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    harms: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    notes: tuple[str, ...] = ()
    is_ruling: bool = False


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the story.

    `kind` is scene, fiction or quote (`text` by `by`), encounter (a paragraph that begins with `text`), round (a
    paragraph of round `text`), ruling (its sentences stand as fiction does), or empty for any other paragraph, which
    goes on with round `text` if it has one.
    `fight` is the entry in which the encounter began in which it is. A quote without an `entry` stands apart from the
    sentence before it.
    """

    kind: str
    entry: str = ""
    by: str = ""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    fight: str = ""


NO_PASSAGE: Final = Passage(kind="scene")


def without_marks(text: str) -> str:
    """Return what somebody said without the quotation marks around the whole of it: a story sets its own."""
    return whole[1] if (whole := IN_MARKS.fullmatch(text.strip())) else text


def apart(passage: Passage) -> Passage:
    """Return a passage whose sentence before it was left out: a quote does not belong to what now stands there."""
    return msgspec.structs.replace(passage, entry="") if passage.kind == "quote" else passage


def as_alone(sentence: Sentence) -> Sentence:
    """Return a sentence as it is understood without those before it."""
    return msgspec.structs.replace(sentence, text=sentence.alone or sentence.text)


def without_outcome(sentence: Sentence) -> Sentence:
    """Return a sentence that does not say how everybody came out of a fight."""
    text, alone = (part.replace(sentence.outcome, "") for part in (sentence.text, sentence.alone))
    return msgspec.structs.replace(sentence, text=text, alone=alone)


def kept_sentences(sentences: Sequence[Sentence], kept: Sequence[bool]) -> tuple[Sentence, ...]:
    """Return the sentences of a paragraph that are kept: those behind one that is not are understood by themselves."""
    before = [True, *kept][: len(kept)]
    pairs = zip(sentences, kept, before, strict=True)
    return tuple(each if follows else as_alone(each) for each, is_kept, follows in pairs if is_kept)


def is_of_another(quote: Told, teller: Storyteller) -> bool:
    """Return whether somebody speaks of another by the pronoun that would stand for the speaker behind the quote."""
    return re.search(rf"\b{teller.pronoun(quote.by)}\b", quote.text, re.IGNORECASE) is not None


class Storyteller(Protocol):
    """Tells episodes in their order."""

    def listen(self, episodes: Sequence[Episode]) -> None:
        """Take in how the people of these episodes speak, before the first deed."""

    def called(self, who: str) -> str:
        """Return what sentences call somebody: `the first guard` for `Guard 1`."""

    def pronoun(self, who: str, *, form: str = "subject") -> str:
        """Return the pronoun that stands for somebody as the subject, or as the `object`, of a sentence."""

    def deed(self, episode: Episode) -> StoryDeed | None:
        """Return what an episode comes to; None when there is nothing to tell."""

    def is_failure(self, episode: Episode) -> bool:
        """Return whether a character failed in an episode at what is against nobody."""

    def text_deed(self, fact: Told, entry: str) -> StoryDeed | None:
        """Return a text that does not stand as it is."""

    def sentences(
        self, deeds: Sequence[StoryDeed], *, apart: bool = False, after: Sequence[str] = ()
    ) -> tuple[Sentence, ...]:
        """Return the sentences of a paragraph; `apart`: outside of it, `after`: who spoke or met others before."""

    def melee(self, deeds: Sequence[StoryDeed], party: Collection[str], form: int) -> StoryDeed:
        """Return the blows of both sides as one deed; `form`: which of the ways to say it."""

    def begin_again(self) -> None:
        """Forget who is named already, to tell the same once more."""

    @property
    def characters(self) -> Collection[str]:
        """The characters of the players."""

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return an episode as a sentence of its own; None when there is nothing to tell."""


class Draft(msgspec.Struct):
    """A paragraph while deeds are added to it; `after`: who has spoken, or met others, right before it."""

    kind: str = ""
    text: str = ""
    entry: str = ""
    fight: str = ""
    after: tuple[str, ...] = ()
    deeds: list[StoryDeed] = []

    def going_on(self) -> Draft:
        """Return the paragraph that goes on behind this one, of the same round; one without deeds begins again."""
        text, kind = (self.text if self.kind != "encounter" else "", "") if self.deeds else (self.text, self.kind)
        return Draft(kind=kind, text=text, entry="" if self.deeds else self.entry, fight=self.fight)

    def passage(self, teller: Storyteller) -> Passage:
        """Return the finished paragraph."""
        sentences = teller.sentences(self.deeds, after=self.after)
        return Passage(kind=self.kind, text=self.text, entry=self.entry, sentences=sentences, fight=self.fight)


Part = Draft | Passage  # a paragraph, or somebody's own words


def parts_of(episodes: Sequence[Episode], teller: Storyteller) -> list[Part]:
    """Return the parts of a session, in order."""
    teller.listen(episodes)
    return [*_parts(with_costs(episodes, teller.is_failure), teller)]


def deeds_of(parts: Iterable[Part]) -> list[StoryDeed]:
    """Return the deeds of parts as they are before several become one sentence."""
    return [deed for part in parts if isinstance(part, Draft) for deed in part.deeds]


def passages_of(parts: Iterable[Part], teller: Storyteller) -> list[Passage]:
    """Return parts as passages; paragraphs without sentences are left out."""
    passages = (part.passage(teller) if isinstance(part, Draft) else part for part in parts)
    return [passage for passage in passages if passage.kind in OWN_WORDS or passage.sentences]


def with_costs(episodes: Iterable[Episode], is_failure: Callable[[Episode], bool]) -> list[Episode]:
    """Return episodes with what a failure cost right behind it, before what people said of it.

    That is a loss of the same character, and a ruling, with nothing but people's own words between them.
    """
    done, place = list[Episode](), None
    for episode in episodes:
        if place is not None and (is_loss_of(done[place].by, episode) or is_ruled(episode)):
            done.insert(place + 1, episode)
            place += 1
            continue
        if is_failure(episode):
            place = len(done)
        elif not all(isinstance(fact, Told) for fact in episode.facts):
            place = None
        done.append(episode)
    return done


def is_loss_of(who: str, episode: Episode) -> bool:
    """Return whether in an episode only somebody loses something, by no throw."""
    losses = (PointsLost, PoolSet, Wounded)
    lost = {fact.who for fact in episode.facts if isinstance(fact, losses)}
    return lost == {who} and not any(isinstance(fact, Judged) for fact in episode.facts)


def is_ruled(episode: Episode) -> bool:
    """Return whether an episode is nothing but a ruling in the table's own words that leaves nothing to come."""
    rulings = [fact for fact in episode.facts if isinstance(fact, Ruled)]
    return bool(rulings) and all(map(is_in_words, rulings)) and not any(says_more(fact.text) for fact in rulings)


def is_consequence(ruling: StoryDeed, before: Sequence[StoryDeed]) -> bool:
    """Return whether a ruling behind a failure, or its cost, says what came of it in words that can be in the past."""
    text = ruling.clauses[0].text
    last = [clause for deed in before[-2:] for clause in deed.clauses][-2:]
    is_behind = any(each.is_failure for each in last[-1:]) or (
        len(last) > 1 and (is_cost(*last) or is_state_after(*last))
    )
    return is_behind and not says_more(text) and bool(in_past(text))


def in_the_past(ruling: StoryDeed, teller: Storyteller) -> StoryDeed:
    """Return a ruling as what happened."""
    clause = ruling.clauses[0]
    text = marked_in_past(clause.text, {teller.called(who): who for who in teller.characters})
    told = msgspec.structs.replace(clause, text=capital(text))
    return msgspec.structs.replace(ruling, clauses=[told])


def _parts(episodes: Iterable[Episode], teller: Storyteller) -> Iterator[Part]:
    draft, party = Draft(), tuple[str, ...]()

    def add(deed: StoryDeed | None) -> None:
        last = draft.deeds.pop() if draft.deeds and deed else None
        draft.deeds += [*with_blow_for(last, deed)] if last and deed else [deed] if deed else []

    for episode in episodes:
        for fact in episode.facts:
            if isinstance(fact, Told) and fact.kind in OWN_WORDS:
                yield draft
                draft = Draft(fight=draft.fight) if fact.kind == "scene" else draft.going_on()
                draft.after = (fact.by,) if fact.kind == "quote" and not is_of_another(fact, teller) else ()
                text = without_marks(fact.text) if fact.kind == "quote" else fact.text
                yield Passage(kind=fact.kind, entry=episode.entries[0], by=fact.by, text=text, fight=draft.fight)
            elif isinstance(fact, Told):
                add(teller.text_deed(fact, episode.entries[0]))
        begun = next((fact for fact in episode.facts if isinstance(fact, EncounterBegan)), None)
        if begun is not None:
            yield draft
            party = tuple(who for _, side in begun.sides for who in side if who in teller.characters)
            draft = Draft(kind="encounter", text=begun.encounter, entry=episode.entries[0], fight=episode.entries[0])
        deed = teller.deed(episode)
        if deed is not None and deed.is_ruling and not is_consequence(deed, draft.deeds):
            yield draft
            yield Draft(kind=RULING, entry=episode.entries[0], fight=draft.fight, deeds=[deed])
            draft = draft.going_on()
        else:
            add(in_the_past(deed, teller) if deed and deed.is_ruling else deed)
        rounds = [fact.round for fact in episode.facts if isinstance(fact, Reached) and fact.point == "round"]
        if any(isinstance(fact, EncounterEnded) for fact in episode.facts):
            yield draft
            draft = Draft()
        elif rounds:
            yield draft
            met = party if draft.kind == "encounter" and len(draft.deeds) == 1 else ()
            draft = Draft(kind="round", text=str(rounds[-1]), entry=episode.entries[-1], fight=draft.fight, after=met)
    yield draft
