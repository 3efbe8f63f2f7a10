"""The end of a fight in words: who got away and whom they left behind, who still stands, who is out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cli.phrases.parts import readable
from cli.phrases.patterns import Marked, fill_but_verbs, mark_verb
from cli.story.being_names import BeingNames
from cli.story.results import marked_list
from ledger.facts import EncounterBegan
from ledger.names import capital
from projections.recap.episodes import Episode
from projections.recap.outcomes import Outcome
from rulebooks.common.narration import Narration


def is_peaceful(began: EncounterBegan, episode: Episode, narration: Narration) -> bool:
    """Return whether nobody is against anybody in an encounter: by its kind or scale, or by a word of its line."""
    own = (began.encounter, began.because)
    said = (value for value in episode.said.values() if isinstance(value, str) and value not in own)
    return not {began.kind, began.scale, *said}.isdisjoint(narration.peaceful)


def bystanders(done: Iterable[Episode], narration: Narration) -> set[str]:
    """Return those who were in encounters, but only in such in which nobody was against anybody."""
    peaceful, others = set[str](), set[str]()
    for episode in done:
        for fact in episode.facts:
            if isinstance(fact, EncounterBegan):
                in_it = peaceful if is_peaceful(fact, episode, narration) else others
                in_it.update(who for _, side in fact.sides for who in side)
    return peaceful - others


class FightEnd:
    """Tells the end of a fight.

    Args:
        outcome: how it came out.
        out: who is out of it, each with how, or with the condition in which they were before the end.
        narration: the words of the book.
        names: how somebody is called.
        is_fight: somebody was against somebody, so that it matters who still stands.
    """

    def __init__(
        self, outcome: Outcome, out: Mapping[str, str], narration: Narration, names: BeingNames, *, is_fight: bool
    ) -> None:
        self._outcome, self._out, self._narration, self._names = outcome, out, narration, names
        self._is_fight = is_fight

    def sentence(self) -> str:
        """Return who of the others still stands, and who is out of it and how; empty for a fight with neither."""
        told = list(self._parts())
        return f". {capital('; '.join(told))}" if told else ""

    def _parts(self) -> Iterator[str]:
        """Yield the parts of the sentence: those who stand, those who got away, those who are out."""
        outcome = self._outcome
        gone = outcome.fled if outcome.result == "lost" else ()
        behind = outcome.behind if gone else ()
        if gone:
            verbs = [mark_verb(verb, plural=len(gone) > 1) for verb in ("get", "leave")]
            left = f" and {verbs[1]} {self._all(behind)} behind" if behind else ""
            yield f"{self._all(gone)} {verbs[0]} away{left}"
        if outcome.freed:
            yield f"{self._all(outcome.freed)} {mark_verb('be', plural=len(outcome.freed) > 1)} down, but alive"
        if outcome.stand and self._is_fight:
            yield f"{self._all(outcome.stand)} still {mark_verb('stand', plural=len(outcome.stand) > 1)}"
        known = [who for who in behind if self._out.get(who) not in self._narration.out]
        yield from self._out_of_it([*gone, *known])

    def _out_of_it(self, told: Collection[str]) -> Iterator[str]:
        """Yield how all went out of the fight but those who are `told` of, one way after another."""
        ways: dict[str, list[str]] = {}
        for who, how in sorted(self._out.items(), key=lambda pair: pair[0] not in self._names.characters):
            if who not in told:
                ways.setdefault(how, []).append(who)
        for how, beings in ways.items():
            pattern = self._narration.out.get(how, "{who} <be> {how}")
            yield fill_but_verbs(pattern, {"who": self._all(beings), "how": readable(how)})

    def _all(self, beings: Sequence[str]) -> Marked:
        """Return the marks of several as a sentence lists them."""
        return marked_list([self._names(who) for who in beings])
