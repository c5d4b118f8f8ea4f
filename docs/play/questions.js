// What the worker answers about networks: drawn, damaged, cut in halves, spanned by trees.
// A network is {net: name} or {edges: text}; damage is {broken: [node], cut: [[node, node]]}.

const MOST_CHANNELS = 2 ** 21; // that the page holds
const SEARCH_SECONDS = 4; // of a search; then the bounds that it has are the answer

function topologyOf(make, {net, edges}) {
  if (edges) {
    return make("cn_topology_read", CN_FORMAT_EDGES, edges, encoder.encode(edges).length, 0, null);
  }
  return make("cn_topology_from_json", JSON.stringify({cubenet: "topology", format: 1, topology: net}), null);
}

function faultsOf(make, topology, {broken = [], cut = []}) {
  const faults = make("cn_faults_new", topology);
  broken.forEach((node) => call("cn_faults_add_node", faults, node));
  for (const [node, neighbor] of cut)
    call("cn_faults_add_link", faults, node, value("u32", "cn_topology_port_to", topology, node, neighbor));
  return faults;
}

function limited(make) {
  const control = make("cn_control_new");
  call("cn_control_set_seconds", control, SEARCH_SECONDS);
  return control;
}

function named(which, number) {
  return call("cn_enum_name", which, number);
}

/** The values of an enum that have names, as {name: number}. */
function enumOf(which) {
  const [least, greatest] = values("i32 i32", "cn_enum_range", which);
  const found = {};
  for (let number = least; number <= greatest; number++)
    if (named(which, number) !== null)
      found[named(which, number)] = number;
  return found;
}

const numbers = (array) => Array.from(array, Number);
const addressOf = (topology, node) => {
  const found = attempt(() => text("cn_topology_address_text", topology, node));
  return found.sentence === undefined ? found.value : String(node);
};

/** All channels: port p of node v leads to neighbors[first[v] + p]. */
function channelsOf(topology, count) {
  const first = [0];
  const neighbors = [];
  for (let node = 0; node < count; node++) {
    neighbors.push(...numbers(arrays("u64", "cn_topology_neighbors", topology, node)[0]));
    first.push(neighbors.length);
  }
  return {first, neighbors};
}

/** States of nodes and what the damaged network keeps: {states, facts, sentence}. */
const KEEPERS = {
  convex: (make, faults) => make("cn_subnet_convex", faults, null),
  "1-degraded": (make, faults) => make("cn_subnet_degraded", faults, 1, CN_LINK_IS_BAD, null),
  minimal: (make, faults) => make("cn_subnet_minimal", faults, null),
  chosen: (make, faults, disabled) =>
    make("cn_subnet_chosen", faults, BigUint64Array.from(disabled, BigInt), disabled.length),
};

const questions = {
  /** All that the library's tables say. */
  catalog() {
    const list = (count, one) => Array.from({length: count}, (_, i) => one(i)).filter(Boolean);
    const params = list(call("cn_param_count") + 1, (id) => id > 0 && call("cn_param_name", id) !== null && {
      id,
      name: call("cn_param_name", id),
      unit: call("cn_param_unit", id),
      meaning: call("cn_param_meaning", id),
      whole: value("i32", "cn_param_range", id, 0, 0, 0) !== 0,
      choices: list(call("cn_param_choice_count", id), (i) => ({
        name: call("cn_param_choice_name", id, i),
        meaning: call("cn_param_choice_meaning", id, i),
        value: value("f64", "cn_param_choice_from_name", id, call("cn_param_choice_name", id, i)),
      })),
    });
    const attached = enumOf(CN_ENUM_ATTACHMENT);
    return {
      version: call("cn_version_text"),
      systems: list(call("cn_system_count"), (i) => ({
        name: call("cn_system_name", i),
        summary: call("cn_system_summary", i),
        takes: params.filter(({id}) => call("cn_system_takes", i, id)).map(({name}) => name),
        attachments: Object.keys(attached).filter((name) => call("cn_system_takes_attachment", i, attached[name])),
      })),
      params,
      metrics: list(call("cn_metric_count"), (i) => ({
        id: i + 1,
        name: call("cn_metric_name", i + 1),
        unit: call("cn_metric_unit", i + 1),
        meaning: call("cn_metric_meaning", i + 1),
      })),
      routings: list(call("cn_routing_kind_count"), (i) => ({
        name: call("cn_routing_kind_name", i),
        summary: call("cn_routing_kind_summary", i),
      })),
      patterns: enumOf(CN_ENUM_PATTERN),
      measures: enumOf(CN_ENUM_MEASURE),
    };
  },

  /** What a drawing needs. `drawing` is a sentence where the network is too large for one. */
  network(which) {
    return scope((make) => {
      const topology = topologyOf(make, which);
      const count = Number(call("cn_topology_node_count", topology));
      const facts = {
        name: call("cn_topology_name", topology),
        count,
        degree: call("cn_topology_max_degree", topology),
        both: call("cn_topology_is_bidirectional", topology) !== 0,
        links: attempt(() => value("u64", "cn_topology_link_count", topology)),
        diameter: attempt(() => value("u64", "cn_topology_diameter", topology, limited(make))),
        mean: attempt(() => value("f64", "cn_topology_mean_distance", topology, limited(make))),
      };
      const channels = count * facts.degree <= MOST_CHANNELS ? channelsOf(topology, count) : {};
      const drawn = attempt(() => arrays("f64 f64", "cn_topology_layout", topology));
      if (drawn.sentence !== undefined)
        return {facts, drawing: drawn.sentence, ...channels};
      return {
        facts,
        x: Array.from(drawn.value[0]),
        y: Array.from(drawn.value[1]),
        ...channels,
        addresses: Array.from({length: count}, (_, node) => addressOf(topology, node)),
      };
    });
  },

  /** Hops from a node around the damage; null where no path leads. */
  distances(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const count = Number(call("cn_topology_node_count", topology));
      if (!state.broken.length && !state.cut.length)
        return numbers(filled("u64", count, "cn_topology_distances", [topology, state.pick, null])[0]);
      const faults = faultsOf(make, topology, state);
      if (call("cn_faults_has_node", faults, state.pick))
        return Array(count).fill(null);
      return Array.from({length: count}, (_, node) => {
        const found = attempt(() => value("u64", "cn_faults_distance", faults, state.pick, node, null));
        return found.sentence === undefined && found.value < 2 ** 53 ? found.value : null;
      });
    });
  },

  necklaces(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const all = Array.from({length: Number(call("cn_topology_node_count", topology))}, (_, node) => node);
      return {
        generators: all.map((node) => value("u64", "cn_necklace_generator", topology, node)),
        displacements: all.map((node) => value("u64", "cn_necklace_displacement", topology, node)),
        periods: all.map((node) => value("u64", "cn_necklace_period", topology, node)),
      };
    });
  },

  /** A spanning tree: parents, and for each node the child of the root above it. */
  tree(state) {
    const kinds = {
      balanced: (make, topology) => make("cn_tree_balanced", topology, state.pick),
      binomial: (make, topology) => make("cn_tree_binomial", topology, state.pick, state.number),
      "edge-disjoint": (make, topology) => make("cn_tree_edge_disjoint", topology, state.pick, state.number),
      "breadth-first": (make, topology) => make("cn_tree_breadth_first", topology, state.pick, null),
    };
    return scope((make) => {
      const topology = topologyOf(make, state);
      const tree = kinds[state.tree](make, topology);
      const count = Number(call("cn_topology_node_count", topology));
      const parents = Array.from({length: count}, (_, node) => value("u64", "cn_tree_parent", tree, node));
      parents[state.pick] = -1;
      const children = numbers(arrays("u64", "cn_tree_children", tree, state.pick)[0]);
      const depth = parents.map((_, node) => value("u64", "cn_tree_depth", tree, node));
      const branch = parents.map((_, node) => {
        while (node !== state.pick && parents[node] !== state.pick)
          node = parents[node];
        return children.indexOf(node);
      });
      const sizes = children.map((node) => value("u64", "cn_tree_subtree_size", tree, node));
      const [height, shortest] = values("u64 i32", "cn_tree_validate", topology, state.pick,
                                        BigUint64Array.from(parents, (p) => p < 0 ? CN_NO_NODE : BigInt(p)),
                                        count, null);
      return {parents, branch, depth, sizes, height, shortest: shortest !== 0};
    });
  },

  /** The narrowest cut that is known, counted again by the library's checker. */
  bisection(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const count = Number(call("cn_topology_node_count", topology));
      const side = exported.malloc(count);
      try {
        const [lower, upper, kind] = values("u64 u64 i32", "cn_topology_bisection", topology, limited(make), side,
                                            count);
        const sides = viewOf("u8", side, count).slice();
        return {
          sides: Array.from(sides), lower, upper, known: named(CN_ENUM_KNOWN, kind),
          counted: value("u64", "cn_bisection_check", topology, sides, count, null),
        };
      } finally {
        exported.free(side);
      }
    });
  },

  /** All measures, each a value or a sentence. */
  measures(state) {
    const all = enumOf(CN_ENUM_MEASURE);
    return scope((make) => {
      const topology = topologyOf(make, state);
      return Object.entries(all).map(([name, number]) => ({name, ...attempt(() => {
        const [lower, upper, kind] = values("f64 f64 i32", "cn_topology_measure", topology, number, 0.5,
                                            limited(make));
        return {lower, upper, known: named(CN_ENUM_KNOWN, kind)};
      })}));
    });
  },

  /** What stays in use of a damaged network. */
  subnet(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const subnet = KEEPERS[state.subnet](make, faultsOf(make, topology, state), state.disabled || []);
      const count = Number(call("cn_topology_node_count", topology));
      const all = Array.from({length: count}, (_, node) => node);
      const states = all.map((node) => named(CN_ENUM_NODE_STATE,
                                             value("i32", "cn_subnet_node_state", subnet, node)));
      const convex = attempt(() => value("i32", "cn_subnet_is_convex", subnet) !== 0);
      const unsafe = all.filter((node) => {
        const safe = states[node] !== "surviving" ? {value: 1} :
          attempt(() => value("i32", "cn_subnet_is_safe", subnet, node));
        return safe.value === 0;
      });
      return {
        states, unsafe, convex: convex.value,
        survivors: Number(call("cn_subnet_survivor_count", subnet)),
        disabled: Number(call("cn_subnet_disabled_count", subnet)),
      };
    });
  },

  /** The clusters of the two-level hierarchy, and the table of the picked node. */
  hierarchy(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const dimensions = call("cn_topology_dimensions", topology);
      const faults = faultsOf(make, topology, state);
      const hierarchy = make("cn_hierarchy_new", faults, null);
      call("cn_hierarchy_make_tables", hierarchy, null);
      const subcube = (word, any) => text("cn_subcube_text", dimensions, word, any);
      const clusters = Array.from({length: call("cn_hierarchy_cluster_count", hierarchy)}, (_, i) => {
        const [word, any, survivors] = values("u64 u64 u64", "cn_hierarchy_cluster", hierarchy, i);
        return {address: subcube(word, any), survivors};
      });
      const count = Number(call("cn_topology_node_count", topology));
      const cluster = Array.from({length: count}, (_, node) =>
        call("cn_faults_has_node", faults, node) ? -1 : value("u32", "cn_hierarchy_cluster_of", hierarchy, node));
      const table = attempt(() => {
        const [words, anys, channels, hops] = arrays("u64 u64 u64 u64", "cn_hierarchy_table", hierarchy, state.pick);
        return Array.from(words, (word, i) => ({
          cluster: subcube(word, anys[i]),
          ports: Array.from({length: dimensions}, (_, p) => p).filter((p) => channels[i] >> BigInt(p) & 1n),
          hops: hops[i] >> 32n ? null : Number(hops[i]),
        }));
      });
      const mean = attempt(() => values("f64 u64", "cn_hierarchy_mean_hops", hierarchy, CN_TIE_HEADER, null)[0]);
      return {clusters, cluster, table, mean};
    });
  },

  /** As many more random nodes as asked for. */
  randomFaults(state) {
    return scope((make) => {
      const faults = faultsOf(make, topologyOf(make, state), state);
      call("cn_faults_add_random_nodes", faults, state.count, state.seed);
      return numbers(arrays("u64", "cn_faults_nodes", faults)[0]);
    });
  },

  /** Whether a routing can deadlock: the verdict, and a shortest dependency cycle. */
  deadlock(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const routing = make("cn_routing_new", topology, state.routing, faultsOf(make, topology, state), limited(make));
      const least = value("u32", "cn_routing_least_virtual_channels", routing);
      const check = make("cn_routing_deadlock_check", routing, state.virtualChannels, limited(make));
      const verdict = value("i32", "cn_deadlock_verdict", check);
      const [nodes, ports] = arrays("u64 u32 u32 u64", "cn_deadlock_cycle", check);
      return {
        least, verdict: named(CN_ENUM_VERDICT, verdict), sentence: call("cn_verdict_text", verdict),
        free: call("cn_deadlock_is_free", check) !== 0,
        cycle: Array.from(nodes, (node, i) => [Number(node), ports[i]]),
      };
    });
  },
};
