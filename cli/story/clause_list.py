"""Clauses of one episode, collected fact by fact: what joins the clause before it, and what waits for the next."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from cli.phrases.patterns import Fields
from cli.story.clauses import NAME, Clause, Stroke, TextEffect
from cli.story.plain_words import is_thing, place_in
from cli.story.results import Results, marked_list
from cli.story.task_words import asked_in_past, declined, learned, made_out, meanwhile
from ledger.facts import EncounterEnded, Fact, Judged, Ruled
from projections.recap.episodes import Episode

GOES_ON: Final = "..."
WARDED: Final = re.compile(f"\\.\\.\\., but {NAME} \x02")  # goes on with what kept a blow from somebody


def is_said(remark: str, text: str) -> bool:
    """Return whether a sentence says what a remark quotes, with its verb in the past."""
    said = remark.strip('"')
    _, _, rest = said.partition(" ")
    asked = made_out(said, past=True)
    if learned(said) in text or ((kept := declined(said, ())) and kept.removeprefix("keep ") in text):
        return True
    ways = (rest, asked_in_past(rest.rstrip("?")), meanwhile(rest), asked or rest)
    return bool(rest) and any(way in text for way in ways)


def place_of(text: str) -> str:
    """Return where it was, in the words of a text that leads to what follows; empty for one that says no place."""
    said = bare(text)
    return said if place_in(said) else f"at {said}" if is_thing(said) else ""


def bare(text: str) -> str:
    """Return a text that leads to what follows without its quotation marks and its colon."""
    return text.strip('":')


class ClauseList:
    """Collects the clauses of an episode.

    Attributes:
        clauses: those that are made.
        early: effects before the first clause.
        reasons: remarks that wait for the clause that they belong to.
    """

    def __init__(self, results: Results, episode: Episode, said: Fields) -> None:
        self._results, self._episode, self._said = results, episode, said
        self.clauses: list[Clause] = []
        self.early: list[TextEffect] = []
        self.reasons: list[str] = []
        self._ahead = ""  # goes on with the first clause
        self._lead = ""  # begins the next clause
        self._blow: Stroke | None = None  # of the last clause

    def add_result(self, fact: Judged) -> None:
        """Add a result: its weapon where that has not been named yet; to the last clause if it is the same blow."""
        clause = self._results.clause(fact, self._episode, self._said, alone=not self.clauses)
        if clause is None:
            return
        blow = self._blow
        if blow is not None and self._results.is_same_blow(blow, fact, self._said):
            against = (*blow.against, fact.against)
            fields = {**blow.fields, "against": marked_list([*map(self._results.names, against)])}
            self._blow = msgspec.structs.replace(blow, against=against, fields=fields)
            last = self.clauses[-1]
            last.blow, last.text, last.close = self._blow, self._results.sentence(self._blow), ""
            return
        self._add(fact, clause)
        self._blow = clause.blow

    def add_event(self, fact: Fact, clause: Clause | None) -> None:
        """Add what happened besides results."""
        if clause is not None:
            self._blow = None
            self._add(fact, clause)

    def add_effect(self, effect: TextEffect | None) -> None:
        """Add what a fact changed to the last clause, or before the first."""
        if effect is not None:
            (self.clauses[-1].effects if self.clauses else self.early).append(effect)

    def _add(self, fact: Fact, clause: Clause) -> None:
        """Add a clause; one in brackets is a remark on the next, one that goes on belongs to the last."""
        if clause.text.startswith("("):
            self.reasons.append(clause.text[1:-1])
        elif clause.text.startswith(GOES_ON):
            if self.clauses and WARDED.match(clause.text):
                self.clauses[-1] = self._results.warded(self.clauses[-1])
            if self.clauses:
                self.clauses[-1].tail += clause.text.removeprefix(GOES_ON)
            elif isinstance(fact, Ruled):  # what came of a failure that is still to be told
                self._ahead += clause.text.removeprefix(GOES_ON)
            elif self._results.is_effect(fact) and not self._results.is_told_effect(clause.text):
                # of dice, which are judged before what they were thrown for
                self._ahead += clause.text.removeprefix(GOES_ON)
        elif clause.leads_on and (place := place_of(clause.text)):
            self._lead = f"{place}, "
        else:
            if isinstance(fact, EncounterEnded) and self.reasons and self.early:
                self.clauses.append(Clause("", words=self.reasons, effects=self.early))
                self.reasons, self.early = [], []
            clause.at_once = bool(self.clauses)
            clause.lead, self._lead = self._lead or clause.lead, ""
            clause.aside, self._ahead = self._ahead, ""
            clause.effects, self.early = self.early, []
            remarks, self.reasons = [*self.reasons, *clause.words], []
            clause.words = [each for each in remarks if not is_said(each, clause.text)]
            self.clauses.append(clause)
