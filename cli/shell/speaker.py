"""Who says a line: the being in turn need not be named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from cli.notation.known_beings import match_being
from cli.notation.known_words import match_word
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line, quote
from cli.play.declare import parse_now
from cli.play.spoken import hear_parsed
from ledger.errors import Unreadable
from ledger.facts import Fact, Reached
from ledger.ledger_state import LedgerState
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game


def in_turn(state: State, book: Game) -> str:
    """Return whose turn it is, or who alone may act now; empty if there are several, or none."""
    due = list(book.guide.next_up(state))
    turn = state.encounter.turn if state.encounter else ""
    return turn or (due[0] if len(due) == 1 else "")


def in_turn_after(closing: Iterable[Fact] | None) -> str:
    """Return whose turn begins when the open roll closes, as far as these facts say it; else empty."""
    turns = [fact.who for fact in closing or () if isinstance(fact, Reached) and fact.point == "slot"]
    return turns[-1] if turns else ""


def with_roller(line: str, scope: Scope, state: State) -> str:
    """Return a line that is about one's own open roll, and begins so, with the name of the one whose roll is open."""
    verbs = {verb for kind in scope.declarations if kind.on_own_roll for verb in kind.verbs}
    rollers = {window.who for window in state.windows.values()} & set(scope.beings)
    word = line.split(maxsplit=1)[:1]
    if len(rollers) != 1 or not (word and word[0] in verbs) or match_being(word[0], scope).exact:
        return line
    who = rollers.pop()
    return f"{quote(who) if ' ' in who else who} {line}"


class SpokenLine(NamedTuple):
    """A line with its speaker, and how it reads as each of its speakers says it; None if it cannot be read.

    `heard`: the line of the grammar, if it was said in other words. `then`: what is left for the next line.
    """

    text: str
    parsed: Sequence[ParsedLine] | None
    heard: str = ""
    then: str = ""


def with_speaker(line: str, scope: Scope, in_turn: Callable[[], str]) -> SpokenLine:
    """Return the line with the being in turn before it, if it can be read only so: `dodge hound 3`.

    It begins with a verb or a known task then, and not with anybody's name; a line that begins with a whole verb is
    theirs also where it cannot be read. `in_turn` is asked only then. Raises Unreadable.
    """
    try:
        return SpokenLine(line, parse_each(normalize_line(line), scope))
    except Unreadable as error:
        verbs = [verb for kind in scope.declarations for verb in kind.verbs]
        word, who = line.split()[0], in_turn()
        if not who or not (word in verbs or _is_known(word, verbs, scope, who)):
            raise
        named = f"{quote(who) if ' ' in who else who} {line}"
        try:
            return SpokenLine(named, parse_each(normalize_line(named), scope))
        except Unreadable:
            if word in verbs:
                return SpokenLine(named, None)
            raise error from None


def read_plainly(line: str, strict: Callable[[str], SpokenLine], scope: Scope) -> SpokenLine:
    """Return a line with its speaker and how it reads in the grammar; `strict` names the speaker. Raises Unreadable."""
    spoken = strict(line)
    if spoken.parsed is not None:
        return spoken
    return spoken._replace(parsed=parse_each(normalize_line(spoken.text), scope))


def hear_line(
    line: str, strict: Callable[[str], SpokenLine], state: LedgerState[State], book: Game, scope: Scope
) -> SpokenLine:
    """Return a line in any words with its speaker. `strict` returns it as the grammar has it. Raises as `hear`.

    Only the beings of the scope are named; the state, which may know more, says what the rules allow.
    """
    try:
        spoken = read_plainly(line, strict, scope)
    except Unreadable as error:
        heard = hear_parsed(line, error, state, book, scope)
        return SpokenLine(line, heard.parsed, heard.line, heard.then)
    heard = hear_parsed(spoken.text, spoken.parsed or (), state, book, scope)
    return SpokenLine(line if heard.line else spoken.text, heard.parsed, heard.line, heard.then)


def read_in_full(spoken: SpokenLine, ledger: Ledger[State], book: Game) -> Sequence[ParsedLine] | None:
    """Return a line of the players, who know not everybody, as all in play understand it; None if as it stands."""
    if not spoken.heard:
        return None
    read = parse_now(spoken.heard, ledger, book)
    return [msgspec.structs.replace(each, line=spoken.text.strip()) for each in read]


def _is_known(word: str, verbs: Sequence[str], scope: Scope, who: str) -> bool:
    """Return whether a word begins a verb or a task that is known, and nobody's name."""
    free = [kind for kind in scope.declarations if kind.free]
    tasks = [task for kind in free for task in scope.words(kind, kind.free, who)]
    return bool(match_word(word, [*verbs, *tasks]).words) and not match_being(word, scope).words
