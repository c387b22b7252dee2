// History of queries in this browser, and named queries on the server.
import { find, here, make, send } from "./dom.js";

const KEY = "paberki-history";
const read = () => { try { return JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { return []; } };

export function remember() {
  const query = find("#work[data-query]")?.dataset.query;
  if (!query) return;
  const entry = { query, address: location.pathname + location.search, time: new Date().toISOString() };
  const others = read().filter((one) => one.query !== query);
  try { localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, 200))); } catch { /* no history */ }
}

export function showHistory() {
  const list = find("#history");
  const entries = read();
  const forget = find("#forget-history");
  if (forget) forget.hidden = !entries.length;
  list?.replaceChildren(...entries.map((one) => make("li", {}, make("a", { href: one.address }, make("code", {}, one.query)), make("span", { class: "tiny muted" }, ` ${one.time.slice(0, 16).replace("T", " ")}`))));
}

document.addEventListener("click", async (event) => {
  const name = event.target.closest?.("[data-forget]")?.dataset.forget;
  if (name) { await send("DELETE", here(`/api/v1/saved/${encodeURIComponent(name)}`)); location.reload(); }
  if (event.target.closest?.("#forget-history")) { try { localStorage.removeItem(KEY); } catch { /* none */ } showHistory(); }
});
