"""Results of a book with their signs and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cli.web.pages.content import Mark
from ledger.facts import BaseFact, Judged
from ledger.names import escape
from rulebooks.common.texts import Wording


def marks(facts: Iterable[BaseFact], results: Iterable[str], wording: Wording) -> list[Mark]:
    """Return the results that have a colour or a sign in this book and that the words of the results name, in order."""
    text = "; ".join(results)
    words = {fact.result for fact in facts if isinstance(fact, Judged)} & {*wording.colours, *wording.glyphs}
    named = [(match.start(), word) for word in words if (match := re.search(rf"\b{re.escape(escape(word))}\b", text))]
    return [mark(word, wording) for _, word in sorted(named)]


def mark(word: str, wording: Wording) -> Mark:
    """Return a result with its sign and colour."""
    return Mark(word=escape(word), sign=wording.glyphs.get(word, ""), tone=wording.colours.get(word, ""))
