"""`recap`: a session as a story, the story of one character, or the campaign on one page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from cli import options
from cli.completion import complete_subject
from cli.context import CampaignContext
from cli.output import print_json, print_verbatim, print_wrapped, remark
from cli.pager import paged
from cli.phrases.summary import Summaries
from cli.play.files import FileKind, OutputFolder, write_lines
from cli.progress import progress
from cli.questions.players_ledger import store_for
from cli.questions.roles import PLAYERS
from cli.story.chronicle import chronicle
from cli.story.front_matter import front_matter, session_values
from cli.story.history import campaign_page, character_page
from cli.story.history_text import campaign_lines, character_lines
from cli.story.page import Page, recap_page
from cli.story.post import post as post_lines
from cli.story.sentences import storytellers
from cli.story.session_log import session_log
from cli.story.style import STYLES, Style
from cli.story.template import fill_template, find_template
from ledger.errors import InputError
from ledger.store import ReadableStore

CHRONICLE: Final = "chronicle"
POST: Final = "post"
SIZES: Final[dict[str, Callable[[Page, Style], Iterator[str]]]] = {
    POST: post_lines,
    CHRONICLE: chronicle,
    "log": session_log,
}
JSON: Final = "json"
STDOUT: Final = "-"
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
Recap = tuple[msgspec.Struct, Mapping[str, object], Iterable[str]]  # the page, its front matter, and its lines


@click.command()
@click.argument("session", required=False, type=options.SESSION)
@click.option("--post", is_flag=True, help="One message for a chat: under 2,000 characters, no tables.")
@click.option("--log", is_flag=True, help="Every line that came to something.")
@click.option("--character", metavar="NAME", shell_complete=complete_subject, help="What NAME did, in all or one.")
@click.option("--campaign", "whole", is_flag=True, help="The campaign on one page, with what happened last time.")
@options.as_of_option
@options.view_option(PLAYERS)
@click.option("--format", "form", type=click.Choice([*STYLES, JSON]), default="markdown", show_default=True)
@click.option("--template", type=FILE, help="A Jinja2 template of your own (campaign help recap).")
@click.option(
    "--html",
    is_flag=False,
    flag_value=STDOUT,
    metavar="[FILE]",
    help="The session as a page to replay in a browser; with --campaign the campaign, to a folder all pages.",
)
@options.force_option("Replace a file that is there and is no page, with --html.")
@options.json_option("The page's content as JSON, as --format json.")
@options.pass_campaign
def recap_command(
    context: CampaignContext,
    session: int | None,
    post: bool,
    log: bool,
    character: str | None,
    whole: bool,
    as_of: int | None,
    role: str,
    form: str,
    template: Path | None,
    html: str | None,
    force: bool,
    json: bool,
) -> None:
    """Tell SESSION (default: the last) as a story, with the state at its end.

    Examples: campaign recap 1 > session-1.md   campaign recap --post   campaign recap --html session.html
    """
    size = options.choose_one("size", post=post, log=log)
    if (json or form == JSON) and (size or template):
        raise click.UsageError("JSON has the content of all sizes: give no size and no template.")
    if json and options.is_typed("form") and form != JSON:
        raise click.UsageError(f"Choose one form: --json or --format {form}.")
    of_session = None if character is not None else session
    if (character is not None) + whole + any(given is not None for given in (of_session, size, template)) > 1:
        raise click.UsageError(
            "--character and --campaign tell all sessions: give one of them, and no size; a session with --character."
        )
    if html is not None:
        if any((size, character, template, json, options.is_typed("form"))) or (whole and session is not None):
            raise click.UsageError("--html writes a whole session or campaign: give no other size or form.")
        write_pages(context, session, as_of, role, html, whole=whole, force=force)
        return
    if force:
        raise click.UsageError("--force replaces a file: name it with --html.")
    style = STYLES.get(form, STYLES["text"])
    if character is not None:
        recap = tell_character(context, character, session, as_of, role, style)
    elif whole:
        recap = tell_campaign(context, as_of, role, style)
    else:
        own = template or find_template(context.folder, size or CHRONICLE, form)
        recap = tell_session(context, session, as_of, role, style, size or CHRONICLE, own)
    page, front, lines = recap
    if json or form == JSON:
        print_json(page)
        return
    with paged():
        print_wrapped([*(front_matter(front) if form == "markdown" and front else ()), *lines])


def tell_session(
    context: CampaignContext,
    session: int | None,
    as_of: int | None,
    role: str,
    style: Style,
    size: str,
    template: Path | None,
    store: ReadableStore | None = None,
) -> Recap:
    """Return the recap of one session; a template has its own front matter, and a post has none.

    `store` is what the role sees, if it is known.
    """
    summaries = Summaries(context.wording)
    page = recap_page(session=session, summaries=summaries, **source(context, as_of, role, store))
    if template is not None:
        return page, {}, (line for line in fill_template(template, page, style).splitlines())
    return page, {} if size == POST else session_values(page, role), SIZES[size](page, style)


def tell_character(
    context: CampaignContext, name: str, session: int | None, as_of: int | None, role: str, style: Style
) -> Recap:
    """Return the story of one character."""
    page = character_page(name=name, session=session, **source(context, as_of, role))
    return page, {"campaign": page.campaign, "character": page.who, "view": role}, character_lines(page, style)


def tell_campaign(context: CampaignContext, as_of: int | None, role: str, style: Style) -> Recap:
    """Return the campaign on one page."""
    page = campaign_page(**source(context, as_of, role))
    return page, {"campaign": page.campaign, "view": role}, campaign_lines(page, style)


def write_pages(
    context: CampaignContext,
    session: int | None,
    as_of: int | None,
    role: str,
    out: str,
    *,
    whole: bool,
    force: bool,
) -> None:
    """Write the replay page of a session or the campaign page to a file, or print it; to a folder all pages."""
    from cli.web.pages.campaign_content import campaign_content  # to start faster
    from cli.web.pages.campaign_page import campaign_html
    from cli.web.pages.document import MARK
    from cli.web.pages.folder import campaign_pages
    from cli.web.pages.page import page_html
    from cli.web.pages.session_page import session_page

    if out.isdecimal():
        raise InputError(f"'{out}' is the name of the file", hint=f"Write the session first: recap {out} --html.")
    book = context.game()
    store = context.store(write=False)
    seen = store_for(store, book, role, as_of=as_of)
    kind = FileKind("a page", lambda first: MARK.encode() in first)
    if whole and (out.endswith("/") or Path(out).is_dir()):
        folder = OutputFolder(Path(out), force=force)
        with progress("recap", lambda: store.records_read):
            pages = dict(campaign_pages(seen, as_of=as_of, book=book, role=role))
        write_folder(folder, pages, kind)
        return
    if whole:
        text = campaign_html(campaign_content(seen, as_of=as_of, book=book, role=role))
    else:
        text = page_html(session_page(seen, session, as_of=as_of, book=book, role=role))
    if out == STDOUT:
        print_verbatim(text.splitlines())
    else:
        write_lines(Path(out), text.splitlines(), kind, force=force)
        remark(f"Open {out} in a browser.")


def write_folder(folder: OutputFolder, pages: Mapping[str, str], kind: FileKind) -> None:
    """Write pages into a folder, the first of which is its index: none if one of them may not be written."""
    for name in pages:
        folder.check(name, kind)
    for name, text in pages.items():
        folder.write(name, text.splitlines(), kind)
    remark(f"{len(pages)} pages. Open {folder.path / next(iter(pages))} in a browser.")


def source(
    context: CampaignContext, as_of: int | None, role: str, store: ReadableStore | None = None
) -> dict[str, Any]:
    """Return what every recap is made of: what a role sees of the ledger, the book, and who tells its facts."""
    book = context.game()
    return {
        "store": store or store_for(context.store(write=False), book, role, as_of=as_of),
        "as_of": as_of,
        "book": book,
        "storytellers": storytellers(book),
    }
