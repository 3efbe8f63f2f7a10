"""Which function decides each declaration about tasks and their rolls."""

from __future__ import annotations

from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, ForbidRetry, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.tasks import attempt, retries, token_uses, window

DICE_DECISIONS: DiceDecisions = {
    Attempt: attempt.attempt,
    Retry: attempt.retry,
    SpendDestiny: token_uses.spend_destiny,
    SpendDoom: token_uses.spend_doom,
}
DECISIONS: Decisions = {Close: window.close, ForbidRetry: retries.forbid_retry}
