"""The lines of everybody at the table, decided one after the other at the head of the ledger.

A line counts once under its key: the key stands in the record, so a line that is sent again after a lost answer, or to
a server that was started again, gets the answer of the first time. What was asked or refused left nothing behind; it
is answered again as before while the server runs.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Final

from click import unstyle
from msgspec.structs import replace

from cli.context import CampaignContext
from cli.errors import REFUSALS
from cli.notation.line_parser import ParsedLine
from cli.notation.tokens import GM_MARK, normalize_line, quote
from cli.phrases.entries import before_lines, heading
from cli.play.declare import declare_line, find_taken, is_correction, is_sheet_line, is_silent, parse_now
from cli.play.running_table import player_of
from cli.questions.canonical_line import written_records
from cli.questions.players_ledger import printed_records
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.render.short_answers import ShortAnswer
from cli.shell.asker import Asker
from cli.shell.conversation import Conversation
from cli.shell.line_reader import LineReader
from cli.shell.questions import QUESTION
from cli.shell.said_lines import said_lines
from cli.shell.shell import NEWCOMER, is_line_of_game_master
from cli.shell.short_answer import answer_shortly
from cli.shell.short_forms import in_full
from cli.shell.speaker import SpokenLine, read_in_full
from cli.speech.heard import LEFT_OUT, Unclear
from cli.speech.talk import is_asked
from cli.table.answers import Answer, Answered, Asked, Choice, InWords, Question, Refusal, TableThrow, Taken, TypedLine
from cli.table.aside import HERE, HeardAside, HeardLine, WordedLine, spoken_line
from cli.table.commands import check_command
from cli.table.page_links import PageLinks
from cli.table.seats import TIME_LIMIT, Seat, beings_of, check_seat, not_theirs, own_beings
from cli.table.time_limit import GO, TimeLimit, find_limit
from ledger.acts import written_before
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.records import Record, Sender
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

REMEMBERED: Final = 4096  # answers
SINCE_MOST: Final = 5  # lines that came before one that is refused
UNREAD: Final = "L-LINE"  # the code of a line that cannot be read
THIS: Final = "Did you mean this?"  # where the others that may be meant are not theirs to say
IDLE: Final = "L-IDLE"  # the code of a line that does nothing now
LINE_OF_MASTER: Final = re.compile(rf"(?<![^\s('`]){GM_MARK} \S")  # in a hint
NOT_YOURS: Final = f"A line that begins with {GM_MARK} is the game master's"


class DiceWanted(LedgerError):
    """The faces of these dice are rolled at the table."""

    def __init__(self, purpose: str, sides: tuple[int, ...]) -> None:
        super().__init__(purpose)
        self.throw = TableThrow(purpose=purpose, sides=sides)


class LineWriter:
    """Takes lines. It belongs to one thread, and has the only connection of the server that writes."""

    def __init__(self, context: CampaignContext, links: PageLinks | None = None) -> None:
        """`links`: asks the pages of the players for links, where dice are shared."""
        self.context = context
        self.ledger: Ledger[State] = context.ledger(write=True, door="page")
        if links is not None:
            self.ledger.links, links.player_of = links, lambda being: player_of(self.ledger.state.state, being)
        self.book: Game = context.game()
        self._words = self.book.texts().lexicon.wording
        self._readers = {role: LineReader(self.ledger, self.book, role) for role in (GM_VIEW, PLAYERS)}
        self._answers = OrderedDict[tuple[Seat, str], tuple[str, Answer]]()

    def say(self, seat: Seat, said: TypedLine) -> Answer | Question:
        """Return what becomes of a line. Raises LedgerError if the ledger cannot be read or written now."""
        answer = self.say_each([(seat, said)])[0]
        assert not isinstance(answer, InWords)
        return answer

    def say_each(
        self, lines: Sequence[tuple[Seat, TypedLine]], readings: Sequence[HeardLine | None] | None = None
    ) -> list[Answer | Question | InWords]:
        """Return what becomes of lines that came together, one after the other, all durable at the end.

        `readings`: how each was heard aside, if it was; one in other words than the grammar's that was not is returned
        as such, and one that others have overtaken is heard again. Without readings all are heard here.
        A question that a command answers is returned as it is. Where dice are shared, each line is durable before the
        next: no file is kept from others while pages are asked.
        Raises LedgerError if the ledger cannot be read or written now, and then nothing was written.
        """
        try:
            with self.ledger.batch() if len(lines) > 1 and not self.ledger.shares_dice else nullcontext():
                answers = [
                    self._known(seat, said) or self._answer(seat, said, HERE if readings is None else readings[place])
                    for place, (seat, said) in enumerate(lines)
                ]
        except BaseException:
            self.ledger.refresh()
            raise
        for (seat, said), answer in zip(lines, answers, strict=True):
            if isinstance(answer, Taken | Asked | Refusal):
                self._answers[seat, said.key] = said.line, answer
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return answers

    def let_come(self, limit: TimeLimit, key: str) -> Answer | Question | None:
        """Throw the dice of what nobody has answered in time; None where it stands otherwise by now.

        Raises LedgerError if the ledger cannot be read or written now.
        """
        if find_limit(self._readers[GM_VIEW].state) != limit:
            return None
        return self.say(TIME_LIMIT, TypedLine(line=GO, key=key))

    def _known(self, seat: Seat, said: TypedLine) -> Answer | None:
        """Return the answer that a line was given before under its key, while the server runs."""
        line, answer = self._answers.get((seat, said.key), (said.line, None))
        return answer if line == said.line else refusal_of(_other_line(line), seat)

    def _answer(self, seat: Seat, said: TypedLine, reading: HeardLine | None) -> Answer | Question | InWords:
        """Return the answer to a line that was not answered since the server runs."""
        reader, request = self._readers[seat.view], f"page:{seat.holder}:{said.key}"
        reader.refresh()
        try:
            check_seat(seat, (), reader.state)
            line = in_full(normalize_line(said.line).strip(), self.ledger, lambda: reader.scope)
            again = self._answer_again(seat, reader, line, request)
            worded = WordedLine(line, request, reading)
            return again or self._find_question(seat, line) or self._take_or_ask(seat, reader, worded)
        except HeardAside as aside:
            return InWords(line=str(aside))
        except Unclear as question:
            return self._question(seat, reader, question)
        except DiceWanted as wanted:
            return Asked(question=f"The dice of '{wanted.throw.purpose}' are rolled at the table", dice=[wanted.throw])
        except (*REFUSALS, Unreadable) as error:
            return refusal_of(error, seat, self._since(reader, said.seen))

    def _asker(self, seat: Seat) -> Asker:
        """Return what understands the questions of the holder of a link."""
        reader = self._readers[seat.view]
        return Asker(reader, own_beings(seat, reader))

    def _find_question(self, seat: Seat, line: str) -> Answered | Question | None:
        """Return the answer to a question, or the command that gives it; None for a line that is none."""
        asker = self._asker(seat)
        if line.startswith(QUESTION) or asker.is_call_for_help(line):
            return self._ask(seat, line.removeprefix(QUESTION).strip())
        if asker.is_question(line):
            return self._question_in_words(seat, line) or self._ask(seat, line)
        return self._question_in_words(seat, line) if is_asked(line) else None

    def _question_in_words(self, seat: Seat, line: str, *, is_last: bool = False) -> Answered | Question | None:
        """Return the answer to a sentence that asks a question, or the command that gives it; None for any other.

        `is_last`: it is not taken as it is.
        """
        asker = self._asker(seat)
        conversation = Conversation(self.ledger, self.book, lambda: asker.reader.scope, may_correct=False)
        question = conversation.question(line, asker.line_of, is_last=is_last)
        answer = answer_shortly(line, question, asker.reader) if question else ShortAnswer()
        if answer.lines and answer.is_whole:
            return Answered(question=question, reply=plain(answer.lines))
        return self._ask(seat, question) if question else None

    def _take_or_ask(self, seat: Seat, reader: LineReader, line: WordedLine) -> Answer | Question:
        """Take a line, or answer it where it cannot be read and asks a question. Raises as `_take`."""
        try:
            return self._take(seat, reader, line)
        except Unreadable:
            if (answer := self._question_in_words(seat, line.text, is_last=True)) is None:
                raise
            return answer

    def _ask(self, seat: Seat, question: str) -> Answered | Question:
        """Return the answer to a question, or the command that gives it. Raises Refused for one of the shell alone."""
        found = self._asker(seat).find(question)
        if not found.command:
            return Answered(question=question, reply=plain(found.lines))
        check_command(seat, found.command)
        return Question(question=question, command=found.command)

    def _answer_again(self, seat: Seat, reader: LineReader, line: str, request: str) -> Taken | None:
        """Return the answer to a line that was taken before under its key. Raises Refused if that was another line."""
        earlier = self.ledger.store.find_request(request)
        if earlier is None:
            return None
        forms = [line, f"{quote(earlier.by) if ' ' in earlier.by else earlier.by} {line}"]
        form = earlier.line if earlier.line in forms else line
        find_taken(self.ledger, self.book, form, request)
        return self._answer_taken(reader, earlier, heard=self._heard(reader, earlier))

    def _heard(self, reader: LineReader, record: Record) -> str:
        """Return the line of the grammar as which a record was heard; empty if it was said so."""
        try:
            self._parse_in_full(record.line)
        except LedgerError:
            return next((each.line for each in written_records(printed_records(reader.seen, [record]), self.book)), "")
        return ""

    def _take(self, seat: Seat, reader: LineReader, worded: WordedLine) -> Taken:
        """Take a line. Raises Refused, Unreadable, Unclear, DiceWanted or HeardAside."""
        line = worded.text
        if line.startswith(NEWCOMER):
            raise Refused(UNREAD, "somebody new is asked for in the shell", hint="Say it there, or cast a sheet file.")
        if is_silent(line):
            raise Refused(IDLE, "the line says nothing", hint="Say who does what.")
        spoken, parsed, notes = SpokenLine(line, None), None, list[str]()
        if is_line_of_game_master(line) and seat.role != GM_VIEW:
            raise not_theirs("this line is the game master's", beings_of(seat, reader.state))
        if not (is_correction(line) or is_sheet_line(line)):  # which are no declarations
            spoken = self._hear(seat, reader, worded)
            parsed = self._in_full(seat, spoken)
            check_seat(seat, parsed, reader.state)
        self.ledger.sender, before = Sender("page", seat.holder), self.ledger.state.position
        record = declare_line(
            self.ledger,
            self.book,
            spoken.text,
            at=self.context.now,
            request=worded.request,
            ask=_ask,
            parsed=parsed,
            note=notes.append,
        )
        if record is None:
            raise Refused(IDLE, "".join(notes[-1:]) or "there is nothing to do")
        is_alone = record.position == before + 1
        return self._answer_taken(reader, record, is_alone, heard=spoken.heard, then=spoken.then, notes=notes)

    def _hear(self, seat: Seat, reader: LineReader, worded: WordedLine) -> SpokenLine:
        """Return a line with its speaker, in any words. The game master's may also correct an earlier line.

        Raises Refused, Unreadable, Unclear with what may be meant, or HeardAside.
        """
        line = worded.text
        try:
            return spoken_line(reader, seat, worded)
        except Unclear as question:
            if seat.role == GM_VIEW or not (meant := self._own_line(seat, reader, question)):
                raise
            return SpokenLine(line, None, meant, question.then.get(meant, ""))
        except (Refused, Unreadable) as error:
            if seat.role != GM_VIEW:
                raise
            raise self._correction(reader, line, error) from error

    def _correction(self, reader: LineReader, line: str, error: Refused | Unreadable) -> LedgerError:
        """Return the question which earlier line a sentence of the game master corrects, or its error as it is."""
        conversation = Conversation(self.ledger, self.book, lambda: reader.scope)
        correction = conversation.correction(line)
        if correction is None or isinstance(error, Refused):
            return correction or error
        return conversation.beside(correction, error, line)

    def _own_line(self, seat: Seat, reader: LineReader, question: Unclear) -> str:
        """Return the only line of a question that a player may say; empty for several, or if it leaves words out.

        The others differ only in who says them.
        """
        own = [line for line in question.lines if self._may_say(seat, reader, line)]
        if len(own) != 1 or len(question.lines) == 1 or LEFT_OUT in question.what:
            return ""
        said = [self._parse_in_full(line) for line in question.lines]
        acts = {tuple(replace(each.declaration, by="") for each in parsed) for parsed in said}
        return own[0] if len(acts) == 1 else ""

    def _in_full(self, seat: Seat, spoken: SpokenLine) -> Sequence[ParsedLine]:
        """Return a line as it is declared: those of the players as all in play understand it."""
        if seat.role == GM_VIEW and spoken.parsed is not None:
            return spoken.parsed
        try:
            return read_in_full(spoken, self.ledger, self.book) or self._parse_in_full(spoken.text)
        except Unreadable as error:  # it would name what a player does not see
            raise Unreadable("the line cannot be read as it stands", hint="Write its names in full.") from error

    def _parse_in_full(self, line: str) -> Sequence[ParsedLine]:
        """Return a line of the grammar as each of its speakers says it, where all in play are known."""
        return parse_now(line, self.ledger, self.book, self._readers[GM_VIEW].scope)

    def _question(self, seat: Seat, reader: LineReader, question: Unclear) -> Answer:
        """Return the question which line is meant, of those that the holder of the link may say."""
        lines = [line for line in question.lines if seat.role == GM_VIEW or self._may_say(seat, reader, line)]
        if question.lines and not lines:
            own = beings_of(seat, reader.state)
            return refusal_of(not_theirs("what this may mean is not yours to say", own), seat)
        choices = [Choice(line=line, label=line, then=question.then.get(line)) for line in lines]
        asked = THIS if len(choices) == 1 < len(question.lines) else question.what
        return Asked(question=asked, choices=choices) if choices else refusal_of(question, seat)

    def _may_say(self, seat: Seat, reader: LineReader, line: str) -> bool:
        """Return whether the holder of a link may say a line of the grammar."""
        try:
            check_seat(seat, self._in_full(seat, reader.strict_line(line, own_beings(seat, reader))), reader.state)
        except LedgerError:
            return False
        return True

    def _answer_taken(
        self,
        reader: LineReader,
        record: Record,
        is_alone: bool = False,
        *,
        heard: str = "",
        then: str = "",
        notes: Sequence[str] = (),
    ) -> Taken:
        """Return the answer to a line that was taken, up to its last record. `is_alone`: it is known to be the only."""
        wording, store = self._wording(), self.ledger.store
        before = () if is_alone else written_before(store, record)
        lines = list(before_lines(list(printed_records(reader.seen, before)), wording))
        for seen in printed_records(reader.seen, [record]):
            lines += said_lines(seen, reader, wording, reader.closing())
        stored = next(store.read(after=record.position - 1))
        return Taken(
            entry=str(record.id),
            reply=[*plain(lines), *notes],
            heard=heard or None,
            then=then or None,
            position=record.position,
            head=stored.hash,
        )

    def _wording(self) -> Wording:
        """Return the words with which facts are printed: those of the book, and the names of the beings now."""
        beings = tuple(being.name for being in self.ledger.state.state.beings_in_order())
        if beings != self._words.beings:
            self._words = replace(self._words, beings=beings)
        return self._words

    def _since(self, reader: LineReader, seen: int | None) -> list[str]:
        """Return the last lines that were written after a position, as the players or the game master see them."""
        if seen is None or not 0 <= seen < self.ledger.state.position:
            return []
        records = printed_records(reader.seen, self.ledger.store.records(after=seen))
        return plain([f"{record.id} {heading(record)}" for record in records][-SINCE_MOST:])


def plain(lines: Iterable[str]) -> list[str]:
    """Return lines without colours and indents."""
    return [unstyle(line).strip() for line in lines]


def _ask(purpose: str, sides: tuple[int, ...]) -> tuple[int, ...]:
    """Ask for the faces of a throw: its line is sent again with them."""
    raise DiceWanted(purpose, sides)


def _other_line(line: str) -> Refused:
    """Return the refusal of a key that was another line's."""
    return Refused("L-REQUEST", f"this key was another line's: {line}", hint="Use a new key for a new line.")


def refusal_of(error: LedgerError, seat: Seat, since: Sequence[str] = ()) -> Refusal:
    """Return the refusal of a line or a question as it is sent. Players read whose the line is that a hint names."""
    if seat.view == PLAYERS and LINE_OF_MASTER.search(error.hint) and "game master" not in error.hint:
        error = error.with_more_hint(NOT_YOURS)
    code = error.code if isinstance(error, Refused) else UNREAD
    place = f"{error.where}: " if error.where and not error.what.startswith(error.where) else ""
    return Refusal(code=code, message=f"{place}{error.what}", hint=error.hint or None, since=list(since))
