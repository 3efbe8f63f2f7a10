"""Attacks announced, answered and thrown as entries of their own, or said on one line: the same faces, the same end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ledger.corrections.amend import plan_amendment
from ledger.corrections.plan import write_correction
from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Refused
from ledger.facts import GM, EntryId, Judged, PointsLost, Rolled, WindowClosed
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.verify import verify
from ledger.whatif import Edit, WhatIf
from projections.projection import StateProjection
from rulebooks.common.announcements import ANNOUNCED, Go, announcement
from rulebooks.momentum.declarations import (
    Answer,
    Attack,
    Defend,
    DoubleAttack,
    EndTurn,
    Help,
    Interpose,
    Move,
    Reaction,
    Reroll,
    SetOption,
    Strike,
)
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks, hits, reacts
from tests.rulebooks.seat import AT, of_kind

KINDS: dict[str, type[Answer]] = {"defend": Defend, "interpose": Interpose, "help": Help, "late": Help}
FILL = "fill"


def answering(one: Reaction, attack: int = 1) -> Answer:
    """The reaction as a line of its own."""
    if one.kind in ("help", "late"):
        return Help(by=one.who, how=one.how, because=one.because, refused=one.refused, attack=attack)
    return KINDS[one.kind](by=one.who, attack=attack)


def spread(seat: Seat, said: Strike) -> list[Record]:
    """Announced, answered, thrown; the dice that Help rolls again are chosen once they lie."""
    bare = {"reactions": (), "reroll": ()}
    bare |= {"second": (), "reroll_second": ()} if isinstance(said, DoubleAttack) else {}
    records = [seat.say(announcement(msgspec.structs.replace(said, **bare)))]
    groups = (said.reactions, said.second) if isinstance(said, DoubleAttack) else (said.reactions,)
    for late in (False, True):
        for attack, group in enumerate(groups, 1):
            records += [seat.say(answering(one, attack)) for one in group if (one.kind == "late") == late]
        if not late:
            wait = any(one.kind == "late" for group in groups for one in group)
            records.append(seat.say(Go(by=GM, wait=wait)))
    if ANNOUNCED in seat.state.windows:
        second = said.reroll_second if isinstance(said, DoubleAttack) else ()
        records.append(seat.say(Reroll(by=said.by, dice=said.reroll, second=second)))
    return records


def outcome(seat: Seat, records: Iterable[Record]) -> tuple[Any, ...]:
    """All faces by purpose, what was judged and lost, and the state without the entries that it names."""
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
    """Attacks with reactions on their line: most of them as the rules have it, some with one that is not."""
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
    first, second = ([reacts(*one) for one in group] for group in (every[:cut], every[cut:]))
    helped = [any(one.kind in ("help", "late") for one in group) for group in (first, second)]
    chosen = draw(st.lists(st.integers(1, 4), max_size=2, unique=True))
    dice = [tuple(chosen) if helps and chosen else (0,) for helps in helped]
    fields: dict[str, Any] = {"by": by, "target": target, "reactions": tuple(first), "reroll": dice[0]}
    if cut == len(every) and draw(st.booleans()):
        return Attack(**fields)
    return DoubleAttack(**fields, second=tuple(second), reroll_second=dice[1])


@given(said=strikes(), before=st.integers(0, 3))
def test_one_line_and_many_show_the_same_faces_and_come_to_the_same(said: Strike, before: int) -> None:
    """`before` so many entries: the faces are those of whatever entry announces.

    What is refused is refused both ways; but who chooses a die that hit may choose another once the dice lie.
    """

    def seat() -> Seat:
        made = Seat("pcs" if said.by in WHO else "foes")
        for _ in range(before):
            made.say(SetOption(by=GM, name="help_timing", value="any", reason=FILL))
        return made

    one, many = seat(), seat()
    try:
        whole = [one.ledger.declare(said, at=AT)]
    except Refused as refusal:
        event(f"refused {refusal.code}")
        if refusal.code != "MO-E-HELP":
            with pytest.raises(Refused, match=refusal.code):
                spread(many, said)
        return
    event(f"{type(said).__name__} with {'a reaction' if said.reactions else 'none'}")
    assert outcome(one, whole) == outcome(many, spread(many, said))
    for done in (one, many):
        done.ledger.close_session(at=AT)
        done.check_replay()


def test_what_is_thrown_later_is_keyed_by_the_entry_that_announced() -> None:
    """Also with other entries in between."""
    seat, other = Seat("foes"), Seat("foes")
    seat.say(announcement(attacks("Brute", "Bex")))
    seat.say(SetOption(by=GM, name="help_stacks", value="yes", reason=FILL))
    seat.say(Interpose(by="Cole"))
    thrown = seat.say(Go(by=GM))
    whole = other.say(attacks("Brute", "Bex", ("Cole", "interpose")))
    assert [fact.dice for fact in of_kind(thrown, Rolled)] == [fact.dice for fact in of_kind(whole, Rolled)]


def test_while_something_is_announced_nothing_else_is_said() -> None:
    seat = Seat()
    seat.say(announcement(attacks("Arlo", "Brute")))
    for said in (EndTurn(by="Arlo"), Move(by="Arlo", zone="Yard"), attacks("Arlo", "Guard")):
        assert seat.refusal(said).code == "L-ANNOUNCED"
    assert seat.refusal(announcement(attacks("Arlo", "Guard"))).code == "L-ANNOUNCED"
    assert seat.say(Go(by=GM))
    assert seat.refusal(Go(by=GM)).code == "L-ANNOUNCED"


def test_what_nobody_answers_before_the_dice_is_not_announced() -> None:
    assert Seat().refusal(announcement(Move(by="Arlo", zone="Yard"))).code == "L-ANNOUNCE"


def test_a_session_does_not_close_over_dice_that_lie() -> None:
    """They count as they lie; what was only announced does not happen."""
    seat = Seat()
    seat.say(attacks("Cole", "Brute", ("Dara", "help")), 2, 3, 8)
    assert seat.state.windows[ANNOUNCED].awaits == ("Cole",)
    assert seat.hp("Brute") == 7
    closed = seat.ledger.close_session(at=AT)
    assert [fact.total for fact in hits(closed)] == [1]
    assert seat.hp("Brute") == 6
    assert not seat.state.windows
    seat.check_replay()


def test_a_session_that_closes_over_an_announcement_voids_it() -> None:
    seat = Seat()
    seat.say(announcement(attacks("Cole", "Brute")))
    closed = seat.ledger.close_session(at=AT)
    assert [fact.outcome for fact in of_kind(closed, WindowClosed)] == ["void"]
    assert not hits(closed)
    seat.check_replay()


def test_help_may_come_when_the_dice_lie_and_no_hit_points_have_changed() -> None:
    """MO-GAP-16: and by the other reading it may not."""
    seat = Seat()
    seat.say(announcement(attacks("Cole", "Brute")))
    seat.say(Go(by=GM, wait=True), 2, 3, 8)
    assert seat.code(Interpose(by="Bex")) == "TIMING"
    seat.say(answering(reacts("Dara", "late")))
    assert seat.refusal_of_dice(Reroll(by="Cole", dice=(3,)), 7).code == "MO-E-HELP"
    assert seat.refusal_of_dice(Reroll(by="Bex", dice=(1,)), 7).code == "MO-E-HELP"
    record = seat.say(Reroll(by="Cole", dice=(1,)), 7)
    assert [fact.total for fact in hits(record)] == [2]
    other = Seat(options={"help_timing": "before_roll"})
    other.say(announcement(attacks("Cole", "Brute")))
    other.say(Go(by=GM, wait=True), 2, 3, 8)
    assert other.code(answering(reacts("Dara", "late"))) == "TIMING"


def test_a_ruling_may_make_what_is_announced_impossible_and_possible_again() -> None:
    seat = Seat("foes")
    seat.say(announcement(attacks("Brute", "Bex")))
    for zone in ("Yard", "Hall"):
        seat.say(Ruling(by=GM, text="thrown back", reason="a gust", changes=(Setting("bex.place", zone),)))
        if zone == "Yard":
            assert seat.code(Go(by=GM)) == "RANGE"
    assert hits(seat.say(Go(by=GM)))


def insertion(seat: Seat, behind: Record, said: Declaration) -> dict[EntryId, Edit]:
    """A line put in behind an entry."""
    raw = Input(said=msgspec.Raw(ENCODER.encode(said)), by=said.by, line=f"^ {said.by} interpose")
    new = EntryId(behind.id.session, behind.id.number, 1)
    return {new: Edit(input=raw, outcome="insert", in_order=True)}


@pytest.mark.parametrize("closed", [False, True], ids=["while the seed is a secret", "once it is known"])
def test_an_amendment_that_adds_a_reaction_in_time_keeps_the_dice_and_stands_later(closed: bool) -> None:
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


# Dice keyed under the die that caused them


def foreseen(seat: Seat, record: Record, said: Declaration) -> dict[str, tuple[int, ...]]:
    """The faces that an entry would show, had this been said there."""
    raw = Input(said=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="")
    sight = WhatIf(seat.store, BOOK, StateProjection()).run(
        {record.id: Edit(input=raw, outcome="retcon", in_order=True)}
    )
    (fate,) = [found for found in sight.outcomes if found.id == record.id]
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in fate.after if isinstance(fact, Rolled)}


@given(before=st.integers(0, 40), more=st.integers(1, 6), fewer=st.integers(1, 3))
def test_a_base_die_more_or_less_moves_no_other(before: int, more: int, fewer: int) -> None:
    """A d10 weapon of so many dice, and one with others: the faces that both throw are the same."""
    seat = Seat(at={"Arlo": "Hall"})
    setting = {"short sword": fewer, "dagger": fewer + more}
    changes = tuple(Setting(f"arlo.weapon.{name}.damage", f"{count}d10") for name, count in setting.items())
    seat.say(Ruling(by=GM, text="other blades", reason="the test", changes=changes))
    for _ in range(before):
        seat.say(SetOption(by=GM, name="help_timing", value="any", reason=FILL))
    record = seat.say(attacks("Arlo", "Colossus", weapon="short sword"))
    seat.ledger.close_session(at=AT)
    was = {fact.purpose: tuple(die.face for die in fact.dice) for fact in of_kind(record, Rolled)}
    now = foreseen(seat, record, attacks("Arlo", "Colossus", weapon="dagger"))
    for purpose, faces in was.items():
        assert now[purpose][: len(faces)] == faces, purpose
    new = {purpose for purpose in now.keys() - was.keys() if purpose.split()[-1].isdigit()}
    assert all(int(purpose.split()[-1]) > fewer for purpose in new)


def test_an_extra_die_is_keyed_under_the_die_that_brought_it() -> None:
    """And a die of Help under the one that it replaces."""
    seat = Seat()
    record = seat.say(attacks("Cole", "Colossus", ("Dara", "help"), reroll=(2,)), 12, 3, 12, 12, 5, 1, 12, 2)
    assert [fact.purpose for fact in of_kind(record, Rolled)] == [
        "attack Cole",
        "attack Cole extra of 1",
        "attack Cole extra of 3",
        "attack Cole extra of extra of 1",
        "attack Cole help of 2",
        "attack Cole extra of help of 2",
    ]
