"""Dice: known faces, an independent implementation, fairness, and the classes of one protocol."""

from __future__ import annotations

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
    session_key,
)
from ledger.enumeration import EnumeratedDice, Throw
from ledger.errors import BadFaces, NeverDrawn

LEDGER = "6b" * 16
SEED = bytes(range(32))
WORDS = [("Ana", "brass kettle"), ("Bo", "é🎲")]
KEY = bytes.fromhex("ec517c21da5d63dd69367a77b091a6a24f188d9968b8b6b1332d73fc0bf3c856")
COMMITMENT = "1a800b92888f04472d87bb6077157514bd7955d189104b7ad7919dc248404f77"
VECTORS = [
    # entry, purpose, ordinal, sides, digest, face
    ("1.1", "task Ana", 0, 12, "5f6280892058363d95ca9a54506cd06d38a908ca894e20c109e5280b05ff0ae8", 6),
    ("1.1", "task Ana", 1, 12, "88a5d3d822de9e842c69fb2b4b4e16c22eb29aa898f74e4190bb927958a9be99", 9),  # next ordinal
    ("1.2", "damage r3", 0, 6, "08f7ba2ca88a0cdebf728a6ceb6816c1de0717209487a3dcd58414a57d03f5df", 3),
    ("1.2+1", "höhe Bo", 0, 20, "a765e75516fcec5f2a1170e9cd0d2c4d9a699adc260477e6ac0b27c98963118d", 10),  # UTF-8
    ("2.7", "percent", 0, 100, "822aab644490372d80f5d2edf4cc0d0c24404c71070114e375f293fcf9a5e60d", 69),
]
REJECTED = "fff52d46043197eb0bbd9b644ec7a3468a845d112caf8f8b09779407dbdf2c3d"  # its first word is past the fair range

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
    ],
)
def test_the_key_depends_on_ledger_session_and_every_word(ledger, session, words):
    assert session_key(SEED, ledger, session, words) != KEY


@pytest.mark.parametrize(("entry", "purpose", "ordinal", "sides", "digest", "shown"), VECTORS)
def test_a_face_is_the_one_written_down(entry, purpose, ordinal, sides, digest, shown):
    assert face(KEY, entry, purpose, ordinal, sides) == shown
    assert int(digest[:8], 16) % sides + 1 == shown


def test_a_word_past_the_fair_range_is_passed_over():
    fair = WORD_VALUES - WORD_VALUES % MAX_SIDES
    assert int(REJECTED[:8], 16) >= fair > int(REJECTED[8:16], 16)
    assert face(KEY, "9.9", "wide 1784", 0, MAX_SIDES) == int(REJECTED[8:16], 16) % MAX_SIDES + 1 == 359020


def test_a_seed_given_as_text_is_the_hash_of_that_text():
    assert fixed_seed("dusk").hex() == "be89f924beaa540109358c7b81da9f3dcb38e314798fc68ec1ae7e4b3fd19020"


@needs_openssl
def test_openssl_gives_the_same_commitment():
    message = f"campaign-ledger commit v1\n{LEDGER}\n1\n{SEED.hex()}".encode()
    assert openssl(message=message) == COMMITMENT


@needs_openssl
def test_openssl_gives_the_same_key():
    message = f"campaign-ledger key v1\n{LEDGER}\n1\nAna: brass kettle\nBo: é🎲".encode()
    assert openssl("-mac", "HMAC", "-macopt", f"hexkey:{SEED.hex()}", message=message) == KEY.hex()


@needs_openssl
@pytest.mark.parametrize(
    ("entry", "purpose", "ordinal", "sides", "digest"),
    [*(row[:5] for row in VECTORS), ("9.9", "wide 1784", 0, MAX_SIDES, REJECTED)],
)
def test_openssl_gives_the_same_digest(entry, purpose, ordinal, sides, digest):
    message = f"campaign-ledger die v1\n{entry}\n{purpose}\n{ordinal}\n{sides}".encode()
    assert openssl("-mac", "HMAC", "-macopt", f"hexkey:{KEY.hex()}", message=message) == digest


# Rejection


def hash_that_gives(monkeypatch, *digests):
    """Replace HMAC by these digests; return the hashed messages."""
    asked, left = [], list(digests)

    def answer(key, message, digest):
        asked.append(message)
        return left.pop(0)

    monkeypatch.setattr("ledger.dice.hmac.digest", answer)
    return asked


def words(*numbers):
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def test_the_last_fair_word_counts_and_the_next_does_not(monkeypatch):
    fair = WORD_VALUES - WORD_VALUES % 6
    hash_that_gives(monkeypatch, words(fair, fair - 1, *[0] * 6))
    assert face(KEY, "1.1", "task", 0, 6) == 6


def test_with_two_sides_every_word_counts(monkeypatch):
    hash_that_gives(monkeypatch, words(WORD_VALUES - 1, *[0] * 7))
    assert face(KEY, "1.1", "task", 0, 2) == 2


def test_when_no_word_counts_the_message_gets_one_more_line_again(monkeypatch):
    unfair = words(*[WORD_VALUES - 1] * 8)
    asked = hash_that_gives(monkeypatch, unfair, unfair, words(*[WORD_VALUES - 1] * 7, 4))
    assert face(KEY, "1.1", "task", 0, 6) == 5
    first = join_lines("campaign-ledger die v1", "1.1", "task", "0", "6")
    assert asked == [first, first + b"\nagain", first + b"\nagain\nagain"]


@pytest.mark.parametrize("sides", [0, -6, MAX_SIDES + 1, WORD_VALUES - 1])
def test_a_die_has_one_to_a_million_sides(sides):
    with pytest.raises(BadFaces, match="no die has"):
        face(KEY, "1.1", "task", 0, sides)


@pytest.mark.parametrize("sides", [1, 2, MAX_SIDES])
def test_the_outermost_dice_show_a_face_of_theirs(sides):
    assert 1 <= face(KEY, "1.1", "task", 0, sides) <= sides


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
    counts = Counter(SeededDice(KEY, "1.1").throw("even", *[sides] * thrown))
    expected = thrown / sides
    assert set(counts) == set(range(1, sides + 1))
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < critical


# No stream: each die is keyed on its own


@given(st.integers(0, 6), st.integers(1, 6), st.sampled_from([2, 6, 12, 20, 100]))
def test_a_die_does_not_move_when_others_are_added(before, more, sides):
    dice = SeededDice(KEY, "3.42")
    alone = dice.throw("task Ana", sides)
    assert dice.throw("task Ana", sides, *[6] * more)[:1] == alone
    assert [dice.throw(f"other {n}", 6) for n in range(before)] == [
        SeededDice(KEY, "3.42").throw(f"other {n}", 6) for n in range(before)
    ]
    assert dice.throw("task Ana", sides) == alone


@pytest.mark.parametrize(
    ("entry", "purpose"),
    [("3.43", "task Ana"), ("3.42+1", "task Ana"), ("3.42", "task Bo"), ("3.42", "task Ana again")],
)
def test_another_entry_or_purpose_has_other_dice(entry, purpose):
    twenty = [1_000_000] * 20
    assert SeededDice(KEY, entry).throw(purpose, *twenty) != SeededDice(KEY, "3.42").throw("task Ana", *twenty)


# One protocol

KINDS = [
    pytest.param(lambda: SeededDice(KEY, "1.1"), "seed", id="seeded"),
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


def test_announced_dice_are_those_of_the_entry_that_announced_them():
    dice = SeededDice(KEY, "3.44")
    assert dice.for_entry("3.42").throw("task", 12, 12) == SeededDice(KEY, "3.42").throw("task", 12, 12)
    assert dice.throw("task", 12, 12) == SeededDice(KEY, "3.44").throw("task", 12, 12)


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


def test_seeded_dice_show_their_entry_and_never_their_key():
    shown = shown_of(SeededDice(KEY, "3.42"))
    assert "3.42" in shown
    assert not [form for form in (KEY.hex(), repr(KEY)[2:-1], str(list(KEY))[1:-1]) if form in shown]


def test_seeded_dice_are_not_compared_by_key():
    assert SeededDice(KEY, "3.42") != SeededDice(KEY, "3.42")
