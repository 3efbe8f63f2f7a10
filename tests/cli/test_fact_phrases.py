"""Every kind of fact has a phrase, in all its forms, and each rendering of it is English."""

from __future__ import annotations

import re
from typing import Any, get_args, get_origin

import msgspec
import pytest

from cli.phrases.fact_phrases import PHRASES, phrase_of
from cli.phrases.phrase import Phrase, clause, column, sentence
from cli.phrases.verbs import FORMS, PASTS, VERBS, conjugate
from ledger.facts import (
    KINDS,
    Amended,
    BaseFact,
    Hides,
    Invalidated,
    OptionSet,
    PointsLost,
    PointsSpent,
    PoolSet,
    Reached,
    Rested,
    Revealed,
    SheetChanged,
    TokensMoved,
    Withheld,
    WoundChanged,
    Wounded,
    tag,
)
from rulebooks.common.texts import Wording

RAW = re.compile(r"[_{}]|  |None|\(\)")
WORDING = Wording(rests={"deep": "{who} rests deeply"})


class Cursed(BaseFact, frozen=True, kw_only=True, tag="cursed"):
    """A kind that nobody has given a phrase."""

    hides = Hides(open="who")

    who: str


def value_for(name: str, kind: Any) -> Any:
    """Return some value for a field of this type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return example(kind)
    if kind is msgspec.Raw:
        return msgspec.Raw(b'{"say":"go"}')
    if origin is tuple:
        parts = arguments[:1] if arguments[-1:] == (...,) else arguments
        return tuple(value_for(name, part) for part in parts)
    if kind is bool:
        return True
    if kind is str:
        return {"who": "Vesna", "one": "Vesna", "other": "Ash", "by": "Ash", "kind": "light"}.get(name, "word")
    return 3 if origin is None or arguments[:1] == (int,) else value_for(name, arguments[0])


def example(kind: type[msgspec.Struct]) -> Any:
    """Return a fact of this kind, or a part of one, with a value in every field."""
    fields = msgspec.structs.fields(kind)
    return kind(**{field.name: value_for(field.name, field.type) for field in fields if field.name != "rules"})


def check_english(text: str) -> None:
    """Check that a text says something, and that nothing of the machine is left in it."""
    assert text.strip() == text != ""
    assert not RAW.search(text), text


def missing(kinds: tuple[type[BaseFact], ...]) -> set[str]:
    """Return the kinds without a phrase."""
    return {tag(kind) for kind in kinds} - {tag(kind) for kind in PHRASES}


def test_every_kind_has_a_phrase() -> None:
    assert missing((*KINDS, Withheld)) == set()
    assert missing((*KINDS, Cursed)) == {"cursed"}


def test_kind_without_a_phrase_cannot_be_told() -> None:
    with pytest.raises(KeyError):
        phrase_of(Cursed(who="Ash"), WORDING)


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_phrase_is_english_in_each_rendering(kind: type[BaseFact]) -> None:
    phrase = phrase_of(example(kind), WORDING)
    for text in (column(phrase), clause(phrase), clause(phrase, past=True), sentence(phrase)):
        check_english(text)


def test_verbs_of_the_table_have_their_forms() -> None:
    for verb in {*VERBS, *PASTS} - {*FORMS}:
        past = conjugate(verb, past=True)
        assert conjugate(verb).endswith("s"), verb
        assert past == PASTS.get(verb) or past.endswith("ed"), verb


@pytest.mark.parametrize(
    ("verb", "subject", "now", "then"),
    [
        ("take", "they", "take", "took"),
        ("be", "Kess", "is", "was"),
        ("be", "Kess and Sable", "are", "were"),
        ("carry on", "Kess", "carries on", "carried on"),
        ("have", "the Drowned and Krug", "have", "had"),
        ("pass", "1 hour", "passes", "passed"),
        ("pass", "1 hour 30 minutes", "pass", "passed"),
        ("drop", "Kess", "drops", "dropped"),
        ("play", "Kess", "plays", "played"),
        ("fix", "Kess", "fixes", "fixed"),
        ("enter", "Kess", "enters", "entered"),
        ("see", "the players", "see", "saw"),
    ],
)
def test_verb_agrees_with_its_subject(verb: str, subject: str, now: str, then: str) -> None:
    assert (conjugate(verb, subject), conjugate(verb, subject, past=True)) == (now, then)


SPENT = PointsSpent(who="Kess", pool="speed", points=3, now=11, because="Effort 1")
LOST = PointsLost(who="Kess", pool="health", points=3, now=5, because="cold_water", by="Sable", over=1)
ARM: dict[str, Any] = {"who": "Kess", "wound": "left arm", "kind": "light", "because": "a night's rest"}
CASES = [
    (SPENT, "Kess speed 14>11 (Effort 1)", "Kess's speed falls from 14 to 11 (Effort 1)"),
    (
        LOST,
        "Kess health 8>5 (cold water, by Sable, 1 over)",
        "Kess's health falls from 8 to 5 (cold water, by Sable, 1 over)",
    ),
    (PoolSet(who="Kess", pool="luck", was=0, now=3, least=0, most=3), "Kess luck 3", "Kess's luck is 3"),
    (
        TokensMoved(who="gm", token="Doom", change=1, now=2, most=None, because="Dusk"),
        "Doom 1>2 (Dusk)",
        "Doom rises from 1 to 2 (Dusk)",
    ),
    (
        SheetChanged(who="Kess", key="armor.physical", was=None, now=2, because=""),
        "Kess armor physical 2",
        "Kess's armor physical is 2",
    ),
    (
        OptionSet(name="passes", was=None, now="explicit", because="we like it"),
        "passes explicit (we like it)",
        "passes is explicit (we like it)",
    ),
    (
        Wounded(who="Kess", wound="1.4", kind="extreme", value=2, in_force=False),
        "Kess takes an extreme wound of 2 (not in force yet)",
        None,
    ),
    (Wounded(who="Kess", wound="1.4", kind="", value=2, in_force=True), "Kess takes 2 wounds", None),
    (
        WoundChanged(value=1, in_force=True, **ARM),
        "Kess's wound \"left arm\" is light 1, in force (a night's rest)",
        None,
    ),
    (WoundChanged(value=0, in_force=True, **ARM), "Kess's wound \"left arm\" has healed (a night's rest)", None),
    (Rested(who="Kess", rest="deep"), "Kess rests deeply", None),
    (Rested(who="Kess", rest="ten_hours", whole=False), "Kess rests (ten hours, broken off)", None),
    (Invalidated(code="X-1", what="Kess is dead"), "no longer possible: X-1", "no longer possible: X-1: Kess is dead"),
    (Revealed(who="Sable"), "the players see Sable from now on", None),
    (Reached(point="slot", round=2, phase="action", who="Kess"), "Kess's turn begins", None),
    (Amended(entry="1.4", outcome="undo", because="typo"), "takes back 1.4 (typo)", None),
]


@pytest.mark.parametrize(("fact", "in_column", "as_sentence"), CASES)
def test_fact_is_told(fact: BaseFact, in_column: str, as_sentence: str | None) -> None:
    phrase = phrase_of(fact, WORDING)
    assert (column(phrase), sentence(phrase)) == (in_column, as_sentence or in_column)


def test_own_number_has_no_name_in_a_column() -> None:
    assert column(phrase_of(LOST, WORDING), ("Kess", "Sable")) == "health 8>5 (cold water, 1 over)"


def test_sentence_in_the_past_has_its_verb_in_the_past() -> None:
    assert sentence(phrase_of(SPENT, WORDING), past=True) == "Kess's speed fell from 14 to 11 (Effort 1)"
    assert clause(Phrase(subject="Kess and Sable", verb="rest"), past=True) == "Kess and Sable rested"
