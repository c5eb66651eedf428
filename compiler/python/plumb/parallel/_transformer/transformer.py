"""The blocks under the name of the module that defines them in MindSpore 2.0."""

from plumb.parallel._transformer import *  # pylint: disable=wildcard-import
