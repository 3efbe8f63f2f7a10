"""Random evenings of every game: no output for the players holds what only hidden things hold.

Hidden numbers have six digits, also what is left of them; hidden words begin with `xyzzy`. Nothing else has either.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cli.questions.ledger_file import find_game
from ledger.extracts import WHOLE
from ledger.ledger_state import load_state
from ledger.records import ENCODER
from ledger.sqlite_store import open_store
from ledger.store import ReadableStore
from projections.projection import StateProjection
from tests.budget import BUDGET
from tests.cli.conftest import LEDGER, Folder
from tests.cli.pages.test_session_page import check_states, seen
from tests.cli.public_leaves import shown_too_much
from tests.cli.verifiers import errors_in_copies

pytestmark = pytest.mark.slow  # run with --long

SHEETS = Path(__file__).parent / "evenings"
HASH = re.compile(r"[0-9a-f]{32,}")
MARKED = re.compile(r"(?<![0-9])[0-9]{6}(?![0-9])|xyzzy", re.IGNORECASE)
EXAMPLES = BUDGET.examples(2, 10)
NUMBERS = st.integers(100_000, 199_999)


class Table(NamedTuple):
    """A game at the table: its sheets, what a foe's sheet hides, its vital value, and the lines of an evening."""

    cast: tuple[str, ...]
    foe: str
    hidden: str
    vital: str
    first: tuple[str, ...]
    lines: tuple[str, ...]


TABLES = {
    "dusk-bastards": Table(
        cast=("wren.toml", "holt.toml"),
        foe="thug.toml",
        hidden="health = {0}\n[armor]\nphysical = {1}\n",
        vital="health",
        first=('! encounter "the ferry house"', "w init", "h init", "close", "! on"),
        lines=(
            "w climb v6 hidden",
            "w climb e1",
            "w attack thug",
            "h attack thug maul e1",
            "h dodge thug",
            "h destiny reroll",
            "close",
            "! on",
            "w dodge thug",
            "! thug pass",
            "! end\nw climb v7 hidden\n~ v8 retcon\nclose",
            "! end\nw climb v7\n~ hidden retcon\nclose\nw climb e1",
            "! end\n!! w search v5\nclose",
            '! end\n!! w "xyzzy the vault" s v5\nw destiny reroll\nclose',
            '! end\n!! w "xyzzy the vault" s v5\n~ v6 retcon',
            "! damage thug {0}",
            '! damage thug 3 "a slate"',
            "! end",
        ),
    ),
    "momentum": Table(
        cast=("vel.toml", "osric.toml"),
        foe="raider.toml",
        hidden="hp = {0}\ndefense = {1}\n",
        vital="hp",
        first=('! fight "the weir" paths=bank:weir pcs=bank foes=bank', "v momentum", "o momentum"),
        lines=(
            "v attack raider",
            "v attack raider ...",
            "o attack raider",
            "! raider attack vel",
            "! raider attack vel ...",
            "^ o interpose",
            "go",
            "v end",
            "! raider end",
            "! on",
            "!! o check agi",
            '!! o check agi "xyzzy stones"',
            "v attack raider => defense {0}, hit 1",
        ),
    ),
    "monolith": Table(
        cast=("vega.toml", "okoro.toml"),
        foe="raider.toml",
        hidden="hp = {0}\narmor = {1}\n",
        vital="hp",
        first=('! encounter "the lock"', "! round", 'v declare "first"', 'o declare "second"'),
        lines=(
            "v attack raider bolt-pistol",
            "o attack raider shotgun -cover",
            "! raider attack vega",
            '! telegraph raider "rifles up"',
            '! order reflex "who is quicker"',
            "! done\n! round\nv pass\no pass",
            "v save reflex",
            "!! v save reflex",
            '!! o does "xyzzy the doors apart" "they hold"',
            "! done",
            "! round",
            'v declare "again"',
            "o attack raider => raider {0}",
        ),
    ),
    "mars": Table(
        cast=("asha.toml", "bram.toml"),
        foe="guard.toml",
        hidden="dr = {1}\nmaxima = {{ health = {0}, endurance = {0} }}\n",
        vital="health",
        first=('! encounter "the gate"', "a init", "b init", "! guard init"),
        lines=(
            "a attack guard\na end",
            "b attack guard\nb end",
            "b attack guard ...\ngo",
            "! guard attack asha\n! guard end",
            "! guard attack asha ...\n^ a parry sword\ngo",
            "a end",
            "b end",
            "! guard end",
            "! guard move 3",
            "!! b check perception v10",
            '!! b check perception v10 "xyzzy below"',
            "a maneuver heavy-strike guard",
        ),
    ),
    "semiautomagic": Table(
        cast=("kit.toml", "brand.toml"),
        foe="brute.toml",
        hidden="",  # its numbers are small
        vital="endurance",
        first=('! fight "the kiln" kit brand brute',),
        lines=(
            "k attack brute",
            "k end\nbrand attack brute",
            "brute attack brand",
            "brute attack brand ...\n^ brand block\ngo",
            "! over\nk hide\n! brute perceive kit",
            "k end",
            "brand end",
            "! brute end",
            "k hide",
            "! brute perceive kit",
            "!! brute fortitude",
            '!! ! cover kit light "xyzzy barrels" object=xyzzy',
        ),
    ),
}
SHARED = (
    "!! > xyzzy waits in the cellar",
    '!! " {who}: xyzzy',
    '!! ! {foe}.{vital} -{0} "xyzzy blood"',
    '! {foe}.{vital} -{0} "a falling beam"',
    '! {foe}.{vital} -{0} "a beam"\n~ change=-{0} retcon',
    '! ruling "the gate holds" "a vote" {foe}.{vital}={0}',
    "= {foe}.{vital}={0}",
    "undo",
    "# The next room",
    '" {who}: nobody is here',
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Folder]:
    """A campaign of each game with its cast; the foe comes in each evening."""
    folders = {}
    for game, table in TABLES.items():
        folder = folders[game] = Folder(tmp_path_factory.mktemp("table") / game)
        folder.path.mkdir()
        folder.run("new", "Table", str(folder.path), "--game", game, "--id", LEDGER)
        folder.run("cast", *(str(SHEETS / game / name) for name in table.cast))
    return folders


def foe_sheet(game: str, numbers: tuple[int, int]) -> str:
    """The sheet of the foe with these numbers in place of its own."""
    table = TABLES[game]
    hidden = table.hidden.format(*numbers)
    keys = "|".join(tomllib.loads(hidden)) or "none"
    kept = re.sub(rf"^(?:{keys}) *=.*\n", "", (SHEETS / game / table.foe).read_text("utf-8"), flags=re.MULTILINE)
    top, bracket, tables = kept.partition("\n[")
    return f"{top}\n{hidden}{bracket}{tables}"


def names_of(game: str) -> tuple[str, str]:
    """The names of the first character and of the foe."""
    table = TABLES[game]
    return tuple(  # type: ignore[return-value]
        tomllib.loads((SHEETS / game / name).read_text("utf-8"))["name"].lower() for name in (table.cast[0], table.foe)
    )


@st.composite
def evening(draw: st.DrawFn, game: str) -> tuple[tuple[int, int], list[str]]:
    """Two hidden numbers of the foe, and lines for an evening."""
    table, (who, foe) = TABLES[game], names_of(game)
    lines = draw(st.lists(st.sampled_from((*table.lines, *table.lines, *SHARED)), min_size=6, max_size=12))
    said = [line.format(draw(NUMBERS), who=who, foe=foe, vital=table.vital) for line in lines]
    health, armor = draw(st.tuples(NUMBERS, NUMBERS))
    return (health + 700_000, armor), [*table.first, *(line for lines in said for line in lines.split("\n"))]


def questions(game: str, entries: list[str]) -> Iterator[tuple[str, ...]]:
    """Every command that takes a view, with and without JSON."""
    who, foe = names_of(game)
    vital = TABLES[game].vital
    plain: list[tuple[str, ...]] = [
        *(("show", *more) for more in (["--all"], [who], [foe], ["encounter"])),
        *(("log", *more) for more in ([], ["--takes"], ["--typed", foe], ["--scene", "room"], ["--scene", "xyz"])),
        *(("recap", *more) for more in ([], ["--log"], ["--post"], ["--format", "text"])),
        *(("who", value) for value in (f"{foe}.{vital}", f"{who}.{vital}", "xyzz")),
        *(("when", f"{name}.{vital} > 1", "--all") for name in (who, foe)),
        *(("odds", line) for line in (f"{who} attack {foe}", "close")),
        *(("search", words) for words in ("xyz", "1", "the")),
        *(("why", entry) for entry in entries),
        ("rulings", "--all"),
    ]
    yield ("log", "--oneline")
    yield ("recap", "--html")
    yield ("recap", "--campaign", "--html")
    yield ("luck",)  # its JSON has shares in millionths
    yield ("export", "--json")
    yield from ((*command, "--csv") for command in (("show",), ("log",), ("who", f"{who}.{vital}")))
    for command in plain:
        yield command
        yield (*command, "--json")


SENTENCES = (
    "how hurt is {foe}?",
    "how many {vital} does {foe} have left?",
    "what happened to {foe}'s {vital}?",
    "who hit {foe}?",
    "why did that fail?",
    "what if {who} had cover?",
    "what happened tonight?",
    "whose turn is it",
    "{who} attacks the {foe}",
    "{who} whacks {foe} somehow",
    "{who} hits him again",
    "no wait, it was {foe} she hit",
    "make that seven",
    "{who} attacked {foe}, not xyz",
    "it was {foe} that {who} attacked",
    "{foe} loses two {vital}, a fall",
    "{foe} attacks {who}",
    "what are the odds that {who} hits {foe}",
    "{who} searches the cellar for xyz",
    "take that back",
)


def hidden_in(text: str) -> list[str]:
    """What of a text only hidden things hold."""
    return MARKED.findall(HASH.sub("", text))


def read_through(store: ReadableStore) -> str:
    """Everything that a store yields, and the state that it adds up to."""
    snapshot = store.latest_snapshot()
    parts = [
        *map(ENCODER.encode, (*store.records(), *store.takes(), *store.extracts(WHOLE), *store.ends(1))),
        load_state(store, StateProjection()).pack(),
        snapshot.body if snapshot else b"",
    ]
    return b"\n".join(parts).decode()


QUICK = ("dusk-bastards", "semiautomagic")
EACH = [game if game in QUICK else pytest.param(game, marks=pytest.mark.slow) for game in TABLES]


@pytest.mark.parametrize("game", EACH)
def test_players_see_nothing_hidden(game: str, prepared: dict[str, Folder], tmp_path: Path) -> None:
    @settings(max_examples=EXAMPLES, phases=[phase for phase in Phase if phase is not Phase.shrink])
    @given(evening(game), st.lists(st.sampled_from(SENTENCES), min_size=4, max_size=4, unique=True))
    def check(played: tuple[tuple[int, int], list[str]], sentences: list[str]) -> None:
        numbers, lines = played
        folder = Folder(tmp_path / game)
        shutil.rmtree(folder.path, ignore_errors=True)
        shutil.copytree(prepared[game].path, folder.path)
        folder.run("cast", str(folder.file("foe.toml", foe_sheet(game, numbers))))
        folder.run("open", "One", "--seed", "one")
        for line in lines:
            folder.invoke("do", line)
        assert not TABLES[game].hidden or hidden_in(folder.run("show", names_of(game)[1], "--json"))
        entries: list[Any] = sorted(set(re.findall(r"^1\.[0-9]+", folder.run("log", "1"), re.MULTILINE)))
        foe = names_of(game)[1]
        if f"{foe}.wounds" in json.loads(folder.run("show", foe, "--json"))["values"]:
            assert "fresh" not in folder.run("show", foe, "--as", "players"), lines
        for command in questions(game, entries):
            output = folder.invoke(*command, "--as", "players").output
            assert not hidden_in(output), (command, lines, output)
        with seen(folder.path, "players") as (store, _):
            assert not hidden_in(read_through(store)), lines
        for role in ("players", "gm"):
            with seen(folder.path, role) as (store, book):
                check_states(store, book, role, 1)
        with closing(open_store(folder.ledger, write=False)) as whole:
            assert not [*shown_too_much(whole, find_game(whole))], lines
            assert not [hidden for each in whole.read() for hidden in hidden_in(each.public.decode())], lines
        assert folder.run("verify", "--jobs", "1").startswith("all is well"), lines
        assert errors_in_copies(folder.ledger) == [], lines
        who, foe = names_of(game)
        for sentence in sentences:
            said = sentence.format(who=who, foe=foe, vital=TABLES[game].vital)
            output = folder.invoke("play", "--as", "players", input=f"{said}\n1\n").output
            assert not hidden_in(output.replace(said, "")), (said, lines, output)

    check()
