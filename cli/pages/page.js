"use strict";
// The replay page: steps through a session. The moves, the story and the lines of numbers stand in the markup; this
// script draws the state at an entry from the data of the page. Texts become text nodes, never markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  let data; // what the page holds, as cli/pages/page.py writes it
  let order; // the index of each entry by its id; 0 is the opening
  let moves; // the items of the move list by the ids of their entries
  let starts; // the indexes at which scenes and rounds begin
  let cursors; // the lines that mark the entry in the charts
  let now = 0;

  // Elements

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") made.addEventListener("click", value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  const text = (value) => (value === null || value === undefined ? "none" : value === "" ? "none" : String(value));

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

  function beingsIn(rows) {
    const keys = Object.keys(rows).filter((key) => key.startsWith("being "));
    return keys.map((key) => rows[key]).sort((one, other) => one.joined - other.joined);
  }

  // Drawing

  function delta(sign, change) {
    const words = ` ${Math.abs(change)} ${change > 0 ? "more" : "less"}, now `;
    const shown = element("span", { "aria-hidden": "true" }, sign);
    return element("span", { class: `delta ${change > 0 ? "up" : "down"}` }, shown, element("span", { class: "spoken" }, words));
  }

  function level([name, , number, most], owner, before, isBar) {
    const key = [owner.key, name].filter(Boolean).join(".");
    const title = [owner.who, name].filter(Boolean).join(" ");
    const was = before ? before[2] : undefined;
    const change = was === undefined ? 0 : number - was;
    const isNew = before === undefined;
    const sign = change > 0 ? `▲${change}` : change < 0 ? `▼${-change}` : "";
    const share = most ? Math.max(0, Math.min(1, number / most)) : 0;
    const meter = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
    meter.firstChild.style.inlineSize = `${share * 100}%`;
    const button = element(
      "button",
      { type: "button", class: change || isNew ? "level changed" : "level", onclick: () => showValue(key, data.names[key] || title) },
      owner.who ? element("span", { class: "spoken" }, `${owner.who} `) : null,
      element("span", { class: "name" }, name),
      sign ? delta(sign, change) : null,
      element("span", { class: "number" }, String(number), most === null ? null : element("small", null, `/${most}`)),
      isBar && most !== null ? meter : null,
    );
    if (isBar && most && number * 4 <= most) button.classList.add("low");
    return element("li", null, button);
  }

  // The pools or tokens of an owner (of nobody: the game master's), compared with those before; null: all are new.
  function levels(list, before, owner, isBar) {
    const known = new Map((before || []).map((each) => [each[0], each]));
    return (list || []).map((each) => level(each, owner, before ? known.get(each[0]) : each, isBar));
  }

  const levelList = (name, items) => (items.length ? element("ul", { class: name }, items) : null);

  function circumstances(row, before) {
    const texts = [
      [row.place, before && before.place],
      [row.troubles, before && before.troubles],
      [row.left ? `left: ${row.left}` : "", null],
      [row.rests, null],
    ];
    return texts
      .filter(([words]) => words)
      .map(([words, was]) => {
        const isChanged = before && was !== null && words !== was;
        const mark = isChanged ? [element("span", { class: "delta" }, "✱"), element("span", { class: "spoken" }, "new: ")] : null;
        return element("p", { class: isChanged ? "circumstance changed" : "circumstance" }, mark, words);
      });
  }

  function card(row, before) {
    return element(
      "article",
      { class: `being ${row.kind === "pc" ? "pc" : "other"}${before ? "" : " new"}` },
      element("h3", null, row.who),
      levelList("levels", levels(row.pools, before && (before.pools || []), row, true)),
      levelList("levels tokens", levels(row.tokens, before && (before.tokens || []), row, false)),
      circumstances(row, before),
    );
  }

  const MOST_CHANGES = 12; // that are shown at once
  const THINGS = ["item", "object", "place"];

  function isShown(row) {
    const isBare = !(row.pools || []).length && !(row.tokens || []).length;
    const isQuiet = !row.place && !row.troubles && !row.left && !row.rests;
    return !row.unused && !(THINGS.includes(row.kind) && isBare && isQuiet);
  }

  function drawState(rows, before) {
    const beings = beingsIn(rows).filter(isShown);
    const cards = (list) => list.map((row) => card(row, before[`being ${row.who}`]));
    const here = beings.filter((row) => !row.gone);
    const gone = beings.filter((row) => row.gone);
    byId("state").replaceChildren(
      ...[
        table(rows, before),
        encounter(rows, before),
        element("div", { class: "cards" }, cards(here.filter((row) => row.kind === "pc"))),
        element("div", { class: "cards" }, cards(here.filter((row) => row.kind !== "pc"))),
        gone.length
          ? element("details", { class: "gone" }, element("summary", null, `Gone: ${gone.length}`), element("div", { class: "cards" }, cards(gone)))
          : null,
      ].filter(Boolean),
    );
  }

  function table(rows, before) {
    const tokens = levels(rows.tokens, before.tokens || [], {}, false);
    const lines = [...(rows.windows || []), rows.counts, ...(rows.options || []).map((option) => `option ${option}`), rows.passed];
    const shown = lines.filter(Boolean);
    if (!tokens.length && !shown.length) return null;
    return element(
      "div",
      { class: "table" },
      levelList("levels tokens", tokens),
      shown.length ? element("ul", { class: "notes" }, shown.map((line) => element("li", null, line))) : null,
    );
  }

  function encounter(rows, before) {
    if (!rows.encounter) return null;
    const slots = [];
    for (let number = 0; rows[`slot ${number}`]; number += 1) slots.push(rows[`slot ${number}`]);
    const columns = [["score", "Score"], ["left", "Left"], ["circumstances", "State"]].filter(([key]) => slots.some((row) => row[key]));
    const heading = (title) => element("th", { scope: "col" }, title);
    const head = [heading(element("span", { class: "spoken" }, "Who")), columns.map(([, title]) => heading(title))];
    const body = slots.map((row) => {
      const name = [row.turn === "turn" ? "▶ " : "", row.name, row.turn ? element("small", null, ` ${row.turn}`) : null];
      const cells = columns.map(([key]) => element("td", null, row[key] || ""));
      return element("tr", { class: row.turn ? `slot ${row.turn}` : "slot" }, element("th", { scope: "row" }, name), cells);
    });
    const was = before.encounter ? before.encounter.title : "";
    const title = rows.encounter.title;
    return element(
      "section",
      { class: "encounter", "aria-label": "Encounter", tabindex: "0" },
      element("h3", { class: title === was ? null : "changed" }, title),
      slots.length ? element("table", null, element("thead", null, element("tr", null, head)), element("tbody", null, body)) : null,
    );
  }

  // Why

  function ruleDetails(ids) {
    return [...new Set(ids)].filter((id) => data.rules[id]).map((id) => {
      const [heading, words] = data.rules[id];
      return element("details", { class: "rule" }, element("summary", null, element("code", null, id), ` ${heading}`), element("p", null, words));
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

  // Why the entry came out as it did: closed until it is asked for, and then open for all entries.
  function drawWhy(index, asked) {
    const open = asked !== undefined || Boolean(document.querySelector("#why > details[open]"));
    const entry = index ? data.entries[index - 1] : {};
    const changes = changesAt(index).filter(isNamed).sort(([one], [other]) => (other === asked) - (one === asked));
    const [shown, rest] = [changes.slice(0, MOST_CHANGES), changes.slice(MOST_CHANGES)];
    const more = rest.length ? element("details", null, element("summary", null, `${rest.length} more`), changeList(rest)) : null;
    const dice = (entry.dice || []).map((line) => element("li", null, line));
    const parts = [
      titled("What changed", shown.length ? [changeList(shown, asked), more] : []),
      titled("Arithmetic", (entry.sums || []).map(sums)),
      titled("Dice", dice.length ? [element("ul", null, dice)] : []),
    ].filter(Boolean);
    const rules = ruleDetails(entry.rules || []);
    if (rules.length) parts.push(element("details", { class: "rules" }, element("summary", null, `Rules: ${rules.length}`), rules));
    if (!parts.length) {
      byId("why").replaceChildren();
      return;
    }
    const hint = element("p", { class: "hint" }, "Everything about it: ", element("code", null, `campaign why ${entry.id}`));
    byId("why").replaceChildren(element("details", { class: "arithmetic", open }, element("summary", null, "Why"), parts, hint));
  }

  // A number was clicked: why it is what it is. Where this entry has not changed it, the entries that did.
  function showValue(key, title) {
    if (changesAt(now).some(([value]) => value === key)) {
      drawWhy(now, key);
    } else {
      const history = data.entries.flatMap((entry, index) =>
        index < now ? (entry.changes || []).filter(([value]) => value === key).map((each) => [entry, each]) : [],
      );
      const items = history.map(([entry, each]) => {
        const item = change(each, false);
        item.prepend(element("a", { href: `#e${entry.id}` }, entry.id), " ");
        return item;
      });
      byId("why").replaceChildren(
        element("h3", null, title),
        items.length ? element("ul", { class: "changes" }, items.reverse()) : element("p", null, "It has not changed in this session so far."),
        element("p", { class: "hint" }, "All of its changes: ", element("code", null, `campaign who ${key}`)),
      );
    }
    (byId("why").querySelector("summary") || byId("why")).focus({ preventScroll: true });
    const card = byId("why").closest(".card");
    if (card.getBoundingClientRect().top < byId("scrubber").getBoundingClientRect().bottom) card.scrollIntoView();
  }

  // Stepping

  function drawEntry(index) {
    const entry = index ? data.entries[index - 1] : null;
    const item = entry ? moves.get(entry.id) : null;
    const line = item ? item.querySelector(".line") : null;
    const results = item ? item.querySelector(":scope > .results") : null;
    const copy = element("button", { type: "button", class: "copy", onclick: copyLink }, "Copy link");
    byId("entry").replaceChildren(
      element("p", { class: "at" }, entry ? element("span", { class: "id" }, entry.id) : null, line ? line.cloneNode(true) : "The opening", " ", copy),
    );
    if (results) byId("entry").append(results.cloneNode(true));
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

  function drawCursors(index) {
    for (const { line, output, series, width } of cursors) {
      const x = (index * width) / Math.max(series.numbers.length - 1, 1);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      output.textContent = text(series.numbers[index]);
    }
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
    drawState(rows, now ? rowsAt(now - 1) : rows);
    drawWhy(now);
    drawCursors(now);
    markMove(now, still);
    const scrubber = byId("scrubber");
    scrubber.max = data.entries.length;
    scrubber.value = now;
    scrubber.setAttribute("aria-valuetext", now ? data.entries[now - 1].id : "the opening");
    for (const id of ["to-opening", "to-before"]) byId(id).disabled = now === 0;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  function go(index) {
    draw(index);
    announce(now);
    history.replaceState(null, "", hashOf(now));
    document.dispatchEvent(new Event("step"));
  }

  function goByGroup(forward) {
    const next = forward ? starts.find((start) => start > now) : starts.filter((start) => start < now).pop();
    go(next === undefined ? (forward ? data.entries.length : 0) : next);
  }

  function indexOfHash() {
    if (location.hash === "#opening") return 0;
    return order.get(decodeURIComponent(location.hash.slice(2)));
  }

  async function copyLink(event) {
    const button = event.currentTarget;
    const link = location.href.split("#")[0] + hashOf(now);
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

  function onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=range]), [role=tab]")) return;
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }

  // Moves and story side by side in one place

  function makeTabs() {
    const panels = [byId("lines"), byId("story")];
    const bar = element("div", { role: "tablist", "aria-label": "Lines or story", class: "tabs" });
    const tabs = panels.map((panel) => {
      const tab = element("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": panel.id, onclick: () => choose(panel.id) }, panel.querySelector("h2").textContent);
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

  function makeCursors() {
    cursors = [...document.querySelectorAll("figure.chart")].map((figure, index) => {
      const drawing = figure.querySelector("svg");
      const { width, height } = drawing.viewBox.baseVal;
      const line = drawing.querySelector(".cursor") || drawing.appendChild(document.createElementNS(SVG, "line"));
      line.setAttribute("class", "cursor");
      line.setAttribute("y1", 0);
      line.setAttribute("y2", height);
      return { line, output: figure.querySelector(".now"), series: data.series[index], width };
    });
  }

  function onChart(event) {
    const drawing = event.target.closest(".chart svg");
    if (!drawing) return;
    const box = drawing.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * data.entries.length));
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
    makeCursors();
  }

  function listen() {
    byId("scrubber").addEventListener("input", (event) => go(Number(event.target.value)));
    byId("to-opening").addEventListener("click", KEYS.Home);
    byId("to-before").addEventListener("click", KEYS.ArrowLeft);
    byId("to-after").addEventListener("click", KEYS.ArrowRight);
    byId("to-end").addEventListener("click", KEYS.End);
    document.addEventListener("click", onChart);
    document.addEventListener("click", onLink);
    document.addEventListener("keydown", onKey);
    window.addEventListener("load", () => markMove(now)); // the browser has scrolled the list to what the link names
    window.addEventListener("hashchange", () => {
      const index = indexOfHash();
      if (index !== undefined && index !== now) go(index);
    });
  }

  // What live.js needs: the document has other lines and charts, and this is their data.
  function update(content) {
    const [before, id] = [data.entries, now && data.entries[now - 1].id];
    const wasAtEnd = now === before.length;
    const known = JSON.stringify([data.opening, before.slice(0, now)]);
    read(content);
    const at = order.get(id) ?? Math.min(now, data.entries.length);
    if (wasAtEnd) {
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
    drawCursors(now);
    markMove(now, true);
    byId("scrubber").max = data.entries.length;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  document.documentElement.classList.add("scripted");
  read(JSON.parse(byId("data").textContent));
  now = data.entries.length;
  makeTabs();
  listen();
  draw(now);
  const linked = indexOfHash();
  if (linked !== undefined) draw(linked);
  if ("live" in document.body.dataset) {
    window.replay = { update, ids: () => data.entries.map((entry) => entry.id), isAtEnd: () => now === data.entries.length, toEnd: KEYS.End, session: data.session };
  }
})();
