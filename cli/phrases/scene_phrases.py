"""The phrases of facts about the session, encounters, time, what is open, and what the table decides."""

from __future__ import annotations

from typing import Final

from cli.phrases import encounters, results, verbs, windows
from cli.phrases.parts import passing, readable, settings
from cli.phrases.patterns import Names, fill_but_verbs
from cli.phrases.phrase import Phrase
from cli.phrases.throws import speaker_name
from ledger import facts
from ledger.names import escape, plural, word_list
from rulebooks.common.texts import Wording

CORRECTIONS: Final = {
    "undo": "takes back",
    "retcon": "amends",
    "drop": "removes",
    "insert": "inserts",
    "answer": "answers",
    "revoke": "takes back the correction",
    "restore": "restores the earlier declaration of",
    "stand": "notes an error and changes nothing:",
    "compensate": "notes an error and adjusts its values:",
}
POINTS: Final = {
    "round": "round {round} begins",
    "round_end": "round {round} ends",
    "phase": "the {phase} phase begins",
    "phase_end": "the {phase} phase ends",
    "slot": "{who}'s turn begins",
    "slot_end": "{who}'s turn ends",
    "skipped": "{who} is skipped",
    "reordered": "the order is set anew",
    "handed": "it is {who}'s turn",
    "resumed": "{who}'s turn goes on",
    "awaited": "a declaration of {who} is due",
}
HIDDEN: Final = "something that the players do not see"


# The session


def campaign_created_phrase(fact: facts.CampaignCreated, wording: Wording, names: Names) -> Phrase:
    """A campaign was created."""
    ledger, game = f"ledger {escape(fact.ledger)}", escape(fact.game)
    return Phrase(subject=escape(fact.name), verb="be", object="created", note=game, detail=ledger)


def words_added_phrase(fact: facts.WordsAdded, wording: Wording, names: Names) -> Phrase:
    """A player's words were added to the dice key, before the first die of the session."""
    return Phrase(who=fact.who, text=f"words of {names(speaker_name(fact.who))} go into the dice")


def chain_committed_phrase(fact: facts.ChainCommitted, wording: Wording, names: Names) -> Phrase:
    """A player's page committed to a chain of links for shared dice."""
    links = plural(fact.length, "link", "links")
    return Phrase(
        who=fact.who,
        text=f"{names(fact.who)}'s page shares the dice",
        detail=f"it commits to {links}: {escape(fact.chain[:8])}…",
    )


def withheld_phrase(fact: facts.Withheld, wording: Wording, names: Names) -> Phrase:
    """Keeps the place of a fact that the reader may not see, so that the others keep their numbers."""
    return Phrase(text=HIDDEN, is_silent=True)


def declared_phrase(fact: facts.Declared, wording: Wording, names: Names) -> Phrase:
    """The first fact of every entry."""
    return Phrase(who=fact.by, subject=names(fact.by), verb="say", object=escape(fact.line), is_silent=True)


def session_opened_phrase(fact: facts.SessionOpened, wording: Wording, names: Names) -> Phrase:
    """A session was opened with a commitment to its seed."""
    text = f"session {fact.number} opens" + (f": {escape(fact.title)}" if fact.title else "")
    fixed = (", a fixed seed" if fact.fixed else "") + (", dice shared" if fact.shared_dice else "")
    players = f"; words may come from {escape(word_list(fact.players))}" if fact.players else ""
    book = f"{escape(fact.rulebook)}, revision {fact.revision}"
    return Phrase(text=text, detail=f"commitment {escape(fact.commitment)} ({book}{fixed}){players}")


def session_closed_phrase(fact: facts.SessionClosed, wording: Wording, names: Names) -> Phrase:
    """A session was closed and its seed (64 hex digits) revealed."""
    seed = f"seed {escape(fact.seed)}" if fact.seed else "its seed is lost: what was drawn from it stays unproved"
    return Phrase(subject="the session", verb="close", detail=seed)


# Encounters and time


def encounter_began_phrase(fact: facts.EncounterBegan, wording: Wording, names: Names) -> Phrase:
    """An encounter began."""
    return Phrase(subject=escape(fact.kind or fact.scale), verb="begin", text=encounters.encounter_start_line(fact))


def encounter_ended_phrase(fact: facts.EncounterEnded, wording: Wording, names: Names) -> Phrase:
    """An encounter ended."""
    return Phrase(subject=escape(fact.encounter), verb="be", text=encounters.encounter_end_line(fact))


def order_set_phrase(fact: facts.OrderSet, wording: Wording, names: Names) -> Phrase:
    """The turn order was set, first to last."""
    return Phrase(text=f"order: {encounters.turn_order(fact.slots)}", why=escape(fact.because))


def reached_phrase(fact: facts.Reached, wording: Wording, names: Names) -> Phrase:
    """A point of the turn cycle."""
    point = POINTS.get(fact.point, "{point} is reached")
    fields = {"point": readable(fact.point), "round": fact.round, "phase": readable(fact.phase)}
    return Phrase(who=fact.who, text=point.format(**fields, who=names(fact.who)), is_silent=True)


def time_passed_phrase(fact: facts.TimePassed, wording: Wording, names: Names) -> Phrase:
    """The clock of the story advanced."""
    return Phrase(text=passing(fact.seconds), why=escape(fact.because))


def rested_phrase(fact: facts.Rested, wording: Wording, names: Names) -> Phrase:
    """A being rested, as the book says it."""
    text = fill_but_verbs(wording.rests.get(fact.rest, ""), {"who": names(fact.who)})
    kind = "" if text else readable(fact.rest)
    broken = "" if fact.whole else "broken off"
    return Phrase(who=fact.who, subject=names(fact.who), verb=verbs.REST, text=text, why=kind, note=broken)


# Windows


def window_opened_phrase(fact: facts.WindowOpened, wording: Wording, names: Names) -> Phrase:
    """A window opened."""
    text = windows.open_text(fact.kind, fact.who, fact.awaits, wording)
    return Phrase(who=fact.who, text=text or f"{readable(fact.kind)} of {names(fact.who)} is open", is_silent=not text)


def window_changed_phrase(fact: facts.WindowChanged, wording: Wording, names: Names) -> Phrase:
    """The roll or attack that waits changed."""
    return Phrase(text=f"the {escape(fact.window)} changes", is_silent=True)


def window_closed_phrase(fact: facts.WindowClosed, wording: Wording, names: Names) -> Phrase:
    """A window closed, and what its result caused has come before."""
    text = windows.closed_text(fact, wording)
    return Phrase(text=text or f"{escape(fact.window)}: {escape(fact.outcome)}", is_silent=not text)


# The table


def option_set_phrase(fact: facts.OptionSet, wording: Wording, names: Names) -> Phrase:
    """The table set an option, which applies to every later declaration."""
    name = escape(fact.name)
    return Phrase(subject=name, value=name, was=fact.was, now=fact.now, why=escape(fact.because))


def ruled_phrase(fact: facts.Ruled, wording: Wording, names: Names) -> Phrase:
    """The game master ruled."""
    why = "" if fact.because == fact.text else escape(fact.because)
    text = ": ".join(part for part in (readable(fact.name), escape(fact.text)) if part)
    sets = f": {settings(fact.sets)}" if fact.sets and not fact.text else ""
    return Phrase(text=text + sets, why=why, note="" if fact.scope == "once" else f"for the {escape(fact.scope)}")


def amended_phrase(fact: facts.Amended, wording: Wording, names: Names) -> Phrase:
    """An earlier entry was corrected."""
    agreed = f"agreed by {escape(', '.join(fact.agreed))}" if fact.agreed else ""
    did = CORRECTIONS.get(fact.outcome, escape(fact.outcome))
    return Phrase(text=f"{did} {escape(fact.entry)}", why=escape(fact.because), note=agreed)


def invalidated_phrase(fact: facts.Invalidated, wording: Wording, names: Names) -> Phrase:
    """A correction made this declaration impossible."""
    return Phrase(text=f"no longer possible: {escape(fact.code)}", detail=escape(fact.what), is_wrong=True)


def told_phrase(fact: facts.Told, wording: Wording, names: Names) -> Phrase:
    """A scene title, fiction, a quote or a deed, for the recap."""
    return Phrase(who=fact.by, text=f"{names(fact.by)}: {escape(fact.text)}", is_silent=True)


def revealed_phrase(fact: facts.Revealed, wording: Wording, names: Names) -> Phrase:
    """Something hidden was shown to the players."""
    return Phrase(subject="the players", verb="see", object=f"{escape(fact.entry or fact.who)} from now on")


def claimed_phrase(fact: facts.Claimed, wording: Wording, names: Names) -> Phrase:
    """The table stated a value."""
    text = f"{results.claim_text(fact, wording)}: {results.claim_verdict(fact)}"
    return Phrase(text=text, is_wrong=fact.claimed != fact.actual)
