// Coding: one key for each value of the variable that is next; each choice is stored at once.
import { announce, find, findAll, here, send } from "./dom.js";

const form = () => find("#coding-form");

async function store(name, value) {
  const { task, coder, key, start, end } = form().dataset;
  const place = start === undefined ? {} : { start: Number(start), end: Number(end) };
  const answer = await send("POST", here("/api/v1/codings"), { task, coder, key, variable: name, value, ...place });
  if (!answer.ok) announce((await answer.json().catch(() => ({}))).error ?? "");
  return answer.ok;
}

const open = () => findAll("fieldset[data-variable]", form()).find((one) => !find("input:checked", one));

document.addEventListener("change", async (event) => {
  if (!event.target.closest?.("#coding-form")) return;
  if (await store(event.target.name, event.target.value) && !open()) find("#next-item")?.click();
});
document.addEventListener("keydown", (event) => {
  if (!form() || event.ctrlKey || event.metaKey || event.target.matches?.("input[type=text], textarea")) return;
  if (/^[1-9]$/.test(event.key)) { const box = open() && findAll("input", open())[Number(event.key) - 1]; if (box) { box.click(); event.preventDefault(); } }
  if (event.key === "n") find("#next-item")?.click();
});
