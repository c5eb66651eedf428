"""Graphs in memory: what they are asked and drawn; results are those of MindSpore 2.0.0 where nothing is drawn."""

import unittest

import numpy as np

from plumb import dataset
from plumb.dataset import Graph, OutputFormat, SamplingStrategy
from folders import Folder

EDGES = np.array([[0, 0, 0, 1, 2, 4], [1, 2, 3, 2, 3, 0]], np.int32)
NODES = {"w": np.arange(10, dtype=np.float32).reshape(5, 2), "l": np.arange(5, dtype=np.int32).reshape(5, 1)}
EDGE_FEATURES, KINDS, EDGE_KINDS = {"e": np.arange(6.0).reshape(6, 1)}, ["a", "a", "b", "b", "c"], ["x", "x", "y", "y", "x", "x"]


class GraphTest(unittest.TestCase):
    """Graph."""

    def setUp(self):
        self.graph = Graph(EDGES, NODES, EDGE_FEATURES, {"g": np.array([1, 2, 3])}, KINDS, EDGE_KINDS)
        self.plain = Graph(EDGES)

    def test_contents(self):
        self.assertEqual(self.graph.graph_info(), {
            "node_type": ["a", "b", "c"], "edge_type": ["x", "y"], "node_feature_type": ["w", "l"], "edge_feature_type": ["e"],
            "graph_feature_type": ["g"], "node_num": {"a": 2, "b": 2, "c": 1}, "edge_num": {"x": 4, "y": 2}})
        self.assertEqual(self.plain.graph_info()["node_num"], {"0": 5})
        for found, expected in ((self.graph.get_all_nodes("b"), [2, 3]), (self.graph.get_all_edges("y"), [2, 3]),
                                (self.graph.get_nodes_from_edges([0, 3]), [[0, 1], [1, 2]]),
                                (self.graph.get_edges_from_nodes([(0, 2), (2, 3)]), [1, 4]), (self.graph.get_edges_from_nodes([(2, 0)]), -1)):
            self.assertEqual((found.dtype, found.tolist()), (np.int32, expected))
        found = self.graph.get_node_feature([0, -1], ["w", "l"])
        self.assertEqual([(array.dtype, array.tolist()) for array in found], [(np.float32, [[0, 1], [0, 0]]), (np.int32, [0, 0])])
        self.assertEqual(NODES["w"][-1].tolist(), [8, 9])
        self.assertEqual(self.graph.get_edge_feature([1, 5], ["e"])[0].tolist(), [1, 5])
        self.assertEqual(self.graph.get_graph_feature(["g"])[0].tolist(), [1, 2, 3])

    def test_neighbors(self):
        for nodes, kind, form, expected in (
                ([0], "a", OutputFormat.NORMAL, [0, 1]), ([0, 1, 4], "b", OutputFormat.NORMAL, [[0, 2, 3], [1, 2, -1], [4, -1, -1]]),
                ([3], "a", OutputFormat.NORMAL, 3), ([0, 1, 4], "b", OutputFormat.COO, [[0, 2], [0, 3], [1, 2]])):
            self.assertEqual(self.graph.get_all_neighbors(nodes, kind, form).tolist(), expected)
        starts, others = self.plain.get_all_neighbors([0, 1, 4], "0", OutputFormat.CSR)
        self.assertEqual((starts.tolist(), others.tolist()), ([0, 3, 4], [1, 2, 3, 2, 0]))
        with self.assertRaisesRegex(RuntimeError, "no neighbors"):
            self.graph.get_all_neighbors([3], "a", OutputFormat.COO)

    def test_draws(self):
        targets = {node: set(EDGES[1, EDGES[0] == node].tolist()) or {-1} for node in range(-1, 5)}
        seen = set()
        for _ in range(40):
            rows = self.plain.get_sampled_neighbors([0, 4], [2, 3], ["0", "0"])
            self.assertEqual((rows.shape, rows[:, 0].tolist()), ((2, 9), [0, 4]))
            for row in rows.tolist():
                for at, other in enumerate(row[1:3]):
                    self.assertTrue(other in targets[row[0]] and set(row[3 + 3 * at:6 + 3 * at]) <= targets[other])
            self.assertEqual(len(set(rows[0, 1:3].tolist())), 2)
            seen.add(tuple(rows[0, 1:3].tolist()))
            drawn = self.plain.get_neg_sampled_neighbors([0, 4], 2, "0")
            self.assertEqual(drawn[0].tolist(), [0, 4, 4])
            self.assertTrue(set(drawn[1, 1:].tolist()) <= {1, 2, 3} and len(set(drawn[1].tolist())) == 3)
            walk = self.plain.random_walk([4], ["0"] * 3).tolist()
            self.assertTrue(all(other in targets[node] for node, other in zip(walk, walk[1:])))
        self.assertEqual(len(seen), 6)
        self.assertEqual(self.plain.random_walk([3, 4], ["0"], default_node=-7).tolist(), [[3, -7], [4, 0]])
        self.assertEqual({tuple(self.graph.random_walk([4], [0, 1]).tolist()) for _ in range(30)}, {(4, 0, 2), (4, 0, 3)})

    def test_walks_prefer_what_parameters_say(self):
        graph = Graph(np.array([[0, 1, 1, 1, 0], [1, 0, 2, 3, 2]]))  # from 1: back to 0, to 2 beside it, or away to 3
        for parameters, wanted in (((1e-9, 1.0), 0), ((1e9, 1e9), 2), ((1e9, 1e-9), 3)):
            ends = {int(graph.random_walk([0], ["0", "0"], *parameters)[2]) for _ in range(30)}
            self.assertEqual(ends, {wanted, -1})

    def test_refusals(self):
        for make, problem, message in (
                (lambda: Graph(5), TypeError, "edges"), (lambda: Graph([0, 1]), ValueError, "2 dimension"),
                (lambda: Graph(EDGES * 1.0), TypeError, "should be int"), (lambda: Graph([[-1], [0]]), ValueError, "at least 0"),
                (lambda: Graph(EDGES, 5), TypeError, "dict"), (lambda: Graph(EDGES, {"w": [1]}), TypeError, "'w'"),
                (lambda: Graph(EDGES, {"w": np.zeros((2, 2))}), ValueError, "first dimension should be: 5"),
                (lambda: Graph(EDGES, node_type=["a"]), ValueError, "length should be 5"),
                (lambda: Graph(EDGES, working_mode="server"), ValueError, "working_mode"),
                (lambda: self.graph.get_all_nodes("q"), ValueError, "existed is"), (lambda: self.graph.get_all_nodes(1), TypeError, "node_type"),
                (lambda: self.graph.random_walk([0], [3]), ValueError, "meta_path has the type 3"),
                (lambda: self.graph.get_node_feature([9], ["w"]), RuntimeError, "Invalid node id:9"),
                (lambda: self.graph.get_node_feature([0], ["q"]), ValueError, "node feature type q"),
                (lambda: self.graph.get_nodes_from_edges([0.5]), TypeError, "edge_list"),
                (lambda: self.plain.get_sampled_neighbors([0], [1], ["0"], SamplingStrategy.EDGE_WEIGHT), ValueError, "no weights")):
            with self.assertRaisesRegex(problem, message):
                make()


class Mine(dataset.InMemoryGraphDataset):
    """Two graphs."""

    made = 0

    def process(self):
        Mine.made += 1
        self.graphs = [Graph(EDGES, NODES, EDGE_FEATURES, None, KINDS, EDGE_KINDS), Graph(EDGES[:, :2])]

    def __getitem__(self, index):
        return self.graphs[index].graph_info()["edge_num"].get("x", -1), self.graphs[index].get_all_neighbors([0], "a" if index == 0 else "0")

    def __len__(self):
        return len(self.graphs)


class GraphsTest(Folder):
    """InMemoryGraphDataset."""

    def test_kept(self):
        for _ in range(2):
            data = Mine(str(self.folder), column_names=["count", "neighbors"], shuffle=False)
            self.assertEqual((data.get_dataset_size(), self.plain(data)), (2, [[4, [0, 1]], [-1, [0, 1, 2]]]))
        self.assertEqual(Mine.made, 1)
        self.assertEqual(data.graphs[0].get_node_feature([4], ["w"])[0].tolist(), [8, 9])
        self.write("processed/graphs.npz", b"no")
        with self.assertRaisesRegex(ValueError, "graphs.npz' holds no graphs"):
            Mine(str(self.folder))


if __name__ == "__main__":
    unittest.main()
