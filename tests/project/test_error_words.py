"""Every public function, called at random with arguments of which some are wrong: where it fails, its sentence names no other
function as the one that was called, and no argument that the function does not have.

Usage: test_error_words.py LIBRARY"""

import ctypes
import random
import re
import sys

import tree
from handle_calls import handle, prototypes, types

CALLS, ROUND = 6000, 2000  # calls, and after how many the objects are made anew
LEAST_REACHED = 260  # functions that fail at least once
WORDS = "destination d survivors routing"  # that stand before a value and are no argument
TEXTS = ["", "nonsense", "deflection", "wormhole", "minimal", "duato", "{", "{}", "[1]", "1 2\n2 1\n",
         "3 3\n2 3\n1\n1\n", "000", "0*1", "5", "node 3", "link 0 1", "csv", "99999999999999999999999", "0 1\n1 0\n"]
REALS = [-1, 0, 0.1, 0.5, 1, 2, 10, 300, 1e300, 1e-300, float("inf"), float("nan")]
SMALL = [0, 1, 2, 3, 4, 5, 7, 8, 9, 20, 100]
LARGE = [2**20, 2**40, 2**62, 2**64 - 1]
SYSTEMS = ["deflection", "separate-buffers", "shared-buffer", "wormhole", "cut-through", "collective",
           "cut-through-deflection", "optimistic-bound", "degraded-bound", "flow-deviation"]

library = ctypes.CDLL(sys.argv[1])
library.cn_last_error.restype = ctypes.c_char_p
draws = random.Random(1)
headers = [header.read_text() for header in tree.public_headers()]
known = [name for text in headers for name in types(text)]
params = {name.lower(): int(number)
          for name, number in re.findall(r"CN_PARAM_(\w+) = (\d+)", "\n".join(headers))}
of_studies = {name.lower() for name in re.findall(r"CN_STUDY_(\w+) = \d+", "\n".join(headers))}
scratch = (ctypes.c_uint64 * 65536)(*[draws.choice([0, 1, 2, 3, 5, 7, 2**40]) for _ in range(65536)])
u32, u64, real = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double


def make(function, *arguments):
    """An object, or None."""
    made = ctypes.c_void_p()
    arguments = [a.encode() if isinstance(a, str) else a for a in arguments]
    getattr(library, function)(*arguments, ctypes.byref(made))
    return made if made.value else None


def set_param(scenario, name, value):
    library.cn_scenario_set(scenario, params[name], real(value))


def make_scenario(topology, system):
    scenario = make("cn_scenario_new", topology, system)
    for name, value in (("load", draws.choice([0.01, 0.5, 5])), ("measure_cycles", 300),
                        ("warmup_cycles", 10), ("statistics", draws.randrange(2))):
        set_param(scenario, name, value)
    return scenario


def make_objects():
    """Some of each type; they are never freed."""
    cube, ring, star = make("cn_topology_hypercube", u32(3)), make("cn_topology_ring", u64(6), 1), make(
        "cn_topology_star", u64(5))
    torus, large = make("cn_topology_kary_ncube", u64(3), u32(2), 0), make("cn_topology_hypercube", u32(30))
    some = [cube, torus, ring, star]
    made = {"topology": some + [large], "faults": [make("cn_faults_new", it) for it in some],
            "tree": [make("cn_tree_breadth_first", it, u64(0), None) for it in some],
            "routing": [make("cn_routing_new", it, name, None, None)
                        for it in some for name in ("minimal", "up-down")],
            "traffic": [make("cn_traffic_new", it, 0) for it in some],
            "operations": [make("cn_operations_new", it) for it in some],
            "workload": [make("cn_workload_new", it) for it in some],
            "deadlock": [make("cn_routing_deadlock_check", make("cn_routing_new", cube, "up-down", None, None), u32(1), None)],
            "scenario": [make_scenario(it, name) for name in SYSTEMS for it in some[:2]],
            "study": [make("cn_study_new", it) for it in some],
            "control": [make("cn_control_new")]}
    library.cn_control_set_seconds(made["control"][0], real(0.05))
    library.cn_faults_add_node(made["faults"][0], u64(1))
    made["subnet"] = [make("cn_subnet_convex", made["faults"][0], None)]
    made["hierarchy"] = [make("cn_hierarchy_new", made["faults"][0], None)]
    scenarios = made["scenario"] = [it for it in made["scenario"] if it]
    for study in made["study"]:
        library.cn_study_set_scenario(study, draws.choice(scenarios), draws.randrange(2))
    made["sim"] = [make("cn_sim_open", it, None) for it in scenarios]
    made["result"] = [make(how, it, None) for it in scenarios for how in ("cn_predict", "cn_simulate")]
    return {kind: [it for it in given if it] for kind, given in made.items()}


def whole(kind):
    large = draws.random() < 0.12
    if kind == "size_t":
        return ctypes.c_size_t(draws.choice(SMALL[:10]))  # of arrays, which have so many elements
    if kind == "uint64_t":
        return u64(draws.choice(LARGE if large else SMALL))
    if kind == "uint32_t":
        return u32(2**32 - 1 if large else draws.choice(SMALL))
    return ctypes.c_int(draws.choice([-1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 20, 30, 99]))  # of an enum, too


def value(argument, objects):
    """What is given for an argument: something of its type, which need not be allowed, or NULL."""
    found = handle(argument)
    if found is not None and found[0] in known and found[1] == 1 and found[0] == "control":
        return objects["control"][0]
    is_pointer = "*" in argument or "[" in argument or re.search(r"cn_(vc_rule|\w+_fn) ", argument)
    if is_pointer and ("_fn " in argument or "cn_vc_rule" in argument or draws.random() < 0.05):
        return None
    if found is not None and found[0] in known:
        if found[1] == 1:
            return draws.choice(objects[found[0]])
        return (ctypes.c_void_p * 32)(*[draws.choice(objects[found[0]]).value for _ in range(32)])
    if re.match(r"const char (\*\w+|\w+\[\])$", argument):
        return draws.choice(TEXTS).encode()
    if "*const" in argument:
        return (ctypes.c_void_p * 32)(*[ctypes.addressof(scratch)] * 32)
    if is_pointer:
        return scratch
    kind = argument.rsplit(" ", 1)[0]
    return real(draws.choice(REALS)) if kind == "double" else whole(kind)


def problem(function, arguments, sentence):
    head = re.match(r"(cn_\w+): ", sentence)
    if head and head.group(1) != function:
        return "speaks in the name of another function"
    body = sentence[head.end():] if head else sentence
    own = {re.search(r"(\w+)(\[\w*\])?\)?$", argument).group(1) for argument in arguments}
    for word in re.findall(r"\b([a-z]\w*)(?:\[\d+\])?(?: = | is NULL)", body):
        if word not in own and word not in params and word not in of_studies and \
                word not in WORDS.split():
            return f"names {word}, which is no argument of it"
    for other in re.findall(r"\b(cn_\w+): ", body):
        return f"says what {other} said"
    return None


def problems():
    functions = [(name, [a for a in arguments if a != "void"]) for text in headers
                 for result, name, arguments in prototypes(text)
                 if result == "cn_status" and not name.startswith("cn_control_")]
    failed, found = set(), {}
    for call in range(CALLS):
        if call % ROUND == 0:
            objects = make_objects()
        name, arguments = draws.choice(functions)
        given = [value(argument, objects) for argument in arguments]
        if getattr(library, name)(*given) >= 0:
            continue
        failed.add(name)
        sentence = library.cn_last_error().decode(errors="replace")
        why = problem(name, arguments, sentence)
        if why:
            found.setdefault((name, why), sentence)
    yield from (f"{name} {why}: {sentence}" for (name, why), sentence in found.items())
    if len(failed) < LEAST_REACHED:
        yield f"only {len(failed)} functions failed at all"


tree.finish(list(problems()))
