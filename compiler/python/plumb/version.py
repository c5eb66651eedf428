"""`mindspore.version`: the version of MindSpore whose behaviour this package has."""

from plumb._shim import VERSION as __version__

__all__ = ["__version__"]
