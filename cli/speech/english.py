"""The words of English that a sentence is read with, from `english.toml`: little words, numbers, units, sayings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from rulebooks.common.word_forms import base_forms


class English(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words by what they do in a sentence.

    - `little`: they may stand between the words of a phrase.
    - `possessives`; `articles`; `skipped`: those that say nothing in a phrase.
    - `linking`: they end no object.
    - `threw`: before what a die showed.
    - `throughout`: `all` before them is no group.
    - `times`: they end like a participle and are none; `unswapped`: words like a little one with two letters swapped.
    - `pronouns`; `subjects`, `objects`, `plural` of several, `first_person` of oneself: those who say a line, or
      suffer it.
    - `stressing`: in a correction they change nothing; `settling`: before what a number is to be.
    - `wishing`: before a deed that is not done yet.
    - `each`: behind a group; `in_order`: at the end of what is done to each of several.
    - `everybody`, `every_being`, `foes`: sayings for a group; `both_of_them`: for one of two.
    - `using`, `being_in`, `lacking`: before an item, a situation, and one that does not hold.
    - `saying`: verbs of who is quoted.
    - `reason`: before a reason.
    - `asking`: they begin a question; `interrogatives`: one that nobody answers with yes or no.
    - `slips`, `afterthoughts`: before or behind a correction.
    - `revising`: between what was said and what is meant, in one sentence.
    - `nowadays`: at the end of a question, where they say nothing; `wanting`: before one, where somebody asks for it.
    - `exclamations`: of the `slips`, those that correct nothing by themselves.
    - `requests`: before what somebody asks for.
    - `openings`: before a sentence, they say nothing; `ruling`: before what the game master rules.
    - `fillers`: a clause of such words alone says nothing.
    - `wondering`: they begin a question how it stands; `knowing`: in one that begins with `can`.
    - `audience`: a clause of such words alone calls the table.
    - `mistaken`: in a sentence that speaks of a mistake.
    - `parting`: between two clauses; `unlikely`, besides `denying` and `conditional`: in one that says no deed.
    - `speaking`: behind the name of who says a sentence; `trying`: before what somebody tries.
    - `persons`: what somebody is called whose name is not said.
    - `faring`: behind `how`, in a question how somebody is.
    - `needing`: in one about the number to reach; `perceiving`: in one about who sees whom; `distant`: about how far.
    - `odds`: in a question about chances; `odds_of`: between such a word and the deed.
    - `instead`: before what it was; `undoing`: before what is taken back; `ending`: behind what ends.
    - `setting`: before what it is to be, with the words of `set_to` between; `rather`: it was said otherwise; `thrown`:
      what a line or a die of it is called.
    - `throwing`: between who throws a die and its face.
    - `meanwhile`: before a clause of what somebody does at the same time.
    - `becoming`: between an old value and the new one.
    - `alike`: before what two dice show.
    - `summing`: before what dice make together.
    - `summed`: behind what dice make together.
    - `between_dice`: between the faces of dice that are said one after the other.
    - `levels`: before the number at which a value stands.
    - `several`: those of a group, or all of them but who was named.
    - `steps`: behind a number that counts them, and is no die.
    - `distances`: they measure how far; `roughly`: before a measure that is not exact, `thereabouts`: behind it.
    - `rethrown`: a die that was thrown last, for another.
    - `mates`: behind a possessive, another who is called like the one named before.
    - `repeated`: beside `again` where what was done is done again.
    - `asides`: of two words, they say nothing between dice.
    - `opposing`: before the number that a throw is held against.
    - `outcomes`: how a throw ended.
    - `exploding`: behind a die that was said already.
    - `suffered`: behind a number that is no die; `hitting`, `dealt`: those of a blow, and of what it does.
    - `soaking`, `past_armor`: what armor does with harm, and between harm and what is left of it.
    - `helpless`: of who is down, though alive.
    - `turn_scores`: what the turn order is made of.
    - `counted`: what an amount is of.
    - `adjectives`: between an article and a name.
    - `rolled_on`: before a value that is rolled; `rolls`: behind one.
    - `leads`: before a sentence.
    - `both`: before a group; `pair`: before two.
    - `others`: before one of several of a name.
    - `suffering`: between who gets a blow and the blow.
    - `giving`, `courtesy` with `of`: before who gives it; `attacking`: that one's deed, if no verb says which.
    - `lending`: before the noun of a deed.
    - `going_on`: before a deed with which somebody goes on.
    - `choosing`: before `of` and several, `whichever` before a name: any one of them;
      `whoever`: anybody; `nearer`: behind `is`, which one.
    - `copulas`: between somebody and how they are.
    - `spending`: before what is spent `to` do something.
    - `passive`: between who suffers a deed and its verb.
    - `coming`: words of a question whose turn it is.
    - `denying`, `doubting`: before a verb, they say that it does not happen, or may.
    - `conditional`: they begin a sentence that says nothing of what happens now.
    - `never_now`: words anywhere of what does not happen now, once, and as the rest says.
    - `particles`: they end a verb, which means another without them.
    - `laughs`: they say nothing at the beginning or the end, but that a sentence is a joke or is put right.
    - `dropping`: it ends what somebody does not do after all; `someday`: before what happens at another time.
    - `was` before one of the `planned`: of what was to happen.
    - `repeating`: before one of the `turns` in which it happens again.
    - `again`: of an act that is done once more.
    - `turning`: before a number, they say what it is of.
    - `ranging`: between the first and the last of several numbers.
    - `excluding`: behind a group, before those of it who are not meant.
    - `gains`, `losses`: of a value that rises or falls; `healing`: of one that falls as somebody gets well.
    - `leaving`: before a place that somebody leaves; `reaching`: before one where they go.
    - `upright`, `fallen`, `hurt`: of whom a question asks; `acting`: in one about what somebody
      may still do; `lively`: the value that keeps somebody alive.
    - `on_feet`, `lying`, `unhurt`: with those, of who is described; `having`, `whereabouts`: before what somebody
      holds, or where they are.
    - `crossing`: with `off`, of what somebody has no more; `lost`: of such a thing.
    - `determining`: before a `one` that is no number.
    - `before_is`: before an `'s` that means `is`.
    - `joined`: what an ending behind an apostrophe means; `unmarked`: the two words of one without its apostrophe.
    - `spellings`: a word, by how people also write it.
    - `measures`: the words for what is counted, by how people also say them.
    - `moves`: behind a part of the name of a move of a book.
    - `arms`: the weapons of each kind, by the last part of their names; `blows`: words of what such a weapon does.
    - `additional`: before those who were not there yet, who do something of `arriving`.
    - `kinds`: what those are called as well in whose name a word is.
    - `followers`: behind `and his`, all others of a side.
    - `indefinite`: they name no thing and no place.
    - `titles`: whole, by how names have them. The rest are for numbers.
    """

    little: frozenset[str]
    objects: frozenset[str]
    articles: frozenset[str]
    skipped: frozenset[str]
    linking: frozenset[str]
    settling: frozenset[str]
    pronouns: frozenset[str]
    subjects: frozenset[str]
    both: frozenset[str]
    pair: frozenset[str]
    others: frozenset[str]
    going_on: frozenset[str]
    suffering: frozenset[str]
    giving: frozenset[str]
    lending: frozenset[str]
    courtesy: frozenset[str]
    attacking: tuple[str]
    choosing: frozenset[str]
    whichever: frozenset[str]
    whoever: frozenset[str]
    copulas: frozenset[str]
    additional: frozenset[str]
    arriving: frozenset[str]
    nearer: frozenset[str]
    each: frozenset[str]
    everybody: tuple[str, ...]
    every_being: tuple[str, ...]
    foes: tuple[str, ...]
    both_of_them: tuple[str, ...]
    using: frozenset[str]
    being_in: frozenset[str]
    adjectives: frozenset[str]
    possessives: frozenset[str]
    rolled_on: frozenset[str]
    rolls: frozenset[str]
    lacking: frozenset[str]
    saying: frozenset[str]
    reason: frozenset[str]
    asking: frozenset[str]
    interrogatives: frozenset[str]
    slips: frozenset[str]
    afterthoughts: tuple[str, ...]
    nowadays: tuple[str, ...]
    wanting: tuple[str, ...]
    openings: tuple[str, ...]
    exclamations: frozenset[str]
    requests: tuple[str, ...]
    ruling: tuple[str, ...]
    revising: tuple[str, ...]
    instead: frozenset[str]
    undoing: frozenset[str]
    ending: frozenset[str]
    setting: frozenset[str]
    set_to: frozenset[str]
    rather: frozenset[str]
    stressing: frozenset[str]
    thrown: frozenset[str]
    throwing: frozenset[str]
    meanwhile: frozenset[str]
    becoming: frozenset[str]
    alike: frozenset[str]
    summing: frozenset[str]
    summed: frozenset[str]
    between_dice: frozenset[str]
    asides: tuple[str, ...]
    exploding: frozenset[str]
    opposing: frozenset[str]
    outcomes: frozenset[str]
    repeated: frozenset[str]
    levels: frozenset[str]
    several: frozenset[str]
    steps: frozenset[str]
    distances: frozenset[str]
    roughly: tuple[str, ...]
    thereabouts: tuple[str, ...]
    rethrown: frozenset[str]
    mates: frozenset[str]
    suffered: frozenset[str]
    hitting: frozenset[str]
    dealt: frozenset[str]
    soaking: frozenset[str]
    past_armor: frozenset[str]
    helpless: frozenset[str]
    turn_scores: frozenset[str]
    counted: frozenset[str]
    leads: frozenset[str]
    denying: frozenset[str]
    doubting: frozenset[str]
    conditional: frozenset[str]
    never_now: frozenset[str]
    particles: frozenset[str]
    dropping: frozenset[str]
    someday: tuple[str, ...]
    in_order: tuple[str, ...]
    wishing: frozenset[str]
    laughs: frozenset[str]
    was: frozenset[str]
    planned: frozenset[str]
    repeating: frozenset[str]
    turns: frozenset[str]
    twice: frozenset[str]
    again: frozenset[str]
    turning: frozenset[str]
    ranging: frozenset[str]
    excluding: frozenset[str]
    fillers: frozenset[str]
    audience: frozenset[str]
    wondering: frozenset[str]
    knowing: frozenset[str]
    mistaken: frozenset[str]
    parting: frozenset[str]
    unlikely: frozenset[str]
    speaking: frozenset[str]
    trying: frozenset[str]
    persons: frozenset[str]
    faring: frozenset[str]
    needing: frozenset[str]
    perceiving: frozenset[str]
    distant: frozenset[str]
    odds: frozenset[str]
    odds_of: frozenset[str]
    gains: frozenset[str]
    healing: frozenset[str]
    losses: frozenset[str]
    threw: frozenset[str]
    throughout: frozenset[str]
    times: frozenset[str]
    unswapped: frozenset[str]
    leaving: frozenset[str]
    reaching: frozenset[str]
    moves: frozenset[str]
    before_is: frozenset[str]
    one: frozenset[str]
    upright: frozenset[str]
    fallen: frozenset[str]
    hurt: frozenset[str]
    lively: frozenset[str]
    on_feet: frozenset[str]
    crossing: frozenset[str]
    lost: frozenset[str]
    lying: frozenset[str]
    unhurt: frozenset[str]
    having: frozenset[str]
    whereabouts: frozenset[str]
    acting: frozenset[str]
    determining: frozenset[str]
    followers: frozenset[str]
    indefinite: frozenset[str]
    spending: frozenset[str]
    relating: frozenset[str]
    passive: frozenset[str]
    coming: frozenset[str]
    plural: frozenset[str]
    first_person: frozenset[str]
    ordinals: tuple[str, ...]
    joined: Mapping[str, str]
    spellings: Mapping[str, str]
    unmarked: Mapping[str, str]
    units: Mapping[str, str]
    measures: Mapping[str, str]
    kinds: Mapping[str, str]
    titles: Mapping[str, str]
    arms: Mapping[str, str]
    blows: Mapping[str, str]

    def is_spending(self, word: str) -> bool:
        """Return whether a word, in any form, is one of those before what is spent."""
        return not base_forms(word).isdisjoint(self.spending)


def load_english() -> English:
    """Return the words in `english.toml`; a text there has several."""
    words = tomllib.loads((Path(__file__).parent / "english.toml").read_text(encoding="utf-8"))
    return msgspec.convert(
        {name: each.split() if isinstance(each, str) else each for name, each in words.items()}, English
    )


ENGLISH: Final = load_english()
