"""The manual page of the program: one page in roff, made of the commands and their options.

The library click-man makes a page for each command and leaves signs of roff in texts as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click

PARAGRAPH: Final = re.compile(r"\n{2,}")
VERBATIM: Final = "\b"  # begins a paragraph whose lines stay as they are
SECTIONS: Final = {
    "EXIT STATUS": (
        ("0", "Success."),
        ("1", "Something differs, or the rules refuse the line."),
        ("2", "The command line or the line cannot be read."),
        ("3", "A file is unreadable or damaged."),
    ),
    "ENVIRONMENT": (
        ("CAMPAIGN_DIR", "The campaign's folder, as with -C."),
        ("CAMPAIGN_CLOCK", "The time to record instead of now."),
        ("NO_COLOR", "Print without colour."),
        ("PAGER", "Shows output that is longer than the terminal."),
    ),
    "FILES": (
        ("ledger.db", "The ledger, one SQLite file in the campaign's folder."),
        ("seed-*", "The seed of an open session. Nobody may read it before the session closes."),
        ("serve.secret", "The tokens in the links of serve. Who has one may look on."),
    ),
}


def man_page(
    program: click.Group, ctx: click.Context, groups: Mapping[str, Iterable[str]], version: str
) -> Iterator[str]:
    """Yield the lines of the manual page of a program.

    Args:
        program: the program, whose commands the page explains.
        ctx: the context of the program.
        groups: the names of the commands, under the names of their groups.
        version: of the program.
    """
    name = ctx.command_path
    summary, *more = PARAGRAPH.split(program.help or "")
    yield f'.TH {name.upper()} 1 "" "{escape(version)}" "User Commands"'
    yield from (".SH NAME", rf"{escape(name)} \- {escape(summary.strip().removesuffix('.'))}", ".SH SYNOPSIS")
    yield rf"\fB{escape(name)}\fR [\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]"
    yield from (".SH DESCRIPTION", *paragraphs([*more, f"{name} help explains lines, games and verbs."]))
    yield from (".SH OPTIONS", *terms(options_of(program, ctx)))
    yield ".SH COMMANDS"
    for group, commands in groups.items():
        yield f".SS {escape(group)}"
        for each in commands:
            command = program.get_command(ctx, each)
            if command is not None:
                yield from command_lines(command, click.Context(command, info_name=each, parent=ctx))
    for section, rows in SECTIONS.items():
        yield from (f".SH {section}", *terms(rows))


def command_lines(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """Yield the lines about one command: its usage, what it does, its options."""
    usage = " ".join(command.collect_usage_pieces(ctx))
    yield from (".TP", rf"\fB{escape(ctx.command_path)}\fR {escape(usage)}")
    yield from paragraphs(PARAGRAPH.split(command.help or ""))
    yield from (".RS", *terms(options_of(command, ctx)), ".RE")


def options_of(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command, each with what it means."""
    records = (param.get_help_record(ctx) for param in command.get_params(ctx))
    return [record for record in records if record is not None and record[1]]


def terms(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield terms with their meaning below them."""
    for term, meaning in rows:
        yield from (".TP", rf"\fB{escape(term)}\fR", escape(" ".join(meaning.split())))


def paragraphs(texts: Sequence[str]) -> Iterator[str]:
    """Yield paragraphs; examples keep their lines."""
    for index, text in enumerate(text for text in texts if text.strip()):
        if index:
            yield ".IP"
        if VERBATIM in text:
            heading, *lines = (line.strip() for line in text.replace(VERBATIM, "").strip().splitlines())
            yield from (escape(heading), ".RS", ".nf", *map(escape, lines), ".fi", ".RE")
        else:
            yield escape(" ".join(text.split()))


def escape(text: str) -> str:
    """Return a text in roff: no letter in it is a request or begins an escape."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", "")
    return rf"\&{plain}" if plain.startswith(".") else plain
