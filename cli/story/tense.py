"""People's own sentences in the past: `Pell lays down the axe and runs` is `Pell laid down the axe and ran`.

A text is read from left to right. Behind who does something, and behind a word that begins another clause, the first
verb of the third person is put in the past; a text of which a verb is not known stays as people said it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from cli.phrases.patterns import mark_name, mark_verb
from cli.phrases.verbs import FORMS, HELPERS, OBJECTS, OF_BOOKS, PASTS, PREPOSITIONS, VERBS, base_forms, conjugate
from cli.story.plain_words import plain_words, small_start
from ledger.names import escape

SPOKEN: Final = re.compile(  # somebody speaks, asks, or means what was not so then
    r"[?!\"“”]|\b(?:I|we|us|you|my|our|your|me|let's|please|if)\b|\w'(?:re|ve|ll|d|m)\b"
    r"|\b(?:he|she|it|that|there|who|what|here|nobody)'s\b",
    re.IGNORECASE,
)
NOT: Final = {  # contracted
    "isn't": "wasn't", "aren't": "weren't", "doesn't": "didn't", "don't": "didn't", "hasn't": "hadn't",
    "haven't": "hadn't", "can't": "couldn't", "won't": "wouldn't",
}  # fmt: skip
HELPING: Final = {
    form: then for now_one, now_several, *thens in FORMS.values()
    for form, then in zip((now_one, now_several), thens, strict=True)
}  # fmt: skip
STAYS: Final = ("do", "have", "need", "may", "can", "cannot")  # behind another verb, as they are
JOINS: Final = frozenset(("and", "but", "or", "then", "yet"))  # behind which the same one may do something else
RELATIVES: Final = frozenset(("who", "which", "that", "what", "so"))  # behind which a verb may stand at once
BEGINS: Final = RELATIVES | {
    "how", "why", "where", "when", "whose", "before", "after", "until", "till", "while", "because", "whether", "as",
    "than", "since",
}  # fmt: skip
SEVERAL: Final = frozenset(("they", "both", "all", "others", "men", "women", "people", "these", "those"))
SHARES: Final = frozenset(("all", "half", "many", "most", "none", "some"))  # of several, who come behind them
PLAIN: Final = frozenset(("he", "she", "it", "they", "nobody", "everybody", "somebody", "everyone", "one", "all"))
SUBJECTS: Final = frozenset(("he", "she", "they"))  # behind a verb another clause begins with them: `knew they had`
NO_SUBJECT: Final = frozenset((  # before a noun
    "a", "an", "the", "his", "her", "its", "their", "every", "some",
))  # fmt: skip
OF: Final = ("of", "and")  # stand behind a noun
UNSURE: Final = "?"  # for a word that may be a verb or a noun
CALL: Final = re.compile(r"^[^,]+, [\w'-]+$")  # ends what is said to somebody: `row, love`
MANNER: Final = re.compile(r"(?:ing|ly|ed|en)$")  # ends how somebody does it: `a week in bed, complaining`
HAD: Final = re.compile(rf"\bhad (\w+ed|{'|'.join({*PASTS.values()} - {'put', 'set', 'cut', 'let', 'read'})})\b")
AND_WAS: Final = re.compile(r"(\b(?:and|but|then) )was\b")  # of who begins a text, whom a pronoun may stand for


def in_past(text: str) -> str:
    """Return a text of people with its verbs in the past, as it follows a colon; empty for one that cannot be.

    A text without a verb, and one that is in the past, is as it is.
    """
    said = text.strip().rstrip(".")
    if not said or SPOKEN.search(said) or not (HELPERS - {*HELPING}).isdisjoint(said.casefold().split(" ")):
        return ""
    told = list[str]()
    clause, is_open = list[str](), True
    words = said.split(" ")
    for place, word in enumerate(words):
        bare = word.rstrip(",;:")
        done = verb_in_past(bare, clause, words[place + 1 :], goes_on=told != words[:place]) if is_open else ""
        if done == UNSURE:
            return ""
        if done:
            clause, is_open = [*clause, bare], False
        elif bare.casefold() in {*HELPING} - {*STAYS} or (is_open and bare in NOT):
            return ""
        elif bare in JOINS or bare in BEGINS or (bare in SUBJECTS and not is_open):
            clause, is_open = [bare], True
        elif is_open:
            clause.append(bare)
            is_open = not is_past(bare, clause)
        told.append(done + word[len(bare) :] if done else word)
        if word != bare:
            clause, is_open = [], True
    if told == words and CALL.search(said) and not MANNER.search(said):
        return ""
    return small_start(HAD.sub(r"\1", " ".join(told)))


def marked_in_past(text: str, who: Mapping[str, str]) -> str:
    """Return a text in the past with marks for who begins it and for their verb, so that a pronoun may stand for them.

    `who` are those who may, each by what the text calls them.
    """
    done = in_past(text)
    called = next((each for each in who if done.startswith(f"{each} ")), "")
    now, then = (each[len(called) :].split(" ")[1] if called else "" for each in (text, done))
    verb = next((each for each in base_forms(now) if conjugate(each, past=True) == then), "")
    if not verb:
        return escape(done)
    was = mark_verb("be", plural=False)
    rest = AND_WAS.sub(lambda found: f"{found[1]}{was}", escape(done[len(called) + len(then) + 1 :]))
    return f"{mark_name(who[called])} {mark_verb(verb, plural=False)}{rest}"


def verb_in_past(word: str, clause: list[str], behind: list[str], *, goes_on: bool) -> str:
    """Return a word in the past that is the verb of its clause, which begins with these words; else nothing.

    `goes_on`: another verb stands before it.
    """
    before, nearest = (each[0].rstrip(",;:").casefold() if each else "" for each in (clause[::-1], behind))
    is_first = not clause or before in JOINS or before in RELATIVES
    if word in NOT or word in HELPING:
        subject = "they" if word in ("are", "have", "do") else ""
        return "" if is_first and word in STAYS else NOT.get(word) or conjugate(base_of(word), subject, past=True)
    if (
        not word.islower()
        or word in PREPOSITIONS
        or before.endswith("'s")
        or before in NO_SUBJECT | (PREPOSITIONS - BEGINS) | describing_words()
    ):
        return ""
    is_followed = (nearest in words_behind_verbs() and nearest != "of") or behind[0][:1].isupper() if behind else False
    verb = known_verb(word, is_several=is_several(clause))
    is_more = goes_on and before in JOINS
    if verb and (is_followed or is_certain(verb, clause) or is_more or (behind and not is_first and nearest not in OF)):
        return conjugate(verb, past=True)
    if verb and not is_first and nearest != "of":
        return UNSURE
    unknown = base_forms(word)[-1:] if clause and not is_first and is_followed and before not in SEVERAL else []
    if unknown and nearest not in OBJECTS:
        return UNSURE
    return conjugate(unknown[0], past=True) if unknown else ""


def known_verb(word: str, *, is_several: bool) -> str:
    """Return the verb of which a word is the third person, or the form behind several; empty for no known one."""
    forms = [word] if is_several else base_forms(word)
    words = plain_words()
    known = {*VERBS, *PASTS, *OF_BOOKS, *words.yielding.split(), *words.happening.split()}
    return next((each for each in forms if each in known), "")


def is_certain(verb: str, clause: list[str]) -> bool:
    """Return whether a word is a verb and no noun: by who is before it, or as few nouns are like it."""
    is_named = bool(clause) and (clause[-1].casefold() in PLAIN | RELATIVES or clause[-1][:1].isupper())
    happens = clause[:1] and clause[0].casefold() in OBJECTS and verb in plain_words().happening.split()
    return verb in PASTS or verb in plain_words().yielding.split() or is_named or bool(happens)


def is_several(clause: list[str]) -> bool:
    """Return whether who does something in a clause is several: `they`, `two rungs of it`, but not `his`."""
    of = next((place for place, word in enumerate(clause) if place and word in PREPOSITIONS), len(clause))
    head = clause if clause[of - 1 : of] and clause[of - 1].casefold() in SHARES else clause[:of]
    last = head[-1].casefold() if head else ""
    return last in SEVERAL or (len(last) > len("his") and last.endswith("s") and not last.endswith(("ss", "'s")))


def is_past(word: str, clause: list[str]) -> bool:
    """Return whether a word behind who does something is a verb in the past already."""
    return len(clause) > 1 and (word in PASTS.values() or word.endswith("ed") or word in HELPING.values())


def base_of(word: str) -> str:
    """Return the verb of which a word is a form in the present: `be` for `is`."""
    return next(verb for verb, (one, several, *_) in FORMS.items() if word in (one, several))


@cache
def describing_words() -> frozenset[str]:
    """Return the words behind which a noun stands: `two wounds`, `wet ropes`."""
    words = plain_words()
    return frozenset((*words.cardinals.split(), *words.tens.split(), *words.describing.split())) - {"one"}


@cache
def words_behind_verbs() -> frozenset[str]:
    """Return the words that stand behind a verb: `asks the`, `sits on`, `goes away`."""
    return frozenset((*OBJECTS, *PREPOSITIONS, *plain_words().adverbs.split(), *plain_words().ways.split()))
