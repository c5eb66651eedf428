"""The exponential function."""

from plumb.nn.probability.bijector.power_transform import PowerTransform


class Exp(PowerTransform):
    """exp(x).

    Args:
      name: a name of the object's own.
    """

    def __init__(self, name="Exp"):
        super().__init__(name=name)

    def extend_repr(self):
        """What `repr` shows."""
        return "exp"
