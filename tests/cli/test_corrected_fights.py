"""Random fights of all games, corrected: the ledger says what the corrected history says when it is typed anew."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from cli.questions.edits import EditArguments, parse_edits
from cli.render.whatif import remedy_options
from ledger.acts import written_before
from ledger.builtin import BUILTIN
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import Correction, check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.errors import LedgerError, Refused
from ledger.facts import GM, Amended, EntryId, Invalidated, Rolled
from ledger.game import decoder
from ledger.implied_passes import implying_entry
from ledger.records import Record, latest_takes
from ledger.verify import verify
from ledger.whatif import Edits
from projections.projection import StateProjection
from rulebooks import load_game
from tests.cli.fights import FIGHTS, FacesLedger, begin, play
from tests.rulebooks.seat import AT

SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 60))]


def said_takes(ledger: FacesLedger) -> list[Record]:
    """Return the takes that count, of lines of the fight, without implied passes and corrections."""
    takes = latest_takes(ledger.store.takes(after=EntryId(1, 0)))
    return [take for take in takes if take.facts and not implying_entry(take) and not take.has(Amended)]


def comparable(content: Any) -> str:
    """Return facts or values without ids of entries and where faces come from: both differ in a fresh ledger."""
    text = msgspec.json.encode(content, order="sorted").decode()
    return re.sub(r'"source":"[a-z]+"|[0-9]+\.[0-9]+(\+[0-9]+)?', "", text)


def random_edits(ledger: FacesLedger, chance: Random) -> Edits:
    """Return a line left out, or other faces of one that threw dice."""
    opening = len(FIGHTS[ledger.game.name].opening)
    take = chance.choice(said_takes(ledger)[opening - 1 :])
    dice = [die for fact in take.facts if isinstance(fact, Rolled) for die in fact.dice]
    if not dice or chance.random() < 0.6:
        return parse_edits(ledger.store, load_game(ledger.game.name), EditArguments(drop=(str(take.id),)))
    faces = ".".join(str(chance.randint(1, die.sides)) for die in dice)
    arguments = EditArguments(faces=((str(take.id), f"/{faces}"),))
    return parse_edits(ledger.store, load_game(ledger.game.name), arguments)


def planned(ledger: FacesLedger, edits: Edits) -> Correction | None:
    """Return the correction with these edits; None if the rules or missing dice do not allow it."""
    try:
        correction = plan_amendment(ledger, edits, by=GM, because="so it was")
        check_writable(correction)
    except LedgerError:
        return None
    return correction


def check_retyped(corrected: FacesLedger) -> None:
    """Type the corrected history into a fresh ledger: it has the same facts and values, and refuses the same lines."""
    game = corrected.game.name
    fresh, read = begin(game), decoder(corrected.game, BUILTIN).decode
    for take in said_takes(corrected):
        assert take.declared is not None
        fresh.recorded = {
            fact.purpose: [(die.sides, die.face) for die in fact.dice]
            for fact in take.facts
            if isinstance(fact, Rolled)
        }
        record: Record | Refused
        try:
            record = fresh.declare(read(take.declared.said), at=AT, line=take.line)
        except Refused as refused:
            record = refused
        fallen = [fact.code for fact in take.facts if isinstance(fact, Invalidated)]
        if fallen and take.insert and isinstance(record, Record) and written_before(fresh.store, record):
            return  # what it implies has no room before an inserted entry
        assert fallen == ([record.code] if isinstance(record, Refused) else []), (take.id, take.line, str(record))
        if isinstance(record, Record):
            assert comparable(take.facts[1:]) == comparable(record.facts[1:]), (take.id, take.line)
    assert comparable(corrected.state.values()) == comparable(fresh.state.values())


def check_proposals(ledger: FacesLedger, edits: Edits, correction: Correction) -> int:
    """Each proposal that would keep an entry is accepted as it is typed, and keeps it; return how many there are."""
    proposed = 0
    for outcome in correction.what_if.outcomes:
        if outcome.remedy is None:
            continue
        words = shlex.split(remedy_options(outcome.remedy))
        inserts = tuple(zip(words[1::3], words[2::3], strict=True))
        more = parse_edits(ledger.store, load_game(ledger.game.name), EditArguments(insert=inserts))
        kept = plan_amendment(ledger, {**edits, **more}, by=GM, because="so it was").what_if
        names = {entry.id: entry.outcome for entry in kept.outcomes}
        assert names.get(outcome.id) != "no longer possible", (str(outcome.id), words)
        proposed += 1
    return proposed


@pytest.mark.parametrize("game", sorted(FIGHTS))
@pytest.mark.parametrize("seed", SEEDS)
def test_corrected_fight_is_the_corrected_history_typed_anew(game, seed):
    ledger, chance, count = begin(game, f"fight {seed}"), Random(seed), Counter[str]()
    play(ledger, chance, chance.randint(6, 25))
    for _ in range(6):
        edits = random_edits(ledger, chance)
        if (correction := planned(ledger, edits)) is None:
            continue
        count.update(outcome.outcome for outcome in correction.what_if.outcomes)
        count["proposed"] += check_proposals(ledger, edits, correction)
        before = ledger.state.values()
        own, _ = write_correction(ledger, correction, at=AT, line="~")
        check_retyped(ledger)
        if chance.random() < 0.7:
            undo(ledger, own.id, by=GM, at=AT)
            assert ledger.state.values() == before
    report, findings = verify(ledger.store, ledger.game, StateProjection())
    assert ([str(difference) for difference in report.differences], findings) == ([], [])
