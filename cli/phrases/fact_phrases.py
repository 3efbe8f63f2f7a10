"""The phrase of every kind of fact: here alone a fact becomes English. `phrase` renders it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from cli.phrases import being_phrases, scene_phrases
from cli.phrases.parts import in_brackets, readable, wound_name
from cli.phrases.patterns import Names
from cli.phrases.phrase import Phrase, clause, column
from cli.questions.consequences import kind_words
from ledger import facts
from ledger.facts import BaseFact
from ledger.names import escape
from rulebooks.common.texts import Wording

replace = msgspec.structs.replace
Teller = Callable[[Any, Wording, Names], Phrase]
CHANGES: Final = (
    facts.PointsSpent,
    facts.PointsRegained,
    facts.PointsLost,
    facts.PoolSet,
    facts.TokensMoved,
    facts.Counted,
    facts.Wounded,
    facts.SheetChanged,
)  # of values: they stand beside one another
EVENTS: Final = (
    facts.WordsAdded,
    facts.ChainCommitted,
    facts.TimePassed,
    facts.Rested,
    facts.WoundChanged,
    facts.EncounterBegan,
    facts.EncounterEnded,
    facts.OptionSet,
    facts.Ruled,
    facts.Amended,
    facts.Invalidated,
    facts.Revealed,
    facts.WindowClosed,
    facts.Claimed,
)  # with a line of their own
NO_WORDS: Final = Wording()  # where a phrase needs none of a book
REASONS: Final = {facts.PoolSet: "opened", facts.TokensMoved: "began"}  # for facts without one


def phrase_of(fact: BaseFact, wording: Wording, names: Names = escape) -> Phrase:
    """Return the phrase of a fact in the words of a book; `names`: how somebody is called in a sentence.

    Raises KeyError for a kind without an entry.
    """
    return PHRASES[type(fact)](fact, wording, names)


def fact_clause(fact: BaseFact, wording: Wording) -> str:
    """Return what a fact says as a clause."""
    return clause(phrase_of(fact, wording))


def cause(fact: BaseFact) -> str:
    """Return the cause of a changed value: the reason in the fact, or else what it says or the kind of fact."""
    match fact:
        case facts.Reached():
            return fact_clause(fact, NO_WORDS)
        case facts.Wounded():
            return wound_name(fact.kind)
        case facts.ConditionBegan():
            return "began" + in_brackets(escape(fact.about))
    reason = readable(getattr(fact, "because", "")) or REASONS.get(type(fact)) or kind_words(fact)
    return reason + (f", by {by}" if (by := escape(getattr(fact, "by", ""))) else "")


def changes_of(facts: Sequence[BaseFact], wording: Wording) -> list[Phrase]:
    """Return the phrases of the values that changed in these facts."""
    phrases = [phrase_of(fact, wording) for fact in facts if isinstance(fact, CHANGES)]
    return [phrase for phrase in phrases if not phrase.is_silent]


def changed_values(facts: Sequence[BaseFact], wording: Wording, own: Collection[str]) -> str:
    """Return the values that changed in these facts beside one another; a reason that several share comes once."""
    phrases = changes_of(facts, wording)
    shared = [_is_shared(*pair) for pair in pairwise(phrases)]
    bare = [
        replace(each, why="", by="", note="") if same else each for each, same in zip(phrases, shared, strict=False)
    ]
    return ", ".join(column(each, own) for each in (*bare, *phrases[-1:]))


def _is_shared(phrase: Phrase, after: Phrase) -> bool:
    """Return whether two phrases are of the same being and for the same reason."""
    return (phrase.who, phrase.why, phrase.by, phrase.note) == (after.who, after.why, after.by, after.note)


PHRASES: Final[dict[type[BaseFact], Teller]] = {
    facts.CampaignCreated: scene_phrases.campaign_created_phrase,
    facts.Declared: scene_phrases.declared_phrase,
    facts.SessionOpened: scene_phrases.session_opened_phrase,
    facts.WordsAdded: scene_phrases.words_added_phrase,
    facts.ChainCommitted: scene_phrases.chain_committed_phrase,
    facts.SessionClosed: scene_phrases.session_closed_phrase,
    facts.Joined: being_phrases.joined_phrase,
    facts.SheetChanged: being_phrases.sheet_changed_phrase,
    facts.Placed: being_phrases.placed_phrase,
    facts.Linked: being_phrases.linked_phrase,
    facts.Rolled: being_phrases.rolled_phrase,
    facts.Judged: being_phrases.judged_phrase,
    facts.PoolSet: being_phrases.pool_set_phrase,
    facts.PointsSpent: being_phrases.points_spent_phrase,
    facts.PointsRegained: being_phrases.points_regained_phrase,
    facts.PointsLost: being_phrases.points_lost_phrase,
    facts.TokensMoved: being_phrases.tokens_moved_phrase,
    facts.Counted: being_phrases.counted_phrase,
    facts.CountsCleared: being_phrases.counts_cleared_phrase,
    facts.Allowed: being_phrases.allowed_phrase,
    facts.ActionSpent: being_phrases.action_spent_phrase,
    facts.Wounded: being_phrases.wounded_phrase,
    facts.WoundChanged: being_phrases.wound_changed_phrase,
    facts.ConditionBegan: being_phrases.condition_began_phrase,
    facts.ConditionEnded: being_phrases.condition_ended_phrase,
    facts.EncounterBegan: scene_phrases.encounter_began_phrase,
    facts.OrderSet: scene_phrases.order_set_phrase,
    facts.Reached: scene_phrases.reached_phrase,
    facts.EncounterEnded: scene_phrases.encounter_ended_phrase,
    facts.TimePassed: scene_phrases.time_passed_phrase,
    facts.Rested: scene_phrases.rested_phrase,
    facts.WindowOpened: scene_phrases.window_opened_phrase,
    facts.WindowChanged: scene_phrases.window_changed_phrase,
    facts.WindowClosed: scene_phrases.window_closed_phrase,
    facts.OptionSet: scene_phrases.option_set_phrase,
    facts.Ruled: scene_phrases.ruled_phrase,
    facts.Amended: scene_phrases.amended_phrase,
    facts.Invalidated: scene_phrases.invalidated_phrase,
    facts.Told: scene_phrases.told_phrase,
    facts.Revealed: scene_phrases.revealed_phrase,
    facts.Claimed: scene_phrases.claimed_phrase,
    facts.Withheld: scene_phrases.withheld_phrase,
}
