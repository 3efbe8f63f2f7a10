"""Who may see what: the name of the host that a browser asks for, and the token in the link.

A page of somewhere else in the same browser must not read this one. It could have its own name resolve to this machine
(DNS rebinding), but the browser still sends that name, which is not among ours.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

from cli.questions.roles import PLAYERS

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Access:
    """What is allowed.

    Args:
        tokens: the role of each token.
        names: the names of this machine in its network; with some, every page needs a token, and hosts may be
            addresses.
    """

    def __init__(self, tokens: Mapping[str, str], names: frozenset[str] = frozenset()) -> None:
        self._tokens, self._names = tokens, names

    def role(self, token: str | None) -> str | None:
        """Return the role of a token, of no token on this machine alone; None where nothing may be seen."""
        if token is None:
            return None if self._names else PLAYERS
        given = token.encode()
        roles = [role for known, role in self._tokens.items() if secrets.compare_digest(known.encode(), given)]
        return roles[0] if roles else None

    def is_host(self, header: str) -> bool:
        """Return whether the header `Host` names this machine."""
        name = host_name(header)
        return name in LOOPBACK or name in self._names or (bool(self._names) and is_address(name))


def bearer(request: Request) -> str:
    """Return the token that a request has in its header; empty without one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else ""


def host_name(header: str) -> str:
    """Return the name in a header `Host`, without its port: `[::1]:8002` is `::1`."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].casefold().removesuffix(".")


def is_address(name: str) -> bool:
    """Return whether a name is an address: it needs no DNS, so nobody can point it elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
