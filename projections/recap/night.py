"""The roll of the night: the one of a character that turned most; where several did, the rarest, then the last.

How much a roll turned is what came of it, three times as much in each of the steps of `stake`. It is divided by the
chance of what was thrown, so that a rare roll comes before a likely one that is two steps graver, and not before a
death that is three steps graver. A roll of which something came counts a step more if it came off by at most a point,
and so do a rare result and what several rolled for. The fall of a foe with a name counts more, and that of one of
several who had little left counts less. One that fell short by more than a point turned nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from ledger import facts
from projections.dice_sums import sum_shares
from projections.recap.episodes import Episode, final_results
from projections.recap.falls import is_common

STEP: Final = 3
DIED, FELL, SAVED, TURNED, HARMED, CHANGED, DONE = 9, 8, 8, 7, 6, 5, 3  # steps of what came of a roll
LAST_FALL: Final = 1  # more for the fall or the flight behind which a fight was over
FELLER: Final = 1  # more for the fall of whoever had felled a character
NAMED: Final = 2  # more for the fall of a foe who is not one of several
LAST_POINTS: Final = -2  # for the fall of one of several who had little left
LITTLE: Final = 3  # of what such a foe lost in all a blow took no more than one part in so many
CLOSE: Final = (0, 1)  # margins of a roll that one point less would have turned
CLOSELY: Final = 1  # more for such a roll, if anything came of it
RARE: Final = 1  # more for a result that few rolls have
TOGETHER: Final = 1  # more for what several rolled for, and one brought off
MISSED: Final = -1  # a roll that fell further short turned nothing
HARMS: Final = (facts.PointsLost, facts.Wounded)


class NightRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll: its entry, who rolled, the total and the target; `low`: whether a low roll is good; `what` it was.

    `one_in`: of how many throws of these dice one does what it did; 0 where nobody says what was needed. `ended`:
    whether a fight was over with what came of it. `felled` are the characters whom those had felled who fell by it.
    """

    entry: str
    who: str
    total: int | None
    target: int | None
    low: bool = False
    what: str = ""
    one_in: int = 0
    ended: bool = False
    felled: tuple[str, ...] = ()


class NightWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a book for rolls and what comes of them.

    Attributes:
        low: the judgements in which a low roll is good.
        poor: results that come behind all others.
        rare: results that few rolls have.
        lost: conditions of those who do not come back.
        grave: conditions of those who fall.
        turning: conditions that turn a fight.
        gone: conditions of those who are no longer there.
        unsaid: the judgements that go without saying.
    """

    low: Collection[str] = ()
    poor: Collection[str] = ()
    rare: Collection[str] = ()
    lost: Collection[str] = ()
    grave: Collection[str] = ()
    turning: Collection[str] = ()
    gone: Collection[str] = ()
    unsaid: Collection[str] = ()


NO_WORDS: Final = NightWords()


class CharacterThrow(msgspec.Struct, frozen=True):
    """What somebody rolled in an episode: the first result, whether any is poor, and the chance of a throw as good."""

    episode: Episode
    result: facts.Judged
    poor: bool
    chance: Fraction | None


def roll_of_the_night(
    episodes: Sequence[Episode],
    characters: Collection[str],
    told: Collection[str],
    words: NightWords = NO_WORDS,
    things: Collection[str] = (),
) -> NightRoll | None:
    """Return the roll of the night. None if no roll did its roller any good.

    Args:
        episodes: the episodes of the session.
        characters: those of the players.
        told: the entries that a story tells.
        words: the words of the book.
        things: what is nobody, so that its wounds turn nothing by themselves.
    """
    throws = [
        throw
        for episode in episodes
        if any(entry in told for entry in episode.entries)
        for throw in throws_of(episode, characters, words)
        if not is_harmed(throw.result.who, episode.facts, words) and (throw.result.margin or 0) >= MISSED
    ]
    worths = NightWorths(episodes, characters, words, things)
    best = max(reversed(throws), key=worths.rank, default=None)
    if best is None:
        return None
    earlier = fellers_of(episodes[: [id(each) for each in episodes].index(id(best.episode))], characters, words)
    avenged = (victim for foe in fallen(best.episode.facts, words) for victim in earlier.get(foe, ()))
    return msgspec.structs.replace(
        night_roll(best, words),
        one_in=round(1 / best.chance) if best.chance and best.result.margin is not None else 0,
        ended=worths.last_falls.get(best.episode.entries[0], False),
        felled=tuple(dict.fromkeys(avenged)),
    )


class NightWorths:
    """Ranks the throws of a session by how much they turned."""

    def __init__(
        self, episodes: Sequence[Episode], characters: Collection[str], words: NightWords, things: Collection[str]
    ) -> None:
        self._characters, self._words, self._things = characters, words, things
        self.last_falls = dict(fight_ends(episodes, characters, words))
        self._fellers = fellers_of(episodes, characters, words)
        self._down = fallen_before(episodes, words)
        self._losses = losses_in(fact for episode in episodes for fact in episode.facts)

    def rank(self, throw: CharacterThrow) -> tuple[bool, bool, Fraction, int]:
        """Return a sort key: how much a throw turned, behind those that came off."""
        result, among = throw.result, throw.episode.facts
        of_beings = [fact for fact in among if not isinstance(fact, HARMS) or fact.who not in self._things]
        for_life = SAVED if is_for_life(throw, self._words) else DONE
        turned = max(for_life, stake(of_beings, self._characters, self._words, self._down[id(throw.episode)]))
        more = rarity(throw, turned, self._characters, self._words) + self._more_for_falls(throw.episode)
        worth = Fraction(STEP ** (turned + more)) / (throw.chance or 1)
        return (result.margin or 0) >= 0, not throw.poor, worth, result.total or 0

    def _more_for_falls(self, episode: Episode) -> int:
        """Return how many steps more an episode counts for whom it put out of a fight, or how many less."""
        among, words = episode.facts, self._words
        out = {*fallen(among, words), *fallen(among, NightWords(lost=words.turning))} - {*self._characters}
        more = LAST_FALL if episode.entries[0] in self.last_falls else 0
        more += FELLER * (not out.isdisjoint(self._fellers)) + NAMED * (not all(map(is_common, out)))
        is_easy = bool(out) and all(is_common(who) and had_little(who, among, self._losses) for who in out)
        return more + LAST_POINTS * is_easy


def losses_in(among: Iterable[facts.Fact]) -> Counter[str]:
    """Return how many points everybody lost in these facts."""
    lost = Counter[str]()
    for fact in among:
        if isinstance(fact, facts.PointsLost):
            lost[fact.who] += fact.points
    return lost


def had_little(who: str, among: Iterable[facts.Fact], losses: Counter[str]) -> bool:
    """Return whether somebody lost only a small part in these facts of all the points that they lost."""
    own = losses_in(among)[who]
    return own > 0 and own * LITTLE <= losses[who]


def night_roll(throw: CharacterThrow, words: NightWords) -> NightRoll:
    """Return a throw as a roll of the night, of which nobody says what hung on it."""
    result = throw.result
    is_low = result.what in words.low
    entry = throw.episode.entries[0]
    what = "" if result.what in words.unsaid else result.what
    return NightRoll(entry=entry, who=result.who, total=result.total, target=result.target, low=is_low, what=what)


def is_for_life(throw: CharacterThrow, words: NightWords) -> bool:
    """Return whether somebody rolled against a fall, and held out: a check of the dying."""
    return not throw.poor and any(name in throw.result.what for name in words.grave)


def roll_that_lost(
    episodes: Sequence[Episode], characters: Collection[str], told: Collection[str], words: NightWords = NO_WORDS
) -> NightRoll | None:
    """Return the roll of a lost evening: of those by which a character fell the gravest, the rarest, then the last.

    That of whoever did it comes before that of who fell by it.
    None where none of them fell by a roll.
    """
    throws = [
        CharacterThrow(episode, result, poor=False, chance=chance_of(result, episode.facts, words))
        for episode in episodes
        if any(entry in told for entry in episode.entries)
        and not {*fallen(episode.facts, words)}.isdisjoint(characters)
        for result in final_results(episode.facts)
        if result.rolls
    ]
    down = fallen_before(episodes, words)
    gravest = (stake(throw.episode.facts, characters, words, down[id(throw.episode)]) for throw in throws)
    others = (throw.result.who not in {*fallen(throw.episode.facts, words)} for throw in throws)
    keys = zip(gravest, others, (-(throw.chance or 1) for throw in throws), throws, strict=True)
    ranked = sorted(keys, key=lambda key: key[:-1])
    return night_roll(ranked[-1][-1], words) if ranked else None


def throws_of(episode: Episode, characters: Collection[str], words: NightWords) -> Iterator[CharacterThrow]:
    """Yield what each character rolled in an episode; a later result of theirs, as of damage, belongs to the first."""
    results = final_results(episode.facts)
    for who in dict.fromkeys(result.who for result in results if result.who in characters):
        own = [result for result in results if result.who == who]
        rolled = (result for result in own if result.rolls and (result.against or result.target is not None))
        first = next(rolled, None)
        if first is not None:
            is_poor = any(result.result in words.poor for result in own)
            yield CharacterThrow(episode, first, is_poor, chance_of(first, episode.facts, words))


def chance_of(result: facts.Judged, among: Iterable[facts.Fact], words: NightWords) -> Fraction | None:
    """Return the chance of a throw with which this would have come off as well; None where its dice are not known.

    Where a margin says how much worse a success could have been, that counts; else only throws that are as good.
    """
    dice = [
        die
        for rolled in among
        if isinstance(rolled, facts.Rolled) and rolled.who == result.who and rolled.purpose in result.rolls
        for die in rolled.dice
        if die.kept
    ]
    if not dice:
        return None
    is_low = result.what in words.low
    rank = sum(die.sides - die.face if is_low else die.face - 1 for die in dice)
    rank = max(0, min(rank, sum(die.sides - 1 for die in dice)) - max(result.margin or 0, 0))
    return 1 - sum_shares(Counter((die.sides, 1) for die in dice), rank).worse


def stake(
    among: Iterable[facts.Fact], characters: Collection[str], words: NightWords, down: Collection[str] = ()
) -> int:
    """Return how grave the gravest is that came of a roll; less for the end of somebody who was `down` before."""
    return max((CHANGED if is_end_of(fact, down) else gravity(fact, characters, words) for fact in among), default=DONE)


def is_end_of(fact: facts.Fact, down: Collection[str]) -> bool:
    """Return whether a condition begins for one of those who are down."""
    return isinstance(fact, facts.ConditionBegan) and fact.who in down


def fallen_before(episodes: Iterable[Episode], words: NightWords) -> dict[int, frozenset[str]]:
    """Return who is down before each episode, by its identity."""
    down, before = set[tuple[str, str]](), dict[int, frozenset[str]]()
    for episode in episodes:
        before[id(episode)] = frozenset(who for who, _ in down)
        for fact in episode.facts:
            if isinstance(fact, facts.ConditionBegan) and fact.name in words.grave:
                down.add((fact.who, fact.name))
            elif isinstance(fact, facts.ConditionEnded):
                down.discard((fact.who, fact.name))
    return before


def gravity(fact: facts.Fact, characters: Collection[str], words: NightWords) -> int:
    """Return how grave a fact is."""
    match fact:
        case facts.ConditionBegan() if fact.name in words.lost:
            return DIED
        case facts.ConditionBegan() if fact.name in words.grave:
            return FELL
        case facts.ConditionBegan():
            return TURNED if fact.name in words.turning else CHANGED
        case facts.ConditionEnded() if fact.name in words.grave and fact.who in characters:
            return SAVED
        case facts.PointsLost() | facts.Wounded():
            return HARMED
    return DONE


def fallen(among: Iterable[facts.Fact], words: NightWords) -> Iterator[str]:
    """Yield those who fall or die in these facts."""
    names = {*words.lost, *words.grave}
    yield from (fact.who for fact in among if isinstance(fact, facts.ConditionBegan) and fact.name in names)


def rarity(throw: CharacterThrow, turned: int, characters: Collection[str], words: NightWords) -> int:
    """Return how many steps more a throw counts: if it came off closely, has a rare result, or is of several."""
    among, result = throw.episode.facts, throw.result
    is_close = result.margin in CLOSE and turned > DONE
    is_rare = any(each.who == result.who and each.result in words.rare for each in final_results(among))
    is_joint = len(rollers(among) & {*characters}) > 1
    return (CLOSELY if is_close else 0) + (RARE if is_rare else 0) + (TOGETHER if is_joint else 0)


def rollers(among: Iterable[facts.Fact]) -> set[str]:
    """Return those who rolled dice in these facts."""
    return {fact.who for fact in among if isinstance(fact, facts.Rolled)}


def is_harmed(who: str, among: Iterable[facts.Fact], words: NightWords) -> bool:
    """Return whether these facts harm somebody."""
    among = list(among)
    return who in fallen(among, words) or any(isinstance(fact, HARMS) and fact.who == who for fact in among)


def fight_ends(
    episodes: Sequence[Episode], characters: Collection[str], words: NightWords
) -> Iterator[tuple[str, bool]]:
    """Yield the first entry of each fall or flight of a foe that a character caused as the last before the end.

    With it goes whether it ended the fight: no foe could go on behind it, and only characters stood at the end.
    """
    last, out_by_then, out_now = "", set[str](), set[str]()
    names = {*words.lost, *words.grave, *words.turning}
    for episode in episodes:
        before = {*out_now}
        for fact in episode.facts:
            if isinstance(fact, facts.ConditionBegan) and fact.name in {*names, *words.gone}:
                out_now.add(fact.who)
            elif isinstance(fact, facts.ConditionEnded) and fact.name in names:
                out_now.discard(fact.who)
        out = {fact.who for fact in episode.facts if isinstance(fact, facts.ConditionBegan) and fact.name in names}
        if not out.issubset(characters) and any(each.who in characters for each in final_results(episode.facts)):
            last, out_by_then = episode.entries[0], before | out_now
        end = next((fact for fact in episode.facts if isinstance(fact, facts.EncounterEnded)), None)
        if last and end is not None:
            stand = {who for _, side in end.stand for who in side}
            foes = {who for who, _ in end.out} - {*characters}
            yield last, stand <= {*characters} and foes <= out_by_then
            last = ""


def fellers_of(
    episodes: Iterable[Episode], characters: Collection[str], words: NightWords
) -> dict[str, tuple[str, ...]]:
    """Return those who have felled a character, each with whom."""
    felled = dict[str, tuple[str, ...]]()
    for episode in episodes:
        down = {*fallen(episode.facts, words)} & {*characters}
        for result in final_results(episode.facts):
            if result.against in down and result.who not in characters:
                felled[result.who] = (*felled.get(result.who, ()), result.against)
    return felled
