"""What a sentence with an unknown verb may mean: the verbs of the book whose fields take what is named behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.speech.attempts import Attempts, LineDraft, Meaning
from cli.speech.lexicon import Kind
from cli.speech.readings import Reader, in_list
from cli.speech.words import Word, is_passed_over

GUESSED_MOST: Final = 3  # lines that are offered


def guessed_lines(words: Sequence[Word], reader: Reader) -> list[str]:
    """Return lines that would be allowed, those that leave the fewest words over; none where nothing is named.

    `Ada carves up the first guard with her sword`: `ada attack guard1 with longsword`.
    """
    attempts = Attempts(reader.ledger_state, reader.book, reader.scope, reader.in_play, reader.verbs, reader.tail)
    attempts.takes_texts = False
    start = next(
        (at for at in range(1, len(words)) if reader.subjects(words[:at]) and not is_passed_over(words[at])), 0
    )
    speakers = reader.subjects(words[:start]) if start else None
    if not speakers or len(speakers) > 1:
        return []
    names = speakers[0].names
    others = {*reader.in_play.others_of(names[0])}
    named = reader.in_play.beings.all_named(words, start + 1)
    if named and others.isdisjoint(named):
        return []  # what friends do for one another is no attack
    found: list[Meaning] = []
    for kind in _said_kinds(reader):
        begun = f"{in_list(names)} {kind.verbs[0]}"
        draft = LineDraft(begun, kind, names[0], words, start + 1, 0, is_unsure=True)
        found += [each for each in attempts.readings(draft) if each.error is None and each.line != begun]
    fewest = min((len(each.left) for each in found), default=0)
    return list(dict.fromkeys(each.line for each in found if len(each.left) == fewest))[:GUESSED_MOST]


def _said_kinds(reader: Reader) -> Iterator[Kind]:
    """Yield the kinds of declarations that somebody in play says as their deed."""
    for kind in reader.scope.declarations:
        if kind.verbs and not (kind.answers or kind.aside or kind.free or kind.by_anyone):
            yield kind
