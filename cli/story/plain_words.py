"""The English words of a story that no book has to bring, read from `words.toml` beside this module."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from cli.phrases.durations import UNITS
from cli.phrases.verbs import FORMS, OBJECTS, PREPOSITIONS, VERBS, conjugate
from ledger.names import escape, word_list

THING_WORDS: Final = 5  # behind the article of a thing
LONGEST_END: Final = 5  # letters of a word that is no more than such an end
DEGREE: Final = re.compile(r" \((?:DC|degree|rounds left)[^()]*\)")
PART: Final = re.compile(r" (?:in |\()(?!degree)([a-z]+) [1-9](?:\)|\b)")  # of a body
ONE_OF_SEVERAL: Final = re.compile(r"the (?P<which>\w+) (?P<noun>[^()]+?)(?P<how> \(.*\)|)")
WORD: Final = re.compile(r"[^\W\d_]+")
WORDS: Final = Path(__file__).parent / "words.toml"


class PlainWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables of `words.toml`, which says what each is; lists of single words are texts there."""

    roles: str
    titles: str
    role_ends: str
    proper_ends: str
    natural: str
    ordinals: str
    cardinals: str
    tens: str
    pair: str
    second_try: tuple[str, str]
    places: str
    ways: str
    entries: str
    questions: str
    adverbs: str
    describing: str
    yielding: str
    happening: str
    giving_up: tuple[str, ...]
    aimed: str
    sought: str
    lunged: str
    won: str
    to_come: str
    unchanged: str
    starts: str
    away: str
    got_away: str
    passing: str
    implied: str
    harm: tuple[str, ...]
    health: tuple[str, str, str]
    melee: tuple[str, ...]
    brawl: tuple[str, ...]
    onslaught: tuple[str, ...]
    unhurt: str
    owed: str
    blows: dict[str, tuple[str, ...]]
    arms: dict[str, str]
    felling: dict[str, str]
    units: dict[str, str]


@cache
def plain_words() -> PlainWords:
    """Return the words."""
    return msgspec.convert(tomllib.loads(WORDS.read_text(encoding="utf-8")), PlainWords)


def health_word(name: str, health: Sequence[str]) -> str:
    """Return how a story says that somebody is, for one of the words for `health` of a book; others as they are."""
    return plain_words().health[health.index(name)] if name in health else name


def harm_word(words: Sequence[str], now: int, most: int) -> str:
    """Return how somebody is who has so much left of a pool: one of its words, from most that is left to nothing."""
    *some, none = words or ("",)
    if not some or now <= 0:
        return none
    lost = 1 - now / most if most > 0 else 1
    return some[min(int(lost * len(some)), len(some) - 1)]


def no_milder(how: str, before: str) -> str:
    """Return how somebody is who came to more harm: as before, where the word for that is the graver one."""
    scale = plain_words().harm
    is_known = how in scale and before in scale and before != ""
    return before if is_known and scale.index(how) < scale.index(before) else how


def is_title(word: str) -> bool:
    """Return whether a word stands before a name and is none itself: `Captain`, `Sister`, `the`."""
    called = word.casefold()
    return called in {*plain_words().titles.split(), *role_nouns()} or called.endswith(("man", "woman"))


def points_words(points: int, pool: str) -> str:
    """Return points of a pool: `a hit point`, `two points of health`."""
    number, plural = cardinal(points) if points > 1 else "a", "s" if points > 1 else ""
    unit = plain_words().units.get(pool)
    return f"{number} {unit}{plural}" if unit else f"{number} point{plural} of {escape(pool)}"


def says_more(text: str) -> bool:
    """Return whether a ruling leaves something to come."""
    return not {*plain_words().to_come.split()}.isdisjoint(WORD.findall(text.casefold()))


def place_in(title: str) -> str:
    """Return the title of a scene as it says where somebody did something; empty for one that is no place."""
    first, _, rest = title.partition(" ")
    is_place = rest and first.casefold() in plain_words().places.split() and not set(title) & set(",.;:?!()")
    return f"{first.casefold()} {rest}" if is_place else ""


def small_start(text: str) -> str:
    """Return a text as it follows a colon: a first word that is no name in small letters."""
    words = plain_words()
    first = text.partition(" ")[0].casefold()
    is_common = first in {*OBJECTS, *PREPOSITIONS, *words.starts.split(), *words.cardinals.split()}
    return text[:1].lower() + text[1:] if is_common else text


def is_thing(text: str, most: int = THING_WORDS) -> bool:
    """Return whether a text names a thing, and does not say what it does: `the letter press`.

    Of more words than these behind the article it may say that as well.
    """
    article, *words = text.casefold().split(" ")
    is_short = 0 < len(words) <= most and not set(text) & set(",.;:?!()")
    no_words = finite_verbs() | {*plain_words().questions.split()}
    return article in OBJECTS and is_short and no_words.isdisjoint(words)


@cache
def finite_verbs() -> frozenset[str]:
    """Return verbs as they stand behind one who does something: `goes`, `is`."""
    return frozenset((*map(conjugate, VERBS), *(form for forms in FORMS.values() for form in forms)))


def is_state(wound: str) -> bool:
    """Return whether the kind of a wound says how somebody is who has it: `winded`."""
    return wound.endswith("ed")


def without_degree(text: str) -> str:
    """Return a condition without its number in brackets: `held` for `held (DC 4)`."""
    return DEGREE.sub("", text)


def in_one(text: str) -> str:
    """Return a condition without the number of a part of the body: `hurt in one hand` for `hurt in hand 2`."""
    return PART.sub(r" in one \1", text)


def condition_in_words(text: str) -> str:
    """Return a condition as people say it, without numbers."""
    return in_one(without_degree(text))


@cache
def role_nouns() -> frozenset[str]:
    """Return nouns for what somebody does, as foes are named: `archer`."""
    return frozenset(plain_words().roles.split())


def is_description(name: str) -> bool:
    """Return whether a name says what somebody is: its last word is a role, or no name.

    As in `Auctioneer`, `Hedge Widow` and `Bosun's boy`; `Harl the cooper` has a name.
    """
    if " the " in name:
        return False
    if " " in name and name.split(" ")[-1].islower():
        return True
    last = name.split(" ")[-1].casefold()
    ends, proper = tuple(plain_words().role_ends.split()), plain_words().proper_ends.split()
    return last in role_nouns() or (last.endswith(ends) and last not in proper and len(last) > LONGEST_END)


def ordinal(number: int) -> str:
    """Return `second`, and `13th` beyond twelve."""
    words = plain_words().ordinals.split()
    if 0 < number <= len(words):
        return words[number - 1]
    end = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"


def one_of_several(text: str) -> re.Match[str] | None:
    """Return which of a kind is meant, the noun, and how they are, in `the third sexton (hurt)`; None for others."""
    found = ONE_OF_SEVERAL.fullmatch(text)
    return found if found and (found["which"] in ordinals() or found["which"][0].isdigit()) else None


@cache
def ordinals() -> frozenset[str]:
    """Return the words by which one of several is called."""
    return frozenset(plain_words().ordinals.split())


def several_of_a_kind(texts: Sequence[str]) -> list[str]:
    """Return a list with those of one kind of whom the same is said together: `the first and second drovers (hurt)`."""
    alike = dict[tuple[str, str], list[str]]()
    for text in texts:
        found = one_of_several(text)
        key, which = ((found["noun"], found["how"]), found["which"]) if found else ((text, ""), "")
        alike.setdefault(key, []).append(which)
    listed = list[str]()
    for (noun, how), which in alike.items():
        if not all(which):
            listed += [noun] * len(which)
        else:
            listed.append(f"the {word_list(which)} {plural_noun(noun) if len(which) > 1 else noun}{how}")
    return listed


def cardinal(number: int) -> str:
    """Return `two` and `twenty-one`, and the digits where nobody writes a number out."""
    words, all_tens = plain_words().cardinals.split(), plain_words().tens.split()
    if 0 <= number < len(words):
        return words[number]
    tens, rest = divmod(number, 10)
    if not 2 <= tens <= len(all_tens) + 1:
        return str(number)
    return all_tens[tens - 2] + (f"-{words[rest]}" if rest else "")


def time_words(seconds: int) -> str:
    """Return a time as people say it: `two hours`, `an hour and ten minutes`."""
    parts = list[str]()
    for size, unit in UNITS:
        count, seconds = divmod(seconds, size)
        parts += [f"{cardinal(count)} {unit}{'s' if count > 1 else ''}"] if count else []
    said = word_list(parts)
    return f"an{said.removeprefix('one')}" if said.startswith("one hour and ") else said or "no time"


def plural_noun(noun: str) -> str:
    """Return the plural of a common noun: `watchmen`, `wolves`, `sentries`, `drowned`."""
    if noun.casefold() in plain_words().unchanged.split():
        return noun
    for one, more in (("man", "men"), ("wolf", "wolves"), ("thief", "thieves"), ("knife", "knives")):
        if noun.casefold().endswith(one):
            return noun[: -len(one)] + more
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"
