"""Sentences that say of themselves that they are no declaration: what does not happen, a plan, a wish, a question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from cli.notation.tokens import UNDO
from cli.speech.beings import Beings
from cli.speech.english import ENGLISH
from cli.speech.words import Word, amount_at, is_passed_over
from ledger.errors import Unreadable
from rulebooks.common.word_forms import base_forms

SUBJECT_MOST: Final = 14  # words before the verb
NAME_MOST: Final = 3  # words of a name
TAG: Final = 2  # words of `don't I`, without the `not`
ASIDE: Final = "aside"
AFTER: Final = "after"
IF: Final = "if"
PURSUING: Final = ("go", "come", "run")  # before it
WISHING: Final = ["would", "like", "to"]
SAID: Final = ("that", "it", "this")  # what was said before
BEFORE_VERB: Final = ENGLISH.doubting | ENGLISH.denying | ENGLISH.leads | ENGLISH.slips | {"and"}
SUMMED: Final = ("total", "altogether")
BY_THE_WAY: Final = "by the way"  # an afterthought that corrects nothing
ONLY: Final = "only"
HAD: Final = "had"
HAD_IT: Final = ("it", "enough")  # behind it
DID: Final = (("did", "that"), ("did", "it"))
LINKING: Final = ("at", "with", "on", "against", "for")  # behind `was`, before how it was
COPULAS: Final = ("was", "were", "should")


def denied_error(words: Sequence[Word], beings: Beings) -> Unreadable | None:
    """Return the error for a sentence that says what does not happen: `Kess doesn't hit him`, `nobody rests`.

    Nor does it now: `next round I'm going for the big one`.
    """
    if _begins_someday(words) and (words[TAG].text in ENGLISH.subjects or beings.at(words, TAG)):
        return _may_happen(f"{words[0].raw} {words[1].raw}")
    denied = next((word for word in words_before_verb(words, beings) if word.text in ENGLISH.denying), None)
    if denied is None and words and words[-1].text in ENGLISH.dropping:  # `I was going to run but nope`
        denied = words[-1]
    if denied is None:
        return None
    return Unreadable(
        f"'{_as_said(denied, words)}' says what does not happen", hint="Say what happens, or nothing at all."
    )


def doubt_error(words: Sequence[Word], beings: Beings) -> Unreadable | None:
    """Return the error for a sentence that says what may happen: `maybe Kess hits him`, `Kess would rather wait`."""
    before = words_before_verb(words, beings)
    doubt = next((word for at, word in enumerate(before) if _is_doubt(words, at)), None)
    if doubt is None:
        return None
    return _may_happen(_as_said(doubt, words))


def _may_happen(said: str) -> Unreadable:
    return Unreadable(f"'{said}' says what may happen", hint="Say what happens, or nothing at all.")


def condition_error(words: Sequence[Word]) -> Unreadable | None:
    """Return the error for a sentence that begins with a condition: `if the alarm goes off, Kess runs`."""
    first = next((word for word in words if word.text not in ENGLISH.leads), None)
    if first is None or first.text not in ENGLISH.conditional:
        return None
    return Unreadable(f"'{first.raw}' says what may happen", hint="Say what happens, or nothing at all.")


def is_doubtful_sentence(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a sentence is about what may happen, or has happened: it is never taken without a question."""
    if _begins_someday(words) or _is_joke(words) or behind_wanting(words):
        return True
    if words and (words[0].text in ENGLISH.asking or words[-1].mark == "?" or words[0].raw[0] in "(["):
        return True
    if any(word.text in ENGLISH.never_now and not _is_sum(words, at) for at, word in enumerate(words)):
        return True
    if (
        is_about_what_was_said(words)
        or has_tag(words)
        or _ends_in_question(words, beings)
        or _ends_in_mistake(words)
        or _is_reported(words, beings)
    ):
        return True
    if _leaves_out(words) or _is_taken_back(words) or _is_repeated(words) or _was_planned(words):
        return True
    if _is_put_off(words, beings):
        return True
    before = words_before_verb(words, beings)
    is_less = any(first.text in ENGLISH.was and second.text == ONLY for first, second in pairwise(words))
    limited = [words[at + 1 : at + 2] for at, word in enumerate(before) if word.text == ONLY]
    is_thrown = all(base_forms(word.text) & ENGLISH.threw for behind in limited for word in behind)
    if is_less or (limited and not is_thrown):  # Kess only lost two: it corrects what was said
        return True
    return any(_is_doubt(words, index) for index in range(len(before)))


def behind_wanting(words: Sequence[Word]) -> Sequence[Word]:
    """Return the question that somebody asks for: `gimme the odds`, `I wonder who is up`; else nothing."""
    leads = (lead.split() for lead in ENGLISH.wanting)
    size = next((len(lead) for lead in leads if [word.text for word in words[: len(lead)]] == lead), 0)
    start = size + (size < len(words) and words[size].text == "the")
    is_question = size and start < len(words) and words[start].text in ENGLISH.asking | ENGLISH.odds | {IF}
    return words[start:] if is_question else []


def without_leads(words: Sequence[Word]) -> Sequence[Word]:
    """Return a question without what leads to it: `so, tell me who is up`, `hang on, wait, is he down`."""
    leads = ENGLISH.leads | ENGLISH.slips | ENGLISH.exclamations
    while not (asked := behind_wanting(words)) and words and words[0].text in leads - ENGLISH.asking:
        words = words[1:]
    return asked or words


def _is_doubt(words: Sequence[Word], index: int) -> bool:
    """Return whether a word says that something may happen: not `might` as a value, nor `after` in `goes after him`.

    `I'd like to rest` says what is done, and who has `had enough` leaves.
    """
    is_pursued = words[index].text == AFTER and index > 0 and not base_forms(words[index - 1].text).isdisjoint(PURSUING)
    is_wished = index > 0 and [word.text for word in words[index : index + 3]] == WISHING
    is_over = words[index].text == HAD and any(word.text in HAD_IT for word in words[index + 1 : index + 2])
    is_known = _is_value(words, index) or is_pursued or is_wished or is_over
    return words[index].text in ENGLISH.doubting and not is_known


def _is_sum(words: Sequence[Word], index: int) -> bool:
    """Return whether a clause begins or ends here that says what was rolled: `total of ten`, `rolls ten total`."""
    if words[index].text not in SUMMED or not index:
        return False
    if words[index - 1].mark:
        behind = index + 1 + (index + 1 < len(words) and words[index + 1].text == "of")
        return amount_at(words, behind) is not None
    is_last = index + 1 == len(words) or bool(words[index].mark)
    before = words[index - 2] if index > 1 and amount_at(words, index - 1) else None
    return (
        is_last
        and before is not None
        and not (before.mark == "" and ENGLISH.throwing.isdisjoint(base_forms(before.text)))
    )


def _is_reported(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether somebody only says what somebody did: `Tomas says he once fell off a gate`."""
    named = beings.at(words, 0)
    start = named.size if named else 0
    if not start or start + 2 >= len(words) or ENGLISH.saying.isdisjoint(base_forms(words[start].text)):
        return False
    return words[start + 1].text in ENGLISH.subjects.union(SAID) or beings.at(words, start + 1) is not None


def has_tag(words: Sequence[Word]) -> bool:
    """Return whether a sentence ends as a question that asks for a yes: `they get two more, don't they`."""
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), 0)
    tag = [word.text for word in words[start:] if word.text != "not"]
    return start > 0 and len(tag) == TAG and tag[0] in ENGLISH.asking and tag[1] in ENGLISH.subjects


def _ends_in_question(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a clause behind a stop asks something: `you're up, what do you do`.

    `guard 1, who is prone` asks nothing.
    """
    return any(
        words[at - 1].mark
        and words[at].text in ENGLISH.interrogatives
        and words[at + 1].text in ENGLISH.asking
        and not (words[at].text in ENGLISH.relating and _ends_name(words, at, beings))
        for at in range(1, len(words) - 1)
    )


def _ends_in_mistake(words: Sequence[Word]) -> bool:
    """Return whether the last clause says that something was wrong: `Ada hits Bo, my mistake`."""
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), 0)
    tail = " ".join(word.text for word in words[start:])
    return start > 0 and tail != BY_THE_WAY and tail in ENGLISH.afterthoughts


def _ends_name(words: Sequence[Word], end: int, beings: Beings) -> bool:
    """Return whether the name of somebody ends before a word."""
    named = ((at, beings.at(words, at)) for at in range(max(0, end - NAME_MOST), end))
    return any(found is not None and at + found.size == end for at, found in named)


def _leaves_out(words: Sequence[Word]) -> bool:
    """Return whether somebody is left out behind what is said: `everybody rests, apart from Kess`."""
    left_out = ((at, word) for at, word in enumerate(words[:-1]) if at and words[at + 1].text == "from")
    return any(
        word.text in ENGLISH.excluding and (word.text != ASIDE or bool(words[at - 1].mark))  # `jumps aside from`
        for at, word in left_out
    )


def _is_taken_back(words: Sequence[Word]) -> bool:
    """Return whether `not` or `no` ends a sentence or begins a clause: `hits him, not`, `two health, not three`."""
    return any(
        word.text in ("not", "no")
        and word.raw[0].isalpha()
        and (index == len(words) - 1 or words[index - 1].mark or _is_between_numbers(words, index))
        for index, word in enumerate(words)
        if index
    )


def _is_between_numbers(words: Sequence[Word], index: int) -> bool:
    """Return whether a number stands before a word and another behind it: `a twelve not a two`."""
    behind = index + 1 + (index + 1 < len(words) and words[index + 1].text in ENGLISH.articles)
    return amount_at(words, index - 1) is not None and amount_at(words, behind) is not None


def _is_put_off(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a deed is said to happen `next round`, which is not to begin it: `gang up on him next turn`."""
    at = next((at for at, word in enumerate(words) if word.text == "next" and at + 1 < len(words)), 0)
    is_time = at > 0 and words[at + 1].text in ENGLISH.turns and (at + 2 == len(words) or bool(words[at + 1].mark))
    return is_time and not words[at - 1].mark and any(beings.at(words, index) for index in range(at))


def _was_planned(words: Sequence[Word]) -> bool:
    """Return whether a sentence says what was to happen: `Ada was going to shoot`."""
    return any(word.text in ENGLISH.was and behind.text in ENGLISH.planned for word, behind in pairwise(words))


def _is_repeated(words: Sequence[Word]) -> bool:
    """Return whether a sentence says that something happens again and again: `two health each round`."""
    return any(word.text in ENGLISH.repeating and behind.text in ENGLISH.turns for word, behind in pairwise(words))


def _begins_someday(words: Sequence[Word]) -> bool:
    """Return whether a sentence says first that it happens at another time: `next round I hit him`."""
    return len(words) > TAG and [word.text for word in words[:TAG]] in map(str.split, ENGLISH.someday)


def _is_joke(words: Sequence[Word]) -> bool:
    """Return whether somebody laughs behind what is said, which has no number in it: `Ada dies lol`."""
    is_laughed_at = bool(words) and words[-1].text in ENGLISH.laughs
    return is_laughed_at and not any(amount_at(words, at) for at in range(len(words)))


def is_about_what_was_said(words: Sequence[Word]) -> bool:
    """Return whether a sentence begins as one that corrects another: `no, ...`, `scratch that`, `that was ...`."""
    first, second, third = [*(word.text for word in words[:3]), "", "", ""][:3]
    is_slip = first in ENGLISH.slips | ENGLISH.undoing | {UNDO} or (first in ENGLISH.settling and second in SAID)
    is_taken_back = first == "take" and second in SAID and third == "back"
    number = amount_at(words, 1) if first == "the" or first in SAID else None  # `the four was a nine`
    behind = words[1 + number.size : 2 + number.size] if number else words[1:2]
    is_corrected = bool(behind) and behind[0].text in COPULAS and (first in SAID or number is not None)
    return is_slip or is_taken_back or is_corrected or (first in SAID and _says_how_it_was(words))


def _says_how_it_was(words: Sequence[Word]) -> bool:
    """Return whether a sentence says of a line what it was: `that save of hers was a nine`, `that shot was with it`."""
    was = next((at for at, word in enumerate(words[: SUBJECT_MOST + 1]) if word.text in ENGLISH.was), 0)
    end = was + 1 + (words[was + 1 : was + 2] != [] and words[was + 1].text in ENGLISH.articles)
    is_told = any(word.mark for word in words[:was]) or end >= len(words)
    return was > 0 and not is_told and (amount_at(words, end) is not None or words[was + 1].text in LINKING)


def is_about_deed(words: Sequence[Word]) -> bool:
    """Return whether a sentence says how a deed was: `Bo had cover`, `Ada did that well`, `Ada's shot was wide`."""
    if any(whose.text == "'s" and was.text in ENGLISH.was for whose, was in zip(words, words[2:], strict=False)):
        return True
    return any(second.text == HAD or (first.text, second.text) in DID for first, second in pairwise(words))


def words_before_verb(words: Sequence[Word], beings: Beings) -> Sequence[Word]:
    """Return the words up to the first that is no name, no little word, and none of doubt or denial."""
    index = 0
    while index < min(len(words), SUBJECT_MOST):
        word = words[index]
        if is_passed_over(word) or word.text in BEFORE_VERB:
            index += 1
        elif named := beings.at(words, index):
            index += named.size
        else:
            break
    return words[:index]


def _is_value(words: Sequence[Word], index: int) -> bool:
    """Return whether a word of doubt is the name of a value here: `Kess might +3`."""
    behind = words[index + 1 : index + 2]
    return bool(behind and (not behind[0].raw[0].isalpha() or amount_at(words, index + 1)))


def _as_said(word: Word, words: Sequence[Word]) -> str:
    """Return a word, with what stands before it where both are one: `doesn't`."""
    before = [each for each in words if each.column + len(each.raw) == word.column]
    return "".join(each.raw for each in (*before, word))
