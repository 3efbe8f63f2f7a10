"""Helpers of Monolith's tests: the cast in a Round, rulings, results of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.declarations import Declaration, Ruling, Setting
from ledger.dice import fixed_seed
from ledger.facts import GM, Counted, Judged
from ledger.records import Record
from projections.state import State
from rulebooks import load_game
from rulebooks.common.options import SetOption
from rulebooks.monolith.declarations import Attack, BeginRound, CreateGroup, DeclareIntent, EndRound, StartEncounter
from rulebooks.monolith.guards import side_members
from rulebooks.monolith.turns import INTENT
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat, of_kind
from tests.rulebooks import CASES, SILENT

BOOK = load_game("monolith")
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*BOOK.declarations, Ruling)}
CAST = ("Vega", "Oru", "Kade", "R1", "R2", "R3", "R4", "Boss", "Stalker")
RAIDERS = ("R1", "R2", "R3", "R4", "Boss")


def cases() -> dict[str, Any]:
    return load_cases(CASES / "monolith.toml")


class Seat(TableSeat):
    """The cast, or those who are present, in an open session and in a Round for which all have declared."""

    def __init__(
        self,
        *,
        present: Iterable[str] = CAST,
        sheets: Mapping[str, Mapping[str, Any]] | None = None,
        set: Mapping[str, int] | None = None,
        options: Mapping[str, str] | None = None,
        leader: str = "",
        past: Iterable[str] = (),
        round: int = 1,
        declared: Iterable[str] | None = None,
        fight: bool = True,
    ) -> None:
        super().__init__(BOOK, "ML-E-", check_bounds, SILENT)
        self.present, past = tuple(present), tuple(past)

        def play() -> None:
            self._join(sheets or {}, leader)
            if fight:
                self.say(StartEncounter(by=GM))
                self.rounds(round, declared)
            for name, value in (options or {}).items():
                self.say(SetOption(by=GM, name=name, value=value, reason="given"))
            if set:
                self.say(rules(**set))
            self.add_facts(
                tuple(Counted(who="Raiders", name=name, change=1, now=1, of=1, until="encounter") for name in past)
            )

        declared = None if declared is None else tuple(declared)
        self.begin(play, self.present, sheets, set, options, leader, past, round, declared, fight)

    def _join(self, sheets: Mapping[str, Mapping[str, Any]], leader: str) -> None:
        """Let the cast join and form the group, and open the session."""
        for name in self.present:
            kind = "R" if name in ("R1", "R2", "R3", "R4") else name
            sheet = {**cases()["sheets"][kind], **sheets.get(name, {})}
            self.ledger.declare(BOOK.sheet({"name": name, **sheet}, f"{name}.toml"), at=AT)
        raiders = tuple(name for name in self.present if name in RAIDERS)
        if raiders:
            self.ledger.declare(CreateGroup(by=GM, name="Raiders", resolve=8, members=raiders, leader=leader), at=AT)
        self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))

    def rounds(self, number: int, declared: Iterable[str] | None) -> None:
        """Play Rounds up to this number; everybody declares, or only those `declared`."""
        for count in range(1, number + 1):
            self.say(BeginRound(by=GM))
            for who in side_members("pc", self.state) if declared is None else declared:
                self.say(DeclareIntent(by=who))
            if count < number:
                self.say(EndRound(by=GM))

    def next_round(self) -> None:
        """End the Round and begin another, for which everybody declares."""
        self.say(EndRound(by=GM))
        self.rounds(1, None)

    def conditions(self, who: str) -> list[str]:
        """Return the conditions of somebody, without intents."""
        return sorted(condition.name for _, condition in self.state.conditions_of(who) if condition.name != INTENT)


def rules(**set: int) -> Ruling:
    """Return a ruling that sets values."""
    changes = tuple(Setting(value=name, to=to) for name, to in set.items())
    return Ruling(by=GM, text="given", reason="given", changes=changes)


def check_bounds(state: State) -> None:
    """Check the bounds of pools and allowances, that Body 0 is death, and that the dead have no clock."""
    for (who, name), pool in state.pools.items():
        assert 0 <= pool.points <= (pool.most or 0), (who, name, pool)
        if name == "body" and not pool.points:
            assert f"dead {who}" in state.conditions, who
    for condition in state.conditions.values():
        if condition.name == "dead":
            assert not {f"{name} {condition.who}" for name in ("critical", "treated")} & state.conditions.keys()
        for end in condition.ends:
            assert end.at != "seconds" or end.due > state.seconds, condition
    for action, left in state.allowances.items():
        assert left in (0, 1), (action, left)
    for window in state.windows.values():
        assert window.kind == "order"
        assert {being.kind for who in window.awaits if (being := state.being(who))} == {"pc"}


def declaration(step: Mapping[str, Any]) -> Declaration:
    """Return the declaration of a step of a case."""
    fields = {key: value for key, value in step.items() if key not in ("say", "dice", "expect")}
    if "changes" in fields:
        fields["changes"] = [{"value": value, "to": to} for value, to in fields["changes"]]
    kind: type[Declaration] = KINDS[step["say"]]
    return msgspec.convert(fields, kind)


def strike(by: str, target: str, **more: Any) -> Attack:
    return Attack(by=by, target=target, **more)


def hp_and_body(seat: Seat, who: str) -> tuple[int, int]:
    return seat.points(who, "hp"), seat.points(who, "body")


def clock_ends(seat: Seat, who: str) -> list[int]:
    """Return when the clock of somebody's Critical Damage runs out, in seconds; empty while it is stopped."""
    return [end.due for end in seat.state.conditions[f"critical {who}"].ends]


def judgements(record: Record) -> list[tuple[str, str, str]]:
    return [(fact.what, fact.who, fact.result) for fact in of_kind(record, Judged)]
