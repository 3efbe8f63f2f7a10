"""What somebody tries, as it follows `manages to`: verbs as people type them, in one table of forms.

A task is typed as a verb (`sneak`, `finds tracks`, `climbing`) or as a noun (`lore`, `lock picking`), which has no
infinitive: it follows `succeeds at`. `infinitive` alone decides which it is; a word that it does not know is a noun.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

IRREGULAR: Final = {"has": "have", "is": "be", "does": "do", "goes": "go"}  # third persons that no rule makes
VERBS: Final = frozenset([
    "accuse", "act", "adjust", "admire", "advise", "aim", "alert", "amuse", "announce", "answer", "apologise",
    "apologize", "appear", "approach", "argue", "arm", "arrange", "ask", "assemble", "attach", "attack", "attract",
    "avoid", "awaken", "balance", "bandage", "bar", "bargain", "barricade", "bash", "beat", "befriend", "beg", "begin",
    "bend", "betray", "bind", "bite", "blast", "blend", "bless", "blink", "block", "bluff", "board", "borrow", "bounce",
    "brace", "break", "breathe", "brew", "bribe", "bring", "brush", "build", "burn", "burst", "bury", "buy", "call",
    "calm", "camouflage", "carry", "carve", "cast", "catch", "chant", "charge", "charm", "chase", "chat", "cheat",
    "check", "choke", "choose", "chop", "circle", "claim", "claw", "clean", "clear", "climb", "cling", "close", "club",
    "coax", "collect", "come", "comfort", "command", "communicate", "compare", "compose", "conceal", "concentrate",
    "confess", "confirm", "confront", "confuse", "conjure", "connect", "console", "consult", "contact", "control",
    "convince", "cook", "copy", "correct", "count", "cover", "crack", "craft", "crawl", "cross", "crouch", "crush",
    "cure", "curl", "curse", "cut", "cycle", "damage", "dance", "dare", "dart", "daze", "deceive", "decipher", "decode",
    "decorate", "defend", "defuse", "delay", "deliver", "demand", "demolish", "describe", "destroy", "detect",
    "determine", "dig", "direct", "disarm", "discern", "discover", "disguise", "dismantle", "dispel", "dissuade",
    "distract", "dive", "dodge", "drag", "drain", "draw", "dress", "drill", "drink", "drive", "drop", "drown", "drum",
    "duck", "dump", "earn", "eat", "eavesdrop", "embarrass", "empty", "encourage", "endure", "engrave", "enter",
    "entertain", "escape", "estimate", "evacuate", "evade", "examine", "exit", "explain", "explore", "expose",
    "extinguish", "fake", "fall", "fast", "fasten", "fear", "feed", "feel", "feign", "fend", "fetch", "fight", "figure",
    "fill", "filter", "find", "finish", "fire", "fish", "fit", "fix", "flatten", "flatter", "flee", "flinch", "flip",
    "flirt", "fly", "focus", "foil", "fold", "follow", "fool", "forage", "force", "forge", "free", "gather", "gaze",
    "get", "give", "glance", "glare", "gnaw", "go", "grab", "grapple", "grease", "greet", "grip", "guard", "guess",
    "guide", "hack", "haggle", "hail", "hammer", "handle", "hang", "harvest", "haul", "haunt", "heal", "hear", "heat",
    "help", "hesitate", "hide", "hit", "hold", "hope", "hover", "howl", "hum", "hunt", "hurl", "hurry", "hurt",
    "identify", "ignite", "ignore", "imitate", "impress", "improvise", "infer", "infiltrate", "inform", "insert",
    "insist", "inspect", "inspire", "install", "insult", "intercept", "interpret", "interrogate", "interrupt",
    "intimidate", "invent", "investigate", "jam", "join", "judge", "juggle", "jump", "keep", "kick", "kill", "kiss",
    "kneel", "knit", "knock", "know", "land", "lash", "laugh", "launch", "lay", "lead", "lean", "leap", "learn",
    "leave", "let", "lick", "lie", "lift", "light", "like", "limp", "link", "listen", "load", "lock", "look", "loosen",
    "lose", "love", "lower", "lunge", "lure", "make", "manage", "manipulate", "map", "march", "mask", "measure", "meet",
    "memorise", "memorize", "mend", "mimic", "mislead", "mix", "mock", "modify", "motivate", "mount", "move", "muffle",
    "navigate", "need", "negotiate", "nod", "notice", "obey", "observe", "obtain", "offer", "open", "operate",
    "organise", "organize", "outlast", "outmanoeuvre", "outrun", "outwit", "overcome", "overhear", "overpower",
    "overtake", "own", "pacify", "pack", "paint", "panic", "parry", "pass", "patch", "pay", "peek", "peer", "perceive",
    "perform", "persuade", "pick", "pierce", "pilot", "pin", "placate", "place", "plan", "plant", "play", "plead",
    "please", "plot", "pocket", "point", "poke", "polish", "pose", "pounce", "pound", "pour", "pray", "preach",
    "predict", "prepare", "press", "pretend", "prevent", "prick", "probe", "prod", "promise", "protect", "prove",
    "provoke", "pull", "punch", "purify", "pursue", "push", "put", "quench", "question", "quieten", "quit", "quote",
    "race", "raise", "rake", "rally", "ram", "reach", "read", "reassure", "rebuild", "recall", "recite", "recognise",
    "recognize", "reconstruct", "recover", "recruit", "refuse", "refute", "relax", "release", "remain", "remember",
    "remove", "rename", "repair", "reply", "report", "request", "rescue", "resist", "rest", "restore", "reveal",
    "revive", "ride", "rig", "ring", "rip", "roar", "rob", "roll", "rope", "rouse", "row", "run", "rush", "sabotage",
    "sail", "salute", "save", "saw", "scale", "scan", "scare", "scold", "scout", "scrape", "scratch", "scream", "scrub",
    "seal", "search", "secure", "seduce", "see", "seek", "seize", "sell", "send", "sense", "set", "settle", "sew",
    "shadow", "shake", "shape", "sharpen", "shelter", "shield", "shiver", "shoot", "shout", "shove", "show", "shut",
    "sign", "signal", "silence", "sing", "siphon", "sit", "skate", "skin", "skip", "slam", "slap", "slash", "slay",
    "sleep", "slice", "slide", "slip", "slit", "slow", "smash", "smell", "smile", "smuggle", "snap", "snarl", "snatch",
    "sneak", "sneer", "sneeze", "sniff", "snuff", "sob", "solve", "soothe", "sort", "speak", "spin", "spit", "splint",
    "split", "spot", "spray", "spread", "sprint", "spy", "squeeze", "squint", "stab", "stabilise", "stabilize", "stack",
    "stage", "stagger", "stake", "stalk", "stamp", "stand", "stare", "start", "startle", "starve", "stay", "steady",
    "steal", "steel", "steer", "sting", "stitch", "stoop", "stop", "strangle", "stretch", "strike", "strip", "stroke",
    "study", "stuff", "stumble", "stun", "suck", "suggest", "summon", "support", "surprise", "survive", "suspend",
    "swallow", "swap", "swat", "sway", "swear", "sweep", "swerve", "swim", "swing", "switch", "tackle", "tail", "take",
    "talk", "tap", "taste", "taunt", "teach", "tear", "tell", "tempt", "tend", "test", "thank", "think", "thread",
    "threaten", "throttle", "throw", "thrust", "tie", "tilt", "topple", "toss", "touch", "trace", "track", "trade",
    "train", "trample", "transcribe", "translate", "transport", "trap", "travel", "treat", "tremble", "trick",
    "trigger", "trip", "trust", "tumble", "turn", "twist", "uncover", "understand", "undo", "unfurl", "unlock",
    "unmask", "unscrew", "untangle", "untie", "unveil", "use", "vanish", "vault", "verify", "visit", "volunteer", "vow",
    "wade", "wail", "wait", "wake", "walk", "wander", "want", "warm", "warn", "wash", "waste", "watch", "wear", "weave",
    "weep", "weigh", "weld", "whip", "whisper", "whistle", "wiggle", "win", "wink", "wipe", "wish", "withdraw",
    "withstand", "work", "wound", "wrestle", "wriggle", "write", "yell", "yield",
])  # fmt: skip
WITH_GERUND: Final = frozenset([
    "avoid", "begin", "come", "continue", "enjoy", "finish", "go", "keep", "leave", "practice", "practise",
    "prevent", "quit", "remember", "resist", "risk", "start", "stop", "try",
])  # fmt: skip
OBJECTS: Final = frozenset([
    "a", "an", "the", "his", "her", "its", "their", "my", "your", "our", "this", "that", "these", "those", "him",
    "it", "them", "some", "one", "me", "us", "you", "himself", "herself", "itself", "themselves", "somebody",
    "someone", "something", "everybody", "everyone", "everything", "every", "each", "all", "another",
])  # fmt: skip
PREPOSITIONS: Final = frozenset([  # before an object as a verb is: `down the wet rungs`
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind", "below",
    "beneath", "beside", "between", "by", "down", "for", "from", "in", "inside", "into", "like", "near", "of", "off",
    "on", "onto", "out", "over", "past", "round", "through", "towards", "under", "until", "up", "upon", "with",
    "without", "how", "what", "whatever", "when", "where", "who", "whoever", "why", "whether", "which", "whichever",
    "if",
])  # fmt: skip
SIBILANT: Final = re.compile(r"(?:s|sh|ch|x|z|o)es$")
ACTIVITY: Final = re.compile(r"\w*[aeiouy]\w*ing")  # what is done to the word before it: `lock picking`
REST: Final = "rest"  # also a word of a book, which no other module has
HELPERS: Final = frozenset(["can", "cannot", "could", "may", "might", "must", "shall", "should", "will", "would"])
VOWELS: Final = tuple("aeiou")
AMOUNT: Final = re.compile(r"([0-9]+) ")
DOUBLING: Final = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdgklmnprtv]")  # one short syllable: `drop`, `stun`
DOUBLED: Final = frozenset([
    "admit", "begin", "commit", "compel", "control", "dispel", "forget", "infer", "permit", "prefer", "rebel", "refer",
    "regret", "repel",
])  # fmt: skip
PLURALS: Final = frozenset(["they", "you", "we", "all", "both", "the players"])
OF_BOOKS: Final = frozenset([  # in their sentences, besides those that people try
    "aim", "bloody", "clip", "complete", "cope", "cripple", "declare", "die", "ease", "face", "fade", "fail", "fell",
    "graze", "hurt", "master", "miss", "recover", "reload", "rise", "serve", "share", "shine", "stab", "step",
    "succeed", "try", "ward", "worsen", "wound",
])  # fmt: skip
FORMS: Final = {  # of one now, of several now, of one then, of several then
    "be": ("is", "are", "was", "were"),
    "have": ("has", "have", "had", "had"),
    "do": ("does", "do", "did", "did"),
    "can": ("can", "can", "could", "could"),
    "cannot": ("cannot", "cannot", "could not", "could not"),
    "will": ("will", "will", "would", "would"),
    "may": ("may", "may", "might", "might"),
    "need": ("needs", "need", "needed", "needed"),
}
PASTS: Final = {  # that no rule makes
    "beat": "beat", "become": "became", "begin": "began", "bend": "bent", "bind": "bound", "bite": "bit",
    "break": "broke", "bring": "brought", "build": "built", "burn": "burnt", "buy": "bought", "cast": "cast",
    "catch": "caught", "choose": "chose", "come": "came", "cut": "cut", "deal": "dealt", "dig": "dug",
    "draw": "drew", "drink": "drank", "drive": "drove", "eat": "ate", "fall": "fell", "feel": "felt",
    "fight": "fought", "find": "found", "flee": "fled", "fly": "flew", "forget": "forgot", "get": "got",
    "give": "gave", "go": "went", "grow": "grew", "hang": "hung", "hear": "heard", "hide": "hid", "hit": "hit",
    "hold": "held", "hurt": "hurt", "keep": "kept", "kneel": "knelt", "know": "knew", "lead": "led",
    "lay": "laid", "leap": "leapt", "learn": "learnt", "leave": "left", "let": "let", "lie": "lay", "light": "lit",
    "lose": "lost", "make": "made", "mean": "meant", "meet": "met", "mislead": "misled", "overcome": "overcame",
    "overhear": "overheard", "overtake": "overtook", "outrun": "outran", "pay": "paid", "put": "put",
    "read": "read", "rebuild": "rebuilt", "ride": "rode", "ring": "rang", "rise": "rose", "run": "ran",
    "say": "said", "see": "saw", "seek": "sought", "sell": "sold", "send": "sent", "set": "set",
    "shake": "shook", "shoot": "shot", "shine": "shone", "shut": "shut", "sing": "sang", "sit": "sat", "slide": "slid",
    "smell": "smelt",
    "speak": "spoke", "spin": "spun", "split": "split", "spread": "spread", "stand": "stood", "steal": "stole",
    "stick": "stuck", "sting": "stung", "strike": "struck", "sweep": "swept", "swim": "swam", "swing": "swung",
    "take": "took", "teach": "taught", "tear": "tore", "tell": "told", "think": "thought", "throw": "threw",
    "understand": "understood", "undo": "undid", "wake": "woke", "weave": "wove", "win": "won",
    "bear": "bore", "cling": "clung", "spend": "spent", "wear": "wore",
    "burst": "burst", "feed": "fed", "knit": "knitted", "quit": "quit", "slay": "slew",
    "sleep": "slept", "slit": "slit", "spit": "spat", "swear": "swore", "thrust": "thrust", "weep": "wept",
    "bleed": "bled", "breed": "bred", "creep": "crept", "fling": "flung", "forbid": "forbade", "forgive": "forgave",
    "freeze": "froze", "grind": "ground", "lend": "lent", "mistake": "mistook", "shed": "shed", "shrink": "shrank",
    "sink": "sank", "sling": "slung", "slink": "slunk", "spring": "sprang", "stride": "strode", "string": "strung",
    "strive": "strove", "tread": "trod", "wring": "wrung",
    "withdraw": "withdrew", "withstand": "withstood", "write": "wrote",
}  # fmt: skip
AIM: Final = re.compile(r"^(?:tries to|tries|try to|to|attempts to)\s+", re.IGNORECASE)


def infinitive(text: str, verbs: Collection[str] = ()) -> str:
    """Return a task as it follows `to`: `finds tracks` is `find tracks`. Empty for one that begins with no verb.

    `verbs`: those of the book. Any other word counts as a verb if its object follows: `unfurl the sail`.
    """
    first, space, rest = AIM.sub("", text.strip()).partition(" ")
    word, (nearest, _, _) = first.casefold(), rest.partition(" ")
    known = {*VERBS, *verbs}
    verb = next((each for each in (word, *base_forms(word)) if each in known), "")
    if verb:
        return "" if verb not in WITH_GERUND and ACTIVITY.fullmatch(rest) else verb + space + rest
    if word in PREPOSITIONS or word in OBJECTS:
        return ""
    if nearest.casefold() in OBJECTS or nearest[:1].isupper():
        return next(iter(base_forms(word)), word) + space + rest
    return ""


def base_forms(word: str) -> list[str]:
    """Return the verbs of which a word may be the third person: `forces` is `force`, `carries` is `carry`."""
    if word in IRREGULAR:
        return [IRREGULAR[word]]
    if word.endswith("ies"):
        return [f"{word[:-3]}y", word[:-1]]
    if SIBILANT.search(word):
        return [word[:-2], word[:-1]]
    return [word[:-1]] if word.endswith("s") and not word.endswith("ss") else []


def change_verb(was: int | str, now: int | str | None) -> str:
    """Return the verb for a value that changes: `rise` or `fall` for numbers."""
    if isinstance(was, int) and isinstance(now, int):
        return "rise" if now > was else "fall"
    return "go"


def conjugate(verb: str, subject: str = "", *, past: bool = False) -> str:
    """Return a verb as it follows its subject: `takes` behind `Kess`, `take` behind `Kess and Sable`.

    A second word of the verb stays: `pick up` is `picks up`.
    """
    first, space, rest = verb.partition(" ")
    return _form(first, is_plural(subject), past) + space + rest


def is_plural(subject: str) -> bool:
    """Return whether a subject takes the plural: `you`, `Kess and Sable`, `2 hours`, but not `1 hour`."""
    number = AMOUNT.match(subject)
    if number:
        return number[1] != "1" or len(AMOUNT.findall(subject)) > 1
    return " and " in subject or subject.casefold() in PLURALS


def gerund(verb: str) -> str:
    """Return `listening`, `lying`, `hiding`, `running`, `panicking`."""
    if verb.endswith("ic"):
        return f"{verb}king"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if DOUBLING.fullmatch(verb) or verb in DOUBLED else f"{verb}ing"


def _form(verb: str, plural: bool, past: bool) -> str:
    """Return one form of a verb: of the table, or by rule."""
    forms = FORMS.get(verb)
    if past:
        return forms[2 + plural] if forms else PASTS.get(verb) or _regular_past(verb)
    if plural:
        return forms[1] if forms else verb
    return forms[0] if forms else _third_person(verb)


def _third_person(verb: str) -> str:
    """Return `carries`, `misses`, `falls`."""
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _regular_past(verb: str) -> str:
    """Return `carried`, `forced`, `dropped`, `climbed`."""
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if DOUBLING.fullmatch(verb) or verb in DOUBLED else f"{verb}ed"
