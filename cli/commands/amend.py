"""`amend`, `undo` and lines that begin with `~`: what was said is corrected, and everything since decided again.

The preview comes first, and is what is then written, or nothing is. How it is settled is said (retcon, stand,
compensate), or the table's custom for errors of this age says it; where the custom is to ask, nothing is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import click
import msgspec

from cli.commands.whatif import SIGNED, Changing, edited, edits_said, words_of
from cli.context import CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.notation.formatter import speak
from cli.notation.tokens import AMENDS, Token, entry_meant, normal_line, tokens_of
from cli.output import print_json, print_line, remark
from cli.render.log import INDENT, heading, tell
from cli.render.whatif import foresight_json, foretold
from ledger.builtin import correction_policy
from ledger.corrections.amend import (
    Correction,
    check_not_last,
    check_writable,
    compensate,
    entry_age,
    last_amendment,
    last_line,
    named_takes,
    note_error,
    plan_amendment,
    plan_compensation,
    plan_undo,
    write_correction,
)
from ledger.errors import Refused, Unreadable
from ledger.facts import ENTRY_ID, GM, EntryId, Rolled, parse_entry_id
from ledger.names import normalized, valid_name
from ledger.records import Record, encode
from ledger.service import Ledger
from ledger.whatif import Edit
from projections.state import State
from rulebooks.common.game import Book

OUTCOMES: Final = ("retcon", "stand", "compensate")
AGES: Final = {
    "same_round": "of this round",
    "same_session": "of this session",
    "earlier_session": "of an earlier session",
}
NUMBERED = re.compile(r"[0-9]{1,6}(?:\+[0-9]{1,4})?", re.ASCII)


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """A correction: what was foreseen, how it is settled, and what was written of it."""

    correction: Correction
    outcome: str
    age: str
    records: tuple[Record, ...]
    left: tuple[str, ...] = ()  # values that no adjustment makes good


@click.command(cls=Changing, context_settings=SIGNED)
@edited
@click.option("--because", required=True, help="Why it is corrected.")
@click.option("--by", default=GM, help="Who says so.")
@click.option("--agreed", default="", help="Who agreed: Ana,Bo.")
@click.option("--retcon", is_flag=True, help="Write it as it should have been.")
@click.option("--stand", is_flag=True, help="Note the error; everything stays as it is.")
@click.option("--compensate", "make_good", is_flag=True, help="Make good now what ends otherwise.")
@click.option("--only", multiple=True, metavar="VALUE", help="With --compensate: only this value.")
@click.option("--pass", "passing", is_flag=True, help="Whose place newly opens passes it.")
@click.option("--json", "plain", is_flag=True, help="The preview and what was written, as JSON.")
@pass_campaign
@click.pass_context
def amend_command(
    ctx: click.Context,
    context: CampaignContext,
    entry: str | None,
    change: tuple[str, ...],
    drop: tuple[str, ...],
    insert: tuple[tuple[str, str], ...],
    faces: tuple[tuple[str, str], ...],
    because: str,
    by: str,
    agreed: str,
    retcon: bool,
    stand: bool,
    make_good: bool,
    only: tuple[str, ...],
    passing: bool,
    plain: bool,
) -> None:
    """Correct ENTRY: it was said with CHANGE (+1"in cover", v4, no rope, /7.6, a whole line). The preview comes first.

    Without --retcon, --stand or --compensate the table's custom for errors of this age decides; at a terminal you are
    asked, elsewhere nothing is written where the custom is to ask.

    Examples: campaign amend 2.14 +1"in cover" --because "we forgot the wall" --retcon
    campaign amend --insert 2.14 '! damage kess 2 "poison"' --because "the poison tick"
    """
    table, book = context.ledger(write=True), context.book()
    change, outcome = words_of(entry, change), chosen_of(retcon=retcon, stand=stand, compensate=make_good)
    edits = edits_said(table.store, book, entry, change, drop, insert, faces)
    if not edits:
        raise click.UsageError("Say what is corrected: ENTRY CHANGE, --drop or --insert.")
    with input_errors():
        by, names = valid_name(by, where="--by"), people(agreed)
        why = normalized(because, where="--because")
    if not why.strip():
        raise click.UsageError("Say why: --because is empty.")
    check_not_last(table, edits)
    correction = plan_amendment(table, edits, by=by, because=why, agreed=names)
    how = entry_age(table, min(edits))
    proposed = correction_policy(how, table.state.values())
    if not plain:
        for line in foretold(correction.sight):
            print_line(line)
    if outcome is None:
        outcome = proposed if proposed in OUTCOMES else None
        if sys.stdin.isatty() and not plain:
            outcome = asked(how, outcome)
    words = line_of(entry, change, drop, insert, faces)
    settled = settle(table, correction, outcome, how, line=words, at=context.now, only=only, passing=passing)
    if plain:
        print_json(settled_json(settled))
    else:
        for line in told(settled):
            print_line(line)
    ctx.exit(0 if settled.records else 1)


@click.command()
@click.argument("entry", required=False)
@click.option("--because", default="", help="Why it is taken back.")
@click.option("--pass", "passing", is_flag=True, help="Whose place newly opens passes it.")
@click.option("--json", "plain", is_flag=True, help="What it takes along and what was written, as JSON.")
@pass_campaign
def undo_command(context: CampaignContext, entry: str | None, because: str, passing: bool, plain: bool) -> None:
    """Take the last line back; or a correction, by its ENTRY: also an undo. Said again, a line meets the same dice.

    Examples: campaign undo   campaign undo 1.9
    """
    table = context.ledger(write=True)
    with input_errors():
        id = last_amendment(table) if entry is None else parse_entry_id(entry)
        why = normalized(because, where="--because")
    words = "undo" if id is None else f"undo {id}"
    correction = plan_undo(table, id, by=GM, because=why)
    if plain:
        check_writable(correction)
        check_opened(correction, passing=passing)
        own, takes = write_correction(table, correction, at=context.now, line=words)
        print_json(settled_json(Settled(correction=correction, outcome="undo", age="", records=(own, *takes))))
        return
    for line in taken_back(table, correction, passing=passing, at=context.now, line=words):
        print_line(line)


def taken_back(
    table: Ledger[State], correction: Correction, *, passing: bool = False, at: str, line: str
) -> Iterator[str]:
    """Write an undo and tell what it takes along; where it names a correction, before anything is written."""
    if line != "undo":
        yield from foretold(correction.sight)
    check_writable(correction)
    check_opened(correction, passing=passing)
    own, _ = write_correction(table, correction, at=at, line=line)
    yield from tell(own)
    for undone in named_takes(table.store, own):
        if undone.facts:
            yield f"{INDENT}it was: {heading(undone)}"


def chosen_of(**outcomes: bool) -> str | None:
    """The one outcome that was chosen, if any. Raises UsageError for several."""
    found = [name for name, said in outcomes.items() if said]
    if len(found) > 1:
        raise click.UsageError(f"An error is settled in one way: --{' or --'.join(found)}.")
    return found[0] if found else None


def asked(how: str, proposed: str | None) -> str | None:
    """How the table settles it, asked at the terminal; None: not at all."""
    text = f"The error is {AGES[how]}. Settle it by"
    answer: str = click.prompt(text, type=click.Choice([*OUTCOMES, "nothing"]), default=proposed or "nothing", err=True)
    return answer if answer in OUTCOMES else None


def people(text: str) -> tuple[str, ...]:
    """Names with commas between them. Raises Unreadable for what is no name."""
    return tuple(valid_name(part.strip(), where="agreed") for part in text.split(",") if part.strip())


def settle(
    table: Ledger[State],
    correction: Correction,
    outcome: str | None,
    how: str,
    *,
    line: str,
    at: str,
    only: Sequence[str] = (),
    passing: bool = False,
    request: str | None = None,
) -> Settled:
    """Write a correction in this way, or not at all (None). Raises Refused where the table has to be asked first."""
    records: tuple[Record, ...] = ()
    left: list[str] = []
    if outcome in ("retcon", "compensate"):
        check_said(correction)
    if outcome == "retcon":
        check_writable(correction)
        check_opened(correction, passing=passing)
        own, takes = write_correction(table, correction, at=at, line=line, request=request)
        records = (own, *takes)
    elif outcome == "stand":
        records = (note_error(table, correction, "stand", at=at, line=line, request=request),)
    elif outcome == "compensate":
        check_named(correction, only)
        adjustments, left = plan_compensation(table, correction, only)
        pairs = [(said, speak(said)) for said in adjustments]
        own, more = compensate(table, correction, pairs, at=at, line=line, request=request)
        records = (own, *more)
    return Settled(correction=correction, outcome=outcome or "", age=how, records=records, left=tuple(left))


def check_said(correction: Correction) -> None:
    """Raises Refused where what is said anew needs faces itself: they are typed with it."""
    need = correction.sight.need
    if need is not None and str(need.id) in {entry.partition("@")[0] for entry, _ in correction.said.edits}:
        faces = ".".join(str((sides + 1) // 2) for sides in need.sides)
        raise Refused(
            "L-NEEDS",
            f"entry {need.id} needs faces that were never drawn, for '{need.purpose}'",
            hint=f"Throw them at the table, and type them behind what is said there, as in: {need.line} /{faces}",
        )


def check_named(correction: Correction, only: Iterable[str]) -> None:
    """Raises Refused where a value is to be made good that ends the same."""
    ends = [name for name, _, _ in correction.sight.values]
    for value in only:
        if correction.sight.need is None and value not in ends:
            hint = f"What ends otherwise: {', '.join(ends)}." if ends else "All values end the same: let it stand."
            raise Refused("L-AMEND", f"'{value}' is no value that ends otherwise", hint=hint)


def check_opened(correction: Correction, *, passing: bool) -> None:
    """Raises Refused where a place has newly opened and nobody has said what is done in it."""
    opened = correction.sight.of("newly open")
    if opened and not passing:
        raise Refused(
            "L-OPENED",
            "; ".join(f"a place of {fate.input.by} newly opens at {fate.id}" for fate in opened if fate.input),
            hint=f"They pass it: --pass. Or say what they did: --insert {_behind(opened[0].id)} 'LINE'",
        )


def _behind(id: EntryId) -> EntryId:
    """The entry behind which something is put in."""
    return EntryId(id.session, id.number)


def told(settled: Settled) -> Iterator[str]:
    """What was written, in lines."""
    if not settled.records:
        remark(f"Nothing is written. The error is {AGES[settled.age]}: say --retcon, --stand or --compensate.")
        return
    own, *others = settled.records
    yield from tell(own)
    if settled.outcome == "compensate":
        for record in others:
            yield from tell(record)
        if settled.left:
            yield f"{INDENT}not made good: {', '.join(settled.left)}"
        if not settled.correction.sight.values:
            yield f"{INDENT}nothing is to be made good: all values end the same"
    elif others:
        yield f"{INDENT}new takes: {', '.join(f'{take.id}@{take.take}' for take in others)}"


def settled_json(settled: Settled) -> dict[str, Any]:
    """The same for machines."""
    return {
        **foresight_json(settled.correction.sight),
        "age": settled.age,
        "outcome": settled.outcome,
        "left": settled.left,
        "written": [msgspec.Raw(encode(record)) for record in settled.records],
    }


def line_of(
    entry: str | None,
    change: Sequence[str],
    drop: Iterable[str],
    insert: Iterable[tuple[str, str]],
    faces: Iterable[tuple[str, str]],
) -> str:
    """The command as one line, for the log."""
    parts = [entry, *change] if entry else []
    parts += [f"--drop {text}" for text in drop]
    parts += [f"--insert {text} {line}" for text, line in insert]
    parts += [f"--faces {text} {shown}" for text, shown in faces]
    return " ".join([AMENDS, *parts])


# Lines


class Tilde(msgspec.Struct, frozen=True, kw_only=True):
    """What a line `~ 11 v4 because="the wall" agreed=Ana,Bo retcon` says."""

    entry: EntryId
    change: str
    because: str
    agreed: tuple[str, ...]
    outcome: str | None


def tilde(text: str, table: Ledger[State]) -> Tilde:
    """The parts of the line; without an entry it is about the last line. Raises Unreadable when it says nothing."""
    line = normal_line(text).strip()
    tokens = tokens_of(" " + line[1:])
    entry = entry_named(tokens, table)
    outcome = tokens.pop().raw if tokens and tokens[-1].raw in OUTCOMES else None
    because, kept = "", list[str]()
    agreed: tuple[str, ...] = ()
    for token in tokens:
        left, *right = token.split("=", 1)
        if right and left.raw == "because":
            because = right[0].text
        elif right and left.raw == "agreed":
            agreed = people(right[0].text)
        else:
            kept.append(token.raw)
    if not kept:
        raise Unreadable("nothing is changed", where="column 1", hint='Say what is other, as in: ~ 11 +1"in cover".')
    return Tilde(entry=entry, change=" ".join(kept), because=because, agreed=agreed, outcome=outcome)


def entry_named(tokens: list[Token], table: Ledger[State]) -> EntryId:
    """The entry that the first token names (`11`, `11+1` or `2.11`), taken off; else the last line."""
    if tokens and NUMBERED.fullmatch(tokens[0].raw):
        return parse_entry_id(f"{table.state.last.session}.{tokens.pop(0).raw}")
    if tokens and ENTRY_ID.fullmatch(tokens[0].raw):
        token = tokens.pop(0)
        return parse_entry_id(entry_meant(token, token.raw))
    return last_line(table).id


def typed_over(table: Ledger[State], id: EntryId, edit: Edit) -> bool:
    """Whether an edit puts faces of the table where dice were drawn."""
    takes = list(table.store.takes(after=id.before, upto=id))
    drawn = bool(takes) and any(isinstance(fact, Rolled) and fact.source != "table" for fact in takes[-1].facts)
    return drawn and edit.input is not None and edit.input.faces is not None


def tilded(table: Ledger[State], book: Book[State], text: str, *, at: str, request: str | None = None) -> Settled:
    """Correct as a `~` line says. Raises Refused where the custom is to ask and the line does not say how."""
    said = tilde(text, table)
    edits = edits_said(table.store, book, str(said.entry), [said.change])
    if not said.because and typed_over(table, said.entry, edits[said.entry]):
        raise Refused("L-AMEND", "faces are typed over those that were drawn", hint='Say why: because="...".')
    correction = plan_amendment(table, edits, by=GM, because=said.because, agreed=said.agreed)
    how = entry_age(table, said.entry)
    outcome = said.outcome or correction_policy(how, table.state.values())
    if outcome not in OUTCOMES:
        raise Refused(
            "L-ASK",
            f"entry {said.entry} is {AGES[how]}, and the line does not say how that is settled",
            hint=f"Look first (campaign whatif {said.entry} ...), then end it with retcon, stand or compensate.",
        )
    if how == "earlier_session" and not said.because:
        raise Refused("L-AMEND", f"entry {said.entry} is {AGES[how]}", hint='Say why: because="...".')
    try:
        return settle(table, correction, outcome, how, line=normal_line(text).strip(), at=at, request=request)
    except Refused as error:
        if error.code in ("L-NEEDS", "L-OPENED") and "--" in error.hint:
            error.hint += f" Both belong to the command: campaign amend {said.entry} ..."
        raise
