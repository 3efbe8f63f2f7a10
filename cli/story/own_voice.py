"""Sentences of a table's own in place of those of its book: a TOML file with tables as `[narration]` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.notation.known_words import list_hint, nearest_words
from cli.notation.tokens import join_with_or
from cli.phrases.patterns import FIELD, OPTIONAL, VERB
from cli.story.results import NEAR
from ledger.errors import Unreadable
from ledger.names import normalize
from rulebooks.common.narration import Narration

OPEN: Final = ("tasks", "arms")  # tables that take keys which the book does not have
LENGTH_MOST: Final = 300
SIGNS: Final = re.compile(r"[\[\]{}<>]")


def own_voice(content: Mapping[str, Any], narration: Narration, where: str) -> Narration:
    """Return the narration of a book with the sentences of a file in place of its own.

    A result with a sentence of the table's own has no variants of the book's, nor one for a close roll.

    Raises Unreadable for what is no table of sentences, no key of the book, or no sentence.
    """
    tables = sentence_tables(narration)
    changed = dict[str, Any]()
    for table, sentences in content.items():
        if table not in tables:
            raise Unreadable(f"'{table}' is no table of sentences", where=where, hint=list_hint([*tables]))
        place = f"{where}, {table}"
        if not isinstance(sentences, Mapping):
            raise Unreadable("it is no table", where=place, hint=f"Write below [{table}], one sentence a line.")
        changed[table] = {**tables[table], **dict(_sentences(sentences, table, tables[table], place))}
    own = content.get("results", {})
    if own:
        variants = changed.get("variants", narration.variants)
        given = content.get("variants", {})
        changed["variants"] = {key: value for key, value in variants.items() if key in given or key not in own}
        near = {f"{key} {NEAR}" for key in own} - own.keys()
        changed["results"] = {key: value for key, value in changed["results"].items() if key not in near}
    return msgspec.structs.replace(narration, **changed)


def sentence_tables(narration: Narration) -> dict[str, Mapping[str, Any]]:
    """Return the tables of a narration by name."""
    values = ((field, getattr(narration, field)) for field in narration.__struct_fields__)
    return {field: value for field, value in values if isinstance(value, Mapping)}


def _sentences(
    sentences: Mapping[str, Any], table: str, known: Mapping[str, Any], where: str
) -> Iterator[tuple[str, Any]]:
    """Yield the sentences of one table, checked against those of the book."""
    fields = {field for value in known.values() for text in texts_of(value) for field in FIELD.findall(text)}
    for key, value in sentences.items():
        place = f"{where}, {key}"
        if key not in known and table not in OPEN:
            near = nearest_words(key, known)
            hint = f"Did you mean {join_with_or(near)}?" if near else list_hint([*known])
            raise Unreadable("the book has no sentence of this name", where=place, hint=hint)
        is_list = any(not isinstance(each, str) for each in known.values())
        if isinstance(value, str) is is_list or not all(isinstance(text, str) for text in texts_of(value)):
            form = "a list of texts" if is_list else "a text in quotes"
            raise Unreadable("it does not fit", where=place, hint=f"It takes {form}.")
        for text in texts_of(value):
            check_sentence(text, fields, place)
        yield key, tuple(value) if is_list else value


def texts_of(value: Any) -> Sequence[Any]:
    """Return the sentences of one key: one, or several in a list."""
    return [value] if isinstance(value, str) or not isinstance(value, list | tuple) else value


def check_sentence(text: str, fields: set[str], where: str) -> None:
    """Raise Unreadable for a sentence whose signs do not match, or with a field that no sentence of its table has."""
    clean = normalize(text, where=where, most=LENGTH_MOST)
    for field in FIELD.findall(clean):
        if field not in fields:
            has = ", ".join(f"{{{each}}}" for each in sorted(fields)) or "no fields"
            raise Unreadable(f"it has no {{{field}}}", where=where, hint=f"It may have {has}.")
    left = VERB.sub("", FIELD.sub("", OPTIONAL.sub(lambda part: part[1], clean)))
    if found := SIGNS.search(left):
        hint = "Fields stand in {}, verbs in <>, what may be left out in [] (not one in another)."
        raise Unreadable(f"its '{found[0]}' has no other half", where=where, hint=hint)
