"""What holds around a roll: said in its line, known from the state, or denied with a reason.

Situations are the book's `[[situations]]`: words with the rules that give them their steps. All of them are seen
from the attacker's side, whoever rolls; a defence mirrors what comes of them (DB-ROLL-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from projections.state import State
from rulebooks.common.texts import Situation
from rulebooks.dusk_bastards.declarations import BANDS, Denied, Directed
from rulebooks.dusk_bastards.guards import has_condition
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.texts import TEXTS, value_refused
from rulebooks.dusk_bastards.world.surroundings import distance_index, known_distance, scene_words

LIGHT_WORDS: Final = ("dim", "very_dim", "dark")
MOVED: Final = "moved"


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One attack as the attack modifiers see it: who attacks whom, how, with what, from how far, and what holds."""

    attacker: str
    target: str
    ranged: bool
    at: int | None  # the place of the distance in the bands; None: unknown
    range: int | None = None  # None: it does not matter
    max_range: int = BANDS.index("extreme")
    weapon: str = ""
    works_underwater: bool = False
    aquatic: bool = False
    situations: Mapping[str, str]  # by word: how far, where there is such a thing

    def has(self, *words: str) -> bool:
        """Whether one of these holds."""
        return any(word in self.situations for word in words)

    def reason(self, word: str) -> str:
        """The situation in a sentence, with the names of those who are in it."""
        names = {"target": self.target or "the target", "attacker": self.attacker or "the attacker"}
        said = situation(word).text.format(**names)
        value = self.situations.get(word, "")
        return f"{said}: {value}" if value else said


def situation_words() -> list[str]:
    """Every word that says a situation in a line."""
    return [word for found in TEXTS.content.situations for word in found.words]


def situation(word: str) -> Situation:
    """The situation that this word says. Raises the refusal of a word that says none, with the nearest."""
    from difflib import get_close_matches  # heavy, and most words are right

    for found in TEXTS.content.situations:
        if word in found.words or word == own_word(found):
            return found
    near = get_close_matches(word, situation_words(), 1)
    hint = f"; the nearest: {near[0]}" if near else ""
    raise value_refused("situations", f"one of {', '.join(situation_words())}{hint}", word)


def own_word(found: Situation) -> str:
    """A situation's own word, without how far."""
    return found.words[0].partition("=")[0]


def word_and_value(word: str) -> tuple[str, str]:
    """The situation's own word, and how far where there is such a thing: `moved=short`."""
    found = situation(word)
    return own_word(found), word.partition("=")[2]


# What is said


def check_situations(said: Sequence[str], denied: Sequence[Denied]) -> None:
    """DB-PLAY-9: known words, one of each kind, and a reason for whatever is denied."""
    seen: dict[str, str] = {}
    for word in said:
        found = situation(word)
        kind = found.group or own_word(found)
        if seen.setdefault(kind, word) != word:
            raise value_refused("situations", f"{seen[kind]} or {word}, not both", f"{seen[kind]} and {word}")
    for one in denied:
        if not one.reason:
            raise value_refused("denied", f"{one.name} and the reason in quotes", "no reason")
        if one.name in (word for said_word in said for word in (said_word, word_and_value(said_word)[0])):
            raise value_refused("situations", f"said or denied, not both: {one.name}", f"+{one.name} -{one.name}")


def situations_in_force(
    said: Sequence[str], denied: Sequence[Denied], attacker: str, target: str, state: State, *, attack: bool
) -> dict[str, str]:
    """DB-MOD-4: what is said and what is known, each once, without what is denied. A farther move counts."""
    found = known_situations(attacker, target, state) if attack else {}
    for word, value in map(word_and_value, said):
        found[word] = max(value, found.get(word, ""), key=lambda band: BANDS.index(band) if band in BANDS else -1)
    gone = {one.name.partition("=")[0] for one in denied}
    return {word: value for word, value in found.items() if word not in gone}


def known_situations(attacker: str, target: str, state: State) -> dict[str, str]:
    """What the state knows of an attack: conditions of both, how far they have moved, light and obscurity."""
    found = dict.fromkeys(scene_words(state), "")
    for one in TEXTS.content.situations:
        who, word = {"target": target, "attacker": attacker}.get(one.of, ""), own_word(one)
        if who and has_condition(who, word, state):
            found[word] = ""
    for who, word in ((target, "moved"), (attacker, "moving")):
        far = state.count(who, MOVED)
        if far:
            found[word] = BANDS[far - 1]
    return found


def distance_between(said: Directed, one: str, other: str, state: State) -> int | None:
    """DB-DIST-2: the distance that is said, or else the one that is known."""
    far = distance_index(said.at, said.feet)
    return known_distance(one, other, state) if far is None else far


def check_distance(shot: Shot) -> None:
    """DB-LIGHT-1: in dim and very dim light the distance matters; it must be said where nobody knows it."""
    if shot.at is None and shot.has("dim", "very_dim"):
        apart = f"{shot.attacker} and {shot.target or 'the target'} are apart"
        domain = f"one of {', '.join(BANDS)}, since in this light it matters how far {apart}"
        raise value_refused("at", domain, "nothing")


# What is denied


def deniable_names(state: State) -> list[str]:
    """What a line may say does not bear: any situation, and whatever holds for somebody."""
    bearing = [found.name for found in state.conditions.values() if not found.data]
    return [*dict.fromkeys([*map(own_word, TEXTS.content.situations), *sorted(bearing), "charge", "wound"])]


def leave_out_denied(denied: Sequence[Denied], bears: Iterable[RollModifier]) -> tuple[RollModifier, ...]:
    """DB-PLAY-7: what the table says does not bear on this roll is left out, and the sum shows why."""
    why = {one.name.partition("=")[0]: one.reason for one in denied}
    return tuple(
        found._replace(rule="DB-PLAY-7", reason=f"{found.reason}, but {why[found.name]}", counted=False)
        if found.counted and found.name in why
        else found
        for found in bears
    )
