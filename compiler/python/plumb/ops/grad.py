"""Gradient functions: `value_and_grad`, `grad` and what `GradOperation` makes.

A GradFunction is an object the compiler understands (`#net.grad<…>`), whether a compiled function calls it or plain
Python does.
"""

from plumb.common._structures import TensorStructure
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor


class GradFunction:
    """The gradient of a function or cell.

    Attributes:
      fn: the function differentiated.
      argnums: positions of the inputs whose gradients are wanted; None means all.
      weights: parameters whose gradients are wanted.
      value: whether the function's value is returned before the gradients.
      has_aux: whether only the first result is differentiated and the others are passed through.
      sens: whether the last argument is the adjoint of the result.
      single: whether one position was asked for by a plain int, so that the gradient is no tuple.
      return_ids: whether each gradient stands behind its position or its Parameter's name.
    """

    def __init__(self, fn, argnums, weights, value, has_aux=False, sens=False, single=True, single_weight=False,
                 return_ids=False):
        self.fn = fn
        self.argnums = argnums
        self.weights = tuple(weights)
        self.value = value
        self.has_aux = has_aux
        self.sens = sens
        self.single = single
        self.single_weight = single_weight
        self.return_ids = return_ids

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        return _engine.call(self, args, kwargs)

    def placed(self, result, args):
        """A call's result in which gradients by sparse tensors stand where the tensors' own values do."""
        if self.value:
            return result[0], self.placed_gradients(result[1], args)
        return (self.placed_gradients(result[0], args), *result[1:]) if self.has_aux else self.placed_gradients(result, args)

    def placed_gradients(self, gradients, args):
        """Gradients alone; see `placed`."""
        if self.weights and self.argnums != ():
            return self.placed_inputs(gradients[0], args), gradients[1]
        return gradients if self.argnums == () else self.placed_inputs(gradients, args)

    def placed_inputs(self, gradients, args):
        """Gradients by inputs alone; see `placed`."""
        args = args[:-1] if self.sens else args
        chosen = [args[number] for number in self.argnums] if self.argnums is not None else [
            value for value in args if isinstance(value, (Tensor, TensorStructure))]
        if not isinstance(gradients, tuple):
            return _at_places_of(chosen[0], gradients)
        return tuple(map(_at_places_of, chosen, gradients))

    def arrange(self, by_input, by_weight):
        """Puts gradients, tuples or None where none were asked for, into the structure that the caller wants."""
        if by_input is not None:
            by_input = self._arrange(self.argnums or range(len(by_input)), by_input, self.single)
        if by_weight is not None:
            by_weight = self._arrange([weight.name for weight in self.weights], by_weight, self.single_weight)
        if by_input is None or by_weight is None:
            return by_weight if by_input is None else by_input
        return by_input, by_weight

    def _arrange(self, names, gradients, single):
        if self.return_ids:
            gradients = tuple(zip(names, gradients))
        return gradients[0] if len(gradients) == 1 and (single or self.return_ids) else tuple(gradients)


def _at_places_of(value, gradient):
    """A gradient with the indices of the sparse tensor that it belongs to, where it is one's."""
    return value.with_values(gradient.values) if isinstance(value, TensorStructure) else gradient


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """Returns a function that gives `fn`'s value and its gradients.

    Args:
      fn: a function or Cell.
      grad_position: int or tuple of ints, the inputs to differentiate by; None for none.
      weights: Parameter or sequence of them to differentiate by; None for none.
      has_aux: whether results after the first are passed through undifferentiated.
      return_ids: whether each gradient stands behind its position, or its Parameter's name, for `get_grad`.
    """
    return _make(fn, grad_position, weights, has_aux, return_ids, value=True, who="value_and_grad")


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """Returns a function that gives the gradients of `fn`; arguments as in `value_and_grad`."""
    return _make(fn, grad_position, weights, has_aux, return_ids, value=False, who="grad")


def _make(fn, grad_position, weights, has_aux, return_ids, value, who):
    if grad_position is None and weights is None:
        raise ValueError("`grad_position` and `weights` can not be None at the same time.")
    positions = _positions(grad_position, who)
    chosen = (weights,) if isinstance(weights, Parameter) else tuple(weights or ())
    for item in chosen:
        if not isinstance(item, Parameter):
            raise TypeError(f"For '{who}', the 'weights' must be Parameters, but got {type(item).__name__}.")
    return GradFunction(fn, positions, chosen, value, has_aux, single=isinstance(grad_position, int),
                        single_weight=isinstance(weights, Parameter), return_ids=return_ids)


def _positions(grad_position, who):
    if grad_position is None:
        return ()
    positions = (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)
    if not all(isinstance(position, int) and position >= 0 for position in positions):
        raise ValueError(f"For '{who}', the 'grad_position' must be ints of at least 0, but got {grad_position}.")
    return positions
