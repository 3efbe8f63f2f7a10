"""Random sessions of Dusk Bastards, compared with the notes of a player.

The notes follow attempts, rerolls, closes and rulings in full; for everything else the ledger must stay valid.
"""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from inspect import getsource

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.builtin import BUILTIN, Correct
from ledger.corrections.undo import corrected_takes, undo
from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Judged
from ledger.game import decoder
from ledger.ledger_state import load_state
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, Record, decode
from ledger.service import Ledger
from ledger.verify import verify
from projections.projection import StateProjection
from projections.state import State
from rulebooks.dusk_bastards.declarations.parts import Change, Modifier, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, ForbidRetry, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.tasks.retries import FAILED
from tests.rulebooks.dusk_bastards import strategies
from tests.rulebooks.dusk_bastards import test_fight_machine as fights
from tests.rulebooks.dusk_bastards.notes import LEVEL, LIGHT_PRICE, LIMIT, MOST, PRICE, Notes
from tests.rulebooks.dusk_bastards.seat import AT, BOOK, Seat, check_bounds, faces, of_kind
from tests.rulebooks.dusk_bastards.strategies import (
    ACTED,
    DICE,
    FACE,
    FOUGHT,
    ODD_DICE,
    PLAYED,
    RULED,
    STAT,
    SURROUNDED,
    USES,
    WHO,
    retries,
)


class Sessions(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.seat = Seat("Ash", "Bryn", "Cole")
        self.notes: Notes | None = Notes({who: dict(pools) for who, pools in MOST.items()})
        self.before: Notes | None = None
        self.sessions = 1
        self.steps = 0

    @initialize(destiny=st.integers(0, 2), doom=st.integers(0, 3), light=st.booleans())
    def begin(self, destiny: int, doom: int, light: bool) -> None:
        changes = [("doom", doom), ("ash.destiny", destiny), ("bryn.destiny", destiny), ("cole.destiny", destiny // 2)]
        if light:
            changes.append(("bryn.wound", 2))
        self._rule(tuple(Change(value, to) for value, to in changes))
        assert self.notes
        self.notes.doom = doom
        self.notes.destiny = {"Ash": destiny, "Bryn": destiny, "Cole": destiny // 2}
        self.notes.light = {"Bryn"} if light else set()

    @property
    def is_open(self) -> bool:
        return self.seat.ledger.state.session.open

    def _rule(self, changes: tuple[Change, ...]) -> None:
        self.seat.say(Ruling(by=GM, text="so it begins", reason="the test", changes=changes))

    # Steps that the notes follow

    @precondition(lambda self: self.notes and self.is_open)
    @rule(
        who=WHO,
        stat=STAT,
        difficulty=st.integers(1, 8),
        effort=st.sampled_from([0, 0, 1, 1, 2, 3]),
        initial=st.sampled_from([0, 0, 1, 4]),
        hinder=st.integers(0, 1),
        dice=DICE,
    )
    def attempt(
        self, who: str, stat: str, difficulty: int, effort: int, initial: int, hinder: int, dice: tuple[int, int] | None
    ) -> None:
        said = Attempt(
            by=who,
            stat=stat,
            difficulty=difficulty,
            effort=effort,
            initial_cost=initial,
            hinder=(Modifier(steps=1),) * hinder,
        )
        notes = self.notes
        assert notes
        pool = notes.pools[who][stat]
        price = (LIGHT_PRICE if who in notes.light else PRICE)[effort] + initial
        final = max(0, difficulty - effort + hinder)
        if effort > LIMIT[who]:
            assert self._refused(said, dice) == "DB-E-EFFORT-LIMIT"
        elif initial > pool:
            self._keep()
            notes.close()
            assert self._result(self._declare(said, dice)) == "automatic failure"
        elif price > pool:
            assert self._refused(said, dice) == "DB-E-POINTS"
        else:
            self._keep()
            notes.close()
            notes.pools[who][stat] -= price
            record = self._declare(said, dice)
            if final == 0:
                assert self._result(record) == "routine"
                return
            notes.open, notes.stat, notes.out, notes.target = who, stat, price, 3 * final
            (shown,) = faces(record).values()
            assert dice in (None, shown)
            assert self._result(record) == notes.roll(who, *shown)

    @precondition(lambda self: self.notes and self.notes.open and self.is_open)
    @rule(dice=DICE)
    def reroll(self, dice: tuple[int, int] | None) -> None:
        notes = self.notes
        assert notes
        said = SpendDestiny(by=notes.open, uses=(Use("reroll"),))
        if not notes.destiny[notes.open]:
            assert self._refused(said, dice) == "DB-E-DESTINY-NONE"
            return
        self._keep()
        notes.destiny[notes.open] -= 1
        record = self._declare(said, dice)
        (shown,) = faces(record).values()
        assert self._result(record) == notes.roll(notes.open, *shown)

    @precondition(lambda self: self.notes and self.is_open)
    @rule(points=st.integers(1, 3))
    def doom(self, points: int) -> None:
        notes = self.notes
        assert notes
        said = SpendDoom(by=GM, points=points, purpose="rain")
        if points > notes.doom:
            assert self._refused(said, None) == "DB-E-DOOM-NONE"
            return
        self._keep()
        notes.doom -= points
        self._declare(said, None)

    @precondition(lambda self: self.notes and (self.notes.open or self.steps % 6 == 0) and self.is_open)
    @rule()
    def close(self) -> None:
        notes = self.notes
        assert notes
        if not notes.open:
            assert self._refused(Close(by=GM), None) == "DB-E-NO-ROLL"
            return
        self._keep()
        notes.close()
        self._declare(Close(by=GM), None)

    # Any other declaration: the ledger stays valid; the notes are thrown away when it is accepted

    @precondition(lambda self: self.is_open)
    @rule(said=PLAYED, dice=ODD_DICE)
    def play(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._try(said, dice)

    @precondition(lambda self: self.is_open)
    @rule(said=RULED, dice=ODD_DICE)
    def decide(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._try(said, dice)

    @precondition(lambda self: self.is_open)
    @rule(said=ACTED, dice=ODD_DICE)
    def act(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._try(said, dice)

    @precondition(lambda self: self.is_open)
    @rule(said=FOUGHT, dice=ODD_DICE)
    def fight(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._try(said, dice)

    @precondition(lambda self: self.is_open)
    @rule(said=SURROUNDED, dice=ODD_DICE)
    def surround(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self._try(said, dice)
        for _ in BOOK.guide.unclaimed(said, self.seat.state):
            pass

    @precondition(lambda self: self.is_open and self.failures())
    @rule(said=retries(), dice=DICE, nth=st.integers(0, 20), forbid=st.integers(0, 5))
    def retry_or_forbid(self, said: Retry, dice: tuple[int, int] | None, nth: int, forbid: int) -> None:
        """Retry or forbid an attempt that did fail."""
        failures = self.failures()
        who, entry = failures[nth % len(failures)]
        again = msgspec.structs.replace(said, by=who, of=entry)
        self._try(again if forbid else ForbidRetry(by=GM, of=entry, reason="no more"), dice)

    def failures(self) -> list[tuple[str, str]]:
        """Return the failed attempts: character and entry."""
        held = sorted(self.seat.state.conditions.items())
        return [(each.who, each.about or str(each.since)) for _, each in held if each.name == FAILED]

    @precondition(lambda self: self.is_open and self.seat.state.windows)
    @rule(uses=USES, dice=st.lists(FACE, min_size=6, max_size=6), doom=st.integers(0, 4))
    def spend_on_the_open_roll(self, uses: tuple[Use, ...], dice: list[int], doom: int) -> None:
        window = next(iter(self.seat.state.windows.values()))
        rerolls = sum(use.use == "reroll" for use in uses)
        if uses:
            self._try(SpendDestiny(by=window.who, uses=uses), tuple(dice[: 2 * rerolls]) or None)
        else:
            self._try(SpendDoom(by=GM, points=doom, use="change-target"), None)

    def _try(self, said: Declaration, dice: tuple[int, ...] | None) -> None:
        self.seat.check_faces_decide_no_refusal(said)
        self.seat.check_left_over_faces_are_refused(said)
        before = self.seat.snapshot()
        try:
            self.seat.ledger.declare(said, at=AT, faces=dice)
        except (Refused, BadFaces):
            assert self.seat.snapshot() == before
        else:
            self.notes = self.before = None

    @precondition(lambda self: self.is_open)
    @rule()
    def undo(self) -> None:
        """Undo restores the state, and the same declaration meets the same faces again."""
        ledger = self.seat.ledger
        with suppress(Refused):  # no line yet in this session
            self._undo_and_repeat(ledger)

    def _undo_and_repeat(self, ledger: Ledger[State]) -> None:
        amendment = undo(ledger, by="gm", at=AT)
        undone = corrected_takes(ledger.store, amendment)[0]
        declared = undone.declared
        assert declared
        said = decoder(ledger.game, BUILTIN).decode(declared.said)
        assert not isinstance(said, Correct)
        again = ledger.declare(said, at=AT, faces=declared.faces)
        assert (again.id, again.facts) == (undone.id, undone.facts)

    @precondition(lambda self: self.before and self.is_open)
    @rule()
    def undo_for_good(self) -> None:
        undo(self.seat.ledger, by="gm", at=AT)
        self.notes, self.before = self.before, None

    @precondition(lambda self: not self.is_open or self.steps % 6 == 0)
    @rule()
    def open_or_close(self) -> None:
        """Close the session, or open the next."""
        ledger = self.seat.ledger
        if ledger.state.session.open:
            if self.notes:
                self.notes.close()
            ledger.close_session(at=AT)
        else:
            self.sessions += 1
            ledger.open_session(f"session {self.sessions}", at=AT, seed=fixed_seed(str(self.sessions)))
        self.before = None

    @precondition(lambda self: not self.is_open and self.is_followed())
    @rule(who=WHO)
    def refuse_dice_between_sessions(self, who: str) -> None:
        before = self.seat.snapshot()
        with pytest.raises(Refused, match="L-CLOSED"):
            self.seat.ledger.declare(Attempt(by=who, stat="might", difficulty=5), at=AT)
        assert self.seat.snapshot() == before

    @precondition(lambda self: not self.notes and self.is_followed())
    @rule()
    def write_new_notes(self) -> None:
        state = self.seat.state
        self.notes = Notes({who: {stat: self.seat.points(who, stat) for stat in pools} for who, pools in MOST.items()})
        self.notes.destiny = {who: self.seat.destiny(who) for who in LEVEL}
        self.notes.doom = self.seat.doom
        self.notes.light = {who for (who, _), wound in state.wounds.items() if wound.kind == "light"}

    def is_followed(self) -> bool:
        """Return whether nothing is in force that the notes do not follow."""
        state = self.seat.state
        kinds = {wound.kind for wound in state.wounds.values()}
        held = {each.name for each in state.conditions.values()} - {FAILED}
        return not (state.windows or state.options or state.encounters or kinds - {"winded", "light", "severe"} or held)

    # Helpers

    def _declare(self, said: Declaration, dice: tuple[int, ...] | None) -> Record:
        return self.seat.ledger.declare(said, at=AT, faces=dice)

    def _refused(self, said: Declaration, dice: tuple[int, ...] | None) -> str:
        return self.seat.refusal(said, *(dice or ())).code

    def _keep(self) -> None:
        """Keep a copy of the notes before this line."""
        notes = self.notes
        assert notes
        copied = {who: dict(pools) for who, pools in notes.pools.items()}
        self.before = Notes(**{**vars(notes), "pools": copied, "destiny": dict(notes.destiny), "light": notes.light})

    def _result(self, record: Record) -> str:
        return [fact.result for fact in of_kind(record, Judged) if fact.what == "task"][-1]

    # Invariants

    @invariant()
    def ledger_agrees_with_the_notes(self) -> None:
        if self.notes:
            for who, pools in self.notes.pools.items():
                assert pools == {stat: self.seat.points(who, stat) for stat in pools}
                assert self.notes.destiny[who] == self.seat.destiny(who)
            assert self.notes.doom == self.seat.doom
            assert bool(self.notes.open) == bool(self.seat.state.windows)

    @invariant()
    def read_models_match_the_state(self) -> None:
        self.seat.store.check_rows(self.seat.state)

    @invariant()
    def numbers_keep_their_bounds(self) -> None:
        check_bounds(self.seat.state)

    @invariant()
    def store_loads_the_same_state(self) -> None:
        """From the snapshot, and from the first record."""
        current = self.seat.ledger.state
        packed = current.projection.pack(current.state)
        loaded = load_state(self.seat.store, StateProjection())
        assert loaded.projection.pack(loaded.state) == packed
        assert (loaded.session, loaded.last) == (current.session, current.last)
        assert loaded.reusable_numbers == current.reusable_numbers
        self.steps += 1
        if self.steps % 5 == 0:
            bare = MemoryStore()
            bare.append([decode(stored) for stored in self.seat.store.read()], after=EMPTY)
            zero = load_state(bare, StateProjection())
            assert zero.projection.pack(zero.state) == packed

    @invariant()
    def replay_finds_no_difference(self) -> None:
        if self.steps % 5 == 0:
            self.seat.check_replay()

    def teardown(self) -> None:
        self.seat.check_replay()
        _, findings = verify(self.seat.store, BOOK, StateProjection())
        assert [str(finding) for finding in findings] == []


TestSessions = Sessions.TestCase


def test_random_play_knows_every_declaration() -> None:
    """Here or in the fights on notes."""
    sources = [ast.parse(getsource(module)) for module in (strategies, fights, sys.modules[__name__])]
    nodes = [node for source in sources for node in ast.walk(source)]
    known = {getattr(node, "id", None) or getattr(node, "attr", None) for node in nodes}
    assert [kind.__name__ for kind in BOOK.declarations if kind.__name__ not in known] == []
