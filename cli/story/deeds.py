"""Deeds: what an episode comes to, in clauses, before it is a sentence; and several deeds as one sentence.

A paragraph is made in steps: the blows of one against another, in a row, become one deed; then those who did the same
are named together; then what somebody did next goes on with their sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product
from typing import Final

import msgspec

from cli.phrases.patterns import mark_name, mark_verb
from cli.story.clauses import ENDS, NAMES, OWNED, Clause, endings_of
from cli.story.forms import Forms, Way
from cli.story.likeness import (
    is_against_same,
    is_cost,
    is_same_fight,
    is_same_kind,
    is_setback,
    is_state_after,
    mark_of_one,
    other_outcome,
    plain,
    plural_act,
    times,
    told_states,
    told_texts,
    tried_again,
    verb_of,
    without_shared_end,
)
from cli.story.neighbours import (
    AND,
    LONG,
    PAIR,
    THEN,
    aftermath,
    asides_once,
    beside_stub,
    fold,
    lying_once,
    made_good,
    paced,
    rallied,
    same_once,
    side_by_side,
    survivals_once,
    without_repeated_words,
)
from cli.story.plain_words import plural_noun
from cli.story.remarks import with_remarks
from cli.story.results import Results, marked_list
from cli.story.story_deed import StoryDeed, is_heavy, union
from cli.story.voice import GAP, PART
from ledger.names import capital

replace = msgspec.structs.replace
ONES: Final = re.compile(f"{OWNED}(?=, | and |$)")  # of a subject, each with what is theirs
STATES: Final = tuple(f" {mark_verb(verb, plural=plural)}" for verb in ("be", "cannot") for plural in (False, True))
SAID: Final = ' ("'  # begins people's own words in a sentence
GAP_IN_TEXT: Final = "'s  "  # where a sentence has no word for what somebody used
BUT: Final = " but "
FORMS: Final = 3  # of what a blow left
MOST_WAYS: Final = 18  # to say a deed that are compared with the sentences before it


class Paragraph:
    """Makes the deeds of paragraphs to sentences; it remembers the forms of those it made last.

    Args:
        results: the sentences of the book.
    """

    def __init__(self, results: Results) -> None:
        self._results = results
        self._forms = Forms()
        self._survivals = set[str]()  # what was said of those who held on to life

    def merge(self, deeds: Sequence[StoryDeed]) -> list[StoryDeed]:
        """Return the deeds of a paragraph with those together that make one sentence."""
        deeds = side_by_side(deeds)
        for merge in (self._undone, self._one_run, self._together, self._next_of_same, made_good):
            deeds = fold(deeds, merge)
        deeds = paced(rallied(deeds))
        for merge in (aftermath, beside_stub):
            deeds = fold(deeds, merge)
        deeds = [*same_once(asides_once(lying_once(without_repeated_words(deeds))))]
        return [*survivals_once(deeds, self._survivals, self._results.narration.grave)]

    def text(self, deed: StoryDeed) -> str:
        """Return a deed as a marked sentence, in another form than those before it where there is one."""
        ways = [
            Way(
                join_clauses(clauses),
                tuple(clause.parts()[0] for clause in clauses),
                endings=endings_of(clauses),
                is_rare=clauses[0].is_poor,
            )
            for clauses in islice(self._ways(deed), MOST_WAYS)
        ]
        first = deed.clauses[0]
        text = with_remarks(self._forms.choose(ways, THEN if first.blow and not (first.lead or first.leads_on) else ""))
        return text + (PART + deed.outcome if deed.outcome else "")

    def _ways(self, deed: StoryDeed) -> Iterator[list[Clause]]:
        """Yield the clauses of a deed in each way to say them: by the sentences of the book, and what a blow left."""
        is_chain = any(not clause.link for clause in deed.clauses[1:])
        patterns = [self._texts(clause, is_fixed=is_chain) for clause in deed.clauses]
        for texts in product(*patterns):
            for form in range(FORMS if any(clause.changes for clause in deed.clauses) else 1):
                forms = cycle((*range(form, FORMS), *range(form)))  # each clause that leaves somebody so has its own
                yield [
                    replace(clause, text=text, form=next(forms) if clause.changes else 0)
                    for clause, text in zip(deed.clauses, texts, strict=True)
                ]

    def _texts(self, clause: Clause, *, is_fixed: bool) -> list[str]:
        """Return the texts of a clause, its own first; `is_fixed`: it has no other."""
        if clause.blow is None or is_fixed:
            return [clause.text]
        others = (self._results.sentence(clause.blow, pattern) for pattern in clause.blow.others)
        is_plain = clause.blow.fields.get("weapon") and self._results.sentence(clause.blow) == clause.text
        bare = self._results.sentence(clause.blow, weapon="") if is_plain and self._forms.is_armed else ""
        return [bare or clause.text, *(text for text in others if text and GAP_IN_TEXT not in text)]

    # Several deeds as one

    def _undone(self, deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
        """Return what somebody did, and another who showed it to have come to nothing, as one deed."""
        last, new = deed.clauses[-1], more.single
        undone = self._results.narration.undone
        if last.blow is None or new is None or new.blow is None or deed.outcome or last.changes:
            return None
        keys = {key for key, _ in undone.values()}
        if last.blow.key == new.blow.key and new.blow.key in keys and last.blow.who == new.blow.who:
            return union(deed, more, [*deed.clauses[:-1], new if new.blow.fields.get("place") else last])  # once more
        key, pattern = undone.get(new.blow.key, ("", ""))
        if key != last.blow.key or new.blow.against != (last.blow.who,):
            return None
        text = self._results.sentence(new.blow, pattern, place=last.blow.fields.get("place", ""))
        blow = replace(new.blow, pattern=pattern, others=())
        return union(deed, more, [*deed.clauses[:-1], replace(new, text=text, blow=blow, words=last.words + new.words)])

    def _one_run(self, deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
        """Return the blows of one against another in a row as one deed: `hit twice`, or `missed, then hit`."""
        last, new = deed.clauses[-1], more.single
        if new is None or last.blow is None or new.blow is None or deed.outcome or is_heavy(deed):
            return None
        if not is_same_fight(last.blow, new.blow) or last.words or new.words or last.costs != new.costs:
            return None
        if not is_same_kind(last.blow, new.blow):
            if len(deed.clauses) > 1 and new.blow.pattern in (each.blow.pattern for each in deed.clauses if each.blow):
                return None
            fields = {"weapon": "", **({"against": ""} if "[ {against}]" in new.blow.pattern else {})}
            new = replace(new, text=self._results.sentence(new.blow, **fields))
            return union(deed, more, [*deed.clauses, new])
        if last.trail != new.trail or "{times}" not in last.blow.pattern:
            return None
        count = int(str(last.blow.fields.get("count", 1))) + 1
        blow = replace(last.blow, fields={**last.blow.fields, "count": count, "times": times(count)})
        clause = replace(
            last, blow=blow, text=self._results.sentence(blow), close="", effects=last.effects + new.effects
        )
        return union(deed, more, [*deed.clauses[:-1], clause])

    def _together(self, deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
        """Return what several did in the same way as one deed: `Kael and Sira missed the leader`."""
        one, other = deed.single, more.single
        if one is None or other is None or not one.act or is_heavy(deed) or is_heavy(more):
            return None
        if mark_of_one(other.subject) is None or other.subject in NAMES.findall(one.subject):
            return None
        if contrast := other_outcome(one, other):
            return union(deed, more, [one, contrast])
        has_words = one.words or other.words
        if one.blow and other.blow and is_same_kind(one.blow, other.blow) and is_against_same(one.blow, other.blow):
            return None if has_words else self._same_blow(deed, more, one, other)
        if plain(one.act) == plain(other.act) and one.words == other.words and one.costs == other.costs:
            return self._all(deed, more, one, other)
        return None if has_words else self._gapped(deed, more, one, other)

    def _all(self, deed: StoryDeed, more: StoryDeed, one: Clause, other: Clause) -> StoryDeed | None:
        """Return the same act of several; what only one of them suffered stays apart."""
        if told_states(one) or told_states(other) or told_texts(one) != told_texts(other) or one.trail or other.trail:
            return None
        subject = marked_list([*ONES.findall(one.subject), other.subject])
        text = subject + plural_act(one.act)
        effects = one.effects + other.effects
        return union(deed, more, [replace(one, text=text, effects=effects, close="", blow=None)])

    def _same_blow(self, deed: StoryDeed, more: StoryDeed, one: Clause, other: Clause) -> StoryDeed | None:
        """Return the same blow of several against one, who is in the end as the last of them left them."""
        if one.blow is None or other.blow is None or one.trail or other.trail or one.costs or other.costs:
            return None
        if not {each.whose for each in [*one.changes, *other.changes]} <= {*one.blow.against}:
            return None
        if one.blow.fields.get("times") or other.blow.fields.get("times") or "{who}" not in one.blow.pattern[:8]:
            return None
        who = marked_list([*NAMES.findall(one.subject), other.subject])
        weapons = [str(each.blow.fields.get("weapon") or "") for each in (one, other) if each.blow]
        weapon = plural_noun(weapons[0]) if len({*weapons}) == 1 else " and the ".join(weapons)
        weapon = weapon if all(weapons) else ""
        blow = replace(one.blow, fields={**one.blow.fields, "who": who, "weapon": weapon}, others=())
        clause = replace(
            one, blow=blow, text=self._results.sentence(blow), effects=one.effects + other.effects, close=""
        )
        return union(deed, more, [clause])

    def _gapped(self, deed: StoryDeed, more: StoryDeed, one: Clause, other: Clause) -> StoryDeed | None:
        """Return `Kess rested for an hour, Orrin for ten`: what differs is behind the same verb."""
        shared, act = verb_of(one.act), plain(other.act)
        rest = without_shared_end(act[len(shared) :], one.act)
        is_state = act.startswith(STATES) and rest != act[len(shared) :]
        is_blow = any(
            each.blow and (each.blow.against or not ("{task" in each.blow.pattern or is_state)) for each in (one, other)
        )
        if not shared or not act.startswith(shared) or one.changes or other.changes or is_blow or len(one.text) > LONG:
            return None
        if one.costs or other.costs or one.close or other.close or SAID in one.text or SAID in other.text:
            return None
        return union(deed, more, [replace(one, text=f"{one.text}{GAP}{other.subject} {rest}", blow=None)])

    def _next_of_same(self, deed: StoryDeed, more: StoryDeed) -> StoryDeed | None:
        """Return what somebody did, and did next, as one deed."""
        last, new = deed.clauses[-1], more.single
        if new is None or deed.outcome or is_heavy(deed) != is_heavy(more) or len(deed.clauses) > 1:
            return None
        if is_state_after(last, new):
            words = [each for each in new.words if each.strip('"') not in last.text]
            return union(deed, more, [replace(last, effects=new.effects, words=[*last.words, *words])])
        if is_cost(last, new):
            if (last.words or SAID in last.text) and new.words:  # each stands behind its own
                return union(deed, more, [last, replace(new, apart=True)])
            is_open = last.subject == new.subject and last.parts()[1]
            return union(deed, more, [last, replace(new, at_once=True) if is_open else replace(new, link=AND)])
        if not last.subject or last.subject != new.subject or new.words or last.words or GAP in last.text:
            return None
        if not last.parts()[1] or len(last.text) + len(new.text) > LONG:
            return None
        several = self._same_at_several(deed, more, last, new)
        return several or union(deed, more, [*deed.clauses, tried_again(last, new)])

    def _same_at_several(self, deed: StoryDeed, more: StoryDeed, one: Clause, other: Clause) -> StoryDeed | None:
        """Return the same blow of one at several as one deed: `Una shot both ropemen`."""
        if one.blow is None or other.blow is None or one.trail or other.trail or one.costs or other.costs:
            return None
        both = (*one.blow.against, *other.blow.against)
        if not is_same_kind(one.blow, other.blow) or len({*both}) < PAIR or one.blow.fields.get("times"):
            return None
        fields = {**one.blow.fields, "against": marked_list([*map(mark_name, both)]), "foe_weapon": ""}
        blow = replace(one.blow, against=both, fields=fields, others=())
        effects = one.effects + other.effects
        return union(
            deed, more, [replace(one, blow=blow, text=self._results.sentence(blow), effects=effects, close="")]
        )


def join_clauses(clauses: Sequence[Clause]) -> str:
    """Return clauses as one marked sentence: of the same subject as one that goes on."""
    text, before, is_open = "", Clause(""), False
    for index, clause in enumerate(clauses):
        after, ends_open = clause.parts()
        if text and is_open and not clause.apart and clause.subject and clause.subject == before.subject:
            behind = next(iter(clauses[index + 1 :]), None)
            is_last = behind is None or bool(behind.link) or behind.subject != clause.subject
            last = ", and" if " and " in after else " and"
            more = after.removeprefix(clause.subject)
            aim = f"{verb_of(clause.act)}to "
            if aim in clause.act and before.act.startswith(aim):
                text += f", and to {more.removeprefix(aim)}"
            elif is_setback(before, clause) and BUT not in text:
                text += f",{BUT}{more.removeprefix(' ')}"
            elif clause.at_once or clause.act.startswith(STATES):
                is_apart = before.close or before.aside or before.tail.startswith(",")
                text += (f",{last.removeprefix(',')}" if is_apart else last if is_last else ",") + more
            else:
                text += f", then{more}"
        elif text and clause.link:
            text += clause.link + after
        elif text:
            between = ": " if before.leads else " " if text.endswith(ENDS) else ". " if clause.apart else "; "
            is_next = between == "; " and clause.blow and before.blow and clause.subject == before.subject
            after = f"{THEN}{after}" if is_next else after
            text += between + (capital(after) if between in (" ", ". ") else after)
        else:
            text = clause.lead + after
        before, is_open = clause, ends_open
    return text
