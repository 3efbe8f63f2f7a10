"""The parts of all facts: bounded numbers, sheets, entry ids, and the base class of every fact."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Annotated, ClassVar, Final

import msgspec

from ledger.errors import Unreadable
from ledger.names import NUMBER_MOST

Whole = Annotated[int, msgspec.Meta(ge=-NUMBER_MOST, le=NUMBER_MOST)]
Scalar = Whole | str
Sheet = tuple[tuple[str, Scalar], ...]
Claims = tuple[tuple[str, Scalar], ...]
ENTRY_ID = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)
RESERVED: Final = ("gm", "table", "book")  # speakers that are not beings
GM: Final = "gm"
VISIBLE: Final = "table"  # the `seen` of what everybody sees


class EntryId(msgspec.Struct, frozen=True, order=True, gc=False):
    """The id of an entry: `3.42`, or `3.42+1` for one inserted later. Ids sort in the order of history."""

    session: int
    number: int
    insert: int = 0

    def __str__(self) -> str:
        return f"{self.session}.{self.number}" + (f"+{self.insert}" if self.insert else "")

    @property
    def before(self) -> "EntryId":
        """An id that sorts after every earlier entry and before this one."""
        return EntryId(self.session, self.number, self.insert - 1)


@lru_cache(maxsize=4096)
def parse_entry_id(text: str) -> EntryId:
    """Return the entry id written in `text`. Raises Unreadable when it is not one."""
    match = ENTRY_ID.fullmatch(text.strip())
    if match is None:
        raise Unreadable(f"'{text}' is not an entry id", hint="Write it as 3.42 (session 3, entry 42).")
    session, number, insert = match.groups()
    return EntryId(int(session), int(number), int(insert or 0))


class Hides:
    """What a kind of fact hides from the players, field by field: lists of names, separated by spaces.

    Every field of the kind stands in exactly one list, so that a new field is hidden or shown because somebody said so.

    Attributes:
        owner: the field that names the being whose numbers the fact holds; empty if they are nobody's.
        open: fields that everybody sees.
        own: fields that are blank while the owner's numbers are hidden.
        always: fields that are always blank: notes of the game to itself.
        part: fields of which the players see what a rule for the kind leaves (`SEEN_PARTS` in the redaction).

    A blank field has its default. A fact with a blank field that has no default is left out whole.
    """

    def __init__(self, *, owner: str = "", open: str = "", own: str = "", always: str = "", part: str = "") -> None:
        self.owner = owner
        self.open, self.own = frozenset(open.split()), frozenset(own.split())
        self.always, self.part = frozenset(always.split()), frozenset(part.split())

    def check(self, kind: str, fields: Collection[str]) -> None:
        """Raise TypeError unless every field of a kind stands in exactly one list, and nothing else does."""
        listed = sorted((*self.open, *self.own, *self.always, *self.part))
        if listed != sorted(fields):
            wrong = sorted({name for name in (*listed, *fields) if listed.count(name) != 1 or name not in fields})
            raise TypeError(f"{kind}.hides must name every field once; look at {', '.join(wrong)}")
        if (self.owner and self.owner not in self.open) or (self.own and not self.owner):
            raise TypeError(f"{kind}.hides must name an open field as the owner of {', '.join(sorted(self.own))}")


class BaseFact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="fact", gc=False):
    """Something that happened at the table. Stored once and never edited.

    A kind says in `hides` what the players see of it. There is no default: a kind that does not say cannot be defined.
    """

    hides: ClassVar[Hides]

    rules: tuple[str, ...] = ()  # ids of the rules that caused it, the main one first; everybody sees them

    def __init_subclass__(cls) -> None:
        """Raise TypeError for a kind that does not say of every field who sees it."""
        super().__init_subclass__()
        if "hides" not in vars(cls):
            raise TypeError(f"{cls.__name__} does not say what it hides: give it `hides = Hides(...)`")
        cls.hides.check(cls.__name__, list(cls.__annotations__))


class Withheld(BaseFact, frozen=True, kw_only=True, tag="withheld", gc=False):
    """Keeps the place of a fact that the reader may not see, so that the others keep their numbers."""

    hides = Hides()


WITHHELD: Final = Withheld()


def tag(kind: type[BaseFact]) -> str:
    """Return the name of a kind of fact in storage, as in `points-spent`."""
    return str(kind.__struct_config__.tag)
