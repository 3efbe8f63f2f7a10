"""How a line looks: as one of the grammar that is in no other words, as a malformed one, or as prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.notation.claims import CLAIM_LINE_MARK, CLAIM_MARK
from cli.notation.line_parser import NO_ANNOUNCEMENTS
from cli.notation.tokens import AMEND_MARK, ANSWER_MARK, GM_MARK, SECRET_MARK, TELL_MARKS
from cli.notation.verb_parser import LACKS_REASON
from cli.speech.beings import Beings
from cli.speech.doubts import is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.tail_phrases import is_strict
from cli.speech.words import Word, amount_at, split_words
from ledger.errors import Unreadable

STRICT_MARKS: Final = (SECRET_MARK, ANSWER_MARK, CLAIM_LINE_MARK, AMEND_MARK, *TELL_MARKS)  # no words behind them
MARKED: Final = re.compile(r"[/^=]|[+~][^ ]")  # how a word of the grammar begins
NAMED_MARK: Final = re.compile(r"[+-][^\W\d]")  # how a circumstance by name begins
LACKS: Final = "' lacks its "  # of a verb without a field that it needs
SUM: Final = "="  # by itself before what dice make: `9 dawn and 3 dusk = 12`
EMPTY: Final = '""'  # at the beginning of a word: a text of nothing, or marks that stand twice
QUOTES: Final = '"“”'
SCENERY: Final = ("it", "there")  # before `is`, and how it is
ARTICLES: Final = ("the", "a", "an")
VERBAL: Final = ("ing", "ed", "s")  # ends of verbs that are said of something
BEGINNING: Final = frozenset(("starts", "begins", "stops"))  # before what the weather does
LONG_TEXT: Final = re.compile(r'"(?:[^" ]+ ){3,}(?:\\.|[^"])*"')  # of more words than a name
PROSE_LEAST: Final = 3  # words of a sentence of a story


def has_no_other_words(error: Unreadable, typed: str) -> bool:
    """Return whether an error is about what is said in no other words: marks of the grammar, claims behind a line.

    Or a change of a value that has only its number, a circumstance that no line has, `-tired"long march"`, a line of
    the game master that lacks a field, or one that is announced where nothing is.
    """
    line, mark, _ = typed.partition(CLAIM_MARK)
    at_error = words_at(error, split_words(typed))
    is_claim = bool(mark) and any(word.column > len(line) for word in at_error)
    is_marked = is_claim or any(NAMED_MARK.match(word.raw) for word in at_error)
    is_short = typed.lstrip().startswith(GM_MARK) and LACKS in error.what
    is_strict_line = is_short or error.what in (LACKS_REASON, NO_ANNOUNCEMENTS)
    return is_marked or is_strict_line or typed.lstrip().startswith(STRICT_MARKS) or is_malformed(typed)


def is_malformed(typed: str) -> bool:
    """Return whether a word has a mark of the grammar and no form of it: `/5.`, a `-` at the end, an empty quote."""
    words = typed.split()
    if any(word.startswith(EMPTY) for word in words) or typed.replace('\\"', "").count('"') % 2:
        return True
    return any(MARKED.match(word) and word != SUM and not is_strict(word) for word in words) or words[-1:] in (
        ["-"],
        ["+"],
    )


def has_long_text(line: str) -> bool:
    """Return whether a line has several words of a sentence as its text."""
    return LONG_TEXT.search(line) is not None


def without_long_texts(line: str) -> str:
    """Return a line without its texts of several words, which are reasons and fiction."""
    return LONG_TEXT.sub("", line)


def is_prose(typed: str) -> bool:
    """Return whether a line reads as a sentence of a story: several words, a capital letter and a stop.

    What corrects another line is none.
    """
    text = typed.strip().strip(QUOTES)
    is_prose = len(text.split()) >= PROSE_LEAST and text[0].isupper() and text[-1] in ".!…"
    return is_prose and not is_about_what_was_said(split_words(text))


def is_scenery(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a sentence says how it is somewhere, or what a thing does: `oh and it's raining`."""
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.leads | ENGLISH.slips), len(words))
    said = words[start:]
    if len(said) > PROSE_LEAST and beings.at(said, 0) is None and _is_of_thing(said):
        return True
    is_told = len(said) >= PROSE_LEAST and said[0].text in SCENERY and said[1].text in ENGLISH.copulas | BEGINNING
    return is_told and not any(beings.at(said, at) or amount_at(said, at) for at in range(1, len(said)))


def is_about_nobody(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a sentence has no number and names nobody, nor says who does something: `Rain runs down us.`"""
    begins = next((word.text for word in words if word.text not in ENGLISH.leads), "")
    if begins in ENGLISH.subjects | ENGLISH.plural | ENGLISH.asking:
        return False
    named = [named for at in range(len(words)) if (named := beings.at(words, at))]
    is_named = any(len(names) == 1 for each in named for names in each.readings) or beings.at(words, 0)
    return not (is_named or any(amount_at(words, at) for at in range(len(words))))


def tells_of_thing(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a sentence without a name or a number tells what something does: `night is falling`, `gulls cry`.

    Its second or third word is a verb by its ending, or its first is a plural.
    """
    start = int(bool(words) and words[0].text in ENGLISH.determining)
    if len(words) < start + 2 or any(beings.at(words, at) or amount_at(words, at) for at in range(len(words))):
        return False
    subject, behind = words[start], words[start + 1 : start + 3]
    is_word = subject.text.isalpha() and subject.text not in ENGLISH.little | ENGLISH.asking | ENGLISH.denying
    is_verb = any(word.text in ENGLISH.copulas or word.text.endswith(VERBAL) for word in behind)
    is_verb &= len(words) > 2 or start > 0  # `zed lifts` may be somebody whose name is misspelt
    return is_word and (is_verb or subject.text.endswith("s"))


def _is_of_thing(words: Sequence[Word]) -> bool:
    """Return whether a sentence tells what something does that is not in play, or what is called: `the hull groans`."""
    verb = next((word.text for word in words[2:5] if word.text.endswith("s") or word.text in ENGLISH.copulas), "")
    return words[0].is_quoted or (words[0].text in ARTICLES and bool(verb))


def words_at(error: Unreadable, words: Sequence[Word]) -> list[Word]:
    """Return the word of a sentence that an error names by its column."""
    return [word for word in words if error.where == f"column {word.column}"]
