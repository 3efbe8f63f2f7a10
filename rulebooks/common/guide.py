"""What a screen asks of a game: who is up, what is left to them, and what could be said. Nothing here decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import msgspec

from ledger.declarations import Declaration
from ledger.facts import GM, Sum
from projections.state import State
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.common.options import SetOption
from rulebooks.common.texts import Texts


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A circumstance that applied or might have applied to a declaration and was not mentioned in it.

    `known`: it is in the state, and the decision took it into account. Otherwise nobody claimed it.
    """

    name: str
    text: str
    known: bool
    rules: tuple[str, ...] = ()


class Guide:
    """Answers about a state, with a default for a book that has nothing to say.

    `turn_actions` are the actions at the begin of a turn, `turn_phases` the phases in which turns are taken: odds are
    asked on others' turns too. `defence_field` is that of a strike which the one who is struck chooses.
    """

    turn_actions: ClassVar[tuple[tuple[str, int], ...]] = ()
    turn_phases: ClassVar[tuple[str, ...]] = ("",)
    defence_field: ClassVar[str] = ""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return the known and possible situations that the declaration did not name."""
        return ()

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """Return the numbers that the book computes for somebody now and that no fact has set."""
        return ()

    def rolled(self, who: str, state: State) -> Mapping[str, str]:
        """Return the dice that the book computes for somebody now and that no fact has set, by their names."""
        return {}

    def can_use(self, who: str, action: str, state: State) -> bool:
        """Return whether somebody who has this action left can take it at all: who is dead or stunned cannot."""
        return True

    def is_out(self, who: str, state: State) -> bool:
        """Return whether somebody in a fight is out of it for now: dead, down or gone."""
        return not self.can_use(who, "action", state)

    def has_fled(self, who: str, state: State) -> bool:
        """Return whether somebody who is out of a fight has run from it."""
        return False

    def can_strike(self, who: str, state: State) -> bool:
        """Return whether it is worth trying to strike: who has no action left for it need not."""
        return True

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """Return what somebody may do now to strike a foe, the best first, then what brings it nearer.

        Some of it may be refused: who forecasts a fight says the first that is not.
        """
        return ()

    def defended(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """Return a strike with each defence that the one who is struck may choose in it, the best first."""
        return ()

    def fight(self, who: Sequence[str]) -> Declaration | None:
        """Return the plainest declaration that begins a fight of these, or of all in play; None: there are no fights.

        `who`: those who take part; empty for all in play.
        """
        return None

    def flight(self, who: str, state: State) -> Declaration:
        """Return the declaration with which somebody leaves the fight."""
        return LeaveEncounter(by=GM, who=who, reason="flees")

    def strike_fields(self, said: Declaration) -> tuple[str, str] | None:
        """Return the fields of a strike that name who strikes and who is struck; None for what is no strike."""
        return ("by", "target") if getattr(said, "target", "") else None

    def hardiness(self, who: str, state: State) -> int:
        """Return how much somebody can still take, to say who is weakest: the points of the vital value.

        A book in which nobody has such points has another number.
        """
        return state.points(who, self.texts.lexicon.vital_value)

    def distance(self, one: str, other: str, state: State) -> int | None:
        """Return how far one being is from another, in the unit of the book; None where it keeps no distance."""
        return None

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """Return the actions that somebody has left this turn or round and can take; empty outside of turns."""
        own = sorted([(action, number) for (whose, action), number in state.allowances.items() if whose == who])
        return {action: number for action, number in own if self.can_use(who, action, state)}

    def has_any_left(self, who: str, state: State) -> bool:
        """Return whether somebody has an action left that they can take; outside of turns nothing is counted."""
        left = self.left(who, state)
        return not left or any(left.values())

    def days_of_rest(self, who: str, state: State) -> int:
        """Return the days of rest that somebody needs until their wounds have healed; 0 where no rest heals them."""
        return 0

    def rests_left(self, who: str, state: State) -> Mapping[str, bool]:
        """Return the rests of a day and whether somebody may still take each; empty where a book does not count."""
        return {}

    def next_up(self, state: State) -> Iterable[str]:
        """Return those who may act now in a running encounter; none where there are no turns."""
        return (state.encounter.turn,) if state.encounter and state.encounter.turn else ()

    def next_line(self, state: State) -> str:
        """Return the line that goes on with an encounter in which nobody may act; empty where there is none."""
        return ""

    def nouns(self, state: State) -> Mapping[str, Sequence[str]]:
        """Return words of a sentence that name a being by what it is, `the horse`, with those that may be meant."""
        return {}

    def teams(self, state: State) -> Mapping[str, Sequence[str]]:
        """Return those who belong together by their sheets, under the word for them, where no fight says it."""
        return {}

    def distance_text(self, one: str, other: str, state: State) -> str:
        """Return how far one being is from another, in words; empty where the book keeps no distance between them."""
        return ""

    def remarks(self, who: str, state: State) -> Iterable[str]:
        """Return what the table should bear in mind of somebody now, and no condition says."""
        return ()

    def left_undone(self, who: str, state: State) -> str:
        """Return what does not follow from a number of somebody that was changed by hand; empty where all follows."""
        return ""

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """Return the declaration at each level that its speaker may choose, with its letters in a line."""
        return [("", said)]

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return the words that a field is known to take from this speaker."""
        return self.texts.options if declaration is SetOption and field == "name" else ()

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return words that a field understands and nobody proposes, so that the rule refuses them by its own code.

        A weapon that has left the hand is still the weapon of its name.
        """
        return ()
