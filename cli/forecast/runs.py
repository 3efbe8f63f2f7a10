"""Many runs of one fight: what is played is a value that another process can be given, and so is what comes of it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from cli.forecast.fight import ROUNDS_MOST, Fight, Policy, RunEnd
from cli.forecast.fight_dice import FightDice
from cli.forecast.habits import AsWePlay
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
        policies: the policy of each member, and that of the game master if they spend tokens.
        alterations: how strikes are changed.
        watched: names of values whose ends are kept.
        key: the text from which all dice come. No seed of a session is one of its parts.
        rounds_most: rounds after which a run ends.
        until: who ends a run by falling; empty: nobody.
        habits: says when the table breaks fights off; None: all are fought out.
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
    habits: AsWePlay | None = None


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
    return [play_run(plan, fight, key_of_run(plan.key, run)) for run in range(first, first + count)]


def play_run(plan: FightPlan, fight: Fight, key: bytes) -> RunEnd:
    """Return how a run of a plan ended: within its rounds, or those after which the table breaks a fight off.

    A round in which a fight is broken off is played to its end in half of the runs.
    """
    dice = FightDice(key)
    chance = dice.share("broken off", 0)
    last = None if plan.habits is None else plan.habits.last_round(fight.first_round, chance)
    if last is None:
        return fight.play(key, plan.rounds_most, plan.until)
    rounds = max(1, last - fight.first_round + round(dice.share("broken off", 1)))
    end = fight.play(key, min(rounds, plan.rounds_most), plan.until)
    is_broken_off = rounds <= plan.rounds_most and is_bounded(end, plan.until)
    return msgspec.structs.replace(end, broken_off=is_broken_off)


def is_bounded(end: RunEnd, until: str) -> bool:
    """Return whether a bound has ended a run, and not the fall of the one whom `until` names."""
    return not end.is_over and all(fall.who != until for fall in end.falls)


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
