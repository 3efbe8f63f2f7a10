"""Messages for a webhook, which are sent once: what was sent stands in a file in the campaign's folder.

The address of a webhook is a secret: who has it may write. It is in no message, no error and no file of ours.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Sequence
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any, Final, Literal
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec

from ledger.errors import InputError, LedgerError, Unreadable

VARIABLE: Final = "CAMPAIGN_DISCORD"
POSTS: Final = "posts.jsonl"
HOST: Final = re.compile(r"(?:[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?")
PATH: Final = re.compile(r"/api/(?:v[0-9]{1,3}/)?webhooks/[0-9]{1,20}/[\w-]{1,200}", re.ASCII)
THREAD: Final = re.compile(r"(?:thread_id=[0-9]{1,20})?", re.ASCII)
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
TRIES_MOST: Final = 5
WAIT_MOST: Final = 60.0  # seconds
SECONDS_MOST: Final = 20
BYTES_MOST: Final = 1 << 20
AGENT: Final = "DiscordBot (campaign-ledger, 1)"  # Discord refuses programs that do not say so
COPY: Final = "Copy it in Discord: the channel's settings, Integrations, Webhooks."
BUSY: Final = 429


class PostRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the file of posts. `webhook`: a hash of its address.

    `state`: `begun` before the first message is sent, `sent` after the last, `refused` where none can have come.
    """

    session: int
    webhook: str
    at: str
    state: Literal["begun", "sent", "refused"]


class Webhook:
    """A webhook that messages are sent to."""

    def __init__(self, address: SplitResult, sleep: Callable[[float], None] = time.sleep) -> None:
        query = urlencode({"wait": "true"}) + (f"&{address.query}" if address.query else "")
        self._url, self._sleep = address._replace(query=query).geturl(), sleep
        self.hash = hashlib.sha256(address.geturl().encode()).hexdigest()[:16]
        self._opener = opener(address.hostname or "")

    def send(self, message: object) -> None:
        """Send a message. Raises NotSent where none can have come, and LedgerError where nobody knows.

        It is tried again when the server is busy, after the time that it names, or fails.
        """
        body = msgspec.json.encode(message)
        headers = {"Content-Type": "application/json", "User-Agent": AGENT}
        request = Request(self._url, body, headers, method="POST")
        has_failed = False  # the server: it may have posted the message all the same
        for number in range(1, TRIES_MOST + 1):
            try:
                with self._opener.open(request, timeout=SECONDS_MOST):
                    return
            except HTTPError as error:
                with error:
                    wait = wait_of(error, number)
                has_failed = has_failed or error.code >= 500
            except (OSError, HTTPException) as error:
                if not isinstance(error, URLError) or isinstance(error.reason, TimeoutError):
                    raise unknown("the connection ended before an answer") from None
                wait = NotSent("the webhook cannot be reached", hint="Look at your connection.")
            if isinstance(wait, NotSent):
                raise unknown(wait.what) if has_failed else wait
            if number < TRIES_MOST:
                self._sleep(wait)
        raise unknown(f"the webhook failed {TRIES_MOST} times")


class NotSent(LedgerError):
    """Nothing was posted."""


class NoRedirect(HTTPRedirectHandler):
    """Follows no redirection: a message is for the address that was named."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str) -> None:
        """Return nothing: the answer is an error."""


def opener(host: str) -> OpenerDirector:
    """Return what opens addresses on a host; on this machine without a proxy."""
    return build_opener(NoRedirect, *([ProxyHandler({})] if host in LOOPBACK else []))


def unknown(what: str) -> LedgerError:
    """Return the error of a post that may or may not have arrived."""
    return LedgerError(f"{what}: the post may be there or not", hint="Look into the channel before you post it again.")


def wait_of(error: HTTPError, number: int) -> float | NotSent:
    """Return the seconds to wait before a message is sent again, or the error where it is not. `number`: of the try."""
    if error.code == BUSY:
        named = error.headers.get("Retry-After", "")
        wait = float(named) if re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,6})?", named) else 1.0
        if wait > WAIT_MOST:
            return NotSent(f"the webhook wants us to wait {wait:.0f} s", hint="Post later.")
        return wait if number < TRIES_MOST else NotSent("the webhook is busy", hint="Try again later.")
    if error.code >= 500:
        return float(2 ** (number - 1))
    return NotSent(f"the webhook answers {error.code}", hint=COPY)


def find_webhook(where: str) -> Webhook:
    """Return the webhook of an address, or of a file with its address; empty: of the variable. Raises InputError."""
    text = where or os.environ.get(VARIABLE, "")
    if not text:
        raise InputError(f"{VARIABLE} is not set", hint="Set it to the webhook's address, or name a file that has it.")
    if "://" not in text:
        text = address_in(Path(text))
    try:
        address = urlsplit(text.strip())
        is_near, _ = address.hostname in LOOPBACK, address.port
    except ValueError:
        raise InputError("the webhook's address cannot be read", hint=COPY) from None
    if address.scheme != "https" and not (address.scheme == "http" and is_near):
        raise InputError("the webhook's address does not begin with https://", hint=COPY)
    parts = ((HOST, address.netloc), (PATH, address.path), (THREAD, address.query))
    if address.fragment or not all(form.fullmatch(part) for form, part in parts):
        raise InputError("this is no webhook's address: it ends in /api/webhooks/NUMBER/TOKEN", hint=COPY)
    return Webhook(address)


def address_in(path: Path) -> str:
    """Return the first line of a file. Raises Unreadable, which does not repeat it."""
    try:
        with path.open("rb") as file:
            return file.read(4096).decode("utf-8-sig").strip().partition("\n")[0]
    except (OSError, ValueError):
        hint = f"Name a file that has the webhook's address, or set {VARIABLE}."
        raise Unreadable("the file of the webhook's address cannot be read", hint=hint) from None


class PostFile:
    """What was posted from a campaign's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / POSTS

    def last(self, session: int, webhook: Webhook) -> PostRecord | None:
        """Return the last post of a session to a webhook; None if nothing of it came there. Raises Unreadable."""
        own = [each for each in self._records() if (each.session, each.webhook) == (session, webhook.hash)]
        begun = {each.at for each in own} - {each.at for each in own if each.state == "refused"}
        return next((each for each in reversed(own) if each.at in begun), None)

    def post(self, session: int, webhook: Webhook, messages: Sequence[Any], at: str) -> None:
        """Send messages. That they are sent is written before the first and after the last. Raises LedgerError."""
        record = PostRecord(session, webhook.hash, at, "begun")
        self._add(record)
        for number, message in enumerate(messages):
            try:
                webhook.send(message)
            except NotSent:
                if number == 0:
                    self._add(msgspec.structs.replace(record, state="refused"))
                raise
        self._add(msgspec.structs.replace(record, state="sent"))

    def _records(self) -> list[PostRecord]:
        try:
            with self.path.open("rb") as file:
                lines = file.read(BYTES_MOST).splitlines()
            return [msgspec.json.decode(line, type=PostRecord) for line in lines]
        except FileNotFoundError:
            return []
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            hint = "Remove the line that is broken, or the file: it says what was posted."
            raise Unreadable(f"it cannot be read: {error}", where=str(self.path), hint=hint) from error

    def _add(self, record: PostRecord) -> None:
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(record) + b"\n")
            file.flush()
            os.fsync(file.fileno())
