"""The product and both verifiers find what the golden vectors say. `python -m tests.vectors.make` writes these."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from cli.verifier import ledger_verifier as verifier
from ledger import dice
from ledger.errors import LedgerError
from ledger.head_words import head_words, word_list
from ledger.links import link_before
from ledger.records import GENESIS, StoredRecord, decode, is_canonical, record_hash
from tests.cli.verifiers import JAVASCRIPT, NODE, needs_node
from tests.vectors.make import FILE, vectors

CHECK: Final = Path(__file__).parent / "check.js"
GIVEN: Final[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
EXPECTED: Final[dict[str, Any]] = {
    "texts": [each["text"] for each in GIVEN["texts"]],
    "other_bytes": [True] * len(GIVEN["other_bytes"]),
    "records": [[each["hash"] for each in GIVEN["records"]], [], [each["hash"] for each in GIVEN["records"]], []],
    "shared_records": [],
    **{
        name: [each["is"] for each in GIVEN[name]]
        for name in ("commitments", "keys", "faces", "links", "shared_faces", "words")
    },
    "word_list": GIVEN["word_list"],
}


def test_vectors_are_those_that_the_product_makes() -> None:
    assert json.loads(json.dumps(vectors())) == GIVEN


@pytest.mark.parametrize("each", GIVEN["other_bytes"], ids=lambda each: each["why"])
def test_product_refuses_other_bytes(each: dict[str, str]) -> None:
    stored = StoredRecord(1, each["public"].encode(), None, "")
    with suppress(LedgerError):
        assert not is_canonical(decode(stored), stored.public)


def test_product_finds_texts_leaves_and_hashes() -> None:
    for each in GIVEN["texts"]:
        assert msgspec.json.encode(each["text"]).decode() == each["json"]
    before = GENESIS
    for each in GIVEN["records"]:
        sealed = each["sealed"].encode() if "sealed" in each else None
        for stored in (
            StoredRecord(each["position"], each["public"].encode(), sealed, ""),
            StoredRecord(each["position"], each["public"].encode(), None, "", each.get("sealed_hash")),
        ):
            assert stored.leaf.decode().split("\n") == each["leaf"]
            assert record_hash(before, stored.leaf) == each["hash"]
        before = each["hash"]


def test_product_finds_keys_faces_and_words() -> None:
    for each in GIVEN["commitments"]:
        assert dice.commitment(each["ledger"], each["session"], bytes.fromhex(each["seed"])) == each["is"]
    for each in GIVEN["keys"]:
        key = dice.session_key(bytes.fromhex(each["seed"]), each["ledger"], each["session"], each["words"])
        assert key.hex() == each["is"]
    for each in GIVEN["faces"]:
        if each["sides"] <= dice.MAX_SIDES:
            thrown = (each[name] for name in ("purpose", "throw", "ordinal", "sides"))
            assert dice.face(bytes.fromhex(each["key"]), *thrown) == each["is"]
    for each in GIVEN["links"]:
        assert link_before(each["ledger"], each["session"], each["link"], each["who"]) == each["is"]
    assert [" ".join(head_words(each["hash"])) for each in GIVEN["words"]] == EXPECTED["words"]


def found_in_python() -> dict[str, Any]:
    """Return what the verifier in Python finds of the vectors."""
    whole, shown, hashes = verifier.Verifier({}, []), verifier.Verifier({}, []), list[str]()
    for each in GIVEN["records"]:
        sealed = each["sealed"].encode() if "sealed" in each else None
        whole.add(each["position"], each["public"].encode(), sealed, each["hash"], [])
        seals = [each["sealed_hash"]] if sealed else []
        shown.add(each["position"], each["public"].encode(), None, each["hash"], seals)
        hashes.append(whole.hash)
    assert whole.finish()[-1] == shown.finish()[-1] == f"{whole.position} {whole.hash}"
    return {
        "texts": [verifier.parse(each["json"].encode()) for each in GIVEN["texts"]],
        "other_bytes": [is_found(each["public"].encode()) for each in GIVEN["other_bytes"]],
        "records": [hashes, whole.findings, hashes, shown.findings],
        "commitments": [
            verifier.sha("campaign-ledger commit v2", each["ledger"], str(each["session"]), each["seed"])
            for each in GIVEN["commitments"]
        ],
        "keys": [
            verifier.session_key(each["seed"], each["ledger"], each["session"], each["words"]).hex()
            for each in GIVEN["keys"]
        ],
        "faces": [
            verifier.face(bytes.fromhex(each["key"]), each["purpose"], each["throw"], each["ordinal"], each["sides"])
            for each in GIVEN["faces"]
        ],
        "shared_records": shared_findings(),
        "links": [
            verifier.sha("campaign-ledger link v1", each["ledger"], str(each["session"]), each["link"], each["who"])
            for each in GIVEN["links"]
        ],
        "shared_faces": [
            verifier.face(
                bytes.fromhex(each["key"]), each["purpose"], each["throw"], each["ordinal"], each["sides"], each["link"]
            )
            for each in GIVEN["shared_faces"]
        ],
        "words": [verifier.read_aloud(each["hash"], list(word_list())) for each in GIVEN["words"]],
        "word_list": sha256(("\n".join(word_list()) + "\n").encode()).hexdigest(),
    }


def shared_findings() -> list[str]:
    """Return what the verifier in Python finds of the records with shared dice."""
    whole = verifier.Verifier({}, [])
    for each in GIVEN["shared_records"]:
        whole.add(each["position"], each["public"].encode(), None, each["hash"], [])
    whole.finish()
    return whole.findings


def is_found(public: bytes) -> bool:
    """Whether the verifier in Python finds something wrong with the bytes of a first record, but not its hash."""
    alone = verifier.Verifier({}, [])
    alone.add(1, public, None, verifier.sha("campaign-ledger record v3", GENESIS, verifier.sha(public)), [])
    return bool(alone.findings) and not any("hash" in finding for finding in alone.findings)


def test_verifier_in_python_passes_the_vectors() -> None:
    assert found_in_python() == EXPECTED


@pytest.mark.slow
@needs_node
def test_verifier_in_javascript_passes_the_vectors(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("".join(f"{word}\n" for word in word_list()))
    assert NODE is not None
    done = subprocess.run([NODE, CHECK, JAVASCRIPT, FILE, words], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found | {"other_bytes": [count == 1 for count in found["other_bytes"]]} == EXPECTED
