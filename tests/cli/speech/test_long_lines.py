"""Strange and very long lines are answered at once, and nothing is taken."""

from __future__ import annotations

import gc
from time import process_time

import pytest

from cli.play.spoken import hear
from ledger.errors import LedgerError
from tests.cli.conftest import Folder
from tests.cli.speech.table import listener

SECONDS_MOST = 0.25  # five times what is promised: it must not depend on the machine
LINES = [
    "Kess, Marta, " * 100 + "lose two health",
    "Kess hits thug 1, " * 2000,
    "Walace Bramm Cuttroat " * 15,
    "very " * 10000,
    "what if " * 3000,
    "Kess and " * 28 + "sleeps",
    "Kess attacks " + "Thug " * 200,
    "Kess falls and hits, " * 14,
    "\x00\x01 Kess \x07 shoots \x1b[31m thug 1",
    "\u0423\u043e\u043b\u043b\u0435\u0441 \u0441\u0442\u0440\u0435\u043b\u044f\u0435\u0442",
]


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_long_line_is_answered_soon_and_not_taken(line: str) -> None:
    heard = listener("dusk_bastards", "the action phase")
    for known in ("Kess hits thug 1", "The walls weep"):  # the phrases of the book, and their words, are read once
        heard.line_of(known)
    gc.disable()  # to look through all that earlier tests have kept takes longer
    try:
        begun = process_time()
        with pytest.raises(LedgerError):
            hear(line, heard.ledger.state, heard.book)
        heard.conversation.question(line, heard.line_of)
        spent = process_time() - begun
    finally:
        gc.enable()
    assert spent < SECONDS_MOST


@pytest.mark.parametrize(
    "said", ["six. " * 2000, "got 9 " * 2000, "dawn 7 dusk 4 " * 1500, "a level of effort and " * 900]
)
@pytest.mark.parametrize("before", ["k sneaks", "k sneak v5 /3.2"])
def test_long_line_behind_another_changes_nothing(folder: Folder, before: str, said: str) -> None:
    answer = folder.invoke("play", input=f"{before}\n{said}\n? turn\n")
    assert "characters are too many" in answer.output
    assert answer.exception is None or isinstance(answer.exception, SystemExit)
    assert "1.2 " not in folder.run("log")
