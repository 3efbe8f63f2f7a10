"""What somebody has no more: `that dagger's at the bottom of the well, cross it off`, `Dov lost his shield`.

The sheet of a book may list what somebody has in an entry; the ruling that leaves the item out of it is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.notation.tokens import quote
from cli.questions.possible import why_not_said
from cli.speech.english import ENGLISH
from cli.speech.heard import ASKED_MOST, Unclear, unclear
from cli.speech.readings import Reader
from cli.speech.reversals import OFF
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.words import Word, is_passed_over
from ledger.errors import LedgerError
from rulebooks.common.word_forms import base_forms

BETWEEN: Final = ","  # items of an entry
NAME_LEAST: Final = 3  # letters of an item


def with_lost_item(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return the question with the ruling that somebody has an item no more first; the error for another sentence."""
    lines = [*_lines(words, reader)] if _says_loss(words) else []
    if not lines:
        return error
    asked = error.lines if isinstance(error, Unclear) else ()
    then = error.then if isinstance(error, Unclear) else {}
    return unclear(typed, [*lines, *asked][:ASKED_MOST], then=then)


def _says_loss(words: Sequence[Word]) -> bool:
    """Return whether something is crossed off, or lost, broken or gone."""
    forms = {form for word in words for form in base_forms(word.text)}
    is_crossed = bool(forms & ENGLISH.crossing) and any(word.text == OFF for word in words)
    return is_crossed or bool(forms & ENGLISH.lost)


def _lines(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the rulings that leave an item of a sentence out of the entry of those who are named."""
    state = reader.ledger_state.state
    forms = {form for word in words if not is_passed_over(word) for form in base_forms(word.text)}
    names = dict.fromkeys(name for each in mentions_in(words, reader.in_play) for name in each.names)
    for name in names:
        for key, value in state.sheet_of(name).items():
            items = [item.strip() for item in value.split(BETWEEN)] if isinstance(value, str) else []
            for item in (item for item in items if len(item) >= NAME_LEAST):
                if forms.isdisjoint({item.casefold(), item.casefold().split()[-1]}):
                    continue
                left = f"{BETWEEN} ".join(other for other in items if other != item)
                line = f"! ruling {quote(f'{item} lost')} {quote('as said')} {in_line(name)}.{key}={quote(left)}"
                if why_not_said(line, reader.ledger_state, reader.book, reader.scope) is None:
                    yield line
