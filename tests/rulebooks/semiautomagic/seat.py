"""Helpers of Semiautomagic's tests: the cast, in a fight or out of one, and lines said before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import SeededDice, fixed_seed
from ledger.facts import GM, EntryId, Fact, Judged
from ledger.ledger_state import decide_and_fold
from projections.state import State
from rulebooks import load_game
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.declarations.scene import PutAt
from rulebooks.semiautomagic.declarations.turns import StartEncounter
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat
from tests.rulebooks import CASES, SILENT

BOOK = load_game("semiautomagic")
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*BOOK.declarations, Ruling)}
PLAYED = ("dice", "expect", "fresh")  # what a step has besides its declaration


def cases() -> dict[str, Any]:
    return load_cases(CASES / "semiautomagic.toml")


def declaration(step: Mapping[str, Any]) -> Declaration:
    """Return what a step declares."""
    fields = {name: value for name, value in step.items() if name not in ("say", *PLAYED)}
    return msgspec.convert(fields, KINDS["attack" if step["say"] == "aim" else step["say"]])


def sheet_of(name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet of the cast with changes; those of an item change that item alone."""
    sheet = dict(cases()["sheets"][name])
    items = {item: dict(entries) for item, entries in sheet.get("items", {}).items()}
    for item, entries in changes.get("items", {}).items():
        items[item] = items.get(item, {}) | entries
    return {"name": name, **sheet, **changes, "items": items}


class Seat(TableSeat):
    """Those who are present, in an open session, after some lines; in a fight if its order is given."""

    def __init__(
        self,
        *,
        present: Iterable[str] = ("Rook", "Thorn"),
        sheets: Mapping[str, Mapping[str, Any]] | None = None,
        options: Mapping[str, str] | None = None,
        locations: bool = False,
        at: Mapping[str, tuple[int, int]] | None = None,
        said: Iterable[Mapping[str, Any]] = (),
        fight: Iterable[str] = (),
    ) -> None:
        super().__init__(BOOK, "TT-E-", check_bounds, SILENT)
        self.present, said, fight = tuple(present), tuple(said), tuple(fight)

        def play() -> None:
            for name in self.present:
                content = sheet_of(name, (sheets or {}).get(name, {}))
                self.ledger.declare(BOOK.sheet(content, f"{name}.toml"), at=AT)
            if locations:
                table = {"sheet": "locations", "name": "Called shots", "rows": cases()["locations"]}
                self.ledger.declare(BOOK.sheet(table, "locations.toml"), at=AT)
            self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))
            for name, value in (options or {}).items():
                self.say(SetOption(by=GM, name=name, value=value, reason="given"))
            for who, square in (at or {}).items():
                self.say(PutAt(by=GM, who=who, square=tuple(square)))
            for step in said:
                self.say(declaration(step), *step.get("dice", ()))
            if fight:
                self.say(StartEncounter(by=GM, order=fight))

        self.begin(play, self.present, sheets, options, locations, at, said, fight)

    def next_round(self) -> None:
        """Pass all turns of this round."""
        assert self.state.encounter
        number = self.state.encounter.round
        while self.state.encounter and self.state.encounter.round == number:
            self.say(EndTurn(by=self.state.encounter.turn))

    def trial(self, said: Declaration) -> tuple[Fact, ...]:
        """Return the facts of a declaration that is taken back. Raises its refusal."""
        state = self.ledger.state
        entry, mark = EntryId(state.last.session, state.last.number + 1), state.mark()
        facts = decide_and_fold(self.book, state, said, SeededDice(fixed_seed("trial"), state.next_throw), entry)
        state.roll_back(mark)
        return tuple(facts)


def judgements(facts: Iterable[Fact], what: str) -> list[Judged]:
    return [fact for fact in facts if isinstance(fact, Judged) and fact.what == what]


def check_bounds(state: State) -> None:
    """Check that who is dead is not dying, who is dying is unconscious, and rider and mount are in one place."""
    for condition in state.conditions.values():
        if condition.name == "dead":
            assert f"dying {condition.who}" not in state.conditions, condition.who
        if condition.name == "dying":
            assert f"unconscious {condition.who}" in state.conditions, condition.who
    for one, tie, other in state.links:
        if tie == "rides":
            assert state.places.get(one) == state.places.get(other), one
            assert not {f"prone {one}", f"crouching {one}"} & state.conditions.keys(), one
