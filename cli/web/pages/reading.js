"use strict";
// What is read: the story and the lines as tabs, the search in both, and the runs of lines in which nothing happens.
const reading = (() => {
  const { byId, element } = elements;
  const panels = { story: byId("story"), lines: byId("lines") };
  const tabs = {}; // the buttons; `board` shows the state where there is no room beside the text
  const search = element("input", { type: "search", id: "search", placeholder: "Search", "aria-label": "Search the story and the lines" });
  const filter = element("select", { id: "filter", "aria-label": "Only with" });
  const all = element("input", { type: "checkbox", id: "all" });
  const found = element("output", { id: "found", for: "search filter" });
  const folds = element("label", null, all, " all lines");
  const ROWS = ".entry, #story > p"; // in article.css those that are laid out once they are on the screen
  const AROUND = 25; // as many on each side fill a high window
  let chosen = "story";
  let beings = new Map(); // the names in an entry, by its id

  const entriesIn = (place) => [...place.querySelectorAll("li.entry")];
  const isSearching = () => search.value.trim() !== "" || filter.value !== "";

  function choose(tab) {
    chosen = tab;
    mark(tab);
  }

  // Show a tab as chosen: that of what is read, or `board`.
  function mark(tab) {
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== chosen;
    folds.hidden = chosen !== "lines";
    for (const [name, button] of Object.entries(tabs)) {
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
  }

  function onTabKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = Object.values(tabs).filter((button) => button.offsetParent !== null);
    const next = shown[(shown.indexOf(event.target) + step + shown.length) % shown.length];
    next.focus();
    next.click();
  }

  // Put the tabs and the search above what is read. `whenChosen` is called with the name of a tab that is clicked.
  function make(whenChosen) {
    const bar = element("div", { role: "tablist", "aria-label": "Story, lines or board", class: "tabs" });
    for (const [name, title] of [["story", "Story"], ["lines", "Lines"], ["board", "Board"]]) {
      tabs[name] = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name }, title);
      tabs[name].addEventListener("click", () => whenChosen(name));
      bar.append(tabs[name]);
    }
    for (const [name, panel] of Object.entries(panels)) {
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      panel.tabIndex = 0;
    }
    bar.addEventListener("keydown", onTabKey);
    const tools = element("div", { class: "tools", role: "search" }, search, filter, folds, found);
    panels.story.before(element("div", { class: "band" }, bar, tools));
    search.addEventListener("input", apply);
    filter.addEventListener("change", apply);
    all.addEventListener("change", () => unfold(all.checked));
  }

  // Take the lines that stand in the document, beside who is in them.
  function read(data) {
    beings = new Map(data.entries.map((entry) => [entry.id, (entry.who || []).map((number) => data.beings[number])]));
    const known = filter.value;
    const rank = (name) => (name in data.hues ? 0 : 1); // the players' characters first
    const spelt = (name) => name.normalize("NFD").toLowerCase(); // localeCompare would load its tables for 20 ms
    const names = [...data.beings].sort((one, other) => rank(one) - rank(other) || (spelt(one) < spelt(other) ? -1 : 1));
    filter.replaceChildren(element("option", { value: "" }, "everybody"), ...names.map((name) => element("option", { value: name }, name)));
    filter.value = data.beings.includes(known) ? known : "";
    if (all.checked) unfold(true);
    apply();
  }

  function unfold(isOpen) {
    for (const run of panels.lines.querySelectorAll("li.run > details")) run.open = isOpen;
  }

  function fits(text, ids) {
    const words = search.value.trim().toLocaleLowerCase();
    const isWith = filter.value === "" || ids.some((id) => (beings.get(id) || []).includes(filter.value));
    return isWith && text.toLocaleLowerCase().includes(words);
  }

  // Leave out the lines and paragraphs in which what is searched for is not.
  function apply() {
    const isOn = isSearching();
    panels.lines.classList.toggle("searched", isOn); // what was found is shown, also where lines are brief
    const items = entriesIn(panels.lines);
    for (const item of items) item.hidden = isOn && !fits(item.textContent, [item.id.slice(1)]);
    for (const run of panels.lines.querySelectorAll("li.run")) {
      run.hidden = entriesIn(run).every((item) => item.hidden);
      const details = run.firstElementChild;
      if (isOn && !run.hidden && !details.open) details.open = details.dataset.found = true;
      if (!isOn && details.dataset.found) details.open = all.checked;
      if (!isOn) delete details.dataset.found;
    }
    for (const list of panels.lines.querySelectorAll("ol.lines")) {
      list.hidden = [...list.children].every((item) => item.hidden);
      list.previousElementSibling.hidden = list.hidden;
    }
    for (const paragraph of panels.story.querySelectorAll(":scope > p")) applyToStory(paragraph, isOn);
    const count = items.filter((item) => !item.hidden).length;
    found.textContent = isOn ? `${count} of ${items.length} lines` : "";
  }

  function applyToStory(paragraph, isOn) {
    const own = [...paragraph.querySelectorAll(":scope > .sentence")];
    const parts = own.length ? own : [paragraph];
    for (const part of parts) {
      const ids = [...part.querySelectorAll(".entries a")].map((link) => link.hash.slice(2));
      part.classList.toggle("found", isOn && fits(part.textContent, ids));
    }
    paragraph.hidden = isOn && !parts.some((part) => part.classList.contains("found"));
  }

  // Lay out what a list will show with an item: until then the heights of what was never on the screen are estimates.
  function layOutAround(item, list) {
    const rows = [...list.querySelectorAll(ROWS)];
    const at = rows.indexOf(item.closest(ROWS));
    for (const row of rows.slice(Math.max(0, at - AROUND), at + AROUND)) row.style.contentVisibility = "visible";
  }

  // Scroll a list, and not the page, until an item of it is seen, in the part of the list that the window shows.
  function reveal(item, list) {
    layOutAround(item, list);
    if (list.scrollHeight <= list.clientHeight) return void (isText() && item.scrollIntoView({ block: "nearest" }));
    const shown = window.innerHeight - list.getBoundingClientRect().top;
    const height = shown > 120 ? Math.min(list.clientHeight, shown) : list.clientHeight;
    const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const bottom = top + item.offsetHeight;
    if (top < 40) list.scrollTop += top - 40;
    else if (bottom > height - 40) list.scrollTop += bottom - height + 40;
  }

  const isText = () => document.documentElement.classList.contains("text"); // it has the one column

  function unmark() {
    for (const item of document.querySelectorAll(".entry.current")) {
      item.classList.remove("current");
      item.querySelector("a").removeAttribute("aria-current");
    }
    for (const told of document.querySelectorAll(".told")) told.classList.remove("told");
  }

  // Mark an entry in the lines and in the story. `still`: leave them where they are scrolled to.
  function show(item, still) {
    unmark();
    if (!item) return;
    const run = item.closest("li.run > details");
    if (run) run.open = true;
    item.classList.add("current");
    item.querySelector("a").setAttribute("aria-current", "step");
    if (!still) reveal(item, panels.lines);
    for (const link of panels.story.querySelectorAll(".entries a")) {
      if (link.getAttribute("href") !== `#${item.id}`) continue;
      const sentence = link.closest(".sentence, .fiction, .quote");
      sentence.classList.add("told");
      if (!still) reveal(sentence, panels.story);
    }
  }

  // Whether a line is shown at a step of the play: one in which something happens, and that is searched for.
  const isPlayed = (item) => !item.hidden && (all.checked || !item.classList.contains("idle"));

  return { make, read, choose, mark, show, isPlayed, tab: () => chosen };
})();
