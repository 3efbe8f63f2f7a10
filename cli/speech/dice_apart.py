"""Dice that a sentence says in words of its own, apart from what is done: `her recovery roll was a 4`, `8 dawn 5 dusk`.

They are taken out, what is left is read, and each line that throws dice gets them. What is announced is thrown by `go`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import ANSWER_MARK, GM_MARK, PAUSE, TELL_MARKS
from cli.questions.possible import Thrown, throw, why_not_said
from cli.speech.doubts import is_doubtful_sentence
from cli.speech.english import ENGLISH
from cli.speech.heard import Unclear, omission_note, unclear
from cli.speech.in_play import WITH
from cli.speech.lost_words import unsaid_words
from cli.speech.meanings import Meaning
from cli.speech.named_dice import named_dice
from cli.speech.readings import Reader
from cli.speech.slots import DIE
from cli.speech.spoken_dice import FACES_LEAST, dice_from, die_names, is_no_die, sum_at
from cli.speech.words import Word, amount_at, is_passed_over, sentence_of, split_words
from ledger.errors import LedgerError, Refused
from rulebooks.common.announcements import find_window
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
FACES: Final = f" {FACE}"  # before the faces of a line
GO: Final = "go"
FOR: Final = ("for", "from")  # before who throws
TOTAL: Final = "total="
OF_DICE: Final = ("-DICE", "-DIE", "-FACES")  # the ends of the codes of refusals of dice
JOINING: Final = frozenset(("and", "with", "but", "gets", "got", "rolls", "rolled"))  # before dice, but for a stop
OTHER_MOST: Final = 1  # word of what is rolled: `recovery roll`
PARTED_MOST: Final = 3  # ways to part a sentence that are tried


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
        return unclear(typed, [*lines, *(line for line in asked if line.split()[0] != GO)], left)
    is_parted = isinstance(error, Unclear) and typed.strip() in error.then.values()  # what is left to say has the dice
    has_faces = any(FACES in line for line in asked)
    if is_parted or has_faces or is_doubtful_sentence(words, reader.in_play.beings):
        return None
    thrown = _question_without_dice(typed, words, reader, find)
    totals = [line for line in asked if TOTAL in line]  # `rolled a four` may be the die or the sum
    return unclear(typed, [*thrown.lines, *totals]) if thrown and totals else thrown


def _question_without_dice(typed: str, words: Sequence[Word], reader: Reader, find: Find) -> Unclear | None:
    """Return the question about a sentence without its dice, with them in each line; None if no line throws them."""
    refused: Refused | None = None
    for said, typed_faces in dice_apart(words, reader):
        faces = typed_faces.removeprefix(FACE)
        try:
            lines = [line.removesuffix(f" {PAUSE}") for line in find(sentence_of(said), reader)]
        except Refused as error:
            refused = refused or error
            continue
        lines = [line for line in lines if line[:1] not in TELL_MARKS]
        if answers := [line for line in lines if line.startswith(ANSWER_MARK)]:
            return unclear(typed, answers, f"{typed_faces} is thrown by '{GO}', behind the dice of what is answered")
        if meant := [*_with_faces(lines, faces, reader), *_with_sum(lines, words, faces, reader)]:
            return unclear(typed, meant)
        if apart := [*_with_faces(lines, faces, reader, is_one=True)]:
            return unclear(typed, apart, f"{typed_faces} is more than this throws")
        refused = refused or next(_refusals(lines, faces, reader), None)
    if refused:
        raise refused
    return None


def _with_faces(lines: Sequence[str], faces: str, reader: Reader, *, is_one: bool = False) -> Iterator[str]:
    """Yield each line with the faces, if it throws them and maybe more. `is_one`: with each of them alone."""
    for line in lines:
        for said in faces.split(".") if is_one else (faces,):
            thrown = _throws_of(f"{line} {FACE}{said}", reader)
            if thrown and all(each.error is None or (each.is_short and not is_one) for each in thrown):
                yield f"{line} {FACE}{said}"


def _with_sum(lines: Sequence[str], words: Sequence[Word], faces: str, reader: Reader) -> Iterator[str]:
    """Yield each line with the sum of the dice, if a sentence says it and the line takes one."""
    shown = [*map(int, faces.split("."))]
    if any(sum_at(words, at, shown) for at in range(len(words))):
        for line in lines:
            with_total = f"{line} {TOTAL}{sum(shown)}"
            if not why_not_said(with_total, reader.ledger_state, reader.book, reader.scope):
                yield with_total


def _refusals(lines: Sequence[str], faces: str, reader: Reader) -> Iterator[Refused]:
    """Yield why a rule refuses to throw dice for these lines, with the line that it is about."""
    for line in lines:
        for each in _throws_of(f"{line} {FACE}{faces}", reader) if line[:1] != GM_MARK else ():
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
    faces = _only_dice(said, die_names(reader.book)) if is_of_doer and said else ""
    behind = sentence_of(words[for_whom + named.size :]) if named and for_whom < count else ""
    return [*_with_faces([GO], faces, reader)] if faces else [], behind


def dice_apart(words: Sequence[Word], reader: Reader) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield a sentence without its dice, and these as a line has them; the ways that leave the fewest words first."""
    beings = reader.in_play.beings
    if named := named_dice(words, die_names(reader.book)):
        start, end, faces = named
        yield _without(words, start, end), FACE + faces
    yield from _on_item(words)
    at_names = [at for at in range(len(words)) if beings.is_within_name(words, at) or beings.at(words, at)]
    parted = _parted(words, die_names(reader.book))
    apart = (
        (_without(words, start, end), FACE + faces)
        for start, end, faces in parted
        if not (any(start <= at < end for at in at_names))
    )
    yield from islice(apart, PARTED_MOST)


def _parted(words: Sequence[Word], names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where dice begin and end, with their faces: a clause of dice alone, or some one after the other."""
    for start in range(1, len(words)):
        before = words[start - 1]
        is_thrown = not base_forms(before.text).isdisjoint(ENGLISH.throwing)  # `rolls seven on the dusk`
        if not (before.mark or is_thrown or words[start].text in JOINING):
            continue
        stops = [at for at in range(start + 1, len(words)) if words[at - 1].mark]
        for end in (len(words), *reversed(stops)):
            if faces := _only_dice(words[start:end], names):
                yield start, end, faces
                break
    for start in range(len(words)):  # `double sixes for Marta`
        if found := next(dice_from(words, start), None):
            yield start, *found


def _on_item(words: Sequence[Word]) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield a sentence with its item where a number behind a stop is what that shows: `shoots her, 7 on the rifle`."""
    for at in range(1, len(words)):
        amount = amount_at(words, at) if words[at - 1].mark else None
        on = at + amount.size if amount else len(words)
        if amount and on < len(words) - 1 and words[on].text in ENGLISH.rolled_on and not words[on - 1].mark:
            yield [*words[:at], words[on]._replace(raw=WITH, text=WITH), *words[on + 1 :]], f"{FACE}{amount.number}"


def _without(words: Sequence[Word], start: int, end: int) -> Sequence[Word]:
    """Return a sentence without these words, which leave a stop behind them."""
    before = [*words[:start]]
    if before and words[end:]:
        before[-1] = before[-1]._replace(mark=before[-1].mark or ",")
    return [*before, *words[end:]]


def _only_dice(words: Sequence[Word], names: Sequence[str]) -> str:
    """Return the faces that a clause says and nothing else, as a line has them; empty if it says more."""
    faces, said, index, others, is_thrown = list[int](), list[str](), 0, 0, False
    while index < len(words):
        word, forms = words[index], base_forms(words[index].text)
        if amount := amount_at(words, index):
            faces += [] if is_no_die(words, index, amount, faces) else [amount.number]
            index += amount.size
            continue
        if word.text in names:
            said.append(word.text)
        elif DIE.fullmatch(word.text) or forms & (ENGLISH.throwing | ENGLISH.thrown | ENGLISH.rolls):
            is_thrown = True
        elif not (is_passed_over(word) or forms & ENGLISH.between_dice):
            others += 1
            if not _is_of_roll(words, index):
                return ""
        index += 1
    is_dice = is_thrown or said or len(faces) >= FACES_LEAST
    if not faces or not is_dice or others > OTHER_MOST:
        return ""
    if len(said) == len(faces) == len(names) and said != [*names]:
        faces = [faces[said.index(name)] for name in names] if {*said} == {*names} else []
    return ".".join(map(str, faces))


def _is_of_roll(words: Sequence[Word], index: int) -> bool:
    """Return whether a word says what is rolled: `recovery` in `the recovery roll`."""
    behind = [] if words[index].mark else words[index + 1 : index + 2]
    return bool(behind) and not base_forms(behind[0].text).isdisjoint(ENGLISH.rolls)


def that_throw(legal: Sequence[Meaning], reader: Reader) -> list[Meaning]:
    """Return the readings that throw the dice whose faces they have, where one of several has faces."""
    if len(legal) < 2 or not any(each.faces for reading in legal for each in reading.parsed):
        return [*legal]
    return [reading for reading in legal if _are_thrown(reading.parsed, reader)]


def _throws_of(line: str, reader: Reader) -> list[Thrown]:
    """Return what a line throws with its faces; nothing if it cannot be read, or throws none."""
    try:
        parsed = parse_each(line, reader.scope)
    except LedgerError:
        return []
    return [throw(reader.ledger_state, reader.book, each) for each in parsed if each.faces]


def throws_faces(line: str, reader: Reader) -> bool:
    """Return whether a line throws the faces that it has, and maybe more dice."""
    thrown = _throws_of(line, reader)
    return bool(thrown) and all(each.error is None or each.is_short for each in thrown)


def _are_thrown(parsed: Sequence[ParsedLine], reader: Reader) -> bool:
    """Return whether the faces that are said are those of the dice that are thrown now."""
    thrown = (throw(reader.ledger_state, reader.book, each) for each in parsed if each.faces)
    return all(each.error is None for each in thrown)
