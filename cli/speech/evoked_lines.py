"""The lines that a sentence calls to mind: how each begins, and those that are offered in the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.frames import Frame
from cli.speech.grave_lines import LEAVE
from cli.speech.in_play import InPlay, is_attack
from cli.speech.lexicon import Kind
from cli.speech.speakers import Mention
from cli.speech.words import Word, amount_at, is_opposed
from rulebooks.common.word_forms import base_forms

DOERS: Final = ("he", "she")
NOT: Final = "not"
WAY: Final = "way"
LEFT: Final = "left"
BACK: Final = "back"
LOSS: Final = " -{n}"  # in a line


class Evoked(NamedTuple):
    """The beginning of a line that a sentence evokes, and the places of the words that it explains."""

    text: str
    kind: Kind
    by: str
    used: frozenset[int]
    likeness: float
    is_about: bool = False  # the phrase names somebody


class Evocation(NamedTuple):
    """Lines that a sentence calls to mind. `lost`: who and how much is named in it, and not in each of these lines."""

    lines: Sequence[str] = ()
    lost: tuple[str, ...] = ()


def is_behind_article(words: Sequence[Word], at: int) -> bool:
    """Return whether an article stands before a word, which then names a thing."""
    return at > 0 and words[at - 1].text in ENGLISH.articles


def is_of_thing(frame: Frame, words: Sequence[Word], places: Collection[int]) -> bool:
    """Return whether the words of a phrase name a thing, or one of who leaves is said of a thing: `splits her fire`.

    `bangs on her shield` shields nobody. `places`: where the words of the phrase stand.
    """
    things = ENGLISH.articles | ENGLISH.possessives
    is_left = any(words[at + 1].text in things for at in places if at + 1 < len(words))
    return (LEAVE in frame.template.split() and is_left) or all(is_behind_article(words, at) for at in places)


def is_only_denied(words: Sequence[Word], mentions: Sequence[Mention]) -> bool:
    """Return whether a sentence denies what who is named may do, and says nothing else of the only one.

    `he can't see her` is no act of his; `Guard 2 can't hold on, he drops it` is one.
    Nor is `Guard 2 wasn't hit, he ducked`.
    """
    if any(word.text in ENGLISH.was and behind.text == NOT for word, behind in pairwise(words)):
        return True
    behind = range(mentions[0].end, len(words)) if len(mentions) == 1 else ()
    goes_on = any(words[at].text in ENGLISH.subjects for at in behind)
    return not goes_on and any(word.text in ENGLISH.denying for word in words)


def is_of_another(words: Sequence[Word], awaited: Sequence[str], in_play: InPlay) -> bool:
    """Return whether `he` or `she` does what is said, who is none of those who have to answer."""
    doer = next((word.text for word in words if word.text in DOERS), "")
    return bool(doer) and not in_play.pronouns.fitting(doer, awaited)


def is_rest(words: Sequence[Word], at: int) -> bool:
    """Return whether a word says what is left of something: `has three left`."""
    return at > 0 and words[at].text == LEFT and amount_at(words, at - 1) is not None


def gets_back(words: Sequence[Word], ends: Sequence[int]) -> bool:
    """Return whether `back` stands behind the last number that is said, which ends here: it is no loss."""
    return any(word.text == BACK for end in ends[-1:] for word in words[end:])


def names_verb(said: Collection[str], kinds: Iterable[Kind]) -> bool:
    """Return whether a word that says what is lost is a verb of the game master here, with a rule of its own."""
    return any(kind.aside and not ENGLISH.losses.isdisjoint({*kind.verbs}.intersection(said)) for kind in kinds)


def forms_of_change(words: Sequence[Word]) -> list[str]:
    """Return the forms of the words that may say what is lost or gained: a floor that gives way gives nothing."""
    behind = [word.text for word in words[1:]]
    said = [word.text for word, after in zip_longest(words, behind) if after != WAY]
    return [form for word in said if word not in ENGLISH.articles for form in base_forms(word)]


def bare_kinds(kinds: Sequence[Kind], words: Sequence[Word], unspoken: Collection[str]) -> list[Kind]:
    """Return the declarations that a sentence may mean without a phrase: who draws a bow that is out does not stow it.

    Where it says the verb of one, the others are not meant, but an attack. `unspoken`: as in a `speech.toml`.
    """
    verbs = {verb for kind in kinds for verb in kind.verbs}
    behind = range(1, len(words))
    is_behind = (at for at in behind if not (is_behind_article(words, at) or is_rest(words, at)))
    said = next((forms for at in is_behind if (forms := verbs & base_forms(words[at].text))), frozenset[str]())
    return [
        kind
        for kind in kinds
        if kind.verbs and not (kind.free or kind.by_anyone or kind.aside or {*unspoken}.issuperset(kind.verbs))
        if not said or said.intersection(kind.verbs) or is_attack(kind)
    ]


def doers_before(template: str, words: Sequence[Word], mentions: Sequence[Mention]) -> int:
    """Return how many of those named first a line is not about: a loss is not of who does something to another."""
    is_first = LOSS in template and len(mentions) > 1 and not mentions[0].start
    behind = words[mentions[0].end : mentions[0].end + 1] if is_first else []
    return int(bool(behind) and base_forms(behind[0].text).isdisjoint(ENGLISH.passive | ENGLISH.suffering))


def numbers_said(words: Sequence[Word], taken: Collection[int], parts: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the numbers that are said and are no part of a name (`taken`), and where they begin and end.

    Those of a time are of a phrase alone that names its unit among its parts, and those that something is held against
    of one that says so.
    """
    is_of_throw = ENGLISH.opposing.isdisjoint(parts)
    for at in range(len(words)):
        is_other = at in taken or (is_of_throw and is_opposed(words, at))
        amount = None if is_other else amount_at(words, at)
        behind = words[at + amount.size : at + amount.size + 1] if amount else []
        is_time = any(word.text in ENGLISH.units and not words[at].mark for word in behind)
        if amount and not (is_time and base_forms(behind[0].text).isdisjoint(parts)):
            yield str(amount.number), at, at + amount.size
