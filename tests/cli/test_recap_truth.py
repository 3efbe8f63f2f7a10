"""A recap says nothing that is not so, and nothing that its reader knows: blows, intents, defences, costs, fates."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.phrases.patterns import fill_but_verbs, find_pattern
from cli.story.being_names import BeingNames
from cli.story.persons import Persons
from cli.story.results import STRIKE, felling
from cli.story.task_words import texts_of
from cli.story.voice import Voice
from projections.state import State
from rulebooks import load_game
from rulebooks.common.narration import Narration
from tests.cli.test_recap_story import LOCK, played

BRAM_STABBED = (
    '! encounter "the gate"',
    "asha initiative /1.1.1",
    "bram initiative /1.1",
    "! initiative /10.8.10.8",
    "! guard-1 attack bram /10.4.1.6.4",
    "! guard-1 attack bram /10.4.1.6.4",
    "! guard-1 attack bram /10.4.1.2.2.6.4",
)


@pytest.mark.slow
def test_blow_at_one_who_lies_there_is_not_in_vain(tmp_path: Path) -> None:
    """What it took is no news any more, but it took it: it may be what they die of."""
    page = played("mars", tmp_path, *BRAM_STABBED).run("recap")
    assert "Bram fell to the first guard. The first guard stabbed Bram where they lay.[^2]" in page


@pytest.mark.slow
def test_foe_shows_what_is_coming_and_says_nothing(tmp_path: Path) -> None:
    lines = ('! telegraph r1 "levels the gun at whoever is nearest"', '! telegraph r2 "the gun, at the door"')
    page = played("monolith", tmp_path, LOCK[0], *lines).run("recap")
    told = 'The first raider was about to "level the gun at whoever is nearest".'
    assert f"{told} The second raider was about to act: the gun, at the door." in page


@pytest.mark.slow
@pytest.mark.parametrize(("said", "is_told"), [("shoots the first raider", False), ("the second raider", True)])
def test_intent_is_untold_where_the_deed_follows(tmp_path: Path, said: str, is_told: bool) -> None:
    page = played("monolith", tmp_path, *LOCK[:2], f'v declare "{said}"', "o pass", "v attack r1 /2").run("recap")
    assert ("Vega meant to go for the second raider" in page) == is_told
    assert "Vega shot the first raider" in page


@pytest.mark.slow
def test_who_stays_up_is_told_twice(tmp_path: Path) -> None:
    blows = ("! round", "v pass", "o pass", "! r1 attack okoro rifle /4.1", "! done") * 3
    page = played("monolith", tmp_path, LOCK[0], '! okoro.hp -6 "a fall"', *blows).run("recap")
    assert page.count("stayed up") == 2


@pytest.mark.slow
@pytest.mark.parametrize("defence", ["block", "dodge", "parry"])
def test_defence_is_told_by_its_name(tmp_path: Path, defence: str) -> None:
    who = "kit" if defence == "dodge" else "brand"
    lines = ('! fight "x"', "kit end", "brand end", f"! brute 1 attack {who} {defence} /6.6")
    page = played("semiautomagic", tmp_path, *lines).run("recap")
    told = {"block": "but Brand blocked it", "dodge": "but Kit dodged", "parry": "but Brand parried"}
    assert told[defence] in page


@pytest.mark.slow
def test_called_shot_says_where(tmp_path: Path) -> None:
    lines = ('! fight "x"', "k attack brute 1 at=leg /6.1")
    page = played("semiautomagic", tmp_path, *lines).run("recap")
    assert "Kit shot the first brute in the leg with the bow" in page


@pytest.mark.slow
def test_half_a_success_is_told_with_its_cost(tmp_path: Path) -> None:
    lines = ('asha check athletics v9 "as far as the door" /4.1', '! asha.stamina -2 "a ladder"')
    page = played("mars", tmp_path, *lines).run("recap")
    told = "Asha half managed it: as far as the door. They lost two points of stamina: a ladder."
    assert told in page


@pytest.mark.slow
def test_half_a_success_is_told_in_other_words_each_time(tmp_path: Path) -> None:
    lines = tuple(f'asha check {skill} v9 "{skill}" /4.1' for skill in ("athletics", "perception", "agility"))
    page = played("mars", tmp_path, *lines).run("recap")
    assert "- check: graze 3\n" in page
    assert page.partition("## Where")[0].count("half served") <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("face", "told"), [(8, "struck Bram down, by a hair, but"), (6, "struck Bram down, but")])
def test_fall_that_a_point_would_have_spared_says_so(tmp_path: Path, face: int, told: str) -> None:
    """The second blow is a tie, or two more than it needs."""
    lines = (*BRAM_STABBED[:5], f"! guard-1 attack bram /10.4.{face}.6.4")
    assert told in played("mars", tmp_path, *lines).run("recap", "--as", "gm")


@pytest.mark.slow
def test_fate_that_was_ruled_is_open_once(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', "! end", '! ruling "The Ferryman yields until dawn" "he is wet"')
    post = played("dusk-bastards", tmp_path, *lines).run("recap", "--post")
    assert "The Ferryman yielded until dawn: he was wet." in post
    assert "**Open:** the Ferryman: yields until dawn; still about: the first and second thugs." in post
    assert post.partition("**Open:**")[2].count("Ferryman") == 1


@pytest.mark.slow
def test_blow_that_fells_has_the_verb_of_its_weapon(tmp_path: Path) -> None:
    """Nobody strikes somebody down with a bow."""
    order = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative /10.10", "! initiative /1.1.1.1")
    shot = ('! guard-1.hp -7 "a fall"', "bram attack guard-1 with bow /10.8.1.6.6")
    bow = played("mars", tmp_path / "bow", *order, *shot).run("recap")
    assert "Bram shot the first guard down with the bow." in bow
    fight = (order[0], "asha initiative /1.1.1", "bram initiative /1.1", "! initiative /10.8.10.8")
    assert "struck Bram down" in played("mars", tmp_path / "spear", *fight, *BRAM_STABBED[4:]).run("recap")


@pytest.mark.parametrize(
    ("verb", "pattern", "told"),
    [
        ("shoot", "<strike> {against} dead", "<shoot> {against} dead"),
        ("cut", "<strike> {against} down", "<cut> {against} down"),
        ("cut", "<strike> {against} dead", "<strike> {against} dead"),
        ("stab", "<strike> {against} down", "<strike> {against} down"),
    ],
)
def test_only_some_weapons_fell_with_their_own_verb(verb: str, pattern: str, told: str) -> None:
    assert STRIKE.sub(lambda found: felling(verb, found), pattern) == told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ((), "Wren got out of sight."),
        (('! wren.destiny +1 "a gift"',), "Wren got out of sight, under an Eclipse that took Destiny."),
        (
            ("w run s v1 /1.2", "close", '! wren.destiny +1 "a gift"'),
            "Wren got out of sight, under an Eclipse that took Destiny and Doom.",
        ),
    ],
)
def test_eclipse_is_told_with_what_it_took(tmp_path: Path, tokens: tuple[str, ...], told: str) -> None:
    """One that took nothing and gave nothing back changed nothing."""
    rarer = ("h lift v7 /12.11", "close")  # which the lead tells
    page = played("dusk-bastards", tmp_path, *tokens, "w hide v2 /6.6", "close", *rarer).run("recap")
    assert told in page


@pytest.mark.slow
def test_second_try_is_told_without_its_task(tmp_path: Path) -> None:
    lines = ('w "force the grate" m v5 /1.2', "close", 'w "force the grate" m v5 e1 /1.3', "close")
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert "Wren could not force the grate and failed again." in page
    lines = (*lines[:2], 'w "force the grate" m v5 e1 /12.11', "close")
    page = played("dusk-bastards", tmp_path / "won", *lines).run("recap")
    assert "Wren could not force the grate, then managed it." in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "told"),
    [("Below the market", "Wren swam below the market."), ("After the rain", "Wren swam."), ("The pier", "Wren swam.")],
)
def test_task_of_one_word_says_where_the_scene_is(tmp_path: Path, title: str, told: str) -> None:
    page = played("dusk-bastards", tmp_path, f"# {title}", "w swim m v1 /12.10", "close").run("recap")
    assert told in page


@pytest.mark.slow
def test_place_of_a_scene_is_said_once(tmp_path: Path) -> None:
    swim = ("w swim m v1 /12.10", "close", "h swim m v1 /12.10", "close")
    page = played("dusk-bastards", tmp_path, "# Below the market", *swim).run("recap")
    assert page.count("below the market") == 1


@pytest.mark.slow
def test_short_deed_stands_with_the_one_beside_it(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, "w swim m v1 /12.10", "close", 'h "lift the boat" m v2 /12.9').run("recap")
    assert "Wren swam, and Holt lifted the boat." in page


@pytest.mark.slow
def test_rulings_stand_as_fiction(tmp_path: Path) -> None:
    """They are the table's own words, in the present; the last one leads in the past, with its reason only there."""
    rulings = ('! ruling "The mule stays." "it bites"', '! ruling "Who pays?" "nobody"', '! ruling "Asha pays" "so"')
    page = played("mars", tmp_path, *rulings).run("recap")
    told, _, rest = page.partition("## Decided")
    assert "\nAsha paid: so.[^1]\n\n> The mule stays.[^2]\n\n> Who pays?[^3]\n" in told
    assert "it bites" not in told
    assert "(it bites)" in rest


@pytest.mark.slow
def test_stake_is_told_of_a_failure_alone(tmp_path: Path) -> None:
    lines = ('v save body "hauls the hatch" stake="a finger"', 'o save body "the cold" stake="his toes"')
    page = played("monolith", tmp_path, f"{lines[0]} /2", f"{lines[1]} /20").run("recap")
    assert "a finger" not in page.partition("## Where")[0]
    assert 'did not have the strength for the cold (at stake: "his toes")' in page


@pytest.mark.parametrize(
    ("result", "deed", "told"),
    [
        ("passed", "mend the brake", "Okoro mended the brake"),
        ("failed", "mend the brake", "Okoro could not mend the brake"),
        ("failed", "tell them that we are dead", 'Okoro failed to "tell them that we are dead"'),
        ("passed", "tells them that we are dead", 'Okoro managed to "tell them that we are dead"'),
        ("passed", "mend the brake before the sleeper", "Okoro mended the brake before the sleeper"),
        ("passed", "mend the brake and the lamp", "Okoro managed to mend the brake and the lamp"),
        ("passed", "along the beam", "Okoro got along the beam"),
        ("failed", "Over the wall", "Okoro could not get over the wall"),
        ("passed", "whose feet these are", "Okoro made out whose feet these were"),
        ("failed", "how long it has been dead", "Okoro could not make out how long it had been dead"),
        ("passed", "whose lamp is it", "Okoro made out whose lamp it was"),
        ("failed", "whose lamp is it?", "Okoro could not make out whose lamp it was"),
        ("passed", "hold the pew while the tide turns", "Okoro held the pew while the tide turned"),
        ("failed", "catch the rung when the lift stops", "Okoro could not catch the rung when the lift stopped"),
        ("passed", "how to open it", "Okoro made out how to open it"),
        ("passed", "whether they will let us in", 'Okoro made out "whether they will let us in"'),
        ("passed", "what the ox wants", "Okoro made out what the ox wanted"),
        ("passed", "", "Okoro passed a talk Save"),
    ],
)
def test_deed_of_a_save_is_told(result: str, deed: str, told: str) -> None:
    """Also of a score that only this table has."""
    names, book = BeingNames(Narration(), State(), Persons(State())), load_game("monolith")
    pattern, which = find_pattern(book.texts().narration.results, "talk Save", result) or ("", "")
    said = texts_of({"reason": deed} if deed else {}, past=True)
    text = fill_but_verbs(pattern, {"who": names("Okoro"), "which": which, **said})
    assert Voice(names).alone(text) == told


@pytest.mark.slow
def test_graze_at_a_task_is_no_success(tmp_path: Path) -> None:
    page = played("mars", tmp_path, 'asha check charisma v14 "talk them out of the barn" total=9').run("recap")
    assert "Asha did not quite manage to talk them out of the barn" in page


@pytest.mark.slow
def test_campaign_ruling_is_open_in_the_chronicle(tmp_path: Path) -> None:
    page = played("mars", tmp_path, '! ruling "the dam holds until dawn" "so it is" campaign').run("recap")
    assert "- The dam holds until dawn[^" in page.partition("## Open")[2].partition("##")[0]
    assert "Nothing is left open" not in page


@pytest.mark.slow
def test_same_deed_again_says_so(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, *("w hide v2 /6.6", "close") * 2).run("recap")
    assert "Wren got out of sight, then got out of sight again." in page
