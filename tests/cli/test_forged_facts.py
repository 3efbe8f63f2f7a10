"""Test that a fact or hash that nobody could have recorded ends no command in a traceback."""

from __future__ import annotations

import random

import msgspec
import pytest

from ledger.facts import Declared
from tests.cli.conftest import copied, is_printable
from tests.ledger.strategies import Forger

COMMANDS = (
    ["verify"],
    ["replay"],
    ["show"],
    ["log", "--takes"],
    ["recap"],
    ["rulings", "--all"],
    ["who", "kess.might"],
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_forged_field_ends_no_command_in_a_traceback(saints, seed):
    entry = forge(saints, random.Random(seed))
    for command in (*COMMANDS, ["why", entry]):
        done = saints.invoke(*command)
        assert done.exit_code in (0, 1, 2, 3), command
        assert is_printable(done.output), command


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


@pytest.mark.parametrize("said", [b"{}", b'{"say":7}', b'{"say":"??"}', b'"x"', b"null"])
def test_unknown_declaration_is_a_finding_with_its_entry(saints, said):
    entry = forge_fact(saints, Declared, said=msgspec.Raw(said))
    done = saints.invoke("verify")
    assert done.exit_code == 1
    assert f"entry {entry}" in done.stdout
    assert saints.invoke("replay").exit_code == 1
    assert saints.invoke("why", entry).exit_code == 3


@pytest.mark.parametrize("value", ["x'ff00'", "x'61'", "7", "1.5"])
def test_a_hash_that_is_no_text_is_a_finding(played, tmp_path, value):
    strict = "replace(sql, 'STRICT', '')"
    for column, row in (("hash", 3), ("hash", "(SELECT max(position) FROM records)"), ("body", 3)):
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
