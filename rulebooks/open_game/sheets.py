"""Sheets: what somebody has by any name, joining and editing; and the house rules, which are a sheet too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.errors import Refused, Unreadable
from ledger.facts import GM, Fact, Joined, Scalar, TokensMoved
from ledger.names import fold_case, name_key
from projections.state import State
from rulebooks.common.beings import check_free, find_being
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import pronoun_entries
from rulebooks.common.sheets import change_entries, change_maximum, check_because, pairs, read_sheet
from rulebooks.common.values import check_whole, new_pool, outside_domain
from rulebooks.open_game.declarations import (
    ChangeRules,
    ChangeSheet,
    CreateCharacter,
    CreateNpc,
    Sheet,
    WriteRules,
)
from rulebooks.open_game.house_rules import (
    HOUSE,
    KIND,
    MOVE_KEYS,
    ON,
    WORD,
    BadRule,
    flat_entries,
    parse_rules,
)
from rulebooks.open_game.values import ROLLED_MOST

RULE: Final = "OG-SHEET-1"
TAKEN: Final = ("player", "pronouns", *MOVE_KEYS, ON, "target")  # no value has these names


def value_names(said: Sheet) -> Iterator[str]:
    """Yield the name of every value of a sheet, as it is kept."""
    for table in (said.stats, said.pools, said.tokens, said.counts, said.traits):
        yield from (fold_case(name) for name, _ in table)


def check_sheet(said: Sheet) -> None:
    """OG-SHEET-1: refuse a name that is none or is there twice, and numbers outside their bounds."""
    names = [*value_names(said), *dict.fromkeys(map(fold_case, said.conditions))]
    for name in names:
        if not WORD.fullmatch(name) or name in TAKEN:
            raise outside_domain(
                "a value of the sheet", f"a name of up to 40 letters and digits, and none of {', '.join(TAKEN)}", name
            )
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise outside_domain("a value of the sheet", "named once", twice)
    for name, stat in said.stats:
        check_whole(f"stats.{name}", stat, -ROLLED_MOST, ROLLED_MOST)
    for name, most in said.pools:
        check_whole(f"pools.{name}", most, 0, ROLLED_MOST)
    for name, most in said.counts:
        check_whole(f"counts.{name}", most, 1, ROLLED_MOST)
    for name, held in said.tokens:
        check_whole(f"tokens.{name}", held, 0, ROLLED_MOST)
    bounds = {fold_case(name): most for name, most in (*said.pools, *said.counts)}
    for name, now in said.now:
        if fold_case(name) not in bounds:
            raise outside_domain("now", "pools and counts of the sheet", name)
        check_whole(f"now.{name}", now, 0, bounds[fold_case(name)])


def sheet_entries(said: Sheet) -> dict[str, Scalar]:
    """Return the entries of a sheet: stats and traits; what can be spent or counted is kept apart."""
    player = getattr(said, "player", "")
    entries: dict[str, Scalar] = {fold_case(name): stat for name, stat in said.stats}
    entries |= {fold_case(name): trait for name, trait in said.traits}
    return entries | pronoun_entries(said) | ({"player": player} if player else {})


@decides(CreateCharacter, CreateNpc)
def join(said: Sheet, state: State) -> Iterator[Fact]:
    """OG-SHEET-1: somebody joins with what the sheet has; pools are full unless it says otherwise."""
    who, foe = said.name, isinstance(said, CreateNpc)
    check_free(who, state)
    if name_key(who) == name_key(HOUSE):
        raise outside_domain("name", f"another than {HOUSE}, which is that of the rules of the table", who)
    check_sheet(said)
    kind, side, seen = ("npc", GM, "gm") if foe else ("pc", "players", "table")
    yield Joined(rules=(RULE,), who=who, kind=kind, side=side, sheet=tuple(sheet_entries(said).items()), seen=seen)
    now = {fold_case(name): number for name, number in said.now}
    for pool, most in said.pools:
        yield new_pool(who, fold_case(pool), most, now.get(fold_case(pool), most), RULE)
    for token, held, size in tokens_of(said):
        yield new_tokens(who, token, now.get(token, held), size, "the sheet", RULE)
    for condition in dict.fromkeys(map(fold_case, said.conditions)):
        yield new_condition(who, condition, RULE)


@decides(ChangeSheet)
def change_sheet(said: ChangeSheet, state: State) -> Iterator[Fact]:
    """OG-SHEET-2: an edited sheet changes stats, traits and maxima that differ; new pools and counts come with it."""
    who = find_being("name", said.name, state, ("pc", "npc")).name
    check_because(said.because)
    check_sheet(said)
    check_same_parts(said, who, state)
    yield from change_entries(who, sheet_entries(said), said.because, state, "OG-SHEET-2", entries=said.entries)
    for name, most in said.pools:
        pool = fold_case(name)
        if (who, pool) in state.pools:
            yield from change_maximum(who, pool, most, said.because, state, "OG-SHEET-2")
        else:
            yield new_pool(who, pool, most, most, "OG-SHEET-2")
    for token, held, size in tokens_of(said):
        before = state.tokens.get((who, token))
        if before is None:
            yield new_tokens(who, token, held, size, said.because, "OG-SHEET-2")
        elif before.most != size:
            now = before.count if size is None else min(before.count, size)
            yield new_tokens(who, token, now, size, said.because, "OG-SHEET-2", before=before.count)


def tokens_of(said: Sheet) -> Iterator[tuple[str, int, int | None]]:
    """Yield the name, the first number and the size of tokens, which have none, and of counts, which begin at 0."""
    yield from ((fold_case(name), held, None) for name, held in said.tokens)
    yield from ((fold_case(name), 0, size) for name, size in said.counts)


def new_tokens(
    who: str, token: str, now: int, size: int | None, because: str, *rules: str, before: int = 0
) -> TokensMoved:
    """Return tokens or a count that somebody has from now on."""
    return TokensMoved(rules=rules, who=who, token=token, change=now - before, now=now, most=size, because=because)


def check_same_parts(said: Sheet, who: str, state: State) -> None:
    """OG-SHEET-2: refuse a value that is something else in play: a pool that was a stat, or the name of a condition."""
    tokens = {name for name, _, _ in tokens_of(said)}
    pools = {fold_case(name) for name, _ in said.pools}
    for name in value_names(said):
        parts = {
            "pools": (who, name) in state.pools,
            "tokens": (who, name) in state.tokens,
            "stats": state.sheet(who, name) is not None,
            "conditions": has_condition(who, name, state),
        }
        own = "pools" if name in pools else "tokens" if name in tokens else "stats"
        if part := next((part for part, there in parts.items() if there and part != own), ""):
            raise outside_domain(name, f"what it is in play, one of the {part}", own)


def rule_entries(said: WriteRules) -> dict[str, Scalar]:
    """Return the entries of the house rules by the path of their keys: `moves.rest.hp`."""
    tables = {"results": said.results, "margins": said.margins, "zero": said.zero, "moves": said.moves}
    entries: dict[str, Scalar] = {name: value for name, value in (("dice", said.dice), ("order", said.order)) if value}
    return entries | {f"{table}.{key}": value for table, rows in tables.items() for key, value in rows}


def check_rules(said: WriteRules) -> None:
    """OG-HOUSE-1: refuse rules that cannot be read."""
    if said.name != HOUSE:
        raise outside_domain("name", HOUSE, said.name)
    try:
        parse_rules(tuple(sorted(rule_entries(said).items())))
    except BadRule as error:
        raise Refused("L-VALUE", f"{error.key}: {error.what}", hint=error.hint) from error


@decides(WriteRules)
def write_rules(said: WriteRules, state: State) -> Iterator[Fact]:
    """OG-HOUSE-1: the table writes down its rules, which hold for every later line."""
    check_free(said.name, state)
    check_rules(said)
    sheet = tuple(rule_entries(said).items())
    yield Joined(rules=("OG-HOUSE-1",), who=HOUSE, kind=KIND, side=GM, sheet=sheet, seen="table")


@decides(ChangeRules)
def change_rules(said: ChangeRules, state: State) -> Iterator[Fact]:
    """OG-HOUSE-2: the table changes its rules, with a reason; what was played stays as it was."""
    find_being("name", said.name, state, (KIND,))
    check_because(said.because)
    check_rules(said)
    yield from change_entries(HOUSE, rule_entries(said), said.because, state, "OG-HOUSE-2", entries=said.entries)


TABLES: Final = ("stats", "pools", "tokens", "counts", "traits", "now")


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file; one of the kind `house` has no name of its own.

    Raises Unreadable, naming the file and the key.
    """
    if content.get("sheet") != KIND:
        kinds: Mapping[str, type[Declaration]] = {"pc": CreateCharacter, "npc": CreateNpc}
        return read_sheet(content, kinds, dict.fromkeys(TABLES, pairs), where)
    if content.get("name", HOUSE) != HOUSE:
        raise Unreadable("the house rules have no name of their own", where=f"{where}, name", hint="Leave it out.")
    tables = dict.fromkeys(("results", "margins", "zero"), pairs) | {"moves": flat_pairs}
    said = read_sheet({**content, "name": HOUSE}, {KIND: WriteRules}, tables, where)
    try:
        parse_rules(tuple(sorted(rule_entries(said).items())))
    except BadRule as error:
        raise Unreadable(error.what, where=f"{where}, {error.key}", hint=error.hint) from error
    return said


def flat_pairs(table: Mapping[str, Any]) -> list[Any]:
    """Return nested tables as pairs of the path of a key and its value."""
    return [list(pair) for pair in flat_entries(table)]
