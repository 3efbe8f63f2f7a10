"""A line in words: who does what to whom, as a sentence and not as it was typed.

`t attack "watchman 2" i d3 ranged e1`  ->  `Tamsin attacks Watchman 2`
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from cli.notation.schema import fields_of
from cli.phrases.parts import in_brackets, readable
from cli.phrases.patterns import fill
from cli.phrases.verbs import conjugate, infinitive
from cli.story.task_words import GERUND, texts_of
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.names import escape, word_list
from ledger.redaction.known_secrets import kinds_by_tag
from rulebooks.common.announcements import Announce
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption

ARTICLE: Final = re.compile(r"(?<=[a-z,] )The (?=[A-Z])")
GAME_MASTER: Final = "the game master"
SHARED: Final[Mapping[str, str]] = {  # of kinds of declarations that every game has; an empty one has no words
    "adjust": "",
    "announce": "{by} <be> about to act ...",
    "claim": "the table reads its sheets aloud",
    "commit-chain": "{by} <promise> a share in the dice",
    "correct": "",
    "end-turn": "{by} <end> the turn",
    "go": "the dice are thrown",
    "join-encounter": "{who} <join> in",
    "leave-encounter": "{who} <leave>",
    "reveal": "",
    "ruling": "",
    "words": "{by} <give> words to the dice: {words}",
}


class LineWords:
    """Puts the lines of a book in words."""

    def __init__(self, book: Game) -> None:
        lexicon = book.texts().lexicon
        self._patterns = {**SHARED, **lexicon.wording.lines}
        self._kinds = kinds_by_tag(book.declarations)
        self._options = book.texts().options
        self._verbs = {word for words in lexicon.words.values() for word in words}

    def kind(self, said: Mapping[str, Any]) -> type[Declaration] | None:
        """Return the kind of a declaration; None for one that this book does not have."""
        return self._kinds.get(str(said.get("say", "")))

    def text(self, said: Mapping[str, Any], by: str) -> str:
        """Return what somebody says in a line, as a sentence without its end; empty where it has no words.

        Args:
            said: the declaration, or what is left of it for the players.
            by: who says it.
        """
        kind = self.kind(said)
        if kind is None:
            return ""
        if kind is Announce and "what" in said:
            text = self.text(msgspec.json.decode(str(said["what"])), by)
            return f"{text} ..." if text else ""
        if kind is SetOption and said.get("name") in self._options:
            option = self._options[said["name"]]
            return f"{escape(option.question)} From now on: {escape(option.meaning(said['value']))}"
        pattern = self._pattern(said)
        subject = GAME_MASTER if by == GM else by
        fields = {**texts_of(said, self._verbs), **numbers_of(said), "by": subject}
        text = fill(pattern, fields).strip() if pattern is not None else "" if by == GM else self._plain(kind, said, by)
        return with_small_articles(text)

    def _pattern(self, said: Mapping[str, Any]) -> str | None:
        """Return the sentence for a kind of line; None where nobody has written one."""
        return self._patterns.get(str(said["say"]))

    def _plain(self, kind: type[Declaration], said: Mapping[str, Any], by: str) -> str:
        """Return what is said without a sentence of its own: the verb, whom it is about, and why."""
        free = str(said.get(kind.free) or "") if kind.free else ""
        task = self._task(free, by) if free else self._deed(kind, by)
        own = [field for field in fields_of(kind) if field.name != kind.free]
        beings = [
            name
            for field in own
            if field.item.has("being") and field.has("word")
            for name in texts_in(said.get(field.name))
        ]
        objects = f" {word_list([escape(name) for name in beings])}" if beings else ""
        return f"{task}{objects}{in_brackets(*map(escape, reasons_of(kind, said)))}"

    def _task(self, free: str, by: str) -> str:
        """Return what somebody tries in words of their own."""
        if GERUND.match(free):
            return f"{escape(by)} {conjugate('try', by)} {escape(readable(free))}"
        deed = infinitive(free, self._verbs)
        return (
            f"{escape(by)} {conjugate('try', by)} to {escape(readable(deed))}"
            if deed
            else f"{escape(by)}: {escape(free)}"
        )

    def _deed(self, kind: type[Declaration], by: str) -> str:
        """Return the verb of a line behind its subject, or the noun that it begins with behind a colon."""
        verb = kind.verbs[0] if kind.verbs else str(kind.__struct_config__.tag)
        is_verb = bool(infinitive(verb, self._verbs))
        return f"{escape(by)} {conjugate(verb, by)}" if is_verb else f"{escape(by)}: {readable(verb)}"


def with_small_articles(text: str) -> str:
    """Return a sentence with the articles of names in small letters: `Maren attacks the Keeper`."""
    return ARTICLE.sub("the ", text)


def reasons_of(kind: type[Declaration], said: Mapping[str, Any]) -> list[str]:
    """Return what somebody says in a line in words of their own, besides the deed itself."""
    own = (field for field in fields_of(kind) if field.shape == "text" and not field.notes and field.name != kind.free)
    return [text for field in own for text in texts_in(said.get(field.name))]


def texts_in(value: Any) -> Collection[str]:
    """Return a text, or the texts in a list."""
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each]


def numbers_of(said: Mapping[str, Any]) -> dict[str, int]:
    """Return the fields of a declaration that are whole numbers but 0."""
    return {name: value for name, value in said.items() if isinstance(value, int) and value and value is not True}
