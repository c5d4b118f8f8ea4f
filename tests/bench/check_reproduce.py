"""check_reproduce.py PROGRAM: the list, one figure in each of its forms, and what must fail."""
import csv
import os
import re
import subprocess
import sys
import tempfile

program = sys.argv[1]


def run(*arguments, path=None):
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = path
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)


def rows_of(directory, name):
    with open(os.path.join(directory, name + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


listed = run("list")
assert listed.returncode == 0
ids = [line.split()[0] for line in listed.stdout.splitlines()]
assert len(set(ids)) == len(ids), "an id twice"
assert {f"horng92-fig-3.{i}" for i in range(6, 12)} <= set(ids), ids
assert {f"horng91-fig-{i}" for i in range(6, 13)} <= set(ids), ids

with tempfile.TemporaryDirectory() as top:
    # a figure, in a directory that is not there yet and whose name is awkward
    out = os.path.join(top, "it's", "new here")
    done = run("horng92-fig-3.8", "--quick", "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    rows = rows_of(out, "horng92-fig-3.8")
    assert list(rows[0]) == [
        "buffers", "load", "throughput_model", "throughput_simulation", "throughput_half_width",
        "throughput_unlimited_buffers"]
    assert len(rows) == 5 * 17, len(rows)
    simulated = [row for row in rows if row["throughput_simulation"]]
    assert len(simulated) == 5 * 4, len(simulated)
    for row in rows:
        load, most = float(row["load"]), float(row["throughput_unlimited_buffers"])
        assert abs(most - min(load, 6 * 63 / 192)) < 1e-7, row
        assert float(row["throughput_model"]) <= most + 1e-9, row
    for row in simulated:
        assert 0 < float(row["throughput_half_width"]) < 0.1, row
    # a published check value of the model
    rows_of_12 = {float(row["load"]): row for row in rows if row["buffers"] == "12"}
    assert abs(float(rows_of_12[1.5]["throughput_model"]) - 1.37433) < 5e-6

    # the summary tells the worst difference of the rows
    summary = dict(line.split(",")[:2] for line in done.stdout.splitlines())
    for m in ("6", "8", "10", "12", "20"):
        worst = max(abs(float(row["throughput_model"]) - float(row["throughput_simulation"]))
                    for row in simulated if row["buffers"] == m)
        said = float(summary[f"horng92-fig-3.8/buffers={m}/throughput/worst_difference"])
        assert abs(said - worst) < 1e-3 * worst, (m, said, worst)
    for line in done.stdout.splitlines():
        assert re.fullmatch(r"horng92-fig-3\.8/\S+,[\d.]+(e-?\d+)?,[^,]+", line), line

    # nothing half-written is left
    left = set(os.listdir(out)) - {"horng92-fig-3.8.csv", "horng92-fig-3.8.svg"}
    assert not left, left

    # without gnuplot there is the table alone; and the same bits
    bare = os.path.join(top, "bare")
    done = run("horng92-fig-3.8", "--quick", "--out", bare, path="/nowhere")
    assert done.returncode == 0, done.stderr
    assert os.listdir(bare) == ["horng92-fig-3.8.csv"]
    assert rows_of(bare, "horng92-fig-3.8") == rows

    # the other figure with a table of its own form
    done = run("horng92-fig-3.11", "--quick", "--out", out)
    assert done.returncode == 0, done.stderr
    for row in rows_of(out, "horng92-fig-3.11"):
        assert float(row["least_buffers_95_model"]) <= float(row["least_buffers_99_model"])
        assert float(row["least_buffers_99_model"]) <= float(row["best_buffers_model"])

    # what must fail says why and leaves nothing
    unwritten = os.path.join(top, "unwritten")
    for arguments, reason in (
            (["no-such-figure"], "no-such-figure"),
            (["horng92-fig-3.8", "no-such-figure"], "no-such-figure"),
            (["--out"], "--out"),
            (["horng92-fig-3.8", "--nonsense"], "--nonsense"),
            ([], "usage")):
        done = run(*arguments, *(["--out", unwritten] if arguments not in (["--out"], []) else []))
        assert done.returncode == 1, arguments
        assert reason in done.stderr, done.stderr
    assert not os.path.exists(unwritten)
    in_the_way = os.path.join(top, "file")
    with open(in_the_way, "w"):
        pass
    done = run("horng92-fig-3.8", "--quick", "--out", os.path.join(in_the_way, "below"))
    assert done.returncode == 1 and "directory" in done.stderr, done.stderr
