"""One number alone behind a throw: the face of the last die. `got 9`, `4 on the d4, best I could do`, `shotgun: 7`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.speech.earlier_lines import Earlier
from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.speakers import mentions_in
from cli.speech.spoken_dice import DIE
from cli.speech.words import Word, amount_at, is_passed_over
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
CLAUSE_MOST: Final = 12  # words of a clause that says one number
ADDING: Final = frozenset(("plus", "minus", "less"))
SIDES: Final = re.compile(r"d[0-9]+")


def lone_face_changes(words: Sequence[Word], last: Earlier, in_play: InPlay) -> list[str]:
    """Return the faces of the last line with the one that a sentence begins with, as tokens; none without one.

    What else its first clause says is of the throw, or stands before it and in the line. The dice are those of the one
    who is named first; else the last may be meant, or the first.
    """
    clause = without_sum(first_clause(words))
    if len(clause) > CLAUSE_MOST or any(word.text in ENGLISH.instead for word in clause):
        return []
    first = next(mentions_in(clause, in_play), None)
    named = first.names if first else ()
    known = " ".join((last.typed, *named, *in_play.values(), *in_play.skills()))
    face = only_number(clause, known)
    if not last.faces or not face:
        return []
    thrown = [*last.faces]
    own = [at for at, who in enumerate(last.throwers) if who in named]
    changed = dict.fromkeys((*thrown[:at], face, *thrown[at + 1 :]) for at in own or (len(thrown) - 1, 0))
    return [FACE + ".".join(map(str, each)) for each in changed if [*each] != thrown]


def first_clause(words: Sequence[Word]) -> Sequence[Word]:
    """Return what stands before the first stop that is no colon."""
    return words[: next((at for at, word in enumerate(words, 1) if word.mark and word.mark != ":"), len(words))]


def without_sum(clause: Sequence[Word]) -> Sequence[Word]:
    """Return a clause without what is added to the die that it names: `four on the d8 plus three is seven`."""
    dice = [at for at, word in enumerate(clause) if SIDES.fullmatch(word.text)]
    behind = clause[dice[0] + 1 :] if len(dice) == 1 else ()
    return clause[: dice[0] + 1] if behind and behind[0].text in ENGLISH.summing | ADDING else clause


def only_number(clause: Sequence[Word], line: str) -> int:
    """Return the one number of a clause that says nothing else than that it was thrown; 0 for any other clause."""
    known = {form for word in line.replace('"', " ").split() for form in base_forms(word.casefold())}
    found, at = list[int](), 0
    while at < len(clause):
        word, forms = clause[at], base_forms(clause[at].text)
        if amount := amount_at(clause, at):
            found.append(amount.number)
            at += amount.size
            continue
        is_of_throw = word.text == DIE or SIDES.fullmatch(word.text) or forms & (ENGLISH.throwing | ENGLISH.thrown)
        is_little = is_passed_over(word) or word.text in ENGLISH.subjects | ENGLISH.leads | ENGLISH.copulas
        if not (is_of_throw or is_little or (forms & known and not found)):
            return 0
        at += 1
    return found[0] if len(found) == 1 else 0
