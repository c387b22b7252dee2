// What opens under a line: provenance, tree, wider context, the original page, the explanation.
import { find, findAll, make, word } from "./dom.js";
import { current } from "./lines.js";

export function close() {
  const open = findAll(".opened");
  for (const drawer of open) (drawer.closest(".opened-row") ?? drawer).remove();
  return open.length > 0;
}

function open(line, name, title, content) {
  const old = find(".opened", line) ?? line.nextElementSibling?.querySelector?.(".opened");
  if (old && old.dataset.name === name) { close(); line.focus(); return null; }
  close();
  const shut = make("button", { type: "button", class: "quiet", "aria-label": "Esc", "data-close": "drawer" }, "✕");
  const box = make("section", { class: "drawer", dir: "ltr", "aria-label": title }, make("header", {}, make("h3", {}, title), shut), content);
  const holder = line.tagName === "TR" ? make("tr", { class: "opened-row" }, make("td", { colspan: line.cells.length, class: "opened" }, box)) : make("div", { class: "opened" }, box);
  const marked = holder.classList.contains("opened") ? holder : find(".opened", holder);
  marked.dataset.name = name;
  if (line.tagName === "TR") line.after(holder); else line.append(holder);
  box.scrollIntoView({ block: "nearest" });
  return box;
}

/** The part of another page that stands in its element #fragment. */
async function fragment(address) {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("#fragment") ?? page.querySelector("main");
}

async function openFragment(line, name, address) {
  if (!address) return;
  line.setAttribute("aria-busy", "true");
  try {
    const part = await fragment(address);
    if (part) {
      const heading = part.querySelector(":scope > h2");
      const title = heading?.textContent ?? part.getAttribute("aria-label") ?? name;
      heading?.remove();
      part.removeAttribute("id");
      open(line, name, title, part);
    }
  } finally { line.removeAttribute("aria-busy"); }
}

/** The addresses of what can be opened: the list knows the query, the line its page and its tokens. */
const question = (line) => line.closest("[data-question]").dataset.question;
const tokens = (line) => `${question(line)}&start=${line.dataset.start}&end=${line.dataset.end}`;
const ofPage = (line, part, more) => line.dataset.page && `/page/${line.dataset.page}${part}?${more}`;

export const provenance = (line = current()) => line && openFragment(line, "provenance", ofPage(line, "/provenance", tokens(line)));
export const tree = (line = current()) => line && openFragment(line, "tree", `/tree?${tokens(line)}`);
export const wider = (line = current()) => line && openFragment(line, "wider", `/wider?${tokens(line)}`);
export const explain = (line = current()) => line && openFragment(line, "explain", ofPage(line, "/explain", question(line)));

/** The hit of the line is the first mark of the page, wherever it stands. */
export function original(line = current()) {
  if (!line?.dataset.page) return;
  const address = `${ofPage(line, "/original", question(line))}&hit=${line.dataset.start}#hit-1`;
  const tint = make("button", { type: "button", "aria-pressed": "false", "data-testid": "tint" }, word("tint kept and left-out blocks"));
  const frame = make("iframe", { src: address, "data-testid": "original", sandbox: true, title: line.dataset.value, referrerpolicy: "no-referrer" });
  const alone = make("a", { href: address, "hx-boost": "false", target: "_blank", rel: "noopener" }, word("by itself"));
  tint.addEventListener("click", () => {
    const on = tint.getAttribute("aria-pressed") !== "true";
    tint.setAttribute("aria-pressed", String(on));
    frame.src = on ? address.replace("#", "&blocks=1#") : address;
  });
  const tabs = ["text", "blocks", "bytes"].map((part) => make("a", { href: ofPage(line, `/${part}`, question(line)) }, word(part)));
  open(line, "original", line.dataset.host ?? line.dataset.page, make("div", { class: "stack tight" }, make("div", { class: "row" }, tint, ...tabs, alone), frame));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-open]");
  if (link && !event.ctrlKey && !event.metaKey) {
    const line = link.closest("[data-testid=kwic-line]");
    event.preventDefault();
    event.stopPropagation();
    if (link.dataset.open === "provenance") provenance(line); else openFragment(line, "here", link.href);
  }
  if (event.target.closest?.("[data-close=drawer]")) { const line = event.target.closest("[data-testid=kwic-line]") ?? current(); close(); line?.focus(); }
}, true);
