"""Test the patches of a page's data: applied to the version before, they make the next."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from cli.web.patches import patch_operations

TEXTS = st.text("ab", max_size=2) | st.builds(
    lambda start, end: start + 300 * "a" + end, st.text("ab"), st.text("ab🎲")
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)


def applied(data: Any, operations: Any) -> Any:
    """Return the data after the operations, as page.js applies them."""
    data = copy.deepcopy(data)
    for path, *change in operations:
        holder: Any = {"": data}
        *steps, last = ("", *path)
        for step in steps:
            holder = holder[step]
        if not change:
            del holder[last]
        elif len(change) == 1:
            holder[last] = change[0]
        else:
            start, removed, items = change
            holder[last] = holder[last][:start] + items + holder[last][start + removed :]
    return data


@given(OBJECTS, OBJECTS)
@example({"a": [1, 2, 3]}, {"a": [1, 2, 2, 3]})
@example({"a": "a" * 300}, {"a": "a" * 301})
@example({"a": [1, 1, 1]}, {"a": [1, 1]})
def test_patch_makes_the_next_version(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert applied(before, patch_operations(before, after)) == after


def test_append_is_one_short_operation() -> None:
    before = {"steps": [{"n": n} for n in range(400)], "lines": [{"name": "doom", "points": [1, 2]}]}
    after = copy.deepcopy(before)
    after["steps"].append({"n": 400})
    after["lines"][0]["points"].append(3)
    expected = [(("steps",), 400, 0, [{"n": 400}]), (("lines", 0, "points"), 2, 0, [3])]
    assert list(patch_operations(before, after)) == expected


def test_of_a_long_text_the_changed_stretch_is_sent() -> None:
    before, after = "a" * 300 + "bc" + "d" * 300, "a" * 300 + "xyz" + "d" * 300
    assert list(patch_operations({"html": before}, {"html": after})) == [(("html",), 300, 2, "xyz")]


def test_text_with_letters_of_two_units_is_sent_whole() -> None:
    """A browser counts a die (U+1F3B2) as two letters."""
    after = "\U0001f3b2" + "a" * 301
    assert list(patch_operations({"html": "a" * 300}, {"html": after})) == [(("html",), after)]


def test_same_data_needs_no_operation() -> None:
    assert list(patch_operations({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]})) == []
