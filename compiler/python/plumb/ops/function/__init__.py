"""The functions of `plumb.ops` by theme. Each is Python in the parsable subset: compiled where a compiled function calls it.

Tensors come first and are passed by position; every other parameter has MindSpore's name and default.
"""

from plumb.common._offers import offered
from plumb.ops._overflows import depend
from plumb.ops.function.activation import *  # pylint: disable=wildcard-import
from plumb.ops.function.bessel import *  # pylint: disable=wildcard-import
from plumb.ops.function.bits import *  # pylint: disable=wildcard-import
from plumb.ops.function.boxes import *  # pylint: disable=wildcard-import
from plumb.ops.function.candidates import *  # pylint: disable=wildcard-import
from plumb.ops.function.compare import *  # pylint: disable=wildcard-import
from plumb.ops.function.complex_numbers import angle, conj, imag, is_complex, isreal, polar, real, view_as_real
from plumb.ops.function.convolution import *  # pylint: disable=wildcard-import
from plumb.ops.function.creation import *  # pylint: disable=wildcard-import
from plumb.ops.function.ctc import *  # pylint: disable=wildcard-import
from plumb.ops.function.diagonal import *  # pylint: disable=wildcard-import
from plumb.ops.function.eigen import *  # pylint: disable=wildcard-import
from plumb.ops.function.elementwise import *  # pylint: disable=wildcard-import
from plumb.ops.function.equations import *  # pylint: disable=wildcard-import
from plumb.ops.function.factorizations import *  # pylint: disable=wildcard-import
from plumb.ops.function.folding import *  # pylint: disable=wildcard-import
from plumb.ops.function.fourier import *  # pylint: disable=wildcard-import
from plumb.ops.function.fractional import *  # pylint: disable=wildcard-import
from plumb.ops.function.incomplete import *  # pylint: disable=wildcard-import
from plumb.ops.function.index import *  # pylint: disable=wildcard-import
from plumb.ops.function.join import *  # pylint: disable=wildcard-import
from plumb.ops.function.layouts import *  # pylint: disable=wildcard-import
from plumb.ops.function.linalg import *  # pylint: disable=wildcard-import
from plumb.ops.function.loss import *  # pylint: disable=wildcard-import
from plumb.ops.function.mathematical import *  # pylint: disable=wildcard-import
from plumb.ops.function.normalization import *  # pylint: disable=wildcard-import
from plumb.ops.function.padding import *  # pylint: disable=wildcard-import
from plumb.ops.function.patches import *  # pylint: disable=wildcard-import
from plumb.ops.function.pooling import *  # pylint: disable=wildcard-import
from plumb.ops.function.products import *  # pylint: disable=wildcard-import
from plumb.ops.function.random import *  # pylint: disable=wildcard-import
from plumb.ops.function.random_gamma import *  # pylint: disable=wildcard-import
from plumb.ops.function.reduce import *  # pylint: disable=wildcard-import
from plumb.ops.function.resize import *  # pylint: disable=wildcard-import
from plumb.ops.function.sampling import *  # pylint: disable=wildcard-import
from plumb.ops.function.scalars import *  # pylint: disable=wildcard-import
from plumb.ops.function.scan import *  # pylint: disable=wildcard-import
from plumb.ops.function.scatter import *  # pylint: disable=wildcard-import
from plumb.ops.function.search import *  # pylint: disable=wildcard-import
from plumb.ops.function.shape import *  # pylint: disable=wildcard-import
from plumb.ops.function.sparse_func import *  # pylint: disable=wildcard-import
from plumb.ops.function.sparse_unary_func import *  # pylint: disable=wildcard-import
from plumb.ops.function.special import *  # pylint: disable=wildcard-import
from plumb.ops.function.spectrogram import *  # pylint: disable=wildcard-import
from plumb.ops.function.state import *  # pylint: disable=wildcard-import
from plumb.ops.function.state import print_
from plumb.ops.function.tables import *  # pylint: disable=wildcard-import
from plumb.ops.function.uncommon import *  # pylint: disable=wildcard-import
from plumb.ops.function.window import *  # pylint: disable=wildcard-import

__all__ = offered(globals())
