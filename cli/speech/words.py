"""The words of a sentence, without punctuation, and the numbers and spans of time among them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from ledger.line_tokens import FACES
from ledger.name_match import fold_word
from ledger.names import fold_case
from ledger.number_words import NUMBERS, ONES, TENS
from rulebooks.common.word_forms import base_forms

PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\u201c[^\u201d]*\u201d|\S+')
BREAKS: Final = ",;:.!?\u2026"
DASHES: Final = frozenset(("-", "--", "\u2013", "\u2014"))
JOINED: Final = re.compile(r"^(.+?)(n't|'re|'ve|'ll|'d|'m|'s|')$", re.IGNORECASE)
CLIPPED: Final = {"ai": "is", "ca": "can", "wo": "will", "sha": "shall"}  # what stands before `n't`
QUARTER: Final = ["quarter", "of", "an", "hour"]
PARTS: Final = {"half": 2, "quarter": 4}
PART_WORDS: Final = 3  # of `and a half`
WEEK: Final = "w"  # no unit of a line: seven days
SMALLER: Final = {
    "h": ("m", 60),
    "m": ("s", 60),
    "d": ("h", 24),
    WEEK: ("h", 7 * 24),
}  # units, and how many of the smaller one are in them
ONE: Final = "one"
ANOTHER, POINT = "another", "point"  # which is one
ONCE: Final = "once"  # behind `at` it counts nothing
AT: Final = "at"  # before a level
LEVEL_LEAST: Final = 2  # words before one
ASKED: Final = frozenset(("we", "you"))  # behind the verb of a question
THE: Final = "the"
NUMBER: Final = "number"  # before which one of several is meant
SWAPPED: Final = {  # little words as they are often mistyped: `wiht`, `teh`, `nto`
    text[:at] + text[at + 1] + text[at] + text[at + 2 :]: text
    for text in sorted(ENGLISH.little | ENGLISH.denying | {"and"})
    for at in range(len(text) - 1 if len(text) > 2 and text.isalpha() else 0)
}
KNOWN: Final = ENGLISH.little | ENGLISH.denying | ENGLISH.unswapped  # as they are
LAST_ASKED: Final = re.compile(r"(?<=[.!]) +([^\W_]+(?: [^\W_]+)?)\?+\s*$")
WORDS_MOST: Final = 60  # of a sentence that is read
LAST_TAG: Final = re.compile(
    r"(?<=[.!]) +(?:that|this|it)\b[^.!?]*, *(?:[a-z]+(?:n['\u2019]t)? (?:it|that|they|he|she)|right|yeah|no)\?+\s*$",
    re.IGNORECASE,
)
NARRATORS: Final = ("gm", "dm", "referee", "narrator")  # before a colon: all that nobody else says is theirs
NARRATOR: Final = re.compile(rf"\s*(?:{'|'.join(NARRATORS)}):\s+(?=[^\s\"\u201c])", re.IGNORECASE)


class Word(NamedTuple):
    """A word of a sentence: as typed, folded, where it begins, and the punctuation behind it."""

    raw: str
    text: str
    column: int
    mark: str = ""

    @property
    def is_quoted(self) -> bool:
        """Whether it is a text in quotation marks."""
        return self.raw.startswith('"')

    @property
    def is_faces(self) -> bool:
        """Whether it is typed faces, as in `/7.6`."""
        return FACES.fullmatch(self.raw) is not None


def without_narrator(line: str) -> str:
    """Return a line without the `GM:` before it: the game master says it, as everything that nobody else says."""
    return line[told.end() :] if (told := NARRATOR.match(line)) else line


def without_last_question(line: str) -> str:
    """Return a line without the word or two behind a stop that ask what comes of it: `I got fifteen. Blocking?`.

    A number there stays: `she charms him. Ten?` Behind one the question whether it is enough goes as well: `A nine!
    That's a hit, isn't it?`.
    """
    if (talk := LAST_TAG.search(line)) and _has_number(line[: talk.start()]) and not _has_number(talk[0]):
        return line[: talk.start()]
    if not (asked := LAST_ASKED.search(line)):
        return line
    words = asked[1].casefold().split()
    if any(word in NUMBERS or word.isdecimal() for word in words):
        return line.rstrip("? ")
    return line if any(word in ENGLISH.fillers for word in words) else line[: asked.start()]


def _has_number(text: str) -> bool:
    """Return whether a text has a number, in digits or words: `double threes`."""
    words = re.findall(r"\w+", text.casefold())
    return any(word.isdecimal() or word in NUMBERS or word.removesuffix("s") in NUMBERS for word in words)


def is_too_long(sentence: str) -> bool:
    """Return whether a sentence has more words than are read in other words than those of the grammar."""
    return len(sentence.split(maxsplit=WORDS_MOST)) > WORDS_MOST


def split_words(line: str) -> list[Word]:
    """Return the words of a sentence, without a `GM:`. What an apostrophe joins are two: `didn't` is `did not`."""
    words: list[Word] = []
    for found in PIECE.finditer(line):
        raw = found.group().replace("\u2019", "'")
        column = found.start() + 1
        if raw[0] == "\u201c":
            raw = f'"{raw[1:-1]}"'
        bare = raw if raw[0] == '"' and raw[-1] == '"' else raw.rstrip(BREAKS)
        mark = raw[len(bare) :][:1]
        if len(bare) > 2 and bare[0] == "(" and words:  # what stands in brackets is an aside
            words[-1] = words[-1]._replace(mark=words[-1].mark or ",")
            bare, column = bare[1:], column + 1
        if bare[-1:] == ")" and "(" not in bare:
            bare, mark = bare[:-1], mark or ","
        is_narrator = mark == ":" and bare.lower() in NARRATORS
        if raw in DASHES or not bare or is_narrator:
            if words:
                words[-1] = words[-1]._replace(mark=words[-1].mark or (mark if is_narrator else raw[:1]))
            continue
        joined = JOINED.match(bare) if bare[0] not in '"+-~' else None
        if joined:
            words += _parts_of(joined, column, mark)
        elif (meant := ENGLISH.unmarked.get(bare.lower())) and not (
            meant.endswith(" not") and _may_be_name(bare, line[found.end() :])
        ):
            words += _unmarked_parts(bare, meant.split(), column, mark)
        else:
            text = fold_case(bare)
            spelt = text if text in KNOWN else SWAPPED.get(text, text)
            words.append(Word(bare, ENGLISH.spellings.get(text, spelt), column, mark))
    return _with_ordinals(words) if any(word.text == NUMBER for word in words) else words


def _with_ordinals(words: Sequence[Word]) -> list[Word]:
    """Return words with one of several by a number: `thug number two` is `thug two`, `number two` the second one."""
    meant: list[Word] = []
    is_one = False
    for index, word in enumerate(words):
        amount = amount_at(words, index + 1) if word.text == NUMBER else None
        before = words[index - 1] if index else Word(THE, THE, 0)
        if is_one or not (amount and 0 < amount.number <= len(ENGLISH.ordinals)):
            meant.append(word._replace(raw=ONE, text=ONE) if is_one else word)
            is_one = False
        elif before.mark or before.text in ENGLISH.little or base_forms(before.text) != {before.text}:
            ordinal = ENGLISH.ordinals[amount.number - 1]
            meant += [word._replace(raw=THE, text=THE), word._replace(raw=ordinal, text=ordinal)]
            is_one = True
        else:
            meant.append(word)
    return meant


def _may_be_name(bare: str, behind: str) -> bool:
    """Return whether a word without its apostrophe may be a name: `Cant hits him`, but not `Cant we rest`."""
    first = fold_case(behind.split(maxsplit=1)[0]).strip(BREAKS) if behind.split() else ""
    return bare[0].isupper() and first not in ENGLISH.subjects | ENGLISH.articles | ASKED


def _parts_of(joined: re.Match[str], column: int, mark: str) -> tuple[Word, Word]:
    """Return the two words that an apostrophe joins."""
    first, second = fold_case(joined[1]), fold_case(joined[2])
    is_verb = second == "'s" and first in ENGLISH.before_is
    meant = "is" if is_verb else ENGLISH.joined.get(second, "'s")
    first = CLIPPED.get(first, first) if meant == "not" else first
    return Word(joined[1], first, column), Word(joined[2], meant, column + len(joined[1]), mark)


def _unmarked_parts(bare: str, meant: Sequence[str], column: int, mark: str) -> tuple[Word, Word]:
    """Return the two words of which somebody left out the apostrophe: `thats`, `dont`."""
    cut = len(bare) - (1 if meant[1] == "is" else 2)
    return Word(bare[:cut], meant[0], column), Word(bare[cut:], meant[1], column + cut, mark)


def sentence_of(words: Sequence[Word]) -> str:
    """Return words as they were said, as one text."""
    text = ""
    for index, word in enumerate(words):
        before = words[index - 1] if index else word
        is_joined = index and not before.mark and before.column + len(before.raw) == word.column
        text += ("" if is_joined or not index else " ") + word.raw + word.mark
    return text.strip(" .,;:!-")


def is_passed_over(word: Word) -> bool:
    """Return whether a word between subject and verb says nothing: a little word, or how it is done (`quickly`)."""
    return word.text in ENGLISH.little or (word.text.endswith("ly") and word.text not in ENGLISH.denying)


def is_told(words: Sequence[Word], index: int) -> bool:
    """Return whether a pronoun begins a clause about the same deed: `hits him, she rolls a nine`."""
    begins = bool(index) and (words[index - 1].mark or words[index - 1].text in ENGLISH.leads)
    return bool(begins) and words[index].text in ENGLISH.subjects


class Amount(NamedTuple):
    """A number in a sentence, and how many words it takes."""

    number: int
    size: int


def amount_at(words: Sequence[Word], start: int) -> Amount | None:
    """Return the number that begins here: `12`, `twenty five`, `a dozen`, `a hundred`; None if there is none."""
    if start >= len(words):
        return None
    text = words[start].text
    if start and (_names_one(words, start) if text == ONE else text == ONCE and words[start - 1].text == AT):
        return None
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return Amount(int(text), 1)
    if text in (*ENGLISH.one, ANOTHER) and start + 1 < len(words) and words[start + 1].text == POINT:
        return Amount(1, 1)
    if text in ENGLISH.one and start + 1 < len(words) and words[start + 1].text in ("dozen", "couple", "hundred"):
        more = 2 if start + 2 < len(words) and words[start + 2].text == "of" else 1
        return Amount(NUMBERS[words[start + 1].text], 1 + more)
    first, _, second = text.partition("-")
    if first in TENS and second in ONES:
        return Amount(NUMBERS[first] + NUMBERS[second], 1)
    if text in TENS and start + 1 < len(words) and words[start + 1].text in ONES[1:10]:
        return Amount(NUMBERS[text] + NUMBERS[words[start + 1].text], 2)
    return Amount(NUMBERS[text], 1) if text in NUMBERS else None


def is_opposed(words: Sequence[Word], at: int) -> bool:
    """Return whether the number at this word is what a throw is held against: `against a seven`."""
    start = at - (at > 0 and words[at - 1].text in ENGLISH.articles)
    return start > 0 and words[start - 1].text in ENGLISH.opposing


def level_at(words: Sequence[Word]) -> int:
    """Return where `at` stands before a level, `jumps the gap at four`; 0 without one. It counts nothing."""
    for at in range(LEVEL_LEAST, len(words) - 1):
        amount = amount_at(words, at + 1) if words[at].text == AT else None
        behind = words[at + 2 : at + 3]
        if amount and amount.size == 1 and (not behind or words[at + 1].mark or behind[0].text in ENGLISH.using):
            return at
    return 0


def counts_unit(words: Sequence[Word], index: int) -> bool:
    """Return whether a number says how many: `2 squares`, `10 feet`."""
    behind = words[index + 1].text if index + 1 < len(words) and not words[index].mark else ""
    return behind.endswith("s") or behind in ENGLISH.counted or behind in ENGLISH.measures.values()


def _names_one(words: Sequence[Word], start: int) -> bool:
    """Return whether a `one` is somebody or something, and no number: `the big one`, `one of the guards`."""
    of = [word.text for word in words[start + 1 : start + 3]]
    if len(of) > 1 and of[0] == "of" and of[1] in ENGLISH.objects | {THE}:
        return True
    before, behind = words[start - 1], words[start + 1 : start + 2]
    is_counted = bool(behind) and not words[start].mark and behind[0].text in ENGLISH.counted
    is_called = start > 1 and words[start - 2].text in ENGLISH.determining and not before.mark
    is_called &= before.text not in ENGLISH.little and before.text not in NUMBERS
    if is_called and base_forms(before.text) & ENGLISH.between_dice:
        return True  # `six on the rushed one`
    called = ENGLISH.determining | ENGLISH.nearer | ENGLISH.adjectives | ENGLISH.others | {*ENGLISH.ordinals}
    return before.text in called and not before.mark and not is_counted


def is_only_amount(words: Sequence[Word]) -> bool:
    """Return whether these words are a number and little words alone: it is of a die or a field, and says no more."""
    said = [word for word in words if not is_passed_over(word) or word.text in ENGLISH.one]
    while said and said[0].text in ENGLISH.one and amount_at(said, 0) is None:
        said = said[1:]
    amount = amount_at(said, 0)
    return amount is not None and amount.size == len(said)


def span_at(words: Sequence[Word], start: int) -> tuple[str, int] | None:
    """Return the span of time that begins here, as a line has it (`10m`), and how many words it takes."""
    said = [word.text for word in words[start : start + 5]]
    if QUARTER in (said[:4], said[1:5]) and (said[:4] == QUARTER or said[0] in ENGLISH.one):
        return "15m", 4 + (said[:4] != QUARTER)
    half = words[start].text == "half"
    index = start + half
    one = index < len(words) and words[index].text in (*ENGLISH.one, "one")
    amount = Amount(1, 1) if one else None if half else amount_at(words, start)
    if amount is None:
        return None
    end = index + amount.size
    between = 0 if half else _part_behind(words, end)  # `two and a half hours`
    end += PART_WORDS * bool(between)
    unit = ENGLISH.units.get(words[end].text) if end < len(words) else None
    if unit is None:
        return None
    behind = 0 if half else _part_behind(words, end + 1)  # `an hour and a half`
    parts, size = 2 if half else between or behind, end + 1 - start + PART_WORDS * bool(behind)
    if not parts or unit not in SMALLER:
        return f"{amount.number * 7}d" if unit == WEEK else f"{amount.number}{unit}", size
    smaller, count = SMALLER[unit]
    return f"{(0 if half else amount.number) * count + count // parts}{smaller}", size


def _part_behind(words: Sequence[Word], start: int) -> int:
    """Return of how many parts one is said here, 2 for `and a half`; 0 if it says no such thing."""
    said = [word.text for word in words[start : start + PART_WORDS]]
    return PARTS.get(said[-1], 0) if len(said) == PART_WORDS and said[:2] == ["and", "a"] else 0


def without_last_links(words: Sequence[Word]) -> Sequence[Word]:
    """Return words without the little ones at their end, which belong to what stands behind."""
    end = len(words)
    while end > 1 and words[end - 1].text in ENGLISH.articles | ENGLISH.linking and not words[end - 1].mark:
        end -= 1
    return words[:end]


def content_end(words: Sequence[Word]) -> int:
    """Return where the little words begin that end some words."""
    end = len(words)
    while end and words[end - 1].text in ENGLISH.little | ENGLISH.leads:
        end -= 1
    return end


def spellings_of(texts: Sequence[str]) -> list[str]:
    """Return how words together may be spelled among the known ones: folded, the last one also in its base form."""
    whole = fold_word("-".join(texts)).replace("_", "-")
    lasts = [base for base in base_forms(texts[-1]) if base != texts[-1]]
    return [whole, *(fold_word("-".join([*texts[:-1], last])) for last in lasts)]


def end_of_text(words: Sequence[Word], start: int) -> int:
    """Return where a text ends that goes to the end of a sentence: before faces, and a last clause that is a number."""
    end = next((at for at in range(start + 1, len(words)) if words[at].is_faces), len(words))
    clause = next((at for at in range(end - 1, start, -1) if words[at - 1].mark), end)
    is_said = clause < end and words[clause].text not in ENGLISH.leads  # `so zero` says more
    return clause if is_said and is_only_amount(words[clause:end]) else end


def clauses_in(words: Sequence[Word], parting: Collection[str] = ()) -> list[Sequence[Word]]:
    """Return the clauses of a sentence, up to each stop. `parting`: words that begin another without a stop."""
    count = len(words)
    ends = [at for at in range(1, count + 1) if words[at - 1].mark or at == count or words[at].text in parting]
    return [words[begin:end] for begin, end in pairwise([0, *ends])]
