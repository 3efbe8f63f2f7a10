"""Options: questions that a text leaves open. The table chooses a reading, which holds for later declarations."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from ledger.declarations import GameMasterDeclaration, syntax
from ledger.facts import OptionSet, Scalar
from projections.state import State
from rulebooks.common.option_texts import ANSWER_SECONDS, DICE, PASSES
from rulebooks.common.rulebook import Rulebook

OPTION: Final = "option."  # a ruling sets an option under this name


class SetOption(GameMasterDeclaration, frozen=True, kw_only=True, tag="set-option"):
    """The table chooses a reading of the book: `! option NAME READING "table vote"`."""

    verbs: ClassVar[tuple[str, ...]] = ("option",)

    name: Annotated[str, syntax(word=True)]
    value: Annotated[Scalar, syntax(word=True)]
    reason: str
    agreed: tuple[str, ...] = ()


def set_option(said: SetOption, state: State, book: Rulebook) -> Iterator[OptionSet]:
    """Set one option. Raises Refused for an unknown option, a reading that it does not have, or no reason."""
    options = book.texts.options
    option = options.get(said.name)
    if option is None:
        raise book.outside_domain("option", f"one of {', '.join(options)}", said.name)
    if not option.allows(said.value):
        domain = f"one of {option.domain}" if option.values else option.domain
        raise book.outside_domain(said.name, domain, said.value)
    book.check_text("reason", said.reason, "a reading")
    yield OptionSet(
        rules=tuple(rule for rule in book.option_rules(option) if rule),
        name=said.name,
        was=book.texts.option(state, said.name),
        now=said.value,
        because=said.reason,
        agreed=said.agreed,
    )


def passes_are_explicit(state: State) -> bool:
    """Return whether the table wants every pass said: no turn ends because somebody else acts."""
    return state.options.get(PASSES.name, PASSES.default) == "explicit"


def dice_are_at_the_table(state: State) -> bool:
    """Return whether the table rolls its own dice, so that the shell asks for their faces."""
    return state.options.get(DICE.name, DICE.default) == "table"


def answer_seconds(state: State) -> int:
    """Return how many seconds an announcement waits for answers at a served table; 0: as long as it takes."""
    return int(state.options.get(ANSWER_SECONDS.name, ANSWER_SECONDS.default))
