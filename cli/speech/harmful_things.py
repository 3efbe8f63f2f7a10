"""What hurts somebody in words that no book knows: `a plank smacks Odile for three` is a loss of three."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.notation.tokens import GM_MARK
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, sentence_of, span_at


def lines_of_harm(
    words: Sequence[Word], reader: Reader, lines_meant: Callable[[str, Reader], Sequence[str]]
) -> list[str]:
    """Return the lines of what hurts somebody; none for another sentence. `lines_meant`: what a sentence may mean."""
    said = _sentence_of_harm(words, reader) if len(words) <= PARTED_MOST else ""
    return [line for line in lines_meant(said, reader) if line[:1] == GM_MARK] if said else []


def _sentence_of_harm(words: Sequence[Word], reader: Reader) -> str:
    """Return the sentence of the damage, or of the fall, of the one whom a thing hurts; empty for another sentence.

    The thing begins it, and one number is said behind the one who is hurt.
    """
    mentions = list(mentions_in(words, reader.in_play))
    if len(mentions) != 1 or not mentions[0].start or words[0].text in ENGLISH.subjects | ENGLISH.asking:
        return ""
    start = mentions[0].end
    amounts = [(at, found) for at in range(start, len(words)) if (found := amount_at(words, at))]
    if len(amounts) != 1 or span_at(words, amounts[0][0]):
        return ""
    who, (at, amount) = " and ".join(map(in_line, mentions[0].names)), amounts[0]
    behind = words[at + amount.size].text if at + amount.size < len(words) else ""
    if behind in (*ENGLISH.measures, *ENGLISH.measures.values()):
        return f"{who} falls {amount.number} {ENGLISH.measures.get(behind, behind)}"
    is_alone = not behind or behind in ENGLISH.counted | ENGLISH.suffered
    return f"{who} takes {amount.number} damage because {sentence_of(words)}" if is_alone else ""
