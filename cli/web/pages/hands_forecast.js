// The forecast of the fight that is on, for the game master: played by the server when it is asked for.
"use strict";
const newForecast = ({ table, panel, form, policy, choice, container }) => {
  const PATIENCE = 40000; // milliseconds: the server ends what it plays before
  let last = 0; // the number of the question whose answer is awaited

  async function ask(event) {
    event.preventDefault();
    const own = (last += 1);
    container.setAttribute("aria-busy", "true");
    fill(container, make("p", {}, "The fight is played many times. This takes some seconds."));
    const query = new URLSearchParams({ policy: policy.value, play: choice.value });
    const [card, problem] = await table.ask(`/forecast?${query}`, PATIENCE).then((answer) => [answer, null], (answer) => [null, answer?.body ?? {}]);
    if (own !== last) return; // another was asked for meanwhile
    container.setAttribute("aria-busy", "false");
    fill(container, card ? shown(card) : make("p", { class: "problem" }, [problem.message ?? "no answer came", problem.hint].filter(Boolean).join(". ")));
    panel.scrollTop = container.offsetTop - panel.offsetTop; // the answer, and not the question, is in view
  }

  const list = (title, texts) => texts.length > 0 && [make("h2", {}, title), make("ul", {}, texts.map((text) => make("li", {}, legible(text))))];
  const fate = ({ who, part, text }) => make("li", {}, make("b", {}, who), make("meter", { min: 0, max: 1, value: part, "aria-label": `${who} falls` }), make("span", {}, text));

  function shown({ heading, rows, rounds, values, moves }) {
    return [heading.map((text) => make("p", {}, text)), make("ul", { class: "fates" }, rows.map(fate)), make("p", {}, rounds), list("Left at the end, in half of the runs", values), list("What moves most how often a player falls", moves)];
  }

  function state({ role, encounter }) {
    panel.hidden = role !== "gm" || encounter === null;
    if (panel.hidden) fill(container);
  }

  form.addEventListener("submit", ask);
  return { state };
};
