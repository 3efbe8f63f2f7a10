"""A blow that is said without its verb, as a sentence with one: `claws for Tomas, from the bear` is the bear's attack.

Who gives it has the weapon that is said, by its name or by what it does; who gets it is named, and of the other side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.notation.schema import syntax_of
from cli.notation.value_parser import ValueParser
from cli.speech.dice_apart import dice_apart
from cli.speech.english import ENGLISH
from cli.speech.in_play import WITH, is_attack
from cli.speech.readings import Reader
from cli.speech.slots import GOING
from cli.speech.speakers import Mention, mentions_in
from cli.speech.weapon_kinds import kinds_said, weapons_named, weapons_said
from cli.speech.word_order import is_owned
from cli.speech.words import Word, is_passed_over
from rulebooks.common.word_forms import base_forms

JOINT: Final = "-"  # between the words of a name of the book
NAMED_MOST: Final = 2  # who gives a blow, and who gets it


def told_blow(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the sentences that a blow without a verb may mean, with its dice; none where nobody is said to get one."""
    mentions = [each for each in mentions_in(words, reader.in_play, is_joined=False) if len(each.names) == 1]
    if not 0 < len(mentions) <= NAMED_MOST:
        return
    _, faces = next(dice_apart(words, reader), (words, ""))
    givers = list(dict.fromkeys(_givers(words, mentions, reader)))
    for weapons_of in (weapons_named, weapons_said):  # who has the weapon that is named, before what it does
        for giver in givers:
            others, arms = {*reader.in_play.others_of(giver)}, _arms_of(giver, reader)
            taker = next((each.names[0] for each in mentions if each.names[0] in others), "")
            said = weapons_of(words, arms)
            if any(each.names[0] not in (giver, taker) for each in mentions):
                continue
            if taker and (said or (not arms and kinds_said(words))):
                means = [f"{WITH} {weapon}" for weapon in said] or [""]
                yield from (" ".join(filter(None, [giver, *ENGLISH.attacking, taker, each, faces])) for each in means)
                return


def _givers(words: Sequence[Word], mentions: Sequence[Mention], reader: Reader) -> Iterator[str]:
    """Yield who may give a blow: who is said to, who is in turn, then anybody who is named, or has a weapon."""
    first = mentions[0]
    behind = words[first.end : first.end + 2]
    is_subject = all(map(is_passed_over, words[: first.start])) and behind and not words[first.end - 1].mark
    gets = bool(behind) and not base_forms(behind[0].text).isdisjoint(ENGLISH.suffering)
    gets = gets and behind[-1].text not in GOING  # who gets up gets no blow
    if is_subject and not is_owned(words, first.end) and not gets:
        yield first.names[0]
        return
    for each in mentions:
        is_from = each.start > 0 and words[each.start - 1].text in ENGLISH.giving
        if is_from or (each.end < len(words) and is_owned(words, each.end)):
            yield each.names[0]
    yield from reader.in_turn()
    if len(mentions) == NAMED_MOST:
        yield from (each.names[0] for each in mentions)
    else:
        yield from (name for name in reader.scope.beings if weapons_said(words, _arms_of(name, reader)))


def _arms_of(name: str, reader: Reader) -> Sequence[str]:
    """Return the weapons with which somebody may attack."""
    attacks = [kind for kind in reader.scope.declarations if is_attack(kind) and not kind.free]
    aimed = (kind for kind in attacks if any(field.has("being") for field in syntax_of(kind).bare))
    known = (ValueParser(kind, name, reader.scope).known_words(syntax_of(kind).introduced[WITH]) for kind in aimed)
    return list(dict.fromkeys(word for words in known for word in words))


def told_move(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the sentence that the name of a move of the book means, wherever it stands: `at guard 1, the heavy one`."""
    texts = [base_forms(part) for word in words for part in word.text.split("-")]
    verbs = {template.split()[0] for template in reader.verbs.templates}
    for name in sorted(verb for verb in verbs if JOINT in verb.strip(JOINT)):
        parts = name.split(JOINT)
        if not (_stands_in(parts, texts) or _stands_in_part(parts[:-1], texts)):
            continue
        mentions = [each for each in mentions_in(words, reader.in_play) if len(each.names) == 1]
        for giver in [*(_givers(words, mentions, reader) if mentions else reader.in_turn())][:1]:
            others = reader.in_play.others_of(giver)
            taker = next((each.names[0] for each in mentions if each.names[0] in others), "")
            _, faces = next(dice_apart(words, reader), (words, ""))
            yield " ".join(filter(None, [giver, name, taker, faces]))


def _stands_in(parts: Sequence[str], texts: Sequence[frozenset[str]]) -> bool:
    """Return whether the words of a name stand one after the other among those of a sentence."""
    forms = [base_forms(part) for part in parts]
    starts = range(len(texts) - len(parts) + 1)
    return any(not any(each.isdisjoint(text) for each, text in zip(forms, texts[at:], strict=False)) for at in starts)


def _stands_in_part(parts: Sequence[str], texts: Sequence[frozenset[str]]) -> bool:
    """Return whether the beginning of a name is said, and that it is a move: `the point-blank thing`."""
    return any(_stands_in([*parts, move], texts) for move in ENGLISH.moves)
