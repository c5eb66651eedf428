"""Cases of cells, of the names of `mindspore` itself, of `scipy`, `amp` and `train`: values alone; as cases.py says.

`network()` is a cell of two layers of fixed weights; evaluate.py's head defines it and its like.
"""

_DEFINITE, _SYSTEM = "definite + 3 * ops.eye(4, 4, ms.float32)", "ms.Tensor([[2.0, 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6], [5, 4, 4, 8]])"
_TYPES = """bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 byte short intc
    half single double ubyte ushort uintc""".split()

_CELL = {
    "add_flags": ["network().add_flags(mark=True).mark"], "add_flags_recursive": ["[c.mark for c in network().add_flags_recursive(mark=True).cells()]"],
    "get_flags": ["network().add_flags(mark=True).get_flags()['mark']"], "apply": ["visited(network())"],
    "cast_param": ["network().cast_param(ms.Parameter(x, name='p'))"], "cells": ["[type(c).__name__ for c in network().cells()]"],
    "cells_and_names": ["[n + type(c).__name__ for n, c in network().cells_and_names()]"], "check_names": ["str(network().check_names())"],
    "cls_name": ["network().first.cls_name"], "compile_and_run": ["network().compile_and_run(x)"], "construct": ["network().construct(x)"],
    "extend_repr": ["network().extend_repr()"], "insert_child_to_cell": ["inserted()[0]"], "insert_param_to_cell": ["inserted()[1]"],
    "name_cells": ["list(network().name_cells())"], "param_prefix": ["network().first.param_prefix"],
    "parameters_and_names": ["[n for n, _ in network().parameters_and_names()]", "[n for n, _ in network().parameters_and_names(expand=False)]"],
    "parameters_dict": ["list(network().parameters_dict())"], "get_parameters": ["[p.name for p in network().get_parameters()]",
        "[p.name for p in network().get_parameters(expand=False)]"],
    "trainable_params": ["[p.name for p in frozen().trainable_params()]"], "untrainable_params": ["[p.name for p in frozen().untrainable_params()]"],
    "register_forward_hook": ["hooked('register_forward_hook', double_output)(x)"],
    "register_forward_pre_hook": ["hooked('register_forward_pre_hook', double_input)(x)"],
    "register_backward_hook": ["ms.grad(hooked('register_backward_hook', double_gradient))(x)"],
    "set_grad": ["network().set_grad().requires_grad"], "set_train": ["network().set_train().training", "[c.training for c in network().set_train().cells()]"],
    "set_inputs": ["str(network().set_inputs(x))"], "to_float": ["network().to_float(ms.float16)(x)"],
    "update_cell_prefix": ["prefixed()"], "update_parameters_name": ["renamed()"], "init_parameters_data": ["list(network().init_parameters_data()) == []"],
    "generate_scope": ["scoped()"], "get_scope": ["str(network().get_scope())", "scoped()"], "jit_config_dict": ["len(network().jit_config_dict)"],
    "phase": ["network().phase", "network().set_train().phase", "network().set_train(False).phase", "network().set_train(False).first.phase"],
    "get_inputs": ["str(network().get_inputs())", "having_inputs(x).get_inputs()[0]"], "cell_type": ["str(network().cell_type)"], "update_cell_type": ["typed('quant')"],
    "cast_inputs": [f"network().cast_inputs((x, n, (row,)), ms.float16)[{part}]" for part in ("0", "1", "2][0")],
    "auto_cast_inputs": [f"network().{made}auto_cast_inputs((x, n, (row,)))[{part}]" for made in ("", "to_float(ms.float16).") for part in ("0", "1", "2][0")],
    "get_mixed_precision_type": ["int(network().get_mixed_precision_type())", "int(network().to_float(ms.float16).first.get_mixed_precision_type())"],
    "set_mixed_precision_type": ["in_precision(1)(x)", "in_precision(2)(x)"], "bprop_debug": ["network().bprop_debug"],
    "pipeline_stage": ["at_stage(2)"], "parameter_layout_dict": ["len(network().parameter_layout_dict)"],
    "flatten_weights": ["after(network(), 'flatten_weights')(x)", "after(network(), 'flatten_weights', 64)(x)"],
    "run_construct": ["network().run_construct((x,), {})"],
}

_TENSOR = {
    "set_dtype": ["converted(x)", "converted(n)"], "assign_value": ["x.assign_value(row)", "n.assign_value(x)"], "assign_value_cpp": ["x.assign_value_cpp(row)"],
    "param_info": ["str(x.param_info)", "str(ms.Parameter(x, name='p').param_info.name)", "ms.Parameter(x, name='p').param_info.requires_grad"],
    "delta_seed": ["x.delta_seed"], "init_flag": ["x.init_flag"], "is_init": ["x.is_init()", "ms.Parameter(x, name='p').is_init"],
    "set_init_flag": ["after(x, 'set_init_flag', True).init_flag", "after(x, 'set_init_flag', True).is_init()"], "adapter_flag": ["x.adapter_flag"],
    "is_persistent_data": ["x.is_persistent_data()"], "flush_from_cache": ["after(x, 'flush_from_cache')"], "data_sync": ["after(x, 'data_sync', True)"],
    "to_coo": [f"ops.relu(x).to_coo().{part}" for part in ("indices", "values")], "to_csr": [f"ops.relu(x).to_csr().{part}" for part in ("indptr", "indices", "values")],
}

_TOP = {
    **{name: [f"str(ms.{name}).lower()"] for name in _TYPES},
    "jit": ["ms.jit(product)(x, row)"], "ms_function": ["ms.ms_function(product)(x, row)"], "mutable": ["ms.mutable((x, 2))[1]"],
    "jit_class": ["ms.jit_class(Holder)().held"], "ms_class": ["ms.ms_class(Holder)().held"], "grad": ["ms.grad(product, (0, 1))(x, row)"],
    "value_and_grad": ["ms.value_and_grad(product_total, (0, 1))(x, row)"], "get_grad": ["ms.get_grad(ms.grad(product, 0, return_ids=True)(x, row), 0)"],
    "jvp": ["ms.jvp(polynomial, x, y)"], "vjp": ["ms.vjp(polynomial, x)[0]"], "vmap": ["ms.vmap(product, (0, None))(x, row)"],
    "jacfwd": ["ms.jacfwd(polynomial)(row)"], "jacrev": ["ms.jacrev(polynomial)(row)"],
    "Tensor": ["ms.Tensor([1.5, 2])", "ms.Tensor([1, 2])", "ms.Tensor(3)", "ms.Tensor(2.5)", "ms.Tensor(True)", "ms.Tensor([[1, 2]], ms.float16)",
               "ms.Tensor(np.arange(3))", "ms.Tensor(np.arange(3.0))"],
    "Parameter": ["ms.Parameter(x, name='p')", "ms.Parameter(2.5, name='p')", "ms.Parameter(x).name", "ms.Parameter([1, 2], name='p')"],
    "ParameterTuple": ["[p.name for p in ms.ParameterTuple(network().get_parameters())]"],
    "COOTensor": ["ms.COOTensor(ms.Tensor([[0, 1], [1, 2]], ms.int32), v[:2], (3, 4)).to_dense()"],
    "CSRTensor": ["ms.CSRTensor(ms.Tensor([0, 1, 2, 2], ms.int32), ms.Tensor([1, 2], ms.int32), v[:2], (3, 4)).to_dense()"],
    "dtype_to_nptype": ["str(ms.dtype_to_nptype(ms.float16))", "str(ms.dtype_to_nptype(ms.bool_))"],
    "pytype_to_dtype": ["str(ms.pytype_to_dtype(int)).lower()", "str(ms.pytype_to_dtype(float)).lower()", "str(ms.pytype_to_dtype(bool)).lower()"],
    "get_seed": ["seeded()"], "set_seed": ["seeded()"], "load_checkpoint": ["saved()"], "save_checkpoint": ["saved()"], "load_param_into_net": ["loaded()"],
    "DynamicLossScaleManager": ["managed(ms.DynamicLossScaleManager(64, 2, 3))", "managed(ms.DynamicLossScaleManager(2, 4, 1))"],
    "FixedLossScaleManager": ["managed(ms.FixedLossScaleManager())", "ms.FixedLossScaleManager(8.0, False).get_drop_overflow_update()"],
}

_AMP = {
    "all_finite": ["ms.amp.all_finite((x, y))", "ms.amp.all_finite((x, ops.log(x)))"],
    "StaticLossScaler": ["ms.amp.StaticLossScaler(8).scale(x)", "ms.amp.StaticLossScaler(8).unscale((x, y))", "ms.amp.StaticLossScaler(8).adjust(ms.Tensor(False))"],
    "DynamicLossScaler": ["ms.amp.DynamicLossScaler(8, 2, 2).scale(x)", "ms.amp.DynamicLossScaler(8, 2, 2).unscale((x, y))", "adjusted()"],
    "auto_mixed_precision": ["ms.amp.auto_mixed_precision(network(), 'O0')(x)", "ms.amp.auto_mixed_precision(network(), 'O3')(x)"],
}

_LINEAR = {
    "block_diag": ["scipy.linalg.block_diag(square, other)", "scipy.linalg.block_diag(v, square)"], "inv": [f"scipy.linalg.inv({_SYSTEM})"],
    "cho_factor": [f"scipy.linalg.cho_factor({_DEFINITE})[0]", f"scipy.linalg.cho_factor({_DEFINITE}, True)[0]"],
    "cho_solve": [f"scipy.linalg.cho_solve(scipy.linalg.cho_factor({_DEFINITE}, {low}), {right})" for low in (True, False) for right in ("weights", "outer")],
    "cholesky": [f"scipy.linalg.cholesky({_DEFINITE})", f"scipy.linalg.cholesky({_DEFINITE}, True)"],
    "eigh": [f"scipy.linalg.eigh({_DEFINITE}, eigvals_only=True)", f"scipy.linalg.eigh({_DEFINITE})[0]", f"ops.abs(scipy.linalg.eigh({_DEFINITE})[1])"],
    "lu": [f"scipy.linalg.lu({_SYSTEM})"], "lu_factor": [f"scipy.linalg.lu_factor({_SYSTEM})"],
    "det": [f"scipy.linalg.det({_SYSTEM})"], "lu_solve": [f"scipy.linalg.lu_solve(scipy.linalg.lu_factor({_SYSTEM}), weights)"],
}

_SEARCHED = ("ms.Tensor([1.0, 1.0])", "ms.Tensor([-1.0, -1.0])")
_OPTIMIZED = {
    "minimize": [f"scipy.optimize.minimize(himmelblau, ms.Tensor([0.0, 0.0]), method='{method}', options=dict(maxiter=None, gtol=1e-6)).x" for method in ("BFGS", "LBFGS")],
    "line_search": [f"scipy.optimize.line_search(valley, {', '.join(_SEARCHED)}).{part}" for part in ("a_k", "f_k", "g_k")],
}

#: Expressions by module and name.
VALUES = {"Cell": _CELL, "Tensor": _TENSOR, "mindspore": _TOP, "amp": _AMP, "scipy.linalg": _LINEAR, "scipy.optimize": _OPTIMIZED,
          "initializer": {name: [f"initializer('{name.lower()}', (2, 3)).init_data()"] for name in ("Zero", "One")}}

#: Functions and classes that these expressions use; part of the generated file.
HEAD = '''
from mindspore import amp, dataset, scipy, train
import os
import tempfile


class Network(nn.Cell):
    """Two layers of fixed weights."""

    def __init__(self):
        super().__init__()
        self.first = dense()
        self.second = nn.SequentialCell(nn.ReLU(), nn.Flatten())

    def construct(self, x):
        return self.second(self.first(x))


class Holder:
    """What a compiled class holds."""

    held = 3


def primitive(name, *arguments, **named):
    for part in ("", "sparse_ops", "array_ops", "math_ops", "nn_ops", "other_ops", "optimizer_ops", "random_ops"):
        found = getattr(getattr(ops.operations, part, None) if part else ops, name, None)
        if found:
            return found(*arguments, **named)
    raise AttributeError(f"ops.operations has no attribute {name}")


def network():
    return Network()


def halved_first(gradients):
    return ops.Mul()(gradients[0], 0.5)


def arrayed():
    array = nn.TensorArray(ms.float32, (2,))
    array.write(0, ms.Tensor([1.5, 2.0]))
    array.write(2, ms.Tensor([3.0, 4.0]))
    array.write(0, ms.Tensor([5.0, 6.0]))
    return array.stack(), array.read(0), array.size()


def frozen():
    cell = network()
    cell.first.weight.requires_grad = False
    return cell


def visited(cell):
    names = []
    cell.apply(lambda part: names.append(type(part).__name__))
    return names


def inserted():
    cell = network()
    cell.insert_child_to_cell("third", nn.ReLU())
    cell.insert_param_to_cell("scale", ms.Parameter(ms.Tensor([2.0]), name="scale"))
    return [type(part).__name__ for part in cell.cells()], [p.name for p in cell.get_parameters()]


def hooked(kind, hook):
    cell = network()
    getattr(cell.second, kind)(hook)
    return cell


def double_output(cell, inputs, output):
    return output * 2


def double_input(cell, inputs):
    return (inputs[0] * 2,)


def double_gradient(cell, inner, outer):
    return (outer[0] * 2,)


def prefixed():
    cell = network()
    cell.update_cell_prefix()
    return [part.param_prefix for part in cell.cells()]


def renamed():
    cell = network()
    cell.update_parameters_name("some.")
    return [p.name for p in cell.get_parameters()]


def after(thing, name, *arguments):
    getattr(thing, name)(*arguments)
    return thing


def scoped():
    return [str(c.get_scope()) for _, c in after(network(), "generate_scope").cells_and_names()]


def having_inputs(x):
    return after(network(), "set_inputs", x)


def typed(kind):
    return after(network(), "update_cell_type", kind).cell_type


def in_precision(number):
    from mindspore._c_expression import MixedPrecisionType
    return after(network(), "set_mixed_precision_type", MixedPrecisionType(number))


def at_stage(number):
    cell = network()
    cell.pipeline_stage = number
    return cell.pipeline_stage


def converted(x):
    kind = x.set_dtype(ms.float16)
    return str(kind).lower() + str(x.dtype).lower() + str(x.asnumpy().tolist())


def seeded():
    before = ms.get_seed()
    ms.set_seed(5)
    return str(before) + str(ms.get_seed())


def saved():
    path = os.path.join(tempfile.mkdtemp(), "network.ckpt")
    ms.save_checkpoint(network(), path)
    return [name + str(value.shape) for name, value in ms.load_checkpoint(path).items()]


def loaded():
    cell, other = network(), network()
    other.first.weight.set_data(other.first.weight * 2)
    ms.load_param_into_net(cell, {p.name: p for p in other.get_parameters()})
    return cell.first.weight


def managed(manager):
    scales = []
    for overflow in (False, False, False, True, False, False, True, True, True, False):
        manager.update_loss_scale(overflow)
        scales.append(manager.get_loss_scale())
    return scales


def adjusted():
    scaler, scales = ms.amp.DynamicLossScaler(8, 2, 2), []
    for finite in (True, True, True, False, False, True, True):
        scaler.adjust(ms.Tensor(finite))
        scales.append(float(scaler.scale_value.asnumpy()))
    return scales


def product_total(x, y):
    return (x * y * y).sum()


def himmelblau(p):
    x, y = p
    return (x ** 2 + y - 11.0) ** 2 + (x + y ** 2 - 7.0) ** 2


def valley(x):
    return x[0] ** 2 - x[1] ** 3
'''
