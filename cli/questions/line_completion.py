"""The words that may stand at the end of a line: who may act, verbs, and what the verb takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cli.notation.known_beings import match_being
from cli.notation.known_words import match_word
from cli.notation.schema import SIGNS, Field, fields_of
from cli.notation.scope import Scope
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.name_match import fold_name
from rulebooks.common.beings import name_in_line
from rulebooks.common.options import SetOption

MARKS = ("!", "^")  # before a speaker or a verb


def complete_line(text: str, scope: Scope, due: Sequence[str] = ()) -> list[str]:
    """Return the words that may take the place of the last word of `text`; `due` (who may act now) come first."""
    words = text.split()
    last = "" if text[-1:].isspace() or not text else words.pop()
    aside = bool(words) and words[0] in MARKS
    words = words[1:] if aside else words
    start = fold_name(last.lstrip('"'))
    known = dict.fromkeys(_candidates(words, scope, due, aside=aside))
    return [word for word in known if fold_name(word.lstrip('"')).startswith(start)] if start else list(known)


def _candidates(words: Sequence[str], scope: Scope, due: Sequence[str], *, aside: bool) -> Iterator[str]:
    """Yield every word that may follow these."""
    kinds = [kind for kind in scope.declarations if kind.verbs]
    if not words:
        yield from map(name_in_line, [*due, *(being for being in scope.beings if being not in due)])
        yield from (verb for kind in kinds if kind.aside == aside and (aside or kind.alone) for verb in kind.verbs)
        return
    by, rest = _speaker(words, scope)
    spoken = [kind for kind in kinds if kind.aside == (by == GM) or kind.alone]
    if by != GM and not rest:
        yield from (verb for kind in spoken for verb in kind.verbs)
        free = next((kind for kind in spoken if kind.free), None)
        yield from (name_in_line(word) for word in (scope.words(free, free.free, by) if free else ()))
        return
    verbs = {verb: kind for kind in spoken for verb in kind.verbs}
    if not rest:
        return
    match = match_word(rest[0], verbs)
    for kind in dict.fromkeys(verbs[word] for word in match.words):
        yield from (str(reading) for reading in scope.readings(rest[-1]) if kind is SetOption)
        yield from _words_of(kind, by, scope)


def _speaker(words: Sequence[str], scope: Scope) -> tuple[str, Sequence[str]]:
    """Return who speaks, and the words behind the name; the game master, and all words, if no being does."""
    for count in (3, 2, 1):
        match = match_being(" ".join(words[:count]).strip('"'), scope)
        if len(words) >= count and len(match.words) == 1:
            return match.words[0], words[count:]
    return GM, words


def _words_of(kind: type[Declaration], by: str, scope: Scope) -> Iterator[str]:
    """Yield the words that a declaration takes: names, choices, situations, options."""
    unused = scope.unused(kind.verbs)
    fields = [field for field in fields_of(kind) if field.name not in unused]
    for field in sorted(fields, key=lambda field: not field.item.has("being")):
        if field.has("word", "after"):
            yield from map(name_in_line, _known(field, kind, by, scope))
    for field in fields:
        for sign, note in SIGNS.items():
            if note in field.notes and not field.notes[note]:
                yield from (sign + word for word in scope.words(kind, field.name, by))
    yield from (f"{field.name}=" for field in fields if not field.has("word", "after"))


def _known(field: Field, kind: type[Declaration], by: str, scope: Scope) -> Iterable[str]:
    """Return the words that a field knows."""
    if field.shape == "flag":
        return [field.name]
    beings = scope.beings if field.item.has("being") or field.has("being") else ()
    return [*beings, *field.item.choices, *scope.words(kind, field.name, by)]
