// Right answers of the drills, and the library's judgement of given ones. Nothing here counts for
// marks.

/**
 * Throws the library's sentence where an assignment of messages to channels breaks the rules of two
 * phases.
 */
function judgeTwoPhase({net, headers, buffers, ports}) {
  return scope((make) => {
    const topology = topologyOf(make, {net});
    call("cn_route_two_phase_check", topology, BigUint64Array.from(headers, BigInt), headers.length, buffers,
         Uint32Array.from(ports, (port) => port === null ? CN_NO_PORT : port), scratch);
    return "right";
  });
}

function judgeConvex({net, broken, disabled}) {
  const state = {net, broken, cut: []};
  const chosen = questions.subnet({...state, subnet: "chosen", disabled});
  const least = questions.subnet({...state, subnet: "1-degraded"}).survivors;
  const heuristic = questions.subnet({...state, subnet: "convex"}).survivors;
  return {convex: chosen.convex, survivors: chosen.survivors, unsafe: chosen.unsafe, least, heuristic};
}

const drillAnswers = {
  judgeTwoPhase,
  judgeConvex,

  preferred({net, headers}) {
    return scope((make) => {
      const topology = topologyOf(make, {net});
      return headers.map((header) => {
        const set = BigInt(value("u64", "cn_route_preferred", topology, header));
        return Array.from({length: 64}, (_, p) => p).filter((p) => set >> BigInt(p) & 1n);
      });
    });
  },

  nextPorts({net, routing, node, destination}) {
    return scope((make) => {
      const topology = topologyOf(make, {net});
      const made = make("cn_routing_new", topology, routing, null, null);
      const set = BigInt(value("u64", "cn_routing_channels", made, node, destination));
      return Array.from({length: 64}, (_, p) => p).filter((p) => set >> BigInt(p) & 1n);
    });
  },

  assignment({channels, buffers, messages}) {
    return Array.from(arrays("f64", "cn_assignment_both_phases", channels, buffers, messages)[0]);
  },

  /** How many nodes other than the root have i children in the binomial tree, for i = 0 .. n-1. */
  replications({n}) {
    return scope((make) => {
      const tree = make("cn_tree_binomial", topologyOf(make, {net: `hypercube(${n})`}), 0, 0);
      const found = Array(n).fill(0);
      for (let node = 1; node < 2 ** n; node++)
        found[value("u64", "cn_tree_child_count", tree, node)]++;
      return found;
    });
  },
};
