"""Sentences of a table's own, `recap --voice`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import one_error

VOICE = """[costs]
[felled]
"attack dead" = ["{who} <send> {against} to the fishes"]
"""


@pytest.mark.slow
def test_voice_tells_in_the_words_of_the_table(demo, tmp_path):
    (tmp_path / "voice.toml").write_text(VOICE)
    assert "to the fishes" not in demo.run("recap", "2")
    for size in ([], ["--post"]):
        told = demo.run("recap", "2", *size, "--voice", str(tmp_path / "voice.toml"))
        assert "Tamsin sent the second watchman to the fishes" in told


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[reslts]", "'reslts' is no table of sentences. There is"),
        ("lost = 3", "'lost' is no table of sentences"),
        ("results = 3", "results: it is no table"),
        ('[results]\n"atack dead" = "x"', "the book has no sentence of this name. Did you mean"),
        ('[felled]\n"attack dead" = "{who} <kill>"', "It takes a list of texts"),
        ('[felled]\n"attack dead" = [3]', "It takes a list of texts"),
        ('[lines]\ndeed = ["x"]', "It takes a text in quotes"),
        ('[felled]\n"attack dead" = ["{whoever} <kill>"]', "it has no {whoever}. It may have {against}"),
        ('[felled]\n"attack dead" = ["{who} <kill {against}"]', "its '<' has no other half"),
        ('[felled]\n"attack dead" = ["{who} <kill> [x[y]]"]', "has no other half"),
        ('[felled]\n"attack dead" = ["a\\u0002b"]', "is an invisible or control character"),
        ('[tasks]\nanything = "%s"' % ("a" * 301), "301 characters are too many"),
        ("[felled", "it is not TOML"),
    ],
)
def test_voice_that_is_wrong_is_refused(demo, tmp_path, text, error):
    (tmp_path / "voice.toml").write_text(text)
    assert error in one_error(demo.invoke("recap", "2", "--voice", str(tmp_path / "voice.toml")), 3)


@pytest.mark.slow
def test_voice_takes_tasks_and_arms_that_the_book_has_not(demo, tmp_path):
    (tmp_path / "voice.toml").write_text('[tasks]\nyodel = "yodel at the moon"\n[arms]\nspoon = "stir"\n')
    assert demo.invoke("recap", "2", "--voice", str(tmp_path / "voice.toml")).exit_code == 0


@pytest.mark.slow
def test_own_sentence_has_no_variants_of_the_book(demo, tmp_path):
    """Else every close task would be in the words of the book again."""
    (tmp_path / "voice.toml").write_text('[results]\n"task success" = "{who} <be> lucky"\n')
    told = demo.run("recap", "1", "--voice", str(tmp_path / "voice.toml"))
    assert " was lucky" in told
    assert "managed to" not in told
