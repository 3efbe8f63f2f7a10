"""What the players see of a record: facts without hidden numbers, and the line without them.

A fact that holds nothing else than hidden numbers is left out; of others the hidden fields have their defaults, as if
they were not said. What happens to the vital value of a hidden being is told as a condition: fresh, hurt, bloodied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.notation.resolve import match_name
from cli.notation.tokens import FACES, QUOTED, TOKEN
from ledger.claims import OUTCOME_PREFIX
from ledger.declarations import Declaration
from ledger.facts import (
    ActionSpent,
    Allowed,
    BaseFact,
    Claimed,
    ConditionBegan,
    Counted,
    Declared,
    Fact,
    Invalidated,
    Joined,
    Judged,
    Linked,
    OrderSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Rolled,
    Ruled,
    SheetChanged,
    TokensMoved,
    Told,
    WindowChanged,
    WindowOpened,
    WoundChanged,
    Wounded,
)
from ledger.names import name_key
from ledger.records import Record
from rulebooks.common.texts import Wording

VISIBLE: Final = "table"  # seen by everybody
LEFT_OUT: Final = "…"  # in place of a word with hidden numbers
DIGITS: Final = re.compile(r"[0-9]+")
NumberedFacts = list[tuple[int, Fact]]  # by the number in the entry, from 1
Change = PoolSet | PointsSpent | PointsRegained | PointsLost

replace = msgspec.structs.replace


class Hidden(msgspec.Struct, frozen=True, kw_only=True):
    """What is hidden from the players, and the words for it.

    Attributes:
        beings: whose numbers are hidden.
        keys: their names as values begin with them.
        most: the maximum of the vital value of each being that has one.
        vital: the name of the value that says how somebody is.
        kinds: the declarations by their tags.
        wording: the words of the book.
    """

    beings: Collection[str]
    keys: Collection[str]
    most: Mapping[str, int]
    vital: str
    kinds: Mapping[str, type[Declaration]]
    wording: Wording

    def owns(self, value: str) -> bool:
        """Return whether a value, as `thug.health`, is a hidden being's, or the name is one."""
        return name_key(value.partition(".")[0]) in self.keys

    def is_hidden(self, *names: str) -> bool:
        """Return whether one of these is a hidden being."""
        return any(name in self.beings for name in names)


def seen_facts(record: Record, hidden: Hidden, *, secret: bool = False) -> NumberedFacts:
    """Return the facts of a record as the players see them; `secret`: another take of its entry has a secret."""
    said = {} if record.declared is None else msgspec.json.decode(record.declared.said)
    said_secret = secret or is_secret(said, hidden) or names_hidden(said, hidden)
    opaque = said_secret or any(is_opaque(fact, hidden) for fact in fresh_facts(record))
    seen: NumberedFacts = []
    for number, fact in enumerate(record.facts, start=1):
        shown: Fact | None = fact
        if isinstance(fact, Judged):
            is_own = said_secret and not is_older(fact, record)
            shown = seen_result(fact, hidden) if is_own or is_opaque(fact, hidden) else fact
        elif isinstance(fact, Declared):
            shown = seen_declaration(fact, record, said, hidden) if opaque else fact
        elif isinstance(fact, Claimed):
            shown = None if hidden.owns(fact.value) or (opaque and fact.value.startswith(OUTCOME_PREFIX)) else fact
        elif isinstance(fact, Invalidated):
            shown = replace(fact, what="") if opaque else fact
        elif type(fact) in SEEN:
            shown = SEEN[type(fact)](fact, hidden)
        if shown is not None:
            seen.append((number, shown))
    return seen


def has_secrets(record: Record, hidden: Hidden) -> bool:
    """Return whether something in a record is hidden, so that its line may say it."""
    said = {} if record.declared is None else msgspec.json.decode(record.declared.said)
    facts = any(is_opaque(fact, hidden) for fact in fresh_facts(record))
    return facts or is_secret(said, hidden) or names_hidden(said, hidden)


def fresh_facts(record: Record) -> Iterator[Fact]:
    """Yield the facts that the line of a record caused: a roll of an earlier line that it closes is not its own."""
    return (fact for fact in record.facts if not is_older(fact, record))


def is_older(fact: Fact, record: Record) -> bool:
    """Return whether a fact is the final result of a roll that an earlier entry made."""
    if not isinstance(fact, Judged) or not (fact.window and fact.final):
        return False
    return not any(isinstance(roll, Rolled) and roll.purpose in fact.rolls for roll in record.facts)


def is_opaque(fact: BaseFact, hidden: Hidden) -> bool:
    """Return whether a fact holds a hidden number that somebody may have typed."""
    match fact:
        case Judged():
            return fact.seen != VISIBLE or hidden.is_hidden(fact.who, fact.against)
        case Claimed():
            return hidden.owns(fact.value)
        case Ruled():
            return any(hidden.owns(name) for name, _ in fact.sets)
    return isinstance(fact, NUMBERS) and hidden.is_hidden(fact.who)


# The declaration and its line


def is_secret(said: Any, hidden: Hidden) -> bool:
    """Return whether a declaration, or one in it, says that its numbers are secret."""
    for part in parts_of(said):
        if isinstance(part, dict):
            kind = hidden.kinds.get(str(part.get("say", "")))
            if kind is not None and kind.secret and part.get(kind.secret):
                return True
    return False


def names_hidden(said: Any, hidden: Hidden) -> bool:
    """Return whether a declaration names a hidden being, or a value of one."""
    return any(isinstance(part, str) and hidden.owns(part) for part in parts_of(said))


def parts_of(said: Any) -> Iterator[Any]:
    """Yield everything in a declaration, also in one that is announced in it."""
    yield said
    if isinstance(said, str) and said.startswith("{"):
        try:
            said = msgspec.json.decode(said)
        except msgspec.DecodeError:
            return
        yield said
    inner = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
    for part in inner:
        yield from parts_of(part)


def seen_declaration(fact: Declared, record: Record, said: Any, hidden: Hidden) -> Declared:
    """Return a declaration without its numbers: only its kind, and what is left of its line."""
    thrown = [roll for roll in record.facts if isinstance(roll, Rolled)]
    open_dice = bool(thrown) and not any(hidden.is_hidden(roll.who) for roll in thrown)
    names = [part for part in parts_of(said) if isinstance(part, str) and len(part) < 100]
    return replace(
        fact,
        said=msgspec.Raw(msgspec.json.encode({"say": said.get("say", "")})),
        line=seen_line(fact.line, names, open_dice=open_dice),
        faces=fact.faces if open_dice else None,
        claims=(),
    )


def seen_line(line: str, names: Sequence[str] = (), *, open_dice: bool = False) -> str:
    """Return a line without the words that have a number in them, except in `names`; `open_dice`: with typed faces."""

    def seen_token(match: re.Match[str]) -> str:
        token = match[0]
        if not DIGITS.search(token) or (open_dice and FACES.fullmatch(token)):
            return token
        field, equals, value = ("", "", token) if token.startswith('"') else token.rpartition("=")
        if match_name(value.strip('"'), names).words:
            return token
        if QUOTED.fullmatch(value):
            return f"{field}{equals}{DIGITS.sub(LEFT_OUT, value)}"
        return DIGITS.sub(LEFT_OUT, field) + equals + LEFT_OUT

    return TOKEN.sub(seen_token, line)


# Facts of one kind


def seen_result(fact: Judged, hidden: Hidden) -> Judged:
    """Return a result without its arithmetic; the roller's own score stays, against whatever it was."""
    own = not hidden.is_hidden(fact.who)
    total = fact.total if own and fact.target is not None and fact.rolls else None
    return replace(fact, sums=(), total=total, target=None, margin=None, rolls=fact.rolls if own else ())


def seen_number(fact: Any, hidden: Hidden) -> Fact | None:
    """Return a changed number; of a hidden being's vital value how it is now, of others nothing."""
    if not hidden.is_hidden(fact.who):
        return fact  # type: ignore[no-any-return]
    if isinstance(fact, Wounded):
        return health_fact(fact.who, hidden.wording.health_word(0, None))
    if isinstance(fact, Change) and fact.pool == hidden.vital and not (isinstance(fact, PoolSet) and not fact.because):
        most = fact.most if isinstance(fact, PoolSet) else hidden.most.get(fact.who)
        return health_fact(fact.who, hidden.wording.health_word(fact.now, most)) if fact.now > 0 else None
    return None


def health_fact(who: str, word: str) -> Fact:
    """Return how a hidden being is, as a condition that begins."""
    return ConditionBegan(id=f"{who} {word}", who=who, name=word)


def seen_being(fact: Joined, hidden: Hidden) -> Fact:
    """Return that a being joined, without its sheet if it is hidden."""
    return replace(fact, sheet=()) if hidden.is_hidden(fact.who) else fact


def seen_condition(fact: ConditionBegan, hidden: Hidden) -> Fact | None:
    """Return a condition: of a hidden being only its name; notes of the game are for the game."""
    if fact.data:
        return None
    if hidden.is_hidden(fact.who):
        return replace(fact, degree=1, of=None, effects=(), ends=(), note="")
    return replace(fact, note="")


def seen_tie(fact: Linked, hidden: Hidden) -> Fact:
    """Return a tie, without its degree if it is a hidden being's."""
    return replace(fact, degree=1) if hidden.is_hidden(fact.one) else fact


def seen_order(fact: OrderSet, hidden: Hidden) -> Fact:
    """Return the turn order without the scores of hidden beings."""
    slots = (replace(slot, score=None) if hidden.is_hidden(slot.slot, *slot.who) else slot for slot in fact.slots)
    return replace(fact, slots=tuple(slots))


def seen_allowance(fact: Allowed, hidden: Hidden) -> Fact | None:
    """Return the actions that beings received, without hidden beings."""
    who = tuple(name for name in fact.who if not hidden.is_hidden(name))
    return replace(fact, who=who) if who else None


def seen_ruling(fact: Ruled, hidden: Hidden) -> Fact:
    """Return a ruling without the values that it sets for hidden beings."""
    return replace(fact, sets=tuple(pair for pair in fact.sets if not hidden.owns(pair[0])))


def unless_hidden(fact: Any, hidden: Hidden) -> Fact | None:
    """Return a fact unless it is about a hidden being."""
    return None if hidden.is_hidden(fact.who) else fact


NUMBERS: Final = (
    PoolSet, PointsSpent, PointsRegained, PointsLost, TokensMoved, Counted, Wounded, WoundChanged, SheetChanged,
)  # fmt: skip
SEEN: Final[Mapping[type[BaseFact], Callable[[Any, Hidden], Fact | None]]] = {
    **dict.fromkeys(NUMBERS, seen_number),
    ActionSpent: unless_hidden,
    Allowed: seen_allowance,
    ConditionBegan: seen_condition,
    Joined: seen_being,
    Linked: seen_tie,
    OrderSet: seen_order,
    Rolled: unless_hidden,
    Ruled: seen_ruling,
    Told: lambda fact, hidden: fact if fact.seen == VISIBLE else None,
    WindowChanged: lambda fact, hidden: replace(fact, data=""),
    WindowOpened: lambda fact, hidden: replace(fact, data=""),
}
