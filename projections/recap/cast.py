"""The cast of a session: beings at its start and at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.facts import GM, BaseFact, EncounterBegan, Joined
from projections.recap.entries import Entry, facts_of, rank
from projections.state import Being, Condition, State

THINGS: Final = ("place", "item", "object")


def plain_words(condition: Condition) -> str:
    """Return a condition by its name and its degree."""
    return condition.name + (f" {condition.degree}" if condition.degree > 1 else "")


Words = Callable[[Condition], str]


class StatusWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a book for a status: the order of its pools, what it calls wounds, by kind, and its conditions.

    A condition that is not worth a word is empty. `down` are the names of those of who has fallen, the gravest first.
    """

    pool_order: Sequence[str] = ()
    wound_names: Mapping[str, str] = {}
    condition: Words = plain_words
    down: Sequence[str] = ()


PLAIN: Final = StatusWords()


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """The points in a pool or the tokens held, and the most that may be."""

    name: str
    now: int
    most: int | None


class WoundStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A wound of a being. `name` is what the book calls it, where its kind and its value are not."""

    kind: str
    value: int
    in_force: bool
    name: str = ""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The pools, tokens, wounds and conditions of a being at one moment, these in words, the gravest first.

    `down` is the one in which they have fallen; empty for who stands.
    """

    pools: tuple[Level, ...]
    tokens: tuple[Level, ...]
    wounds: tuple[WoundStatus, ...]
    conditions: tuple[str, ...]
    down: str = ""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One of the cast, at the start (None: not in play yet) and at the end; `joined` is the entry of joining."""

    who: str
    kind: str
    side: str
    seen: str
    start: Status | None
    end: Status
    joined: str = ""
    player: str = ""


def cast(
    before: State,
    after: State,
    entries: Sequence[Entry],
    words: StatusWords = PLAIN,
    most: int | None = None,
) -> list[Member]:
    """Return all characters, others that a fact names besides that of their joining, and the game master with tokens.

    Places, items and objects are none of the cast unless they have points of their own.

    Args:
        before: the state at the start of the session.
        after: the state at its end.
        entries: the entries of the session.
        words: those of the book.
        most: of more characters than these only those who did something.
    """
    owners = {who for who, _ in after.pools}
    named = {name for entry in entries for name in _others_in(entry)}
    joined = {fact.who: entry for entry, fact in facts_of(entries, Joined)}
    characters = {being.name for being in after.beings.values() if being.kind == "pc"}
    if most is not None and len(characters) > most:
        characters &= {*named, *joined, *(entry.by for entry in entries)}
    members = [
        _member(being, before, after, joined.get(being.name, ""), words)
        for being in after.beings_in_order()
        if being.name in characters
        or (being.kind != "pc" and being.name in named and (being.kind not in THINGS or being.name in owners))
    ]
    end = status(after, GM, words)
    if end.tokens or end.pools:
        start = status(before, GM, words)
        members.append(Member(who=GM, kind=GM, side=GM, seen="table", start=start, end=end))
    return members


def _member(being: Being, before: State, after: State, joined: str, words: StatusWords) -> Member:
    return Member(
        who=being.name,
        kind=being.kind,
        side=being.side,
        seen=being.seen,
        start=None if before.being(being.name) is None else status(before, being.name, words),
        end=status(after, being.name, words),
        joined=joined,
        player=str(after.sheet(being.name, "player") or ""),
    )


def status(state: State, who: str, words: StatusWords = PLAIN) -> Status:
    """Return the status of a being. Conditions with a note of the game (`data`) and those without words are omitted."""
    known = [item for _, item in state.conditions_of(who) if not item.data]
    conditions = map(words.condition, sorted(known, key=lambda item: rank(words.down, item.name)[0]))
    down = (words.condition(item) for name in words.down for item in known if item.name == name)
    pools = [Level(name=name, now=pool.points, most=pool.most) for name, pool in _items(state.pools, who)]
    names = words.wound_names
    wounds = (
        WoundStatus(kind=wound.kind, value=wound.value, in_force=wound.in_force, name=names.get(wound.kind, ""))
        for _, wound in state.wounds_of(who)
    )
    return Status(
        pools=tuple(sorted(pools, key=lambda level: rank(words.pool_order, level.name))),
        tokens=tuple(Level(name=name, now=token.count, most=token.most) for name, token in _items(state.tokens, who)),
        wounds=tuple(wounds),
        conditions=tuple(filter(None, conditions)),
        down=next(down, ""),
    )


def _items(part: Mapping[tuple[str, str], Any], who: str) -> list[tuple[str, Any]]:
    """Return the items of one being in a part of the state, by name."""
    return sorted((name, item) for (holder, name), item in part.items() if holder == who)


def _others_in(entry: Entry) -> Iterator[str]:
    """Yield every being that an entry names, without those that only join in it."""
    joined = {fact.who for fact in entry.facts if isinstance(fact, Joined)}
    yield from (name for fact in entry.facts for name in _names(fact) if name not in joined)


def _names(fact: BaseFact) -> Iterator[str]:
    """Yield every being that a fact names."""
    if isinstance(fact, EncounterBegan):
        yield from (who for _, members in fact.sides for who in members)
    for field in ("who", "by", "against", "about"):
        value = getattr(fact, field, "")
        yield from (value,) if isinstance(value, str) else value
