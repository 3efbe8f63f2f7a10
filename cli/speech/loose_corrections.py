"""What a sentence that speaks of a mistake may change of an earlier line, in whatever order its words stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from cli.notation.formatter import format_declaration
from cli.notation.tokens import tokenize
from cli.speech.earlier_lines import is_of_another_verb
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.talk import changes_in_words
from cli.speech.words import Word, amount_at, is_passed_over, sentence_of, split_words
from ledger.declarations import Declaration

NEVER: Final = "never"
DOING: Final = ("did", "does", "do", "has", "have", "should")  # before `not`, of a deed: `oops, Bo did not take that`
CHANGES_MOST: Final = 4  # of a line that are tried


def loose_changes(line: str, reader: Reader, last: Declaration) -> list[str]:
    """Return the changes of a declaration that the names, numbers and words of a sentence may mean, as tokens.

    None where it speaks of no mistake, or of what another verb says: `that attack was meant for her`. What it takes
    back, `not four`, is no change, nor is what the line has already.
    """
    words = split_words(line)
    is_mistake = any(word.text in ENGLISH.mistaken for word in words)
    is_denied = any(
        word.text == NEVER or (word.text in ENGLISH.instead and before.text in DOING)
        for before, word in pairwise(words)
    )
    if not is_mistake or is_denied or any(is_of_another_verb(word.text, last, reader) for word in words):
        return []
    typed = [token.raw.replace('"', "").casefold() for token in tokenize(format_declaration(last))]
    known = {*typed, *(each.partition("=")[2] for each in typed)}
    changes = (
        change
        for part in _parts(_without_old(words), reader)
        for change in changes_in_words(sentence_of(part), reader, last)
        if change.replace('"', "").casefold() not in known
    )
    return [*dict.fromkeys(islice(changes, CHANGES_MOST))]


def _without_old(words: Sequence[Word]) -> list[Word]:
    """Return a sentence without what stands behind `not` or `instead of` up to a stop."""
    kept, is_old = list[Word](), False
    for word in words:
        is_old |= word.text in ENGLISH.instead
        if not is_old:
            kept.append(word)
        is_old &= not word.mark
    return kept


def _parts(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield the names, the numbers and the other words that say something, one after the other."""
    index = 0
    while index < len(words):
        named, amount = reader.in_play.beings.at(words, index), amount_at(words, index)
        size = named.size if named else amount.size if amount else 1
        if named or amount or not (is_passed_over(words[index]) or words[index].text in ENGLISH.mistaken):
            yield words[index : index + size]
        index += size
