"""Quotes as people write them: `bram: "Nobody pays here."`, `"Run!" shouts Pim`."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from cli.notation.scope import Scope
from cli.speech.beings import Beings
from cli.speech.english import ENGLISH
from cli.speech.slots import in_line
from cli.speech.words import Word, is_passed_over, sentence_of, split_words, without_last_links
from rulebooks.common.word_forms import base_forms

QUOTED: Final = re.compile(r'["“]([^"“”]+)["”]')
SCENE: Final = re.compile(r"(?:new|next) scene[:,]\s+(\S.*?)\.?", re.IGNORECASE)
DEED_AND_QUOTE: Final = re.compile(r'([^"“”]+?)[.,:;!]\s+["“]([^"“”]+\s[^"“”]+)["”][.!]?')
DEED_LEAST: Final = 2  # words of a deed: `Ada declares: "..."` has its text in marks
WITH: Final = "with"
CALLS, ASKED = ",:", "?"  # behind who calls something out, and at its end
CALLING: Final = (ENGLISH.saying | {"go"}) - {"say", "ask", "tell", "answer"}  # what else is asked may be asked here
MARKS: Final = frozenset('"“”')


def told_in_words(typed: str, scope: Scope) -> str:
    """Return the line of a quote, or of a new scene, that is typed as people write it; else nothing.

    Who says a quote is named first. A new scene is named behind its mark: `new scene: the bell tower`.

    Without quotation marks what is said stands behind a verb and a colon: `Ode says: we wait`. A verb of the game is
    none of saying.
    """
    if scene := SCENE.fullmatch(typed.strip()):
        return f"# {scene[1]}"
    if (mouth := spoken_in(split_words(typed))) and (speaker := _only_speaker(mouth[0], Beings(scope))):
        return f'" {in_line(speaker)}: {sentence_of(mouth[1])}'
    before, colon, said = typed.partition(":")
    quotes = QUOTED.findall(typed)
    ends = (typed.strip()[:1], typed.rstrip(" .,")[-1:])
    if quotes and not MARKS.intersection(ends):
        return ""
    if not quotes and (not colon or '"' in typed):
        return ""
    outside = split_words(QUOTED.sub(" ", typed) if quotes else before)
    sayings = ENGLISH.saying - {verb for kind in scope.declarations for verb in kind.verbs}
    beings = Beings(scope)
    named = beings.at(outside, 0, loose=True)
    is_bare = named is not None and named.size == len(outside)  # `bram: "Nobody pays here."`
    speaker = _speaker(outside, beings, sayings, needs_verb=not quotes or ends[0] in MARKS or not is_bare)
    text = " ".join(quotes).rstrip(",") if quotes else said.strip()
    return f'" {in_line(speaker)}: {text}' if speaker and text else ""


def deed_and_quote(typed: str, scope: Scope) -> tuple[str, str] | None:
    """Return what somebody does, and the line of what they say with it; None for any other sentence.

    `Ama steps out of the smoke. "Look at the price of this."`
    """
    if parted := DEED_AND_QUOTE.fullmatch(typed.strip()):
        deed, said = parted.groups()
    elif mouth := spoken_in(split_words(typed)):
        deed, said = sentence_of(without_last_links(mouth[0])), sentence_of(mouth[1])
    else:
        return None
    named = Beings(scope).at(split_words(deed), 0)
    is_one = named is not None and len(named.readings) == len(named.readings[0]) == 1
    if named is None or not is_one or len(split_words(deed)) < named.size + DEED_LEAST:
        return None
    return deed, f'" {in_line(named.readings[0][0])}: {said}'


def spoken_in(words: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]] | None:
    """Return what somebody does before they call something out, and that: `opens it and goes, anybody home?`."""
    for at, word in enumerate(words[1:-1], 1):
        if word.mark in CALLS and words[-1].mark == ASKED and not CALLING.isdisjoint(base_forms(word.text)):
            return words[:at], words[at + 1 :]
    return None


def _speaker(words: Sequence[Word], beings: Beings, sayings: Set[str], *, needs_verb: bool) -> str:
    """Return who says a quote, if the words around it say no more than that: `shouts Pim`, `Ode whispers to Bram`."""
    speaker, is_said, index = "", False, 0
    while index < len(words):
        named = beings.at(words, index, loose=not is_passed_over(words[index]))
        if not is_said and not base_forms(words[index].text).isdisjoint(sayings):
            is_said, index = True, index + 1
        elif named and (is_said or not speaker):
            if not speaker and (len(named.readings) > 1 or len(named.readings[0]) > 1):
                return ""
            if not speaker and named.readings[0][0] in beings.scope.things:
                return ""  # `Called shot: ...` is no table of called shots that speaks
            speaker, index = speaker or named.readings[0][0], index + named.size
        elif is_said and speaker and words[index - 1].text in ENGLISH.possessives:
            index += 1  # `yells at his mate`
        elif is_said and speaker and words[index - 1].mark == "," and words[index].text == WITH:
            return speaker if _is_colour(words[index:], beings) else ""  # `with a smile she doesn't mean`
        elif is_passed_over(words[index]):
            index += 1
        else:
            return ""
    return speaker if is_said or not needs_verb else ""


def _only_speaker(words: Sequence[Word], beings: Beings) -> str:
    """Return the one whose name is all that these words say; else nothing."""
    named = beings.at(words, 0, loose=True)
    is_one = named is not None and named.size == len(words) and len(named.readings) == len(named.readings[0]) == 1
    return named.readings[0][0] if named and is_one else ""


def _is_colour(words: Sequence[Word], beings: Beings) -> bool:
    """Return whether a clause has no name, no thing and no second act in it."""
    is_joined = any(word.mark or word.text == "and" for word in words[:-1])
    return not is_joined and not any(beings.at(words, at) for at in range(len(words)))
