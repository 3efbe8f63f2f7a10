"""How a session file and the ledger differ where no edit of the file has made the difference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cli.notation.line_parser import parse_line
from cli.play.file_alignment import Alignment
from cli.play.only_speaker import with_known_speaker
from cli.play.result_claims import claims_behind, is_result_claim
from cli.play.taken_lines import FileLine, TakenLine, line_digest
from cli.questions.line_scope import line_scope
from ledger.claims import OUTCOME_PREFIX, compare_claims
from ledger.errors import LedgerError
from ledger.facts import Claimed, EntryId, Invalidated
from ledger.ledger_state import load_state
from ledger.store import Store
from projections.projection import StateProjection
from rulebooks.common.game import Game


def differences(alignment: Alignment, store: Store, book: Game, file: Path, cut: EntryId | None) -> Iterator[str]:
    """Yield how a file and the ledger differ, a sentence for each line of the file.

    A line that was cut short at the entry `cut` is left out: its error is printed.
    """
    for line, taken in alignment.same:
        if is_cut_short(taken) and taken.current.id == cut:
            continue
        if what := _difference(line, taken):
            yield f"{file}:{line.number}: {what} The file still says: {line.text}"
        elif taken.counts and claims_behind(line.text) not in ("", claims_behind(taken.line)):
            for text in _wrong_claims(store, book, line, taken):
                yield f"{file}:{line.number}: {text}"
    for taken in alignment.kept:
        yield (
            f"{file}: entry {taken.first} counts again since {taken.corrected_by}, and is not in the file: {taken.line}"
        )


def is_cut_short(taken: TakenLine) -> bool:
    """Return whether some who were to say a line have not said it: it stays to be done."""
    return taken.counts and taken.current.is_cut_short


def _difference(line: FileLine, taken: TakenLine) -> str:
    """Return what another window has done to the entry of a line; empty if nothing."""
    if is_cut_short(taken):
        return f"entry {taken.id} is the last of its line: those behind {taken.current.by} were refused."
    if not taken.counts:
        hint = "Take the line out, or say it again at the end of the file."
        return f"entry {taken.first} was taken back by {taken.corrected_by}. {hint}" if taken.corrected_by else ""
    if taken.corrected_by and line_digest(taken.line) != line.digest:
        return f"entry {taken.first} was corrected by {taken.corrected_by} and reads: {taken.line}."
    if invalid := next((fact for fact in taken.current.facts if isinstance(fact, Invalidated)), None):
        since = f"entry {taken.first} is no longer possible since {taken.current.cause}"
        return f"{since}: {invalid.code}: {invalid.what}."
    return ""


def _wrong_claims(store: Store, book: Game, line: FileLine, taken: TakenLine) -> Iterator[str]:
    """Yield the claims behind a taken line that the ledger does not bear out."""
    if is_result_claim(line.text, taken.current):
        return
    try:
        before, after = (load_state(store, StateProjection(), at=id) for id in (taken.id.before, taken.id))
        scope = line_scope(before, book)
        parsed = parse_line(with_known_speaker(line.text, taken.current.by, scope), scope)
    except LedgerError as error:
        yield f"the claim behind it cannot be read: {error}"
        return
    for fact in compare_claims(parsed.claims if parsed else (), taken.current.facts, after.values):
        if isinstance(fact, Claimed) and fact.claimed != fact.actual:
            name, actual = fact.value.removeprefix(OUTCOME_PREFIX), fact.actual
            says = f"{name} is {actual}" if actual is not None else f"there is no {name}"
            yield f"entry {taken.first} does not bear out {claims_behind(line.text)}: {says}."
