"""Declare one line: parse it and append its record. Shared by `do`, `run` and `watch`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from cli.notation.examples import example_hint
from cli.notation.known_beings import match_being
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.subject import subject_column
from cli.notation.tokens import AMEND_MARK, GM_MARK, REDO, UNDO, UNDO_LINE, normalize_line
from cli.notation.verb_parser import nearest_to_free_text
from cli.play.only_speaker import with_known_speaker, with_only_speaker
from cli.play.spoken import hear
from cli.questions.last_names import names_in_last_lines
from cli.questions.line_scope import line_scope
from cli.questions.possible import anybody_can_answer, why_refused
from ledger.acts import CutShort, repeated_refusal
from ledger.declarations import Declaration, Ruling
from ledger.declared_line import DeclaredLine
from ledger.dice import Ask
from ledger.errors import LedgerError, Refused, Unreadable, stored_errors
from ledger.facts import GM, PointsLost, PoolSet, parse_entry_id
from ledger.records import Record
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.beings import name_list
from rulebooks.common.game import Game
from rulebooks.common.options import dice_are_at_the_table

SET: Final = "set"  # begins a line that changes a sheet: set kess level 3 "why"
CLOSE: Final = "close"
QUOTED: Final = re.compile(r'"[^"]+"')
LETTING_GO: Final = (CLOSE, "pass", "end")


def ask_running_table(ledger: Ledger[State]) -> None:
    """Let a ledger whose dice are shared ask the table that is served beside it for links, unless others are asked."""
    if ledger.links is None and ledger.shares_dice and isinstance(ledger.store, SqliteStore):
        from pathlib import Path  # both imported here to start faster

        from cli.play.running_table import RunningTable

        ledger.links = RunningTable(ledger, Path(ledger.store.path).parent)


def declare_line(
    ledger: Ledger[State],
    book: Game,
    text: str,
    *,
    at: str,
    request: str | None = None,
    ask: Ask | None = None,
    parsed: Sequence[ParsedLine] | None = None,
    in_words: bool = False,
    note: Callable[[str], None] = lambda _: None,
) -> Record | None:
    """Append the records of one line, and return the last; None for an empty line, a comment, or a pass of nothing.

    It is one record, except where several say the line. Raises CutShort if only the first of them could.

    `ask` returns the faces of a throw; it is asked if the table rolls its own dice and the line has no faces.
    `parsed`: how the line reads now, if that is known. `in_words`: it may be said in other words than the grammar's.
    `note` takes what is remarked about the line.

    Raises Unreadable for a line that cannot be read, Refused for one that the rules do not allow.
    """
    line = normalize_line(text)
    if earlier := find_taken(ledger, book, line.strip(), request):
        return earlier
    if is_sheet_line(line) and not match_being(SET, line_scope(ledger.state, book)).words:
        from cli.play.sheet_line import change_by_line  # imported here to start faster: few lines change sheets

        return change_by_line(ledger, book, line, at=at, request=request)
    if is_correction(line.strip()):
        return declare_correction(ledger, book, line.strip(), at=at, request=request)
    if nothing := let_go_of_nothing(ledger, book, line.strip()):
        note(f"Nothing to do: {nothing}.")
        return None
    if parsed is None:
        parsed = parse_in_words(line, ledger, book, note) if in_words else parse_now(line, ledger, book)
    said = in_order_of_play(parsed, ledger, book)
    if not said:
        return None
    first = said[0]
    declared = DeclaredLine(
        at=at,
        text=first.line,
        faces=first.faces,
        ask=ask if dice_are_at_the_table(ledger.state.state) else None,
        request=request,
        seen=first.seen,
        claims=first.claims,
    )
    return declare_said(ledger, book, said, declared, note)


def parse_now(line: str, ledger: Ledger[State], book: Game, scope: Scope | None = None) -> Sequence[ParsedLine]:
    """Return a line of the grammar as each of its speakers says it. `scope`: that of the ledger now, if it is there."""
    scope = scope or line_scope(ledger.state, book)
    return parse_each(with_only_speaker(line, ledger.state, book, scope), scope)


def parse_in_words(line: str, ledger: Ledger[State], book: Game, note: Callable[[str], None]) -> Sequence[ParsedLine]:
    """Return a line in any words as each of its speakers says it; `note` takes the line that it was read as."""
    names = [being.name for being in ledger.state.state.beings_in_order()]
    heard = hear(line, ledger.state, book, partial(names_in_last_lines, ledger.store, ledger.state.last, names))
    if heard.then:
        hint = f"Say one after the other: {heard.line}, then: {heard.then}."
        raise Unreadable(f"'{line.strip()}' says two acts", hint=hint)
    if heard.line:
        note(f"= {heard.line}")
    return heard.parsed


def find_taken(ledger: Ledger[State], book: Game, line: str, request: str | None) -> Record | None:
    """Return the last record of a line that was taken under this request before. Raises Refused if that was another."""
    earlier = None if request is None else ledger.store.find_request(request)
    if earlier is None:
        return None
    if not (_changes_sheet(earlier, line, ledger, book) or _says(earlier, line, line_scope(ledger.state, book))):
        raise Refused(
            "L-REQUEST",
            f"this line was taken before as: {earlier.line or 'another change of a sheet'}",
            hint="Write the change as a line of its own.",
        )
    if earlier.is_cut_short:
        raise repeated_refusal(earlier)
    return earlier


def declare_said(
    ledger: Ledger[State], book: Game, said: Sequence[ParsedLine], line: DeclaredLine, note: Callable[[str], None]
) -> Record | None:
    """Append what those who say a line declare, and return the last record; None if there was nothing to do."""
    ask_running_table(ledger)
    first = said[0]
    can_answer = first.announced and anybody_can_answer(ledger.state, book, first.declaration)
    try:
        record = ledger.declare_each([each.recorded if can_answer else each.declaration for each in said], line)[-1]
    except CutShort:  # the first of them are kept: nobody says it again
        raise
    except Refused as refused:
        if fewer := still_to_come(said, ledger):
            return declare_said(ledger, book, fewer, line, note)
        nothing = all_acted(said, ledger, book) or (refused.sentence if refused.is_idle else "")
        if not nothing:
            scope = line_scope(ledger.state, book)
            column = subject_column(first.line, refused.what, scope)
            now = as_it_is_now(refused, said, ledger, book)
            now = with_example(with_nearest(now, first.declaration, scope), first, scope)
            raise now.at_column(column) from None
        note(f"Nothing to do: {nothing}")
        return None
    if is_passing_ruling(first.declaration):
        note("The ruling holds for this moment: with session or campaign at the end of its line it holds longer.")
    for told in undone_by_hand(first.declaration, record, ledger, book):
        note(told)
    if first.announced and not can_answer:
        note("Nobody can answer, so it happens at once.")
    if first.faces and record.declared and not record.declared.faces:
        note("No roll was made: the typed faces are not recorded.")
    return record


def undone_by_hand(said: Declaration, record: Record, ledger: Ledger[State], book: Game) -> list[str]:
    """Return what does not follow from the numbers that an adjustment or a ruling has changed."""
    if not isinstance(said, Adjust | Ruling):
        return []
    whose = dict.fromkeys(fact.who for fact in record.facts if isinstance(fact, PointsLost | PoolSet))
    return [told for who in whose if (told := book.guide.left_undone(who, ledger.state.state))]


def as_it_is_now(refused: Refused, said: Sequence[ParsedLine], ledger: Ledger[State], book: Game) -> Refused:
    """Return the refusal of one of several who say a line, as of now: nothing that was said before them is kept."""
    one = next((each for each in said if each.declaration.by == refused.where), None)
    if len(said) < 2 or one is None:
        return refused
    who = one.declaration.by
    alone = why_refused(ledger.state, book, one.declaration)
    if isinstance(alone, Refused):
        return alone.at(who)
    return refused.with_hint(f"It would be so after the others: say it for {who} in a line of its own")


def _changes_sheet(record: Record, line: str, ledger: Ledger[State], book: Game) -> bool:
    """Return whether a record is the change of a sheet that a line says."""
    if record.line or not is_sheet_line(line):
        return False
    from cli.play.sheet_line import is_change_of_sheet  # imported here to start faster: few lines change sheets

    return is_change_of_sheet(record, line, ledger, book)


def _says(record: Record, line: str, scope: Scope) -> bool:
    """Whether a record was written for this line: as it is, with the whole name of its speaker, or undoing an undo."""
    if line == REDO:
        return UNDO_LINE.fullmatch(record.line) is not None
    return record.line in (line, with_known_speaker(line, record.by, scope))


def is_passing_ruling(said: Declaration) -> bool:
    """Whether it is a ruling in words that nobody has said to hold longer than now."""
    return isinstance(said, Ruling) and said.scope == "once" and not (said.result or said.changes or said.repeals)


def with_nearest(refused: Refused, said: Declaration, scope: Scope) -> Refused:
    """Return a refusal that asks for the verb or the known task that an unknown task looks like."""
    near = [word for word in nearest_to_free_text(said, scope) if word not in refused.hint]
    told = f"{refused.hint.rstrip('.')}. " if refused.hint else ""
    return refused.with_hint(f"{told}Did you mean '{near[0]}'?") if near else refused


def with_example(refused: Refused, said: ParsedLine, scope: Scope) -> Refused:
    """Return a refusal for want of a text with the line that has the text of the declaration's example."""
    declaration, field = said.declaration, refused.field
    if not field or getattr(declaration, field, None) != "":
        return refused
    text = QUOTED.search(example_hint(type(declaration), scope, declaration.by))
    line = f"{said.line.strip()} {text[0] if text else ''}"
    try:
        proposed = parse_each(line, scope)[0].declaration
    except LedgerError:
        return refused
    if not getattr(proposed, field, None):
        return refused
    return refused.with_hint(f"{refused.hint.rstrip('.')}. For example: {line}")


def let_go_of_nothing(ledger: Ledger[State], book: Game, line: str) -> str:
    """Return why `close`, `pass` or `end` lets nothing go, whoever says it; empty for any other line, and if it may."""
    state, words = ledger.state.state, line.removeprefix(GM_MARK).split()
    if not words or words[-1] not in LETTING_GO:
        return ""
    if state.windows and (words[-1] != CLOSE or any(CLOSE in kind.verbs for kind in book.declarations)):
        return ""
    scope, *speaker = line_scope(ledger.state, book), *words[:-1]
    if match_being(" ".join(words), scope).exact or (speaker and not match_being(" ".join(speaker), scope).words):
        return ""
    if words[-1] == CLOSE:
        return "No roll is open"
    with stored_errors(f"the state after entry {ledger.state.last}"):
        in_turn = state.encounter is not None or any(book.guide.next_up(state))
    return "" if in_turn else "Nobody is in turn"


def in_order_of_play(said: Sequence[ParsedLine], ledger: Ledger[State], book: Game) -> Sequence[ParsedLine]:
    """Return what several say in one line: those who may act now first, the others in the order of the line."""
    if len(said) < 2:
        return said
    with stored_errors(f"the state after entry {ledger.state.last}"):
        turns = list(book.guide.next_up(ledger.state.state))
    places = {who: place for place, who in enumerate(turns)}
    return sorted(said, key=lambda each: places.get(each.declaration.by, len(places)))


def still_to_come(said: Sequence[ParsedLine], ledger: Ledger[State]) -> Sequence[ParsedLine]:
    """Return those of a group whose place in this phase is still to come; nobody if all are, or each was named."""
    encounter, line = ledger.state.state.encounter, said[0].line
    if encounter is None or len(said) < 2 or "," in line.partition('"')[0]:
        return ()
    fewer = [each for each in said if each.declaration.by not in encounter.done]
    return fewer if len(fewer) < len(said) else ()


def all_acted(said: Sequence[ParsedLine], ledger: Ledger[State], book: Game) -> str:
    """Return that all of several have acted who let their turns go, and who comes next; empty if anybody has not."""
    state, speakers = ledger.state.state, [each.declaration.by for each in said]
    if state.encounter is None or len(said) < 2 or not all(type(each.declaration).lets_go for each in said):
        return ""
    if any(who not in state.encounter.done for who in speakers):
        return ""
    due = [who for who in book.guide.next_up(state) if who not in speakers]
    following = f" Next: {name_list(due, 'or')}." if due else ""
    return f"{name_list(speakers)} have acted already.{following}"


def redo_in_full(ledger: Ledger[State], line: str) -> str:
    """Return `undo 1.9` for `redo`, where 1.9 is the last undo; any other line as it is. Raises Refused."""
    if line.strip() != REDO:
        return line
    from ledger.corrections.undo import last_undo  # to start faster: few lines are corrections

    return f"{UNDO} {last_undo(ledger)}"


def is_sheet_line(line: str) -> bool:
    """Return whether a line changes a sheet."""
    return line.split(maxsplit=1)[:1] == [SET]


def is_correction(line: str) -> bool:
    """Whether a line corrects an earlier entry: `undo`, `undo 1.9`, `redo`, `~ 11 +cover`."""
    return line.startswith(AMEND_MARK) or line == REDO or UNDO_LINE.fullmatch(line) is not None


def declare_correction(ledger: Ledger[State], book: Game, line: str, *, at: str, request: str | None) -> Record:
    """Append a correction, and return its own record."""
    # Imported here to start faster: most lines correct nothing.
    if line.startswith(AMEND_MARK):
        from cli.play.amend_line import amend_by_line

        return amend_by_line(ledger, book, line, at=at, request=request).records[0]
    from ledger.corrections.undo import last_amendment, undo

    line = redo_in_full(ledger, line)
    undone = UNDO_LINE.fullmatch(line)
    entry = parse_entry_id(undone[1]) if undone and undone[1] else last_amendment(ledger)
    return undo(ledger, entry, by=GM, at=at, line=line, request=request)


def is_silent(text: str) -> bool:
    """Whether a line is empty or a comment."""
    return text.strip()[:1] in ("", ";")
