"""check_reproduce.py PROGRAM: the list, one figure in each of its forms, and what must fail."""
import csv
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

program = sys.argv[1]


def run(*arguments, path=None):
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = path
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)


def rows_of(directory, name):
    with open(os.path.join(directory, name + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


def texts_of(directory, name):
    """The texts in a drawing, or None where there is no gnuplot."""
    if shutil.which("gnuplot") is None:
        return None
    root = xml.etree.ElementTree.parse(os.path.join(directory, name + ".svg")).getroot()
    texts = ["".join(element.itertext()).strip() for element in root.iter()
             if element.tag.endswith("}text")]
    assert all(part in texts for part in titles[name]), (name, texts)
    return texts


for drawer in "gnuplot", "dot":
    if shutil.which(drawer) is None:
        print(f"skipped: the drawings of {drawer} are not checked, for there is none here")

listed = run("list")
assert listed.returncode == 0
ids = [line.split()[0] for line in listed.stdout.splitlines()]
assert len(set(ids)) == len(ids), "an id twice"
titles = {line.split()[0]: re.split("  +", line)[1:] for line in listed.stdout.splitlines()}
assert {f"horng92-fig-3.{i}" for i in range(4, 12)} <= set(ids), ids
assert {"horng92-eq-2.16-2.74", *(f"horng92-fig-2.{i}" for i in (2, 5, 6, 7, 8))} <= set(ids), ids
assert {"horng92-table-4.1", *(f"horng92-fig-4.{i}" for i in range(4, 11))} <= set(ids), ids
assert {"horng92-table-5.1", *(f"horng92-fig-5.{i}" for i in (1, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14))} <= set(
    ids), ids
assert {f"horng91-fig-{i}" for i in (1, *range(4, 13))} <= set(ids), ids
assert {f"ziavras99-fig-{i}" for i in range(1, 7)} <= set(ids), ids
assert {f"ziavras99-table-{i}" for i in range(1, 15)} <= set(ids), ids
assert {f"ginosar89-{name}" for name in ("table-1", "table-2", "table-a", "permutations")} <= set(ids), ids
assert {f"ginosar89-fig-{i}" for i in range(3, 10)} <= set(ids), ids
assert {"shahrabi01-fig-1", "shahrabi01-traffic"} <= set(ids), ids

assert {f"ginosar89-fig-2{letter}" for letter in "abcdefghi"} <= set(ids), ids

with tempfile.TemporaryDirectory() as top:
    # `all` makes what comes first in the list, `accuracy` the rest; each says first what it begins with and how many follow
    accuracy = ["cut-through-model", "wormhole-model", "cut-through-deflection-model", "deflection-model", "coverage",
                "verdicts"]
    assert ids[-len(accuracy):] == accuracy, ids
    for group, made in ("all", ids[:-len(accuracy)]), ("accuracy", accuracy):
        with subprocess.Popen([program, group, "--out", os.path.join(top, group)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as begun:
            first = begun.stderr.readline()
            begun.kill()
        assert first == f"[1/{len(made)}] {made[0]}\n", first

    # a table on the terminal, the paper's numbers beside ours
    out = os.path.join(top, "shown")
    done = run("ziavras99-table-1", "horng92-table-5.1", "--quick", "--out", out)
    shown = [line.split() for line in done.stdout.splitlines()]
    assert ["network", "n", "k", "nodes", "channels", "channels_paper", "diameter", "diameter_paper", "wires_64_bit",
            "wires_64_bit_paper", "agrees"] in shown, done.stdout
    assert "generalized hypercube  2    8".split() == shown[[row[0] for row in shown].index("generalized")][:4]
    assert ["0110", *"0 1 2 0 1 2 1".split()] in shown, done.stdout
    # drawings: a row a link, and each node and link in the picture
    out = os.path.join(top, "drawn")
    done = run("horng92-fig-1.2", "horng92-fig-4.1", "horng92-fig-5.7", "ginosar89-fig-2i", "horng92-fig-3.4",
               "horng92-fig-3.5", "--quick", "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    for name, nodes, links, arrow in (("horng92-fig-1.2", 16, 32, "--"), ("horng92-fig-4.1", 16, 32, "->"),
                                      ("ginosar89-fig-2i", 16, 27, "--")):
        assert len(rows_of(out, name)) == links, name
        with open(os.path.join(out, name + ".dot")) as file:
            text = file.read()
        assert text.count("pos=") == nodes and text.count(f" {arrow} ") == links, text
    assert [row["node"] for row in rows_of(out, "horng92-fig-5.7") if row["state"] == "disabled"] == ["1001"]
    rows = [(row["ones"], row["next"], row["share_of_phase_1"], row["share_of_phase_2"])
            for row in rows_of(out, "horng92-fig-3.4")]
    assert rows[:3] == [("1", "0", "1", "0"), ("1", "2", "0", "1"), ("2", "1", "1", "0.2")], rows
    for ones in "123456":
        assert sum(float(row[3]) for row in rows if row[0] == ones) == 1
    rows = rows_of(out, "horng92-fig-3.5")
    crossed = [float(row["input_rate"]) < float(row["output_rate"]) for row in rows]
    assert crossed == sorted(crossed) and crossed[-1] and not crossed[0]
    at = [float(row["p_transit"]) for row in rows][crossed.index(True)]
    assert 0 <= at - float(rows[0]["crossing"]) <= 0.03
    worst = next(line.split(",")[1] for line in done.stdout.splitlines() if "throughput_at_crossing" in line)
    assert float(worst) < 1e-12, worst
    if shutil.which("gnuplot"):
        assert {"input rate", "output rate"} <= set(texts_of(out, "horng92-fig-3.5"))
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

    texts = texts_of(out, "horng92-fig-3.8")
    assert texts is None or "M = 12" in texts, texts

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

    # unlimited buffers: delays by the formulas of the dissertation, the bound without simulation
    done = run(*(f"horng92-fig-2.{i}" for i in (2, 7, 8)), "--quick", "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    d, n = 192 / 63, 6
    rows = rows_of(out, "horng92-fig-2.2")
    for row in rows:
        load = float(row["load"])
        delay = d + load * (2 * d + (1 - 1 / n) * (d - 1)**2) / (2 * (n - load * d))
        assert abs(float(row["mean_delay_model"]) - delay) < 1e-6 * delay, row
    assert [row["load"] for row in rows if row["mean_delay_simulation"]] == ["0.5", "1"]
    assert "horng92-fig-2.2/separate_buffers/mean_delay_model/worst_difference," in done.stdout
    for row in rows_of(out, "horng92-fig-2.8"):
        load, model = float(row["load"]), float(row["mean_delay_model"])
        if row["system"] == "shared-buffer" and load > 0:
            delay = -n / load * math.log(1 - load * d / n)
            assert abs(model - delay) < 1e-6 * delay, row
        assert model >= d - 1e-6, row
        assert row["system"] == "shared-buffer" or not row["mean_delay_simulation"], row
        assert row["network"] == "hypercube(6)" and not row["buffers"], row
    for row in rows_of(out, "horng92-fig-2.7"):
        sent = [float(row[key]) for key in ("random_assignment", "optimistic_bound", "closed_form")]
        assert abs(sent[0] - sent[2]) < 1e-7 and sent[0] <= sent[1], row
        assert sent[1] == min(int(row["messages"]), 6), row

    # both models of deflection on k-ary n-cubes
    done = run("horng92-table-4.1", *(f"horng92-fig-4.{i}" for i in (4, 6, 8, 9)), "--quick",
               "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "horng92-table-4.1/states/worst_difference,0,states" in done.stdout
    assert [row["states"] for row in rows_of(out, "horng92-table-4.1")] == ["45", "25", "9"]
    rows = rows_of(out, "horng92-fig-4.4")
    for row in rows:
        most = float(row["throughput_unlimited_buffers"])
        assert abs(most - min(float(row["load"]), 2 / (7 * 64 / 63))) < 1e-7, row
        # the own model covers M = 4, 6, 8
        assert (row["throughput_model_own"] == "") == (row["curve"] == "1"), row
        for column in ("model", "model_own"):
            assert float(row[f"throughput_{column}"] or 0) <= most + 1e-9, row
    assert any(row["throughput_model"] != row["throughput_model_own"] != "" for row in rows)
    assert "horng92-fig-4.4/M=4/throughput_model_own/worst_difference," in done.stdout
    for row in rows_of(out, "horng92-fig-4.6"):
        least, greatest = (row[f"{end}_buffers_95_model"] for end in ("least", "greatest"))
        assert 2 <= int(least) <= 4 and (not greatest or int(greatest) >= 4), row
        assert row["least_buffers_95_model_own"] == "", row  # fewer than 4, where that model begins, might do
    # the same runs in other units of time, 2/k for beta = 0 and (1/4 + 2/k) / (5/4) for 1/4
    pairs = list(zip(rows_of(out, "horng92-fig-4.8"), rows_of(out, "horng92-fig-4.9")))
    for curve, units in (("1", (0.25, 0.4)), ("2", (0.5, 0.6)), ("3", (1, 1))):
        some = [pair for pair in pairs if pair[0]["curve"] == curve]
        assert some
        for column in ("model", "model_own", "simulation"):
            for pair in some:
                if pair[0][f"normalized_throughput_{column}"]:
                    for key, power in (("throughput", 1), ("mean_delay", -1)):
                        values = [float(row[f"normalized_{key}_{column}"]) * unit**power
                                  for row, unit in zip(pair, units)]
                        assert abs(values[0] - values[1]) <= 1e-6 * values[0], (units, key, pair)

    # damaged cubes: the printed table, survivors, delays, clusters, paths
    damaged = os.path.join(top, "damaged")
    done = run(*(name for name in ids if name.startswith(("horng92-table-5", "horng92-fig-5"))),
               "--quick", "--csv", "--out", damaged)
    assert done.returncode == 0, done.stderr
    assert "horng92-table-5.1/rows_as_printed/worst_difference,0,rows" in done.stdout
    rows = rows_of(damaged, "horng92-table-5.1")
    assert [(row["node"], row["bad_dimensions"]) for row in rows] == [
        ("0000", "1 2"), ("0001", "1 3"), ("0101", "0 1"), ("0110", "0 1 2"), ("1011", "1 3")], rows
    assert all(row["agrees"] == "1" for row in rows), rows
    rows = rows_of(damaged, "horng92-fig-5.6")
    assert [row["node"] for row in rows if row["state"] == "disabled"] == ["0110", "1011"], rows
    rows = rows_of(damaged, "horng92-fig-5.12")
    assert len(rows) == 2 * 11 and {row["cluster"] for row in rows} == {"XX0X", "XX1X"}, rows
    for name in ("horng92-fig-5.6", "horng92-fig-5.12"):
        with open(os.path.join(damaged, name + ".dot")) as file:
            assert file.read().count("[label=") == 16, name
        if shutil.which("dot"):
            xml.etree.ElementTree.parse(os.path.join(damaged, name + ".svg"))
    degraded, convex = (rows_of(damaged, f"horng92-fig-5.{i}") for i in (5, 8))
    assert len(degraded) == len(convex) == 4 * 6
    for one, other in zip(degraded, convex):
        p, least, most = (float(value) for value in (
            one["node_failure_probability"], one["survivors_percent"], other["survivors_percent"]))
        assert 0 <= least <= most <= 100 and (p > 0 or least == 100), (one, other)
    for row in rows_of(damaged, "horng92-fig-5.9"):
        assert [float(row[f"{key}_percent"]) for key in ("degraded", "convex")] == [
            next(float(other["survivors_percent"]) for other in rows if other["n"] == "8" and
                 other["node_failure_probability"] == row["node_failure_probability"])
            for rows in (degraded, convex)], row
    rows = rows_of(damaged, "horng92-fig-5.10")
    assert len(rows) == 5 and not rows[0]["mean_delay_simulation"]
    for row in rows:
        model, least = (float(row[f"mean_delay_{key}"]) for key in ("model", "flow_deviation"))
        assert least * (1 - 1e-4) <= model < 1.06 * least, row
        if row["mean_delay_simulation"]:
            assert abs(float(row["mean_delay_simulation"]) / model - 1) < 0.05, row
    for row in rows_of(damaged, "horng92-fig-5.13"):
        assert 1 <= float(row["clusters"]) <= max(1, int(row["faulty_nodes"])), row
    for row in rows_of(damaged, "horng92-fig-5.14"):
        hops = [float(row[key]) for key in ("original", "two_level", "two_level_any_tie")]
        assert hops == sorted(hops), row

    # printed tables, cell by cell
    done = run("ziavras99-table-1", "ziavras99-table-2", "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    rows = rows_of(out, "ziavras99-table-1")
    assert len(rows) == 12 and all(row["agrees"] == "1" for row in rows), rows
    assert all(row["channels"] == row["channels_paper"] for row in rows), rows
    assert [row["wires_64_bit"] for row in rows if row["wires_64_bit_paper"]] == [
        "4088832", "42932736"], rows
    rows = rows_of(out, "ziavras99-table-2")
    assert len(rows) == 6 * 6 + 8 * 9 + 1, len(rows)
    for row in rows:
        assert (row["node"] == row["node_paper"]) == (row["agrees"] == "1"), row
    # the paper prints ten elements for the necklace of 000 in GH(3,4), which has nine
    assert [list(row.values()) for row in rows if row["agrees"] != "1"] == [
        ["generalized_hypercube(k=4,n=3)", "0", "0", "9", "", "000", "0"]]
    assert "ziavras99-table-2/n=3/k=4/cells_as_printed/worst_difference,1,cells" in done.stdout
    assert "ziavras99-table-2/n=3/k=3/cells_as_printed/worst_difference,0,cells" in done.stdout

    # graphs: edges as CSV, DOT, and a drawing where graphviz is installed
    graphs = os.path.join(top, "graphs")
    done = run(*(f"ziavras99-fig-{i}" for i in range(2, 7)), "--out", graphs)
    assert done.returncode == 0, done.stderr
    endings = ["csv", "dot", "svg"] if shutil.which("dot") else ["csv", "dot"]
    assert sorted(os.listdir(graphs)) == [f"ziavras99-fig-{i}.{ending}" for i in range(2, 7)
                                          for ending in endings], os.listdir(graphs)
    for name in os.listdir(graphs):
        if name.endswith(".svg"):
            xml.etree.ElementTree.parse(os.path.join(graphs, name))
    trees = {i: rows_of(graphs, f"ziavras99-fig-{i}") for i in range(2, 7)}
    parent = {row["node"]: row["parent"] for row in trees[2]}
    assert len(parent) == len(trees[2]) == 63
    assert sum(row["parent"] == "000" for row in trees[2]) == 9
    # in the spanning graph of GH(3,3) all six subtrees have five nodes
    for subtree in "012345":
        sizes = [sum((row["graph"], row["subtree"]) == (graph, subtree) for row in trees[3])
                 for graph in ("BST", "BSG")]
        assert sizes == [5 if subtree in "01" else 4, 5], sizes
    # a broadcast sends one message over each edge of the tree, for the nodes behind it
    for i in range(4, 7):
        assert all(parent[row["to"]] == row["from"] for row in trees[i]), i
    assert [row["destinations"] for row in trees[4] if row["from"] == "000"] == ["7"] * 9
    assert all(row["messages"] == "1" for row in trees[4] + trees[6])
    # without clubbing one for each destination; the edges and the destinations are the same
    assert all(row["messages"] == row["destinations"] for row in trees[5])
    assert [{**row, "messages": "1"} for row in trees[5]] == trees[6]
    assert sum(int(row["destinations"]) for row in trees[5] if row["from"] == "000") == 16

    bare = os.path.join(top, "no graphviz")
    done = run("ziavras99-fig-3", "--out", bare, path="/nowhere")
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(bare)) == ["ziavras99-fig-3.csv", "ziavras99-fig-3.dot"]
    for name in os.listdir(bare):
        with open(os.path.join(bare, name)) as one, open(os.path.join(graphs, name)) as other:
            assert one.read() == other.read(), name

    # wormhole switching: nine panels of both numbers of virtual channels, models with and without a steady state
    done = run("shahrabi01-fig-1", "shahrabi01-traffic", "--quick", "--csv", "--out", out)
    assert done.returncode == 0, done.stderr
    rows = rows_of(out, "shahrabi01-fig-1")
    assert sorted({(row["panel"], row["virtual_channels"]) for row in rows}) == sorted(
        (str(panel), channels) for panel in range(1, 10) for channels in "24")
    panels = {(row["n"], row["message_flits"], row["broadcast_fraction"]) for row in rows}
    assert len(panels) == 9
    assert len({(n, beta) for n, _, beta in panels}) == len({(m, b) for _, m, b in panels}) == 9
    for row in rows:
        n, flits = int(row["n"]), int(row["message_flits"])
        latency = [row[f"mean_delay_broadcast_{variant}"]
                   for variant in ("published", "corrected", "own")]
        assert all(float(value) >= n * (flits + 1) - 1e-6 for value in latency if value), row
        assert latency[2] and (latency[0] or not latency[1]), row
        assert not latency[1] or float(latency[0]) <= float(latency[1]), row
    assert any(not row["mean_delay_broadcast_published"] for row in rows)
    measured = [row for row in rows if row["mean_delay_broadcast_simulation"]]
    assert len(measured) == 6, len(measured)
    for row in measured:
        model, simulated, half_width = (float(row[f"mean_delay_broadcast_{column}"]) for column in (
            "own", "simulation", "half_width"))
        assert abs(model - simulated) < 0.06 * simulated + 2 * half_width, row
    texts = texts_of(out, "shahrabi01-fig-1")
    if texts is not None: # labels of the axes stand upright, so that none is cut off
        assert "n = 6, M = 32, β = 0.005" in texts, texts
        with open(os.path.join(out, "shahrabi01-fig-1.svg")) as file:
            assert set(re.findall(r"translate\S+ rotate\((-?\d+)", file.read())) <= {"-90", "270"}
    for n, row in zip((6, 7, 8), rows_of(out, "shahrabi01-traffic")):
        exact = (2**n - 1 - n) / n
        assert abs(float(row["replica_ratio_corrected"]) - exact) < 1e-6, row
        assert abs(float(row["replica_ratio_simulation"]) - exact) < 0.15 * exact, row
        assert 0.48 < float(row["replica_ratio_published"]) / exact < 0.5, row

    # collective operations beside the print; the same for any number of threads
    tables, threaded = os.path.join(top, "tables"), os.path.join(top, "threaded")
    names = [*(f"ziavras99-table-{i}" for i in range(3, 15)), "ziavras99-summary",
             "ziavras99-agreement", *(f"ziavras99-congestion{end}" for end in (
                 "", "-same", "-broadcasts", "-buffers"))]
    for directory, more in ((tables, ()), (threaded, ("--threads", "3"))):
        done = run(*names, "--quick", "--csv", "--out", directory, *more)
        assert done.returncode == 0, done.stderr
    for name in names:
        assert rows_of(tables, name) == rows_of(threaded, name), name
    deviations = {}
    for i in range(3, 15):
        rows = rows_of(tables, f"ziavras99-table-{i}")
        assert list(rows[0]) == [
            "n", "k", "nodes", "buffer", "cycles_ours", "half_width", "cycles_paper", "ratio",
            "messages_ours", "messages_paper"], rows[0]
        assert [row["buffer"] for row in rows[:7]] == ["3", "4", "5", "6", "7", "8", "inf"]
        for row in rows:
            n, k, ours, paper = (float(row[key]) for key in (
                "n", "k", "cycles_ours", "cycles_paper"))
            assert int(row["nodes"]) == k**n, row
            assert abs(float(row["ratio"]) - ours / paper) < 1e-6, row
            if row["buffer"] == "inf" and i < 11: # last start and depth
                assert 19 + n <= ours <= 20 + n, row
        for before, after in zip(rows, rows[1:]): # more buffers, not more cycles
            if before["k"] == after["k"]:
                assert float(after["cycles_ours"]) <= float(before["cycles_ours"]) + 1, after
        deviations[i] = [abs(float(row["ratio"]) - 1) for row in rows if row["buffer"] != "inf"]
    # a few runs on the small networks; all of them: docs/lab/collective-tables.md
    for i, most in ((3, 0.06), (5, 0.12), (6, 0.1), (7, 0.05)):
        assert sum(deviations[i]) / len(deviations[i]) < most, (i, deviations[i])
    for row in rows_of(tables, "ziavras99-agreement"):
        mean = sum(deviations[int(row["table"])]) / len(deviations[int(row["table"])])
        assert abs(float(row["mean_deviation"]) - mean) < 1e-6, row
    for name in names[-4:]:
        for row in rows_of(tables, name):
            assert float(row["completion_cycles"]) >= float(row["lower_bound_cycles"]), row
    rows = rows_of(tables, "ziavras99-congestion")
    busiest = max(float(row["operations"]) for row in rows)
    cycles = {row["way"]: float(row["completion_cycles"]) for row in rows
              if float(row["operations"]) == busiest}
    assert cycles["clubbed"] < cycles["separate and least used"] < cycles["separate messages"]

    # the key names what is drawn, and the axes end where the points do
    texts = texts_of(tables, "ziavras99-summary")
    if texts is not None:
        names_drawn = {f"GH({row['n']},k)" for row in rows_of(tables, "ziavras99-summary")}
        assert {text for text in texts if text.startswith("GH(")} == names_drawn, texts
        for name in names[-4:]:
            texts, rows = texts_of(tables, name), rows_of(tables, name)
            x = {float(value) for row in rows for key, value in row.items()
                 if key in ("operations", "buffers")}
            numbers = [float(text) for text in texts if re.fullmatch(r"[\d.]+", text)]
            assert x <= set(numbers), (name, texts)
            most = max(float(row["completion_cycles"]) + float(row["half_width"]) for row in rows)
            assert max(numbers) <= max(1.1 * most, *x), (name, texts)

    # measures beside the print: what lies between the bounds agrees
    measured = os.path.join(top, "measured")
    done = run(*(name for name in ids if name.startswith("ginosar89")), "--quick", "--csv",
               "--out", measured)
    assert done.returncode == 0, done.stderr
    for name in ("table-2", "table-a", *(f"fig-{i}" for i in range(5, 10))):
        for row in rows_of(measured, f"ginosar89-{name}"):
            lower, upper = float(row["lower"]), float(row["upper"])
            assert lower <= upper and (row["known"] == "bounds" or lower == upper), row
            assert (row["paper"] == "") == (row["printed"] == "") == (row["difference"] == ""), row
            if row["paper"]:
                paper, by = float(row["paper"]), float(row["difference"])
                nearest = min(max(paper, lower), upper)
                assert abs(paper - nearest - by) < 1e-6 * abs(paper), row
            # nothing is said of what the paper does not print, or prints as "about" or calls open
            assert row["printed"] in ("value", "about", "open", ""), row
            assert row["agrees"] == (str(int(by == 0)) if row["printed"] == "value" else ""), row
    rows = rows_of(measured, "ginosar89-table-2")
    assert len(rows) == 3 * 9 * 6, len(rows)

    def column(network, measure, end="lower"):
        return [float(row[end]) for row in rows
                if (row["network"], row["measure"]) == (network, measure)]

    assert column("PSNN", "d") == [2] + [n + (n + 1) // 2 - 2 for n in range(3, 11)]
    assert column("PSNN", "F")[:6] == column("PSNN", "F", "upper")[:6] == [2, 4, 5, 7, 8, 10]
    assert [round(2**n / d) for n, d in enumerate(column("PSNN", "D")[:5], 2)] == [2, 4, 6, 8, 14]
    assert column("PSNN", "F", "paper") == [2 * n - 1 for n in range(2, 11)]
    assert column("tree", "D") == column("tree", "D", "paper") == [2**n - 1 for n in range(2, 11)]
    assert all(row["agrees"] == "1" for row in rows if row["network"] == "hypercube")
    # D = 2 for n = 3, 4, and about n/2 from n = 4 on; L and LC follow from n/2
    assert [(row["n"], row["paper"], row["printed"]) for row in rows
            if (row["network"], row["measure"]) == ("PSNN", "D")] == [
        ("2", "", ""), ("3", "2", "value"), ("4", "2", "value"),
        *((str(n), f"{n / 2:g}", "about") for n in range(5, 11))]
    for measure in ("L", "LC"):
        assert [row["printed"] for row in rows if (row["network"], row["measure"]) == ("PSNN", measure)] == [
            *[""] * 2, *["about"] * 7]
    # the cut of a star and of a tree is defined by nodes, so every order of growth is right
    rows = rows_of(measured, "ginosar89-table-1")
    assert len(rows) == 54 and all(row["agrees"] == "1" for row in rows), rows
    rows = rows_of(measured, "ginosar89-table-a")
    assert all(row["agrees"] == "1" for row in rows if row["measure"] in ("D", "L") and row["network"] in ("star", "tree"))
    assert {row["printed"] for row in rows if row["network"] == "chordal-ring"} == {"about", "value"}
    assert {row["printed"] for row in rows if (row["network"], row["measure"]) == ("PSNN", "D")} == {"open"}
    for row in rows_of(measured, "ginosar89-fig-9"):
        if row["network"] == "hypercube":
            n = int(row["n"])
            assert float(row["lower"]) == {"LC": n * (n + 2) / 2, "DC": 2 * n, "FC": n * n}[
                row["measure"]], row
    rows = rows_of(measured, "ginosar89-permutations")
    assert [(row["network"], row["n"], row["permutation"]) for row in rows] == [
        (network, n, which) for network in ("hypercube", "psnn") for n in "67"
        for which in ("random", "bit reversal", "complement")]
    for row in rows:
        for machine in ("link", "node", "exchange"):
            steps, bound = float(row[f"steps_{machine}"]), float(row[f"bound_{machine}"])
            assert max(bound, float(row["farthest"])) <= steps, row
            assert abs(steps / float(row["d_upper"]) - float(row[f"steps_{machine}_over_d"])) < 1e-6, row
        assert float(row["steps_link"]) <= float(row["steps_node"]), row
        if (row["network"], row["permutation"]) == ("hypercube", "complement"):
            assert row["steps_link"] == row["steps_node"] == row["n"] and row["d_lower"] == "2", row
            assert float(row["steps_exchange"]) <= 2 * float(row["n"]), row
        # a bit and its mirror image differ together
        if (row["network"], row["permutation"]) == ("hypercube", "bit reversal"):
            assert row["farthest"] == "6", row
    for i in (3, 4):
        rows = rows_of(measured, f"ginosar89-fig-{i}")
        assert len(rows) == 9
        # orders against orders, as in the paper: equal orders have equal places but for what keeps points apart
        for axis in ("FD", "CL")[i - 3]:
            growth = [order for order in ("1/N", "1", "log N", "N^(1/n)", "N^(1/n) log N", "sqrt N", "N")
                      if order in {row[f"{axis}_paper"] for row in rows}]
            for row in rows:
                assert abs(float(row[f"{axis}_place"]) - growth.index(row[f"{axis}_paper"])) < 0.4, row
        assert len({(row[f"{'FC'[i - 3]}_place"], row[f"{'DL'[i - 3]}_place"]) for row in rows}) == 9
        texts = texts_of(measured, f"ginosar89-fig-{i}")
        if texts is not None:
            marked = {row[f"{axis}_paper"] for row in rows for axis in ("FD", "CL")[i - 3]}
            assert marked <= set(texts) and not any(re.fullmatch(r"[\d.]{2,}", text) for text in texts), texts

    # what is stopped leaves nothing: exhibits that write as they go, and those that calculate first
    stopped = os.path.join(top, "stopped")
    for name in ("ziavras99-summary", "horng92-fig-3.9"):
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([program, name, "--threads", "2", "--out", stopped], stdout=subprocess.DEVNULL) as begun:
                while not (os.path.exists(stopped) and os.listdir(stopped)):
                    assert begun.poll() is None, name
                    time.sleep(0.01)
                assert os.listdir(stopped) == [name + ".csv.part"]
                begun.send_signal(number)
                assert begun.wait() == -number, name
            assert not os.listdir(stopped), (name, os.listdir(stopped))

    # what must fail says why and leaves nothing
    unwritten = os.path.join(top, "unwritten")
    for arguments, reason in (
            (["no-such-figure"], "no-such-figure"),
            (["horng92-fig-3.8", "no-such-figure"], "no-such-figure"),
            (["--out"], "--out"),
            (["horng92-fig-3.8", "--nonsense"], "--nonsense"),
            (["horng92-fig-3.8", "--threads", "0"], "--threads"),
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
