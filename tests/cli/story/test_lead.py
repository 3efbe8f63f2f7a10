"""The lead of evenings that end in every way, in all games: what it says, and that it is honest and short."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.story.page import Page
from cli.web.pages.session_draft import session_page
from tests.cli.conftest import Folder
from tests.cli.evenings import EVENINGS, prepare
from tests.cli.pages.test_session_page import seen
from tests.cli.story_questions import lead_faults

FOES = {
    "mars": "Guard", "semiautomagic": "Brute", "momentum": "Raider", "monolith": "Raider", "dusk-bastards": "Thug"
}  # fmt: skip
GATE = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative /10.10", "! initiative /1.1.1.1.1.1")
LATE = ('! encounter "the gate"', "asha initiative /1.1.1", "bram initiative /1.1", "! initiative /10.8.10.8.10.8")
STAB = ("! guard-1 attack bram /10.4.1.6.4",) * 2
SHOT = ('! guard-1.hp -7 "a fall"', "bram attack guard-1 with bow /10.8.1.6.6")
KILN = ('! fight "the kiln" kit brand brute1 gaunt', '! harm brute1 40 "the roof beam"')
YARD = '! fight "the yard" brand brute2'
WEIR = ('! fight "the weir" pcs=bank foes=weir paths=bank:weir', "v momentum", "o momentum")
LOCK = ('! encounter "the lock"', "! round", 'v declare "shoot"', "o pass")
FERRY = ('! encounter "the ferry house"',)
FALL = '! harm kit 13 "the floor gives way"'
LEAP = 'bram check athletics v12 "leap the gate" /1'
GONE = '! leave gaunt "over the wall"'

EVENINGS_TOLD = {
    "a named foe flees while somebody is dying": (
        "semiautomagic", (*KILN, FALL, GONE, "! over"),
        "The first brute fell to the roof beam, but Gaunt got away",
        "Kit fell as the floor gave way and was left dying",
    ),
    "a character falls when the fight is over": (
        "semiautomagic", ('! fight "the kiln" kit brand brute1', KILN[1], "! over", FALL),
        "The first brute fell to the roof beam, and the fight was won",
        "Afterwards Kit fell as the floor gave way and was left dying",
    ),
    "a character falls behind the decisive blow": (
        "momentum",
        (*WEIR, '! raider-1.hp -3 "a rock"', '! vel.hp -8 "thirty feet"', '! raider 2 flee "x"', '! gaunt flee "x"'),
        "The first raider was killed by a rock, but Gaunt got away",
        "Vel fell and was left down: thirty feet",
    ),
    "broken off": (
        "semiautomagic", (*KILN, "! over"),
        "The first brute fell to the roof beam, and the fight broke off with Gaunt still standing", "",
    ),
    "the party flees": (
        "mars", (*LATE, *STAB, '! leave asha "home"', "! over"),
        "The first guard struck Bram down, and Asha got away", "Bram was left dying",
    ),
    "the party flees unhurt": (
        "dusk-bastards", (*FERRY, '! leave wren "x"', '! leave holt "x"', '! end "they keep the house"'),
        "Wren and Holt got away, and the fight was lost: they kept the house", "",
    ),
    "all foes flee": (
        "dusk-bastards", (*FERRY, "! leave thug1", "! leave thug2", "! leave ferryman", "! leave gaunt", "! end"),
        "Two thugs, the Ferryman and Gaunt got away", "",
    ),
    "a foe flees who felled somebody": (
        "mars", (*LATE, *STAB, '! leave guard-1 "x"', '! leave guard-2 "y"', GONE, "! over"),
        "The first guard struck Bram down, and two guards and Gaunt got away", "Bram was left dying",
    ),
    "surrender in too many words": (
        "mars", (*GATE, *SHOT, f'! over "Captain Gaunt puts down his spear and asks {"and asks " * 9} for terms"'),
        "Bram shot the first guard down with the bow, and the fight was over", "",
    ),
    "a common foe flees who felled nobody": (
        "semiautomagic", ('! fight "the kiln" kit brand brute1', FALL, '! leave brute1 "x"', '! over "it is quiet"'),
        "Kit fell as the floor gave way, and the first brute got away", "Kit was left dying",
    ),
    "surrender": (
        "mars", (*GATE, *SHOT, '! over "Gaunt yields"'),
        "Bram shot the first guard down with the bow, and Gaunt yielded", "",
    ),
    "everybody falls": (
        "momentum", (*WEIR, '! gaunt.hp -3 "a rock"', '! vel.hp -8 "the planks"', '! osric.hp -7 "a rock"'),
        "Osric fell to a rock, and the fight was lost", "Vel fell to the planks; both were left down",
    ),
    "somebody falls by a fall": (
        "momentum", (*WEIR, '! vel.hp -8 "the planks"', '! osric.hp -7 "a fall"'),
        "Osric was brought down by a fall, and the fight was lost", "Vel fell to the planks; both were left down",
    ),
    "the last foe flees": (
        "momentum", (*WEIR, '! raider-1.hp -3 "a rock"', '! raider 2 flee "x"', '! gaunt flee "enough"'),
        "The first raider was killed by a rock, but Gaunt got away", "",
    ),
    "two fights": (
        "semiautomagic",
        (*KILN[:1], FALL, KILN[1], GONE, "! over", YARD, '! harm brute2 60 "a beam"', "! over"),
        "The second brute fell to a beam, and the last fight was won",
        "Kit fell as the floor gave way and was left dying",
    ),
    "a failure before the fight": (
        "mars", ('bram check athletics v12 "the cart" /1', *LATE, *STAB, '! leave asha "home"', "! over"),
        "The first guard struck Bram down, and Asha got away", "Bram was left dying",
    ),
    "a failure in the fight": (
        "mars", (*LATE[:4], '! leave asha "x"', *STAB[:1], "! guard-1 end", LEAP, "bram end", "! guard-2 end",
                 "! gaunt end", STAB[0], "! over"),
        "The first guard struck Bram down, and Asha got away", "Bram was left dying",
    ),
    "a fight that goes on": (
        "mars", (*LATE, *STAB),
        "The first guard struck Bram down, but the fight was not over", "Bram was left dying",
    ),
    "they lose heart": (
        "monolith", (*LOCK, '! flee r1 "scared"', '! flee r2 "scared too"', "! over"),
        "The second raider fled: scared too; the fight broke off with Gaunt still standing", "",
    ),
    "nobody comes to harm": (
        "mars", (*GATE, "! over"), "The fight broke off with two guards and Gaunt still standing", "",
    ),
    "no fight": ("dusk-bastards", ("w climb v3 /9.8", "close"), "Wren made the climb", ""),
}  # fmt: skip


def page_after(game: str, tmp_path: Path, lines: tuple[str, ...]) -> Page:
    """Return the recap of an evening in which a foe with a name of their own is in play as well."""
    prepare(game, tmp_path / game)
    folder, foe = Folder(tmp_path / game), FOES[game]
    sheet = (EVENINGS / game / f"{foe.casefold()}.toml").read_text("utf-8")
    gaunt = folder.file("gaunt.toml", sheet.replace(f'name = "{foe}"', 'name = "Captain Gaunt"'))
    folder.run("cast", str(gaunt))
    folder.run("run", str(folder.file("lead.session", "".join(f"{line}\n" for line in lines))))
    with seen(folder.path, "players") as (store, book):
        return session_page(store, 1, as_of=None, book=book, role="players").recap


@pytest.mark.slow
@pytest.mark.parametrize("evening", EVENINGS_TOLD)
def test_lead_says_how_the_evening_came_out(evening: str, tmp_path: Path) -> None:
    game, lines, first, second = EVENINGS_TOLD[evening]
    page = page_after(game, tmp_path, lines)
    assert [each.text for each in page.lead] == [first, *([second] if second else [])]
    assert list(lead_faults(page)) == []


@pytest.mark.slow
def test_lead_that_claims_too_much_is_found(tmp_path: Path) -> None:
    game, lines, *_ = EVENINGS_TOLD["a named foe flees while somebody is dying"]
    page = page_after(game, tmp_path, lines)
    first = page.lead[0]
    for text in ("Brand killed the first brute, and the fight was won", "And " * 26, "He ran and ran and ran and fell"):
        lead = (msgspec.structs.replace(first, text=text), *page.lead[1:])
        assert list(lead_faults(msgspec.structs.replace(page, lead=lead)))
    assert list(lead_faults(msgspec.structs.replace(page, lead=page.lead[:1])))
    brand = msgspec.structs.replace(page.falls[-1], who="Brand", kind="fell")
    assert list(lead_faults(msgspec.structs.replace(page, falls=(*page.falls, brand))))
