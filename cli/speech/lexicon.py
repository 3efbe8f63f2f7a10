"""The phrases of a book and of every table as frames, with the verbs of its declarations; the names of its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from cli.notation.schema import fields_of, syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, GM_MARK, quote, tokenize
from cli.notation.verb_parser import verb_words
from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, SPEECH, Frame, FrameIndex, FrameMatch, frames_of, read_speech, shared_speech
from cli.speech.levels import LEVEL
from cli.speech.phrase_likeness import PhraseWords
from cli.speech.senses import sense_frames
from cli.speech.slots import in_line
from cli.speech.states import state_frames
from ledger.declarations import Declaration
from rulebooks.common.adjustments import Adjust
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

Kind = type[Declaration]

ALSO: Final = ("also", "with")  # before more beings like the first in a line
WHO: Final = "{who}"  # in a template: those who say the line
NAME: Final = r'(?:"[^"]*"|[^\s",]+)'
CHANGED: Final = re.compile(r"[+-][{0-9]")  # by how much a value changes; `+also=` is none
ABOUT: Final = re.compile(rf"^{GM_MARK} (\S+) ({WHO}|{NAME}(?:,{NAME})+)")


@cache
def phrase_words(book: Game, declarations: tuple[Kind, ...]) -> PhraseWords:
    """Return the phrases with verbs by their words, and the words of the thesaurus for what the book has a line for."""
    speech = read_speech(book.texts().folder / SPEECH)
    states = {*state_frames(speech.states)}  # whose words are common ones: `on the floor`
    frames = [frame for frame in indexes_of(book, declarations)[0].frames if frame not in states]
    return PhraseWords([*frames, *sense_frames(speech.senses)])


@cache
def tail_phrase_words(book: Game, declarations: tuple[Kind, ...]) -> PhraseWords:
    """Return the phrases behind a verb by their words."""
    return PhraseWords(indexes_of(book, declarations)[1].frames)


@cache
def indexes_of(book: Game, declarations: tuple[Kind, ...]) -> tuple[FrameIndex, FrameIndex]:
    """Return the frames of verbs and of what stands behind them: of a book, of every table, and the verbs."""
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    said = (frame for frame in _own_verbs(declarations) if frame.parts not in {(verb,) for verb in own.unspoken})
    verbs = [*frames_of([own.verbs, shared.verbs]), *state_frames(own.states), *said]
    return FrameIndex(verbs), FrameIndex(frames_of([own.tail, shared.tail]))


def _own_verbs(declarations: Iterable[Kind]) -> Iterator[Frame]:
    """Yield the verbs of a game as frames; those of the game master's side are also said about their being."""
    for kind in declarations:
        for verb in kind.verbs if not kind.by_anyone else ():
            if not ENGLISH.little.isdisjoint(base_forms(verb)):  # `does` and `done` are said in every sentence
                continue
            words = tuple(verb.replace("-", " ").replace("_", " ").casefold().split())
            if kind.answers:
                yield Frame(f"{ANSWER_MARK} {WHO} {verb}", words)
            elif kind.aside:
                yield Frame(f"{ASK}{GM_MARK} {verb}", words)  # most are nouns too: `initiative goes to the guards`
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
    for saying in scope.vital_words():
        words.setdefault(saying, vital)
    return words


def skill_words(scope: Scope, implied: Sequence[str]) -> Mapping[str, str]:
    """Return the words that an implied line of anybody needs, as it writes them: `perception`."""
    verbs = {template.split()[0] for template in implied}
    kinds = [kind for kind in scope.declarations if not verbs.isdisjoint(kind.verbs)]
    needed = ((kind, field) for kind in kinds for field in fields_of(kind) if field.required)
    fields = [(kind, field) for kind, field in needed if field.has("word") and not field.has("being")]
    words = [word for by in scope.beings for kind, field in fields for word in scope.words(kind, field.name, by)]
    return {word.casefold(): word for word in words if " " not in word}


def about_whom(template: str, names: Sequence[str], kind: Kind) -> str:
    """Return a template with these names; the game master's verb stands behind several: `! thug1,thug2 leave`.

    But not that of a declaration that is about several at once.
    """
    is_several = len(names) > 1 or WHO not in template
    if is_several and not any(field.has("being") and field.shape == "list" for field in syntax_of(kind).bare):
        template = ABOUT.sub(rf"{GM_MARK} \2 \1", template)
    return template.replace(f'"{WHO}"', quote(" and ".join(names))).replace(WHO, in_list(names))


def in_list(names: Sequence[str]) -> str:
    """Return names as a line has several: with commas."""
    return ",".join(map(in_line, names))


def before_more(kind: type[Declaration]) -> str:
    """Return the word that stands before more beings like the first in a line: `+also=guard2`; empty if none may."""
    beings = [field for field in syntax_of(kind).fields if field.has("being")]
    return next((field.notes["plus"] for field in beings if field.notes.get("plus") in ALSO), "")


def between_beings(kind: type[Declaration]) -> str:
    """Return what stands between several beings in a line: a space where each may have a situation of its own."""
    if also := before_more(kind):
        return f" +{also}="
    each = (field.item.shape for field in syntax_of(kind).bare if field.has("being") and field.shape == "list")
    return " " if "struct" in each else ","


def with_more(template: str, match: FrameMatch, kind: Kind) -> str:
    """Return a template with several who are named in it as a line has them that is about one and more."""
    named = match.slots.get("{being}", "")
    return template.replace(named, named.replace(",", between_beings(kind)), 1) if named else template


def kind_of(template: str, scope: Scope, values: Mapping[str, str], free: Kind | None, *, is_aside: bool) -> Kind:
    """Return the kind of declaration that the template of a frame makes. `free`: that of a task in any words."""
    if template.startswith(ANSWER_MARK):
        verb = template.split()[2]
        return next(kind for kind in scope.declarations if kind.answers and verb in kind.verbs)
    if LEVEL.search(template):
        return Adjust
    words = [token.raw for token in tokenize(template.removeprefix(GM_MARK))][:3]
    if CHANGED.match(words[-1]) and {WHO, *values.values()}.intersection(words[:-1]):
        return Adjust
    words = words[:2]
    kinds = [kind for kind in scope.declarations if kind.verbs and not kind.answers]
    own = [kind for kind in kinds if kind.aside == is_aside or kind.alone]
    known = (kind for verb in words for kind in own if verb in kind.verbs)
    named = verb_words(kinds, "", scope).get(words[0])
    of_others = (kind for verb in words for kind in kinds if verb in kind.verbs)  # the game master makes them do it
    return next(known, None) or named or (free if words[0] != WHO else None) or next(of_others, None) or Adjust


def task_phrases(scope: Scope, by: str) -> FrameIndex:
    """Return the tasks and the other words of somebody that may stand in place of a verb: `sneak`, `pick locks`."""
    kinds = [kind for kind in scope.declarations if kind.verbs and not kind.answers]
    known = [word for kind in kinds if kind.free for word in scope.words(kind, kind.free, by)]
    known += [word for kind in kinds if kind.free_as for word in scope.words(kind, "verb", by)]
    known += verb_words(kinds, by, scope)
    return FrameIndex(Frame(word, tuple(word.replace("-", " ").split())) for word in known)


def needs_being(kind: Kind) -> bool:
    """Return whether a line is about somebody who has to be named: the target of an attack."""
    return any(field.required and field.has("being") for field in syntax_of(kind).bare)
