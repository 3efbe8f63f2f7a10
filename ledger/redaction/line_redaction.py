"""The words of a declaration for the players: what it names that is hidden, and its line without hidden numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.facts import Declared, Rolled
from ledger.health import HealthWording, Vitals
from ledger.line_tokens import FACES, QUOTED, TOKEN
from ledger.name_match import match_name
from ledger.names import name_key
from ledger.number_words import SAID
from ledger.records import Record

LEFT_OUT: Final = "…"  # in place of a word with hidden numbers
SEEN: Final = "seen texts"  # the key of what is left of a declaration: it is no field of any
NAMING: Final = ("who", "against", "one", "other")  # fields of facts that name somebody
DIGITS: Final = re.compile(r"[0-9]+")


class Hidden(msgspec.Struct, frozen=True, kw_only=True):
    """What is hidden from the players, and the words for it.

    Attributes:
        beings: whose numbers are hidden.
        conditions: those who have had a condition of which only a secret entry tells.
        keys: their names as values begin with them.
        vitals: of the hidden beings, as they were before the entry that is looked at.
        vital: the name of the value that says how somebody is.
        kinds: the declarations by their tags.
        wording: the words of the book.
        shows_notes: whether the game's notes to itself are left in facts.
    """

    beings: Collection[str]
    conditions: Container[str]
    keys: Collection[str]
    vitals: Mapping[str, Vitals]
    vital: str
    kinds: Mapping[str, type[Declaration]]
    wording: HealthWording
    shows_notes: bool = False

    def owns(self, value: str) -> bool:
        """Return whether a value, as `thug.health`, is a hidden being's, or the name is one."""
        return name_key(value.partition(".")[0]) in self.keys

    def is_hidden(self, *names: str) -> bool:
        """Return whether one of these is a hidden being."""
        for name in names:  # noqa: SIM110 - a generator takes twice as long, and every fact is asked
            if name in self.beings:
                return True
        return False


def says_hidden(said: Any, hidden: Hidden) -> bool:
    """Return whether a declaration says that its numbers are secret, or names a hidden being, or a value of one."""
    return any(
        hidden.owns(part) if isinstance(part, str) else isinstance(part, dict) and is_secret(part, hidden)
        for part in parts_of(said)
    )


def is_secret(said: Mapping[str, Any], hidden: Hidden) -> bool:
    """Return whether a declaration says that its numbers are secret."""
    kind = hidden.kinds.get(str(said.get("say", "")))
    return kind is not None and bool(kind.secret) and bool(said.get(kind.secret))


def parts_of(said: Any) -> list[Any]:
    """Return everything in a declaration in its order, also in one that is announced in it."""
    parts, ahead = list[Any](), [said]
    while ahead:
        part = ahead.pop()
        parts.append(part)
        if isinstance(part, str) and part.startswith("{"):
            with suppress(msgspec.DecodeError):
                ahead.append(msgspec.json.decode(part))
        elif isinstance(part, dict):
            ahead.extend(reversed(part.values()))
        elif isinstance(part, list):
            ahead.extend(reversed(part))
    return parts


def seen_declaration(fact: Declared, record: Record, said: Any, hidden: Hidden) -> Declared:
    """Return a declaration without its numbers: its kind, what is left of its line, and under `SEEN` what this says."""
    thrown = [roll for roll in record.facts if isinstance(roll, Rolled)]
    open_dice = bool(thrown) and not any(hidden.is_hidden(roll.who) for roll in thrown)
    names = [part for part in parts_of(said) if isinstance(part, str) and len(part) < 100]
    line = seen_line(fact.line, names, open_dice=open_dice)
    texts = seen_texts(said, line, record)
    return msgspec.structs.replace(
        fact,
        said=msgspec.Raw(msgspec.json.encode({"say": said.get("say", ""), **({SEEN: texts} if texts else {})})),
        line=line,
        faces=fact.faces if open_dice else None,
        claims=(),
    )


def seen_texts(said: Mapping[str, Any], line: str, record: Record) -> dict[str, Any]:
    """Return the texts of a declaration that its line says to everybody, and the names that the record's facts say."""
    known = {getattr(fact, field, "") for fact in record.facts for field in NAMING}

    def is_seen(value: Any) -> bool:
        if isinstance(value, list):
            return bool(value) and all(isinstance(each, str) and is_seen(each) for each in value)
        return isinstance(value, str) and bool(value) and (value in known or says(line, value))

    return {name: value for name, value in said.items() if name not in ("say", "by") and is_seen(value)}


def says(line: str, text: str) -> bool:
    """Return whether a line has a text in it, however its words are joined."""
    return name_key(text) in name_key(line.replace("-", " ").replace("_", " "))


def seen_line(line: str, names: Sequence[str] = (), *, open_dice: bool = False) -> str:
    """Return a line without the words that have a number in them, except in `names`; `open_dice`: with typed faces.

    A number in words is left out too.
    """

    def seen_token(match: re.Match[str]) -> str:
        token = match[0]
        if not DIGITS.search(token) or (open_dice and FACES.fullmatch(token)):
            return token
        field, equals, value = ("", "", token) if token.startswith('"') else token.rpartition("=")
        if match_name(value.strip('"'), names).words:
            return token
        if QUOTED.fullmatch(value):
            return f"{field}{equals}{DIGITS.sub(LEFT_OUT, value)}"
        return DIGITS.sub(LEFT_OUT, field) + equals + LEFT_OUT

    in_names = {word.casefold() for name in names for word in re.findall(r"\w+", name)}
    seen = TOKEN.sub(seen_token, line)
    return SAID.sub(lambda said: said[0] if said[0].casefold() in in_names else LEFT_OUT, seen)
