"""`recap`: a page from facts alone; the sample's is a golden file."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.cli.conftest import Folder, environment, one_error

SECTIONS = re.compile(r"^## (.*)$", re.MULTILINE)
ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
FOE = """sheet = "npc"
name = "thug"
kind = "minion"
difficulty = 4
health = 9
damage = 2
"""


def evening(folder: Folder, *lines: str) -> None:
    folder.file("an.session", "".join(f"{line}\n" for line in lines))
    folder.run("run", str(folder.path / "an.session"))


SESSION = (
    "k sneak v5 e1 /6.5",
    "# The lamp room",
    "> Dust.",
    '" k: Hush.',
    "k climb v9 /2.3",
    '! ruling "a gift" "agreed" kess.might=4',
    "= k M4 S9",
)


def test_chronicle_tells_the_session_in_order(folder: Folder) -> None:
    evening(folder, *SESSION)
    page = folder.run("recap", "1")
    front, _, body = page.partition("\n---\n\n")
    assert 'title: "Rooftops"\ndates: [2026-01-09]\ncast: ["Kess", "Orrin"]\ntokens: {"doom": 2}\n' in front
    assert (
        """\
# Salt Ward, session 1: Rooftops

2026-01-09 · still open · Kess · Orrin · no players recorded

Kess moved without a sound. A gift: agreed.[^1]

## The lamp room

> Dust.

> **Kess:** Hush.

Kess could not make the climb.[^2]

## Where things stand

- **Kess**: might 4/9, speed 11/14, intellect 17/17, health 14/14, destiny 1
"""
    ) in body
    assert SECTIONS.findall(body)[1:] == [
        "Where things stand", "Open", "Decided", "Corrected", "Roll of the night", "Cast", "Points and tokens", "Dice",
        "Notes",
    ]  # fmt: skip
    assert (
        "- The table said Kess speed 9, the ledger says 11: "
        "Kess moved without a sound (1.1: 11 against 9; Kess's speed 14 to 11; Kess's destiny 0 to 1) (1.7)\n" in body
    )
    assert "| Kess | might | 9 |  |  |  | -5 (a gift) | 4 |\n" in body


def test_log_has_the_lines_as_typed(folder: Folder) -> None:
    evening(folder, *SESSION)
    page = folder.run("recap", "1", "--log")
    assert (
        """\
- **1.1** Kess: k sneak v5 e1 /6.5 → success (11 against 9), dawn; speed 14>11 (Effort 1); destiny 0>1 (Dawn)

### The lamp room

> Dust.

> **Kess:** Hush.

- **1.5** Kess: k climb v9 /2.3 → failure (5 against 27), dusk; doom 0>2 (Dusk)
"""
    ) in page
    assert "= k M4 S9 → Kess speed 9: the ledger says 11\n" in page
    assert "| Kess | speed | 14 | 3 (Effort 1) |  |  |  | 11 |\n" in page
    assert "- A gift (agreed) (1.6)\n" in page
    assert "- 4 dice in 2 rolls on the table\n" in page


def test_recap_without_argument_takes_the_last_session(played: Folder) -> None:
    played.run("open", "Two")
    assert "\n# Salt Ward, session 2: Two\n" in played.run("recap")
    assert "\n# Salt Ward, before the first session\n\n2026-01-09 · Kess" in played.run("recap", "0")
    assert "The last one is 2" in one_error(played.invoke("recap", "3"), 2)
    assert "the ledger ends at" in one_error(played.invoke("recap", "--as-of", "99"), 2)


@pytest.mark.slow
def test_recap_has_the_same_bytes_at_any_time(played: Folder) -> None:
    pages = {
        played.run_process(
            "recap", "1", env=environment(PYTHONHASHSEED=seed, PYTHONPATH=os.environ.get("PYTHONPATH", ""))
        ).stdout
        for seed in ("1", "2")
    }
    assert pages == {played.run("recap", "1")}
    before = played.bytes
    assert played.invoke("recap", "1", clock="1999-01-01").stdout in pages
    end = json.loads(played.run("recap", "--json"))["position"]
    played.run("open", "Two")
    played.run("do", "k sneak v5 e1")
    assert played.run("recap", "1") in pages
    assert played.run("recap", "--as-of", str(end)) in pages
    assert played.bytes != before


def test_recap_leaves_out_undone_entries(played: Folder) -> None:
    page = played.run("recap", "1", "--log")
    assert "o climb v3" not in page
    assert "o climb v4" in page
    assert "## Corrections\n\n- **1.6** takes back 1.5\n" in page
    timeline = page.partition("## What happened")[2].partition("## Points")[0]
    assert "undo" not in timeline
    assert "Corrected" not in played.run("recap", "1")


@pytest.mark.slow
def test_recap_of_fight_hides_the_numbers_of_foes(folder: Folder) -> None:
    folder.run("cast", str(folder.file("thug.toml", FOE)))
    evening(folder, '! damage kess 14 "a falling slate"', "k wound /4.3", "close", "! damage thug 3")
    page = folder.run("recap")
    assert "| thug (npc) | joins in 1.1 | hurt |\n" in page
    assert not re.search(r"thug.*health|health.*thug", page)
    assert "Kess fell to a falling slate. Kess was left stunned.\n\nKess fell and was winded." in page
    assert "| Kess | health | 14 |  | 14 (a falling slate) |  |  | 0 |\n" in page
    assert "- **1.3** Kess: takes a winded wound of 1\n" in folder.run("recap", "--log")
    wide = folder.run("recap", "--as", "gm")
    assert "| thug (npc) | joins in 1.1 | health 6/9 |\n" in wide
    assert re.search(r"^\| thug \| health \| 0 \|  \| 3 \(.*\) \|  \| \+9 \(sheet\) \| 6 \|$", wide, re.MULTILINE)


@pytest.mark.slow
def test_recap_hides_secret_targets(folder: Folder) -> None:
    evening(folder, "k climb v6 hidden /6.5")
    for arguments in ([], ["--post"], ["--log"], ["--json"], ["--format", "text"]):
        assert not re.search(r"v6|18|against", folder.run("recap", *arguments))
    assert re.search(r"1\.1: 11(?! against)", folder.run("recap"))
    assert "Kess: k climb … hidden /6.5 →" in folder.run("recap", "--log")
    assert "1.1: 11 against 18" in folder.run("recap", "--as", "gm")
    assert "k climb v6 hidden" in folder.run("recap", "--as", "gm", "--log")


@pytest.mark.parametrize(
    ("lines", "secret"),
    [
        (("k climb v6 hidden /6.5", '~ v7 because="misread" retcon'), "v7"),
        (("k climb v5 /6.5", '~ v7 hidden because="misread" retcon'), "v7"),
        (("k climb v7 hidden /6.5", "undo", "undo 1.2"), "v7"),
        (("k climb v7 hidden /6.5 => target 15",), "21"),
    ],
)
def test_recap_hides_what_corrections_and_claims_say(folder: Folder, lines: tuple[str, ...], secret: str) -> None:
    """Of a roll whose target number only the game master sees, or saw in any take."""
    evening(folder, *lines)
    for page in (folder.run("recap"), folder.run("recap", "--json")):
        assert not re.search(rf"\b{secret}\b", page)
    assert re.search(rf"\b{secret}\b", folder.run("recap", "--as", "gm", "--json"))


def test_recap_hides_the_numbers_in_claims_about_foes(folder: Folder) -> None:
    folder.run("cast", str(folder.file("thug.toml", FOE)))
    evening(folder, "= thug health 3")
    assert "the ledger says" not in folder.run("recap") + folder.run("recap", "--log")
    assert "The table said thug health 3, the ledger says 9" in folder.run("recap", "--as", "gm")
    assert "thug health 3: the ledger says 9" in folder.run("recap", "--log", "--as", "gm")


HOSTILE = [
    "> *bold* _thin_ `code` [link](http://x.y) <script>alert(1)</script> &lt; | # $x$ ~~gone~~ www.x.y me@x.y",
    "> # no heading",
    "> - no list",
    "> 12. nor this",
    "> > nor a quotation",
    "> === nor a line",
    "> ![no](picture) {no} ^no^ ==no== %%no%% \\",
    "# *scene* | <b>",
    '" k: *I* said <i>',
    'k "jump | <b>*now*" s v3 /6.5',
    '! ruling "*all* <b> | is [well](x)" "because _so_" doom=2',
]


MARKED = re.compile(
    r"[^*]\*bold|_thin|`code|\[link|<script|~~gone|!\[no|\^no|==no|%%no|# \$x|[^*]\*scene|[^*]\*I\*|\*now|\*all|\[well|_so_|://|www\."
)


@pytest.mark.parametrize("size", ["", "--post", "--log"])
def test_recap_escapes_all_markup(folder: Folder, size: str) -> None:
    evening(folder, *HOSTILE)
    page = folder.run("recap", *filter(None, [size])).partition("\n---\n")[2] or folder.run("recap", size)
    assert "<" not in page
    assert "&lt;script>alert(1)&lt;/script>" in page
    assert "&amp;lt;" in page
    bare = ESCAPED.sub("", page)
    assert not MARKED.search(bare), bare
    told = [line.removeprefix("> ") for line in page.splitlines() if line.startswith("> ")]
    assert [line[:5] for line in told[1:6]] == ["\\# no", "\\- no", "12\\. ", "\\> no", "\\=\\=="]
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(ESCAPED.sub("", row).split("|")) for row in rows} == (set() if size == "--post" else {5, 10})


@pytest.mark.slow
def test_recap_escapes_hostile_names(folder: Folder) -> None:
    folder.run("cast", str(folder.file("odd.toml", 'name = "Ann_ie _x_"\nmight = 9\nspeed = 9\nintellect = 9\n')))
    evening(folder, '"Ann_ie _x_" climb v3 e1 /6.5')
    page = folder.run("recap").partition("\n---\n")[2]
    assert page.count(r"Ann\_ie \_x\_") >= 3
    assert "Ann_ie" not in page.replace("\\_", "")


@pytest.mark.parametrize("wanted", ["1", "0"])
def test_recap_json_equals_the_page(played: Folder, wanted: str) -> None:
    page = json.loads(played.run("recap", wanted, "--json"))
    assert {*page} == {
        "campaign", "session", "title", "dates", "position", "open", "cast", "story", "party", "unlisted", "lost",
        "falls", "lead", "moment", "failures", "vital", "pool_words", "harm_words", "called", "threads", "night",
        "night_sentence",
        "scenes", "wounds", "resources", "options", "rulings", "corrections", "claims", "dice", "taken_back",
        "outcomes",
    }  # fmt: skip
    assert page["session"] == int(wanted)
    for flow in page["resources"]:
        sums = {name: sum(points for _, points in flow[name]) for name in ("spent", "lost", "regained", "set")}
        assert flow["start"] - sums["spent"] - sums["lost"] + sums["regained"] + sums["set"] == flow["end"]
    lines = [line for scene in page["scenes"] for line in scene["lines"]]
    assert all({*line} == {"entry", "by", "line", "told", "text", "results"} for line in lines)


@pytest.mark.parametrize(
    ("task", "told"),
    [("climbing", "succeeded at climbing"), ("swing across", "swung across"), ("sing", "sang")],
)
def test_task_in_ing_is_told_as_a_noun(folder: Folder, task: str, told: str) -> None:
    evening(folder, f'k "{task}" m v2 /9.3', "close")
    assert f"Kess {told}" in folder.run("recap")


@pytest.mark.parametrize(
    "arguments",
    [
        ["recap", "--post", "--log"],
        ["recap", "--post", "--json"],
        ["recap", "--format", "text", "--json"],
        ["recap", "--html", "--format", "text"],
        ["log", "--json", "--csv"],
        ["who", "doom", "--csv", "--json"],
    ],
)
def test_contradictory_options_are_refused(folder: Folder, arguments: list[str]) -> None:
    result = folder.invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error:" in result.stderr
