// The number of hits while it is counted: events from the server, a button to stop.
import { find, findAll, send } from "./dom.js";

let stream;

const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);

function show(total, count) {
  total.dataset.value = count.value;
  total.dataset.state = count.state;
  const { one, done, running } = total.dataset;
  const text = count.state !== "done" ? running : count.value === 1 ? one : done;
  find(".value", total).textContent = text.replace("{n}", number(count.value));
  const stopped = total.dataset.stopped.replace("{share}", Math.round(count.searched * 100));
  if (count.state !== "running") find(".state", total).textContent = count.state === "stopped" ? stopped : "";
  const stop = find("#stop");
  if (stop) stop.hidden = count.state !== "running";
  const per = find("#per-million");
  const rate = count.value * 1e6 / Math.max(1, Number(total.dataset.tokens));
  if (per) per.textContent = per.textContent.replace(/^[\d.,\s\u00a0]+/u, `${number(Math.round(rate * 10) / 10)} `);
}

export function watchTotal() {
  stream?.close();
  const total = find("#total[data-events]");
  if (!total || total.dataset.state !== "running") return;
  stream = new EventSource(total.dataset.events);
  stream.onmessage = (event) => {
    const count = JSON.parse(event.data);
    show(total, count);
    if (count.state !== "running") stream.close();
    if (count.state === "done" && find("[data-partial]")) location.reload();
    else if (count.state === "stopped") find("[data-partial]")?.remove();
  };
  stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) find(".state", total).textContent = ""; };
}

export async function stopCounting() {
  const button = find("#stop:not([hidden])");
  if (!button) return;
  button.disabled = true;
  await send("DELETE", button.dataset.job);
  button.disabled = false;
  const total = find("#total");
  if (total?.dataset.state === "running") {
    const answer = await fetch(button.dataset.job);
    if (answer.ok) {
      const job = await answer.json();
      const count = job.count ?? job;
      if (count.state !== "running") show(total, count);
    }
  }
}

document.addEventListener("click", (event) => { if (event.target.closest?.("#stop")) stopCounting(); });
addEventListener("pagehide", () => stream?.close());
findAll("#total").length && watchTotal();
