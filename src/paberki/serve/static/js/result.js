// What changes lines without a new search, and what scripts add to plain forms.
import { announce, find, findAll, make, send, submit, word } from "./dom.js";

/** Words bring the values of all attributes with them; ticking one puts it under the words. */
export function showGlosses() {
  const names = find("[data-glosses]")?.dataset.glosses.split(" ") ?? [];
  const chosen = findAll(".toolbar [data-gloss]:checked").map((box) => box.dataset.gloss);
  for (const token of findAll("[data-values]")) {
    const values = token.dataset.values.split("\t");
    const glosses = names.flatMap((name, at) => (chosen.includes(name) ? [make("span", { class: "gloss", "data-testid": "gloss", "data-gloss": name }, values[at])] : []));
    for (const old of findAll(".gloss", token)) old.remove();
    token.append(...glosses);
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches?.(".toolbar [data-gloss]")) {
    showGlosses();
    const address = new URL(location.href);
    const chosen = findAll(".toolbar [data-gloss]:checked").map((box) => box.dataset.gloss).join(",");
    if (chosen) address.searchParams.set("show", chosen); else address.searchParams.delete("show");
    history.replaceState(history.state, "", address);
  }
  if (event.target.dataset?.submit === "change") submit(event.target.form);
});

/** Steps of the chain: the pencil opens a field, filters get their sign. */
document.addEventListener("click", (event) => {
  const pencil = event.target.closest?.("[data-testid=chain-edit]");
  if (pencil) {
    const form = find("form", pencil.closest(".chain-step"));
    form.hidden = !form.hidden;
    if (!form.hidden) find("[data-testid=chain-input]", form).select();
  }
  const rule = event.target.closest?.("#write-cut");
  if (rule) send("POST", "/api/v1/select", { cut: rule.dataset.cut, write: true }).then(async (answer) => {
    const content = await answer.json().catch(() => ({}));
    announce(answer.ok ? `${word("The rule is written. Now type:")} ${content.next_command}` : content.error ?? "");
  });
});
document.addEventListener("submit", (event) => {
  for (const field of findAll("[data-sign]", event.target)) {
    const text = field.value.trim();
    if (text && field.name === "filter" && !(field.dataset.sent === text)) { field.value = field.dataset.sign + text; field.dataset.sent = field.value; }
  }
  for (const field of findAll("input", event.target)) if (field.value === "" && field.name && field.type !== "hidden") field.disabled = true;
}, true);
