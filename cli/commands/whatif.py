"""`whatif`: what everything since an entry would be, had something else been said there. Nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import click
import msgspec

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError, input_errors
from cli.notation.edits import WITHOUT, changed
from cli.notation.line_parser import Said, read
from cli.notation.tokens import NUMBER, faces_typed, in_quotes, nearest, tokens_of
from cli.output import print_json, print_line, safe
from cli.play.say import around
from cli.render.whatif import foresight_json, foretold
from ledger.builtin import BUILTIN
from ledger.corrections.amend import plan_amendment
from ledger.errors import Unreadable
from ledger.facts import GM, EntryId, Fact, OptionSet, Scalar, parse_entry_id
from ledger.game import Claims, Declaration, decoder
from ledger.names import normalized
from ledger.position import LedgerState, load_state
from ledger.records import ENCODER
from ledger.redecide import Input, TakeHistory
from ledger.store import Store
from ledger.whatif import Edit, WhatIf, last_insert
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Book

INSERTS_MOST: Final = 9999
SIGNED: Final = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
UNQUOTED: Final = re.compile(r"([+-][^\W\d]*[0-9]+|[^\W\d]+=)(?=\w)([^\"]*\s[^\"]*)")


class Changing(click.Command):
    """A command whose words may begin with a sign, as -prone and -1"hail": none of their letters is an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Help is asked for by a word of its own."""
        return super().parse_args(ctx, ["--help" if word == "-h" else word for word in args])


def edited(command: Any) -> Any:
    """The arguments and options that say what was different."""
    for option in (
        click.option("--faces", multiple=True, nargs=2, metavar="ENTRY FACES", help="The faces that lay there: /7.6."),
        click.option("--insert", multiple=True, nargs=2, metavar="ENTRY LINE", help="A line put in behind an entry."),
        click.option("--drop", multiple=True, metavar="ENTRY", help="An entry that did not happen."),
        click.argument("change", nargs=-1),
        click.argument("entry", required=False),
    ):
        command = option(command)
    return command


@click.command(cls=Changing, context_settings=SIGNED)
@edited
@click.option("--option", "options", multiple=True, metavar="NAME=READING", help="Another reading of the book.")
@click.option("--session", type=click.IntRange(min=0), help="With --option: from this session on, else from the first.")
@click.option("--json", "plain", is_flag=True, help="Every entry with its facts in both worlds, as JSON.")
@pass_campaign
def whatif_command(
    context: CampaignContext,
    entry: str | None,
    change: tuple[str, ...],
    drop: tuple[str, ...],
    insert: tuple[tuple[str, str], ...],
    faces: tuple[tuple[str, str], ...],
    options: tuple[str, ...],
    session: int | None,
    plain: bool,
) -> None:
    """What would be, had ENTRY been said with CHANGE: +1"in cover", v4, dovel, no rope, /7.6, or a whole line.

    All later entries are decided again with the dice that they had; nothing is written.

    Examples: campaign whatif 2.14 +1"in cover"   campaign whatif 2.14 no rope   campaign whatif --drop 2.14
    campaign whatif --insert 2.14 '! damage kess 2 "poison"'   campaign whatif --option light_wound_cost=per_use
    """
    table, book = context.ledger(write=False), context.book()
    store = table.store
    edits = edits_said(store, book, entry, words_of(entry, change), drop, insert, faces)
    if session is not None and not options:
        raise click.UsageError("--session goes with --option.")
    if not edits and not options:
        raise click.UsageError("Say what was different: ENTRY CHANGE, --drop, --insert or --option.")
    start, readings = None, list[Fact]()
    if options:
        start = opening(store, session)
        readings = [chosen(book, load_state(store, StateProjection(), at=start.before), text) for text in options]
    sight = plan_amendment(table, edits, by=GM, because="").sight if edits else None
    if readings or sight is None:
        sight = WhatIf(store, book, StateProjection()).run(edits, start=start, chosen=readings)
    if plain:
        print_json(foresight_json(sight))
        return
    for line in foretold(sight):
        print_line(line)


def words_of(entry: str | None, change: Sequence[str]) -> tuple[str, ...]:
    """The words of a change, as a line has them. Raises NoSuchOption for one that looks like an option."""
    for word in (entry or "", *change):
        if word.startswith("--"):
            raise click.NoSuchOption(word.partition("=")[0][:60])
    return quoted(change)


def quoted(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a change as a line has them: a shell takes the marks off `+1"in cover"` and `no "knotted rope"`."""
    whole = [f"{found[1]}{in_quotes(found[2])}" if (found := UNQUOTED.fullmatch(word)) else word for word in words]
    pairs = zip(("", *whole), whole, strict=False)
    return tuple(
        in_quotes(word) if before == WITHOUT and " " in word and '"' not in word else word for before, word in pairs
    )


def opening(store: Store, session: int | None) -> EntryId:
    """The first entry of a session, or of all. Raises InputError when there is no such session."""
    wanted = EntryId(session or 0, 0)
    first = next(iter(store.takes(after=wanted.before)), None)
    if first is None or (session is not None and first.session != session):
        raise InputError(f"there is no session {session}", where="--session")
    return EntryId(first.session, 1) if session is None else first.id


def chosen(book: Book[State], place: LedgerState[State], text: str) -> Fact:
    """The reading that `NAME=READING` chooses, as if the table had. Raises InputError for what no book offers."""
    with input_errors():
        name, _, reading = normalized(text, where="--option", most=200).partition("=")
    option = book.texts().options.get(name)
    value: Scalar = int(reading) if NUMBER.fullmatch(reading) and len(reading) < 10 else reading
    if option is None:
        known = book.texts().options
        near = nearest(name, known)
        hint = f"The nearest: {', '.join(near)}." if near else f"There is: {', '.join(known)}."
        raise InputError(f"'{safe(name)}' is no option of this book", hint=hint)
    if not option.takes(value):
        raise InputError(f"'{safe(reading)}' is no reading of {name}", hint=f"There is: {option.domain}.")
    was = place.state.options.get(option.name, option.default)
    return OptionSet(rules=(option.gap,), name=option.name, was=was, now=value, because="supposed")


def edits_said(
    store: Store,
    book: Book[State],
    entry: str | None,
    change: Sequence[str],
    drop: Iterable[str] = (),
    insert: Iterable[tuple[str, str]] = (),
    faces: Iterable[tuple[str, str]] = (),
) -> dict[EntryId, Edit]:
    """What is said instead, by entry. Raises InputError for what is not there or cannot be read."""
    with input_errors():
        edits: dict[EntryId, Edit] = {}
        if entry is not None:
            if not change:
                known = parse_entry_id(entry)
                hint = f"Say what is other, as in: {known} v4. --drop, --insert and --option go without it."
                raise Unreadable("nothing is changed", hint=hint)
            _put(edits, parse_entry_id(entry), edit_of(store, book, parse_entry_id(entry), " ".join(change)))
        for text in drop:
            _put(edits, there(store, parse_entry_id(text)), Edit(input=None, outcome="drop"))
        for text, shown in faces:
            _put(edits, parse_entry_id(text), answer(store, book, parse_entry_id(text), shown))
        for text, line in insert:
            id = parse_entry_id(text)
            new = EntryId(id.session, id.number, 1 + last_insert((*ids_at(store, there(store, id)), *edits), id))
            _put(edits, new, put_in(book, load_state(store, StateProjection(), at=new.before), line))
        return edits


def _put(edits: dict[EntryId, Edit], id: EntryId, edit: Edit) -> None:
    """One edit for an entry. Raises Unreadable for a second."""
    if id in edits:
        raise Unreadable(f"entry {id} is changed twice", hint="Say all of its change at once.")
    edits[id] = edit


def ids_at(store: Store, id: EntryId) -> list[EntryId]:
    """The entries of a number: itself and what was put in behind it."""
    first = EntryId(id.session, id.number, -1)
    return [take.id for take in store.takes(after=first, upto=EntryId(id.session, id.number, INSERTS_MOST))]


def there(store: Store, id: EntryId) -> EntryId:
    """An entry that is there. Raises Unreadable, naming the one before it."""
    if not any(take.id == id for take in store.takes(after=id.before, upto=id)):
        last = load_state(store, StateProjection(), at=id).last
        raise Unreadable(f"there is no entry {id}", hint=f"Before it stands {last}.")
    return id


def said_at(store: Store, book: Book[State], id: EntryId) -> tuple[Input, Declaration]:
    """What is said at an entry, as it counts. Raises Unreadable where nothing is."""
    found = TakeHistory(store.takes(after=there(store, id).before)).input(id)
    if found is None:
        raise Unreadable(f"entry {id} was taken back", hint="Take the correction back, or say it anew.")
    return found, decoder(book, BUILTIN).decode(found.said)


def edit_of(store: Store, book: Book[State], id: EntryId, change: str) -> Edit:
    """An entry with a change."""
    found, was = said_at(store, book, id)
    said = changed(change, was, found.faces, around(load_state(store, StateProjection(), at=id.before), book))
    new = input_of(said, claims=said.claims or found.claims, seen=found.seen)
    return Edit(input=new, outcome="retcon", in_order=True)


def answer(store: Store, book: Book[State], id: EntryId, shown: str) -> Edit:
    """An entry as it was said, with the faces that lay there."""
    found, said = said_at(store, book, id)
    if not type(said).verbs:
        raise Unreadable(f"no dice are thrown at entry {id}", hint="Leave its faces out.")
    rest, faces = faces_typed(tokens_of(shown if shown.startswith("/") else f"/{shown}"))
    if rest or faces is None:
        raise Unreadable(f"'{shown}' are no faces", hint="Write them as in /7.6.")
    line = " ".join([*(token.raw for token in faces_typed(tokens_of(found.line))[0]), "/" + ".".join(map(str, faces))])
    new = msgspec.structs.replace(found, line=line, faces=faces, typed=None)
    return Edit(input=new, outcome="answer", in_order=True)


def put_in(book: Book[State], place: LedgerState[State], line: str) -> Edit:
    """A line that was forgotten, read as it would have been read there."""
    said = read(line, around(place, book))
    if said is None:
        raise Unreadable("nothing is put in", where="--insert", hint="Say a line.")
    new = Input(
        said=msgspec.Raw(ENCODER.encode(said.said)),
        by=said.said.by,
        line=said.line,
        faces=said.faces,
        claims=said.claims,
    )
    return Edit(input=new, outcome="insert", in_order=True)


def input_of(said: Said, *, claims: Claims, seen: str = "table") -> Input:
    """A line as what an entry is decided from."""
    raw = msgspec.Raw(ENCODER.encode(said.said))
    return Input(said=raw, by=said.said.by, line=said.line, faces=said.faces, claims=claims, seen=seen)
