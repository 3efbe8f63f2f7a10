"""The games of other packages: entry points in the group `campaign_ledger.games`, looked up only when one is asked for.

The name of an entry point is the name of the game, its value the place of the game: `lantern = "lantern.game:GAME"`.
A package that is wrong in any way is an error with its name; it is in the way of no other game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Final

import msgspec

from ledger.errors import LedgerError
from ledger.names import escape
from rulebooks.common.game import Game
from rulebooks.common.rulebook import Rulebook

GROUP: Final = "campaign_ledger.games"
ENTRY_POINTS: Final = "entry_points.txt"
NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NAME_MOST: Final = 40
TEXT_MOST: Final = 200  # characters that an error shows of another package's words


class InstalledGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a package says it has: its name, where it is, and the package with its version.

    `problem` is what is wrong with the name. If the list of games cannot be read, it says so, and there is no name.
    """

    name: str
    value: str
    package: str
    version: str
    problem: str = ""

    @property
    def brought_by(self) -> str:
        """The package with its version, as a sentence names it."""
        return one_line(f"{self.package} {self.version}".rstrip())

    def load(self) -> Game:
        """Import the game and return it. Raises LedgerError with the package for anything that is wrong with it."""
        if self.problem:
            raise self.error(self.problem)
        try:
            game = EntryPoint(self.name, self.value, GROUP).load()
            wrong = problem_of(game, self.name)
        except (Exception, SystemExit) as error:  # the code of others may raise anything
            raise self.error(f"{self.value} cannot be imported: {type(error).__name__}: {error}") from error
        if wrong:
            raise self.error(f"{self.value} {wrong}")
        assert isinstance(game, Game)
        return game

    def error(self, wrong: str) -> LedgerError:
        """Return the error for what is wrong with this game."""
        game = f"the game '{one_line(self.name)}'" if self.name else "the games"
        return LedgerError(
            f"{game} of the package {self.brought_by} cannot be used: {one_line(wrong)}",
            hint=f"Install another version of it, or remove it: pip uninstall {one_line(self.package)}",
        )


def one_line(text: str) -> str:
    """Return a text of another package as an error shows it: short, in one line, without control characters."""
    line = escape(" ".join(text.split()))
    return line if len(line) <= TEXT_MOST else f"{line[:TEXT_MOST]}..."


def problem_of(game: object, name: str) -> str:
    """Return what is wrong with the game of an entry point with this name; empty where it can be used."""
    if not isinstance(game, Game):
        kind = game.__name__ if isinstance(game, type) else type(game).__name__
        return f"is {'the class' if isinstance(game, type) else 'of the class'} {kind}, and must be an object of a Game"
    own = getattr(game, "name", None)
    if own != name:
        return f"has the name {own!r}, and its entry point says '{name}'"
    version, revision = getattr(game, "version", None), getattr(game, "revision", None)
    if not isinstance(version, str) or not re.fullmatch(r"[\w.+-]{1,40}", version):
        return "has no version, a text such as '1'"
    if type(revision) is not int or revision < 1:
        return "has no revision, a whole number from 1"
    if not isinstance(getattr(game, "rulebook", None), Rulebook):
        return "has no rulebook"
    return ""


def is_name(name: str) -> bool:
    """Return whether a game may have this name: small letters, digits and hyphens."""
    return len(name) <= NAME_MOST and bool(NAME.fullmatch(name))


@cache
def installed_games() -> tuple[InstalledGame, ...]:
    """Return the games of all installed packages by name, and what cannot be read of their lists."""
    seen, found = set[str](), list[InstalledGame]()
    for distribution in distributions():
        if GROUP in quietly(partial(distribution.read_text, ENTRY_POINTS)):
            package = package_of(distribution)
            if package not in seen:  # the first on the path is the one that is imported
                seen.add(package)
                found += games_of(distribution, package)
    return tuple(sorted(found, key=lambda game: (game.name, game.package)))


def package_of(distribution: Distribution) -> str:
    """Return the name of a package; where its metadata do not say it, that of the file with its list of games."""
    name = quietly(lambda: distribution.metadata["Name"])
    return re.sub(r"[-_.]+", "-", name).casefold() or str(distribution.locate_file(ENTRY_POINTS))


def quietly(read: Callable[[], str | None]) -> str:
    """Return what is read of a package, which may be broken in any way; empty where nothing can be read."""
    try:
        return read() or ""
    except Exception:  # whatever is wrong with a package that has nothing to do with games
        return ""


def games_of(distribution: Distribution, package: str) -> Iterator[InstalledGame]:
    """Yield the games of a package."""
    version = quietly(lambda: distribution.version)
    try:
        points = [point for point in distribution.entry_points if point.group == GROUP]
    except Exception as error:  # lines of another form
        problem = f"{ENTRY_POINTS} cannot be read: {type(error).__name__}"
        yield InstalledGame(name="", value="", package=package, version=version, problem=problem)
        return
    for point in points:
        problem = "" if is_name(point.name) else "a name has small letters, digits and hyphens, 40 at most"
        yield InstalledGame(name=point.name, value=point.value, package=package, version=version, problem=problem)


@cache
def load_installed(name: str) -> Game | None:
    """Return the installed game with this name; None without one. Raises LedgerError for a game that cannot be used."""
    same = [game for game in installed_games() if game.name == name]
    if len(same) > 1:
        packages = " and ".join(game.brought_by for game in same)
        hint = f"Remove one of them: pip uninstall {one_line(same[-1].package)}"
        raise LedgerError(f"several packages have a game '{one_line(name)}': {packages}", hint=hint)
    return same[0].load() if same else None
