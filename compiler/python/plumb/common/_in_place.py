"""Methods of Tensor that change it: their names end in an underscore, as MindSpore has them from 2.4 on.

Each stores what the method or function without the underscore gives, through `x[...] = value`, so that a gradient that Python
runs knows of the change. They are plain Python's: a compiled function says `x = x.add(y)`.
"""

import numpy as np

from plumb.common import _bfloat

#: Methods that the tensor has without the underscore, too.
_OF_METHODS = """abs addbmm addmm addmv addr baddbmm bernoulli ceil clamp cos div erfinv exp floor floor_divide index_add index_fill
    index_put log logical_not masked_fill masked_scatter mul neg pow reciprocal remainder round rsqrt scatter_add sigmoid sign sin
    sqrt square tan tanh tril triu trunc xlogy""".split()


def _store(tensor, value):
    """Takes the values, and returns the tensor; a value of another kind of numbers is an error, as in PyTorch."""
    kind, own = value.dtype.numpy, tensor.dtype.numpy
    if own != _bfloat.BITS and kind != _bfloat.BITS and not np.can_cast(kind, own, "same_kind"):
        raise TypeError(f"a tensor of {tensor.dtype} cannot take values of {value.dtype}")
    if value.shape != tensor.shape:
        raise ValueError(f"a tensor of the shape {tensor.shape} cannot take values of the shape {value.shape}")
    tensor[...] = value
    return tensor


def _by_method(name):
    def method(self, *args, **kwargs):
        return _store(self, getattr(self, name)(*args, **kwargs))

    method.__doc__ = f"Changes the tensor to what `{name}` gives; returns it."
    return method


def _by_function(module, name):
    """As `_by_method`, of a function of `plumb.mint` or `plumb.ops` where the method has other arguments."""
    def method(self, *args, **kwargs):
        import importlib
        return _store(self, getattr(importlib.import_module(module), name)(self, *args, **kwargs))

    method.__doc__ = f"Changes the tensor to what `{module.replace('plumb.', '')}.{name}` gives; returns it."
    return method


def copy_(self, src, non_blocking=False):
    """Takes the values of another tensor, which is broadcast and converted; returns this one."""
    self[...] = src.broadcast_to(self.shape).astype(self.dtype)
    return self


def fill_(self, value):
    """Sets all elements to a number or to the one of a tensor; returns the tensor."""
    self[...] = value
    return self


def zero_(self):
    """Sets all elements to 0; returns the tensor."""
    return fill_(self, 0)


def fill_diagonal_(self, fill_value, wrap=False):
    """Sets the elements of the diagonal; returns the tensor."""
    return _store(self, self.fill_diagonal(fill_value, wrap))


def index_copy_(self, dim, index, tensor):
    """Stores the parts of `tensor` at the positions `index` of an axis; returns this one."""
    self[(slice(None),) * (dim % self.ndim) + (index,)] = tensor
    return self


def put_(self, index, source, accumulate=False):
    """Stores elements at their number in order, or adds them; returns the tensor."""
    flat = self.reshape(-1)
    return _store(self, flat.index_put((index.reshape(-1),), source.reshape(-1), accumulate).reshape(self.shape))


def _drawn(name, draw):
    def method(self, *args, generator=None, **kwargs):
        from plumb import ops
        from plumb.common.generator import default_generator
        with (generator or default_generator).drawing():
            drawn = draw(ops, self, *args, **kwargs)
        return _store(self, drawn.astype(self.dtype))

    method.__doc__ = f"Fills the tensor with {name}; returns it."
    return method


def _uniform(ops, self, from_=0.0, to=1.0):
    return ops.rand(*self.shape) * (to - from_) + from_


def _normal(ops, self, mean=0.0, std=1.0):
    return ops.randn(*self.shape) * std + mean


def _exponential(ops, self, lambd=1.0):
    return -ops.log1p(-ops.rand(*self.shape)) / lambd


def _integers(ops, self, from_=0, to=None):
    return ops.randint(from_, to, self.shape) if to is not None else ops.randint(0, from_ or 2 ** 24, self.shape)


_OWN = {"copy_": copy_, "fill_": fill_, "zero_": zero_, "fill_diagonal_": fill_diagonal_, "index_copy_": index_copy_, "put_": put_,
        "uniform_": _drawn("uniform numbers of [from_, to)", _uniform), "normal_": _drawn("normal numbers", _normal),
        "exponential_": _drawn("numbers of the exponential distribution", _exponential),
        "random_": _drawn("uniform integers of [from_, to)", _integers)}


def add_methods(cls):
    """Puts the methods into the class of tensors."""
    methods = {f"{name}_": _by_method(name) for name in _OF_METHODS}
    methods |= {f"{name}_": _by_function("plumb.mint", name) for name in ("add", "sub", "scatter")}
    methods |= {f"{name}_": _by_function("plumb.mint.nn.functional", name) for name in ("relu", "elu", "hardtanh", "threshold")}
    for name, method in {**methods, **_OWN}.items():
        method.__name__ = name
        setattr(cls, name, method)
