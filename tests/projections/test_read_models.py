"""Read models: after every entry of a random game they equal the fold from zero."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import sqlite_store as sqlite
from ledger.builtin import Tell
from ledger.corrections.undo import undo
from ledger.declarations import Declaration, Ruling
from ledger.dice import fixed_seed
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Ends, EntryId
from ledger.memory_store import MemorySeeds
from ledger.read_model_build import build_read_models
from ledger.read_model_check import check_read_models
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore
from projections.projection import StateProjection
from projections.read_models import CHARACTERS, CONDITIONS, ENCOUNTERS, POOLS, READ_MODELS, TABLES_OF_PART, row_changes
from projections.state import PARTS, Being, Condition, Encounter, Pool, State
from rulebooks import load_game
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import Damage, HealWound, InflictWound, Rest, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import STATS, Change, Use
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.world import AdvanceTime

AT = "2026-01-01T20:00:00Z"
HEROES, FOES = ("Ash", "Bryn"), ("Thug", "Captain")
BOOK = load_game("dusk-bastards")


# A game played at random, in a file


def new_ledger(path: Path) -> Ledger[State]:
    """Return a ledger with two heroes, two foes and a door, session 1 open."""
    store = sqlite.create_store(path, StateProjection.read_models)
    ledger = Ledger(store, BOOK, StateProjection(), MemorySeeds())
    ledger.create("Tables", at=AT, ledger="0" * 32)
    for name in HEROES:
        ledger.declare(
            CreateCharacter(by=GM, name=name, level=2, might=12, speed=12, intellect=12, player=f"{name}'s"), at=AT
        )
    for name, kind in zip(FOES, ("minion", "elite"), strict=True):
        ledger.declare(CreateNpc(by=GM, name=name, kind=kind, difficulty=3, health=6, damage=5, wound_limit=2), at=AT)
    ledger.declare(CreateObject(by=GM, name="Door"), at=AT)
    ledger.open_session("one", at=AT, seed=fixed_seed("tables"))
    return ledger


def possible_declarations(ledger: Ledger[State], chance: random.Random) -> Iterator[Declaration]:
    """Yield declarations for this moment, many of which are refused."""
    state = ledger.state.state
    hero, foe, stat = chance.choice(HEROES), chance.choice(FOES), chance.choice(STATS)
    turn = state.encounter.turn if state.encounter else ""
    who = turn or hero
    target = hero if who in FOES else foe
    alive = tuple(name for name in (*HEROES, *FOES, "Rook") if state.being(name) and not dead(state, name))
    due = [window for window in state.windows.values() if window.kind != "roll"]
    yield from (WoundRoll(by=name, who=window.who) for window in due for name in window.awaits)
    usual: list[Declaration] = [
        Attempt(by=hero, task="climb", stat=stat, difficulty=chance.randrange(2, 7), effort=chance.randrange(2)),
        Attack(by=who, target=target, stat=stat, difficulty=3, damage=4),
        Defence(by=hero, source=foe, stat=stat),
        turns.Initiative(by=hero, stat="speed"),
        turns.Move(by=who, stat="speed", difficulty=2),
        turns.FullDefence(by=who),
        turns.Delay(by=who),
        turns.Deed(by=who, text="looks around"),
        turns.Pass(by=who),
        Damage(by=GM, target=target, amount=chance.randrange(1, 9)),
        Rest(by=hero, kind=chance.choice(("one_action", "ten_minutes", "one_hour", "ten_hours"))),
        HealWound(by=GM, target=hero, points=1, reason="a surgeon", wound=wound(state, hero)),
        turns.StartEncounter(by=GM, kind="ambush", participants=alive),
        SpendDestiny(by=hero, uses=(Use("reroll"),)),
    ]
    rare: list[Declaration] = [
        turns.EndEncounter(by=GM),
        InflictWound(by=GM, target=hero),
        AdvanceTime(by=GM, seconds=chance.choice((600, 90_000))),
        CreateNpc(by=GM, name="Rook", kind="elite", difficulty=3, health=6, damage=5, wound_limit=2),
        SpendDoom(by=GM, points=1, purpose="rain"),
        Ruling(by=GM, text="so be it", reason="the tide", changes=(Change(f"{hero.casefold()}.health", 12),)),
        SetOption(by="table", name="light_wound_cost", value=chance.choice(("per_use", "per_level")), reason="x"),
        Tell(by=GM, kind="fiction", who=GM, text=chance.choice(("Rain.", "One lamp below.", "Nobody sees."))),
    ]
    usual += rare if chance.random() < 0.2 else []
    chance.shuffle(usual)
    yield from (*usual, *rare)


def wound(state: State, who: str) -> str:
    """Return a wound of a being."""
    return next((name for name, _ in state.wounds_of(who)), "none")


def dead(state: State, who: str) -> bool:
    return any(found.name in ("dead", "fled", "incapacitated") for _, found in state.conditions_of(who))


def play(ledger: Ledger[State], chance: random.Random) -> bool:
    """Declare something that is not refused, undo the last line, or open the next session."""
    fate = chance.random()
    if fate < 0.1:
        try:
            undo(ledger, by=GM, at=AT)
        except Refused:
            return False
        return True
    if fate < 0.12:
        ledger.close_session(at=AT)
        ledger.open_session("another", at=AT, seed=fixed_seed(str(fate)))
        return True
    for said in possible_declarations(ledger, chance):
        try:
            ledger.declare(said, at=AT)
        except (Refused, BadFaces):
            continue
        return True
    return False


def store_of(ledger: Ledger[State]) -> SqliteStore:
    assert isinstance(ledger.store, SqliteStore)
    return ledger.store


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_read_models_equal_the_fold_after_every_entry(tmp_path: Path, seed: int) -> None:
    ledger, chance = new_ledger(tmp_path / "ledger.db"), random.Random(seed)
    store = store_of(ledger)
    filled: Counter[str] = Counter()
    for turn in range(120):
        if turn % 17 == 16:  # another process opens the file
            ledger = Ledger(store, BOOK, StateProjection(), ledger.seeds)
        play(ledger, chance)
        assert [str(found) for found in check_read_models(store, StateProjection())] == []
        filled.update(model.name for model in READ_MODELS if store.read_model_rows(model))
    check_sums(ledger)
    store.replace_read_models(build_read_models(store, StateProjection()), after=store.head())
    assert list(check_read_models(store, StateProjection())) == []
    assert store.find_schema_mismatch(StateProjection.read_models) is None
    without_ties = {model.name for model in READ_MODELS} - {"links", "places"}  # this game has no ties and places
    assert without_ties == set(filled), filled
    store.close()


def check_sums(ledger: Ledger[State]) -> None:
    """Each counted change begins where the one before it ended, and the last ends at the value of the state."""
    ledger.refresh()
    values: dict[str, int | str | None] = {}
    rows = "SELECT value, before, after, change FROM changes WHERE counts ORDER BY moment, fact"
    for name, before, after, change in store_of(ledger).connection.execute(rows):
        assert values.get(name) == before
        assert change is None or (before or 0) + change == (after or 0)
        values[name] = after
    assert {name: value for name, value in values.items() if value is not None} == ledger.state.values()


@pytest.mark.slow
def test_undo_restores_the_rows(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path / "ledger.db")
    store = store_of(ledger)
    before = {model.name: store.read_model_rows(model) for model in READ_MODELS}
    ledger.declare(turns.StartEncounter(by=GM, kind="ambush", participants=(*HEROES, *FOES)), at=AT)
    assert store.read_model_rows(ENCOUNTERS) != before["encounters"]
    undo(ledger, by=GM, at=AT)
    assert {model.name: store.read_model_rows(model) for model in READ_MODELS} == before
    store.close()


@pytest.mark.slow
def test_refusal_writes_no_row(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path / "ledger.db")
    with pytest.raises(Refused):
        ledger.declare(Attempt(by="Ash", stat="might", difficulty=3, effort=2), at=AT)
    ledger.declare(Tell(by=GM, kind="fiction", who=GM, text="Rain."), at=AT)
    assert list(check_read_models(store_of(ledger), StateProjection())) == []
    store_of(ledger).close()


@pytest.mark.slow
def test_edited_row_is_named_and_rebuilt(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path / "ledger.db")
    store = store_of(ledger)
    store.connection.execute("UPDATE pools SET points = 99 WHERE name = 'Ash' AND pool = 'might'")
    store.connection.execute("DELETE FROM characters WHERE name = 'Thug'")
    store.connection.execute("INSERT INTO tokens VALUES ('Ash', 'gold', 7, NULL)")
    store.connection.execute("UPDATE conditions SET name = name")
    assert [str(found) for found in check_read_models(store, StateProjection())] == [
        "table characters: row Thug is missing; make it again with: campaign rebuild",
        "table pools: row Ash, might: points is 99, the records say 12; make it again with: campaign rebuild",
        "table tokens: row Ash, gold should not be there; make it again with: campaign rebuild",
    ]
    store.replace_read_models(build_read_models(store, StateProjection()), after=store.head())
    assert list(check_read_models(store, StateProjection())) == []
    store.close()


# Single read models over a state state by hand


def hand_made() -> State:
    state = State()
    state.put("beings", "ash", Being(name="Ash", kind="pc", side="players", seen="table", joined=0))
    state.put("sheets", ("Ash", "level"), 3)
    state.put("sheets", ("Ash", "player"), "Ana")
    state.put("conditions", "burning Ash", condition("Ash", "burning", degree=2))
    state.put("conditions", "dazed Ash", condition("Ash", "dazed"))
    state.put("conditions", "failed Ash", condition("Ash", "failed", data="{}"))
    return state


def condition(who: str, name: str, *, degree: int = 1, data: str = "") -> Condition:
    ends = (Ends(at="round", due=3), Ends(at="slot", phase="action", whose="Bryn"))
    return Condition(
        who=who, name=name, degree=degree, of=None, effects=(), about="Thug", ends=ends, data=data, since=EntryId(1, 30)
    )


def test_character_row_has_conditions_in_words() -> None:
    assert list(CHARACTERS.rows(hand_made())) == [("Ash", "pc", "players", 3, "Ana", "burning 2, dazed", "table", 1)]


def test_level_that_is_a_word_is_left_out() -> None:
    state = hand_made()
    state.put("sheets", ("Ash", "level"), "third")
    assert next(iter(CHARACTERS.rows(state)))[3] is None


def test_condition_row_has_owner_start_and_ends() -> None:
    assert next(iter(CONDITIONS.rows(hand_made()))) == (
        "burning Ash", "Ash", "burning", 2, None, "Thug", "1.30", "round 3; slot action of Bryn",
    )  # fmt: skip


def test_encounter_row_has_its_members() -> None:
    state = State()
    sides = (("players", ("Ash", "Bryn")), ("foes", ("Thug",)))
    state.put("encounters", "e", Encounter(id="e", kind="ambush", scale="combat", sides=sides, round=2, turn="Ash"))
    assert list(ENCOUNTERS.rows(state)) == [("e", "ambush", "combat", 2, "", "Ash", "players: Ash, Bryn; foes: Thug")]


def test_condition_with_a_new_owner_changes_both_rows() -> None:
    state = hand_made()
    state.put("beings", "bryn", Being(name="Bryn", kind="pc", side="players", seen="table", joined=1))
    state.journal.clear()
    state.put("conditions", "dazed Ash", condition("Bryn", "dazed"))
    touched = {(change.model.name, change.key): change.row for change in row_changes(state)}
    assert set(touched) == {("characters", ("Ash",)), ("characters", ("Bryn",)), ("conditions", ("dazed Ash",))}
    assert touched["characters", ("Ash",)][5] == "burning 2"
    assert touched["characters", ("Bryn",)][5] == "dazed"


def test_changed_row_is_written_once() -> None:
    state = hand_made()
    state.put("pools", ("Ash", "might"), Pool(points=9, least=0, most=12))
    state.put("pools", ("Ash", "speed"), Pool(points=9, least=0, most=12))
    state.journal.clear()
    state.put("pools", ("Ash", "might"), Pool(points=6, least=0, most=12))
    state.put("pools", ("Ash", "might"), Pool(points=4, least=0, most=12))
    state.put("sheets", ("Ash", "armor"), 2)
    state.put("clock", "seconds", 60)
    (change,) = row_changes(state)
    assert (change.model, change.key, change.row) == (POOLS, ("Ash", "might"), ("Ash", "might", 4, 0, 12))


def test_deleted_item_has_no_row() -> None:
    state = hand_made()
    state.journal.clear()
    state.put("conditions", "failed Ash", None)
    assert {(change.model.name, change.row is None) for change in row_changes(state)} == {
        ("conditions", True),
        ("characters", False),
    }


@pytest.mark.parametrize("model", READ_MODELS, ids=lambda model: model.name)
def test_read_model_begins_with_its_key(model) -> None:
    assert tuple(model.columns)[: len(model.key)] == model.key


def test_every_part_of_a_read_model_is_part_of_the_state() -> None:
    assert set(TABLES_OF_PART) == {part for model in READ_MODELS for part in model.row_keys} <= set(PARTS)
