"""`head`: print the head of the ledger with its four words, and keep heads that somebody read out."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.errors import UsageError
from cli.options import json_option, pass_campaign
from cli.output import print_json, print_line, remark
from cli.play.kept_heads import Keeping, is_in_ledger, kept_heads_of
from ledger.errors import LedgerError, input_errors
from ledger.head_words import KeptHead, head_words, parse_kept_head, spoken_head
from ledger.names import escape, plural, valid_name
from ledger.records import Head
from ledger.store import Store


@click.command()
@click.option("--keep", help="A head that somebody read out: '17 3f9c...', or a position and four words.")
@click.option("--by", help="Who read it out.")
@click.option("--forget", help="A head that was kept by mistake.")
@click.option("--kept", is_flag=True, help="List the heads that were kept of this campaign.")
@json_option("The head, its words and the kept heads as JSON.")
@pass_campaign
def head_command(
    context: CampaignContext, keep: str | None, by: str | None, forget: str | None, kept: bool, json: bool
) -> None:
    """Print where the ledger ends: its position, its hash, and four words to read aloud.

    Whoever keeps a head (--keep) can show later that nothing before it was changed: `verify` checks all that are kept.
    They are kept apart from the ledger, for this user.

    Examples: campaign head   campaign head --keep "17 brass ladder orbit velvet" --by ana   campaign head --kept
    """
    if by is not None and keep is None:
        raise UsageError(LedgerError("--by says who read out the head of --keep"))
    store = context.store(write=False)
    keeping = kept_heads_of(store)
    if forget is not None:
        with input_errors():
            is_gone = keeping.remove(parse_kept_head(forget))
        print_line("It is no longer kept." if is_gone else "It was not kept.")
    elif keep is not None:
        with input_errors():
            head = parse_kept_head(keep)
            name = "" if by is None else valid_name(by, where="--by")
        is_new = keeping.add(Keeping(head=str(head), at=context.now, by=name))
        remark("It is kept." if is_new else "It was kept already.")
        raise Exit(0 if _print_fit(store, head) else 1)
    elif kept and not json:
        for each in keeping.read():
            print_line(escape(f"{each.head}{f' ({each.by})' if each.by else ''}, kept {each.at}"))
    else:
        _print_head(store.head(), keeping.read(), json=json)


def _print_head(now: Head, kept: Sequence[Keeping], *, json: bool) -> None:
    """Print the head of the ledger with its words, and how many heads were kept."""
    if json:
        print_json({"head": now, "words": head_words(now.hash), "kept": kept})
        return
    print_line(f"head {now}")
    print_line(f"words {spoken_head(now)}")
    if kept:
        remark(f"{plural(len(kept), 'head is', 'heads are')} kept of this campaign (campaign head --kept).")


def _print_fit(store: Store, head: KeptHead) -> bool:
    """Say whether a head fits the ledger, and return it; one beyond its end does not yet."""
    fits = is_in_ledger(store, head)
    if fits is None:
        remark(f"The ledger ends at {store.head().position}: it is not known yet whether it fits.")
        return True
    if fits:
        print_line(f"It fits: the ledger had this head at {head.position}.")
    else:
        stored = next(store.read(after=head.position - 1), None)
        words = " ".join(head_words(stored.hash)) if stored else "none"
        print_line(f"It does not fit: the words at {head.position} are {words}.")
    return fits
