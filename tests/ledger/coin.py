"""A minimal game for tests: a coin, one pool, a reroll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import OutOfBalance, Refused
from ledger.facts import (
    BaseFact,
    CampaignCreated,
    Die,
    EntryId,
    Fact,
    Judged,
    PointsSpent,
    PoolSet,
    Rolled,
    Ruled,
    SessionOpened,
)
from ledger.health import HealthWording, Vitals
from ledger.projection import ChangedValue, ReadModel, RowChange
from rulebooks.common.guide import Situation
from rulebooks.common.texts import Wording

WORDS = Wording()


class Purse(Declaration, frozen=True, kw_only=True, tag="purse"):
    verbs: ClassVar[tuple[str, ...]] = ("purse",)
    points: int


class Flip(Declaration, frozen=True, kw_only=True, tag="flip"):
    verbs: ClassVar[tuple[str, ...]] = ("flip",)
    again: bool = False


@dataclass
class Purses:
    points: dict[str, int] = field(default_factory=dict)
    past: list[tuple[str, int | None]] = field(default_factory=list)
    facts: list[BaseFact] = field(default_factory=list)  # of the same steps
    told: int = 0  # the number of steps whose changes were asked for
    revision: int = 1  # in `past` under no name


class Coins:
    """Folds the points of everybody."""

    read_models = ()

    def empty(self) -> Purses:
        return Purses()

    def step(self, state: Purses, entry: EntryId, fact: BaseFact) -> None:
        if isinstance(fact, CampaignCreated | SessionOpened) and fact.revision != state.revision:
            state.past.append(("", state.revision))
            state.facts.append(fact)
            state.revision = fact.revision
        if isinstance(fact, PoolSet | PointsSpent):
            had = state.points.get(fact.who)
            now = fact.now if isinstance(fact, PoolSet) else (had or 0) - fact.points
            if now != fact.now:
                raise OutOfBalance(f"{fact.who} has {now}, not {fact.now}", where=str(entry))
            state.past.append((fact.who, had))
            state.facts.append(fact)
            state.points[fact.who] = now

    def fold(self, state: Purses, entry: EntryId, facts: Iterable[BaseFact]) -> None:
        for fact in facts:
            self.step(state, entry, fact)

    def mark(self, state: Purses) -> int:
        return len(state.past)

    def roll_back(self, state: Purses, mark: int) -> None:
        while len(state.past) > mark:
            who, had = state.past.pop()
            state.facts.pop()
            state.told = min(state.told, len(state.past))
            if not who:
                state.revision = had or 1
            elif had is None:
                del state.points[who]
            else:
                state.points[who] = had

    def commit(self, state: Purses) -> None:
        state.past.clear()
        state.facts.clear()
        state.told = 0

    def pack(self, state: Purses) -> bytes:
        return msgspec.json.encode((state.points, state.revision), order="sorted")

    def unpack(self, body: bytes) -> Purses:
        points, revision = msgspec.json.decode(body, type=tuple[dict[str, int], int])
        return Purses(points, revision=revision)

    def values(self, state: Purses) -> dict[str, int | str]:
        return {f"{who}.points": points for who, points in state.points.items()}

    def openings(self, state: Purses) -> dict[str, EntryId]:
        return {}

    def vitals(self, state: Purses, who: str, pool: str, mark: int) -> Vitals:
        held = next((had for name, had in state.past[mark:] if name == who), state.points.get(who))
        return Vitals(points=held, most=None)

    def hidden_beings(self, state: Purses) -> frozenset[str]:
        return frozenset()

    def value_changes(self, state: Purses) -> list[ChangedValue]:
        changes, after = list[ChangedValue](), dict[str, int | None](state.points)
        for (who, had), fact in reversed([*zip(state.past, state.facts, strict=True)][state.told :]):
            if not who:
                continue
            name, now = f"{who}.points", after[who]
            changes.insert(0, ChangedValue(fact=fact, name=name, who=who, what="points", before=had, after=now))
            after[who] = had
        state.told = len(state.past)
        return [change for change in changes if change.before != change.after]

    def row_changes(self, state: Purses) -> tuple[RowChange, ...]:
        return ()


@dataclass
class Coin:
    """The rules: a flip costs a point, and heads wins; a second coin may be thrown for another point.

    From revision 2 on the second coin is free.
    """

    name: str = "coin"
    version: str = "1"
    revision: int = 1
    declarations: tuple[type[Declaration], ...] = (Purse, Flip)
    heads: int = 2
    vital: str = "points"
    wording: HealthWording = WORDS

    def decide(self, said: Declaration, state: Purses, dice: Dice) -> Iterator[Fact]:
        if isinstance(said, Purse):
            yield PoolSet(who=said.by, pool="points", was=0, now=said.points, least=0, most=None)
            return
        assert isinstance(said, Flip)
        yield from self.flip(said.by, "flip", state, dice)
        if said.again:
            throw = self.throw if state.revision >= 2 else self.flip
            yield from throw(said.by, "flip again", state, dice)

    def flip(self, who: str, purpose: str, state: Purses, dice: Dice) -> Iterator[Fact]:
        if state.points.get(who, 0) < 1:
            raise Refused("COIN-POOR", f"{who} has no points", hint="Say purse first.")
        yield PointsSpent(who=who, pool="points", points=1, now=state.points[who] - 1, because=purpose)
        yield from self.throw(who, purpose, state, dice)

    def throw(self, who: str, purpose: str, state: Purses, dice: Dice) -> Iterator[Fact]:
        (face,) = dice.throw(purpose, 2)
        yield Rolled(who=who, purpose=purpose, source=dice.source, dice=(Die(ordinal=0, sides=2, face=face),))
        won = face == self.heads
        yield Judged(what=purpose, who=who, result="heads" if won else "tails", rolls=(purpose,), final=True)

    def adjustment(self, by: str, value: str, change: int, reason: str) -> None:
        return None

    def skips(self, said: Declaration, state: Purses) -> Iterable[Declaration]:
        return ()

    def before_close(self, state: Purses) -> Iterator[Fact]:
        return iter(())

    def decide_ruling(self, said: Ruling, state: Purses) -> Iterator[Fact]:
        yield Ruled(name="ruling", text=said.text, because=said.reason)

    def unclaimed(self, said: Declaration, state: Purses) -> Iterable[Situation]:
        return ()

    def vocabulary(self, declaration: type[Declaration], field: str, state: Purses, by: str) -> Iterable[str]:
        return ()


PURSES: ReadModel[Purses] = ReadModel(
    name="purses",
    columns={"name": "TEXT", "points": "INTEGER"},
    key=("name",),
    rows=lambda state: sorted(state.points.items()),
)


class Banked(Coins):
    """The projection of the coin game, with a read model."""

    read_models = (PURSES,)

    def row_changes(self, state: Purses) -> list[RowChange]:
        """Return the rows of the purses that changed."""
        changed = sorted({who for who, _ in state.past if who})
        return [RowChange(PURSES, (who,), (who, state.points[who])) for who in changed]
