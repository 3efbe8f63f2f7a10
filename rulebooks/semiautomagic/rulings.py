"""Rulings and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, Scalar, SheetChanged
from projections.state import Being, State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.values import check_whole, number
from rulebooks.semiautomagic.cover import CROUCHING, OBJECT, PRONE, change_stance
from rulebooks.semiautomagic.guards import CREATURES, DEAD, DYING, UNCONSCIOUS, mount_of
from rulebooks.semiautomagic.items import DESTROYED, ITEM, JAMMED, wounds
from rulebooks.semiautomagic.locations import LOCATIONS, STAGGERED
from rulebooks.semiautomagic.mounts import leave_saddle
from rulebooks.semiautomagic.sheets import COUNTED, FLAGS, OPTIONAL, SCALES, SKILLS
from rulebooks.semiautomagic.sight import CONCEALED, DUSTED, HIDDEN, INVISIBLE
from rulebooks.semiautomagic.squares import FLANKED
from rulebooks.semiautomagic.texts import TEXTS, left_over, no_text, outside_domain
from rulebooks.semiautomagic.wounds import begin_dying, die_if_hopeless, heal_wound, kill, wound

WOUNDS: Final = "wounds"
PLAIN: Final = (UNCONSCIOUS, STAGGERED, CONCEALED, INVISIBLE, DUSTED, FLANKED, HIDDEN)
STANCES: Final = (CROUCHING, PRONE)
CONDITIONS: Final = {
    **dict.fromkeys(CREATURES, (*PLAIN, *STANCES, DYING, DEAD)),
    ITEM: (DESTROYED, JAMMED),
}
ENTRIES: Final = {
    **dict.fromkeys(CREATURES, ("scale", *SKILLS, *OPTIONAL, *COUNTED, *FLAGS)),
    ITEM: ("target", "toughness", "seconds", "defence", "hands", "scale"),
    OBJECT: ("toughness", "durability", "matters"),
}
SIGNED: Final = ("scale", "target", "toughness", *SKILLS, *OPTIONAL)


def set_value(name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """Set one value of a creature, an item or a cover: a condition, its wounds, or an entry of the sheet."""
    part, _, what = name.partition(".")
    being = state.being(part)
    if being is None or not what:
        raise outside_domain("value", "a value of somebody in play (NAME.wounds)", name)
    if what in CONDITIONS.get(being.kind, ()):
        yield from set_condition(being.name, what, number(name, to, outside_domain), because, state)
    elif what == WOUNDS and being.kind in (*CREATURES, ITEM, OBJECT):
        yield from set_wounds(being.name, number(name, to, outside_domain), because, state)
    else:
        yield from set_entry(being, what, number(name, to, outside_domain), because, state)
    if being.kind in CREATURES:
        yield from die_if_hopeless(being.name, state)  # more wounds or less Endurance may settle it


def set_condition(who: str, name: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """Begin a condition (1) or end it (0), if that changes anything. TT-OUT-6: the dead are nothing else."""
    check_whole(f"{who}'s {name}", to, 0, 1, outside_domain)
    if to and name != DEAD and has_condition(who, DEAD, state):
        raise outside_domain(f"{who}'s {name}", "0 for the dead", to)
    if to and name == HIDDEN:
        raise outside_domain(f"{who}'s {name}", "0 (who hides says so: hide total=6)", to)
    if not to and name == UNCONSCIOUS and has_condition(who, DYING, state):
        raise outside_domain(f"{who}'s {name}", "1 while dying (dying=0 comes first)", to)
    if not to:
        if has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, because, "TT-GAP-14")
    elif has_condition(who, name, state):
        return
    elif name == DYING:
        yield from begin_dying(who, "", state)
    elif name == DEAD:
        yield from kill(who, state, "TT-OUT-6")
    elif name in STANCES:
        if mount := mount_of(who, state):
            yield from leave_saddle(who, mount, state)
        yield from change_stance(who, name, state, "TT-STN-1")
    else:
        yield new_condition(who, name, RULES[name])


RULES: Final = {
    UNCONSCIOUS: "TT-OUT-6",
    STAGGERED: "TT-GAP-17",
    CONCEALED: "TT-CON-1",
    INVISIBLE: "TT-INV-3",
    DUSTED: "TT-CON-1",
    FLANKED: "TT-GAP-19",
    DESTROYED: "TT-ITM-4",
    JAMMED: "TT-GAP-26",
}


def set_wounds(who: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """TT-OUT-6: as many wounds as the table says: new ones are taken, or the oldest heal."""
    check_whole(f"{who}'s wounds", to, 0, 1000, outside_domain)
    for id, _ in state.wounds_of(who)[: max(0, wounds(who, state) - to)]:
        yield from heal_wound(who, id, because, state)
    for _ in range(to - wounds(who, state)):
        yield wound(who, "", state, "TT-OUT-6")


def set_entry(being: Being, entry: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """Set a number of a sheet: TT-GAP-1 of a called shot, TT-GAP-24 of an item, TT-GAP-6 of a cover."""
    who, was = being.name, state.sheet(being.name, entry)
    called = state.sheet(who, LOCATIONS) and entry.rpartition(".")[2] in ("target", "toughness") and was is not None
    if entry not in ENTRIES.get(being.kind, ()) and not called:
        domain = f"one of {', '.join((WOUNDS, *CONDITIONS.get(being.kind, ()), *ENTRIES.get(being.kind, ())))}"
        raise outside_domain(f"a value of {who}", domain, entry)
    if entry == "scale":
        check_whole(f"{who}'s scale", to, *SCALES, outside_domain)
    signed = entry in SIGNED or called
    check_whole(f"{who}'s {entry}", to, -1000 if signed else 0, 1000, outside_domain)
    if was != to:
        yield SheetChanged(rules=("TT-OUT-5",), who=who, key=entry, was=was, now=to, because=because)


def change_value(name: str, change: int, because: str, state: State) -> Iterator[Fact]:
    """Change one value by so much; a condition counts as 1 while it holds."""
    part, _, what = name.partition(".")
    being = state.being(part)
    who = being.name if being else part
    written = state.sheet(who, what)
    now = written if isinstance(written, int) else wounds(who, state) if what == WOUNDS else 0
    now = int(has_condition(who, what, state)) if being and what in CONDITIONS.get(being.kind, ()) else now
    yield from set_value(name, now + change, because, state)


RULEBOOK: Final = Rulebook(
    texts=TEXTS,
    set_value=set_value,
    change_value=change_value,
    no_text=no_text,
    outside_domain=outside_domain,
    left_over=left_over,
)
