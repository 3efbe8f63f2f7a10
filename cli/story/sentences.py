"""Deeds as sentences, with the words of the book: who did what, how it came out, and what it changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from cli.phrases.conditions import begin_text, begins_again, end_text, is_completed
from cli.phrases.facts import in_brackets, join_with_and, passing, readable
from cli.phrases.patterns import Fields, fill, find_pattern
from cli.phrases.verbs import infinitive
from cli.story.clauses import (
    CHANGE,
    DONE,
    ENDED,
    FALL,
    GRAVE,
    HURT,
    LEAD,
    NOTHING,
    SMALL,
    TURN,
    WOUND,
    Clause,
    TextEffect,
    capital,
    joined_clauses,
    net,
    person,
)
from cli.story.page import Storytellers
from cli.story.passages import Sentence
from ledger.facts import (
    GM,
    RESERVED,
    ActionSpent,
    Allowed,
    ConditionBegan,
    ConditionEnded,
    Counted,
    CountsCleared,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Joined,
    Judged,
    Linked,
    OptionSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Rested,
    Ruled,
    SheetChanged,
    TimePassed,
    TokensMoved,
    Told,
    WoundChanged,
    Wounded,
)
from ledger.names import escape
from projections.recap.cast import THINGS
from projections.recap.episodes import Episode, final_results
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon, Option

GERUND: Final = re.compile(r"\w*[aeiouy]\w*ing\b", re.IGNORECASE)  # not `sing`, `swing` or `bring`
GOES_ON: Final = "..."
ALONE: Final = "alone"  # ends the key of a sentence for a result that would go on, and goes on with nothing
SHORT: Final = 60  # seconds that need no sentence

BOOKKEEPING: Final = (ActionSpent, Allowed, Counted, CountsCleared, Reached)

NO_OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({})
RULES: Final = "the game master rules: "
QUOTED: Final = '"'  # a note in somebody's words


class Teller:
    """Tells the episodes of a session in their order.

    Args:
        words: the words of the book.
        before: the state before the first episode.
        characters: those of the players.
        options: the questions that the book leaves to the table, by name.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        narration: Narration,
        before: State,
        characters: Collection[str],
        options: Mapping[str, Option] = NO_OPTIONS,
    ) -> None:
        self.narration, self.wording = narration, lexicon.wording
        self.vital = lexicon.vital_value
        self.verbs = {*narration.tasks, *(word for words in lexicon.words.values() for word in words)}
        self.characters = frozenset(characters)
        self.conditions = {id: item.degree for id, item in before.conditions.items()}
        self.wounds = {id: wound.value for id, wound in before.wounds.items()}
        self.options = options
        self.health = dict[str, str]()  # the word for those whose numbers are hidden
        self.things = {being.name for being in before.beings.values() if being.kind in THINGS}
        self.groups = {being.name for being in before.beings.values() if being.kind in narration.several}
        self.fights = len(before.encounters)

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return the sentence of an episode; None when there is nothing to tell."""
        joined = [fact for fact in episode.facts if isinstance(fact, Joined)]
        self.things |= {fact.who for fact in joined if fact.kind in THINGS}
        self.groups |= {fact.who for fact in joined if fact.kind in self.narration.several}
        news = [fact for fact in episode.facts if not self._is_again(fact)]
        clauses = self._clauses(episode)
        began = sum(isinstance(fact, EncounterBegan) for fact in episode.facts)
        self.fights += began - sum(isinstance(fact, EncounterEnded) for fact in episode.facts)
        if not clauses:
            return None
        next((clause for clause in clauses if clause.notes), clauses[-1]).notes += self._costs(episode)
        return Sentence(
            entries=tuple(episode.entries),
            text=capital(joined_clauses(clauses, episode.by)),
            weight=self._weight(episode, clauses),
            names=tuple(dict.fromkeys(names_in(episode))),
            harms=tuple(dict.fromkeys(key for fact in news for key in self._harms(fact))),
            changes=tuple(dict.fromkeys(key for fact in news for key in changes(fact))),
            outcome="".join(self._outcome(fact) for fact in episode.facts if isinstance(fact, EncounterEnded)),
        )

    def _is_again(self, fact: Fact) -> bool:
        """Return whether a condition only begins again."""
        if not isinstance(fact, ConditionBegan) or fact.name in self.wording.health:
            return False
        return self.conditions.get(fact.id) == fact.degree

    def _harms(self, fact: Fact) -> Iterator[tuple[str, str]]:
        """Yield what a fact makes worse that a story should not leave so if it is better at the end."""
        if isinstance(fact, PointsLost | Wounded) or (
            isinstance(fact, ConditionBegan) and fact.name in self.narration.grave
        ):
            yield from changes(fact)

    def text_sentence(self, fact: Told, entry: str) -> Sentence | None:
        """Return the sentence of a text that does not stand as it is."""
        pattern = self.narration.told.get(fact.kind, "{by}: {text}")
        text = fill(pattern, {"by": self._name(fact.by), "text": fact.text})
        return Sentence(entries=(entry,), text=capital(text), weight=SMALL, names=(fact.by,)) if text else None

    # Clauses

    def _clauses(self, episode: Episode) -> list[Clause]:
        """Return the clauses of an episode: each event and result with its effects, or the effects alone."""
        said = texts_of(episode.said, self.verbs)
        said |= {name: self.narration.tasks[task] for name, task in said.items() if task in self.narration.tasks}
        clauses: list[Clause] = []
        early: list[TextEffect] = []
        reasons: list[str] = []
        told: list[object] = []  # weapons
        blows: list[Judged] = []  # of the last clause
        for fact in told_facts(episode.facts):
            if isinstance(fact, Judged):
                shown = msgspec.structs.replace(fact, using=()) if fact.using in told else fact
                told.append(fact.using)
                clause = self._result([shown], episode, said, alone=not clauses)
                if clause is not None and self._is_same_blow(blows, fact, said):
                    blows.append(fact)
                    joint = self._result(blows, episode, said) or clause
                    clauses[-1].text, clauses[-1].about = joint.text, joint.about
                    continue
                if clause is not None:
                    blows = [shown]
            else:
                clause = self._event(fact, episode)
                blows = [] if clause is not None else blows
            if clause is not None and clause.text.startswith("("):
                reasons.append(clause.text[1:-1])
            elif clause is not None and not clause.text.startswith(GOES_ON):
                if isinstance(fact, EncounterEnded) and reasons and net(early):
                    clauses.append(Clause("", notes=reasons, effects=early))
                    reasons, early = [], []
                clause.effects, early = early, []
                clause.notes, reasons = [*reasons, *clause.notes], []
                clauses.append(clause)
            elif clause is not None and clauses:
                clauses[-1].text = clauses[-1].text.removesuffix(LEAD) + clause.text.removeprefix(GOES_ON)
            effect = self._effect(fact, episode)
            if effect is not None:
                (clauses[-1].effects if clauses else early).append(effect)
        if not clauses:
            pattern, _ = find_pattern(self.narration.lines, said.get("say", ""), said.get("text", "")) or ("", "")
            line = fill(pattern, {**said, "by": self._name(episode.by)})
            if reasons and not line and not net(early):
                line, reasons = f"{person(episode.by)}: {', '.join(reasons)}", []
            reasons = reasons or ([] if line else [reason_of(episode)])
            if line or any(effect.weight > NOTHING and not effect.minor for effect in net(early)):
                clauses.append(Clause(line, episode.by if line else "", reasons, effects=early))
        return clauses

    def _result_pattern(self, fact: Judged, said: Mapping[str, Any]) -> tuple[str, str]:
        """Return the sentence of a result, or a plain one for dice without words; and what its `*` stands for.

        That of the kind of declaration `said` goes before that of all others.
        """
        plain = "{who}: {what} {result}" if fact.rolls and fact.what not in self.wording.effects else ""
        is_own = fact.who == fact.against and f"{fact.what} self" in self.narration.results
        more = "self" if is_own else fact.result
        special = self.narration.results.get(f"{said.get('say', '')}: {fact.what} {more}")
        if special is not None:
            return special, ""
        return find_pattern(self.narration.results, fact.what, more) or (plain, "")

    def _is_same_blow(self, blows: Sequence[Judged], fact: Judged, said: Fields) -> bool:
        """Return whether a result joins those of the last clause, as one blow against several."""
        if not blows or not fact.against or fact.against in [blow.against for blow in blows]:
            return False
        first, (pattern, _) = blows[0], self._result_pattern(fact, said)
        same = (first.who, first.what, first.result) == (fact.who, fact.what, fact.result)
        shown = "{total}" in pattern or self._is_scored(fact, pattern)
        return same and "{against}" in pattern and (fact.total is None or not shown)

    def _is_scored(self, fact: Judged, pattern: str) -> bool:
        """Return whether the total of a result stands behind its sentence."""
        return "{total}" not in pattern and not any(each.name in self.wording.dice_counts for each in fact.sums)

    def _result(self, blows: Sequence[Judged], episode: Episode, said: Fields, *, alone: bool = False) -> Clause | None:
        """Return a result with its score; one blow against several has no score. `alone`: it goes on with nothing."""
        fact, against = blows[0], [self._name(blow.against) for blow in blows]
        pattern, which = self._result_pattern(fact, said)
        if alone and pattern.startswith(GOES_ON):
            pattern = self.narration.results.get(f"{fact.what} {fact.result} {ALONE}", pattern)
        fields = {
            **(said if fact.who == episode.by else {}),
            **weapons_of(fact),
            "who": self._name(fact.who),
            "against": join_with_and(against),
            "what": fact.what,
            "which": which,
            "result": fact.result,
            "total": fact.total,
        }
        text = fill(pattern, fields)
        main = pattern.partition("|")[0]
        about = "" if len(blows) > 1 else nearest(main, fact)
        vain, _ = find_pattern(self.narration.vain, fact.what, fact.result) or ("", "")
        return (
            Clause(text, about, [self._score(fact)] if self._is_scored(fact, pattern) else [], vain=fill(vain, fields))
            if text
            else None
        )

    def _name(self, name: str) -> str:
        """Return the name of somebody, or of a thing or a group with its article."""
        has_article = name.casefold().startswith("the ") or "'s " in name or name[-1:].isdigit()
        is_common = name in self.things | self.groups and not has_article
        return f"the {escape(name)}" if is_common else person(name)

    def _score(self, fact: Judged) -> str:
        """Return the total of a result and the target if it may be seen: `17 against 12`."""
        if fact.total is None:
            return ""
        return f"{fact.total}" + ("" if fact.target is None else f" against {fact.target}")

    def _event(self, fact: Fact, episode: Episode) -> Clause | None:
        """Return what happened besides results; None for facts that are effects or bookkeeping."""
        match fact:
            case EncounterBegan():
                sides = sorted((who for _, who in fact.sides if who), key=self.characters.isdisjoint)
                if {fact.kind, fact.scale} & {*self.narration.peaceful}:
                    return Clause(f"here are {join_with_and([person(who) for side in sides for who in side] or [''])}")
                return Clause(" against ".join(join_with_and(list(map(person, who))) for who in sides))
            case EncounterEnded():
                return Clause(
                    f"{escape(fact.encounter)} is over{in_brackets(escape(fact.because))}{self._outcome(fact)}"
                )
            case Rested():
                pattern = self.narration.rests.get(fact.rest, "{who} rests ({kind})")
                text = fill(pattern, {"who": person(fact.who), "kind": readable(fact.rest)})
                return Clause(text, fact.who, [] if fact.whole else ["disturbed"])
            case TimePassed() if fact.seconds >= SHORT and not any(isinstance(each, Rested) for each in episode.facts):
                return Clause(passing(fact.seconds), notes=[escape(fact.because)])
            case Ruled():
                text = self._ruling(fact, episode)
                return Clause(text) if text else None
            case OptionSet():
                option = self.options.get(fact.name)
                answer = f": {option.question} Now: {option.meaning(fact.now)}" if option else ""
                return Clause(f"the table settles how it plays{answer}", notes=[escape(fact.because)])
        return None

    def _outcome(self, fact: EncounterEnded) -> str:
        """Return who of the others still stands after a fight, and who is out of it and how."""
        left = [person(who) for _, side in fact.stand if self.characters.isdisjoint(side) for who in side]
        out = [f"{person(who)} ({readable(how)})" for who, how in fact.out]
        stand = f"; {join_with_and(left)} still {'stands' if len(left) == 1 else 'stand'}" if left else ""
        return stand + (f"; out of it: {', '.join(out)}" if out else "")

    def _ruling(self, fact: Ruled, episode: Episode) -> str:
        """Return a ruling, or what it is called in the book."""
        pattern = self.narration.rulings.get(fact.name)
        if pattern is None:
            pattern = f"{RULES}{{text}}[ ({{because}})]" if fact.name == "ruling" else "{text}[ ({because})]"
        fields = {"text": fact.text, "because": fact.because, "about": fact.about, "by": person(episode.by)}
        return fill(pattern, fields)

    # Effects

    def _effect(self, fact: Fact, episode: Episode) -> TextEffect | None:
        """Return what a fact changed; None for bookkeeping and the numbers of the hidden."""
        match fact:
            case ConditionBegan():
                ended = any(isinstance(each, EncounterEnded) and fact.who in dict(each.out) for each in episode.facts)
                return None if ended and self._is_leaving(fact) else self._condition(fact, episode)
            case ConditionEnded():
                return self._end(fact, episode)
            case Wounded():
                return self._wound(fact)
            case Linked() if any(isinstance(each, Judged) for each in episode.facts):
                key = fact.tie if fact.on else f"{fact.tie} ended"
                one = fact.one.removeprefix(f"{fact.other}'s ")
                text = fill(self.narration.ties.get(key, ""), {"who": person(one), "other": person(fact.other)})
                return TextEffect(text) if text else None
            case WoundChanged():
                return self._healing(fact, episode)
            case SheetChanged() if isinstance(fact.was, int) and isinstance(fact.now, int):
                return TextEffect(readable(fact.key), fact.who, fact.was, fact.now)
            case SheetChanged() if fact.key in self.wording.sheets:
                text = fill(
                    self.wording.sheets[fact.key], {"who": self._name(fact.who), "now": fact.now, "was": fact.was}
                )
                return TextEffect(text)
            case SheetChanged() if fact.who in self.characters and fact.now is not None:
                was = "" if fact.was is None else f"{escape(str(fact.was))} to "
                verb = "is" if fact.was is None else "goes from"
                return TextEffect(f"{person(fact.who)}'s {readable(fact.key)} {verb} {was}{escape(str(fact.now))}")
        return self._change(fact, episode)

    def _condition(self, fact: ConditionBegan, episode: Episode) -> TextEffect | None:
        """Return a condition that began; nothing for one that only begins again."""
        if fact.name in self.wording.health:
            return self._health_word(fact, episode)
        if self.conditions.get(fact.id) == fact.degree or is_completed(fact, episode.facts):
            return None
        was, self.conditions[fact.id] = self.conditions.get(fact.id), fact.degree
        own = find_pattern(self.narration.conditions, fact.name, fact.degree)
        wording = msgspec.structs.replace(self.wording, conditions={fact.name: own[0]}) if own else self.wording
        text = begin_text(fact, wording, names=self._name, was=was)
        return TextEffect(text, weight=self._weight_of(fact)) if text else None

    def _is_leaving(self, fact: ConditionBegan) -> bool:
        """Return whether somebody is gone who may come back."""
        return fact.name in self.wording.gone and fact.name not in self.narration.lost

    def _health_word(self, fact: ConditionBegan, episode: Episode) -> TextEffect | None:
        """Return how somebody is whose numbers are hidden, and nothing for those who join or are as before.

        After an attack on them it says that they are still so.
        """
        if any(isinstance(each, Joined) and each.who == fact.who for each in episode.facts):
            self.health[fact.who] = fact.name
            return None
        if fact.who in self.things:
            return TextEffect(f"{self._name(fact.who)} is damaged")
        same = self.health.get(fact.who) == fact.name
        self.health[fact.who] = fact.name
        if same and not any(isinstance(each, Judged) and each.against == fact.who for each in episode.facts):
            return None
        return TextEffect(f"{person(fact.who)} is {'still ' if same else ''}{readable(fact.name)}", minor=same)

    def _end(self, fact: ConditionEnded, episode: Episode) -> TextEffect | None:
        """Return the end of a condition; not of one that begins again at once, nor of what the dead no longer are.

        What only ends with its encounter has a sentence where the book has one for it.
        """
        if begins_again(fact, episode.facts, self.wording):
            return None
        self.conditions.pop(fact.id, None)
        own = find_pattern(self.narration.ends, fact.name, fact.because)
        if own is None and (self._is_silent(fact.name) or self._is_over(fact, episode)):
            return None
        wording = msgspec.structs.replace(self.wording, ends={fact.name: own[0]}) if own else self.wording
        text = end_text(fact, wording, names=self._name)
        return TextEffect(text, weight=self._weight_of(fact)) if text else None

    def _is_silent(self, name: str) -> bool:
        """Return whether the book tells nothing of a condition."""
        found = find_pattern(self.narration.conditions, name, 1)
        return found is not None and not found[0]

    def _is_over(self, fact: ConditionEnded, episode: Episode) -> bool:
        """Return whether a condition ends with the life of its being, or with an encounter."""
        began = (each for each in episode.facts if isinstance(each, ConditionBegan) and each.who == fact.who)
        ended = any(isinstance(each, EncounterEnded) for each in episode.facts)
        return ended or any(each.name in self.wording.gone for each in began)

    def _wound(self, fact: Wounded) -> TextEffect:
        """Return a wound."""
        self.wounds[fact.who, fact.wound] = fact.value
        if fact.who in self.things:
            return TextEffect(f"{self._name(fact.who)} is damaged")
        pattern = self.narration.wounds.get(fact.kind, "{who} takes a {kind} wound")
        text = fill(pattern, {"who": person(fact.who), "kind": fact.kind})
        return TextEffect(text, weight=HURT if fact.who in self.characters else CHANGE)

    def _healing(self, fact: WoundChanged, episode: Episode) -> TextEffect | None:
        """Return a wound that changed its value; that it comes into force is no news."""
        before = self.wounds.get((fact.who, fact.wound))
        self.wounds[fact.who, fact.wound] = fact.value
        if before == fact.value:
            return None
        if not fact.value:
            whose, others = f"{person(fact.who)}'s", self._other_wounds(fact, episode)
            return TextEffect(
                f"one of {whose} wounds has healed" if others else f"{whose} wound has healed",
                plural=f"some of {whose} wounds have healed" if others else f"{whose} wounds have healed",
            )
        verb = "eases" if before is not None and fact.value < before else "worsens"
        return TextEffect(f"{person(fact.who)}'s wound {verb} to {escape(fact.kind)} {fact.value}")

    def _other_wounds(self, fact: WoundChanged, episode: Episode) -> bool:
        """Return whether somebody has wounds besides those that heal in an episode."""
        healed = {each.wound for each in episode.facts if isinstance(each, WoundChanged) and each.who == fact.who}
        return any(who == fact.who and wound not in healed and value for (who, wound), value in self.wounds.items())

    def _change(self, fact: Fact, episode: Episode) -> TextEffect | None:
        """Return a changed number: `health 8 to 3`."""
        ended = any(isinstance(each, EncounterEnded) for each in episode.facts)
        match fact:
            case PointsLost() if fact.pool in self.narration.levels:
                return TextEffect(f"{self._name(fact.who)} is {self._level(fact.pool, fact.now)}")
            case PointsSpent():
                return TextEffect(readable(fact.pool), fact.who, fact.now + fact.points, fact.now, weight=NOTHING)
            case PointsLost():
                is_last = fact.pool == self.vital and fact.now <= 0 and fact.points
                return TextEffect(
                    readable(fact.pool),
                    fact.who,
                    fact.now + fact.points,
                    fact.now,
                    weight=GRAVE if is_last else CHANGE,
                )
            case PointsRegained():
                why = readable(fact.because) if ended else ""
                return TextEffect(readable(fact.pool), fact.who, fact.now - fact.points, fact.now, why=why)
            case PoolSet() if fact.because and fact.was == fact.now and fact.most is not None:
                return TextEffect(f"{person(fact.who)}'s {readable(fact.pool)} {fact.now} of {fact.most} now")
            case PoolSet() if fact.because:
                return TextEffect(readable(fact.pool), fact.who, fact.was, fact.now)
            case TokensMoved() if not any(isinstance(each, Judged) for each in episode.facts):
                return TextEffect(readable(fact.token), fact.who, fact.now - fact.change, fact.now)
        return None

    def _level(self, pool: str, points: int) -> str:
        """Return the word of the book for so many points of a pool, or the number."""
        words = self.narration.levels[pool]
        return words[points] if 0 <= points < len(words) else str(points)

    def _costs(self, episode: Episode) -> list[str]:
        """Return what was paid for a roll, in the words of the book."""
        paid = (fact for fact in episode.facts if isinstance(fact, PointsSpent) or is_spent_token(fact))
        reasons = dict.fromkeys(str(getattr(fact, "because", "")) for fact in paid)
        costs = (fill(self.narration.costs.get(reason.split(" ")[0], ""), {"because": reason}) for reason in reasons)
        return [cost for cost in costs if cost]

    # Weight

    def _weight(self, episode: Episode, clauses: Sequence[Clause]) -> int:
        """Return how much a short recap would miss an episode."""
        effects = [effect.weight for clause in clauses for effect in net(clause.effects)]
        changes = [CHANGE for fact in episode.facts if self._is_harm(fact)]
        if any(isinstance(fact, EncounterEnded) for fact in episode.facts):
            return ENDED
        judged = [fact for fact in episode.facts if isinstance(fact, Judged)]
        results = [fact for fact in judged if self._result_pattern(fact, episode.said)[0]]
        if results:
            in_vain = any(fact.against for fact in results)
            own = [fact for fact in results if fact.who in self.characters]
            stakes = [WOUND for fact in own if any(name in fact.what for name in self.narration.grave)]
            words = [TURN for clause in clauses if self.fights and not in_vain and QUOTED in "".join(clause.notes)]
            return max([NOTHING if in_vain else DONE, *effects, *changes, *stakes, *words])
        told = max((self._weight_alone(fact) for fact in episode.facts), default=SMALL)
        highest = FALL if self.characters.intersection(names_in(episode)) else TURN
        return max([told, *(min(weight, highest) if weight > CHANGE else SMALL + 1 for weight in effects)])

    def _is_harm(self, fact: Fact) -> bool:
        """Return whether a fact harms somebody, or says in a word of the players' view how they are."""
        is_word = isinstance(fact, ConditionBegan) and fact.name in self.wording.health
        return is_word or isinstance(fact, PointsLost | Wounded)

    def _weight_alone(self, fact: Fact) -> int:
        """Return how much a short recap would miss a fact that no roll decided."""
        match fact:
            case EncounterBegan():
                return ENDED
            case ConditionEnded():
                return WOUND if fact.name in self.narration.grave else SMALL
            case OptionSet():
                return TURN
        return TURN if is_ruling(fact) else SMALL

    def _weight_of(self, fact: ConditionBegan | ConditionEnded) -> int:
        """Return how much a short recap would miss a condition."""
        if fact.name not in (self.narration.grave or self.wording.gone):
            return TURN if fact.name in (*self.wording.gone, *self.narration.turning) else CHANGE
        if isinstance(fact, ConditionEnded):
            return WOUND
        return FALL if fact.who in self.characters else GRAVE


def storytellers(book: Game) -> Storytellers:
    """Return what makes the teller of a session of this book, of the state before it and the characters."""
    texts = book.texts()
    return lambda before, characters: Teller(texts.lexicon, texts.narration, before, characters, texts.options)


def changes(fact: Fact) -> Iterator[tuple[str, str]]:
    """Yield whose pool, wound or condition a fact changed, and its name."""
    match fact:
        case PointsLost() | PointsRegained() | PointsSpent() | PoolSet():
            yield fact.who, fact.pool
        case Wounded() | WoundChanged():
            yield fact.who, fact.wound
        case ConditionBegan() | ConditionEnded():
            yield fact.who, fact.name


def told_facts(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts without the results that were judged anew."""
    final = {id(fact) for fact in final_results(facts)}
    yield from (fact for fact in facts if not isinstance(fact, Judged) or id(fact) in final)


def names_in(episode: Episode) -> Iterator[str]:
    """Yield the beings that act or suffer in an episode."""
    if episode.by not in RESERVED:
        yield episode.by
    for fact in episode.facts:
        if isinstance(fact, EncounterBegan):
            yield from (who for _, members in fact.sides for who in members)
        elif isinstance(fact, EncounterEnded):
            yield from (who for _, members in fact.stand for who in members)
            yield from (who for who, _ in fact.out)
        elif not isinstance(fact, BOOKKEEPING):
            yield from (name for field in ("who", "against") if (name := getattr(fact, field, "")) and name != GM)


def reason_of(episode: Episode) -> str:
    """Return why a sheet, a pool or a wound was changed without more words."""
    changed = (fact.because for fact in episode.facts if isinstance(fact, SheetChanged | WoundChanged | PoolSet))
    return readable(next((reason for reason in changed if reason), ""))


def weapons_of(fact: Judged) -> dict[str, str]:
    """Return the weapons of a result in words, `weapon` and `foe_weapon`, and who attacked with theirs, `allies`."""
    weapons: dict[str, list[str]] = {fact.who: [], fact.against: []}
    for who, weapon in fact.using:
        weapons.setdefault(who, []).extend([weapon] if weapon else [])
    own = weapons.pop(fact.who)
    foes = weapons.pop(fact.against, [])
    allies = [person(who) + in_brackets(*map(readable, theirs)) for who, theirs in weapons.items()]
    return {
        "weapon": join_with_and([*map(readable, own)] or [""]),
        "foe_weapon": join_with_and([*map(readable, foes)] or [""]),
        "allies": join_with_and(allies or [""]),
    }


def is_spent_token(fact: Fact) -> bool:
    """Return whether a token was given away."""
    return isinstance(fact, TokensMoved) and fact.change < 0


def is_ruling(fact: Fact) -> bool:
    """Return whether the game master ruled in so many words."""
    return isinstance(fact, Ruled) and fact.name == "ruling"


def nearest(pattern: str, fact: Judged) -> str:
    """Return whose numbers need no name behind the sentence of a result: of its object, or of its only subject."""
    who, against = pattern.rfind("{who}"), pattern.rfind("{against}")
    if against > who:
        return fact.against
    return fact.who if against < 0 else ""  # `Guard resists Ada` leaves open whose stamina it is


def texts_of(said: Mapping[str, Any], verbs: Collection[str] = ()) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words.

    `climbing` is there also as `task_ing`, and `climbs` as `task_to`, if it is one of the verbs of English or the book.
    """
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    tasks = {f"{name}_to": task for name, value in texts.items() if (task := infinitive(value, verbs))}
    return (
        texts
        | gerunds
        | tasks
        | {name: join_with_and(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )
