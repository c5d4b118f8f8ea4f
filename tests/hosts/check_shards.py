"""What docs/examples/shards/ divides among processes comes together to the bits of one process.

    check_shards.py PROGRAM"""

import json
import os
import random
import subprocess
import sys
import tempfile

HEAD = {"format": 1, "topology": "hypercube(4)"}
RUN = {"measure_cycles": 200, "relative_precision": 0}


def experiments():
    """A sweep of replications, a run of its own, one that ends by precision, and two studies."""
    for load in (0.5, 1, 1.5):
        yield {**HEAD, "cubenet": "scenario", "system": "deflection",
               "parameters": {**RUN, "load": load, "replications": 5}}
    yield {**HEAD, "cubenet": "scenario", "system": "wormhole", "parameters": {**RUN, "load": 0.01}}
    yield {**HEAD, "cubenet": "scenario", "system": "shared-buffer",
           "parameters": {"load": 0.3, "replications": 3, "relative_precision": 0.2}}
    yield {**HEAD, "cubenet": "study", "random": [2, 1], "patterns": 20}
    yield {**HEAD, "cubenet": "study", "failing": [0.1, 0], "patterns": 9, "simulate": {
        "topology": HEAD["topology"], "system": "separate-buffers", "parameters": {**RUN, "load": 0.2}}}


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        def call(*arguments, status=0):
            done = subprocess.run([program, *map(str, arguments)], cwd=folder, text=True, timeout=240,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if done.returncode != status:
                sys.exit(f"{arguments}: exit status {done.returncode}: {done.stderr}")
            return done.stdout if status == 0 else done.stderr

        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            return name

        def refused(part, *arguments):
            said = call(*arguments, status=1)
            if part not in said:
                sys.exit(f"{arguments}: {said!r} does not say {part!r}")

        sweep = write("sweep.json", "".join(json.dumps(one, indent=1) + "\n" for one in experiments()))
        whole = call("merge", write("all", call("run", sweep, 0, 1)))
        if whole.count('"cubenet": "result"') != len(list(experiments())) or '"shard"' in whole:
            sys.exit("these are not the results of all experiments")
        for shards in (2, 5, 9):
            names = [write(f"{shards}-{s}", call("run", sweep, s, shards, 2)) for s in range(shards)]
            random.Random(shards).shuffle(names)
            if call("merge", *names).replace('"threads": 2', '"threads": 1') != whole:
                sys.exit(f"{shards} shards are not the whole")
        together = write("together", "".join(open(os.path.join(folder, name), encoding="utf-8").read()
                                             for name in names))
        if call("merge", together).replace('"threads": 2', '"threads": 1') != whole:
            sys.exit("one file of all shards is not the whole")
        refused("missing", "merge", *names[1:])
        refused("there already", "merge", *names, names[3])
        refused("number of shards", "merge", *names[1:], "2-0")
        refused("not what", "merge", sweep)
        refused("neither a scenario nor a study", "run", write("empty", ""), 0, 1)
        refused("is read here", "run", write("other", whole), 0, 1)


if __name__ == "__main__":
    main()
