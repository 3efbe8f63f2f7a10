"""Clauses: what somebody did, people's remarks on it, what it cost and what it changed; and their sentence.

All texts here have marks for names and verbs, which `voice` says aloud.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from cli.phrases.joins import joined_templates
from cli.phrases.parts import in_brackets
from cli.phrases.patterns import NAMED, Marked, fill_but_verbs, mark_name, mark_verb
from cli.story.plain_words import cardinal, plain_words
from ledger.names import capital, word_list

SEVERAL: Final = "several"  # stands for a number in what is said of more than one
ENDS: Final = (".", "?", "!", '"')
LEAD: Final = ":"
ARMS: Final = ("{weapon}", "{foe_weapon}", "{which}")  # fields of the sentence of an attack
BE: Final = f" {mark_verb('be', plural=False)} "
STILL: Final = "still "
ENDED, FALL, GRAVE, WOUND, TURN, HURT, CHANGE, DONE, SMALL, NOTHING = 10, 10, 9, 8, 7, 6, 5, 4, 2, 1  # weights
FAILED: Final = 11  # of a failure outside of fights; it may be one sentence with others
PAID: Final = 10  # of a throw outside of fights that cost a character a token
BEGUN: Final = 12  # of the beginning of a fight
HEALTH: Final = "seen"  # what is seen of the health of those whose numbers are hidden
IT_WAS_RULED: Final = "it was ruled: "  # by a rule of the book
RULED: Final = f"{IT_WAS_RULED}{{text}}[ ({{because}})]|{IT_WAS_RULED}{{because}}"
LEFT: Final = (" and <leave> {who} {how}", ", leaving {who} {how}")
NAME: Final = NAMED.pattern.replace("(", "").replace(")", "")
OWNED: Final = f"{NAME}(?:'s [^\x02\x04,]+?)?"  # somebody, or what is theirs
NAMES: Final = re.compile(NAME)
OTHERS: Final = re.compile(f"{NAME}[^\x02\x04]* \x02")  # somebody who does something
ACT: Final = re.compile(  # of somebody, or of several: what they do stands behind
    rf"(?P<subject>{OWNED}(?:(?:, | and ){OWNED})*)(?P<act>(?: no longer| partly| nearly| half)? \x02.*)",
    re.DOTALL,
)


class TextEffect(msgspec.Struct, frozen=True):
    """What changed: a sentence with marks, and whose it is.

    `how` is what it says of them behind `be`, as in `badly hurt`; `plural` is for the same thing several times. What
    is `minor` is said only where there is nothing else about the same being, what is `bare` only where nothing else is
    said at all. `name` is the condition that began.
    """

    text: str
    whose: str = ""
    how: str = ""
    name: str = ""
    weight: int = CHANGE
    plural: str = ""
    minor: bool = False
    bare: bool = False


class Stroke(msgspec.Struct, frozen=True, kw_only=True):
    """A result of dice in a clause: its sentence and the values of its fields, so that several can be one sentence.

    `failed`: whether it came to nothing; `poor`: whether it is nobody's best; `is_help`: it is for one of their own;
    `verb`: what one does with its weapon.
    """

    what: str
    result: str = ""
    pattern: str
    fields: dict[str, object]
    who: str
    against: tuple[str, ...] = ()
    failed: bool = False
    poor: bool = False
    is_help: bool = False
    verb: str = ""
    others: tuple[str, ...] = ()  # sentences that may take the place of the pattern

    @property
    def key(self) -> str:
        """Return the judgement and its result, as a book has them."""
        return f"{self.what} {self.result}"

    @property
    def sides(self) -> set[str]:
        """Return everybody who had a part in it."""
        return {self.who, *self.against}


def is_armed(blow: Stroke) -> bool:
    """Return whether a blow is an attack: the sentence of the book says with what."""
    return any(arm in blow.pattern for arm in ARMS)


class Clause(msgspec.Struct):
    """A part of a sentence: what happened, people's own words about it, what was paid, and the effects.

    A text that ends with a colon leads to what follows. `tail` goes on with it, perhaps of others; `aside` is what dice
    did besides the result. `close`
    says by how little it came off or failed, `vain` is added where nothing came of it. One that is `apart` begins a
    sentence, one `at_once` belongs to the clause before it. `caused` are effects that the text says already.
    """

    text: str
    tail: str = ""
    aside: str = ""
    blow: Stroke | None = None
    words: list[str] = []
    costs: list[str] = []
    effects: list[TextEffect] = []
    close: str = ""
    vain: str = ""
    caused: list[TextEffect] = []
    apart: bool = False
    at_once: bool = False
    lead: str = ""  # begins its sentence
    link: str = ""  # joins it to the clause before
    form: int = 0  # which of several ways to say what it left
    is_ruling: bool = False
    in_words: bool = False  # a ruling in the table's own words, which stand as they are

    @property
    def trail(self) -> str:
        """Return all with which it goes on."""
        return self.tail + self.aside

    @property
    def leads_on(self) -> bool:
        """Return whether its text leads to what follows."""
        return self.text.endswith(LEAD)

    @property
    def leads(self) -> bool:
        """Return whether it says only why something happened, and nothing yet of what happened."""
        return self.leads_on and not self.changes

    @property
    def is_poor(self) -> bool:
        """Return whether it says that somebody failed, or half failed, at what is against nobody."""
        return self.blow is not None and self.blow.poor and not self.blow.against

    @property
    def is_failure(self) -> bool:
        """Return whether it says that somebody did not bring off, or not wholly, what is against nobody."""
        return self.blow is not None and (self.blow.failed or self.blow.poor) and not self.blow.against

    @property
    def subject(self) -> str:
        """Return the marks of those who act in it; empty if it is no sentence of somebody."""
        found = None if self.leads_on else ACT.fullmatch(self.text)
        return found["subject"] if found else ""

    @property
    def act(self) -> str:
        """Return what those do who act in it, with a space before it; empty if it is no sentence of somebody."""
        found = None if self.leads_on else ACT.fullmatch(self.text)
        return found["act"] if found else ""

    @property
    def changes(self) -> list[TextEffect]:
        """Return the effects that a sentence has room for."""
        effects = net(alike(self.effects, self.blow.against if self.blow else ()))
        if self.text and not self.leads_on:
            return [effect for effect in effects if not (effect.bare or effect.minor)]
        return [effect for effect in effects if not effect.bare] or [effect for effect in effects if effect.text]

    def parts(self) -> tuple[str, bool]:
        """Return the clause as text, and whether more of what its subject does may follow."""
        told, own = self._effects_in_words()
        said = in_brackets(*self.words)
        if not self.text:
            acts = [*(act.removeprefix(" and ") for act in own), *told]
            return ", and ".join(filter(None, (", ".join(acts[:-1]), *acts[-1:]))) + said, False
        came_of_it = any(effect.weight > NOTHING for effect in self.effects)
        paid = "".join(f" {cost}" for cost in self.costs)
        text = self.text.removesuffix(LEAD) + paid + self.trail + self.close + ("" if came_of_it else self.vain)
        first = [act.replace(" and ", ", ", 1) for act in own[:-1]]
        is_apart = bool(self.close or self.aside or self.costs) or self.tail.startswith(",")
        last = [f",{act}" if is_apart and not first and act[:1] == " " else act for act in own[-1:]]
        text += "".join([*first, *last])
        if told and self._is_of_others():
            return f"{text}{said}. {capital(word_list(told))}", False
        if told:
            text += f"{', and ' if len(told) == 1 and not self.leads_on else ': '}{word_list(told)}"
        if said and text.endswith('")'):  # one bracket for all that people said of it
            text, said = text[:-1], f"; {said.removeprefix(' (')}"
        return text + said, not (told or said or self.leads_on or OTHERS.search(self.tail))

    def _is_of_others(self) -> bool:
        """Return whether its effects beside a blow that left its mark are those of others than had a part in it."""
        blow = self.blow
        if blow is None or not blow.against or self.leads_on:
            return False
        others = {effect.whose for effect in self.changes if effect.whose not in blow.sides}
        return (
            "" not in others and bool(others) and all(effect.whose in others or effect.how for effect in self.changes)
        )

    def _effects_in_words(self) -> tuple[list[str], list[str]]:
        """Return the effects as sentences, and those that are acts of the subject, with the word before them."""
        subject, own, texts = self.subject, list[str](), list[str]()
        states, left = states_of(self.changes), list[tuple[str, list[str]]]()
        for hows, beings in states.items():
            is_blow = subject and self.blow is not None and {*beings} <= self.blow.sides
            if is_blow and not {mark_name(each) for each in beings} & {*NAMES.findall(subject)}:
                left.append((hows, beings))
            else:
                texts += [f"{mark_name(each)} {mark_verb('be', plural=False)} {hows}" for each in beings]
        if len(left) > 1:
            own.append(f", leaving {word_list([f'{word_list([*map(mark_name, who)])} {how}' for how, who in left])}")
        own += [self._left(*each, 0 if len(states) > 1 else self.form) for each in left if len(left) == 1]
        others = [effect for effect in self.changes if not effect.how]
        times = Counter(effect.text for effect in others)
        texts += [count_phrase(each, times[each.text]) for each in others]
        told = list[str]()
        for text in joined_templates(texts):
            found = ACT.fullmatch(text)
            if found and subject and found["subject"] == subject:
                is_blow = (
                    self.blow is not None and not self.is_poor and not (self.blow.failed and not self.blow.against)
                )
                is_shared = is_blow and found["act"].startswith(BE) and self.act.startswith(BE)
                own.append(f" and {found['act'].removeprefix(BE)}" if is_shared else f" and{found['act']}")
            else:
                told.append(text)
        return told, own

    def _left(self, how: str, beings: Sequence[str], form: int) -> str:
        """Return that a blow left somebody so: `and hurt them badly`."""
        is_all = self.blow is not None and len(beings) > 1 and {*beings} == {*self.blow.against}
        form = 1 if self.tail.startswith(" and ") else form
        who = Marked("them" if is_all else word_list([*map(mark_name, beings)]))
        patterns = plain_words().blows.get(how, LEFT)
        return fill_but_verbs(patterns[form % len(patterns)], {"who": who, "how": how})


def say_only_falls(clause: Clause, named: Collection[str]) -> None:
    """Leave in a clause only the effects by which others fall than it names: what became of these it says itself."""
    clause.caused = [*clause.caused, *(each for each in clause.effects if each.whose in named)]
    clause.effects = [each for each in clause.effects if each.weight >= GRAVE and each.whose not in named]


def endings_of(clauses: Sequence[Clause]) -> tuple[str, ...]:
    """Return how clauses say what blows left: how somebody is then, in which of the ways."""
    return tuple(f"{how} {each.form}" for each in clauses if each.blow for how in states_of(each.changes))


def alike(effects: Sequence[TextEffect], beings: Sequence[str]) -> list[TextEffect]:
    """Return the effects of one blow on several: where it left one of them so, also how it left the others."""
    is_news = len(beings) > 1 and any(each.how and not each.minor and each.whose in beings for each in effects)
    return [
        msgspec.structs.replace(each, minor=False, how=each.how.removeprefix(STILL))
        if is_news and each.how and each.whose in beings
        else each
        for each in effects
    ]


def states_of(effects: Sequence[TextEffect]) -> dict[str, list[str]]:
    """Return who is how, by how they are: `hurt and prone`."""
    hows: dict[str, list[str]] = {}
    for effect in effects:
        if effect.how:
            hows.setdefault(effect.whose, []).append(effect.how)
    beings: dict[str, list[str]] = {}
    for whose, each in hows.items():
        in_order = sorted(dict.fromkeys(each), key=lambda how: how not in plain_words().harm)
        beings.setdefault(word_list(in_order), []).append(whose)
    return beings


def net(effects: Sequence[TextEffect]) -> list[TextEffect]:
    """Return the effects with only the last of how a being is, and without those that are as before."""
    last: dict[object, TextEffect] = {}
    for index, effect in enumerate(effects):
        key = (effect.whose, "state") if effect.how and not effect.name else index
        if effect.minor and key in last:
            continue
        last.pop(key, None)
        last[key] = effect
    kept = [each for each in last.values() if not (each.how and any(is_graver(other, each) for other in last.values()))]
    return [effect for effect in kept if not (effect.minor and any(is_more(each, effect) for each in kept))]


def is_graver(other: TextEffect, effect: TextEffect) -> bool:
    """Return whether another effect says that the same being fell or died, and not how they are."""
    return other.weight >= GRAVE > effect.weight and not other.how and other.whose == effect.whose


def is_more(other: TextEffect, effect: TextEffect) -> bool:
    """Return whether another effect tells more of the same being."""
    return not other.minor and bool(effect.whose) and other.whose == effect.whose


def change_of_one(effects: Sequence[TextEffect]) -> TextEffect | None:
    """Return what somebody did or lost, if no other effect is of anybody else: `Odile got up`, who was hurt then."""
    acts = [each for each in effects if each.text and not each.how]
    is_of_one = len({each.whose for each in effects}) == 1
    return acts[0] if len(acts) == 1 and (is_of_one or len(effects) == 1) else None


def count_phrase(effect: TextEffect, times: int) -> str:
    """Return an effect that came so many times, in words: `took two wounds`."""
    return effect.plural.replace(SEVERAL, cardinal(times), 1) if times > 1 and effect.plural else effect.text
