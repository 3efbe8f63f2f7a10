"""While a session is open, no question, preview, odds or refusal knows a face that was never drawn.

Two ledgers hold the same records, all dice of the open session typed in at the table; only its seed is another.
Whatever is asked, both have to answer alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budget import BUDGET
from tests.cli.conftest import Folder, copied

DOVEL = 'sheet = "npc"\nname = "Dovel"\nkind = "elite"\ndifficulty = 5\nhealth = 8\ndamage = 4\nwound_limit = 2\n'
KNOWN = ("k sneak v5 e1", "o climb v4", "k leap v6", "close", "k rest one_action order=speed")
TYPED = (
    "k sneak v5 e1 /3.4",  # 2.1
    "k sneak e1 /9.3",
    "close",
    'o climb v0 new="another wall"',  # nothing is thrown
    "# the quay",
    "k rest one_hour order=speed /3",
    '! encounter "the quay"',
    "k initiative /6.5",
    "o initiative /2.2",
    "close",  # 2.10
    "o charge dovel",
    "k move",
    "! dovel pass",
    "o dodge dovel /1.2",
    "! dovel pass",
    "! damage orrin 12",
    "o wound /8.3",
    "close",
    "k attack dovel s d4 e1 /11.10",
    "k destiny reroll /2.12",  # 2.20
    "k pass",
    "= k M9 D1",
    '! rule DB-SKILL-1 "no light needed" "a vote" session',
    "o move short /5.3",
)
HASHES = re.compile(r"\b[0-9a-f]{64}\b")
LINES = [line.partition(" /")[0] for line in TYPED] + [
    "k leap v9", "o force v3 c2", "k retry e1", "o retry e1", "k move short", "k destiny reroll", "o wound",
    "k wound dovel", "k rest one_hour order=might", "k dodge dovel", "k attack dovel s d4 ranged",
    "! doom 1 change-target", '! ruling "w" "w" kess.wound=4', '! ruling "w" "w" orrin.destiny=1',
    "k destiny regain:speed", "! end", "go",
]  # fmt: skip
CHANGES = [
    "v3", "v0", "v12", "e0", "e1", "e2", "no e1", '+1"rain"', '-2"hail"', '+a2"rope"', "short", "d9", "orrin", "dovel",
    "take20", "hidden", "/1.1", "/12.12", "/4", "/1.1/2.2", "reroll", "no reroll", "change-target", "regain:might",
]  # fmt: skip
ENTRIES = st.integers(0, len(TYPED)).map("2.{}".format) | st.sampled_from(
    ["1.1", "1.2", "1.3", "1.5", "1.6", "0.1", "0.2", "2.99", "2.24+1"]
)
FACES = st.sampled_from(["/7.6", "/1.1", "/12.11", "/3", "/1.2.3"])
CHANGE = st.sampled_from(CHANGES) | st.sampled_from(LINES) | st.builds("{} {}".format, *[st.sampled_from(CHANGES)] * 2)
NUMBERS = st.integers(1, len(TYPED))
EDIT = st.one_of(
    st.builds(lambda entry: ["--drop", entry], ENTRIES),
    st.builds(lambda entry, line: ["--insert", entry, line], ENTRIES, st.sampled_from(LINES)),
    st.builds(lambda entry, faces: ["--faces", entry, faces], ENTRIES, FACES),
)
ROLLS = [
    "k leap v9 e1",
    "o force v3 c2",
    "k sneak v4 e1",
    "o lift v5",
    "k rest one_action order=speed",
    "o climb v12 e1 /1.1",
]
ASKING = st.one_of(  # what may want a face that was never drawn
    NUMBERS.map(lambda number: [f"2.{number}", TYPED[number - 1].partition(" /")[0]]),
    st.builds(lambda number, roll: ["--insert", f"2.{number}", roll], st.integers(0, 6), st.sampled_from(ROLLS)),
    st.integers(1, 12).map(lambda difficulty: ["2.4", f"v{difficulty}"]),
    st.sampled_from(["2.11", "2.12", "2.24"]).map(lambda entry: [entry, "k move short"]),
    st.builds(lambda number, roll: [f"2.{number}", roll], st.sampled_from([4, 5, 6]), st.sampled_from(ROLLS)),
)
EDITS = st.lists(EDIT, max_size=2).map(lambda edits: [word for edit in edits for word in edit])
CHANGED = st.one_of(
    ASKING,
    st.builds(lambda asking, edits: [*asking, *edits], ASKING, EDITS),
    st.builds(lambda entry, change, edits: [entry, change, *edits], ENTRIES, CHANGE, EDITS),
    EDITS,
)
OPTION = st.sampled_from(["target_change_per_point=1", "combat_attacks_are_retries=on", "destiny_on_wound_rolls=on"])
OUTCOME = st.sampled_from([["--retcon", "--pass"], ["--retcon"], ["--stand"], ["--compensate"]])
PLAIN = st.sampled_from([[], ["--json"]])
QUESTIONS = st.one_of(
    st.builds(lambda said, plain: ["whatif", *said, *plain], CHANGED, PLAIN),
    st.builds(lambda said, how, plain: ["amend", *said, "--because", "so", *how, *plain], CHANGED, OUTCOME, PLAIN),
    st.builds(lambda said, option: ["whatif", *said, "--option", option], CHANGED, OPTION),
    st.builds(lambda option, plain: ["replay", "2", "--option", option, *plain], OPTION, PLAIN),
    st.builds(lambda line, plain: ["odds", line, *plain], st.sampled_from(LINES), PLAIN),
    st.builds(lambda entry, change: ["do", f"~ {entry} {change} because=so retcon"], ENTRIES, CHANGE),
    ASKING.map(lambda asking: ["do", f"~ {' '.join(asking)} because=so retcon"]),
    st.builds(lambda change: ["do", f"~ {change}"], CHANGE),
    st.builds(lambda entry, plain: ["why", entry, *plain], ENTRIES, PLAIN),
    st.builds(lambda plain: ["undo", *plain], PLAIN),
    st.sampled_from([["replay", "--json"], ["verify"], ["show", "--json"], ["recap", "2"]]),
)  # fmt: skip


@pytest.fixture(scope="module")
def twins(new_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> list[Folder]:
    """Return two ledgers with the same records and different secret seeds in the open session."""
    first = copied(new_folder, tmp_path_factory.mktemp("one"))
    first.run("cast", str(first.file("dovel.toml", DOVEL)))
    first.run("open", "Known", "--seed", "known")
    for line in KNOWN:
        first.run("do", line)
    first.run("close")
    second = copied(first, tmp_path_factory.mktemp("two"))
    for folder, seed in ((first, "one"), (second, "two")):
        folder.run("open", "Secret", "--seed", seed)
        for line in TYPED:
            folder.run("do", line)
    return [first, second]


def answered(folder: Folder, commands: list[list[str]]) -> Iterator[tuple[int, str, str]]:
    """Return what the commands print and what is stored, with the fingerprints of the seeds masked."""
    for command in [*commands, ["log", "--takes", "--json"]]:
        done = folder.invoke(*command)
        yield done.exit_code, HASHES.sub("#", done.stdout), HASHES.sub("#", done.stderr)


@pytest.mark.slow
def test_twin_ledgers_have_different_dice(twins, tmp_path):
    drawn = [copied(folder, tmp_path / str(number)).run("do", "k move short") for number, folder in enumerate(twins)]
    assert drawn[0] != drawn[1]
    first, second = (list(answered(folder, [])) for folder in twins)
    assert first == second


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(1, 75))
@given(commands=st.lists(QUESTIONS, min_size=1, max_size=4))
def test_no_dispute_command_uses_the_seed_of_an_open_session(twins, commands):
    kept = [folder.bytes for folder in twins]
    try:
        first, second = (list(answered(folder, commands)) for folder in twins)
        for command, mine, other in zip([*commands, ["log"]], first, second, strict=True):
            assert mine == other, command
    finally:
        for folder, body in zip(twins, kept, strict=True):
            Path(folder.ledger).write_bytes(body)


@pytest.mark.slow
def test_whatif_stops_with_odds_at_a_missing_face(twins):
    for folder in twins:
        printed = folder.run("whatif", "2.4", "v5")
        assert printed.startswith("would change: from 2.4 on it takes dice that were never thrown. ")
        assert "the run ends here: task Orrin: the d12 and d12 of 'task Orrin' were never drawn." in printed
        assert re.search(r"^      Orrin task success: \d+ of 144 \(\d+%\)$", printed, re.MULTILINE)
        assert "at the end" not in printed
        assert "Orrin failed" in folder.run("whatif", "2.4", "v5", "/7.6")
