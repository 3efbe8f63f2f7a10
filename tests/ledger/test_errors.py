"""Copies of errors: the original stays as it was raised."""

from __future__ import annotations

from ledger.declarations import Declaration
from ledger.errors import BadFaces, LedgerError, Refused


def test_at_puts_a_place_before_the_place_of_the_error() -> None:
    error = LedgerError("7 is too many", where="might", hint="Take 6.")
    assert str(error.at("kess.toml")) == "kess.toml, might: 7 is too many. Take 6."
    assert str(error) == "might: 7 is too many. Take 6."


def test_at_of_an_error_without_place_is_the_place() -> None:
    assert str(LedgerError("7 is too many").at("kess.toml")) == "kess.toml: 7 is too many."


def test_copy_keeps_class_fields_and_arguments() -> None:
    error = BadFaces("a d6 has no 9", purpose="attack", sides=6).with_hint("Look again.")
    assert (type(error), error.purpose, error.sides, str(error)) == (
        BadFaces,
        "attack",
        6,
        "attack: a d6 has no 9. Look again.",
    )


def test_refusal_copy_has_a_first_declaration() -> None:
    refusal = Refused("L-TURN", "it is Kess's turn", rules=("A-1",))
    early = refusal.with_first(Declaration(by="Kess"))
    assert (early.rules, early.first, early.code) == (("A-1",), Declaration(by="Kess"), "L-TURN")
    assert (refusal.rules, refusal.first) == (("A-1",), None)


def test_place_is_not_said_twice() -> None:
    refused = Refused("DB-E-REST-USED", "Kess has already used that rest").at("Kess")
    assert str(refused) == "DB-E-REST-USED: Kess has already used that rest."
    assert str(Refused("DB-E-TURN", "It is Orrin's place").at("Kess")) == "DB-E-TURN: Kess: It is Orrin's place."
