"""What the facts of an episode changed, as effects: the phrases of the facts, less what a story leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from cli.phrases.conditions import begin_template, begins_again, end_template, is_completed
from cli.phrases.fact_phrases import phrase_of
from cli.phrases.parts import readable, wound_name
from cli.phrases.patterns import fill_but_verbs, mark_verb
from cli.phrases.phrase import template
from cli.story.being_names import PART_OF_BODY, BeingNames
from cli.story.clauses import CHANGE, GRAVE, HURT, NAME, NOTHING, SEVERAL, WOUND, TextEffect
from cli.story.plain_words import harm_word, health_word, is_state, no_milder, plain_words, points_words, without_degree
from cli.story.weights import condition_weight
from ledger import facts
from ledger.names import escape
from projections.recap.episodes import Episode
from projections.recap.falls import is_common
from projections.state import State
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon

replace = msgspec.structs.replace
FEW: Final = 3  # points of a pool that are nearly none
WOUNDED: Final = "wound"  # as the name of what began
STATE: Final = re.compile(f"{NAME} \x02\\*?be\x03 ((?!no longer|now )[^\x02\x04]+)")
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
        self.end_words = replace(lexicon.wording, ends={**lexicon.wording.ends, **narration.ends})
        self.vital = lexicon.vital_value
        self.conditions = {id: item.degree for id, item in before.conditions.items()}
        wounds = sorted(before.wounds.items(), key=lambda pair: pair[1].taken)
        self.wounds = {id: wound.value for id, wound in wounds}  # of each being the oldest first
        self.parts = {id: wound.at for id, wound in wounds}
        self.most = {key: pool.most for key, pool in before.pools.items()}
        self._down = {(item.who, item.name) for item in before.conditions.values()}
        self.health = dict[str, str]()  # the word for those whose numbers are hidden, and for those whose are not

    def follow(self, among: Sequence[facts.Fact]) -> None:
        """Take in what begins and ends in the facts of an episode."""
        for fact in among:
            if isinstance(fact, facts.ConditionBegan):
                self._down.add((fact.who, fact.name))
            elif isinstance(fact, facts.ConditionEnded):
                self._down.discard((fact.who, fact.name))

    @property
    def fallen(self) -> dict[str, str]:
        """Return who is down before the episode, with the gravest of the conditions."""
        worst = reversed((*self.narration.lost, *self.narration.unable, *self.narration.fallen))
        return {who: name for name in worst for who, each in self._down if each == name}

    def _is_still_down(self, who: str, name: str, among: Sequence[facts.Fact]) -> bool:
        """Return whether somebody is in a graver condition than one of this name after these facts."""
        began = {(each.who, each.name) for each in among if isinstance(each, facts.ConditionBegan)}
        ended = {(each.who, each.name) for each in among if isinstance(each, facts.ConditionEnded)} - began
        order = [*self.narration.lost, *self.narration.unable, *self.narration.fallen]
        graver = order[: order.index(name)] if name in order else self.narration.lost
        return any(each == who and other in graver for each, other in (self._down | began) - ended)

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
                return self._wound(fact, episode)
            case facts.WoundChanged():
                return self._healing(fact, episode)
            case facts.Linked() if any(isinstance(each, facts.Judged) for each in episode.facts):
                return self._tie(fact)
            case facts.SheetChanged():
                return self._sheet_entry(fact)
            case facts.PointsLost() if fact.pool in self.narration.levels:
                return self._state(fact.who, self._level(fact.pool, fact.now))
            case facts.PoolSet():
                return self._pool(fact, episode)
            case facts.PointsLost() if self._is_cost(fact, episode):
                return self._loss(fact.who, fact.pool, fact.points, fact.now)
            case facts.PointsLost() if fact.pool in self.harm:
                return self._harm(fact, fact.points)
            case facts.PointsLost() if self._is_price(fact, episode):
                return self._loss(fact.who, fact.pool, fact.points, fact.now)
            case facts.PointsRegained() if fact.pool in self.harm:
                return self._recovery(fact)
            case facts.PointsSpent():
                return self._cost(fact)
        return self._number(fact, episode)

    @property
    def harm(self) -> dict[str, tuple[str, ...]]:
        """Return how somebody is who has lost points of a pool, by pool."""
        return {self.vital: plain_words().harm, **self.narration.harm}

    def _is_cost(self, fact: facts.PointsLost | facts.PoolSet, episode: Episode) -> bool:
        """Return whether points of a character are lost without a blow or a throw, so that their number is seen."""
        return fact.who in self.names.characters and not any(isinstance(each, facts.Judged) for each in episode.facts)

    def _is_price(self, fact: facts.PointsLost, episode: Episode) -> bool:
        """Return whether a character lost points by a roll of their own that was nobody's best."""
        rolls = (each for each in episode.facts if isinstance(each, facts.Judged) and each.who == fact.who)
        return fact.who in self.names.characters and any(each.result in self.narration.poor for each in rolls)

    def _loss(self, who: str, pool: str, points: int, now: int) -> TextEffect | None:
        """Return that somebody lost so many points; a fall says more where none is left."""
        if not points:
            return None
        self.health.pop(who, None)
        text = f"{self.names(who)} {mark_verb('lose', plural=False)} {points_words(points, readable(pool))}"
        return TextEffect(text, whose=who, minor=now <= 0)

    def _pool(self, fact: facts.PoolSet, episode: Episode) -> TextEffect | None:
        """Return a pool that somebody set; nothing for one that begins."""
        known = self.most.get((fact.who, fact.pool))
        self.most[fact.who, fact.pool] = fact.most
        if not fact.because:
            return None
        if fact.now < fact.was and fact.most == known and self._is_cost(fact, episode):
            return self._loss(fact.who, fact.pool, fact.was - fact.now, fact.now)
        if fact.pool in self.harm and fact.now < fact.was and fact.most == known:
            return self._harm(fact, fact.was - fact.now)
        if fact.now > fact.was:
            self.health.pop(fact.who, None)
        phrase = phrase_of(fact, self.wording, self.names)
        return TextEffect(template(phrase), whose=fact.who, bare=True)

    def _harm(self, fact: facts.PointsLost | facts.PoolSet, lost: int) -> TextEffect | None:
        """Return how somebody is who has lost points, by what is left of them; no news if they are as before."""
        most = self.most.get((fact.who, fact.pool)) or fact.now + lost
        some = self.harm[fact.pool][:-1]
        how = no_milder(harm_word(self.harm[fact.pool], fact.now, most), self.health.get(fact.who, ""))
        if not lost:
            return None
        if not how and fact.who in self.fallen:
            return None
        if not how:  # nothing was left before
            text = f"{self.names(fact.who)} {mark_verb('be', plural=False)} hurt even more"
            return TextEffect(text, whose=fact.who, bare=True)
        same = self.health.get(fact.who) == how
        self.health[fact.who] = how
        weight = GRAVE if fact.pool == self.vital and fact.now <= 0 and not same else CHANGE
        if fact.now > 0 and not same and fact.who in self.names.characters and how in some[len(some) // 2 :]:
            weight = WOUND
        state = self._state(fact.who, how, minor=same)
        if (fact.who, fact.because) in self._down:  # of those who are up as well
            state = self._state(fact.who, f"{how} by {escape(readable(fact.because))}", minor=same)
        return msgspec.structs.replace(state, weight=weight)

    def _recovery(self, fact: facts.PointsRegained) -> TextEffect | None:
        """Return that somebody is well again, or better."""
        if not fact.points:
            return None
        self.health.pop(fact.who, None)
        whole = fact.now >= (self.most.get((fact.who, fact.pool)) or fact.now)
        text = f"{self.names(fact.who)} {mark_verb('recover', plural=False)}{'' if whole else ' a little'}"
        return TextEffect(text, whose=fact.who, bare=True)

    def _cost(self, fact: facts.PointsSpent) -> TextEffect | None:
        """Return that somebody has spent the last points of a pool, or that nothing is worth a word."""
        pool = escape(readable(fact.pool))
        most = self.most.get((fact.who, fact.pool)) or 0
        who = self.names(fact.who)
        if most >= FEW * 2 and fact.now <= 0 < fact.points:
            text = f"{who} {mark_verb('have', plural=False)} no {pool} left"
        elif most >= FEW * 2 and fact.now < FEW <= fact.now + fact.points:
            text = f"{who} {mark_verb('have', plural=False)} hardly any {pool} left"
        else:
            return TextEffect("", whose=fact.who, weight=NOTHING, bare=True)
        return TextEffect(text, whose=fact.who, weight=NOTHING, bare=True)

    def _number(self, fact: facts.Fact, episode: Episode) -> TextEffect | None:
        """Return a changed number as a sentence, for a story that has nothing else to say."""
        if not isinstance(fact, NUMBERS):
            return None
        if isinstance(fact, facts.TokensMoved) and any(isinstance(each, facts.Judged) for each in episode.facts):
            return None
        phrase = phrase_of(fact, self.wording, self.names)
        if not (isinstance(phrase.was, int) and isinstance(phrase.now, int)):
            return None
        subject = f"{self.names(fact.who)}'s {phrase.value}"
        return TextEffect(template(replace(phrase, subject=subject)), whose=fact.who, bare=True)

    def _sheet_entry(self, fact: facts.SheetChanged) -> TextEffect | None:
        """Return a changed entry of a sheet. Others than characters have only numbers, and what the book says."""
        phrase = replace(phrase_of(fact, self.wording, self.names), why="")
        is_number = isinstance(phrase.was, int) and isinstance(phrase.now, int)
        is_told = phrase.text or is_number or (fact.who in self.names.characters and fact.now is not None)
        return TextEffect(template(phrase), whose=fact.who) if is_told else None

    def _tie(self, fact: facts.Linked) -> TextEffect | None:
        """Return a tie that began or ended with a roll, where the book tells it."""
        is_told = (fact.tie if fact.on else f"{fact.tie} ended") in self.narration.ties
        return TextEffect(template(phrase_of(fact, self.wording, self.names))) if is_told else None

    def _wound(self, fact: facts.Wounded, episode: Episode) -> TextEffect:
        """Return a wound without its number."""
        self.wounds[fact.who, fact.wound], self.parts[fact.who, fact.wound] = fact.value, fact.at
        if fact.who in self.names.things:
            return self._state(fact.who, "damaged", minor=not is_aimed_at(fact.who, episode))
        phrase = replace(phrase_of(fact, self.wording, self.names), amount="", note="")
        weight = HURT if fact.who in self.names.characters else CHANGE
        if is_state(fact.kind):
            return replace(self._state(fact.who, escape(fact.kind)), how="", weight=weight)
        several = replace(phrase, object=f"{SEVERAL} {wound_name(fact.kind)}s")
        return TextEffect(template(phrase), whose=fact.who, name=WOUNDED, weight=weight, plural=template(several))

    def _condition(self, fact: facts.ConditionBegan, episode: Episode) -> TextEffect | None:
        """Return a condition that began; nothing for one that only begins again."""
        if fact.name in self.wording.health:
            return self._health_word(fact, episode)
        if self.conditions.get(fact.id) == fact.degree or is_completed(fact, episode.facts):
            return None
        was, self.conditions[fact.id] = self.conditions.get(fact.id), fact.degree
        if fact.name in self.narration.untold or self._is_part_of_fall(fact, episode):
            return None
        fields = {"who": self.names(fact.who), "about": self.names(fact.about) if fact.about else ""}
        said = fill_but_verbs(self.narration.begins.get(fact.name, ""), fields)
        text = said or begin_template(fact, self.wording, self.names, was)
        if PART_OF_BODY.fullmatch(fact.about):
            text = text.replace(f" ({fields['about']})", f" in {fields['about']}")
        effect = self._condition_effect(text, fact)
        is_same = was is not None and fact.name in self.narration.grave
        return msgspec.structs.replace(effect, bare=True) if effect and is_same else effect

    def _is_part_of_fall(self, fact: facts.ConditionBegan, episode: Episode) -> bool:
        """Return whether a graver condition begins with one of the fallen: who is dying is unconscious."""
        graver = (*self.narration.lost, *self.narration.fallen)
        graver = graver[: graver.index(fact.name)] if fact.name in self.narration.fallen else ()
        began = (each for each in episode.facts if isinstance(each, facts.ConditionBegan))
        return any(each.who == fact.who and each.name in graver for each in began)

    def _condition_effect(self, text: str, fact: facts.ConditionBegan | facts.ConditionEnded) -> TextEffect | None:
        """Return the sentence of a condition with its weight; None without one."""
        weight = condition_weight(fact, self.narration, self.wording, self.names.characters)
        text = without_degree(text)
        name = fact.name if isinstance(fact, facts.ConditionBegan) else ""
        return TextEffect(text, whose=fact.who, how=state_in(text), name=name, weight=weight) if text else None

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
            return self._state(fact.who, "damaged", minor=not is_aimed_at(fact.who, episode))
        how = health_word(fact.name, self.wording.health)
        same = self.health.get(fact.who) == fact.name
        self.health[fact.who] = fact.name
        if same and not any(isinstance(each, facts.Judged) and each.against == fact.who for each in episode.facts):
            return None
        is_grave = not same and fact.name == self.wording.health[-1] and not is_common(fact.who)
        state = self._state(fact.who, f"{'still ' if same else ''}{how}", minor=same)
        return msgspec.structs.replace(state, weight=WOUND) if is_grave else state

    def _end(self, fact: facts.ConditionEnded, episode: Episode) -> TextEffect | None:
        """Return the end of a condition; not of one that begins again at once, nor of what the dead no longer are.

        What only ends with its encounter is said where the book says so.
        """
        if begins_again(fact, episode.facts, self.wording):
            return None
        self.conditions.pop(fact.id, None)
        if not {fact.name, f"{fact.name} {fact.because}"}.isdisjoint(self.narration.untold_ends):
            return None
        if self._is_still_down(fact.who, fact.name, episode.facts):
            return None
        is_told = fact.name in self.narration.told_ends
        if not is_told and (fact.name in self.narration.untold or self._is_over(fact, episode)):
            return None
        return self._condition_effect(end_template(fact, self.end_words, self.names), fact)

    def _is_over(self, fact: facts.ConditionEnded, episode: Episode) -> bool:
        """Return whether a condition ends with the life of its being, or with an encounter."""
        began = (each for each in episode.facts if isinstance(each, facts.ConditionBegan) and each.who == fact.who)
        ended = any(isinstance(each, facts.EncounterEnded) for each in episode.facts)
        worse = (*self.wording.gone, *self.narration.fallen)
        return ended or any(each.name in worse for each in began)

    def _healing(self, fact: facts.WoundChanged, episode: Episode) -> TextEffect | None:
        """Return a wound that changed its value; that it comes into force is no news."""
        before = self.wounds.get((fact.who, fact.wound))
        if before == fact.value:
            return None
        whose = f"{self.names(fact.who)}'s"
        if not fact.value:
            return self._healed(fact, episode, whose)
        self.wounds[fact.who, fact.wound] = fact.value
        verb = "ease" if before is not None and fact.value < before else "worsen"
        return TextEffect(f"{whose} wound {mark_verb(verb, plural=False)}", whose=fact.who)

    def _healed(self, fact: facts.WoundChanged, episode: Episode, whose: str) -> TextEffect:
        """Return which wound has healed: by its kind and part, or as the oldest where others stay."""
        open_wounds = [wound for (who, wound), value in self.wounds.items() if who == fact.who and value]
        healed = {each.wound for each in episode.facts if isinstance(each, facts.WoundChanged) and each.who == fact.who}
        self.wounds.pop((fact.who, fact.wound), None)
        part = self.parts.get((fact.who, fact.wound), "")
        name = wound_name(fact.kind) + (f" ({escape(part)})" if part else "")
        one, more = f"{mark_verb('have', plural=False)} healed", f"{name}s {mark_verb('have', plural=True)} healed"
        if fact.kind or part or healed.issuperset(open_wounds):
            return TextEffect(f"{whose} {name} {one}", whose=fact.who, plural=f"{whose} {more}")
        which = "the oldest" if open_wounds[:1] == [fact.wound] else "one"
        return TextEffect(f"{which} of {whose} {name}s {one}", whose=fact.who, plural=f"{which} of {whose} {more}")

    def _state(self, who: str, how: str, *, minor: bool = False) -> TextEffect:
        """Return how somebody is: `Kess is hurt`."""
        text = f"{self.names(who)} {mark_verb('be', plural=False)} {how}"
        return TextEffect(text, whose=who, how=how, minor=minor)

    def _level(self, pool: str, points: int) -> str:
        """Return the word of the book for so many points of a pool, or the number."""
        words = self.narration.levels[pool]
        return words[points] if 0 <= points < len(words) else str(points)


def is_aimed_at(who: str, episode: Episode) -> bool:
    """Return whether something was done to somebody themselves in an episode, or to nobody at all."""
    against = {fact.against for fact in episode.facts if isinstance(fact, facts.Judged)}
    return who in against or not against


def state_in(text: str) -> str:
    """Return what a sentence says of somebody behind `be`: `prone`; empty if it says something else."""
    found = STATE.fullmatch(text)
    return found[1] if found else ""
