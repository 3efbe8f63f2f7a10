"""The server: its sockets, its links, and its end."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Final, Protocol

import uvicorn
from starlette.types import ASGIApp

from cli.web.connections import BACKLOG_MOST, connection_class, connections_most
from cli.web.reports import cause, library_reports
from ledger.errors import InputError, LedgerError

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
ELSEWHERE: Final = ("192.0.2.1", 9)  # an address of documentation (RFC 5737): nothing is sent to it
NICE: Final = 5  # of 19, the least urgent
ENDING_SECONDS: Final = 0.05  # between two looks whether it is to end
QUEUE_MOST: Final = 1024  # connections that wait to be accepted
GONE_MILLISECONDS: Final = 30_000  # after which a watcher who takes nothing counts as gone
AGAIN: Final = "Start campaign serve again"


def listen(port: int, *, lan: bool) -> socket.socket:
    """Return a socket that listens at a port, 0 for any that is free. Raises InputError if it is taken."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # of Linux; the sockets of the watchers take it over
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MILLISECONDS)
        server.bind((EVERYWHERE if lan else LOOPBACK, port))
        server.listen(QUEUE_MOST)
    except OSError as error:
        server.close()
        what = f"port {port} cannot be used: {error.strerror}"
        raise InputError(what, hint="Name another (--port 0: any that is free).") from error
    return server


def lower_priority() -> None:
    """Let everything else on this machine go first: above all the lines that are declared meanwhile."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def lan_address() -> str:
    """Return the address that others in the network have for this machine; the loopback address without a network."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        probe.connect(ELSEWHERE)
        return str(probe.getsockname()[0])
    return LOOPBACK


def machine_names() -> frozenset[str]:
    """Return the names that others in the network may have for this machine."""
    name = socket.gethostname().casefold()
    return frozenset({name, f"{name.partition('.')[0]}.local"})


class Keeper(Protocol):
    """What keeps up with the ledger while it is served."""

    async def watch(self) -> None:
        """Keep up, for ever."""

    def close(self) -> None:
        """End all who watch."""


async def serve(
    app: ASGIApp, keepers: Sequence[Keeper], listening: socket.socket, certificate: tuple[str, str] | None = None
) -> None:
    """Serve until SIGINT or SIGTERM, which end it at once, whoever watches. `certificate`: its file and its key's.

    Raises LedgerError if the pages are no longer kept as the ledger is.
    """
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", server_header=False)
    config.http = connection_class(connections_most())
    config.backlog = BACKLOG_MOST
    config.timeout_graceful_shutdown = 1
    if certificate is not None:
        config.ssl_certfile, config.ssl_keyfile = certificate
    server = uvicorn.Server(config)
    with library_reports():
        watching = [asyncio.create_task(keeper.watch()) for keeper in keepers]
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0)
        if server.started:
            listening.listen(QUEUE_MOST)  # uvicorn takes one number for this and for how many it accepts in one go
        while not (server.should_exit or serving.done() or any(task.done() for task in watching)):
            await asyncio.wait([serving, *watching], timeout=ENDING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        ended = [task for task in watching if task.done()]
        for task in watching:
            task.cancel()
        for keeper in keepers:
            keeper.close()
        server.should_exit = True
        await serving
    if ended:
        failure = ended[0].exception()
        why = cause(failure) if failure else "their task has ended"
        raise LedgerError(f"the pages are no longer kept as the ledger is: {why}", hint=AGAIN) from failure
