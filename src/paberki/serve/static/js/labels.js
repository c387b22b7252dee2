// Categories on lines: one key, stored on the server with the page and the bytes of the hit; a server that only reads
// leaves them in this browser, where they hang on the page and its tokens of this build.
import { announce, find, findAll, here, meta, send, word } from "./dom.js";

const KEY = () => `paberki-labels-${meta("corpus") || "one"}-${meta("build")}`;
const place = (line) => `${line.dataset.start}-${line.dataset.end}`;
const read = () => { try { return JSON.parse(localStorage.getItem(KEY()) ?? "{}"); } catch { return {}; } };

function keep(line, value) {
  const labels = read();
  if (value) labels[place(line)] = value; else delete labels[place(line)];
  try { localStorage.setItem(KEY(), JSON.stringify(labels)); } catch { /* for this page only */ }
}

export async function label(line, value) {
  const mark = find("[data-testid=category]", line);
  const before = mark.textContent;
  show(mark, value);
  if (meta("edit") !== "1") { keep(line, value); announce(word("This server only reads: categories stay in this browser.")); return; }
  const content = { page: Number(line.dataset.page), start: Number(line.dataset.start), end: Number(line.dataset.end), value };
  const answer = await send("POST", here("/lines/label"), content).catch(() => null);
  if (answer?.ok) return;
  show(mark, before);
  announce(answer ? (await answer.json().catch(() => ({}))).error ?? "" : `⚠ ${word("The server does not answer.")}`);
}

/** Categories that only this browser knows. */
export function showLabels() {
  if (meta("edit") === "1") return;
  const labels = read();
  for (const line of findAll("[data-testid=kwic-line]")) if (labels[place(line)]) show(find("[data-testid=category]", line), labels[place(line)]);
}

function show(mark, value) {
  mark.textContent = value;
  if (value) mark.dataset.value = value; else delete mark.dataset.value;
}
