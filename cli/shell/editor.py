"""Lines from a person: with prompt_toolkit if it is installed, else with plain input, else from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

Complete = Callable[[str], Iterable[str]]
Read = Callable[[str], str]


class LineEditor:
    """Reads lines, and answers to questions between them."""

    def __init__(self, complete: Complete, history: Iterable[str]) -> None:
        """`complete` returns the words that may end a line; `history` has earlier lines, the oldest first."""
        self._read: Read = _read_piped_line
        self._ask: Read = _read_piped_answer
        if sys.stdin.isatty():
            editor = _line_editor(complete, history) if sys.stdout.isatty() else None
            self._read, self._ask = editor or (input, input)

    def lines(self, prompt: Callable[[], str]) -> Iterator[str]:
        """Yield the lines that are typed until the end of input. Ctrl-C drops the line that is being typed."""
        while True:
            try:
                line = self._read(prompt())
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            yield from line.splitlines() or [""]  # several lines may be pasted at once

    def ask(self, question: str) -> str:
        """Return the answer to a question. Raises KeyboardInterrupt if there is none, also at the end of input."""
        try:
            return self._ask(question)
        except EOFError:
            raise KeyboardInterrupt from None


def _read_piped_line(prompt: str) -> str:
    """Return the next line that is not empty of a pipe, where nobody sees a prompt. Raises EOFError at its end."""
    while line := sys.stdin.readline():
        if line.strip():
            return line.rstrip("\n")
    raise EOFError


def _read_piped_answer(question: str) -> str:
    """Return the next line of a pipe, which may be empty. Raises EOFError at its end."""
    if line := sys.stdin.readline():
        return line.rstrip("\n")
    raise EOFError


def _line_editor(complete: Complete, history: Iterable[str]) -> tuple[Read, Read] | None:
    """Return what reads a line, and an answer, with prompt_toolkit; None where it is not installed."""
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import CompleteEvent, Completer, Completion
        from prompt_toolkit.document import Document
        from prompt_toolkit.history import DummyHistory, InMemoryHistory
    except ImportError:
        return None

    class LineCompleter(Completer):
        """Offers what `complete` returns in place of the last word."""

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            """Yield the completions of the text before the cursor."""
            text = document.text_before_cursor
            last = "" if text[-1:].isspace() or not text else text.split()[-1]
            for word in complete(text):
                yield Completion(word, start_position=-len(last))

    lines: PromptSession[str] = PromptSession(
        completer=LineCompleter(),
        complete_while_typing=False,
        enable_suspend=True,
        history=InMemoryHistory(list(history)),
    )
    answers: PromptSession[str] = PromptSession(history=DummyHistory())
    return lines.prompt, answers.prompt
