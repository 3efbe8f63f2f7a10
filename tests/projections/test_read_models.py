"""The read tables of the tally: whatever is played, they are what the fold makes of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import sqlite_store as sqlite
from ledger.builtin import Tell
from ledger.corrections.amend import undo
from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Ends, EntryId
from ledger.rebuild import build_read_models, check_read_models
from ledger.seeds import MemorySeeds
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore
from projections.projection import StateProjection
from projections.read_models import CHARACTERS, CONDITIONS, ENCOUNTERS, POOLS, READ_MODELS, TABLES_OF_PART, row_changes
from projections.state import Being, Condition, Encounter, Pool, State
from rulebooks import book
from rulebooks.dusk_bastards import declarations as say

AT = "2026-01-01T20:00:00Z"
HEROES, FOES = ("Ash", "Bryn"), ("Thug", "Captain")
BOOK = book("dusk-bastards")


# A table played at random, on a file


def begun(path: Path) -> Ledger[State]:
    """Two heroes, two foes and a door, the first session open with fixed dice."""
    store = sqlite.create(path, StateProjection.read_models)
    table = Ledger(store, BOOK, StateProjection(), MemorySeeds())
    table.create("Tables", at=AT, ledger="0" * 32)
    for name in HEROES:
        table.declare(
            say.CreateCharacter(by=GM, name=name, level=2, might=12, speed=12, intellect=12, player=f"{name}'s"), at=AT
        )
    for name, kind in zip(FOES, ("minion", "elite"), strict=True):
        table.declare(
            say.CreateNpc(by=GM, name=name, kind=kind, difficulty=3, health=6, damage=5, wound_limit=2), at=AT
        )
    table.declare(say.CreateObject(by=GM, name="Door"), at=AT)
    table.open_session("one", at=AT, seed=fixed_seed("tables"))
    return table


def sayable(table: Ledger[State], chance: random.Random) -> Iterator[Declaration]:
    """What somebody might say now; much of it is refused."""
    state = table.state.state
    hero, foe, stat = chance.choice(HEROES), chance.choice(FOES), chance.choice(say.STATS)
    turn = state.encounter.turn if state.encounter else ""
    who = turn or hero
    target = hero if who in FOES else foe
    alive = tuple(name for name in (*HEROES, *FOES, "Rook") if state.being(name) and not dead(state, name))
    due = [window for window in state.windows.values() if window.kind != "roll"]
    yield from (say.WoundRoll(by=name, who=window.who) for window in due for name in window.awaits)
    usual: list[Declaration] = [
        say.Attempt(by=hero, task="climb", stat=stat, difficulty=chance.randrange(2, 7), effort=chance.randrange(2)),
        say.Attack(by=who, target=target, stat=stat, difficulty=3, damage=4),
        say.Defence(by=hero, source=foe, stat=stat),
        say.Initiative(by=hero, stat="speed"),
        say.Move(by=who, stat="speed", difficulty=2),
        say.FullDefence(by=who),
        say.Delay(by=who),
        say.Deed(by=who, text="looks around"),
        say.Pass(by=who),
        say.Damage(by=GM, target=target, amount=chance.randrange(1, 9)),
        say.Rest(by=hero, kind=chance.choice(("one_action", "ten_minutes", "one_hour", "ten_hours"))),
        say.HealWound(by=GM, target=hero, points=1, reason="a surgeon", wound=wound(state, hero)),
        say.StartEncounter(by=GM, kind="ambush", participants=alive),
        say.SpendDestiny(by=hero, uses=(say.Use("reroll"),)),
    ]
    rare: list[Declaration] = [
        say.EndEncounter(by=GM),
        say.InflictWound(by=GM, target=hero),
        say.AdvanceTime(by=GM, seconds=chance.choice((600, 90_000))),
        say.CreateNpc(by=GM, name="Rook", kind="elite", difficulty=3, health=6, damage=5, wound_limit=2),
        say.SpendDoom(by=GM, points=1, purpose="rain"),
        Ruling(by=GM, text="so be it", reason="the tide", changes=(say.Change(f"{hero.casefold()}.health", 12),)),
        say.SetOption(by="table", name="light_wound_cost", value=chance.choice(("per_use", "per_level")), reason="x"),
        Tell(by=GM, kind="fiction", who=GM, text=chance.choice(("Rain.", "One lamp below.", "Nobody sees."))),
    ]
    usual += rare if chance.random() < 0.2 else []
    chance.shuffle(usual)
    yield from (*usual, *rare)


def wound(state: State, who: str) -> str:
    """One of somebody's wounds."""
    return next((name for name, _ in state.wounds_of(who)), "none")


def dead(state: State, who: str) -> bool:
    return any(found.name in ("dead", "fled", "incapacitated") for _, found in state.conditions_of(who))


def plays(table: Ledger[State], chance: random.Random) -> bool:
    """Something happens: mostly the next thing that is not refused; now and then a correction, or another evening."""
    fate = chance.random()
    if fate < 0.1:
        try:
            undo(table, by=GM, at=AT)
        except Refused:
            return False
        return True
    if fate < 0.12:
        table.close_session(at=AT)
        table.open_session("another", at=AT, seed=fixed_seed(str(fate)))
        return True
    for said in sayable(table, chance):
        try:
            table.declare(said, at=AT)
        except (Refused, BadFaces):
            continue
        return True
    return False


def stored(table: Ledger[State]) -> SqliteStore:
    assert isinstance(table.store, SqliteStore)
    return table.store


@pytest.mark.parametrize("seed", range(4))
def test_after_every_entry_the_tables_are_what_the_fold_from_zero_makes_of_it(tmp_path: Path, seed: int) -> None:
    table, chance = begun(tmp_path / "ledger.db"), random.Random(seed)
    store = stored(table)
    filled: Counter[str] = Counter()
    for turn in range(120):
        if turn % 17 == 16:  # somebody else sits down
            table = Ledger(store, BOOK, StateProjection(), table.seeds)
        plays(table, chance)
        assert [str(found) for found in check_read_models(store, StateProjection())] == []
        filled.update(kept.name for kept in READ_MODELS if store.read_model_rows(kept))
    store.replace_read_models(build_read_models(store, StateProjection()), after=store.head().position)
    assert list(check_read_models(store, StateProjection())) == []
    assert store.find_schema_mismatch(StateProjection.read_models) is None
    without_ties = {kept.name for kept in READ_MODELS} - {"links", "places"}  # this game ties and places nobody
    assert without_ties == set(filled), filled
    store.close()


def test_an_undo_brings_the_rows_back_that_were_there(tmp_path: Path) -> None:
    table = begun(tmp_path / "ledger.db")
    store = stored(table)
    before = {kept.name: store.read_model_rows(kept) for kept in READ_MODELS}
    table.declare(say.StartEncounter(by=GM, kind="ambush", participants=(*HEROES, *FOES)), at=AT)
    assert store.read_model_rows(ENCOUNTERS) != before["encounters"]
    undo(table, by=GM, at=AT)
    assert {kept.name: store.read_model_rows(kept) for kept in READ_MODELS} == before
    store.close()


def test_a_refusal_leaves_no_row(tmp_path: Path) -> None:
    table = begun(tmp_path / "ledger.db")
    with pytest.raises(Refused):
        table.declare(say.Attempt(by="Ash", stat="might", difficulty=3, effort=2), at=AT)
    table.declare(Tell(by=GM, kind="fiction", who=GM, text="Rain."), at=AT)
    assert list(check_read_models(stored(table), StateProjection())) == []
    stored(table).close()


def test_a_row_that_somebody_changed_is_named_and_made_anew(tmp_path: Path) -> None:
    table = begun(tmp_path / "ledger.db")
    store = stored(table)
    store._db.execute("UPDATE pools SET points = 99 WHERE name = 'Ash' AND pool = 'might'")
    store._db.execute("DELETE FROM characters WHERE name = 'Thug'")
    store._db.execute("INSERT INTO tokens VALUES ('Ash', 'gold', 7, NULL)")
    store._db.execute("UPDATE conditions SET name = name")
    assert [str(found) for found in check_read_models(store, StateProjection())] == [
        "table characters: row Thug is missing; campaign rebuild makes it anew",
        "table pools: row Ash, might: points is 99, the records say 12; campaign rebuild makes it anew",
        "table tokens: row Ash, gold should not be there; campaign rebuild makes it anew",
    ]
    store.replace_read_models(build_read_models(store, StateProjection()), after=store.head().position)
    assert list(check_read_models(store, StateProjection())) == []
    store.close()


# The tables by themselves, over a state that is put together by hand


def state() -> State:
    made = State()
    made.put("beings", "ash", Being(name="Ash", kind="pc", side="players", seen="table", joined=0))
    made.put("sheets", ("Ash", "level"), 3)
    made.put("sheets", ("Ash", "player"), "Ana")
    made.put("conditions", "burning Ash", condition("Ash", "burning", degree=2))
    made.put("conditions", "dazed Ash", condition("Ash", "dazed"))
    made.put("conditions", "failed Ash", condition("Ash", "failed", data="{}"))
    return made


def condition(who: str, name: str, *, degree: int = 1, data: str = "") -> Condition:
    ends = (Ends(at="round", due=3), Ends(at="slot", phase="action", whose="Bryn"))
    return Condition(
        who=who, name=name, degree=degree, of=None, effects=(), about="Thug", ends=ends, data=data, since=EntryId(1, 30)
    )


def test_a_character_is_shown_with_what_holds_for_it_in_words() -> None:
    assert list(CHARACTERS.rows(state())) == [
        ("Ash", "pc", "players", 3, "Ana", "burning 2, dazed", "table", 1),
    ]


def test_a_level_that_is_no_number_is_left_out() -> None:
    made = state()
    made.put("sheets", ("Ash", "level"), "third")
    assert next(iter(CHARACTERS.rows(made)))[3] is None


def test_a_condition_says_whose_it_is_since_when_and_until_when() -> None:
    assert next(iter(CONDITIONS.rows(state()))) == (
        "burning Ash", "Ash", "burning", 2, None, "Thug", "1.30", "round 3; slot action of Bryn",
    )  # fmt: skip


def test_an_encounter_says_who_is_in_it() -> None:
    made = State()
    sides = (("players", ("Ash", "Bryn")), ("foes", ("Thug",)))
    made.put("encounters", "e", Encounter(id="e", kind="ambush", scale="combat", sides=sides, round=2, turn="Ash"))
    assert list(ENCOUNTERS.rows(made)) == [("e", "ambush", "combat", 2, "", "Ash", "players: Ash, Bryn; foes: Thug")]


def test_a_condition_that_passes_to_another_touches_both() -> None:
    made = state()
    made.put("beings", "bryn", Being(name="Bryn", kind="pc", side="players", seen="table", joined=1))
    made.journal.clear()
    made.put("conditions", "dazed Ash", condition("Bryn", "dazed"))
    touched = {(change.model.name, change.key): change.row for change in row_changes(made)}
    assert set(touched) == {("characters", ("Ash",)), ("characters", ("Bryn",)), ("conditions", ("dazed Ash",))}
    assert touched["characters", ("Ash",)][5] == "burning 2"
    assert touched["characters", ("Bryn",)][5] == "dazed"


def test_only_touched_rows_are_written_and_each_once() -> None:
    made = state()
    made.put("pools", ("Ash", "might"), Pool(points=9, least=0, most=12))
    made.put("pools", ("Ash", "speed"), Pool(points=9, least=0, most=12))
    made.journal.clear()
    made.put("pools", ("Ash", "might"), Pool(points=6, least=0, most=12))
    made.put("pools", ("Ash", "might"), Pool(points=4, least=0, most=12))
    made.put("sheets", ("Ash", "armor"), 2)
    made.put("clock", "seconds", 60)
    (change,) = row_changes(made)
    assert (change.model, change.key, change.row) == (POOLS, ("Ash", "might"), ("Ash", "might", 4, 0, 12))


def test_what_is_taken_away_has_no_row_any_more() -> None:
    made = state()
    made.journal.clear()
    made.put("conditions", "failed Ash", None)
    assert {(change.model.name, change.row is None) for change in row_changes(made)} == {
        ("conditions", True),
        ("characters", False),
    }


@pytest.mark.parametrize("table", READ_MODELS, ids=lambda table: table.name)
def test_a_table_begins_with_its_key_and_concerns_dicts_of_the_state(table) -> None:
    assert tuple(table.columns)[: len(table.key)] == table.key
    assert all(isinstance(getattr(State(), part), dict) for part in table.row_keys)
    assert set(TABLES_OF_PART) == {part for kept in READ_MODELS for part in kept.row_keys}
