"""The names and words of the game and the ledger, as the parser needs them. It imports neither."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ledger.declarations import Declaration


class ExampleName(NamedTuple):
    """Who stands for a name of a book's examples: as it is typed, as it is printed, and as it is typed most briefly."""

    typed: str
    name: str
    initial: str


Names = Mapping[str, ExampleName]


class Scope(msgspec.Struct, frozen=True):
    """The names and words that a line may use.

    `beings`: the names of those in play; `things` are those of them that are no creatures, `dead` those who are dead.
    `declarations`: the kinds that may be typed. `words`: the words that a field of a declaration is known to take
    from a speaker; `refused_words` are understood as well, and the rule refuses them. `values`: the names of values
    (`kess.might`, `doom`). `short_names`: abbreviations of the last part of a value (`hp` for `health`).
    `vital_value`: the value that a number right after a name means, `vital_words` what people call it. `groups`: those
    who are here, under each word that names several; `nouns`: words that name one of some beings by what it is.
    `own`: those for whom the one who talks speaks, where they do not speak for all.
    `spoken_of`: those who were named in the last lines, the last first.
    `readings`: those of an option, by its name. `examples`: who stands for the names in the book's examples, the
    speaker first. `unused`: the fields of verbs that the game has no use for.
    """

    beings: Sequence[str]
    declarations: Sequence[type[Declaration]]
    words: Callable[[type[Declaration], str, str], Iterable[str]]
    values: Callable[[], Iterable[str]]
    short_names: Callable[[], Mapping[str, str]]
    vital_value: Callable[[], str]
    vital_words: Callable[[], Sequence[str]] = list
    things: Collection[str] = ()
    dead: Collection[str] = ()
    own: Sequence[str] = ()
    spoken_of: Callable[[], Sequence[str]] = list
    groups: Callable[[], Mapping[str, Sequence[str]]] = dict
    nouns: Callable[[], Mapping[str, Sequence[str]]] = dict
    readings: Callable[[str], Sequence[str]] = lambda option: ()
    examples: Callable[[str], Names] = lambda by: {}
    refused_words: Callable[[type[Declaration], str, str], Iterable[str]] = lambda declaration, field, by: ()
    can_set: Callable[[str, int], bool] = lambda value, to: True
    unused: Callable[[Sequence[str]], Collection[str]] = set
