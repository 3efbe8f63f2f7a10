"""Lines that begin with `~`."""

from __future__ import annotations

import pytest

from tests.cli.disputes import unchanged


def test_tilde_amends_the_last_line(night):
    night.run("do", "k leap v6 /9.3")
    printed = night.run("do", '~ +1"a running start"')
    assert printed.splitlines()[1] == '4.7   amended: Kess "leap" v6 +1"a running start" /9.3'
    assert "new takes: 4.7@2" in printed
    assert "amends 4.7@2 (it was low, agreed by Ana)" in night.run("do", '~ v5 because="it was low" agreed=Ana')


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("written", ["~ 1 v6", "~ 4.1 v6", "~4.1 v6", "~   1   v6"])
def test_tilde_with_an_entry_asks_for_the_outcome(night, written):
    error = unchanged(night, "do", written, code=1)
    assert error == (
        "L-ASK: entry 4.1 is of this session, and the line does not say how to settle it. "
        f"End it with retcon, stand or compensate. Type: {written} retcon."
    )
    assert night.invoke("do", f"{written} stand").exit_code == 0


@pytest.mark.slow
def test_outcome_may_stand_before_the_reason(night):
    assert "amends 4.1@1 (low)" in night.run("do", '~ 1 v6 retcon because="low"')
    night.run("verify")


@pytest.mark.slow
def test_words_before_a_correction_are_no_part_of_it(night):
    night.run("do", "k leap v6 /9.3")
    assert "amends 4.7@1" in night.run("do", "~ 7 it was v5 retcon")
    assert "amends 4.7@2" in night.run("do", "~ that was v4 retcon")
    night.run("verify")


@pytest.mark.slow
def test_tilde_with_drop_leaves_the_entry_out(night):
    assert "removes 4.1@1" in night.run("do", "~ 1 drop retcon")
    night.run("verify")


def test_tilde_behind_a_text_goes_to_the_last_roll(night):
    night.run("do", "k leap v6 /9.3")
    night.run("do", '! doom +1 "a debt"')
    assert "amends 4.7@1" in night.run("do", "~ +a1 retcon")


@pytest.mark.slow
def test_tilde_of_an_earlier_session_needs_a_reason(night):
    assert unchanged(night, "do", "~ 1.14 e1", code=1) == (
        'L-AMEND: entry 1.14 is of an earlier session. Say why. Type: ~ 1.14 e1 because="why".'
    )
    assert "adjusts its values: 1.14@1 (one was meant, agreed by Cem)" in night.run(
        "do", '~ 1.14 e1 because="one was meant" agreed=Cem'
    )


def test_tilde_that_needs_options_names_the_command(night):
    error = unchanged(
        night, "do", '~ 3.38 ! ruling "the wound opens" "the damp" tamsin.wound=4 because=so retcon', code=1
    )
    assert error.startswith("L-NEEDS: entry 4.4 needs faces")
    assert error.endswith("(--drop 4.4). Both are options of: campaign amend 3.38 ...")


@pytest.mark.slow
def test_tilde_takes_faces_behind_the_line(night):
    night.run("do", '! encounter "the quay" participants=Kess,Dovel')
    for line in ("k initiative /6.5", "close", "k move"):
        night.run("do", line)
    error = unchanged(night, "do", "~ k move short", code=1)
    assert error == (
        "L-NEEDS: entry 4.10 needs faces that were never drawn, for 'move Kess'. "
        "Roll them at the table and add them to the change, as in: k move short /6.6."
    )
    night.run("do", "~ k move short /9.9")


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    "line",
    ["~", "~ ", "~ 1", "~ retcon", "~ 1 stand", "~ ~", "~ 99 v4", "~ 1.4.5 v4", "~ 1@2 v4", "~ 99999999.1 v4",
     "~ 1 \x1b[31m", "~ " + "x" * 100_000, '~ 1 v4 because="', "~ 1 v4 agreed=\"\x07\"", "~ 2 v4"],
    ids=lambda line: line[:16],
)  # fmt: skip
def test_unreadable_tilde_is_wrong_usage(night, line):
    unchanged(night, "do", line, code=2)


@pytest.mark.slow
def test_tilde_in_a_file_is_declared_once(night):
    path = str(night.file("more.session", 'k leap v6 /9.3\n~ v5\n~ 1 v6 because="so" stand\nundo\n'))
    first = night.run("run", path)
    assert first.count("amends 4.7@1") == 1
    assert night.run("run", path) == ""
    assert night.run("verify")


@pytest.mark.slow
def test_change_that_does_not_fit_names_its_entry(night):
    night.run("do", "k sneak v5 /7.6")
    last = night.run("log", "--oneline").splitlines()[-1].split()[0]
    assert f"This is about entry {last}; another one is named first" in night.invoke("do", "~ +cover").stderr


@pytest.mark.parametrize(
    ("told", "change", "told_anew"),
    [
        ('" k: "A lamp does not wander."', 'kess: "It was a person."', '" Kess: "It was a person."'),
        ('" k: Never', '" orrin: He said "never".', ': He said "never".'),
        ('" k: Never', "“Not now: later”", '" Kess: “Not now: later”'),
        ("> It rains", '> "Rain", it was', '> "Rain", it was'),
        ("# The quay", "# The pier", "# The pier"),
    ],
)
def test_text_is_told_anew_in_other_words(night, told, change, told_anew):
    night.run("do", told)
    entry = night.run("log", "--oneline").splitlines()[-1].split()[0]
    night.run("do", "k sneak v5 /7.6")
    assert f"amends {entry}@1" in night.run("do", f"~ {entry} {change}")
    assert told_anew in night.run("log")
    assert f"amends {entry}@2 (so)" in night.run("do", f'~ {entry} {told} because="so" retcon')
    night.run("verify")


@pytest.mark.parametrize(("told", "words"), [("> It rains", "> It isn't raining"), ('" k: Never', '" Kess: later')])
def test_new_words_without_their_mark_are_asked_for_it(night, told, words):
    night.run("do", told)
    entry = night.run("log", "--oneline").splitlines()[-1].split()[0]
    night.run("do", "k sneak v5 /7.6")
    bare = words.removeprefix('" Kess: ').removeprefix("> ")
    error = unchanged(night, "do", f"~ {entry} {bare}", code=2)
    assert f"only a whole line can replace this one. New words begin with their mark: {words}" in error
    assert f"amends {entry}@1" in night.run("do", f"~ {entry} {words}")
