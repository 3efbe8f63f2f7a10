"""The address of a campaign in a database: a libpq URI with `campaign=NAME` among its parameters.

`postgresql://host/club?campaign=saints` is the campaign `saints` in the database `club`; without `campaign` it is the
database of all of them. Everything else is libpq's: users, sockets, several hosts, certificates.
"""

from __future__ import annotations

import re
from typing import Final, Self

import msgspec

from ledger.errors import InputError
from ledger.names import normalize

SCHEMES: Final = ("postgresql://", "postgres://")
NAME_MOST: Final = 100  # characters
ADDRESS_MOST: Final = 4000  # characters
SECRET: Final = re.compile(r"(?<=://)([^/?@:]*):[^/?@]*(?=@)|(?<=[?&])(password|sslpassword)=[^&]*")


def is_address(text: str) -> bool:
    """Return whether a text is the address of a database."""
    return text.startswith(SCHEMES)


class DatabaseAddress(msgspec.Struct, frozen=True):
    """A database and perhaps a campaign in it. As text it is without its password, for people and errors."""

    database: str  # the URI for libpq
    campaign: str | None

    def __str__(self) -> str:
        return SECRET.sub(lambda hit: f"{hit[1]}:***" if hit[1] is not None else f"{hit[2]}=***", self.uri)

    @property
    def uri(self) -> str:
        """The whole address, with its password if it has one."""
        mark = "&" if "?" in self.database else "?"
        return self.database if self.campaign is None else f"{self.database}{mark}campaign={self.campaign}"

    def with_campaign(self, campaign: str) -> Self:
        """Return the address of a campaign in the same database."""
        return msgspec.structs.replace(self, campaign=campaign)

    @property
    def name(self) -> str:
        """The name of the campaign. Raises InputError where none is named."""
        if self.campaign is None:
            raise InputError(
                "the address names no campaign",
                where=str(self),
                hint="Add ?campaign=NAME to it. The names: campaign list ADDRESS.",
            )
        return self.campaign


def parse_address(text: str) -> DatabaseAddress:
    """Return the address that a text is. Raises InputError for one that is too long, or names a campaign badly."""
    from urllib.parse import unquote  # imported here to start faster

    if not is_address(text):
        raise InputError("an address begins with postgresql://", hint="As in postgresql://host/club?campaign=saints.")
    if len(text) > ADDRESS_MOST:
        raise InputError(f"{len(text):,} characters are too many for an address. {ADDRESS_MOST:,} are the most")
    before, mark, query = text.partition("?")
    parameters = query.split("&") if mark else []
    names = [unquote(each.partition("=")[2]) for each in parameters if each.partition("=")[0] == "campaign"]
    rest = [each for each in parameters if each and each.partition("=")[0] != "campaign"]
    database = f"{before}?{'&'.join(rest)}" if rest else before
    if len(names) > 1:
        raise InputError("the address names two campaigns", hint="Write campaign=NAME once.")
    address = DatabaseAddress(database, None)
    return address.with_campaign(campaign_key(names[0])) if names else address


def campaign_key(text: str) -> str:
    """Return the name of a campaign in an address, as it is stored. Raises InputError for a bad one."""
    name = normalize(text, where="campaign=", most=NAME_MOST).strip()
    if not name or set(name) & set("&?#%/ ="):
        hint = "Use letters, digits and hyphens, as in campaign=gutter-saints."
        raise InputError(f"'{name}' cannot be the name of a campaign in an address", hint=hint)
    return name
