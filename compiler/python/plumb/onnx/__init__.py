"""ONNX files as networks: `load` reads one, the compiler compiles it like any cell, a Model trains it.

    net = plumb.onnx.load("resnet50.onnx")
    model = plumb.Model(net, loss_fn=nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        optimizer=nn.Momentum(net.trainable_params(), 0.01, 0.9))
    model.train(1, dataset, dataset_sink_mode=True)

The format: https://github.com/onnx/onnx/blob/main/docs/IR.md. Operator sets up to 26; `operators()` lists the operators.
"""

from plumb.onnx.network import Network, load, operators

__all__ = ["Network", "load", "operators"]
