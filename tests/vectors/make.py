"""`python -m tests.vectors.make`: write the golden vectors as the product computes them.

They are of formats that are kept: what is there already may not change, new vectors may be added.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.dice import WORD_VALUES, commitment, face, session_key
from ledger.facts import WITHHELD, Declared
from ledger.head_words import head_words, word_list
from ledger.links import link_before
from ledger.memory_store import MemoryStore
from ledger.records import GENESIS, Head, StoredRecord, store_record
from tests.ledger.shared import played_shared
from tests.ledger.strategies import played, record, spent
from tests.seals import fix_salts

FILE: Final = Path(__file__).parent / "vectors.json"
LEDGER: Final = "6b" * 16
SEED: Final = bytes(range(32)).hex()
WORDS: Final = ([], [("Ana", "brass kettle")], [("Bo", 'é🎲\n1 "'), ("gm", ""), ("Ana", "4 1 6")])
PURPOSES: Final = ("task Ana", "attack Bo extra of 2", "é🎲")
MOST_REJECTED: Final = max(range(999_000, 1_000_001), key=lambda sides: WORD_VALUES % sides)
HUGE: Final = 2**31 + 1  # sides of no die: only with so many can all eight words of a digest be rejected
TEXTS: Final = ("", "é🎲", 'a "quote" \\ /', "\x00\x01\x1f\b\t\n\f\r", "\x7f\u0085\u2028\ufeff", "…", "{}")


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def vectors() -> dict[str, Any]:
    """Return all vectors by what they are of."""
    fix_salts()
    chain, shared = list(records()), list(shared_records())
    keys = [session_key(bytes.fromhex(SEED), LEDGER, number, words) for number, words in enumerate(WORDS, start=1)]
    return {
        "texts": [{"text": text, "json": json_text(text)} for text in TEXTS],
        "other_bytes": [{"why": why, "public": text} for why, text in other_bytes(chain[0].public.decode())],
        "records": [as_json(stored) for stored in chain],
        "shared_records": [as_json(stored) for stored in shared],
        "commitments": [
            {"ledger": LEDGER, "session": session, "seed": SEED, "is": commitment(LEDGER, session, bytes.fromhex(SEED))}
            for session in (1, 2, 999)
        ],
        "keys": [
            {"seed": SEED, "ledger": LEDGER, "session": number, "words": words, "is": key.hex()}
            for number, (words, key) in enumerate(zip(WORDS, keys, strict=True), start=1)
        ],
        "faces": [{"key": keys[0].hex(), **each} for each in faces(keys[0])],
        "links": [
            {"ledger": LEDGER, "session": 7, "link": SEED, "who": who, "is": link_before(LEDGER, 7, SEED, who)}
            for who in ("Ana", "é🎲")
        ],
        "shared_faces": [
            {"key": keys[0].hex(), "link": link, **die(keys[0], PURPOSES[0], 1, 0, sides, link)}
            for link in (SEED, "f" * 64)
            for sides in (20, HUGE)
        ],
        "word_list": sha256(("\n".join(word_list()) + "\n").encode()).hexdigest(),
        "words": [
            {"hash": hash, "is": " ".join(head_words(hash))}
            for hash in (GENESIS, "f" * 64, "0123456789abcdef" * 4, *(stored.hash for stored in chain[:3]))
        ],
    }


def json_text(text: str) -> str:
    """Return a text as JSON in its only form."""
    return json.dumps(text, ensure_ascii=False)


def records() -> Iterator[StoredRecord]:
    """Yield the records of a ledger of coins, and behind them some with all kinds of letters, half of them sealed."""
    store = MemoryStore()
    played(store)
    yield from store.read()
    head = store.head()
    for number, text in enumerate(TEXTS, start=1):
        said = msgspec.Raw(
            json.dumps({"say": "note", "text": text}, ensure_ascii=False, separators=(",", ":")).encode()
        )
        facts = (Declared(by="Ana", said=said, line=text, faces=None), spent(number, 20 - number))
        more: dict[str, Any] = {"seen": "gm"} if number % 2 else {}
        whole = record(head.position + 1, f"2.{2 + number}", holder=text, request=text or None, facts=facts, **more)
        blank = {"by": "gm", "holder": "", "request": None, "facts": (WITHHELD, WITHHELD)}
        stored = store_record(whole, msgspec.structs.replace(whole, **blank) if more else whole, head.hash)
        yield stored
        head = Head(stored.position, stored.hash)


def shared_records() -> Iterator[StoredRecord]:
    """Yield the records of a session of shared dice: with links, without, and with one that a die keeps."""
    store = MemoryStore()
    played_shared(store)
    yield from store.read()


def as_json(stored: StoredRecord) -> dict[str, Any]:
    """Return a record with its leaf, as a bundle has it, and the hash of what is sealed."""
    sealed = {} if stored.sealed is None else {"sealed": stored.sealed.decode()}
    hidden = {} if stored.sealed is None else {"sealed_hash": sha256(stored.sealed).hexdigest()}
    leaf = stored.leaf.decode().split("\n")
    return {
        "position": stored.position,
        "public": stored.public.decode(),
        **sealed,
        **hidden,
        "leaf": leaf,
        "hash": stored.hash,
    }


def other_bytes(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is no record, or the same record in other bytes, and why."""
    yield "a space", text.replace('"v":', '"v": ', 1)
    yield "a space in a declaration", text.replace('"said":{"say":', '"said":{"say": ', 1)
    yield "a key twice", text.replace('"v":3', '"v":3,"v":3', 1)
    yield "keys in another order", text.replace('"v":3,"position":1', '"position":1,"v":3', 1)
    yield "one key more", text.replace('"v":3', '"v":3,"w":3', 1)
    yield "an escape that is not needed", text.replace('"say"', '"s\\u0061y"', 1)
    yield "an escaped slash", text.replace('"by":"', '"by":"\\/', 1)
    yield "large letters in an escape", text.replace('"holder":"', '"holder":"\\u001F', 1)
    yield "half a letter", text.replace('"holder":"', '"holder":"\\ud800', 1)
    yield "a fraction", text.replace('"take":1', '"take":1.0', 1)
    yield "a number with an exponent", text.replace('"take":1', '"take":1e0', 1)
    yield "minus nothing", text.replace('"insert":0', '"insert":-0', 1)
    yield "a number that is too large", text.replace('"insert":0', '"insert":9007199254740992', 1)
    yield "no list of facts", text.partition('"facts":')[0] + '"facts":""}'
    yield "a request of another type", text.replace('"request":null', '"request":[]', 1)
    yield "another door", text.replace('"door":""', '"door":"window"', 1)
    yield "a number as a text", text.replace('"take":1', '"take":"1"', 1)
    yield "another format", text.replace('"v":3', '"v":4', 1)
    yield "another position", text.replace('"position":1', '"position":2', 1)
    yield "no number", text.replace('"insert":0', '"insert":NaN', 1)
    yield "a mark in front", "\ufeff" + text
    yield "a line feed behind", text + "\n"
    yield "nothing", ""
    yield "no record", "[]"


def faces(key: bytes) -> Iterator[dict[str, Any]]:
    """Yield dice with their faces: of all sizes, of several throws and ordinals, and some whose words are rejected."""
    for purpose in PURPOSES:
        for throw, ordinal, sides in (
            (1, 0, 6),
            (1, 1, 6),
            (2, 0, 6),
            (1, 0, 20),
            (12, 3, 100),
            (1, 0, 1),
            (1, 0, 10**6),
        ):
            yield die(key, purpose, throw, ordinal, sides)
    yield die(key, PURPOSES[0], rejected(key, MOST_REJECTED, 1), 0, MOST_REJECTED)
    yield die(key, PURPOSES[0], rejected(key, HUGE, 8), 0, HUGE)


def die(key: bytes, purpose: str, throw: int, ordinal: int, sides: int, link: str = "") -> dict[str, Any]:
    """Return a die with its face."""
    shown = (face if sides <= 10**6 else huge_face)(key, purpose, throw, ordinal, sides, link)
    return {"purpose": purpose, "throw": throw, "ordinal": ordinal, "sides": sides, "is": shown}


def digest_words(key: bytes, message: str) -> list[int]:
    """Return the words of the digest of a message."""
    digest = hmac.digest(key, message.encode(), "sha256")
    return [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 32, 4)]


def message_of(purpose: str, throw: int, ordinal: int, sides: int) -> str:
    """Return the message that a die is the digest of."""
    return "\n".join(["campaign-ledger die v2", purpose, str(throw), str(ordinal), str(sides)])


def rejected(key: bytes, sides: int, words: int) -> int:
    """Return the first throw of which so many words are rejected."""
    fair = WORD_VALUES - WORD_VALUES % sides
    for throw in count(1):
        if all(word >= fair for word in digest_words(key, message_of(PURPOSES[0], throw, 0, sides))[:words]):
            return throw
    raise AssertionError


def huge_face(key: bytes, purpose: str, throw: int, ordinal: int, sides: int, link: str = "") -> int:
    """Return the face of a die that the product refuses for its sides."""
    message, fair = message_of(purpose, throw, ordinal, sides), WORD_VALUES - WORD_VALUES % sides
    message += link and f"\n{link}"
    while True:
        for word in digest_words(key, message):
            if word < fair:
                return word % sides + 1
        message += "\nagain"


if __name__ == "__main__":
    main()
