"""Saves: a d20 against a score; and the dice of an entry, thrown one by one."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Counted, Die, Fact, Judged, Rolled, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.monolith.declarations import Save
from rulebooks.monolith.guards import check_in_fight, find_actor
from rulebooks.monolith.order import is_asked, settle_order_save
from rulebooks.monolith.scores import score_of, scores_of
from rulebooks.monolith.texts import option, refusal
from rulebooks.monolith.turns import SAVES, check_declared, phase

D20: Final = 20


def roll_save(
    who: str, what: str, score: int, purpose: str, state: State, throws: EntryDice, *rules: str, why: str = ""
) -> Generator[Fact, None, bool]:
    """ML-SAVE-1: a face of the score or less passes. ML-SAVE-2: a 1 always does, a 20 never.

    Returns whether it passed. The score is seen by those who see the numbers of `who`.
    """
    being = state.being(who)
    (face,) = throws.throw(purpose, D20)
    passed, own = is_passed(face, score, state), ("ML-SAVE-1", *rules)
    natural = ("ML-SAVE-2",) if passed != (face <= score) else ()
    die = Die(ordinal=0, sides=D20, face=face, label=why)
    yield Rolled(rules=own, who=who, purpose=purpose, source=throws.dice.source, dice=(die,))
    yield Judged(
        rules=(*rules, "ML-SAVE-1", *natural),
        what=what,
        who=who,
        total=face,
        target=score,
        result="passed" if passed else "failed",
        margin=score - face,
        rolls=(purpose,),
        final=True,
        seen=being.seen if being else "table",
    )
    return passed


def is_passed(face: int, score: int, state: State) -> bool:
    """ML-SAVE-1, ML-SAVE-2: whether a face passes."""
    if option(state, "save_auto") == "on" and face in (1, D20):
        return face == 1
    return face <= score


@decides(Save)
def save(said: Save, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-ACT-5: a Save for something risky, as the game master calls for it. ML-TURN-2: or the Save to act first."""
    find_actor(said.by, state)
    check_declared(state)
    score = score_of(said.by, said.score, state)
    if score is None:
        raise refusal("SCORE", name=said.by, score=said.score, scores=", ".join(scores_of(said.by, state)) or "none")
    to_act_first = not said.reason and is_asked(said.by, said.score, state)
    if not said.reason and not to_act_first:
        raise refusal("RULING", what="what the Save is for").of_field("reason")
    if phase(state) and to_act_first:
        check_in_fight(said.by, state)
    if said.reason:
        yield Ruled(rules=("ML-ACT-5",), name="save", text=said.reason, because=said.stakes)
    what, rule, throws = f"{said.score} Save", "ML-TURN-2" if to_act_first else "ML-ACT-5", EntryDice(dice, refusal)
    passed = yield from roll_save(said.by, what, score, f"{what} {said.by}", state, throws, rule)
    throws.check_all_thrown()
    if phase(state):
        saves = state.count(said.by, SAVES) + 1
        yield Counted(rules=("ML-GAP-23",), who=said.by, name=SAVES, change=1, now=saves, until="round")
    if to_act_first:
        yield from settle_order_save(said.by, state, passed=passed)
