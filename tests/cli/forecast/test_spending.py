"""Test what is spent on open rolls in a forecast: as the ledger shows, and nothing by the plain policies."""

from __future__ import annotations

import msgspec
import pytest

from cli.forecast.fight import Fight
from cli.forecast.habits import AsWePlay, learn_habits
from cli.forecast.policies import Fleeing, Plain
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.runs import key_of_run
from cli.questions.state_at import state_at
from rulebooks import load_game
from tests.cli.forecast.fights import OPENINGS, opened

SAMPLE = "gutter-saints"
REROLL = "spend-destiny"  # the declaration of Dusk Bastards with which Orrin spends a point on his open roll


class CountingFight(Fight):
    """A fight that counts rolls of the players and what was spent on them."""

    spent = rolls = 0

    def spend(self):
        """Count the rolls that are open before somebody spends, and the declarations that were allowed."""
        self.rolls += sum(self.state.kind(window.who) == "pc" for window in self.state.windows.values())
        before = self.entries
        super().spend()
        self.spent += self.entries - before


@pytest.fixture(scope="module")
def habits(played_samples):
    store, game = opened(played_samples[SAMPLE])
    learnt = learn_habits(store, game)
    store.close()
    return learnt


@pytest.fixture
def state(played_samples):
    store, _ = opened(played_samples[SAMPLE])
    begun = state_at(store, OPENINGS[SAMPLE], None)
    store.close()
    return begun


def test_habit_has_the_share_of_rolls_on_which_a_token_was_spent(habits):
    orrin = habits.habits["Orrin"]
    ((act, times),) = orrin.spends
    assert (act.said.__struct_config__.tag, times, act.actor, act.struck) == (REROLL, 1, "by", "")
    assert orrin.rolls > times
    assert act not in dict(orrin.acts)
    assert habits.tokens == ("destiny",)
    assert habits.habits["Kess"].spends == ()
    assert habits.habits["Kess"].rolls > 0


def played(policy, state, runs=6):
    fight = CountingFight(load_game("dusk-bastards"), state, dict.fromkeys(state.state.encounter.members, policy))
    for run in range(runs):
        fight.play(key_of_run("spending", run), 6)
    return fight


def always(habits, times):
    """Return habits in which everybody spends on so many of twelve rolls what Orrin does."""
    spends = ((habits.habits["Orrin"].spends[0][0], times),)
    changed = {who: msgspec.structs.replace(habit, spends=spends, rolls=12) for who, habit in habits.habits.items()}
    return AsWePlay(habits=changed, tokens=habits.tokens)


@pytest.mark.slow
def test_tokens_are_spent_as_often_as_they_were(habits, state):
    often, seldom, never = (played(always(habits, times), state) for times in (12, 3, 0))
    assert often.spent > seldom.spent > never.spent == 0
    assert often.spent <= often.rolls


@pytest.mark.slow
def test_plain_policies_spend_nothing_and_say_so(habits, state):
    for policy in (Plain("weakest"), Fleeing(Plain("weakest"), 3)):
        fight = played(policy, state, runs=2)
        assert (fight.spent, fight.rolls > 0) == (0, True)
    for name, text in (
        ("as we play", "as we play (this table has broken fights off; nobody spends doom)"),
        ("weakest", "weakest (nobody spends destiny and doom); foes: spread"),
    ):
        choices = ("foes: spread",) if name == "weakest" else ()
        asked = ForecastAsked(runs=1, rounds=1, policy=name, key="1", choices=choices)
        question = ForecastQuestion(asked, habits, state, load_game("dusk-bastards"))
        assert question._policy_text() == text
