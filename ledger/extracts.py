"""Extracts: takes in which only the facts of some kinds are decoded, for who asks for few facts of a long ledger.

The body of a take without such a fact is not decoded at all. The other facts of a body are passed over: each is there
as an empty `OtherFact` of its kind, so that facts keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from types import GenericAlias
from typing import Any, Final, TypedDict, get_args

import msgspec

from ledger.errors import Damaged
from ledger.facts import KINDS, EntryId, Fact, Whole, Withheld, tag
from ledger.records import Door, check_format, current_bytes, unreadable_record

SEEN_BY_ALL: Final = b',"seen":"table","facts":['  # in the body of such a take; a text has no bare quotes

Kinds = frozenset[type[msgspec.Struct]]  # kinds of facts, or structs with the tag of one and some of its fields
WHOLE: Final[Kinds] = frozenset(KINDS)


class ExtractLimits(TypedDict, total=False):
    """Which takes are asked for: those of a session, those as of a position, those with this text.

    `secret`: takes that not everybody sees are among them in any case. `whole`: they have all of their facts.
    """

    session: int | None
    as_of: int | None
    secret: bool
    name: str
    whole: bool


class OtherFact(msgspec.Struct, frozen=True, tag_field="fact", gc=False):
    """A fact of another kind than those asked for."""


class Extract(msgspec.Struct, kw_only=True):
    """A take with its facts of some kinds; `counts`: it is the last take of its entry."""

    v: Whole
    position: Whole
    session: Whole
    number: Whole
    insert: Whole
    take: Whole
    cause: str | None
    by: str
    holder: str = ""
    door: Door = ""
    at: str
    seen: str
    facts: tuple[Any, ...]
    counts: bool = True

    @property
    def id(self) -> EntryId:
        """The id of its entry."""
        return EntryId(self.session, self.number, self.insert)


def body_filter(kinds: Kinds, limits: ExtractLimits) -> Callable[[bytes], object]:
    """Return what says of the body of a record whether an extract has anything of it."""
    secret, name = limits.get("secret", False), limits.get("name", "")
    tags = sorted(str(kind.__struct_config__.tag) for kind in kinds)
    # The first quotation mark is left out: it stands everywhere in a body, and would be looked for everywhere.
    has_kind = re.compile(b'fact":"(?:' + b"|".join(re.escape(tag.encode()) for tag in tags) + b')"').search
    if not secret and not name:
        return has_kind
    text = msgspec.json.encode(name) if name else b""
    return lambda body: text in body and (has_kind(body) or (secret and SEEN_BY_ALL not in body))


def decode_extract(position: int, body: bytes, kinds: Kinds) -> Extract:
    """Return the body of a record with its facts of these kinds. Raises Damaged for bytes of no record."""
    where = f"position {position}"
    try:
        take: Extract = _decoder(kinds)(current_bytes(body))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable_record(body, error, where) from error
    check_format(take.v, where)
    if take.position != position:
        raise Damaged(f"the record has position {take.position}", where=where)
    return take


@cache
def _decoder(kinds: Kinds) -> Callable[[bytes], Any]:
    """Return what decodes a record with its facts of these kinds."""
    tags = {str(kind.__struct_config__.tag) for kind in kinds}
    others = (name for kind in (*get_args(Fact), Withheld) if (name := tag(kind)) not in tags)
    passed = (msgspec.defstruct("OtherFact", [], bases=(OtherFact,), tag=name, frozen=True) for name in others)
    facts: Any = GenericAlias(tuple, (reduce(or_, (*kinds, *passed)), ...))
    struct = msgspec.defstruct("TypedExtract", [("facts", facts)], bases=(Extract,), kw_only=True)
    return msgspec.json.Decoder(struct).decode
