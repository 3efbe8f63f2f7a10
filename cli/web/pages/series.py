"""Numbers over time as series: pools and tokens of the characters, the game master's tokens, each player's dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

import msgspec

from cli.questions.luck import ThrownDice
from cli.web.pages.content import Series
from ledger.facts import GM, Judged, Rolled, SessionClosed, SessionOpened, WordsAdded
from ledger.names import escape, name_key
from ledger.records import Record
from projections.state import State
from rulebooks.common.texts import Lexicon

ProofFact = SessionOpened | WordsAdded | SessionClosed
DICE_TITLE: Final = "against expectation"
Levels = Mapping[tuple[str, str], tuple[int, int | None]]  # owner and name: the number and its maximum


def levels_of(state: State, vital: str) -> Levels:
    """Return the pools and tokens of the players' characters, and the tokens of the game master.

    `vital`: the value that tells how somebody is. Where nobody has a pool of this name, it is the number of wounds.
    """
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    levels: dict[tuple[str, str], tuple[int, int | None]] = {
        key: (pool.points, pool.most) for key, pool in state.pools.items() if key[0] in characters
    }
    if not any(name == vital for _, name in levels):
        levels |= {(who, vital): (sum(1 for _ in state.wounds_of(who)), None) for who in characters}
    held = {key: (token.count, token.most) for key, token in state.tokens.items() if key[0] in {*characters, GM}}
    return levels | held


def series_of(levels: Sequence[Levels], lexicon: Lexicon) -> Iterator[Series]:
    """Yield every number that changed, by its name: first what tells how somebody is, last the game master's.

    Of the first there is the number of each character, as soon as one of them changed.
    """
    vital = lexicon.vital_value
    order = [vital, *(name for name in lexicon.pool_order if name != vital)]
    keys = list(dict.fromkeys(key for each in levels for key in each))
    owners = list(dict.fromkeys(owner for owner, _ in keys))
    numbers = {key: tuple(each.get(key, (None, None))[0] for each in levels) for key in keys}
    changed = {key for key in keys if len(set(numbers[key])) > 1}
    if any(name == vital for _, name in changed):
        changed |= {key for key in keys if key[1] == vital}

    def rank(key: tuple[str, str]) -> tuple[bool, int, str, int]:
        """Return the place of a series among the others."""
        owner, name = key
        return owner == GM, order.index(name) if name in order else len(order), name, owners.index(owner)

    for owner, name in sorted(changed, key=rank):
        most = max((each[owner, name][1] or 0 for each in levels if (owner, name) in each), default=0)
        is_wounds = name == vital and not most
        shown = "" if owner == GM else owner
        yield Series(
            owner=escape(shown),
            name=escape(name),
            value=f"{name_key(owner)}.{name}" if shown else name,
            numbers=numbers[owner, name],
            most=most or None,
            harm=0 if name != vital else 1 if is_wounds else -1,
        )


def dice_of_record(record: Record) -> Record | None:
    """Return a record with its dice, results and proofs alone; None without any: years of them are kept."""
    facts = tuple(fact for fact in record.facts if isinstance(fact, Rolled | Judged | ProofFact))
    return msgspec.structs.replace(record, facts=facts) if facts else None


def dice_history(records: Sequence[Record], state: State, sessions: Sequence[int]) -> list[Series]:
    """Return a line for each player: the sum of all dice so far, less what was expected, at the end of each session.

    It begins with 0 before the first session. Where low faces are the good ones, they count from the other end.
    """
    thrown = ThrownDice(state, {})
    for record in records:
        thrown.add(record.session, record.facts)
    low = thrown.low()
    twice: dict[str, Counter[int]] = {}  # of each player the doubled difference, by session
    for record in records:
        rolls = (fact for fact in record.facts if isinstance(fact, Rolled))
        for throw in chain.from_iterable(thrown.dice_of(record.session, fact) for fact in rolls):
            above = 2 * throw.face - throw.sides - 1
            own = twice.setdefault(throw.player, Counter())
            own[record.session] += -above if throw.situation in low else above
    return [line(player, own, sessions) for player, own in sorted(twice.items())]


def line(player: str, twice: Counter[int], sessions: Sequence[int]) -> Series:
    """Return the line of one player, in whole points."""
    sums = [sum(number for session, number in twice.items() if session <= last) for last in (0, *sessions)]
    numbers = tuple(round(number / 2) for number in sums)
    return Series(owner=escape(player), name=DICE_TITLE, value="", numbers=numbers, most=None)
