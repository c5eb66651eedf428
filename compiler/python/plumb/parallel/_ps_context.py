"""`mindspore.parallel._ps_context`: what a process does in training with a server of parameters, as programs ask; there is none."""

from plumb.common._offers import SERVED, not_offered
from plumb.context import get_ps_context as _get_ps_context

__getattr__ = not_offered(__name__, instead=dict.fromkeys((
    "_insert_accumu_init_info", "_insert_hash_table_size", "_reinsert_hash_table_size", "_set_cache_enable", "_set_cache_size",
    "_set_rank_id", "_set_sparse_format"), SERVED))


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
