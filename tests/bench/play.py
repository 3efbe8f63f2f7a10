"""Ledgers for benchmarks: a fresh campaign, and one of many generated sessions, always the same."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

from cli.notation.formatter import format_declaration
from cli.questions.ledger_file import LEDGER_FILE
from ledger.builtin import Claim, Tell
from ledger.corrections.undo import undo
from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import Refused
from ledger.facts import GM
from ledger.records import Record
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, create_store, open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import STATS, Asset, Change, Modifier, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, Retry, SpendDestiny, SpendDoom

AT = "2026-01-01T20:00:00Z"
GAME = load_game("dusk-bastards")
CAST = Path(__file__).parent.parent.parent / "campaigns" / "gutter-saints" / "cast"
WHO = ("Kess", "Orrin", "Tamsin")
TASKS = {"might": ("climb", "force", "swim"), "speed": ("sneak", "leap", "hide"), "intellect": ("read", "bluff")}
SAMPLE_LINES = {
    "gutter-saints": "k sneak v2",
    "lantern-ferry": "n check perception v10",
    "powder-tithe": "t perceive orsk",
    "choir-of-glass": 'i save reflex "the lock"',
    "broken-archway": 'brynn check agi "the wet ledge"',
}
"""For the sample of each game a line with a roll that may be said again and again."""
SEED = "bench 1"
LAST_SEED = "last 9"
"""With these no line of a benchmark fails in its first 200 times: a failed task is not tried again without Effort."""
BEINGS = 50
CONDITIONS = 200
ENTRIES_OF_A_SESSION = 80
UNDONE_IN_A_HUNDRED = 1


def fresh(folder: Path, *, seed: str = SEED) -> Ledger[State]:
    """Return a campaign with the sample's cast and its first session open."""
    folder.mkdir(parents=True)
    ledger = Ledger(
        create_store(folder / LEDGER_FILE, StateProjection.read_models), GAME, StateProjection(), SeedFiles(folder)
    )
    ledger.create("Bench", at=AT, ledger="0" * 32)
    for sheet in sorted(CAST.glob("*.toml")):
        ledger.declare(GAME.sheet(tomllib.loads(sheet.read_text(encoding="utf-8")), sheet.name), at=AT)
    ledger.open_session("one", at=AT, seed=fixed_seed(seed))
    return ledger


def crowd(folder: Path) -> None:
    """Build a campaign of 50 beings with 200 conditions, with its first session open."""
    ledger = fresh(folder, seed="salt")
    foes = [f"Thug {number}" for number in range(BEINGS - len(WHO))]
    for foe in foes:
        sheet = {"sheet": "npc", "name": foe, "kind": "minion", "difficulty": 3, "health": 6, "damage": 3}
        ledger.declare(GAME.sheet(sheet, "thug.toml"), at=AT)
    for number in range(CONDITIONS):
        name = f"marked {'abcde'[number // len(foes)]}"
        ledger.declare(SetCondition(by=GM, target=foes[number % len(foes)], name=name, until="ruled"), at=AT)
    ledger.store.close()


def again(folder: Path, *, write: bool = True) -> Ledger[State]:
    """Return the ledger of an existing campaign."""
    return Ledger(open_store(folder / LEDGER_FILE, write=write), GAME, StateProjection(), SeedFiles(folder))


def played(folder: Path, facts: int) -> int:
    """Build a campaign of about so many facts with its last session open; return their number."""
    ledger = fresh(folder)
    hasty(ledger.store)
    chance = random.Random(1)
    count = entries = 0
    while count < facts:
        record = declared(ledger, chance)
        count += len(record.facts)
        entries += 1
        if chance.randrange(100) < UNDONE_IN_A_HUNDRED:
            undo(ledger, by=GM, at=AT)
        if entries % ENTRIES_OF_A_SESSION == 0 and count < facts:
            ledger.close_session(at=AT)
            ledger.open_session("another", at=AT, seed=fixed_seed(f"bench {entries}"))
    ledger.close_session(at=AT)
    ledger.open_session("the last", at=AT, seed=fixed_seed(LAST_SEED))
    ledger.store.close()
    return count


def hasty(store: object) -> None:
    """Turn syncing off while a ledger is built."""
    assert isinstance(store, SqliteStore)
    store.connection.execute("PRAGMA synchronous = OFF")
    store.connection.execute("PRAGMA journal_mode = MEMORY")


def declared(ledger: Ledger[State], chance: random.Random) -> Record:
    """Append the next declaration that is not refused."""
    for said in plausible(ledger, chance):
        try:
            return ledger.declare(said, at=AT, line=format_declaration(said))
        except Refused:
            continue
    raise AssertionError("somebody can always rest")


def plausible(ledger: Ledger[State], chance: random.Random) -> Iterator[Declaration]:
    """Yield declarations to try: mostly attempts, at last a ruling."""
    state = ledger.state.state
    who = chance.choice(WHO)
    if "open roll" in state.windows and chance.random() < 0.3:
        roller = state.windows["open roll"].who
        yield SpendDestiny(by=roller, uses=(Use("reroll"),))
        yield SpendDoom(by=GM, points=1, use="change-target")
        yield Close(by=GM)
    if chance.random() < 0.08:
        yield Tell(by=GM, kind="fiction", who=GM, text="Rain on the slates of the Salt Ward, and one lamp below.")
    if chance.random() < 0.04:
        yield Claim(by=GM, values=(("kess.might", 9), ("kess.speed", state.points("Kess", "speed"))))
    if chance.random() < 0.2:
        yield Retry(by=who, effort=1)
    for _ in range(3):
        yield attempt(who, chance)
    most = {stat: state.pools[who, stat].most or 0 for stat in STATS}
    changes = tuple(Change(f"{who.casefold()}.{stat}", most[stat]) for stat in STATS)
    yield Ruling(by=GM, text="a night's sleep", reason="the inn is safe", changes=changes)


def attempt(who: str, chance: random.Random) -> Attempt:
    """Return an attempt with a few circumstances."""
    stat = chance.choice(STATS)
    return Attempt(
        by=who,
        task=chance.choice(TASKS[stat]),
        stat=stat,
        difficulty=chance.randrange(3, 9),
        effort=chance.choice((0, 0, 1)),
        assets=(Asset(1, "knotted rope"),) if chance.random() < 0.3 else (),
        hinder=(Modifier(1, "rain"),) if chance.random() < 0.3 else (),
    )
