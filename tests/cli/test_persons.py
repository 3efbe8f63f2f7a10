"""Pronouns on the sheets of every game, and the campaign's own table of names."""

from __future__ import annotations

import tomllib

import pytest
from msgspec import structs

from cli.play.name_table import CAMPAIGN_FILE, read_name_table
from cli.questions.name_table import NamedPerson
from cli.story.persons import Persons
from cli.story.plain_words import is_description
from ledger.errors import Refused
from ledger.names import name_key
from projections.state import Being, State
from rulebooks import GAMES, load_game
from rulebooks.common.pronouns import KNOWN, THEY, Pronouns, parse_pronouns
from rulebooks.testing.seat import TableSeat
from tests.cli.conftest import Folder, one_error

PARSED = [
    ("she/her", "she"),
    ("She / Her / Hers", "she"),
    ("they", "they"),
    ("she/they", "she"),
    ("it/its", "it"),
    ("xe/xem", "xe"),
    ("ne/nem/nir", "ne"),
    ("", None),
    ("/", None),
    ("ne/nem", None),
    ("she/", None),
    ("she/hre", None),
    ("a/b/c/d/e/f", None),
    ("<b>/them/their", None),
    ("they them", None),
]
TABLE = """[names]
"The Salt Widow" = { epithet = "the widow of the salt pans", short = "the Widow", pronouns = "she/her" }
"""


@pytest.mark.parametrize(("text", "subject"), PARSED)
def test_pronouns_are_known_or_have_three_forms(text, subject):
    found = parse_pronouns(text)
    assert (found and found.subject) == subject


def test_own_pronouns_get_their_last_forms():
    assert parse_pronouns("ne/nem/nir") == Pronouns("ne", "nem", "nir", "nirs", "nemself")
    assert all(parse_pronouns("/".join(each.forms)) == each for each in KNOWN)


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game in GAMES for kind in ("pc", "npc", "foe")])
def test_every_sheet_has_pronouns_that_a_story_reads(game, kind):
    book = load_game(game)
    if kind not in book.texts().sheet_templates:
        return
    template = tomllib.loads(book.texts().sheet_templates[kind].read_text("utf-8"))
    template.pop("pronouns", None)
    seat = TableSeat(book, "", lambda state: None)
    seat.begin(lambda: None)
    seat.say(book.sheet({**template, "name": "Ash"}, "ash.toml"))
    seat.say(book.sheet({**template, "name": "Bryn", "pronouns": "She / Her"}, "bryn.toml"))
    persons = Persons(seat.state)
    assert persons.pronouns("Ash") == THEY
    assert persons.pronouns("Bryn").subject == "she"
    declared = [bytes(record.declared.said) for record in seat.store.takes() if record.declared]
    assert [b"pronouns" in said for said in declared[-2:]] == [False, True], "without them sheets are stored as before"
    cato = book.sheet({**template, "name": "Cato"}, "cato.toml")
    with pytest.raises(Refused, match="she/her, he/him"):
        seat.say(structs.replace(cato, pronouns="ze/zzz"))


def test_table_of_names_is_for_those_without_pronouns(tmp_path):
    (tmp_path / CAMPAIGN_FILE).write_text(TABLE)
    persons = Persons(State(), read_name_table(tmp_path))
    assert persons.epithet("The Salt Widow") == "the widow of the salt pans"
    assert persons.short("The Salt Widow") == "the Widow"
    assert persons.pronouns("The Salt Widow").subject == "she"
    assert (persons.epithet("Ash"), persons.short("Ash"), persons.pronouns("Ash")) == ("", "Ash", THEY)
    assert Persons(State(), read_name_table(tmp_path / "none")).short("Ash") == "Ash"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("names = 3", "'names' is no table"),
        ('names = { Ash = "she/her" }', "names, Ash: it is no table"),
        ("names = { Ash = { short = 3 } }", "short: 3 does not fit. It takes a text in quotes"),
        ('names = { Ash = { shrt = "A" } }', "'shrt' is no key of it. Did you mean 'short'?"),
        ('names = { Ash = { pronouns = "ze/zzz" } }', "'ze/zzz' are no pronouns. Write she/her, he/him"),
        ('names = { Ash = { epithet = "a\\u0007b" } }', "is an invisible or control character"),
        ('names = { Ash = { epithet = "%s" } }' % ("a" * 200), "200 characters are too many"),
        ('names = { "3" = { short = "A" } }', "'3' does not begin with a letter"),
        ("names = {", "it is not TOML"),
    ],
)
def test_table_of_names_that_is_wrong_is_refused(folder, text, error):
    (folder.path / CAMPAIGN_FILE).write_text(text)
    assert error in one_error(folder.invoke("recap"), 3)


@pytest.mark.slow
def test_pages_call_everybody_as_the_recap_does(saints: Folder) -> None:
    (saints.path / CAMPAIGN_FILE).write_text('[names]\nDovel = { short = "Old Iron" }\n', encoding="utf-8")
    assert all("Old Iron" in saints.run("recap", "2", *form) for form in ((), ("--html",)))


def test_foe_speaks_under_the_short_name_of_the_table(night: Folder) -> None:
    (night.path / CAMPAIGN_FILE).write_text('[names]\nDovel = { short = "Old Iron" }\n', encoding="utf-8")
    night.run("do", '" dovel: Nobody leaves.')
    assert 'Old Iron: "Nobody leaves."' in night.run("recap", "--post")


@pytest.mark.parametrize(
    ("name", "kind", "short"),
    [
        ("Joss Tarrow", "pc", "Joss"),
        ("Captain Rook", "npc", "Rook"),
        ("Hedge Widow", "npc", "Hedge Widow"),
        ("Hedge Warden", "pc", "Hedge Warden"),
        ("Night Watch", "pc", "Night Watch"),
        ("Night Clerk", "npc", "Night Clerk"),
    ],
)
def test_short_name_is_that_of_a_person(name, kind, short):
    state = State()
    state.beings[name] = Being(name=name, kind=kind, side="a", seen="", joined=0)
    assert Persons(state).short(name) == short


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("Auctioneer", True), ("Hedge Widow", True), ("Night Clerk", True), ("Herman", False), ("Magister Coil", False)],
)
def test_name_that_says_what_somebody_is_has_an_article(name, is_one):
    assert is_description(name) == is_one


@pytest.mark.parametrize(
    ("name", "pronouns", "speech", "short"),
    [
        ("Halla Crow", "she/her", "", "Halla"),
        ("Halla Crow", "", "", "Halla Crow"),
        ("Vat Crawler", "it/its", "", "Vat Crawler"),
        ("Night Porter", "he/him", "the Night Porter has the key", "Night Porter"),
        ("Night Porter", "he/him", "on a cold night", "Night Porter"),
    ],
)
def test_foe_of_two_names_is_called_by_the_first(name: str, pronouns: str, speech: str, short: str) -> None:
    state = State()
    state.beings[name] = Being(name=name, kind="npc", side="a", seen="", joined=0)
    persons = Persons(state, {name_key(name): NamedPerson(pronouns=pronouns)})
    persons.listen(speech)
    assert persons.short(name) == short
