"""Facts, records and entry ids: their shape, their stored bytes, and what is refused."""

from __future__ import annotations

import gc
import inspect
import re
import types
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect as shapes

from ledger import facts
from ledger.errors import Damaged, Unreadable
from ledger.facts import (
    KINDS,
    UNFOLDED,
    BaseFact,
    Declared,
    EntryId,
    Hides,
    PointsSpent,
    Told,
    Withheld,
    parse_entry_id,
    tag,
)
from ledger.names import NUMBER_MOST
from ledger.records import EMPTY, GENESIS, Head, Record, StoredRecord, decode, encode, parse_head, record_hash
from tests.ledger.strategies import record

TAGS = [
    "campaign-created",
    "declared",
    "session-opened",
    "words-added",
    "chain-committed",
    "session-closed",
    "joined",
    "sheet-changed",
    "placed",
    "linked",
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
    "revealed",
    "claimed",
]
SOURCES = sorted(Path(facts.__file__).parent.glob("*.py"))
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
    hints = get_type_hints(hint)
    return st.builds(hint, **{name: any_of(of) for name, of in hints.items() if name != "hides"})


# The shape of every kind


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_fact_is_equal_after_storing(kind):
    @given(any_of(kind))
    @settings(database=None)
    def survives(fact):
        made = record(1, facts=(fact,))
        body = encode(made)
        again = decode(StoredRecord(1, body, None, ""))
        assert again == made
        assert type(again.facts[0]) is kind
        assert encode(again) == body

    survives()


def test_tags_are_these():
    assert [tag(kind) for kind in KINDS] == TAGS


def test_tags_are_unique_and_in_kebab_case():
    assert len(set(TAGS)) == len(TAGS)
    assert [name for name in TAGS if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []


def test_tags_are_typed_out_in_the_source():
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    assert [name for name in TAGS if f'tag="{name}"' not in source] == []


def test_every_defined_kind_is_in_kinds():
    defined = {kind for kind in BaseFact.__subclasses__() if not kind.__module__.startswith("tests.")}
    assert defined == {*KINDS, Withheld}
    assert set(UNFOLDED) <= set(KINDS)


def test_structs_are_frozen():
    assert [kind for kind in STRUCTS if not kind.__struct_config__.frozen] == []


def test_fields_are_keyword_only():
    for kind in [*KINDS, facts.Die, facts.Step, facts.Sum, facts.Ends]:
        kinds = {field.kind for field in inspect.signature(kind).parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}, kind


def test_unknown_fields_are_forbidden_defaults_are_stored():
    for kind in KINDS:
        config = kind.__struct_config__
        assert (config.forbid_unknown_fields, config.omit_defaults, config.tag_field) == (True, False, "fact"), kind


def test_fields_that_format_3_always_stores_are_these() -> None:
    """A later field is UNSET where it says nothing. Else the bytes of all older records would not be canonical."""
    kinds = {"record": Record, **{tag(kind): kind for kind in KINDS}}
    for line in (Path(__file__).parent / "stored_fields.txt").read_text("utf-8").splitlines():
        name, _, fields = line.partition(": ")
        stored = [field.name for field in msgspec.structs.fields(kinds[name]) if field.default is not msgspec.UNSET]
        assert stored == fields.split(), name


PLAIN = (
    shapes.StructType,
    shapes.VarTupleType,
    shapes.TupleType,
    shapes.UnionType,
    shapes.StrType,
    shapes.LiteralType,  # one of several texts
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


def is_plain(shape: shapes.Type) -> bool:
    """Whether this is text, a tuple, a truth value or a whole number with both bounds."""
    if isinstance(shape, shapes.IntType):
        return (shape.ge, shape.le) == (-NUMBER_MOST, NUMBER_MOST)
    return isinstance(shape, PLAIN)


def test_facts_have_bounded_integers_texts_and_tuples_only():
    for kind in [*KINDS, Record]:
        assert [shape for shape in shapes_in(shapes.type_info(kind)) if not is_plain(shape)] == [], kind


def test_shape_check_finds_lists_floats_and_plain_integers():
    deep = msgspec.defstruct("Deep", [("pairs", tuple[tuple[int, list[float]], ...])])
    bad = [type(shape) for shape in shapes_in(shapes.type_info(deep)) if not is_plain(shape)]
    assert bad == [shapes.IntType, shapes.ListType, shapes.FloatType]


def test_fact_is_immutable():
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
def test_encode_refuses_values_of_wrong_type(fact):
    with pytest.raises(Unreadable, match="0\\.0"):
        encode(record(1, facts=(fact,)))


FIRST = "b108204b3d1c58524939450e45ad0168123fba0d54fee3c152eee0491c821e46"
BODY = encode(record(1))


def test_record_of_a_later_format_is_said_to_be_one():
    later = BODY.replace(b'"v":3', b'"v":5').replace(b'"by"', b'"whom"')
    with pytest.raises(Damaged, match="the ledger has format 5"):
        decode(StoredRecord(1, later, None, ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"by"', b'"bye"'),  # an unknown field
        (b'"points-spent"', b'"points-lent"'),  # an unknown kind
        (b'"take":1', b'"take":"1"'),
        (b'"take":1', b'"take":1.5'),
        (b'"position":1', b'"position":2'),
        (b'"v":3', b'"v":5'),  # a later format
        (b'"v":3', b'"v":2'),  # an earlier format
        (b'"v":3', b'"v":' + b"9" * 5000),
        (b"Ana", b"\xff\xfe\xfd"),  # no UTF-8
        (b"{", b"[" * 50000),  # deep
        (b"}", b""),
    ],
)
def test_decode_of_bad_bytes_raises_damaged_with_position(old, new):
    assert old in BODY
    with pytest.raises(Damaged, match="position 1"):
        decode(StoredRecord(1, BODY.replace(old, new), None, ""))


def test_bytes_of_a_record_are_these():
    assert BODY == (
        b'{"v":3,"position":1,"session":0,"number":0,"insert":0,"take":1,"cause":null,"request":null,"by":"Ana",'
        b'"holder":"","door":"","at":"2026-01-01T20:00:00Z","seen":"table","facts":[{"fact":"points-spent","rules":[],"who":"Ana",'
        b'"pool":"points","points":1,"now":1,"because":"tea"}]}'
    )


def test_hash_of_the_first_record_is_this():
    """SHA-256 of `campaign-ledger record v3`, 64 zeros and the hash of what everybody sees, by sha256sum."""
    assert record_hash(EMPTY.hash, StoredRecord(1, b"{}", None, "").leaf) == FIRST


def test_hash_of_a_sealed_record_is_this():
    """The same after the first record, with the hash of the salt and the whole behind the other, by sha256sum."""
    sealed = StoredRecord(2, b"{}", b"ab" * 16 + b'{"x":1}', "")
    assert record_hash(FIRST, sealed.leaf) == "d74c4ee4d015cccc7303377180463968c5e196164feb7226e9e5891aaccf12be"
    alone = StoredRecord(
        2, b"{}", None, "", sealed_hash="e1a6e74f321dcbab57c83609e60d3470ef0594dfc0e21bfcecc2b2bc1b848faa"
    )
    assert (alone.leaf, alone.body, sealed.body) == (sealed.leaf, b"{}", b'{"x":1}')


# Ids


ids = st.builds(EntryId, session=st.integers(0, 999_999), number=st.integers(0, 999_999), insert=st.integers(0, 9999))


@given(ids)
def test_entry_id_survives_formatting_and_parsing(id_):
    assert parse_entry_id(str(id_)) == id_
    assert parse_entry_id(f" {id_} ") == id_


@given(ids, ids)
def test_entry_ids_sort_by_session_number_and_insert(one, two):
    assert (one < two) == ((one.session, one.number, one.insert) < (two.session, two.number, two.insert))


def test_inserted_entry_sorts_between_its_neighbours():
    history = ["0.1", "1.0", "3.42", "3.42+1", "3.42+2", "3.43", "10.0"]
    assert [str(id_) for id_ in sorted(map(parse_entry_id, reversed(history)))] == history


@pytest.mark.parametrize(
    "text",
    ["", "3", "3.", ".4", "3.4.5", "3,4", "-1.2", "3.+1", "3.4+", "3.4@1", "٣.٤", "1_0.2", "3.4\n5", "9999999.1"],
)
def test_malformed_entry_id_is_refused(text):
    with pytest.raises(Unreadable, match="not an entry id"):
        parse_entry_id(text)


# Heads


def test_head_survives_formatting_and_parsing():
    head = Head(17, "3f" * 32)
    assert parse_head(str(head)) == parse_head(f"  {str(head).upper()}\n") == head
    assert parse_head(str(EMPTY)) == EMPTY == Head(0, GENESIS)


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
def test_malformed_head_is_refused(line):
    with pytest.raises(Unreadable, match="not a head"):
        parse_head(line)


# What a kind hides from the players


@pytest.mark.slow
def test_kind_that_hides_nothing_by_word_is_no_kind() -> None:
    with pytest.raises(TypeError, match="Cursed does not say what it hides"):

        class Cursed(BaseFact, frozen=True, kw_only=True, tag="cursed"):
            who: str
            points: int

    gc.collect(1)  # the class that was refused is no subclass any more


@pytest.mark.parametrize(
    ("hides", "words"),
    [
        (Hides(open="who"), "look at points"),
        (Hides(open="who points curse"), "look at curse"),
        (Hides(open="who points", always="points"), "look at points"),
        (Hides(open="points", own="who"), "an open field as the owner of who"),
        (Hides(owner="who", open="points", own="who"), "an open field as the owner of who"),
    ],
)
def test_kind_names_each_field_once(hides: Hides, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        hides.check("Cursed", ["who", "points"])


def test_owner_is_a_name() -> None:
    owned = [kind for kind in KINDS if kind.hides.owner]
    assert owned
    assert [kind for kind in owned if kind.__annotations__[kind.hides.owner] is not str] == []
