"""A client of the table server: `Client("http://127.0.0.1:8002/#t=...").say("k sneak v5")`. It needs Python alone.

A line that is not answered, because the connection was cut or the server has to be started again, is sent again with
its key, so that it counts once.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

AGAIN = (408, 429, 503)  # answers after which a request is sent again


class Client:
    """One link of a table."""

    def __init__(self, link: str, *, tries: int = 20, timeout: float = 10) -> None:
        """`link`: as `campaign serve --hands` prints it. `tries`: how often a request is sent at most."""
        parts = urlsplit(link)
        self.address, self.token = f"{parts.scheme}://{parts.netloc}", parts.fragment.removeprefix("t=")
        self.tries, self.timeout = tries, timeout

    def say(self, line: str, *, key: str = "", seen: int | None = None) -> dict[str, Any]:
        """Say a line or ask a question, and return what becomes of it: taken, asked, answered or refused."""
        return self.request("/line", {"line": line, "key": key or secrets.token_urlsafe(16), "seen": seen})

    def get(self, path: str, **query: str | int) -> dict[str, Any]:
        """Return what is at a path: `state`, `acts`, `log` with `after`, or `act`, `odds`, `complete` with `line`."""
        return self.request(f"/{path}?{urlencode(query)}")

    def events(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield what is new after a position, as it comes."""
        with urlopen(self._request(f"/events?after={after}"), timeout=60) as stream:
            yield from (json.loads(line[6:]) for line in stream if line.startswith(b"data: {"))

    def request(self, path: str, body: object = None) -> dict[str, Any]:
        """Send a request until it is answered, and return the answer. Raises OSError after the last try."""
        for each in range(self.tries, 0, -1):
            try:
                with urlopen(self._request(path, body), timeout=self.timeout) as answer:
                    return dict(json.load(answer))
            except HTTPError as error:
                if error.code not in AGAIN or each == 1:
                    return dict(json.load(error))
            except OSError:
                if each == 1:
                    raise
            time.sleep(0.2)
        raise OSError("no tries")

    def _request(self, path: str, body: object = None) -> Request:
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        return Request(self.address + path, None if body is None else json.dumps(body).encode(), headers)
