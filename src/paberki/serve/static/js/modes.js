// Three ways to ask: words, cards, CQL. Switching keeps the query.
import { find, findAll } from "./dom.js";
import { write } from "./editor.js";

const SIGNS = /[[\]"]|^\s*</u;

/** The builder is loaded when somebody wants it. */
export const drawCards = () => import("./builder.js").then(({ draw }) => draw(true));

export function setMode(mode) {
  const form = find("#query-form");
  if (!form) return;
  form.dataset.mode = mode;
  for (const field of findAll("input[name=mode]", form)) field.value = mode;
  for (const link of findAll("[data-mode][role=button]", form)) link.setAttribute("aria-pressed", String(link.dataset.mode === mode));
  find("#simple-box").hidden = mode !== "simple";
  find("#builder").hidden = mode !== "builder";
  if (mode === "builder") drawCards();
  else (mode === "simple" ? find("#simple") : find("#query"))?.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#query-form [data-mode][role=button]");
  if (link) { event.preventDefault(); event.stopPropagation(); setMode(link.dataset.mode); }
  if (event.target.closest?.("#take-cql")) {
    event.preventDefault();
    event.stopPropagation();
    write(find("#simple").value);
    find("#simple").value = "";
    find("#offer-cql").hidden = true;
    setMode("cql");
  }
}, true);
document.addEventListener("input", (event) => {
  if (event.target.id === "simple") {
    find("#offer-cql").hidden = !SIGNS.test(event.target.value);
    if (event.target.value) { find("#query").value = ""; find("#colours")?.replaceChildren(); }
  }
  if (event.target.id === "query" && find("#simple")) find("#simple").value = "";
});
document.addEventListener("keydown", (event) => {
  if (event.target.id === "simple" && event.key === "Enter" && SIGNS.test(event.target.value)) event.preventDefault();
});
