"""Free tasks: a line whose words nothing explains is one, outside of a fight, as the grammar reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import quote
from cli.questions.line_scope import line_scope
from cli.questions.possible import why_not_said, why_refused
from cli.speech.english import ENGLISH
from cli.speech.evocation import evoked, evoked_lines
from cli.speech.heard import Heard, is_doubtful, omission_note, unclear
from cli.speech.lexicon import in_list
from cli.speech.meanings import Meaning
from cli.speech.otherwise import lines_otherwise, said_again
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.tail_phrases import plain_verb
from cli.speech.verdicts import about_named, announced_line, nearly_read, refusals, refused_rather, unread_error
from cli.speech.words import Word, amount_at, level_at, sentence_of, split_words
from ledger.errors import LedgerError, Refused, Unreadable
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

DEED: Final = "does"  # the verb of what is done without a roll, where a game has one


def as_free_task(typed: str, parsed: Sequence[ParsedLine], readings: Sequence[Meaning], reader: Reader) -> Heard:
    """Return a line as the free task as which the grammar reads it, if none of its readings is allowed.

    Raises Refused and Unreadable if a reading says more about what is wrong, and Unclear in a fight, where it would be
    no task.
    """
    ledger_state, book = reader.ledger_state, reader.book
    nearly, refused = nearly_read(readings), refusals(readings)
    if rather := refused_rather(readings, nearly):
        raise rather
    unread = [unread_error(reading) for reading in readings if not (reading.is_free or reading.parsed)]
    wrong = next(filter(None, (why_refused(ledger_state, book, each.declaration) for each in parsed)), None)
    if not (refused or nearly) and (error := _unsaid_amount(text_of(parsed), parsed[0].declaration.by, reader)):
        raise error
    is_plain = not _has_field(text_of(parsed), reader)
    is_skill = all(_names_skill(each) for each in parsed)
    if is_plain and (ledger_state.state.encounter is None or is_skill):
        if wrong is None or not (refused or unread or nearly):
            if wrong and (said := _refused_fields(readings, wrong)):
                raise said
            return _with_plain_verb(parsed, reader)
        nearest = [
            unclear(typed, [each.line], f"'{' '.join(each.left)}' is not understood here") for each in nearly[:1]
        ]
        raise [*refused, *nearest, *([wrong] if is_skill else []), *unread][0]
    if otherwise := lines_otherwise(typed, readings, reader):
        raise unclear(typed, otherwise, then=said_again(typed, otherwise, reader))
    if refused:
        raise refused[0]
    scope = line_scope(ledger_state, book)
    may_be_deed = is_plain or not unread
    deeds = [
        line for line in _as_deed(parsed, book) if may_be_deed and not why_not_said(line, ledger_state, book, scope)
    ]
    alike = [each for each in nearly if (each.left, each.weight) == (nearly[0].left, nearly[0].weight)]
    is_guessed = ledger_state.state.encounter is not None and not any(each.weight for each in alike)
    guessed = [*evoked_lines(split_words(typed), reader)] if is_guessed else []
    deeds = deeds if is_plain or not (alike or guessed) else []  # a number in it is a field of another line
    about = about_named([reading.line for reading in alike], alike[0].left if alike else (), reader)
    lines = [*about, *guessed, *deeds, *([] if wrong else _marked_tasks(parsed))]
    if lines:
        raise unclear(typed, lines, omission_note(typed, alike[0].left if alike else ()))
    _ask_about_evoked(typed, reader)
    tried = [each.error for each in readings if each.weight and not each.is_free and isinstance(each.error, Refused)]
    raise [*unread, *tried, *([wrong] if wrong else [])][0]


def _ask_about_evoked(typed: str, reader: Reader) -> None:
    """Raise Unclear with what a sentence calls to mind in a fight, also with what that leaves out."""
    evocation = evoked(split_words(typed), reader) if reader.ledger_state.state.encounter else None
    if evocation and evocation.lines:
        raise unclear(typed, evocation.lines, omission_note(typed, evocation.lost))


def _has_field(text: str, reader: Reader) -> bool:
    """Return whether a task has a field in it that was missed: a number, or a level or behind a stop one in words."""
    words = split_words(text)
    if level_at(words):
        return True
    start = next((at + 1 for at, word in enumerate(words) if word.mark), len(words))
    is_ruled = any(
        word.text in reader.in_play.rules or amount_at(words, at) for at, word in enumerate(words) if at >= start
    )
    return is_ruled or any(letter.isdecimal() for letter in text)


def _with_plain_verb(parsed: Sequence[ParsedLine], reader: Reader) -> Heard:
    """Return how a free task is taken whose verb may be in the third person."""
    text = text_of(parsed)
    plain = plain_verb(words, 0) if (words := split_words(text)) else text
    line = parsed[0].line.replace(text, f"{plain}{text[len(words[0].raw) :]}", 1) if words else ""
    if not words or plain == words[0].raw or quote(text) in parsed[0].line or line == parsed[0].line:
        return Heard(parsed)
    return Heard(tuple(parse_each(line, reader.scope)), line)


def _refused_fields(readings: Sequence[Meaning], wrong: LedgerError) -> Refused | None:
    """Return why a task is refused with the fields that were said, if it is for another reason than without them."""
    refused = [each.error for each in readings if each.is_free and not each.left and isinstance(each.error, Refused)]
    return next((each for each in refused if isinstance(wrong, Refused) and each.code != wrong.code), None)


def _names_skill(parsed: ParsedLine) -> bool:
    """Return whether a free task names what it is rolled as."""
    kind = type(parsed.declaration)
    return bool(kind.free_as and getattr(parsed.declaration, kind.free_as))


def _marked_tasks(parsed: Sequence[ParsedLine]) -> list[str]:
    """Return the line of a free task in quotation marks, which is no other act; none for any other declaration."""
    if not type(parsed[0].declaration).free:
        return []
    start, found, end = parsed[0].line.partition(text := text_of(parsed))
    if start.endswith('"') and end.startswith('"'):
        return [parsed[0].line]
    return [f'{start}"{text}"{end}'] if found else []


def line_to_type(typed: str, reading: Meaning, reader: Reader) -> str:
    """Return the line of a reading as one that is taken when it is typed: a task that may be an act in marks."""
    line = announced_line(typed, reading, reader)
    is_open = line == reading.line and any(is_doubtful(each, reader.scope) for each in reading.parsed)
    return next(iter(_marked_tasks(reading.parsed) if is_open else ()), line)


def _as_deed(parsed: Sequence[ParsedLine], book: Game) -> list[str]:
    """Return the line of what is done without a roll, where a game has a verb for it."""
    has_deeds = any(DEED in kind.verbs for kind in book.declarations)
    return [f"{in_line(parsed[0].declaration.by)} {DEED} {quote(text_of(parsed))}"] if has_deeds else []


def text_of(parsed: Sequence[ParsedLine]) -> str:
    """Return the words of a free task."""
    said = parsed[0].declaration
    return str(getattr(said, type(said).free))


def _unsaid_amount(text: str, by: str, reader: Reader) -> Unreadable | None:
    """Return the error for what changes a value by no number, `loses half her health`; None for any other deed."""
    words, values = split_words(text), reader.in_play.values()
    value = next((values[word.text] for word in words[1:] if word.text in values), "")
    first = base_forms(words[0].text) if words else frozenset()
    if not value or first.isdisjoint(ENGLISH.gains | ENGLISH.losses):
        return None
    sign = "-" if first.isdisjoint(ENGLISH.gains) else "+"
    return Unreadable(f"'{text}' does not say by how many", hint=f"Write a number: {in_line(by)} {value} {sign}2.")


def of_whom_it_names(
    words: Sequence[Word], parsed: Sequence[ParsedLine] | Unreadable, reader: Reader
) -> Sequence[ParsedLine] | Unreadable:
    """Return how the grammar reads a line, with the speaker who is named: `thug two runs` are not two of them."""
    said_by = None if isinstance(parsed, Unreadable) else reader.speaker_of(words)
    if isinstance(parsed, Unreadable) or said_by is None:
        return parsed
    if {each.declaration.by for each in parsed}.issubset(said_by[0]):
        return parsed
    try:
        return parse_each(f"{in_list(said_by[0])} {sentence_of(said_by[1])}", reader.scope)
    except Unreadable as error:
        return error


def _tells_more(text: str, reader: Reader) -> bool:
    """Return whether a deed in any words has a second clause with a number, which no field of it takes.

    `drinks a tonic and recovers four health` is more than a drink.
    """
    words = split_words(text)
    start = next((at for at, word in enumerate(words) if word.text == "and" or word.mark), len(words))
    within = reader.in_play.beings.is_within_name
    return any(amount_at(words, at) and not within(words, at) for at in range(start + 1, len(words)))


def as_task_or_story(
    typed: str, parsed: Sequence[ParsedLine], readings: Sequence[Meaning], reader: Reader, *, is_told: bool
) -> Heard:
    """Return how a task in any words is taken. Raises Unclear for a story whose task the rules refuse."""
    if is_told and all(why_refused(reader.ledger_state, reader.book, each.declaration) for each in parsed):
        raise unclear(typed, [*evoked_lines(split_words(typed), reader), f"> {typed.strip()}"])
    heard = as_free_task(typed, parsed, readings, reader)
    if _tells_more(text_of(heard.parsed), reader):
        raise unclear(typed, [*evoked_lines(split_words(typed), reader), f"> {typed.strip()}"])
    return heard


def is_unknown_word(parsed: Sequence[ParsedLine], legal: Sequence[Meaning]) -> bool:
    """Return whether a line is a task in one word that nothing explains: the rules name the nearest."""
    return " " not in text_of(parsed) and not any(reading.weight for reading in legal)
