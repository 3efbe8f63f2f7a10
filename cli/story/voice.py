"""The voice of a story: marks of names and verbs become words, in the past, with pronouns where they are clear."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from cli.phrases.patterns import NAMED
from cli.phrases.verbs import conjugate
from cli.story.being_names import BeingNames
from ledger.names import capital, escape, word_list
from rulebooks.common.pronouns import Pronouns

TOKEN: Final = re.compile(f"{NAMED.pattern}('s\\b)?|\x02(\\*?)(\\w+)\x03")
SUBJECT: Final = re.compile("(?: no longer| partly| nearly| only| all| both| also| still)? ?\x02")  # behind a name
PART: Final = "\x06"  # stands before how a fight came out for each
GAP: Final = "\x07"  # between acts of several with the same verb, which only the first has
BETWEEN: Final = (", ", " and ", " or ")  # in a list
NOT_SUBJECT: Final = re.compile(r"\b(?:of|on|to|from|with) $")
SENTENCE_END: Final = re.compile(r"[.?!][\"”']?\s*$")


class Voice:
    """Says marked sentences aloud, paragraph by paragraph.

    Somebody is called by a pronoun where the paragraph has named nobody since whom it could mean.
    """

    def __init__(self, names: BeingNames) -> None:
        self._names = names
        self._met: set[str] = set()
        self._forget()

    def paragraph(self, texts: Iterable[str]) -> list[str]:
        """Return the sentences of a paragraph."""
        self._forget()
        return [self._say(text) for text in texts]

    def alone(self, text: str) -> str:
        """Return a sentence as it is understood without any other."""
        self._forget()
        met, self._met = self._met, {*NAMED.findall(text)}
        said = self._say(text)
        self._met = met
        return said

    def _forget(self) -> None:
        """Begin a paragraph, in which nobody is named yet."""
        self._named = list[frozenset[str]]()  # in order, those of a list together
        self._subject = ""  # of the last verb

    def _say(self, text: str) -> str:
        """Return a sentence; a capital letter begins it."""
        if PART in text:
            one, _, other = text.partition(PART)
            said = self._say(one)
            self._forget()
            return said + PART + self._say(other)
        said, end, subject, plural = "", 0, "", False
        subjects, here, self._subject = {self._subject}, set[str](), ""
        tokens = list(TOKEN.finditer(text))
        lists = names_in_lists(text, tokens)
        for index, token in enumerate(tokens):
            said += text[end : token.start()]
            end = token.end()
            if token[4]:
                said += conjugate(token[4], "they" if token[3] or plural else "", past=True)
                continue
            name, is_owner = token[1], token[2] is not None
            is_subject = not is_owner and bool(SUBJECT.match(text, end)) and not NOT_SUBJECT.search(said)
            form = "owner" if is_owner else "subject" if is_subject else "object"
            is_own = form == "object" and name == subject and NOT_SUBJECT.search(said)
            pronoun = None if index in lists or is_own else self._pronoun(name, form, subject, subjects, here)
            if is_subject:
                self._subject = "" if index in lists else name
                subjects.add(self._subject)
            if is_subject or not subject or SENTENCE_END.search(said):
                subject, plural = (name if is_subject else ""), False
            if is_subject:
                plural = index not in lists and (
                    (pronoun is not None and self._is_plural(name)) or self._names.is_several(name)
                )
            word = pronoun if pronoun is not None else self._name(name, form, text[end : end + 1], index in lists)
            said += capital(word) if not said or SENTENCE_END.search(said) else word
            here.add(name)
            goes_on = index in lists and index - 1 in lists and bool(self._named)
            self._named[-goes_on or len(self._named) :] = [frozenset([*(self._named[-1] if goes_on else ()), name])]
        said += text[end:]
        self._subject = "" if GAP in said else self._subject
        said = word_list(said.split(GAP))
        return said[:1].upper() + said[1:]

    def _pronoun(self, name: str, form: str, subject: str, subjects: set[str], here: set[str]) -> str | None:
        """Return the pronoun for somebody, if it is clear who is meant.

        Args:
            name: who it is.
            form: subject, object or owner.
            subject: who does it.
            subjects: all who did something in this sentence, and the last of the one before.
            here: all who are named in this sentence.
        """
        pronouns = self._names.pronouns(name)
        if pronouns is None:
            return None
        if form == "object" and name == subject:
            return pronouns.reflexive
        is_own = form == "owner" and name == subject
        other = subject if form == "object" else ""  # who would be called themself
        if form == "object" and pronouns.plural and name not in here:
            return None
        if not is_own and not self._is_clear(name, pronouns, other):
            return None
        if form == "subject" and name not in subjects:
            return None
        return {"owner": pronouns.possessive, "subject": pronouns.subject, "object": pronouns.object}[form]

    def _is_clear(self, name: str, pronouns: Pronouns, other: str) -> bool:
        """Return whether somebody was named, and nobody with them or since who could be meant as well."""
        last = next((index for index in range(len(self._named), 0, -1) if name in self._named[index - 1]), 0)
        others = {each for named in self._named[last - 1 :] for each in named if each not in (name, other)}
        return bool(last) and not any(self._may_be(each, pronouns) for each in others)

    def _may_be(self, name: str, pronouns: Pronouns) -> bool:
        """Return whether somebody may be meant by these pronouns: `they` can be anybody, and some have none known."""
        own = self._names.pronouns(name)
        if own is None:
            return pronouns.subject == "it"
        is_known = self._names.persons.has_pronouns(name)
        return pronouns.plural or not is_known or own.subject == pronouns.subject

    def _is_plural(self, name: str) -> bool:
        pronouns = self._names.pronouns(name)
        return pronouns is not None and pronouns.plural

    def _name(self, name: str, form: str, after: str, is_listed: bool) -> str:
        """Return the name of somebody: with the epithet where it is first met, then the short one."""
        shown, short = self._names.word_for(name), self._names.persons.short(name)
        epithet, owner = self._names.persons.epithet(name), "'s" if form == "owner" else ""
        if name in self._met:
            return (shown if short == name else escape(short)) + owner
        self._met.add(name)
        if not epithet or is_listed or owner:
            return shown + owner
        return f"{shown}, {escape(epithet)}" + ("" if after in ("", ".", ",", ";", ":") else ",")


def names_in_lists(text: str, tokens: list[re.Match[str]]) -> set[int]:
    """Return which of the tokens are names in a list of names."""
    found = set[int]()
    for index, (one, other) in enumerate(pairwise(tokens)):
        if one[1] is not None and other[1] is not None and text[one.end() : other.start()] in BETWEEN:
            found |= {index, index + 1}
    return found
