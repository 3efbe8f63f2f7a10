"""Lines of several: what is refused does not depend on dice that nobody has kept, in any game."""

from __future__ import annotations

from random import Random

import pytest

from ledger.acts import CutShort, entries_of_line
from ledger.corrections.undo import undo
from ledger.errors import LedgerError
from ledger.facts import GM, Rolled
from rulebooks.testing.seat import AT
from tests.budget import BUDGET
from tests.cli.fights import FIGHTS, FacesLedger, begin, play, say, with_faces

KEYS = [f"faces {number}" for number in range(12)]
CUT_IN = {"monolith": 69}  # the first seed with a line that is cut short; in the other games it is 0


def outcome_with_other_faces(ledger: FacesLedger, key: str, line: str) -> str:
    """Return why nothing of a line is kept with the dice of this key; empty if something is."""
    trial = with_faces(ledger, key)
    head = trial.store.head()
    result = say(trial, line)
    if isinstance(result, CutShort):
        act = entries_of_line(trial.store, result.record)
        assert any(record.has(Rolled) for record in act), (line, str(result))
        assert act[-1].is_cut_short
        return ""
    if isinstance(result, LedgerError):
        assert trial.store.head() == head, line
        return str(result)
    return "" if result is not None else "nothing to do"


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("game", sorted(FIGHTS))
@pytest.mark.parametrize("seed", BUDGET.seeds(1, 20))
def test_faces_decide_no_refusal_of_a_whole_line(game, seed):
    ledger, chance = begin(game, f"fight {seed}"), Random(seed)
    play(ledger, chance, seed % 12)
    lines = FIGHTS[game].several
    for line in chance.sample(lines, 6 if seed < 2 else len(lines)):
        outcomes = {outcome_with_other_faces(ledger, key, line) for key in KEYS}
        assert len(outcomes) == 1, (line, outcomes)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", sorted(FIGHTS))
def test_cut_line_is_one_act_that_undo_takes_back(game):
    """Some line of each game is cut short; its undo leaves the state before it."""
    cut = 0
    for seed in [CUT_IN.get(game, 0), *range(80)]:
        ledger, chance = begin(game, f"fight {seed}"), Random(seed)
        play(ledger, chance, seed % 12)
        for line in FIGHTS[game].several:
            trial = with_faces(ledger, f"cut {seed}")
            before = trial.state.values()
            if not isinstance(say(trial, line), CutShort):
                continue
            cut += 1
            undo(trial, by=GM, at=AT)
            assert trial.state.values() == before, line
        if cut:
            break
    assert cut


def test_line_of_several_is_said_in_order_of_play():
    ledger = begin("monolith")
    play(ledger, Random(0), 0)
    record = say(ledger, "o,v attack r2")
    assert [take.by for take in entries_of_line(ledger.store, record)] == ["Vega", "Okoro"]
