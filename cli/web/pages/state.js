"use strict";
// The state at an entry: everybody as a card, the turn order of a fight, and what the table holds.
const stateBoard = (() => {
  const { byId, element } = elements;
  const isWide = window.matchMedia("(min-width: 60rem)"); // two columns, as in media.css
  const opened = new Map(); // whether somebody has opened or closed the card of a being
  let data; // what the page holds

  function beingsIn(rows) {
    const keys = Object.keys(rows).filter((key) => key.startsWith("being "));
    return keys.map((key) => rows[key]).sort((one, other) => one.joined - other.joined);
  }

  // For the players: more of what their characters have is good, more of what the game master has is not.
  function meaning(owner, change) {
    if (owner.kind === "pc") return change > 0 ? "good" : "bad";
    return owner.who ? "other" : change > 0 ? "bad" : "good";
  }

  function delta(sign, change, tone) {
    const words = ` ${Math.abs(change)} ${change > 0 ? "more" : "less"}, now `;
    const shown = element("span", { "aria-hidden": "true" }, sign);
    return element("span", { class: `delta ${tone}` }, shown, element("span", { class: "spoken" }, words));
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
      { type: "button", class: change || isNew ? "level changed" : "level", "data-value": key, "data-title": data.names[key] || title },
      owner.who ? element("span", { class: "spoken" }, `${owner.who} `) : null,
      element("span", { class: "name" }, name),
      sign ? delta(sign, change, meaning(owner, change)) : null,
      element("span", { class: "number" }, String(number), most === null ? null : element("small", null, `/${most}`)),
      isBar && most !== null ? meter : null,
    );
    if (isBar && most && number * 4 <= most) button.classList.add("low");
    return element("li", { "data-key": key }, button);
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

  // The pools of somebody in one row, for a card that is closed.
  function strip(row, before) {
    const known = new Map(((before && before.pools) || []).map((each) => [each[0], each[2]]));
    return (row.pools || []).map(([name, , number, most]) => {
      const meter = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
      meter.firstChild.style.inlineSize = `${most ? Math.max(0, Math.min(1, number / most)) * 100 : 0}%`;
      const isChanged = known.has(name) && known.get(name) !== number;
      const isLow = most && number * 4 <= most;
      return element(
        "span",
        { class: ["mini", isChanged ? "changed" : "", isLow ? "low" : ""].filter(Boolean).join(" ") },
        element("span", { class: "name" }, name),
        element("span", { class: "number" }, ` ${number}`, most === null ? null : element("small", null, `/${most}`)),
        most === null ? null : meter,
      );
    });
  }

  // Somebody as a card: open where there is room for it, else one row that opens.
  function card(row, before) {
    const name = element("h3", row.who in data.hues ? { class: `who hue${data.hues[row.who]}` } : null, row.who);
    return element(
      "details",
      { class: `being ${row.kind === "pc" ? "pc" : "other"}${before ? "" : " new"}`, "data-key": row.who, open: opened.get(row.who) ?? isWide.matches },
      element("summary", null, name, element("span", { class: "strip" }, strip(row, before), !(row.pools || []).length && row.troubles ? row.troubles : null)),
      levelList("levels", levels(row.pools, before && (before.pools || []), row, true)),
      levelList("levels tokens", levels(row.tokens, before && (before.tokens || []), row, false)),
      circumstances(row, before),
    );
  }

  byId("state").addEventListener("click", ({ target }) => {
    const being = target.closest(".being > summary")?.parentElement;
    if (being) opened.set(being.dataset.key, !being.open);
  });

  const THINGS = ["item", "object", "place"];

  const isBare = (row) =>
    !(row.pools || []).length && !(row.tokens || []).length && !row.place && !row.troubles && !row.left && !row.rests;
  const isShown = (row) => !row.unused && !(THINGS.includes(row.kind) && isBare(row));

  function drawState(rows, before) {
    const beings = beingsIn(rows).filter(isShown);
    const cards = (list, key) => element("div", { class: "cards", "data-key": key }, list.map((row) => card(row, before[`being ${row.who}`])));
    const isNamedOnly = (row) => row.kind !== "pc" && isBare(row);
    const here = beings.filter((row) => !row.gone && !isNamedOnly(row));
    const named = beings.filter((row) => !row.gone && isNamedOnly(row));
    const gone = beings.filter((row) => row.gone);
    morphing.fill(
      byId("state"),
      ...[
        table(rows, before),
        encounter(rows, before),
        cards(here.filter((row) => row.kind === "pc"), "pcs"),
        cards(here.filter((row) => row.kind !== "pc"), "others"),
        named.length ? element("p", { class: "named", "data-key": "named" }, `Also here: ${named.map((row) => row.who).join(", ")}`) : null,
        gone.length
          ? element("details", { class: "gone", "data-key": "gone" }, element("summary", null, `Gone: ${gone.length}`), cards(gone, "gone cards"))
          : null,
        options(rows.options || []),
      ].filter(Boolean),
    );
  }

  // How the table reads the rules: it seldom changes, and stands behind everything else.
  function options(list) {
    if (!list.length) return null;
    const items = list.map((option) => element("li", null, option.replaceAll("_", " ")));
    return element("details", { class: "gone", "data-key": "options" }, element("summary", null, `Options of this table: ${list.length}`), element("ul", { class: "options" }, items));
  }

  function table(rows, before) {
    const tokens = levels(rows.tokens, before.tokens || [], {}, false);
    const lines = [...(rows.windows || []), rows.counts, rows.passed];
    const shown = lines.filter(Boolean);
    if (!tokens.length && !shown.length) return null;
    return element(
      "div",
      { class: "table", "data-key": "table" },
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
      const notes = [row.slot, row.turn].filter(Boolean).join(", ");
      const name = [row.turn === "turn" ? "▶ " : "", element("span", { class: "name" }, row.who || row.name), notes ? element("small", null, ` ${notes}`) : null];
      const cells = columns.map(([key]) => element("td", null, row[key] || ""));
      return element("tr", { class: ["slot", row.turn, row.gone ? "out" : ""].filter(Boolean).join(" "), "data-key": row.name }, element("th", { scope: "row" }, name), cells);
    });
    const was = before.encounter ? before.encounter.title : "";
    const title = rows.encounter.title;
    return element(
      "section",
      { class: "encounter", "aria-label": "Encounter", tabindex: "0", "data-key": "encounter" },
      element("h3", { class: title === was ? null : "changed" }, title),
      slots.length ? element("table", null, element("thead", null, element("tr", null, head)), element("tbody", null, body)) : null,
    );
  }

  // Draw the state of these rows; `before` are those of the entry before.
  function draw(rows, before, content) {
    data = content;
    drawState(rows, before);
  }

  return { draw };
})();
