// The subject "Course": links to what the assignments talk about, and drills with the grader's
// cases. No marks.

const ASSIGNMENTS = [
  ["Addresses and necklaces", "net=generalized_hypercube(k=3,n=2)&view=necklaces", "necklaces"],
  ["Rules of routing", "net=hypercube(4)&tab=traffic&system=wormhole&routing=minimal&load=0.08&virtual_channels=1" +
    "&message_flits=16&unsafe=yes", "routing"],
  ["The two-phase assignment", "net=hypercube(3)&tab=traffic&system=deflection&load=1.5&buffers=5", "two_phase"],
  ["The Markov chain", "net=hypercube(6)&tab=traffic&system=deflection&load=1&buffers=6&model_variant=published", "chain"],
  ["Convex subnets", "net=hypercube(4)&tab=damage&broken=2,3,4,7,9&keep=convex", "convex"],
  ["The traffic of broadcasts", "net=hypercube(4)&view=tree&tree=binomial", "broadcast"],
  ["The perfect shuffle", "net=psnn(5)&view=bisection", "shuffle"],
];

const texts = (list) => list.length ? list.join(", ") : "none";
const same = (found, right) => found === right ? null : `expected ${right}`;
const sameList = (text, right) => same(wholes(text).sort((a, b) => a - b).join(","), [...right].sort((a, b) => a - b).join(","));

/**
 * The kinds of drills. ask(one) gives {state, question, labels}; check(one, answers) gives null
 * when right, else a sentence.
 */
const KINDS = {
  necklaces: {
    ask: ({net, node}) => ({
      state: {net, view: "plain"},
      question: `In ${net}, which node is the generator of the necklace of node ${node}, and what is its displacement?`,
      labels: ["Number of the generator", "Displacement"],
    }),
    async check({net, node}, [generator, displacement]) {
      const right = await page.network.ask("necklaces", {net});
      return same(Number(generator), right.generators[node]) || same(Number(displacement), right.displacements[node]);
    },
    view: ({node}) => ({node: (v) => v === node ? {classes: "picked", second: "this"} : {}}),
  },
  routing: {
    ask: ({net, node, destination}) => ({
      state: {net, view: "plain"},
      question: `A message at node ${node} of the 4-cube is for node ${destination}. Which ports may it take?`,
      labels: ["By e-cube: its one port", "By random minimal: all ports, with commas"],
    }),
    async check(one, [ecube, minimal]) {
      const right = (routing) => page.network.ask("nextPorts", {...one, routing});
      return sameList(ecube, await right("dimension-order")) || sameList(minimal, await right("minimal"));
    },
    view: ({node, destination}) => ({node: (v) => v === node ? {classes: "picked", second: "from"} :
      v === destination ? {classes: "picked", second: "to"} : {}}),
  },
  two_phase: {
    ask: (one) => ({
      state: {net: one.net, view: "plain"},
      question: `A node of ${one.net} with ${one.channels} channels and M = ${one.buffers} buffers holds ${one.headers.length} ` +
        "messages, the oldest first. They prefer ",
      prefer: true,
      labels: ["The channel of each message, with commas; - for one that stays"],
    }),
    async check({net, headers, buffers}, [text]) {
      const ports = text.split(",").map((part) => part.trim() === "-" ? null : Number(part));
      if (ports.length !== headers.length || ports.some(Number.isNaN))
        return `name ${headers.length} channels`;
      const found = await page.network.ask("judgeTwoPhase", {net, headers, buffers, ports}).catch((error) => error);
      return found instanceof Error ? found.message : null;
    },
  },
  chain: {
    ask: ({channels, buffers, messages}) => ({
      state: {},
      question: `A node has n = ${channels} channels and M = ${buffers} buffers and holds i = ${messages} messages. ` +
        `With which probability do exactly ${Math.min(channels, messages)} leave?`,
      labels: ["f' to three digits behind the point"],
    }),
    async check({channels, buffers, messages}, [text]) {
      const right = (await page.network.ask("assignment", {channels, buffers, messages}))[Math.min(channels, messages)];
      return Math.abs(Number(text) - right) <= 0.0006 && text !== "" ? null : `expected ${right.toFixed(4)}`;
    },
  },
  convex: {
    ask: ({net, broken}) => ({
      state: {net, broken, cut: [], view: "plain"},
      question: `Nodes ${texts(broken)} of ${net} are faulty. Disable as few nodes as you can, so that the survivors are ` +
        "convex. Click them in the drawing, or write them here.",
      labels: ["Disabled nodes, with commas"],
    }),
    async check(one, [text]) {
      const found = await page.network.ask("judgeConvex", {...one, disabled: wholes(text)});
      return found.convex ? found.survivors >= found.least ? null :
        `convex, but ${found.survivors} nodes survive, and ${found.least} of the 1-degraded subnet` :
        `not convex: unsafe are ${texts(found.unsafe)}`;
    },
    async praise(one, [text]) {
      const {survivors, heuristic} = await page.network.ask("judgeConvex", {...one, disabled: wholes(text)});
      return ` ${survivors} nodes survive; by the heuristic of the library ${heuristic}.`;
    },
    click: (v, [input]) => {
      const list = wholes(input.value);
      input.value = (list.includes(v) ? list.filter((one) => one !== v) : [...list, v]).join(", ");
    },
    view: ({broken}, [input]) => {
      const disabled = wholes(input.value.replace(/\s/g, ""));
      return {node: (v) => disabled.includes(v) && !broken.includes(v) ? {classes: "disabled", second: "off"} : {},
              legend: [["broken", "broken node"], ["disabled", "disabled by you"]]};
    },
  },
  broadcast: {
    ask: ({n}) => ({
      state: {net: `hypercube(${n})`, view: "tree", tree: "binomial", pick: 0, broken: [], cut: []},
      question: `A broadcast goes along the binomial tree of the ${n}-cube. How many of the other nodes send i copies on, ` +
        `for i = 0 .. ${n - 1}?`,
      labels: [`${n} numbers, with commas`],
    }),
    async check({n}, [text]) {
      return same(wholes(text.replace(/\s/g, "")).join(","), (await page.network.ask("replications", {n})).join(","));
    },
  },
  shuffle: {
    ask: ({n, node}) => ({
      state: {net: `psnn(${n})`, view: "plain"},
      question: `Which are the neighbours of node ${node} (${node.toString(2).padStart(n, "0")}) in the perfect shuffle with ` +
        `${2 ** n} nodes, and how far is the farthest pair of its nodes?`,
      labels: ["Neighbours, with commas", "Diameter"],
    }),
    async check({n, node}, [neighbors, diameter]) {
      const {facts, first, neighbors: all} = await page.network.ask("network", {net: `psnn(${n})`});
      return sameList(neighbors, all.slice(first[node], first[node + 1])) || same(Number(diameter), facts.diameter.value);
    },
  },
};

function coursePanel() {
  const list = h("ol", {className: "course"}, ...ASSIGNMENTS.map(([title, address, kind]) => h("li", {},
    h("a", {href: `#${address}`}, title), " ",
    ...DRILLS[kind] ? [h("button", {id: `drill-${kind}`, onclick: () => beginDrill(kind, 0)}, "Drill")] : [])));
  return [h("p", {className: "hint"}, "Each link shows what the assignment talks about. A drill asks what its grader asks; " +
                                      "nothing of it counts for marks."), list, h("div", {id: "drill"})];
}

/** Asks case `at` of a kind. */
function beginDrill(kind, at) {
  const cases = DRILLS[kind];
  const one = cases[at % cases.length];
  const made = KINDS[kind].ask(one);
  page.drill = {kind, at: at % cases.length, one, made, inputs: made.labels.map((_, i) => h("input", {
    id: `answer-${i}`, type: "text", autocomplete: "off", oninput: () => repaint()}))};
  page.drill.view = KINDS[kind].view ? () => ({legend: [], ...KINDS[kind].view(one, page.drill.inputs)}) : null;
  const {net} = page.state;
  const next = {broken: [], cut: [], edges: "", pick: 0, tab: "course", drill: `${kind}.${page.drill.at}`, ...made.state};
  change(next, true, next.net !== undefined && next.net !== net);
}

/** The drill of the state, after an address was followed. */
function resumeDrill() {
  const [kind, at] = page.state.drill.split(".");
  const isThere = Object.hasOwn(KINDS, kind) && Object.hasOwn(DRILLS, kind);
  if (isThere && (!page.drill || page.drill.kind !== kind || page.drill.at !== Number(at)))
    beginDrill(kind, Number(at) || 0);
}

async function showDrill() {
  const host = document.getElementById("drill");
  if (!host || !page.drill || !page.state.drill)
    return;
  const {kind, at, one, made, inputs} = page.drill;
  const said = h("p", {id: "verdict", role: "status"});
  const check = async (event) => {
    event.preventDefault();
    const answers = inputs.map((input) => input.value.replace(/\s/g, ""));
    const wrong = await KINDS[kind].check(one, answers);
    const praise = wrong || !KINDS[kind].praise ? "" : await KINDS[kind].praise(one, answers);
    said.className = wrong ? "refused" : "right";
    said.textContent = wrong ? `Not right: ${wrong}` : `Right.${praise}`;
  };
  const preferred = made.prefer ? (await page.network.ask("preferred", one)).map((set) => `{${set}}`).join(", ") + "." : "";
  const title = ASSIGNMENTS.find(([, , its]) => its === kind)[0];
  host.replaceChildren(h("h2", {}, `Drill: ${title}, ${at + 1} of ${DRILLS[kind].length}`), h("p", {}, made.question + preferred),
    h("form", {onsubmit: check}, ...inputs.map((input, i) => field(made.labels[i], input)),
      h("div", {className: "row"}, h("button", {id: "check", className: "main", type: "submit"}, "Check"),
        h("button", {id: "next", type: "button", onclick: () => beginDrill(kind, at + 1)}, "Next"))), said);
}
