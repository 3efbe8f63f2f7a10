"""The scope in which a line is read: who is in play and which words, values and verbs the ledger and book know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from cli.notation.examples import example_names
from cli.notation.groups import numbered_groups
from cli.notation.scope import ExampleName, Names, Scope
from ledger.builtin import BUILTIN_WITH_VERBS
from ledger.declarations import Declaration, Ruling
from ledger.errors import Refused, stored_errors
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.conditions import has_condition
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD, groups_by_side, is_here
from rulebooks.common.texts import SHARED_EXAMPLES

THINGS: Final = ("item", "object", "place")  # kinds of beings that are no creatures
VITAL: Final = "vital"  # in the examples of every game: the value that a name and a number alone mean


def things(state: State) -> set[str]:
    """Return the names of the items, objects and places in play."""
    return {being.name for being in state.beings_in_order() if being.kind in THINGS}


def groups(state: State, teams: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return those who are here, under each word that names several. `teams`: those of the book."""
    by_side = groups_by_side(state)
    beings = [being.name for being in state.beings_in_order()]
    by_team = {team: tuple(members) for team, members in teams.items()}
    return {**numbered_groups(beings, set(by_side["all"])), **by_team, **by_side}


def beings_by_kind(state: State, first: str) -> dict[str, list[str]]:
    """Return the names of those in play by kind: `first`, then who is here, then the others."""
    beings = sorted(state.beings_in_order(), key=lambda being: (being.name != first, not is_here(being, state)))
    return {kind: [being.name for being in beings if being.kind == kind] for kind in {being.kind for being in beings}}


class KnownWords:
    """The words that a field may take, as the book knows them in a state. An error in the state names its entry."""

    def __init__(self, ledger_state: LedgerState[State], book: Game) -> None:
        self.state, self.book = ledger_state.state, book
        self._where = f"the state after entry {ledger_state.last}"

    def known(self, declaration: type[Declaration], field: str, by: str) -> Sequence[str]:
        """Return the words that a field of a declaration is known to take from a speaker."""
        if declaration is Ruling and field == "cites":
            return tuple(self.book.texts().rules)
        with stored_errors(self._where):
            return tuple(self.book.guide.vocabulary(declaration, field, self.state, by))

    def refused(self, declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
        """Return the words that are understood in a field, and that the rule refuses."""
        with stored_errors(self._where):
            return list(self.book.guide.refused_words(declaration, field, self.state, by))

    def can_set(self, value: str, to: int) -> bool:
        """Return whether a ruling may set a value to a number."""
        try:
            with stored_errors(self._where):
                next(self.book.rulebook.values.set_value(value, to, "tried", self.state), None)
        except Refused:
            return False
        return True

    def readings(self, option: str) -> Sequence[str]:
        """Return the readings of an option; none if there is no such option."""
        option_text = self.book.texts().options.get(option)
        return option_text.values if option_text else ()


def line_scope(ledger_state: LedgerState[State], book: Game) -> Scope:
    """Return the scope of a line that is said at this position of the ledger.

    It is of no use once the state has changed: it keeps which words are known.
    """
    state, words = ledger_state.state, KnownWords(ledger_state, book)

    def names(by: str) -> Names:
        in_play = beings_by_kind(state, by)
        shared = example_names(SHARED_EXAMPLES, in_play, scope)
        own = example_names(book.texts().lexicon.examples, in_play, scope)
        vital = book.texts().lexicon.vital
        return {**shared, **own, VITAL: ExampleName(vital, vital, VITAL[0])}

    scope = Scope(
        beings=tuple(being.name for being in state.beings_in_order()),
        things=things(state),
        dead={being.name for being in state.beings_in_order() if has_condition(being.name, DEAD, state)},
        declarations=[*book.declarations, *BUILTIN_WITH_VERBS],
        words=cache(words.known),
        values=cache(lambda: list(dict.fromkeys([*ledger_state.values(), *words.known(Adjust, "value", GM)]))),
        short_names=lambda: book.texts().lexicon.short,
        vital_value=lambda: book.texts().lexicon.vital,
        vital_words=lambda: book.texts().lexicon.vital_words,
        groups=cache(lambda: groups(state, book.guide.teams(state))),
        nouns=cache(lambda: book.guide.nouns(state)),
        readings=words.readings,
        examples=cache(names),
        refused_words=words.refused,
        can_set=words.can_set,
        unused=lambda verbs: book.texts().lexicon.unused_fields(verbs),
    )
    return scope
