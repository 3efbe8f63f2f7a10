"""What a question asks for: of whom, which values, who of several, whether somebody is down; in whatever words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from cli.speech.addressed import with_name_addressed
from cli.speech.doubts import without_leads
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.words import Word, amount_at, is_passed_over, split_words
from rulebooks.common.word_forms import base_forms

COUNTING: Final = (("how", "many"), ("who",), ("which",), ("is", "anyone"), ("is", "anybody"), ("is", "everyone"))
OURS: Final = frozenset(("we", "us", "our", "i", "my", "me", "myself", "ours"))
THEIRS: Final = frozenset(("they", "them", "their", "those", "enemies", "foes"))
FOES: Final = "foes"
PLAYERS: Final = "players"
SHOW: Final = "show"
ANYONE: Final = frozenset(("anyone", "anybody", "everyone", "everybody"))
VALUE_WORDS: Final = 3  # of the name of a value
HOW, WHERE = "how", "where"
ON: Final = frozenset(("on", "in", "holding"))  # before what somebody rides, or has
LETTERS: Final = (2, 3)  # with which the words of a name begin: `armor rating` is `ar`
PEOPLE: Final = OURS | THEIRS | ANYONE
NO_TOPICS: Final = PEOPLE | {"left", "much", "many"} | ENGLISH.asking | ENGLISH.fillers | ENGLISH.leads


class Inquiry(msgspec.Struct, frozen=True, kw_only=True):
    """What a question asks for.

    Attributes:
        who: those it is about, the likeliest first; none if it names nobody.
        values: the names of values in it.
        words: the base forms of its other words.
        topics: those of them that say something and name nobody, with the letters with which two or three begin.
        is_of_state: it asks how somebody is, or where; `is_of_ties`: whether that is so, `is she still on the horse`.
        of_several: it asks who of several are down, hurt or up, or how many.
        is_of_holders: it asks who has something.
    """

    who: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    is_of_state: bool = False
    is_of_ties: bool = False
    of_several: bool = False
    is_of_holders: bool = False
    is_named: bool = False  # who is meant is named, and follows from no pronoun


def inquiry_of(text: str, reader: Reader) -> Inquiry:
    """Return what a question asks for."""
    said = split_words(text.rstrip("? "))
    words = with_name_addressed(said, reader.in_play.beings) or without_leads(said)
    texts = tuple(word.text for word in words)
    begins = any(texts[at : at + len(each)] == each for each in COUNTING for at in range(2))
    known = values_in_play(reader)
    values, index = list[str](), 0
    while index < len(words):
        size = size_of_value(words, index, known)
        values += [known[_phrase(words, index, size)]] if size else []
        index += size or 1
    forms = frozenset(form for word in words for form in base_forms(word.text))
    is_state = not forms.isdisjoint(ENGLISH.upright | ENGLISH.fallen | ENGLISH.hurt)
    is_state &= forms.isdisjoint(ENGLISH.acting)  # `how many actions have I got left`
    named = _names_in(words, reader)
    of_several = begins and is_state and not values and len(named) != 1  # `how many more does Bo need not to die`
    who = _group_in(words, reader) if of_several else named or _meant_in(words, reader)
    is_of_thing = not ENGLISH.dealt.isdisjoint(texts) or not {"who", "which", *ANYONE}.isdisjoint(texts[:2])
    holders = bool(values) and not who and is_of_thing
    return Inquiry(
        who=tuple(reader.in_play.beings.groups.get("all", ())) if holders else who,
        values=tuple(dict.fromkeys(values)),
        words=forms,
        topics=_topics(words, reader),
        is_of_state=_is_of_state(texts),
        is_of_ties=texts[:1] != (HOW,) and not ON.isdisjoint(texts),
        of_several=of_several,
        is_of_holders=holders,
        is_named=bool(named),
    )


def _is_of_state(texts: Sequence[str]) -> bool:
    """Return whether a question asks how somebody is, or where: `is she prone`, `how bad is it`, `can he see me`."""
    first, *behind = texts or ("",)
    is_how = first == HOW and not (ENGLISH.copulas | ENGLISH.faring).isdisjoint(behind[:1])
    is_of_sight = first in ENGLISH.asking - ENGLISH.interrogatives and not ENGLISH.perceiving.isdisjoint(behind)
    return first in ENGLISH.copulas or first == WHERE or is_how or is_of_sight


def _topics(words: Sequence[Word], reader: Reader) -> frozenset[str]:
    """Return what a question says besides names and little words, in base forms: `armor`, `rating`, and `ar`."""
    topics, index, things = list[Word](), 0, {*reader.scope.things}
    while index < len(words):
        named, word = reader.in_play.beings.at(words, index), words[index]
        is_name = named is not None and not things.issuperset(named.readings[0])
        says = not (is_passed_over(word) or word.text in NO_TOPICS or amount_at(words, index))
        topics += [word] if says and not is_name else []
        index += named.size if named and is_name else 1
    runs = (topics[at : at + size] for at in range(len(topics)) for size in LETTERS if at + size <= len(topics))
    letters = {"".join(word.text[0] for word in run) for run in runs}
    return frozenset(letters).union(*(base_forms(word.text) for word in topics))


def values_in_play(reader: Reader) -> Mapping[str, str]:
    """Return the names of values by the words that name them, but for groups of beings.

    What people call the value that keeps somebody alive is that of any book.
    """
    groups, state = reader.in_play.beings.groups, reader.ledger_state.state
    return {
        **{name: name for being in state.beings_in_order() for name in reader.book.guide.rolled(being.name, state)},
        **dict.fromkeys(ENGLISH.lively, reader.book.vital),
        **{said: name for said, name in reader.in_play.values().items() if said not in groups},
    }


def size_of_value(words: Sequence[Word], start: int, known: Collection[str]) -> int:
    """Return how many words from one on name a value: 0 if none does, or only a letter."""
    sizes, word = range(VALUE_WORDS, 0, -1), words[start].text
    size = next((size for size in sizes if _phrase(words, start, size) in known), 0)
    return size if size > 1 or len(word) > 1 else 0


def _phrase(words: Sequence[Word], start: int, size: int) -> str:
    return " ".join(word.text for word in words[start : start + size]) if start + size <= len(words) else ""


def _group_in(words: Sequence[Word], reader: Reader) -> tuple[str, ...]:
    """Return the group of which somebody asks how many: the one that is named, the party, or else the foes."""
    beings = reader.in_play.beings
    for at in range(len(words)):
        named = None if words[at].text in ENGLISH.pronouns else beings.at(words, at)
        if named and len(named.readings) == 1 and len(named.readings[0]) > 1:
            return named.readings[0]
        if named and len(named.readings) > 1:  # `the marines`: one of several
            teams, names = reader.in_play.teams(), (name for names in named.readings for name in names)
            return tuple(dict.fromkeys(name for name in names if name not in teams))
    for people, side in ((OURS, PLAYERS), (THEIRS, FOES)):
        if not people.isdisjoint(word.text for word in words):
            return tuple(beings.groups.get(side, ()))
    if any(word.text in ANYONE | {"who"} for word in words[:2]):
        return tuple(beings.groups.get(PLAYERS, ())) + tuple(beings.groups.get(FOES, ()))
    return tuple(beings.groups.get(FOES, ()))


def _names_in(words: Sequence[Word], reader: Reader) -> tuple[str, ...]:
    """Return who is named in a question; not the many of `after all that`, nor the Left Pike by `any left`."""
    beings, things, index = reader.in_play.beings, {*reader.scope.things}, 0
    named = list[tuple[str, ...]]()
    skipped = OURS | THEIRS | ENGLISH.pronouns | ENGLISH.possessives | ENGLISH.objects | ENGLISH.upright
    while index < len(words):
        is_article = index > 0 and words[index - 1].text in ENGLISH.articles
        found = None if words[index].text in skipped and not is_article else beings.at(words, index)
        if found:
            names = (name for each in found.readings for name in each)
            named.append(tuple(dict.fromkeys(name for name in names if name not in things)))
        index += found.size if found else 1
    sure = [names for names in named if len(names) == 1] or named
    return tuple(dict.fromkeys(name for names in sure for name in names))


def _meant_in(words: Sequence[Word], reader: Reader) -> tuple[str, ...]:
    """Return whom the pronouns of a question mean, the last spoken of first, or the party by `we`; none without any."""
    groups, things = reader.in_play.beings.groups, {*reader.scope.things}
    recent = [*reader.scope.spoken_of(), *reader.scope.beings]
    texts = [word.text for word in words]
    for pronoun in texts:
        if pronoun in THEIRS and (foes := groups.get(FOES, ())):
            return tuple(foes)
        if pronoun not in ENGLISH.pronouns | ENGLISH.possessives | ENGLISH.objects:
            continue
        fit = [name for name in reader.in_play.pronouns.in_order(pronoun, recent) if name not in things]
        if fit:
            return tuple(fit[:1])
    return tuple(groups.get(PLAYERS, ())) if not (OURS | ANYONE).isdisjoint(texts) else ()
