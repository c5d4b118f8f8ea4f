"""Spanning trees of the generalized hypercube: how balanced they are, and a multicast along one.

To run it in the source tree:
PYTHONPATH=lib/python python3 docs/examples/trees.py
"""

from cubenet import Topology, Tree

print("network    nodes  root subtrees  largest  smallest")
for n, k in ((2, 8), (3, 5), (4, 4), (6, 3), (7, 2)):
    tree = Topology.generalized_hypercube(k, n).balanced_tree()
    sizes = [tree.subtree_size(child) for child in tree.children(tree.root)]
    print(f"GH({n},{k})  {tree.subtree_size(tree.root):8}  {len(sizes):13}  {max(sizes):7}"
          f"  {min(sizes):8}")

net = Topology.generalized_hypercube(5, 3)
source, *destinations = map(net.parse_address, ("112", "400", "404", "044", "340"))


def send(node, wanted, depth=1):
    """One copy of the message for each child; each copy carries the list of those it is for."""
    for child, group in net.multicast_groups(source, node, wanted).items():
        print("    " * depth + f"{net.address(child)} for {', '.join(map(net.address, group))}")
        send(child, group, depth + 1)


print(f"\nmulticast in GH(3,5) from {net.address(source)}")
send(source, destinations)
path = [source]
while path[-1] != destinations[0]:
    path.append(net.multicast_next_hop(source, path[-1], destinations[0]))
print("one message:", " -> ".join(map(net.address, path)))

psnn = Topology.psnn(4)  # in any network: breadth first, or by the parents of all nodes
tree = Tree.breadth_first(psnn, root=3)
same = Tree.from_parents(psnn, 3, tree.arrays().parents)
print(f"\nbreadth-first tree of {psnn.name}: {same.path(12)} leads to node 12, "
      f"height {psnn.validate_tree(3, tree.arrays().parents)[0]}")
