"""Who says a line that a sentence means, and who is named in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, product
from typing import Final, NamedTuple

import msgspec

from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, FrameMatch
from cli.speech.in_play import InPlay
from cli.speech.lexicon import WHO
from cli.speech.word_order import is_owned
from cli.speech.words import Word

BEING: Final = "{being}"
SPEAKERS_MOST: Final = 6  # who may be meant by the words before a verb
PLAYERS_MOST: Final = 4  # of whom one may be meant by a pronoun
EACH_MOST: Final = 4  # of several against whom somebody defends


class Speaker(msgspec.Struct, frozen=True):
    """Who says a line: the names, and whether they follow from a pronoun or from whose turn it is.

    `is_group`: one saying named several of them.
    """

    names: tuple[str, ...]
    is_unsure: bool = False
    is_group: bool = False


def speakers_of(names: Sequence[Sequence[tuple[str, ...]]], *, is_unsure: bool) -> list[Speaker]:
    """Return who may be meant by several subjects, each of which may mean several."""
    return [
        Speaker(
            tuple(dict.fromkeys(name for part in parts for name in part)),
            is_unsure,
            any(len(part) > 1 for part in parts),
        )
        for parts in islice(product(*names), SPEAKERS_MOST)
    ]


def each_answered(speaker: Speaker | None, match: FrameMatch) -> Iterator[Speaker | None]:
    """Yield those of whom a phrase is about one: somebody defends against each of the guards who attack."""
    is_about_one = match.frame.template.removeprefix(ASK).startswith(BEING) and WHO in match.frame.template
    if speaker is None or not is_about_one or len(speaker.names) == 1:
        yield speaker
    else:
        yield from (Speaker((name,), speaker.is_unsure) for name in speaker.names[:EACH_MOST])


def doers_meant(
    word: Word, due: Sequence[str], last: str, own: Sequence[str], in_play: InPlay
) -> tuple[tuple[str, ...], ...]:
    """Return who may be meant by a pronoun that does something: all by `they`, their own by `I`, else who it fits.

    `due`: those in turn, and those who may answer. `last`: the one spoken of last. `own`: for whom the one who talks
    speaks.
    """
    players = tuple(in_play.beings.groups.get("players", ()))
    if word.text in ENGLISH.plural:
        side = (last, *in_play.friends_of(last)) if last in in_play.beings.groups.get("foes", ()) else ()
        groups = ((last,) if last else (), tuple(due) if len(due) > 1 else (), side, players)
        return tuple(dict.fromkeys(filter(None, groups)))
    if word.text in ENGLISH.first_person:  # who also act when another is in turn
        speaks = own or (*filter(None, [last]), *players)
        return tuple((name,) for name in dict.fromkeys(sorted(speaks, key=lambda name: name != last)))
    fit = partial(in_play.pronouns.fitting, word.text)
    sure = [name for name in players if in_play.pronouns.has(name, word.text)]
    if last and fit([last]):
        others = [] if in_play.pronouns.has(last, word.text) else fit(sure)
        return tuple((name,) for name in dict.fromkeys([last, *others]))
    meant = dict.fromkeys([*fit(due)[:PLAYERS_MOST], *fit(sure)]) or fit(players)[:PLAYERS_MOST]
    return tuple((name,) for name in meant)


class Mention(NamedTuple):
    """Who is named at a place of a sentence."""

    names: tuple[str, ...]
    start: int
    end: int


def is_owner(mention: Mention, words: Sequence[Word]) -> bool:
    """Return whether something of somebody is named, `the bear's claws`, and not the one who has it."""
    return mention.end < len(words) and is_owned(words, mention.end)


def mentions_in(words: Sequence[Word], in_play: InPlay, *, is_joined: bool = True) -> Iterator[Mention]:
    """Yield who is named in a sentence, one after the other. `is_joined`: also friends and foes in one list."""
    index = 0
    while index < len(words):
        named = in_play.beings.joined_at(words, index)
        if named and not is_joined and _is_of_both_sides(named.readings[0], in_play):
            named = None
        named = named or in_play.beings.at(words, index)
        if named and not in_play.beings.are_things(named):
            yield Mention(named.readings[0], index, index + named.size)
        index += named.size if named else 1


def _is_of_both_sides(names: Sequence[str], in_play: InPlay) -> bool:
    """Return whether some of these are foes and others are not."""
    foes = in_play.beings.groups.get("foes", ())
    return len({name in foes for name in names}) > 1
