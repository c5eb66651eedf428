"""Tensors as the host sees them: NumPy values with MindSpore's interface.

A Tensor holds an array, or only a rule for its values (`init`), or stands for a value that a session on the device
holds (see Parameter). Arithmetic on tensors outside a compiled function goes through the compiler as well: one cached
executable per operation and signature, so that no second set of kernels exists.
"""

import copy
import functools

import numpy as np

from plumb.common import _bfloat, _habits, _in_place, _reads, _taping, _ufuncs, dtype as mstype
from plumb.common._offers import only_defaults
from plumb.common._printing import tensor_text
from plumb.common._refusals import refused
from plumb.common._states import INSTEAD, TensorStates
from plumb.common._structures import TensorStructure, compiled_as


class _TensorClass(type):
    """The class of Tensor, which has the methods of `tensor_methods` as attributes: programs call `Tensor.max(x)`."""

    def __getattr__(cls, name):
        from plumb.common.tensor_methods import eager_method
        method = None if name.startswith("_") else eager_method(name)
        if method is None:
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return method


class Tensor(TensorStates, metaclass=_TensorClass):
    """An n-dimensional array of one element type.

    Args:
      input_data: a number, a list, a NumPy array or a Tensor.
      dtype: element type; by default that of the data, with Python floats as float32 and ints as int64.
      shape, init: instead of data: a shape and the rule (an Initializer) that gives the values.
      internal: accepted.
      const_arg: kept. What compiled code holds is constant anyway; of arguments, only small integers are, where a program needs their values.
    """

    # What compiled code calls the tensor where it holds the value as a constant.
    _constant_of = None
    const_arg = False

    def __init__(self, input_data=None, dtype=None, shape=None, init=None, internal=False, const_arg=False):
        if const_arg:
            self.const_arg = True
        if init is not None:
            self._declare(init, shape, dtype)
            return
        if input_data is None:
            self._stand_in(shape, dtype)
            return
        self._rule = None
        self._stream = 0
        self._array = _as_array(input_data, dtype)
        self._dtype = mstype.as_dtype(self._array.dtype)
        self._shape = self._array.shape
        if _taping.current() is not None:
            self._note_data(input_data)

    def _note_data(self, data):
        """Has a gradient that Python takes go on to the tensor that this one was made of."""
        tape = _taping.current()
        if isinstance(data, Tensor):
            tape.part(data, ..., self)
        elif isinstance(data, (list, tuple)) and tape.reaches(data):
            raise refused(TypeError, "For 'Tensor', in a function that Python runs for its gradient, the data cannot be a list of tensors "
                                     "that lead to the gradient; use ops.stack")

    def _declare(self, init, shape, dtype):
        if shape is None:
            raise ValueError("For 'Tensor', 'shape' must be given with 'init'.")
        self._shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self._dtype = mstype.as_dtype(dtype or mstype.float32)
        if isinstance(init, str):
            from plumb.common.initializer import as_initializer
            init = as_initializer(init)
        self._rule = init.rule(self._shape)
        self._stream = next_stream()
        self._array = None

    def _stand_in(self, shape, dtype):
        """A tensor without values, for `set_inputs`: extents of None are open, and become -1."""
        if dtype is None or shape is None:
            raise ValueError("For 'Tensor', give 'input_data', or 'shape' and 'init', or 'shape' and 'dtype' of inputs to come.")
        extents = (shape,) if isinstance(shape, int) else shape
        self._shape = tuple(-1 if extent is None else extent for extent in extents)
        self._dtype, self._rule, self._stream, self._array = mstype.as_dtype(dtype), None, 0, None

    @property
    def shape(self):
        """The extents, a tuple of ints."""
        return tuple(self._shape)

    @property
    def dtype(self):
        """The element type."""
        return self._dtype

    @property
    def ndim(self):
        """The number of axes."""
        return len(self._shape)

    @property
    def size(self):
        """The number of elements."""
        return int(np.prod(self._shape))

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self._dtype.numpy.itemsize

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self):
        """Bytes from one element to the next along each axis."""
        return self.asnumpy().strides

    @property
    def has_init(self):
        """Whether the values follow a rule and have not been drawn."""
        return self._array is None and self._rule is not None

    @property
    def T(self):
        """The transposed tensor."""
        from plumb import ops
        return ops.transpose(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self):
        """The last two axes exchanged."""
        return self.swapaxes(-1, -2)

    @property
    def H(self):
        """The transposed tensor, with complex numbers conjugated."""
        return self.T.conj()

    @property
    def mH(self):
        """The last two axes exchanged, and complex numbers conjugated."""
        return self.adjoint()

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None):
        """Draws the values of a tensor that is declared by a rule; returns the tensor."""
        only_defaults("init_data", slice_index=(slice_index, None), shape=(shape, None),
                      opt_shard_group=(opt_shard_group, None))
        self.asnumpy()
        return self

    def data_sync(self, wait=True):
        """Fetches the values from where they are computed, or draws them; returns when they are there, whatever `wait` says."""
        self.asnumpy()

    def asnumpy(self):
        """Returns the values as a NumPy array, which shares memory with the tensor; of bfloat16, which NumPy has not, as float32."""
        return _bfloat.widened(self._elements())

    def _elements(self):
        """The values as the tensor keeps them."""
        _reads.note(self)
        if self._array is None:
            if self._rule is None:
                raise ValueError(f"This tensor of the shape {self.shape} stands for inputs to come, by set_inputs; it has no values.")
            from plumb import _native
            kind, numbers = self._rule
            self._array = _native.initialise(kind, numbers, self._shape, self._dtype, self._stream)
        return self._array

    def get_bytes(self):
        """Returns the values' bytes, row by row."""
        return self.asnumpy().tobytes()

    def numpy(self):
        """Returns the values as a NumPy array."""
        return self.asnumpy()

    def value(self):
        """Returns the tensor itself."""
        return self

    def dim(self):
        """Returns the number of axes."""
        return self.ndim

    def item(self, index=None):
        """Returns one element, by its number in order or its numbers along each axis, as a Python number.

        With an index MindSpore 2.0.0 gives a tensor, later versions a number.
        """
        array = self.asnumpy()
        if index is None:
            if array.size != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return array.item()
        return array.item(index)

    def itemset(self, *args):
        """Returns the tensor with one element changed: `itemset(value)`, or `itemset(index, value)`."""
        self._refuse_on_tape(args[-1])
        changed = self.asnumpy().copy()
        changed.itemset(*args)
        return Tensor(changed, self.dtype)

    def tolist(self):
        """Returns the values as nested Python lists."""
        return self.asnumpy().tolist()

    def copy(self):
        """Returns a tensor with a copy of the values."""
        return self._part(...)

    @staticmethod
    @compiled_as(lambda array: Tensor(array))
    def from_numpy(array):
        """Returns a tensor that shares memory with a NumPy array."""
        if not isinstance(array, np.ndarray):
            raise TypeError(f"For 'from_numpy', the argument must be a NumPy array, but got {type(array).__name__}.")
        tensor = Tensor.__new__(Tensor)
        tensor._rule, tensor._stream = None, 0
        tensor._array, tensor._shape, tensor._dtype = array, array.shape, mstype.as_dtype(array.dtype)
        return tensor

    def __array__(self, dtype=None, copy=None):
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    __array_ufunc__ = _ufuncs.apply_ufunc

    def __dlpack__(self, **options):
        """A capsule over the tensor's memory; see `plumb.utils.dlpack`."""
        return self.asnumpy().__dlpack__(**options)

    def __dlpack_device__(self):
        """The CPU."""
        return self.asnumpy().__dlpack_device__()

    def __len__(self):
        if not self._shape:
            raise TypeError("Not support len of a 0-D tensor")
        return self._shape[0]

    def __iter__(self):
        if not self._shape:
            raise TypeError("iteration over a 0-D tensor")
        return (self._part(number) for number in range(self._shape[0]))

    def __bool__(self):
        return bool(self._scalar())

    def __int__(self):
        return int(self._scalar())

    def __float__(self):
        return float(self._scalar())

    def __complex__(self):
        return complex(self._scalar())

    def __index__(self):
        return int(self._scalar())

    def _scalar(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. "
                             f"Expected one element, but got the shape {self.shape}.")
        return self.asnumpy().reshape(())[()]

    def __str__(self):
        return str(self.asnumpy()) if self._array is not None or self._rule is not None else repr(self)

    def __repr__(self):
        if self._array is None and self._rule is None:
            return f"Tensor(shape={list(self.shape)}, dtype={self._dtype}, value= )"
        return tensor_text(self.asnumpy(), self._dtype)

    def __format__(self, spec):
        return format(self.asnumpy()[()] if spec and not self._shape else str(self), spec)

    def __contains__(self, element):
        return bool((self.asnumpy() == (element.asnumpy() if isinstance(element, Tensor) else element)).any())

    def __round__(self, digits=None):
        return Tensor(np.round(self.asnumpy(), digits or 0), self.dtype)

    def __getitem__(self, index):
        return self._part(_plain_index(index))

    def __getstate__(self):
        """What a copy has: compiled code that holds this value as its constant has nothing of the copy."""
        return {name: value for name, value in vars(self).items() if name != "_constant_of"}

    def __deepcopy__(self, memodict):
        made = memodict[id(self)] = type(self).__new__(type(self))
        vars(made).update(copy.deepcopy(self.__getstate__(), memodict))
        if _taping.current() is not None:
            _taping.current().part(self, ..., made)
        return made

    def _part(self, index):
        """The elements at an index of NumPy's."""
        part = Tensor(np.asarray(self._elements()[index]))
        tape = _taping.current()
        if tape is not None:
            tape.part(self, index, part)
        return part

    def _refuse_on_tape(self, value):
        tape = _taping.current()
        if tape is not None:
            tape.refuse_change(self, value)

    def __setitem__(self, index, value):
        """Stores into the elements that `index` selects, as NumPy does; arrays that shared memory with the tensor keep theirs.

        Raises:
          RuntimeError: if a compiled function holds the tensor as a constant.
        """
        self._refuse_constant()
        place, before = _plain_index(index), self._elements()
        array = before.copy()
        given = value.asnumpy() if isinstance(value, Tensor) else value
        array[place] = _bfloat.stored(given, array.dtype) if array.dtype == _bfloat.BITS else given
        self._replace(array)
        tape = _taping.current()
        if tape is not None:
            tape.stored(self, before, place, value)

    def _refuse_constant(self):
        if self._constant_of is not None:
            raise RuntimeError(f"For 'Tensor', no element can be stored: compiled code holds the value as its constant "
                               f"'{self._constant_of}'. Make it a Parameter, or pass it to the function as an argument.")

    def _replace(self, array):
        self._array = array

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        from plumb.common.tensor_methods import eager_method
        method = eager_method(name)
        if method is None:
            advice = INSTEAD.get(name) or _habits.TENSOR.get(name)
            raise AttributeError(f"Tensor offers no '{name}'{f': {advice}' if advice else ''}.")
        return functools.partial(method, self)


def _plain_index(index):
    if isinstance(index, Tensor):
        return index.asnumpy()
    if isinstance(index, tuple):
        return tuple(_plain_index(part) for part in index)
    return index


def _as_array(data, dtype):
    wanted = None if dtype is None else mstype.as_dtype(dtype).numpy
    if isinstance(data, Tensor):
        array = data._elements()
    elif isinstance(data, np.ndarray):
        array = data
    else:
        array = np.asarray(data)
        if wanted is None and array.dtype == np.float64 and not isinstance(data, np.generic):
            wanted = np.dtype(np.float32)
    if array.dtype == object:
        raise TypeError(f"For 'Tensor', the data must be numbers of one shape, but got {type(data).__name__}.")
    if wanted is not None and array.dtype != wanted:
        return _bfloat.stored(array, wanted)
    # What the program changes in its own array later is not the tensor's.
    return array.copy() if isinstance(data, (np.ndarray, Tensor)) else array


@functools.lru_cache(maxsize=None)
def _operation(name):
    """The public function called `name`; the package of operations imports this module."""
    from plumb import ops
    return getattr(ops, name)


_COMPARED = (Tensor, bool, int, float, complex, np.ndarray, np.generic, list, tuple)  # elements, beside those of a tensor


def _binary(name, swap=False):
    def method(self, other):
        if isinstance(other, TensorStructure):
            return NotImplemented
        if name in ("equal", "not_equal") and not isinstance(other, _COMPARED):
            return NotImplemented  # unequal, if the other's class does not know better
        function = _operation(name)
        return function(other, self) if swap else function(self, other)
    method.__doc__ = f"Elementwise `{name}`."
    return method


for _name, _function in {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_div", "mod": "floor_mod",
        "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
        "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift"}.items():
    setattr(Tensor, f"__{_name}__", _binary(_function))
    setattr(Tensor, f"__r{_name}__", _binary(_function, swap=True))
for _name, _function in {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
                         "ge": "greater_equal"}.items():
    setattr(Tensor, f"__{_name}__", _binary(_function))
Tensor.__hash__ = object.__hash__
Tensor.__invert__ = lambda self: _operation("logical_not")(self)
Tensor.__neg__ = lambda self: _operation("neg")(self)
Tensor.__abs__ = lambda self: _operation("abs")(self)

_serial = 0


def next_stream():
    """Returns the next serial number for a random stream; `set_seed` starts the count again."""
    global _serial
    _serial += 1
    return _serial - 1


def reset_streams():
    """Starts the count of random streams again."""
    global _serial
    _serial = 0


_in_place.add_methods(Tensor)
_MEMBERS = dict(vars(Tensor))


def added_methods():
    """What a program has put into the class, or in the place of its methods, by name."""
    return {name: value for name, value in vars(Tensor).items()
            if callable(value) and _MEMBERS.get(name) is not value and not name.startswith("_")}


def replaced_specials():
    """The methods of operators that a program has put into the class, or in the place of its own."""
    return {name for name, value in vars(Tensor).items()
            if name.startswith("__") and callable(value) and _MEMBERS.get(name) is not value}


def is_own_method(function):
    """Whether a function is a public method of the class as the package has it: plain Python's, which is not compiled."""
    name = function.__name__
    return not name.startswith("_") and (_MEMBERS.get(name) is function or vars(TensorStates).get(name) is function)


def tensors_in(value):
    """The tensors in tuples, lists and dicts, as a list."""
    if isinstance(value, Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return [tensor for item in items for tensor in tensors_in(item)]
