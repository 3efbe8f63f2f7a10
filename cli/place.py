"""The type of arguments that name a campaign or many: a path, or an address in a database."""

from __future__ import annotations

from typing import Any

import click

from cli.errors import shorten
from ledger.errors import LedgerError
from ledger.names import escape


class PlaceType(click.Path):
    """A path, or a DatabaseAddress."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path or an address. Raises BadParameter for a bad one."""
        if not isinstance(value, str) or not value.startswith(("postgresql:", "postgres:")):
            return super().convert(value, param, ctx)
        from ledger.postgres_address import parse_address  # help and completion start faster without it

        try:
            return parse_address(value)
        except LedgerError as error:
            self.fail(shorten(escape(str(error))), param, ctx)
