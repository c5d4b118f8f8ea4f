"""Assignment 2: rules of routing, and why they cannot deadlock (2-routing.md).

Nodes of the n-cube are numbered as usual; port i of a node inverts bit i. Node x + columns y of a mesh is at
column x and row y; a hop goes EAST (to column x + 1), WEST (x - 1), NORTH (row y + 1) or SOUTH (y - 1)."""

from cubenet import Routing, Scenario

EAST, WEST, NORTH, SOUTH = range(4)


def ecube(node, destination):
    """The one port, in a list, by which the e-cube rule sends a message on; node is not destination."""
    raise NotImplementedError


def ecube_number(n, node, port):
    """A number for the channel of this port of this node of the n-cube: greater with every hop of an e-cube path."""
    raise NotImplementedError


def random_minimal(node, destination):
    """All ports of the cube that bring a message closer, in ascending order."""
    raise NotImplementedError


def waiting_circle():
    """Messages of the 2-cube or a greater one that wait for each other in a circle, as a list of (node, port,
    destination): a message for destination, routed by random_minimal(), holds the channel of this port of this
    node, has reached the far end, and waits there for the channel of the next element; the last one waits for
    that of the first."""
    raise NotImplementedError


def west_first(columns, node, destination):
    """All directions that the turn model west-first allows on the mesh, in any order: WEST alone as long as the
    destination is to the west, else every direction that brings the message closer."""
    raise NotImplementedError


def west_first_number(columns, rows, node, direction):
    """A number for the channel in this direction out of this node of a mesh: greater with every hop of any path that
    west-first allows."""
    raise NotImplementedError


def mean_delay(network, rule, load):
    """The mean delay of worms in the simulator of cubenet, by a rule of one's own: rule(node, destination, came)
    returns (port, virtual channel) pairs, as Routing.own() wants it. One virtual channel, message_flits = 8,
    seed = 1, measure_cycles = 20000, relative_precision = 0; all else as it is by default."""
    raise NotImplementedError
