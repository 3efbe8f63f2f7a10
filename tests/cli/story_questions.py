"""The questions that a reader asks of a story, as far as a program can count: each returns what answers it badly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import msgspec

from cli.phrases.patterns import VERB
from cli.phrases.verbs import conjugate
from cli.story.check.doubts import text_doubts
from cli.story.check.knowledge import SessionKnowledge
from cli.story.chronicle import chronicle, story_with_lead
from cli.story.clauses import GRAVE
from cli.story.lead_text import introduced, lead_line, led_sentences
from cli.story.page import Page
from cli.story.passages import Sentence
from cli.story.post import post, short_post
from cli.story.selection import Needs, short_story
from cli.story.style import STYLES
from ledger.facts import GM
from projections.recap.events import RULING
from projections.recap.party import low_values
from projections.recap.threads import AT_LARGE
from rulebooks.common.narration import Narration

WORDS_MOST: Final = 120
FULL: Final = 1750  # characters of a post that has no room for one more quote
NOUNS: Final = {"wounds", "hits"}
CHANGED: Final = re.compile(r"(?:from [0-9-]+ to|w(?:as|ere)) [0-9-]+")  # a value of a sheet that somebody set
FORMS_MOST: Final = 2
LEAD_SENTENCES, LEAD_WORDS = 2, 25
GONE: Final = ("left", "fled")
TWO_WORDS: Final = 2
NUMBERED: Final = re.compile(r".+ [0-9]+")
END_OF_POST: Final = r"\n(?=(?:Now|Dead|Open): )"
PRESENT: Final = re.compile(r" (?:is|are|has|have|does|comes|goes|wants|knows|can|will|he|she|they|it|nobody) ")
OWN: Final = re.compile(r"\([^()]*\)|\"[^\"]*\"")  # people's own words in a sentence


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """A session: its recap, what is known of it, and the words of its book."""

    page: Page
    known: SessionKnowledge
    narration: Narration

    @property
    def post(self) -> str:
        """The post."""
        return "".join(f"{line}\n" for line in post(self.page, STYLES["text"]))

    @property
    def chronicle(self) -> str:
        """The chronicle."""
        return "\n".join(chronicle(self.page, STYLES["markdown"]))

    def called(self, who: str) -> str:
        """What the story calls somebody."""
        return self.page.called.get(who, who)

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences of the story."""
        return [each for passage in self.page.story for each in passage.sentences if not each.is_ruling]


def outcome_late(evening: Evening) -> Iterator[str]:
    """Yield the moment of the evening if it is not in the first two sentences of the post and of the chronicle."""
    told = [each.text for each in evening.page.lead[:2]]
    for first in (evening.post.splitlines()[2:3], plain_chronicle(evening).splitlines()[5:6]):
        if evening.page.falls and not (told and told[0] in " ".join(first)):
            yield " ".join(first)
    falls = {fall.entry for fall in evening.page.falls if fall.kind != "left"}
    if falls and falls.isdisjoint(entry for each in evening.page.lead[:2] for entry in each.entries):
        yield f"{falls} in {told}"


def plain_chronicle(evening: Evening) -> str:
    """Return the chronicle in plain text."""
    return "\n".join(chronicle(evening.page, STYLES["text"]))


def deaths_without_doer(evening: Evening) -> Iterator[str]:
    """Yield the dead of whom the post does not say by whom."""
    for fall in evening.page.falls:
        if fall.kind == "died" and fall.lasting and fall.by:
            who, by = evening.called(fall.who), evening.called(fall.by[0])
            yield from [] if f"{who} (by {by}" in evening.post else [who]


def quotes_lost(evening: Evening) -> Iterator[str]:
    """Yield people's own words that the chronicle has not, and those that the post has not though there was room."""
    own = [passage.text for passage in evening.page.story if passage.kind in ("quote", "fiction")]
    plain = plain_chronicle(evening)
    yield from (text for text in own if text not in plain)
    if len(evening.post) < FULL:
        yield from (text for text in own if text not in evening.post and len(text) < FULL - len(evening.post))


def words_of_fights(evening: Evening) -> Iterator[str]:
    """Yield the fights that the post or the chronicle tells in too many words."""
    page, style = evening.page, STYLES["text"]
    kept = short_story(page.story, style, 1500, Needs(low=frozenset(low_values(page.party))))
    whole = story_with_lead(page, led_sentences(page, style))
    for passages in (kept, whole):
        words = dict[str, int]()
        for passage in passages:
            own = sum(len(each.text.split()) for each in passage.sentences)
            words[passage.fight] = words.get(passage.fight, 0) + own
        yield from (f"{fight}: {number}" for fight, number in words.items() if fight and number > WORDS_MOST)


def entry_numbers(evening: Evening) -> Iterator[str]:
    """Yield the entries that a post names."""
    short = "".join(short_post(evening.page, STYLES["text"]))
    yield from (entry for entry in re.findall(r"(?<![\w.])[0-9]+\.[0-9]+", evening.post + short))


def present_tense(evening: Evening) -> Iterator[str]:
    """Yield verbs of the book's own sentences that stand in the present."""
    narration = evening.narration
    patterns = [*narration.results.values(), *(text for texts in narration.felled.values() for text in texts)]
    verbs = {verb for pattern in patterns for verb in VERB.findall(pattern)}
    present = {conjugate(verb) for verb in verbs} - {conjugate(verb, past=True) for verb in verbs} - NOUNS
    own = {text.casefold() for text in evening.known.own_words if text}
    for sentence in evening.sentences:
        if not any(text in sentence.text.casefold() for text in own):
            bare = OWN.sub("", sentence.text)
            yield from (f"{verb}: {bare}" for verb in present if re.search(rf"\b{verb}\b(?! of)", bare))


def names_again(evening: Evening) -> Iterator[str]:
    """Yield pairs of sentences in a paragraph that begin with the same character's name."""
    characters = [member.who for member in evening.page.party if member.who != GM]
    for passage in evening.page.story:
        for one, other in pairwise(passage.sentences):
            for who in characters:
                alone = len([each for each in one.mentions if each in characters]) == 1
                starts = all(re.match(rf"{re.escape(who)} (?!and )", each.text) for each in (one, other))
                if alone and starts:
                    yield f"{one.text}. {other.text}"


def forms_in_a_row(evening: Evening) -> Iterator[str]:
    """Yield sentences of a paragraph that have the form of the two before them."""
    for passage in evening.page.story:
        forms = [form_of(sentence) for sentence in passage.sentences]
        for index in range(FORMS_MOST, len(forms)):
            if len(set(forms[index - FORMS_MOST : index + 1])) == 1:
                yield passage.sentences[index].text


def stubs(evening: Evening) -> Iterator[str]:
    """Yield sentences of two words, as in `Ash swam`, that stand by themselves beside another that is no fall."""
    for passage in evening.page.story:
        for pair in pairwise(passage.sentences):
            if all(each.weight < GRAVE and '"' not in each.text for each in pair):
                yield from (each.text for each in pair if len(form_of(each).split()) <= TWO_WORDS)


def form_of(sentence: Sentence) -> str:
    """Return a sentence without those whom it names."""
    text = sentence.text
    for who in sorted(sentence.mentions, key=len, reverse=True):
        text = text.replace(who, "X")
    return text


def notes_run_in(evening: Evening) -> Iterator[str]:
    """Yield sentences with people's own words in them that stand neither in quotation marks nor behind a colon.

    A deed that begins with a verb is told in the past, and a text that only names somebody or something is no sentence.
    """
    texts = {text.casefold() for text in evening.known.own_words if PRESENT.search(text)}
    for sentence in evening.sentences:
        bare = OWN.sub("", sentence.text).casefold()
        yield from (sentence.text for text in texts if text in bare.replace(f": {text}", ""))


def words_in_brackets(evening: Evening) -> Iterator[str]:
    """Yield people's own words that stand in brackets in a sentence of the post or of the chronicle."""
    story = plain_chronicle(evening).partition("\nWhere things stand")[0]
    for text in (re.split(END_OF_POST, evening.post, maxsplit=1)[0], story):
        yield from re.findall(r' \("[^"]*"\)', text)


def numbers_and_names_at_the_end(evening: Evening) -> Iterator[str]:
    """Yield what the end of the post has of a sheet: numbers of conditions, names with a number, the dead who rest."""
    end = evening.post.partition("\nNow:")[2].partition("\nRoll of the night:")[0]
    yield from re.findall(r"\((?:DC|degree) [0-9]+\)", end)
    yield from (
        who for who in evening.page.called if NUMBERED.fullmatch(who) and re.search(rf"\b{re.escape(who)}\b", end)
    )
    dead = {evening.called(loss.who) for loss in evening.page.lost}
    yield from (who for who in dead if re.search(rf"{re.escape(who)}[^;.]* owed", end))


def lead_said_twice(evening: Evening) -> Iterator[str]:
    """Yield the sentences of the lead that the post or the chronicle says once more."""
    texts = [each.text for each in evening.page.lead if len(each.text.split()) > TWO_WORDS]
    for story in (
        re.split(END_OF_POST, evening.post, maxsplit=1)[0],
        plain_chronicle(evening).partition("\nWhere things stand")[0],
    ):
        yield from (text for text in texts if story.count(f"{text}.") > 1)


def lead_faults(page: Page) -> Iterator[str]:
    """Yield what is wrong with a lead: too long, a victory that was none, somebody down who is not in it.

    The short post begins with it, and the end of the posts and of the chronicle names who is down or got away.
    """
    texts, style = [each.text for each in page.lead], STYLES["text"]
    yield from texts[LEAD_SENTENCES:]
    yield from (text for text in texts if len(text.split()) > LEAD_WORDS or text.count(" and ") > FORMS_MOST)
    gone = [each.who for each in page.threads if each.kind == AT_LARGE and each.out in GONE and not each.down]
    own = {member.who for member in page.party}
    fled = [fall.who for fall in page.falls if fall.who in own and fall.kind == "left"]
    named = [who for who in gone if not who[-1:].isdigit()]
    yield from (text for text in texts if "the fight was won" in text and (named or {*fled} == own))
    down = {fall.who for fall in page.falls if fall.who in own and fall.kind != "left" and fall.lasting}
    yield from (who for who in down if texts and who not in " ".join(texts) and " more fell" not in texts[-1])
    lines = [*short_post(page, style)]
    yield from [] if not texts or lines[1] == lead_line(introduced(page, page.lead), style) else lines[1:2]
    for text in (*("\n".join(each) for each in (lines, post(page, style))), "\n".join(chronicle(page, style))):
        end = re.split(r"\n(?=(?:Now|Dead|Open): |Where things stand)", text, maxsplit=1)[-1]
        called = {who: page.called.get(who, who) for who in (*down, *named)}
        yield from (f"{who}: {end}" for who, name in called.items() if not is_listed(name, end.replace("The ", "the ")))


def unnamed_at_the_end(evening: Evening) -> Iterator[str]:
    """Yield those who are dying, fled or hurt at the end and whom the end of the post does not name."""
    end = re.split(END_OF_POST, evening.post, maxsplit=1)[-1]
    for member in evening.page.party:
        vital = next((level for level in member.pools if level.name == evening.page.vital), None)
        is_low = vital is not None and vital.most is not None and vital.now < vital.most
        if (member.conditions or member.wounds or is_low) and evening.called(member.who) not in end:
            yield member.who
    about = {thread.who for thread in evening.page.threads}
    fallen = [evening.called(fall.who) for fall in evening.page.falls if fall.lasting and fall.who in about]
    yield from (who for who in fallen if not is_listed(who, end))


def lead_unsound(evening: Evening) -> Iterator[str]:
    """Yield what is wrong with the lead."""
    yield from lead_faults(evening.page)


def is_listed(who: str, end: str) -> bool:
    """Return whether a list names somebody, or one of several of a kind: `the first and second drovers`."""
    found = re.fullmatch(r"the ([a-z]+) (\w{2}).*", who)
    several = rf"the [a-z, ]*\b{found[1]}\b[a-z, ]* {found[2]}" if found else ""
    return who in end or bool(several and re.search(several, end))


def night_missing(evening: Evening) -> Iterator[str]:
    """Yield the roll of the night if the post or the chronicle lacks it, or tells a number that was not close."""
    night = evening.page.night
    for text in (evening.post, plain_chronicle(evening)) if night else ():
        _, found, told = text.partition("Roll of the night")
        yield from [] if found else ["no roll of the night"]
        scores = re.findall(r"\(([0-9-]+) against ([0-9-]+)\)", told.splitlines()[0] if found else "")
        yield from (f"{total} against {target}" for total, target in scores if abs(int(total) - int(target)) > 1)


def bookkeeping_at_the_end(evening: Evening) -> Iterator[str]:
    """Yield what the posts have of a sheet: wounds with their value, pools with their points, `1 more`."""
    short = "".join(f"{line}\n" for line in short_post(evening.page, STYLES["text"]))
    yield from re.findall(r"\bwounds? (?:of )?[0-9]+|\b[0-9]+ wounds?\b|\b[0-9]+ more\b", evening.post + short)


def reasons_lost(evening: Evening) -> Iterator[str]:
    """Yield the reasons that people gave for what they ruled, which the post has not though there was room."""
    reasons = [each.because for each in evening.page.rulings if each.name == RULING and each.text and each.because]
    room = FULL - len(evening.post)
    yield from (text for text in reasons if text.rstrip(".") not in evening.post and len(text) < room)


def quotes_of_several(evening: Evening) -> Iterator[str]:
    """Yield quotes that stand behind a sentence of several, so that nobody knows who said them."""
    own = [passage.text for passage in evening.page.story if passage.kind == "quote"]
    for text in own:
        yield from re.findall(rf'(?:^|[.?!"] )[A-Z]\w+ and [A-Z]\w+ [^.?!":]*: "{re.escape(text)}"', evening.post, re.M)


def numbers_in_sentences(evening: Evening) -> Iterator[str]:
    """Yield sentences of the story with a number that is no part of a name."""
    names = [being.name for being in evening.known.beings]
    for sentence in evening.sentences:
        bare = CHANGED.sub("", OWN.sub("", sentence.text))
        for said in (*names, *(f": {text}" for text in evening.known.own_words)):
            bare = bare.replace(said, "")
        if re.search(r"[0-9]", bare):
            yield sentence.text


def false_words(evening: Evening) -> Iterator[str]:
    """Yield what the ledger does not know."""
    for text in (evening.post, evening.chronicle):
        yield from (f"{each.kind} {each.text}: {each.hint}" for each in text_doubts(text, evening.known))


QUESTIONS: Final = (
    outcome_late, deaths_without_doer, quotes_lost, words_of_fights, entry_numbers, present_tense, names_again,
    forms_in_a_row, stubs, notes_run_in, words_in_brackets, numbers_and_names_at_the_end, lead_said_twice,
    unnamed_at_the_end, numbers_in_sentences, false_words, night_missing, bookkeeping_at_the_end, reasons_lost,
    quotes_of_several, lead_unsound,
)  # fmt: skip
