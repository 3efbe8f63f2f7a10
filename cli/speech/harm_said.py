"""Harm that a sentence says in a number and not with a verb: `nine damage, straight through`, `three more on Ada`.

It may be what the blow did that was thrown just now: then its dice are corrected. Else somebody takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.notation.formatter import format_declaration
from cli.speech.english import ENGLISH
from cli.speech.harm_thrown import HarmThrown, with_more
from cli.speech.lone_faces import SIDES, first_clause
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.words import Word, amount_at, is_passed_over
from ledger.declarations import Declaration
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
(DAMAGE,) = ENGLISH.dealt  # in a sentence that says it with a verb
TO: Final = frozenset(("on", "off", "to", "from", "into", "for"))  # between harm and who takes it
ONLY_OF_DAMAGE: Final = frozenset(("for", "from"))  # also before who threw a number
BEGINNING: Final = (
    ENGLISH.fillers | ENGLISH.exclamations | ENGLISH.leads | ENGLISH.additional | {"and", "that", "it", "which"}
)


class ToldHarm(NamedTuple):
    """How much harm is said, and who takes it; empty if nobody is named. `is_more`: it is besides what was done."""

    number: int
    who: str
    is_more: bool


def told_harm(words: Sequence[Word], reader: Reader) -> ToldHarm | None:
    """Return the harm that a sentence begins with, `so nine damage to Ada`; None if it begins with anything else."""
    beings = reader.in_play.beings
    start = next((at for at, word in enumerate(words) if amount_at(words, at) or not _is_before(word)), len(words))
    amount = amount_at(words, start)
    if amount is None or beings.at(words, start):
        return None
    at, said = start + amount.size, {word.text for word in words[:start]}
    while at < len(words) and not words[at - 1].mark and _is_of_harm(words[at], reader):
        said.add(words[at].text)
        at += 1
    forms = {form for text in said for form in base_forms(text)}
    is_damage = not ENGLISH.suffered.isdisjoint(forms)
    is_behind = at < len(words) - 1 and not words[at - 1].mark and words[at].text in TO
    named = beings.at(words, at + 1) if is_behind and (is_damage or words[at].text not in ONLY_OF_DAMAGE) else None
    is_more = not ENGLISH.additional.isdisjoint(said)
    if named and len(named.readings) == len(named.readings[0]) == 1:
        return ToldHarm(amount.number, named.readings[0][0], is_more)
    return ToldHarm(amount.number, "", is_more) if is_damage else None


def is_about_dice(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence names a die, `four on the d8`, or says what dice did: `four damage`."""
    return told_harm(words, reader) is not None or any(SIDES.fullmatch(word.text) for word in first_clause(words))


def _is_before(word: Word) -> bool:
    """Return whether a word may stand before harm."""
    return is_passed_over(word) or word.text in BEGINNING


def _is_of_harm(word: Word, reader: Reader) -> bool:
    """Return whether a word behind a number says that it is harm: `more`, `points of damage`, `hp`."""
    known = ENGLISH.additional | ENGLISH.counted | {"of"}
    return not base_forms(word.text).isdisjoint(known | ENGLISH.suffered) or word.text in reader.in_play.values()


def harm_as_deed(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield that somebody takes the harm that a sentence says: who is named, or at whom the last line was."""
    if told := told_harm(words, reader):
        who = [told.who] if told.who else [name for name in reader.scope.spoken_of() if name in reader.scope.beings][:1]
        yield from (f"{name} takes {told.number} {DAMAGE}" for name in who)


def harm_changes(
    words: Sequence[Word], said: Declaration, faces: Sequence[int], harm: HarmThrown | None, reader: Reader
) -> list[str]:
    """Return the faces with which the dice of a blow make the harm that a sentence says, as tokens."""
    told = told_harm(words, reader) if harm else None
    if (
        harm is None
        or told is None
        or told.is_more
        or not (told.who == "" or in_line(told.who) in format_declaration(said))
    ):
        return []
    ways = (with_more(faces, harm, told.number - total) for total in harm.totals)
    return [FACE + ".".join(map(str, way)) for way in ways if way and [*way] != [*faces]]
