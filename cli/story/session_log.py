"""The log of a session: every line that came to something, with what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from cli.phrases.parts import in_brackets, readable, wound_name
from cli.phrases.scene_phrases import CORRECTIONS
from cli.story.chronicle import date_part, items, page_title
from cli.story.page import Line, Page, SceneLines
from cli.story.parts import decision_lines, name, players, section
from cli.story.style import Style
from cli.story.tables import cast_table, dice_lines, resource_table
from projections.recap.events import CorrectionEvent, WoundEvent


def session_log(page: Page, style: Style) -> Iterator[str]:
    """Yield the log line by line."""
    yield from style.heading(1, page_title(page, style))
    yield ""
    yield " · ".join([*date_part(page, style), *players(page.party, style)])
    yield from section(style, "Cast", cast_table(page.cast, style))
    yield from section(style, "What happened", timeline(page.scenes, style))
    yield from section(style, "Wounds", items((wound_line(wound, style) for wound in page.wounds), style))
    yield from section(style, "Points and tokens", resource_table(page.resources, style))
    yield from section(style, "Options and rulings", items(decision_lines(page, style), style))
    yield from section(style, "Corrections", items((correction_line(each, style) for each in page.corrections), style))
    yield from section(style, "Dice", items(dice_lines(page, style), style))


def timeline(scenes: Iterable[SceneLines], style: Style) -> Iterator[str]:
    """Yield scenes with their lines; a blank line wherever the kind of paragraph changes."""
    for index, scene in enumerate(scenes):
        if scene.entry:
            yield from ([""] if index else [])
            yield from style.heading(3, style.text(scene.title))
        before = "heading" if scene.entry else ""
        for line in scene.lines:
            kind = line.told or "said"
            if before and (before != "said" or kind != "said"):
                yield ""
            before = kind
            yield LINES.get(kind, gesture)(line, style)


def entry_line(line: Line, style: Style) -> str:
    """Return `- **1.5** Kess: k sneak v5 e1 → success (11 against 9)`."""
    speaker = f" {name(line.by, style)}: {style.text(line.line)}" if line.line else ""
    results = style.text("; ".join(line.results))
    arrow = " →" if speaker and results else ""
    return style.item(f"{style.strong(line.entry)}{speaker}{arrow}{' ' if results else ''}{results}")


def fiction(line: Line, style: Style) -> str:
    """Return fiction as a quotation."""
    return style.quotation(style.block(line.text))


def quote(line: Line, style: Style) -> str:
    """Return what a character said as a quotation with the name."""
    return style.quotation(f"{style.strong(f'{name(line.by, style)}:')} {style.text(line.text)}")


def gesture(line: Line, style: Style) -> str:
    """Return any other text, a visible episode, as a quotation with the name."""
    return style.quotation(f"{style.slanted(f'{name(line.by, style)}:')} {style.text(line.text)}")


LINES: Final[dict[str, Callable[[Line, Style], str]]] = {"said": entry_line, "fiction": fiction, "quote": quote}


def wound_line(wound: WoundEvent, style: Style) -> str:
    """Return a wound that was taken, changed or healed."""
    what = wound_name(style.text(wound.kind))
    force = "" if wound.in_force else ", not in force yet"
    if wound.new:
        now = f"takes a {what}{f' of {wound.value}' if wound.kind or wound.value > 1 else ''}{force}"
    elif wound.value:
        now = f"now has a {what} of {wound.value}{force}"
    else:
        now = f"{what} is healed"
    which = "" if wound.who in wound.wound else wound.wound
    why = in_brackets(style.text(which), style.text(readable(wound.how)))
    return f"{style.strong(wound.entry)} {name(wound.who, style)}: {now}{why}"


def correction_line(correction: CorrectionEvent, style: Style) -> str:
    """Return an entry that corrects another."""
    what = CORRECTIONS.get(correction.outcome) or style.text(correction.outcome)
    why = in_brackets(style.text(correction.because))
    return f"{style.strong(correction.entry)} {what} {style.text(correction.of)}{why}"
