"""The interface of the table over HTTP: who may ask, how often, and that every answer is JSON.

A request says who it is from with a token in a header, which no page of somewhere else can send: no answer allows it.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cli.errors import REFUSALS
from cli.forecast.habits import AS_WE_PLAY
from cli.play.running_table import ASK_PATH, TableLink
from cli.table.answers import Problem, Refusal, TypedLine
from cli.table.forecasts import ForecastWanted
from cli.table.limits import Rate
from cli.table.line_writer import UNREAD, refusal_of
from cli.table.openapi import api_page, description
from cli.table.page_links import GivenLink
from cli.table.seats import WATCHER, Seat
from cli.table.table import HandsTable, Listener
from cli.table.view import TableView
from cli.web.access import bearer
from cli.web.event_stream import EVENTS_TYPE, EventStream
from cli.web.pages.document import policy
from cli.web.pages.hands import hands_html, hands_policy
from cli.web.reports import REPORTS, page_error
from ledger.errors import LedgerError, Unreadable
from ledger.links import LinkAsked

JSON: Final = "application/json"
LINE_MOST: Final = 2000  # characters
BODY_MOST: Final = 16_384  # bytes
BODY_SECONDS: Final = 10.0
PATH_MOST: Final = 8  # labels of an act
T = TypeVar("T")
KEY: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
POSITION: Final = re.compile(r"\d{1,12}", re.ASCII)
LINES_AT_ONCE, LINES_A_SECOND = 20, 10
QUESTIONS_AT_ONCE, QUESTIONS_A_SECOND = 100, 50
FORECASTS_AT_ONCE, FORECASTS_A_SECOND = 5, 0.5
SAME_SITE: Final = ("same-origin", "none")  # `none`: typed into the browser


class Unanswered(Exception):
    """A request that is not answered: with which status, and why."""

    def __init__(self, status: int, code: str, message: str, hint: str = "", **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers
        self.problem = Problem(code=code, message=message, hint=hint or None)


class TableRoutes:
    """The routes of a table."""

    def __init__(self, table: HandsTable, clock: Callable[[], float] = time.monotonic, *, asking: str = "") -> None:
        """`asking`: the token with which another process of this machine asks for links; nobody's if empty."""
        self._table, self._asking = table, asking
        self._lines = Rate(LINES_AT_ONCE, LINES_A_SECOND, clock)
        self._questions = Rate(QUESTIONS_AT_ONCE, QUESTIONS_A_SECOND, clock)
        self._forecasts = Rate(FORECASTS_AT_ONCE, FORECASTS_A_SECOND, clock)

    def routes(self) -> list[Route]:
        """Return the routes of the interface."""
        questions = {
            "/state": self.state,
            "/log": self.log,
            "/acts": self.acts,
            "/act": self.act,
            "/odds": self.odds,
            "/complete": self.complete,
        }
        return [
            Route("/line", self._answered(self.line, self._lines), methods=["POST"]),
            Route("/link", self._answered(self.link, self._questions), methods=["POST"]),
            Route(ASK_PATH, self.ask_link, methods=["POST"]),
            Route("/forecast", self._answered(self.forecast, self._forecasts)),
            Route("/events", self._answered(self.events, self._questions)),
            Route("/openapi.json", openapi),
            Route("/api", api),
            Route("/", page),
            *(Route(path, self._answered(answer, self._questions)) for path, answer in questions.items()),
        ]

    def problem(self, status: int, code: str, message: str) -> Response:
        """Return in JSON why a request is not answered."""
        return json_response(Problem(code=code, message=message.strip()), status)

    async def refused(self, request: Request, error: Exception) -> Response:
        """Return in JSON that there is no such path, or that it is asked for otherwise."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        what, hint = f"there is no {request.method} {request.url.path}", "The description of the interface is at /api."
        return json_response(Problem(code="L-PATH", message=what, hint=hint), status)

    def _answered(
        self, answer: Callable[[Request, Seat], Awaitable[Any]], rate: Rate
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that answers a request of a seat, and says in JSON why it does not."""

        async def endpoint(request: Request) -> Any:
            seat = WATCHER  # until it is known
            try:
                check_origin(request)
                seat = self._seat(request)
                if seconds := rate.wait(seat):
                    what = f"{seat.name} asks too often"
                    raise Unanswered(429, "L-RATE", what, "Try again in a moment.", Retry_After=f"{seconds}")
                return await answer(request, seat)
            except Unanswered as denied:
                return json_response(denied.problem, denied.status, denied.headers)
            except ClientDisconnect:
                raise
            except (*REFUSALS, Unreadable) as error:
                return json_response(refusal_of(error, seat), 422)
            except LedgerError as error:
                REPORTS.say(page_error(error))
                problem = Problem(
                    code="L-LEDGER",
                    message="the ledger cannot be used now",
                    hint="Send it again: a line with its key counts once. The game master's terminal says why.",
                )
                return json_response(problem, 503, {"Retry_After": "1"})
            except Exception as error:
                REPORTS.say(page_error(error))
                what = "a fault of the program, which the game master's terminal names"
                return json_response(Problem(code="L-FAULT", message=what), 500)

        return endpoint

    def _seat(self, request: Request) -> Seat:
        """Return whose link a request has. Raises Unanswered for none of this table."""
        seat = self._table.links.find(bearer(request))
        if seat is None:
            hint = "Ask the game master for your link, or scan its code again."
            raise Unanswered(401, "L-TOKEN", "this link is not one of this table's", hint, WWW_Authenticate="Bearer")
        return seat

    async def line(self, request: Request, seat: Seat) -> Response:
        """Take a line."""
        said = await read_line(request)
        answer = await self._table.say(seat, said)
        return json_response(answer, 422 if isinstance(answer, Refusal) else 200)

    async def link(self, request: Request, seat: Seat) -> Response:
        """Take a link for shared dice, for which the page was asked."""
        hint = 'Send {"id": "...", "link": "64 hex digits"}, as the event asks.'
        return json_response(self._table.page_links.give(seat.holder, await read_json(request, GivenLink, hint)))

    async def ask_link(self, request: Request) -> Response:
        """Ask the pages for a link, for a line that another process decides: the shell of the game master."""
        try:
            check_origin(request)
            if not (self._asking and secrets.compare_digest(bearer(request).encode(), self._asking.encode())):
                raise Unanswered(401, "L-TOKEN", "only programs of this ledger's owner ask here")
            asked = await read_json(request, LinkAsked, "It is asked by: campaign play.")
        except Unanswered as denied:
            return json_response(denied.problem, denied.status, denied.headers)
        return json_response(TableLink(await asyncio.to_thread(self._table.page_links.link_for, asked.by, asked)))

    async def state(self, request: Request, seat: Seat) -> Response:
        """Return the table as it is now."""
        left = self._table.countdown.left
        return Response(await self._table.ask(partial(TableView.state_json, seat=seat, left=left)), media_type=JSON)

    async def log(self, request: Request, seat: Seat) -> Response:
        """Return the log after a position."""
        return json_response(await self._table.ask(partial(TableView.log, seat=seat, after=position_in(request))))

    async def acts(self, request: Request, seat: Seat) -> Response:
        """Return what may be said now by tapping."""
        who, path = request.query_params.get("who", ""), request.query_params.getlist("path")[:PATH_MOST]
        taps = partial(TableView.taps_json, seat=seat, who=who, path=path)
        return Response(await self._table.ask(taps, tries=True), media_type=JSON)

    async def act(self, request: Request, seat: Seat) -> Response:
        """Return a line before it is said."""
        line = partial(TableView.tap_line, seat=seat, line=line_in(request))
        return json_response(await self._table.ask(line, tries=True))

    async def odds(self, request: Request, seat: Seat) -> Response:
        """Return the chances of a line."""
        odds = partial(TableView.odds, seat=seat, line=line_in(request))
        return json_response(await self._table.ask(odds, tries=True))

    async def forecast(self, request: Request, seat: Seat) -> Response:
        """Return what comes of the fight that is on, unless the link was replaced while it was played."""
        asked = request.query_params
        wanted = ForecastWanted(
            policy=asked.get("policy", AS_WE_PLAY), choices=[each for each in asked.getlist("play") if each.strip()]
        )
        card = await self._table.forecast(seat, wanted)
        if self._seat(request) != seat:
            raise Unanswered(403, "L-TOKEN", "this link is somebody else's by now", "Ask again.")
        return json_response(card)

    async def complete(self, request: Request, seat: Seat) -> Response:
        """Return the words that may end a line."""
        return json_response(await self._table.ask(partial(TableView.complete, seat=seat, text=line_in(request))))

    async def events(self, request: Request, seat: Seat) -> Any:
        """Return what is new after a position, as it comes."""
        if request.method == "HEAD":
            return Response(media_type=EVENTS_TYPE)
        listener = self._table.listen(seat, bearer(request), position_in(request))
        if listener is None:
            raise Unanswered(
                503, "L-FULL", "too many listen with this link", "Close other pages of it.", Retry_After="5"
            )
        return EventStream(Feed(self._table, listener), "")


async def openapi(request: Request) -> Response:
    """Return the description of the interface."""
    return json_response(description())


async def page(request: Request) -> Response:
    """Return the page of those at the table. It says nothing: its script asks with the token of the link."""
    return HTMLResponse(hands_html(), headers={"content-security-policy": hands_policy()})


async def api(request: Request) -> Response:
    """Return the description of the interface as a page to read."""
    return HTMLResponse(api_page(), headers={"content-security-policy": policy(live=False)})


class Feed:
    """What one who listens hears."""

    def __init__(self, table: HandsTable, listener: Listener) -> None:
        self._table, self._listener = table, listener

    def subscribe(self, version: str) -> Listener:
        """Return the messages."""
        return self._listener

    def unsubscribe(self, subscription: Listener) -> None:
        """End the messages."""
        self._table.leave(subscription)


def check_origin(request: Request) -> None:
    """Raise Unanswered for a request that a page of somewhere else has made."""
    origin = request.headers.get("origin")
    is_own = origin is None or urlsplit(origin).netloc == request.headers.get("host", "")
    if not is_own or request.headers.get("sec-fetch-site", "none") not in SAME_SITE:
        raise Unanswered(403, "L-ORIGIN", "this request comes from another page", "Use the page of the link.")


async def read_line(request: Request) -> TypedLine:
    """Return the line in the body of a request. Raises Unanswered for what is none."""
    said = await read_json(
        request, TypedLine, 'Send {"line": "k sneak v5", "key": "8 to 64 letters and digits", "seen": 17}.'
    )
    check_length(said.line)
    if not KEY.fullmatch(said.key):
        raise Unanswered(400, UNREAD, "the key has 8 to 64 letters, digits, - and _", "Make a new one for each line.")
    return said


async def read_json(request: Request, kind: type[T], hint: str) -> T:
    """Return what the body of a request holds. Raises Unanswered, with a hint, for what is none of this kind."""
    if request.headers.get("content-type", "").partition(";")[0].strip().casefold() != JSON:
        raise Unanswered(415, UNREAD, "a request has JSON", f"Send it with the header content-type: {JSON}.")
    try:
        return msgspec.json.decode(await read_body(request), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unanswered(400, UNREAD, f"the request cannot be read: {error}", hint) from error


async def read_body(request: Request) -> bytes:
    """Return the body of a request. Raises Unanswered for one that is too long, or comes too slowly."""
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > BODY_MOST:
                    raise Unanswered(413, "L-LONG", f"a request has at most {BODY_MOST} bytes", Connection="close")
    except TimeoutError as error:
        raise Unanswered(408, "L-SLOW", "the request did not come to its end", Connection="close") from error
    return body


def check_length(line: str) -> None:
    """Raise Unanswered for a line that is too long."""
    if len(line) > LINE_MOST:
        raise Unanswered(
            413, "L-LONG", f"the line has {len(line)} characters, and {LINE_MOST} at most", "Say it in parts."
        )


def line_in(request: Request) -> str:
    """Return the line in the address of a request."""
    line = request.query_params.get("line", "")
    check_length(line)
    return line


def position_in(request: Request) -> int:
    """Return the position in a request, 0 without one: the last event's, or that in its address."""
    text = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    if not POSITION.fullmatch(text):
        raise Unanswered(400, UNREAD, "after= is a position of the log", "Send a number, as in after=17.")
    return int(text)


def json_response(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer in JSON; `Retry_After` is the header `retry-after`."""
    named = {name.replace("_", "-").lower(): value for name, value in (headers or {}).items()}
    return Response(msgspec.json.encode(content), status, named, media_type=JSON)
