"""Templates of the user for a recap: filled in, harmless, and reported with their line when broken."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import cli
from tests.cli.conftest import Folder, one_error

pytest.importorskip("jinja2")


@pytest.fixture
def told(folder: Folder) -> Folder:
    """A session with hostile text."""
    for line in ("> *stars* <b>", "k sneak v5 e1 /6.5"):
        folder.run("do", line)
    return folder


@pytest.mark.slow
def test_template_has_the_fields_of_the_page(told: Folder) -> None:
    path = told.file(
        "mine.jinja",
        "{{ campaign }}/{{ session }}\n{% for p in story %}{{ p.text }}|{% endfor %}\n\n{{ party_text }}\n",
    )
    page = told.run("recap", "--template", str(path))
    first, second, third, *_ = page.splitlines()
    assert first == "Salt Ward/1"
    assert second.startswith(r"\*stars\* &lt;b>")
    assert third.startswith("- **Kess**: might 9/9, speed 11/14")


@pytest.mark.slow
def test_template_of_the_campaign_is_found_by_size_and_form(told: Folder) -> None:
    told.file("templates/post.md.jinja", "mine: {{ night_text }}\n")
    assert re.fullmatch(r"mine: Kess moved without a sound.*\n", told.run("recap", "--post"))
    assert "mine" not in told.run("recap", "--post", "--format", "text")
    assert "mine" not in told.run("recap")
    told.file("templates/chronicle.md.jinja", "mine")
    assert told.run("recap", "--json").startswith("{")


@pytest.mark.slow
def test_template_pads_repeats_and_counts(told: Folder) -> None:
    path = told.file(
        "mine.jinja", "{{ '%2d|' % 7 ~ '{:>{}}'.format('a', 3) ~ '=' * 3 }}{% for i in range(3) %}{{ i }}{% endfor %}"
    )
    assert told.run("recap", "--template", str(path)) == "7\\|  a\\=\\==012\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("template", "where", "what"),
    [
        ("a\n{% fr %}\n", "line 2", "unknown tag"),
        ("a\nb\n{{ titel }}\n", "line 3", "'titel' is undefined"),
        ("{{ 1 // 0 }}", "line 1", "zero"),
        ("a\n{{ ().__class__.__bases__ }}\n", "line 2", "unsafe"),
        ("{% include 'none.jinja' %}", "line 1", "'none.jinja' cannot be included"),
        (b"\xff\xfe", "mine.jinja", "cannot be read"),
        ("{% include '.ssh/id_rsa' %}", "line 1", "'.ssh/id_rsa' cannot be included"),
        ("{% include 'seed.secret' %}", "line 1", "'seed.secret' cannot be included"),
        ("{% include 'link.jinja' %}", "line 1", "'link.jinja' cannot be included"),
        ("{% include 'below/part.jinja' %}", "line 1", "'below/part.jinja' cannot be included"),
        ("{% include '../kess.jinja' %}", "line 1", "'../kess.jinja' cannot be included"),
    ],
)
def test_broken_template_is_reported_with_its_line(told: Folder, template: str | bytes, where: str, what: str) -> None:
    for name in ("seed.secret", ".ssh/id_rsa", "below/part.jinja", "../kess.jinja"):
        told.file(name, "secret")
    (told.path / "link.jinja").symlink_to(told.path / "seed.secret")
    path = told.file("mine.jinja", template)
    error = one_error(told.invoke("recap", "--template", str(path)), 3)
    assert error.startswith(str(path))
    assert where in error
    assert what in error


@pytest.mark.slow
def test_template_includes_others_of_its_folder(told: Folder) -> None:
    told.file("part.jinja", "of {{ campaign }}")
    path = told.file("mine.txt", "{% include 'part.jinja' %}")
    assert told.run("recap", "--template", str(path)) == "of Salt Ward\n"


@pytest.mark.parametrize("linked", [False, True])
def test_seed_of_a_session_is_no_template(told: Folder, linked: bool) -> None:
    (seed,) = told.path.glob("seed-*.secret")
    path = seed
    if linked:
        path = told.path / "mine.jinja"
        path.symlink_to(seed)
    error = one_error(told.invoke("recap", "--template", str(path)), 2)
    assert "has the name of a ledger or of a secret" in error
    assert seed.read_text(encoding="utf-8").strip() not in error


@pytest.mark.slow
def test_template_that_fills_the_memory_is_told_in_words(told: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise MemoryError

    monkeypatch.setattr("cli.story.template.read_template", full)
    path = told.file("mine.jinja", "x")
    assert "do not fit the memory" in one_error(told.invoke("recap", "--template", str(path)), 3)


@pytest.mark.slow
def test_template_is_refused_without_jinja(told: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    path = told.file("mine.jinja", "x")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "pip install 'campaign-ledger[templates]'" in one_error(told.invoke("recap", "--template", str(path)), 3)
    assert "Kess moved without a sound" in told.run("recap")


@pytest.mark.slow
def test_template_of_the_help_page_works(told: Folder) -> None:
    page = (Path(cli.__file__).parent / "help" / "recap.md").read_text(encoding="utf-8")
    template = page.partition("```jinja\n")[2].partition("```")[0]
    path = told.file("help.jinja", template)
    written = told.run("recap", "--template", str(path))
    assert written.startswith("# Rooftops\n")
    assert "Kess moved without a sound (1.2)." in written
    assert "- **Kess**: might 9/9" in written
