"""Views over the read models: what a reader asks for most, ready to be opened.

`fights` has a row for each encounter, `wounds` one for each wound ever taken, `log` one for each entry that counts, in
the order of history. Only takes that count are in them.
"""

from __future__ import annotations

from typing import Final

import msgspec


class SqlView(msgspec.Struct, frozen=True, kw_only=True):
    """A view: its name, and the query that it stands for."""

    name: str
    query: str


FIGHTS: Final = SqlView(
    name="fights",
    query="""WITH counted AS (
    SELECT *, sum(point = 'began') OVER (ORDER BY moment, fact) AS fight FROM encounter_facts WHERE counts
)
SELECT fight,
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
FROM counted GROUP BY fight ORDER BY fight""",
)
WOUNDS: Final = SqlView(
    name="wounds",
    query="""WITH counted AS (
    SELECT *, sum(point = 'came') OVER (PARTITION BY name, wound ORDER BY moment, fact) AS nth
    FROM wound_facts WHERE counts
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY name, wound, nth ORDER BY moment DESC, fact DESC) AS rank FROM counted
)
SELECT came.name, came.wound, came.kind AS first_kind, came.value AS first_value,
    last.kind, last.value, last.in_force, came.part, came.encounter,
    (SELECT after FROM changes WHERE counts AND who = came.name AND what = 'place' AND moment <= came.moment
        ORDER BY moment DESC, fact DESC LIMIT 1) AS place,
    came.actor, came.session, iif(came.rolled = '', came.entry, came.rolled) AS came,
    iif(came.rolled = '', NULL, came.entry) AS closed, came.at AS came_at,
    iif(last.point = 'healed', last.entry, NULL) AS healed,
    iif(last.point = 'healed', last.at, NULL) AS healed_at,
    iif(last.point = 'healed', last.because, NULL) AS healed_because
FROM counted AS came JOIN ranked AS last USING (name, wound, nth)
WHERE came.point = 'came' AND last.rank = 1 ORDER BY came.moment, came.fact""",
)
LOG: Final = SqlView(
    name="log",
    query="""SELECT entry, session, who, line, told, rules, result, at, seen, position
FROM entries WHERE counts AND result IS NOT 'taken back' ORDER BY session, number, inserted""",
)
VIEWS: Final = (FIGHTS, WOUNDS, LOG)
