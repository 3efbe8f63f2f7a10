"""Facts in words, one at a time or a few of a kind: numbers that changed, actions, wounds, turns. For any game.

A change of the speaker's own needs no name; anybody else's carries it. What only bookkeeping needs (counts until
the end of a round, actions that come back) has no words here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.output import paint, safe
from ledger.facts import (
    GM,
    ActionSpent,
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    Counted,
    EncounterBegan,
    EncounterEnded,
    Ends,
    Fact,
    Linked,
    OrderSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Scalar,
    Sheet,
    SheetChanged,
    Slot,
    TokensMoved,
    WindowOpened,
    WoundChanged,
    Wounded,
    tag,
)

UNITS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
SPENT: Final = {
    "used": "uses",
    "passed": "passes",
    "given up": "gives up",
    "lost": "loses",
    "delayed": "delays",
    "unused": "leaves unused",
}
FIRST: Final = {PoolSet: "opened", TokensMoved: "began"}  # facts without a reason
TURN: Final = ("slot", "handed", "resumed")
OVER: Final = ("due", "removed", "ruling", "the encounter ended")  # conditions whose end is worth a line


def words(text: str) -> str:
    """A name of the rules as it is said at the table: `take_cover` is `take cover`."""
    return safe(text).replace("_", " ")


def settings(sets: Sheet) -> str:
    """What a ruling sets, as it was said: `task.climb.cost=2`."""
    return ", ".join(f"{safe(name)}={safe(str(value))}" for name, value in sets)


def listed(names: Sequence[str], last_by: str = "and") -> str:
    """`move`, `standard and bonus`, `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} {last_by} {last}" if most else last


def whose(who: str, own: Collection[str]) -> str:
    """The name before a number, where it is not the speaker's own."""
    return "" if not who or who in own else f"{safe(who)} "


def bracketed(*reasons: str) -> str:
    """Reasons in brackets, those that there are."""
    found = ", ".join(reason for reason in reasons if reason)
    return f" ({found})" if found else ""


def changed(fact: Fact, own: Collection[str] = ()) -> str:
    """A number that changed, as `speed 14>11 (Effort 1)`, or nothing for other facts."""
    match fact:
        case PointsSpent():
            return f"{whose(fact.who, own)}{safe(fact.pool)} {fact.now + fact.points}>{fact.now} ({safe(fact.because)})"
        case PointsRegained():
            return (
                f"{whose(fact.who, own)}{safe(fact.pool)} {fact.now - fact.points}>{fact.now} ({words(fact.because)})"
            )
        case PointsLost():
            by = f"by {safe(fact.by)}" if fact.by and fact.by not in own else ""
            reason = bracketed(words(fact.because), by, f"{fact.over} over" if fact.over else "")
            return f"{whose(fact.who, own)}{safe(fact.pool)} {fact.now + fact.points}>{fact.now}{reason}"
        case PoolSet() if fact.because:
            if fact.was == fact.now and fact.most is not None:
                return f"{whose(fact.who, own)}{safe(fact.pool)} {fact.now} of {fact.most}"
            return f"{whose(fact.who, own)}{safe(fact.pool)} {fact.was}>{fact.now}"
        case PoolSet():
            return f"{whose(fact.who, own)}{safe(fact.pool)} {fact.now}"
        case TokensMoved() if fact.change or fact.who != GM:
            holder = whose(fact.who, (*own, GM))
            was = f"{fact.now - fact.change}>" if fact.change else ""
            return f"{holder}{safe(fact.token)} {was}{fact.now}{bracketed(safe(fact.because) if fact.change else '')}"
        case Counted() if not fact.until and fact.change:
            name = f"{whose(fact.who, (*own, ''))}{words(fact.name)}"
            return f"{name} {fact.now - fact.change}>{fact.now}{bracketed(safe(fact.because))}"
        case Wounded():
            return f"{safe(fact.who)} {safe(fact.kind)} wound {fact.value}" + (
                "" if fact.in_force else " (not in force yet)"
            )
    return ""


def rewritten(facts: Sequence[Fact], own: Collection[str]) -> list[str]:
    """What was written anew on sheets; a reason that several share is said once, behind the last."""
    found = [fact for fact in facts if isinstance(fact, SheetChanged)]
    return [
        f"{whose(fact.who, own)}{safe(fact.key)} {stood(fact.was)}>{stood(fact.now)}"
        + bracketed("" if after is not None and after.because == fact.because else safe(fact.because))
        for fact, after in zip(found, [*found[1:], None], strict=False)
    ]


def stood(value: Scalar | None) -> str:
    """What stood on a sheet."""
    return "none" if value is None else safe(str(value))


def actions(facts: Sequence[Fact], by: str) -> list[str]:
    """`thug uses standard`, `Ash passes standard and bonus`. What the speaker does, the line says already."""
    found: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        if isinstance(fact, ActionSpent) and (fact.who, fact.outcome) != (by, "used"):
            found.setdefault((fact.who, fact.outcome), []).append(words(fact.action))
    return [
        f"{safe(who)} {SPENT.get(outcome, safe(outcome))} {listed(taken)}" for (who, outcome), taken in found.items()
    ]


def holding(facts: Sequence[Fact]) -> list[str]:
    """Who is what now, and is what no longer. Conditions that carry a note of the game are its own business."""
    began: dict[str, list[str]] = {}
    over: dict[str, list[str]] = {}
    for fact in facts:
        if isinstance(fact, ConditionBegan) and not fact.data:
            degree = f" {fact.degree}" if fact.degree != 1 else ""
            began.setdefault(fact.who, []).append(f"{words(fact.name)}{degree}{bracketed(safe(fact.about))}")
        elif isinstance(fact, ConditionEnded) and fact.because in OVER:
            over.setdefault(fact.who, []).append(words(fact.name))
    return [
        *(f"{safe(who)} is no longer {listed(names, 'or')}" for who, names in over.items()),
        *(f"{safe(who)} is {listed(names)}" for who, names in began.items()),
    ]


def ties(facts: Sequence[Fact]) -> list[str]:
    """`member of Raiders: R1, R2`; who is one no longer."""
    found: dict[str, list[str]] = {}
    for fact in facts:
        if isinstance(fact, Linked):
            tie = f"{words(fact.tie)} of {safe(fact.other)}" + ("" if fact.on else " no longer")
            found.setdefault(tie, []).append(safe(fact.one) + (f" {fact.degree}" if fact.degree != 1 else ""))
    return [f"{tie}: {', '.join(names)}" for tie, names in found.items()]


def wound_changed(fact: WoundChanged) -> str:
    """What a wound is now, by the name with which it is healed."""
    name = f'wound "{safe(fact.wound)}"'
    owner = "" if fact.who in fact.wound else f"{safe(fact.who)}: "
    if not fact.value:
        return f"{owner}{name} has healed{bracketed(safe(fact.because))}"
    force = "in force" if fact.in_force else "not in force yet"
    return f"{owner}{name} is {safe(fact.kind)} {fact.value}, {force}{bracketed(safe(fact.because))}"


def encounter_began(fact: EncounterBegan) -> str:
    """`fight begins (combat): players Ash, Bryn; foes thug`."""
    name = safe(fact.kind or fact.scale)
    scale = bracketed("" if fact.kind in ("", fact.scale) else safe(fact.scale), safe(fact.because))
    sides = "; ".join(f"{safe(side)} {', '.join(map(safe, who))}".strip() for side, who in fact.sides if who)
    return f"{name} begins{scale}" + (f": {sides}" if sides else "")


def encounter_ended(fact: EncounterEnded) -> str:
    """`fight is over`, and who is out of it."""
    out = f"; out: {', '.join(map(safe, fact.out))}" if fact.out else ""
    return f"{safe(fact.encounter)} is over{bracketed(safe(fact.because))}{out}"


def ordered(facts: Sequence[Fact]) -> str:
    """The order of the turns, as the entry leaves it."""
    found = [fact for fact in facts if isinstance(fact, OrderSet)]
    return f"order: {order(found[-1].slots)}{bracketed(safe(found[-1].because))}" if found else ""


def order(slots: Sequence[Slot]) -> str:
    """`captain 18, Bryn 17`, with whoever acts in a place that has another name."""
    return ", ".join(place(slot) for slot in slots) or "nobody yet"


def place(slot: Slot) -> str:
    """A place in the order."""
    mark = ":" if slot.slot[-1:].isdigit() else ""  # brute 2: 9
    name = safe(slot.slot) + ("" if slot.score is None else f"{mark} {slot.score}")
    return name if slot.who == (slot.slot,) else f"{name} ({', '.join(map(safe, slot.who)) or 'nobody'})"


def cycle(facts: Sequence[Fact]) -> str:
    """Where the cycle stands after the entry: `round 2, movement phase: Ash's turn`. Not every point on the way."""
    points = [fact for fact in facts if isinstance(fact, Reached)]
    if not points or any(isinstance(fact, EncounterEnded) for fact in facts):
        return ""
    last = points[-1]
    begun = f"round {last.round}" if any(fact.point == "round" for fact in points) else ""
    skipped = listed(list(dict.fromkeys(safe(fact.who) for fact in points if fact.point == "skipped")) or [""])
    stands = stance(last.phase if last.point in (*TURN, "phase") else "", last.who if last.point in TURN else "")
    told = ", ".join(part for part in (begun, stands) if part)
    missed = f"{skipped} skipped" if skipped else ""
    return told + bracketed(missed) if told else missed


def stance(phase: str, turn: str) -> str:
    """`action phase: captain's turn`, as far as there are phases and turns."""
    parts = (f"{words(phase)} phase" if phase else "", f"{safe(turn)}'s turn" if turn else "")
    return ": ".join(part for part in parts if part)


def waits(fact: WindowOpened) -> str:
    """What is open now, and for whom."""
    awaits = ", ".join(safe(who) for who in fact.awaits)
    if fact.kind == "roll":
        return f"open for {awaits}"
    return f"{safe(fact.kind)} for {safe(fact.who)}" + (f", waits for {awaits}" if fact.awaits != (fact.who,) else "")


def until(end: Ends, now: int) -> str:
    """When something ends, in words; `now` is the clock of the story in seconds."""
    who = f"{safe(end.whose)}'s " if end.whose else ""
    due = f" of round {end.due}" if end.due else ""
    match end.at:
        case "slot":
            return f"until {who}place in the {words(end.phase)} phase{due}"
        case "turn":
            return f"until the end of {who}turn{due}"
        case "phase" | "round":
            return f"until the end of the {words(end.phase)} phase{due}" if end.phase else f"until the end{due}"
        case "seconds":
            return f"for {duration(max(0, end.due - now))} more"
        case "use":
            return f"until used ({end.due} left)" if end.due else "until used"
    if end.at == "encounter":
        return "until the end of the encounter"
    return f"until {who}{words(end.at)}" + (f" {end.due}" if end.due else "")


def cause(fact: BaseFact) -> str:
    """Return why a number changed: the reason in the fact, or else the kind of fact."""
    match fact:
        case Reached():
            return " ".join(words(part) for part in (fact.point, fact.phase, fact.who) if part)
        case Wounded():
            return f"{safe(fact.kind)} wound"
        case ConditionBegan():
            return "began" + bracketed(safe(fact.about))
    reason = words(getattr(fact, "because", "")) or FIRST.get(type(fact)) or tag(type(fact)).replace("-", " ")
    by = safe(getattr(fact, "by", ""))
    return f"{reason}, by {by}" if by else reason


def passing(seconds: int, past: bool = False) -> str:
    """A time that goes by, or has: `1 hour passes`, `2 hours have passed`."""
    text = duration(seconds)
    one = text.startswith("1 ") and text.count(" ") == 1
    return f"{text} {('has passed' if one else 'have passed') if past else ('passes' if one else 'pass')}"


def duration(seconds: int) -> str:
    """A time in its largest whole units: 5400 -> `1 hour 30 minutes`."""
    parts = []
    for size, unit in UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(parts) or "no time"


def counted(number: int, one: str, more: str) -> str:
    """Return a number with its noun: `1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else more}"


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Return indented lines below a blank line and a title; nothing without lines."""
    indented = [f"  {line}" for line in lines]
    if indented:
        yield from ("", paint(title, bold=True), *indented)
