"""Situations that a declaration did not name: known to the state, or possible and not said; and remarks on a state."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from ledger.errors import Refused
from projections.state import State
from rulebooks.common.announcements import Go, find_window
from rulebooks.common.beings import name_list
from rulebooks.common.guide import Situation
from rulebooks.semiautomagic import announced, creatures, defence, guards, items, mounts, sight, stealth, weapons
from rulebooks.semiautomagic.cover import GRADES, NOBODY, effective_cover, has_evasion, kept_against, one_sided_covers
from rulebooks.semiautomagic.declarations.combat import Area, Attack
from rulebooks.semiautomagic.declarations.turns import Move
from rulebooks.semiautomagic.squares import SQUARES, fast_damage, is_flanked


def unclaimed(said: Declaration, state: State) -> Iterator[Situation]:
    """Yield the situations of an attack, also one that is announced, of an area or of a move."""
    window = find_window(state)
    if isinstance(said, Go) and window is not None and not said.withdraw:
        said = announced.announced_attack(window)
    if isinstance(said, Attack) and state.being(said.target) is not None:
        yield from target_situations(said, state)
        yield from attack_situations(said, state)
    elif isinstance(said, Area):
        yield from area_situations(said, state)
    elif isinstance(said, Move):
        yield from move_situations(said, state)


def area_situations(said: Area, state: State) -> Iterator[Situation]:
    """Yield what the line of an area could have said: a dodge as if with Evasion, and whose area it is."""
    if not said.dodge and has_evasion(said.target, state, said.source or NOBODY):
        text = f"{said.target} dodges as if with Evasion, which avoids it completely"
        yield Situation(name="evasion", text=text, known=False, rules=("TT-COV-3", "TT-OUT-10"))
    for cover in () if said.source else one_sided_covers(said.target, state):
        foes = kept_against(cover)
        text = f"the cover of {said.target} counts against {' and '.join(foes)} alone, as in source={foes[0]}"
        yield Situation(name="source", text=text, known=False, rules=("TT-GAP-43", "TT-COV-3"))


def move_situations(said: Move, state: State) -> Iterator[Situation]:
    """Yield that somebody can only crawl, or moves further than its speed."""
    if said.forced or state.being(said.by) is None:
        return
    if items.is_crawling(said.by, state):
        text = f"all legs of {said.by} are hurt: it can only crawl"
        yield Situation(name="crawl", text=text, known=True, rules=("TT-CAL-4", "TT-GAP-41"))
        return
    if said.squares > best_speed(said.by, state):
        speed = speed_text(said.by, state)
        text = f"{said.by} has a speed of {speed} and moves {said.squares}: what it costs, the table says (seconds=)"
        yield Situation(name="speed", text=text, known=True, rules=("TT-OUT-1", "TT-CAL-4"))


def target_situations(said: Attack, state: State) -> Iterator[Situation]:
    """Yield what is known of the target: its cover, who cannot see it, flanks, surprise."""
    who, by = said.target, said.by
    cover = effective_cover(who, state, by)
    if cover is not None:
        text = f"{who} has {GRADES[cover.effective]} cover: {cover.object}"
        yield Situation(name="cover", text=text, known=True, rules=cover.rules)
    invisible = sight.invisibility(who, by, state)
    causes = invisible or sight.concealment(who, by, state)
    if causes:
        text = (
            f"{who} is {'invisible to' if invisible else 'concealed from'} {by}: {', '.join(why for _, why in causes)}"
        )
        yield Situation(name="sight", text=text, known=True, rules=tuple(rule for rule, _ in causes))
    flat_footed = defence.is_flat_footed(who, by, state)
    if flat_footed or is_flanked(who, state):
        why, rule = (f"flat-footed against {by}", "TT-SUR-3") if flat_footed else ("flanked", "TT-FLK-3")
        text = f"{who} is {why}: open to a sneak attack"
        yield Situation(name="sneak attack", text=text, known=True, rules=(rule, "TT-OUT-11", "TT-GAP-18"))


def attack_reach(said: Attack, state: State) -> str:
    """TT-GAP-40: return whether an attack is melee or ranged; empty for one that its weapon cannot make."""
    try:
        return (
            said.reach
            or weapons.reaches(weapons.chosen_weapon(said, weapons.named_weapon(said, state), state), state)[0]
        )
    except Refused:
        return ""


def attack_situations(said: Attack, state: State) -> Iterator[Situation]:
    """Yield what the line could have said: a defence, high speed, a ruling on rider and mount."""
    who, by = said.target, said.by
    defences = defence.defences_of(who, state) if guards.is_able(who, state) else []
    if not said.defence and defences:
        text = f"{who} could {' or '.join(defences)}"
        yield Situation(name="defence", text=text, known=False, rules=("TT-OUT-2",))
    bonus, speed = fast_damage(by, who, state)
    if bonus and not said.fast and said.reach != weapons.RANGED:
        text = f"at {speed} m/s a melee attack may deal {bonus} more (fast)"
        yield Situation(name="fast", text=text, known=False, rules=("TT-SPD-2",))
    if said.fast and attack_reach(said, state) == weapons.RANGED:
        text = "high speed adds to damage in melee alone: fast has no effect here"
        yield Situation(name="fast", text=text, known=True, rules=("TT-SPD-2",))
    mount = guards.mount_of(by, state)
    unfit = mounts.unfitness(by, mount, state) if mount else ""
    if unfit:
        text = f"{unfit}: the rules of mounted combat apply by ruling"
        yield Situation(name="mount", text=text, known=True, rules=("TT-GAP-28", "TT-MNT-1"))


def remarks(who: str, state: State) -> Iterator[str]:
    """TT-GAP-42, TT-COV-5, TT-SPD-1: yield what is not seen from the conditions of a creature.

    That it hides behind nothing, against whom alone a cover counts, and that it moved beyond its speed in this turn.
    """
    if stealth.is_bare(who, state):
        yield "hidden, without cover or concealment"
    for each in one_sided_covers(who, state):
        if foes := [foe for foe in kept_against(each) if state.being(foe)]:  # whom the reader knows
            yield f"{GRADES[each.degree]} cover against {name_list(foes)} alone"
    squares = state.count(who, SQUARES) if state.encounter and not guards.mount_of(who, state) else 0
    if squares > best_speed(who, state):
        yield f"{squares} squares moved at a speed of {speed_text(who, state)}"


def best_speed(who: str, state: State) -> int:
    """TT-CAL-4: return the squares that a creature moves, on the ground or in flight."""
    return max(creatures.movement(who, state).total, creatures.flight(who, state).total)


def speed_text(who: str, state: State) -> str:
    """TT-CAL-4: return the speed on the ground, and that in flight of who can fly: `6`, `4 (12 in flight)`."""
    walk, fly = creatures.movement(who, state), creatures.flight(who, state)
    return f"{walk.total}" + (f" ({fly.total} in flight)" if fly.start else "")
