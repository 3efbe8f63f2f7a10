"""How a fight came out: whether it was lost, who got away and whom they left behind, who still stands, who is out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cli.phrases.parts import readable
from cli.phrases.patterns import Marked, fill_but_verbs, mark_verb
from cli.story.being_names import BeingNames
from cli.story.results import marked_list
from ledger.facts import ConditionEnded, EncounterBegan, EncounterEnded, Fact
from ledger.names import capital
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration


def came_to(among: Iterable[Fact], fallen: Collection[str]) -> set[str]:
    """Return those who get up among the facts of a fight's end, from one of the conditions `fallen`."""
    return {fact.who for fact in among if isinstance(fact, ConditionEnded) and fact.name in fallen}


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


def is_lost(among: Sequence[Fact], characters: Collection[str], fallen: Collection[str]) -> bool:
    """Return whether a fight ends among these facts in which others still stand, and none of the characters.

    Those who only get up because it is over do not stand.
    """
    end = next((fact for fact in among if isinstance(fact, EncounterEnded)), None)
    if end is None:
        return False
    in_it = {who for _, side in end.stand for who in side}
    on_feet = in_it - came_to(among, fallen)
    is_theirs = not {*characters}.isdisjoint({*in_it, *(who for who, _ in end.out)})
    return is_theirs and not on_feet <= {*characters} and on_feet.isdisjoint(characters)


def is_won(among: Sequence[Fact], characters: Collection[str], fallen: Collection[str]) -> bool:
    """Return whether a fight ends among these facts in which some of the characters stand, and none of the others.

    Those who only get up because it is over do not stand, and there has to be somebody who is out of it.
    """
    end = next((fact for fact in among if isinstance(fact, EncounterEnded)), None)
    if end is None:
        return False
    on_feet = {who for _, side in end.stand for who in side} - came_to(among, fallen)
    others = {who for who, _ in end.out} | came_to(among, fallen)
    return bool(on_feet) and on_feet <= {*characters} and not others <= {*characters}


class FightEnd:
    """Tells the end of a fight.

    Args:
        among: the facts among which it ended.
        narration: the words of the book.
        names: how somebody is called.
        fallen: who is down before the end, and in which condition.
        is_fight: somebody was against somebody, so that it matters who still stands.
    """

    def __init__(
        self,
        among: Sequence[Fact],
        narration: Narration,
        names: BeingNames,
        fallen: Mapping[str, str],
        *,
        is_fight: bool = True,
    ) -> None:
        self._narration, self._names = narration, names
        self._freed = came_to(among, narration.fallen)
        fact = next(fact for fact in among if isinstance(fact, EncounterEnded))
        self._stand = [who for _, side in fact.stand if names.characters.isdisjoint(side) for who in side]
        self._stand = [who for who in self._stand if is_fight or who in self._freed]
        self._left = {who for who, how in fact.out if how not in (*narration.fallen, *narration.lost)}
        self._out = {who: fallen.get(who, how) for who, how in fact.out}
        self._lost = is_lost(among, names.characters, narration.fallen)

    def sentence(self) -> str:
        """Return who of the others still stands, and who is out of it and how; empty for a fight with neither."""
        told = list(self._parts())
        return f". {capital('; '.join(told))}" if told else ""

    def _parts(self) -> Iterator[str]:
        """Yield the parts of the sentence: those who stand, those who got away, those who are out."""
        freed = [who for who in self._stand if who in self._freed]
        on_feet = [who for who in self._stand if who not in self._freed]
        gone = [who for who in self._out if self._lost and who in self._names.characters and who in self._left]
        behind = self._behind() if gone else []
        if gone:
            verbs = [mark_verb(verb, plural=len(gone) > 1) for verb in ("get", "leave")]
            left = f" and {verbs[1]} {self._all(behind)} behind" if behind else ""
            yield f"{self._all(gone)} {verbs[0]} away{left}"
        if freed:
            yield f"{self._all(freed)} {mark_verb('be', plural=len(freed) > 1)} down, but alive"
        if on_feet:
            yield f"{self._all(on_feet)} still {mark_verb('stand', plural=len(on_feet) > 1)}"
        known = [who for who in behind if self._out.get(who) not in self._narration.out]
        yield from self._out_of_it([*gone, *known])

    def _behind(self) -> list[str]:
        """Return the characters who are down at the end."""
        down = [who for who, how in self._out.items() if how in self._narration.fallen]
        both = [who for who in dict.fromkeys((*down, *sorted(self._freed))) if who not in self._left]
        return [who for who in both if who in self._names.characters]

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
