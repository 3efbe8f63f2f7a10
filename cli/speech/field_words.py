"""The words that the fields of a line take by themselves, and how the line writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from cli.notation.schema import Syntax
from cli.notation.value_parser import ValueParser
from cli.speech.english import ENGLISH
from cli.speech.slots import in_line
from ledger.name_match import fold_word

SHORT_FORMS: Final = (3, 4)  # letters of the short form of a word


def words_of_fields(syntax: Syntax, values: ValueParser) -> Mapping[str, str]:
    """Return the words that a field takes by themselves, folded, and how the line writes them."""
    words: dict[str, str] = {}
    for field in syntax.bare:
        item = field.item.parts[0] if field.item.shape in ("struct", "pair") else field.item
        if field.has("being") or field.has("entry"):
            continue
        if item.shape == "flag":
            words[fold_word(field.name)] = field.name
        for word in item.choices or (values.understood_words(field) if item.shape == "text" else ()):
            words.setdefault(fold_word(word), in_line(word) if " " in word else word)
            words.setdefault(fold_word(word).replace("_", "-"), word)
    for field in syntax.fields:
        if field.required and field.has("word") and field.shape == "text":
            words = {**dict(_short_forms(values.known_words(field))), **words}
    for known in list(words):
        if not (end := known.rpartition("-")[2]).isdecimal():  # the 3 of a rule's id names no rule
            words.setdefault(end, words[known])  # the sword is the arming sword
    for field in syntax.fields:
        if field.shape == "choice" and field not in syntax.bare:
            for word in field.item.choices:
                words.setdefault(fold_word(word).replace("_", "-"), f"{field.name}={word}")
    return words


def _short_forms(known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the first letters of the words of which a line needs one, where they begin one alone: `dex`."""
    known = [each for each in known if each.isalpha()]
    for short in sorted({each[:count] for each in known for count in SHORT_FORMS if len(each) > count}):
        meant = [each for each in known if each.startswith(short)]
        if len(meant) == 1 and short not in ENGLISH.little | ENGLISH.repeating:
            yield short, meant[0]
