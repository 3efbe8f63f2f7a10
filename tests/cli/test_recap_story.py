"""How a recap tells what happened: weapons, joint attacks, intents, departures, effects by their cause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.phrases.joins import joined_sentences
from cli.phrases.patterns import fill_but_verbs
from tests.cli.conftest import Folder
from tests.cli.evenings import prepare

LOCK = ('! encounter "the lock"', "! round", 'v declare "shoot"', "o pass")


def played(game: str, tmp_path: Path, *lines: str) -> Folder:
    """Return a campaign with the characters and foes of an evening, after these lines."""
    prepare(game, tmp_path / game)
    folder = Folder(tmp_path / game)
    folder.file("story.session", "".join(f"{line}\n" for line in lines))
    folder.run("run", str(folder.path / "story.session"))
    return folder


@pytest.mark.slow
def test_joint_attack_names_everybody_with_their_weapons(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, "v attack r1 bolt-pistol +with:okoro:shotgun /6.2.9.2")
    assert "Vega and Okoro brought the first raider down with the bolt pistol and the shotgun" in folder.run("recap")


@pytest.mark.slow
def test_weapon_of_a_foe_is_told_where_the_attack_is_seen(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, "! r1 attack vega rifle /3", "! r2 attack vega /4")
    players = folder.run("recap")
    assert "Both raiders shot Vega with the rifles and hurt them badly." in players
    assert "1.5: Vega's hp 5 to 3. 1.6: Vega's hp 3 to " in players


@pytest.mark.slow
@pytest.mark.parametrize(("faces", "told"), [("1.2", "Wren could not hold out"), ("12.11", "Wren held out")])
def test_resistance_to_what_has_no_source_is_a_sentence(tmp_path: Path, faces: str, told: str) -> None:
    lines = ('! poison wren v5 d3 "the wine"', "> It is red.", f"wren resist poison /{faces}", "close")
    assert f"\n{told}" in played("dusk-bastards", tmp_path, *lines).run("recap")


@pytest.mark.slow
def test_cost_of_who_is_resisted_has_its_name(tmp_path: Path) -> None:
    """A note is about several, and says whose number it is."""
    fight = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative", "! initiative")
    page = played("mars", tmp_path, *fight, "asha maneuver taunt guard-1 stamina /1.10.4").run("recap")
    assert "The first guard resisted Asha.[^1]" in page
    assert "1.5: resist 1 (fail); Asha's stamina 14 to 13" in page


@pytest.mark.slow
def test_broken_thing_is_a_sentence(tmp_path: Path) -> None:
    folder = played("semiautomagic", tmp_path, '! harm "brand\'s shield" 25 "an axe"')
    assert "\nBrand's shield was destroyed: an axe.[^1]\n" in folder.run("recap")


@pytest.mark.slow
def test_quoted_text_that_names_nobody_is_refused_as_that(tmp_path: Path) -> None:
    done = played("semiautomagic", tmp_path).invoke("do", '! harm "the door" 25 "an axe"')
    assert done.stderr.startswith("Error: column 8: 'the door' is nobody in play. There is: Kit, ")


def test_intents_are_told_and_passes_are_not(tmp_path: Path) -> None:
    page = played("monolith", tmp_path, *LOCK).run("recap")
    assert "Vega meant to shoot." in page
    assert "Okoro meant" not in page


def test_departure_is_told_where_it_happened(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, '! encounter "the ferry house"', "! leave ferryman", "! end")
    page = folder.run("recap")
    story = page.partition("## Where things stand")[0]
    assert "The Ferryman left the fight." in story
    assert story.count("Ferryman left") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("mark", "out"), [("", "The Ferryman (left)"), ("!! ", "")])
def test_end_of_a_fight_keeps_a_secret_departure(tmp_path: Path, mark: str, out: str) -> None:
    lines = ('! encounter "the ferry house"', f"{mark}! leave ferryman", "! end")
    log = played("dusk-bastards", tmp_path, *lines).run("log", "--as", "players")
    assert (f"; out: {out}" in log) if out else "out:" not in log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('v save reflex "the cable goes" /4', "Vega was quick enough: the cable went.[^1]"),
        ('o does "hold the doors" "they hold"', "Okoro held the doors: they held.[^1]"),
        ('! morale raiders "the lights go"', 'The game master: "the lights go".[^2]'),
    ],
)
def test_reason_leads_to_what_came_of_it(tmp_path: Path, line: str, sentence: str) -> None:
    out = ('! encounter "the lock"', '! flee r1 "now"', '! flee r2 "now"') if "morale" in line else ()
    assert sentence in played("monolith", tmp_path, *out, line).run("recap")


@pytest.mark.slow
def test_condition_behind_a_roll_is_not_its_effect(tmp_path: Path) -> None:
    lines = ("w attack thug 1 s d4 /9.8", "! condition thug 1 prone")
    page = played("dusk-bastards", tmp_path, *lines).run("recap", "--as", "gm")
    assert "left them barely standing.[^1]\n\nThe first thug was prone.[^2]" in page


@pytest.mark.slow
def test_one_blow_against_several_is_told_once(tmp_path: Path) -> None:
    page = played("monolith", tmp_path, *LOCK, 'o blast r1 r2 charge area="the doors" /2.2').run("recap")
    assert "At the doors, Okoro hit both raiders with the charge and hurt them badly." in page


@pytest.mark.slow
def test_weapon_of_several_scores_is_told_once(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, 'o blast r1 r2 charge area="the doors" /2.3')
    page = folder.run("recap", "--as", "gm")
    assert re.search(r"Okoro hit both raiders with the charge", page)


@pytest.mark.slow
def test_group_is_told_with_its_article(tmp_path: Path) -> None:
    lines = ('! encounter "the lock"', '! flee r1 "now"', '! morale raiders "the lights go" /20')
    assert "The Raiders lost heart" in played("monolith", tmp_path, *lines).run("recap")


@pytest.mark.slow
def test_option_is_told_in_the_chronicle_alone(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, '! option half_counts_fled yes "we think so"')
    answer = "Do those who fled count for the half that is lost? Now: they count too"
    assert folder.run("recap").count(answer) == 1
    assert answer not in folder.run("recap", "--post")


@pytest.mark.slow
def test_players_see_no_dice_of_a_foe(tmp_path: Path) -> None:
    lines = ('! fight "the weir" zones=weir', "v momentum /1.1", "o momentum /1.1", "! on")
    folder = played("momentum", tmp_path, *lines, "! raider 1 attack vel")
    assert re.search(r"attack: Damage [0-9]+d[0-9]+ ", folder.run("log", "--as", "gm"))
    assert re.search(r"attack: Damage … ", folder.run("log", "--as", "players"))
    assert "Damage" not in folder.run("recap", "--as", "players")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("w force m v1 /9.8", "Wren forced a way."),
        ("w sneak s v3 /9.8", "Wren moved without a sound."),
    ],
)
def test_task_without_an_object_is_told_with_one(tmp_path: Path, line: str, sentence: str) -> None:
    assert sentence in played("dusk-bastards", tmp_path, line, "close").run("recap")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        ("dusk-bastards", 'w "lore about the salt graves" i v1 /9.8', "Wren succeeded at lore about the salt graves."),
        ("dusk-bastards", 'w "unfurls the sail" m v1 /9.8', "Wren unfurled the sail."),
        ("monolith", 'v save body "a fall" /2', "Vega had the strength for a fall."),
    ],
)
def test_dice_are_told_in_a_sentence(tmp_path: Path, game: str, line: str, sentence: str) -> None:
    assert sentence in played(game, tmp_path, line).run("recap")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("face", "told"),
    [
        (6, "Kit dodged the worst of it and took a wound: a fireball."),
        (1, "Kit took a wound: a fireball."),
    ],
)
def test_dodge_of_an_area_is_not_told_as_a_ward(tmp_path: Path, face: int, told: str) -> None:
    page = played("semiautomagic", tmp_path, f'! area kit 8 dc=6 dodge "a fireball" /{face}').run("recap")
    assert f"\n{told}[^1]" in page
    assert "wards it off" not in page


@pytest.mark.slow
def test_log_says_where_somebody_is_now(tmp_path: Path) -> None:
    log = played("semiautomagic", tmp_path, "! put brand yard square=5,5", "brand move 3 to=8,5").run("log", "1")
    assert "Brand is in yard (5,5)" in log
    assert "Brand moves 3 squares" in log
    assert "Brand is in yard (8,5)" in log


@pytest.mark.slow
def test_end_of_a_fight_tells_who_stands_and_who_is_out(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', "! leave ferryman", "! damage thug1 9", '! end "the tide"')
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert "The first thug died, but the Ferryman got away." in page
    assert "The Ferryman left the fight. The first thug died." in page
    assert (
        "**The second thug** (unhurt) is still about: still stood at the end of the ferry house; nothing more" in page
    )


@pytest.mark.slow
def test_lost_fight_says_who_was_left_behind(tmp_path: Path) -> None:
    lines = ('! encounter "the house"', '! damage wren 30 "a beam"', "w wound /3.3", "! leave holt", "! end")
    folder = played("dusk-bastards", tmp_path, *lines)
    told = "Wren fell to a beam, and Holt got away."
    assert told in folder.run("recap")
    assert told in folder.run("recap", "--post").splitlines()[2]


@pytest.mark.slow
def test_fight_is_not_lost_while_one_stands(tmp_path: Path) -> None:
    lines = ('! encounter "the house"', '! damage wren 30 "a beam"', "w wound /3.3", "! end")
    told = "Wren fell to a beam, and the fight broke off with two thugs and the Ferryman still standing."
    assert told in played("dusk-bastards", tmp_path, *lines).run("recap")


@pytest.mark.slow
def test_article_of_a_name_is_small_inside_a_sentence(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', "! leave ferryman", "! end", "! condition ferryman prone")
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert " faced two thugs and the Ferryman." in page
    assert "The Ferryman was prone." in page
    assert "is still about: left at the end of the ferry house; was prone;" in page


@pytest.mark.slow
def test_fate_of_a_foe_is_what_was_ruled_last(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', "! end", '! ruling "The Ferryman yields" "he is wet"')
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    decided = page.partition("## Decided")[2]
    assert "- The Ferryman yields (he is wet)[^5]\n" in decided
    assert "Ferryman" not in page.partition("## Open")[2].removesuffix(decided)


@pytest.mark.slow
def test_cost_is_told_with_what_came_back(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, "w climb m v9 e2 /9.8", "close").run("recap")
    assert "Wren could not make the climb even with great effort" in page
    assert re.search(r"Wren's might [0-9]+ to [0-9]+", page)


@pytest.mark.slow
def test_dead_are_told_and_in_the_chronicle_with_entries(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', "! damage thug1 9", "! damage thug2 9", "! end")
    folder = played("dusk-bastards", tmp_path, *lines)
    page = folder.run("recap")
    assert "\n- Dead: the first thug, the second thug[^3]\n" in page
    assert "\n[^3]: 1.2, 1.3\n" in page
    assert "**Dead:** two thugs." in folder.run("recap", "--post")


@pytest.mark.slow
def test_tokens_are_told_with_what_moved_them(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, "w sneak s v3 /1.8", "close", '! doom 1 "a bell"')
    assert "- **Game master**: doom 1 (0 at the start, Dusk +2, a bell -1)\n" in folder.run("recap")


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        (["Ash <be> surprised", "Bryn <be> surprised"], ["Ash and Bryn are surprised"]),
        (["Rat <be> down", "Rat <be> stable", "Rat <die>"], ["Rat is down and stable", "Rat dies"]),
        (["Ash <die>", "Rat <be> no longer up", "Bryn <die>"], ["Ash and Bryn die", "Rat is no longer up"]),
        (["Rat <be> no longer up", "Rat <be> no longer away"], ["Rat is no longer up or away"]),
        (["Rat no longer <hold> a", "Rat no longer <hold> b"], ["Rat no longer holds a or b"]),
        (["Ash <wake> and <get> up", "Bryn <wake> and <get> up"], ["Ash and Bryn wake and get up"]),
        (["yard <be> next to gate", "yard <be> next to wall"], ["yard is next to gate and wall"]),
        (["Rat <have> lost it", "Rat <have> cover"], ["Rat has lost it", "Rat has cover"]),
        (["crew: Ash", "crew: Bryn", "", "a bell rings"], ["crew: Ash and Bryn", "a bell rings"]),
        (["Ash <fall>", "Ash <fall>", "Rat <fall>"], ["Ash and Rat fall"]),
    ],
)
def test_several_who_do_the_same_are_told_together(sentences: list[str], told: list[str]) -> None:
    assert joined_sentences(fill_but_verbs(text, {}) for text in sentences) == told


@pytest.mark.slow
def test_death_that_ends_a_fight_is_told(tmp_path: Path) -> None:
    lines = (
        '! fight "the weir" zones=weir',
        "v momentum /9.9",
        "o momentum /9.9",
        "! on",
        '! raider 2 flee "now"',
        "! raider 1 end",
    )
    blows = ("o attack raider 1 /9.10.1", "o attack raider 1 /9")
    page = played("momentum", tmp_path, *lines, *blows).run("recap")
    assert "Osric killed the first raider, and the fight was won." in page


@pytest.mark.slow
def test_second_try_that_is_forbidden_is_decided(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, "w climb m v9 /2.3", '! forbid 1.1 "it is gone"').run("recap")
    assert "## Decided\n\n- There was no second try: it was gone[^2]\n" in page
    assert "\n[^2]: 1.2\n" in page


@pytest.mark.slow
def test_campaign_page_names_who_is_lost_since_last_time(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, '! encounter "the ferry house"', "! damage thug1 9", '! end "the tide"')
    page = folder.run("recap", "--campaign")
    assert "\n- Dead: Thug 1 (1.2)\n" in page
    assert "Then the fight was over: the tide." in page
    folder.run("close")
    folder.run("open", "Two")
    folder.run("do", "w climb m v1 /9.8")
    folder.run("close")
    assert "Dead:" not in folder.run("recap", "--campaign")


@pytest.mark.slow
def test_deed_of_a_character_is_told_behind_fiction(tmp_path: Path) -> None:
    lines = (
        '! fight "the weir" zones=weir',
        "v momentum /9.9",
        "o momentum /9.9",
        "! on",
        '! raider 2 flee "now"',
        "> A bell.",
        '! raider 1 flee "now"',
    )
    folder = played("momentum", tmp_path, *lines)
    assert "The first raider fled." in folder.run("recap", "--character", "raider 1")


@pytest.mark.slow
def test_aid_and_rest_say_what_they_stop(tmp_path: Path) -> None:
    """Aid begins no Critical Damage; rest after it makes stable and heals nothing."""
    lines = ('! vega.hp -4 "a fall"', "! r1 attack vega rifle /8.20", "o aid vega", "v rest")
    folder = played("monolith", tmp_path, *lines)
    log = folder.run("log")
    assert "Vega has had aid, which stops the clock" in log
    assert log.count("Vega is under Critical Damage") == 1
    assert "no longer" not in log.partition("v rest")[2]
    page = folder.run("recap")
    assert "Vega rested and was stable." in page
    assert "recovers" not in page


@pytest.mark.slow
@pytest.mark.parametrize(("faces", "left"), [("/2", 1), ("/3", 0)])
def test_foe_at_exactly_0_is_told_to_the_players(faces: str, left: int, tmp_path: Path) -> None:
    """A blow that takes all hit points reads no lighter than one that leaves some."""
    folder = played("monolith", tmp_path, *LOCK, f"v attack r1 bolt-pistol {faces}")
    assert f"Raider 1 hp 3>{left}" in folder.run("log", "--as", "gm")
    assert "Raider 1 is bloodied" in folder.run("log", "--as", "players")
    assert "and hurt them badly" in folder.run("recap", "--as", "players").partition("## Roll of the night")[2]


@pytest.mark.slow
def test_hurt_limb_is_named_until_it_has_healed(tmp_path: Path) -> None:
    lines = ('! fight "x"', "k attack brute 1 at=leg /3.6", "kit stance prone", "kit stance standing")
    folder = played("semiautomagic", tmp_path, *lines)
    assert "Brute 1 is slowed by 1 (leg 1)" in folder.run("log")
    page = folder.run("recap")
    assert "Kit shot the first brute in the leg with the bow and hurt them, " in page
    assert ", and the first brute was slowed in one leg." in page
    assert "| well | hurt, slowed (leg 1) |" in page
    assert "Kit stands up" in folder.run("log")
    healed = folder.run("do", '! heal brute1 "set" injuries=leg')
    assert "Brute 1 is no longer slowed (leg 1)" in healed
    assert "was no longer slowed (leg 1)" in folder.run("recap")
    folder.run("do", '! ruling "struck" "x" kit.unconscious=1')
    assert "Kit wakes" in folder.run("do", '! ruling "awake" "x" kit.unconscious=0')


@pytest.mark.slow
def test_show_says_what_somebody_holds_and_wears(tmp_path: Path) -> None:
    lines = ('! fight "x"', '! ruling "it snaps" "too old" "Kit\'s bow.destroyed"=1')
    folder = played("semiautomagic", tmp_path, *lines)
    shown = folder.run("show", "brand")
    assert "Brand holds the mace and the shield in the second hand" in shown
    assert "Brand wears the mail" in shown
    assert "destroyed" in folder.run("show", "kit's bow")


@pytest.mark.slow
def test_end_of_a_fight_brings_nobody_back_who_fled(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, '! flee r1 "scared"', "! over")
    log = folder.run("log")
    assert "Raider 1 stays away from the next fight unless named" in log
    assert "no longer fled" not in log
    told = "The first raider fled: scared; the fight broke off with the second raider still standing."
    assert told in folder.run("recap")
