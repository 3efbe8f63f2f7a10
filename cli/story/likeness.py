"""What clauses are to each other: the same deed, a blow in return, a second try, the cost of a failure."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.phrases.patterns import NAMED, Marked, fill_but_verbs, mark_name, mark_verb
from cli.story.clauses import NAMES, Clause, Stroke, TextEffect
from cli.story.plain_words import cardinal, plain_words

replace = msgspec.structs.replace
MELEE: Final = "many blows"  # of both sides of a fight, as what was judged
OF_TASKS: Final = ("task_to", "reason_to", "task_said", "reason_said")  # what somebody tries
BUT: Final = ", but "
TIMES: Final = ("", "once", "twice", "three times")


def is_stub(clause: Clause) -> bool:
    """Return whether a clause says only that somebody did a thing, without at what, how, or what came of it."""
    text, _ = clause.parts()
    return bool(clause.subject) and len(text.removeprefix(clause.subject).split()) <= 1


def tried_again(one: Clause, other: Clause) -> Clause:
    """Return the second of two deeds that are the same: `again`, or without the task where the first try failed."""
    blow, again = one.blow, other.blow
    is_failed = blow is not None and blow.failed
    if one.act == other.act and not is_failed and not (one.changes or other.changes or one.close or other.close):
        return replace(other, text=f"{other.text} again", at_once=False)
    if blow is None or again is None or blow.what != again.what or not blow.failed or blow.against or again.against:
        return other
    if not is_same_task(blow, again):
        return other
    told = fill_but_verbs(plain_words().second_try[not again.failed], {})
    return replace(other, text=f"{other.subject} {told}", blow=replace(again, others=()), at_once=again.failed)


def is_same_task(blow: Stroke, other: Stroke) -> bool:
    """Return whether two results are of the same task, in the same words."""
    tasks, others = (
        {(name, each.fields.get(name)) for name in OF_TASKS if each.fields.get(name)} for each in (blow, other)
    )
    return blow.what == other.what and not tasks.isdisjoint(others)


def other_outcome(one: Clause, other: Clause) -> Clause | None:
    """Return what another came to at the same task where the first did not: `Orrin could not`; None for all others."""
    blow, second = one.blow, other.blow
    if blow is None or second is None or blow.against or second.against or not is_same_task(blow, second):
        return None
    if blow.failed == second.failed or blow.poor or second.poor or blow.who == second.who:
        return None
    if one.changes or one.words or one.close or other.costs or other.close or other.trail:
        return None
    verb = mark_verb("cannot" if second.failed else "do", plural=False)
    return replace(other, text=f"{other.subject} {verb}", blow=replace(second, others=()), link=BUT)


def is_cost(failure: Clause, loss: Clause) -> bool:
    """Return whether somebody lost something right after they failed, or half failed, at what is against nobody."""
    return (
        failure.is_failure
        and loss.blow is None
        and bool(loss.subject)
        and NAMES.findall(failure.subject) == [loss.subject]
    )


def is_state_after(failure: Clause, state: Clause) -> bool:
    """Return whether all that is said of somebody is how they were right after they failed."""
    beings = {effect.whose for effect in state.changes}
    is_own = failure.is_failure and not failure.changes and [mark_name(who) for who in beings] == [failure.subject]
    return is_own and not state.text and all(each.how for each in state.changes)


def is_setback(one: Clause, other: Clause) -> bool:
    """Return whether somebody failed at a task right after they did another."""
    if one.blow is None or other.blow is None or one.blow.against or other.blow.against:
        return False
    return other.blow.failed and not (one.blow.failed or one.blow.poor)


def is_return(one: Clause, other: Clause) -> bool:
    """Return whether a blow answers another. One that stands for many answers none."""
    if one.blow is not None and other.blow is not None and MELEE in (one.blow.what, other.blow.what):
        return False
    if one.blow is None or other.blow is None or one.blow.failed == (one.blow.who in actors(one)):
        return False
    sides = one.blow.sides, other.blow.sides
    return actors(other) <= sides[0] - actors(one) and bool(actors(one) & (sides[1] - actors(other)))


def is_plain_blow(clause: Clause | None) -> bool:
    """Return whether a clause is a blow that stands by itself."""
    return clause is not None and bool(clause.blow and clause.blow.against) and not clause.lead and not clause.leads_on


def actors(clause: Clause) -> set[str]:
    """Return those who act in a clause."""
    return {*NAMED.findall(clause.subject)}


def is_shield(blow: Stroke, other: Clause) -> bool:
    """Return whether somebody who did something for one of their own is struck for it."""
    return other.blow is not None and blow.is_help and other.blow.sides - actors(other) == {blow.who}


def is_against_same(blow: Stroke, other: Stroke) -> bool:
    """Return whether two blows are against the same."""
    return bool(blow.against) and blow.against == other.against


def plain(act: str) -> str:
    """Return an act whose verbs agree with nobody yet."""
    return act.replace("\x02*", "\x02")


def is_same_fight(blow: Stroke, other: Stroke) -> bool:
    """Return whether two blows are of the same against the same."""
    return bool(blow.against) and (blow.who, blow.what, blow.against) == (other.who, other.what, other.against)


def is_same_kind(blow: Stroke, other: Stroke) -> bool:
    """Return whether two blows have the same words, and are aimed at the same part."""
    return (blow.what, blow.pattern, blow.fields.get("at")) == (other.what, other.pattern, other.fields.get("at"))


def mark_of_one(subject: str) -> str | None:
    """Return the mark of a subject that is one being; None for several and for nobody."""
    return subject if len(NAMES.findall(subject)) == 1 else None


def told_states(clause: Clause) -> list[TextEffect]:
    """Return the effects of a clause that are of others than its subject."""
    return [effect for effect in clause.changes if mark_name(effect.whose) != clause.subject]


def told_texts(clause: Clause) -> list[str]:
    """Return what the effects of a clause say, without whose they are."""
    return [effect.text.replace(clause.subject, "") for effect in clause.changes]


def plural_act(act: str) -> Marked:
    """Return what one does as several do it."""
    return Marked(plain(act).replace("\x02", "\x02*"))


def times(number: int) -> str:
    """Return `twice`."""
    return TIMES[number] if number < len(TIMES) else f"{cardinal(number)} times"


def without_shared_end(rest: str, act: str) -> str:
    """Return what stands behind a verb without the words with which an act ends as well: `too slow (to act first)`."""
    ends = [rest[place:] for place, letter in enumerate(rest) if letter == " " and act.endswith(rest[place:])]
    return rest.removesuffix(ends[0]) if ends and ends[0].count(" ") > 1 else rest


def verb_of(act: str) -> str:
    """Return an act up to its verb, in the singular or the plural; empty if it has more than one."""
    before, end, _ = plain(act).partition("\x03 ")
    return before + end if end else ""
