"""The dice of a ledger by player, die and situation, with what was at stake in each situation.

A situation is the purpose of a roll without the names in it (`attack`, `task`). At stake is the number of points that
a roll of this situation took or wounded on average, from 1 to 9: so a miss weighs as much as a hit. Low faces are the
good ones in a situation whose results are better the further they are below their target.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from cli.errors import InputError
from cli.queries.view import View
from ledger.facts import EntryId, Fact, Judged, PointsLost, Rolled, Wounded
from ledger.records import Record
from projections.luck import Luck, LuckyDie, luck_of
from projections.state import State

GAME_MASTER: Final = "game master"
MOST_AT_STAKE: Final = 9


class Situations:
    """The situations of rolls: their purposes up to the first name of a being."""

    def __init__(self, names: Iterable[str]) -> None:
        longest_first = sorted(names, key=len, reverse=True)
        self._name = re.compile(rf" (?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def of(self, purpose: str) -> str:
        """Return the situation of a purpose."""
        return self._name.split(purpose, maxsplit=1)[0]


class DieRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One die: whose it was, in what situation, and whether its face was typed in."""

    player: str
    who: str
    situation: str
    typed: bool
    sides: int
    face: int


class LuckGroup(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of some dice, plain and weighted by what was at stake."""

    name: str
    plain: Luck
    weighted: Luck


class LuckReport(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of the typed faces or of the seeded ones. `faces` are the counts of each face, by sides.

    `low` are the situations in which low faces are the good ones.
    """

    source: str
    all: LuckGroup
    players: Sequence[LuckGroup]
    dice: Sequence[LuckGroup]
    situations: Sequence[LuckGroup]
    stakes: Mapping[str, int]
    faces: Mapping[int, Sequence[int]]
    low: Sequence[str]


def luck_reports(view: View, state: State, session: int | None, as_of: int | None = None) -> list[LuckReport]:
    """Return the luck of seeded and of typed faces, of all sessions or one. Raises InputError if there is no die."""
    bounds = {} if session is None else {"after": EntryId(session, -1), "upto": EntryId(session + 1, -1)}
    reports = luck_of_records(list(view.latest(**bounds, as_of=as_of)), state)
    if not reports:
        hint = "List the sessions: campaign log --oneline."
        raise InputError("no die was thrown" + (f" in session {session}" if session is not None else ""), hint=hint)
    return reports


def luck_of_records(records: Sequence[Record], state: State) -> list[LuckReport]:
    """Return the luck of the seeded and of the typed faces in these records, if there are any."""
    situation = Situations(being.name for being in state.beings.values())
    throws = [throw for record in records for throw in throws_of(record, state, situation)]
    stakes, low = stakes_of(records, situation), low_situations(records, situation)
    seeded, typed = ([each for each in throws if each.typed is typed] for typed in (False, True))
    sources = (("seeded", seeded), ("typed", typed))
    return [luck_report(source, own, stakes, low) for source, own in sources if own]


def luck_report(source: str, throws: Sequence[DieRecord], stakes: Mapping[str, int], low: Container[str]) -> LuckReport:
    """Return the luck of these dice, all together and in groups."""
    dice = {throw: LuckyDie(throw.sides, throw.face, 1, throw.situation in low) for throw in throws}

    def group(name: str, own: Sequence[DieRecord]) -> LuckGroup:
        plain = [dice[throw] for throw in own]
        weighted = (
            msgspec.structs.replace(die, weight=stakes.get(throw.situation, 1))
            for throw, die in zip(own, plain, strict=True)
        )
        return LuckGroup(name=name, plain=luck_of(plain), weighted=luck_of(weighted))

    def groups(key: Callable[[DieRecord], str]) -> list[LuckGroup]:
        own = defaultdict[str, list[DieRecord]](list)
        for throw in throws:
            own[key(throw)].append(throw)
        return [group(name, thrown) for name, thrown in sorted(own.items())]

    faces = {sides: [0] * sides for sides in sorted({throw.sides for throw in throws})}
    for throw in throws:
        faces[throw.sides][throw.face - 1] += 1
    return LuckReport(
        source=source,
        all=group("all", throws),
        players=groups(lambda throw: throw.player),
        dice=groups(lambda throw: f"d{throw.sides}"),
        situations=groups(lambda throw: throw.situation),
        stakes={name: stakes.get(name, 1) for name in sorted({throw.situation for throw in throws})},
        faces=faces,
        low=[name for name in sorted({throw.situation for throw in throws}) if name in low],
    )


def throws_of(record: Record, state: State, situation: Situations) -> Iterable[DieRecord]:
    """Yield the dice of a record."""
    for fact in record.facts:
        if isinstance(fact, Rolled):
            typed, player = fact.source == "table", player_of(fact.who, state)
            for die in fact.dice:
                yield DieRecord(
                    player=player,
                    who=fact.who,
                    situation=situation.of(fact.purpose),
                    typed=typed,
                    sides=die.sides,
                    face=die.face,
                )


def player_of(who: str, state: State) -> str:
    """Return who plays a being: its player, or the game master; a character without a player stands for itself."""
    if state.kind(who) != "pc":
        return GAME_MASTER
    return str(state.sheet(who, "player") or who)


def stakes_of(records: Iterable[Record], situation: Situations) -> dict[str, int]:
    """Return what is at stake in each situation: the points that one of its rolls took or wounded on average."""
    rolls, points = Counter[str](), Counter[str]()
    for record in records:
        thrown = {situation.of(fact.purpose) for fact in record.facts if isinstance(fact, Rolled)}
        settled = {
            situation.of(purpose)
            for fact in record.facts
            if isinstance(fact, Judged) and fact.final
            for purpose in fact.rolls
        }
        rolls.update(situation.of(fact.purpose) for fact in record.facts if isinstance(fact, Rolled))
        points.update(dict.fromkeys(thrown | settled, sum(map(taken_by, record.facts))))
    return {name: min(max(round(points[name] / rolls[name]), 1), MOST_AT_STAKE) for name in rolls}


def taken_by(fact: Fact) -> int:
    """Return the points that a fact took from somebody, also those that were not there."""
    if isinstance(fact, PointsLost):
        return fact.points + fact.over
    return fact.value if isinstance(fact, Wounded) else 0


def low_situations(records: Iterable[Record], situation: Situations) -> set[str]:
    """Return the situations in which a total below its target is a success."""
    votes = Counter[str]()
    for fact in (fact for record in records for fact in record.facts):
        if isinstance(fact, Judged) and fact.total is not None and fact.target is not None and fact.margin:
            below = fact.margin == fact.target - fact.total
            votes.update({situation.of(purpose): 1 if below else -1 for purpose in fact.rolls})
    return {name for name, count in votes.items() if count > 0}
