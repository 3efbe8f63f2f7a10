"""How fights came out, as the facts of their ends say: who won, who still stood, who got away, and what turned them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from ledger.facts import ConditionEnded, EncounterBegan, EncounterEnded, Fact
from projections.recap.episodes import Episode
from projections.recap.falls import Fall, FallWords, is_common

LEFT: Final = "left"  # how somebody is out of a fight who has not fallen
Result = Literal["won", "lost", "over", "running"]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a fight came out for the characters, and the entry in which it ended; empty while it goes on.

    It is won if some of them stand, none of the others does, and nobody with a name of their own got away. It is lost
    if others stand, and none of the characters. Of the others `stand` are on their feet, `freed` only get up because it
    is over, and `away` got away. Of the characters `fled` got away, and `behind` are down. `all_fled`: all of them got
    away who were in it.
    """

    fight: str
    entry: str = ""
    result: Result = "running"
    stand: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    fled: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    all_fled: bool = False

    @property
    def named_away(self) -> tuple[str, ...]:
        """The others who got away and have a name of their own."""
        return tuple(who for who in self.away if not is_common(who))


def outcome_in(among: Sequence[Fact], characters: Collection[str], words: FallWords) -> Outcome | None:
    """Return how the fight came out that ends among these facts; None where none does."""
    end = next((fact for fact in among if isinstance(fact, EncounterEnded)), None)
    if end is None:
        return None
    own = {*characters, *(who for _, side in end.stand if not {*characters}.isdisjoint(side) for who in side)}
    got_up = {fact.who for fact in among if isinstance(fact, ConditionEnded) and fact.name in words.fallen}
    there = [who for _, side in end.stand for who in side]
    on_feet = [who for who in there if who not in got_up]
    stand = tuple(who for who in on_feet if who not in own)
    freed = tuple(who for who in there if who in got_up and who not in own)
    gone = [who for who, how in end.out if how in (LEFT, *words.fled)]
    down = [who for who, how in end.out if how in words.fallen] + sorted(got_up)
    away = tuple(who for who in gone if who not in own)
    is_up = not {*characters}.isdisjoint(on_feet)
    is_theirs = not {*characters}.isdisjoint([*there, *dict(end.out)])
    is_beaten = bool(freed or {*dict(end.out)} - own)
    has_won = is_up and not stand and is_beaten and all(map(is_common, away))
    return Outcome(
        fight=end.encounter,
        result="lost" if is_theirs and stand and not is_up else "won" if has_won else "over",
        stand=stand,
        freed=freed,
        away=away,
        fled=tuple(who for who in gone if who in characters),
        all_fled={*gone} >= {*characters}.intersection([*there, *dict(end.out)]) != set(),
        behind=tuple(who for who in dict.fromkeys(down) if who in characters and who not in gone),
    )


def outcomes(episodes: Iterable[Episode], characters: Collection[str], words: FallWords) -> list[Outcome]:
    """Return how the fights of these episodes came out, in order; those that go on come last."""
    done, running = list[Outcome](), dict[str, Outcome]()
    for episode in episodes:
        for fact in episode.facts:
            if isinstance(fact, EncounterBegan):
                running[fact.encounter] = Outcome(fight=fact.encounter)
        outcome = outcome_in(episode.facts, characters, words)
        if outcome is not None:
            running.pop(outcome.fight, None)
            done.append(msgspec.structs.replace(outcome, entry=episode.entries[0]))
    return [*done, *running.values()]


def without_away(outcome: Outcome, given: Collection[str]) -> Outcome:
    """Return how a fight came out; those of the others who gave up did not get away."""
    return msgspec.structs.replace(outcome, away=tuple(who for who in outcome.away if who not in given))


class DecisiveFall(msgspec.Struct, frozen=True, kw_only=True):
    """What turned the last fight in which somebody fell, or fled where nobody fell, and how that came out.

    `decisive` is the last fall of a foe, of one with a name before one of several. It is the last fall of a character
    where the fight was lost, no foe fell, or whoever brought them down still stands and fights; and the flight of a
    character from a fight that cost nobody anything. `beside` fell with that one, by the same. `fell` are the falls of
    characters that belong to it: in it or behind it, and all who are dead or down at the end. `beaten`: whoever turned
    it won. `went_on`: others fell behind the decisive one. `is_last`: a fight before it was lost, or somebody with a
    name of their own got away from it. `gave_up`: whoever left it by the decisive one gave up. `in_words`: what was
    said of the end says what one of the others did.
    """

    decisive: Fall | None
    outcome: Outcome | None
    fell: tuple[Fall, ...] = ()
    beaten: bool = False
    went_on: bool = False
    is_last: bool = False
    gave_up: bool = False
    in_words: bool = False
    beside: tuple[str, ...] = ()


def decisive_fall(
    falls: Sequence[Fall], known: Sequence[Outcome], characters: Collection[str], done: Collection[str] = ()
) -> DecisiveFall | None:
    """Return what turned the evening; None where nobody fell or fled. `done`: the others who gave the fight up."""
    graver = [fall for fall in falls if fall.kind != "left"]
    lost = [each for each in known if each.result == "lost"]
    fights = [fall.fight for fall in graver or falls if fall.fight] + [each.fight for each in lost]
    if not fights and not graver:
        return None
    order = [each.fight for each in known]
    fight = max(fights, key=lambda name: order.index(name) if name in order else -1, default="")
    outcome = next((each for each in reversed(known) if each.fight == fight), None)
    own = [fall for fall in falls if fall.fight == fight]
    party = [fall for fall in own if fall.who in characters and fall.kind != "left"]
    foes = [fall for fall in own if fall.who not in characters and fall.kind != "left"]
    fled = [fall for fall in own if fall.who not in characters and fall.kind == "left"]
    away = [fall for fall in own if fall.who in characters and fall.kind == "left"]
    is_lost = outcome is not None and outcome.result == "lost"
    up = {who for fall in party for who in fall.by} - {fall.who for fall in (*foes, *fled)} - {*characters, *done}
    decisive: Fall | None
    if party and (is_lost or up or not foes):
        decisive = next((fall for fall in reversed(party) if fall.kind == "fell"), party[-1])
        is_over = outcome is None or outcome.result != "running"
        beaten = is_lost or (is_over and any(fall.by for fall in party) and not (fled or done))
    else:
        named = [fall for fall in foes if not is_common(fall.who)]
        decisive = next(iter((away if is_lost else named or foes or fled or away)[-1:]), None)
        beaten = is_lost or (decisive is not None and decisive in away)
    later = own[own.index(decisive) + 1 :] if decisive in own else []
    return DecisiveFall(
        decisive=decisive,
        outcome=outcome,
        fell=tuple(fallen_of(falls, fight, characters)),
        beaten=beaten,
        beside=tuple(fall.who for fall in own if decisive and is_beside(fall, decisive)),
        is_last=any(each.result == "lost" or each.named_away for each in known[: position(known, outcome)]),
        went_on=any(each.kind != "left" and decisive and each.who != decisive.who for each in later),
    )


def is_beside(fall: Fall, decisive: Fall) -> bool:
    """Return whether somebody fell at once with another, by the same."""
    same = (fall.entry, fall.kind, fall.name, fall.by) == (decisive.entry, decisive.kind, decisive.name, decisive.by)
    return same and fall.who != decisive.who and fall.kind != "left"


def position(known: Sequence[Outcome], outcome: Outcome | None) -> int:
    """Return how many outcomes stand before one; none before what is no outcome."""
    return known.index(outcome) if outcome in known else 0


def fallen_of(falls: Sequence[Fall], fight: str, characters: Collection[str]) -> Iterator[Fall]:
    """Yield the gravest fall of each character who fell in a fight or behind it, or is dead or down at the end."""
    start = next((index for index, fall in enumerate(falls) if fall.fight == fight), 0)
    own = [fall for fall in falls if fall.who in characters and fall.kind != "left"]
    dead = {fall.who for fall in own if fall.kind == "died"}
    last = {fall.who: fall for fall in own if fall.kind == "died" or fall.who not in dead}
    kept = {fall.who for index, fall in enumerate(falls) if index >= start or fall.lasting}
    yield from sorted(
        (fall for fall in last.values() if fall.who in kept or fall.kind == "died"),
        key=lambda fall: (bool(fight and not fall.fight), fall.kind != "died", not fall.lasting),
    )
