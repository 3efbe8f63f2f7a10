"""Prepare an encounter: how many of which foes bring a wanted risk, found by forecasts of the fights with them.

The search goes along a few ways to make a fight harder: more of one foe, more of one beside one of each other, more
of all. On each way it doubles the number until the risk is above the wanted one, then halves the gap. All fights are
played with the same dice, so the risk grows with the number as far as it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.forecast.begin import begin_as_said, begin_plainly, check_fight, join, no_fights
from cli.forecast.choices import players_of
from cli.forecast.fight import RunEnd
from cli.forecast.forecaster import Forecaster
from cli.forecast.habits import AsWePlay
from cli.forecast.question import ForecastAsked, ForecastQuestion, suppose
from cli.forecast.tally import Forecast, Frequency, Spread, any_falls, share
from ledger.declarations import Declaration
from ledger.errors import InputError
from ledger.ledger_state import LedgerState
from ledger.names import escape, name_key
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD, is_present

PROPOSED_MOST: Final = 5
Counts = tuple[int, ...]
Foes = tuple[tuple[str, int], ...]


class EncounterAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted: the chance, from 0 to 1, that somebody of the players falls, or dies; and the most foes in all.

    `forecast` says how each fight is played, and `options` by which other readings of the book.
    """

    risk: float
    dies: bool
    budget: int
    forecast: ForecastAsked
    options: tuple[str, ...] = ()


class FoeSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of foes: how the command names it, its name, and the declarations of as many as there may be."""

    file: str
    name: str
    copies: tuple[Declaration, ...]
    numbered: bool  # its copies have numbers

    def argument(self, count: int) -> str:
        """Return what stands behind `campaign cast` to bring so many."""
        return f"{self.file}*{count}" if self.numbered else self.file


class Trial(msgspec.Struct, kw_only=True):
    """A fight against so many of each foe, and what came of it; `begin` is the line that begins it."""

    counts: Counts
    begin: str
    question: ForecastQuestion
    ends: list[RunEnd] = []
    risk: Frequency = share(0, 0)


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """So many of each foe, by name; the risk; the step that is next to it; the sheets to cast, the line, the forecast.

    `costs`: the values of the players that are others at the end of half of the fights.
    """

    foes: Foes
    risk: Frequency
    beside: tuple[tuple[Foes, Frequency], ...]
    cast: tuple[str, ...]
    begin: str
    forecast: Forecast
    costs: tuple[Spread, ...]


class EncounterSearch:
    """Looks for numbers of foes that bring a risk, from a state without a fight."""

    def __init__(
        self,
        asked: EncounterAsked,
        habits: AsWePlay,
        state: LedgerState[State],
        book: Game,
        *,
        friends: Sequence[Declaration],
        foes: Sequence[FoeSheet],
    ) -> None:
        """`friends` join in any case. Raises InputError while a fight is on, and if nobody could fight."""
        if state.state.encounter is not None:
            hint = "Name a moment before it (--at 2.5), or forecast it: campaign forecast."
            raise InputError("a fight is on here already", hint=hint)
        if book.guide.fight(()) is None:
            raise no_fights(book)
        self.asked, self.habits, self.state, self.book, self.foes = asked, habits, state, book, foes
        suppose(asked.options, state, book)
        join(state, book, friends)
        joined = {str(getattr(sheet, "name", "")) for sheet in friends}
        self.party = [
            being.name
            for being in state.state.beings_in_order()
            if is_present(being, state.state)
            and (being.kind == "pc" or being.name in joined)
            and not book.guide.is_out(being.name, state.state)
        ]
        if not any(state.state.kind(who) == "pc" for who in self.party):
            raise InputError("no character is here who can fight", hint="Cast some, or name sheets: --with cast")

    def trial(self, counts: Counts) -> Trial:
        """Return the fight against so many of each foe, not played yet. Raises InputError if it cannot begin."""
        mark = self.state.mark()
        try:
            sheets = [sheet for foe, count in zip(self.foes, counts, strict=True) for sheet in foe.copies[:count]]
            join(self.state, self.book, sheets)
            self._check_foes(sheets)
            begin = self._begin([*self.party, *(str(getattr(sheet, "name", "")) for sheet in sheets)])
            check_fight(self.state.state, self.book)
            question = ForecastQuestion(self.asked.forecast, self.habits, self.state.copy(), self.book)
        finally:
            self.state.roll_back(mark)
        return Trial(counts=counts, begin=begin, question=question)

    def _check_foes(self, sheets: Sequence[Declaration]) -> None:
        """Raise InputError for a sheet of somebody who is no foe."""
        state = self.state.state
        friends = {state.side(who) for who in self.party if state.kind(who) == "pc"}
        for name in (str(getattr(sheet, "name", "")) for sheet in sheets):
            being = state.being(name)
            if being is None or not is_present(being, state) or being.side in friends:
                hint = "Who is there in any case joins with --with SHEET."
                raise InputError(f"{escape(name)} is nobody whom the players fight", where="--foe", hint=hint)

    def _begin(self, who: Sequence[str]) -> str:
        """Begin the fight of these, and return the line: the plainest that brings in all of them and nobody else."""
        if self.asked.forecast.begin is not None:
            begin_as_said(self.state, self.book, self.asked.forecast.begin)
            return self.asked.forecast.begin
        mark = self.state.mark()
        line = begin_plainly(self.state, self.book)
        encounter = self.state.state.encounter
        if encounter is not None and set(encounter.members) == set(who):
            return line
        self.state.roll_back(mark)
        return begin_plainly(self.state, self.book, who)


def propose(search: EncounterSearch, forecaster: Forecaster) -> list[Proposal]:
    """Return the best numbers of each way to make the fight harder, the nearest to the wanted risk first.

    Those that were found, once the forecaster is interrupted.
    """
    trials = dict[Counts, Trial]()
    found = dict[Counts, Proposal]()
    wanted = search.asked.risk
    for way in ways([len(foe.copies) for foe in search.foes], search.asked.budget):
        best = sorted(bracket(way, search, forecaster, trials), key=lambda trial: abs(trial.risk.part - wanted))
        if best:
            found.setdefault(best[0].counts, _proposal(best, search, forecaster))
        if forecaster.stopped:
            break
    return sorted(found.values(), key=lambda each: abs(each.risk.part - wanted))[:PROPOSED_MOST]


def ways(most: Sequence[int], budget: int) -> Iterator[list[Counts]]:
    """Yield each way to make a fight harder: the counts of each foe, step by step."""
    kinds = range(len(most))
    for one in kinds:
        yield [tuple(size if kind == one else 0 for kind in kinds) for size in range(1, min(most[one], budget) + 1)]
    if len(most) < 2:
        return
    for one in kinds:
        steps = range(1, min(most[one], budget - len(most) + 1) + 1)
        yield [tuple(size if kind == one else 1 for kind in kinds) for size in steps]
    yield [(size,) * len(most) for size in range(1, min(*most, budget // len(most)) + 1)]


def bracket(
    way: Sequence[Counts], search: EncounterSearch, forecaster: Forecaster, trials: dict[Counts, Trial]
) -> list[Trial]:
    """Return the last trial of a way with at most the wanted risk, and the first with more, where there are such.

    `trials`: those that were played, by their counts.
    """
    low, high = 0, len(way) + 1
    while high - low > 1 and not forecaster.stopped:
        step = min(low * 2 or 1, len(way)) if high > len(way) else (low + high) // 2
        counts = way[step - 1]
        if counts not in trials:
            trial = search.trial(counts)
            play(trial, search.asked, forecaster)
            if not trial.ends:
                break
            trials[counts] = trial
        low, high = (step, high) if trials[counts].risk.part <= search.asked.risk else (low, step)
    return [trials[way[step - 1]] for step in (low, high) if 1 <= step <= len(way) and way[step - 1] in trials]


def play(trial: Trial, asked: EncounterAsked, forecaster: Forecaster) -> None:
    """Play a trial until its interval leaves out the wanted risk, or as often as was asked."""
    players = players_of(trial.question.fight)

    def risk(ends: Sequence[RunEnd]) -> Frequency:
        dead = (any(fall.who in players and fall.how == DEAD for fall in end.falls) for end in ends)
        return share(sum(dead) if asked.dies else sum(any_falls(end, players) for end in ends), len(ends))

    def is_decided(ends: Sequence[RunEnd]) -> bool:
        known = risk(ends)
        return not known.low <= asked.risk <= known.high

    trial.ends = forecaster.runs(trial.question.plan, asked.forecast.runs, is_decided)
    trial.risk = risk(trial.ends)


def _proposal(best: Sequence[Trial], search: EncounterSearch, forecaster: Forecaster) -> Proposal:
    """Return the first of these trials as a proposal, with the other beside it."""
    trial, *others = best
    question = trial.question
    forecast = question.summary(question.plan, "", trial.ends, forecaster)
    own = tuple(f"{name_key(who)}." for who in players_of(question.fight))
    return Proposal(
        foes=_foes_of(trial, search),
        risk=trial.risk,
        beside=tuple((_foes_of(other, search), other.risk) for other in others),
        cast=tuple(foe.argument(count) for foe, count in zip(search.foes, trial.counts, strict=True) if count),
        begin=trial.begin,
        forecast=forecast,
        costs=tuple(each for each in forecast.values if each.now != each.middle and each.name.startswith(own)),
    )


def _foes_of(trial: Trial, search: EncounterSearch) -> Foes:
    """Return the foes of a trial by name, with their numbers."""
    return tuple((foe.name, count) for foe, count in zip(search.foes, trial.counts, strict=True) if count)
