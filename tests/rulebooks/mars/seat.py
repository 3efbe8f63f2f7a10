"""Helpers of MARS's tests: the cast, an encounter at somebody's turn, results of an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import Refused
from ledger.facts import GM, ConditionBegan, Counted, Fact, Judged, PoolSet
from ledger.records import Record
from projections.state import State
from rulebooks import load_game
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.turns import BeginTurn, RollInitiative, StartEncounter
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat, of_kind
from tests.rulebooks import CASES, SILENT

BOOK = load_game("mars")
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*BOOK.declarations, Ruling)}
FIGHT = {"players": ["Asha"], "guards": ["Gil"]}


def cases() -> dict[str, Any]:
    return load_cases(CASES / "mars.toml")


def sheet_of(name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheet of one of the cast, with these changes."""
    sheet = dict(cases()["sheets"][name])
    if "like" in sheet:
        sheet = {**cases()["sheets"][sheet.pop("like")], **sheet}
    return {"name": name, **sheet, **changes}


class Seat(TableSeat):
    """Those who are `present`, or are members of `teams`, in an open session.

    With `teams` there is an encounter: the first of them has the best initiative, and the turn of `turn` has begun.
    """

    def __init__(
        self,
        *,
        present: Iterable[str] = (),
        teams: Mapping[str, Iterable[str]] | None = None,
        turn: str = "",
        sheets: Mapping[str, Mapping[str, Any]] | None = None,
        options: Mapping[str, Any] | None = None,
        pools: Mapping[str, int] | None = None,
        conditions: Mapping[str, Iterable[str]] | None = None,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(BOOK, "GR-E-", check_bounds, SILENT)
        members = tuple(who for team in (teams or {}).values() for who in team)
        present = tuple(present) or members

        def play() -> None:
            for name in present:
                sheet = sheet_of(name, (sheets or {}).get(name, {}))
                self.ledger.declare(BOOK.sheet(sheet, f"{name}.toml"), at=AT)
            self.add_facts((*self._pools(pools or {}), *given_facts(conditions or {}, counts or {})))
            self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))
            for name, value in (options or {}).items():
                self.say(SetOption(by=GM, name=name, value=value, reason="given"))
            if teams:
                self._fight(members, next(iter(teams.values())))
            if turn:
                self.say(BeginTurn(by=turn))

        self.begin(play, present, teams, turn, sheets, options, pools, conditions, counts)

    def _fight(self, members: Iterable[str], first: Iterable[str]) -> None:
        """Begin an encounter in which the first team has the best roll of initiative."""
        self.say(StartEncounter(by=GM, participants=tuple(members), reason="given"))
        best = next(iter(first))
        for who in members:
            most = cases()["initiative"][who]
            self.say(RollInitiative(by=who), *(most if who == best else [1] * len(most)))

    def _pools(self, pools: Mapping[str, int]) -> Iterator[Fact]:
        """Yield the facts that set pools, named like `Gil.health`."""
        for name, now in pools.items():
            who, _, pool = name.partition(".")
            was = self.state.pools[who, pool]
            yield PoolSet(who=who, pool=pool, was=was.points, now=now, least=was.least, most=was.most, because="given")

    def set_pools(self, pools: Mapping[str, int]) -> None:
        """Set pools, named like `Gil.health`."""
        self.add_facts(tuple(self._pools(pools)))

    def next_turn(self, who: str) -> Record:
        """End the open turn, and begin that of somebody."""
        encounter = self.state.encounter
        assert encounter is not None
        if encounter.turn:
            self.say(EndTurn(by=encounter.turn))
        return self.say(BeginTurn(by=who))

    def ap(self, who: str) -> int:
        return self.state.actions_left(who, "ap")

    def holds(self, who: str) -> list[str]:
        """Return the names of somebody's conditions, without those that are bookkeeping."""
        return sorted(condition.name for _, condition in self.state.conditions_of(who) if not condition.data)


def given_facts(conditions: Mapping[str, Iterable[str]], counts: Mapping[str, int]) -> Iterator[Fact]:
    """Yield the facts of conditions and counts that a case is given."""
    for who, names in conditions.items():
        for name in names:
            yield ConditionBegan(id=f"{name} {who}", who=who, name=name)
    for counted, now in counts.items():
        who, _, name = counted.partition(".")
        if now:
            yield Counted(who=who, name=name, change=now, now=now, of=3, until="dying", because="given")


def check_bounds(state: State) -> None:
    """Check the bounds of pools, points and counts, and what the conditions demand of each other."""
    for (who, name), pool in state.pools.items():
        assert pool.most is None or pool.points <= pool.most, (who, name, pool)
        assert name == "health" or pool.points >= 0, (who, name, pool)
    for (who, action), left in state.allowances.items():
        assert 0 <= left <= {"ap": 3, "free action": 1, "reaction": 1}[action], (who, action)
    for condition in state.conditions.values():
        assert condition.degree >= 1 or condition.data, condition
        if condition.name == "dying":
            assert f"unconscious {condition.who}" in state.conditions
            assert f"dead {condition.who}" not in state.conditions
        if condition.name == "unconscious":
            for lost in ("concentration", "readied", "long action"):
                assert f"{lost} {condition.who}" not in state.conditions
    for (who, name), count in state.counts.items():
        assert count.now >= 0, (who, name)
        assert count.of is None or count.now <= count.of, (who, name)


def declaration(step: Mapping[str, Any]) -> Declaration:
    """Return the declaration of a step of a case."""
    fields = {key: value for key, value in step.items() if key not in ("say", "dice", "expect", "repeat")}
    fields["defences"] = [msgspec.convert(reaction, Reaction) for reaction in fields.get("defences", [])]
    kind: type[Declaration] = KINDS[step["say"]]
    if not fields["defences"]:
        del fields["defences"]
    return msgspec.convert(fields, kind)


def refusal_of(call: Callable[..., Any], *given: Any) -> Refused:
    """Return the refusal that a function raises."""
    with pytest.raises(Refused) as raised:
        call(*given)
    return raised.value


def strike(by: str, target: str, *defences: Reaction, **more: Any) -> Attack:
    """Return an attack with defences on its line."""
    return Attack(by=by, target=target, defences=defences, **more)


def judged(record: Record, *what: str) -> list[Judged]:
    """Return the judgements of these names in an entry."""
    return [fact for fact in of_kind(record, Judged) if fact.what in what]


def result(record: Record, what: str) -> list[Any]:
    """Return total, target and result of the one judgement of this name."""
    (fact,) = judged(record, what)
    return [fact.total, fact.target, fact.result]
