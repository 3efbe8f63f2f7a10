"""Frames: phrases with places for what is in play, and the line of the grammar that each means.

`lose {n} {value}` means `{who} {value} -{n}`. The words of a phrase are met in any form, with little words between
them; `hit/stab` is either word. A book's frames are in its `speech.toml`, those of every table in `speech.toml` here.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import islice, product
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from cli.notation.tokens import GM_MARK
from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.slots import AMOUNTS, BEING_SLOTS, PHRASE, SKILL, SLOTS, fill_slot, in_line, is_filled
from cli.speech.spoken_dice import is_thrown
from cli.speech.words import (
    Word,
    amount_at,
    is_opposed,
    split_words,
)
from ledger.line_tokens import QUOTED
from rulebooks.common.word_forms import base_forms, passive_forms

SPEECH: Final = "speech.toml"
SEARCH: Final = "search"  # the sense of looking for somebody
BY: Final = "by"  # before who does what somebody suffers
ASK: Final = "ask: "  # before what is never taken without a question
TURN: Final = "turn: "  # before what is meant by somebody in turn, not what the same words mean at other times
LIKE: Final = 0.85  # how much a word with a wrong letter is like the verb that is meant
SKIPPED_MOST: Final = 3  # little words between two parts of a phrase
OWN_AMOUNTS: Final = ("/{n}", "+{n}", "-{n}")  # faces, and by how much a value changes
ANY: Final = ""  # the word of frames that are slots alone
SENTENCES_MOST: Final = 32  # sentences, and parts of one, whose frames are kept
MATCHES_MOST: Final = 8  # of one frame that are compared
READ_MOST: Final = 3  # of one frame that are read


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `speech.toml`.

    `verbs`: what a phrase with its verb means, as a line without its speaker, or with its mark; behind `ask: ` never
    without a question, behind `turn: ` if the speaker is in turn. `tail`: what a phrase behind the verb means, as
    tokens of a line; a key that begins with a verb and `:` holds for that verb alone, one with `ask: ` is asked.
    `texts`: verbs whose unexplained words are what is done or cast. `implied`: lines that a sentence with another verb
    may mean, which is asked. `questions`: what a question asks. `corrections`: what changes the last line that it fits
    (`announced: `: if it waits for its dice). `refused`: what may be meant where a rule refuses what was said, by the
    code of the refusal (with the verb that is refused, `DB-E-TURN move`, for that verb alone), or by `unknown` where
    no verb is known: lines with the speaker, the refused line, and what was said of the speaker; behind `say: ` a
    sentence to be read, behind `calm: ` only outside of an encounter, behind `thrown: ` only with dice; `{skill}` is
    each word that the line needs; `{turn}` is in turn; ` | ` stands between lines
    that are proposed together. `paraphrases`: the sentence as which a phrase behind the subject is read, up to the end.
    `likely`: the words of a deed that make a word of the book likelier. `rules`: words of the rules, without which a
    clause may be left out. `unspoken`: verbs of the book that mean something else in a sentence. `calm`: verbs whose
    lines stand behind others where an encounter is running. `harms`: values that rise by harm and fall by healing.
    `senses`: the lines that a sense of the thesaurus calls to mind, see senses.py. `states`: those that set how
    somebody is, see states.py.
    """

    verbs: Mapping[str, tuple[str, ...]] = {}
    tail: Mapping[str, tuple[str, ...]] = {}
    questions: Mapping[str, tuple[str, ...]] = {}
    texts: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    corrections: Mapping[str, tuple[str, ...]] = {}
    refused: Mapping[str, tuple[str, ...]] = {}
    paraphrases: Mapping[str, tuple[str, ...]] = {}
    rules: tuple[str, ...] = ()
    unspoken: tuple[str, ...] = ()
    calm: tuple[str, ...] = ()
    harms: tuple[str, ...] = ()
    senses: Mapping[str, tuple[str, ...]] = {}
    states: Mapping[str, tuple[str, ...]] = {}
    likely: Mapping[str, str] = {}

    @property
    def seeking(self) -> frozenset[str]:
        """The verbs with which somebody looks for somebody."""
        return frozenset(line.split()[0] for line in self.senses.get(SEARCH, ()))


class Frame(NamedTuple):
    """A phrase, as its words and slots, and the line that it means."""

    template: str
    parts: tuple[str, ...]

    @property
    def fixed_parts(self) -> tuple[str, ...]:
        """Its words that stand in each sentence that has it: those that are no slots."""
        return tuple(part for part in self.parts if not is_filled(part))

    @property
    def literals(self) -> int:
        """How many words of it are no slots: the more, the more it says."""
        return sum(part not in SLOTS or part == SKILL for part in self.parts)

    @property
    def is_bare_aside(self) -> bool:
        """Whether it is said on the game master's side of nobody and of no number."""
        return self.template.removeprefix(ASK).startswith(GM_MARK) and SLOTS.isdisjoint(self.parts)

    @property
    def weight(self) -> int:
        """How much of a sentence it explains: a word counts twice as much as a name."""
        named = sum(part in ("{being}", "{near}", "{dice}") for part in self.parts)
        return 2 * self.literals + named + self.template.startswith(TURN)


class FrameMatch(NamedTuple):
    """A frame that was met: where it begins and ends, and what stands in its slots."""

    frame: Frame
    start: int
    end: int
    slots: Mapping[str, str]

    @property
    def line(self) -> str:
        """Return the template with the slots filled, but `{who}`. A phrase outside of quotation marks is one word.

        What stands in those of the template has none of its own.
        """
        text = self.frame.template
        for name, value in self.slots.items():
            if text.partition(name)[0].count('"') % 2:
                value = (value[1:-1] if QUOTED.fullmatch(value) else value).replace('"', "'")
            elif name == PHRASE:
                value = in_line(value)
            text = text.replace(name, value)
        return text


@cache
def read_speech(path: Path) -> Speech:
    """Return a file of frames; none if there is no such file. Raises msgspec.ValidationError for another form."""
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Speech) if path.exists() else Speech()


def shared_speech() -> Speech:
    """Return the frames of every table."""
    return read_speech(Path(__file__).parent / SPEECH)


def frames_of(tables: Iterable[Mapping[str, tuple[str, ...]]]) -> list[Frame]:
    """Return the frames of these tables; without the articles, which are little words in a sentence."""
    return [
        Frame(template, _parts_of(said))
        for table in tables
        for template, phrases in table.items()
        for phrase in phrases
        for said in _alternatives(phrase)
    ]


def _alternatives(phrase: str) -> Iterator[str]:
    """Yield a phrase with one of the words that stand at each place: `hit/stab {being} twice` is two phrases."""
    yield from map(" ".join, product(*(word.split("/") for word in phrase.split())))


def _parts_of(phrase: str) -> tuple[str, ...]:
    """Return the words and slots of a phrase; `one's` stands for any possessive."""
    words = [text for word in phrase.replace("one's ", "").split() for text in _texts_of(word)]
    return tuple(word for word in words if word not in ENGLISH.skipped) or tuple(words)


@cache
def _texts_of(word: str) -> tuple[str, ...]:
    """Return the words of a sentence that a word of a phrase is: the same few hundred stand in thousands of phrases."""
    return tuple(each.text for each in split_words(word))


class Indexed(NamedTuple):
    """A frame by its first word that is no slot: the forms of its first part, and those of its other words."""

    at: int
    frame: Frame
    firsts: frozenset[str]
    others: tuple[frozenset[str], ...]


class FrameIndex:
    """Frames by the forms of their first word, to try few of them at each word of a sentence."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        self.frames = tuple(frames)
        self.templates = frozenset(frame.template for frame in self.frames)
        self._by_word = defaultdict[str, list[Indexed]](list)
        self._own: set[str] = set()  # the verbs of the book, which mean themselves
        for at, frame in enumerate(self.frames):
            self._own |= {frame.template} if (frame.template,) == frame.parts else set()
            first = AMOUNTS[0] if frame.parts[0].isdecimal() else frame.parts[0]  # `ten minutes` begins with a number
            firsts = frozenset((first,)) if first in SLOTS else base_forms(first)
            forms = tuple(map(base_forms, frame.fixed_parts))
            for form in forms[0] if forms else (ANY,):
                self._by_word[form].append(Indexed(at, frame, firsts, forms[1:]))
        self._begun = lru_cache(maxsize=SENTENCES_MOST)(self._find_begun)

    def _find_begun(self, texts: tuple[str, ...]) -> Mapping[str, list[Frame]]:
        """Return the frames all of whose words are in a sentence, by the forms of their first word."""
        said = {form for text in texts for form in passive_forms(text)}
        indexed = {each.at: each for form in (ANY, *said) for each in self._by_word.get(form, ())}
        begun = defaultdict[str, list[Frame]](list)
        for each in map(indexed.__getitem__, sorted(indexed)):
            if not any(map(said.isdisjoint, each.others)):
                for first in each.firsts:
                    begun[first].append(each.frame)
        return begun

    def words_of(self, verbs: Iterable[str]) -> frozenset[str]:
        """Return the words of the numbers that may stand behind one of these verbs: `stealth` of `hide`."""
        begins = tuple(f"{verb}: " for verb in verbs)
        numbered = (each for each in self.frames if each.template.startswith(begins) and "{n}" in each.parts)
        return frozenset(part for frame in numbered for part in frame.parts if part not in ENGLISH.little | SLOTS)

    def has_like(self, word: str) -> bool:
        """Return whether this word is a verb of the book, in any form, or with a wrong letter."""
        return any(form in self._own or get_close_matches(form, self._own, 1, LIKE) for form in base_forms(word))

    def at(self, words: Sequence[Word], start: int, in_play: InPlay) -> list[FrameMatch]:
        """Return the frames that the words from here on meet, the longest first."""
        if start >= len(words):
            return []
        asked = (id(self), tuple(words), start, in_play.spoken_of)
        return [*in_play.memo.recall(asked, lambda: self._met_at(words, start, in_play))]

    def _met_at(self, words: Sequence[Word], start: int, in_play: InPlay) -> list[FrameMatch]:
        """Return what `at` does, where it was not asked before."""
        begun = self._begun(tuple(word.text for word in words))
        forms = (*passive_forms(words[start].text), *SLOTS)
        frames = {id(frame): frame for form in forms for frame in begun.get(form, ())}
        found = [
            match._replace(start=start)
            for frame in frames.values()
            for match in _with_longest_texts(_matches(frame, frame.parts, words, start, {}, in_play))
            if not _has_opposed(frame, words[start : match.end])
        ]
        return sorted(found, key=lambda match: (-match.frame.literals, -match.end))


def _has_opposed(frame: Frame, words: Sequence[Word]) -> bool:
    """Return whether a face, or the amount of a change, would be a number that something is held against."""
    is_amount = any(slot in frame.template for slot in OWN_AMOUNTS) and ENGLISH.opposing.isdisjoint(frame.parts)
    return is_amount and any(is_opposed(words, at) and amount_at(words, at) for at in range(len(words)))


def _with_longest_texts(matches: Iterator[FrameMatch]) -> Iterable[FrameMatch]:
    """Return the first of these matches of a frame, each with the longest text where only its end differs."""
    longest: dict[tuple[object, ...], FrameMatch] = {}
    for match in islice(matches, MATCHES_MOST):
        others = (match.end, *((name, value) for name, value in match.slots.items() if name != "{text}"))
        known = longest.get(others)
        if known is None or len(known.slots.get("{text}", "")) < len(match.slots.get("{text}", "")):
            longest[others] = match
    return islice(longest.values(), READ_MOST)


def _matches(
    frame: Frame,
    parts: Sequence[str],
    words: Sequence[Word],
    start: int,
    slots: Mapping[str, str],
    in_play: InPlay,
) -> Iterator[FrameMatch]:
    """Yield the matches of what is left of a frame from here on."""
    if not parts:
        yield FrameMatch(frame, 0, start, slots)
        return
    part, *rest = parts
    for skipped in range(SKIPPED_MOST + 1 if len(parts) < len(frame.parts) else 1):
        index = start + skipped
        if index >= len(words) or (skipped and words[index - 1].text not in ENGLISH.little):
            return
        if skipped and part in AMOUNTS and words[index - 1].text in ENGLISH.turning:
            return  # `gets his speed back to ten` is no speed ten
        if skipped and part in BEING_SLOTS and words[index - 1].text == BY:
            return  # who does it: `is ambushed by two guards`
        if skipped > 1 and part in BEING_SLOTS and _is_of_pronoun(words, index):
            return
        if part in AMOUNTS and _is_level(frame.template, part) and is_thrown(words, index):
            return  # `perception, I got a fourteen` is no difficulty
        fills = list(fill_slot(part, words, index, in_play, is_last=not rest))
        for end, value in fills:
            if (filled := _with_slot(frame, slots, part, value)) is not None:
                yield from _matches(frame, rest, words, end, filled, in_play)
        if fills:
            return


def _is_level(template: str, slot: str) -> bool:
    """Return whether a number stands behind a letter in a line: `v5`, `e1`."""
    return template.partition(slot)[0][-1:].isalpha()


def _is_of_pronoun(words: Sequence[Word], index: int) -> bool:
    """Return whether who is named here is with whom a pronoun before means: `flanks her with Guard 2`."""
    before = [word.text for word in words[index - 2 : index]]
    return before[0] in ENGLISH.objects and before[1] in ENGLISH.using


def _with_slot(frame: Frame, slots: Mapping[str, str], part: str, value: str) -> Mapping[str, str] | None:
    """Return the slots with one more; None if the line has it, and it stands elsewhere in the phrase with another word.

    `{zone} and {place}, they are at {place}` names each twice.
    """
    slot = part.lstrip("+-")
    if part not in SLOTS:
        return slots
    before = slots.get(slot)
    if before is None:
        return {**slots, slot: value}
    if slot not in frame.template:
        return {**slots, slot: f"{before},{value}" if slot in BEING_SLOTS else f"{before} {value}"}
    return slots if before.casefold() == value.casefold() else None
