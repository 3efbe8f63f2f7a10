"""Situations of an attack: said in its line, known from the state, or denied with a reason; and its distance.

Situations are the book's `[[situations]]`: words with the rules that give them their steps. All of them are seen
from the attacker's side, also when the target rolls; a defence mirrors their steps (DB-ROLL-4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from projections.derived import derived, derived_of_being
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.texts import SituationText
from rulebooks.dusk_bastards.declarations.combat import Defence, Strike
from rulebooks.dusk_bastards.declarations.parts import BANDS, Denied
from rulebooks.dusk_bastards.guards import is_foe
from rulebooks.dusk_bastards.texts import TEXTS, value_refusal
from rulebooks.dusk_bastards.world.surroundings import LIGHT, LIGHTS, OBSCURITY, distance_between

LIGHT_WORDS: Final = ("dim", "very_dim", "dark")
OBSCURED: Final = ("", "obscured", "heavily_obscured")
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
    is_attack: bool = True  # or other harm, against which somebody defends

    def has(self, *words: str) -> bool:
        """Return whether one of these situations applies."""
        return not self.situations.keys().isdisjoint(words)

    def reason(self, word: str) -> str:
        """Return the sentence of a situation, with the names of attacker and target."""
        names = {"target": self.target or "the target", "attacker": self.attacker or "the attacker"}
        sentence, value = situation(word).text.format(**names), self.situations.get(word, "")
        return f"{sentence}: {value}" if value else sentence

    @property
    def is_submerged(self) -> bool:
        """DB-WATER-3: underwater, and not at home there."""
        return self.has("underwater") and not self.aquatic

    def underwater_steps(self) -> int:
        """DB-WATER-3: stabbing weapons one step, slashing and bashing ones two; ranged ones that work there, one."""
        if not self.ranged and not self.weapon:
            raise value_refusal("weapon", "stabbing, slashing or bashing, since it matters underwater", None)
        return 1 if self.ranged or self.weapon == "stabbing" else 2

    def check_weapon(self) -> None:
        """DB-WATER-3: refuse an attack whose weapon matters underwater and is not said, also where that is denied."""
        if not self.aquatic and (self.has("underwater") or "underwater" in self.known):
            self.underwater_steps()

    def check_distance(self) -> None:
        """DB-LIGHT-1: in dim and very dim light the distance matters; it must be declared where it is unknown."""
        if self.distance is None and self.has("dim", "very_dim"):
            apart = f"{self.attacker} and {self.target or 'the target'} are apart"
            domain = f"one of {', '.join(BANDS)}, since in this light it matters how far {apart}"
            raise value_refusal("at", domain, None)


def situation_words() -> list[str]:
    """Return every word that says a situation in a line."""
    return [word for each in TEXTS.situations for word in each.words]


def situation(word: str) -> SituationText:
    """Return the situation of a word. An unknown word is refused, with the nearest known one."""
    from difflib import get_close_matches  # heavy, and most words are right

    for each in TEXTS.situations:
        if word in each.words or word == each.word:
            return each
    near = get_close_matches(word, situation_words(), 1)
    hint = f"; the nearest: {near[0]}" if near else ""
    raise value_refusal("situations", f"one of {', '.join(situation_words())}{hint}", word)


@cache
def situations_by_bearer() -> tuple[tuple[str, bool], ...]:
    """Return the words that may be conditions of somebody, in the order of the book, and whether it is the target."""
    situations = TEXTS.situations
    return tuple((each.word, each.of == "target") for each in situations if each.of in ("target", "attacker"))


def word_and_value(word: str) -> tuple[str, str]:
    """Return a situation's word and its distance, if any: `moved` and `short` for `moved=short`."""
    return situation(word).word, word.partition("=")[2]


def check_situations(said: Sequence[str], denied: Sequence[Denied]) -> None:
    """DB-PLAY-9: known words, one of each kind, and a reason for each denial."""
    seen: dict[str, str] = {}
    for word in said:
        kind = situation(word).group or situation(word).word
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
    scene = (LIGHTS[state.count("", LIGHT)], OBSCURED[state.count("", OBSCURITY)])
    known = {word: "" for word in scene if word not in ("", "bright")}
    words = {True: situations_of(target, True, state), False: situations_of(attacker, False, state)}
    if any(words.values()):
        known |= {word: "" for word, is_target in situations_by_bearer() if word in words[is_target]}
    for who, word in ((target, "moved"), (attacker, "moving")):
        if bands := state.count(who, MOVED):
            known[word] = BANDS[bands - 1]
    return known


@derived_of_being
def situations_of(who: str, is_target: bool, state: State) -> tuple[str, ...]:
    """Return the situations that conditions of somebody are to an attack, as its target or as the attacker."""
    words = [word for word, of_target in situations_by_bearer() if of_target == is_target and who]
    return tuple([word for word in words if has_condition(who, word, state)])


@derived("conditions", "counts", "sheets", "beings")
def shot_of(said: Strike, target: str, state: State) -> Shot:
    """Return the attack of a character with the weapon figures that are said (DB-GAP-30)."""
    known = known_situations(said.by, target, state)
    situations = situations_in_force(said.situations, said.denied, known)
    shot = Shot(
        attacker=said.by,
        target=target,
        ranged=said.mode == "ranged",
        distance=distance_between(said, said.by, target, state),
        range=BANDS.index(said.range or "short"),
        max_range=BANDS.index(said.max_range or "extreme"),
        weapon=said.weapon or "",
        works_underwater=said.works_underwater,
        aquatic=state.sheet(said.by, "aquatic") == "yes",
        situations=situations,
        known=known,
    )
    if shot.ranged:
        shot.check_distance()
    return shot


def shot_at(said: Defence, state: State) -> Shot:
    """DB-ROLL-4: return the attack of a foe that a character defends against. No target of a foe is refused.

    Against poison, disease and other harm only the situations that are said count.
    """
    ranged = said.mode == "ranged"
    attack = is_attack(said, state)
    known = known_situations(said.source, said.by, state) if attack else {}
    situations = situations_in_force(said.situations, said.denied, known)
    shot = Shot(
        attacker=said.source,
        target=said.by,
        ranged=ranged,
        distance=distance_between(said, said.by, said.source, state) if ranged else None,
        range=None if said.range is None else BANDS.index(said.range),
        weapon=said.weapon or "",
        aquatic=state.sheet(said.source, "aquatic") == "yes",
        situations=situations,
        known=known,
        is_attack=attack,
    )
    if shot.ranged:
        shot.check_distance()
    return shot


def is_attack(said: Defence, state: State) -> bool:
    """DB-ROLL-3: whether a defence is against an attack: against a foe, or said to be in melee or ranged."""
    return said.cause is None and (said.mode is not None or is_foe(said.source, state))


def deniable_names(state: State) -> list[str]:
    """Return the names that a line may deny: any situation, and any condition that somebody has."""
    conditions = sorted(condition.name for condition in state.conditions.values() if not condition.data)
    return [*dict.fromkeys([*(each.word for each in TEXTS.situations), *conditions, "charge", "wound"])]
