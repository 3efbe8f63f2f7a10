"""The policy `as we play`: what each character and each kind of foe has done in the fights of this ledger.

A habit is how often somebody said each strike or other act of a fight (with its weapon, Effort and other fields), whom
they struck, and at how few points they fled. Copies of a foe share theirs: `Watchman 1` does as `Watchman` does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

from cli.forecast.fight import Fight
from cli.forecast.policies import POLICIES, weakest_first
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.facts import GM, EntryId, Fact, Rolled, TokensMoved
from ledger.game import decoder
from ledger.ledger_state import initial_state
from ledger.names import name_of_copies
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go, decode, find_window
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sides import is_here

AS_WE_PLAY: Final = "as we play"
POLICY_NAMES: Final = (*POLICIES, AS_WE_PLAY)
SAME, WEAKEST, OTHER = "same", "weakest", "other"
NO_ACTS: Final[tuple[type[Declaration], ...]] = (*BUILTIN, Adjust, Announce, SetOption)
T = TypeVar("T")
Counts = tuple[tuple[T, int], ...]


class HabitualAct(msgspec.Struct, frozen=True):
    """A declaration without the names of who acts and who is struck; `struck` is empty for what strikes nobody."""

    said: Declaration
    actor: str  # the field that names them
    struck: str

    def by(self, who: str, foe: str = "") -> Declaration:
        """Return the declaration, said of `who` and, if it is a strike, at a foe."""
        named = {self.actor: who, self.struck: foe} if self.struck else {self.actor: who}
        return msgspec.structs.replace(self.said, **named)


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody was seen to do in fights.

    Attributes:
        acts: how often each act was said.
        defences: what they chose in the defence field of a strike at them; and how often.
        aims: whom they struck where there was a choice: the `same` as before, the `weakest`, or another; and how often.
        flees_at: the share of their points, in hundredths, at which they left a fight; 0: they never did.
        spends: what they spent on rolls of their own that were open, and how often; the game master, on anything.
        rolls: how many such rolls there were, or rounds of fights for the game master.
        fled: how many fights they left.
        stayed: how many they stayed in with so few points.
    """

    acts: Counts[HabitualAct] = ()
    defences: Counts[Any] = ()
    aims: Counts[str] = ()
    spends: Counts[HabitualAct] = ()
    rolls: int = 0
    flees_at: int = 0
    fled: int = 0
    stayed: int = 0


class AsWePlay(msgspec.Struct, frozen=True, kw_only=True):
    """The policy of all, from the habits of those who are known; who is new does as all of their kind do.

    `broken_off`: the rounds in which fights were broken off while several sides stood, how many were in each, and how
    many fights had come so far. `tokens`: the names of those that were spent on rolls.
    """

    habits: Mapping[str, Habit]
    tokens: tuple[str, ...] = ()
    broken_off: tuple[tuple[int, int, int], ...] = ()

    def last_round(self, first: int, chance: float) -> int | None:
        """Return the round in which a fight that is in its round `first` is broken off; None if it is fought out.

        `chance`: from 0 to below 1. To the fights of the ledger one is added that was fought out: so few say little.
        """
        for number, ended, reached in self.broken_off:
            part = ended / (reached + 1) if number >= first else 0.0
            if chance < part:
                return number
            chance = (chance - part) / (1 - part)
        return None

    def habit(self, who: str, fight: Fight) -> Habit:
        """Return the habit of somebody."""
        name = habit_name(who, self.habits, fight.state)
        return NO_HABIT if name is None else self.habits[name]

    def acts(self, who: str, fight: Fight) -> Iterator[Declaration]:
        """Yield perhaps a flight, then an act drawn from the habit, then strikes as the book has them."""
        if not fight.has_any_left(who):
            return
        habit = self.habit(who, fight)
        points, most = fight.vital_of(who)
        is_low = habit.fled > 0 < most and 100 * points <= habit.flees_at * most
        if is_low and fight.drawn("leave", who) * (habit.fled + habit.stayed) < habit.fled:
            yield fight.guide.flight(who, fight.state)
        foes, can_strike = ordered(who, habit, fight), fight.guide.can_strike(who, fight.state)
        if habit.acts and foes:
            act = weighted(habit.acts, fight.drawn("act", who, fight.entries))
            if act.struck and can_strike:
                yield from (act.by(who, foe) for foe in foes)
            elif not act.struck and fight.is_first_this_turn(said := act.by(who)):
                yield said
        if can_strike:
            yield from fight.strikes(who, foes)

    def defences(self, who: str, said: Declaration, fight: Fight) -> Iterator[Declaration]:
        """Yield a strike at `who` with a defence drawn from the habit; where none is known, with those of the book."""
        field, known = fight.guide.defence_field, self.habit(who, fight).defences
        if not known:
            yield from fight.guide.defended(said, fight.state)
        elif hasattr(said, field):
            chosen = weighted(known, fight.drawn("answer", who, fight.entries))
            yield msgspec.structs.replace(said, **{field: with_name(chosen, who)})

    def spends(self, who: str, fight: Fight) -> Iterator[Declaration]:
        """Yield what somebody spends on an open roll of theirs, in that share of the rolls in which they did.

        The game master spends in that share of rounds.
        """
        habit = self.habit(who, fight)
        moment = fight.encounter.round if who == GM else fight.entries
        if habit.spends and fight.drawn("spend", who, moment) * habit.rolls < sum(dict(habit.spends).values()):
            yield weighted(habit.spends, fight.drawn("what", who, moment)).by(who)


NO_HABIT: Final = Habit()


def ordered(who: str, habit: Habit, fight: Fight) -> Sequence[str]:
    """Return the foes, those first whom somebody would strike by habit."""
    foes = list(weakest_first(who, fight.foes_of(who), fight))
    if not habit.aims or len(foes) < 2:
        return foes
    aim, last = weighted(habit.aims, fight.drawn("whom", who, fight.entries)), fight.last_struck.get(who)
    if aim == SAME and last in foes:
        return [last, *(foe for foe in foes if foe != last)]
    if aim == OTHER:
        foes.sort(key=lambda foe: fight.drawn("other", f"{who} {foe}", fight.entries))
    return foes


def weighted(counts: Counts[T], share: float) -> T:
    """Return what stands at a share, from 0 to below 1, of all counts."""
    left = share * sum(number for _, number in counts)
    for what, number in counts:
        left -= number
        if left < 0:
            return what
    return counts[-1][0]


def habit_name(who: str, known: Mapping[str, Habit], state: State) -> str | None:
    """Return whose habit somebody has: the own, else that of all of their kind; None where none is known."""
    return next((name for name in kinds_of(who, state) if name in known), None)


def kinds_of(who: str, state: State) -> tuple[str, str]:
    """Return under which names somebody is counted: the own, and all of their kind."""
    return name_of_copies(who), f"every {state.kind(who)}"


def learn_habits(store: ReadableStore, game: Game, upto: EntryId | None = None) -> AsWePlay:
    """Return the policy of a ledger up to an entry, from the takes that count.

    Of a deed that the players do not see whole nothing is learnt from what they see.
    """
    state, student = initial_state(StateProjection()), Student(game)
    for take in latest_takes(store.takes(upto=upto)):
        if state.state.encounter is not None and take.declared is not None:
            with suppress(msgspec.ValidationError):
                student.watch(student.read.decode(take.declared.said), state.state, take.facts)
        state.fold(take)
        student.look(state.state)
    return student.policy()


class Student:
    """Counts what is done in fights."""

    def __init__(self, game: Game) -> None:
        self.game, self.guide = game, game.guide
        self.read = decoder(game, BUILTIN)
        self.acts: defaultdict[str, Counter[HabitualAct]] = defaultdict(Counter)
        self.defences: defaultdict[str, Counter[Any]] = defaultdict(Counter)
        self.aims: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.spends: defaultdict[str, Counter[HabitualAct]] = defaultdict(Counter)
        self.rolls: Counter[str] = Counter()  # in fights
        self.open = set[tuple[str, EntryId]]()  # the windows of the state before
        self.tokens = set[str]()
        self.fled: defaultdict[str, list[int]] = defaultdict(list)  # the shares of their points, in hundredths
        self.stayed: defaultdict[str, list[int]] = defaultdict(list)  # the least share in each fight of who stayed
        self.least: dict[str, int] = {}  # in the fight that is on
        self.last: dict[str, str] = {}  # whom somebody struck last
        self.encounter = ""
        self.round = 0  # of the fight that is on
        self.standing: list[list[str]] = []  # who can fight in it, of each side
        self.ended: list[tuple[int, bool]] = []  # the last round of each fight, and whether it was broken off

    def watch(self, said: Declaration, state: State, facts: Sequence[Fact] = ()) -> None:
        """Count a declaration of a fight; `state` is the one before it, and `facts` are what it did.

        What is announced counts when it is thrown.
        """
        if isinstance(said, Go) and (window := find_window(state)) is not None and not said.withdraw:
            said = self.read.decode(decode(window).what)
        fields = self.guide.strike_fields(said)
        if fields is not None:
            actor, struck = (str(getattr(said, field)) for field in fields)
            if state.being(actor) is None or state.being(struck) is None:
                return
            self.note_aim(actor, struck, state)
            field = self.guide.defence_field
            if hasattr(said, field):
                for kind in kinds_of(struck, state):
                    self.defences[kind][without_name(getattr(said, field), struck)] += 1
                said = msgspec.structs.replace(said, **{field: type(getattr(said, field))()})
            self.count(actor, HabitualAct(msgspec.structs.replace(said, **dict.fromkeys(fields, "")), *fields), state)
            return
        self.watch_flight(said, state)
        if said.aside and not isinstance(said, NO_ACTS):
            self.watch_game_master(said, facts)
        is_act = not (isinstance(said, NO_ACTS) or said.lets_go or said.answers or said.aside)
        if is_act and any(window.who == said.by for window in state.windows.values()):
            self.watch_spending(said, state, facts)
            return
        passing = {type(turn.passing) for turn in self.game.next_turns(state)}
        if is_act and said.by in self.guide.next_up(state) and type(said) not in passing:
            self.count(said.by, HabitualAct(msgspec.structs.replace(said, by=""), "by", ""), state)

    def watch_spending(self, said: Declaration, state: State, facts: Sequence[Fact]) -> None:
        """Count what somebody does about a roll of their own that is open, if it costs them tokens."""
        spent = tokens_spent(said.by, facts)
        for kind in kinds_of(said.by, state) if spent else ():
            self.spends[kind][HabitualAct(msgspec.structs.replace(said, by=""), "by", "")] += 1
        self.tokens |= spent

    def watch_game_master(self, said: Declaration, facts: Sequence[Fact]) -> None:
        """Count what the game master spends tokens on. What dice take is not spent."""
        if (spent := tokens_spent(GM, facts)) and not any(isinstance(each, Rolled) for each in facts):
            self.spends[GM][HabitualAct(msgspec.structs.replace(said, by=""), "by", "")] += 1
            self.tokens |= spent

    def count(self, who: str, act: HabitualAct, state: State) -> None:
        """Count an act of somebody, and of all of their kind."""
        for kind in kinds_of(who, state):
            self.acts[kind][act] += 1

    def note_aim(self, who: str, struck: str, state: State) -> None:
        """Count whom somebody struck, if several could be."""
        sides = state.encounter.sides if state.encounter else ()
        foes = [name for _, members in sides if who not in members for name in members if self.stands(name, state)]
        if len(foes) > 1:
            hardiness = {foe: self.guide.hardiness(foe, state) for foe in foes}
            least = min(hardiness.values())
            is_weakest = self.guide.hardiness(struck, state) == least < max(hardiness.values())
            aim = SAME if self.last.get(who) == struck else WEAKEST if is_weakest else OTHER
            for kind in kinds_of(who, state):
                self.aims[kind][aim] += 1
        self.last[who] = struck

    def watch_flight(self, said: Declaration, state: State) -> None:
        """Note who leaves a fight with a declaration, and with which share of their points."""
        who = str(getattr(said, "who", said.by))
        if state.being(who) is not None and type(said) is type(self.guide.flight(who, state)):
            share = self.share(who, state)
            for kind in kinds_of(who, state):
                self.fled[kind].append(share)
            self.least.pop(who, None)

    def share(self, who: str, state: State) -> int:
        """Return the share of somebody's points that are left, in hundredths."""
        pool = state.pools.get((who, self.game.vital))
        return 100 * pool.points // pool.most if pool and pool.most else 100

    def look(self, state: State) -> None:
        """Note how few points everybody has in the fight that is on; count those who stayed when it is over."""
        encounter = state.encounter
        name = encounter.id if encounter else ""
        if encounter is not None and (name, max(encounter.round, 1)) != (self.encounter, self.round):
            self.rolls[GM] += 1
        if name != self.encounter:
            for who, share in self.least.items():
                for kind in kinds_of(who, state):
                    self.stayed[kind].append(share)
            if self.encounter:
                left = [side for side in self.standing if any(not self.has_gone(who, state) for who in side)]
                self.ended.append((self.round, len(left) > 1))
            self.least, self.last, self.encounter = {}, {}, name
        before, self.open = self.open, {(name, window.opened) for name, window in state.windows.items()}
        if encounter is None:
            return
        for name, _ in self.open - before:
            self.rolls.update(kinds_of(state.windows[name].who, state))
        for who in encounter.members:
            if not self.guide.is_out(who, state):
                self.least[who] = min(self.least.get(who, 100), self.share(who, state))
        self.round = max(encounter.round, 1)
        self.standing = [[who for who in members if self.stands(who, state)] for _, members in encounter.sides]

    def stands(self, who: str, state: State) -> bool:
        """Return whether somebody is here and can fight."""
        being = state.being(who)
        return being is not None and is_here(being, state) and not self.guide.is_out(who, state)

    def has_gone(self, who: str, state: State) -> bool:
        """Return whether somebody has fled, or is out, as the last of a side with the very line that ends the fight."""
        return self.guide.is_out(who, state) or self.guide.has_fled(who, state)

    def policy(self) -> AsWePlay:
        """Return the policy of all that was counted."""
        lasts = sorted({number for number, is_broken_off in self.ended if is_broken_off})
        return AsWePlay(
            habits={kind: self.habit(kind) for kind in sorted({*self.acts, *self.defences, *self.fled, *self.spends})},
            tokens=tuple(sorted(self.tokens)),
            broken_off=tuple(
                (last, self.ended.count((last, True)), sum(number >= last for number, _ in self.ended))
                for last in lasts
            ),
        )

    def habit(self, kind: str) -> Habit:
        """Return the habit of a character, of a kind of foe, or of all of a kind of beings."""
        fled = self.fled.get(kind, [])
        flees_at = max(fled, default=0)
        return Habit(
            acts=tuple(self.acts[kind].most_common()),
            defences=tuple(self.defences[kind].most_common()),
            aims=tuple(self.aims[kind].most_common()),
            spends=tuple(self.spends[kind].most_common()),
            rolls=self.rolls[kind],
            flees_at=flees_at,
            fled=len(fled),
            stayed=sum(share <= flees_at for share in self.stayed.get(kind, [])),
        )


def tokens_spent(who: str, facts: Sequence[Fact]) -> set[str]:
    """Return the tokens that somebody has fewer of after these facts."""
    return {each.token for each in facts if isinstance(each, TokensMoved) and each.who == who and each.change < 0}


def without_name(chosen: Any, who: str) -> Any:
    """Return what stands in a defence field without the name of who is struck, and without the answers of others."""
    if not isinstance(chosen, tuple):
        return chosen
    return tuple(msgspec.structs.replace(item, who="") for item in chosen if item.who == who)


def with_name(chosen: Any, who: str) -> Any:
    """Return a habit of defence as it stands in the defence field of a strike at somebody."""
    return tuple(msgspec.structs.replace(item, who=who) for item in chosen) if isinstance(chosen, tuple) else chosen
