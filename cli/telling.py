"""Records as text: what was said, the arithmetic, the result, and what changed. For any game, from facts alone."""

from __future__ import annotations

from collections.abc import Iterator

from cli.output import paint, result, safe
from ledger.facts import (
    GM,
    Amended,
    Claimed,
    ConditionBegan,
    ConditionEnded,
    Fact,
    Founded,
    Joined,
    Judged,
    OptionSet,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Rolled,
    Ruled,
    SessionClosed,
    SessionOpened,
    Step,
    Sum,
    TimePassed,
    TokensMoved,
    WindowOpened,
    WordsAdded,
    Wounded,
)
from ledger.records import Record

INDENT = "      "
UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def tell(record: Record, *, takes: bool = False) -> list[str]:
    """An entry in a few lines: its head, then what it did."""
    name = f"{record.id}@{record.take}" if takes else str(record.id)
    if record.declared is None:
        cause = f" by {safe(record.cause)}" if record.cause else ""
        return [f"{paint(name.ljust(5), dim=True)} taken back{cause}"]
    body = [line for line in told(record.facts[1:]) if line]
    head = f"{paint(name.ljust(5), bold=True)} {heading(record)}"
    return [head, *(INDENT + line for line in body)]


def heading(record: Record) -> str:
    """The line as it was typed, or what was done without one."""
    if record.line:
        return safe(record.line)
    first = record.facts[1] if len(record.facts) > 1 else None
    match first:
        case Founded():
            return f"{safe(first.name)} is founded ({safe(first.game)})"
        case SessionOpened():
            return f"session {first.number} opens" + (f": {safe(first.title)}" if first.title else "")
    if record.of(SessionClosed):
        return f"session {record.session} closes"
    joined = next((fact for fact in record.facts if isinstance(fact, Joined)), None)
    if joined is not None:
        return f"{safe(joined.who)} joins ({safe(joined.kind)})"
    return f"{safe(record.by)} speaks"


def told(facts: tuple[Fact, ...]) -> Iterator[str]:
    """What the facts of an entry come to: sums and dice, then all changes on one line, then what is open."""
    changes: list[str] = []
    last: list[str] = []
    rolls: dict[str, Rolled] = {fact.purpose: fact for fact in facts if isinstance(fact, Rolled)}
    destined = [fact.result for fact in facts if isinstance(fact, Judged) and fact.what == "destined effect"]
    for fact in facts:
        if isinstance(fact, Judged):
            yield from judged(fact, rolls, destined)
        elif isinstance(fact, WindowOpened):
            last.append(f"open for {', '.join(safe(who) for who in fact.awaits)}")
        elif change := changed(fact):
            changes.append(change)
        else:
            yield single(fact)
    yield ", ".join(changes)
    yield from last


def judged(fact: Judged, rolls: dict[str, Rolled], destined: list[str]) -> Iterator[str]:
    """A result: once with all its arithmetic where the dice lie, in short where it becomes final."""
    if fact.what == "destined effect":
        return
    name = "" if fact.what == "task" else f"{safe(fact.what)}: "
    shown = [rolls[purpose] for purpose in fact.rolls if purpose in rolls]
    if fact.final and fact.window:
        yield f"{safe(fact.who)}'s {name}{result(safe(fact.result))} is final ({fact.total} against {fact.target})"
        return
    if shown or fact.final:
        yield "; ".join(summed(found) for found in fact.sums if found.name != "total")
    dice = "; ".join(faces(rolled) for rolled in shown)
    effect = f", {result(safe(destined[-1]))}" if shown and destined else ""
    total = "" if fact.total is None else f" = {fact.total}" if dice else f"{fact.total}"
    against = "" if fact.target is None else f" against {fact.target}"
    outcome = f"{dice}{total}{against}"
    yield f"{name}{outcome}{': ' if outcome else ''}{result(safe(fact.result))}{effect}"


def summed(found: Sum) -> str:
    """A sum on a line: `difficulty 5, trained in sneak -1 = 4`, `cost 3 (Effort 1)`, `target number 12`."""
    if not found.start and found.steps:
        reasons = ", ".join(safe(step.reason) for step in found.steps if step.counted)
        return f"{safe(found.name)} {found.total} ({reasons})"
    times = [step for step in found.steps if step.op == "*"]
    steps = [step for step in found.steps if step.op != "*"]
    begin = times[-1].now if times else found.start
    told = "".join(f", {step_told(step)}" for step in steps)
    return f"{safe(found.name)} {begin}{told}" + (f" = {found.total}" if steps else "")


def step_told(step: Step) -> str:
    """One step: its reason and what it did; what was left out in brackets."""
    told = f"{safe(step.reason)} {safe(step.op)}{step.value}"
    return told if step.counted else f"({told})"


def faces(rolled: Rolled) -> str:
    """The dice as they lay, and whether they lay on the real table."""
    shown = ", ".join(f"{safe(die.why) or f'd{die.sides}'} {die.face}" for die in rolled.dice)
    return f"{shown} [table dice]" if rolled.source == "table" else shown


def changed(fact: Fact) -> str:
    """A number that changed, as `speed 14>11 (Effort 1)`, or nothing for other facts."""
    match fact:
        case PointsSpent():
            return f"{safe(fact.pool)} {fact.now + fact.points}>{fact.now} ({safe(fact.on)})"
        case PointsRegained():
            return f"{safe(fact.pool)} {fact.now - fact.points}>{fact.now} ({safe(fact.how)})"
        case PoolSet() if fact.because:
            return f"{safe(fact.who)} {safe(fact.pool)} {fact.was}>{fact.now}"
        case PoolSet():
            return f"{safe(fact.pool)} {fact.now}"
        case TokensMoved() if fact.change or fact.who != GM:
            was = f"{fact.now - fact.change}>" if fact.change else ""
            return f"{safe(fact.token)} {was}{fact.now}" + (f" ({safe(fact.how)})" if fact.change else "")
        case Wounded():
            return f"{safe(fact.who)} {safe(fact.kind)} wound {fact.value}"
    return ""


def single(fact: Fact) -> str:
    """Any other fact in a line of its own, or nothing where its numbers say it all."""
    match fact:
        case Founded():
            return f"ledger {safe(fact.ledger)}"
        case SessionOpened():
            fixed = ", a fixed seed" if fact.fixed else ""
            return f"commitment {safe(fact.commitment)} ({safe(fact.rulebook)}{fixed})"
        case SessionClosed():
            return f"seed {safe(fact.seed)}" if fact.seed else "its seed is lost: its faces stay unproved"
        case WordsAdded():
            return f"words of {safe(fact.who)} go into the dice"
        case TimePassed():
            return f"{duration(fact.seconds)} pass ({safe(fact.label)})"
        case ConditionBegan() if not fact.data:
            return f"{safe(fact.who)} is {safe(fact.name)}"
        case ConditionEnded() if fact.because == "ruling":
            return f"{safe(fact.who)} is no longer {safe(fact.name)}"
        case OptionSet():
            return f"{safe(fact.name)}: {safe(str(fact.was))} > {safe(str(fact.now))} ({safe(fact.because)})"
        case Ruled():
            return f"{safe(fact.name)}: {safe(fact.text)}" + (f" ({safe(fact.because)})" if fact.because else "")
        case Amended():
            return f"{'takes back' if fact.outcome == 'undo' else safe(fact.outcome)} {safe(fact.entry)}"
        case Claimed():
            agrees = fact.claimed == fact.actual
            return f"{safe(fact.value)} {safe(str(fact.claimed))}: " + (
                result("agreed") if agrees else paint(f"the ledger says {safe(str(fact.actual))}", fg="red")
            )
    return ""


def duration(seconds: int) -> str:
    """A time in its largest whole units: 5400 -> `1 hour 30 minutes`."""
    parts = []
    for size, unit in UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(parts) or "no time"
