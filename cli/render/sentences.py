"""Deeds as sentences, with the words of the book: who did what, how it came out, and what it changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.output import safe
from cli.queries.story import Sentence
from cli.render.phrases import in_brackets, join_with_and, passing, readable
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
from projections.recap.episodes import Episode, final_results
from projections.state import State
from rulebooks.common.texts import Lexicon

GERUND: Final = re.compile(r"\w*[aeiouy]\w*ing\b", re.IGNORECASE)  # not `sing`, `swing` or `bring`
OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
FIELD: Final = re.compile(r"\{(\w+)\}")
IS: Final = " is "
ENDS: Final = (".", "?", "!")
GOES_ON: Final = "..."
LEAD: Final = ":"
LEAD_ON: Final = ": "
SHORT: Final = 60  # seconds that need no sentence
TELLING_ENDS: Final = ("removed", "ruling")
GRAVE, WOUND, TURN, CHANGE, DONE, SMALL, NOTHING = 9, 8, 7, 5, 4, 2, 1  # weights

BOOKKEEPING: Final = (ActionSpent, Allowed, Counted, CountsCleared, Reached)

Fields = Mapping[str, object]


class TextEffect(msgspec.Struct, frozen=True):
    """What changed: a sentence, or the name of a number with its values before and after, and whose it is."""

    text: str
    whose: str = ""
    was: int | None = None
    now: int = 0
    weight: int = CHANGE


class Clause(msgspec.Struct):
    """A part of a sentence: what happened, remarks in brackets, and the effects.

    `about` is the one whose numbers need no name in it. A text that ends with a colon leads to what follows.
    """

    text: str
    about: str = ""
    notes: list[str] = []
    effects: list[TextEffect] = []

    def __str__(self) -> str:
        effects = ", ".join(dict.fromkeys(effect_texts(net(self.effects), self.about)))
        text = self.text.removesuffix(LEAD) + in_brackets(*self.notes)
        return ": ".join(part for part in (text, effects) if part)

    @property
    def leads(self) -> bool:
        """Return whether it says only why something happened, and nothing yet of what happened."""
        return self.text.endswith(LEAD) and not net(self.effects)


def effect_texts(effects: Sequence[TextEffect], about: str) -> Iterator[str]:
    """Yield numbers with the name of whose they are where that changes, then the other effects."""
    named = about
    for effect in effects:
        if effect.was is not None:
            whose = "" if effect.whose == named else f"{person(effect.whose)}'s "
            named = effect.whose
            yield f"{whose}{effect.text} {effect.was} to {effect.now}"
    yield from merged([effect.text for effect in effects if effect.was is None])


def merged(texts: Sequence[str]) -> Iterator[str]:
    """Yield texts; what several in a row say somebody is comes in one: `Sexton 1 is unconscious and stable`."""
    last: list[str] = []
    for text in texts:
        who, verb, what = text.partition(IS)
        if verb and last and last[0] == who:
            last.append(what)
            continue
        yield from joined_text(last)
        last = [who, what] if verb else [text]
    yield from joined_text(last)


def joined_text(parts: Sequence[str]) -> Iterator[str]:
    """Yield somebody and what they are as one text; nothing without parts."""
    if parts:
        who, *what = parts
        yield f"{who}{IS}{join_with_and(what)}" if what else who


def net(effects: Sequence[TextEffect]) -> list[TextEffect]:
    """Return the effects with all changes of one number as one, where the last of them is."""
    last: dict[object, TextEffect] = {}
    for index, effect in enumerate(effects):
        key = index if effect.was is None else (effect.whose, effect.text)
        first = last.pop(key, effect)
        last[key] = msgspec.structs.replace(effect, was=first.was)
    return [effect for effect in last.values() if effect.was is None or effect.was != effect.now]


class Teller:
    """Tells the episodes of a session in their order.

    Args:
        words: the words of the book.
        before: the state before the first episode.
        characters: those of the players.
    """

    def __init__(self, words: Lexicon, before: State, characters: Collection[str]) -> None:
        self.narration, self.wording = words.narration, words.wording
        self.vital = words.vital_value
        self.characters = frozenset(characters)
        self.conditions = {id: item.degree for id, item in before.conditions.items()}
        self.wounds = {id: wound.value for id, wound in before.wounds.items()}

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return the sentence of an episode; None when there is nothing to tell."""
        clauses = self._clauses(episode)
        if not clauses:
            return None
        next((clause for clause in clauses if clause.notes), clauses[-1]).notes += self._costs(episode)
        text = joined_clauses(clauses, episode.by)
        names = tuple(dict.fromkeys(names_in(episode)))
        weight = self._weight(episode, clauses)
        return Sentence(entries=tuple(episode.entries), text=capital(text), weight=weight, names=names)

    def text_sentence(self, fact: Told, entry: str) -> Sentence | None:
        """Return the sentence of a text that does not stand as it is."""
        pattern = self.narration.told.get(fact.kind, "{by}: {text}")
        text = fill(pattern, {"by": person(fact.by), "text": fact.text})
        return Sentence(entries=(entry,), text=capital(text), weight=SMALL, names=(fact.by,)) if text else None

    # Clauses

    def _clauses(self, episode: Episode) -> list[Clause]:
        """Return the clauses of an episode: each event and result with its effects, or the effects alone."""
        said = texts_of(episode.said)
        clauses: list[Clause] = []
        early: list[TextEffect] = []
        told: list[object] = []  # weapons
        for fact in told_facts(episode.facts):
            if isinstance(fact, Judged):
                shown = msgspec.structs.replace(fact, using=()) if fact.using in told else fact
                told.append(fact.using)
                clause = self._result(shown, episode, said)
            else:
                clause = self._event(fact, episode)
            if clause is not None and not clause.text.startswith(GOES_ON):
                clause.effects, early = early, []
                clauses.append(clause)
            elif clause is not None and clauses:
                clauses[-1].text = clauses[-1].text.removesuffix(LEAD) + clause.text.removeprefix(GOES_ON)
            effect = self._effect(fact, episode)
            if effect is not None:
                (clauses[-1].effects if clauses else early).append(effect)
        if not clauses:
            pattern = self._pattern(self.narration.lines, said.get("say", ""), said.get("text", ""), "")
            line = fill(pattern, {**said, "by": person(episode.by)})
            line = line or (reason_of(episode) if net(early) else "")
            if line or net(early):
                clauses.append(Clause(line, episode.by if line else "", effects=early))
        return clauses

    def _result_pattern(self, fact: Judged) -> str:
        """Return the sentence of a result; of dice without words of the book a plain one."""
        plain = "{who}: {what} {result}" if fact.rolls and fact.what not in self.wording.effects else ""
        return self._pattern(self.narration.results, fact.what, fact.result, plain)

    def _result(self, fact: Judged, episode: Episode, said: Fields) -> Clause | None:
        """Return a result with its score."""
        pattern = self._result_pattern(fact)
        fields = {
            **(said if fact.who == episode.by else {}),
            **weapons_of(fact),
            "who": person(fact.who),
            "against": person(fact.against),
            "what": fact.what,
            "result": fact.result,
            "total": fact.total,
        }
        text = fill(pattern, fields)
        scored = "{total}" not in pattern and not any(each.name in self.wording.dice_counts for each in fact.sums)
        about = fact.against if pattern.rfind("{against}") > pattern.rfind("{who}") else fact.who
        return Clause(text, about, [self._score(fact)] if scored else []) if text else None

    def _score(self, fact: Judged) -> str:
        """Return the total of a result and the target if it may be seen: `17 against 12`."""
        if fact.total is None:
            return ""
        return f"{fact.total}" + ("" if fact.target is None else f" against {fact.target}")

    def _pattern(self, patterns: Mapping[str, str], name: str, more: object, fallback: str) -> str:
        """Return the sentence for a name with more behind it, or for the name alone."""
        return patterns.get(f"{name} {more}", patterns.get(name, fallback))

    def _event(self, fact: Fact, episode: Episode) -> Clause | None:
        """Return what happened besides results; None for facts that are effects or bookkeeping."""
        match fact:
            case EncounterBegan():
                sides = sorted((who for _, who in fact.sides if who), key=self.characters.isdisjoint)
                return Clause(" against ".join(join_with_and(list(map(safe, who))) for who in sides))
            case EncounterEnded():
                return Clause(f"{safe(fact.encounter)} is over", notes=[safe(fact.because)])
            case Rested():
                pattern = self.narration.rests.get(fact.rest, "{who} rests ({kind})")
                text = fill(pattern, {"who": person(fact.who), "kind": readable(fact.rest)})
                return Clause(text, fact.who, [] if fact.whole else ["disturbed"])
            case TimePassed() if fact.seconds >= SHORT and not any(isinstance(each, Rested) for each in episode.facts):
                return Clause(passing(fact.seconds), notes=[safe(fact.because)])
            case Ruled():
                text = self._ruling(fact, episode)
                return Clause(text) if text else None
            case OptionSet():
                text = f"the table sets {readable(fact.name)} to {readable(str(fact.now))}"
                return Clause(text, notes=[safe(fact.because)])
        return None

    def _ruling(self, fact: Ruled, episode: Episode) -> str:
        """Return a ruling, or what it is called in the book."""
        pattern = self.narration.rulings.get(fact.name)
        if pattern is None:
            pattern = "the game master rules: {text}[ ({because})]" if fact.name == "ruling" else "{text}[ ({because})]"
        return fill(pattern, {"text": fact.text, "because": fact.because, "by": person(episode.by)})

    # Effects

    def _effect(self, fact: Fact, episode: Episode) -> TextEffect | None:
        """Return what a fact changed; None for bookkeeping and the numbers of the hidden."""
        match fact:
            case ConditionBegan() if not fact.data:
                return self._condition(fact)
            case ConditionEnded():
                return self._end(fact)
            case Wounded():
                return self._wound(fact)
            case Linked() if any(isinstance(each, Judged) for each in episode.facts):
                key = fact.tie if fact.on else f"{fact.tie} ended"
                one = fact.one.removeprefix(f"{fact.other}'s ")
                text = fill(self.narration.ties.get(key, ""), {"who": person(one), "other": person(fact.other)})
                return TextEffect(text) if text else None
            case WoundChanged():
                return self._healing(fact)
            case SheetChanged() if isinstance(fact.was, int) and isinstance(fact.now, int):
                return TextEffect(readable(fact.key), fact.who, fact.was, fact.now)
            case SheetChanged() if fact.who in self.characters and fact.now is not None:
                was = "" if fact.was is None else f"{safe(str(fact.was))} to "
                return TextEffect(f"{person(fact.who)}'s {readable(fact.key)} {was}{safe(str(fact.now))}")
        return self._change(fact, episode)

    def _condition(self, fact: ConditionBegan) -> TextEffect | None:
        """Return a condition that began; nothing for one that only begins again."""
        if self.conditions.get(fact.id) == fact.degree:
            return None
        self.conditions[fact.id] = fact.degree
        degree = f" {fact.degree}" if fact.degree != 1 else ""
        plain = self._pattern(self.wording.conditions, fact.name, fact.degree, f"{{who}} is {{name}}{degree}")
        pattern = self._pattern(self.narration.conditions, fact.name, fact.degree, plain)
        fields = {"who": person(fact.who), "about": person(fact.about), "name": readable(fact.name)}
        text = fill(pattern, fields)
        return TextEffect(text, weight=self._weight_of(fact)) if text else None

    def _end(self, fact: ConditionEnded) -> TextEffect | None:
        """Return the end of a condition that the book or the game master makes a point of."""
        self.conditions.pop(fact.id, None)
        plain = "{who} is no longer {name}" if fact.because in TELLING_ENDS else ""
        pattern = self._pattern(self.narration.ends, fact.name, fact.because, plain)
        text = fill(pattern, {"who": person(fact.who), "name": readable(fact.name)})
        return TextEffect(text, weight=self._weight_of(fact)) if text else None

    def _wound(self, fact: Wounded) -> TextEffect:
        """Return a wound."""
        self.wounds[fact.who, fact.wound] = fact.value
        pattern = self.narration.wounds.get(fact.kind, "{who} takes a {kind} wound")
        text = fill(pattern, {"who": person(fact.who), "kind": fact.kind})
        return TextEffect(text, weight=WOUND if fact.who in self.characters else CHANGE)

    def _healing(self, fact: WoundChanged) -> TextEffect | None:
        """Return a wound that changed its value; that it comes into force is no news."""
        before = self.wounds.get((fact.who, fact.wound))
        self.wounds[fact.who, fact.wound] = fact.value
        if before == fact.value:
            return None
        now = f"is {safe(fact.kind)} {fact.value} now" if fact.value else "has healed"
        return TextEffect(f"{person(fact.who)}'s wound {now}")

    def _change(self, fact: Fact, episode: Episode) -> TextEffect | None:
        """Return a changed number: `health 8 to 3`."""
        match fact:
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
                return TextEffect(readable(fact.pool), fact.who, fact.now - fact.points, fact.now)
            case PoolSet() if fact.because:
                return TextEffect(readable(fact.pool), fact.who, fact.was, fact.now)
            case TokensMoved() if not any(isinstance(each, Judged) for each in episode.facts):
                return TextEffect(readable(fact.token), fact.who, fact.now - fact.change, fact.now)
        return None

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
        if any(isinstance(fact, Judged) and self._result_pattern(fact) for fact in episode.facts):
            in_vain = any(isinstance(fact, Judged) and fact.against for fact in episode.facts)
            return max([NOTHING if in_vain else DONE, *effects, *changes])
        told = max((self._weight_alone(fact) for fact in episode.facts), default=SMALL)
        return max([told, *(weight if weight > CHANGE else SMALL + 1 for weight in effects)])

    def _is_harm(self, fact: Fact) -> bool:
        """Return whether a fact harms somebody, or says in a word of the players' view how they are."""
        is_word = isinstance(fact, ConditionBegan) and fact.name in self.wording.health
        return is_word or isinstance(fact, PointsLost | Wounded)

    def _weight_alone(self, fact: Fact) -> int:
        """Return how much a short recap would miss a fact that no roll decided."""
        match fact:
            case EncounterBegan() | EncounterEnded():
                return GRAVE
            case ConditionEnded():
                return WOUND if fact.name in self.narration.grave else SMALL
            case OptionSet():
                return TURN
        return TURN if is_ruling(fact) else SMALL

    def _weight_of(self, fact: ConditionBegan | ConditionEnded) -> int:
        """Return how much a short recap would miss a condition."""
        if fact.name not in (self.narration.grave or self.wording.gone):
            return CHANGE
        return GRAVE if isinstance(fact, ConditionBegan) else WOUND


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
        elif not isinstance(fact, BOOKKEEPING):
            yield from (name for field in ("who", "against") if (name := getattr(fact, field, "")) and name != GM)


def joined_clauses(clauses: Sequence[Clause], by: str) -> str:
    """Return clauses as one sentence; behind the end of somebody's own sentence a new one begins.

    A reason to which nothing is added is told as what `by` says.
    """
    text, between = "", ""
    for clause in clauses:
        text += f" {capital(str(clause))}" if text.endswith(ENDS) else between + str(clause)
        between = LEAD_ON if clause.leads else "; "
    return f"{person(by)}: {text}" if all(clause.leads for clause in clauses) else text


def reason_of(episode: Episode) -> str:
    """Return why a sheet, a pool or a wound was changed without more words."""
    changed = (fact.because for fact in episode.facts if isinstance(fact, SheetChanged | WoundChanged | PoolSet))
    return readable(next((reason for reason in changed if reason), ""))


def weapons_of(fact: Judged) -> dict[str, str]:
    """Return the weapons of a result in words, `weapon`, and the others who attacked with theirs, `allies`."""
    weapons: dict[str, list[str]] = {fact.who: []}
    for who, weapon in fact.using:
        weapons.setdefault(who, []).extend([weapon] if weapon else [])
    own = weapons.pop(fact.who)
    allies = [person(who) + in_brackets(*map(readable, theirs)) for who, theirs in weapons.items()]
    return {"weapon": join_with_and([*map(readable, own)] or [""]), "allies": join_with_and(allies or [""])}


def is_spent_token(fact: Fact) -> bool:
    """Return whether a token was given away."""
    return isinstance(fact, TokensMoved) and fact.change < 0


def is_ruling(fact: Fact) -> bool:
    """Return whether the game master ruled in so many words."""
    return isinstance(fact, Ruled) and fact.name == "ruling"


def texts_of(said: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words; `climbing` also as `task_ing`."""
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    return (
        texts
        | gerunds
        | {name: join_with_and(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )


def fill(pattern: str, fields: Fields) -> str:
    """Return a sentence with its fields filled in: the first of the alternatives between `|` that has all of them.

    A part in square brackets is left out when one of its own fields is empty.
    """

    def text(name: str) -> str:
        value = fields.get(name)
        return "" if value is None else safe(str(value))

    def has_all(part: str) -> bool:
        return all(text(name) for name in FIELD.findall(part))

    *better, last = pattern.split("|")
    chosen = next((each for each in better if has_all(OPTIONAL.sub("", each))), last)
    kept = OPTIONAL.sub(lambda part: part[1] if has_all(part[1]) else "", chosen)
    return FIELD.sub(lambda field: text(field[1]), kept)


def person(name: str) -> str:
    """Return the name of somebody in a sentence."""
    return "the game master" if name == GM else safe(name)


def capital(text: str) -> str:
    """Return a sentence with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
