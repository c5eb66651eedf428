"""Seeds. Without a call the seed is 0, so runs repeat bit for bit."""

from plumb.common import tensor as _tensor

_seeds = {"global": None, "pipeline": None}
_listeners = []


def on_change(listener):
    """Has a function called after each `set_seed`."""
    _listeners.append(listener)


def set_seed(seed):
    """Sets the seed of initial values and shuffles and starts the count of random streams again."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError("The argument 'seed' must be type of int.")
    if seed < 0:
        raise ValueError("The argument 'seed' must be greater or equal to 0.")
    _seeds["global"] = seed
    _tensor.reset_streams()
    for listener in _listeners:
        listener()


def get_seed():
    """Returns the seed that was set, or None."""
    return _seeds["global"]


def session_seed():
    """Returns the seed for sessions."""
    return _seeds["global"] or 0


def set_pipeline_seed(seed):
    """Sets the seed of shuffles alone."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed given is not within the required range, but got {seed}.")
    _seeds["pipeline"] = seed


def pipeline_seed():
    """Returns the seed of shuffles where it differs from the session's, else -1."""
    return -1 if _seeds["pipeline"] is None else _seeds["pipeline"]


def effective_pipeline_seed():
    """Returns the seed that shuffles use."""
    return session_seed() if _seeds["pipeline"] is None else _seeds["pipeline"]


def _get_graph_seed(op_seed, op_name):  # pylint: disable=unused-argument
    """Returns the two seeds for an operator of random numbers: zeros where it names none, as each has a stream of its own anyway."""
    return (session_seed(), op_seed) if op_seed else (0, 0)
