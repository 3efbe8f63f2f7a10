"""The last lines of a session that a correction in words may be about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.play.amend_line import is_close_or_claim
from cli.speech.earlier_lines import Earlier
from cli.speech.harm_thrown import harm_thrown
from cli.speech.reversals import value_before
from ledger.builtin import BUILTIN
from ledger.facts import Amended, EntryId, Rolled, Told
from ledger.game import decoder
from ledger.records import latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.announcements import said_or_announced
from rulebooks.common.game import Game

RECENT: Final = 6


def last_lines(ledger: Ledger[State], book: Game) -> Iterator[Earlier]:
    """Yield the last lines that can be corrected, the last first."""
    decode = decoder(book, BUILTIN).decode
    takes = latest_takes(ledger.store.takes(after=EntryId(ledger.state.last.session, -1)))
    lines = [take for take in takes if take.declared and take.line and not is_close_or_claim(take)]
    for take in reversed(lines[-RECENT:]):
        if take.declared and not take.has(Amended, Told):
            entry = str(take.id.number) + (f"+{take.id.insert}" if take.id.insert else "")
            thrown = [fact for fact in take.facts if isinstance(fact, Rolled)]
            faces = tuple(die.face for fact in thrown for die in fact.dice)
            throwers = tuple(fact.who for fact in thrown for _ in fact.dice)
            said = said_or_announced(decode(take.declared.said), *book.declarations)
            yield Earlier(entry, said, take.line, faces, throwers, value_before(take.facts), harm_thrown(take.facts))
