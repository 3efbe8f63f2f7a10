"""Copies of a ledger: a backup while somebody plays, and a campaign made of one.

A backup is the ledger file alone, as it was at one moment. It is written beside its place, checked as `verify --quick`
checks a ledger, and only then takes its name; after an error or a kill there is the older backup or none. It replaces
only a backup of the same campaign that it continues. The seed of an open session is in no backup.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from sqlite3 import SQLITE_NOTADB, DatabaseError

from cli.play.copy_campaign import copy_to_file
from cli.play.files import check_name, file_beside, write_errors
from cli.play.new_campaign import check_left_over, place_ledger
from cli.questions.bundle_file import build_tables
from cli.questions.campaign import ledger_id
from cli.questions.ledger_file import LEDGER_FILE
from cli.questions.verification import quick_verification
from ledger.errors import Damaged, InputError, LedgerError
from ledger.names import escape, plural
from ledger.records import Head
from ledger.sql_store import SqlStore
from ledger.sqlite_connection import copy_into
from ledger.sqlite_store import SqliteStore, open_store


def back_up(store: SqlStore, path: Path) -> Head:
    """Write a backup of a ledger to a file, and return the head that it ends with.

    Raises InputError for a file that it may not replace, Damaged if the copy is not well, LedgerError if it cannot be
    written.
    """

    def check() -> bool:
        _check_replaceable(path, store)
        return True

    with write_errors(path):
        check()
        path.parent.mkdir(parents=True, exist_ok=True)
        with file_beside(path, check) as unfinished:
            if isinstance(store, SqliteStore):
                copy_into(store.connection, unfinished, named=path)
            else:
                os.unlink(unfinished)
                copy_to_file(store, unfinished)
            return _check_copy(unfinished, path)


def restore(backup: Path, folder: Path) -> SqliteStore:
    """Make a campaign in a folder of the records of a backup, and return its ledger, open.

    Raises InputError if it is no file, Damaged if the backup is not well, LedgerError if there is a ledger in the
    folder or it cannot be written.
    """
    if not backup.is_file():
        raise InputError("there is no such file", where=escape(str(backup)), hint="Name the file of a backup.")
    with closing(_open_backup(backup)) as store:
        _check(store, backup)  # before a folder is made

        def fill(unfinished: Path) -> None:
            copy_into(store.connection, unfinished, named=folder / LEDGER_FILE)
            with closing(open_store(unfinished, write=True)) as copy:
                build_tables(copy)  # nobody has checked those of the backup, and an older version has others
            _check_copy(unfinished, backup)

        return place_ledger(folder, fill)


def _open_backup(path: Path) -> SqliteStore:
    """Open a backup to read. Raises Damaged for another file."""
    try:
        return open_store(path, write=False)
    except Damaged as error:
        if not isinstance(error.__cause__, DatabaseError):
            raise
        what, hint = f"the backup is damaged: {error.__cause__}", "Use another backup."
        if error.__cause__.sqlite_errorcode == SQLITE_NOTADB:
            what, hint = "this file is no backup", "Name a backup. A bundle is taken in with: campaign import."
        raise Damaged(what, where=escape(str(path)), hint=hint) from error


def _check_copy(copy: Path, named: Path) -> Head:
    """Check a copy that was written, and return its head. Raises Damaged, with the file that it is of or will be."""
    with closing(open_store(copy, write=False)) as store:
        _check(store, named)
        return store.head()


def _check(store: SqliteStore, named: Path) -> None:
    """Raise Damaged, with a name of the file, if a copy is not well."""
    if findings := quick_verification(store, ()).findings:
        more = f", and {plural(len(findings) - 1, 'more finding', 'more findings')}" if findings[1:] else ""
        raise Damaged(
            f"the copy is not well: {findings[0]}{more}",
            where=escape(str(named)),
            hint="Nothing was kept of it. Look at the ledger: campaign verify.",
        )


def _check_replaceable(path: Path, store: SqlStore) -> None:
    """Raise InputError if there is a file that is no backup of this campaign, or one that it does not continue."""
    check_name(path)
    check_left_over(path)
    if not os.path.lexists(path):
        return
    refused = "Name another file, or a new one."
    if path.is_symlink() or not path.is_file():
        raise InputError("there is something else", where=escape(str(path)), hint=refused)
    try:
        with closing(open_store(path, write=False)) as older:
            head, id = older.head(), ledger_id(older)
    except LedgerError as error:
        raise InputError("there is a file that is no backup", where=escape(str(path)), hint=refused) from error
    if id != ledger_id(store):
        raise InputError("there is a backup of another campaign", where=escape(str(path)), hint=refused)
    stored = next(store.read(after=head.position - 1), None)
    if stored is None or not head.fits(stored.hash):
        what = f"the backup there goes on otherwise: it has {head}"
        raise InputError(what, where=escape(str(path)), hint="Keep both, and look: campaign diff.")
