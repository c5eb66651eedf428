"""Cases of what stands around rows: schemas, pipelines as JSON, callbacks, graphs; as cases.py says."""

import pathlib

_EVENTS = pathlib.Path(__file__).resolve().parents[3] / "test" / "python" / "dataset_events.py"

_IMAGES = "ds.ImageFolderDataset(folder + '/images', shuffle=False, decode=True)"
_LINES = "ds.TextFileDataset(folder + '/lines.txt', shuffle=False)"
_TABLE = "ds.CSVDataset(folder + '/table.csv', column_defaults=['', 0, 0.0], column_names=['n', 'i', 'f'], shuffle=False)"

#: Pipelines that are made again from what they are written as.
DATASETS = {
    "serialize": [f"ds.deserialize(ds.serialize({text}))" for text in (
        f"{_LINES}.take(3).skip(1).repeat(2)", f"{_TABLE}.rename(['i'], ['j']).project(['j', 'f']).batch(2, drop_remainder=True)",
        f"{_IMAGES}.map([vision.Resize((3, 4), vision.Inter.NEAREST), vision.HWC2CHW()], 'image')")],
    "deserialize": [f"ds.deserialize(ds.serialize({text}))" for text in (
        "ds.ImageFolderDataset(folder + '/images', sampler=ds.SequentialSampler(1, 2))",
        f"ds.zip(({_LINES}, {_LINES}.rename('text', 'other')))", f"{_TABLE}.map(transforms.TypeCast(ms.float32), 'i').batch(3)")],
}

_NAMED = "[('b', ms.uint8, [2]), ('a', 'float32', None), ('c', 'string', [])]"
_ALL = "[('uint8', ms.uint8, [40]), ('float32', ms.float32, [40]), ('int64', ms.int64, [40])]"

#: Expressions by module and name.
VALUES = {
    "dataset": {
        "Schema": [f"schema({_NAMED}).to_json()", "parsed({'x': {'type': 'int8', 'shape': [3, 3]}, 'y': {'type': 'int8'}}).to_json()",
                   "parsed([{'name': 'x', 'type': 'int8', 'rank': 1}]).to_json()"],
        "RandomDataset": [f"described(dataset.RandomDataset(6, schema({_ALL}), {arguments}))" for arguments in (
            "", "columns_list=['uint8']", "num_samples=2", "num_shards=4, shard_id=3")],
        "compare": ["[dataset.compare(lines().batch(2), lines().batch(2)), dataset.compare(lines().batch(2), lines().batch(3))]"],
        "DSCallback": [f"heard(lambda callback: {text}, {size})" for text, size in (
            ("counted(4).map(lambda value: value, callbacks=callback)", 1), ("counted(4).map(lambda value: value, callbacks=[callback])", 3),
            ("counted(4).batch(2).map(lambda value: value, callbacks=callback)", 1), ("counted(4).map(lambda value: value, callbacks=callback).batch(2).repeat(3)", 2))],
        "WaitedDSCallback": ["waited()"],
        "Graph": ["graph().graph_info()['node_num']['a'], graph().graph_info()['edge_num']['x']", "[graph().get_all_nodes(kind) for kind in 'ab']",
                  "plain().get_all_edges('0')", "graph().get_nodes_from_edges([0, 1, 3, 5])", "graph().get_edges_from_nodes([(0, 2), (2, 3)])",
                  *(f"graph().get_all_neighbors({arguments})" for arguments in (
                      "[0, 1, 4], 'b'", "[0], 'a'", "[0, 1, 4], 'b', dataset.OutputFormat.COO", "[0, 1, 4], 'b', dataset.OutputFormat.CSR")),
                  *(f"graph().get_node_feature([0, 3, -1], ['{name}'])" for name in "wl"), "graph().get_edge_feature([1, 5], ['e'])", "graph().get_graph_feature(['g'])",
                  "graph().random_walk([4, 3], [0, 0], default_node=-7)", "graph().get_sampled_neighbors([4], [1], ['a'])"],
        "InMemoryGraphDataset": ["[str([value.tolist() for value in part]) for part in Graphs(tempfile.mkdtemp(), column_names=['count', 'neighbors'], shuffle=False)"
                                 ".create_tuple_iterator(num_epochs=1, output_numpy=True)]"],
    },
    "transforms": {"not_random": ["transforms.not_random(total).random", "transforms.not_random(polynomial)(3)"]},
    "vision": {"not_random": ["vision.not_random(total).random"]},
}

#: Expressions whose values are samples.
RANDOM = {"RandomDataset": [f"dataset.RandomDataset(3000, schema({_ALL})).project(['{name}'])" for name in ("uint8", "float32")]}

#: Functions and classes that these expressions use; part of the generated file.
HEAD = _EVENTS.read_text(encoding="utf-8").replace("from plumb ", "from mindspore ") + '''
from mindspore.dataset import transforms, vision


def schema(columns):
    found = dataset.Schema()
    for name, kind, shape in columns:
        found.add_column(name, kind, shape)
    return found


def parsed(columns):
    found = dataset.Schema()
    found.parse_columns(columns)
    return found


def described(data):
    return f"{data.get_dataset_size()} {data.get_col_names()} {data.output_shapes()} {[str(np.dtype(kind)) for kind in data.output_types()]}"


def lines():
    path = os.path.abspath("lines.txt")  # of one name, since pipelines of two files are different
    with open(path, "w") as file:
        file.write("one\\ntwo\\nthree\\n")
    return dataset.TextFileDataset(path, shuffle=False)


def counted(rows):
    return dataset.NumpySlicesDataset(np.arange(rows, dtype=np.float32), ["x"], shuffle=False)


def heard(make, step_size):
    callback = Heard(step_size)
    rows = make(callback).create_tuple_iterator(num_epochs=2, output_numpy=True)
    for _ in range(2):
        list(rows)
    events = sorted(callback.events, key=lambda event: event[0])  # MindSpore's rows begin before others are done
    return ", ".join(" ".join(map(str, event)) for event in events)


class Adds(nn.Cell):
    """A network without Parameters."""

    def construct(self, x):
        return x + 1


def waited():
    events = []
    waits = Waits(events, 2)
    data = counted(4).map(lambda value: value, callbacks=waits).batch(2)
    train.Model(Adds()).train(2, data, [Trains(events), waits], dataset_sink_mode=False)
    return ", ".join(events)


def graph():
    features = {"w": np.arange(10, dtype=np.float32).reshape(5, 2), "l": np.arange(5, dtype=np.int32).reshape(5, 1)}
    edges = np.array([[0, 0, 0, 1, 2, 4], [1, 2, 3, 2, 3, 0]], np.int32)
    return dataset.Graph(edges, features, {"e": np.arange(6.0).reshape(6, 1)}, {"g": np.array([1, 2, 3])}, ["a", "a", "b", "b", "c"],
                         ["x", "x", "y", "y", "x", "x"])


def plain():
    return dataset.Graph(np.array([[0, 0, 0, 1, 2, 4], [1, 2, 3, 2, 3, 0]], np.int32))


class Graphs(dataset.InMemoryGraphDataset):
    """Two graphs."""

    def process(self):
        self.graphs = [plain(), plain()]

    def __getitem__(self, index):
        return self.graphs[index].graph_info()["edge_num"]["0"], self.graphs[index].get_all_neighbors([int(index)], "0")

    def __len__(self):
        return len(self.graphs)
'''
