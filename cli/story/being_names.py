"""How the beings of a story are called, and which of them are things or groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cli.story.clauses import person
from ledger.facts import Fact, Joined
from ledger.names import escape
from projections.recap.cast import THINGS
from projections.state import State
from rulebooks.common.narration import Narration


class BeingNames:
    """Knows the beings of a session: characters, things and groups.

    Args:
        narration: the words of the book.
        before: the state before the first episode.
        characters: those of the players.
    """

    def __init__(self, narration: Narration, before: State, characters: Collection[str]) -> None:
        self.characters = frozenset(characters)
        self.several = narration.several
        self.things = {being.name for being in before.beings.values() if being.kind in THINGS}
        self.groups = {being.name for being in before.beings.values() if being.kind in self.several}

    def add(self, facts: Sequence[Fact]) -> None:
        """Take in those who join in these facts."""
        joined = [fact for fact in facts if isinstance(fact, Joined)]
        self.things |= {fact.who for fact in joined if fact.kind in THINGS}
        self.groups |= {fact.who for fact in joined if fact.kind in self.several}

    def __call__(self, name: str) -> str:
        """Return the name of somebody, or of a thing or a group with its article."""
        has_article = name.casefold().startswith("the ") or "'s " in name or name[-1:].isdigit()
        is_common = name in self.things | self.groups and not has_article
        return f"the {escape(name)}" if is_common else person(name)
