// The CQL field: colours under it, as much room as it needs, Ctrl+Enter.
import { find, submit } from "./dom.js";

const PARTS = /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|([A-Za-z_][\w.]*)(?=\s*(?:!?[=<>]|contains|matches|in\b))|([[\](){}<>|&!*+?:,/-]+)|(\s+|[^\s"'[\](){}<>|&!*+?:,/-]+)/gu;

export function colour() {
  const field = find("#query"), under = find("#colours");
  if (!field || !under) return;
  const pieces = [];
  for (const [text, string, attribute, sign] of field.value.matchAll(PARTS)) {
    const kind = string ? "string" : attribute ? "attribute" : sign ? "sign" : "";
    if (!kind) { pieces.push(text); continue; }
    const piece = document.createElement("span");
    piece.className = kind;
    piece.textContent = text;
    pieces.push(piece);
  }
  under.replaceChildren(...pieces, "\u200b");
  field.style.height = "";
  find("#editor").classList.add("coloured");
}

/** Put a text into the field, as if it was typed. */
export function write(text) {
  const field = find("#query");
  if (!field) return;
  field.value = text;
  colour();
  field.dispatchEvent(new CustomEvent("query-written", { bubbles: true }));
}

document.addEventListener("input", (event) => { if (event.target.id === "query") colour(); });
document.addEventListener("keydown", (event) => {
  if (event.target.id === "query" && event.key === "Enter" && !event.shiftKey && !event.defaultPrevented) {
    if (event.ctrlKey || event.metaKey || !event.target.value.includes("\n")) { event.preventDefault(); submit(event.target.form); }
  }
});
