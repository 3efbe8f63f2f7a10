"""Marks of entries: the results of a book with their signs and colours, and turning points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.phrase import sentence
from cli.web.pages.content import Mark, TurningPoint
from cli.web.pages.markup import Html, element
from ledger.facts import Amended, BaseFact, ConditionBegan, ConditionEnded, Judged, TokensMoved
from ledger.names import escape
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

TURN_SIGNS: Final = {  # the heaviest first
    "lost": ("†", "a death"),
    "grave": ("▼", "a fall"),
    "turning": ("▽", "the fight turns"),
    "return": ("▲", "up again"),
    "rare": ("★", "a rare result"),
    "token": ("◆", "a token is spent"),
    "correction": ("✎", "a correction"),
}


def marks(facts: Iterable[BaseFact], results: Iterable[str], wording: Wording) -> list[Mark]:
    """Return the results that have a colour or a sign in this book and that the words of the results name, in order."""
    text = "; ".join(results)
    words = {fact.result for fact in facts if isinstance(fact, Judged)} & {*wording.colours, *wording.glyphs}
    named = [(match.start(), word) for word in words if (match := re.search(rf"\b{re.escape(escape(word))}\b", text))]
    return [mark(word, wording) for _, word in sorted(named)]


def mark(word: str, wording: Wording) -> Mark:
    """Return a result with its sign and colour."""
    return Mark(word=escape(word), sign=wording.glyphs.get(word, ""), tone=wording.colours.get(word, ""))


def turning_points(facts: Sequence[BaseFact], narration: Narration, wording: Wording) -> list[TurningPoint]:
    """Return what makes an entry with these facts a turning point, the heaviest first. What one does not see is none.

    These are deaths and falls (the grave conditions of the book), their ends, what else turns a fight, rare results,
    tokens that were spent, and corrections.
    """
    found = dict[tuple[str, str], TurningPoint]()
    for fact in facts:
        if kind := _turn_kind(fact, narration):
            who = escape(getattr(fact, "who", ""))
            found[kind, who] = TurningPoint(kind=kind, who=who, text=sentence(phrase_of(fact, wording)))
    return [*merged((), found.values())]


def merged(before: Iterable[TurningPoint], later: Iterable[TurningPoint]) -> tuple[TurningPoint, ...]:
    """Return turning points, each once and the heaviest first, without what is lighter than somebody's death."""
    found = {(turn.kind, turn.who): turn for turn in (*before, *later)}
    dead = {who for kind, who in found if kind == "lost"}
    turns = [turn for turn in found.values() if turn.who not in dead or turn.kind not in ("grave", "turning", "return")]
    return tuple(sorted(turns, key=lambda turn: [*TURN_SIGNS].index(turn.kind)))


def _turn_kind(fact: BaseFact, narration: Narration) -> str:
    """Return which kind of turning point a fact is; nothing if it is none."""
    match fact:
        case ConditionBegan() if fact.name in narration.lost:
            return "lost"
        case ConditionBegan() if fact.name in narration.grave:
            return "grave"
        case ConditionBegan() if fact.name in narration.turning:
            return "turning"
        case ConditionEnded() if fact.name in narration.grave and fact.name not in narration.untold_ends:
            return "return"
        case Judged() if fact.result in narration.rare:
            return "rare"
        case TokensMoved() if fact.change < 0 and fact.because not in narration.losses:
            return "token"
        case Amended():
            return "correction"
    return ""


def turn_signs(turns: Iterable[TurningPoint]) -> Iterator[Html]:
    """Yield the sign of each kind of turning point, with what happened as its title and a word for who hears it."""
    texts = dict[str, list[str]]()
    for turn in turns:
        texts.setdefault(turn.kind, []).append(turn.text)
    for kind, own in texts.items():
        sign, word = TURN_SIGNS[kind]
        shown = element("span", {"aria-hidden": "true"}, sign)
        said = element("span", {"class": "spoken"}, f"{word}: ")
        yield element("span", {"class": f"turn {kind}", "title": "; ".join(own)}, shown, said)
