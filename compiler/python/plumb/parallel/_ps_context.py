"""`mindspore.parallel._ps_context`: what a process does in training with a server of parameters, as programs ask; there is none."""

from plumb.context import get_ps_context as _get_ps_context


def _is_ps_mode():
    """Whether a server holds the parameters."""
    return False


def _is_role_worker():
    """Whether this process trains for a server."""
    return False


def _is_role_pserver():
    """Whether this process is the server."""
    return False


def _is_role_sched():
    """Whether this process tells others what to do."""
    return False
