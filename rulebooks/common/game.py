"""A game as the ledger and the command line see it, with defaults for the optional parts of a book."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common.adjustments import Adjust, adjust
from rulebooks.common.announcements import check_nothing_announced, next_throw
from rulebooks.common.decisions import Decider, decisions_in
from rulebooks.common.guide import Guide
from rulebooks.common.options import SetOption, passes_are_explicit, set_option
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.rulings import rule
from rulebooks.common.sheets import SheetEdit, edited_entries
from rulebooks.common.texts import Texts, Wording


class Game:
    """A game: its name, version and rulebook, the revision of its rules, and a function for each declaration.

    `modules` are those with the functions that are marked by `decides`, in the order of their declarations; the module
    of the game itself comes last. `SetOption` and `Adjust` are decided here for every game. A book with steps before
    a declaration has them in `begin`, one that goes on by itself after it in `advance`.
    `while_announced` are the kinds that are decided while something is announced, in a book with announcements.
    `edits` are the kinds of sheets that may be edited in play, with the declaration that changes one and the function
    that returns its entries. `guide_kind` is the class that answers what a screen asks.
    """

    name: str
    version: str
    revision: int = 1
    rulebook: Rulebook
    modules: ClassVar[tuple[ModuleType, ...]] = ()
    while_announced: ClassVar[tuple[type[Declaration], ...]] = ()
    edits: ClassVar[Mapping[type[Declaration], SheetEdit]] = {}
    guide_kind: ClassVar[type[Guide]] = Guide

    @cached_property
    def guide(self) -> Guide:
        """Return what answers the questions of a screen."""
        return self.guide_kind(self.rulebook.texts)

    @property
    def vital(self) -> str:
        """Return the name of the value that says how somebody is."""
        return self.texts().lexicon.vital_value

    @property
    def wording(self) -> Wording:
        """Return the words of the book for its facts."""
        return self.texts().lexicon.wording

    @cached_property
    def decisions(self) -> Mapping[type[Declaration], Decider]:
        """Return what decides each kind of declaration, those that throw dice first."""
        found = decisions_in([*self.modules, sys.modules[type(self).__module__]])
        return dict(sorted(found, key=lambda item: not item[1].throws))

    @cached_property
    def declarations(self) -> tuple[type[Declaration], ...]:
        """Return every kind of declaration in this game; hints show the first as the example of a line."""
        return (*self.decisions, SetOption, Adjust)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration with which the being of a sheet file joins. Raises Unreadable, naming the place."""
        raise NotImplementedError

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration fact by fact, and go on by itself. Raises Refused when no rule allows it."""
        self.check_speaker(said)
        if state.windows and self.while_announced and not isinstance(said, self.while_announced):
            check_nothing_announced(state)
        yield from self.begin(said, state, dice)
        yield from self.dispatch(said, state, dice)
        yield from self.advance(state)

    def begin(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Yield what a declaration brings with it before it is decided."""
        return iter(())

    def advance(self, state: State) -> Iterator[Fact]:
        """Yield what follows by itself from a declaration or a ruling: the end of a turn, the next round."""
        return iter(())

    def dispatch(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration by the function of its type; refuse typed faces that are left over.

        What lets something go where no encounter is running lets nothing go: its refusal is idle.
        """
        decision = self.decisions.get(type(said))
        if decision is None or not decision.throws:
            self.check_faces_used(dice)
        try:
            if decision is None or not decision.throws:
                yield from decision.function(said, state) if decision else self.dispatch_common(said, state)
                return
            facts = []
            for fact in decision.function(said, state, dice):
                facts.append(fact)
                yield fact
        except Refused as refused:
            if type(said).lets_go and state.encounter is None:
                raise refused.as_idle() from None
            raise
        self.check_faces_used(dice, facts)

    def check_faces_used(self, dice: Dice, facts: Iterable[Fact] = ()) -> None:
        """Raise the refusal of the book for typed faces that are left over, unless one of the facts drops them."""
        try:
            dice.check_all_used()
        except BadFaces as error:
            if not any(map(self.rulebook.drops_faces, facts)):
                raise self.rulebook.left_over(error.what) from error

    def dispatch_common(self, said: Declaration, state: State) -> Iterator[Fact]:
        """Decide a declaration that all games have."""
        if isinstance(said, SetOption):
            return set_option(said, state, self.rulebook)
        if isinstance(said, Adjust):
            return adjust(said, state, self.rulebook)
        raise KeyError(type(said))

    def check_speaker(self, said: Declaration) -> None:
        """Raise Refused when another speaker makes a declaration of the game master. Anybody may set an option."""
        if type(said).aside and said.by != GM and not isinstance(said, SetOption):
            raise self.rulebook.outside_domain("by", "the game master (gm)", said.by)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """Decide a ruling of the game master and its settings. Raises Refused for a value that no ruling may set."""
        self.check_speaker(said)
        yield from rule(said, state, self.rulebook)
        yield from self.advance(state)

    def adjustment(self, by: str, value: str, change: int, reason: str) -> Declaration:
        """Return the declaration that changes a value by so much."""
        return Adjust(by=by, value=value, change=change, reason=reason)

    def before_close(self, state: State) -> Iterator[Fact]:
        """Yield the facts that end open windows before a session closes."""
        return iter(())

    def skips(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """Return the passes that a line implies which came too early; none where the table wants them said."""
        return () if passes_are_explicit(state) else self.implied_passes(said, state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """Return what others let go so that the line may be said, the first pass first; no main action is let go."""
        return ()

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """Return the open turn, or the turns that may come next. There is none where nobody is waited for."""
        return ()

    def next_steps(self, state: State) -> Iterable[NextTurn]:
        """Return the next turns, and what else a fight waits for: the dice of what is announced come first."""
        return (*next_throw(state), *self.next_turns(state)) if state.windows else tuple(self.next_turns(state))

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """Return who may react before the dice; with anybody there, a line that ends in `...` announces."""
        return ()

    def texts(self) -> Texts:
        """Return rules, options and refusals in words."""
        return self.rulebook.texts

    def sheet_edits(self, said: Declaration, because: str, before: Any = None) -> Declaration | None:
        """Return the declaration that changes a sheet in play to this one; None where such sheets do not change.

        `before` is the sheet as it was last cast, if that is known: only what was edited since then changes.
        """
        edit = self.edits.get(type(said))
        if edit is None:
            return None
        changed = edited_entries(edit.entries(before) if before else None, edit.entries(said))
        return edit.kind(because=because, entries=changed, **msgspec.structs.asdict(said))
