"""Wrong answers: a model solution with one mistake in it, and what the graders must say.

Each is (file, question, C, Python); a language is (what stands in the model solution, what stands there
instead, a part of the sentence)."""

NOT_LOWER = "but the numbers of the two channels are"
LATER = "is younger"

MISTAKES = [
    # a digit keeps its value when it goes round
    ("necklaces", "rotate",
     ("x > 0 ? x % (k - 1) + 1 : 0", "x", "rotate of node 9 (100) in GH(3,3): 1, expected 2"),
     ("x % (k - 1) + 1 if x > 0 else 0", "x", "rotate of node 9 (100) in GH(3,3): 1, expected 2")),
    # the greatest address alone
    ("necklaces", "generator",
     ("bits > have || (bits == have && other > best)", "other > best", "generator of node 25 (0121) in GH(4,4): 227, expected 220"),
     ("return [digit > 0 for digit in address], address", "return address",
      "generator of node 25 (0121) in GH(4,4): 227, expected 220")),
    # the highest dimension first
    ("routing", "ecube",
     ("return header & (~header + 1);",
      "uint64_t bit = 8;\n    while ((header & bit) == 0)\n        bit /= 2;\n    return bit;",
      "ecube from 0000 to 0011: [1], expected [0]"),
     ("random_minimal(node, destination)[:1]", "random_minimal(node, destination)[-1:]",
      "ecube from 0000 to 0011: [1], expected [0]")),
    # a circle that the rule does not allow
    ("routing", "waiting_circle",
     ("destinations[] = {3, 2, 0, 1}", "destinations[] = {3, 3, 0, 1}",
      "element 1: in node 3 a message for 3 does not wait for port 0: its ports are []"),
     ("(1, 1, 2)", "(1, 1, 3)",
      "element 1: in node 3 a message for 3 does not wait for port 0: its ports are []")),
    # all shortest ways, as if turns did not matter
    ("routing", "west_first",
     ("return 1u << WEST;",
      "return 1u << WEST | (uint64_t)(to_y > y) << NORTH | (uint64_t)(to_y < y) << SOUTH;",
      "west_first from (1, 0) to (0, 1): WEST and NORTH, expected WEST"),
     ("return [WEST]", "return [WEST] + [NORTH] * (dy > 0) + [SOUTH] * (dy < 0)",
      "west_first from (1, 0) to (0, 1): WEST and NORTH, expected WEST")),
    # a hop to the east may come before the hops of its column
    ("routing", "west_first_number",
     (": (int)rows);", ": 0);", NOT_LOWER),
     ("EAST: rows}", "EAST: 0}", NOT_LOWER)),
    # only as many messages as channels take part in phase 1
    ("two_phase", "phase 1",
     ("int won = (free >> port & 1) != 0;", "port = m < channels ? port : 63;\n        int won = (free >> port & 1) != 0;",
      "stays although its preferred channel"),
     ("port if port in free else None", "port if port in free and m < channels else None",
      "stays although its preferred channel")),
    # phase 2 forces out the oldest
    ("two_phase", "phase 2",
     ("for (unsigned m = count; m-- > 0 && losers > buffers - channels;)",
      "for (unsigned m = 0; m < count && losers > buffers - channels; m++)", LATER),
     ("losers.pop()", "losers.pop(0)", LATER)),
    # there is no phase 2
    ("two_phase", "phase 2",
     ("losers > buffers - channels;", "losers > buffers;", "must leave: only"),
     ("while len(losers) > buffers - channels:", "while len(losers) > buffers:", "must leave: only")),
    # phase 2 takes the words of phase 1 again
    ("two_phase", "random words",
     ("    random += count;\n", "", "the channel of message"),
     ("iter(random[len(preferred):])", "iter(random)", "the channel of message")),
    # the sum of eq. 3.3 as it is printed, from k = 1 on
    ("chain", "both_phases",
     ("for (unsigned j = 0; j < least; j++) {", "f[0] = 0;\n    for (unsigned j = 0; j < least; j++) {",
      "both_phases(2, 2, 0): j = 0: 0, expected 1"),
     ("[sum(f[:least + 1])]", "[sum(f[1:least + 1])]", "both_phases(2, 2, 0): j = 0: 0, expected 1")),
    # the load itself for the probability of one more message
    ("chain", "stationary",
     ("a = load / (1 + load)", "a = load", "state 0 of the chain: 0.607"),
     ("a = load / (1 + load)", "a = load", "state 0 of the chain: 0.607")),
    # phase 2 may give the channel that was lost
    ("chain", "headers",
     ("(i - 1.0) / (n - 1)", "1.0 * i / n", "headers(2, 0.1): row 1: column 0: 0.95, expected 0.9"),
     ("(i - 1) / (n - 1)", "i / n", "headers(2, 0.1): row 1: column 0: 0.95, expected 0.9")),
    # nothing is disabled
    ("convex", "make_convex: convex",
     ("if (bad == 0)", "if (bad <= n)", "not convex: "),
     ("if not unsafe:", "if True:", "not convex: ")),
    # whatever is unsafe goes, the first node first
    ("convex", "make_convex: figure 5.1",
     ("ones(bad_links(n, dead, v)) > bad)", "bad == 0)", "figure 5.1 needs two disabled nodes only"),
     ("max(unsafe, key=lambda node: len(bad_links(n, dead, node)))", "min(unsafe)",
      "figure 5.1 needs two disabled nodes only")),
    # the erratum itself
    ("broadcast", "replica_rate",
     ("return beta * load * (ldexp(1, (int)n) - 1 - n) / n;",
      "return published_replica_rate(n, beta, load);",
      "replica_rate(4, 0.1, 0.001) / lambda_cb: 1.28333, expected 2.75"),
     ("return beta * load * (2**n - 1 - n) / n", "return published_replica_rate(n, beta, load)",
      "replica_rate(4, 0.1, 0.001) / lambda_cb: 1.28333, expected 2.75")),
    # a node is its own neighbour where the shuffle leaves it
    ("shuffle", "neighbors",
     ("i < 4 && other != node", "i < 4", "neighbors of 0 (00) in PSNN(2): [0, 1, 3], expected [1, 3]"),
     (" - {node}", "", "neighbors of 0 (00) in PSNN(2): [0, 1, 3], expected [1, 3]")),
    # what has no end is not quoted to its end
    ("shuffle", "neighbors",
     ("i < 4 && other != node", "i < 4", "neighbors of 0 (00) in PSNN(2): [0, 1, 3], expected [1, 3]"),
     ("return sorted({(node - 1) % (2 * top), (node + 1) % (2 * top), left, right} - {node})", "return [7] * 1000000",
      "neighbors of 0 (00) in PSNN(2): [" + 99 * "7, " + "7, ..., expected [1, 3]")),
    # links that are no links: the cost of the hypercube by its cut, not by N over it
    ("shuffle", "paper_cost",
     ("n * of(measure, n, 2)", "n * of(measure, n, ldexp(1, (int)n) / 2)",
      "paper_cost('D', 'hypercube', 3): 12, expected 6"),
     ("(n, 2, n) if", "(n, 2**n / 2, n) if", "paper_cost('D', 'hypercube', 3): 12, expected 6")),
    # programs that do not come back
    ("necklaces", "distance",
     ("uint64_t differ = 0;", "uint64_t differ = *(volatile uint64_t *)8;", "the program crashed (signal"),
     ("return sum(x != y", "import faulthandler\n    faulthandler._sigsegv()\n    return sum(x != y",
      "the program crashed (signal")),
    ("necklaces", "displacement",
     ("rotations++)\n        node = rotate", "rotations++)\n        while (1)\n            rotate",
      "still running after 1 second"),
     ("return necklace(k, n, node).index(generator(k, n, node))",
      "while True:\n        pass",
      "still running after 1 second")),
    ("chain", "phase_one",
     ("    for (unsigned j = 0; j <= n; j++)\n        f[j] = j == 0;\n",
      "    _Exit(0);\n    for (unsigned j = 0; j <= n; j++)\n        f[j] = j == 0;\n",
      "the program ended itself with exit status 0"),
     ("    f = [1.0]", "    raise SystemExit\n    f = [1.0]",
      "the program ended itself with exit status 0")),
    ("convex", "bad_links",
     ("uint64_t bad = 0;", "uint64_t bad = 0;\n    not_written();", "not written yet"),
     ("return {port for port", "dead.add(1 / 0)\n    return {port for port",
      "ZeroDivisionError: division by zero (convex.py, line 8)")),
]
