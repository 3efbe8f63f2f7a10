"""Choices as they are typed: `captain: flees at 3`, `foes: spread`, `kess: e2`, `gm: spends nothing`, `+cover`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from cli.forecast.fight import Fight, Policy
from cli.forecast.habits import AS_WE_PLAY, POLICY_NAMES, AsWePlay
from cli.forecast.policies import Fleeing, Saving, new_policy
from cli.forecast.runs import Alteration, FightPlan
from cli.notation.edits import parse_change
from cli.questions.line_scope import line_scope
from cli.questions.state_at import find_being_in_play
from ledger.errors import InputError, Unreadable
from ledger.facts import GM
from ledger.names import escape

SPENDS_NOTHING: Final = "spends nothing"
FLEES: Final = re.compile(r"flees?\s+(?:at|with|below)\s+([0-9]{1,6})", re.ASCII)
HINT: Final = "Write it as in 'foes: flees at 3', 'foes: spread', 'players: e2' or '+cover'."


def parse_choice(text: str, plan: FightPlan, fight: Fight, habits: AsWePlay) -> FightPlan:
    """Return a plan with a choice in it. Raises InputError for one that cannot be read, or that changes nobody."""
    named, colon, words = text.partition(":")
    if colon and named.strip().casefold() == GM and " ".join(words.split()).casefold() == SPENDS_NOTHING:
        own = [each for each in plan.policies if each == GM or fight.side_of[each] == GM]
        return with_policies(plan, {each: Saving(plan.policies[each]) for each in own})
    who = find_members(named, fight) if colon else players_of(fight)
    words = " ".join((words if colon else text).split())
    name = words.casefold()
    if name == SPENDS_NOTHING:
        return with_policies(plan, {each: Saving(plan.policies[each]) for each in who})
    if name in POLICY_NAMES:
        return with_policies(plan, {each: named_policy(name, each, fight, habits) for each in who})
    if flees := FLEES.fullmatch(name):
        return with_policies(plan, {each: Fleeing(plan.policies[each], int(flees[1])) for each in who})
    if not name or name.startswith("flee"):
        what = f"'{escape(words)}' does not say at how many points they flee" if name else "the choice is empty"
        raise InputError(what, hint=HINT)
    return msgspec.structs.replace(plan, alterations=(*plan.alterations, parse_alteration(words, tuple(who), fight)))


def named_policy(name: str, who: str, fight: Fight, habits: AsWePlay) -> Policy:
    """Return the policy of a name for somebody."""
    return habits if name == AS_WE_PLAY else new_policy(name, fight.vital_of(who)[1])


def with_policies(plan: FightPlan, policies: Mapping[str, Policy]) -> FightPlan:
    """Return a plan in which some have other policies."""
    return msgspec.structs.replace(plan, policies={**plan.policies, **policies})


def players_of(fight: Fight) -> list[str]:
    """Return the characters of the players in a fight."""
    return [who for who in fight.members if fight.state.kind(who) == "pc"]


def find_members(text: str, fight: Fight) -> list[str]:
    """Return those whom a word names: a side, `players`, `foes`, `all`, or one in the fight. Raises InputError."""
    word, players = text.strip().casefold(), players_of(fight)
    groups = {side.casefold(): list(members) for side, members in fight.sides}
    groups |= {"players": players, "foes": [who for who in fight.members if who not in players]}
    if found := groups.get(word) or (list(fight.members) if word == "all" else []):
        return found
    being = find_being_in_play(fight.state, text.strip())
    if being.name not in fight.members:
        raise InputError(f"{escape(being.name)} is not in the fight", hint=HINT)
    return [being.name]


def parse_alteration(words: str, who: tuple[str, ...], fight: Fight) -> Alteration:
    """Return how strikes are changed: to a level of the book, or by words behind the line. Raises InputError."""
    strikes = [
        strike
        for each in who
        for foe in fight.foes_of(each)[:1]
        for strike in list(fight.guide.strikes(each, foe, fight.state))
    ]
    if any(words in dict(fight.guide.levels(strike, fight.state)) for strike in strikes):
        return Alteration(who=who, level=words)
    problem: Unreadable | None = None
    scope = line_scope(fight.ledger_state, fight.game)
    for strike in strikes:
        try:
            changed = parse_change(words, strike, None, scope).declaration
        except Unreadable as error:
            problem = problem or error
        else:
            if type(changed) is type(strike) and changed != strike:
                return Alteration(who=who, words=words)
    what = f"'{escape(words)}' changes no strike"
    raise InputError(f"{what}: {problem.what}" if problem else f"{what} of theirs", hint=HINT)
