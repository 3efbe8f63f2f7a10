"""The dice of an attack are keyed by their cause: other dice in the entry change no face."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Refused
from ledger.facts import GM, Fact, Rolled
from ledger.whatif import WhatIf
from projections.projection import StateProjection
from rulebooks.monolith.declarations import Ally, Attack, Blast, EndRound, Save
from rulebooks.testing.corrections import replacement
from tests.rulebooks.dusk_bastards.seat import AT
from tests.rulebooks.monolith.seat import BOOK, Seat

ALLIES = st.lists(
    st.sampled_from([Ally("Oru", "pistol"), Ally("Oru", "second pistol"), Ally("Kade", "shotgun"), Ally("Kade")]),
    max_size=3,
    unique=True,
).map(tuple)
WEAPONS = st.sampled_from([(), ("rifle",), ("knife",), ("rifle", "knife"), ("bare hands",)])
REASONS = st.sampled_from([(), ("ruled",)])
ATTACKS = st.builds(
    Attack,
    by=st.just("Vega"),
    target=st.sampled_from(["R1", "Boss"]),
    weapons=WEAPONS,
    enhanced=REASONS,
    impaired=REASONS,
    allies=ALLIES,
)
BLASTS = st.builds(
    Blast,
    by=st.just("Kade"),
    targets=st.lists(st.sampled_from(["R1", "R2", "Boss", "Vega"]), min_size=1, unique=True).map(tuple),
    weapon=st.just("grenade"),
)


def faces(facts: Iterable[Fact]) -> dict[tuple[str, int], int]:
    """Return every face of an entry by purpose and sides."""
    thrown = (fact for fact in facts if isinstance(fact, Rolled))
    return {(fact.purpose, die.sides): die.face for fact in thrown for die in fact.dice}


@given(said=ATTACKS | BLASTS, instead_of=ATTACKS | BLASTS)
def test_other_dice_change_no_face(said: Attack, instead_of: Attack) -> None:
    """Replace the weapon, the number of dice and the targets; later entries stay the same too."""
    if type(said) is not type(instead_of):
        return
    seat = Seat(set=dict.fromkeys(("r1.hp", "r2.hp", "boss.hp"), 0))
    try:
        record = seat.say(said)
    except Refused:
        return
    behind = [seat.say(Attack(by="Stalker", target="Oru")), seat.say(Save(by="Kade", score="reflex", reason="a fall"))]
    seat.say(EndRound(by=GM))
    seat.ledger.close_session(at=AT)
    whatif = WhatIf(seat.store, BOOK, StateProjection())
    try:
        seen = whatif.run({record.id: replacement(instead_of)})
    except Refused:
        return
    after = {entry.id: faces(entry.after) for entry in seen.outcomes}
    for old in (record, *behind):
        was, now = faces(old.facts), after[old.id]
        assert {key: was[key] for key in was.keys() & now.keys()} == {key: now[key] for key in was.keys() & now.keys()}
