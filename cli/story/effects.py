"""What the facts of an episode changed, as effects: the phrases of the facts, less what a story leaves out."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.phrases.conditions import begin_template, begins_again, end_template, is_completed
from cli.phrases.fact_phrases import phrase_of
from cli.phrases.facts import readable, wound_name
from cli.phrases.phrase import Phrase, template
from cli.story.being_names import BeingNames
from cli.story.clauses import CHANGE, GRAVE, HURT, NOTHING, TextEffect, person
from cli.story.weights import condition_weight
from ledger import facts
from ledger.names import escape
from projections.recap.episodes import Episode
from projections.state import State
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon

replace = msgspec.structs.replace
NUMBERS: Final = (facts.PointsLost, facts.PointsRegained, facts.PointsSpent, facts.PoolSet, facts.TokensMoved)


class Effects:
    """Tells what facts changed; it remembers conditions, wounds and health, so that it says nothing twice.

    Args:
        lexicon: the words of the book.
        narration: what a story says otherwise.
        before: the state before the first episode.
        names: how somebody is called.
    """

    def __init__(self, lexicon: Lexicon, narration: Narration, before: State, names: BeingNames) -> None:
        self.narration, self.wording, self.names = narration, lexicon.wording, names
        self.vital = lexicon.vital_value
        self.conditions = {id: item.degree for id, item in before.conditions.items()}
        wounds = sorted(before.wounds.items(), key=lambda pair: pair[1].taken)
        self.wounds = {id: wound.value for id, wound in wounds}  # of each being the oldest first
        self.parts = {id: wound.at for id, wound in wounds}
        self.health = dict[str, str]()  # the word for those whose numbers are hidden

    def is_again(self, fact: facts.Fact) -> bool:
        """Return whether a condition only begins again."""
        if not isinstance(fact, facts.ConditionBegan) or fact.name in self.wording.health:
            return False
        return self.conditions.get(fact.id) == fact.degree

    def effect(self, fact: facts.Fact, episode: Episode) -> TextEffect | None:
        """Return what a fact changed; None for bookkeeping and the numbers of the hidden."""
        match fact:
            case facts.ConditionBegan():
                ended = any(
                    isinstance(each, facts.EncounterEnded) and fact.who in dict(each.out) for each in episode.facts
                )
                return None if ended and self._is_leaving(fact) else self._condition(fact, episode)
            case facts.ConditionEnded():
                return self._end(fact, episode)
            case facts.Wounded():
                return self._wound(fact)
            case facts.WoundChanged():
                return self._healing(fact, episode)
            case facts.Linked() if any(isinstance(each, facts.Judged) for each in episode.facts):
                return self._tie(fact)
            case facts.SheetChanged():
                return self._sheet_entry(fact)
            case facts.PointsLost() if fact.pool in self.narration.levels:
                return being_effect(self.names(fact.who), self._level(fact.pool, fact.now))
        return self._number(fact, episode)

    def _number(self, fact: facts.Fact, episode: Episode) -> TextEffect | None:
        """Return a changed number: `health 8 to 3`; a new bound as a sentence. Nothing for a number that begins."""
        phrase = phrase_of(fact, self.wording, self.names)
        if not isinstance(fact, NUMBERS) or (isinstance(fact, facts.PoolSet) and not fact.because):
            return None
        if isinstance(fact, facts.TokensMoved) and any(isinstance(each, facts.Judged) for each in episode.facts):
            return None
        if not (isinstance(phrase.was, int) and isinstance(phrase.now, int)):
            return TextEffect(template(phrase)) if isinstance(fact, facts.PoolSet) else None
        weight, why = CHANGE, ""
        if isinstance(fact, facts.PointsSpent):
            weight = NOTHING
        elif isinstance(fact, facts.PointsLost) and fact.pool == self.vital and fact.now <= 0 and fact.points:
            weight = GRAVE
        elif isinstance(fact, facts.PointsRegained) and any(
            isinstance(each, facts.EncounterEnded) for each in episode.facts
        ):
            why = phrase.why
        return TextEffect(phrase.value, fact.who, phrase.was, phrase.now, weight=weight, why=why)

    def _sheet_entry(self, fact: facts.SheetChanged) -> TextEffect | None:
        """Return a changed entry of a sheet. Others than characters have only numbers, and what the book says."""
        phrase = replace(phrase_of(fact, self.wording, self.names), why="")
        if isinstance(phrase.was, int) and isinstance(phrase.now, int) and not phrase.text:
            return TextEffect(phrase.value, fact.who, phrase.was, phrase.now)
        is_told = phrase.text or (fact.who in self.names.characters and fact.now is not None)
        return TextEffect(template(phrase)) if is_told else None

    def _tie(self, fact: facts.Linked) -> TextEffect | None:
        """Return a tie that began or ended with a roll, where the book tells it."""
        is_told = (fact.tie if fact.on else f"{fact.tie} ended") in self.narration.ties
        return TextEffect(template(phrase_of(fact, self.wording, self.names))) if is_told else None

    def _wound(self, fact: facts.Wounded) -> TextEffect:
        """Return a wound without its number."""
        self.wounds[fact.who, fact.wound], self.parts[fact.who, fact.wound] = fact.value, fact.at
        if fact.who in self.names.things:
            return being_effect(self.names(fact.who), "damaged")
        phrase = replace(phrase_of(fact, self.wording, self.names), amount="", note="")
        several = replace(phrase, object=f"several {wound_name(fact.kind)}s")
        weight = HURT if fact.who in self.names.characters else CHANGE
        return TextEffect(template(phrase), weight=weight, plural=template(several))

    def _condition(self, fact: facts.ConditionBegan, episode: Episode) -> TextEffect | None:
        """Return a condition that began; nothing for one that only begins again."""
        if fact.name in self.wording.health:
            return self._health_word(fact, episode)
        if self.conditions.get(fact.id) == fact.degree or is_completed(fact, episode.facts):
            return None
        was, self.conditions[fact.id] = self.conditions.get(fact.id), fact.degree
        is_told = fact.name not in self.narration.untold
        return self._condition_effect(begin_template(fact, self.wording, self.names, was), fact) if is_told else None

    def _condition_effect(self, text: str, fact: facts.ConditionBegan | facts.ConditionEnded) -> TextEffect | None:
        """Return the sentence of a condition with its weight; None without one."""
        weight = condition_weight(fact, self.narration, self.wording, self.names.characters)
        return TextEffect(text, weight=weight) if text else None

    def _is_leaving(self, fact: facts.ConditionBegan) -> bool:
        """Return whether somebody is gone who may come back."""
        return fact.name in self.wording.gone and fact.name not in self.narration.lost

    def _health_word(self, fact: facts.ConditionBegan, episode: Episode) -> TextEffect | None:
        """Return how somebody is whose numbers are hidden, and nothing for those who join or are as before.

        After an attack on them it says that they are still so.
        """
        if any(isinstance(each, facts.Joined) and each.who == fact.who for each in episode.facts):
            self.health[fact.who] = fact.name
            return None
        if fact.who in self.names.things:
            return being_effect(self.names(fact.who), "damaged")
        same = self.health.get(fact.who) == fact.name
        self.health[fact.who] = fact.name
        if same and not any(isinstance(each, facts.Judged) and each.against == fact.who for each in episode.facts):
            return None
        return being_effect(person(fact.who), f"{'still ' if same else ''}{readable(fact.name)}", minor=same)

    def _end(self, fact: facts.ConditionEnded, episode: Episode) -> TextEffect | None:
        """Return the end of a condition; not of one that begins again at once, nor of what the dead no longer are.

        What only ends with its encounter is said where the book says so.
        """
        if begins_again(fact, episode.facts, self.wording):
            return None
        self.conditions.pop(fact.id, None)
        if not {fact.name, f"{fact.name} {fact.because}"}.isdisjoint(self.narration.untold_ends):
            return None
        is_told = fact.name in self.narration.told_ends
        if not is_told and (fact.name in self.narration.untold or self._is_over(fact, episode)):
            return None
        return self._condition_effect(end_template(fact, self.wording, self.names), fact)

    def _is_over(self, fact: facts.ConditionEnded, episode: Episode) -> bool:
        """Return whether a condition ends with the life of its being, or with an encounter."""
        began = (each for each in episode.facts if isinstance(each, facts.ConditionBegan) and each.who == fact.who)
        ended = any(isinstance(each, facts.EncounterEnded) for each in episode.facts)
        return ended or any(each.name in self.wording.gone for each in began)

    def _healing(self, fact: facts.WoundChanged, episode: Episode) -> TextEffect | None:
        """Return a wound that changed its value; that it comes into force is no news."""
        before = self.wounds.get((fact.who, fact.wound))
        if before == fact.value:
            return None
        whose = f"{person(fact.who)}'s"
        if not fact.value:
            return self._healed(fact, episode, whose)
        self.wounds[fact.who, fact.wound] = fact.value
        verb = "eases" if before is not None and fact.value < before else "worsens"
        return TextEffect(f"{whose} wound {verb} to {escape(fact.kind)} {fact.value}")

    def _healed(self, fact: facts.WoundChanged, episode: Episode, whose: str) -> TextEffect:
        """Return which wound has healed: by its kind and part, or as the oldest where others stay."""
        open_wounds = [wound for (who, wound), value in self.wounds.items() if who == fact.who and value]
        healed = {each.wound for each in episode.facts if isinstance(each, facts.WoundChanged) and each.who == fact.who}
        self.wounds.pop((fact.who, fact.wound), None)
        part = self.parts.get((fact.who, fact.wound), "")
        name = wound_name(fact.kind) + (f" ({escape(part)})" if part else "")
        if fact.kind or part or healed.issuperset(open_wounds):
            return TextEffect(f"{whose} {name} has healed", plural=f"{whose} {name}s have healed")
        which = "the oldest" if open_wounds[:1] == [fact.wound] else "one"
        return TextEffect(f"{which} of {whose} {name}s has healed", plural=f"{which} of {whose} {name}s have healed")

    def _level(self, pool: str, points: int) -> str:
        """Return the word of the book for so many points of a pool, or the number."""
        words = self.narration.levels[pool]
        return words[points] if 0 <= points < len(words) else str(points)


def being_effect(who: str, how: str, *, minor: bool = False) -> TextEffect:
    """Return how somebody is: `Kess is hurt`."""
    return TextEffect(template(Phrase(subject=who, verb="be", object=how)), minor=minor)
