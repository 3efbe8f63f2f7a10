"""The vocabulary of facts: frozen, plain, tagged by hand, and the same after it was stored."""

from __future__ import annotations

import inspect
import re
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect as shapes

from ledger import facts
from ledger.errors import Damaged, Unreadable
from ledger.facts import KINDS, UNFOLDED, BaseFact, Declared, EntryId, PointsSpent, Told, entry_id, tag
from ledger.records import EMPTY, GENESIS, Head, Record, Stored, decode, encode, head_of, link
from tests.ledger.strategies import record

TAGS = [
    "campaign-created",
    "declared",
    "session-opened",
    "words-added",
    "session-closed",
    "joined",
    "left",
    "sheet-changed",
    "rolled",
    "judged",
    "pool-set",
    "points-spent",
    "points-regained",
    "points-lost",
    "tokens-moved",
    "counted",
    "counts-cleared",
    "allowed",
    "action-spent",
    "wounded",
    "wound-changed",
    "condition-began",
    "condition-ended",
    "placed",
    "linked",
    "encounter-began",
    "order-set",
    "reached",
    "encounter-ended",
    "time-passed",
    "rested",
    "window-opened",
    "window-changed",
    "window-closed",
    "option-set",
    "ruled",
    "amended",
    "invalidated",
    "told",
    "claimed",
]
STRUCTS = [made for made in vars(facts).values() if isinstance(made, type) and issubclass(made, msgspec.Struct)]
VALUES = {
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    int: st.integers(-(10**9), 10**9),
    bool: st.booleans(),
    type(None): st.none(),
    msgspec.Raw: st.dictionaries(st.text("ab", max_size=2), st.integers() | st.text(max_size=3)).map(
        lambda value: msgspec.Raw(msgspec.json.encode({key: str(it) for key, it in value.items()}))
    ),
}


def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation, whatever Struct, tuple or union it is made of."""
    if hint in VALUES:
        return VALUES[hint]
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of(*map(any_of, get_args(hint)))
    if get_origin(hint) is tuple:
        first, *rest = get_args(hint)
        return (
            st.lists(any_of(first), max_size=3).map(tuple) if rest == [...] else st.tuples(*map(any_of, (first, *rest)))
        )
    return st.builds(hint, **{name: any_of(of) for name, of in get_type_hints(hint).items()})


# What every kind must be


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_a_fact_is_the_same_after_it_was_stored(kind):
    @given(any_of(kind))
    @settings(database=None)
    def survives(fact):
        made = record(1, facts=(fact,))
        body = encode(made)
        again = decode(Stored(1, body, ""))
        assert again == made
        assert type(again.facts[0]) is kind
        assert encode(again) == body

    survives()


def test_the_tags_are_those_written_down():
    assert [tag(kind) for kind in KINDS] == TAGS


def test_tags_are_unique_and_in_kebab_case():
    assert len(set(TAGS)) == len(TAGS)
    assert [name for name in TAGS if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []


def test_tags_are_typed_out_in_the_source():
    source = inspect.getsource(facts)
    assert [name for name in TAGS if f'tag="{name}"' not in source] == []


def test_every_kind_that_is_defined_is_part_of_the_vocabulary():
    assert set(BaseFact.__subclasses__()) == set(KINDS)
    assert set(UNFOLDED) <= set(KINDS)


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_class_is_frozen(kind):
    assert kind.__struct_config__.frozen


@pytest.mark.parametrize("kind", [*KINDS, facts.Die, facts.Step, facts.Sum, facts.Ends], ids=lambda kind: kind.__name__)
def test_every_field_is_given_by_name(kind):
    kinds = {field.kind for field in inspect.signature(kind).parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_unknown_fields_are_forbidden_and_nothing_is_left_out(kind):
    config = kind.__struct_config__
    assert (config.forbid_unknown_fields, config.omit_defaults, config.tag_field) == (True, False, "fact")


PLAIN = (
    shapes.StructType,
    shapes.VarTupleType,
    shapes.TupleType,
    shapes.UnionType,
    shapes.IntType,
    shapes.StrType,
    shapes.BoolType,
    shapes.NoneType,
    shapes.RawType,  # what was said, as the game's own JSON
)


def shapes_in(shape: shapes.Type) -> list[shapes.Type]:
    """This shape and all shapes inside it."""
    inside = [field.type for field in getattr(shape, "fields", ())]
    inside += getattr(shape, "types", ())
    item = getattr(shape, "item_type", None)
    inside += getattr(shape, "item_types", ()) or ([item] if item else [])
    return [shape, *(deeper for each in inside for deeper in shapes_in(each))]


@pytest.mark.parametrize("kind", [*KINDS, Record], ids=lambda kind: kind.__name__)
def test_a_fact_is_made_of_whole_numbers_texts_and_tuples_only(kind):
    assert [shape for shape in shapes_in(shapes.type_info(kind)) if not isinstance(shape, PLAIN)] == []


def test_the_walk_through_the_shapes_would_find_a_list_or_a_float():
    deep = msgspec.defstruct("Deep", [("one", tuple[tuple[int, list[float]], ...])])
    bad = [type(shape) for shape in shapes_in(shapes.type_info(deep)) if not isinstance(shape, PLAIN)]
    assert bad == [shapes.ListType, shapes.FloatType]


def test_a_fact_cannot_be_changed():
    with pytest.raises(AttributeError):
        PointsSpent(who="Ana", pool="points", points=1, now=2, because="tea").now = 3


# Storing


@pytest.mark.parametrize(
    "fact",
    [
        PointsSpent(who="Ana", pool="points", points="1", now=2, because="tea"),
        PointsSpent(who="Ana", pool="points", points=1.0, now=2, because="tea"),  # no floats
        PointsSpent(who="Ana", pool="points", points=True, now=2, because="tea"),
        PointsSpent(who="Ana\ud800", pool="points", points=1, now=2, because="tea"),  # a lone surrogate
        PointsSpent(who="Ana", pool="points", points=1, now=2, because=("tea",)),
        PointsSpent(who="Ana", pool="points", points=1, now=2, because="tea", rules=["list"]),  # equal bytes, not equal
        Told(kind="scene", by="gm", text="x" * (1 << 20)),  # too long
        Declared(by="Ana", said=msgspec.Raw(b'{} , "by": "Bo"'), line="", faces=None),  # smuggled field
        Declared(by="Ana", said=msgspec.Raw(b"{"), line="", faces=None),
        Declared(by="Ana", said=msgspec.Raw(b"{}"), line="", faces=(float("nan"),)),
        object(),
    ],
)
def test_what_would_not_survive_being_stored_is_refused(fact):
    with pytest.raises(Unreadable, match="0\\.0"):
        encode(record(1, facts=(fact,)))


BODY = encode(record(1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"by"', b'"bye"'),  # an unknown field
        (b'"points-spent"', b'"points-lent"'),  # an unknown kind
        (b'"take":1', b'"take":"1"'),
        (b'"take":1', b'"take":1.5'),
        (b'"position":1', b'"position":2'),
        (b'"v":1', b'"v":2'),  # a later format
        (b'"v":1', b'"v":' + b"9" * 5000),
        (b"Ana", b"\xff\xfe\xfd"),  # no UTF-8
        (b"{", b"[" * 50000),  # deep
        (b"}", b""),
    ],
)
def test_stored_bytes_that_are_no_record_are_damaged_and_say_where(old, new):
    assert old in BODY
    with pytest.raises(Damaged, match="position 1"):
        decode(Stored(1, BODY.replace(old, new), ""))


def test_the_first_bytes_are_those_written_down():
    assert BODY == (
        b'{"v":1,"position":1,"session":0,"number":0,"insert":0,"take":1,"cause":null,"request":null,"by":"Ana",'
        b'"at":"2026-01-01T20:00:00Z","seen":"table","facts":[{"fact":"points-spent","rules":[],"who":"Ana",'
        b'"pool":"points","points":1,"now":1,"because":"tea"}]}'
    )


def test_the_first_link_is_the_one_written_down():
    """SHA-256 of `campaign-ledger record v1`, 64 zeros and the body, by sha256sum."""
    assert link(EMPTY.hash, b"{}") == "9e5dd8d04cdfeda3fd7c1c0d1fe239085a3e4da028c72be5876ee1b031f6b7e3"
    assert link(link(EMPTY.hash, b"{}"), b"{}") != link(EMPTY.hash, b"{}")


# Ids


ids = st.builds(EntryId, session=st.integers(0, 999_999), number=st.integers(0, 999_999), insert=st.integers(0, 9999))


@given(ids)
def test_an_id_reads_as_it_is_written(id_):
    assert entry_id(str(id_)) == id_
    assert entry_id(f" {id_} ") == id_


@given(ids, ids)
def test_ids_sort_by_session_number_and_insert(one, two):
    assert (one < two) == ((one.session, one.number, one.insert) < (two.session, two.number, two.insert))


def test_an_entry_put_in_later_stands_behind_its_own_and_before_the_next():
    history = ["0.1", "1.0", "3.42", "3.42+1", "3.42+2", "3.43", "10.0"]
    assert [str(id_) for id_ in sorted(map(entry_id, reversed(history)))] == history


@pytest.mark.parametrize(
    "text",
    ["", "3", "3.", ".4", "3.4.5", "3,4", "-1.2", "3.+1", "3.4+", "3.4@1", "٣.٤", "1_0.2", "3.4\n5", "9999999.1"],
)
def test_what_is_no_id_is_refused(text):
    with pytest.raises(Unreadable, match="no entry"):
        entry_id(text)


# Heads


def test_a_head_reads_as_it_is_written():
    head = Head(17, "3f" * 32)
    assert head_of(str(head)) == head_of(f"  {str(head).upper()}\n") == head
    assert head_of(str(EMPTY)) == EMPTY == Head(0, GENESIS)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "17",
        f"17 {'3f' * 31}",
        f"17 {'zz' * 32}",
        f"-1 {'3f' * 32}",
        f"٣ {'3f' * 32}",
        f"{'9' * 5000} {'3f' * 32}",  # more digits than Python will read
        f"17  {'3f' * 32}",
    ],
)
def test_what_is_no_head_is_refused(line):
    with pytest.raises(Unreadable, match="no head"):
        head_of(line)
