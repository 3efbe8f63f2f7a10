"""Free texts: the known word in them that they are rolled as, as `sneak` in `sneaks past the guard`.

The word counts in any of its forms, with articles in between: `picks the locks` is `pick locks`, as is `picks the
other lock`. One at the beginning comes first. None of several others is chosen. One word alone stands for the skill
that has it among its own: `locks` for `pick locks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from cli.notation.tokens import LineToken, quote, token_error
from ledger.names import fold_case
from rulebooks.common.word_forms import is_same_word

ARTICLES: Final = frozenset(("the", "a", "an", "some", "his", "her", "its", "their", "my", "our"))
TRIES: Final = frozenset(("try", "tries", "attempt", "attempts"))
JOINING: Final = frozenset(("and", "or", "then", "but", "to", "with", "for"))  # behind them something else is said
BETWEEN_MOST: Final = 2  # words between two of a phrase, without the articles
LIKE: Final = 0.85  # how much a word is like another that may have been meant
LETTERS: Final = 5  # of a word that may have been meant


class FreeText(NamedTuple):
    """The words of a free text, and the known words that are in it; none if the text itself is a known word."""

    text: str
    known: Sequence[str]


def read_free_text(words: Sequence[str], known: Iterable[str], verbs: Iterable[str] = ()) -> FreeText:
    """Return the text in these words, and what it may be rolled as.

    Its first word is spelled as the known one, or as the verb in common use, that it is a form of.
    """
    words = without_trying(words)
    spans = {skill: span for skill in known if (span := find_phrase(skill.split(), words))}
    leading = sorted((skill for skill, (start, _) in spans.items() if not start), key=lambda skill: -len(skill.split()))
    if not spans and len(words) == 1:
        return FreeText(words[0], sorted(skill for skill in known if has_word(skill, words[0])))
    if not leading:
        common = next((verb for verb in verbs if len(words) > 1 and is_same_word(verb, words[0])), words[0])
        return FreeText(" ".join((common, *words[1:])), sorted(spans))
    skill = leading[0]
    if len([word for word in words if word not in ARTICLES]) == len(skill.split()):
        return FreeText(skill, ())
    return FreeText(" ".join((skill.split()[0], *words[1:])), (skill,))


def has_word(skill: str, word: str) -> bool:
    """Return whether a word stands for a skill of several: `locks` or `picks` for `pick locks`."""
    return any(is_same_word(part, word) for part in skill.split())


def without_articles(tokens: Sequence[LineToken], is_name: Callable[[LineToken], bool]) -> list[LineToken]:
    """Return the tokens without each article that stands before a name, as in `attack the widow`."""

    def stands_before_name(index: int) -> bool:
        return tokens[index].raw in ARTICLES and index + 1 < len(tokens) and is_name(tokens[index + 1])

    return [token for index, token in enumerate(tokens) if not stands_before_name(index)]


def without_trying(words: Sequence[str]) -> Sequence[str]:
    """Return words without `tries to` before them."""
    tries = len(words) > 2 and fold_case(words[0]) in TRIES and fold_case(words[1]) == "to"
    return words[2:] if tries else words


def find_phrase(phrase: Sequence[str], words: Sequence[str]) -> tuple[int, int] | None:
    """Return where a phrase begins and ends in these words, in any forms of its words; None if it is not there.

    Articles and up to BETWEEN_MOST other words may stand between its words: `pick the other lock`.
    """
    for start in range(len(words)):
        if is_same_word(phrase[0], words[start]) and (end := _phrase_end(phrase[1:], words, start + 1)):
            return start, end
    return None


def _phrase_end(phrase: Sequence[str], words: Sequence[str], start: int) -> int:
    """Return the index behind the rest of a phrase, which goes on at `start`; 0 if its words do not follow there."""
    for part in phrase:
        between = 0
        while start < len(words) and not is_same_word(part, words[start]):
            between += words[start] not in ARTICLES
            if between > BETWEEN_MOST or words[start] in JOINING:
                return 0
            start += 1
        if start == len(words):
            return 0
        start += 1
    return start


def only_known(verb: LineToken, known: Sequence[str], field: str) -> str:
    """Return the one known word that a text is rolled as; empty without any. Raises Unreadable for several."""
    if len(known) > 1:
        choices = " or ".join(f"{field}={quote(word)}" for word in known)
        raise token_error(verb, f"the text names {' and '.join(known)}", hint=f"Say which of them counts: {choices}.")
    return known[0] if known else ""


def is_word(token: LineToken) -> bool:
    """Return whether a token is a word of a text, and no number and no mark: `guard`, `salt-graves`, a name."""
    return token.is_quoted or all(part.isalpha() for part in re.split(r"['\u2019-]", token.raw.rstrip(".,")))


def check_no_slip(tokens: Iterable[LineToken], choices: Sequence[str]) -> None:
    """Raise Unreadable for a word of a text that looks like a word of the line, as `unskiled` does."""
    for token in tokens:
        if len(token.text) < LETTERS:
            continue
        from difflib import SequenceMatcher  # imported here to start faster: few lines are free texts

        for choice in choices:
            if SequenceMatcher(None, fold_case(token.text), choice).ratio() >= LIKE:
                raise token_error(token, f"'{token.text}' does not fit here", [choice])
