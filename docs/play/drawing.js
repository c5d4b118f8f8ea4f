// A network as SVG, with what moves on a canvas above it.

const SVG = "http://www.w3.org/2000/svg";
const MOST_LINKS = 6000; // of single elements; more are one path
const LABELS = 64; // nodes with a label
const CATEGORIES = ["#0072b2", "#e69f00", "#56b4e9", "#cc79a7", "#f0e442", "#009e73", "#d55e00", "#999999"];
const RAMP = [[0, 32, 77], [57, 74, 108], [114, 117, 120], [170, 160, 113], [255, 234, 70]]; // cividis
const FADE = 0.72; // of a light, from frame to frame

function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inside);
  return made;
}

/** A colour from dark blue to yellow, which the colour-blind see, too: by share 0 .. 1. */
function ramp(share) {
  const at = Math.min(0.9999, Math.max(0, share)) * (RAMP.length - 1);
  const low = RAMP[Math.floor(at)];
  const high = RAMP[Math.floor(at) + 1];
  return low.map((part, i) => Math.round(part + (high[i] - part) * (at % 1)));
}

const rgb = (parts) => `rgb(${parts.join(",")})`;
const hexParts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const inkOn = ([r, g, b]) => 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#111" : "#fff";

class Drawing {
  constructor(host, {onNode, onLink}) {
    Object.assign(this, {host, onNode, onLink, net: null, style: {}, focused: 0, cycle: null});
    this.canvas = document.createElement("canvas");
    new ResizeObserver(() => this.net && this.render()).observe(host);
  }

  /** Shows another network, or a sentence where there is none to draw. */
  show(net, sentence = "") {
    this.net = sentence ? null : net;
    Object.assign(this, {style: {}, cycle: null, focused: 0, frame: null}); // those are of another network
    if (!sentence) {
      this.links = edgeList(net);
      this.lights = new Float64Array(net.facts.count * net.facts.degree);
      this.render();
      return;
    }
    const said = document.createElement("p");
    said.className = "none";
    said.textContent = sentence;
    this.host.replaceChildren(said);
  }

  /**
   * style: node(v) gives {fill, text, second, classes, title}, link(u, v) gives {classes, stroke}.
   */
  paint(style) {
    this.style = style;
    if (this.net)
      this.render();
  }

  /** Pixels of all nodes. */
  place() {
    const {x, y} = this.net;
    const {clientWidth: width, clientHeight: height} = this.host;
    const low = [Math.min(...x), Math.min(...y)];
    const span = [Math.max(...x) - low[0], Math.max(...y) - low[1]];
    let nearest = Infinity;
    for (let u = 0; u < x.length; u++)
      for (let v = 0; v < u; v++)
        nearest = Math.min(nearest, (x[u] - x[v]) ** 2 + (y[u] - y[v]) ** 2);
    nearest = Number.isFinite(nearest) ? Math.sqrt(nearest) : 1;
    const margin = Math.max(30, Math.min(68, 0.11 * Math.min(width, height)));
    const scale = Math.min((width - 2 * margin) / (span[0] || nearest), (height - 2 * margin) / (span[1] || nearest));
    this.radius = Math.max(2.5, Math.min(22, 0.29 * nearest * scale));
    this.at = Array.from(x, (_, v) => [
      width / 2 + (x[v] - low[0] - span[0] / 2) * scale,
      height / 2 - (y[v] - low[1] - span[1] / 2) * scale,
    ]);
  }

  /** The middle of a link, bent where it would run through a node. */
  bend(u, v) {
    const [[ax, ay], [bx, by]] = [this.at[u], this.at[v]];
    const [dx, dy] = [bx - ax, by - ay];
    const length = Math.hypot(dx, dy) || 1;
    let end = 1; // the share of the link at which the first hidden node lies
    this.at.forEach(([px, py], w) => {
      const along = ((px - ax) * dx + (py - ay) * dy) / length ** 2;
      if (w !== u && w !== v && along > 0 && along < 1 &&
          Math.abs((px - ax) * dy - (py - ay) * dx) / length < 0.6 * this.radius)
        end = Math.min(end, along, 1 - along);
    });
    const bow = end === 1 ? 0 : Math.min(0.25 * length, 1.4 * this.radius / (4 * end * (1 - end)));
    return [(ax + bx) / 2 + dy / length * bow, (ay + by) / 2 - dx / length * bow];
  }

  /** The path from u to v; `aside` shifts it to the right of its direction. */
  path(u, v, aside = 0) {
    const [first, last] = u < v ? [u, v] : [v, u];
    const key = first * this.at.length + last;
    if (!this.middles.has(key))
      this.middles.set(key, this.bend(first, last));
    const [[ax, ay], [bx, by]] = [this.at[u], this.at[v]];
    const [mx, my] = this.middles.get(key);
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [ox, oy] = [-(by - ay) / length * aside, (bx - ax) / length * aside];
    // a quadratic curve goes through the middle when its control is twice as far out
    return [ax + ox, ay + oy, 2 * mx - (ax + bx) / 2 + ox, 2 * my - (ay + by) / 2 + oy, bx + ox, by + oy];
  }

  render() {
    this.place();
    this.middles = new Map();
    const {clientWidth: width, clientHeight: height} = this.host;
    const svg = element("svg", {class: "nodes", viewBox: `0 0 ${width} ${height}`, role: "group",
                                "aria-label": `${this.net.facts.name}: arrow keys move, Enter chooses a node`});
    this.nodes = this.at.map((_, v) => this.drawnNode(v));
    svg.append(...this.nodes);
    svg.addEventListener("keydown", (event) => this.key(event));
    const below = element("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
    below.append(this.drawnLinks(), ...this.drawnCycle());
    const had = this.host.contains(document.activeElement);
    this.host.replaceChildren(below, this.canvas, svg); // lights run above links and below nodes
    if (had)
      this.nodes[this.focused].focus();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.light();
  }

  drawnLinks() {
    const group = element("g", {class: this.at.length > 2 * LABELS ? "thin" : ""});
    const curve = ([ax, ay, mx, my, bx, by]) => `M${ax},${ay}Q${mx},${my} ${bx},${by}`;
    if (this.links.length > MOST_LINKS) {
      group.append(element("path", {class: "link", "stroke-width": 0.5,
                                    d: this.links.map(([u, v]) => `M${this.at[u]}L${this.at[v]}`).join("")}));
      return group;
    }
    for (const [u, v] of this.links) {
      const {classes = "", stroke = ""} = this.style.link ? this.style.link(u, v) : {};
      const points = this.path(u, v);
      const touch = element("path", {class: "touch", d: curve(points)});
      touch.addEventListener("click", () => this.onLink(u, v));
      touch.append(element("title", {}, `link ${this.net.addresses[u]} to ${this.net.addresses[v]}`));
      const line = element("path", {class: `link ${classes}`, d: curve(points)});
      if (stroke)
        line.style.stroke = stroke;
      group.append(touch, line);
      if (!this.net.facts.both)
        group.append(this.oneWay(points));
      if (classes.includes("cut")) {
        const [x, y] = this.middles.get(Math.min(u, v) * this.at.length + Math.max(u, v));
        group.append(element("path", {class: "cross", d: `M${x - 5},${y - 5}l10,10m-10,0l10,-10`}));
      }
    }
    return group;
  }

  /** The head of a channel that leads one way. */
  oneWay([ax, ay, mx, my, bx, by]) {
    const [x, y] = [0.16 * ax + 0.48 * mx + 0.36 * bx, 0.16 * ay + 0.48 * my + 0.36 * by]; // at 0.6 of the curve
    const turn = Math.atan2(0.4 * (my - ay) + 0.6 * (by - my), 0.4 * (mx - ax) + 0.6 * (bx - mx)) * 180 / Math.PI;
    return element("path", {class: "head", d: "M5,0L-4,4.5L-4,-4.5z", transform: `translate(${x},${y}) rotate(${turn})`});
  }

  drawnNode(v) {
    const [x, y] = this.at[v];
    const r = this.radius;
    const {fill = null, second = "", classes = "", title = ""} = this.style.node ? this.style.node(v) : {};
    const group = element("g", {class: `node ${classes}`, transform: `translate(${x},${y})`, role: "button",
                                tabindex: v === this.focused ? 0 : -1, "data-node": v});
    const address = this.net.addresses[v];
    const name = `node ${v}${address === String(v) ? "" : `, ${address}`}${title ? `: ${title}` : ""}`;
    group.setAttribute("aria-label", name);
    const broken = /\bbroken\b/.test(classes);
    const square = `M${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`;
    const shape = broken ? element("path", {class: "shape", d: square}) : element("circle", {class: "shape", r});
    if (fill && !broken)
      shape.style.fill = rgb(fill);
    group.append(element("circle", {class: "halo", r: r + 4}), shape,
                 element("title", {}, name));
    if (broken)
      group.append(element("path", {class: "cross", d: `M${-r * 0.6},${-r * 0.6}l${1.2 * r},${1.2 * r}` +
                                                       `m${-1.2 * r},0l${1.2 * r},${-1.2 * r}`}));
    if (this.at.length <= LABELS && !broken)
      group.append(...this.label(address, String(v), fill));
    if (second !== "" && this.at.length <= 2 * LABELS && r >= 6)
      group.append(element("text", {class: "second", x: r * 1.05 + 6, y: -r * 0.75,
                                    "font-size": Math.max(10, 0.62 * r)}, second));
    group.addEventListener("click", () => {
      this.focus(v);
      this.onNode(v);
    });
    return group;
  }

  /** The address in a node, or its number where only that fits. */
  label(address, number, fill) {
    const size = (text) => Math.min(0.8 * this.radius, 3 * this.radius / Math.max(2, text.length));
    const text = [address, number].find((one) => size(one) >= 7);
    if (text === undefined)
      return [];
    const label = element("text", {y: size(text) * 0.36, "font-size": size(text)}, text);
    if (fill)
      label.style.fill = inkOn(fill);
    return [label];
  }

  focus(v) {
    this.nodes[this.focused].setAttribute("tabindex", -1);
    this.focused = v;
    this.nodes[v].setAttribute("tabindex", 0);
    this.nodes[v].focus();
  }

  /** Arrow keys go to the nearest node in that direction. */
  key(event) {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (way) {
      const [x, y] = this.at[this.focused];
      const far = ([px, py]) => {
        const along = (px - x) * way[0] + (py - y) * way[1];
        const aside = Math.abs((px - x) * way[1]) + Math.abs((py - y) * way[0]);
        return along > 0.5 ? along + 2 * aside : Infinity;
      };
      const distances = this.at.map(far);
      const best = distances.indexOf(Math.min(...distances));
      if (distances[best] < Infinity)
        this.focus(best);
    } else if (event.key === "Enter" || event.key === " ") {
      this.onNode(this.focused);
      this.nodes[this.focused].focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Lights a cycle of channels, [node, port] each; null for none. */
  showCycle(cycle) {
    this.cycle = cycle;
    if (this.net)
      this.render();
  }

  drawnCycle() {
    if (!this.cycle)
      return [];
    const marker = element("marker", {id: "arrow", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4,
                                      markerHeight: 4, orient: "auto-start-reverse"},
                           element("path", {d: "M0,0L10,5L0,10z", fill: "var(--orange)"}));
    const paths = this.cycle.map(([node, port]) => {
      const far = this.net.neighbors[this.net.first[node] + port];
      const [ax, ay, mx, my, bx, by] = this.path(node, far, 4);
      const length = Math.hypot(bx - mx, by - my) || 1;
      const back = this.radius / length;
      return element("path", {class: "cycle", "marker-end": "url(#arrow)",
                              d: `M${ax},${ay}Q${mx},${my} ${bx - (bx - mx) * back},${by - (by - my) * back}`});
    });
    return [element("defs", {}, marker), ...paths];
  }

  /** Takes a frame of a run: channels that carried something light up, queues are bars. */
  showFrame(frame, fades) {
    this.frame = frame;
    if (!this.net || !frame)
      return;
    const most = Math.max(1, ...frame.carried);
    frame.carried.forEach((carried, channel) => {
      this.lights[channel] = Math.max(carried > 0 ? 0.45 + 0.55 * carried / most : 0,
                                      fades ? this.lights[channel] * FADE : 0);
    });
    this.light();
  }

  light() {
    const context = this.canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!this.frame)
      return;
    const colours = getComputedStyle(this.host);
    this.drawLights(context, colours.getPropertyValue("--blue"));
    if (this.frame.queued)
      this.drawQueues(context, colours.getPropertyValue("--orange"), colours.getPropertyValue("--track"));
  }

  drawLights(context, colour) {
    const {count, degree} = this.net.facts;
    context.strokeStyle = context.fillStyle = colour;
    for (let channel = 0; channel < count * degree; channel++) {
      const light = this.lights[channel];
      const node = Math.floor(channel / degree);
      const at = this.net.first[node] + channel % degree;
      if (light < 0.05 || at >= this.net.first[node + 1])
        continue;
      const [ax, ay, mx, my, bx, by] = this.path(node, this.net.neighbors[at], Math.min(3.5, 0.3 * this.radius));
      context.globalAlpha = light;
      context.lineWidth = Math.min(4.5, 0.35 * this.radius);
      context.beginPath();
      context.moveTo(ax, ay);
      context.quadraticCurveTo(mx, my, bx, by);
      context.stroke();
      this.drawHead(context, [ax, ay, mx, my, bx, by]);
    }
    context.globalAlpha = 1;
  }

  /** An arrow head at two thirds of a curve. */
  drawHead(context, [ax, ay, mx, my, bx, by]) {
    const t = 0.64;
    const x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * mx + t * t * bx;
    const y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * my + t * t * by;
    const angle = Math.atan2((1 - t) * (my - ay) + t * (by - my), (1 - t) * (mx - ax) + t * (bx - mx));
    const size = Math.min(10, 0.7 * this.radius);
    context.beginPath();
    [[1, 0], [-0.7, 0.75], [-0.7, -0.75]].forEach(([along, aside]) => context.lineTo(
      x + size * (along * Math.cos(angle) - aside * Math.sin(angle)),
      y + size * (along * Math.sin(angle) + aside * Math.cos(angle))));
    context.fill();
  }

  drawQueues(context, colour, track) {
    const height = Math.max(8, 2 * this.radius);
    const width = Math.max(2.5, 0.32 * this.radius);
    const most = Math.max(4, ...this.frame.queued);
    this.frame.queued.forEach((queued, v) => {
      if (queued === 0)
        return;
      const x = this.at[v][0] + this.radius + 3;
      const y = this.at[v][1] + height / 2;
      context.fillStyle = track;
      context.fillRect(x, y - height, width, height);
      context.fillStyle = colour;
      context.fillRect(x, y - height * queued / most, width, height * queued / most);
    });
  }
}
