"""The game of Monolith: a function for each declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn, Situation
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.monolith import actions, attack, checks, encounter, morale, order, passes, sheets, turns, unclaimed
from rulebooks.monolith.declarations import (
    Attack,
    ChangeCombatant,
    ChangeGroup,
    CreateGroup,
    SetOrder,
)
from rulebooks.monolith.guards import is_able
from rulebooks.monolith.rulings import RULEBOOK
from rulebooks.monolith.scores import WEAPON, scores_of
from rulebooks.monolith.texts import TEXTS
from rulebooks.monolith.turns import ACTING, advance
from rulebooks.monolith.weapons import BLAST, parse_weapon, weapons_of


class Monolith(Game):
    """Monolith."""

    name = "monolith"
    version = "1"
    rulebook = RULEBOOK
    turn_actions = encounter.ACTIONS
    turn_phases = (ACTING,)
    modules = (checks, attack, morale, sheets, encounter, turns, order, passes, actions)

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, then go on with the Round as far as it goes by itself."""
        yield from super().decide(said, state, dice)
        yield from advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """Decide a ruling of the game master, then go on with the Round."""
        yield from super().decide_ruling(said, state)
        yield from advance(state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """ML-ACT-1: return the end of a Round, or of a part of its order, in which no action is left."""
        return passes.implied_passes(said, state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations that were known or possible and not said."""
        return unclaimed.unclaimed(said, state)

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons, scores, words for the position of an attack, and the names of options."""
        match field:
            case "weapon" if declaration is Attack:  # of an ally
                return sorted({name for being in state.beings_in_order() for name in weapons_of(being.name, state)})
            case "weapons" | "weapon":
                return weapons_of(by, state)
            case "score" if declaration is SetOrder:
                return sorted({score for being in state.beings_in_order() for score in scores_of(being.name, state)})
            case "score":
                return scores_of(by, state)
            case "impaired" | "enhanced":
                return TEXTS.lexicon.words[field]
        return super().vocabulary(declaration, field, state, by)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """ML-CRIT-2: a being that is out can at most crawl."""
        return is_able(who, state)

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """ML-ROUND-1: the move and the action of the Round that is open; none between two Rounds."""
        return super().left(who, state) if turns.phase(state) else {}

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """ML-ACT-4, ML-TURN-2: return who has to declare, or those whose part of the order is on."""
        return passes.next_turns(state)

    def next_up(self, state: State) -> Iterable[str]:
        """ML-ACT-4, ML-TURN-2: those without an intent, those whose Save decides the order, or who may still act."""
        return turns.next_up(state)

    def next_line(self, state: State) -> str:
        """ML-ROUND-1: between two Rounds the game master begins the next one."""
        return turns.next_line(state)

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """Return an attack with each weapon on the sheet, if none is said."""
        if isinstance(said, Attack) and not said.weapons:
            named = [name for name in weapons_of(said.by, state) if has_one_target(said.by, name, state)]
            return [(name, msgspec.structs.replace(said, weapons=(name,))) for name in named]
        return [("", said)]

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        group = isinstance(said, CreateGroup)
        kind, entries = (ChangeGroup, sheets.group_entries) if group else (ChangeCombatant, sheets.sheet_of)
        return sheet_edit(said, kind, because, edited_entries(entries(before) if before else None, entries(said)))


def has_one_target(who: str, name: str, state: State) -> bool:
    """ML-TAG-1: return whether a weapon strikes one target, as all do without blast."""
    written = state.sheet(who, WEAPON + name)
    found = parse_weapon(written, name) if isinstance(written, str) else None
    return found is None or BLAST not in found.tags


GAME: Final = Monolith()
