"""Find the value that a word or words name: `kess.might`, `k.mi`, `k might`, `Kess might maximum`, `time passed`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from cli.notation.known_beings import prefer_creatures
from cli.notation.known_words import list_hint, match_word, nearest_words
from cli.questions.value_words import ValueWords
from ledger.errors import InputError
from ledger.name_match import fold_name, fold_word, match_name
from ledger.names import escape

LISTED_MOST: Final = 12
ALIKE: Final = 0.5  # of a value that may be meant: its name has several words


class ValueNaming(msgspec.Struct, frozen=True, kw_only=True):
    """How values are named.

    Attributes:
        short: abbreviations of the last part of a name, `hp` for `health`.
        words: the words for values.
        things: beings that are no creatures, as values name them: others are preferred to them.
    """

    short: Mapping[str, str]
    words: ValueWords
    things: Collection[str] = ()


def find_value(
    word: str, now: Sequence[str], ever: Sequence[str], naming: ValueNaming, listed: Callable[[str], str] = str
) -> str:
    """Return the value that a word names or begins, part by part, or that words name.

    Args:
        word: as it was typed.
        now: the values that exist, preferred to `ever`.
        ever: all that may be found.
        naming: how values are named.
        listed: the form in which errors list a value.

    Raises InputError with all matches, or the nearest names.
    """
    findable = frozenset(ever)
    if word in findable:
        return word
    for known in (now, ever):
        matches = _matches(word, [name for name in known if name in findable], naming) if word.strip() else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            told = ", ".join(escape(listed(name)) for name in matches[:LISTED_MOST])
            raise InputError(f"'{escape(word)}' may be {told}", hint="Write more of it.")
    raise InputError(f"'{escape(word)}' is not a value", hint=_near_hint(word, now, naming, listed))


def _near_hint(word: str, now: Sequence[str], naming: ValueNaming, listed: Callable[[str], str]) -> str:
    """Return the hint with the nearest values that have words, else with the first of them."""
    known = {listed(name): name for name in now if not naming.words.is_silent(name)}
    folded = fold_name(word)
    near = [text for text in known if fold_name(text).startswith(folded)] or nearest_words(word, known, ALIKE)
    return (
        f"The nearest: {', '.join(map(escape, near[:LISTED_MOST]))}." if near else list_hint(list(map(escape, known)))
    )


def _matches(word: str, known: Sequence[str], naming: ValueNaming) -> list[str]:
    """Return the values that a word may mean: by its parts, as it is printed, or by the words of a being and its own.

    Parts are the beginnings of the parts of a name: `k.mi` and `k.hp` (short) for `kess.health`.
    """
    if (whole := match_word(word, known)).exact:
        return whole.words
    printed = {name: fold_name(naming.words.phrase(name)) for name in known}
    if equal := [name for name in known if printed[name] == fold_name(word)]:
        return equal
    if names := _by_parts(fold_word(word).split("."), known, naming):
        return names
    for parts in _spoken_parts(word):
        if names := _by_parts(parts, known, naming):
            return names
    return [name for name in known if not naming.words.owner(name) and printed[name].startswith(fold_name(word))]


def _spoken_parts(word: str) -> Iterator[list[str]]:
    """Yield the parts of names that words may say, the longest owner first.

    `thug 1 armor physical` is `thug-1` `armor` `physical`, and `k rest ten minutes` is `k` `rest-ten-minutes`.
    """
    words = fold_word(" ".join(word.split())).split("-")
    for end in range(len(words) - 1, 0, -1):
        yield ["-".join(words[:end]), *words[end:]]
        if end < len(words) - 1:
            yield ["-".join(words[:end]), "-".join(words[end:])]


def _by_parts(parts: list[str], known: Sequence[str], naming: ValueNaming) -> list[str]:
    """Return the names whose parts begin with these parts, the first a being's, the last perhaps a short name."""
    own = parts
    if len(parts) > 1:
        every = match_name(parts[0], [name.split(".")[0] for name in known if "." in name])
        owners = prefer_creatures(every, naming.things).words
        known = [name for name in known if name.split(".")[0] in owners]
        own = ["", *parts[1:]]
    short_names = {fold_word(letters): fold_word(name) for letters, name in naming.short.items()}
    if (last := short_names.get(own[-1])) and len(own) > 1:
        exact = [name for name in known if _begins([*own[:-1], last], name) and fold_word(name).split(".")[-1] == last]
        if exact:
            return exact
    matches = [name for name in known if _begins(own, name)]
    return [name for name in matches if fold_word(name).split(".")[1:] == own[1:]] or matches


def _begins(parts: Sequence[str], name: str) -> bool:
    """Return whether each part of a name begins with the given part."""
    own = fold_word(name).split(".")
    return len(own) == len(parts) and all(mine.startswith(part) for part, mine in zip(parts, own, strict=True))
