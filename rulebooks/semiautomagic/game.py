"""The game of Semiautomagic: a function for each declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact, Sum
from ledger.game import NextTurn, Situation
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go, check_nothing_announced
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.semiautomagic import (
    actions,
    announced,
    attack,
    cover,
    damage,
    encounter,
    locations,
    mounts,
    passes,
    sheets,
    sight,
    squares,
    stealth,
    turns,
    unclaimed,
    wounds,
)
from rulebooks.semiautomagic.creatures import numbers
from rulebooks.semiautomagic.declarations.combat import Attack, Defend
from rulebooks.semiautomagic.declarations.sheets import (
    ChangeCreature,
    ChangeLocations,
    CreateLocations,
)
from rulebooks.semiautomagic.declarations.turns import (
    Draw,
)
from rulebooks.semiautomagic.guards import CREATURES, SECONDS, is_able
from rulebooks.semiautomagic.items import CARRIED, HELD, PART, WORN, dropped_items, items_of, short_name, tie_of
from rulebooks.semiautomagic.rulings import RULEBOOK
from rulebooks.semiautomagic.target import computed_targets
from rulebooks.semiautomagic.turns import TURN_SECONDS, advance
from rulebooks.semiautomagic.weapons import is_weapon, weapons_of

WHILE_ANNOUNCED: Final = (Announce, Defend, Go, SetOption, Adjust)


class Semiautomagic(Game):
    """Semiautomagic."""

    name = "semiautomagic"
    version = "1"
    rulebook = RULEBOOK
    turn_actions = ((SECONDS, TURN_SECONDS),)
    modules = (
        attack,
        damage,
        stealth,
        announced,
        actions,
        wounds,
        sheets,
        encounter,
        passes,
        mounts,
        cover,
        sight,
        squares,
        locations,
    )

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, then go on with the turns as far as they go by themselves."""
        self.check_speaker(said)
        if not isinstance(said, WHILE_ANNOUNCED):
            check_nothing_announced(state)
        yield from self.dispatch(said, state, dice)
        yield from stealth.end_bare_hiding(state)
        yield from advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """Decide a ruling of the game master, then go on with the turns."""
        yield from super().decide_ruling(said, state)
        yield from stealth.end_bare_hiding(state)
        yield from advance(state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations that were known or possible and not said."""
        return unclaimed.unclaimed(said, state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """TT-OUT-1: return the end of a turn without a second left."""
        return passes.implied_passes(said, state)

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """TT-OUT-1: return the open turn."""
        return passes.next_turns(state)

    def next_up(self, state: State) -> Iterable[str]:
        """TT-MNT-4: return who has the turn, and the mount under control."""
        return turns.next_up(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """TT-OUT-2: return who may defend before the dice of an attack."""
        return announced.defenders(said, state) if isinstance(said, Attack) else ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """An attack that was only announced does not happen."""
        yield from announced.withdraw(state)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """TT-OUT-6: the dead, the dying and the unconscious do nothing."""
        return is_able(who, state)

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """TT-OUT-3, TT-OUT-5: Target, Toughness, Minimum Toughness and speed of a creature as they are now."""
        if state.kind(who) not in CREATURES:
            return ()
        return tuple(steps.sum() for steps in (*computed_targets(who, state), *numbers(who, state)))

    def remarks(self, who: str, state: State) -> Iterable[str]:
        """TT-GAP-42, TT-SPD-1: return that somebody hides behind nothing, or has moved beyond their speed."""
        return unclaimed.remarks(who, state)

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """Return an attack with each weapon that is ready, if none is said."""
        if isinstance(said, Attack) and not said.weapon:
            ready = [item for item in weapons_of(said.by, state) if tie_of(item, state) in (HELD, PART)]
            names = [short_name(item, state) for item in ready]
            return [(name, msgspec.structs.replace(said, weapon=name)) for name in names] or [("", said)]
        return [("", said)]

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons and items, locations, grades of cover, kinds of light, and the names of options."""
        match field:
            case "weapon":
                return [short_name(item, state) for item in weapons_of(by, state)]
            case "item" if declaration is Attack:
                whose = [being.name for being in state.beings_in_order() if being.kind in CREATURES]
                items = [item for who in whose for item in items_of(who, state, HELD, WORN, CARRIED)]
                return sorted({short_name(item, state) for item in items})
            case "item" if declaration is Draw:
                items = [*items_of(by, state, CARRIED, WORN), *dropped_items(by, state)]
                return sorted({short_name(item, state) for item in items})
            case "item":
                return sorted({short_name(item, state) for item in items_of(by, state, HELD, WORN)})
            case "at" | "location" | "injuries":
                return locations.rows(state)
            case "grade":
                return cover.GRADES
            case "light":
                return sight.LIGHTS
            case "place":
                return sorted({being.name for being in state.beings_in_order() if being.kind == sight.PLACE})
        return super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """TT-CAL-4: return the weapons that somebody has dropped."""
        if field != "weapon":
            return []
        return [short_name(item, state) for item in dropped_items(by, state) if is_weapon(item, state)]

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        table = isinstance(said, CreateLocations)
        kind, entries = (ChangeLocations, sheets.location_entries) if table else (ChangeCreature, sheets.whole_sheet)
        return sheet_edit(said, kind, because, edited_entries(entries(before) if before else None, entries(said)))


GAME: Final = Semiautomagic()
