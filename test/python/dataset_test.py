"""Datasets whose rows pass through Python: rows, names, sizes and errors as MindSpore 2.0.0 gives them, and training on them."""

import os
import time
import unittest

import numpy as np

import plumb
from plumb import dataset as ds, nn, ops, train
from plumb.dataset import _embed, audio, text, transforms, vision


def rows(dataset, **options):
    """One pass as a list of tuples of plain numbers and lists."""
    return [tuple(value.tolist() for value in row)
            for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True, **options)]


def pairs():
    """A generator function of four rows."""
    for i in range(4):
        yield i, float(i)


class Indexed:
    """Five rows of two columns, by index."""

    def __getitem__(self, index):
        return np.array([index], np.int32), index * 2

    def __len__(self):
        return 5


class Iterable:
    """Two rows of one column, by iteration."""

    def __iter__(self):
        return iter([(np.array(1),), (np.array(2),)])


def indexed(**options):
    """The five rows as a dataset."""
    return ds.GeneratorDataset(Indexed(), ["a", "b"], **{"shuffle": False, **options})


def lists(values, name="s"):
    """Rows of one column from a list."""
    return ds.GeneratorDataset(values, [name], shuffle=False)


def process_of(row):
    """The process that works on a row."""
    return np.array([os.getpid()]) + 0 * row


class SourceTest(unittest.TestCase):
    """What gives rows."""

    def test_rows(self):
        for dataset, expected in (
                (ds.GeneratorDataset(pairs, ["a", "b"]), [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)]),
                (indexed(), [([0], 0), ([1], 2), ([2], 4), ([3], 6), ([4], 8)]),
                (ds.GeneratorDataset(Iterable(), "a"), [(1,), (2,)]),
                (lists([1, 2, 3]), [(1,), (2,), (3,)]),
                (ds.GeneratorDataset([(1, 2), (3, 4)], ["a", "b"], shuffle=False), [(1, 2), (3, 4)]),
                (ds.GeneratorDataset([[1, 2], [3, 4]], ["a", "b"], shuffle=False), [(1, 2), (3, 4)]),
                (ds.GeneratorDataset([[1, 2], [3, 4]], ["a"], shuffle=False), [([1, 2],), ([3, 4],)]),
                (ds.GeneratorDataset(ds.GeneratorDataset(pairs, ["a", "b"]), ["c", "d"], shuffle=True), [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)]),
                (lists(np.arange(6).reshape(3, 2)), [([0, 1],), ([2, 3],), ([4, 5],)]),
                (indexed(num_samples=2), [([0], 0), ([1], 2)]),
                (indexed(num_shards=2, shard_id=1), [([1], 2), ([3], 6), ([0], 0)]),
                (ds.PaddedDataset([{"a": np.array([7]), "b": 8}]), [([7], 8)])):
            with self.subTest(expected=expected):
                self.assertEqual(rows(dataset), expected)
                self.assertEqual(dataset.get_dataset_size(), len(expected))

    def test_rows_that_are_no_tuples(self):
        """Iterators are rows; where there are several columns, so are containers other than strings, dicts, sets and arrays."""
        for make in (lambda i: (part[i] for part in ([1, 2], [3, 4])), lambda i: map(int, (i + 1, i + 3)),
                     lambda i: {"x": i + 1, "y": i + 3}.values(), lambda i: range(i + 1, i + 4, 2)):
            self.assertEqual(rows(ds.GeneratorDataset(lambda make=make: (make(i) for i in range(2)), ["a", "b"])), [(1, 3), (2, 4)])
        self.assertEqual(rows(ds.GeneratorDataset(lambda: ((v for v in [i]) for i in range(2)), ["a"])), [(0,), (1,)])
        for make in (lambda: (v for v in [1]), lambda: "xy", lambda: np.zeros(2), lambda: {"a": 1, "b": 2}):
            with self.assertRaisesRegex(ValueError, "gave 1 values, but there are 2 columns"):
                rows(ds.GeneratorDataset(lambda make=make: (make() for _ in range(2)), ["a", "b"]))

    def test_stopped(self):
        """A stopped iterator has no more rows; its dataset has."""
        from plumb.dataset.engine import iterators
        dataset = ds.GeneratorDataset(pairs, ["a", "b"])
        for stop in (lambda held: held.stop(), lambda held: held.release(), lambda _: iterators._cleanup()):
            held = dataset.create_dict_iterator(num_epochs=1)
            self.assertEqual((len(next(held)), held.get_col_names()), (2, ["a", "b"]))
            stop(held)
            with self.assertRaisesRegex(RuntimeError, "has been stopped"):
                next(held)
        self.assertEqual(len(rows(dataset)), 4)

    def test_samplers(self):
        for sampler, expected in ((ds.SequentialSampler(1, 3), [1, 2, 3]), ([3, 1], [3, 1]), (ds.SubsetSampler([4, 0]), [4, 0]),
                                  (ds.DistributedSampler(2, 0, shuffle=False), [0, 2, 4]),
                                  (ds.DistributedSampler(3, 1, shuffle=False, offset=1), [0, 3]),
                                  (ds.DistributedSampler(3, 0, shuffle=False, offset=1), [2]),
                                  (ds.WeightedRandomSampler([0, 0, 1, 0, 0], 3), [2, 2, 2])):
            dataset = ds.GeneratorDataset(Indexed(), ["a", "b"], sampler=sampler)
            self.assertEqual([row[0][0] for row in rows(dataset)], expected)
            self.assertEqual(dataset.get_dataset_size(), len(expected))

    def test_orders_of_the_programs_own(self):
        """A sampler of the program's own is the order, and a source without indices has one, whatever `shuffle` says."""
        for shuffle in (None, False, True):
            with self.subTest(shuffle=shuffle):
                dataset = ds.GeneratorDataset(Indexed(), ["a", "b"], sampler=[3, 1, 2], shuffle=shuffle, num_samples=2)
                self.assertEqual([row[0][0] for row in rows(dataset)], [3, 1])
                self.assertEqual(rows(ds.GeneratorDataset(Iterable(), "a", shuffle=shuffle)), [(1,), (2,)])
        for options in ({"sampler": ds.SequentialSampler(), "shuffle": False}, {"sampler": ds.SequentialSampler(), "num_samples": 2}):
            with self.assertRaisesRegex(ValueError, "cannot be specified at the same time"):
                ds.GeneratorDataset(Indexed(), ["a", "b"], **options)
        with self.assertRaisesRegex(ValueError, "sampler is not supported"):
            ds.GeneratorDataset(Iterable(), "a", sampler=[1])

    def test_names_of_columns(self):
        """Those that the program gives stand in place of a dict's keys."""
        source = {"a": [1, 2], "b": [3, 4]}
        self.assertEqual(ds.NumpySlicesDataset(source, shuffle=False).get_col_names(), ["a", "b"])
        renamed = ds.NumpySlicesDataset(source, ["c", "d"], shuffle=False)
        self.assertEqual((renamed.get_col_names(), rows(renamed)), (["c", "d"], [(1, 3), (2, 4)]))

    def test_samplers_of_other_sources(self):
        arrays = ds.NumpySlicesDataset({"a": np.arange(5), "b": np.arange(5) * 2}, sampler=ds.SubsetSampler([4, 0]))
        self.assertEqual(rows(arrays), [(4, 8), (0, 0)])
        self.assertEqual(rows(arrays.batch(2)), [([4, 0], [8, 0])])

    def test_random_orders(self):
        plumb.dataset.config.set_seed(5)
        for make in (lambda: ds.GeneratorDataset(list(range(20)), "a"), lambda: lists(list(range(20))).shuffle(7),
                     lambda: ds.GeneratorDataset(list(range(20)), "a", sampler=ds.RandomSampler()),
                     lambda: ds.GeneratorDataset(list(range(20)), "a", sampler=ds.SubsetRandomSampler(range(20)))):
            iterator = make().create_tuple_iterator(num_epochs=2, output_numpy=True)
            first, second = ([int(a) for a, in iterator] for _ in range(2))
            self.assertEqual(sorted(first), list(range(20)))
            self.assertEqual(sorted(second), list(range(20)))
            self.assertNotEqual(first, second)
            self.assertEqual(first, [a for a, in rows(make())])

    def test_rows_without_batches(self):
        found = rows(ds.NumpySlicesDataset({"i": np.arange(12).reshape(2, 3, 2)}, shuffle=False))
        self.assertEqual(found, [([[0, 1], [2, 3], [4, 5]],), ([[6, 7], [8, 9], [10, 11]],)])

    def test_types(self):
        dataset = ds.GeneratorDataset(pairs, ["a", "b"])
        self.assertEqual(dataset.output_types(), [np.int64, np.float64])
        self.assertEqual(dataset.output_shapes(), [[], []])
        self.assertEqual(next(indexed().create_dict_iterator(output_numpy=True))["a"].dtype, np.int32)
        self.assertEqual(rows(lists(["ab", "c"]).batch(2)), [(["ab", "c"],)])

    def test_strings(self):
        """Columns of strings are gathered in this process, in any order, and go into networks as numbers only."""
        lines = ds.NumpySlicesDataset({"text": ["a b", "c", "ddd"], "number": np.arange(3)}, shuffle=False)
        self.assertEqual((lines.get_col_names(), lines.get_dataset_size()), (["text", "number"], 3))
        rows = [[column.tolist() for column in row] for row in lines.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        self.assertEqual(rows, [["a b", 0], ["c", 1], ["ddd", 2]])
        lengths = lines.map(lambda text: np.int32(len(str(text))), "text").batch(2)
        self.assertEqual([row["text"].tolist() for row in lengths.create_dict_iterator(num_epochs=1, output_numpy=True)], [[3, 1], [3]])
        shuffled = ds.NumpySlicesDataset(["x", "y", "z"], ["text"], num_samples=2)
        self.assertLess({str(row[0]) for row in shuffled.create_tuple_iterator(num_epochs=1, output_numpy=True)}, {"x", "y", "z"})
        with self.assertRaisesRegex(ValueError, "unequal lengths|inhomogeneous"):
            ds.NumpySlicesDataset([[1, 2], [3]])

    def test_passes(self):
        calls = []

        def source():
            calls.append(1)
            yield 1

        iterator = ds.GeneratorDataset(source, "a").create_tuple_iterator(num_epochs=2)
        self.assertEqual([len(list(iterator)), len(list(iterator))], [1, 1])
        self.assertRaises(RuntimeError, next, iterator)
        self.assertEqual(len(calls), 2)

    def test_wrong_sources(self):
        def broken():
            yield 1
            raise KeyError("boom")

        for error, words, act in (
                (TypeError, "callable, iterable or random", lambda: ds.GeneratorDataset(5, "a")),
                (ValueError, "columns_names", lambda: ds.GeneratorDataset(pairs)),
                (ValueError, "gave 2 values, but there are 1 columns", lambda: rows(ds.GeneratorDataset(pairs, "a"))),
                (KeyError, "boom", lambda: rows(ds.GeneratorDataset(broken, "a"))),
                (TypeError, "NoneType", lambda: rows(lists([None]))),
                (TypeError, "set", lambda: rows(lists([{1, 2}]))),
                (TypeError, "int64, but 'column_types' says int32",
                 lambda: rows(ds.GeneratorDataset(pairs, ["a", "b"], [plumb.int32, plumb.float64]))),
                (IndexError, "index 7", lambda: rows(ds.GeneratorDataset(Indexed(), ["a", "b"], sampler=[7]))),
                (ValueError, "__getitem__", lambda: ds.GeneratorDataset(pairs, ["a", "b"], sampler=[1])),
                (ValueError, r"shard_id is not within the required interval of \[0, 1\]",
                 lambda: ds.GeneratorDataset(Indexed(), ["a", "b"], num_shards=2, shard_id=2)),
                (ValueError, "requires shard_id", lambda: ds.GeneratorDataset(Indexed(), ["a", "b"], num_shards=2)),
                (ValueError, "sampler and sharding", lambda: ds.GeneratorDataset(Indexed(), ["a", "b"], num_shards=2, shard_id=0, sampler=[1])),
                (RuntimeError, "requires shard_id", lambda: ds.TextFileDataset(__file__, num_shards=2)),
                (RuntimeError, "num_shards is not", lambda: ds.TextFileDataset(__file__, shard_id=1))):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                act()


class ArgumentsTest(unittest.TestCase):
    """Types of arguments that many kinds have."""

    def test_types(self):
        for name, wrong in (("num_samples", 1.5), ("num_parallel_workers", "2"), ("num_parallel_workers", True), ("num_shards", "2"),
                            ("shard_id", "0"), ("shuffle", 1), ("shuffle", "files")):
            for make in (lambda **given: ds.TextFileDataset(__file__, **given), lambda **given: ds.GeneratorDataset(pairs, ["a", "b"], **given)):
                with self.assertRaisesRegex(TypeError, name):
                    make(**{name: wrong})
        with self.assertRaisesRegex(TypeError, "decode"):
            ds.ImageFolderDataset(os.path.dirname(__file__), decode=1)
        data = ds.GeneratorDataset(pairs, ["a", "b"])
        for act in (lambda: data.batch("2"), lambda: data.batch(2, 1), lambda: data.map(abs, num_parallel_workers="a"), lambda: data.repeat("2"),
                    lambda: data.map(abs, python_multiprocessing=1), lambda: data.shuffle("2"), lambda: data.skip(1.5), lambda: data.take("1")):
            with self.assertRaises(TypeError):
                act()
        with self.assertRaisesRegex(ValueError, "num_parallel_workers"):
            data.batch(2, num_parallel_workers=0)

    def test_arguments_of_users(self):
        class Own(ds.Dataset):
            """Has another argument of a known name."""

            def __init__(self, num_samples):
                super().__init__()
                self.wanted = num_samples

        self.assertEqual(Own("all").wanted, "all")


class NodeTest(unittest.TestCase):
    """What chains onto rows."""

    def test_map(self):
        for arguments, names, first in (
                ((lambda x: x + 1, "a"), ["a", "b"], ([1], 0)),
                ((lambda x: x + 100,), ["a", "b"], ([100], 0)),
                (([lambda x: x + 100, lambda x: x * 2], ["a"]), ["a", "b"], ([200], 0)),
                ((lambda x, y: x + y + 1, ["a", "b"], ["c"]), ["c"], ([1],)),
                ((lambda x: (x, x + 1), ["a"], ["c", "d"]), ["c", "d", "b"], ([0], [1], 0)),
                ((lambda x: (x, x + 1), ["b"], ["c", "d"]), ["c", "d", "a"], (0, 1, [0])),
                ((lambda x: x, ["b"], ["c"]), ["a", "c"], ([0], 0)),
                ((lambda x, y: (y, x), ["a", "b"]), ["a", "b"], (0, [0])),
                ((lambda x: 3.5, "a"), ["a", "b"], (3.5, 0))):
            mapped = indexed().map(*arguments)
            self.assertEqual(mapped.get_col_names(), names)
            self.assertEqual(rows(mapped)[0], first)

    def test_batch(self):
        self.assertEqual(rows(indexed().batch(2)), [([[0], [1]], [0, 2]), ([[2], [3]], [4, 6]), ([[4]], [8])])
        whole = indexed().batch(2, drop_remainder=True)
        self.assertEqual((whole.output_shapes(), whole.get_dataset_size(), whole.get_batch_size()), ([[2, 1], [2]], 2, 2))
        self.assertEqual(rows(indexed().batch(lambda info: info.get_batch_num() + 1)),
                         [([[0]], [0]), ([[1], [2]], [2, 4]), ([[3], [4]], [6, 8])])

    def test_batch_by_function(self):
        def count(first, second, info):
            return [x + info.get_batch_num() for x in first], [y + info.get_epoch_num() for y in second]

        self.assertEqual(rows(indexed().batch(2, per_batch_map=count, input_columns=["a", "b"])),
                         [([[0], [1]], [0, 2]), ([[3], [4]], [4, 6]), ([[6]], [8])])
        one = indexed().batch(2, per_batch_map=lambda a, b, info: (a,), input_columns=["a", "b"], output_columns=["z"])
        self.assertEqual(one.get_col_names(), ["z"])

    def test_buckets(self):
        lengths = [1, 5, 2, 9, 3, 4, 1, 7, 2, 6]
        ragged = ds.GeneratorDataset(lambda: ((np.full(length, place + 1), np.array(place)) for place, length in enumerate(lengths)),
                                          ["s", "n"], shuffle=False)

        def groups(**settings):
            made = ragged.bucket_batch_by_length(**{"column_names": ["s"], "bucket_boundaries": [3, 6], "bucket_batch_sizes": [2, 2, 2],
                                                    **settings})
            return [(batch[0].shape[1], batch[1].tolist()) for batch in made.create_tuple_iterator(num_epochs=1, output_numpy=True)]

        full = [(2, [0, 2]), (5, [1, 4]), (9, [3, 7]), (2, [6, 8])]
        self.assertEqual(groups(), [*full, (4, [5]), (6, [9])])
        self.assertEqual(groups(drop_remainder=True), full)
        self.assertEqual(groups(pad_info={"s": ([12], 0)}, drop_remainder=True), [(12, group) for _, group in full])
        self.assertEqual(groups(bucket_boundaries=[3, 6, 11], bucket_batch_sizes=[2, 2, 3, 1], pad_to_bucket_boundary=True),
                         [(2, [0, 2]), (5, [1, 4]), (2, [6, 8]), (10, [3, 7, 9]), (5, [5])])
        by_number = {"column_names": ["n"], "element_length_function": lambda n: n % 4}
        self.assertEqual(groups(**by_number), [(5, [0, 1]), (3, [2, 4]), (4, [5, 6]), (9, [3, 7]), (6, [8, 9])])
        self.assertEqual(ragged.bucket_batch_by_length(["s"], [3], [2, 4]).get_dataset_size(), 4)
        for settings, error, message in (
                ({"bucket_boundaries": [3, 3]}, ValueError, "must grow"), ({"bucket_boundaries": [0, 3]}, ValueError, "must be positive"),
                ({"bucket_batch_sizes": [2, 2]}, ValueError, "one more than"), ({"column_names": ["s", "n"]}, ValueError, "one column, or"),
                ({"pad_to_bucket_boundary": True}, ValueError, "no boundary"), ({"column_names": ["n"]}, ValueError, "has no length"),
                ({**by_number, "element_length_function": lambda n: -1}, ValueError, "at least 0"), ({"bucket_boundaries": (3, 6)}, TypeError, "list"),
                ({**by_number, "element_length_function": 3}, TypeError, "must be a function"), ({"drop_remainder": 1}, TypeError, "bool")):
            with self.assertRaisesRegex(error, message):
                groups(**settings)

    def test_padded_batch(self):
        ragged = lists([np.arange(i) for i in (1, 3, 2)])
        self.assertEqual(rows(ragged.padded_batch(3, pad_info={"s": ([4], -1)})),
                         [([[0, -1, -1, -1], [0, 1, 2, -1], [0, 1, -1, -1]],)])
        self.assertEqual(rows(ragged.padded_batch(2, pad_info={})), [([[0, 0, 0], [0, 1, 2]],), ([[0, 1]],)])
        for content, info, expected in (((["a", "bb"], ["ccc"]), {}, [["a", "bb"], ["ccc", ""]]),
                                        (([b"a", b"bb"], [b"ccc"]), {"s": ([3], b"PADD")}, [[b"a", b"bb", b"PADD"], [b"ccc", b"PADD", b"PADD"]]),
                                        (([1, 2, 3], [4]), {"s": ([2], 9)}, [[1, 2], [4, 9]])):
            several = ds.GeneratorDataset(lambda content=content: ((np.array(row),) for row in content), ["s"])
            self.assertEqual(rows(several.padded_batch(2, pad_info=info)), [(expected,)])
        numbers = ds.GeneratorDataset([3, 4], "n", shuffle=False)
        self.assertEqual(rows(numbers.padded_batch(2, pad_info={})), [([3, 4],)])
        with self.assertRaisesRegex(ValueError, "rows of column 's' are not alike"):
            rows(ragged.batch(2))

    def test_joined(self):
        others = lists([7, 8], "z")
        self.assertEqual(rows(ds.zip((indexed(), others))), [([0], 0, 7), ([1], 2, 8)])
        self.assertEqual(indexed().zip(others).get_dataset_size(), 2)
        self.assertEqual(rows(others + others), [(7,), (8,), (7,), (8,)])
        self.assertEqual(rows(lists([1, 2]).flat_map(lambda x: lists([x, x * 10]))), [(1,), (10,), (2,), (20,)])
        self.assertRaisesRegex(ValueError, "called 'a'", indexed().zip, indexed())
        self.assertRaisesRegex(ValueError, "same columns", indexed().concat, others)

    def test_shards_of_concatenated(self):
        """Every num_shards-th row through all parts, as MindSpore 2.0.0 gives them."""
        for sizes, shards, expected in (((5, 3), 3, [[0, 3, 6], [1, 4, 7], [2, 5]]), ((4, 1), 4, [[0, 4], [1], [2], [3]]),
                                        ((1, 7, 3), 4, [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7]])):
            ends = np.cumsum(sizes)
            for shard in range(shards):
                joined, *rest = [lists(np.arange(end - size, end)) for end, size in zip(ends, sizes)]
                for part in rest:
                    joined = joined + part
                joined.use_sampler(ds.DistributedSampler(shards, shard, shuffle=False))
                self.assertEqual(([row for row, in rows(joined)], joined.get_dataset_size()), (expected[shard], len(expected[shard])))
        self.assertRaisesRegex(TypeError, "must be DistributedSampler", joined.use_sampler, ds.SequentialSampler())
        self.assertRaisesRegex(ValueError, "shuffle", joined.use_sampler, ds.DistributedSampler(2, 0))
        self.assertRaisesRegex(ValueError, "num_samples", joined.use_sampler, ds.DistributedSampler(2, 0, False, 3))

    def test_plain_exceptions(self):
        """An Exception of a program's function arrives as a RuntimeError."""
        def fails(_):
            raise Exception("as it is")

        self.assertRaisesRegex(RuntimeError, "as it is", rows, lists([1, 2]).map(fails))

    def test_chosen(self):
        self.assertEqual(rows(indexed().skip(3)), [([3], 6), ([4], 8)])
        self.assertEqual(rows(indexed().skip(30)), [])
        self.assertEqual(rows(indexed().take(2)), [([0], 0), ([1], 2)])
        kept = indexed().filter(lambda x: x[0] > 2, ["a"])
        self.assertEqual((rows(kept), kept.get_dataset_size()), ([([3], 6), ([4], 8)], 2))
        self.assertEqual(indexed().rename(["a"], ["q"]).get_col_names(), ["q", "b"])
        self.assertEqual(rows(indexed().project(["b"])), [(0,), (2,), (4,), (6,), (8,)])
        self.assertEqual([rows(part) for part in indexed().split([2, 3], randomize=False)],
                         [[([0], 0), ([1], 2)], [([2], 4), ([3], 6), ([4], 8)]])
        self.assertEqual(rows(indexed().apply(lambda dataset: dataset.take(1))), [([0], 0)])

    def test_random_split(self):
        for source in (indexed(), indexed().map(lambda x: x, "a"), ds.NumpySlicesDataset({"a": np.arange(5), "b": np.arange(5)},
                                                                                       shuffle=False)):
            first, second = source.split([0.6, 0.4])
            found = [[np.ravel(row[0])[0] for row in rows(part)] for part in (first, second)]
            self.assertEqual(sorted(found[0] + found[1]), [0, 1, 2, 3, 4])
            self.assertEqual([len(part) for part in found], [3, 2])

    def test_rows_stay_in_their_part(self):
        for source in (ds.GeneratorDataset(list(range(40)), "a").map(lambda x: x, "a"),
                       ds.NumpySlicesDataset({"a": np.arange(40)}), ds.GeneratorDataset(list(range(40)), "a")):
            seen = []
            for part in source.split([0.75, 0.25]):
                iterator = part.create_tuple_iterator(num_epochs=3, output_numpy=True)
                seen.append({int(a) for _ in range(3) for a, in iterator})
            self.assertEqual([len(rows) for rows in seen], [30, 10])
            self.assertFalse(seen[0] & seen[1])

    def test_repeat(self):
        self.assertEqual((indexed().repeat(2).get_dataset_size(), indexed().batch(2).repeat(2).get_repeat_count()), (10, 2))
        self.assertEqual(len(rows(indexed().repeat(2).batch(3))), 4)
        for data in (indexed(), ds.NumpySlicesDataset({"a": np.arange(5)}, shuffle=False)):  # by this process, by the runtime
            self.assertEqual(len(list(zip(range(12), data.repeat()))), 12)
            self.assertEqual(len(rows(data.repeat().take(12))), data.repeat().take(12).get_dataset_size())
            self.assertEqual(len(rows(data.repeat().batch(2).take(7))), 7)
            self.assertEqual(len(rows(ds.zip((data.project("a").repeat(), data.project("a").rename("a", "c").repeat(3))))), 15)

    def test_workers_keep_the_order(self):
        def slow_at_first(row):
            time.sleep(0.02 if row[0] < 3 else 0.0)
            return row

        plain = rows(indexed())
        for processes in (False, True):
            self.assertEqual(rows(indexed().map(slow_at_first, "a", num_parallel_workers=3, python_multiprocessing=processes)), plain)
            self.assertEqual(rows(indexed(num_parallel_workers=2, python_multiprocessing=processes)), plain)
        made = indexed().map(process_of, "a", num_parallel_workers=2, python_multiprocessing=True)
        self.assertNotIn(os.getpid(), [row[0][0] for row in rows(made)])

    def test_operations_of_the_runtime(self):
        image = np.random.default_rng(1).integers(0, 255, (4, 6, 3)).astype(np.uint8)
        chain = [vision.Resize((2, 2)), vision.Rescale(1 / 255, 0), vision.HWC2CHW()]
        native = ds.NumpySlicesDataset({"i": image[np.newaxis]}, shuffle=False).map(chain, "i")
        found = lists([image], "i").map(chain, "i")
        self.assertEqual(found.output_shapes(), [[3, 2, 2]])
        self.assertEqual(rows(found), rows(native))
        np.testing.assert_array_equal(transforms.OneHot(3)(np.array(1)), [0, 1, 0])
        np.testing.assert_array_equal(transforms.TypeCast(plumb.int32)(np.array([1.5])), [1])


def regression(count):
    """Rows of y = 2 x0 - x1."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        x = rng.standard_normal(2).astype(np.float32)
        yield x, np.array([2 * x[0] - x[1]], np.float32)


class ErrorsTest(unittest.TestCase):
    """What a pipeline raises is of the class that tells what is wrong, and a RuntimeError, as MindSpore's are."""

    def raises(self, kind, words, function):
        with self.assertRaisesRegex(kind, words) as caught:
            function()
        self.assertIsInstance(caught.exception, RuntimeError)
        return caught.exception

    def test_of_programs(self):
        class Own(Exception):
            """With a constructor of its own."""

            def __init__(self, text, number):
                super().__init__(text)
                self.number = number

        def fails(row):
            raise Own("mine", 3)

        def source():
            yield (np.zeros(2),)
            raise KeyError("key")

        def of_other_shapes():
            yield from ((np.zeros(2),), (np.zeros(3),))

        data = indexed().map(fails, "a")
        self.assertEqual(self.raises(Own, "^mine$", lambda: rows(data)).number, 3)
        self.raises(Own, "^mine$", data.output_shapes)
        self.raises(Own, "^mine$", lambda: next(data.create_dict_iterator()))
        self.raises(KeyError, "key", lambda: rows(ds.GeneratorDataset(source, "a")))
        self.raises(ZeroDivisionError, "division", lambda: rows(indexed().map(lambda x: 1 // 0, "a")))
        self.raises(ValueError, "no column 'none'", lambda: rows(indexed().map(fails, "none")))
        self.raises(ValueError, "are not alike", lambda: rows(ds.GeneratorDataset(of_other_shapes, "a").batch(2)))

    def test_in_training(self):
        net = nn.Dense(1, 1)
        late = ds.GeneratorDataset([np.float32([number]) for number in range(8)], "a", shuffle=False)
        late = late.map(lambda x: np.float32([int(x[0]) // (int(x[0]) < 3)]), "a").map(lambda x: (x, x), "a", ["a", "b"])
        model = plumb.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        self.raises(ZeroDivisionError, "division|modulo", lambda: model.train(1, late.batch(1), dataset_sink_mode=True))

    def test_of_operations(self):
        flat = np.zeros(3, np.float32)
        for operation, value, kind in (
                (vision.HorizontalFlip(), flat, ValueError), (vision.RandomHorizontalFlip(1.0), flat, ValueError),
                (vision.Resize(3), flat, ValueError), (vision.Decode(), flat, ValueError),
                (vision.Normalize([1.0, 2.0], [1.0, 2.0]), np.zeros((3, 3, 3), np.float32), ValueError),
                (text.Lookup(text.Vocab.from_list(["a"])), "b", ValueError), (text.ToNumber(plumb.int32), "b", ValueError),
                (transforms.PadEnd([3]), np.zeros((2, 2)), ValueError), (transforms.Fill("x"), flat, TypeError),
                (audio.MuLawDecoding(8), np.array(["a"]), TypeError)):
            self.raises(kind, ".", lambda o=operation, v=value: o(v))


class EmbeddedTest(unittest.TestCase):
    """Rows that an executable carries, since it has no Python."""

    def embedded(self, dataset, words):
        """The dataset for the runtime; the warning must hold `words`."""
        with self.assertWarnsRegex(UserWarning, words):
            made = _embed.embedded(dataset, ("program.py", 1))
        self.assertTrue(made.native)
        return made

    def test_nodes_of_the_runtime_stay(self):
        made = self.embedded(indexed().map(lambda x: x + 1, "a").batch(2).repeat(2), "5 rows .* the same in every epoch.$")
        self.assertEqual(rows(made), rows(indexed().map(lambda x: x + 1, "a").batch(2).repeat(2)))

    def test_shuffled_sources_are_shuffled_there(self):
        source = ds.GeneratorDataset(list(range(50)), "a")
        made = self.embedded(source.map(lambda x: x * 2, "a").batch(50), "in another order each")
        first, second = (batch[0].tolist() for batch in made.repeat(2).create_tuple_iterator(num_epochs=1, output_numpy=True))
        self.assertEqual(sorted(first), list(range(0, 100, 2)))
        self.assertNotEqual(first, second)
        self.assertNotEqual(rows(source)[:5], [(0,), (1,), (2,), (3,), (4,)])


class TrainingTest(unittest.TestCase):
    """Batches made by Python feed sunk loops."""

    def train(self, data, sunk, epochs=20):
        """The weights after training on `data`."""
        plumb.set_seed(1)
        network = nn.Dense(2, 1)
        model = train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1))
        model.train(epochs, data, dataset_sink_mode=sunk)
        return network.weight.asnumpy()

    def test_same_weights_as_from_arrays(self):
        x, y = (np.stack(column) for column in zip(*regression(64)))
        arrays = ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(8, drop_remainder=True)
        expected = self.train(arrays, sunk=True)
        np.testing.assert_allclose(expected, [[2.0, -1.0]], atol=0.05)
        for sunk in (True, False):
            made = ds.GeneratorDataset(lambda: regression(64), ["x", "y"]).batch(8, drop_remainder=True)
            np.testing.assert_array_equal(self.train(made, sunk), expected)

    def test_an_error_of_the_source_is_raised_where_it_trains(self):
        def broken():
            yield from regression(16)
            raise OSError("the disk is gone")

        data = ds.GeneratorDataset(broken, ["x", "y"]).batch(8, drop_remainder=True)
        data.get_dataset_size = lambda: 4
        with self.assertRaisesRegex(OSError, "the disk is gone"):
            self.train(data, sunk=True, epochs=1)

    def test_data_sink(self):
        network = nn.Dense(2, 1)
        data = ds.GeneratorDataset(lambda: regression(16), ["x", "y"]).batch(8, drop_remainder=True)
        sink = train.data_sink(lambda x, y: ops.reduce_mean(ops.square(network(x) - y)), data, sink_size=2)
        self.assertEqual(sink().shape, ())
        self.assertEqual(sink.run.steps, 2)


if __name__ == "__main__":
    unittest.main()
