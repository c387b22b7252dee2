// What writes: buttons and forms with data-post send JSON; then the page is loaded again, or another one.
import { announce, findAll, send, word } from "./dom.js";

async function post(address, content) {
  const answer = await send("POST", address, content).catch(() => null);
  const result = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer?.ok) { announce(result.error ?? `⚠ ${word("The server does not answer.")}`); return; }
  if (result.address) location.assign(result.address); else location.reload();
}

const value = (field) => (field.type === "number" ? Number(field.value) : field.type === "checkbox" ? field.checked : field.value);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.post) return;
  event.preventDefault();
  event.stopPropagation();
  post(form.dataset.post, Object.fromEntries(findAll("[name]", form).map((field) => [field.name, value(field)])));
}, true);
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-post]");
  if (button) { button.disabled = true; post(button.dataset.post, JSON.parse(button.dataset.content)).finally(() => { button.disabled = false; }); }
});
