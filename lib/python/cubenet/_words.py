"""What the library says, in the words of Python."""

from __future__ import annotations

import inspect
import re
import types
from typing import Any, Iterable

_CALLS = {  # where a function of C is something else in Python
    "cn_param_name": "parameters()", "cn_metric_name": "metrics()", "cn_traffic_set_on_off": "on_off", "cn_predict": "predict()",
    "cn_simulate": "simulate()", "cn_result_merge": "merge()", "cn_result_merge_parts": "merge_parts()",
    "cn_sim_restore": "Scenario.restore()", "cn_sim_restore_part": "Scenario.restore_part()",
    "cn_sim_save_counts": "Part.save_counts()", "cn_scenario_set_seed": "Scenario.seed",
    "cn_scenario_set_routing_name": "Scenario.routing", "cn_scenario_set_traffic": "Scenario.traffic",
    "cn_scenario_set_faults": "Scenario.faults", "cn_result_is_saturated": "Result.saturated",
    "cn_result_seed": "Result.seed", "cn_result_quantile": "Result.quantile()",
}
_CLASSES = {"topology": "Topology", "routing": "Routing", "traffic": "Traffic",
            "faults": "Faults", "scenario": "Scenario", "tree": "Tree",
            "sim": "Simulation"}


def _call(found: re.Match[str]) -> str:
    if found[1] in _CALLS:
        return _CALLS[found[1]]
    for prefix, name in _CLASSES.items():
        if found[1].startswith(f"cn_{prefix}_"):
            return f"{name}.{found[1][len(prefix) + 4:]}()"
    return found[0]


def _in_python(text: str) -> str:
    """The sentence without the function of C that says it, and with the names of Python."""
    text = re.sub(r"\bCN_(NO_NODE|BASE_OF_SCENARIO)\b", "None", re.sub(r"\bcn_\w+: ", "", text))
    return re.sub(r"(cn_\w+)\(\)", _call, text)


def _did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a sentence on a name that nothing has, as the library has it for its own names."""
    import difflib  # takes longer than the rest of the package
    plain = {name.lower().replace("_", "-"): name for name in known}
    close = difflib.get_close_matches(given.lower().replace("_", "-"), plain, 1, 0.75)
    return f'; did you mean "{plain[close[0]]}"?' if close else ""


def _with_names(error: Exception, given: str, there: str, names: Iterable[str]) -> Exception:
    """The error of a wrong name. Where its sentence only says what lists all names, or that this name is
    not here, it says which was meant or which ones there are."""
    text = str(error)
    if text.endswith(" lists them"):
        names = list(names)
        text = text[:text.rindex("; ")] + (
            _did_you_mean(given, names) or f"; {there}: {', '.join(names)}")
    elif text.endswith(f" holds no {given}"):
        text += f"; {there}: {', '.join(names)}"
    error.args = (text,)
    return error


def _name_methods(public: Any) -> None:
    """Gives the methods that a public class has from classes inside the package the name of the public class:
    Python itself says which method lacks an argument. Of a method that several classes have, all but the first
    class get a copy."""
    for name in dir(public):
        member = inspect.getattr_static(public, name)
        function: Any = getattr(member, "__func__", member)
        if name.startswith("_") and name != "__init__" or not isinstance(function, types.FunctionType):
            continue
        if function.__qualname__.startswith("_"):
            function.__qualname__ = f"{public.__name__}.{name}"
        elif name != "__init__" and not any(name in vars(base) for base in public.__mro__
                                            if not base.__name__.startswith("_")):
            made: Any = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__,
                                           function.__closure__)
            made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
            made.__annotations__, made.__dict__ = dict(function.__annotations__), dict(function.__dict__)
            original, function, made.__qualname__ = function, made, f"{public.__name__}.{name}"
            setattr(public, name, function if member is original else type(member)(function))
        else:
            continue
        function.__module__ = public.__module__
