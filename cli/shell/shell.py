"""What the shell answers: it declares lines, closes the open roll, and runs questions as commands.

It keeps one connection and the folded state between lines. If another process has appended, the state is loaded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cli.context import CampaignContext
from cli.errors import REFUSALS, CommandError
from cli.notation.scope import Scope
from cli.notation.tokens import AMEND_MARK, GM_MARK
from cli.output import column_mark, paint, print_wrapped, remark
from cli.phrases.entries import before_lines
from cli.play.declare import declare_line, is_correction, is_sheet_line, let_go_of_nothing
from cli.play.sheet_form import ask_sheet
from cli.play.whole_line import with_whole_line
from cli.questions import possible
from cli.questions.players_ledger import hidden_beings, printed_records
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.render.reply import closing_text
from cli.shell import questions
from cli.shell.asker import Asker
from cli.shell.completion import complete_typed
from cli.shell.conversation import FICTION, Conversation
from cli.shell.faces import AskedFaces, AskPerson
from cli.shell.line_reader import CLOSE, LineReader
from cli.shell.prompt import prompt_text, spent_turn
from cli.shell.recorded_answers import recorded_answer
from cli.shell.said_lines import said_lines
from cli.shell.short_answer import answer_shortly
from cli.shell.short_forms import in_full
from cli.shell.speaker import SpokenLine, read_in_full
from cli.speech.heard import NEXT_LINE, Lacking, Unclear, unclear
from cli.speech.talk import is_asked
from cli.speech.words import is_too_long
from ledger.acts import CutShort, written_before
from ledger.errors import BadFaces, LedgerError, Refused, Unreadable
from ledger.facts import EntryId, Fact
from ledger.records import Record, latest_takes, shown_records
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.announcements import find_window
from rulebooks.common.encounters import PassOn
from rulebooks.common.game import Game
from rulebooks.common.sides import is_foe
from rulebooks.common.texts import Wording

NEWCOMER: Final = "+ "  # somebody new, whose sheet is asked for
ENDS: Final = ("quit", "exit")
INDENT: Final = "  "
MORE_FACES: Final = "Or say the missing faces alone, as in /14."

Run = Callable[[Sequence[str]], None]


class Shell:
    """One campaign at a table: `answer` prints what follows from a line."""

    def __init__(self, context: CampaignContext, run: Run, ask: AskPerson, role: str = GM_VIEW) -> None:
        """`run` runs a command of the program and prints its errors; `ask` returns the answer to a question.

        `role`: whose shell it is. The players' shell prints what they may see, and takes only their lines.
        """
        self.context, self.run, self.ask_person, self.role = context, run, ask, role
        self.ledger: Ledger[State] = context.ledger(write=True)
        self.book: Game = context.game()
        self.reader = LineReader(self.ledger, self.book, role)
        self.asker = Asker(self.reader)
        self.seen = self.reader.seen
        self.said = ""  # the line that is being answered
        self.heard = ""  # how it was read as a line of the grammar
        self.conversation = Conversation(self.ledger, self.book, lambda: self.scope, may_correct=role != PLAYERS)
        self.failed = 0  # the exit code of a pipe: 1 if a line was not taken, 3 if the ledger could not be used

    @property
    def state(self) -> State:
        """The state now."""
        return self.reader.state

    @property
    def scope(self) -> Scope:
        """The scope of a line that is said now."""
        return self.reader.scope

    def prompt(self) -> str:
        """Return the prompt."""
        ending = spent_turn(self.state, self.book)
        following = possible.acting_after(self.ledger, self.book, ending) if ending else []
        return prompt_text(self.state, self.book, hidden_beings(self.seen), following)

    def history(self) -> Iterable[str]:
        """Return the lines of this session that count, the oldest first."""
        session = self.ledger.state.session.number
        latest = shown_records(latest_takes(self.seen.takes(after=EntryId(session, -1))))
        return [take.line for take in latest if take.line and take.line_start in ("", str(take.id))]

    def complete(self, text: str) -> list[str]:
        """Return the words that may end this line."""
        return complete_typed(text, self.ledger, self.book, self.scope, ranked=self.role != PLAYERS)

    def answer(self, text: str) -> bool:
        """Print what follows from a line; an empty one closes the open roll. Return False if the shell is to end."""
        self.heard = ""
        self.said = line = in_full(self.conversation.chosen_line(text.strip()), self.ledger, lambda: self.scope)
        if line in ENDS:
            return False
        try:
            if line.startswith(questions.QUESTION) or self.asker.is_call_for_help(line):
                self.ask(line.removeprefix(questions.QUESTION))
            elif self.role == PLAYERS and is_line_of_game_master(line):
                self.refuse_line_of_game_master()
            elif line.startswith(NEWCOMER):
                self.add_being(line.removeprefix(NEWCOMER).strip())
            elif is_correction(line) or is_sheet_line(line):
                self.correct(line)
            elif self.asker.is_question(line):
                if not self.answer_question(line):
                    self.ask(line)
            elif self.is_question_in_words(line) and self.answer_question(line):
                return True
            elif line or self.reader.closing() is not None:
                self.say(line or CLOSE)
        except Unclear as question:
            self.conversation.refuse(self.said)
            self.ask_which(question)
        except Lacking as error:
            self.conversation.refuse(self.said)
            self.conversation.lacking = error.lines
            print_wrapped(f"= {each}" for each in error.lines if not error.is_shown)
            self.print_error(self.with_proposal(error))
        except (LedgerError, BadFaces) as error:
            is_short = self.conversation.is_short_of_dice(self.heard)
            self.conversation.refuse(self.heard if is_short else self.said)
            self.print_error(self.with_proposal(error.with_more_hint(MORE_FACES) if is_short else error))
        except KeyboardInterrupt:
            self.ledger.refresh()
            remark("interrupted; what was taken is kept: ? log")
            self.note_failure()
        return True

    def is_question_in_words(self, line: str) -> bool:
        """Return whether a sentence asks something, and does not say what the last line lacks."""
        return not is_too_long(line) and is_asked(line) and not self.conversation.is_added(line)

    def say(self, line: str) -> None:
        """Answer what is said: declarations in any words, one after the other, a correction, or a question."""
        self.go_on(self.rest_behind(line))

    def rest_behind(self, line: str) -> str:
        """Answer the first act of what is said, and return what is left to say."""
        if is_too_long(line) or line == self.conversation.chosen:
            return self.declare(line)
        if thrown := self.conversation.with_dice(line):
            return self.declare_completed(thrown)
        if recorded := recorded_answer(line, self.reader, self.context.wording):
            print_wrapped(recorded)
            return ""
        try:
            return self.declare(line)
        except Lacking:
            raise
        except Refused as error:  # `she used two levels of effort` is a task without a difficulty, or a correction
            is_strict = self.asker.is_strict(line)
            if not is_strict and (added := self.conversation.added(line)):
                raise added from error
            is_whole = is_strict or self.conversation.is_short_of_dice(self.heard)
            if not is_whole and (correction := self.conversation.correction(line, adds=False)):
                raise correction from error
            raise self.reader.lacking(line, error) or error from None
        except Unreadable as error:
            completed = self.conversation.completions(line, self.asker.line_of)
            if len(completed) > 1:
                raise unclear(line, completed) from error
            if completed:
                return self.declare_completed(completed[0])
            if added := self.conversation.added(line):
                raise added from error
            if is_asked(line) and self.answer_question(line, is_last=True):
                return ""
            if correction := self.conversation.correction(line):
                raise self.conversation.beside(correction, error, line) from error
            lines = getattr(error, "lines", ())
            fiction = [each for each in lines if each.startswith(FICTION)]
            if len(fiction) == len(lines) and self.answer_question(line):
                return ""
            if not fiction or not self.conversation.tells_fiction:
                raise
            return self.declare(fiction[0])

    def declare_completed(self, line: str) -> str:
        """Declare the last line with what it lacked, and return what is left to say."""
        remark(f"= {line}")
        self.conversation.complete()
        return self.declare(line)

    def answer_question(self, line: str, *, is_last: bool = False) -> bool:
        """Answer a question in words; return whether the line is one. `is_last`: it is not taken as it is."""
        question = self.conversation.question(line, self.asker.line_of, is_last=is_last)
        if question:
            if question != line:
                remark(f"= ? {question}")
            answer = answer_shortly(line, question, self.reader)
            print_wrapped(answer.lines)
            if not (answer.lines and answer.is_whole):
                self.ask(question)
        return bool(question)

    def ask_which(self, question: Unclear) -> None:
        """Ask which of several lines is meant; its number and Enter takes one."""
        print_wrapped(self.conversation.ask_which(question))
        if question.shows_odds and self.asker.has_odds(question.lines[0]):
            self.run([questions.ODDS, question.lines[0]])
        self.note_failure()

    def add_being(self, name: str) -> None:
        """Ask for the sheet of somebody new, write it beside the ledger, and let them join."""
        self.run(["cast", str(ask_sheet(self.ledger, self.book, self.context.folder, name, self.ask_person, remark))])
        self.ledger.refresh()

    def ask(self, text: str) -> None:
        """Answer a question: `why 11`, `show kess`; a line alone asks for its odds, a verb alone for its help."""
        asked = self.asker.find(text)
        if asked.command:
            self.run(asked.command)
        else:
            print_wrapped(asked.lines)

    def declare(self, line: str) -> str:
        """Declare a line, print what it caused and what closing the open roll will cause, and return what is left."""
        self.reader.refresh()
        if line == CLOSE and (nothing := let_go_of_nothing(self.ledger, self.book, line)):
            remark(f"Nothing to do: {nothing}.")
            return ""
        is_chosen = line == self.conversation.chosen
        spoken = self.reader.chosen_line(line) if is_chosen else self.reader.spoken_line(line)
        self.said, self.heard = spoken.text, spoken.heard or spoken.text
        if not is_chosen:
            self.conversation.check_no_repetition(line, spoken)
        if spoken.heard:
            remark(f"= {spoken.heard}")
        if self.role == PLAYERS and any(is_foe(said.declaration.by, self.state) for said in spoken.parsed or ()):
            self.refuse_line_of_game_master()
            return ""
        faces = AskedFaces([being.name for being in self.state.beings_in_order()], self.ask_person)
        parsed = read_in_full(spoken, self.ledger, self.book) if self.role == PLAYERS else spoken.parsed
        due = self.book.guide.next_up(self.state) if is_pass_on(spoken) else ()
        passing = [who for who in due if who not in hidden_beings(self.seen)]
        try:
            record = declare_line(
                self.ledger, self.book, self.said, at=self.context.now, ask=faces, parsed=parsed, note=remark
            )
        except CutShort as refused:
            self.print_said(refused.record)
            raise
        if record is not None:
            self.print_said(record, passing)
        return self.conversation.take_rest(spoken.parsed or (), spoken.then)

    def correct(self, line: str) -> None:
        """Correct an earlier line, or a sheet, and if that was done go on with what is left to say."""
        position = self.ledger.state.position
        self.run(["do", line])
        self.ledger.refresh()
        self.print_closing(self.reader.closing(), self.context.wording)
        if self.ledger.state.position != position:
            self.go_on(self.conversation.take_rest((), ""))
        elif line.startswith(AMEND_MARK):
            self.conversation.unsettled = line

    def go_on(self, rest: str) -> None:
        """Say what is left of a sentence; where somebody may answer its first act, only the answer is said now.

        Of several lines each is taken as it stands, one after the other.
        """
        said, _, later = rest.partition(NEXT_LINE)
        if not said:
            return
        if find_window(self.state) and not self.is_answer(said):
            self.conversation.waiting = rest
            remark(f"Then: {said}")
            return
        self.said, self.conversation.rest = said, later
        if is_correction(said):
            self.correct(said)
        else:
            self.say(said)

    def is_answer(self, sentence: str) -> bool:
        """Return whether a sentence answers what is announced."""
        try:
            parsed = self.reader.spoken_line(sentence).parsed or ()
        except LedgerError:
            return False
        return bool(parsed) and all(type(each.declaration).answers for each in parsed)

    def refuse_line_of_game_master(self) -> None:
        """Say to the players that a line is not theirs."""
        remark("This line is the game master's: these are the players' lines.")
        self.note_failure()

    def print_said(self, record: Record, due: Sequence[str] = ()) -> None:
        """Print what a line has caused, up to its last record; `due` could have acted and let it pass."""
        wording = self.context.wording
        before = list(printed_records(self.seen, written_before(self.ledger.store, record)))
        print_wrapped(before_lines(before, wording))
        for seen in printed_records(self.seen, [record]):
            self.print_record(seen, wording, due)

    def print_record(self, record: Record, wording: Wording, due: Sequence[str] = ()) -> None:
        """Print an entry without the line that was just typed, and what Enter will do.

        `due`: those who could have acted, if the line let all of them pass.
        """
        closing = self.reader.closing()
        first, *more = said_lines(record, self.reader, wording, closing, due) or [""]
        print_wrapped([paint(str(record.id), dim=True) + (f" {first}" if first else "")])
        print_wrapped(INDENT + line for line in more)
        self.print_closing(closing, wording)

    def print_closing(self, closing: Sequence[Fact] | None, wording: Wording) -> None:
        """Print what Enter will do, if a roll is open that can be closed, which causes these facts."""
        if closing is not None:
            text = closing_text(closing, wording) or "nothing else happens"
            if self.role == PLAYERS:
                text = "the roll"
            print_wrapped([INDENT + paint(f"Enter closes: {text}", dim=True)])

    def note_failure(self, code: int = 1) -> None:
        """Note that a line was not taken, or a question not answered, with the exit code of its error."""
        self.failed = max(self.failed, CommandError.exit_code if code == CommandError.exit_code else 1)

    def with_proposal(self, error: LedgerError) -> LedgerError:
        """Return an error with the whole line that may be meant; the players' errors as they are."""
        if self.role == PLAYERS or not isinstance(error, Unreadable | Refused):
            return error
        return with_whole_line(error, self.said, self.ledger, self.book, self.scope)

    def print_error(self, error: LedgerError) -> None:
        """Print an error, with a mark under the column that it names in the line as it was read."""
        for line in column_mark(self.said, error):
            remark(INDENT + line)
        remark(str(error))
        self.note_failure(1 if isinstance(error, (*REFUSALS, Unreadable)) else CommandError.exit_code)


def is_line_of_game_master(line: str) -> bool:
    """Return whether a line is the game master's by its form: an aside, a correction, a sheet."""
    return line.startswith((GM_MARK, NEWCOMER)) or is_correction(line) or is_sheet_line(line)


def is_pass_on(spoken: SpokenLine) -> bool:
    """Return whether a line lets all pass who are still to come."""
    return bool(spoken.parsed) and all(isinstance(each.declaration, PassOn) for each in spoken.parsed or ())
