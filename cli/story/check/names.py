"""Names in a text that are no names of the campaign.

A name is a word with a capital letter that does not begin a sentence; one that does counts only where it cannot be
another word: before 's, before what somebody did, or before a surname, if it is none of the common words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from cli.notation.known_words import nearest_words
from cli.notation.tokens import join_with_or
from cli.phrases.verbs import FORMS, PASTS, VERBS
from cli.story.check.doubt import Doubt
from cli.story.check.english import ENGLISH
from cli.story.check.knowledge import SessionKnowledge, parts_of
from cli.story.check.number_words import WORDS
from cli.story.check.text import PlainText, TextWord

SHARE_MOST: Final = 0.3  # of the words inside sentences that may have a capital letter: in more a language has them
WORDS_LEAST: Final = 40  # of a text whose language is judged


def name_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield the names that are not known, each at its first place."""
    words = list(text.text_words())
    if has_other_capitals(words, known):
        return
    small = {word.text.casefold() for word in words if word.text[:1].islower()}
    seen = set[str]()
    for word, after in pairwise([*words, TextWord("", 0, 0, True)]):
        name = bare(word.text)
        if is_name(word, after, small, known.surnames) and not is_known(name, known) and name.casefold() not in seen:
            seen.add(name.casefold())
            near = nearest_words(name, known.capitals)
            hint = f"Did you mean {join_with_or(near)}?" if near else "The ledger has nobody and nothing of this name."
            yield Doubt(line=word.line, place=word.start, kind="name", text=name, hint=hint)


def has_other_capitals(words: Sequence[TextWord], known: SessionKnowledge) -> bool:
    """Return whether a text is of a language that writes other words with capitals than names, as German does."""
    inside = [word.text for word in words if not word.begins]
    odd = [word for word in inside if word[:1].isupper() and not is_known(bare(word), known)]
    return len(inside) >= WORDS_LEAST and len(odd) > SHARE_MOST * len(inside)


def is_name(word: TextWord, after: TextWord, small: set[str], surnames: set[str]) -> bool:
    """Return whether a word is a name.

    Args:
        word: the word.
        after: the next one.
        small: the words of the text that begin with a small letter.
        surnames: the last words of names, before which a word that begins a sentence is a name.
    """
    text = word.text
    if not text[:1].isupper() or (len(text) > 1 and text.isupper()):
        return False
    if not word.begins:
        return bare(text).casefold() not in small
    if bare(text).casefold() in small or bare(text).casefold() in common_words():
        return False
    if text.endswith("'s"):
        return True
    return not after.begins and (is_past(after.text) or (bare(after.text) in surnames and not text.endswith("ly")))


def bare(text: str) -> str:
    """Return a word without the ending of a possessive."""
    return text[:-2] if text.endswith("'s") else text


def is_known(name: str, known: SessionKnowledge) -> bool:
    """Return whether a word, or every part of it, is a word of the ledger or a common one."""
    forms = [name, *(part for part in parts_of(name) if part != name)]
    if any(is_known_word(form, known) for form in (name, name.removesuffix("s"), name.removesuffix("es"))):
        return True
    return len(forms) > 1 and "-" in name and all(is_known_word(part, known) for part in name.split("-"))


def is_known_word(word: str, known: SessionKnowledge) -> bool:
    """Return whether the ledger has a word, or everybody."""
    small = word.casefold()
    return small in known.vocabulary or small in EVERYBODYS or (small.startswith("i'") and len(small) < 5)


def is_past(word: str) -> bool:
    """Return whether a word is what somebody did: `fell`, `struck`, `pulled`."""
    return word in PAST or (word.islower() and word.endswith("ed"))


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return words that begin sentences."""
    from ledger.head_words import word_list as words_of_heads

    return frozenset((*EVERYBODYS, *VERBS, *words_of_heads(), *(f"{verb}ing" for verb in VERBS)))


EVERYBODYS: Final = frozenset((*ENGLISH["calendar"], *ENGLISH["common"], *WORDS))
PAST: Final = frozenset((*PASTS.values(), *(each for forms in FORMS.values() for each in forms)))
