"""What is said between the lines: which reading is meant, questions and corrections in words, fiction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final, NamedTuple

from cli.notation.formatter import format_declaration
from cli.notation.known_beings import match_being
from cli.notation.line_parser import ParsedLine
from cli.notation.schema import fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import AMEND_MARK, GM_MARK, OUTCOMES, TELL_MARKS, UNDO, quote
from cli.play.amend_line import parse_tilde, replaces_drawn_faces, tilde_edits
from cli.play.settlement import usual_outcome
from cli.questions.possible import why_not_said
from cli.shell.last_lines import last_lines
from cli.shell.speaker import SpokenLine
from cli.speech.added_words import with_added
from cli.speech.addressed import with_name_addressed
from cli.speech.answerable import lets_go_on
from cli.speech.attempts import QUOTED
from cli.speech.changes_said import add, amend, change_loosely, correct, drop
from cli.speech.clauses import find_second_act
from cli.speech.clauses_about_lines import (
    is_about,
    is_act_behind,
    is_put_right,
    is_said_besides,
    last_clause_about_line,
    parts_alone,
    settling_clause,
)
from cli.speech.doubts import is_about_deed, is_about_what_was_said, without_leads
from cli.speech.earlier_lines import DROP, Earlier
from cli.speech.english import ENGLISH
from cli.speech.harm_said import is_about_dice
from cli.speech.heard import LEFT_OUT, Lacking, Unclear, unclear
from cli.speech.missing_dice import lacks_dice, missing_die, with_missing_dice
from cli.speech.open_questions import is_deed, question_about_lines
from cli.speech.readings import Reader
from cli.speech.remainders import asks_for
from cli.speech.repetition import is_repetition
from cli.speech.second_thoughts import put_right
from cli.speech.sentences import sentence_with_mark
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.talk import is_asked, question_in_words, without_slips
from cli.speech.words import Word, amount_at, is_too_long, sentence_of, split_words
from ledger.corrections.age import entry_age
from ledger.corrections.amend import plan_amendment
from ledger.corrections.undo import last_line
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM, EntryId
from ledger.ledger_state import LedgerState, RollbackPoint
from ledger.line_tokens import FACES
from ledger.records import latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.announcements import find_window
from rulebooks.common.game import Game

FICTION: Final = ">"
SHOW: Final = "show"
WHY: Final = "why"
ONE_MORE: Final = ".1"  # the face of one more die
LACKED_MOST: Final = 4  # words that complete a line
SHOULD, SET_TO = "should", ("be", "have")  # what a line that was said ought to have been
OWN_MOST: Final = 3  # lines that a sentence means by itself, before those that correct another
FITTING_MOST: Final = 2  # lines of which one may be corrected by a phrase
Changes = Callable[[str, Reader, Earlier], list[str]]


class Readers(NamedTuple):
    """Those who read sentences in one state of a campaign, by whom a pronoun means."""

    state: LedgerState[State]
    mark: RollbackPoint
    by_speaker: dict[str, Reader]


class Conversation:
    """The part of the shell that remembers what was asked, and answers what is no declaration."""

    def __init__(
        self, ledger: Ledger[State], book: Game, scope: Callable[[], Scope], *, may_correct: bool = True
    ) -> None:
        """Begin with nothing asked.

        `may_correct`: whether those who talk may correct lines, and see which ones their words would change.
        """
        self.ledger, self.book, self.scope, self.may_correct = ledger, book, scope, may_correct
        self.meant: Sequence[str] = ()  # the lines of which one may be chosen by its number
        self.then: Mapping[str, str] = {}  # what is left to say behind each of them
        self.rest = ""  # what is left to say once the line that is being answered is taken
        self.waiting = ""  # what is left to say once somebody has answered what was announced
        self.tells_fiction = False  # whether sentences of a story are taken without a question
        self.chosen = ""  # the line of the last question that was chosen: it is read as it stands
        self.refused = ""  # the line that was refused just now, which the next words may complete
        self.lacking: Sequence[str] = ()  # the lines that were refused just now for want of a value
        self.unsettled = ""  # the correction that was refused just now, which the next word may say how to settle
        self._begun: Sequence[str] = ()  # those, or the lines that were asked about
        self._completed = self._completed_rest = ""
        self._readers: Readers | None = None

    def chosen_line(self, text: str) -> str:
        """Return the line that the answer to the last question chooses: by its number, by itself, or Enter for one.

        `retcon` is the correction that was refused just now because it did not say how it is settled.
        """
        unsettled, self.unsettled = self.unsettled, ""
        if unsettled and text in OUTCOMES:
            return f"{unsettled} {text}"
        lines, then = self.meant, self.then
        self._completed, self._completed_rest = self.refused, self.rest
        self._begun = self.lacking or [line for line in lines if line[:1] not in TELL_MARKS]
        self.meant, self.lacking, self.then, self.refused, self.rest = (), (), {}, "", ""
        if text.isdecimal() and 0 < int(text) <= len(lines):
            chosen = lines[int(text) - 1]
        elif not text and len(lines) == 1:
            chosen = lines[0]
        elif text in lines:
            chosen = text
        else:
            self.chosen = ""
            return text
        self.chosen = chosen
        self.tells_fiction |= chosen.startswith(FICTION)
        self.rest = then.get(chosen, "")
        return chosen

    def refuse(self, said: str) -> None:
        """Remember a line that was refused or asked about: of two acts the first, and what is left to say."""
        is_whole = bool(self.rest) or is_too_long(said)
        parted = None if is_whole else find_second_act(split_words(said), self._reader(None))
        self.refused, self.rest = (parted.first, parted.second) if parted else (said, self.rest)

    def complete(self) -> None:
        """Remember what is left to say behind the line that is completed now."""
        self.rest = self._completed_rest

    def take_rest(self, said: Sequence[ParsedLine], then: str) -> str:
        """Return what is left to say now that a line is taken, and forget it. `then`: what that line leaves.

        What waits for an answer to an announcement is said behind that, and forgotten behind any other line.
        """
        goes_on = bool(said) and all(lets_go_on(each.declaration) for each in said)
        rest = then or self.rest or (self.waiting if goes_on else "")
        self.rest = self.waiting = ""
        return rest

    def ask_which(self, unclear: Unclear) -> list[str]:
        """Return the question which of several lines is meant, in lines; the next answer is its number."""
        self.meant, self.then = unclear.lines, unclear.then
        if not unclear.lines:
            return [str(unclear)]
        choices = list[str]()
        for number, line in enumerate(unclear.lines, 1):
            choices.append(f"  {number}  {line}")
            choices += [f"     then: {rest}" for rest in unclear.then.get(line, "").splitlines()]
        end = "Enter takes it." if len(unclear.lines) == 1 else "A number and Enter takes one."
        return [f"{unclear.what}:", *choices, end]

    def completions(self, text: str, line_of: Callable[[str], str]) -> list[str]:
        """Return the lines that the last one becomes with the words that it lacked: `5`, `v5`, `with the knife`.

        It was refused just now. Each would be allowed. `line_of`: as in `question`.
        """
        begun, words = self._completed, split_words(text)
        if not begun or not words or len(words) > LACKED_MOST:
            return []
        scope, amount = self.scope(), amount_at(words, 0)
        shorts = {field.notes.get("short", "") for kind in scope.declarations for field in fields_of(kind)}
        numbered = [f"{short}{amount.number}" for short in sorted(shorts)] if amount else []
        for added in ([text], [f"with {text}", *numbered]):
            said = dict.fromkeys(line_of(f"{begun} {each}") for each in added)
            able = [line for line in said if line and why_not_said(line, self.ledger.state, self.book, scope) is None]
            if able:
                return able
        return []

    def with_dice(self, text: str) -> str:
        """Return the line that was refused for want of dice with the faces that a text says; empty for any other."""
        return with_missing_dice(self._completed, text, self._reader(None)) if self._completed else ""

    def is_short_of_dice(self, line: str) -> bool:
        """Return whether a line has some of the faces of its dice, and lacks others."""
        return bool(line) and bool(missing_die(line, self._reader(None)))

    def added(self, text: str) -> Unclear | Lacking | None:
        """Return the question whether the last lines are meant with what these words add to them, or what they lack."""
        is_open = bool(self._begun) and not text.startswith(GM_MARK)
        return with_added(self._begun, split_words(text), self._reader(None)) if is_open else None

    def check_no_repetition(self, typed: str, spoken: SpokenLine) -> None:
        """Raise Unclear if a sentence may only say what the last line has done already.

        Its dice may be those that the line threw.
        """
        last = next(self._recent(), None)
        if not (spoken.heard and spoken.parsed and last and is_repetition(spoken.parsed, last)):
            return
        correction = self.correction(typed)
        lines = [*(correction.lines if correction else ()), spoken.heard]
        raise unclear(typed, lines, f"'{typed}' may be what the last line has done already, or mean this")

    def is_added(self, text: str) -> bool:
        """Return whether words without a question mark say what the last lines lack: `difficulty 6`."""
        return not text.endswith("?") and self.added(text) is not None

    def question(self, line: str, line_of: Callable[[str], str], *, is_last: bool = False) -> str:
        """Return the question of the shell that a sentence asks; empty if it asks none.

        `line_of`: the line of the grammar that a sentence means, of which the odds may be asked. `is_last`: it is not
        taken as it is, so that `Ada has four seconds left, right?` is a question, if it asks for nothing.
        """
        recent = list(self._recent())
        reader, words = self._reader(recent[0].said if recent else None), split_words(line)
        first = next(iter(without_leads(words)), None)
        name = line[first.column - 1 :].split(maxsplit=1)[0] if first else ""
        if name and not line.endswith("?") and match_being(name, self.scope()).exact:
            return ""  # a deed of Cant, or of Will
        if addressed := with_name_addressed(words, reader.in_play.beings):
            words, line = [*addressed], f"{sentence_of(addressed)}{line[-1:] * line.endswith('?')}"
        if is_last and (is_deed(words, reader) or asks_for(words)):
            return ""
        if not is_asked(line) and any(amount_at(words, at) for at in range(len(words))):
            return ""  # `it's a six` says what was rolled
        if is_last and (asked := sentence_with_mark(words)):
            line, words = f"{sentence_of(asked)}?", [*asked]
        is_last = is_last and not is_about_what_was_said(words)
        question = question_in_words(line, reader, recent, line_of, is_last=is_last)
        if question == WHY:
            return " ".join((WHY, *self._entry_about(words, reader)))
        return (self._question_about_lines(words) if is_last and question in ("", SHOW) else "") or question

    def _entry_about(self, words: Sequence[Word], reader: Reader) -> list[str]:
        """Return the last line in which all have part who are named in a question, if it is not the last of all."""
        named = {each.names[0] for each in mentions_in(words, reader.in_play) if len(each.names) == 1}
        recent = [(each.entry, format_declaration(each.said)) for each in self._recent()] if named else []
        fit = [entry for entry, line in recent if all(in_line(name) in line for name in named)]
        return fit[:1] if fit and fit[0] != recent[0][0] else []

    def _question_about_lines(self, words: Sequence[Word]) -> str:
        """Return the question for the lines of this session that have a word of a question that nothing answers."""
        takes = latest_takes(self.ledger.store.takes(after=EntryId(self.ledger.state.last.session, -1)))
        return question_about_lines(words, (take.line for take in takes)) if self.may_correct else ""

    def correction(self, line: str, *, adds: bool = True) -> Unclear | None:
        """Return the question whether a sentence corrects an earlier line, with what it would be; None if it does not.

        `adds`: it may also add something to the last line, which a refused line does not.
        It is the last line that it fits, those first that have the words and the old value of the sentence. Of a die
        that calls for one more it is what is lacking.
        """
        words, reader = split_words(line), self._reader(None)
        if put_right(words, reader):
            return None
        for part, behind in parts_alone(words):
            if self._undoes(part):
                then = {UNDO: sentence_of(behind)} if behind and is_said_besides(behind, reader.another()) else {}
                return unclear(line, [UNDO], f"'{sentence_of(part)}' would change a line", then=then)
        parted = find_second_act(words, reader)
        if parted and (meant := self._correction(parted.first, split_words(parted.first), adds=adds)):
            acting = meant.lines if is_act_behind(parted, reader.another()) else ()
            return unclear(line, meant.lines, meant.what, then=dict.fromkeys(acting, parted.second))
        return self._correction(line, words, adds=adds)

    def _undoes(self, words: Sequence[Word]) -> bool:
        """Return whether some words alone take the last line back."""
        last = next(self._recent(), None)
        return last is not None and correct(sentence_of(words), self._reader(last.said), last) == [UNDO]

    def _correction(self, line: str, words: Sequence[Word], *, adds: bool) -> Unclear | None:
        """Return the question whether a sentence of one act corrects an earlier line."""
        named = self._reader(None).in_play.beings.at(without_slips(words), 0)
        by = {name for names in named.readings for name in names} if named else ()
        last = [*islice(self._recent(), 1)]
        recent = sorted(self._recent(), key=lambda earlier: earlier.said.by not in by)  # those of whom it speaks first
        start = next((at for at, word in enumerate(words) if word.mark == "," and is_about(words[at + 1 :])), -1) + 1
        line = sentence_of(words[start:]) if start and not is_about_what_was_said(words) else line
        is_open = find_window(self.ledger.state.state) is not None  # it is about what waits for its dice
        for changes, most in (
            (amend, 1),
            (correct, 1 if is_open else FITTING_MOST),
            (drop, 1),
            (change_loosely, 1),
            *([(add, 1)] if adds else []),
        ):
            fitting, lacking = list[Sequence[str]](), list[Unclear]()
            for earlier in recent if changes is not add else last:
                try:
                    possible = self._possible(self._changed(changes, line, earlier))
                    fitting += [[self._with_reason(each, line) for each in possible]] if possible else []
                except Unclear as error:
                    lacking += [error] if changes is amend or earlier is recent[0] else []
                if len(fitting) == most or (lacking and not fitting):
                    break
            if fitting:
                return unclear(line, [each for lines in fitting for each in lines], f"'{line}' would change a line")
            if lacking and (is_about_deed(words) or is_about_what_was_said(words) or is_put_right(words)):
                return lacking[0]
        behind = last_clause_about_line(words) or settling_clause(words)
        return self._correction(sentence_of(behind), behind, adds=adds) if behind else None

    def beside(self, correction: Unclear, error: Unreadable, line: str) -> Unclear:
        """Return the question for a line that may correct another, or mean something by itself: the likelier first."""
        own = [each for each in getattr(error, "lines", ()) if not each.startswith(FICTION)]
        then = {**getattr(error, "then", {}), **correction.then}
        words = split_words(line)
        if any(first.text == SHOULD and second.text in SET_TO for first, second in pairwise(words)):
            return correction
        is_rather = is_put_right(words) or self._rather_corrects(words, error, own, correction)
        if is_about_what_was_said(words) or is_rather:
            own = own[: bool(correction.lines)]
            return unclear(line, [*correction.lines, *own], correction.what, then=then) if own else correction
        return unclear(line, [*own[:OWN_MOST], *correction.lines], then=then) if own else correction

    def _rather_corrects(
        self, words: Sequence[Word], error: Unreadable, own: Sequence[str], correction: Unclear
    ) -> bool:
        """Return whether a sentence rather corrects a line than says something by itself.

        It takes something back, `a four, not a two`, or limits it, `only moved twenty`; or what it means by itself
        leaves a word out, or has its words as a text beside a face: `Guard 3 rolled a three`.
        """
        is_limited = any(word.text in ENGLISH.instead | ENGLISH.rather | ENGLISH.mistaken for word in words[1:])
        is_about = is_about_deed(words) or bool(last_clause_about_line(words))
        if is_limited or is_about or LEFT_OUT in error.what:
            return True
        beings, said = self.scope().beings, sentence_of(words)
        texts = ({*QUOTED.findall(each)}.difference(beings) for each in own)
        changes = (each.partition(" because=")[0] for each in correction.lines)
        has_face = all(FACES.fullmatch(change.split()[-1]) for change in changes)
        names_die = is_about_dice(words, self._reader(None))
        return has_face and (names_die or all(any(text in said for text in each) for each in texts))

    def _changed(self, changes: Changes, line: str, earlier: Earlier) -> list[str]:
        """Return the corrections of an earlier line that a sentence asks for."""
        lines = changes(line, self._reader(earlier.said), earlier)
        lines = [each.replace(AMEND_MARK, f"{AMEND_MARK} {earlier.entry}", 1) for each in lines]
        return [UNDO if each.endswith(f" {DROP}") and self._is_last(earlier) else each for each in lines]

    def _is_last(self, earlier: Earlier) -> bool:
        """Return whether an earlier line is the last of all, which is undone and cannot be dropped."""
        return earlier.entry == str(last_line(self.ledger).id.number) and self.ledger.state.session.open

    def _possible(self, lines: Sequence[str]) -> list[str]:
        """Return those of some corrections of a line that could be made.

        Raises Unclear if none could, and one lacks only the face of one more die, or has other dice.
        """
        refusals = {each: None if each == UNDO else self._why_not_amended(each) for each in lines}
        possible = [each for each, refusal in refusals.items() if refusal is None]
        if not possible:  # the die that is changed was thrown again, and is not now
            fewer = (each.rpartition(".")[0] for each in refusals if FACES.fullmatch(each.split()[-1]) and "." in each)
            possible = [each for each in fewer if not self._why_not_amended(each)]
        for each, refusal in refusals.items() if not possible else ():
            if refusal and FACES.fullmatch(each.split()[-1]) and not self._why_not_amended(f"{each}{ONE_MORE}"):
                raise Unclear(refusal.what, hint=f"Write {each}. and the face of the other die.")
        if not possible and (short := next(filter(lacks_dice, refusals.items()), None)):
            raise Unclear(str(short[1]), hint=f"Write {short[0]} and all faces behind it.")
        return possible

    def _with_reason(self, line: str, sentence: str) -> str:
        """Return a correction with what it needs: how it is settled, the sentence as the reason of typed faces."""
        if line == UNDO:
            return line
        said = parse_tilde(line, self.ledger, self.book)
        edits = tilde_edits(said, self.ledger, self.book)
        is_due = not said.because and replaces_drawn_faces(self.ledger, said.entry, edits[said.entry])
        correction, age = plan_amendment(self.ledger, edits, by=GM, because=""), entry_age(self.ledger, said.entry)
        line += f" {OUTCOMES[0]}" if usual_outcome(self.ledger, correction, age) is None else ""
        return f"{line} because={quote(sentence)}" if is_due else line

    def _why_not_amended(self, line: str) -> LedgerError | None:
        """Return why a correction could not be made; None if it could."""
        try:
            said = parse_tilde(line, self.ledger, self.book)
            plan_amendment(self.ledger, tilde_edits(said, self.ledger, self.book), by=GM, because="")
        except LedgerError as error:
            return error
        return None

    def _reader(self, last: Declaration | None) -> Reader:
        """Return who reads a sentence now; a pronoun means who said the last line. One is kept for each of them."""
        state, by = self.ledger.state, last.by if last and last.by != GM else ""
        if self._readers is None or self._readers.state is not state or self._readers.mark != state.mark():
            self._readers = Readers(state, state.mark(), {})
        if by not in self._readers.by_speaker:
            self._readers.by_speaker[by] = Reader(state, self.book, self.scope(), by)
        return self._readers.by_speaker[by].another()

    def _recent(self) -> Iterator[Earlier]:
        """Yield the last lines that can be corrected, the last first."""
        if self.may_correct:  # a secret line may be among them
            yield from last_lines(self.ledger, self.book)
