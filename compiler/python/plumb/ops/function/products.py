"""Products of vectors, matrices and tensors, with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.diagonal import diagonal


def matmul(input, other, transpose_a=False, transpose_b=False):
    """Matrix product as NumPy's: vectors are rows on the left and columns on the right, leading axes broadcast.

    Of tensors of several element types it is of float32 where one is a vector or they are of several ranks, else a TypeError.

    Args:
      transpose_a, transpose_b: whether a matrix is transposed first; MindSpore has them in `ops.MatMul` alone.
    """
    if input.dtype != other.dtype and (input.ndim != other.ndim or input.ndim == 1):
        input, other = F.cast(input, mstype.float32), F.cast(other, mstype.float32)
    if input.ndim > 1 and other.ndim > 1:
        return F.matmul(input, other, transpose_a, transpose_b)
    if input.ndim == 0 or other.ndim == 0:
        raise ValueError("For 'matmul', the inputs must have at least one axis")
    left = F.expand_dims(input, 0) if input.ndim == 1 else input
    right = F.expand_dims(other, 1) if other.ndim == 1 else other
    product = F.matmul(left, right, transpose_a and input.ndim > 1, transpose_b and other.ndim > 1)
    axes = ((-1,) if other.ndim == 1 else ()) + ((-2,) if input.ndim == 1 else ())
    return F.squeeze(product, axes)


def _ranks(who, x, rank, y, other):
    if x.ndim != rank or y.ndim != other:
        raise ValueError(f"For '{who}', the inputs must have {rank} and {other} axes, but got {x.shape} and {y.shape}")


def mm(input, mat2):
    """Product of two matrices."""
    _ranks("mm", input, 2, mat2, 2)
    return F.matmul(input, mat2)


@known_as(input="input_x")
def bmm(input_x, mat2):
    """Matrix products of a batch."""
    return F.matmul(input_x, mat2)


def mv(mat, vec):
    """Product of a matrix and a vector."""
    _ranks("mv", mat, 2, vec, 1)
    return matmul(mat, vec)


def outer(input, vec2):
    """All products of elements of two vectors."""
    _ranks("outer", input, 1, vec2, 1)
    return F.mul(F.expand_dims(input, 1), vec2)


def ger(input, vec2):
    """All products of elements of two vectors."""
    return outer(input, vec2)


def inner(input, other):
    """Sums of products over the last axes; products where one is a single number."""
    if input.ndim == 0 or other.ndim == 0:
        return F.mul(input, other)
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 1,)))


def dot(input, other):
    """Sums of products over the last axis of one and the last but one of the other, as NumPy's dot."""
    if other.ndim == 1:
        return tensor_dot(input, other, 1)
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 2,)))


def vecdot(x, y, *, axis=-1):
    """Sums of products along an axis, which both have, with the conjugates of `x`; the other axes broadcast."""
    return F.reduce_sum(F.mul(F.conj(x) if x.dtype in _checks.COMPLEX else x, y), (axis,))


def tensor_dot(x1, x2, axes):
    """Sums of products over axes of both.

    Args:
      axes: how many last axes of x1 and first ones of x2, or two tuples of axes, or two axes.
    """
    if isinstance(axes, int):
        ours, theirs = tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    else:
        ours = _checks.all_axes("tensor_dot", axes[0], x1.ndim) if axes[0] != () else ()
        theirs = _checks.all_axes("tensor_dot", axes[1], x2.ndim) if axes[1] != () else ()
    if tuple([x1.shape[axis] for axis in ours]) != tuple([x2.shape[axis] for axis in theirs]):
        raise ValueError(f"For 'tensor_dot', the extents of {axes} differ in {x1.shape} and {x2.shape}")
    kept = tuple([axis for axis in range(x1.ndim) if axis not in ours])
    rest = tuple([axis for axis in range(x2.ndim) if axis not in theirs])
    count = 1
    for axis in ours:
        count = count * x1.shape[axis]
    left = F.reshape(F.transpose(x1, kept + ours), (-1, count))
    right = F.reshape(F.transpose(x2, theirs + rest), (count, -1))
    return F.reshape(F.matmul(left, right), tuple([x1.shape[axis] for axis in kept]) + tuple([x2.shape[axis] for axis in rest]))


def batch_dot(x1, x2, axes=None):
    """Sums of products over an axis of each, for each element of the first axis of both.

    Args:
      axes: an axis for both, or one for each; by default the last one of x1 and the last but one of x2 (the last of a matrix).
    """
    if axes is None:
        axes = (x1.ndim - 1, x2.ndim - 2 if x2.ndim > 2 else x2.ndim - 1)
    pair = (axes, axes) if isinstance(axes, int) else axes
    one, other = _checks.one_axis("batch_dot", pair[0], x1.ndim), _checks.one_axis("batch_dot", pair[1], x2.ndim)
    if one == 0 or other == 0 or x1.shape[0] != x2.shape[0] or x1.shape[one] != x2.shape[other]:
        raise ValueError(f"For 'batch_dot', {x1.shape} and {x2.shape} do not fit at the axes {axes}")
    kept = tuple([axis for axis in range(1, x1.ndim) if axis != one])
    rest = tuple([axis for axis in range(1, x2.ndim) if axis != other])
    count, batch = x1.shape[one], x1.shape[0]
    left = F.reshape(F.transpose(x1, (0,) + kept + (one,)), (batch, -1, count))
    right = F.reshape(F.transpose(x2, (0, other) + rest), (batch, count, -1))
    shape = (batch,) + tuple([x1.shape[axis] for axis in kept]) + tuple([x2.shape[axis] for axis in rest])
    return F.reshape(F.matmul(left, right), shape if len(shape) > 1 else (batch, 1))


@known_as(input="x", other="y")
def kron(x, y):
    """Kronecker product: each element of x times the whole of y; the shorter shape gets leading extents of 1."""
    rank = x.ndim if x.ndim > y.ndim else y.ndim
    ours, theirs = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    left, right, shape = (), (), ()
    for axis in range(rank):
        left, right = left + (ours[axis], 1), right + (1, theirs[axis])
        shape = shape + (ours[axis] * theirs[axis],)
    return F.reshape(F.mul(F.reshape(x, left), F.reshape(y, right)), shape)


def cross(input, other, dim=None):
    """Vector products of the three elements along an axis: the first of extent 3 when `dim` is None."""
    axis = None if dim is None or dim == -65530 else _checks.one_axis("cross", dim, input.ndim)
    if axis is None:
        for place in range(input.ndim - 1, -1, -1):
            axis = place if input.shape[place] == 3 else axis
    if axis is None or input.shape[axis] != 3 or other.shape[axis] != 3:
        raise ValueError(f"For 'cross', an axis must have the extent 3 in {input.shape} and {other.shape}")
    a = [F.part(input, axis, place, place + 1) for place in range(3)]
    b = [F.part(other, axis, place, place + 1) for place in range(3)]
    return F.concat((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]), axis)


def trace(input):
    """The sum of a matrix's diagonal."""
    if input.ndim != 2:
        raise ValueError(f"For 'trace', the input must be a matrix, but got {input.shape}")
    return F.reduce_sum(diagonal(input))


# -- products that are added to something


def _combined(input, product, beta, alpha):
    first = input if isinstance(beta, int) and beta == 1 else F.mul(input, beta)
    return F.add(first, product if isinstance(alpha, int) and alpha == 1 else F.mul(product, alpha))


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * (mat1 @ mat2)."""
    _ranks("addmm", mat1, 2, mat2, 2)
    return _combined(input, F.matmul(mat1, mat2), beta, alpha)


@known_as(input="x")
def addmv(x, mat, vec, *, beta=1, alpha=1):
    """beta * x + alpha * (mat @ vec)."""
    return _combined(x, mv(mat, vec), beta, alpha)


def addr(x, vec1, vec2, *, beta=1, alpha=1):
    """beta * x + alpha * outer(vec1, vec2)."""
    return _combined(x, outer(vec1, vec2), beta, alpha)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the sum of the matrix products of a batch."""
    _ranks("addbmm", batch1, 3, batch2, 3)
    return _combined(input, F.reduce_sum(F.matmul(batch1, batch2), (0,)), beta, alpha)


def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta * input + alpha * the matrix products of a batch."""
    _ranks("baddbmm", batch1, 3, batch2, 3)
    return _combined(input, F.matmul(batch1, batch2), beta, alpha)


def dense(input, weight, bias=None):
    """input @ weight.T + bias: the last axis through a matrix of (out, in), or a vector of weights."""
    if weight.ndim > 2:
        raise ValueError(f"For 'dense', 'weight' must have 1 or 2 axes, but got {weight.shape}")
    if weight.ndim == 1:
        product = matmul(input, weight)
    elif input.ndim == 1:
        product = matmul(weight, input)
    else:
        rows = F.reshape(input, (-1, input.shape[-1]))
        product = F.reshape(F.matmul(rows, weight, transpose_b=True), input.shape[:-1] + (weight.shape[0],))
    return product if bias is None else F.add(product, bias)


def bidense(input1, input2, weight, bias=None):
    """x1 @ A @ x2 + b for each matrix A of a weight, (out, in1, in2): (…, in1) and (…, in2) to (…, out).

    Raises:
      ValueError: if the inputs differ but for the last axis, or do not fit the weight.
    """
    if input1.shape[:-1] != input2.shape[:-1]:
        raise ValueError(f"For 'bidense', the inputs must agree but for the last axis, but got {input1.shape} and {input2.shape}")
    if weight.ndim != 3 or weight.shape[1:] != (input1.shape[-1], input2.shape[-1]):
        raise ValueError(f"For 'bidense', the weight must be (out, {input1.shape[-1]}, {input2.shape[-1]}), but got {weight.shape}")
    first, second = F.reshape(input1, (-1, weight.shape[1])), F.reshape(input2, (-1, weight.shape[2]))
    middle = F.matmul(first, F.reshape(F.transpose(weight, (1, 0, 2)), (weight.shape[1], -1)))
    middle = F.reshape(middle, (-1, weight.shape[0], weight.shape[2]))
    x = F.reduce_sum(middle * F.expand_dims(second, 1), (2,))
    x = x if bias is None else x + bias
    return F.reshape(x, input1.shape[:-1] + (weight.shape[0],))


# -- Einstein's sums


def _subscripts(equation, operands):
    """The letters of each operand and of the result; letters in "…" stand for the axes under an ellipsis."""
    text = ""
    for letter in equation:
        text = text + ("" if letter == " " else letter)
    inputs, current, output, behind = (), (), None, False
    place = 0
    while place < len(text):
        letter = text[place]
        if letter == "." and text[place:place + 3] == "...":
            current = current + ("...",)
            place = place + 3
        elif letter == ",":
            inputs, current, place = inputs + (current,), (), place + 1
        elif letter == "-" and text[place:place + 2] == "->":
            inputs, current, behind, place = inputs + (current,), (), True, place + 2
        elif letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ":
            current, place = current + (letter,), place + 1
        else:
            raise ValueError(f"For 'einsum', the equation {equation} holds '{letter}'")
    if behind:
        output = current
    else:
        inputs = inputs + (current,)
    if len(inputs) != len(operands):
        raise ValueError(f"For 'einsum', the equation {equation} names {len(inputs)} operands, but got {len(operands)}")
    return inputs, output


def _expanded(letters, rank, equation):
    """Letters with a name of its own for each axis under the ellipsis, counted from the right."""
    named = len(letters) - (1 if "..." in letters else 0)
    if named > rank or named < rank and "..." not in letters:
        raise ValueError(f"For 'einsum', {letters} of {equation} does not fit an operand of {rank} axes")
    result = ()
    for letter in letters:
        if letter == "...":
            for number in range(rank - named, 0, -1):
                result = result + (f".{number}",)
        else:
            result = result + (letter,)
    return result


def _without_repeats(x, letters):
    """x with one axis for each letter: repeated ones are diagonals."""
    place = 0
    while place < len(letters):
        if letters[place] in letters[:place]:
            first = letters.index(letters[place])
            x = diagonal(x, 0, first, place)
            letters = letters[:first] + letters[first + 1:place] + letters[place + 1:] + (letters[place],)
            place = 0
        else:
            place = place + 1
    return x, letters


def _extent(letter, operands):
    """The extent that a letter has in the operands."""
    extent = 1
    for x, letters in operands:
        if letter in letters:
            own = x.shape[letters.index(letter)]
            if own != 1 and extent != 1 and own != extent:
                raise ValueError(f"For 'einsum', '{letter}' has the extents {extent} and {own}")
            extent = own if own != 1 else extent
    return extent


def _contracted(left, right, kept):
    """The product of two operands, summed over the letters that are not kept."""
    x, ours = left
    y, theirs = right
    # A letter that one operand has alone and that is not kept is summed first.
    for letter in ours:
        if letter not in theirs and letter not in kept:
            x, ours = F.reduce_sum(x, (ours.index(letter),)), tuple([other for other in ours if other != letter])
    for letter in theirs:
        if letter not in ours and letter not in kept:
            y, theirs = F.reduce_sum(y, (theirs.index(letter),)), tuple([other for other in theirs if other != letter])
    both = tuple([letter for letter in ours if letter in theirs])
    sizes = tuple([_extent(letter, (left, right)) for letter in both])
    batch, summed, batches, sums = (), (), (), ()
    for number in range(len(both)):
        if both[number] in kept:
            batch, batches = batch + (both[number],), batches + (sizes[number],)
        else:
            summed, sums = summed + (both[number],), sums + (sizes[number],)
    alone = tuple([letter for letter in ours if letter not in both])
    other = tuple([letter for letter in theirs if letter not in both])
    rows, columns = tuple([x.shape[ours.index(a)] for a in alone]), tuple([y.shape[theirs.index(a)] for a in other])
    one = F.broadcast_to(F.transpose(x, tuple([ours.index(a) for a in batch + alone + summed])), batches + rows + sums)
    two = F.broadcast_to(F.transpose(y, tuple([theirs.index(a) for a in batch + summed + other])), batches + sums + columns)
    product = F.matmul(F.reshape(one, (_count(batches), _count(rows), _count(sums))),
                       F.reshape(two, (_count(batches), _count(sums), _count(columns))))
    return F.reshape(product, batches + rows + columns), batch + alone + other


def _count(extents):
    count = 1
    for extent in extents:
        count = count * extent
    return count


def einsum(equation, *operands):
    """Einstein's sum: products of the operands' elements, summed over the letters that the result does not name.

    Args:
      equation: "ij,jk->ik"; without "->" the result has the letters that stand once, in the alphabet's order. An ellipsis
        stands for axes that broadcast. Letters repeated in an operand mean its diagonal.
    """
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    inputs, output = _subscripts(equation, operands)
    terms = ()
    for number in range(len(operands)):
        letters = _expanded(inputs[number], operands[number].ndim, equation)
        terms = terms + (_without_repeats(operands[number], letters),)
    result = _result_letters(inputs, output, terms, equation)
    current = terms[0]
    for number in range(1, len(terms)):
        later = result
        for term in terms[number + 1:]:
            later = later + term[1]
        current = _contracted(current, terms[number], later)
    x, letters = current
    for letter in letters:
        if letter not in result:
            x, letters = F.reduce_sum(x, (letters.index(letter),)), tuple([other for other in letters if other != letter])
    return F.transpose(x, tuple([letters.index(letter) for letter in result])) if len(result) > 0 else x


def _result_letters(inputs, output, terms, equation):
    """The letters of the result's axes; those under an ellipsis stand in its place, or first."""
    dots = 0
    for _, letters in terms:
        own = len([letter for letter in letters if letter[0] == "."])
        dots = own if own > dots else dots
    hidden = tuple([f".{number}" for number in range(dots, 0, -1)])
    if output is not None:
        result = ()
        for letter in output:
            result = result + (hidden if letter == "..." else (letter,))
        for letter in result:
            if letter[0] != "." and not _is_named(letter, inputs) or result.count(letter) > 1:
                raise ValueError(f"For 'einsum', the result of {equation} cannot name '{letter}'")
        return result
    every = ()
    for letters in inputs:
        every = every + letters
    single = ()
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        single = single + ((letter,) if every.count(letter) == 1 else ())
    return hidden + single


def _is_named(letter, inputs):
    found = False
    for letters in inputs:
        found = found or letter in letters
    return found


__all__ = [name for name in offered(globals()) if name != "diagonal"]
