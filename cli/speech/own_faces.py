"""Dice that a sentence says at its end, one of each who throws: `Ada and Bo roll wits: Ada 5, Bo 17`.

Typed faces are of one line, so that each says the sentence with the own face, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.spoken_dice import dice_from
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, is_passed_over, sentence_of
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
GETS: Final = "gets"
FOR: Final = "for"  # before who has a face: `5 for Ada`
ANSWERS: Final = ("yes", "yep", "yeah", "no", "nope", "nah")
SEVERAL: Final = 2  # who throw, at least


class OwnFaces(NamedTuple):
    """What the first says with the own face, and what is left. `is_told`: it is not certain whose face is whose."""

    first: str
    rest: str
    is_told: bool


class _Throw(NamedTuple):
    """The name of who throws, empty for a pronoun or if nobody is named, the faces, and where the clause begins."""

    who: str
    face: str
    start: int = 0


def find_own_faces(words: Sequence[Word], reader: Reader) -> OwnFaces | None:
    """Return a sentence of several with a face of each, as one says it after the other; None if it is no such one.

    The faces are of all who say it; those without a name in the order in which they are named.
    """
    words = _with_each_of_group(_without_answers(without_result(words)), reader)
    end, throws = _throws_at_end(words, reader) if len(words) <= PARTED_MOST else (0, [])
    if throws and (not end or (throws[0].who and _only_says_that_all_throw(words[:end], reader))):
        return _faces_alone(words, throws)
    said_by = _said_by(words[:end], reader) if len(throws) >= SEVERAL else None
    if said_by is None:
        return None
    names, deed, why = said_by
    is_told = not any(each.who for each in throws)
    faces = dict(zip(names, (each.face for each in throws), strict=False))
    if not is_told:
        faces = {each.who: each.face for each in throws}
    if len(throws) != len(names) or {*faces} != {*names}:
        return None
    said = sentence_of(deed)
    lines = [f"{name} {said} {FACE}{face}" for name, face in faces.items()]
    lines[0] += f" because {sentence_of(why)}" if why else ""
    if len(lines) == SEVERAL:
        return OwnFaces(lines[0], lines[1], is_told)
    later = list(faces.items())[1:]
    subject = " and ".join(name for name, _ in later)
    listed = ", ".join(f"{name} {_words_of(face)}" for name, face in later)
    return OwnFaces(lines[0], f"{subject} {said}: {listed}", is_told)


def without_result(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without its last clause if that says again who takes what: `a 4 and a 2, so he takes the four`.

    Its numbers were said before.
    """
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), 0)
    said = {amount.number for at in range(start) if (amount := amount_at(words, at))}
    taken = {amount.number for at in range(start, len(words)) if (amount := amount_at(words, at))}
    is_suffered = any(not ENGLISH.suffering.isdisjoint(base_forms(word.text)) for word in words[start:])
    return words[:start] if taken and taken <= said and is_suffered else words


def _without_answers(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without the yes or no behind a name: `Bo: no, nine`."""
    kept = [
        word for before, word in pairwise([*words[:1], *words]) if not (before.mark == ":" and word.text in ANSWERS)
    ]
    return kept if len(kept) < len(words) else words


def _with_each_of_group(words: Sequence[Word], reader: Reader) -> Sequence[Word]:
    """Return a sentence with the number behind each of a group at its end: `Ada 5, the guards eight and ten`."""
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), 0)
    named = reader.in_play.beings.at(words, start) if start and amount_at(words, start - 1) else None
    if named is None or len(named.readings) > 1:
        return words
    behind = [word for word in words[start + named.size :] if word.text != "and"]
    amounts = [amount for at in range(len(behind)) if (amount := amount_at(behind, at))]
    if not len(behind) == len(amounts) == len(named.readings[0]) >= SEVERAL:
        return words
    names = (Word(f'"{name}"', name.casefold(), 0) for name in named.readings[0])
    return [*words[:start], *chain.from_iterable(zip(names, (each._replace(mark=",") for each in behind), strict=True))]


def _said_by(words: Sequence[Word], reader: Reader) -> tuple[Sequence[str], Sequence[Word], Sequence[Word]] | None:
    """Return who says a sentence, what they do, and the clause before that says why: `the floor tilts and all roll`."""
    for start in range(len(words)):
        if start and not (words[start - 1].mark or words[start - 1].text == "and"):
            continue
        behind = start + (words[start].text in ENGLISH.both)
        tried = (reader.speaker_of(words[at:]) for at in dict.fromkeys((start, behind)))  # `all three roll`, `all roll`
        said_by = next(filter(None, tried), None)
        if said_by and len(said_by[0]) >= SEVERAL:
            why = words[: start - (start > 0 and words[start - 1].text == "and")]
            return *said_by, why
        if said_by and reader.begins_deed(said_by[1], 0):
            return None  # it is an act by itself
    return None


def _faces_alone(words: Sequence[Word], throws: Sequence[_Throw]) -> OwnFaces | None:
    """Return what the first gets, and the rest, of a sentence that only says who threw what: `Ada 5, Bo 17`."""
    first = throws[0]
    behind = throws[1].start if len(throws) > 1 else len(words)
    is_bare = not any(_is_throwing(word) for word in words[:behind])
    is_dice = len(throws) > 1 and not throws[1].who and bool(next(dice_from(words, _first_number(words)), None))
    if not first.who or (len(throws) == 1 and not is_bare) or is_dice:
        return None  # `Ada rolls 7 and 8` are dice of one
    rest = sentence_of(words[behind + (words[behind].text in ENGLISH.leads) :]) if len(throws) > 1 else ""
    return OwnFaces(f"{first.who} {GETS} {_words_of(first.face)}", rest, is_told=True)


def _words_of(faces: str) -> str:
    """Return the faces of a line as they are said: `8 and 9`."""
    return faces.replace(".", " and ")


def _first_number(words: Sequence[Word]) -> int:
    """Return where the first number of a sentence stands."""
    return next((at for at in range(len(words)) if amount_at(words, at)), len(words))


def _throws_at_end(words: Sequence[Word], reader: Reader) -> tuple[int, list[_Throw]]:
    """Return where the clauses begin that only say what somebody threw, to the end of a sentence, and the throws.

    Each who is named throws several dice, `Ada 8 and 9, Bo 2 and 4`, or else one.
    """
    end, throws = _split_throws(words, reader, is_of_several=True)
    is_of_several = len(throws) >= SEVERAL and all(each.who for each in throws)
    return (end, throws) if is_of_several else _split_throws(words, reader, is_of_several=False)


def _split_throws(words: Sequence[Word], reader: Reader, *, is_of_several: bool) -> tuple[int, list[_Throw]]:
    """Return where the clauses begin that only say what somebody threw, each several dice or each one."""
    throws: list[_Throw] = []
    end = len(words)
    for start in range(len(words) - 1, -1, -1):
        begins = not start or _parts(words[start - 1], reader) or words[start].text == "and"
        if not (begins or _begins_with_name(words, start, reader)):
            continue
        throw = _throw_of(words[start:end], reader, is_of_several=is_of_several)
        if throw is None and not (is_of_several and words[start].text == "and"):
            break
        if throw is None:
            continue  # `8 and 9` are of one
        throws.insert(0, throw._replace(start=start))
        end = start
    return end, throws


def _parts(word: Word, reader: Reader) -> bool:
    """Return whether a clause ends with a word: not with a name before what it throws, `Bo: got a nine`."""
    return bool(word.mark) and not (word.mark == ":" and reader.in_play.beings.at([word], 0))


def _begins_with_name(words: Sequence[Word], start: int, reader: Reader) -> bool:
    """Return whether somebody is named here behind the face of another: `Ada 9 Bo 2`."""
    beings = reader.in_play.beings
    is_face = amount_at(words, start - 1) is not None and not beings.is_within_name(words, start - 1)
    return is_face and beings.at(words, start) is not None


def _throw_of(clause: Sequence[Word], reader: Reader, *, is_of_several: bool) -> _Throw | None:
    """Return what a clause says that was thrown: `Ada gets a five`, `he 3`; None if it says more."""
    index = 1 if clause[0].text in ENGLISH.leads else 0
    named = reader.in_play.beings.at(clause, index)
    is_pronoun = index < len(clause) and clause[index].text in ENGLISH.subjects
    is_group = named is not None and len(named.readings) == 1 and clause[-1].text in ENGLISH.each
    if named and not is_group and (len(named.readings) > 1 or len(named.readings[0]) > 1):
        return None
    who = sentence_of(clause[index : index + named.size]) if named and is_group else named and named.readings[0][0]
    index += named.size if named else is_pronoun
    face = ""
    while index < len(clause):
        amount = amount_at(clause, index)
        dice = next(dice_from(clause, index), None) if is_of_several and not face else None
        if dice:
            index, face = dice
            continue
        behind = reader.in_play.beings.at(clause, index + 1) if face and clause[index].text == FOR else None
        if behind and named is None and index + 1 + behind.size == len(clause):
            named, who, index = behind, behind.readings[0][0], len(clause)
            continue
        if amount and not (face or is_of_several):
            face, index = str(amount.number), index + amount.size
        elif amount or not (is_passed_over(clause[index]) or _is_throwing(clause[index])):
            return None
        else:
            index += 1
    return None if not face else _Throw(who or "", face)


def _only_says_that_all_throw(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a clause says nothing but that several throw: `they all roll`, `everybody rolled`."""
    named = reader.in_play.beings.at(words, 0)
    behind = words[named.size :] if named and named.is_everybody else words
    said = [word for word in behind if not (is_passed_over(word) or word.text in ENGLISH.plural)]
    return len(words) > len(said) > 0 and all(map(_is_throwing, said))


def _is_throwing(word: Word) -> bool:
    return not base_forms(word.text).isdisjoint(ENGLISH.throwing)
