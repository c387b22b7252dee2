// While a query is typed: is it right, and what would it cost?
import { find, here, later, make } from "./dom.js";

async function check() {
  const field = find("#query"), line = find("#estimate");
  if (!field || !line) return;
  const text = field.value.trim();
  if (!text) { line.textContent = ""; return; }
  const answer = await fetch(here("/estimate", { q: text })).catch(() => null);
  if (!answer || field.value.trim() !== text) return;
  const content = await answer.json().catch(() => ({}));
  line.classList.toggle("warning", !answer.ok || content.slow);
  if (answer.ok) { line.textContent = content.text; line.title = content.canonical; line.dataset.seconds = content.seconds; }
  else line.replaceChildren(make("span", {}, `${content.position != null ? `${content.position + 1}: ` : ""}${content.error ?? ""}`));
}

const checkLater = later(check, 250);
document.addEventListener("input", (event) => { if (event.target.id === "query") checkLater(); });
document.addEventListener("query-written", checkLater);
