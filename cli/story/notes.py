"""The notes of a story: the arithmetic of each entry, which its sentence leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.parts import in_brackets, readable
from cli.phrases.results import score
from ledger import facts
from ledger.names import escape
from projections.recap.episodes import Episode, final_results
from rulebooks.common.texts import Wording

NUMBERS = (facts.PointsLost, facts.PointsRegained, facts.PointsSpent, facts.PoolSet, facts.TokensMoved)


def note_of(episode: Episode, wording: Wording) -> str:
    """Return the results and the changed numbers of an episode behind its entry: `1.12: 17 against 12; hp 6 to 4`."""
    told = "; ".join(dict.fromkeys([*scores(episode, wording), *changes(episode, wording)]))
    entry = episode.entries[0]
    return f"{entry}: {told}" if told else entry


def scores(episode: Episode, wording: Wording) -> Iterator[str]:
    """Yield the results of dice, with what they were compared with."""
    for fact in final_results(episode.facts):
        if fact.what in wording.effects or not (fact.rolls or fact.sums):
            continue
        what = "" if fact.what in wording.unsaid else readable(fact.what)
        numbers = score(fact, wording)
        result = readable(fact.result) if not numbers or fact.target is None else ""
        yield f"{what} {numbers or result}".strip() + (in_brackets(result) if numbers and result else "")


def changes(episode: Episode, wording: Wording) -> Iterator[str]:
    """Yield the numbers that changed, each from before the first change to after the last."""
    spans: dict[tuple[str, str], tuple[object, object]] = {}
    for fact in episode.facts:
        if not isinstance(fact, NUMBERS) or (isinstance(fact, facts.PoolSet) and not fact.because):
            continue
        phrase = phrase_of(fact, wording)
        if phrase.was is not None:
            key = (fact.who, phrase.value)
            was, _ = spans.get(key, (phrase.was, None))
            spans[key] = was, phrase.now
    for (who, value), (was, now) in spans.items():
        if was != now:
            owner = "" if who == facts.GM else f"{escape(who)}'s "
            yield f"{owner}{value} {was} to {now}"
