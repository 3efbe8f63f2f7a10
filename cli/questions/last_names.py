"""Who was named in the last lines of a ledger: a pronoun rather means one of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from ledger.facts import GM, EntryId
from ledger.records import latest_takes
from ledger.store import ReadableStore

LINES_MOST: Final = 6
TEXTS: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')  # of a declaration as it is stored


def names_in_last_lines(store: ReadableStore, last: EntryId, beings: Collection[str]) -> list[str]:
    """Return which of these beings the last lines of a session name, the last first.

    Who is acted on comes before who acts.
    """
    after = EntryId(last.session, max(-1, last.number - LINES_MOST))
    takes = [take for take in latest_takes(store.takes(after=after)) if take.declared and take.line]
    names = dict[str, None]()
    for take in reversed(takes):
        said = TEXTS.findall(bytes(take.declared.said).decode()) if take.declared else []
        by = take.declared.by if take.declared else GM
        names |= dict.fromkeys(name for name in (*reversed(said), by) if name in beings and name != by)
        names |= dict.fromkeys([by] if by in beings else [])
    return [*names]
