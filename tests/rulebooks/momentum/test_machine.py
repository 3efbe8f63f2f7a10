"""Random fights of Momentum with every declaration, undo and amendment: replay and verify find nothing.

Beside it, on paper: the opening checks, and the hits of every attack, from the recorded dice.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.acts import written_before
from ledger.builtin import BUILTIN, Correct
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import check_writable, write_correction
from ledger.corrections.undo import corrected_takes, undo
from ledger.declarations import Declaration, Ruling, Setting
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Refused
from ledger.facts import GM, ActionSpent, EntryId, OptionSet, Rolled, SheetChanged
from ledger.game import decoder
from ledger.ledger_state import load_state
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, ENCODER, Record, decode
from ledger.redecide import Input
from ledger.verify import verify
from ledger.whatif import Edit
from projections.projection import StateProjection
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import ANNOUNCED, Announce, Go, announcement
from rulebooks.common.encounters import EndTurn, PassOn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Allowance,
    Attack,
    BypassMomentum,
    ChangeSheet,
    CreateCombatant,
    Defend,
    DoubleAttack,
    EndEncounter,
    Flee,
    Help,
    Interpose,
    JoinFight,
    Move,
    OtherAction,
    Path,
    Reaction,
    Reroll,
    SeizeMomentum,
    StartEncounter,
    Weapon,
)
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.momentum.seat import BOOK, PATHS, Seat, check_bounds

# From the book, by hand: how many dice of which type, Rushed ones, and Defense.
ENTRIES = {
    "Arlo": ("2d10", "1d10"),
    "Bex": ("2d12", "1d10"),
    "Cole": ("3d12", "1d10"),
    "Dara": ("2d10", "1d12"),
    "Brute": ("3d12", "1d10"),
    "Guard": ("2d12", ""),
    "Slinger": ("1d10", ""),
    "Colossus": ("2d20", "1d20"),
}
DEFENSE = {"Arlo": 5, "Bex": 4, "Cole": 6, "Dara": 4, "Brute": 6, "Guard": 5, "Slinger": 4, "Colossus": 13}
SCORES = {"Arlo": 8, "Bex": 6, "Cole": 9, "Dara": 11}
PCS, FOES = ("Arlo", "Bex", "Cole", "Dara"), ("Brute", "Guard", "Slinger", "Colossus")

PC, FOE = st.sampled_from(PCS), st.sampled_from(FOES)
ANYBODY = st.sampled_from(PCS * 2 + FOES * 2 + ("Late", "cole", "Nobody"))
ZONE = st.sampled_from(["Gate", "Yard", "Hall", "Hall", "Stair", "Tower", "Moon"])
WEAPON = st.sampled_from([""] * 8 + ["dagger", "rapier", "maul"])
WORDS = st.sampled_from(["a rope", "the smoke", "it fits", ""])
REASON = st.sampled_from(["so it is", "so it is", "so it is", ""])
CHOICE = st.lists(st.integers(1, 5), max_size=3).map(tuple)
KIND = st.sampled_from(["defend", "interpose", "help", "late"])
REACTION = st.builds(Reaction, PC, KIND, st.just("a stone"), st.just("it fits"), st.sampled_from([False] * 4 + [True]))
REACTIONS = st.one_of(st.just(()), st.lists(REACTION, max_size=2).map(tuple))
EDGES = {"advantage": st.booleans(), "disadvantage": st.booleans(), "reason": WORDS}
SETTING = st.one_of(
    st.builds(Setting, st.sampled_from([f"{who.lower()}.hp" for who in PCS + FOES]), st.integers(-1, 8)),
    st.builds(Setting, st.sampled_from(["arlo.place", "brute.place", "bex.place"]), ZONE),
    st.builds(Setting, st.sampled_from(["cole.defense", "cole.str", "cole.hp.most", "guard.luck"]), st.integers(0, 20)),
    st.builds(Setting, st.sampled_from(["cole.shield", "dara.fate"]), st.sampled_from(["yes", "no", "dead"])),
    st.builds(Setting, st.just("guard.weapon.spear.rushed"), st.sampled_from(["1d12", "2d7"])),
    st.builds(Setting, st.just("option.help_stacks"), st.sampled_from(["yes", "no"])),
    st.builds(Setting, st.sampled_from(["gate.neighbour.hall", "yard.neighbour.hall"]), st.integers(0, 1)),
)
SETTINGS = st.lists(SETTING, max_size=2).map(tuple)
OPTION = st.sampled_from(
    [(option.name, value) for option in BOOK.texts().content.options for value in (*option.values, 1, 2, "luck")]
)
STRIKES = st.one_of(
    st.builds(
        Attack,
        by=ANYBODY,
        target=ANYBODY,
        weapon=WEAPON,
        thrown=st.sampled_from([False] * 5 + [True]),
        reactions=REACTIONS,
        reroll=CHOICE,
    ),
    st.builds(DoubleAttack, by=ANYBODY, target=ANYBODY, reactions=REACTIONS, second=REACTIONS),
)
ANSWERS = st.one_of(
    st.builds(Defend, by=PC),
    st.builds(Interpose, by=PC),
    st.builds(Help, by=PC, how=WORDS, because=WORDS, refused=st.booleans(), attack=st.sampled_from([1, 1, 2])),
)
SHEET = {
    "by": st.just(GM),
    "name": st.sampled_from(["Late", "Cole", "cole", "gm"]),
    "side": st.sampled_from(["pc", "foe", "bystander"]),
    "hp": st.integers(0, 9),
    "hp_now": st.one_of(st.none(), st.integers(0, 4)),
    "defense": st.integers(0, 6),
    "scores": st.sampled_from([(("AGI", 9),), (("AGI", 20),), ()]),
    "weapons": st.sampled_from([(), (Weapon("club", "2d10", "1d10"),), (Weapon("twig", "1d3"),)]),
}
PLAYED: dict[type[Declaration], st.SearchStrategy[Any]] = {
    SetOption: OPTION.flatmap(
        lambda option: st.builds(
            SetOption, by=st.just(GM), name=st.just(option[0]), value=st.just(option[1]), reason=REASON
        )
    ),
    Adjust: st.builds(
        Adjust, by=PC, value=st.sampled_from(["hp", "defense"]), change=st.integers(-2, 2), reason=REASON
    ),
    CreateCombatant: st.builds(CreateCombatant, **SHEET),
    ChangeSheet: st.builds(ChangeSheet, **SHEET, because=REASON),
    StartEncounter: st.builds(
        StartEncounter,
        by=st.just(GM),
        paths=st.just(tuple(Path(*path.split(":")) for path in PATHS)),
        pcs=ZONE,
        foes=ZONE,
    ),
    JoinFight: st.builds(JoinFight, by=st.just(GM), who=ANYBODY, zone=ZONE),
    SeizeMomentum: st.builds(SeizeMomentum, by=ANYBODY, **EDGES),
    BypassMomentum: st.builds(BypassMomentum, by=st.just(GM), who=ANYBODY, actions=st.integers(0, 3), reason=REASON),
    Allowance: st.builds(Allowance, by=st.just(GM), who=ANYBODY, actions=st.none() | st.integers(0, 3), reason=REASON),
    Move: st.builds(Move, by=ANYBODY, zone=ZONE),
    Attack: STRIKES,
    DoubleAttack: STRIKES,
    Defend: ANSWERS,
    Interpose: ANSWERS,
    Help: ANSWERS,
    Reroll: st.builds(Reroll, by=ANYBODY, dice=CHOICE, second=CHOICE),
    OtherAction: st.builds(
        OtherAction,
        by=ANYBODY,
        deed=WORDS,
        ruling=WORDS,
        ability=st.sampled_from(["", "agi", "str", "luck"]),
        advantage=st.booleans(),
        changes=SETTINGS,
    ),
    AbilityCheck: st.builds(AbilityCheck, by=ANYBODY, ability=st.sampled_from(["agi", "str", "defense"]), **EDGES),
    EndTurn: st.builds(EndTurn, by=ANYBODY),
    PassOn: st.just(PassOn(by=GM)),
    Flee: st.builds(Flee, by=ANYBODY, reason=REASON),
    EndEncounter: st.builds(EndEncounter, by=st.just(GM), reason=REASON),
    Announce: STRIKES.map(announcement),
    Go: st.builds(Go, by=st.just(GM), wait=st.booleans()),
}


def test_every_declaration_is_played() -> None:
    assert PLAYED.keys() == set(BOOK.declarations)


class Fights(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.seat = Seat("checks")
        self.evenings, self.steps = 1, 0
        self.corrected = False  # in this session
        self.said: list[Record] = []

    @initialize(who=st.permutations(PCS), dice=st.lists(st.integers(1, 12), min_size=8, max_size=8))
    def momentum(self, who: list[str], dice: list[int]) -> None:
        """Compare with the model: 20 less AGI, a double, or one action."""
        for name in who:
            one, other = dice.pop(), dice.pop()
            self.seat.say(SeizeMomentum(by=name), one, other)
            won = one == other or one + other >= 20 - SCORES[name]
            assert self.seat.state.conditions[f"momentum {name}"].degree == 1 + won

    @property
    def is_open(self) -> bool:
        return self.seat.ledger.state.session.open

    def actors(self) -> list[str]:
        """Return who may act now: the one whose turn is open, or all who wait for theirs."""
        encounter = self.seat.state.encounter
        if encounter is None or encounter.phase == "momentum" or ANNOUNCED in self.seat.state.windows:
            return []
        out = {condition.who for condition in self.seat.state.conditions.values() if condition.name in OUT}
        side = next((slot.who for slot in encounter.order if slot.slot == encounter.phase), ())
        waiting = [who for who in side if who not in (*encounter.done, *out)]
        return (
            [encounter.turn] if encounter.turn and self.seat.state.actions_left(encounter.turn, "action") else waiting
        )

    # What is likely to happen, so that fights go on

    @precondition(lambda self: self.is_open and self.actors())
    @rule(nth=st.integers(0, 7), other=st.integers(0, 7), announces=st.booleans())
    def strike(self, nth: int, other: int, announces: bool) -> None:
        """Compare with the model: each die of the weapon against Defense, and the hit points lost."""
        actors = self.actors()
        by = actors[nth % len(actors)]
        others = [who for who in (FOES if by in PCS else PCS) if self.seat.hp(who)]
        at = others[other % len(others)] if others else "Nobody"
        said = Attack(by=by, target=at)
        if announces:
            self._try(announcement(said))
            return
        before = dict(self.seat.state.pools)
        record = self._try(said)
        if record is None or self.is_changed() or by not in ENTRIES or at not in DEFENSE:
            return
        base, *more = of_kind(record, Rolled)
        assert f"{len(base.dice)}d{base.dice[0].sides}" in ENTRIES[by]
        dice = [die for fact in (base, *more) for die in fact.dice if not (by == "Bex" and die.face == 1)]
        hits = sum(die.face >= DEFENSE[at] or die.face == die.sides for die in dice)
        assert self.seat.hp(at) == max(0, before[at, "hp"].points - hits)

    def is_changed(self) -> bool:
        """Tell whether sheets or options have changed, so that the model is out of date."""
        return any(record.has(SheetChanged) or record.has(OptionSet) for record in self.seat.store.takes())

    @precondition(lambda self: self.is_open and self.actors())
    @rule(nth=st.integers(0, 7), zone=ZONE, ends=st.booleans())
    def act(self, nth: int, zone: str, ends: bool) -> None:
        actors = self.actors()
        by = actors[nth % len(actors)]
        self._try(EndTurn(by=by) if ends else Move(by=by, zone=zone))

    @precondition(lambda self: self.is_open and ANNOUNCED in self.seat.state.windows)
    @rule(said=ANSWERS, throw=st.sampled_from(["", "go", "wait", "reroll"]), dice=CHOICE)
    def answer(self, said: Declaration, throw: str, dice: tuple[int, ...]) -> None:
        by = self.seat.state.windows[ANNOUNCED].who
        self._try({"go": Go(by=GM), "wait": Go(by=GM, wait=True), "reroll": Reroll(by=by, dice=dice)}.get(throw, said))

    @precondition(lambda self: self.is_open and self.seat.state.encounter is None)
    @rule(zone=st.sampled_from(["Hall", "Hall", "Yard"]))
    def fight_again(self, zone: str) -> None:
        """Heal everybody and begin another fight."""
        every = tuple(Setting(f"{who.lower()}.hp", 3) for who in PCS + FOES)
        self.seat.say(Ruling(by=GM, text="weeks pass", reason="another day", changes=every))
        paths = tuple(Path(*path.split(":")) for path in PATHS)
        self._try(StartEncounter(by=GM, paths=paths, pcs=zone, foes="Hall"))
        for who in PCS:
            self._try(BypassMomentum(by=GM, who=who, reason="another day"))

    # Other declarations

    @precondition(lambda self: self.is_open)
    @rule(data=st.data(), kind=st.sampled_from(BOOK.declarations))
    def play(self, data: st.DataObject, kind: type[Declaration]) -> None:
        if kind in (Flee, EndEncounter) and self.steps % 5:
            kind = Attack
        self._try(data.draw(PLAYED[kind]))

    @precondition(lambda self: self.is_open and self.steps % 4 == 0)
    @rule(changes=SETTINGS, reason=REASON)
    def decide(self, changes: tuple[Setting, ...], reason: str) -> None:
        self._try(Ruling(by=GM, text="so be it", reason=reason, changes=changes))

    def _try(self, said: Declaration) -> Record | None:
        """Declare; a refusal must change nothing, and depend on no face."""
        self.seat.check_faces_decide_no_refusal(said)
        self.seat.check_left_over_faces_are_refused(said)
        before = self.seat.snapshot()
        try:
            record = self.seat.ledger.declare(said, at=AT)
        except Refused:
            assert self.seat.snapshot() == before
            return None
        passes = written_before(self.seat.store, record)
        assert not any(each.has(ActionSpent) for each in passes)  # no action is let go
        self.said.append(record)
        return record

    # Taking back and correcting

    @precondition(lambda self: self.is_open)
    @rule()
    def undo(self) -> None:
        """Undo the last line, or the last correction; the same line again rolls the same faces."""
        ledger = self.seat.ledger
        with suppress(Refused):  # no line yet in this session
            taken_back = undo(ledger, by=GM, at=AT)
            taken = corrected_takes(ledger.store, taken_back)[0]
            if self.corrected:
                return  # it may be the correction that is taken back
            assert taken.declared
            said = decoder(ledger.game, BUILTIN).decode(taken.declared.said)
            assert not isinstance(said, Correct)
            if taken.insert:  # an inserted entry has no number to reuse
                return
            repeated = ledger.declare(said, at=AT, faces=taken.declared.faces)
            assert (repeated.id, repeated.facts) == (taken.id, taken.facts)

    @precondition(lambda self: self.said)
    @rule(nth=st.integers(0, 30), data=st.data(), how=st.sampled_from(["drop", "insert", "retcon"]))
    def amend(self, nth: int, data: st.DataObject, how: str) -> None:
        """Leave out, insert or change an entry: all of it is written, or nothing."""
        record = self.said[nth % len(self.said)]
        edits: dict[EntryId, Edit] = {record.id: Edit(input=None, outcome="drop")}
        if how != "drop":
            assert record.declared
            was = decoder(BOOK, BUILTIN).decode(record.declared.said)
            other = {"target": data.draw(ANYBODY), "thrown": data.draw(st.booleans())}
            said: Declaration = msgspec.structs.replace(was, **other) if isinstance(was, Attack) else EndTurn(by=was.by)
            said = data.draw(ANSWERS) if how == "insert" else said
            raw = Input(declaration_json=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="")
            insert = 1 + max(take.insert for take in self.seat.store.takes() if take.number == record.number)
            id = EntryId(record.session, record.number, insert) if how == "insert" else record.id
            edits = {id: Edit(input=raw, outcome=how, in_order=True)}
        before = self.seat.snapshot()
        try:
            correction = plan_amendment(self.seat.ledger, edits, by=GM, because="the test")
            check_writable(correction)
            write_correction(self.seat.ledger, correction, at=AT, line="~")
            self.corrected = True
        except LedgerError:
            assert self.seat.snapshot() == before

    @precondition(lambda self: not self.is_open or self.steps % 7 == 0)
    @rule()
    def evening(self) -> None:
        """Close the session, or open the next."""
        ledger = self.seat.ledger
        if self.is_open:
            ledger.close_session(at=AT)
        else:
            self.evenings += 1
            self.corrected = False
            ledger.open_session(f"evening {self.evenings}", at=AT, seed=fixed_seed(str(self.evenings)))

    # What always holds

    @invariant()
    def bounds_hold(self) -> None:
        check_bounds(self.seat.state)

    @invariant()
    def open_turn_is_of_the_acting_side(self) -> None:
        encounter = self.seat.state.encounter
        if encounter is not None and encounter.turn:
            side = next(slot.slot for slot in encounter.order if encounter.turn in slot.who)
            assert side == encounter.phase
            assert encounter.turn not in encounter.done

    @invariant()
    def read_models_equal_the_state(self) -> None:
        self.seat.store.check_rows(self.seat.state)

    @invariant()
    def store_folds_to_the_state(self) -> None:
        state, loaded = self.seat.ledger.state, load_state(self.seat.store, StateProjection())
        assert loaded.projection.pack(loaded.state) == state.projection.pack(state.state)
        self.steps += 1
        if self.steps % 6 == 0:
            bare = MemoryStore()
            bare.append([decode(stored) for stored in self.seat.store.read()], after=EMPTY)
            assert load_state(bare, StateProjection()).state.pools == state.state.pools
            self.seat.check_replay()

    def teardown(self) -> None:
        self.seat.check_replay()
        _, findings = verify(self.seat.store, BOOK, StateProjection())
        assert [str(finding) for finding in findings] == []


OUT = ("down", "dead", "fled")
TestFights = Fights.TestCase
