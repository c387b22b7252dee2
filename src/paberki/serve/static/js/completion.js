// Completion in the CQL field: attributes, and values by frequency. The field keeps the focus; options are announced.
import { find, findAll, here, later, make } from "./dom.js";
import { colour } from "./editor.js";

const VALUE = /([A-Za-z_]\w*)\s*(?:!?=|contains)\s*"([^"]*)$/u;
const BARE = /(?:^|[\s(|])"([^"]*)$/u;
const NAME = /\[(?:[^\]"]|"[^"]*")*?([A-Za-z_]\w*)?$/u;
let asked = 0;
let attributes;

async function rows(address) {
  const answer = await fetch(address);
  return answer.ok ? (await answer.json()).rows : [];
}

/** What could stand at the cursor: texts with the part that they replace. */
async function choices(before) {
  const value = before.match(VALUE) ?? (before.match(BARE) && [null, "word", before.match(BARE)[1]]);
  if (value) {
    const found = await rows(here("/api/v1/values", { attr: value[1], prefix: value[2], per_page: "12" }));
    return found.map((row) => ({ text: row.value, note: row.hits, drop: value[2].length, close: '"' }));
  }
  const name = before.match(NAME);
  if (!name || (before.match(/"/g)?.length ?? 0) % 2) return [];
  attributes ??= (await rows(here("/api/v1/attributes"))).map((row) => row.name);
  const start = name[1] ?? "";
  return attributes.filter((one) => one.startsWith(start) && one !== start).map((one) => ({ text: one, note: "", drop: start.length, close: '="' }));
}

const list = () => find("#suggestions");
const options = () => findAll("[role=option]", list());
const chosen = () => find("[aria-selected=true]", list());

function hide() { list()?.replaceChildren(); find("#query")?.removeAttribute("aria-activedescendant"); }

async function suggest() {
  const field = find("#query"), mine = ++asked;
  if (!field || document.activeElement !== field || field.selectionStart !== field.selectionEnd) return hide();
  const found = await choices(field.value.slice(0, field.selectionStart)).catch(() => []);
  if (mine !== asked || !list() || chosen()) return; // whoever has begun to choose keeps the list
  list().replaceChildren(...found.slice(0, 12).map((one, at) => {
    const option = make("div", { role: "option", id: `option-${at}`, "aria-selected": "false" }, one.text, make("small", {}, one.note ? new Intl.NumberFormat().format(one.note) : ""));
    option.choice = { ...one, start: field.selectionStart - one.drop };
    return option;
  }));
  field.removeAttribute("aria-activedescendant");
}

function point(option) {
  for (const one of options()) one.setAttribute("aria-selected", String(one === option));
  find("#query").setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function take(option) {
  const field = find("#query"), { text, drop, close } = option.choice, at = field.selectionStart;
  const behind = field.value.slice(at).startsWith(close[0]) ? "" : close;
  const literal = close === '"' ? text.replace(/[.?*+()|{}[\]\\^$"]/gu, "\\$&") : text;
  field.setRangeText(literal + behind, at - drop, at, "end");
  colour();
  hide();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** While the next ones are asked for, only those stay that what was typed can still become. */
function narrow() {
  const field = find("#query"), at = field.selectionStart;
  for (const option of options()) {
    const { choice } = option, typed = field.value.slice(choice.start, at);
    if (at >= choice.start && choice.text.startsWith(typed)) choice.drop = typed.length; else option.remove();
  }
  field.removeAttribute("aria-activedescendant");
}

const suggestLater = later(suggest, 120);
document.addEventListener("input", (event) => {
  if (event.target.id !== "query") return;
  chosen()?.setAttribute("aria-selected", "false");
  asked += 1; // answers that are still under way are out of date
  narrow();
  suggestLater();
});
document.addEventListener("focusout", (event) => { if (event.target.id === "query") setTimeout(hide, 150); });
document.addEventListener("pointerdown", (event) => {
  const option = event.target.closest?.("#suggestions [role=option]");
  if (option) { event.preventDefault(); take(option); }
});
document.addEventListener("keydown", (event) => {
  if (event.target.id !== "query" || !options().length) return;
  const all = options(), at = all.indexOf(chosen());
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    point(all[(at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1) + all.length) % all.length]);
    event.preventDefault();
  } else if ((event.key === "Enter" || event.key === "Tab") && chosen() && !event.ctrlKey) {
    take(chosen());
    event.preventDefault();
  } else if (event.key === "Escape") { hide(); event.preventDefault(); event.stopPropagation(); }
}, true);
