// Keys. Single letters are off in fields, and can be switched off altogether.
import { announce, find, word } from "./dom.js";
import { close, explain, original, provenance, tree, wider } from "./drawer.js";
import { label } from "./labels.js";
import { current, move, tick } from "./lines.js";
import { stopCounting } from "./total.js";

const go = (selector) => find(selector)?.click();

async function copyLink() {
  const address = new URL(location.href);
  address.searchParams.set("build", find('meta[name="paberki-build"]').content);
  const total = find("#total[data-state=done]");
  if (total) address.searchParams.set("count", total.dataset.value);
  try { await navigator.clipboard.writeText(address.href); announce(`${word("Copied:")} ${address.href}`); } catch { announce(address.href); }
}

const keys = {
  "/": () => { const field = find("#simple-box:not([hidden]) #simple") ?? find("#query"); field?.focus(); field?.select(); },
  j: () => move(1), k: () => move(-1), o: () => original(), t: () => tree(), x: () => wider(), e: () => explain(),
  f: () => go(".tabs [data-key=f]"), c: () => go(".tabs [data-key=c]"), d: () => go(".tabs [data-key=d]"), p: () => go(".tabs [data-key=p]"),
  "[": () => go("[data-testid=sort-left-1]"), "]": () => go("[data-testid=sort-right-1]"),
  n: () => go(".pager [rel=next]"), b: () => go(".pager [rel=prev]"), s: () => stopCounting(), y: copyLink,
  u: () => { const steps = document.querySelectorAll(".chain [data-undo]"); steps[steps.length - 1]?.click(); },
  "?": () => find("#keys")?.showModal(),
};

const inField = (target) => target.closest?.("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (close()) { current()?.focus(); event.preventDefault(); } else if (inField(event.target)) event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target) || find("dialog[open]")) return;
  if (find("#coding-form")) return;
  const line = event.target.closest?.("[data-testid=kwic-line]");
  if (line && line === event.target && event.key === "Enter") { provenance(line); event.preventDefault(); return; }
  if (line && line === event.target && event.key === " ") { tick(); event.preventDefault(); return; }
  if (!find("#single-keys")?.checked) return;
  if (/^[0-9]$/.test(event.key) && current()) { label(current(), event.key === "0" ? "" : event.key); event.preventDefault(); return; }
  const act = keys[event.key];
  if (act) { act(); event.preventDefault(); }
});
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#show-keys")) find("#keys").showModal();
  if (event.target.closest?.("[data-close=dialog]")) event.target.closest("dialog").close();
});
const single = find("#single-keys");
if (single) {
  try { single.checked = localStorage.getItem("paberki-keys") !== "off"; } catch { /* keys are on */ }
  single.addEventListener("change", () => { try { localStorage.setItem("paberki-keys", single.checked ? "on" : "off"); } catch { /* for this page */ } });
}
