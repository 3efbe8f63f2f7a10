"""The phrases of facts about beings: their sheets, numbers, actions, wounds, conditions, and their dice."""

from __future__ import annotations

from typing import Any

from cli.phrases import conditions, counts, movements, results, ties
from cli.phrases.actions import action_names, action_text, amount_text
from cli.phrases.parts import readable, with_article, wound_name
from cli.phrases.patterns import Names, fill_but_verbs
from cli.phrases.phrase import Phrase
from ledger import facts
from ledger.facts import GM
from ledger.names import escape, word_list
from rulebooks.common.texts import Wording

# Beings


def joined_phrase(fact: facts.Joined, wording: Wording, names: Names) -> Phrase:
    """A being came into play with its sheet."""
    return Phrase(who=fact.who, subject=names(fact.who), verb="join", note=escape(fact.kind))


def sheet_changed_phrase(fact: facts.SheetChanged, wording: Wording, names: Names) -> Phrase:
    """An entry of a sheet changed."""
    if fact.key in wording.sheets:
        text = fill_but_verbs(wording.sheets[fact.key], {"who": names(fact.who), "was": fact.was, "now": fact.now})
        return Phrase(who=fact.who, text=text, why=escape(fact.because))
    now = "none" if fact.now is None else fact.now
    return _number(fact.who, readable(fact.key).replace(".", " "), fact.was, now, escape(fact.because), names)


def placed_phrase(fact: facts.Placed, wording: Wording, names: Names) -> Phrase:
    """A being moved to a place (a zone, say), and to a `square` of it where the place has squares."""
    return Phrase(who=fact.who, subject=names(fact.who), verb="be", object=movements.place_words(fact, wording))


def linked_phrase(fact: facts.Linked, wording: Wording, names: Names) -> Phrase:
    """A tie from one being to another (neighbour, holds, member) began, or ended (`on` false)."""
    return Phrase(who=fact.one, text=ties.tie_text(fact, wording, names))


# Dice


def rolled_phrase(fact: facts.Rolled, wording: Wording, names: Names) -> Phrase:
    """Dice were rolled."""
    return Phrase(who=fact.who, text=f"{escape(fact.purpose)}: {results.faces(fact)}", is_silent=True)


def judged_phrase(fact: facts.Judged, wording: Wording, names: Names) -> Phrase:
    """A result, with the one against whom it is where no target number stands for them."""
    against = escape(fact.against) if fact.target is None and fact.against != fact.who else ""
    why = "" if fact.what in wording.measures else results.score(fact, wording)
    if fact.who and not fact.against and fact.result.startswith((f"{fact.who} ", f"{fact.who}'s ")):
        return Phrase(text=escape(fact.result), why=why, note=against)  # a sentence of its own
    what = "" if fact.what in (*wording.unsaid, *wording.effects) else escape(fact.what)
    value = f"{what} {escape(fact.result)}".lstrip()
    who = fact.who if fact.rolls or not fact.against else ""
    judged = ": ".join(part for part in (what, escape(fact.result)) if part)
    text = f"{names(who)}'s {judged}" if who and (what or fact.window) else f"{names(who)}: {judged}" if who else judged
    text += " is final" if fact.final and fact.window else ""
    return Phrase(who=who, value=value, text=text, why=why, note=against)


# Numbers


def _number(
    who: str, value: str, was: facts.Scalar | None, now: facts.Scalar, why: str, names: Names, **more: Any
) -> Phrase:
    """Return the phrase of a number that changed."""
    owner = f"{names(who)}'s {value}" if who and who != GM else value
    return Phrase(who="" if who == GM else who, subject=owner, value=value, was=was, now=now, why=why, **more)


def pool_set_phrase(fact: facts.PoolSet, wording: Wording, names: Names) -> Phrase:
    """A pool that is opened, or whose value or bounds a ruling changed."""
    is_bound = fact.because and fact.was == fact.now and fact.most is not None
    was = fact.was if fact.because and not is_bound else None
    return _number(
        fact.who, readable(fact.pool), was, f"{fact.now} of {fact.most}" if is_bound else fact.now, "", names
    )


def points_spent_phrase(fact: facts.PointsSpent, wording: Wording, names: Names) -> Phrase:
    """Points left a pool by choice."""
    return _number(fact.who, readable(fact.pool), fact.now + fact.points, fact.now, escape(fact.because), names)


def points_regained_phrase(fact: facts.PointsRegained, wording: Wording, names: Names) -> Phrase:
    """Points came back to a pool."""
    return _number(fact.who, readable(fact.pool), fact.now - fact.points, fact.now, readable(fact.because), names)


def points_lost_phrase(fact: facts.PointsLost, wording: Wording, names: Names) -> Phrase:
    """Points were taken from a pool."""
    why, over = readable(fact.because), f"{fact.over} over" if fact.over else ""
    return _number(fact.who, readable(fact.pool), fact.now + fact.points, fact.now, why, names, by=fact.by, note=over)


def tokens_moved_phrase(fact: facts.TokensMoved, wording: Wording, names: Names) -> Phrase:
    """A number of tokens changed."""
    was = fact.now - fact.change if fact.change else None
    why = escape(fact.because) if fact.change else ""
    is_silent = not fact.change and fact.who == GM
    return _number(fact.who, readable(fact.token), was, fact.now, why, names, is_silent=is_silent)


def counted_phrase(fact: facts.Counted, wording: Wording, names: Names) -> Phrase:
    """A count: a distance, a number that stays, or one that is cleared soon, which a log leaves out."""
    if fact.change > 0 and fact.name in wording.moves:
        text = fill_but_verbs(
            wording.moves[fact.name][fact.change != 1], {"who": names(fact.who), "change": fact.change}
        )
        return Phrase(who=fact.who, text=text, is_silent=True)  # movements say it once for those who move as one
    is_silent = bool(fact.until) or not fact.change
    if is_silent and (text := counts.count_sentence(fact.who, fact.name, fact.now, "", wording)):
        return Phrase(who=fact.who, text=text, is_silent=True)
    was, why = fact.now - fact.change, escape(fact.because)
    return _number(fact.who, readable(fact.name), was, fact.now, why, names, is_silent=is_silent)


def counts_cleared_phrase(fact: facts.CountsCleared, wording: Wording, names: Names) -> Phrase:
    """All counts with this `until` were cleared, of one being or of all (`who` empty)."""
    of = f"{names(fact.who)}'s counts" if fact.who else "the counts"
    return Phrase(who=fact.who, text=f"{of} of the {readable(fact.until)} begin anew", is_silent=True)


# Actions


def allowed_phrase(fact: facts.Allowed, wording: Wording, names: Names) -> Phrase:
    """Beings received their actions."""
    actions = action_names([readable(name) for name, _ in fact.actions] or ["no"])
    return Phrase(subject=word_list([*map(names, fact.who)] or ["nobody"]), verb="have", object=actions, is_silent=True)


def action_spent_phrase(fact: facts.ActionSpent, wording: Wording, names: Names) -> Phrase:
    """What somebody did with an action; what is an amount and no action as the book says it."""
    what = amount_text(fact.action, fact.cost, wording) or action_names([readable(fact.action)])
    return Phrase(who=fact.who, text=action_text(names(fact.who), fact.outcome, what))


# Wounds and conditions


def wounded_phrase(fact: facts.Wounded, wording: Wording, names: Names) -> Phrase:
    """A wound with its value, where the book has kinds of wounds, else the number of wounds."""
    several = fact.value != 1 and not fact.kind
    wound = f"{fact.value} wounds" if several else with_article(wound_name(fact.kind))
    amount = f"of {fact.value}" if fact.kind else ""
    note = "" if fact.in_force else "not in force yet"
    return Phrase(who=fact.who, subject=names(fact.who), verb="take", object=wound, amount=amount, note=note)


def wound_changed_phrase(fact: facts.WoundChanged, wording: Wording, names: Names) -> Phrase:
    """The new state of a wound, with the name under which it is healed."""
    wound = f'wound "{escape(fact.wound)}"'
    subject = wound if fact.who in fact.wound else f"{names(fact.who)}'s {wound}"
    if not fact.value:
        return Phrase(who=fact.who, subject=subject, verb="have", object="healed", why=escape(fact.because))
    force = "in force" if fact.in_force else "not in force yet"
    now = f"{escape(fact.kind)} {fact.value}".lstrip()
    return Phrase(who=fact.who, subject=subject, verb="be", object=f"{now}, {force}", why=escape(fact.because))


def condition_began_phrase(fact: facts.ConditionBegan, wording: Wording, names: Names) -> Phrase:
    """A condition began for a being, until the first of its `ends`."""
    text = conditions.begin_template(fact, wording, names)
    return Phrase(
        who=fact.who, text=text or f"a note of {names(fact.who)}'s {readable(fact.name)} is made", is_silent=not text
    )


def condition_ended_phrase(fact: facts.ConditionEnded, wording: Wording, names: Names) -> Phrase:
    """A condition ended."""
    text = conditions.end_template(fact, wording, names)
    note = f"the note of {names(fact.who)}'s {readable(fact.name)} is struck"
    why = "" if fact.because in text else escape(fact.because)
    return Phrase(who=fact.who, text=text or note, why=why, is_silent=not text)
