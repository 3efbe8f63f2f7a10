"""A forecast: runs in parts on any `concurrent.futures.Executor`, until they are enough, and what matters most."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from itertools import islice
from math import inf
from typing import Final

import msgspec

from cli.forecast.fight import Fight, Policy, RunEnd
from cli.forecast.policies import ORDERS, new_policy
from cli.forecast.runs import Alteration, FightPlan, is_bounded, open_fight, play_runs
from cli.forecast.tally import Difference, Forecast, any_falls, difference, outlook, share, spread_of
from ledger.ledger_state import BEFORE_FIRST

PART: Final = 25  # runs that one task plays
AHEAD: Final = 2  # tasks for each worker that are begun before they are asked for
TRIED: Final = 20  # runs of each plan that might matter
CHOSEN: Final = 3  # plans that are played on
COMPARED: Final = 100  # runs of each of these


class Forecaster:
    """Plays plans. `workers`: how many tasks of the executor run at once; without one, all is played here.

    `count` is how many runs were played so far, for a sign of life. Once interrupted (KeyboardInterrupt), or after so
    many `seconds` of a clock, it plays no more and keeps what it has: `stopped` is true.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        workers: int = 1,
        seconds: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.executor, self.workers = executor, workers
        self.count, self.stopped = 0, False
        self._clock, self._ends_at = clock, clock() + seconds

    def runs(
        self, plan: FightPlan, most: int, are_enough: Callable[[Sequence[RunEnd]], bool] | None = None
    ) -> list[RunEnd]:
        """Return how the runs of a plan ended: `most` of them, or fewer once `are_enough` says so."""
        ends = list[RunEnd]()
        for _, part in self._results([(plan, *part) for part in parts(most)]):
            ends += part
            if are_enough is not None and are_enough(ends):
                break
        return ends

    def runs_of_each(self, plans: Sequence[FightPlan], count: int) -> list[list[RunEnd]]:
        """Return how so many runs of each plan ended; fewer plans, if it was interrupted."""
        ends: list[list[RunEnd]] = [[] for _ in plans]
        tasks = [(plan, *part) for plan in plans for part in parts(count)]
        places = [place for place in range(len(plans)) for _ in parts(count)]
        for number, part in self._results(tasks):
            ends[places[number]] += part
        return [each for each in ends if len(each) == count]

    def _results(self, tasks: Sequence[tuple[FightPlan, int, int]]) -> Iterator[tuple[int, list[RunEnd]]]:
        """Yield the ends of each task, with its number, in their order."""
        begun = deque[Future[list[RunEnd]]]()
        waiting = iter(tasks)
        if self.stopped:
            return
        try:
            for number, task in enumerate(tasks):
                if self.count and self._clock() >= self._ends_at:
                    self.stopped = True
                    return
                if self.executor is None:
                    part = play_runs(*task)
                else:
                    for following in islice(waiting, AHEAD * self.workers - len(begun)):
                        begun.append(self.executor.submit(play_runs, *following))
                    part = begun.popleft().result()
                self.count += len(part)
                yield number, part
        except KeyboardInterrupt:
            self.stopped = True
        finally:
            for future in begun:
                future.cancel()


def parts(count: int) -> list[tuple[int, int]]:
    """Return the runs of each task: its first, and how many."""
    return [(first, min(PART, count - first)) for first in range(0, count, PART)]


def widest(plan: FightPlan, ends: Sequence[RunEnd]) -> float:
    """Return half the width of the widest interval of all who may fall."""
    return max(share(sum(any_falls(end, [who]) for end in ends), len(ends)).width for who in plan.policies)


def summarize(
    plan: FightPlan, fight: Fight, ends: Sequence[RunEnd], *, name: str, policy: str, stopped: bool = False
) -> Forecast:
    """Return what the runs of a plan add up to; `name` says which plan it is, and `policy` what all do."""
    now = fight.watched_values()
    unended = [end.rounds for end in ends if is_bounded(end, plan.until) and not end.broken_off]
    return Forecast(
        plan=name,
        policy=policy,
        stopped=stopped,
        key=plan.key,
        runs=len(ends),
        at="" if plan.last == BEFORE_FIRST else str(plan.last),
        until=plan.until,
        round=fight.first_round,
        rounds=spread_of("rounds", fight.first_round, (end.rounds for end in ends)),
        is_idle=bool(plan.alterations) and not any(end.altered for end in ends),
        unended=share(len(unended), len(ends)),
        broken_off=share(sum(end.broken_off for end in ends), len(ends)),
        bound=min(unended, default=plan.rounds_most),
        wins=tuple((side, share(sum(end.winners == side for end in ends), len(ends))) for side, _ in fight.sides),
        outlooks=tuple(outlook(who, side, ends) for side, members in fight.sides for who in members),
        values=tuple(
            spread_of(value, now[place], (end.values[place] for end in ends))
            for place, value in enumerate(plan.watched)
        ),
    )


def plans_that_might_matter(plan: FightPlan, fight: Fight) -> Iterator[tuple[str, FightPlan]]:
    """Yield each plan that differs in one choice: whom a side strikes, who flees in time, at which level one strikes.

    Each with how it is said.
    """
    for side, members in fight.sides:
        for order in ORDERS:
            policies: Mapping[str, Policy] = {who: new_policy(order, fight.vital_of(who)[1]) for who in members}
            changed = {**plan.policies, **policies}
            if changed != plan.policies:
                yield f"{side}: {order}", msgspec.structs.replace(plan, policies=changed)
    for who in fight.members:
        foe = next(iter(fight.foes_of(who)), None)
        if foe is None or fight.state.kind(who) != "pc":
            continue
        strike = next(iter(fight.guide.strikes(who, foe, fight.state)), None)
        levels = [level for level, _ in fight.guide.levels(strike, fight.state)] if strike is not None else []
        for level in levels if len(levels) > 1 else ():
            yield (
                f"{who}: {level}",
                msgspec.structs.replace(plan, alterations=(*plan.alterations, Alteration(who=(who,), level=level))),
            )


def what_matters(
    forecaster: Forecaster, plan: FightPlan, ends: Sequence[RunEnd], whose: Sequence[str]
) -> tuple[Difference, ...]:
    """Return the plans whose one choice moves furthest how often one of these falls, the furthest first.

    All are played a little with the runs that the forecast had, and those that move it most are played on.
    """
    plans = dict(plans_that_might_matter(plan, open_fight(plan)))
    tried = differences(forecaster, plans, ends[:TRIED], whose)
    chosen = sorted(tried, key=lambda each: -abs(each.change))[:CHOSEN]
    found = differences(forecaster, {each.plan: plans[each.plan] for each in chosen}, ends[:COMPARED], whose)
    return tuple(sorted(filter(Difference.is_told, found), key=lambda each: -abs(each.change)))


def differences(
    forecaster: Forecaster, plans: Mapping[str, FightPlan], ends: Sequence[RunEnd], whose: Sequence[str]
) -> list[Difference]:
    """Return how far each plan moves how often one of these falls; none once it was interrupted."""
    found = forecaster.runs_of_each(list(plans.values()), len(ends))
    return [difference(name, ends, each, whose) for name, each in zip(plans, found, strict=False)]
