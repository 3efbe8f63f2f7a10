"""Pronouns of a sheet: `she/her`, `they/them`, or somebody's own as subject/object/possessive (`ne/nem/nir`)."""

from __future__ import annotations

import unicodedata
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import Scalar
from rulebooks.common.values import OutsideDomain, outside_domain

PRONOUNS: Final = "pronouns"  # the entry of a sheet
FORM_MOST: Final = 20  # letters of one form
OWN_LEAST: Final = 3  # forms of pronouns that the program does not know
DOMAIN: Final = "she/her, he/him, they/them, it/its, or three forms of your own, as in ne/nem/nir"


class Pronouns(msgspec.Struct, frozen=True):
    """The forms of somebody's pronouns; `plural`: whether verbs behind them are (they were)."""

    subject: str
    object: str
    possessive: str
    own: str
    reflexive: str
    plural: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms in their order."""
        return self.subject, self.object, self.possessive, self.own, self.reflexive


THEY: Final = Pronouns("they", "them", "their", "theirs", "themself", plural=True)
KNOWN: Final = (
    THEY,
    Pronouns("she", "her", "her", "hers", "herself"),
    Pronouns("he", "him", "his", "his", "himself"),
    Pronouns("it", "it", "its", "its", "itself"),
    Pronouns("xe", "xem", "xyr", "xyrs", "xemself"),
    Pronouns("ze", "hir", "hir", "hirs", "hirself"),
    Pronouns("ey", "em", "eir", "eirs", "emself"),
    Pronouns("fae", "faer", "faer", "faers", "faerself"),
)


class NamedSheet(Declaration, frozen=True, kw_only=True):
    """What every sheet has. Without pronouns it is stored as sheets were before there were any."""

    name: str
    pronouns: str | msgspec.UnsetType = msgspec.UNSET


def parse_pronouns(text: str) -> Pronouns | None:
    """Return the pronouns of a text; None if it has none. Of several, as in `she/they`, the first count."""
    forms = written_forms(text)
    first = next((each for each in KNOWN if each.subject == forms[0]), None)
    if first is not None:
        return first if all(any(form in each.forms for each in KNOWN) for form in forms) else None
    if not OWN_LEAST <= len(forms) <= len(THEY.forms) or not all(map(is_form, forms)):
        return None
    subject, object, possessive, *more = forms
    own = possessive if possessive.endswith("s") else f"{possessive}s"
    own, reflexive = (*more, *(own, f"{object}self")[len(more) :])
    return Pronouns(subject, object, possessive, own, reflexive)


def written_forms(text: str) -> list[str]:
    """Return the forms of a text, in small letters."""
    return [part.strip() for part in text.casefold().split("/")]


def is_form(text: str) -> bool:
    """Return whether a text is one word of letters."""
    return 0 < len(text) <= FORM_MOST and all(unicodedata.category(letter)[0] in "LM" for letter in text)


def check_pronouns(text: object, where: str) -> None:
    """Raise Unreadable for a text of a file that should be pronouns and is not; an empty one has none."""
    if isinstance(text, str) and text and parse_pronouns(text) is None:
        raise Unreadable(f"'{text}' are no pronouns", where=where, hint=f"Write {DOMAIN}.")


def pronoun_entries(said: NamedSheet, refusal: OutsideDomain = outside_domain) -> dict[str, Scalar]:
    """Return the entry of a sheet for its pronouns, if it has any. Raises the refusal of others."""
    if not said.pronouns:
        return {}
    found = parse_pronouns(said.pronouns)
    if found is None:
        raise refusal(PRONOUNS, DOMAIN, said.pronouns)
    forms = written_forms(said.pronouns)
    return {PRONOUNS: "/".join(forms if len(forms) > 1 else [found.subject, found.object])}
