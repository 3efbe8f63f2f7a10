"""Names that a being may have: those that no line means otherwise, as a verb, a value, a group or a pronoun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cli.notation.known_values import OPTION
from cli.notation.scope import Scope
from cli.notation.tokens import LINE_COMMANDS
from cli.play.files import DEVICES
from cli.questions.line_scope import line_scope
from cli.questions.state_at import ENCOUNTER
from cli.speech.english import ENGLISH
from ledger import names
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import RESERVED
from ledger.ledger_state import LedgerState
from ledger.name_match import fold_word
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.game import Game
from rulebooks.common.sides import groups_by_side


def check_newcomer(ledger_state: LedgerState[State], book: Game, sheet: Declaration, where: str) -> None:
    """Raise Unreadable if the being of a sheet that will be written is in play, or named as no being and no file is."""
    name = str(getattr(sheet, "name", ""))
    check_name_is_free(ledger_state, book, sheet, where)
    if being := ledger_state.state.being(name):
        hint = f'To change an entry of the sheet: set {name_in_line(being.name)} ENTRY VALUE "why".'
        raise Unreadable(f"{being.name} is in play", where=where, hint=hint)
    if DEVICES.fullmatch(name):
        raise Unreadable(f"no file may be called '{name}' on Windows", where=where, hint="Give the being another name.")


def check_name_is_free(ledger_state: LedgerState[State], book: Game, sheet: Declaration, where: str) -> None:
    """Raise Unreadable if the being of a sheet is named like a word that lines use: no line could tell them apart.

    Where the being has joined, its own values and tokens are in the state.
    """
    name = str(getattr(sheet, "name", ""))
    for meaning, words in _taken_words(line_scope(ledger_state, book), ledger_state.state, name):
        if names.name_key(name) in {fold_word(word) for word in words}:
            hint = "Give the being another name."
            raise Unreadable(f"'{name}' is {meaning}, so a line could mean either", where=where, hint=hint)


def _taken_words(scope: Scope, state: State, name: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield words that a line uses, with what they are: values, verbs, commands, speakers, groups, pronouns."""
    own, values = f"{names.name_key(name)}.", list(scope.values())
    yield "a token or count", [value for value in values if "." not in value]
    yield "a value of a being", [value.removeprefix(own).partition(".")[0] for value in values if value.startswith(own)]
    yield "a short name of a value", scope.short_names()
    yield "a verb", [verb for kind in scope.declarations for verb in kind.verbs]
    yield "a word of every campaign", (*LINE_COMMANDS, *RESERVED, ENCOUNTER, OPTION, "clock")
    yield "a word for several", (*groups_by_side(state), *ENGLISH.everybody, *ENGLISH.every_being, *ENGLISH.foes)
    yield "a pronoun", ENGLISH.pronouns | ENGLISH.subjects | ENGLISH.objects
