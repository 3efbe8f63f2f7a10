"""Lines of a sentence that lacks one field, with each word that may stand in it: `rests` is one of four rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.notation.known_words import find_kind_of_verb
from cli.notation.schema import fields_of
from cli.notation.tokens import quote, tokenize
from cli.notation.value_parser import ValueParser
from cli.questions.possible import why_not_said
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.words import split_words

LACKS: Final = "lacks its "  # in the error for a line without a field that it needs
OFFERED_MOST: Final = 4  # lines that are offered
TRIED_MOST: Final = 8


def lines_with_field(sentence: str, readings: Sequence[Meaning], reader: Reader) -> list[str]:
    """Return what the best reading with a known verb may be with the field that it lacks, as far as it is allowed now.

    None where a word of the sentence is left over, or any number may stand in the field.
    """
    best = next((each for each in readings if each.weight and not each.left), None)
    if best is None or best.parsed or best.error is None or LACKS not in best.error.what:
        return []
    state, book, scope = reader.ledger_state, reader.book, reader.scope
    filled = [*_filled(best.line, best.error.what.partition(LACKS)[2], reader)]
    named = [in_line(name) for each in mentions_in(split_words(sentence), reader.in_play) for name in each.names]
    others = [name for name in named if name not in best.line]
    about = [line for line in filled if any(name in line for name in others)]  # who is named is meant, and nobody else
    tried = (about or filled)[:TRIED_MOST]
    return [*islice((line for line in tried if not why_not_said(line, state, book, scope)), OFFERED_MOST)]


def _filled(line: str, lacked: str, reader: Reader) -> Iterator[str]:
    """Yield a line with each known word behind its verb that the field may have whose name begins this text."""
    tokens = tokenize(line)
    name = lacked.split(".")[0]
    by = tokens[0].raw.strip('"')
    for token in tokens[1:]:
        kind = find_kind_of_verb(token.raw, reader.scope.declarations)
        field = next((each for each in fields_of(kind) if each.name == name), None) if kind else None
        if kind and field:
            end = token.column - 1 + len(token.raw)
            words = field.item.choices or ValueParser(kind, by, reader.scope).known_words(field)
            for word in words:
                yield f"{line[:end]} {quote(word) if ' ' in word else word}{line[end:]}"
            return
