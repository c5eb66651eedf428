"""Layers of the blocks under the names of MindSpore 2.0, and the checks that programs' own blocks make of their arguments."""

import functools
import inspect

from plumb import _checkparam
from plumb.common._marks import constexpr
from plumb.nn.layer.basic import Dropout as _Dropout
from plumb.nn.layer.normalization import LayerNorm
from plumb.nn.transformer import Linear as _Linear


class _LayerNorm(LayerNorm):
    """LayerNorm over the last axes, with an epsilon of 1e-5."""

    def __init__(self, normalized_shape, eps=1e-5, param_init_type=None):
        super().__init__(normalized_shape, epsilon=eps)


# -- checks of constructors' arguments


def _args_type_validator_check(*positions, **names):
    """Returns a decorator of functions: each argument is given to a check, `check(value, name)`, which raises.

    The checks stand by position or by name; those of "kwargs" are for arguments that a function takes so.
    """
    def decorate(function):
        signature = inspect.signature(function)
        checks = signature.bind_partial(*positions, **names).arguments
        checks = checks.get("kwargs", checks)

        @functools.wraps(function)
        def called(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.get("kwargs", given).items():
                if name in checks:
                    checks[name](value, name)
            return function(*args, **kwargs)

        return called

    return decorate


def _valid_type_checks(types, class_name):
    """A check that a value is of one of some classes, and of none that derives from them."""
    return lambda value, name: _checkparam.check_type_name(name, type(value), types, class_name)


def _valid_value_checks(types, class_name):
    """A check that a value is one of some element types."""
    return lambda value, name: _checkparam.check_type_name(name, value, types, class_name)


# -- checks of inputs, while compiling


@constexpr
def _check_input_dtype(input_dtype, param_name, allow_dtypes, cls_name):
    """TypeError unless an element type is one of some."""
    _checkparam.check_type_name(param_name, input_dtype, allow_dtypes, cls_name)


@constexpr
def _check_past_none_input_none(use_past, param_name, func_name, default_value, is_tensor, is_default):
    """TypeError unless an input is a Tensor if `use_past`, else its default."""
    if use_past and not is_tensor:
        raise TypeError(f"For '{func_name}', {param_name} must be a Tensor where use_past is True.")
    if not use_past and (is_tensor or not is_default):
        raise TypeError(f"For '{func_name}', {param_name} must be {default_value} where use_past is False.")


class _LayerInputCheck:
    """Checks of inputs' shapes, which return True or raise ValueError."""

    @staticmethod
    def check_shape_length(input_shape, param_name, func_name, target_len):
        """The number of axes is `target_len`, or one of a list."""
        if len(input_shape) not in (target_len if isinstance(target_len, list) else [target_len]):
            raise ValueError(f"For '{func_name}', {param_name} must have {target_len} axes, but got the shape {input_shape}.")
        return True

    @staticmethod
    def check_shape_equal(input_shape, param_name, func_name, target_shape):
        """The shape is `target_shape`, a list, or one of a list of lists."""
        if list(input_shape) not in (target_shape if isinstance(target_shape[0], list) else [target_shape]):
            raise ValueError(f"For '{func_name}', {param_name} must be of {target_shape}, but got {input_shape}.")
        return True

    @staticmethod
    def check_shape_value_on_axis(input_shape, dim, param_name, cls_name, target_value):
        """The extent of one axis is `target_value`."""
        if input_shape[dim] != target_value:
            raise ValueError(f"For '{cls_name}', axis {dim} of {param_name} must be of {target_value}, but got {input_shape}.")
        return True

    @staticmethod
    def check_shape_equal_without_batch(input_shape, param_name, func_name, target_shape):
        """The shape is (rows,) + `target_shape`, which is [length, width], or (rows * length, width)."""
        length, width = target_shape
        _LayerInputCheck.check_shape_length(input_shape, param_name, func_name, [2, 3])
        if input_shape[-1] != width or input_shape[0] == 0 or len(input_shape) == 2 and input_shape[0] % length != 0:
            raise ValueError(f"For '{func_name}', {param_name} must be rows of {target_shape}, but got {input_shape}.")
        return True
