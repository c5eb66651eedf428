"""The examples of the operations' records: each operation has one, which parses, verifies and survives printing.

An example is a line or a few out of a program. What it takes from the program is declared here: values by the types that the
example names, and symbols as WHERE lists them by operation.
"""

import glob
import os
import re
import subprocess
import tempfile
import unittest

FUNCTION = "func.func private @example({arguments}) {{\n{example}\n  return\n}}\n"
STATEMENTS = "net.python.func @example(self) names {{}} {{\n{loads}\n{example}\n}}\n"
DECLARATIONS = "{example}\n"
MODULE = "device.module @program {{\n{example}\n}}\n"
LOOP = """device.module @program {{
  device.variable @weight : tensor<10x84xf32> = #device.init<"one", []>
  device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(2)
  device.report @loss : tensor<f32>
  func.func private @values() -> ({types})
  device.loop @loop {{mode = "train"}} {{
    {names} func.call @values() : () -> ({types})
{example}
    device.yield
  }}
}}
"""

PARAMETER = "net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>\n"
# What stands around the example of an operation, by the beginning of its name; the longest one counts.
WHERE = {
    "net.": FUNCTION,
    "net.python.": STATEMENTS,
    "net.python.condition": "net.python.func @example(self) names {{}} {{\n  net.python.while {{\n{loads}\n{example}\n  }} do {{\n  }}\n}}\n",
    "net.python.break": "net.python.func @example(self, xs) names {{}} {{\n  %0 = net.python.load \"xs\"\n  net.python.for \"x\" in %0 {{\n{example}\n  }}\n}}\n",
    "net.python.func": "net.namespace @ops {{}}\n{example}\n",
    "net.namespace": DECLARATIONS,
    "net.parameter": DECLARATIONS,
    "net.cell": "net.cell @network.conv1 class \"Conv2d\" members {{}} methods {{}}\nnet.python.func @LeNet5.construct(self) names {{}} {{}}\n{example}\n",
    "net.entry": "net.cell @network class \"LeNet5\" members {{}} methods {{}}\n{example}\n",
    "net.read": PARAMETER + FUNCTION,
    "net.assign": PARAMETER + FUNCTION,
    "net.value_and_grad": "net.parameter @w : tensor<4x4xf32> = dense<0.0> : tensor<4x4xf32>\n"
                          "func.func private @forward(tensor<4xf32>) -> tensor<f32>\n" + FUNCTION,
    "check.": FUNCTION,
    "device.": LOOP,
    "device.module": DECLARATIONS,
    "device.variable": MODULE,
    "device.queue": MODULE,
    "device.report": MODULE,
    "device.entry": "device.module @program {{\n  device.queue @train columns [\"x\"] (tensor<4xf32>) depth(2)\n"
                    "  device.report @loss : tensor<f32>\n{example}\n}}\n",
    "device.loop": "device.module @program {{\n  device.queue @train columns [\"image\", \"label\"] (tensor<32x1x32x32xf32>, "
                   "tensor<32xi32>) depth(2)\n{example}\n}}\n",
    "device.variable.view": LOOP,
    "device.yield": "device.module @program {{\n  device.loop @loop {{mode = \"train\"}} {{\n{example}\n  }}\n}}\n",
    "kernel.": FUNCTION,
    "native.": "#source = #native.source<\"f.c\", \"c\", \"int scale() {{ return 0; }}\">\n" + FUNCTION,
}
WHERE["net.python.continue"] = WHERE["net.python.break"]


def find_tool():
    """The built plumb-opt: among the test's inputs, or in the checkout."""
    for path in ("tools/plumb-opt", "bazel-bin/tools/plumb-opt"):
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise FileNotFoundError("plumb-opt is not built: run from the checkout's root after bazel build //tools:plumb-opt")


def find_records():
    """Yields the operation and the description of each record of the dialects' files; classes stand for nothing."""
    for path in sorted(glob.glob("dialects/*/ir/*Ops.td")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        dialect = path.split("/")[1]
        for record in re.split(r"(?m)^(?=def )", text)[1:]:
            mnemonic = re.match(r"def (\w+?)_\w+Op\b[^<]*<\s*(?:\w+_Dialect,\s*)?\"([a-z0-9_.]+)\"", record)
            if mnemonic:
                yield f"{dialect}.{mnemonic[2]}", record


def find_types(example, names):
    """The types of the values that an example takes, by its text: one for all of them, or one for each in their order."""
    types = []
    for line in re.split(r"\n(?=\s*[%a-z])", example):
        listed = re.search(r" : \(([^()]*)\)(?: ->|$)", line)
        tail = listed[1] if listed else line.rsplit(" : ", 1)[-1]
        if "ins(" in line:
            tail = ", ".join(re.findall(r" : ([^()]*)\)", line))
        found = re.findall(r"![a-z.]+|index\b|(?:tensor|memref)<[^<>]*(?:<[^<>]*>[^<>]*)*>", tail)
        operands = [name for name in re.findall(r"%\w+", line.split("=", 1)[-1] if line.lstrip().startswith("%") else line) if name in names]
        after = re.search(r"after (%\w+)", line)
        for name in operands:
            if after and name == after[1]:
                types.append((name, "!net.io" if "print" in line else "!net.u"))
            elif found:
                types.append((name, found[min(operands.index(name), len(found) - 1)]))
    return dict(reversed(types))


def complete(operation, example):
    """The example within a program."""
    frame = WHERE[max((start for start in WHERE if operation.startswith(start)), key=len)]
    made = set(re.findall(r"%\w+", " ".join(re.findall(r"(?m)((?:%\w+(?:, )?)+) = ", example))))
    names = [name for name in dict.fromkeys(re.findall(r"%\w+", example)) if name not in made]
    types = find_types(example, names)
    return frame.format(
        example=example, arguments=", ".join(f"{name}: {types.get(name, 'none')}" for name in names),
        loads="\n".join(f'{name} = net.python.load "{name[1:]}"' for name in names),
        names=", ".join(names) + " =" if names else "", types=", ".join(types.get(name, "none") for name in names))


class OpExamplesTest(unittest.TestCase):
    """Every record."""

    def test_examples(self):
        tool, count = find_tool(), 0
        for operation, record in find_records():
            found = re.search(r"```mlir\n(.*?)\n\s*```", record, re.S)
            with self.subTest(operation=operation):
                self.assertIsNotNone(found, "no example")
                self.assertRegex(found[1], r"(?<![\w.])" + re.escape(operation) + r"(?![\w.])", "an example of another operation")
                self.check(tool, complete(operation, found[1]))
            count += 1
        self.assertGreater(count, 180)

    def check(self, tool, program):
        """Has the tool read, verify, print and read a program."""
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(program)
            file.flush()
            done = subprocess.run([tool, "--verify-roundtrip", file.name], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{program}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
