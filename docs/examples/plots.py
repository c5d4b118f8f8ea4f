"""Three pictures: delay over throughput, the load of channels, and queues at saturation.

They are written to the folder that is named, or to the present one. matplotlib draws them. To run it
in the source tree:
PYTHONPATH=lib/python python3 docs/examples/plots.py [folder]
"""

import pathlib
import sys

import cubenet

try:
    import matplotlib
except ImportError:
    sys.exit("plots.py draws with matplotlib, which is not installed: pip install matplotlib, or "
             "apt-get install python3-matplotlib")
matplotlib.use("Agg")  # into files: no screen is needed
import matplotlib.pyplot as plt  # noqa: E402


def delay_over_throughput(folder):
    """Simulations with their 95 % half-widths, and the model as a line."""
    cube = cubenet.Topology.hypercube(6)
    common = {"load": [0.25 * i for i in range(1, 13)], "buffers": [8, 12]}
    figure, axes = plt.subplots()
    for simulate in (False, True):
        rows = cubenet.sweep(cube, "deflection", simulate=simulate, **common)
        for buffers, color in zip(common["buffers"], ("tab:blue", "tab:orange")):
            some = [row for row in rows if row["buffers"] == buffers and not row["error"]]
            x, y = ([row[name] for row in some] for name in ("throughput", "mean_delay"))
            if simulate:
                axes.errorbar(x, y, xerr=[row["throughput_half_width"] for row in some],
                              yerr=[row["mean_delay_half_width"] for row in some], fmt="o",
                              markersize=3, capsize=2, color=color,
                              label=f"{buffers} buffers, simulated")
            else:
                axes.plot(x, y, color=color, label=f"{buffers} buffers, model")
    axes.set(xlabel="throughput (messages per node and cycle)", ylabel="mean delay (cycles)",
             title=f"deflection on {cube.name}")
    axes.legend()
    figure.savefig(folder / "delay.png")


def channel_loads(folder):
    """How many messages each channel of a torus carries per cycle, one picture for each port."""
    size = 8
    torus = cubenet.Topology.torus([size, size])
    scenario = cubenet.Scenario(torus, "separate-buffers", load=0.3, routing="dimension-order",
                                traffic=cubenet.Traffic(torus, "transpose"))
    result = scenario.simulate(statistics=True)
    loads, ports = result.channel_loads(), torus.max_degree
    cycles = result["cycles"]
    figure, several = plt.subplots(1, ports, figsize=(3 * ports, 3.2), layout="constrained")
    greatest = max(loads) / cycles
    for port, axes in enumerate(several):
        one = [[loads[(y * size + x) * ports + port] / cycles for x in range(size)]
               for y in range(size)]
        picture = axes.imshow(one, origin="lower", vmin=0, vmax=greatest, cmap="viridis")
        axes.set(title=f"port {port}", xticks=[], yticks=[])
    figure.colorbar(picture, ax=several, label="messages per cycle")
    figure.suptitle(f"transpose on {torus.name}, dimension order")
    figure.savefig(folder / "channels.png")


def queues_at_saturation(folder):
    """Messages in the network over time, for loads below and above what the channels carry."""
    torus = cubenet.Topology.torus([8, 8])
    scenario = cubenet.Scenario(torus, "separate-buffers", warmup_cycles=0, measure_cycles=4000,
                                relative_precision=0)
    limit = scenario.saturation_load()
    figure, axes = plt.subplots()
    for share in (0.8, 0.95, 1.05, 1.2):
        scenario.load = share * limit
        values, cycles = scenario.simulate(statistics=True).batches("messages_in_flight")
        axes.plot([(i + 1) * cycles for i in range(len(values))], values,
                  label=f"{share:.0%} of the saturation load")
    axes.set(xlabel="cycle", ylabel="messages in the network", title=f"queues on {torus.name}")
    axes.legend()
    figure.savefig(folder / "queues.png")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for draw in (delay_over_throughput, channel_loads, queues_at_saturation):
        draw(folder)
    print("delay.png, channels.png, queues.png")
