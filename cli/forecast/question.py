"""A forecast that is asked for: its plan, the plan it is compared with, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.forecast.choices import named_policy, parse_choice, players_of
from cli.forecast.fight import Fight, RunEnd
from cli.forecast.forecaster import Forecaster, summarize, what_matters, widest
from cli.forecast.habits import AS_WE_PLAY, AsWePlay, habit_name
from cli.forecast.runs import FightPlan, open_fight
from cli.forecast.tally import Difference, Forecast, difference
from cli.questions.edits import parse_reading
from cli.questions.state_at import find_being_in_play
from ledger.errors import InputError
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from ledger.names import escape, name_key, name_of_copies, word_list
from projections.state import State
from rulebooks.common.game import Game

FALLS: Final = " falls"


class ForecastAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, as the options of the command say it: `within` is in per cent, `choices` and `vs` are typed."""

    runs: int
    rounds: int
    policy: str
    key: str
    at: str | None = None
    begin: str | None = None
    within: float | None = None
    until: str | None = None
    choices: tuple[str, ...] = ()
    vs: str | None = None
    options: tuple[str, ...] = ()

    @property
    def compared(self) -> str:
        """What the plan is compared with; empty for nothing."""
        return self.vs or ", ".join(self.options)


class PlanComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two plans over the same runs, and how far the second moves how often somebody of the players falls."""

    first: Forecast
    second: Forecast
    moved: Difference
    is_idle: bool  # no strike of the second could be made as it says


class ForecastQuestion:
    """What is asked of a state in which a fight is on. `habits`: those of the ledger up to it."""

    def __init__(self, asked: ForecastAsked, habits: AsWePlay, state: LedgerState[State], book: Game) -> None:
        """Raises InputError for a choice, an option or a name that cannot be read."""
        self.asked = asked
        self.habits = habits
        fight = Fight(book, state, {})
        watched = [f"{name_key(who)}.{book.vital}" for who in fight.members]
        watched += [f"{name_key(who)}.{pool}" for who, pool in sorted(state.state.pools) if who in players_of(fight)]
        watched += [f"{name_key(who)}.{token}" for who, token in sorted(state.state.tokens)]
        values = state.values()
        plan = FightPlan(
            game=book.name,
            packed=state.pack(),
            last=state.last,
            policies={
                **{who: named_policy(asked.policy, who, fight, habits) for who in fight.members},
                **({GM: habits} if asked.policy == AS_WE_PLAY and GM in habits.habits else {}),
            },
            watched=tuple(name for name in dict.fromkeys(watched) if name in values),
            key=asked.key,
            rounds_most=asked.rounds,
            until=until_whom(asked.until, fight),
            habits=habits if asked.policy == AS_WE_PLAY and habits.broken_off else None,
        )
        for text in asked.choices:
            plan = parse_choice(text, plan, fight, self.habits)
        self.plan, self.fight = plan, open_fight(plan)
        self.other = self._other_plan()

    def _other_plan(self) -> FightPlan | None:
        """Return the plan to compare with; None if none is asked for."""
        if self.asked.vs:
            return parse_choice(self.asked.vs, self.plan, self.fight, self.habits)
        if not self.asked.options:
            return None
        state = open_fight(self.plan).ledger_state
        suppose(self.asked.options, state, self.fight.game)
        return msgspec.structs.replace(self.plan, packed=state.pack())

    def forecast(self, forecaster: Forecaster) -> Forecast:
        """Return the forecast of the plan, with what matters most. Raises InputError if it is interrupted at once."""
        ends = self._results(forecaster)
        summary = self.summary(self.plan, "", ends, forecaster)
        if forecaster.stopped:
            return summary
        differences = what_matters(forecaster, self.plan, ends, players_of(self.fight))
        return msgspec.structs.replace(summary, differences=differences)

    def compare(self, forecaster: Forecaster) -> PlanComparison | None:
        """Return the plan and the other over the same runs; None if there is no other."""
        if self.other is None:
            return None
        before = self._results(forecaster)
        after = forecaster.runs(self.other, len(before))
        if not after:
            raise InputError("stopped before a fight of the other plan was over", hint="Give it more time.")
        before = before[: len(after)]
        return PlanComparison(
            first=self.summary(self.plan, "", before, forecaster),
            second=self.summary(self.other, self.asked.compared, after, forecaster),
            moved=difference(self.asked.compared, before, after, players_of(self.fight)),
            is_idle=len(self.other.alterations) > len(self.plan.alterations) and not any(end.altered for end in after),
        )

    def _results(self, forecaster: Forecaster) -> list[RunEnd]:
        """Return how the runs of the plan ended."""
        within = self.asked.within
        ends = forecaster.runs(
            self.plan, self.asked.runs, lambda ends: within is not None and widest(self.plan, ends) <= within / 100
        )
        if not ends:
            raise InputError("stopped before a fight was over", hint="Give it more time.")
        return ends

    def summary(self, plan: FightPlan, name: str, ends: list[RunEnd], forecaster: Forecaster) -> Forecast:
        """Return what these runs add up to."""
        fight = self.fight if plan is self.plan else open_fight(plan)
        return summarize(plan, fight, ends, name=name, policy=self._policy_text(), stopped=forecaster.stopped)

    def _policy_text(self) -> str:
        """Return what is supposed of everybody, in words, with what nobody ever does."""
        is_ours = self.asked.policy == AS_WE_PLAY
        notes = list(self._notes_on_habits()) if is_ours else []
        spent = self.habits.tokens if is_ours else ()
        if saved := sorted({token for _, token in self.fight.state.tokens}.difference(spent)):
            notes.append(f"nobody spends {word_list(saved)}")
        told = f" ({'; '.join(notes)})" if notes else ""
        return "; ".join([self.asked.policy + told, *self.asked.choices])

    def _notes_on_habits(self) -> Iterator[str]:
        """Yield who has no habits yet, and whether fights are broken off."""
        known = self.habits.habits
        strangers = (who for who in self.fight.members if habit_name(who, known, self.fight.state) is None)
        if new := dict.fromkeys(map(name_of_copies, strangers)):
            yield f"no fight is known of {', '.join(new)}: they strike the weakest"
        if self.plan.habits is not None:
            yield "this table has broken fights off"


def suppose(options: Sequence[str], state: LedgerState[State], book: Game) -> None:
    """Set readings of the book, each as `light_wound_cost=per_use`. Raises InputError for one that it does not have."""
    for text in options:
        state.step(state.last, parse_reading(book, state.state, text))


def until_whom(text: str | None, fight: Fight) -> str:
    """Return whose fall ends a run: `kess falls`, or the name alone. Raises InputError for anybody else."""
    if text is None:
        return ""
    who = find_being_in_play(fight.state, text.strip().casefold().removesuffix(FALLS).strip()).name
    if who not in fight.members:
        raise InputError(f"{escape(who)} is not in the fight", where="--until")
    return who
