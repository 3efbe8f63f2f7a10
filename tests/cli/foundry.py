"""Chat messages and actors in the form of Foundry's documents, made here: no text in them is anybody's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

BEGAN = 1_775_847_600_000  # 2026-04-10 19:00 UTC, in milliseconds


def die(faces: int, *results: int | dict[str, Any], number: int = 0, modifiers: Sequence[str] = (), kind: str = "Die"):
    """Return the term of dice. A result is a face, or the whole of it."""
    shown = [each if isinstance(each, dict) else {"result": each, "active": True} for each in results]
    return {
        "class": kind,
        "options": {},
        "evaluated": True,
        "number": number or len(shown),
        "faces": faces,
        "modifiers": list(modifiers),
        "results": shown,
    }


def plus(number: int) -> list[dict[str, Any]]:
    """Return the terms of a number that is added."""
    return [{"class": "OperatorTerm", "operator": "+"}, {"class": "NumericTerm", "number": number}]


def roll(total: float, *terms: dict[str, Any]) -> dict[str, Any]:
    """Return a roll of these terms."""
    return {"class": "Roll", "options": {}, "dice": [], "terms": list(terms), "total": total, "evaluated": True}


def message(number: int, alias: str, content: str = "", *rolls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a message of version 13, whose rolls are texts."""
    return {
        "_id": f"message{number:09d}",
        "type": "base",
        "style": 0 if rolls else 2,
        "timestamp": BEGAN + number * 60_000,
        "speaker": {"scene": None, "actor": None, "token": None, "alias": alias},
        "flavor": "",
        "content": content,
        "whisper": [],
        "blind": False,
        "rolls": [json.dumps(each) for each in rolls],
    } | more


def as_version_12(said: dict[str, Any]) -> dict[str, Any]:
    """Return a message with its style as a number in `type`, and its rolls as objects."""
    older = {key: value for key, value in said.items() if key != "style"}
    return older | {"type": said["style"], "rolls": [json.loads(each) for each in said["rolls"]]}
