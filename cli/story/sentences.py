"""Deeds as sentences, with the words of the book: who did what, how it came out, and what it changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.parts import in_brackets
from cli.phrases.patterns import NAMED, Fields, fill, fill_but_verbs, find_pattern, mark_verb
from cli.phrases.phrase import template
from cli.phrases.verbs import OBJECTS
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.being_names import BeingNames
from cli.story.book_words import fall_words
from cli.story.clause_list import ClauseList
from cli.story.clauses import FAILED, NOTHING, PAID, RULED, SMALL, Clause, change_of_one, net, say_only_falls
from cli.story.costs import costs_of, without_ease
from cli.story.deeds import Paragraph
from cli.story.effects import Effects
from cli.story.fight_end import FightEnd, is_peaceful
from cli.story.intents import Meant, is_named, targets_of_intents
from cli.story.melee import melee
from cli.story.neighbours import link_shields
from cli.story.notes import note_of
from cli.story.page import Storytellers
from cli.story.passages import Sentence
from cli.story.persons import Persons
from cli.story.plain_words import place_in, small_start, time_words
from cli.story.reasons import (
    helper_words,
    is_in_words,
    is_reason,
    quoted,
    reason_of,
    reason_to_leave,
    ruling_clause,
    say_cure,
    say_how,
)
from cli.story.remarks import told_beside
from cli.story.results import Results, blow_for
from cli.story.story_deed import StoryDeed, felled_in, is_heavy
from cli.story.task_words import as_done, texts_of
from cli.story.voice import PART, Voice
from cli.story.weights import Weights, changes, is_spent_token, names_in, told_facts
from ledger.facts import (
    ConditionBegan,
    ConditionEnded,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Judged,
    Rested,
    Ruled,
    TimePassed,
    Told,
)
from ledger.names import escape
from projections.recap.episodes import Episode, final_results
from projections.recap.outcomes import Outcome, outcome_in
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.option_texts import Option
from rulebooks.common.texts import Lexicon

replace = msgspec.structs.replace
TRIED: Final = ("task_to", "text_to", "reason_to", "note_to")  # what somebody does, in their own words
SHORT: Final = 60  # seconds that need no sentence
NO_OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({})


class Teller:
    """Tells the episodes of a session in their order.

    Args:
        lexicon: the words of the book.
        narration: what a story says otherwise.
        before: the state before the first episode.
        persons: who is who.
        options: the questions that the book leaves to the table, by name.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        narration: Narration,
        before: State,
        persons: Persons,
        options: Mapping[str, Option] = NO_OPTIONS,
    ) -> None:
        self.narration, self.wording, self.options = narration, lexicon.wording, options
        self.verbs = {*narration.tasks, *(word for words in lexicon.words.values() for word in words)}
        self.names = BeingNames(narration, before, persons)
        self.effects = Effects(lexicon, narration, before, self.names)
        self.results = Results(narration, lexicon.wording, self.names, lambda: self.effects.fallen)
        self.weights = Weights(narration, lexicon.wording, self.names.characters)
        self.paragraphs, self.voice = Paragraph(self.results), Voice(self.names)
        self.fights = len(before.encounters)
        self.targets = dict[int, frozenset[str]]()  # whom somebody acted against who meant to, by id of an episode
        self._meant = Meant()
        self._place = ""  # where the scene is, until somebody has done something there
        self.peaceful = set[str]()  # encounters in which nobody is against anybody

    def listen(self, episodes: Sequence[Episode]) -> None:
        """Take in how the people of these episodes speak, and whom they mean to act against, before the first deed."""
        self.names.listen(episodes)
        self.targets = dict(targets_of_intents(episodes, self.narration.intents))

    def called(self, who: str) -> str:
        """Return what sentences call somebody: `the first guard` for `Guard 1`, and the short name of who has one."""
        short = self.names.persons.short(who)
        return short if short != who or who in self.names.characters else self.names.word_for(escape(who))

    def pronoun(self, who: str, *, form: str = "subject") -> str:
        """Return the pronoun that stands for somebody as the subject, or as the `object`, of a sentence."""
        pronouns = self.names.persons.pronouns(who)
        return pronouns.object if form == "object" else pronouns.subject

    def sentences(
        self, deeds: Sequence[StoryDeed], *, apart: bool = False, after: Sequence[str] = ()
    ) -> tuple[Sentence, ...]:
        """Return the sentences of a paragraph; `apart`: outside of it, `after`: who spoke or met others before."""
        paragraphs = Paragraph(self.results) if apart else self.paragraphs
        merged = paragraphs.merge(deeds)
        texts = [paragraphs.text(deed) for deed in merged]
        heavy = {text: felled_in(deed) for deed, text in zip(merged, texts, strict=True) if is_heavy(deed)}
        said = self.voice.paragraph(texts, heavy, [*map(escape, after)])
        return tuple(self._sentence(*parts) for parts in zip(merged, texts, said, strict=True))

    def _sentence(self, deed: StoryDeed, marked: str, said: str) -> Sentence:
        """Return a sentence as its paragraph says it, and as it stands by itself."""
        text, _, outcome = said.partition(PART)
        return Sentence(
            entries=deed.entries,
            text=text + outcome,
            alone=self.voice.alone(marked.removeprefix(deed.clauses[0].lead)).replace(PART, ""),
            weight=deed.weight,
            names=deed.names,
            mentions=tuple(dict.fromkeys(NAMED.findall(marked))),
            harms=deed.harms,
            changes=deed.changes,
            outcome=outcome,
            notes=deed.notes,
            is_ruling=deed.is_ruling,
        )

    @property
    def characters(self) -> frozenset[str]:
        """The characters of the players."""
        return self.names.characters

    def melee(self, deeds: Sequence[StoryDeed], party: Collection[str], form: int) -> StoryDeed:
        """Return the blows of both sides as one deed; `form`: which of the ways to say it."""
        return melee(deeds, party, self.names, form)

    def begin_again(self) -> None:
        """Forget who is named already, to tell the same once more."""
        self.paragraphs, self.voice = Paragraph(self.results), Voice(self.names)

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return an episode as a sentence of its own; None when there is nothing to tell."""
        deed = self.deed(episode)
        return None if deed is None else self.sentences([deed], apart=True)[0]

    def deed(self, episode: Episode) -> StoryDeed | None:
        """Return what an episode comes to; None when there is nothing to tell."""
        self.names.add(episode.facts)
        scenes = [fact.text for fact in episode.facts if isinstance(fact, Told) and fact.kind == "scene"]
        self._place = place_in(scenes[-1]) if scenes else self._place
        if any(isinstance(fact, EncounterBegan) for fact in episode.facts):
            self.results.begin()
            self._meant.begin()
        news = [fact for fact in episode.facts if not self.effects.is_again(fact)]
        clauses = [] if self._is_again(episode) or self._is_done_as_said(episode) else self._clauses(episode)
        self.fights += sum(isinstance(fact, EncounterBegan) for fact in episode.facts)
        self.fights -= sum(isinstance(fact, EncounterEnded) for fact in episode.facts)
        outcome = "".join(self._outcomes(episode))
        if not clauses:
            return None
        judged = (fact for fact in episode.facts if isinstance(fact, Judged))
        results = [fact for fact in judged if self.results.pattern_of(fact, episode.said)[0]]
        weight = self.weights.weight(episode, clauses, results, in_fight=self.fights > 0)
        is_failure = self.is_failure(episode)
        if not self.fights:
            is_paid = episode.by in self.characters and any(map(is_spent_token, episode.facts))
            weight = max(weight, FAILED if is_failure else PAID if is_paid else weight)
        self._finish(clauses, episode)
        return StoryDeed(
            entries=tuple(episode.entries),
            clauses=clauses,
            weight=weight,
            names=tuple(dict.fromkeys(names_in(episode))),
            harms=tuple(dict.fromkeys(key for fact in news for key in self.weights.harms(fact, episode))),
            changes=tuple(dict.fromkeys(key for fact in news for key in changes(fact))),
            outcome=outcome,
            notes=(note_of(episode, self.wording),),
            is_turn=link_shields(clauses) or self.weights.is_turn(episode, clauses, is_failure=is_failure),
            worth=self.weights.worth(episode, clauses, weight, is_failure=is_failure),
            is_half=self.weights.is_half(episode, clauses),
        )

    def _is_done_as_said(self, episode: Episode) -> bool:
        """Return whether an episode only says what somebody means to do, and does: against one of those it names."""
        targets = self.targets.get(id(episode), frozenset())
        named = self._named_in(str(episode.said.get("text", "")))
        return bool(targets) and (not named or not named.isdisjoint(targets))

    def _is_again(self, episode: Episode) -> bool:
        """Return whether an episode only says that somebody still means to do what they meant to do before."""
        is_intent = episode.said.get("say") in self.narration.intents
        return is_intent and self._meant.is_again(episode.by, str(episode.said.get("text", "")))

    def _named_in(self, text: str) -> set[str]:
        """Return whom a text names."""
        return {who for who in self.names.kinds if is_named(self.called(who), text)}

    def _outcomes(self, episode: Episode) -> Iterator[str]:
        """Yield how everybody came out of the fights that end in an episode; it remembers who falls in it.

        Whom the reason of the end names may have given up: that they still stand is not said.
        """
        for fact in episode.facts:
            if isinstance(fact, EncounterEnded) and (outcome := self._outcome(episode)):
                named = self._named_in(fact.because)
                outcome = replace(outcome, stand=tuple(who for who in outcome.stand if who not in named))
                is_fight = fact.encounter not in self.peaceful
                out = {who: self.effects.fallen.get(who, how) for who, how in fact.out}
                yield FightEnd(outcome, out, self.narration, self.names, is_fight=is_fight).sentence()
        self.effects.follow(episode.facts)

    def _finish(self, clauses: list[Clause], episode: Episode) -> None:
        """Say in the clauses of an episode what was paid, and what a blow caused instead of the blow."""
        for clause in clauses:
            clause.words = [each for each in clause.words if is_reason(each)]
            if clause.blow is None:  # of what becomes of several the characters come first
                clause.effects.sort(key=lambda effect: effect.whose not in self.names.characters)
        paid = next((clause for clause in clauses if clause.blow is not None), clauses[-1])
        is_ruling = any(isinstance(fact, Ruled) and is_in_words(fact) for fact in episode.facts)
        for clause in clauses:
            if not clause.text and (change := change_of_one(clause.changes)):
                clause.text, clause.effects = change.text, [each for each in clause.changes if each is not change]
                say_how(clause, reason_to_leave(episode))
                clause.blow = blow_for(change, episode.by, self.names.characters)
            say_cure(clause, episode)
            self.results.name_fall(clause)
            if is_ruling or clause.apart:  # a ruling says itself what it changes, and an end frees everybody
                say_only_falls(clause, self._named_in(clause.text) if is_ruling else ())
        paid.costs = [*paid.costs, *costs_of(episode, paid, self.narration.costs, self.results.is_failure)]
        without_ease(paid)

    def is_failure(self, episode: Episode) -> bool:
        """Return whether a character failed in an episode at what is against nobody."""
        final = final_results(episode.facts)
        is_own = episode.by in self.names.characters
        own = [each for each in final if is_own and each.who == episode.by and not each.against]
        return any(self.results.is_failure(each) or each.result in self.narration.poor for each in own)

    def text_deed(self, fact: Told, entry: str) -> StoryDeed | None:
        """Return a text that does not stand as it is."""
        pattern = self.narration.told.get(fact.kind, "{by}: {text}")
        fields = {**texts_of({"text": fact.text}, self.verbs), "by": self.names(fact.by)}
        text = fill_but_verbs(pattern, fields)
        return StoryDeed(entries=(entry,), clauses=[Clause(text)], weight=SMALL, names=(fact.by,)) if text else None

    def _clauses(self, episode: Episode) -> list[Clause]:
        """Return the clauses of an episode: each event and result with its effects, or the effects alone."""
        said = texts_of(self.names.in_texts(episode.said), self.verbs, past=True)
        said |= self._with_place(said)
        whole = {name: self.narration.tasks[task] for name, task in said.items() if task in self.narration.tasks}
        said |= whole | {f"{name[:-3]}_did": as_done(task) for name, task in whole.items() if name.endswith("_to")}
        parts = ClauseList(self.results, episode, said)
        for fact in told_facts(episode.facts):
            if isinstance(fact, Judged):
                if not self._is_vigil(fact, episode):
                    parts.add_result(fact)
            else:
                parts.add_event(fact, self._event(fact, episode))
            parts.add_effect(self.effects.effect(fact, episode))
        return parts.clauses or self._line_clause(episode, said, parts)

    def _with_place(self, said: Mapping[str, str]) -> dict[str, str]:
        """Return tasks of one word with where the scene is, the first of a scene: `swim below the fish market`."""
        tasks = {name: said[name] for name in TRIED if " " not in said.get(name, " ")}
        own = {name: task for name, task in tasks.items() if task not in self.narration.tasks and self._place}
        whole = {name: f"{task} {self._place}" for name, task in own.items()}
        self._place = "" if whole else self._place
        return {**whole, **{f"{name[:-3]}_did": as_done(task) for name, task in whole.items()}}

    def _is_vigil(self, fact: Judged, episode: Episode) -> bool:
        """Return whether a result is of one of the others who is down, and leaves them so."""
        is_other = fact.who in self.effects.fallen and fact.who not in self.names.characters
        if not is_other or fact.against not in ("", fact.who):
            return False
        changed = (each for each in episode.facts if isinstance(each, ConditionBegan | ConditionEnded))
        news = (each for each in changed if isinstance(each, ConditionEnded) or each.id not in self.effects.conditions)
        return not any(each.who == fact.who for each in news)

    def _line_clause(self, episode: Episode, said: Fields, parts: ClauseList) -> list[Clause]:
        """Return a clause for an episode without events and results: its line in the words of the book, or effects."""
        reasons, effects = parts.reasons, parts.early
        thing = str(said.get("text_thing", ""))
        said = {**said, "text_foe": thing if thing and self._named_in(thing) - self.names.characters else ""}
        pattern, _ = find_pattern(self.narration.lines, str(said.get("say", "")), said.get("text", "")) or ("", "")
        line = fill_but_verbs(pattern, {**self._with_names(said), "by": self.names(episode.by)})
        if reasons and not line and not effects:
            line, reasons = f"{self.names(episode.by)}: {', '.join(reasons)}", []
        if line.startswith("("):
            line, reasons = "", [line[1:-1], *reasons]
        reasons = reasons or ([] if line else quoted(reason_of(episode) or reason_to_leave(episode)))
        if line or any(effect.weight > NOTHING and not effect.minor for effect in net(effects)):
            return [Clause(line, words=[each for each in reasons if each], effects=effects)]
        return []

    def _with_names(self, said: Fields) -> Fields:
        """Return the texts of a declaration with marks for those in play."""
        return {name: self.names(text) if text in self.names.kinds else text for name, text in said.items()}

    def _event(self, fact: Fact, episode: Episode) -> Clause | None:
        """Return what happened besides results; None for facts that are effects or bookkeeping."""
        phrase = phrase_of(fact, self.wording, self.names)
        bare = template(msgspec.structs.replace(phrase, why="", note=""))
        match fact:
            case EncounterBegan():
                return Clause(self._meeting(fact, episode))
            case EncounterEnded():
                is_own = fact.because and fact.because in episode.said.values()  # not one of the book
                reason = [f'"{escape(fact.because)}"'] if is_own else []
                what = "it" if fact.encounter in self.peaceful else "the fight"
                by_blow = any(isinstance(each, Judged) for each in episode.facts)
                outcome = None if fact.encounter in self.peaceful else self._outcome(episode)
                end = outcome.result if outcome else "over"
                over = f"{'with that' if by_blow else 'then'} {what} {mark_verb('be', plural=False)} {end}"
                return Clause(over, words=reason, apart=True)
            case Rested() if self.effects.fallen.get(fact.who) in self.narration.lost:
                return None
            case Rested():
                return Clause(bare, tail="" if fact.whole else ", disturbed")
            case TimePassed() if fact.because in self.narration.untold:
                return None
            case TimePassed() if fact.seconds >= SHORT and not any(isinstance(each, Rested) for each in episode.facts):
                passed = f"{time_words(fact.seconds)} {mark_verb('pass', plural=True)}"
                return Clause(passed, tail=in_brackets(*quoted(phrase.why)))
            case Ruled():
                return ruling_clause(self._ruling(fact, episode), fact)
        return None

    def _outcome(self, episode: Episode) -> Outcome | None:
        """Return how the fight came out that ends in an episode; None where none does."""
        return outcome_in(episode.facts, self.names.characters, fall_words(self.narration))

    def _meeting(self, fact: EncounterBegan, episode: Episode) -> str:
        """Return who meets whom: `Kess and Orrin faced the thug`."""
        sides = sorted((who for _, who in fact.sides if who), key=self.names.characters.isdisjoint)
        if is_peaceful(fact, episode, self.narration) or len(sides) < 2:
            self.peaceful.add(fact.encounter)
            if not sides:
                return ""
            rest = self.names.in_list([who for side in sides[1:] for who in side])
            are_there = f"{mark_verb('be', plural=len(sides[0]) > 1)} there"
            return f"{self.names.in_list(sides[0])} {are_there}{f' with {rest}' if rest else ''}"
        first, others = self.names.in_list(sides[0]), self.names.in_list([who for side in sides[1:] for who in side])
        return f"{first} {mark_verb('face', plural=len(sides[0]) > 1)} {others}"

    def _ruling(self, fact: Ruled, episode: Episode) -> str:
        """Return a ruling in the table's own words as it stands, or how the sentences of the book have it."""
        own, because = map(self.names.in_text, (fact.text.strip().rstrip("."), fact.because))
        if is_in_words(fact):
            return escape(own)
        names = [*(f"{fact.name} {each.result}" for each in final_results(episode.facts)), fact.name]
        pattern = next((self.narration.rulings[name] for name in names if name in self.narration.rulings), RULED)
        said = {"text": small_start(own) if pattern is RULED else self.names.in_text(fact.text), "because": because}
        texts = texts_of(said, self.verbs, past=True) | told_beside(said)
        texts |= helper_words(fact.because, self.names, self.called)
        if fact.name in self.narration.places and fact.because.partition(" ")[0].casefold() in OBJECTS:
            self.results.places[str(episode.said.get("who", ""))] = fill(self.narration.places[fact.name], texts)
        fields = {**self._with_names(texts), "about": fact.about, "by": self.names(episode.by)}
        return fill_but_verbs(pattern, fields)


def storytellers(book: Game, table: NameTable = NO_NAMES, voice: Narration | None = None) -> Storytellers:
    """Return what makes the teller of a session of this book, of the state before it and at its end.

    `voice`: the sentences that a table has made its own.
    """
    texts = book.texts()
    narration = voice or texts.narration
    return lambda before, after: Teller(texts.lexicon, narration, before, Persons(after, table), texts.options)
