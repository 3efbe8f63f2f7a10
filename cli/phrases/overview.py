"""The state in rows: the beings, the encounter, the table. `show` prints them, the replay page draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from cli.output import align_columns, paint
from cli.questions.line_scope import THINGS
from rulebooks.common.game import Game


class LevelCell(msgspec.Struct, frozen=True, array_like=True):
    """A pool or a token: its name, its short name in this book, its number and its maximum."""

    name: str
    short: str
    now: int
    most: int | None


class BeingRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A being: what it has, where it is and how.

    Attributes:
        key: its name as the names of its values begin.
        joined: its place in the order of the beings.
        gone: the book leaves it out of the party, as one who is dead.
        unused: a thing that is of no use now.
        troubles: its wounds and conditions.
        left: its actions in an encounter.
        rests: the rests that it may still take, if it has taken some.
    """

    who: str
    key: str
    joined: int
    kind: str
    gone: bool = False
    unused: bool = False
    pools: tuple[LevelCell, ...] = ()
    tokens: tuple[LevelCell, ...] = ()
    place: str = ""
    troubles: str = ""
    left: str = ""
    rests: str = ""

    @property
    def circumstances(self) -> str:
        """Where it is, how it is, and what it has left."""
        left = f"left: {self.left}" if self.left else ""
        return ", ".join(part for part in (self.place, self.troubles, left, self.rests) if part)

    @property
    def is_empty_thing(self) -> bool:
        """Whether it is a thing about which there is nothing to say."""
        return self.kind in THINGS and not (self.pools or self.tokens or self.circumstances)


class EncounterRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A member of an encounter: its score, whether it is its turn, what it has left, and how it is.

    `slot`: whose place in the order it has, if that is not its own; `gone`: the book leaves it out of the party.
    """

    name: str
    who: str = ""
    slot: str = ""
    gone: bool = False
    score: str = ""
    turn: str = ""
    left: str = ""
    circumstances: str = ""


class EncounterTable(msgspec.Struct, frozen=True, kw_only=True):
    """An encounter: the point of its turn cycle, the order of turns, and a row for each member."""

    title: str
    order: str
    rows: tuple[EncounterRow, ...]


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The state in rows: `tokens` of the game master, lines of what is open, and the time that has passed."""

    beings: tuple[BeingRow, ...]
    tokens: tuple[LevelCell, ...]
    encounter: EncounterTable | None
    windows: tuple[str, ...]
    counts: str
    options: tuple[str, ...]
    passed: str


def overview_lines(seen: Overview, book: Game, *, every: bool = False) -> Iterator[str]:
    """Yield a line for each being, then for the game master's tokens, the encounter, and what is open.

    Things about which there is nothing to say are left out. Without `every`, so are who is gone and what is of no use.
    """
    here = [row for row in seen.beings if every or not row.gone]
    shown = [row for row in here if not row.is_empty_thing and (every or not row.unused)]
    yield from align_columns(being_cells(seen, shown, book))
    if left_out := len(seen.beings) - len(here):
        yield f"{left_out} {' or '.join(book.texts().lexicon.wording.gone)}: show --all"
    if seen.tokens:
        yield ", ".join(f"{token.name} {token.now}" for token in seen.tokens)
    if seen.encounter:
        yield from (seen.encounter.title, f"order: {seen.encounter.order}")
    yield from seen.windows
    if seen.counts:
        yield seen.counts
    yield from (f"option {option}" for option in seen.options)
    if seen.passed:
        yield seen.passed


def being_cells(seen: Overview, shown: Sequence[BeingRow], book: Game) -> list[list[str]]:
    """Return cells for each being: its name, a column for each pool and token that somebody has, and how it is."""
    pool_order = book.texts().lexicon.pool_order
    pools = {pool.name for row in seen.beings for pool in row.pools}
    tokens = {token.name for row in seen.beings for token in row.tokens} - pools
    columns = sorted(pools, key=lambda name: pool_rank(name, pool_order))
    rows, is_sized = [], book.texts().lexicon.wording.sized
    for row in shown:
        cells = {token.name: f"{token.short} {_of_most(token) if is_sized else token.now}" for token in row.tokens}
        cells |= {pool.name: _pool_cell(pool) for pool in row.pools}
        own = (cells.get(name, "") for name in (*columns, *sorted(tokens)))
        rows.append([paint(row.who, bold=True), *own, row.circumstances])
    width = len(columns) + len(tokens) + 2
    used = [index for index in range(width) if index < 1 or any(row[index] for row in rows)]
    return [[row[index] for index in used] for row in rows]


def _pool_cell(pool: LevelCell) -> str:
    """Return a pool under its short name, as `M 9/12`; in bold when it is below its maximum."""
    return paint(f"{pool.short} {_of_most(pool)}", bold=pool.most is not None and pool.now < pool.most)


def _of_most(level: LevelCell) -> str:
    """Return a number with its maximum, as `9/12`; alone if it has none."""
    return f"{level.now}" if level.most is None else f"{level.now}/{level.most}"


def pool_rank(name: str, pool_order: Sequence[str]) -> tuple[int, str]:
    """Return the rank of a pool: in the order of the book, the others by name."""
    return (pool_order.index(name) if name in pool_order else len(pool_order), name)
