"""An entry in a few words without its arithmetic: results and changes, for the recap and `whatif`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Final

from cli.phrases.conditions import condition_texts
from cli.phrases.encounters import cycle_line
from cli.phrases.fact_phrases import changes_of, fact_clause, phrase_of
from cli.phrases.movements import movements
from cli.phrases.phrase import column
from cli.phrases.windows import split_by_closing
from ledger.facts import (
    GM,
    CampaignCreated,
    ChainCommitted,
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
from rulebooks.common.texts import Wording

NEWS: Final = (
    CampaignCreated,
    SessionOpened,
    WordsAdded,
    ChainCommitted,
    SessionClosed,
    Joined,
    WoundChanged,
    EncounterBegan,
    EncounterEnded,
    TimePassed,
    Rested,
    OptionSet,
    Invalidated,
    Revealed,
)  # that no line has said already


class Summaries:
    """Summarizes entries in their order: it remembers how each open roll was last summarized."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
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
            *(column(phrase_of(fact, self.wording)) for fact in facts if isinstance(fact, NEWS)),
            *self._results(facts, own),
            *_claims([fact for fact in facts if isinstance(fact, Claimed)], self.wording),
            *condition_texts(facts, self.wording),
            *movements(facts, self.wording),
            *(column(phrase, own) for phrase in changes_of(facts, self.wording) if phrase.who not in joined),
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
        yield column(phrase_of(fact, self.wording), own)


def _claims(claims: Sequence[Claimed], wording: Wording) -> Iterator[str]:
    """Return the claims that differ, or that all agree."""
    wrong = [fact for fact in claims if fact.claimed != fact.actual]
    if claims and not wrong:
        yield "agreed"
    yield from (fact_clause(fact, wording) for fact in wrong)
