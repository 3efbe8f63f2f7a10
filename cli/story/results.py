"""Results as clauses, with the sentences of the book: who did what to whom, and how it came out."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cli.phrases.facts import in_brackets, readable
from cli.phrases.patterns import Fields, fill, find_pattern
from cli.phrases.results import score
from cli.phrases.verbs import infinitive
from cli.story.being_names import BeingNames
from cli.story.clauses import Clause, person
from ledger.facts import Judged
from ledger.names import word_list
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

GERUND: Final = re.compile(r"\w*[aeiouy]\w*ing\b", re.IGNORECASE)  # not `sing`, `swing` or `bring`
GOES_ON: Final = "..."
ALONE: Final = "alone"  # ends the key of a sentence for a result that would go on, and goes on with nothing


class Results:
    """Tells results of dice.

    Args:
        narration: the sentences of the book.
        wording: the words of the book for the log.
        names: how somebody is called.
    """

    def __init__(self, narration: Narration, wording: Wording, names: BeingNames) -> None:
        self.narration, self.wording, self.names = narration, wording, names

    def pattern_of(self, fact: Judged, said: Mapping[str, Any]) -> tuple[str, str]:
        """Return the sentence of a result, or a plain one for dice without words; and what its `*` stands for.

        That of the kind of declaration `said` goes before that of all others.
        """
        plain = "{who}: {what} {result}" if fact.rolls and fact.what not in self.wording.effects else ""
        is_own = fact.who == fact.against and f"{fact.what} self" in self.narration.results
        more = "self" if is_own else fact.result
        special = self.narration.results.get(f"{said.get('say', '')}: {fact.what} {more}")
        if special is not None:
            return special, ""
        return find_pattern(self.narration.results, fact.what, more) or (plain, "")

    def is_same_blow(self, blows: Sequence[Judged], fact: Judged, said: Fields) -> bool:
        """Return whether a result joins those of the last clause, as one blow against several."""
        if not blows or not fact.against or fact.against in [blow.against for blow in blows]:
            return False
        first, (pattern, _) = blows[0], self.pattern_of(fact, said)
        same = (first.who, first.what, first.result) == (fact.who, fact.what, fact.result)
        shown = "{total}" in pattern or self._is_scored(fact, pattern)
        return same and "{against}" in pattern and (fact.total is None or not shown)

    def _is_scored(self, fact: Judged, pattern: str) -> bool:
        """Return whether the total of a result stands behind its sentence."""
        is_count = any(each.name in self.wording.dice_counts for each in fact.sums)
        return fact.total is not None and "{total}" not in pattern and not is_count

    def clause(self, blows: Sequence[Judged], episode: Episode, said: Fields, *, alone: bool = False) -> Clause | None:
        """Return a result with its score; one blow against several has no score. `alone`: it goes on with nothing."""
        fact, against = blows[0], [self.names(blow.against) for blow in blows]
        pattern, which = self.pattern_of(fact, said)
        if alone and pattern.startswith(GOES_ON):
            pattern = self.narration.results.get(f"{fact.what} {fact.result} {ALONE}", pattern)
        fields = {
            **(said if fact.who == episode.by else {}),
            **weapons_of(fact),
            "who": self.names(fact.who),
            "against": word_list(against),
            "what": fact.what,
            "which": which,
            "result": fact.result,
            "total": fact.total,
        }
        text = fill(pattern, fields)
        main = pattern.partition("|")[0]
        about = "" if len(blows) > 1 else nearest(main, fact)
        vain, _ = find_pattern(self.narration.vain, fact.what, fact.result) or ("", "")
        notes = [score(fact, self.wording)] if self._is_scored(fact, pattern) else []
        return Clause(text, about, notes, vain=fill(vain, fields)) if text else None


def weapons_of(fact: Judged) -> dict[str, str]:
    """Return the weapons of a result in words, `weapon` and `foe_weapon`, and who attacked with theirs, `allies`."""
    weapons: dict[str, list[str]] = {fact.who: [], fact.against: []}
    for who, weapon in fact.using:
        weapons.setdefault(who, []).extend([weapon] if weapon else [])
    own = weapons.pop(fact.who)
    foes = weapons.pop(fact.against, [])
    allies = [person(who) + in_brackets(*map(readable, theirs)) for who, theirs in weapons.items()]
    return {
        "weapon": word_list([*map(readable, own)]),
        "foe_weapon": word_list([*map(readable, foes)]),
        "allies": word_list(allies),
    }


def nearest(pattern: str, fact: Judged) -> str:
    """Return whose numbers need no name behind the sentence of a result: of its object, or of its only subject."""
    who, against = pattern.rfind("{who}"), pattern.rfind("{against}")
    if against > who:
        return fact.against
    return fact.who if against < 0 else ""  # `Guard resists Ada` leaves open whose stamina it is


def texts_of(said: Mapping[str, Any], verbs: Collection[str] = ()) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words.

    `climbing` is there also as `task_ing`, and `climbs` as `task_to`, if it is one of the verbs of English or the book.
    """
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    tasks = {f"{name}_to": task for name, value in texts.items() if (task := infinitive(value, verbs))}
    return (
        texts
        | gerunds
        | tasks
        | {name: word_list(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )
