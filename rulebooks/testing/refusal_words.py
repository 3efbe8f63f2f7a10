"""What no refusal may show: names of the code, values of Python, empty fields; and what each must say."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.names import name_key
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.texts import Texts

PYTHON = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|frozenset|<class|object at|\w+\(\w+=|\(\)|\[\]|',\)")
EMPTY = re.compile(r"\bgot ?[.;](?!\w)|: ?[;,.](?!\.)| {2}|\s,|''|\"\"")
EXAMPLE = re.compile(r"\([^)]*=[^)]*\)")
CODE_NAMES = re.compile(r"(?<![\w.\"])[a-z]\w*(?:[._][a-z]\w*)+")


def check_wording(refusal: Refused, said: Declaration, state: State, book: Game) -> None:
    """Check that a refusal is in words that somebody at the table knows or has typed, and says what to do."""
    text = EXAMPLE.sub("", refusal.sentence)
    typed = msgspec.json.encode(said).decode()
    assert refusal.what, refusal.code
    assert refusal.hint, text
    assert not any(mark in text.replace(word, "") for word in typed_braces(typed) for mark in "{}"), text
    own = without(text, typed)
    assert not PYTHON.search(own), text
    assert not EMPTY.search(own), text
    known = " ".join((typed.casefold(), table_words(state, book), *type(said).__struct_fields__))
    unknown = [name for name in CODE_NAMES.findall(text) if not all(part in known for part in name.split("."))]
    assert not unknown, (unknown, text)


def typed_braces(typed: str) -> list[str]:
    """Return the words that a line has typed with braces in them, or one that is nowhere."""
    return [*re.findall(r"\{\w+\}", typed), "\0"]


def without(text: str, typed: str) -> str:
    """Return a text without the words in quotes that the line itself has typed."""
    for quoted in re.findall(r'"([^"\\]+)"', typed):
        text = re.sub(rf"(?<!\w){re.escape(quoted)}(?!\w)", "x", text)
    return text


def table_words(state: State, book: Game) -> str:
    """Return the words with a point or an underscore that a table types: options, situations, entries of sheets."""
    words = [key for being in state.beings_in_order() for key in (name_key(being.name), *state.sheet_of(being.name))]
    return " ".join((book_words(book.texts()), *words))


@cache
def book_words(texts: Texts) -> str:
    """Return the words of the book: options, situations, hints, and the templates of sheets."""
    words = [word for option in texts.options.values() for word in (option.name, *option.values)]
    words += [word for situation in texts.content.situations for word in (situation.name, *situation.words)]
    words += [hint for error in texts.content.errors for hint in (error.hint, *error.hints.values())]
    words += [path.read_text("utf-8") for path in texts.sheet_templates.values()]
    return " ".join(words) + " most"
