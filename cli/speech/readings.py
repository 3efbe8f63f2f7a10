"""What a sentence may mean: lines of the grammar, each parsed, and tried without dice in the state as it is.

A reading explains each word of the sentence: speaker, verb, beings, items, amounts, and what stands behind a comma or
`because` as the reason. Words that are left over are kept with it, so that nothing is dropped without a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import Final

import msgspec

from cli.notation.known_words import find_kind_of_verb
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.schema import fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import GM_MARK, normalize_line, quote
from cli.notation.verb_parser import verb_words
from cli.questions.possible import why_refused
from cli.speech.beings import Beings
from cli.speech.english import ENGLISH
from cli.speech.frames import (
    SPEECH,
    Frame,
    FrameIndex,
    FrameMatch,
    InPlay,
    frames_of,
    in_line,
    read_speech,
    shared_speech,
)
from cli.speech.tail import Tail, TailReader
from cli.speech.words import Word, split_words
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.game import Game

Kind = type[Declaration]

WHO: Final = "{who}"
WORDS_MOST: Final = 60  # of a sentence that is read
SUBJECT_MOST: Final = 14  # words before the verb
TRIED_MOST: Final = 16  # lines that are tried for a sentence


class Meaning(msgspec.Struct, frozen=True):
    """One meaning of a sentence: a line of the grammar, how it is parsed, and why it would be refused now.

    `left`: the words that it does not explain. `weight`: how many words of a phrase it rests on. `is_unsure`: it rests
    on a pronoun or on the one in turn.
    """

    line: str
    parsed: tuple[ParsedLine, ...]
    error: LedgerError | None
    left: tuple[str, ...]
    weight: int
    is_unsure: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it is a free task."""
        return any(type(each.declaration).free for each in self.parsed)

    @property
    def declarations(self) -> bytes:
        """The declarations as they are recorded: two lines of the same ones are one meaning."""
        return msgspec.json.encode([each.declaration for each in self.parsed]) if self.parsed else self.line.encode()


class Speaker(msgspec.Struct, frozen=True):
    """Who says a line: the names, and whether they follow from a pronoun or from whose turn it is."""

    names: tuple[str, ...]
    is_unsure: bool = False


class Reader:
    """Reads sentences in one state of a campaign."""

    def __init__(self, ledger_state: LedgerState[State], book: Game, scope: Scope, spoken_of: str = "") -> None:
        """`spoken_of`: whom a pronoun means in a question."""
        self.ledger_state, self.book, self.scope = ledger_state, book, scope
        self.in_play = InPlay(Beings(scope), value_words(scope), spoken_of)
        self.verbs, self.tail = _indexes(book, tuple(scope.declarations))
        self._tasks: dict[str, FrameIndex] = {}
        self.tried = 0

    def read(self, sentence: str) -> list[Meaning]:
        """Return the readings of a sentence, the one that rests on most words first."""
        words = split_words(sentence)[:WORDS_MOST]
        if words and words[0].raw.startswith(GM_MARK):
            bare = words[0].raw.lstrip(GM_MARK)
            words = [*([words[0]._replace(raw=bare, text=words[0].text.lstrip(GM_MARK))] if bare else []), *words[1:]]
        while words and words[0].text in ENGLISH.leads:
            words = words[1:]
        self.tried = 0
        found: dict[bytes, Meaning] = {}
        for speaker, match in self._matches(words):
            for reading in self._lines(speaker, match, words):
                known = found.get(reading.declarations)
                if known is None or len(reading.left) < len(known.left):
                    found[reading.declarations] = reading
            if self.tried >= TRIED_MOST:
                break
        return sorted(
            found.values(), key=lambda reading: (len(reading.left), reading.error is not None, -reading.weight)
        )

    def _matches(self, words: Sequence[Word]) -> list[tuple[Speaker | None, FrameMatch]]:
        """Return the frames that the sentence meets behind each of its subjects, the longest first."""
        found = []
        for start in range(min(len(words), SUBJECT_MOST)):
            subjects = self._subjects(words[:start])
            if subjects is None:
                continue
            by = subjects[0].names[0] if subjects else ""
            matches = self.verbs.at(words, start, self.in_play)
            matches += self._tasks_of(by).at(words, start, self.in_play)
            found += [(start, subject, match) for match in matches for subject in subjects or (None,)]
        found.sort(key=lambda each: (-each[2].frame.literals, each[0]))
        return [(subject, match) for _, subject, match in found]

    def _tasks_of(self, by: str) -> FrameIndex:
        """Return the tasks and the other words that may stand in place of a verb: `sneak`, `pick locks`, `trip`."""
        if by not in self._tasks:
            kinds = [kind for kind in self.scope.declarations if kind.verbs and not kind.answers]
            known = [word for kind in kinds if kind.free for word in self.scope.words(kind, kind.free, by)]
            known += verb_words(kinds, by, self.scope)
            self._tasks[by] = FrameIndex(Frame(word, tuple(word.replace("-", " ").split())) for word in known)
        return self._tasks[by]

    def _subjects(self, words: Sequence[Word]) -> list[Speaker] | None:
        """Return who may be meant by the words before a verb; nobody for no words; None if they are no subject."""
        names: list[tuple[tuple[str, ...], ...]] = []
        index, unsure = 0, False
        while index < len(words):
            named = self.in_play.beings.at(words, index, loose=words[index].text not in ENGLISH.little)
            if named:
                names.append(named.readings)
                index += named.size
            elif words[index].text in ENGLISH.subjects:
                last = self._last_speaker()
                names += [((last,),)] if last else []
                index, unsure = index + 1, True
            elif words[index].text in ENGLISH.little:
                index += 1
            else:
                return None
        if not names:
            return []
        chosen = islice(product(*names), 4)
        return [Speaker(tuple(dict.fromkeys(name for part in parts for name in part)), unsure) for parts in chosen]

    def _last_speaker(self) -> str:
        """Return who said the last line, or is in turn."""
        due = self._in_turn()
        return due[0] if len(due) == 1 else ""

    def _in_turn(self) -> list[str]:
        state = self.ledger_state.state
        turn = state.encounter.turn if state.encounter else ""
        return [turn] if turn else list(self.book.guide.next_up(state))

    def _lines(self, speaker: Speaker | None, match: FrameMatch, words: Sequence[Word]) -> Iterator[Meaning]:
        """Yield the readings of a frame behind a subject."""
        template = match.line
        has_who, is_aside = WHO in template, template.startswith(GM_MARK)
        if is_aside and (has_who != (speaker is not None)):
            return
        if speaker is None and not is_aside:
            kind = find_kind_of_verb(template.split()[0], self.scope.declarations)
            if kind is not None and kind.alone and not has_who:
                speaker = Speaker(())
            elif len(due := self._in_turn()) == 1:
                speaker = Speaker((due[0],), is_unsure=True)
            else:
                return
        names = speaker.names if speaker else ()
        who = ",".join(map(in_line, names))
        if has_who:
            template = template.replace(WHO, who)
        elif not is_aside:
            template = f"{who} {template}".strip()
        kind = self._kind_of(match, is_aside)
        by = names[0] if names and not is_aside else ""
        reader = TailReader(kind, by or GM, self.scope, self.in_play, self.tail)
        tail = reader.read(words, match.end)
        unsure = speaker is not None and speaker.is_unsure
        for tokens in islice(product(*tail.tokens), 6):
            yield from self._try_lines(template, tokens, tail, kind, match.frame.literals, unsure)

    def _kind_of(self, match: FrameMatch, is_aside: bool) -> Kind:
        """Return the kind of declaration that a frame makes."""
        text = match.frame.template.removeprefix(GM_MARK).strip()
        if text.startswith(WHO) or text.startswith("{value}"):
            return Adjust
        verb = text.split()[0]
        asides = [kind for kind in self.scope.declarations if kind.aside == is_aside or kind.alone]
        kind = next((kind for kind in asides if verb in kind.verbs), None)
        if kind is not None:
            return kind
        free = next((kind for kind in self.scope.declarations if kind.free), None)
        kinds = [kind for kind in self.scope.declarations if kind.verbs and not kind.answers]
        named = verb_words(kinds, "", self.scope)
        found = named.get(verb) or free
        return found if found is not None else Adjust

    def _try_lines(
        self, template: str, tokens: Sequence[str], tail: Tail, kind: Kind, weight: int, unsure: bool
    ) -> Iterator[Meaning]:
        """Yield the line with its reason, if it takes one, else without it."""
        object_words = tail.left if kind.free else []
        line = " ".join([template, *object_words, *tokens])
        left = () if kind.free else tuple(tail.left)
        attempts = [f"{line} {quote(tail.reason)}", line] if tail.reason else [line]
        for attempt in attempts:
            self.tried += 1
            try:
                parsed = tuple(parse_each(normalize_line(attempt), self.scope))
            except LedgerError as error:
                failed: LedgerError = error
                continue
            refusals = [why_refused(self.ledger_state, self.book, each.declaration) for each in parsed]
            able = tuple(each for each, refusal in zip(parsed, refusals, strict=True) if refusal is None)
            why = None if able else refusals[0] if refusals else Unreadable("the line says nothing")
            yield Meaning(attempt, able or parsed, why, left, weight, unsure)
            return
        yield Meaning(line, (), failed, left, weight, unsure)


@cache
def _indexes(book: Game, declarations: tuple[Kind, ...]) -> tuple[FrameIndex, FrameIndex]:
    """Return the frames of verbs and of what stands behind them: of a book, of every table, and the verbs."""
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    verbs = [*frames_of([own.verbs, shared.verbs]), *_own_verbs(declarations)]
    return FrameIndex(verbs), FrameIndex(frames_of([own.tail, shared.tail]))


def _own_verbs(declarations: Iterable[Kind]) -> Iterator[Frame]:
    """Yield the verbs of a game as frames; those of the game master's side are also said about their being."""
    for kind in declarations:
        for verb in kind.verbs if not kind.by_anyone else ():
            words = tuple(verb.replace("-", " ").replace("_", " ").casefold().split())
            if kind.aside:
                yield Frame(f"{GM_MARK} {verb}", words)
                if any(field.needs_being for field in fields_of(kind)):
                    yield Frame(f"{GM_MARK} {verb} {WHO}", words)
            elif len(verb) > 1:
                yield Frame(verb, words)


def value_words(scope: Scope) -> Mapping[str, str]:
    """Return the names of values by the words that name them: `hp`, `health`, `hit points`."""
    words: dict[str, str] = {}
    for name in scope.values():
        last = name.rpartition(".")[2]
        words.setdefault(last.replace("_", " ").replace("-", " ").casefold(), last)
    for short, name in scope.short_names().items():
        words.setdefault(short.casefold(), name)
    vital = scope.short_names().get(scope.vital_value(), scope.vital_value())
    for saying in ("hit points", "hit point", "hp", "life"):
        words.setdefault(saying, vital)
    return words
