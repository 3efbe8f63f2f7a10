"""Questions of the shell: the commands that only read, and their arguments as they are typed at the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.notation.tokens import SHORT_ENTRY, UNDO, tokenize
from cli.play.amend_line import entry_of_change
from cli.questions.state_at import is_round
from ledger.facts import ENTRY_ID
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

QUESTION: Final = "?"
ODDS, WHY, WHATIF, WHEN, HELP, FMT, TURN, FAR = "odds", "why", "whatif", "when", "help", "fmt", "turn", "far"
FORECAST, LUCK, TONIGHT = "forecast", "luck", "tonight"
READING: Final = (
    ODDS, FORECAST, "encounter", WHY, "who", WHEN, WHATIF, "show", "log", "diff", "rules", "rulings", "search",
    "recap", LUCK, "replay", "verify", FMT, "sheet", "completion", HELP,
)  # fmt: skip
QUESTIONS: Final = (*READING, TURN, FAR)  # words that may stand behind the mark
LISTING: Final = (UNDO, "--list")
WHOLE: Final = "all"
ROUND: Final = "round"
TURN_WORDS: Final = (TURN, "whose turn")
LAST_TIME: Final = re.compile(r"(?:what (?:happened|did we do) )?last time", re.IGNORECASE)


def question_words(text: str) -> list[str]:
    """Return the word of a question and what stands behind it: `undo --list` and `whose turn` are one.

    `last time` asks for the post of the last session that is over.
    """
    line = " ".join(text.split()).removesuffix(QUESTION).rstrip()
    if line in TURN_WORDS:
        return [TURN]
    if LAST_TIME.fullmatch(line):
        return ["recap", "last --post"]
    return [" ".join(LISTING)] if line.split() == list(LISTING) else text.split(maxsplit=1)


def question_arguments(command: str, text: str, ledger: Ledger[State], book: Game) -> list[str]:
    """Return the arguments of a question; `why` and `whatif` are about the last line if they name no entry."""
    if command == WHEN:
        return [text.strip("\"'")]
    if command == FMT:
        return [text] if text else []
    words = _with_rounds([token.text for token in tokenize(text)])
    if command == WHY:
        return _why_arguments(words, ledger)
    if command == LUCK:
        return _luck_arguments(words, ledger)
    if command != WHATIF:
        return words
    if words and not re.match("[0-9]|--", words[0]):
        return [str(entry_of_change(ledger, book, text)), *words]
    return [entry_in_full(word, ledger) for word in words]


def _with_rounds(words: Sequence[str]) -> list[str]:
    """Return words with each moment of two words in one: `--at`, `round 3`."""
    joined = list[str]()
    for word in words:
        if joined and joined[-1] == ROUND and is_round(f"{ROUND} {word}"):
            joined[-1] = f"{ROUND} {word}"
        else:
            joined.append(word)
    return joined


def _why_arguments(words: Sequence[str], ledger: Ledger[State]) -> list[str]:
    """Return the entry and the options of `why`: the short form without `all`. Other words (`did that fail`) go."""
    kept = [entry_in_full(word, ledger) for word in words if word[:1].isdigit() or word.startswith("-")]
    about_fact = any(word[:1].isdigit() and not ENTRY_ID.fullmatch(word) for word in kept)
    short = [] if WHOLE in words or about_fact or any(word.startswith("-") for word in kept) else ["--short"]
    return [*kept, *short]


def _luck_arguments(words: Sequence[str], ledger: Ledger[State]) -> list[str]:
    """Return the session and the options of `luck`: the short form without `all`. `tonight` is the last session."""
    kept = [str(ledger.state.session.number) if word == TONIGHT else word for word in words if word != WHOLE]
    return kept if WHOLE in words or any(word.startswith("-") for word in kept) else [*kept, "--short"]


def entry_in_full(word: str, ledger: Ledger[State]) -> str:
    """Return `3.11` for `11`, an entry of this session; any other word as it is."""
    return f"{ledger.state.session.number}.{word}" if re.fullmatch(SHORT_ENTRY, word) else word
