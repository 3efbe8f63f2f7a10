"""Random fights of all games, corrected: the ledger says what the corrected history says when it is typed anew."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Container, Sequence
from functools import partial
from random import Random
from typing import Any, Final

import msgspec
import pytest

from cli.play.settlement import settle
from cli.questions.edits import EditArguments, parse_edits
from cli.render.whatif import remedy_options
from ledger.acts import written_before
from ledger.builtin import BUILTIN
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import Correction, check_writable
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused
from ledger.facts import GM, Amended, EntryId, Invalidated, Rolled
from ledger.game import decoder
from ledger.implied_passes import implying_entry
from ledger.records import Record, latest_takes
from ledger.verify import verify
from ledger.whatif import Edits
from projections.projection import StateProjection
from rulebooks import load_game
from rulebooks.testing.seat import AT
from tests.budget import BUDGET
from tests.cli.fights import FIGHTS, FacesLedger, begin, play, say, with_faces

GOING_ON: Final = re.compile("(begin|close|done|end|go|init|momentum|pass|round|wound)$")
SEEDS = BUDGET.seeds(1, 30)


def said_takes(ledger: FacesLedger) -> list[Record]:
    """Return the takes that count, of lines of the fight, without corrections and the passes that a line implies.

    A pass stays that a line implies only after more than it: another that the correction gave was written between.
    """
    takes = [take for take in latest_takes(ledger.store.takes(after=EntryId(1, 0))) if take.facts]
    return [
        take
        for take, following in zip(takes, [*takes[1:], None], strict=True)
        if not take.has(Amended) and not (following and is_implied_by(take, following))
    ]


def is_implied_by(take: Record, following: Record) -> bool:
    """Return whether a take is a pass that the next one implies, or is implied before with it."""
    implying = implying_entry(take)
    return implying != "" and implying in (str(following.id), implying_entry(following))


def comparable(content: Any) -> str:
    """Return facts or values without ids of entries and where faces come from: both differ in a fresh ledger."""
    text = msgspec.json.encode(content, order="sorted").decode()
    return re.sub(r'"source":"[a-z]+"|[0-9]+\.[0-9]+(\+[0-9]+)?', "", text)


def random_edits(ledger: FacesLedger, chance: Random) -> Edits:
    """Return one or two lines that are left out, or have other faces if they threw dice."""
    opening = len(FIGHTS[ledger.game.name].opening)
    drops, faces = list[str](), list[tuple[str, str]]()
    for take in chance.sample(said_takes(ledger)[opening - 1 :], k=chance.choice((1, 1, 2))):
        dice = [die for fact in take.facts if isinstance(fact, Rolled) for die in fact.dice]
        if not dice or chance.random() < 0.6:
            drops.append(str(take.id))
        else:
            faces.append((str(take.id), "/" + ".".join(str(chance.randint(1, die.sides)) for die in dice)))
    arguments = EditArguments(drop=tuple(drops), faces=tuple(faces))
    return parse_edits(ledger.store, load_game(ledger.game.name), arguments)


def planned(ledger: FacesLedger, edits: Edits) -> Correction | None:
    """Return the correction with these edits; None if the rules or missing dice do not allow it."""
    try:
        correction = plan_amendment(ledger, edits, by=GM, because="so it was")
        check_writable(correction)
    except LedgerError:
        return None
    return correction


def write(ledger: FacesLedger, correction: Correction) -> Record:
    """Write a correction, and return its own record; without `--pass` it is refused where it gives somebody a turn."""
    retcon = partial(settle, ledger, correction, "retcon", "scene", line="~", at=AT)
    if not correction.what_if.entries_with_outcome("new turn"):
        return retcon().records[0]
    with pytest.raises(Refused, match="L-OPENED"):
        retcon()
    return retcon(passing=True).records[0]


def check_nothing_to_propose(fresh: FacesLedger, said: Declaration, take: Record) -> None:
    """Check that no line which lets the fight go on would keep a line that falls away without a proposal."""
    for line in filter(GOING_ON.search, FIGHTS[fresh.game.name].single):
        other = with_faces(fresh, "one")
        if isinstance(say(other, line), Record):
            other.recorded = fresh.recorded
            try:
                other.declare(said, at=AT, line=take.line)
            except Refused:
                continue
            pytest.fail(f"{line} keeps {take.id} {take.line}")


def check_retyped(corrected: FacesLedger, unproposed: Container[EntryId]) -> None:
    """Type the corrected history into a fresh ledger: it has the same facts and values, and refuses the same lines.

    For those that are `unproposed`, nothing was proposed that would keep them.
    """
    game = corrected.game.name
    fresh, read = begin(game), decoder(corrected.game, BUILTIN).decode
    for take in said_takes(corrected):
        assert take.declared is not None
        fresh.recorded = take
        said = read(take.declared.said)
        if take.id in unproposed and not take.insert:  # before an inserted entry is no room for another
            check_nothing_to_propose(fresh, said, take)
        record: Record | Refused
        try:
            record = fresh.declare(said, at=AT, line=take.line)
        except Refused as refused:
            record = refused
        fallen = [fact.code for fact in take.facts if isinstance(fact, Invalidated)]
        if fallen and take.insert and isinstance(record, Record) and written_before(fresh.store, record):
            return  # what it implies has no room before an inserted entry
        # A line that stays refused keeps the reason of the correction that refused it first.
        assert bool(fallen) == isinstance(record, Refused), (take.id, take.line, str(record))
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


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(FIGHTS))
@pytest.mark.parametrize("seed", SEEDS)
def test_corrected_fight_is_the_corrected_history_typed_anew(game: str, seed: int) -> None:
    ledger, chance, count = begin(game, f"fight {seed}"), Random(seed), Counter[str]()
    play(ledger, chance, chance.randint(6, 25))
    for _ in range(6):
        edits = random_edits(ledger, chance)
        if (correction := planned(ledger, edits)) is None:
            continue
        count.update(outcome.outcome for outcome in correction.what_if.outcomes)
        count["proposed"] += check_proposals(ledger, edits, correction)
        before = ledger.state.values()
        own = write(ledger, correction)
        falls = correction.what_if.entries_with_outcome("no longer possible")
        check_retyped(ledger, {entry.id for entry in falls if entry.remedy is None})
        if chance.random() < 0.7:
            undo(ledger, own.id, by=GM, at=AT)
            assert ledger.state.values() == before
    report, findings = verify(ledger.store, ledger.game, StateProjection())
    assert ([str(difference) for difference in report.differences], findings) == ([], [])


@pytest.mark.parametrize(
    ("game", "lines", "dropped", "proposed"),
    [
        ("mars", ("! g1 attack asha ...", "go", "! g1 end"), (-2,), "--insert 1.6 '! go /5.2.5.5.2'"),
        ("monolith", ("! done", "! round", 'v declare "on"'), (-2,), "--insert 1.6 '! round'"),
        ("monolith", ("! done", "! round"), (-2,), "--insert 1.5 '! done'"),
        (
            "dusk-bastards",
            ("h pass", "! damage wren 30", "w wound /6.6", "ferry pass", "thug 1 pass"),
            (-3, -2),
            "--insert 1.9 'Wren wound Wren /6.6' --insert 1.9 '! close' --insert 1.9 '\"The Ferryman\" pass'",
        ),
    ],
)
def test_dropped_step_is_proposed(game: str, lines: Sequence[str], dropped: Sequence[int], proposed: str) -> None:
    ledger = begin(game, "fight 209")
    for line in [*FIGHTS[game].opening, *lines]:
        assert isinstance(say(ledger, line), Record), line
    takes = said_takes(ledger)
    arguments = EditArguments(drop=tuple(str(takes[index].id) for index in dropped))
    edits = parse_edits(ledger.store, load_game(game), arguments)
    correction = planned(ledger, edits)
    assert correction is not None
    remedies = {entry.id: entry.remedy for entry in correction.what_if.outcomes}
    remedy = remedies[takes[-1].id]
    assert remedy is not None
    assert remedy_options(remedy) == proposed
    check_proposals(ledger, edits, correction)


def test_turn_that_was_passed_for_a_line_goes_with_its_undo() -> None:
    ledger = begin("mars")
    for line in ('! encounter "x"', "a init /10.10.4", "b init /9.9", "! g1 init /1.1", "! g2 init /1.1"):
        assert isinstance(say(ledger, line), Record), line
    assert isinstance(say(ledger, '! leave bram "runs"'), Record)
    dropped = said_takes(ledger)[-1].id
    for line in ("a end", "! g1 end", "! g2 end"):
        assert isinstance(say(ledger, line), Record), line
    correction = planned(ledger, parse_edits(ledger.store, load_game("mars"), EditArguments(drop=(str(dropped),))))
    assert correction is not None
    write(ledger, correction)
    assert [take.line for take in said_takes(ledger)[-2:]] == ["Bram end", "! g2 end"]
    undone = undo(ledger, by=GM, at=AT)
    assert said_takes(ledger)[-1].line == "! g1 end"
    undo(ledger, undone.id, by=GM, at=AT)
    assert [take.line for take in said_takes(ledger)[-2:]] == ["Bram end", "! g2 end"]
