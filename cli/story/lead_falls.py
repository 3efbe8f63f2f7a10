"""Who fell, in one line: by whom and with what, what they had failed at, and how they are now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product, takewhile
from typing import Final, NamedTuple, Protocol

import msgspec

from cli.phrases.parts import in_brackets, readable, with_article
from cli.story.lead_parts import SEMICOLON, LeadPart, Parts, entry_address
from cli.story.plain_words import cardinal, in_one, is_thing, one_of_several, plain_words, plural_noun
from cli.story.remarks import said_beside
from cli.story.style import STYLES
from cli.story.tense import in_past
from ledger.names import word_list
from projections.recap.falls import GRAVITY, Fall
from projections.recap.party import PartyMember
from projections.recap.threads import AT_LARGE, Thread

PLAIN: Final = STYLES["text"]
DIED: Final = "died"
FELL: Final = "fell"
VERBS: Final = {DIED: ("died", "was killed", "by"), FELL: ("fell", "fell", "to")}  # alone, and with who did it
EACH_MOST: Final = 2  # who are no characters, each with who brought them down
NAMED_MOST: Final = 3  # of more than these, by name
LINES: Final = "#lines"
LEFT: Final = "was left"
COLON: Final = ":"  # before a cause that no sentence can take in
AFTERWARDS: Final = "afterwards "
CAME_ROUND: Final = "came round"
NONE_OF_OURS: Final = LeadPart("none of the party")


class FallenPage(Protocol):
    """What a recap has of those who fell: the party, all falls, what a story calls whom, and what is open.

    `failures` is what characters had failed at right before they fell, by the entry of the fall.
    """

    @property
    def party(self) -> Sequence[PartyMember]:
        """The party at the end."""

    @property
    def falls(self) -> Sequence[Fall]:
        """The falls."""

    @property
    def called(self) -> Mapping[str, str]:
        """What a story calls somebody."""

    @property
    def failures(self) -> Mapping[str, str]:
        """The failures."""

    @property
    def threads(self) -> Sequence[Thread]:
        """What is open."""


class Detail(NamedTuple):
    """How much is said of those who fell: what they had failed at, with what it was done, and that they came round.

    `are` is the verb of how they are: `is`, or `was left` in a story.
    """

    failure: bool
    means: bool
    well: bool
    are: str = "is"


FULL: Final = Detail(failure=True, means=True, well=True)
BARE: Final = Detail(failure=False, means=False, well=False)
DETAILS: Final = (
    FULL,
    FULL._replace(failure=False),
    FULL._replace(well=False),
    FULL._replace(failure=False, means=False),
    BARE._replace(means=True),
    BARE,
)


class FallPhrase(NamedTuple):
    """A fall in words: `fell`, `to`, `Hob's gate bar`, `came round`."""

    verb: str
    link: str
    doer: str
    end: str

    def text(self, *, many: bool, bare: bool) -> str:
        """Return what stands behind those who fell: `many` or one; `bare`: without the verb."""
        verb = "" if bare or not self.verb else f" {self.verb}"
        end = f"{' and' if verb else ''} {self.end}" if self.end else ""
        cause = f"{f' {self.link}' if self.link not in ('', COLON) else self.link}{self.doer}"
        text = f"{verb}{end}{cause}" if self.link == COLON else f"{verb}{cause}{end}"
        return several(text) if many else text


NO_PHRASE: Final = FallPhrase("", "", "", "")  # of somebody of whom all is said


def fall_ways(page: FallenPage) -> Iterator[Parts]:
    """Yield the ways to say who died and who fell, each once: the players' own and the dead first."""
    own = {member.who for member in page.party}
    gravest = dict[str, Fall]()
    for fall in sorted(page.falls, key=lambda fall: (fall.who not in own, GRAVITY.index(fall.kind))):
        if fall.kind in VERBS:
            gravest.setdefault(fall.who, fall)
    party = [fall for fall in gravest.values() if fall.who in own]
    others = [fall for fall in gravest.values() if fall.who not in own]
    tails = [*others_ways(page, others)] if others else [[]]
    if party:
        heads = ([*fall_parts(page, party, detail)] for detail in DETAILS)
        yield from ([*head, *tail] for head, tail in product(heads, tails))
    else:
        yield from ([*head, *tail] for tail, head in product(tails, ([NONE_OF_OURS], [])))
    first = party[:EACH_MOST]
    yield [*fall_parts(page, first, BARE), *more(len(gravest) - len(first))]


def several(text: str) -> str:
    """Return what is said of one, of several."""
    return re.sub(r" (was|is) ", lambda verb: " were " if verb[1] == "was" else " are ", text, count=1)


def fallen_ways(page: FallenPage, fallen: Sequence[Fall], told: Fall | None) -> Iterator[Parts]:
    """Yield the ways a story says who of the characters fell and how they were left; `told` is the fall that is known.

    Of that one only how they were left is said.
    """
    for detail in DETAILS:
        yield [*fall_parts(page, fallen, detail._replace(are=LEFT), told)]
    for number in range(len(fallen) - 1, 0, -1):
        first = [*fall_parts(page, fallen[:number], BARE._replace(are=LEFT), told)]
        yield [*first, LeadPart(f"{cardinal(len(fallen) - number)} more fell")]


def others_ways(page: FallenPage, others: Sequence[Fall]) -> Iterator[Parts]:
    """Yield the ways to say who of the others fell: each by whom; those who died and those who fell; how many."""
    if len(others) <= EACH_MOST:
        yield [*fall_parts(page, others, FULL)]
        yield [*fall_parts(page, others, BARE)]
    yield [*groups(others, page.called)]
    yield [*more(len(others))]


def more(number: int) -> list[LeadPart]:
    """Return that there are so many more."""
    return [LeadPart(f"{number} more", LINES)] if number else []


def groups(fallen: Sequence[Fall], called: Mapping[str, str]) -> Iterator[LeadPart]:
    """Yield those of the others who died in one part, and those who fell in another."""
    for kind, (verb, _, _) in VERBS.items():
        own = in_kinds([called_name(who, called) for who in sorted(fall.who for fall in fallen if fall.kind == kind)])
        if own:
            named = own if len(own) <= NAMED_MOST else [*own[:NAMED_MOST], f"{len(own) - NAMED_MOST} more"]
            yield LeadPart(f"{word_list(named)} {verb}", LINES)


def in_kinds(named: Sequence[str]) -> list[str]:
    """Return names with the number of several of a kind: `two ratcatchers` for the first and the second."""
    kinds = [kind_of(each) or each for each in named]
    many = Counter(kinds)
    told = {each: f"{cardinal(many[each])} {plural_noun(each)}" for each in many if many[each] > 1}
    return list(dict.fromkeys(told.get(kind, name) for kind, name in zip(kinds, named, strict=True)))


def called_name(who: str, called: Mapping[str, str]) -> str:
    """Return what a story calls somebody, to stand inside a sentence."""
    name = PLAIN.text(called.get(who, who))
    return f"the {name[4:]}" if name.startswith("The ") else name


def fall_parts(
    page: FallenPage, fallen: Sequence[Fall], detail: Detail, known: Fall | None = None
) -> Iterator[LeadPart]:
    """Yield who fell, by whom and how they are now; to whom the same happened stand in one list, also how they are.

    Of whoever is `known` to have fallen only how they are is said, or who killed them if that was another.
    """
    words = [fall_words(page, fall, detail) for fall in fallen]
    words = [
        FallPhrase(DIED if fall.kind == DIED else "", "", "", each.end) if is_known(fall, known) else each
        for fall, each in zip(fallen, words, strict=True)
    ]
    same = words[0].end if len({each.end for each in words}) == 1 and len({*words}) > 1 else ""
    words = [each._replace(end="") for each in words] if same else words
    last: FallPhrase | None = None
    for told, places in groupby(range(len(fallen)), words.__getitem__):
        own = [fallen[place] for place in places if told != NO_PHRASE]
        is_bare = bool(last and last.verb == told.verb and last.doer and told.doer and not last.end + told.end)
        is_bare = is_bare and COLON not in (last.link if last else "", told.link)
        is_new = own and not is_known(own[0], known)
        failures = page.failures if detail.failure and is_new else {}
        parts = [*run_parts(page, own, told, is_bare=is_bare, failures=failures)]
        if own and detail.are == LEFT and is_behind_fights(page, own[0]):
            parts[0] = msgspec.structs.replace(parts[0], text=f"{AFTERWARDS}{parts[0].text}")
        yield from parts
        last = told
    if same:
        yield LeadPart(f"{plain_words().pair if len(fallen) == 2 else 'all'}{several(f' {same}')}")


def is_behind_fights(page: FallenPage, fall: Fall) -> bool:
    """Return whether somebody fell outside of a fight, when others had fallen in one."""
    before = takewhile(lambda each: each is not fall, page.falls)
    return not fall.fight and any(each.fight for each in before)


def is_known(fall: Fall, known: Fall | None) -> bool:
    """Return whether a fall is the one that is known, or the death that came of it."""
    return known is not None and fall.who == known.who and {*fall.by} <= {*known.by}


def run_parts(
    page: FallenPage, own: Sequence[Fall], told: FallPhrase, *, is_bare: bool, failures: Mapping[str, str]
) -> Iterator[LeadPart]:
    """Yield those to whom the same happened; several of a kind by their number."""
    names = [called_name(fall.who, page.called) for fall in own]
    kinds, many = in_kinds(names), len(own) > 1
    if len(names) == 1 and own[0].entry in failures:
        names = [f"{failures[own[0].entry]}{',' if told.end else ', and'}"]
    elif len(kinds) == 1:
        names, own = kinds, own[-1:]
    for index, (fall, name) in enumerate(zip(own, names, strict=True)):
        is_last = index + 1 == len(own)
        between = (" and " if is_last else ", ") if index else ", " if is_bare else SEMICOLON
        rest = told.text(many=many, bare=is_bare) if is_last else ""
        yield LeadPart(f"{name}{rest}", entry_address(fall.entry), between)


def fall_words(page: FallenPage, fall: Fall, detail: Detail) -> FallPhrase:
    """Return a fall in words."""
    alone, verb, link = VERBS[fall.kind]
    end = state_now(page, fall, detail.are)
    end = "" if end == CAME_ROUND and not detail.well else end
    if not fall.by:
        return cause_phrase(fall, end, is_story=detail.are == LEFT) if detail.means else FallPhrase(alone, "", "", end)
    doers = word_list([one_of_kind(called_name(who, page.called)) for who in fall.by])
    arms = word_list([readable(each) for each in fall.arms if not is_natural(each)]) if detail.means else ""
    return FallPhrase(verb, link, f" {doers}'s {arms}" if arms else f" {doers}", end)


def cause_phrase(fall: Fall, end: str, *, is_story: bool) -> FallPhrase:
    """Return a fall that nobody did, with its cause: `was killed by a rock`; nobody `fell to a fall`."""
    alone, verb, link = VERBS[fall.kind]
    by, cause = cause_words(fall, is_story=is_story)
    if by == link == VERBS[FELL][2] and cause.endswith(" fall"):
        return FallPhrase("was brought down", "by", cause, end)
    return FallPhrase(verb if by == link else alone, by, cause, end)


def cause_words(fall: Fall, *, is_story: bool) -> tuple[str, str]:
    """Return what somebody fell to, or as what happened: `to`, ` a falling slate`; in brackets where no sentence can.

    `is_story`: in the past, and behind a colon instead.
    """
    done = in_past(fall.because) if is_story and " " in fall.because else ""
    if done and done.casefold() != fall.because.casefold():
        return "as", f" {PLAIN.text(done.partition(', and ')[0])}"
    if done and is_thing(done):
        return VERBS[fall.kind][2], f" {PLAIN.text(done)}"
    if is_story and fall.because:
        return COLON, f" {PLAIN.text(said_cause(fall))}"
    return "", in_brackets(PLAIN.text(fall.because))


def fallen_to(fall: Fall) -> str:
    """Return that somebody fell or died and why, as a story has it behind their name: ` fell to the roof beam`."""
    return cause_phrase(fall, "", is_story=True).text(many=False, bare=False)


def said_cause(fall: Fall) -> str:
    """Return the cause of a fall as a story has it: what people said of it in quotation marks."""
    return said_beside(fall.because) if " " in fall.because else fall.because


def state_now(page: FallenPage, fall: Fall, are: str = "is") -> str:
    """Return how somebody is who fell: `is dying`, `came round`; nothing of the dead."""
    if fall.kind == DIED:
        return ""
    now = next((each.conditions for each in page.party if each.who == fall.who), ())
    now = now or next((each.names for each in page.threads if (each.kind, each.who) == (AT_LARGE, fall.who)), ())
    same = (each for each in now if each.partition(" (")[0] == fall.name)  # `dying (DC 4)`
    is_so = fall.lasting and any(same)  # with what belongs to it: who is dying is unconscious
    states = [fall.name] if is_so or (fall.lasting and not now) else now
    state = word_list([PLAIN.text(readable(in_one(each))) for each in states])
    return f"{are} {state}" if state else CAME_ROUND


def is_natural(arm: str) -> bool:
    """Return whether nobody names a weapon: claws, hands."""
    return arm.split()[-1].casefold() in plain_words().natural.split()


def one_of_kind(name: str) -> str:
    """Return one of several as anybody of them: `a sexton` for the third."""
    kind = kind_of(name)
    return with_article(kind) if kind else name


def kind_of(name: str) -> str:
    """Return the kind of one of several, as in `the third sexton`; empty for anybody else."""
    found = one_of_several(name)
    return found["noun"] if found else ""
