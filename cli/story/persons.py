"""Who is who in a story: pronouns from the sheets; short names and epithets from the campaign's own table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cli.questions.name_table import NO_NAMES, NamedPerson, NameTable
from cli.story.plain_words import is_description, is_title
from ledger.names import name_key
from projections.recap.cast import THINGS
from projections.state import State
from rulebooks.common.pronouns import PRONOUNS, THEY, Pronouns, parse_pronouns


class Persons:
    """Knows how the beings of a story are called.

    Args:
        state: the state at its end, with the sheets; what a sheet says counts before the table.
        table: the campaign's own table of names.

    Attributes:
        characters: those of the players.
    """

    def __init__(self, state: State, table: NameTable = NO_NAMES) -> None:
        self._state, self._table = state, table
        self._speech, self._called = "", dict[str, str]()
        self.characters = frozenset(being.name for being in state.beings_in_order() if being.kind == "pc")

    def listen(self, speech: str) -> None:
        """Take in the words in which people speak of each other."""
        self._speech, self._called = speech, {}

    def pronouns(self, name: str) -> Pronouns:
        """Return the pronouns of somebody: they, unless the sheet or the table has others."""
        written = self._state.sheet(name, PRONOUNS) or self._person(name).pronouns
        return parse_pronouns(str(written)) or THEY

    def has_pronouns(self, name: str) -> bool:
        """Return whether the sheet or the table has pronouns of somebody."""
        return bool(self._state.sheet(name, PRONOUNS) or self._person(name).pronouns)

    def epithet(self, name: str) -> str:
        """Return who somebody is, as in `the widow of the salt pans`; empty if the table does not say it."""
        return self._person(name).epithet

    def short(self, name: str) -> str:
        """Return the name of somebody after its first mention.

        It is that of the table, or else the one that people call them by: `Joss` for Joss Tarrow, who is a character,
        and `Rook` for Captain Rook, who may be anybody. Others are called by the word that people use alone. The Hedge
        Widow is never `Hedge`.
        """
        if name not in self._called:
            self._called[name] = self._person(name).short or self._own_name(name)
        return self._called[name]

    def _own_name(self, name: str) -> str:
        """Return the part of a name by which people call somebody; the whole name where it is not clear."""
        people = [being.name for being in self._state.beings.values() if being.kind not in THINGS]
        called, the, _ = name.partition(" the ")
        if the and called.isalpha() and called.istitle() and not is_title(called):
            return name if self._is_shared(called, people) else called
        parts = name.split()
        own = [part for part in parts if not is_title(part)]
        if is_description(name) or name.startswith("The "):
            return name
        used = [part for part in parts if len(parts) > 1 and self._is_used_alone(part, parts)]
        if name in people and name not in self.characters and used and not self._is_shared(used[-1], people):
            return used[-1]
        is_short = (len(own) == 1 and len(parts) > 1) or self._has_first_name(name, parts)
        is_person = name in people and (name in self.characters or is_short)
        if not is_person or not own or not all(part.isalpha() and part.istitle() for part in parts):
            return name
        return name if self._is_shared(own[0], people) else own[0]

    def _has_first_name(self, name: str, parts: Sequence[str]) -> bool:
        """Return whether somebody is he or she, and has two names that nobody says with an article or as a word."""
        is_one = self.has_pronouns(name) and self.pronouns(name).subject in ("he", "she")
        if not is_one or len(parts) != 2:
            return False
        is_word = re.search(rf"\b{parts[0].lower()}\b", self._speech)
        return not (is_word or re.search(rf"\b(?:the|an?) {re.escape(name)}\b", self._speech, re.IGNORECASE))

    def _is_shared(self, part: str, people: Sequence[str]) -> bool:
        """Return whether a part of a name is one of several names."""
        return sum(part in each.split() for each in people) > 1

    def _is_used_alone(self, part: str, parts: Sequence[str]) -> bool:
        """Return whether people call somebody by one part of the name, without any other; it is no common word."""
        if is_title(part) or not (part.isalpha() and part.istitle()) or part not in self._speech:
            return False
        before = "".join(rf"(?<!{re.escape(each)} )" for each in parts if each != part)
        behind = "".join(rf"(?! {re.escape(each)}\b)" for each in parts if each != part)
        is_common = re.search(rf"\b{part.lower()}\b", self._speech) or re.search(rf"\b[Tt]he {part}\b", self._speech)
        return not is_common and re.search(rf"\b{before}{part}\b{behind}", self._speech) is not None

    def _person(self, name: str) -> NamedPerson:
        return self._table.get(name_key(name), NamedPerson())
