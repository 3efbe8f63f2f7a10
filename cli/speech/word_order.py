"""Sentences in another order, or with a pronoun, as those that the frames of a book meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.speech.blows import blow_in_active, deed_for_noun
from cli.speech.english import ENGLISH
from cli.speech.frames import FrameIndex
from cli.speech.in_play import InPlay
from cli.speech.slots import SLOTS, in_line
from cli.speech.words import Word, amount_at, split_words
from ledger.names import fold_case
from rulebooks.common.word_forms import base_forms

PARTED_MOST: Final = 24  # words of a sentence that is parted, or put in order
NOBODY: Final = " "  # who is no subject, so that a pronoun may mean the first who is named
AIMED: Final = "at"  # before the part of somebody: `stabs at his leg`
LIKE: Final = "as"  # before that to which somebody is compared
CALLED_LEAST: Final = 2  # words behind what somebody calls out
PARTICIPLE: Final = "ing"
SUFFERED: Final = ("ed", "en")  # how the verb of what somebody suffers ends, if it is no known one
COPULAS: Final = ("is", "'s", "be", "was")  # between a deed and how hard it is
ENDING: Final = "'s"  # of a name
THAT: Final = ("that", "this", "there")  # before how something is
HAS_GOT: Final = "got"  # behind an ending, which is no possessive then
FOR: Final = "for"
OUT: Final = ("from", "for")  # behind what leaves somebody out
ROLLED_LEAST: Final = 4  # words of a roll for another
WILL: Final = ("will", "would")  # before one of them
USING: Final = Word("using", "using", 0)
GIVE, MAKE = ("give", "me"), "make"  # before what is to be rolled, and what is rolled
WHOLE: Final = ("you", "we", "they")  # before `are all`
LET: Final = ("let", "have")  # before who is to do something


def in_usual_order(words: Sequence[Word], verbs: FrameIndex, in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield a sentence with the speaker before the deed and the means behind: `with her bow Brynn shoots`.

    `roll initiative, everybody`; `initiative, Ada: a ten`; `uses two effort to shoot`.
    """
    if not words or len(words) > PARTED_MOST:
        return
    if verbs.at(words, 0, in_play) and (called := _called(words, in_play)):
        start, end = called
        before = words[start - 1]._replace(mark="," if end < len(words) else "")
        yield [*words[start : end - 1], words[end - 1]._replace(mark=""), *words[: start - 1], before, *words[end:]]
    for said, verb in (*blow_in_active(words, in_play), *deed_for_noun(words, in_play)):
        if not verb or begins_deed(said, verb, verbs, in_play):
            yield said
    yield from with_verb_for_ending(words, in_play)
    yield from _without_me(words, in_play)
    yield from _with_clause_behind(words, verbs, in_play)
    if words[0].text in ENGLISH.using | ENGLISH.being_in:
        named = (index for index in range(1, len(words) - 1) if in_play.beings.at(words, index))
        if start := next((index for index in named if verbs.at(words, index + 1, in_play)), 0):
            yield [*words[start:-1], words[-1]._replace(mark=""), *words[:start]]
    spent = next((at for at, word in enumerate(words) if ENGLISH.is_spending(word.text)), len(words))
    for index in range(spent + 2, len(words) - 1):
        if words[index].text == "to" and begins_deed(words, index + 1, verbs, in_play):
            yield [*words[:spent], *words[index + 1 :], USING, *words[spent + 1 : index]]
            return


def with_verb_for_ending(words: Sequence[Word], in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield a sentence with the verb that an ending of its subject may be: `guard 2's dead` is `guard 2 is dead`.

    `Ada's damage was nine` is about what she has.
    """
    subject = in_play.beings.at(words, 0)
    is_owner = subject is not None and any(word.text in ENGLISH.was for word in words[subject.size + 2 :][:1])
    if subject and len(words) > subject.size + 1 and words[subject.size].text == "'s" and not is_owner:
        yield [*words[: subject.size], words[subject.size]._replace(raw="is", text="is"), *words[subject.size + 1 :]]


def _without_me(words: Sequence[Word], in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield what somebody is to roll as what they make: `everybody give me stealth`, `Ada, give me a climb check`."""
    called = in_play.beings.at(words, 0)
    start = called.size if called else len(words)
    rolled = words[start + len(GIVE) :]
    if rolled and [word.text for word in words[start : start + len(GIVE)]] == [*GIVE]:
        verb = [words[start]._replace(raw=MAKE, text=MAKE)] if rolled[0].text in ENGLISH.articles else []
        yield [*words[: start - 1], words[start - 1]._replace(mark=""), *verb, *rolled]


def _with_clause_behind(words: Sequence[Word], verbs: FrameIndex, in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield a sentence with the clause behind its subject at its end: `Brynn, from the gate, shoots the archer`.

    A comparison says nothing: `Brynn, quick as ever, shoots`.
    """
    subject = in_play.beings.at(words, 0)
    start = subject.size if subject else 0
    end = next((at for at in range(start, len(words) - 1) if words[at].mark == ","), 0)
    if start and words[start - 1].mark == "," and end and begins_deed(words, end + 1, verbs, in_play):
        clause = [*words[start:end], words[end]._replace(mark="")]
        clause = [] if any(word.text == LIKE for word in clause) else clause
        yield [*words[: start - 1], words[start - 1]._replace(mark=""), *words[end + 1 :], *clause]


def in_active(words: Sequence[Word], verbs: FrameIndex, in_play: InPlay) -> Sequence[Word]:
    """Return what somebody suffers as the deed of who does it: `the archer got stabbed by Sira with her knife`.

    Any other sentence as it is.
    """
    subject = in_play.beings.at(words, 0)
    start = subject.size if subject else 0
    if not 0 < start < len(words) - 3 or words[start].text not in ENGLISH.passive:
        return words
    by = next((at for at in range(start + 2, len(words) - 1) if words[at].text == "by"), 0)
    doer = in_play.beings.at(words, by + 1) if by else None
    is_deed = words[start + 1].text.endswith(SUFFERED) or begins_deed(words, start + 1, verbs, in_play)
    if doer is None or not is_deed or words[start + 1].text.endswith(PARTICIPLE):  # `is standing by Sira`
        return words
    end = by + 1 + doer.size
    return [*words[by + 1 : end], *words[start + 1 : by], *words[:start], *words[end:]]


def _of_the_others(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return what all do but one as the deed of the others: `everyone but Ada rolls`, `everybody passes except Ada`."""
    subject = in_play.beings.at(words, 0)
    at = next((at for at, word in enumerate(words) if at and word.text in ENGLISH.excluding), 0)
    start = at + 1 + (words[at + 1 : at + 2] != [] and words[at + 1].text in OUT)
    named = in_play.beings.at(words, start) if at else None
    if not (subject and named and subject.is_everybody and len(named.readings) == 1 and at >= subject.size):
        return words
    others = [name for name in subject.readings[0] if name not in named.readings[0]]
    if not others or len(others) == len(subject.readings[0]):
        return words
    said = [words[0]._replace(raw=in_line(name), text=fold_case(name), mark=",") for name in others]
    end = start + named.size
    deed = words[subject.size : at]
    behind = [*deed[:-1], deed[-1]._replace(mark=words[end - 1].mark)] if deed else []
    return [*said[:-1], said[-1]._replace(mark=""), *behind, *words[end:]]


def _of_whom_it_is(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return a roll that somebody makes for another as their own: `I roll stealth for Kess`; others as they are."""
    if len(words) < ROLLED_LEAST or words[0].text not in ENGLISH.first_person:
        return words
    start = next((at for at in range(1, ROLLED_LEAST) if words[at].text not in WILL), 1)
    if base_forms(words[start].text).isdisjoint(ENGLISH.throwing):
        return words
    for at in range(start + 1, len(words) - 1):
        named = in_play.beings.at(words, at + 1) if words[at].text == FOR and not words[at].mark else None
        if named and named.size + at + 1 <= len(words):
            end = at + 1 + named.size
            deed = [*words[start : at - 1], words[at - 1]._replace(mark=words[end - 1].mark)]
            return [*words[at + 1 : end - 1], words[end - 1]._replace(mark=""), *deed, *words[end:]]
    return words


def as_deed(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return the deed of somebody of which is said how hard it is: `climbing it is a 5, Kess`; others as they are.

    `Kess, pushing it over is a 5`, `jumping the gap will be a four for Kess`.
    """
    words = _of_the_others(_of_whom_it_is(words, in_play), in_play)
    called = in_play.beings.at(words, 0)
    if called and called.is_everybody:
        words = next(_without_me(words, in_play), words)
    called = in_play.beings.at(words, 0)
    start = called.size if called and words[called.size - 1].mark else 0
    is_gerund = start < len(words) and words[start].text.endswith(PARTICIPLE)
    if not is_gerund or words[start].text in ENGLISH.times or in_play.beings.at(words, start):
        return words
    end = next((at for at in range(start + 2, len(words)) if words[at].text in COPULAS), len(words))
    number = next((at for at in range(end, len(words)) if words[at].text not in ENGLISH.little), len(words))
    number += number < len(words) and words[number].text in in_play.values()
    amount = amount_at(words, number)
    if amount is None:
        return words
    last = end - 1 - (words[end - 1].text in WILL)
    deed = [*words[start:last], words[last]._replace(mark=",")]
    if start:
        return [*words[:start], *deed, *words[end + 1 :]]
    behind = number + amount.size
    at = behind + (behind < len(words) and words[behind].text == "for")
    called = in_play.beings.at(words, at)
    if called is None or not (at > behind or words[at - 1].mark):
        return words
    rest = [*words[end + 1 : behind - 1], words[behind - 1]._replace(mark=","), *words[at + called.size :]]
    return [*words[at : at + called.size], *deed, *rest]


def is_owned(words: Sequence[Word], start: int) -> bool:
    """Return whether something of somebody begins here, `'s torch`; but `Marta's climbing` is what she does."""
    ending = start if words[start].text == "'s" else start - 1
    if ending < 0 or words[ending].text != "'s" or words[ending].raw == "is":
        return False
    behind = words[ending + 1 : ending + 2]
    return not (behind and behind[0].text.endswith(PARTICIPLE))


def is_suffered(words: Sequence[Word], start: int) -> bool:
    """Return whether a verb says what its subject suffers, or is: `guard 2 is hit`, `the party's finished`."""
    before, said = words[start - 1].text if start else "", words[start].text
    return said.endswith(SUFFERED) if before == "'s" else before in ENGLISH.passive and not said.endswith(PARTICIPLE)


def _called(words: Sequence[Word], in_play: InPlay) -> tuple[int, int] | None:
    """Return where those begin and end who are called, alone between stops or as everybody at the end; else None."""
    for start in range(1, len(words)):
        named = in_play.beings.at(words, start)
        end = start + named.size if named else 0
        is_end = end == len(words)
        is_saying = is_end and " ".join(word.text for word in words[start:]) in in_play.beings.sayings
        if named and (is_saying or (words[start - 1].mark == "," and (is_end or words[end - 1].mark))):
            return start, end
    return None


def going_on_size(words: Sequence[Word], start: int) -> int:
    """Return how many words here say that somebody goes on with a deed: `keeps` before `shooting`; 0 if none do."""
    if start + 1 >= len(words) or base_forms(words[start].text).isdisjoint(ENGLISH.going_on):
        return 0
    size = 1 + (words[start + 1].text in ENGLISH.particles | {"on"})
    return size if start + size < len(words) and words[start + size].text.endswith(PARTICIPLE) else 0


def with_named_deed(words: Sequence[Word], verb: int, tasks: FrameIndex, in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield a sentence with the name of a deed that stands behind `with a` in place of its verb."""
    for at in range(verb + 2, len(words)):
        start = next((one for one in (at - 1, at - 2) if words[one].text in ENGLISH.using), 0)
        if start > verb and (named := tasks.at(words, at, in_play)):
            end = named[0].end
            yield [*words[:verb], *words[at:end], *words[verb + 1 : start], *words[end:]]


def begins_deed(words: Sequence[Word], start: int, verbs: FrameIndex, in_play: InPlay) -> bool:
    """Return whether a verb, or a phrase with one, begins here."""
    return any(match.frame.parts[0] not in SLOTS for match in verbs.at(words, start, in_play))


def with_names(words: Sequence[Word], start: int, in_play: InPlay, by: str = "") -> Sequence[Word]:
    """Return the words from here on with the name of whom a pronoun means, if another than the subject is named before.

    `walks up to guard 1 and hits him`, `and stabs at his leg`.
    """
    first = in_play.beings.at(words, 0)
    named = in_play.beings.named_before(words, start, by or (first.readings[0][0] if first else ""))
    if len(named) != 1 or named[0] in in_play.beings.scope.things:  # nobody is meant by a place
        return words[start:]
    name, meant, end = in_line(named[0]), list[Word](), start
    for index, word in enumerate(words[start:], start):
        if index < end:
            continue
        if _is_of_another(words, index, named[0], in_play):  # of whom what follows may be
            return [*meant, *words[index:]]
        if other := in_play.beings.other_at(words, index):  # `hits guard 1, then the other guard`
            meant.append(word._replace(raw=in_line(other.readings[0][0]), text=fold_case(other.readings[0][0])))
            end = index + other.size
            meant[-1] = meant[-1]._replace(mark=words[end - 1].mark)
        elif is_object_pronoun(words, index):
            meant.append(word._replace(raw=name, text=fold_case(name)))
        elif word.text in ENGLISH.possessives and (index == start or words[index - 1].text == AIMED):
            meant += split_words(f"{named[0]}'s")
        else:
            meant.append(word)
    return meant


def _is_of_another(words: Sequence[Word], index: int, name: str, in_play: InPlay) -> bool:
    """Return whether somebody else is named here, by a name of their own, behind another deed."""
    if words[index].text in ENGLISH.pronouns | ENGLISH.others or in_play.beings.other_at(words, index):
        return False
    found = in_play.beings.at(words, index)
    is_one = found is not None and len(found.readings) == len(found.readings[0]) == 1
    return is_one and found is not None and found.readings[0][0] != name and not in_play.beings.are_things(found)


def may_begin_text(words: Sequence[Word], start: int, in_play: InPlay) -> bool:
    """Return whether a text may begin here: at its first word, no little one, and not at the 2 of `guard 2`."""
    is_numbered = amount_at(words, start) and in_play.beings.is_within_name(words, start)
    before = words[start - 1] if start else words[start]
    is_joined = bool(start) and words[start].column == before.column + len(before.raw)  # `the bear's claws find her`
    is_ending = is_joined and [word.text for word in words[start + 1 : start + 2]] != [HAS_GOT]
    return not start or not (before.text in ENGLISH.little or is_numbered or is_ending)


def is_object_pronoun(words: Sequence[Word], index: int) -> bool:
    """Return whether a word stands for somebody: `him`, and `her` before no noun."""
    if words[index].text not in ENGLISH.objects:
        return False
    behind = words[index + 1 : index + 2]
    is_alone = not behind or bool(words[index].mark) or behind[0].text in ENGLISH.little | ENGLISH.again
    return words[index].text != "her" or is_alone


def with_possessives(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return a sentence with the apostrophes that are left out of names: `guard 2s throat`, `brams second die`."""
    meant = list[Word]()
    for index, word in enumerate(words):
        bare = word._replace(raw=word.raw[:-1], text=word.text[:-1], mark="")
        behind = words[index + 1].text if index + 1 < len(words) else ""
        is_open = bare.text and behind and not (word.mark or behind in ENGLISH.little) and word.text.endswith("s")
        if is_open and _is_owner([*words[:index], bare], index, in_play):
            meant += [bare, Word("'s", "'s", word.column + len(bare.raw))]
        else:
            meant.append(word)
    return meant


def _is_owner(words: Sequence[Word], index: int, in_play: InPlay) -> bool:
    """Return whether the last of these words ends the name of one being, without an s that is no part of it."""
    start = index - 1 if words[index].text.isdecimal() else index
    named = in_play.beings.at(words, start) if start >= 0 else None
    is_one = named is not None and start + named.size == index + 1
    return bool(is_one and named and len(named.readings) == len(named.readings[0]) == 1)


def without_ruling(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without the words that say that it is ruled: `I rule that`."""
    texts = [word.text for word in words]
    start = next((len(said) for said in map(str.split, ENGLISH.ruling) if texts[: len(said)] == said), 0)
    return words[start:]


def without_opening(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return a sentence without what says nothing at its beginning, `well then` and what is called out; nor a laugh."""
    words = with_whole_subject(words)
    if words and words[-1].text in ENGLISH.laughs:
        return without_opening([*words[:-2], *(word._replace(mark="") for word in words[-2:-1])], in_play)
    texts = [word.text for word in words]
    said = next((each for each in map(str.split, ENGLISH.openings) if texts[: len(each)] == each), texts[:1])
    is_call = len(words) > CALLED_LEAST and words[0].is_quoted and not in_play.beings.at(words, 0)
    if is_call and (behind := _behind_call(words[1:], in_play)):
        return behind
    if texts[:1] and texts[0] in ENGLISH.pair and in_play.beings.joined_at(words, 1):
        return words[1:]  # `both Ada and Bo are flanked`
    if texts[:1] and texts[0] in LET and (named := in_play.beings.at(words, 1)) and len(words) > named.size + 1:
        return words[1:]  # `let Marta climb it`
    is_opening = is_call or len(said) > 1 or not (ENGLISH.leads | ENGLISH.laughs).isdisjoint(said)
    return without_opening(words[len(said) :], in_play) if is_opening else words


def with_whole_subject(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence about all of those who begin it with `all` beside them: `you're all hurt` is `you all are`."""
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.leads), len(words))
    texts = [word.text for word in words[start : start + 3]]
    if len(texts) < 3 or texts[0] not in WHOLE or texts[1] != "are" or texts[2] not in ENGLISH.both:
        return words
    subject, verb, every = words[start : start + 3]
    every = every._replace(column=0, mark="")
    return [*words[:start], subject, every, verb._replace(raw="are", column=0), *words[start + 3 :]]


def _behind_call(words: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return the deed of who calls something out: `"Hold this," Marta whispers, and she climbs`; else nothing."""
    caller = in_play.beings.at(words, 0)
    start = caller.size if caller else len(words)
    if start >= len(words) or base_forms(words[start].text).isdisjoint(ENGLISH.saying):
        return ()
    joined = next((at for at in range(start + 1, len(words)) if words[at].text == "and"), len(words)) + 1
    deed = joined + (joined < len(words) and words[joined].text in ENGLISH.subjects)
    return [*words[:start], *words[deed:]] if deed < len(words) else ()


def says_of_that(words: Sequence[Word]) -> bool:
    """Return whether a clause says how something is that is pointed at: `that's gone`."""
    return len(words) > 1 and words[0].text in THAT and words[1].text in ENGLISH.copulas
