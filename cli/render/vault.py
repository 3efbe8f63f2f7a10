"""A vault of Markdown notes: one for the campaign, each session, each character, foe and thing, with links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from cli.render.vault_markdown import (
    CHARACTERS,
    FOES,
    FORBIDDEN,
    LINKED,
    MARK,
    THINGS,
    Links,
    cell_link,
    front_matter,
    section,
    session_link,
    table,
    text,
)
from ledger.names import escape, plural
from ledger.table_file import Cells, NamedRows

CAMPAIGN: Final = "Campaign"
BASE: Final = f"""\
# {MARK}
filters:
  and:
    - generated == "campaign export"
views:
  - type: table
    name: Sessions
    filters:
      and:
        - type == "session"
    order: [file.name, date, cast, foes]
  - type: table
    name: Characters
    filters:
      and:
        - type == "characters"
    order: [file.name, player, level, conditions]
  - type: table
    name: Foes
    filters:
      and:
        - type == "foes"
    order: [file.name, kind, level, conditions]"""


class Note(msgspec.Struct, frozen=True):
    """A file of the vault: its path without the suffix, and its lines."""

    path: str
    lines: Sequence[str]


class Groups:
    """The rows of a table, grouped by a column. Groups are asked for in the order of its values."""

    def __init__(self, table: NamedRows, column: str) -> None:
        self._groups = groupby(table.sorted_by(column).cells(), key=itemgetter(column))
        self._next = next(self._groups, None)

    def of(self, value: Any) -> list[Cells]:
        """Return the rows with this value."""
        while self._next is not None and self._next[0] < value:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != value:
            return []
        found = list(self._next[1])
        self._next = next(self._groups, None)
        return found


class SessionRows(NamedTuple):
    """The rows of the tables about a session."""

    number: int
    log: list[Cells]
    fights: list[Cells]
    wounds: list[Cells]
    changes: list[Cells]


class Vault:
    """The notes of a campaign, made from its tables."""

    def __init__(
        self, campaign: str, tables: Iterable[NamedRows], tell: Callable[[int], Iterable[str]] = lambda session: ()
    ) -> None:
        """`tell` returns the story of a session as lines of Markdown, its title first."""
        self.campaign, self._tell = campaign, tell
        self.tables = {table.name: table for table in tables}
        self.beings = [*self.tables["characters"].cells()]
        self.links = Links(self.beings)
        self.sessions = sorted({row["session"] for row in self.tables["log"].cells()} - {0})

    @property
    def paths(self) -> list[str]:
        """The paths of all notes."""
        return [CAMPAIGN, *(f"Sessions/Session {number}" for number in self.sessions), *self.links.paths.values()]

    def notes(self) -> Iterator[Note]:
        """Yield all notes, each made from its own rows alone."""
        yield Note(CAMPAIGN, [*self._campaign()])
        met = dict[str, list[int]]()  # by the path of a note
        log, fights, wounds, changes = (
            Groups(self.tables[name], "session") for name in ("log", "fights", "wounds", "changes")
        )
        for number in self.sessions:
            session = SessionRows(number, log.of(number), fights.of(number), wounds.of(number), changes.of(number))
            lines = [*self._session(session)]
            for path in dict.fromkeys(path for line in lines for path in LINKED.findall(line)):
                met.setdefault(path, []).append(number)
            yield Note(f"Sessions/Session {number}", lines)
        pools, tokens, wounds = (Groups(self.tables[name], "name") for name in ("pools", "tokens", "wounds"))
        changes = Groups(self.tables["changes"], "who")
        for being in sorted(self.beings, key=itemgetter("name")):
            name = being["name"]
            levels = [
                *((row["pool"], row["points"], row["most"]) for row in pools.of(name)),
                *((row["token"], row["number"], row["most"]) for row in tokens.of(name)),
            ]
            path = self.links.paths[name]
            lines = [*self._being(being, levels, wounds.of(name), met.get(path, ()), changes.of(name))]
            yield Note(path, lines)

    def _campaign(self) -> Iterator[str]:
        """Yield the first note: what there is."""
        yield from front_matter({"type": "campaign", "title": self.campaign, "sessions": len(self.sessions)})
        yield from (f"# {text(self.campaign)}", "")
        yield from section("Sessions", (f"- {session_link(session)}" for session in self.sessions))
        for folder in (CHARACTERS, FOES, THINGS):
            beings = [being["name"] for being in self.beings if self._folder(being["name"]) == folder]
            yield from section(folder, (f"- {self.links.being(name)}" for name in beings))
        yield from section(
            "Fights",
            (
                f"- {session_link(row['session'])}: {text(row['encounter'])}, {_outcome(row)}"
                for row in self.tables["fights"].cells()
            ),
        )

    def _folder(self, name: str) -> str:
        return self.links.paths[name].partition("/")[0]

    def _session(self, session: SessionRows) -> Iterator[str]:
        """Yield the note of a session: who took part, its fights and wounds, and all its lines."""
        number, rows, fights, wounds, changes = session
        cast = dict.fromkeys(row["who"] for row in rows if row["who"] in self.links.paths)
        yield from front_matter(
            {
                "type": "session",
                "session": number,
                "date": rows[0]["at"][:10] if rows else "",
                "cast": [f"[[{self.links.paths[name]}]]" for name in cast if self._folder(name) != FOES],
                "foes": [f"[[{self.links.paths[name]}]]" for name in cast if self._folder(name) == FOES],
            }
        )
        yield from map(self.links.in_line, self._tell(number) or (f"# Session {number}", ""))
        yield from ("", f"Of [[Campaign|{FORBIDDEN.sub(' ', escape(self.campaign))}]].", "")
        yield from section("Fights", (f"- {text(row['encounter'])}: {_outcome(row)}" for row in fights))
        yield from section("Wounds", (f"- {self.links.being(row['name'])}: {_wound(row)}" for row in wounds))
        yield from section("Lost", table(("who", "of what", "points"), self._losses(changes)))
        yield from section("Log", (self._line(row) for row in rows if row["result"] or row["told"]))

    def _losses(self, changes: Iterable[Cells]) -> Iterator[Sequence[str]]:
        """Yield the points that each being lost by these changes."""
        lost: dict[tuple[str, str], int] = {}
        for row in changes:
            if row["counts"] and row["kind"] == "points-lost":
                key = (row["who"], row["what"])
                lost[key] = lost.get(key, 0) - row["change"]
        for (who, what), points in sorted(lost.items()):
            yield cell_link(self.links.being(who)), text(what), str(points)

    def _line(self, row: Cells) -> str:
        """Return an entry of the log: its line, and what came of it."""
        said = text(row["told"] or row["line"])
        result = f" → {text(row['result'])}" if row["result"] else ""
        return f"- `{row['entry']}` {self.links.being(row['who'])}: {said}{result}"

    def _being(
        self,
        being: Cells,
        levels: Iterable[tuple[str, int, int | None]],
        wounds: Iterable[Cells],
        sessions: Iterable[int],
        changes: Iterable[Cells],
    ) -> Iterator[str]:
        """Yield the note of a being: what it is and has, its wounds, the sessions that name it, and what changed."""
        name = being["name"]
        fields = {key: being[key] for key in ("kind", "side", "level", "player", "conditions")}
        yield from front_matter({"type": self._folder(name).lower(), "name": name, **fields})
        yield from (f"# {text(name)}", "")
        now = ((text(what), str(number), "" if most is None else str(most)) for what, number, most in levels)
        yield from section("Now", table(("what", "now", "at most"), now))
        yield from section("Wounds", (f"- {_wound(row)}, {session_link(row['session'])}" for row in wounds))
        yield from section("Sessions", (f"- {session_link(session)}" for session in sessions))
        yield from section(
            "Changes",
            table(
                ("session", "entry", "what", "before", "after", "why"),
                (
                    (
                        cell_link(session_link(row["session"])) if row["session"] in self.sessions else "",
                        row["entry"],
                        *(text(row[key]) for key in ("what", "before", "after", "cause")),
                    )
                    for row in changes
                    if row["counts"] and row["kind"] != "joined"
                ),
            ),
        )


def _wound(row: Cells) -> str:
    """Return a wound in words."""
    by = f" by {text(row['actor'])}" if row["actor"] else ""
    closed = f" (closed at {row['closed']})" if row["closed"] else ""
    where = f" in {text(row['encounter'])}" if row["encounter"] else ""
    now = f"healed at {row['healed']}" if row["healed"] else f"now {text(row['kind'])} {row['value']}"
    return f"{text(row['first_kind'])} {row['first_value']} at {row['came']}{closed}{by}{where}, {now}"


def _outcome(row: Cells) -> str:
    """Return the end of a fight in words."""
    ended = f"to {row['ended']}" if row["ended"] else "still running"
    outcome = "".join(f", {text(row[column])}" for column in ("because", "outcome") if row[column])
    return f"{row['began']} {ended}, {plural(row['rounds'], 'round', 'rounds')}{outcome}"
