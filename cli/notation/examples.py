"""Examples of lines with the names in play: a book's examples name beings of its own, a table has others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cli.notation.known_beings import LESSER_WORDS, match_being
from cli.notation.schema import EXAMPLE
from cli.notation.scope import ExampleName, Names, Scope
from cli.notation.tokens import quote
from ledger.declarations import Declaration
from ledger.name_match import fold_name
from rulebooks.common.texts import NOBODY

SPEAKER: Final = r"((?:[!^=] )?)([a-z](?:,[a-z])*)(?= )"
WORD: Final = r"[^\W\d_]+(?:-[^\W\d_]+)*(?: ?\d+)?"
QUOTED: Final = r'("[^"]*")'


def example_names(book: Mapping[str, Sequence[str]], in_play: Mapping[str, Sequence[str]], scope: Scope) -> Names:
    """Return who stands for each name of the examples of a book.

    Args:
        book: the names in its examples, by kind of being.
        in_play: the beings in play, by kind; the first stands for the first name.
        scope: how their names may be typed.
    """
    names = dict[str, ExampleName]()
    for kind, words in book.items():
        beings = in_play.get(kind, ())
        for index, word in enumerate(words):
            label = NOBODY.get(kind, kind.upper())
            nobody = ExampleName(label, label, label)
            names[word] = _example_name(beings[index % len(beings)], scope) if beings else nobody
    return names


def _example_name(being: str, scope: Scope) -> ExampleName:
    """Return how a being may be typed: the shortest words that mean it alone."""
    words = [*_short_forms(being), quote(being)]
    typed = next(word for word in words if word == quote(being) or match_being(word, scope).words == [being])
    letters = (being[0].casefold(), typed[0])
    initial = next((letter for letter in letters if match_being(letter, scope).words == [being]), typed)
    return ExampleName(typed, being, initial)


def _short_forms(being: str) -> Iterator[str]:
    """Yield words that may mean a being: a word of its name, its name with its number, the whole name."""
    *words, last = being.casefold().split()
    if last.isdecimal() and words:
        yield f"{fold_name(words[-1])}{last}"
    alone = sorted((*words, last), key=lambda word: word.rstrip(".") in LESSER_WORDS)
    yield from (word for word in alone if word.isalpha() and len(word) > 1)
    yield fold_name(being)


def with_names_in_play(example: str, names: Names) -> str:
    """Return an example of a line with the names in play."""
    by_letter = {word[0]: name for word, name in reversed(list(names.items()))}
    speakers = re.match(SPEAKER, example)
    start = ""
    if speakers and all(letter in by_letter for letter in speakers[2].split(",")):
        start = speakers[1] + ",".join(by_letter[letter].initial for letter in speakers[2].split(","))
        example = example[speakers.end() :]
    parts = re.split(QUOTED, example)
    parts[::2] = [re.sub(WORD, lambda match: _typed(match[0], names), part) for part in parts[::2]]
    parts[1::2] = [prose_with_names(part, names) for part in parts[1::2]]
    return start + _named_once("".join(parts), names)


def _named_once(example: str, names: Names) -> str:
    """Return an example in which nobody stands twice in a row, where one being stands for several of the book."""
    typed = {name.typed for name in names.values()}
    for word in map(re.escape, sorted(typed)):
        example = re.sub(rf"(?<![^\s,])({word})(?:[ ,]\1)+(?![^\s,])", r"\1", example)
    return example


def prose_with_names(text: str, names: Names) -> str:
    """Return a text with the names in play for those of the book that are written with a capital."""
    return re.sub(WORD, lambda match: _printed(match[0], names), text)


def _typed(word: str, names: Names) -> str:
    """Return the word to type for a word of an example, and the number behind it if that is not part of a name."""
    name, number = _split_number(word, names)
    return names[name.casefold()].typed + number if name.casefold() in names else word


def _printed(word: str, names: Names) -> str:
    name, number = _split_number(word, names)
    return names[name.casefold()].name + number if name.casefold() in names and name[0].isupper() else word


def _split_number(word: str, names: Names) -> tuple[str, str]:
    """Return a word without the number behind it, and the number, unless the word is a name with its number."""
    if word.casefold() in names:
        return word, ""
    name = word.rstrip("0123456789").rstrip(" ")
    return name, word[len(name) :]


def text_with_names(text: str, names: Names) -> str:
    """Return a text with its examples in backticks, and the names beside them, as they are in play."""
    parts = EXAMPLE.split(text)
    parts[::2] = [prose_with_names(part, names) for part in parts[::2]]
    parts[1::2] = [f"`{with_names_in_play(part, names)}`" for part in parts[1::2]]
    return "".join(parts)


def example_hint(kind: type[Declaration], scope: Scope, by: str = "") -> str:
    """Return the hint that shows how the declaration is written: the example in its docstring, as said by `by`."""
    example = EXAMPLE.search(kind.__doc__ or "")
    if example is None:
        return f"It begins with '{kind.verbs[0]}'."
    return f"For example: {with_names_in_play(' '.join(example.group(1).split()), scope.examples(by))}"
