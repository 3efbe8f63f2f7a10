"""What the players see of a record: facts without hidden numbers, and the line without them.

A fact that holds nothing else than hidden numbers is left out. In others the hidden fields have their defaults, as if
they were not said. What happens to the vital value of a hidden being appears as a condition: fresh, hurt, bloodied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final, Literal, TypeGuard

import msgspec

from ledger.claims import OUTCOME_PREFIX
from ledger.facts import (
    VISIBLE,
    WITHHELD,
    Allowed,
    BaseFact,
    Claimed,
    ConditionBegan,
    Counted,
    Declared,
    EncounterEnded,
    Fact,
    Invalidated,
    Judged,
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
    WoundChanged,
    Wounded,
)
from ledger.health import Vitals, is_news, is_vital
from ledger.records import Record
from ledger.redaction.line_redaction import LEFT_OUT, Hidden, says, says_hidden, seen_declaration

DICE: Final = re.compile(r"\b[0-9]+d[0-9]+\b")  # of a sheet
OlderRoll = Literal["secret", "older", "shown"]  # of a secret entry, of another, of one that was revealed
SECRET: Final = "secret"  # the reason of a change in a secret entry

TYPED: Final = (
    PoolSet,
    PointsSpent,
    PointsRegained,
    PointsLost,
    TokensMoved,
    Counted,
    Wounded,
    WoundChanged,
    SheetChanged,
)  # fmt: skip - whose numbers somebody may have typed

replace = msgspec.structs.replace


def seen_facts(
    record: Record, hidden: Hidden, rolls: Mapping[int, OlderRoll], *, secret: bool = False
) -> tuple[BaseFact, ...]:
    """Return the facts of a record as the players see them, each in its place; a word for health may stand behind them.

    Notes of the game to itself may hold anything, so they are left only in a record in which nothing else is hidden.

    Args:
        record: a record that is not secret itself.
        hidden: what is hidden.
        rolls: what is hidden of the rolls of earlier entries, by the numbers of the facts that go on with them.
        secret: another take of the entry has a secret.
    """
    seen = _seen_facts(record, hidden, rolls, secret=secret)
    if hidden.shows_notes and seen != record.facts:
        return _seen_facts(record, replace(hidden, shows_notes=False), rolls, secret=secret)
    return seen


def _seen_facts(
    record: Record, hidden: Hidden, rolls: Mapping[int, OlderRoll], *, secret: bool
) -> tuple[BaseFact, ...]:
    """Return what `seen_facts` does, with the notes if `hidden` shows them."""
    said = {} if record.declared is None else msgspec.json.decode(record.declared.said)
    said_secret = secret or says_hidden(said, hidden)
    opaque = said_secret or has_opaque_facts(record, hidden, rolls)
    secret_dice = [purpose for _, fact in secret_results(record.facts, rolls) for purpose in fact.rolls]
    seen = list(folded_facts(record.facts, hidden))
    line = ""  # as it is seen
    for index, fact in enumerate(record.facts):
        older = rolls.get(index + 1)
        shown: BaseFact = fact
        if older == "secret" or (isinstance(fact, Rolled) and fact.purpose in secret_dice):
            shown = WITHHELD
        elif isinstance(fact, Judged):
            if older != "shown" and ((said_secret and older is None) or is_opaque(fact, hidden)):
                shown = seen_result(fact, hidden)
            if fact.using and older != "shown":
                shown = replace(shown, using=seen_weapons(fact, line, hidden))
        elif isinstance(fact, Declared):
            shown = seen_declaration(fact, record, said, hidden) if opaque else fact
            line = shown.line
        elif isinstance(fact, Claimed):
            is_hidden = hidden.owns(fact.value) or (opaque and fact.value.startswith(OUTCOME_PREFIX))
            shown = WITHHELD if is_hidden else fact
        elif isinstance(fact, Invalidated):
            shown = replace(fact, what="") if opaque else fact
        else:
            continue
        seen[index] = shown
    return tuple(seen)


def folded_facts(facts: Sequence[Any], hidden: Hidden) -> Iterator[Any]:
    """Yield facts as the players see them, each in its place, but for what their line says (`BY_LINE`).

    The state of the players is the fold of these. Behind them stands how a being is of which a condition says more.
    """
    health = health_facts(facts, hidden) if hidden.vitals else {}
    for number, fact in enumerate(facts, start=1):
        shown = health.pop(number, None)
        yield shown or seen_fact(fact, hidden) or WITHHELD
    yield from health.values()


def revealed_facts(facts: Sequence[Any], hidden: Hidden) -> Iterator[Any]:
    """Yield the facts of an entry that was revealed: its line, dice and results whole.

    The numbers of a being stay hidden until the being itself is revealed: the players' state does not have them.
    """
    for index, shown in enumerate(folded_facts(facts, hidden)):
        fact = facts[index] if index < len(facts) else shown
        yield fact if isinstance(fact, Declared | Rolled | Judged | Claimed | Invalidated) else shown


def secret_facts(facts: Sequence[Any], hidden: Hidden) -> Iterator[BaseFact]:
    """Yield what the players see of a secret entry: numbers of theirs that it changed, without the reason."""
    for fact in facts or (WITHHELD,):
        if not is_open(fact) or hidden.is_hidden(fact.who):
            yield WITHHELD
        else:
            yield replace(fact, because=SECRET, rules=(), **({"by": ""} if isinstance(fact, PointsLost) else {}))


def is_open(fact: object) -> TypeGuard[PoolSet | PointsSpent | PointsLost | PointsRegained | TokensMoved]:
    """Return whether a fact changes a number that its owner knows, also where the reason is secret."""
    return isinstance(fact, PoolSet | PointsSpent | PointsLost | PointsRegained | TokensMoved)


def seen_fact(fact: BaseFact, hidden: Hidden) -> BaseFact | None:
    """Return a fact as its kind says that the players see it (`Hides`); None if nothing is left of it."""
    hides = type(fact).hides
    if hides.part and type(fact) not in BY_LINE:
        part = SEEN_PARTS[type(fact)](fact, hidden)
        if part is None:
            return None
        fact = part
    blank = frozenset[str]() if hidden.shows_notes else hides.always
    if hides.owner and hidden.is_hidden(getattr(fact, hides.owner)):
        blank |= hides.own
    return without(fact, blank) if blank else fact


def without(fact: BaseFact, blank: AbstractSet[str]) -> BaseFact | None:
    """Return a fact with the defaults of these fields; None if one of them has no default."""
    defaults = default_values(type(fact))
    if not blank <= defaults.keys():
        return None
    return replace(fact, **{name: defaults[name] for name in blank})


@cache
def default_values(kind: type[BaseFact]) -> Mapping[str, Any]:
    """Return the fields of a kind that have a default, with it."""
    return {
        field.name: field.default for field in msgspec.structs.fields(kind) if field.default is not msgspec.NODEFAULT
    }


def seen_weapons(fact: Judged, line: str, hidden: Hidden) -> tuple[tuple[str, str], ...]:
    """Return who attacked together, with their weapons: everybody sees what somebody is attacked with.

    In a secret result only with the weapons of those who are not hidden, and those that the line names.
    """
    if fact.seen == VISIBLE:
        return fact.using
    shown = ((who, weapon if not hidden.is_hidden(who) or says(line, weapon) else "") for who, weapon in fact.using)
    return tuple(dict.fromkeys(shown))


def has_secrets(record: Record, hidden: Hidden, rolls: Mapping[int, OlderRoll]) -> bool:
    """Return whether something that a record's line caused is hidden, so that the line may say it."""
    said = {} if record.declared is None else msgspec.json.decode(record.declared.said)
    return has_opaque_facts(record, hidden, rolls) or says_hidden(said, hidden)


def has_opaque_facts(record: Record, hidden: Hidden, rolls: Mapping[int, OlderRoll]) -> bool:
    """Return whether a fact that a record's line caused holds a hidden number.

    The final result of a roll of an earlier line is not of its own.
    """
    own = (fact for number, fact in enumerate(record.facts, start=1) if not is_final(fact, rolls.get(number)))
    thrown = any(fact.rolls for _, fact in secret_results(record.facts, rolls) if not fact.final)
    return thrown or any(is_opaque(fact, hidden) for fact in own)


def is_final(fact: Fact, older: OlderRoll | None) -> bool:
    """Return whether a fact is a result of an earlier line's roll that is final now, or was revealed."""
    return isinstance(fact, Judged) and (older == "shown" or (older is not None and fact.final))


def secret_results(facts: Iterable[object], rolls: Mapping[int, OlderRoll]) -> Iterator[tuple[int, Judged]]:
    """Yield the results of secret rolls that the facts of a record go on with."""
    for number, fact in enumerate(facts, start=1):
        if isinstance(fact, Judged) and rolls.get(number) == "secret":
            yield number, fact


def is_opaque(fact: BaseFact, hidden: Hidden) -> bool:
    """Return whether a fact holds a hidden number that somebody may have typed."""
    match fact:
        case Judged():
            return fact.seen != VISIBLE or hidden.is_hidden(fact.who, fact.against)
        case Claimed():
            return hidden.owns(fact.value)
        case Ruled():
            return any(hidden.owns(name) for name, _ in fact.sets)
    return isinstance(fact, TYPED) and hidden.is_hidden(fact.who)


# Facts of one kind


def seen_result(fact: Judged, hidden: Hidden) -> Judged:
    """Return a result without its arithmetic; the roller's own score stays, against whatever it was."""
    own = not hidden.is_hidden(fact.who)
    is_score = (
        fact.target is not None
        and fact.rolls
        and not any(part.name in hidden.wording.dice_counts for part in fact.sums)
    )
    total = fact.total if own and is_score else None
    result = fact.result if own else DICE.sub(LEFT_OUT, fact.result)
    return replace(fact, sums=(), total=total, target=None, margin=None, result=result, rolls=fact.rolls if own else ())


def health_facts(facts: Sequence[Any], hidden: Hidden) -> dict[int, BaseFact]:
    """Return how each hidden being is after facts that change it, in a word, by the number of the last change.

    The word is silent for a being with nothing left if a condition of it begins too, which says more. If that begins
    later, the silent word has no place of its own, and a number behind all facts.
    """
    vitals, last, struck = dict(hidden.vitals), dict[str, int](), dict[str, None]()
    for number, fact in enumerate(facts, start=1):
        who = getattr(fact, "who", "")
        if not hidden.is_hidden(who):
            continue
        if isinstance(fact, ConditionBegan) and not fact.data:
            struck[who] = None
        elif is_vital(fact, hidden.vital):
            before, vitals[who] = vitals.get(who, Vitals()), vitals.get(who, Vitals()).after(fact)
            if is_news(fact) or before.word(hidden.wording) != vitals[who].word(hidden.wording):
                last[who] = number
    health = dict[int, BaseFact]()
    for who, number in last.items():
        before, now = hidden.vitals.get(who, Vitals()), vitals[who]
        is_told = now.has_left or isinstance(facts[number - 1], Wounded) or (who not in struck and before.has_left)
        if is_told or who in struck:
            health[number] = health_fact(who, now.word(hidden.wording) if is_told else "")
    fallen = (who for who in struck if who not in last and not hidden.vitals.get(who, Vitals()).has_left)
    return health | {number: health_fact(who, "") for number, who in enumerate(fallen, start=len(facts) + 1)}


def health_fact(who: str, word: str) -> BaseFact:
    """Return how a hidden being is, as a condition that takes the place of the one before; without a word silent."""
    return ConditionBegan(id=f"{who} {WELLBEING}", who=who, name=word or WELLBEING, data="" if word else SILENT)


def seen_condition(fact: ConditionBegan, hidden: Hidden) -> Fact | None:
    """Return a condition, without its degree if it is a hidden being's; bookkeeping only the game reads."""
    if fact.data and not hidden.shows_notes:
        return None
    return replace(fact, degree=UNKNOWN) if hidden.is_hidden(fact.who) else fact


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


def seen_end(fact: EncounterEnded, hidden: Hidden) -> Fact:
    """Return the end of an encounter; without who stands and who is out if that tells of something secret."""
    secret = any(who in hidden.conditions for who, _ in fact.out)
    return replace(fact, stand=(), out=()) if secret else fact


SEEN_PARTS: Final[Mapping[type[BaseFact], Callable[[Any, Hidden], Fact | None]]] = {
    Allowed: seen_allowance,
    ConditionBegan: seen_condition,
    EncounterEnded: seen_end,
    OrderSet: seen_order,
    Ruled: seen_ruling,
    Told: lambda fact, hidden: fact if fact.seen == VISIBLE else None,
}
WELLBEING: Final = "wellbeing"  # in the id of a word for how a hidden being is
SILENT: Final = "silent"  # the data of a condition that is not told
UNKNOWN: Final = 0  # the degree of a condition of a hidden being
BY_LINE: Final = (Claimed, Declared, Invalidated, Judged)  # seen in part by what the line says: in `seen_facts`
