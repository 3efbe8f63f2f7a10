"""The edits of entries that `whatif`, `amend` and `~` lines ask for: changes, drops, inserts, faces, readings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from cli.notation.edits import WITHOUT, parse_change
from cli.notation.known_words import nearest_words
from cli.notation.line_parser import ParsedLine, parse_line
from cli.notation.tokens import AMEND_MARK, NUMBER, quote, split_faces, tokenize
from cli.questions.line_scope import line_scope
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.errors import InputError, Unreadable, input_errors, stored_errors
from ledger.facts import GM, Claims, EntryId, OptionSet, Scalar, parse_entry_id
from ledger.game import decoder
from ledger.ledger_state import LedgerState, load_state
from ledger.names import escape, normalize
from ledger.records import ENCODER
from ledger.redecide import Input, TakeHistory
from ledger.store import Store
from ledger.whatif import Edit, last_insert
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

INSERTS_MOST: Final = 9999
UNQUOTED: Final = re.compile(r"([+-][^\W\d]*[0-9]+|[^\W\d]+=)(?=\w)([^\"]*\s[^\"]*)")


class EditArguments(NamedTuple):
    """The edits as they were typed: an entry with its change, entries to drop, lines to insert, faces to replace."""

    entry: str | None = None
    change: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    insert: tuple[tuple[str, str], ...] = ()
    faces: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        """The arguments as one line, for the log."""
        parts = [self.entry, *self.change] if self.entry else []
        parts += [f"--drop {text}" for text in self.drop]
        parts += [f"--insert {text} {line}" for text, line in self.insert]
        parts += [f"--faces {text} {faces}" for text, faces in self.faces]
        return " ".join([AMEND_MARK, *parts])


def requote(words: Sequence[str]) -> tuple[str, ...]:
    """Put back the quotation marks that a shell took off, as of `+1"in cover"` and `no "knotted rope"`."""
    whole = [f"{match[1]}{quote(match[2])}" if (match := UNQUOTED.fullmatch(word)) else word for word in words]
    pairs = zip(("", *whole), whole, strict=False)
    return tuple(
        quote(word) if before == WITHOUT and " " in word and '"' not in word else word for before, word in pairs
    )


def parse_edits(store: Store, book: Game, arguments: EditArguments) -> dict[EntryId, Edit]:
    """Return the edits by entry. Raises InputError for an entry that does not exist or a text that cannot be read."""
    edits: dict[EntryId, Edit] = {}

    def add(id: EntryId, edit: Edit) -> None:
        if id in edits:
            raise Unreadable(f"entry {id} is changed twice", hint="Put the whole change into one.")
        edits[id] = edit

    with input_errors():
        if arguments.entry is not None:
            id = parse_entry_id(arguments.entry)
            if not arguments.change:
                hint = f"Write what is different, as in: {id} v4. --drop, --insert and --option go without ENTRY."
                raise Unreadable("the change is empty", hint=hint)
            add(id, change_edit(store, book, id, " ".join(arguments.change)))
        for text in arguments.drop:
            add(existing_entry(store, parse_entry_id(text)), Edit(input=None, outcome="drop"))
        for text, faces in arguments.faces:
            add(parse_entry_id(text), faces_edit(store, book, parse_entry_id(text), faces))
        for text, line in arguments.insert:
            id = existing_entry(store, parse_entry_id(text))
            new = EntryId(id.session, id.number, 1 + last_insert((*entries_at(store, id), *edits), id))
            add(new, insert_edit(book, load_state(store, StateProjection(), at=new.before), line))
    return edits


def entries_at(store: Store, id: EntryId) -> list[EntryId]:
    """Return the entries of a number: itself and those inserted after it."""
    first = EntryId(id.session, id.number, -1)
    return [take.id for take in store.takes(after=first, upto=EntryId(id.session, id.number, INSERTS_MOST))]


def existing_entry(store: Store, id: EntryId) -> EntryId:
    """Return `id`. Raises Unreadable, naming the entry before it, if there is no such entry."""
    if not any(take.id == id for take in store.takes(after=id.before, upto=id)):
        last = load_state(store, StateProjection(), at=id).last
        raise Unreadable(f"there is no entry {id}", hint=f"The entry before it is {last}.")
    return id


def recorded_input(store: Store, book: Game, id: EntryId) -> tuple[Input, Declaration]:
    """Return the input of an entry and its declaration. Raises Unreadable if the entry was taken back, or Damaged."""
    recorded = TakeHistory(store.takes(after=existing_entry(store, id).before)).input(id)
    if recorded is None:
        raise Unreadable(f"entry {id} was taken back", hint="Undo that correction, or insert the line again.")
    with stored_errors("entry", id):
        return recorded, decoder(book, BUILTIN).decode(recorded.declaration_json)


def change_edit(store: Store, book: Game, id: EntryId, change: str) -> Edit:
    """Return the edit that changes an entry."""
    recorded, declaration = recorded_input(store, book, id)
    scope = line_scope(load_state(store, StateProjection(), at=id.before), book)
    parsed = parse_change(change, declaration, recorded.faces, scope)
    return Edit(
        input=line_input(parsed, claims=parsed.claims or recorded.claims, seen=GM if parsed.secret else recorded.seen),
        outcome="retcon",
        in_order=True,
    )


def faces_edit(store: Store, book: Game, id: EntryId, text: str) -> Edit:
    """Return the edit that gives an entry other faces."""
    recorded, declaration = recorded_input(store, book, id)
    if not type(declaration).verbs:
        raise Unreadable(f"entry {id} rolls no dice", hint="Leave out the faces.")
    rest, faces = split_faces(tokenize(text if text.startswith("/") else f"/{text}"))
    if rest or faces is None:
        raise Unreadable(f"'{text}' are not faces", hint="Write them as in /7.6.")
    tokens, _ = split_faces(tokenize(recorded.line))
    line = " ".join([*(token.raw for token in tokens), "/" + ".".join(map(str, faces))])
    new = msgspec.structs.replace(recorded, line=line, faces=faces, faces_by_purpose=None)
    return Edit(input=new, outcome="answer", in_order=True)


def insert_edit(book: Game, ledger_state: LedgerState[State], line: str) -> Edit:
    """Return the edit that inserts a forgotten line, read as it would have been read at that position."""
    parsed = parse_line(line, line_scope(ledger_state, book))
    if parsed is None:
        raise Unreadable("the inserted line is empty", where="--insert", hint="Write a line.")
    return Edit(input=line_input(parsed, claims=parsed.claims, seen=parsed.seen), outcome="insert", in_order=True)


def line_input(parsed: ParsedLine, *, claims: Claims, seen: str = "table") -> Input:
    """Return the input of an entry with this line."""
    raw = msgspec.Raw(ENCODER.encode(parsed.recorded))
    return Input(
        declaration_json=raw, by=parsed.recorded.by, line=parsed.line, faces=parsed.faces, claims=claims, seen=seen
    )


def first_entry(store: Store, session: int | None) -> EntryId:
    """Return the first entry of a session, or of the ledger. Raises InputError if there is no such session."""
    wanted = EntryId(session or 0, 0)
    first = next(iter(store.takes(after=wanted.before)), None)
    if first is None or (session is not None and first.session != session):
        raise InputError(f"there is no session {session}", where="--session")
    return EntryId(first.session, 1) if session is None else first.id


def parse_readings(
    store: Store, book: Game, session: int | None, options: Sequence[str]
) -> tuple[EntryId, list[OptionSet]]:
    """Return the entry from which other readings hold, and a fact for each `NAME=READING`."""
    start = first_entry(store, session)
    state = load_state(store, StateProjection(), at=start.before).state
    return start, [parse_reading(book, state, text) for text in options]


def parse_revision(book: Game, text: str | None) -> int | None:
    """Return the revision of the rules that is asked for, None if none is. Raises InputError if the game lacks it."""
    if text in (None, "latest"):
        return book.revision if text else None
    if not (NUMBER.fullmatch(text) and len(text) < 10 and 1 <= int(text) <= book.revision):
        there = "latest, or 1" if book.revision == 1 else f"latest, or 1 to {book.revision}"
        what = f"{book.name} has no revision '{escape(text)}' of its rules"
        raise InputError(what, where="--revision", hint=f"There is: {there}.")
    return int(text)


def parse_reading(book: Game, state: State, text: str) -> OptionSet:
    """Return the fact that sets an option as `NAME=READING` says. Raises InputError if the book has no such reading."""
    with input_errors():
        name, equals, reading = normalize(text, where="--option", most=200).partition("=")
    options = book.texts().options
    option = options.get(name)
    value: Scalar = int(reading) if NUMBER.fullmatch(reading) and len(reading) < 10 else reading
    if option is None:
        near = nearest_words(name, options)
        hint = f"The nearest: {', '.join(near)}." if near else f"There is: {', '.join(options)}."
        raise InputError(f"'{escape(name)}' is not an option of this book", hint=hint)
    if not equals:
        hint = f"Write it as {name}=READING. There is: {option.domain}."
        raise InputError(f"'{escape(name)}' lacks its reading", hint=hint)
    if not option.allows(value):
        raise InputError(f"'{escape(reading)}' is not a reading of {name}", hint=f"There is: {option.domain}.")
    was = state.options.get(option.name, option.default)
    rules = (option.gap,) if option.gap else ()
    return OptionSet(rules=rules, name=option.name, was=was, now=value, because="supposed")
