"""How far somebody is from somebody else, or from everybody, as a book counts it: `? far kess thug2`."""

from __future__ import annotations

from collections.abc import Iterator

from cli.notation.known_beings import match_being
from cli.notation.scope import Scope
from cli.notation.tokens import tokenize
from ledger.errors import Unreadable
from projections.state import State
from rulebooks.common.game import Game


def distance_lines(text: str, state: State, book: Game, scope: Scope) -> Iterator[str]:
    """Yield how far the first name is from the second, or from each creature in play.

    Raises Unreadable for a name that nobody in play has, and where the book keeps no distance between them.
    """
    one, *rest = [_find_named(token.text, scope) for token in tokenize(text)] or [_find_named("", scope)]
    living = [name for name in scope.beings if name not in {one, *scope.dead, *scope.things}]
    far = [(other, book.guide.distance_text(one, other, state)) for other in rest or living]
    known = [f"{one} to {other}: {distance}" for other, distance in far if distance]
    if not known:
        raise Unreadable(f"no distance is kept between {one} and others", hint=f"See where they are: ? show {one}")
    yield from known


def _find_named(word: str, scope: Scope) -> str:
    """Return who or what in play a word names. Raises Unreadable for none or several."""
    names = match_being(word, scope).words if word else ()
    if len(names) != 1:
        raise Unreadable(f"'{word}' names nobody in play" if word else "far from whom?", hint="Write: ? far NAME NAME")
    return names[0]
