"""Questions of `when`: parsing, errors with their column, and answers that agree with the fold."""

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
from projections.query import format_question, is_true, resolve, stretches, value_names
from projections.query_parser import parse_question
from projections.value_history import value_histories

KNOWN = ("doom", "encounter.phase", "kess.dazed", "kess.might", "orrin.might")
SHORT = {"k.m": "kess.might", "o.m": "orrin.might", "doo": "doom"}


class UnknownValueError(Exception):
    pass


def find(word: str) -> str:
    if word not in (*KNOWN, *SHORT):
        raise UnknownValueError(word)
    return SHORT.get(word, word)


def question(text: str):
    return resolve(parse_question(text), find, {name: name for name in KNOWN}.get)


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_question_is_formatted_with_full_names(text: str, expected: str) -> None:
    assert format_question(question(text)) == expected
    assert format_question(question(expected)) == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: expected a value, but the question ends"),
        ("   ", "column 4: expected a value"),
        ("doom", "column 5: expected a sign such as < or ="),
        ("doom >", "column 7: expected a value, a number or a word"),
        ("doom > 1 doom < 3", "column 10: expected 'and', 'or' or the end, not 'doom'"),
        ("doom > 1 < 3", "column 10: expected 'and', 'or' or the end"),
        ("doom > 1)", "column 9: expected 'and', 'or' or the end"),
        ("(doom > 1", "column 10: expected ')'"),
        ("doom > 1 and", "column 13: expected a value"),
        ("and doom > 1", "column 1: expected a value, not 'and'"),
        ("doom > not", "column 8: expected a value, a number"),
        ("doom ! 1", "column 6: '!' is not part of"),
        ("doom = ! 1", "column 8: '!' is not part of"),
        ('doom = "a', "column 8: a quotation mark is not closed"),
        ('doom = "a\\"', "column 8: a quotation mark is not closed"),
        ("doom = 1000000001", "column 8: 1000000001 is beyond"),
        ("doom = 1.5", "column 8: '1.5' is not a whole number"),
        ("doom = " + "9" * 1000, "column 8: "),
        ("1 < 2", "column 3: the comparison has no value"),
        ('"doom" = "doom"', "column 8: the comparison has no value"),
        ("encounter.phase < action", "column 17: words have no order"),
        ("doom >= 1 or action > encounter.phase", "column 21: words have no order"),
        ("doom = \u202e1", "invisible or control character"),
        ("doom = 1\x00", "invisible or control character"),
        ("(" * 100_000, "100000 characters are too many"),
        ("(" * 900 + "doom = 1" + ")" * 900, "column 52: brackets and nots are nested too deeply"),
        ("not " * 52 + "doom = 1", "column 205: brackets and nots are nested too deeply"),
    ],
)
def test_malformed_question_is_an_error_with_its_column(text: str, error: str) -> None:
    with pytest.raises(Unreadable) as found:
        question(text)
    assert error in str(found.value)


@pytest.mark.parametrize("text", ["nobody.might < 3", "nobody < 3", "kess.might < nobody.might"])
def test_unknown_value_raises_the_error_of_find(text: str) -> None:
    with pytest.raises(UnknownValueError, match="nobody"):
        question(text)


def test_question_may_have_many_parts() -> None:
    text = " or ".join(["doom = 1"] * 160)
    assert is_true(question(text), {"doom": 1})
    assert value_names(question(text)) == ["doom"]


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
def test_answer_of_a_question(text: str, answer: bool) -> None:
    assert is_true(question(text), {"kess.might": 3, "encounter.phase": "Action", "orrin.might": None}) is answer


@pytest.mark.parametrize("word", ["take_cover", "take-cover", '"Take Cover"', "TAKE_COVER"])
def test_words_are_equal_in_every_spelling(word: str) -> None:
    assert is_true(question(f"encounter.phase = {word}"), {"encounter.phase": "take_cover"})
    assert not is_true(question(f"encounter.phase != {word}"), {"encounter.phase": "take_cover"})
    assert not is_true(question(f"encounter.phase = {word}"), {"encounter.phase": "takecover"})


# Stretches comparison with the values after every entry

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


def comparison(name: str, sign: str, other: int | str) -> tuple[str, Model]:
    def model(values: Mapping[str, object]) -> bool:
        right = values.get(other) if isinstance(other, str) else other
        return name in values and right is not None and SIGNS[sign](values[name], right)

    return f"{name} {sign} {other}", model


def word_comparison(sign: str, word: str) -> tuple[str, Model]:
    return (
        f"option.ties {sign} {word}",
        lambda values: "option.ties" in values and SIGNS[sign](values["option.ties"], word),
    )


def combinations(parts: st.SearchStrategy[tuple[str, Model]]) -> st.SearchStrategy[tuple[str, Model]]:
    pairs = st.tuples(parts, parts)
    return (
        pairs.map(lambda two: (f"({two[0][0]}) and ({two[1][0]})", lambda v: two[0][1](v) and two[1][1](v)))
        | pairs.map(lambda two: (f"({two[0][0]}) or ({two[1][0]})", lambda v: two[0][1](v) or two[1][1](v)))
        | parts.map(lambda one: (f"not ({one[0]})", lambda v: not one[1](v)))
    )


SIGN = st.sampled_from(list(SIGNS))
COMPARISONS = st.builds(comparison, st.sampled_from(NUMBERS), SIGN, st.integers(-1, 4) | st.sampled_from(NUMBERS))
WORD_COMPARISONS = st.builds(word_comparison, st.sampled_from(["=", "!="]), st.sampled_from(["high", "low", "never"]))
QUESTIONS = st.recursive(COMPARISONS | WORD_COMPARISONS, combinations, max_leaves=4)
STEPS = st.one_of(
    st.tuples(st.just("doom"), st.integers(0, 3)),
    st.tuples(st.just("might"), st.integers(0, 3)),
    st.tuples(st.just("dazed"), st.integers(0, 2)),
    st.tuples(st.just("ties"), st.sampled_from(["high", "low"])),
)


class Facts:
    """Makes facts that add up, one step at a time."""

    def __init__(self) -> None:
        self.doom, self.might, self.dazed, self.ties = 0, 5, False, ""

    def next(self, what: str, value: int | str) -> Fact:
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
def test_stretches_agree_with_values_after_every_entry(asked, early, evening, begin) -> None:
    text, model = asked
    facts = Facts()
    before = [(facts.next(*step),) for step in early]
    entries = [*before, BEGINNING, *(tuple(facts.next(*step) for step in steps) for steps in evening)]
    story = [(EntryId(1, number), entry) for number, entry in enumerate(entries)]
    start = story[min(begin, len(story) - 1)][0]

    projection = StateProjection()
    state, answers = projection.empty(), []
    for id, entry in story:
        for fact in entry:
            projection.step(state, id, fact)
        answers.append((id, id >= start and model(projection.values(state))))
    turns = [(id, now) for (_, was), (id, now) in zip([(None, False), *answers], answers, strict=False) if was != now]
    since = [id for id, now in turns if now]
    until = [*(id for id, now in turns if not now), None]

    known = {name: name for name in ("option.ties", *NUMBERS)}
    numbered = ((id, number, fact) for id, entry in story for number, fact in enumerate(entry, 1))
    histories = {name: [] for name in known} | value_histories(numbered)
    question = resolve(parse_question(text), known.__getitem__, known.get)
    found = stretches(question, histories, start)
    assert [(stretch.since, stretch.until) for stretch in found] == list(zip(since, until, strict=False))
    formatted = resolve(parse_question(format_question(question)), known.__getitem__, known.get)
    assert stretches(formatted, histories, start) == found
