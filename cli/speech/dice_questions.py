"""The question about a sentence with the dice that it says, which are taken out while what is left is read.

Each line that throws dice gets them, those first that throw exactly so many. Where what is left says no deed, the dice
are of what is due. What is announced is thrown by `go`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cli.notation.tokens import ANSWER_MARK, GM_MARK, PAUSE, TELL_MARKS
from cli.questions.possible import why_not_said
from cli.speech.dice_apart import dice_apart, only_dice
from cli.speech.doubts import is_doubtful_sentence
from cli.speech.due_throws import TOTAL, due_throws, due_totals, plain_numbers
from cli.speech.english import ENGLISH
from cli.speech.heard import LEFT_OUT, Unclear, omission_note, unclear, with_lines
from cli.speech.line_looks import has_long_text, without_long_texts
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.spoken_dice import die_names, sum_at
from cli.speech.thrown_lines import FACE, FACES, attacks_said, fits, that_fit, throws_of, with_faces
from cli.speech.words import Word, sentence_of, split_words
from ledger.errors import LedgerError, Refused
from rulebooks.common.announcements import find_window
from rulebooks.common.word_forms import base_forms

GO: Final = "go"
FOR: Final = ("for", "from")  # before who throws
OF_DICE: Final = ("-DICE", "-DIE", "-FACES")  # the ends of the codes of refusals of dice
SET_TOTAL: Final = f" {TOTAL}="

Find = Callable[[str, Reader], Sequence[str]]  # the lines that a sentence may mean; it may raise Refused


def ask_with_dice(typed: str, error: LedgerError, reader: Reader, find: Find) -> Unclear | None:
    """Return the question about a sentence with the dice that it says, if none of those asked about has them.

    `error`: why the whole sentence is not taken. Raises the refusal of a rule that these dice are thrown.
    """
    words = split_words(typed)
    if not words:
        return None
    asked = error.lines if isinstance(error, Unclear) else ()
    lines, behind = _lines_of_throw(words, reader)
    if lines:
        left = omission_note(typed, unsaid_words(behind, lines[0], reader.in_play))
        answers = due_totals(words, reader) if reader.awaited() else []  # `five, plus one, so six` of who defends
        others = (line for line in asked if line.split()[0] != GO)
        return unclear(typed, [*answers, *lines, *others], left)
    is_parted = isinstance(error, Unclear) and typed.strip() in error.then.values()  # what is left to say has the dice
    has_faces = any(FACES in line for line in asked)
    if is_parted or has_faces or is_doubtful_sentence(words, reader.in_play.beings):
        return None
    parted = [*dice_apart(words, reader)]
    thrown, refused = _question_without_dice(typed, words, parted, reader, find)
    if not thrown or all(map(has_long_text, thrown.lines)):
        thrown = _question_of_due(typed, words, parted, thrown.lines if thrown else asked, reader) or thrown
    if not thrown and refused:
        raise refused
    totals = [line for line in asked if SET_TOTAL in line]  # `rolled a four` may be the die or the sum
    return unclear(typed, [*thrown.lines, *totals]) if thrown and totals else thrown


def with_dice(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question with the dice of the sentence in those of its lines that throw exactly so many, these first."""
    said = [line for line in question.lines if line[:1] not in TELL_MARKS and not question.then.get(line)]
    if not said or any(FACES in line for line in question.lines):
        return question
    for _, typed_faces in dice_apart(words, reader):
        lines = [line.removesuffix(f" {PAUSE}") for line in said]
        if fitting := that_fit(lines, words, typed_faces.removeprefix(FACE), reader):
            what = question.what.partition(LEFT_OUT)[0]
            return with_lines(question, typed, [*fitting, *question.lines], what)
    return question


def _question_of_due(
    typed: str,
    words: Sequence[Word],
    parted: Sequence[tuple[Sequence[Word], str]],
    asked: Sequence[str],
    reader: Reader,
) -> Unclear | None:
    """Return the question whether dice are of what is due, before what is asked; None if another deed is said."""
    said = parted[0][0] if parted else words
    faces = dict.fromkeys(each.removeprefix(FACE) for _, each in parted)
    if parted and all(each.isdecimal() for each in faces):  # `eleven, and she's only got eight`
        faces |= dict.fromkeys(map(str, plain_numbers(words, reader)))
    lines = due_throws(words, [*faces], reader) if parted else due_totals(words, reader)
    if lines and any(reader.begins_deed(said, at) for at in range(len(said))):
        forms = {form for word in words for form in base_forms(word.text)}
        lines = [line for line in lines if not forms.isdisjoint(without_long_texts(line).split())]
    return unclear(typed, [*lines, *asked]) if lines else None


def _question_without_dice(
    typed: str, words: Sequence[Word], parted: Sequence[tuple[Sequence[Word], str]], reader: Reader, find: Find
) -> tuple[Unclear | None, Refused | None]:
    """Return the question about a sentence without its dice, with them in each line; None if no line throws them.

    And why a rule refuses that.
    """
    refused: Refused | None = None
    meant = list[tuple[str, list[str]]]()
    for said, typed_faces in parted:
        faces = typed_faces.removeprefix(FACE)
        try:
            lines = [line.removesuffix(f" {PAUSE}") for line in find(sentence_of(said), reader)]
        except Refused as error:
            refused = refused or error
            continue
        lines = [line for line in lines if line[:1] not in TELL_MARKS]
        if answers := [line for line in lines if line.startswith(ANSWER_MARK)]:
            why = f"{typed_faces} is thrown by '{GO}', behind the dice of what is answered"
            return unclear(typed, answers, why), None
        if fitting := that_fit(lines, said, faces, reader):
            return unclear(typed, [*fitting, *with_faces(lines, faces, reader)]), None
        if not lines and (fitting := that_fit([*attacks_said(said, reader)], said, faces, reader)):
            return unclear(typed, fitting), None
        meant.append((faces, lines))
    for faces, lines in meant:
        if short := [*with_faces(lines, faces, reader), *_with_sum(lines, words, faces, reader)]:
            return unclear(typed, short), None
    for faces, lines in meant:
        apart = [f"{line} {FACE}{each}" for line in lines for each in faces.split(".")]
        if fitting := [line for line in apart if fits(line, reader)]:
            return unclear(typed, fitting, f"{FACE}{faces} is more than this throws"), None
        refused = refused or next(_refusals(lines, faces, reader), None)
    return None, refused


def _with_sum(lines: Sequence[str], words: Sequence[Word], faces: str, reader: Reader) -> Iterator[str]:
    """Yield each line with the sum of the dice, if a sentence says it and the line takes one."""
    shown = [*map(int, faces.split("."))]
    if any(sum_at(words, at, shown) for at in range(len(words))):
        for line in lines:
            with_total = f"{line} {TOTAL}={sum(shown)}"
            if not why_not_said(with_total, reader.ledger_state, reader.book, reader.scope):
                yield with_total


def _refusals(lines: Sequence[str], faces: str, reader: Reader) -> Iterator[Refused]:
    """Yield why a rule refuses to throw dice for these lines, with the line that it is about."""
    for line in lines:
        for each in throws_of(f"{line} {FACE}{faces}", reader) if line[:1] != GM_MARK else ():
            if isinstance(each.error, Refused) and not each.error.code.endswith(OF_DICE):
                yield each.error.with_more_hint(f"The line so far: {line} {FACE}{faces}")


def _lines_of_throw(words: Sequence[Word], reader: Reader) -> tuple[list[str], str]:
    """Return the line that throws what is announced, with the dice that a sentence says and nothing else.

    And what it says behind who throws. They are said of nobody, of whoever announced it, or of a pronoun: `he rolled
    a five and a four`.
    """
    window = find_window(reader.ledger_state.state)
    if window is None:
        return [], ""
    beings, count = reader.in_play.beings, len(words)
    for_whom = next((at for at in range(1, count) if words[at - 1].text in FOR and beings.at(words, at)), count + 1)
    named = beings.at(words, 0) or (beings.at(words, for_whom) if for_whom < count else None)  # `a 7 for the guard`
    start = named.size if named and for_whom > count else int(words[0].text in ENGLISH.subjects)
    is_of_doer = named is None or (window.who,) in named.readings
    said = [
        word for word in words[start : for_whom - 1] if base_forms(word.text).isdisjoint(ENGLISH.suffered)
    ]  # `a 4, damage 5`
    faces = only_dice(said, die_names(reader.book)) if is_of_doer and said else ""
    behind = sentence_of(words[for_whom + named.size :]) if named and for_whom < count else ""
    return [*with_faces([GO], faces, reader)] if faces else [], behind
