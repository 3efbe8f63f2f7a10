"""Reactions: Defend, Interpose and Help, one for each PC and round, paid for at the next own turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.facts import ActionSpent, Counted, Fact, Judged, Ruled
from projections.state import State
from rulebooks.common.values import outside_domain
from rulebooks.momentum.declarations import Reaction, Strike
from rulebooks.momentum.texts import check_ruling, option, refused
from rulebooks.momentum.turns import REACTION, REACTIONS, fighting, running
from rulebooks.momentum.weapons import SHIELD
from rulebooks.momentum.wounds import is_out, side_of

HELPING = ("help", "late")


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """Whom an attack is at by now, who defends, and how many help."""

    target: str
    defending: tuple[str, ...] = ()
    helpers: int = 0

    @property
    def cancelled(self) -> int:
        """MO-DEFEND-1: one hit, if the one who defends is still the target."""
        return int(self.target in self.defending)


def aim(target: str, reactions: Iterable[Reaction]) -> Aim:
    """MO-CONV-4: reactions in the order in which they are declared."""
    found = Aim(target=target)
    for one in reactions:
        if one.kind == "interpose":
            found = msgspec.structs.replace(found, target=one.who)
        elif one.kind == "defend":
            found = msgspec.structs.replace(found, defending=(*found.defending, one.who))
        elif not one.refused:
            found = msgspec.structs.replace(found, helpers=found.helpers + 1)
    return found


def check_reaction(who: str, state: State) -> None:
    """The refusals of every reaction, in the catalogue's order: not a PC, down, own turn, reacted."""
    being = state.being(who)
    if being is None or being.name != who:
        raise outside_domain("by", "somebody in this fight, spelled as on the sheet", who)
    found = running(state)
    if side_of(who, state) != "pc" or not fighting(who, state):
        raise refused("PCONLY")
    if is_out(who, state):
        raise refused("DOWN")
    if found.turn == who:
        raise refused("OWNTURN")
    if not state.actions_left(who, REACTION):
        raise refused("REACTED")


def check_kind(one: Reaction, said: Strike, now: Aim, state: State) -> None:
    """The refusals of the reaction itself."""
    if one.kind == "defend":
        check_shield(one.who, state)
        if now.target != one.who:
            raise refused("NOT-TARGET")
    elif one.kind == "interpose":
        if state.place(one.who) != state.place(now.target):
            raise refused("ZONE")
        if one.who in (now.target, said.by):
            raise refused("SELF")
    else:
        check_help(one, said, now, state)


def check_shield(who: str, state: State) -> None:
    """MO-DEFEND-1: Defend needs a shield."""
    if not state.sheet(who, SHIELD):
        raise refused("SHIELD")


def check_help(one: Reaction, said: Strike, now: Aim, state: State) -> None:
    """MO-HELP-1, MO-GAP-16, MO-GAP-18: one Help, in time, with a ruling, for an ally."""
    if now.helpers and option(state, "help_stacks") == "no":
        raise refused("STACK")
    if one.kind == "late" and option(state, "help_timing") == "before_roll":
        raise refused("TIMING")
    check_ruling(one.how, one.because)
    if side_of(said.by, state) != "pc":
        raise refused("PCONLY")


def reacted(one: Reaction, said: Strike, before: Iterable[Reaction], state: State) -> Iterator[Fact]:
    """MO-REACT-1: one reaction to an attack, after those that came before it."""
    now = aim(said.target, before)
    check_reaction(one.who, state)
    check_kind(one, said, now, state)
    if one.kind in HELPING:
        verdict = "refused" if one.refused else "accepted"
        yield Ruled(rules=("MO-HELP-1",), name=f"help {verdict}", text=one.how, because=one.because)
        if one.refused:
            return
    yield reaction(one, said, now)
    left = state.actions_left(one.who, REACTION) - 1
    yield ActionSpent(
        rules=("MO-REACT-1", "MO-REACT-2"), who=one.who, action=REACTION, cost=1, left=left, outcome="used"
    )
    total = state.count(one.who, REACTIONS) + 1
    yield Counted(
        rules=("MO-REACT-3",), who=one.who, name=REACTIONS, change=1, now=total, until="encounter", because=one.kind
    )


def reaction(one: Reaction, said: Strike, now: Aim) -> Judged:
    """What a reaction is, and for whom."""
    rules = {"defend": ("MO-DEFEND-1", "MO-DEFEND-2"), "interpose": ("MO-INTER-1", "MO-INTER-2")}
    result = {"defend": one.who, "interpose": f"{one.who} for {now.target}"}.get(one.kind, f"{one.who} helps {said.by}")
    return Judged(
        rules=(*rules.get(one.kind, ("MO-HELP-1",)), "MO-CONV-4"),
        what="help" if one.kind in HELPING else one.kind,
        who=one.who,
        against=now.target,
        result=result,
        final=True,
    )


def could_react(said: Strike, state: State) -> Iterator[tuple[str, str]]:
    """MO-REACT-1: who may react to an attack before its dice, and how."""
    found = state.encounter
    if found is None:
        return
    for who in (who for slot in found.order if slot.slot == "pc" for who in slot.who):
        if is_out(who, state) or who == said.by or found.turn == who or not state.actions_left(who, REACTION):
            continue
        if who == said.target and state.sheet(who, SHIELD):
            yield who, "defend"
        if who != said.target and state.place(who) == state.place(said.target):
            yield who, "interpose"
        if side_of(said.by, state) == "pc":
            yield who, "help"
