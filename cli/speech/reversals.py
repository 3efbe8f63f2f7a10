"""Sentences that turn the change of an earlier line back, or say where it was to lead.

`take Pim's one back off`, `take that off him` and `she should not have got any` drop it; `that only gets him to six` is
so much less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli.notation.formatter import format_declaration
from cli.speech.earlier_lines import DROP, Earlier
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.words import Word, amount_at, clauses_in
from ledger.declarations import Declaration
from ledger.facts import Fact, PointsLost, PointsRegained, PointsSpent, PoolSet
from ledger.names import name_key
from rulebooks.common.adjustments import Adjust
from rulebooks.common.word_forms import base_forms

BACK, OFF, NOT = "back", "off", "not"
TAKING: Final = frozenset(("take", "knock", "pull", "cross"))  # ... back, from who has gained it
GIVING: Final = frozenset(("put", "give", "add", "get", "have"))  # ... back, to who has lost it
CHANGING: Final = ENGLISH.gains | ENGLISH.losses | {"get", "gain", "have"}
OWN: Final = "'s"
THOSE: Final = ENGLISH.possessives | {"those", "these", "them", "that", "this", "it", "any", "all", OWN, "the"}
IT: Final = frozenset(("that", "it", "this"))  # the line itself
TOWARDS: Final = ("to", "at")  # before what a value comes to
CHANGE: Final = "change="


def reversed_change(words: Sequence[Word], reader: Reader, earlier: Earlier) -> list[str]:
    """Return that a line which changes a value is dropped, if a clause turns it back; nothing for any other line."""
    change = _change_of(earlier.said)
    clauses = clauses_in(words) if change else ()
    return [DROP] if any(_turns_back(each, change, reader, earlier) for each in clauses) else []


def reached_change(words: Sequence[Word], reader: Reader, earlier: Earlier) -> list[str] | None:
    """Return by how much a value changes that comes to the number of a sentence; None for any other sentence."""
    if not isinstance(earlier.said, Adjust) or earlier.before is None or not _is_about(words, reader, earlier):
        return None
    amounts = [(at, amount) for at in range(len(words)) if (amount := amount_at(words, at))]
    if len(amounts) != 1 or not amounts[0][0] or words[amounts[0][0] - 1].text not in TOWARDS:
        return None
    change = amounts[0][1].number - earlier.before
    return [f"{CHANGE}{change}"] if change not in (0, earlier.said.change) else []


def value_before(facts: Iterable[Fact]) -> int | None:
    """Return what a value was before the first change of it; None if none of these facts is one."""
    for fact in facts:
        if isinstance(fact, PoolSet):
            return fact.was
        if isinstance(fact, PointsLost | PointsSpent):
            return fact.now + fact.points
        if isinstance(fact, PointsRegained):
            return fact.now - fact.points
    return None


def _change_of(said: Declaration) -> int:
    """Return by how much a line changes a value, or only its sign where a verb says that; 0 for any other line."""
    if isinstance(said, Adjust):
        return said.change
    return -1 if not ENGLISH.losses.isdisjoint(type(said).verbs) else 0


def _turns_back(clause: Sequence[Word], change: int, reader: Reader, earlier: Earlier) -> bool:
    """Return whether a clause takes back a change: what was gained is taken, what was lost given, or was not so."""
    texts = {word.text for word in clause}
    forms = {form for text in texts for form in base_forms(text)}
    amounts = {amount.number for at in range(len(clause)) if (amount := amount_at(clause, at))}
    known = {abs(change)} if isinstance(earlier.said, Adjust) else amounts
    is_meant = bool(amounts or texts & THOSE) and amounts <= known and _is_about(clause, reader, earlier)
    is_taken = bool(forms & TAKING)
    is_back = is_taken and bool(texts & {BACK, OFF})
    if change < 0:  # `take that off him` is of the loss itself
        is_back = bool(forms & GIVING and BACK in texts) or (is_taken and _ends_in_off(clause) and bool(texts & IT))
    is_denied = bool(texts & {NOT, "never"}) and bool(forms & CHANGING) and bool(amounts or texts & (THOSE - {OWN}))
    return is_meant and (is_back or is_denied)


def _ends_in_off(words: Sequence[Word]) -> bool:
    """Return whether `off` ends a clause but for whom it is of: `take that off him`, not `take it off his sheet`."""
    at = next((at for at, word in enumerate(words) if word.text == OFF), len(words))
    behind = words[at + 1 :]
    return (
        at < len(words) and len(behind) <= 1 and all(word.text not in ENGLISH.possessives - {"her"} for word in behind)
    )


def _is_about(words: Sequence[Word], reader: Reader, earlier: Earlier) -> bool:
    """Return whether all who are named in a clause have part in a line."""
    line = format_declaration(earlier.said).casefold()
    named = (reader.in_play.beings.at(words, at) for at in range(len(words)))
    names = [each.readings[0] for each in named if each and len(each.readings) == 1]
    return all(any(name.casefold() in line or name_key(name) in line for name in each) for each in names)
