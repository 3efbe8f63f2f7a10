"""What a sentence with an unknown verb may mean: the verbs of the book whose fields take what is named behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.notation.tokens import GM_MARK, quote
from cli.questions.possible import why_not_said
from cli.speech.attempts import Attempts, LineDraft, Meaning
from cli.speech.english import ENGLISH
from cli.speech.frames import in_line
from cli.speech.lexicon import Kind, in_list
from cli.speech.readings import Reader
from cli.speech.word_order import in_active
from cli.speech.words import WORDS_MOST, Word, amount_at, is_passed_over, sentence_of, span_at, split_words
from ledger.errors import Unreadable
from rulebooks.common.word_forms import base_forms

GUESSED_MOST: Final = 3  # lines that are offered
NAMED_MOST: Final = 2  # of those whose value an amount may change


def guessed_lines(words: Sequence[Word], reader: Reader) -> list[str]:
    """Return lines that would be allowed, those that leave the fewest words over; none where nothing is named.

    `Ada carves up the first guard with her sword`: `ada attack guard1 with longsword`.
    """
    if len(words) > WORDS_MOST:
        return []
    words = in_active(words, reader.verbs, reader.in_play)
    attempts = Attempts(reader.ledger_state, reader.book, reader.scope, reader.in_play, reader.verbs, reader.tail)
    attempts.takes_texts, attempts.sentence = False, sentence_of(words)
    first = reader.in_play.beings.at(words, 0)
    ends = range(first.size if first else 1, len(words))
    start = next((at for at in ends if reader.subjects(words[:at]) and not is_passed_over(words[at])), 0)
    speakers = reader.subjects(words[:start]) if start else None
    if not speakers or len(speakers) > 1:
        return []
    names = speakers[0].names
    others = {*reader.in_play.others_of(names[0])}
    named = reader.in_play.beings.all_named(words, start + 1)
    if named and others.isdisjoint(named) and not {*named} <= {*reader.scope.things}:
        return []  # what friends do for one another is no attack
    found: list[Meaning] = []
    for kind in _said_kinds(reader):
        begun = f"{in_list(names)} {kind.verbs[0]}"
        draft = LineDraft(begun, kind, names[0], words, start + 1, 0, is_unsure=True)
        bare = (begun, f"{begun} {quote(attempts.sentence)}")  # all that is said may be why somebody does anything
        able = (each for each in attempts.readings(draft) if each.error is None and each.line not in bare)
        found += [each for each in able if _names_something(each, begun)]
        attempts.left_most = min((len(each.left) for each in found), default=attempts.left_most)
    friends = [in_line(name) for name in named if name not in {*others, *reader.scope.things}]
    found = [each for each in found if not any(name in each.line.removeprefix(in_list(names)) for name in friends)]
    fewest = min((len(each.left) for each in found), default=0)
    return list(dict.fromkeys(each.line for each in found if len(each.left) == fewest))[:GUESSED_MOST]


def _names_something(reading: Meaning, begun: str) -> bool:
    """Return whether a line says more than its beginning and a number, which may be of anything."""
    return bool(reading.line.removeprefix(begun).strip(" 0123456789"))


def value_lines(typed: str, words: Sequence[Word], reader: Reader) -> list[str]:
    """Return lines by which an amount that is said changes a value of those who are named: its loss, or its gain.

    `a hot pipe costs Ada two points`: `! ada hp -2 "a hot pipe costs Ada two points"`.
    """
    said = [form for word in words if word.text not in ENGLISH.articles for form in base_forms(word.text)]
    known = reader.in_play.values()
    value = next((known[form] for form in said if form in known and form not in ENGLISH.losses), "")
    is_gain = not ENGLISH.gains.isdisjoint(said)
    if not (is_gain or ENGLISH.losses.intersection(said)) or len(words) > WORDS_MOST:
        return []
    named = [(at, found) for at in range(len(words)) if (found := reader.in_play.beings.at(words, at))]
    taken = {at + step for at, found in named for step in range(found.size)}
    amounts = (amount_at(words, at) for at in range(len(words)) if at not in taken and not span_at(words, at))
    amount = next(filter(None, amounts), None)
    if amount is None:
        return []
    change = f"{value or reader.scope.vital_value()} {'+' if is_gain else '-'}{amount.number}"
    lines = [
        f"{GM_MARK} {in_line(name)} {change} {quote(typed.strip())}"
        for name in dict.fromkeys(name for _, found in named for name in found.readings[0])
    ]
    return [
        each for each in lines[:NAMED_MOST] if not why_not_said(each, reader.ledger_state, reader.book, reader.scope)
    ]


def unsaid_amount(text: str, by: str, reader: Reader) -> Unreadable | None:
    """Return the error for what changes a value by no number, `loses half her health`; None for any other deed."""
    words, values = split_words(text), reader.in_play.values()
    value = next((values[word.text] for word in words[1:] if word.text in values), "")
    first = base_forms(words[0].text) if words else frozenset()
    if not value or first.isdisjoint(ENGLISH.gains | ENGLISH.losses):
        return None
    sign = "-" if first.isdisjoint(ENGLISH.gains) else "+"
    return Unreadable(f"'{text}' does not say by how many", hint=f"Write a number: {in_line(by)} {value} {sign}2.")


def _said_kinds(reader: Reader) -> Iterator[Kind]:
    """Yield the kinds of declarations that somebody in play says as their deed."""
    for kind in reader.scope.declarations:
        if kind.verbs and not (kind.answers or kind.aside or kind.free or kind.by_anyone):
            yield kind
