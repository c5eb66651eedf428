"""`mindspore.ops._primitive_cache`: operators made once for equal arguments."""


def _get_cache_prim(cls):
    """Returns what makes an operator of a class; there is nothing to keep, as making one costs nothing in compiled code."""
    return cls
