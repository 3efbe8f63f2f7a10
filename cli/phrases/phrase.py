"""A phrase: what one fact says, in parts; and its three renderings, a column, a clause and a sentence."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from cli.phrases.parts import in_brackets, whose
from cli.phrases.patterns import in_tense, mark_verb
from cli.phrases.verbs import change_verb, is_plural
from ledger.facts import Scalar
from ledger.names import escape


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """What a fact says. `fact_phrases` has one for each kind.

    Attributes:
        who: the being whose fact it is, under its name in the ledger; empty for nobody.
        subject: what the sentence is about: `Kess`, `Kess's speed`.
        verb: the infinitive of its verb.
        object: what follows the verb.
        amount: how much of it, which a story leaves out.
        text: the whole sentence instead, where the book has one (its verbs as `fill_but_verbs` leaves them).
        value: the name of a number that changed, or of what was judged.
        was: the number before; None where there was none.
        now: the number after.
        why: the reason.
        by: who caused it, under its name in the ledger.
        note: a remark that stands with the reason.
        detail: what a log says besides, and a summary leaves out.
        is_silent: bookkeeping, of which a log says nothing.
        is_wrong: something that a reader has to look at.
    """

    who: str = ""
    subject: str = ""
    verb: str = ""
    object: str = ""
    amount: str = ""
    text: str = ""
    value: str = ""
    was: Scalar | None = None
    now: Scalar | None = None
    why: str = ""
    by: str = ""
    note: str = ""
    detail: str = ""
    is_silent: bool = False
    is_wrong: bool = False


def column(phrase: Phrase, own: Collection[str] = ()) -> str:
    """Return a changed number as it stands beside others: `speed 14>11 (Effort 1)`; any other phrase as a clause.

    `own`: those whose numbers need no name, and who need not be named as a cause.
    """
    if not phrase.value:
        return clause(phrase)
    now = "" if phrase.now is None else escape(str(phrase.now))
    numbers = now if phrase.was is None else f"{escape(str(phrase.was))}>{now}"
    by = f"by {escape(phrase.by)}" if phrase.by and phrase.by not in own else ""
    return f"{whose(phrase.who, own)}{phrase.value} {numbers}".rstrip() + in_brackets(phrase.why, by, phrase.note)


def clause(phrase: Phrase, *, past: bool = False) -> str:
    """Return a phrase as a part of a sentence, with its reason in brackets."""
    by = f"by {escape(phrase.by)}" if phrase.by else ""
    return in_tense(template(phrase), past=past) + in_brackets(phrase.why, by, phrase.note)


def sentence(phrase: Phrase, *, past: bool = False) -> str:
    """Return a phrase as a sentence with all that it says: `Kess's speed falls from 14 to 11 (Effort 1)`."""
    return ": ".join(part for part in (clause(phrase, past=past), phrase.detail) if part)


def template(phrase: Phrase) -> str:
    """Return who does what, without the reason, with marks for its verbs."""
    if phrase.text:
        return phrase.text
    verb, rest = _movement(phrase) if phrase.value else (phrase.verb, phrase.object)
    mark = mark_verb(verb, is_plural(phrase.subject)) if verb else ""
    return " ".join(part for part in (phrase.subject, mark, rest, phrase.amount) if part)


def _movement(phrase: Phrase) -> tuple[str, str]:
    """Return how a number came to be what it is now: `fall`, `from 14 to 11`."""
    now = "nothing" if phrase.now is None else escape(str(phrase.now))
    if phrase.was is None or phrase.was == phrase.now:
        return "be", now
    return change_verb(phrase.was, phrase.now), f"from {escape(str(phrase.was))} to {now}"
