"""What operators by handle share: objects of the host's, each behind a Tensor of one int64."""

import itertools

import numpy as np

from plumb.common.tensor import Tensor
from plumb.ops._primitive import Composite

_objects, _numbers = {}, itertools.count()


def stored(thing):
    """The handle of an object, a Tensor."""
    number = next(_numbers)
    _objects[number] = thing
    return Tensor(np.asarray(number, np.int64))


class OnHandle(Composite):
    """What is done to the object of a handle.

    Attributes:
      kind, thing: the class of the objects, and what messages call one.
      instead: what a refusal in a compiled function adds.
    """

    kind, thing, instead = None, "", ""

    def construct(self, *inputs):
        """Compiled bodies hold none of them."""
        raise NotImplementedError(f"{self.thing}s by handle live on the host: use them outside of compiled functions{self.instead}")

    def found(self, handle):
        """The object; raises ValueError when it was closed, or never made."""
        number = int(handle.asnumpy())
        if not isinstance(_objects.get(number), self.kind):
            raise ValueError(f"For '{type(self).__name__}', there is no {self.thing} of the handle {number}.")
        return _objects[number]

    def dropped(self, handle):
        """Forgets the object."""
        self.found(handle)
        del _objects[int(handle.asnumpy())]
