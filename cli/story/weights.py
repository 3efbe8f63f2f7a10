"""How much a short recap would miss an episode, by what happened in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cli.story.clauses import (
    BEGUN,
    CHANGE,
    DONE,
    ENDED,
    FAILED,
    FALL,
    GRAVE,
    HEALTH,
    NOTHING,
    SMALL,
    TURN,
    WOUND,
    Clause,
    is_armed,
    net,
)
from cli.story.plain_words import plain_words
from ledger import facts
from projections.recap.episodes import Episode, final_results
from projections.recap.falls import is_common
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

QUOTED: Final = '"'  # a note in somebody's words
HALF: Final = 0  # the worth of what only leads to a deed
BOOKKEEPING: Final = (facts.ActionSpent, facts.Allowed, facts.Counted, facts.CountsCleared, facts.Reached)


class Weights:
    """Weighs the episodes of a session.

    Args:
        narration: the words of the book.
        wording: the words of the book for the log.
        characters: those of the players.
    """

    def __init__(self, narration: Narration, wording: Wording, characters: frozenset[str]) -> None:
        self.narration, self.wording, self.characters = narration, wording, characters

    def weight(
        self, episode: Episode, clauses: Sequence[Clause], results: Sequence[facts.Judged], in_fight: bool
    ) -> int:
        """Return how much a short recap would miss an episode."""
        effects = [effect.weight for clause in clauses for effect in net(clause.effects)]
        changes = [CHANGE for fact in episode.facts if self._is_harm(fact)]
        if any(isinstance(fact, facts.EncounterEnded) for fact in episode.facts):
            return ENDED
        if results:
            in_vain = any(fact.against for fact in results)
            own = [fact for fact in results if fact.who in self.characters]
            stakes = [WOUND for fact in own if any(name in fact.what for name in self.narration.grave)]
            leaving = [GRAVE] if self._is_leaving_in_words(episode) else []
            words = [TURN for clause in clauses if in_fight and not in_vain and QUOTED in "".join(clause.words)]
            named = [TURN for fact in results if self._is_blow_of_named(fact, episode)]
            return max([NOTHING if in_vain else DONE, *effects, *changes, *stakes, *words, *named, *leaving])
        told = max((self._weight_alone(fact) for fact in episode.facts), default=SMALL)
        is_paid = is_paid_in_words(episode)
        is_needed = is_paid or self._is_rescue(episode)
        told = max(told, FALL if is_needed and not in_fight else WOUND if is_paid else told)
        told = max(told, FAILED if is_loss(episode.facts, self.characters) else told)
        highest = FALL if self.characters.intersection(names_in(episode)) else TURN
        weight = max([told, *(min(weight, highest) if weight > CHANGE else SMALL + 1 for weight in effects)])
        has_words = any(QUOTED in each for clause in clauses for each in clause.words)
        return max(weight, GRAVE) if weight == TURN and has_words else weight  # who leaves, and says why

    def is_turn(self, episode: Episode, clauses: Sequence[Clause], *, is_failure: bool) -> bool:
        """Return whether an episode turned a fight: a rare roll, paid for, ruled, or a failure or word that cost.

        Who leaves it, and says how, turns it too.
        """
        is_rare = any(each.result in self.narration.rare for each in final_results(episode.facts))
        is_paid = any(map(is_spent_token, episode.facts)) and any(clause.costs for clause in clauses)
        is_costly = is_failure and any(clause.changes for clause in clauses)
        is_lost = is_loss(episode.facts, self.characters)
        is_told = is_lost or is_paid_in_words(episode) or self._is_leaving_in_words(episode)
        return is_rare or is_paid or is_costly or is_told or any(clause.is_ruling for clause in clauses)

    def _is_rescue(self, episode: Episode) -> bool:
        """Return whether a character is up, and by no rest, or another did something for them who stay down."""
        down = {*self.narration.grave, *self.narration.fallen}
        began = (each for each in episode.facts if isinstance(each, facts.ConditionBegan))
        helped = {each.who for each in began if each.name in down} & self.characters
        ended = (each for each in episode.facts if isinstance(each, facts.ConditionEnded))
        saved = {each.who for each in ended if each.name in self.narration.grave} & self.characters
        is_rest = any(isinstance(each, facts.Rested | facts.EncounterEnded) for each in episode.facts)
        return bool(saved and not is_rest) or (episode.by in self.characters and bool(helped - {episode.by}))

    def _is_leaving_in_words(self, episode: Episode) -> bool:
        """Return whether somebody is gone from a fight in an episode for a reason of the table's."""
        reason = episode.said.get("reason", "")
        began = (fact.name for fact in episode.facts if isinstance(fact, facts.ConditionBegan))
        return bool(reason) and any(name in plain_words().away.split() for name in began)

    def worth(self, episode: Episode, clauses: Sequence[Clause], weight: int, *, is_failure: bool) -> int:
        """Return how much a fight in few words would miss an episode: people's own words as much as a wound.

        So is a failure that cost something. What changed nothing is missed little, an intent or help without words
        least of all.
        """
        if is_failure and any(clause.changes or clause.words for clause in clauses):
            return WOUND
        if weight >= WOUND:
            return weight
        is_intent = episode.said.get("say") in self.narration.intents
        has_words = any(QUOTED in each for clause in clauses for each in (clause.text, *clause.words))
        if not is_intent and (has_words or any(map(episode.said.get, self.narration.free_fields))):
            return WOUND
        if self.is_half(episode, clauses):
            return HALF
        is_change = any(isinstance(fact, facts.ConditionBegan) for fact in episode.facts)
        least = CHANGE if is_change else NOTHING
        return max(weight, least) if weight >= CHANGE or not any(clause.blow for clause in clauses) else least

    def harms(self, fact: facts.Fact, episode: Episode) -> Iterator[tuple[str, str]]:
        """Yield what a fact makes worse that a story should not leave so if it is better at the end.

        Of those whose numbers are hidden that is how they are said to be by a blow.
        """
        is_begin = isinstance(fact, facts.ConditionBegan) and fact.name in self.narration.grave
        if is_begin or isinstance(fact, facts.PointsLost | facts.Wounded):
            yield from changes(fact)
        elif isinstance(fact, facts.ConditionBegan) and fact.name != self.wording.health[0]:
            struck = {each.against for each in episode.facts if isinstance(each, facts.Judged)} - self.characters
            yield from [(fact.who, HEALTH)] if fact.who in struck else []

    def is_half(self, episode: Episode, clauses: Sequence[Clause]) -> bool:
        """Return whether an episode means little without the deed that it leads to: an intent, help, a feint."""
        if episode.said.get("say") in self.narration.intents:
            return True
        blows = [clause.blow for clause in clauses if clause.blow and not clause.changes]
        return len(blows) == len(clauses) and all(blow.against and not is_armed(blow) for blow in blows)

    def _is_blow_of_named(self, fact: facts.Judged, episode: Episode) -> bool:
        """Return whether a blow of somebody with a name of their own harmed a character, who may stay up."""
        sides = {fact.who, fact.against} - {""}
        harmed = {each.who for each in episode.facts if isinstance(each, facts.PointsLost | facts.Wounded)}
        foes = [who for who in sides - self.characters if not is_common(who)]
        return bool(foes) and not harmed.isdisjoint(sides & self.characters)

    def _is_harm(self, fact: facts.Fact) -> bool:
        """Return whether a fact harms somebody, or says in a word of the players' view how they are."""
        is_word = isinstance(fact, facts.ConditionBegan) and fact.name in self.wording.health
        return is_word or isinstance(fact, facts.PointsLost | facts.Wounded)

    def _weight_alone(self, fact: facts.Fact) -> int:
        """Return how much a short recap would miss a fact that no roll decided."""
        match fact:
            case facts.EncounterBegan():
                return BEGUN
            case facts.ConditionEnded():
                return WOUND if fact.name in self.narration.grave else SMALL
            case facts.OptionSet():
                return TURN
        return WOUND if is_ruling(fact) else SMALL


def condition_weight(
    fact: facts.ConditionBegan | facts.ConditionEnded,
    narration: Narration,
    wording: Wording,
    characters: Collection[str],
) -> int:
    """Return how much a short recap would miss a condition."""
    if fact.name not in (*(narration.grave or wording.gone), *narration.fallen):
        return TURN if fact.name in (*wording.gone, *narration.turning) else CHANGE
    if isinstance(fact, facts.ConditionEnded):
        return WOUND
    return FALL if fact.who in characters else GRAVE


def names_in(episode: Episode) -> Iterator[str]:
    """Yield the beings that act or suffer in an episode."""
    if episode.by not in facts.RESERVED:
        yield episode.by
    for fact in episode.facts:
        if isinstance(fact, facts.EncounterBegan):
            yield from (who for _, members in fact.sides for who in members)
        elif isinstance(fact, facts.EncounterEnded):
            yield from (who for _, members in fact.stand for who in members)
            yield from (who for who, _ in fact.out)
        elif not isinstance(fact, BOOKKEEPING):
            yield from (name for field in ("who", "against") if (name := getattr(fact, field, "")) and name != facts.GM)


def is_spent_token(fact: facts.Fact) -> bool:
    """Return whether a token was given away."""
    return isinstance(fact, facts.TokensMoved) and fact.change < 0


def is_paid_in_words(episode: Episode) -> bool:
    """Return whether a token was given away in an episode for what somebody said in their own words, by no throw."""
    said = (fact.text for fact in episode.facts if isinstance(fact, facts.Ruled))
    is_thrown = any(isinstance(fact, facts.Judged) for fact in episode.facts)
    is_own = any(text and text in episode.said.values() for text in said)
    return is_own and not is_thrown and any(map(is_spent_token, episode.facts))


def is_ruling(fact: facts.Fact) -> bool:
    """Return whether the game master ruled in so many words."""
    return isinstance(fact, facts.Ruled) and fact.name == "ruling"


def is_loss(among: Sequence[facts.Fact], characters: Collection[str]) -> bool:
    """Return whether a character lost points or was wounded by what somebody said, and by no throw."""
    if any(isinstance(each, facts.PointsSpent) or (isinstance(each, facts.Judged) and each.rolls) for each in among):
        return False
    lost = (each.who for each in among if isinstance(each, facts.PointsLost) and each.because)
    wounded = (each.who for each in among if isinstance(each, facts.Wounded) and not each.rolled)
    return not {*lost, *wounded}.isdisjoint(characters)


def changes(fact: facts.Fact) -> Iterator[tuple[str, str]]:
    """Yield whose pool, wound or condition a fact changed, and its name."""
    match fact:
        case facts.PointsLost() | facts.PointsRegained() | facts.PointsSpent() | facts.PoolSet():
            yield fact.who, fact.pool
        case facts.Wounded() | facts.WoundChanged():
            yield fact.who, fact.wound
        case facts.ConditionBegan() | facts.ConditionEnded():
            yield fact.who, fact.name


def told_facts(among: Sequence[facts.Fact]) -> Iterator[facts.Fact]:
    """Yield the facts without the results that were judged anew."""
    final = {id(fact) for fact in final_results(among)}
    yield from (fact for fact in among if not isinstance(fact, facts.Judged) or id(fact) in final)
