"""The forecasts that are asked for at a table: each is played in a process of its own, and no line waits for it."""

from __future__ import annotations

import asyncio
import re
from asyncio import Task
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from typing import Final

import msgspec

from cli.forecast.habits import AS_WE_PLAY, POLICY_NAMES
from cli.forecast.tally import Forecast
from cli.questions.roles import PLAYERS
from cli.render.forecast import MOVES, VALUES, forecast_parts, outlook_text
from cli.table.answers import ForecastCard, ForecastRow
from cli.table.commands import command_process
from cli.table.seats import Seat
from ledger.errors import Refused, Unreadable
from ledger.names import escape, word_list
from rulebooks.common.texts import Wording

RUNS: Final = 400
ROUNDS: Final = 20  # of one run
SECONDS: Final = 4.0  # after which no more are played
SECONDS_MOST: Final = 30.0  # after which its process is ended: a busy machine needs some to begin; the page waits 40
OTHERS_MOST: Final = 1  # forecasts for players and watchers, all together, that are played at once
CHOICES_MOST: Final = 4
CHOICE_MOST: Final = 200  # characters
PRINTABLE: Final = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]*")
CODE: Final = "L-FORECAST"


class ForecastWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: what everybody does, and what some do, as the options of the command say it."""

    policy: str = AS_WE_PLAY
    choices: Sequence[str] = ()

    def check(self) -> None:
        """Raise Unreadable for what is no policy, and for choices that are too many, too long or cannot be printed."""
        if self.policy not in POLICY_NAMES:
            what = f"'{escape(self.policy[:CHOICE_MOST])}' is no policy"
            raise Unreadable(what, hint=f"Name {word_list(POLICY_NAMES)}.")
        if len(self.choices) > CHOICES_MOST:
            raise Unreadable(f"{len(self.choices)} choices", hint=f"{CHOICES_MOST} are the most.")
        for choice in self.choices:
            if len(choice) > CHOICE_MOST or not PRINTABLE.fullmatch(choice):
                what = f"'{escape(choice[:20])}' is too long, or has what cannot be printed"
                raise Unreadable(what, hint="Write it as in 'foes: flees at 3'.")


class TableForecasts:
    """Plays one forecast for each link at a time: asking anew ends the one before. None outlives its time."""

    def __init__(self, place: str) -> None:
        """`place`: what names the campaign as an argument of -C."""
        self._place = place
        self._played: dict[Seat, Task[bytes]] = {}

    async def ask(self, seat: Seat, wanted: ForecastWanted, wording: Wording) -> ForecastCard:
        """Return what comes of the fight that is on, as the holder of a link may see it.

        Raises Unreadable for a wrong question, and Refused if there is no answer, or another is asked for meanwhile.
        """
        wanted.check()
        if seat.view == PLAYERS and sum(each.view == PLAYERS for each in self._played if each != seat) >= OTHERS_MOST:
            raise Refused(CODE, "somebody else's forecast is being played", hint="Ask again in a moment.")
        if seat in self._played:
            self._played[seat].cancel()
        task = self._played[seat] = asyncio.create_task(self._play(seat, wanted))
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
            if self._played.get(seat) is task:
                del self._played[seat]
        if task.cancelled():
            raise Refused(
                CODE, "another forecast was asked for with this link", hint="Its answer is the one to wait for."
            )
        return card(msgspec.json.decode(task.result(), type=Forecast), wording)

    async def _play(self, seat: Seat, wanted: ForecastWanted) -> bytes:
        """Return the JSON of the command. Raises Refused with its error, or if it takes too long."""
        view = PLAYERS if seat.view == PLAYERS else ""
        words = ["forecast", "--json", "--jobs=1", f"--runs={RUNS}", f"--rounds={ROUNDS}", f"--seconds={SECONDS}"]
        words += [f"--policy={wanted.policy}", *(f"--play={choice}" for choice in wanted.choices)]
        program, environment = command_process(self._place, words + ([f"--as={view}"] if view else []), view)
        process = await asyncio.create_subprocess_exec(
            *program, env=environment, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
        )
        try:
            async with asyncio.timeout(SECONDS_MOST):
                told, errors = await process.communicate()
        except TimeoutError as error:
            raise Refused(CODE, "the forecast takes too long", hint="Ask it in the shell: ? forecast") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            problem = errors.decode(errors="replace").strip().removeprefix("Error: ")
            raise Refused(CODE, problem or "it cannot be played")
        return told

    def close(self) -> None:
        """End all that are played."""
        for task in self._played.values():
            task.cancel()


def card(forecast: Forecast, wording: Wording) -> ForecastCard:
    """Return a forecast as a page shows it."""
    parts = forecast_parts(forecast, wording)
    rows = [
        ForecastRow(who=escape(each.who), part=each.falls.part, text=outlook_text(each)) for each in forecast.outlooks
    ]
    values, moves = ([f"{name}: {text}" for name, text in each] for each in (parts.values, parts.moves))
    return ForecastCard(heading=parts.heading, rows=rows, rounds=parts.rounds, values=values, moves=moves)


def card_lines(shown: ForecastCard) -> list[str]:
    """Return a card as the lines that answer `? forecast` on a narrow page: no bars, and no columns."""
    lines = [*shown.heading, *(f"{row.who} {row.text}" for row in shown.rows), shown.rounds]
    for title, texts in ((VALUES, shown.values), (MOVES, shown.moves)):
        lines += [title, *texts] if texts else []
    return lines
