"""Checks of names, texts and numbers from outside."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import names
from ledger.errors import Unreadable

HOSTILE_TEXTS = [
    pytest.param("\x1b[31mred", id="escape"),
    pytest.param("\x1b]52;c;cm0gLXJm\x07", id="OSC 52: writes the clipboard"),
    pytest.param("a\x9b31m", id="C1 escape"),
    pytest.param("bell\x07", id="bell"),
    pytest.param("a\x00b", id="NUL"),
    pytest.param("over\rwritten", id="carriage return"),
    pytest.param("back\x08space", id="backspace"),
    pytest.param("two\nlines", id="line feed"),
    pytest.param("a\tb", id="tab"),
    pytest.param("a\x7f", id="delete"),
    pytest.param("a\u2028b", id="line separator"),
    pytest.param("a\u2029b", id="paragraph separator"),
    pytest.param("\u202eevil", id="right-to-left override"),
    pytest.param("a\u2066b\u2069", id="bidi isolate"),
    pytest.param("A\u200bna", id="zero-width space"),
    pytest.param("A\u200dna", id="zero-width joiner"),
    pytest.param("\ufeffAna", id="byte order mark"),
    pytest.param("A\u00adna", id="soft hyphen"),
    pytest.param("Ana\ud800", id="lone surrogate"),
    pytest.param("A\udcffna", id="a byte that was no UTF-8"),
    pytest.param("A\ue000", id="private use"),
    pytest.param("A\U000e0041", id="tag letter"),
    pytest.param("A\u0378", id="unassigned"),
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_invisible_characters_are_refused_in_texts_and_names(text):
    with pytest.raises(Unreadable, match="invisible or control") as of_text:
        names.normalize(text)
    with pytest.raises(Unreadable, match="invisible or control") as of_name:
        names.valid_name(text)
    assert str(of_text.value).isprintable()
    assert str(of_name.value).isprintable()


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_escape_leaves_only_printable_characters(text):
    assert names.escape(text).isprintable()
    assert names.escape(names.escape(text)) == names.escape(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Talos", "Talos"),
        ("Ana Luísa", "Ana Luísa"),
        ("Anai\u0308s", "Anaïs"),  # NFD becomes NFC
        ("\u212bsa", "Åsa"),  # the angstrom sign is a letter in NFC
        ("O'Brien", "O'Brien"),
        ("D’Artagnan", "D’Artagnan"),
        ("Jean-Luc", "Jean-Luc"),
        ("wolf 2", "wolf 2"),
        ("snake_case", "snake_case"),
        ("Dr. Crow", "Dr. Crow"),
        ("Ash & Oak", "Ash & Oak"),
        ("Sir Ives, Jr.", "Sir Ives, Jr."),
        ("Thug (big) [of two]", "Thug (big) [of two]"),
        ("Unit: North", "Unit: North"),
        ("  Mara  ", "Mara"),
        ("Mara  of   Dusk", "Mara of Dusk"),  # several spaces look like one
        ("名前", "名前"),
        ("Ṩ\u0323", "Ṩ\u0323"),  # marks that have no letter of their own
        ("नमस्ते", "नमस्ते"),
        ("a" * names.NAME_LENGTH_MOST, "a" * names.NAME_LENGTH_MOST),
    ],
)
def test_valid_name_is_normalized(text, kept):
    assert names.valid_name(text) == unicodedata.normalize("NFC", kept)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("a" * (names.NAME_LENGTH_MOST + 1), "too many"),
        ("1st", "begin with a letter"),
        ("-x", "begin with a letter"),
        ("--help", "begin with a letter"),
        ("=1+1", "begin with a letter"),  # a formula in a spreadsheet
        ("@here", "begin with a letter"),
        ("../../etc/passwd", "begin with a letter"),
        ("\u0301a", "begin with a letter"),  # a mark without a letter before it
        ("😀", "begin with a letter"),
        ("a/b", "'/'"),
        ("a\\b", "'\\'"),
        ("a.b", "'.'"),  # `ana.might` would be a value
        ("a:b", "':'"),
        ("a,b", "','"),
        ("a;b", "';'"),
        ('a"b', "'\"'"),
        ("<b>", "begin with a letter"),
        ("a<b>", "'<'"),
        ("a%s", "'%'"),
        ("a{0}", "'{'"),
        ("a#b", "'#'"),
        ("a\u00a0b", "has"),  # a space that is none
        ("a\u3000b", "has"),
        ("Zal\u0335\u0336\u0337go", "has"),  # three marks in a heap
        ("Ana\ufe0f", "ufe0f"),  # a variant selector shows nothing
        ("Ana\U000e0100", "U000e0100"),
        ("\u3164\u3164", "u3164"),  # Hangul filler counts as a letter and shows nothing
        ("A\u034fna", "u034f"),  # a joiner that counts as a mark
    ],
)
def test_invalid_name_is_refused_with_the_reason(text, says):
    with pytest.raises(Unreadable) as caught:
        names.valid_name(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ana", "ANA"),
        ("Straße", "STRASSE"),
        ("Anaïs", "Anai\u0308s"),
        ("Mara of Dusk", "mara-of-dusk"),
        ("ΣΑΣ", "σας"),  # the last sigma
        ("Dr. Crow", "dr crow"),
        ("Ash & Oak", "ash oak"),
        ("Thug (big)", "Thug big"),
    ],
)
def test_names_that_look_alike_have_one_key(one, two):
    assert names.name_key(names.valid_name(one)) == names.name_key(names.valid_name(two))


def test_different_names_have_different_keys():
    assert len({names.name_key(each) for each in ["Ana", "Anna", "Ana 2", "Aña"]}) == 4


@pytest.mark.slow
@given(st.text(max_size=20))
def test_valid_name_of_a_valid_name_is_itself(text):
    try:
        clean = names.valid_name(text)
    except Unreadable:
        return
    assert names.valid_name(clean) == clean == unicodedata.normalize("NFC", clean)
    assert clean.isprintable()
    assert names.name_key(names.name_key(clean)) == names.name_key(clean)


@given(st.text(max_size=20))
def test_normalized_text_is_one_printable_line_in_nfc(text):
    try:
        clean = names.normalize(text)
    except Unreadable:
        return
    assert names.normalize(clean) == clean == unicodedata.normalize("NFC", text)
    assert len(clean.splitlines()) <= 1
    clean.encode()


def test_text_over_the_longest_length_is_refused():
    assert names.normalize("x" * names.TEXT_LENGTH_MOST) == "x" * names.TEXT_LENGTH_MOST
    with pytest.raises(Unreadable, match="2001 characters are too many"):
        names.normalize("x" * (names.TEXT_LENGTH_MOST + 1))


@pytest.mark.parametrize("text", ["e" + 6 * "\u0323", "rain " + "o" + 300 * "\u0301", 6 * "\u0489"])
def test_letter_under_a_stack_of_marks_is_refused(text):
    with pytest.raises(Unreadable, match="a letter carries too many marks"):
        names.normalize(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ng\u01b0\u1eddi",
        "\u05d1\u05bc\u05b0\u05e8\u05b5\u05d0\u05e9\u05c1\u05b4\u0596",
        "\u0e01\u0e49\u0e33",
        "q\u0323\u0307\u0301",
    ],
)
def test_letter_with_the_marks_of_its_script_is_taken(text):
    assert names.normalize(text) == unicodedata.normalize("NFC", text)


def test_text_may_have_characters_that_a_name_may_not():
    assert names.normalize("“No!” – she said: <b>1/2</b> 😀 é") == "“No!” – she said: <b>1/2</b> 😀 é"


# Numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("0", 0), ("007", 7), ("-3", -3), ("+5", 5), ("1000000000", 10**9), ("-1000000000", -(10**9))],
)
def test_whole_number_is_parsed(text, number):
    assert names.parse_whole(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 ",
        "1\n",
        "1_000",  # Python reads this
        "٣",  # and this: Arabic digits
        "３",  # full-width
        "²",
        "1.5",
        "1e3",
        "0x10",
        "--1",
        "+-1",
        "nan",
        "NaN",
        "inf",
        "one",
        "1,000",
        "1000000001",  # beyond 10^9
        "-1000000001",
        "9" * 400,
        "9" * 5000,
    ],
)
def test_malformed_whole_number_is_refused(text):
    with pytest.raises(Unreadable):
        names.parse_whole(text)


@pytest.mark.parametrize("number", [10**9 + 1, -(10**9) - 1, 2**70])
def test_number_beyond_a_thousand_million_is_refused(number):
    assert (names.check_number(10**9), names.check_number(-(10**9))) == (10**9, -(10**9))
    with pytest.raises(Unreadable, match="beyond"):
        names.check_number(number)
