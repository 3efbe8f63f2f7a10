"""A sentence without the dice that it says in words of its own: `her recovery roll was a 4`, `8 dawn 5 dusk`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.in_play import WITH
from cli.speech.named_dice import named_dice
from cli.speech.readings import Reader
from cli.speech.slots import DIE
from cli.speech.spoken_dice import FACES_LEAST, dice_from, die_names, is_no_die, size_between, ways_to_sum
from cli.speech.thrown_lines import FACE
from cli.speech.words import Word, amount_at, is_passed_over
from rulebooks.common.word_forms import base_forms

JOINING: Final = frozenset(("and", "with", "but", "gets", "got", "rolls", "rolled"))  # before dice, but for a stop
OTHER_MOST: Final = 1  # word of what is rolled: `recovery roll`
PARTED_MOST: Final = 3  # ways to part a sentence that are tried


def dice_apart(words: Sequence[Word], reader: Reader) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield a sentence without its dice, and these as a line has them; the ways that leave the fewest words first."""
    beings = reader.in_play.beings
    if named := named_dice(words, die_names(reader.book)):
        start, end, faces = named
        yield _without(words, start, end), FACE + faces
    yield from _on_item(words)
    at_names = [at for at in range(len(words)) if beings.is_within_name(words, at) or beings.at(words, at)]
    parted = _parted(words, die_names(reader.book))
    apart = [each for each in parted if not any(each[0] <= at < each[1] for at in at_names)]
    for start, end, faces in islice(_longest(apart), PARTED_MOST):
        yield from ((_without(words, start, end), FACE + said) for said in _ways_to_sum(faces))


def _longest(parted: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield dice without those that are only some of others: `nine, two` of `four, nine, two`."""
    for at, (start, end, faces) in enumerate(parted):
        spans = [(first, last) for other, (first, last, _) in enumerate(parted) if other != at]
        within = [(first, last) for first, last in spans if first <= start and end <= last]
        if not any(span != (start, end) for span in within) and (start, end) not in spans[:at]:
            yield start, end, faces


def _ways_to_sum(faces: str) -> Iterator[str]:
    """Yield the faces of a line as `ways_to_sum` does."""
    return (".".join(map(str, each)) for each in ways_to_sum([*map(int, faces.split("."))]))


def _parted(words: Sequence[Word], names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where dice begin and end, with their faces: a clause of dice alone, or some one after the other."""
    for start in range(1, len(words)):
        before = words[start - 1]
        is_thrown = not base_forms(before.text).isdisjoint(ENGLISH.throwing)  # `rolls seven on the dusk`
        if not (before.mark or is_thrown or words[start].text in JOINING):
            continue
        stops = [at for at in range(start + 1, len(words)) if words[at - 1].mark]
        for end in (len(words), *reversed(stops)):
            if faces := only_dice(words[start:end], names):
                yield start, end, faces
                break
    for start in range(len(words)):  # `double sixes for Marta`
        if found := next(dice_from(words, start), None):
            yield start, *found


def _on_item(words: Sequence[Word]) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield a sentence with its item where a number behind a stop is what that shows: `shoots her, 7 on the rifle`."""
    for at in range(1, len(words)):
        amount = amount_at(words, at) if words[at - 1].mark else None
        on = at + amount.size if amount else len(words)
        if amount and on < len(words) - 1 and words[on].text in ENGLISH.rolled_on and not words[on - 1].mark:
            yield [*words[:at], words[on]._replace(raw=WITH, text=WITH), *words[on + 1 :]], f"{FACE}{amount.number}"


def _without(words: Sequence[Word], start: int, end: int) -> Sequence[Word]:
    """Return a sentence without these words, which leave a stop behind them."""
    before = [*words[:start]]
    if before and words[end:]:
        before[-1] = before[-1]._replace(mark=before[-1].mark or ",")
    return [*before, *words[end:]]


def only_dice(words: Sequence[Word], names: Sequence[str]) -> str:
    """Return the faces that a clause says and nothing else, as a line has them; empty if it says more."""
    faces, said, index, others, is_thrown = list[int](), list[str](), 0, 0, False
    while index < len(words):
        word, forms = words[index], base_forms(words[index].text)
        if amount := amount_at(words, index):
            faces += [] if is_no_die(words, index, amount, faces) else [amount.number]
            index += amount.size
            continue
        if word.text in names:
            said.append(word.text)
        elif DIE.fullmatch(word.text) or forms & (ENGLISH.throwing | ENGLISH.thrown | ENGLISH.rolls):
            is_thrown = True
        elif size := size_between(words, index):
            index += size - 1
        elif not is_passed_over(word):
            others += 1
            if not _is_of_roll(words, index):
                return ""
        index += 1
    is_dice = is_thrown or said or len(faces) >= FACES_LEAST
    if not faces or not is_dice or others > OTHER_MOST:
        return ""
    if len(said) == len(faces) == len(names) and said != [*names]:
        faces = [faces[said.index(name)] for name in names] if {*said} == {*names} else []
    return ".".join(map(str, faces))


def _is_of_roll(words: Sequence[Word], index: int) -> bool:
    """Return whether a word says what is rolled: `recovery` in `the recovery roll`."""
    behind = [] if words[index].mark else words[index + 1 : index + 2]
    return bool(behind) and not base_forms(behind[0].text).isdisjoint(ENGLISH.rolls)
