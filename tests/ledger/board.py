"""The coin game with turns: luck, two players in order, a toss of two dice, a value to adjust.

Faces decide what is possible later: heads pays two points, and two heads of a toss make the other player dizzy, so that
they lose their next turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec

from ledger.declarations import Declaration
from ledger.dice import Dice
from ledger.errors import OutOfBalance, Refused
from ledger.facts import (
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    Die,
    EncounterBegan,
    EncounterEnded,
    EntryId,
    Fact,
    Judged,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Rolled,
)
from ledger.game import NextTurn
from ledger.projection import ChangedValue, ReadModel, RowChange
from rulebooks.common.guide import Situation
from tests.ledger.coin import Purse

ORDER = ("Ana", "Bo")
LUCKY = 10  # so many points or more: a die of luck is thrown first


class Flip(Declaration, frozen=True, kw_only=True, tag="flip"):
    verbs: ClassVar[tuple[str, ...]] = ("flip",)
    again: bool = False
    sides: int = 2


class Fight(Declaration, frozen=True, kw_only=True, tag="fight"):
    verbs: ClassVar[tuple[str, ...]] = ("fight",)


class Toss(Declaration, frozen=True, kw_only=True, tag="toss"):
    verbs: ClassVar[tuple[str, ...]] = ("toss",)


class Pass(Declaration, frozen=True, kw_only=True, tag="pass"):
    verbs: ClassVar[tuple[str, ...]] = ("pass",)


class Truce(Declaration, frozen=True, kw_only=True, tag="truce"):
    verbs: ClassVar[tuple[str, ...]] = ("truce",)


class Adjust(Declaration, frozen=True, kw_only=True, tag="adjust"):
    value: str
    change: int
    reason: str


@dataclass
class Values:
    now: dict[str, int | str] = field(default_factory=dict)
    past: list[tuple[str, int | str | None]] = field(default_factory=list)
    facts: list[BaseFact | None] = field(default_factory=list)  # that wrote them
    fact: BaseFact | None = None  # that is folded
    told: int = 0  # the number of writes whose changes were asked for

    def put(self, name: str, value: int | str | None) -> None:
        self.past.append((name, self.now.get(name)))
        self.facts.append(self.fact)
        self._set(name, value)

    def _set(self, name: str, value: int | str | None) -> None:
        if value is None:
            self.now.pop(name, None)
        else:
            self.now[name] = value

    def roll_back(self, mark: int) -> None:
        while len(self.past) > mark:
            self._set(*self.past.pop())
            self.facts.pop()
        self.told = min(self.told, mark)

    def points(self, who: str) -> int:
        return int(self.now.get(f"{who}.points", 0))


VALUES: ReadModel[Values] = ReadModel(
    name="board",
    columns={"name": "TEXT", "value": "TEXT"},
    key=("name",),
    rows=lambda state: sorted((name, str(value)) for name, value in state.now.items()),
)


class Boards:
    """Folds points, who is dizzy, and whose turn it is."""

    read_models = (VALUES,)

    def empty(self) -> Values:
        return Values()

    def step(self, state: Values, entry: EntryId, fact: BaseFact) -> None:
        state.fact = fact
        match fact:
            case PoolSet():
                state.put(f"{fact.who}.points", fact.now)
            case PointsSpent() | PointsRegained():
                now = state.points(fact.who) + (fact.points if isinstance(fact, PointsRegained) else -fact.points)
                if now != fact.now:
                    raise OutOfBalance(f"{fact.who} has {now}, not {fact.now}", where=str(entry))
                state.put(f"{fact.who}.points", now)
            case ConditionBegan():
                state.put(fact.id, 1)
            case ConditionEnded():
                state.put(fact.id, None)
            case EncounterBegan():
                state.put("fight", 1)
            case Reached(point="round"):
                state.put("round", fact.round)
            case Reached(point="slot"):
                state.put("turn", fact.who)
            case EncounterEnded():
                for name in ("fight", "round", "turn"):
                    state.put(name, None)

    def fold(self, state: Values, entry: EntryId, facts: Iterable[BaseFact]) -> None:
        for fact in facts:
            self.step(state, entry, fact)

    def mark(self, state: Values) -> int:
        return len(state.past)

    def roll_back(self, state: Values, mark: int) -> None:
        state.roll_back(mark)

    def commit(self, state: Values) -> None:
        state.past.clear()
        state.facts.clear()
        state.told = 0

    def pack(self, state: Values) -> bytes:
        return msgspec.json.encode(state.now, order="sorted")

    def unpack(self, body: bytes) -> Values:
        return Values(msgspec.json.decode(body, type=dict[str, int | str]))

    def values(self, state: Values) -> dict[str, int | str]:
        return dict(state.now)

    def openings(self, state: Values) -> dict[str, EntryId]:
        return {}

    def hidden_beings(self, state: Values) -> frozenset[str]:
        return frozenset()

    def value_changes(self, state: Values) -> list[ChangedValue]:
        changes, after = list[ChangedValue](), dict[str, int | str | None](state.now)
        for (name, had), fact in reversed([*zip(state.past, state.facts, strict=True)][state.told :]):
            now, after[name] = after.get(name), had
            if fact is not None and had != now:
                what = name.rpartition(".")[2]
                changes.insert(0, ChangedValue(fact=fact, name=name, who=None, what=what, before=had, after=now))
        state.told = len(state.past)
        return changes

    def row_changes(self, state: Values) -> list[RowChange]:
        names = sorted({name for name, _ in state.past})
        rows = {name: (name, str(state.now[name])) for name in names if name in state.now}
        return [RowChange(VALUES, (name,), rows.get(name)) for name in names]


@dataclass
class Board:
    """The rules of the board game."""

    name: str = "board"
    version: str = "1"
    revision: int = 1
    declarations: tuple[type[Declaration], ...] = (Purse, Flip, Fight, Toss, Pass, Truce, Adjust)
    heads: int = 2

    def decide(self, said: Declaration, state: Values, dice: Dice) -> Iterator[Fact]:
        match said:
            case Purse():
                yield _set(said.by, state.points(said.by), said.points)
            case Adjust():
                yield from self.adjusted(said, state)
            case Flip():
                for purpose in ("flip", "flip again")[: 1 + said.again]:
                    yield from self.flip(said, purpose, state, dice)
            case Fight():
                if "fight" in state.now:
                    raise Refused("BOARD-FIGHT", "they fight already")
                yield EncounterBegan(encounter="f", kind="fight", scale="board", sides=(("all", ORDER),))
                yield Reached(point="round", round=1)
                yield from self.turn(ORDER[0], state)
            case Toss() | Pass():
                yield from self.move(said, state, dice)
            case Truce():
                if "fight" not in state.now:
                    raise Refused("BOARD-FIGHT", "nobody fights")
                yield EncounterEnded(encounter="f")

    def adjusted(self, said: Adjust, state: Values) -> Iterator[Fact]:
        who, _, value = said.value.partition(".")
        if value != "points" or state.points(who) + said.change < 0:
            raise Refused("BOARD-ADJUST", f"{said.value} cannot be adjusted by {said.change}")
        yield _set(who, state.points(who), state.points(who) + said.change)

    def flip(self, said: Flip, purpose: str, state: Values, dice: Dice) -> Iterator[Fact]:
        had = state.points(said.by)
        if had < 1:
            raise Refused("BOARD-POOR", f"{said.by} has no points", rules=("BOARD-1",))
        if had >= LUCKY:
            yield self.rolled(said.by, f"luck of {purpose}", dice, 2)
        yield PointsSpent(who=said.by, pool="points", points=1, now=had - 1, because=purpose)
        thrown = self.rolled(said.by, purpose, dice, said.sides)
        yield thrown
        won = thrown.dice[0].face == self.heads
        yield Judged(what=purpose, who=said.by, result="heads" if won else "tails", rolls=(purpose,), final=True)
        if won:
            yield PointsRegained(who=said.by, pool="points", points=2, now=state.points(said.by) + 2, because="heads")

    def move(self, said: Toss | Pass, state: Values, dice: Dice) -> Iterator[Fact]:
        turn = state.now.get("turn")
        if turn is None:
            raise Refused("BOARD-FIGHT", "nobody fights")
        if turn != said.by:
            raise Refused("BOARD-TURN", f"it is the turn of {turn}", first=Pass(by=str(turn)))
        other = ORDER[1 - ORDER.index(said.by)]
        if isinstance(said, Toss):
            thrown = self.rolled(said.by, "toss", dice, 2, 2)
            yield thrown
            heads = sum(die.face == self.heads for die in thrown.dice)
            yield Judged(what="toss", who=said.by, result=f"{heads} heads", rolls=("toss",), final=True)
            if heads == 2 and f"dizzy {other}" not in state.now:
                yield ConditionBegan(id=f"dizzy {other}", who=other, name="dizzy")
        yield from self.turn(other, state)

    def turn(self, who: str, state: Values) -> Iterator[Fact]:
        """Yield the next turn; a dizzy player loses it."""
        if who == ORDER[0] and "turn" in state.now:
            yield Reached(point="round", round=int(state.now["round"]) + 1)
        if f"dizzy {who}" in state.now:
            yield Reached(point="skipped", round=int(state.now["round"]), who=who)
            yield ConditionEnded(id=f"dizzy {who}", who=who, name="dizzy", because="a lost turn")
            yield from self.turn(ORDER[1 - ORDER.index(who)], state)
        else:
            yield Reached(point="slot", round=int(state.now["round"]), who=who)

    def rolled(self, who: str, purpose: str, dice: Dice, *sides: int) -> Rolled:
        faces = dice.throw(purpose, *sides)
        thrown = zip(sides, faces, strict=True)
        shown = tuple(Die(ordinal=n, sides=most, face=face) for n, (most, face) in enumerate(thrown))
        return Rolled(who=who, purpose=purpose, source=dice.source, dice=shown)

    def adjustment(self, by: str, value: str, change: int, reason: str) -> Adjust | None:
        return Adjust(by=by, value=value, change=change, reason=reason) if Adjust in self.declarations else None

    def skips(self, said: Declaration, state: Values) -> Iterable[Declaration]:
        """Let go the turn of a player with no points."""
        turn = str(state.now.get("turn", said.by))
        return [Pass(by=turn)] if turn != said.by and not state.points(turn) else []

    def next_turns(self, state: Values) -> Iterable[NextTurn]:
        turn = str(state.now.get("turn", ""))
        return [NextTurn(Pass(by=turn), (turn,))] if turn else []

    next_steps = next_turns

    def before_close(self, state: Values) -> Iterator[Fact]:
        """Everybody with points pays one, so that the closing depends on earlier entries."""
        for who in ORDER:
            if state.points(who):
                yield PointsSpent(who=who, pool="points", points=1, now=state.points(who) - 1, because="the bill")

    def decide_ruling(self, said: object, state: Values) -> Iterator[Fact]:
        return iter(())

    def unclaimed(self, said: Declaration, state: Values) -> Iterable[Situation]:
        return ()

    def vocabulary(self, declaration: type[Declaration], field: str, state: Values, by: str) -> Iterable[str]:
        return ()


def _set(who: str, was: int, now: int) -> PoolSet:
    return PoolSet(who=who, pool="points", was=was, now=now, least=0, most=None)
