"""Sentences with two acts whose first is asked about: what is left of them is said when the question is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, TELL_MARKS, normalize_line
from cli.questions.possible import why_refused
from cli.speech.clauses import THEN, Clauses, find_last_act, find_second_act
from cli.speech.english import ENGLISH
from cli.speech.heard import THEN_SAY, Heard, Unclear, is_doubtful, unclear
from cli.speech.lexicon import in_list
from cli.speech.meanings import Meaning, encode
from cli.speech.readings import Reader
from cli.speech.words import Word, split_words
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM

HEAVIER: Final = 2  # how often as many words a line for all explains that is likelier than one for the first act
LEFT_MOST: Final = 1  # words of the rest of a sentence that a fuller answer leaves over
GUESSED_MOST: Final = 3  # lines of a first act that no phrase of the book explains
Interpret = Callable[[str, Sequence[ParsedLine] | Unreadable], Heard]


def with_second_act(
    typed: str, words: Sequence[Word], legal: Sequence[Meaning], reader: Reader, interpret: Interpret
) -> Heard | None:
    """Return the first of two acts with the second left to say, where rules refuse the first; None for one act.

    `legal`: the readings of the whole sentence that are allowed. `interpret` returns how another sentence is taken.

    Raises Unclear with what the first may mean, and Refused and Unreadable for want of a word in it.
    """
    parted, is_firm = find_second_act(words, reader), any(word.text == THEN for word in words)
    if parted is None or not (is_firm or _is_known(parted.first, reader)):
        return None
    if not is_firm and _is_same(parted, reader):
        return None
    try:
        heard = _hear(parted.first, reader.scope, interpret)
    except Unclear as error:
        lines = [line for line in error.lines if line[:1] not in TELL_MARKS]
        if lines:
            question = _question_about_first(typed, words, lines, parted, legal, reader)
            # a line that only lets the first be said has all of it behind
            again = {line: typed.strip() for line in lines if error.then.get(line) == parted.first}
            raise unclear(typed, question.lines, question.what, then={**question.then, **again}) from None
    except LedgerError as error:
        if is_firm and _is_known(parted.first, reader):
            raise error.with_more_hint(f"{THEN_SAY} {parted.second}") from None
    else:
        if any(why_refused(reader.ledger_state, reader.book, each.declaration) for each in heard.parsed):
            is_whole = any(each.weight for each in legal)  # `slips off the ledge and falls ten feet` is one fall
            return None if is_whole else Heard(heard.parsed, heard.line, parted.second)
        raise _question_about_first(typed, words, [heard.line or parted.first], parted, legal, reader)
    return None


def with_fuller_answers(typed: str, question: Unclear, reader: Reader) -> Unclear:
    """Return a question with an answer and what is left behind it as one line where the rest only says more of it.

    `evades that and throws himself flat`.
    """
    lines = {line: _fuller_answer(line, question.then.get(line, ""), reader) for line in question.lines}
    then = {lines[line]: rest for line, rest in question.then.items() if lines[line] == line}
    if [*lines.values()] == [*question.lines]:
        return question
    return unclear(typed, [*lines.values()], question.what, then=then)


def _fuller_answer(line: str, rest: str, reader: Reader) -> str:
    """Return the answer that the rest of a sentence says more of; the line as it is where it does not."""
    if not (rest and line.startswith(ANSWER_MARK)):
        return line
    readings = (each for each in reader.another().read(rest) if each.error is None and len(each.left) <= LEFT_MOST)
    return next((each.line for each in readings if _says_more(each.line, line)), line)


def _question_about_first(
    typed: str,
    words: Sequence[Word],
    lines: Sequence[str],
    parted: Clauses,
    legal: Sequence[Meaning],
    reader: Reader,
) -> Unclear:
    """Return the question for a first act, with what is left to say behind each of its lines.

    Lines that rest on more words, or have the second act as their reason, say all by themselves; so does the last act
    where no phrase explains the first.
    """
    then = {line: _said_by(line, parted, reader.scope) for line in lines}
    readings = [each for each in reader.read(parted.first) if each.parsed and each.error is None and not each.left]
    most = max((each.weight for each in readings), default=0)
    least = most + any(word.text == THEN for word in words)  # what stands behind `then` is no reason
    whole = [each.line for each in legal if each.weight >= max(1, least) and each.line not in then]
    if not most and (act := find_last_act(words, reader)):
        whole, lines = [act.line], lines[:GUESSED_MOST]
        return unclear(typed, [*whole, *lines], then=then)
    heavier = {each.line for each in legal if each.weight > HEAVIER * most}
    fuller = [line for line in whole if line in heavier or any(_says_more(line, each) for each in lines)]
    return unclear(typed, [*fuller, *lines, *(line for line in whole if line not in fuller)], then=then)


def _says_more(line: str, other: str) -> bool:
    """Return whether a line says all of another and more, which is no text: `attack thug1 +surprise`, `dodge /7.6`."""
    more = {*line.split()}.difference(other.split())
    return bool(more) and {*other.split()}.issubset(line.split()) and not any('"' in each for each in more)


def _said_by(line: str, parted: Clauses, scope: Scope) -> str:
    """Return the second act, said by those who say a line, if it has no subject and the first has a pronoun or none."""
    is_named = parted.subject and split_words(parted.subject)[0].text not in ENGLISH.subjects
    if is_named or not parted.predicate:
        return parted.second
    try:
        speakers = dict.fromkeys(each.declaration.by for each in parse_each(normalize_line(line), scope))
    except Unreadable:
        return parted.second
    return parted.second if GM in speakers else f"{in_list(tuple(speakers))} {parted.predicate}"


def _hear(sentence: str, scope: Scope, interpret: Interpret) -> Heard:
    """Return how a sentence is taken: as the grammar reads it, unless it may be an act in other words."""
    parsed: Sequence[ParsedLine] | Unreadable
    try:
        parsed = parse_each(normalize_line(sentence), scope)
    except Unreadable as error:
        parsed = error
    else:
        if not any(is_doubtful(each, scope) for each in parsed):
            return Heard(parsed)
    return interpret(sentence, parsed)


def _is_same(parted: Clauses, reader: Reader) -> bool:
    """Return whether the second part says the first in other words: `that's a fight, everybody roll initiative`."""
    if any(word.text in ENGLISH.again for word in split_words(parted.second)) or parted.first == parted.second:
        return False
    first = next((each.parsed for each in reader.read(parted.first) if each.weight and not each.left), ())
    return says_the_same(first, parted.second, reader)


def says_the_same(parsed: Sequence[ParsedLine], sentence: str, reader: Reader) -> bool:
    """Return whether a sentence rules what these lines rule, of whomever it does, or says what they say."""
    same = next((each.parsed for each in reader.another().read(sentence) if each.weight and not each.left), ())
    is_ruled = all(each.declaration.by == GM for each in parsed)
    kinds = [[type(each.declaration) for each in said] for said in (parsed, same)]
    return bool(parsed and same) and (encode(parsed) == encode(same) or (is_ruled and kinds[0] == kinds[1]))


def _is_known(sentence: str, reader: Reader) -> bool:
    """Return whether a phrase of the book explains a sentence, though the rules refuse it or it lacks a word."""
    return any(each.weight and not each.left for each in reader.read(sentence))
