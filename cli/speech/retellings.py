"""Other ways to say a sentence that is not read: with its speaker at the beginning, without a clause of doubt.

They are read in its place, and what they mean is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from cli.speech.doubts import is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.frames import SPEECH, read_speech
from cli.speech.harm_said import harm_as_deed
from cli.speech.own_faces import without_result
from cli.speech.readings import Reader
from cli.speech.senses import known_verbs
from cli.speech.speakers import mentions_in
from cli.speech.told_blows import told_blow, told_move
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, clauses_in, is_passed_over, level_at, sentence_of
from rulebooks.common.word_forms import base_forms

TOLD_MOST: Final = 2  # ways that are tried
SAID_LEAST: Final = 2  # words of one
DICE: Final = re.compile(r"[0-9]*d[0-9]+")
PARTS_AND: Final = frozenset(("and", "so", "come", "comes"))  # before what a die showed
THAT: Final = ("it", "that", "this")  # before `is`, and the speaker
PARTS: Final = ENGLISH.parting - {"and"}  # before another clause, without a stop
EMPTY: Final = ENGLISH.fillers | ENGLISH.exclamations
TRYING: Final = frozenset(("try", "attempt"))  # before a deed
COPULAS: Final = ("am", "'m")
OPPONENT: Final = ENGLISH.objects - {"it"}
PREFIX_MOST: Final = 5  # words before `if`


def retellings(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield other ways to say a sentence, those that say more of it first."""
    if SAID_LEAST <= len(words) <= PARTED_MOST:
        own, words = sentence_of(words), _without_fillers(words)
        ways = (
            _by_named(words, reader),
            _with_known_verb(words, reader),
            _without_request(words),
            _without_doubt(words, reader),
            _with_foe(words, reader),
            _with_opponent(words, reader),
            _with_level_apart(words),
            _with_bare_number(words, reader),
            _with_die_thrown(words),
            _without_result(words),
        )
        told = dict.fromkeys(
            chain(
                harm_as_deed(words, reader),
                told_move(words, reader),
                told_blow(words, reader),
                map(sentence_of, chain(*ways, (words,))),
            )
        )
        yield from islice((each for each in told if each != own), TOLD_MOST)


def _with_known_verb(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a deed at somebody with the verb of the book for another that means the same: `smacks him` attacks him."""
    said_by = reader.speaker_of(words)
    start = len(words) - len(said_by[1]) if said_by else len(words)
    while start + 2 < len(words) and (
        is_passed_over(words[start]) or not TRYING.isdisjoint(base_forms(words[start].text))
    ):
        start += 1  # `tries to smack`
    if said_by is None or start + 1 >= len(words) or reader.begins_deed(words, start):
        return
    lines = read_speech(reader.book.texts().folder / SPEECH).senses
    senses = known_verbs(tuple(sense for sense, own in lines.items() if own and own[0].isalpha()))
    sense = next((senses[form] for form in base_forms(words[start].text) if form in senses), "")
    named = reader.in_play.beings.at(words, start + 1) if sense else None
    if named and not reader.in_play.beings.are_things(named):
        verb = lines[sense][0]
        yield [
            *words[: len(words) - len(said_by[1])],
            words[start]._replace(raw=verb, text=verb, column=0),
            *words[start + 1 :],
        ]


def _with_level_apart(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield a sentence with a stop before its level and behind it: `jumps the gap at four with one effort`."""
    if at := level_at(words):
        end = at + 1
        behind = [words[end]._replace(mark=words[end].mark or ","), *words[end + 1 :]]
        yield [*words[: at - 1], words[at - 1]._replace(mark=","), *behind]


def _with_bare_number(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a number alone behind a colon as what the one before it rolled: `Mara: a nine`, `Sira: fourteen`."""
    named = reader.in_play.beings.at(words, 0)
    start = named.size if named else len(words)
    if start < len(words) and words[start - 1].mark == ":":
        start += words[start].text in ENGLISH.articles
        amount, skills = amount_at(words, start), reader.in_play.skills()
        end = start + amount.size if amount else len(words)
        is_more = any(word.text in skills for word in words[end:]) or not (
            words[end:] == [] or words[end].text in ENGLISH.rolled_on or all(map(is_passed_over, words[end:]))
        )
        if named and amount and not is_more:  # `on the nose`
            yield [*words[: named.size - 1], words[named.size - 1]._replace(mark=""), *words[start:end]]


def _with_die_thrown(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield a sentence with what a die showed in its place: `it does 1d4 to everyone, and that's a three`."""
    clauses = clauses_in(words)
    at = next((at for at, word in enumerate(words) if DICE.fullmatch(word.text)), len(words))
    shown = [word for word in clauses[-1] if not is_passed_over(word) and word.text not in PARTS_AND]
    amount = amount_at(shown, 0) if len(clauses) > 1 else None
    end = len(words) - len(clauses[-1])
    if amount and amount.size == len(shown) and at < end:
        yield [*words[:at], *shown, *words[at + 1 : end]]


def _without_result(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield a sentence without `instead` at its end, or what its dice come to."""
    yield words[:-1] if words[-1].text in ENGLISH.instead and len(words) > SAID_LEAST else without_result(words)


def _without_fillers(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without the clauses that say nothing: `bang, at the big one`, `charisma, what, fifteen`."""
    kept = [each for each in clauses_in(words) if any(word.text not in EMPTY for word in each)]
    return [word for clause in kept for word in clause] or words


def named_speaker(words: Sequence[Word], reader: Reader) -> Sequence[Word]:
    """Return a sentence with the speaker at its beginning who is named behind a stop; any other as it is."""
    return next(_by_named(words, reader), words)


def _by_named(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a sentence with the speaker at its beginning who is named behind a stop: `I run to the gate (Ada)`."""
    for at in range(1, len(words)):
        start = at
        if not words[at - 1].mark:
            continue
        if words[at].text in THAT and at + 2 < len(words) and words[at + 1].text == "is":
            start = at + 2
        is_tag = not ENGLISH.saying.isdisjoint(base_forms(words[at].text))  # `, says Ada, `
        start += is_tag
        named = reader.in_play.beings.at(words, start)
        if named is None or len(named.readings) > 1 or len(named.readings[0]) > 1:
            continue
        end = start + named.size
        while end < len(words) and words[end].text in ENGLISH.speaking:
            end += 1
        is_told = start > at or words[0].text in ENGLISH.first_person
        if end < len(words) and not (words[end - 1].mark and is_told):
            continue
        rest = [*words[:at], *words[end:]]
        if reader.in_play.beings.at(rest, 0) is None:
            yield _said_by(rest, words[start : start + named.size])


def _said_by(words: Sequence[Word], name: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence of a speaker with the name for the first `I`, or before a sentence without one."""
    own = [*name[:-1], name[-1]._replace(mark="")]
    for at, word in enumerate(words):
        if word.text in ENGLISH.first_person & ENGLISH.subjects:
            behind = at + 1 + (words[at + 1].text in COPULAS if at + 1 < len(words) else 0)  # `I'm`
            return [*words[:at], *own, *words[behind:]]
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.leads), 0)
    return [*own, *words[start:]]


def _without_request(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield what is said behind `if` and the words before it that ask for a try: `let's see if Ada can climb it`."""
    for at in range(1, min(PREFIX_MOST, len(words) - SAID_LEAST)):
        if words[at].text in ENGLISH.trying:
            yield [word for word in words[at + 1 :] if word.text not in ("can", "could")]


def _without_doubt(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a sentence without the clauses that say what does not happen, or only may, and without a last question.

    `nobody's coming, so I hit`, `the round is over, what do you do?`
    """
    if is_about_what_was_said(words):
        return
    clauses = clauses_in(words, PARTS)
    doubtful = ENGLISH.denying | ENGLISH.conditional | ENGLISH.unlikely
    kept = [clause for clause in clauses if doubtful.isdisjoint(word.text for word in clause)]
    kept = [clause for clause in kept if not (clause[0].text in ENGLISH.interrogatives and clause is clauses[-1])]
    if 0 < len(kept) < len(clauses):
        told = _with_subject(kept, clauses, reader)
        start = next((at for at, word in enumerate(told) if word.text not in ENGLISH.parting), 0)
        if not all(map(is_passed_over, told)):
            yield told[start:]


def _with_subject(kept: Sequence[Sequence[Word]], clauses: Sequence[Sequence[Word]], reader: Reader) -> Sequence[Word]:
    """Return clauses as one sentence, of who is named at the beginning of all where a pronoun begins them."""
    told = [word for clause in kept for word in clause]
    named = reader.in_play.beings.at(clauses[0], 0)
    is_left_out = named is not None and kept[0] is not clauses[0] and told[0].text in ENGLISH.subjects - {"i", "it"}
    return [*clauses[0][: named.size], *told[1:]] if named and is_left_out else told


def _with_opponent(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a sentence of one who is named with an opponent for a pronoun, the one in turn first: `guard 1 flanks her`.

    None where another opponent is named, or another pronoun does something before.
    """
    named = reader.in_play.beings.at(words, 0)
    if named is None or len(named.readings) > 1:
        return
    others, due = reader.in_play.others_of(named.readings[0][0]), reader.in_turn()
    mentioned = {name for each in mentions_in(words, reader.in_play) for name in each.names}
    others = sorted(others, key=lambda name: name not in due)
    for at in range(named.size, len(words) if mentioned.isdisjoint(others) else 0):
        if words[at].text in ENGLISH.subjects - {"it"}:
            return  # somebody else does what stands behind: `where they can see them`
        is_last = at + 1 == len(words) or bool(words[at].mark) or words[at + 1].text in ENGLISH.using
        meant = next(iter(reader.in_play.pronouns.in_order(words[at].text, others)), "")
        if words[at].text in OPPONENT and is_last and meant:
            yield [*words[:at], words[at]._replace(raw=meant, text=meant), *words[at + 1 :]]
            return


def _with_foe(words: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a sentence with each foe for one whom nobody is called: `the big fella`, `their boss`."""
    foes = reader.in_play.beings.groups.get("foes", ())
    for at, word in enumerate(words):
        start = at
        while start and words[start - 1].text in ENGLISH.adjectives | ENGLISH.articles:
            start -= 1
        is_one = word.text == "one" and start < at - 1
        if (word.text in ENGLISH.persons or is_one) and start < at and reader.in_play.beings.at(words, start) is None:
            for name in foes:
                yield [*words[:start], word._replace(raw=name, text=name), *words[at + 1 :]]
            return
