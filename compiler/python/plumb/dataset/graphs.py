"""Graph: nodes and edges with features, in memory; InMemoryGraphDataset: graphs that a program makes of files once.

As in MindSpore, results lose their axes of length 1. Node ids are 0, 1, …; -1 stands for no node, whose features are 0.
"""

import enum
import itertools
import os

import numpy as np

from plumb.dataset._host import seed_of
from plumb.dataset.files import folder_of
from plumb.dataset.generator import GeneratorDataset


class OutputFormat(enum.IntEnum):
    """How `Graph.get_all_neighbors` gives them: rows filled up by -1, pairs, or offsets and ids."""

    NORMAL = 0
    COO = 1
    CSR = 2


class SamplingStrategy(enum.IntEnum):
    """How neighbors are drawn. EDGE_WEIGHT is not offered: edges have no weights here."""

    RANDOM = 0
    EDGE_WEIGHT = 1


class Graph:
    """A graph of nodes and directed edges.

    Args:
      edges: [2, edges]: the node that each edge starts from, and the one that it leads to.
      node_feat, edge_feat: dicts by name of arrays [nodes, features] and [edges, features].
      graph_feat: a dict by name of arrays.
      node_type, edge_type: a string for each node and edge; "0" by default.
      working_mode: "local"; a server is not offered.
    """

    def __init__(self, edges, node_feat=None, edge_feat=None, graph_feat=None, node_type=None, edge_type=None,
                 num_parallel_workers=None, working_mode="local", hostname="127.0.0.1", port=50051, num_client=1, auto_shutdown=True):
        if working_mode != "local":
            raise ValueError(f"For 'Graph', working_mode={working_mode!r} is not offered; leave it out.")
        self._edges = _checked_edges(edges)
        self._node_count = int(self._edges.max()) + 1
        counts = {"node_feat": self._node_count, "edge_feat": self._edges.shape[1], "graph_feat": None}
        given = {"node_feat": node_feat, "edge_feat": edge_feat, "graph_feat": graph_feat}
        self._features = {name: _checked_features(name, given[name], counts[name]) for name in given}
        self._node_types = _checked_types("node_type", node_type, self._node_count)
        self._edge_types = _checked_types("edge_type", edge_type, self._edges.shape[1])
        order = np.argsort(self._edges[0], kind="stable")
        self._targets = np.split(self._edges[1, order], np.searchsorted(self._edges[0, order], np.arange(1, self._node_count)))
        self._by_ends = {(int(start), int(end)): at for at, (start, end) in reversed(list(enumerate(self._edges.T)))}
        self._draws = itertools.count()

    # -- what there is

    def graph_info(self):
        """Returns the types and their numbers of nodes and edges, and the features' names, as a dict."""
        types = {"node": self._node_types, "edge": self._edge_types}
        info = {f"{kind}_type": list(dict.fromkeys(found.tolist())) for kind, found in types.items()}
        info.update({f"{kind}ure_type": list(features) for kind, features in self._features.items()})
        info.update({f"{kind}_num": {name: int((found == name).sum()) for name in info[f"{kind}_type"]} for kind, found in types.items()})
        return info

    def get_all_nodes(self, node_type):
        """Returns the ids of the nodes of a type."""
        return _of_type(self._node_types, "node_type", node_type)

    def get_all_edges(self, edge_type):
        """Returns the ids of the edges of a type."""
        return _of_type(self._edge_types, "edge_type", edge_type)

    def get_nodes_from_edges(self, edge_list):
        """Returns the two nodes of each edge."""
        return _given(self._edges.T[self._ids("edge", edge_list, self._edges.shape[1])])

    def get_edges_from_nodes(self, node_list):
        """Returns the edge between each pair of nodes, -1 where there is none."""
        pairs = [tuple(self._ids("node", pair, self._node_count).tolist()) for pair in node_list]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError(f"node_list should be a list of pairs, but got {node_list}.")
        return _given(np.array([self._by_ends.get(pair, -1) for pair in pairs], np.int32))

    # -- neighbors

    def get_all_neighbors(self, node_list, neighbor_type, output_format=OutputFormat.NORMAL):
        """Returns the nodes of a type that edges lead to from each node.

        Args:
          output_format: NORMAL gives for each node a row of itself and its neighbors, filled up by -1; COO pairs of a node and a
            neighbor; CSR where each node's neighbors begin, and the neighbors of all.
        """
        nodes, output_format = self._ids("node", node_list, self._node_count), OutputFormat(output_format)
        found = [self._neighbors(node, neighbor_type) for node in nodes]
        if output_format == OutputFormat.NORMAL:
            rows = np.full((len(nodes), 1 + max(map(len, found), default=0)), -1, np.int32)
            for row, node, neighbors in zip(rows, nodes, found):
                row[:1 + len(neighbors)] = [node, *neighbors]
            return _given(rows)
        if not any(map(len, found)):
            raise RuntimeError(f"The nodes {nodes.tolist()} have no neighbors of type '{neighbor_type}'.")
        if output_format == OutputFormat.COO:
            return _given(np.array([(node, other) for node, neighbors in zip(nodes, found) for other in neighbors], np.int32))
        starts = np.cumsum([0] + [len(neighbors) for neighbors in found[:-1]])
        return starts.astype(np.int32), np.concatenate(found).astype(np.int32)

    def get_sampled_neighbors(self, node_list, neighbor_nums, neighbor_types, strategy=SamplingStrategy.RANDOM):
        """Returns for each node a row: itself, neighbors drawn, for each of those neighbors of the next type, and so on.

        Where a node has fewer neighbors than `neighbor_nums` says, they are drawn repeatedly; where it has none, -1 stands for them.
        """
        if SamplingStrategy(strategy) != SamplingStrategy.RANDOM:
            raise ValueError("For 'get_sampled_neighbors', edges have no weights: SamplingStrategy.RANDOM is offered.")
        if len(neighbor_nums) != len(neighbor_types) or not neighbor_nums or min(neighbor_nums) < 1:
            raise ValueError(f"neighbor_nums and neighbor_types should have one positive number and one type for each hop, but got "
                             f"{neighbor_nums} and {neighbor_types}.")
        rng, rows = self._rng(), []
        for node in self._ids("node", node_list, self._node_count):
            row = last = [int(node)]
            for count, kind in zip(neighbor_nums, neighbor_types):
                last = [other for one in last for other in drawn(rng, self._neighbors(one, kind), count)]
                row = row + last
            rows.append(row)
        return _given(np.array(rows, np.int32))

    def get_neg_sampled_neighbors(self, node_list, neg_neighbor_num, neg_neighbor_type):
        """Returns for each node a row: itself, and nodes of a type drawn that no edge leads to from it."""
        rng, kind = self._rng(), self.get_all_nodes(neg_neighbor_type)
        rows = [[node, *drawn(rng, np.setdiff1d(np.atleast_1d(kind), [node, *self._targets[node]]), neg_neighbor_num)]
                for node in self._ids("node", node_list, self._node_count)]
        return _given(np.array(rows, np.int32))

    def random_walk(self, target_nodes, meta_path, step_home_param=1.0, step_away_param=1.0, default_node=-1):
        """Returns for each node a walk along edges as of node2vec: itself and a node of each type of `meta_path`.

        Args:
          meta_path: types, or their places in what graph_info returns.
          step_home_param, step_away_param: how rarely a step goes back, and away from what the last node led to.
          default_node: stands for the nodes behind one without neighbors of the type.
        """
        if min(step_home_param, step_away_param) <= 0:
            raise ValueError(f"step_home_param and step_away_param should be positive, but got {step_home_param} and {step_away_param}.")
        rng, meta_path = self._rng(), [self._node_type(kind) for kind in meta_path]
        rows = [walk_of(rng, int(node), meta_path, self._neighbors, lambda at: self._targets[at], step_home_param, step_away_param, default_node)
                for node in self._ids("node", target_nodes, self._node_count)]
        return _given(np.array(rows, np.int32))

    def _node_type(self, kind):
        """A type of nodes by its name or its place."""
        if isinstance(kind, bool) or not isinstance(kind, (int, np.integer)):
            return kind
        types = self.graph_info()["node_type"]
        if not 0 <= kind < len(types):
            raise ValueError(f"meta_path has the type {kind}, but the places of {types} are 0 to {len(types) - 1}.")
        return types[kind]

    def _rng(self):
        return np.random.default_rng(seed_of("graph", next(self._draws)))

    def _neighbors(self, node, kind):
        """The nodes of a type that edges lead to; none from -1."""
        _of_type(self._node_types, "neighbor_type", kind)
        targets = self._targets[node] if node >= 0 else np.zeros(0, np.int32)
        return targets[self._node_types[targets] == kind]

    # -- features

    def get_node_feature(self, node_list, feature_types):
        """Returns a list of the named features of nodes."""
        return self._of("node_feat", "node", self._ids("node", node_list, self._node_count, -1), feature_types)

    def get_edge_feature(self, edge_list, feature_types):
        """Returns a list of the named features of edges."""
        return self._of("edge_feat", "edge", self._ids("edge", edge_list, self._edges.shape[1], -1), feature_types)

    def get_graph_feature(self, feature_types):
        """Returns a list of the named features of the graph."""
        return [self._feature("graph_feat", "graph", name) for name in feature_types]

    def _of(self, kind, what, ids, names):
        found = []
        for name in names:
            feature = self._feature(kind, what, name)
            rows = feature[ids]
            rows[ids < 0] = 0
            found.append(_given(rows))
        return found

    def _feature(self, kind, what, name):
        if name not in self._features[kind]:
            raise ValueError(f"Given {what} feature type {name} is not exist in graph, existed is: {list(self._features[kind])}.")
        return self._features[kind][name]

    @staticmethod
    def _ids(what, ids, count, least=0):
        """Ids as an array; raises TypeError or RuntimeError for what are none."""
        found = np.asarray(ids)
        if found.dtype.kind not in "iu" or not found.size:
            raise TypeError(f"Each member in {what}_list should be an int, and there should be one, but got {ids}.")
        outside = found[(found < least) | (found >= count)]
        if outside.size:
            raise RuntimeError(f"Invalid {what} id:{outside.flat[0]}.")
        return found.astype(np.int32)

    # -- files

    def arrays(self):
        """Returns all that a Graph is made of, as arrays by name."""
        kept = {"edges": self._edges, "node_type": self._node_types, "edge_type": self._edge_types}
        return kept | {f"{kind}/{name}": array for kind, features in self._features.items() for name, array in features.items()}

    @classmethod
    def of_arrays(cls, arrays):
        """The graph that `arrays` returned."""
        features = {kind: {name[len(kind) + 1:]: array for name, array in arrays.items() if name.startswith(kind + "/")}
                    for kind in ("node_feat", "edge_feat", "graph_feat")}
        return cls(arrays["edges"], **features, node_type=arrays["node_type"], edge_type=arrays["edge_type"])


def _given(array):
    """An array without axes of length 1."""
    return np.squeeze(array)


def drawn(rng, others, count, weights=None):
    """`count` of the nodes, or -1 where there are none.

    Args:
      weights: how likely each is, every time; None has each drawn once before one comes again.
    """
    if not len(others):
        return [-1] * count
    if weights is not None:
        return rng.choice(others, count, p=weights / weights.sum()).tolist()
    rounds = [rng.permutation(others) for _ in range(-(-count // len(others)))]
    return np.concatenate(rounds)[:count].tolist()


def walk_of(rng, node, meta_path, neighbors, targets, step_home, step_away, default_node):
    """A walk as of node2vec (Grover and Leskovec 2016): a node, and one of each type.

    Args:
      neighbors: a function of a node and a type, to the nodes of the type that edges lead to.
      targets: a function of a node to all nodes that edges lead to.
      step_home, step_away: how rarely a step goes back, and away from what the last node led to.
      default_node: stands for nodes behind one that has no neighbors of the type.
    """
    walk = [node]
    for kind in meta_path:
        others = neighbors(walk[-1], kind)
        if not len(others):
            break
        shares = np.ones(len(others))
        if len(walk) > 1:
            near = np.isin(others, targets(walk[-2]))
            shares = np.where(others == walk[-2], 1 / step_home, np.where(near, 1.0, 1 / step_away))
        walk.append(int(rng.choice(others, p=shares / shares.sum())))
    return walk + [default_node] * (1 + len(meta_path) - len(walk))


def _of_type(types, name, kind):
    if not isinstance(kind, str):
        raise TypeError(f"Argument {name} with value {kind} is not of type [{str}], but got {type(kind)}.")
    found = np.flatnonzero(types == kind).astype(np.int32)
    if not found.size:
        raise ValueError(f"Given {name.replace('_', ' ')} {kind} is not exist in graph, existed is: {list(dict.fromkeys(types.tolist()))}.")
    return _given(found)


def _checked_edges(edges):
    if not isinstance(edges, (list, np.ndarray)):
        raise TypeError(f"Argument edges with value {edges} is not of type [{list}, {np.ndarray}], but got {type(edges)}.")
    found = np.asarray(edges)
    if found.ndim != 2 or found.shape[0] != 2 or not found.shape[1]:
        raise ValueError(f"Input 'edges' should be of 2 dimension, here got {found.ndim}. And shape of first dimension should be 2, here "
                         f"got {found.shape[0] if found.ndim else 0}.")
    if found.dtype.kind not in "iu":
        raise TypeError(f"Each element in input 'edges' should be int, got value: {edges}.")
    if found.min() < 0 or found.max() >= 2 ** 31 - 1:
        raise ValueError(f"Each element in input 'edges' should be a node's id of at least 0, but got {found.min()} to {found.max()}.")
    return found.astype(np.int32)


def _checked_features(what, features, count):
    if features is not None and not isinstance(features, dict):
        raise TypeError(f"{what} should be dict type, but got: {type(features)}")
    for name, array in (features or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"key '{name}' in parameter {what} should be {str} type, but got: {type(name)}")
        if not isinstance(array, np.ndarray):
            raise TypeError(f"value of '{name}' in parameter {what} should be {np.ndarray} type, but got: {type(array)}")
        if count is not None and (array.ndim != 2 or array.shape[0] != count):
            raise ValueError(f"Shape of '{name}' in '{what}' should be of 2 dimension, and shape of first dimension should be: {count}, "
                             f"but got: {array.shape}.")
    return dict(features or {})


def _checked_types(name, types, count):
    found = np.asarray(["0"] * count if types is None else types)
    if found.dtype.kind != "U":
        raise TypeError(f"Each element in '{name}' should be a string, but got {types}.")
    if found.shape != (count,):
        raise ValueError(f"Input '{name}' should be of 1 dimension, and its length should be {count}, but got {len(found)}.")
    return found


class InMemoryGraphDataset(GeneratorDataset):
    """Base of data sets of graphs. A subclass makes `self.graphs` in `process`; they are kept in a file, which the next run loads.

    To be iterated over, a subclass defines `__getitem__`, which returns a row, and `__len__`.

    Args:
      data_dir: the folder that `process` reads.
      save_dir: where graphs are kept, within it.
      column_names: names of what `__getitem__` returns.
      num_samples, shuffle, num_shards, shard_id and others: as of GeneratorDataset.
    """

    in_memory = True

    def __init__(self, data_dir, save_dir="./processed", column_names="graph", num_samples=None, num_parallel_workers=1, shuffle=None,
                 num_shards=None, shard_id=None, python_multiprocessing=True, max_rowsize=6):
        self.graphs, self.data_dir = [], folder_of(data_dir)
        self.save_dir = os.path.join(self.data_dir, save_dir)
        self.processed_path = os.path.join(self.save_dir, "graphs.npz")
        if os.path.exists(self.processed_path):
            self.load()
        else:
            self.process()
            self.save()
        super().__init__(self if hasattr(self, "__getitem__") else self._no_rows, column_names, num_samples=num_samples, num_parallel_workers=num_parallel_workers, shuffle=shuffle,
                         num_shards=num_shards, shard_id=shard_id, python_multiprocessing=python_multiprocessing, max_rowsize=max_rowsize)

    def _no_rows(self):
        raise NotImplementedError(f"{type(self).__name__} has to define __getitem__() and __len__() to be iterated over.")

    def process(self):
        """Makes `self.graphs`, a list of Graphs."""
        raise NotImplementedError(f"{type(self).__name__} has to define process(), which makes self.graphs.")

    def save(self):
        """Keeps `self.graphs` in a file."""
        os.makedirs(self.save_dir, exist_ok=True)
        arrays = {f"{number}/{name}": array for number, graph in enumerate(self.graphs) for name, array in graph.arrays().items()}
        with open(self.processed_path + ".part", "wb") as file:
            np.savez(file, **arrays)
        os.replace(self.processed_path + ".part", self.processed_path)

    def load(self):
        """Makes `self.graphs` of what `save` kept."""
        try:
            with np.load(self.processed_path, allow_pickle=False) as file:
                arrays = dict(file)
            numbers = sorted({int(name.split("/")[0]) for name in arrays})
            self.graphs = [Graph.of_arrays({name.split("/", 1)[1]: array for name, array in arrays.items()
                                            if name.startswith(f"{number}/")}) for number in numbers]
        except (ValueError, TypeError, KeyError, IndexError, OSError, EOFError) as problem:
            raise ValueError(f"'{self.processed_path}' holds no graphs that were kept: {problem!r}; remove it.") from None
