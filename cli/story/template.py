"""Templates of the user in place of the built-in recaps: Jinja2 in its sandbox, if it is installed.

A template is given the fields of the page as `--json` names them, and the finished parts of the recap. What an
expression prints is made harmless like everything else; only the finished parts are printed as they are.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.story.chronicle import chronicle, items, story_lines
from cli.story.night_words import night_line
from cli.story.open_ends import open_lines
from cli.story.page import Page
from cli.story.parts import correction_lines, decision_lines, member_line
from cli.story.post import post
from cli.story.session_log import session_log
from cli.story.style import Style
from ledger.errors import LedgerError, Unreadable

FOLDER: Final = "templates"
SUFFIX: Final = ".jinja"
ENDINGS: Final = {"markdown": "md", "text": "txt"}


class Finished(str):
    """A text that is harmless already."""


def find_template(folder: Path, size: str, form: str) -> Path | None:
    """Return the campaign's own template for a size and form, as `templates/post.md.jinja`; None without one."""
    path = folder / FOLDER / f"{size}.{ENDINGS.get(form)}.jinja"
    return path if path.is_file() else None


def fill_template(path: Path, page: Page, style: Style) -> str:
    """Return a page in a template.

    Raises LedgerError when Jinja2 is not installed, and Unreadable for a broken template, with its file and line.
    """
    try:
        import jinja2
        from jinja2.sandbox import SandboxedEnvironment
    except ImportError as error:
        hint = "Install it: pip install 'campaign-ledger[templates]'."
        raise LedgerError("templates need Jinja2, which is not installed", where=str(path), hint=hint) from error
    environment = SandboxedEnvironment(
        loader=jinja2.FunctionLoader(lambda name: read_template(path, name)),
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, Finished) else style.text(value),
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    try:
        text: str = environment.get_template(path.name).render(fields(page, style))
    except jinja2.TemplateSyntaxError as error:
        raise Unreadable(str(error.message), where=f"{path}, line {error.lineno}") from error
    except jinja2.TemplateNotFound as error:
        what = f"'{error.name}' cannot be included: only '*{SUFFIX}' files beside the template can, no links"
        raise Unreadable(what, where=f"{path}, line {line_of(error, path)}") from error
    except MemoryError as error:
        raise Unreadable("its texts do not fit the memory", where=f"{path}, line {line_of(error, path)}") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"it cannot be read: {error}", where=str(path)) from error
    except Exception as error:  # anything that an expression of the template may raise
        raise Unreadable(str(error) or type(error).__name__, where=f"{path}, line {line_of(error, path)}") from error
    return text


def read_template(path: Path, name: str) -> tuple[str, str, None] | None:
    """Return the text and the path of a template: `path` itself, or another `*.jinja` beside it that is no link.

    Return None for every other name, so that a template reads no other file of its folder or below.
    """
    beside = path.with_name(name) if name == os.path.basename(name) and name.endswith(SUFFIX) else None
    found = path if name == path.name else beside
    if found is None or (found != path and (found.is_symlink() or not found.is_file())):
        return None
    return found.read_text(encoding="utf-8"), str(found), None


def line_of(error: Exception, path: Path) -> int:
    """Return the line of a template at which an error was raised; 0 if it is none of its lines."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno or 0 for frame in reversed(frames) if frame.filename == str(path)), 0)


def fields(page: Page, style: Style) -> Mapping[str, Any]:
    """Return what a template may use: the fields of the page, and its parts as they are printed without a template."""
    parts: dict[str, Callable[[], Iterable[str]]] = {
        "chronicle": lambda: chronicle(page, style),
        "post": lambda: post(page, style),
        "log": lambda: session_log(page, style),
        "story_text": lambda: story_lines(page.story, style),
        "party_text": lambda: items((member_line(each, style) for each in page.party), style),
        "open_text": lambda: items(open_lines(page, style), style),
        "decided_text": lambda: items(decision_lines(page, style), style),
        "corrected_text": lambda: items(correction_lines(page, style), style),
        "night_text": lambda: one_line(night_line(page, style)),
    }
    return {**msgspec.to_builtins(page), **{name: Finished("\n".join(lines())) for name, lines in parts.items()}}


def one_line(text: str) -> Iterator[str]:
    """Yield a line unless it is empty."""
    yield from [text] if text else []
