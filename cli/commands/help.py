"""`help`: the pages of the program and of the games, a command, or a verb of the game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from cli import completion, options, output, pager
from cli.context import CampaignContext
from cli.notation.examples import with_names_in_play
from cli.notation.known_words import match_word, nearest_words
from cli.notation.scope import Names
from cli.questions import help
from cli.questions.state_at import state_at
from cli.render.help_page import page_lines, verb_lines
from ledger.errors import InputError, LedgerError
from ledger.head_words import word_list
from ledger.names import escape
from rulebooks.common.game import Game

VERIFIERS: Final = Path(__file__).parent.parent / "verifier"


@click.command()
@click.argument("topic", nargs=-1, shell_complete=completion.complete_topic)
@click.option("--python", "language", flag_value="py", help="With topic verifier: print it in Python, to be saved.")
@click.option("--javascript", "language", flag_value="js", help="With topic verifier: print it in JavaScript.")
@click.option("--words", "language", flag_value="txt", help="With topic verifier: print the list of words of heads.")
@options.game_option("Verbs of this game, instead of the game of this ledger.")
@options.pass_campaign
def help_command(context: CampaignContext, topic: tuple[str, ...], language: str | None, game: str | None) -> None:
    """Explain TOPIC: a page, a game, a command, or a verb of the game.

    In a campaign the examples have the names of those who are in play.

    Examples: campaign help   campaign help disputes   campaign help attack   campaign help verifier --python
    """
    if language:
        if topic != ("verifier",):
            raise click.UsageError("write the topic too: campaign help verifier --python")
        output.print_verbatim(word_list() if language == "txt" else verifier_lines(language))
        return
    book = context.game_if_any(game)
    names = example_names_of(context, book)
    with pager.paged():
        output.print_wrapped(topic_lines(" ".join(topic), book, names))


def verifier_lines(language: str) -> list[str]:
    """Return the verifier in a language, `py` or `js`."""
    return (VERIFIERS / f"ledger_verifier.{language}").read_text("utf-8").splitlines()


def example_names_of(context: CampaignContext, book: Game | None) -> Names:
    """Return who stands for the names of the examples: none without a ledger of this game that can be read."""
    names: Names = {}
    with suppress(LedgerError):
        if book is not None and context.game() is book:
            names = help.names_in_play(state_at(context.store(write=False), None, None), book)
    return names


def topic_lines(topic: str, book: Game | None, names: Names) -> Iterator[str]:
    """Return the lines about a topic. Raises InputError with the nearest topics for an unknown one."""
    pages, root = help.help_pages(), click.get_current_context().find_root()
    commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    if not topic:
        return overview(book)
    match = match_word(topic, pages)
    if match.exact:
        return page_lines(help.page_text(pages[match.words[0]], names))
    if book and (verbs := help.find_verbs(topic, book, names) or help.task_help(topic, book, names)):
        return (line for index, verb in enumerate(verbs) for line in ([""] if index else []) + list(verb_lines(verb)))
    if topic in commands and isinstance(root.command, click.Group):
        command = root.command.get_command(root, topic)
        assert command is not None
        explained = command.get_help(click.Context(command, info_name=topic, parent=root)).splitlines()
        return (with_names_in_play(line, names) if "campaign " in line else line for line in explained)
    if len(match.words) == 1:
        return page_lines(help.page_text(pages[match.words[0]], names))
    known = [
        *pages,
        *commands,
        *(verb for kind in (help.kinds_with_verbs(book) if book else ()) for verb in kind.verbs),
    ]
    known += help.task_words(book) if book else ()
    near = nearest_words(topic, known)
    hint = f"Did you mean {' or '.join(near)}?" if near else "List the topics: campaign help."
    raise InputError(f"there is no help on '{escape(topic)}'", hint=hint)


def overview(book: Game | None) -> Iterator[str]:
    """Yield the pages, and the verbs of the game here."""
    yield "Pages (campaign help PAGE):"
    yield from (
        "  " + line
        for line in output.align_columns([[name, help.page_title(page)] for name, page in help.help_pages().items()])
    )
    if book:
        yield ""
        yield f"Verbs of {book.texts().content.title} (campaign help VERB):"
        verbs = sorted({kind.verbs[0] for kind in help.kinds_with_verbs(book)}, key=str.casefold)
        yield from output.wrap_text(", ".join(verbs), "  ")
    yield ""
    yield "Commands: campaign --help, campaign COMMAND --help."
