"""Dice that a sentence says in words of its own, apart from what is done: `her recovery roll was a 4`, `8 dawn 5 dusk`.

They are taken out, what is left is read, and each line that throws dice gets them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.questions.possible import throw
from cli.speech.english import ENGLISH
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import DIE
from cli.speech.spoken_dice import FACES_LEAST, dice_from, die_names, is_no_die
from cli.speech.words import Word, amount_at, is_passed_over
from ledger.errors import LedgerError
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
WITH: Final = "with"
JOINING: Final = frozenset(("and", "with", "but", "gets", "got", "rolls", "rolled"))  # before dice, but for a stop
OTHER_MOST: Final = 1  # word of what is rolled: `recovery roll`
PARTED_MOST: Final = 3  # ways to part a sentence that are tried


def dice_apart(words: Sequence[Word], reader: Reader) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield a sentence without its dice, and these as a line has them; the ways that leave the fewest words first."""
    beings = reader.in_play.beings
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
    behind = words[index + 1 : index + 2]
    return bool(behind) and not base_forms(behind[0].text).isdisjoint(ENGLISH.rolls)


def throws_faces(line: str, reader: Reader) -> bool:
    """Return whether a line throws the dice whose faces it has."""
    try:
        parsed = parse_each(line, reader.scope)
    except LedgerError:
        return False
    return bool(parsed) and all(each.faces for each in parsed) and _are_thrown(parsed, reader)


def that_throw(legal: Sequence[Meaning], reader: Reader) -> list[Meaning]:
    """Return the readings that throw the dice whose faces they have, where one of several has faces."""
    if len(legal) < 2 or not any(each.faces for reading in legal for each in reading.parsed):
        return [*legal]
    return [reading for reading in legal if _are_thrown(reading.parsed, reader)]


def _are_thrown(parsed: Sequence[ParsedLine], reader: Reader) -> bool:
    """Return whether the faces that are said are those of the dice that are thrown now."""
    thrown = (throw(reader.ledger_state, reader.book, each) for each in parsed if each.faces)
    return all(each.error is None for each in thrown)
