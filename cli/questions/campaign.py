"""What a ledger says of its campaign as a whole, and its tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cli.questions.players_ledger import hidden_beings
from ledger.change_rows import CHANGES
from ledger.facts import CampaignCreated, EntryId
from ledger.projection import ReadModel, Row
from ledger.read_model_build import build_read_models
from ledger.store import ReadableStore
from projections.projection import StateProjection


def last_session(store: ReadableStore) -> int:
    """Return the number of the last session."""
    return max(store.session_sizes(), default=0)


def campaign_name(store: ReadableStore) -> str:
    """Return the name of the campaign."""
    created = _creation(store)
    return created.name if created else ""


def ledger_id(store: ReadableStore) -> str:
    """Return the id of the campaign, which its copies share; empty if the ledger has no first record."""
    created = _creation(store)
    return created.ledger if created else ""


def _creation(store: ReadableStore) -> CampaignCreated | None:
    """Return the fact that the campaign was created."""
    facts = (fact for take in store.takes(upto=EntryId(0, 0)) for fact in take.facts)
    return next((fact for fact in facts if isinstance(fact, CampaignCreated)), None)


def tables_of(store: ReadableStore) -> list[tuple[ReadModel[Any], Iterable[Row]]]:
    """Return every read model with its rows. No value is listed for beings whose numbers are hidden."""
    hidden, column = hidden_beings(store), list(CHANGES.columns).index("who")

    def listed(model: ReadModel[Any], rows: Iterable[Row]) -> Iterable[Row]:
        return (row for row in rows if row[column] not in hidden) if model is CHANGES and hidden else rows

    return [(model, listed(model, rows)) for model, rows in build_read_models(store, StateProjection())]
