"""The tables of a database of many campaigns, in a schema of their own: those of `ledger.db`, with the campaign first.

A row of `campaigns` holds the head of each; appending takes that row. Records are partitioned by campaign, and refuse
to be changed, by triggers and because nobody has the right to. Everybody who may log in may have campaigns and sees
those alone whose owner or member they are (row-level security); the owner of the schema sees all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ledger.projection import ColumnType, ReadModel
from ledger.read_models import BUILTIN_MODELS
from ledger.records import FORMAT

FIGHTS: Final = """WITH counted AS (
    SELECT *, count(*) FILTER (WHERE point = 'began') OVER (PARTITION BY campaign ORDER BY moment, fact) AS fight
    FROM {schema}.encounter_facts WHERE counts = 1
)
SELECT campaign, fight,
    max(encounter) FILTER (WHERE point = 'began') AS encounter,
    max(kind) AS kind,
    max(scale) AS scale,
    min(session) AS session,
    max(entry) FILTER (WHERE point = 'began') AS began,
    max(entry) FILTER (WHERE point = 'ended') AS ended,
    max(round) AS rounds,
    max(sides) FILTER (WHERE point = 'began') AS sides,
    max(outcome) FILTER (WHERE point = 'ended') AS outcome,
    max(because) FILTER (WHERE point = 'ended') AS because,
    min(moment) AS first_moment,
    max(moment) FILTER (WHERE point = 'ended') AS last_moment
FROM counted GROUP BY campaign, fight ORDER BY campaign, fight"""
WOUNDS: Final = """WITH counted AS (
    SELECT *, count(*) FILTER (WHERE point = 'came')
        OVER (PARTITION BY campaign, name, wound ORDER BY moment, fact) AS nth
    FROM {schema}.wound_facts WHERE counts = 1
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY campaign, name, wound, nth ORDER BY moment DESC, fact DESC) AS rank
    FROM counted
)
SELECT campaign, came.name, came.wound, came.kind AS first_kind, came.value AS first_value,
    last.kind, last.value, last.in_force, came.part, came.encounter,
    (SELECT after #>> '{{}}' FROM {schema}.changes WHERE changes.campaign = came.campaign AND counts = 1
        AND who = came.name AND what = 'place' AND changes.moment <= came.moment
        ORDER BY changes.moment DESC, changes.fact DESC LIMIT 1) AS place,
    came.actor, came.session, CASE WHEN came.rolled = '' THEN came.entry ELSE came.rolled END AS came,
    CASE WHEN came.rolled <> '' THEN came.entry END AS closed, came.at AS came_at,
    CASE WHEN last.point = 'healed' THEN last.entry END AS healed,
    CASE WHEN last.point = 'healed' THEN last.at END AS healed_at,
    CASE WHEN last.point = 'healed' THEN last.because END AS healed_because
FROM counted AS came JOIN ranked AS last USING (campaign, name, wound, nth)
WHERE came.point = 'came' AND last.rank = 1 ORDER BY campaign, came.moment, came.fact"""
LOG: Final = """SELECT campaign, entry, session, who, line, told, rules, result, at, seen, position
FROM {schema}.entries WHERE counts = 1 AND result IS DISTINCT FROM 'taken back'
ORDER BY campaign, session, number, inserted"""
VIEWS: Final = {"fights": FIGHTS, "wounds": WOUNDS, "log": LOG}


SCHEMA: Final = "campaign_ledger"
PARTITIONS: Final = 64
TYPES: Final[dict[ColumnType, str]] = {"INTEGER": "bigint", "TEXT": 'text COLLATE "C"', "ANY": "jsonb"}

CAMPAIGNS: Final = f"""CREATE TABLE {SCHEMA}.campaigns (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text COLLATE "C" NOT NULL UNIQUE,
    position bigint NOT NULL DEFAULT 0,
    hash text COLLATE "C" NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    owner name NOT NULL DEFAULT current_user,
    members name[] NOT NULL DEFAULT '{{}}'
)"""
RECORDS: Final = f"""CREATE TABLE {SCHEMA}.records (
    campaign uuid NOT NULL,
    position bigint NOT NULL,
    public bytea NOT NULL,
    sealed bytea,
    hash text COLLATE "C" NOT NULL,
    session bigint NOT NULL,
    number bigint NOT NULL,
    inserted bigint NOT NULL,
    take bigint NOT NULL,
    request text COLLATE "C",
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (campaign, position)
) PARTITION BY HASH (campaign)"""
SNAPSHOTS: Final = f"""CREATE TABLE {SCHEMA}.snapshots (
    campaign uuid NOT NULL,
    session bigint NOT NULL,
    number bigint NOT NULL,
    inserted bigint NOT NULL,
    position bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (campaign, session, number, inserted)
)"""
SEEDS: Final = f"""CREATE TABLE {SCHEMA}.seeds (
    campaign uuid NOT NULL,
    commitment text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (campaign, commitment)
)"""
ONLY_APPENDED: Final = f"""CREATE FUNCTION {SCHEMA}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'records can only be appended'; END $$"""
IN_ORDER: Final = f"""CREATE FUNCTION {SCHEMA}.check_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_next boolean;
BEGIN
    EXECUTE 'SELECT EXISTS (SELECT 1 FROM {SCHEMA}.records WHERE campaign = $1 AND position = $2)'
        INTO is_next USING NEW.campaign, NEW.position - 1;
    IF NOT is_next AND NEW.position <> 1 THEN RAISE EXCEPTION 'a record must have the next position'; END IF;
    RETURN NEW;
END $$"""
OWN_MEMBERS: Final = f"""CREATE FUNCTION {SCHEMA}.check_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_has_role(OLD.owner, 'USAGE') THEN
        RAISE EXCEPTION 'only its owner names the members of a campaign';
    END IF;
    RETURN NEW;
END $$"""
OWN: Final = "owner = current_user OR current_user = ANY (members)"
OF_OWN: Final = f"EXISTS (SELECT FROM {SCHEMA}.campaigns AS own WHERE own.id = campaign)"  # no scan of all campaigns


def statements(models: Sequence[ReadModel[Any]]) -> Iterator[str]:
    """Yield the statements that create the schema with these read models, by whoever will own it."""
    every = (*BUILTIN_MODELS, *models)
    yield f"CREATE SCHEMA {SCHEMA}"
    yield f"COMMENT ON SCHEMA {SCHEMA} IS '{version(models)}'"
    yield f"CREATE DOMAIN {SCHEMA}.blob AS bytea"
    yield from (CAMPAIGNS, RECORDS, SNAPSHOTS, SEEDS, ONLY_APPENDED, IN_ORDER, OWN_MEMBERS, *_partitions())
    yield f"CREATE INDEX ON {SCHEMA}.records (campaign, session, number, inserted, position)"
    yield f"CREATE INDEX ON {SCHEMA}.records (campaign, request) WHERE request IS NOT NULL"
    yield f"CREATE INDEX ON {SCHEMA}.records (xid)"
    yield from _triggers()
    for model in every:
        yield create_table_sql(model)
        if model.index:
            yield f"CREATE INDEX ON {SCHEMA}.{model.name} (campaign, {', '.join(model.index)})"
    for name, query in VIEWS.items():
        yield f"CREATE VIEW {SCHEMA}.{name} WITH (security_invoker = true) AS {query.format(schema=SCHEMA)}"
    yield from _rights([model.name for model in every])


def version(models: Sequence[ReadModel[Any]]) -> str:
    """Return what the comment of the schema says: the format of the records, and a hash of the tables."""
    tables = "\n".join((CAMPAIGNS, RECORDS, SNAPSHOTS, SEEDS, *map(create_table_sql, (*BUILTIN_MODELS, *models))))
    return f"Campaign Ledger, format {FORMAT}, tables {hashlib.sha256(tables.encode()).hexdigest()[:12]}"


def create_table_sql(model: ReadModel[Any]) -> str:
    """Return the statement that creates the table of a read model for all campaigns."""
    columns = ", ".join(f"{name} {TYPES[kind]}" for name, kind in model.columns.items())
    return f"CREATE TABLE {SCHEMA}.{model.name} (campaign uuid NOT NULL, {columns}, PRIMARY KEY ({key_of(model)}))"


def key_of(model: ReadModel[Any]) -> str:
    """Return the columns of the key of a read model for all campaigns."""
    return ", ".join(("campaign", *model.key))


def _partitions() -> Iterator[str]:
    """Yield the statements that create the partitions of the records."""
    for number in range(PARTITIONS):
        name = f"{SCHEMA}.records_{number}"
        bounds = f"WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        yield f"CREATE TABLE {name} PARTITION OF {SCHEMA}.records FOR VALUES {bounds}"
        yield _refuse("TRUNCATE", name, "STATEMENT")


def _triggers() -> Iterator[str]:
    """Yield the statements that let records only be appended, one after the other."""
    records = f"{SCHEMA}.records"
    yield _refuse("UPDATE OR DELETE", records, "ROW")
    yield _refuse("TRUNCATE", records, "STATEMENT")
    yield f"CREATE TRIGGER in_order BEFORE INSERT ON {records} FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.check_order()"
    yield (
        f"CREATE TRIGGER own_members BEFORE UPDATE OF members ON {SCHEMA}.campaigns"
        f" FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.check_owner()"
    )


def _refuse(what: str, table: str, each: str) -> str:
    """Return the statement that lets a table refuse something."""
    name = f"no_{what.split()[0].lower()}"
    return f"CREATE TRIGGER {name} BEFORE {what} ON {table} FOR EACH {each} EXECUTE FUNCTION {SCHEMA}.refuse_change()"


def _rights(models: Sequence[str]) -> Iterator[str]:
    """Yield the statements that say who may do what with which rows."""
    yield f"GRANT USAGE ON SCHEMA {SCHEMA} TO PUBLIC"
    yield f"GRANT SELECT ON {', '.join(f'{SCHEMA}.{name}' for name in VIEWS)} TO PUBLIC"
    yield f"GRANT SELECT, INSERT, UPDATE (position, hash, changed, members) ON {SCHEMA}.campaigns TO PUBLIC"
    yield f"ALTER TABLE {SCHEMA}.campaigns ENABLE ROW LEVEL SECURITY"
    yield f"CREATE POLICY own ON {SCHEMA}.campaigns USING ({OWN}) WITH CHECK ({OWN})"
    yield f"REVOKE UPDATE, DELETE, TRUNCATE ON {SCHEMA}.records FROM CURRENT_USER"
    for name in ("records", "snapshots", "seeds", *models):
        rights = "SELECT, INSERT" if name == "records" else "SELECT, INSERT, UPDATE, DELETE"
        yield f"GRANT {rights} ON {SCHEMA}.{name} TO PUBLIC"
        yield f"ALTER TABLE {SCHEMA}.{name} ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY own ON {SCHEMA}.{name} USING ({OF_OWN})"
