"""Cases of optimizers as operators, which update parameters; as cases.py says.

`states(operation, places, …)` turns the values at these places into parameters, calls the operation, and gives what they are afterwards.
"""

_RATE, _BETAS = "ms.Tensor(0.1)", "ms.Tensor(0.9), ms.Tensor(0.99), ms.Tensor(1e-6)"
_POWERS = "ms.Tensor(0.81), ms.Tensor(0.98)"
_ROWS = "q[:2], ms.Tensor([2, 0], ms.int32)"
_ALL = "y, ms.Tensor([2, 0, 1], ms.int32)"
_AGAIN = "q, ms.Tensor([2, 0, 2], ms.int32)"


def _updates(made, places, *arguments):
    """One case: the states are at `places` among the arguments."""
    return f"states({made}, {places}, {', '.join(arguments)})"


def _sparse(made, values, *rest):
    """An update of some rows: `values` are the states, which come first."""
    return [_updates(made, tuple(range(values.count(",") + 1)), values, *rest)]


VALUES = {
    "Adam": [_updates(f"ops.Adam({nesterov})", (0, 1, 2), "x, y, q", f"{_POWERS}, {_RATE}, {_BETAS}, p")
             for nesterov in ("", "use_nesterov=True")],
    "AdamNoUpdateParam": [f"ops.AdamNoUpdateParam({nesterov})(ms.Parameter(y, name='m'), ms.Parameter(q, name='v'), {_POWERS}, {_RATE}, {_BETAS}, p)"
                          for nesterov in ("", "use_nesterov=True")],
    "AdamWeightDecay": [_updates("ops.AdamWeightDecay()", (0, 1, 2), "x, y, q", "0.1, 0.9, 0.99, 1e-6, 0.2, p")],
    "FusedCastAdamWeightDecay": [_updates("ops.FusedCastAdamWeightDecay()", (0, 1, 2), "x.astype(ms.float16), y, q",
                                          "0.1, 0.9, 0.99, 1e-6, 0.2, p.astype(ms.float16), 1.0")],
    "FusedWeightScaleApplyMomentum": [_updates("ops.FusedWeightScaleApplyMomentum()", (2, 3), "ms.Tensor(0.1), ms.Tensor(0.5), x, y",
                                               f"{_RATE}, p, ms.Tensor(0.9)")],
    "ApplyAdagradDA": [_updates("ops.ApplyAdagradDA()", (0, 1, 2), "x, y, q", f"p, {_RATE}, ms.Tensor(0.02), ms.Tensor(0.03), ms.Tensor(3, ms.int32)")],
    "ApplyAdagradV2": [_updates(f"ops.ApplyAdagradV2({arguments})", (0, 1), "x, q", f"{_RATE}, p") for arguments in ("1e-6", "0.5, False")],
    "ApplyAdamWithAmsgrad": [_updates("ops.ApplyAdamWithAmsgrad(0.8, 0.9, 1e-6)", (0, 1, 2, 3), "x, y, q, p", f"{_POWERS}, {_RATE}, y")],
    "ApplyCenteredRMSProp": [_updates("ops.ApplyCenteredRMSProp()", (0, 1, 2, 3), "x, y * 0.1, q + 1, p", "y, 0.1, 0.9, 0.8, 1e-6")],
    "ApplyRMSProp": [_updates("ops.ApplyRMSProp()", (0, 1, 2), "x, q, p", "0.1, y, 0.9, 0.8, 1e-6")],
    "ApplyFtrl": [_updates("ops.ApplyFtrl()", (0, 1, 2), "x, q, y", "p, 0.1, 0.02, 0.03, -0.5")],
    "ApplyKerasMomentum": [_updates(f"ops.ApplyKerasMomentum({nesterov})", (0, 1), "x, y", f"{_RATE}, p, ms.Tensor(0.9)")
                           for nesterov in ("", "use_nesterov=True")],
    "SGD": [_updates(f"ops.SGD({arguments})", (0, 3, 5), f"x, y, {_RATE}, p, ms.Tensor(0.9), q * 0")
            for arguments in ("", "0.1, 0.2", "0.0, 0.1, True")],
    "LARSUpdate": [f"ops.LARSUpdate({arguments})(x, y, ms.Tensor(3.0), ms.Tensor(2.0), 0.1, 0.5)" for arguments in ("", "1e-3, 0.02, True")],
    "SparseApplyAdadelta": _sparse("ops.SparseApplyAdadelta(1e-6)", "x, q, p", "0.1, 0.9", _ALL),
    "SparseApplyAdagrad": _sparse("ops.SparseApplyAdagrad(0.1)", "x, q", _ROWS),
    "SparseApplyAdagradV2": _sparse("ops.SparseApplyAdagradV2(0.1, 1e-6)", "x, q", _ROWS),
    "SparseApplyFtrl": _sparse("ops.SparseApplyFtrl(0.1, 0.02, 0.03, -0.5)", "x, q, y", _ROWS),
    "SparseApplyFtrlV2": _sparse("ops.SparseApplyFtrlV2(0.1, 0.02, 0.03, 0.04, -0.5)", "x, q, y", _ROWS),
    "SparseApplyProximalAdagrad": _sparse("ops.SparseApplyProximalAdagrad()", "x, q", "0.1, 0.02, 0.03", _ROWS),
    "SparseApplyRMSProp": _sparse("ops.SparseApplyRMSProp(0.9, 0.8, 1e-6)", "x, q, p", "0.1", _ALL),
    "SparseApplyMomentum": [
        _updates("ops.SparseApplyMomentum()", (0, 1), "x, y", f"0.1, {_ROWS}, 0.9")],
    **{f"FusedSparse{name}": [_updates(f"ops.FusedSparse{name}()", (0, 1, 2), "x, y, q", f"{_POWERS}, {_RATE}, {_BETAS}, {rows}")
                              for rows in (_ROWS, _AGAIN)] for name in ("Adam", "LazyAdam")},
    "FusedSparseFtrl": [_updates("ops.FusedSparseFtrl(0.1, 0.02, 0.03, -0.5)", (0, 1, 2), "x, q, y", rows) for rows in (_ROWS, _AGAIN)],
    "FusedSparseProximalAdagrad": [_updates("ops.FusedSparseProximalAdagrad()", (0, 1), "x, q", f"{_RATE}, ms.Tensor(0.02), ms.Tensor(0.03), {rows}")
                                   for rows in (_ROWS, _AGAIN)],
}
