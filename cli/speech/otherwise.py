"""What is meant where a rule refuses what was said, or where no verb is known: lines that a book proposes for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final

from cli.notation.known_words import find_kind_of_verb
from cli.notation.schema import fields_of
from cli.notation.tokens import quote
from cli.notation.value_parser import ValueParser
from cli.questions.possible import why_not_said
from cli.speech.dice_apart import dice_apart
from cli.speech.english import ENGLISH
from cli.speech.evocation import evoked_lines
from cli.speech.frames import SPEECH, read_speech
from cli.speech.heard import Unclear, unclear
from cli.speech.lexicon import WHO, in_list
from cli.speech.likely_words import likeliest_first
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import SKILL, in_line
from cli.speech.speakers import mentions_in
from cli.speech.thrown_lines import throws_faces
from cli.speech.verdicts import leaves_out, means_by_denial, names_in_text
from cli.speech.words import Word, is_passed_over, sentence_of, split_words
from ledger.errors import Refused
from rulebooks.common.announcements import find_window

UNKNOWN: Final = "unknown"  # the key of what is meant by a sentence without a known verb
SAY: Final = "say: "  # before a sentence that is proposed, to be read
CALM: Final = "calm: "  # before lines that are meant where no encounter is running
AGAIN: Final = "again: "  # before a line behind which the sentence is said once more
DIGITS: Final = "0123456789"
THROWN: Final = "thrown: "  # before lines that are meant where dice are said
TURN: Final = "{turn}"  # who is in turn
LINE: Final = "{line}"  # the line that is refused
ALIKE_MOST: Final = 2  # others that are refused for the same reason
OR: Final = " | "  # between lines that are proposed together
GUESSED_MOST: Final = 2  # of them, beside what is done
WORD_WEIGHT: Final = 2  # of a word of a phrase
SAID_LEAST: Final = 2  # words of what is done
SKILLS_MOST: Final = 4  # words that a line may need


def lines_otherwise(typed: str, readings: Sequence[Meaning], reader: Reader) -> list[str]:
    """Return what a book proposes first for a sentence none of whose readings is allowed; else nothing.

    `readings`: those of the sentence; where they explain every word, the rules refuse them.
    """
    proposed = read_speech(reader.book.texts().folder / SPEECH).refused
    if not proposed:
        return []
    said_by = reader.speaker_of(split_words(typed))
    able = (each for each in readings if each.parsed and isinstance(each.error, Refused))
    refused = [(each, _key_of(each, proposed)) for each in able if not leaves_out(each, reader)]
    whole = [(each.line, code) for each, code in refused if not each.left or code in proposed]
    is_read = any(each.error is None for each in readings)
    if not whole and (said_by is None or is_read or reader.verbs.has_like(said_by[1][0].text)):
        return []
    line, code = next((each for each in whole if each[1] in proposed), whole[0]) if whole else ("", UNKNOWN)
    behind = said_by[1] if said_by else ()
    is_parted = any(word.mark for word in behind[:-1])  # dice stand behind a stop
    words, faces = next(dice_apart(behind, reader), (behind, "")) if is_parted else (behind, "")
    names, said = (said_by[0], sentence_of(words)) if said_by else ((), typed.strip())
    if not said_by and (own := _own_deed(typed, reader)):
        return _first_person(proposed.get(UNKNOWN, ()), own, reader)
    if not whole and len(said.split()) < SAID_LEAST:
        return []
    templates = [*_fitting(proposed.get(code, ()), reader)]
    first = partial(_first_able, templates, line, said, faces, reader)
    lines = first(names)
    if not lines and len(names) > 1:  # of a group those are meant who can
        lines = first(tuple(name for name in names if first((name,))))
    if any(LINE in template for template in templates):  # `Ada makes a save` may be each of hers
        alike = [each for each, other in whole if other == code and each != line][:ALIKE_MOST]
        lines += [also for each in alike for also in _first_able(templates, each, said, faces, reader, names)]
    return [*dict.fromkeys(lines)]


def question_instead(typed: str, readings: Sequence[Meaning], reader: Reader) -> Unclear | None:
    """Return the question for what a book proposes where a rule refuses a sentence; None if it proposes nothing."""
    lines = lines_otherwise(typed, readings, reader)
    return unclear(typed, lines) if lines else None


def said_again(typed: str, lines: Sequence[str], reader: Reader) -> Mapping[str, str]:
    """Return the sentence that is left to say behind those of these lines that only let it be said."""
    proposed = read_speech(reader.book.texts().folder / SPEECH).refused.values()
    again = (template.rpartition(AGAIN) for templates in proposed for template in templates)
    ends_of = (end.rpartition(WHO)[2] for _, is_again, end in again if is_again)
    ends = tuple(filter(None, ends_of))
    said_by, window = reader.speaker_of(split_words(typed)), find_window(reader.ledger_state.state)
    is_announced = bool(window and said_by and said_by[0] == (window.who,))  # who says it does it already
    return {line: typed.strip() for line in lines if ends and line.endswith(ends) and not is_announced}


def _own_deed(typed: str, reader: Reader) -> str:
    """Return what somebody says of himself, where several may talk: `I'm going for the door`; else nothing."""
    words = split_words(typed)
    is_own = len(words) > SAID_LEAST and words[0].text in ENGLISH.first_person and words[0].text in ENGLISH.subjects
    start = next((at for at, word in enumerate(words) if at and not is_passed_over(word)), len(words))
    return sentence_of(words[start:]) if is_own else ""


def _first_person(templates: Sequence[str], said: str, reader: Reader) -> list[str]:
    """Return what the first of these templates makes of a deed for each player who may say it."""
    players = reader.in_play.beings.groups.get("players", ())
    first = partial(_first_able, [*_fitting(templates, reader)], "", said, "", reader)
    return [line for name in players for line in first((name,))[:1]]


def _key_of(refused: Meaning, proposed: Mapping[str, object]) -> str:
    """Return the key of what is proposed for a refusal: its code with the verb, `DB-E-TURN move`, or alone."""
    code = refused.error.code if isinstance(refused.error, Refused) else ""
    own = (f"{code} {verb}" for verb in type(refused.parsed[0].declaration).verbs)
    return next((key for key in own if key in proposed), code)


def _fitting(templates: Sequence[str], reader: Reader) -> Iterator[str]:
    """Yield the templates that fit the moment, with the one who is in turn: those for a calm one not in a fight."""
    encounter = reader.ledger_state.state.encounter
    turn = encounter.turn if encounter and encounter.turn in reader.scope.beings else ""
    for template in templates:
        if not (encounter and template.startswith(CALM)) and (turn or TURN not in template):
            yield template.removeprefix(CALM).removeprefix(AGAIN).replace(TURN, in_line(turn))


def _first_able(
    templates: Sequence[str], line: str, said: str, faces: str, reader: Reader, names: Sequence[str]
) -> list[str]:
    """Return what the first of these templates makes that these may say now; else nothing."""
    filled = _filled(templates, names, line, said, faces, reader)
    read = ([line for one in some for line in _lines_of(one, reader)] for some in filled)
    able = ([each for each in some if _is_able(each, faces, reader)] for some in read)
    return [*likeliest_first(next(filter(None, able), []), str, said, reader.book)]


def _is_able(line: str, faces: str, reader: Reader) -> bool:
    """Return whether a line may be said now, and throws the dice that are said."""
    if why_not_said(line, reader.ledger_state, reader.book, reader.scope):
        return False
    return not faces or throws_faces(line, reader)


def _with_each_skill(template: str, by: str, reader: Reader) -> list[str]:
    """Return a template with each word that its line needs of those of somebody: `save body`, `save resolve`."""
    kind = find_kind_of_verb(template.split()[1], reader.scope.declarations) if SKILL in template else None
    field = next((each for each in fields_of(kind) if each.required and each.has("word")), None) if kind else None
    if kind is None or field is None:
        return [template]
    words = ValueParser(kind, by, reader.scope).known_words(field)
    return [template.replace(SKILL, in_line(word)) for word in words][:SKILLS_MOST]


def with_last_number(line: str) -> str:
    """Return a line without a number that its last one replaces: `e1` behind a line with `e2`."""
    begun, space, last = line.rpartition(" ")
    if not space:
        return line
    short = last.rstrip(DIGITS)
    is_number = short.isalpha() and short != last
    kept = [
        each
        for each in begun.split(" ")
        if not is_number or each == each.rstrip(DIGITS) or each.rstrip(DIGITS) != short
    ]
    return " ".join([*kept, last])


def _filled(
    templates: Iterable[str], names: Sequence[str], line: str, said: str, faces: str, reader: Reader
) -> Iterator[list[str]]:
    """Yield the lines that each of these templates makes, with its dice; one with a speaker only for somebody."""
    who = in_list(names)
    for template in templates:
        is_meant = bool(faces) or not template.startswith(THROWN)
        if is_meant and (who or "{who}" not in template):
            parts = template.removeprefix(THROWN).split(OR)
            each_of = [one for part in parts for one in _with_each_skill(part, names[0] if who else "", reader)]
            filled = [with_last_number(one.replace("{who}", who).replace(LINE, line)) for one in each_of]
            yield [
                each.replace('"{said}"', quote(said)).replace("{said}", said) + f" {faces}".rstrip() for each in filled
            ]


def _lines_of(proposed: str, reader: Reader) -> Iterator[str]:
    """Yield a line that is proposed, or the one that a proposed sentence means."""
    if not proposed.startswith(SAY):
        yield proposed
        return
    meant = reader.another().read(proposed.removeprefix(SAY))
    yield from islice((each.line for each in meant if each.parsed and each.error is None and not each.left), 1)


def guessed_beside(legal: Sequence[Meaning], words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the lines that may be meant beside a deed in any words in a fight, or one that leaves a clause out.

    `opens with a shield crush on guard 2` opens nothing.
    """
    is_fight = reader.ledger_state.state.encounter is not None
    is_deed = is_fight and not any(reading.weight for reading in legal)
    is_denied = any(word.text in ENGLISH.denying for word in words)  # `he can't see her, so she hits him`
    named = {at for each in mentions_in(words, reader.in_play) for at in range(each.start, each.end)}
    said = sum(not is_passed_over(word) for at, word in enumerate(words) if at not in named)
    is_swallowed = all(
        (is_denied and reading.is_unsure and not means_by_denial(words, reader))
        or ((is_fight or reading.is_unsure) and names_in_text(reading, reader) and reading.weight < said * WORD_WEIGHT)
        for reading in legal
    )
    return evoked_lines(words, reader)[:GUESSED_MOST] if is_deed or is_swallowed else ()
