"""Networks that ONNX files hold, as cells."""

import hashlib
import linecache
import os

from plumb import _cache
from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.onnx import _proto, _registry
from plumb.onnx._program import Program


class Network(Cell):
    """A network of an ONNX file, compiled like any cell: called, trained by a Model, differentiated, exported.

    Its Parameters have the names of the file's initializers, those of floats with one axis or more. `set_train()` makes Dropout draw
    and BatchNormalization take the batch's statistics, as layers of `nn` do.

    Attributes:
      inputs: (name, element type, shape, whether it must be known while compiling) of each input; None in a shape is any extent. What
        must be known, such as the shape that a Reshape takes, is handed over as a NumPy array, a number or a tuple of numbers.
      outputs: the names of the results.
      text: the network as a Python function, a call for each node.
    """

    def __init__(self, program, text):
        super().__init__()
        self.inputs, self.outputs, self.text = program.inputs, program.outputs, text
        for attribute, weight in program.weights.items():
            value = Tensor(weight.array, mstype.bfloat16) if weight.kind == "bfloat16" else Tensor(weight.array)
            setattr(self, attribute, Parameter(value, name=weight.name, requires_grad=weight.trained))

    def __call__(self, *values, **kwargs):
        if kwargs or len(values) != len(self.inputs):
            raise TypeError(f"The network takes {len(self.inputs)} inputs by position ({', '.join(one[0] for one in self.inputs)}), but got "
                            f"{len(values)}{' and ' + ', '.join(kwargs) if kwargs else ''}.")
        return super().__call__(*[_plain(value) if known else value for value, (_, _, _, known) in zip(values, self.inputs)])


def _plain(value):
    """A known input as numbers in tuples, which the front end takes for constants."""
    value = value.asnumpy() if isinstance(value, Tensor) else value
    value = value.tolist() if hasattr(value, "tolist") else value
    return _tuples(value)


def _tuples(value):
    return tuple(_tuples(one) for one in value) if isinstance(value, (list, tuple)) else value


def load(file_name):
    """Reads a network from an ONNX file.

    Args:
      file_name: the path; tensors that lie outside of the file are looked for beside it.

    Returns:
      A Network.

    Raises:
      OSError: where it cannot be read.
      ValueError: where the file is none of ONNX, or damaged.
      NotImplementedError: where it uses an operator or attribute that is not offered; the text names the node.
    """
    path = os.fspath(file_name)
    model = _proto.read_model(path)
    try:
        program = Program(model, os.path.dirname(os.path.abspath(path)))
    except (ValueError, NotImplementedError) as problem:
        raise type(problem)(f"{path}: {problem}") from None
    text = f"# The network of {ascii(os.path.basename(path))}.\n\n\n{program.text}"
    place = _kept(os.path.basename(path), text)
    names = dict(program.globals)
    exec(compile(text, place, "exec"), names)  # pylint: disable=exec-used
    return type("Network", (Network,), {"construct": names["construct"], "__module__": __name__})(program, text)


def _kept(name, text):
    """Where the text lies, so that messages can show its lines: in the folder of compiled programs, or only in memory."""
    folder, data = _cache.cache_folder(), text.encode()
    stem = os.path.join(folder or "", "onnx", f"{hashlib.sha256(data).hexdigest()[:16]}_{os.path.splitext(name)[0]}.py")
    if folder is not None:
        try:
            os.makedirs(os.path.dirname(stem), mode=0o700, exist_ok=True)
            if not os.path.exists(stem):
                scratch = f"{stem}.{os.getpid()}"
                with open(scratch, "wb") as file:
                    file.write(data)
                os.replace(scratch, stem)
            return stem
        except OSError:
            pass
    linecache.cache[stem] = (len(text), None, text.splitlines(True), stem)
    return stem


def operators():
    """The operators that `load` knows, those of other domains than ONNX's own with the domain in front."""
    return ["Constant"] + _registry.offered()
