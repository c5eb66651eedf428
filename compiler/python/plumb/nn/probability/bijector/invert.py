"""Bijectors the other way round."""

from plumb.nn.probability.bijector.bijector import Bijector


class Invert(Bijector):
    """The inverse of a bijector.

    Args:
      bijector: the Bijector.
      name: a name of the object's own; by default "Invert" and that of the bijector.
    """

    def __init__(self, bijector, name=""):
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'Invert', 'bijector' must be a Bijector, but got {type(bijector).__name__}.")
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, name or f"Invert{bijector.name}", bijector.dtype,
                         {"bijector": bijector})
        self._bijector = bijector
        self._batch_shape, self._is_scalar_batch = bijector.batch_shape, bijector.is_scalar_batch

    bijector = property(lambda self: self._bijector, doc="The bijector whose inverse this is.")

    def _forward(self, x):
        return self._bijector.inverse(x)

    def _inverse(self, y):
        return self._bijector.forward(y)

    def _forward_log_jacobian(self, x):
        return self._bijector.inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y):
        return self._bijector.forward_log_jacobian(y)

    def extend_repr(self):
        """What `repr` shows."""
        return f"bijector = {self.bijector!r}"
