"""Test numbers of thousands of digits and sheets of thousands of skills: one short line of error."""

from __future__ import annotations

import pytest

from tests.cli.conftest import one_error

ANSWER_MOST = 1_200


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("digits", [25, 4_000, 5_000])
@pytest.mark.parametrize(
    "command",
    [
        "why 1.1.{}",
        "why 1.1@{}",
        "why {}.1",
        "whatif --session {} --option light_wound_cost=per_use",
        "replay {}",
        "replay {} --option light_wound_cost=per_use",
        "recap {}",
        "log {}",
        "show --at {}.1",
        "diff {} 1",
        "undo 1.{}",
        "verify --head {}",
    ],
)
def test_number_of_many_digits_is_one_short_error(played, command, digits):
    done = played.run_main(*command.format("9" * digits).split())
    assert done.returncode in (1, 2, 3)
    assert len(one_error(done, done.returncode)) < ANSWER_MOST


@pytest.mark.slow
def test_sheet_of_many_skills_is_a_short_error(folder):
    skills = "".join(f'skill{number} = "nonsense"\n' for number in range(30_000))
    sheet = folder.file("many.toml", f'name = "Ash"\nmight = 12\nspeed = 10\nintellect = 9\n[skills]\n{skills}')
    done = folder.run_main("cast", str(sheet))
    assert done.returncode == 3
    assert len(done.stdout) + len(done.stderr) < ANSWER_MOST


@pytest.mark.slow
def test_sheet_of_many_unknown_fields_is_a_short_error(folder):
    fields = "".join(f"field{number} = 1\n" for number in range(30_000))
    done = folder.run_main("cast", str(folder.file("many.toml", f'name = "Ash"\n{fields}')))
    assert done.returncode == 3
    assert len(done.stdout) + len(done.stderr) < ANSWER_MOST
