// The subject "Traffic": a system and its parameters, a run step by step, measurement and curve.

const FIRST = ["load", "buffers", "virtual_channels", "message_flits", "unsafe", "broadcast_fraction", "slotted", "operations",
               "destinations", "tree"];
const HIDDEN = ["threads", "statistics"]; // a browser has one thread here, and a run counts by channel anyhow
const FRAME = 1 / 20; // seconds
const STILL_FRAME = 0.5; // where the reader wants no motion
const POINTS = 12; // of a measured curve
const MODEL_POINTS = 48;

const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The experiment of a state, as the worker takes it. */
function experiment(state) {
  const {net, edges, broken, cut, system, routing, pattern, seed, params} = state;
  return {net, edges, broken, cut, system, routing, pattern, seed, params};
}

/** Forgets runs and results, which are those of another experiment. */
function forgetResults() {
  pause();
  stopMeasure();
  if (page.curving)
    page.curves.halt();
  Object.assign(page, {results: {}, opened: false, curving: false, points: {model: [], simulation: []}, cycle: null});
}

/** The patterns that need nothing but their names. */
function fixedPatterns({patterns}) {
  return Object.keys(patterns).filter((name) => patterns[name] <= patterns.neighbor).map((name) => [name, words(name)]);
}

async function trafficPanel() {
  const {state, catalog} = page;
  const settings = await page.experiments.ask("settings", experiment(state));
  page.settings = settings;
  settings.saturation = await saturationOf(state, settings.ranges.load && state.params.load === undefined);
  if (settings.ranges.load && state.params.load === undefined) {
    change({params: {load: startLoad(settings), ...state.params}});
    return trafficPanel();
  }
  const at = catalog.systems.findIndex(({name}) => name === state.system);
  const system = catalog.systems[at];
  const lacks = (i) => settings.systems[i].simulator && settings.systems[i].model ? " (not here)" : "";
  const refused = (name) => settings.refused[name] ? [h("p", {className: "refused"}, settings.refused[name])] : [];
  const routing = catalog.routings.find(({name}) => name === settings.routing);
  const shown = catalog.params.filter(({name}) => name in settings.ranges && !HIDDEN.includes(name));
  const unknown = Object.keys(settings.refused).filter((name) => !shown.some((param) => param.name === name) &&
                                                                 !["routing", "pattern"].includes(name));
  return [
    runControls(),
    field("System", choice("system", catalog.systems.map(({name}, i) => [name, words(name) + lacks(i)]), state.system,
                           setSystem)),
    h("p", {className: "hint"}, system.summary, ...settings.systems[at].simulator ?
      [h("p", {className: "refused"}, settings.systems[at].simulator)] : []),
    ...unknown.flatMap(refused),
    ...system.attachments.includes("routing") || state.routing ? [
      field("Routing", choice("routing", [["", `the system's own${state.routing ? "" : `: ${settings.routing}`}`],
                                          ...catalog.routings.map(({name}) => [name, words(name)])],
                              state.routing, (name) => setExperiment({routing: name}))),
      ...refused("routing"), h("p", {className: "hint"}, routing ? routing.summary : ""), h("div", {id: "deadlock"})] : [],
    ...system.attachments.includes("traffic") || state.pattern !== "uniform" ? [
      field("Traffic", choice("pattern", fixedPatterns(catalog), state.pattern, (pattern) => setExperiment({pattern})))] : [],
    ...refused("pattern"),
    ...shown.filter(({name}) => FIRST.includes(name)).map((param) => control(param, settings)),
    h("details", {id: "more", open: page.more, ontoggle: (event) => { page.more = event.target.open; }},
      h("summary", {}, "More parameters"),
      field("Seed", h("input", {id: "seed", type: "text", inputMode: "numeric", value: state.seed,
                                onchange: (event) => setExperiment({seed: event.target.value.replace(/\D/g, "") || "1"})})),
      ...shown.filter(({name}) => !FIRST.includes(name)).map((param) => control(param, settings))),
  ];
}

/**
 * What the model says that the network carries. A model may take seconds for it: unless the caller
 * waits, what is not
 * known yet is left open, and the slider of the load follows when it is.
 */
function saturationOf(state, waits) {
  const {load, ...params} = state.params;
  const key = JSON.stringify({...experiment(state), params});
  if (!page.saturation || page.saturation.key !== key) {
    const known = {key, found: null};
    known.promise = page.network.ask("saturation", {...experiment(state), params}).catch(() => ({})).then((found) => {
      known.found = found;
      if (page.saturation === known && page.settings)
        scaleLoad(found);
      return found;
    });
    page.saturation = known;
  }
  return waits ? page.saturation.promise : page.saturation.found || {};
}

/**
 * Gives the slider of the load the scale that the saturation load asks for, unless the reader is at
 * it.
 */
function scaleLoad(found) {
  page.settings.saturation = found;
  const old = document.getElementById("p-load")?.parentElement;
  const param = page.catalog.params.find(({name}) => name === "load");
  if (old && page.settings.ranges.load && !old.contains(document.activeElement))
    old.replaceWith(control(param, page.settings));
}

/** Half of what the model says that the network carries; where there is no model, little. */
function startLoad({saturation}) {
  const greatest = saturation.value;
  return greatest > 0 && Number.isFinite(greatest) ? Number((0.5 * Math.min(greatest, 10)).toPrecision(2)) : 0.01;
}

/**
 * A parameter as a choice or a slider, with the limits of this scenario and the library's sentence
 * where it refuses.
 */
function control(param, settings) {
  const {name, unit, meaning, choices} = param;
  const {value} = settings.ranges[name];
  const said = settings.refused[name] ? [h("p", {className: "refused"}, settings.refused[name])] : [];
  const chosen = choices.find((one) => one.value === value);
  if (choices.length > 1)
    return h("div", {className: "choice"}, field(words(name), choice(`p-${name}`, choices.map((one) => [one.name, one.name]),
      chosen ? chosen.name : "", (picked) => setParam(name, picked)), meaning), ...said);
  const given = page.state.params[name];
  return slider({id: `p-${name}`, label: withUnit(name, unit), title: meaning,
                 text: said.length ? given : chosen ? chosen.name : value, value, ...scaleOf(name, param, settings), said,
                 commit: (picked) => setParam(name, picked)});
}

/**
 * The part of a range that a slider spans. Numbers beyond it can be typed, and the library says
 * what it takes.
 */
function scaleOf(name, {whole}, {ranges, saturation}) {
  const {least, greatest, value} = ranges[name];
  const low = Math.max(0, least);
  if (name === "load") {
    const limit = saturation.value > 0 && Number.isFinite(saturation.value) ? Math.min(saturation.value, 50) : 0.5;
    const high = Math.min(greatest, Math.max(1.25 * limit, value));
    return {to: (t) => Number((high * t).toPrecision(3)), from: (v) => v / high};
  }
  if (greatest - low <= 128)
    return {to: (t) => whole ? Math.round(low + t * (greatest - low)) : Number((low + t * (greatest - low)).toPrecision(3)),
            from: (v) => (v - low) / (greatest - low || 1)};
  const power = Math.log10(greatest - low + 1);
  return {to: (t) => { const v = low + 10 ** (t * power) - 1; return whole ? Math.round(v) : Number(v.toPrecision(2)); },
          from: (v) => Math.log10(Math.max(0, v - low) + 1) / power};
}

function slider({id, label, title, text, value, to, from, said, commit}) {
  const number = h("input", {id: `${id}-number`, type: /^[\d.e+-]*$/.test(text) ? "number" : "text", step: "any", value: text,
                             "aria-label": label, title, onchange: () => commit(number.value)});
  const range = h("input", {id, type: "range", min: 0, max: 1000, step: 1, value: Math.round(1000 * from(value)),
                            "aria-label": label, title,
                            oninput: () => {
                              number.type = "text";
                              number.value = to(range.value / 1000);
                              range.setAttribute("aria-valuetext", number.value);
                            },
                            onchange: () => commit(String(to(range.value / 1000)))});
  range.setAttribute("aria-valuetext", String(text));
  return h("div", {className: "slider"}, h("span", {title}, label), range, number, ...said);
}

function runControls() {
  const speed = h("input", {id: "speed", type: "range", min: 0, max: 16, step: 1, value: page.state.speed,
                            oninput: () => change({speed: Number(speed.value)})});
  return h("div", {className: "run"},
    h("div", {className: "row"},
      h("button", {id: "run", className: "main", onclick: () => page.running ? pause() : play()}, page.running ? "Pause" : "Run"),
      h("button", {id: "step", onclick: stepOnce}, "One cycle"), h("button", {id: "restart", onclick: restart}, "Restart")),
    field("Speed: from 1 to 65536 cycles a second", speed),
    h("div", {className: "row"},
      h("button", {id: "measure", onclick: () => page.measuring ? stopMeasure() : measure()}, measureLabel()),
      h("button", {id: "curve", onclick: () => page.curving ? stopCurve() : drawCurve()}, page.curving ? "Stop" : "Draw the curve")));
}

// ---- what is done ----

function setExperiment(patch) {
  change(patch, true);
}

function setParam(name, value) {
  setExperiment({params: {...page.state.params, [name]: value}});
}

/** Another system: parameters that it does not take go. */
function setSystem(system) {
  const {takes, attachments} = page.catalog.systems.find(({name}) => name === system);
  const params = Object.fromEntries(Object.entries(page.state.params).filter(([name]) => takes.includes(name) && name !== "load"));
  setExperiment({system, params, routing: attachments.includes("routing") ? page.state.routing : "",
                 pattern: attachments.includes("traffic") ? page.state.pattern : "uniform"});
}

/**
 * Proves the routing free of deadlock, or lights the cycle in which messages can wait for each
 * other.
 */
async function checkDeadlock() {
  const {state, settings} = page;
  const channels = settings.ranges.virtual_channels;
  const host = document.getElementById("deadlock");
  if (!host || !channels || !settings.routing)
    return;
  const found = await page.network.ask("deadlock", {...where(state), routing: settings.routing,
                                                    virtualChannels: channels.value}).catch((error) => error);
  if (host !== document.getElementById("deadlock"))
    return;
  if (found instanceof Error) {
    const runs = settings.ranges.unsafe?.value === 1 ? ". With unsafe = yes it runs nevertheless." : "";
    host.replaceChildren(h("p", {className: "refused"}, found.message + runs));
    return;
  }
  const sentence = `${words(found.verdict)}: ${found.sentence}`;
  host.replaceChildren(h("p", {className: found.free ? "hint" : "refused"}, found.free ? sentence :
    `${sentence}. The drawing shows a shortest one, of ${found.cycle.length} channels. With unsafe = yes it runs nevertheless.`));
  page.cycle = found.free ? null : found.cycle;
  page.drawing.showCycle(page.cycle);
  if (!found.free)
    legend([...page.legend, ["cycle", "cycle of channels"]]);
}

async function opened() {
  if (page.opened)
    return true;
  const frame = await asked(page.experiments.ask("open", experiment(page.state)));
  page.opened = Boolean(frame);
  if (frame)
    showFrame(frame);
  return page.opened;
}

async function stepOnce() {
  pause();
  if (await opened())
    await advance(1);
}

async function advance(cycles) {
  const frame = await asked(page.experiments.ask("step", {cycles}));
  if (frame && page.opened)
    showFrame(frame);
  return frame;
}

function showFrame(frame) {
  page.drawing.showFrame(frame, page.running && !stillness.matches);
  page.results.run = frame.result;
  if (frame.locked && String(frame.locked) !== String(page.cycle)) {
    page.cycle = frame.locked;
    page.drawing.showCycle(frame.locked);
  }
  const cycles = `Cycle ${frame.cycle}: ${frame.inFlight} messages in the network.`;
  notice(frame.sentence ? `${cycles} ${frame.sentence}` :
    frame.locked ? `${cycles} Those on the lit cycle of ${frame.locked.length} channels wait for each other for ever.` : cycles,
    Boolean(frame.sentence || frame.locked));
  showResults();
}

async function play() {
  page.running = true;
  const mine = page.runs = (page.runs || 0) + 1;
  runButton();
  if (!await opened())
    pause();
  let owed = 0;
  while (page.running && page.runs === mine) {
    const begun = performance.now();
    const frame = stillness.matches ? STILL_FRAME : Math.max(FRAME, 2 ** -page.state.speed);
    owed += frame * 2 ** page.state.speed;
    const cycles = Math.max(1, Math.floor(owed));
    owed = Math.max(0, owed - cycles);
    const found = await advance(cycles);
    if (!found || found.sentence)
      pause();
    await new Promise((done) => setTimeout(done, Math.max(0, 1000 * frame - (performance.now() - begun))));
  }
}

function pause() {
  page.running = false;
  runButton();
}

function runButton() {
  const button = document.getElementById("run");
  if (button)
    button.textContent = page.running ? "Pause" : "Run";
}

async function restart() {
  pause();
  page.opened = false;
  page.drawing.lights?.fill(0);
  await opened();
}

const measureLabel = () => page.measuring ? "Stop" : "Predict and simulate";

function measures(begun) {
  page.measuring = begun;
  const button = document.getElementById("measure");
  if (button)
    button.textContent = measureLabel();
}

function stopMeasure() {
  if (page.measuring)
    page.experiments.halt();
  page.opened = false;
  measures(false);
}

async function measure() {
  const state = experiment(page.state);
  notice("The model is solved, and the simulation runs until its means are known to the precision asked for.");
  const of = (name) => page.experiments.ask(name, state).catch((error) => ({refused: error.message}));
  const results = page.results;
  pause();
  measures(true);
  results.model = await of("predict");
  if (results !== page.results)
    return;
  showResults();
  results.simulation = await of("measure");
  if (results !== page.results)
    return;
  measures(false);
  showResults();
  notice(results.simulation.refused || `Simulation: ${results.simulation.sentence}.`, Boolean(results.simulation.refused));
}

async function drawCurve() {
  const {state} = page;
  const points = {model: [], simulation: []};
  Object.assign(page, {curving: true, points});
  document.getElementById("curve").textContent = "Stop";
  notice("The model is asked how much the network carries.");
  const upTo = await greatestLoad(state);
  if (points !== page.points || !page.curving)
    return;
  notice("The curve is being measured; a point appears when its mean is known to the precision asked for.");
  const loads = (count) => Array.from({length: count}, (_, i) => Number((upTo * (i + 1) / count).toPrecision(4)));
  const done = await asked(page.curves.ask("curve", {...experiment(state), loads: loads(POINTS), modelLoads: loads(MODEL_POINTS)},
    ({kind, load, value, sentence}) => {
      points[kind].push({load, ...value || {refused: sentence}});
      showResults();
    }), "stopped");
  if (points === page.points) {
    stopCurve();
    if (done !== null)
      notice("The curve is complete.");
  }
}

/** Where the curve ends: near saturation, or beyond where the system refuses what is too much. */
async function greatestLoad(state) {
  const limit = (await saturationOf(state, true)).value;
  const beyond = state.system.includes("deflection") ? 1.5 : 0.97;
  return limit > 0 && Number.isFinite(limit) && limit < 100 ? beyond * limit : 1.5 * (Number(state.params.load) || 0.1);
}

function stopCurve() {
  if (page.curving)
    page.curves.halt();
  page.curving = false;
  const button = document.getElementById("curve");
  if (button)
    button.textContent = "Draw the curve";
}

// ---- results ----

/** A name with its unit, where the name does not say it. */
function withUnit(name, unit) {
  return unit === "1" || words(name).includes(unit) ? words(name) : `${words(name)}, ${unit}`;
}

function showResults() {
  const host = document.getElementById("results");
  if (page.state.tab !== "traffic")
    return;
  const {model, simulation, run} = page.results;
  const parts = [];
  if (model || simulation || run)
    parts.push(h("div", {}, h("h2", {}, "Numbers"), resultTable({model, simulation, run})));
  if (page.points.model.length + page.points.simulation.length)
    parts.push(curvePart());
  host.replaceChildren(h("div", {className: "columns"}, ...parts));
}

function resultTable(columns) {
  const {run} = columns;
  const used = Object.entries(columns).filter(([, result]) => result);
  const sentences = used.filter(([, result]) => result.refused);
  const held = used.filter(([, result]) => !result.refused);
  const rows = page.catalog.metrics.filter(({name}) => held.some(([, {metrics}]) => name in metrics));
  const titles = {model: "model", simulation: "simulation, ± 95 %", run: "this run so far"};
  const cell = (of, {metrics}, name) => {
    const [value, half] = metrics[name] || [];
    const band = half > 0 && Number.isFinite(half) && of !== "model" ? ` ± ${tidy(half, 2)}` : "";
    const text = value === undefined ? "" : tidy(value) + band;
    return h("td", {className: "n", "data-of": of, "data-metric": name, "data-value": String(value), "data-half": String(half)}, text);
  };
  return h("div", {className: "scroll"},
    ...sentences.map(([of, {refused}]) => h("p", {className: "refused"}, `${of}: ${refused}`)),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "metric"), ...held.map(([of]) => h("th", {className: "n"}, titles[of])))),
      h("tbody", {}, ...rows.map(({name, unit, meaning}) => h("tr", {},
        h("td", {title: meaning}, withUnit(name, unit)),
        ...held.map(([of, result]) => cell(of, result, name)))))),
    ...run ? [h("p", {className: "hint"}, "A number of the run without ± rests on too few independent observations as yet.")] : []);
}

/** Whether a chart has little room: beside the numbers it has less than half of the results. */
function isNarrow() {
  const {clientWidth} = document.getElementById("results");
  return (window.innerWidth > 900 ? 0.45 * clientWidth : clientWidth) < 480;
}

function curvePart() {
  const {state, points, catalog} = page;
  const list = (kind) => points[kind].filter(({metrics}) => metrics && state.metric in metrics).map(({load, metrics}) =>
    [load, ...metrics[state.metric]]);
  const refused = points.simulation.filter(({metrics}) => !metrics || !(state.metric in metrics));
  const held = catalog.metrics.filter(({name}) => points.simulation.concat(points.model).some(({metrics}) => metrics && name in metrics));
  const {unit} = catalog.metrics.find(({name}) => name === state.metric) || {unit: ""};
  return h("div", {className: "curve"}, h("h2", {}, "Over the load"),
    field("Metric", choice("metric", held.map(({name}) => [name, words(name)]), state.metric, (metric) => {
      change({metric});
      showResults();
    })),
    chart({model: list("model"), measured: list("simulation"), label: withUnit(state.metric, unit), here: Number(state.params.load),
           narrow: isNarrow()}),
    h("p", {className: "hint"}, `Dashed: the model. Points: ${list("simulation").length} of ${POINTS} measured, with 95 % bars.` +
      (refused.length ? ` From load ${tidy(refused[0].load)} on: ${refused[0].refused || refused[0].sentence}.` : "")));
}
