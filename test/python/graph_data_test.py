"""GraphData: a graph in MindRecord files. Expected results are MindSpore 2.0.0's for this file; of draws, what they may be."""

import collections
import unittest

import numpy as np

from plumb.dataset import GraphData, OutputFormat, SamplingStrategy
from plumb.mindrecord import FileWriter
from folders import Folder

NODES = [(number, 1) for number in (1, 2, 3)] + [(number, 2) for number in (11, 12, 13, 14)]
EDGES = [(1, 11, 1.0), (1, 12, 3.0), (2, 12, 1.0), (11, 1, 1.0), (12, 1, 2.0), (12, 2, 1.0), (13, 1, 1.0)]
SCHEMA = {"first_id": {"type": "int64"}, "second_id": {"type": "int64"}, "third_id": {"type": "int64"}, "type": {"type": "int32"},
          "attribute": {"type": "string"}, "weight": {"type": "float32"}, **{name: {"type": kind, "shape": [-1]} for name, kind in (
              ("node_feature_1", "int32"), ("node_feature_2", "float32"), ("node_feature_index", "int32"), ("edge_feature_1", "float32"),
              ("edge_feature_index", "int32"))}}
NOTHING = {"second_id": 0, "third_id": 0, "weight": 1.0, "node_feature_1": np.array([0], np.int32),
           "node_feature_2": np.array([0], np.float32), "node_feature_index": np.array([-1], np.int32),
           "edge_feature_1": np.array([0], np.float32), "edge_feature_index": np.array([-1], np.int32)}


def rows():
    """The file's rows: nodes of the type 1 have two features, those of the type 2 one; edges from 12 have none."""
    for number, kind in NODES:
        own = {"node_feature_1": np.array([number, kind], np.int32), "node_feature_index": np.array([1], np.int32)}
        if kind == 1:
            own |= {"node_feature_2": np.array([number / 2], np.float32), "node_feature_index": np.array([1, 2], np.int32)}
        yield NOTHING | own | {"attribute": "n", "first_id": number, "type": kind}
    for number, (start, end, weight) in enumerate(EDGES):
        own = {} if start == 12 else {"edge_feature_1": np.array([number, -weight], np.float32), "edge_feature_index": np.array([1], np.int32)}
        yield NOTHING | own | {"attribute": "e", "first_id": number, "type": 0, "second_id": start, "third_id": end, "weight": weight}


class GraphDataTest(Folder):
    """One graph of two types of nodes."""

    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "graph")
        writer = FileWriter(self.path, 1)
        writer.add_schema(SCHEMA, "graph")
        writer.add_index(["first_id", "second_id", "third_id", "type", "attribute", "weight"])
        writer.write_raw_data(list(rows()))
        writer.commit()
        self.graph = GraphData(self.path)

    def test_what_there_is(self):
        self.assertEqual(self.graph.graph_info(), {
            "node_type": [1, 2], "edge_type": [0], "node_num": {1: 3, 2: 4}, "edge_num": {0: 7}, "node_feature_type": [1, 2],
            "edge_feature_type": [1], "graph_feature_type": []})
        self.assertEqual(self.graph.get_all_nodes(2).tolist(), [11, 12, 13, 14])
        self.assertEqual(self.graph.get_all_edges(0).tolist(), list(range(7)))
        self.assertEqual(self.graph.get_nodes_from_edges([1, 4]).tolist(), [[1, 12], [12, 1]])
        self.assertEqual(self.graph.get_edges_from_nodes([(1, 12), (12, 11)]).tolist(), [1, -1])

    def test_neighbors(self):
        find = self.graph.get_all_neighbors
        self.assertEqual(find([1, 2, 3], 2).tolist(), [[1, 11, 12], [2, 12, -1], [3, -1, -1]])
        self.assertEqual(find([1, 2], 1).tolist(), [1, 2])
        self.assertEqual(find([1, 3, 2], 2, OutputFormat.COO).tolist(), [[1, 11], [1, 12], [2, 12]])
        self.assertEqual([part.tolist() for part in find([1, 3, 2], 2, OutputFormat.CSR)], [[0, 2, 2], [11, 12, 12]])

    def test_features(self):
        numbers, halves = self.graph.get_node_feature([2, -1, 12], [1, 2])
        self.assertEqual([numbers.tolist(), halves.tolist(), numbers.dtype], [[[2, 1], [0, 0], [12, 2]], [1, 0, 0], np.int32])
        self.assertEqual(self.graph.get_edge_feature([1, 4], [1])[0].tolist(), [[1, -3], [0, 0]])

    def test_draws(self):
        drawn = self.graph.get_sampled_neighbors([1, 3], [3, 1], [2, 1])
        self.assertEqual(drawn.shape, (2, 7))
        self.assertEqual(set(drawn[0, 1:3].tolist()), {11, 12})
        self.assertEqual(drawn[1].tolist(), [3] + [-1] * 6)
        weighted = self.graph.get_sampled_neighbors([1] * 4000, [1], [2], SamplingStrategy.EDGE_WEIGHT)[:, 1]
        self.assertAlmostEqual((weighted == 12).mean(), 0.75, delta=0.03)
        others = self.graph.get_neg_sampled_neighbors([1, 2], 4, 2)[:, 1:]
        self.assertEqual([collections.Counter(row) for row in others.tolist()][0], {13: 2, 14: 2})
        self.assertEqual(set(others[1].tolist()) - {11, 13, 14}, set())

    def test_walks(self):
        walk = self.graph.random_walk([2, 3], [2, 1, 2], default_node=99)
        self.assertEqual(walk[1].tolist(), [3, 99, 99, 99])
        self.assertEqual(walk[0, :2].tolist(), [2, 12])
        back = self.graph.random_walk([2] * 2000, [2, 1], step_home_param=9.0)[:, 2]
        self.assertAlmostEqual((back == 2).mean(), 0.1, delta=0.03)  # to 1, to which no edge leads from 2: 1 against 1/9

    def test_errors(self):
        graph = self.graph
        for error, function, args in ((RuntimeError, graph.get_all_nodes, (5,)), (TypeError, graph.get_all_nodes, ("1",)),
                                      (RuntimeError, graph.get_all_neighbors, ([77], 2)), (RuntimeError, graph.get_all_neighbors, ([1], 9)),
                                      (RuntimeError, graph.get_all_neighbors, ([1], 1, OutputFormat.COO)),
                                      (TypeError, graph.get_all_neighbors, (1, 2)), (RuntimeError, graph.get_all_neighbors, ([], 2)),
                                      (RuntimeError, graph.get_node_feature, ([1], [9])), (RuntimeError, graph.get_nodes_from_edges, ([99],)),
                                      (ValueError, graph.get_sampled_neighbors, ([1], [1] * 7, [2] * 7)),
                                      (RuntimeError, graph.get_sampled_neighbors, ([1], [8], [2])),
                                      (RuntimeError, graph.random_walk, ([1], [])), (ValueError, graph.random_walk, ([1], [2], 1.0, 1.0, -7)),
                                      (ValueError, GraphData, (self.path + "x",)), (ValueError, GraphData, (self.path, 1, "server"))):
            with self.subTest(call=function.__name__, args=args), self.assertRaises(error):
                function(*args)


if __name__ == "__main__":
    unittest.main()
