"""Help pages: those of the program and of the games, and what a verb of a game takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from cli.notation.examples import text_with_names
from cli.notation.known_words import match_word
from cli.notation.schema import EXAMPLE, SIGNS, Field, fields_of
from cli.notation.scope import Names
from cli.questions.line_scope import line_scope
from ledger.builtin import BUILTIN_WITH_VERBS
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks import game_names, load_game
from rulebooks.common.game import Game

FENCE: Final = "```"
CODE: Final = "    "  # begins a line that is printed as it is
PAGES: Final = Path(__file__).parent.parent / "help"


class VerbHelp(msgspec.Struct, frozen=True, kw_only=True):
    """What a verb says and takes: its words, what it means, examples, and each field as it is written."""

    verbs: tuple[str, ...]
    text: str
    examples: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]


def help_pages() -> dict[str, Path]:
    """Return every page by its topic: those of the program, then one for each game that has one."""
    pages = {path.stem: path for path in sorted(PAGES.glob("*.md"))}
    for name in game_names():
        with suppress(LedgerError):  # a package whose game cannot be used has no page
            page = load_game(name).texts().help_page
            pages |= {name: page} if page.exists() else {}
    return pages


def page_title(page: Path) -> str:
    """Return the title of a page: its first line."""
    with page.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix("# ").strip()


def kinds_with_verbs(book: Game) -> list[type[Declaration]]:
    """Return the declarations of a game and of every game that have a verb."""
    return [kind for kind in (*book.declarations, *BUILTIN_WITH_VERBS) if kind.verbs]


def find_verbs(word: str, book: Game, names: Names) -> list[VerbHelp]:
    """Return the declarations with this verb, or with a verb that the word begins; answers come last."""
    kinds = kinds_with_verbs(book)
    words = match_word(word, (verb for kind in kinds for verb in kind.verbs)).words
    own = [kind for kind in kinds if set(words) & set(kind.verbs)]
    return [verb_help(kind, names, book) for kind in sorted(own, key=lambda kind: kind.answers)]


def task_words(book: Game) -> dict[str, str]:
    """Return the words that are said in place of a verb, with the value that they usually belong to; none without."""
    if not any(kind.free for kind in book.declarations):
        return {}
    return {word: value for value, words in book.texts().lexicon.words.items() for word in words}


def task_help(word: str, book: Game, names: Names) -> list[VerbHelp]:
    """Return the help of a word that is said in place of a verb; none for any other word."""
    known = task_words(book)
    match = match_word(word, known)
    if not match.exact:
        return []
    kinds = [kind for kind in book.declarations if kind.free]
    text = f"Said in place of a verb, usually of {known[match.words[0]]}."
    own = VerbHelp(verbs=(match.words[0],), text=text, examples=(), fields=())
    return [own, *(verb_help(kind, names, book) for kind in kinds)]


def names_in_play(state: LedgerState[State], book: Game) -> Names:
    """Return who in play stands for the names of the examples."""
    return line_scope(state, book).examples("")


def page_text(page: Path, names: Names) -> str:
    """Return a page with the names in play in its examples and its sentences; transcripts and headings stay."""
    lines, verbatim = page.read_text(encoding="utf-8").splitlines(), False
    for index, line in enumerate(lines):
        verbatim ^= line.startswith(FENCE)
        if not (verbatim or line.startswith((FENCE, "#", CODE))):
            lines[index] = text_with_names(line, names)
    return "\n".join(lines)


def verb_help(kind: type[Declaration], names: Names, book: Game) -> VerbHelp:
    """Return the help of a declaration, made from its docstring and the fields that the game has use for."""
    unused = book.texts().lexicon.unused_fields(kind.verbs)
    text = text_with_names(" ".join((kind.__doc__ or "").split()), names)
    return VerbHelp(
        verbs=kind.verbs,
        text=text,
        examples=tuple(EXAMPLE.findall(text)),
        fields=tuple(_forms(field for field in fields_of(kind) if field.name not in unused)),
    )


def _forms(fields: Iterable[Field]) -> Iterator[tuple[str, str]]:
    """Yield how each field is written, and what it takes."""
    for field in fields:
        values = ", ".join(field.item.choices) or _kind_of_value(field)
        needed = ", required" if field.required else ""
        yield ", ".join(_ways(field)), f"{field.name.replace('_', ' ')}: {values}{needed}"


def _ways(field: Field) -> Iterator[str]:
    """Yield the ways to write a field: `v5`, `+a"..."`, `cover`, `effort=1`."""
    value = "1" if field.item.shape in ("whole", "scalar") else "..."
    if field.has("short"):
        yield f"{field.notes['short']}{value}"
    for sign, note in SIGNS.items():
        if note in field.notes:
            yield f"{sign}{field.notes[note]}{'' if field.notes[note] else '...'}"
    if field.has("word"):
        yield field.name if field.shape == "flag" else "a bare word"
    yield f"{field.name}={'yes' if field.shape == 'flag' else value}"


def _kind_of_value(field: Field) -> str:
    """Return what a field takes, in a word or two."""
    if field.has("being"):
        return "somebody in play"
    if field.has("entry"):
        return "an entry, as 1.4"
    if field.has("seconds"):
        return "a time, as 90, 10m, 1h"
    shapes = {"whole": "a whole number", "text": "a text", "flag": "yes or no", "scalar": "a number or text"}
    parts = " and ".join(part.name.replace("_", " ") for part in field.item.parts)
    return shapes.get(field.item.shape, parts or "a text")
