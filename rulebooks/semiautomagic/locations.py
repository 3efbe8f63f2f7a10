"""Called shots: the rows of the table, the campaign's numbers, and the results of a hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends, Fact, Joined, Ruled, SheetChanged
from projections.state import State
from rulebooks.common.beings import check_free
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic import cover, creatures, items, wounds
from rulebooks.semiautomagic.checks import FortitudeDue, ask_fortitude
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.scene import SetLocation
from rulebooks.semiautomagic.texts import check_reason, option, outside_domain, refusal

TABLE: Final = "Called shots"
LOCATIONS: Final = "locations"  # marks the being that keeps the campaign's table
STAGGERED: Final = "staggered"
FALL: Final = "fall"
DYING_RESULT: Final = "dying"
RESULTS: Final = (
    creatures.WOUND,
    f"{creatures.SLOWED} 1",
    f"{creatures.SLOWED} 2",
    f"{creatures.SLOWED_FLIGHT} 1",
    creatures.GROUNDED,
    items.DISABLED,
    creatures.HURT_HAND,
    FALL,
    "drop",
    "stagger",
    DYING_RESULT,
)
CHECKED: Final = (FALL, "drop", "stagger")  # results that a fortitude check avoids
LIMBS: Final = {"leg": "legs", "arm": "arms", "hand": "hands", "wing": "wings"}


class Row(msgspec.Struct, frozen=True):
    """A row of the table: its results at Minimum Toughness and at Toughness, and its numbers if it has any."""

    wounding: tuple[str, ...]
    felling: tuple[str, ...]
    target: int | None = None
    toughness: int | None = None


ROWS: Final = {  # TT-CAL-4, TT-GAP-12, TT-GAP-13
    "leg": Row((creatures.WOUND, "slowed 1"), (creatures.WOUND, "slowed 2", items.DISABLED, "fall")),
    "arm": Row((creatures.WOUND,), (creatures.WOUND, items.DISABLED)),
    "hand": Row(("drop", creatures.HURT_HAND), (creatures.WOUND, items.DISABLED)),
    "head": Row((creatures.WOUND, "stagger"), (DYING_RESULT,)),
    "critical": Row((creatures.WOUND,), (DYING_RESULT,)),
    "body": Row((creatures.WOUND,), (DYING_RESULT,), 0, 0),
    "wing": Row(("slowed flight 1",), (creatures.WOUND, creatures.GROUNDED)),
}
BODY: Final = ROWS["body"]  # an ordinary hit has the results of this row


class Spot(msgspec.Struct, frozen=True):
    """Where a called shot is aimed: the row, the number of the limb (0: not a limb), and the numbers that count."""

    name: str
    limb: int
    row: Row
    target: int
    toughness: int

    @property
    def label(self) -> str:
        """The location as wounds and injuries name it: `leg 1`."""
        return f"{self.name} {self.limb}" if self.limb else self.name


def table(state: State) -> str:
    """Return the name of the being that keeps the campaign's numbers; empty while there is none."""
    return next((being.name for being in state.beings_in_order() if state.sheet(being.name, LOCATIONS)), "")


def rows(state: State) -> list[str]:
    """Return the names of all rows, those of the campaign last."""
    own = [key.removesuffix(".felling") for key in state.sheet_of(table(state)) if key.endswith(".felling")]
    return [*ROWS, *(name for name in own if name not in ROWS)]


def find_row(name: str, state: State) -> Row:
    """TT-CAL-4, TT-GAP-1: the row of this name, with the campaign's numbers."""
    keeper, known = table(state), ROWS.get(name)
    target, toughness = (state.sheet(keeper, f"{name}.{part}") for part in ("target", "toughness"))
    if known is None:
        wounding, felling = (str(state.sheet(keeper, f"{name}.{part}") or "") for part in ("wounding", "felling"))
        known = Row(split(wounding), split(felling))
    return msgspec.structs.replace(
        known,
        target=target if isinstance(target, int) else known.target,
        toughness=toughness if isinstance(toughness, int) else known.toughness,
    )


def split(written: str) -> tuple[str, ...]:
    """Return the results that the table of the campaign keeps in one text."""
    return tuple(part for part in written.split(", ") if part)


def has_numbers(said: Attack) -> bool:
    """TT-GAP-1: whether the line brings both numbers, which is a ruling."""
    return said.target_modifier is not None and said.toughness is not None


def find_spot(said: Attack, state: State) -> Spot | None:
    """TT-CAL-1: where a called shot is aimed. Raises the refusal of an unknown location, or one without numbers."""
    if said.reason and not has_numbers(said):
        raise outside_domain("reason", "said with the numbers of a called shot (m2 a-2)", said.reason)
    if not said.at:
        check_no_numbers(said)
        return None
    known = rows(state)
    if said.at not in known and not has_numbers(said):
        raise refusal("LOCATION", location=said.at, rows=", ".join(known))
    row = find_row(said.at, state) if said.at in known else BODY
    if has_numbers(said):
        check_reason(said.reason, "the numbers of a called shot")
        row = msgspec.structs.replace(row, target=said.target_modifier, toughness=said.toughness)
    if row.target is None or row.toughness is None:
        way = f'! location {said.at} m2 a-2 "as agreed", or on the line: m2 a-2 "as agreed"'
        raise refusal("NO-NUMBERS", what=f"the {said.at}", way=way)
    if (said.target_modifier is None) is not (said.toughness is None):
        raise outside_domain("at", "said with both numbers (m2 a-2) or with none", said.at)
    for field, value in (("target_modifier", row.target), ("toughness", row.toughness)):
        check_whole(field, value, -100, 100, outside_domain)
    return Spot(said.at, find_limb(said, state), row, row.target, row.toughness)


def check_no_numbers(said: Attack) -> None:
    """TT-CAL-1: refuse the numbers of a called shot on a line that aims at no location."""
    for field, value in (("m", said.target_modifier), ("a", said.toughness), ("limb", said.limb or None)):
        if value is not None:
            raise outside_domain(field, "left out without a location (at=leg)", value)


def find_limb(said: Attack, state: State) -> int:
    """TT-CAL-4: the number of the limb that is aimed at; unsaid, the first that is still of use."""
    if said.at not in LIMBS:
        check_whole("limb", said.limb, 0, 0, outside_domain)
        return 0
    count = sheet_number(said.target, LIMBS[said.at], state)
    if not count:
        raise refusal("LOCATION", case="limb", location=said.at, rows=said.target)
    check_whole("limb", said.limb, 0, count, outside_domain)
    useful = [index for index in range(1, count + 1) if not items.is_disabled(said.target, said.at, index, state)]
    return said.limb or next(iter(useful), 1)


def number_ruling(said: Attack) -> Iterator[Fact]:
    """TT-GAP-1: the numbers that the line brings are a ruling."""
    if said.at and has_numbers(said):
        text = f"{said.at}: Target {said.target_modifier:+}, Toughness {said.toughness:+}"
        yield Ruled(rules=("TT-GAP-1", "TT-CAL-1"), name="location", text=text, because=said.reason)


@decides(SetLocation)
def set_location(said: SetLocation, state: State) -> Iterator[Fact]:
    """TT-GAP-1: the game master gives a row of the table its numbers."""
    for field, value in (("target", said.target), ("toughness", said.toughness)):
        check_whole(field, value, -100, 100, outside_domain)
    check_reason(said.reason, "the numbers of a called shot")
    if said.location not in rows(state):
        raise refusal("LOCATION", location=said.location, rows=", ".join(rows(state)))
    keeper = table(state)
    if not keeper:
        keeper = TABLE
        check_free(keeper, state, outside_domain)
        yield Joined(rules=("TT-GAP-1",), who=keeper, kind="object", side="gm", sheet=((LOCATIONS, 1),), seen="table")
    for part, value in (("target", said.target), ("toughness", said.toughness)):
        key = f"{said.location}.{part}"
        was = state.sheet(keeper, key)
        if was != value:
            yield SheetChanged(rules=("TT-GAP-1",), who=keeper, key=key, was=was, now=value, because=said.reason)


# Results


def results(row: Row, *, felled: bool, called: bool, state: State) -> tuple[str, ...]:
    """TT-CAL-3: the results of a row. TT-GAP-12: a wound at Minimum Toughness, where the table reads it so."""
    if felled:
        return row.felling
    always = called and option(state, "called_min_wound") == "always" and creatures.WOUND not in row.wounding
    return (creatures.WOUND, *row.wounding) if always else row.wounding


def apply_results(
    who: str, by: str, spot: Spot | None, words: Sequence[str], damage: int, state: State
) -> Iterator[Fact]:
    """TT-CAL-3, TT-CAL-4: the results of a hit, in the order of the row. An ordinary hit has no spot."""
    rules = ("TT-OUT-6",) if spot is None else ("TT-CAL-3", "TT-CAL-4")
    label = spot.label if spot else ""
    for word in words:
        if word == creatures.WOUND:
            yield wounds.wound(who, by, state, *rules, at=label)
        elif word == DYING_RESULT:
            yield from wounds.begin_dying(who, by, state, *rules)
        elif word in CHECKED:
            hand = spot.limb if spot and spot.name == "hand" else 0
            yield ask_fortitude(who, FortitudeDue(dc=damage, failure=word, hand=hand), state)
        else:
            yield from injure(who, label, word, has_wound=creatures.WOUND in words, state=state)


def injure(who: str, label: str, word: str, *, has_wound: bool, state: State) -> Iterator[Fact]:
    """TT-CAL-4: what a hit does to a limb, until its wound is healed; without a wound, until the injury is."""
    name, _, degree = word.rpartition(" ") if word[-1].isdigit() else (word, "", "1")
    number = 1 + sum(1 for id in state.conditions if id.startswith(f"{name} {who} at {label}"))
    of = f" of {state.wounds_of(who)[-1][0]}" if has_wound else ""
    yield ConditionBegan(
        rules=("TT-CAL-4", "TT-GAP-14"),
        id=f"{name} {who} at {label} {number}{of}",
        who=who,
        name=name,
        degree=int(degree),
        about=label,
        adds=any(each.name == name for _, each in state.conditions_of(who)) or msgspec.UNSET,
    )
    limb, _, index = label.rpartition(" ")
    if name == items.DISABLED and limb in ("hand", "arm"):
        yield from items.drop(who, int(index), state)
    if name == items.DISABLED and items.is_crawling(who, state) and not has_condition(who, items.CRAWLING, state):
        yield new_condition(who, items.CRAWLING, "TT-CAL-4", "TT-GAP-41")


def fail_fortitude(who: str, due: FortitudeDue, state: State) -> Iterator[Fact]:
    """TT-CAL-4: who fails the check falls prone, drops what the hand holds, or is staggered for a round."""
    if due.failure == FALL:
        yield from cover.change_stance(who, cover.PRONE, state, "TT-CAL-4", "TT-STN-1")
    elif due.failure == "drop":
        yield from items.drop(who, due.hand, state)
    else:
        turn = state.encounter.turn if state.encounter else ""
        ends = (Ends(at="slot", whose=turn),) if turn else ()
        yield new_condition(who, STAGGERED, "TT-CAL-4", "TT-GAP-17", ends=ends)
