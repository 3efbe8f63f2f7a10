"""Test the replay page as HTML: its structure, its links, its policy, and that texts of the ledger stay texts."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.web.pages.document import SCRIPTS
from tests.cli.conftest import CAST, LEDGER, Folder, one_error

VOID = ("meta", "input", "br", "hr", "img", "link")
HOSTILE = "</script><script>alert(1)//&lt;\"'<img src=x onerror=a()>"
ELEMENTS = """
    a article b body button caption code dd details div dl dt em figcaption figure footer h1 h2 h3 h4 head
    header html input li main meta nav noscript ol option output p path q rect s script section select small
    span strong style summary svg table tbody td text th thead title tr ul
"""


class Parsed(HTMLParser):
    """The elements of a page with their attributes, the texts of its scripts and styles, and faults of nesting."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.text = ""
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.raw.append((self.open[-1], data))
        else:
            self.text += data

    def attributes(self, name: str) -> list[str]:
        """Return all values of an attribute."""
        return [str(own[name]) for _, own in self.elements if name in own]


def hostile_folder(path: Path) -> Folder:
    """Return a campaign in which every text that people may write would end a script or begin an element."""
    folder = Folder(path)
    folder.path.mkdir()
    folder.run("new", HOSTILE, str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    folder.run("cast", str(folder.file("kess.toml", CAST["kess.toml"])))
    folder.run("open", HOSTILE, "--seed", "one")
    words = HOSTILE.replace('"', "")
    lines = [f"# {HOSTILE}", f"> {HOSTILE}", f'" Kess: {HOSTILE}', f'k climb v6 +1"{words}" /6.5', "close", "undo"]
    for line in [*lines, f'! ruling "{words}" "{words}"']:
        folder.run("do", line)
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a session in it."""
    return hostile_folder(tmp_path_factory.mktemp("page") / "hostile").run("recap", "--html")


@pytest.mark.slow
def test_page_is_well_formed(hostile: str) -> None:
    page = Parsed(hostile)
    assert (page.faults, page.open) == ([], [])
    assert {tag for tag, _ in page.elements} <= {*ELEMENTS.split()}


def test_texts_of_the_ledger_are_no_markup(hostile: str) -> None:
    page = Parsed(hostile)
    assert [tag for tag, _ in page.elements].count("script") == 2 + len(SCRIPTS)  # its data, the first, and ours
    assert "img" not in {tag for tag, _ in page.elements}
    assert not [name for _, own in page.elements for name in own if name.startswith("on") or name == "style"]
    assert page.text.count(HOSTILE) >= 4  # the names and quotes stand there as they were written


def test_data_has_the_entries_of_the_move_list(hostile: str) -> None:
    page = Parsed(hostile)
    (data,) = (json.loads(text) for name, text in page.raw if name == "script" and text.startswith("{"))
    moves = [own["id"] for tag, own in page.elements if tag == "li" and str(own.get("class")).startswith("entry")]
    assert [f"e{entry}" for entry in data["entries"]["id"]] == moves
    assert {len(column) for column in data["entries"].values()} == {len(moves)}
    assert len(moves) > 5


def test_policy_allows_its_own_style_and_script_only(hostile: str) -> None:
    page = Parsed(hostile)
    (policy,) = (own["content"] for _, own in page.elements if own.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in str(policy).split("; "))
    hashes: dict[str, list[str]] = {}
    for name, text in page.raw:
        if not text.startswith("{"):
            hashes.setdefault(name, []).append(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'")
    assert rules["default-src"] == "'none'"
    assert [rules["style-src"]] == hashes["style"]
    assert rules["script-src"].split() == hashes["script"]


def test_ids_are_unique_and_links_have_targets(hostile: str) -> None:
    page = Parsed(hostile)
    ids = page.attributes("id")
    assert len(set(ids)) == len(ids)
    assert {link.removeprefix("#") for link in page.attributes("href")} <= {*ids}
    assert {id for name in ("aria-labelledby", "aria-controls") for id in page.attributes(name)} <= {*ids}


def test_page_asks_for_nothing_from_elsewhere(hostile: str) -> None:
    page = Parsed(hostile)
    assert not page.attributes("src")
    assert "url(" not in "".join(text for name, text in page.raw if name == "style")
    for script in (text for name, text in page.raw if name == "script" and not text.startswith("{")):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


@pytest.mark.slow
def test_moves_and_story_can_be_read_without_a_script(played_samples: dict[str, Path]) -> None:
    page = Parsed(Folder(played_samples["gutter-saints"]).run("recap", "1", "--html"))
    assert "failure (4 against 9), dusk; speed 14→11 (Effort 1)" in page.text  # a move and what came of it
    assert "Nobody said the roof was rotten." in page.text
    assert "superseded: taken back by 1.32" in page.text


@pytest.mark.slow
def test_page_is_the_same_each_time(played_samples: dict[str, Path], tmp_path: Path) -> None:
    folder = Folder(played_samples["gutter-saints"])
    folder.run("recap", "1", "--html", str(tmp_path / "one.html"))
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == folder.run("recap", "1", "--html")


def test_number_of_a_session_is_no_file(played_samples: dict[str, Path]) -> None:
    folder = Folder(played_samples["gutter-saints"])
    assert "recap 1 --html" in one_error(folder.invoke("recap", "--html", "1"), 2)
