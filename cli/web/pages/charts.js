"use strict";
// The charts of a replay page: the numbers at an entry stand in the legends, those under the pointer while it is there.
const charting = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  let figures = []; // {plot, outputs, cursor, pointer}
  let series = []; // the numbers of each line, in the order of the legends
  let ids = []; // of the entries
  let go; // called with the place that was clicked
  let now = 0;

  const across = (place) => `${(100 * place) / Math.max(ids.length, 1)}%`;

  // A line from top to bottom, kept where the drawing has it already.
  function upright(plot, name) {
    const line = plot.querySelector(`.${name}`) || plot.appendChild(document.createElementNS(SVG, "line"));
    line.setAttribute("class", name);
    line.setAttribute("y1", "0");
    line.setAttribute("y2", "100%");
    return line;
  }

  function move(line, place) {
    line.setAttribute("x1", across(place));
    line.setAttribute("x2", across(place));
  }

  // Take the charts that stand in the document, beside their numbers.
  function read(content, whenClicked) {
    go = whenClicked;
    series = content.series;
    ids = content.entries.map((entry) => entry.id);
    let first = 0;
    figures = [...document.querySelectorAll("#graphs figure.chart")].map((figure) => {
      const plot = figure.querySelector(".plot");
      const outputs = [...figure.querySelectorAll(".legend output")].map((output) => ({ output, numbers: series[first++].numbers }));
      return { plot, outputs, cursor: upright(plot, "cursor"), pointer: upright(plot, "pointer") };
    });
    point(null);
  }

  function write(place) {
    for (const { outputs } of figures) {
      for (const { output, numbers } of outputs) output.textContent = numbers[place] === null ? "–" : numbers[place];
    }
  }

  // Show the numbers at an entry.
  function draw(place) {
    now = place;
    for (const { cursor } of figures) move(cursor, place);
    write(place);
  }

  // The entry with its line, as the list has it.
  function wordsOf(id) {
    const link = document.getElementById(`e${id}`).querySelector(".said a");
    return link ? link.textContent : id;
  }

  // Show the numbers at a place for as long as the pointer is there; null: it is nowhere.
  function point(place) {
    for (const { pointer } of figures) {
      pointer.toggleAttribute("hidden", place === null);
      if (place !== null) move(pointer, place);
    }
    const words = place === null ? "" : place === 0 ? "the opening" : wordsOf(ids[place - 1]);
    for (const pointed of document.querySelectorAll("#graphs .pointed")) pointed.textContent = words;
    write(place ?? now);
  }

  function placeOf(event) {
    const plot = event.target.closest && event.target.closest("#graphs .plot");
    if (!plot) return null;
    const box = plot.getBoundingClientRect();
    return Math.max(0, Math.min(ids.length, Math.round(((event.clientX - box.left) / box.width) * ids.length)));
  }

  function onMove(event) {
    if (event.pointerType === "touch") return; // a tap goes there
    const place = placeOf(event);
    if (place !== null || isPointing) point(place);
    isPointing = place !== null;
  }

  let isPointing = false;
  document.addEventListener("pointermove", onMove);
  document.documentElement.addEventListener("pointerleave", onMove);
  document.addEventListener("click", (event) => {
    const place = placeOf(event);
    if (place !== null) go(place);
  });

  return { read, draw };
})();
