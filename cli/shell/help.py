"""What `help` prints in the shell: the few lines that one needs, with the names in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from cli.notation.examples import example_hint
from cli.notation.scope import Scope
from cli.output import align_columns
from rulebooks.common.game import Game

LINES: Final = (
    ('! ruling "what" "why"', "the game master's side begins with !"),
    ("Enter", "close the open roll"),
    ('# scene, > fiction, " {who}: quote', "kept for the recap"),
    ("u, u 11, redo", "take back the newest, or correction 11; bring it back"),
    ('~ CHANGE, ~ 11 CHANGE, ~ 11 drop', "correct the last line, or entry 11; leave it out"),
    ("? turn, ? show, ? show {who}", "whose turn it is; everybody; one in full"),
    ("? why, ? why all, ? why 11", "why it came out so; all of it; of entry 11"),
    ("? odds LINE, ? whatif CHANGE", "the chances of a line; what would have been"),
    ("help {game}, help play, help VERB", "the game; the rest of the shell; one verb"),
)  # fmt: skip


def help_lines(book: Game, scope: Scope, may_be_said: Callable[[str], bool] | None = None) -> Iterator[str]:
    """Yield ten lines about the shell; the first is what somebody may say now, if that can be asked."""
    spoken = [kind for kind in book.declarations if kind.verbs and not (kind.aside or kind.alone or kind.answers)]
    examples = [example_hint(kind, scope).partition(": ")[2] for kind in spoken]
    example = next(filter(may_be_said, examples), examples[0]) if may_be_said else examples[0]
    who = next((name for name in scope.beings if name not in scope.things), "NAME")
    rows = [(example, "somebody acts: name, verb, the rest in any order"), *LINES]
    texts = [[left.format(who=who, game=book.name), right] for left, right in rows]
    yield from align_columns(texts)
