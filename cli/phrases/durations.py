"""When a condition ends, in words: each game says what its own turns, slots and days end."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cli.phrases.patterns import fill
from ledger.facts import Ends
from rulebooks.common.texts import Wording

UNITS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
ANCHORS: Final = MappingProxyType(
    {
        "encounter": "until the end of the encounter",
        "phase": "until the end of the {phase} phase[ of round {due}]",
        "round": "until the end of[ the {phase} phase of] round {due}|until the end of the round",
        "seconds": "for {time} more",
        "use": "until used[ ({due} left)]",
    }
)


def until(end: Ends, now: int, wording: Wording) -> str:
    """Return when something ends, in the words of the book; `now`: the clock of the story in seconds."""
    pattern = wording.anchors.get(end.at) or ANCHORS.get(end.at, "until [{whose}'s ]{at}[ {due}]")
    return fill(
        pattern,
        {
            "at": end.at.replace("_", " "),
            "whose": end.whose,
            "phase": end.phase.replace("_", " "),
            "due": end.due or "",
            "time": duration(max(0, end.due - now)),
        },
    )


def duration(seconds: int) -> str:
    """Return a time in its largest whole units: 5400 -> `1 hour 30 minutes`."""
    parts = []
    for size, unit in UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(parts) or "no time"
