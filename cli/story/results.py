"""Results as clauses, with the sentences of the book: who did what to whom, and how it came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.phrases.parts import readable
from cli.phrases.patterns import Fields, Marked, Names, fill_but_verbs, find_pattern, mark_name
from cli.story.being_names import BeingNames
from cli.story.clauses import GRAVE, Clause, Stroke, TextEffect
from cli.story.plain_words import plain_words, plural_noun
from cli.story.task_words import move_words, texts_of
from ledger.facts import GM, ConditionBegan, Fact, Judged, PointsLost, PointsRegained, TokensMoved, Wounded
from ledger.names import capital, word_list
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

GOES_ON: Final = "..."
PAIR: Final = 2  # times that one is told of what is soon stale
SIDES: Final = 2  # of a blow of one against one
CLOSE: Final = {-1: ", by a single point", 0: ", but only just", 1: ", with a single point to spare"}  # by margin
HAIR: Final = ", by a hair"  # of a fall that one point less or more would have spared, and of a life that it saved
SHORT: Final = ", a point short"  # of a life that one point more would have saved
NEAR: Final = "close"  # ends the key of a sentence for a result that was so
HIT: Final = "<hit>"
STRIKE: Final = re.compile(r"<strike>(?= \{\w+\} (\w+))")
AIMED: Final = re.compile(r"<(\w+)>(?= \{against\})")
BAD: Final = "red"
ALONE: Final = "alone"  # ends the key of a sentence for a result that would go on, and goes on with nothing


class Results:
    """Tells results of dice.

    Args:
        narration: the sentences of the book.
        wording: the words of the book for the log.
        names: how somebody is called.
        fallen: returns those who are down before the result.
    """

    def __init__(
        self,
        narration: Narration,
        wording: Wording,
        names: BeingNames,
        fallen: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self.narration, self.wording, self.names, self._fallen = narration, wording, names, fallen
        self.places = dict[str, str]()  # where somebody is, until they have done something there
        self._armed = dict[str, str]()  # whose weapon is known
        self._tails = set[str]()  # what dice did besides results in the fight
        self._twice = Counter[str]()  # results that are worth a word only twice

    @property
    def _falls(self) -> set[str]:
        """Return the conditions of those who fall or die."""
        return {*self.narration.lost, *self.narration.fallen, *self.narration.unable}

    def pattern_of(self, fact: Judged, said: Mapping[str, Any]) -> tuple[str, str]:
        """Return the sentence of a result, or a plain one for dice without words; and what its `*` stands for.

        That of the kind of declaration `said` goes before that of all others, then that of what was rolled for it.
        """
        plain = "{who}: {what} {result}" if fact.rolls and fact.what not in self.wording.effects else ""
        is_own = fact.who == fact.against and f"{fact.what} self" in self.narration.results
        more = "self" if is_own else fact.result
        if self.close(fact) and (near := self.narration.results.get(f"{fact.what} {fact.result} {NEAR}")):
            return near, ""
        for way in (said.get("say", ""), *(roll.partition(" ")[0] for roll in fact.rolls)):
            special = self.narration.results.get(f"{way}: {fact.what} {more}")
            if special is not None:
                return special, ""
        return find_pattern(self.narration.results, fact.what, more) or (plain, "")

    def is_same_blow(self, blow: Stroke | None, fact: Judged, said: Fields) -> bool:
        """Return whether a result joins the one before it, as one blow against several."""
        if blow is None or not fact.against or fact.against in blow.against:
            return False
        pattern, _ = self.pattern_of(fact, said)
        pattern = pattern.replace(HIT, self.verb_of(fact, pattern))
        return (blow.who, blow.what, blow.pattern) == (fact.who, fact.what, pattern) and "{against}" in pattern

    def is_effect(self, fact: Fact) -> bool:
        """Return whether a fact is what dice did besides the result."""
        return isinstance(fact, Judged) and fact.what in self.wording.effects

    def is_failure(self, fact: Judged) -> bool:
        """Return whether a result came to nothing, by the colour that the book has for it."""
        return self.wording.colours.get(fact.result) == BAD

    def clause(self, fact: Judged, episode: Episode, said: Fields, *, alone: bool = False) -> Clause | None:
        """Return a result as a clause. `alone`: it goes on with nothing."""
        pattern, which = self.pattern_of(fact, said)
        if self._is_stale(fact):
            return None
        if alone and pattern.startswith(GOES_ON):
            pattern = self.narration.results.get(f"{fact.what} {fact.result} {ALONE}", pattern)
        weapons = self._news(fact, weapons_of(fact, self.names))
        against = owned_target(fact, episode) or fact.against
        fields = {
            **(said if fact.who == episode.by or is_for_group(fact, episode) else {}),
            **weapons,
            "who": self.names(fact.who),
            "against": self.names(against) if against else "",
            "ally": self._ally(fact),
            "what": fact.what,
            **texts_of({"result": fact.result}, past=True),
            **move_words(which),
            **moved_words(fact.result, episode.facts),
            "total": fact.total,
            "place": self.places.pop(fact.who, "") if "{place}" in pattern else "",
        }
        vain = "" if self._is_harmful(fact, episode) else self._vain(fact)
        others = find_pattern(self.narration.variants, fact.what, fact.result) or ((), "")
        verb = self.verb_of(fact, pattern)
        blow = Stroke(
            what=fact.what,
            result=fact.result,
            pattern=pattern.replace(HIT, verb),
            others=tuple(each.replace(HIT, verb) for each in others[0]),
            fields=fields,
            who=fact.who,
            against=(against,) if against else (),
            failed=self.is_failure(fact),
            poor=fact.result in self.narration.poor,
            is_help={fact.who, fact.against} <= self.names.characters and fact.who != fact.against,
            verb=verb[1:-1],
        )
        text, tail = fill_but_verbs(blow.pattern, fields), self._where(fact, blow, episode)
        told = Clause(text, tail=tail, blow=blow, close=self.close(fact), vain=fill_but_verbs(vain, fields))
        return told if text else None

    def _where(self, fact: Judged, blow: Stroke, episode: Episode) -> str:
        """Return that a weapon did harm to somebody of the other side where they lay; empty for all others."""
        own = {user for user, weapon in fact.using if weapon}
        met = blow.sides - own if own & blow.sides else set[str]()
        is_foe = len({who in self.names.characters for who in blow.sides}) > 1
        harmed = {each.who for each in episode.facts if isinstance(each, ConditionBegan | PointsLost | Wounded)}
        is_harmful = self._is_harmful(fact, episode)
        lying = [who for who in met if is_foe and who in self._fallen() and (is_harmful or who in harmed)]
        pronouns = self.names.pronouns(lying[0]) if lying else None
        return f" where {pronouns.subject} lay" if pronouns else ""

    def _is_stale(self, fact: Judged) -> bool:
        """Return whether a result came so often that it is worth no word any more."""
        key = f"{fact.what} {fact.result}"
        self._twice[key] += key in self.narration.twice
        return self._twice[key] > PAIR

    def _vain(self, fact: Judged) -> str:
        """Return what the book adds to a result of which nothing came."""
        return (find_pattern(self.narration.vain, fact.what, fact.result) or ("", ""))[0]

    def _is_harmful(self, fact: Judged, episode: Episode) -> bool:
        """Return whether a blow took something from its target, also where only the dice say so.

        The points of somebody who is down already are no news, and those of the hidden are not seen.
        """
        lost = (fact for fact in episode.facts if isinstance(fact, PointsLost) and fact.points)
        judged = (each for each in episode.facts if isinstance(each, Judged) and each.against == fact.against)
        harmful = (
            each for each in judged if f"{each.what} {each.result}" in self.narration.harmful and each.total != 0
        )
        return any(each.who == fact.against for each in lost) or any(harmful)

    def _ally(self, fact: Judged) -> str:
        """Return who else is named in a result; empty if nobody is."""
        others = (name for name in self.names.kinds if name not in (fact.who, fact.against))
        named = (name for name in others if re.search(rf"\b{re.escape(name)}\b", fact.result))
        return self.names(next(named, ""))

    def verb_of(self, fact: Judged, pattern: str) -> str:
        """Return what one does with the weapon of a result, as a pattern has it: `<shoot>`."""
        who = fact.against if pattern.startswith("{against}") else fact.who
        weapon = next((weapon for user, weapon in fact.using if user == who), "")
        verbs = (
            verb
            for end, verb in {**plain_words().arms, **self.narration.arms}.items()
            if weapon.casefold().endswith(end)
        )
        return f"<{next(verbs, HIT[1:-1])}>"

    def begin(self) -> None:
        """Begin a fight, in which nobody's weapon is named yet."""
        self._armed.clear()
        self._tails.clear()

    def is_told_effect(self, text: str) -> bool:
        """Return whether dice have done the same besides a result in this fight; it remembers the text."""
        is_told = text in self._tails
        self._tails.add(text)
        return is_told

    def _news(self, fact: Judged, weapons: dict[str, str]) -> dict[str, str]:
        """Return the weapons of a result without those that their owners are known to use."""
        for who, name in ((fact.who, "weapon"), (fact.against, "foe_weapon")):
            weapon = weapons[name]
            if weapon and self._armed.get(who) == weapon:
                weapons[name] = ""
            elif weapon:
                self._armed[who] = weapon
        return weapons

    def close(self, fact: Judged) -> str:
        """Return by how little a result came off or failed; empty where it was not close, or nobody knows."""
        if fact.target is None or fact.result not in self.wording.colours or fact.margin not in CLOSE:
            return ""
        if self.is_failure(fact) != (fact.margin < 0):
            return ""
        if any(name in fact.what for name in self.narration.grave):
            return SHORT if fact.margin < 0 else HAIR
        return CLOSE[fact.margin]

    def sentence(self, blow: Stroke, pattern: str = "", **fields: object) -> str:
        """Return the sentence of a blow with other values in its fields, or by another pattern."""
        return fill_but_verbs(pattern or blow.pattern, {**blow.fields, **fields})

    def warded(self, clause: Clause) -> Clause:
        """Return a blow that somebody kept from them as one that was aimed at them: `shot at Maren`."""
        blow = clause.blow
        pattern = AIMED.sub(aimed, blow.pattern) if blow else ""
        if blow is None or pattern == blow.pattern:
            return clause
        blow = msgspec.structs.replace(blow, pattern=pattern, others=())
        return msgspec.structs.replace(clause, blow=blow, text=self.sentence(blow))

    def name_fall(self, clause: Clause) -> None:
        """Say what a blow caused instead of the blow, where the book has a sentence for it."""
        blow = clause.blow
        if blow is None:
            return
        for effect in sorted(clause.changes, key=lambda effect: -effect.weight):
            patterns = self.narration.felled.get(f"{blow.what} {effect.name}") if effect.name else None
            if patterns and effect.whose in blow.sides and len(blow.sides) <= SIDES:
                first, *others = (STRIKE.sub(lambda found: felling(blow.verb, found), each) for each in patterns)
                clause.blow = msgspec.structs.replace(blow, pattern=first, others=tuple(others))
                clause.text, clause.vain = self.sentence(clause.blow), ""
                clause.close = HAIR if clause.close and effect.name in self._falls else ""
                clause.effects = [each for each in clause.effects if each is not effect]
                clause.caused = [effect]
                is_dead = effect.name in self.narration.lost
                own = [each for each in clause.effects if each.whose == effect.whose]
                own = [each for each in own if each.how or (is_dead and each.weight < GRAVE)]
                clause.effects = [each for each in clause.effects if not any(each is one for one in own)]
                return


def blow_for(change: TextEffect, by: str, characters: Collection[str]) -> Stroke | None:
    """Return what a character did for another without dice, as who stands in for them does; None for all else."""
    if by == change.whose or not {by, change.whose} <= {*characters} or not change.text.startswith(mark_name(by)):
        return None
    return Stroke(what=change.name, pattern=change.text, fields={}, who=by, against=(change.whose,), is_help=True)


def aimed(found: re.Match[str]) -> str:
    """Return what one does who aims a blow: `<shoot> at`, and `<strike> at` for `<hit>`."""
    return f"<{'strike' if found[1] == HIT[1:-1] else found[1]}> at"


def owned_target(fact: Judged, episode: Episode) -> str:
    """Return the thing of its target that a blow struck, as its own throw shows: `Bo's lamp`; empty for none."""
    thrown = (each.who for each in episode.facts if isinstance(each, Judged) and each.against == fact.who)
    return next((who for who in thrown if fact.against and who.startswith(f"{fact.against}'s ")), "")


def is_for_group(fact: Judged, episode: Episode) -> bool:
    """Return whether somebody rolled what the game master asked several for, in whose words it is."""
    return episode.by == GM and not fact.against and isinstance(episode.said.get("who"), list)


def felling(verb: str, found: re.Match[str]) -> str:
    """Return what one does who strikes somebody down with what is used so: `<shoot>`, or `<strike>` as it stands."""
    return f"<{verb}>" if found[1] in plain_words().felling.get(verb, "").split() else found[0]


def moved_words(cause: str, among: Sequence[Fact]) -> dict[str, str]:
    """Return what a result of dice `took` and `gave` back by itself: tokens with a capital letter, and pools."""
    own = [each for each in among if str(getattr(each, "because", "")).casefold() == cause]
    took = [capital(readable(each.token)) for each in own if isinstance(each, TokensMoved) and each.change < 0]
    gave = [readable(each.pool) for each in own if isinstance(each, PointsRegained) and each.points]
    return {"took": word_list([*dict.fromkeys(took)]), "gave": word_list([*dict.fromkeys(gave)])}


def marked_list(names: Sequence[str]) -> Marked:
    """Return marks of names as a sentence lists them."""
    return Marked(word_list(names))


def weapons_of(fact: Judged, names: Names) -> dict[str, str]:
    """Return the weapons of a result in words, `weapon` and `foe_weapon`, and who attacked with theirs, `allies`."""
    weapons: dict[str, list[str]] = {fact.who: [], fact.against: []}
    for who, weapon in fact.using:
        is_named = weapon and weapon.split()[-1].casefold() not in plain_words().natural.split()
        weapons.setdefault(who, []).extend([weapon] if is_named else [])
    own = weapons.pop(fact.who)
    foes = weapons.pop(fact.against, [])
    joint = [*own, *(weapon for theirs in weapons.values() for weapon in theirs)]
    return {
        "weapon": plural_noun(readable(joint[0]))
        if len(joint) > 1 and len(set(joint)) == 1
        else word_list([readable(each) if not index else f"the {readable(each)}" for index, each in enumerate(joint)]),
        "foe_weapon": word_list([*map(readable, foes)]),
        "allies": marked_list([*map(names, weapons)]),
    }
