"""Lines from a person: with prompt_toolkit if it is installed, else with plain input, else from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

Complete = Callable[[str], Iterable[str]]


def read_lines(prompt: Callable[[], str], complete: Complete, history: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are typed until the end of input. Ctrl-C drops the line that is being typed.

    `complete` returns the words that may end a line; `history` has earlier lines, the oldest first.
    """
    if not sys.stdin.isatty():
        yield from (line.rstrip("\n") for line in sys.stdin if line.strip())
        return
    read = _line_editor(complete, history) or input
    while True:
        try:
            yield read(prompt())
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _line_editor(complete: Complete, history: Iterable[str]) -> Callable[[str], str] | None:
    """Return the `prompt` of a session of prompt_toolkit; None where it is not installed."""
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import CompleteEvent, Completer, Completion
        from prompt_toolkit.document import Document
        from prompt_toolkit.history import InMemoryHistory
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

    session: PromptSession[str] = PromptSession(
        completer=LineCompleter(), complete_while_typing=False, history=InMemoryHistory(list(history))
    )
    return session.prompt
