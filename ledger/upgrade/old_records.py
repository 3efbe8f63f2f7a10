"""Records of format 2 as they are stored: their plain content, in order of writing, after a proof of their chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from typing import Any, Final

import msgspec

from ledger.errors import Damaged, LedgerError
from ledger.facts import EntryId
from ledger.records import GENESIS
from ledger.sqlite_connection import FilePath, connect, find_recovery, format_of, translate_errors
from ledger.sqlite_schema import APPLICATION_ID, schema_objects
from ledger.upcasts import MOVED

SELECT: Final = "SELECT position, CAST(body AS BLOB), CAST(hash AS TEXT) FROM records ORDER BY position"
Faces = Mapping[str, list[tuple[int, int]]]  # by purpose: sides and face of each die


class OldRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record of format 2. A take without facts voids its entry."""

    position: int
    session: int
    number: int
    insert: int
    take: int
    cause: str | None
    request: str | None
    by: str
    at: str
    seen: str
    facts: tuple[dict[str, Any], ...]

    @property
    def id(self) -> EntryId:
        """The id of its entry."""
        return EntryId(self.session, self.number, self.insert)

    @property
    def declared(self) -> Mapping[str, Any]:
        """The fields of its declaration; empty in a take that voids its entry."""
        return self.facts[0] if self.facts and self.facts[0].get("fact") == "declared" else {}

    @property
    def declaration(self) -> Mapping[str, Any]:
        """The declaration as JSON; empty in a take that voids its entry."""
        said: Mapping[str, Any] = self.declared.get("said", {})
        return said

    @property
    def line(self) -> str:
        """The line as it was typed."""
        return str(self.declared.get("line", ""))

    @property
    def all_faces(self) -> tuple[int, ...]:
        """The faces of all its rolls, in the order of the facts."""
        return tuple(face for dice in self.faces.values() for _, face in dice)

    def line_with(self, faces: Sequence[int]) -> str:
        """Return the line with faces that were drawn for it, as if they had been typed: before a claim."""
        if not faces or not self.line or self.declared.get("faces") is not None:
            return self.line
        said, arrow, claim = self.line.partition(" => ")
        return f"{said} /{'.'.join(map(str, faces))}{arrow}{claim}"

    @property
    def is_own(self) -> bool:
        """Whether somebody said it: it is neither what a correction caused nor an implied pass."""
        return self.cause is None and bool(self.declaration)

    @property
    def faces(self) -> Faces:
        """The faces of all its rolls, by purpose."""
        rolls = [fact for fact in self.facts if fact["fact"] == "rolled"]
        return {roll["purpose"]: [(die["sides"], die["face"]) for die in roll["dice"]] for roll in rolls}


def read_old_records(path: FilePath) -> list[OldRecord]:
    """Return the records of a ledger file of format 2. Raises Damaged for another file, and for a changed one."""
    if why := find_recovery(path):
        hint = "Let the version that wrote it do so: run its campaign verify."
        raise LedgerError(why, where=str(path), hint=hint)
    with translate_errors(path), closing(connect(path, write=False)) as db:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID or (number := format_of(db)) != MOVED:
            what = "this file is not a campaign ledger" if application != APPLICATION_ID else f"it has format {number}"
            raise Damaged(what, where=str(path), hint=f"campaign upgrade moves ledgers of format {MOVED}.")
        if [kind for kind, *_ in schema_objects(db).get("records", ())] != ["table"]:
            raise Damaged("it has no table of records", where=str(path), hint="Restore a backup.")
        return list(_checked(db.execute(SELECT)))


def _checked(rows: Iterable[tuple[int, bytes, str]]) -> Iterable[OldRecord]:
    """Yield the records of these rows. Raises Damaged at the first one that does not follow."""
    before, last = GENESIS, 0
    decoder = msgspec.json.Decoder(OldRecord)
    for position, body, stored_hash in rows:
        where, last = f"position {position}", last + 1
        hint = "It is not moved: restore a backup."
        before = sha256(b"\n".join((b"campaign-ledger record v1", before.encode(), body))).hexdigest()
        if position != last or before != stored_hash:
            raise Damaged("its hash does not match its bytes and the record before", where=where, hint=hint)
        try:
            yield decoder.decode(body)
        except msgspec.MsgspecError as error:
            raise Damaged(f"the record cannot be read: {error}", where=where, hint=hint) from error
