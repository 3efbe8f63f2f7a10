"use strict";
// Steps through the session by itself, at a speed that somebody chooses, until its end or any other step.
const playing = (() => {
  const { byId } = elements;
  const PAUSE = 2000; // milliseconds from one entry to the next at the speed 1
  let timer = 0;
  let step; // shows the next entry, and returns whether there was one

  function draw() {
    const button = byId("play");
    button.setAttribute("aria-pressed", String(timer !== 0));
    button.title = timer ? "Pause" : "Play";
  }

  function tick() {
    timer = step() ? setTimeout(tick, PAUSE / Number(byId("pace").value)) : 0;
    draw();
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    draw();
  }

  // `begin` is called before the first step.
  function make(begin, next) {
    step = next;
    byId("play").addEventListener("click", () => {
      if (timer) return void stop();
      begin();
      tick();
    });
    draw();
  }

  return { make, stop, isOn: () => timer !== 0 };
})();
