"""GraphData: a graph in MindRecord files, as MindSpore's tool `graph_to_mindrecord` writes them.

Each row is a node ("attribute" n: first_id, type) or an edge (e: first_id, from second_id to third_id, type, and perhaps weight). The fields
node_feature_1, … and edge_feature_1, … hold features by their types, node_feature_index and edge_feature_index those that a row has. As
in MindSpore, results lose their axes of length 1; -1 stands for no node, whose features are 0.
"""

import itertools

import numpy as np

from plumb.dataset._host import seed_of
from plumb.dataset.files import files_of
from plumb.dataset.graphs import OutputFormat, SamplingStrategy, _given, drawn, walk_of
from plumb.mindrecord import FileReader

_MAX_HOPS, _MAX_WALK = 6, 80


class _Features:
    """The features of nodes or of edges: arrays of one shape for each type."""

    def __init__(self):
        self.by_type = {}

    def add(self, what, number, row):
        """Takes what a row has."""
        for kind in row[f"{what}_feature_index"].tolist():
            if kind >= 0:
                self.by_type.setdefault(kind, {})[number] = row[f"{what}_feature_{kind}"]

    def of(self, numbers, kind):
        """An array of those of all numbers, which may have any shape; zeros where there are none."""
        if kind not in self.by_type:
            raise RuntimeError(f"Invalid feature type:{kind}.")
        known = self.by_type[kind]
        empty = np.zeros_like(next(iter(known.values())))
        found = np.array([known.get(number, empty) for number in numbers.reshape(-1).tolist()])
        return _given(found.reshape(*numbers.shape, *empty.shape))


class GraphData:
    """A graph that is read from MindRecord files.

    Args:
      dataset_file: one of the files.
      num_parallel_workers: without effect: the graph is in memory.
      working_mode: "local"; a server is not offered.
    """

    def __init__(self, dataset_file, num_parallel_workers=None, working_mode="local", hostname="127.0.0.1", port=50051, num_client=1,
                 auto_shutdown=True):
        if working_mode != "local":
            raise ValueError(f"For 'GraphData', working_mode={working_mode!r} is not offered; leave it out.")
        self._node_types, self._edge_types, self._ends, self._weights = {}, {}, {}, {}
        self._features = {"node": _Features(), "edge": _Features()}
        self._read(files_of(dataset_file)[0])
        self._targets, self._by_ends = {node: [] for node in self._node_types}, {}
        for edge, (start, end) in self._ends.items():
            self._targets[start].append((end, self._weights[edge]))
            self._by_ends.setdefault((start, end), edge)
        self._draws = itertools.count()

    def _read(self, path):
        reader = FileReader(path)
        try:
            for row in reader.get_next():
                number = int(row["first_id"])
                if row["attribute"] == "n":
                    self._node_types[number] = int(row["type"])
                    self._features["node"].add("node", number, row)
                else:
                    self._edge_types[number] = int(row["type"])
                    self._ends[number] = int(row["second_id"]), int(row["third_id"])
                    self._weights[number] = float(row.get("weight", 1.0))
                    self._features["edge"].add("edge", number, row)
        except KeyError as problem:
            raise RuntimeError(f"For 'GraphData', {path} has no field {problem}, which graphs have.") from None
        finally:
            reader.close()
        for edge, ends in self._ends.items():
            if not set(ends) <= set(self._node_types):
                raise RuntimeError(f"For 'GraphData', the edge {edge} of {path} joins {ends}, which are not both nodes.")

    # -- what there is

    def graph_info(self):
        """Returns the types and their numbers of nodes and edges, and the types of features, as a dict."""
        info = {}
        for what, types in (("node", self._node_types), ("edge", self._edge_types)):
            kinds = sorted(set(types.values()))
            info[f"{what}_type"] = kinds
            info[f"{what}_num"] = {kind: sum(found == kind for found in types.values()) for kind in kinds}
            info[f"{what}_feature_type"] = sorted(self._features[what].by_type)
        return {**info, "graph_feature_type": []}

    def get_all_nodes(self, node_type):
        """Returns the ids of the nodes of a type."""
        return self._of_type("node", self._node_types, node_type)

    def get_all_edges(self, edge_type):
        """Returns the ids of the edges of a type."""
        return self._of_type("edge", self._edge_types, edge_type)

    @staticmethod
    def _of_type(what, types, kind):
        _check_int(f"{what}_type", kind)
        found = [number for number, its in types.items() if its == kind]
        if not found:
            raise RuntimeError(f"Invalid {what} type:{kind}.")
        return _given(np.array(found, np.int32))

    def get_nodes_from_edges(self, edge_list):
        """Returns the two nodes of each edge."""
        edges = _ids("edge_list", edge_list)
        for edge in edges.tolist():
            if edge not in self._ends:
                raise RuntimeError(f"Invalid edge id:{edge}.")
        return _given(np.array([self._ends[edge] for edge in edges.tolist()], np.int32))

    def get_edges_from_nodes(self, node_list):
        """Returns the edge from the first to the second of each pair of nodes, -1 where there is none."""
        pairs = _ids("node_list", node_list)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError(f"For 'get_edges_from_nodes', the 'node_list' must have pairs of ids, but got {node_list}.")
        self._known(pairs[:, 0])
        return _given(np.array([self._by_ends.get(tuple(pair), -1) for pair in pairs.tolist()], np.int32))

    def _known(self, nodes):
        for node in nodes.tolist():
            if node not in self._node_types:
                raise RuntimeError(f"Invalid node id:{node}.")
        return nodes.tolist()

    # -- neighbors

    def _neighbors(self, node, kind):
        """The nodes of a type that edges lead to, and the edges' weights; none from -1."""
        found = [(end, weight) for end, weight in self._targets.get(node, ()) if self._node_types[end] == kind]
        return np.array([end for end, _ in found], np.int32), np.array([weight for _, weight in found])

    def _check_type(self, kind):
        _check_int("neighbor_type", kind)
        if kind not in self._node_types.values():
            raise RuntimeError(f"Invalid neighbor type:{kind}.")

    def _check_count(self, count):
        _check_int("neighbor_num", count)
        if not 1 <= count <= len(self._node_types):
            raise RuntimeError(f"Wrong samples number, should be between 1 and {len(self._node_types)}, got {count}.")

    def get_all_neighbors(self, node_list, neighbor_type, output_format=OutputFormat.NORMAL):
        """Returns the nodes of a type that edges lead to from each node.

        Args:
          output_format: NORMAL gives for each node a row of itself and its neighbors, filled up by -1; COO pairs of a node and a
            neighbor; CSR where each node's neighbors begin, and the neighbors of all.
        """
        nodes = _ids("node_list", node_list)
        self._check_type(neighbor_type)
        found = [self._neighbors(node, neighbor_type)[0] for node in self._known(nodes)]
        if OutputFormat(output_format) == OutputFormat.NORMAL:
            rows = np.full((len(nodes), 1 + max(map(len, found))), -1, np.int32)
            for row, node, neighbors in zip(rows, nodes, found):
                row[:1 + len(neighbors)] = [node, *neighbors]
            return _given(rows)
        if OutputFormat(output_format) == OutputFormat.CSR:
            starts = np.cumsum([0] + [len(neighbors) for neighbors in found[:-1]])
            return starts.astype(np.int32), np.concatenate(found)
        if not any(map(len, found)):
            raise RuntimeError(f"The nodes {nodes.tolist()} have no neighbors of type {neighbor_type}.")
        return _given(np.array([(node, other) for node, neighbors in zip(nodes, found) for other in neighbors], np.int32))

    def get_sampled_neighbors(self, node_list, neighbor_nums, neighbor_types, strategy=SamplingStrategy.RANDOM):
        """Returns for each node a row: itself, neighbors drawn, for each of those neighbors of the next type, and so on.

        Args:
          neighbor_nums, neighbor_types: how many of which type for each hop, at most 6.
          strategy: RANDOM draws all neighbors before one comes again; EDGE_WEIGHT draws each time by the edges' weights. Where a node
            has none, -1 stands for them.
        """
        nodes = _ids("node_list", node_list)
        if not 1 <= len(neighbor_nums) <= _MAX_HOPS:
            raise ValueError(f"Wrong number of input members for neighbor_nums, should be between 1 and {_MAX_HOPS}, got "
                             f"{len(neighbor_nums)}.")
        if len(neighbor_nums) != len(neighbor_types):
            raise ValueError("The number of members of neighbor_nums and neighbor_types is inconsistent.")
        for count, kind in zip(neighbor_nums, neighbor_types):
            self._check_count(int(count))
            self._check_type(int(kind))
        rng, weighted = self._rng(), SamplingStrategy(strategy) == SamplingStrategy.EDGE_WEIGHT
        return _given(np.array([self._sampled(rng, node, neighbor_nums, neighbor_types, weighted) for node in self._known(nodes)], np.int32))

    def _sampled(self, rng, node, counts, kinds, weighted):
        row = last = [node]
        for count, kind in zip(counts, kinds):
            found = (self._neighbors(one, kind) for one in last)
            last = [one for others, weights in found for one in drawn(rng, others, int(count), weights if weighted else None)]
            row = row + last
        return row

    def get_neg_sampled_neighbors(self, node_list, neg_neighbor_num, neg_neighbor_type):
        """Returns for each node a row: itself, and nodes of a type drawn that no edge leads to from it."""
        nodes = _ids("node_list", node_list)
        self._check_count(neg_neighbor_num)
        self._check_type(neg_neighbor_type)
        rng, kind = self._rng(), np.atleast_1d(self.get_all_nodes(neg_neighbor_type))
        rows = [[node, *drawn(rng, np.setdiff1d(kind, [node, *(end for end, _ in self._targets[node])]), neg_neighbor_num)]
                for node in self._known(nodes)]
        return _given(np.array(rows, np.int32))

    def random_walk(self, target_nodes, meta_path, step_home_param=1.0, step_away_param=1.0, default_node=-1):
        """Returns for each node a walk along edges as of node2vec: itself and a node of each type of `meta_path`.

        Args:
          meta_path: 1 to 80 types.
          step_home_param, step_away_param: how rarely a step goes back, and away from what the last node led to.
          default_node: -1, or a number that stands for the nodes behind one without neighbors of the type.
        """
        nodes = _ids("target_nodes", target_nodes)
        if not 1 <= len(meta_path) <= _MAX_WALK:
            raise RuntimeError(f"Failed, meta path required between 1 and {_MAX_WALK}. The size of input path is {len(meta_path)}.")
        if min(step_home_param, step_away_param) < 1e-4:
            raise RuntimeError(f"step_home_param and step_away_param should be at least 0.0001, but got {step_home_param} and "
                               f"{step_away_param}.")
        if default_node != -1 and not 1 <= default_node < 2 ** 31:
            raise ValueError(f"default_node should be -1, or from 1 to 2147483647, but got {default_node}.")
        for kind in meta_path:
            self._check_type(int(kind))
        rng = self._rng()
        rows = [walk_of(rng, node, meta_path, lambda at, kind: self._neighbors(at, kind)[0],
                        lambda at: [end for end, _ in self._targets[at]], step_home_param, step_away_param, default_node)
                for node in self._known(nodes)]
        return _given(np.array(rows, np.int32))

    def _rng(self):
        return np.random.default_rng(seed_of("graph", next(self._draws)))

    # -- features

    def get_node_feature(self, node_list, feature_types):
        """Returns a list of features of nodes by their types, each [nodes, elements]; 0 for nodes that there are not."""
        return [self._features["node"].of(_ids("node_list", node_list), int(kind)) for kind in _types(feature_types)]

    def get_edge_feature(self, edge_list, feature_types):
        """Returns a list of features of edges by their types, each [edges, elements]; 0 for edges that there are not."""
        return [self._features["edge"].of(_ids("edge_list", edge_list), int(kind)) for kind in _types(feature_types)]


def _check_int(name, value):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"Argument {name} with value {value} is not of type [{int}], but got {type(value)}.")


def _types(values):
    if not isinstance(values, (list, np.ndarray)):
        raise TypeError(f"Argument feature_types with value {values} is not of type [{list}, {np.ndarray}], but got {type(values)}.")
    return values


def _ids(name, values):
    """Ids as an array; raises TypeError or RuntimeError for what are none."""
    if not isinstance(values, (list, np.ndarray)):
        raise TypeError(f"Argument {name} with value {values} is not of type [{list}, {np.ndarray}], but got {type(values)}.")
    found = np.asarray(values)
    if not found.size:
        raise RuntimeError(f"Input {name} is empty.")
    if found.dtype.kind not in "iu":
        raise TypeError(f"Each member in {name} should be an int, but got {values}.")
    return found
