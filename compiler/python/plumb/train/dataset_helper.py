"""DatasetHelper and connect_network_with_dataset: loops over data that the program writes itself."""

from plumb import _capturing
from plumb._session import Run
from plumb._programs import for_dataset
from plumb.train._checks import check_sink_size, claim
from plumb.train._ragged import check_even


class DatasetHelper:
    """Iterates over an epoch: host batches, or in sink mode one empty tuple per launch.

    Args:
      dataset: the dataset.
      dataset_sink_mode: whether the network pulls the data itself.
      sink_size: steps per launch; -1 means the whole dataset.
      epoch_num: how many epochs the caller will run.
    """

    def __init__(self, dataset, dataset_sink_mode=True, sink_size=-1, epoch_num=1):
        if not isinstance(dataset_sink_mode, bool):
            raise TypeError(f"The 'dataset_sink_mode' must be bool, but got {type(dataset_sink_mode).__name__}.")
        check_sink_size(sink_size)
        self._dataset = dataset
        self._sink = dataset_sink_mode
        self._sink_size = sink_size
        self._epoch_num = epoch_num
        self._size = dataset.checked_size()

    def __iter__(self):
        return iter([()]) if self._sink else self._dataset.create_tuple_iterator(num_epochs=1)

    def sink_size(self):
        """Returns the steps of one launch."""
        if not self._sink:
            return 1
        return self._size if self._sink_size == -1 else self._sink_size

    def types_shapes(self):
        """Returns the columns' types and shapes."""
        return self._dataset.output_types(), self._dataset.output_shapes()

    def stop_send(self):
        """Does nothing: the queue ends with its session."""

    def continue_send(self):
        """Does nothing: the data goes on by itself."""

    def release(self):
        """Does nothing: the queue ends with its session."""


class _Connected:
    """A network that takes no inputs: each call is one launch of the helper's sink size."""

    def __init__(self, network, helper):
        self._network, self._helper = network, helper
        self._run = None

    def __call__(self):
        """Runs one sink; returns the last step's outputs."""
        if self._run is None:
            check_even(self._helper._dataset, "a sunk step")
            program = for_dataset(self._network, self._helper._dataset, "train", "network", ("loss",))
            program.fed_by(self._helper._dataset, self._helper.sink_size(), self._helper._epoch_num)
            _capturing.offer(program)
            self._run = Run(program)
            self._run.feed(self._helper._dataset)
        return self._run.launch(self._helper.sink_size()).last()

    def __getattr__(self, name):
        return getattr(self._network, name)


def connect_network_with_dataset(network, dataset_helper):
    """Returns the network fed from the helper's dataset; call it without inputs for each element of the helper."""
    if not dataset_helper._sink:
        raise RuntimeError("The API 'connect_network_with_dataset' should be called in dataset sink mode.")
    claim(dataset_helper._dataset, network)
    return _Connected(network, dataset_helper)
