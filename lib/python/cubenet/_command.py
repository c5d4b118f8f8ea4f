"""The command: cubenet, or python -m cubenet."""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
from pathlib import Path
from typing import Any, Iterable

from . import _written
from ._deadlock import DeadlockCheck, deadlock_check
from ._errors import ArgumentError, DisconnectedError, Error, NotFoundError, RangeError, UnsupportedError
from ._function import _c
from ._measure import measures
from ._plot import plot
from ._routing import Routing, routings
from ._scenario import Scenario
from ._sweep import sweep
from ._system import Parameter, metrics, parameters, systems, version
from ._topology import Topology
from ._traffic import Traffic, traffic_patterns
from ._words import _did_you_mean

_WRONG_INPUT = (ArgumentError, NotFoundError, UnsupportedError, RangeError, TypeError, OSError)
_NETWORK = "a call such as 'torus([8,8])', or a file (JSON, edges, METIS)"
_EXPERIMENT = (f"a file with the JSON of a scenario or of a result; or a network, which is {_NETWORK}, and a system; "
               "then settings such as load=1.5")


def _columns(rows: Iterable[Iterable[str]]) -> None:
    """Rows with their cells below each other; the last column is not filled up."""
    held = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*held)]
    for row in held:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _check_file(option: str, path: str | None, *suffixes: str) -> None:
    """Before anything takes long that could not be written afterwards."""
    if not path:
        return
    if suffixes and Path(path).suffix not in suffixes:
        raise ArgumentError(f"{option} = {path!r}, but a drawing is a {' or '.join(suffixes)}")
    if not Path(path).parent.is_dir():
        raise ArgumentError(f"{option} = {path!r}, but there is no folder {str(Path(path).parent)!r}")
    if Path(path).is_dir():
        raise ArgumentError(f"{option} = {path!r}, but this is a directory")


def _run(options: Any) -> None:
    _check_file("out", options.out)
    scenario = _written.scenario(options.words)
    result = (scenario.predict(options.seconds, True) if options.command == "predict"
              else scenario.simulate(options.seconds, True))
    if options.out:
        Path(options.out).write_text(result.to_json(), encoding="utf-8")
    print(result.to_json() if options.json else result)


def _measured(topology: Topology, options: Any) -> dict[str, Any]:
    """All measures that the network has, or those that are asked for. Why others have no value is told."""
    found = {}
    without: dict[str, list[str]] = {}
    for name in options.measures or measures():
        try:
            found[name] = topology.measure(name, seconds=options.seconds, progress=True)
        except UnsupportedError:
            if options.measures:
                raise
        except (DisconnectedError, RangeError) as error:
            if options.measures:
                raise
            without.setdefault(str(error), []).append(name)
    for reason, names in without.items():
        print(f"cubenet: no {', '.join(names)}: {reason}", file=sys.stderr)
    return found


def _measure(options: Any) -> None:
    topology = _written.network(options.network)
    found = _measured(topology, options)
    if options.json:
        print(json.dumps({"topology": topology.name, "nodes": topology.node_count, "degree": topology.max_degree,
                          "measures": {name: {**one._asdict(), "upper": one.upper if one.upper < math.inf else None}
                                       for name, one in found.items()}}, indent=2))
        return
    rows = [(name, f"{one.lower:.7g}" if one.lower == one.upper else f"{one.lower:.7g} .. {one.upper:.7g}", one.kind)
            for name, one in found.items()]
    _columns([("topology", topology.name, ""), ("nodes", str(topology.node_count), ""),
              ("degree", str(topology.max_degree), ""), *rows])


def _failures(rows: list[dict[str, Any]], what: str) -> int:
    """Tells them, and returns how many there are."""
    failed = [row["error"] for row in rows if row["error"]]
    if failed:
        print(f"cubenet: {len(failed)} of {len(rows)} {what} have no result; the first: {failed[0]}", file=sys.stderr)
    return len(failed)


def _check_axes(options: Any, keywords: dict[str, Any]) -> None:
    _c.cn_metric_from_name(options.y)
    names = [*keywords, *(one.name for one in metrics())]
    if options.x is not None and options.x not in names:
        raise ArgumentError(f"x = {options.x!r}, but it has to be a setting of the sweep or a metric"
                            f"{_did_you_mean(options.x, names)}")


def _sweep(options: Any) -> int:
    _check_file("plot", options.plot, ".svg")
    topologies, names, keywords = _written.choices(options.words)
    _check_axes(options, keywords)
    limits = {"threads": options.threads, "seconds": options.seconds, "progress": True}
    rows = sweep(topologies, names, simulate=not options.predict, file=options.out, **limits, **keywords)
    if not options.plot and not options.out:
        written = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        written.writeheader()
        written.writerows(rows)
    if _failures(rows, "experiments") == len(rows):
        return 1
    if options.plot:
        models = [] if options.predict else sweep(topologies, names, simulate=False, **limits, **keywords)
        _failures(models, "predictions")
        alone = {name: value for name, value in keywords.items() if isinstance(value, (int, float))}  # no columns
        drawn = plot([{**alone, **row} for row in rows + models], options.x, options.y)
        Path(options.plot).write_text(drawn, encoding="utf-8")
    return 0


def _draw(options: Any) -> None:
    topology = _written.network(options.network)
    _check_file("out", options.out, ".svg", ".dot", ".gv")
    form = Path(options.out).suffix if options.out else ".svg"
    damaged = _written.faults(topology, options.faults) if options.faults else None
    if form == ".svg":
        text = topology.to_svg() if damaged is None else damaged.svg()
    else:
        text = topology.to_dot() if damaged is None else damaged.dot()
    if options.out:
        Path(options.out).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def _checked(options: Any) -> tuple[Topology, DeadlockCheck]:
    """Of a scenario, or of a network and a routing."""
    plain, settings = _written.split(options.words)
    if len(plain) != 2 and not Path(plain[0] if plain else "").is_file():
        raise ArgumentError(f"{' '.join(plain)!r} is no check: it has to be a file with the JSON of a scenario, or a "
                            "network and a routing, as in 'torus([4,4])' duato")
    if len(plain) != 2 or plain[1] in [system.name for system in systems()]:
        scenario = _written.scenario(options.words)
        routing = scenario.routing
        if routing is None:
            raise UnsupportedError(f"the system {scenario.system!r} takes no routing")
        if isinstance(routing, str):
            routing = Routing(scenario.topology, routing, scenario.faults)
        count = scenario.parameters.get("virtual_channels")
        return scenario.topology, routing.deadlock_check(count, options.seconds, True)
    topology, rule = _written.network(plain[0]), plain[1]
    unknown = set(settings) - {"virtual_channels", "faults"}
    if unknown:
        raise ArgumentError(f"{min(unknown)} is no setting of a check; there are virtual_channels and faults")
    text = settings.get("virtual_channels")
    channels: Any = None if text is None else _written.number(text)
    damaged = _written.faults(topology, settings["faults"]) if "faults" in settings else None
    if rule.endswith("-unsafe"):
        if damaged is not None:
            raise UnsupportedError(f"faults = {settings['faults']!r}, but {rule} is a rule of whole networks")
        channels = 1 if channels is None else channels
        return topology, deadlock_check(topology, rule, channels, None, options.seconds, True)
    return topology, Routing(topology, rule, damaged).deadlock_check(channels, options.seconds, True)


def _deadlock(options: Any) -> int:
    topology, found = _checked(options)
    if options.json:
        print(json.dumps({**found._asdict(), "cycle": [wait._asdict() for wait in found.cycle]}, indent=2))
        return 0 if found.free else 1
    print(f"{found.verdict}: {found.text}")
    print(f"{found.channels} virtual channels, {found.dependencies} dependencies")
    for wait in () if found.free else found.cycle:
        way = "at its source" if wait.port is None else (
            f"to {topology.neighbor(wait.node, wait.port)}, virtual channel {wait.virtual_channel}")
        print(f"  the message for {wait.destination} holds node {wait.node} {way}")
    return 0 if found.free else 1


def _systems(options: Any) -> None:
    _columns((one.name, one.summary) for one in systems())


def _by_name(made: type, names: Iterable[str]) -> str:
    """Those that need no more than a name: what needs more has a class method."""
    return ", ".join(name for name in names if not hasattr(made, name))


def _row(one: Parameter, system: str) -> tuple[str, str, str, str]:
    """Name, values, default, meaning."""
    names = list(one.choices)
    if one.greatest >= one.least + len(names):
        unit = "" if one.unit == "1" else f" {one.unit}"
        names.append(f"{one.least + len(names):.7g} .. {one.greatest:.7g}{unit}")
    defaults = {Scenario(Topology.hypercube(n), system).range(one.name)[2] for n in (4, 6)}
    default = min(defaults)
    at = int(default - one.least)
    shown = names[at] if at < len(one.choices) else f"{default:.7g}"
    return one.name, ", ".join(names), shown if len(defaults) == 1 else "by network", one.meaning


def _parameters(options: Any) -> None:
    system = systems()[_c.cn_system_from_name(options.system)]
    file = "or a file with its JSON"
    attachments = {"routing": f"{_by_name(Routing, (one.name for one in routings()))}, {file}",
                   "traffic": f"{_by_name(Traffic, traffic_patterns())}, {file}",
                   "workload": "a file with its JSON or CSV",
                   "faults": "as in 3+5-7: node 3, and the link from 5 to 7, or a file with their JSON"}
    _columns([("name", "values", "default", "meaning"), ("seed", "", "1", "determines all random choices"),
              *(_row(one, system.name) for one in parameters() if one.name in system.parameters),
              *((name, "", "", attachments.get(name, "in the JSON of a scenario")) for name in system.attachments)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cubenet", description="Direct interconnection networks: measures, models, "
                                     "simulations.")
    parser.add_argument("--version", action="version", version=f"cubenet {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, call: Any, about: str, *options: str) -> Any:
        made = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        made.set_defaults(call=call)
        if "json" in options:
            made.add_argument("--json", action="store_true", help="print JSON")
        if "seconds" in options:
            made.add_argument("--seconds", type=float, metavar="S", help="limit the time")
        return made

    for name, about in (("run", "simulate an experiment"), ("predict", "ask the model of an experiment")):
        made = command(name, _run, about, "json", "seconds")
        made.add_argument("words", nargs="+", metavar="EXPERIMENT", help=_EXPERIMENT)
        made.add_argument("--out", metavar="FILE", help="write the result as JSON")
    made = command("measure", _measure, "print the measures of a network", "json", "seconds")
    made.add_argument("network", metavar="NETWORK", help=_NETWORK)
    made.add_argument("measures", nargs="*", metavar="MEASURE", help=f"of {', '.join(measures())}; all by default")
    made = command("sweep", _sweep, "carry out an experiment for each combination of values", "seconds")
    made.add_argument("words", nargs="+", metavar="CHOICE", help="one or more networks, then systems parted by commas, "
                      "or a file with the JSON of a scenario; then settings: load=0.1,0.2 has two values, "
                      "load=0.1:1.9:0.2 a range")
    made.add_argument("--out", metavar="ROWS.csv", help="add each row to this file; a sweep that finds the file does "
                      "what is missing in it")
    made.add_argument("--predict", action="store_true", help="ask the models instead of simulating")
    made.add_argument("--plot", metavar="FILE.svg", help="draw the mean delay over the load, with bands of 95 %% and "
                      "with the model")
    made.add_argument("--x", metavar="NAME", help="what is drawn from left to right; by default the load")
    made.add_argument("--y", metavar="METRIC", default="mean_delay", help="what is drawn upwards")
    made.add_argument("--threads", type=int, metavar="N", help="experiments at the same time; by default one a core")
    made = command("draw", _draw, "draw a network")
    made.add_argument("network", metavar="NETWORK", help=_NETWORK)
    made.add_argument("--faults", metavar="FAULTS", help="a file with their JSON, or as in 3+5-7")
    made.add_argument("--out", metavar="FILE", help=".svg, .dot or .gv; SVG to the standard output by default")
    made = command("deadlock", _deadlock, "check whether worms can deadlock: status 1 if they can", "json", "seconds")
    made.add_argument("words", nargs="+", metavar="CHECK", help="a network and a routing, then virtual_channels=N "
                      "or faults=3+5-7; or an experiment, as for run")
    command("systems", _systems, "list the systems")
    made = command("parameters", _parameters, "list the parameters of a system")
    made.add_argument("system", metavar="SYSTEM")
    return parser


def _carry_out(arguments: list[str] | None) -> int:
    parser = _parser()
    options, more = parser.parse_known_args(arguments)
    if more and (any(word.startswith("-") for word in more) or not hasattr(options, "words")):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:  # words behind an option
        options.words += more
    status = options.call(options)
    print(end="", flush=True)
    return status or 0


def main(arguments: list[str] | None = None) -> int:
    """Carries out a command and returns the status of the process: 2 for wrong input, 1 where there is no
    result, 130 after Ctrl-C."""
    try:
        return _carry_out(arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads the rest
        return 141
    except KeyboardInterrupt:
        return 130
    except (Error, TypeError, OSError) as error:
        print(f"cubenet: {str(error)}".replace("\n", " "), file=sys.stderr)
        return 2 if isinstance(error, _WRONG_INPUT) else 1
