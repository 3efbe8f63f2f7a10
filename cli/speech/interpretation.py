"""What becomes of a sentence: it is taken as the one line that it can mean, asked about, or refused. Never guessed.

A line that the grammar takes as it is stands. Of the readings of any other those remain that explain every word and
that the rules allow now. One: it is taken. Several, or one that rests on a pronoun or leaves a word over: asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Final

from cli.notation.field_parser import TEXT_HINT
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import GM_MARK, TELL_MARKS, quote
from cli.questions.possible import why_not_said
from cli.speech.answerable import announce, as_typed
from cli.speech.clauses import find_last_act, find_two_acts, has_second_act, joins_deed, lines_behind
from cli.speech.dice_questions import ask_with_dice
from cli.speech.doubts import condition_error, denied_error, doubt_error, is_doubtful_sentence
from cli.speech.evocation import evoked, evoked_lines
from cli.speech.evoked_lines import Evocation
from cli.speech.free_tasks import as_task_or_story, is_unknown_word, line_to_type, of_whom_it_names
from cli.speech.harmful_things import lines_of_harm
from cli.speech.heard import ASKED_MOST, Heard, NotInPlay, Unclear, omission_note, unclear
from cli.speech.likely_words import likeliest_first
from cli.speech.line_looks import QUOTES, has_long_text, has_no_other_words, is_prose, words_at
from cli.speech.lost_words import unsaid_words
from cli.speech.meanings import Meaning, encode
from cli.speech.missing_fields import lines_with_field
from cli.speech.newcomers import newcomers_error
from cli.speech.otherwise import guessed_beside, lines_otherwise, question_instead, said_again
from cli.speech.own_faces import find_own_faces
from cli.speech.paraphrases import find_paraphrase
from cli.speech.prerequisites import sentences_behind
from cli.speech.quotes import told_in_words
from cli.speech.readings import Reader
from cli.speech.remainders import is_of_another, remainders
from cli.speech.second_acts import with_second_act
from cli.speech.second_thoughts import put_right
from cli.speech.several_targets import each_changed, of_each_target
from cli.speech.thrown_lines import that_throw
from cli.speech.verdicts import (
    about_named,
    announced_line,
    is_foes_deed,
    lacks_field,
    lacks_words,
    likely_in_doubt,
    means_by_denial,
    nearly_read,
    nearly_unrefused,
    one_number_error,
    refusals,
    refused_rather,
    unread_sentence,
    with_results,
    without_exceptions,
)
from cli.speech.word_order import without_ruling
from cli.speech.words import Word, sentence_of, split_words
from ledger.errors import LedgerError, Refused, Unreadable
from rulebooks.common.adjustments import Adjust

WEIGHT_LEAST: Final = 1  # of a refused reading that says why; one of a name alone leaves no more words over
LEFT_MOST: Final = 2  # words that a refused reading leaves over for each that it rests on
RULED_MOST: Final = 3  # lines that a ruling may mean, before the ruling in words


def interpret(typed: str, parsed: Sequence[ParsedLine] | Unreadable, reader: Reader, *, is_part: bool = False) -> Heard:
    """Return how a line is taken that the grammar does not read, or only as a free task in unknown words.

    `parsed`: how the grammar reads it, or why it does not. `is_part`: it is a clause of another.

    Raises Unclear with the lines that may be meant, and else what is wrong with the line.
    """
    reader = reader.another()
    try:
        return _interpret(typed, parsed, reader)
    except NotInPlay:
        raise
    except (Unreadable, Refused) as error:
        if thrown := ask_with_dice(typed, error, reader, _lines_or_refusal):
            raise thrown from None
        lines = error.lines if isinstance(error, Unclear) else ()
        is_open = isinstance(error, Unreadable) and all(line[:1] in TELL_MARKS for line in lines)
        if is_open and not is_part and not (isinstance(parsed, Unreadable) and has_no_other_words(parsed, typed)):
            _ask_for_remainder(typed, lines, reader)
        raise


def _ask_for_remainder(typed: str, told: Sequence[str], reader: Reader) -> None:
    """Raise Unclear with the lines of what is left of a sentence, if any is read without the rest.

    `told`: the sentence as fiction, which may be meant too.
    """
    for said in remainders(split_words(typed), reader.in_play):
        lines = [line for line in lines_meant(said, reader, is_part=True) if line[:1] not in TELL_MARKS]
        lines = [line for line in lines if not (told and has_long_text(line))]  # a deed in any words is told
        if lines and not is_of_another(typed, said, lines[0], reader.in_play):
            why = omission_note(typed, unsaid_words(typed, lines[0], reader.in_play))
            raise unclear(typed, [*lines[: ASKED_MOST - len(told)], *told], why)


def _interpret(typed: str, parsed: Sequence[ParsedLine] | Unreadable, reader: Reader) -> Heard:
    """Return what `interpret` does, with the dice only where a phrase has them."""
    if told := told_in_words(typed, reader.scope):
        return Heard(tuple(parse_each(told, reader.scope)), told)
    if isinstance(parsed, Unreadable) and has_no_other_words(parsed, typed):
        raise parsed
    words = split_words(typed)
    parsed = of_whom_it_names(words, parsed, reader)
    if heard := _paraphrased(typed, words, reader) or _each_with_own_face(typed, words, reader):
        return heard
    error = condition_error(words) or _ruled(typed, words, reader) or newcomers_error(typed, words, reader)
    if error := error or _put_right(typed, words, reader) or _why_denied(typed, words, reader):
        raise error
    is_in_doubt = is_doubtful_sentence(words, reader.in_play.beings)
    readings = reader.read(typed)
    whole = [reading for reading in readings if not reading.left and reading.parsed]
    legal = [reading for reading in whole if reading.error is None and (reading.weight or not is_in_doubt)]
    legal = without_exceptions(that_throw(legal, reader) or legal)
    if legal and not isinstance(parsed, Unreadable) and is_unknown_word(parsed, legal):
        return Heard(parsed)
    if not (legal or is_in_doubt) and (lines := lines_with_field(typed, readings, reader)):
        raise unclear(typed, lines)
    if two := _two_acts(typed, readings, legal, reader, is_in_doubt=is_in_doubt):
        return two
    if rather := refused_rather(readings, legal):
        raise rather
    if not is_in_doubt and (heard := each_changed(typed, words, legal, reader, partial(interpret, reader=reader))):
        return heard
    if not is_in_doubt and (error := of_each_target(typed, words, legal, reader, lines_meant)):
        raise error
    if legal:
        meant = _likeliest(typed, readings, legal, reader, is_in_doubt=is_in_doubt)
        if not isinstance(parsed, Unreadable) and meant.declarations == encode(parsed):
            return Heard(parsed)
        return announce(typed, Heard(meant.parsed, meant.line), reader.ledger_state, reader.book)
    if is_in_doubt and not isinstance(parsed, Unreadable):
        raise unclear(typed, [announced_line(typed, each, reader) for each in likely_in_doubt(readings, reader)])
    is_told = (not readings and is_prose(typed)) or is_foes_deed(words, readings, reader)
    if not isinstance(parsed, Unreadable):
        return as_task_or_story(typed, parsed, readings, reader, is_told=is_told)
    raise _why_not_taken(typed, parsed, readings, reader, is_told=is_told, is_in_doubt=is_in_doubt)


def _likeliest(
    typed: str, readings: Sequence[Meaning], legal: Sequence[Meaning], reader: Reader, *, is_in_doubt: bool
) -> Meaning:
    """Return the reading of those that are allowed which is meant. Raises Unclear if that is not certain."""
    words = split_words(typed)
    guessed = [] if is_in_doubt else guessed_beside(legal, words, reader)
    is_open = is_in_doubt or has_second_act(words, reader) or _is_only_a_number(readings, legal) or bool(guessed)
    return _only_meaning(typed, legal, nearly_read(readings), guessed, reader, is_in_doubt=is_open)


def _paraphrased(typed: str, words: Sequence[Word], reader: Reader) -> Heard | None:
    """Return how the sentence is taken as which a book reads this one; None if it reads it as no other."""
    other, unread = find_paraphrase(words, reader), Unreadable(f"'{typed.strip()}' is not understood")
    heard = interpret(other, unread, reader) if other else None
    return heard and Heard(tuple(as_typed(each, typed) for each in heard.parsed), heard.line, heard.then)


def _each_with_own_face(typed: str, words: Sequence[Word], reader: Reader) -> Heard | None:
    """Return what the first of several says with the own face, with the others for the next line; None if nobody does.

    Raises Unclear if it is not certain which face is whose.
    """
    own = find_own_faces(words, reader)
    if own is None:
        return None
    try:
        heard = interpret(own.first, Unreadable("faces"), reader)
    except Unclear as error:
        raise unclear(typed, error.lines, then=dict.fromkeys(error.lines, own.rest)) from None
    except LedgerError:
        return None
    if own.is_told:
        raise unclear(typed, [heard.line], then={heard.line: own.rest})
    return Heard(tuple(as_typed(each, typed) for each in heard.parsed), heard.line, own.rest)


def _ruled(typed: str, words: Sequence[Word], reader: Reader) -> Unclear | None:
    """Return the question whether what is ruled is meant: `I rule that both guards are stunned`; None for no ruling.

    The ruling in words stands behind the lines that the rules have for it.
    """
    ruled = without_ruling(words)
    if not ruled or len(ruled) == len(words):
        return None
    said_by = reader.speaker_of(ruled)
    deed = quote(sentence_of(said_by[1])) if said_by else typed  # what is done in any words is no ruling
    said = [line for line in lines_meant(sentence_of(ruled), reader) if line[:1] not in TELL_MARKS]
    lines = [line for line in said if deed not in line] or [*evoked_lines(ruled, reader)]
    rulings = [each.line for each in reader.read(typed) if each.parsed and not each.left and each.error is None]
    meant = [*lines[:RULED_MOST], *rulings[:1]]
    return unclear(typed, meant) if meant else None


def _put_right(typed: str, words: Sequence[Word], reader: Reader) -> Unclear | None:
    """Return the question for what a sentence says in the end, `at guard 1, no wait, at guard 2`; None for another.

    Raises what is wrong with that.
    """
    meant = put_right(words, reader)
    if meant and not (lines := lines_meant(meant, reader)):
        lines = (interpret(meant, Unreadable(meant), reader).line,)
    return unclear(typed, lines) if meant else None


def lines_meant(sentence: str, reader: Reader, *, is_part: bool = False) -> Sequence[str]:
    """Return the line as which a sentence is taken, or the lines that are asked; none if it is refused."""
    found = _find_lines(sentence, reader, is_part=is_part)
    return () if isinstance(found, Refused) else found


def _lines_or_refusal(sentence: str, reader: Reader) -> Sequence[str]:
    """Return what `lines_meant` does. Raises Refused if a rule refuses the sentence."""
    found = _find_lines(sentence, reader, is_part=False)
    if isinstance(found, Refused):
        raise found
    return found


def _find_lines(sentence: str, reader: Reader, *, is_part: bool) -> Sequence[str] | Refused:
    """Return the lines that a sentence may mean, or why a rule refuses it; each sentence is read once."""

    def find() -> Sequence[str] | Refused:
        try:
            return (interpret(sentence, Unreadable(sentence), reader, is_part=is_part).line,)
        except Refused as error:
            return error
        except LedgerError as error:
            return error.lines if isinstance(error, Unclear) else ()

    return reader.in_play.memo.recall((lines_meant, sentence, is_part), find)


def _why_denied(typed: str, words: Sequence[Word], reader: Reader) -> Unreadable | None:
    """Return why a sentence that says what does not happen is not taken; the question for what it says besides."""
    denied = denied_error(words, reader.in_play.beings)
    if denied is None or means_by_denial(words, reader):
        return None
    lines = lines_behind(words, reader)
    return unclear(typed, lines) if lines else denied


def _is_only_a_number(readings: Sequence[Meaning], legal: Sequence[Meaning]) -> bool:
    """Return whether what is allowed only changes a number, and a rule in more of the words does not allow it.

    Raises the refusal of that rule: `heals one wound` is not one wound more, and who `falls back` is not dead.
    """
    longest = max(reading.weight for reading in readings if reading.parsed)
    best = [reading for reading in readings if reading.weight == longest]
    if any(reading in legal for reading in best):
        return False
    is_number = all(isinstance(each.declaration, Adjust) for reading in legal for each in reading.parsed)
    is_guess = all(reading.is_unsure and reading.line.startswith(GM_MARK) for reading in legal)
    for reading in best if is_number or is_guess else ():
        if isinstance(reading.error, Refused):
            raise reading.error
    return is_number


def _two_acts(
    typed: str, readings: Sequence[Meaning], legal: Sequence[Meaning], reader: Reader, *, is_in_doubt: bool
) -> Heard | None:
    """Return the first act of a sentence that says two, with the second for the next line; None if it says one.

    Raises Unclear if one of the acts is certain and the other is not, and Refused if the rules refuse a known verb.
    """
    words, able = split_words(typed), [reading for reading in [*legal, *with_results(readings)] if reading.weight]
    is_known, is_certain = bool(able), any(not reading.is_unsure for reading in able)
    goes_on = not is_certain and joins_deed(words, reader)
    is_two = not is_in_doubt and (not is_known or goes_on or has_second_act(words, reader))
    if is_two and (acts := find_two_acts(words, reader)):
        first = Heard(acts.first.parsed, acts.first.line, acts.then)
        heard = announce(typed, first, reader.ledger_state, reader.book, is_answered=acts.is_answered)
        if not acts.is_open:
            return heard
        raise unclear(typed, [heard.line], then={heard.line: acts.then})
    if is_two:
        again = partial(interpret, reader=reader)
        if heard_first := with_second_act(typed, words, legal, reader, again):
            return heard_first
    if is_known:
        return None
    refused = refusals([reading for reading in readings if reading.weight])
    if refused and legal:
        raise question_instead(typed, readings, reader) or refused[0]
    if not refused and (act := find_last_act(words, reader)):
        announced = announce(typed, Heard(act.parsed, act.line), reader.ledger_state, reader.book)
        why = omission_note(typed, unsaid_words(typed, announced.line, reader.in_play))
        raise unclear(typed, [announced.line, *(reading.line for reading in legal)], why)
    return None


def _why_not_taken(
    typed: str, parsed: Unreadable, readings: Sequence[Meaning], reader: Reader, *, is_told: bool, is_in_doubt: bool
) -> LedgerError:
    """Return the question about a sentence none of whose readings is allowed, or what is wrong with the best of them.

    `parsed`: why the grammar does not read it.
    """
    words, nearly, refused = split_words(typed), nearly_unrefused(readings, reader), refusals(readings)
    if is_in_doubt:
        nearly, refused = likely_in_doubt(readings, reader), []
    if rather := refused_rather(readings, nearly):
        return rather
    if nearly:
        return _why_nearly_taken(typed, parsed, nearly, reader, is_in_doubt=is_in_doubt)
    if not refused and (lacking := lacks_field(readings)):
        lines = lines_otherwise(typed, readings, reader)
        return unclear(typed, lines) if lines else lacking
    is_refused = refused and not has_second_act(words, reader)
    is_marked = typed.lstrip().startswith(GM_MARK)  # who types it knows the grammar, and is told what is wrong
    evocation = Evocation() if is_in_doubt or is_refused or is_marked else evoked(words, reader)
    guessed, why = [*evocation.lines], omission_note(typed, evocation.lost)
    lines = [] if is_in_doubt else lines_otherwise(typed, readings, reader)
    told = [f"> {typed.strip()}"] if is_told else []
    if lines:
        behind = sentences_behind(typed, lines, reader) if refused else {}
        return unclear(typed, [*lines, *guessed, *told], why, then={**behind, **said_again(typed, lines, reader)})
    if refused:
        return refused[0]
    unread = {word.raw for word in words_at(parsed, words)}
    tried = [each for each in readings if isinstance(each.error, Refused) and unread.isdisjoint(each.left)]
    is_name = any(word in reader.scope.beings for word in parsed.near[:1])  # may be misspelt
    tried = [each for each in tried if (each.weight and not is_name) or not parsed.near]  # of a known verb
    tried = [each for each in tried if not (each.is_free and guessed)]
    tried = [each for each in tried if len(each.left) <= (each.weight > WEIGHT_LEAST) * LEFT_MOST * each.weight + 1]
    if tried and tried[0].error and not is_in_doubt:
        return tried[0].error
    if not (guessed or is_in_doubt or is_marked):
        guessed = lines_of_harm(words, reader, lines_meant)
    if guessed or told:
        return unclear(typed, [*guessed, *told], why)
    doubt = doubt_error(words, reader.in_play.beings) if is_in_doubt else None
    is_named = any(word in words[1:] for word in words_at(parsed, words))  # the grammar knows which word is wrong
    return doubt or (None if is_named else lacks_words(readings)) or unread_sentence(typed, parsed, words, reader)


def _why_nearly_taken(
    typed: str, parsed: Unreadable, nearly: Sequence[Meaning], reader: Reader, *, is_in_doubt: bool
) -> LedgerError:
    """Return the question about a sentence whose best readings leave a word over."""
    words, left = split_words(typed), nearly[0].left
    if line := _with_quotes(typed, parsed, reader):
        return unclear(typed, [line])
    if parsed.near and any(word.raw in left for word in words_at(parsed, words)):
        return parsed
    if error := one_number_error(nearly[0], reader):
        return error
    alike = [each for each in nearly if each.left == left and each.weight == nearly[0].weight]
    lines = about_named([announced_line(typed, each, reader) for each in alike], left, reader)
    lines += [] if is_in_doubt else [*evoked_lines(words, reader)]
    return unclear(typed, lines, f"'{' '.join(left)}' is not understood here", parsed.where)


def _with_quotes(typed: str, parsed: Unreadable, reader: Reader) -> str:
    """Return the line with the words in quotation marks that the grammar takes for a text, if it is allowed."""
    said = parsed.hint.removeprefix(TEXT_HINT).removesuffix(".").strip('"')
    if not parsed.hint.startswith(TEXT_HINT) or said not in typed:
        return ""
    line = typed.strip().replace(said, f'"{said}"', 1)
    return "" if why_not_said(line, reader.ledger_state, reader.book, reader.scope) else line


def _only_meaning(
    typed: str,
    legal: Sequence[Meaning],
    nearly: Sequence[Meaning],
    guessed: Sequence[str],
    reader: Reader,
    *,
    is_in_doubt: bool,
) -> Meaning:
    """Return the reading that rests on most words.

    Raises Unclear if there are several, or one that is not certain, as is a task in any words (without a weight) where
    a known verb explains nearly all (`nearly`). It is asked with the lines that an unknown verb may mean (`guessed`).
    """
    most = max(reading.weight for reading in legal)
    meant = [reading for reading in legal if reading.weight == most]
    meant = [reading for reading in meant if not reading.is_unsure] or meant
    meant = [*likeliest_first(meant, attrgetter("line"), typed, reader.book)]
    also = [reading for reading in nearly[:1] if reading.weight] if not most else []
    if len(meant) == 1 and not (meant[0].is_unsure or is_in_doubt or also):
        return meant[0]
    story = [f"> {typed.strip()}"] if not most and is_prose(typed) else []
    read = [line_to_type(typed, reading, reader) for reading in [*also, *meant]]
    guessed = [line for line in guessed if not any(each.startswith(line) for each in read)]  # which say less
    lines = [*guessed, *read][: ASKED_MOST - len(story)]
    is_quote = typed.strip()[0] in QUOTES
    why = omission_note(typed, also[0].left if also else ())
    question = unclear(typed, [*story, *lines] if is_quote else [*lines, *story], why)
    question.shows_odds = any(reading.is_answer for reading in meant)
    raise question
