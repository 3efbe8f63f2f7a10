"""Stealth: hiding and perceiving, locating who is invisible, surprise and what is known of foes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Ends, Fact, Judged, Linked, Ruled
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic import checks, cover, creatures, guards, sight, squares
from rulebooks.semiautomagic.declarations.turns import Hide, Locate, Notice, Perceive, Surprise
from rulebooks.semiautomagic.texts import option, outside_domain, refusal

EXPOSED: Final = "exposed"
EXPOSURE: Final = 6
FLAT_FOOTED: Final = "flat-footed"
AWARE: Final = "aware"


def can_hide(who: str, state: State) -> bool:
    """TT-CON-2: cover or concealment; TT-GAP-39: invisibility is enough, too. Who looks has no better eyes here."""
    unseen = [
        rule for rule, _ in sight.unseen_causes(who, "", state) if rule != "TT-INV-1"
    ]  # hiding is no reason to hide
    return cover.effective_cover(who, state) is not None or bool(unseen or sight.concealment(who, "", state))


def is_bare(who: str, state: State) -> bool:
    """TT-GAP-42: whether somebody is hidden and has neither cover nor concealment any more."""
    return has_condition(who, sight.HIDDEN, state) and not can_hide(who, state)


def end_bare_hiding(state: State) -> Iterator[Fact]:
    """TT-GAP-42: who has neither cover nor concealment is not hidden, where the table reads it so."""
    if option(state, "hidden_needs_cover") == "off":
        return
    for being in state.beings_in_order():
        if is_bare(being.name, state):
            yield condition_end(f"{sight.HIDDEN} {being.name}", state, "no cover", "TT-GAP-42", "TT-CON-2")


def show_oneself(who: str, state: State, *, because: str) -> Iterator[Fact]:
    """TT-GAP-42: who hides no longer does, by an attack in the open or by their own word."""
    yield condition_end(f"{sight.HIDDEN} {who}", state, because, "TT-GAP-42")
    if has_condition(who, EXPOSED, state):
        yield condition_end(f"{EXPOSED} {who}", state, because, "TT-GAP-42")


@decides(Hide)
def hide(said: Hide, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-CON-2: a stealth check; TT-GAP-34: its total and the bonus of the cover are the DC to see the hider."""
    guards.check_turn(said.by, state)
    if said.off:
        if not has_condition(said.by, sight.HIDDEN, state):
            raise outside_domain("off", "said by somebody hidden", "off").as_idle()
        yield from show_oneself(said.by, state, because="shows themselves")
        return
    if not can_hide(said.by, state):
        raise refusal("NO-HIDING", name=said.by)
    purpose, cited = f"stealth {said.by}", ("TT-CON-2", "TT-GAP-34")
    if said.total is None:
        steps = yield from checks.roll_sum(said.by, purpose, "perception DC", state, EntryDice(dice, refusal), *cited)
        steps.add(sheet_number(said.by, "stealth", state), "TT-CON-2", "stealth")
        steps.add(-creatures.scale(said.by, state), "TT-OUT-7", "scale")
    else:
        check_whole("total", said.total, -100, 100, outside_domain)
        steps = SumSteps("perception DC", said.total)
    stealth = steps.total
    rules = add_hiding_place(steps, said.by, "", state)
    yield Judged(
        rules=(*cited, *rules),
        what="hide",
        who=said.by,
        sums=(steps.sum(),),
        total=steps.total,
        result="hidden",
        rolls=(purpose,) if said.total is None else (),
        final=True,
        seen=sight.seen_of(said.by, state),
    )
    for observer in state.ties_to(said.by, sight.SEES):
        yield Linked(rules=cited, one=observer, tie=sight.SEES, other=said.by, on=False)
    if has_condition(said.by, EXPOSED, state):
        yield condition_end(f"{EXPOSED} {said.by}", state, "hidden again", "TT-OUT-11")
    yield new_condition(said.by, sight.HIDDEN, *cited, *rules, degree=stealth)


def add_hiding_place(steps: SumSteps, who: str, observer: str, state: State) -> tuple[str, ...]:
    """TT-GAP-34: add the bonus of the cover that somebody hides behind, and return its rules."""
    bonus, rules = cover.perception_bonus(who, state, observer)
    steps.add(bonus, rules[0] if rules else "TT-GAP-34", "hiding behind the cover")
    return rules


@decides(Perceive)
def perceive(said: Perceive, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-INV-1: who reaches the DC sees the hider; to all others it is invisible. TT-GAP-10: who sees, knows."""
    guards.find_two(said.by, said.target, state)
    guards.check_able(said.by, state)
    purpose, rules = f"perception {said.by}", ("TT-INV-1", "TT-GAP-34")
    if said.total is None:
        steps = yield from checks.roll_sum(said.by, purpose, "perception", state, EntryDice(dice, refusal), *rules)
        steps.add(sheet_number(said.by, "perception", state), "TT-INV-1", "perception")
    else:
        check_whole("total", said.total, -100, 100, outside_domain)
        steps = SumSteps("perception", said.total)
    dc = perception_dc(said.target, said.by, state)
    reached = dc is None or steps.total >= dc.total
    others = [rule for rule, _ in sight.invisibility(said.target, said.by, state) if rule != "TT-INV-1"]
    seen = reached and not others
    yield Judged(
        rules=rules,
        what="perceive",
        who=said.by,
        against=said.target,
        sums=(steps.sum(), *((dc.sum(),) if dc else ())),
        total=steps.total,
        target=dc.total if dc else None,
        result="seen" if seen else "unseen",
        margin=steps.total - dc.total if dc else None,
        rolls=(purpose,) if said.total is None else (),
        final=True,
        seen=sight.seen_of(said.target, state),
    )
    if reached and dc is not None:
        yield from set_tie(said.by, sight.SEES, said.target, state, "TT-INV-1")
    elif not reached:
        yield from end_tie(said.by, sight.SEES, said.target, state, "TT-INV-1")
    if seen:
        yield from become_aware(said.by, said.target, state)


def perception_dc(who: str, observer: str, state: State) -> SumSteps | None:
    """TT-GAP-34: what an observer must reach to see a hider, with the cover that counts against this observer now.

    TT-OUT-11: 6 less after an attack from hiding.
    """
    hidden = find_condition(who, sight.HIDDEN, state)
    if hidden is None:
        return None
    steps = SumSteps("perception DC", hidden.degree)
    add_hiding_place(steps, who, observer, state)
    steps.add(-EXPOSURE if has_condition(who, EXPOSED, state) else 0, "TT-OUT-11", "attacked from hiding")
    return steps


def expose(who: str, state: State) -> Iterator[Fact]:
    """TT-OUT-11: who attacks from hiding has 6 less stealth until its next turn. TT-GAP-42: in the open it shows."""
    if is_bare(who, state):
        yield from show_oneself(who, state, because="attacks in the open")
    elif has_condition(who, sight.HIDDEN, state):
        yield new_condition(who, EXPOSED, "TT-OUT-11", ends=(Ends(at="slot", whose=who),))


def set_tie(who: str, tie: str, other: str, state: State, *rules: str) -> Iterator[Fact]:
    """Begin a tie between two creatures, unless it is there."""
    if other not in state.ties_from(who, tie):
        yield Linked(rules=rules, one=who, tie=tie, other=other)


def end_tie(who: str, tie: str, other: str, state: State, *rules: str) -> Iterator[Fact]:
    """End a tie between two creatures, if there is one."""
    if other in state.ties_from(who, tie):
        yield Linked(rules=rules, one=who, tie=tie, other=other, on=False)


@decides(Locate)
def locate(said: Locate, state: State) -> Iterator[Fact]:
    """TT-INV-2: the square of an invisible creature is found: guessed, named, or heard. TT-GAP-38: until it moves."""
    guards.find_two(said.by, said.target, state)
    guards.check_able(said.by, state)
    square = squares.check_square("square", said.square)
    if said.lost:
        yield from end_tie(said.by, squares.LOCATED, said.target, state, "TT-GAP-38")
        return
    right = square is None or squares.square_of(said.target, state) in (None, square)
    yield Judged(
        rules=("TT-INV-2",),
        what="locate",
        who=said.by,
        against=said.target,
        result="located" if right else "wrong square",
        final=True,
    )
    yield Ruled(rules=("TT-INV-2",), name="locate", text=said.how, because=said.reason or said.how, about=said.target)
    if right:
        yield from set_tie(said.by, squares.LOCATED, said.target, state, "TT-INV-2", "TT-GAP-38")


# Surprise


@decides(Surprise)
def surprise(said: Surprise, state: State) -> Iterator[Fact]:
    """TT-SUR-1, TT-SUR-2: who did not know of its foe is flat-footed, against this foe alone."""
    guards.find_two(said.by, said.target, state)
    guards.check_able(said.by, state)
    if said.by in state.ties_from(said.target, AWARE):
        raise refusal("AWARE", name=said.target, other=said.by)
    yield from set_tie(said.target, FLAT_FOOTED, said.by, state, "TT-SUR-1", "TT-SUR-2")


@decides(Notice)
def notice(said: Notice, state: State) -> Iterator[Fact]:
    """TT-GAP-10: who knows of a creature is no longer flat-footed against it."""
    guards.find_two(said.by, said.target, state)
    if said.lost:
        yield from end_tie(said.by, AWARE, said.target, state, "TT-GAP-10")
    else:
        yield from become_aware(said.by, said.target, state)


def become_aware(who: str, other: str, state: State) -> Iterator[Fact]:
    """TT-GAP-10: a creature knows of another, and is no longer flat-footed against it."""
    yield from set_tie(who, AWARE, other, state, "TT-GAP-10")
    yield from end_tie(who, FLAT_FOOTED, other, state, "TT-GAP-10")
