"""`mindspore.numpy.utils`: how its functions make tensors of what they are given; programs import it, too."""

from plumb.common.tensor import Tensor
from plumb.numpy.array_creations import asarray


def _to_tensor(*args):
    """Each argument as a tensor, a tuple where there are several.

    Raises:
      TypeError: if one is neither a tensor nor a number nor a list or tuple of numbers.
    """
    tensors = []
    for value in args:
        if not isinstance(value, (Tensor, int, float, bool, list, tuple)):
            raise TypeError("Expect input to be array like.")
        tensors.append(value if isinstance(value, Tensor) else asarray(value))
    return tensors[0] if len(args) == 1 else tuple(tensors)
