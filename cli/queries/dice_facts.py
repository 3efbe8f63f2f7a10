"""The rolls, results and losses of a ledger, for who asks about all of its dice: read without anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from cli.queries.redaction import OlderRoll, is_opaque, secret_results, seen_result
from cli.queries.seen_line import Hidden
from ledger.extracts import Kinds
from ledger.facts import Amended, Judged, PointsLost, Rolled, WindowChanged, WindowClosed, WindowOpened, Wounded


class RollResult(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag="judged", gc=False):
    """A result without its names and its arithmetic: most bytes of a ledger are sums."""

    total: int | None = None
    target: int | None = None
    margin: int | None = None
    rolls: tuple[str, ...] = ()
    final: bool


DICE: Final[Kinds] = frozenset((Rolled, RollResult, PointsLost, Wounded))
# The windows say which results go on with a roll of a secret entry; a correction of a secret entry is secret.
DICE_TO_REDACT: Final[Kinds] = frozenset(
    (Rolled, Judged, PointsLost, Wounded, WindowOpened, WindowChanged, WindowClosed, Amended)
)


def seen_dice(facts: Sequence[object], hidden: Hidden, rolls: Mapping[int, OlderRoll]) -> Iterator[object]:
    """Yield the rolls, results and losses among the facts of a record that is not secret, as the players see them.

    A result of which its line alone says that it is hidden keeps its margin here: nobody prints it, and it says which
    faces are good.
    """
    secret_dice = [purpose for _, fact in secret_results(facts, rolls) for purpose in fact.rolls]
    for number, fact in enumerate(facts, start=1):
        older = rolls.get(number)
        if older == "secret" or (isinstance(fact, Rolled) and fact.purpose in secret_dice):
            continue
        if isinstance(fact, Judged):
            yield seen_result(fact, hidden) if older != "shown" and is_opaque(fact, hidden) else fact
        elif isinstance(fact, Rolled | PointsLost | Wounded) and not hidden.is_hidden(fact.who):
            yield fact
