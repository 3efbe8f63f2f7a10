"""What is last known of those of whom something is open: how their last fight ended, what came of them, what was ruled.

A ruling that says what somebody does, or what becomes of them, settles what was open of them before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.phrases.verbs import HELPERS, OBJECTS, PREPOSITIONS
from cli.story.clauses import HEALTH
from cli.story.passages import Passage, Sentence
from cli.story.plain_words import finite_verbs, is_title, plain_words
from ledger.facts import parse_entry_id
from ledger.names import capital
from projections.recap.events import RulingEvent
from projections.recap.falls import is_common
from projections.recap.party import PartyMember, low_values
from projections.recap.threads import AT_LARGE, DOWN, Thread

NO_CALLED: Final[Mapping[str, str]] = MappingProxyType({})
UNSURE: Final = re.compile(r"\b(?:before|if|once|that|unless|until|when|whether|while|who)(?: the)? $", re.IGNORECASE)


def with_last_news(
    open_threads: Iterable[Thread],
    fights: Mapping[str, tuple[str, str, str]],
    passages: Iterable[Passage],
    rulings: Sequence[RulingEvent],
    beings: Collection[str],
    called: Mapping[str, str] = NO_CALLED,
) -> Iterator[Thread]:
    """Yield threads. Those of somebody have the end of their last fight, and the last narration or ruling about them.

    `beings` are the names of all in play, `called` what the story calls them.
    """
    told = defaultdict[str, list[Sentence]](list)
    for sentence in (sentence for passage in passages for sentence in passage.sentences):
        for who in dict.fromkeys(who for who, _ in sentence.changes):
            told[who].append(sentence)
    for thread in open_threads:
        entry, fight, out = fights.get(thread.who, ("", "", ""))
        news = [each for each in told[thread.who] if entry not in each.entries and thread.who in each.mentions]
        alias = called.get(thread.who, thread.who)
        own = [*names_of(thread.who, beings), alias, capital(alias)]
        ruled = [ruling for ruling in rulings if thread.who and any(is_named(name, ruling.text) for name in own)]
        last, last_entry = (ruled[-1].text, ruled[-1].entry) if ruled else ("", "")
        is_later = ruled and all(parse_entry_id(each.entries[0]) < parse_entry_id(last_entry) for each in news)
        left = {(thread.who, name) for name in plain_words().away.split()}
        settled = bool(is_later and any(is_subject(name, last) for name in own))
        if thread.kind == AT_LARGE and news and not ruled:
            last, last_entry = news[-1].alone, news[-1].entries[0]
        is_left = not ruled and any(not left.isdisjoint(each.changes) for each in news[-1:])
        more = {"fight": fight, "fight_entry": entry, "out": out} if thread.kind == AT_LARGE else {}
        yield msgspec.structs.replace(
            thread, last=last, last_entry=last_entry, ruled=bool(ruled), settled=settled, left=is_left, **more
        )


def rulings_as_called(rulings: Iterable[RulingEvent], called: Mapping[str, str]) -> Iterator[RulingEvent]:
    """Yield rulings with each one of several of a kind as the story calls them: `the third scrapper`."""
    names = {who.casefold(): word for who, word in called.items() if is_common(who)}
    known = re.compile(rf"\b(?:the )?({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    for ruling in rulings:
        text, because = (
            known.sub(lambda found: names[found[1].casefold()], each) if names else each
            for each in (ruling.text, ruling.because)
        )
        yield msgspec.structs.replace(ruling, text=text, because=because)


def names_of(who: str, beings: Collection[str]) -> list[str]:
    """Return what people write for somebody: the name, and the parts of it that nobody else in play has.

    `Orne` for Magistrate Orne, `Miner 1` for Company Miner 1.
    """
    parts = who.split()
    if parts[-1:] and parts[-1].isdigit():
        ends = [" ".join(parts[-2:])] if len(parts) > 2 else []
    else:
        ends = [part for part in parts if len(parts) > 1 and part.istitle() and not is_title(part)]
    return [who, *(end for end in ends if sum(is_named(end, each) for each in beings) == 1)]


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name as words of its own."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def is_subject(name: str, text: str) -> bool:
    """Return whether a text says for certain what somebody of this name does or is: a verb stands behind the name."""
    for found in re.finditer(rf"(?<!\w){re.escape(name)} (?:\w+ly )?(\w+)(?: (\w+))?", text):
        verb, behind = found[1], found[2] or ""
        is_verb = verb in {*finite_verbs(), *HELPERS} or (verb.endswith("s") and behind in (*OBJECTS, *PREPOSITIONS))
        if is_verb and not UNSURE.search(text[: found.start()]):
            return True
    return False


def is_gone(thread: Thread) -> bool:
    """Return whether somebody has fled, or went from their last fight and nothing is known of them since."""
    if not thread.ruled and not thread.down and not {*plain_words().away.split()}.isdisjoint(thread.names):
        return True
    return thread.out not in ("", DOWN) and not thread.down and not has_later_news(thread)


def values_at_stake(party: Iterable[PartyMember], threads: Iterable[Thread]) -> set[tuple[str, str]]:
    """Return what the characters lack at the end, and the health of those others who gave a fight up or fled."""
    ended = (each.who for each in threads if each.status or each.gave_up or is_gone(each))
    return low_values(party) | {(who, HEALTH) for who in ended}


def has_later_news(thread: Thread) -> bool:
    """Return whether something is known of somebody behind their last fight."""
    if not thread.last:
        return False
    return not thread.fight or parse_entry_id(thread.last_entry) > parse_entry_id(thread.fight_entry)
