"""The language of `when`: what is read, what is an error and where, and that the answers are those of the fold."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Unreadable
from ledger.facts import (
    GM,
    ConditionBegan,
    ConditionEnded,
    EntryId,
    Fact,
    Joined,
    OptionSet,
    PointsSpent,
    PoolSet,
    TokensMoved,
)
from projections.projection import StateProjection
from projections.query import holds, named, settled, stretches, written
from projections.query_parser import read
from projections.value_history import value_histories

KNOWN = ("doom", "encounter.phase", "kess.dazed", "kess.might", "orrin.might")
SHORT = {"k.m": "kess.might", "o.m": "orrin.might", "doo": "doom"}


class NoValue(Exception):
    pass


def meant(word: str) -> str:
    if word not in (*KNOWN, *SHORT):
        raise NoValue(word)
    return SHORT.get(word, word)


def question(text: str):
    return settled(read(text), meant, {name: name for name in KNOWN}.get)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("kess.might < 3", "kess.might < 3"),
        ("kess.might<3", "kess.might < 3"),
        ("k.m == -3", "kess.might = -3"),
        ("3 >= k.m", "3 >= kess.might"),
        ("doo>1", "doom > 1"),  # nothing else in it is a value, so the beginning of one is
        ("k.m != o.m", "kess.might != orrin.might"),
        ("encounter.phase = action", 'encounter.phase = "action"'),
        ("encounter.phase = doo", 'encounter.phase = "doo"'),
        ("encounter.phase = doom", "encounter.phase = doom"),  # a whole name
        ('encounter.phase = "doom"', 'encounter.phase = "doom"'),
        ('"a \\"b\\\\" = encounter.phase', '"a \\"b\\\\" = encounter.phase'),
        ("doom = 1 and doom = 2 or doom = 3", "doom = 1 and doom = 2 or doom = 3"),
        ("doom = 1 and (doom = 2 or doom = 3)", "doom = 1 and (doom = 2 or doom = 3)"),
        ("(doom = 1 and doom = 2) or doom = 3", "doom = 1 and doom = 2 or doom = 3"),
        ("not doom = 1 and doom = 2", "not doom = 1 and doom = 2"),
        ("not (doom = 1 and doom = 2)", "not (doom = 1 and doom = 2)"),
        ("NOT not ((doom = 1))", "not not doom = 1"),
        ("not " * 50 + "doom = 1", "not " * 50 + "doom = 1"),
    ],
)
def test_a_question_is_understood(text: str, understood: str) -> None:
    assert written(question(text)) == understood
    assert written(question(understood)) == understood


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: a value should stand here, but the question ends"),
        ("   ", "column 4: a value should stand"),
        ("doom", "column 5: a sign as < or = should stand here"),
        ("doom >", "column 7: a value, a number or a word"),
        ("doom > 1 doom < 3", "column 10: 'and', 'or' or the end should stand here, not 'doom'"),
        ("doom > 1 < 3", "column 10: 'and', 'or' or the end"),
        ("doom > 1)", "column 9: 'and', 'or' or the end"),
        ("(doom > 1", "column 10: ')' should stand here"),
        ("doom > 1 and", "column 13: a value"),
        ("and doom > 1", "column 1: a value should stand here, not 'and'"),
        ("doom > not", "column 8: a value, a number"),
        ("doom ! 1", "column 6: '!' means nothing"),
        ("doom = ! 1", "column 8: '!' means nothing"),
        ('doom = "a', "column 8: a quotation mark is not closed"),
        ('doom = "a\\"', "column 8: a quotation mark is not closed"),
        ("doom = 1000000001", "column 8: 1000000001 is beyond"),
        ("doom = 1.5", "column 8: '1.5' is not a whole number"),
        ("doom = " + "9" * 1000, "column 8: "),
        ("1 < 2", "column 3: no value is compared here"),
        ('"doom" = "doom"', "column 8: no value is compared here"),
        ("encounter.phase < action", "column 17: words are the same or not"),
        ("doom >= 1 or action > encounter.phase", "column 21: words are the same or not"),
        ("doom = \u202e1", "invisible or control character"),
        ("doom = 1\x00", "invisible or control character"),
        ("(" * 100_000, "100000 characters are too many"),
        ("(" * 900 + "doom = 1" + ")" * 900, "column 52: brackets and nots stand too deep"),
        ("not " * 52 + "doom = 1", "column 205: brackets and nots stand too deep"),
    ],
)
def test_what_is_no_question_is_an_error_with_its_column(text: str, error: str) -> None:
    with pytest.raises(Unreadable) as found:
        question(text)
    assert error in str(found.value)


@pytest.mark.parametrize("text", ["nobody.might < 3", "nobody < 3", "kess.might < nobody.might"])
def test_a_word_that_should_be_a_value_and_is_none_is_told(text: str) -> None:
    with pytest.raises(NoValue, match="nobody"):
        question(text)


def test_a_question_may_be_long_in_width() -> None:
    text = " or ".join(["doom = 1"] * 160)
    assert holds(question(text), {"doom": 1})
    assert named(question(text)) == ["doom"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("kess.might = 3", True),
        ("kess.might <= 3 and kess.might >= 3", True),
        ("kess.might < 3 or kess.might > 3 or kess.might != 3", False),
        ('kess.might = "3"', False),
        ('kess.might != "3"', True),  # a number is no word
        ("encounter.phase = ACTION", True),
        ("encounter.phase != action", False),
        ("encounter.phase < kess.might", False),
        ("encounter.phase = kess.might", False),
        # there is no orrin.might
        ("orrin.might = 0", False),
        ("orrin.might != 0", False),
        ("orrin.might = orrin.might", False),
        ("not orrin.might = 0", True),
        ("orrin.might != kess.might", False),
        ("kess.might != orrin.might", False),
    ],
)
def test_what_holds(text: str, answer: bool) -> None:
    assert holds(question(text), {"kess.might": 3, "encounter.phase": "Action", "orrin.might": None}) is answer


@pytest.mark.parametrize("word", ["take_cover", "take-cover", '"Take Cover"', "TAKE_COVER"])
def test_a_word_is_the_same_however_it_is_spelled(word: str) -> None:
    assert holds(question(f"encounter.phase = {word}"), {"encounter.phase": "take_cover"})
    assert not holds(question(f"encounter.phase != {word}"), {"encounter.phase": "take_cover"})
    assert not holds(question(f"encounter.phase = {word}"), {"encounter.phase": "takecover"})


# Against an answer worked out anew from all values after every entry

SIGNS: dict[str, Callable[[object, object], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
Model = Callable[[Mapping[str, object]], bool]
NUMBERS = ("doom", "kess.might", "kess.dazed")


def compared(name: str, sign: str, other: int | str) -> tuple[str, Model]:
    def model(values: Mapping[str, object]) -> bool:
        right = values.get(other) if isinstance(other, str) else other
        return name in values and right is not None and SIGNS[sign](values[name], right)

    return f"{name} {sign} {other}", model


def worded(sign: str, word: str) -> tuple[str, Model]:
    return (
        f"option.ties {sign} {word}",
        lambda values: "option.ties" in values and SIGNS[sign](values["option.ties"], word),
    )


def grown(parts: st.SearchStrategy[tuple[str, Model]]) -> st.SearchStrategy[tuple[str, Model]]:
    pairs = st.tuples(parts, parts)
    return (
        pairs.map(lambda two: (f"({two[0][0]}) and ({two[1][0]})", lambda v: two[0][1](v) and two[1][1](v)))
        | pairs.map(lambda two: (f"({two[0][0]}) or ({two[1][0]})", lambda v: two[0][1](v) or two[1][1](v)))
        | parts.map(lambda one: (f"not ({one[0]})", lambda v: not one[1](v)))
    )


COMPARED = st.builds(compared, st.sampled_from(NUMBERS), st.sampled_from(list(SIGNS)), st.integers(-1, 4)) | st.builds(
    compared, st.sampled_from(NUMBERS), st.sampled_from(list(SIGNS)), st.sampled_from(NUMBERS)
)
WORDED = st.builds(worded, st.sampled_from(["=", "!="]), st.sampled_from(["high", "low", "never"]))
QUESTIONS = st.recursive(COMPARED | WORDED, grown, max_leaves=4)
STEPS = st.one_of(
    st.tuples(st.just("doom"), st.integers(0, 3)),
    st.tuples(st.just("might"), st.integers(0, 3)),
    st.tuples(st.just("dazed"), st.integers(0, 2)),
    st.tuples(st.just("ties"), st.sampled_from(["high", "low"])),
)


class Playing:
    """Facts that add up, one step at a time."""

    def __init__(self) -> None:
        self.doom, self.might, self.dazed, self.ties = 0, 5, False, ""

    def fact(self, what: str, value: int | str) -> Fact:
        was = getattr(self, what)
        if what == "dazed":
            self.dazed = bool(value)
            if value:
                return ConditionBegan(id="dazed Kess", who="Kess", name="dazed", degree=int(value))
            return ConditionEnded(id="dazed Kess", who="Kess", name="dazed", because="due") if was else self.nothing()
        setattr(self, what, value)
        if what == "doom":
            return TokensMoved(who=GM, token="doom", change=value - was, now=value, most=None, because="Dusk")
        if what == "might":
            return PoolSet(who="Kess", pool="might", was=was, now=value, least=0, most=9)
        return OptionSet(name="ties", was=was or None, now=value, because="vote")

    def nothing(self) -> Fact:
        return PointsSpent(who="Kess", pool="might", points=0, now=self.might, because="nothing")


BEGINNING: tuple[Fact, ...] = (
    Joined(who="Kess", kind="pc", side="players", sheet=(), seen="table"),
    PoolSet(who="Kess", pool="might", was=0, now=5, least=0, most=9),
)


@given(
    asked=QUESTIONS,
    early=st.lists(st.tuples(st.just("doom"), st.integers(0, 3)), max_size=2),
    evening=st.lists(st.lists(STEPS, max_size=3), max_size=10),
    begin=st.integers(0, 12),
)
def test_the_stretches_are_those_of_all_values_worked_out_after_every_entry(asked, early, evening, begin) -> None:
    text, model = asked
    playing = Playing()
    before = [(playing.fact(*step),) for step in early]
    entries = [*before, BEGINNING, *(tuple(playing.fact(*step) for step in steps) for steps in evening)]
    story = [(EntryId(1, number), facts) for number, facts in enumerate(entries)]
    start = story[min(begin, len(story) - 1)][0]

    books = StateProjection()
    state, answers = books.empty(), []
    for id, facts in story:
        for fact in facts:
            books.step(state, id, fact)
        answers.append((id, id >= start and model(books.values(state))))
    turns = [(id, now) for (_, was), (id, now) in zip([(None, False), *answers], answers, strict=False) if was != now]
    begun = [id for id, now in turns if now]
    over = [*(id for id, now in turns if not now), None]

    known = {name: name for name in ("option.ties", *NUMBERS)}
    facts_of = ((id, number, fact) for id, facts in story for number, fact in enumerate(facts, 1))
    past = {name: [] for name in known} | value_histories(facts_of)
    asked = settled(read(text), known.__getitem__, known.get)
    found = stretches(asked, past, start)
    assert [(stretch.since, stretch.until) for stretch in found] == list(zip(begun, over, strict=False))
    again = settled(read(written(asked)), known.__getitem__, known.get)
    assert stretches(again, past, start) == found  # what is printed means the same
