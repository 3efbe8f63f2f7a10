"""Results as text, with their sums and dice. For any game; its words come from the book's Wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cli.output import has_glyphs, paint
from cli.phrases.parts import in_brackets, ledger_value
from cli.phrases.value_names import ValueNames
from ledger.claims import YES
from ledger.facts import Claimed, Fact, Judged, PointsLost, Rolled, Step, Sum
from ledger.links import ALONE
from ledger.names import escape
from rulebooks.common.texts import Wording

SEED_ALONE: Final = "seed alone"  # in a session of shared dice
FACE_MARKS: Final = {"table": "table dice", "revealed": "drawn after the reveal"}  # by the source of a roll
BOUNDS: Final = {"max": "at least ", "min": "at most ", "set": "makes it "}


def result(word: str, wording: Wording) -> str:
    """Return the word for a result in its colour, at a terminal behind the sign that the book has for it."""
    colour = wording.colours.get(word)
    sign = f"{wording.glyphs[word]} " if word in wording.glyphs and has_glyphs() else ""
    return paint(sign + escape(word), fg=colour, bold=colour is not None)


def result_lines(facts: Sequence[Fact], wording: Wording) -> Iterator[tuple[Judged, Sequence[str]]]:
    """Yield each result with its lines. One that only says what a pool lost has none."""
    rolls = {fact.purpose: fact for fact in facts if isinstance(fact, Rolled)}
    judged = [fact for fact in facts if isinstance(fact, Judged)]
    effects = [fact.result for fact in judged if fact.what in wording.effects]
    losers = {fact.who for fact in facts if isinstance(fact, PointsLost)}
    finals = [(fact.who, fact.what) for fact in judged if fact.window and fact.final]
    for fact in judged:
        if fact.what in wording.effects or (fact.against in losers and _is_single_number(fact)):
            continue
        if fact.final and fact.window:
            yield fact, [_final_line(fact, wording, aimed=finals.count((fact.who, fact.what)) > 1)]
        else:
            yield fact, list(_arithmetic(fact, rolls, effects[-1:], wording))


def _final_line(fact: Judged, wording: Wording, *, aimed: bool) -> str:
    """Return a result that becomes final; `aimed`: name the target, since there are several."""
    target = escape(fact.against) if aimed and fact.against != fact.who else ""
    return (
        f"{escape(fact.who)}'s {': '.join(_names(fact, wording))} is final{in_brackets(target, score(fact, wording))}"
    )


def _arithmetic(fact: Judged, rolls: Mapping[str, Rolled], effects: Sequence[str], wording: Wording) -> Iterator[str]:
    """Return the sums of a result, then its dice and its outcome."""
    shown = [rolls[purpose] for purpose in fact.rolls if purpose in rolls]
    if not shown and _is_single_sum(fact):
        yield f"{sum_text(fact.sums[0])}: {result(fact.result, wording)}{in_brackets(escape(fact.against))}"
        return
    if shown or fact.final:
        told = [total for total in fact.sums if total.name != "total" and _is_telling(total, fact)]
        yield "; ".join(sum_text(total, whole=not shown) for total in told)
    dice = "; ".join(faces(roll) for roll in shown) + _added_to_faces(fact, shown, wording)
    effect = "".join(f", {result(word, wording)}" for word in effects if shown)
    numbers = score(fact, wording)
    outcome = f"{dice} = {numbers}" if dice and fact.total is not None else dice or numbers
    what, *ended = ("", *_names(fact, wording)) if fact.what in wording.unsaid else _names(fact, wording)
    yield ": ".join(part for part in (what, outcome, *ended) if part) + effect


def _added_to_faces(fact: Judged, shown: Sequence[Rolled], wording: Wording) -> str:
    """Return the steps that count beside the faces, so that the sum adds up: `, wounds already carried +1`."""
    thrown = sum(die.face for roll in shown for die in roll.dice if die.kept)
    if not shown or fact.total in (None, thrown):
        return ""
    sums = [total for total in fact.sums if total.total == fact.total and total.name not in wording.dice_counts]
    parts = _from_faces(sums[0], thrown, fact.sums) if sums else []
    steps = [step for total in parts for step in total.steps if step.counted]  # not those of the number to reach
    return "".join(f", {step_text(step)}" for step in steps if step.because not in wording.dice)


def _from_faces(total: Sum, thrown: int, sums: Sequence[Sum]) -> list[Sum]:
    """Return the sums that lead from the faces to a total: one may begin with the total of another."""
    parts = [total]
    while parts[0].start != thrown:
        before = [each for each in sums if each not in parts and each.total == parts[0].start]
        if not before:
            return [total]
        parts = [before[-1], *parts]
    return parts


def _is_single_sum(fact: Judged) -> bool:
    """Return whether a result is a single sum, as damage is."""
    return fact.target is None and not fact.rolls and [total.total for total in fact.sums] == [fact.total]


def _is_single_number(fact: Judged) -> bool:
    """Return whether it is one sum without a step: the change that it causes is printed instead."""
    return _is_single_sum(fact) and not fact.sums[0].steps


def _names(fact: Judged, wording: Wording) -> list[str]:
    """Return what was judged and its result, without the book's unsaid words."""
    what = [] if fact.what in wording.unsaid else [escape(fact.what)]
    if what and fact.target is None and fact.result in wording.unsaid:
        return what
    return [*what, result(fact.result, wording)]


def score(fact: Judged, wording: Wording) -> str:
    """Return `17 against 12`, or `17` where there is no target; nothing where the result is a measure itself."""
    if fact.what in wording.measures:
        return ""
    total = "" if fact.total is None else f"{fact.total}"
    return total if fact.target is None else f"{total} against {fact.target}".lstrip()


def claim_text(fact: Claimed, wording: Wording) -> str:
    """Return the claim: `Kess health 9`, `hit 2`."""
    number = "" if fact.claimed == YES else f" {escape(str(fact.claimed))}"
    return f"{ValueNames((), wording).claim(fact.value)}{number}"


def claim_verdict(fact: Claimed) -> str:
    """Return whether the ledger agrees with a claim, or its own value."""
    if fact.claimed == fact.actual:
        return "agreed"
    actual = ledger_value(fact.actual)
    return f"the ledger says {actual}"


def _is_telling(total: Sum, fact: Judged) -> bool:
    """Return whether a sum is worth printing: an empty one is not where there is no target."""
    return fact.target is not None or not fact.rolls or bool(total.total or total.steps)


def sum_text(total: Sum, *, whole: bool = False) -> str:
    """Return a sum on a line: `difficulty 5, trained in sneak -1 = 4`, `cost 3 (Effort 1)`, `target number 12`.

    `whole`: also the steps that a count leaves out, because its dice are not printed beside it.
    """
    if not total.start and total.steps:
        reasons = ", ".join(escape(step.because) for step in total.steps if step.counted)
        left_out = ", ".join(escape(step.because) for step in total.steps if whole and not step.counted)
        uncounted = f"not counted: {left_out}" if left_out else ""
        return f"{escape(total.name)} {total.total}{in_brackets(reasons, uncounted)}"
    factors = [step for step in total.steps if step.op == "*"]
    others = [step for step in total.steps if step.op != "*"]
    start = factors[-1].now if factors else total.start
    steps = "".join(f", {step_text(step)}" for step in others)
    return f"{escape(total.name)} {start}{steps}" + (f" = {total.total}" if others else "")


def step_text(step: Step) -> str:
    """Return a step: its reason and what it does; in brackets when it was not counted."""
    named = step.op in BOUNDS and str(step.value) in step.because.split()  # `taking 20` names the number
    text = escape(step.because) if named else f"{escape(step.because)} {operand(step)}"
    return text if step.counted else f"({text})"


def operand(step: Step) -> str:
    """Return the effect of a step: `-1`, `*3`, `/2` (rounded as the rule says), `at least 20`."""
    return f"{BOUNDS.get(step.op, escape(step.op[:1]))}{step.value}"


def faces(roll: Rolled) -> str:
    """Return the faces of a roll, marked if players typed them, nobody gave a link, or the seed was revealed before."""
    shown = ", ".join(f"{escape(die.label) or f'd{die.sides}'} {die.face}" for die in roll.dice)
    mark = FACE_MARKS.get(roll.source) or (SEED_ALONE if ALONE in (roll.links or ()) else "")
    return f"{shown} [{mark}]" if mark else shown


def unjudged_rolls(facts: Sequence[Fact]) -> dict[int, str]:
    """Return the lines of the dice that no result of these facts names, each by the id of its first roll.

    They wait for a choice or an answer, and are judged in a later entry.
    """
    named = {purpose for fact in facts if isinstance(fact, Judged) for purpose in fact.rolls}
    rolls = [fact for fact in facts if isinstance(fact, Rolled) and fact.purpose not in named]
    return {id(group[0]): rolls_line(group) for group in roll_groups(rolls)}


def roll_lines(rolls: Sequence[Rolled]) -> list[str]:
    """Return dice as they were thrown, a line for each purpose."""
    return [rolls_line(group) for group in roll_groups(rolls)]


def roll_groups(rolls: Sequence[Rolled]) -> list[list[Rolled]]:
    """Return rolls by purpose: dice that other dice cause share the line of those."""
    groups: list[list[Rolled]] = []
    for roll in rolls:
        if groups and roll.purpose.startswith(f"{groups[-1][0].purpose} "):
            groups[-1].append(roll)
        else:
            groups.append([roll])
    return groups


def rolls_line(rolls: Sequence[Rolled]) -> str:
    """Return dice behind what they were thrown for: `attack Kael: d12 5, d12 12; extra 3`."""
    return f"{escape(rolls[0].purpose)}: {'; '.join(map(faces, rolls))}"
