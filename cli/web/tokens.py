"""The tokens of the links, in a file beside the ledger: a link holds when the server is started again.

The file is readable by its owner only, and what somebody else could have read is not used again. No export, backup or
table contains it. Deleting it is as good as `--new-token`.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import msgspec

from cli.output import remark
from cli.questions.roles import GM_VIEW, PLAYERS
from ledger.seeds import read_regular_file

TOKEN_FILE: Final = "serve.secret"
TOKEN_BYTES: Final = 16
TOKEN: Final = re.compile(r"[\w-]{22}", re.ASCII)  # what `new_token` makes
FILE_BYTES_MOST: Final = 1 << 16
ROLES: Final = (PLAYERS, GM_VIEW)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def load_tokens(folder: Path, names: Iterable[str] = ROLES, *, new: Collection[str] | None = ()) -> dict[str, str]:
    """Return the token of each of these links, those of the last time if there are any.

    `new`: the names of links that are others from now on; None: all are.
    """
    path = folder / TOKEN_FILE
    known = read_tokens(path)
    kept = {} if new is None else {name: token for name, token in known.items() if name not in new}
    tokens = {name: kept.get(name) or new_token() for name in names}
    if not tokens.items() <= known.items():
        try:
            write_private(path, msgspec.json.encode(kept | tokens) + b"\n")
        except OSError as error:
            remark(f"The links will be others the next time: {TOKEN_FILE} cannot be written ({error.strerror}).")
    return tokens


def read_tokens(path: Path) -> dict[str, str]:
    """Return the tokens in a file by the names of their links; none if they are no tokens, or if others may read it."""
    try:
        content = msgspec.json.decode(read_regular_file(path, FILE_BYTES_MOST), type=dict[str, str])
        is_private = not path.stat().st_mode & 0o077
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
    is_whole = all(map(TOKEN.fullmatch, content.values())) and len(set(content.values())) == len(content)
    return content if is_whole and is_private else {}


def write_private(path: Path, content: bytes) -> None:
    """Write a file, which its owner alone can read, as a whole. Raises OSError if it cannot be written."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)
    unfinished.replace(path)
