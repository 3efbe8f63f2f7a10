"""Check a campaign's ledger or bundle without the program that wrote it: python3 ledger_verifier.py ledger.db

Written from `campaign help formats`; it knows no rule. Exit codes: 0 nothing differs, 1 something, 2 usage, 3 unread.
"""

import argparse
import gzip
import hashlib
import hmac
import json
import re
import sqlite3
import zlib
from collections import Counter
from itertools import count, pairwise
from pathlib import Path
from typing import Any

KEYS = re.findall(r"\w+", "v position session number insert take cause request by holder door at seen")
HEADER = ["bundle", "v", "format", "for", "ledger", "campaign", "game", "books", "records", "head"]
TEXTS = ("purpose", "source", "commitment", "words", "chain", "seed", "ledger", "rulebook")  # fields of facts
BLANKS = {"cause": None, "request": None, "by": "gm", "holder": "", "door": ""}  # where these are hidden
OPEN = ("campaign-created", "session-opened", "words-added", "chain-committed", "session-closed")  # never hidden
SELECT = """SELECT position, CAST(public AS BLOB), CAST(sealed AS BLOB), hash, session, number, inserted, take, request
FROM records NOT INDEXED ORDER BY position"""
MOST, LINE_MOST, FINDINGS_MOST = 1 << 20, 1 << 24, 100  # bytes of a record and of a line
FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)  # of what has another form
Json = dict[str, Any]
GENESIS, HASH = "0" * 64, re.compile("[0-9a-f]{64}")


def canonical(value: object) -> bytes:
    """Return a value as JSON in its only form."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def parse(data: bytes) -> Any:
    """Return the value of JSON. What is not of its only form is read as something else, and so has other bytes."""
    value = json.loads(
        data.decode(),
        parse_int=lambda text: int(text) if abs(int(text)) < 2**53 else text,
        parse_float=str,
        parse_constant=str,
        object_pairs_hook=lambda pairs: {name: part for name, part in pairs if not re.fullmatch("[0-9]+", name)},
    )
    if canonical(value) != data:
        raise ValueError("its bytes are not canonical")
    return value


def sha(*lines: str | bytes) -> str:
    """Return the SHA-256 of lines."""
    return hashlib.sha256(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)).hexdigest()


def session_key(seed: str, ledger: str, session: int, words: list[tuple[str, str]]) -> bytes:
    """Return the key of a session's dice."""
    spoken = [f"{len(text.encode())} {text}" for pair in words for text in pair]
    message = "\n".join(["campaign-ledger key v2", ledger, str(session), *spoken])
    return hmac.digest(bytes.fromhex(seed), message.encode(), "sha256")


def face(key: bytes, purpose: str, throw: int, ordinal: int, sides: int, link: str = "") -> int:
    """Return the face of a die."""
    message = f"campaign-ledger die v2\n{purpose}\n{throw}\n{ordinal}\n{sides}" + (link and f"\n{link}")
    while True:
        digest = hmac.digest(key, message.encode(), "sha256")
        for word in (int.from_bytes(digest[start : start + 4], "big") for start in range(0, 32, 4)):
            if word < 2**32 - 2**32 % sides:
                return word % sides + 1
        message += "\nagain"


def read_aloud(digits: str, words: list[str]) -> str:
    """Return the four words of a hash, of the list of 2048."""
    return " ".join(words[int(digits[:11], 16) >> shift & 2047] for shift in (33, 22, 11, 0) if words)


def read_record(data: bytes, position: int, *, whole: bool) -> Json:
    """Return a record. Raises an error for what is none; `whole`: nothing in it may be withheld."""
    record: Json = parse(data)
    if [*record] != [*KEYS, "facts"] or record["position"] != position or len(data) > MOST:
        raise ValueError("its keys, its format, its position or its length are others")
    numbers = [record[name] for name in KEYS[:6]]
    texts = [record[name] for name in KEYS[6:] if name not in ("cause", "request") or record[name] is not None]
    for place, fact in enumerate(record["facts"]):
        kind = fact["fact"]
        texts += [kind, *(fact[name] for name in TEXTS if name in fact)]
        dice = fact["dice"] if kind == "rolled" else []
        numbers += (number for die in dice for number in (fact["throw"], die["ordinal"], die["sides"], die["face"]))
        dice_fit = all(1 <= die["face"] <= die["sides"] <= 10**6 for die in dice)
        if not dice_fit or len(fact.get("links", [""])) not in (1, len(dice)):
            raise ValueError(f"a die of fact {place + 1} cannot be")
        wrong = whole and (kind == "withheld" or (kind == "declared") != (place == 0))
        if wrong or [*fact][:2] != ["fact", "rules"] or (kind == "declared" and fact["by"] != record["by"]):
            raise ValueError(f"fact {place + 1} cannot stand there, or is by somebody else")
        numbers += [fact["length"]] if kind == "chain-committed" else []
        texts += fact.get("links", [])
    least = 4 if any({"links", "shared_dice", "chain"} & {*fact} for fact in record["facts"]) else 3
    if record["v"] not in (least, least if whole else 4):
        raise ValueError("it is of another format")
    types = {*map(type, numbers)}, {*map(type, texts)}, type(record["facts"])
    if types != ({int}, {str}, list) or record["door"] not in ("", "keyboard", "file", "page"):
        raise ValueError("a value is of another type")
    return record


def is_part(public: Any, whole: Any) -> bool:
    """Return whether a value is what is left of another when something is left out."""
    if public in ("", None, []) or canonical(public) in (b"0", canonical(whole)):
        return True
    match public, whole:
        case str(), str():
            form = re.sub("…([^…]*)(?=…)", r"(?>.*?\1)", re.escape(public)).replace("…", ".*")
            return re.fullmatch(form, whole, re.DOTALL) is not None
        case list(), list():
            rest = iter(whole)
            return all(any(is_part(item, other) for other in rest) for item in public)
        case {"say": kind}, {"say": other}:  # declarations
            texts = public.get("seen texts", {}).items()
            return kind == other and {*public} <= {"say", "seen texts"} and texts <= whole.items()
        case dict(), dict():
            return [*public] == [*whole] and all(is_part(public[name], whole[name]) for name in whole)
    return False


def check_part(public: Json, whole: Json) -> None:
    """Raise an error unless a record is another one with something left out."""
    for name in KEYS:
        if public[name] not in (whole[name], BLANKS.get(name, ...)):
            raise ValueError(f"its public part is of another record: {name} differs")
    left = {"degree": 1, **({"because": "secret"} if whole["seen"] != "table" else {})}
    if public == whole or len(public["facts"]) != max(len(whole["facts"]), whole["seen"] != "table"):
        raise ValueError("its public part has another number of facts, or nothing is hidden")
    for shown, fact in zip(public["facts"], whole["facts"], strict=False):
        rest = {name: fact.get(name) if left.get(name) == value else value for name, value in shown.items()}
        is_open = fact["fact"] in OPEN and canonical(shown) != canonical(fact)
        if shown["fact"] != "withheld" and (is_open or shown["fact"] != fact["fact"] or not is_part(rest, fact)):
            raise ValueError(f"its public part says something else than the whole in {fact['fact']}")


def dice_of(roll: Json) -> list[tuple[tuple[str, int, int, int], str, int]]:
    """Return the dice of a roll: what each is keyed by, its link, and its face."""
    dice, links = roll["dice"], roll.get("links") or [""]
    ids = [(roll["purpose"], roll["throw"], die["ordinal"], die["sides"]) for die in dice]
    return list(zip(ids, links * len(dice) if len(links) == 1 else links, (die["face"] for die in dice), strict=True))


def facts_of(records: list[Json], kind: str) -> list[Json]:
    """Return the facts of a kind in these records."""
    return [fact for record in records for fact in record["facts"] if fact["fact"] == kind]


class ChainLinks:
    """The chains of a session and the links of its dice, as far as its records were checked."""

    def __init__(self, ledger: str, session: int, *, whole: bool) -> None:
        self.lines, self.whole, self.shared = ("campaign-ledger link v1", ledger, str(session)), whole, False
        self.chains, self.known = dict[str, tuple[str, int]](), dict[tuple[str, int, int, int], str]()

    def fit(self, facts: list[Json]) -> bool:
        """Return whether a die keeps its link, and new dice have the next one of a chain, or none."""
        fits, new = True, dict[tuple[str, int, int, int], str]()
        for fact in facts:
            if fact["fact"] == "chain-committed":
                self.chains[fact["who"]] = fact["chain"], fact["length"]
            elif fact["fact"] == "rolled":
                drawn = fact["source"] != "table"
                fits = fits and ("links" in fact) == (self.shared and drawn)
                for die, link, _ in dice_of(fact) if drawn and self.shared else ():
                    fits = fits and link == self.known.get(die, link if fact["source"] == "seed" else "")
                    new |= {} if die in self.known else {die: link}
            else:
                self.shared = fact.get("shared_dice", self.shared) is True
        fits = fits and len({*new.values()}) < 2 and all(not link or self.follow(link) for link in {*new.values()})
        self.known |= new
        return fits

    def follow(self, link: str) -> bool:
        """Move the chain on of which a link is the next one; return whether there is one."""
        is_new = HASH.fullmatch(link) and link not in self.known.values()
        for who, (last, left) in self.chains.items() if is_new else ():
            before = link
            for steps in range(1, (min(left, 1) if self.whole else left) + 1):
                if (before := sha(*self.lines, before, who)) == last:
                    self.chains[who] = link, left - steps
                    return True
        return False


class Verifier:
    """A ledger or a bundle, which is checked record after record in the order of writing."""

    def __init__(self, heads: dict[int, list[str]], words: list[str]) -> None:
        self.heads, self.words, self.position, self.hash, self.last = heads, words, 0, GENESIS, (0, 0, 0)
        self.sessions, self.findings, self.told = dict[int, list[Json]](), list[str](), list[str]()
        self.format = 3

    def find(self, where: str, what: object) -> None:
        """Note that something differs. Nobody needs to read more than a hundred such lines."""
        self.findings.append(f"{where}: {what}")
        if len(self.findings) >= FINDINGS_MOST:
            raise OSError(f"nothing is read after {FINDINGS_MOST} findings")

    def add(self, position: Any, public: bytes, sealed: bytes | None, claimed: Any, seals: list[str]) -> Json:
        """Check the next record. Return as much of it as is there."""
        self.position, record = self.position + 1, Json()
        where, seals = f"position {self.position}", seals if sealed is None else [sha(sealed)]
        try:
            record = shown = read_record(public, self.position, whole=not seals)
            record = shown if sealed is None else read_record(sealed[32:], self.position, whole=True)
            said = [fact["said"] for fact in facts_of([record], "declared")]
            facts = [fact for fact in record["facts"] if fact["fact"] in (*OPEN, "rolled")]
            id, whole = (record["session"], record["number"], record["insert"]), sealed is not None or not seals
            slim = {**record, "facts": facts, "said": said, "whole": whole, "behind": id < self.last or id[2] > 0}
            self.last, self.format = max(id, self.last), max(record["v"], self.format)
            self.sessions.setdefault(record["session"], []).append(slim)
            salt = (seals or [GENESIS])[0] if sealed is None else sealed[:32].decode() * 2
            if position != self.position or not HASH.fullmatch(salt) or not (seals or record["seen"] == "table"):
                raise ValueError("its position or its salt is no such number, or it is secret and not sealed")
            if sealed is not None:
                check_part(shown, record)
        except FAULTS as error:
            self.find(where, error if type(error) is ValueError else f"it cannot be understood ({error!r})")
        if claimed != sha("campaign-ledger record v3", self.hash, sha(public), *seals):
            self.find(where, "its hash does not match its bytes and the record before")
        self.hash = str(claimed)
        for kept in self.heads.pop(self.position, []):
            if kept not in (self.hash, read_aloud(self.hash, self.words)):
                self.find(where, "its hash differs from the head that was kept")
        return record

    def finish(self) -> list[Any]:
        """Check what only the whole shows. Return what the first line of a bundle should say of it."""
        for position in self.heads:
            self.find(f"position {position}", f"a head was kept there, but the last position is {self.position}")
        if sorted(self.sessions) != list(range(len(self.sessions))):
            self.find("ledger", "a session is missing")
        created, books = [*facts_of(self.sessions.get(0, []), "campaign-created"), Json()][0], list[list[str]]()
        for session, records in sorted(self.sessions.items()):
            self.check_session(session, records, created.get("ledger", ""))
            opened = facts_of(records, "session-opened")[-1:]
            books += ([str(session), f"{each['rulebook']} revision {each['revision']}"] for each in opened)
        names, head = map(created.get, ("ledger", "name", "game")), f"{self.position} {self.hash}"
        return [self.format, *names, books, self.position, head]

    def check_session(self, session: int, records: list[Json], ledger: str) -> None:
        """Check the entries of a session, its seed, its throws and its faces. Tell what the faces rest on."""
        opened, closed = facts_of(records, "session-opened"), facts_of(records, "session-closed")
        seed = [*(fact["seed"] for fact in closed if fact["seed"]), ""][0]
        committed = sha("campaign-ledger commit v2", ledger, str(session), seed)
        if seed and not (committed in [fact["commitment"] for fact in opened] and HASH.fullmatch(seed)):
            self.find(f"session {session}", "the seed is not the one that it committed to")
            seed = ""
        whole = all(record["whole"] for record in records)
        links = ChainLinks(ledger, session, whole=whole)
        entries, words, taken = dict[Any, list[Json]](), dict[Any, list[tuple[str, str]]](), Counter[tuple[str, int]]()
        for record in records:
            where, id = f"position {record['position']}", (record["number"], record["insert"])
            before, own, said = entries.setdefault(id, []), dict[str, int](), record["said"]
            is_free = record["whole"] and record["cause"] is None
            if record["take"] != len(before) + 1 or (is_free and (before[-1]["said"] if before else record["behind"])):
                self.find(where, "a take is missing before it, or no correction is its cause")
            rolls = [fact for fact in facts_of([record], "rolled") if fact["source"] != "table"]
            record["throws"] = {fact["purpose"]: fact["throw"] for fact in rolls}
            for take in sorted(before, key=lambda take: bool(take["said"] == said)) if record["cause"] else ():
                own |= take["throws"]
            taken.subtract(before[-1]["throws"].items() if before else ())
            words[id] = [(fact["who"], fact["words"]) for fact in facts_of([record], "words-added")]
            key = session_key(seed, ledger, session, [pair for _, pairs in sorted(words.items()) for pair in pairs])
            for purpose, number in record["throws"].items():
                lowest = next(free for free in count(1) if not taken[purpose, free])
                if not opened or (whole and number != own.get(purpose, lowest)):
                    self.find(where, f"throw {number} for {purpose} has a number that it cannot have")
            for fact in rolls if seed else ():
                if any(shown != face(key, *die, link) for die, link, shown in dice_of(fact)):
                    what = f"throw {fact['throw']} for {fact['purpose']}"
                    self.find(where, f"the faces of {what} are not those that the seed gives")
            if not links.fit(record["facts"]):
                self.find(where, "a link of its dice is not the next one of a chain, or not the one that they had")
            taken.update(record["throws"].items())
            before.append(record)
        for (number, insert), id in pairwise([(-1, 0), *sorted(entries)]):
            if id not in ((number + 1, 0), (number, insert + 1)):
                self.find(f"entry {session}.{id[0]}", "the entry before it is missing")
        speakers = ", ".join(who for _, pairs in sorted(words.items()) for who, _ in pairs) or "nobody"
        self.told.append(f"session {session}: {proof_of(records, seed, links)}; words of {speakers}")


def proof_of(records: list[Json], seed: str, links: ChainLinks) -> str:
    """Return what the faces of a session rest on."""
    opened, closed = facts_of(records, "session-opened"), facts_of(records, "session-closed")
    rolls = facts_of(records, "rolled")
    faces = Counter(fact["source"] == "table" for fact in rolls for _ in fact["dice"])
    alone = sum(not link for fact in rolls if "links" in fact for _, link, _ in dice_of(fact))
    proof = "drawn from the seed" if seed else "of a lost seed" if closed else "of a secret seed"
    proof += " (which was fixed: open --seed)" if any(fact["fixed"] for fact in opened) else ""
    proof += f" with links of players' pages, {alone} of them without" if links.shared else ""
    return f"{faces[False]} faces {proof}, {faces[True]} typed"


def read_ledger(path: Path, verifier: Verifier) -> str:
    """Check a ledger.db. Return what it is."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    if db.execute("SELECT * FROM pragma_application_id, pragma_user_version").fetchone() != (1279543122, 3):
        raise ValueError("it is not a ledger of format 3")
    for position, public, sealed, *row in db.execute(SELECT):
        record = verifier.add(position, public, sealed, row[0], [])
        if record and row[1:] != [record[name] for name in ("session", "number", "insert", "take", "request")]:
            verifier.find(f"position {position}", "its columns differ from its record")
    return f"a ledger of {verifier.finish()[2]}"


def read_bundle(path: Path, verifier: Verifier) -> str:
    """Check a bundle. Return what it is."""
    with path.open("rb") as file:
        opener = gzip.open if file.read(2) == b"\x1f\x8b" else open
    with opener(path, "rb") as lines:
        header = parse(lines.readline(LINE_MOST)[:-1])
        hidden = {"gm": "sealed", "players": "sealed_hash"}.get(header["for"])
        if [*header] != HEADER or [*header.values()][:3] != ["campaign-ledger", 1, header["format"]] or not hidden:
            raise ValueError("it is neither a ledger nor a bundle")
        for line in iter(lambda: lines.readline(LINE_MOST), b""):
            part = parse(line[:-1])
            if [*part] not in (["position", "public", "hash"], ["position", "public", hidden, "hash"]):
                raise ValueError(f"line {verifier.position + 2} is not that of a record")
            sealed = part["sealed"].encode() if "sealed" in part else None
            verifier.add(part["position"], part["public"].encode(), sealed, part["hash"], [*part.values()][2:-1])
    if [header[name] for name in ("format", *HEADER[4:])] != verifier.finish():
        verifier.find("line 1", "it says something else than the records, or the file is cut off")
    return f"a bundle of {header['campaign']} for {header['for']}"


def main() -> int:
    """Check the file that the command line names, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--head", action="append", default=[], help="a head that you kept, as '17 3f9c...' or in words")
    parser.add_argument("--words", type=Path, help="the list of words that heads are read aloud in")
    options = parser.parse_args()
    words = options.words.read_text().split() if options.words else []
    heads, form = dict[int, list[str]](), "[0-9]{1,12} ([0-9a-f]{64}" + ("|[a-z]+( [a-z]+){3})" if words else ")")
    for head in options.head:
        if not re.fullmatch(form, head.lower()):
            parser.error(f"'{head}' is not a head: a position and 64 hex digits, or four words of the list in --words")
        heads.setdefault(int(head.split()[0]), []).append(head.lower().partition(" ")[2])
    verifier, code = Verifier(heads, words), 3
    try:
        with options.file.open("rb") as file:
            read = read_ledger if file.read(6) == b"SQLite" else read_bundle
        lines = [f"{options.file} is {read(options.file, verifier)}"]
        code = 1 if verifier.findings else 0
    except (OSError, EOFError, sqlite3.Error, zlib.error, *FAULTS) as error:
        lines = [f"{options.file} cannot be read on: {error}"]
    head = f"head {verifier.position} {verifier.hash} {read_aloud(verifier.hash, words)}".rstrip()
    ends = "nothing differs; no rule was applied", "it differs", "", "it was not read to its end"
    for line in (*lines, *verifier.findings, *verifier.told, head, ends[code]):
        print("".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line))
    return code


if __name__ == "__main__":
    raise SystemExit(main())
