"""Test bundles: what is written is read to the byte, and whatever is changed in it is refused at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest

from ledger.bundle import Audience, Contents, bundle_lines
from ledger.bundle_reader import LINE_BYTES_MOST, BundleReader, NotABundle
from ledger.errors import Damaged, LedgerError, Unreadable
from ledger.records import GENESIS, StoredRecord, record_hash, store_record
from ledger.sqlite_store import create_store
from tests.ledger.coin import Coins
from tests.ledger.strategies import bytes_of, new_ledger, played

SECRET = "the false bottom of the drawer"


def with_secret() -> list[StoredRecord]:
    """Return the records of a ledger of coins, with a secret in one of them."""
    ledger = played()
    records, before = list[StoredRecord](), GENESIS
    for record in ledger.store.records():
        whole = msgspec.structs.replace(record, holder=SECRET) if record.position == 4 else record
        records.append(store_record(whole, record, before))
        before = records[-1].hash
    return records


def written(records: list[StoredRecord], audience: Audience = "gm") -> bytes:
    contents = Contents()
    for stored in records:
        contents.add(stored)
    return b"".join(bundle_lines(contents.header(audience), records))


def read(text: bytes) -> list[StoredRecord]:
    return [stored for stored, _ in BundleReader(BytesIO(text)).records()]


def test_bundle_is_read_to_the_byte(tmp_path):
    records = with_secret()
    text = written(records)
    assert read(text) == records
    assert written(read(text)) == text
    store = create_store(tmp_path / "ledger.db", Coins.read_models)
    store.extend(BundleReader(BytesIO(text)).records(), after=new_ledger().store.head())
    assert bytes_of(store) == records
    assert list(store.takes())[3].holder == SECRET
    store.close()


def test_first_line_says_what_the_records_say():
    records = with_secret()
    assert json.loads(written(records).splitlines()[0]) == {
        "bundle": "campaign-ledger",
        "v": 1,
        "format": 3,
        "for": "gm",
        "ledger": "0" * 32,
        "campaign": "Coins",
        "game": "coin",
        "books": [["1", "coin 1 revision 1"], ["2", "coin 1 revision 1"]],
        "records": len(records),
        "head": f"{len(records)} {records[-1].hash}",
    }


def test_bundle_of_players_has_the_same_hashes_and_no_secret():
    records = with_secret()
    text = written(records, "players")
    assert SECRET.encode() in written(records)
    assert SECRET.encode() not in text
    assert [stored.hash for stored in read(text)] == [stored.hash for stored in records]
    assert [stored.public for stored in read(text)] == [stored.public for stored in records]
    assert written(read(text), "players") == text
    assert [stored.position for stored in read(text) if stored.sealed_hash] == [4]


def test_bundle_of_a_changed_ledger_is_not_written():
    records = with_secret()
    records[5] = msgspec.structs.replace(records[5], public=records[5].public.replace(b"Ana", b"Eva"))
    with pytest.raises(Damaged, match="position 6: the record does not follow"):
        written(records)


def test_line_that_never_ends_is_not_read():
    class Endless(BytesIO):
        asked = 0

        def readline(self, size=-1, /):
            assert 0 < size <= LINE_BYTES_MOST
            self.asked += 1
            return b"x" * size

    file = Endless()
    with pytest.raises(Unreadable, match="line 1: the line is longer than any record"):
        BundleReader(file)
    assert file.asked == 1


Edit = Callable[[list[bytes]], list[bytes]]


def replacing(number: int, old: str, new: str) -> Edit:
    """Return an edit of the text of one line, by its number."""

    def edit(lines: list[bytes]) -> list[bytes]:
        assert old.encode() in lines[number - 1]
        return [*lines[: number - 1], lines[number - 1].replace(old.encode(), new.encode(), 1), *lines[number:]]

    return edit


def field(number: int, **changes: object) -> Edit:
    """Return an edit of the fields of one line; those that are None are removed."""

    def edit(lines: list[bytes]) -> list[bytes]:
        said = {**json.loads(lines[number - 1]), **changes}
        said = {name: value for name, value in said.items() if value is not None}
        return [*lines[: number - 1], msgspec.json.encode(said) + b"\n", *lines[number:]]

    return edit


def chained(edit: Edit) -> Edit:
    """Return an edit after which all hashes are computed again, and the head in the first line."""

    def edited(lines: list[bytes]) -> list[bytes]:
        first, *rest = map(json.loads, edit(lines))
        before = GENESIS
        for said in rest:
            sealed = said.get("sealed")
            leaf = StoredRecord(
                0, said["public"].encode(), sealed and sealed.encode(), "", said.get("sealed_hash")
            ).leaf
            said["hash"] = before = record_hash(before, leaf)
        first |= {"records": len(rest), "head": f"{len(rest)} {before}"}
        return [msgspec.json.encode(said) + b"\n" for said in (first, *rest)]

    return edited


FORGERIES: dict[str, tuple[Edit, str]] = {
    "nothing in it": (lambda lines: [], "this is not a bundle"),
    "cut off after a line": (lambda lines: lines[:9], "line 10: the file ends after 8 of 15 records"),
    "cut off in a line": (lambda lines: [*lines[:8], lines[8][:40]], "line 9: the line is cut off"),
    "a line removed": (lambda lines: lines[:5] + lines[6:], "line 6: it has position 6, and should have 5"),
    "a line twice": (lambda lines: lines[:6] + lines[5:], "line 7: it has position 5, and should have 6"),
    "a line more": (lambda lines: [*lines, lines[-1]], "line 17: there is a line more than the 15 records"),
    "an empty line": (lambda lines: [*lines[:3], b"\n", *lines[3:]], "line 4: the line is empty"),
    "two lines swapped": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "line 4: it has position 4"),
    "a name": (replacing(5, "Ana", "Eva"), "line 5, entry 1.1: its hash does not match"),
    "the hash": (field(6, hash="f" * 64), "line 6, entry 1.2: its hash does not match"),
    "the salt": (replacing(5, '"sealed":"', '"sealed":"00'), "line 5"),
    "another way to write it": (replacing(7, ',"public"', ', "public"'), "line 7: the line says the same in other"),
    "ends of lines of Windows": (lambda lines: [line[:-1] + b"\r\n" for line in lines], "line 1: the line says the"),
    "a key more": (field(3, note="x"), "line 3: it is no line of a bundle"),
    "a key less": (field(3, public=None), "line 3: it is no line of a bundle"),
    "a number": (field(3, position=1 << 70), "line 3: it is no line of a bundle"),
    "half a character": (replacing(3, "Ana", "\\ud800"), "line 3: it is no line of a bundle"),
    "a hash of nothing": (
        replacing(7, '","hash"', '","sealed_hash":"f","hash"'),
        "line 7: the line has the hash of what is sealed",
    ),
    "a secret for the players": (replacing(1, '"for":"gm"', '"for":"players"'), "line 5: the line has what is sealed"),
    "for nobody": (replacing(1, '"for":"gm"', '"for":"all"'), "line 1: it is no line of a bundle"),
    "a newer version": (replacing(1, '"v":1', '"v":2'), "line 1: the bundle has version 2"),
    "a newer format": (replacing(1, '"format":3', '"format":5'), "line 1: the ledger has format 5"),
    "the name of the campaign": (replacing(1, '"Coins"', '"Tokens"'), "line 1: its 'campaign' differs"),
    "the book of a session": (replacing(1, '["2","coin 1 ', '["2","coin 2 '), "line 1: its 'books' differs"),
    "the head": (replacing(1, '"head":"15 ', '"head":"15 0'), "line 1: its 'head' differs"),
    "a fact under new hashes": (
        chained(replacing(6, '\\"fact\\":\\"rolled', '\\"fact\\":\\"rilled')),
        "line 6, position 5: the record cannot",
    ),
    "bytes under new hashes": (chained(replacing(6, '{\\"v\\":3', '{ \\"v\\":3')), "line 6, entry 1.2: its bytes are"),
    "a seal under new hashes": (chained(replacing(5, '"sealed":"', '"sealed":"Z')), "line 5"),
}


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("name", FORGERIES)
def test_forged_bundle_is_refused_at_its_line(name):
    edit, what = FORGERIES[name]
    lines = written(with_secret()).splitlines(keepends=True)
    with pytest.raises(LedgerError) as error:
        read(b"".join(edit(lines)))
    assert str(error.value).startswith(what), error.value
    assert isinstance(error.value, NotABundle) == (name == "nothing in it")
