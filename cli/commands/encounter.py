"""`encounter build`: how many of which foes bring the risk that a table wants. Nothing is declared or drawn."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from typing import Any, Final

import click

from cli.commands.forecast import (
    FightStart,
    check_is_seen,
    dask_option,
    fight_start,
    forecast_game_option,
    open_workers,
)
from cli.context import CampaignContext
from cli.forecast.encounter import EncounterAsked, EncounterSearch, FoeSheet, propose
from cli.forecast.fight import ROUNDS_MOST
from cli.forecast.forecaster import Forecaster
from cli.forecast.habits import AS_WE_PLAY, POLICY_NAMES
from cli.forecast.question import ForecastAsked
from cli.options import JOBS_MOST, FiniteRange, at_option, json_option, pass_campaign, reading_option, view_option
from cli.output import print_json, print_verbatim, print_wrapped
from cli.play.sheet_files import COPIES_MOST, read_sheets
from cli.progress import live_line
from cli.render.encounter import heading, proposal_lines
from ledger.errors import InputError, Unreadable
from ledger.names import escape, parse_whole
from rulebooks.common.game import Game

RUNS: Final = 200
RUNS_MOST: Final = 10_000
BUDGET: Final = 12
KINDS_MOST: Final = 5


@click.group()
def encounter_command() -> None:
    """Prepare an encounter.

    Examples: campaign encounter build --foe foes/thug.toml
    """


@encounter_command.command()
@click.option("--foe", "foes", multiple=True, required=True, metavar="SHEET", help="SHEET*1: one at most. Repeatable.")
@click.option("--risk", type=FiniteRange(1, 99), default=25, show_default=True, help="In so many of 100 fights.")
@click.option("--dies", is_flag=True, help="The risk is that somebody dies, not that somebody falls.")
@click.option("--budget", type=click.IntRange(1, COPIES_MOST), default=BUDGET, show_default=True, help="Foes at most.")
@click.option("--with", "sheets", multiple=True, metavar="SHEET", help="Who is there in any case. Repeatable.")
@at_option
@forecast_game_option
@click.option("--begin", metavar="LINE", help="The line that begins the fight, if not the plainest.")
@click.option("--runs", type=click.IntRange(25, RUNS_MOST), default=RUNS, show_default=True, help="Of a fight at most.")
@click.option("--rounds", type=click.IntRange(1, ROUNDS_MOST), default=ROUNDS_MOST, help="Play no more rounds.")
@click.option("--policy", type=click.Choice(POLICY_NAMES), default=AS_WE_PLAY, help="What everybody does.")
@click.option("--play", "choices", multiple=True, metavar="CHOICE", help="'foes: flees at 3'. Repeatable.")
@click.option("--key", default="1", show_default=True, help="Other dice. The same key gives the same runs.")
@click.option("--jobs", type=click.IntRange(1, JOBS_MOST), help="Play in so many processes.")
@dask_option
@reading_option("Play by another reading of the book.")
@view_option()
@json_option("The proposals as JSON.")
@pass_campaign
def build_command(
    context: CampaignContext,
    /,
    foes: tuple[str, ...],
    sheets: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    role: str,
    jobs: int | None,
    dask: str | None,
    json: bool,
    **given: Any,
) -> None:
    """Propose numbers of foes for a wanted risk: that somebody of the players falls in one fight of four.

    The party is in play, as it is now or after an entry (--at), or joins from sheets (--with). Fights with more and
    more foes are played by the rules, as `forecast` does. Nothing is written: each proposal says what to type.

    Examples: campaign encounter build --foe foes/thug.toml   campaign encounter build --foe thug.toml --risk 5 --dies
    campaign encounter build --foe thug.toml --foe 'boss.toml*1' --budget 8
    """
    risk, dies, budget = given.pop("risk"), given.pop("dies"), given.pop("budget")
    asked = EncounterAsked(risk=risk / 100, dies=dies, budget=budget, forecast=ForecastAsked(**given), options=options)
    start = fight_start(context, game, asked.forecast.at, role)
    search = new_search(start, asked, foes, sheets)
    check_is_seen(start.state, start.store, search.party)
    with open_workers(jobs, dask, asked.forecast.runs) as (pool, workers):
        forecaster = Forecaster(pool, workers)
        with live_line(lambda seconds: f"encounter: {forecaster.count:,} fights, {int(seconds)} s"):
            proposals = propose(search, forecaster)
    if not proposals:
        raise InputError("interrupted before a fight was over")
    if json:
        print_json(proposals)
        return
    print_wrapped(heading(asked, proposals[0], stopped=forecaster.stopped))
    for proposal in proposals:
        print_wrapped(proposal_lines(asked, proposal, start.wording))
        cast, begin = ["campaign", "cast", *sheets, *proposal.cast], ["campaign", "do", proposal.begin]
        print_verbatim([f"  {shlex.join(words)}" for words in (cast, begin)])


def new_search(start: FightStart, asked: EncounterAsked, foes: Sequence[str], sheets: Sequence[str]) -> EncounterSearch:
    """Return the search from a start, with the sheets of foes and of those who are there in any case."""
    book, state = start.book, start.state
    taken = {being.name for being in state.state.beings_in_order()}
    friends = [sheet for _, sheet in read_sheets(book, sheets, taken)]
    taken |= {str(getattr(sheet, "name", "")) for sheet in friends}
    enemies = read_foes(book, foes, taken, asked.budget)
    return EncounterSearch(asked, start.habits(), state, book, friends=friends, foes=enemies)


def read_foes(book: Game, texts: Sequence[str], taken: Collection[str], budget: int) -> list[FoeSheet]:
    """Return the sheets of foes: as many of each as the budget or `SHEET*3` allows; one alone keeps its own name.

    Raises CommandError for a sheet that cannot be read, and InputError for too many sheets or two of one name.
    """
    if len(texts) > KINDS_MOST:
        raise InputError(f"{len(texts)} sheets of foes", where="--foe", hint=f"{KINDS_MOST} are the most.")
    foes = list[FoeSheet]()
    for text in texts:
        file, most = split_number(text, budget)
        plain = [sheet for _, sheet in read_sheets(book, [file])]
        name = str(getattr(plain[0], "name", ""))
        is_alone = most == len(plain) == 1 and name not in taken
        copies = plain if is_alone else [sheet for _, sheet in read_sheets(book, [f"{file}*{most}"], taken)]
        if len(plain) > 1:
            name = name.rpartition(" ")[0]
        if name in {foe.name for foe in foes}:
            raise InputError(f"two sheets are of {escape(name)}", where="--foe", hint="Name each once: SHEET*3.")
        foes.append(FoeSheet(file=file, name=name, copies=tuple(copies), numbered=not is_alone))
    return foes


def split_number(text: str, budget: int) -> tuple[str, int]:
    """Return the file and the most of `SHEET*3`, the budget for `SHEET`. Raises Unreadable for a wrong number."""
    file, star, number = text.rpartition("*")
    if not star:
        return text, budget
    most = parse_whole(number, where=text)
    if not 1 <= most <= COPIES_MOST:
        raise Unreadable(f"{most} foes", where=text, hint=f"Write 1 to {COPIES_MOST}, or no number.")
    return file, most
