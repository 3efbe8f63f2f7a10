"""Many runs of one fight: what is played is a value that another process can be given, and so is what comes of it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from cli.forecast.fight import ROUNDS_MOST, Fight, Policy, RunEnd
from cli.notation.edits import parse_change
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.ledger_state import LedgerState, unpack_state
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.common.game import Game

FORMULA: Final = "campaign-ledger forecast v1"


class Alteration(msgspec.Struct, frozen=True, kw_only=True):
    """How a plan changes strikes of some: `level` is one that the book offers, `words` stand behind the line."""

    who: tuple[str, ...]
    level: str = ""
    words: str = ""


class FightPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All that runs depend on, but for their numbers.

    Attributes:
        game: the name of the book.
        packed: the state from which the fight goes on, as `LedgerState.pack` has it.
        last: the entry of that state.
        policies: the policy of each member.
        alterations: how strikes are changed.
        watched: names of values whose ends are kept.
        key: the text from which all dice come. No seed of a session is one of its parts.
        rounds_most: rounds after which a run ends.
        until: who ends a run by falling; empty: nobody.
    """

    game: str
    packed: bytes
    last: EntryId
    policies: Mapping[str, Policy]
    alterations: tuple[Alteration, ...] = ()
    watched: tuple[str, ...] = ()
    key: str = ""
    rounds_most: int = ROUNDS_MOST
    until: str = ""


def key_of_run(text: str, run: int) -> bytes:
    """Return the key of the dice of one run."""
    return hmac.digest(hashlib.sha256(text.encode()).digest(), f"{FORMULA}\n{run}".encode(), "sha256")


def open_fight(plan: FightPlan) -> Fight:
    """Return the fight of a plan, ready to be played."""
    game = load_game(plan.game)
    state = unpack_state(plan.packed, StateProjection(), plan.last)
    alter = alterer(plan.alterations, state, game) if plan.alterations else None
    return Fight(game, state, plan.policies, plan.watched, alter)


def play_runs(plan: FightPlan, first: int, count: int) -> list[RunEnd]:
    """Return how so many runs of a plan ended, from the number `first` on."""
    fight = open_fight(plan)
    return [fight.play(key_of_run(plan.key, run), plan.rounds_most, plan.until) for run in range(first, first + count)]


def alterer(
    alterations: Sequence[Alteration], state: LedgerState[State], game: Game
) -> Callable[[Declaration], Declaration]:
    """Return what changes a strike as a plan has it; the strike itself where it cannot be said so."""
    scope, known = line_scope(state, game), dict[tuple[str, Declaration], Declaration]()

    def with_words(said: Declaration, words: str) -> Declaration:
        if (words, said) not in known:
            try:
                known[words, said] = parse_change(words, said, None, scope).declaration
            except LedgerError:
                known[words, said] = said
        return known[words, said]

    def alter(said: Declaration) -> Declaration:
        for each in alterations:
            if said.by in each.who:
                levels = dict(game.guide.levels(said, state.state)) if each.level else {}
                said = levels.get(each.level, said) if each.level else with_words(said, each.words)
        return said

    return alter
