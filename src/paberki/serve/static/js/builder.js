// The builder: a card for each token, arrows for relations, a grey card for what cannot be drawn. It writes CQL.
import { find, findAll, here, make, word } from "./dom.js";
import { write } from "./editor.js";

let model = { cards: [], within: "", attributes: ["word"], structures: [], relations: false };
let written = null;

const escaped = (value) => value.replace(/"/gu, (sign, at) => (value[at - 1] === "\\" ? sign : '\\"'));

function conditionText({ attribute, operator, negated, value, flags }) {
  const text = `"${escaped(value)}"${flags ? `%${flags}` : ""}`;
  if (operator === "contains") return `${attribute} ${negated ? "not " : ""}contains ${text}`;
  return `${attribute || "word"}${negated ? "!" : ""}${operator}${text}`;
}

function times({ low, high }) {
  if (low === 1 && high === 1) return "";
  return high === null ? `{${low},}` : low === high ? `{${low}}` : `{${low},${high}}`;
}

function cardText(card, alone) {
  if (card.kind === "raw") return alone ? card.alone : card.cql;
  if (card.kind === "relation") return `${card.negated ? "!" : ""}-${card.name}-${card.descendants ? ">>" : ">"}`;
  const rows = card.conditions.filter((one) => one.value !== "");
  const bare = rows.length === 1 && !rows[0].attribute && rows[0].operator === "=" && !rows[0].negated;
  const inside = bare ? conditionText(rows[0]).replace(/^[^"]*/u, "") : `[${rows.map(conditionText).join(` ${card.join} `)}]`;
  return `${card.label ? `${card.label}:` : ""}${inside}${times(card)}`;
}

export function cqlOf({ cards, within }) {
  const text = cards.map((card) => cardText(card, cards.length === 1)).join(" ");
  return within && text ? `${text} within <${within}/>` : text;
}

function changed() { written = cqlOf(model); write(written); }

function select(values, value, change, name) {
  const box = make("select", { "aria-label": name }, ...values.map(([key, text]) => make("option", { value: key, selected: key === value }, text)));
  box.addEventListener("change", () => { change(box.value); changed(); });
  return box;
}

function field(type, value, change, name, more = {}) {
  const box = make("input", { type, value, "aria-label": name, autocomplete: "off", ...more });
  box.addEventListener("input", () => { change(box.value); changed(); });
  return box;
}

function button(text, act, name) {
  const box = make("button", { type: "button", class: "quiet", "aria-label": name, title: name }, text);
  box.addEventListener("click", () => { act(); changed(); render(); });
  return box;
}

const operators = () => [["=", word("is")], ["!=", word("is not")], ["==", word("is literally")], ["contains", word("contains")]];

function conditionRow(card, row) {
  const names = [...new Set([row.attribute || "word", ...model.attributes])].map((name) => [name, name]);
  const values = choices();
  const value = field("text", row.value, (text) => { row.value = text; complete(row, values); }, word("value"), { list: values.id });
  const operator = row.operator === "=" && row.negated ? "!=" : row.operator;
  return make("div", { class: "condition" },
    select(names, row.attribute || "word", (name) => { row.attribute = name; }, word("attribute")),
    select(operators(), operator, (sign) => { row.negated = sign === "!="; row.operator = sign === "!=" ? "=" : sign; }, word("operator")),
    value, button("✕", () => card.conditions.splice(card.conditions.indexOf(row), 1), word("remove condition")), values);
}

async function complete({ attribute, value }, list) {
  const answer = await fetch(here("/api/v1/values", { attr: attribute || "word", prefix: value, per_page: "12" })).catch(() => null);
  if (answer?.ok) list.replaceChildren(...(await answer.json()).rows.map((one) => make("option", { value: one.value, label: `${one.value} ${one.hits}` })));
}

const choices = () => make("datalist", { id: `values-${Math.random().toString(36).slice(2)}` });

function tokenCard(card, number) {
  const empty = () => ({ attribute: model.attributes.includes("lemma") ? "lemma" : model.attributes[0], operator: "=", negated: false, value: "", flags: "" });
  const high = card.high === null ? "" : card.high;
  return make("section", { class: "token-card", "data-testid": "token-card", "aria-label": word("token {n}").replace("{n}", number) },
    make("header", {}, card.conditions.length ? `${number}` : `${number} · []`, button("✕", () => remove(card), word("remove token"))),
    ...card.conditions.map((row) => conditionRow(card, row)),
    make("footer", {}, button("+", () => card.conditions.push(empty()), word("add condition")),
      card.conditions.length > 1 ? select([["&", word("and")], ["|", word("or")]], card.join, (sign) => { card.join = sign; }, word("and, or")) : null,
      make("span", { class: "muted", "aria-hidden": "true" }, "×"), field("number", card.low, (text) => { card.low = Math.max(0, Number(text) || 0); }, word("at least times"), { min: 0, max: 100 }), "–",
      field("number", high, (text) => { card.high = text === "" ? null : Math.max(card.low, Number(text)); }, word("at most times"), { min: 0, max: 1000 }),
      field("text", card.label, (text) => { card.label = text.replace(/\W/gu, ""); }, word("label"), { size: 2, placeholder: "A" })));
}

function relationCard(card) {
  const values = choices();
  const suggest = () => complete({ attribute: "deprel", value: card.name }, values);
  const name = field("text", card.name, (text) => { card.name = text.replace(/[^\w:|]/gu, ""); suggest(); }, word("relation"), { size: 8, placeholder: word("any"), list: values.id });
  name.addEventListener("focus", suggest, { once: true });
  return make("section", { class: "relation", "aria-label": word("relation") }, name, values,
    make("label", {}, toggle(card, "descendants"), word("any depth")), make("label", {}, toggle(card, "negated"), word("none")));
}

function toggle(card, name) {
  const box = make("input", { type: "checkbox", checked: card[name] });
  box.addEventListener("change", () => { card[name] = box.checked; changed(); });
  return box;
}

function remove(card) {
  const at = model.cards.indexOf(card);
  const arrows = [at - 1, at + 1].filter((place) => model.cards[place]?.kind === "relation").slice(0, 1);
  model.cards = model.cards.filter((_, place) => place !== at && !arrows.includes(place));
}

function token() { return { kind: "token", join: "&", low: 1, high: 1, label: "", conditions: [{ attribute: model.attributes.includes("lemma") ? "lemma" : "word", operator: "=", negated: false, value: "", flags: "" }] }; }

function render() {
  const place = find("#builder");
  let number = 0;
  const cards = model.cards.map((card) => (card.kind === "token" ? tokenCard(card, ++number) : card.kind === "relation" ? relationCard(card)
    : make("section", { class: "raw-card", "data-testid": "raw-card" }, make("code", {}, card.alone), button("✕", () => remove(card), word("remove")))));
  const tools = [button(`+ ${word("token")}`, () => model.cards.push(token()), word("add a token")),
    button(`+ ${word("gap")}`, () => model.cards.push({ ...token(), conditions: [], low: 0, high: 3 }), word("add a gap"))];
  if (model.relations && model.cards.at(-1)?.kind === "token" && model.cards.every((card) => card.kind !== "raw")) {
    tools.push(button(`+ ${word("relation")}`, () => model.cards.push({ kind: "relation", name: "", negated: false, descendants: false }, token()), word("add a relation")));
  }
  const within = select([["", word("anywhere")], ...model.structures.map((name) => [name, `${word("within")} <${name}/>`])], model.within, (name) => { model.within = name; }, word("within"));
  place.dataset.cql = cqlOf(model);
  place.replaceChildren(make("div", { class: "builder-cards" }, ...cards), make("div", { class: "row" }, ...tools, within));
}

/** Cards for the query in the field; a query that is wrong leaves the cards as they are, one that is no longer there is forgotten. */
export async function draw(fresh = false) {
  const query = find("#query").value;
  if (query === written && findAll("#builder .builder-cards").length) return;
  if (fresh) find("#builder").replaceChildren();
  const answer = await fetch(here("/builder", { q: query })).catch(() => null);
  if (find("#query")?.value !== query) return;
  if (!answer?.ok) { if (!findAll("#builder .builder-cards").length) render(); return; }
  model = await answer.json();
  if (!model.cards.length) model.cards.push(token());
  written = query;
  render();
}

document.addEventListener("input", (event) => {
  if (event.target.id === "query" && find("#query-form")?.dataset.mode === "builder") draw();
});
