"""Operators and gradients in programs that hold structures of tensors, as sparse tensors are.

The compiler's interpreter knows operators of tensors, and gradients by tensors. Where a program may hold structures, the functions
of this file, in the parsable subset, stand for the operators and gradient functions that the user wrote: they call the methods of
structures, and give gradients by sparse tensors the places that these have.
"""

from plumb.common._structures import TensorStructure
from plumb.ops._primitive import Primitive
from plumb.ops.grad import placed


def add(x, y):
    """x + y."""
    if isinstance(x, TensorStructure):
        return x.__add__(y)
    if isinstance(y, TensorStructure):
        return y.__radd__(x)
    return x + y


def sub(x, y):
    """x - y."""
    if isinstance(x, TensorStructure):
        return x.__sub__(y)
    if isinstance(y, TensorStructure):
        return y.__rsub__(x)
    return x - y


def mul(x, y):
    """x * y."""
    if isinstance(x, TensorStructure):
        return x.__mul__(y)
    if isinstance(y, TensorStructure):
        return y.__rmul__(x)
    return x * y


def truediv(x, y):
    """x / y."""
    if isinstance(x, TensorStructure):
        return x.__truediv__(y)
    if isinstance(y, TensorStructure):
        return y.__rtruediv__(x)
    return x / y


def neg(x):
    """-x."""
    return x.__neg__() if isinstance(x, TensorStructure) else -x


def add_to(x, y):
    """x += y."""
    if isinstance(x, TensorStructure) or isinstance(y, TensorStructure):
        return add(x, y)
    x += y
    return x


def sub_from(x, y):
    """x -= y."""
    if isinstance(x, TensorStructure) or isinstance(y, TensorStructure):
        return sub(x, y)
    x -= y
    return x


def mul_by(x, y):
    """x *= y."""
    if isinstance(x, TensorStructure) or isinstance(y, TensorStructure):
        return mul(x, y)
    x *= y
    return x


OPERATORS = {"add": add, "sub": sub, "mul": mul, "truediv": truediv, "neg": neg}
IN_PLACE = {"add": add_to, "sub": sub_from, "mul": mul_by, "truediv": truediv}

_grad, _value_and_grad = Primitive("grad"), Primitive("value_and_grad")


def _numbers(grad_position):
    """Positions as a tuple; of None, none."""
    if grad_position is None:
        return ()
    return (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """`ops.grad`."""
    made = _grad(fn, grad_position, weights, has_aux, return_ids)
    by_weights = weights is not None
    return lambda *args: placed(made(*args), args, _numbers(grad_position), by_weights, False, has_aux)


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """`ops.value_and_grad`."""
    made = _value_and_grad(fn, grad_position, weights, has_aux, return_ids)
    by_weights = weights is not None
    return lambda *args: placed(made(*args), args, _numbers(grad_position), by_weights, True, has_aux)


def grad_operation(operation):
    """Returns what stands for a GradOperation."""
    config = operation.config
    native = Primitive(operation.mnemonic, **config)
    get_all, by_list, sens = config["get_all"], config["get_by_list"], config["sens_param"]
    argnums = None if get_all else () if by_list else (0,)

    def of_function(fn, weights=None):
        made = native(fn, weights) if by_list else native(fn)
        return lambda *args: placed(made(*args), args[:-1] if sens else args, argnums, by_list, False, False)

    return of_function
