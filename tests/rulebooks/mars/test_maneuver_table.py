"""The table of maneuvers as data: it is whole, and agrees with the catalogue's columns."""

from __future__ import annotations

import pytest

from rulebooks.mars.maneuvers.slots import slots
from rulebooks.mars.maneuvers.table import Row, find_row, rows
from rulebooks.mars.texts import TEXTS
from tests.rulebooks.mars.seat import refusal_of

# Stamina, speed (none: a reaction), type, what resists, rounds and skills, as the catalogue has them.
COLUMNS = """
advancing-strike    1 1 offensive -          0 FMU
back-step           1 - defensive -          0 FMRU
back-step-strike    1 1 offensive -          1 FMRU
battle-cry          1 1 tactical  -          1 FMRU
brace               0 1 defensive -          1 FMU
bullrush            2 3 offensive -          0 MU
concussive-strike   2 2 offensive fortitude     1 MU
crippling-strike    1 2 offensive fortitude     2 MR
dancing-strike      1 2 offensive willpower     0 FU
disarm              2 2 tactical  athletics  0 FU
distracting-strike  2 2 offensive willpower     0 FMU
double-shot         1 2 offensive -          0 R
escape              2 1 tactical  perception 0 FR
feint               2 1 tactical  willpower     1 FMU
grapple             1 2 tactical  agility,athletics,unarmed 0 U
hard-parry          1 - defensive -          0 FM
heavy-strike        1 1 offensive -          0 MU
hook-parry          1 - defensive -          0 FM
intercept           1 - defensive -          0 FMU
intercepting-strike 1 - defensive fortitude     0 FMRU
intimidating-strike 1 2 offensive willpower     2 MU
knock-down          1 2 offensive fortitude     0 MRU
leap-strike         1 2 offensive -          0 FMU
opportunity-strike  1 - offensive -          0 FMU
penetrating-strike  1 1 offensive -          0 FR
pinning-shot        1 2 offensive fortitude     1 R
point-blank-shot    0 1 offensive -          0 R
poisonous-strike    2 2 offensive fortitude     1 FR
precise-strike      1 1 offensive -          0 FRU
provoke             0 1 tactical  willpower     1 FMRU
push                1 1 tactical  athletics  0 MU
quick-reload        1 0 tactical  -          0 R
shield-crush        1 1 offensive fortitude     0 MU
spell-deflection    1 - defensive -          0 FMRU
spell-evasion       1 - defensive -          0 FRU
spell-strike        1 2 offensive -          0 FMRU
taunt               0 1 tactical  willpower     2 FMRU
trip                1 2 offensive agility    0 MU
triple-shot         1 3 offensive -          0 R
wild-strike         1 1 offensive -          1 MU
"""
LETTERS = {"F": "finesse", "M": "martial", "R": "ranged", "U": "unarmed"}


def test_table_has_the_maneuvers_of_the_catalogue() -> None:
    assert list(rows()) == [line.split()[0] for line in COLUMNS.strip().splitlines()]


def columns_of(row: Row) -> str:
    """Return a row of the table as the catalogue has it."""
    speed, resist = "-" if row.speed is None else row.speed, ",".join(row.resist) or "-"
    letters = {skill: letter for letter, skill in LETTERS.items()}
    return f"{row.name} {row.stamina} {speed} {row.type} {resist} {row.rounds} {''.join(map(letters.get, row.skills))}"


def test_rows_agree_with_the_catalogue() -> None:
    assert [columns_of(row) for row in rows().values()] == [
        " ".join(line.split()) for line in COLUMNS.split("\n") if line
    ]


@pytest.mark.parametrize("row", rows().values(), ids=rows())
def test_help_page_lists_the_maneuver(row: Row) -> None:
    (line,) = [
        line
        for line in TEXTS.help_page.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| `{row.name}` |")
    ]
    price = "reaction" if row.speed is None else f"speed {row.speed}"
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1] == price + (f", {row.stamina} stamina" if row.stamina else "")
    assert (cells[2], cells[4]) == (", ".join(row.skills), row.text)


def test_unknown_maneuver_is_refused() -> None:
    assert refusal_of(find_row, "Asha", "moon-strike").code == "GR-E-UNKNOWN-MANEUVER"


def test_slots_follow_the_rank() -> None:
    assert [slots(rank) for rank in range(10)] == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
