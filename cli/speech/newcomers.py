"""More of some: `two more guards come in` are those of the cast who are not in the fight, or some without a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from cli.notation.tokens import GM_MARK
from cli.questions.possible import why_not_said
from cli.speech.english import ENGLISH
from cli.speech.heard import NotInPlay, unclear
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.words import Word, amount_at
from ledger.errors import Unreadable
from rulebooks.common.word_forms import base_forms

JOIN: Final = f"{GM_MARK} join"
NOUN_MOST: Final = 2  # words between how many there are and what they are
JOINED_MOST: Final = 4  # lines that are offered


def newcomers_error(typed: str, words: Sequence[Word], reader: Reader) -> Unreadable | None:
    """Return the question which of the cast join, or what those need who are not in it; None if nobody comes."""
    encounter = reader.ledger_state.state.encounter
    found = _called(words, reader)
    if found is None:
        return None
    if encounter is None:
        return unclear(typed, [f"> {typed.strip()}"])
    count, kind = found
    alike = reader.in_play.beings.by_stem.get(kind) or reader.in_play.beings.by_word.get(kind) or []
    outside = [name for name in alike if name not in encounter.members and name not in reader.scope.dead]
    joined = [line for name in outside[:count] for line in islice(_lines_of(name, words, reader), 1)]
    if joined:
        return unclear(typed, joined[:JOINED_MOST], then=dict(pairwise(joined)))
    some = f"'{typed.strip()}' speaks of {count} who {'are' if count > 1 else 'is'} not in play yet"
    copies = f", as in campaign cast '{kind}.toml*{count}'" if kind else ""
    return NotInPlay(some, hint=f"Each needs a sheet{copies}; then let each join: {JOIN} and the name.")


def _called(words: Sequence[Word], reader: Reader) -> tuple[int, str] | None:
    """Return how many come, and what they are called; None for a sentence of anything else."""
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.leads), 0)
    amount = amount_at(words, start)
    at = start + (amount.size if amount else words[start : start + 1] != [] and words[start].text in ENGLISH.one)
    at -= at > start and words[at - 1].text in ENGLISH.additional  # `two more` is an amount
    is_more = words[at : at + 1] != [] and words[at].text in ENGLISH.additional | {*ENGLISH.ordinals[2:]}
    kinds = {*reader.in_play.beings.by_stem, *reader.in_play.beings.by_word} if is_more else set[str]()
    for noun in range(at + 1, min(len(words), at + 1 + NOUN_MOST)):
        kind = next((form for form in base_forms(words[noun].text) if form in kinds), "")
        behind = [not ENGLISH.arriving.isdisjoint(base_forms(word.text)) for word in words[noun + 1 :]]
        is_unknown = is_more and behind[:1] == [True] and words[noun].text not in ENGLISH.turns  # or `two of them`
        if any(behind) and (kind or is_unknown):
            return (amount.number if amount else 1), kind
    return None


def _lines_of(name: str, words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the lines with which somebody may join, at the place that is said, else at any."""
    places = sorted(reader.scope.things, key=lambda place: not any(word.text == place for word in words))
    for line in (f"{JOIN} {in_line(name)}", *(f"{JOIN} {in_line(name)} {in_line(place)}" for place in places)):
        if why_not_said(line, reader.ledger_state, reader.book, reader.scope) is None:
            yield line
