"""Operators of one's own, on handwritten digits: `tools/python docs/examples/custom_operators.py`.

A perceptron whose activation is a function of C++ with a gradient in C++ (mish.cc), whose norm is MLIR in the `net` dialect and
has its gradient from there, and whose classes are prototypes: the logits are squared distances, a body in `linalg` with a
gradient in Python. docs/custom_operators.md walks through it.
"""

import argparse
import os

import plumb
from plumb import Parameter, dataset, nn, ops, train
from plumb.common.initializer import Normal, initializer
from plumb.dataset import transforms, vision

HERE = os.path.dirname(os.path.abspath(__file__))
DIGITS = os.path.join(HERE, "..", "..", "test", "data", "mnist")
SOURCE = os.path.join(HERE, "mish.cc")

mish_gradient = ops.Custom(f"{SOURCE}:mish_gradient", lambda x, y, dy: x, lambda x, y, dy: x, func_type="aot")
mish = ops.Custom(f"{SOURCE}:mish", lambda x: x, lambda x: x, func_type="aot",
                  bprop=lambda x, y, dy: (mish_gradient(x, y, dy),))


def norm_body(x, scale):
    """Rows divided by the root of their mean square, then scaled; `x` is a type such as tensor<50x512xf32>."""
    rows = x.split("x")[0][len("tensor<"):]
    return f"""
        func.func @norm(%x: {x}, %scale: {scale}) -> {x} {{
          %squares = net.square %x : {x}
          %means = net.reduce_mean %squares over [1] {{keep_dims = true}} : ({x}) -> tensor<{rows}x1xf32>
          %small = net.constant dense<1.0e-6> : tensor<f32>
          %sums = net.add %means, %small : (tensor<{rows}x1xf32>, tensor<f32>) -> tensor<{rows}x1xf32>
          %inverse = net.rsqrt %sums : tensor<{rows}x1xf32>
          %unit = net.mul %x, %inverse : ({x}, tensor<{rows}x1xf32>) -> {x}
          %y = net.mul %unit, %scale : ({x}, {scale}) -> {x}
          return %y : {x}
        }}"""


def distances_body(x, points):
    """Squared distances of each row of `x` to each row of `points`."""
    rows, columns = x.split("x")[0][len("tensor<"):], points.split("x")[0][len("tensor<"):]
    result = f"tensor<{rows}x{columns}xf32>"
    return f"""
        func.func @distances(%x: {x}, %points: {points}) -> {result} {{
          %zero = arith.constant 0.0 : f32
          %empty = tensor.empty() : {result}
          %zeros = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}
          %sums = linalg.generic {{
              indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
              iterator_types = ["parallel", "parallel", "reduction"]}}
              ins(%x, %points : {x}, {points}) outs(%zeros : {result}) {{
            ^bb0(%a: f32, %b: f32, %sum: f32):
              %difference = arith.subf %a, %b : f32
              %square = arith.mulf %difference, %difference : f32
              %next = arith.addf %sum, %square : f32
              linalg.yield %next : f32
          }} -> {result}
          return %sums : {result}
        }}"""


def distances_gradient(x, points, _, adjoint):
    """The adjoints of |x|² - 2 x·p + |p|² by x and by p."""
    by_rows, by_points = ops.reduce_sum(adjoint, 1), ops.reduce_sum(adjoint, 0)
    return (2 * (x * by_rows[:, None] - ops.matmul(adjoint, points)),
            2 * (points * by_points[:, None] - ops.matmul(ops.transpose(adjoint, (1, 0)), x)))


class Prototypes(nn.Cell):
    """Two layers, and a point per class in the space of the second."""

    def __init__(self, width=512, classes=10):
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(784, width)
        self.fc2 = nn.Dense(width, 64)
        self.scale = Parameter(initializer("ones", (width,)), name="scale")
        self.points = Parameter(initializer(Normal(0.3), (classes, 64)), name="points")
        self.norm = ops.CustomMLIR(norm_body, name="norm")
        self.distances = ops.CustomMLIR(distances_body, bprop=distances_gradient, name="distances")

    def construct(self, images):
        """The logits: what is near is likely."""
        x = self.norm(mish(self.fc1(self.flatten(images))), self.scale)
        return -self.distances(self.fc2(x), self.points)


def digits(folder, usage, size=50):
    """The data pipeline: images of about unit variance, and labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    return data.batch(size, drop_remainder=True)


def make_model(width):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Prototypes(width)
    return train.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), 0.001), {"accuracy"})


def main(arguments=None):
    """Trains; returns the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training digits")
    parser.add_argument("--width", type=int, default=512, help="width of the first layer")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    model = make_model(options.width)
    model.train(options.epochs, digits(options.data, "train"), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(digits(options.data, "test"), dataset_sink_mode=True)["accuracy"]
    print(f"accuracy on the test digits: {accuracy:.2%}")
    return accuracy


if __name__ == "__main__":
    main()
