"""The last resort: lines that are closest to a sentence, asked beside what it may mean or why it is not taken.

Each was tried and is allowed now; none is ever taken without a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import GM_MARK, TELL_MARKS, normalize_line
from cli.speech.added_words import lacking_deed
from cli.speech.addressed import without_audience
from cli.speech.clause_acts import question_of_clauses
from cli.speech.dice_questions import with_dice
from cli.speech.english import ENGLISH
from cli.speech.evidence import with_evidence
from cli.speech.evocation import evoked_in_part
from cli.speech.evoked_lines import Evocation
from cli.speech.grave_lines import UNREAD, with_grave_last
from cli.speech.heard import (
    ASKED_MOST,
    LEFT_OUT,
    OR_WITHOUT,
    Heard,
    NotInPlay,
    Unclear,
    omission_note,
    unclear,
    with_lines,
)
from cli.speech.in_play import WITH
from cli.speech.interpretation import interpret, lines_meant
from cli.speech.later_turns import question_of_later_turn
from cli.speech.line_looks import has_long_text, has_no_other_words, is_about_nobody, is_prose, without_long_texts
from cli.speech.loose_lines import beside_story, stranger_in, with_loose_lines
from cli.speech.lost_items import with_lost_item
from cli.speech.lost_words import unsaid_words
from cli.speech.one_sentence import question_of_sentences
from cli.speech.past_bounds import ask_as_far_as_it_goes
from cli.speech.quotes import deed_and_quote
from cli.speech.readings import Reader
from cli.speech.retellings import named_speaker, retellings
from cli.speech.second_acts import with_fuller_answers
from cli.speech.second_thoughts import put_right
from cli.speech.slots import in_line
from cli.speech.states_in_force import check_not_already, without_what_is_so
from cli.speech.thrown_lines import FACE, FACES
from cli.speech.throws_of_several import ask_each_throw
from cli.speech.words import Word, amount_at, sentence_of, split_words
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

MISFIT: Final = "L-VALUE"  # of a word in a field that it does not fit: it is of another
ITEM: Final = re.compile(rf' {WITH} (?:"[^"]+"|\S+)')
MARKS: Final = "+-/"  # at the beginning of situations and faces
CLOSEST_MOST: Final = 3  # lines that are offered
RETOLD_MOST: Final = 3  # lines that the sentence means said otherwise
READ_MOST: Final = 5  # lines of the readings that stand before them


def interpret_or_ask(
    typed: str,
    parsed: Sequence[ParsedLine] | Unreadable,
    ledger_state: LedgerState[State],
    book: Game,
    scope: Scope,
) -> Heard:
    """Return how a line is taken, as `interpret`.

    Raises Unclear with the lines that are closest to it besides those that may be meant.
    """
    reader = Reader(ledger_state, book, scope)
    typed = without_audience(typed, split_words(typed), reader.in_play.beings)
    if isinstance(parsed, Unreadable) and (question := ask_each_throw(typed, split_words(typed), reader)):
        raise question
    try:
        heard = interpret(typed, parsed, reader)
    except NotInPlay:
        raise
    except LedgerError as error:
        if typed.lstrip()[:1] == GM_MARK or (isinstance(parsed, Unreadable) and has_no_other_words(parsed, typed)):
            raise  # who types it knows the grammar
        if nearer := ask_as_far_as_it_goes(typed, error, reader):
            raise nearer from None
        if pair := deed_and_quote(typed, scope):
            return _with_quote(typed, *pair, reader)
        words = split_words(typed)
        closest = _with_closest(typed, words, error, reader)
        if isinstance(closest, Unclear) and closest.lines:
            closest = with_evidence(typed, words, _fullest_first(typed, closest, reader), reader)
        closer = question_of_sentences(typed, words, closest, reader)
        closer = with_dice(typed, words, closer, reader) if isinstance(closer, Unclear) else closer
        closer = question_of_clauses(typed, words, closer, reader)
        if isinstance(closer, Unclear):
            closer = with_fuller_answers(typed, closer, reader)
            closer = with_grave_last(typed, _with_stranger(typed, words, closer, reader), reader)
            closer = _with_unnamed(typed, words, _with_story(typed, words, closer, reader), reader)
        closer = lacking_deed(words, closer, reader) or with_loose_lines(typed, words, closer, reader)
        closer = with_lost_item(typed, words, beside_story(typed, closer, reader), reader)
        raise without_what_is_so(typed, words, closer, reader) from None
    check_not_already(typed, split_words(typed), heard, reader)
    return heard


def _with_quote(typed: str, deed: str, said: str, reader: Reader) -> Heard:
    """Return how a deed is taken, with what is said with it for the next line. Raises as `interpret_or_ask`."""
    parsed: Sequence[ParsedLine] | Unreadable
    try:
        parsed = tuple(parse_each(normalize_line(deed), reader.scope))
    except Unreadable as error:
        parsed = error
    try:
        heard = interpret_or_ask(deed, parsed, reader.ledger_state, reader.book, reader.scope)
    except Unclear as error:
        then = {line: error.then.get(line, said) for line in error.lines}
        told = f"> {typed.strip()}"
        raise unclear(deed, [*error.lines[: ASKED_MOST - 1], told], error.what, then=then) from None
    return Heard(heard.parsed, heard.line, heard.then or said)


def _with_unnamed(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question that says whom and which numbers one of its lines leaves out, if it does not say so yet."""
    if LEFT_OUT in question.what or put_right(words, reader):
        return question
    lines = [line for line in question.lines if line[:1] not in TELL_MARKS]
    said = (f"{line} {question.then.get(line, '')}" for line in lines)
    left = dict.fromkeys(word for line in said for word in unsaid_words(typed, line, reader.in_play))
    kept = [word for word in left if not word.isdecimal() or _counts_things(words, word)]  # no dice
    kept = [word for word in kept if f"'{word}'" not in question.what]
    return with_lines(question, typed, question.lines, _with_omitted(question.what, kept)) if kept else question


def _fullest_first(typed: str, question: Unclear, reader: Reader) -> Unclear:
    """Return a question with the lines first that leave out fewest of the names and numbers of a sentence."""
    told = [line for line in question.lines if line[:1] in TELL_MARKS]
    said = [line for line in question.lines if line[:1] not in TELL_MARKS]
    counts = {line: len(_unsaid(typed, line, question, reader)) for line in said}
    fullest = sorted(said, key=lambda line: counts[line])
    if fullest == said:
        return question
    lines = [*told, *fullest] if question.lines[0] in told else [*fullest, *told]
    return with_lines(question, typed, lines, question.what)


def _unsaid(typed: str, line: str, question: Unclear, reader: Reader) -> list[str]:
    """Return the names and numbers of a sentence that a line leaves out, but for a text that is the sentence."""
    fields = line if line.startswith(GM_MARK) else without_long_texts(line)
    return unsaid_words(typed, f"{fields} {question.then.get(line, '')}", reader.in_play)


def _counts_things(words: Sequence[Word], number: str) -> bool:
    """Return whether a number stands before a thing that it counts: `slips on seven barrels`."""
    found = ((at, amount) for at in range(len(words)) if (amount := amount_at(words, at)))
    ends = [at + amount.size for at, amount in found if str(amount.number) == number]
    counted = [words[end].text for end in ends if end < len(words) and not words[end - 1].mark]
    return any(text not in ENGLISH.little | ENGLISH.instead | {"and"} for text in counted)


def _with_story(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question with the sentence as fiction among its lines, if it is a story about nobody in play.

    It is the first where the other lines leave something out: `Far below a dog won't shut up.` shuts nobody up.
    """
    is_told = any(line[:1] in TELL_MARKS for line in question.lines)
    if is_told or not is_prose(typed) or not is_about_nobody(words, reader.in_play.beings):
        return question
    story, is_part = f"> {typed.strip()}", LEFT_OUT in question.what or UNREAD in question.what
    lines = [story, *question.lines] if is_part or not question.lines else [*question.lines, story]
    return with_lines(question, typed, lines[:ASKED_MOST], question.what)


def _with_stranger(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question that says whom a sentence names who is nobody in play: its lines are deeds of others."""
    name = stranger_in(words, reader)
    if not name or all(line[:1] in TELL_MARKS for line in question.lines):
        return question
    return with_lines(question, typed, question.lines, f"{question.what}, without '{name}', who is nobody in play")


def _with_closest(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return why a sentence is not taken, with the closest lines; the same error where nothing is close."""
    asked = error.lines if isinstance(error, Unclear) else ()
    if len(asked) == 1 and (later := question_of_later_turn(typed, words, "", reader)) and later.lines == asked:
        return later
    if isinstance(error, Refused) and (later := question_of_later_turn(typed, words, error.what, reader)):
        return later
    retold = _retold(words, reader)
    if isinstance(error, Unclear) and (said_so := [line for line in asked if line in retold]):
        asked = tuple(dict.fromkeys((*said_so, *asked)))  # `I shoot him, says Dov` is a deed of Dov
        error = with_lines(error, typed, asked, error.what)
    known = {*map(_tokens, asked)}
    retold = [line for line in retold if _tokens(line) not in known]
    retold = [line for line in retold if not any(_lacks_mark(line, each) for each in asked)]
    is_refused = isinstance(error, Refused) and error.code != MISFIT
    if is_refused and not retold:
        return error
    if asked and not retold and _says_all(error.what, asked):
        return error
    found = evoked_in_part(named_speaker(words, reader), reader) if not is_refused else Evocation()
    lines = [line for line in found.lines if not any(_says_less(line, each) for each in (*retold, *asked))]
    if isinstance(error, Refused):  # a line that says nothing of what did not fit is not close
        most = len(unsaid_words(typed, "", reader.in_play))
        lines = [line for line in lines if len(unsaid_words(typed, line, reader.in_play)) < most]
    lines = [*retold[:RETOLD_MOST], *lines[:CLOSEST_MOST]]
    if not lines and not asked:
        return question_of_later_turn(typed, words, "", reader) or _as_quote(typed, words, error, reader)
    if not lines:
        return error
    if not isinstance(error, Unclear) or not asked:
        left = dict.fromkeys(word for line in lines for word in unsaid_words(typed, line, reader.in_play))
        return unclear(typed, lines[:ASKED_MOST], omission_note(typed, [*left]))
    return _with_more_lines(typed, error, retold, lines, reader)


def _as_quote(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return the question whether a sentence is only said, `you're on my boots, says Ada`; the error for any other."""
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), 0)
    named = reader.in_play.beings.at(words, start + 1) if start else None
    is_said = named and start + 1 + named.size == len(words) and len(named.readings) == len(named.readings[0]) == 1
    if not named or not is_said or ENGLISH.saying.isdisjoint(base_forms(words[start].text)):
        return error
    return unclear(typed, [f'" {in_line(named.readings[0][0])}: {sentence_of(words[:start])}'])


def _with_more_lines(
    typed: str, error: Unclear, retold: Sequence[str], lines: Sequence[str], reader: Reader
) -> Unclear:
    """Return a question with the closest lines beside those that are asked about, fiction last.

    `retold`: those of them that other ways to say the sentence mean; in few words they are the first.
    """
    read = [line for line in error.lines if line[:1] not in TELL_MARKS]
    told = [line for line in error.lines if line[:1] in TELL_MARKS]
    is_thrown = any(FACES in line for line in read)
    before = [line for line in retold[:RETOLD_MOST] if not has_long_text(line) and (FACES in line or not is_thrown)]
    lines = [*before, *(line for line in lines if line not in before)]
    most = READ_MOST - len(before)
    kept = [*before, *read[:most], *lines[len(before) :], *read[most:]][: ASKED_MOST - len(told)]
    left = dict.fromkeys(word for line in lines for word in unsaid_words(typed, line, reader.in_play))
    why = _with_omitted(error.what, [word for word in left if f"'{word}'" not in error.what])
    return with_lines(error, typed, [*kept, *told], why)


def _with_omitted(what: str, left: Sequence[str]) -> str:
    """Return what is asked, with the words that one of the closest lines leaves out, behind those that it names."""
    words = " and ".join(f"'{word}'" for word in left)
    return f"{what}{' and ' if OR_WITHOUT in what else OR_WITHOUT}{words}" if left else what


def _retold(words: Sequence[Word], reader: Reader) -> list[str]:
    """Return the lines that other ways to say a sentence mean, without fiction."""
    said = (line for sentence in retellings(words, reader) for line in lines_meant(sentence, reader, is_part=True))
    lines = dict.fromkeys(line for line in said if line[:1] not in TELL_MARKS)
    return sorted(lines, key=has_long_text)  # a deed in the words of the sentence is the last


def _says_all(what: str, lines: Sequence[str]) -> bool:
    """Return whether a question leaves no word out, and none of its lines has the words of the sentence as its text."""
    is_whole = what.endswith(("may mean this", "may mean several things"))
    return is_whole and not any(map(has_long_text, lines))


def _says_less(line: str, asked: str) -> bool:
    """Return whether a line says nothing that is not in one that is asked about, but for a text."""
    return _tokens(line) <= _tokens(asked)


def _lacks_mark(line: str, asked: str) -> bool:
    """Return whether a line is an asked one without its situations, numbers or faces: `+surprise`, `e2`, `/7`."""
    line, asked = ITEM.sub("", line), ITEM.sub("", asked)
    more, other = _tokens(asked) - _tokens(line), _tokens(line) - _tokens(asked)
    is_begun = all(token[0] == FACE and any(each.startswith(f"{token}.") for each in more) for token in other)
    return bool(more) and is_begun and all(token[0] in MARKS or token[-1].isdecimal() for token in more)


def _tokens(line: str) -> frozenset[str]:
    """Return the tokens of a line without `with` and without its long texts."""
    return frozenset(without_long_texts(line).split()) - {WITH}
