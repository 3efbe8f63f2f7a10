"""How a recap tells the facts of a book: sentences by kind of fact, in `[narration]` of `words.toml`."""

import msgspec


class Narration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sentences of a book.

    A sentence has fields of its fact and texts of the declaration in it, as in `{who} hits {against}`; a text with
    `_ing` behind its name is empty unless it begins with a verb in -ing (`{who} fails at {task_ing}`), one with `_to`
    unless it begins with any other verb (`{who} fails to {task_to}`); that of a ruling with `_told` is in the past, or
    in quotation marks. A part in square brackets is left out when one of its fields is empty, and of alternatives
    between `|` the first is taken that has
    all its fields. A verb stands in angle brackets: `{who} <hit> {against}`. A sentence that is empty is left out. Keys
    are names of the book: `attack success` before `attack`.

    Attributes:
        results: by judgement and result, or `self` where nobody else did it; {which} is what the `*` of a key stands
            for. `area: defence negated` takes the place of `defence negated` for an `area`, and
            `dodge: defence negated` where the roll is called so. One that begins with `...`
            goes on with the sentence before it; with none before it, the one with `alone` behind its key counts. One
            with `close` behind its key is for a roll that came off or failed by a point.
        variants: more sentences for a result, by judgement and result, where its own comes several times in a row.
        felled: sentences that say what a blow caused instead of the blow, by judgement and condition of the other.
        lines: by kind of declaration, or by kind and text, where nothing was rolled.
        rulings: by the name of a ruling. One that ends with a colon leads to what follows, one in brackets is a remark
            on it.
        told: by kind of narration; scenes, fiction and quotes are kept as they are.
        wound_names: what wounds are called, by kind, where kind and value say nothing.
        costs: what was paid for a roll, by the reason or its first word, or by that and `in vain`, or `in vain of
            another` where the sentence is of what somebody else did, with `who` paid; `of the game master` behind the
            reason where the game master paid.
        tasks: sentences of a task that is said in one word without its object: `force` as `force something`.
        vain: what is added to a result of which nothing came, by judgement and result.
        undone: for a judgement with its result, the one that it shows to be in vain, and the sentence for both.
        places: where somebody is of whom a ruling of this name says it, in the words of {because}: the field {place} of
            what they do next.
        harmful: judgements with the result by which a blow took something, so that it was not in vain.
        twice: judgements with the result that are worth a word only the first two times in an evening.
        arms: what one does with a weapon, in place of `hit`, by the end of its name.
        harm: how somebody is who has lost points of a pool, from most that is left to nothing. Without an entry for
            the pool that keeps a being alive it has plain words.
        pools: what a pool is called of which little is left, in a word for who does not know the book.
        out: how somebody went out of a fight, as a sentence of {who}, by condition.
        intents: kinds of lines that only say what somebody is about to do; untold where the deed follows as said.
        free_fields: fields of a line in which somebody says in any words what they do.
        begins: sentences for conditions that begin, in place of those of the log; {about} is whom it is about.
        levels: words for the points of a pool, from 0 up, where the number says nothing.
        peaceful: kinds and scales of encounters in which nobody is against anybody, and words of their first lines.
        several: kinds of beings that are several, whose name takes an article.
        untold: conditions that are not worth a word as they begin, nor as they end; and why time passed unnoticed.
        untold_ends: conditions that are not worth a word as they end, by name or by name and reason.
        ends: sentences for conditions that end, in place of those of the log.
        told_ends: conditions whose end is said though they were not worth a word, or end with a fight.
        ties: ties that a story says, by name, or by name and `ended`.
        turning: conditions that turn a fight.
        decisions: names of rulings that belong to what was decided.
        low: judgements in which a low roll is good.
        poor: results that are nobody's best, whatever came of them.
        rare: results that few rolls have: they turn an evening.
        lost: conditions of those who do not come back.
        fallen: conditions of those who have fallen, the gravest first.
        unable: conditions, graver than those of the fallen, in which nobody gets up from one of these.
        grave: conditions that nobody leaves out of a story.
        losses: reasons for which tokens are lost, not spent.
    """

    results: dict[str, str] = {}
    variants: dict[str, tuple[str, ...]] = {}
    felled: dict[str, tuple[str, ...]] = {}
    lines: dict[str, str] = {}
    rulings: dict[str, str] = {}
    told: dict[str, str] = {}
    wound_names: dict[str, str] = {}
    costs: dict[str, str] = {}
    tasks: dict[str, str] = {}
    vain: dict[str, str] = {}
    undone: dict[str, tuple[str, str]] = {}
    places: dict[str, str] = {}
    harmful: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    arms: dict[str, str] = {}
    harm: dict[str, tuple[str, ...]] = {}
    pools: dict[str, str] = {}
    out: dict[str, str] = {}
    intents: tuple[str, ...] = ()
    free_fields: tuple[str, ...] = ("text",)
    begins: dict[str, str] = {}
    levels: dict[str, tuple[str, ...]] = {}
    peaceful: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    untold_ends: tuple[str, ...] = ()
    ends: dict[str, str] = {}
    told_ends: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    poor: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    unable: tuple[str, ...] = ()
    grave: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
