// Dragging over a histogram leaves a part of the scale; a slider moves the cut.
import { find, later, submit } from "./dom.js";

let brush;

const share = (box, event) => Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
const round = (value) => Number(value.toPrecision(4));

/** A part of the scale; a brush that reaches the end of the scale has no limit there, since the scale leaves extremes out. */
function narrow(facet, low, high) {
  const name = facet.dataset.score, form = find("form", facet);
  const parts = [low !== null && `${name} >= ${round(low)}`, high !== null && `${name} <= ${round(high)}`].filter(Boolean);
  if (!parts.length) return;
  find(".condition-field", form).value = parts.join(" and ");
  submit(form);
}

document.addEventListener("pointerdown", (event) => {
  const area = event.target.closest?.(".brushed");
  if (!area) return;
  const box = area.getBoundingClientRect();
  brush = { area, box, from: share(box, event) };
  area.setPointerCapture?.(event.pointerId);
  event.preventDefault();
});
document.addEventListener("pointermove", (event) => {
  if (!brush) return;
  const to = share(brush.box, event), svg = find("svg", brush.area), wide = svg.viewBox.baseVal.width;
  const mark = find(".brush", svg);
  mark.setAttribute("x", Math.min(brush.from, to) * wide);
  mark.setAttribute("width", Math.abs(to - brush.from) * wide);
});
document.addEventListener("pointerup", (event) => {
  if (!brush) return;
  const { area, box, from } = brush, to = share(box, event), facet = area.closest("[data-score]");
  brush = null;
  if (Math.abs(to - from) < 0.02) return;
  const low = Number(facet.dataset.low), span = Number(facet.dataset.high) - low;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  narrow(facet, first < 0.01 ? null : low + first * span, last > 0.99 ? null : low + last * span);
});
document.addEventListener("submit", (event) => {
  const facet = event.target.closest?.(".facet[data-score]"), field = facet && find(".condition-field", facet);
  if (!field || field.value) return;
  const name = facet.dataset.score, low = find(".low", facet).value, high = find(".high", facet).value;
  const parts = [low !== "" && `${name} >= ${low}`, high !== "" && `${name} <= ${high}`].filter(Boolean);
  if (!parts.length) { event.preventDefault(); event.stopPropagation(); } else field.value = parts.join(" and ");
}, true);

const moveCut = later((slider) => { if (slider.isConnected) submit(slider.form); }, 300);
document.addEventListener("input", (event) => {
  if (event.target.id !== "cut") return;
  const condition = `${event.target.dataset.score} ${event.target.dataset.sign} ${event.target.value}`;
  find("#cut-condition").value = condition;
  find("#cut-value").textContent = condition.replace(/<=?/u, "≤").replace(/>=?/u, "≥");
  moveCut(event.target);
});
