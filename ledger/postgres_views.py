"""The views of `read_model_views` as PostgreSQL says them, over all campaigns that a reader may see.

They are written a second time, and a test compares their rows with those of SQLite. One text for both was weighed: it
would have to be the one that stands in every ledger file, because a file whose views have another text has to be
rebuilt. What makes it SQLite's (sums of comparisons, `WHERE counts`, `iif`, values of any type without JSON) and where
the campaign belongs (in what is selected, grouped, joined and partitioned by) differ in nearly every line of three
queries, so that a renderer would be longer than they are.
"""

from __future__ import annotations

from typing import Final

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
