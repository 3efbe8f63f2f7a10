"""Clauses: what happened, remarks in brackets, and what it changed; and how they are joined to a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.phrases.facts import in_brackets
from cli.phrases.joins import joined_sentences
from ledger.facts import GM
from ledger.names import capital, escape, word_list

VERB: Final = " \x02"  # how the mark of one begins
ENDS: Final = (".", "?", "!")
LEAD: Final = ":"
LEAD_ON: Final = ": "
ENDED, FALL, GRAVE, WOUND, TURN, HURT, CHANGE, DONE, SMALL, NOTHING = 10, 10, 9, 8, 7, 6, 5, 4, 2, 1  # weights


class TextEffect(msgspec.Struct, frozen=True):
    """What changed: a sentence with marks for its verbs, or the name of a number before and after, and whose it is.

    `why` stands behind a number in brackets; `plural` is for the same thing several times. What is `minor` is
    said only where there is nothing else about the same being.
    """

    text: str
    whose: str = ""
    was: int | None = None
    now: int = 0
    weight: int = CHANGE
    why: str = ""
    plural: str = ""
    minor: bool = False


class Clause(msgspec.Struct):
    """A part of a sentence: what happened, remarks in brackets, and the effects.

    `about` is the one whose numbers need no name in it. A text that ends with a colon leads to what follows. `vain` is
    added where nothing came of it.
    """

    text: str
    about: str = ""
    notes: list[str] = []
    effects: list[TextEffect] = []
    vain: str = ""

    def __str__(self) -> str:
        told = dict.fromkeys(effect_texts(net(self.effects), self.about, alone=not self.text))
        subject = f"{person(self.about)} " if self.about else "\n"
        is_deed = self.text.startswith(subject) and all(text.startswith(subject) for text in told)
        if self.text.startswith(subject):
            told = {text.removeprefix(subject): None for text in told}
        effects = ", ".join(told)
        notes = in_brackets(*self.notes)
        if not self.text:
            return effects + notes
        came_of_it = any(effect.weight > NOTHING for effect in self.effects)
        text = self.text.removesuffix(LEAD) + notes + ("" if came_of_it else self.vain)
        if told and is_deed and not self.leads_on:
            return word_list([text, *told])
        return ": ".join(part for part in (text, effects) if part)

    @property
    def leads_on(self) -> bool:
        """Return whether its text leads to what follows."""
        return self.text.endswith(LEAD)

    @property
    def leads(self) -> bool:
        """Return whether it says only why something happened, and nothing yet of what happened."""
        return self.leads_on and not net(self.effects)


def effect_texts(effects: Sequence[TextEffect], about: str, *, alone: bool = False) -> Iterator[str]:
    """Yield numbers with the name of whose they are where that changes, then the other effects.

    `alone`: nothing stands before them, so that the first number needs a verb.
    """
    named, verb = about, " goes from" if alone else ""
    for effect in effects:
        if effect.was is not None:
            whose = "" if effect.whose == named else f"{person(effect.whose)}'s "
            named = effect.whose
            yield f"{whose}{effect.text}{verb} {effect.was} to {effect.now}{in_brackets(effect.why)}"
            verb = ""
    others = [effect for effect in effects if effect.was is None]
    times = Counter(effect.text for effect in others)
    yield from joined_sentences([each.plural if times[each.text] > 1 and each.plural else each.text for each in others])


def net(effects: Sequence[TextEffect]) -> list[TextEffect]:
    """Return the effects with all changes of one number as one, where the last of them is."""
    last: dict[object, TextEffect] = {}
    for index, effect in enumerate(effects):
        key = index if effect.was is None else (effect.whose, effect.text)
        first = last.pop(key, effect)
        last[key] = msgspec.structs.replace(effect, was=first.was, weight=max(first.weight, effect.weight))
    kept = [effect for effect in last.values() if effect.was is None or effect.was != effect.now]
    return [effect for effect in kept if not (effect.minor and any(is_more(each, effect) for each in kept))]


def is_more(other: TextEffect, effect: TextEffect) -> bool:
    """Return whether another effect tells more of the same being."""
    return not other.minor and other.text.startswith(f"{effect.text.partition(VERB)[0]} ")


def joined_clauses(clauses: Sequence[Clause], by: str) -> str:
    """Return clauses as one sentence; behind the end of somebody's own sentence a new one begins.

    A reason to which nothing is added becomes what `by` says.
    """
    text, between = "", ""
    for clause in clauses:
        text += f" {capital(str(clause))}" if text.endswith(ENDS) else between + str(clause)
        between = LEAD_ON if clause.leads else "; "
    return f"{person(by)}: {text}" if all(clause.leads for clause in clauses) else text


def person(name: str) -> str:
    """Return the name of somebody in a sentence: `The Ferryman` is the Ferryman there."""
    named = escape(name)
    return "the game master" if name == GM else f"the {named[4:]}" if named.startswith("The ") else named
