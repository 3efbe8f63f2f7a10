"""What is said of the readings of a sentence: which are allowed but leave words over, and why the rest are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.notation.known_beings import match_being
from cli.notation.tokens import ANSWER_MARK, GM_MARK, quote
from cli.speech.answerable import announce
from cli.speech.attempts import QUOTED
from cli.speech.english import ENGLISH
from cli.speech.heard import Heard, unclear
from cli.speech.levels import ALREADY
from cli.speech.line_looks import is_prose, is_scenery, tells_of_thing
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.words import Word, amount_at, is_only_amount, split_words
from ledger.errors import Refused, Unreadable
from ledger.facts import GM
from rulebooks.common.sides import is_foe

NUMBER: Final = re.compile(r"[0-9]+")
FIELD: Final = re.compile(r"(?<=[a-z])[0-9]+")  # the number of a field: `take20`
SPEAKER_FIELD: Final = "by"
LACKS: Final = "lacks its"  # in the error for a line without a field that it needs
LEFT_WEIGHT: Final = 2  # of a word that is left over in a sentence in doubt
NAME_MOST: Final = 2  # words of a name


def nearly_read(readings: Sequence[Meaning]) -> list[Meaning]:
    """Return the readings that are allowed, and leave words over."""
    return [reading for reading in readings if reading.left and reading.error is None and reading.parsed]


def about_named(lines: Sequence[str], left: Sequence[str], reader: Reader) -> list[str]:
    """Return those of some lines that are about who is named in the words left over; all where none is."""
    words = split_words(" ".join(left))
    named = [found for at in range(len(words)) if (found := reader.in_play.beings.at(words, at))]
    names = {in_line(name) for each in named for names in each.readings for name in names}
    return [line for line in lines if any(name in line for name in names)] or [*lines]


def without_exceptions(readings: Sequence[Meaning]) -> list[Meaning]:
    """Return readings without those that have who is left out as a text, `everyone rolls "but Ada"`; all if all do."""
    texts = ([split_words(text) for text in QUOTED.findall(each.line)] for each in readings)
    excepted = [any(text and text[0].text in ENGLISH.excluding for text in each) for each in texts]
    return [each for each, is_out in zip(readings, excepted, strict=True) if not is_out] or [*readings]


def announced_line(typed: str, reading: Meaning, reader: Reader) -> str:
    """Return the line of a reading, announced where somebody may answer what it says."""
    return announce(typed, Heard(reading.parsed, reading.line), reader.ledger_state, reader.book).line


def nearly_unrefused(readings: Sequence[Meaning], reader: Reader) -> list[Meaning]:
    """Return the readings that leave words over.

    Where a rule refuses one with all words, those without a phrase and those that leave somebody out are none:
    `grabs guard 1` is refused as a grapple, and draws no weapon.
    """
    nearly = nearly_read(readings)
    if not refusals(readings):
        return nearly
    refused = (each for each in readings if isinstance(each.error, Refused) and not (each.left or each.is_answer))
    least = max((each.weight for each in refused), default=0)
    return [each for each in nearly if each.weight >= max(1, least) and not leaves_out(each, reader)]


def likely_in_doubt(readings: Sequence[Meaning], reader: Reader) -> list[Meaning]:
    """Return the readings of a sentence in doubt that leave few words over.

    `next round I might go for him` is no `next round`.
    """
    nearly = nearly_unrefused(readings, reader)
    return [each for each in nearly if each.weight and len(each.left) * LEFT_WEIGHT <= each.weight + LEFT_WEIGHT]


def leaves_out(reading: Meaning, reader: Reader) -> bool:
    """Return whether a reading leaves over somebody or a number, which a line may not leave out without a word."""
    left = split_words(" ".join(reading.left))
    return any(reader.in_play.beings.at(left, at) or amount_at(left, at) for at in range(len(left)))


def with_results(readings: Sequence[Meaning]) -> list[Meaning]:
    """Return those of the readings that leave over only a number that comes of the dice that they say: `/6, so 5`."""
    nearly = (each for each in nearly_read(readings) if any(one.faces for one in each.parsed))
    return [each for each in nearly if is_only_amount(split_words(" ".join(each.left)))]


def refusals(readings: Sequence[Meaning]) -> list[Refused]:
    """Return why the rules refuse the readings that explain every word and are no free tasks.

    A refused answer to what somebody does says nothing where what is done leaves a word over, and so does a verb that
    explains fewer words: `finish off the wounded guard` is not `finish`.
    """
    is_nearly = any(not reading.is_answer for reading in nearly_read(readings))
    is_able = any(not reading.is_answer and reading.parsed and reading.error is None for reading in readings)
    whole = [reading for reading in readings if reading.parsed and not (reading.left or reading.is_free)]
    whole = [each for each in whole if not (is_able and each.is_answer and each.is_unsure)]
    nearest = max((reading.weight for reading in nearly_read(readings)), default=0)
    whole = [each for each in whole if not (is_nearly and (each.is_answer or each.weight < nearest))]
    refused = [(each.is_answer, each.error) for each in whole if isinstance(each.error, Refused)]
    return [error for _, error in sorted(refused, key=lambda each: (each[0], each[1].field == SPEAKER_FIELD))]


def refused_rather(readings: Sequence[Meaning], able: Sequence[Meaning]) -> Refused | None:
    """Return why a rule refuses a task with the number that a line of the game master says, if that alone is allowed.

    `takes twenty on the lock` without a difficulty is no damage of twenty. `able`: what is allowed.
    """
    numbers = {number for each in able for number in NUMBER.findall(each.line)}
    is_ruled = all(each.is_unsure and each.parsed[0].declaration.by == GM for each in able)
    tasks = [each for each in readings if each.is_free and each.parsed and not (each.left or each.is_unsure)]
    refused = (each.error for each in tasks if numbers.issubset(FIELD.findall(each.line)))
    return next((each for each in refused if isinstance(each, Refused)), None) if numbers and is_ruled else None


def unread_error(reading: Meaning) -> Unreadable:
    """Return why a reading is no line, with the words left over; without a column, which is of another line."""
    what, hint = (reading.error.what, reading.error.hint) if reading.error else ("", "")
    left = f", and '{' '.join(reading.left)}' is not understood" if reading.left else ""
    return Unreadable(what + left, hint=hint)


def one_number_error(nearly: Meaning, reader: Reader) -> Unreadable | None:
    """Return that one number is no throw of several dice, if all that a reading leaves over is one: `agility, 14`."""
    verbs = type(nearly.parsed[0].declaration).verbs
    is_thrown = any(f"{verb}: /{{dice}}" in reader.tail.templates for verb in verbs)
    left = " ".join(nearly.left)
    if nearly.parsed[0].faces or not is_thrown or not is_only_amount(split_words(left)):
        return None
    return Unreadable(
        f"'{left}' is one number, and each die has its own", hint=f"Write them behind a stroke: {nearly.line} /7.6"
    )


def means_by_denial(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a phrase has the denial in it: `nobody else does anything`, `he never sees her coming`."""
    denied = next((index for index, word in enumerate(words) if word.text in ENGLISH.denying), -1)
    return any(
        match.end > denied and words[denied].text in match.frame.parts
        for start in range(denied + 1)
        for match in reader.verbs.at(words, start, reader.in_play)
    )


def names_in_text(reading: Meaning, reader: Reader) -> bool:
    """Return whether a text of a line, which is more than a name, names somebody: `"longsword, guard 2, 14 to hit"`.

    Those of whom the line is are none: `! leave "Guard 1" "Guard 1 flees"`.
    """
    texts = [text for text in QUOTED.findall(reading.line) if len(split_words(text)) > NAME_MOST]
    rest = reading.line
    for text in texts:
        rest = rest.replace(quote(text), "")
    said = (split_words(text) for text in texts)
    named = (reader.in_play.beings.at(words, at) for words in said for at in range(len(words)))
    return any(each and not all(in_line(name) in rest for name in each.readings[0]) for each in named)


def lacks_field(readings: Sequence[Meaning]) -> Unreadable | None:
    """Return what the best reading with a known verb lacks, or why it changes nothing, if it explains every word."""
    best = next((each for each in readings if each.weight and not each.left), None)
    what = best.error.what if best and best.error is not None and not best.parsed else ""
    return unread_error(best) if best and (LACKS in what or what.endswith(ALREADY)) else None


def lacks_words(readings: Sequence[Meaning]) -> Unreadable | None:
    """Return what the best reading with a known verb and a speaker lacks, where other words stand: `draws his bow`."""
    best = next((each for each in readings if each.weight and len(each.left) == 1), None)
    is_lacking = best is not None and not best.parsed and best.error is not None and LACKS in best.error.what
    return unread_error(best) if best and is_lacking else None


def is_foes_deed(words: Sequence[Word], readings: Sequence[Meaning], reader: Reader) -> bool:
    """Return whether a sentence says of a foe what no rule decides: it is a story, if no name is in quotation marks."""
    named, state = reader.in_play.beings.at(words, 0), reader.ledger_state.state
    is_about_foe = named is not None and all(is_foe(name, state) for names in named.readings for name in names)
    return is_about_foe and not words[0].is_quoted and all(reading.is_free for reading in readings)


def unread_sentence(typed: str, parsed: Unreadable, words: Sequence[Word], reader: Reader) -> Unreadable:
    """Return why the grammar does not read a sentence; `no, the second one` names nobody called `no,the`."""
    is_lead = words and words[0].mark and not parsed.near and reader.in_play.beings.at(words, 0) is None
    beings, of_book = reader.in_play.beings, reader.in_play.values()
    is_of_book = any(word.text in of_book for word in words) or (bool(words) and reader.verbs.has_like(words[0].text))
    is_told = is_scenery(words, beings) or (tells_of_thing(words, beings) and not is_of_book)
    is_told |= is_prose(typed) and words[0].text in ENGLISH.subjects  # `I go through their pockets.`
    is_name = bool(words) and words[0].is_quoted and match_being(words[0].raw.strip('"'), reader.scope).exact
    if is_name or typed.lstrip().startswith((GM_MARK, ANSWER_MARK)):
        return parsed  # who types a mark or quotes a name knows the grammar
    told = [f"> {typed.strip()}"] if (is_told and not parsed.near) or (words and words[0].is_quoted) else []
    return unclear(typed, told) if told or is_lead else parsed
