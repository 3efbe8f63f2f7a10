"""Lines that nobody should take by a slip: somebody leaves or dies, or attacks the own side, or a fight ends.

Enter takes the first line that is asked about, so these stand behind the others.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from cli.notation.line_parser import parse_each
from cli.notation.tokens import GM_MARK, TELL_MARKS
from cli.speech.attempts import QUOTED, is_at_friend
from cli.speech.english import ENGLISH
from cli.speech.frames import SPEECH, read_speech
from cli.speech.heard import Unclear, unclear, with_lines
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.words import split_words
from ledger.errors import LedgerError
from rulebooks.common.word_forms import base_forms, without_third_person

LEAVE: Final = "leave"  # a verb of every book, also for who dies
UNREAD: Final = "is not understood here"  # in a question that leaves words out
OVER: Final = "over"  # a verb of every book for the end of an encounter


def with_grave_last(typed: str, question: Unclear, reader: Reader) -> Unclear:
    """Return a question with the grave lines behind the other deeds; as it is if its first line is not grave.

    Who leaves something of their own does not leave, if the sentence may mean anything else.
    """
    if _leaves_own(typed) and (others := [line for line in question.lines if LEAVE not in line.split()]):
        question = with_lines(question, typed, others, question.what)
    acts = [line for line in question.lines if line[:1] not in TELL_MARKS]
    if len(acts) == 1 and UNREAD in question.what and _harms_own_side(acts[0], reader):
        return unclear(typed, [line for line in question.lines if line not in acts])  # `gets first aid from Ada`
    if len(acts) == len(question.lines) == 1 and _harms_doer(acts[0]):
        return with_lines(question, typed, [*acts, f"> {typed.strip()}"], question.what)  # Enter alone takes neither
    if len(acts) < 2 or not _gravity(acts[0], reader):
        return question
    told = [line for line in question.lines if line[:1] in TELL_MARKS]
    left = {line: len(unsaid_words(typed, line, reader.in_play)) for line in acts}
    lines = [*sorted(acts, key=lambda line: (_gravity(line, reader), left[line])), *told]
    return with_lines(question, typed, lines, question.what)


def is_grave(line: str, reader: Reader) -> bool:
    """Return whether nobody should take a line by a slip."""
    return _gravity(line, reader) > 0


def _leaves_own(typed: str) -> bool:
    """Return whether something that somebody has is left: `leaves her shield by the door`."""
    pairs = pairwise(split_words(typed))
    return any(LEAVE in base_forms(left.text) and own.text in ENGLISH.possessives for left, own in pairs)


def _harms_own_side(line: str, reader: Reader) -> bool:
    """Return whether somebody attacks one of the own side by a line."""
    try:
        return is_at_friend(parse_each(line, reader.scope), reader.in_play)
    except LedgerError:
        return False


def _harms_doer(line: str) -> bool:
    """Return whether the game master's line about somebody has what they do as its reason: `hits her: 18 to 15`."""
    reason = QUOTED.findall(line)[-1:] if line.startswith(GM_MARK) else []
    first = reason[0].split()[0].casefold() if reason and reason[0].strip() else ""
    return without_third_person(first) != first and base_forms(first).isdisjoint(ENGLISH.losses)


def _gravity(line: str, reader: Reader) -> int:
    """Return 1 if somebody leaves or dies by a line, or attacks one of the own side, 2 if it ends the encounter.

    Of a line that is meant in calm it is 1 too where an encounter is running.
    """
    try:
        parsed = parse_each(line, reader.scope)
    except LedgerError:
        return 0
    verbs = {verb for each in parsed for verb in type(each.declaration).verbs}
    calm = read_speech(reader.book.texts().folder / SPEECH).calm if reader.ledger_state.state.encounter else ()
    is_grave = LEAVE in verbs or not verbs.isdisjoint(calm) or is_at_friend(parsed, reader.in_play)
    return 2 if OVER in verbs else int(is_grave)
