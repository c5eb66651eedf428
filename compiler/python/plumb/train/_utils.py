"""`mindspore.train._utils`: what programs take from there."""

import os


def _make_directory(path):
    """Makes a folder where there is none; returns its whole path."""
    if not isinstance(path, str) or not path.strip():
        raise TypeError(f"Input path '{path}' is invalid type or is empty string.")
    path = os.path.realpath(path)
    os.makedirs(path, exist_ok=True)
    return path
