"""What words of a command line stand for: networks, experiments, values, faults."""

from __future__ import annotations

import ast
import inspect
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Iterable, TypeVar

from ._errors import ArgumentError, Error
from ._fault import Faults
from ._result import Result
from ._routing import Routing
from ._scenario import Scenario
from ._sweep import sweep
from ._system import parameters
from ._topology import Topology, _family_meant
from ._traffic import Traffic
from ._workload import Workload
from ._words import _did_you_mean

_T = TypeVar("_T")
_OF_SWEEPS = {name for name, one in inspect.signature(sweep).parameters.items() if one.kind != one.VAR_KEYWORD}
_MOST = 100000  # values of a range


def _families() -> list[str]:
    return [name for name, value in vars(Topology).items() if isinstance(value, classmethod)]


def _stored(text: str) -> str | None:
    """What the file of this name holds; None: there is none."""
    path = Path(text)
    return path.read_text(encoding="utf-8-sig", errors="replace") if path.is_file() else None


def _read(make: Callable[[str], _T], name: str, text: str) -> _T:
    """What a file holds, or an error that names it."""
    try:
        return make(text)
    except Error as error:
        raise ArgumentError(f"{name}: {error}") from None


def _kind(text: str) -> str:
    """Of which object a text is the JSON; "": of none."""
    try:
        return str(json.loads(text).get("cubenet", "")) if text.lstrip().startswith("{") else ""
    except ValueError:
        return ""


def _called(text: str) -> Topology | None:
    """The network that a call with numbers makes, as hypercube(6); None: the text is no call."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    if call.func.id not in _families():
        raise ArgumentError(f"network = {text!r}, but there is no {call.func.id!r}; there are "
                            f"{', '.join(_families())}"
                            f"{_family_meant(call.func.id) or _did_you_mean(call.func.id, _families())}")
    try:
        positional = [ast.literal_eval(value) for value in call.args]
        named = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    except ValueError:
        raise ArgumentError(f"network = {text!r}, but the arguments have to be numbers or lists of numbers") from None
    make = getattr(Topology, call.func.id)
    try:
        inspect.signature(make).bind(*positional, **named)
    except TypeError:
        names = ", ".join(inspect.signature(make).parameters)
        raise ArgumentError(f"network = {text!r}, but the arguments of {call.func.id} are ({names})") from None
    made: Topology = make(*positional, **named)
    return made


def network(text: str) -> Topology:
    """A call of a constructor, or a file: JSON, METIS (.graph, .metis), else a list of edges."""
    held = _stored(text)
    if held is not None:
        if held.lstrip().startswith("{"):
            return _read(Topology.from_json, text, held)
        is_metis = Path(text).suffix in (".graph", ".metis")
        return _read(Topology.from_metis if is_metis else Topology.from_edge_list, text, held)
    made = _called(text)
    if made is None:
        raise ArgumentError(f"network = {text!r}, but it has to be a file that is there, or a call such as "
                            f"hypercube(6) or torus([8,8]) of {', '.join(_families())}")
    return made


def faults(topology: Topology, text: str) -> Faults | None:
    """Of a file as JSON; or nodes and links, as 3+5-7: node 3, and the link from 5 to 7."""
    held = _stored(text)
    if held is not None:
        return _read(Faults.from_json, text, held)
    if text == "none":
        return None
    made = Faults(topology)
    for part in text.split("+"):
        found = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if found is None:
            raise ArgumentError(f"faults = {text!r}, but it has to be a file that is there, none, or nodes and links "
                                "as in 3+5-7")
        if found[2] is None:
            made.add_node(int(found[1]))
            continue
        port = topology.port_to(int(found[1]), int(found[2]))
        if port is None:
            raise ArgumentError(f"faults = {text!r}, but {topology.name} has no link {part}")
        made.add_link(int(found[1]), port)
    return made


def number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _numbers() -> list[str]:
    """The settings that have no values with a name."""
    return ["seed", *(one.name for one in parameters() if not one.choices)]


def _workload(topology: Topology | None, text: str, held: str | None) -> Workload:
    """Of a file: JSON, else CSV."""
    if held is None or topology is None:
        raise ArgumentError(f"workload = {text!r}, but it has to be a file that is there, with JSON or CSV")
    if held.lstrip().startswith("{"):
        return _read(Workload.from_json, text, held)
    return _read(lambda csv: Workload.from_csv(topology, csv), text, held)


def _value(topology: Topology | None, name: str, text: str) -> Any:
    """The value of a keyword of a Scenario; topology: the network that it is for, None where there are several."""
    held = _stored(text) if name in ("traffic", "routing", "workload") else None
    if name == "faults" and topology is not None:
        return faults(topology, text)
    if topology is None and (held is not None or name == "faults"):
        raise ArgumentError(f"{name} = {text!r} is for one network, but there are several")
    if name == "workload":
        return _workload(topology, text, held)
    if held is not None:
        return _read(Traffic.from_json if name == "traffic" else Routing.from_json, text, held)
    if name in ("traffic", "routing"):
        return text
    given = number(text)
    if isinstance(given, str) and name in _numbers():
        several = "; several values are for a sweep" if "," in text or ":" in text else ""
        raise ArgumentError(f"{name} = {text!r}, but it must be a number{several}")
    return given


def _range(name: str, text: str) -> list[Any]:
    """begin:end:step, both ends included; computed in decimals, so that 0.1:0.3:0.1 has 0.3."""
    try:
        begin, end, step = map(Decimal, text.split(":"))
        count = int((end - begin) / step) + 1
    except (ValueError, ArithmeticError):
        raise ArgumentError(f"{name} = {text!r}, but a range is begin:end:step, as in 0.1:1.9:0.2") from None
    if not 0 < count <= _MOST:
        raise ArgumentError(f"{name} = {text!r}, which has {max(count, 0)} values; there must be 1 to {_MOST}")
    return [number(f"{begin + i * step:f}") for i in range(count)]


def _values(topology: Topology | None, name: str, text: str) -> Any:
    """One value, or a list of those that commas part, with ranges among them."""
    parts = text.split(",")
    if len(parts) == 1 and ":" not in text:
        return _value(topology, name, text)
    return [value for part in parts
            for value in (_range(name, part) if ":" in part else [_value(topology, name, part)])]


def split(words: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """The words before name=value, and these."""
    plain: list[str] = []
    settings: dict[str, str] = {}
    for word in words:
        found = re.match(r"(\w+)=", word)
        if found is None and settings:
            raise ArgumentError(f"{word!r} comes after {next(iter(settings))}=..., but a setting is name=value")
        if found is None:
            plain.append(word)
        elif found[1] in settings:
            raise ArgumentError(f"{found[1]} is set twice: to {settings[found[1]]!r} and to {word[found.end():]!r}")
        else:
            settings[found[1]] = word[found.end():]
    return plain, settings


def scenario(words: list[str]) -> Scenario:
    """A file with the JSON of a scenario or of a result, or a network and a system; then name=value."""
    plain, settings = split(words)
    held = _stored(plain[0]) if len(plain) == 1 else None
    if held is None or _kind(held) == "topology":
        if len(plain) > 2:
            raise ArgumentError(f"{plain[2]!r} is no setting: after a network and a system comes name=value, without "
                                "spaces, as in load=1")
        if len(plain) != 2:
            raise ArgumentError(f"{' '.join(plain)!r} is no experiment: it has to be a file with the JSON of a "
                                "scenario, or a network and a system, as in 'hypercube(6)' deflection load=1")
        topology = network(plain[0])
        return Scenario(topology, plain[1], **{name: _value(topology, name, text) for name, text in settings.items()})
    of_result = _read(Result.from_json, plain[0], held).scenario if _kind(held) == "result" else None
    made = of_result or _read(Scenario.from_json, plain[0], held)
    for name, text in settings.items():
        value = _value(made.topology, name, text)
        if name in ("seed", "faults", "traffic", "routing", "workload"):
            setattr(made, name, value)
        else:
            made[name] = value
    return made


def _base(words: list[str]) -> tuple[Topology, str, dict[str, Any]]:
    """What the JSON of a scenario or of a result sets."""
    made = scenario(words)
    held = json.loads(made.to_json())
    names = [*held["parameters"], *(name for name in ("seed", "routing", "faults", "subnet", "traffic", "operations",
                                                  "workload")
                                    if name in held)]
    return made.topology, made.system, {name: getattr(made, name) for name in names if name not in _OF_SWEEPS}


def choices(words: list[str]) -> tuple[list[Topology], list[str], dict[str, Any]]:
    """Networks, systems and keywords of a sweep."""
    plain, settings = split(words)
    for name in _OF_SWEEPS & set(settings):
        raise ArgumentError(f"{name} is no setting of an experiment; cubenet sweep --help lists the options")
    base: dict[str, Any] = {}
    if len(plain) == 1 and _stored(plain[0]) is not None:
        topology, system, base = _base(plain)
        topologies, systems = [topology], [system]
    elif len(plain) < 2:
        raise ArgumentError(f"{' '.join(plain)!r} is no sweep: it has to be a file with the JSON of a scenario, or one "
                            "or more networks and a system, as in 'hypercube(6)' deflection load=0.1:1.9:0.2")
    else:
        topologies, systems = [network(text) for text in plain[:-1]], plain[-1].split(",")
    one = topologies[0] if len(topologies) == 1 else None
    kept = {name: value for name, value in base.items() if name not in settings}
    return topologies, systems, {**kept, **{name: _values(one, name, text) for name, text in settings.items()}}
