// The corpus grows while you look: a bar says so, and nothing changes until it is pressed.
import { announce, find, here, make, meta, word } from "./dom.js";

const EVERY = 5000;
let pages;
let gone = false;
let stayed = "";

async function look() {
  if (document.hidden) return;
  const answer = await fetch(here("/growth", { since: meta("build"), pages: pages ?? "" })).catch(() => null);
  if (!answer?.ok) { if (!gone) announce(`⚠ ${word("The server does not answer.")}`); gone = true; return; }
  if (gone) { gone = false; announce(""); }
  const state = await answer.json();
  pages ??= state.pages;
  if (!state.changed || stayed === state.build || find("[data-testid=growth]")) return;
  const take = make("button", { type: "button", class: "primary" }, state.take);
  const stay = make("button", { type: "button" }, state.stay);
  take.addEventListener("click", () => { const address = new URL(location.href); address.searchParams.delete("build"); location.assign(address); });
  stay.addEventListener("click", () => { stayed = state.build; announce(""); });
  announce(make("span", { "data-testid": "growth" }, state.text, " ", take, " ", stay));
}

setInterval(look, EVERY);
look();
