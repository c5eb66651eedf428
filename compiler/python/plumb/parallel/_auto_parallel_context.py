"""`mindspore.parallel._auto_parallel_context`: the object that training cells of programs ask how training is spread."""

from plumb import _parallel


class _Context:
    """The settings of `set_auto_parallel_context`, by methods."""

    def get_parallel_mode(self):
        """One of `ParallelMode`."""
        return _parallel.get_auto_parallel_context("parallel_mode")

    def get_gradients_mean(self):
        """Whether gradients of several devices would be averaged."""
        return _parallel.get_auto_parallel_context("gradients_mean")

    def get_device_num(self):
        """The number of devices."""
        return 1

    def get_device_num_is_set(self):
        """Whether the program has given the number of devices."""
        return _parallel.is_given("device_num")

    def get_global_rank(self):
        """This device's number."""
        return 0

    def get_pipeline_stages(self):
        """Into how many stages the network is cut."""
        return 1

    def set_all_reduce_fusion_split_indices(self, indices, group=""):
        """How sums over devices would be gathered into messages: there are none on one device."""


_context = _Context()


def auto_parallel_context():
    """Returns the process's settings."""
    return _context
