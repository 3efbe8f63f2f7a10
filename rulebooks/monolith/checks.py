"""Saves: a d20 against a score. And the dice of an entry, asked for one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.errors import BadFaces
from ledger.facts import Die, Fact, Judged, Rolled, Ruled
from projections.state import State
from rulebooks.monolith.declarations import Save
from rulebooks.monolith.guards import check_fights, in_play
from rulebooks.monolith.order import earned, is_asked
from rulebooks.monolith.scores import score_of
from rulebooks.monolith.texts import option, refused
from rulebooks.monolith.turns import check_declared, phase

D20: Final = 20


class Throws:
    """The dice of one entry. Faces on the table must be those of the dice asked for, no more and no fewer."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.asked: list[tuple[str, int]] = []

    def die(self, purpose: str, sides: int) -> int:
        """The face of one die. Raises the refusal of one that cannot be or is missing."""
        self.asked.append((purpose, sides))
        try:
            return self.dice.throw(purpose, sides)[0]
        except BadFaces as error:
            raise refused("DICE", expected=self.expected()) from error

    def done(self) -> None:
        """Raises the refusal of faces that are left over."""
        try:
            self.dice.expect(*(sides for _, sides in self.asked))
        except BadFaces as error:
            raise refused("DICE", expected=self.expected()) from error

    def expected(self) -> str:
        """The dice asked for so far: `d8 (attack Vega rifle on R1), d20 (Body Save R1)`."""
        return ", ".join(f"d{sides} ({purpose})" for purpose, sides in self.asked)


def saved(
    who: str, what: str, score: int, purpose: str, state: State, throws: Throws, *rules: str, why: str = ""
) -> Iterator[Fact]:
    """ML-SAVE-1: a face of the score or less passes. ML-SAVE-2: a 1 always does, a 20 never.

    A score of somebody whose numbers are the game master's is told to nobody else.
    """
    being = state.being(who)
    face = throws.die(purpose, D20)
    passed, own = passes(face, score, state), ("ML-SAVE-1", *rules)
    natural = ("ML-SAVE-2",) if passed != (face <= score) else ()
    die = Die(ordinal=0, sides=D20, face=face, why=why)
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


def passes(face: int, score: int, state: State) -> bool:
    """ML-SAVE-1, ML-SAVE-2: whether this face passes."""
    if option(state, "save_auto") == "on" and face in (1, D20):
        return face == 1
    return face <= score


def has_failed(fact: Fact) -> bool:
    """Whether this is a Save that failed."""
    return isinstance(fact, Judged) and fact.result == "failed"


def save(said: Save, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-ACT-5: a Save for something risky, as the game master calls for it. ML-TURN-2: or the Save to act first."""
    in_play(said.by, state)
    check_declared(state)
    score = score_of(said.by, said.score, state)
    if score is None:
        raise refused("SCORE", name=said.by, score=said.score)
    to_act_first = not said.reason and is_asked(said.by, said.score, state)
    if not said.reason and not to_act_first:
        raise refused("RULING", what="a Save")
    if phase(state) and to_act_first:
        check_fights(said.by, state)
    if said.reason:
        yield Ruled(rules=("ML-ACT-5",), name="save", text=said.reason, because=said.stakes)
    throws, failed = Throws(dice), False
    purpose = f"{said.score} Save {said.by}"
    rule = "ML-TURN-2" if to_act_first else "ML-ACT-5"
    for fact in saved(said.by, f"{said.score} Save", score, purpose, state, throws, rule):
        failed = failed or has_failed(fact)
        yield fact
    throws.done()
    if to_act_first:
        yield from earned(said.by, state, passed=not failed)
