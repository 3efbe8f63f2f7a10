// The connection of a player's page: the token stands in a header, never in an address, and is kept for this tab alone.
"use strict";
const newNet = (token) => {
  const SLOWEST = 15000; // milliseconds until a request counts as lost
  const SILENT = 60000; // milliseconds without a sign of life until a stream counts as cut
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  async function send(method, path, body) {
    const answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(SLOWEST),
    });
    const wait = Number(answer.headers.get("retry-after")) || 0;
    return { status: answer.status, wait, body: await answer.json().catch(() => null) };
  }

  async function listen(after, hear) {
    const control = new AbortController();
    let timer = setTimeout(() => control.abort(), SILENT);
    const answer = await fetch(`/events?after=${after}`, { headers, cache: "no-store", signal: control.signal });
    if (!answer.ok) throw { status: answer.status };
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => control.abort(), SILENT);
      text += value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        hearEvent(text.slice(0, end), hear);
        text = text.slice(end + 2);
      }
    }
    clearTimeout(timer);
  }

  function hearEvent(text, hear) {
    const rows = text.split("\n");
    const part = (name) =>
      rows
        .filter((row) => row.startsWith(`${name}:`))
        .map((row) => row.slice(name.length + 1).trim())
        .join("\n");
    if (!part("data") && !part("event")) return; // a comment: it is alive
    let data = null;
    try {
      data = JSON.parse(part("data"));
    } catch {
      // an event without data
    }
    hear(part("event") || "message", data);
  }

  return { send, listen };
};
