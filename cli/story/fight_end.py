"""How a fight came out: whether it was lost, who got away and whom they left behind, who still stands, who is out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cli.phrases.facts import readable
from cli.phrases.patterns import Marked, fill_but_verbs, mark_verb
from cli.story.being_names import BeingNames
from cli.story.results import marked_list
from ledger.facts import ConditionEnded, EncounterEnded
from ledger.names import capital
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration


def is_lost(fact: EncounterEnded, characters: Collection[str]) -> bool:
    """Return whether others still stand at the end of a fight, and none of the characters who were in it."""
    standing = {who for _, side in fact.stand for who in side}
    return (
        not standing <= {*characters}
        and standing.isdisjoint(characters)
        and any(who in characters for who, _ in fact.out)
    )


class FightEnd:
    """Tells the end of a fight.

    Args:
        fact: the end of the fight.
        narration: the words of the book.
        names: how somebody is called.
        fallen: who is down before the end, and in which condition.
    """

    def __init__(
        self, fact: EncounterEnded, narration: Narration, names: BeingNames, fallen: Mapping[str, str]
    ) -> None:
        self._narration, self._names = narration, names
        self._stand = [who for _, side in fact.stand if names.characters.isdisjoint(side) for who in side]
        self._out = {who: fallen.get(who, how) for who, how in fact.out}
        self._lost = is_lost(fact, names.characters)

    def sentence(self, episode: Episode) -> str:
        """Return who of the others still stands, and who is out of it and how; empty for a fight with neither."""
        told = list(self._told(episode))
        return f". {capital('; '.join(told))}" if told else ""

    def _told(self, episode: Episode) -> Iterator[str]:
        """Yield the parts of the sentence: those who stand, those who got away, those who are out."""
        ended = (fact for fact in episode.facts if isinstance(fact, ConditionEnded))
        came_to = {fact.who for fact in ended if fact.name in self._narration.fallen}
        freed = [who for who in self._stand if who in came_to]
        standing = [who for who in self._stand if who not in came_to]
        if freed:
            yield f"{self._all(freed)} {mark_verb('be', plural=len(freed) > 1)} down, but alive"
        if standing:
            yield f"{self._all(standing)} still {mark_verb('stand', plural=len(standing) > 1)}"
        gone = [who for who in self._out if self._lost and who in self._names.characters and self._is_away(who)]
        behind = [
            who for who in self._out if who in self._names.characters and self._out[who] in self._narration.fallen
        ]
        if gone:
            verbs = [mark_verb(verb, plural=len(gone) > 1) for verb in ("get", "leave")]
            left = f" and {verbs[1]} {self._all(behind)} behind" if behind else ""
            yield f"{self._all(gone)} {verbs[0]} away{left}"
        yield from self._out_of_it(gone)

    def _is_away(self, who: str) -> bool:
        """Return whether somebody went out of the fight on their own feet."""
        return self._out[who] not in (*self._narration.fallen, *self._narration.lost)

    def _out_of_it(self, gone: Collection[str]) -> Iterator[str]:
        """Yield how all went out of the fight but those who are `gone`, one way after another."""
        ways: dict[str, list[str]] = {}
        for who, how in sorted(self._out.items(), key=lambda pair: pair[0] not in self._names.characters):
            if who not in gone:
                ways.setdefault(how, []).append(who)
        for how, beings in ways.items():
            pattern = self._narration.out.get(how, "{who} <be> {how}")
            yield fill_but_verbs(pattern, {"who": self._all(beings), "how": readable(how)})

    def _all(self, beings: Sequence[str]) -> Marked:
        """Return the marks of several as a sentence lists them."""
        return marked_list([self._names(who) for who in beings])
