"""What a sentence may mean: lines of the grammar, each parsed, and tried without dice in the state as it is.

A reading explains each word of the sentence: speaker, verb, beings, items, amounts, and what stands behind a comma or
`because` as the reason. Words that are left over are kept with it, so that nothing is dropped without a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache, partial
from typing import Final

from cli.notation.known_words import find_kind_of_verb
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, GM_MARK, tokenize
from cli.speech import lexicon, word_order
from cli.speech.attempts import Attempts, needs_word
from cli.speech.beings import Beings
from cli.speech.descriptions import Features
from cli.speech.elisions import in_full
from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, SPEECH, TURN, Frame, FrameIndex, FrameMatch, read_speech
from cli.speech.in_play import InPlay, is_attack
from cli.speech.lexicon import WHO, Kind, in_list
from cli.speech.line_drafts import LineDraft
from cli.speech.lost_words import lost_names, lost_words, unsaid_words
from cli.speech.meanings import Meaning
from cli.speech.memo import Memo
from cli.speech.pronouns import PronounFit
from cli.speech.slot_texts import harms_doer, is_beginning_of_end, is_said_otherwise, is_unsure_text, with_fitting_texts
from cli.speech.speakers import Speaker, doers_meant, each_answered, mentions_in, speakers_of
from cli.speech.tail_phrases import plain_verb
from cli.speech.words import WORDS_MOST, Word, is_passed_over, sentence_of, split_words
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.announcements import find_window
from rulebooks.common.game import Game

OF_ALL: Final = ("you", "us", "them")  # which ends `all of you`
LINE, TEXT = "{line}", "{text}"
THERE: Final = "there"
CLAUSES_MOST: Final = 2  # of a sentence that are tried
DEED_WEIGHT: Final = 2  # of a frame whose text may be an act by itself
SUBJECT_MOST, TRIED_MOST = 14, 16  # words before the verb, lines tried


class Reader:
    """Reads sentences in one state of a campaign."""

    def __init__(self, ledger_state: LedgerState[State], book: Game, scope: Scope, spoken_of: str = "") -> None:
        """`spoken_of`: whom a pronoun means in a question."""
        self.ledger_state, self.book, self.scope = ledger_state, book, scope
        self.is_inner = False  # it reads a sentence within another
        speech = read_speech(book.texts().folder / SPEECH)
        self.implied, rules, seeking = speech.implied, frozenset(speech.rules), speech.seeking
        values = cache(partial(lexicon.value_words, scope))
        skills = cache(partial(lexicon.skill_words, scope, self.implied))
        place_of, memo = ledger_state.state.place, Memo(ledger_state)
        fighting = encounter.members if (encounter := ledger_state.state.encounter) else ()
        beings = Beings(scope, fighting, Features(ledger_state.state, book.vital).of)
        fit = PronounFit(ledger_state.state, beings.groups.get("players", ()), scope.spoken_of)
        self.in_play = InPlay(beings, values, skills, place_of, memo, fit, spoken_of, rules=rules, seeking=seeking)
        self._asked_of = spoken_of
        self.verbs, self.tail = lexicon.indexes_of(book, tuple(scope.declarations))
        self._tasks: dict[str, FrameIndex] = {}
        self.free = next((kind for kind in scope.declarations if kind.verbs and kind.free and not kind.answers), None)
        self._spoken_before = ""  # whom the clause before is about

    def another(self, memo: Memo | None = None) -> Reader:
        """Return a reader of another sentence, which knows what was worked out in the state, or in that of `memo`."""
        other, memo = copy(self), memo or self.in_play.memo
        other.in_play, other._spoken_before = self.in_play._replace(spoken_of=self._asked_of, memo=memo), ""
        return other

    def read(self, sentence: str) -> list[Meaning]:
        """Return the readings of a sentence, the one that rests on most words first."""
        asked = (Reader, sentence, self.is_inner, self.in_play.spoken_of, self._spoken_before)
        found, self.in_play, self._spoken_before = self.in_play.memo.recall(asked, partial(self._read, sentence))
        return [*found]

    def _read(self, sentence: str) -> tuple[Sequence[Meaning], InPlay, str]:
        """Return what `read` does, and whom pronouns mean behind it."""
        words: Sequence[Word] = split_words(sentence)
        if len(words) > WORDS_MOST:
            return (), self.in_play, self._spoken_before
        if words and words[0].raw.startswith(GM_MARK):
            bare = words[0]._replace(raw=words[0].raw.lstrip(GM_MARK), text=words[0].text.lstrip(GM_MARK))
            words = [*([bare] if bare.raw else []), *words[1:]]
        words = word_order.with_possessives(word_order.without_opening(words, self.in_play), self.in_play)
        words = word_order.in_active(word_order.as_deed(words, self.in_play), self.verbs, self.in_play)
        named = [*mentions_in(words, self.in_play)] if not self._asked_of else []
        if not self._asked_of and not named:
            self.in_play = self.in_play._replace(spoken_of=self._due(), is_unnamed=True)  # `the fall costs her four`
        elif len(named) == 1 and len(named[0].names) == 1 and not any(word.text for word in words[: named[0].start]):
            self.in_play = self.in_play._replace(doer=named[0].names[0])  # `Bo steps in front of her`
        self._attempts = Attempts(self.ledger_state, self.book, self.scope, self.in_play, self.verbs, self.tail)
        if not self.is_inner:
            self._attempts.tails = lexicon.tail_phrase_words(self.book, tuple(self.scope.declarations))
        self._attempts.typed = sentence.partition(" /")[0].strip(" .,;:!-")
        self._attempts.sentence = sentence_of([word for word in words if not word.is_faces])
        found = self._meanings(words)
        known = [reading for reading in found if reading.weight and reading.parsed and not reading.is_free]
        able = [reading for reading in known if not (reading.left or reading.error)]
        if able and all(reading.is_unsure for reading in able):  # `Ada's on fire` is no shot of hers
            for said in word_order.with_verb_for_ending(words, self.in_play):
                found += [each for each in self._meanings(said) if not each.is_free]
        if not able:
            for ordered in (*word_order.in_usual_order(words, self.verbs, self.in_play), *self._with_named_deed(words)):
                found += [each for each in self._meanings(ordered) if not each.is_free]
        if all(reading.error and (reading.is_free or not reading.parsed) for reading in found):
            found += self._behind_first_clause(words)
        is_so = partial(self.in_play.pronouns.has, pronoun=words[0].text if words else "")  # surely meant: first
        found.sort(
            key=lambda each: (len(each.left), bool(each.error), -each.weight, not any(map(is_so, each.speakers)))
        )
        return found, self.in_play, self._spoken_before

    def _meanings(self, words: Sequence[Word]) -> list[Meaning]:
        """Return what these words may mean, each declaration once: with the fewest words left, and most certain."""
        found: dict[bytes, Meaning] = {}
        for speaker, match in self._matches(words):
            for reading in self._attempted(speaker, match, words):
                known = found.get(reading.declarations)
                if known is None or (len(reading.left), reading.is_unsure) < (len(known.left), known.is_unsure):
                    found[reading.declarations] = reading
            if self._attempts.count >= TRIED_MOST:
                break
        return list(found.values())

    def _attempted(self, speaker: Speaker | None, match: FrameMatch, words: Sequence[Word]) -> Iterator[Meaning]:
        """Yield the readings of a frame behind a subject."""
        if LINE in match.frame.parts:
            drafts = list(self._drafts_around(speaker, match, words))
        else:
            draft = self._draft(speaker, match, words)
            is_suffered = word_order.is_suffered(words, match.start)  # `the guard is hit` is no attack of his
            is_no_blow = is_suffered or self.in_play.means_friend(
                match.slots.get("{being}", ""), draft.by if draft else ""
            )
            drafts = [draft] if draft and not (is_no_blow and is_attack(draft.kind)) else []
        lost, unnamed = lost_words(match, self.in_play), lost_names(match)
        for each in drafts:
            yield from self._attempts.readings(each._replace(lost=lost, unnamed=unnamed))

    def _behind_first_clause(self, words: Sequence[Word]) -> list[Meaning]:
        """Return what is allowed of what stands behind a comma, `and` or `as`; it is asked about.

        `the roof burns, everyone takes two damage`; `Ode stumbles and falls ten feet`.
        """
        first = self.in_play.beings.at(words, 0)
        self._spoken_before = first.readings[0][0] if first else ""  # or whom the clause before it names
        subject = words[: first.size] if first else ()
        inner = range(len(subject) + 1, len(words) if len(words) <= word_order.PARTED_MOST else 0)
        begins = [index for index in inner if words[index - 1].mark or words[index].text in ENGLISH.meanwhile | {"and"}]
        for index in begins[:CLAUSES_MOST]:
            self._attempts.sentence = sentence_of(words[len(subject) : index])
            if any(not (each.error or each.left) for each in self._meanings(words[:index])):
                return []  # the first says something by itself
            if not first:
                named = self.in_play.beings.named_before(words, index, "")
                self._spoken_before = named[0] if len(named) == 1 else ""
            start = index + (words[index].text in ENGLISH.leads | ENGLISH.meanwhile)
            behind = word_order.with_names(words, start, self.in_play)
            of_subject = word_order.with_names(words, start, self.in_play, word_order.NOBODY)
            usual = word_order.in_usual_order(behind, self.verbs, self.in_play)
            full = split_words(in_full(words[:index], words[start:], self.in_play))
            is_own = subject and not word_order.says_of_that(behind)  # `so that's gone`
            for said in [full] if full else (behind, *((of_subject, [*subject, *behind]) if is_own else usual)):
                meant = [each for each in self._meanings(said) if each.error is None and not each.is_free]
                if subject and said in (behind, of_subject) and not self.in_play.beings.at(said, 0):  # nobody else acts
                    meant = [each for each in meant if each.is_no_act]
                if meant:
                    before = sentence_of(words[len(subject) : index])
                    return [each.behind(unsaid_words(before, each.line, self.in_play)) for each in meant]
            if self._attempts.count >= TRIED_MOST:
                break
        return []

    def _with_named_deed(self, words: Sequence[Word]) -> Iterator[Sequence[Word]]:
        """Yield a sentence with the deed that is named as its verb: `hits him with a heavy blow`, `keeps shooting`."""
        said_by = self.speaker_of(words) if len(words) <= word_order.PARTED_MOST else None
        start = len(words) - len(said_by[1]) if said_by else len(words)
        if going_on := word_order.going_on_size(words, start):
            yield [*words[:start], *words[start + going_on :]]
        if said_by and self.begins_deed(said_by[1], 0):
            yield from word_order.with_named_deed(words, start, self._tasks_of(said_by[0][0]), self.in_play)

    def begins_deed(self, words: Sequence[Word], start: int) -> bool:
        """Return whether a verb, or a phrase with one, begins here."""
        return word_order.begins_deed(words, start, self.verbs, self.in_play)

    def speaker_of(self, words: Sequence[Word]) -> tuple[tuple[str, ...], Sequence[Word]] | None:
        """Return who is named at the beginning of a sentence, and the words behind; None if either is missing."""
        start = end = 0
        while named := self.in_play.beings.at(words, start, loose=True):
            end = start + named.size
            is_joined = end < len(words) and words[end].text == "and"
            if not (is_joined or words[end - 1].mark == ","):
                break
            start = end + is_joined
        subjects = self.subjects(words[:end])
        if end < len(words) and word_order.is_owned(words, end):
            return None
        while end < len(words) and words[end].text in {*ENGLISH.leads, word_order.ENDING}:  # `Ada's shooting`
            end += 1
        return (subjects[-1].names, words[end:]) if subjects and end < len(words) else None

    def _matches(self, words: Sequence[Word]) -> list[tuple[Speaker | None, FrameMatch]]:
        """Return the frames that the sentence meets behind each of its subjects, the longest first."""
        found: list[tuple[int, Speaker | None, FrameMatch]] = []
        implied: list[tuple[int, Speaker | None, FrameMatch]] = []
        for start in range(min(len(words), SUBJECT_MOST)):
            subjects = self.subjects(words[:start])
            is_split = words[start].text in OF_ALL and self.in_play.beings.is_within_name(words, start)
            if subjects is None or is_split or (subjects and word_order.is_owned(words, start)):
                continue
            by = subjects[0].names[0] if subjects else ""
            matches = self.verbs.at(words, start, self.in_play)
            matches += self._tasks_of(by).at(words, start, self.in_play)
            if subjects and self.free and not is_passed_over(words[start]):
                task = Frame(plain_verb(words, start), ())  # in any words
                matches.append(FrameMatch(task, start, start + 1, {}))
            matches = with_fitting_texts(matches, words, start, self.in_play)
            named = [subject for subject in subjects if not subject.is_unsure]
            found += [
                (start, each, match)
                for match in matches
                for subject in subjects or (None,)
                for each in each_answered(subject, match)
            ]
            if subjects and not named:  # `they wait for an hour` may be about the time alone
                found += [(start, None, match) for match in matches if match.frame.template.startswith(GM_MARK)]
            if named:
                implied = [(start, subject, match) for match in self._implied(words, start) for subject in named]
        found += implied
        found = [each for each in found if self._fits_turn(*each[1:]) and not is_beginning_of_end(each[2], words)]
        found = [each for each in found if not harms_doer(each[2], words, self.verbs, self.in_play)]
        owed = (ANSWER_MARK,) if self.awaited() else ()  # answers that somebody owes are tried first
        found.sort(key=lambda each: (not each[2].line.startswith(owed), -each[2].frame.literals, each[0]))
        return [(subject, match) for _, subject, match in found]

    def _implied(self, words: Sequence[Word], start: int) -> Iterator[FrameMatch]:
        """Yield the lines that a sentence with another verb may mean: `Kael picks the lock, a finesse check`.

        Behind a known verb, or one with a wrong letter, only those that need more than the words of the sentence.
        """
        is_known = self.implied and self.verbs.has_like(words[start].text)
        for template in self.implied:
            if is_known and not needs_word(self.kind_of(template, is_aside=False)):
                continue
            parts = tuple(slot for slot in (TEXT,) if slot in template)
            slots = {TEXT: sentence_of(words[start:]).replace('"', "'")} if parts else {}
            end = len(words) if parts else start
            yield FrameMatch(Frame(f"{ASK}{template}", parts), start, end, slots)

    def _is_deed_in_text(self, match: FrameMatch, words: Sequence[Word]) -> bool:
        """Return whether the text that begins a frame is an act: `casts a fog as a bonus action` is no quick one."""
        if match.frame.parts[:1] != (TEXT,):
            return False
        has_text = match.frame.template.split()[0] in self._attempts.texts
        is_named = has_text and self.in_play.beings.at(words, match.start) is not None
        return is_named or self.begins_deed(words, match.start)

    def _tasks_of(self, by: str) -> FrameIndex:
        """Return the tasks and the other words that may stand in place of a verb: `sneak`, `pick locks`, `trip`."""
        if by not in self._tasks:
            self._tasks[by] = lexicon.task_phrases(self.scope, by)
        return self._tasks[by]

    def subjects(self, words: Sequence[Word]) -> list[Speaker] | None:
        """Return who may be meant by the words before a verb; nobody for no words; None if they are no subject."""
        names: list[tuple[tuple[str, ...], ...]] = []
        index, unsure = 0, False
        if words and words[0].text == THERE:
            return None  # `there was a guard behind her` is about no deed of his
        while index < len(words):
            if names and words[index].text in ENGLISH.each:
                index += 1
                continue
            named = self.in_play.beings.at(words, index, loose=words[index].text not in ENGLISH.little)
            if named:
                if names and not (words[index - 1].text == "and" or words[index - 1].mark == ","):
                    return None
                is_they = words[index].text in ENGLISH.plural and self.ledger_state.state.encounter is not None
                names.append(named.readings if not is_they else (*named.readings, *self._meant_by(words[index])))
                unsure |= is_they  # `they all flee` may be about either side
                index += named.size
            elif names and words[index].text == "and" and not self.in_play.beings.at(words, index + 1, loose=True):
                return None  # another act was said before: `gets back up and shoots`
            elif words[index].text in ENGLISH.subjects and not (names and words[index - 1].mark):
                names += [meant] if (meant := self._meant_by(words[index])) else []
                is_sure = words[index].text in ENGLISH.first_person and len(self.scope.own) == 1
                index, unsure = index + 1, unsure or not is_sure
            elif is_passed_over(words[index]):
                index += 1
            else:
                return None
        if not names:
            return []
        return speakers_of(names, is_unsure=unsure)

    def _meant_by(self, word: Word) -> tuple[tuple[str, ...], ...]:
        """Return who may be meant by a pronoun: the last spoken of, each in turn, all by `they`, their own by `I`."""
        due = [*dict.fromkeys([*self.in_turn(), *self.awaited()])]
        last = self._spoken_before or (due[0] if len(due) == 1 else "")
        return doers_meant(word, due, last, self.scope.own, self.in_play)

    def _fits_turn(self, speaker: Speaker | None, match: FrameMatch) -> bool:
        """Return whether a phrase for those in turn is said by one who has a turn, or may begin it."""
        if not match.frame.template.startswith(TURN):
            return True
        in_encounter = self.ledger_state.state.encounter is not None
        return in_encounter and speaker is not None and speaker.names[0] in self.in_turn()

    def awaited(self) -> tuple[str, ...]:
        """Return those who may answer what is announced."""
        window = find_window(self.ledger_state.state)
        return window.awaits if window else ()

    def _due(self) -> str:
        """Return who has to answer or is in turn, of whom one talks where nobody is named; nobody if several are."""
        due = self.awaited() or self.in_turn() or self.in_turn(is_rolled=True)
        return due[0] if len(due) == 1 else ""

    def in_turn(self, *, is_rolled: bool = False) -> list[str]:
        """Return those in turn, or `is_rolled` whose roll is open, whom the one who talks knows."""
        state = self.ledger_state.state
        turn = state.encounter.turn if state.encounter else ""
        rollers = [*dict.fromkeys(window.who for window in state.windows.values())] if is_rolled else []
        due = rollers or ([turn] if turn else self.book.guide.next_up(state))
        return [who for who in due if who in self.scope.beings]

    def _draft(self, speaker: Speaker | None, match: FrameMatch, words: Sequence[Word]) -> LineDraft | None:
        """Return the beginning of the line that a frame makes behind a subject; None if they do not go together."""
        template = match.line.removeprefix(ASK).removeprefix(TURN)
        is_asked = match.frame.template.startswith(ASK)
        is_deed = self._is_deed_in_text(match, words)
        weight = min(match.frame.weight, DEED_WEIGHT) if is_deed else match.frame.weight
        is_unsure = is_asked or is_deed or (speaker is not None and speaker.is_unsure)
        is_unsure |= is_unsure_text(match, self.verbs, self.in_play) or is_said_otherwise(match, words)
        if template.startswith(ANSWER_MARK) and (speaker is None or speaker.is_unsure):
            awaits = self.awaited()  # `I dodge` is said by the one who is attacked
            meant = awaits if speaker is None else speaker.names
            if not meant or len(meant) > 1 or not {*meant} <= {*awaits}:
                return None
            speaker, is_unsure = Speaker(meant, True), True
        has_who, is_aside = WHO in template, template.startswith(GM_MARK)
        names_speaker = match.frame.template.removeprefix(ASK).startswith(("{being}", "{other}"))
        if is_aside and has_who != (speaker is not None):
            return None
        if speaker is None and not is_aside:
            if is_asked and not names_speaker:
                return None
            kind = find_kind_of_verb(template.split()[0], self.scope.declarations)
            if not names_speaker and (kind is None or not kind.alone or has_who):
                due = self.scope.own if len(self.scope.own) == 1 else self.in_turn()
                if len(due) != 1:
                    return None
                speaker, is_unsure = Speaker((due[0],)), True
        names = speaker.names if speaker else ()
        own = "" if is_aside or has_who or names_speaker or not names else f"{in_list(names)} "
        task = self.free if not match.frame.parts and match.end > match.start else None
        is_unsure |= task is not None and self.ledger_state.state.encounter is not None
        kind = task or self.kind_of(template, is_aside=is_aside)
        by = names[0] if names and not is_aside else GM
        if names_speaker:
            by = next(token.raw for token in tokenize(template)).strip('"')
        start = match.end
        if kind.free and not names_speaker:  # its words stay as they were said, but for the first, a word of the book
            template, start = match.frame.template.split()[0], match.start + 1
        text = f"{own}{lexicon.about_whom(lexicon.with_more(template, match, kind), names, kind)}".strip()
        is_group, is_about = speaker is None or speaker.is_group, "{being}" in match.slots
        return LineDraft(text, kind, by, words, start, weight, is_unsure, is_asked, is_group, is_about)

    def _drafts_around(self, speaker: Speaker | None, match: FrameMatch, words: Sequence[Word]) -> Iterator[LineDraft]:
        """Yield the lines of a frame with a sentence in it: `Marta helps Kess climb the wall`.

        If the frame does not say what the speaker does besides, the speaker says the sentence: `uses effort to climb`.
        """
        if speaker is None or self.is_inner:
            return
        own = "" if WHO in match.frame.template else f"{in_list(speaker.names)} "
        sentence = f"{own}{match.slots[LINE]}"
        reader = self.another()
        reader.is_inner = True
        inner = reader.read(sentence)  # several frames have the same one
        able = [each for each in inner if not each.left and len(each.parsed) == 1]
        able = [each for each in able if each.error is None] or [each for each in able if each.is_free]
        most = max((each.weight for each in able), default=0)
        for meant in (each for each in able if each.weight == most):
            said = meant.parsed[0].declaration
            line = match.line.replace(match.slots[LINE], meant.line, 1).replace(WHO, in_list(speaker.names))
            is_unsure = speaker.is_unsure or meant.is_unsure
            yield LineDraft(line, type(said), said.by, words, len(words), match.frame.weight, is_unsure)

    def kind_of(self, template: str, *, is_aside: bool) -> Kind:
        """Return the kind of declaration that a frame makes."""
        return lexicon.kind_of(template, self.scope, self.in_play.values(), self.free, is_aside=is_aside)
