"""Helpers of Momentum's tests: a fight at some point, lines with reactions, results of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.facts import GM, Judged, Rolled
from ledger.records import Record
from projections.state import State
from rulebooks import load_game
from rulebooks.common.announcements import announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import Attack, BypassMomentum, Reaction, StartEncounter
from rulebooks.momentum.guards import checks_due, members_to_act
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat, of_kind
from tests.rulebooks import CASES, SILENT

BOOK = load_game("momentum")
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*BOOK.declarations, Ruling)}
PATHS = ("Gate:Yard", "Yard:Hall", "Hall:Stair", "Stair:Tower")


def cases() -> dict[str, Any]:
    return load_cases(CASES / "momentum.toml")


class Seat(TableSeat):
    """A fight in memory: `checks` due, or in round 2 before the `pcs` or the `foes` act; or `none` yet."""

    def __init__(
        self,
        start: str = "pcs",
        present: Iterable[str] = (),
        hp: Mapping[str, int] | None = None,
        at: Mapping[str, str] | None = None,
        scores: Mapping[str, Mapping[str, int]] | None = None,
        shield: Iterable[str] = (),
        defense: Mapping[str, int] | None = None,
        hook: str = "",
        options: Mapping[str, Any] | None = None,
        seed: str = "tests",
    ) -> None:
        super().__init__(BOOK, "MO-E-", check_bounds, SILENT)
        present, shield = tuple(present or cases()["sheets"]), tuple(shield)

        def play() -> None:
            self._join(present, hp, scores, shield, defense, hook)
            self.ledger.open_session("one", at=AT, seed=fixed_seed(seed))
            for name, value in (options or {}).items():
                self.say(SetOption(by=GM, name=name, value=value, reason="given"))
            if start != "none":
                self._fight(start, at or {})

        self.begin(play, start, present, hp, at, scores, shield, defense, hook, options, seed)

    def _join(
        self,
        present: Iterable[str],
        hp: Mapping[str, int] | None,
        scores: Mapping[str, Mapping[str, int]] | None,
        shield: Iterable[str],
        defense: Mapping[str, int] | None,
        hook: str,
    ) -> None:
        """Let everybody join with what differs from their sheets."""
        sheets = cases()["sheets"]
        for name in present:
            sheet = {"name": name, **sheets[name]}
            sheet |= {"hp_now": hp[name]} if hp and name in hp else {}
            sheet |= {"shield": True} if name in shield else {}
            sheet |= {"defense": defense[name]} if defense and name in defense else {}
            changed = (scores or {}).get(name, {})
            sheet["scores"] = {**sheet.get("scores", {}), **{score.upper(): to for score, to in changed.items()}}
            if hook == name:
                sheet["weapons"] = {**sheet["weapons"], "hook": HOOK}
            self.ledger.declare(BOOK.sheet(sheet, f"{name}.toml"), at=AT)

    def _fight(self, start: str, at: Mapping[str, str]) -> None:
        """Play a fight in five zones up to the point where the test starts."""
        paths = [{"one": one, "other": other} for one, other in (path.split(":") for path in PATHS)]
        starts = [{"who": who, "zone": zone} for who, zone in at.items()]
        called = [being.name for being in self.state.beings_in_order()]  # also who is at 0 HP
        fields = {"by": GM, "paths": paths, "pcs": "Hall", "foes": "Hall", "at": starts, "participants": called}
        self.say(msgspec.convert(fields, StartEncounter))
        if start == "checks":
            return
        for who in checks_due(self.state):
            self.say(BypassMomentum(by=GM, who=who, reason="given"))
        for phase in ("pc", "foe", *(("pc",) if start == "foes" else ())):
            self.end_turns(phase)

    def end_turns(self, phase: str) -> None:
        """End the turn of everybody on a side."""
        encounter = self.state.encounter
        assert encounter is not None
        for who in members_to_act(encounter, phase, self.state):
            self.say(EndTurn(by=who))

    def hp(self, who: str) -> int:
        return self.state.points(who, "hp")


HOOK = {"damage": "2d12", "rushed": "1d12", "tags": ["Hooked"]}


def check_bounds(state: State) -> None:
    """The invariants of the catalogue: HP in their bounds, actions and reactions never more than there are, one zone
    each, and conditions that say what the HP say.
    """
    for (who, name), pool in state.pools.items():
        assert name == "hp", name
        assert 0 <= pool.points <= (pool.most or 0), who
        being = state.being(who)
        assert being is not None
        is_ruled_dead = str(state.sheet(who, "fate")).casefold() == "dead"
        gone = "down" if being.side == "pc" and not is_ruled_dead else "dead"
        ways_out = {name for name in ("down", "dead") if f"{name} {who}" in state.conditions}
        assert ways_out == ({gone} if pool.points == 0 else set()), who
    for (who, action), left in state.allowances.items():
        assert 0 <= left <= {"action": 2, "reaction": 1}[action], (who, action)
    if state.encounter is not None:
        for who in state.encounter.members:
            assert state.place(who), who


def declaration(step: Mapping[str, Any]) -> Declaration:
    """Return the declaration of a step of a case."""
    fields = {key: value for key, value in step.items() if key not in ("say", "dice", "expect", "announced")}
    said: Declaration = msgspec.convert(fields, KINDS[step["say"]])
    return announcement(said) if step.get("announced") else said


def attacks(by: str, target: str, *reactions: tuple[str, str], **more: Any) -> Attack:
    """Return an attack with reactions on its line."""
    return Attack(by=by, target=target, reactions=tuple(reacts(*reaction) for reaction in reactions), **more)


def reacts(who: str, kind: Any) -> Reaction:
    """Return a reaction; Help has its explanation and its ruling."""
    helps = ("as they say", "it fits") if kind in ("help", "late") else ("", "")
    return Reaction(who, kind, *helps)


def hits(record: Record) -> list[Judged]:
    """Return the judged hits of an entry."""
    return [fact for fact in of_kind(record, Judged) if fact.what == "hit"]


def faces(record: Record) -> dict[str, tuple[int, ...]]:
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in of_kind(record, Rolled)}
