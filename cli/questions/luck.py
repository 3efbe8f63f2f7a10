"""The dice of a ledger by player, die and situation, with what was at stake in each situation.

A situation is the purpose of a roll without the names in it (`attack`, `task`). At stake is the number of points that
a roll of this situation took or wounded on average, from 1 to 9: so a miss weighs as much as a hit. Low faces are the
good ones in a situation whose results are better the further they are below their target.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from cli.questions.players_ledger import PlayersLedger
from ledger.errors import InputError
from ledger.extracts import Kinds, OtherFact
from ledger.facts import Judged, PointsLost, Rolled, Wounded
from ledger.records import Record
from ledger.session_proof import Proofs, origin, proofs_of, stored_proofs
from ledger.store import ReadableStore
from projections.luck import Luck, LuckyDie, luck_of_counts
from projections.state import State

SEEDED: Final = "seeded"
SOURCE_OF: Final = {"seed": SEEDED, "unmixed": SEEDED, "sealed": SEEDED, "table": "typed"}  # of origins; else their own
SOURCES: Final = (SEEDED, "fixed", "unproved", "revealed", "typed")
GAME_MASTER: Final = "game master"
MOST_AT_STAKE: Final = 9
NAME_END: Final = re.compile(r"(?!\w)")
CHARACTERS_MOST: Final = 12  # without a player that are told one by one


class RollResult(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag="judged", gc=False):
    """A result without its names and its arithmetic: most bytes of a ledger are sums."""

    total: int | None = None
    target: int | None = None
    margin: int | None = None
    rolls: tuple[str, ...] = ()
    final: bool


DICE: Final[Kinds] = frozenset((Rolled, RollResult, PointsLost, Wounded))


class Situations:
    """The situations of rolls: their purposes up to the first name of a being."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._known = dict[str, str]()  # by purpose

    def of(self, purpose: str) -> str:
        """Return the situation of a purpose."""
        situation = self._known.get(purpose)
        if situation is None:
            situation = self._known[purpose] = self._before_name(purpose)
        return situation

    def _before_name(self, purpose: str) -> str:
        """Return what stands before the first name. Years have more names than a pattern should have."""
        ends = [match.start() for match in NAME_END.finditer(purpose)]
        for match in re.finditer(" ", purpose):
            if any(purpose[match.end() : end] in self._names for end in ends):
                return purpose[: match.start()]
        return purpose


class DieRecord(NamedTuple):
    """A face of a die: whose it was, in what situation, and from what source."""

    player: str
    situation: str
    source: str
    sides: int
    face: int


class LuckGroup(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of some dice, plain and weighted by what was at stake."""

    name: str
    plain: Luck
    weighted: Luck


class LuckReport(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of the faces of one source (`SOURCES`). `faces` are the counts of each face, by sides.

    `low` are the situations in which low faces are the good ones; `grouped` is the number of characters without a
    player whose dice are the last group of `players`.
    """

    source: str
    all: LuckGroup
    players: Sequence[LuckGroup]
    dice: Sequence[LuckGroup]
    situations: Sequence[LuckGroup]
    stakes: Mapping[str, int]
    faces: Mapping[int, Sequence[int]]
    low: Sequence[str]
    grouped: int = 0


class ThrownDice:
    """The dice of records, with what their situations were about; filled record by record."""

    def __init__(self, state: State, proofs: Proofs) -> None:
        """`proofs` are those of the sessions in which the dice were thrown."""
        self._proofs = proofs
        self._state, self._situation = state, Situations(being.name for being in state.beings.values())
        self._players = dict[str, str]()  # by being
        self.dice = Counter[DieRecord]()
        self._rolls, self._points = Counter[str](), Counter[str]()  # by situation
        self._votes = Counter[str]()  # whether low faces are good

    def add(self, session: int, facts: Iterable[object]) -> None:
        """Take in the facts of one record of a session."""
        situations, points = set[str](), 0
        for fact in facts:
            if isinstance(fact, OtherFact):
                continue
            if isinstance(fact, Judged | RollResult):
                situations.update(self.add_result(fact))
            elif isinstance(fact, Rolled):
                situations.add(self._add_roll(session, fact))
            elif isinstance(fact, PointsLost | Wounded):
                points += taken_by(fact)
        if points:
            for situation in situations:
                self._points[situation] += points

    def _add_roll(self, session: int, fact: Rolled) -> str:
        """Count the dice of a roll, and return its situation."""
        situation = self._situation.of(fact.purpose)
        self._rolls[situation] += 1
        for die in self.dice_of(session, fact):
            self.dice[die] += 1
        return situation

    def dice_of(self, session: int, fact: Rolled) -> Iterator[DieRecord]:
        """Yield the dice of a roll in a session."""
        situation, player = self._situation.of(fact.purpose), self._player(fact.who)
        source = origin(self._proofs, session, fact.source)
        for die in fact.dice:
            yield DieRecord(player, situation, SOURCE_OF.get(source, source), die.sides, die.face)

    def add_result(self, fact: Judged | RollResult) -> Iterable[str]:
        """Learn from a result whether low faces are good; return the situations that it settles."""
        situations = [self._situation.of(purpose) for purpose in fact.rolls]
        if fact.total is not None and fact.target is not None and fact.margin:
            for situation in dict.fromkeys(situations):
                self._votes[situation] += 1 if fact.margin == fact.target - fact.total else -1
        return situations if fact.final else ()

    def _player(self, who: str) -> str:
        """Return who plays a being."""
        if who not in self._players:
            self._players[who] = player_or_self(who, self._state)
        return self._players[who]

    def stakes(self) -> dict[str, int]:
        """Return what is at stake in each situation: the points that one of its rolls took or wounded on average."""
        average = {name: round(self._points[name] / number) for name, number in self._rolls.items()}
        return {name: min(max(points, 1), MOST_AT_STAKE) for name, points in average.items()}

    def alone(self) -> set[str]:
        """Return the characters without a player."""
        return {who for who, player in self._players.items() if who == player}

    def low(self) -> set[str]:
        """Return the situations in which a total below its target is a success."""
        return {name for name, count in self._votes.items() if count > 0}


def thrown_facts(store: ReadableStore, session: int | None) -> Iterator[tuple[int, Iterable[object]]]:
    """Yield the session of each record that counts, with its rolls, results and losses; there may be other facts."""
    return ((take.session, take.facts) for take in store.extracts(DICE, session=session) if take.counts)


def hidden_results(store: ReadableStore, session: int | None) -> Iterator[RollResult]:
    """Yield all results of the ledger if the players ask: their luck counts rolls whose arithmetic they do not see."""
    takes = store.store.extracts(frozenset((RollResult,)), session=session) if isinstance(store, PlayersLedger) else ()
    return (fact for take in takes if take.counts for fact in take.facts if isinstance(fact, RollResult))


def luck_reports(
    store: ReadableStore, state: State, session: int | None, *, most: int | None = CHARACTERS_MOST
) -> list[LuckReport]:
    """Return the luck of seeded and of typed faces, of all sessions or one. Raises InputError if there is no die.

    Of the characters without a player the `most` with the most dice are listed one by one, the others together.
    """
    reports = luck_of_facts(
        thrown_facts(store, session), stored_proofs(store, session), state, most, hidden_results(store, session)
    )
    if not reports:
        hint = "List the sessions: campaign log --oneline."
        raise InputError("no die was thrown" + (f" in session {session}" if session is not None else ""), hint=hint)
    return reports


def luck_of_records(records: Sequence[Record], state: State) -> list[LuckReport]:
    """Return the luck of the faces of each source in these records, if there are any."""
    return luck_of_facts(((record.session, record.facts) for record in records), proofs_of(records), state)


def luck_of_facts(
    records: Iterable[tuple[int, Iterable[object]]],
    proofs: Proofs,
    state: State,
    most: int | None = CHARACTERS_MOST,
    results: Iterable[RollResult] = (),
) -> list[LuckReport]:
    """Return the luck of the faces of each source in records: the session and the facts of each.

    `results` are others that say in which situations low faces are good.
    """
    thrown = ThrownDice(state, proofs)
    for result in results:
        thrown.add_result(result)
    for session, facts in records:
        thrown.add(session, facts)
    reports, stakes, low = [], thrown.stakes(), thrown.low()
    for source in SOURCES:
        own = {die: count for die, count in thrown.dice.items() if die.source == source}
        if own:
            grouped = with_few_dice(own, thrown.alone(), most)
            reports.append(luck_report(source, own, stakes, low, grouped))
    return reports


def with_few_dice(thrown: Mapping[DieRecord, int], alone: Container[str], most: int | None) -> set[str]:
    """Return the characters without a player but the `most` with the most dice; none if it would be one alone."""
    numbers = Counter[str]()
    for die, count in thrown.items():
        if die.player in alone:
            numbers[die.player] += count
    if most is None or len(numbers) <= most + 1:
        return set()
    return set(sorted(numbers, key=lambda who: (-numbers[who], who))[most:])


def luck_report(
    source: str,
    thrown: Mapping[DieRecord, int],
    stakes: Mapping[str, int],
    low: Container[str],
    grouped: Collection[str],
) -> LuckReport:
    """Return the luck of these dice, all together and in groups; the dice of those `grouped` are one group."""

    def group(name: str, own: Mapping[DieRecord, int]) -> LuckGroup:
        plain, weighted = Counter[LuckyDie](), Counter[LuckyDie]()
        for die, count in own.items():
            is_low = die.situation in low
            plain[LuckyDie(die.sides, die.face, 1, is_low)] += count
            weighted[LuckyDie(die.sides, die.face, stakes.get(die.situation, 1), is_low)] += count
        return LuckGroup(name=name, plain=luck_of_counts(plain), weighted=luck_of_counts(weighted))

    def groups(key: Callable[[DieRecord], str]) -> list[LuckGroup]:
        own = defaultdict[str, dict[DieRecord, int]](dict)
        for die, count in thrown.items():
            own[key(die)][die] = count
        return [group(name, dice) for name, dice in sorted(own.items(), key=lambda item: (item[0] == rest, item[0]))]

    rest = f"{len(grouped)} characters"
    faces = {sides: [0] * sides for sides in sorted({die.sides for die in thrown})}
    for die, count in thrown.items():
        faces[die.sides][die.face - 1] += count
    situations = sorted({die.situation for die in thrown})
    return LuckReport(
        source=source,
        all=group("all", thrown),
        players=groups(lambda die: rest if die.player in grouped else die.player),
        dice=groups(lambda die: f"d{die.sides}"),
        situations=groups(lambda die: die.situation),
        stakes={name: stakes.get(name, 1) for name in situations},
        faces=faces,
        low=[name for name in situations if name in low],
        grouped=len(grouped),
    )


def player_or_self(who: str, state: State) -> str:
    """Return who plays a being: its player, or the game master; a character without a player stands for itself."""
    if state.kind(who) != "pc":
        return GAME_MASTER
    return str(state.sheet(who, "player") or who)


def taken_by(fact: PointsLost | Wounded) -> int:
    """Return the points that a fact took from somebody, also those that were not there."""
    if isinstance(fact, PointsLost):
        return fact.points + fact.over
    return fact.value
