"""An entry in a few words without its arithmetic: results and changes, for the recap and `whatif`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any, Final

from cli.phrases.conditions import condition_texts
from cli.phrases.encounters import cycle_line, encounter_end_line, encounter_start_line
from cli.phrases.facts import (
    in_brackets,
    ledger_value,
    passing,
    readable,
    sheet_changes,
    value_change,
    whose,
    wound_name,
)
from cli.phrases.movements import movements
from cli.phrases.value_names import ValueNames
from cli.phrases.windows import split_by_closing
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
    Revealed,
    SessionClosed,
    SessionOpened,
    TimePassed,
    WordsAdded,
    WoundChanged,
)
from ledger.names import escape
from rulebooks.common.texts import Wording


class Summaries:
    """Summarizes entries in their order: it remembers how each open roll was last summarized."""

    def __init__(self, wording: Wording) -> None:
        self.wording, self._unsaid = wording, {*wording.unsaid, *wording.effects}
        self._last: dict[str, tuple[object, ...]] = {}

    def copy(self) -> Summaries:
        """Return the same summaries; what one summarizes the other does not remember."""
        other = copy(self)
        other._last = dict(self._last)
        return other

    def summarize(self, facts: Sequence[Fact], by: str) -> list[str]:
        """Return the summary of these facts, with those of another roll that the line closed first.

        The speaker is not named again.
        """
        return [text for part, speaker in split_by_closing(facts, by) for text in self._summarize(part, speaker)]

    def _summarize(self, facts: Sequence[Fact], speaker: str) -> list[str]:
        """Return the summary of facts in which the numbers of this one stand without a name."""
        own = (speaker, GM)
        joined = {fact.who for fact in facts if isinstance(fact, Joined)}
        parts = [
            *(text for fact in facts for text in _event(fact)),
            *self._results(facts, own),
            *_claims([fact for fact in facts if isinstance(fact, Claimed)], self.wording),
            *condition_texts(facts, self.wording),
            *movements(facts, self.wording),
            *(value_change(fact, own) for fact in facts if getattr(fact, "who", "") not in joined),
            *sheet_changes(facts, own, self.wording),
            cycle_line(facts),
        ]
        return [text for text in parts if text]

    def _results(self, facts: Sequence[Fact], own: tuple[str, ...]) -> Iterator[str]:
        """Return all results in one text, those with a number first."""
        judged = [fact for fact in facts if isinstance(fact, Judged)]
        results = [(fact.total is None, text) for fact in judged for text in self._result(fact, own)]
        yield ", ".join(text for _, text in sorted(results, key=lambda pair: pair[0]))

    def _result(self, fact: Judged, own: tuple[str, ...]) -> Iterator[str]:
        """Return a result, unless it is the same as when the roll was open."""
        key = (fact.who, fact.what, fact.result, fact.total, fact.target)
        if fact.window and fact.final and self._last.pop(fact.window, None) == key:
            return
        if fact.window and not fact.final:
            self._last[fact.window] = key
        against = "" if fact.target is None else f" against {fact.target}"
        total = "" if fact.total is None or fact.what in self.wording.measures else f"{fact.total}{against}"
        what = "" if fact.what in self._unsaid else f"{escape(fact.what)} "
        who = whose(fact.who, own) if fact.rolls or not fact.against else ""
        target = escape(fact.against) if fact.target is None and fact.against != fact.who else ""
        if (
            fact.who and not fact.against and fact.result.startswith((f"{fact.who} ", f"{fact.who}'s "))
        ):  # a sentence of its own
            who = what = ""
        yield f"{who}{what}{escape(fact.result)}{in_brackets(total, target)}"


def _event(fact: BaseFact) -> Iterator[str]:
    """Return an event."""
    if isinstance(fact, WoundChanged):
        yield _wound_changed(fact)
    elif type(fact) in EVENTS:
        yield EVENTS[type(fact)](fact)


def _wound_changed(fact: WoundChanged) -> str:
    """Return the new state of a wound."""
    force = "in force" if fact.in_force else "not in force yet"
    now = f"now {fact.value}, {force}" if fact.value else "healed"
    return f"{escape(fact.who)}'s {wound_name(fact.kind)} is {now}{in_brackets(readable(fact.because))}"


def _claims(claims: Sequence[Claimed], wording: Wording) -> Iterator[str]:
    """Return the claims that differ, or that all agree."""
    wrong = [fact for fact in claims if fact.claimed != fact.actual]
    if claims and not wrong:
        yield "agreed"
    for fact in wrong:
        actual = ledger_value(fact.actual)
        claim = ValueNames((), wording).claim(fact.value)
        yield f"{claim} read as {escape(str(fact.claimed))}, the ledger says {actual}"


def _option(fact: OptionSet) -> str:
    """Return the reading that was chosen."""
    was = "" if fact.was is None else f"{escape(str(fact.was))} to "
    return f"{escape(fact.name)} {was}{escape(str(fact.now))}"


EVENTS: Final[dict[type[BaseFact], Callable[[Any], str]]] = {
    CampaignCreated: lambda fact: f"{escape(fact.name)} is created",
    SessionOpened: lambda fact: "the session opens",
    SessionClosed: lambda fact: "the session closes",
    WordsAdded: lambda fact: "words for the dice",
    Joined: lambda fact: f"{escape(fact.who)} joins ({escape(fact.kind)})",
    EncounterBegan: encounter_start_line,
    EncounterEnded: encounter_end_line,
    TimePassed: lambda fact: f"{passing(fact.seconds)}{in_brackets(escape(fact.because))}",
    Rested: lambda fact: (
        f"{escape(fact.who)} rests{in_brackets(readable(fact.rest), '' if fact.whole else 'broken off')}"
    ),
    OptionSet: _option,
    Revealed: lambda fact: f"{escape(fact.entry or fact.who)} is shown to all",
    Invalidated: lambda fact: f"no longer possible ({escape(fact.code)})",
}
