"""Facts in words: changed numbers, actions, conditions, wounds, times. For any game.

A change of the speaker's own number has no name, anybody else's has. Bookkeeping (counts until the end of a round,
actions that are restored) has no words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.output import paint
from cli.phrases.durations import duration
from cli.phrases.patterns import fill
from ledger.facts import (
    ActionSpent,
    BaseFact,
    ConditionBegan,
    Fact,
    Linked,
    PoolSet,
    Reached,
    Scalar,
    Sheet,
    TokensMoved,
    Wounded,
    tag,
)
from ledger.names import escape
from rulebooks.common.texts import Wording

ACTION_VERBS: Final = {
    "used": "uses",
    "passed": "passes",
    "given up": "gives up",
    "lost": "loses",
    "delayed": "delays",
    "unused": "leaves {} unused",
}
LOST: Final = "lost"
VOWELS: Final = ("a", "e", "i", "o", "u")
NOUN: Final = tag(ActionSpent).partition("-")[0]  # the name of a reaction has it already
REASONS: Final = {PoolSet: "opened", TokensMoved: "began"}  # for facts without one


def readable(text: str) -> str:
    """Return a name of the rules in words: `take_cover` is `take cover`."""
    return escape(text).replace("_", " ")


def settings(sets: Sheet) -> str:
    """Return the settings of a ruling, as typed: `task.climb.cost=2`."""
    return ", ".join(f"{escape(name)}={escape(str(value))}" for name, value in sets)


def join_with_and(names: Sequence[str], last_by: str = "and") -> str:
    """Return `move`, `standard and bonus`, `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} {last_by} {last}" if most else last


def whose(who: str, own: Collection[str]) -> str:
    """Return the name before a number that is not the speaker's own."""
    return "" if not who or who in own else f"{escape(who)} "


def in_brackets(*reasons: str) -> str:
    """Return the reasons that are not empty in brackets."""
    text = ", ".join(reason for reason in reasons if reason)
    return f" ({text})" if text else ""


def ledger_value(value: Scalar | None) -> str:
    """Return the value that the ledger has where something was claimed."""
    return "nothing" if value is None else escape(str(value))


def actions(facts: Sequence[Fact], by: str, wording: Wording) -> list[str]:
    """Return `thug uses the standard action`, `Ash passes standard and bonus actions`, but what the speaker uses.

    What is an amount and no action follows, as the book says it: `Ash uses 2 seconds`.
    """
    spent: dict[tuple[str, str, str], list[str]] = {}
    amounts, begun = list[str](), ""
    for fact in facts:
        if isinstance(fact, Reached) and fact.point == "round":
            begun = f" of round {fact.round}"  # what is lost after it is not an action of the round that ended
        if not isinstance(fact, ActionSpent) or (fact.who, fact.outcome) == (by, "used"):
            continue
        if amount := wording.amounts.get(fact.action):
            text = amount[fact.cost != 1].format(fact.cost)
            amounts.append(f"{escape(fact.who)} {action_verb(fact.outcome).replace('{}', text)}")
        else:
            of = begun if fact.outcome == LOST else ""
            spent.setdefault((fact.who, fact.outcome, of), []).append(readable(fact.action))
    passed: dict[str, list[str]] = {}  # those who pass the same actions
    for (who, outcome, _), taken in spent.items():
        if outcome == "passed":
            passed.setdefault(action_names(taken), []).append(escape(who))
    return [
        *(f"{join_with_and(who)} pass {taken}" for taken, who in passed.items() if len(who) > 1),
        *(
            f"{escape(who)} {action_verb(outcome).replace('{}', action_names(taken))}{of}"
            for (who, outcome, of), taken in spent.items()
            if outcome != "passed" or len(passed[action_names(taken)]) == 1
        ),
        *amounts,
    ]


def idle_turns(facts: Sequence[Fact]) -> list[str]:
    """Return `Asha and Bram do nothing in their turn`: of turns that began and ended among these facts, unused."""
    begun, idle = set[str](), dict[str, None]()
    for fact in facts:
        if isinstance(fact, ActionSpent):
            begun.discard(fact.who)
        elif isinstance(fact, Reached) and fact.point == "slot":
            begun.add(fact.who)
        elif isinstance(fact, Reached) and fact.point == "slot_end" and fact.who in begun:
            idle[escape(fact.who)] = None
    if not idle:
        return []
    return [f"{join_with_and(list(idle))} {'do' if len(idle) > 1 else 'does'} nothing in their turn"]


def action_verb(outcome: str) -> str:
    """Return what somebody does with an action, and `{}` for its name: `passes {}`."""
    verb = ACTION_VERBS.get(outcome, escape(outcome).replace("{}", ""))
    return verb if "{}" in verb else f"{verb} {{}}"


def action_names(taken: Sequence[str]) -> str:
    """Return actions with their noun: `the standard action`, `the reaction`, `the standard and bonus actions`."""
    joined = join_with_and(taken)
    return f"the {joined}" if taken[-1].endswith(NOUN) else f"the {joined} {NOUN}{'s' * (len(taken) > 1)}"


def ties(facts: Sequence[Fact], wording: Wording) -> list[str]:
    """Return the sentences of the book for ties, `Kess holds the sword and the lamp`, else `guard of Kess: Arlo`."""
    linked: dict[tuple[str, str, str], list[str]] = {}
    for fact in facts:
        if isinstance(fact, Linked):
            pattern = tie_pattern(fact, wording)
            several = fact.one if pattern.startswith("{who}") else ""
            linked.setdefault((pattern, fact.other, several), []).append(tied_name(fact, wording))
    return [
        fill(pattern, {"other": other, "who": join_with_and(names)}) for (pattern, other, _), names in linked.items()
    ]


def tie_pattern(fact: Linked, wording: Wording) -> str:
    """Return the sentence for a tie of {who} with {other}."""
    begun = wording.ties.get(f"{fact.tie} {fact.degree}") or wording.ties.get(fact.tie)
    name = readable(fact.tie)
    if fact.on:
        return begun or f"{name} of {{other}}: {{who}}"
    ended = wording.ties.get(f"{fact.tie} ended") or (f"{begun} no longer" if begun else "")
    return ended or f"{name} of {{other}} no longer: {{who}}"


def tied_name(fact: Linked, wording: Wording) -> str:
    """Return the name of what is tied; a thing of the other's without its owner, as in `the sword`."""
    owned = f"{fact.other}'s "
    name = f"the {fact.one.removeprefix(owned)}" if fact.one.startswith(owned) else fact.one
    is_said = fact.degree == 1 or f"{fact.tie} {fact.degree}" in wording.ties
    return escape(name) if is_said else f"{escape(name)} {fact.degree}"


def wound_name(kind: str) -> str:
    """Return the name of a kind of wound: `light wound`, and `wound` in a book that has one kind."""
    return f"{escape(kind)} wound".lstrip()


def cause(fact: BaseFact) -> str:
    """Return the cause of a changed number: the reason in the fact, or else the kind of fact."""
    match fact:
        case Reached():
            return " ".join(readable(part) for part in (fact.point, fact.phase, fact.who) if part)
        case Wounded():
            return wound_name(fact.kind)
        case ConditionBegan():
            return "began" + in_brackets(escape(fact.about))
    reason = readable(getattr(fact, "because", "")) or REASONS.get(type(fact)) or tag(type(fact)).replace("-", " ")
    by = escape(getattr(fact, "by", ""))
    return f"{reason}, by {by}" if by else reason


def passing(seconds: int, past: bool = False) -> str:
    """Return `1 hour passes`, or in the past `2 hours have passed`."""
    text = duration(seconds)
    one = not seconds or (text.startswith("1 ") and text.count(" ") == 1)
    return f"{text} {('has passed' if one else 'have passed') if past else ('passes' if one else 'pass')}"


def with_article(noun: str) -> str:
    """Return a noun with its article: `a wound`, `an extreme wound`."""
    return f"{'an' if noun[:1].casefold() in VOWELS else 'a'} {noun}"


def plural(number: int, one: str, more: str) -> str:
    """Return a number with its noun: `1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else more}"


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Return indented lines below a blank line and a title; nothing without lines."""
    indented = [f"  {line}" for line in lines]
    if indented:
        yield from ("", paint(title, bold=True), *indented)
