"use strict";
// The replay page: steps through a session. The moves, the story and the lines of numbers stand in the markup; this
// script draws the state at an entry from the data of the page. Texts become text nodes, never markup.
(() => {
  const { byId, element, text } = elements;

  let data; // what the page holds, as cli/web/pages/page.py writes it
  let order; // the index of each entry by its id; 0 is the opening
  let moves; // the items of the move list by the ids of their entries
  let starts; // the indexes at which scenes and rounds begin
  let now = 0;
  let missing = ""; // the entry of a link that is not here
  let isWhyOpen = false;

  // The state after an entry: that at the opening with the changes of every entry up to it

  function rowsAt(index) {
    const rows = { ...data.opening };
    for (const entry of data.entries.slice(0, index)) {
      for (const [key, row] of Object.entries(entry.rows || {})) {
        if (row === null) delete rows[key];
        else rows[key] = row;
      }
    }
    return rows;
  }

  function changesAt(index) {
    return index ? data.entries[index - 1].changes || [] : [];
  }

  const isWide = window.matchMedia("(min-width: 60rem)"); // two columns, as in page.css
  const MOST_CHANGES = 12; // that are shown at once

  // Why

  function ruleDetails(ids) {
    return [...new Set(ids)].filter((id) => data.rules[id]).map((id) => {
      const [heading, words] = data.rules[id];
      return element("details", { class: "rule", "data-key": id }, element("summary", null, element("code", null, id), ` ${heading}`), element("p", null, words));
    });
  }

  function change([value, before, after, reasons], isAsked) {
    const steps = reasons.map(([, was, is, cause, rules]) =>
      element("li", null, reasons.length > 1 ? `${text(was)} → ${text(is)}: ` : "", cause, rules.length ? element("small", null, ` ${rules[0]}`) : null),
    );
    return element(
      "li",
      { class: isAsked ? "asked" : null },
      element("b", null, data.names[value]),
      before === null ? ` ${text(after)}` : ` ${text(before)} → ${text(after)}`,
      steps.length ? element("ul", null, steps) : null,
    );
  }

  const isNamed = ([value]) => value in data.names;

  function sums(result) {
    const rows = result.rows.map((row) => element("tr", { class: row[0].startsWith(" ") ? null : "sum" }, row.map((cell, index) => element(index ? "td" : "th", index ? null : { scope: "row" }, cell.trim()))));
    return element(
      "div",
      { class: "result" },
      element("h4", null, `${result.title}: `, element("span", { class: `mark ${result.mark.tone}` }, `${result.mark.sign} ${result.mark.word}`.trim()), ` ${result.numbers}`),
      rows.length ? element("table", { class: "sums" }, element("tbody", null, rows)) : null,
    );
  }

  function changeList(list, asked) {
    return element("ul", { class: "changes" }, list.map((each) => change(each, each[0] === asked)));
  }

  const titled = (title, content) => (content.length ? [element("h3", null, title), content] : null);

  const command = (text) => (data.role === "gm" ? element("p", { class: "hint" }, "Everything about it: ", element("code", null, text)) : null);

  // Why the entry came out as it did: closed until somebody opens it, and then open for all entries.
  function drawWhy(index, asked) {
    const shown = document.querySelector("#why > .arithmetic");
    isWhyOpen = asked !== undefined || (shown ? shown.open : isWhyOpen);
    const entry = index ? data.entries[index - 1] : {};
    const changes = changesAt(index).filter(isNamed).sort(([one], [other]) => (other === asked) - (one === asked));
    const [first, rest] = [changes.slice(0, MOST_CHANGES), changes.slice(MOST_CHANGES)];
    const more = rest.length ? element("details", { "data-key": "more" }, element("summary", null, `${rest.length} more`), changeList(rest)) : null;
    const hidden = [...new Set((entry.sums || []).map((result) => result.note).filter(Boolean))];
    const notes = hidden.map((words) => element("p", { class: "note" }, words));
    const dice = (entry.dice || []).map((line) => element("li", null, line));
    const parts = [
      titled("What changed", first.length ? [changeList(first, asked), more] : []),
      titled("Arithmetic", [...(entry.sums || []).map(sums), ...notes]),
      titled("Dice", dice.length ? [element("ul", null, dice)] : []),
    ].filter(Boolean);
    const decided = entry.decided || [];
    const [deciding, rules] = [ruleDetails(decided), ruleDetails((entry.rules || []).filter((id) => !decided.includes(id)))];
    if (deciding.length) parts.unshift(titled("Decided by", [element("div", { class: "rules" }, deciding)]));
    if (rules.length) parts.push(element("details", { class: "rules", "data-key": "rules" }, element("summary", null, `${rules.length} more rules applied`), rules));
    if (!parts.length) parts.push(element("p", { class: "note" }, "No number changed, and no dice were thrown."));
    const hint = index ? command(`campaign why ${entry.id}`) : null;
    const why = element("details", { class: "arithmetic", "data-key": "why", open: isWhyOpen }, element("summary", null, "Why"), parts, hint);
    morphing.fill(byId("why"), why);
  }

  // A number was clicked: why it is what it is. Where this entry has not changed it, the entries that did.
  function showValue(key, title) {
    if (changesAt(now).some(([value]) => value === key)) {
      drawWhy(now, key);
    } else {
      const earlier = data.entries.flatMap((entry, index) =>
        index < now ? (entry.changes || []).filter(([value]) => value === key).map((each) => [entry, each]) : [],
      );
      const items = earlier.map(([entry, each]) => {
        const item = change(each, false);
        item.prepend(element("a", { href: `#e${entry.id}` }, entry.id), " ");
        return item;
      });
      const list = items.length ? element("ul", { class: "changes" }, items.reverse()) : element("p", null, "It has not changed in this session so far.");
      byId("why").replaceChildren(...[element("h3", null, title), list, command(`campaign who ${key}`)].filter(Boolean));
    }
    (byId("why").querySelector("summary") || byId("why")).focus({ preventScroll: true });
    const card = byId("why").closest(".card");
    if (card.getBoundingClientRect().top < byId("scrubber").getBoundingClientRect().bottom) card.scrollIntoView();
  }

  // Stepping

  function drawEntry(index) {
    const entry = index ? data.entries[index - 1] : null;
    const item = entry ? moves.get(entry.id) : null;
    const part = (selector) => (item && item.querySelector(selector) ? item.querySelector(selector).cloneNode(true) : null);
    const copy = element("button", { type: "button", class: "copy" }, "Copy link");
    const kind = item ? item.className.replace(/entry|current/g, "").trim() : "opening";
    const said = [entry ? element("span", { class: "id" }, entry.id) : null, part(".line") || "The opening", part(".said .label"), " ", copy];
    const parts = [
      missing ? missingNote() : null,
      element("p", { class: `at ${kind}`, "data-key": "at" }, said),
      part(":scope > .corrected"),
      part(":scope > .results"),
      part(":scope > .throws"),
      part(":scope > .outcome"),
    ];
    morphing.fill(byId("entry"), ...parts.filter(Boolean));
  }

  // A link names an entry that is not here: of another session, undone, or mistyped.
  function missingNote() {
    const session = /^\d+(?=\.)/.exec(missing);
    const isElsewhere = "live" in document.body.dataset && session && Number(session[0]) !== data.session;
    const link = isElsewhere ? [" ", element("a", { href: `${home()}session/${Number(session[0])}/#e${encodeURIComponent(missing)}` }, `Look in session ${Number(session[0])}`), "."] : [];
    return element("p", { class: "missing", role: "status", "data-key": "missing" }, `There is no ${missing} here.`, ...link);
  }

  function announce(index) {
    const said = byId("entry").querySelector(".line");
    const results = byId("entry").querySelector(".results");
    const changes = changesAt(index).filter(isNamed).slice(0, 6);
    const parts = [
      index ? `${data.entries[index - 1].id} ${said ? said.textContent : ""}` : "The opening",
      results ? results.textContent : "",
      ...changes.map(([value, before, after]) => `${data.names[value]} ${before === null ? "" : `${text(before)} to `}${text(after)}`),
    ];
    byId("announcement").textContent = parts.filter(Boolean).join("; ");
  }

  function markMove(index, still) {
    for (const item of document.querySelectorAll(".entry.current")) {
      item.classList.remove("current");
      item.querySelector("a").removeAttribute("aria-current");
    }
    for (const told of document.querySelectorAll(".told")) told.classList.remove("told");
    if (!index) return;
    const id = data.entries[index - 1].id;
    const item = moves.get(id);
    item.classList.add("current");
    item.querySelector("a").setAttribute("aria-current", "step");
    if (!still) reveal(item, byId("lines"));
    for (const link of document.querySelectorAll("#story .entries a")) {
      if (link.getAttribute("href") === `#e${id}`) {
        const sentence = link.closest(".sentence, .fiction, .quote");
        sentence.classList.add("told");
        if (!still) reveal(sentence, byId("story"));
      }
    }
  }

  // Scroll a list, and not the page, until an item of it is seen, in the part of the list that the window shows.
  function reveal(item, list) {
    if (list.scrollHeight <= list.clientHeight) return;
    const shown = window.innerHeight - list.getBoundingClientRect().top;
    const height = shown > 120 ? Math.min(list.clientHeight, shown) : list.clientHeight;
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop + 40) list.scrollTop = top - 40;
    else if (top + item.offsetHeight > list.scrollTop + height - 40) list.scrollTop = top + item.offsetHeight - height + 40;
  }

  const hashOf = (index) => (index ? `#e${data.entries[index - 1].id}` : "#opening");

  // Show the state after an entry. `still`: leave the lists where they are scrolled to.
  function draw(index, still) {
    now = Math.max(0, Math.min(data.entries.length, index));
    const rows = rowsAt(now);
    drawEntry(now);
    stateBoard.draw(rows, now ? rowsAt(now - 1) : rows, data);
    drawWhy(now);
    charting.draw(now);
    markMove(now, still);
    const scrubber = byId("scrubber");
    scrubber.max = data.entries.length;
    scrubber.value = now;
    scrubber.setAttribute("aria-valuetext", now ? data.entries[now - 1].id : "the opening");
    for (const id of ["to-opening", "to-before"]) byId(id).disabled = now === 0;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  function go(index) {
    missing = "";
    draw(index);
    announce(now);
    history.replaceState(null, "", hashOf(now));
    document.dispatchEvent(new Event("step"));
  }

  function goByGroup(forward) {
    const next = forward ? starts.find((start) => start > now) : starts.filter((start) => start < now).pop();
    go(next === undefined ? (forward ? data.entries.length : 0) : next);
  }

  // Show the entry that the address names, or the end with a word about one that is not here. Returns whether it names one.
  function followHash() {
    const named = /^#e(?=[\d%])/.test(location.hash) ? decoded(location.hash.slice(2)) : "";
    if (location.hash !== "#opening" && !named) return false;
    const index = named ? order.get(named) : 0;
    missing = index === undefined ? named.slice(0, 40) : "";
    draw(index === undefined ? data.entries.length : index);
    return true;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  const home = () => location.href.split("#")[0].replace(/session\/\d+\/$/, "");

  // The address of an entry that lasts: below its session, and the players' where this is the game master's page.
  function linkTo(index) {
    if (location.protocol === "file:") return location.pathname.split("/").pop() + hashOf(index);
    if (!("live" in document.body.dataset)) return location.href.split("#")[0] + hashOf(index);
    return `${document.body.dataset.players || home()}session/${data.session}/${hashOf(index)}`;
  }

  async function copyLink(button) {
    const link = linkTo(now);
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      const field = element("input", { readonly: true, "aria-label": "Link to this entry", class: "link" });
      field.value = link;
      button.replaceWith(field);
      field.select();
    }
  }

  const KEYS = {
    ArrowLeft: () => go(now - 1),
    ArrowRight: () => go(now + 1),
    Home: () => go(0),
    End: () => go(data.entries.length),
    PageUp: () => goByGroup(false),
    PageDown: () => goByGroup(true),
  };

  // Whether a key is to scroll: a list or a table that has the focus, or a page of one column, longer than its window.
  function scrolls({ target, key }) {
    const region = target.closest("#lines, #story, .encounter, .wide");
    if (key.startsWith("Arrow")) return target === region && region.scrollWidth > region.clientWidth;
    if (target === byId("scrubber")) return false;
    return !isWide.matches || (region !== null && region.scrollHeight > region.clientHeight);
  }

  function onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=range]), [role=tab]")) return;
    const step = KEYS[event.key];
    if (!step || scrolls(event)) return;
    event.preventDefault();
    step();
  }

  // Moves and story side by side in one place

  function makeTabs() {
    const panels = [byId("lines"), byId("story")];
    const bar = element("div", { role: "tablist", "aria-label": "Lines or story", class: "tabs" });
    const tabs = panels.map((panel) => {
      const tab = element("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": panel.id }, panel.querySelector("h2").textContent);
      tab.addEventListener("click", () => choose(panel.id));
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = 0;
      bar.append(tab);
      return tab;
    });
    function choose(id) {
      panels.forEach((panel, index) => {
        panel.hidden = panel.id !== id;
        tabs[index].setAttribute("aria-selected", String(panel.id === id));
        tabs[index].tabIndex = panel.id === id ? 0 : -1;
      });
      markMove(now);
    }
    bar.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      const other = tabs.find((tab) => tab.getAttribute("aria-selected") !== "true");
      other.focus();
      other.click();
    });
    panels[0].before(bar);
    choose("lines");
  }

  function onButton({ target }) {
    const button = target.closest("button.level, button.copy");
    if (!button) return;
    if (button.classList.contains("copy")) copyLink(button);
    else showValue(button.dataset.value, button.dataset.title);
  }

  // A link to an entry shows it, and does not scroll to its line; on a narrow page the state comes into view.
  function onLink(event) {
    const link = event.target.closest('a[href^="#e"]');
    const index = link && order.get(link.getAttribute("href").slice(2));
    if (index === null || index === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(index);
    if (byId("entry").getBoundingClientRect().bottom < 0) byId("board").scrollIntoView();
  }

  // Read the lines and the charts that stand in the document, beside their data.
  function read(content) {
    data = content;
    order = new Map(data.entries.map((entry, at) => [entry.id, at + 1]));
    moves = new Map([...document.querySelectorAll("li.entry")].map((item) => [item.id.slice(1), item]));
    starts = [...document.querySelectorAll("ol.lines > li:first-child")].map((item) => order.get(item.id.slice(1)));
    charting.read(data, go);
  }

  function listen() {
    byId("scrubber").addEventListener("input", (event) => go(Number(event.target.value)));
    byId("to-opening").addEventListener("click", KEYS.Home);
    byId("to-before").addEventListener("click", KEYS.ArrowLeft);
    byId("to-after").addEventListener("click", KEYS.ArrowRight);
    byId("to-end").addEventListener("click", KEYS.End);
    document.addEventListener("click", onButton);
    document.addEventListener("click", onLink);
    document.addEventListener("keydown", onKey);
    window.addEventListener("load", () => markMove(now)); // the browser has scrolled the list to what the link names
    window.addEventListener("hashchange", () => {
      if (followHash()) announce(now);
      document.dispatchEvent(new Event("step"));
    });
  }

  // What live.js needs: the document has other lines and charts, and this is their data.
  function update(content) {
    const [before, id] = [data.entries, now && data.entries[now - 1].id];
    const wasAtEnd = now === before.length;
    const known = JSON.stringify([data.opening, before.slice(0, now)]);
    read(content);
    const at = order.get(id) ?? Math.min(now, data.entries.length);
    if (wasAtEnd && !missing) {
      draw(data.entries.length);
      announce(now);
      if (location.hash) history.replaceState(null, "", location.pathname);
    } else if (known !== JSON.stringify([data.opening, data.entries.slice(0, at)])) {
      draw(at, true);
    } else {
      redraw(at);
    }
  }

  // Show the same entry in lines and charts that are new.
  function redraw(at) {
    now = at;
    charting.draw(now);
    markMove(now, true);
    byId("scrubber").max = data.entries.length;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  document.documentElement.classList.add("scripted");
  read(JSON.parse(byId("data").textContent));
  now = data.entries.length;
  makeTabs();
  listen();
  if (!followHash()) draw(now);
  if ("live" in document.body.dataset) {
    window.replay = { update, ids: () => data.entries.map((entry) => entry.id), isAtEnd: () => now === data.entries.length, toEnd: KEYS.End, session: data.session };
  }
})();
