// The page of somebody at the table: their sheet, what they may tap, a line to type, the log.
"use strict";
(() => {
  const TOKEN = "token";
  const SHOWN_MOST = 150; // entries of the log
  const VERBS_MOST = 8; // shown at once
  const COMPLETE_AFTER = 150; // milliseconds after the last letter
  const at = (id) => document.getElementById(id);

  // The link hands the token over behind its #, where no server sees it; the address keeps nothing of it.
  const given = new URLSearchParams(location.hash.slice(1)).get("t");
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname);
  }
  const token = sessionStorage.getItem(TOKEN);
  if (!token) {
    at("connection").textContent = "This page needs its whole link. Ask the game master for it, or scan the code again.";
    return;
  }

  const link = sha256("campaign-ledger link name", token).slice(0, 12); // what is kept for a link has no part of its token
  const storeName = `queue ${link}`;
  const store = {
    load: () => JSON.parse(localStorage.getItem(storeName) ?? "null"),
    save: (value) => (value.length ? localStorage.setItem(storeName, JSON.stringify(value)) : localStorage.removeItem(storeName)),
  };
  const clock = { later: (milliseconds, action) => setTimeout(action, milliseconds) };
  const draw = { connection, state, taps: tapsAnew, queue, log, link: (wanted) => watch.link(wanted), taken, answered };
  const net = newNet(token);
  const table = newTable({ net, store, clock, key: () => randomHex(16), tell: (what, ...more) => draw[what](...more) });
  const watch = showWatch({ table, net, link, container: at("witness") });
  const draft = newDraft({ table, container: at("draft"), done: () => (reset(), at("taps").focus({ preventScroll: true })) }); // not the line: it would open the keyboard
  const forecast = newForecast({ table, panel: at("forecast"), form: at("foresee"), policy: at("policy"), choice: at("choice"), container: at("foreseen") });
  let who = null; // of my beings, whose taps are shown
  let path = []; // acts that were tapped, from the verb on
  let isAll = false; // all verbs are shown
  let isAsking = false; // the server, for choices

  addEventListener("online", () => table.resume());

  function taken({ heard }) {
    fill(at("told"), heard && `Heard as: ${heard}`);
  }

  function answered({ question, reply }) {
    fill(at("told"), make("b", {}, `? ${question}`), reply.map((line) => make("p", {}, line)));
  }

  function connection() {
    const text = table.revoked ? "This link is no longer valid. Ask for the new one." : table.online ? "live" : "Connection lost. Trying again.";
    at("connection").textContent = text;
    at("connection").classList.toggle("lost", !table.online);
  }

  // The state

  function state() {
    const { campaign, session, holder, role, turn, beings, speaks_for, words } = table.state;
    at("campaign").textContent = [campaign, session.title].filter(Boolean).join(" · ");
    at("holder").textContent = role === "player" ? holder : role === "gm" ? "Game master" : "Watching";
    at("now").textContent = turn ? [turn.round ? `Round ${turn.round}` : "", turn.phase, turn.text].filter(Boolean).join(" · ") : "No fight is running";
    at("turn").classList.toggle("mine", Boolean(turn?.mine));
    document.title = [turn?.mine && role !== "gm" && "Your turn", campaign].filter(Boolean).join(" · ");
    at("words").textContent = words.join(" ");
    const here = beings.filter((being) => !being.gone && !being.is_empty_thing);
    const own = role === "gm" ? [] : here.filter((being) => speaks_for.includes(being.who));
    fill(at("own"), own.map(card));
    fill(at("others"), here.filter((being) => !own.includes(being)).filter((being) => being.kind !== "item").map(card));
    closing();
    counting();
    watch.state(table.state);
    forecast.state(table.state);
  }

  function card(being) {
    const troubles = [being.place, being.left, being.troubles].filter(Boolean).join(" · ");
    return make(
      "article",
      { class: "sheet" },
      make("h2", {}, being.who),
      make("ul", { class: "pools" }, [...(being.pools ?? []), ...(being.tokens ?? [])].map(pool)),
      troubles && make("p", {}, troubles),
    );
  }

  function pool([name, , now, most]) {
    const bar = most ? make("meter", { min: 0, max: most, value: Math.max(0, now), low: most / 3, "aria-label": name }) : null;
    return make("li", {}, make("span", {}, name), make("b", {}, most ? `${now}/${most}` : String(now)), bar);
  }

  // The time that is left to answer: counted here from what the server has told.
  let upAt = null; // milliseconds of this page's clock

  function tick() {
    if (upAt === null) return;
    const seconds = Math.max(0, Math.ceil((upAt - performance.now()) / 1000));
    at("left").textContent = seconds ? `${seconds} s left to answer, then the dice are thrown.` : "The time is up.";
  }

  setInterval(tick, 500);

  function counting() {
    const { left } = table.state;
    upAt = left === null ? null : performance.now() + left * 1000;
    at("left").hidden = upAt === null;
    tick();
  }

  function closing() {
    const { close, windows, role } = table.state;
    const mine = windows.filter((window) => window.mine);
    const lines = windows.map((window) => `${window.kind}: ${window.who}${window.awaits.length ? `, waits for ${window.awaits.join(", ")}` : ""}`);
    const canClose = close !== null && (role === "gm" || mine.length > 0);
    const canThrow = windows.some((window) => window.kind === "announced" && (role === "gm" || table.state.speaks_for.includes(window.who)));
    fill(
      at("pending"),
      lines.length > 0 && make("p", {}, lines.join("; ")),
      canThrow && button("Throw the dice", () => table.say("go"), { class: "send", "data-key": "go" }),
      canClose && button(`Close: ${close}`, () => table.say("close"), { class: "send", "data-key": "close" }),
    );
  }

  // Taps

  function reset() {
    path = [];
    isAll = false;
    taps();
  }

  function tapsAnew() {
    taps();
    if (draft.isOpen()) draft.look(); // what was allowed may not be any more
  }

  function taps() {
    const beings = table.taps?.beings ?? [];
    const shown = beings.find((each) => each.who === who) ?? beings.find((each) => each.reacts || each.in_turn) ?? beings[0];
    at("taps").hidden = draft.isOpen() || !shown;
    if (!shown) return void fill(at("taps"));
    const tabs = beings.map((each) =>
      button(each.who === "gm" ? "Table" : each.who, () => ((who = each.who), reset()), {
        "aria-pressed": each === shown ? "true" : "false",
        class: each.in_turn || each.reacts ? "due" : null,
        "data-key": `who ${each.who}`,
      }),
    );
    const offered = path.length ? path.at(-1).choices : shown.acts;
    const first = path.length || isAll || offered.length <= VERBS_MOST + 1 ? offered : offered.slice(0, VERBS_MOST);
    const heading = path.length ? path.map((act) => act.label).join(" › ") : shown.reacts ? "Answer" : shown.in_turn ? "Your turn" : "Meanwhile";
    fill(
      at("taps"),
      beings.length > 1 && make("div", { class: "speakers" }, tabs),
      make("h2", {}, heading),
      shown.reacts && make("p", { class: "price" }, "Whoever does not answer lets it come."),
      make(
        "div",
        { class: "grid" },
        first.map((act) => button(act.label || "nobody", () => tap(shown, act), { title: act.about || null, "data-key": `act ${act.label}` })),
        first.length < offered.length && button("More …", () => ((isAll = true), taps()), { class: "quiet", "data-key": "all" }),
        path.length > 0 && button("Back", () => (path.pop(), taps()), { class: "quiet", "data-key": "back" }),
      ),
    );
  }

  async function tap(shown, act) {
    if (isAsking) return; // what is below the act that was tapped before
    const labels = [...path.map((each) => each.label), act.label];
    if (act.line) {
      at("taps").hidden = true;
      draft.open(labels.filter(Boolean).join(" › "), act);
      return;
    }
    let chosen = act;
    if (act.choices.length === 0) {
      const query = new URLSearchParams([["who", shown.who], ...labels.map((label) => ["path", label])]);
      isAsking = true;
      const answer = await table.ask(`/acts?${query}`).catch(() => null);
      isAsking = false;
      chosen = answer?.beings[0]?.acts[0];
      if (!chosen?.choices.length && !chosen?.line) return reset();
      if (chosen.line) return void draft.open(labels.join(" › "), chosen);
    }
    path = [...path, { ...chosen, label: act.label }];
    taps();
    at("taps").querySelector(".grid button")?.focus();
  }

  // What is not answered yet

  function queue() {
    fill(at("queue"), table.queue.map(queued));
    at("queue").hidden = table.queue.length === 0;
  }

  const STATUS = { waiting: "not sent yet", sending: "being sent", held: "held back", asked: "", refused: "not taken" };

  function queued(item) {
    const { line, status, answer } = item;
    const held = status === "held" && table.queue.find((each) => each.status === "held") === item;
    return make(
      "li",
      { class: status },
      make("p", {}, make("span", { class: "said" }, line), ` ${STATUS[status]}`),
      status === "refused" && make("p", { class: "problem" }, [answer?.message, answer?.hint].filter(Boolean).join(". ")),
      status === "refused" && answer?.since?.length > 0 && make("p", {}, `Meanwhile: ${answer.since.join("; ")}`),
      status === "asked" && make("p", {}, answer.question),
      status === "asked" && answer.choices.map((choice) => button(choice.label || choice.line, () => table.replace(item, choice.line), { "data-key": `choice ${choice.line}` })),
      status === "asked" && answer.dice.length > 0 && askedDice(item),
      held && button("Send", () => table.release(), { "data-key": "release" }),
      ["asked", "refused", "held"].includes(status) && button("Drop", () => table.drop(item), { class: "quiet", "data-key": `drop ${item.key}` }),
      status === "refused" && button("Change", () => (setLine(line), table.drop(item)), { class: "quiet", "data-key": `change ${item.key}` }),
    );
  }

  function askedDice(item) {
    item.faces ??= [];
    const sides = item.answer.dice.flatMap((each) => each.sides);
    const take = () => {
      const faces = item.faces.filter(Boolean);
      if (faces.length < sides.length) return queue();
      const [, begun, before] = /^(.*?)(?:\s+\/([\d.]+))?$/.exec(item.line);
      table.replace(item, `${begun} /${[before, ...faces].filter(Boolean).join(".")}`);
    };
    return make("div", {}, faceFields(sides, item.faces, take));
  }

  // The log

  function log(news, whole) {
    const list = at("entries");
    if (whole === null) list.replaceChildren();
    for (const line of news) {
      const item = entry(line);
      const old = list.querySelector(`[data-entry="${CSS.escape(line.entry)}"]`);
      if (old) old.replaceWith(item);
      else list.insertBefore(item, [...list.children].find((each) => isBefore(line.entry, each.dataset.entry)) ?? null);
    }
    while (list.children.length > SHOWN_MOST) list.firstElementChild.remove();
    toEnd();
    at("log").setAttribute("aria-busy", String(whole === null || whole.more)); // nobody wants to hear all of the past
    at("words").textContent = table.words.join(" ");
    watch.log(whole);
  }

  // The log stays at its end unless somebody reads further up.
  let isAtEnd = true;
  const toEnd = () => isAtEnd && (at("log").scrollTop = at("log").scrollHeight);
  at("log").addEventListener("scroll", ({ target }) => (isAtEnd = target.scrollHeight - target.scrollTop - target.clientHeight < 40));
  new ResizeObserver(toEnd).observe(at("log"));

  function entry({ entry: id, line, reply, take, holder }) {
    return make(
      "li",
      { "data-entry": id, class: take > 1 ? "corrected" : null },
      make("span", { class: "id" }, id),
      make("span", { class: "said" }, legible(line)),
      take > 1 && make("span", { class: "tag" }, "corrected"),
      holder && make("span", { class: "tag" }, holder),
      reply.map((text) => make("p", {}, legible(text))),
    );
  }

  function isBefore(one, other) {
    const [a, b] = [one, other].map((id) => id.split(/[.+]/).map(Number));
    for (let place = 0; place < 3; place += 1) if ((a[place] ?? 0) !== (b[place] ?? 0)) return (a[place] ?? 0) < (b[place] ?? 0);
    return false;
  }

  // The line

  let asked = null;

  function setLine(text) {
    at("line").value = text;
    at("line").focus();
    complete();
  }

  function complete() {
    clearTimeout(asked);
    const text = at("line").value;
    if (!text.trim()) return void fill(at("completions"));
    asked = setTimeout(async () => {
      const answer = await table.ask(`/complete?line=${encodeURIComponent(text)}`).catch(() => null);
      if (!answer || at("line").value !== text) return;
      const begun = /\s$/.test(text) ? text : text.slice(0, text.length - text.split(/\s+/).at(-1).length);
      fill(at("completions"), answer.words.slice(0, 8).map((word) => button(word, () => setLine(`${begun}${word} `), { "data-key": `word ${word}` })));
    }, COMPLETE_AFTER);
  }

  at("line").addEventListener("input", complete);
  at("say").addEventListener("submit", (event) => {
    event.preventDefault();
    const line = at("line").value.trim();
    const closes = table.state?.close !== null && at("pending").querySelector("[data-key=close]");
    if (line) table.say(line);
    else if (closes) table.say("close");
    at("line").value = "";
    fill(at("completions"));
  });

  window.hands = table; // for the tests of the page, which wait for what it knows
  connection();
  table.start();
})();
