"""Test what is spent on open rolls in a forecast: as the ledger shows, and nothing by the plain policies."""

from __future__ import annotations

import msgspec
import pytest

from cli.forecast.fight import Fight
from cli.forecast.fight_dice import FightDice
from cli.forecast.habits import AsWePlay, Student, learn_habits
from cli.forecast.policies import Fleeing, Plain, Saving
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.runs import key_of_run
from cli.questions.state_at import state_at
from ledger.facts import GM, Rolled
from rulebooks import load_game
from rulebooks.dusk_bastards.declarations.tasks import SpendDoom
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


def played(policy, state, runs=6, **others):
    policies = {**dict.fromkeys(state.state.encounter.members, policy), **others}
    fight = CountingFight(load_game("dusk-bastards"), state, policies)
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


DOOM = SpendDoom(by=GM, points=1, purpose="lamps go out")


def watched(state, *facts):
    """Return the habits of a ledger in whose only round of a fight Doom is spent, or an Eclipse takes it."""
    student = Student(load_game("dusk-bastards"))
    student.look(state.state)
    student.watch(DOOM, state.state, facts)
    return student.policy()


def test_game_master_spends_in_the_share_of_rounds(state):
    spent = list(load_game("dusk-bastards").decide(DOOM, state.state, FightDice(b"")))
    learnt = watched(state, *spent)
    gm = learnt.habits[GM]
    assert [(act.by(GM), times) for act, times in gm.spends] == [(DOOM, 1)]
    assert (gm.rolls, learnt.tokens) == (1, ("doom",))
    rolled = Rolled(rules=("DB-ROLL-1",), who=GM, purpose="wound", source="table", dice=())
    assert watched(state, rolled, *spent).habits == {}


@pytest.mark.slow
def test_doom_is_spent_once_a_round_at_most(state):
    """In each round with a strike, as long as there is any; nothing where nobody has the habit of it."""
    learnt = watched(state, *load_game("dusk-bastards").decide(DOOM, state.state, FightDice(b"")))
    fight = played(Plain("weakest"), state, runs=4, gm=learnt)
    spent = fight.spent
    ends = [fight.play(key_of_run("spending", run), 6) for run in range(4)]
    assert 4 <= spent <= sum(end.rounds for end in ends)
    half = msgspec.structs.replace(learnt.habits[GM], rolls=2)
    assert 0 < played(Plain("weakest"), state, runs=4, gm=AsWePlay(habits={GM: half})).spent < spent
    assert played(Plain("weakest"), state, runs=2, gm=Saving(learnt)).spent == 0


def test_game_master_can_be_supposed_to_spend_nothing(state):
    book = load_game("dusk-bastards")
    learnt = watched(state, *book.decide(DOOM, state.state, FightDice(b"")))
    asked = ForecastAsked(runs=1, rounds=2, policy="as we play", key="1", choices=("GM: spends nothing",))
    question = ForecastQuestion(asked, learnt, state, book)
    assert question.plan.policies[GM] == Saving(learnt)
    assert question._policy_text().endswith("nobody spends destiny); GM: spends nothing")
    foes = question.fight.sides[1][1]
    assert {who: type(policy) for who, policy in question.plan.policies.items() if who in foes} == dict.fromkeys(
        foes, Saving
    )
    others = msgspec.structs.replace(asked, choices=("players: spends nothing",))
    assert ForecastQuestion(others, learnt, state, book).plan.policies[GM] == learnt
