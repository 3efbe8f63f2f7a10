"""Random evenings of the open game with corrections and undo, compared with a model on paper.

The paper reads facts only and adds up by its own few lines; it calls none of ours.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM, Judged, PointsLost, PointsRegained, PoolSet, Rolled, TokensMoved
from ledger.records import Record, latest_takes
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import BringIn, EndFight, EndTurn, LeaveEncounter, PassTime
from rulebooks.open_game import declarations as say
from rulebooks.testing.corrections import CorrectedFights
from rulebooks.testing.table import check_bounds
from tests.rulebooks.open_game.seat import BOOK, Seat, cases

WHO = st.sampled_from(["Vera", "Otto", "Ghoul"])
WORDS = st.sampled_from(["roll", "strike", "rest", "defy-danger", "pick", "curse", "dex", "stealth", "ac", "nobody"])
DICE = st.sampled_from(
    ["", "", "2d6+3", "4d6kh3", "3d6!", "6d6>=5", "4dF", "d20+dex", "1d4-dex", "12d6", "d0", "2d6+luck"]
)
LIMIT = st.sampled_from(["", "", "", "10", "-3", "ac", "nerve", "luck", "9999999"])
MOVES = st.builds(
    say.MakeMove,
    by=WHO,
    what=WORDS,
    target=st.sampled_from(["", "Ghoul", "Ghoul", "Vera"]),
    dice=DICE,
    vs=LIMIT,
    under=st.sampled_from(["", "", "", "45", "nerve"]),
    edge=st.sampled_from(["none", "none", "advantage", "disadvantage"]),
)
CONDITION = st.sampled_from(["cursed", "shaken", "down", "hp", "Tired", "look", "!"])
VALUE = st.sampled_from(["hp", "luck", "doom", "dex", "look", "shaken", "none"])
HOUSE = BOOK.sheet(cases()["sheets"]["house"], "house.toml")
LOUDER = BOOK.sheet({**cases()["sheets"]["house"], "zero": {"hp": "dead"}, "order": "2d6"}, "house.toml")
TELLS = st.one_of(
    st.builds(say.Gain, by=WHO, condition=CONDITION),
    st.builds(say.Shed, by=WHO, condition=CONDITION),
    st.builds(EndTurn, by=WHO),
    st.just(say.PassTurn(by=GM)),
    st.just(say.StartEncounter(by=GM, kind="the cellar")),
    st.builds(say.StartEncounter, by=st.just(GM), participants=st.lists(WHO, max_size=2).map(tuple)),
    st.builds(BringIn, by=st.just(GM), who=WHO),
    st.builds(LeaveEncounter, by=st.just(GM), who=WHO, reason=st.sampled_from(["", "over the wall"])),
    st.just(EndFight(by=GM, reason="quiet")),
    st.builds(PassTime, by=st.just(GM), seconds=st.sampled_from([0, 60])),
    st.builds(Adjust, by=WHO, value=VALUE, change=st.integers(-12, 12), reason=st.just("so")),
    st.builds(
        lambda who, value, to: Ruling(by=GM, text="so", reason="so", changes=(Setting(f"{who}.{value}", to),)),
        st.sampled_from(["vera", "ghoul", "house-book"]),
        VALUE,
        st.sampled_from([0, 1, 4, 99, 2_000_000, "grey"]),
    ),
    st.just(HOUSE),
    st.just(BOOK.sheet_edits(LOUDER, "a vote", HOUSE)),
)
ANY = st.one_of(MOVES, MOVES, TELLS)


class Paper:
    """A model of pools and tokens, and of the faces behind each total."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], int] = {}

    def read(self, record: Record) -> None:
        faces = {fact.purpose: fact for fact in record.facts if isinstance(fact, Rolled)}
        for fact in record.facts:
            match fact:
                case PoolSet():
                    self.held[fact.who, fact.pool] = fact.now
                case PointsLost():
                    self.held[fact.who, fact.pool] -= fact.points
                case PointsRegained():
                    self.held[fact.who, fact.pool] += fact.points
                case TokensMoved():
                    self.held[fact.who, fact.token] = self.held.get((fact.who, fact.token), 0) + fact.change
                case Judged():
                    self.check(fact, [faces[purpose] for purpose in fact.rolls])

    def check(self, fact: Judged, thrown: list[Rolled]) -> None:
        """Check the arithmetic of a total, and what it is against the number to reach."""
        (total,) = fact.sums
        sign = {"+": 1, "-": -1}
        assert total.start + sum(sign[step.op] * step.value for step in total.steps) == fact.total
        shown = [die.face for roll in thrown for die in roll.dice if die.kept]
        assert total.start <= sum(shown)
        if fact.target is not None:
            assert abs(fact.margin or 0) == abs(fact.total - fact.target)
            reached = (fact.margin or 0) >= 0
            assert (fact.result in ("success", "triumph")) == reached


class Evenings(CorrectedFights):
    """After any lines, corrections and undos the model agrees, and replay and verify find nothing."""

    codes = ("OG-E-", "L-VALUE")

    @initialize()
    def begin(self) -> None:
        self.seat = Seat()

    @rule(said=ANY)
    def anybody_declares(self, said: Declaration) -> None:
        self.declare(said)

    @rule(by=WHO, times=st.integers(1, 4))
    def strike(self, by: str, times: int) -> None:
        """Strike the foe until it is down, each in turn."""
        for _ in range(times):
            self.declare(say.MakeMove(by=by, what="strike", target="Ghoul"))
            self.declare(say.PassTurn(by=GM))

    @rule(said=MOVES, faces=st.lists(st.integers(1, 20), max_size=6))
    def declare_with_typed_faces(self, said: Declaration, faces: list[int]) -> None:
        self.declare_with(said, faces)

    @rule(where=st.floats(0, 0.999), how=st.sampled_from(["retcon", "drop", "insert"]), said=ANY)
    def correct(self, where: float, how: str, said: Any) -> None:
        self.correct_line(where, how, said)

    @invariant()
    def model_agrees(self) -> None:
        state, paper = self.seat.state, Paper()
        for record in latest_takes(self.seat.store.takes()):
            paper.read(record)
        pools = {key: pool.points for key, pool in state.pools.items()}
        assert paper.held == pools | {key: token.count for key, token in state.tokens.items()}
        check_bounds(state)


TestEvenings = Evenings.TestCase
