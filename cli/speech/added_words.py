"""What is said behind a line that is not taken yet, and becomes part of it: its difficulty, its price, Effort.

`Dov wants to smash the safe` lacks what only the table knows; `six, and it costs you 2 might just to try` says it. The
later sentences of one line are heard in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, product
from typing import Final

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_each
from cli.notation.schema import fields_of
from cli.notation.tokens import GM_MARK, TELL_MARKS, normalize_line
from cli.notation.value_parser import ValueParser
from cli.questions.possible import why_refused
from cli.speech.dice_apart import dice_apart
from cli.speech.english import ENGLISH
from cli.speech.heard import Lacking, Unclear, omission_note, unclear
from cli.speech.known_levels import without_known_level
from cli.speech.line_looks import has_long_text
from cli.speech.lone_faces import first_clause, only_number
from cli.speech.meanings import Meaning
from cli.speech.named_dice import named_dice
from cli.speech.otherwise import with_last_number
from cli.speech.readings import Reader
from cli.speech.sentences import parted_sentences, sentences_in
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.spoken_dice import die_names
from cli.speech.tail import TailReader
from cli.speech.tail_phrases import Tail
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, is_passed_over, sentence_of, split_words
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused, Unreadable
from rulebooks.common.word_forms import base_forms

LINES_MOST: Final = 4  # that one sentence completes
CHOSEN_MOST: Final = 4  # ways to read what is added


def lacking_deed(words: Sequence[Word], error: LedgerError, reader: Reader) -> Lacking | None:
    """Return what a deed lacks that the book asks for, where nothing else is meant; None if that is not so.

    `error`: why the sentence is not taken. A question stands if it has a line that is no text of its words.
    """
    if isinstance(error, Unclear) and not all(map(_is_text, error.lines)):
        return None
    sentences = parted_sentences(words, reader.in_play.beings)
    for said in dict.fromkeys((sentence_of(words), sentence_of(sentences[0]))):
        lacking = [each for each in reader.read(said) if _lacks_value(each)]
        if isinstance(error, Refused):
            lacking = [each for each in lacking if getattr(each.error, "code", "") == error.code]
        if not lacking:
            continue
        lines, behind = [each.line for each in lacking], sentences[1:] if said != sentence_of(words) else []
        for sentence in behind:
            added = with_added(lines, sentence, reader)
            lines = list(added.lines) if isinstance(added, Lacking) else lines
            if isinstance(added, Unclear):
                return None
        return lacking_value(error if isinstance(error, Refused) else lacking[0].error, lines)
    return None


def lacking_value(error: LedgerError | None, lines: Sequence[str]) -> Lacking:
    """Return the refusal of lines that lack a value which only the table knows."""
    assert isinstance(error, Refused)
    lacking = Lacking(error.code, error.what, where=error.where, hint=error.hint, rules=error.rules, first=error.first)
    lacking.field, lacking.column = error.field, error.column
    lacking.lines = tuple(dict.fromkeys(lines))[:LINES_MOST]
    return lacking


def with_added(begun: Sequence[str], words: Sequence[Word], reader: Reader) -> Unclear | Lacking | None:
    """Return the question whether these lines are meant with what a sentence adds to them, or what they lack still.

    `begun`: lines that were asked about or refused for want of a value. None if the sentence adds nothing to them, or
    is about somebody else. Sentences that add nothing are left to say behind those that do.
    """
    sentences = sentences_in(words) if len(words) <= PARTED_MOST else []
    for end in range(len(sentences), 0, -1):
        said, rest = list(chain.from_iterable(sentences[:end])), list(chain.from_iterable(sentences[end:]))
        added = _with_added(begun, said, reader) if end == 1 or _adds(begun, sentences[end - 1], reader) else None
        if isinstance(added, Unclear) and _says_something(rest):
            return unclear(sentence_of(words), added.lines, then=dict.fromkeys(added.lines, sentence_of(rest)))
        if added:
            return added
    return None


def _says_something(words: Sequence[Word]) -> bool:
    """Return whether words say more than a number, as `so 13` behind dice."""
    return any(not (is_passed_over(word) or amount_at(words, at)) for at, word in enumerate(words))


def _adds(begun: Sequence[str], sentence: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence by itself adds something to one of these lines."""
    parsed = (_parsed(line, reader) for line in begun[:LINES_MOST])
    return any(len(said) == 1 and _tail_behind(sentence, said[0], reader).tokens for said in parsed)


def _with_added(begun: Sequence[str], words: Sequence[Word], reader: Reader) -> Unclear | Lacking | None:
    """Return what `with_added` does for one sentence."""
    able, lacking, unread = list[str](), list[tuple[LedgerError, str]](), list[str]()
    refused = list[tuple[LedgerError, str]]()  # what is added is not allowed, and the line lacks it still
    for line in begun[:LINES_MOST]:
        parsed = _parsed(line, reader)
        if len(parsed) != 1 or _is_about_others(words, parsed[0], reader):
            continue
        tail = _tail_behind(words, parsed[0], reader)
        tail = tail if tail.tokens else _lone_value(words, line, parsed[0], reader)
        lines = [*_lines_with(line, tail)]
        said_all = [each for each in lines if all(lost.is_in(each) for lost in tail.lost)]
        for added in said_all or lines:
            said = _parsed(added, reader)
            if len(said) != 1:
                continue
            added = without_known_level(added, said[0], reader.ledger_state.state)
            said = _parsed(added, reader)
            error = why_refused(reader.ledger_state, reader.book, said[0])
            if error is None:
                able, unread = [*able, added], unread or _unread(tail, line)
            elif is_unsaid(error, said[0]):
                lacking.append((error, added))
            elif isinstance(error, Refused) and not _unread(tail, line):
                refused.append((error, line))
    if able:
        sentence = sentence_of(words)
        return unclear(sentence, able[:LINES_MOST], omission_note(sentence, unread))
    lacking = lacking or refused
    return lacking_value(lacking[0][0], [line for _, line in lacking]) if lacking else None


def changes_added(words: Sequence[Word], reader: Reader, said: Declaration) -> list[str]:
    """Return the changes of the last line that a sentence adds to it, as tokens: `two levels of effort on that`.

    None if it is about somebody else, or has more words that nothing explains than it has changes.
    """
    if len(words) > PARTED_MOST or _is_about_others(words, said, reader):
        return []
    line = format_declaration(said)
    tail = _tail_behind(words, said, reader)
    if not tail.tokens or len(_unread(tail, line)) > len(tail.tokens):
        return []
    changes = (" ".join(tokens) for tokens in islice(product(*tail.tokens), CHOSEN_MOST))
    return [change for change in changes if not set(change.split()) <= set(line.split())]


def _unread(tail: Tail, line: str) -> list[str]:
    """Return the words that nothing explains and that the line does not have already."""
    known = {form for word in split_words(line) for form in base_forms(word.text)}
    left = [each for each in split_words(" ".join(tail.left)) if each.text not in ENGLISH.subjects]
    return [each.raw for each in left if not is_passed_over(each) and known.isdisjoint(base_forms(each.text))]


def is_unsaid(error: LedgerError | None, said: Declaration) -> bool:
    """Return whether a declaration is refused for a value that it does not have: a task without a difficulty."""
    if not isinstance(error, Refused) or not error.field:
        return False
    value = getattr(said, error.field, "")
    return value is None or value in ("", ())


def _lacks_value(reading: Meaning) -> bool:
    """Return whether all that keeps a reading with a known verb from being allowed is a value that it does not have."""
    is_read = bool(reading.parsed and reading.weight) and not (reading.left or reading.is_unsure or reading.is_answer)
    return is_read and all(is_unsaid(reading.error, each.declaration) for each in reading.parsed)


def _is_text(line: str) -> bool:
    """Return whether a line only tells the words of a sentence; a ruling has them as its reason."""
    return line[:1] in TELL_MARKS or (has_long_text(line) and not line.startswith(GM_MARK))


def _parsed(line: str, reader: Reader) -> list[Declaration]:
    """Return the declarations of a line; none if it cannot be read."""
    try:
        return [each.declaration for each in parse_each(normalize_line(line), reader.scope)]
    except Unreadable:
        return []


def _is_about_others(words: Sequence[Word], said: Declaration, reader: Reader) -> bool:
    """Return whether a sentence names somebody, and not who says a line."""
    named = [each.names for each in mentions_in(words, reader.in_play)]
    return bool(named) and not any(said.by in names for names in named)


def _tail_behind(words: Sequence[Word], said: Declaration, reader: Reader) -> Tail:
    """Return what the clauses of a sentence say for a line of this kind, but for the name of who says it."""
    own = [each for each in mentions_in(words, reader.in_play) if each.names == (said.by,)]
    skipped = {at for each in own for at in range(each.start, each.end)}
    kept: Sequence[Word] = [word for at, word in enumerate(words) if at not in skipped]
    kept, faces = _dice_of(kept, reader)
    ends = [at for at, word in enumerate(kept, 1) if word.mark or at == len(kept)]
    tail = Tail([], [], [])
    for start, end in pairwise([0, *ends]):
        clause = [word._replace(mark="") for word in kept[start:end]]
        if skill := _skill_of(clause, said, reader):
            tail.tokens.append((f"{type(said).free_as}={in_line(skill)}",))
            continue
        each = TailReader(type(said), said.by, reader.scope, reader.in_play, reader.tail).read(clause, 0)
        tail.tokens += each.tokens
        tail.left += [*each.left, *each.extra, *each.reason.split()]
        tail.lost += each.lost
    tail.tokens += [(faces,)] if faces else []
    return tail


def _dice_of(words: Sequence[Word], reader: Reader) -> tuple[Sequence[Word], str]:
    """Return a sentence without its dice, and those: the ones that have names, or the most."""
    apart = [*dice_apart(words, reader)] or [(words, "")]
    if named_dice(words, die_names(reader.book)):
        return apart[0]
    return max(apart, key=lambda each: (each[1].count("."), -len(each[0])))


def _lone_value(words: Sequence[Word], line: str, said: Declaration, reader: Reader) -> Tail:
    """Return the number with which a sentence begins as the value that a line lacks: `five. If it works, he is up`."""
    error, number = why_refused(reader.ledger_state, reader.book, said), only_number(first_clause(words), line)
    lacked = error.field if isinstance(error, Refused) and is_unsaid(error, said) else ""
    short = next((field.notes.get("short", "") for field in fields_of(type(said)) if field.name == lacked), "")
    return Tail([(f"{short}{number}",)], [], []) if short and number else Tail([], [], [])


def _skill_of(clause: Sequence[Word], said: Declaration, reader: Reader) -> str:
    """Return the task of the sheet that a clause alone names; empty without one."""
    field = next((each for each in fields_of(type(said)) if each.name == type(said).free_as), None)
    known = ValueParser(type(said), said.by, reader.scope).known_words(field) if field else ()
    return next((each for each in known if each.casefold() == sentence_of(clause).casefold()), "")


def _lines_with(line: str, tail: Tail) -> Iterator[str]:
    """Yield a line with what is added, a number in place of the one that it has for the same."""
    for tokens in islice(product(*tail.tokens), CHOSEN_MOST if tail.tokens else 0):
        added = line
        for token in tokens:
            added = with_last_number(f"{added} {token}") if token not in added.split() else added
        yield added
