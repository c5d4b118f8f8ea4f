// The latency-load curve: the model as a dashed line, measured points with their 95 % bars and
// band.

const STEEP = 3; // times the next value: a point near saturation
const EDGE = {left: 62, right: 14, top: 14, bottom: 44};

/** Round steps of an axis. */
function ticks(greatest) {
  const rough = greatest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  return Array.from({length: Math.floor(greatest / step + 1e-9) + 1}, (_, i) => Number((i * step).toPrecision(6)));
}

/** The greatest value, but those that would leave no room to the others. */
function highest(values) {
  const sorted = [...values].sort((a, b) => b - a);
  while (sorted.length > 2 && sorted[0] > STEEP * sorted[1])
    sorted.shift();
  return sorted[0];
}

/**
 * A picture of {model: [[load, value]], measured: [[load, value, half-width]]}; `here` is the load
 * of the page.
 */
function chart({model, measured, label, here, narrow}) {
  const [wide, high] = narrow ? [380, 280] : [620, 330];
  const points = measured.filter(([, value]) => Number.isFinite(value));
  const lines = model.filter(([, value]) => Number.isFinite(value));
  const greatestX = Math.max(...points.map(([x]) => x), ...lines.map(([x]) => x), 1e-9);
  const shown = points.length ? highest(points.map(([, y]) => y)) : 0;
  const tops = points.filter(([, y]) => y <= shown).map(([, y, half]) => y + (Number.isFinite(half) ? half : 0));
  const heights = lines.map(([, y]) => y).sort((a, b) => a - b);
  const greatestY = 1.12 * Math.max(...tops, tops.length ? 0 : heights[Math.floor(heights.length * 0.8)] || 1, 1e-9);
  const x = (value) => EDGE.left + value / greatestX * (wide - EDGE.left - EDGE.right);
  const y = (value) => high - EDGE.bottom - Math.min(1.04, value / greatestY) * (high - EDGE.top - EDGE.bottom);
  const svg = element("svg", {class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img",
                              "aria-label": `${label} over load; ${points.length} measured points`});
  for (const tick of ticks(greatestY)) {
    svg.append(element("line", {class: "grid", x1: EDGE.left, x2: wide - EDGE.right, y1: y(tick), y2: y(tick)}),
               element("text", {x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end"}, tidy(tick)));
  }
  for (const tick of ticks(greatestX))
    svg.append(element("text", {x: x(tick), y: high - EDGE.bottom + 18, "text-anchor": "middle"}, tidy(tick)));
  svg.append(element("path", {class: "axis", d: `M${EDGE.left},${EDGE.top}V${high - EDGE.bottom}H${wide - EDGE.right}`}),
             element("text", {x: wide - EDGE.right, y: high - 6, "text-anchor": "end"}, "load, messages/node/cycle"),
             element("text", {x: 14, y: EDGE.top, transform: `rotate(-90 14 ${EDGE.top})`, "text-anchor": "end"}, label));
  if (here > 0 && here <= greatestX)
    svg.append(element("line", {class: "here", x1: x(here), x2: x(here), y1: EDGE.top, y2: high - EDGE.bottom}));
  const certain = points.filter(([, , half]) => Number.isFinite(half));
  const line = (list) => list.map(([px, py], i) => `${i ? "L" : "M"}${x(px)},${y(py)}`).join("");
  if (certain.length > 1)
    svg.append(element("path", {class: "band", d: line([...certain.map(([px, py, half]) => [px, py + half]),
                                                        ...certain.map(([px, py, half]) => [px, py - half]).reverse()]) + "z"}));
  const inside = lines.filter(([, value]) => value <= greatestY * 1.04);
  svg.append(element("path", {class: "measured", d: line(points)}), element("path", {class: "model", d: line(inside)}));
  for (const [px, py, half] of points) {
    if (Number.isFinite(half))
      svg.append(element("path", {class: "bar", d: `M${x(px) - 4},${y(py - half)}h8m-4,0V${y(py + half)}m-4,0h8`}));
    const title = element("title", {}, `load ${tidy(px)}: ${tidy(py)} ± ${tidy(half)}`);
    svg.append(py <= greatestY ? element("circle", {class: "point", cx: x(px), cy: y(py), r: 3.6}, title) :
      element("path", {class: "point", d: `M${x(px) - 5},${y(py) + 8}l5,-9l5,9z`}, title)); // an arrow: it is above
  }
  return svg;
}
