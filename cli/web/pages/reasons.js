"use strict";
// Why an entry came out as it did, and why a number is what it is: the rules, the arithmetic, the dice and the changes.
const reasons = (() => {
  const { byId, element, text } = elements;
  const MOST_CHANGES = 12; // that are shown at once
  let data; // what the page holds
  let isWhyOpen = false;

  function changesAt(index) {
    return index ? data.entries[index - 1].changes || [] : [];
  }

  function ruleDetails(ids) {
    return [...new Set(ids)].filter((id) => data.rules[id]).map((id) => {
      const [heading, words] = data.rules[id];
      return element("details", { class: "rule", "data-key": id }, element("summary", null, element("code", null, id), ` ${heading}`), element("p", null, words));
    });
  }

  function change([value, before, after, reasons], isAsked) {
    const steps = reasons.map(([was, is, cause, rule]) =>
      element("li", null, reasons.length > 1 ? `${text(was)} → ${text(is)}: ` : "", cause, rule ? element("small", null, ` ${rule}`) : null),
    );
    return element(
      "li",
      { class: isAsked ? "asked" : null },
      element("b", null, data.names[value]),
      before === null ? ` ${text(after)}` : ` ${text(before)} → ${text(after)}`,
      steps.length ? element("ul", null, steps) : null,
    );
  }

  const namedChanges = (index) => changesAt(index).filter(([value]) => value in data.names);

  function sums([title, [word, sign, tone], numbers, sumRows]) {
    const rows = sumRows.map((row) => element("tr", { class: row[0].startsWith(" ") ? null : "sum" }, row.map((cell, index) => element(index ? "td" : "th", index ? null : { scope: "row" }, cell.trim()))));
    return element(
      "div",
      { class: "result" },
      element("h4", null, `${title}: `, element("span", { class: `mark ${tone}` }, `${sign} ${word}`.trim()), ` ${numbers}`),
      rows.length ? element("table", { class: "sums" }, element("tbody", null, rows)) : null,
    );
  }

  function changeList(list, asked) {
    return element("ul", { class: "changes" }, list.map((each) => change(each, each[0] === asked)));
  }

  const titled = (title, content) => (content.length ? [element("h3", null, title), content] : null);

  const command = (text) => (data.role === "gm" ? element("p", { class: "hint" }, "Everything about it: ", element("code", null, text)) : null);

  // Why the entry came out as it did: closed until somebody opens it, and then open for all entries.
  function draw(index, asked) {
    const shown = document.querySelector("#why > .arithmetic");
    isWhyOpen = asked !== undefined || (shown ? shown.open : isWhyOpen);
    const entry = index ? data.entries[index - 1] : {};
    const changes = namedChanges(index).sort(([one], [other]) => (other === asked) - (one === asked));
    const [first, rest] = [changes.slice(0, MOST_CHANGES), changes.slice(MOST_CHANGES)];
    const more = rest.length ? element("details", { "data-key": "more" }, element("summary", null, `${rest.length} more`), changeList(rest)) : null;
    const hidden = [...new Set((entry.sums || []).map((result) => result[4]).filter(Boolean))];
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
    if (rules.length) parts.push(element("details", { class: "rules", "data-key": "rules" }, element("summary", null, `${rules.length} more ${rules.length > 1 ? "rules" : "rule"} applied`), rules));
    if (!parts.length) parts.push(element("p", { class: "note" }, "No number changed, and no dice were thrown."));
    const hint = index ? command(`campaign why ${entry.id}`) : null;
    const why = element("details", { class: "arithmetic", "data-key": "why", open: isWhyOpen }, element("summary", null, "Why"), parts, hint);
    morphing.fill(byId("why"), why);
  }

  // A number was clicked: why it is what it is. Where this entry has not changed it, the entries that did.
  function showValue(now, key, title) {
    if (changesAt(now).some(([value]) => value === key)) {
      draw(now, key);
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
    if (card.getBoundingClientRect().top < 0) card.scrollIntoView();
  }

  // Open it for the entry that is shown and for those to come, or close it.
  function setOpen(isOpen) {
    isWhyOpen = isOpen;
    const shown = document.querySelector("#why > .arithmetic");
    if (shown) shown.open = isOpen;
  }

  function read(content) {
    data = content;
  }

  return { read, draw, showValue, setOpen, namedChanges, isOpen: () => isWhyOpen };
})();
