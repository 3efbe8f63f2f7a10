"""Write the results of lines behind them in their session file, as claims: `k sneak v5 => success 14`.

The file is replaced by a renamed copy, so that nobody reads half of it, and only if it is still as it was read: a
version that an editor has saved meanwhile is never overwritten. Every other byte stays. Claims that somebody has typed
stay too: one is replaced only if it is the result that an earlier take of the entry had.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cli.notation.claims import without_claims
from cli.notation.tokens import is_text
from cli.play.file_alignment import Alignment
from cli.play.files import check_name, file_beside, write_bytes
from cli.play.result_claims import claim_text, claims_behind, is_readable_claim, is_result_claim
from cli.play.session_player import SessionPlayer
from cli.play.taken_lines import said_lines
from cli.questions.line_scope import line_scope
from ledger.errors import Unreadable
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game


def write_claims(file: Path, player: SessionPlayer, ledger: Ledger[State]) -> bool:
    """Write the results behind the lines of a file; return whether there was something to write.

    Raises Unreadable if the file cannot be written.
    """
    target = file.resolve()  # a link stays a link
    try:
        body = target.read_bytes()
        lines = body[: body.rfind(b"\n") + 1].decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        return False  # the next look says it
    _, alignment = player.align(ledger, said_lines(lines))
    claims = claims_to_write(alignment, ledger, player.book)
    if not claims:
        return False
    replace_file(target, body, with_claims(body, claims))
    return True


def claims_to_write(alignment: Alignment, ledger: Ledger[State], book: Game) -> dict[int, str]:
    """Return the claims that are to stand behind the lines of these numbers; empty: none are true any more."""
    scope, claims = line_scope(ledger.state, book), dict[int, str]()
    for line, taken in alignment.same:
        written, claim = claims_behind(line.text), claim_text(taken.current) if taken.counts else ""
        is_own = written == "" or any(is_result_claim(line.text, take) for take in taken.takes)
        if claims_behind(taken.line) or is_text(line.text) or not is_own or claim == written:
            continue
        if not claim or is_readable_claim(taken.current, scope):
            claims[line.number] = claim
    return claims


def with_claims(body: bytes, claims: Mapping[int, str]) -> bytes:
    """Return the content of a file with these claims behind its lines."""
    lines = body.split(b"\n")
    for number, claim in claims.items():
        text = lines[number - 1].decode("utf-8")
        said = text.rstrip()
        bare = without_claims(said)
        lines[number - 1] = f"{bare}{' ' if claim else ''}{claim}{text[len(said) :]}".encode()
    return b"\n".join(lines)


def replace_file(target: Path, before: bytes, after: bytes) -> None:
    """Replace a file that still has the content `before`; do nothing if it has another."""
    try:
        check_name(target)
        with file_beside(target, lambda: target.read_bytes() == before) as new:
            write_bytes(new, [after])
    except OSError as error:
        raise Unreadable(f"it cannot be written: {error.strerror}", where=str(target)) from error
