"""Dice: known faces, an independent implementation, fairness, and the classes of one protocol."""

from __future__ import annotations

import hmac
import shutil
import subprocess
import traceback
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.dice import (
    MAX_SIDES,
    WORD_VALUES,
    Dice,
    RecordedDice,
    SeededDice,
    TypedDice,
    commitment,
    face,
    fixed_seed,
    join_lines,
    keyed_digest,
    session_key,
)
from ledger.enumeration import EnumeratedDice, Throw
from ledger.errors import BadFaces, NeverDrawn

LEDGER = "6b" * 16
SEED = bytes(range(32))
WORDS = [("Ana", "brass kettle"), ("Bo", "é🎲")]
KEY = bytes.fromhex("e192e3f0b2bcacdd8082ec3919267545f294ba7796abb89af408b9d8492d2f79")
COMMITMENT = "a3873e848ad37c20d687a48d6ac933852f284631f1c119c0fe5b447842c297ec"
VECTORS = [
    # purpose, throw, ordinal, sides, digest, face
    ("task Ana", 1, 0, 12, "ded0bb8b2c840bd50f5e3b74bedce45a25d35c03d1cf057c16a66df8e35c82b0", 4),
    ("task Ana", 1, 1, 12, "67ef81dc9ee62c72faa0457e828e04b65295659436b3027c7438a0c697e78b37", 5),  # next ordinal
    ("damage r3", 1, 0, 6, "ed72c2eadc2b0ee9328fcc1145c771472df5b2e34f2a52a9371b2358ec5226c3", 3),
    ("höhe Bo", 12, 0, 20, "da90828c2bbad3641d0357a8bd87df7208ed275939a37dec317cd03d63e86970", 13),  # UTF-8
    ("percent", 3, 0, 100, "6685525d2d06d316622d530340ff70860ebef45f9ac168aae633aa57d432e56c", 6),
]
REJECTED = "fffe3d530d85dcc5c122ce5b6a254ea00599b1221233d66d4b3989b4ab43f9f4"  # its first word is past the fair range

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


def openssl(*options: str, message: bytes) -> str:
    done = subprocess.run(
        ["openssl", "dgst", "-sha256", "-r", *options], input=message, capture_output=True, check=True
    )
    return done.stdout.decode().split()[0]


# Known answers


def test_the_commitment_is_the_one_written_down():
    assert commitment(LEDGER, 1, SEED) == COMMITMENT


def test_the_key_is_the_one_written_down():
    assert session_key(SEED, LEDGER, 1, WORDS) == KEY


@pytest.mark.parametrize(
    ("ledger", "session", "words"),
    [
        ("6c" * 16, 1, WORDS),
        (LEDGER, 2, WORDS),
        (LEDGER, 1, WORDS[:1]),
        (LEDGER, 1, WORDS[::-1]),  # the order in which they were added counts
        (LEDGER, 1, []),
        (LEDGER, 1, [("Ana: brass", "kettle"), WORDS[1]]),  # where the name ends
    ],
)
def test_the_key_depends_on_ledger_session_and_every_word(ledger, session, words):
    assert session_key(SEED, ledger, session, words) != KEY


@pytest.mark.parametrize(("purpose", "throw", "ordinal", "sides", "digest", "shown"), VECTORS)
def test_a_face_is_the_one_written_down(purpose, throw, ordinal, sides, digest, shown):
    assert face(KEY, purpose, throw, ordinal, sides) == shown
    assert int(digest[:8], 16) % sides + 1 == shown


def test_a_word_past_the_fair_range_is_passed_over():
    fair = WORD_VALUES - WORD_VALUES % MAX_SIDES
    assert int(REJECTED[:8], 16) >= fair > int(REJECTED[8:16], 16)
    assert face(KEY, "wide 1723", 1, 0, MAX_SIDES) == int(REJECTED[8:16], 16) % MAX_SIDES + 1 == 876614


def test_a_seed_given_as_text_is_the_hash_of_that_text():
    assert fixed_seed("dusk").hex() == "be89f924beaa540109358c7b81da9f3dcb38e314798fc68ec1ae7e4b3fd19020"


@needs_openssl
def test_openssl_gives_the_same_commitment():
    message = f"campaign-ledger commit v2\n{LEDGER}\n1\n{SEED.hex()}".encode()
    assert openssl(message=message) == COMMITMENT


@needs_openssl
def test_openssl_gives_the_same_key():
    message = f"campaign-ledger key v2\n{LEDGER}\n1\n3 Ana\n12 brass kettle\n2 Bo\n6 é🎲".encode()
    assert openssl("-mac", "HMAC", "-macopt", f"hexkey:{SEED.hex()}", message=message) == KEY.hex()


@needs_openssl
@pytest.mark.parametrize(
    ("purpose", "throw", "ordinal", "sides", "digest"),
    [*(row[:5] for row in VECTORS), ("wide 1723", 1, 0, MAX_SIDES, REJECTED)],
)
def test_openssl_gives_the_same_digest(purpose, throw, ordinal, sides, digest):
    message = f"campaign-ledger die v2\n{purpose}\n{throw}\n{ordinal}\n{sides}".encode()
    assert openssl("-mac", "HMAC", "-macopt", f"hexkey:{KEY.hex()}", message=message) == digest


# Rejection


def hash_that_gives(monkeypatch, *digests):
    """Replace HMAC by these digests; return the hashed messages."""
    asked, left = [], list(digests)

    def answer(key, message):
        asked.append(message)
        return left.pop(0)

    monkeypatch.setattr("ledger.dice.keyed_digest", answer)
    return asked


def words(*numbers):
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def test_the_last_fair_word_counts_and_the_next_does_not(monkeypatch):
    fair = WORD_VALUES - WORD_VALUES % 6
    hash_that_gives(monkeypatch, words(fair, fair - 1, *[0] * 6))
    assert face(KEY, "task", 1, 0, 6) == 6


def test_with_two_sides_every_word_counts(monkeypatch):
    hash_that_gives(monkeypatch, words(WORD_VALUES - 1, *[0] * 7))
    assert face(KEY, "task", 1, 0, 2) == 2


def test_when_no_word_counts_the_message_gets_one_more_line_again(monkeypatch):
    unfair = words(*[WORD_VALUES - 1] * 8)
    asked = hash_that_gives(monkeypatch, unfair, unfair, words(*[WORD_VALUES - 1] * 7, 4))
    assert face(KEY, "task", 1, 0, 6) == 5
    first = join_lines("campaign-ledger die v2", "task", "1", "0", "6")
    assert asked == [first, first + b"\nagain", first + b"\nagain\nagain"]


@pytest.mark.parametrize("length", [1, 32, 64, 100])
def test_a_keyed_digest_is_that_of_the_standard_library(length):
    key = bytes(range(length))
    for message in (b"", b"task Kess", b"x" * 200):
        assert keyed_digest(key, message) == hmac.digest(key, message, "sha256")


@pytest.mark.parametrize("sides", [0, -6, MAX_SIDES + 1, WORD_VALUES - 1])
def test_a_die_has_one_to_a_million_sides(sides):
    with pytest.raises(BadFaces, match="no die has"):
        face(KEY, "task", 1, 0, sides)


@pytest.mark.parametrize("sides", [1, 2, MAX_SIDES])
def test_the_outermost_dice_show_a_face_of_theirs(sides):
    assert 1 <= face(KEY, "task", 1, 0, sides) <= sides


# Fairness: critical values of chi-square at p = 0.001


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "critical"),
    [
        (6, 20.515),  # 5 degrees of freedom
        (10, 27.877),  # 9
        (12, 31.264),  # 11
        (20, 43.820),  # 19
    ],
)
def test_a_hundred_thousand_faces_are_even(sides, critical):
    thrown = 100_000
    counts = Counter(SeededDice(KEY).throw("even", *[sides] * thrown))
    expected = thrown / sides
    assert set(counts) == set(range(1, sides + 1))
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < critical


# No stream: each die is keyed on its own


@given(st.integers(0, 6), st.integers(1, 6), st.sampled_from([2, 6, 12, 20, 100]))
def test_a_die_does_not_move_when_others_are_added(before, more, sides):
    dice = SeededDice(KEY)
    alone = dice.throw("task Ana", sides)
    assert dice.throw("task Ana", sides, *[6] * more)[:1] == alone
    assert [dice.throw(f"other {n}", 6) for n in range(before)] == [
        SeededDice(KEY).throw(f"other {n}", 6) for n in range(before)
    ]
    assert dice.throw("task Ana", sides) == alone


@pytest.mark.parametrize(("throw", "purpose"), [(2, "task Ana"), (1, "task Bo"), (1, "task Ana again")])
def test_another_throw_or_purpose_has_other_dice(throw, purpose):
    twenty = [1_000_000] * 20
    assert SeededDice(KEY, lambda _: throw).throw(purpose, *twenty) != SeededDice(KEY).throw("task Ana", *twenty)


def test_seeded_dice_number_each_purpose_once():
    numbers = iter([3, 1])
    dice = SeededDice(KEY, lambda _: next(numbers))
    faces = [dice.throw("task Ana", 12), dice.throw("task Bo", 12), dice.throw("task Ana", 12)]
    assert dice.throws == {"task Ana": 3, "task Bo": 1}
    assert faces[0] == faces[2] == (face(KEY, "task Ana", 3, 0, 12),)


# One protocol

KINDS = [
    pytest.param(lambda: SeededDice(KEY), "seed", id="seeded"),
    pytest.param(lambda: TypedDice([3, 5, 2]), "table", id="typed"),
    pytest.param(lambda: RecordedDice({"task": [(12, 3), (12, 5)], "more": [(6, 2)]}, "seed"), "seed", id="recorded"),
    pytest.param(lambda: EnumeratedDice([Throw((12, 12), (3, 5)), Throw((6,), (2,))]), "odds", id="enumerated"),
]


@pytest.mark.parametrize(("make", "source"), KINDS)
def test_every_kind_of_dice_obeys_one_protocol(make, source):
    dice: Dice = make()
    dice.expect(12, 12, 6)
    first, more = dice.throw("task", 12, 12), dice.throw("more", 6)
    assert dice.source == source
    assert [type(shown) for shown in (*first, *more)] == [int] * 3
    assert (1, 1, 1) <= (*first, *more) <= (12, 12, 6)
    assert isinstance(first, tuple)
    assert dice.throw("none") == ()


@pytest.mark.parametrize(("make", "source"), KINDS)
def test_asking_twice_gives_the_same_faces(make, source):
    dice: Dice = make()
    first, more = dice.throw("task", 12, 12), dice.throw("more", 6)
    assert (dice.throw("more", 6), dice.throw("task", 12, 12)) == (more, first)


# Typed in


def test_typed_faces_are_shown_in_the_order_of_the_questions():
    dice = TypedDice([7, 6, 3])
    assert (dice.throw("task", 12, 12), dice.used_faces, dice.throw("damage", 6), dice.used_faces) == (
        (7, 6),
        (7, 6),
        (3,),
        (7, 6, 3),
    )


@pytest.mark.parametrize(
    ("typed", "sides"),
    [
        ([13], (12,)),
        ([0], (12,)),
        ([-1], (12,)),
        ([True], (12,)),  # a bool is an int to Python
        ([1.0], (12,)),
        (["3"], (12,)),
        ([6, 7], (6, 6)),  # the second does not fit
    ],
)
def test_a_face_that_the_die_does_not_have_is_refused(typed, sides):
    with pytest.raises(BadFaces, match="cannot show") as caught:
        TypedDice(typed).throw("task Ana", *sides)
    assert caught.value.purpose == "task Ana"
    assert TypedDice([]).used_faces == ()


@pytest.mark.parametrize(("typed", "missing"), [([], 12), ([7], 6)])
def test_a_missing_face_is_asked_for_by_purpose(typed, missing):
    with pytest.raises(BadFaces, match="task Ana: 2 dice are rolled") as caught:
        TypedDice(typed).throw("task Ana", 12, 6)
    assert (caught.value.purpose, caught.value.sides) == ("task Ana", missing)


def test_a_throw_that_is_refused_uses_no_face():
    dice = TypedDice([7, 3])
    with pytest.raises(BadFaces):
        dice.throw("damage", 6)
    assert dice.used_faces == ()
    assert dice.throw("task", 12) == (7,)


@pytest.mark.parametrize(
    ("typed", "sides"),
    [
        ([7], (12, 12)),  # too few
        ([7, 6, 1], (12, 12)),  # too many
        ([7], ()),
        ([7, 13], (12, 12)),
    ],
)
def test_impossible_faces_are_refused_when_dice_are_expected(typed, sides):
    with pytest.raises(BadFaces):
        TypedDice(typed).expect(*sides)


# Recorded


@pytest.mark.parametrize(
    ("purpose", "sides"),
    [
        ("other", (12,)),
        ("task", (12, 12, 12)),  # one more than was thrown
        ("task", (6,)),  # another die
        ("task", (12, 6)),
    ],
)
def test_recorded_dice_show_no_undrawn_face(purpose, sides):
    with pytest.raises(NeverDrawn, match="never drawn") as caught:
        RecordedDice({"task": [(12, 3), (12, 5)]}, "seed").throw(purpose, *sides)
    assert (caught.value.purpose, caught.value.sides) == (purpose, sides)


def test_recorded_dice_may_be_asked_for_fewer():
    assert RecordedDice({"task": [(12, 3), (12, 5)]}, "table").throw("task", 12) == (3,)


def test_typed_faces_that_no_die_has_shown_are_refused():
    dice = TypedDice([3, 4])
    dice.throw("task", 6)
    with pytest.raises(BadFaces, match="2 faces for 1 die"):
        dice.check_all_used()
    dice.throw("more", 6)
    dice.check_all_used()


# The key is not shown


def shown_of(dice):
    try:
        dice.throw("task", 0)
    except BadFaces:
        told = traceback.format_exc()
    try:
        told += str(vars(dice))
    except TypeError as error:  # slots: there is no dict to show
        told += str(error)
    return " ".join([repr(dice), str(dice), f"{dice}", "%s" % (dice,), repr([dice]), told])  # noqa: UP031 - every way of printing is tried


def test_seeded_dice_never_show_their_key():
    shown = shown_of(SeededDice(KEY))
    assert not [form for form in (KEY.hex(), repr(KEY)[2:-1], str(list(KEY))[1:-1]) if form in shown]


def test_seeded_dice_are_not_compared_by_key():
    assert SeededDice(KEY) != SeededDice(KEY)
