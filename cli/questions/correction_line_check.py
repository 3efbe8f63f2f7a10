"""Check the line of each correction: it must read as the change that its takes show.

An adjustment and the change of a note are in no take: of their lines only the entries are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from cli.notation.edits import parse_change
from cli.notation.formatter import format_declaration, format_faces
from cli.notation.line_parser import ParsedLine, parse_line
from cli.notation.tokens import (
    AMEND_MARK,
    OUTCOMES,
    SHORT_ENTRY,
    UNDO_LINE,
    split_faces,
    text_in_change,
    tokenize,
    without_lead_in,
)
from cli.questions.line_scope import line_scope
from ledger.builtin import BUILTIN
from ledger.correction_check import NOTES, is_note
from ledger.declarations import with_fallbacks, without_fallbacks
from ledger.errors import LedgerError, Unreadable, stored_errors
from ledger.facts import ENTRY_ID, VISIBLE, Amended, EntryId, parse_entry_id
from ledger.game import decoder
from ledger.line_tokens import TOKEN
from ledger.projection import Projection
from ledger.records import ENCODER, Record
from ledger.redecide import TakeHistory, corrected_entry
from ledger.take_check import Moments
from ledger.verify import Finding
from ledger.writing_order import Log, amended_facts, is_correction
from projections.state import State
from rulebooks.common.game import Game

UNDOING: Final = ("undo", "revoke", "restore")
REASONS: Final = ("because=", "agreed=")
FLAGS: Final = {"--drop": 1, "--insert": 2, "--faces": 2}  # with the number of their arguments
WORD: Final = re.compile(rf"{TOKEN.pattern}|\S+")  # as tokens, and the quotation marks that nothing closes
UNQUOTED_WORD: Final = re.compile(r"\S+")
Change = tuple[str, str, str]  # what is done (retcon, drop, insert, answer), the entry as typed, the text


class CorrectionLineCheck:
    """The corrections of a ledger, each with its line and the takes that it caused."""

    def __init__(self, log: Log, book: Game, projection: Projection[State]) -> None:
        takes = takewhile(lambda take: take.position <= log.touched.last_correction, log)
        self.book, self.log, self.moments = book, log, Moments(projection, takes, log.touched.reach)
        self.decode = decoder(book, BUILTIN).decode

    def findings(self) -> Iterator[Finding]:
        """Yield the corrections whose line says something else than was done."""
        for take, _ in self.moments.states_before(lambda take: take.id if is_correction(take) else None):
            assert take.declared is not None
            if take.seen != VISIBLE and not is_note(take):
                yield Finding(where=f"entry {take.id}@{take.take}", what="it is hidden, and only a note may be")
            line = take.declared.line
            if not line:
                continue
            if what := self._difference(take, line):
                yield Finding(where=f"entry {take.id}@{take.take}", what=f"its line '{line}' {what}")

    def _difference(self, take: Record, line: str) -> str:
        """Return how a line differs from the correction; empty if it does not."""
        facts = amended_facts(take)
        if undone := UNDO_LINE.fullmatch(line):
            is_undo = all(fact.outcome in UNDOING for fact in facts)
            named = not undone[1] or any(corrected_entry(fact) == undone[1] for fact in facts)
            return "" if is_undo and named else "takes back something else"
        if not line.startswith(AMEND_MARK):
            return "is no correction"
        readings = [changes for changes in (*read_tilde_line(line), *read_amend_line(line)) if changes]
        problems = [self._problem_or_error(take, facts, changes) for changes in readings]
        return next(iter(problems), "changes nothing") if all(problems) else ""

    def _problem_or_error(self, take: Record, facts: Sequence[Amended], changes: Sequence[Change]) -> str:
        """Return how the changes of a line differ from what was done, or why they cannot be read."""
        try:
            with stored_errors("line"):
                return self._problem(take, facts, changes)
        except LedgerError as error:
            return f"cannot be read: {error.what}"

    def _problem(self, take: Record, facts: Sequence[Amended], changes: Sequence[Change]) -> str:
        """Return how the changes of a line differ from what was done."""
        caused = {given.id: given for given in self.log.touched.caused.get(str(take.id), ())}
        done = {parse_entry_id(corrected_entry(fact)): fact.outcome for fact in facts}
        for outcome, entry, text in changes:
            id = self._entry(take, entry, outcome, done)
            if id not in done:
                return f"changes {id}, which was not corrected"
            given = caused.get(id)
            if given is not None and given.declared is not None and done[id] == outcome:
                parsed = self._parse(id, outcome, text)
                if parsed is not None and not _is_same(parsed, given):
                    return f"reads as another change of {id} than was recorded"
                if parsed is not None and given.seen not in (parsed.seen, self._seen_before(id, parsed)):
                    return f"does not hide {id}"
            done.pop(id)
        return f"does not change {min(done)}" if done else ""

    def _entry(self, take: Record, entry: str, outcome: str, done: dict[EntryId, str]) -> EntryId:
        """Return the entry that a change names; without a name the one that was corrected."""
        if not entry:
            return next(iter(done), take.id)
        id = parse_entry_id(entry if "." in entry else f"{take.session}.{entry}")
        if outcome != "insert":
            return id
        same = (other for other in sorted(done) if (other.session, other.number) == (id.session, id.number))
        return next((other for other in same if other.insert and done[other] in ("insert", *NOTES)), id)

    def _seen_before(self, id: EntryId, parsed: ParsedLine) -> str:
        """Return who saw an entry before its line was changed to one that may be without the mark for secrets."""
        before = None if parsed.secret else TakeHistory(self.moments.takes_from(id)).input(id)
        return before.seen if before is not None else parsed.seen

    def _parse(self, id: EntryId, outcome: str, text: str) -> ParsedLine | None:
        """Return the changed line as it read when the correction was made; None for a removal."""
        if outcome == "drop":
            return None
        scope = line_scope(self.moments.state_before(id), self.book)
        if outcome == "insert":
            return parse_line(text, scope)
        recorded = TakeHistory(self.moments.takes_from(id)).input(id)
        if recorded is None:
            raise Unreadable(f"entry {id} was taken back")
        said = self.decode(recorded.declaration_json)
        if outcome == "answer":
            _, faces = split_faces(tokenize(text if text.startswith("/") else f"/{text}"))
            return ParsedLine(said, faces, "")
        return parse_change(text, said, recorded.faces, scope)


def read_amend_line(line: str) -> Iterator[list[Change]]:
    """Yield the changes of a line that `amend` has written: `~ 1.4 v4 --drop 1.5 --insert 1.6 k sneak v5`.

    A line that it inserts may be a text with any quotation marks, so a flag behind one may be quoted or not.
    """
    for pattern in (WORD, UNQUOTED_WORD):
        words = list(pattern.finditer(line, len(AMEND_MARK)))
        starts = [index for index, word in enumerate(words) if word[0] in FLAGS] + [len(words)]
        changes: list[Change] = []
        if starts[0]:
            changes.append(("retcon", words[0][0], _between(words[1 : starts[0]])))
        for start, end in pairwise(starts):
            outcome = {"--drop": "drop", "--insert": "insert", "--faces": "answer"}[words[start][0]]
            entry = words[start + 1][0] if start + 1 < end else ""
            changes.append((outcome, entry, _between(words[start + 2 : end])))
        if all(ENTRY_ID.fullmatch(entry) for _, entry, _ in changes):
            yield changes


def _between(words: Sequence[re.Match[str]]) -> str:
    """Return the text of a line from the first to the last of these words."""
    return words[0].string[words[0].start() : words[-1].end()] if words else ""


def read_tilde_line(line: str) -> Iterator[list[Change]]:
    """Yield the changes that somebody may have typed: `~ 11 v4 because="the wall" agreed=Ana retcon`.

    The outcome stands at the end, or before the reason; an older version knew it only at the end.
    """
    if told := text_in_change(line):
        yield [("retcon", *told[:2])]
    words = WORD.findall(line, len(AMEND_MARK))
    entry = words.pop(0) if words and (re.fullmatch(SHORT_ENTRY, words[0]) or ENTRY_ID.fullmatch(words[0])) else ""
    change = [word for word in words if not word.startswith(REASONS)]
    if change and change[-1] in OUTCOMES:
        if words[-1] != change[-1]:
            yield [("retcon", entry, " ".join(change))]
        change.pop()
    if change != (said := without_lead_in(change)):
        yield [("retcon", entry, " ".join(said))]
    yield [("retcon", entry, " ".join(change))] if change else []


def _earlier_line(parsed: ParsedLine) -> str:
    """Return the canonical line of what was said, from before its fallbacks could be left out."""
    return " ".join((format_declaration(without_fallbacks(parsed.declaration)), *format_faces(parsed.faces)))


def _is_same(parsed: ParsedLine, given: Record) -> bool:
    """Return whether a take declares what a line says."""
    declared = given.declared
    assert declared is not None
    faces = declared.faces or ()
    return (
        bytes(declared.said) in (ENCODER.encode(parsed.recorded), ENCODER.encode(with_fallbacks(parsed.recorded)))
        and (parsed.line in ("", declared.line) or _earlier_line(parsed) == declared.line)
        and (parsed.faces or ())[: len(faces)] == faces
    )
