"""Situations of an attack: said in its line, known from the state, or denied with a reason.

Situations are the book's `[[situations]]`: words with the rules that give them their steps. All of them are seen
from the attacker's side, also when the target rolls; a defence mirrors their steps (DB-ROLL-4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.texts import SituationText
from rulebooks.dusk_bastards.declarations.parts import BANDS, Denied
from rulebooks.dusk_bastards.texts import TEXTS, value_refusal
from rulebooks.dusk_bastards.world.surroundings import scene_words

LIGHT_WORDS: Final = ("dim", "very_dim", "dark")
MOVED: Final = "moved"


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One attack as the attack modifiers see it: attacker, target, weapon, distance and situations."""

    attacker: str
    target: str
    ranged: bool
    distance: int | None  # the index of its band; None: unknown
    range: int | None = None  # None: it does not matter
    max_range: int = BANDS.index("extreme")
    weapon: str = ""
    works_underwater: bool = False
    aquatic: bool = False
    situations: Mapping[str, str]  # in force, by word: the distance of `moved=short`, else empty
    known: Mapping[str, str] = {}  # by the state, also what is denied

    def has(self, *words: str) -> bool:
        """Return whether one of these situations applies."""
        return any(word in self.situations for word in words)

    def reason(self, word: str) -> str:
        """Return the sentence of a situation, with the names of attacker and target."""
        names = {"target": self.target or "the target", "attacker": self.attacker or "the attacker"}
        sentence, value = situation(word).text.format(**names), self.situations.get(word, "")
        return f"{sentence}: {value}" if value else sentence


def situation_words() -> list[str]:
    """Return every word that says a situation in a line."""
    return [word for each in TEXTS.content.situations for word in each.words]


def situation(word: str) -> SituationText:
    """Return the situation of a word. An unknown word is refused, with the nearest known one."""
    from difflib import get_close_matches  # heavy, and most words are right

    for each in TEXTS.content.situations:
        if word in each.words or word == own_word(each):
            return each
    near = get_close_matches(word, situation_words(), 1)
    hint = f"; the nearest: {near[0]}" if near else ""
    raise value_refusal("situations", f"one of {', '.join(situation_words())}{hint}", word)


def own_word(each: SituationText) -> str:
    """Return a situation's word without a distance: `moved` for `moved=short`."""
    return each.words[0].partition("=")[0]


def word_and_value(word: str) -> tuple[str, str]:
    """Return a situation's word and its distance, if any: `moved` and `short` for `moved=short`."""
    return own_word(situation(word)), word.partition("=")[2]


def check_situations(said: Sequence[str], denied: Sequence[Denied]) -> None:
    """DB-PLAY-9: known words, one of each kind, and a reason for each denial."""
    seen: dict[str, str] = {}
    for word in said:
        kind = situation(word).group or own_word(situation(word))
        if seen.setdefault(kind, word) != word:
            raise value_refusal("situations", f"{seen[kind]} or {word}, not both", f"{seen[kind]} and {word}")
    said_words = {*said, *(word_and_value(word)[0] for word in said)}
    for name, reason in ((denial.name, denial.reason) for denial in denied):
        if not reason:
            raise value_refusal("denied", f"{name} and the reason in quotes", "no reason")
        if name in said_words:
            raise value_refusal("situations", f"said or denied, not both: {name}", f"+{name} -{name}")


def situations_in_force(said: Sequence[str], denied: Sequence[Denied], known: Mapping[str, str]) -> dict[str, str]:
    """DB-MOD-4: said and known situations, each once, without the denied ones. The farther move counts."""
    values = dict(known)
    for word, value in map(word_and_value, said):
        values[word] = max(value, values.get(word, ""), key=lambda band: BANDS.index(band) if band in BANDS else -1)
    left_out = {denial.name.partition("=")[0] for denial in denied}
    return {word: value for word, value in values.items() if word not in left_out}


def known_situations(attacker: str, target: str, state: State) -> dict[str, str]:
    """Return the situations that the state knows: conditions and moves of both, light and obscurity."""
    known = dict.fromkeys(scene_words(state), "")
    for each in TEXTS.content.situations:
        who, word = {"target": target, "attacker": attacker}.get(each.of, ""), own_word(each)
        if who and has_condition(who, word, state):
            known[word] = ""
    for who, word in ((target, "moved"), (attacker, "moving")):
        if bands := state.count(who, MOVED):
            known[word] = BANDS[bands - 1]
    return known


def check_distance(shot: Shot) -> None:
    """DB-LIGHT-1: in dim and very dim light the distance matters; it must be declared where it is unknown."""
    if shot.distance is None and shot.has("dim", "very_dim"):
        apart = f"{shot.attacker} and {shot.target or 'the target'} are apart"
        domain = f"one of {', '.join(BANDS)}, since in this light it matters how far {apart}"
        raise value_refusal("at", domain, None)


def deniable_names(state: State) -> list[str]:
    """Return the names that a line may deny: any situation, and any condition that somebody has."""
    conditions = sorted(condition.name for condition in state.conditions.values() if not condition.data)
    return [*dict.fromkeys([*map(own_word, TEXTS.content.situations), *conditions, "charge", "wound"])]
