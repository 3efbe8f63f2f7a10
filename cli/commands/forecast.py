"""`forecast`: what comes of the fight, played many times from here by the rules. Nothing is declared or drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from math import inf
from typing import Any, Final, NamedTuple

import click

from cli.context import CampaignContext
from cli.forecast.begin import begin_fight
from cli.forecast.fight import ROUNDS_MOST
from cli.forecast.forecaster import Forecaster
from cli.forecast.habits import AS_WE_PLAY, POLICY_NAMES, AsWePlay, learn_habits
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.workers import executor
from cli.options import (
    JOBS_MOST,
    FiniteRange,
    at_option,
    game_option,
    json_option,
    pass_campaign,
    reading_option,
    view_option,
)
from cli.output import print_json, print_wrapped
from cli.play.sheet_files import read_sheets
from cli.progress import live_line
from cli.questions.players_ledger import PlayersLedger, store_for
from cli.questions.roles import GM_VIEW
from cli.questions.state_at import state_at
from cli.render.forecast import comparison_lines, forecast_lines
from cli.shelf.dask import dask_workers
from ledger.errors import InputError
from ledger.ledger_state import LedgerState, initial_state
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

RUNS: Final = 1000
RUNS_MOST: Final = 1_000_000
SECONDS_MOST: Final = 86_400
KEY: Final = "1"

forecast_game_option: Final = game_option("Play by this game, without a ledger: all come from sheets.")
dask_option: Final = click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")


@click.command()
@at_option
@click.option(
    "--with", "sheets", multiple=True, metavar="SHEET", help="Who joins; SHEET*3 for three copies. Repeatable."
)
@forecast_game_option
@click.option("--begin", metavar="LINE", help="The line that begins the fight, where none is running.")
@click.option("--runs", type=click.IntRange(1, RUNS_MOST), default=RUNS, show_default=True, help="How many, at most.")
@click.option("--within", type=FiniteRange(0.1, 50), metavar="PERCENT", help="Stop once intervals are so narrow.")
@click.option("--seconds", type=FiniteRange(0, SECONDS_MOST), help="Stop after so many, and tell what there is.")
@click.option("--rounds", type=click.IntRange(1, ROUNDS_MOST), default=ROUNDS_MOST, help="Play no more rounds.")
@click.option("--until", metavar="'NAME falls'", help="End a run when somebody falls.")
@click.option("--policy", type=click.Choice(POLICY_NAMES), default=AS_WE_PLAY, help="What everybody does.")
@click.option("--play", "choices", multiple=True, metavar="CHOICE", help="'foes: flees at 3'. Repeatable.")
@click.option("--vs", metavar="CHOICE", help="Compare with this choice: '+cover', 'players: e2', 'players: cautious'.")
@reading_option("Compare with another reading of the book.")
@click.option("--key", default=KEY, show_default=True, help="Other dice. The same key gives the same runs.")
@click.option("--jobs", type=click.IntRange(1, JOBS_MOST), help="Play in so many processes.")
@dask_option
@view_option()
@json_option("The forecast as JSON; of two plans a list of both.")
@pass_campaign
def forecast_command(
    context: CampaignContext,
    /,
    sheets: tuple[str, ...],
    game: str | None,
    role: str,
    seconds: float | None,
    jobs: int | None,
    dask: str | None,
    json: bool,
    **asked: Any,
) -> None:
    """Play the fight from here to its end, many times, and tell who falls and how often.

    The rules decide as at the table; the dice are the forecast's own, never those of the session. Nothing is written.
    What each does is what they did in the fights of this ledger (`as we play`), or another policy: `weakest`,
    `nearest` or `spread` say whom everybody strikes, `cautious` flees with a third of their points.

    Examples: campaign forecast   campaign forecast --at 2.7 --vs '+cover'
    campaign forecast --play 'captain: flees at 3'   campaign forecast --with 'foes/thug.toml*3' --runs 200
    campaign forecast --option light_wound_cost=per_use   campaign forecast --game momentum --with cast --with foes
    """
    options = ForecastAsked(**asked)
    if options.vs and options.options:
        raise click.UsageError("Compare with one thing: --vs or --option.")
    start = fight_start(context, game, options.at, role)
    state, book = start.state, start.book
    joining = [sheet for _, sheet in read_sheets(book, sheets, names_in(state))]
    check_is_seen(state, start.store, members_of(state))
    begin_fight(state, book, joining, options.begin)
    check_is_seen(state, start.store, members_of(state))
    question = ForecastQuestion(options, start.habits(), state, book)
    with open_workers(jobs, dask, options.runs) as (pool, workers):
        forecaster = Forecaster(pool, workers, inf if seconds is None else seconds)
        with live_line(lambda seconds: f"forecast: {forecaster.count:,} fights, {int(seconds)} s"):
            comparison = question.compare(forecaster)
            forecast = question.forecast(forecaster) if comparison is None else comparison.first
    if json:
        print_json(forecast if comparison is None else [comparison.first, comparison.second])
    elif comparison is not None:
        print_wrapped(comparison_lines(comparison))
    else:
        print_wrapped(forecast_lines(forecast, start.wording))


def open_workers(jobs: int | None, dask: str | None, runs: int) -> AbstractContextManager[tuple[Executor | None, int]]:
    """Open what plays the runs: processes of this machine, or the workers of a Dask cluster. Raises UsageError."""
    if dask is None:
        return executor(jobs, runs)
    if jobs is not None:
        raise click.UsageError("--jobs is for this machine: leave it out with --dask.")
    return dask_workers(dask)


class FightStart(NamedTuple):
    """Where a fight is played from: a ledger at a moment, as a role sees it; or a game alone, with nobody in play."""

    book: Game
    state: LedgerState[State]
    store: ReadableStore | None
    wording: Wording

    def habits(self) -> AsWePlay:
        """Return what everybody has done in the fights of the ledger; nothing without one."""
        return AsWePlay(habits={}) if self.store is None else learn_habits(self.store, self.book, self.state.last)


def fight_start(context: CampaignContext, game: str | None, at: str | None, role: str = GM_VIEW) -> FightStart:
    """Return where a fight is played from: the ledger here, or a game alone. Raises UsageError for --at without one."""
    if game is None:
        store = store_for(context.store(write=False), context.game(), role)
        return FightStart(context.game(), state_at(store, at, None), store, context.wording)
    if at is not None:
        raise click.UsageError("--game begins without a ledger, so there is no moment: leave out --at.")
    book = load_game(game)
    return FightStart(book, initial_state(StateProjection()), None, book.texts().lexicon.wording)


def names_in(state: LedgerState[State]) -> list[str]:
    """Return the names of all in play."""
    return [being.name for being in state.state.beings_in_order()]


def members_of(state: LedgerState[State]) -> Sequence[str]:
    """Return who is in the fight that is on."""
    return state.state.encounter.members if state.state.encounter else ()


def check_is_seen(state: LedgerState[State], store: object, who: Collection[str]) -> None:
    """Raise InputError if the players ask, and do not see all numbers of those who fight, or all of an open roll."""
    if not who or not isinstance(store, PlayersLedger):
        return
    if set(store.hidden) & set(who):
        what = "somebody in this fight has numbers that are the game master's"
        raise InputError(what, hint="Let the game master ask: without --as players.")
    if state.state.windows:
        raise InputError("a roll is open, and the players do not see all of it", hint="Ask when it is closed.")
