// The current line: one has focus, j and k move it.
import { find, findAll, here } from "./dom.js";

export const lines = () => findAll("[data-testid=kwic-line]");
export const current = () => find("[data-testid=kwic-line].current");

export function choose(line, focus = true) {
  if (!line) return;
  for (const other of lines()) other.classList.toggle("current", other === line);
  if (focus) line.focus({ preventScroll: true });
  line.scrollIntoView({ block: "nearest" });
}

export function move(step) {
  const all = lines();
  const at = all.indexOf(current());
  choose(at < 0 ? all[0] : all[Math.min(Math.max(at + step, 0), all.length - 1)]);
}

export function tick() {
  const box = current() && find(".tick", current());
  if (box) { box.checked = !box.checked; showTicked(); }
}

/** Ticked lines lead to the cuts that would have caught their pages. */
function showTicked() {
  const pages = new Set(findAll(".tick:checked").map((box) => box.closest("[data-page]")?.dataset.page).filter(Boolean));
  const link = find("#rubbish");
  if (!link) return;
  link.hidden = !pages.size;
  link.href = here("/rubbish", { pages: [...pages].join(",") });
}

document.addEventListener("change", (event) => { if (event.target.matches?.(".tick")) showTicked(); });

document.addEventListener("focusin", (event) => {
  const line = event.target.closest?.("[data-testid=kwic-line]");
  if (line && line === event.target) choose(line, false);
});
document.addEventListener("click", (event) => {
  const line = event.target.closest?.("[data-testid=kwic-line]");
  if (line && !event.target.closest("a, button, input, iframe, details, .drawer")) choose(line);
});
