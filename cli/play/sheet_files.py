"""Sheet files: the declarations of those who join, and of changes to the sheets of those in play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from msgspec import structs

from cli.context import read_toml
from cli.errors import CommandError
from ledger import names
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused, Unreadable, stored_errors
from ledger.facts import Fact
from ledger.records import latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

COPIES_MOST: Final = 20
COPIES: Final = "copies"  # in a sheet: how many are cast of it


def read_sheets(book: Game, sheets: Iterable[str | Path], taken: Collection[str] = ()) -> list[tuple[str, Declaration]]:
    """Return the path and the declaration of each sheet; copies get numbers that are free beside the names `taken`.

    Raises CommandError with all errors.
    """
    declarations: list[tuple[str, Declaration]] = []
    errors: list[LedgerError] = []
    for path, copy in sheet_files(sheets):
        try:
            content = read_toml(path)
            for number in copy_numbers(content, copy, taken, str(path)):
                name = {"name": numbered_name(str(content["name"]), number, taken)} if number else {}
                declarations.append((str(path), book.sheet({**content, **name}, str(path))))
        except LedgerError as error:
            if str(error) not in map(str, errors):  # each copy of a sheet has the same
                errors.append(error)
    if errors:
        raise CommandError(*errors)
    return declarations


def copy_numbers(content: dict[str, Any], copy: int, taken: Collection[str], where: str) -> Iterable[int]:
    """Take `copies` out of a sheet, and return the numbers of the copies to cast; 0 for the sheet under its own name.

    `copy`: the number that the command asks for, which counts before the sheet's own. A sheet that is in play as copies
    is cast under its own name, for the caller to find them. Raises Unreadable for a wrong number, and for copies of a
    sheet without a name.
    """
    copies, name = content.pop(COPIES, 1), content.get("name")
    if type(copies) is not int or not 1 <= copies <= COPIES_MOST:
        hint = f"Write a number from 1 to {COPIES_MOST}."
        raise Unreadable(f"{COPIES} is {copies}", where=f"{where}, {COPIES}", hint=hint)
    if not copy and (copies == 1 or f"{name} 1" in taken):
        return [0]
    if name in (None, ""):
        raise Unreadable("the sheet has no name", where=f"{where}, name", hint='Write one: name = "...".')
    if copy:
        return [copy]
    return range(1, copies + 1)


def those_who_join_first(
    ledger: Ledger[State], sheets: Iterable[tuple[str, Declaration]]
) -> Iterator[tuple[str, Declaration]]:
    """Yield sheets in their order, but those that name others after these have joined: a group after its members.

    Each is decided before the next is asked for. A sheet that is refused also at the end is yielded as it is.
    """
    waiting = list(sheets)
    while waiting:
        ready = next((each for each in waiting if _can_join(ledger, each[1])), waiting[0])
        waiting.remove(ready)
        yield ready


def _can_join(ledger: Ledger[State], sheet: Declaration) -> bool:
    """Return whether a sheet of a newcomer is not refused now. Sheets of those in play need nobody."""
    if ledger.state.state.being(getattr(sheet, "name", "")):
        return True
    try:
        ledger.preview(sheet)
    except Refused:
        return False
    return True


def numbered_name(name: str, copy: int, taken: Collection[str]) -> str:
    """Return the name of a copy, with the next free number."""
    free = (f"{name} {number}" for number in count(1) if f"{name} {number}" not in taken)
    return next(islice(free, copy - 1, None))


def sheet_files(sheets: Iterable[str | Path]) -> Iterator[tuple[Path, int]]:
    """Yield the files that are named or are in a named folder, each with 0, or of `FILE*3` with the number of its copy.

    Raises Unreadable for a folder without sheets and for a number of copies out of range.
    """
    for sheet in sheets:
        name, star, copies = str(sheet).rpartition("*")
        if star and not Path(sheet).exists():
            number = names.parse_whole(copies, where=str(sheet))
            if not 1 <= number <= COPIES_MOST:
                raise Unreadable(f"{number} copies", where=str(sheet), hint=f"1 to {COPIES_MOST} can join at once.")
            yield from ((Path(name), copy) for copy in range(1, number + 1))
            continue
        path = Path(sheet)
        files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise Unreadable("there is no sheet in this folder", where=str(path), hint="Sheets are files named *.toml.")
        yield from ((file, 0) for file in files)


class ReasonMissing(click.UsageError):
    """A sheet has changed and no reason is given. `facts`: the changes."""

    def __init__(self, name: str, facts: Sequence[Fact]) -> None:
        super().__init__(f'the sheet of {name} has changed. Say why to append it: --because "a new level"')
        self.facts = facts


def sheet_change(ledger: Ledger[State], book: Game, sheet: Declaration, because: str) -> Declaration | None:
    """Return the declaration to append for a sheet: of a newcomer the sheet, of a being in play its changes, if any.

    Raises ReasonMissing for a change without a reason.
    """
    name = getattr(sheet, "name", "")
    before = last_cast(ledger, sheet) if ledger.state.state.being(name) else None
    if before == sheet:
        return None
    change = book.sheet_edits(sheet, because or "not said", before) if ledger.state.state.being(name) else None
    if change is None:
        return sheet
    facts = ledger.preview(change)
    if facts and not because:
        raise ReasonMissing(name, facts)
    return change if facts else None


def unchanged_copies(ledger: Ledger[State], sheet: Declaration) -> list[str]:
    """Return the beings that are numbered copies of this sheet as it is, in order; none if one has its name."""
    name = str(getattr(sheet, "name", ""))
    if ledger.state.state.being(name):
        return []
    known = (being.name for being in ledger.state.state.beings_in_order())
    copies = [being for being in known if being != name and names.name_of_copies(being) == name]
    named = ((copy, structs.replace(sheet, name=copy)) for copy in copies)
    return [copy for copy, own in named if last_cast(ledger, own) == own]


def last_cast(ledger: Ledger[State], sheet: Declaration) -> Declaration | None:
    """Return a sheet as it was last cast, in the form of this one; None if no entry has it."""
    name, fields = getattr(sheet, "name", ""), structs.fields(type(sheet))
    stored = {field.name for field in fields if field.default is not msgspec.UNSET}
    last: dict[str, Any] = {}
    entry = ""
    for take in latest_takes(ledger.store.takes()):
        if take.declared is not None and not take.line:
            said = msgspec.json.decode(take.declared.said)
            if isinstance(said, dict) and said.get("name") == name and said.keys() >= stored:
                last = {field.name: said[field.name] for field in fields if field.name in said}
                entry = str(take.id)
    with stored_errors(f"entry {entry}"):
        return msgspec.convert(last, type(sheet)) if last else None
