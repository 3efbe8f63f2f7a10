"""Deeds beside each other in a paragraph: which of them are one sentence, and how it goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import cycle, pairwise
from typing import Final

import msgspec

from cli.phrases.patterns import mark_name
from cli.story.clauses import TURN, WOUND, Clause
from cli.story.likeness import is_plain_blow, is_return, is_same_task, is_shield, is_stub, tried_again
from cli.story.story_deed import NOTHING_YET, StoryDeed, is_heavy, union

replace = msgspec.structs.replace
LONG: Final = 160  # characters of a sentence that takes no more
LONGEST: Final = 240  # of two with what they left
PAIR: Final = 2
RETURN: Final = "in return "
THEN: Final = "then "  # before the third blow of the same form
AND: Final = ", and "
SECOND_TRY: Final = "; at the second try "
LAY: Final = re.compile(r" where \w+ lay")
LINKS: Final = (", while ", AND)  # between two that did something at once
Merge = Callable[[StoryDeed, StoryDeed], StoryDeed | None]


def fold(deeds: Iterable[StoryDeed], merge: Merge) -> list[StoryDeed]:
    """Return deeds with neighbours together that one deed can tell."""
    done = list[StoryDeed]()
    for deed in deeds:
        both = merge(done[-1], deed) if done else None
        if both is None:
            done.append(deed)
        else:
            done[-1] = both
    return done


def paced(deeds: Sequence[StoryDeed]) -> list[StoryDeed]:
    """Return deeds so that their sentences are not all alike: a blow in return begins so, two plain ones are one."""
    done, links = list[StoryDeed](), cycle(LINKS)
    for deed in deeds:
        one, other = done[-1].single if done else None, deed.single
        if one is None or other is None or one.blow is None or other.blow is None:
            done.append(deed)
        elif is_return(one, other) and not one.lead and not other.leads_on:
            done.append(union(NOTHING_YET, deed, [replace(other, lead=RETURN)]))
        elif is_pair(done[-1], deed):
            done[-1] = union(done[-1], deed, [one, replace(other, link=next(links))])
        elif is_plain_blow(one) and is_plain_blow(other) and len(done) > 1 and is_plain_blow(done[-2].single):
            done.append(union(NOTHING_YET, deed, [replace(other, lead=THEN)]))
        else:
            done.append(deed)
    return done


def with_blow_for(deed: StoryDeed, more: StoryDeed) -> list[StoryDeed]:
    """Return two deeds; who did something for one of their own, and is struck for it, is in one that turns a fight."""
    both = [*deed.clauses, *more.clauses]
    if deed.single is None or more.single is None or not link_shields(both):
        return [deed, more]
    return [replace(union(deed, more, both), is_turn=True, worth=max(more.worth, WOUND))]


def link_shields(clauses: Sequence[Clause]) -> bool:
    """Join to each clause in which somebody steps in for one of their own the blow that meets them; is there one?"""
    met = [other for one, other in pairwise(clauses) if one.blow and is_shield(one.blow, other) and not one.words]
    for clause in met:
        clause.link = AND
    return bool(met)


def beside_stub(deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
    """Return a deed of two or three words, as in `Ash swam`, in one sentence with the one beside it."""
    one, other, *others = *deed.clauses[-1:], *more.clauses
    if not (is_stub(one) and deed.single) and not (is_stub(other) and more.single):
        return None
    if not (one.subject and other.subject) or any(
        each.leads_on or each.apart or each.lead or each.words or not each.text for each in (one, other)
    ):
        return None
    if max(deed.weight, more.weight) >= TURN or deed.outcome or more.outcome:
        return None
    return union(deed, more, [*deed.clauses, replace(other, link=AND), *others])


def rallied(deeds: Sequence[StoryDeed]) -> list[StoryDeed]:
    """Return deeds; the blows in a row of three against the same one are one sentence.

    `Kael stabbed the spearman, while Brynn shot him twice, and Sira cut him`.
    """
    done, place = list[StoryDeed](), 0
    while place < len(deeds):
        run = run_against_same(deeds[place:])
        done.append(together(run) if len(run) > PAIR else deeds[place])
        place += len(run) if len(run) > PAIR else 1
    return done


def together(run: Sequence[StoryDeed]) -> StoryDeed:
    """Return three deeds as one sentence."""
    first, *others = run
    for deed, link in zip(others, LINKS, strict=True):
        begin, *rest = deed.clauses
        first = union(first, deed, [*first.clauses, replace(begin, link=link), *rest])
    return first


def run_against_same(deeds: Sequence[StoryDeed]) -> list[StoryDeed]:
    """Return the deeds at the begin of these that are light blows, each of another, against the same one."""
    run, doers, against, room = list[StoryDeed](), set[str](), set[tuple[str, ...]](), 2 * LONG
    for deed in deeds[: len(LINKS) + 1]:
        blows = [each.blow for each in deed.clauses if each.blow and is_plain_blow(each) and is_of_doer(each)]
        room -= sum(len(each.parts()[0]) for each in deed.clauses)
        is_light = len(blows) == len(deed.clauses) and not (is_heavy(deed) or deed.outcome)
        if not is_light or room < 0 or any(each.words or each.trail or each.link for each in deed.clauses):
            break
        who, target = {blow.who for blow in blows}, {blow.against for blow in blows}
        is_new = len(who) == 1 and len(target) == 1 and who.isdisjoint(doers)
        if not is_new or (run and target != against) or any(who & {*each} for each in target):
            break
        run.append(deed)
        doers, against = doers | who, target
    return run


def is_of_doer(clause: Clause) -> bool:
    """Return whether the one who strikes is the subject of a blow that changes nothing of anybody but the struck."""
    blow = clause.blow
    is_own = blow is not None and clause.subject == mark_name(blow.who)
    return is_own and blow is not None and {each.whose for each in clause.changes} <= {*blow.against}


def is_pair(deed: StoryDeed, other: StoryDeed) -> bool:
    """Return whether two deeds are blows of so little weight that one sentence has room for both."""
    if is_heavy(deed) or is_heavy(other):
        return False
    clauses = [each for each in (deed.single, other.single) if each and each.blow and each.blow.against]
    is_same = len({each.blow.what for each in clauses if each.blow}) == 1
    if len(clauses) != PAIR or not is_same or any(each.words or each.leads_on or each.trail for each in clauses):
        return False
    is_short = (
        sum(len(each.text) for each in clauses) < LONG and sum(len(each.parts()[0]) for each in clauses) < LONGEST
    )
    return clauses[0].subject != clauses[1].subject and is_short


def aftermath(deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
    """Return a blow that felled somebody, and how they were found to be right after it, as one deed."""
    last, new = deed.clauses[-1], more.single
    if new is None or new.text or new.words or last.words or last.blow is None or not is_heavy(deed) or deed.outcome:
        return None
    beings = {each.whose for each in new.changes}
    if len(beings) != 1 or not beings <= last.blow.sides or not all(each.how for each in new.changes):
        return None
    return union(deed, more, [*deed.clauses[:-1], replace(last, effects=last.effects + new.effects)])


def made_good(deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
    """Return a failure with its cost, and the second try of the same right behind it, as one deed."""
    first, new = deed.clauses[0], more.single
    if new is None or new.blow is None or first.blow is None or deed.outcome or not first.is_failure:
        return None
    if first.blow.against or new.subject != first.subject or not is_same_task(first.blow, new.blow):
        return None
    again = tried_again(first, new) if new.blow.failed else new
    return union(deed, more, [*deed.clauses, replace(again, link=SECOND_TRY, at_once=False)])


def side_by_side(deeds: Sequence[StoryDeed]) -> list[StoryDeed]:
    """Return deeds with those beside each other, of several in a row at the same task, to whom the same happened."""
    done = list[StoryDeed]()
    for deed in deeds:
        place, kind = len(done), task_of(deed)
        while kind and place and task_of(done[place - 1]) == kind:
            place -= 1
        same = [index for index in range(place, len(done)) if act_of(done[index]) == act_of(deed)]
        done.insert(same[-1] + 1 if same and place < len(done) else len(done), deed)
    return done


def without_repeated_words(deeds: Iterable[StoryDeed]) -> Iterator[StoryDeed]:
    """Yield deeds; a remark that stands behind the deed before is not made again."""
    last = list[str]()
    for deed in deeds:
        words = [each for clause in deed.clauses for each in clause.words]
        clauses = [
            replace(clause, words=[each for each in clause.words if each not in last]) for clause in deed.clauses
        ]
        yield replace(deed, clauses=clauses)
        last = words


def lying_once(deeds: Iterable[StoryDeed]) -> Iterator[StoryDeed]:
    """Yield deeds; that somebody was struck where they lay is said of their first wound there alone."""
    told = set[tuple[str, ...]]()
    for deed in deeds:
        clauses = list[Clause]()
        for clause in deed.clauses:
            key = clause.blow.against if clause.blow and LAY.fullmatch(clause.tail) else ()
            clauses.append(replace(clause, tail="") if key in told else clause)
            told |= {key} if key else set()
        yield replace(deed, clauses=clauses)


def same_once(deeds: Iterable[StoryDeed]) -> Iterator[StoryDeed]:
    """Yield deeds; what the same deed changed of another right before is not said again: `Orrin was tended too`."""
    last: Clause | None = None
    for deed in deeds:
        clause = deed.single
        if last and clause and is_same_again(last, clause):
            act, remark, rest = clause.text.partition(' ("')
            clause = replace(clause, text=f"{act} too{remark}{rest}", effects=[])
            deed = replace(deed, clauses=[clause])
        last = deed.single or None
        yield deed


def is_same_again(one: Clause, other: Clause) -> bool:
    """Return whether what was done to one changed what it changed of another before, without any blow."""
    if one.blow or other.blow or other.link or other.tail or not other.text or one.subject == other.subject:
        return False
    told, again = ([each.text.replace(clause.subject, "") for each in clause.changes] for clause in (one, other))
    verbs = [clause.act.partition("\x03 ")[2].split(" ")[0] for clause in (one, other)]
    return bool(again) and told == again and verbs[0] == verbs[1]


def survivals_once(deeds: Iterable[StoryDeed], told: set[str], grave: Collection[str]) -> Iterator[StoryDeed]:
    """Yield deeds; that somebody held on to life is said again only as `again`, or by what it changed.

    `told` are the sentences of an evening so far, and `grave` the conditions that somebody held on in.
    """
    for deed in deeds:
        clauses = list[Clause]()
        for clause in deed.clauses:
            blow = clause.blow
            is_survival = blow is not None and not blow.against and any(each in blow.what for each in grave)
            if blow is not None and is_survival and clause.text in told and not clause.leads_on:
                again = replace(clause, text=f"{clause.text} again", blow=replace(blow, others=()))
                clauses.append(replace(clause, text="", blow=None) if clause.changes else again)
            else:
                clauses.append(clause)
            told |= {clause.text} if is_survival else set()
        yield replace(deed, clauses=clauses)


def asides_once(deeds: Iterable[StoryDeed]) -> Iterator[StoryDeed]:
    """Yield the deeds of a paragraph; what dice did besides their results is said once in it."""
    is_said = False
    for deed in deeds:
        clauses = list[Clause]()
        for clause in deed.clauses:
            clauses.append(replace(clause, aside="" if is_said else clause.aside))
            is_said = is_said or bool(clause.aside)
        yield replace(deed, clauses=clauses)


def task_of(deed: StoryDeed) -> str:
    """Return what was judged in a deed that is against nobody; empty for all others."""
    clause = deed.single
    return clause.blow.what if clause and clause.blow and not clause.blow.against and clause.subject else ""


def act_of(deed: StoryDeed) -> str:
    """Return what somebody did in a deed of one clause."""
    return deed.single.act if deed.single else ""
