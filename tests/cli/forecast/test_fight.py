"""Test the fights of forecasts: by the rules, with dice of their own, to an end, and without a trace."""

from __future__ import annotations

import pytest

from cli.forecast.fight import ROUNDS_MOST
from cli.forecast.policies import POLICIES, weakest_first
from cli.forecast.runs import key_of_run
from ledger.dice import fixed_seed
from ledger.facts import Judged, Rolled
from rulebooks.semiautomagic.wounds import wound
from tests.cli.forecast.fights import OPENINGS, fight_of

RUNS = 4
UNREAD = {Rolled, Judged}


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("sample", "policy"), list(zip(OPENINGS, (*POLICIES, "weakest"), strict=True)))
def test_fight_is_played_and_leaves_no_trace(played_samples, sample, policy):
    assert_played(fight_of(played_samples[sample], sample, policy), RUNS)


@pytest.mark.slow
@pytest.mark.parametrize("sample", OPENINGS)
@pytest.mark.parametrize("policy", POLICIES)
def test_many_fights_of_each_policy(played_samples, sample, policy):
    assert_played(fight_of(played_samples[sample], sample, policy), 12)


def assert_played(fight, runs):
    before = fight.ledger_state.pack()
    ends = [fight.play(key_of_run("x", run)) for run in range(runs)]
    assert fight.ledger_state.pack() == before
    assert len({end.falls for end in ends}) > 1  # dice decide
    for end in ends:
        left = {fight.side_of[who] for who in fight.members} - {""}
        out = {fall.who for fall in end.falls}
        stand = {fight.side_of[who] for who in fight.members if who not in out}
        assert end.is_over or end.rounds == ROUNDS_MOST
        assert not end.winners or (end.winners in left and stand == {end.winners})
        assert all(1 <= fall.round <= end.rounds for fall in end.falls)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", OPENINGS)
def test_same_run_is_the_same_fight(played_samples, sample):
    fight = fight_of(played_samples[sample], sample)
    assert fight.play(key_of_run("x", 3)) == fight.play(key_of_run("x", 3))
    assert [fight.play(key_of_run(key, 0), 3) for key in "xyz"] != [fight.play(key_of_run("x", 0), 3)] * 3


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", OPENINGS)
def test_run_does_not_depend_on_those_before(played_samples, sample):
    """Whichever parts of the runs are played by which process: what is said comes in the same order too."""
    played = fight_of(played_samples[sample], sample)
    played.play(key_of_run("x", 0))
    assert said_in(played, 1) == said_in(fight_of(played_samples[sample], sample), 1)


def said_in(fight, run):
    """Return all that is tried in a run, in its order, and how it ends."""
    tried, say = [], fight.say

    def say_and_note(said):
        tried.append(said)
        return say(said)

    fight.say = say_and_note
    return fight.play(key_of_run("x", run)), tried


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", OPENINGS)
def test_fight_that_nobody_reads_is_the_same(played_samples, sample):
    """Rules leave out dice and judgements at most: all other facts are as at the table."""
    fight = fight_of(played_samples[sample], sample)
    unread, read = (facts_in(fight, is_read=is_read) for is_read in (False, True))
    assert [fact for fact in read if type(fact) not in UNREAD] == [fact for fact in unread if type(fact) not in UNREAD]
    assert {type(fact) for fact in read} >= UNREAD
    assert fight.state.is_read


def facts_in(fight, *, is_read):
    """Return the facts of two runs, in a state of which dice and judgements are read or not."""
    facts, game = [], fight.game

    class NotingGame:
        def __getattr__(self, name):
            return getattr(game, name)

        def decide(self, said, state, dice):
            state.is_read = is_read
            for fact in game.decide(said, state, dice):
                facts.append(fact)
                yield fact

    fight.game = NotingGame()
    ends = [fight.play(key_of_run("x", run)) for run in range(2)]
    fight.game = game
    return [*facts, *ends]


@pytest.mark.parametrize("sample", ["gutter-saints", "lantern-ferry"])
def test_who_has_anything_left_is_known_by_what_is_left(played_samples, sample):
    """A book that answers faster answers the same, of everybody at each moment."""
    fight = fight_of(played_samples[sample], sample)
    say = fight.say

    def ask_and_say(said):
        for who in fight.members:
            left = fight.guide.left(who, fight.state)
            assert fight.has_any_left(who) == (not left or any(left.values()))
        return say(said)

    fight.say = ask_and_say
    assert fight.play(key_of_run("x", 0), rounds_most=4).entries > 10
    for who in fight.members:
        for action, _ in fight.guide.turn_actions:
            fight.state.put("allowances", (who, action), 0)
        assert fight.guide.left(who, fight.state)
        assert not fight.has_any_left(who)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", OPENINGS)
def test_who_fights_is_known_after_each_declaration(played_samples, sample):
    """Only those are asked again whom a fact may have moved: as if all were asked."""
    fight = fight_of(played_samples[sample], sample)
    say = fight.say

    def say_and_ask(said):
        allowed = say(said)
        assert fight.fighting == {who for who in fight.members if not fight.how_out(who)}
        return allowed

    fight.say = say_and_ask
    assert sum(len(fight.play(key_of_run("x", run)).falls) for run in range(3)) > 3


def test_weakest_is_who_can_take_the_least(played_samples):
    """In Semiautomagic nobody has points: each wound takes one of Toughness."""
    fight = fight_of(played_samples["powder-tithe"], "powder-tithe")
    foes = fight.foes_of("Orsk")
    first, *_, last = weakest_first("Orsk", foes, fight)
    lead = fight.guide.hardiness(last, fight.state) - fight.guide.hardiness(first, fight.state)
    mark = fight.ledger_state.mark()
    for _ in range(lead + 1):
        fight.ledger_state.step(fight.entry, wound(last, "Orsk", fight.state))
    assert weakest_first("Orsk", foes, fight)[0] == last
    fight.ledger_state.roll_back(mark)


def test_run_forgets_what_was_tried_in_another(played_samples):
    """So parts of the runs may be played apart."""
    fight = fight_of(played_samples["broken-archway"], "broken-archway")
    said = fight.guide.flight("Kael", fight.state)
    assert fight.is_first_this_turn(said)
    assert not fight.is_first_this_turn(said)
    assert fight.is_first_this_turn(fight.guide.flight("Sira", fight.state))  # the same act of somebody else
    fight.play(key_of_run("x", 0), rounds_most=1)
    assert fight.is_first_this_turn(said)


def test_no_key_of_a_run_is_a_seed():
    assert key_of_run("1", 0) != fixed_seed("1")
    assert len({key_of_run(text, run) for text in ("1", "2", "1\n2") for run in range(3)}) == 9


def test_run_ends_by_rounds_and_by_a_fall(played_samples):
    fight = fight_of(played_samples["broken-archway"], "broken-archway")
    assert max(fight.play(key_of_run("x", run), rounds_most=2).rounds for run in range(3)) == 2
    assert fight.play(key_of_run("x", 0), rounds_most=1).entries < fight.play(key_of_run("x", 0)).entries
    ends = [fight.play(key_of_run("x", run), until="Kael") for run in range(8)]
    falls = [(end, fall) for end in ends for fall in end.falls if fall.who == "Kael"]
    assert all(fall.round == end.rounds for end, fall in falls)
    assert not all(end.is_over for end, _ in falls)


def test_fight_that_cannot_end_is_ended_by_a_bound(played_samples):
    fight = fight_of(played_samples["powder-tithe"], "powder-tithe", "nearest")
    fight.policy_of = dict.fromkeys(fight.members, Idle())
    end = fight.play(key_of_run("x", 0))
    assert (end.is_over, end.winners, end.rounds) == (False, "", ROUNDS_MOST)


class Idle:
    """Nobody does anything."""

    def acts(self, who, fight):
        return ()

    def defences(self, who, said, fight):
        return ()
