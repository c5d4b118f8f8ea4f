// The state of the page, which is its address: what differs from the defaults stands behind the #.

const DEFAULTS = {
  net: "hypercube(4)", edges: "", tab: "network", view: "distances", pick: 0, tree: "binomial", number: 0,
  broken: [], cut: [], keep: "", system: "deflection", routing: "", pattern: "uniform", seed: "1", metric: "mean_delay",
  speed: 4, drill: "", params: {},
};
const TABS = ["network", "damage", "traffic", "code", "course"];
const LISTS = {
  broken: [(list) => list.join(","), (text) => wholes(text)],
  cut: [(list) => list.map((pair) => pair.join("-")).join(","),
        (text) => text.split(",").map((pair) => pair.split("-").map(Number)).filter(
          (pair) => pair.length === 2 && pair.every(Number.isInteger))],
};

function wholes(text) {
  return text.split(",").filter(Boolean).map(Number).filter(Number.isInteger);
}

/** The text of a state, behind the #. */
function addressText(state) {
  const query = new URLSearchParams();
  for (const [key, standard] of Object.entries(DEFAULTS)) {
    const text = key in LISTS ? LISTS[key][0](state[key]) : String(state[key]);
    if (key !== "params" && text !== (key in LISTS ? "" : String(standard)))
      query.set(key, text);
  }
  Object.entries(state.params).forEach(([name, value]) => query.set(name, value));
  // brackets and commas are easier to read as they are, and may stand behind the #
  return query.toString().replace(/%28|%29|%2C|%5B|%5D|%3D/g, (code) => decodeURIComponent(code));
}

/** The state of a text; keys that are no part of a state are parameters of the experiment. */
function stateOf(text) {
  const state = structuredClone(DEFAULTS);
  const parts = text.split("&").filter(Boolean).map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), decodeURIComponent(part.slice(at + 1).replace(/\+/g, " "))];
  });
  for (const [key, value] of parts) {
    if (key in LISTS)
      state[key] = LISTS[key][1](value);
    else if (key === "params" || !(key in DEFAULTS))
      state.params[key] = value;
    else
      state[key] = typeof DEFAULTS[key] === "number" ? Number(value) || 0 : value;
  }
  state.seed = BigInt.asUintN(64, BigInt(state.seed.replace(/\D/g, "") || "1")).toString();
  if (!TABS.includes(state.tab))
    state.tab = DEFAULTS.tab;
  return state;
}
