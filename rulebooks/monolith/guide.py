"""What a screen asks of Monolith: who is up, what is left, words that fit, and what was not said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ledger.declarations import Declaration
from ledger.facts import GM
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.guide import Guide
from rulebooks.monolith import declarations, encounter, turns, unclaimed
from rulebooks.monolith.guards import FLED, is_able
from rulebooks.monolith.scores import WEAPON, scores_of
from rulebooks.monolith.texts import TEXTS
from rulebooks.monolith.turns import ACTING
from rulebooks.monolith.weapons import BLAST, parse_weapon, weapons_of


class MonolithGuide(Guide):
    """The guide of Monolith."""

    turn_actions = encounter.ACTIONS
    turn_phases = (ACTING,)
    unclaimed = staticmethod(unclaimed.unclaimed)
    next_up = staticmethod(turns.next_up)
    next_line = staticmethod(turns.next_line)

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons, scores, words for the position of an attack, and the names of options."""
        match field:
            case "weapon" if declaration is declarations.Attack:  # of an ally
                return sorted({name for being in state.beings_in_order() for name in weapons_of(being.name, state)})
            case "weapons" | "weapon":
                return weapons_of(by, state)
            case "score" if declaration is declarations.SetOrder:
                return sorted({score for being in state.beings_in_order() for score in scores_of(being.name, state)})
            case "score":
                return scores_of(by, state)
            case "impaired" | "enhanced":
                return TEXTS.lexicon.words[field]
        return super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """ML-E-WEAPON: return the weapons of others; a word of an own weapon is no name of theirs."""
        if field not in ("weapons", "weapon"):
            return []
        own = weapons_of(by, state)
        held = {name for being in state.beings_in_order() for name in weapons_of(being.name, state)}
        words = {word for name in own for word in name.split()}
        return sorted(held.difference(own, words))

    def can_use(self, who: str, action: str, state: State) -> bool:
        """ML-CRIT-2: a being that is out can at most crawl."""
        return is_able(who, state)

    def has_fled(self, who: str, state: State) -> bool:
        """ML-MOR-3: whether somebody has fled."""
        return has_condition(who, FLED, state)

    def can_strike(self, who: str, state: State) -> bool:
        """ML-ROUND-1: with the action of the Round, or while everybody declares."""
        return turns.phase(state) == turns.DECLARING or state.actions_left(who, "action") > 0

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """ML-ACT-4, ML-ATK-1: everybody declares first; then an attack with the best weapon of one target."""
        if turns.phase(state) == turns.DECLARING:
            yield declarations.DeclareIntent(by=who, text=f"attack {target}")
            return
        yield declarations.Attack(by=who, target=target)
        for name in weapons_of(who, state):
            if not has_one_target(who, name, state):
                yield declarations.Blast(by=who, targets=(target,), weapon=name)

    def fight(self, who: Sequence[str]) -> Declaration:
        """ML-ROUND-1: return the declaration that begins a fight."""
        return declarations.StartEncounter(by=GM, participants=tuple(who))

    def flight(self, who: str, state: State) -> Declaration:
        """ML-MOR-3: return the declaration with which somebody flees."""
        return declarations.Flee(by=GM, who=who, reason="flees")

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """ML-ROUND-1: the move and the action of the Round that is open; none between two Rounds."""
        return super().left(who, state) if turns.phase(state) else {}

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """Return an attack with each weapon on the sheet, if none is said."""
        if isinstance(said, declarations.Attack) and not said.weapons:
            named = [name for name in weapons_of(said.by, state) if has_one_target(said.by, name, state)]
            return [(name, msgspec.structs.replace(said, weapons=(name,))) for name in named]
        return [("", said)]


def has_one_target(who: str, name: str, state: State) -> bool:
    """ML-TAG-1: return whether a weapon strikes one target, as all do without blast."""
    written = state.sheet(who, WEAPON + name)
    found = parse_weapon(written, name) if isinstance(written, str) else None
    return found is None or BLAST not in found.tags
