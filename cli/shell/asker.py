"""What a question of the shell asks: lines that answer it at once, as those of `help`, or a command that does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cli.notation.examples import example_hint
from cli.notation.known_beings import match_being
from cli.notation.line_parser import parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import tokenize
from cli.output import align_columns
from cli.questions import possible
from cli.questions.players_ledger import hidden_beings
from cli.questions.roles import PLAYERS
from cli.shell import questions
from cli.shell.line_reader import LineReader
from cli.shell.prompt import turn_text
from ledger.errors import InputError, LedgerError, Unreadable
from projections.state import State
from rulebooks.common.game import Game

LINES: Final = (
    ('! ruling "what" "why"', "the game master's side begins with !"),
    ("Enter", "close the open roll"),
    ('# scene, > fiction, " {who}: quote', "kept for the recap"),
    ("u, u 11, redo", "take back the newest, or correction 11; bring it back"),
    ('~ CHANGE, ~ 11 CHANGE, ~ 11 drop', "correct the last line, or entry 11; leave it out"),
    ("? turn, ? show, ? show {who}", "whose turn it is; everybody; one in full"),
    ("? why, ? why all, ? why 11", "why it came out so; all of it; of entry 11"),
    ("? odds LINE, ? whatif CHANGE", "the chances of a line; what would have been"),
    ("help {game}, help play, help VERB", "the game; the rest of the shell; one verb"),
)  # fmt: skip


class AskedFor(NamedTuple):
    """How a question is answered: with these lines, or by this command with its arguments."""

    lines: Sequence[str] = ()
    command: Sequence[str] = ()


class Asker:
    """Understands questions for somebody whose lines are read."""

    def __init__(self, reader: LineReader, own: Sequence[str] | None = None) -> None:
        """`own`: for whom the one who asks speaks; None: for all."""
        self.reader, self.own = reader, own

    def is_call_for_help(self, line: str) -> bool:
        """Return whether a line is `help` or `help attack`, and nobody in play is called so."""
        return line.split(maxsplit=1)[:1] == [questions.HELP] and not self._is_name(questions.HELP)

    def is_question(self, line: str) -> bool:
        """Return whether a line begins with the word of a question and cannot be read as a declaration."""
        words = questions.question_words(line)
        known = (*questions.QUESTIONS, " ".join(questions.LISTING))
        return bool(words) and words[0] in known and not self._is_name(words[0]) and not self.can_be_said(line)

    def find(self, text: str) -> AskedFor:
        """Return how a question is answered: `why 11`, `show kess`. A line asks for its odds, a verb for its help.

        Raises Unreadable.
        """
        reader = self.reader
        command, *rest = questions.question_words(text) or [questions.HELP]
        if command == questions.TURN:
            return AskedFor([turn_text(reader.state, reader.book, hidden_beings(reader.seen))])
        if command == questions.FAR:
            state = reader.seen_state().state
            return AskedFor(list(distance_lines("".join(rest), state, reader.book, reader.scope)))
        if command == " ".join(questions.LISTING):
            return AskedFor(command=questions.LISTING)
        if command not in questions.QUESTIONS and not rest and self.is_bare_verb(command):
            return AskedFor(command=[questions.HELP, command])
        if command not in questions.QUESTIONS or command == questions.ODDS:
            line = "".join(rest) if command == questions.ODDS else text.strip()
            if not line:
                raise InputError(
                    "the question names no line", hint=f"Write it behind {questions.QUESTION} {questions.ODDS}"
                )
            return AskedFor(command=[questions.ODDS, reader.spoken_line(line, self.own).text])
        if command == questions.HELP and not rest:
            return AskedFor(self._help_lines())
        own = questions.question_arguments(command, rest[0] if rest else "", reader.ledger, reader.book)
        return AskedFor(command=[command, *own])

    def _help_lines(self) -> list[str]:
        """Return a few lines about the shell; to the players they do not tell what may be said now."""
        reader, scope = self.reader, self.reader.scope
        if reader.role == PLAYERS:
            return list(help_lines(reader.book, scope))
        return list(
            help_lines(reader.book, scope, lambda line: possible.may_be_said(line, reader.ledger, reader.book, scope))
        )

    def line_of(self, sentence: str) -> str:
        """Return the line of the grammar that a sentence means; empty if it means none, or several."""
        try:
            spoken = self.reader.spoken_line(sentence, self.own)
        except LedgerError:
            return ""
        return spoken.heard or spoken.text

    def has_odds(self, line: str) -> bool:
        """Return whether a line that is asked about has odds: one says it, and its dice are still to be thrown."""
        reader = self.reader
        try:
            said, *others = parse_each(line, reader.scope)
            dice = possible.before_dice(reader.ledger.state, reader.book, said.declaration).sides
        except LedgerError:
            return False
        return bool(dice) and not others and said.faces is None

    def is_bare_verb(self, word: str) -> bool:
        """Return whether a word is a verb that is no line by itself, whoever says it."""
        verbs = {verb for kind in self.reader.scope.declarations for verb in kind.verbs}
        return word in verbs and not self.can_be_said(word)

    def can_be_said(self, line: str) -> bool:
        """Return whether a line can be read as a declaration, with its speaker or that of the one in turn."""
        try:
            return self.reader.strict_line(line, self.own).parsed is not None
        except Unreadable:
            return False

    def is_strict(self, line: str) -> bool:
        """Return whether a line is one of the grammar by its verb, and no task in any words."""
        try:
            parsed = self.reader.strict_line(line, self.own).parsed or ()
        except Unreadable:
            return False
        return bool(parsed) and not any(getattr(each.declaration, each.declaration.free, "") for each in parsed)

    def _is_name(self, word: str) -> bool:
        return bool(match_being(word, self.reader.scope).words)


def distance_lines(text: str, state: State, book: Game, scope: Scope) -> Iterator[str]:
    """Yield how far the first name is from the second, or from each creature in play.

    Raises Unreadable for a name that nobody in play has, and where the book keeps no distance between them.
    """
    one, *rest = [_find_named(token.text, scope) for token in tokenize(text)] or [_find_named("", scope)]
    living = [name for name in scope.beings if name not in {one, *scope.dead, *scope.things}]
    far = [(other, book.guide.distance_text(one, other, state)) for other in rest or living]
    known = [f"{one} to {other}: {distance}" for other, distance in far if distance]
    if not known:
        raise Unreadable(f"no distance is kept between {one} and others", hint=f"See where they are: ? show {one}")
    yield from known


def _find_named(word: str, scope: Scope) -> str:
    """Return who or what in play a word names. Raises Unreadable for none or several."""
    names = match_being(word, scope).words if word else ()
    if len(names) != 1:
        raise Unreadable(f"'{word}' names nobody in play" if word else "far from whom?", hint="Write: ? far NAME NAME")
    return names[0]


def help_lines(book: Game, scope: Scope, may_be_said: Callable[[str], bool] | None = None) -> Iterator[str]:
    """Yield ten lines about the shell; the first is what somebody may say now, if that can be asked."""
    spoken = [kind for kind in book.declarations if kind.verbs and not (kind.aside or kind.alone or kind.answers)]
    examples = [example_hint(kind, scope).partition(": ")[2] for kind in spoken]
    example = next(filter(may_be_said, examples), examples[0]) if may_be_said else examples[0]
    who = next((name for name in scope.beings if name not in scope.things), "NAME")
    rows = [(example, "somebody acts: name, verb, the rest in any order"), *LINES]
    texts = [[left.format(who=who, game=book.name), right] for left, right in rows]
    yield from align_columns(texts)
