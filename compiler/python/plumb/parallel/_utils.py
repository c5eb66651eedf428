"""`mindspore.parallel._utils`: how training is spread, as cells of programs ask; on one device."""

from plumb._parallel import get_auto_parallel_context


def _get_device_num():
    """The number of devices."""
    return 1


def _get_global_rank():
    """This device's number."""
    return 0


def _get_parallel_mode():
    """One of `ParallelMode`."""
    return get_auto_parallel_context("parallel_mode")


def _get_gradients_mean():
    """Whether gradients of several devices would be averaged."""
    return get_auto_parallel_context("gradients_mean")


def _get_parameter_broadcast():
    """Whether other devices would start with this one's parameters."""
    return get_auto_parallel_context("parameter_broadcast")


def _get_enable_parallel_optimizer():
    """Whether each device keeps a share of the optimizer's states."""
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_full_batch():
    """Whether each device reads the whole batch."""
    return get_auto_parallel_context("full_batch")


def _get_pipeline_stages():
    """Into how many stages the network is cut."""
    return 1


def _is_in_auto_parallel_mode():
    """Whether the compiler would spread the network."""
    return False


def _is_in_data_parallel_mode():
    """Whether each device would compute the whole network on its share of the data."""
    return _get_parallel_mode() == "data_parallel"


def _is_in_hybrid_parallel_mode():
    """Whether the program would spread the network itself."""
    return False


def _is_pynative_parallel():
    """Whether operations outside of compiled functions would be spread."""
    return False


def _is_sharding_propagation():
    """Whether the compiler would find itself how operations are spread."""
    return False


def _device_number_check(parallel_mode, device_number):
    """Checks that a program for one device asks for one."""
    if parallel_mode == "stand_alone" and device_number != 1:
        raise ValueError(f"If parallel_mode is stand_alone, device_number must be 1, device_number: {device_number}, "
                         f"parallel_mode:{parallel_mode}")
