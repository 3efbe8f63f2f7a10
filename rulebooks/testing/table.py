"""Worked cases in lines, as people type them: a table at which the sheets of a file sit, and each step of a case.

A file has `[sheets.NAME]` tables as sheet files have them, and `[[cases]]` with an `id`, a `title` and `steps`. A step
has a `line` and the `dice` on the table, and what is expected of it:

- `refused`: the code of the refusal, without the prefix of the game;
- `result` and `total` of the first judgement, or `totals` of all;
- `now`: values after it, by name (`ana.points`), and whose `turn` it is (`""`: no fight is on);
- `began` and `ended`: the ids of all conditions that do, as `prone Ana`.

`secret` of a case are words that no player may read before they are revealed: names of values, texts, numbers of foes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import ParsedLine, parse_line
from cli.phrases.entries import fact_lines
from cli.questions.line_scope import line_scope
from cli.questions.players_ledger import PlayersLedger
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.errors import Unreadable
from ledger.facts import ConditionBegan, ConditionEnded, Judged, Withheld
from ledger.ledger_state import load_state
from ledger.records import ENCODER, Record
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.absence import ABSENT
from rulebooks.common.game import Game
from rulebooks.testing.cases import load_cases, play_steps
from rulebooks.testing.seat import AT, TableSeat, cited, of_kind


class CaseLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a case, the dice on the table, and what is expected of it."""

    line: str
    dice: tuple[int, ...] = ()
    refused: str = ""
    result: str = ""
    total: int | None = None
    totals: tuple[int, ...] = ()
    now: dict[str, int | str] = {}
    turn: str = ""
    began: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A worked case. `trial` names one of several with the same id."""

    id: str
    title: str
    steps: Annotated[tuple[CaseLine, ...], Meta(min_length=1)]
    trial: str = ""
    secret: tuple[str, ...] = ()


class CaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a file of cases in lines. `waiting`: ids of cases that are not written yet, with the reason."""

    sheets: dict[str, dict[str, Any]] = {}
    cases: Annotated[tuple[Case, ...], Meta(min_length=1)]
    waiting: dict[str, str] = {}


EXPECTED: Final = frozenset(CaseLine.__struct_fields__)


def load_line_cases(path: Path) -> dict[str, Any]:
    """Return the content of a file of cases in lines. Raises Unreadable with the file for one of another form."""
    try:
        content = load_cases(path)
        msgspec.convert(content, CaseFile)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        hint = "Write it as rulebooks/README.md has the cases of its coin."
        raise Unreadable(str(error), where=str(path), hint=hint) from error
    return content


def check_bounds(state: State) -> None:
    """Check that no pool is below 0 or above its maximum, and no token below 0."""
    for key, pool in state.pools.items():
        assert pool.points >= 0, key
        assert pool.most is None or pool.points <= pool.most, key
    for token, tokens in state.tokens.items():
        assert tokens.count >= 0, token


class LineTable(TableSeat):
    """A ledger in memory with the sheets of a file of cases in an open session, which is spoken to in lines."""

    def __init__(self, book: Game, content: Mapping[str, Any], silent: Collection[str] = ()) -> None:
        super().__init__(book, book.texts().codes, check_bounds, silent)
        sheets = [dict(sheet) for sheet in content.get("sheets", {}).values()]

        def play() -> None:
            for sheet in sheets:
                self.ledger.declare(book.sheet(sheet, "the sheets of the cases"), at=AT)
            self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))

        self.begin(play, sheets)

    def parsed(self, line: str) -> ParsedLine:
        """Return a line as the grammar reads it now."""
        parsed = parse_line(line, line_scope(self.ledger.state, self.book))
        assert parsed is not None, f"{line!r} says nothing"
        return parsed

    def parse(self, line: str) -> Declaration:
        """Return the declaration of a line as the grammar reads it now."""
        return self.parsed(line).recorded

    def line(self, line: str, *faces: int) -> Record:
        """Say a line."""
        parsed = self.parsed(line)
        return self.say(parsed.recorded, *faces, seen=parsed.seen)

    def conditions(self, who: str) -> list[str]:
        """Return the names of somebody's conditions."""
        return sorted(condition.name for _, condition in self.state.conditions_of(who))


class PlayedCase:
    """A case that is played to its end, with the rules that were cited and the codes that were reached."""

    def __init__(self, table: LineTable, case: Mapping[str, Any]) -> None:
        self.table, self.case = table, case
        self.rules, self.codes = set[str](), set[str]()
        self.kinds, self.options = set[type[Declaration]](), set[tuple[str, Any]]()
        play_steps(case["steps"], self._play)
        table.check_closing()
        self.rules |= cited(fact for record in table.store.takes() for fact in record.facts)

    def _play(self, step: Mapping[str, Any]) -> None:
        """Say the line of a step, and compare what came of it."""
        assert step.keys() <= EXPECTED, f"not known: {sorted(step.keys() - EXPECTED)}"
        said, dice = self.table.parse(step["line"]), tuple(step.get("dice", ()))
        self.kinds.add(type(said))
        if "refused" in step:
            refused = self.table.refusal_of_dice if step["refused"].endswith("DICE") else self.table.refusal
            refusal = refused(said, *dice)
            self.codes.add(refusal.code)
            self.rules |= set(refusal.rules)
            assert refusal.code.removeprefix(self.table.prefix) == step["refused"], str(refusal)
            return
        check_canonical(said, self.table)
        record = self.table.line(step["line"], *dice)
        self.options |= set(self.table.state.options.items())
        check_step(step, record, self.table)


def check_canonical(said: Declaration, table: LineTable) -> None:
    """Check that the canonical line of a declaration is read as the same."""
    line = format_declaration(said)
    assert table.parse(line) == said, f"written as {line!r}, it is read as another"


def check_step(step: Mapping[str, Any], record: Record, table: LineTable) -> None:
    """Compare what came of a step with what is expected of it."""
    judged, values = of_kind(record, Judged), table.ledger.state.values()
    for name in ("result", "total"):
        if name in step:
            assert judged, "nothing was judged"
            assert getattr(judged[0], name) == step[name], f"{name} {getattr(judged[0], name)!r}"
    if "totals" in step:
        totals = [fact.total for fact in judged]
        assert totals == step["totals"], f"totals {totals}"
    for name, now in step.get("now", {}).items():
        assert name in values, f"there is no value {name}, but {', '.join(values)}"
        assert values[name] == now, f"{name} is {values[name]!r}"
    for name, kind in (("began", ConditionBegan), ("ended", ConditionEnded)):
        ids = [fact.id for fact in of_kind(record, kind) if not fact.id.startswith(f"{ABSENT} ")]
        assert ids == step.get(name, []), f"{name} {ids}"
    if "turn" in step:
        turn = table.state.encounter.turn if table.state.encounter else ""
        assert turn == step["turn"], f"it is the turn of {turn!r}"


def check_players_view(played: PlayedCase) -> None:
    """Check that the players can read all of a case but what is hidden, and nothing that is marked as secret."""
    table, wording = played.table, played.table.book.wording
    seen = PlayersLedger(table.store, table.book)
    records = list(seen.takes())
    text = "\n".join(ENCODER.encode(record).decode() for record in records)
    shown = [[fact for fact in record.facts if not isinstance(fact, Withheld)] for record in records]
    told = "\n".join(line for facts in shown for line in fact_lines(facts, wording))
    for secret in played.case.get("secret", ()):
        whole = "\n".join(ENCODER.encode(record).decode() for record in table.store.takes())
        assert secret in whole, f"{secret!r} is not in the ledger: mark what is"
        assert secret not in text, f"the players read {secret!r}"
        assert secret not in told, f"the players are told {secret!r}"
    state = load_state(seen, StateProjection())
    for being in seen.hidden:
        pools = [name for who, name in state.state.pools if who == being]
        assert pools == [], f"the players know {pools} of {being}"
    msgspec.json.encode(sorted(state.values().items()))
