"""Shared parts of the tests of Dusk Bastards: a ledger in memory, sheets, declarations and readings of records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.facts import (
    GM,
    Allowed,
    EncounterBegan,
    Fact,
    Judged,
    OptionSet,
    OrderSet,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Rolled,
    Slot,
    Sum,
    TokensMoved,
    Wounded,
)
from ledger.records import Record
from projections.state import State
from rulebooks import load_game
from rulebooks.dusk_bastards.declarations.parts import Asset, Cost, Modifier, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.texts import TEXTS
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat, of_kind
from tests.rulebooks import CASES, SILENT

BOOK = load_game("dusk-bastards")
ROLLS = ("task", "attack", "defence", "move", "initiative", "wound", "recovery", "deed", "spell", "intercept")
STATS = ("might", "speed", "intellect")
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*BOOK.declarations, Ruling)}


def cases() -> dict[str, Any]:
    return load_cases(CASES / "dusk_bastards.toml")


class Seat(TableSeat):
    """A ledger in memory with these characters, an open session, and values given besides the sheets."""

    def __init__(
        self,
        *who: str,
        doom: int = 0,
        options: Mapping[str, Any] | None = None,
        encounter: Mapping[str, Any] | None = None,
        facts: tuple[Fact, ...] = (),
        **given: Mapping[str, Any],
    ) -> None:
        super().__init__(BOOK, "DB-E-", check_bounds, SILENT)
        sheets = {name: cases()["sheets"].get(name, {}) | given.get(name, {}).get("sheet", {}) for name in who}

        def play() -> None:
            self._join(sheets)
            fight = encounter["order"] if encounter else ()
            before = tuple(_given_facts(self.state, doom, options or {}, given, fight))
            self.add_facts((*before, *(_encounter_facts(**encounter) if encounter else ()), *facts))
            self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))

        self.begin(play, sheets, doom, options, encounter, facts, given)

    def _join(self, sheets: Mapping[str, Mapping[str, Any]]) -> None:
        for name, sheet in sheets.items():
            self.ledger.declare(BOOK.sheet({"name": name, **sheet}, f"{name}.toml"), at=AT)

    def pools(self, who: str) -> tuple[int, int, int]:
        """Return the points of Might, Speed and Intellect."""
        might, speed, intellect = (self.state.points(who, stat) for stat in STATS)
        return might, speed, intellect

    def destiny(self, who: str) -> int:
        return self.state.tokens_held(who, "destiny")

    @property
    def doom(self) -> int:
        return self.state.tokens_held(GM, "doom")

    def ended(self) -> list[str]:
        """Close the session, compare it with its replay, and return the final results of all rolls."""
        self.check_closing()
        return [
            fact.result
            for record in self.store.takes()
            for fact in record.facts
            if isinstance(fact, Judged) and fact.window and fact.final
        ]


KIND_OF = ("", "winded", "light", "moderate", "moderate", "severe", "severe", "critical", "critical")
ACTIONS = (("move", 1), ("standard", 1), ("bonus", 1), ("reaction", 1))


def _encounter_facts(order: tuple[str, ...], round: int = 1, phase: str = "movement", turn: str = "") -> Iterator[Fact]:
    """Yield the facts of a fight at this point of its cycle, in which nobody has acted yet.

    `order` from highest to lowest, as `Ash` or `Ash 12`; without `turn` it is the turn of the first.
    """
    slots = []
    for number, named in enumerate(order):
        who, _, score = named.partition(" ")
        slots.append(Slot(slot=who, score=int(score or 30 - number), who=(who,)))
    names = tuple(slot.slot for slot in slots)
    yield EncounterBegan(encounter="fight", kind="fight", scale="combat", sides=(("all", names),))
    yield OrderSet(slots=tuple(slots))
    for number in range(1, round + 1):
        yield Reached(point="round", round=number)
    yield Allowed(who=names, actions=ACTIONS, until="round")
    for name in ("movement", "action")[: 1 + (phase == "action")]:
        yield Reached(point="phase", round=round, phase=name)
    places = names if phase == "action" else names[::-1]
    for who in places[: places.index(turn or places[0])]:
        yield Reached(point="skipped", round=round, phase=phase, who=who)
    yield Reached(point="slot", round=round, phase=phase, who=turn or places[0])


def _given_facts(
    state: State, doom: int, options: Mapping[str, Any], given: Mapping[str, Mapping[str, Any]], fight: tuple[str, ...]
) -> Iterator[Fact]:
    """Yield the facts that a case is given."""
    for name, now in options.items():
        yield OptionSet(name=name, was=TEXTS.options[name].default, now=now, because="given")
    if doom:
        yield TokensMoved(who=GM, token="doom", change=doom, now=doom, most=None, because="given")
    for who, what in given.items():
        for name, value in what.items():
            if name in (*STATS, "health"):
                pool = state.pools[who, name]
                most = pool.most
                yield PoolSet(who=who, pool=name, was=pool.points, now=value, least=0, most=most, because="given")
        if "destiny" in what:
            level = state.sheet(who, "level")
            assert isinstance(level, int)
            now = what["destiny"]
            yield TokensMoved(who=who, token="destiny", change=now, now=now, most=level, because="given")
        for number, wound in enumerate(what.get("wounds", ()), start=1):
            yield Wounded(
                who=who,
                wound=f"{who} w{number}",
                kind=KIND_OF[wound["value"]],
                value=wound["value"],
                in_force=wound["in_force"],
                encounter="" if wound["in_force"] or not fight else "fight",
            )


def check_bounds(state: State) -> None:
    """Check the invariants of the catalogue: pools in bounds, no token below 0, Destiny capped, one open roll.

    Every wound has a value from 1 to 8, and nobody has more than one of each action.
    """
    for (who, name), pool in state.pools.items():
        assert 0 <= pool.points <= (pool.most or 0), (who, name, pool)
    for (who, name), token in state.tokens.items():
        assert token.count >= 0, (who, name)
        if not state.windows:
            assert token.most is None or token.count <= token.most, (who, name, token)
    for name, window in state.windows.items():
        assert name in ("open roll", "rest") or window.kind == "wound due", name
    for bearer, wound in state.wounds.items():
        assert 1 <= wound.value <= 8, (bearer, wound)
    for action, left in state.allowances.items():
        assert left in (0, 1), (action, left)


def declaration(step: Mapping[str, Any]) -> Declaration:
    """Return the declaration of a step of a case."""
    fields = {key: value for key, value in step.items() if key not in ("say", "dice", "expect", "then")}
    kind: type[Declaration] = KINDS[step["say"]]
    return msgspec.convert(fields, kind)


def task(record: Record) -> Judged:
    """Return the last judgement of a roll in an entry, or of what came instead of one."""
    return [fact for fact in record.facts if isinstance(fact, Judged) and fact.what in ROLLS][-1]


def sum_of(judged: Judged, name: str) -> Sum:
    """Return one of the sums of a judgement."""
    (named,) = (each for each in judged.sums if each.name == name)
    return named


def final_difficulty(record: Record) -> int:
    return sum_of(task(record), "difficulty").total


def spent(record: Record) -> dict[str, int]:
    """Return the points spent, by pool."""
    return summed((fact.pool, fact.points) for fact in record.facts if isinstance(fact, PointsSpent))


def refunded(record: Record) -> dict[str, int]:
    """Return the points that an Eclipse refunded, by pool."""
    return summed(
        (fact.pool, fact.points)
        for fact in record.facts
        if isinstance(fact, PointsRegained) and fact.because == "Eclipse"
    )


def summed(pairs: Iterator[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for key, value in pairs:
        sums[key] = sums.get(key, 0) + value
    return sums


def faces(record: Record) -> dict[str, tuple[int, ...]]:
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in of_kind(record, Rolled)}


def tries(who: str = "Ash", stat: str | None = "might", difficulty: int | None = 5, **more: Any) -> Attempt:
    """Return an attempt; `assets` may be numbers."""
    if "assets" in more:
        more["assets"] = tuple(Asset(steps=steps) for steps in more["assets"])
    return Attempt(by=who, stat=stat, difficulty=difficulty, **more)


def uses(*words: str) -> tuple[Use, ...]:
    """`regain:speed`, `reroll`, ..."""
    return tuple(Use(*word.split(":")) for word in words)


def points(**stats: int) -> tuple[Cost, ...]:
    """`speed=2, might=1`."""
    return tuple(Cost(stat, number) for stat, number in stats.items())


# Declarations that many tests make

DAWN, DUSK, ECLIPSE = (5, 4), (4, 5), (4, 4)


def destiny(*words: str, who: str = "Ash", **more: Any) -> SpendDestiny:
    """Return uses of Destiny: `regain:speed`, `reroll`, ..."""
    return SpendDestiny(by=who, uses=uses(*words), **more)


def doom(points: int, use: Any = "change-target", **more: Any) -> SpendDoom:
    return SpendDoom(by=GM, points=points, use=use, **more)


def again(who: str = "Ash", of: str | None = None, effort: int = 1, **more: Any) -> Retry:
    return Retry(by=who, of=of, effort=effort, **more)


def close() -> Close:
    return Close(by=GM)


def eased(steps: int) -> tuple[Modifier, ...]:
    return (Modifier(steps=steps),) if steps else ()


def failing(seat: Seat, who: str = "Ash", **more: Any) -> str:
    """Declare an attempt that fails, close its roll, and return its entry."""
    entry = str(seat.say(tries(who, **more), *DUSK).id)
    seat.say(close())
    return entry


def merge_faults(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of both faults: tuples appended, of numbers the greater."""
    merged = {**first, **second}
    for field in first.keys() & second.keys():
        if isinstance(first[field], tuple):
            merged[field] = second[field] + first[field]
        elif isinstance(first[field], int):
            merged[field] = max(first[field], second[field])
    return merged
