"""Workers of a Dask cluster, for a shelf that is too much for one machine.

Dask is asked for one thing: an executor. The workers have this program installed, and see the folders under the same
names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ledger.errors import InputError, LedgerError
from ledger.names import escape
from ledger.tasks import Workers

CONNECT_SECONDS: Final = 10
READY: Final = 2  # tasks for each thread of the cluster, so that none waits


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """Return the workers of a scheduler.

    Raises LedgerError without Dask, and InputError if no scheduler answers or it has no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        hint = 'Install it: pip install "campaign-ledger[shelf]", here and for the workers.'
        raise LedgerError("--dask needs the package distributed", hint=hint) from error
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        hint = "Start one (dask scheduler), and give its address, as in tcp://10.0.0.5:8786."
        raise InputError(f"no Dask scheduler answers at {escape(address)}", hint=hint) from error
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            hint = f"Start some: dask worker {escape(address)} --nworkers 2 --nthreads 1."
            raise InputError("the Dask scheduler has no worker", hint=hint)
        yield Workers(client.get_executor(pure=False), threads * READY)
