"""What is tapped: the acts of those for whom somebody speaks, and the options, price and chances of one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from click import unstyle

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import ParsedLine, parse_line
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line
from cli.phrases.actions import actions
from cli.phrases.fact_phrases import changed_values
from cli.phrases.parts import readable
from cli.questions.act_options import ActOption, act_options
from cli.questions.acts import ActChoice, Blank
from cli.questions.possible import anybody_can_answer, before_dice
from cli.questions.turn_acts import BeingActs, TurnActs
from cli.shell.faces import dice_names, throw_name
from ledger.declarations import Declaration
from ledger.errors import InputError
from ledger.facts import Fact
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording


class Taps(msgspec.Struct, frozen=True, kw_only=True):
    """What may be said now by those for whom the holder of a link speaks."""

    position: int
    beings: list[BeingActs]


class TapDice(msgspec.Struct, frozen=True, kw_only=True):
    """The dice that a line throws first: what for, in words, and the sides of each."""

    purpose: str
    names: str
    sides: tuple[int, ...]


class TapLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line before it is said.

    Attributes:
        line: the line in its canonical form.
        who: who says it.
        verb: what it is called.
        price: what it costs its speaker before any dice.
        dice: those that it throws first; None where it throws none.
        announces: whether somebody may answer it before its dice, if it ends in ` ...`.
        options: what may still be changed, each value with the whole line.
    """

    line: str
    who: str
    verb: str
    price: list[str]
    dice: TapDice | None
    announces: bool
    options: list[ActOption]


class TapTable:
    """The taps at one moment of a ledger. `scope` is that of whom they are shown: nobody else is named."""

    def __init__(self, ledger_state: LedgerState[State], book: Game, scope: Scope) -> None:
        self.ledger_state, self.book, self.scope = ledger_state, book, scope
        self.turn = TurnActs(ledger_state, book, scope)

    def taps(self, speakers: Iterable[str], *, is_gm: bool, path: Sequence[str] = ()) -> Taps:
        """Return what these may say now, and with `is_gm` the game master; `path`: one act with its choices."""
        beings = [
            msgspec.structs.replace(each, acts=tuple(map(in_words, each.acts)))
            for each in self.turn.of(speakers, is_gm=is_gm, path=path)
        ]
        return Taps(position=self.ledger_state.position, beings=beings)

    def parse(self, text: str) -> ParsedLine:
        """Return a line of the grammar. Raises Unreadable."""
        parsed = parse_line(normalize_line(text).strip(), self.scope)
        if parsed is None:
            raise InputError("the line says nothing", hint="Write a name and a verb.")
        return parsed

    def line(self, said: Declaration) -> TapLine:
        """Return a declaration before it is said. Raises LedgerError for one that is refused now."""
        state, wording = self.ledger_state, self.book.wording
        before = before_dice(state, self.book, said)
        names = [being.name for being in state.state.beings_in_order()]
        purpose = throw_name(before.purpose, names)
        dice = TapDice(purpose=purpose, names=dice_names(before.sides), sides=before.sides) if before.sides else None
        options = act_options(said, self.turn.table(), self.book.guide.levels(said, state.state))
        return TapLine(
            line=format_declaration(said, self.scope),
            who=said.by,
            verb=readable(type(said).verbs[0]),
            price=price(before.facts, said, wording),
            dice=dice,
            announces=not type(said).answers and anybody_can_answer(state, self.book, said),
            options=list(map(option_in_words, options)),
        )


def price(facts: Sequence[Fact], said: Declaration, wording: Wording) -> list[str]:
    """Return what a declaration costs its speaker: their actions and numbers that change before its dice."""
    own = [fact for fact in facts if getattr(fact, "who", None) == said.by]
    costs = (*actions(own, said.by, wording), changed_values(own, wording, {said.by}))
    return [unstyle(cost) for cost in costs if cost]


def in_words(act: ActChoice) -> ActChoice:
    """Return an act with labels to read."""
    return msgspec.structs.replace(
        act,
        label=readable(act.label),
        field=readable(act.field),
        choices=tuple(map(in_words, act.choices)),
        blanks=tuple(map(blank_in_words, act.blanks)),
    )


def blank_in_words(blank: Blank) -> Blank:
    """Return a blank with a name to read."""
    return msgspec.structs.replace(blank, field=readable(blank.field))


def option_in_words(option: ActOption) -> ActOption:
    """Return an option with labels to read."""
    return msgspec.structs.replace(
        option,
        field=readable(option.field),
        values=tuple(msgspec.structs.replace(value, label=readable(value.label)) for value in option.values),
        blank=option.blank and blank_in_words(option.blank),
    )
