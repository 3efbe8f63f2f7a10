"""The odds of a declaration at each level (of Effort, say)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.tokens import quote
from cli.questions.line_scope import line_scope
from cli.questions.players_ledger import PlayersLedger
from cli.questions.possible import before_dice
from ledger.declarations import Declaration
from ledger.errors import InputError, LedgerError, Refused, stored_errors
from ledger.facts import EntryId, Judged
from ledger.ledger_state import LedgerState
from ledger.names import escape, word_list
from ledger.odds import Odds, count_odds, facts_of_one_branch
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.state import State
from rulebooks.common.game import Game

T = TypeVar("T")


class LevelOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A declaration at one level, with its odds."""

    level: str
    line: str
    odds: Odds


class OwnTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that is supposed, so that odds can be asked before it comes: whose it is, and in which phase."""

    who: str
    phase: str


def odds_for(
    store: ReadableStore, book: Game, position: LedgerState[State], said: Declaration
) -> tuple[list[LevelOdds], OwnTurn | None]:
    """Return the odds as `odds_at_any_time`, if who reads the store may know them. Raises InputError if not."""
    if not isinstance(store, PlayersLedger):
        return odds_at_any_time(book, position, said)
    if store.names_hidden(said) or any(_is_hidden(window.opened, store) for window in position.state.windows.values()):
        raise hidden_odds_error(said, store)
    odds, turn = odds_at_any_time(book, position, said)
    if any(_rests_on_hidden(level.odds, store) for level in odds):
        raise hidden_odds_error(said, store)
    return odds, turn


def _is_hidden(entry: EntryId, store: PlayersLedger) -> bool:
    """Return whether an entry is secret, or something in it is hidden."""
    take = next(latest_takes(store.store.takes(after=entry.before, upto=entry)))
    return store.has_secrets_in(take)


def _rests_on_hidden(odds: Odds, store: PlayersLedger) -> bool:
    """Return whether odds were counted with something that is hidden."""
    hidden = store.hidden
    return (
        odds.secret
        or any(chance.who in hidden or chance.against in hidden for chance in odds.chances)
        or any(store.hides(expected.value) for expected in odds.expected)
    )


def hidden_odds_error(said: Declaration, store: PlayersLedger) -> InputError:
    """Return the error for odds that rest on hidden numbers: whose, where the line names them."""
    named = [name for name in store.hidden if name in _texts(msgspec.to_builtins(said))]
    if not named:
        what = "these odds rest on numbers that are the game master's"
        return InputError(what, hint="Ask about a difficulty that everybody knows, as in v5.")
    whose = word_list([escape(name) for name in sorted(named)])
    shown = quote(named[0]) if " " in named[0] else named[0]
    return InputError(
        f"these odds rest on the numbers of {whose}, which are the game master's",
        hint=f"Throw and see, or ask the game master to show them: ! reveal {shown}",
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def odds_at_any_time(
    book: Game, position: LedgerState[State], said: Declaration
) -> tuple[list[LevelOdds], OwnTurn | None]:
    """Return the odds at every level; if the line is refused now, as in the first turn that allows it.

    Raises the Refused of now when no turn does.
    """
    scope = line_scope(position, book)
    id = EntryId(position.last.session, position.last.number + 1)

    def odds_of(level: str, declaration: Declaration) -> LevelOdds:
        line = format_declaration(declaration, scope)
        return LevelOdds(level=level, line=line, odds=count_odds(book, position, declaration, id))

    return _at_any_time(book, position, said, odds_of)


def check_has_odds(book: Game, position: LedgerState[State], said: Declaration) -> None:
    """Check that the odds of a line can be asked, without counting them. Raises Refused as `odds_at_any_time`."""
    _at_any_time(book, position, said, lambda _, declaration: before_dice(position, book, declaration))


def number_to_reach(book: Game, position: LedgerState[State], said: Declaration) -> Judged | None:
    """Return a result of a line that is held against a number, for that number; None for a line without one."""

    def find_result(_: str, declaration: Declaration) -> Judged | None:
        facts = facts_of_one_branch(book, position, declaration, position.next_entry())
        return next((fact for fact in facts if isinstance(fact, Judged) and fact.target is not None), None)

    try:
        found, _ = _at_any_time(book, position, said, find_result)
    except LedgerError:
        return None
    return next(iter(found), None)


def _at_any_time(
    book: Game, position: LedgerState[State], said: Declaration, look: Callable[[str, Declaration], T]
) -> tuple[list[T], OwnTurn | None]:
    """Return what `look` returns for each level that is allowed, now or in the first turn that allows any.

    Raises the Refused of now when no turn does.
    """
    try:
        return list(_at_each_level(book, position, said, look)), None
    except Refused as error:
        refusal = error
    for turn in possible_turns(book, position.state, said):
        try:
            with position.trial():
                suppose_turn(book, position.state, turn, said.by)
                return list(_at_each_level(book, position, said, look)), turn
        except Refused:
            continue
    raise refusal


def possible_turns(book: Game, state: State, said: Declaration) -> Iterator[OwnTurn]:
    """Yield the turns in which a line might be said: those of the speaker, then of those whom it names, by phase."""
    if state.encounter is None:
        return
    members = state.encounter.members
    named = (value for value in msgspec.structs.asdict(said).values() if isinstance(value, str))
    for who in dict.fromkeys((said.by, *named)):
        if who in members:
            for phase in book.guide.turn_phases:
                yield OwnTurn(who=who, phase=phase)


def suppose_turn(book: Game, state: State, turn: OwnTurn, speaker: str) -> None:
    """Make it somebody's turn, with all actions for them and for the speaker. The caller rolls back."""
    encounter = state.encounter
    assert encounter is not None
    done = tuple(who for who in encounter.done if who not in (turn.who, speaker))
    supposed = msgspec.structs.replace(encounter, turn=turn.who, phase=turn.phase, done=done, waiting=())
    state.put("encounters", encounter.id, supposed)
    for who in {turn.who, speaker}:
        for action, number in book.guide.turn_actions:
            state.put("allowances", (who, action), number)


def _at_each_level(
    book: Game, position: LedgerState[State], said: Declaration, look: Callable[[str, Declaration], T]
) -> Iterator[T]:
    """Yield what `look` returns for every level that the rules allow. Raises Refused when they allow none."""
    refusal: Refused | None = None
    any_allowed = False
    with stored_errors(f"the state after entry {position.last}"):
        levels = list(book.guide.levels(said, position.state))
    for level, declaration in levels:
        try:
            found = look(level, declaration)
        except Refused as error:
            refusal = refusal or error
            continue
        any_allowed = True
        yield found
    if not any_allowed and refusal is not None:
        raise refusal
