"""Evaluates the cases with whatever serves `import mindspore`: `evaluate.py OUT NAMES [PATTERN [REFERENCE]]`.

Each case becomes a function of a generated file, since compiled functions need one. OUT.npz gets the arrays, OUT.json
what is no array: signatures, names of parameters, errors. Cases of uncommon element types that REFERENCE, a JSON file of
another evaluation, was refused are left out.
"""

import enum
import functools
import importlib
import importlib.util
import inspect
import itertools
import json
import os
import re
import sys
import tempfile
import time
import traceback
import types
import zlib

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore import dataset as ds
from mindspore.common import initializer as initializers
from mindspore.dataset import text as texts
from mindspore.dataset import transforms, vision

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import data_cases  # pylint: disable=wrong-import-position
import further_cases  # pylint: disable=wrong-import-position
import cases  # pylint: disable=wrong-import-position
import package_cases  # pylint: disable=wrong-import-position
import pipeline_cases  # pylint: disable=wrong-import-position
import vision_cases  # pylint: disable=wrong-import-position

if not hasattr(np, "float"):
    np.float = float  # MindSpore 2.0.0 calls it by the name that NumPy dropped.

HEAD = """import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore import numpy as mnp


def state(operation, value, *rest):
    parameter = ms.Parameter(value, name="p")
    return operation(parameter, *rest), parameter


def states(operation, places, *values):
    values = [ms.Parameter(value, name=f"p{i}") if i in places else value for i, value in enumerate(values)]
    operation(*values)
    return tuple(values[i] for i in places)


def polynomial(x):
    return x * x * x + 2 * x


def product(x, y):
    return x * y * y


def total(x):
    return (x * x).sum()


def clipped(x):
    return ops.InsertGradientOf(halved)(x * x)


def dense():
    weights = np.random.default_rng(3).standard_normal((2, 7)).astype(np.float32)
    return nn.Dense(7, 2, weight_init=ms.Tensor(weights))


def halved(gradient):
    return gradient * 0.5


"""
CELL = """class Case{serial}(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cell = {made}

    def construct(self, {names}):
        cell = self.cell
        return {expression}

"""
FUNCTION = """def case{serial}({names}):
    return {expression}

"""
TOTAL = """def total{serial}({names}, w):
    return ops.ReduceSum()(ops.Cast()({expression}, ms.float32) * w)

"""


def drawn(name, kind, shape, dtype):
    """The array that a free name stands for; the same in both packages."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    if np.dtype(dtype).kind in "iub" and kind in ("normal", "positive", "distinct", "shares", "unit", "boxes"):
        return whole(rng, kind, shape, dtype)
    if kind == "definite":
        factor = drawn("lower", "lower", shape, np.float64)
        return (factor @ factor.T).astype(dtype)
    if kind == "lower":
        return (np.tril(rng.standard_normal(shape) * 0.4, -1) + np.diag(rng.uniform(0.8, 1.6, shape[0]))).astype(dtype)
    if kind == "normal":
        return rng.standard_normal(shape).astype(dtype)
    if kind in ("positive", "unit"):
        return rng.uniform(*((0.3, 2.5) if kind == "positive" else (0, 1)), shape).astype(dtype)
    if kind == "boxes":
        corners = rng.uniform(0, 8, (shape[0], 2))
        return np.concatenate([corners, corners + rng.uniform(1, 6, corners.shape)], 1).astype(dtype)
    if kind == "distinct":
        count = int(np.prod(shape))
        scale = 0.1 if count < 100 else 4.0 / count
        return ((rng.permutation(count) - count // 2 + 0.5).reshape(shape) * scale).astype(dtype)
    if kind == "shares":
        parts = rng.uniform(0.1, 1.0, shape)
        return (parts / parts.sum(-1, keepdims=True)).astype(dtype)
    if kind == "ints":
        values = rng.integers(-5, 9, shape)
        return np.where(values == 0, 3, values).astype(np.int32)
    if kind == "bools":
        return rng.random(shape) < 0.5
    return rng.integers(0, int(kind.split(":")[1]), shape).astype(np.int32)


def whole(rng, kind, shape, dtype):
    """Whole numbers, or truths, in the place of numbers of a kind; never below zero where the type has none there."""
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if kind == "boxes":
        return np.rint(drawn("boxes", kind, shape, np.float64)).astype(dtype)
    if kind == "distinct":
        count = int(np.prod(shape))
        return (rng.permutation(count).reshape(shape) - (0 if dtype == "uint8" else count // 2)).astype(dtype)
    lowest = 1 if kind == "positive" else 0 if kind == "shares" or dtype == "uint8" else -4
    return rng.integers(lowest, 2 if kind == "shares" else 7, shape).astype(dtype)


def free_names(expression):
    """The inputs that an expression reads, in the order of the table."""
    words = set(re.findall(r"(?<![\w.'])[a-z]\w*(?!\w|\s*=[^=])", expression))
    return [name for name in cases.INPUTS if name in words]


def arrays_of(result):
    """A result as a list of arrays."""
    if isinstance(result, (tuple, list)) and any(isinstance(part, (Tensor, tuple, list)) for part in result):
        return [array for part in result for array in arrays_of(part)]
    array = result.asnumpy() if isinstance(result, Tensor) else np.asarray(result)
    return [np.asarray(str(result)) if array.dtype == object else array]


class Evaluation:
    """Gathers arrays and facts of all cases."""

    def __init__(self, out, pattern, skipped=()):
        self.out, self.pattern, self.skipped = out, re.compile(pattern), frozenset(skipped)
        self.save_at = time.monotonic() + 60
        self.arrays, self.facts = {}, {}

    def run(self, name, function):
        """Evaluates one case, if it is wanted; an error is a result too."""
        if not self.pattern.search(name) or name in self.skipped:
            return
        try:
            for key, value in function().items():
                if isinstance(value, list) and all(isinstance(part, np.ndarray) for part in value):
                    for i, part in enumerate(value):
                        self.arrays[f"{name}|{key}|{i}"] = part
                else:
                    self.facts[f"{name}|{key}"] = value
            self.facts[f"{name}|done"] = True
        except Exception:  # pylint: disable=broad-except
            self.facts[f"{name}|error"] = traceback.format_exc(limit=-2)[-1500:]
        if time.monotonic() > self.save_at:
            self.save()

    def save(self):
        """Writes what was gathered: at the end, and now and then, since a whole evaluation is long; not for more than a tenth of it."""
        began = time.monotonic()
        np.savez(self.out + ".npz", **self.arrays)
        with open(self.out + ".json", "w", encoding="utf-8") as file:
            json.dump(self.facts, file, indent=1, default=str)
        self.save_at = time.monotonic() + max(60, 10 * (time.monotonic() - began))


def expressions():
    """(name, made or None, expression) of all functions, primitives, methods and cells."""
    for group, table in (("ops", cases.FUNCTIONS), ("ops", cases.PRIMITIVES), ("Tensor", cases.METHODS), ("numpy", cases.NUMPY)):
        for name, expected in table.items():
            for text in expected:
                yield f"{group}.{name}: {text}", None, text
    for name, pairs in cases.CELLS.items():
        for made, text in pairs:
            yield f"nn.{name}: {made}: {text}", made, text


def generated():
    """The file of functions, imported."""
    text = HEAD + package_cases.HEAD + vision_cases.HEAD + further_cases.HEAD + pipeline_cases.HEAD
    for serial, (_, made, expression) in enumerate(expressions()):
        names = ", ".join(free_names(expression))
        if made:
            text += CELL.format(serial=serial, made=made, names=names, expression=expression)
        else:
            text += FUNCTION.format(serial=serial, names=names, expression=expression)
            if names and not re.search(r"\b(shape|rank|size|str|Shape|Rank|Size)\(", expression):
                text += TOTAL.format(serial=serial, names=names, expression=expression)
    path = os.path.join(tempfile.mkdtemp(), "generated_cases.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location("generated_cases", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["generated_cases"] = module
    spec.loader.exec_module(module)
    return module


def inputs_of(expression, dtype):
    """The inputs of an expression as arrays."""
    return [drawn(name, *cases.INPUTS[name], dtype) for name in free_names(expression)]


def adjoint(array):
    """Weights of a result, so that no gradient vanishes by symmetry."""
    return Tensor(np.random.default_rng(7).standard_normal(array.shape).astype(np.float32))


def evaluate_function(module, serial, expression, dtype):
    """Value and gradients of one function."""
    arrays = inputs_of(expression, dtype)
    tensors = [Tensor(array) for array in arrays]
    values = arrays_of(getattr(module, f"case{serial}")(*tensors))
    found = {"value": values}
    positions = tuple(i for i, array in enumerate(arrays) if array.dtype.kind == "f")
    total = getattr(module, f"total{serial}", None)
    if total and positions and len(values) == 1 and values[0].dtype.kind == "f":
        attempt(found, "gradient", lambda: ms.grad(total, positions)(*tensors, adjoint(values[0])))
    return found


def attempt(found, key, function):
    """Adds a gradient, or why there is none."""
    try:
        found[key] = arrays_of(function())
    except Exception:  # pylint: disable=broad-except
        found[f"{key} error"] = traceback.format_exc(limit=-2)[-1500:]


def give_values(cell):
    """Sets every parameter to numbers that follow from its name."""
    for parameter in cell.get_parameters():
        if parameter.name.endswith((".key", ".calls")):
            continue
        rng = np.random.default_rng(zlib.crc32(parameter.name.encode()))
        values = rng.standard_normal(parameter.shape) * 0.5
        if parameter.name.endswith(("gamma", "variance")):
            values = 0.5 + np.abs(values)
        parameter.set_data(Tensor(values.astype(np.float32)))


def evaluate_cell(module, serial, expression, dtype, training):
    """Value, gradients by inputs and parameters, and what the parameters are afterwards, of one cell."""
    cell = getattr(module, f"Case{serial}")()
    give_values(cell)
    cell.set_train(training)
    arrays = inputs_of(expression, dtype)
    tensors = [Tensor(array) for array in arrays]
    values = arrays_of(cell(*tensors))
    parameters = [p for p in cell.get_parameters() if not p.name.endswith((".key", ".calls"))]
    found = {"value": values, "parameters": [(p.name, list(p.shape), str(p.dtype).lower(), p.requires_grad) for p in parameters],
             "after": [p.asnumpy().copy() for p in parameters]}
    positions = tuple(i for i, array in enumerate(arrays) if array.dtype.kind == "f")
    weights = cell.trainable_params()
    weight = adjoint(values[0])

    def total(*inputs):
        return ops.ReduceSum()(ops.Cast()(cell(*inputs), ms.float32) * weight)

    if positions:
        attempt(found, "gradient", lambda: ms.grad(total, positions)(*tensors))
    if weights:
        attempt(found, "gradient of parameters", lambda: ms.grad(total, None, ms.ParameterTuple(weights))(*tensors))
    return found


def evaluate_optimizer(name, arguments):
    """Parameters after each of four steps."""
    rng = np.random.default_rng(5)
    names = ("weight", "bias", "gamma", "beta")
    parameters = [Parameter(Tensor(rng.standard_normal((3, 2)).astype(np.float32)), name=part) for part in names]
    optimizer = eval(f"nn.{name}({'' if 'parameters' in arguments else 'parameters, '}{arguments})", {"nn": nn, "parameters": parameters})  # pylint: disable=eval-used
    found = {"states": sorted(p.name for p in optimizer.get_parameters())}
    for step in range(4):
        optimizer(tuple(Tensor(rng.standard_normal((3, 2)).astype(np.float32)) for _ in names))
        found[f"step {step}"] = [p.asnumpy().copy() for p in parameters]
    return found


def evaluate_first_values(module, text):
    """Moments, range and quantiles of a freshly made tensor, or of the means of every ten rows of a dataset, which are no steps."""
    space = {**vars(module), **sources(text), **{key: value for key, value in vars(initializers).items() if not key.startswith("_")}}
    made = eval(text, space)  # pylint: disable=eval-used
    if isinstance(made, ds.Dataset):
        rows = np.array([row[0].mean() for row in made.create_tuple_iterator(num_epochs=1, output_numpy=True)])
        made = Tensor(rows[:len(rows) // 10 * 10].reshape(-1, 10).mean(1))
    kind, values = str(made.dtype).lower(), made.asnumpy().astype(np.float64)
    return {"shape": list(values.shape), "type": kind,
            "distribution": [np.array([values.mean(), values.std(), values.min(), values.max(),
                                       *np.quantile(values, [0.1, 0.25, 0.5, 0.75, 0.9]), values.size])]}


def evaluate_metric(made, updates):
    """The metric's value."""
    metric = eval(made, {"nn": nn})  # pylint: disable=eval-used
    metric.clear()
    for update in updates:
        space = {name: Tensor(drawn(name, *cases.INPUTS[name], "float32")) for name in free_names(update)}
        metric.update(*eval(f"({update},)", {"ms": ms, "nn": nn, "numbers": numbers, **space}))  # pylint: disable=eval-used
    return {"value": arrays_of(metric.eval())}


def numbers(shape):
    """Weights of a network that a metric asks."""
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


def evaluate_values(module, text):
    """Values of an expression that plain Python evaluates."""
    space = {**vars(module), "initializer": initializers.initializer, "strings": texts, **{name: Tensor(drawn(name, *cases.INPUTS[name], "float32")) for name in free_names(text)}}
    result = eval(text, space)  # pylint: disable=eval-used
    return {"text": result} if isinstance(result, str) else {"value": arrays_of(result)}


def evaluate_row_operation(column, text):
    """Rows after one operation."""
    space = {"vision": vision, "transforms": transforms, "text": texts, "ms": ms, "np": np}
    operation = eval(text, space)  # pylint: disable=eval-used
    data = ds.GeneratorDataset([(row,) for row in data_cases.ROWS[column]], [column], shuffle=False).map(operation, column)
    return {"value": [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]}


def side_by_side(*pictures):
    """Pictures, of PIL or arrays, as one array."""
    return np.stack([np.asarray(picture) for picture in pictures])


def in_any_order(data):
    """The rows of a dataset, sorted: of those of several files MindSpore's order depends on its threads."""
    rows = sorted(map(tuple, data.create_tuple_iterator(num_epochs=1, output_numpy=True)), key=lambda row: str([column.tolist() for column in row]))
    return ds.GeneratorDataset(rows, data.get_col_names(), shuffle=False)


def records():
    """A record file of rows of a label, a note and bytes."""
    from mindspore import mindrecord
    path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
    writer = mindrecord.FileWriter(path)
    writer.add_schema({"label": {"type": "int32"}, "note": {"type": "string"}, "data": {"type": "bytes"}, "numbers": {"type": "float32", "shape": [2, -1]}})
    writer.add_index(["label"])
    writer.write_raw_data([{"label": i, "note": f"note {i}", "data": b"abc" * i + b"z", "numbers": np.arange(2 * i + 2, dtype=np.float32).reshape(2, -1)}
                           for i in range(5)])
    writer.commit()
    return path


def sources(text):
    """The datasets that an expression names, and what makes others."""
    rng = np.random.default_rng(9)
    pictures = rng.integers(0, 256, (8, 12, 10, 3)).astype(np.uint8)
    boxes, labels = np.array([[1, 2, 4, 5], [6, 3, 3, 6.0]], np.float32), np.eye(8, dtype=np.float32)
    many = np.repeat((np.arange(360).reshape(1, 12, 10, 3) * 0.5 + 30).astype(np.uint8), 3000, 0)
    columns = {"rows": {"a": np.arange(14, dtype=np.float32).reshape(7, 2), "b": np.arange(7)}, "mixed": {"text": data_cases.ROWS["mixed"]},
               "boxed": {"image": pictures, "bbox": np.stack([boxes] * 8)}, "labelled": {"image": pictures, "label": labels}, "many": {"image": many},
               "many_boxed": {"image": many, "bbox": np.stack([boxes] * 3000)},
               "many_labelled": {"image": np.tile(pictures, (375, 1, 1, 1)), "label": np.tile(labels, (375, 1))}}
    columns["more"] = columns["rows"]
    found = {name: ds.NumpySlicesDataset(content, shuffle=False) for name, content in columns.items() if re.search(rf"\b{name}\b", text)}
    return {**found, "in_any_order": in_any_order, "records": records, "ds": ds, "vision": vision, "transforms": transforms, "text": texts, "ms": ms, "np": np, "side_by_side": side_by_side,
            "to_pil": ms.__name__ == "mindspore"}  # MindSpore's grey images are PIL's.


def evaluate_dataset(text, folder):
    """All batches of a dataset, and its sizes."""
    data = eval(text, {**sources(text), "folder": folder})  # pylint: disable=eval-used
    batches = [column for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True) for column in row]
    return {"value": batches, "size": data.get_dataset_size(), "batch": data.get_batch_size(),
            "columns": data.get_col_names(), "types": [str(np.dtype(kind)) for kind in data.output_types()],
            "shapes": data.output_shapes()}


def options(thing):
    """Parameters of a class or function that have a default, as text; nothing for a name that is not there."""
    if thing is None:
        return {"absent": True}
    function = thing.__init__ if inspect.isclass(thing) else thing
    function = inspect.unwrap(function)
    if type(function).__name__ == "instancemethod" or not callable(function):
        return {}  # Classes of C++ tell no defaults; element types have none.
    parameters = inspect.signature(function).parameters
    if any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters.values()):
        return {}  # MindSpore's optimizers hide theirs behind a wrapper; cases without arguments compare the defaults.
    defaults = {name: parameter.default for name, parameter in parameters.items()
                if parameter.default is not parameter.empty and name not in ("auto_prefix", "flags")}
    return {"options": {name: str(value.value if isinstance(value, enum.Enum) else value).lower()
                        for name, value in defaults.items()}}


def compiled_cases(module, names):
    """(case, evaluation) of functions, primitives, methods that are offered, and cells."""
    for serial, (name, made, expression) in enumerate(expressions()):
        if name.startswith("Tensor.") and name.split(":")[0][7:] not in names.get("Tensor", ()):
            continue
        for dtype in () if made else cases.types_of(name, expression):
            yield f"{name}: {dtype}", functools.partial(evaluate_function, module, serial, expression, dtype)
        for mode in ("eval", "train") if made else ():
            yield f"{name}: {mode}", functools.partial(evaluate_cell, module, serial, expression, "float32", mode == "train")
    for space, table in cases.VALUES.items():
        for name, text in flat({name: texts for name, texts in table.items() if name in names.get(space, ())}):
            yield f"{space}.{name}: {text}: values", functools.partial(evaluate_values, module, text)


def flat(table):
    """(name, entry) of all entries of a table of lists."""
    return ((name, entry) for name, entries in table.items() for entry in entries)


def other_cases(module, folder):
    """(case, evaluation) of random numbers, optimizers, first values, metrics and data, whose files are in a folder."""
    for space, table in cases.RANDOM.items():
        for name, text in flat(table):
            yield f"random: {space}.{name}: {text}", functools.partial(evaluate_first_values, module, text)
    for name, text in flat(cases.OPTIMIZERS):
        yield f"optimizer: {name}: {text}", functools.partial(evaluate_optimizer, name, text)
    for name, text in flat(cases.FIRST_VALUES):
        yield f"first values: {name}: {text}", functools.partial(evaluate_first_values, module, text)
    for name, text in flat(cases.DATASETS):
        yield f"dataset: {name}: {text}", functools.partial(evaluate_dataset, text, folder)
    for name, (made, updates) in flat(cases.METRICS):
        yield f"metric: {name}: {made}: {updates[0]}", functools.partial(evaluate_metric, made, updates)
    for name, (column, text) in flat(cases.ROW_OPERATIONS):
        yield f"row operation: {name}: {text}", functools.partial(evaluate_row_operation, column, text)


def signatures(names):
    """(case, evaluation) of the defaults of all names."""
    methods = getattr(sys.modules.get("plumb.common.tensor_methods"), "METHODS", None)
    spaces = {"Tensor": types.SimpleNamespace(**methods) if methods else Tensor, "Cell": nn.Cell}
    for space, offered in names.items():
        module = spaces.get(space) or importlib.import_module(cases.MODULES[space])
        for name in offered:
            yield f"signature: {space}.{name}", lambda m=module, n=name: options(getattr(m, n, None))


def main():
    """Reads what names to walk, evaluates, writes."""
    out, names = sys.argv[1:3]
    with open(names, encoding="utf-8") as file:
        offered = json.load(file)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    skipped = []
    if len(sys.argv) > 4:
        with open(sys.argv[4], encoding="utf-8") as file:
            skipped = [key.rsplit("|", 1)[0] for key in json.load(file) if key.endswith("|error")]
    evaluation = Evaluation(out, sys.argv[3] if len(sys.argv) > 3 else "", [case for case in skipped if cases.is_uncommon(case)])
    with tempfile.TemporaryDirectory() as folder:
        data_cases.write_files(folder)
        module = generated()
        for name, function in itertools.chain(compiled_cases(module, offered), other_cases(module, folder), signatures(offered)):
            evaluation.run(name, function)
    evaluation.save()


if __name__ == "__main__":
    main()
