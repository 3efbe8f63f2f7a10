"""A changed line of a session file is found where lines around it say the same."""

from __future__ import annotations

import pytest

from cli.play.file_alignment import align
from cli.play.taken_lines import TakenLine, TakenLines, line_digest, said_lines
from ledger.facts import EntryId
from tests.ledger.strategies import record


def taken_lines(lines: list[str]) -> TakenLines:
    """Return lines as they were taken, each in an entry of its own."""
    taken = [
        TakenLine(
            entries=(EntryId(1, number),),
            said=line_digest(line),
            line=line,
            digest=line_digest(line),
            takes=(record(number, f"1.{number}"),),
        )
        for number, line in enumerate(lines, start=1)
    ]
    return TakenLines("file", "", taken)


@pytest.mark.parametrize(
    ("taken", "lines", "edits", "new"),
    [
        ("a,k hits,k hits", "a,k hits e1,k hits", [("k hits", "k hits e1")], []),
        ("a,k hits,k hits", "a,k hits e1,k hits,b", [("k hits", "k hits e1")], ["b"]),
        ("a,b,c,a,b", "a,b e1,c,a,b", [("b", "b e1")], []),
        ("a,b,a", "b,a", [("a", None)], []),
    ],
)
def test_change_between_equal_lines_is_a_change(
    taken: str, lines: str, edits: list[tuple[str, str | None]], new: list[str]
) -> None:
    alignment = align(taken_lines(taken.split(",")), said_lines(lines.split(",")))
    pairs = [(edit.taken and edit.taken.line, edit.line and edit.line.text) for edit in alignment.edits]
    assert (pairs, [line.text for line in alignment.new]) == (edits, new)
