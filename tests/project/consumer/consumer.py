"""The same program as consumer.c, in Python: with nothing but ctypes and the shared library that
CUBENET_LIBRARY names; given "module", with the installed module cubenet instead."""

import ctypes
import os
import sys

LOAD, BUFFERS, MEASURE_CYCLES = 1, 2, 4
SEED = 20240229


def show(kind, name, value):
    print(f"{kind} {name} {value:.17g}")


def with_ctypes():
    library = ctypes.CDLL(os.environ["CUBENET_LIBRARY"])
    library.cn_last_error.restype = ctypes.c_char_p
    library.cn_version_text.restype = ctypes.c_char_p
    library.cn_metric_name.restype = ctypes.c_char_p
    library.cn_metric_count.restype = ctypes.c_size_t
    library.cn_scenario_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_double]
    library.cn_scenario_set_seed.argtypes = [ctypes.c_void_p, ctypes.c_uint64]

    def call(name, *arguments):
        if getattr(library, name)(*arguments) != 0:
            sys.exit(library.cn_last_error().decode())

    def run(name):
        result = ctypes.c_void_p()
        call(name, scenario, None, ctypes.byref(result))
        return result

    def print_result(kind, result):
        for metric in range(1, library.cn_metric_count() + 1):
            if library.cn_result_has(result, metric):
                value = ctypes.c_double()
                call("cn_result_value", result, metric, ctypes.byref(value))
                show(kind, library.cn_metric_name(metric).decode(), value.value)

    cube, scenario = ctypes.c_void_p(), ctypes.c_void_p()
    call("cn_topology_hypercube", ctypes.c_uint32(5), ctypes.byref(cube))
    call("cn_scenario_new", cube, b"deflection", ctypes.byref(scenario))
    call("cn_scenario_set", scenario, LOAD, 1.25)
    call("cn_scenario_set", scenario, BUFFERS, 8)
    call("cn_scenario_set", scenario, MEASURE_CYCLES, 2000)
    call("cn_scenario_set_seed", scenario, SEED)
    model, simulation = run("cn_predict"), run("cn_simulate")

    print("version", library.cn_version_text().decode())
    print_result("model", model)
    print_result("simulation", simulation)
    library.cn_topology_free(ctypes.byref(cube))
    library.cn_result_free(ctypes.byref(simulation))
    library.cn_result_free(ctypes.byref(model))
    library.cn_scenario_free(ctypes.byref(scenario))


def with_module():
    import cubenet

    scenario = cubenet.Scenario(cubenet.Topology.hypercube(5), "deflection", load=1.25, buffers=8,
                                measure_cycles=2000, seed=SEED)
    for kind, result in ("model", scenario.predict()), ("simulation", scenario.simulate()):
        for name, value in dict(result).items():
            show(kind, name, value)


if sys.argv[1:] == ["module"]:
    with_module()
else:
    with_ctypes()
