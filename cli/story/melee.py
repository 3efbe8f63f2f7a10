"""What many did to each other in a fight while nothing turned, as one deed: who pressed whom, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import reduce
from typing import Final

import msgspec

from cli.phrases.patterns import Marked, fill_but_verbs
from cli.story.clauses import ARMS, LEAD, STILL, TURN, WOUND, Clause, Stroke, is_armed, net
from cli.story.likeness import MELEE
from cli.story.plain_words import plain_words
from cli.story.results import marked_list
from cli.story.story_deed import StoryDeed, union

FEW: Final = 4  # beings that a sentence lists of one side
QUOTED: Final = '"'
replace = msgspec.structs.replace


def is_attack(blow: Stroke, party: Collection[str]) -> bool:
    """Return whether a blow is one of one side against the other."""
    sides = {who in party for who in blow.sides}
    return bool(blow.against) and len(sides) > 1 and is_armed(blow)


def is_melee(deed: StoryDeed, party: Collection[str], heaviest: int) -> bool:
    """Return whether a deed is no more than blows between the sides, of no more weight than this."""
    if deed.weight > heaviest or deed.is_turn or deed.outcome:
        return False
    if any(QUOTED in each for clause in deed.clauses for each in clause.words):
        return False
    blows = [clause.blow for clause in deed.clauses]
    known = (blow is not None and (blow.sides.isdisjoint(party) or is_attack(blow, party)) for blow in blows)
    return all(known) and any(blow is not None and is_attack(blow, party) for blow in blows)


def attackers_of(blow: Stroke) -> Sequence[str]:
    """Return who attacks: those against whom somebody defends, by the sentence of the book."""
    begins = f"{{against}} <{blow.verb}>"
    is_defence = ARMS[1] in blow.pattern or blow.pattern.startswith(begins)
    return blow.against if is_defence else (blow.who,)


def attacks_of(deed: StoryDeed, party: Collection[str]) -> list[Stroke]:
    """Return the blows of one side against the other in a deed."""
    return [clause.blow for clause in deed.clauses if clause.blow is not None and is_attack(clause.blow, party)]


def sides_of(deed: StoryDeed, party: Collection[str]) -> set[str]:
    """Return those who strike, or are struck at, in a deed."""
    return {who for blow in attacks_of(deed, party) for who in (*attackers_of(blow), *blow.sides)}


def is_ours(deed: StoryDeed, party: Collection[str]) -> bool:
    """Return whether somebody of the party strikes in a deed."""
    return any(who in party for blow in attacks_of(deed, party) for who in attackers_of(blow))


def alike_struck(deeds: Sequence[StoryDeed], party: Collection[str]) -> list[list[int]]:
    """Return the places of deeds in groups in which each who strikes struck everybody who was struck at.

    The blows of both sides are one group: who fights whom does not say who struck.
    """
    struck: dict[str, set[str]] = {}
    for deed in deeds:
        for blow in attacks_of(deed, party):
            for who in attackers_of(blow):
                struck.setdefault(who, set()).update(blow.sides.difference(attackers_of(blow)))
    if len({who in party for who in struck}) > 1:
        return [[*range(len(deeds))]]
    groups: dict[frozenset[frozenset[str]], list[int]] = {}
    for place, deed in enumerate(deeds):
        attackers = {who for blow in attacks_of(deed, party) for who in attackers_of(blow)}
        groups.setdefault(frozenset(frozenset(struck[who]) for who in attackers), []).append(place)
    return [*groups.values()]


def is_miss(blow: Stroke) -> bool:
    """Return whether an attack missed, or somebody kept clear of it."""
    return blow.failed == (blow.who in attackers_of(blow))


def _hits(clauses: Sequence[Clause], party: Collection[str]) -> Iterator[Stroke]:
    """Yield the blows of one side against the other that did something."""
    for clause in clauses:
        is_harmful = clause.blow is not None and bool((*clause.caused, *clause.effects))
        if clause.blow is not None and is_harmful and is_attack(clause.blow, party) and not is_miss(clause.blow):
            yield clause.blow


def melee(deeds: Sequence[StoryDeed], party: Collection[str], mark: Callable[[str], Marked], form: int) -> StoryDeed:
    """Return deeds as one: who pressed whom, and how they came out of it; `form`: which of the ways to say it.

    Where one side alone came to harm, that is said as of a blow, `and hurt them badly`, of those who did it and of
    those whom they struck.
    """
    clauses = [clause for deed in deeds for clause in deed.clauses]
    blows = [blow for deed in deeds for blow in attacks_of(deed, party)]
    sides = dict.fromkeys(who for blow in blows for who in (*attackers_of(blow), blow.who, *blow.against))
    own, foes = [who for who in sides if who in party], [who for who in sides if who not in party]
    is_many = max(len(own), len(foes)) > FEW
    attackers = {who for blow in blows for who in attackers_of(blow)}
    is_both = not (attackers.isdisjoint(own) or attackers.isdisjoint(foes))
    effects = [effect for clause in clauses for effect in (*clause.caused, *clause.effects) if not effect.bare]
    effects = [effect for effect in effects if effect.whose in sides]
    effects = net([replace(each, how=each.how.removeprefix(STILL), minor=False) for each in effects])
    scratch = plain_words().harm[0]
    effects.sort(key=lambda effect: (effect.whose not in party, effect.how == scratch))
    hurt = {effect.whose for effect in effects}
    is_ours = bool(hurt) and hurt <= {*own} if is_both else attackers.isdisjoint(own)
    first, other = (foes, own) if is_ours else (own, foes)
    is_blow = not is_many and hurt <= {*other} and all(effect.how for effect in effects)
    if is_blow and hurt:
        hits = [*_hits(clauses, party)]
        first = [who for who in first if any(who in attackers_of(blow) for blow in hits)] or first
        struck = [who for who in other if any(who in blow.sides for blow in hits)]
        other = other if is_both else struck or other
    fields: dict[str, object] = {"who": marked_list([*map(mark, first)]), "foes": marked_list([*map(mark, other)])}
    words = plain_words()
    ways = (words.brawl if is_many else words.melee) if is_both else words.onslaught
    pattern = ways[form % len(ways)]
    text = fill_but_verbs(pattern, fields)
    blow = Stroke(what=MELEE, pattern=pattern, fields=fields, who=first[0], against=tuple(other))
    vain = fill_but_verbs(words.unhurt, {}) if all(map(is_miss, blows)) else ""
    clause = Clause(text, blow=blow, effects=effects, vain=vain)
    clause = clause if is_blow else replace(clause, text=f"{text}{LEAD}", blow=None)
    both = reduce(lambda deed, more: union(deed, more, [clause]), deeds)
    return replace(both, clauses=[clause], weight=max(WOUND, both.weight), worth=max(TURN, both.worth))
