"""Deeds as sentences, with the words of the book: who did what, how it came out, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.phrases.encounters import over_line
from cli.phrases.fact_phrases import phrase_of
from cli.phrases.facts import readable
from cli.phrases.patterns import Fields, fill, find_pattern
from cli.phrases.phrase import clause
from cli.phrases.verbs import conjugate
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.being_names import BeingNames
from cli.story.clause_list import ClauseList
from cli.story.clauses import NOTHING, SMALL, Clause, joined_clauses, net, person
from cli.story.effects import Effects
from cli.story.page import Storytellers
from cli.story.passages import Sentence
from cli.story.persons import Persons
from cli.story.results import Results, texts_of
from cli.story.weights import Weights, changes, names_in
from ledger.facts import (
    ConditionBegan,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Judged,
    OptionSet,
    PointsLost,
    PointsSpent,
    PoolSet,
    Rested,
    Ruled,
    SheetChanged,
    TimePassed,
    TokensMoved,
    Told,
    WoundChanged,
    Wounded,
)
from ledger.names import capital, word_list
from projections.recap.episodes import Episode, final_results
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon, Option

SHORT: Final = 60  # seconds that need no sentence
NO_OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({})
RULES: Final = "the game master rules: "

replace = msgspec.structs.replace


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
        self.names = BeingNames(narration, before, persons.characters)
        self.effects = Effects(lexicon, narration, before, self.names)
        self.results = Results(narration, lexicon.wording, self.names)
        self.weights = Weights(narration, lexicon.wording, self.names.characters)
        self.fights = len(before.encounters)

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return the sentence of an episode; None when there is nothing to tell."""
        self.names.add(episode.facts)
        news = [fact for fact in episode.facts if not self.effects.is_again(fact)]
        clauses = self._clauses(episode)
        began = sum(isinstance(fact, EncounterBegan) for fact in episode.facts)
        self.fights += began - sum(isinstance(fact, EncounterEnded) for fact in episode.facts)
        if not clauses:
            return None
        next((clause for clause in clauses if clause.notes), clauses[-1]).notes += self._costs(episode)
        judged = [fact for fact in episode.facts if isinstance(fact, Judged)]
        results = [fact for fact in judged if self.results.pattern_of(fact, episode.said)[0]]
        return Sentence(
            entries=tuple(episode.entries),
            text=capital(joined_clauses(clauses, episode.by)),
            weight=self.weights.weight(episode, clauses, results, in_fight=self.fights > 0),
            names=tuple(dict.fromkeys(names_in(episode))),
            harms=tuple(dict.fromkeys(key for fact in news for key in self._harms(fact))),
            changes=tuple(dict.fromkeys(key for fact in news for key in changes(fact))),
            outcome="".join(self._outcome(fact) for fact in episode.facts if isinstance(fact, EncounterEnded)),
        )

    def _harms(self, fact: Fact) -> Iterator[tuple[str, str]]:
        """Yield what a fact makes worse that a story should not leave so if it is better at the end."""
        if isinstance(fact, PointsLost | Wounded) or (
            isinstance(fact, ConditionBegan) and fact.name in self.narration.grave
        ):
            yield from changes(fact)

    def text_sentence(self, fact: Told, entry: str) -> Sentence | None:
        """Return the sentence of a text that does not stand as it is."""
        pattern = self.narration.told.get(fact.kind, "{by}: {text}")
        text = fill(pattern, {"by": self.names(fact.by), "text": fact.text})
        return Sentence(entries=(entry,), text=capital(text), weight=SMALL, names=(fact.by,)) if text else None

    def _clauses(self, episode: Episode) -> list[Clause]:
        """Return the clauses of an episode: each event and result with its effects, or the effects alone."""
        said = texts_of(episode.said, self.verbs)
        said |= {name: self.narration.tasks[task] for name, task in said.items() if task in self.narration.tasks}
        parts = ClauseList(self.results, episode, said)
        for fact in told_facts(episode.facts):
            if isinstance(fact, Judged):
                parts.add_result(fact)
            else:
                parts.add_event(fact, self._event(fact, episode))
            parts.add_effect(self.effects.effect(fact, episode))
        return parts.clauses or self._line_clause(episode, said, parts)

    def _line_clause(self, episode: Episode, said: Fields, parts: ClauseList) -> list[Clause]:
        """Return a clause for an episode without events and results: its line in the words of the book, or effects."""
        reasons, effects = parts.reasons, parts.early
        pattern, _ = find_pattern(self.narration.lines, str(said.get("say", "")), said.get("text", "")) or ("", "")
        line = fill(pattern, {**said, "by": self.names(episode.by)})
        if reasons and not line and not net(effects):
            line, reasons = f"{person(episode.by)}: {', '.join(reasons)}", []
        reasons = reasons or ([] if line else [reason_of(episode)])
        if line or any(effect.weight > NOTHING and not effect.minor for effect in net(effects)):
            return [Clause(line, episode.by if line else "", reasons, effects=effects)]
        return []

    def _event(self, fact: Fact, episode: Episode) -> Clause | None:
        """Return what happened besides results; None for facts that are effects or bookkeeping."""
        phrase = phrase_of(fact, self.wording, self.names)
        bare = clause(replace(phrase, why="", note=""))
        match fact:
            case EncounterBegan():
                return Clause(self._meeting(fact))
            case EncounterEnded():
                return Clause(over_line(fact) + self._outcome(fact))
            case Rested():
                return Clause(bare, fact.who, [] if fact.whole else ["disturbed"])
            case TimePassed() if fact.seconds >= SHORT and not any(isinstance(each, Rested) for each in episode.facts):
                return Clause(bare, notes=[phrase.why])
            case Ruled():
                text = self._ruling(fact, episode)
                return Clause(text) if text else None
            case OptionSet():
                option = self.options.get(fact.name)
                answer = f": {option.question} Now: {option.meaning(fact.now)}" if option else ""
                return Clause(f"the table settles how it plays{answer}", notes=[phrase.why])
        return None

    def _meeting(self, fact: EncounterBegan) -> str:
        """Return who meets whom: `Kess and Orrin against Thug`."""
        sides = sorted((who for _, who in fact.sides if who), key=self.names.characters.isdisjoint)
        if {fact.kind, fact.scale} & {*self.narration.peaceful}:
            return f"here are {word_list([person(who) for side in sides for who in side])}"
        return " against ".join(word_list(list(map(person, who))) for who in sides)

    def _outcome(self, fact: EncounterEnded) -> str:
        """Return who of the others still stands after a fight, and who is out of it and how."""
        others = [person(who) for _, side in fact.stand if self.names.characters.isdisjoint(side) for who in side]
        left = word_list(others)
        out = [f"{person(who)} ({readable(how)})" for who, how in fact.out]
        stand = f"; {left} still {conjugate('stand', left)}" if left else ""
        return stand + (f"; out of it: {', '.join(out)}" if out else "")

    def _ruling(self, fact: Ruled, episode: Episode) -> str:
        """Return a ruling, or what it is called in the book."""
        pattern = self.narration.rulings.get(fact.name)
        if pattern is None:
            pattern = f"{RULES}{{text}}[ ({{because}})]" if fact.name == "ruling" else "{text}[ ({because})]"
        fields = {"text": fact.text, "because": fact.because, "about": fact.about, "by": person(episode.by)}
        return fill(pattern, fields)

    def _costs(self, episode: Episode) -> list[str]:
        """Return what was paid for a roll, in the words of the book."""
        paid = (fact for fact in episode.facts if isinstance(fact, PointsSpent) or is_spent_token(fact))
        reasons = dict.fromkeys(str(getattr(fact, "because", "")) for fact in paid)
        costs = (fill(self.narration.costs.get(reason.split(" ")[0], ""), {"because": reason}) for reason in reasons)
        return [cost for cost in costs if cost]


def storytellers(book: Game, table: NameTable = NO_NAMES) -> Storytellers:
    """Return what makes the teller of a session of this book, of the state before it and at its end."""
    texts = book.texts()
    return lambda before, after: Teller(texts.lexicon, texts.narration, before, Persons(after, table), texts.options)


def told_facts(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts without the results that were judged anew."""
    final = {id(fact) for fact in final_results(facts)}
    yield from (fact for fact in facts if not isinstance(fact, Judged) or id(fact) in final)


def reason_of(episode: Episode) -> str:
    """Return why a sheet, a pool or a wound was changed without more words."""
    changed = (fact.because for fact in episode.facts if isinstance(fact, SheetChanged | WoundChanged | PoolSet))
    return readable(next((reason for reason in changed if reason), ""))


def is_spent_token(fact: Fact) -> bool:
    """Return whether a token was given away."""
    return isinstance(fact, TokensMoved) and fact.change < 0
