"""Operators that a program brings along: functions of C and C++, bodies in MLIR; called, compiled, differentiated, sunk, refused."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import torch

import plumb
from plumb import ops

HERE = os.path.basename(__file__)
SIGNATURE = "(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra)"

# a * x + b, of matrices that a language model's layer has.
SCALE = f"""
#include <stdint.h>
#include <string.h>
int scale{SIGNATURE} {{
  if (nparam != 4 || strcmp(dtypes[0], "float32") != 0) return 1;
  const float *a = params[0], *x = params[1], *b = params[2];
  float *y = params[3];
  int64_t count = 1;
  for (int axis = 0; axis < ndims[1]; ++axis) count *= shapes[1][axis];
  for (int64_t i = 0; i < count; ++i) y[i] = a[0] * x[i] + b[0];
  return 0;
}}
"""

# Sums and greatest elements of rows.
ROWS = f"""
#include <algorithm>
#include <cstdint>
extern "C" int rows{SIGNATURE} {{
  const float *x = static_cast<const float *>(params[0]);
  double *sums = static_cast<double *>(params[1]);
  int64_t *places = static_cast<int64_t *>(params[2]);
  for (int64_t i = 0; i < shapes[0][0]; ++i) {{
    const float *row = x + i * shapes[0][1], *end = row + shapes[0][1];
    sums[i] = 0;
    for (const float *at = row; at != end; ++at) sums[i] += *at;
    places[i] = std::max_element(row, end) - row;
  }}
  return 0;
}}
"""

FAILS = f"""
#include <stdint.h>
int fails{SIGNATURE} {{
  const float *x = params[0];
  float *y = params[1];
  y[0] = x[0];
  return x[0] < 0 ? 42 : 0;
}}
"""


def tensor(*shape, dtype=np.float32, seed=0):
    """Numbers about zero."""
    return plumb.Tensor((np.random.default_rng(seed).standard_normal(shape) * 3).astype(dtype))


def custom(name, source, shape=lambda x: x, dtype=lambda x: x, language="c", **others):
    """An operator from a text."""
    return ops.Custom(ops.CFunction(name, source, language), shape, dtype, "aot", **others)


def line_of(function, line):
    return rf"{HERE}:{function.__code__.co_firstlineno + line}:"


class FolderTest(unittest.TestCase):
    """Has a folder for sources."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class NativeTest(FolderTest):
    """What functions of C and C++ compute."""

    def test_text_and_path(self):
        x = tensor(64, 768)
        a, b = plumb.Tensor(np.float32(1.5)), plumb.Tensor(np.float32(-2))
        expected = np.float32(1.5) * x.asnumpy() - np.float32(2)
        path = self.write("scale.c", SCALE)
        rule = lambda a, x, b: x
        for func in (ops.CFunction("scale", SCALE), f"{path}:scale"):
            scale = ops.Custom(func, rule, rule, func_type="aot")
            for call in (scale, plumb.jit(lambda a, x, b: scale(a, x, b))):  # no product is fused with a sum: equal bits
                np.testing.assert_array_equal(call(a, x, b).asnumpy(), expected)

    def test_several_results(self):
        rows = custom("rows", ROWS, lambda x: ([x[0]], [x[0]]), (plumb.float64, plumb.int64), "c++")
        x = tensor(512, 300)

        def both(x):
            sums, places = rows(x * 2)
            return sums + 1, places

        for call in (both, plumb.jit(both)):
            sums, places = call(x)
            np.testing.assert_allclose(sums.asnumpy(), (x.asnumpy() * 2).astype(np.float64).sum(1) + 1, rtol=1e-6, atol=1e-5)
            np.testing.assert_array_equal(places.asnumpy(), x.asnumpy().argmax(1))
        one = custom("rows", ROWS, lambda x: ([x[0]], [x[0]]), (plumb.float64, plumb.int64), "c++")
        self.assertEqual([result.dtype for result in one(x)], [plumb.float64, plumb.int64])

    def test_what_the_function_is_told(self):
        """Ranks, extents and names of all dtypes; a shape ends with a 1."""
        source = f"""
        #include <stdint.h>
        #include <string.h>
        int told{SIGNATURE} {{
          int64_t *numbers = params[nparam - 2];
          char *names = params[nparam - 1];
          int64_t n = 0;
          numbers[n++] = nparam;
          numbers[n++] = stream == 0 && extra == 0;
          memset(names, 0, shapes[nparam - 1][0] * shapes[nparam - 1][1]);
          for (int i = 0; i < nparam; ++i) {{
            numbers[n++] = ndims[i];
            for (int axis = 0; axis <= ndims[i]; ++axis) numbers[n++] = shapes[i][axis];
            memcpy(names + 16 * i, dtypes[i], strlen(dtypes[i]));
          }}
          return 0;
        }}
        """
        dtypes = [plumb.bool_, plumb.int8, plumb.int16, plumb.int32, plumb.int64, plumb.uint8, plumb.uint16, plumb.uint32,
                  plumb.uint64, plumb.float16, plumb.float32, plumb.float64]
        inputs = [ops.zeros((number % 3, 5, 2)[: number % 4], dtype) for number, dtype in enumerate(dtypes)]
        shapes = [x.shape for x in inputs] + [(100,), (14, 16)]
        numbers, names = custom("told", source, ([100], [14, 16]), (plumb.int64, plumb.uint8))(*inputs)
        expected = [14, 1]
        for shape in shapes:
            expected += [len(shape), *shape, 1]
        np.testing.assert_array_equal(numbers.asnumpy()[:len(expected)], expected)
        told = [bytes(row).rstrip(b"\0").decode() for row in names.asnumpy()]
        self.assertEqual(told, [dtype.name for dtype in dtypes] + ["int64", "uint8"])

    def test_headers(self):
        """A source's own headers come with it."""
        self.write("twice.h", "#pragma once\nstatic inline float twice(float x) { return 2 * x; }\n")
        self.write("more.h", '#include "twice.h"\n#include "twice.h"\n')
        path = self.write("doubled.cc", f'#include <cstdint>\n#include "more.h"\n#include "twice.h"\n'
                          f'extern "C" int doubled{SIGNATURE} {{\n  *(float *)params[1] = twice(*(float *)params[0]);\n  return 0;\n}}\n')
        doubled = ops.Custom(f"{path}:doubled", lambda x: x, lambda x: x, "aot")
        self.assertEqual(float(doubled(plumb.Tensor(np.float32(21)))), 42)

    def test_control_flow(self):
        """In loops and branches, and next to slices and transposes, whose memory is not contiguous."""
        scale = custom("scale", SCALE, lambda a, x, b: x, lambda a, x, b: x)
        a, b = plumb.Tensor(np.float32(0.5)), plumb.Tensor(np.float32(1))

        def function(x, n):
            y = ops.transpose(x, (1, 0))[3:9]
            while n > 0:
                y = scale(a, y, b)
                n = n - 1
            if y.sum() > 0:
                y = scale(a, y, b)
            return y, scale(a, x[:, ::2], b)

        x = tensor(256, 128)
        got = plumb.jit(function)(x, plumb.Tensor(np.int32(3)))
        expected = x.asnumpy().T[3:9]
        for _ in range(3):
            expected = np.float32(0.5) * expected + 1
        if expected.sum() > 0:
            expected = np.float32(0.5) * expected + 1
        np.testing.assert_array_equal(got[0].asnumpy(), expected)
        np.testing.assert_array_equal(got[1].asnumpy(), np.float32(0.5) * x.asnumpy()[:, ::2] + 1)

    def test_two_sources_with_one_name(self):
        """Names of one source are nothing to another."""
        text = "#include <stdint.h>\nfloat helper(float x) {{ return x * {0}; }}\nint f" + SIGNATURE.replace("{", "{{") + \
            " {{ *(float *)params[1] = helper(*(float *)params[0]); return 0; }}\n"
        two, three = (custom("f", text.format(number)) for number in (2, 3))
        self.assertEqual(float(plumb.jit(lambda x: two(x) + three(three(x)))(plumb.Tensor(np.float32(1)))), 11)


class GradientTest(unittest.TestCase):
    """Rules for gradients."""

    SQUARE = f"""
    #include <stdint.h>
    int square{SIGNATURE} {{
      const float *x = params[0];
      float *y = params[1];
      for (int64_t i = 0; i < shapes[0][0] * shapes[0][1]; ++i) y[i] = x[i] * x[i];
      return 0;
    }}
    int square_gradient{SIGNATURE} {{
      const float *x = params[0], *dy = params[2];
      float *dx = params[3];
      for (int64_t i = 0; i < shapes[0][0] * shapes[0][1]; ++i) dx[i] = 2 * x[i] * dy[i];
      return 0;
    }}
    """

    def test_rules(self):
        """In Python and in C, called once and in a loop, beside PyTorch."""
        in_c = custom("square_gradient", self.SQUARE, lambda x, y, dy: x, lambda x, y, dy: x)
        rules = (lambda x, y, dy: (2 * x * dy,), lambda x, y, dy: (in_c(x, y, dy),), in_c)
        x, w = tensor(64, 256, seed=1), tensor(256, 32, seed=2)
        xt, wt = (torch.tensor(value.asnumpy(), requires_grad=True) for value in (x, w))
        (torch.sin((xt * xt) @ wt) ** 2).sum().backward()
        for rule in rules:
            square = custom("square", self.SQUARE, bprop=rule)

            def loss(x, w):
                return square(ops.sin(ops.matmul(square(x), w))).sum()

            by_x, by_w = ops.grad(loss, (0, 1))(x, w)
            np.testing.assert_allclose(by_x.asnumpy(), xt.grad.numpy(), rtol=2e-3, atol=2e-3 * xt.grad.abs().max().item())
            np.testing.assert_allclose(by_w.asnumpy(), wt.grad.numpy(), rtol=2e-3, atol=2e-3 * wt.grad.abs().max().item())

    def test_parameters(self):
        """A Parameter that is an input has its gradient."""
        square = custom("square", self.SQUARE, bprop=lambda x, y, dy: (2 * x * dy,))
        weight = plumb.Parameter(tensor(16, 8, seed=6), name="weight")
        by_weight = ops.grad(lambda x: (square(weight) * x).sum(), None, (weight,))(tensor(16, 8, seed=7))
        by_weight = by_weight[0] if isinstance(by_weight, tuple) else by_weight
        np.testing.assert_allclose(by_weight.asnumpy(), 2 * weight.asnumpy() * tensor(16, 8, seed=7).asnumpy(), rtol=1e-6)

    def test_in_a_loop(self):
        square = custom("square", self.SQUARE, bprop=lambda x, y, dy: (2 * x * dy,))

        def loss(x, n):
            while n > 0:
                x = square(x)
                n = n - 1
            return x.sum()

        x = plumb.Tensor(np.linspace(0.5, 1.2, 600, dtype=np.float32).reshape(20, 30))
        got = ops.grad(loss)(x, plumb.Tensor(np.int32(3))).asnumpy()
        np.testing.assert_allclose(got, 8 * x.asnumpy() ** 7, rtol=1e-5)

    def test_missing(self):
        """Only where one is needed."""
        square = custom("square", self.SQUARE)

        def loss(x):
            return square(x).sum()

        with self.assertRaisesRegex(RuntimeError, rf"{line_of(loss, 1)}\d+: error: .*'square'.*no gradient.*bprop"):
            ops.grad(loss)(tensor(4, 5))
        wrong = custom("square", self.SQUARE, bprop=lambda x, y, dy: (dy, dy))
        with self.assertRaisesRegex(ValueError, "adjoint for each of its 1 inputs, but returns 2"):
            ops.grad(lambda x: wrong(x).sum())(tensor(4, 5))
        stopped = ops.grad(lambda x: (ops.stop_gradient(square(x)) * x).sum())(tensor(4, 5, seed=3))
        np.testing.assert_allclose(stopped.asnumpy(), tensor(4, 5, seed=3).asnumpy() ** 2, rtol=1e-6)


class MLIRTest(unittest.TestCase):
    """Bodies in MLIR."""

    def test_net(self):
        """One of the `net` dialect has its gradients."""
        swish = ops.CustomMLIR(lambda x: f"""
            func.func @swish(%x: {x}) -> {x} {{
              %s = net.sigmoid %x : {x}
              %y = net.mul %x, %s : ({x}, {x}) -> {x}
              return %y : {x}
            }}""", name="swish")
        for shape in ((32, 512), (7,)):
            x = tensor(*shape)
            xt = torch.tensor(x.asnumpy(), requires_grad=True)
            expected = torch.nn.functional.silu(xt)
            expected.sum().backward()
            for call in (swish, plumb.jit(lambda x: swish(x))):
                np.testing.assert_allclose(call(x).asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(ops.grad(lambda x: swish(x).sum())(x).asnumpy(), xt.grad.numpy(), rtol=1e-5, atol=1e-6)

    def test_linalg(self):
        """Products with the transposed matrix and their row sums, two results; a rule in Python."""
        body = """
            #rows = affine_map<(i, j, k) -> (i, k)>
            #columns = affine_map<(i, j, k) -> (j, k)>
            #both = affine_map<(i, j, k) -> (i, j)>
            func.func @products(%x: tensor<48x96xf32>, %y: tensor<32x96xf32>) -> (tensor<48x32xf32>, tensor<48xf32>) {
              %zero = arith.constant 0.0 : f32
              %e = tensor.empty() : tensor<48x32xf32>
              %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x32xf32>) -> tensor<48x32xf32>
              %p = linalg.generic {indexing_maps = [#rows, #columns, #both],
                                   iterator_types = ["parallel", "parallel", "reduction"]}
                  ins(%x, %y : tensor<48x96xf32>, tensor<32x96xf32>) outs(%z : tensor<48x32xf32>) {
                ^bb0(%a: f32, %b: f32, %c: f32):
                  %m = arith.mulf %a, %b : f32
                  %s = arith.addf %m, %c : f32
                  linalg.yield %s : f32
              } -> tensor<48x32xf32>
              %er = tensor.empty() : tensor<48xf32>
              %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<48xf32>) -> tensor<48xf32>
              %r = linalg.reduce ins(%p : tensor<48x32xf32>) outs(%zr : tensor<48xf32>) dimensions = [1]
                (%in: f32, %acc: f32) { %t = arith.addf %in, %acc : f32
                                        linalg.yield %t : f32 }
              return %p, %r : tensor<48x32xf32>, tensor<48xf32>
            }"""

        def rule(x, y, _, adjoints):
            dp = adjoints[0] + adjoints[1][:, None]
            return ops.matmul(dp, y), ops.matmul(ops.transpose(dp, (1, 0)), x)

        products = ops.CustomMLIR(body, bprop=rule)
        x, y = tensor(48, 96, seed=4), tensor(32, 96, seed=5)
        xt, yt = (torch.tensor(value.asnumpy(), requires_grad=True) for value in (x, y))
        p = xt @ yt.T
        (torch.sin(p).sum() + (p.sum(1) ** 2).sum()).backward()
        got = products(x, y)
        np.testing.assert_allclose(got[0].asnumpy(), p.detach().numpy(), rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(got[1].asnumpy(), p.sum(1).detach().numpy(), rtol=1e-4, atol=1e-3)

        def loss(x, y):
            p, sums = products(x, y)
            return ops.sin(p).sum() + (sums * sums).sum()

        for ours, theirs in zip(ops.grad(loss, (0, 1))(x, y), (xt.grad, yt.grad)):
            np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-3, atol=1e-3 * theirs.abs().max().item())

    def test_loop(self):
        """Control flow of `scf`: Newton's iterations for a root."""
        root = ops.CustomMLIR("""
            func.func @root(%x: tensor<1024xf32>) -> tensor<1024xf32> {
              %zero = arith.constant 0 : index
              %one = arith.constant 1 : index
              %count = arith.constant 20 : index
              %half = net.constant dense<0.5> : tensor<f32>
              %y = scf.for %i = %zero to %count step %one iter_args(%r = %x) -> (tensor<1024xf32>) {
                %q = net.div %x, %r : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
                %s = net.add %r, %q : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
                %n = net.mul %s, %half : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
                scf.yield %n : tensor<1024xf32>
              }
              return %y : tensor<1024xf32>
            }""")
        x = plumb.Tensor(np.linspace(0.1, 9, 1024, dtype=np.float32))
        np.testing.assert_allclose(root(x).asnumpy(), np.sqrt(x.asnumpy()), rtol=1e-6)
        by_x = ops.grad(lambda x: root(x).sum())(x)
        np.testing.assert_allclose(by_x.asnumpy(), 0.5 / np.sqrt(x.asnumpy()), rtol=1e-3)

    def test_refused(self):
        x = tensor(4)
        bodies = {
            "line 1, column 1: .*'nonsense' is unknown": "nonsense",
            "one func.func": "func.func private @f(tensor<4xf32>) -> tensor<4xf32>",
            "returns nothing": "func.func @f(%x: tensor<4xf32>) { return }",
            "not 'net.print'": "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { net.print \"{}\"(%x) : tensor<4xf32>\n "
                               "return %x : tensor<4xf32> }",
            "not known while compiling": "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %n = arith.constant 4 : index\n"
                                         "%e = tensor.empty(%n) : tensor<?xf32>\n return %x : tensor<4xf32> }",
            "argument 0 .* must be a tensor of Float32\\[5\\]|argument 0 .* must be":
                "func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> { return %x : tensor<5xf32> }",
            "takes 2 tensors, but 1": "func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> "
                                      "{ return %x : tensor<4xf32> }"}
        for message, body in bodies.items():
            with self.subTest(message=message):
                operator = ops.CustomMLIR(body, name="broken")

                def call(x):
                    return operator(x)

                with self.assertRaisesRegex((ValueError, TypeError), rf"(?s){line_of(call, 1)}\d+: error: .*'broken'.*{message}"):
                    plumb.jit(call)(x)
        self.assertRaisesRegex(TypeError, "'text' must be str", ops.CustomMLIR, 5)


class RefusedTest(FolderTest):
    """Messages, at the user's line."""

    def check(self, operator, kind, message, *inputs):
        def call(*inputs):
            return operator(*inputs)

        with self.assertRaisesRegex(kind, rf"(?s){line_of(call, 1)}\d+: error: .*{message}"):
            plumb.jit(call)(*(inputs or (tensor(4),)))

    def function(self, body, before="", returns="int"):
        return f"#include <stdint.h>\n{before}\n{returns} f{SIGNATURE} {{ {body} }}\n"

    def test_returned_number(self):
        """A number other than 0 ends the launch; the next call works."""
        fails = custom("fails", FAILS)

        def call(x):
            y = x
            if x[0] < 5:
                y = fails(x)
            return y

        for run in (plumb.jit(call), fails):
            self.assertEqual(float(run(plumb.Tensor(np.ones(1, np.float32)))), 1)
            with self.assertRaisesRegex(RuntimeError, r"step \d+: RuntimeError: the custom operator 'fails' returned 42"):
                run(plumb.Tensor(-np.ones(1, np.float32)))
            self.assertEqual(float(run(plumb.Tensor(np.ones(1, np.float32)))), 1)
        with self.assertRaisesRegex(RuntimeError, rf"returned 42 at \S*{line_of(call, 3)}"):
            plumb.jit(call)(plumb.Tensor(-np.ones(1, np.float32)))

    def test_objects(self):
        """What the loader would refuse is refused by name."""
        cases = {"calls 'printf'": self.function('printf("hello"); return 0;', "#include <stdio.h>"),
                 "calls 'getpid'": self.function("return getpid() < 0;", "#include <unistd.h>"),
                 "static variable": self.function("static int calls; return ++calls < 0;"),
                 "variables of a thread": self.function("return ++calls < 0;", "_Thread_local int calls;"),
                 "runs before it is called": self.function("return 0;", "__attribute__((constructor)) void g(void) { __asm__ volatile(\"\"); }"),
                 "exports no function 'f'": self.function("return 0;", returns="static int"),
                 "it must be int f": "#include <stdint.h>\nint f(int nparam, void **params) { return 0; }\n",
                 "f.c:3:.*expected": self.function("return 0"),
                 "implicit declaration of function 'abc'|implicit.*abc": self.function("return abc(1);")}
        for message, source in cases.items():
            with self.subTest(message=message):
                self.check(custom("f", source), RuntimeError, message)
        in_cxx = {"extern \"C\"": self.function("return 0;"),
                  r"operator new": self.function("params[0] = new int[nparam]; return 0;", returns='extern "C" int'),
                  "exceptions": self.function("throw 1;", returns='extern "C" int')}
        for message, source in in_cxx.items():
            with self.subTest(message=message):
                self.check(custom("f", source, language="c++"), RuntimeError, message)

    def test_no_compiler(self):
        """Only a program with a source of its own needs one."""
        text = "import os, numpy as np, plumb\nfrom plumb import ops\n" \
               f"f = ops.Custom(ops.CFunction('f', '''{self.function('return 0;')}'''), [4], plumb.float32, 'aot')\n" \
               "os.environ['PATH'] = '/nowhere'\n" \
               "x = plumb.Tensor(np.ones(4, np.float32))\nprint((x + x).asnumpy()[0])\nf(x)\n"
        path = self.write("program.py", text)
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PLUMB_CACHE": "off"})
        self.assertEqual(done.stdout, "2.0\n", done.stderr)
        self.assertRegex(done.stderr, "there is no C compiler .* install gcc")

    def test_rules_for_results(self):
        source = self.function("return 0;")
        for message, kind, arguments in (
                ("2 results by its out_shape, but 1", ValueError, (([4], [4]), plumb.float32)),
                ("out_shape .* must be a list or tuple", TypeError, (None, plumb.float32)),
                ("out_dtype .* must be a dtype", TypeError, ([4], "float")),
                ("cannot have a result of the shape", ValueError, ([-1], plumb.float32)),
                ("IndexError|index out of range", IndexError, (lambda x: x[3], plumb.float32))):
            with self.subTest(message=message):
                self.check(custom("f", source, *arguments), kind, message)

        def rule(x):
            return [x[0] // 0]

        operator = custom("f", source, rule, plumb.float32)
        with self.assertRaisesRegex(ZeroDivisionError, rf"(?s){line_of(rule, 1)}\d+: error: ZeroDivisionError.*called from here"):
            plumb.jit(lambda x: operator(x))(tensor(4))
        self.check(custom("f", source, [4], plumb.float32), TypeError, "takes Tensors", 0.7)

    def test_arguments(self):
        for message, kind, arguments in (
                ("func_type' must be one of", ValueError, ("a.cc:f", [1], plumb.float32, "nonsense")),
                ("'func' must be a function", TypeError, (abs, [1], plumb.float32, "pyfunc")),
                ("needs func_type='aot'", TypeError, ("a.cc:f", [1], plumb.float32)),
                ("'bprop' is not offered", ValueError, (lambda x: x, [1], plumb.float32, "pyfunc", lambda x, out, dout: dout)),
                ("like 'file_name:func_name'", ValueError, ("a.cc", [1], plumb.float32, "aot")),
                (r"must be a source of C or C\+\+", ValueError, ("a.cu:f", [1], plumb.float32, "aot")),
                ("'func' must be", TypeError, (abs, [1], plumb.float32, "aot")),
                ("nowhere.cc", FileNotFoundError, ("nowhere.cc:f", [1], plumb.float32, "aot")),
                ("'bprop' must be a function", TypeError, (ops.CFunction("f", ""), [1], plumb.float32, "aot", 3)),
                ("attributes \\(axis\\) are not offered", ValueError,
                 (ops.CFunction("f", ""), [1], plumb.float32, "aot", None, {"attr": [{"name": "axis"}]}))):
            with self.subTest(message=message):
                self.assertRaisesRegex(kind, message, ops.Custom, *arguments)
        self.assertRaisesRegex(ValueError, "'language'", ops.CFunction, "f", "", "rust")
        self.assertRaisesRegex(TypeError, "'source'", ops.CFunction, "f", 5)

    def test_foreign_operators_are_refused_where_they_are_called(self):
        registration = ops.CustomRegOp().input(0, "x").output(0, "y").target("GPU").get_op_info()
        for reason, func, kind in ((r"is a library.*'\./a\.cc:f'", "./a.so:f", "aot"), ("'tbe' is not offered", lambda x: x, "tbe"),
                                   ("needs Julia", "a.jl:m:f", "julia")):
            operator = ops.Custom(func, lambda x: x, plumb.float32, kind, lambda x, out, dout: (dout,), registration)
            self.assertEqual(plumb.jit(lambda x, call=False: operator(x) if call else x + 1)(tensor(4)).shape, (4,))
            for call in (operator, plumb.jit(lambda x: operator(x)), plumb.grad(lambda x: operator(x).sum())):
                with self.subTest(reason=reason, call=call):
                    self.assertRaisesRegex(ValueError, reason, call, tensor(4))

    def test_functions_of_python(self):
        @ops.kernel
        def outer(a, b):
            product = output_tensor((a.shape[0], b.shape[0]), a.dtype)  # pylint: disable=undefined-variable
            for i, j in grid(product.shape):  # pylint: disable=undefined-variable
                product[i, j] = exp(a[i]) * b[j]  # pylint: disable=undefined-variable
            return product

        x, y = plumb.Tensor([0.0, 1.0], plumb.float32), plumb.Tensor([2.0, 3.0, 4.0], plumb.float32)
        np.testing.assert_allclose(ops.Custom(outer)(x, y).asnumpy(), np.outer(np.exp([0, 1]), [2, 3, 4]), rtol=1e-6)
        @ops.kernel
        def doubled(a):
            made = output_tensor(a.shape, a.dtype)  # pylint: disable=undefined-variable
            for i in range(a.shape[0]):
                made[i] = a[i] * 2
            return made

        for kind in ("hybrid", "pyfunc"):  # the language's own names are there in both
            found = ops.Custom(doubled, lambda a: a, lambda a: a, kind)(y)
            np.testing.assert_array_equal(found.asnumpy(), y.asnumpy() * 2)
        both = ops.Custom(lambda a, b: (a + b, a.sum() - b), lambda a, b: (a, b), lambda a, b: (a, plumb.float64), "pyfunc")
        first, second = both(y, y)
        np.testing.assert_allclose(first.asnumpy(), [4, 6, 8])
        self.assertEqual((second.dtype, second.asnumpy().tolist()), (plumb.float64, [7, 6, 5]))
        with self.assertRaisesRegex(ValueError, "its out_shape is"):
            ops.Custom(lambda a: a[:1], lambda a: a, lambda a: a, "pyfunc")(y)
        self.check(ops.Custom(lambda a: a, func_type="pyfunc"), Exception, "runs on the host", y)
        registered = ops.custom_info_register(ops.CustomRegOp("f").fusion_type("OPAQUE").attr("bias", "required", "float").get_op_info())(outer)
        self.assertEqual((registered, registered.reg_info[0]["op_name"]), (outer, "f"))

    def test_registration(self):
        """`reg_info` names the dtypes that are taken."""
        info = ops.CustomRegOp("f").input(0, "x").output(0, "y") \
            .dtype_format(ops.DataType.F32_None, ops.DataType.F32_Default) \
            .dtype_format(ops.DataType.F16_None, ops.DataType.F16_None).target("CPU").get_op_info()
        source = self.function("*(float *)params[1] = 1; return 0;")
        operator = ops.Custom(ops.CFunction("f", source), lambda x: x, lambda x: x, "aot", reg_info=info)
        self.assertEqual(float(operator(plumb.Tensor(np.float32(0)))), 1)
        self.check(operator, TypeError, "takes no inputs of int32; its reg_info names float32, float32 or float16, float16",
                   plumb.Tensor(np.int32(0)))
        self.assertRaisesRegex(ValueError, "2 inputs and outputs, but dtype_format got 1",
                               ops.CustomRegOp("f").input(0, "x").output(0, "y").dtype_format, ops.DataType.F32_None)
        foreign = ops.CustomRegOp("f").input(0, "x").output(0, "y").dtype_format(ops.DataType.F32_5HD, ops.DataType.F32_5HD)
        self.assertRaisesRegex(ValueError, "NC1HWC0 is not offered", ops.Custom, ops.CFunction("f", source), lambda x: x,
                               lambda x: x, "aot", None, foreign.get_op_info())

    def test_registrations_for_other_devices(self):
        """Programs register operators for other devices where they are imported; nothing comes of it here."""
        info = ops.TBERegOp("Doubled").fusion_type("OPAQUE").async_flag(False).binfile_name("doubled.so").compute_cost(10) \
            .kernel_name("doubled").partial_flag(True).attr("times", "required", "int", "all").input(0, "x", False, "required", "all") \
            .output(0, "y", False, "required", "all").dtype_format(ops.DataType.F16_5HD, ops.DataType.F16_5HD).get_op_info()
        self.assertEqual((info["op_name"], info["kernel_name"], info["dtype_format"]),
                         ("Doubled", "doubled", [[("float16", "NC1HWC0")] * 2]))
        self.assertIs(ops.op_info_register(info)(abs), abs)
        self.assertRaisesRegex(TypeError, "'op_info' must be", ops.op_info_register, 3)
        class Doubled(ops.PrimitiveWithInfer):
            """An operator of another device: nothing here says how to compute it."""

            @ops.prim_attr_register
            def __init__(self):
                self.init_prim_io_names(inputs=["x"], outputs=["y"])

        self.assertEqual(Doubled().name, "Doubled")
        self.check(Doubled(), RuntimeError, r"Unsupported op \[Doubled\]", tensor(2))
        for kind in (ops.AiCPURegOp, ops.AkgAscendRegOp, ops.AkgGpuRegOp, ops.CpuRegOp):
            self.assertEqual(kind("g").input(0, "x", "required").output(0, "y", "required").get_op_info()["inputs"][0]["name"], "x")


class CacheTest(FolderTest):
    """The source is part of what compiled programs are kept by."""

    def run_with(self, number):
        path = self.write("number.c", "#include <stdint.h>\nint number" + SIGNATURE +
                          f" {{ *(float *)params[1] = *(float *)params[0] + {number}; return 0; }}\n")
        program = self.write("program.py", f"import numpy as np, plumb\nfrom plumb import _engine, ops\n"
                             f"number = ops.Custom('{path}:number', lambda x: x, lambda x: x, 'aot')\n"
                             f"print(float(number(plumb.Tensor(np.float32(0)))))\n")
        done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PLUMB_CACHE": self.folder + "/kept"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return float(done.stdout), len(os.listdir(self.folder + "/kept"))

    def test_content_counts(self):
        self.assertEqual(self.run_with(1), (1, 1))
        self.assertEqual(self.run_with(1), (1, 1))
        self.assertEqual(self.run_with(2), (2, 2))


class SunkTest(unittest.TestCase):
    """In training loops."""

    def test_state_and_failure(self):
        """A step whose operator fails is the last; nobody hears of it."""
        fails = custom("fails", FAILS)
        start = plumb.Parameter(plumb.Tensor(np.array([3], np.float32)), name="start")

        def step(x):
            y = fails(start)
            ops.assign(start, start - x.sum())
            return y.sum()

        data = plumb.dataset.NumpySlicesDataset((np.ones((10, 1), np.float32),), ["x"]).batch(1)
        sink = plumb.data_sink(step, data, sink_size=10)
        with self.assertRaisesRegex(RuntimeError, "step 5: RuntimeError: the custom operator 'fails' returned 42"):
            sink()


if __name__ == "__main__":
    unittest.main()
