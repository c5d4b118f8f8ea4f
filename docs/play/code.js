// The same experiment as a program in C or Python.

/** The constructors of C, by the name of a network. */
function constructorOfC(name) {
  const [, family, inside] = /^(\w+)\((.*)\)$/.exec(name);
  const list = /^\[(.*)\]$/.exec(inside);
  if (list) {
    const count = list[1].split(",").length;
    const suffix = family === "generalized_hypercube" ? "_mixed" : "";
    return `cn_topology_${family}${suffix}((const uint64_t[]){${list[1].replace(/,/g, ", ")}}, ${count}, &network)`;
  }
  const values = inside.split(",").map((value) => value.replace(/^\w+=/, "").replace("True", "1").replace("False", "0"));
  if (family === "ring" && values.length === 1)
    values.push("1"); // both ways
  if (family === "chordal_ring" && values.length === 2)
    values.push("0"); // no second set of chords
  return `cn_topology_${family}(${values.join(", ")}, &network)`;
}

/** The links of an edge list in the order of the text, which numbers the ports. */
function pairsOf(edges) {
  const found = edges.split("\n").map((line) => line.replace(/[#%].*/, "").trim()).filter(Boolean).map(
    (line) => line.split(/\s+/).slice(0, 2).map(Number));
  const seen = new Set();
  return found.filter(([u, v]) => !seen.has(`${Math.min(u, v)} ${Math.max(u, v)}`) &&
                                  seen.add(`${Math.min(u, v)} ${Math.max(u, v)}`));
}

/**
 * The links of a network, each once, as [u, v] with u below v; where channels are one-way, as they
 * lead.
 */
function edgeList(net) {
  const pairs = [];
  for (let node = 0; node < net.facts.count; node++)
    for (let at = net.first[node]; at < net.first[node + 1]; at++)
      if (!net.facts.both || node < net.neighbors[at])
        pairs.push([node, net.neighbors[at]]);
  return pairs;
}

function portTo(net, node, neighbor) {
  return net.neighbors.indexOf(neighbor, net.first[node]) - net.first[node];
}

const upper = (name) => name.toUpperCase().replace(/-/g, "_");

function valueOfC(param, value) {
  const choice = param.choices.find(({name}) => name === String(value));
  return choice ? `${choice.value} /* ${choice.name} */` : String(value);
}

/**
 * Refuses what is no part of a program: an address may come from anybody, and a reader may run what
 * it shows.
 */
function checkProgram(state, net, catalog) {
  const names = (list) => list.map(({name}) => name);
  const wrong = [
    ["network", state.edges || state.net, !net.facts || !state.edges && !/^\w+\([\w=,[\]]*\)$/.test(state.net)],
    ["system", state.system, !names(catalog.systems).includes(state.system)],
    ["routing", state.routing, state.routing !== "" && !names(catalog.routings).includes(state.routing)],
    ["traffic", state.pattern, !Object.hasOwn(catalog.patterns, state.pattern)],
    ...Object.entries(state.params).map(([name, value]) => {
      const param = catalog.params.find((one) => one.name === name);
      return [name, value, !param || !(names(param.choices).includes(String(value)) ||
                                       /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(String(value)))];
    }),
  ].find(([, , is]) => is);
  if (wrong)
    throw new Refusal(`${wrong[0]} = ${wrong[1]} cannot be shown in a program`);
}

function codeOfC(state, net, catalog) {
  const param = (name) => catalog.params.find((one) => one.name === name);
  const damaged = state.broken.length + state.cut.length > 0;
  const steps = [];
  const lists = [];
  if (state.edges) {
    const pairs = pairsOf(state.edges);
    lists.push(`    static const uint64_t edges[] = {${pairs.map((pair) => pair.join(", ")).join(", ")}};`);
    steps.push(`cn_topology_from_edges(${net.facts.count}, edges, ${pairs.length}, NULL, &network)`);
  } else {
    steps.push(constructorOfC(state.net));
  }
  steps.push(`cn_scenario_new(network, "${state.system}", &scenario)`,
             `cn_scenario_set_seed(scenario, UINT64_C(${state.seed}))`);
  if (damaged)
    steps.push("cn_faults_new(network, &faults)",
               ...state.broken.map((node) => `cn_faults_add_node(faults, ${node})`),
               ...state.cut.map(([u, v]) => `cn_faults_add_link(faults, ${u}, ${portTo(net, u, v)} /* to ${v} */)`),
               "cn_scenario_set_faults(scenario, faults)");
  if (state.routing)
    steps.push(`cn_scenario_set_routing_name(scenario, "${state.routing}")`);
  if (state.pattern !== "uniform")
    steps.push(`cn_traffic_new(network, CN_PATTERN_${upper(state.pattern)}, &traffic)`,
               "cn_scenario_set_traffic(scenario, traffic)");
  for (const [name, value] of Object.entries(state.params))
    steps.push(`cn_scenario_set(scenario, CN_PARAM_${upper(name)}, ${valueOfC(param(name), value)})`);
  const objects = ["    cn_topology *network;", "    cn_scenario *scenario;"];
  if (damaged)
    objects.push("    cn_faults *faults;");
  if (state.pattern !== "uniform")
    objects.push("    cn_traffic *traffic;");
  return `/* cc experiment.c $(pkg-config --cflags --libs cubenet) -o experiment */
#include <cubenet.h>
#include <stdio.h>

static void show(const char *title, cn_status status, const cn_result *result)
{
    printf("# %s: %s\\n", title, status ? cn_last_error() : cn_stop_text(cn_result_stop(result)));
    for (int i = 1; i <= (int)cn_metric_count(); i++) {
        double value;
        if (result && cn_result_has(result, (cn_metric)i) &&
            cn_result_value(result, (cn_metric)i, &value) == CN_OK)
            printf("%s %.17g\\n", cn_metric_name((cn_metric)i), value);
    }
}

int main(void)
{
${[...lists, ...objects].join("\n")}
    cn_result *model, *simulation;
    if (${steps.join(" ||\n        ")})
        return fprintf(stderr, "%s\\n", cn_last_error()), 1;
    cn_status status = cn_predict(scenario, NULL, &model);
    show("model", status, model);
    status = cn_simulate(scenario, NULL, &simulation);
    show("simulation", status, simulation);
    cn_result_free(&model), cn_result_free(&simulation);
    cn_scenario_free(&scenario), cn_topology_free(&network);
}
`.replace("    cn_result_free(&model)", (damaged ? "    cn_faults_free(&faults);\n" : "") +
          (state.pattern !== "uniform" ? "    cn_traffic_free(&traffic);\n" : "") + "    cn_result_free(&model)");
}

function valueOfPython(param, value) {
  const choice = param.choices.find(({name}) => name === String(value));
  if (choice && ["yes", "no"].includes(choice.name))
    return choice.name === "yes" ? "True" : "False";
  return choice ? `"${choice.name}"` : String(value);
}

function codeOfPython(state, net, catalog) {
  const param = (name) => catalog.params.find((one) => one.name === name);
  const lines = ["import cubenet", ""];
  if (state.edges)
    lines.push(`network = cubenet.Topology.from_edges(${net.facts.count}, ${JSON.stringify(pairsOf(state.edges))})`);
  else
    lines.push(`network = cubenet.Topology.${state.net.replace(/,(?=\S)/g, ", ")}`);
  const more = [`seed=${state.seed}`];
  if (state.routing)
    more.push(`routing="${state.routing}"`);
  if (state.pattern !== "uniform")
    more.push(`traffic="${state.pattern}"`);
  if (state.broken.length + state.cut.length) {
    lines.push("faults = cubenet.Faults(network)", ...state.broken.map((node) => `faults.add_node(${node})`),
               ...state.cut.map(([u, v]) => `faults.add_link(${u}, ${portTo(net, u, v)})  # to ${v}`));
    more.push("faults=faults");
  }
  for (const [name, value] of Object.entries(state.params))
    more.push(`${name}=${valueOfPython(param(name), value)}`);
  lines.push(`scenario = cubenet.Scenario(network, "${state.system}", ${more.join(", ")})`, "",
             'for title, work in (("model", scenario.predict), ("simulation", scenario.simulate)):',
             "    try:", "        result = work()", "    except cubenet.Error as error:",
             '        print(f"# {title}: {error}")', "        continue",
             '    print(f"# {title}: {result.stop_text}")',
             "    for metric, value in result.items():", "        print(metric, repr(value))", "");
  return lines.join("\n");
}
