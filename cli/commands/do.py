"""`open`, `do`, `run`, `close`: an evening, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.notation.tokens import UNDO, normal_line
from cli.output import print_json, print_line, remark
from cli.play.say import corrects, say_line, silent
from cli.render.log import tell
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.facts import GM, Claimed, EntryId, parse_entry_id
from ledger.names import normalized
from ledger.records import Record, encode
from ledger.service import Ledger
from projections.state import State

SESSION_BYTES_MOST = 1 << 20


@click.command()
@click.argument("title", default="")
@click.option("--seed", help="A text that fixes the dice, for tests and samples; marked for ever.")
@pass_campaign
def open_command(context: CampaignContext, title: str, seed: str | None) -> None:
    """Open the next session, called TITLE. Post the commitment where the players see it.

    Example: campaign open "Rooftops of the Salt Ward"
    """
    table = context.ledger(write=True)
    with input_errors():
        record = opened(table, title, seed, at=context.now)
    shown(record, as_record=False)
    remark(f"head {table.store.head()}")


def opened(table: Ledger[State], title: str, seed: str | None, *, at: str) -> Record:
    """Open a session, with a secret seed unless a text fixes it."""
    return table.open_session(
        normalized(title, where="title", most=200), at=at, seed=None if seed is None else fixed_seed(normalized(seed))
    )


@click.command()
@click.argument("words", metavar="LINE", nargs=-1, required=True)
@click.option("--request", help="A key: the same line said again with it counts once.")
@click.option("--json", "as_record", is_flag=True, help="Print the record as it is stored.")
@pass_campaign
def do_command(context: CampaignContext, words: tuple[str, ...], request: str | None, as_record: bool) -> None:
    """Say one LINE and keep what comes of it.

    Examples: campaign do 'k sneak v5 e1'   campaign do 'o "force the door" m v5 c3 e1 /6.6'
    campaign do '! doom 1 change-target'   campaign do '# The lamp room'
    """
    if len(words) > 1:
        raise click.UsageError(f"Put the line in single quotes: campaign do '{' '.join(words)}'")
    table = context.ledger(write=True)
    with input_errors():
        key = None if request is None else normalized(request, where="--request", most=200)
        if corrects(words[0].strip()) and key is None and not as_record:
            for text in aloud(table, context, normal_line(words[0]).strip()):
                print_line(text)
            return
        records = say_line(table, context.book(), words[0], at=context.now, request=key)
    if not records:
        remark("An empty line or a comment: nothing to keep.")
    for record in records:
        shown(record, as_record)
        if isinstance(record.facts[-1], Claimed) and not as_record:
            disputed(table, record)


def disputed(table: Ledger[State], record: Record) -> None:
    """Where the table has other values than the ledger: since when."""
    from cli.queries.claim_mismatch import parted

    for line in parted(table.store, record):
        print_line(line)


def aloud(table: Ledger[State], context: CampaignContext, line: str) -> Iterator[str]:
    """A correction, with all that it makes otherwise."""
    from cli.commands.amend import taken_back, tilded, told
    from cli.render.whatif import foretold
    from ledger.corrections.amend import last_amendment, plan_undo

    if undone := UNDO.fullmatch(line):
        correction = plan_undo(table, parse_entry_id(undone[1]) if undone[1] else last_amendment(table), by=GM)
        yield from taken_back(table, correction, at=context.now, line=line)
        return
    settled = tilded(table, context.book(), line, at=context.now)
    yield from foretold(settled.correction.sight)
    yield from told(settled)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_record", is_flag=True, help="Print the records as they are stored.")
@pass_campaign
def run_command(context: CampaignContext, file: Path, as_record: bool) -> None:
    """Say the lines of FILE (.session) one by one, and stop at the first that is refused.

    Run again after mending it: lines that were taken are not taken twice.

    Example: campaign run sessions/1.session
    """
    table = context.ledger(write=True)
    for record in ran(context, table, file):
        shown(record, as_record)


def ran(context: CampaignContext, table: Ledger[State], file: Path) -> Iterator[Record]:
    """The new records of a session file, one by one. Raises with file and line at the first that is refused."""
    return lines_said(context, table, file, session_lines(file))


def lines_said(context: CampaignContext, table: Ledger[State], file: Path, lines: list[str]) -> Iterator[Record]:
    """The new records of these lines of a file: those behind the last that was taken, in their order."""
    book = context.book()
    key = f"{table.state.session.number}:{file.name}:"
    taken = lines_taken(table, key)
    for number, line in enumerate(lines, start=1):
        try:
            if number not in taken and number < max(taken, default=0) and not silent(line):
                raise _too_late()
            records = say_line(table, book, line, at=context.now, request=f"{key}{number}")
        except LedgerError as error:
            error.where = f"{file}:{number}" + (f", {error.where}" if error.where else "")
            raise
        yield from (record for record in records if number not in taken)


def lines_taken(table: Ledger[State], key: str) -> set[int]:
    """The numbers of the lines that were taken before, of the file and session whose requests begin with `key`."""
    asked = (record.request or "" for record in table.store.takes(after=EntryId(table.state.last.session, -1)))
    numbers = (request.removeprefix(key) for request in asked if request.startswith(key))
    return {int(number) for number in numbers if number.isdecimal()}


def _too_late() -> Refused:
    """A line that was put before others that were taken."""
    return Refused(
        "L-REQUEST",
        "lines behind this one were taken before",
        hint="Say it at the end of the file, or put back what was",
    )


def session_lines(file: Path, *, ended: bool = False) -> list[str]:
    """The lines of a session file, or only those that end in a newline. Raises Unreadable when it is no text."""
    try:
        if not file.is_file():
            raise Unreadable("there is no such file", where=str(file), hint="Name a .session file.")
        if file.stat().st_size > SESSION_BYTES_MOST:
            raise Unreadable("the file is larger than 1 MiB", where=str(file), hint="Split it.")
        body = file.read_bytes()
        return (body[: body.rfind(b"\n") + 1] if ended else body).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is no UTF-8 text: {error}", where=str(file)) from error
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}", where=str(file)) from error


@click.command()
@click.option("--seed-lost", is_flag=True, help="The seed file is gone for good: its faces stay unproved for ever.")
@pass_campaign
def close_command(context: CampaignContext, seed_lost: bool) -> None:
    """Close the session and reveal its seed. Post the head where the players see it.

    Example: campaign close
    """
    table = context.ledger(write=True)
    shown(table.close_session(at=context.now, lost=seed_lost), as_record=False)
    print_line(f"head {table.store.head()}")


def shown(record: Record, as_record: bool) -> None:
    """One record, told or as it is stored."""
    if as_record:
        print_json(encode(record))
        return
    for line in tell(record):
        print_line(line)
