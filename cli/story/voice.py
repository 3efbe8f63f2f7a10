"""The voice of a story: marks of names and verbs become words, in the past, with pronouns where they are clear."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.phrases.patterns import NAMED
from cli.phrases.verbs import conjugate
from cli.story.being_names import BeingNames
from cli.story.clauses import NAME
from ledger.names import capital, escape, word_list
from rulebooks.common.pronouns import THEY, Pronouns

TOKEN: Final = re.compile(f"{NAMED.pattern}('s\\b)?|\x02(\\*?)(\\w+)\x03")
GROUP: Final = re.compile(  # a list of names, and of nothing else: not `Gaunt, Bren and two reavers`
    f"{NAME}(?:(?:, | and | or ){NAME})+(?!(?:, | and ){NAME})(?! and (?!the )[a-z])"
)
BESIDE: Final = "\x1f"  # between the names of a group in one mark
SUBJECT: Final = re.compile(
    "(?: no longer| partly| nearly| half| only| all| both| also| still)? ?\x02"
)  # behind a name
NOBODY: Final[Mapping[str, Collection[str]]] = MappingProxyType({})
QUOTE: Final = '"'
PART: Final = "\x06"  # stands before how a fight came out for each
GAP: Final = "\x07"  # between acts of several with the same verb, which only the first has
POSSESSION: Final = re.compile(  # behind an owner: what is theirs, and does something itself
    r"(?: (?!(?:and|but|or|then)\b)[^\s\x02-\x07,;:.]+){1,4} \x02"
)
NOT_SUBJECT: Final = re.compile(r"\b(?:of|on|to|from|with) $")
SENTENCE_END: Final = re.compile(r"[.?!][\"”']?\s*$")


class Utterance(msgspec.Struct):
    """A sentence while it is said: its text, the subject of its last verb, and who is in it.

    `doer` is the last subject that is somebody, and not what is theirs, `first` the first one.
    `subjects` are all that did something, also in the sentence before; `before` are those who may be called by a
    pronoun as an object because they are in that sentence.
    """

    text: str = ""
    subject: str = ""
    doer: str = ""
    first: str = ""
    is_plural: bool = False
    subjects: set[str] = msgspec.field(default_factory=set)
    here: set[str] = msgspec.field(default_factory=set)
    before: set[str] = msgspec.field(default_factory=set)


class Voice:
    """Says marked sentences aloud, paragraph by paragraph.

    Somebody is called by a pronoun where the paragraph has named nobody since whom it could mean.
    """

    def __init__(self, names: BeingNames) -> None:
        self._names = names
        self._met: set[str] = set()
        self._forget()

    def paragraph(
        self, texts: Sequence[str], heavy: Mapping[str, Collection[str]] = NOBODY, after: Sequence[str] = ()
    ) -> list[str]:
        """Return the sentences of a paragraph; who falls in a `heavy` one is named, and does nothing in the next.

        `after`: those who have just spoken, or met others: they need no name for what they do next. One of whom nobody
        has said which pronouns are theirs keeps the name.
        """
        self._forget()
        is_known = len(after) > 1 or any(map(self._names.persons.has_pronouns, after))
        if is_known and texts and texts[0] not in heavy:
            who = BESIDE.join(after)
            self._named, self._subject, self._first = [who], who, who
            self._before, self._rivals = {who}, {who}
        said = list[str]()
        for text in texts:
            said.append(self._say(text, is_heavy=text in heavy))
            self._down = frozenset(heavy.get(text, ()))
        return said

    def alone(self, text: str) -> str:
        """Return a sentence as it is understood without any other."""
        self._forget()
        met, self._met = self._met, {*NAMED.findall(text)}
        said = self._say(text)
        self._met = met
        return said

    def _forget(self) -> None:
        """Begin a paragraph, in which nobody is named yet."""
        self._named = list[str]()  # in order, a group as one
        self._subject = self._first = ""  # of the last verb, and of the first, in the last sentence
        self._before = set[str]()  # who is in the last sentence
        self._down = frozenset[str]()  # who fell in it
        self._earlier, self._rivals = set[str](), set[str]()  # and in the one before, and in both

    def _say(self, text: str, *, is_heavy: bool = False) -> str:
        """Return a sentence; a capital letter begins it."""
        if PART in text:
            one, _, other = text.partition(PART)
            said = self._say(one, is_heavy=is_heavy)
            self._forget()
            return said + PART + self._say(other)
        text = GROUP.sub(lambda group: f"\x04{BESIDE.join(NAMED.findall(group[0]))}\x05", text)
        spoken, end = Utterance(subjects={self._subject, self._first}, before=set() if is_heavy else {*self._before}), 0
        for token in TOKEN.finditer(text):
            spoken.text += text[end : token.start()]
            end = token.end()
            if token[4]:
                spoken.text += conjugate(token[4], "they" if token[3] or spoken.is_plural else "", past=True)
            else:
                self._say_name(token[1], token[2] is not None, text[end:], spoken)
        self._subject, self._before = ("" if GAP in text else spoken.doer), spoken.here
        self._first = "" if GAP in text else spoken.first
        self._earlier, self._rivals = spoken.here, spoken.here | self._earlier
        said = word_list((spoken.text + text[end:]).split(GAP))
        return said[:1] + capital(said[1:]) if said.startswith(QUOTE) else capital(said)

    def _say_name(self, name: str, is_owner: bool, after: str, spoken: Utterance) -> None:
        """Add somebody, or a group, to a sentence: by name or pronoun; `after` follows."""
        behind = NOT_SUBJECT.search(spoken.text)
        form = "owner" if is_owner else "object" if behind or not SUBJECT.match(after) else "subject"
        begins = not spoken.text or SENTENCE_END.search(spoken.text) is not None
        if begins:
            spoken.subject = spoken.doer = ""
        pronoun = None if behind and form == "object" and name == spoken.subject else self._pronoun(name, form, spoken)
        if form == "subject":
            spoken.subject = spoken.doer = name
            spoken.first = spoken.first or name
            spoken.subjects.add(name)
            pronouns = self._names.pronouns(name)
            spoken.is_plural = self._names.is_several(name) or bool(pronoun and pronouns and pronouns.plural)
        elif not spoken.subject:
            spoken.is_plural = False
        if is_owner and not behind and POSSESSION.match(after):
            spoken.subject, spoken.is_plural = "", False
        word = self._name(name, form, after[:1]) if pronoun is None else pronoun
        spoken.text += capital(word) if begins else word
        spoken.here.add(name)
        self._named.append(name)

    def _pronoun(self, name: str, form: str, spoken: Utterance) -> str | None:
        """Return the pronoun for the subject, the object or the owner; None if it would not be clear."""
        if BESIDE in name:
            is_same = {*name.split(BESIDE)} == {*self._subject.split(BESIDE)} and not spoken.here
            return THEY.subject if is_same and form == "subject" else None
        pronouns = self._names.pronouns(name)
        if pronouns is None:
            return None
        if name == spoken.subject and form != "subject":
            return pronouns.reflexive if form == "object" else pronouns.possessive
        others = spoken.here - {name, spoken.subject}
        is_unclear = self._named[-1:] != [name] or any(self._may_be_they(each) for each in others)
        if form == "object" and pronouns.plural and is_unclear:
            return None
        if form == "object":
            rivals = self._subjects_before(name, spoken) if name in spoken.here else self._rivals
            is_known = name in spoken.here | spoken.before
        else:
            rivals = set[str]() if name == spoken.subject else spoken.here - {*self._down}
            is_known = name in spoken.subjects | spoken.here
        if not is_known:
            return None
        others = {spoken.subject} if form == "object" else {*self._down} if form == "subject" else set[str]()
        if not self._is_clear(name, pronouns, rivals, others):
            return None
        return {"owner": pronouns.possessive, "subject": pronouns.subject, "object": pronouns.object}[form]

    def _subjects_before(self, name: str, spoken: Utterance) -> set[str]:
        """Return those who did something in a sentence before its last subject, if somebody was named before it too.

        In `He struck at Gorse, while Wren hit him` Wren may have hit either of the two.
        """
        if spoken.subject not in self._named:
            return set()
        since = self._named[len(self._named) - self._named[::-1].index(spoken.subject) :]
        return set() if name in since else (spoken.subjects & spoken.here) - {name}

    def _is_clear(self, name: str, pronouns: Pronouns, rivals: set[str], others: Collection[str]) -> bool:
        """Return whether somebody was named, and nobody since who could be meant as well, nor any of the rivals.

        `others` cannot be meant.
        """
        if name not in self._named:
            return False
        since = self._named[len(self._named) - self._named[::-1].index(name) :]
        everybody = {each for named in {*since, *rivals} for each in named.split(BESIDE)} - {name, *others}
        return not any(self._may_be(each, pronouns) for each in everybody)

    def _may_be_they(self, name: str) -> bool:
        """Return whether `they` may mean somebody: several, or one of whom nobody has said otherwise."""
        own = self._names.pronouns(name)
        return own is None or own.plural or not self._names.persons.has_pronouns(name)

    def _may_be(self, name: str, pronouns: Pronouns) -> bool:
        """Return whether somebody may be meant by these pronouns: `they` can be anybody, and some have none known."""
        own = self._names.pronouns(name)
        if own is None:
            return pronouns.subject == "it"
        is_known = self._names.persons.has_pronouns(name)
        return pronouns.plural or not is_known or own.subject == pronouns.subject

    def _name(self, name: str, form: str, after: str) -> str:
        """Return the name of somebody: with the epithet where it is first met, then the short one."""
        owner = "'s" if form == "owner" else ""
        if BESIDE in name:
            return self._names.group_words(name.split(BESIDE), lambda each: self._name(each, "owner", "")[:-2]) + owner
        shown, short = self._names.word_for(name), self._names.persons.short(name)
        if name in self._met:
            return (shown if short == name else escape(short)) + owner
        self._met.add(name)
        epithet = self._names.persons.epithet(name)
        if not epithet or owner:
            return shown + owner
        return f"{shown}, {escape(epithet)}" + ("" if after in ("", ".", ",", ";", ":") else ",")
