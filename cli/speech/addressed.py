"""Questions that begin with a name: `Tess: can he see me?` is asked by Tess, `Bo, what have you got left?` of Bo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.speech.beings import Beings
from cli.speech.doubts import without_leads
from cli.speech.english import ENGLISH
from cli.speech.words import Word

SPEAKS: Final = ":"
ASKED: Final = ","
FIRST: Final = ({"i", "me", "myself"}, {"my"})  # those who speak, and what is theirs
SECOND: Final = ({"you", "yourself"}, {"your"})
OF: Final = "'s"


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
