"""What is due now: the lines that dice without a verb belong to.

`Orla's got a nine and a six` is the roll that Orla owes, `fourteen` that of whoever has to roll. It is a line without
anything to choose that throws exactly these dice, or that takes their total.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.notation.schema import Field, syntax_of
from cli.notation.tokens import ANSWER_MARK, quote
from cli.notation.value_parser import ValueParser
from cli.questions.possible import why_not_said
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.spoken_dice import counts_hits, is_result, is_thrown
from cli.speech.thrown_lines import FACE, fits
from cli.speech.words import Amount, Word, amount_at, is_opposed, sentence_of
from ledger.declarations import Declaration
from rulebooks.common.word_forms import base_forms

TOTAL: Final = "total"  # the field for what was rolled
DOERS_MOST: Final = 4  # who may owe a roll
CHOSEN_MOST: Final = 3  # words of which a line needs one, if the sentence has none of them
ADDING: Final = frozenset(("plus", "minus"))  # before what is added to a die
DUE_MOST: Final = 4  # lines that are offered


def due_throws(words: Sequence[Word], faces: Sequence[str], reader: Reader) -> list[str]:
    """Return the lines that are due and throw exactly one of these ways to hear the dice of a sentence."""
    said = ([f"{each} {FACE}{one}" for each in line] for one in faces for line in _due_lines(words, reader))
    fitting = (next((line for line in ways if fits(line, reader)), "") for ways in said)
    return _owed_first([*islice(filter(None, fitting), DUE_MOST)], words)


def due_totals(words: Sequence[Word], reader: Reader) -> list[str]:
    """Return the lines that are due and take the one number of a sentence: as a total, or else as a face.

    Behind those are the lines with another number, which may be what was rolled: `eleven, and she's only got eight`.
    """
    die, total = rolled_number(words, reader)
    lines = [*_due_lines(words, reader, of_total=True)] if total else []
    said = ([f"{each} {TOTAL}={total}" for each in line] for line in lines)
    able = [*filter(None, (next((line for line in ways if _is_able(line, reader)), "") for ways in said))]
    faces = dict.fromkeys((die, *(each for each in plain_numbers(words, reader) if each != total)) if die else ())
    thrown = due_throws(words, [*map(str, faces)], reader)
    return _owed_first([*able, *thrown], words)[:DUE_MOST]


def _owed_first(lines: Sequence[str], words: Sequence[Word]) -> list[str]:
    """Return lines with those first that need no reason: they are owed already."""
    reason = quote(sentence_of(words))
    return sorted(lines, key=lambda line: reason in line)


def rolled_number(words: Sequence[Word], reader: Reader) -> tuple[int, int]:
    """Return what one die shows that somebody threw, and what it comes to: `rolled a four, minus one, so three`.

    Both are 0 where no number or several are said, and nothing tells which was thrown.
    """
    found = _numbers(words, reader)
    thrown = [amount.number for at, amount in found if is_thrown(words, at)]
    is_sum = any(word.text in ADDING for word in words)  # `it's a seven, that's one` adds nothing
    results = [amount.number for at, amount in found if at and is_result(words, at, [at])] if is_sum else []
    dice = thrown or plain_numbers(words, reader)
    if len(dice) != 1:
        return 0, 0
    return dice[0], results[-1] if results else dice[0]


def _numbers(words: Sequence[Word], reader: Reader) -> Sequence[tuple[int, Amount]]:
    """Return the numbers of a sentence that may have been rolled, with where they stand: not `six damage`."""
    found = [(at, amount) for at in range(len(words)) if (amount := amount_at(words, at))]
    found = [(at, amount) for at, amount in found if not reader.in_play.beings.is_within_name(words, at)]
    return [(at, amount) for at, amount in found if not counts_hits(words, at + amount.size)]


def plain_numbers(words: Sequence[Word], reader: Reader) -> Sequence[int]:
    """Return the numbers that nothing says to be anything else than rolled."""
    return [amount.number for at, amount in _numbers(words, reader) if not _is_told(words, at)]


def _is_told(words: Sequence[Word], at: int) -> bool:
    """Return whether a number is added to a die, comes of it, or is what it is held against."""
    return is_opposed(words, at) or (at > 0 and (words[at - 1].text in ADDING or is_result(words, at, [at])))


def _is_able(line: str, reader: Reader) -> bool:
    return why_not_said(line, reader.ledger_state, reader.book, reader.scope) is None


def _due_lines(words: Sequence[Word], reader: Reader, *, of_total: bool = False) -> Iterator[Sequence[str]]:
    """Yield the lines without a choice of those who may owe a roll: each as it is, and with the sentence as its reason.

    `of_total`: those that take the total of a throw.
    """
    awaited, reason = reader.awaited(), quote(sentence_of(words))
    kinds = [kind for kind in reader.scope.declarations if kind.verbs and not (kind.free or kind.aside)]
    kinds = [kind for kind in kinds if not of_total or any(each.name == TOTAL for each in syntax_of(kind).fields)]
    doers = _who_owes(words, reader)
    for kind in sorted(kinds, key=_chosen_fields):  # what somebody owes leaves nothing to choose
        mark = f"{ANSWER_MARK} " if kind.answers else ""
        for who in (who for who in doers if kind.answers == (who in awaited)):
            for line in _bare_lines(kind, who, words, reader):
                said = f"{mark}{in_line(who)} {line}"
                yield said, f"{said} {reason}"


def _chosen_fields(kind: type[Declaration]) -> int:
    """Return how many fields a line of this kind needs."""
    return sum(field.required for field in syntax_of(kind).fields)


def _who_owes(words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return of whom a sentence speaks, or who has to answer, to roll, or to act."""
    named = [each.names[0] for each in mentions_in(words, reader.in_play) if len(each.names) == 1]
    if named or reader.awaited():
        return [*dict.fromkeys(named or reader.awaited())][:DOERS_MOST]
    due, last = reader.in_turn(is_rolled=True), [*reader.scope.spoken_of()]
    return [*dict.fromkeys((*(name for name in last if name in due), *due, *last))][:DOERS_MOST]


def _bare_lines(kind: type[Declaration], by: str, words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the lines of a kind in which nothing is chosen, but for a word that is said, or one of very few."""
    needed = [field for field in syntax_of(kind).fields if field.required]
    chosen = [field for field in needed if field.has("word")]
    is_open = any(field.has("being") or field.shape != "text" for field in needed)
    if is_open or len(chosen) > 1 or len(needed) > len(chosen) + 1:
        return
    for word in _words_for(chosen[0], kind, by, words, reader) if chosen else [""]:
        yield f"{kind.verbs[0]} {word}".rstrip()


def _words_for(field: Field, kind: type[Declaration], by: str, words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the words of a field that are said, or all if they are few."""
    known = [*ValueParser(kind, by, reader.scope).known_words(field)]
    said = {form for word in words for form in base_forms(word.text)}
    own = [word for word in known if word.casefold() in said]
    return [in_line(word) for word in own or (known if len(known) <= CHOSEN_MOST else [])]
