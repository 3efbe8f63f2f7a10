"""Records as text: what was said, the arithmetic, the result, and what changed. For any game, from facts alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cli.output import paint, result, safe
from cli.render.phrases import (
    actions,
    bracketed,
    changed,
    cycle,
    encounter_began,
    encounter_ended,
    holding,
    ordered,
    passing,
    rewritten,
    ties,
    waits,
    words,
    wound_changed,
)
from ledger.builtin import OUTCOME_PREFIX, YES
from ledger.facts import (
    Amended,
    CampaignCreated,
    Claimed,
    Declared,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Invalidated,
    Joined,
    Judged,
    OptionSet,
    PointsLost,
    Rested,
    Rolled,
    Ruled,
    SessionClosed,
    SessionOpened,
    Step,
    Sum,
    TimePassed,
    WindowOpened,
    WordsAdded,
    WoundChanged,
)
from ledger.records import Record

INDENT = "      "
BOUNDS: Final = {"max": "at least ", "min": "at most "}
AMENDED: Final = {
    "undo": "takes back",
    "retcon": "amends",
    "drop": "leaves out",
    "insert": "puts in",
    "answer": "answers",
    "revoke": "takes back the correction",
    "restore": "restores what was said before",
    "stand": "notes an error and lets it stand:",
    "compensate": "notes an error and makes it good:",
}


def tell(record: Record, *, takes: bool = False) -> list[str]:
    """An entry in a few lines: its head, then what it did."""
    name = f"{record.id}@{record.take}" if takes else str(record.id)
    if record.declared is None:
        cause = f" by {safe(record.cause)}" if record.cause else ""
        return [f"{paint(name.ljust(5), dim=True)} taken back{cause}"]
    body = [line for line in told(record.facts[1:], record.by) if line]
    head = f"{paint(name.ljust(5), bold=True)} {heading(record)}"
    return [head, *(INDENT + line for line in body)]


def heading(record: Record) -> str:
    """The line as it was typed, or what was done without one."""
    if record.line:
        return safe(record.line)
    first = record.facts[1] if len(record.facts) > 1 else None
    match first:
        case CampaignCreated():
            return f"{safe(first.name)} is founded ({safe(first.game)})"
        case SessionOpened():
            return f"session {first.number} opens" + (f": {safe(first.title)}" if first.title else "")
    if record.of(SessionClosed):
        return f"session {record.session} closes"
    joined = next((fact for fact in record.facts if isinstance(fact, Joined)), None)
    if joined is not None:
        return f"{safe(joined.who)} joins ({safe(joined.kind)})"
    return f"{safe(record.by)} speaks" if record.declared is None else unspoken(record.declared)


def unspoken(declared: Declared) -> str:
    """What was declared without a line, by its name: `change sheet: Kess`."""
    said = msgspec.json.decode(declared.said)
    what = words(str(said.get("say", "")).replace("-", "_"))
    return f"{what}: {safe(str(said['name']))}" if said.get("name") else what


def told(facts: tuple[Fact, ...], by: str = "") -> Iterator[str]:
    """What the facts of an entry come to: sums and dice, what happened, all changes on one line, then what is open."""
    own = {by, *(fact.who for fact in facts if isinstance(fact, Joined))}
    rolls = {fact.purpose: fact for fact in facts if isinstance(fact, Rolled)}
    destined = [fact.result for fact in facts if isinstance(fact, Judged) and fact.what == "destined effect"]
    hurt = {fact.who for fact in facts if isinstance(fact, PointsLost)}
    finals = [(fact.who, fact.what) for fact in facts if isinstance(fact, Judged) and fact.window and fact.final]
    for fact in facts:
        if isinstance(fact, Judged):
            if not (fact.against in hurt and plain(fact)):
                yield from judged(fact, rolls, destined, aimed=finals.count((fact.who, fact.what)) > 1)
        else:
            yield single(fact)
    yield from holding(facts)
    yield from ties(facts)
    changes = [change for fact in facts if (change := changed(fact, own))]
    yield ", ".join([*actions(facts, by), *changes, *rewritten(facts, own)])
    yield ordered(facts)
    yield cycle(facts)
    yield from (waits(fact) for fact in facts if isinstance(fact, WindowOpened))


DICE = ("Dawn die", "Dusk die")
COUNTED = ("hits",)  # sums that count dice, and add nothing to them


def judged(fact: Judged, rolls: dict[str, Rolled], destined: list[str], *, aimed: bool) -> Iterator[str]:
    """A result: once with all its arithmetic where the dice lie, in short where it becomes final.

    `aimed`: there are several, so each says against whom.
    """
    if fact.what == "destined effect":
        return
    shown = [rolls[purpose] for purpose in fact.rolls if purpose in rolls]
    if fact.final and fact.window:
        aim = safe(fact.against) if aimed and fact.against != fact.who else ""
        yield f"{safe(fact.who)}'s {': '.join(named(fact))} is final{bracketed(aim, score(fact))}"
        return
    if not shown and alone(fact):
        yield f"{summed(fact.sums[0])}: {result(safe(fact.result))}{bracketed(safe(fact.against))}"
        return
    if shown or fact.final:
        yield "; ".join(summed(found) for found in fact.sums if found.name != "total" and worth(found, fact))
    dice = "; ".join(faces(rolled) for rolled in shown) + added(fact, shown)
    effect = f", {result(safe(destined[-1]))}" if shown and destined else ""
    outcome = f"{dice} = {score(fact)}" if dice and fact.total is not None else dice or score(fact)
    what, *ended = named(fact) if fact.what != "task" else ("", *named(fact))
    yield ": ".join(part for part in (what, outcome, *ended) if part) + effect


def added(fact: Judged, shown: list[Rolled]) -> str:
    """What counts beside the faces, so that the sum on the line is true: `, wounds already carried +1`."""
    thrown = sum(die.face for rolled in shown for die in rolled.dice if die.kept)
    if not shown or fact.total in (None, thrown):
        return ""
    sums = [found for found in fact.sums if found.total == fact.total and found.name not in COUNTED]
    steps = [step for found in sums for step in found.steps if step.counted]
    return "".join(f", {step_told(step)}" for step in steps if step.reason not in DICE)


def alone(fact: Judged) -> bool:
    """Whether a result is one sum and nothing else: damage, say."""
    return fact.target is None and not fact.rolls and [found.total for found in fact.sums] == [fact.total]


def plain(fact: Judged) -> bool:
    """Whether it is a sum without a step: what it changes says it all."""
    return alone(fact) and not fact.sums[0].steps


def named(fact: Judged) -> list[str]:
    """What was judged (a task goes without saying) and its result (that it was rolled does too)."""
    what = [] if fact.what == "task" else [safe(fact.what)]
    return what if what and fact.target is None and fact.result == "rolled" else [*what, result(safe(fact.result))]


def score(fact: Judged) -> str:
    """`17 against 12`, or `17` where there is nothing to reach."""
    total = "" if fact.total is None else f"{fact.total}"
    return total if fact.target is None else f"{total} against {fact.target}".lstrip()


def claim(fact: Claimed) -> str:
    """What was claimed: `kess.health 9`, `hit 2`, `dawn`."""
    number = "" if fact.claimed == YES else f" {safe(str(fact.claimed))}"
    return f"{safe(fact.value.removeprefix(OUTCOME_PREFIX))}{number}"


def compared(fact: Claimed) -> str:
    """What the ledger says to a claim."""
    if fact.claimed == fact.actual:
        return result("agreed")
    actual = "nothing" if fact.actual is None else safe(str(fact.actual))
    return paint(f"the ledger says {actual}", fg="red")


def worth(found: Sum, fact: Judged) -> bool:
    """Whether a sum says anything: one of nothing does not, where there is nothing to reach."""
    return fact.target is not None or not fact.rolls or bool(found.total or found.steps)


def summed(found: Sum) -> str:
    """A sum on a line: `difficulty 5, trained in sneak -1 = 4`, `cost 3 (Effort 1)`, `target number 12`."""
    if not found.start and found.steps:
        reasons = ", ".join(safe(step.reason) for step in found.steps if step.counted)
        return f"{safe(found.name)} {found.total}{bracketed(reasons)}"
    times = [step for step in found.steps if step.op == "*"]
    steps = [step for step in found.steps if step.op != "*"]
    begin = times[-1].now if times else found.start
    told = "".join(f", {step_told(step)}" for step in steps)
    return f"{safe(found.name)} {begin}{told}" + (f" = {found.total}" if steps else "")


def step_told(step: Step) -> str:
    """One step: its reason and what it did; what was left out in brackets."""
    said = step.op in BOUNDS and str(step.value) in step.reason.split()  # `taking 20` says it
    told = safe(step.reason) if said else f"{safe(step.reason)} {operand(step)}"
    return told if step.counted else f"({told})"


def operand(step: Step) -> str:
    """What a step does: `-1`, `*3`, `at least 20`."""
    return f"{BOUNDS.get(step.op, safe(step.op))}{step.value}"


def faces(rolled: Rolled) -> str:
    """The dice as they lay, and whether they lay on the real table."""
    shown = ", ".join(f"{safe(die.why) or f'd{die.sides}'} {die.face}" for die in rolled.dice)
    return f"{shown} [table dice]" if rolled.source == "table" else shown


def single(fact: Fact) -> str:
    """Any other fact in a line of its own, or nothing where its numbers say it all."""
    match fact:
        case CampaignCreated():
            return f"ledger {safe(fact.ledger)}"
        case SessionOpened():
            fixed = ", a fixed seed" if fact.fixed else ""
            return f"commitment {safe(fact.commitment)} ({safe(fact.rulebook)}{fixed})"
        case SessionClosed():
            return f"seed {safe(fact.seed)}" if fact.seed else "its seed is lost: its faces stay unproved"
        case WordsAdded():
            return f"words of {safe(fact.who)} go into the dice"
        case TimePassed():
            return passing(fact.seconds) + bracketed(safe(fact.because))
        case Rested():
            return f"{safe(fact.who)} rests" + bracketed(words(fact.rest), "" if fact.whole else "broken off")
        case WoundChanged():
            return wound_changed(fact)
        case EncounterBegan():
            return encounter_began(fact)
        case EncounterEnded():
            return encounter_ended(fact)
        case OptionSet():
            return f"{safe(fact.name)}: {safe(str(fact.was))} > {safe(str(fact.now))} ({safe(fact.because)})"
        case Ruled():
            return f"{safe(fact.name)}: {safe(fact.text)}" + (f" ({safe(fact.because)})" if fact.because else "")
        case Amended():
            agreed = f"agreed by {safe(', '.join(fact.agreed))}" if fact.agreed else ""
            did = AMENDED.get(fact.outcome, safe(fact.outcome))
            return f"{did} {safe(fact.entry)}" + bracketed(safe(fact.because), agreed)
        case Invalidated():
            return paint(f"no longer possible: {safe(fact.code)}: {safe(fact.what)}", fg="red")
        case Claimed():
            return f"{claim(fact)}: {compared(fact)}"
    return ""
