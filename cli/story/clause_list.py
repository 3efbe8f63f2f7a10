"""Clauses of one episode, collected fact by fact: what joins the clause before it, and what waits for the next."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.phrases.patterns import Fields
from cli.story.clauses import LEAD, Clause, TextEffect, net
from cli.story.results import Results
from ledger.facts import EncounterEnded, Fact, Judged
from projections.recap.episodes import Episode

GOES_ON: Final = "..."


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
        self._weapons: list[object] = []  # that are named already
        self._blows: list[Judged] = []  # of the last clause

    def add_result(self, fact: Judged) -> None:
        """Add a result: its weapon where that has not been named yet; to the last clause if it is the same blow."""
        shown = msgspec.structs.replace(fact, using=()) if fact.using in self._weapons else fact
        self._weapons.append(fact.using)
        clause = self._results.clause([shown], self._episode, self._said, alone=not self.clauses)
        if clause is None:
            return
        if self._results.is_same_blow(self._blows, fact, self._said):
            self._blows.append(fact)
            joint = self._results.clause(self._blows, self._episode, self._said) or clause
            self.clauses[-1].text, self.clauses[-1].about = joint.text, joint.about
            return
        self._blows = [shown]
        self._add(fact, clause)

    def add_event(self, fact: Fact, clause: Clause | None) -> None:
        """Add what happened besides results."""
        if clause is not None:
            self._blows = []
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
            if self.clauses:
                last = self.clauses[-1]
                last.text = last.text.removesuffix(LEAD) + clause.text.removeprefix(GOES_ON)
        else:
            if isinstance(fact, EncounterEnded) and self.reasons and net(self.early):
                self.clauses.append(Clause("", notes=self.reasons, effects=self.early))
                self.reasons, self.early = [], []
            clause.effects, self.early = self.early, []
            clause.notes, self.reasons = [*self.reasons, *clause.notes], []
            self.clauses.append(clause)
