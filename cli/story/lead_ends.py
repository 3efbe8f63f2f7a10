"""How a fight came out, as the lead of an evening says it behind what turned it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from cli.story.lead_falls import in_kinds
from cli.story.made_story import MadeStory
from cli.story.passages import Sentence
from cli.story.remarks import said_beside
from cli.story.story_deed import StoryDeed
from ledger.names import capital, word_list
from projections.recap.falls import Fall
from projections.recap.outcomes import Outcome

AND: Final = ", and "
BUT: Final = ", but "
THE_PARTY: Final = "the whole party"
FEW: Final = 2  # characters who are named
OVER: Final = ("the fight was over", "it was over")  # which says no more
LINKS: Final = ("then ", "with that ")  # of an end to the sentence before it


def went_on(story: MadeStory, fall: Fall, outcome: Outcome | None) -> bool:
    """Return whether the fight went on behind a fall: others struck before it ended."""
    blows = (deed for deed in story.deeds if any(clause.blow and clause.blow.against for clause in deed.clauses))
    order = [entry for each in story.episodes for entry in each.entries]
    if outcome is None or outcome.entry not in order or fall.entry not in order:
        return False
    between = {*order[order.index(fall.entry) + 1 : order.index(outcome.entry)]}
    return any(not between.isdisjoint(deed.entries) for deed in blows if fall.entry not in deed.entries)


def end_alone(story: MadeStory, outcome: Outcome | None) -> Iterator[Sentence]:
    """Yield the ways to say only how a fight came out: who got away, where somebody did."""
    if outcome is None:
        return
    head, said = end_parts(story, outcome)
    gone = outcome.fled if outcome.result == "lost" else outcome.away
    for words in dict.fromkeys((said, "")):
        over = end_as_said(head, words) if said else still(story, outcome) or head
        end = f"{AND}{over}" if over not in OVER else ""
        who = fled_party(story, outcome) if gone == outcome.fled else names(story, gone)
        text = capital(f"{who} got away{end}" if gone else over)
        yield Sentence(entries=(outcome.entry,), text=text, alone=text, weight=0, mentions=gone)


def end_ways(
    story: MadeStory, outcome: Outcome | None, link: str, away: Collection[str] = (), but: str = BUT
) -> Iterator[str]:
    """Yield the ways to say how a fight came out, behind what turned it: with what people said of it, and without.

    `away` are the others who got away, if they are worth a word, and `but` links them to what turned the fight. Why
    they did nobody said at its end.
    """
    head, said = end_parts(story, outcome) if outcome else ("", "")
    for words in dict.fromkeys((said, "")):
        if not outcome or not head:
            yield ""
        elif outcome.result == "running":
            yield f"{BUT}{head}"
        elif away:
            yield f"{but}{names(story, away)} got away"
        elif outcome.result == "lost" and outcome.fled:
            yield f"{AND}{fled_party(story, outcome)} got away{f': {words}' if words else ''}"
        elif head in OVER and not said:
            yield f"{AND}{still(story, outcome)}" if still(story, outcome) else ""
        else:
            yield f"{link}{end_as_said(head, words)}"


def end_parts(story: MadeStory, outcome: Outcome) -> tuple[str, str]:
    """Return that a fight was won, lost or over, and what people said of its end, in the past; empty for no end."""
    if not outcome.entry:
        return "the fight was not over", ""
    clauses = [each for deed in story.deeds if outcome.entry in deed.entries for each in deed.clauses if each.apart]
    if not clauses:
        return "", ""
    bare = [msgspec.structs.replace(each, words=[]) for each in clauses]
    end = StoryDeed(entries=(outcome.entry,), clauses=bare, weight=0)
    text = story.teller.sentences([end], apart=True)[0].alone
    text = f"{text[:1].lower()}{text[1:]}"
    for link in LINKS:
        text = text.removeprefix(link)
    return text, "; ".join(said_beside(word.strip('"')) for clause in clauses for word in clause.words)


def end_as_said(head: str, said: str) -> str:
    """Return how a fight came out in what people said of its end; that it was over says no more than they did."""
    if not said:
        return head
    return said if head in OVER and said[:1] != '"' else f"{head}: {said}"


def still(story: MadeStory, outcome: Outcome) -> str:
    """Return that a fight broke off, and who of the others still stood; empty where nobody did, or it was no fight."""
    is_fight = outcome.stand and end_parts(story, outcome)[0] == OVER[0]
    return f"the fight broke off with {names(story, outcome.stand)} still standing" if is_fight else ""


def fled_party(story: MadeStory, outcome: Outcome) -> str:
    """Return the characters who got away; all of them, if they are many, in two words."""
    return THE_PARTY if outcome.all_fled and len(outcome.fled) > FEW else names(story, outcome.fled)


def names(story: MadeStory, beings: Iterable[str]) -> str:
    """Return what the story calls these, as a list; several of a kind by their number."""
    return word_list(in_kinds([story.teller.called(who) for who in beings]))
