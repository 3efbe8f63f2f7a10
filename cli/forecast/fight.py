"""One fight, played from a state to its end: what the book waits for, and what a policy has somebody do.

The rules decide each declaration as they do at the table. Nothing is stored, and the state is rolled back at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Final, Protocol

import msgspec

from cli.forecast.fight_dice import FightDice
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import (
    GM,
    ActionSpent,
    Allowed,
    ConditionBegan,
    ConditionEnded,
    Counted,
    CountsCleared,
    Fact,
    Judged,
    Placed,
    PointsLost,
    PointsRegained,
    PointsSpent,
    Reached,
    Rolled,
    TimePassed,
    TokensMoved,
    Told,
    WindowClosed,
    WindowOpened,
    Wounded,
)
from ledger.game import NextTurn
from ledger.ledger_state import LedgerState
from projections.checkpoint import Checkpoint, new_checkpoint, return_to
from projections.state import Encounter, State
from rulebooks.common.conditions import has_condition
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD, is_here, is_present

ENTRIES_MOST: Final = 2000  # declarations of one fight
ROUNDS_MOST: Final = 50  # a fight that goes on is told as one without an end
OUT, GONE = "out", "gone"
AS_BEFORE: Final[Collection[type[Fact]]] = frozenset(
    {
        *(ActionSpent, Allowed, Counted, CountsCleared, Judged, Placed, Reached, Rolled, TimePassed, TokensMoved, Told),
        *(WindowClosed, WindowOpened),
    }
)
"""Facts after which everybody is in the fight, or out of it, as before."""
OF_ONE: Final = frozenset({ConditionBegan, ConditionEnded, PointsRegained, Wounded})
"""Facts after which all but the one whom they are about are as before."""


class Policy(Protocol):
    """What somebody tries to do when the book waits for them."""

    def acts(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Yield what `who` would do now, the first choice first: the first that is not refused is said.

        Who has nothing left (`Fight.has_any_left`) does nothing.
        """

    def defences(self, who: str, said: Declaration, fight: Fight) -> Iterable[Declaration]:
        """Yield a strike at `who` with each defence that they would choose, the first choice first."""

    def spends(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Yield what `who` would spend on their own roll that is open: the first that is not refused is said."""


class MemberFall(msgspec.Struct, frozen=True):
    """Somebody who was out of the fight, `out`, `dead` or `gone`, first in which round of the run."""

    who: str
    how: str
    round: int


class RunEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How one run ended.

    Attributes:
        rounds: how many were played, the one that was on at the begin included.
        entries: how many declarations were decided.
        falls: who was out of the fight at its end, in the order in which they fell.
        is_over: whether one side at most was left; else a bound has ended the run, or a fall that was to end it.
        winners: the side that was left; empty if none was, or several.
        values: the watched values at the end.
        altered: how many strikes were said as a plan alters them.
        broken_off: whether it ended with several sides standing, as the table ends fights.
    """

    rounds: int
    entries: int
    falls: tuple[MemberFall, ...]
    is_over: bool
    winners: str
    values: tuple[int, ...]
    altered: int = 0
    broken_off: bool = False


class Fight:
    """A state with a fight in it, and the policies of its members. It can be played again and again.

    Args:
        game: whose rules decide.
        state: in which an encounter is running.
        policy_of: the policy of each member, and perhaps that of the game master, who spends tokens.
        watched: names of values whose ends are kept.
        alter: changes a strike before it is said, as a plan has it.
    """

    def __init__(
        self,
        game: Game,
        state: LedgerState[State],
        policy_of: Mapping[str, Policy],
        watched: Sequence[str] = (),
        alter: Callable[[Declaration], Declaration] | None = None,
    ) -> None:
        self.game, self.guide, self.ledger_state, self.policy_of = game, game.guide, state, policy_of
        self.state, self.watched, self.alter = state.state, watched, alter
        self.entry, self.vital = state.next_entry(), game.vital
        self.sides = self.encounter.sides
        self.members = self.encounter.members
        self.side_of = {who: side for side, members in self.sides for who in members}
        self.first_round = max(self.encounter.round, 1)  # before the first round is over there is none
        self.dice = FightDice(b"")
        self.entries = self.altered_strikes = 0
        self.last_struck: dict[str, str] = {}  # whom somebody struck last
        self._turn: tuple[int, str, str] | None = None  # that is on, and what was tried in it
        self._tried: set[Declaration] = set()
        self._spent_in = -1  # the round in which the game master has spent something
        self._fighting = frozenset[str]()
        self._foes: dict[str, list[str]] = {}  # of each side, among those
        self._moved = set(self.members)  # those who may be in the fight, or out of it, other than before

    @property
    def encounter(self) -> Encounter:
        """The encounter that is running."""
        assert self.state.encounter is not None
        return self.state.encounter

    def strikes(self, who: str, foes: Iterable[str]) -> Iterator[Declaration]:
        """Return what somebody who can strike may do to strike each of these, in their order."""
        return chain.from_iterable(map(self.guide.strikes, repeat(who), foes, repeat(self.state)))

    def foes_of(self, who: str) -> Sequence[str]:
        """Return those of other sides who are still in the fight."""
        own, fighting = self.side_of.get(who, ""), self.fighting
        foes = self._foes.get(own)
        if foes is None:
            foes = [name for name in self.members if name in fighting and self.side_of[name] != own]
            self._foes[own] = foes
        return foes

    @property
    def fighting(self) -> frozenset[str]:
        """Those who are in the fight and not out of it; the same object as long as nothing has changed."""
        if self._moved:
            left = {who for who in self._moved if self.how_out(who)}
            fighting = (self._fighting - left) | (self._moved - left)
            if fighting != self._fighting:
                self._fighting, self._foes = fighting, {}
            self._moved.clear()
        return self._fighting

    def note(self, fact: Fact) -> None:
        """Note whom a fact, none of those of `AS_BEFORE`, may have brought into the fight, or out of it.

        Nobody is out for points while any are left, nor for those of another pool than that of the book's vital value.
        """
        if type(fact) is PointsLost or type(fact) is PointsSpent:
            if fact.now <= 0 and fact.pool == self.vital and fact.who in self.side_of:
                self._moved.add(fact.who)
        elif type(fact) not in OF_ONE:
            self._moved.update(self.members)
        elif (who := getattr(fact, "who", "")) in self.side_of:
            self._moved.add(who)

    def has_any_left(self, who: str) -> bool:
        """Return whether somebody has an action left; outside of turns nothing is counted."""
        return self.guide.has_any_left(who, self.state)

    def vital_of(self, who: str) -> tuple[int, int]:
        """Return the points of somebody's vital value, and the most that they may have."""
        pool = self.state.pools.get((who, self.vital))
        return (pool.points, pool.most or pool.points) if pool else (0, 0)

    def drawn(self, what: str, about: str, number: int = 0) -> float:
        """Return a number from 0 to below 1 for a choice about somebody: the run decides it, and the number of it."""
        return self.dice.share(f"{what}\n{about}", number)

    def is_first_this_turn(self, said: Declaration) -> bool:
        """Return whether a declaration was not tried in the turn that is on; from then on it was."""
        turn = self.encounter.round, self.encounter.phase, self.encounter.turn
        if turn != self._turn:
            self._turn, self._tried = turn, set()
        is_first = said not in self._tried
        self._tried.add(said)
        return is_first

    def how_out(self, who: str) -> str:
        """Return how somebody is out of the fight; empty for who is in it, or was when it ended."""
        state = self.state
        if has_condition(who, DEAD, state):
            return DEAD
        being = state.being(who)
        if being is None:
            return GONE
        if not self.guide.is_out(who, state):
            return "" if is_here(being, state) else GONE
        return OUT if is_present(being, state) and not self.guide.has_fled(who, state) else GONE

    def left_sides(self) -> list[str]:
        """Return the sides of which somebody is still in the fight."""
        fighting = self.fighting
        return list(dict.fromkeys([self.side_of[who] for who in self.members if who in fighting]))

    def say(self, said: Declaration) -> bool:
        """Decide a declaration and fold what follows; return whether it was allowed."""
        state, entry, projection = self.state, self.entry, self.ledger_state.projection
        mark, step = projection.mark(state), projection.step
        self.dice.begin_declaration()
        try:
            for fact in self.game.decide(said, state, self.dice):
                step(state, entry, fact)
                if type(fact) not in AS_BEFORE:
                    self.note(fact)
        except Refused:
            projection.roll_back(state, mark)
            return False
        self.entries += 1
        return True

    def play(self, key: bytes, rounds_most: int = ROUNDS_MOST, until: str = "") -> RunEnd:
        """Play to the end with the dice of a key, and roll the state back.

        `rounds_most` ends it earlier, and so does the fall of the one whom `until` names.
        """
        checkpoint = new_checkpoint(self.state)
        self.dice, self.entries, self.altered_strikes = FightDice(key), 0, 0
        self.last_struck, self._turn, self._spent_in = {}, None, -1
        begun_with = self.fighting
        fell: dict[str, int] = {}  # who is out, since which round of the run
        rounds, left = 0, [side for side, _ in self.sides]
        known: frozenset[str] | None = None
        try:
            self.state.is_read = False
            while self.entries < ENTRIES_MOST:
                encounter = self.state.encounter
                rounds = rounds if encounter is None else max(0, encounter.round - self.first_round)
                if (fighting := self.fighting) is not known:
                    fell = {who: fell.get(who, rounds + 1) for who in self.members if who not in fighting}
                    left, known = self.left_sides(), fighting
                if encounter is None or len(left) < 2 or rounds >= rounds_most or until in fell or not self.step():
                    break
            return RunEnd(
                rounds=min(rounds + 1, rounds_most),
                entries=self.entries,
                falls=tuple(
                    MemberFall(who, self.how_out(who), fell[who]) for who in sorted(fell, key=lambda who: fell[who])
                ),
                is_over=len(left) < 2 or self.state.encounter is None,
                winners=left[0] if len(left) == 1 else "",
                values=self.watched_values(),
                altered=self.altered_strikes,
            )
        finally:
            self.state.is_read = True
            self.return_to(checkpoint)
            self._fighting, self._foes = begun_with, {}
            self._moved.clear()

    def return_to(self, checkpoint: Checkpoint) -> None:
        """Undo all since a checkpoint of the state."""
        return_to(checkpoint, self.state)
        self._moved.update(self.members)

    def watched_values(self) -> tuple[int, ...]:
        """Return the watched values as they are now."""
        if not self.watched:
            return ()
        values = self.ledger_state.values()
        return tuple(value if isinstance(value := values.get(name), int) else 0 for name in self.watched)

    def step(self) -> bool:
        """Have happen what the book waits for next; return whether there was anything."""
        state = self.state
        steps: Iterable[NextTurn] = self.game.next_steps(state)
        if state.windows:  # what is open closes before somebody else acts
            turns = list(self.game.next_turns(state))
            steps = [*(step for step in steps if step not in turns), *turns]
        for turn in steps:
            if (turn.due and any(map(self.say, turn.due))) or any(map(self.act, turn.who)) or self.say(turn.passing):
                return True
        return False

    def act(self, who: str) -> bool:
        """Have somebody do the first thing of their policy that is not refused; return whether there was one."""
        if who not in self.fighting:
            return False
        for said in self.policy_of[who].acts(who, self):
            fields = self.guide.strike_fields(said)
            if fields is None:
                if self.say(said):
                    return True
            elif self.strike(said, struck := getattr(said, fields[1])):
                self.last_struck[who] = struck
                self.spend()
                return True
        return False

    def spend(self) -> None:
        """Have those whose rolls are open spend on them what their policies have; the game master once a round."""
        windows = self.state.windows
        for who in dict.fromkeys([window.who for window in windows.values()]) if windows else ():
            if who in self.policy_of and who != GM:
                any(map(self.say, self.policy_of[who].spends(who, self)))
        policy = self.policy_of.get(GM)
        if policy is None:
            return
        encounter = self.state.encounter
        if encounter is None or encounter.round == self._spent_in:
            return
        if any(map(self.say, policy.spends(GM, self))):
            self._spent_in = encounter.round

    def strike(self, said: Declaration, struck: str) -> bool:
        """Have a strike said, as a plan alters it and as the one who is struck meets it; return whether it was."""
        if self.alter is not None and (altered := self.alter(said)) != said and self.strike_as(altered, struck):
            self.altered_strikes += 1
            return True
        return self.strike_as(said, struck)

    def strike_as(self, said: Declaration, struck: str) -> bool:
        """Have this very strike said, with the first defence that is not refused, else with none."""
        policy = self.policy_of.get(struck)
        return (policy is not None and any(map(self.say, policy.defences(struck, said, self)))) or self.say(said)
