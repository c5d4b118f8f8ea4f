// What the worker answers about traffic: predicted, measured, run step by step.
// An experiment is a network with damage and {system, routing, pattern, seed, params: {name:
// value}}.

function number(id, given) {
  return typeof given === "string" && Number.isNaN(Number(given)) ?
    value("f64", "cn_param_choice_from_name", id, given) : Number(given);
}

/**
 * The scenario of an experiment; where `refused` is given, it gets the sentences of parameters by
 * name.
 */
function scenarioOf(make, state, refused = null) {
  const topology = topologyOf(make, state);
  const scenario = make("cn_scenario_new", topology, state.system);
  call("cn_scenario_set_seed", scenario, state.seed);
  const attach = (work, name) => {
    const {sentence} = attempt(work);
    if (sentence !== undefined && refused === null)
      work(); // throws
    if (sentence !== undefined)
      refused[name] = sentence;
  };
  if (state.broken.length || state.cut.length)
    attach(() => call("cn_scenario_set_faults", scenario, faultsOf(make, topology, state)), "damage");
  if (state.routing)
    attach(() => call("cn_scenario_set_routing_name", scenario, state.routing), "routing");
  if (state.pattern && state.pattern !== "uniform")
    attach(() => call("cn_scenario_set_traffic", scenario,
                      make("cn_traffic_new", topology, enumOf(CN_ENUM_PATTERN)[state.pattern])), "pattern");
  for (const [name, given] of Object.entries(state.params))
    attach(() => {
      const id = value("i32", "cn_param_from_name", name);
      call("cn_scenario_set", scenario, id, number(id, given));
    }, name);
  return scenario;
}

/** A result as {metrics: {name: [value, half-width]}}, in the order of the library. */
function resultOf(result) {
  const metrics = {};
  for (let id = 1; id <= call("cn_metric_count"); id++)
    if (call("cn_result_has", result, id))
      metrics[call("cn_metric_name", id)] = [value("f64", "cn_result_value", result, id),
                                             attempt(() => value("f64", "cn_result_half_width", result, id)).value];
  return {
    metrics,
    stop: named(CN_ENUM_STOP, call("cn_result_stop", result)),
    sentence: call("cn_stop_text", call("cn_result_stop", result)),
    model: call("cn_result_model", result),
  };
}

/** The run that is open: its handles, what its channels had carried at the last frame. */
let run = null;

function closeRun() {
  if (run !== null)
    release("sim", run.sim);
  run = null;
}

/**
 * What the channels have carried since the last frame; at the end of the warm-up the library counts
 * anew.
 */
function carriedSince() {
  const loads = Array.from(arrays("u64", "cn_sim_channel_loads", run.sim)[0], Number);
  const carried = loads.map((load, channel) => load < run.loads[channel] ? load : load - run.loads[channel]);
  run.loads = loads;
  return carried;
}

/**
 * The present frame: what channels carried, what waits at nodes, and the deadlock if there is one.
 */
function frame(sentence) {
  const queued = !run.drawn ? {} : attempt(() => Array.from({length: run.count}, (_, node) =>
    value("u64", "cn_sim_queued", run.sim, node)));
  run.queued = queued.value || run.queued || null; // after a deadlock the last ones stay
  const cycle = attempt(() => arrays("u64", "cn_sim_deadlock", run.sim)[0]);
  return {
    cycle: Number(call("cn_sim_cycle", run.sim)),
    inFlight: Number(call("cn_sim_in_flight", run.sim)),
    carried: run.drawn ? carriedSince() : [],
    queued: run.queued,
    locked: cycle.sentence === undefined ?
      Array.from(cycle.value, (channel) => [Math.floor(Number(channel) / run.degree), Number(channel) % run.degree]) :
      null,
    sentence,
    result: attempt(() => scope((make) => resultOf(make("cn_sim_result", run.sim)))).value || null,
  };
}

const experiments = {
  /**
   * What the system takes here: ranges and values of parameters, and sentences about what is
   * refused.
   */
  settings(state) {
    return scope((make) => {
      const topology = topologyOf(make, state);
      const refused = {};
      const scenario = scenarioOf(make, state, refused);
      const ranges = {};
      for (let id = 1; id <= call("cn_param_count"); id++)
        if (call("cn_scenario_takes", scenario, id)) {
          const [least, greatest, standard] = values("f64 f64 f64", "cn_scenario_range", scenario, id);
          ranges[call("cn_param_name", id)] = {
            least, greatest, standard, value: value("f64", "cn_scenario_get", scenario, id),
          };
        }
      return {
        ranges, refused,
        routing: call("cn_scenario_routing_name", scenario),
        systems: Array.from({length: call("cn_system_count")}, (_, i) => ({
          model: attempt(() => call("cn_system_check_model", i, topology)).sentence || "",
          simulator: attempt(() => call("cn_system_check_simulator", i, topology)).sentence || "",
        })),
      };
    });
  },

  /** The load that the model's network carries at most: {value} or {sentence}. */
  saturation(state) {
    return scope((make) => {
      const scenario = scenarioOf(make, state);
      return attempt(() => value("f64", "cn_saturation_load", scenario, limited(make)));
    });
  },

  predict(state) {
    return scope((make) => resultOf(make("cn_predict", scenarioOf(make, state), null)));
  },

  measure(state) {
    return scope((make) => resultOf(make("cn_simulate", scenarioOf(make, state), null)));
  },

  /** The experiment as the library writes it, for programs that read it again. */
  json(state) {
    return scope((make) => text("cn_scenario_json", scenarioOf(make, state)));
  },

  /** Measures at each load, and tells of each point at once. */
  curve(state, tell) {
    const at = (load, name) => attempt(() => experiments[name]({...state, params: {...state.params, load}}));
    const kinds = [...state.modelLoads.map((load) => [load, "model", "predict"]),
                   ...state.loads.map((load) => [load, "simulation", "measure"])];
    for (const [load, kind, name] of kinds.sort((a, b) => a[0] - b[0]))
      tell({kind, load, ...at(load, name)});
  },

  open(state) {
    closeRun();
    return scope((make) => {
      const topology = topologyOf(make, state);
      const scenario = scenarioOf(make, {...state, params: {...state.params, statistics: 1}});
      const sim = kept("cn_sim_open", scenario, null);
      run = {sim, count: Number(call("cn_topology_node_count", topology)),
             degree: call("cn_topology_max_degree", topology)};
      run.drawn = run.count <= Number(CN_DRAWING_NODES);
      run.loads = run.drawn ? Array(run.count * run.degree).fill(0) : [];
      return frame(null);
    });
  },

  step({cycles}) {
    const {sentence} = attempt(() => call("cn_sim_step", run.sim, cycles, null));
    return frame(sentence === undefined ? null : sentence);
  },

  close() {
    closeRun();
  },
};
