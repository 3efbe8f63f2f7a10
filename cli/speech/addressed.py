"""Whom a sentence is said to: `Tess: can he see me?` is asked by Tess, `Bo, what have you got left?` of Bo.

`Pim's down, everyone` is said to the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.speech.beings import Beings
from cli.speech.doubts import without_leads
from cli.speech.english import ENGLISH
from cli.speech.words import Word, clauses_in

SPEAKS: Final = ":"
ASKED: Final = ","
FIRST: Final = ({"i", "me", "myself"}, {"my"})  # those who speak, and what is theirs
SECOND: Final = ({"you", "yourself"}, {"your"})
OF: Final = "'s"
AUDIENCE_MOST: Final = 2  # words for the table: `you guys`


def with_name_addressed(words: Sequence[Word], beings: Beings) -> Sequence[Word]:
    """Return a question with the name that stands before it in place of the pronouns that mean it; else nothing."""
    words = without_leads(words)
    named = beings.at(words, 0, loose=True)
    asked = without_leads(words[named.size :]) if named else ()
    mark = words[named.size - 1].mark if named else ""
    is_one = named is not None and len(named.readings) == len(named.readings[0]) == 1
    if not (is_one and named and asked and asked[0].text in ENGLISH.asking and mark in (SPEAKS, ASKED)):
        return ()
    persons, possessives = FIRST if mark == SPEAKS else SECOND
    name = named.readings[0][0]
    meant = list[Word]()
    for word in asked:
        is_own = word.text in possessives
        meant.append(word._replace(raw=name, text=name, column=0) if is_own or word.text in persons else word)
        meant += [Word(OF, OF, len(name))] if is_own else []
    return meant


def without_audience(typed: str, words: Sequence[Word], beings: Beings) -> str:
    """Return a sentence of somebody who is named first without the clauses that call the table: `folks`, `everyone`.

    Who is to do something is called by a sentence of nobody: `roll initiative, everybody`.
    """
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.leads | ENGLISH.audience), 0)
    named = beings.at(words, start)
    if named is None or named.is_everybody or words[start].text in ENGLISH.audience:
        return typed
    for at in range(len(words) - 1, -1, -1):
        clause = next(iter(clauses_in(words[at:])), ())
        is_clause = not at or words[at - 1].mark == ","
        if is_clause and len(clause) <= AUDIENCE_MOST and all(word.text in ENGLISH.audience for word in clause):
            end = clause[-1].column - 1 + len(clause[-1].raw)
            before = words[at - 1] if at else None
            begin = before.column - 1 + len(before.raw) if before else 0
            typed = typed[:begin] + (typed[end:] if before else typed[end:].lstrip(" ,"))
    return typed
