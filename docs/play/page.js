// The page: its state, its subjects, and what follows from a change.

const page = {
  state: stateOf(location.hash.slice(1)), net: {}, catalog: null, results: {}, points: {model: [], simulation: []}, legend: [],
  network: new Client(), experiments: new Client(), curves: new Client(), drawing: null, drill: null,
};
const TITLES = {network: "Network", damage: "Damage", traffic: "Traffic", code: "Code", course: "Course"};
const EXPERIMENT = ["net", "edges", "broken", "cut", "system", "routing", "pattern", "seed", "params"];

// ---- elements ----

function h(name, properties, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in made && !key.includes("-"))
      made[key] = value;
    else
      made.setAttribute(key, value);
  made.append(...inside);
  if (name === "button" && !properties.type)
    made.type = "button";
  return made;
}

function field(label, input, title = "") {
  return h("label", {title}, h("span", {}, label), input);
}

function choice(id, options, value, picked) {
  return h("select", {id, onchange: (event) => picked(event.target.value)},
           ...options.map(([key, label]) => h("option", {value: key, selected: key === value}, label)));
}

function table(head, rows) {
  const cells = (row, kind) => h("tr", {}, ...row.map((cell, i) =>
    h(kind, {className: i > 0 && typeof cell === "number" ? "n" : ""}, String(cell))));
  return h("div", {className: "scroll"}, h("table", {}, ...head.length ? [h("thead", {}, cells(head, "th"))] : [],
    h("tbody", {}, ...rows.map((row) => cells(row, "td")))));
}

const words = (name) => name.replace(/[-_]/g, " ");

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A number for readers: six digits, no more than it has. */
function tidy(value, digits = 6) {
  return typeof value !== "number" ? String(value) : Number.isFinite(value) ? String(Number(value.toPrecision(digits))) :
    value > 0 ? "infinite" : "unknown";
}

function notice(sentence, refused = false) {
  const host = document.getElementById("notice");
  host.textContent = sentence;
  host.classList.toggle("refused", refused);
}

/** The answer of a question; null after its sentence was shown. */
async function asked(promise, silent = "") {
  try {
    return await promise;
  } catch (error) {
    if (error.message !== silent)
      notice(error.message, true);
    return null;
  }
}

const MARKS = {
  broken: "M4,4h14v14h-14z", disabled: "", unsafe: "", cut: "M2,11h18", across: "M2,11h18", between: "M2,11h18", cycle: "M2,11h18",
  light: "M2,11h12", queue: "M8,4h6v14h-6z",
};

/** Keys: [colour or class, words]. */
function legend(keys) {
  page.legend = keys;
  document.getElementById("legend").replaceChildren(...keys.map(([kind, label]) => {
    const svg = element("svg", {width: 22, height: 22, viewBox: "0 0 22 22", "aria-hidden": "true"});
    if (kind === "light")
      svg.append(element("path", {class: "light", d: MARKS.light}), element("path", {class: "head", d: "M12,5l9,6l-9,6z"}));
    else if (kind === "queue")
      svg.append(element("path", {class: "track", d: MARKS.queue}), element("path", {class: "queue", d: "M8,10h6v8h-6z"}));
    else if (kind in MARKS && kind !== "broken" && MARKS[kind])
      svg.append(element("path", {class: kind === "cycle" ? "cycle" : `link ${kind}`, d: MARKS[kind]}));
    else
      svg.append(element("g", {class: kind in MARKS ? `node ${kind}` : "node"},
        kind === "broken" ? element("path", {class: "shape", d: MARKS.broken}) :
          element("circle", {class: "shape", cx: 11, cy: 11, r: 7, style: kind in MARKS ? "" : `fill:${kind}`}),
        ...kind === "broken" ? [element("path", {class: "cross", d: "M7,7l8,8m-8,0l8,-8"})] : []));
    return h("span", {}, svg, label);
  }));
}

// ---- changes ----

/**
 * Changes the state and the address; `redraw` also panel and colours, `reload` also the network.
 */
function change(patch, redraw = false, reload = false) {
  const differs = EXPERIMENT.some((key) => key in patch && JSON.stringify(patch[key]) !== JSON.stringify(page.state[key]));
  Object.assign(page.state, patch);
  history.replaceState(null, "", `#${addressText(page.state)}`);
  if (differs && redraw)
    forgetResults();
  if (reload)
    return load();
  return redraw ? refresh() : Promise.resolve();
}

/** Follows the address. */
async function follow() {
  if (location.hash.slice(1) === addressText(page.state))
    return;
  forgetResults();
  page.state = stateOf(location.hash.slice(1));
  page.drill = null;
  await load();
}

async function load() {
  const {state} = page;
  const found = await asked(page.network.ask("network", where(state)));
  if (page.state !== state)
    return;
  if (found) {
    page.net = found;
    page.drawing.show(found, found.drawing || "");
    notice("");
  }
  page.refusedNetwork = !found;
  await refresh();
}

/** Makes panel and colours anew, and leaves the focus where it was. */
async function refresh() {
  const {state} = page;
  if (state.tab !== "traffic")
    pause();
  document.querySelector("main").dataset.tab = state.tab;
  document.querySelectorAll("#tabs button").forEach((tab) => {
    const chosen = tab.id === `tab-${state.tab}`;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  });
  const host = document.getElementById("panel");
  document.getElementById("results").replaceChildren();
  host.setAttribute("aria-labelledby", `tab-${state.tab}`);
  const panels = {network: networkPanel, damage: damagePanel, traffic: trafficPanel, code: codePanel, course: coursePanel};
  const turn = page.turn = (page.turn || 0) + 1;
  const made = await asked(Promise.resolve().then(panels[state.tab]));
  if (turn !== page.turn)
    return;
  const focused = document.activeElement && document.activeElement.id;
  host.replaceChildren(...made || [h("p", {className: "refused"}, document.getElementById("notice").textContent)]);
  if (focused && document.getElementById(focused))
    document.getElementById(focused).focus();
  if (state.tab === "course")
    await (page.drill ? showDrill() : resumeDrill());
  showResults();
  await repaint();
  if (state.tab === "traffic" && made)
    await checkDeadlock();
}

/** Colours the drawing by the subject. */
async function repaint() {
  const {state} = page;
  if (!page.net.addresses)
    return;
  const turn = page.paints = (page.paints || 0) + 1;
  const view = await viewOf(state).catch((error) => {
    notice(error.message, true);
    return {legend: damageKeys(state), refused: true};
  });
  if (turn !== page.paints)
    return;
  if (!view.refused && !page.refusedNetwork && !page.running && state.tab !== "traffic")
    notice("");
  page.drawing.cycle = state.tab === "traffic" ? page.cycle : null;
  if (state.tab !== "traffic")
    page.drawing.frame = null;
  page.drawing.paint(damaged(view, state));
  legend(view.legend || []);
  const facts = document.getElementById("view-facts");
  if (facts)
    facts.replaceChildren(...(view.facts || []).map((fact) => typeof fact === "string" ? h("p", {}, fact) : fact));
}

/** A view with the marks of damage and of the picked node. */
function damaged(view, state) {
  const broken = new Set(state.broken);
  const between = (u, v) => `${Math.min(u, v)}-${Math.max(u, v)}`;
  const cut = new Set(state.cut.map(([u, v]) => between(u, v)));
  const picks = state.tab === "network" && ["distances", "tree"].includes(state.view);
  return {
    node(v) {
      const style = broken.has(v) ? {title: "broken"} : view.node ? view.node(v) : {};
      const marks = [style.classes || "", broken.has(v) ? "broken" : "", picks && v === state.pick ? "picked" : ""];
      return {...style, classes: marks.join(" ")};
    },
    link(u, v) {
      return cut.has(between(u, v)) ? {classes: "cut"} : broken.has(u) || broken.has(v) ? {classes: "faint"} :
        view.link ? view.link(u, v) : {};
    },
  };
}

function nodeClicked(v) {
  const {state, drill} = page;
  if (state.tab === "damage") {
    toggleNode(v);
  } else if (state.tab === "course" && drill && KINDS[drill.kind].click) {
    KINDS[drill.kind].click(v, drill.inputs);
    repaint();
  } else {
    change({pick: v}).then(repaint);
  }
}

// ---- code, colours, address ----

function codePanel() {
  const {state, net, catalog} = page;
  const language = page.language || "Python";
  checkProgram(state, net, catalog);
  const program = (language === "C" ? codeOfC : codeOfPython)(state, net, catalog);
  document.getElementById("results").replaceChildren(h("pre", {id: "program", tabIndex: 0}, program));
  return [
    h("p", {className: "hint"}, "The experiment of the subject “Traffic” as a program. It has the same seed and gives the same bits."),
    field("Language", choice("language", [["Python", "Python"], ["C", "C"]], language, (picked) => {
      page.language = picked;
      refresh();
    })),
    h("div", {className: "row"}, h("button", {id: "copy-program", onclick: () => copy(program, "The program")}, "Copy")),
  ];
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} is copied.`);
  } catch {
    notice(`The browser does not let the page copy. ${what}: ${text}`);
  }
}

const SCHEMES = ["system", "light", "dark"];
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

function remembered(key, value) {
  try { // pages from the disk may have no storage
    return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
  } catch {
    return null;
  }
}

function applyScheme(scheme) {
  const dark = scheme === "dark" || scheme !== "light" && systemDark.matches;
  document.documentElement.dataset.scheme = dark ? "dark" : "light";
  document.getElementById("theme").textContent = `Colours: ${scheme}`;
  if (page.drawing)
    page.drawing.light && page.net.addresses && page.drawing.light();
}

function schemes() {
  let scheme = SCHEMES.includes(remembered("cubenet-scheme")) ? remembered("cubenet-scheme") : "system";
  const button = document.getElementById("theme");
  button.removeAttribute("aria-label");
  button.onclick = () => {
    scheme = SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length];
    remembered("cubenet-scheme", scheme);
    applyScheme(scheme);
  };
  systemDark.addEventListener("change", () => applyScheme(scheme));
  applyScheme(scheme);
}

function tabs() {
  const host = document.getElementById("tabs");
  host.append(...TABS.map((tab) => h("button", {id: `tab-${tab}`, role: "tab", "aria-controls": "panel",
                                                onclick: () => change({tab}, true)}, TITLES[tab])));
  host.addEventListener("keydown", ({key}) => {
    const by = {ArrowLeft: -1, ArrowRight: 1}[key];
    if (by) {
      const tab = TABS[(TABS.indexOf(page.state.tab) + by + TABS.length) % TABS.length];
      change({tab}, true);
      document.getElementById(`tab-${tab}`).focus();
    }
  });
}

async function begin() {
  moduleBytes.catch(({message}) => notice(`The browser cannot unpack the library: ${message}`, true));
  notice("The library is being started.");
  schemes();
  tabs();
  page.drawing = new Drawing(document.getElementById("drawing"), {onNode: nodeClicked, onLink: toggleLink});
  document.getElementById("share").onclick = () => copy(location.href, "The address of what you see");
  document.body.addEventListener("broken", ({detail}) => notice(`The library does not start: ${detail}`, true));
  window.addEventListener("hashchange", follow);
  page.catalog = await asked(page.network.ask("catalog"));
  await load();
  document.body.dataset.ready = page.catalog.version;
}

begin();
