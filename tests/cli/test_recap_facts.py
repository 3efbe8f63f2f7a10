"""Every number and name of a recap is found in the facts that count, as its reader may see them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from cli.main import campaign
from cli.questions.ledger_file import find_game
from cli.questions.players_ledger import store_for
from cli.story.plain_words import plain_words
from ledger.facts import (
    CampaignCreated,
    Declared,
    Fact,
    Judged,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    SessionClosed,
    SessionOpened,
    SheetChanged,
    TokensMoved,
)
from ledger.records import ENCODER, latest_takes, shown_records
from ledger.sqlite_store import open_store
from rulebooks.common.game import Game
from tests.golden import samples, sessions

pytestmark = pytest.mark.slow  # run with --long

NUMBER = re.compile(r"-?[0-9]+")
NAME = re.compile(r"\b[A-Z][^\W\d_]+")
OURS = re.compile(  # what a recap counts or computes itself, and the entries
    r"[0-9]+ (?:days?|hours?|minutes?|seconds?)\b|\([0-9.+, ]+\)|[0-9]+ more\b|changes [0-9]+ entr.*|Session [0-9]+"
    r"|session [0-9]+|(?<=[( ])[0-9]+\.[0-9]+(?:\+[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}|\[\^[0-9]+\]"
)
HEADINGS = (
    "Round Left Got Open Decided Corrected Roll Game Doom Still Where Sessions Last Session The Now"
    " Nothing No Both Here A Now Takes Amends Removes Inserts Answers Notes Restores Then Earlier Before"
)
TABLES = re.compile(r"^## (?:Cast|Points and tokens|Dice)$.*", re.MULTILINE | re.DOTALL)
HEXADECIMAL = (CampaignCreated, Declared, SessionOpened, SessionClosed)
SCORE = re.compile(r"\((-?[0-9]+) against (-?[0-9]+)")
CHANGE = re.compile(r"([a-z]+) (?:(?:goes|fell|rose) from )?(-?[0-9]+) to (-?[0-9]+)")
COLUMNS = ("spent", "lost", "regained", "set")
SIZES = ([], ["--post"], ["--campaign"])


def changes_of(facts: Iterable[Fact]) -> Iterator[tuple[str, int, int]]:
    """Yield the name of every number that changed, with its values before and after."""
    for fact in facts:
        match fact:
            case PointsLost() | PointsSpent():
                yield fact.pool, fact.now + fact.points, fact.now
            case PointsRegained():
                yield fact.pool, fact.now - fact.points, fact.now
            case PoolSet():
                yield fact.pool, fact.was, fact.now
            case TokensMoved():
                yield fact.token, fact.now - fact.change, fact.now
            case SheetChanged() if isinstance(fact.was, int) and isinstance(fact.now, int):
                yield fact.key, fact.was, fact.now


def numbers_of(facts: Iterable[Fact]) -> set[int]:
    """Return every number in facts, and those before their changes."""
    numbers = {int(number) for text in texts_of(map(plain, facts)) for number in NUMBER.findall(text)}
    numbers |= {before for _, before, _ in changes_of(facts)}
    return numbers | {-number for number in numbers}


def numbers_of_options(book: Game) -> set[int]:
    """Return the numbers in what the book says of its options."""
    return {int(number) for option in book.texts().options.values() for number in NUMBER.findall(option.text)}


def plain(fact: Fact) -> Any:
    """Return a fact as it is stored."""
    return msgspec.json.decode(ENCODER.encode(fact))


def texts_of(value: Any) -> Iterator[str]:
    """Yield everything in a value as text."""
    if isinstance(value, dict):
        yield from texts_of(value.keys())
        yield from texts_of(value.values())
    elif isinstance(value, str) or not isinstance(value, Iterable):
        yield str(value)
    else:
        for part in value:
            yield from texts_of(part)


def prose(page: str) -> str:
    """Return a recap without its front matter, its tables and its own sums."""
    text = page.partition("\n---\n")[2] if page.startswith("---\n") else page
    return OURS.sub("", TABLES.sub("", text)).replace("\\", "")


def seen_facts(path: Path, role: str) -> tuple[list[Fact], Game]:
    """Return the facts that count, as a role sees them, and the game."""
    store = open_store(path / "ledger.db", write=False)
    book = find_game(store)
    facts = [
        fact for record in shown_records(latest_takes(store_for(store, book, role).takes())) for fact in record.facts
    ]
    store.close()
    return facts, book


def recaps(path: Path, role: str) -> Iterator[str]:
    """Yield the post and the chronicle of every session, and the campaign on one page."""
    for session in range(1, sessions(path.name) + 1):
        for size in SIZES:
            arguments = size if "--campaign" in size else [str(session), *size]
            done = CliRunner().invoke(campaign, ["-C", str(path), "recap", *arguments, "--as", role])
            assert done.exit_code == 0, done.output
            yield done.stdout


@pytest.mark.parametrize("role", ["players", pytest.param("gm", marks=pytest.mark.slow)])
@pytest.mark.parametrize("sample", samples())
def test_numbers_are_of_facts_that_count(played_samples: dict[str, Path], sample: str, role: str) -> None:
    """The players' recap holds no score and no change of a value that only a hidden fact has."""
    facts, book = seen_facts(played_samples[sample], role)
    told = [fact for fact in facts if not isinstance(fact, HEXADECIMAL)]
    known, changes = numbers_of(told) | numbers_of_options(book), set(changes_of(facts))
    before = {(name.split("_")[-1], value) for name, value, _ in changes}
    after = {(name.split("_")[-1], value) for name, _, value in changes}
    scores = {(fact.total, fact.target) for fact in facts if isinstance(fact, Judged)}
    for page in recaps(played_samples[sample], role):
        text = prose(page)
        assert {int(number) for number in NUMBER.findall(text)} <= known, page
        assert {(int(total), int(target)) for total, target in SCORE.findall(text)} <= scores, page
        assert {(name, int(value)) for name, value, _ in CHANGE.findall(text)} <= before, page
        assert {(name, int(value)) for name, _, value in CHANGE.findall(text)} <= after, page


@pytest.mark.parametrize("sample", samples())
def test_names_are_of_facts_that_count(played_samples: dict[str, Path], sample: str) -> None:
    facts, book = seen_facts(played_samples[sample], "players")
    lexicon = book.texts().lexicon
    words = [*texts_of(map(plain, facts)), *texts_of(msgspec.to_builtins((lexicon, book.texts().narration))), HEADINGS]
    words += [option.text for option in book.texts().options.values()]
    words += [plain_words().tens, plain_words().cardinals]
    known = {word.lower() for text in words for word in re.findall(r"[^\W\d_]+", text)}
    for page in recaps(played_samples[sample], "players"):
        assert {name for name in NAME.findall(prose(page)) if name.lower() not in known} == set()


@pytest.mark.parametrize("sample", samples())
def test_points_and_tokens_of_samples_add_up(played_samples: dict[str, Path], sample: str) -> None:
    """Start - spent - lost + regained + set = end, of one session the start of the next; losses are not spent."""
    path, ends = played_samples[sample], dict[tuple[str, str], int]()
    losses = {*seen_facts(path, "gm")[1].texts().narration.losses}
    for session in range(sessions(sample) + 1):
        arguments = ["-C", str(path), "recap", str(session), "--json", "--as", "gm"]
        flows = json.loads(CliRunner().invoke(campaign, arguments).stdout)["resources"]
        for flow in flows:
            key, column = (flow["who"], flow["name"]), {name: sum(n for _, n in flow[name]) for name in COLUMNS}
            change = column["regained"] + column["set"] - column["spent"] - column["lost"]
            assert flow["start"] == ends.get(key, 0)
            assert flow["start"] + change == flow["end"]
            assert not losses & {cause for cause, _ in flow["spent"]}
            ends[key] = flow["end"]
