"""`python -m tests.taps`: the taps of the attacks of `keystrokes.toml` on a player's page, with the one that sends.

A tap chooses the verb, each thing below it, and each option that the line sets. A number is typed, and what the speaker
puts in on top, as a level of Effort, is a tap more.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from cli.questions.act_options import act_options
from cli.questions.acts import DEPTH_MOST, ActChoice
from cli.questions.ledger_file import LEDGER_FILE
from cli.questions.line_scope import line_scope
from cli.questions.turn_acts import TurnActs
from ledger.acts import written_before
from ledger.declarations import Declaration
from ledger.facts import parse_entry_id
from ledger.ledger_state import LedgerState, load_state
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.common.game import Game
from tests.golden import CAMPAIGNS, played
from tests.keystrokes import ATTACKS, LINES, declaration

SEND = 1


class Taps(NamedTuple):
    """An attack of a sample: its entry, the labels of the taps that say it, of levels on top, and what is typed."""

    entry: str
    labels: Sequence[str]
    levels: Sequence[str]
    typed: Sequence[str]

    @property
    def number(self) -> int:
        """The taps without those of levels, with the one that sends."""
        return len(self.labels) + SEND


def taps(sample: str, folder: Path) -> Iterator[Taps]:
    """Yield the attacks among the ordinary lines of a sample that was played in a folder, as they are tapped."""
    game = load_game(tomllib.loads((CAMPAIGNS / sample / "campaign.toml").read_text(encoding="utf-8"))["game"])
    store = open_store(folder / LEDGER_FILE, write=False, models=StateProjection.read_models)
    for entry in LINES[sample]:
        id = parse_entry_id(entry)
        (*_, record) = store.takes(after=id.before, upto=id)
        said = declaration(game, record)
        if set(ATTACKS).intersection(type(said).verbs):
            first = (*written_before(store, record), record)[0]
            yield tapped(entry, said, load_state(store, StateProjection(), at=first.id.before), game)
    store.close()


def tapped(entry: str, said: Declaration, position: LedgerState[State], game: Game) -> Taps:
    """Return the taps that say a declaration at a position."""
    scope = line_scope(position, game)
    turn = TurnActs(position, game, scope, levels=DEPTH_MOST)
    acts = [act for each in turn.of([said.by]) for act in each.acts if act.label in type(said).verbs]
    labels, leaf = min(
        ((path, leaf) for act in acts for path, leaf in paths(act, scope)),
        key=lambda each: len(differing(each[1], said)),
    )
    levels = list(game.guide.levels(leaf, position.state))
    options = {option.field: option for option in act_options(leaf, turn.table(), levels)}
    fields = [options[field] for field in differing(leaf, said)]
    leveled = {name for _, level in levels for name in differing(leaf, level)}
    return Taps(
        entry,
        [*labels, *(each.field for each in fields if not each.blank and each.field not in leveled)],
        [each.field for each in fields if each.field in leveled],
        [each.field for each in fields if each.blank],
    )


def paths(act: ActChoice, scope: Scope, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Declaration]]:
    """Yield the labels that lead to each line without blanks below an act, and what it declares."""
    labels = (*above, act.label)
    if act.line and not act.blanks:
        parsed = parse_line(act.line, scope)
        assert parsed is not None
        yield labels, parsed.declaration
    for choice in act.choices:
        yield from paths(choice, scope, labels)


def differing(one: Declaration, other: Declaration) -> list[str]:
    """Return the fields in which two declarations of a kind differ."""
    return [name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)]


def table() -> Iterator[str]:
    """Yield a row for each attack of each sample."""
    for sample in LINES:
        with tempfile.TemporaryDirectory() as scratch:
            played(sample, Path(scratch) / sample)
            for row in taps(sample, Path(scratch) / sample):
                more = "".join(
                    f"; {word} {', '.join(names)}"
                    for word, names in (("on top", row.levels), ("typed", row.typed))
                    if names
                )
                yield f"{sample} {row.entry}: {row.number} taps ({', '.join(row.labels)}, send{more})"


if __name__ == "__main__":
    print("\n".join(table()))
