// Everything that pages do beyond links and forms. Each module has one idea; without scripts all pages still work.
import { announce, find, findAll, word } from "./dom.js";
import "./actions.js";
import "./check.js";
import "./coding.js";
import "./completion.js";
import "./drawer.js";
import { colour } from "./editor.js";
import "./facets.js";
import "./growth.js";
import "./keys.js";
import { showLabels } from "./labels.js";
import { drawCards } from "./modes.js";
import { showGlosses } from "./result.js";
import { remember, showHistory } from "./saved.js";
import "./theme.js";
import { watchTotal } from "./total.js";

const NARROW = matchMedia("(max-width: 60rem)");

function ready() {
  colour();
  showGlosses();
  showLabels();
  watchTotal();
  remember();
  showHistory();
  if (find("#query-form")?.dataset.mode === "builder") drawCards();
  if (NARROW.matches) for (const part of findAll("details.narrowing, .chain details")) part.open = false;
}

let searched = false;

/** After a search the result has the focus, so that keys move in it; a wrong query leaves the focus in the field. */
function toResult() {
  const result = find("#result");
  if (!searched || !result) return;
  searched = false;
  result.tabIndex = -1;
  result.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => { searched = event.target.id === "query-form"; });

/** A query that is wrong leaves the lines as they are: only the message comes in. */
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400) return;
  event.detail.isError = false;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const message = page.querySelector("#query-error") ?? page.querySelector("[data-testid=trouble]");
  if (message) find("#query-messages")?.replaceChildren(document.adoptNode(message));
});

/** While other hits are on their way, the lines are grey and the number is not final. */
function busy(waiting) {
  const total = find("#total");
  if (waiting) find("#work")?.setAttribute("aria-busy", "true"); else find("#work")?.removeAttribute("aria-busy");
  if (waiting && total?.dataset.state === "done") { total.dataset.before = "done"; total.dataset.state = "running"; }
  if (!waiting && total?.dataset.before) { total.dataset.state = total.dataset.before; delete total.dataset.before; }
}

document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.target?.id === "work") busy(true); });
document.addEventListener("htmx:afterRequest", () => busy(false));
document.addEventListener("htmx:beforeHistorySave", () => busy(false));
document.addEventListener("htmx:sendError", () => announce(`⚠ ${word("The server does not answer.")}`));
document.addEventListener("htmx:afterSettle", () => { ready(); toResult(); });
document.addEventListener("htmx:historyRestore", ready);
ready();
