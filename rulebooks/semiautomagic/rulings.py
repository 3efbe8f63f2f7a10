"""Rulings and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ledger.facts import Fact, Scalar, SheetChanged
from projections.state import Being, State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.value_table import ValueTable
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
from rulebooks.semiautomagic.wounds import begin_dying, heal_wound, kill, wound

WOUNDS: Final = "wounds"
PLAIN: Final = (UNCONSCIOUS, STAGGERED, CONCEALED, INVISIBLE, DUSTED, FLANKED, HIDDEN)
STANCES: Final = (CROUCHING, PRONE)
CONDITIONS: Final = {**dict.fromkeys(CREATURES, (*PLAIN, *STANCES, DYING, DEAD)), ITEM: (DESTROYED, JAMMED)}
ENTRIES: Final = {
    **dict.fromkeys(CREATURES, ("scale", *SKILLS, *OPTIONAL, *COUNTED, *FLAGS)),
    ITEM: ("target", "toughness", "seconds", "defence", "hands", "scale"),
    OBJECT: ("toughness", "durability", "matters"),
}
SIGNED: Final = ("scale", "target", "toughness", *SKILLS, *OPTIONAL)


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


class Values(ValueTable):
    """Conditions, wounds, and entries of the sheet, of creatures, items and cover."""

    domain = "a value of somebody in play (NAME.wounds)"

    def set_value(self, name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set one value, which is a number."""
        return super().set_value(name, number(name, to, outside_domain), because, state)

    def conditions_of(self, being: Being) -> Collection[str]:
        """Return the conditions of a creature or an item."""
        return CONDITIONS.get(being.kind, ())

    def value_now(self, being: Being, what: str, state: State) -> Scalar:
        """Return the value as it is; what is not written counts as 0."""
        now = super().value_now(being, what, state)
        return now if isinstance(now, int) else wounds(being.name, state) if what == WOUNDS else 0

    def check_condition(self, who: str, name: str, to: int, state: State) -> None:
        """TT-OUT-6: the dead are nothing else, and the dying are unconscious."""
        if to and name != DEAD and has_condition(who, DEAD, state):
            raise outside_domain(f"{who}'s {name}", "0 for the dead", to)
        if to and name == HIDDEN:
            raise outside_domain(f"{who}'s {name}", "0 (who hides says so: hide total=6)", to)
        if not to and name == UNCONSCIOUS and has_condition(who, DYING, state):
            raise outside_domain(f"{who}'s {name}", "1 while dying (dying=0 comes first)", to)

    def begin(self, who: str, name: str, state: State) -> Iterator[Fact]:
        """Begin a condition with what follows from it."""
        if name == DYING:
            yield from begin_dying(who, "", state)
        elif name == DEAD:
            yield from kill(who, state, "TT-OUT-6")
        elif name in STANCES:
            if mount := mount_of(who, state):
                yield from leave_saddle(who, mount, state)
            yield from change_stance(who, name, state, "TT-STN-1")
        else:
            yield new_condition(who, name, RULES[name])

    def end(self, who: str, name: str, because: str, state: State) -> Iterator[Fact]:
        """End a condition, for the reason that is given."""
        yield condition_end(f"{name} {who}", state, because, "TT-GAP-14")

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set a number of a sheet: TT-GAP-1 of a called shot, TT-GAP-24 of an item, TT-GAP-6 of a cover."""
        to = number(entry, to, outside_domain)
        if entry == WOUNDS and being.kind in (*CREATURES, ITEM, OBJECT):
            yield from set_wounds(being.name, to, because, state)
            return
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


def set_wounds(who: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """TT-OUT-6: as many wounds as the table says: new ones are taken, or the oldest heal."""
    check_whole(f"{who}'s wounds", to, 0, 1000, outside_domain)
    for id, _ in state.wounds_of(who)[: max(0, wounds(who, state) - to)]:
        yield from heal_wound(who, id, because, state)
    for _ in range(to - wounds(who, state)):
        yield wound(who, "", state, "TT-OUT-6")


RULEBOOK: Final = Rulebook(texts=TEXTS, values=Values(refusal=outside_domain), no_text=no_text, left_over=left_over)
