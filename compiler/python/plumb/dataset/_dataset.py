"""Dataset: what chains onto every kind of dataset, and iteration over its rows."""

import weakref

from plumb.dataset import _arguments
from plumb.dataset._errors import of_pipeline, pipeline_error
from plumb.dataset._objects import shown
from plumb.dataset._made import Made, recorded
from plumb.dataset._pipeline import Node
from plumb.dataset.config import debug_hooks
from plumb.dataset.debug import with_hooks

_EMPTY = "There is no valid data in dataset, please check dataset file firstly."


_FED = "Model.train, Model.eval and plumb.data_sink feed the device; create_dict_iterator gives the program the rows"
_INSTEAD = dict.fromkeys(("device_que", "send", "create_data_queue"), _FED) | {
    "input_indexs": "how several devices share a row is not offered: num_shards and shard_id of a dataset share rows",
    "to_json": "dataset.serialize returns a dataset as a dict for JSON",
    "set_dynamic_columns": "Cell.set_inputs with Tensor(shape=(None, …), dtype=…) says which extents are open",
    "dynamic_min_max_shapes": "Cell.set_inputs with Tensor(shape=(None, …), dtype=…) says which extents are open",
}


class Dataset(Made):
    """Base of datasets: the nodes that chain onto any of them, and what is known of their rows.

    Nodes of `_nodes.py` are computed in this process; a NativeDataset is described to the runtime's threads.
    """

    native = True

    def __new__(cls, *args, **kwargs):
        if cls.__module__.partition(".")[0] in ("plumb", "mindspore"):  # users' own may have other arguments of these names
            _arguments.check(cls.__name__, cls.__init__, (None, *args), kwargs)
        return super().__new__(cls, *args, **kwargs)

    def __init__(self):
        self.children = []
        self._used_by = None

    def __getattr__(self, name):
        advice = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{advice}")

    # -- what a kind of dataset gives

    def passes(self):
        """Yields one pass after another, each an iterator over rows: tuples of arrays, one for each column."""
        raise NotImplementedError

    def _columns(self):
        """The Columns of a row (or batch)."""
        raise NotImplementedError

    def get_dataset_size(self):
        """Returns the number of rows (or batches) of one pass."""
        raise NotImplementedError

    def _with_node(self, node, workers):
        """This dataset behind one of the runtime's nodes."""
        raise NotImplementedError

    # -- nodes

    @recorded
    def map(self, operations, input_columns=None, output_columns=None, column_order=None, num_parallel_workers=None,
            python_multiprocessing=False, cache=None, callbacks=None, max_rowsize=16, offload=None):
        """Applies operations to columns, one after another.

        Args:
          operations: operations of plumb.dataset, Python functions on arrays, or a list of them. A function takes one
            argument for each input column and returns one value (or a tuple) for each output column.
          input_columns: a name or a list of names; None means the first column.
          output_columns: new names. As many as there are inputs take their places; otherwise they come first.
          num_parallel_workers: how many rows are worked on at once; no result depends on it.
          python_multiprocessing: whether Python functions run in processes of their own.
          cache: a DatasetCache keeps what the operations gave.
          callbacks: a DSCallback, or a list of them, that hear of epochs and rows.
          offload: whether MindSpore may leave operations to the device; here all are the host's, with the same results.
        """
        if column_order is not None:
            raise ValueError("The parameter 'column_order' had been deleted in map operation. Please use '.project' "
                             "operation instead.")
        if offload not in (None, True, False):
            raise TypeError(f"Argument offload with value {offload} is not of type [<class 'bool'>].")
        names = [input_columns] if isinstance(input_columns, str) else list(input_columns or self.get_col_names()[:1])
        outputs = [output_columns] if isinstance(output_columns, str) else output_columns
        operations = list(operations) if isinstance(operations, (list, tuple)) else [operations]
        self._check_names(names)
        for operation in operations:
            if not callable(operation):
                raise TypeError(f"For 'map', operations must be of plumb.dataset or Python functions, but got "
                                f"{type(operation).__name__}.")
        if debug_hooks():
            operations, num_parallel_workers, python_multiprocessing = with_hooks(operations, debug_hooks()), 1, False
        if callbacks:
            from plumb.dataset.callbacks import callbacks_of, Reported
            result = Reported(callbacks_of(callbacks), self, operations, names, outputs, num_parallel_workers or 1, python_multiprocessing)
        else:
            result = self._mapped(operations, names, outputs, num_parallel_workers, python_multiprocessing)
        return result.cache() if wants_cache("map", cache) else result

    def _mapped(self, operations, names, outputs, workers, processes):
        from plumb.dataset import _nodes
        return _nodes.Mapped(self, operations, names, outputs, workers or 1, processes)

    @recorded
    def filter(self, predicate, input_columns=None, num_parallel_workers=None):
        """Keeps the rows for which `predicate`, called with the input columns (all where None), returns True."""
        from plumb.dataset import _nodes
        names = [input_columns] if isinstance(input_columns, str) else list(input_columns or self.get_col_names())
        self._check_names(names)
        if not callable(predicate):
            raise TypeError(f"predicate should be a Python function or a callable Python object, but got {predicate!r}.")
        return _nodes.Filtered(self, predicate, names)

    @recorded
    def shuffle(self, buffer_size):
        """Shuffles rows through a buffer of `buffer_size`, another order each epoch."""
        if not isinstance(buffer_size, int) or buffer_size < 2:
            raise ValueError(f"Input buffer_size is not within the required interval of [2, 2147483647], "
                             f"but got {buffer_size}.")
        return self._with_node(Node("Shuffle", {"buffer_size": buffer_size}), None)

    @recorded
    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, per_batch_map=None, input_columns=None,
              output_columns=None, python_multiprocessing=False, max_rowsize=16, pad_info=None):
        """Puts rows together.

        Args:
          batch_size: how many, or a function that tells it from a BatchInfo.
          drop_remainder: whether a last batch of fewer rows is left out.
          per_batch_map: a function that takes, for each input column, the list of a batch's rows, and a BatchInfo; it
            returns a list of rows for each output column.
          input_columns, output_columns: of `per_batch_map`.
        """
        from plumb.dataset import _batched
        number = isinstance(batch_size, int) and not isinstance(batch_size, bool)
        if not number and not callable(batch_size):
            raise TypeError(f"For 'batch', batch_size should either be an int or a callable, but got {type(batch_size).__name__}.")
        if number and batch_size < 1:
            raise ValueError(f"Input batch_size is not within the required interval of [1, 2147483647], "
                             f"but got {batch_size}.")
        if pad_info is not None:
            raise ValueError("For 'batch', 'pad_info' is not offered; use padded_batch().")
        table = {"size": batch_size, "drop_remainder": bool(drop_remainder)}
        if number and per_batch_map is None:
            return self._with_node(Node("Batch", table), num_parallel_workers)
        inputs = [input_columns] if isinstance(input_columns, str) else list(input_columns or ())
        if per_batch_map is not None and not inputs:
            inputs = self.get_col_names()
        self._check_names(inputs)
        outputs = [output_columns] if isinstance(output_columns, str) else output_columns
        return _batched.Batched(self, table, num_parallel_workers or 1, per_batch_map, inputs, outputs,
                                processes=python_multiprocessing)

    @recorded
    def padded_batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
        """Puts rows of different extents together, filled up at their ends.

        Args:
          pad_info: by column, (shape, value); a shape of None, or an extent of None in it, is the batch's largest. None or
            {} pads all columns with 0.
        """
        from plumb.dataset import _batched
        self._check_names(pad_info or ())
        table = {"size": batch_size, "drop_remainder": bool(drop_remainder)}
        return _batched.Batched(self, table, num_parallel_workers or 1, pad_info=pad_info or {})

    @recorded
    def bucket_batch_by_length(self, column_names, bucket_boundaries, bucket_batch_sizes, element_length_function=None, pad_info=None,
                               pad_to_bucket_boundary=False, drop_remainder=False):
        """Puts rows of like lengths together, filled up at their ends.

        Args:
          column_names: the columns that lengths are taken from: one, whose first axis is the length, or those of the function.
          bucket_boundaries: where one range of lengths ends and the next begins, with this length.
          bucket_batch_sizes: how many rows of each range make a batch; one more than there are boundaries.
          element_length_function: takes the columns of a row, returns its length.
          pad_info: as for `padded_batch`.
          pad_to_bucket_boundary: whether extents that `pad_info` leaves open become the range's largest length, in place of the
            batch's; no row may be as long as the last boundary.
          drop_remainder: whether batches that do not fill are left out.
        """
        from plumb.dataset import _buckets
        self._check_names(column_names if isinstance(column_names, list) else ())
        self._check_names(pad_info or ())
        return _buckets.bucketed(self, column_names, bucket_boundaries, bucket_batch_sizes, element_length_function, pad_info,
                                 pad_to_bucket_boundary, drop_remainder)

    @recorded
    def repeat(self, count=None):
        """Goes through the rows `count` times; without end for None or -1."""
        count = -1 if count is None else count
        if not isinstance(count, int) or (count != -1 and count < 1):
            raise ValueError(f"count should be either -1 or positive integer, but got {count}.")
        return self if count == 1 else self._with_node(Node("Repeat", {"count": count}), None)

    @recorded
    def cache(self):
        """Keeps every row in memory once its operations have run: later epochs only gather rows. The same batches."""
        from plumb.dataset import _nodes
        return _nodes.Kept(self)

    @recorded
    def take(self, count=-1):
        """Keeps the first `count` rows (or batches); all for -1."""
        if count != -1 and count < 1:
            raise ValueError(f"count should be either -1 or positive integer, but got {count}.")
        return self if count == -1 else self._with_node(Node("Take", {"count": count}), None)

    @recorded
    def skip(self, count):
        """Leaves out the first `count` rows (or batches)."""
        from plumb.dataset import _nodes
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(f"Input count is not within the required interval of [0, 2147483647], but got {count}.")
        return _nodes.Skipped(self, count)

    @recorded
    def project(self, columns):
        """Keeps the named columns, in that order."""
        names = [columns] if isinstance(columns, str) else list(columns)
        self._check_names(names)
        return self._with_node(Node("Project", {"columns": names}), None)

    @recorded
    def rename(self, input_columns, output_columns):
        """Gives columns other names."""
        from plumb.dataset import _nodes
        before = [input_columns] if isinstance(input_columns, str) else list(input_columns)
        after = [output_columns] if isinstance(output_columns, str) else list(output_columns)
        self._check_names(before)
        if len(before) != len(after):
            raise ValueError(f"For 'rename', there are {len(before)} input columns, but {len(after)} output columns.")
        names = [dict(zip(before, after)).get(name, name) for name in self.get_col_names()]
        if len(set(names)) != len(names):
            raise ValueError(f"For 'rename', two columns would have the same name: {names}.")
        return _nodes.Renamed(self, names)

    def zip(self, datasets):
        """Puts the columns of other datasets beside this one's, as many rows as the shortest has."""
        return zip_datasets((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    @recorded
    def concat(self, datasets):
        """Puts the rows of other datasets behind this one's."""
        from plumb.dataset import _nodes
        others = list(datasets) if isinstance(datasets, (list, tuple)) else [datasets]
        for other in others:
            if not isinstance(other, Dataset):
                raise TypeError(f"Input datasets is not an instance of Dataset, but {type(other).__name__}.")
        return _nodes.Concatenated(self, *others)

    def __add__(self, other):
        return self.concat(other)

    @recorded
    def flat_map(self, func):
        """Puts the rows of the datasets one after another that `func` makes of each row."""
        from plumb.dataset import _nodes
        return _nodes.FlatMapped(self, func)

    def apply(self, apply_func):
        """Returns `apply_func(self)`, which must be a dataset."""
        made = apply_func(self)
        if not isinstance(made, Dataset):
            raise TypeError(f"apply_func must return a dataset, but it returned {type(made).__name__}.")
        return made

    def split(self, sizes, randomize=True):
        """Splits the rows into datasets of `sizes` rows, or of shares that sum up to 1.

        Args:
          randomize: whether the rows are shuffled before, once, by the seed: the parts stay the same in all passes.
        """
        from plumb.dataset import _split
        return _split.split(self, sizes, randomize)

    @recorded
    def sync_wait(self, condition_name, num_batch=1, callback=None):
        """Lets each pass give `num_batch` rows (or batches), and further ones as `sync_update` is called.

        Args:
          condition_name: what `sync_update` calls this place.
          callback: what hears the data of `sync_update`, before further rows go.
        """
        from plumb.dataset import _sync
        if isinstance(num_batch, bool) or not isinstance(num_batch, int) or num_batch < 1:
            raise ValueError(f"num_batch need to be greater than 0, but got {num_batch}.")
        return _sync.Synced(self, condition_name, num_batch, callback)

    def sync_update(self, condition_name, num_batch=None, data=None):
        """Hands `data` to the callback of a `sync_wait`, and lets `num_batch` rows more go; as many as it names by default."""
        from plumb.dataset import _sync
        if num_batch is not None and (isinstance(num_batch, bool) or not isinstance(num_batch, int) or num_batch < 1):
            raise ValueError(f"num_batch need to be greater than 0, but got {num_batch}.")
        _sync.update(self, condition_name, num_batch, data)

    def save(self, file_name, num_files=1, file_type="mindrecord"):
        """Writes the rows of one pass as MindRecord files, which MindDataset reads.

        Args:
          file_name: the file's path; with several files, a number follows it for each.
          num_files: how many files there are.
          file_type: "mindrecord".
        """
        from plumb.dataset import _save
        _save.save(self, file_name, num_files, file_type)

    # -- what it gives

    def _endless(self):
        """Whether a pass has no end, because of a `repeat` without a count."""
        return any(child._endless() for child in self.children)

    def _check_names(self, names):
        known = self.get_col_names()
        for name in names:
            if name not in known:
                raise pipeline_error(ValueError(f"There is no column '{name}'; there are {', '.join(known)}."))

    def checked_size(self):
        """Returns the number of batches of one pass; raises when there is none."""
        size = self.get_dataset_size()
        if size == 0:
            raise ValueError(f"{_EMPTY} {self._why_empty()}")
        return size

    def _why_empty(self):
        return "The source has no rows."

    def get_batch_size(self):
        """Returns the batch size, 1 when there is none."""
        raise NotImplementedError

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        raise NotImplementedError

    def get_col_names(self):
        """Returns the columns' names."""
        return [column.name for column in self._columns()]

    def output_shapes(self, estimate=False):
        """Returns the columns' shapes."""
        return [list(column.shape) for column in self._columns()]

    def output_types(self):
        """Returns the columns' NumPy types."""
        return [column.numpy_type() for column in self._columns()]

    def num_classes(self):
        """Returns the number of classes where the kind of dataset tells it, or None."""
        return next(filter(None, (child.num_classes() for child in self.children)), None)

    def get_class_indexing(self):
        """Returns the classes' numbers by name where the kind of dataset tells them, else {}."""
        return next(filter(None, (child.get_class_indexing() for child in self.children)), {})

    def reset(self):
        """Does nothing: each iterator starts with a first pass of its own."""

    def __len__(self):
        return self.get_dataset_size()

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=True):
        """Returns an iterator over dicts by column name; each time it is gone through, it gives another pass."""
        return DictIterator(self._shown(), num_epochs, output_numpy)

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=True):
        """Returns an iterator over lists of Tensors; each time it is gone through, it gives another pass."""
        return TupleIterator(self.project(columns) if columns else self._shown(), num_epochs, output_numpy)

    def _shown(self):
        """The dataset without columns that are about its rows, `_meta-…`."""
        names = self.get_col_names()
        shown_ones = [name for name in names if not name.startswith("_meta-")]
        return self if shown_ones == names else self.project(shown_ones)


class Passes:
    """An iterator over one pass of a dataset; once that has ended, over the next one.

    Args:
      num_epochs: how many passes there are; -1 means any number. A further one raises RuntimeError.
    """

    def __init__(self, dataset, num_epochs, output_numpy):
        if isinstance(num_epochs, bool) or not isinstance(num_epochs, int) or (num_epochs != -1 and num_epochs < 1):
            raise ValueError(f"num_epochs should be either -1 or a positive integer, but got {num_epochs}.")
        self._names = of_pipeline(dataset.get_col_names)()
        self._passes, self._left, self._rows = dataset.passes(), num_epochs, None
        self._output_numpy = output_numpy
        _open.add(self)

    def __iter__(self):
        return self

    def __next__(self):
        if self._passes is None:
            raise RuntimeError("The iterator has been stopped; make another one.")
        if self._rows is None:
            if self._left == 0:
                raise RuntimeError("The iterator has given all of its 'num_epochs' passes; make another one.")
            self._left -= self._left > 0
            self._rows = iter(of_pipeline(next)(self._passes))
        try:
            row = of_pipeline(next)(self._rows)
        except StopIteration:
            self._rows = None
            raise
        return [shown(value, self._output_numpy) for value in row]

    def get_col_names(self):
        """The columns' names."""
        return list(self._names)

    def stop(self):
        """Ends the pass under way, and its workers; a further row raises RuntimeError."""
        rows, passes, self._rows, self._passes = self._rows, self._passes, None, None
        for running in (rows, passes):
            if hasattr(running, "close"):
                running.close()

    def release(self):
        """`stop`."""
        self.stop()


_open = weakref.WeakSet()


def stop_iterators():
    """Stops every iterator that is still held somewhere."""
    for iterator in list(_open):
        iterator.stop()


class TupleIterator(Passes):
    """An iterator over rows as lists."""


class DictIterator(Passes):
    """An iterator over rows as dicts by column name."""

    def __next__(self):
        return dict(zip(self._names, super().__next__()))


def zip_datasets(datasets):
    """Puts the columns of several datasets, given as a tuple, side by side: `plumb.dataset.zip`."""
    from plumb.dataset import _nodes
    if not isinstance(datasets, tuple) or len(datasets) < 2:
        raise TypeError("Input datasets of zip should be a tuple of at least two datasets.")
    for dataset in datasets:
        if not isinstance(dataset, Dataset):
            raise TypeError(f"Input datasets of zip should be datasets, but got {type(dataset).__name__}.")
    zipped = _nodes.Zipped(*datasets)
    zipped._made_by = ("zip_datasets", datasets[0], {"datasets": datasets[1:]})
    return zipped


class DatasetCache:
    """What `cache=` of a dataset or of `map` takes: rows are kept in this process's memory, as by `Dataset.cache()`.

    Args:
      session_id, hostname, port, num_connections, prefetch_size: of MindSpore's cache server; there is none here, nor need
        of one.
      size: the most megabytes to use; 0 means no limit. Only 0 is offered.
      spilling: whether to write to disk what has no room. Only False is offered.
    """

    def __init__(self, session_id=0, size=0, spilling=False, hostname=None, port=None, num_connections=None,
                 prefetch_size=None):
        if size or spilling:
            raise ValueError("For 'DatasetCache', 'size' and 'spilling' are not offered: all rows are kept in memory.")
        self.session_id = session_id


def wants_cache(where, cache):
    if cache is not None and not isinstance(cache, DatasetCache):
        raise TypeError(f"For '{where}', 'cache' must be a DatasetCache, but got {type(cache).__name__}.")
    return cache is not None
