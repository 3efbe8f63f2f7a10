"""Completion of arguments: names in play, values, entries, rules and topics, read from the ledger of the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

from cli.context import CampaignContext
from cli.questions.roles import GM_VIEW

if TYPE_CHECKING:
    from ledger.ledger_state import LedgerState
    from projections.state import State

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
WORDS_MOST: Final = 100


def completer(find: Callable[[CampaignContext, str], Iterable[str]]) -> Complete:
    """Return a completion function for what `find` reads from the ledger; it completes nothing where it fails."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        folder = ctx.find_root().params.get("folder")
        try:
            with ctx.scope():
                known = list(find(CampaignContext(folder, None), ctx.params.get("role") or GM_VIEW))
        except Exception:  # whatever is wrong with the ledger, a Tab must not print it
            return []
        start = incomplete.casefold()
        words = (word for word in known if word.casefold().startswith(start))
        return [CompletionItem(word) for word in islice(words, WORDS_MOST)]

    return complete


def _seen_state(context: CampaignContext, role: str) -> LedgerState[State]:
    from cli.questions.players_ledger import store_for
    from cli.questions.state_at import state_at

    return state_at(store_for(context.store(write=False), context.game(), role), None, None)


def _beings(context: CampaignContext, role: str) -> Iterable[str]:
    from cli.questions.state_at import as_one_word

    return [as_one_word(being.name) for being in _seen_state(context, role).state.beings_in_order()]


def _subjects(context: CampaignContext, role: str) -> Iterable[str]:
    from cli.questions.state_at import as_one_word

    state = _seen_state(context, role).state
    return [
        *(as_one_word(being.name) for being in state.beings_in_order()),
        "encounter",
        *{token for _, token in state.tokens},
    ]


def _values(context: CampaignContext, role: str) -> Iterable[str]:
    from cli.questions.value_words import bare_name

    values = _seen_state(context, role).values()
    return map(bare_name, values)


def _entries(context: CampaignContext, role: str) -> Iterable[str]:
    return list(dict.fromkeys(str(record.id) for record in context.store(write=False).takes()))[::-1]


def _rules(context: CampaignContext, role: str) -> Iterable[str]:
    texts = context.game().texts()
    return [*texts.rules, *(refusal.code for refusal in texts.content.errors), *texts.options]


def _topics(context: CampaignContext, role: str) -> Iterable[str]:
    from cli.questions.help import help_pages, kinds_with_verbs

    book = context.game_if_any()
    verbs = [verb for kind in (kinds_with_verbs(book) if book else ()) for verb in kind.verbs]
    root = click.get_current_context().find_root()
    commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    return [*help_pages(), *commands, *verbs]


def _sheets(context: CampaignContext, role: str) -> Iterable[str]:
    return context.game().texts().sheet_templates


complete_being: Final = completer(_beings)
complete_subject: Final = completer(_subjects)
complete_value: Final = completer(_values)
complete_entry: Final = completer(_entries)
complete_rule: Final = completer(_rules)
complete_topic: Final = completer(_topics)
complete_sheet: Final = completer(_sheets)
