"""Cases of complex numbers, Fourier transforms, orders of axes and operators that call Python; as cases.py says.

Complex inputs are made of two real ones, so that gradients are by those.
"""

_Z, _W = "ops.Complex()(x, y)", "ops.Complex()(t, t * t - 0.1)"
_PARTS = ("ops.real({0})", "ops.imag({0})")
_FFT = {"": "{0}", "2": "{0}, s=(4, 3)", "n": "{0}, s=(2, 4), dim=(0, 2), norm='ortho'"}
_SIZED = {"1, False, False": _Z, "2, True, False, 'ortho'": _W, "3, False, False, 'forward'": _W}


def _split(text):
    """The real and the imaginary part of an expression: each has gradients."""
    return [part.format(text) for part in _PARTS]


FUNCTIONS = {
    **{name: [f"ops.{name}(x)", f"ops.{name}({_Z})"] for name in ("angle", "real", "imag")},
    "conj": ["ops.conj(x)", f"ops.conj({_Z})", *_split(f"ops.conj({_Z})")],
    "polar": ["ops.polar(p, x)", *_split("ops.polar(p, x)")], "view_as_real": [f"ops.view_as_real({_Z})"],
    **{f"{way}fft{rank}": [f"ops.{way}fft{rank}(x)", *_split(f"ops.{way}fft{rank}({_Z})"), *_split(f"ops.{way}fft{rank}({arguments.format(_W)})")]
       for way in ("", "i") for rank, arguments in _FFT.items()},
    **{name: [f"ops.{name}({_Z})"] for name in ("abs", "absolute")}, "norm": [f"ops.norm({_Z})", f"ops.norm({_Z}, dim=1)"],
    "stft": ["ops.stft(sequence[0], 4, 2)", "ops.stft(sequence[0], 4, 2, 4, weights, False, onesided=False)",
             "ops.stft(sequence[0, 0], 4, 1, 3, weights[:3], normalized=True)", "ops.stft(sequence[0], 5, 2, pad_mode='CONSTANT', return_complex=True)"],
    "rrelu": ["ops.rrelu(x, 0.2, 0.2)"], "dyn_shape": ["ops.dyn_shape(t)"],
}

PRIMITIVES = {
    **{name: [f"primitive('{name}')({_Z})"] for name in ("Abs", "Angle", "ComplexAbs", "Real", "Imag")},
    "Conj": [f"primitive('Conj')({_Z})", *_split(f"primitive('Conj')({_Z})")], "Complex": [_Z, *_split(f"{_Z} * {_Z}")],
    "Polar": ["primitive('Polar')(p, x)", *_split("primitive('Polar')(p, x)")],
    "FFTWithSize": [part for arguments, value in _SIZED.items() for part in _split(f"primitive('FFTWithSize', {arguments})({value})")] + [
        *_split("primitive('FFTWithSize', 1, False, True)(x)"), *_split("primitive('FFTWithSize', 2, False, True, 'ortho', False)(t)"),
        f"primitive('FFTWithSize', 1, True, True)({_Z})", f"primitive('FFTWithSize', 2, True, True, 'forward', True, (3, 9))({_W})",
        f"primitive('FFTWithSize', 1, True, True, 'backward', False)({_Z})"],
    "STFT": [f"primitive('STFT', 4, 2, 4, {normalized}, {onesided}, {complex_result})(sequence[0], weights)"
             for normalized, onesided, complex_result in ((False, True, False), (True, False, False), (False, True, True))],
    **{name: [f"primitive('{name}')(t)"] for name in ("DynamicShape", "TensorShape")},
    "Im2Col": ["primitive('Im2Col', ksizes=[2, 3])(images)", "primitive('Im2Col', ksizes=[2, 3], strides=2, dilations=1, pads=1)(images)",
               "primitive('Im2Col', ksizes=2, dilations=[2, 1])(images)"],
    "PadV3": ["primitive('PadV3')(x, ms.Tensor([1, 2, 0, 1], ms.int64), ms.Tensor(1.5))",
              "primitive('PadV3', 'constant', False)(x, ms.Tensor([1, 2, 0, 1], ms.int64), ms.Tensor(1.5))"] + [
        f"primitive('PadV3', '{mode}')(t, ms.Tensor([1, 2], ms.int64))" for mode in ("reflect", "edge", "circular")],
    "ParallelConcat": ["primitive('ParallelConcat')((x[:1], y[:1]))"], "HookBackward": ["primitive('HookBackward', halved_first)(x * x)"],
}

METHODS = {name: [text.replace(f"ops.{name}({_Z})", f"{_Z}.{name}()") for text in FUNCTIONS[name][1:]] + [f"x.{name}()"]
           for name in ("angle", "conj", "real", "imag")}

#: Expressions of host functions: values alone.
VALUES = {
    "ListDiff": ["primitive('ListDiff')(ms.Tensor([1, 2, 3, 4, 5, 6, 2]), ms.Tensor([1, 3, 5]))", "primitive('ListDiff', ms.int64)(row, row[2:])"],
    "PyFunc": ["primitive('PyFunc', np.hypot, [ms.float32] * 2, [(3, 7)] * 2, [ms.float32], [(3, 7)])((x, y))"],
}
