"""Sheets of characters, foes and groups of foes: their domains, joining with one, and editing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.facts import GM, Fact, Joined, Scalar
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.beings import check_free, find_being
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import pronoun_entries
from rulebooks.common.sheets import change_entries, change_maximum, check_because, pairs, read_sheet
from rulebooks.common.values import check_whole, new_pool, outside_domain
from rulebooks.monolith import declarations, groups, scores, weapons

TAKEN: Final = (*scores.NO_SCORES, scores.BODY, scores.RESOLVE, scores.HP)


def check_combatant(said: declarations.Combatant) -> None:
    """ML-GAP-2, ML-GAP-4: refuse a sheet outside its domains: HP from 0 to their maximum, no negative numbers."""
    check_whole("body", said.body, 1)
    check_whole("resolve", said.resolve, 0)
    check_whole("hp", said.hp, 0)
    check_whole("armor", said.armor, 0)
    for name, score in said.scores:
        if fold_case(name) in TAKEN or fold_case(name).startswith(scores.WEAPON) or not name:
            raise outside_domain("scores", f"scores of other names than {', '.join(TAKEN)}", name)
        check_whole(name, score, 0)
    for name, written in said.weapons:
        if not name or weapons.parse_weapon(written, name) is None:
            raise outside_domain(name or "weapons", "a die and its tags, as in d8 blast nonlethal", written)
    for pool, points in said.now:
        check_whole(f"now.{pool}", points, 1 if pool == scores.BODY else 0, getattr(said, pool))


def sheet_of(said: declarations.Combatant) -> dict[str, Scalar]:
    """Return the entries of a sheet; hit points and Body are kept apart. The first weapon is wielded."""
    sheet: dict[str, Scalar] = {scores.RESOLVE: said.resolve, scores.ARMOR: said.armor}
    sheet |= {fold_case(name): score for name, score in said.scores}
    sheet |= {scores.WEAPON + name: written for name, written in said.weapons}
    if said.weapons:
        sheet[scores.WIELDS] = said.weapons[0][0]
    player = getattr(said, "player", "")
    return sheet | pronoun_entries(said) | ({"player": player} if player else {})


@decides(declarations.CreateCharacter, declarations.CreateNpc)
def join(said: declarations.Combatant, state: State) -> Iterator[Fact]:
    """ML-GAP-2, ML-GAP-4: a combatant joins; hit points and Body are full unless the sheet says otherwise.

    ML-GAP-22: foes have them as characters do.
    """
    kind, side, seen = ("npc", GM, "gm") if isinstance(said, declarations.CreateNpc) else ("pc", "players", "table")
    check_free(said.name, state)
    check_combatant(said)
    left: dict[str, int] = dict(said.now)
    rules = ("ML-GAP-2", "ML-GAP-4")
    yield Joined(rules=rules, who=said.name, kind=kind, side=side, sheet=tuple(sheet_of(said).items()), seen=seen)
    for pool, most in ((scores.HP, said.hp), (scores.BODY, said.body)):
        yield new_pool(said.name, pool, most, left.get(pool, most), "ML-GAP-2")


@decides(declarations.CreateGroup)
def create_group(said: declarations.CreateGroup, state: State) -> Iterator[Fact]:
    """ML-MOR-3: enemies that make their Saves together, with a Resolve of their own, a leader's, or both."""
    check_free(said.name, state)
    check_group(said, state)
    sheet = tuple(group_entries(said).items())
    yield Joined(rules=("ML-MOR-1", "ML-MOR-3"), who=said.name, kind=groups.GROUP, side=GM, sheet=sheet, seen="gm")
    yield from groups.set_ties(said.name, groups.MEMBER, said.members, state, "ML-MOR-1")
    yield from groups.set_ties(said.name, groups.LEADER, [said.leader] if said.leader else [], state, "ML-MOR-3")


def group_entries(said: declarations.CreateGroup) -> dict[str, Scalar]:
    """Return the entries of a group's sheet: its Resolve, if it has its own."""
    return pronoun_entries(said) | ({} if said.resolve is None else {scores.RESOLVE: said.resolve})


def check_group(said: declarations.CreateGroup, state: State) -> None:
    """ML-MOR-3: its members are foes in play, each of one group; its leader is one of them."""
    if said.resolve is not None:
        check_whole("resolve", said.resolve, 0)
    for who in said.members:
        find_being("members", who, state, ("npc",))
        if groups.group_of(who, state) not in ("", said.name):
            raise outside_domain("members", "in no other group", who)
    if not said.members or len(set(said.members)) < len(said.members):
        raise outside_domain("members", "at least one, each named once", ", ".join(said.members) or "nobody")
    if said.leader and said.leader not in said.members:
        raise outside_domain("leader", "one of the members", said.leader)


@decides(declarations.ChangeCombatant)
def change_combatant(said: declarations.ChangeCombatant, state: State) -> Iterator[Fact]:
    """ML-GAP-2, ML-GAP-6: an edited sheet changes what differs; pools are cut, never filled."""
    who = find_being("name", said.name, state, ("pc", "npc")).name
    check_because(said.because)
    check_combatant(said)
    yield from change_entries(who, sheet_of(said), said.because, state, "ML-GAP-2", entries=said.entries)
    for pool, most in ((scores.HP, said.hp), (scores.BODY, said.body)):
        yield from change_maximum(who, pool, most, said.because, state, "ML-GAP-6")


@decides(declarations.ChangeGroup)
def change_group(said: declarations.ChangeGroup, state: State) -> Iterator[Fact]:
    """ML-MOR-3: another Resolve, other members, another leader."""
    find_being("name", said.name, state, (groups.GROUP,))
    check_because(said.because)
    check_group(said, state)
    yield from change_entries(said.name, group_entries(said), said.because, state, "ML-GAP-2", entries=said.entries)
    yield from groups.set_ties(said.name, groups.MEMBER, said.members, state, "ML-MOR-1")
    yield from groups.set_ties(said.name, groups.LEADER, [said.leader] if said.leader else [], state, "ML-MOR-3")


SHEETS: Final[Mapping[str, type[Declaration]]] = {
    "pc": declarations.CreateCharacter,
    "npc": declarations.CreateNpc,
    "group": declarations.CreateGroup,
}


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file. `[weapons]`, `[scores]` and `[now]` are tables, as in `rifle = "d8"`."""
    return read_sheet(content, SHEETS, dict.fromkeys(("weapons", "scores", "now"), pairs), where)
