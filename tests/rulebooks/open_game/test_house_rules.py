"""The house rules: what their file may say, where an error is, and that the ledger and not the file decides."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Refused, Unreadable
from ledger.facts import GM, SheetChanged, TokensMoved
from rulebooks.open_game.declarations import CreateCharacter, WriteRules
from rulebooks.open_game.house_rules import Degree, HouseRules, degree_of, house_rules, parse_degrees
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.open_game.seat import BOOK, NO_MOVES, Seat, cases

TEN = {"10+": "full", "7-9": "partial", "6-": "miss"}


def error_of(**content: Any) -> str:
    """Return the error of a file of house rules."""
    with pytest.raises(Unreadable) as error:
        BOOK.sheet({"sheet": "house", **content}, "house.toml")
    return str(error.value)


@pytest.mark.parametrize(
    ("number", "result"), [(-50, "miss"), (6, "miss"), (7, "partial"), (9, "partial"), (10, "full")]
)
def test_number_has_the_result_of_its_range(number: int, result: str) -> None:
    assert degree_of(number, parse_degrees("results", TEN)) == result


def test_ranges_below_nothing_are_read() -> None:
    degrees = parse_degrees("margins", {"0+": "success", "-9--1": "failure", "-10-": "fumble"})
    assert degrees[1] == Degree(result="failure", least=-9, most=-1)


@pytest.mark.parametrize(
    ("content", "where", "wrong"),
    [
        ({"results": {"10+": "full", "6-": "miss"}}, "results", "7 has no result"),
        ({"results": {"9+": "full", "0-9": "partial", "-1-": "miss"}}, "results", "partial and full overlap"),
        ({"results": {"ten": "full"}}, "results.ten", "no range of numbers"),
        ({"results": {"7-10": "full"}}, "results", "very low or very high"),
        ({"margins": {"9-7": "full"}}, "margins.9-7", "ends before it begins"),
        ({"dice": "2d"}, "dice", "not understood"),
        ({"dice": "d0"}, "dice", "2 to 1000"),
        ({"order": "d20+"}, "order", "not understood"),
        ({"zero": {"hp": "x\u0300\u0301!"}}, "zero.hp", "not a name"),
        ({"moves": {"rest": {"hp": "fill"}}}, "moves.rest.hp", "'fill' is no change"),
        ({"moves": {"rest": {"hp": -2}}}, "moves.rest.hp", "may mean to set it"),
        ({"moves": {"rest": {"hp": "-d1"}}}, "moves.rest.hp", "2 to 1000"),
        ({"moves": {"rest": {"on": {"full": {"hp": "full"}}}}}, "moves.rest.on.full.hp", "no roll has the result full"),
        ({"moves": {"rest": {"on": {"success": {"hp": "full"}}}}}, "moves.rest", "results and no roll"),
        ({"moves": {"rest": {"vs": 10}}}, "moves.rest", "results and no roll"),
        ({"moves": {"hit": {"roll": "d20", "vs": 3, "under": 4}}}, "moves.hit", "both vs and under"),
        ({"moves": {"rest": {"hp": {"deep": {"er": "full"}}}}}, "moves.rest.hp.deep.er", "says nothing"),
        ({"moves": {"re.st": {"hp": "full"}}}, "moves.re . st.hp", "not a name"),
        ({"moves": {"a" * 80: {"hp": "full"}}}, "not a name", "not a name"),
        ({"moves": {"rest": {"hp": True}}}, "moves", "house.toml"),
        ({"moves": {"rest": {"hp": 1.5}}}, "moves", "house.toml"),
        ({"moves": {str(n): {"hp": 1} for n in range(300)}}, "moves", "300 entries are too many"),
        ({"moves": {f"m{n}": {"a": 1, "b": 1, "c": 1} for n in range(150)}}, "moves", "450 entries are too many"),
        ({"name": "Our rules"}, "name", "no name of their own"),
        ({"dise": "d20"}, "dise", "house.toml"),
    ],
)
def test_error_names_the_key(content: dict[str, Any], where: str, wrong: str) -> None:
    found = error_of(**content)
    assert found.startswith("house.toml")
    assert where in found
    assert wrong in found


VALUES = st.one_of(st.integers(), st.text(max_size=8), st.booleans(), st.sampled_from(["full", "+1", "-2d6", "d20"]))
TREES = st.recursive(VALUES, lambda inside: st.dictionaries(st.text(max_size=6), inside, max_size=3), max_leaves=6)


@given(st.dictionaries(st.sampled_from(["dice", "order", "results", "margins", "zero", "moves"]), TREES))
def test_any_file_is_read_or_refused(content: dict[str, Any]) -> None:
    try:
        said = BOOK.sheet({"sheet": "house", **content}, "house.toml")
    except Unreadable:
        return
    assert isinstance(said, WriteRules)


def test_move_stays_within_counts_and_tokens() -> None:
    seat = Seat({"sheet": "house", "moves": {"toll": {"doom": "+4"}, "wager": {"luck": "-9"}}})
    assert [fact.change for _ in range(3) for fact in of_kind(seat.line("vera toll"), TokensMoved)] == [4, 2]
    assert [fact.now for fact in of_kind(seat.line("vera wager"), TokensMoved)] == [0]
    seat.check_closing()


def test_move_cannot_name_itself() -> None:
    """Nothing in a move calls a move: a value of its name is a value that nobody has."""
    seat = Seat({"sheet": "house", "moves": {"loop": {"roll": "d6+loop", "loop": "+1"}}})
    assert seat.code(seat.parse("vera loop")) == "VALUE"


def test_table_without_house_rules_rolls_what_it_says() -> None:
    seat = Seat(NO_MOVES)
    assert house_rules(seat.state) == HouseRules()
    seat.line("vera roll 2d6 vs 7", 3, 4)
    assert seat.code(seat.parse("vera dex")) == "MOVE"


def cast_again(seat: Seat, **content: Any) -> Any:
    """Cast the house rules again with these keys, as `campaign cast --because` does."""
    after = BOOK.sheet({**cases()["sheets"]["house"], **content}, "house.toml")
    before = BOOK.sheet(cases()["sheets"]["house"], "house.toml")
    return BOOK.sheet_edits(after, "a vote", before)


def test_changed_rules_hold_from_there_on() -> None:
    seat = Seat()
    seat.line("vera strike ghoul", 8, 1)
    moves = {**cases()["sheets"]["house"]["moves"], "strike": {"roll": "d20+str+2", "vs": "ac"}}
    record = seat.say(cast_again(seat, moves=moves))
    changed = {fact.key: fact.now for fact in of_kind(record, SheetChanged)}
    assert changed["moves.strike.roll"] == "d20+str+2"
    assert changed["moves.strike.on.success.target.hp"] is None
    assert seat.line("vera strike ghoul", 8).facts[-1].total == 12
    seat.check_closing()


def test_rules_cannot_be_written_twice_nor_changed_otherwise() -> None:
    seat = Seat()
    said = BOOK.sheet(cases()["sheets"]["house"], "house.toml")
    with pytest.raises(Refused, match="a name that nobody else has"):
        seat.ledger.declare(said, at=AT)
    with pytest.raises(Refused, match="change by campaign cast"):
        seat.ledger.declare(seat.parse('! ruling "so" "a vote" house-book.dice=3'), at=AT)
    with pytest.raises(Refused, match="which is that of the rules"):
        Seat(NO_MOVES).ledger.declare(CreateCharacter(by=GM, name="House Book"), at=AT)


def test_forged_rules_are_refused_not_read() -> None:
    """A declaration that no file made is held to the same rules."""
    seat = Seat(NO_MOVES)
    forged = WriteRules(by=GM, name="House book", moves=(("rest.hp", "fill"),))
    with pytest.raises(Refused, match=r"moves\.rest\.hp: 'fill' is no change"):
        seat.ledger.declare(forged, at=AT)
