"""The recap: what the facts of one session come to, between the state before it and the state after.

Arithmetic only, for any game: who was there, what happened in which scene, where every point and token came from
and went. Causes are told in the order in which they first came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import (
    GM,
    Amended,
    BaseFact,
    Declared,
    EncounterBegan,
    EntryId,
    Fact,
    Invalidated,
    Joined,
    Judged,
    OptionSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Rolled,
    Ruled,
    Scalar,
    TokensMoved,
    Told,
    WoundChanged,
    Wounded,
)
from projections.state import Being, State

Causes = tuple[tuple[str, int], ...]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that counts: who said which line, and what came of it."""

    id: EntryId
    by: str
    line: str
    facts: tuple[Fact, ...]


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a pool, or how many tokens are held, and the most that may be."""

    name: str
    now: int
    most: int | None


class Injury(msgspec.Struct, frozen=True, kw_only=True):
    """A wound as it stands."""

    kind: str
    value: int
    in_force: bool


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody stands at one end of the session."""

    pools: tuple[Level, ...]
    tokens: tuple[Level, ...]
    wounds: tuple[Injury, ...]
    conditions: tuple[tuple[str, int], ...]


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One of the cast, at the start (None: not there yet) and at the end; and the entry of joining."""

    who: str
    kind: str
    side: str
    seen: str
    start: Look | None
    end: Look
    joined: str = ""


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """One pool or one kind of token over a session: start - spent - lost + regained + set = end.

    Each part by its causes. Tokens are `regained` when they come and `spent` when they go.
    """

    who: str
    kind: str
    name: str
    start: int
    spent: Causes
    lost: Causes
    regained: Causes
    set: Causes
    end: int
    most: int | None


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the timeline with its facts, or something told: fiction, a quote."""

    entry: EntryId
    by: str
    line: str
    told: Told | None = None
    facts: tuple[Fact, ...] = ()


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """What happened from one scene line to the next; what came before the first has no title."""

    entry: str
    title: str
    moments: tuple[Moment, ...]


class Hurt(msgspec.Struct, frozen=True, kw_only=True):
    """A wound that was taken in this entry (`new`), or changed; at value 0 it is healed."""

    entry: str
    who: str
    wound: str
    kind: str
    value: int
    in_force: bool
    new: bool
    how: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An option that the table set."""

    entry: str
    name: str
    was: Scalar | None
    now: Scalar
    because: str
    agreed: tuple[str, ...]


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What the game master decided."""

    entry: str
    name: str
    text: str
    because: str
    about: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that corrects another one."""

    entry: str
    line: str
    of: str
    outcome: str
    because: str


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """How many rolls and dice came from one source."""

    source: str
    rolls: int
    dice: int


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """How often what was judged ended how; results that are final."""

    what: str
    results: Causes


# Where the points went


class Account:
    """The four columns of a flow while they are summed."""

    def __init__(self) -> None:
        self.columns: dict[str, dict[str, int]] = {"spent": {}, "lost": {}, "regained": {}, "set": {}}

    def add(self, column: str, cause: str, points: int) -> None:
        """So many more in a column, for this cause."""
        causes = self.columns[column]
        causes[cause] = causes.get(cause, 0) + points

    def causes(self, column: str) -> Causes:
        """A column by its causes."""
        return tuple(self.columns[column].items())

    @property
    def change(self) -> int:
        """What all columns come to."""
        sums = {column: sum(causes.values()) for column, causes in self.columns.items()}
        return sums["regained"] + sums["set"] - sums["spent"] - sums["lost"]


Key = tuple[str, str, str]
Movement = tuple[Key, str, str, int]


def _moved(fact: Fact) -> Movement | None:
    """Whose what moved, in which column, why and by how much; None for other facts."""
    match fact:
        case PointsSpent():
            return (fact.who, "pool", fact.pool), "spent", fact.because, fact.points
        case PointsRegained():
            return (fact.who, "pool", fact.pool), "regained", fact.because, fact.points
        case PointsLost():
            return (fact.who, "pool", fact.pool), "lost", fact.because, fact.points
        case PoolSet():
            return (fact.who, "pool", fact.pool), "set", fact.because, fact.now - fact.was
        case TokensMoved():
            column = "spent" if fact.change < 0 else "regained"
            return (fact.who, "token", fact.token), column, fact.because, abs(fact.change)
    return None


def flows(before: State, after: State, said: Iterable[Said], order: Sequence[str] = ()) -> list[Flow]:
    """Every pool and token, by being in order of joining; the game master's last. `order`: pools in the book's order.

    Raises OutOfBalance when one does not add up.
    """
    accounts: dict[Key, Account] = {key: Account() for state in (before, after) for key in _held(state)}
    for fact in (fact for entry in said for fact in entry.facts):
        moved = _moved(fact)
        if moved is not None:
            key, column, cause, points = moved
            account = accounts.setdefault(key, Account())
            if points:
                account.add(column, cause, points)
    place = {being.name: being.joined for being in after.in_order()}
    ranked = sorted(accounts, key=lambda key: (place.get(key[0], len(place)), key[0], key[1], _rank(order, key[2])))
    return [_flow(key, accounts[key], before, after) for key in ranked]


def _flow(key: Key, account: Account, before: State, after: State) -> Flow:
    """One account, checked against both states."""
    who, kind, name = key
    start, end = (_amount(state, key) for state in (before, after))
    if start + account.change != end:
        raise OutOfBalance(f"{who}'s {name} ends at {end}, the sum is {start + account.change}", where="recap")
    held = after.pools.get((who, name)) if kind == "pool" else after.tokens.get((who, name))
    return Flow(
        who=who,
        kind=kind,
        name=name,
        start=start,
        spent=account.causes("spent"),
        lost=account.causes("lost"),
        regained=account.causes("regained"),
        set=account.causes("set"),
        end=end,
        most=held.most if held else None,
    )


def _held(state: State) -> Iterator[Key]:
    """Everything that somebody has."""
    yield from ((who, "pool", name) for who, name in state.pools)
    yield from ((who, "token", name) for who, name in state.tokens)


def _amount(state: State, key: Key) -> int:
    """How much of it there is."""
    who, kind, name = key
    return state.points(who, name) if kind == "pool" else state.tokens_held(who, name)


def _rank(order: Sequence[str], name: str) -> tuple[int, str]:
    """Where a name stands: as in `order`, then by letters."""
    return (order.index(name) if name in order else len(order), name)


# Who was there


def cast(before: State, after: State, said: Sequence[Said], order: Sequence[str] = ()) -> list[Member]:
    """Who was there: characters in play, others when something happened to them, and the game master's tokens."""
    seen = {name for entry in said for fact in entry.facts for name in _named(fact)}
    came = {fact.who: str(entry.id) for entry in said for fact in entry.facts if isinstance(fact, Joined)}
    there = [being for being in after.in_order() if being.name in seen or being.kind == "pc"]
    members = [_member(being, before, after, order, came) for being in there]
    held = look(after, GM, order)
    if held.tokens or held.pools:
        start = look(before, GM, order)
        members.append(Member(who=GM, kind=GM, side=GM, seen="table", start=start, end=held))
    return members


def _member(being: Being, before: State, after: State, order: Sequence[str], came: Mapping[str, str]) -> Member:
    """One of the cast."""
    return Member(
        who=being.name,
        kind=being.kind,
        side=being.side,
        seen=being.seen,
        start=None if before.being(being.name) is None else look(before, being.name, order),
        end=look(after, being.name, order),
        joined=came.get(being.name, ""),
    )


def look(state: State, who: str, order: Sequence[str] = ()) -> Look:
    """How somebody stands. A condition with a note of the game's own is the game's business."""
    pools = [Level(name=name, now=pool.points, most=pool.most) for (own, name), pool in _sorted(state.pools, who)]
    return Look(
        pools=tuple(sorted(pools, key=lambda level: _rank(order, level.name))),
        tokens=tuple(
            Level(name=name, now=token.count, most=token.most) for (own, name), token in _sorted(state.tokens, who)
        ),
        wounds=tuple(
            Injury(kind=wound.kind, value=wound.value, in_force=wound.in_force) for _, wound in state.wounds_of(who)
        ),
        conditions=tuple((found.name, found.degree) for _, found in state.conditions_of(who) if not found.data),
    )


def _sorted(table: Mapping[tuple[str, str], Any], who: str) -> list[tuple[tuple[str, str], Any]]:
    """What one of them has, by name."""
    return sorted((pair for pair in table.items() if pair[0][0] == who), key=lambda pair: pair[0])


def _named(fact: BaseFact) -> Iterator[str]:
    """Everybody whom a fact names."""
    if isinstance(fact, EncounterBegan):
        yield from (who for _, side in fact.sides for who in side)
    for field in ("who", "by", "against", "about"):
        found = getattr(fact, field, "")
        yield from (found,) if isinstance(found, str) else found


# What happened


def scenes(said: Iterable[Said]) -> list[Scene]:
    """The timeline, cut at the scene lines. Corrections stand apart, and what they made impossible did not happen."""
    found: list[Scene] = []
    entry, title, moments = "", "", list[Moment]()
    for one in said:
        if any(isinstance(fact, Amended | Invalidated) for fact in one.facts):
            continue
        for told in (fact for fact in one.facts if isinstance(fact, Told)):
            if told.kind == "scene":
                found.append(Scene(entry=entry, title=title, moments=tuple(moments)))
                entry, title, moments = str(one.id), told.text, []
            else:
                moments.append(Moment(entry=one.id, by=one.by, line=one.line, told=told))
        facts = tuple(fact for fact in one.facts if not isinstance(fact, Declared | Told))
        if facts or not any(isinstance(fact, Told) for fact in one.facts):
            moments.append(Moment(entry=one.id, by=one.by, line=one.line, facts=facts))
    found.append(Scene(entry=entry, title=title, moments=tuple(moments)))
    return [scene for scene in found if scene.entry or scene.moments]


def wounds(said: Iterable[Said]) -> list[Hurt]:
    """Wounds taken, changed and healed."""
    return [
        Hurt(
            entry=str(entry.id),
            who=fact.who,
            wound=fact.wound,
            kind=fact.kind,
            value=fact.value,
            in_force=fact.in_force,
            new=isinstance(fact, Wounded),
            how=fact.by if isinstance(fact, Wounded) else fact.because,
        )
        for entry in said
        for fact in entry.facts
        if isinstance(fact, Wounded | WoundChanged)
    ]


def choices(said: Iterable[Said]) -> list[Choice]:
    """Options that were set."""
    return [
        Choice(
            entry=str(entry.id),
            name=fact.name,
            was=fact.was,
            now=fact.now,
            because=fact.because,
            agreed=fact.agreed,
        )
        for entry in said
        for fact in entry.facts
        if isinstance(fact, OptionSet)
    ]


def rulings(said: Iterable[Said]) -> list[Ruling]:
    """What was ruled."""
    return [
        Ruling(
            entry=str(entry.id),
            name=fact.name,
            text=fact.text,
            because=fact.because,
            about=fact.about,
            cites=fact.cites,
            scope=fact.scope,
            agreed=fact.agreed,
        )
        for entry in said
        for fact in entry.facts
        if isinstance(fact, Ruled)
    ]


def corrections(said: Iterable[Said]) -> list[Correction]:
    """What was taken back or decided again."""
    return [
        Correction(entry=str(entry.id), line=entry.line, of=fact.entry, outcome=fact.outcome, because=fact.because)
        for entry in said
        for fact in entry.facts
        if isinstance(fact, Amended)
    ]


# What the dice did

SOURCES: Final = ("seed", "revealed", "table")


def thrown(said: Iterable[Said]) -> list[Thrown]:
    """Rolls and dice by their source."""
    rolls: dict[str, list[int]] = {}
    for fact in (fact for entry in said for fact in entry.facts if isinstance(fact, Rolled)):
        rolls.setdefault(fact.source, []).append(len(fact.dice))
    return [
        Thrown(source=source, rolls=len(rolls[source]), dice=sum(rolls[source]))
        for source in sorted(rolls, key=lambda source: _rank(SOURCES, source))
    ]


def outcomes(said: Iterable[Said]) -> list[Outcomes]:
    """Final results by what was judged, in the order in which they first came."""
    found: dict[str, dict[str, int]] = {}
    for fact in (fact for entry in said for fact in entry.facts if isinstance(fact, Judged) and fact.final):
        results = found.setdefault(fact.what, {})
        results[fact.result] = results.get(fact.result, 0) + 1
    return [Outcomes(what=what, results=tuple(results.items())) for what, results in found.items()]
