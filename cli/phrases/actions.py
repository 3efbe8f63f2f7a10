"""Actions as sentences: who uses, passes or loses which, and whose turn went by unused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.phrases.joins import joined_sentences
from cli.phrases.parts import readable
from cli.phrases.patterns import fill_but_verbs
from ledger.facts import ActionSpent, Fact, Reached, tag
from ledger.names import escape, word_list
from rulebooks.common.texts import Wording

LOST: Final = "lost"
PATTERNS: Final = {
    "used": "{who} <use> {what}",
    "passed": "{who} <pass> {what}",
    "given up": "{who} <give> up {what}",
    "lost": "{who} <lose> {what}",
    "delayed": "{who} <delay> {what}",
    "unused": "{who} <leave> {what} unused",
}
NOUN: Final = tag(ActionSpent).partition("-")[0]  # the name of a reaction has it already


def actions(facts: Sequence[Fact], by: str, wording: Wording) -> list[str]:
    """Return `thug uses the standard action`, `Ash passes standard and bonus actions`, but what the speaker uses.

    What is an amount and no action follows, as the book says it: `Ash uses 2 seconds`.
    """
    return joined_sentences(_sentences(facts, by, wording))


def _sentences(facts: Sequence[Fact], by: str, wording: Wording) -> Iterator[str]:
    spent: dict[tuple[str, str, str], list[str]] = {}
    amounts, begun = dict[tuple[str, str, str], int](), ""
    for fact in facts:
        if isinstance(fact, Reached) and fact.point == "round":
            begun = f" of round {fact.round}"  # what is lost after it is not an action of the round that ended
        if not isinstance(fact, ActionSpent) or (fact.who, fact.outcome) == (by, "used"):
            continue
        key = (fact.who, fact.outcome, fact.action)
        if fact.action in wording.amounts:
            amounts[key] = amounts.get(key, 0) + fact.cost
        else:
            of = begun if fact.outcome == LOST else ""
            spent.setdefault((fact.who, fact.outcome, of), []).append(readable(fact.action))
    for (who, outcome, of), taken in spent.items():
        yield action_text(escape(who), outcome, action_names(taken) + of)
    for (who, outcome, action), cost in amounts.items():
        yield action_text(escape(who), outcome, amount_text(action, cost, wording))


def idle_turns(facts: Sequence[Fact]) -> list[str]:
    """Return `Asha and Bram do nothing this turn`: of turns that began and ended among these facts, unused."""
    begun, idle = set[str](), dict[str, None]()
    for fact in facts:
        if isinstance(fact, ActionSpent):
            begun.discard(fact.who)
        elif isinstance(fact, Reached) and fact.point == "slot":
            begun.add(fact.who)
        elif isinstance(fact, Reached) and fact.point == "slot_end" and fact.who in begun:
            idle[fact.who] = None
    return joined_sentences(fill_but_verbs("{who} <do> nothing this turn", {"who": who}) for who in idle)


def amount_text(action: str, cost: int, wording: Wording) -> str:
    """Return what was spent as the book says an amount: `2 seconds`; empty for an action."""
    amount = wording.amounts.get(action)
    return amount[cost != 1].format(cost) if amount else ""


def action_text(who: str, outcome: str, what: str) -> str:
    """Return what somebody does with an action, with a mark for the verb."""
    pattern = PATTERNS.get(outcome, f"{{who}} {escape(outcome)} {{what}}")
    return fill_but_verbs(pattern, {"who": who, "what": what})


def action_names(taken: Sequence[str]) -> str:
    """Return actions with their noun: `the standard action`, `the reaction`, `the standard and bonus actions`."""
    joined = word_list(taken)
    return f"the {joined}" if taken[-1].endswith(NOUN) else f"the {joined} {NOUN}{'s' * (len(taken) > 1)}"
