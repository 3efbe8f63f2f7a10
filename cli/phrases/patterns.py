"""Patterns of sentences, as words.toml has them: fields, optional parts, alternatives, and keys with a `*`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from cli.phrases.verbs import conjugate, is_plural
from ledger.names import escape

OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
FIELD: Final = re.compile(r"\{(\w+)\}")
VERB: Final = re.compile(r"<(\w+)>")
SUBJECT: Final = re.compile(r"(?:(\w+) )?\{(\w+)\}(?: no longer| partly| nearly)? $")  # before its verb
PREPOSITIONS: Final = ("of", "on", "to")  # before a field that is no subject: `the fire on {who} <be> out`
MARK: Final = re.compile("\x02(\\*?)(\\w+)\x03")  # a verb whose tense is not chosen; no text has these characters
NAMED: Final = re.compile("\x04([^\x05]*)\x05")  # somebody for whom a name or a pronoun is not chosen yet
ANY: Final = "*"

T = TypeVar("T")
Fields = Mapping[str, object]
Names = Callable[[str], str]  # how somebody is called in a sentence


def fill(pattern: str, fields: Fields, *, past: bool = False) -> str:
    """Return a sentence with its fields filled in: the first of the alternatives between `|` that has all of them.

    A part in square brackets is left out when one of its own fields is empty. A verb stands in angle brackets, as in
    `{who} <take> cover`: it agrees with the field before it, or as the verb before it does.
    """
    return in_tense(fill_but_verbs(pattern, fields), past=past)


def in_tense(text: str, *, past: bool = False) -> str:
    """Return a sentence of `fill_but_verbs` with its verbs in the present or the past."""
    return MARK.sub(lambda verb: conjugate(verb[2], "they" if verb[1] else "", past=past), text)


def fill_but_verbs(pattern: str, fields: Fields) -> str:
    """Return a sentence as `fill` does, with marks for its verbs, whose tense is chosen later."""

    def text(name: str) -> str:
        value = fields.get(name)
        return value if isinstance(value, Marked) else "" if value is None else escape(str(value))

    def has_all(part: str) -> bool:
        return all(text(name) for name in FIELD.findall(part))

    *better, last = pattern.split("|")
    chosen = next((each for each in better if has_all(OPTIONAL.sub("", each))), last)
    kept = OPTIONAL.sub(lambda part: part[1] if has_all(part[1]) else "", chosen)
    return FIELD.sub(lambda field: text(field[1]), _mark_verbs(kept, text))


class Marked(str):
    """A text that is escaped already, with marks for names; any other text of the ledger may hold no marks."""


def mark_name(name: str) -> Marked:
    """Return the mark of somebody in a sentence, who is named or called by a pronoun later."""
    return Marked(f"\x04{escape(name)}\x05")


def join_marked(parts: Sequence[str]) -> Marked:
    """Return parts as one text, with commas between them, in which marks stay."""
    return Marked(", ".join(part if isinstance(part, Marked) else escape(part) for part in parts))


def _mark_verbs(pattern: str, text: Callable[[str], str]) -> str:
    """Return a pattern with a mark for each verb, which says whether it is in the plural; `text`: that of a field."""
    before, *rest = VERB.split(pattern)
    marked, plural = before, False
    for verb, after in zip(rest[::2], rest[1::2], strict=True):
        subject = SUBJECT.search(before)
        if subject:
            plural = subject[1] not in PREPOSITIONS and is_plural(text(subject[2]))
        marked += mark_verb(verb, plural) + after
        before = after
    return marked


def mark_verb(verb: str, plural: bool) -> str:
    """Return the mark of a verb, whose tense is chosen later."""
    return f"\x02{'*' * plural}{verb}\x03"


def find_pattern(patterns: Mapping[str, T], name: str, more: object = "") -> tuple[T, str] | None:
    """Return the pattern for a name with more behind it, or else for the name; and what a `*` in its key stands for.

    None: there is none.
    """
    for whole in (f"{name} {more}", name):
        if whole in patterns:
            return patterns[whole], ""
        for key, pattern in patterns.items():
            before, star, after = key.partition(ANY)
            if not star or not (after or whole == name):
                continue  # a last * stands for the rest of the name alone
            if whole.startswith(before) and whole.endswith(after) and len(whole) > len(before) + len(after):
                return pattern, whole[len(before) : len(whole) - len(after)]
    return None
