"""`recap`: a session as a story, the story of one character, or the campaign on one page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from cli import options, output
from cli.completion import complete_subject
from cli.context import CampaignContext, read_toml
from cli.output import at_terminal, print_json, print_verbatim, print_wrapped, remark
from cli.pager import paged
from cli.play.files import FileKind, OutputFolder, check_name, write_lines
from cli.play.name_table import campaign_names
from cli.progress import progress
from cli.questions.campaign import campaign_name, ledger_id
from cli.questions.players_ledger import store_for
from cli.questions.roles import PLAYERS
from cli.render.recap import (
    CHRONICLE,
    POST,
    SHORT,
    SIZES,
    Recap,
    RecapSource,
    campaign_recap,
    character_recap,
    doubt_lines,
    session_content,
    session_knowledge,
    session_recap,
)
from cli.story.check.doubts import text_doubts
from cli.story.fact_list import fact_list
from cli.story.front_matter import front_matter
from cli.story.own_voice import own_voice
from cli.story.span import position_and_session
from cli.story.style import STYLES, ScreenMarkdown
from cli.story.template import find_template
from ledger.errors import InputError, Unreadable
from ledger.ledger_state import load_state
from ledger.names import capital, plural
from projections.projection import StateProjection

JSON: Final = "json"
MARKDOWN: Final = "markdown"
STDOUT: Final = "-"
BYTES_MOST: Final = 8 << 20  # of a text that is checked: more than its letters may take
LAST: Final = -1  # of SESSION: the last one that is over
LAST_WORD: Final = "last"
TEXT: Final = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
OUT: Final = click.Path(path_type=Path)


class SessionOrLast(click.ParamType[int]):
    """The number of a session, or `last`."""

    name = "session"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of the session, or LAST."""
        return LAST if value == LAST_WORD else options.SESSION.convert(value, param, ctx)


class RecapOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments and options of `recap`."""

    session: int | None
    post: bool
    short: bool
    log: bool
    facts: bool
    check: Path | None
    character: str | None
    whole: bool
    as_of: int | None
    role: str
    form: str
    template: Path | None
    voice: Path | None
    html: str | None
    discord: str | None
    foundry: Path | None
    yes: bool
    force: bool
    json: bool


@click.command()
@click.argument("session", required=False, type=SessionOrLast())
@click.option("--post", is_flag=True, help="One message for a chat: under 2,000 characters, no tables.")
@click.option("--short", is_flag=True, help="With --post: under 500 characters, the moment and how everybody stands.")
@click.option("--log", is_flag=True, help="Every line that came to something.")
@click.option("--facts", is_flag=True, help="Numbered facts as JSON, for whoever tells them in their own words.")
@click.option(
    "--check", metavar="TEXT", type=TEXT, help="List what a text of yours says that the ledger does not know."
)
@click.option("--character", metavar="NAME", shell_complete=complete_subject, help="What NAME did, in all or one.")
@click.option("--campaign", "whole", is_flag=True, help="The campaign on one page, with what happened last time.")
@options.as_of_option
@options.view_option(PLAYERS)
@click.option("--format", "form", type=click.Choice([*STYLES, JSON]), default=MARKDOWN, show_default=True)
@click.option("--voice", type=options.FILE, help="A TOML file with sentences of your own (campaign help recap).")
@click.option("--template", type=options.FILE, help="A Jinja2 template of your own (campaign help recap).")
@click.option(
    "--html",
    is_flag=False,
    flag_value=STDOUT,
    metavar="[FILE]",
    help="The session as a page to replay in a browser; with --campaign the campaign, to a folder all pages.",
)
@click.option(
    "--discord",
    is_flag=False,
    flag_value="",
    metavar="[URL|FILE]",
    help="With --post: send it to a webhook, else that of CAMPAIGN_DISCORD (campaign help discord).",
)
@click.option("--foundry", type=OUT, metavar="FILE", help="A journal for Foundry; with --campaign a page a session.")
@options.yes_option("Send it again although it was sent, with --discord.")
@options.force_option("Replace a file that is there and is not ours, with --html and --foundry.")
@options.json_option("The page's content as JSON, as --format json.")
@options.pass_campaign
def recap_command(context: CampaignContext, /, **given: Any) -> None:
    """Tell SESSION (default: that of now) as a story, with the state at its end; `last` is the last one that is over.

    Examples: campaign recap 1 > session-1.md   campaign recap last   campaign recap --html a.html
    """
    asked = RecapOptions(**given)
    if asked.session == LAST:
        asked = msgspec.structs.replace(asked, session=last_that_is_over(context))
    size = options.choose_one("size", post=asked.post, log=asked.log, facts=asked.facts)
    check_options(asked, size)
    size = SHORT if asked.short else size
    if asked.discord is not None:
        send_post(context, asked, size or POST, asked.discord)
        return
    if asked.html is not None:
        write_pages(context, asked, asked.html)
        return
    if asked.foundry is not None:
        write_journal(context, asked, asked.foundry)
        return
    source = recap_source(context, asked)
    if asked.facts:
        print_json(
            fact_list(source.store, session=asked.session, as_of=source.as_of, book=source.book, names=source.names)
        )
        return
    if asked.check is not None:
        check(source, asked, asked.check)
        return
    recap = make_recap(context, source, asked, size)
    if asked.json or asked.form == JSON:
        print_json(recap.page)
        return
    with paged():
        front = front_matter(recap.front) if asked.form == MARKDOWN and recap.front else ()
        print_wrapped([*front, *recap.lines])


def last_that_is_over(context: CampaignContext) -> int:
    """Return the number of the last session that is over, or of the open one if there is no other."""
    session = load_state(context.store(write=False), StateProjection()).session
    return max(session.number - session.open, min(session.number, 1))


def check_options(asked: RecapOptions, size: str | None) -> None:
    """Raise UsageError for options that exclude each other."""
    is_form_typed = options.is_typed("form")
    if (asked.json or asked.form == JSON) and not asked.facts and (size or asked.template):
        raise click.UsageError("JSON has the content of all sizes: give no size and no template.")
    if asked.facts and (asked.template or (is_form_typed and asked.form != JSON)):
        raise click.UsageError("--facts are JSON: give no other form and no template.")
    if asked.json and is_form_typed and asked.form != JSON:
        raise click.UsageError(f"Choose one form: --json or --format {asked.form}.")
    if asked.short and size != POST:
        raise click.UsageError("--short makes a post short: say --post --short.")
    of_session = None if asked.character is not None else asked.session
    is_of_session = any(given is not None for given in (of_session, size, asked.template))
    if (asked.character is not None) + asked.whole + is_of_session > 1:
        raise click.UsageError(
            "--character and --campaign tell all sessions: give one of them, and no size; a session with --character."
        )
    check_discord(asked, size)
    if asked.html is None and asked.foundry is None:
        if asked.force:
            raise click.UsageError("--force replaces a file: name it with --html or --foundry.")
        return
    option = "--html" if asked.foundry is None else "--foundry"
    other_form = asked.voice if asked.foundry is None else asked.html
    if any((size, other_form, asked.character, asked.template, asked.json, is_form_typed, asked.check)) or (
        asked.whole and asked.session
    ):
        raise click.UsageError(f"{option} writes a whole session or campaign: give no other size or form.")


def check_discord(asked: RecapOptions, size: str | None) -> None:
    """Raise UsageError for options that --discord does not go with: it sends a post of what the players see."""
    if asked.discord is None:
        if asked.yes:
            raise click.UsageError("--yes sends a post again: say --post --discord.")
        return
    if size != POST or asked.role != PLAYERS:
        raise click.UsageError("--discord sends what the players may see: say --post --discord, without --as gm.")
    if asked.html is not None or asked.foundry or asked.template or asked.json or options.is_typed("form"):
        raise click.UsageError("--discord has a form of its own: give no other form and no template.")


def send_post(context: CampaignContext, asked: RecapOptions, size: str, where: str) -> None:
    """Send the post of a session to a webhook. It asks, or raises InputError, where it was sent before."""
    from cli.play.webhook import PostFile, find_webhook  # to start faster
    from cli.render.discord import STYLE, discord_messages

    check_no_session(where, "--post --discord")
    webhook, posts = find_webhook(where), PostFile(context.folder)
    page = session_content(recap_source(context, asked), asked.session)
    if (earlier := posts.last(page.session, webhook)) and not asked.yes:
        what = "was posted" if earlier.state == "sent" else "may have been posted"
        text = f"session {page.session} {what} there at {earlier.at}"
        if not at_terminal():
            raise InputError(text, hint="Send it again with --yes")
        remark(f"{capital(text)}.")
        if not click.confirm("Post it again?", err=True):
            click.get_current_context().exit(1)
    messages = discord_messages(page, SIZES[size](page, STYLE))
    posts.post(page.session, webhook, messages, context.now)
    remark(f"Session {page.session} is posted ({plural(len(messages), 'message', 'messages')}).")


def check_no_session(given: str, option: str) -> None:
    """Raise InputError for the value of an option that is meant as the session."""
    if given.isdecimal() or given == LAST_WORD:
        raise InputError(f"'{given}' is a session", hint=f"Write it first: recap {given} {option}.")


def recap_source(context: CampaignContext, asked: RecapOptions) -> RecapSource:
    """Return what a recap is made of."""
    book, store = context.game(), context.store(write=False)
    narration = book.texts().narration
    return RecapSource(
        store=store_for(store, book, asked.role, as_of=asked.as_of),
        book=book,
        wording=context.wording,
        role=asked.role,
        as_of=asked.as_of,
        voice=own_voice(read_toml(asked.voice), narration, str(asked.voice)) if asked.voice else None,
        names=campaign_names(context.folder, store),
    )


def check(source: RecapSource, asked: RecapOptions, path: Path) -> None:
    """Print what a text says that the ledger does not know; the exit code is 1 if there is anything."""
    text = read_text(path)
    doubts = text_doubts(text, session_knowledge(source, asked.session))
    if asked.json:
        print_json(doubts)
    else:
        print_wrapped(doubt_lines(doubts, text.count("\n") + 1))
    click.get_current_context().exit(1 if doubts else 0)


def read_text(path: Path) -> str:
    """Return the text of a file, or of standard input for `-`. Raises Unreadable."""
    try:
        with click.open_file(str(path), "rb") as file:
            return str(file.read(BYTES_MOST).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"it cannot be read: {error}", where=str(path), hint="Save it as UTF-8 text.") from error


def make_recap(context: CampaignContext, source: RecapSource, asked: RecapOptions, size: str | None) -> Recap:
    """Return the recap that was asked for."""
    on_screen = asked.form == MARKDOWN and output.to_terminal()
    style = ScreenMarkdown() if on_screen else STYLES.get(asked.form, STYLES["text"])
    if asked.character is not None:
        return character_recap(source, asked.character, asked.session, style)
    if asked.whole:
        return campaign_recap(source, style)
    template = asked.template or find_template(context.folder, size or CHRONICLE, asked.form)
    if template is not None:
        check_name(template.resolve())  # a recap is made to be posted: the seed of an open session must not be in it
    return session_recap(source, asked.session, style, size or CHRONICLE, template)


def write_pages(context: CampaignContext, asked: RecapOptions, out: str) -> None:
    """Write the replay page of a session or the campaign page to a file, or print it; to a folder all pages."""
    from cli.web.pages.campaign_content import campaign_content  # to start faster
    from cli.web.pages.campaign_page import campaign_html, campaign_pages
    from cli.web.pages.document import MARK
    from cli.web.pages.page import page_html
    from cli.web.pages.session_draft import session_page

    check_no_session(out, "--html")
    book, as_of, role = context.game(), asked.as_of, asked.role
    store = context.store(write=False)
    seen = store_for(store, book, role, as_of=as_of)
    names = campaign_names(context.folder, store)
    kind = FileKind("a page", lambda first: MARK.encode() in first)
    if asked.whole and (out.endswith("/") or Path(out).is_dir()):
        folder = OutputFolder(Path(out), force=asked.force)
        with progress("recap", lambda: store.records_read):
            pages = dict(campaign_pages(seen, as_of=as_of, book=book, role=role, names=names))
        write_folder(folder, pages, kind)
        return
    if asked.whole:
        text = campaign_html(campaign_content(seen, as_of=as_of, book=book, role=role, names=names))
    else:
        text = page_html(session_page(seen, asked.session, as_of=as_of, book=book, role=role, names=names))
    if out == STDOUT:
        print_verbatim(text.splitlines())
    else:
        write_lines(Path(out), text.splitlines(), kind, force=asked.force)
        remark(f"Open {out} in a browser.")


def write_folder(folder: OutputFolder, pages: Mapping[str, str], kind: FileKind) -> None:
    """Write pages into a folder, the first of which is its index: none if one of them may not be written."""
    for name in pages:
        folder.check(name, kind)
    for name, text in pages.items():
        folder.write(name, text.splitlines(), kind)
    remark(f"{len(pages)} pages. Open {folder.path / next(iter(pages))} in a browser.")


def write_journal(context: CampaignContext, asked: RecapOptions, out: Path) -> None:
    """Write a journal for Foundry to a file: the page of a session, or with --campaign of each."""
    from cli.render.foundry import HEAD, journal  # to start faster

    check_no_session(str(out), "--foundry FILE")
    source = recap_source(context, asked)
    last = position_and_session(source.store, asked.as_of, None)[1]
    sessions = range(min(last, 1), last + 1) if asked.whole else [asked.session]
    store = context.store(write=False)
    with progress("recap", lambda: store.records_read):
        pages = [session_content(source, session) for session in sessions]
    content = journal(campaign_name(store), ledger_id(store), pages)
    kind = FileKind("a journal", lambda first: first.startswith(HEAD.encode()))
    write_lines(out, [msgspec.json.encode(content).decode()], kind, force=asked.force)
    remark(f"{plural(len(pages), 'page', 'pages')} in {out}. In Foundry: a new journal entry, Import Data.")
