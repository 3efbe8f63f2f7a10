"""Reactions: Defend, Interpose and Help, one for each PC and round, paid for at the next own turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from ledger.facts import Allowed, Counted, Fact, Judged, Ruled
from projections.state import State
from rulebooks.common.values import action_use, outside_domain
from rulebooks.momentum.declarations import Reaction, Strike
from rulebooks.momentum.guards import check_up, is_in_fight, is_out, running_encounter, side_members
from rulebooks.momentum.texts import check_ruling, option, refusal
from rulebooks.momentum.weapons import SHIELD

REACTION: Final = "reaction"
REACTIONS: Final = "reactions"  # since the last own turn
HELPING: Final = ("help", "late")


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """The target of an attack after the reactions so far, its defender, and the number of helpers."""

    target: str
    defending: tuple[str, ...] = ()
    helpers: int = 0

    @property
    def cancelled(self) -> int:
        """MO-DEFEND-1: one hit, if the one who defends is still the target."""
        return int(self.target in self.defending)


def aim_after(reactions: Iterable[Reaction], target: str) -> Aim:
    """MO-CONV-4: reactions in the order in which they are declared."""
    defending, helpers = list[str](), 0
    for reaction in reactions:
        if reaction.kind == "interpose":
            target = reaction.who
        elif reaction.kind == "defend":
            defending.append(reaction.who)
        elif not reaction.refused:
            helpers += 1
    return Aim(target=target, defending=tuple(defending), helpers=helpers)


def check_reaction(who: str, state: State) -> None:
    """Refuse any reaction, in the catalogue's order of codes: not a PC, down, own turn, reacted."""
    being = state.being(who)
    if being is None or being.name != who:
        raise outside_domain("by", "somebody in this fight, spelled as on the sheet", who)
    encounter = running_encounter(state)
    if state.side(who) != "pc" or not is_in_fight(who, state):
        raise refusal("PCONLY", case="absent" if state.side(who) == "pc" else "side", name=who)
    check_up(who, state)
    if encounter.turn == who:
        raise refusal("OWNTURN", name=who)
    if not state.actions_left(who, REACTION):
        raise refusal("REACTED", name=who)


def check_kind(reaction: Reaction, said: Strike, aim: Aim, state: State) -> None:
    """Refuse the kind of the reaction."""
    if reaction.kind == "defend":
        check_shield(reaction.who, state)
        if aim.target != reaction.who:
            raise refusal("NOT-TARGET", name=reaction.who, target=aim.target)
    elif reaction.kind == "interpose":
        if state.place(reaction.who) != state.place(aim.target):
            here, there = state.place(reaction.who), state.place(aim.target)
            raise refusal("ZONE", name=reaction.who, target=aim.target, here=here, there=there)
        if reaction.who in (aim.target, said.by):
            raise refusal("SELF", case="attacker" if reaction.who == said.by else "target", name=reaction.who)
    else:
        check_help(reaction, said, aim, state)


def check_shield(who: str, state: State) -> None:
    """MO-DEFEND-1: Defend needs a shield."""
    if not state.sheet(who, SHIELD):
        raise refusal("SHIELD", name=who)


def check_help(reaction: Reaction, said: Strike, aim: Aim, state: State) -> None:
    """MO-HELP-1, MO-GAP-16, MO-GAP-18: one Help, in time, with a ruling, for an ally."""
    if aim.helpers and option(state, "help_stacks") == "no":
        raise refusal("STACK")
    if reaction.kind == "late" and option(state, "help_timing") == "before_roll":
        raise refusal("TIMING", name=reaction.who, kind="help")
    check_ruling(how=reaction.how, because=reaction.because)
    if state.side(said.by) != "pc":
        raise refusal("PCONLY", case="help", name=said.by)


def react(reaction: Reaction, said: Strike, before: Iterable[Reaction], state: State) -> Iterator[Fact]:
    """MO-REACT-1: one reaction to an attack, after those that came before it."""
    aim = aim_after(before, said.target)
    check_reaction(reaction.who, state)
    check_kind(reaction, said, aim, state)
    if reaction.kind in HELPING:
        verdict = "refused" if reaction.refused else "accepted"
        yield Ruled(rules=("MO-HELP-1",), name=f"help {verdict}", text=reaction.how, because=reaction.because)
        if reaction.refused:
            return
    yield judge_reaction(reaction, said, aim)
    who, kind = reaction.who, reaction.kind
    yield action_use(who, REACTION, state, "used", "MO-REACT-1", "MO-REACT-2")
    total = state.count(who, REACTIONS) + 1
    yield Counted(rules=("MO-REACT-3",), who=who, name=REACTIONS, change=1, now=total, until="encounter", because=kind)


def judge_reaction(reaction: Reaction, said: Strike, aim: Aim) -> Judged:
    """Return the fact of a reaction: its kind and its beneficiary."""
    rules = {"defend": ("MO-DEFEND-1", "MO-DEFEND-2"), "interpose": ("MO-INTER-1", "MO-INTER-2")}
    who = reaction.who
    result = {"defend": who, "interpose": f"{who} for {aim.target}"}.get(reaction.kind, f"{who} helps {said.by}")
    return Judged(
        rules=(*rules.get(reaction.kind, ("MO-HELP-1",)), "MO-CONV-4"),
        what="help" if reaction.kind in HELPING else reaction.kind,
        who=who,
        against=aim.target,
        result=result,
        final=True,
    )


def possible_reactions(said: Strike, targets: Collection[str], state: State) -> Iterator[tuple[str, str]]:
    """MO-REACT-1: the possible reactions to an attack on these targets before its dice, by being."""
    encounter = state.encounter
    if encounter is None:
        return
    for who in side_members(encounter, "pc"):
        if is_out(who, state) or who in (said.by, encounter.turn) or not state.actions_left(who, REACTION):
            continue
        if who in targets and state.sheet(who, SHIELD):
            yield who, "defend"
        if any(who != target and state.place(who) == state.place(target) for target in targets):
            yield who, "interpose"
        if state.side(said.by) == "pc":
            yield who, "help"


def renew_reactions(pcs: tuple[str, ...]) -> Allowed:
    """MO-REACT-1, MO-REACT-2: one reaction for each PC and round; opponents have none."""
    rules = ("MO-REACT-2", "MO-REACT-1")
    return Allowed(rules=rules, who=pcs, actions=((REACTION, 1),), until="round")
