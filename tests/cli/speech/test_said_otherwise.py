"""Lines of the grammar said as people might say them: read as the same declaration, or asked; never as another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from hypothesis import example, given
from hypothesis import strategies as st

from cli.notation.line_parser import parse_each
from cli.notation.tokens import normalize_line, tokenize
from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.speech.english import ENGLISH
from cli.speech.frames import SPEECH, read_speech
from cli.speech.meanings import encode
from cli.speech.slots import SLOTS
from cli.speech.tail_phrases import is_strict
from ledger.errors import LedgerError
from rulebooks.common.game import Game
from tests.cli.speech.table import FOLDER, listener, load_table

NOT_SAID = ("!", "?", "~", "^", "#", ">", '"', "undo")  # lines that begin with a mark, or are no declaration
OF_THE_NOUN: Final = (*ENGLISH.relating, "as", "count")  # behind an object they are about it: `hooks that count as`
SPELLED: Final = {"i": "intellect"}  # a letter that is also who talks: `I say a four`
SAID = [
    (path.stem, scene.name, meant)
    for path in sorted(FOLDER.glob("*.toml"))
    for scene in load_table(path.stem).scenes
    for _, meant in scene.lines
    if not meant.startswith(NOT_SAID)
]
POSSESSIVES = ("the", "her", "his", "their")


def third_person(verb: str) -> str:
    """Return the third person of a verb: `attacks`, `dashes`, `carries`."""
    first, space, rest = verb.partition(" ")
    if first.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{first}es{space}{rest}"
    if re.search(r"[^aeiou]y$", first):
        return f"{first[:-1]}ies{space}{rest}"
    return f"{first}s{space}{rest}"


def name_in_words(name: str, random: Random) -> str:
    """Return a name as somebody says it: `the second thug` for `Thug 2`, a first name, the whole name."""
    *words, number = name.split()
    if words and number.isdecimal() and int(number) <= len(ENGLISH.ordinals) and random.random() < 0.5:
        return f"the {ENGLISH.ordinals[int(number) - 1]} {' '.join(words).lower()}"
    return name


def tail_in_words(token: str, book: Game, random: Random) -> str:
    """Return a token behind the verb in words of the book: `at difficulty 5` for `v5`."""
    tails = read_speech(book.texts().folder / SPEECH).tail
    number = re.fullmatch(r"([a-z]+)([0-9]+)", token)
    phrases = tails.get(f"{number[1]}{{n}}", ()) if number else tails.get(token, ())
    phrases = [phrase for phrase in phrases if not SLOTS & set(phrase.replace("{n}", "").split())]
    phrases = [phrase for phrase in phrases if phrase.split()[0] not in OF_THE_NOUN]
    if not phrases:
        return token
    return with_one_word_of_each(random.choice(phrases), random).replace("{n}", number[2] if number else "")


def with_one_word_of_each(phrase: str, random: Random) -> str:
    """Return a phrase with one of the words where it has several: `on it/that`; the one behind a last `/` is none."""
    return " ".join(filter(None, (random.choice(word.split("/")) for word in phrase.split())))


def verb_in_words(verb: str, book: Game, random: Random) -> str:
    """Return a verb, or a synonym of the book, in the third person."""
    synonyms = read_speech(book.texts().folder / SPEECH).verbs.get(verb, ())
    plain = [
        phrase for phrase in synonyms if not SLOTS & set(phrase.split()) and phrase.split()[0] not in ENGLISH.little
    ]
    return third_person(with_one_word_of_each(random.choice([verb, *plain]), random))


def phrases_behind(line: str, book: Game, random: Random, *, is_object: bool) -> Iterator[str]:
    """Yield what stands behind the verb: a word behind `with` stays with it, and the object of a task together."""
    tokens = [token.raw for token in tokenize(line)[2:]]
    while tokens:
        token = tokens.pop(0)
        if token == "with" and tokens:
            yield f"{random.choice(['with', 'using'])} {random.choice(POSSESSIVES)} {tokens.pop(0)}"
        elif is_strict(token):
            yield tail_in_words(token, book, random)
        else:
            words = [SPELLED.get(token, token)]
            while is_object and tokens and not is_strict(tokens[0]):
                words.append(SPELLED.get(tokens[0], tokens[0]))
                tokens.pop(0)
            yield " ".join(words)


def without_order(said: bytes) -> str:
    """Return declarations with their lists sorted: who is named first in a sentence is of its own choice."""

    def ordered(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: ordered(value) for key, value in part.items()}
        return sorted(map(repr, map(ordered, part))) if isinstance(part, list) else part

    return repr(ordered(json.loads(said)))


@given(st.sampled_from(SAID), st.integers(0, 2**32))
@example(("dusk_bastards", "the rooftops", "kess pick the lock v7 e2"), 4256)
@example(("dusk_bastards", "the rooftops", 'marta climb the wall with her hooks v4 +a1"an asset"'), 23883)
@example(("dusk_bastards", "the rooftops", "kess work on the old safe v5 take20 intellect"), 0)
def test_line_said_otherwise_is_the_same_or_asked(said: tuple[str, str, str], seed: int) -> None:
    table, scene, line = said
    heard = listener(table, scene)
    scope = line_scope(heard.ledger.state, heard.book)
    meant = parse_each(normalize_line(line), scope)
    if len(meant) > 1 or len(tokenize(line)) < 2:  # `go` has no speaker
        return
    random = Random(seed)
    verb = tokenize(line)[1].text
    parts = list(phrases_behind(line, heard.book, random, is_object=bool(type(meant[0].declaration).free)))
    if random.random() < 0.5:
        random.shuffle(parts)
    kind = type(meant[0].declaration)  # a value, as in `kess hp -3`, and the only word of a task have no third person
    is_verb = verb in kind.verbs or (bool(kind.free) and " " in str(getattr(meant[0].declaration, kind.free)))
    is_spoken = is_verb and not any(mark in verb for mark in '-_="+')
    spoken = verb_in_words(verb, heard.book, random) if is_spoken else verb
    sentence = " ".join([name_in_words(meant[0].declaration.by, random), spoken, *parts])
    try:
        taken = hear(sentence, heard.ledger.state, heard.book).parsed
    except LedgerError:  # asked, or refused: nothing is recorded
        return
    assert without_order(encode(taken)) == without_order(encode(meant)), sentence
