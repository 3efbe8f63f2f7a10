"""The ASGI application: pages, their data, and the events that say what has changed in it. Nothing is written.

A page has an address with a slash at its end, and `data` and `events` below it. All of it is there again below
`watch/` and `gm/`, for those who have the token of the players or of the game master. It stands in a header: a link
hands it over behind its `#`, which no browser sends, to a page that says nothing and asks for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cli.questions.roles import GM_VIEW, PLAYERS
from cli.web.access import Access, bearer
from cli.web.channels import Channel
from cli.web.event_stream import EVENTS_TYPE, EventStream
from cli.web.live_pages import CAMPAIGN, LivePages
from cli.web.pages.handover import handover_html, handover_policy
from cli.web.reports import REPORTS, page_error
from ledger.errors import InputError, LedgerError

WATCHERS_MOST: Final = 1000
HEADERS: Final = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
FORBIDDEN: Final = "This page needs its whole link. Ask the game master for it, or scan the code again.\n"
FOREIGN: Final = "This address is not one of this machine's. Use the link that campaign serve prints.\n"
FULL: Final = "Too many are watching.\n"
FAULT: Final = "This page cannot be made now: a fault of the program, which the game master's terminal names.\n"
MISSING: Final = "There is no such page.\n"
UNREADABLE: Final = "The ledger cannot be read now. Try again.\n"
PAGES: Final = {"/": "", "/campaign/": CAMPAIGN, "/session/{session}/": "{session}"}  # their names by paths
SESSION: Final = re.compile(r"(?!0\d)\d{1,9}", re.ASCII)
PATHS: Final = {PLAYERS: "/watch", GM_VIEW: "/gm"}  # of the pages for which one needs a token, by their role
Answer = Callable[[Request, Channel], ASGIApp]
Problem = Callable[[int, str, str], Response]


def create_app(
    pages: LivePages, access: Access, *, connections: int = 2 * WATCHERS_MOST, table: Interface | None = None
) -> ASGIApp:
    """Return the application. `connections`: how many there may be; half of them may watch, the others load pages.

    `table`: that of a table which is played over its links; the pages are below `watch/` and `gm/` alone then.
    """
    problem = table.problem if table else as_text
    here = PageRoutes(pages, access, problem, min(WATCHERS_MOST, connections // 2))
    handed = [Mount(PATHS[role], routes=here.routes(role)) for role in PATHS]
    routes = [*handed, *(here.routes(None) if table is None else table.routes())]
    handlers = {} if table is None else {HTTPException: table.refused}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), access, problem)


def as_text(status: int, code: str, message: str) -> Response:
    """Return why a request is not answered, for a person with a browser."""
    return PlainTextResponse(message, status)


class Interface(Protocol):
    """Paths that are no pages."""

    def routes(self) -> Sequence[BaseRoute]:
        """Return their routes."""

    def problem(self, status: int, code: str, message: str) -> Response:
        """Return why a request is not answered."""

    async def refused(self, request: Request, error: Exception) -> Response:
        """Return the answer for a path that there is not."""


class PageRoutes:
    """The pages of the last session (`/`), of the campaign and of each session (`/session/3/`)."""

    def __init__(self, pages: LivePages, access: Access, problem: Problem, watchers_most: int) -> None:
        self._pages, self._access, self._problem, self._watchers_most = pages, access, problem, watchers_most

    def routes(self, role: str | None) -> list[BaseRoute]:
        """Return the routes of all pages, of their data and of their events, for who has the token of a role.

        `role`: None for those who need no token.
        """
        answers: dict[str, Answer] = {"": self.page, "data": self.data, "events": self.events}
        return [
            Route(path + end, self._checked(role, name, answer))
            for path, name in PAGES.items()
            for end, answer in answers.items()
        ]

    def _checked(self, role: str | None, name: str, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that answers with a page that the request may see."""

        async def endpoint(request: Request) -> Any:
            token = bearer(request)
            if role is not None and not token and answer == self.page:
                return HTMLResponse(handover_html(), headers={"content-security-policy": handover_policy()})
            seen = self._access.role(None if role is None else token)
            if seen is None or role not in (None, seen):
                return self._problem(403, "L-TOKEN", FORBIDDEN)
            session = request.path_params.get("session")
            if session is not None and not SESSION.fullmatch(session):
                return self._problem(404, "L-PATH", MISSING)
            try:
                channel = await self._pages.page(seen, name.format(**request.path_params))
            except InputError:
                return self._problem(404, "L-PATH", MISSING)
            except LedgerError as error:
                REPORTS.say(page_error(error))
                return self._problem(503, "L-LEDGER", UNREADABLE)
            return answer(request, channel)

        return endpoint

    def page(self, request: Request, channel: Channel) -> Response:
        """Return a page as HTML."""
        return HTMLResponse(channel.page.html, headers={"content-security-policy": channel.page.policy})

    def data(self, request: Request, channel: Channel) -> Response:
        """Return what the browser keeps of a page, with its version."""
        body = msgspec.json.encode({"version": channel.version, "content": channel.page.content})
        return Response(body, media_type="application/json")

    def events(self, request: Request, channel: Channel) -> ASGIApp:
        """Return the changes of a page's data from a version on."""
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return self._problem(403, "L-ORIGIN", FOREIGN)
        if self._pages.watchers >= self._watchers_most:
            return self._problem(503, "L-FULL", FULL)
        if request.method == "HEAD":
            return Response(media_type=EVENTS_TYPE)
        version = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return EventStream(channel, version)


class Guard:
    """Refuses requests for other hosts, sends the headers of every answer, and reports each error in one line."""

    def __init__(self, app: ASGIApp, access: Access, problem: Problem) -> None:
        self._app, self._access, self._problem = app, access, problem

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = GuardedAnswer(send)
        is_host = self._access.is_host(Headers(scope=scope).get("host", ""))
        try:
            await (self._app if is_host else self._problem(421, "L-HOST", FOREIGN))(scope, receive, answer.send)
        except Exception as error:
            if not answer.is_lost:
                REPORTS.say(page_error(error))
            if not answer.has_begun:  # else the server closes the connection, which says enough
                await self._problem(500, "L-FAULT", FAULT)(scope, receive, answer.send)


class GuardedAnswer:
    """An answer that is sent with the headers that every answer has. `is_lost`: it could not be sent."""

    def __init__(self, send: Send) -> None:
        self._send, self.has_begun, self.is_lost = send, False, False

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        try:
            await self._send(message)
        except Exception:  # as of a client who sends what is no HTTP meanwhile
            self.is_lost = True
            raise
