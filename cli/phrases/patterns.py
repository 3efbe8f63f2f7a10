"""Patterns of sentences, as words.toml has them: fields, optional parts, alternatives, and keys with a `*`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from ledger.names import escape

OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
FIELD: Final = re.compile(r"\{(\w+)\}")
ANY: Final = "*"

Fields = Mapping[str, object]
Names = Callable[[str], str]  # how somebody is called in a sentence


def fill(pattern: str, fields: Fields) -> str:
    """Return a sentence with its fields filled in: the first of the alternatives between `|` that has all of them.

    A part in square brackets is left out when one of its own fields is empty.
    """

    def text(name: str) -> str:
        value = fields.get(name)
        return "" if value is None else escape(str(value))

    def has_all(part: str) -> bool:
        return all(text(name) for name in FIELD.findall(part))

    *better, last = pattern.split("|")
    chosen = next((each for each in better if has_all(OPTIONAL.sub("", each))), last)
    kept = OPTIONAL.sub(lambda part: part[1] if has_all(part[1]) else "", chosen)
    return FIELD.sub(lambda field: text(field[1]), kept)


def find_pattern(patterns: Mapping[str, str], name: str, more: object = "") -> tuple[str, str] | None:
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
