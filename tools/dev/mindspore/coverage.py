"""Which public names have a case, and why the others have none."""

import re

import cases


def tables():
    """The cases of each name, by space."""
    functions = {"ops": (cases.FUNCTIONS, cases.PRIMITIVES), "Tensor": (cases.METHODS,), "numpy": (cases.NUMPY,),
                 "nn": (cases.CELLS, cases.OPTIMIZERS, cases.METRICS), "train": (cases.METRICS,), "dataset": (cases.DATASETS,),
                 "vision": (cases.ROW_OPERATIONS, cases.DATASETS), "transforms": (cases.ROW_OPERATIONS, cases.DATASETS),
                 "text": (cases.ROW_OPERATIONS, cases.DATASETS)}
    text = " ".join(sum(cases.FIRST_VALUES.values(), []))
    made = {name: [text] for name in re.findall(r"\b([A-Z]\w*|initializer)\(", text)}
    found = {space: {} for space in [*cases.MODULES, "Tensor", "Cell"]}
    for space, entries in found.items():
        rest = (cases.VALUES.get(space, {}), cases.RANDOM.get(space, {}), made if space in ("initializer", "mindspore") else {})
        for table in functions.get(space, ()) + rest:
            for name, texts in table.items():
                entries.setdefault(name, []).extend(texts)
    return found


def reason(space, name, same):
    """Why a name has no case of its own: cases.WITHOUT, or another name is the same object and has one; "" for no reason."""
    told = cases.WITHOUT.get(space, {}).get(name) or cases.WITHOUT["everywhere"].get(name)
    other = same.get(f"{space}.{name}", "")
    if told or not other:
        return told or ""
    at, _, alias = other.rpartition(".")
    return f"the same object as {other}" if tables()[at].get(alias) or reason(at, alias, {}) else ""


def without_case(names, same):
    """("space.name", reason) of all names that no table has; the reason is empty for a name that wants a case."""
    have = tables()
    return [(f"{space}.{name}", reason(space, name, same)) for space, offered in names.items() for name in offered
            if not have[space].get(name)]


def name_of(case):
    """The public name, "space.name", that a case is of."""
    kind, _, rest = case.partition(": ")
    if kind in ("row operation", "dataset"):
        name = rest.split(":")[0]
        used = re.search(rf"\b(ds|vision|transforms|text)\.{name}\b", rest)
        return f"{'dataset' if not used or used[1] == 'ds' else used[1]}.{name}"
    if kind in ("signature", "random"):
        return rest.split(":")[0]
    if kind == "first values":
        name = rest.split(":")[0]
        return f"{'initializer' if name == 'initializer' else 'nn'}.{name}"
    return f"nn.{rest.split(':')[0]}" if kind in ("optimizer", "metric") else kind
