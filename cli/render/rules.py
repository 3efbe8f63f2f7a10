"""Rules of the book and their use in a ledger, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cli.output import align_columns, paint
from cli.questions.rule_uses import RuleUse
from cli.questions.rules import Reading, RuleEntry
from ledger.names import escape
from rulebooks.common.texts import RefusalText, Texts

SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
INDENT = "  "
PLACE = "{"  # begins the name of a value in a hint
FORM = re.compile(r"(?<=\w):\w+(?=})")  # of a value in a sentence, as in `{value:given}`


def rules_by_heading(entries: list[RuleEntry], query: str) -> Iterator[str]:
    """Return each heading with its rules: the sentence that contains the query, else the first."""
    heading = ""
    width = max(len(entry.id) for entry in entries)
    for entry in entries:
        if entry.heading != heading:
            heading = entry.heading
            yield paint(heading, bold=True)
        yield f"{INDENT}{entry.id.ljust(width)}  {_sentence(entry.text, query)}"


def refusal_in_full(texts: Texts, code: str) -> Iterator[str]:
    """Return the sentence of an error code, nothing for another query; the rules that have it come behind."""
    for refusal in texts.content.errors:
        if refusal.code.casefold() == code.casefold():
            yield f"{paint(refusal.code, bold=True)}: {_refusal_sentence(refusal)}"
            yield f"{INDENT}what to do  {refusal.hint}" if PLACE not in refusal.hint else ""


def _refusal_sentence(refusal: RefusalText) -> str:
    """Return the sentence of an error code with the names of its values: `{field} must be {domain}; got {value}`."""
    return FORM.sub("", refusal.text)


def _sentence(text: str, query: str) -> str:
    """Return the sentence that contains all words of the query, else the first."""
    sentences = SENTENCE.split(text)
    words = query.casefold().split()
    matches = (sentence for sentence in sentences if words and all(word in sentence.casefold() for word in words))
    return next(matches, sentences[0])


def rule_in_full(texts: Texts, entry: RuleEntry) -> Iterator[str]:
    """Return one rule with its source, gaps, refusals and options."""
    yield f"{paint(entry.id, bold=True)}  {entry.heading}"
    yield f"{INDENT}{entry.text}"
    refusals = {refusal.code: _refusal_sentence(refusal) for refusal in texts.content.errors}
    rows = [["from", entry.cite], ["kind", entry.kind]]
    rows += [["open in the text", gap] for gap in entry.gap]
    rows += [["refused with", f"{code}: {refusals.get(code, '')}"] for code in entry.codes]
    rows += [["option", f"{option.name} = {_value(option)} ({option.text})"] for option in entry.options]
    yield from (INDENT + line for line in align_columns(rows))


def _value(option: Reading) -> str:
    """Return the reading in force, and the default where it is another."""
    return escape(str(option.value)) + ("" if option.value == option.default else f", by default {option.default}")


def coverage(uses: Iterable[RuleUse]) -> Iterator[str]:
    """Return each heading with its rules and their use; then how many rules were used."""
    rows: dict[str, list[list[str]]] = {}
    for use in uses:
        cells = [str(use.entries), f"first in {escape(use.first)}"] if use.entries else ["-", ""]
        rows.setdefault(use.heading, []).append([use.id, *cells])
    for heading, lines in rows.items():
        yield paint(heading, bold=True)
        yield from (f"{INDENT}{line}" for line in align_columns(lines))
    all_rows = [row for lines in rows.values() for row in lines]
    yield f"{sum(row[1] != '-' for row in all_rows)} of {len(all_rows)} rules used"
