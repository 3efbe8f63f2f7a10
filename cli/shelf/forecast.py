"""`shelf forecast`: the fights that were really fought, played again by forecast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from cli.forecast.choices import players_of
from cli.forecast.fought import FoughtFight, fought_fights
from cli.forecast.habits import AS_WE_PLAY, AsWePlay, learn_habits
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.runs import play_runs
from cli.forecast.tally import any_falls, count_pairs
from cli.questions.edits import parse_reading
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import FINE
from ledger.errors import InputError
from ledger.ledger_state import initial_state
from ledger.names import plural
from projections.projection import StateProjection
from rulebooks.common.game import Game

ROUNDS: Final = 20  # of one run


class MemberOutlook(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a fight that was fought: whether they fell or left, and how many runs they fall in by the rules."""

    who: str
    fell: bool
    falls: int
    left: bool = False


class FightOutlook(msgspec.Struct, frozen=True, kw_only=True):
    """A fight that was fought: whether somebody of the players fell, and in how many runs of the forecast.

    `both`, `only_before` and `only_after` count the runs in which somebody falls by the rules on record and by the
    others; without others `both` counts all.
    """

    at: str
    fell: bool
    runs: int
    both: int
    only_before: int = 0
    only_after: int = 0
    members: tuple[MemberOutlook, ...] = ()


class ForecastTask(msgspec.Struct, frozen=True, tag="forecast"):
    """Play the last fights of a campaign again from where they began, so many runs of each; with `options` twice."""

    options: tuple[str, ...]
    runs: int
    fights: int
    key: str

    @property
    def supposes(self) -> bool:
        """Whether the rules are others than those on record."""
        return bool(self.options)

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return what the forecasts say of each fight, and what came.

        A forecast knows the habits of the fights before it; two rules are compared with all that is known of everybody.
        """
        store, book = campaign.store, campaign.book
        try:
            for text in self.options:
                parse_reading(book, initial_state(StateProjection()).state, text)
        except InputError as error:
            return CampaignResult(FINE, str(error), None)
        known = learn_habits(store, book) if self.options else None
        last = list(fought_fights(store, book))[-self.fights :]
        outlooks = [self.outlook(fought, known or learn_habits(store, book, fought.at), book) for fought in last]
        return CampaignResult(FINE, _text(outlooks), outlooks)

    def outlook(self, fought: FoughtFight, habits: AsWePlay, book: Game) -> FightOutlook:
        """Return what the forecast says of a fight."""
        asked = ForecastAsked(
            runs=self.runs, rounds=ROUNDS, policy=AS_WE_PLAY, key=f"{self.key} {fought.at}", options=self.options
        )
        question = ForecastQuestion(asked, habits, fought.open_state(), book)
        players = players_of(question.fight)
        before = play_runs(question.plan, 0, self.runs)
        after = before if question.other is None else play_runs(question.other, 0, self.runs)
        both, only_before, only_after = count_pairs(before, after, players)
        return FightOutlook(
            at=str(fought.at),
            fell=bool(fought.fell & set(players)),
            runs=self.runs,
            both=both,
            only_before=only_before,
            only_after=only_after,
            members=tuple(
                MemberOutlook(
                    who=who,
                    fell=who in fought.fell,
                    left=who in fought.left,
                    falls=sum(any_falls(end, [who]) for end in before),
                )
                for who in fought.members
            ),
        )


def _text(outlooks: Sequence[FightOutlook]) -> str:
    """Return in a line what came of the fights of a campaign."""
    fell = sum(each.fell for each in outlooks)
    return f"{plural(len(outlooks), 'fight fought', 'fights fought')}; somebody of the players fell in {fell:,}"
