// Small things that all modules use.
export const find = (selector, root = document) => root.querySelector(selector);
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];
export const meta = (name) => find(`meta[name="paberki-${name}"]`)?.content ?? "";

/** A text of scripts in the language of the page; the page brings those that it needs. */
let words;
export const word = (text) => { words ??= JSON.parse(meta("words") || "{}"); return words[text] ?? text; };

/** An element with attributes and children; texts are texts, never markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** The address of this corpus. */
export function here(path, parameters = {}) {
  const pairs = new URLSearchParams(parameters);
  if (meta("corpus") && !pairs.has("corpus")) pairs.set("corpus", meta("corpus"));
  return pairs.size ? `${path}?${pairs}` : path;
}

/** Whether the server was started again since this page was loaded; then the page takes over its new token. */
async function hasNewToken() {
  const answer = await fetch(here("/help"));
  const token = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector('meta[name="paberki-token"]')?.content;
  if (!token || token === meta("token")) return false;
  find('meta[name="paberki-token"]').content = token;
  return true;
}

/** A request that changes something. */
export async function send(method, address, content) {
  const ask = () => fetch(address, { method, headers: { "X-Paberki-Token": meta("token"), "Content-Type": "application/json" },
    body: content === undefined ? undefined : JSON.stringify(content) });
  const answer = await ask();
  return answer.status === 403 && await hasNewToken() ? ask() : answer;
}

/** A function that waits until it has not been called for a while. */
export function later(work, milliseconds) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => work(...values), milliseconds); };
}

/** Submit a form as a person would, so that htmx sees it. */
export const submit = (form) => form?.requestSubmit();

/** Say something in the bar at the top. */
export function announce(text, ...more) {
  find("#banner")?.replaceChildren(text, ...more);
}
