"""Announced attacks, their reactions, and dice that wait for Help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Refused
from ledger.facts import GM, EntryId, Judged, PointsLost, Rolled, WindowClosed
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.verify import verify
from ledger.whatif import Edit
from projections.projection import StateProjection
from rulebooks.common.announcements import ANNOUNCED, Go, announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import (
    Allowance,
    Answer,
    Attack,
    Defend,
    DoubleAttack,
    Help,
    Interpose,
    Move,
    Reaction,
    Reroll,
    Strike,
)
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks, faces, hits, reacts

KINDS: dict[str, type[Answer]] = {"defend": Defend, "interpose": Interpose, "help": Help, "late": Help}


FILL = "fill"


def as_answer(reaction: Reaction, attack: int = 1) -> Answer:
    """Return the reaction as a line of its own."""
    if reaction.kind in ("help", "late"):
        return Help(
            by=reaction.who, how=reaction.how, because=reaction.because, refused=reaction.refused, attack=attack
        )
    return KINDS[reaction.kind](by=reaction.who, attack=attack)


def announce_and_answer(seat: Seat, said: Strike) -> list[Record]:
    """Announce, answer and roll an attack; choose the dice of Help after the roll."""
    bare = {"reactions": (), "reroll": ()}
    bare |= {"second": (), "reroll_second": ()} if isinstance(said, DoubleAttack) else {}
    records = [seat.say(announcement(msgspec.structs.replace(said, **bare)))]
    groups = (said.reactions, said.second) if isinstance(said, DoubleAttack) else (said.reactions,)
    for late in (False, True):
        for attack, group in enumerate(groups, 1):
            records += [
                seat.say(as_answer(reaction, attack)) for reaction in group if (reaction.kind == "late") == late
            ]
        if not late:
            wait = any(reaction.kind == "late" for group in groups for reaction in group)
            records.append(seat.say(Go(by=GM, wait=wait)))
    if ANNOUNCED in seat.state.windows:
        second = said.reroll_second if isinstance(said, DoubleAttack) else ()
        records.append(seat.say(Reroll(by=said.by, dice=said.reroll, second=second)))
    return records


def outcome(seat: Seat, records: Iterable[Record]) -> tuple[Any, ...]:
    """Return all faces by purpose, judgements, losses, and the state without the entries that it names."""
    records = list(records)
    rolled = sorted((fact.purpose, fact.dice) for record in records for fact in of_kind(record, Rolled))
    judged = sorted(
        (fact for record in records for fact in of_kind(record, Judged)), key=lambda fact: ENCODER.encode(fact)
    )
    lost = [fact for record in records for fact in of_kind(record, PointsLost)]
    return rolled, judged, lost, BOOKS.values(seat.state), sorted(seat.state.conditions), sorted(seat.state.windows)


BOOKS = StateProjection()


WHO = ("Arlo", "Bex", "Cole", "Dara")


FOES = ("Brute", "Guard", "Slinger", "Colossus")


@st.composite
def strikes(draw: st.DrawFn) -> Strike:
    """Draw an attack with reactions on its line, most of them legal."""
    foe = draw(st.booleans())
    by, target = draw(st.sampled_from(FOES if foe else WHO)), draw(st.sampled_from(WHO if foe else FOES))
    others = draw(st.permutations([who for who in WHO if who not in (by, target)]))
    count = draw(st.integers(0, 2))
    if foe:
        shield = [("Arlo", "defend")] if target == "Arlo" and draw(st.booleans()) else []
        every = [*shield, *((who, "interpose") for who in others[:count])]
    else:
        every = [(who, draw(st.sampled_from(["help", "late"]))) for who in others[: min(count, 1)]]
    if draw(st.integers(0, 9)) == 0:
        every.append((draw(st.sampled_from(WHO)), draw(st.sampled_from(["defend", "interpose", "help", "late"]))))
    cut = draw(st.integers(0, len(every))) if draw(st.booleans()) else len(every)
    first, second = ([reacts(*reaction) for reaction in group] for group in (every[:cut], every[cut:]))
    helped = [any(reaction.kind in ("help", "late") for reaction in group) for group in (first, second)]
    chosen = draw(st.lists(st.integers(1, 4), max_size=2, unique=True))
    dice = [tuple(chosen) if helps and chosen else (0,) for helps in helped]
    fields: dict[str, Any] = {"by": by, "target": target, "reactions": tuple(first), "reroll": dice[0]}
    if cut == len(every) and draw(st.booleans()):
        return Attack(**fields)
    return DoubleAttack(**fields, second=tuple(second), reroll_second=dice[1])


@given(said=strikes(), before=st.integers(0, 3))
def test_announced_attack_equals_the_attack_in_one_line(said: Strike, before: int) -> None:
    """`before` so many entries: the faces are those of whatever entry announces.

    What is refused is refused both ways. A choice of a die that hit waits for another, and is refused once it is shown.
    """

    def seat() -> Seat:
        made = Seat("pcs" if said.by in WHO else "foes")
        for _ in range(before):
            made.say(SetOption(by=GM, name="help_timing", value="any", reason=FILL))
        return made

    single, several = seat(), seat()
    try:
        whole = [single.ledger.declare(said, at=AT)]
    except Refused as refusal:
        event(f"refused {refusal.code}")
        with pytest.raises(Refused, match=refusal.code):
            announce_and_answer(several, said)
        return
    waits = ANNOUNCED in single.state.windows
    try:
        records, code = announce_and_answer(several, said), ""
    except Refused as refusal:
        records, code = [], refusal.code
    if code:
        event("waits for another choice" if waits else "nothing to roll again")
        assert code == "MO-E-HELP"
        assert waits or several.say(Go(by=GM))
        assert waits or [single.hp(who) for who in (*WHO, *FOES)] == [several.hp(who) for who in (*WHO, *FOES)]
        return
    assert not waits
    event(f"{type(said).__name__} with {'a reaction' if said.reactions else 'none'}")
    assert outcome(single, whole) == outcome(several, records)
    for done in (single, several):
        done.ledger.close_session(at=AT)
        done.check_replay()


def test_dice_of_go_are_those_of_the_attack_said_at_once() -> None:
    """Also with other entries in between."""
    seat, other = Seat("foes"), Seat("foes")
    seat.say(announcement(attacks("Brute", "Bex")))
    seat.say(SetOption(by=GM, name="help_stacks", value="yes", reason=FILL))
    seat.say(Interpose(by="Cole"))
    thrown = seat.say(Go(by=GM))
    whole = other.say(attacks("Brute", "Bex", ("Cole", "interpose")))
    assert [fact.dice for fact in of_kind(thrown, Rolled)] == [fact.dice for fact in of_kind(whole, Rolled)]


def test_go_meets_the_dice_of_the_attack_that_was_undone() -> None:
    seat = Seat()
    seat.say(SetOption(by=GM, name="help_timing", value="any", reason="fill"))
    undone = seat.say(attacks("Arlo", "Brute"))
    for _ in range(2):
        undo(seat.ledger, by=GM, at=AT)
    seat.say(announcement(attacks("Arlo", "Brute")))
    thrown = seat.say(Go(by=GM))
    assert thrown.id == undone.id
    assert faces(thrown) == faces(undone)
    seat.check_replay()
    seat.check_closing()


def test_nothing_else_is_said_while_announced() -> None:
    seat = Seat()
    seat.say(announcement(attacks("Arlo", "Brute")))
    for said in (EndTurn(by="Arlo"), Move(by="Arlo", zone="Yard"), attacks("Arlo", "Guard")):
        assert seat.refusal(said).code == "L-ANNOUNCED"
    assert seat.refusal(announcement(attacks("Arlo", "Guard"))).code == "L-ANNOUNCED"
    assert seat.say(Go(by=GM))
    assert seat.refusal(Go(by=GM)).code == "L-ANNOUNCED"


def test_declaration_nobody_answers_is_not_announced() -> None:
    assert Seat().refusal(announcement(Move(by="Arlo", zone="Yard"))).code == "L-ANNOUNCE"


def test_interposing_lets_the_former_target_interpose() -> None:
    """MO-CONV-4: each interposition makes a new target, for whom the next character may interpose."""
    seat = Seat("foes", at={"Arlo": "Yard", "Cole": "Yard", "Guard": "Yard", "Dara": "Tower"})
    seat.say(announcement(attacks("Guard", "Cole")))
    assert seat.state.windows[ANNOUNCED].awaits == ("Arlo",)
    seat.say(Interpose(by="Arlo"))
    assert seat.state.windows[ANNOUNCED].awaits == ("Cole",)
    seat.say(Interpose(by="Cole"))
    assert seat.state.windows[ANNOUNCED].awaits == ()


def test_closing_resolves_rolled_dice() -> None:
    """Rolled dice count as they are."""
    seat = Seat()
    seat.say(attacks("Cole", "Brute", ("Dara", "help")), 2, 3, 8)
    assert seat.state.windows[ANNOUNCED].awaits == ("Cole",)
    assert seat.hp("Brute") == 7
    closed = seat.ledger.close_session(at=AT)
    assert [fact.total for fact in hits(closed)] == [1]
    assert seat.hp("Brute") == 6
    assert not seat.state.windows
    seat.check_replay()


def test_closing_voids_an_announcement() -> None:
    seat = Seat()
    seat.say(announcement(attacks("Cole", "Brute")))
    closed = seat.ledger.close_session(at=AT)
    assert [fact.outcome for fact in of_kind(closed, WindowClosed)] == ["void"]
    assert not hits(closed)
    seat.check_replay()


def test_help_may_come_after_the_roll() -> None:
    """MO-GAP-16: and by the other reading it may not."""
    seat = Seat()
    seat.say(announcement(attacks("Cole", "Brute")))
    seat.say(Go(by=GM, wait=True), 2, 3, 8)
    assert seat.code(Interpose(by="Bex")) == "TIMING"
    seat.say(as_answer(reacts("Dara", "late")))
    assert seat.refusal_of_dice(Reroll(by="Cole", dice=(3,)), 7).code == "MO-E-HELP"
    assert seat.refusal_of_dice(Reroll(by="Bex", dice=(1,)), 7).code == "MO-E-HELP"
    record = seat.say(Reroll(by="Cole", dice=(1,)), 7)
    assert [fact.total for fact in hits(record)] == [2]
    other = Seat(options={"help_timing": "before_roll"})
    other.say(announcement(attacks("Cole", "Brute")))
    other.say(Go(by=GM, wait=True), 2, 3, 8)
    assert other.code(as_answer(reacts("Dara", "late"))) == "TIMING"


@pytest.mark.slow
def test_choice_of_a_drawn_die_that_hits_waits() -> None:
    """MO-HELP-2: what is chosen before the faces are known is refused for no face: the throw stays."""
    seen = set()
    for number in range(12):
        seat = Seat(present=("Arlo", "Cole", "Dara", "Brute"), seed=f"tests {number}")
        said = attacks("Cole", "Brute", ("Dara", "help"), reroll=(1,))
        seat.check_faces_decide_no_refusal(said)
        thrown = [face for dice in faces(seat.say(said)).values() for face in dice]
        misses = [number for number, face in enumerate(thrown, 1) if face < 6]
        waits = ANNOUNCED in seat.state.windows
        assert waits == bool(thrown[0] >= 6 and misses)
        seen.add(waits)
        if waits:
            assert hits(seat.say(Reroll(by="Cole", dice=(misses[0],))))
        seat.check_replay()
    assert seen == {True, False}


def test_help_rolls_the_dice_of_an_attack_again_once() -> None:
    """MO-HELP-2: the dice of the first attack were chosen on its line, those of the second were not."""
    seat = Seat()
    help = (reacts("Dara", "help"),)
    second = (reacts("Arlo", "help"),)
    said = DoubleAttack(by="Cole", target="Brute", reactions=help, second=second, reroll=(1,))
    seat.say(said, 2, 3, 4, 5, 2)
    assert seat.refusal(Reroll(by="Cole", dice=(2,), second=(1,)), 7, 7).code == "MO-E-HELP"
    assert len(hits(seat.say(Reroll(by="Cole", second=(1,)), 7))) == 2


def test_ruling_can_make_an_announced_attack_impossible() -> None:
    seat = Seat("foes")
    seat.say(announcement(attacks("Brute", "Bex")))
    for zone in ("Yard", "Hall"):
        seat.say(Ruling(by=GM, text="thrown back", reason="a gust", changes=(Setting("bex.place", zone),)))
        if zone == "Yard":
            assert seat.code(Go(by=GM)) == "RANGE"
    assert hits(seat.say(Go(by=GM)))


def test_announced_attack_can_be_withdrawn_before_its_roll() -> None:
    """MO-CONV-4: somebody who fell or left reach does not lock the table."""
    seat = Seat("foes")
    seat.say(announcement(attacks("Brute", "Bex")))
    seat.say(Ruling(by=GM, text="thrown back", reason="a gust", changes=(Setting("bex.place", "Yard"),)))
    record = seat.say(Go(by=GM, withdraw=True))
    assert [fact.outcome for fact in of_kind(record, WindowClosed)] == ["withdrawn"]
    assert seat.say(attacks("Brute", "Cole"))
    rolled = Seat()
    rolled.say(attacks("Cole", "Brute", ("Dara", "help")), 2, 3, 8)
    assert rolled.code(Go(by=GM, withdraw=True)) == "TIMING"


def insertion(seat: Seat, behind: Record, said: Declaration) -> dict[EntryId, Edit]:
    """Return the edit that inserts a line behind an entry."""
    raw = Input(declaration_json=msgspec.Raw(ENCODER.encode(said)), by=said.by, line=f"^ {said.by} interpose")
    new = EntryId(behind.id.session, behind.id.number, 1)
    return {new: Edit(input=raw, outcome="insert", in_order=True)}


@pytest.mark.parametrize("closed", [False, True], ids=["while the seed is a secret", "once it is known"])
def test_amendment_adding_a_reaction_keeps_the_dice(closed: bool) -> None:
    seat = Seat("foes")
    said = seat.say(announcement(attacks("Brute", "Bex")))
    thrown = seat.say(Go(by=GM))
    assert seat.code(Interpose(by="Cole")) == "TIMING"
    if closed:
        seat.ledger.close_session(at=AT)
    correction = plan_amendment(seat.ledger, insertion(seat, said, Interpose(by="Cole")), by=GM, because="she said so")
    _, takes = write_correction(seat.ledger, correction, at=AT, line="~")
    put_in, again = takes[0], takes[1]
    assert (str(put_in.id), again.id) == (f"{said.id}+1", thrown.id)
    assert put_in.position > thrown.position
    assert [fact.dice for fact in of_kind(again, Rolled)] == [fact.dice for fact in of_kind(thrown, Rolled)]
    assert {fact.against for fact in hits(again)} == {"Cole"}
    assert seat.hp("Bex") == 6
    seat.check_replay()
    assert not verify(seat.store, BOOK, StateProjection())[1]


@pytest.mark.parametrize("then", [Go(by=GM), Reroll(by="Arlo", dice=(2,)), None], ids=["go", "reroll", "close"])
def test_rolled_attack_of_a_fallen_attacker_is_resolved(then: Declaration | None) -> None:
    """MO-CONV-5, MO-GAP-16: the dice are thrown, so the turn ends once they have counted."""
    seat = Seat(present=("Arlo", "Bex", "Brute"))
    seat.say(announcement(attacks("Arlo", "Brute", ("Bex", "help"))))
    seat.say(Go(by=GM, wait=True), 6, 1)
    seat.say(Ruling(by=GM, text="a stone falls", reason="loose", changes=(Setting("arlo.hp", 0),)))
    if then is not None:
        seat.say(then, *((2,) if isinstance(then, Reroll) else ()))
        encounter = seat.state.encounter
        assert encounter is not None
        assert (encounter.turn, encounter.done) == ("", ("Arlo",))
        assert seat.hp("Brute") == 6
    seat.check_closing()
    assert seat.hp("Brute") == 6


def test_allowance_waits_for_an_announced_attack() -> None:
    """The action of an attack that is rolled cannot be taken away."""
    seat = Seat(present=("Arlo", "Bex", "Brute"))
    seat.say(announcement(attacks("Arlo", "Brute")))
    assert seat.refusal(Allowance(by=GM, who="Arlo", actions=0, reason="stunned")).code == "L-ANNOUNCED"


def test_answer_without_an_announcement_names_its_own_line() -> None:
    refusal = Seat().refusal(Defend(by="Arlo"))
    assert refusal.what == "Too late, or too early: no attack waits for the answer of Arlo"
    assert "then answer: ^ Arlo defend." in refusal.hint
