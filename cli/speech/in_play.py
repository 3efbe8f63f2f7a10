"""What is in play: who is named by which words, the names of values, and what is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from cli.notation.schema import syntax_of
from cli.speech.beings import Beings
from cli.speech.memo import Memo
from cli.speech.pronouns import PronounFit
from ledger.declarations import Declaration

WITH: Final = "with"  # before the weapon of an attack


def is_attack(kind: type[Declaration]) -> bool:
    """Return whether a declaration is an attack: it takes a weapon behind `with`."""
    return WITH in syntax_of(kind).introduced


class InPlay(NamedTuple):
    """What is in play: who is named by which words, and the names of values by the words that name them."""

    beings: Beings
    values: Callable[[], Mapping[str, str]]  # asked for where a phrase has one
    skills: Callable[[], Mapping[str, str]]  # the words that a check needs
    place_of: Callable[[str], str]  # where a being is; empty where a book has no places
    memo: Memo  # of what was worked out about the sentence
    pronouns: PronounFit  # whom they may mean
    spoken_of: str = ""  # whom a pronoun means
    is_unnamed: bool = False  # whether the sentence names nobody: a name in a phrase comes of a pronoun
    doer: str = ""  # who alone is named in it, at its beginning
    rules: frozenset[str] = frozenset()  # words of the rules
    seeking: frozenset[str] = frozenset()  # verbs of those who look for somebody

    def friends_of(self, name: str) -> Sequence[str]:
        """Return those of the same side."""
        side = self.beings.groups.get("foes" if name in self.beings.groups.get("foes", ()) else "players", ())
        return [each for each in side if each != name]

    def meant_by(self, name: str, kind: type[Declaration]) -> Sequence[str]:
        """Return those whom somebody may mean who names nobody in a declaration: foes, and friends but by a blow."""
        others = self.others_of(name)
        if not self.seeking.isdisjoint(kind.verbs):
            return [*others, *self.friends_of(name)]
        return others if is_attack(kind) else [*self.friends_of(name), *others]

    def meant_by_pronoun(self, pronoun: str, begins: str) -> list[str]:
        """Return whom a pronoun may mean where nobody is named, or only who does it: surely others then.

        `begins`: the pronoun with which the sentence begins, which means another.
        """
        last, sure = self.spoken_of, partial(self.pronouns.has, pronoun=pronoun)
        if self.doer:
            return self.pronouns.fitting(pronoun, [each for each in filter(sure, self._names()) if each != self.doer])
        is_doer = bool(begins and last) and self.pronouns.may_mean(begins, last)
        known = [*filter(sure, self._names())] if self.is_unnamed else []
        fit = self.pronouns.fitting(pronoun, [last, *known] if last else known)
        return [name for name in fit if not (is_doer and name == last)]

    def comes_of_pronoun(self, name: str) -> bool:
        """Return whether a name in a phrase, as a line has it, may come of a pronoun."""
        return bool(self.spoken_of or self.is_unnamed or (self.doer and name.strip('"') != self.doer))

    def means_friend(self, name: str, of: str) -> bool:
        """Return whether a pronoun means a friend of somebody: `Ada hits him` is no blow at one."""
        return bool(self.doer and name) and self.is_friend(name.strip('"'), of)

    def _names(self) -> Sequence[str]:
        return self.beings.scope.beings

    def teams(self) -> Sequence[str]:
        """Return the beings of which others are members: they are called as a group is."""
        return [name for name in self.beings.scope.beings if name.casefold() in self.beings.groups]

    def is_friend(self, name: str, of: str) -> bool:
        """Return whether a creature is not of the other side: one of the own, or a mount."""
        groups, scope = self.beings.groups, self.beings.scope
        other = groups.get("players" if of in groups.get("foes", ()) else "foes", ())
        return name in scope.beings and name not in scope.things and name not in other

    def others_of(self, name: str) -> Sequence[str]:
        """Return those of the other side who live."""
        groups = self.beings.groups
        other = groups.get("players" if name in groups.get("foes", ()) else "foes", ())
        return [each for each in other if each not in self.beings.scope.dead]
