"""Questions in no known words: about values, or what the first word and who is named in one say that it asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli.speech.doubts import SAID, has_tag
from cli.speech.english import ENGLISH
from cli.speech.inquiry import ANYONE, OURS, SHOW, THEIRS, size_of_value, values_in_play
from cli.speech.named_beings import Named
from cli.speech.readings import Reader
from cli.speech.rules_asked import rule_question
from cli.speech.slots import in_line
from cli.speech.words import Word, is_passed_over, sentence_of, split_words

WHY: Final = "why"  # questions of the shell
TURN: Final = "turn"
CAN: Final = "can"
FAR: Final = "far"
UP, STILL = "up", "still"
ASKING: Final = frozenset(("how", "what"))
NOTHING: Final = (
    OURS | THEIRS | frozenset(("much", "many", "left", "that", "after", "again", "point", "points", "about"))
)


def value_question(words: Sequence[Word], reader: Reader) -> str:
    """Return the question of the shell for a sentence that only asks for values: `how is her body`; else nothing.

    Each of its words is a name, a value, or one that says nothing.
    """
    known, beings = values_in_play(reader), reader.in_play.beings
    if not words or words[0].text not in ASKING or any(word.text == "did" for word in words):
        return ""
    who, index, has_value = list[tuple[str, ...]](), 1, False
    while index < len(words):
        named = None if words[index].text in OURS | THEIRS | ENGLISH.pronouns else beings.at(words, index)
        size = size_of_value(words, index, known)
        if named and named.size >= size:
            who.append(named.readings[0])
            index += named.size
        elif size:
            has_value, index = True, index + size
        elif words[index].text in NOTHING or is_passed_over(words[index]):
            index += 1
        else:
            return ""
    if not has_value:
        return ""
    return f"{SHOW} {in_line(who[0][0])}" if len(who) == len(who[:1]) == 1 and len(who[0]) == 1 else SHOW


def _named_from(words: Sequence[Word], start: int, reader: Reader) -> list[Named]:
    """Return who is named from a word on."""
    return [named for at in range(start, len(words)) if (named := reader.in_play.beings.at(words, at))]


def _certain_name(named: Sequence[Named]) -> str:
    """Return the first who is certain to be meant; empty if nobody is."""
    return next((each.readings[0][0] for each in named if len(each.readings) == len(each.readings[0]) == 1), "")


def any_question(words: Sequence[Word], reader: Reader, *, is_last: bool) -> str:
    """Return what answers a question that begins as one and that nothing else answers, so that it records nothing.

    It is the one who is named, else the rule that is closest, else how all are. `is_last`: it may begin as anything.
    """
    begins = ENGLISH.asking | ENGLISH.interrogatives | ENGLISH.conditional
    if not words or not (is_last or words[0].text in begins):
        return ""
    if certain := _certain_name(_named_from(words, 0, reader)):
        return f"{SHOW} {in_line(certain)}"
    is_amount = [word.text for word in words[:2]] in (["how", "many"], ["how", "much"])
    return SHOW if is_amount else rule_question(words, reader, is_last=True) or SHOW


def likely_question(words: Sequence[Word], reader: Reader, *, is_marked: bool) -> str:
    """Return what a question in unknown words asks, by its first word and who is named; empty if that says nothing.

    `is_marked`: it ends in its mark, without which `has` may begin anything.
    """
    first, second = [*(word.text for word in words[:2]), "", ""][:2]
    is_of_action = any(word.text in ENGLISH.acting for word in words[2:])  # `did Kess use her reaction`
    if first == "why" or (first == "did" and not is_of_action) or (first, second) in (("how", "come"), ("what", "did")):
        return WHY
    if is_marked and first in SAID and has_tag(words):  # `that's two hits, right?`
        return WHY
    if first in ANYONE and any(word.text in ENGLISH.acting for word in words):  # `anyone still got an action`
        return SHOW
    if (
        first in ASKING
        and any(word.text in ENGLISH.dealt for word in words)
        and _values_in(words, reader) - ENGLISH.dealt
    ):
        return SHOW  # `what damage does the rifle do`
    if far := _distance_question(words, reader):
        return far
    if first in ("who", "which") and any(word.text == "did" for word in words):  # `which thug did Kess hit`
        return WHY
    if first in ("who", "whose", "which"):
        return TURN if _asks_for_turn(words) else SHOW if is_marked else ""
    is_of_name = reader.in_play.beings.at(words, 1) is not None  # `does Ada even have a shield`
    is_certain = is_marked or (first != "has" and is_of_name)
    is_known = first == CAN and any(word.text in ENGLISH.knowing for word in words)
    is_yes_or_no = is_certain and (first in {*ENGLISH.wondering, "did"} or is_known)
    is_open = first in ("how", "where", "what") and second not in ("if", "about")
    is_tag = is_marked and has_tag(words)  # `Kess has six health left, doesn't she?`
    if is_yes_or_no or is_open or is_tag:
        named = _named_from(words, int(not is_tag), reader)
        certain = _certain_name(named)
        is_told = not named and any(
            word.text in ENGLISH.subjects | ENGLISH.objects | ENGLISH.possessives for word in words
        )
        is_told = (is_told and (is_marked or first == "how")) or bool(named and is_open and is_marked)
        return f"{SHOW} {in_line(certain)}" if certain else SHOW if is_told else ""
    return ""


def _asks_for_turn(words: Sequence[Word]) -> bool:
    """Return whether a question asks who comes next; `up` may also be who still stands: `who is up on their side`."""
    texts = {word.text for word in words}
    coming = texts & ENGLISH.coming
    return bool(coming) and not (coming == {UP} and texts & (OURS | THEIRS | {STILL}))


def _values_in(words: Sequence[Word], reader: Reader) -> set[str]:
    """Return the values that a question names."""
    known, index, values = values_in_play(reader), 0, set[str]()
    while index < len(words):
        size = size_of_value(words, index, known)
        values |= {sentence_of(words[index : index + size])} if size else set()
        index += size or 1
    return values


def sight_question(words: Sequence[Word], reader: Reader) -> str:
    """Return the question how the one is of whom it is asked whether others see them: `can he see me`; else nothing."""
    if not words or words[0].text not in (CAN, "could", "does", "do"):
        return ""
    behind = next((at for at, word in enumerate(words) if word.text in ENGLISH.perceiving), len(words)) + 1
    certain = _certain_name(_named_from(words, behind, reader))
    return f"{SHOW} {in_line(certain)}" if certain else ""


def _distance_question(words: Sequence[Word], reader: Reader) -> str:
    """Return the question how far two are from each other, or one from all; empty where the book keeps no distance."""
    if words[0].text not in ENGLISH.interrogatives or not any(word.text in ENGLISH.distant for word in words[1:]):
        return ""
    named = dict.fromkeys(each.readings[0][0] for each in _named_from(words, 1, reader) if len(each.readings) == 1)
    one, *others = [*named][:2] or [""]
    state = reader.ledger_state.state
    known = others or [name for name in reader.scope.beings if name != one]
    if not one or not any(reader.book.guide.distance_text(one, other, state) for other in known):
        return ""
    return " ".join((FAR, in_line(one), *map(in_line, others)))


def is_deed(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence says first what somebody does: a name, and a verb that is no copula behind it."""
    named = reader.in_play.beings.at(words, 0) if words else None
    start = named.size if named else 0
    is_open = start < len(words) and words[start].text not in {*ENGLISH.asking, "'s"}
    return bool(start) and is_open and reader.begins_deed(words, start)


def question_about_lines(words: Sequence[Word], lines: Iterable[str]) -> str:
    """Return the question for the lines that have a word of a question; empty if none has."""
    said = [word.text for word in words if not (is_passed_over(word) or word.text in ENGLISH.asking)]
    told = {word.text for line in lines for word in split_words(line)}
    return next((f"search {word}" for word in said if word in told and word.isalpha()), "")
