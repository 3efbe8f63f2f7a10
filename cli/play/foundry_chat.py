"""The chat messages of Foundry (versions 12 to 14), from a file with one JSON object a line or with one array of them.

Fields are those of https://foundryvtt.com/api: ChatMessageData. All text is somebody's: markup and invisible signs are
left out, and what remains is text. A whisper and a blind roll are hidden.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.play.foundry_dice import BadRoll, RolledDice, rolled_dice
from ledger.errors import InputError, Unreadable
from ledger.names import INVISIBLE, escape

BYTES_MOST: Final = 64 << 20
ID: Final = re.compile(r"[A-Za-z0-9]{16}")
IN_CHARACTER, EMOTE = 2, 3  # CHAT_MESSAGE_STYLES
SILENT: Final = ("script", "style", "template")
NAME: Final = "foundry"


class ChatSpeaker(msgspec.Struct, frozen=True):
    """Who speaks: the name that the chat shows."""

    alias: str | None = None


class ChatMessage(msgspec.Struct, frozen=True):
    """A message as it is stored. Version 12 may say its style as a number in `type`, which later is a word."""

    id: Any = msgspec.field(default=None, name="_id")
    type: Any = None
    style: Any = None
    speaker: ChatSpeaker | None = None
    content: str | None = None
    flavor: str | None = None
    rolls: list[Any] | None = None
    whisper: list[Any] | None = None
    blind: bool | None = None
    timestamp: Any = None


class ChatItem(msgspec.Struct, frozen=True, kw_only=True):
    """What may become one line: words, or one roll of a message.

    `kind`: `quote`, `fiction` or `roll`. `key`: the request key under which it is written, so that it is written once.
    `problem`: why its dice cannot be taken.
    """

    number: int
    key: str
    kind: str
    at: str
    alias: str
    text: str
    dice: RolledDice | None = None
    hidden: bool = False
    problem: str = ""


class ChatLog(msgspec.Struct, frozen=True):
    """The items of a file, how many messages it has, and how many say nothing that a ledger records."""

    items: tuple[ChatItem, ...]
    messages: int
    left_out: int


def read_chat(path: Path) -> ChatLog:
    """Return what a file of chat messages says; one that is there twice counts once. Raises InputError, Unreadable."""
    items, seen, left_out, number = list[ChatItem](), set[str](), 0, 0
    for number, raw in enumerate(raw_messages(path), 1):
        message = read_message(raw, f"{escape(str(path))}, message {number}")
        key = message_key(message, raw)
        if key in seen:
            continue
        seen.add(key)
        own = list(items_of(message, number, key))
        items += own
        left_out += not own
    return ChatLog(tuple(items), number, left_out)


def raw_messages(path: Path) -> Iterator[bytes]:
    """Yield the messages of a file as JSON. Raises InputError for a file that is too large or cannot be read."""
    content = read_whole_file(path, BYTES_MOST, "Export fewer messages at a time.")
    content = content.removeprefix(b"\xef\xbb\xbf").strip()
    if not content.startswith(b"["):
        yield from filter(None, map(bytes.strip, content.split(b"\n")))
        return
    try:
        parts = msgspec.json.decode(content, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise no_chat(error, escape(str(path))) from None
    yield from map(bytes, parts)


def read_message(raw: bytes, where: str) -> ChatMessage:
    """Return a message. Raises Unreadable with its place and the field that is wrong."""
    try:
        return msgspec.json.decode(raw, type=ChatMessage)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise no_chat(error, where) from None


def no_chat(error: Exception, where: str) -> Unreadable:
    """Return the error of a file or a message that is no JSON of a chat."""
    return not_json(error, "no chat messages of Foundry", where, "See campaign help foundry.")


def message_key(message: ChatMessage, raw: bytes) -> str:
    """Return the request key of a message: by its id, or by its bytes if it has none of Foundry's."""
    if isinstance(message.id, str) and ID.fullmatch(message.id):
        return f"{NAME} {message.id}"
    return f"{NAME} {hashlib.sha256(raw).hexdigest()}"


def items_of(message: ChatMessage, number: int, key: str) -> Iterator[ChatItem]:
    """Yield what a message says: each of its rolls, or words of a character; nothing for any other."""
    style = message.style if isinstance(message.style, int) else message.type
    alias = message.speaker.alias if message.speaker else None
    plain = ChatItem(
        number=number,
        key=key,
        kind="quote" if style == IN_CHARACTER else "fiction",
        at=time_of(message.timestamp),
        alias=plain_text(alias or ""),
        text=plain_text(message.content or ""),
        hidden=bool(message.blind or message.whisper),
    )
    for place, roll in enumerate(message.rolls or [], 1):
        dice, problem = None, ""
        try:
            dice = rolled_dice(roll)
        except BadRoll as error:
            problem = escape(str(error))
        own = key if place == 1 else f"{key} {place}"
        text = plain_text(message.flavor or "")
        yield msgspec.structs.replace(plain, key=own, kind="roll", text=text, dice=dice, problem=problem)
    if not message.rolls and plain.text and style in (IN_CHARACTER, EMOTE):
        yield plain


def time_of(timestamp: object) -> str:
    """Return `2026-04-10 19:03` for milliseconds since 1970; empty for anything else."""
    if not isinstance(timestamp, int | float):
        return ""
    try:
        return f"{datetime.fromtimestamp(timestamp / 1000, UTC):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return ""


class TextOfHtml(HTMLParser):
    """Collects the text of HTML, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = list[str]()
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Begin an element: its text stands apart from the text before."""
        self._silent += tag in SILENT
        self.texts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._silent -= bool(self._silent) and tag in SILENT
        self.texts.append(" ")

    def handle_data(self, data: str) -> None:
        """Keep text that is shown."""
        if not self._silent:
            self.texts.append(data)


def plain_text(html: str) -> str:
    """Return the text of HTML in one line, without control and invisible characters."""
    parser = TextOfHtml()
    try:
        parser.feed(html)
        parser.close()
    except AssertionError:  # the parser of Python 3.11 gives up on a declaration that begins with no name: `<![1`
        parser.handle_data(html)
    text = "".join(parser.texts)
    visible = "".join(" " if unicodedata.category(letter) in INVISIBLE else letter for letter in text)
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def read_whole_file(path: Path, most: int, hint: str) -> bytes:
    """Return the bytes of a file. Raises InputError for one that cannot be read, or has more than `most` bytes.

    `hint`: what to do about a file that is too large.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{escape(str(path))} cannot be read: {error.strerror}", hint="Name a file.") from error
    if len(content) > most:
        raise InputError(f"{escape(str(path))} has more than {most >> 20} MiB", hint=hint)
    return content


def not_json(error: Exception, what: str, where: str, hint: str) -> Unreadable:
    """Return the error of JSON that msgspec did not decode. `what` it should be: `no actor`."""
    problem = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return Unreadable(f"{what}: {problem}", where=where, hint=hint)
