"""How everybody stands at the end of an evening, in words: who is dead and by whom, dying, fled, hurt or unhurt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cli.phrases.parts import in_brackets, readable, with_article
from cli.story.page import Page
from cli.story.parts import WELL, name
from cli.story.plain_words import (
    cardinal,
    condition_in_words,
    harm_word,
    is_state,
    one_of_several,
    plain_words,
    plural_noun,
)
from cli.story.style import Style
from ledger.facts import GM
from ledger.names import capital, word_list
from projections.recap.cast import Level
from projections.recap.party import PartyMember

LOW: Final = 4  # less than one in so many of any other pool is worth a word
UNHURT: Final = "unhurt"
UP_AGAIN: Final = "up again"
AT_THE_END: Final = "at the end of all strength"


def standing_lines(page: Page, style: Style, *, brief: bool = False) -> Iterator[str]:
    """Yield where the characters stand, who is well, and what the game master holds; `brief`: the gravest of each.

    Those who have fallen and are not up again come first, with nothing else that ails them. The dead are not listed.
    """
    well, alike = list[str](), dict[str, list[str]]()
    dead = {loss.who for loss in page.lost}
    for member in sorted(page.party, key=lambda member: not member.down):
        if member.who == GM or member.who in dead:
            continue
        away, told = fates(style.text(condition_in_words(each)) for each in member.conditions)
        down = style.text(condition_in_words(member.down))
        more = [] if down else [*hurts(member, page, style), *told, *marks(member, page, style)]
        parts = [*away, down, *more, *([] if down else rest_owed(member))]
        parts = [each for each in parts if each]
        if parts:
            alike.setdefault(", ".join(parts[: 1 + len(away)] if brief else parts), []).append(
                name(member.who, style, page.called)
            )
        else:
            well.append(member.who)
    yield from (f"{word_list(who)} {state}" for state, who in alike.items())
    up = {fall.who for fall in page.falls if fall.kind == "fell"}
    for state, those in ((UP_AGAIN, up & {*well}), (UNHURT if page.vital else WELL, {*well} - up)):
        who = [name(each, style, page.called) for each in well if each in those]
        yield from [f"{word_list(who)} {state}"] if who else []
    yield from tokens(page, style)


def marks(member: PartyMember, page: Page, style: Style) -> Iterator[str]:
    """Yield how somebody is with nothing left or by a wound, and their other wounds with the pools that are low."""
    is_spent = any(each.name == page.vital and each.now == 0 and each.most for each in member.pools)
    spent = harm_word(page.harm_words, 0, 1) or AT_THE_END
    yield from [spent] if is_spent and not member.conditions else []
    yield from dict.fromkeys(style.text(each.kind) for each in member.wounds if not each.name and is_state(each.kind))
    own = [*wounds(member, style), *lows(member, page, style)]
    yield from [f"with {word_list(own)}"] if own else []


def rest_owed(member: PartyMember) -> Iterator[str]:
    """Yield how many days of rest somebody owes, if any."""
    days = plural_noun("day") if member.days > 1 else "day"
    yield from [f"{cardinal(member.days)} {days} of rest owed"] if member.days else []


def wounds(member: PartyMember, style: Style) -> Iterator[str]:
    """Yield the wounds of somebody by their kinds, without their numbers: `a moderate wound`, `two light wounds`."""
    own = (each for each in member.wounds if each.name or not is_state(each.kind))
    for wound, number in Counter(each.name or f"{each.kind} wound" for each in own).items():
        text = style.text(wound)
        yield with_article(text) if number == 1 else f"{cardinal(number)} {plural_noun(text)}"


def fates(troubles: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return that somebody got away, if they did, and what ails them without what passes with a fight."""
    words, told = plain_words(), list(troubles)
    away = [words.got_away] if not {*words.away.split()}.isdisjoint(told) else []
    return away, [each for each in told if each not in (*words.away.split(), *words.passing.split())]


def hurts(member: PartyMember, page: Page, style: Style) -> Iterator[str]:
    """Yield how hurt somebody is who still stands, in the words of the story, with the number where little is left."""
    words = page.harm_words or plain_words().harm
    for level in member.pools:
        if level.name == page.vital and level.most is not None and 0 < level.now < level.most:
            share = f"{style.text(readable(level.name))} {level.now} of {level.most}"
            yield harm_word(words, level.now, level.most) + in_brackets(share if is_low(level) else "")


def lows(member: PartyMember, page: Page, style: Style) -> Iterator[str]:
    """Yield the pools besides the vital one that are empty, or nearly are."""
    for level in member.pools:
        if level.most and level.name != page.vital and is_low(level):
            called = page.pool_words.get(level.name) or readable(level.name)
            yield f"{'hardly any' if level.now > 0 else 'no'} {style.text(called)} left"


def is_low(level: Level) -> bool:
    """Return whether little of a pool is left."""
    return level.most is not None and level.now * LOW <= level.most


def tokens(page: Page, style: Style) -> Iterator[str]:
    """Yield what the game master holds."""
    for member in page.party:
        if member.who == GM:
            yield from (
                f"{style.text(capital(readable(each.name)))} at {each.now}" for each in member.tokens if each.now
            )


def loss_words(page: Page, style: Style, *, entries: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Yield what became of those who do not come back, and who they are, with those by whom they fell or the cause.

    `entries`: also where. Without, several of a kind are one, of whom the story tells who felled whom: `two drudges`.
    """
    fell = {fall.who: fall for fall in page.falls if fall.kind == "died"}
    lost = dict[str, list[str]]()
    for loss in page.lost:
        fall = fell.get(loss.who)
        by = word_list([name(who, style, page.called) for who in fall.by]) if fall else ""
        where = style.text(loss.entry) if entries else ""
        cause = style.text(fall.because) if fall and not by else ""
        own = f"{name(loss.who, style, page.called)}{in_brackets(f'by {by}' if by else '', cause, where)}"
        lost.setdefault(style.text(capital(readable(loss.name))), []).append(own)
    yield from lost.items() if entries else ((how, kinds_together(who)) for how, who in lost.items())


def kinds_together(losses: Sequence[str]) -> list[str]:
    """Return those who are lost; several of a kind stand together, behind the others."""
    found = {text: one_of_several(text.partition(" (")[0]) for text in losses}
    kinds = Counter(each["noun"] for each in found.values() if each)
    alone = [text for text, each in found.items() if each is None or kinds[each["noun"]] == 1]
    return alone + [f"{cardinal(count)} {plural_noun(noun)}" for noun, count in kinds.items() if count > 1]
