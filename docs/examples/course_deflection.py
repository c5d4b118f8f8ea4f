"""Assignment: how many buffers does a hypercube node need?

In deflection routing a node never lets a message wait for a buffer of its neighbour: when its own
buffers run short it sends messages the wrong way. More buffers mean fewer detours and fewer refused
messages, but those that are admitted queue longer. A node of the n-cube needs at least n buffers,
one for each incoming channel. How many are good?

"Power", the throughput of the network over the mean delay, weighs both sides. For n = 4 to 10 find
the number M of buffers with the greatest power, when each node offers 1.5 messages a cycle.

1. What is M / n?   2. What is lost with M = n?   3. Does a simulation agree with the model?

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/course_deflection.py
"""

from cubenet import Scenario, Topology

LOAD = 1.5


def node_with(n, buffers):
    return Scenario(Topology.hypercube(n), "deflection", load=LOAD, buffers=buffers,
                    relative_precision=0.02, seed=1)


print(" n  best M  M / n   power   with M = n   accepted   with M = n")
best = {}
for n in range(4, 11):
    models = {buffers: node_with(n, buffers).predict() for buffers in range(n, 4 * n + 1)}
    best[n] = max(models, key=lambda buffers: models[buffers]["power"])
    good, least = models[best[n]], models[n]
    print(f"{n:2}  {best[n]:6}  {best[n] / n:5.2f}  {good['power']:6.1f}  {least['power']:11.1f}"
          f"  {good['acceptance_probability']:9.1%}  {least['acceptance_probability']:11.1%}")

mean_ratio = sum(buffers / n for n, buffers in best.items()) / len(best)
print(f"\n1. M / n is {mean_ratio:.2f} on the average: two buffers a channel.")

n = 8
least, good = (node_with(n, buffers).predict() for buffers in (n, best[n]))
print(f"2. On the {n}-cube {1 - least['power'] / good['power']:.0%} of the power, and "
      f"{1 - least['acceptance_probability']:.0%} of the messages are refused instead of "
      f"{1 - good['acceptance_probability']:.0%}.")

print("3. Where few messages are sent the wrong way; with M = n the model is too gloomy.\n"
      f"   Power of the {n}-cube by model and by simulation:")
for buffers in (n, best[n], 4 * n):
    scenario = node_with(n, buffers)
    model, simulated = scenario.predict(), scenario.simulate()
    print(f"   M = {buffers:2}: {model['power']:5.1f}   {simulated['power']:5.1f} "
          f"+- {simulated.half_width('power'):.1f}")
