"""Moves and rolls: what a line means by the house rules, the throw, its result, and what changes by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Judged
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.beings import find_being
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.values import outside_domain
from rulebooks.common.word_forms import without_third_person
from rulebooks.open_game.declarations import Gain, MakeMove, Shed
from rulebooks.open_game.expressions import EXAMPLES, NAME, BadExpression, Expression, Part, parse_expression, with_edge
from rulebooks.open_game.house_rules import FAILURE, SUCCESS, WORD, Change, HouseRules, Move, degree_of, house_rules
from rulebooks.open_game.texts import dice_thrown, refusal
from rulebooks.open_game.throws import ROLLED, Total, judgement, throw_expression
from rulebooks.open_game.values import (
    change_number,
    check_condition,
    check_rolled,
    find_number,
    highest,
    number_of,
    turn_condition,
)

ROLL: Final = "roll"
CREATURES: Final = ("pc", "npc")


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """An act from which all is decided: its name, who is in it, the roll if any, and what it is compared with."""

    name: str
    who: str
    against: str
    roll: Expression
    target: int | None
    is_under: bool
    changes: tuple[Change, ...]


@decides(MakeMove)
def make_move(said: MakeMove, state: State, dice: Dice) -> Iterator[Fact]:
    """OG-MOVE-1: roll, judge the total by the results of the table, and change what the move says."""
    rules = house_rules(state)
    attempt, throws = prepare(said, rules, state), EntryDice(dice, refusal, dice_thrown)
    result = ""
    if attempt.roll:
        total = yield from throw_expression(attempt.name, attempt.who, attempt.roll, throws, state)
        judged = judge(attempt, total, rules, state)
        result = judged.result
        yield judged
    for change in attempt.changes:
        if change.result in ("", result):
            yield from make_change(change, attempt, throws, state)
    throws.check_all_thrown()


def prepare(said: MakeMove, rules: HouseRules, state: State) -> Attempt:
    """OG-MOVE-1: return what a line means. Raises the refusals of a target, a roll and a number, in this order."""
    who = find_being("by", said.by, state, CREATURES).name
    against = find_being("target", said.target, state, CREATURES).name if said.target else ""
    name = name_of(said, rules, state)
    move = rules.moves.get(name)
    needs_target = move is not None and any(change.target for change in move.changes)
    if needs_target and not against:
        raise refusal("TARGET", name=who, move=name).of_field("target")
    roll = roll_of(said, name, move, rules, state)
    if not roll and (said.vs or said.under or said.edge != "none"):
        raise refusal("ROLL", case="none", name=who, move=name)
    if said.vs and said.under:
        raise outside_domain("under", "left out where vs is said", said.under)
    every = move.changes if move else ()
    changes = tuple([change for change in every if not is_idle(change, change.whose(who, against), state)])
    for change in changes:
        check_change(change, who, against, state)
    for value in (part.value for part in roll if part.value):
        check_rolled(who, value, state)
    limit = said.under or said.vs or (move.under or move.vs if move else "")
    is_under = bool(said.under or (move and move.under and not said.vs))
    return Attempt(
        name=name.replace("-", " ") if move else name,
        who=who,
        against=against,
        roll=roll,
        target=limit_of(limit, who, against, state) if limit else None,
        is_under=is_under,
        changes=changes,
    )


def name_of(said: MakeMove, rules: HouseRules, state: State) -> str:
    """OG-MOVE-1: return the move or the value that a line names, also in the third person; else its own words."""
    for name in map(fold_case, (said.what, without_third_person(said.what))):
        if name == ROLL or name in rules.moves or find_number(said.by, name, state) is not None:
            return name
    return said.what


def is_idle(change: Change, whose: str, state: State) -> bool:
    """OG-MOVE-4: return whether a move fills or empties what somebody does not have, and somebody else in play has."""
    if change.state not in ("full", "empty") or find_number(whose, change.value, state) is not None:
        return False
    return any(find_number(being.name, change.value, state) is not None for being in state.beings_in_order())


def check_change(change: Change, who: str, against: str, state: State) -> None:
    """OG-MOVE-4: refuse what a move cannot change, before any die, whatever its result will be."""
    whose = change.whose(who, against)
    if change.state in ("on", "off"):
        check_condition(whose, change.value, state)
        return
    number_of(whose, change.value, state)
    if change.state == "full":
        highest(whose, change.value, state)
    for value in (part.value for part in change.expression if part.value):
        check_rolled(who, value, state)


def roll_of(said: MakeMove, name: str, move: Move | None, rules: HouseRules, state: State) -> Expression:
    """OG-MOVE-2: return what is rolled: the dice of the line, of the move, or those of the table and a value."""
    try:
        if said.dice:
            return with_edge(parse_roll(said.dice), said.edge)
        if move:
            return with_edge(move.roll, said.edge) if move.roll else ()
        has_value = find_number(said.by, name, state) is not None
        if (has_value or name == ROLL) and rules.dice:
            return with_edge((*rules.dice, Part(value=name)) if has_value else rules.dice, said.edge)
    except BadExpression as error:
        raise refusal("ROLL", name=said.by, wrong=str(error), examples=EXAMPLES).of_field("dice") from error
    if has_value or name == ROLL:
        dice = f"d20+{name}" if has_value and re.fullmatch(NAME, name) else "d20"
        raise refusal("MOVE", case="dice", name=said.by, move=name, dice=dice)
    known = ", ".join(sorted(rules.moves)) or "none"
    raise refusal("MOVE", name=said.by, move=said.what, moves=known)


def parse_roll(text: str) -> Expression:
    """Return an expression that has dice. Raises BadExpression for any other."""
    expression = parse_expression(text)
    if not any(part.count for part in expression):
        raise BadExpression(f"'{text}' has no dice")
    return expression


def limit_of(limit: str, who: str, against: str, state: State) -> int:
    """OG-MOVE-3: return the number that a roll is compared with: as it is, or a value of the target, else one's own."""
    if re.fullmatch("-?[0-9]{1,7}", limit, re.ASCII):
        return int(limit)
    check_rolled(against or who, fold_case(limit), state)
    return number_of(against or who, fold_case(limit), state)


def judge(attempt: Attempt, total: Total, rules: HouseRules, state: State) -> Judged:
    """OG-MOVE-3: the result of a total: by its margin where it is compared, else by the results of the table."""
    number, target = total.number, attempt.target
    margin = None if target is None else target - number if attempt.is_under else number - target
    if margin is None:
        result = degree_of(number, rules.results) or ROLLED
    else:
        result = degree_of(margin, rules.margins) or (SUCCESS if margin >= 0 else FAILURE)
    judged = judgement("OG-MOVE-3", attempt.name, attempt.who, total, state)
    return msgspec.structs.replace(judged, against=attempt.against, target=target, result=result, margin=margin)


def make_change(change: Change, attempt: Attempt, throws: EntryDice, state: State) -> Iterator[Fact]:
    """OG-MOVE-4: change one value of whoever makes a move, or of its target. What is rolled for it is whoever's."""
    who = change.whose(attempt.who, attempt.against)
    if change.state in ("on", "off"):
        yield from turn_condition(who, change.value, change.state == "on", attempt.name, state)
        return
    now = number_of(who, change.value, state)
    if change.state:
        amount = (highest(who, change.value, state) if change.state == "full" else 0) - now
    else:
        total = yield from throw_expression(
            f"{attempt.name} {change.value}", attempt.who, change.expression, throws, state
        )
        if total.rolls:
            judged = judgement("OG-MOVE-4", change.value, attempt.who, total, state)
            yield msgspec.structs.replace(judged, against=attempt.against if change.target else "")
        amount = total.number - now if change.sets else change.sign * max(0, total.number)
    by = attempt.who if change.target else ""
    yield from change_number(who, change.value, amount, attempt.name, state, by=by)


@decides(Gain)
def gain(said: Gain, state: State) -> Iterator[Fact]:
    """OG-VALUE-3: somebody takes on a condition."""
    who = find_being("by", said.by, state, CREATURES).name
    name = condition_name(said.condition, who, state)
    facts = list(turn_condition(who, name, True, said.reason, state))
    if not facts:
        raise refusal("CONDITION", name=who, condition=name)
    yield from facts


@decides(Shed)
def shed(said: Shed, state: State) -> Iterator[Fact]:
    """OG-VALUE-3: somebody is rid of a condition."""
    who = find_being("by", said.by, state, CREATURES).name
    name = fold_case(said.condition)
    facts = list(turn_condition(who, name, False, said.reason or "gone", state))
    if not facts:
        raise refusal("CONDITION", case="none", name=who, condition=name)
    yield from facts


def condition_name(text: str, who: str, state: State) -> str:
    """Return the name of a condition. Raises the refusal of a text that is none, or that is a value of somebody."""
    name = fold_case(text)
    if not WORD.fullmatch(name):
        raise refusal("CONDITION", case="name", name=who, condition=text)
    check_condition(who, name, state)
    return name
