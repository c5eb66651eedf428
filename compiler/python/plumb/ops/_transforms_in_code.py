"""What compiled functions make of `vjp`, `jvp`, `linearize`, `jacrev` and `jacfwd`; in the parsable subset."""

from plumb.ops import _functions as F
from plumb.ops.operations.other_ops import GradOperation

_BY_ALL = GradOperation(get_all=True)
_PULLBACK = GradOperation(get_all=True, sens_param=True)


def _as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _parts(outputs, has_aux, who):
    """The results that are differentiated, sensitivities of zero for the others, and these as they are returned."""
    if not has_aux:
        return outputs, (), ()
    if not isinstance(outputs, tuple) or len(outputs) < 2:
        raise ValueError(f"For '{who}', the function must return at least two results where 'has_aux' is True.")
    rest = outputs[1:]
    return outputs[0], tuple([F.zeros_like(item) for item in rest]), (rest[0] if len(rest) == 1 else rest,)


def _pull(fn, inputs, sens):
    """The gradients by all inputs for a sensitivity per result."""
    return _PULLBACK(fn)(*inputs, sens[0] if len(sens) == 1 else sens)


def vjp(fn, *inputs, has_aux=False):
    """See `transforms.vjp`."""
    outputs, rest, aux = _parts(fn(*inputs), has_aux, "vjp")

    def vjp_fn(*sens):
        if len(sens) != len(_as_tuple(outputs)):
            raise TypeError(f"For 'vjp', the function has {len(_as_tuple(outputs))} results, but {len(sens)} sensitivities "
                            f"were given.")
        return _pull(fn, inputs, sens + rest)

    return (outputs, vjp_fn) + aux


def _push(fn, outputs, rest, inputs, vectors):
    """The Jacobian-vector product in the structure of `outputs`."""
    def pulled(sens, rest, inputs, vectors):
        total = 0.0
        for gradient, vector in zip(_pull(fn, inputs, sens + rest), vectors):
            total = total + (gradient * vector).sum()
        return total

    zeros = tuple([F.zeros_like(item) for item in _as_tuple(outputs)])
    result = _BY_ALL(pulled)(zeros, rest, inputs, vectors)[0]
    return result if isinstance(outputs, tuple) else result[0]


def jvp(fn, inputs, v, has_aux=False):
    """See `transforms.jvp`."""
    inputs, vectors = _as_tuple(inputs), _as_tuple(v)
    if [item.shape for item in inputs] != [item.shape for item in vectors]:
        raise ValueError("For 'jvp', the 'inputs' and 'v' must have the same shapes.")
    outputs, rest, aux = _parts(fn(*inputs), has_aux, "jvp")
    return (outputs, _push(fn, outputs, rest, inputs, vectors)) + aux


def linearize(fn, inputs):
    """See `transforms.linearize`."""
    inputs = _as_tuple(inputs)
    return fn(*inputs), lambda v: jvp(fn, inputs, v)[1]


def _units(like):
    """Tensors like the given one, each with a single one among zeros."""
    return [F.reshape(row, like.shape) for row in F.eye(like.size, like.size, like.dtype)]


def _rows(fn, outputs, rest, inputs, positions):
    """Per result and position the Jacobian, by one vector-Jacobian product per element of the results."""
    outputs, found = _as_tuple(outputs), []
    for number, output in enumerate(outputs):
        rows = []
        for unit in _units(output):
            sens = tuple([unit if other == number else F.zeros_like(item) for other, item in enumerate(outputs)])
            rows.append(_pull(fn, inputs, sens + rest))
        found.append([F.stack([row[position] for row in rows], 0) for position in positions])
    return found


def _columns(fn, outputs, rest, inputs, positions):
    """As `_rows`, by one Jacobian-vector product per element of the inputs."""
    found = [[] for _ in _as_tuple(outputs)]
    for position in positions:
        products = []
        for unit in _units(inputs[position]):
            vectors = tuple([unit if other == position else F.zeros_like(item) for other, item in enumerate(inputs)])
            products.append(_as_tuple(_push(fn, outputs, rest, inputs, vectors)))
        for number, results in enumerate(found):
            results.append(F.stack([product[number] for product in products], -1))
    return found


def jacobian(fn, grad_position, has_aux, forward, *inputs):
    """The Jacobian of `fn` at the inputs; see `transforms.jacrev`."""
    who = "jacfwd" if forward else "jacrev"
    single = isinstance(grad_position, int)
    positions = (grad_position,) if single else tuple(grad_position)
    if max(positions) >= len(inputs):
        raise ValueError(f"For '{who}', 'grad_position' is {max(positions)}, but only {len(inputs)} inputs were given.")
    outputs, rest, aux = _parts(fn(*inputs), has_aux, who)
    found = _columns(fn, outputs, rest, inputs, positions) if forward else _rows(fn, outputs, rest, inputs, positions)
    shaped = tuple([tuple([F.reshape(part, output.shape + inputs[position].shape) for part, position in zip(parts, positions)])
                    for parts, output in zip(found, _as_tuple(outputs))])
    made = tuple([parts[0] for parts in shaped]) if single else shaped
    made = made if isinstance(outputs, tuple) else made[0]
    return (made,) + aux if aux else made


def jacrev(fn, grad_position=0, has_aux=False):
    """See `transforms.jacrev`."""
    return lambda *inputs: jacobian(fn, grad_position, has_aux, False, *inputs)


def jacfwd(fn, grad_position=0, has_aux=False):
    """See `transforms.jacfwd`."""
    return lambda *inputs: jacobian(fn, grad_position, has_aux, True, *inputs)
