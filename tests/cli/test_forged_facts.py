"""Test that a fact or hash that nobody could have recorded ends no command in a traceback."""

from __future__ import annotations

import random

import msgspec
import pytest

from ledger.facts import Declared, EncounterBegan
from tests.cli.conftest import CAST, copied, is_printable, one_error
from tests.ledger.strategies import Forger

MEMORY_MOST = 8_000_000_000  # bytes of addresses, of which most are never used
ENTRY = "ENTRY"  # stands for the forged entry
COMMANDS = (
    ["verify"],
    ["replay", "--all"],
    ["replay", "--option", "light_wound_cost=per_use"],
    ["show"],
    ["show", "encounter"],
    ["log", "--takes"],
    ["recap"],
    ["rulings", "--all"],
    ["who", "kess.might"],
    ["when", "doom > 1"],
    ["diff", "1", "2"],
    ["search", "j"],
    ["fmt", "k sneak v5"],
    ["odds", "k sneak v5"],
    ["why", ENTRY],
    ["whatif", "--drop", ENTRY],
    ["whatif", ENTRY, "v5"],
    ["whatif", "--faces", ENTRY, "/7.6"],
    ["amend", ENTRY, "+1 'rain'", "--because", "so", "--retcon"],
    ["undo", ENTRY],
    ["do", "k sneak v5"],
    ["do", '! encounter "the quay"'],
    ["do", "t rest ten_hours"],
    ["do", "undo"],
    ["do", "~ v3 retcon"],
    ["amend", "--drop", ENTRY, "--because", "so", "--compensate"],
    ["undo"],
    ["close"],
    ["rebuild"],
)
TEXTS = ("", "??", "no.such", "1.1@x", "é\x1b[31m", "gm", "Kess", "0" * 300)
NUMBERS = (0, 1, 7, 10**6, 9007199254740991)
PARTS = ("??", 7, [], {}, None, ["x"])


def other_value(chance, value):
    """Return another value of the same type."""
    if isinstance(value, msgspec.Raw):
        parts = msgspec.json.decode(value)
        parts[chance.choice(list(parts))] = chance.choice(PARTS)
        return msgspec.Raw(msgspec.json.encode(parts))
    if isinstance(value, bool) or value is None:
        return not value if isinstance(value, bool) else None
    choices = {int: NUMBERS, str: TEXTS, tuple: ((), value * 2 if isinstance(value, tuple) else ())}
    return chance.choice(choices.get(type(value), (value,)))


def forge(folder, chance):
    """Give one field of one fact another value, and return the entry."""
    forged = []

    def edit(records):
        index = chance.choice([n for n, record in enumerate(records) if record.facts])
        facts = list(records[index].facts)
        number = chance.randrange(len(facts))
        name = chance.choice(facts[number].__struct_fields__)
        facts[number] = msgspec.structs.replace(
            facts[number], **{name: other_value(chance, getattr(facts[number], name))}
        )
        forged.append(str(records[index].id))
        return [*records[:index], msgspec.structs.replace(records[index], facts=tuple(facts)), *records[index + 1 :]]

    Forger(folder.ledger).rewrite(edit, chained=True)
    Forger(folder.ledger).sql("DELETE FROM snapshots")
    return forged[0]


def assert_no_traceback(folder, entry, commands):
    """Run the commands, each on the same ledger: `invoke` raises every unexpected exception."""
    before, seeds = folder.bytes, {path: path.read_bytes() for path in folder.path.glob("seed-*")}
    for command in commands:
        done = folder.invoke(*(entry if word is ENTRY else word for word in command))
        assert done.exit_code in (0, 1, 2, 3), command
        assert is_printable(done.output), command
        folder.ledger.write_bytes(before)
        for path, content in seeds.items():
            path.write_bytes(content)


@pytest.fixture
def bounded():
    """Let what takes up all memory end in a MemoryError, which shows the seed, and not with its process."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MOST if hard < 0 else min(MEMORY_MOST, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.slow
@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("time", range(12))
def test_a_forged_field_ends_no_command_in_a_traceback(night, time):
    seed = random.randrange(10**9)
    print("seed", seed)  # shown if it fails
    assert_no_traceback(night, forge(night, random.Random(seed)), COMMANDS)


@pytest.mark.slow
@pytest.mark.usefixtures("bounded")
def test_random_forged_field_ends_few_commands_well(night):
    seed = random.randrange(10**9)
    print("seed", seed)
    assert_no_traceback(night, forge(night, random.Random(seed)), random.Random(seed).sample(COMMANDS, 4))


def test_state_that_the_rules_cannot_use_is_named(night):
    """An encounter of a scale that no rule knows: its rounds have no length."""
    began = EncounterBegan(encounter="the quay", kind="siege", scale="siege", sides=(("players", ("Nobody",)),))

    def edit(records):
        last = records[-1]
        forged = msgspec.structs.replace(last, facts=(*last.facts, began))
        return [*records[:-1], forged]

    Forger(night.ledger).rewrite(edit, chained=True)
    Forger(night.ledger).sql("DELETE FROM snapshots")
    error = one_error(night.invoke("odds", "k sneak v5"), 3)
    assert "the state after entry 4.6: what is stored cannot be used (KeyError: 'siege')" in error
    night.run("do", "k sneak v5")
    error = one_error(night.invoke("do", "close"), 3)
    assert "the state after entry 4.7: what is stored cannot be used (KeyError: 'siege')" in error


def forge_fact(folder, kind, **fields):
    """Change the first fact of a kind that has these fields, and return the entry."""
    forged = []

    def edit(records):
        for index, record in enumerate(records):
            for number, fact in enumerate(record.facts):
                if type(fact) is kind and not forged and record.session:
                    facts = list(record.facts)
                    facts[number] = msgspec.structs.replace(fact, **fields)
                    records[index] = msgspec.structs.replace(record, facts=tuple(facts))
                    forged.append(str(record.id))
        return records

    Forger(folder.ledger).rewrite(edit, chained=True)
    Forger(folder.ledger).sql("DELETE FROM snapshots")
    return forged[0]


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"{}", b'{"say":7}', b'{"say":"??"}', b'"x"', b"null"])
def test_unknown_declaration_is_a_finding_with_its_entry(saints, said):
    entry = forge_fact(saints, Declared, said=msgspec.Raw(said))
    done = saints.invoke("verify")
    assert done.exit_code == 1
    assert f"entry {entry}" in done.stdout
    assert saints.invoke("replay").exit_code == 1
    assert saints.invoke("why", entry).exit_code == 3


@pytest.mark.slow
@pytest.mark.parametrize("value", ["x'ff00'", "x'61'", "7", "1.5"])
def test_a_hash_that_is_no_text_is_a_finding(played, tmp_path, value):
    strict = "replace(sql, 'STRICT', '')"
    for column, row in (("hash", 3), ("hash", "(SELECT max(position) FROM records)"), ("public", 3)):
        (tmp_path / f"{column}-{row}"[:8]).mkdir()
        folder = copied(played, tmp_path / f"{column}-{row}"[:8])
        schema = Forger(folder.ledger).rows("SELECT sql FROM sqlite_schema WHERE name = 'records'")[0][0]
        Forger(folder.ledger).sql(
            "PRAGMA writable_schema = ON", f"UPDATE sqlite_schema SET sql = {strict} WHERE name = 'records'"
        )
        Forger(folder.ledger).change(f"UPDATE records SET {column} = {value} WHERE position = {row}")
        Forger(folder.ledger).sql(
            "PRAGMA writable_schema = ON",
            f"UPDATE sqlite_schema SET sql = '{schema.replace(chr(39), chr(39) * 2)}' WHERE name = 'records'",
        )
        for command in (["verify"], ["replay"], ["log"], ["show"], ["do", "k sneak v5"]):
            assert folder.invoke(*command).exit_code in (0, 1, 3), command


def forge_said(folder, entry, change):
    """Change the declaration of an entry, and return nothing."""

    def edit(records):
        return [changed(record) if str(record.id) == entry else record for record in records]

    def changed(record):
        said = msgspec.json.decode(record.declared.said)
        change(said)
        raw = msgspec.Raw(msgspec.json.encode(said))
        declared = msgspec.structs.replace(record.declared, said=raw)
        return msgspec.structs.replace(record, facts=(declared, *record.facts[1:]))

    Forger(folder.ledger).rewrite(edit, chained=True)
    Forger(folder.ledger).sql("DELETE FROM snapshots")


def test_notation_of_a_forged_declaration_is_the_typed_line(folder):
    folder.run("do", "k sneak v5 e1")
    forge_said(folder, "1.1", lambda said: said.update(stat="wisdom"))

    lines = folder.run("export", "1", "--notation").splitlines()
    assert "k sneak v5 e1" in lines


@pytest.mark.parametrize("said", ["stat", "whole"])
def test_edit_of_a_forged_declaration_is_an_error_with_its_entry(folder, said):
    folder.run("do", "k sneak v5 e1")
    forge_said(folder, "1.1", lambda stored: stored.update(stat="wisdom") if said == "stat" else stored.clear())
    for command in (["whatif", "1.1", "v4"], ["whatif", "--faces", "1.1", "/7.6"], ["do", "~ 1 v4"]):
        assert "entry 1.1: what is stored cannot be used" in one_error(folder.invoke(*command), 3)


def test_cast_over_a_forged_sheet_is_an_error_with_its_entry(folder):
    forge_said(folder, "0.1", lambda said: said.update(level="seven"))
    sheet = folder.file("kess.toml", CAST["kess.toml"].replace("level = 2", "level = 3"))
    error = one_error(folder.invoke("cast", str(sheet), "--because", "x"), 3)
    assert "entry 0.1" in error
    assert "campaign verify" in error


def test_long_value_of_a_forged_table_is_cut(folder):
    folder.run("do", "# The lamp room")
    Forger(folder.ledger).sql(f"UPDATE entries SET told = '{'x' * 100_000}'")
    done = folder.invoke("verify")
    assert done.exit_code == 1
    assert "(100,000 characters)" in done.stdout
    assert len(done.stdout) < 3_000
