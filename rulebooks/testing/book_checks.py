"""Checks of a book against itself and against the code of its game: ids, options, codes, mends, decisions."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec

from ledger.declarations import Declaration
from rulebooks.common.decisions import decisions_in
from rulebooks.common.texts import RefusalText
from rulebooks.testing.game_files import GameFiles

CODE: Final = re.compile("[A-Z][A-Z0-9-]*")
LEFT_OVER: Final = "DICE"  # the code of faces that are left over
KINDS: Final = ("computed", "recorded", "ruling")  # of rules
OPTION_READERS: Final = ("option", "is_on", "whole_option")  # their second argument is the name of an option


def check_book_is_that_of_the_game(files: GameFiles) -> None:
    """Check that the book names the game and its version, and that codes and rules have one prefix."""
    content = files.texts.content
    assert (content.name, content.version) == (files.game.name, files.game.version)
    assert re.fullmatch("[A-Z]{2,4}", files.prefix), "Texts(__file__, ...) takes how the codes begin, such as 'CO-E-'"
    assert [rule.id for rule in content.rules if not rule.id.startswith(f"{files.prefix}-")] == []
    assert [error.code for error in content.errors if not error.code.startswith(f"{files.prefix}-E-")] == []


def check_ids_named_in_rules_exist(files: GameFiles) -> None:
    """Check that each rule is whole, and names rules, gaps and codes that there are."""
    codes = {error.code for error in files.texts.content.errors}
    for rule in files.texts.content.rules:
        assert rule.kind in KINDS, f"{rule.id}: its kind is {rule.kind!r}, and must be one of {', '.join(KINDS)}"
        assert files.ids_in(rule.text) | set(rule.gap) <= files.ids(), rule.id
        assert set(rule.codes) <= codes, rule.id
        assert rule.heading, rule.id
        assert rule.cite, rule.id
        assert re.fullmatch(r"\S.*[.)]", rule.text, re.DOTALL), f"{rule.id}: its text is no sentence"


def check_ids_named_in_options_and_errors_exist(files: GameFiles) -> None:
    """Check that options and refusals cite rules that there are, and that each refusal says what to do."""
    for option in files.texts.content.options:
        assert {option.gap, *option.rules} <= files.ids(), option.name
    for error in files.texts.content.errors:
        assert error.rules, f"{error.code} cites no rule"
        assert set(error.rules) <= files.texts.rules.keys(), error.code
        assert error.hint, f"{error.code} does not say what to do"
        texts = (error.text, *error.cases.values())
        assert not any(text.endswith(".") for text in texts), f"{error.code}: its full stop is added"
        assert error.hints.keys() <= error.cases.keys(), error.code


def check_every_code_is_raised_with_its_sentence_filled(files: GameFiles) -> None:
    """Check that the code raises each refusal of the book, and gives all that its sentence has in braces."""
    errors = {error.code.removeprefix(files.texts.codes): error for error in files.texts.content.errors}
    raised = set()
    for place, call in files.calls("refusal"):
        code = call.args[0] if call.args else call.func
        if not (isinstance(code, ast.Constant) and CODE.fullmatch(str(code.value))):
            assert isinstance(call.func, ast.Attribute), f"{place}: a code that is not written out"
            continue  # the method of something else, as of a value table
        assert str(code.value) in errors, f"{place}: rulebook.toml has no sentence for {code.value!s}"
        error = errors[str(code.value)]
        given = {str(keyword.arg) for keyword in call.keywords}
        case = next((keyword.value for keyword in call.keywords if keyword.arg == "case"), None)
        fields = {field for _, field, _, _ in string.Formatter().parse(sentences(error, case)) if field is not None}
        assert given >= fields, f"{place}: {sorted(fields - given)} of the sentence of {error.code} is not given"
        raised.add(str(code.value))
    shared = (keyword.arg for _, call in files.calls("Rulebook") for keyword in call.keywords)
    raised |= {LEFT_OVER for name in shared if name == "left_over"}  # raised by the texts of every book
    never = sorted(errors.keys() - raised)
    assert never == [], f"never raised: {never}"


def sentences(error: RefusalText, case: ast.expr | None) -> str:
    """Return the texts that a call may fill in: those of its case, or of all where the case is computed."""
    if case is None:
        return error.text + error.hint
    if isinstance(case, ast.Constant) and case.value:
        name = str(case.value)
        return error.cases[name] + error.hints.get(name, error.hint)
    return "".join((error.text, error.hint, *error.cases.values(), *error.hints.values()))


def check_revision_is_that_of_the_last_mend(files: GameFiles) -> None:
    """Check that each revision but the first has a mend, of rules that there are."""
    mends = files.texts.mends
    assert max((mend.since for mend in mends), default=1) == files.game.revision, "the last `since` is the revision"
    assert {rule for mend in mends for rule in mend.rules} <= files.texts.rules.keys()


def check_rules_named_in_code_exist(files: GameFiles) -> None:
    """Check that the code names no rule that the book does not have."""
    for path in files.sources():
        unknown = files.ids_in(path.read_text(encoding="utf-8")) - files.ids()
        assert unknown == set(), f"{path.name}: {sorted(unknown)}"


def check_every_option_is_read_by_the_code(files: GameFiles) -> None:
    """Check that the code asks for each option of the book, and for no other."""
    calls = [call for reader in OPTION_READERS for _, call in files.calls(reader) if len(call.args) > 1]
    names = {call.args[1].value for call in calls if isinstance(call.args[1], ast.Constant)}
    known = {option.name for option in files.texts.content.options}
    assert names == known, f"in the book alone, or in the code alone: {', '.join(sorted(map(str, names ^ known)))}"


def check_options_read_alone_are_those_of_the_book(files: GameFiles) -> None:
    """Check that the options come first among those in force."""
    options = files.texts.content.options
    assert list(files.texts.options.values())[: len(options)] == list(options)


def check_game_names_every_module_that_decides(files: GameFiles) -> None:
    """Check that `modules` of the game has each module with a function marked by `decides`."""
    assert dict(decisions_in(files.modules())) == files.game.decisions


def check_one_function_decides_each_declaration(files: GameFiles) -> None:
    """Check that no declaration is decided twice, or never."""
    kinds = Counter(kind for kind, _ in decisions_in(files.modules()))
    assert [kind.__name__ for kind, count in kinds.items() if count > 1] == []
    written = {value for module in files.modules() for value in vars(module).values() if is_concrete(value, files)}
    assert [kind.__name__ for kind in written - kinds.keys()] == [], "nothing decides these"


def is_concrete(value: object, files: GameFiles) -> bool:
    """Return whether this is a declaration of the game itself that can be written down."""
    if not (isinstance(value, type) and issubclass(value, Declaration) and not value.__subclasses__()):
        return False
    is_own = value.__module__.startswith(f"{files.package}.")
    return is_own and isinstance(value, type(msgspec.Struct)) and bool(value.__struct_config__.tag)


def check_functions_take_the_state_and_dice(files: GameFiles) -> None:
    """Check that a function that throws dice has them as its third argument."""
    for decision in files.game.decisions.values():
        code = decision.function.__code__
        names = code.co_varnames[: code.co_argcount]
        assert names[1:] == (("state", "dice") if decision.throws else ("state",)), decision.function


BOOK_CHECKS: Final[tuple[Callable[[GameFiles], None], ...]] = (
    check_book_is_that_of_the_game,
    check_ids_named_in_rules_exist,
    check_ids_named_in_options_and_errors_exist,
    check_every_code_is_raised_with_its_sentence_filled,
    check_revision_is_that_of_the_last_mend,
    check_rules_named_in_code_exist,
    check_every_option_is_read_by_the_code,
    check_options_read_alone_are_those_of_the_book,
    check_game_names_every_module_that_decides,
    check_one_function_decides_each_declaration,
    check_functions_take_the_state_and_dice,
)
