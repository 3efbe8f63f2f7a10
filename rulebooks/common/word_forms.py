"""Forms of English words: `sneaks`, `sneaking` and `sneaked` are forms of `sneak`, and `struck` one of `strike`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ledger.names import fold_case

LEAST: Final = 3  # letters that are left of a word without its ending
SIBILANTS: Final = ("sses", "shes", "ches", "xes", "zzes", "oes")  # of a third person whose verb has no `e`
NO_THIRD_PERSON: Final = ("ss", "us", "is", "ics")  # ends of words that are no third person: `press`, `tactics`
IRREGULAR: Final = {
    form: verb
    for verb, forms in {
        "be": "am is are was were been", "bear": "bore borne", "beat": "beaten", "become": "became",
        "begin": "began begun", "bend": "bent", "bind": "bound", "bite": "bit bitten", "bleed": "bled",
        "blow": "blew blown", "break": "broke broken", "bring": "brought", "build": "built", "burn": "burnt",
        "buy": "bought", "catch": "caught", "choose": "chose chosen", "come": "came", "creep": "crept",
        "deal": "dealt", "dig": "dug", "do": "does did done", "draw": "drew drawn", "drink": "drank drunk",
        "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen", "feel": "felt", "fight": "fought",
        "find": "found", "flee": "fled", "fling": "flung", "fly": "flew flown", "forget": "forgot forgotten",
        "get": "got gotten", "give": "gave given", "go": "goes went gone", "grab": "grabbed", "grow": "grew grown",
        "have": "has had", "hear": "heard", "hide": "hid hidden", "hold": "held", "keep": "kept", "kneel": "knelt",
        "know": "knew known", "lay": "laid", "lead": "led", "leap": "leapt", "leave": "left", "lie": "lay lain",
        "light": "lit", "lose": "lost", "make": "made", "mean": "meant", "meet": "met", "pay": "paid",
        "ride": "rode ridden", "rise": "rose risen", "run": "ran", "say": "said", "see": "saw seen", "sell": "sold",
        "send": "sent", "shake": "shook shaken", "shoot": "shot", "show": "shown", "sing": "sang sung",
        "sink": "sank sunk", "sit": "sat", "sleep": "slept", "slide": "slid", "sling": "slung", "sneak": "snuck",
        "speak": "spoke spoken", "spend": "spent", "spin": "spun", "spring": "sprang sprung", "stab": "stabbed",
        "stand": "stood", "steal": "stole stolen", "stick": "stuck", "strike": "struck stricken",
        "swear": "swore sworn", "swim": "swam swum", "swing": "swung", "take": "took taken", "teach": "taught",
        "tear": "tore torn", "tell": "told", "think": "thought", "throw": "threw thrown", "tread": "trod",
        "understand": "understood",
        "wake": "woke woken", "wear": "wore worn", "win": "won", "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip


SPELLINGS: Final = {  # British, as a book or a table may write it, and American
    "armour": "armor",
    "armoured": "armored",
    "centre": "center",
    "colour": "color",
    "defence": "defense",
    "favour": "favor",
    "grey": "gray",
    "manoeuvre": "maneuver",
    "metre": "meter",
    "offence": "offense",
    "rumour": "rumor",
}


@lru_cache(maxsize=4096)
def base_forms(word: str) -> frozenset[str]:
    """Return the word, and what it may be a form of: `hiding` of `hide`, `tries` of `try`, `running` of `run`.

    A word in British spelling is a form of the American one.
    """
    folded = fold_case(word)
    irregular = {IRREGULAR[folded]} if folded in IRREGULAR else set()
    bases = {folded, *irregular, *(base for base in _bases(folded) if len(base) >= LEAST)}
    return frozenset(bases | {SPELLINGS[base] for base in bases & SPELLINGS.keys()})


def _bases(word: str) -> Iterator[str]:
    """Yield the word without each ending that it has."""
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending):
            yield word.removesuffix(ending)
    for ending in ("ies", "ied"):
        if word.endswith(ending):
            yield f"{word.removesuffix(ending)}y"
    if word.endswith("ing"):
        yield f"{word.removesuffix('ing')}e"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and stem[-2:-1] == stem[-1:]:
            yield stem[:-1]


def without_third_person(word: str) -> str:
    """Return the verb of which a word is the third person: `force` for `forces`; any other word as it is."""
    folded = fold_case(word)
    if folded in IRREGULAR:
        return IRREGULAR[folded] if folded.endswith("s") else word
    if not folded.endswith("s") or folded.endswith(NO_THIRD_PERSON) or len(folded) <= LEAST:
        return word
    if folded.endswith("ies") and len(folded) > len("dies"):
        return f"{word[:-3]}y"
    return word[:-2] if folded.endswith(SIBILANTS) else word[:-1]


def passive_forms(word: str) -> frozenset[str]:
    """Return the base forms of a word, and of `is` for `gets`: `gets hurt`."""
    forms = base_forms(word)
    return forms | base_forms("is") if "get" in forms else forms


def is_same_word(one: str, other: str) -> bool:
    """Return whether two words are forms of one word."""
    return not base_forms(one).isdisjoint(base_forms(other))
