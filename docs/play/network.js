// The subjects "Network" and "Damage": choices, facts, and how the drawing is coloured by them.

/** A family: how the name of a network is put together from its sizes. */
const FAMILIES = [
  {label: "Hypercube (Boolean n-cube)", name: "hypercube($)", sizes: [["dimensions", 4]]},
  {label: "Torus", name: "torus([$])", sizes: [["nodes in each dimension", "5,5"]]},
  {label: "Mesh", name: "mesh([$])", sizes: [["nodes in each dimension", "6,4"]]},
  {label: "Ring", name: "ring($)", sizes: [["nodes", 12]]},
  {label: "k-ary n-cube with one-way rings", name: "kary_ncube(k=$,n=$,bidirectional=False)",
   sizes: [["radix k", 4], ["dimensions n", 2]]},
  {label: "Generalized hypercube", name: "generalized_hypercube(k=$,n=$)", sizes: [["radix k", 3], ["dimensions n", 2]]},
  {label: "Complete network", name: "complete($)", sizes: [["nodes", 8]]},
  {label: "Star", name: "star($)", sizes: [["nodes", 9]]},
  {label: "Tree", name: "tree($,$)", sizes: [["children of a node", 2], ["levels", 4]]},
  {label: "Chordal ring", name: "chordal_ring($,$)", sizes: [["nodes", 16], ["length of a chord", 5]]},
  {label: "Perfect shuffle with nearest neighbours", name: "psnn($)", sizes: [["bits of an address", 4]]},
  {label: "Shuffle-exchange network", name: "shuffle_exchange($)", sizes: [["bits of an address", 4]]},
  {label: "De Bruijn network", name: "de_bruijn($)", sizes: [["bits of an address", 4]]},
];
const VIEWS = {
  distances: "Distances from a node", necklaces: "Necklaces: orbits of rotation", tree: "A spanning tree",
  bisection: "The narrowest cut in halves", plain: "Nothing but the network",
};
const TREES = {
  balanced: "balanced", binomial: "binomial", "edge-disjoint": "one of n that share no channel",
  "breadth-first": "breadth-first",
};
const KEEPS = {
  "": "all that works", convex: "a convex subnet", "1-degraded": "the 1-degraded subnet",
  minimal: "a subnet for minimal routing", clusters: "the clusters of a two-level hierarchy",
};

/** The family of a name and its sizes. */
function familyOf(name) {
  for (const family of FAMILIES) {
    const form = family.name.replace(/[()[\]]/g, "\\$&").replace(/\$/g, "([\\d,]+)");
    const found = new RegExp(`^${form}$`).exec(name);
    if (found)
      return {family, sizes: found.slice(1)};
  }
  return null;
}

function nameOf(family, sizes) {
  const left = [...sizes];
  return family.name.replace(/\$/g, () => String(left.shift()).replace(/\s/g, ""));
}

// ---- panels ----

function networkPanel() {
  const {state, net} = page;
  const known = familyOf(state.net);
  const family = field("Family", choice("family", FAMILIES.map(({label}) => [label, label]).concat(
    known && !state.edges ? [] : [["", state.edges ? "an edge list" : "named below"]]),
    known && !state.edges ? known.family.label : "", (label) => {
      const next = FAMILIES.find((one) => one.label === label);
      if (next)
        setNetwork(nameOf(next, next.sizes.map(([, size]) => size)));
    }));
  const sizes = !known || state.edges ? [] : known.family.sizes.map(([label], i) => field(label, h("input", {
    id: `size-${i}`, type: "text", inputMode: "numeric", value: known.sizes[i],
    onchange: (event) => setNetwork(nameOf(known.family, known.sizes.map((size, j) => i === j ? event.target.value : size))),
  })));
  const text = h("textarea", {id: "edges", value: state.edges, spellcheck: false,
                              placeholder: "one link a line, as\n0 1\n1 2\n2 0"});
  return [
    family, h("div", {className: "row"}, ...sizes),
    field("Name", h("input", {id: "net", type: "text", value: state.edges ? net.facts?.name || "" : state.net,
                              onchange: (event) => setNetwork(event.target.value)})),
    h("details", {open: Boolean(state.edges)}, h("summary", {}, "An edge list of your own"), field("Links", text),
      h("button", {id: "draw", onclick: () => setEdges(text.value)}, "Draw")),
    h("h2", {}, "Show"),
    field("Colour by", choice("view", Object.entries(VIEWS), state.view, (view) => change({view}, true))),
    ...viewControls(), h("div", {id: "view-facts"}), ...factsTable(), ...measuresPart(), h("div", {id: "node-facts"}),
  ];
}

function viewControls() {
  const {state} = page;
  if (state.view === "distances")
    return [h("p", {className: "hint"}, "Click a node to measure from there.")];
  if (state.view !== "tree")
    return [];
  const number = {binomial: "first dimension", "edge-disjoint": "number of the tree"}[state.tree];
  return [
    field("Tree", choice("tree", Object.entries(TREES), state.tree, (tree) => change({tree, number: 0}, true))),
    ...number ? [field(number, h("input", {id: "number", type: "number", min: 0, value: state.number,
                                           onchange: (event) => change({number: Number(event.target.value)}, true)}))] : [],
    h("p", {className: "hint"}, "Click a node to root the tree there."),
  ];
}

function known(found) {
  return found.sentence === undefined ? tidy(found.value) : found.sentence;
}

function factsTable() {
  const {facts} = page.net;
  if (!facts)
    return [];
  return [h("h2", {}, "Facts"), table([], [
    ["nodes", String(facts.count)], ["links", known(facts.links)], ["greatest degree", String(facts.degree)],
    ["diameter", known(facts.diameter)], ["mean distance", known(facts.mean)],
    ["channels", facts.both ? "both ways" : "one way"],
  ])];
}

function measuresPart() {
  const rows = h("div", {id: "measures"});
  const ask = async () => {
    rows.replaceChildren(h("p", {className: "hint"}, "Searches take up to some seconds each."));
    const net = page.net;
    const found = await asked(page.curves.ask("measures", where(page.state)));
    if (found && net === page.net)
      rows.replaceChildren(table(["measure", "value", "known by"], found.map(({name, value, sentence}) =>
        [words(name), ...sentence === undefined ?
          [value.lower === value.upper ? tidy(value.lower) : `${tidy(value.lower)} to ${tidy(value.upper)}`,
           words(value.known)] : [sentence, ""]])));
  };
  return [h("div", {className: "row"}, h("button", {id: "measure-network", onclick: ask}, "Measure cost and worth")), rows];
}

function damagePanel() {
  const {state} = page;
  const node = h("input", {id: "break-node", type: "number", min: 0, value: 0});
  const [from, to] = ["link-from", "link-to"].map((id, i) => h("input", {id, type: "number", min: 0, value: i}));
  const count = h("input", {id: "random-count", type: "number", min: 1, value: 2});
  const more = async () => {
    const broken = await asked(page.network.ask("randomFaults", {
      ...where(state), count: Number(count.value), seed: state.broken.length + Number(state.seed)}));
    if (broken)
      setDamage({broken});
  };
  return [
    h("p", {className: "hint"}, "Click nodes and links in the drawing to break them, and again to mend them."),
    h("div", {className: "row"}, field("Node", node),
      h("button", {id: "break-it", onclick: () => toggleNode(Number(node.value))}, "Break or mend")),
    h("div", {className: "row"}, field("Link from", from), field("to", to),
      h("button", {id: "cut-it", onclick: () => toggleLink(Number(from.value), Number(to.value))}, "Break or mend")),
    h("div", {className: "row"}, field("Random nodes", count), h("button", {id: "random", onclick: more}, "Break"),
      h("button", {id: "mend", onclick: () => setDamage({broken: [], cut: []})}, "Mend all")),
    table([], [["broken nodes", state.broken.map(address).join(", ") || "none"],
               ["broken links", state.cut.map((pair) => pair.map(address).join(" to ")).join(", ") || "none"]]),
    h("h2", {}, "What stays in use"),
    field("Keep", choice("keep", Object.entries(KEEPS), state.keep, (keep) => change({keep}, true))),
    h("div", {id: "view-facts"}),
  ];
}

const address = (node) => page.net.addresses ? page.net.addresses[node] ?? String(node) : String(node);

// ---- what is done ----

function setNetwork(name) {
  change({net: name, edges: "", broken: [], cut: [], pick: 0, number: 0, drill: ""}, true, true);
}

function setEdges(edges) {
  change({edges, broken: [], cut: [], pick: 0, number: 0, drill: ""}, true, true);
}

function setDamage(damage) {
  change(damage, true);
}

function toggleNode(node) {
  const {broken} = page.state;
  setDamage({broken: broken.includes(node) ? broken.filter((one) => one !== node) :
    [...broken, node].sort((a, b) => a - b)});
}

function toggleLink(from, to) {
  const pair = page.net.facts.both && from > to ? [to, from] : [from, to];
  const {cut} = page.state;
  const left = cut.filter((one) => one.join() !== pair.join());
  setDamage({cut: left.length < cut.length ? left : [...cut, pair]});
}

/** The network and its damage, as questions name them. */
function where(state) {
  const {net, edges, broken, cut, pick} = state;
  return {net, edges, broken, cut, pick};
}

// ---- colours ----

/** What the drawing shows, by subject and view: {node, link, legend, facts}. */
async function viewOf(state) {
  if (state.tab === "damage" && state.keep)
    return state.keep === "clusters" ? clusterView(state) : subnetView(state);
  if (state.tab === "traffic")
    return {legend: [["light", "channel that carried something"], ["queue", "messages that wait at a node"], ...damageKeys(state)]};
  if (state.tab === "code" || state.tab === "damage")
    return {legend: damageKeys(state)};
  if (state.tab === "course" && page.drill && page.drill.view)
    return page.drill.view();
  const views = {distances: distanceView, necklaces: necklaceView, tree: treeView, bisection: bisectionView,
                 plain: async () => ({legend: damageKeys(state)})};
  return (Object.hasOwn(views, state.view) ? views[state.view] : views.plain)(state);
}

function damageKeys(state) {
  return [...state.broken.length ? [["broken", "broken node"]] : [], ...state.cut.length ? [["cut", "broken link"]] : []];
}

async function distanceView(state) {
  const hops = await page.network.ask("distances", where(state));
  const reached = hops.filter((d) => d !== null);
  const most = Math.max(1, ...reached);
  return {
    node: (v) => hops[v] === null ? {second: "–", title: "not reached"} :
      {fill: ramp(hops[v] / most), second: String(hops[v]), title: `${counted(hops[v], "hop")} away`},
    legend: [...Array.from({length: Math.min(most, 12) + 1}, (_, d) => [rgb(ramp(d / most)),
      d === 0 ? "the node" : `${counted(d, "hop")}: ${reached.filter((one) => one === d).length}`]), ...damageKeys(state)],
    facts: [`From ${address(state.pick)}: ${reached.length - 1} nodes are reached, the farthest in ${counted(most, "hop")}.`],
  };
}

async function necklaceView(state) {
  const {generators, displacements, periods} = await page.network.ask("necklaces", where(state));
  const orbits = [...new Set(generators)].sort((a, b) => a - b);
  const colour = (v) => hexParts(CATEGORIES[orbits.indexOf(generators[v]) % CATEGORIES.length]);
  return {
    node: (v) => ({fill: colour(v), second: String(displacements[v]), classes: generators[v] === v ? "unsafe" : "",
                   title: `necklace of ${address(generators[v])}, displacement ${displacements[v]}`}),
    legend: orbits.slice(0, 16).map((orbit) => [rgb(colour(orbit)), `${address(orbit)}: ${counted(periods[orbit], "node")}`]),
    facts: [`${counted(orbits.length, "necklace")}. The number beside a node is its displacement; generators have a thick rim.`],
  };
}

async function treeView(state) {
  const tree = await page.network.ask("tree", {...where(state), tree: state.tree, number: state.number});
  const colour = (v) => hexParts(CATEGORIES[tree.branch[v] % CATEGORIES.length]);
  const inTree = (u, v) => tree.parents[u] === v ? u : tree.parents[v] === u ? v : -1;
  return {
    node: (v) => v === state.pick ? {second: "root", title: "root"} :
      {fill: colour(v), second: String(tree.depth[v]), title: `depth ${tree.depth[v]}, subtree ${tree.branch[v]}`},
    link: (u, v) => inTree(u, v) < 0 ? {classes: "faint"} :
      {classes: "tree", stroke: rgb(colour(inTree(u, v)))},
    legend: tree.sizes.slice(0, 16).map((size, i) => [CATEGORIES[i % CATEGORIES.length], `subtree ${i}: ${counted(size, "node")}`]),
    facts: [`Height ${tree.height}; ${tree.shortest ? "all" : "not all"} paths from the root are shortest. ` +
            "The number beside a node is its depth. The library's checker agrees that it is a spanning tree."],
  };
}

async function bisectionView(state) {
  const {sides, lower, upper, known: by, counted} = await page.network.ask("bisection", where(state));
  const colours = ["#56b4e9", "#e69f00"].map(hexParts);
  return {
    node: (v) => ({fill: colours[sides[v]], second: "AB"[sides[v]], title: `half ${"AB"[sides[v]]}`}),
    link: (u, v) => sides[u] === sides[v] ? {} : {classes: "across"},
    legend: [[rgb(colours[0]), "half A"], [rgb(colours[1]), "half B"], ["across", "link between the halves"]],
    facts: [
      lower === upper ? `Bisection width ${upper} (${words(by)}).` : `Bisection width ${lower} to ${upper} (bounds).`,
      `Certificate: the library counts ${counted} links between the two halves of the drawing, and ` +
      (by === "closed-form" ? "a closed form says that no halves have fewer." :
        lower === upper ? "its search proves that no halves have fewer." :
          `has proved that no halves have fewer than ${lower}.`),
    ],
  };
}

async function subnetView(state) {
  const found = await page.network.ask("subnet", {...where(state), subnet: state.keep});
  const all = await page.network.ask("subnet", {...where(state), subnet: "chosen"}).catch(() => ({unsafe: []}));
  return {...subnetStyle(found), facts: [
    `${found.survivors} nodes survive, ${found.disabled} are disabled.`,
    ...found.convex === undefined ? [] : [found.convex ? "The subnet is convex: every two survivors at h hops in the " +
      "whole network are joined by a path of h hops." : "The subnet is not convex."],
    `With nothing disabled ${all.unsafe.length ? `these survivors are unsafe: ${all.unsafe.map(address).join(", ")}` :
      "all survivors are safe"}.`,
  ]};
}

function subnetStyle({states, unsafe}) {
  const colour = hexParts("#56b4e9");
  return {
    node: (v) => {
      if (states[v] !== "surviving")
        return {classes: states[v] === "disabled" ? "disabled" : "", title: states[v]};
      const word = unsafe.includes(v) ? "unsafe" : "";
      return {fill: colour, classes: word, second: word, title: `surviving ${word}`.trim()};
    },
    legend: [[rgb(colour), "survivor"], ["disabled", "disabled: works, but is not used"], ["broken", "broken node"],
             ...page.state.cut.length ? [["cut", "broken link"]] : [], ...unsafe.length ? [["unsafe", "unsafe survivor"]] : []],
  };
}

async function clusterView(state) {
  const {clusters, cluster, table: entries, mean} = await page.network.ask("hierarchy", where(state));
  const colour = (i) => hexParts(CATEGORIES[i % CATEGORIES.length]);
  const rows = entries.sentence === undefined ? [
    h("p", {className: "hint"}, `Table of node ${address(state.pick)}: `,
      h("input", {id: "pick", type: "number", min: 0, max: cluster.length - 1, value: state.pick, "aria-label": "Node of the table",
                  onchange: (event) => change({pick: Number(event.target.value)})})),
    table(["cluster", "ports", "hops"], entries.value.map((row) =>
      [row.cluster, row.ports.join(", ") || "own", row.hops === null ? "no path" : row.hops]))] :
    [h("p", {className: "refused"}, entries.sentence)];
  return {
    node: (v) => cluster[v] < 0 ? {} : {fill: colour(cluster[v]), second: String(cluster[v]),
                                        title: `cluster ${clusters[cluster[v]].address}`},
    link: (u, v) => cluster[u] === cluster[v] || cluster[u] < 0 || cluster[v] < 0 ? {} : {classes: "between"},
    legend: [...clusters.slice(0, 12).map((one, i) => [rgb(colour(i)), `${i}: ${one.address}, ${counted(one.survivors, "node")}`]),
             ["between", "link between clusters"], ...damageKeys(state)],
    facts: [`${counted(clusters.length, "cluster")}; mean path ${known(mean)} hops.`, ...rows],
  };
}
