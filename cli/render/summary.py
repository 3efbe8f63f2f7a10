"""What an entry came to, in a few words, without its arithmetic: results and changes, for the recap of any game.

The words for a fact are `wording`'s; here stands what of an entry is worth them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from cli.output import safe
from cli.render.phrases import (
    bracketed,
    changed,
    cycle,
    encounter_began,
    encounter_ended,
    holding,
    passing,
    rewritten,
    whose,
    words,
)
from ledger.builtin import OUTCOME_PREFIX
from ledger.facts import (
    GM,
    BaseFact,
    CampaignCreated,
    Claimed,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Invalidated,
    Joined,
    Judged,
    OptionSet,
    Rested,
    SessionClosed,
    SessionOpened,
    TimePassed,
    WordsAdded,
    WoundChanged,
    Wounded,
)

UNSAID: Final = ("task", "destined effect")  # judged so often that the result says enough


class Results:
    """Tells results in order of entries: it remembers how each open roll was last told.

    `hidden` are those whose numbers are not told, and targets are told to all only with `secrets`.
    """

    def __init__(self, hidden: Iterable[str] = (), *, secrets: bool) -> None:
        self.hidden, self.secrets = frozenset(hidden), secrets
        self._last: dict[str, tuple[object, ...]] = {}

    def of(self, facts: Sequence[Fact], by: str) -> list[str]:
        """What these facts came to; the speaker is not named again."""
        own = (by, GM)
        joined = {fact.who for fact in facts if isinstance(fact, Joined)}
        open_ = [fact for fact in facts if getattr(fact, "who", "") not in self.hidden]
        found = [
            *(told for fact in facts for told in self._told(fact)),
            *self._judgements(facts, own),
            *_claims([fact for fact in facts if isinstance(fact, Claimed)]),
            *holding(facts),
            *(changed(fact, own) for fact in open_ if getattr(fact, "who", "") not in joined),
            *rewritten(open_, own),
            cycle(facts),
        ]
        return [told for told in found if told]

    def _told(self, fact: BaseFact) -> Iterator[str]:
        """Something that happened."""
        if isinstance(fact, Wounded) and fact.who in self.hidden:
            yield f"{safe(fact.who)} is wounded"
        elif isinstance(fact, WoundChanged) and fact.who not in self.hidden:
            yield _wound_changed(fact)
        elif type(fact) in TOLD:
            yield TOLD[type(fact)](fact)

    def _judgements(self, facts: Sequence[Fact], own: tuple[str, ...]) -> Iterator[str]:
        """All results in one: those with a number first."""
        judged = [fact for fact in facts if isinstance(fact, Judged)]
        told = [(fact.total is None, result) for fact in judged for result in self._judged(fact, own)]
        yield ", ".join(result for _, result in sorted(told, key=lambda pair: pair[0]))

    def _judged(self, fact: Judged, own: tuple[str, ...]) -> Iterator[str]:
        """A result, unless it is what was told when the roll was open."""
        told = (fact.who, fact.what, fact.result, fact.total, fact.target)
        if fact.window and fact.final and self._last.pop(fact.window, None) == told:
            return
        if fact.window and not fact.final:
            self._last[fact.window] = told
        target = fact.target if self.secrets or fact.seen == "table" else None
        against = "" if target is None else f" against {target}"
        total = "" if fact.total is None else f"{fact.total}{against}"
        what = "" if fact.what in UNSAID else f"{safe(fact.what)} "
        yield f"{whose(fact.who, own)}{what}{safe(fact.result)}{bracketed(total)}"


def _wound_changed(fact: WoundChanged) -> str:
    """What became of a wound."""
    force = "in force" if fact.in_force else "not in force yet"
    now = f"now {fact.value}, {force}" if fact.value else "healed"
    return f"{safe(fact.who)}'s {safe(fact.kind)} wound is {now}{bracketed(words(fact.because))}"


def _claims(claims: Sequence[Claimed]) -> Iterator[str]:
    """Values read aloud: those that differ, or that none does."""
    wrong = [fact for fact in claims if fact.claimed != fact.actual]
    if claims and not wrong:
        yield "agreed"
    for fact in wrong:
        actual = "nothing" if fact.actual is None else safe(str(fact.actual))
        claim = safe(fact.value.removeprefix(OUTCOME_PREFIX))
        yield f"{claim} read as {safe(str(fact.claimed))}, the ledger says {actual}"


def _option(fact: OptionSet) -> str:
    """A reading that was chosen."""
    was = "" if fact.was is None else f"{safe(str(fact.was))} to "
    return f"{safe(fact.name)} {was}{safe(str(fact.now))}"


TOLD: Final[dict[type[BaseFact], Callable[[Any], str]]] = {
    CampaignCreated: lambda fact: f"{safe(fact.name)} is founded",
    SessionOpened: lambda fact: "the session opens",
    SessionClosed: lambda fact: "the session closes",
    WordsAdded: lambda fact: "words for the dice",
    Joined: lambda fact: f"{safe(fact.who)} joins ({safe(fact.kind)})",
    EncounterBegan: encounter_began,
    EncounterEnded: encounter_ended,
    TimePassed: lambda fact: f"{passing(fact.seconds)}{bracketed(safe(fact.because))}",
    Rested: lambda fact: f"{safe(fact.who)} rests{bracketed(words(fact.rest), '' if fact.whole else 'broken off')}",
    OptionSet: _option,
    Invalidated: lambda fact: f"no longer possible ({safe(fact.code)})",
}
