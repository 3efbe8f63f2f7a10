"""The parts that recaps share: the story, where everybody stands, what is open, what was decided and corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.phrases.parts import in_brackets, readable
from cli.phrases.scene_phrases import CORRECTIONS
from cli.phrases.value_names import ValueNames
from cli.story.being_names import GAME_MASTER
from cli.story.last_news import has_later_news, is_gone
from cli.story.page import Page
from cli.story.passages import Passage, Sentence
from cli.story.plain_words import cardinal, condition_in_words, in_one, one_of_several, plain_words, several_of_a_kind
from cli.story.style import Style
from ledger.facts import GM, parse_entry_id
from ledger.names import capital, plural, word_list
from projections.recap.cast import Level, WoundStatus
from projections.recap.events import RULING, ClaimEvent, CorrectionEvent, LossEvent, OptionEvent, RulingEvent
from projections.recap.flows import Flow
from projections.recap.party import PartyMember
from projections.recap.threads import DOWN, Thread

ENDS: Final = (".", "?", "!", '."', '?"', '!"')
UNKNOWN: Final = "no players recorded"


class Start(msgspec.Struct, frozen=True):
    """A pool or a token at the start of the session, and what changed it since."""

    level: Level
    causes: tuple[tuple[str, int], ...] = ()


Starts = Mapping[tuple[str, str], Start]  # by owner and name
NO_STARTS: Final[Starts] = MappingProxyType({})
NO_CALLED: Final[Mapping[str, str]] = MappingProxyType({})
WAITING_LISTED: Final = 3  # of many open windows of one kind
HEADS: Final = ("Still about", "Left lying", "Got away", "Gave up", "The ")  # of lines that begin with no name
UP_AGAIN: Final = "up again"  # who only came to as a fight was over
WELL: Final = "well"  # who has no numbers and no troubles


def section(style: Style, title: str, lines: Iterable[str], level: int = 2) -> Iterator[str]:
    """Yield a section of the page; nothing for one without lines."""
    for index, line in enumerate(lines):
        if not index:
            yield ""
            yield from style.heading(level, title)
            yield ""
        yield line


def name(who: str, style: Style, called: Mapping[str, str] = NO_CALLED) -> str:
    """Return the name of a being, or what it is `called`."""
    return "Game master" if who == GM else style.text(called.get(who, who))


# The story


def paragraph(passage: Passage, style: Style, note: str = "", *, entries: bool = False) -> str:
    """Return a passage as a paragraph: people's own words as they stand, the others with the mark of their `note`.

    `entries`: each sentence with the numbers of its entries.
    """
    if passage.kind == "fiction":
        return style.quotation(style.block(passage.text))
    if passage.kind == "quote":
        return style.quotation(f"{style.strong(f'{name(passage.by, style)}:')} {style.text(passage.text)}")
    lead = lead_of(passage, style)
    first, *others = passage.sentences or (None,)
    told = [] if first is None else [sentence_line(first, style, begins=not lead, entries=entries)]
    told += [sentence_line(sentence, style, entries=entries) for sentence in others if sentence]
    text = " ".join([*([lead] if lead else []), *told]) + note
    return style.quotation(text) if passage.kind == RULING else text


def lead_of(passage: Passage, style: Style) -> str:
    """Return what a paragraph begins with: the encounter."""
    return style.strong(f"{style.text(capital(passage.text))}.") if passage.kind == "encounter" else ""


def sentence_line(sentence: Sentence, style: Style, *, begins: bool = False, entries: bool = False) -> str:
    """Return a sentence with its end; `begins`: a paragraph."""
    text = (style.block if begins else style.text)(sentence.text)
    if entries:
        return f"{text} ({', '.join(map(style.text, sentence.entries))})."
    return text + ("" if sentence.text.endswith(ENDS) else ".")


def notes_text(passage: Passage, style: Style) -> str:
    """Return the arithmetic of a paragraph, entry by entry."""
    return style.text(". ".join(note for sentence in passage.sentences for note in sentence.notes))


# Where everybody stands


def member_line(member: PartyMember, style: Style, before: Starts = NO_STARTS) -> str:
    """Return who somebody is and all that they have."""
    player = in_brackets(style.text(member.player))
    return f"{style.strong(name(member.who, style))}{player}: {levels_and_troubles(member, style, before)}"


def levels_and_troubles(member: PartyMember, style: Style, before: Starts = NO_STARTS) -> str:
    """Return all that somebody has: pools, tokens, wounds, conditions, days of rest; and what of it was otherwise.

    Of who is down that stands first.
    """
    own = [levels(member, style, before), troubles(member, style)]
    parts = [", ".join(part) for part in (reversed(own) if member.down else own) if part]
    return "; ".join(parts) or WELL


def loss_lines(losses: Iterable[LossEvent], style: Style) -> Iterator[str]:
    """Yield those who do not come back: `Dead: Rat (1.4), Cat (1.6)`."""
    names = dict[str, list[str]]()
    for loss in losses:
        names.setdefault(loss.name, []).append(f"{name(loss.who, style)} ({style.text(loss.entry)})")
    yield from (f"{style.text(capital(readable(lost)))}: {', '.join(who)}" for lost, who in names.items())


def levels(member: PartyMember, style: Style, before: Starts) -> list[str]:
    """Return pools and tokens: `might 9/12`, `destiny 1`."""
    pools = [pool_left(level, before.get((member.who, level.name)), style) for level in member.pools]
    return pools + [
        token_left(level, before.get((member.who, level.name)) if member.who == GM else None, style)
        for level in member.tokens
    ]


def starts(page: Page, *, causes: bool = False) -> dict[tuple[str, str], Start]:
    """Return the pools and tokens of everybody at the start of the session, by owner and name."""
    begun = ((member.who, member.start) for member in page.cast if member.start)
    moved = {(flow.who, flow.name): causes_of(flow) for flow in page.resources} if causes else {}
    return {
        (who, level.name): Start(level, moved.get((who, level.name), ()))
        for who, status in begun
        for level in (*status.pools, *status.tokens)
    }


def causes_of(flow: Flow) -> tuple[tuple[str, int], ...]:
    """Return what changed a value, and by how much."""
    less = tuple((cause, -points) for cause, points in (*flow.spent, *flow.lost))
    return (*flow.regained, *less, *flow.set)


def pool_left(level: Level, was: Start | None, style: Style) -> str:
    """Return `health 14/15`, with what the maximum was if it is another now."""
    most = was.level.most if was is not None else None
    more = f" (the most was {most})" if None not in (most, level.most) and most != level.most else ""
    return f"{style.text(readable(level.name))} {amount(level)}{more}"


def token_left(level: Level, was: Start | None, style: Style) -> str:
    """Return `doom 18 (3 at the start, Dusk +16, Eclipse -1)`."""
    if was is None or was.level.now == level.now:
        return f"{style.text(readable(level.name))} {level.now}"
    causes = [f"{style.text(readable(cause))} {points:+}" for cause, points in was.causes]
    return f"{style.text(readable(level.name))} {level.now}{in_brackets(f'{was.level.now} at the start', *causes)}"


def amount(level: Level) -> str:
    """Return `9/12`, or `9` without a maximum."""
    return f"{level.now}" if level.most is None else f"{level.now}/{level.most}"


def troubles(member: PartyMember, style: Style) -> list[str]:
    """Return wounds, conditions, and the days of rest that are owed."""
    own, conditions = wounds(member.wounds, style), [style.text(in_one(each)) for each in member.conditions]
    days = [f"{plural(member.days, 'day', 'days')} of rest owed"] if member.days else []
    return [*(conditions + own if member.down else own + conditions), *days]


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


def unlisted_lines(number: int, sessions: int) -> Iterator[str]:
    """Yield how many characters of a large party are not listed, if any: they did nothing in so many sessions."""
    if number:
        when = "this session" if sessions == 1 else f"the last {sessions} sessions"
        did = f"{plural(number, 'character', 'characters')} did nothing in {when}"
        yield f"{did}: campaign show --all"


# Open, decided, corrected


def thread_lines(
    threads: Iterable[Thread],
    style: Style,
    called: Mapping[str, str] = NO_CALLED,
    *,
    brief: bool = False,
    entries: bool = True,
    most: int = 0,
) -> Iterator[str]:
    """Yield what is unfinished, and who of the others is still about; `brief`: these in one line, with `entries`.

    `called` is what a story calls somebody, by name. `most` are the letters of a line of beings, if it has to be short.
    """
    about, down, gone, given, waiting = list[str](), list[str](), list[str](), list[str](), list[Thread]()
    for thread in threads:
        if thread.kind == "encounter":
            yield f"{style.text(capital(thread.what))} still goes on"
        elif thread.kind == "window":
            waiting.append(thread)
        elif brief and not entries and not thread.down and (thread.gave_up or is_gone(thread)):
            names = tuple(each for each in thread.names if each not in plain_words().away.split())
            bare = msgspec.structs.replace(thread, names=names, out="", fight="")
            (given if thread.gave_up else gone).append(brief_news(bare, style, called, entries=False))
        else:
            is_down = thread.down and brief and not entries
            news = brief_news(thread, style, called, entries=entries) if brief else news_line(thread, style, called)
            (down if thread.down and brief else about).append(with_state(thread, style, called) if is_down else news)
    yield from waiting_lines(waiting, style)
    if brief:
        for head, who in zip(HEADS, (about, down, gone, given), strict=False):
            yield from [f"{head}: {being_list(several_of_a_kind(who), most)}"] if who else []
    else:
        yield from about


def being_list(names: Sequence[str], most: int) -> str:
    """Return beings as a list of at most so many letters, if it has to be short: those with a name of their own stay.

    One of them always does, and the others are counted.
    """
    kept = sorted(names, key=lambda each: one_of_several(each) is not None) if most else [*names]
    while most and len(kept) > 1 and len(", ".join(kept)) > most:
        kept.pop()
    more = [f"{cardinal(len(names) - len(kept))} more"] if len(kept) < len(names) else []
    return ", ".join([*kept, *more])


def waiting_lines(windows: Iterable[Thread], style: Style) -> Iterator[str]:
    """Yield what waits for whom; where much of one kind waits, in one line with the last of it."""
    alike = dict[tuple[str, tuple[str, ...]], list[str]]()
    for window in windows:
        alike.setdefault((window.what, window.names), []).append(name(window.who, style))
    for (what, names), whose in alike.items():
        waits = f"waits for {word_list([GAME_MASTER if each == GM else name(each, style) for each in names])}"
        waits = f"is for {GAME_MASTER} to say" if names == (GM,) else waits
        earlier = len(whose) - WAITING_LISTED
        lists = [[*reversed(whose[-WAITING_LISTED:]), f"{earlier} more"] if earlier > 1 else [*dict.fromkeys(whose)]]
        is_own = [name(each, style) for each in names] == [*dict.fromkeys(whose)]
        of = ("" if is_own else f" of {word_list(each)}" for each in lists)
        yield from (f"The {style.text(what)}{each} {waits}" for each in of)


def news_line(thread: Thread, style: Style, called: Mapping[str, str] = NO_CALLED) -> str:
    """Return what is last known of somebody who is still about: how the fight ended for them, and the narration."""
    parts = list[tuple[str, str]]()
    if thread.fight and not (thread.status or thread.left):
        how = UP_AGAIN if thread.out == DOWN and not thread.down else thread.out
        end = style.text(readable(how)) if how else "still stood"
        parts.append((thread.fight_entry, f"{end} at the end of {style.text(thread.fight)}"))
    if thread.last:
        own = called.get(thread.who, thread.who)
        parts.append((thread.last_entry, style.text(without_name(thread.last, own))))
    parts.sort(key=lambda part: parse_entry_id(part[0]))
    known = "; ".join(f"{text} ({style.text(entry)})" for entry, text in parts)
    more = "" if thread.ruled else "nothing more is recorded"
    away = plain_words().away.split() if thread.left else ()
    conditions = in_brackets(*(style.text(readable(in_one(each))) for each in thread.names if each not in away))
    told = "; ".join(part for part in (known, more) if part)
    who = f"{style.strong(capital(name(thread.who, style, called)))}{conditions}"
    if thread.ruled or is_gone(thread):
        return f"{who}: {told}"
    return f"{who} {'was left lying' if thread.down else 'is still about'}: {told}"


def without_name(text: str, who: str) -> str:
    """Return a sentence as it follows the name of the one whom it is about: `flees` of `Raider 2 flees`."""
    own = f"{who} "
    is_own = text.casefold().startswith(own.casefold()) and not text[len(own) :].startswith("and ")
    return text[len(own) :] if is_own else text


def with_state(thread: Thread, style: Style, called: Mapping[str, str]) -> str:
    """Return who was left lying, with the gravest of how they are: `the first drover (dying)`."""
    told = [each for each in thread.names if each not in (*plain_words().passing.split(), *plain_words().health)]
    graver = [each for each in told if each not in plain_words().implied.split()] or told
    gravest = (style.text(readable(condition_in_words(each))) for each in graver[:1])
    return name(thread.who, style, called) + in_brackets(*gravest)


def brief_news(thread: Thread, style: Style, called: Mapping[str, str] = NO_CALLED, *, entries: bool = True) -> str:
    """Return somebody who is still about with how they are, and what was ruled of them or how the fight ended."""
    stands = "still stands" if thread.fight and not thread.names else ""
    how = style.text(readable(thread.out)) if thread.out else stands
    if thread.ruled or has_later_news(thread):
        how = f"see {style.text(thread.last_entry)}" if entries else ""
    told = [each for each in thread.names if entries or each != plain_words().health[0]]
    conditions = [style.text(readable(condition_in_words(each))) for each in told]
    known = any(how.casefold() in condition.casefold() for condition in conditions)
    return f"{name(thread.who, style, called)}{in_brackets(*conditions, '' if known else how)}"


def option_line(option: OptionEvent, style: Style) -> str:
    """Return how the table answers a question of the book from now on, with the reason and what it was before."""
    why = in_brackets(style.text(option.because), agreed(option.agreed, style), between="; ")
    if option.question:
        before = f" (before: {style.text(option.meant)})" if option.meant != option.meaning else ""
        setting = f"{style.text(option.question)} Now: {style.text(option.meaning)}{before}"
    else:
        setting = f"{style.text(readable(option.name))}: {style.text(readable(str(option.now)))}"
    return f"{setting}{why} ({style.text(option.entry)})"


def ruling_line(ruling: RulingEvent, style: Style) -> str:
    """Return a ruling with its reasons, scope and rules."""
    scope = "" if ruling.scope in ("", "once") else f"for the {style.text(ruling.scope)}"
    cites = ", ".join(map(style.text, ruling.cites))
    why = in_brackets(style.text(ruling.because), scope, cites, agreed(ruling.agreed, style), between="; ")
    return f"{style.text(capital(ruling.text))}{why} ({style.text(ruling.entry)})"


def agreed(who: Sequence[str], style: Style) -> str:
    """Return the names of those who agreed."""
    return f"agreed by {', '.join(map(style.text, who))}" if who else ""


def decision_lines(page: Page, style: Style) -> Iterator[str]:
    """Yield options, then rulings."""
    yield from (option_line(option, style) for option in page.options)
    told = {entry: each for passage in page.story for each in passage.sentences for entry in each.entries}
    for ruling in page.rulings:
        sentence = told.get(ruling.entry)
        by_story = sentence is not None and ruling.name != RULING
        yield told_line(sentence, style) if sentence and by_story else ruling_line(ruling, style)


def told_line(sentence: Sentence, style: Style) -> str:
    """Return a ruling as the story tells it, with what it changes."""
    return f"{style.text(sentence.alone)} ({', '.join(map(style.text, sentence.entries))})"


def correction_line(correction: CorrectionEvent, style: Style) -> str:
    """Return a correction, what its entry says now and said before, and how many later entries it changed."""
    what = CORRECTIONS.get(correction.outcome) or style.text(correction.outcome)
    reason = in_brackets(style.text(correction.because), agreed(correction.agreed, style), between="; ")
    now = f": {style.text(correction.now)}" if correction.now else ""
    was = f"; was: {style.text(correction.was)}" if correction.was else ""
    number = plural(len(correction.changed), "entry", "entries")
    others = ", ".join(map(style.text, correction.changed[:5])) + (" ..." if len(correction.changed) > 5 else "")
    changes = f"; changes {number}: {others}" if correction.changed else ""
    text = f"{what} {style.text(correction.of)}{reason}{now}{was}{changes}"
    return f"{capital(text)} ({style.text(correction.entry)})"


def correction_lines(page: Page, style: Style) -> Iterator[str]:
    """Yield the corrections but mere slips, and what the table remembered otherwise than the ledger."""
    names = ValueNames((), beings=(member.who for member in page.cast))
    yield from (correction_line(each, style) for each in page.corrections if not each.is_slip)
    yield from (claim_line(claim, names, style) for claim in page.claims)


def claim_line(claim: ClaimEvent, names: ValueNames, style: Style) -> str:
    """Return a value that the table stated and the ledger has otherwise."""
    actual = "nothing" if claim.actual is None else style.text(claim.actual)
    value = style.text(names.claim(claim.value))
    why = f": {style.text(claim.last)}" if claim.last else ""
    said = f"The table said {value} {style.text(claim.claimed)}, the ledger says {actual}"
    return f"{said}{why} ({style.text(claim.entry)})"


def players(party: Sequence[PartyMember], style: Style) -> list[str]:
    """Return who plays whom: `Ana: Kess`; the name alone where no player is known, and that where none is."""
    unknown = any(each.who != GM for each in party) and not any(each.player for each in party)
    return [
        f"{style.text(each.player)}: {style.text(each.who)}" if each.player else style.text(each.who)
        for each in party
        if each.who != GM
    ] + ([UNKNOWN] if unknown else [])
