"""Test campaigns in a database: every command on an address, copies both ways, lists, sealed seeds, errors."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.club import own_folder
from cli.main import campaign
from ledger.campaign_source import open_campaign
from ledger.postgres_address import parse_address
from ledger.projection import ReadModel
from ledger.read_model_views import VIEWS
from ledger.read_models import BUILTIN_MODELS
from projections.projection import StateProjection
from tests.cli.conftest import CLOCK, copied, one_error
from tests.postgres import Server, new_name, new_store

MODELS: tuple[ReadModel, ...] = (*BUILTIN_MODELS, *StateProjection.read_models)
MEMBER = "fay"
SAMPLES = ("broken-archway", "powder-tithe")
READING = (
    ["log"],
    ["log", "--takes", "--csv"],
    ["show"],
    ["show", "--at", "1.4"],
    ["recap"],
    ["recap", "--post"],
    ["recap", "--facts"],
    ["luck"],
    ["search", "the"],
    ["rulings", "--all"],
    ["rules"],
    ["head"],
    ["log", "--as", "players"],
    ["when", "session.number > 0"],
    ["export", "--players"],
    ["replay", "--all"],
)
PLAYED = (
    ["open", "One", "--seed", "a lamp"],
    ["do", "k sneak v4"],
    ["do", "k sneak v5 /7.6"],
    ["do", "~ v6 retcon"],
    ["undo"],
    ["do", "> the lamp goes out"],
    ["amend", "1.1", "v3", "--yes"],
    ["search", "lam"],
    ["who", "kess speed"],
    ["why", "1.1"],
    ["odds", "k climb v4"],
    ["show"],
    ["log", "--takes"],
    ["close"],
    ["rebuild"],
    ["log"],
    ["head"],
    ["verify", "--jobs", "2"],
    ["verify", "--quick"],
)


class Club:
    """A database, and commands about its campaigns."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def address(self, name: str = "") -> str:
        return self.server.uri("club", user=MEMBER, campaign=name)

    def invoke(self, *arguments: str, at: str = "", input: str | None = None) -> Result:
        place = ["-C", at] if at else []
        done = CliRunner().invoke(campaign, ["--clock", CLOCK, *place, *arguments], input=input)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    def run(self, *arguments: str, at: str = "", input: str | None = None) -> str:
        done = self.invoke(*arguments, at=at, input=input)
        assert done.exit_code == 0, (arguments, done.output)
        return done.stdout


@pytest.fixture
def club(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Return the database `club` for one who owns none of its tables, and a folder for the files of this machine."""
    new_store(postgres).close()
    postgres.make_role(MEMBER)
    monkeypatch.setenv("CAMPAIGN_CLUB", str(tmp_path / "club"))
    monkeypatch.delenv("CAMPAIGN_KEY", raising=False)
    return Club(postgres)


def tables(source) -> dict[str, list]:
    with closing(open_campaign(source, write=False, models=None)) as store:
        return {model.name: store.read_model_rows(model) for model in MODELS}


def views(source, columns: dict[str, str]) -> dict[str, list]:
    """Return the rows of the views, with these columns."""
    with closing(open_campaign(source, write=False, models=None)) as store:
        asked = {name: store.tables.execute(f"SELECT {each} FROM {name}").fetchall() for name, each in columns.items()}
    return {name: [tuple(row) for row in rows] for name, rows in asked.items()}


def view_columns(ledger: Path) -> dict[str, str]:
    """Return the columns that each view has in a file."""
    with closing(sqlite3.connect(ledger)) as db:
        found = {view.name: db.execute(f"SELECT * FROM {view.name}").description for view in VIEWS}
    return {name: ", ".join(column[0] for column in each) for name, each in found.items()}


def records(source) -> list:
    with closing(open_campaign(source, write=False, models=None)) as store:
        return list(store.read())


@pytest.mark.parametrize("sample", SAMPLES)
def test_copies_have_the_same_bytes_tables_and_answers(club, played_samples, sample, tmp_path):
    folder, there = shutil.copytree(played_samples[sample], tmp_path / "here"), club.address(new_name())
    ledger = folder / "ledger.db"
    said = club.run("copy", str(folder), there)
    assert f"has all {len(records(ledger))} records" in said
    assert records(parse_address(there)) == records(ledger)
    assert tables(parse_address(there)) == tables(ledger)
    columns = view_columns(ledger)
    assert views(parse_address(there), columns) == (rows := views(ledger, columns))
    assert rows["log"]
    assert (rows["fights"] and rows["wounds"]) or sample == "broken-archway"
    for arguments in READING:
        assert club.invoke(*arguments, at=there).output == club.invoke(*arguments, at=str(folder)).output, arguments
    club.run("copy", there, str(tmp_path / "back"))
    back = tmp_path / "back" / "ledger.db"
    assert (records(back), tables(back)) == (records(ledger), tables(ledger))
    assert "they are the same" in club.run("diff", str(back.parent), at=there)


def test_lines_are_declared_as_in_a_folder(club, new_folder, tmp_path):
    here, there = copied(new_folder, tmp_path), club.address(new_name())
    club.run("copy", str(here.path), there)
    for arguments in PLAYED:
        ours, theirs = club.invoke(*arguments, at=there), here.invoke(*arguments)
        assert (ours.output, ours.exit_code) == (theirs.output, theirs.exit_code), arguments
    assert records(parse_address(there)) == records(here.ledger)
    assert tables(parse_address(there)) == tables(here.ledger)


def test_a_shell_and_a_session_file_play_in_a_database(club, new_folder, tmp_path):
    there = club.address(new_name())
    club.run("copy", str(new_folder.path), there)
    club.run("open", at=there)
    shown = club.run("play", at=there, input="k sneak v4\n? log\n> rain\n")
    assert "Kess" in shown
    (tmp_path / "evening.session").write_text("> a lamp\nk climb v3 /7.6\n")
    club.run("run", str(tmp_path / "evening.session"), at=there)
    club.run("watch", str(tmp_path / "evening.session"), "--once", at=there)
    assert "a lamp" in club.run("log", at=there)
    club.run("backup", str(tmp_path / "a.backup"), at=there)
    club.run("restore", str(tmp_path / "a.backup"), str(tmp_path / "restored"))
    assert records(tmp_path / "restored" / "ledger.db") == records(parse_address(there))


def test_campaigns_are_created_and_listed_by_name(club, tmp_path):
    name = new_name()
    assert "Created The Lock in" in club.run("new", "The Lock", club.address(name), "--game", "monolith")
    again = one_error(club.invoke("new", "The Lock", club.address(name)), 3)
    assert "there is a campaign already" in again
    assert "The Lock (monolith), 1 record" in club.run("list", club.address(name))
    club.run("new", "Gutter Saints", str(tmp_path / "saints"))
    assert club.run("list", str(tmp_path)).startswith(f"{tmp_path}/saints/ledger.db: Gutter Saints (")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "ledger.db").write_bytes(b"nothing")
    assert club.invoke("list", str(tmp_path), "--csv").exit_code == 3


def test_a_campaign_of_that_name_stays_as_it_is(club, played_samples):
    there = club.address(new_name())
    club.run("new", "The Lock", there)
    before = records(parse_address(there))
    assert "there is a campaign already" in one_error(club.invoke("copy", str(played_samples[SAMPLES[0]]), there), 3)
    assert records(parse_address(there)) == before


def test_seeds_are_sealed_with_a_key_that_the_database_lacks(club, new_folder, monkeypatch, tmp_path):
    there = club.address(new_name())
    club.run("copy", str(new_folder.path), there)
    club.run("open", at=there)
    key = (tmp_path / "club" / "club.key").read_text().strip()
    with closing(open_campaign(parse_address(there), write=False, models=None)) as store:
        ((sealed,),) = store.tables.execute("SELECT sealed FROM seeds").fetchall()
    assert (tmp_path / "club" / "club.key").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("CAMPAIGN_KEY", "00" * 32)
    assert "L-SEED: the seed that is kept is not that of session 1. Put it back (in a database: the key" in one_error(
        club.invoke("do", "k sneak v4", at=there), 1
    )
    monkeypatch.setenv("CAMPAIGN_KEY", "no key")
    assert "L-SEED" in one_error(club.invoke("do", "k sneak v4", at=there), 1)
    monkeypatch.setenv("CAMPAIGN_KEY", key)
    club.run("do", "k sneak v4", at=there)
    club.run("close", at=there)
    assert bytes(sealed).hex() not in club.run("log", "--json", at=there)
    with closing(open_campaign(parse_address(there), write=False, models=None)) as store:
        assert store.tables.execute("SELECT sealed FROM seeds").fetchall() == []
    assert "all is well" in club.run("verify", at=there)


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (lambda uri: uri, 2, "the address names no campaign"),
        (lambda uri: f"{uri}&campaign=no-such", 3, "there is no campaign 'no-such' for you"),
        (lambda uri: f"{uri}&campaign=a&campaign=b", 2, "names two campaigns"),
        (lambda uri: f"{uri}&campaign=a%20b", 2, "cannot be the name of a campaign"),
        (lambda uri: f"{uri}&campaign=%1b[31m", 2, "control character"),
        (lambda uri: uri.replace("/club", "/no-such") + "&campaign=a", 3, "the database cannot be used"),
        (lambda uri: uri.replace("/club", "/postgres") + "&campaign=a", 3, "the database has no campaigns"),
        (lambda uri: "postgresql:/club?campaign=a", 2, "an address begins with postgresql://"),
        (lambda uri: uri.replace("@/", "@a..b/").partition("?")[0] + "?campaign=a", 3, "no name of a host"),
        (lambda uri: uri.replace("@/", f"@{'h' * 64}/").partition("?")[0] + "?campaign=a", 3, "no name of a host"),
        (lambda uri: f"{uri}&options={'x' * 1_000_000}&campaign=a", 2, "too many for an address"),
        (lambda uri: f"{uri}&nonsense=1&campaign=a", 3, "nonsense"),
    ],
)
def test_bad_addresses_get_an_error(club, change, code, told):
    assert told in one_error(club.invoke("log", at=change(club.address())), code)


def test_a_password_is_never_printed(club):
    bad = club.address("no-such").replace(f"{MEMBER}@", f"{MEMBER}:very-secret@") + "&password=other-secret"
    done = club.invoke("log", at=bad)
    assert "secret" not in done.output
    assert f"{MEMBER}:***@" in done.output


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("psycopg"):
            raise ImportError("no psycopg")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    done = CliRunner().invoke(campaign, ["-C", "postgresql://nowhere/club?campaign=a", "log"])
    assert "pip install 'campaign-ledger[club]'" in one_error(done, 3)


def test_a_served_table_plays_in_a_database(club, new_folder, tmp_path):
    pytest.importorskip("starlette")
    from cli.commands.serve import page_source
    from cli.context import CampaignContext
    from cli.table.answers import TypedLine
    from cli.table.links import SeatLinks, seats_for
    from cli.table.seats import GAME_MASTER
    from cli.table.table import HandsTable
    from ledger.campaign_source import watch_campaign

    there = club.address(new_name())
    club.run("copy", str(new_folder.path), there)
    club.run("open", "--players", "ana", at=there)
    context = CampaignContext(parse_address(there), CLOCK)
    watch = watch_campaign(context.source)
    assert watch.has_changed()
    table = HandsTable(context, SeatLinks(context.folder, seats_for(["Ana"])), watch.has_changed)
    line = TypedLine(line="k sneak v4", key="a-key-of-its-own")
    answers = [asyncio.run(table.say(GAME_MASTER, line)) for _ in range(2)]
    table.close()
    assert [answer.entry for answer in answers] == ["1.1", "1.1"]
    assert club.run("log", "1", "--csv", at=there).count("Kess sneak v4") == 1
    end = time.monotonic() + 10
    while not (woken := watch.has_changed()) and time.monotonic() < end:
        time.sleep(0.05)
    assert woken
    watch.close()
    for name in ("", "1", "campaign"):
        assert page_source(context.copy(), "", "gm", name)()
    context.close()


def test_files_of_a_machine_do_not_depend_on_a_password(club):
    """The password is part of no folder's name: with another one the files of this machine are the same."""
    one, other = (own_folder(parse_address(f"postgresql://a:{word}@h/club?campaign=a")) for word in ("x", "y"))
    assert one == other


def owned(club: Club, *statements: str) -> None:
    """Run statements as the owner of the database, whom no trigger of ours is to stop."""
    import psycopg

    with psycopg.connect(club.server.uri("club"), autocommit=True) as db:
        for statement in ("SET session_replication_role = replica", *statements):
            db.execute(statement)


FORGED = {
    "a record": (
        "UPDATE {records} SET public = replace(convert_from(public, 'UTF8'), 'Salt', 'Malt')::bytea"
        " WHERE position = 1 AND {own}",
        "",
    ),
    "its end": (
        "DELETE FROM {records} WHERE position = (SELECT max(position) FROM {records} WHERE {own}) AND {own}",
        "head",
    ),
    "a gap": ("DELETE FROM {records} WHERE position = 2 AND {own}", ""),
    "columns": ("UPDATE {records} SET number = 77 WHERE position = 2 AND {own}", ""),
    "a table": ("UPDATE campaign_ledger.entries SET who = 'Bo' WHERE position = 2 AND {own}", "table entries"),
    "a snapshot": ("UPDATE campaign_ledger.snapshots SET body = 'x' WHERE {own}", "snapshot at"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_the_owner_of_the_database_changed_is_found(club, new_folder, tmp_path, what):
    name = new_name()
    there, target = club.address(name), club.address(new_name())
    club.run("copy", str(new_folder.path), there)
    club.run("open", at=there)
    own = f"campaign = (SELECT id FROM campaign_ledger.campaigns WHERE name = '{name}')"
    statement, told = FORGED[what]
    owned(club, "GRANT UPDATE, DELETE ON campaign_ledger.records TO CURRENT_USER",
          statement.format(own=own, last=f"(SELECT max(position) FROM campaign_ledger.records WHERE {own})",
                           records="campaign_ledger.records"),
          "REVOKE UPDATE, DELETE ON campaign_ledger.records FROM CURRENT_USER")  # fmt: skip
    found = club.invoke("verify", at=there)
    assert found.exit_code in (1, 3)
    assert told in found.output
    if what in ("a record", "a gap", "columns"):
        for place in (target, str(tmp_path / "copy")):
            assert club.invoke("copy", there, place).exit_code == 3
        assert not (tmp_path / "copy" / "ledger.db").exists()
        assert "there is no campaign" in one_error(club.invoke("log", at=target), 3)


@pytest.mark.parametrize(
    "arguments", [["demo"], ["tutorial"], ["upgrade"], ["import", "a.bundle"], ["restore", "a.backup"]], ids=" ".join
)
def test_what_makes_a_folder_makes_none_of_an_address(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(campaign, [*arguments, "postgresql://host/club?campaign=a"])
    assert "it is made in a folder" in one_error(done, 2)
    assert list(tmp_path.iterdir()) == []
