"""The facts of a session as a numbered list, `recap --facts`."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Folder, one_error


def listed(folder: Folder, *more: str) -> dict[str, list[dict[str, object]]]:
    """Return the list of facts of the second session."""
    found: dict[str, list[dict[str, object]]] = json.loads(folder.run("recap", "2", "--facts", *more))
    return found


def test_facts_are_numbered_with_their_entries(demo):
    found = listed(demo)["facts"]
    assert [fact["n"] for fact in found] == [*range(1, len(found) + 1)]
    log = demo.run("log", "2")
    assert {str(fact["entry"]) for fact in found} <= {line.split()[0] for line in log.splitlines() if line[:1] == "2"}


def test_facts_have_results_values_and_quotes(demo):
    facts = listed(demo)["facts"]
    (quote,) = (fact for fact in facts if fact.get("quote") == "Stay down, sergeant.")
    assert (quote["who"], quote["what"]) == ("Kess", "quote")
    (death,) = (fact for fact in facts if fact.get("what") == "dead")
    assert (death["who"], death["weight"], death["says"]) == ("Watchman 2", 9, "Watchman 2 died")
    hit = next(fact for fact in facts if fact["entry"] == "2.42" and fact["fact"] == "points-lost")
    assert (hit["who"], hit["what"], hit["was"], hit["now"], hit["by"]) == ("Orrin", "health", 10, 8, "Dovel")
    assert not any(fact["fact"] in ("rolled", "declared", "action-spent") for fact in facts)


def test_facts_have_persons_and_falls(demo):
    found = listed(demo)
    persons = {person["name"]: person for person in found["persons"]}
    assert (persons["Kess"]["player"], persons["Kess"]["pronouns"]) == ("Ana", "she/her/her")
    assert persons["Dovel"]["pronouns"] == "he/him/his", "his sheet is hidden, what he is called is not"
    falls = [(fall["who"], fall["kind"], fall["by"]) for fall in found["falls"]]
    assert ("Watchman 2", "died", ["Tamsin"]) in falls


def test_facts_of_the_players_have_no_hidden_numbers(demo):
    target = {fact.get("target") for fact in listed(demo)["facts"] if fact["entry"] == "2.33"}
    assert target == {None}
    assert {fact.get("target") for fact in listed(demo, "--as", "gm")["facts"] if fact["entry"] == "2.33"} != {None}


@pytest.mark.parametrize("more", [["--post"], ["--format", "text"], ["--campaign"], ["--html", "a.html"]])
def test_facts_take_no_other_form(demo, more):
    one_error(demo.invoke("recap", "--facts", *more), 2)
