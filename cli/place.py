"""The type of arguments that name a campaign or many: a path, or an address in a database."""

from __future__ import annotations

from typing import Any

import click

from cli.errors import shorten
from ledger.errors import LedgerError
from ledger.names import escape


def is_like_address(value: object) -> bool:
    """Return whether somebody who typed this means a database."""
    return isinstance(value, str) and value.startswith(("postgresql:", "postgres:"))


class PlaceType(click.Path):
    """A path, or a DatabaseAddress."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path or an address. Raises BadParameter for a bad one."""
        if not is_like_address(value):
            return super().convert(value, param, ctx)
        from ledger.postgres_address import parse_address  # help and completion start faster without it

        try:
            return parse_address(value)
        except LedgerError as error:
            self.fail(shorten(escape(str(error))), param, ctx)


class FolderType(click.Path):
    """The path of a folder in which a campaign is made, and never an address, which would be a folder of that name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path. Raises BadParameter for an address."""
        if is_like_address(value):
            self.fail("it is made in a folder. Copy it then: campaign copy FOLDER ADDRESS.", param, ctx)
        return super().convert(value, param, ctx)
