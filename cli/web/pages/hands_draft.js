// One line before it is said: what is to be typed in it, its price, its chances, its options, its dice.
"use strict";
const newDraft = ({ table, container, done }) => {
  const BLANK = "…";
  const ODDS_AFTER = 250; // milliseconds: what is changed again at once needs no chances
  let draft = null; // {title, line, blanks, texts, info, odds, faces, typed, waits, problem}

  function open(title, act) {
    const texts = act.blanks.map((blank) => (blank.is_number && blank.most !== null ? String(blank.most) : ""));
    draft = { title, line: act.line, blanks: act.blanks, texts, info: null, problem: null, odds: [], faces: [], waits: false };
    draft.typed = table.state?.session.dice === "typed";
    show();
    look();
    container.querySelector("input, .send")?.focus();
  }

  function close() {
    draft = null;
    show();
  }

  // The line with what was typed in its blanks; null while something is lacking.
  function written() {
    let line = draft.line;
    for (const [index, blank] of draft.blanks.entries()) {
      const text = draft.texts[index].trim();
      if (!text || (blank.is_number && !/^-?\d{1,9}$/.test(text))) return null;
      line = blank.is_number
        ? line.replace(BLANK, () => text)
        : line.replace(`"${BLANK}"`, () => `"${text.replace(/[\\"]/g, "\\$&")}"`);
    }
    return line;
  }

  async function look() {
    const asked = draft;
    const line = written();
    if (line === null) return;
    try {
      const info = await table.ask(`/act?line=${encodeURIComponent(line)}`);
      if (draft !== asked || written() !== line) return;
      Object.assign(draft, { info, problem: null, odds: [] });
      draft.waits = draft.waits || (info.announces && table.state?.role === "gm");
      show();
      setTimeout(() => draft === asked && written() === line && lookAtOdds(asked, line), ODDS_AFTER);
    } catch (answer) {
      if (draft !== asked || written() !== line) return;
      Object.assign(draft, { info: null, problem: answer?.body ?? null, odds: [] });
      show();
    }
  }

  async function lookAtOdds(asked, line) {
    if (!asked.info?.dice) return;
    const answer = await table.ask(`/odds?line=${encodeURIComponent(line)}`).catch((refused) => refused.body);
    if (!answer || draft !== asked || written() !== line) return;
    draft.odds = answer.own ?? [[answer.message, answer.hint].filter(Boolean).join(". ")];
    show();
  }

  function choose(line) {
    Object.assign(draft, { line, blanks: [], texts: [], faces: [], odds: [] });
    show();
    look();
  }

  function send() {
    const line = written();
    if (line === null) return container.querySelector("input")?.focus();
    const faces = draft.faces.filter(Boolean);
    const thrown = faces.length && draft.info?.dice && faces.length === draft.info.dice.sides.length;
    table.say(line + (draft.waits ? " ..." : "") + (thrown ? ` /${faces.join(".")}` : ""));
    close();
    done();
  }

  function show() {
    container.hidden = draft === null;
    if (draft === null) return void fill(container);
    const { info, problem } = draft;
    const [quick, more] = [true, false].map((each) => (info?.options ?? []).filter((option) => option.quick === each));
    fill(
      container,
      make("h2", {}, draft.title),
      make("p", { class: "said" }, info?.line ?? draft.line),
      draft.blanks.map(blankField),
      problem && make("p", { class: "problem" }, [problem.message, problem.hint].filter(Boolean).join(". ")),
      info && make("p", { class: "price" }, info.price.length ? `Costs: ${legible(info.price.join(", "))}` : ""),
      make("div", { class: "odds", "aria-live": "polite" }, draft.odds.map((row) => make("p", {}, legible(row)))),
      quick.map(optionField),
      info?.dice && dice(info.dice),
      info?.announces && waiting(),
      more.length > 0 && make("details", {}, make("summary", {}, "More"), more.map(optionField)),
      make(
        "div",
        { class: "answers" },
        button("Back", () => (close(), done()), { "data-key": "back" }),
        button("Send", send, { class: "send", "data-key": "send" }),
      ),
    );
  }

  function blankField(blank, index) {
    const input = make("input", {
      type: "text",
      inputmode: blank.is_number ? "numeric" : "text",
      required: true,
      pattern: blank.is_number ? "-?[0-9]+" : null,
      autocomplete: "off",
      "data-key": `blank ${index}`,
      oninput: (event) => {
        draft.texts[index] = event.target.value;
        look();
      },
      onkeydown: (event) => event.key === "Enter" && send(),
    });
    input.value = draft.texts[index];
    const bounds = blank.is_number && blank.most !== null ? ` (${blank.least} to ${blank.most})` : "";
    return make("label", { class: "blank" }, `${blank.field}${bounds}`, input);
  }

  function optionField(option) {
    const name = option.kind === "switches" && option.values.length === 1 ? null : option.field;
    if (option.kind === "blank") return typedOption(option);
    return make(
      "div",
      { class: "option", role: "group", "aria-label": option.field },
      name && make("span", { class: "name" }, name),
      option.values.map((value) =>
        button(value.label || "as it is", () => choose(value.line), {
          "aria-pressed": value.on ? "true" : "false",
          "data-key": `${option.field} ${value.label}`,
        }),
      ),
    );
  }

  function typedOption(option) {
    const [{ label, line }] = option.values;
    const input = make("input", {
      type: "text",
      inputmode: option.blank.is_number ? "numeric" : "text",
      autocomplete: "off",
      "data-key": `option ${option.field}`,
      onchange: (event) => {
        const text = event.target.value.trim();
        if (!text) return;
        Object.assign(draft, { line, blanks: [option.blank], texts: [text] });
        const whole = written();
        if (whole !== null) choose(whole);
      },
    });
    input.value = label;
    return make("label", { class: "blank" }, option.field, input);
  }

  function dice({ purpose, names, sides }) {
    const toggle = button(draft.typed ? "Let the table throw" : "Type the faces", () => {
      Object.assign(draft, { typed: !draft.typed, faces: [] });
      show();
    });
    return make(
      "div",
      { role: "group", "aria-label": `Dice: ${names}` },
      make("p", {}, `${names} for ${purpose} `, table.state?.session.dice === "typed" ? null : toggle),
      draft.typed && faceFields(sides, draft.faces, show),
    );
  }

  function waiting() {
    const input = make("input", { type: "checkbox", "data-key": "waits", onchange: (event) => (draft.waits = event.target.checked) });
    input.checked = draft.waits;
    return make("label", { class: "waits" }, input, "Let others answer before the dice");
  }

  return { open, look, isOpen: () => draft !== null };
};

// Fields for the faces of dice: a row of buttons for each die, a number for one with many sides.
const faceFields = (sides, faces, show) => {
  const BUTTONS_MOST = 20; // sides of a die of which each has a button
  return sides.map((most, index) => {
    const name = sides.length > 1 ? `Die ${index + 1}: d${most}` : `d${most}`;
    const set = (face) => {
      faces[index] = face;
      show();
    };
    if (most > BUTTONS_MOST) {
      const input = make("input", { type: "text", inputmode: "numeric", onchange: (event) => set(Number(event.target.value) || 0) });
      input.value = faces[index] || "";
      return make("label", { class: "blank" }, name, input);
    }
    return make(
      "div",
      { class: "faces", role: "group", "aria-label": name },
      make("span", { class: "name" }, name),
      Array.from({ length: most }, (_, side) =>
        button(String(side + 1), () => set(side + 1), {
          "aria-pressed": faces[index] === side + 1 ? "true" : "false",
          "data-key": `die ${index} ${side + 1}`,
        }),
      ),
    );
  });
};
