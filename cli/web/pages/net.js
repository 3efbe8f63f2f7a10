// The connection of a page: the token stands in a header, never in an address. Without one it is a page for everybody.
"use strict";
const newNet = (token) => {
  const SLOWEST = 15000; // milliseconds until a request counts as lost
  const SILENT = 60000; // milliseconds without a sign of life until a stream counts as cut
  const headers = { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json" };

  async function send(method, path, body, longest = SLOWEST) {
    const answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(longest),
    });
    const wait = Number(answer.headers.get("retry-after")) || 0;
    return { status: answer.status, wait, body: await answer.json().catch(() => null) };
  }

  // Hear what comes from a path, hear(name, data, id), until it ends. Rejects with {status} where it is not answered.
  async function stream(path, hear, opened = () => {}) {
    const control = new AbortController();
    let timer = setTimeout(() => control.abort(), SILENT);
    try {
      const answer = await fetch(path, { headers, cache: "no-store", signal: control.signal });
      if (!answer.ok) throw { status: answer.status };
      opened();
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
    } finally {
      clearTimeout(timer);
      control.abort(); // also where what was heard ends it
    }
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
    hear(part("event") || "message", data, part("id"));
  }

  return { send, stream, listen: (after, hear) => stream(`/events?after=${after}`, hear) };
};
