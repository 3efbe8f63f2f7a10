"""Lines with the faces of dice: whether they throw them, and the lines like them that do.

A line fits some dice if it throws exactly so many, with such faces. Where the one that a sentence calls to mind does
not, another verb of its kind may, or somebody else who may act: `both swings: eleven, four and a nine`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.schema import syntax_of
from cli.notation.tokens import PAUSE, normalize_line
from cli.notation.value_parser import ValueParser
from cli.questions.possible import Thrown, throw
from cli.speech.in_play import WITH, is_attack
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.words import Word
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.name_match import fold_name
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
FACES: Final = f" {FACE}"  # before the faces of a line
ALIKE_MOST: Final = 24  # lines like another that are tried
DOERS_MOST: Final = 4  # who may say it


def throws_of(line: str, reader: Reader) -> list[Thrown]:
    """Return what a line throws with its faces; nothing if it cannot be read, or throws none."""
    try:
        parsed = parse_each(line, reader.scope)
    except LedgerError:
        return []
    return [throw(reader.ledger_state, reader.book, each) for each in parsed if each.faces]


def throws_faces(line: str, reader: Reader) -> bool:
    """Return whether a line throws the faces that it has, and maybe more dice."""
    thrown = throws_of(line, reader)
    return bool(thrown) and all(each.error is None or each.is_short for each in thrown)


def fits(line: str, reader: Reader) -> bool:
    """Return whether a line throws exactly the faces that it has."""
    thrown = throws_of(line, reader)
    return bool(thrown) and all(each.error is None for each in thrown)


def that_throw(legal: Sequence[Meaning], reader: Reader) -> list[Meaning]:
    """Return the readings that throw the dice whose faces they have, where one of several has faces."""
    if len(legal) < 2 or not any(each.faces for reading in legal for each in reading.parsed):
        return [*legal]
    return [reading for reading in legal if _are_thrown(reading.parsed, reader)]


def _are_thrown(parsed: Sequence[ParsedLine], reader: Reader) -> bool:
    """Return whether the faces that are said are those of the dice that are thrown now."""
    thrown = (throw(reader.ledger_state, reader.book, each) for each in parsed if each.faces)
    return all(each.error is None for each in thrown)


def with_faces(lines: Sequence[str], faces: str, reader: Reader) -> Iterator[str]:
    """Yield each line with the faces, if it throws them and maybe more."""
    said = (f"{line} {FACE}{faces}" for line in lines)
    yield from (line for line in said if throws_faces(line, reader))


def that_fit(lines: Sequence[str], words: Sequence[Word], faces: str, reader: Reader) -> list[str]:
    """Return the lines that throw exactly these faces, or else those like them that do.

    Attacks with an item that is named, and is in none of them, are the first.
    """
    said = [f"{line} {FACE}{faces}" for line in lines]
    fitting = [line for line in said if fits(line, reader)]
    other = [like for line in lines for like in alike(line, words, reader)]
    other = [like for like in other if not fitting or (WITH in like.split() and not _names_item(fitting, like))]
    tried = islice((f"{like} {FACE}{faces}" for like in dict.fromkeys(other)), ALIKE_MOST)
    return [*(line for line in tried if fits(line, reader)), *fitting]


def _names_item(lines: Sequence[str], like: str) -> bool:
    """Return whether one of some lines has the item of a line like them."""
    item = like.rpartition(f" {WITH} ")[2]
    return any(item in line.split() for line in lines)


def alike(line: str, words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield an attack as each who may act makes it, if nobody is named who does, with each verb of its kind.

    Those with an item that is named come first.
    """
    kind, by = _kind_and_speaker(line, reader)
    begun = f"{in_line(by)} "
    rest = line.removeprefix(begun).removesuffix(PAUSE).rstrip()
    verb, _, behind = rest.partition(" ")
    if kind and is_attack(kind) and line.startswith(begun) and verb in kind.verbs:
        yield from (each for each in _attacks(_doers(by, words, reader), behind, words, reader) if each != begun + rest)


def attacks_said(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the attacks on the first foe that a sentence names: of who begins it, or of each who may act."""
    named = [each.names[0] for each in mentions_in(words, reader.in_play, is_joined=False) if len(each.names) == 1]
    is_friend = reader.in_play.is_friend
    if len(named) > 1 and (foe := next((name for name in named[1:] if not is_friend(name, named[0])), "")):
        yield from _attacks(named[:1], in_line(foe), words, reader)
    elif named:
        doers = [who for who in reader.in_turn() if not is_friend(named[0], who)][:DOERS_MOST]
        yield from _attacks(doers, in_line(named[0]), words, reader)


def _attacks(doers: Sequence[str], behind: str, words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield what each of some says with each verb of an attack: with the items that are named, then without one."""
    kinds = [kind for kind in reader.scope.declarations if is_attack(kind) and not (kind.answers or kind.aside)]
    plain = [f"{in_line(who)} {kind.verbs[0]} {behind}" for who in doers for kind in kinds]
    armed = [with_item for line in plain for with_item in with_items(line, words, reader)]
    yield from dict.fromkeys((*armed, *plain))


def _doers(by: str, words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return who may do what a sentence says: who is named, or who may act of the same side."""
    named = {name for each in mentions_in(words, reader.in_play) for name in each.names}
    others = [] if by in named else [*reader.in_turn(), *reader.awaited()]
    friends = (name for name in others if name not in named and reader.in_play.is_friend(name, by))
    return [*dict.fromkeys((by, *friends))][:DOERS_MOST]


def with_items(line: str, words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield a line with each item of whoever says it of whose name a word is said, if it names none."""
    kind, by = _kind_and_speaker(line, reader)
    field = syntax_of(kind).introduced.get(WITH) if kind else None
    if kind is None or field is None or f" {WITH} " in line:
        return
    said = {form for word in words for form in base_forms(word.text)}
    for item in ValueParser(kind, by, reader.scope).known_words(field):
        if not said.isdisjoint(fold_name(item).split("-")):
            yield f"{line} {WITH} {in_line(item)}"


def _kind_and_speaker(line: str, reader: Reader) -> tuple[type[Declaration] | None, str]:
    """Return what kind of declaration a line is, and who says it; nothing if it cannot be read."""
    try:
        parsed = parse_each(normalize_line(line), reader.scope)
    except LedgerError:
        return None, ""
    return (type(parsed[0].declaration), parsed[0].declaration.by) if parsed else (None, "")
