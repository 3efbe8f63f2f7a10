"""The parts that recaps share: the story, where everybody stands, what is open, what was decided and corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cli.queries.recap_page import Page
from cli.queries.story import Passage, Sentence
from cli.render.log import CORRECTIONS
from cli.render.phrases import join_with_and, plural, readable
from cli.render.recap_style import Style
from cli.render.value_names import ValueNames
from ledger.facts import GM
from projections.recap.cast import Level, WoundStatus
from projections.recap.events import ClaimEvent, CorrectionEvent, OptionEvent, RulingEvent
from projections.recap.party import PartyMember
from projections.recap.threads import Thread

WELL: Final = "well"  # who has no numbers and no troubles


def section(style: Style, title: str, lines: Iterable[str], level: int = 2) -> Iterator[str]:
    """Yield a section of the page; nothing for one without lines."""
    for index, line in enumerate(lines):
        if not index:
            yield ""
            yield from style.heading(level, title)
            yield ""
        yield line


def name(who: str, style: Style) -> str:
    """Return the name of a being."""
    return "Game master" if who == GM else style.text(who)


def in_brackets(parts: Iterable[str], between: str = ", ") -> str:
    """Return the parts that are not empty, in brackets."""
    kept = between.join(part for part in parts if part)
    return f" ({kept})" if kept else ""


# The story


def paragraph(passage: Passage, style: Style) -> str:
    """Return a passage as a paragraph: people's own words as they stand, the others with their entries."""
    if passage.kind == "fiction":
        return style.quotation(style.block(passage.text))
    if passage.kind == "quote":
        return style.quotation(f"{style.strong(f'{name(passage.by, style)}:')} {style.text(passage.text)}")
    lead = lead_of(passage, style)
    first, *others = passage.sentences or (None,)
    told = [] if first is None else [sentence_line(first, style, begins=not lead)]
    told += [sentence_line(sentence, style) for sentence in others if sentence]
    return " ".join([*([lead] if lead else []), *told])


def lead_of(passage: Passage, style: Style) -> str:
    """Return what a paragraph begins with: the encounter or the round."""
    if passage.kind == "encounter":
        return style.strong(f"{style.text(capital(passage.text))}.")
    return style.slanted(f"Round {style.text(passage.text)}.") if passage.kind == "round" else ""


def sentence_line(sentence: Sentence, style: Style, *, begins: bool = False) -> str:
    """Return a sentence with its entries; `begins`: a paragraph."""
    text = (style.block if begins else style.text)(sentence.text)
    return f"{text} ({', '.join(map(style.text, sentence.entries))})."


def capital(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


# Where everybody stands


def member_line(member: PartyMember, style: Style) -> str:
    """Return all that somebody has: pools, tokens, wounds, conditions, days of rest."""
    player = in_brackets([style.text(member.player)])
    parts = [", ".join(part) for part in (levels(member, style), troubles(member, style)) if part]
    return f"{style.strong(name(member.who, style))}{player}: {'; '.join(parts) or WELL}"


def levels(member: PartyMember, style: Style) -> list[str]:
    """Return pools and tokens: `might 9/12`, `destiny 1`."""
    pools = [f"{style.text(readable(level.name))} {amount(level)}" for level in member.pools]
    return pools + [f"{style.text(readable(level.name))} {level.now}" for level in member.tokens]


def amount(level: Level) -> str:
    """Return `9/12`, or `9` without a maximum."""
    return f"{level.now}" if level.most is None else f"{level.now}/{level.most}"


def troubles(member: PartyMember, style: Style) -> list[str]:
    """Return wounds, conditions, and the days of rest that are owed."""
    conditions = [
        style.text(readable(found)) + ("" if degree == 1 else f" {degree}") for found, degree in member.conditions
    ]
    days = [f"{plural(member.days, 'day', 'days')} of rest owed"] if member.days else []
    return [*wounds(member.wounds, style), *conditions, *days]


def wounds(found: Sequence[WoundStatus], style: Style) -> list[str]:
    """Return equal wounds together: `moderate wound 4`, `2 light wounds of 2`, `1 wound`."""
    return [
        wound_name(wound, number, style) + ("" if wound.in_force else " (not in force yet)")
        for wound, number in Counter(found).items()
    ]


def wound_name(wound: WoundStatus, number: int, style: Style) -> str:
    """Return a number of equal wounds: as the book calls them, or by kind and value."""
    if wound.name:
        return plural(number, style.text(wound.name), f"{style.text(wound.name)}s")
    kind = f"{style.text(wound.kind)} wound"
    return f"{kind} {wound.value}" if number == 1 else f"{number} {kind}s of {wound.value}"


# Open, decided, corrected


def thread_lines(threads: Iterable[Thread], style: Style) -> Iterator[str]:
    """Yield what is unfinished; the others who are still about in one line."""
    about = []
    for thread in threads:
        if thread.kind == "encounter":
            yield f"{style.text(capital(thread.what))} still goes on"
        elif thread.kind == "window":
            waits = join_with_and([name(each, style) for each in thread.names])
            yield f"{style.text(capital(thread.what))} of {name(thread.who, style)} waits for {waits}"
        else:
            conditions = in_brackets(style.text(readable(each)) for each in thread.names)
            about.append(f"{name(thread.who, style)}{conditions}")
    if about:
        yield f"Still about: {', '.join(about)}"


def option_line(option: OptionEvent, style: Style) -> str:
    """Return an option that the table set."""
    was = "" if option.was is None else f"{style.text(readable(str(option.was)))} to "
    why = in_brackets([style.text(option.because), agreed(option.agreed, style)], "; ")
    setting = f"{style.text(readable(option.name))}: {was}{style.text(readable(str(option.now)))}"
    return f"{setting}{why} ({style.text(option.entry)})"


def ruling_line(ruling: RulingEvent, style: Style) -> str:
    """Return a ruling with its reasons, scope and rules."""
    scope = "" if ruling.scope in ("", "once") else f"for the {style.text(ruling.scope)}"
    cites = ", ".join(map(style.text, ruling.cites))
    why = in_brackets([style.text(ruling.because), scope, cites, agreed(ruling.agreed, style)], "; ")
    return f"{style.text(capital(ruling.text))}{why} ({style.text(ruling.entry)})"


def agreed(who: Sequence[str], style: Style) -> str:
    """Return the names of those who agreed."""
    return f"agreed by {', '.join(map(style.text, who))}" if who else ""


def decision_lines(page: Page, style: Style, *, lasting: bool = False) -> Iterator[str]:
    """Yield options, then rulings; `lasting`: only those that hold from now on."""
    yield from (option_line(option, style) for option in page.options)
    rulings = (ruling for ruling in page.rulings if not lasting or ruling.scope != "once")
    yield from (ruling_line(ruling, style) for ruling in rulings)


def correction_line(correction: CorrectionEvent, told: Mapping[str, str], style: Style) -> str:
    """Return a correction, what is told of its entry now, and how many later entries it changed."""
    what = CORRECTIONS.get(correction.outcome) or style.text(correction.outcome)
    reason = in_brackets([style.text(correction.because), agreed(correction.agreed, style)], "; ")
    now = told.get(correction.of, "")
    number = plural(len(correction.changed), "entry", "entries")
    others = ", ".join(map(style.text, correction.changed[:5])) + (" ..." if len(correction.changed) > 5 else "")
    changes = f"; changes {number}: {others}" if correction.changed else ""
    text = f"{what} {style.text(correction.of)}{reason}" + (f": {style.text(now)}" if now else "") + changes
    return f"{capital(text)} ({style.text(correction.entry)})"


def correction_lines(page: Page, style: Style) -> Iterator[str]:
    """Yield the corrections but mere slips, and what the table remembered otherwise than the ledger."""
    told = {sentence.entries[0]: sentence.text for passage in page.story for sentence in passage.sentences}
    names = ValueNames((), beings=(member.who for member in page.cast))
    yield from (correction_line(each, told, style) for each in page.corrections if not each.is_slip)
    yield from (claim_line(claim, names, style) for claim in page.claims)


def claim_line(claim: ClaimEvent, names: ValueNames, style: Style) -> str:
    """Return a value that the table stated and the ledger has otherwise."""
    actual = "nothing" if claim.actual is None else style.text(claim.actual)
    value = style.text(names.claim(claim.value))
    return f"The table said {value} {style.text(claim.claimed)}, the ledger says {actual} ({style.text(claim.entry)})"


def night_line(page: Page, style: Style) -> str:
    """Return the roll of the night; empty without one."""
    if page.night is None:
        return ""
    told = {sentence.entries[0]: sentence for passage in page.story for sentence in passage.sentences}
    sentence = told.get(page.night.entry)
    return sentence_line(sentence, style) if sentence else ""


def players(party: Iterable[PartyMember], style: Style) -> list[str]:
    """Return who plays whom: `Ana: Kess`; the name alone where no player is known."""
    return [
        f"{style.text(each.player)}: {style.text(each.who)}" if each.player else style.text(each.who)
        for each in party
        if each.who != GM
    ]
