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
  let isBoard; // whether an entry is chosen: the board is shown; undefined before the first drawing
  let isTextFirst = false; // whether the text is shown and not the board, where there is room for one of them
  let isRun = false; // whether the last step was one of several, for which there is one way back
  let articleTop = 0; // where the article was scrolled to when the board came

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

  const isWide = window.matchMedia("(min-width: 60rem)"); // two columns, as in media.css

  // Stepping

  function drawEntry(index) {
    const entry = index ? data.entries[index - 1] : null;
    const item = entry ? moves.get(entry.id) : null;
    const part = (selector) => (item && item.querySelector(selector) ? item.querySelector(selector).cloneNode(true) : null);
    const copy = element("button", { type: "button", class: "copy" }, "Copy link");
    const kind = item ? item.className.replace(/entry|current/g, "").trim() : "opening";
    const signs = item ? [...item.querySelectorAll(":scope > .said > .turn")].map((sign) => sign.cloneNode(true)) : [];
    const said = [entry ? element("span", { class: "id" }, entry.id) : null, part(".line") || "The opening", signs, part(".said .label"), " ", copy];
    const parts = [
      element("p", { class: `at ${kind}`, "data-key": "at" }, said),
      part(":scope > .corrected"),
      part(":scope > .results"),
      part(":scope > .throws"),
      part(":scope > .outcome"),
      part(":scope > .typed"),
    ];
    morphing.fill(byId("entry"), ...parts.filter(Boolean));
  }

  // A link names an entry that is not here: of another session, undone, or mistyped.
  function drawMissing() {
    const session = Number.parseInt(/^\d+(?=\.)/.exec(missing), 10);
    const there = session && session !== data.session ? address.ofSession(session) : "";
    const link = there ? [" ", element("a", { href: `${there}#e${encodeURIComponent(missing)}` }, `Look in session ${session}`), "."] : [];
    byId("missing").replaceChildren(...(missing ? [`There is no ${missing} here.`, ...link] : []));
  }

  function announce(index) {
    const said = byId("entry").querySelector(".line");
    const results = byId("entry").querySelector(".results");
    const changes = reasons.namedChanges(index).slice(0, 6);
    const parts = [
      index ? `${data.entries[index - 1].id} ${said ? said.textContent : ""}` : "The opening",
      results ? results.textContent : "",
      ...changes.map(([value, before, after]) => `${data.names[value]} ${before === null ? "" : `${text(before)} to `}${text(after)}`),
    ];
    byId("announcement").textContent = parts.filter(Boolean).join("; ");
  }

  const idOf = (index) => (index ? data.entries[index - 1].id : "");
  const defaultTab = () => (data.open ? "lines" : "story");

  // The address of what is shown; `isAtEnd`: of a session that goes on, wherever its end will be.
  function hash(isAtEnd = false) {
    const tab = reading.tab() === defaultTab() ? "" : reading.tab();
    return address.write(isBoard && !isAtEnd ? idOf(now) : undefined, tab, reasons.isOpen());
  }

  // Write it where the browser has it: as a place of its own to which Back returns, or instead of the one before.
  function writeAddress(isNew, isAtEnd = false) {
    const url = hash(isAtEnd) || location.pathname + location.search;
    if (isNew && url !== (location.hash || location.pathname + location.search)) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  }

  // Show the board, or the article alone. Where there is one column, `isText` says that the text is in it.
  function setBoard(isShown, isText = false) {
    const isOther = isBoard !== undefined && isShown !== isBoard;
    if (isOther && isShown) articleTop = window.scrollY;
    isBoard = isShown;
    isTextFirst = isText;
    document.documentElement.classList.toggle("replaying", isShown);
    document.documentElement.classList.toggle("text", isText);
    byId("board").hidden = !isShown;
    byId("close").disabled = !isShown || data.open;
    reading.mark(isShown && !isText && !isWide.matches ? "board" : reading.tab());
    if (isOther) window.scrollTo(0, isShown ? Math.min(window.scrollY, deskTop()) : articleTop);
  }

  const deskTop = () => Math.max(0, byId("desk").getBoundingClientRect().top + window.scrollY - (isWide.matches ? byId("bar").offsetHeight : 0));

  // Show the state after an entry. `still`: leave the lists where they are scrolled to.
  function draw(index, still) {
    now = Math.max(0, Math.min(data.entries.length, index));
    const rows = rowsAt(now);
    drawMissing();
    drawEntry(now);
    stateBoard.draw(rows, now ? rowsAt(now - 1) : rows, data);
    reasons.draw(now);
    charting.draw(now);
    reading.show(isBoard && now ? moves.get(idOf(now)) : null, still);
    const scrubber = byId("scrubber");
    scrubber.max = data.entries.length;
    scrubber.value = now;
    scrubber.setAttribute("aria-valuetext", now ? data.entries[now - 1].id : "the opening");
    for (const id of ["to-opening", "to-before"]) byId(id).disabled = now === 0;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  // Go to an entry that somebody chose. Steps that follow each other are one place to which Back returns.
  function go(index, isStep) {
    missing = "";
    const isNew = !isStep || !isRun || !isBoard;
    setBoard(true, isStep === true && isBoard && isTextFirst);
    draw(index);
    writeAddress(isNew);
    isRun = isStep === true;
    announce(now);
    document.dispatchEvent(new Event("step"));
  }

  function step(index) {
    playing.stop();
    go(index, true);
  }

  function stepByGroup(forward) {
    const next = forward ? starts.find((start) => start > now) : starts.filter((start) => start < now).pop();
    step(next === undefined ? (forward ? data.entries.length : 0) : next);
  }

  // The play: from the opening where nothing is chosen or the session is at its end.
  function beginPlay() {
    if (!isBoard || now === data.entries.length) go(0);
  }

  function playOn() {
    const next = data.entries.findIndex((entry, at) => at >= now && reading.isPlayed(moves.get(entry.id)));
    if (next < 0) return false;
    go(next + 1, true);
    return true;
  }

  // Leave the board: the article alone is shown.
  function closeBoard() {
    if (!isBoard || data.open) return;
    playing.stop();
    isRun = false;
    setBoard(false);
    draw(data.entries.length);
    writeAddress(true);
    document.dispatchEvent(new Event("step"));
    byId(`tab-${reading.tab()}`).focus({ preventScroll: true });
  }

  // Somebody clicked a tab.
  function chooseTab(name) {
    isRun = false;
    if (name !== "board") reading.choose(name);
    setBoard(isBoard || name === "board", name !== "board");
    draw(now);
    writeAddress(true, data.open && now === data.entries.length);
  }

  // Show what the address names; where it names nothing, the article, or the end of a session that is open.
  function follow() {
    const named = address.read(location.hash);
    const index = named.entry === undefined ? data.entries.length : named.entry === "" ? 0 : order.get(named.entry);
    const isLoading = isBoard === undefined; // then the lists are scrolled when all is there
    isRun = false;
    playing.stop();
    missing = index === undefined ? named.entry.slice(0, 40) : "";
    if (named.why !== undefined) reasons.setOpen(named.why);
    reading.choose(named.tab || defaultTab());
    setBoard(data.open || (named.entry !== undefined && !missing), named.entry === undefined && named.tab !== undefined);
    draw(index === undefined ? data.entries.length : index, isLoading);
    const place = byId(named.place);
    if (place) place.scrollIntoView();
    return named.entry !== undefined;
  }

  async function copyLink(button) {
    const link = address.lasting(data.session, hash());
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
    ArrowLeft: () => step(now - 1),
    ArrowRight: () => step(isBoard ? now + 1 : 0),
    Home: () => step(0),
    End: () => step(data.entries.length),
    PageUp: () => stepByGroup(false),
    PageDown: () => stepByGroup(true),
  };

  // Whether a key is to scroll: a list or a table that has the focus, or a page of one column, longer than its window.
  function scrolls({ target, key }) {
    const region = target.closest("#lines, #story, .encounter, .wide");
    if (key.startsWith("Arrow")) return target === region && region.scrollWidth > region.clientWidth;
    if (target === byId("scrubber")) return false;
    if (!isBoard) return true;
    return !isWide.matches || (region !== null && region.scrollHeight > region.clientHeight);
  }

  function onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=range]), select, [role=tab]")) return;
    if (event.key === "Escape") return void (playing.isOn() ? playing.stop() : closeBoard());
    const press = KEYS[event.key];
    if (!press || scrolls(event)) return;
    event.preventDefault();
    press();
  }

  function onButton({ target }) {
    const button = target.closest("button.level, button.copy");
    if (!button) return;
    if (button.classList.contains("copy")) copyLink(button);
    else reasons.showValue(now, button.dataset.value, button.dataset.title);
  }

  // A link to an entry shows it, and does not scroll to its line.
  function onLink(event) {
    const link = event.target.closest('a[href^="#e"]');
    const index = link && order.get(link.getAttribute("href").slice(2));
    if (index === null || index === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    playing.stop();
    go(index);
    if (link.offsetParent === null) byId("why").focus({ preventScroll: true }); // it is no longer shown
  }

  // The Why was opened or closed: the address says so.
  function onToggle(event) {
    if (event.target.parentElement !== byId("why")) return;
    reasons.setOpen(event.target.open);
    const isNamed = location.hash.startsWith("#e") || location.hash.startsWith("#opening");
    if (isNamed && hash() !== location.hash) writeAddress(false);
  }

  // Marks on the slider where something turned.
  function drawTurns() {
    const turns = data.entries.flatMap(({ id }, at) => (moves.get(id).dataset.turn ? [[at + 1, moves.get(id).dataset.turn]] : []));
    const marks = turns.map(([at, kind]) => {
      const mark = element("span", { class: `turn ${kind}` });
      mark.style.insetInlineStart = `${(100 * at) / data.entries.length}%`;
      return mark;
    });
    byId("turns").replaceChildren(...marks);
  }

  // The entries of columns, which have each part of every entry in a list of its own.
  const entriesOf = (columns) => columns.id.map((_, at) => Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, list[at]])));

  // Read the lines and the charts that stand in the document, beside their data.
  function read(content) {
    data = { ...content, entries: entriesOf(content.entries) };
    order = new Map(data.entries.map((entry, at) => [entry.id, at + 1]));
    moves = new Map([...document.querySelectorAll("li.entry")].map((item) => [item.id.slice(1), item]));
    starts = [...document.querySelectorAll("ol.lines")].map((list) => order.get(list.querySelector("li.entry").id.slice(1)));
    charting.read(data, (place) => go(place));
    reasons.read(data);
    reading.read(data);
    drawTurns();
  }

  function listen() {
    byId("scrubber").addEventListener("input", (event) => step(Number(event.target.value)));
    byId("to-opening").addEventListener("click", KEYS.Home);
    byId("to-before").addEventListener("click", KEYS.ArrowLeft);
    byId("to-after").addEventListener("click", KEYS.ArrowRight);
    byId("to-end").addEventListener("click", KEYS.End);
    byId("close").addEventListener("click", closeBoard);
    isWide.addEventListener("change", () => setBoard(isBoard));
    document.addEventListener("toggle", onToggle, true);
    document.addEventListener("click", onButton);
    document.addEventListener("click", onLink);
    document.addEventListener("keydown", onKey);
    window.addEventListener("load", () => reading.show(isBoard && now ? moves.get(idOf(now)) : null)); // the browser has scrolled to what the link names
    window.addEventListener("hashchange", () => {
      if (follow()) announce(now);
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
      if (location.hash.startsWith("#e")) history.replaceState(null, "", location.pathname);
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
    reading.show(isBoard && now ? moves.get(idOf(now)) : null, true);
    byId("scrubber").max = data.entries.length;
    for (const id of ["to-after", "to-end"]) byId(id).disabled = now === data.entries.length;
  }

  reading.make(chooseTab);
  read(JSON.parse(byId("data").textContent));
  playing.make(beginPlay, playOn);
  listen();
  follow();
  if ("live" in document.body.dataset) {
    window.replay = { update, ids: () => data.entries.map((entry) => entry.id), isAtEnd: () => now === data.entries.length, toEnd: KEYS.End, session: data.session };
  }
})();
