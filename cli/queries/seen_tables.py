"""The read models as somebody sees them: of the ledger for the game master, without what is hidden for the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cli.queries.view import View
from ledger.changes import CHANGES, History
from ledger.facts import CampaignCreated, EntryId
from ledger.ledger_state import load_state
from ledger.log import WritingOrder, ids_of
from ledger.projection import ReadModel, Row
from ledger.read_model_build import build_read_models
from ledger.read_models import ENTRIES, TAKE_MODELS, take_rows
from ledger.records import Record
from ledger.store import Store
from projections.projection import StateProjection

SeenTables = Sequence[tuple[ReadModel[Any], Iterable[Row]]]
COLUMN: Final = {name: index for index, name in enumerate(CHANGES.columns)}


def seen_tables(view: View) -> SeenTables:
    """Return every read model with the rows that are seen."""
    if view.sees_all:
        return build_read_models(view.store, StateProjection())
    takes = [*view.store.takes()]
    last = {take.id: take.position for take in takes}
    counted = set(last.values())
    seen = {take.position: record for take in takes if (record := view.record(take)) is not None}
    numbers = {take.position: [number for number, _ in view.facts(take)] for take in takes if take.position in seen}
    tables: list[tuple[ReadModel[Any], Iterable[Row]]] = []
    rows: dict[ReadModel[Any], list[Row]] = {model: [] for model in TAKE_MODELS}
    for take in seen.values():
        for model, row in take_rows(take, int(take.position in counted)):
            rows[model].append(row if model is ENTRIES else _renumbered(row, numbers))
    tables.extend((model, sorted(rows_of_model)) for model, rows_of_model in rows.items())
    tables.append((CHANGES, [*_seen_changes(view, takes, seen, numbers)]))
    state = view.state(load_state(view.store, StateProjection())).state
    return [*tables, *((model, list(model.rows(state))) for model in StateProjection.read_models)]


def _renumbered(row: Row, numbers: dict[int, list[int]]) -> Row:
    """Return a row with the number of its fact in the whole entry: facts that are not seen count too."""
    position, fact, *rest = row
    assert isinstance(position, int)
    assert isinstance(fact, int)
    return (position, numbers[position][fact - 1], *rest)


def _seen_changes(
    view: View, takes: Sequence[Record], seen: dict[int, Record], numbers: dict[int, list[int]]
) -> Iterator[Row]:
    """Yield the changes of values that are seen, by facts that are seen, with the causes as they are seen."""
    log = sorted(takes, key=lambda take: take.position)
    for row in History(StateProjection(), log, WritingOrder(lambda: ids_of(log))).rows():
        position, number, value = row[:3]
        assert isinstance(position, int)
        assert isinstance(number, int)
        record = seen.get(position)
        if record is not None and number in numbers[position] and not view.hides(str(value)):
            fact = record.facts[numbers[position].index(number)]
            cells = [*row]
            cells[COLUMN["cause"]] = getattr(fact, "because", "")
            cells[COLUMN["actor"]] = getattr(fact, "by", "") or record.by
            cells[COLUMN["rule"]] = fact.rules[0] if fact.rules else ""
            yield tuple(cells)


def last_session(store: Store) -> int:
    """Return the number of the last session."""
    return max(store.session_sizes(), default=0)


def campaign_name(store: Store) -> str:
    """Return the name of the campaign."""
    facts = (fact for take in store.takes(upto=EntryId(0, 0)) for fact in take.facts)
    return next((fact.name for fact in facts if isinstance(fact, CampaignCreated)), "")
